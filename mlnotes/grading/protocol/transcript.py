"""What was asked of a student's code, with its answers, and the same questions to another solution."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlnotes.grading.assignment.parts import Part
from mlnotes.grading.protocol.wire import Reference

_MOST = 2_000  # calls of one part that are recorded
_MOST_ENTRIES = 200_000


@dataclass(frozen=True)
class Asked:
    """One question to the student's code, with the answer as it crossed the wall."""

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
