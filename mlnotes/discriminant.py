r"""Discriminant analysis: the Bayes rule for Gaussian classes, with estimates in place of the parameters.

Model: :math:`P(Y = k) = \omega_k > 0` and :math:`X \mid Y = k \sim N(\mu_k, \Sigma_k)`, every covariance
positive definite. One covariance for all classes gives *linear* discriminant analysis (LDA), one for each
class *quadratic* discriminant analysis (QDA).

==================  =============  ====================================================================
symbol              shape          name in the code
==================  =============  ====================================================================
:math:`\omega`      ``(K,)``       ``prior``, ``priors_``; by default :math:`\hat\omega_k = n_k / n`
:math:`\mu_k`       ``(K, d)``     ``means``, ``means_``
:math:`\Sigma`      ``(d, d)``     ``covariance_`` of LDA: pooled, divisor :math:`n - K`
:math:`\Sigma_k`    ``(K, d, d)``  ``covariance_`` of QDA: divisor :math:`n_k - 1`
:math:`\delta_k`    ``(n, K)``     `linear_discriminants`, `quadratic_discriminants`
==================  =============  ====================================================================

The maximum-likelihood rule, which knows no prior, is the case ``priors="equal"``.

Ties: **the largest label among the best**, so that two classes with equal scores give the second one: the
point lies in the closed half-space.

Whether a covariance is singular is decided on the correlation matrix, with ``RANK_TOLERANCE``: changing
metres into millimetres changes no answer. A feature whose spread is below the rounding error of its own mean
counts as constant.

Sources: Yan, slides on linear classifiers, LDA and its generalization; chapter 10, sections 10.1.4 and
10.1.5; Recitation 7, Example 1.1; Shi, decision functions. Reduced rank: Fisher (1936), Rao (1948); Hastie,
Tibshirani and Friedman, *The Elements of Statistical Learning*, section 4.3.3.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.base import (
    Classifier,
    LimitWarning,
    Transformer,
    check_matrix,
    check_option,
    check_probabilities,
    check_scalar,
    check_size,
    check_vector,
    check_X_y,
    last_argmax,
    row_blocks,
)

Array = NDArray[np.float64]

RANK_TOLERANCE = 1e-10  # eigenvalues of a correlation matrix below this share of the largest count as zero
_STRIP = 64  # rows of a strip of a matrix


# ------------------------------------------------------------------- linear classifiers


def half_space(X: ArrayLike, normal: ArrayLike, offset: float) -> NDArray[np.int64]:
    r"""Return the linear classifier :math:`1\{\langle\beta, x\rangle + \beta_0 \ge 0\}`, shape (n,).

    The hyperplane itself belongs to the half-space :math:`H^+`; every point has an answer, 0 or 1.

    Parameters
    ----------
    X : array-like of shape (n, d)
    normal : array-like of shape (d,)
    offset : float

    Examples
    --------
    >>> half_space([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]], [1.0, 1.0], -2.0).tolist()
    [0, 1, 1]
    """
    X = check_matrix(X)
    beta = check_vector(normal, name="normal", n=X.shape[1])
    check_scalar(offset, name="offset")
    return (X @ beta + offset >= 0).astype(np.int64)


def linear_argmax(X: ArrayLike, weights: ArrayLike, offsets: ArrayLike | None = None) -> NDArray[np.int64]:
    r"""Return the class of largest score, :math:`\arg\max_k \langle x, w_k\rangle + b_k`, shape (n,).

    Adding one vector to every :math:`w_k` changes no answer, and for two classes it is the half-space of
    :math:`w_1 - w_0`. Ties go to the largest class.

    Parameters
    ----------
    X : array-like of shape (n, d)
    weights : array-like of shape (K, d)
    offsets : array-like of shape (K,), optional
        Zeros if left out.
    """
    X, W = check_matrix(X), check_matrix(weights, name="weights")
    if W.shape[1] != X.shape[1]:
        raise ValueError(f"weights must have {X.shape[1]} columns, one a feature, got shape {W.shape}.")
    b = np.zeros(len(W)) if offsets is None else check_vector(offsets, name="offsets", n=len(W))
    return last_argmax(W @ X.T + b[:, None])


# ------------------------------------------------------------------- the estimates


def class_means(X: ArrayLike, y: ArrayLike) -> Array:
    r"""Return :math:`\hat\mu_k = \frac{1}{n_k}\sum_{i: y_i = k} x_i`, shape (K, d), labels in order."""
    X, classes, codes = check_X_y(X, y)
    return np.array([group.mean for group in _groups(X, codes, len(classes))])


def class_covariances(X: ArrayLike, y: ArrayLike) -> Array:
    r"""Return :math:`\hat\Sigma_k`, the class covariances with divisor :math:`n_k - 1`, shape (K, d, d).

    Unbiased; its rank is at most :math:`\min(d, n_k - 1)`. Source: chapter 10, section 10.1.4.

    Raises
    ------
    ValueError
        If a class has one row.
    """
    X, classes, codes = check_X_y(X, y)
    groups = _groups(X, codes, len(classes))
    return np.array([_covariance(group, label) for group, label in zip(groups, classes, strict=True)])


def pooled_covariance(X: ArrayLike, y: ArrayLike) -> Array:
    r"""Return :math:`\frac{1}{n-K}\sum_k\sum_{i: y_i = k}(x_i-\hat\mu_k)(x_i-\hat\mu_k)^\top`, shape (d, d).

    Unbiased when the classes share a covariance (maximum likelihood divides by n); its rank is at most
    :math:`\min(d, n - K)`. Sources: Yan, slide "Plug-in approach"; chapter 10, section 10.1.4, writes the
    same matrix as :math:`\sum_k (n_k - 1)\hat\Sigma_k / (n - K)`.

    Raises
    ------
    ValueError
        If every class has one row, so that :math:`n = K`.
    """
    X, classes, codes = check_X_y(X, y)
    return _pool(_groups(X, codes, len(classes)))[2]


class _Group(NamedTuple):
    """Of a class: total weight n_k, mean (d,), and the sum of centred squares (d, d)."""

    weight: float
    mean: Array
    scatter: Array


def _groups(X: Array, codes: NDArray[np.int64], K: int, weights: Array | None = None) -> Iterator[_Group]:
    """Yield the classes one after the other; a stable sort of small integers collects their rows."""
    small = codes.astype(np.min_scalar_type(K))
    order = np.argsort(small, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(small, minlength=K))[:-1]):
        yield _group(X.take(rows, axis=0), None if weights is None else weights[rows])


def _group(rows: Array, weights: Array | None) -> _Group:
    """Return the sums over the rows of a class, which are overwritten."""
    n_rows = len(rows)
    counts = np.ones(n_rows) if weights is None else weights
    total = float(counts.sum())
    with np.errstate(over="ignore", invalid="ignore"):
        mean = counts @ rows / total
        rows -= mean
        if weights is not None:
            rows *= np.sqrt(weights)[:, None]
        scatter = check_size(rows.T @ rows, "the sum of squares of a class")
    constant = np.diag(scatter) <= total * (n_rows * np.finfo(np.float64).eps * mean) ** 2
    if constant.any():
        scatter[constant] = scatter[:, constant] = 0.0
    return _Group(total, mean, scatter)


def _pool(groups: Iterator[_Group]) -> tuple[Array, Array, Array]:
    """Return the class weights (K,), the means (K, d) and the pooled covariance (d, d)."""
    weights, means, scatter = [], [], np.zeros((1, 1))
    for group in groups:
        weights.append(group.weight)
        means.append(group.mean)
        scatter = scatter + group.scatter
    total, K = sum(weights), len(weights)
    if total <= K:
        raise ValueError(
            f"the pooled covariance divides by n - K = {total:g} - {K}, which must be positive: some class "
            "needs a second row (weights count copies of rows)."
        )
    return np.array(weights), np.array(means), scatter / (total - K)


def _covariance(group: _Group, label: Any) -> Array:
    if group.weight <= 1:
        raise ValueError(
            f"class {label} has n_k = {group.weight:g}, at most 1 sample: its covariance divides by n_k - 1."
        )
    return group.scatter / (group.weight - 1)


# ------------------------------------------------------------------- the discriminants


def linear_discriminants(X: ArrayLike, means: ArrayLike, covariance: ArrayLike, prior: ArrayLike) -> Array:
    r"""Return :math:`\delta_k(x) = x^\top\Sigma^{-1}\mu_k - \frac12\mu_k^\top\Sigma^{-1}\mu_k+\log\omega_k`.

    :math:`\delta_k(x) = \log P(Y = k \mid X = x) + c(x)` with one c for all classes, so that the largest
    :math:`\delta_k` is the Bayes rule of the model (Yan, slide "Linear discriminant analysis").

    Parameters
    ----------
    X : array-like of shape (n, d)
    means : array-like of shape (K, d)
    covariance : array-like of shape (d, d)
        Symmetric and positive definite.
    prior : array-like of shape (K,)
        Positive, sum 1.

    Returns
    -------
    ndarray of shape (n, K)

    Raises
    ------
    ValueError
        If the covariance is singular (the classes have no density then), and for wrong shapes.

    Examples
    --------
    >>> linear_discriminants([[1.0]], [[0.0], [4.0]], [[2.0]], [0.5, 0.5]).round(4).tolist()
    [[-0.6931, -2.6931]]
    """
    X, M, logs = _check_model(X, means, prior)
    A, _ = _whitener(_check_covariance(covariance, X.shape[1]), "covariance")
    white = M @ A.T  # (K, d)
    return X @ A.T @ white.T - 0.5 * (white**2).sum(axis=1) + logs


def quadratic_discriminants(
    X: ArrayLike, means: ArrayLike, covariances: ArrayLike, prior: ArrayLike
) -> Array:
    r"""Return :math:`-\frac12\log\det\Sigma_k - \frac12(x-\mu_k)^\top\Sigma_k^{-1}(x-\mu_k) + \log\omega_k`.

    This is :math:`\log P(Y = k \mid X = x)` up to one c(x) for all classes. Parameters, result and errors are
    those of `linear_discriminants`, except for ``covariances`` of shape (K, d, d).
    """
    X, M, logs = _check_model(X, means, prior)
    S, shape = np.asarray(covariances), (len(M), X.shape[1], X.shape[1])
    if S.shape != shape:
        raise ValueError(f"covariances must have shape {shape}, got shape {S.shape}.")
    names = [f"covariances[{k}]" for k in range(len(M))]
    parts = [_whitener(_check_covariance(S[k], shape[1], name), name) for k, name in enumerate(names)]
    return _quadratic_scores(X, M, [A for A, _ in parts], logs - [log_det / 2 for _, log_det in parts]).T


def log_determinant(covariance: ArrayLike) -> float:
    r"""Return :math:`\log\det\Sigma = \sum_i\log\lambda_i` of a positive definite matrix of shape (d, d).

    The Cholesky factor gives it as a sum of logarithms: the determinant itself underflows or overflows where
    its logarithm is harmless (0.1 I in 400 dimensions).

    Examples
    --------
    >>> round(log_determinant([[2.0, 0.0], [0.0, 0.5]]), 12) + 0
    0.0
    """
    S = check_matrix(covariance, name="covariance")
    return _log_det(*_regular_factor(_check_covariance(S, len(S)), "covariance"))


def _units(S: Array) -> Array:
    """Return the standard deviations (d,), and 1 where they are zero."""
    variances = np.diag(S)
    return np.sqrt(np.where(variances > 0, variances, 1.0))


def _factor(R: Array) -> NDArray[Any] | None:
    """Return the Cholesky factor of a correlation matrix, or None if it is singular to tolerance."""
    try:
        L = np.linalg.cholesky(R)
    except np.linalg.LinAlgError:
        return None
    # its squared diagonal is the share of each feature's variance that the features before it leave open
    return L if np.diag(L).min() ** 2 > RANK_TOLERANCE else None


def _regular_factor(S: Array, name: str) -> tuple[Array, NDArray[Any]]:
    """Return scale (d,) and lower triangular L with S = D L L' D, D = diag(scale); refuse a singular S."""
    scale = _units(S)
    R = S / scale / scale[:, None]
    L = _factor(R)
    if L is None:
        rank = int(np.linalg.matrix_rank(R, tol=RANK_TOLERANCE * len(R), hermitian=True))
        raise ValueError(
            f"{name} is not positive definite (rank {rank} of {len(R)} to rounding), so there is no density."
        )
    return scale, L


