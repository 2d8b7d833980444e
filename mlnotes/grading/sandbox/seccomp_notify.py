"""What a worker tried and was refused: told by the filter in the kernel, answered and counted here.

The filter of a worker (:mod:`confinement`) hands what it refuses to a listener, which reaches the grader
once, before the student's code runs. Nothing that the worker does afterwards changes a count or an answer.
Modes and times of its own files, which every copy of a file sets, are said to be changed, and stay.
"""

from __future__ import annotations

import _socket as socket  # the module above it is slow to load, and brings nothing that is needed here
import contextlib
import errno
import fcntl
import os
import struct
from collections import Counter

from mlnotes.grading.sandbox import confinement

_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV and _SEND
_NOTICE, _ANSWER = struct.Struct("<QIIiIQ6Q"), struct.Struct("<QqiI")
_REFUSED, _ABSENT = (-errno.EPERM, 0), (-errno.ENOENT, 0)  # error and flags of an answer
_GO_ON, _FEIGNED = (0, 1), (0, 0)
_AT_A_TIME = 200
_LONGEST = 4096  # PATH_MAX
MOST_THREADS = 256  # of a worker at a time: what a machine has of them, neighbours need too
_OUTSIDE = "write outside its folder"
_THREADS = f"start more than {MOST_THREADS} threads"
_TRIED_BY_TEMPFILE = ("/dev/", "/tmp/", "/var/tmp/", "/usr/tmp/")  # one after the other, by an honest import
_HARMLESS = {  # and which argument is the path
    "chmod": 0, "fchmodat": 1, "utime": 0, "utimes": 0, "futimesat": 1, "utimensat": 1,
}  # fmt: skip
_OWN_MEMORY = "mbind"  # an honest import of a library for algebra asks for it, and goes on without
_WORDS = {
    "start a process": ("fork", "vfork", "clone", "execve", "execveat"),
    _THREADS: (),
    "use the network": confinement.NETWORK,
    "change the mode, owner, times or links of a file": confinement.FILES,
    "leave something in the system": confinement.LASTING,
    "change the system": confinement.SYSTEM,
    "reach another process": (*confinement.PROCESSES, "kill", "tkill", "tgkill", "prlimit64", "prctl",
                              "fcntl", "ioctl"),
}  # fmt: skip


def _by_number() -> dict[int, tuple[str, str]]:
    numbers = confinement._NUMBERS.get(os.uname().machine, {})
    said = {
        numbers[name]: (name, words)
        for words, names in reversed(_WORDS.items())
        for name in names
        if name in numbers
    }
    return said | {numbers[name]: (name, _OUTSIDE) for name in confinement.WRITES if name in numbers}


_SAID = _by_number()


class Watch:
    """The grader's end of one worker's filter.

    Attributes
    ----------
    tried : Counter
        How often what was tried, in words such as "start a process".
    theirs : int
        The descriptor that the worker inherits; to be closed here once it is started.
    """

    def __init__(self, home: str) -> None:
        self.home, self.tried = home, Counter[str]()
        channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._channel: socket.socket | None = channel
        self._listener = -1
        self.theirs = other.detach()

    def fileno(self) -> int:
        """Return what to wait for: the channel, then the listener; -1 where nobody counts."""
        return self._listener if self._channel is None else self._channel.fileno()

    def serve(self) -> None:
        """Take the listener, or answer what the kernel tells through it."""
        if self._channel is not None:
            _, sent, _, _ = self._channel.recvmsg(1, socket.CMSG_SPACE(4))
            self._channel.close()
            self._channel = None
            if sent:
                (self._listener,) = struct.unpack("i", sent[0][2][:4])
                os.set_blocking(self._listener, False)
            return
        for _ in range(_AT_A_TIME):
            notice = bytearray(_NOTICE.size)
            try:
                fcntl.ioctl(self._listener, _RECEIVE, notice, True)
            except OSError as error:
                if error.errno == errno.ENOENT:  # who asked is gone
                    continue
                return
            identity, pid, _, number, _, _, *arguments = _NOTICE.unpack(notice)
            answer = _ANSWER.pack(identity, 0, *self._answer(number, pid, arguments))
            with contextlib.suppress(OSError):
                fcntl.ioctl(self._listener, _SEND, answer)
            if not _waiting(self._listener):
                return

    def _answer(self, number: int, pid: int, arguments: list[int]) -> tuple[int, int]:
        """Count one call; return what it gets: a refusal, or leave to go on under other rules."""
        name, words = _SAID.get(number, ("", "reach another process"))
        if name == _OWN_MEMORY:
            return _REFUSED
        if name == "clone" and arguments[0] & confinement.CLONE_THREAD:
            if _threads(pid) < MOST_THREADS:
                return _GO_ON
            words = _THREADS
        if name in _HARMLESS:
            path = self._path(pid, arguments[_HARMLESS[name]])
            if path.startswith(f"{self.home}/"):
                own = _is_there(f"/proc/{pid}/root{self.home}", os.path.relpath(path, self.home))
                return _FEIGNED if own else _ABSENT
        writes = name in confinement.WRITES
        path = self._path(pid, arguments[1 if name == "openat" else 0]) if writes else ""
        if not writes or (path and not path.startswith((f"{self.home}/", *_TRIED_BY_TEMPFILE))):
            self.tried[words] += 1
        return _GO_ON if writes else _REFUSED

    def _path(self, pid: int, address: int) -> str:
        """Return the path that stands in a process's memory; "" where nothing can be read."""
        try:
            with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
                memory.seek(address)
                text = memory.read(_LONGEST).partition(b"\0")[0]  # less where what it has ends
        except (OSError, OverflowError, ValueError):
            return ""
        return os.path.normpath(os.path.join(self.home, os.fsdecode(text)))

    def close(self) -> None:
        """Let the listener go: the worker is gone, or is not to be heard any more."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._listener >= 0:
            os.close(self._listener)
        self._listener = -1


def _is_there(folder: str, path: str) -> bool:
    """Return whether a file of the folder exists; links are not followed, they may lead to what is ours."""
    try:
        at = os.open(folder, os.O_PATH)
        for name in path.split("/"):
            try:
                following = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=at)
            finally:
                os.close(at)
            at = following
        os.close(at)
    except OSError:
        return False
    return True


def _threads(pid: int) -> int:
    """Return how many threads the process of a thread has; 0 if it is gone."""
    try:
        return os.stat(f"/proc/{pid}/task").st_nlink - 2
    except OSError:
        return 0


def _waiting(descriptor: int) -> bool:
    import select

    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return any(event & select.POLLIN for _, event in poll.poll(0))
