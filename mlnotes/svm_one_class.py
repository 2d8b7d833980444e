r"""The one-class support vector machine: where are the data?  Lecture 9 and Companion 9, section 8.4.

    decision function   f(x) = <w, phi(x)> - rho = sum_i beta_i k(x_i, x) - rho;  outliers have f(x) < 0

    primal   minimise   1/2 |w|^2 - rho + 1/(nu n) sum_i xi_i
             subject to  <w, phi(x_i)> >= rho - xi_i,  xi_i >= 0
    dual     minimise   1/2 sum_ij beta_i beta_j K_ij
             subject to  0 <= beta_i <= 1/(nu n),  sum_i beta_i = 1

nu, with 0 < nu <= 1, is an upper bound on the proportion of outliers among the training examples, and a lower
bound on that of support vectors:

Proposition 8.2 (Schölkopf et al.). At most nu n training examples are outliers, and at least nu n are support
vectors, with beta_i > 0.

The algorithm is SMO as in `mlnotes.svm`: in each step one weight beta_i grows and another one shrinks.
Inputs are not validated here; the estimators do that.
"""

import numpy as np

from mlnotes.svm import best_step, most_violating_pair, rbf_kernel, warn_if_not_solved

# ---- The algorithm


def one_class_smo(K, nu, tol=1e-9, max_steps=20_000):
    """Yield (beta, rho, gap) at the start and after every step, until the gap is at most tol."""
    n = len(K)
    lower = np.zeros(n)
    upper = np.full(n, 1 / (nu * n))
    beta = np.clip(1 - np.arange(n) / (nu * n), lower, upper)  # the first examples, until the sum is 1
    scores = K @ beta  # <w, phi(x_i)>
    for _ in range(max_steps):
        rho = best_threshold(scores, nu)
        w_squared = beta @ scores
        is_zero = w_squared <= 1e-15 * K.max()  # w = 0 up to floating-point error: no w is shorter
        gap = 0.0 if is_zero else relative_gap(scores, w_squared, rho, nu)
        yield beta, rho, gap
        i, j = most_violating_pair(beta, -scores, lower, upper)
        if gap <= tol or scores[i] >= scores[j]:  # weight should move from high scores to low ones
            return
        t = best_step(beta, -scores, i, j, K, lower, upper)
        beta = beta.copy()
        beta[i] = min(beta[i] + t, upper[i])
        beta[j] = max(beta[j] - t, lower[j])
        scores = scores + t * (K[i] - K[j])


def best_threshold(scores, nu):
    """Return the rho that is best for given w, the nu-quantile: at most nu n scores lie below it."""
    return np.quantile(scores, nu, method="averaged_inverted_cdf")


def relative_gap(scores, w_squared, rho, nu):
    slack = np.maximum(0, rho - scores)
    primal = 0.5 * w_squared - rho + slack.sum() / (nu * len(scores))
    dual = -0.5 * w_squared
    return (primal - dual) / w_squared


# ---- The detector


class OneClassSVM:
    """Predict -1 for outliers, and +1 for all other examples.

    A support vector with beta_i < 1/(nu n) lies on the boundary: f(x_i) is 0 up to floating-point error, so
    it may be predicted as an outlier. Proposition 8.2 does not count such examples.
    """

    def __init__(self, nu=0.5, kernel=rbf_kernel):
        self.nu = nu
        self.kernel = kernel

    def fit(self, X):
        for beta, rho, gap in one_class_smo(self.kernel(X, X), self.nu):
            pass  # keep the last state
        warn_if_not_solved(gap)
        self.support_ = np.flatnonzero(beta)
        self.support_vectors_ = X[self.support_]
        self.dual_coef_ = beta[self.support_]
        self.intercept_ = -rho
        self.gap_ = gap
        return self

    def decision_function(self, X):
        return self.kernel(X, self.support_vectors_) @ self.dual_coef_ + self.intercept_

    def predict(self, X):
        return np.where(self.decision_function(X) >= 0, 1, -1)