def _log_det(scale: Array, L: NDArray[Any]) -> float:
    return float(2 * (np.log(np.diag(L)) + np.log(scale)).sum())


def _whitener(S: Array, name: str) -> tuple[Array, float]:
    """Return A with A S A' = I, lower triangular, shape (d, d), and log det S."""
    scale, L = _regular_factor(S, name)
    return np.linalg.inv(L) / scale, _log_det(scale, L)


def _quadratic_scores(X: Array, means: Array, whiteners: Any, constants: Array) -> Array:
    """Return constants_k - |A_k (x - mu_k)|^2 / 2 as rows, shape (K, n): sums run along long rows.

    A_k is lower triangular, so that a strip of its rows needs only the first features: half the work.
    """
    columns, scores = X.T.copy(), np.empty((len(means), len(X)))  # (d, n), (K, n)
    for k, (mean, A) in enumerate(zip(means, whiteners, strict=True)):
        centred, square = columns - mean[:, None], np.zeros(len(X))
        for low in range(0, len(A), _STRIP):
            Z = A[low : low + _STRIP, : low + _STRIP] @ centred[: low + _STRIP]
            square += np.square(Z, out=Z).sum(axis=0)
        scores[k] = constants[k] - 0.5 * square
    return scores


# ------------------------------------------------------------------- the classifiers


