"""One process that runs a student's code: its start at each level, the conversation with it, and its end."""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from mlnotes.grading.results import CRASH, MEMORY, OUTPUT, TIME, Fault, clean
from mlnotes.grading.sandbox.clocks import MOMENT, ONE_THREAD, Clock
from mlnotes.grading.sandbox.disk import MEGABYTES as DISK_MEGABYTES
from mlnotes.grading.sandbox.disk import excess, remove
from mlnotes.grading.sandbox.pipes import pipes

if TYPE_CHECKING:  # wire loads NumPy, which the grader may do while the first worker does the same
    from mlnotes.grading.protocol import wire
    from mlnotes.grading.sandbox.seccomp_notify import Watch
    from mlnotes.grading.sandbox.staging import Stage

ENVIRONMENT = {"PYTHONHASHSEED": "0", **ONE_THREAD, "LC_ALL": "C.UTF-8", "HOME": "/tmp"}
START_SECONDS = 60.0  # on a busy machine the kernel may take long over namespaces
_SIGXCPU, _SIGKILL = getattr(signal, "SIGXCPU", 24), getattr(signal, "SIGKILL", 9)  # Windows has neither
MAX_CALLBACKS = 100_000
KEPT_OUTPUT = 4_000
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
_CHANGE_ROOT = """
import os, sys
place, user, *command = sys.argv[1:]
os.chroot(place)
os.chdir("/")
os.setgroups([])
os.setresgid(*[int(user)] * 3)
os.setresuid(*[int(user)] * 3)
os.execv(command[0], command)
"""


class SandboxError(RuntimeError):
    """A worker cannot be confined here as asked."""


class NoAnswer(SandboxError):  # noqa: N818 - the machine may be busy: no error of the level
    """A worker did not come up in time, which says nothing of what works here."""


