"""Principal component analysis on data: validated input, three solvers, and a certificate.

PCA never sees a label. It keeps what varies, which need not be what tells classes apart. The reference
implementation, with the formulas of the lecture, is `mlnotes.pca`.

Sources: chapter 10, section 10.2. Fan (1949), *On a theorem of Weyl concerning eigenvalues of linear
transformations*, theorem 1; Eckart and Young (1936), *The approximation of one matrix by another of lower
rank*.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import pca as reference
from mlnotes.checks import check_size
from mlnotes.estimators.base import LimitWarning, Transformer, check_fitted, check_matrix, check_option

Array = NDArray[np.float64]

__all__ = ["PCA"]

EPS = float(np.finfo(np.float64).eps)
MAX_MEAN_SQUARE = 1000  # n mean^2 over the sum of centred squares from which X'X loses more than three digits


class PCA(Transformer):
    r"""The coordinates along the k directions of largest variance: :math:`V_k^\top(x - \hat\mu)`.

    Parameters
    ----------
    n_components : int, float or None, default None
        k from 1 to min(n, d); or a fraction strictly between 0 and 1, for the smallest k that keeps this
        fraction of the variance; None keeps min(n, d).
    whiten : bool, default False
        Divide every coordinate by its standard deviation on the training data.
    solver : {"auto", "eigh", "gram", "svd"}, default "auto"
        "eigh": eigenvectors of the (d, d) covariance. "gram": of the (n, n) matrix of inner products, whose
        nonzero eigenvalues are the same; "auto" takes the smaller of the two. "svd": singular vectors of the
        centred data. It is slower, but it does not square the data: it separates variances down to 1e-32 of
        the largest, where the others see rounding errors below 1e-16.

    Attributes
    ----------
    mean_ : ndarray of shape (d,)
    components_ : ndarray of shape (k, d)
        Orthonormal rows; the entry of largest absolute value of each is positive.
    explained_variance_ : ndarray of shape (k,)
        :math:`\lambda_1, \dots, \lambda_k`, divisor :math:`n - 1`.
    explained_variance_ratio_ : ndarray of shape (k,)
        Their fractions of the total variance; zeros if nothing varies.
    singular_values_ : ndarray of shape (k,)
        Of the centred data, :math:`\sqrt{(n-1)\lambda_j}`.
    n_components_ : int
    n_samples_ : int
    certificate_ : dict
        ``lost_variance``: measured, :math:`\operatorname{tr} S - \operatorname{tr}(V_k^\top S V_k)`.
        ``eckart_young``: the smallest possible, :math:`\sum_{j>k}\lambda_j`. ``orthogonality``: the largest
        entry of :math:`V_k^\top V_k - I`. ``gap``: :math:`\lambda_k - \lambda_{k+1}`; at 0 the subspace is
        not unique.
    n_features_in_ : int

    Raises
    ------
    ValueError
        With fewer than two observations, for a k that the shape of X does not allow, and where squares of the
        entries exceed the largest float64.

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
        """Find the directions from the training data X, shape (n, d); y is ignored; return self."""
        X = self._record_features(X, min_rows=2)
        n, d = X.shape
        check_option(self.solver, name="solver", options=("auto", "eigh", "gram", "svd"))
        self._check_parameters(min(n, d))
        solvers = {"eigh": _by_covariance, "gram": _by_gram, "svd": _by_svd}
        solve = solvers.get(self.solver, _by_covariance if d <= n else _by_gram)
        mean, values, V, total, captured = solve(X, self._count)
        k = V.shape[1]
        self.mean_ = mean
        self.components_ = _orient(V).T
        self.explained_variance_ = values[:k]
        self.explained_variance_ratio_ = values[:k] / total if total > 0 else np.zeros(k)
        self.singular_values_ = np.sqrt((n - 1) * values[:k])
        self.n_components_, self.n_samples_, self._n_features_out = k, n, k
        certificate = reference.certificate(total, captured, values, self.components_.T)
        self.certificate_ = {name: float(value) for name, value in certificate.items()}
        rounding = max(n, d) * EPS * (EPS if self.solver == "svd" else 1.0)
        self._deviations = np.sqrt(np.where(values[:k] > rounding * values[0], values[:k], 0.0))
        flat = self._deviations == 0
        if total == 0 or (self.whiten and flat.any()):
            warnings.warn(_FLAT.format(flat.sum(), k), LimitWarning, stacklevel=2)
        return self

    def transform(self, X: ArrayLike) -> Array:
        r"""Return the scores :math:`V_k^\top(x - \hat\mu)` of X, shape (n, k)."""
        data = self._check_input(X)
        Z = data @ self.components_.T  # (X - mean) V without a copy of X
        Z -= self.mean_ @ self.components_.T
        if self.whiten:
            varies = self._deviations > 0
            Z = np.divide(Z, self._deviations, out=np.zeros_like(Z), where=varies)
        return self._frame(Z, X)

    def inverse_transform(self, Z: ArrayLike) -> Array:
        r"""Return the points :math:`\hat\mu + V_k z` of scores Z, shape (n, k); shape (n, d)."""
        check_fitted(self)
        Z = check_matrix(Z, name="Z")
        if Z.shape[1] != self.n_components_:
            raise ValueError(
                f"Z must have {self.n_components_} columns, one for each component, got shape {Z.shape}."
            )
        Z = Z * self._deviations if self.whiten else Z
        return reference.reconstruction(Z, self.mean_, self.components_.T)

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

    def _count(self, values: Array) -> int:
        """Return k; a fraction needs all min(n, d) variances."""
        k: Any = self.n_components
        if k is None or isinstance(k, Integral):
            return len(values) if k is None else int(k)
        return reference.components_for(values, float(k)) if values[0] > 0 else 1


