r"""Principal component analysis: the orthonormal directions along which the training rows vary most.

With the training mean :math:`\hat\mu` and the training covariance

.. math:: S = \frac{1}{n-1}\sum_i(x_i-\hat\mu)(x_i-\hat\mu)^\top = V\Lambda V^\top,
          \qquad \lambda_1 \ge \dots \ge \lambda_d,

the first k columns :math:`V_k` solve two problems at once (Ky Fan; Eckart and Young):

.. math:: \max_{W^\top W = I_k}\operatorname{tr}(W^\top S W) = \sum_{j\le k}\lambda_j, \qquad
          \min_{\operatorname{rank} M\le k}\|X_c - M\|_F^2 = (n-1)\sum_{j>k}\lambda_j .

==================  ==========  ===================================================================
symbol              shape       name in the code
==================  ==========  ===================================================================
:math:`\hat\mu`     ``(d,)``    ``mean_``, of the *training* rows, used for every later row as well
:math:`S`           ``(d, d)``  ``covariance``, divisor :math:`n - 1`
:math:`\Lambda`     ``(k,)``    ``explained_variance_``, largest first
:math:`V_k^\top`    ``(k, d)``  ``components_``, one direction a *row*, its largest entry positive
==================  ==========  ===================================================================

PCA never sees a label. It keeps what varies, which need not be what tells classes apart.

Sources: chapter 10, section 10.2. Fan (1949), *On a theorem of Weyl concerning eigenvalues of linear
transformations*, theorem 1; Eckart and Young (1936), *The approximation of one matrix by another of lower
rank*.
"""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.base import (
    LimitWarning,
    Transformer,
    check_fitted,
    check_matrix,
    check_option,
    check_scalar,
    check_size,
    check_vector,
    row_blocks,
)

Array = NDArray[np.float64]
Route = tuple[Array, Array, Array, float, float, float]

_EPS, _TINY = float(np.finfo(np.float64).eps), float(np.finfo(np.float64).tiny)


# ------------------------------------------------------------------- the formulas of the board


def mean_and_covariance(X: ArrayLike) -> tuple[Array, Array]:
    r"""Return the mean, shape (d,), and the covariance with divisor :math:`n - 1`, shape (d, d).

    Raises
    ------
    ValueError
        With fewer than two rows, and where squares of the entries exceed the largest float64.

    Examples
    --------
    >>> mean, S = mean_and_covariance([[0, 0], [2, 0], [1, 3]])
    >>> mean.tolist(), S.tolist()
    ([1.0, 1.0], [[1.0, 0.0], [0.0, 3.0]])
    """
    X = check_matrix(X, min_rows=2)
    mean, scatter = _moments(X)
    return mean, scatter / (len(X) - 1)


def eigenpairs(S: ArrayLike) -> tuple[Array, Array]:
    r"""Return eigenvalues, largest first, (d,), and orthonormal eigenvectors as *columns*, (d, d).

    The entry of largest absolute value of every column is positive, so that equal input gives equal signs.

    Parameters
    ----------
    S : array-like of shape (d, d)
        Symmetric.
    """
    values, vectors = np.linalg.eigh(_check_symmetric(S))
    return values[::-1], _signed(vectors[:, ::-1])


def captured_variance(S: ArrayLike, W: ArrayLike) -> float:
    r"""Return :math:`\operatorname{tr}(W^\top S W)`, the variance that the k columns of W retain.

    W, shape (d, k), has orthonormal columns: longer columns "retain" whatever one likes.
    """
    S, W = _check_symmetric(S), check_matrix(W, name="W")
    if len(W) != len(S):
        raise ValueError(f"W must have {len(S)} rows, as S has, got shape {W.shape}.")
    excess = abs(W.T @ W - np.eye(W.shape[1])).max()
    if excess > 1e-8:
        raise ValueError(f"W must have orthonormal columns; W'W differs from the identity by {excess:.3g}.")
    with np.errstate(over="ignore", invalid="ignore"):
        return check_size(float((W * (S @ W)).sum()), "the variance")


