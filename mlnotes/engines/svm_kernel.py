r"""Support vector machines with a kernel: pairs of multipliers, then Newton steps.

With :math:`\beta_i = y_i\alpha_i` every dual problem of lecture 9 is one quadratic program,

.. math:: \min_\beta\ \tfrac12\beta^\top K\beta - t^\top\beta \quad\text{s.t.}\quad
          \textstyle\sum_i\beta_i = s,\ l_i \le \beta_i \le u_i ,

with :math:`t = y, s = 0` and the box between 0 and :math:`Cy_i` for classification, :math:`t = 0, s = 1` and
the box :math:`[0, 1/(\nu n)]` for one class. With the gradient :math:`g = K\beta - t` the point is optimal
iff some b has :math:`g_i + b \ge 0` where :math:`\beta_i < u_i` and :math:`g_i + b \le 0` where
:math:`\beta_i > l_i`, that is, iff the **violation** :math:`\max_{\beta_i > l_i}g_i - \min_{\beta_i <
u_i}g_i` is at most 0.

`solve_kernel` moves two multipliers at a time (Platt's SMO with the pairs of Fan, Chen and Lin 2005, JMLR 6,
section 2.4) until the sets at the bounds are nearly known, and then solves for all free multipliers at once:
primal-dual active sets (Hintermueller, Ito and Kunisch 2003, SIAM J. Optim. 13), as long as fewer and fewer
multipliers are in the wrong set. With many examples, a machine of every tenth one predicts which multipliers
end at C. The pairs work on kernel rows in single precision where that is enough; all else, the last gradient
included, is computed in double precision.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.linear_algebra import solve
from mlnotes.engines.progress import Tell
from mlnotes.engines.svm_linear import Solution, interval, middle, project_onto_box

Array = NDArray[np.float64]
Block = Callable[[NDArray[np.intp], Any], Array]

GOAL = 1e-12  # relative duality gap at which the solvers stop, by default
ROUGH = 0.05  # violation at which the pairs give way to active sets
RIDGE = 32  # ulps of the largest kernel value, added to half of the curvature along a pair
BLOCK = 16  # kernel rows that are computed together
CACHE = 2**27  # kernel values that are kept: 512 MiB in single precision
CELLS = 2**17  # kernel values in a block: 1 MiB
MANY_ROWS = 2500  # examples from which on the Gram matrix is never whole, and every tenth predicts the others
MOSTLY_FREE = 0.95  # fraction of free support vectors above which a tenth of the examples predicts little
BAND = 0.04  # fraction of the margin within which a multiplier starts between 0 and C
PAIRS = 1000  # pairs between two rounds of active sets, and one for each free multiplier
MOST_FREE = 1000  # free multipliers that active sets solve for


class GramRows:
    """A Gram matrix that is never whole: a cache of rows for the pairs, and exact blocks on request.

    Rows are cached in single precision if its rounding, summed over all multipliers, is below `ROUGH`; the
    pairs need no more than that. Rows are computed in blocks; the oldest make room. ``block`` returns the
    values of given rows and columns; the sizes of the multipliers add up to at most ``mass``.
    """

    def __init__(self, block: Block, diagonal: Array, mass: float) -> None:
        n, rounding = len(diagonal), float(np.finfo(np.float32).eps) / 2
        self.block, self.diagonal, self.mass, self.n = block, diagonal, mass, n
        _refuse_negative(diagonal)
        dtype = np.float32 if rounding * mass * float(diagonal.max()) <= ROUGH else np.float64
        self.capacity = min(n, max(CACHE // n, 4 * BLOCK))
        self.cache = np.empty((self.capacity, n), dtype=dtype)  # pages are touched only when rows come
        self.place = np.full(n, -1)  # of each row in the cache, -1 if it is not there
        self.cached_row = np.full(self.capacity, -1)
        self.oldest = 0

    def subset(self, part: NDArray[np.intp]) -> GramRows:
        """Return the Gram matrix of some examples alone."""
        return GramRows(
            lambda rows, others: self.block(part[rows], part[others]), self.diagonal[part], self.mass
        )

    def load(self, missing: NDArray[np.intp]) -> None:
        """Compute at most `BLOCK` rows that are not in the cache."""
        places = (self.oldest + np.arange(len(missing))) % self.capacity
        dropped = self.cached_row[places]
        self.place[dropped[dropped >= 0]] = -1
        self.cache[places] = self.block(missing, slice(None))
        self.place[missing], self.cached_row[places] = places, missing
        self.oldest = int(places[-1] + 1) % self.capacity

    def row(self, i: int, rank: NDArray[Any], sign: float = 1.0) -> NDArray[Any]:
        """Return row i; if it must be computed, so are the missing rows with the smallest sign * rank."""
        if self.place[i] < 0:
            order = np.where(self.place < 0, sign * rank, np.inf)
            next_rows = np.argpartition(order, min(BLOCK, self.n) - 1)[:BLOCK]
            next_rows = next_rows[np.isfinite(order[next_rows])]
            self.load(np.append(i, next_rows[next_rows != i][: BLOCK - 1]))
        return self.cache[self.place[i]]

    def combine(self, chosen: NDArray[np.intp], weights: Array) -> Array:
        """Return the weighted sum of the chosen rows, shape (n,), from blocks that stay in cache."""
        total, size = np.zeros(self.n), max(1, CELLS // self.n)
        for start in range(0, len(chosen), size):
            part = slice(start, start + size)
            total += weights[part] @ self.block(chosen[part], slice(None))
        return total


class WholeGram(GramRows):
    """A Gram matrix K, shape (n, n), that is small enough to be kept whole."""

    def __init__(self, K: Array) -> None:
        self.cache, self.diagonal, self.n = K, K.diagonal().copy(), len(K)
        self.memory: Array | None = None
        self.block = lambda rows, others: K[rows][:, others]
        _refuse_negative(self.diagonal)

    def between(self, *parts: slice) -> WholeGram:
        """Return the Gram matrix of some examples alone, in memory that the next call uses again."""
        if len(parts) == 1:
            return self
        ends = np.cumsum([0, *(part.stop - part.start for part in parts)])
        self.memory = np.empty(self.n**2) if self.memory is None else self.memory
        K = self.memory[: ends[-1] ** 2].reshape(ends[-1], ends[-1])
        for part, start, end in zip(parts, ends, ends[1:], strict=False):
            np.concatenate([self.cache[part, other] for other in parts], axis=1, out=K[start:end])
        return WholeGram(K)

    def row(self, i: int, rank: NDArray[Any], sign: float = 1.0) -> NDArray[Any]:
        """Return row i."""
        return self.cache[i]

    def combine(self, chosen: NDArray[np.intp], weights: Array) -> Array:
        """Return the weighted sum of the chosen rows, shape (n,)."""
        if 4 * len(chosen) < self.n:
            return weights @ self.cache[chosen]
        spread = np.zeros(self.n)
        spread[chosen] = weights
        return self.cache @ spread


def _refuse_negative(diagonal: Array) -> None:
    if diagonal.min() < 0:
        raise ValueError(f"the kernel has k(x, x) = {diagonal.min():.3g} < 0 for a row: it is no kernel.")


@dataclass
class _State:
    """A feasible point of the quadratic program with its gradient; the steps below change it in place."""

    K: GramRows
    t: Array
    lo: Array
    hi: Array
    beta: Array
    gradient: Array
    total: float

    @property
    def unit(self) -> float:
        """The unit of the gradient: the margin, or if t = 0 the largest term of a score."""
        return float(abs(self.t).max()) or float(self.hi.max() * self.K.diagonal.max())

    def free(self) -> NDArray[np.intp]:
        return np.flatnonzero((self.beta > self.lo) & (self.beta < self.hi))

    def violation(self) -> float:
        """Return by how much the most violating pair disagrees about b; optimal is 0 or less."""
        low, high = interval(-self.gradient, self.beta, self.lo, self.hi)
        return low - high

    def intercept(self) -> float:
        """Return the mean of -g over the free multipliers; if there are none, the middle of the interval."""
        free = self.free()
        if len(free):
            return -float(self.gradient[free].mean())
        return middle(-self.gradient, self.beta, self.lo, self.hi)

    def gap(self) -> float:
        """Return the relative gap between a bound from the violations and the objective."""
        b = self.intercept()
        short, long = np.maximum(0, -self.gradient - b), np.maximum(0, self.gradient + b)
        room = float(short @ (self.hi - self.beta) + long @ (self.beta - self.lo))
        value = float(0.5 * self.beta @ (self.gradient - self.t))
        if max(room, abs(value)) <= self.total * rounding(self.K.diagonal):
            return 0.0
        return room / max(abs(value), 1e-300)


def rounding(diagonal: Array) -> float:
    """Return what rounding leaves of beta'K beta, where beta is not negative and adds up to 1."""
    return float(len(diagonal) * np.finfo(np.float64).eps * abs(diagonal).max())


