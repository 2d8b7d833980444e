"""Which mistake it is: a student's answers against those of known mistakes, on the very calls that were made.

The answers are the record of one part: nothing of the student's runs again. What runs here are the recorded
wrong solutions (``mlnotes.mistakes.homework``, or an instructor's own mutants) and the model solution. Only
agreement on *all* calls is told, and only the sentence of the mistake: no right value.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import io
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from mlnotes import mistakes
from mlnotes.claims import Claim
from mlnotes.claims.deadline import OutOfTime, deadline
from mlnotes.grading.wire import Reference
from mlnotes.homework.core import Assignment, Class, Function, Part
from mlnotes.mistakes.homework import defined, known

SECONDS = 0.2  # for one part
_LEAST = 3  # answers, or real numbers among them that are not the right ones
_LEAST_LABELS = 10  # in answers of which some are wrong
_MOST = 2_000  # calls of one part that are recorded
_MOST_ENTRIES = 200_000
# Relative to the largest entry. Two programs with one mistake agree to the accuracy that homework asks of an
# iteration, 1e-6. An answer tells only where it is a hundred times as far from the right one.
_SAME, _OTHER = 1e-6, 1e-4
# What sentences begin with that do not name the mistake: they say where it is, or what is usual
PLACE, RIGHT_AT, OFTEN = UNNAMED = (
    "Of each answer of",
    "Your answers are right where",
    "What often leads here is",
)


@dataclass(frozen=True)
class Asked:
    """One question to the student's code, with the answer as it crossed the wall.

    Attributes
    ----------
    turn : int
        Which claim asked: instances are numbered anew for each.
    do : {"call", "construct", "method", "attribute"}
    name : str
        Of the function, class, method or attribute.
    key : object
        Number of the instance.
    arguments : tuple
    gave : object
    silent : bool
        Whether the answer does not matter: a constructor, ``fit``.
    """

    turn: int
    do: str
    name: str
    key: Any
    arguments: tuple
    gave: Any
    silent: bool


class Record(list[Asked]):
    """The questions of one part, in order, with copies of what was asked; empty where they are too many."""

    def __init__(self) -> None:
        super().__init__()
        self.turn = self._entries = 0

    @classmethod
    def of(cls, items: Iterable[Asked]) -> Record:
        """Return a record of questions that were asked elsewhere."""
        record = cls()
        record += items
        return record

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


def diagnosed(assignment: Assignment, part: Part, record: Record, seconds: float = SECONDS) -> str:
    """Return the sentence of the one mistake whose answers these are; "" where there is none, or several."""
    solution, mutants = known(assignment, part)
    if not solution:
        return ""
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with deadline(seconds, processor=True):
                said = _named(part, record, solution, mutants)
                numbers = Record.of(item for item in record if item.silent or not _no_number(item.gave))
                if said or len(numbers) == len(record):
                    return said
                said = _named(part, numbers, solution, mutants)  # a mistake, and an overflow besides
                return said and f"{said.rstrip('.')} (but some answers are no numbers)"
        except (OutOfTime, Exception):  # of a mistake, on what a student's answers made of the arguments
            return ""


def _no_number(answer: Any) -> bool:
    return any(array.dtype.kind == "f" and np.isnan(array).any() for array in _parts(answer) or ())


def _named(part: Part, record: Record, solution: str, mutants: Any) -> str:
    record = Record.of(
        replace(item, gave=_canonical(part, item, item.gave)) for item in _chained(part, record)
    )
    agreeing = {
        mutant.sentence or mutant.name: answers
        for mutant in mutants
        if (answers := _agreeing(record, _answers(part, record, defined(solution, mutant.source))))
        is not None
    }
    right = list(_answers(part, record, defined(solution)))
    sentences = [sentence for sentence, answers in agreeing.items() if _telling(answers, right)]
    if len(agreeing) == 1 and not sentences:
        ((sentence, answers),) = agreeing.items()
        sentences = _always_one_number(sentence, answers, right)
    if not agreeing:
        place = _where(part, record, right) or _right_at(part, record, right)
        try:
            sentences = (
                _of_right(part, record, right) or _of_other_arguments(part, record, solution, right) or place
            )
        except OutOfTime:  # a right program need not end on other arguments
            sentences = place
    return sentences[0] if len(sentences) == 1 else ""


def _change(part: Part, item: Asked) -> Callable[..., Any] | None:
    methods = (f for c in part.writes for f in getattr(c, "methods", ()))
    functions = methods if item.do == "method" else part.writes
    function = next((f for f in functions if f.name == item.name), None)
    return None if item.silent else getattr(function, "canonical", None)


def _canonical(part: Part, item: Asked, answer: Any) -> Any:
    """Return one form of an answer that may be written in several, as the homework says."""
    change = _change(part, item)
    try:
        return change(answer, *item.arguments) if change and answer is not Raised else answer
    except (TypeError, ValueError, IndexError):
        return answer


@dataclass(frozen=True)
class Earlier:
    """In place of an argument: the answer to that question, which may be written in several ways."""

    place: int


def _chained(part: Part, record: Record) -> Iterator[Asked]:
    """Yield the questions; where one hands back what was answered before, another solution gets its own."""
    free: list[tuple[int, Asked]] = []

    def source(item: Asked, value: Any) -> Any:
        for place, before in reversed(free):
            if before.turn == item.turn and isinstance(value, np.ndarray) and _same(value, before.gave):
                return Earlier(place)
        return value

    for place, item in enumerate(record):
        yield replace(item, arguments=tuple(source(item, value) for value in item.arguments))
        if _change(part, item):
            free.append((place, item))


def _same(one: np.ndarray, other: Any) -> bool:
    return isinstance(other, np.ndarray) and one.shape == other.shape and bool((one == other).all())


def _answers(part: Part, record: Record, names: Mapping[str, Any]) -> Iterator[Any]:
    for item, answer in zip(record, replay(record, names), strict=True):
        yield _canonical(part, item, answer)


def _always_one_number(sentence: str, answers: list[Any], right: list[Any]) -> list[str]:
    """Return a mistake whose answers are one number everywhere: others may have led there."""
    values = {v for answer in answers for array in _parts(answer) or () for v in array.ravel().tolist()}
    wrong = [a for a, b in zip(answers, right, strict=True) if _differ(a, b)]
    if len(wrong) < _LEAST or len(values) != 1:
        return []
    return [f"always {values.pop():g}, which may come of this: {sentence}"]


def of_candidate(claim: Claim, candidate: Mapping[str, Any], seed: int, seconds: float = SECONDS) -> str:
    """Return the mistake of a topic whose answers the functions of a candidate give on a draw, or ""."""
    calls: list[tuple[str, tuple, dict[str, Any], Any]] = []

    def heard(name: str, function: Any) -> Any:
        @functools.wraps(function)
        def answer(*arguments: Any, **options: Any) -> Any:
            asked = copy.deepcopy((arguments, options))
            calls.append((name, *asked, Raised))
            calls[-1] = (name, *asked, given := function(*arguments, **options))
            return given

        return answer

    functions = {name: obj for name, obj in candidate.items() if inspect.isfunction(obj)}
    claim.verify(seed=seed, candidate={**candidate, **{n: heard(n, f) for n, f in functions.items()}})

    def answers(names: Mapping[str, Any]) -> Iterator[Any]:
        for name, arguments, options, _ in calls:
            try:
                yield names[name](*copy.deepcopy(arguments), **copy.deepcopy(options))
            except Exception:
                yield Raised

    own = mistakes.library(claim.topic)
    chosen = [
        m for m in mistakes.of(claim.topic) if claim.id in m.kills and set(m.replaces) <= set(functions)
    ]
    sentences = []
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with deadline(seconds, processor=True):
                right = list(answers(own))
                for mistake in chosen:
                    seen = list(answers({**own, **mistake.replaces}))
                    if all(map(_agree, (c[3] for c in calls), seen)) and _telling(seen, right):
                        sentences.append(mistake.sentence)
        except (OutOfTime, Exception):  # of a mistake, on what the candidate's answers made of the arguments
            return ""
    return sentences[0] if len(sentences) == 1 else ""


def _telling(answers: list[Any], right: list[Any]) -> bool:
    """Whether answers can tell a mistake: enough of them, some wrong, and not the same number everywhere."""
    wrong = [a for a, b in zip(answers, right, strict=True) if _differ(a, b)]
    given = [answer for answer in answers if answer is not None]
    arrays = [array for answer in wrong for array in _parts(answer) or ()]
    numbers = sum(len(set(array.ravel())) for array in arrays if array.dtype.kind == "f")
    labels = sum(array.size for array in arrays if array.dtype.kind in "biU")
    values = {v for answer in given for array in _parts(answer) or () for v in array.ravel() if v == v}
    enough = max(len(given), numbers) >= _LEAST or labels >= _LEAST_LABELS
    return bool(wrong) and enough and len(values) > 1


# ------------------------------------------------------------------- the same questions to another solution


class Raised:
    """In place of an answer: the solution raised an exception."""


def replay(record: Record, names: Mapping[str, Any]) -> Iterator[Any]:
    """Yield what the objects of `names` answer to the questions; None where the answer does not matter."""
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
        yield None if item.silent else answer


def _agreeing(record: Record, answers: Iterator[Any]) -> list[Any] | None:
    """Return the answers if all are those of the record; None at the first that is not."""
    seen = []
    for item, answer in zip(record, answers, strict=True):
        if not item.silent and not _agree(item.gave, answer):
            return None
        seen.append(answer)
    return seen


def _parts(answer: Any) -> list[np.ndarray] | None:
    """Return an answer as arrays: one, or one for each value of a tuple; None for what is no number."""
    if answer is Raised:
        return None
    try:
        if isinstance(answer, (tuple, list)) and any(np.ndim(value) for value in answer):
            arrays = [np.asarray(value) for value in answer]
        else:
            arrays = [np.asarray(answer)]
        arrays = [array.astype(np.float64) if array.dtype.kind == "O" else array for array in arrays]
    except (ValueError, TypeError):  # rows of different lengths, None
        return None
    return arrays if all(array.dtype.kind in "biufU" for array in arrays) else None


def _pairs(one: Any, other: Any) -> list[tuple[np.ndarray, np.ndarray]] | None:
    """Return what is to be compared: value with value, or rows stacked; None for what is no number."""
    left, right = _parts(one), _parts(other)
    if left is None or right is None:
        return None
    if len(left) != len(right):
        left, right = _stacked(left), _stacked(right)
    return list(zip(left, right, strict=True)) if len(left) == len(right) else None


def _stacked(arrays: list[np.ndarray]) -> list[np.ndarray]:
    same = len({array.shape for array in arrays}) == 1
    return [np.stack(arrays).squeeze()] if same else arrays


def _apart(one: np.ndarray, other: np.ndarray, share: float) -> bool:
    """Whether the shapes differ, or some entries by more than `share` of the largest of `other`."""
    if one.size == other.size == 1:  # a single number may come as an array of one
        one, other = one.reshape(1), other.reshape(1)
    if one.shape != other.shape:
        return True
    if "U" in (one.dtype.kind, other.dtype.kind):
        return bool((one != other).any())
    one, other = one.astype(np.float64), other.astype(np.float64)
    size = np.abs(other, where=np.isfinite(other), out=np.zeros(other.shape)).max(initial=0.0)
    same = (one == other) | (np.isnan(one) & np.isnan(other)) | (np.abs(one - other) <= share * size)
    return not same.all()


def _agree(gave: Any, answer: Any) -> bool:
    if answer is Raised or gave is Raised:
        return answer is gave
    pairs = _pairs(gave, answer)
    return pairs is not None and not any(_apart(a, b, _SAME) for a, b in pairs)


def _differ(answer: Any, right: Any) -> bool:
    if answer is Raised or right is Raised:
        return answer is not right
    pairs = _pairs(answer, right)
    return pairs is None or any(_apart(a, b, _OTHER) for a, b in pairs)


# ------------------------------------------------------------------- the right answer, changed


def _whole(array: np.ndarray) -> bool:
    return array.dtype.kind in "biu"


def _label(array: np.ndarray) -> bool:
    return bool(np.isin(array, (-1, 0, 1)).all())


def _times(of: Callable[[int], float]) -> Callable[[np.ndarray, int], np.ndarray]:
    return lambda right, n: right * of(n)


CHANGES: dict[str, Callable[[np.ndarray, int], Any]] = {
    "twice the right one": _times(lambda n: 2.0),
    "half of the right one": _times(lambda n: 0.5),
    "n times the right one, for n rows": _times(lambda n: n),
    "the right one divided by n, for n rows": _times(lambda n: 1 / n),
    "n/(n - 1) times the right one: a divisor n - 1 in place of n": _times(lambda n: n / (n - 1)),
    "(n - 1)/n times the right one: a divisor n in place of n - 1": _times(lambda n: (n - 1) / n),
    "the right one divided by log 2: in bits, where the natural logarithm is asked for":
        _times(lambda n: 1 / np.log(2)),
    "log 2 times the right one: in natural units, where bits are asked for": _times(lambda n: np.log(2)),
    "the right one divided by log 10: a decimal logarithm for the natural one":
        _times(lambda n: 1 / np.log(10)),
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


def _of_right(part: Part, record: Record, right: list[Any]) -> list[str]:
    """Return what one change of the right answers explains, where every other name is answered rightly."""
    calls: dict[str, list[tuple[Asked, Any]]] = {}
    for item, answer in zip(record, right, strict=True):
        if not item.silent:
            calls.setdefault(item.name, []).append((item, answer))
    wrong = {name: pairs for name, pairs in calls.items() if not all(_agree(i.gave, a) for i, a in pairs)}
    if len(wrong) != 1:
        return []
    ((name, pairs),) = wrong.items()
    if not _telling([item.gave for item, _ in pairs], [answer for _, answer in pairs]):
        return []
    compared = [_pairs(item.gave, answer) for item, answer in pairs]
    if any(rows is None or len(rows) != len(compared[0] or ()) for rows in compared):
        return []
    parameters = next((list(f.parameters) for f in part.writes if f.name == name), [])
    where = parameters.index("n") if "n" in parameters else None
    sizes = [
        next((len(a) for a in item.arguments if np.ndim(a)), 0) if where is None else item.arguments[where]
        for item, _ in pairs
    ]
    columns = list(zip(*compared, strict=True))
    passed = zip(*(item.arguments for item, _ in pairs), strict=True)
    shared = len(pairs) > 1 and any(np.ndim(a[0]) and all(np.array_equal(a[0], b) for b in a) for a in passed)
    declared = {f.name: f for f in part.writes if getattr(f, "canonical", None)}.get(name)
    returns = getattr(declared, "returns", None)
    if declared and len(columns) != (len(returns) if isinstance(returns, tuple) else 1):
        return []  # not the values that the student returned
    said: dict[str, list[int]] = {}
    for k, column in enumerate(columns):
        if not any(_apart(a, b, _SAME) for a, b in column):
            continue
        words = [text for text, change in CHANGES.items() if _explains(change, column, sizes)]
        if not words and not shared:  # else the number may depend on what all calls share
            words = _by_a_constant(column)
        if len(words) != 1:
            return []
        said.setdefault(words[0], []).append(k)
    one = len(columns) == 1
    values = [] if one else _values(part, name, len(columns))
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
        if changed is None or _apart(gave, np.asarray(changed), _SAME):
            return False
        telling += _apart(gave, right, _OTHER)
        values |= set(right.ravel())
        given |= set(gave.ravel())
    return telling >= 1 and min(len(values), len(given)) > 1  # to one number there are many ways


def _by_a_constant(column: Any) -> list[str]:
    """Return whether one number, which is not told, makes of each right answer what was given."""
    pairs = [(gave.ravel(), right.ravel()) for gave, right in column if gave.shape == right.shape]
    if len(pairs) != len(column) or any(array.dtype.kind != "f" for pair in pairs for array in pair):
        return []
    gave, right = (np.concatenate(arrays) for arrays in zip(*pairs, strict=True))
    if len(set(right)) < _LEAST or not np.isfinite([gave, right]).all():
        return []
    for text, factor, shift in (
        ("the right one times one number, the same everywhere", (gave @ right) / (right @ right), 0.0),
        ("the right one plus one number, the same everywhere", 1.0, (gave - right).mean()),
    ):
        if factor and not _apart(gave, factor * right + shift, _SAME) and _apart(gave, right, _OTHER):
            return [text]
    return []


def _where(part: Part, record: Record, right: list[Any]) -> list[str]:
    """Return which values of an answer are those of the solution at every call, and which are not."""
    for item in part.writes:
        returns = getattr(item, "returns", None)
        pairs = [_pairs(a.gave, b) for a, b in zip(record, right, strict=True) if a.name == item.name]
        whole = [pair for pair in pairs if pair and isinstance(returns, tuple) and len(pair) == len(returns)]
        if not isinstance(returns, tuple) or len(pairs) < _LEAST or len(whole) < len(pairs):
            continue
        columns = list(zip(*whole, strict=True))
        apart = [any(_apart(a, b, _OTHER) for a, b in column) for column in columns]
        same = [not any(_apart(a, b, _SAME) for a, b in column) for column in columns]
        if any(same) and all(a != b for a, b in zip(apart, same, strict=True)) and not all(same):
            names = _values(part, item.name, len(returns))
            right_ones, wrong_ones = (
                _listed([name for name, known in zip(names, marks, strict=True) if known])
                for marks in (same, apart)
            )
            if sum(apart) == 1:
                return [f"{PLACE} {item.name} here, {right_ones} right, and {wrong_ones} not"]
            return [f"{PLACE} {item.name} here, {right_ones} right: look among the others"]
    return []


def _right_at(part: Part, record: Record, right: list[Any]) -> list[str]:
    """Return the one value of one argument at which answers are right, and at no other."""
    asked = [(item, answer) for item, answer in zip(record, right, strict=True) if item.do == "call"]
    hit = [item for item, answer in asked if _agree(item.gave, answer)]
    missed = [item for item, answer in asked if _differ(item.gave, answer)]
    names = [list(written.parameters) for written in part.writes]
    if len(names) != 1 or len(hit) + len(missed) < len(record) or len(hit) < 2 or len(missed) < 2:
        return []
    said = []
    for k, name in enumerate(names[0]):
        values = [[item.arguments[k] for item in items] for items in (hit, missed)]
        numbers = all(isinstance(value, (int, float)) for value in [*values[0], *values[1]])
        if numbers and len(set(values[0])) == 1 and values[0][0] not in values[1]:
            said.append(f"{RIGHT_AT} {name} = {values[0][0]:g}, and at no other {name} that was asked")
    return said if len(set(map(repr, (item.arguments for item in hit)))) > 1 else []


def _values(part: Part, name: str, count: int) -> list[str]:
    """Return what the values are called that a function returns: by the first word of what they mean."""
    returns = next((getattr(f, "returns", None) for f in part.writes if f.name == name), None)
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


# ------------------------------------------------------------------- the right answer to another question


def _of_other_arguments(part: Part, record: Record, solution: str, right: list[Any]) -> list[str]:
    """Return the other questions to which these are the right answers: exchanged, one more, squared."""
    declared = {item.name: item for item in part.writes}
    names = defined(solution)
    sentences = []
    for name, item in declared.items():
        for words, turned in _turned(item):
            try:
                changed = Record.of(
                    a if a.name != name else replace(a, arguments=turned(a.arguments)) for a in record
                )
                answers = _agreeing(record, _answers(part, changed, names))
            except (TypeError, ValueError, IndexError, KeyError, ArithmeticError):
                continue
            if answers and _telling(answers, right):
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
