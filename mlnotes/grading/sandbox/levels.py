"""Where a student's code runs: the levels of confinement, and what this machine offers.

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

At every level a clock outside (:mod:`clocks`) ends a call by SIGKILL, and only plain values come back.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from mlnotes.grading.sandbox.disk import remove
from mlnotes.grading.sandbox.process import DEVICES, Foreign, NoAnswer, SandboxError, Worker
from mlnotes.grading.sandbox.staging import Stage, link_tree, shared, stage

_PREFIX = "mlnotes-run-"
_MEGABYTES = 2048
NAMES = {"A": "bubblewrap", "B": "landlock", "B2": "jail", "C": "limits"}
_FIRST_UID, _UIDS = 61_184, 4_335  # the range that systems leave free for short-lived users
_INSTALL = "apt-get install bubblewrap (Debian, Ubuntu) or dnf install bubblewrap (Fedora)"


class Check(NamedTuple):
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

    def __init__(
        self,
        level: str = "auto",
        *,
        wait: bool = True,
        runtime: Stage | None = None,
        packages: tuple[str, ...] = (),
    ) -> None:
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
                level, words = self._spare.level, f"{NAMES[self._spare.level]}: {error}"
                if isinstance(error, NoAnswer) and words not in self._reasons:
                    self._left.insert(0, level)  # once more: not to go lower for being busy
                self._reasons.append(words)
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
        SandboxError, OSError
            If it does not come up, twice.
        """
        level = self.level
        spare, self._spare = self._spare, None
        if spare is not None and spare.megabytes == megabytes:
            return spare
        if spare is not None:
            spare.kill()
        try:
            return self._fresh(level, megabytes)
        except (SandboxError, OSError) as error:  # it worked before: the machine is busy, or out of something
            import logging

            logging.getLogger(__name__).warning("a worker did not come up, another is started: %s", error)
            return self._fresh(level, megabytes)

    def _fresh(self, level: str, megabytes: int) -> Worker:
        fresh = Worker(self, level, megabytes)
        fresh.await_ready()
        return fresh

    def staged(self, level: str) -> Stage:
        """Return the folder that the workers of a level see, made when first asked for."""
        own = level != "C"
        if own not in self._stages:
            ready = shared(interpreter=own, packages=self.packages)
            if ready is None:
                folder = self.folder / ("runtime" if own else "packages")
                folder.mkdir()
                ready = stage(folder, interpreter=own, packages=self.packages)
            self._stages[own] = ready
        return self._stages[own]

    def jail(self) -> Path:
        """Return the folder that is the root of the workers of level B2: an interpreter, four devices."""
        place = self.folder / "jail"
        if not place.exists():
            (place / "dev").mkdir(parents=True)
            place.chmod(0o755)
            link_tree(self.staged("B2").folder, place / "runtime")
            for path in DEVICES:
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
            self._spare.process = Foreign(self._spare.process.pid, code)  # type: ignore[assignment]

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
