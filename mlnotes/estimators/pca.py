"""Principal components on data: the board `mlnotes.pca` with checked input, three routes and a certificate.

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

from mlnotes import pca as board
from mlnotes.engines import pca_routes as engine
from mlnotes.estimators.base import LimitWarning, Transformer, check_fitted, check_matrix, check_option

Array = NDArray[np.float64]

__all__ = ["PCA"]

# Where the first k directions alone are found sooner than all: chosen with benchmarks/pca.py.
FEW_FROM = 400  # least min(n, d)
FEW_SHARE = 25  # least min(n, d) / k


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
        routes = {"eigh": engine.by_covariance, "gram": engine.by_gram, "svd": engine.by_svd}
        route = routes.get(self.solver, engine.by_covariance if d <= n else engine.by_gram)
        directions = route(X, self._count, self._few(n, d))
        values, total, k = directions.values, directions.total, directions.V.shape[1]
        V = board.orient(directions.V)
        self.mean_, self.components_, self.explained_variance_ = directions.mean, V.T, values[:k]
        self.explained_variance_ratio_ = values[:k] / total if total > 0 else np.zeros(k)
        self.singular_values_ = np.sqrt((n - 1) * values[:k])
        self.n_components_, self.n_samples_, self._n_features_out = k, n, k
        certificate = board.certificate(total, directions.captured, values, V)
        if len(values) < min(n, d):  # the first k + 1 alone are known
            certificate["eckart_young"] = total - values[:k].sum()
        self.certificate_ = {name: float(value) for name, value in certificate.items()}
        rounding = max(n, d) * board.EPS * (board.EPS if self.solver == "svd" else 1.0)
        self._deviations = board.deviations(values[:k], rounding)
        flat = self._deviations == 0
        if total == 0 or (self.whiten and flat.any()):
            warnings.warn(_FLAT.format(flat.sum(), k), LimitWarning, stacklevel=2)
        return self

    def transform(self, X: ArrayLike) -> Array:
        r"""Return the scores :math:`V_k^\top(x - \hat\mu)` of rows X, shape (n, k)."""
        Z = engine.scores(self._check_input(X), self.mean_, self.components_.T)
        return self._frame(board.whiten(Z, self._deviations) if self.whiten else Z, X)

    def inverse_transform(self, Z: ArrayLike) -> Array:
        r"""Return the points :math:`\hat\mu + V_k z` of scores Z, shape (n, k); shape (n, d)."""
        check_fitted(self)
        Z = check_matrix(Z, name="Z")
        if Z.shape[1] != self.n_components_:
            raise ValueError(
                f"Z must have {self.n_components_} columns, one a component, got shape {Z.shape}."
            )
        return board.reconstruction(
            Z * self._deviations if self.whiten else Z, self.mean_, self.components_.T
        )

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

    def _few(self, n: int, d: int) -> int | None:
        """Return k where the first k directions alone are to be looked for."""
        k: Any = self.n_components
        pays = isinstance(k, Integral) and min(n, d) >= max(FEW_FROM, FEW_SHARE * int(k))
        return int(k) if self.solver == "lanczos" or (self.solver == "auto" and pays) else None

    def _count(self, values: Array) -> int:
        """Return k; a fraction and None need all min(n, d) variances."""
        k: Any = self.n_components
        if k is None:
            return len(values)
        return int(k) if isinstance(k, Integral) else board.components_for(values, float(k))


_FLAT = (
    "{} of the {} directions have no variance: any others at right angles would do as well, and whitening "
    "sets their coordinates to 0."
)
