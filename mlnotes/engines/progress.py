"""Progress reports of long fits.

``verbose=True`` reports on standard error after the first second: by a progress bar on a terminal with rich,
otherwise by lines of text. ``verbose=f`` calls ``f(fraction, text)`` at every report of the loop. The
fraction done is from 0 to 1, or None if it is unknown, and an exception in f ends the fit. A loop receives
``tell``, which is None for ``verbose=False``: then a report costs one comparison.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

Tell = Callable[[float | None, str], Any]
T = TypeVar("T")

PATIENCE = 1.0  # seconds of silence, and between the first lines of text
MOST = 10.0  # seconds between later ones


@contextmanager
def progress(title: str, verbose: bool | Tell) -> Iterator[Tell | None]:
    """Provide the function `tell` to which the loop of a fit reports.

    Raises
    ------
    ValueError
        If verbose is neither True, False nor callable.
    """
    if callable(verbose):
        yield verbose
        return
    if not isinstance(verbose, bool):
        raise ValueError(f"verbose must be True, False or a function (fraction, text), got {verbose!r}.")
    if not verbose:
        yield None
        return
    line = _Line(title)
    try:
        yield line
    finally:
        line.end()


def counted(items: Sequence[T], what: str, tell: Tell | None) -> Iterator[T]:
    """Yield the items, and report after each how many are done."""
    for k, item in enumerate(items, start=1):
        yield item
        report(tell, k, len(items), what)


def report(tell: Tell | None, done: int, total: int, what: str) -> None:
    """Report progress, for instance "3 of 8 trees"."""
    if tell:
        tell(done / total, f"{done} of {total} {what}")


class _Line:
    def __init__(self, title: str) -> None:
        self.title, self.start = title, time.perf_counter()
        self.next = self.start + PATIENCE
        self.bar: Any = None
        self.shown = False

    def __call__(self, fraction: float | None, text: str) -> None:
        now = time.perf_counter()
        if now < self.next:
            return
        if not self.shown and sys.stderr.isatty():
            self.bar = _rich_bar()
        self.shown = True
        if self.bar:
            self.bar.update(
                0, description=f"{self.title}: {text}", total=fraction and 1.0, completed=fraction or 0
            )
            self.next = now + 0.1
            return
        done = "" if fraction is None else f" {fraction:.0%},"
        print(f"{self.title}:{done} {text}, {now - self.start:.0f} s", file=sys.stderr, flush=True)
        self.next = now + min(max(now - self.start, PATIENCE), MOST)

    def end(self) -> None:
        if self.bar:
            self.bar.stop()
        if self.shown:
            print(f"{self.title}: {time.perf_counter() - self.start:.1f} s", file=sys.stderr, flush=True)


def _rich_bar() -> Any:
    """Return a progress bar that has been started, or None without rich."""
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:
        return None
    bar = Progress(console=Console(stderr=True), transient=True)
    bar.add_task("", total=None)
    bar.start()
    return bar