def solve_kernel(
    K: GramRows, t: Array, lo: Array, hi: Array, beta: Array, tell: Tell | None = None, goal: float = GOAL
) -> Solution:
    """Solve the quadratic program of the module from the feasible point `beta`; `tell` reports progress.

    Returns
    -------
    Solution
        With a relative gap of about `goal`, or the best that rounding and 100 rounds allow.
    """
    state, steps = _start(K, t, lo, hi, beta.copy())
    rough, most = ROUGH * state.unit, 100 * len(t) + 10_000
    whole = isinstance(K, WholeGram)
    if whole:
        steps += _pairs(state, 4 * rough, most, tell)
    if not whole or len(state.free()) < len(t) / 16:  # else examples nearly depend on each other
        steps += _pairs(state, rough, most, tell)
    best, stalled = np.inf, 0
    for _ in range(100 if goal <= GOAL or state.gap() > goal else 0):
        _solve_active_sets(state)
        gap = state.gap()
        if tell:
            tell(None, f"gap {gap:.1e}")
        stalled = 0 if gap < 0.5 * best else stalled + 1
        best = min(best, gap)
        if gap <= goal or stalled > 20:
            break
        steps += _pairs(state, 0.1 * state.violation(), PAIRS + len(state.free()))
    _balance(state)
    used = np.flatnonzero(state.beta)
    state.gradient = K.combine(used, state.beta[used]) - t  # afresh: updates leave their rounding errors
    return Solution(state.beta, state.gradient + t, state.intercept(), steps)


