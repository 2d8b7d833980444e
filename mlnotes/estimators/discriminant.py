r"""Discriminant analysis on data: `mlnotes.discriminant` with validated input and a certificate.

A feature whose spread is below the rounding error of its mean counts as constant. Whether a covariance is
singular is decided on the correlation matrix: changing metres into millimetres changes no prediction.

Sources: Yan, slides on linear classifiers, LDA and its generalization; chapter 10, sections 10.1.4 and
10.1.5; Recitation 7, Example 1.1; Shi, decision functions. Reduced rank: Fisher (1936), Rao (1948); Hastie,
Tibshirani and Friedman, *The Elements of Statistical Learning*, section 4.3.3.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import discriminant as reference
from mlnotes.engines.linear_algebra import cholesky
from mlnotes.engines.rows import last_argmax_of_columns, row_blocks
from mlnotes.estimators.base import (
    Classifier,
    LimitWarning,
    Transformer,
    check_count,
    check_matrix,
    check_option,
    check_probabilities,
    check_scalar,
    check_size,
)

__all__ = ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]

Array = NDArray[np.float64]

BLOCK = 2**17  # entries of X whose discriminants are computed together: 1 MiB stays in the cache
RANK_TOLERANCE = 1e-10  # eigenvalues of a correlation matrix below this times the largest count as zero


class _Discriminant(Classifier):
    r"""What both analyses share: priors, and predictions from the discriminants :math:`\delta_k(x)`."""

    priors: Any

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return :math:`\delta_k(x)`, shape (n, K); with two classes their difference, shape (n,)."""
        scores = self._all_scores(X)
        return scores[1] - scores[0] if len(scores) == 2 else scores.T

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class with the largest discriminant, shape (n,)."""
        X = self._check_rows(X)
        codes = np.empty(len(X), dtype=np.intp)
        for rows in row_blocks(len(X), X.shape[1], BLOCK):
            codes[rows] = last_argmax_of_columns(self._finite_scores(X, rows))
        return self.classes_[codes]

    def predict_log_proba(self, X: ArrayLike) -> Array:
        r"""Return the logarithm of the estimated posterior, shape (n, K); finite however far x is."""
        return reference.log_posterior(self._all_scores(X).T)

    def predict_proba(self, X: ArrayLike) -> Array:
        r"""Return the estimated posterior :math:`P(Y = k \mid X = x)`, shape (n, K)."""
        return np.exp(self.predict_log_proba(X))

    def _scores(self, X: Array) -> Array:
        """Return the discriminants of a block of observations, shape (K, b)."""
        raise NotImplementedError

    def _uses_every_feature(self) -> bool:
        """Return whether NaN or infinity in any feature makes a discriminant NaN or infinite."""
        return True  # in QDA: the diagonals of its whiteners are not zero

    def _check_rows(self, X: ArrayLike) -> Array:
        """Return X, searched for NaN and infinity only where finite scores do not exclude them."""
        X = self._check_input(X, finite=False)
        return X if self._uses_every_feature() else check_matrix(X)

    def _all_scores(self, X: ArrayLike) -> Array:
        X = self._check_rows(X)
        scores = np.empty((len(self.classes_), len(X)))
        for rows in row_blocks(len(X), X.shape[1], BLOCK):
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
        priors = check_probabilities(self.priors, name="priors", ndim=1).astype(np.float64)
        if len(priors) != K or priors.min() <= 0:
            raise ValueError(
                f"priors must be {K} positive probabilities, one a class, got {priors.tolist()}."
            )
        return priors


class LinearDiscriminantAnalysis(_Discriminant, Transformer):
    r"""Gaussian classes that share a covariance: :math:`\hat f(x) = \arg\max_k \hat\delta_k(x)`, affine in x.

    .. math:: \hat\delta_k(x) = x^\top\hat\Sigma^{-1}\hat\mu_k
              - \tfrac12\hat\mu_k^\top\hat\Sigma^{-1}\hat\mu_k + \log\hat\pi_k

    with the pooled covariance, divisor :math:`n - K`.

    Parameters
    ----------
    priors : array-like of shape (K,), "equal" or None, default None
        Class probabilities in the order of ``classes_``; None takes the proportions of the training data,
        "equal" gives the maximum-likelihood rule.
    shrinkage : float or None, default None
        s from 0 to 1: :math:`\hat\Sigma` is replaced by
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
        :math:`\hat\Sigma^{-1}(\hat\mu_k - \bar x)`: the coefficients of :math:`\hat\delta_k` minus one vector
        common to all classes, so that nothing cancels; for two classes the difference of the two.
    intercept_ : ndarray of shape (K,), or (1,)
    scalings_ : ndarray of shape (d, m)
        Fisher's directions: within-class variance 1, uncorrelated within classes, between-class variance
        largest first; the largest entry of each column is positive.
    explained_variance_ratio_ : ndarray of shape (m,)
        Proportions of the between-class variance along the directions.
    certificate_ : dict
        ``rank``: of the covariance. ``residual``: largest entry of
        :math:`\hat\Sigma w_k - (\hat\mu_k - \bar x)` in standard deviations, on the range of the covariance.
        ``blind``: the proportion of the squared spread of the class means, in these units, off that range.
    n_features_in_ : int

    Raises
    ------
    ValueError
        With fewer than two classes, with one observation for each class (n = K), and for parameters out of
        range.

    Warns
    -----
    LimitWarning
        If the covariance is singular *and* the class means differ where it is zero. A pseudo-inverse ignores
        those directions, although the classes differ there without any overlap.

    Notes
    -----
    A singular covariance (a constant or a repeated feature; always when :math:`n - K < d`) is inverted on its
    range, as chapter 10, section 10.1.4 proposes, in units of the features' standard deviations. Where the
    class means do not differ off the range, every symmetric generalised inverse gives the same predictions.

    scikit-learn's ``lsqr`` solver divides by n, not :math:`n - K`: its coefficients are ours times
    :math:`n / (n - K)`.

    An invertible affine map of the features changes no prediction, as long as the covariance is invertible
    and not shrunk. ``sample_weight`` counts copies: weight k equals k copies. Fit costs
    :math:`O(nd^2 + d^3)`.

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
        """Fit to observations X, shape (n, d), labels y and weights, shape (n,); return self."""
        X, codes, weights = self._start_weighted_fit(X, y, sample_weight, min_classes=2)
        K, d = len(self.classes_), X.shape[1]
        if self.shrinkage is not None:
            check_scalar(self.shrinkage, name="shrinkage", minimum=0, maximum=1)
        if self.n_components is not None:
            check_count(self.n_components, name="n_components", maximum=min(K - 1, d))
        S = self._pooled(X, codes, weights)
        self.covariance_ = reference.shrink(S, self.shrinkage, np.trace(S) / d) if self.shrinkage else S
        self.xbar_ = self.priors_ @ self.means_
        deviations = self.means_ - self.xbar_  # (K, d)
        W = self._solve(deviations)
        b = np.log(self.priors_) - 0.5 * (W * deviations).sum(axis=1) - W @ self.xbar_
        self.coef_, self.intercept_ = (W, b) if K > 2 else (W[1:] - W[:1], b[1:] - b[:1])
        ratios, directions = _fisher_directions(W, deviations, self.priors_)
        self.explained_variance_ratio_ = (ratios / ratios.sum())[: self.n_components]
        self.scalings_ = directions[:, : self.n_components]
        self._n_features_out = self.scalings_.shape[1]
        if self.certificate_["blind"] > RANK_TOLERANCE:
            warnings.warn(_BLIND.format(d=d, **self.certificate_), LimitWarning, stacklevel=2)
        return self

    def _pooled(self, X: Array, codes: NDArray[Any], weights: Array) -> Array:
        """Return the pooled covariance, and set means and priors."""
        K = len(self.classes_)
        d = X.shape[1]
        totals, means, scatter = np.empty(K), np.empty((K, d)), np.zeros((d, d))
        with np.errstate(over="ignore"):
            for k in range(K):
                totals[k], means[k], of_class = _moments(X, codes == k, weights)
                scatter += of_class
            check_size(np.trace(scatter), "the sum of squares of all classes")
        n = totals.sum()
        if n <= K:
            raise ValueError(
                f"the pooled covariance divides by n - K = {n:g} - {K}, which must be positive: some "
                "class needs a second observation (weights count copies)."
            )
        self.means_, self.priors_ = means, self._check_priors(totals)
        return scatter / (n - K)

    def _solve(self, deviations: Array) -> Array:
        """Return the weights (K, d) with S W' = deviations' where that can be, and set the certificate."""
        scale = _standard_deviations(self.covariance_)
        R, B = self.covariance_ / scale / scale[:, None], (deviations / scale).T
        if _factor(R) is not None:
            Z, seen, rank = np.linalg.solve(R, B), B, len(R)
        else:
            values, V = _nonzero_eigenvalues(R)
            inside = V.T @ B
            Z, seen, rank = V @ (inside / values[:, None]), V @ inside, len(values)
        self.certificate_ = {
            "rank": rank,
            "residual": float(abs(R @ Z - seen).max()),
            "blind": _blind(B, seen),
        }
        return Z.T / scale

    def transform(self, X: ArrayLike) -> Array:
        r"""Return :math:`A^\top(x - \bar x)` for each x, shape (n, m), A the matrix ``scalings_``."""
        return self._frame((self._check_input(X) - self.xbar_) @ self.scalings_, X)

    def _uses_every_feature(self) -> bool:
        return bool(self.coef_.any(axis=0).all())

    def _scores(self, X: Array) -> Array:
        scores = self.coef_ @ X.T + self.intercept_[:, None]
        return scores if len(scores) > 1 else np.vstack([np.zeros_like(scores), scores])


