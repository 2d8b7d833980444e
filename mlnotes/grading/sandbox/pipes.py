"""The three pipes of a worker process: requests to it, replies from it, what it prints. No call here blocks.

By ``poll`` where a system can poll pipes, by threads where it cannot (Windows).
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import subprocess
import threading
import time
from collections.abc import Callable
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from mlnotes.grading.sandbox.seccomp_notify import Watch

_PIECE = 1 << 16
_DRAINED = 64  # pieces of prints read at a time, 4 MB: a flood cannot hold the clock

Feed = Callable[[bytes], None]


class Polled:
    """The pipes of `process`, whose prints go to `feed`.

    Attributes
    ----------
    silent : bool
        Whether the print pipe was closed by everyone who could write to it.
    """

    def __init__(self, process: subprocess.Popen[bytes], feed: Feed, watch: Watch | None = None) -> None:
        self.streams, self.feed, self.silent = _streams(process), feed, False
        self.watch = watch
        self.outgoing = memoryview(b"")
        for stream in self.streams:
            os.set_blocking(stream.fileno(), False)

    def send(self, data: bytes) -> None:
        """Send bytes, after those that are still to be sent."""
        self.outgoing = memoryview(bytes(self.outgoing) + data)
        if data:
            self._write()

    def _write(self) -> None:
        """Write what there is room for; that nobody reads shows at the other pipe."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            self.outgoing = self.outgoing[os.write(self.streams[0].fileno(), self.outgoing[:_PIECE]) :]

    def move(self, seconds: float) -> bytes | None:
        """Wait for at most `seconds` and move bytes once.

        Returns
        -------
        bytes or None
            A piece of a reply, empty at the end of the replies; None if nothing came.
        """
        requests, replies, prints = (stream.fileno() for stream in self.streams)
        poll = select.poll()
        poll.register(replies, select.POLLIN)
        if not self.silent:
            poll.register(prints, select.POLLIN)
        if self.outgoing:
            poll.register(requests, select.POLLOUT)
        watched = self.watch.fileno() if self.watch else -1
        if watched >= 0:
            poll.register(watched, select.POLLIN)
        events = dict(poll.poll(seconds * 1000))
        if self.watch and watched in events:
            self.watch.serve() if events[watched] & select.POLLIN else self.watch.close()
        ready = set(events)
        if prints in ready:
            self.drain()
        if requests in ready:
            self._write()
        return os.read(replies, 4 * _PIECE) if replies in ready else None

    def drain(self, seconds: float = 0.0) -> None:
        """Feed what was printed so far, of which there may be some within `seconds`."""
        prints = self.streams[2].fileno()
        if seconds and not self.silent:
            select.select([prints], [], [], seconds)
        for _ in range(_DRAINED):
            try:
                piece = os.read(prints, _PIECE)
            except BlockingIOError:
                return
            if not piece:
                self.silent = True
                return
            self.feed(piece)

    def close(self) -> None:
        """Close the pipes."""
        for stream in self.streams:
            stream.close()

    @property
    def closed(self) -> bool:
        """Whether they are closed."""
        return self.streams[1].closed


class Threaded:
    """The same by threads, which read and write without being waited for."""

    def __init__(self, process: subprocess.Popen[bytes], feed: Feed, watch: Watch | None = None) -> None:
        self.streams, self.feed, self.silent, self.closed = _streams(process), feed, False, False
        self.requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.replies: queue.Queue[bytes] = queue.Queue(_DRAINED)  # bounded: a flood waits in the pipe
        self.prints: queue.Queue[bytes] = queue.Queue(_DRAINED)
        _, replies, prints = self.streams
        self.threads = [
            threading.Thread(target=_read, args=(replies, self.replies), daemon=True),
            threading.Thread(target=_read, args=(prints, self.prints), daemon=True),
            threading.Thread(target=self._write, daemon=True),
        ]
        for thread in self.threads:
            thread.start()

    def _write(self) -> None:
        with contextlib.suppress(OSError):
            while data := memoryview(self.requests.get()):
                while data:
                    data = data[os.write(self.streams[0].fileno(), data[:_PIECE]) :]

    def send(self, data: bytes) -> None:
        """Send bytes, after those that are still to be sent."""
        if data:
            self.requests.put(data)

    def move(self, seconds: float) -> bytes | None:
        """Return a piece of a reply, empty at the end of the replies; None if none came within `seconds`."""
        self._feed()
        try:
            return self.replies.get(timeout=seconds)
        except queue.Empty:
            return None

    def drain(self, seconds: float = 0.01) -> None:
        """Feed what was printed so far; what was printed just now may take `seconds` to come."""
        time.sleep(seconds)
        self._feed()

    def _feed(self) -> None:
        with contextlib.suppress(queue.Empty):
            while piece := self.prints.get_nowait():
                self.feed(piece)
            self.silent = True

    def close(self) -> None:
        """Close the pipes of a process that has ended."""
        self.closed = True
        self.requests.put(b"")
        end = time.monotonic() + 1
        for thread, pieces in zip(self.threads, (self.replies, self.prints), strict=False):
            while thread.is_alive() and time.monotonic() < end:  # who waits for room goes on to its end
                with contextlib.suppress(queue.Empty):
                    pieces.get(timeout=0.01)
        self.threads[2].join(1)
        for stream in self.streams:
            stream.close()


def _read(stream: IO[bytes], pieces: queue.Queue[bytes]) -> None:
    with contextlib.suppress(OSError, ValueError):
        while piece := os.read(stream.fileno(), _PIECE):
            pieces.put(piece)
    pieces.put(b"")


def _streams(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin, process.stdout, process.stderr


def pipes(process: subprocess.Popen[bytes], feed: Feed, watch: Watch | None = None) -> Polled | Threaded:
    """Return the pipes of a process that was started without buffers, and what its filter tells (Linux)."""
    return Polled(process, feed, watch) if hasattr(select, "poll") else Threaded(process, feed)