def _solve_active_sets(state: _State) -> None:
    """Solve for the free multipliers and correct the sets at the bounds, until they are right.

    All that the solution puts beyond a bound go to it, and all at a bound that would leave it become free
    (primal-dual active sets). That is not sure to end: if more multipliers are in the wrong set than before,
    the state stays as it was.
    """
    K, lo, hi, beta, gradient = state.K, state.lo, state.hi, state.beta, state.gradient.copy()
    size = float(K.diagonal.max())
    # A smaller gradient is rounding, of sums of multipliers times kernel values; the gap judges the result.
    edge = max(1e-13 * state.unit, float(np.finfo(np.float64).eps) * size * float(abs(beta).sum()))
    low, high, before = beta <= lo, beta >= hi, len(beta)
    most = min(MOST_FREE, 64 + 2 * len(state.free()))
    for _ in range(20):
        free = np.flatnonzero(~(low | high))
        m = len(free)
        if not 1 <= m <= most:
            return
        inside = np.minimum(np.maximum(beta, lo), hi)
        moves = inside - beta
        moved = np.flatnonzero(moves)
        if len(moved):
            gradient += K.combine(moved, moves[moved])
        system, right = np.ones((m + 1, m + 1)), np.empty(m + 1)
        system[:m, :m] = K.block(free, free)
        system.ravel()[:: m + 2] += 1e-14 * m * size  # examples may repeat each other
        system[m, m] = 0.0
        right[:m], right[m] = -gradient[free], state.total - inside.sum()
        try:
            step = solve(system, right)
        except np.linalg.LinAlgError:
            return
        beta = inside
        beta[free] += step[:m]
        gradient += K.combine(free, step[:m])
        push = gradient + step[m]
        outside, inward = (beta < lo, beta > hi), (low & (push < -edge), high & (push > edge))
        wrong = int(np.count_nonzero(outside) + np.count_nonzero(inward))
        if wrong > before:
            return
        if not wrong:
            if abs(float(beta.sum()) - state.total) <= GOAL * float(abs(beta).sum()):
                state.beta, state.gradient = beta, gradient
            return
        before, low, high = wrong, low ^ inward[0] | outside[0], high ^ inward[1] | outside[1]