class _Discriminant(Classifier):
    r"""What both analyses share: priors, and the answers from the scores :math:`\delta_k(x)`."""

    priors: Any

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return the scores :math:`\delta_k(x)`, shape (n, K); of two classes the difference, shape (n,)."""
        scores = self._all_scores(X)
        return scores[1] - scores[0] if len(scores) == 2 else scores.T

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of the largest score of each row, shape (n,)."""
        X = self._check_rows(X)
        codes = np.empty(len(X), dtype=np.int64)
        for rows in row_blocks(*X.shape):
            codes[rows] = last_argmax(self._finite_scores(X, rows))
        return self.classes_[codes]

    def predict_log_proba(self, X: ArrayLike) -> Array:
        r"""Return the logarithm of the estimated posterior, shape (n, K); finite however far x is."""
        scores = self._all_scores(X)
        scores -= scores.max(axis=0)
        return (scores - np.log(np.exp(scores).sum(axis=0))).T

    def predict_proba(self, X: ArrayLike) -> Array:
        r"""Return the estimated posterior :math:`P(Y = k \mid X = x)`, shape (n, K)."""
        return np.exp(self.predict_log_proba(X))

    def _scores(self, X: Array) -> Array:
        """Return the scores of a block of rows, one class a row, shape (K, b)."""
        raise NotImplementedError

    def _sees_all(self) -> bool:
        """Return whether NaN or infinity in any feature makes a score NaN or infinite."""
        raise NotImplementedError

    def _check_rows(self, X: ArrayLike) -> Array:
        """Return X; it is searched for NaN and infinity only where finite scores do not exclude them."""
        X = self._check_input(X, finite=False)
        return X if self._sees_all() else check_matrix(X)

    def _all_scores(self, X: ArrayLike) -> Array:
        X = self._check_rows(X)
        scores = np.empty((len(self.classes_), len(X)))
        for rows in row_blocks(*X.shape):
            scores[:, rows] = self._finite_scores(X, rows)
        return scores

    def _finite_scores(self, X: Array, rows: slice) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            scores = self._scores(X[rows])
            if not np.isfinite(scores.sum()):
                check_matrix(X)
                check_size(scores, "a score")
        return scores

    def _check_priors(self, class_weights: Array) -> Array:
        K = len(class_weights)
        if self.priors is None:
            return class_weights / class_weights.sum()
        if isinstance(self.priors, str):
            check_option(self.priors, name="priors", options=("equal",))
            return np.full(K, 1 / K)
        return _check_prior(self.priors, K, "priors")


