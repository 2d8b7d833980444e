"""A process of its own for the claims of one submission: what a student's answers make them do ends with it.

The process is forked: it has what is loaded, and the worker that is up. Its memory is limited, the kernel
ends it when a claim uses up its processor time, inside of LAPACK too, and it ends with the grader. Where
nothing can be forked safely (all but Linux), claims run in the grader's process, without these limits.
"""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import select
import signal
import struct
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from mlnotes.grading.sandbox import confinement
from mlnotes.grading.sandbox.clocks import Clock
from mlnotes.grading.sandbox.levels import Sandbox

CLAIM_SECONDS = 30  # of processor time, for one claim
MEGABYTES = 2048  # beyond what the grader has
SILENT_SECONDS = 420.0  # until a process that says nothing is taken for stuck
_LOOK = 1.0  # between two looks at it
_POSSIBLE = sys.platform == "linux"
_HEAD = struct.Struct("<cQ")
_ITEM, _ERROR, _ASK, _END = b"i", b"e", b"?", b"."
_apart = False


class Ended(Exception):  # noqa: N818 - the end of a process, not an error of the program
    """The process ended before its work did; the message says why."""


def clock(seconds: int | None = None) -> None:
    """Start the clock, by default that of a claim: when it has run down, the kernel ends this process."""
    if not _apart:
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = math.ceil(used.ru_utime + used.ru_stime) + (seconds or CLAIM_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def items(work: Callable[[], Iterator[Any]], sandbox: Sandbox) -> Iterator[Any]:
    """Yield what `work` yields, in a process of its own, and raise what it raises.

    ``Ended`` says that this process ended early, or said nothing for long.
    """
    if not _POSSIBLE or _apart:
        yield from work()
        return
    sandbox.staged(sandbox.level)  # once, not in every process
    spare = sandbox.spare_process()
    (here, replies), (requests, there) = os.pipe(), os.pipe()
    sys.stdout.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: BLAS ends its own before a fork
        pid = os.fork()
    if pid == 0:
        os.close(here)
        os.close(there)
        _work(work, sandbox, requests, replies)
    os.close(requests)
    os.close(replies)
    try:
        yield from _told(pid, here, there, spare)
    except EOFError:
        raise Ended(_why(pid)) from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)
        os.close(here)
        os.close(there)
        if spare is not None:
            spare.kill()
            spare.wait()
        sandbox.forget(pid)


def _why(pid: int) -> str:
    """Return why a process ended; it stays to be waited for, so that its number is nobody else's."""
    ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert ended is not None
    number = 0 if ended.si_code == os.CLD_EXITED else ended.si_status
    if number == signal.SIGXCPU:
        return f"checking the answers took more than {CLAIM_SECONDS} s of processor time"
    if number == signal.SIGKILL:
        return "the system ended the check, which usually means too much memory"
    words = f"died of {signal.Signals(number).name}" if number else f"ended with status {ended.si_status}"
    return f"the process that checks the answers {words}"


def _told(pid: int, here: int, there: int, spare: Any) -> Iterator[Any]:
    while True:
        kind, data = _received(here, pid)
        if kind == _END:
            return
        if kind == _ASK:
            with contextlib.suppress(Exception):
                spare.wait(2)
            _send(there, _ASK, spare.poll())
            continue
        value = pickle.loads(data)  # of our own process, which was forked from this one
        if kind == _ERROR:
            raise value
        yield value


def _received(descriptor: int, pid: int) -> tuple[bytes, bytes]:
    clock = Clock(pid)
    kind, size = _HEAD.unpack(_exactly(descriptor, _HEAD.size, clock))
    return kind, _exactly(descriptor, size, clock)


def _exactly(descriptor: int, size: int, clock: Clock) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        left = clock.left(SILENT_SECONDS)
        if left <= 0:
            raise Ended(f"the check said nothing for {SILENT_SECONDS:g} s")
        ready, _, _ = select.select([descriptor], [], [], min(left, _LOOK))
        if not ready:
            continue
        piece = os.read(descriptor, size - len(parts))
        if not piece:
            raise EOFError
        parts += piece
    return bytes(parts)


def _send(descriptor: int, kind: bytes, value: Any = None) -> None:
    data = pickle.dumps(value)
    view = memoryview(_HEAD.pack(kind, len(data)) + data)
    while view:
        view = view[os.write(descriptor, view) :]


# ------------------------------------------------------------------- in the process


def _work(work: Callable[[], Iterator[Any]], sandbox: Sandbox, requests: int, replies: int) -> None:
    """Do the work in the process that was forked; never returns."""
    global _apart
    _apart = True
    try:
        confinement.die_with_parent()
        _limit()
        sandbox.inherit(lambda: _asked(requests, replies))
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the grader's to answer
        for item in work():
            _send(replies, _ITEM, item)
        _send(replies, _END)
    except BaseException as error:
        with contextlib.suppress(BaseException):
            _send(replies, _ERROR, error if isinstance(error, Exception) else RuntimeError(str(error)))
    finally:
        os._exit(0)


def _asked(requests: int, replies: int) -> int | None:
    """Ask the grader, whose child the first worker is, how it ended; None while it lives."""
    _send(replies, _ASK)
    kind, data = _received(requests, os.getppid())
    assert kind == _ASK
    code: int | None = pickle.loads(data)
    return code


def _limit() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = now + (MEGABYTES << 20)
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
