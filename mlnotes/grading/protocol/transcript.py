"""What was asked of a student's code, with its answers, and the same questions to another solution."""

from __future__ import annotations

import copy
import reprlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.grading.assignment.parts import Part
from mlnotes.grading.protocol.wire import Reference
from mlnotes.grading.results import clean

_MOST = 2_000  # calls of one part that are recorded
_MOST_ENTRIES = 200_000


@dataclass(frozen=True)
class Asked:
    """One question to the student's code, with the answer as it crossed the process boundary."""

    turn: int  # which claim asked: instances are numbered anew for each
    do: str  # "call", "construct", "method" or "attribute"
    name: str
    key: Any  # number of the instance
    arguments: tuple
    gave: Any
    silent: bool  # whether the answer does not matter: of a constructor, of fit


class Record(list[Asked]):
    """The questions of one part, in order, with copies of what was asked; empty where they are too many."""

    def __init__(self, items: Iterable[Asked] = ()) -> None:
        super().__init__(items)
        self.turn = self._entries = 0

    def add(self, do: str, arguments: tuple, gave: Any) -> None:
        """Keep a question and its answer."""
        if self._entries > _MOST_ENTRIES:
            return
        if do in ("call", "construct"):
            name, passed, key = arguments[0], arguments[1], getattr(gave, "key", None)
            silent = do == "construct"
        else:
            key, name, passed = arguments[0].key, arguments[1], arguments[2] if do == "method" else ()
            silent = do == "method" and arguments[3]
        gave = None if silent else self._copied(gave)
        self.append(Asked(self.turn, do, name, key, self._copied(tuple(passed)), gave, silent))
        if self._entries > _MOST_ENTRIES or len(self) > _MOST:
            self.clear()
            self._entries = _MOST_ENTRIES + 1

    def _copied(self, value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)(self._copied(item) for item in value)
        if isinstance(value, dict):
            return {key: self._copied(item) for key, item in value.items()}
        self._entries += getattr(value, "size", 1)
        return value.copy() if isinstance(value, np.ndarray) else value


class Raised:
    """In place of an answer: the solution raised an exception."""


@dataclass(frozen=True)
class Earlier:
    """In place of an argument: the answer to that question, which may be written in several ways."""

    place: int


def chained(part: Part, record: Record) -> Iterator[Asked]:
    """Yield the questions; where one hands back what was answered before, another solution gets its own."""
    free: list[tuple[int, Asked]] = []

    def source(item: Asked, value: Any) -> Any:
        for place, before in reversed(free):
            arrays = isinstance(value, np.ndarray) and isinstance(before.gave, np.ndarray)
            if arrays and before.turn == item.turn and np.array_equal(value, before.gave):
                return Earlier(place)
        return value

    for place, item in enumerate(record):
        yield replace(item, arguments=tuple(source(item, value) for value in item.arguments))
        if _change(part, item):
            free.append((place, item))


def _change(part: Part, item: Asked) -> Callable[..., Any] | None:
    methods = (f for c in part.writes for f in getattr(c, "methods", ()))
    functions = methods if item.do == "method" else part.writes
    function = next((f for f in functions if f.name == item.name), None)
    return None if item.silent else getattr(function, "canonical", None)


def canonical(part: Part, item: Asked, answer: Any) -> Any:
    """Return one form of an answer that may be written in several, as the homework says."""
    change = _change(part, item)
    try:
        return change(answer, *item.arguments) if change and answer is not Raised else answer
    except (TypeError, ValueError, IndexError):
        return answer


def answers_of(part: Part, record: Record, names: Mapping[str, Any]) -> Iterator[Any]:
    """Yield what the objects of `names` answer, in its one form; None where the answer does not matter."""
    instances: dict[Any, Any] = {}
    answers: list[Any] = []

    def real(value: Any, turn: int) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)(real(item, turn) for item in value)
        if isinstance(value, Earlier):
            return copy.deepcopy(answers[value.place])
        if isinstance(value, np.ndarray):
            return value.copy()
        if isinstance(reference := getattr(value, "_reference", None), Reference):
            return instances[turn, reference.key]
        return names[value.declared.name] if hasattr(value, "declared") else value

    for item in record:
        arguments = real(item.arguments, item.turn)
        try:
            if item.do in ("call", "construct"):
                answer = names[item.name](*arguments)
            else:
                answer = getattr(instances[item.turn, item.key], item.name)
                answer = answer(*arguments) if item.do == "method" else answer
        except Exception:
            answer = Raised
        if item.do == "construct":
            instances[item.turn, item.key] = answer
        answers.append(answer)
        yield None if item.silent else canonical(part, item, answer)


