"""Files that a run leaves behind: complete or absent at every instant, under names that any system takes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote


def file_stem(student: str) -> str:
    """Return a student's id as the stem of a file: no separators, no hidden names, at most 200 bytes."""
    stem = quote(student, safe=" ()@+,=")
    stem = f"%2E{stem[1:]}" if stem.startswith(".") else stem
    if len(stem) > 200:
        stem = f"{stem[:160]}-{hashlib.sha256(student.encode()).hexdigest()[:32]}"
    return stem


_ROOM = 1 << 16  # bytes that must be free before a run begins


def try_to_write(folder: Path) -> None:
    """Find out that nothing can be written before the first submission, not after it."""
    write_atomically(folder / ".room", "x" * _ROOM)
    (folder / ".room").unlink()


def write_atomically(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file that is complete or absent at every instant, a power failure included."""
    with named(path):
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, mode)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise


@contextlib.contextmanager
def named(path: Path) -> Iterator[None]:
    """Say which file could not be written: of a full disk the system does not."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror or error}") from error


def write_plainly(path: Path, text: str) -> None:
    """Write a file that the next run writes again from the results, if it has changed."""
    data = text.encode("utf-8", "replace")
    with contextlib.suppress(OSError):
        if path.read_bytes() == data:
            return
    with named(path):
        path.write_bytes(data)
