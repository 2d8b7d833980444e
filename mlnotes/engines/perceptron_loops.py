r"""The algorithms of `mlnotes.perceptron`, with the inner products of many examples computed at once.

`TwoClasses`, `SeveralClasses` and `InnerProducts` hold the weights: they return the products of a block of
examples, and change at an update. `run_in_order` and `run_by_choice` update one of them until no mistake is
left, and return a `Run`. A run that does not end soon pauses once, to decide whether the data are separable,
and ends there if they are not.

Products in another order of summation differ by a rounding error, which is bounded; where that leaves the
sign open, the product of the single example decides. So with two classes the weights are bit for bit those
of the reference module.
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

BLOCK = 2**15  # entries of a block of examples, at most: 256 KiB stay in cache
SHORTEST = 16  # examples of a block, at least
PAUSE = 100  # updates, at least, before it is decided whether the data are separable


PICKS: dict[str, Pick] = {  # which of the mistakes come next, given their products with the weights
    "first": lambda mistakes, products, rng: mistakes[:1],
    "random": lambda mistakes, products, rng: mistakes[[rng.integers(len(mistakes))]],
    "worst": lambda mistakes, products, rng: mistakes[[products.argmin()]],
    "batch": lambda mistakes, products, rng: mistakes,
}


@dataclass(frozen=True, eq=False)
class Run:
    """The updates of a run, and how it ended."""

    examples: Indices  # (t,), of every update, in order
    visits: Indices  # (t,), the visit, 1, 2, ..., at which it came; empty if mistakes are chosen
    n_visits: int  # all of them, up to the end of the first pass without a mistake; else all steps
    smallest: float  # product of an example with the last weights
    done: bool  # whether no mistake is left
    proof: Separability | None  # unless the run ended before the pause


class TwoClasses:
    """Two classes: the weight vector and the signed examples."""

    def __init__(self, Z: Array, w: Array, step: float) -> None:
        self.Z, self.w, self.n, self.width = Z, w, len(Z), Z.shape[1]
        self.moves = Z if step == 1 else step * Z
        self.radius = longest(Z)
        # products in another order differ by less than this times |w|: Higham, section 3.1, both sides
        self.unit = 4 * (Z.shape[1] + 2) * 2.0**-53 * self.radius
        self.square, self.growth = float(w @ w), (step * self.radius) ** 2
        self.error = self.unit * math.sqrt(self.square)

    def products(self, start: int, stop: int) -> Array:
        """Return the products of examples start to stop."""
        return self.Z[start:stop].dot(self.w)

    def is_mistake(self, i: int) -> bool:
        """Return whether example i is a mistake, by its product alone."""
        return bool(self.Z[i].dot(self.w) <= 0)

    def update(self, i: int) -> float:
        """Add example i; return a bound on the rounding error of a product from now on."""
        np.add(self.w, self.moves[i], self.w)
        self.square += self.growth  # at least |w|^2, as in the proof of the mistake bound
        self.error = error = self.unit * math.sqrt(self.square)
        return error

    def update_all(self, examples: Indices) -> None:
        """Add several examples."""
        self.w += self.moves[examples].sum(axis=0)

    def signed_examples(self) -> Array:
        """Return the signed examples."""
        return self.Z


class SeveralClasses:
    """Several classes: an example is a mistake unless its class scores more than every other."""

    def __init__(self, X: Array, codes: Indices, W: Array, step: float) -> None:
        self.X, self.codes, self.w, self.step = X, codes, W, step
        self.n, self.width, self.error = len(X), X.shape[1], 0.0
        self.radius = math.sqrt(2) * longest(X)

    def _rivals(self, examples: Any) -> tuple[Array, Indices]:
        """Return by how much the class of each example outscores its best rival, and the rival."""
        scores, codes = self.X[examples] @ self.w.T, self.codes[examples]  # (b, K)
        index = np.arange(len(scores))
        true_score = scores[index, codes]
        scores[index, codes] = -math.inf
        rivals = scores.argmax(axis=1)
        return true_score - scores[index, rivals], rivals

    def products(self, start: int, stop: int) -> Array:
        """Return by how much the class of examples start to stop outscores the best other one."""
        return self._rivals(slice(start, stop))[0]

    def update(self, i: int) -> float:
        """Add example i to the weights of its class, subtract it from those of the best other one."""
        rival = self._rivals(slice(i, i + 1))[1].item()
        self.w[self.codes[i]] += self.step * self.X[i]
        self.w[rival] -= self.step * self.X[i]
        return self.error

    def update_all(self, examples: Indices) -> None:
        """Do so with several examples, with the scores before the first."""
        moves, rivals = self.step * self.X[examples], self._rivals(examples)[1]
        np.add.at(self.w, self.codes[examples], moves)
        np.subtract.at(self.w, rivals, moves)

    def signed_examples(self) -> Array:
        """Return the signed examples of Kesler's construction."""
        return kesler_examples(self.X, self.codes, len(self.w))