def reconstruction_error(X: ArrayLike, approximation: ArrayLike) -> float:
    r"""Return :math:`\|X - M\|_F^2`, the summed squared distances between the rows of X and of M."""
    X, M = check_matrix(X), check_matrix(approximation, name="approximation")
    if X.shape != M.shape:
        raise ValueError(f"approximation must have shape {X.shape}, as X has, got shape {M.shape}.")
    with np.errstate(over="ignore"):
        return check_size(float(((X - M) ** 2).sum()), "the sum of squares")


def components_for(explained_variance: ArrayLike, fraction: float) -> int:
    r"""Return the least k with :math:`\sum_{j\le k}\lambda_j \ge \mathrm{fraction}\cdot\sum_j\lambda_j`.

    Parameters
    ----------
    explained_variance : array-like of shape (d,)
        All variances, largest first; if all are zero, k is 1.
    fraction : float
        Strictly between 0 and 1.

    Examples
    --------
    >>> components_for([6.0, 3.0, 1.0], 0.9), components_for([6.0, 3.0, 1.0], 0.91)
    (2, 3)
    """
    values = check_vector(explained_variance, name="explained_variance", minimum=0)
    check_scalar(fraction, name="fraction", above=0, below=1)
    sums = np.cumsum(values)
    slack = len(values) * _EPS * sums[-1]  # 0.9 of a sum, in floating point, may lie above the sum itself
    return int(np.searchsorted(sums, fraction * sums[-1] - slack)) + 1


# ------------------------------------------------------------------- the estimator


