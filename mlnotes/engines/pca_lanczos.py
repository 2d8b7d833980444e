"""The first few pairs of `pca.eigenpairs`, by the method of Lanczos, with a proof that none was missed.

Lanczos (1950): the span of q, Aq, AAq, ... for a random q soon contains the first eigenvectors to rounding.
Each new vector is made orthogonal to all before it, and A acts on the span as the tridiagonal matrix T tr A.
The error A v - theta v of a vector is what leads out of the span. But for rounding, the span contains one
direction only of an eigenspace: where one is missed, the proof fails.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines.linear_algebra import cholesky

Array = NDArray[np.float64]

FIRST_LOOK = 20  # dimension of the span at which eigenvectors are first looked for; 2 k if that is more
GROWTH = 1.25  # and how it grows until the next look; both chosen with benchmarks/pca.py
CONVERGED = 1e-13  # errors of eigenvectors, relative to the largest eigenvalue
PROVED = 1e-10  # the slack of the proof, relative to the least of the eigenvalues

_EPS, _TINY = float(np.finfo(np.float64).eps), float(np.finfo(np.float64).tiny)


def leading(A: Array, k: int) -> tuple[Array, Array] | None:
    """Return the first k pairs of `pca.eigenpairs`, (k,) and (m, k), or None if they are not found quickly.

    A has shape (m, m), symmetric and positive semidefinite; the signs of the vectors are free.
    """
    m, size, look = len(A), float(np.trace(A)), max(FIRST_LOOK, 2 * k)
    if size < _TINY:
        return None
    basis, T = np.empty((m, m // 2), order="F"), np.zeros((m // 2, m // 2))
    w = np.random.default_rng(0).standard_normal(m)
    length = np.sqrt(w @ w)
    for j in range(m // 2):
        basis[:, j] = w / length
        old, last = basis[:, : j + 1], basis[:, max(0, j - 1) : j + 1]
        w = A @ (basis[:, j] / size)  # of the matrix A / tr A, whose squares neither overflow nor vanish
        T[max(0, j - 1) : j + 1, j] = c = w @ last
        w -= last @ c
        w -= old @ (w @ old)  # once more and for all, against rounding
        length = np.sqrt(w @ w)
        exhausted = length <= _EPS
        if j + 1 >= look or exhausted:
            values, U = np.linalg.eigh(T[: j + 1, : j + 1], UPLO="U")
            values, U = values[: -k - 1 : -1], U[:, : -k - 1 : -1]
            if length * abs(U[-1]).max() <= CONVERGED * values[0]:
                values, V = size * values, old @ U
                return (values, V) if len(values) == k and are_the_largest(A, values, V) else None
            look = int(GROWTH * look)
        if exhausted:
            return None
    return None


def are_the_largest(A: Array, values: Array, V: Array) -> bool:
    """Prove, to ten digits, that these are the first pairs of `pca.eigenpairs`.

    The vectors are orthonormal, A maps them to their multiples, and no other eigenvalue exceeds the least of
    the values: once these parts are taken out of A, its eigenvalues are below a number c iff c I less what
    remains is positive definite, that is, has a Cholesky factor.
    """
    slack = PROVED * values[-1]
    if abs(V.T @ V - np.eye(len(values))).max() > PROVED or abs(A @ V - V * values).max() > slack:
        return False
    M = (V * values) @ V.T - A
    M[np.diag_indices(len(A))] += values[-1] + slack
    try:
        cholesky(M)
    except np.linalg.LinAlgError:
        return False
    return True
