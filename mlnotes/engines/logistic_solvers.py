r"""The solver of logistic regression: L-BFGS with a good preconditioner and a good start.

The objective as a function of a matrix T, the rows of weights with the intercept in the last column:

.. math:: f(T) = \sum_i\pi_i\Bigl(\log\sum_k e^{z_{ik}} - z_{iy_i}\Bigr) + \frac\lambda2\|W\|^2,
          \qquad z_{ik} = \langle w_k, x_i - c\rangle + b_k,

with weights :math:`\pi_i` (``pi``) of the training examples that sum to 1, the ``shift`` c their mean if
there is an intercept, and the ``penalty`` :math:`\lambda`. T has a row for each class; two classes have one,
and :math:`z_{i0} = 0`.
`Risk` gives value, gradient and Hessian in blocks of rows that stay in cache, `minimise` the minimum.

Sources: Liu and Nocedal (1989), Mathematical Programming 45, for L-BFGS; Hager and Zhang (2005), SIAM Journal
on Optimization 16, for a step that is accepted by slopes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.rows import row_blocks

Array = NDArray[np.float64]
Codes = NDArray[np.int64]

BLOCK = 2**16  # entries of a block of rows: half a MiB stays in cache
MIN_BLOCK = 64  # rows of a block, however wide they are
CACHE_BYTES = 2**25  # bytes; what is larger does not stay in the cache
SUBSAMPLE = 8  # the start for many examples is the solution for every eighth of them
PER_FEATURE = 20  # examples in such a subsample for each feature, and for ten features at least
MAX_HESSIAN = 600  # parameters up to which the whole Hessian is a preconditioner; beyond, its diagonal blocks
MAX_GRAM = 320  # features for each vector of weights, from which on the first preconditioner is diagonal
MEMORY = 10  # pairs that L-BFGS remembers
PATIENCE = 6  # smallest number of steps with one preconditioner


class Risk:
    """Average loss plus penalty as a function of T, shape (m, d + 1): weights, last the intercepts.

    m = 1 for two classes, else K. Intercepts are those of the *centred* features: then the Hessian at 0 is
    block diagonal. The labels enter through the class sums S alone: mean loss = mean log-partition - <T, S>.
    """

    def __init__(
        self,
        X: Array,
        codes: Codes,
        weights: Array | None,
        K: int,
        penalty: float,
        intercept: bool,
        centre: bool = True,
        offset: Array | float = 0.0,
    ) -> None:
        n, d = X.shape
        self.X, self.codes, self.m = X, codes, 1 if K == 2 else K
        self.penalty, self.intercept = penalty, intercept
        self.pi = np.full(n, 1 / n) if weights is None else weights / weights.sum()  # (n,)
        self.uniform = weights is None
        self.step = max(MIN_BLOCK, 2 * BLOCK // max(d, 16, 8 * self.m))
        self.from_memory = X.nbytes > CACHE_BYTES and X.flags.c_contiguous
        sums = self._class_sums(K)  # (K, d + 1)
        self.class_proportions = sums[:, -1].copy()
        self.shift = sums[:, :-1].sum(axis=0) if intercept and centre else np.zeros(d)
        self.origin = self.shift + offset  # X + offset are the raw features
        self.S = sums if K > 2 else sums[1:]
        self.S[:, :-1] -= np.outer(self.S[:, -1], self.shift)
        if not intercept:
            self.S[:, -1] = 0.0
        self.n_parameters = self.S.size

    def _class_sums(self, K: int) -> Array:
        """Return the weighted sums of the examples of each class; the last column sums the weights."""
        sums = np.zeros((K, self.X.shape[1] + 1))
        for rows in self.blocks():
            codes, pi = self.codes[rows], self.pi[rows]
            members = np.zeros((K, len(codes)))
            members[codes, np.arange(len(codes))] = pi
            sums[:, :-1] += members @ self.X[rows]
            sums[:, -1] += members.sum(axis=1)
        return sums

    def blocks(self, step: int | None = None) -> Iterator[slice]:
        """Yield slices of the rows, ``step`` long."""
        step = step or self.step
        return (slice(start, start + step) for start in range(0, len(self.X), step))

    def scores(self, T: Array, rows: slice) -> Array:
        """Return the scores of a block of rows, shape (m, rows): classes along long rows."""
        X = self.X[rows]
        if self.from_memory:
            np.vdot(X, X)  # as in `products`
        Z = T[:, :-1] @ X.T
        Z += (T[:, -1] - T[:, :-1] @ self.shift)[:, None]
        return Z

    def __call__(self, T: Array) -> tuple[float, Array]:
        """Return the objective and its gradient, shape (m, d + 1), in one pass over the rows."""
        log_partition, g = 0.0, np.zeros_like(T)
        for rows in self.blocks():
            Z = self.scores(T, rows)
            total, top = probabilities(Z)
            logs = np.log(total) + top
            if self.uniform:
                log_partition += float(logs.sum())
            else:
                Z *= self.pi[rows]
                log_partition += float(logs @ self.pi[rows])
            g[:, :-1] += Z @ self.X[rows]
            g[:, -1] += Z.sum(axis=1)
        if self.uniform:
            log_partition, g = log_partition / len(self.X), g / len(self.X)
        g[:, :-1] -= np.outer(g[:, -1], self.shift)
        if not self.intercept:
            g[:, -1] = 0.0
        g -= self.S
        g[:, :-1] += self.penalty * T[:, :-1]
        ridge = 0.5 * self.penalty * float((T[:, :-1] ** 2).sum())
        return log_partition - float(np.vdot(T, self.S)) + ridge, g

    def norm(self, g: Array) -> float:
        """Return the norm of the gradient in the coordinates of the raw features."""
        raw = g.copy()
        raw[:, :-1] += np.outer(g[:, -1], self.origin)
        return math.sqrt(float(np.vdot(raw, raw)))

    def weights_and_intercept(self, T: Array) -> tuple[Array, Array]:
        """Return the weights (m, d) and the intercept of the raw features (m,), both with sum 0 if m > 1."""
        T = T - T.mean(axis=0) if self.m > 1 else T
        intercept = T[:, -1] - T[:, :-1] @ self.origin
        return T[:, :-1].copy(), intercept if self.intercept else np.zeros(len(T))

    def subsample(self) -> Risk:
        """Return the same problem for every eighth row."""
        some = slice(None, None, SUBSAMPLE)
        weights = None if self.uniform else self.pi[some]
        K = len(self.class_proportions)
        return Risk(self.X[some].copy(), self.codes[some], weights, K, self.penalty, self.intercept)

    def sizes(self) -> Array:
        """Return the root mean squares of the features and of the constant 1, shape (d + 1,)."""
        return np.sqrt(np.append(np.einsum("i,ij,ij->j", self.pi, self.X, self.X), 1.0))

    def margins(self, T: Array) -> tuple[float, float]:
        """Return the smallest and the largest difference of the true class's score and another one."""
        lowest, highest = math.inf, -math.inf
        for rows in self.blocks():
            Z, y = self.scores(T, rows), self.codes[rows]
            if self.m == 1:
                Z = np.vstack([np.zeros_like(Z), Z])
            place = np.arange(len(y))
            excess = Z[y, place] - Z
            highest = max(highest, float(excess.max()))
            excess[y, place] = np.inf
            lowest = min(lowest, float(excess.min()))
        return lowest, highest

    # preconditioners of L-BFGS: symmetric positive definite M whose inverse is known

    def preconditioner_at_zero(self) -> Callable[[Array], Array]:
        """Return the map g -> M^-1 g for the Hessian at T = 0: one matrix of size d + 1 for all classes.

        There p = 1/K everywhere, and on gradients, whose rows add up to 0, the Hessian is X'X/n times 1/K
        (1/4 for the binary model). Wide data begin with its diagonal.
        """
        curvature = 0.25 if self.m == 1 else 1 / self.m
        if self.X.shape[1] > MAX_GRAM * self.m:  # the matrix would cost ten gradients, its diagonal will do
            spread = np.einsum("i,ij,ij->j", self.pi, self.X, self.X) - self.shift**2
            steep = curvature * np.append(np.where(spread > 0, spread, 1.0), 1.0) + self.penalty
            return lambda g: g / steep
        A = self.X if self.uniform else self.X * np.sqrt(self.pi)[:, None]
        gram = A.T @ A / (len(A) if self.uniform else 1.0) - np.outer(self.shift, self.shift)
        M = np.zeros((len(gram) + 1,) * 2)
        M[:-1, :-1], M[-1, -1] = curvature * gram + self.penalty * np.eye(len(gram)), curvature
        inverse = regular_inverse(M)
        return lambda g: g @ inverse

    def preconditioner(self, T: Array) -> Callable[[Array], Array]:
        """Return the map g -> M^-1 g for the Hessian at T, or for its diagonal blocks if it is large."""
        if self.n_parameters <= MAX_HESSIAN:
            inverse = regular_inverse(self.hessian(T))
            return lambda g: (inverse @ g.ravel()).reshape(g.shape)
        inverses = np.array([regular_inverse(block) for block in self.diagonal_blocks(T)])
        return lambda g: np.matmul(inverses, g[:, :, None])[:, :, 0]

    def hessian(self, T: Array) -> Array:
        """Return the Hessian, shape (m (d + 1), m (d + 1)); for m > 1 regular also along equal rows."""
        m, p = T.shape
        H = np.zeros((m * p, m * p))
        for X, P, pi in self._curved(T, m * p):
            if m == 1:
                A = X * np.sqrt(pi * P[0] * (1 - P[0]))[:, None]
                H += A.T @ A
                continue
            A = ((P * np.sqrt(pi)).T[:, :, None] * X[:, None, :]).reshape(len(X), m * p)
            H -= A.T @ A
            for k in range(m):
                A = X * np.sqrt(P[k] * pi)[:, None]
                H[k * p : (k + 1) * p, k * p : (k + 1) * p] += A.T @ A
        blocks = H.reshape(m, p, m, p)
        if m > 1:  # gradients have no part along equal rows: any curvature will do there
            blocks += (sum(blocks[k, :, k] for k in range(m)) / m**2)[None, :, None, :]
        H[np.diag_indices(m * p)] += np.tile(self.ridge(), m)
        return H

    def diagonal_blocks(self, T: Array) -> Array:
        """Return the K diagonal blocks of the Hessian, shape (m, d + 1, d + 1)."""
        m, p = T.shape
        blocks = np.zeros((m, p, p))
        for X, P, pi in self._curved(T, p):
            for k, q in enumerate(P):
                w = np.sqrt(q * (1 - q))
                seen = np.flatnonzero(w > 1e-6)  # examples that are certain have no curvature
                A = X[seen] * (w * np.sqrt(pi))[seen, None]
                blocks[k] += A.T @ A
        return blocks + np.diag(self.ridge())

    def ridge(self) -> Array:
        """Return what the penalty adds to the diagonal of each block of the Hessian, shape (d + 1,)."""
        return np.append(np.full(self.S.shape[1] - 1, self.penalty), 0.0)

    def _curved(self, T: Array, width: int) -> Iterator[tuple[Array, Array, Array]]:
        """Yield blocks of centred rows with a one, (rows, d + 1), probabilities (m, rows) and weights."""
        step = max(MIN_BLOCK, BLOCK // width)
        for rows in self.blocks(step):
            Z = self.scores(T, rows)
            probabilities(Z)
            X = np.ones((Z.shape[1], T.shape[1]))
            np.subtract(self.X[rows], self.shift, out=X[:, :-1])
            if not self.intercept:
                X[:, -1] = 0.0
            yield X, Z, self.pi[rows]


def centred_if_far(X: Array) -> tuple[Array, Array | float]:
    """Return X - offset and the offset: the column means, if a feature is far from 0 compared to its spread.

    A feature that is constant, up to the rounding error of its own mean, becomes exactly 0.
    """
    some = X[:: max(1, len(X) // 1000)]
    if (abs(some.mean(axis=0)) <= 100 * some.std(axis=0)).all():
        return X, 0.0
    offset = X.mean(axis=0)
    near = X - offset
    near[:, abs(near).max(axis=0) <= 1e-12 * abs(offset)] = 0.0
    return near, offset


def products(W: Array, X: Array, out: Array | None = None) -> Array:
    """Return W X', shape (m, n), for weights (m, d) and rows (n, d), in ``out`` if that is given.

    Where X is not in the cache, `np.vdot` first reads a block of it in order, as fast as memory can, and
    leaves it in the cache; the product, which reads several rows at once, would wait for memory longer.
    """
    Z = np.empty((len(W), len(X))) if out is None else out
    passes = 1 if len(W) == 1 else 3  # a product of matrices first packs X into a copy
    in_cache = passes * X.nbytes < CACHE_BYTES
    blocks = [slice(None)] if in_cache else row_blocks(len(X), X.shape[1], BLOCK // 2)
    for rows in blocks:
        some = X[rows]
        if not in_cache and some.flags.c_contiguous:
            np.vdot(some, some)
        np.matmul(W, some.T, out=Z[:, rows])
    return Z


def probabilities(Z: Array) -> tuple[Array, Array]:
    """Turn scores (m, n) into probabilities in place; return a, b (n,): log a + b is the log-partition.

    A single row is that of class 1, and the score of class 0 is 0.
    """
    top = np.maximum(Z[0], 0.0) if len(Z) == 1 else Z.max(axis=0)
    Z -= top
    np.exp(Z, out=Z)
    total = Z[0] + np.exp(-top) if len(Z) == 1 else Z.sum(axis=0)
    Z /= total
    return total, top


def regular_inverse(M: Array) -> Array:
    """Return the inverse of a positive semidefinite matrix; it is 0 in directions that are flat.

    So no step leads along collinear features, which only rounding errors tell apart.
    """
    diagonal = np.diag(M)
    scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    R, flat = M / scale / scale[:, None], 1e-13 * len(M)
    inverse = np.linalg.inv(R + flat * np.eye(len(R)))
    if inverse.diagonal().max() > 1e-3 / flat:  # the smallest eigenvalue may be that small
        values, B = np.linalg.eigh(R)
        steep = values > 10 * flat
        inverse = B[:, steep] / values[steep] @ B[:, steep].T
    return inverse / scale / scale[:, None]


def minimise(risk: Risk, tol: float, max_iter: int) -> Run:
    """Return the run that came down to a gradient norm of at most tol, or as far as it could.

    L-BFGS starts at the solution for every eighth example with the Hessian there, or at 0 with the Hessian at
    0. Every now and then the preconditioner is computed anew, so that the method becomes Newton's where a
    Hessian is cheap.
    """
    enough = SUBSAMPLE * PER_FEATURE * max(10, risk.S.shape[1])
    run = _warm_start(risk) if len(risk.X) >= enough else None
    run = run or Run(risk, np.zeros_like(risk.S), risk.preconditioner_at_zero())
    size = risk.n_parameters if risk.n_parameters <= MAX_HESSIAN else risk.S.shape[1]
    patience = PATIENCE + size // 3  # a Hessian costs about as much as size / 3 gradients
    value, norm = math.inf, math.inf  # at the last preconditioner
    while run.n_steps < max_iter and (now := risk.norm(run.g)) > tol:
        if run.n_steps - run.since >= patience:
            if run.f >= value and now >= norm:  # the steps since then were rounding errors
                break
            value, norm = run.f, now
            run.renew(risk.preconditioner(run.T))
            if risk.n_parameters > MAX_HESSIAN:
                patience = 3 * patience  # new blocks are worth less than old pairs
        if not run.advance():
            if run.since == run.n_steps:  # a new preconditioner did not help: only rounding errors are left
                break
            run.renew(risk.preconditioner(run.T))
    return run


def _warm_start(risk: Risk) -> Run | None:
    """Return a run from the solution for every eighth example, if that is a better start than 0."""
    subsample = risk.subsample()
    if subsample.class_proportions.min() == 0:
        return None
    start = minimise(subsample, 1e-3 * subsample.norm(subsample(np.zeros_like(risk.S))[1]), 30).T.copy()
    small = risk.n_parameters <= MAX_HESSIAN
    preconditioner = subsample.preconditioner(start) if small else risk.preconditioner_at_zero()
    start[:, -1] += start[:, :-1] @ (risk.shift - subsample.shift)
    run = Run(risk, start, preconditioner)
    return run if run.f < math.log(len(risk.class_proportions)) else None  # the objective at 0 is log K


class Run:
    """L-BFGS; a step is accepted by Armijo's rule, or by slopes where values are rounded."""

    def __init__(self, risk: Risk, T: Array, preconditioner: Callable[[Array], Array]) -> None:
        self.risk, self.T, self.n_steps = risk, T, 0
        self.f, self.g = risk(T)
        self.renew(preconditioner)

    def renew(self, preconditioner: Callable[[Array], Array]) -> None:
        """Go on with another preconditioner, and with no pairs."""
        self.preconditioner, self.factor, self.since = preconditioner, 1.0, self.n_steps
        self.pairs: list[tuple[Array, Array, float]] = []

    def direction(self) -> Array:
        """Return the two-loop recursion's result q; the step goes along -q."""
        q, coefficients = self.g.copy(), []
        for s, y, sy in reversed(self.pairs):
            coefficients.append(np.vdot(s, q) / sy)
            q -= coefficients[-1] * y
        q = self.factor * self.preconditioner(q)
        for (s, y, sy), a in zip(self.pairs, reversed(coefficients), strict=True):
            q += (a - np.vdot(y, q) / sy) * s
        return q

    def advance(self) -> bool:
        """Take one step; return whether there was one."""
        q = self.direction()
        slope, a = -float(np.vdot(self.g, q)), 1.0
        if not slope < 0:  # only rounding errors are left
            return False
        slack = 1e-14 * (abs(self.f) + float(abs(self.T * self.risk.S).sum()))
        while a > 1e-10:
            T = self.T - a * q
            f, g = self.risk(T)
            slope_there = -float(np.vdot(g, q))
            if f <= self.f + 1e-4 * a * slope:
                break
            if f <= self.f + slack and abs(slope_there) <= 0.9 * abs(slope):
                break
            secant = slope / (slope - slope_there) if slope_there > 0 else 0.5
            a *= min(max(secant, 0.1), 0.5)
        else:
            return False
        s, y = T - self.T, g - self.g
        sy = float(np.vdot(s, y))
        if sy > 0:
            self.factor = sy / float(np.vdot(y, self.preconditioner(y)))
            self.pairs = [*self.pairs, (s, y, sy)][-MEMORY:]
        self.T, self.f, self.g = T, f, g
        self.n_steps += 1
        return True
