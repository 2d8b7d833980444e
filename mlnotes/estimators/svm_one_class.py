"""The support vector machine of one class: novelty detection by a region that holds most examples."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.engines.progress import Tell, progress
from mlnotes.engines.svm_kernel import rounding, solve_kernel
from mlnotes.engines.svm_linear import Solution
from mlnotes.estimators.base import LimitWarning, check_scalar
from mlnotes.estimators.svm_machine import GAP, KernelMachine

__all__ = ["EDGE", "OneClassSVM"]

Array = NDArray[np.float64]

EDGE = 1e-12  # fraction by which an offset is lowered, so that examples on the boundary are inside


class OneClassSVM(KernelMachine):
    r"""Novelty detection: :math:`\sum_i\beta_i\kappa(x_i, x) < \rho` for few training examples.

    Minimises :math:`\frac12\beta^\top K\beta` subject to :math:`\sum_i\beta_i = 1` and
    :math:`0 \le \beta_i \le 1/(\nu n)` (Schölkopf et al. 2001, Neural Computation 13, eq. 3.9). At most
    :math:`\nu n` examples are left out and at least :math:`\nu n` are support vectors (their proposition 4).

    Parameters
    ----------
    nu : float, default 0.5
        Above 0, at most 1.
    kernel, degree, gamma, coef0, verbose
        As in `SVC`.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
    support_vectors_ : ndarray of shape (n_support, d)
    dual_coef_ : ndarray of shape (1, n_support)
        :math:`\nu n\beta_i`, at most 1, as in scikit-learn.
    intercept_ : ndarray of shape (1,)
    offset_ : float
        ``decision_function`` is ``score_samples`` less this. It is 1e-12 of itself below :math:`\nu n\rho`,
        so that examples on the boundary are inside, whatever the rounding.
    gamma_ : float
    certificate_ : dict
        ``primal``, ``dual``, ``gap`` relative to the dual (0 if that is a rounding error),
        ``equality``, ``steps``, for :math:`\beta`.
    n_features_in_ : int

    Warns
    -----
    ConvergenceWarning
        If the relative gap is above 1e-8.
    LimitWarning
        If all kernel sums are zero, as with the linear kernel around the origin: all examples are inside.

    Examples
    --------
    >>> model = OneClassSVM(nu=0.2, gamma=1.0).fit([[0.0], [0.1], [0.2], [0.3], [9.0]])
    >>> model.predict([[0.15], [5.0]]).tolist()
    [1, -1]
    """

    _estimator_type = "outlier_detector"

    def __init__(
        self,
        nu: float = 0.5,
        *,
        kernel: str | Callable[..., Any] = "rbf",
        degree: int = 3,
        gamma: str | float = "scale",
        coef0: float = 0.0,
        verbose: bool | Tell = False,
    ) -> None:
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        """Add that this is an outlier detector."""
        tags = super().__sklearn_tags__()
        tags.estimator_type = self._estimator_type
        return tags

    def fit(self, X: ArrayLike, y: Any = None) -> OneClassSVM:
        """Fit to examples X, shape (n, d); y is ignored; return self."""
        X = self._record_features(X)
        nu, n = check_scalar(self.nu, name="nu", above=0, maximum=1), len(X)
        self._set_kernel(X, np.ones(n))
        K, upper = self._gram_rows(X - self._center, 1.0), 1 / (nu * n)
        some = np.arange(n)[:: n // 256 + 1]
        start = np.empty(n)  # all on the examples farthest from those: they are likely to be left out
        start[K.combine(some, np.ones(len(some))).argsort()] = np.clip(1 - upper * np.arange(n), 0, upper)
        with progress("OneClassSVM", self.verbose) as tell:
            solution = solve_kernel(K, np.zeros(n), np.zeros(n), np.full(n, upper), start, tell)
        self.support_ = np.flatnonzero(solution.beta)
        self.support_vectors_ = X[self.support_]
        self.dual_coef_ = nu * n * solution.beta[None, self.support_]
        self.certificate_ = c = self._certify(solution, upper)
        blur, intercept = rounding(K.diagonal), solution.intercept
        blind = abs(c["dual"]) <= blur
        if blind:  # the scores are rounding errors, and other ones when they are summed again
            c["gap"], intercept = 0.0, blur - float(solution.scores.min())
            message = "all kernel sums are zero, but for rounding: every point looks alike. Try kernel='rbf'."
            warnings.warn(message, LimitWarning, stacklevel=2)
        self.offset_ = -nu * n * (intercept + EDGE * abs(intercept))
        self.intercept_ = np.array([-self.offset_])
        return self._warn_above(GAP, "scale the features.")

    def score_samples(self, X: ArrayLike) -> Array:
        r"""Return :math:`\nu n\sum_i\beta_i\kappa(x_i, x)`, shape (n,): small for outliers."""
        return self._kernel_scores(self._check_input(X), self.dual_coef_)[:, 0]

    def decision_function(self, X: ArrayLike) -> Array:
        """Return ``score_samples`` minus ``offset_``, shape (n,); negative for outliers."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """Return 1 for points of the region and -1 for outliers, shape (n,)."""
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def fit_predict(self, X: ArrayLike, y: Any = None) -> NDArray[np.int64]:
        """Fit to X and return its labels."""
        return self.fit(X).predict(X)

    @staticmethod
    def _certify(solution: Solution, upper: float) -> dict[str, float]:
        square, intercept = float(solution.beta @ solution.scores), solution.intercept
        slack = np.maximum(0, -solution.scores - intercept)
        primal, dual = 0.5 * square + intercept + upper * float(slack.sum()), -0.5 * square
        return {
            "primal": primal,
            "dual": dual,
            "gap": (primal - dual) / abs(dual) if dual else 0.0,
            "equality": abs(float(solution.beta.sum()) - 1),
            "steps": solution.steps,
        }