# ------------------------------------------------------------------- in the student's words


_LATEST = 2
_NOTHING = object()


@dataclass
class Call:
    """One thing asked of the student's code."""

    text: str  # as a student would write it: choose(posterior, cost), model.fit(X, y), model.means
    named: tuple[tuple[str, Any], ...] = ()  # the arguments by the declared names
    before: tuple[Call, ...] = ()  # the construction of the instance, and calls since for their effect
    effect: bool = False  # whether the instance is what matters, and not the answer
    gave: Any = _NOTHING  # the answer as it crossed the process boundary, before it is looked at
    values: tuple[str, ...] = ()  # what the values of the answer are called, where it has several

    def lines(self, whole: bool = False) -> list[str]:
        """Return the call, a line an argument, and its answer, a line a value."""
        lines = [self.text, *(f"    {name} = {shown(value, whole)}" for name, value in self.named)]
        if self.gave is _NOTHING or self.effect:
            return lines
        if isinstance(self.gave, (list, tuple)) and len(self.gave) == len(self.values) > 1:
            pairs = zip(self.values, self.gave, strict=True)
            return lines + [f"    gave {name}: {shown(value)}" for name, value in pairs]
        return [*lines, f"    gave {shown(self.gave)}"]


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


def call_lines(log: CallLog, whole: bool = False) -> list[str]:
    """Return the latest calls, a line each and one an argument; `whole` shows larger arrays in full."""
    calls, left_out = log.latest()
    more = [f"(calls before these: {left_out})"] if left_out else []
    return [clean(line) for line in (*more, *(line for call in calls for line in call.lines(whole)))]


def instance_lines(instance: Iterable[tuple[str, Any]], log: CallLog, whole: bool = False) -> list[str]:
    """Return the claim's own view of the instance, but for what the calls show already."""
    known = {shown(value, whole) for call in log.latest()[0] for _, value in call.named}
    pairs = ((name, shown(value, whole)) for name, value in instance)
    return [clean(f"{name} = {text}") for name, text in pairs if text not in known]


class _Shown(reprlib.Repr):
    """Values in so many characters; arrays of so many entries can be pasted back."""

    def __init__(self, entries: int, width: int) -> None:
        super().__init__()
        self.entries, self.width = entries, width
        self.maxlevel = 6
        self.maxlist = self.maxtuple = self.maxdict = entries // 2
        self.maxstring = self.maxlong = 80

    def __call__(self, value: Any) -> str:
        text = clean(self.repr(value)).replace("\n", " ")
        return text if len(text) <= self.width else f"{text[: self.width - 3]}..."

    def repr1(self, x: Any, level: int) -> str:
        if isinstance(x, np.ndarray):
            return self._array(x)
        if isinstance(x, np.generic):
            return super().repr1(x.item(), level)
        if isinstance(x, Fraction):
            return f"Fraction({super().repr1(x.numerator, level)}, {super().repr1(x.denominator, level)})"
        if isinstance(x, Reference) or callable(x):
            return "a function" if getattr(x, "kind", "callback") == "callback" else "an object"
        return super().repr1(x, level)

    def _array(self, x: np.ndarray) -> str:
        kind = f"{x.dtype} " if x.dtype in (np.float16, np.float32) else ""
        whole = " ".join(str(x.tolist()).split()) if x.size <= self.entries else ""
        if whole and len(whole) <= self.width:
            return kind + whole
        text = np.array2string(x, precision=6, threshold=0, edgeitems=2, separator=", ")
        return f"{kind}array {x.shape}: {' '.join(text.split())}"


_IN_SHORT, _IN_FULL = _Shown(24, 600), _Shown(120, 3000)


def shown(value: Any, whole: bool = False) -> str:
    """Return a value in at most 600 characters; `whole`, in at most 3,000."""
    return (_IN_FULL if whole else _IN_SHORT)(value)
