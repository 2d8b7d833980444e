"""What a check measures: evidence, the four relations, and tolerances that are derived."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from mlnotes.checking import boxes

ROUNDOFF = {"double": 2.0**-53, "single": 2.0**-24}
_ROUNDOFF = ContextVar("unit roundoff", default=ROUNDOFF["double"])

Value: TypeAlias = Any  # a number, fraction or string, or an array of them: ArrayLike knows no fraction


@dataclass(frozen=True)
class Evidence:
    """One measurement of a claim.

    Attributes
    ----------
    what : str
        What was measured, in words.
    measured : number or str
        The value; of an array, its first entry that breaks the bound, else the one closest to it.
    relation : {"at_most", "at_least", "equal", "within"}
        How `measured` must stand to `bound`.
    bound : number, str or pair of numbers
        The other side; a pair ``(low, high)`` for "within".
    tolerance : number
        Derived slack (rounding, quadrature, concentration); 0 where the comparison is exact.
    holds : bool
        Whether the relation is true; never for NaN.
    instance : mapping
        The inputs that produced the value, to look at when it fails.
    """

    what: str
    measured: Any
    relation: str
    bound: Any
    tolerance: Any
    holds: bool
    instance: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values; a fraction as ``"p/q"``, NaN and infinities as words."""
        pair = self.relation == "within"
        return {
            "what": self.what,
            "measured": boxes.plain(self.measured),
            "relation": self.relation,
            "bound": [boxes.plain(end) for end in self.bound] if pair else boxes.plain(self.bound),
            "tolerance": boxes.plain(self.tolerance),
            "holds": self.holds,
        }


def at_most(what: str, measured: Value, bound: Value, tolerance: Value = 0, **instance: Any) -> Evidence:
    """Evidence that every entry of `measured` is at most `bound` (a scalar, or one bound an entry)."""
    return _evidence(what, "at_most", measured, (bound,), tolerance, instance)


def at_least(what: str, measured: Value, bound: Value, tolerance: Value = 0, **instance: Any) -> Evidence:
    """Evidence that every entry of `measured` is at least `bound`."""
    return _evidence(what, "at_least", measured, (bound,), tolerance, instance)


def equal(what: str, measured: Value, expected: Value, tolerance: Value = 0, **instance: Any) -> Evidence:
    """Evidence that every entry of `measured` differs from `expected` by at most `tolerance`."""
    return _evidence(what, "equal", measured, (expected,), tolerance, instance)


def within(
    what: str, measured: Value, low: Value, high: Value, tolerance: Value = 0, **instance: Any
) -> Evidence:
    """Evidence that every entry of `measured` lies in the closed interval from `low` to `high`."""
    return _evidence(what, "within", measured, (low, high), tolerance, instance)


def _evidence(
    what: str, relation: str, measured: Value, bounds: tuple[Value, ...], tolerance: Value, instance: Any
) -> Evidence:
    value, slack, *ends = (_as_array(side) for side in (measured, tolerance, *bounds))
    shapes = {end.shape for end in (slack, *ends) if end.ndim}
    if value.dtype.kind not in "bifUO" or value.size == 0:
        seen = "nothing" if value.size == 0 else f"values of type {value.dtype}"
        return Evidence(what, seen, "equal", "numbers", 0, False, instance)
    if shapes - {value.shape}:  # a column against a row would broadcast and hide the mistake
        expected = f"shape {min(shapes - {value.shape}, key=len)}"
        return Evidence(what, f"shape {value.shape}", "equal", expected, 0, False, instance)
    violation = np.atleast_1d(_violation(relation, value, ends, slack))
    broken = ~(violation <= 0).astype(bool)  # True for NaN
    where = int(np.argmax(broken)) if broken.any() else int(np.argmax(violation))
    sides = (np.broadcast_to(side, value.shape).reshape(-1)[where] for side in (value, slack, *ends))
    seen, tolerance, *at = (_item(side) for side in sides)
    if value.ndim:
        index = ", ".join(str(i) for i in np.unravel_index(where, value.shape))
        what = f"{what} ({value.size - int(broken.sum())} of {value.size} hold; entry [{index}])"
    bound = tuple(at) if relation == "within" else at[0]
    return Evidence(what, seen, relation, bound, tolerance, not broken.any(), instance)


def _violation(relation: str, value: np.ndarray, ends: list[np.ndarray], slack: np.ndarray) -> Any:
    """Return a number that is at most 0 exactly where the relation holds; NaN where nothing can be said."""
    if value.dtype.kind in "bU" or ends[0].dtype.kind in "bU":
        return (value != ends[0]).astype(np.int64)
    with np.errstate(invalid="ignore", over="ignore"):
        over = _excess(value, ends[-1])
        under = _excess(ends[0], value)
        sides = {"at_most": over, "at_least": under}
        return sides.get(relation, np.maximum(over, under)) - slack


def _excess(left: np.ndarray, right: np.ndarray) -> Any:
    gap = left - right
    if left.dtype == object or right.dtype == object:
        gap = np.asarray(gap, dtype=object)  # a single integer of any size stays one
    return np.where(left == right, 0, gap)  # two equal infinities differ by NaN


def _as_array(side: Value) -> np.ndarray:
    array = np.asarray(side)
    if array.dtype.kind not in "iu":
        return array
    wide = array.dtype == np.uint64 or (array.size and max(abs(int(array.min())), int(array.max())) > 2**62)
    return array.astype(object if wide else np.int64)  # no difference may wrap around


def _item(entry: Any) -> Any:
    return entry.item() if isinstance(entry, (np.ndarray, np.generic)) else entry


def rounding(n_terms: int, scale: float = 1.0) -> float:
    r"""Return the tolerance for a sum of `n_terms` float64 products, whatever the order of operations.

    The classical bound is :math:`n u \sum_i |a_i b_i|` with :math:`u = 2^{-53}` (Higham, *Accuracy and
    Stability of Numerical Algorithms*, section 3.1); it is widened by 1,000 for other ways of computing.

    Parameters
    ----------
    n_terms : int
    scale : float
        A bound on the sum of the absolute values of the terms.

    Notes
    -----
    Within :func:`precision` of "single", as for a homework part that says so, u is :math:`2^{-24}`.
    """
    return 1000 * n_terms * _ROUNDOFF.get() * scale


@contextmanager
def precision(name: str) -> Iterator[None]:
    """Let :func:`rounding` allow for computations in "double" or "single" precision in the block."""
    token = _ROUNDOFF.set(ROUNDOFF[name])
    try:
        yield
    finally:
        _ROUNDOFF.reset(token)


def hoeffding(n: int, failure: float, width: float = 1.0) -> float:
    r"""Return t with :math:`P(|\bar X_n - E X| \ge t) \le` `failure` (Hoeffding, 1963, theorem 2).

    Parameters
    ----------
    n : int
        Number of independent draws.
    failure : float
        Two-sided probability of a larger deviation.
    width : float
        Length of an interval that contains every draw.
    """
    return width * math.sqrt(math.log(2 / failure) / (2 * n))


def bernstein(n: int, variance: Any, failure: float) -> Any:
    r"""Return t with :math:`P(|\bar X_n - E X| \ge t) \le` `failure`, each of n draws within 1 of its mean.

    Bernstein: at most :math:`2 \exp(-n t^2 / (2 v + 2 t / 3))`, v the average `variance`, solved for t.
    """
    log_term = math.log(2 / failure) / n
    return log_term / 3 + np.sqrt((log_term / 3) ** 2 + 2 * np.maximum(variance, 0) * log_term)