_BLIND = (
    "the pooled covariance has rank {rank} of {d}, and {blind:.2%} of the squared spread of the class means "
    "lies where it is zero: the pseudo-inverse ignores these directions, in which no class varies at all; "
    "use fewer features, or set shrinkage."
)


class QuadraticDiscriminantAnalysis(_Discriminant):
    r"""Gaussian classes, each with its own covariance: :math:`\hat f(x) = \arg\max_k \hat\delta_k(x)`.

    .. math:: \hat\delta_k(x) = -\tfrac12\log\det\hat\Sigma_k
              - \tfrac12(x - \hat\mu_k)^\top\hat\Sigma_k^{-1}(x - \hat\mu_k) + \log\hat\pi_k

    with the class covariances, divisor :math:`n_k - 1`.

    Parameters
    ----------
    priors : array-like of shape (K,), "equal" or None, default None
        As in `LinearDiscriminantAnalysis`.
    reg_param : float, default 0.0
        r from 0 to 1: :math:`\hat\Sigma_k` is replaced by :math:`(1 - r)\hat\Sigma_k + rI`.

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
    scikit-learn 1.9 divides by :math:`n_k`. An invertible affine map of the features changes no prediction
    when ``reg_param`` is 0. There is no ``sample_weight``, as in scikit-learn: its checks of weights fit
    classes of :math:`n_k \le d` observations, the very ones that are refused here. To count observations k
    times, repeat them. Fit costs :math:`O(nd^2 + Kd^3)`, prediction :math:`O(nKd^2)`.

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
        """Fit to observations X, shape (n, d), and labels y, shape (n,); return self."""
        X, codes = self._start_fit(X, y, min_classes=2)
        check_scalar(self.reg_param, name="reg_param", minimum=0, maximum=1)
        K, d = len(self.classes_), X.shape[1]
        self.priors_ = self._check_priors(np.bincount(codes).astype(np.float64))
        self.means_, self.log_det_ = np.empty((K, d)), np.empty(K)
        self.covariance_, self.whitening_ = np.empty((K, d, d)), np.empty((K, d, d))
        for k, label in enumerate(self.classes_):
            n, self.means_[k], scatter = _moments(X, codes == k)
            self._check_class_size(label, int(n), d)
            S = reference.shrink(scatter / (n - 1), self.reg_param, 1.0)
            self.covariance_[k] = S
            self.whitening_[k] = self._whitener(S, label)
            self.log_det_[k] = -2 * np.log(np.diag(self.whitening_[k])).sum()
        return self

    def _check_class_size(self, label: Any, n: int, d: int) -> None:
        if n <= 1:
            raise ValueError(
                f"class {label} has n_k = {n}, at most 1 sample: its covariance divides by n_k - 1."
            )
        if self.reg_param == 0 and n <= d:
            raise ValueError(
                f"class {label} has {n} samples in {d} features, so its covariance is singular: "
                "QDA needs more observations than features in every class, or reg_param > 0."
            )

    def _whitener(self, S: Array, label: Any) -> Array:
        """Return the lower triangular A with A S A' = I."""
        scale = _standard_deviations(S)
        R = S / scale / scale[:, None]
        L = _factor(R)
        if L is None:
            rank = len(_nonzero_eigenvalues(R)[0])
            raise ValueError(
                f"the covariance of class {label} (remove features or set reg_param > 0) is not positive "
                f"definite (rank {rank} of {len(S)} to rounding), so there is no density."
            )
        return np.linalg.inv(L) / scale

    def _scores(self, X: Array) -> Array:
        scores = np.empty((len(self.means_), len(X)))
        for k, (mean, A) in enumerate(zip(self.means_, self.whitening_, strict=True)):
            Z = A @ (X - mean).T
            scores[k] = np.einsum("ij,ij->j", Z, Z)
        return (np.log(self.priors_) - 0.5 * self.log_det_)[:, None] - 0.5 * scores


