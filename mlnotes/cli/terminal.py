"""Colours and a progress bar on a terminal, plain text when piped."""

from __future__ import annotations

import sys
from typing import Any


def console() -> Any:
    """Return a rich console on a terminal, None when piped or where rich is missing."""
    if not sys.stdout.isatty():
        return None
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(highlight=False, soft_wrap=True)


def say(page: Any, text: str, style: str = "") -> None:
    """Print a line on a console, or plainly where there is none."""
    if page is None:
        print(text)
    else:
        page.print(text, style=style, markup=False)


class Progress:
    """A progress bar on a terminal, nothing when piped."""

    def __init__(self, total: int, what: str) -> None:
        self.bar = None
        if sys.stderr.isatty() and console() is not None:
            from rich import progress

            self.bar = progress.Progress(transient=True)
            self.task = self.bar.add_task(what, total=total)

    def __enter__(self) -> Any:
        if self.bar is not None:
            self.bar.start()
        return self._step

    def _step(self, done: int | None = None, total: int | None = None) -> None:
        """Advance by one, or to `done` of `total`."""
        if self.bar is not None and done is None:
            self.bar.advance(self.task)
        elif self.bar is not None:
            self.bar.update(self.task, completed=done, total=total)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()
