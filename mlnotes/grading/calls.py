"""The calls that a claim made of a student's code, in the student's words: to be looked at when it fails."""

from __future__ import annotations

import reprlib
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.grading.faults import clean
from mlnotes.grading.wire import Reference

_WIDTH = 600
_WHOLE = 24  # entries of an array that is shown in full, to be pasted back
_LATEST = 2
_NOTHING = object()


@dataclass
class Call:
    """One thing asked of the student's code.

    Attributes
    ----------
    text : str
        As a student would write it: ``choose(posterior, cost)``, ``model.fit(X, y)``, ``model.means``.
    named : tuple of (str, object)
        The arguments by the declared names.
    before : tuple of Call
        For an instance: how it was constructed and what was called since for its effect.
    effect : bool
        Whether the instance is what matters, and not the answer.
    gave : object
        The answer as it crossed the wall, before it is looked at.
    """

    text: str
    named: tuple[tuple[str, Any], ...] = ()
    before: tuple[Call, ...] = ()
    effect: bool = False
    gave: Any = _NOTHING

    def lines(self) -> list[str]:
        """Return the call, a line an argument, and its answer."""
        lines = [self.text, *(f"    {name} = {shown(value)}" for name, value in self.named)]
        if self.gave is not _NOTHING and not self.effect:
            lines.append(f"    gave {shown(self.gave)}")
        return lines


class CallLog:
    """The latest calls between one measurement of a claim and the next."""

    def __init__(self) -> None:
        self._now: deque[Call] = deque(maxlen=_LATEST)
        self._before: deque[Call] = deque(maxlen=_LATEST)
        self._count = self._count_before = 0

    def record(self, call: Call) -> None:
        """Add a call that is about to be made."""
        self._now.append(call)
        self._count += 1

    def turn(self) -> None:
        """Begin the calls of the next measurement; several may rest on one call."""
        if self._now:
            self._before, self._count_before = self._now, self._count
            self._now, self._count = deque(maxlen=_LATEST), 0

    def latest(self) -> tuple[list[Call], int]:
        """Return the latest calls with what led to their instances, and how many are left out."""
        calls, count = (self._now, self._count) if self._now else (self._before, self._count_before)
        told: list[Call] = []
        for call in calls:
            told += [c for c in (*call.before, call) if not any(c is other for other in told)]
        return told, max(0, count - len(told))


def call_lines(log: CallLog) -> list[str]:
    """Return the latest calls, a line each and one an argument."""
    calls, left_out = log.latest()
    more = [f"(calls before these: {left_out})"] if left_out else []
    return [clean(line) for line in (*more, *(line for call in calls for line in call.lines()))]


def instance_lines(instance: Iterable[tuple[str, Any]], log: CallLog) -> list[str]:
    """Return the claim's own view of the instance, but for what the calls show already."""
    known = {shown(value) for call in log.latest()[0] for _, value in call.named}
    pairs = ((name, shown(value)) for name, value in instance)
    return [clean(f"{name} = {text}") for name, text in pairs if text not in known]


class _Shown(reprlib.Repr):
    """Values that crossed the wall, short; small ones exactly, to be pasted back."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxlist, self.maxtuple, self.maxdict = 6, 12, 12, 12
        self.maxstring = self.maxlong = 80

    def repr1(self, x: Any, level: int) -> str:
        if isinstance(x, np.ndarray):
            return _array(x)
        if isinstance(x, np.generic):
            return super().repr1(x.item(), level)
        if isinstance(x, Fraction):
            return f"Fraction({super().repr1(x.numerator, level)}, {super().repr1(x.denominator, level)})"
        if isinstance(x, Reference) or callable(x):
            return "a function" if getattr(x, "kind", "callback") == "callback" else "an object"
        return super().repr1(x, level)


def _array(x: np.ndarray) -> str:
    kind = f"{x.dtype} " if x.dtype in (np.float16, np.float32) else ""
    whole = " ".join(str(x.tolist()).split()) if x.size <= _WHOLE else ""
    if whole and len(whole) <= _WIDTH:
        return kind + whole
    text = np.array2string(x, precision=6, threshold=0, edgeitems=2, separator=", ")
    return f"{kind}array {x.shape}: {' '.join(text.split())}"


_SHOWN = _Shown()


def shown(value: Any) -> str:
    """Return a value in at most 600 characters."""
    text = clean(_SHOWN.repr(value)).replace("\n", " ")
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."
