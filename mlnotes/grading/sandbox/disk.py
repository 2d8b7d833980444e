"""What a worker holds on disk, and its removal: by descriptors, whatever it did to names, modes and depth."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

MEGABYTES = 64
MAX_FILES = 1_000
_DEEPEST = 100
_BY_DESCRIPTOR = os.scandir in os.supports_fd and os.rename in os.supports_dir_fd
_MAPPED = re.compile(rb"^(\w+)-(\w+) \S+ \S+ (?!00:00)\S+ (\d+) .*\(deleted\)$", re.MULTILINE)


def excess(folder: Path, pid: int) -> str:
    """Return in words by what a worker and its folder exceed the limits, empty if they do not.

    Counted are blocks, of files without a name too that the process `pid` holds open or mapped.
    """
    words = f"more than {MEGABYTES} MiB or {MAX_FILES} files were written"
    size, count = _without_a_name(pid), 0
    with contextlib.ExitStack() as still_open:
        todo: list[tuple[str, int | None, int]] = [(str(folder), None, 0)]
        while todo:
            name, at, depth = todo.pop()
            try:
                here = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
            except PermissionError:
                return "a folder that nobody can look into was made"
            except OSError:
                continue
            still_open.callback(os.close, here)
            with os.scandir(here) as entries:
                for entry in entries:
                    count += 1
                    with contextlib.suppress(OSError):
                        state = entry.stat(follow_symlinks=False)
                        size += state.st_blocks * 512
                        if stat.S_ISDIR(state.st_mode):
                            todo.append((entry.name, here, depth + 1))
                    if count > MAX_FILES or size > MEGABYTES << 20 or depth > _DEEPEST:
                        return words
    return words if size > MEGABYTES << 20 else ""


def _without_a_name(pid: int) -> int:
    """Return the bytes of removed files that a process holds; of those that are only mapped, their length."""
    held: dict[tuple[int, int], int] = {}
    with contextlib.suppress(OSError):
        for descriptor in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                state = os.stat(f"/proc/{pid}/fd/{descriptor}")
                if stat.S_ISREG(state.st_mode) and state.st_nlink == 0:
                    held[state.st_ino, 0] = state.st_blocks * 512
        for start, end, inode in _MAPPED.findall(Path(f"/proc/{pid}/maps").read_bytes()):
            if (int(inode), 0) not in held:
                held[int(inode), int(start, 16)] = int(end, 16) - int(start, 16)
    return sum(held.values())


def remove(folder: Path) -> None:
    """Remove a folder of ours and everything in it, however deep or closed; what cannot go stays, silently.

    Nobody may be at work in it. What lies deeper is moved up before it goes, so that no path grows.
    """
    with contextlib.suppress(Exception):
        if not _BY_DESCRIPTOR:
            shutil.rmtree(folder, ignore_errors=True)
            return
        os.chmod(folder, 0o700)
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            while _emptied(top):
                pass
        finally:
            os.close(top)
        os.rmdir(folder)


def _emptied(top: int) -> bool:
    """Remove the files of a folder and the folders in it, whose own folders move up; whether any did."""
    moved = False
    for name in _folders(top):
        with contextlib.suppress(OSError):
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
            try:
                for deeper in _folders(inner):
                    with contextlib.suppress(OSError):
                        os.rename(deeper, f"up-{os.urandom(8).hex()}", src_dir_fd=inner, dst_dir_fd=top)
                        moved = True
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=top)
    return moved


def _folders(at: int) -> Iterator[str]:
    """Remove the files of a folder; yield the names of its folders, which can be moved and looked into."""
    with os.scandir(at) as entries:
        listed = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in listed:
        with contextlib.suppress(OSError):
            if is_folder:
                os.chmod(name, 0o700, dir_fd=at)  # who moves a folder must be able to write to it
                yield name
            else:
                os.unlink(name, dir_fd=at)