class LinearDiscriminantAnalysis(_Discriminant, Transformer):
    r"""Gaussian classes that share a covariance: :math:`\hat f(x) = \arg\max_k \hat\delta_k(x)`, affine in x.

    .. math:: \hat\delta_k(x) = x^\top\hat\Sigma^{-1}\hat\mu_k
              - \tfrac12\hat\mu_k^\top\hat\Sigma^{-1}\hat\mu_k + \log\hat\omega_k

    with the pooled covariance, divisor :math:`n - K`.

    Parameters
    ----------
    priors : array-like of shape (K,), "equal" or None, default None
        Class probabilities in the order of ``classes_``; None takes the shares of the training rows, "equal"
        gives the maximum-likelihood rule.
    shrinkage : float or None, default None
        A share s from 0 to 1: :math:`\hat\Sigma` gives way to
        :math:`(1 - s)\hat\Sigma + s\,\frac{\operatorname{tr}\hat\Sigma}{d} I`.
    n_components : int or None, default None
        Number of columns of ``transform``, at most :math:`\min(K - 1, d)`; None takes all there are.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    priors_ : ndarray of shape (K,)
    means_ : ndarray of shape (K, d)
    covariance_ : ndarray of shape (d, d)
        After shrinkage.
    xbar_ : ndarray of shape (d,)
        The mean of the class means under the priors.
    coef_ : ndarray of shape (K, d), or (1, d) for two classes
        :math:`\hat\Sigma^{-1}(\hat\mu_k - \bar x)`: the coefficients of :math:`\hat\delta_k` less one vector
        common to all classes, so that nothing cancels; for two classes the difference of the two.
    intercept_ : ndarray of shape (K,), or (1,)
    scalings_ : ndarray of shape (d, m)
        Fisher's directions: within-class variance 1, uncorrelated within classes, between-class variance
        largest first; the largest entry of each column is positive.
    explained_variance_ratio_ : ndarray of shape (m,)
        Shares of the between-class variance along the directions.
    certificate_ : dict
        ``rank``: of the covariance. ``residual``: largest entry of
        :math:`\hat\Sigma w_k - (\hat\mu_k - \bar x)` in standard deviations, on the range of the covariance.
        ``blind``: the share of the squared spread of the class means, in these units, off that range.
    n_features_in_ : int

    Raises
    ------
    ValueError
        With fewer than two classes, with one row for each class (n = K), and for parameters out of range.

    Warns
    -----
    LimitWarning
        If the covariance is singular *and* the class means differ where it is zero. A pseudo-inverse ignores
        those directions, although the classes differ there without any overlap.

    Notes
    -----
    A singular covariance (a constant or a repeated feature; always when :math:`n - K < d`) is inverted on its
    range, as chapter 10, section 10.1.4 proposes, in units of the features' standard deviations. Where the
    class means do not differ off the range, every symmetric generalised inverse gives the same answers there.

    scikit-learn's ``lsqr`` solver divides by n, not :math:`n - K`: its coefficients are ours times
    :math:`n / (n - K)`.

    An invertible affine map of the features changes no answer, as long as the covariance is regular and not
    shrunk. ``sample_weight`` counts copies: weight k is the row k times. Fit costs :math:`O(nd^2 + d^3)`.

    Examples
    --------
    >>> model = LinearDiscriminantAnalysis().fit([[0, 1], [1, 0], [3, 3], [4, 4]], ["a", "a", "b", "b"])
    >>> model.predict([[1, 1], [2, 3]]).tolist()
    ['a', 'b']
    """

    def __init__(
        self, *, priors: Any = None, shrinkage: float | None = None, n_components: int | None = None
    ) -> None:
        self.priors = priors
        self.shrinkage = shrinkage
        self.n_components = n_components

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> LinearDiscriminantAnalysis:
        """Fit to rows X, shape (n, d), labels y and weights, shape (n,); return self."""
        X, codes, weights = self._start_weighted_fit(X, y, sample_weight, min_classes=2)
        K, d = len(self.classes_), X.shape[1]
        n_components = self._check_parameters(K, d)
        groups = _groups(X, codes, K, None if sample_weight is None else weights)
        class_weights, self.means_, covariance = _pool(groups)
        self.priors_ = self._check_priors(class_weights)
        if self.shrinkage is not None:
            target = np.trace(covariance) / d * np.eye(d)
            covariance = (1 - self.shrinkage) * covariance + self.shrinkage * target
        self.covariance_, self.xbar_ = covariance, self.priors_ @ self.means_
        deviations = self.means_ - self.xbar_  # (K, d)
        W, self.certificate_ = _solve_on_range(covariance, deviations)
        b = np.log(self.priors_) - 0.5 * (W * deviations).sum(axis=1) - W @ self.xbar_
        self.coef_, self.intercept_ = (W, b) if K > 2 else (W[1:] - W[:1], b[1:] - b[:1])
        self._set_directions(W, deviations, n_components)
        if self.certificate_["blind"] > RANK_TOLERANCE:
            warnings.warn(_BLIND.format(d=d, **self.certificate_), LimitWarning, stacklevel=2)
        return self

    def transform(self, X: ArrayLike) -> Array:
        r"""Return the rows :math:`A^\top(x - \bar x)`, shape (n, m), A the matrix ``scalings_``."""
        return (self._check_input(X) - self.xbar_) @ self.scalings_

    def _sees_all(self) -> bool:
        return bool(self.coef_.any(axis=0).all())

    def _scores(self, X: Array) -> Array:
        scores = self.coef_ @ X.T + self.intercept_[:, None]
        return scores if len(scores) > 1 else np.vstack([np.zeros_like(scores), scores])

    def _check_parameters(self, K: int, d: int) -> int:
        if self.shrinkage is not None:
            check_scalar(self.shrinkage, name="shrinkage", minimum=0, maximum=1)
        most = min(K - 1, d)
        if self.n_components is None:
            return most
        return check_scalar(self.n_components, name="n_components", kind=int, minimum=1, maximum=most)

    def _set_directions(self, W: Array, deviations: Array, n_components: int) -> None:
        r"""Maximise between-class over within-class variance, by an eigenproblem of size K only.

        With M the deviations, :math:`\Omega = \operatorname{diag}(\omega)` and :math:`W = M\Sigma^{-1}`: if u
        is a unit eigenvector of :math:`\Omega^{1/2}WM^\top\Omega^{1/2}` with value v, then
        :math:`a = W^\top\Omega^{1/2}u/\sqrt v` has :math:`M^\top\Omega M a = v\,\Sigma a` and
        :math:`a^\top\Sigma a = 1`.
        """
        root = np.sqrt(self.priors_)[:, None]
        values, vectors = np.linalg.eigh(root * (W @ deviations.T) * root.T)
        kept = np.flatnonzero(values > RANK_TOLERANCE * max(values[-1], 0.0))[::-1]
        directions = (root * W).T @ (vectors[:, kept] / np.sqrt(values[kept]))  # (d, m)
        directions *= np.sign(directions[np.argmax(abs(directions), axis=0), np.arange(len(kept))])
        self.explained_variance_ratio_ = (values[kept] / values[kept].sum())[:n_components]
        self.scalings_ = directions[:, :n_components]
        self._n_features_out = self.scalings_.shape[1]