# ------------------------------------------------------------------- the solvers


class _Solution(NamedTuple):
    mean: Array  # (d,)
    values: Array  # all min(n, d) variances, largest first
    V: Array  # (d, k)
    total: float  # tr S
    captured: float  # tr(V'SV), as measured


def _by_covariance(X: Array, count: Callable[[Array], int]) -> _Solution:
    mean, S = _mean_and_covariance(X)
    values, V = np.linalg.eigh(S)
    values, V = _descending(values, min(X.shape)), V[:, ::-1]
    k, total = count(values), float(np.trace(S))
    W, others = V[:, :k], V[:, k:]
    if 2 * k <= len(S):
        return _Solution(mean, values, W, total, float((W * (S @ W)).sum()))
    return _Solution(mean, values, W, total, total - float((others * (S @ others)).sum()))  # fewer columns


def _by_gram(X: Array, count: Callable[[Array], int]) -> _Solution:
    """Solve by the inner products of the observations: if u is an eigenvector, X_c'u is one of S.

    QR normalises the vectors X_c'u. They come longest first, so that those of length 0 (up to rounding
    errors) do not disturb the others.
    """
    mean, X_c = _centre(X)
    G = X_c @ X_c.T / (len(X) - 1)
    values, U = np.linalg.eigh(G)
    values, U = _descending(values, min(X.shape)), U[:, ::-1]
    V = np.linalg.qr(X_c.T @ U[:, : count(values)])[0]
    return _Solution(mean, values, V, float(np.trace(G)), _captured(X_c, V))


def _by_svd(X: Array, count: Callable[[Array], int]) -> _Solution:
    mean, X_c = _centre(X)
    _, s, Vt = np.linalg.svd(X_c, full_matrices=False)
    values = s**2 / (len(X) - 1)
    V = Vt[: count(values)].T
    return _Solution(mean, values, V, float((X_c**2).sum() / (len(X) - 1)), _captured(X_c, V))


def _mean_and_covariance(X: Array) -> tuple[Array, Array]:
    """Return `pca.mean_and_covariance`: X'X - n mean mean' needs no centred copy, but may cancel."""
    n = len(X)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.ones(n) @ X / n
        products = X.T @ X
        check_size(float(np.trace(products)), "the sum of squares")
        products -= np.outer(n * mean, mean)
    if (n / MAX_MEAN_SQUARE * mean**2 > np.diag(products)).any():
        X_c = X - mean
        products = X_c.T @ X_c
    return mean, products / (n - 1)


def _centre(X: Array) -> tuple[Array, Array]:
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.ones(len(X)) @ X / len(X)
        X_c = X - mean
        check_size(float(np.vdot(X_c, X_c)), "the sum of squares")
    return mean, X_c


def _descending(values: Array, m: int) -> Array:
    """Return the m largest eigenvalues, largest first; those below 0 are rounding errors."""
    return np.maximum(values[::-1][:m], 0.0)


def _captured(X_c: Array, V: Array) -> float:
    return float(((X_c @ V) ** 2).sum() / (len(X_c) - 1))


def _orient(V: Array) -> Array:
    """Make the entry of largest absolute value of every column positive."""
    largest = V[abs(V).argmax(axis=0), np.arange(V.shape[1])]
    return V * np.where(largest < 0, -1.0, 1.0)


_FLAT = (
    "{} of the {} directions have no variance: any other orthogonal directions would do as well, and "
    "whitening sets their coordinates to 0."
)
