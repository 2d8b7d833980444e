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
section 2.4) until the sets at the bounds are nearly known, and then solves for all free multipliers at once.
It exchanges wrong multipliers of the sets while their number falls (Hintermueller, Ito and Kunisch 2003, SIAM
J. Optim. 13); where that fails, Newton steps lower the objective as the pairs do. Of many rows, a machine of
every tenth one foretells which multipliers end at C. The pairs work on kernel rows in single precision where
that is enough, all else, the last gradient over all rows included, on values computed in double.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.linear_algebra import cholesky, solve
from mlnotes.engines.progress import Tell
from mlnotes.engines.svm_linear import Solution, interval, middle, project_onto_box

Array = NDArray[np.float64]
Block = Callable[[NDArray[np.intp], Any], Array]

GOAL = 1e-12  # relative duality gap at which the solvers stop, unless told another
LOOSE = 0.05  # violation at which pairs give way to Newton steps
FLAT = 32  # ulps of the largest kernel value, added to half of the curvature along a pair
BLOCK = 16  # kernel rows that are computed together
CACHE = 2**27  # kernel values that are kept: 512 MiB in single precision
CELLS = 2**17  # kernel values in a block: 1 MiB
MANY_ROWS = 2500  # from here on the Gram matrix is never whole, and every tenth row foretells the others
MOSTLY_FREE = 0.95  # share of multipliers inside the box that makes the others unpredictable
RAMP = 0.04  # share of the margin within which a multiplier starts between 0 and C
PAIRS = 100  # moves between two Newton steps, and one for each free multiplier
HELD = 64  # multipliers, or an eighth of the free ones, that meet a bound before a Newton step ends
SPARE = 64  # rows, or a quarter more, for which a factor has room
MOST_EXCHANGED = 1000  # free multipliers up to which one system is solved afresh for each exchange
MOST_FREE = 5000  # free multipliers up to which a Newton step factors their Gram matrix