_BLIND = (
    "the pooled covariance has rank {rank} of {d}, and {blind:.2%} of the squared spread of the class means "
    "lies where it is zero: the pseudo-inverse ignores these directions, in which no class varies at all; "
    "use fewer features, or set shrinkage."
)


def _solve_on_range(S: Array, M: Array) -> tuple[Array, dict[str, float]]:
    """Return M S^+, shape (K, d), with S^+ the inverse on the range of S, and its certificate."""
    scale = _units(S)
    R, B = S / scale / scale[:, None], (M / scale).T  # (d, d), (d, K)
    if _factor(R) is not None:
        rank, seen, Z = len(R), B, np.linalg.solve(R, B)
    else:
        values, V = np.linalg.eigh(R)
        V = V[:, values > RANK_TOLERANCE * max(values[-1], 0.0)]
        rank, seen = V.shape[1], V @ (V.T @ B)
        Z = V @ ((V.T @ B) / values[len(R) - rank :, None])
    largest = abs(B).max() or 1.0  # in its units, squares of tiny means do not vanish
    total = ((B / largest) ** 2).sum()
    blind = float((((B - seen) / largest) ** 2).sum() / total) if total else 0.0
    return Z.T / scale, {"rank": rank, "residual": float(abs(R @ Z - seen).max()), "blind": blind}


