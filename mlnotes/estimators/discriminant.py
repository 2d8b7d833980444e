"""Discriminant analysis on data: the board `mlnotes.discriminant` with checked input and a certificate.

A feature whose spread is below the rounding error of its own mean counts as constant. Whether a covariance is
singular is decided on the correlation matrix: changing metres into millimetres changes no answer.

Sources: Yan, slides on linear classifiers, LDA and its generalization; chapter 10, sections 10.1.4 and
10.1.5; Recitation 7, Example 1.1; Shi, decision functions. Reduced rank: Fisher (1936), Rao (1948); Hastie,
Tibshirani and Friedman, *The Elements of Statistical Learning*, section 4.3.3.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import discriminant as board
from mlnotes.engines.discriminant_solves import factor, fisher_directions, quadratic_scores, solve_on_range
from mlnotes.engines.discriminant_sums import ClassSums, class_sums
from mlnotes.engines.rows import last_argmax, row_blocks
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

BLOCK = 2**17  # entries of a block of rows whose scores are computed together: 1 MiB stays in cache


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
        codes = np.empty(len(X), dtype=np.intp)
        for rows in row_blocks(len(X), X.shape[1], BLOCK):
            codes[rows] = last_argmax(self._finite_scores(X, rows))
        return self.classes_[codes]

    def predict_log_proba(self, X: ArrayLike) -> Array:
        r"""Return the logarithm of the estimated posterior, shape (n, K); finite however far x is."""
        return board.log_posterior(self._all_scores(X).T)

    def predict_proba(self, X: ArrayLike) -> Array:
        r"""Return the estimated posterior :math:`P(Y = k \mid X = x)`, shape (n, K)."""
        return np.exp(self.predict_log_proba(X))

    def _scores(self, X: Array) -> Array:
        """Return the scores of a block of rows, one class a row, shape (K, b)."""
        raise NotImplementedError

    def _sees_all(self) -> bool:
        """Return whether NaN or infinity in any feature makes a score NaN or infinite."""
        return True  # in QDA: the diagonals of its whiteners are not zero

    def _check_rows(self, X: ArrayLike) -> Array:
        """Return X; it is searched for NaN and infinity only where finite scores do not exclude them."""
        X = self._check_input(X, finite=False)
        return X if self._sees_all() else check_matrix(X)

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
        if self.shrinkage is not None:
            check_scalar(self.shrinkage, name="shrinkage", minimum=0, maximum=1)
        if self.n_components is not None:
            check_count(self.n_components, name="n_components", maximum=min(K - 1, d))
        S = self._pooled(X, codes, None if sample_weight is None else weights)
        self.covariance_ = board.blend(S, self.shrinkage, np.trace(S) / len(S)) if self.shrinkage else S
        self.xbar_ = self.priors_ @ self.means_
        deviations = self.means_ - self.xbar_  # (K, d)
        W = self._solve(deviations)
        b = np.log(self.priors_) - 0.5 * (W * deviations).sum(axis=1) - W @ self.xbar_
        self.coef_, self.intercept_ = (W, b) if K > 2 else (W[1:] - W[:1], b[1:] - b[:1])
        ratios, directions = fisher_directions(W, deviations, self.priors_)
        self.explained_variance_ratio_ = (ratios / ratios.sum())[: self.n_components]
        self.scalings_ = board.orient(directions)[:, : self.n_components]
        self._n_features_out = self.scalings_.shape[1]
        if self.certificate_["blind"] > board.TOLERANCE:
            warnings.warn(_BLIND.format(d=d, **self.certificate_), LimitWarning, stacklevel=2)
        return self

    def _pooled(self, X: Array, codes: NDArray[Any], weights: Array | None) -> Array:
        """Return the pooled covariance, and set means and priors."""
        K, counts, means, scatter = len(self.classes_), [], [], np.zeros((X.shape[1], X.shape[1]))
        with np.errstate(over="ignore"):
            for group in class_sums(X, codes, K, weights):
                counts.append(group.weight)
                means.append(group.mean)
                scatter += group.scatter
            check_size(np.trace(scatter), "the sum of squares of all classes")
        total = sum(counts)
        if total <= K:
            raise ValueError(
                f"the pooled covariance divides by n - K = {total:g} - {K}, which must be positive: some "
                "class needs a second row (weights count copies of rows)."
            )
        self.means_, self.priors_ = np.array(means), self._check_priors(np.array(counts))
        return scatter / (total - K)

    def _solve(self, deviations: Array) -> Array:
        """Return the weights (K, d) with S W' = deviations' where that can be, and set the certificate."""
        scale = board.units(self.covariance_)
        R, B = self.covariance_ / scale / scale[:, None], (deviations / scale).T
        solution = solve_on_range(R, B)
        self.certificate_ = {
            "rank": solution.rank,
            "residual": float(abs(R @ solution.Z - solution.seen).max()),
            "blind": float(board.blind_share(B, solution.seen)),
        }
        return solution.Z.T / scale

    def transform(self, X: ArrayLike) -> Array:
        r"""Return the rows :math:`A^\top(x - \bar x)`, shape (n, m), A the matrix ``scalings_``."""
        return self._frame((self._check_input(X) - self.xbar_) @ self.scalings_, X)

    def _sees_all(self) -> bool:
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
        sums = list(class_sums(X, codes, len(self.classes_)))
        self.priors_ = self._check_priors(np.array([group.weight for group in sums]))
        self.means_ = np.array([group.mean for group in sums])
        parts = [self._fit_class(group, label) for group, label in zip(sums, self.classes_, strict=True)]
        self.covariance_, self.whitening_, self.log_det_ = map(np.array, zip(*parts, strict=True))
        return self

    def _fit_class(self, group: ClassSums, label: Any) -> tuple[Array, Array, float]:
        """Return the covariance, A with A S A' = I, lower triangular, and log det S."""
        n, d = group.weight, len(group.mean)
        if n <= 1:
            raise ValueError(
                f"class {label} has n_k = {n:g}, at most 1 sample: its covariance divides by n_k - 1."
            )
        if self.reg_param == 0 and n <= d:
            raise ValueError(
                f"class {label} has {n:g} samples in {d} features, so its covariance is singular: "
                "QDA needs more rows than features in every class, or reg_param > 0."
            )
        S = board.blend(group.scatter / (n - 1), self.reg_param, 1.0)
        scale = board.units(S)
        R = S / scale / scale[:, None]
        L = factor(R)
        if L is None:
            raise ValueError(
                f"the covariance of class {label} (remove features or set reg_param > 0) is not positive "
                f"definite (rank {len(board.whitener(S))} of {d} to rounding), so there is no density."
            )
        return S, np.linalg.inv(L) / scale, float(2 * (np.log(np.diag(L)) + np.log(scale)).sum())

    def _scores(self, X: Array) -> Array:
        constants = np.log(self.priors_) - 0.5 * self.log_det_
        return quadratic_scores(X, self.means_, self.whitening_, constants)