class GramRows:
    """A Gram matrix that is never whole: rows kept for the pairs, exact blocks when they are asked for.

    Rows are kept in single precision if its rounding, summed over all multipliers, is below `LOOSE`; what is
    asked of the pairs is no more than that. Rows are computed in blocks; the oldest make room. ``block`` is
    given rows and columns, and tells the values; the sizes of the multipliers add up to ``mass`` at most.
    """

    def __init__(self, block: Block, diagonal: Array, mass: float) -> None:
        n, rounding = len(diagonal), float(np.finfo(np.float32).eps) / 2
        self.block, self.diagonal, self.mass, self.n = block, diagonal, mass, n
        _refuse_negative(diagonal)
        kind = np.float32 if rounding * mass * float(diagonal.max()) <= LOOSE else np.float64
        self.room = min(n, max(CACHE // n, 4 * BLOCK))
        self.store = np.empty((self.room, n), dtype=kind)  # pages are touched only when rows come
        self.slot, self.owner, self.next = np.full(n, -1), np.full(self.room, -1), 0

    def among(self, part: NDArray[np.intp]) -> GramRows:
        """Return the Gram matrix of some rows alone."""
        return GramRows(
            lambda rows, others: self.block(part[rows], part[others]), self.diagonal[part], self.mass
        )

    def load(self, wanted: NDArray[np.intp]) -> None:
        """Compute rows that are not there, at most `BLOCK`."""
        slots = (self.next + np.arange(len(wanted))) % self.room
        self.slot[self.owner[slots][self.owner[slots] >= 0]] = -1
        self.store[slots] = self.block(wanted, slice(None))
        self.slot[wanted], self.owner[slots] = slots, wanted
        self.next = int(slots[-1] + 1) % self.room

    def row(self, i: int, likely: NDArray[Any], sign: float = 1.0) -> NDArray[Any]:
        """Return row i; if it must be computed, so are the missing rows with the smallest sign * likely."""
        if self.slot[i] < 0:
            order = np.where(self.slot < 0, sign * likely, np.inf)
            near = np.argpartition(order, min(BLOCK, self.n) - 1)[:BLOCK]
            near = near[np.isfinite(order[near])]
            self.load(np.append(i, near[near != i][: BLOCK - 1]))
        return self.store[self.slot[i]]

    def combine(self, chosen: NDArray[np.intp], weights: Array) -> Array:
        """Return the weighted sum of the chosen rows, shape (n,), from blocks that stay in cache."""
        total, size = np.zeros(self.n), max(1, CELLS // self.n)
        for start in range(0, len(chosen), size):
            part = slice(start, start + size)
            total += weights[part] @ self.block(chosen[part], slice(None))
        return total


class WholeGram(GramRows):
    """A Gram matrix K, shape (n, n), of so few rows that it is kept as it is."""

    def __init__(self, K: Array) -> None:
        self.store, self.diagonal, self.n = K, K.diagonal().copy(), len(K)
        self.spare: Array | None = None
        self.block = lambda rows, others: K[rows][:, others]
        _refuse_negative(self.diagonal)

    def between(self, *parts: slice) -> WholeGram:
        """Return the Gram matrix of some rows alone, in memory that the next call uses again."""
        if len(parts) == 1:
            return self
        ends = np.cumsum([0, *(part.stop - part.start for part in parts)])
        self.spare = np.empty(self.n**2) if self.spare is None else self.spare
        K = self.spare[: ends[-1] ** 2].reshape(ends[-1], ends[-1])
        for part, start, end in zip(parts, ends, ends[1:], strict=False):
            np.concatenate([self.store[part, other] for other in parts], axis=1, out=K[start:end])
        return WholeGram(K)

    def row(self, i: int, likely: NDArray[Any], sign: float = 1.0) -> NDArray[Any]:
        """Return row i."""
        return self.store[i]

    def combine(self, chosen: NDArray[np.intp], weights: Array) -> Array:
        """Return the weighted sum of the chosen rows, shape (n,)."""
        if 4 * len(chosen) < self.n:
            return weights @ self.store[chosen]
        spread = np.zeros(self.n)
        spread[chosen] = weights
        return self.store @ spread


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
        """The unit of the gradient: the margin, or if there is none the largest share of a row in its own."""
        return float(abs(self.t).max()) or float(self.hi.max() * self.K.diagonal.max())

    def free(self) -> NDArray[np.intp]:
        return np.flatnonzero((self.beta > self.lo) & (self.beta < self.hi))

    def violation(self) -> float:
        """Return by how much the ends of the interval of b are in the wrong order; optimal is 0 or less."""
        low, high = interval(-self.gradient, self.beta, self.lo, self.hi)
        return low - high

    def bias(self) -> float:
        """Return the mean of -g over the free multipliers; if there are none, the middle of the interval."""
        free = self.free()
        if len(free):
            return -float(self.gradient[free].mean())
        return middle(-self.gradient, self.beta, self.lo, self.hi)

    def gap(self) -> float:
        """Return the relative gap between a bound from the violations and the objective."""
        b = self.bias()
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
    """Solve the quadratic program of the module from the feasible point `beta`; `tell` hears how far it is.

    Returns
    -------
    Solution
        With a relative gap of about `goal`, or the best that rounding and 100 rounds allow.
    """
    state, steps = _start(K, t, lo, hi, beta.copy())
    loose, most = LOOSE * state.unit, 100 * len(t) + 10_000
    if whole := isinstance(K, WholeGram):
        steps += _pairs(state, 4 * loose, most, tell)
    once_more = not whole or len(state.free()) < len(t) / 16  # then rows nearly depend on each other
    if once_more:
        steps += _pairs(state, loose, most, tell)
    best, stalled, face = np.inf, 0, None
    for turn in range(100 if goal <= GOAL or state.gap() > goal else 0):
        if not _exchange(state) and (turn > 1 or not whole):
            face = _newton(state, face)
        gap = state.gap()
        if tell:
            tell(None, f"gap {gap:.1e}")
        if gap < 0.5 * best:
            stalled = 0
        else:
            stalled, face = stalled + 1, None  # a factor of which much is held loses digits
        best = min(best, gap)
        if gap <= goal or stalled > 20:
            break
        steps += _pairs(state, 0.1 * state.violation(), PAIRS + len(state.free()))
    _balance(state)
    used = np.flatnonzero(state.beta)
    state.gradient = K.combine(used, state.beta[used]) - t  # afresh: updates leave their rounding errors
    return Solution(state.beta, state.gradient + t, state.bias(), steps)


def _exchange(state: _State) -> bool:
    """Solve for the free multipliers and correct the sets at the bounds, until they are right.

    All that the solution puts beyond a bound go to it, and all at a bound that would leave it become free
    (primal-dual active sets). That is not sure to end: if more are wrong than before, the state stays as it
    was, and the answer is False.
    """
    K, lo, hi, beta, gradient = state.K, state.lo, state.hi, state.beta, state.gradient.copy()
    size = float(K.diagonal.max())
    # A smaller gradient is rounding, of sums of multipliers times kernel values; the gap judges the answer.
    edge = max(1e-13 * state.unit, float(np.finfo(np.float64).eps) * size * float(abs(beta).sum()))
    low, high, before = beta <= lo, beta >= hi, len(beta)
    most = min(MOST_EXCHANGED, 64 + 2 * len(state.free()))
    for _ in range(20):
        free = np.flatnonzero(~(low | high))
        m = len(free)
        if not 1 <= m <= most:
            return False
        inside = np.minimum(np.maximum(beta, lo), hi)
        moves = inside - beta
        moved = np.flatnonzero(moves)
        if len(moved):
            gradient += K.combine(moved, moves[moved])
        system, right = np.ones((m + 1, m + 1)), np.empty(m + 1)
        system[:m, :m] = K.block(free, free)
        system.ravel()[:: m + 2] += 1e-14 * m * size  # rows may repeat each other
        system[m, m] = 0.0
        right[:m], right[m] = -gradient[free], state.total - inside.sum()
        try:
            step = solve(system, right)
        except np.linalg.LinAlgError:
            return False
        beta = inside
        beta[free] += step[:m]
        gradient += K.combine(free, step[:m])
        push = gradient + step[m]
        outside, inward = (beta < lo, beta > hi), (low & (push < -edge), high & (push > edge))
        wrong = int(np.count_nonzero(outside) + np.count_nonzero(inward))
        if wrong > before:
            return False
        if not wrong:
            exact = abs(float(beta.sum()) - state.total) <= GOAL * float(abs(beta).sum())
            if exact:
                state.beta, state.gradient = beta, gradient
            return exact
        before, low, high = wrong, low ^ inward[0] | outside[0], high ^ inward[1] | outside[1]
    return False


def _start(K: GramRows, t: Array, lo: Array, hi: Array, beta: Array) -> tuple[_State, int]:
    """Return where the pairs begin, and the steps that this took.

    Many rows, and beta = 0: a machine of every tenth row tells which rows are likely to end at C. They start
    there: beta is the projection on the box of a long step down the gradient g of that machine, which takes
    a row from 0 to C within `RAMP` of the margin. Most multipliers at C then need no step and no kernel row.
    If few multipliers of the tenth are at C, they say little about the others, and are all that is kept.
    """
    used, total, steps = np.flatnonzero(beta), float(round(beta.sum())), 0
    if not isinstance(K, WholeGram) and not len(used):
        part = np.arange(0, len(t), 10)
        tenth = _State(K.among(part), t[part], lo[part], hi[part], beta[part], -t[part], 0.0)
        steps = _pairs(tenth, LOOSE, 100 * len(part))
        used = part[np.flatnonzero(tenth.beta)]
        beta[part] = tenth.beta
        if len(tenth.free()) <= MOSTLY_FREE * len(used):
            gradient = K.combine(used, beta[used]) - t
            beta = project_onto_box(-gradient * (float((hi - lo).max()) / RAMP), lo, hi, 0.0)
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
    """Move pairs of multipliers until the violation is at most `tol`; return the number of moves.

    i: the multiplier that may grow with the smallest gradient; j: the one that may shrink for which the
    objective falls most, by half of difference squared over curvature, were it not for the bounds. The
    gradient is followed in the precision of the rows while `tol` is far above it, and updated exactly at the
    end.
    """
    K, before = state.K, state.beta.copy()
    precision = K.store.dtype if tol >= LOOSE / 10 else np.dtype(np.float64)
    sides = np.empty((2, K.n), dtype=precision)
    grows, shrinks = sides  # the gradient of those that may grow, else inf; that may shrink, else -inf
    grows[:] = np.where(before < state.hi, state.gradient, np.inf)
    shrinks[:] = np.where(before > state.lo, state.gradient, -np.inf)
    beta, lo, hi = before.tolist(), state.lo.tolist(), state.hi.tolist()  # numbers are quicker in lists
    ahead, curved = np.empty_like(grows), np.empty_like(grows)
    constant = np.ptp(K.diagonal) == 0
    flat = FLAT * float(np.finfo(K.store.dtype).eps) * max(float(K.diagonal.max()), 1e-300)
    halves = (0.5 * K.diagonal + flat).astype(precision)
    twice = 2 * halves.item(0)
    for step in range(limit):
        i = int(grows.argmin())
        least = grows.item(i)
        row = K.row(i, grows)
        np.subtract(shrinks, least, ahead)
        if step % 8 == 0:
            if not ahead.max() > tol:
                break
            if tell and step % 256 == 0:
                tell(None, f"pair {step}, violation {ahead.max():.1e}, to be {tol:.0e}")
        if constant:
            np.subtract(twice, row, curved)  # half of the curvature
        else:
            np.subtract(halves, row, curved)
            curved += halves[i]
        np.sqrt(curved, curved)
        np.divide(ahead, curved, ahead)  # where it is positive, its square is four times the fall
        j = int(ahead.argmax())
        fall = ahead.item(j)
        if not fall > 0:
            break
        other = K.row(j, ahead, -1.0)
        row = K.row(i, grows)  # the cache may have moved it
        up, down = hi[i] - beta[i], beta[j] - lo[j]
        move = min(0.5 * fall / curved.item(j), up, down)
        beta[i], beta[j] = hi[i] if move == up else beta[i] + move, lo[j] if move == down else beta[j] - move
        np.subtract(row, other, ahead)
        np.multiply(ahead, move, ahead)
        most = shrinks.item(j)
        np.add(sides, ahead, sides)
        shrinks[i] = least + ahead.item(i)
        grows[j] = most + ahead.item(j)
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


def _newton(state: _State, face: _Face | None) -> _Face | None:
    """Solve for the free multipliers; where the solution leaves the box, go as far as the objective falls.

    The factor of the last call is used again if few multipliers became free since, which are appended, and
    few are at a bound now, which are held there.
    """
    free = state.free()
    few = max(HELD, len(free) // 8)
    if not 2 <= len(free) <= MOST_FREE:
        return None
    if face is not None:
        new, idle = np.setdiff1d(free, face.rows), np.setdiff1d(face.rows, free)
        face = face if max(len(new), len(idle)) <= len(free) // 8 and face.extend(new) else None
    face = face or _factored(state.K, free)
    if face is None:
        return None
    chosen, KF = face.rows, face.matrix
    x, g, lo, hi = state.beta[chosen], state.gradient[chosen], state.lo[chosen], state.hi[chosen]
    start, held = x.copy(), (x <= lo) | (x >= hi)
    few += int(held.sum())
    constraints = _Constraints(face)
    for _ in range(40):
        d = constraints.toward_optimum(g, held)
        target = x + d
        whole = bool(((target >= lo) & (target <= hi) | held).all())
        point = target if whole else _inside(x, target, d, lo, hi, g, KF, held)
        g = g + KF @ (point - x)
        x = point
        held |= (x <= lo) | (x >= hi)
        if whole or held.sum() > few:
            break
    state.beta[chosen] = x
    state.gradient += state.K.combine(chosen, x - start)
    return face


class _Face:
    """The Gram matrix of some rows and its Cholesky factor, to which rows can be appended.

    The factor L of the matrix with a small ridge is found by block columns (what is left of a block is known
    when its turn comes), and the inverses of the diagonal blocks are kept: solving is then multiplying. The
    ridge only shortens the steps. Raises LinAlgError if the matrix with it is not positive definite.
    """

    def __init__(self, K: GramRows, rows: NDArray[np.intp], ridge: float) -> None:
        self.K, self.rows, self.ridge = K, rows, ridge
        room = len(rows) + max(SPARE, len(rows) // 4)
        self.values, self.L = np.empty((2, room, room))  # of L, what is above the blocks is never read
        for a in range(0, len(rows), 128):
            self.values[a : a + 128, : len(rows)][: len(rows) - a] = K.block(rows[a : a + 128], rows)
        self.ends: list[int] = []
        self.inverses: list[Array] = []
        self._factor(0)

    @property
    def matrix(self) -> Array:
        """The Gram matrix, shape (m, m)."""
        return self.values[: len(self.rows), : len(self.rows)]

    def extend(self, new: NDArray[np.intp]) -> bool:
        """Append rows; return False, and be of no more use, if there is no room or no factor."""
        m = len(self.rows)
        if not len(new):
            return True
        if m + len(new) > len(self.values):
            return False
        self.rows = np.append(self.rows, new)
        block = self.K.block(new, self.rows)
        self.values[m : len(self.rows), : len(self.rows)] = block
        self.values[:m, m : len(self.rows)] = block[:, :m].T
        try:
            self._factor(m)
        except np.linalg.LinAlgError:
            return False
        return True

    def _factor(self, old: int, block: int = 128) -> None:
        """Find the rows of L from `old` on."""
        L, m = self.L, len(self.rows)
        ends = [*self.ends, *range(old + block, m, block), m]
        for a, e, known in itertools.zip_longest([0, *ends[:-1]], ends, self.inverses.copy()):
            r = max(a, old)
            left = self.values[r:m, a:e] - L[r:m, :a] @ L[a:e, :a].T
            if known is None:
                left[np.arange(e - a), np.arange(e - a)] += self.ridge
                L[a:e, a:e] = cholesky(left[: e - a])
                known, r, left = np.asarray(np.linalg.inv(L[a:e, a:e]), dtype=np.float64), e, left[e - a :]
                self.inverses.append(known)
            L[r:m, a:e] = left @ known.T
        self.ends = ends

    def solve(self, B: Array) -> Array:
        """Return the solution of L L' Z = B, shape (m,) or (m, k), by block substitution."""
        Z, L, m = np.array(B), self.L, len(self.rows)
        parts = list(zip([0, *self.ends[:-1]], self.ends, self.inverses, strict=True))
        for a, e, inverse in parts:
            Z[a:e] = inverse @ (Z[a:e] - L[a:e, :a] @ Z[:a])
        for a, e, inverse in reversed(parts):
            Z[a:e] = inverse.T @ (Z[a:e] - L[e:m, a:e].T @ Z[e:])
        return Z


def _factored(K: GramRows, rows: NDArray[np.intp]) -> _Face | None:
    """Return the factored Gram matrix of the rows with the smallest ridge that makes it positive definite."""
    size = float(K.diagonal[rows].max()) * len(rows)
    for share in (1e-14, 1e-12, 1e-10, 1e-8):
        try:
            return _Face(K, rows, share * size)
        except np.linalg.LinAlgError:
            continue
    return None


class _Constraints:
    """Steps to the minimum over changes with sum zero that leave the held entries alone.

    One factor serves all: each held entry is one constraint more, whose multiplier a small system gives.
    """

    def __init__(self, face: _Face) -> None:
        self.face, self.fixed = face, np.zeros(0, dtype=np.intp)
        self.normals = np.ones((len(face.rows), 1))
        self.solved = face.solve(self.normals)

    def toward_optimum(self, g: Array, held: NDArray[np.bool_]) -> Array:
        """Return the step from the point with gradient g, shape (m,)."""
        new = np.setdiff1d(np.flatnonzero(held), self.fixed)
        if len(new):
            units = np.zeros((len(g), len(new)))
            units[new, np.arange(len(new))] = 1.0
            self.normals = np.hstack([self.normals, units])
            self.solved = np.hstack([self.solved, self.face.solve(units)])
            self.fixed = np.append(self.fixed, new)
        B, Z = self.normals, self.solved
        small = B.T @ Z
        z = self.face.solve(g)
        step = Z @ np.linalg.lstsq(small, B.T @ z, rcond=1e-15)[0] - z
        rest = g + self.face.matrix @ step  # once more, for what the ridge and rounding left
        z = self.face.solve(rest)
        step += Z @ np.linalg.lstsq(small, B.T @ (z - step), rcond=1e-15)[0] - z
        step[self.fixed] = 0.0
        return step - np.where(held, 0.0, step.sum() / max(len(g) - len(self.fixed), 1))


def _inside(
    x: Array, target: Array, d: Array, lo: Array, hi: Array, g: Array, KF: Array, held: NDArray[np.bool_]
) -> Array:
    """Return the better of two points: the target projected on the box, and where the way leaves the box."""
    with np.errstate(divide="ignore", invalid="ignore"):
        limits = np.where(d > 0, (hi - x) / d, np.where(d < 0, (lo - x) / d, np.inf))
    limits[held] = np.inf
    first = int(limits.argmin())
    short = np.clip(x + max(0.0, float(limits[first])) * d, lo, hi)
    short[first] = (hi if d[first] > 0 else lo)[first]
    far = x.copy()
    far[~held] = project_onto_box(target[~held], lo[~held], hi[~held], float(x[~held].sum()))

    def change(point: Array) -> float:
        move = point - x
        return float(g @ move + 0.5 * move @ (KF @ move))

    return far if change(far) < min(change(short), 0.0) else short
