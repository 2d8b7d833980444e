r"""The paths of `perceptron.visit_in_order`, `pick_mistakes`, `visit_classes` and `visit_in_gram_form`, fast.

Three machines hold the weights: `Linear` for two classes, `Multiclass` for more, `Dual` for the Gram form.
Each says the products of a window of rows, and what an update changes.
`visit_in_order` and `pick_mistakes` move one of them to its end and return a `Run`. A walk that does not end
soon pauses once, to decide whether it can end at all, and goes on unless it cannot.

Products of many rows with the weights are computed at once. A product in another order of summation differs
by its rounding error, which is bounded; where that leaves the sign open, the product of the one row decides.
So the path of two classes is bit for bit that of the board.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.perceptron_separability import Separability, longest, quick_decision

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
Pick: TypeAlias = Callable[[Indices, Array, Any], Indices]

BLOCK = 2**15  # entries of a window of rows, at most: 256 KiB stay in cache
SHORTEST = 16  # rows of a window, at least
PAUSE = 100  # updates, at least, before it is decided whether the walk can end


PICKS: dict[str, Pick] = {  # which of the mistakes come next, given their products with the weights
    "first": lambda mistakes, products, rng: mistakes[:1],
    "random": lambda mistakes, products, rng: mistakes[[rng.integers(len(mistakes))]],
    "worst": lambda mistakes, products, rng: mistakes[[products.argmin()]],
    "batch": lambda mistakes, products, rng: mistakes,
}


@dataclass(frozen=True, eq=False)
class Run:
    """What a walk did."""

    rows: Indices  # (t,), the row of every update, in order
    visits: Indices  # (t,), the visit, 1, 2, ..., at which it came; empty for a pick
    n_visits: int  # all of them, up to the end of the first pass without a mistake; for a pick, all steps
    least: float  # the least product of a row with the last weights
    done: bool  # whether no mistake is left
    proof: Separability | None  # of the rows, unless the walk ended before the pause


class Linear:
    """Two classes: the weight vector and the signed rows."""

    def __init__(self, Z: Array, w: Array, step: float) -> None:
        self.Z, self.w, self.n, self.width = Z, w, len(Z), Z.shape[1]
        self.moves = Z if step == 1 else step * Z
        self.radius = longest(Z)
        # products in another order differ by less than this times |w|: Higham, section 3.1, both sides
        self.unit = 4 * (Z.shape[1] + 2) * 2.0**-53 * self.radius
        self.square, self.growth = float(w @ w), (step * self.radius) ** 2
        self.doubt = self.unit * math.sqrt(self.square)

    def products(self, start: int, stop: int) -> Array:
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

    def update_all(self, rows: Indices) -> None:
        """Add all these rows."""
        self.w += self.moves[rows].sum(axis=0)

    def problem(self) -> Array:
        """Return the signed rows."""
        return self.Z


class Multiclass:
    """More classes: a row is right if its class scores more than every other."""

    def __init__(self, X: Array, codes: Indices, W: Array, step: float) -> None:
        self.X, self.codes, self.w, self.step = X, codes, W, step
        self.n, self.width, self.doubt = len(X), X.shape[1], 0.0
        self.radius = math.sqrt(2) * longest(X)

    def _rivals(self, rows: Any) -> tuple[Array, Indices]:
        """Return by how much the own class of the rows outscores its best rival, and the rival."""
        scores, codes = self.X[rows] @ self.w.T, self.codes[rows]  # (b, K)
        index = np.arange(len(scores))
        own = scores[index, codes]
        scores[index, codes] = -math.inf
        rivals = scores.argmax(axis=1)
        return own - scores[index, rivals], rivals

    def products(self, start: int, stop: int) -> Array:
        """Return by how much the own class of rows start to stop outscores the best other one."""
        return self._rivals(slice(start, stop))[0]

    def update(self, i: int) -> float:
        """Add row i to its class and subtract it from the best other one."""
        rival = self._rivals(slice(i, i + 1))[1].item()
        self.w[self.codes[i]] += self.step * self.X[i]
        self.w[rival] -= self.step * self.X[i]
        return self.doubt

    def update_all(self, rows: Indices) -> None:
        """Do so with all these rows, with the scores before the first."""
        moves, rivals = self.step * self.X[rows], self._rivals(rows)[1]
        np.add.at(self.w, self.codes[rows], moves)
        np.subtract.at(self.w, rivals, moves)

    def problem(self) -> Array:
        """Return the rows of Kesler's construction."""
        return kesler_rows(self.X, self.codes, len(self.w))


