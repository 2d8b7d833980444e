"""What is declared of a homework is checked when it is made: classes of what is given, points, texts."""

from __future__ import annotations

import re
from numbers import Real
from typing import Any

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f]|(?<=\S)\t")


def all_of(kind: type, given: Any, what: str) -> None:
    """Refuse what is no tuple, or list, of objects of that class.

    Raises
    ------
    ValueError
        Naming what it is of and what came.
    """
    several = isinstance(given, (tuple, list))
    wrong = [item for item in given if not isinstance(item, kind)] if several else [given]
    if wrong:
        came = getattr(wrong[0], "name", repr(wrong[0]))
        raise ValueError(
            f"{what} must be a tuple of {kind.__name__}, and that of one has a comma, (one,); got "
            f"{'in it ' if several else ''}{came}, of the class {type(wrong[0]).__name__}"
        )


def check_points(points: Any, what: str) -> None:
    """Raise a ValueError if the points are no number above 0."""
    if not isinstance(points, Real) or not 0 < float(points) < float("inf"):
        raise ValueError(
            f"points of {what} must be a number above 0, got {getattr(points, '__name__', repr(points))}"
        )


def check_text(text: str, what: str) -> None:
    """Raise a ValueError if a text has a control character, as LaTeX has without an r before the quotes."""
    if control := _CONTROL.search(text):
        raise ValueError(
            f"{what} has the control character {control[0]!r}, made by a backslash; write r before its quotes"
        )