class QuadraticDiscriminantAnalysis(_Discriminant):
    r"""Gaussian classes, each with its own covariance: :math:`\hat f(x) = \arg\max_k \hat\delta_k(x)`.

    .. math:: \hat\delta_k(x) = -\tfrac12\log\det\hat\Sigma_k
              - \tfrac12(x - \hat\mu_k)^\top\hat\Sigma_k^{-1}(x - \hat\mu_k) + \log\hat\omega_k

    with the class covariances, divisor :math:`n_k - 1`.

    Parameters
    ----------
    priors : array-like of shape (K,), "equal" or None, default None
        As in `LinearDiscriminantAnalysis`.
    reg_param : float, default 0.0
        A share r from 0 to 1: :math:`\hat\Sigma_k` gives way to :math:`(1 - r)\hat\Sigma_k + rI`.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    priors_ : ndarray of shape (K,)
    means_ : ndarray of shape (K, d)
    covariance_ : ndarray of shape (K, d, d)
        After regularisation.
    whitening_ : ndarray of shape (K, d, d)
        :math:`A_k` with :math:`A_k\hat\Sigma_k A_k^\top = I`, lower triangular.
    log_det_ : ndarray of shape (K,)
    n_features_in_ : int

    Raises
    ------
    ValueError
        With fewer than two classes; if a class covariance is singular, which is certain when
        :math:`n_k \le d` (its rank is at most :math:`n_k - 1`), and ``reg_param`` is 0; for parameters out of
        range.

    Notes
    -----
    scikit-learn 1.9 divides by :math:`n_k`. An invertible affine map of the features changes no answer when
    ``reg_param`` is 0. There is no ``sample_weight``, as in scikit-learn: its checks of weights fit classes
    of :math:`n_k \le d` rows, the very ones that are refused here. To count rows k times, repeat them. Fit
    costs :math:`O(nd^2 + Kd^3)`, prediction :math:`O(nKd^2)`.

    Examples
    --------
    >>> X, y = [[-1.0], [1.0], [-9.0], [9.0]], ["near", "near", "far", "far"]
    >>> QuadraticDiscriminantAnalysis().fit(X, y).predict([[0.5], [-5.0], [5.0]]).tolist()
    ['near', 'far', 'far']
    """

    def __init__(self, *, priors: Any = None, reg_param: float = 0.0) -> None:
        self.priors = priors
        self.reg_param = reg_param

    def fit(self, X: ArrayLike, y: ArrayLike) -> QuadraticDiscriminantAnalysis:
        """Fit to rows X, shape (n, d), and labels y, shape (n,); return self."""
        X, codes = self._start_fit(X, y, min_classes=2)
        check_scalar(self.reg_param, name="reg_param", minimum=0, maximum=1)
        groups = list(_groups(X, codes, len(self.classes_)))
        self.priors_ = self._check_priors(np.array([group.weight for group in groups]))
        self.means_ = np.array([group.mean for group in groups])
        parts = [self._fit_class(group, label) for group, label in zip(groups, self.classes_, strict=True)]
        self.covariance_, self.whitening_, self.log_det_ = map(np.array, zip(*parts, strict=True))
        return self

    def _fit_class(self, group: _Group, label: Any) -> tuple[Array, Array, float]:
        S, d = _covariance(group, label), len(group.mean)
        if self.reg_param == 0 and group.weight <= d:
            raise ValueError(
                f"class {label} has {group.weight:g} samples in {d} features, so its covariance is singular: "
                "QDA needs more rows than features in every class, or reg_param > 0."
            )
        S = (1 - self.reg_param) * S + self.reg_param * np.eye(d)
        return S, *_whitener(S, f"the covariance of class {label} (remove features or set reg_param > 0)")

    def _sees_all(self) -> bool:
        return True  # the diagonals of the whiteners are not zero

    def _scores(self, X: Array) -> Array:
        constants = np.log(self.priors_) - 0.5 * self.log_det_
        return _quadratic_scores(X, self.means_, self.whitening_, constants)