def _moments(
    X: Array, in_class: NDArray[np.bool_], weights: Array | None = None
) -> tuple[float, Array, Array]:
    """Return the number (or total weight) of a class, its mean, and its sum of centred squares (d, d)."""
    rows = X[in_class]
    w = np.ones(len(rows)) if weights is None else weights[in_class]
    total = float(w.sum())
    with np.errstate(over="ignore", invalid="ignore"):
        mean = w @ rows / total
        rows -= mean
        scatter = check_size((rows.T * w) @ rows, "the sum of squares of a class")
    # a constant feature deviates from its mean by rounding errors alone
    constant = np.sqrt(np.diag(scatter) / total) <= len(rows) * np.finfo(np.float64).eps * abs(mean)
    if constant.any():
        scatter[constant] = scatter[:, constant] = 0.0
    return total, mean, scatter


def _standard_deviations(S: Array) -> Array:
    """Return the standard deviations of a covariance; 1 where nothing varies."""
    variances = np.diag(S)
    return np.sqrt(np.where(variances > 0, variances, 1.0))


def _factor(R: Array) -> NDArray[Any] | None:
    """Return the Cholesky factor of a correlation matrix, or None if it is singular to tolerance."""
    try:
        L = cholesky(R)
    except np.linalg.LinAlgError:
        return None
    # its squared diagonal: the part of each feature's variance that the features before it leave open
    return L if np.diag(L).min() ** 2 > RANK_TOLERANCE else None


