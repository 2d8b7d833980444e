"""Colours and a progress bar on a terminal, plain text when piped."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
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


@contextlib.contextmanager
def progress_bar(total: int, what: str) -> Iterator[Callable[..., None]]:
    """Give what advances a progress bar by one, or to `done` of `total`; without a terminal it is none."""
    if not sys.stderr.isatty() or console() is None:
        yield lambda done=None, total=None: None
        return
    from rich.progress import Progress

    with Progress(transient=True) as bar:
        task = bar.add_task(what, total=total)

        def step(done: int | None = None, total: int | None = None) -> None:
            bar.advance(task) if done is None else bar.update(task, completed=done, total=total)

        yield step
