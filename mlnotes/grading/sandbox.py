"""Where a student's code runs: the levels of confinement, what this machine offers, and one worker process.

====== ============ ======================================================================================
level  name         what confines the worker
====== ============ ======================================================================================
A      bubblewrap   own user, process, network, IPC and UTS namespaces; sees one read-only folder and a
                    bounded private /tmp; seccomp; limits
B      landlock     Landlock (files, TCP, signals) and seccomp (sockets, signals, new processes); limits;
                    started by root: an own user id for every worker. No package, no privilege
B2     jail         for containers without Landlock, where the grader is root: a changed root folder with
                    nothing but the interpreter, an own user id, seccomp; limits
C      limits       memory, processor, file size and wall clock only: for one's own code, or by choice
====== ============ ======================================================================================

At every level a wall clock outside ends a call by SIGKILL, and only plain values come back.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlnotes.grading.disk import MEGABYTES as DISK_MEGABYTES
from mlnotes.grading.disk import excess, remove
from mlnotes.grading.faults import CRASH, MEMORY, OUTPUT, TIME, Fault, clean
from mlnotes.grading.pipes import pipes
from mlnotes.grading.staging import Stage, link_tree, shared, stage

if TYPE_CHECKING:  # it loads NumPy, which the grader may do while the first worker does the same
    from mlnotes.grading import wire
    from mlnotes.grading.watch import Watch

NAMES = {"A": "bubblewrap", "B": "landlock", "B2": "jail", "C": "limits"}
ENVIRONMENT = {
    "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
    "LC_ALL": "C.UTF-8", "HOME": "/tmp",
}  # fmt: skip
START_SECONDS = 20.0
_SIGXCPU, _SIGKILL = getattr(signal, "SIGXCPU", 24), getattr(signal, "SIGKILL", 9)  # Windows has neither
_PREFIX = "mlnotes-run-"
_MEGABYTES = 2048
MAX_CALLBACKS = 100_000
KEPT_OUTPUT = 4_000
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
_FIRST_UID, _UIDS = 61_184, 4_335  # the range that systems leave free for short-lived users
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
_INSTALL = "apt-get install bubblewrap (Debian, Ubuntu) or dnf install bubblewrap (Fedora)"


class SandboxError(RuntimeError):
    """A worker cannot be confined here as asked."""


@dataclass(frozen=True)
class Check:
    """One line of ``mlnotes doctor``: a level, whether it works here, and why not."""

    level: str
    name: str
    works: bool
    reason: str


class Sandbox:
    """One level of confinement on this machine, and the staged folder that its workers see.

    Use as a context manager: the folder is removed at the end.

    Parameters
    ----------
    level : {"auto", "A", "B", "B2", "C"} or the names in ``NAMES``
        "auto" takes the best of A, B and B2 that works, and never less.
    wait : bool, default True
        Whether to wait until the first worker is up; else :attr:`level` does, when it is first asked for.
    runtime : Stage, optional
        A folder that was staged before; by default one is made of the running Python.
    packages : tuple of str
        What may be imported besides the standard library and NumPy: ``Assignment.packages``.

    Raises
    ------
    SandboxError
        If the level does not work here; the message says what to install or to choose.
    ValueError
        If a package is not installed.
    """

    def __init__(self, level: str = "auto", *, wait: bool = True, runtime: Stage | None = None,
                 packages: tuple[str, ...] = ()) -> None:  # fmt: skip
        wanted = {name: letter for letter, name in NAMES.items()}.get(level, level)
        if wanted not in ("auto", *NAMES):
            raise ValueError(f"sandbox must be auto, {', '.join(NAMES.values())}, got {level!r}")
        self.packages = tuple(sorted(set(packages)))
        _sweep()
        self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._lock = _locked(self.folder)
        if self._lock is not None:
            OURS.add(self._lock)
        self._numbers = itertools.count(os.getpid() * 97)
        self._stages: dict[bool, Stage] = {} if runtime is None else {True: runtime, False: runtime}
        self._left = ["A", "B", "B2"] if wanted == "auto" else [wanted]
        self._reasons: list[str] = []
        self._level: str | None = None
        self._spare: Worker | None = None
        self.folder.chmod(0o755)
        try:
            self._try_next()
            if wait:
                self._settle()
        except BaseException:
            self.close()
            raise

    def _try_next(self) -> None:
        """Start a worker at the best level that was not tried yet, without waiting for it."""
        while self._left:
            level = self._left.pop(0)
            try:
                self._spare = Worker(self, level, _MEGABYTES)
                return
            except (SandboxError, OSError) as error:
                self._reasons.append(f"{NAMES[level]}: {error}")
        raise SandboxError(
            f"no sandbox works here ({'; '.join(self._reasons)}). Install bubblewrap: {_INSTALL}. "
            "Or choose '--sandbox limits', which does not keep hostile code from your files and network."
        )

    def _settle(self) -> None:
        """Wait for the worker that was started; where it does not come up, try the next level."""
        while self._level is None:
            assert self._spare is not None
            try:
                self._spare.await_ready()
                self._level = self._spare.level
            except (SandboxError, OSError) as error:
                self._reasons.append(f"{NAMES[self._spare.level]}: {error}")
                self._spare = None
                self._try_next()

    @property
    def level(self) -> str:
        """The letter of the level.

        Raises
        ------
        SandboxError
            If none works here; only where the constructor did not wait.
        """
        self._settle()
        assert self._level is not None
        return self._level

    @property
    def name(self) -> str:
        """The level in words, such as "bubblewrap"."""
        return NAMES[self.level]

    def worker(self, megabytes: int = _MEGABYTES) -> Worker:
        """Start a fresh worker, ready to load a submission.

        Raises
        ------
        SandboxError
            If it does not come up.
        """
        level = self.level
        spare, self._spare = self._spare, None
        if spare is not None and spare.megabytes == megabytes:
            return spare
        if spare is not None:
            spare.kill()
        fresh = Worker(self, level, megabytes)
        fresh.await_ready()
        return fresh

    def staged(self, level: str) -> Stage:
        """Return the folder that the workers of a level see, made when first asked for."""
        own = level != "C"
        if own not in self._stages and (ready := shared(interpreter=own, packages=self.packages)):
            self._stages[own] = ready
        elif own not in self._stages:
            folder = self.folder / ("runtime" if own else "packages")
            folder.mkdir()
            self._stages[own] = stage(folder, interpreter=own, packages=self.packages)
        return self._stages[own]

    def jail(self) -> Path:
        """Return the folder that is the root of the workers of level B2: an interpreter, four devices."""
        place = self.folder / "jail"
        if not place.exists():
            (place / "dev").mkdir(parents=True)
            place.chmod(0o755)
            link_tree(self.staged("B2").folder, place / "runtime")
            for path in _DEVICES:
                _device(path, Path(f"{place}{path}"))
        return place

    def user(self, level: str) -> int | None:
        """Return the user id for the next worker: one of its own when root grades others' code, else None."""
        if level == "C" or not hasattr(os, "geteuid") or os.geteuid() != 0:
            return None
        return _FIRST_UID + next(self._numbers) % _UIDS

    def spare_process(self) -> subprocess.Popen[bytes] | None:
        """Return the process of the worker that is up and that the next one to ask gets."""
        return self._spare.process if self._spare is not None else None

    def inherit(self, code: Callable[[], int | None]) -> None:
        """Go on in a forked process; the spare worker's `code` at its end is its parent's to tell."""
        self._lock, self._numbers = None, itertools.count(os.getpid() * 97)
        if self._spare is not None:
            self._spare.process = _Foreign(self._spare.process.pid, code)  # type: ignore[assignment]

    def forget(self, pid: int) -> None:
        """Let go of what a process that was forked has used, and may have left behind."""
        spare, self._spare = self._spare, None
        if spare is not None:
            spare.let_go()
        for place in (self.folder, self.folder / "jail"):
            for left in place.glob(f"work-{pid}-*"):
                remove(left)
        if spare is not None and spare.private is not None:
            remove(spare.private)

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process on this machine needs to start workers in the same staged folder."""
        self.staged(self.level)
        names = ("folder", "_stages", "packages")
        return {"_level": self.level} | {name: self.__dict__[name] for name in names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _spare=None, _lock=None, _numbers=itertools.count(os.getpid() * 97))

    def close(self) -> None:
        """Remove everything that was staged; only the process that made it does."""
        if self._spare is not None:
            self._spare.kill()
            self._spare = None
        remove(self.folder)
        if self._lock is not None:
            OURS.discard(self._lock)
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Foreign:
    """A worker's process as seen from a process that is not its parent: what of it a worker asks for."""

    def __init__(self, pid: int, code: Callable[[], int | None]) -> None:
        self.pid, self._code = pid, code

    def poll(self) -> int | None:
        """Return how it ended, None while it lives."""
        return self._code()

    def wait(self, seconds: float = 0) -> int | None:
        """Return how it ended; who is asked waits."""
        return self._code()

    def kill(self) -> None:
        """End it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, _SIGKILL)


def _device(path: str, target: Path) -> None:
    """Make a device again; where none may be made, an empty file that nobody can write to."""
    try:
        os.mknod(target, stat.S_IFCHR, os.stat(path).st_rdev)
        target.chmod(0o666)
        target.read_bytes() if path == "/dev/null" else target.open("rb").close()
    except OSError:
        target.unlink(missing_ok=True)
        target.touch(0o444)


OURS: set[int] = set()  # descriptors of locks that a process which is forked must not hold too


def _let_locks_go() -> None:
    for descriptor in OURS:
        with contextlib.suppress(OSError):
            os.close(descriptor)
    OURS.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_locks_go)


def _locked(folder: Path) -> int | None:
    """Hold a lock in `folder` while this process lives; return its descriptor, None if somebody holds it."""
    if sys.platform == "win32":
        return None
    import fcntl

    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _sweep() -> None:
    """Remove the folders of runs that were killed: our own, whose lock nobody holds."""
    if sys.platform == "win32":
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(Exception):  # another run's: never a reason for this one to end
            if folder.is_symlink() or folder.stat().st_uid != os.getuid() or not (folder / "lock").exists():
                continue
            descriptor = _locked(folder)
            if descriptor is not None:
                remove(folder)
                os.close(descriptor)


def doctor() -> list[Check]:
    """Return what this machine can do, the best level first, by trying it."""
    checks = []
    for level, name in NAMES.items():
        try:
            with Sandbox(level):
                checks.append(Check(level, name, True, "works"))
        except (SandboxError, OSError) as error:
            reason = str(error).partition("(")[2].partition("). Install")[0] or str(error)
            checks.append(Check(level, name, False, reason))
    return checks


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
        self.watch: Watch | None = None
        self.prints = Capture()
        self.requests_sent = itertools.count()
        user = sandbox.user(level)
        if level == "B2" and user is None:
            raise SandboxError("only root can change its root folder")
        if level != "A":
            place = sandbox.jail() if level == "B2" else sandbox.folder
            self.private = Path(tempfile.mkdtemp(prefix=f"work-{os.getpid()}-", dir=place))
            if user is not None:
                os.chown(self.private, user, user)
        homes = {"A": "/tmp", "B2": f"/{self.private.name}" if self.private else ""}
        self.home = homes.get(level, str(self.private))
        if level != "C":
            from mlnotes.grading.watch import Watch

            self.watch = Watch(self.home)
        identity: dict[str, Any] = {"user": user, "group": user, "extra_groups": []}
        if user is None or level == "B2":
            identity = {}
        try:
            self.process = subprocess.Popen(
                self._command(sandbox, user), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, bufsize=0, env=ENVIRONMENT if sys.platform != "win32" else None,
                cwd=self.private or "/", start_new_session=True,
                pass_fds=[self.watch.theirs] if self.watch else [], **identity,
            )  # fmt: skip
        except BaseException:
            if self.watch:
                self.watch.close()
            raise
        finally:
            if self.watch:
                os.close(self.watch.theirs)
        self.pipes = pipes(self.process, self._printed, self.watch)

    def _printed(self, piece: bytes) -> None:
        self.prints.feed(piece)

    def await_ready(self) -> None:
        """Wait until the process has confined itself and tried what it must not be able to do.

        Raises
        ------
        SandboxError
            If it does not come up, or can do it.
        """
        from mlnotes.grading import wire

        self.wire, self.reader = wire, wire.Reader()
        try:
            ready = self._converse(b"", "ready", START_SECONDS, None, None)
        except Fault as fault:
            words = self.prints.take().strip().splitlines()
            self.kill()
            raise SandboxError(words[-1] if words else fault.sentence) from None
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
            "limits": {"megabytes": self.megabytes, "cpu": 3600, "file_megabytes": DISK_MEGABYTES},
            "landlock": self.level == "B",
            "readable": [str(inside.folder), *_DEVICES],
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
        devices = [word for path in _DEVICES for word in ("--dev-bind", path, path)]
        return [
            bubblewrap, "--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL",
            "--uid", "65534", "--gid", "65534", "--die-with-parent", "--new-session", "--hostname", "sandbox",
            "--clearenv", *variables, "--ro-bind", str(staged.folder), "/runtime", *devices,
            "--size", str(DISK_MEGABYTES << 20), "--tmpfs", "/tmp", "--remount-ro", "/", "--", *command,
        ]  # fmt: skip

    def ask(self, do: str, arguments: tuple, seconds: float, *, refer: wire.Refer | None = None,
            resolve: wire.Resolve | None = None,
            answer: Callable[[int, tuple], Any] | None = None) -> Mapping[str, Any]:  # fmt: skip
        """Send a request and return the reply that belongs to it, within `seconds` of the student's time.

        Parameters
        ----------
        do : str
            The operation of the worker.
        arguments : tuple
        seconds : float
        refer, resolve : callable, optional
            How objects that stay on their side are named.
        answer : callable, optional
            Called with number and arguments when the student calls a function of the grader.

        Raises
        ------
        Fault
            TIME, MEMORY, CRASH or OUTPUT; the process is gone then.
        """
        identity = (
            f"{next(self.requests_sent)}-{os.urandom(8).hex()}"  # a reply cannot be prepared in advance
        )
        frame = self.wire.pack({"id": identity, "do": do, "with": arguments}, refer, room=self.wire.REQUEST)
        return self._converse(frame, identity, seconds, resolve, answer, refer)

    def _converse(self, frame: bytes, identity: str, seconds: float, resolve: wire.Resolve | None,
                  answer: Callable[[int, tuple], Any] | None,
                  refer: wire.Refer | None = None) -> Mapping[str, Any]:  # fmt: skip
        self.at: int | None = None
        deadline, calls = time.monotonic() + seconds, 0
        self.pipes.send(frame)
        while True:
            message = self._message(resolve)
            if message is None:
                self._move(deadline, seconds)
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
                deadline += time.monotonic() - start
            else:
                self.pipes.drain()
                if self.reader.buffer:
                    raise self._fatal(OUTPUT, "more came back than the answer to the question that was asked")
                return message

    def _answered(self, identity: str, message: Mapping[str, Any], answer: Callable[[int, tuple], Any],
                  refer: wire.Refer | None) -> bytes:  # fmt: skip
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

    def _move(self, deadline: float, seconds: float) -> None:
        """Move bytes once: requests, replies, prints; a fault at the deadline or when the process is gone."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise self._fatal(TIME, f"no answer within {seconds:g} s; the process was ended")
        self._check_disk()
        piece = self.pipes.move(min(left, 0.1))
        if piece is not None:
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
        self.pipes.drain()
        self.kill()
        number = -code if code is not None and code < 0 else (code or 0) - 128
        if code is None:
            return Fault(OUTPUT, "the way back for answers was closed", fatal=True)
        if number == _SIGXCPU:
            return Fault(TIME, "the limit of processor time was reached", fatal=True)
        if number == _SIGKILL:
            return Fault(
                MEMORY, "the system ended the process, which usually means too much memory", fatal=True
            )
        if 0 < number < signal.NSIG:
            return Fault(CRASH, f"the process died of {signal.Signals(number).name}", fatal=True)
        return Fault(CRASH, f"the process ended itself with exit status {code}", fatal=True)

    def _fatal(self, kind: str, sentence: str) -> Fault:
        self.pipes.drain()
        self.kill()
        return Fault(kind, sentence, fatal=True)

    @property
    def alive(self) -> bool:
        """Whether the process can be asked."""
        return self.process.poll() is None

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
        self.pipes.close()
        if self.watch is not None:
            self.watch.close()
        if self.private is not None:
            remove(self.private)

    def let_go(self) -> None:
        """Close this process's ends of a conversation that another one has had."""
        self.pipes.close()
        if self.watch is not None:
            self.watch.close()

    def _await_silence(self) -> None:
        """Wait until nobody holds the print pipe: then no process of this worker is left."""
        end = time.monotonic() + 2
        while not self.pipes.silent and time.monotonic() < end:
            self.pipes.drain(0.05)