class PCA(Transformer):
    r"""Rows to their coordinates along the k directions of largest variance: :math:`V_k^\top(x - \hat\mu)`.

    Parameters
    ----------
    n_components : int, float or None, default None
        k from 1 to min(n, d); or a fraction strictly between 0 and 1, for the least k that retains this share
        of the variance; None keeps min(n, d).
    whiten : bool, default False
        Divide every coordinate by its standard deviation on the training rows.
    solver : {"auto", "eigh", "gram", "svd", "lanczos"}, default "auto"
        "eigh": eigenvectors of the (d, d) covariance. "gram": of the (n, n) matrix of inner products, whose
        nonzero eigenvalues are the same; "auto" takes the smaller of the two. "lanczos": only the first k
        eigenvectors of the smaller one, with a proof that no larger eigenvalue was missed, else all; "auto"
        does this for a whole number k up to min(n, d) / 25, from min(n, d) = 400 on. "svd": of the centred
        rows themselves, the slow one: it does not square them, and keeps apart variances down to 1e-32 of
        the largest, where the others see rounding below 1e-16.

    Attributes
    ----------
    mean_ : ndarray of shape (d,)
    components_ : ndarray of shape (k, d)
        Orthonormal rows; the largest entry of each is positive.
    explained_variance_ : ndarray of shape (k,)
        :math:`\lambda_1, \dots, \lambda_k`, divisor :math:`n - 1`.
    explained_variance_ratio_ : ndarray of shape (k,)
        Their shares of the total variance; zeros if nothing varies.
    singular_values_ : ndarray of shape (k,)
        Of the centred rows, :math:`\sqrt{(n-1)\lambda_j}`.
    n_components_ : int
    n_samples_ : int
    certificate_ : dict
        ``lost_variance``: measured, :math:`\operatorname{tr} S - \operatorname{tr}(V_k^\top S V_k)`.
        ``eckart_young``: the least possible, :math:`\sum_{j>k}\lambda_j` (for "lanczos" tr S less the k
        values that were proved to be the largest). ``orthogonality``: the largest
        entry of :math:`V_k^\top V_k - I`. ``gap``: :math:`\lambda_k - \lambda_{k+1}`; at 0 the subspace is
        not unique.
    n_features_in_ : int

    Raises
    ------
    ValueError
        With fewer than two rows, for a k that the shape of X does not allow, and where squares of the entries
        exceed the largest float64.

    Warns
    -----
    LimitWarning
        When ``whiten`` meets a direction without variance (its coordinates are set to 0), and when no
        feature varies at all (every direction is as good as another).

    Notes
    -----
    Cost: :math:`O(nd\min(n, d) + \min(n, d)^3)`. A change of the units of one feature changes the components;
    where features have different units, divide them by their standard deviations first.

    Examples
    --------
    >>> model = PCA(n_components=1).fit([[0, 0], [3, 4], [6, 8]])
    >>> model.components_.round(12).tolist(), model.transform([[9, 12]]).round(12).tolist()
    ([[0.6, 0.8]], [[10.0]])
    """

    def __init__(
        self, n_components: int | float | None = None, *, whiten: bool = False, solver: str = "auto"
    ) -> None:
        self.n_components = n_components
        self.whiten = whiten
        self.solver = solver

    def fit(self, X: ArrayLike, y: Any = None) -> PCA:
        """Find the directions from rows X, shape (n, d); y is ignored; return self."""
        X = self._record_features(X, min_rows=2)
        n, d = X.shape
        check_option(self.solver, name="solver", options=("auto", "eigh", "gram", "svd", "lanczos"))
        self._check_parameters(min(n, d))
        route, lanczos = self._choose_route(n, d)
        self.mean_, values, V, total, captured, rest = route(X, self.n_components, lanczos)
        k = V.shape[1]
        self.components_, self.explained_variance_ = _signed(V).T, values[:k]
        self.explained_variance_ratio_ = values[:k] / total if total > 0 else np.zeros(k)
        self.singular_values_ = np.sqrt((n - 1) * values[:k])
        self.n_components_, self.n_samples_, self._n_features_out = k, n, k
        self.certificate_ = {
            "lost_variance": total - captured,
            "eckart_young": rest,
            "orthogonality": _far_from_identity(self.components_ @ self.components_.T),
            "gap": float(values[k - 1] - (values[k] if k < len(values) else 0.0)),
        }
        flat = values[:k] <= max(n, d) * _EPS * (_EPS if self.solver == "svd" else 1.0) * values[0]
        self._deviations = np.where(flat, 0.0, np.sqrt(values[:k]))
        if total == 0 or (self.whiten and flat.any()):
            warnings.warn(_FLAT.format(flat.sum(), k), LimitWarning, stacklevel=2)
        return self

    def transform(self, X: ArrayLike) -> Array:
        r"""Return the coordinates :math:`V_k^\top(x - \hat\mu)` of rows X, shape (n, k)."""
        X, V = self._check_input(X), self.components_.T
        Z = X @ V if 16 <= len(V) < 100 else (V.T @ X.T).T  # (n, k); which is faster was measured
        Z -= self.mean_ @ V
        if not self.whiten:
            return Z
        return np.divide(Z, self._deviations, out=np.zeros_like(Z), where=self._deviations > 0)

    def inverse_transform(self, Z: ArrayLike) -> Array:
        r"""Return the points :math:`\hat\mu + V_k z` of coordinates Z, shape (n, k); shape (n, d)."""
        check_fitted(self)
        Z = check_matrix(Z, name="Z")
        if Z.shape[1] != self.n_components_:
            raise ValueError(
                f"Z must have {self.n_components_} columns, one a component, got shape {Z.shape}."
            )
        return (Z * self._deviations if self.whiten else Z) @ self.components_ + self.mean_

    def _check_parameters(self, most: int) -> None:
        k: Any = self.n_components
        check_option(self.whiten, name="whiten", options=(False, True))
        number = isinstance(k, Real) and not isinstance(k, bool)
        whole = isinstance(k, Integral)
        if not (k is None or (number and (k in range(1, most + 1) if whole else 0 < k < 1))):
            raise ValueError(
                f"n_components must be an integer from 1 to min(n, d) = {most}, a fraction strictly between "
                f"0 and 1, or None, got {k!r}."
            )

        if self.solver == "lanczos" and not whole:
            raise ValueError(f"solver 'lanczos' needs a whole number n_components, got {k!r}.")

    def _choose_route(self, n: int, d: int) -> tuple[Any, bool]:
        """Return one of the three routes, and whether it should look for the first k eigenvectors alone."""
        smaller = _by_covariance if d <= n else _by_gram
        k: Any = self.n_components
        few = isinstance(k, Integral) and min(n, d) >= max(400, 25 * int(k))
        routes = {"eigh": _by_covariance, "gram": _by_gram, "svd": _by_svd}
        return routes.get(self.solver, smaller), self.solver == "lanczos" or (self.solver == "auto" and few)


