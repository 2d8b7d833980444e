"""Systems with correlation matrices, Fisher's directions by classes, and quadratic scores in strips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.linear_algebra import cholesky

Array = NDArray[np.float64]

RANK_TOLERANCE = 1e-10  # `discriminant.TOLERANCE`: eigenvalues below this share of the largest count as zero
STRIP = 64  # rows of a strip of a triangular matrix; chosen with benchmarks/discriminant.py


@dataclass(frozen=True)
class RangeSolution:
    """Z with R Z = ``seen``, the part of the right side that lies in the range of R."""

    Z: NDArray[Any]  # (d, K)
    seen: Array  # (d, K)
    rank: int


def factor(R: Array) -> NDArray[Any] | None:
    """Return the Cholesky factor of a correlation matrix, or None if it is singular to tolerance."""
    try:
        L = cholesky(R)
    except np.linalg.LinAlgError:
        return None
    # its squared diagonal is the share of each feature's variance that the features before it leave open
    return L if np.diag(L).min() ** 2 > RANK_TOLERANCE else None


def solve_on_range(R: Array, B: Array) -> RangeSolution:
    """Return A'A B for the A of `discriminant.whitener`, which solves R Z = B where R can."""
    if factor(R) is not None:
        return RangeSolution(np.linalg.solve(R, B), B, len(R))
    values, V = np.linalg.eigh(R)
    varies = values > RANK_TOLERANCE * values[-1]
    V, inside = V[:, varies], V[:, varies].T @ B
    return RangeSolution(V @ (inside / values[varies, None]), V @ inside, V.shape[1])


def fisher_directions(W: Array, deviations: Array, prior: Array) -> tuple[Array, Array]:
    r"""Return `discriminant.fisher_directions`, by an eigenproblem of size K only.

    With M the deviations, :math:`\Omega = \operatorname{diag}(\pi)` and :math:`W = M\Sigma^{-1}`: if u is
    a unit eigenvector of :math:`\Omega^{1/2}WM^\top\Omega^{1/2}` with value v, then
    :math:`a = W^\top\Omega^{1/2}u/\sqrt v` has :math:`M^\top\Omega M a = v\,\Sigma a` and
    :math:`a^\top\Sigma a = 1`.
    """
    root = np.sqrt(prior)[:, None]
    values, vectors = np.linalg.eigh(root * (W @ deviations.T) * root.T)
    some = np.flatnonzero(values > RANK_TOLERANCE * max(values[-1], 0.0))[::-1]
    return values[some], (root * W).T @ (vectors[:, some] / np.sqrt(values[some]))  # (m,), (d, m)


def quadratic_scores(X: Array, means: Array, whiteners: Any, constants: Array) -> Array:
    """Return `discriminant.quadratic_discriminants` as rows, shape (K, n): sums run along long rows.

    The constants are log pi_k - log det Sigma_k / 2. The whiteners are lower triangular, so that a strip
    of their rows needs only the first features: half the work.
    """
    columns, scores = X.T.copy(), np.empty((len(means), len(X)))  # (d, n), (K, n)
    for k, (mean, A) in enumerate(zip(means, whiteners, strict=True)):
        gaps, square = columns - mean[:, None], np.zeros(len(X))
        for low in range(0, len(A), STRIP):
            Z = A[low : low + STRIP, : low + STRIP] @ gaps[: low + STRIP]
            square += np.square(Z, out=Z).sum(axis=0)
        scores[k] = constants[k] - 0.5 * square
    return scores