class Foreign:
    """A worker's process as seen from a process that is not its parent: what of it a worker asks for."""

    def __init__(self, pid: int, code: Callable[[], int | None]) -> None:
        self.pid, self._code = pid, code

    def poll(self) -> int | None:
        """Return how it ended, None while it lives."""
        return self._code()

    def wait(self, seconds: float = 0) -> int | None:
        """Return how it ended; who is asked waits."""
        return self._code()

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it."""
        self.send_signal(_SIGKILL)


class Capture:
    """What a student printed: head and tail, and how much there was."""

    def __init__(self) -> None:
        self.head, self.tail, self.size = bytearray(), bytearray(), 0

    def feed(self, piece: bytes) -> None:
        """Add what was printed."""
        self.size += len(piece)
        room = KEPT_OUTPUT - len(self.head)
        self.head += piece[:room]
        self.tail = (self.tail + piece[max(0, room) :])[-KEPT_OUTPUT:]

    def take(self, *, whole: bool = True) -> str:
        """Return the text so far and forget it; of a killed process only the head is reproducible."""
        head, tail = (clean(bytes(part).decode("utf-8", "replace")) for part in (self.head, self.tail))
        dropped = self.size - len(self.head) - len(self.tail)
        middle = f"\n... {dropped} bytes left out ...\n" if dropped else ""
        text = f"{head}{middle}{tail}" if whole else head
        self.__init__()  # type: ignore[misc]
        return text


def _is(value: object, identity: str) -> bool:
    """Whether what came is this text; an array is not, and says so to no comparison."""
    return type(value) is str and value == identity


class Sandbox(Protocol):
    """What a worker needs to know of the sandbox that starts it."""

    folder: Path
    packages: tuple[str, ...]

    def user(self, level: str) -> int | None:
        """Return the user id that the worker runs under, None for our own."""

    def staged(self, level: str) -> Stage:
        """Return the folder that it sees."""

    def jail(self) -> Path:
        """Return the folder that is its root at level B2."""


class Worker:
    """One process that runs one submission, and the conversation with it, after :meth:`await_ready`.

    Raises
    ------
    SandboxError, OSError
        If the process cannot be started.
    """

    def __init__(self, sandbox: Sandbox, level: str, megabytes: int) -> None:
        self.level, self.megabytes = level, megabytes
        self.private: Path | None = None
        self.home = "/tmp"
        self.watch: Watch | None = None
        self.prints = Capture()
        user = sandbox.user(level)
        if level == "B2" and user is None:
            raise SandboxError("only root can change its root folder")
        if level != "A":
            place = sandbox.jail() if level == "B2" else sandbox.folder
            self.private = Path(tempfile.mkdtemp(prefix=f"work-{os.getpid()}-", dir=place))
            self.home = f"/{self.private.name}" if level == "B2" else str(self.private)
            if user is not None:
                os.chown(self.private, user, user)
        if level != "C":
            from mlnotes.grading.sandbox.seccomp_notify import Watch

            self.watch = Watch(self.home)
        identity: dict[str, Any] = {}
        if user is not None and level != "B2":
            identity = {"user": user, "group": user, "extra_groups": []}
        try:
            self.process = subprocess.Popen(
                self._command(sandbox, user),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=ENVIRONMENT if sys.platform != "win32" else None,
                cwd=self.private or "/",
                start_new_session=True,
                pass_fds=[self.watch.theirs] if self.watch else [],
                **identity,
            )
        except BaseException:
            if self.watch:
                self.watch.close()
            raise
        finally:
            if self.watch:
                os.close(self.watch.theirs)
        self.pipes = pipes(self.process, self.prints.feed, self.watch)

    def await_ready(self) -> None:
        """Wait until the process has confined itself and tried what it must not be able to do.

        Raises
        ------
        SandboxError
            If it does not come up, or can do it.
        """
        from mlnotes.grading.protocol import wire

        self.wire, self.reader = wire, wire.Reader()
        try:
            ready = self._converse(b"", "ready", START_SECONDS, None, None)
        except Fault as fault:
            words = self.prints.take().strip().splitlines()
            self.kill()
            kind = NoAnswer if fault.kind == TIME else SandboxError
            raise kind(words[-1] if words else fault.sentence) from None
        if ready.get("open"):
            self.kill()
            raise SandboxError(f"the worker can still reach {', '.join(ready['open'])}")
        if self.watch:
            self.watch.tried.clear()  # of its own probes

    def _command(self, sandbox: Sandbox, user: int | None) -> list[str]:
        staged = sandbox.staged(self.level)
        mounted = self.level in ("A", "B2")
        inside = staged.at("/runtime") if mounted else staged
        settings = {
            "run": str(sandbox.folder),  # for whoever looks at the processes of the machine
            "confined": self.level != "C",
            "packages": inside.packages,
            "whole": bool(sandbox.packages),  # other packages may read all of NumPy
            "limits": {"megabytes": self.megabytes, "cpu": 3600, "file_megabytes": DISK_MEGABYTES},
            "landlock": self.level == "B",
            "readable": [str(inside.folder), *DEVICES],
            "writable": [str(self.private), "/dev/null"],
            "home": self.home,
            "channel": self.watch.theirs if self.watch else -1,
        }
        command = [*inside.command, json.dumps(settings)]
        if self.level == "B2":
            assert self.private is not None
            return [*staged.command[:-1], "-c", _CHANGE_ROOT, str(self.private.parent), str(user), *command]
        if self.level != "A":
            return command
        bubblewrap = shutil.which("bwrap")
        if bubblewrap is None:
            raise SandboxError("bwrap is not installed")
        variables = [word for pair in ENVIRONMENT.items() for word in ("--setenv", *pair)]
        devices = [word for path in DEVICES for word in ("--dev-bind", path, path)]
        return [
            bubblewrap,
            "--unshare-all",
            "--unshare-user",
            "--disable-userns",
            "--cap-drop",
            "ALL",
            "--uid",
            "65534",
            "--gid",
            "65534",
            "--die-with-parent",
            "--new-session",
            "--hostname",
            "sandbox",
            "--clearenv",
            *variables,
            "--ro-bind",
            str(staged.folder),
            "/runtime",
            *devices,
            "--size",
            str(DISK_MEGABYTES << 20),
            "--tmpfs",
            "/tmp",
            "--remount-ro",
            "/",
            "--",
            *command,
        ]

    def ask(
        self,
        do: str,
        arguments: tuple,
        seconds: float,
        *,
        refer: wire.Refer | None = None,
        resolve: wire.Resolve | None = None,
        answer: Callable[[int, tuple], Any] | None = None,
        ours: float = math.inf,
        anew: bool = False,
    ) -> Mapping[str, Any]:
        """Send a request and return the reply that belongs to it, within `seconds` of the student's time.

        Parameters
        ----------
        refer, resolve : callable, optional
            How objects that stay on their side are named.
        answer : callable, optional
            Called with number and arguments when the student calls a function of the grader.
        ours : float
            How many seconds of the processor the conversation may take on this side.
        anew : bool, default False
            Whether to forget the instances first, and to start the public randomness again.

        Raises
        ------
        Fault
            TIME, MEMORY, CRASH or OUTPUT; the process is gone then.
        """
        self.took = 0.0
        identity = os.urandom(8).hex()  # a reply cannot be prepared in advance
        message = {"id": identity, "do": do, "with": arguments, "anew": anew}
        frame = self.wire.pack(message, refer, room=self.wire.REQUEST)
        self._go_on(True)
        try:
            return self._converse(frame, identity, seconds, resolve, answer, refer, ours)
        finally:
            self.took = self.clock.passed() + self.clock.paused
            self._go_on(False)

    def _go_on(self, on: bool) -> None:
        """Let the process run while it is asked only: no thread of it writes to the disk behind our back.

        At level A the process that we started is bubblewrap's, and the disk is a small one.
        """
        if self.level in ("B", "B2"):
            self.process.send_signal(signal.SIGCONT if on else signal.SIGSTOP)

    def _converse(
        self,
        frame: bytes,
        identity: str,
        seconds: float,
        resolve: wire.Resolve | None,
        answer: Callable[[int, tuple], Any] | None,
        refer: wire.Refer | None = None,
        ours: float = math.inf,
    ) -> Mapping[str, Any]:
        self.at = self.line = None
        self.clock, calls, end = Clock(self.process.pid), 0, time.process_time() + ours
        self.pipes.send(frame)
        while True:
            if time.process_time() > end:
                raise self._fatal(TIME, "what came back took too long to read, or its questions to answer")
            message = self._message(resolve)
            if message is None:
                self._move(seconds)
            elif not isinstance(message, dict) or not _is(message.get("id"), identity):
                raise self._fatal(OUTPUT, "what came back was not the answer to the question that was asked")
            elif "at" in message:
                self.at, self.line = message["at"], message.get("line")
            elif "callback" in message:
                calls, start = calls + 1, time.monotonic()
                if answer is None or calls > MAX_CALLBACKS:
                    raise self._fatal(
                        OUTPUT, f"the function argument was called more than {MAX_CALLBACKS} times"
                    )
                self.pipes.send(self._answered(identity, message, answer, refer))
                self.clock.paused += time.monotonic() - start
            else:
                self.pipes.drain()
                if self.reader.buffer:
                    raise self._fatal(OUTPUT, "more came back than the answer to the question that was asked")
                return message

    def _answered(
        self,
        identity: str,
        message: Mapping[str, Any],
        answer: Callable[[int, tuple], Any],
        refer: wire.Refer | None,
    ) -> bytes:
        number, arguments = message["callback"], message.get("with")
        try:
            if type(number) is not int or not isinstance(arguments, tuple):
                raise ValueError("a function is called with its arguments")
            value = answer(number, arguments)
            return self.wire.pack({"id": identity, "value": value}, refer, room=self.wire.REQUEST)
        except Exception as error:  # the student's arguments made it fail: the student's exception
            return self.wire.pack({"id": identity, "error": f"{type(error).__name__}: {error}"[:300]})

    def _message(self, resolve: wire.Resolve | None) -> Any:
        try:
            found = self.reader.next(resolve)
        except self.wire.WireError as error:
            raise self._fatal(OUTPUT, f"the answer is not one that may be given: {error}") from None
        except Exception as error:  # whatever it is, the answer made it so
            words = f"the answer is not one that can be read ({type(error).__name__})"
            raise self._fatal(OUTPUT, words) from None
        return None if found is None else found[0]

    def _move(self, seconds: float) -> None:
        """Move bytes once: requests, replies, prints; a fault when time is up or the process is gone."""
        left = self.clock.left(seconds)
        if left <= 0:
            raise self._fatal(TIME, f"no answer within {seconds:g} s; the process was ended")
        self._check_disk()
        piece = self.pipes.move(min(left, MOMENT))
        if piece is None:
            return
        if not piece:
            raise self._ended()
        self.reader.feed(piece)

    def _check_disk(self) -> None:
        if self.private is None or time.monotonic() < self._next_look:
            return
        words = excess(self.private, self.process.pid)
        self._next_look = time.monotonic() + 0.1
        if words:
            raise self._fatal(OUTPUT, words)

    _next_look = 0.0

    def _ended(self) -> Fault:
        """Return why the process ended by itself."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(2)
        code = self.process.poll()
        if code is None:
            return self._fatal(OUTPUT, "the way back for answers was closed")
        number = -code if code < 0 else code - 128
        if number == _SIGXCPU:
            return self._fatal(TIME, "the limit of processor time was reached")
        if number == _SIGKILL:
            return self._fatal(MEMORY, "the system ended the process, which usually means too much memory")
        if 0 < number < signal.NSIG:
            return self._fatal(CRASH, f"the process died of {signal.Signals(number).name}")
        return self._fatal(CRASH, f"the process ended itself with exit status {code}")

    def _fatal(self, kind: str, sentence: str) -> Fault:
        self.pipes.drain()
        self.kill()
        return Fault(kind, sentence, fatal=True)

    @property
    def tried(self) -> Counter[str]:
        """What its filter refused, and how often, where somebody counts."""
        return self.watch.tried if self.watch else Counter()

    def kill(self) -> None:
        """End the process and all that belongs to it, and remove what it wrote."""
        if self.pipes.closed:
            return
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, _SIGKILL)
        self.process.kill()
        self.process.wait()
        self._await_silence()
        self.let_go()
        if self.private is not None:
            remove(self.private)

    def let_go(self) -> None:
        """Close this process's ends of the conversation."""
        self.pipes.close()
        if self.watch is not None:
            self.watch.close()

    def _await_silence(self) -> None:
        """Wait until nobody holds the print pipe: then no process of this worker is left."""
        end = time.monotonic() + 2
        while not self.pipes.silent and time.monotonic() < end:
            self.pipes.drain(0.05)