_FLAT = (
    "{} of the {} directions have no variance: any others at right angles would do as well, and whitening "
    "sets their coordinates to 0."
)


# ------------------------------------------------------------------- three routes to the same directions
# Each returns the mean (d,), the variances, largest first, all min(n, d) or at least k + 1 of them, the
# directions (d, k), tr S, tr(V' S V) as measured, and the sum of the variances after the first k.


def _by_covariance(X: Array, wanted: Any, lanczos: bool) -> Route:
    mean, S = _moments(X)
    S /= len(X) - 1
    values, V, rest = _decompose(S, min(X.shape), wanted, lanczos)
    k, total = _count(values, wanted), float(np.trace(S))
    V, others = V[:, :k], V[:, k:]
    if 2 * k <= len(S):
        return mean, values, V, total, float((V * (S @ V)).sum()), rest
    return mean, values, V, total, total - float((others * (S @ others)).sum()), rest  # fewer columns


def _by_gram(X: Array, wanted: Any, lanczos: bool) -> Route:
    """Use that X' u / |X' u| is an eigenvector of X'X if u is one of XX'.

    Householder's QR does the division: its columns are orthonormal to rounding even where X' u vanishes, and
    since the X' u come longest first, the small ones cannot disturb the large ones.
    """
    mean, centred, _ = _centre(X)
    G = centred @ centred.T / (len(X) - 1)
    values, U, rest = _decompose(G, min(X.shape), wanted, lanczos)
    V = np.linalg.qr(centred.T @ U[:, : _count(values, wanted)])[0]
    return mean, values, V, float(np.trace(G)), _captured(centred, V), rest


def _by_svd(X: Array, wanted: Any, lanczos: bool) -> Route:
    mean, centred, squares = _centre(X)
    _, s, Vt = np.linalg.svd(centred, full_matrices=False)
    values, total = s**2 / (len(X) - 1), squares / (len(X) - 1)
    k = _count(values, wanted)
    V = Vt[:k].T
    return mean, values, V, total, _captured(centred, V), float(values[k:].sum())


def _count(values: Array, wanted: Any) -> int:
    """Return k; a fraction or None needs all min(n, d) variances."""
    if wanted is None:
        return len(values)
    return int(wanted) if isinstance(wanted, Integral) else components_for(values, float(wanted))


def _decompose(A: Array, m: int, wanted: Any, lanczos: bool) -> tuple[Array, Array, float]:
    """Return eigenvalues, largest first, eigenvectors as columns, and the sum of the values after k."""
    found = _leading(A, _count(A, wanted) + 1) if lanczos else None
    if found is not None:
        values, V = found
        return values, V, float(np.trace(A) - values[:-1].sum())
    values, V = np.linalg.eigh(A)
    values = np.maximum(values[::-1], 0.0)[:m]
    return values, V[:, ::-1], float(values[_count(values, wanted) :].sum())


