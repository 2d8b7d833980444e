"""Three routes to the directions of `pca.PCA`, each with tr S and tr(V'SV) measured on the way.

By the (d, d) covariance, by the (n, n) matrix of inner products, or by the singular values of the centred
rows themselves. The first two can stop at the first few pairs (`pca_lanczos`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mlnotes.checks import check_size
from mlnotes.engines.pca_lanczos import leading
from mlnotes.engines.rows import row_blocks

Array = NDArray[np.float64]
Count = Callable[[Array], int]

# Chosen with benchmarks/pca.py.
BLOCK = 2**17  # entries of a block of rows: 1 MiB stays in cache
RECENTRE = 1000  # n mean^2 over the sum of centred squares from which on X'X loses more than three digits
BY_ROWS = range(16, 100)  # numbers of features for which X V is faster than (V'X')'


@dataclass(frozen=True)
class Directions:
    """What a route finds: the first k of `pca.eigenpairs`, and sums for the certificate.

    ``values`` are all min(n, d) variances, or k + 1 of them if only the first few were asked for.
    """

    mean: Array  # (d,)
    values: Array  # (min(n, d),) or (k + 1,), largest first
    V: Array  # (d, k)
    total: float  # tr S
    captured: float  # tr(V'SV), as measured


def by_covariance(X: Array, count: Count, few: int | None) -> Directions:
    """Find the first k directions by the covariance: k = count(values), or ``few`` where k is known."""
    mean, S = moments(X)
    values, V = _pairs(S, few, min(X.shape))
    k, total = count(values), float(np.trace(S))
    V, others = V[:, :k], V[:, k:]
    if 2 * k <= len(S):  # and always where only few pairs are there
        return Directions(mean, values, V, total, float((V * (S @ V)).sum()))
    return Directions(mean, values, V, total, total - float((others * (S @ others)).sum()))  # fewer columns


def by_gram(X: Array, count: Count, few: int | None) -> Directions:
    """Find the same from the inner products of the rows: of an eigenvector u, X'u is one of S, up to length.

    Householder's QR does the division: its columns are orthonormal to rounding even where X'u vanishes, and
    since the X'u come longest first, the small ones cannot disturb the large ones.
    """
    mean, X_c, _ = _centre(X)
    G = X_c @ X_c.T / (len(X) - 1)
    values, U = _pairs(G, few, min(X.shape))
    V = np.linalg.qr(X_c.T @ U[:, : count(values)])[0]
    return Directions(mean, values, V, float(np.trace(G)), _captured(X_c, V))


def by_svd(X: Array, count: Count, few: int | None) -> Directions:
    """Find the same from all singular values of the centred rows, which does not square them."""
    mean, X_c, squares = _centre(X)
    _, s, Vt = np.linalg.svd(X_c, full_matrices=False)
    values = s**2 / (len(X) - 1)
    V = Vt[: count(values)].T
    return Directions(mean, values, V, squares / (len(X) - 1), _captured(X_c, V))


def scores(X: Array, mean: Array, V: Array) -> Array:
    """Return `pca.scores` without a copy of X, shape (n, k)."""
    Z = X @ V if len(V) in BY_ROWS else (V.T @ X.T).T
    Z -= mean @ V
    return Z


def moments(X: Array) -> tuple[Array, Array]:
    """Return `pca.mean_and_covariance`, in one pass over the rows where rounding allows.

    X'X - n mean mean' is the faster formula and loses the digits of n mean^2 / sum of centred squares: it is
    used where these are at most three. Else rows are centred first. Blocks of rows are used twice while they
    are in cache; of many features they are tall, so that adding up (d, d) matrices costs little.
    """
    n, d = X.shape
    blocks = [X[rows] for rows in row_blocks(n, d, entries=max(BLOCK, 2 * d * d))]
    with np.errstate(over="ignore", invalid="ignore"):
        mean, total = np.ones(len(blocks[0])) @ blocks[0], blocks[0].T @ blocks[0]
        for block in blocks[1:]:
            mean += np.ones(len(block)) @ block
            total += block.T @ block
        mean /= n
        check_size(float(np.trace(total)), "the sum of squares")
        total -= np.outer(n * mean, mean)
    if (n / RECENTRE * mean**2 > np.diag(total)).any():
        total[:] = 0.0
        for block in blocks:
            X_c = block - mean
            total += X_c.T @ X_c
    total /= n - 1
    return mean, total


def _pairs(A: Array, few: int | None, m: int) -> tuple[Array, Array]:
    """Return the first ``few + 1`` pairs if they are soon found, else m eigenvalues and all vectors."""
    pairs = leading(A, few + 1) if few else None
    if pairs is not None:
        return pairs
    values, V = np.linalg.eigh(A)
    return np.maximum(values[::-1], 0.0)[:m], V[:, ::-1]


def _captured(X_c: Array, V: Array) -> float:
    return float(((X_c @ V) ** 2).sum() / (len(X_c) - 1))


def _centre(X: Array) -> tuple[Array, Array, float]:
    """Return the mean, shape (d,), the rows less the mean, and the sum of their squares."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.ones(len(X)) @ X / len(X)
        X_c = X - mean
        return mean, X_c, check_size(float(np.vdot(X_c, X_c)), "the sum of squares")