class Dual:
    """Two classes in Gram form: signed scores of all rows, and how often each row was added."""

    def __init__(self, Q: Array) -> None:
        self.Q, self.n, self.width, self.doubt = Q, len(Q), 1, 0.0
        self.scores, self.counts = np.zeros(self.n), np.zeros(self.n, dtype=np.intp)
        self.radius = math.sqrt(max(float(np.diag(Q).max()), 0.0))

    def products(self, start: int, stop: int) -> Array:
        """Return the signed scores of rows start to stop."""
        return self.scores[start:stop]

    def update(self, i: int) -> float:
        """Count row i once more."""
        self.counts[i] += 1
        self.scores += self.Q[i]
        return self.doubt

    def problem(self) -> Array:
        """Return rows with the products Q, eigenvalues of rounding size left out."""
        values, V = np.linalg.eigh(self.Q)
        large = values > self.n * np.finfo(np.float64).eps * abs(values).max()
        return V[:, large] * np.sqrt(values[large]) if large.any() else np.zeros((self.n, 1))


# ------------------------------------------------------------------- the walks


def pause_after(n: int, batch: bool = False) -> int:
    """Return after how many updates, or steps of all mistakes, it is decided whether the walk can end."""
    return PAUSE if batch else max(2 * n, PAUSE)


def visit_in_order(machine: Linear | Multiclass | Dual, last_visit: int) -> Run:
    """Walk as `perceptron.visit_in_order`, at most up to ``last_visit``, a multiple of n.

    Rows are visited one after the other, but their products come a window at a time: up to the first mistake
    they are those of one weight vector. Where a product is too small for its sign to be certain, the product
    of the one row decides.
    """
    n, pause = machine.n, pause_after(machine.n)
    shortest = max(SHORTEST, BLOCK // 8 // machine.width)
    widest = max(SHORTEST, BLOCK // machine.width)
    window = shortest
    visits: list[int] = []
    begun, start = 0, 0  # visits before the pass, and in it
    least, clean = math.inf, 0  # of the rows since the last update
    products, update, proof = machine.products, machine.update, None
    doubt, level = machine.doubt, np.array(machine.doubt)  # an array of no axis is compared twice as fast
    while begun < last_visit:
        stop = start + window if start + window < n else n
        block = products(start, stop)
        low = block <= level
        j = low.tobytes().find(1)
        if j >= 0 and block[j] >= -doubt and isinstance(machine, Linear):
            suspects = np.flatnonzero(low).tolist()
            j = next((k for k in suspects if machine.is_mistake(start + k)), -1)
        if j < 0:
            clean += stop - start
            start = stop
            least = min(least, block[block.argmin()])
            if clean >= n:  # the pass after that of the last mistake has none
                last = visits[-1] if visits else 0
                begun, start = n * (-(-last // n) + 1), 0
                break
            window = min(2 * window, widest)
        else:
            doubt = update(start + j)
            level[()] = doubt
            start += j + 1
            visits.append(begun + start)
            if len(visits) == pause:
                proof = quick_decision(machine.problem())
                if proof.separable is False:
                    break
            least, clean = math.inf, 0
            window = window // 2 if window > 2 * shortest else shortest
        if start == n:
            begun, start = begun + n, 0
    done = clean >= n
    if not done:  # yet the last pass may have put all rows right
        block = products(0, n)
        left = np.flatnonzero(block <= doubt).tolist()
        if isinstance(machine, Linear):
            left = [i for i in left if machine.is_mistake(i)]
        least, done = block.min(), not left
        proof = proof if done else proof or quick_decision(machine.problem())
    at = np.array(visits, dtype=np.intp)
    return Run((at - 1) % n, at, begun + start, float(least), done, proof)


def pick_mistakes(machine: Linear | Multiclass, last_step: int, pick: Pick, rng: Any, pause: int) -> Run:
    """Walk as `perceptron.pick_mistakes`, with one of its picks, at most ``last_step`` steps."""
    steps: list[Indices] = []
    proof = None
    while True:
        products = machine.products(0, machine.n)
        wrong = np.flatnonzero(products <= 0)
        if len(wrong) and len(steps) in (pause, last_step):
            proof = proof or quick_decision(machine.problem())
            if proof.separable is False or len(steps) == last_step:
                break
        if not len(wrong):
            break
        steps.append(pick(wrong, products[wrong], rng))
        machine.update_all(steps[-1])
    rows = np.concatenate([np.zeros(0, dtype=np.intp), *steps])
    return Run(rows, rows[:0], len(steps), float(products.min()), not len(wrong), proof)


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
    different = codes[own] != rival
    return own[different], rival[different]


def as_table(weights: Array, codes: Indices, K: int) -> Array:
    """Return the weights of the pairs as a table, shape (n, K), zero for a row's own class."""
    table = np.zeros((len(codes), K))
    table[_pairs(codes, K)] = weights
    return table