def _nonzero_eigenvalues(R: Array) -> tuple[Array, Array]:
    """Return the eigenvalues of a correlation matrix that do not count as zero, and their eigenvectors."""
    values, V = np.linalg.eigh(R)
    nonzero = values > RANK_TOLERANCE * values[-1]
    return values[nonzero], V[:, nonzero]


def _blind(means: Array, seen: Array) -> float:
    """Return the proportion of the squared spread of the means that is lost where only `seen` counts."""
    largest = abs(means).max() or 1.0  # squares of tiny means underflow
    spread = max(((means / largest) ** 2).sum(), 1.0)
    return float((((means - seen) / largest) ** 2).sum() / spread)


def _fisher_directions(W: Array, deviations: Array, prior: Array) -> tuple[Array, Array]:
    r"""Return the ratios and directions of Theorem 7.1 from an eigenproblem of size K only.

    With M the deviations, :math:`\Omega = \operatorname{diag}(\pi)` and :math:`W = M\Sigma^{-1}`: if u is
    a unit eigenvector of :math:`\Omega^{1/2}WM^\top\Omega^{1/2}` with value v, then
    :math:`a = W^\top\Omega^{1/2}u/\sqrt v` has :math:`M^\top\Omega M a = v\,\Sigma a` and
    :math:`a^\top\Sigma a = 1`. The sign is chosen so that the largest entry of a is positive.
    """
    root = np.sqrt(prior)[:, None]
    ratios, U = np.linalg.eigh(root * (W @ deviations.T) * root.T)
    positive = np.flatnonzero(ratios > RANK_TOLERANCE * max(ratios[-1], 0.0))[::-1]
    ratios, directions = ratios[positive], (root * W).T @ (U[:, positive] / np.sqrt(ratios[positive]))
    largest = directions[abs(directions).argmax(axis=0), np.arange(len(ratios))]
    return ratios, directions * np.where(largest < 0, -1.0, 1.0)