def _leading(A: Array, k: int) -> tuple[Array, Array] | None:
    """Return the k largest eigenvalues of A and their vectors (m, k), or None if they are not found quickly.

    The method of Lanczos (1950): the span of q, Aq, AAq, ... for a random q soon contains the first
    eigenvectors to rounding. Each new vector is made orthogonal to all before it, and A acts on the span as
    the tridiagonal matrix T tr A. The error A v - theta v of a vector is what leads out of the span. But for
    rounding, the span contains one direction only of an eigenspace: where one is missed, the proof fails.
    """
    m, size, look = len(A), float(np.trace(A)), max(20, 2 * k)
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
            if length * abs(U[-1]).max() <= 1e-13 * values[0]:
                values, V = size * values, old @ U
                return (values, V) if len(values) == k and _are_the_largest(A, values, V) else None
            look = int(1.25 * look)
        if exhausted:
            return None
    return None


def _are_the_largest(A: Array, values: Array, V: Array) -> bool:
    """Prove, to ten digits, that these are the first eigenvalues of A and their vectors.

    The vectors are orthonormal, A maps them to their multiples, and no other eigenvalue exceeds the least of
    the values: once these parts are taken out of A, its eigenvalues are below a number c iff c I less what
    remains is positive definite, that is, has a Cholesky factor.
    """
    slack = 1e-10 * values[-1]
    if _far_from_identity(V.T @ V) > 1e-10 or abs(A @ V - V * values).max() > slack:
        return False
    M = (V * values) @ V.T - A
    M[np.diag_indices(len(A))] += values[-1] + slack
    try:
        np.linalg.cholesky(M)
    except np.linalg.LinAlgError:
        return False
    return True


def _captured(centred: Array, V: Array) -> float:
    return float(((centred @ V) ** 2).sum() / (len(centred) - 1))


def _centre(X: Array) -> tuple[Array, Array, float]:
    """Return the mean, shape (d,), the rows less the mean, and the sum of their squares."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.ones(len(X)) @ X / len(X)
        centred = X - mean
        return mean, centred, check_size(float(np.vdot(centred, centred)), "the sum of squares")


def _moments(X: Array) -> tuple[Array, Array]:
    """Return the mean, shape (d,), and the sum of the centred squares, shape (d, d).

    X'X - n mean mean' is the faster formula and loses the digits of n mean^2 / sum of centred squares: it is
    used where these are at most three. Else rows are centred first. Blocks of rows are used twice while they
    are in cache; of many features they are tall, so that adding up (d, d) matrices costs little.
    """
    n, d = X.shape
    blocks = [X[rows] for rows in row_blocks(n, d, entries=max(2**17, 2 * d * d))]
    with np.errstate(over="ignore", invalid="ignore"):
        mean, total = np.ones(len(blocks[0])) @ blocks[0], blocks[0].T @ blocks[0]
        for block in blocks[1:]:
            mean += np.ones(len(block)) @ block
            total += block.T @ block
        mean /= n
        check_size(float(np.trace(total)), "the sum of squares")
        total -= np.outer(n * mean, mean)
    if (n * mean**2 > 1000 * np.diag(total)).any():
        total[:] = 0.0
        for block in blocks:
            centred = block - mean
            total += centred.T @ centred
    return mean, total


def _far_from_identity(G: Array) -> float:
    """Return the largest entry of G - I in absolute value; G is overwritten."""
    G[np.diag_indices(len(G))] -= 1.0
    return float(max(G.max(), -G.min()))


def _signed(V: Array) -> Array:
    """Return V with the largest entry of every column made positive."""
    largest = V[np.argmax(abs(V), axis=0), np.arange(V.shape[1])]
    return V * np.where(largest < 0, -1.0, 1.0)


def _check_symmetric(S: ArrayLike) -> Array:
    S = check_matrix(S, name="S")
    if S.shape[0] != S.shape[1] or abs(S - S.T).max() > 1e-12 * abs(S).max():
        what = "square" if S.shape[0] != S.shape[1] else "symmetric"
        raise ValueError(f"S must be a symmetric matrix; shape {S.shape} came, not {what}.")
    return S