def _start(K: GramRows, t: Array, lo: Array, hi: Array, beta: Array) -> tuple[_State, int]:
    """Return where the pairs begin, and the steps that this took.

    With many examples and beta = 0, a machine of every tenth example predicts which multipliers end at C.
    They start there: beta is the projection on the box of a long step down the gradient g of that machine,
    which takes a multiplier from 0 to C within `BAND` of the margin. Most multipliers at C then need no step
    and no kernel row. If few multipliers of the tenth are at C, they predict little and are all that is kept.
    """
    used, total, steps = np.flatnonzero(beta), float(round(beta.sum())), 0
    if not isinstance(K, WholeGram) and not len(used):
        part = np.arange(0, len(t), 10)
        tenth = _State(K.subset(part), t[part], lo[part], hi[part], beta[part], -t[part], 0.0)
        steps = _pairs(tenth, ROUGH, 100 * len(part))
        used = part[np.flatnonzero(tenth.beta)]
        beta[part] = tenth.beta
        if len(tenth.free()) <= MOSTLY_FREE * len(used):
            gradient = K.combine(used, beta[used]) - t
            beta = project_onto_box(-gradient * (float((hi - lo).max()) / BAND), lo, hi, 0.0)
            used = np.flatnonzero(beta)
    return _State(K, t, lo, hi, beta, K.combine(used, beta[used]) - t, total), steps


def _balance(state: _State) -> None:
    """Give the multiplier with the most room the rounding error of the sum."""
    room = np.minimum(state.beta - state.lo, state.hi - state.beta)
    i = int(room.argmax())
    exact = state.beta[i] + (state.total - math.fsum(state.beta.tolist()))
    if state.lo[i] < exact < state.hi[i]:
        state.beta[i] = exact


@np.errstate(invalid="ignore")  # a function that is no kernel has negative curvatures
def _pairs(state: _State, tol: float, limit: int, tell: Tell | None = None) -> int:
    """Move pairs of multipliers until the violation is at most `tol`; return the number of pairs.

    i is the multiplier with the smallest gradient that may grow; j is the one that may shrink with which the
    objective falls most, by half of difference squared over curvature if there were no bounds. The gradient
    is followed in the precision of the rows while `tol` is far above it, and updated exactly at the end.
    """
    K, before = state.K, state.beta.copy()
    precision = K.cache.dtype if tol >= ROUGH / 10 else np.dtype(np.float64)
    sides = np.empty((2, K.n), dtype=precision)
    grows, shrinks = sides  # the gradient of those that may grow, else inf; that may shrink, else -inf
    grows[:] = np.where(before < state.hi, state.gradient, np.inf)
    shrinks[:] = np.where(before > state.lo, state.gradient, -np.inf)
    beta, lo, hi = before.tolist(), state.lo.tolist(), state.hi.tolist()  # single numbers are faster in lists
    difference, half_curvature = np.empty_like(grows), np.empty_like(grows)
    equal_lengths = np.ptp(K.diagonal) == 0
    ridge = RIDGE * float(np.finfo(K.cache.dtype).eps) * max(float(K.diagonal.max()), 1e-300)
    halves = (0.5 * K.diagonal + ridge).astype(precision)
    twice = 2 * halves.item(0)
    for step in range(limit):
        i = int(grows.argmin())
        smallest = grows.item(i)
        row = K.row(i, grows)
        np.subtract(shrinks, smallest, difference)
        if step % 8 == 0:
            if not difference.max() > tol:
                break
            if tell and step % 256 == 0:
                tell(None, f"pair {step}, violation {difference.max():.1e}, to be {tol:.0e}")
        if equal_lengths:
            np.subtract(twice, row, half_curvature)
        else:
            np.subtract(halves, row, half_curvature)
            half_curvature += halves[i]
        np.sqrt(half_curvature, half_curvature)
        np.divide(difference, half_curvature, difference)  # where positive, its square is four times the gain
        j = int(difference.argmax())
        gain = difference.item(j)
        if not gain > 0:
            break
        other = K.row(j, difference, -1.0)
        row = K.row(i, grows)  # it may have moved in the cache
        up, down = hi[i] - beta[i], beta[j] - lo[j]
        move = min(0.5 * gain / half_curvature.item(j), up, down)
        beta[i], beta[j] = hi[i] if move == up else beta[i] + move, lo[j] if move == down else beta[j] - move
        np.subtract(row, other, difference)
        np.multiply(difference, move, difference)
        largest = shrinks.item(j)
        np.add(sides, difference, sides)
        shrinks[i] = smallest + difference.item(i)
        grows[j] = largest + difference.item(j)
        if beta[i] == hi[i]:
            grows[i] = np.inf
        if beta[j] == lo[j]:
            shrinks[j] = -np.inf
    else:
        step = limit
    state.beta[:] = beta
    moved = np.flatnonzero(state.beta != before)
    state.gradient += K.combine(moved, (state.beta - before)[moved])
    return step