# ------------------------------------------------------------------- checks of this module's arguments


def _check_prior(prior: ArrayLike, K: int, name: str) -> Array:
    weights = check_probabilities(prior, name=name, ndim=1).astype(np.float64)
    if len(weights) != K or weights.min() <= 0:
        raise ValueError(f"{name} must be {K} positive probabilities, one a class, got {weights.tolist()}.")
    return weights


def _check_model(X: ArrayLike, means: ArrayLike, prior: ArrayLike) -> tuple[Array, Array, Array]:
    """Return X (n, d), the means (K, d) and the logarithms of the prior (K,)."""
    X, M = check_matrix(X), check_matrix(means, name="means")
    if M.shape[1] != X.shape[1]:
        raise ValueError(f"means must have {X.shape[1]} columns, as X has, got shape {M.shape}.")
    return X, M, np.log(_check_prior(prior, len(M), "prior"))


def _check_covariance(covariance: ArrayLike, d: int, name: str = "covariance") -> Array:
    S = check_matrix(covariance, name=name)
    if S.shape != (d, d):
        raise ValueError(f"{name} must have shape ({d}, {d}), got shape {S.shape}.")
    if abs(S - S.T).max() > 1e-12 * abs(S).max():
        raise ValueError(f"{name} must be symmetric; its entries differ by {abs(S - S.T).max():.3g}.")
    return S
