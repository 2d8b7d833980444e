"""Whether two programs give the same answers, and whether answers can tell a mistake at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mlnotes.grading.protocol.transcript import Raised, Record

LEAST = 3  # answers, or real numbers among them that are not the right ones
_LEAST_LABELS = 10  # in answers of which some are wrong
# Relative to the largest entry. Two programs with one mistake agree to the accuracy that homework asks of an
# iteration, 1e-6. An answer tells only where it is a hundred times as far from the right one.
SAME, OTHER = 1e-6, 1e-4
ROUNDING = 1e-14  # of a small difference of two numbers near 1


def arrays_of(answer: Any) -> list[np.ndarray] | None:
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


def array_pairs(one: Any, other: Any) -> list[tuple[np.ndarray, np.ndarray]] | None:
    """Return what is to be compared: value with value, or rows stacked; None for what is no number."""
    left, right = arrays_of(one), arrays_of(other)
    if left is None or right is None:
        return None
    if len(left) != len(right):
        left, right = _stacked(left), _stacked(right)
    return list(zip(left, right, strict=True)) if len(left) == len(right) else None


def _stacked(arrays: list[np.ndarray]) -> list[np.ndarray]:
    same = len({array.shape for array in arrays}) == 1
    return [np.stack(arrays).squeeze()] if same else arrays


def far_apart(one: np.ndarray, other: np.ndarray, share: float) -> bool:
    """Whether the shapes differ, or some entries by more than `share` of the largest of `other`."""
    if one.size == other.size == 1:  # a single number may come as an array of one
        one, other = one.reshape(1), other.reshape(1)
    if one.shape != other.shape:
        return True
    if "U" in (one.dtype.kind, other.dtype.kind):
        return bool((one != other).any())
    one, other = one.astype(np.float64), other.astype(np.float64)
    size = np.abs(other, where=np.isfinite(other), out=np.zeros(other.shape)).max(initial=0.0)
    slack = share * size + ROUNDING
    same = (one == other) | (np.isnan(one) & np.isnan(other)) | (np.abs(one - other) <= slack)
    return not same.all()


def agree(gave: Any, answer: Any) -> bool:
    """Whether two answers are the same, to the accuracy of an iteration."""
    if answer is Raised or gave is Raised:
        return answer is gave
    pairs = array_pairs(gave, answer)
    return pairs is not None and not any(far_apart(a, b, SAME) for a, b in pairs)


def differ(answer: Any, right: Any) -> bool:
    """Whether an answer is so far from the right one that it tells something."""
    if answer is Raised or right is Raised:
        return answer is not right
    pairs = array_pairs(answer, right)
    return pairs is None or any(far_apart(a, b, OTHER) for a, b in pairs)


def can_tell(answers: list[Any], right: list[Any]) -> bool:
    """Whether answers can tell a mistake: enough of them, some wrong, and not the same number everywhere."""
    wrong = [a for a, b in zip(answers, right, strict=True) if differ(a, b)]
    given = [answer for answer in answers if answer is not None]
    arrays = [array for answer in wrong for array in arrays_of(answer) or ()]
    numbers = sum(len(set(array.ravel())) for array in arrays if array.dtype.kind == "f")
    labels = sum(array.size for array in arrays if array.dtype.kind in "biU")
    values = {v for answer in given for array in arrays_of(answer) or () for v in array.ravel() if v == v}
    enough = max(len(given), numbers) >= LEAST or labels >= _LEAST_LABELS
    return bool(wrong) and enough and len(values) > 1


def no_number(answer: Any) -> bool:
    """Whether an answer holds a NaN."""
    return any(array.dtype.kind == "f" and np.isnan(array).any() for array in arrays_of(answer) or ())


def agreeing(record: Record, answers: Iterable[Any], counts: Sequence[bool] = ()) -> list[Any] | None:
    """Return the answers if all that count are those of the record; None at the first that is not."""
    seen = []
    for item, answer, counted in zip(record, answers, counts or [True] * len(record), strict=True):
        if counted and not item.silent and not agree(item.gave, answer):
            return None
        seen.append(answer)
    return seen