class InnerProducts:
    """Two classes by inner products alone: all signed scores, and how often each example was added."""

    def __init__(self, Q: Array) -> None:
        self.Q, self.n, self.width, self.error = Q, len(Q), 1, 0.0
        self.scores, self.counts = np.zeros(self.n), np.zeros(self.n, dtype=np.intp)
        self.radius = math.sqrt(max(float(np.diag(Q).max()), 0.0))

    def products(self, start: int, stop: int) -> Array:
        """Return the signed scores of examples start to stop."""
        return self.scores[start:stop]

    def update(self, i: int) -> float:
        """Count example i once more."""
        self.counts[i] += 1
        self.scores += self.Q[i]
        return self.error

    def signed_examples(self) -> Array:
        """Return vectors with the inner products Q, without directions of rounding size."""
        values, V = np.linalg.eigh(self.Q)
        large = values > self.n * np.finfo(np.float64).eps * abs(values).max()
        return V[:, large] * np.sqrt(values[large]) if large.any() else np.zeros((self.n, 1))


# ------------------------------------------------------------------- the runs


def pause_after(n: int, batch: bool = False) -> int:
    """Return after how many updates, or batches, it is decided whether the data are separable."""
    return PAUSE if batch else max(2 * n, PAUSE)


def run_in_order(state: TwoClasses | SeveralClasses | InnerProducts, last_visit: int) -> Run:
    """Run as `mlnotes.perceptron.perceptron`, at most up to ``last_visit``, a multiple of n.

    Examples are visited one after the other, but their products are computed a block at a time: up to the
    first mistake they are those of one weight vector. Where a product is too small for its sign to be
    certain, the product of the single example decides.
    """
    n, pause = state.n, pause_after(state.n)
    shortest = max(SHORTEST, BLOCK // 8 // state.width)
    widest = max(SHORTEST, BLOCK // state.width)
    size = shortest
    visits: list[int] = []
    begun, start = 0, 0  # visits before the pass, and in it
    smallest, clean = math.inf, 0  # of the examples since the last update
    products, update, proof = state.products, state.update, None
    error, level = state.error, np.array(state.error)  # comparing with an array is twice as fast
    while begun < last_visit:
        stop = start + size if start + size < n else n
        block = products(start, stop)
        low = block <= level
        j = low.tobytes().find(1)
        if j >= 0 and block[j] >= -error and isinstance(state, TwoClasses):
            suspects = np.flatnonzero(low).tolist()
            j = next((k for k in suspects if state.is_mistake(start + k)), -1)
        if j < 0:
            clean += stop - start
            start = stop
            smallest = min(smallest, block[block.argmin()])
            if clean >= n:  # the pass after that of the last mistake has none
                last = visits[-1] if visits else 0
                begun, start = n * (-(-last // n) + 1), 0
                break
            size = min(2 * size, widest)
        else:
            error = update(start + j)
            level[()] = error
            start += j + 1
            visits.append(begun + start)
            if len(visits) == pause:
                proof = quick_decision(state.signed_examples())
                if proof.separable is False:
                    break
            smallest, clean = math.inf, 0
            size = size // 2 if size > 2 * shortest else shortest
        if start == n:
            begun, start = begun + n, 0
    done = clean >= n
    if not done:  # yet the last pass may have left no mistake
        block = products(0, n)
        left = np.flatnonzero(block <= error).tolist()
        if isinstance(state, TwoClasses):
            left = [i for i in left if state.is_mistake(i)]
        smallest, done = block.min(), not left
        proof = proof if done else proof or quick_decision(state.signed_examples())
    at = np.array(visits, dtype=np.intp)
    return Run((at - 1) % n, at, begun + start, float(smallest), done, proof)


def run_by_choice(
    state: TwoClasses | SeveralClasses, last_step: int, pick: Pick, rng: Any, pause: int
) -> Run:
    """Run as `mlnotes.perceptron.perceptron_any_order`, or in batches, at most ``last_step`` steps."""
    steps: list[Indices] = []
    proof = None
    while True:
        products = state.products(0, state.n)
        wrong = np.flatnonzero(products <= 0)
        if len(wrong) and len(steps) in (pause, last_step):
            proof = proof or quick_decision(state.signed_examples())
            if proof.separable is False or len(steps) == last_step:
                break
        if not len(wrong):
            break
        steps.append(pick(wrong, products[wrong], rng))
        state.update_all(steps[-1])
    examples = np.concatenate([np.zeros(0, dtype=np.intp), *steps])
    return Run(examples, examples[:0], len(steps), float(products.min()), not len(wrong), proof)


# ------------------------------------------------------------------- several classes as one signed_examples


def kesler_examples(X: Array, codes: Indices, K: int) -> Array:
    """Return the signed examples of all weights together, i against class k, shape (n (K - 1), K D)."""
    D = X.shape[1]
    example, rival = _pairs(codes, K)
    Z = np.zeros((len(example), K, D))
    index = np.arange(len(example))
    Z[index, codes[example]], Z[index, rival] = X[example], -X[example]
    return Z.reshape(len(example), K * D)


def _pairs(codes: Indices, K: int) -> tuple[Indices, Indices]:
    """Return examples and rival classes of all pairs, shapes (n (K - 1),)."""
    example, rival = np.divmod(np.arange(len(codes) * K), K)
    different = codes[example] != rival
    return example[different], rival[different]


def as_table(weights: Array, codes: Indices, K: int) -> Array:
    """Return the weights of the pairs as a table, shape (n, K), zero for an example's class."""
    table = np.zeros((len(codes), K))
    table[_pairs(codes, K)] = weights
    return table
