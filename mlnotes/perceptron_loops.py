r"""The loops of the perceptron: what has a margin, what an update changes, and who is visited next.

Three machines hold the weights: `Linear` for two classes, `Multiclass` for more, `Dual` for the Gram form.
Each says the margins of a window of rows, whether a row is a mistake, and how to update at it.
`run_cyclic` goes round the rows as the blackboard does, `run_picked` chooses among all mistakes each time.

Products of many rows with the weights are computed at once. A product in another order of summation differs
by its rounding error, which is bounded; where that leaves the sign open, the product of the one row decides.
So the path is bit for bit that of the plain loop over the rows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlnotes.separability import longest

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_BLOCK = 2**15  # entries of a block of rows: 256 KiB stay in cache


def merged(X: Array, fit_intercept: bool, signs: NDArray[Any] | None = None) -> Array:
    """Return the rows (x_i, 1), or x_i, times their signs: a new array."""
    signs = np.ones(len(X)) if signs is None else signs
    rows = np.empty((len(X), X.shape[1] + bool(fit_intercept)))
    np.multiply(X, signs[:, None], out=rows[:, : X.shape[1]])
    if fit_intercept:
        rows[:, -1] = signs
    return rows


def factor(Q: Array) -> Array:
    """Return rows with the products Q, eigenvalues of rounding size left out."""
    values, V = np.linalg.eigh(Q)
    kept = values > len(Q) * np.finfo(np.float64).eps * abs(values).max()
    return V[:, kept] * np.sqrt(values[kept]) if kept.any() else np.zeros((len(Q), 1))


class Linear:
    """Two classes: the weight vector and the signed rows."""

    def __init__(self, Z: Array, w: Array, step: float) -> None:
        self.Z, self.w, self.n = Z, w, len(Z)
        self.moves = Z if step == 1 else step * Z
        self.radius = longest(Z)
        # products in another order differ by less than this times |w|: Higham, section 3.1, both sides
        self.unit = 4 * (Z.shape[1] + 2) * 2.0**-53 * self.radius
        self.square, self.growth = float(w @ w), (step * self.radius) ** 2
        self.doubt = self.unit * math.sqrt(self.square)

    def margins(self, start: int, stop: int) -> Array:
        """Return the products of rows start to stop."""
        return self.Z[start:stop].dot(self.w)

    def is_mistake(self, i: int) -> bool:
        """Tell by the product of the one row."""
        return bool(self.Z[i].dot(self.w) <= 0)

    def update(self, i: int) -> float:
        """Add row i; return the doubt there is in a product from now on."""
        np.add(self.w, self.moves[i], self.w)
        self.square += self.growth  # at least |w|^2, as in the proof of the mistake bound
        self.doubt = doubt = self.unit * math.sqrt(self.square)
        return doubt

    def update_all(self, wrong: Indices) -> None:
        """Add all these rows."""
        self.w += self.moves[wrong].sum(axis=0)


class Multiclass:
    """More classes: a row is right if its class scores more than every other."""

    def __init__(self, X: Array, codes: Indices, W: Array, step: float) -> None:
        self.X, self.codes, self.w, self.step, self.n = X, codes, W, step, len(X)
        self.doubt, self.radius = 0.0, math.sqrt(2) * longest(X)

    def _rivals(self, start: int, stop: int) -> tuple[Array, Array, Indices]:
        scores = self.X[start:stop] @ self.w.T  # (b, K)
        rows, codes = np.arange(len(scores)), self.codes[start:stop]
        own = scores[rows, codes]
        scores[rows, codes] = -math.inf
        return own, scores, scores.argmax(axis=1)

    def margins(self, start: int, stop: int) -> Array:
        """Return by how much the own class of rows start to stop scores more than the best other one."""
        own, scores, best = self._rivals(start, stop)
        return own - scores[np.arange(len(own)), best]

    def is_mistake(self, i: int) -> bool:
        """Tell by the one row."""
        return bool(self.margins(i, i + 1)[0] <= 0)

    def update(self, i: int) -> float:
        """Add row i to its class and subtract it from the best other one."""
        rival = self._rivals(i, i + 1)[2][0]
        self.w[self.codes[i]] += self.step * self.X[i]
        self.w[rival] -= self.step * self.X[i]
        return self.doubt

    def update_all(self, wrong: Indices) -> None:
        """Do so with all these rows, with the scores before the first."""
        rivals = self._rivals(0, self.n)[2][wrong]
        np.add.at(self.w, self.codes[wrong], self.step * self.X[wrong])
        np.subtract.at(self.w, rivals, self.step * self.X[wrong])


class Dual:
    """Two classes in Gram form: signed scores of all rows, and how often each row was added."""

    def __init__(self, Q: Array) -> None:
        self.Q, self.n, self.doubt = Q, len(Q), 0.0
        self.scores, self.counts = np.zeros(self.n), np.zeros(self.n, dtype=np.int64)

    def margins(self, start: int, stop: int) -> Array:
        """Return the signed scores of rows start to stop."""
        return self.scores[start:stop]

    def is_mistake(self, i: int) -> bool:
        """Tell by the one row."""
        return bool(self.scores[i] <= 0)

    def update(self, i: int) -> float:
        """Count row i once more."""
        self.counts[i] += 1
        self.scores += self.Q[i]
        return self.doubt


def pause_after(n: int) -> int:
    """Return the number of updates after which it is decided whether the data can be separated."""
    return max(2 * n, 100)


def run_cyclic(
    machine: Any, last_visit: int, last_mistake: float, n_columns: int, visits: list[int]
) -> tuple[int, bool]:
    """Go round the rows; append the visits (1, 2, ...) of mistakes; return the visits made and whether done.

    Ends after ``last_mistake`` updates or at ``last_visit``, a multiple of n. Rows are visited one after the
    other, but their products come a window at a time: up to the first mistake they are those of one weight
    vector. Where a product is too small for its sign to be certain, the plain product of the one row decides,
    so that the path is that of the plain loop.
    """
    n, shortest, widest = machine.n, max(16, _BLOCK // 8 // n_columns), max(16, _BLOCK // n_columns)
    window, least, clean = shortest, math.inf, 0
    begun, start = divmod(visits[-1] if visits else 0, n)
    begun *= n  # visits before the pass
    margins, update = machine.margins, machine.update
    doubt, level = machine.doubt, np.array(machine.doubt)  # an array of no axis is compared twice as fast
    while begun < last_visit and len(visits) < last_mistake:
        stop = start + window if start + window < n else n
        block = margins(start, stop)
        low = block <= level
        j = low.tobytes().find(1)
        if j >= 0 and block[j] >= -doubt:
            suspects = np.flatnonzero(low).tolist()
            j = next((k for k in suspects if machine.is_mistake(start + k)), -1)
        if j < 0:
            clean += stop - start
            start = stop
            least = min(least, block[block.argmin()])
            if clean >= n:
                machine.least = float(least)
                last = visits[-1] if visits else 0
                return n * (-(-last // n) + 1), True  # the pass after that of the last mistake has none
            window = min(2 * window, widest)
        else:
            doubt = update(start + j)
            level[()] = doubt
            start += j + 1
            visits.append(begun + start)
            least, clean = math.inf, 0
            window = window // 2 if window > 2 * shortest else shortest
        if start == n:
            begun, start = begun + n, 0
    machine.least = float(margins(0, n).min())
    return begun + start, False


def run_picked(
    machine: Any, pick: str, last: int, rng: np.random.Generator | None, rows: list[Indices]
) -> bool:
    """Update at what is picked until there is no mistake or there were ``last`` updates; append the rows.

    The generator is asked for a random pick only.
    """
    while True:
        margins = machine.margins(0, machine.n)
        wrong = np.flatnonzero(margins <= 0)
        machine.least = float(margins.min())
        if not len(wrong):
            return True
        if len(rows) >= last:
            return False
        if pick == "batch":
            machine.update_all(wrong)
            rows.append(wrong)
            continue
        if pick == "random" and rng is not None:
            i = wrong[rng.integers(len(wrong))]
        else:
            i = wrong[0] if pick == "first" else np.argmin(margins)
        machine.update(int(i))
        rows.append(np.array([i], dtype=np.int64))


# ------------------------------------------------------------------- several classes as one problem


def kesler_rows(rows: Array, codes: Indices, K: int) -> Array:
    """Return the signed rows of the problem in all weights: row i against class k, shape (n (K - 1), K D)."""
    D = rows.shape[1]
    own, rival = _pairs(codes, K)
    Z = np.zeros((len(own), K, D))
    index = np.arange(len(own))
    Z[index, codes[own]], Z[index, rival] = rows[own], -rows[own]
    return Z.reshape(len(own), K * D)


def _pairs(codes: Indices, K: int) -> tuple[Indices, Indices]:
    """Return rows and rival classes of all pairs, shapes (n (K - 1),)."""
    own, rival = np.divmod(np.arange(len(codes) * K), K)
    kept = codes[own] != rival
    return own[kept], rival[kept]


def as_table(weights: Array, codes: Indices, K: int) -> Array:
    """Return the weights of the pairs as a table, shape (n, K), zero for a row's own class."""
    table = np.zeros((len(codes), K))
    table[_pairs(codes, K)] = weights
    return table
