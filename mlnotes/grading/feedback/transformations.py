"""Answers that are no recorded mistake's: the right ones, changed, or those to another question."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from mlnotes.grading.assignment.parts import Class, Function, Part
from mlnotes.grading.assignment.solutions import defined
from mlnotes.grading.feedback.comparison import (
    LEAST,
    OTHER,
    SAME,
    agree,
    agreeing,
    array_pairs,
    can_tell,
    differ,
    far_apart,
)
from mlnotes.grading.protocol.transcript import Asked, Record, answers_of


def _whole(array: np.ndarray) -> bool:
    return array.dtype.kind in "biu"


def _label(array: np.ndarray) -> bool:
    return bool(np.isin(array, (-1, 0, 1)).all())


CHANGES: dict[str, Callable[[np.ndarray, int], Any]] = {
    "twice the right one": lambda right, n: right * 2.0,
    "half of the right one": lambda right, n: right * 0.5,
    "n times the right one, for n rows": lambda right, n: right * n,
    "the right one divided by n, for n rows": lambda right, n: right * (1 / n),
    "n/(n - 1) times the right one: a divisor n - 1 in place of n": lambda right, n: right * (n / (n - 1)),
    "(n - 1)/n times the right one: a divisor n in place of n - 1": lambda right, n: right * ((n - 1) / n),
    "the right one divided by log 2: in bits, where the natural logarithm is asked for":
        lambda right, n: right * (1 / np.log(2)),
    "log 2 times the right one: in natural units, where bits are asked for":
        lambda right, n: right * np.log(2),
    "the right one divided by log 10: a decimal logarithm for the natural one":
        lambda right, n: right * (1 / np.log(10)),
    "the right one with the other sign": lambda right, n: -right,
    "1 minus the right one: that of the opposite": lambda right, n: 1 - right,
    "coded -1/+1 in place of 0/1": lambda right, n: 2 * right - 1 if _label(right) else None,
    "coded 0/1 in place of -1/+1": lambda right, n: (right + 1) / 2 if _label(right) else None,
    "the right one plus 1: one too many, or counted from 1":
        lambda right, n: right + 1 if _whole(right) else None,
    "the right one minus 1: one too few": lambda right, n: right - 1 if _whole(right) else None,
    "the right one transposed": lambda right, n: right.T if right.ndim == 2 else None,
    "the right one in the opposite order": lambda right, n: right[::-1] if right.ndim else None,
    "the right one without its last entry: one step too few":
        lambda right, n: right[:-1] if right.ndim else None,
    "the right one without its first entry": lambda right, n: right[1:] if right.ndim else None,
    "the right one with its entries one place too far":
        lambda right, n: np.roll(right, 1, axis=0) if right.ndim else None,
    "the right one with its entries one place too near":
        lambda right, n: np.roll(right, -1, axis=0) if right.ndim else None,
    "the square of the right one": lambda right, n: right**2,
    "the square root of the right one": lambda right, n: np.sqrt(right),
    "the logarithm of the right one": lambda right, n: np.log(right),
    "the exponential of the right one": lambda right, n: np.exp(right),
}  # fmt: skip


def right_changed(part: Part, record: Record, right: list[Any]) -> list[str]:
    """Return what one change of the right answers explains, where every other name is answered rightly."""
    calls: dict[str, list[tuple[Asked, Any]]] = {}
    for item, answer in zip(record, right, strict=True):
        if not item.silent:
            calls.setdefault(item.name, []).append((item, answer))
    wrong = {name: pairs for name, pairs in calls.items() if not all(agree(i.gave, a) for i, a in pairs)}
    if len(wrong) != 1:
        return []
    ((name, pairs),) = wrong.items()
    if not can_tell([item.gave for item, _ in pairs], [answer for _, answer in pairs]):
        return []
    compared = [array_pairs(item.gave, answer) for item, answer in pairs]
    if any(rows is None or len(rows) != len(compared[0] or ()) for rows in compared):
        return []
    function = next((f for f in part.writes if f.name == name), None)
    parameters, returns = list(getattr(function, "parameters", ())), getattr(function, "returns", None)
    where = parameters.index("n") if "n" in parameters else None
    sizes = [
        next((len(a) for a in item.arguments if np.ndim(a)), 0) if where is None else item.arguments[where]
        for item, _ in pairs
    ]
    columns = list(zip(*compared, strict=True))
    passed = zip(*(item.arguments for item, _ in pairs), strict=True)
    shared = len(pairs) > 1 and any(np.ndim(a[0]) and all(np.array_equal(a[0], b) for b in a) for a in passed)
    declared = len(returns) if isinstance(returns, tuple) else 1
    if getattr(function, "canonical", None) and len(columns) != declared:
        return []  # not the values that the student returned
    said: dict[str, list[int]] = {}
    for k, column in enumerate(columns):
        if not any(far_apart(a, b, SAME) for a, b in column):
            continue
        words = [text for text, change in CHANGES.items() if _explains(change, column, sizes)]
        if not words and not shared:  # else the number may depend on what all calls share
            words = _by_a_constant(column)
        if len(words) != 1:
            return []
        said.setdefault(words[0], []).append(k)
    one = len(columns) == 1
    values = [] if one else _values(returns, len(columns))
    texts = (
        f"each answer of {name} is {words}"
        if one or len(places) == len(columns)
        else f"{_joined([values[k] for k in places])} of each answer of {name} is {words}"
        for words, places in said.items()
    )
    return ["; ".join(texts)]


def _explains(change: Callable[[np.ndarray, int], Any], column: Any, sizes: list[int]) -> bool:
    """Whether the change makes of each right answer what was given, and tells it from the right one."""
    telling, values, given = 0, set(), set()
    for (gave, right), n in zip(column, sizes, strict=True):
        try:
            changed = change(right, n)
        except (ValueError, TypeError, ZeroDivisionError, IndexError):
            return False
        if changed is None or far_apart(gave, np.asarray(changed), SAME):
            return False
        telling += far_apart(gave, right, OTHER)
        values |= set(right.ravel())
        given |= set(gave.ravel())
    return telling >= 1 and min(len(values), len(given)) > 1  # to one number there are many ways


def _by_a_constant(column: Any) -> list[str]:
    """Return whether one number, which is not told, makes of each right answer what was given."""
    pairs = [(gave.ravel(), right.ravel()) for gave, right in column if gave.shape == right.shape]
    if len(pairs) != len(column) or any(array.dtype.kind != "f" for pair in pairs for array in pair):
        return []
    gave, right = (np.concatenate(arrays) for arrays in zip(*pairs, strict=True))
    if len(set(right)) < LEAST or not np.isfinite([gave, right]).all():
        return []
    for text, factor, shift in (
        ("the right one times one number, the same everywhere", (gave @ right) / (right @ right), 0.0),
        ("the right one plus one number, the same everywhere", 1.0, (gave - right).mean()),
    ):
        agrees = not any(far_apart(g, factor * r + shift, SAME) for g, r in pairs)  # of each, large or small
        if factor and agrees and far_apart(gave, right, OTHER):
            return [text]
    return []


def right_values(part: Part, record: Record, right: list[Any]) -> list[str]:
    """Return which values of an answer are those of the solution at every call, and which are not."""
    for item in part.writes:
        returns = getattr(item, "returns", None)
        pairs = [array_pairs(a.gave, b) for a, b in zip(record, right, strict=True) if a.name == item.name]
        whole = [pair for pair in pairs if pair and isinstance(returns, tuple) and len(pair) == len(returns)]
        if not isinstance(returns, tuple) or len(pairs) < LEAST or len(whole) < len(pairs):
            continue
        columns = list(zip(*whole, strict=True))
        apart = [any(far_apart(a, b, OTHER) for a, b in column) for column in columns]
        same = [not any(far_apart(a, b, SAME) for a, b in column) for column in columns]
        if any(same) and all(a != b for a, b in zip(apart, same, strict=True)) and not all(same):
            names = _values(returns, len(returns))
            right_ones, wrong_ones = (
                _listed([name for name, known in zip(names, marks, strict=True) if known])
                for marks in (same, apart)
            )
            if sum(apart) == 1:
                return [f"{item.name} here, {right_ones} right, and {wrong_ones} not"]
            return [f"{item.name} here, {right_ones} right: look among the others"]
    return []


def right_at(part: Part, record: Record, right: list[Any]) -> list[str]:
    """Return the one value of one argument at which answers are right, and at no other."""
    asked = [(item, answer) for item, answer in zip(record, right, strict=True) if item.do == "call"]
    hit = [item for item, answer in asked if agree(item.gave, answer)]
    missed = [item for item, answer in asked if differ(item.gave, answer)]
    names = [list(written.parameters) for written in part.writes]
    if len(names) != 1 or len(hit) + len(missed) < len(record) or len(hit) < 2 or len(missed) < 2:
        return []
    said = []
    for k, name in enumerate(names[0]):
        values = [[item.arguments[k] for item in items] for items in (hit, missed)]
        numbers = all(isinstance(value, (int, float)) for value in [*values[0], *values[1]])
        if numbers and len(set(values[0])) == 1 and values[0][0] not in values[1]:
            said.append(f"{name} = {values[0][0]:g}, and at no other {name} that was asked")
    return said if len(set(map(repr, (item.arguments for item in hit)))) > 1 else []


def _values(returns: Any, count: int) -> list[str]:
    """Return what the values are called that a function returns: by the first word of what they mean."""
    meanings = [value.meaning for value in returns] if isinstance(returns, tuple) else [""] * count
    words = [meaning.partition(",")[0] for meaning in meanings]
    return [
        word if word.isidentifier() else f"value {k} ({meaning})".replace(" ()", "")
        for k, (word, meaning) in enumerate(zip(words, meanings, strict=True), 1)
    ]


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _listed(names: list[str]) -> str:
    """Return names with the verb."""
    plural = len(names) > 1 or re.fullmatch(r"\w{4,}s", names[0])  # weights, means
    return f"{_joined(names)} {'are' if plural else 'is'}"


def other_arguments(part: Part, record: Record, solution: str, right: list[Any]) -> list[str]:
    """Return the other questions to which these are the right answers: exchanged, one more, squared."""
    declared = {item.name: item for item in part.writes}
    names = defined(solution)
    sentences = []
    for name, item in declared.items():
        for words, turned in _turned(item):
            try:
                changed = Record(
                    a if a.name != name else replace(a, arguments=turned(a.arguments)) for a in record
                )
                answers = agreeing(record, answers_of(part, changed, names))
            except (TypeError, ValueError, IndexError, KeyError, ArithmeticError):
                continue
            if answers and can_tell(answers, right):
                sentences.append(f"these are the right answers for {words}")
    return sentences


def _exchanged(j: int, k: int, passed: tuple) -> tuple:
    return tuple(passed[{j: k, k: j}.get(i, i)] for i in range(len(passed)))


def _turned(item: Function | Class) -> Iterator[tuple[str, Callable[[tuple], tuple]]]:
    parameters = list(item.parameters.items())

    def at(k: int, change: Callable[[Any], Any]) -> Callable[[tuple], tuple]:
        return lambda passed: (*passed[:k], change(passed[k]), *passed[k + 1 :])

    for (j, (one, a)), (k, (other, b)) in combinations(enumerate(parameters), 2):
        if (a.kind, a.shape) == (b.kind, b.shape):
            yield f"{one} and {other} exchanged", functools.partial(_exchanged, j, k)
    for k, (name, value) in enumerate(parameters):
        if value.kind == "i" and not value.shape:
            yield f"{name} - 1 in place of {name}", at(k, lambda v: v - 1)
            yield f"{name} + 1 in place of {name}", at(k, lambda v: v + 1)
        if value.kind == "f" and not value.shape:
            yield f"the square of {name} in place of {name}", at(k, lambda v: v**2)
            yield f"the square root of {name} in place of {name}", at(k, np.sqrt)
            yield f"1/{name} in place of {name}", at(k, lambda v: 1 / v)
        if len(value.shape) == 2:
            yield f"{name} transposed", at(k, np.transpose)
