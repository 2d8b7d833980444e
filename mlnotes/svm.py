"""The support vector machine: the widest strip between two classes.  Lecture 9 and Deeper 9.

    f(x) = <w, x> + b,    labels y_i = -1 or 1,    margins m_i = y_i f(x_i)

    min   1/2 |w|^2 + C sum_i slack_i,    m_i >= 1 - slack_i,  slack_i >= 0                    (5.1)
    max   sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij,
          sum_i alpha_i y_i = 0,  0 <= alpha_i <= C                                            (5.5)

K_ij = <x_i, x_j>, or any kernel k(x_i, x_j). C = infinity is the hard margin: no slack. Where feasible
points of both problems have one value, they are optimal, w = sum_i alpha_i y_i x_i, and only the rows
with alpha_i > 0, the support vectors, matter. The gap, (primal - dual) / primal, proves how good one is.

At f(x) = 0 the answer is the second class. If an interval of b is optimal, its middle is taken. Only what
a theorem asks for is checked, else NumPy speaks; the estimators check input, and take many rows.
"""

import itertools
import math
import warnings
from collections import deque

import numpy as np

from mlnotes import duality

# ---- 1 The widest strip


def margins(X, y, w, b):
    return y * (X @ w + b)


def hyperplane_distance(X, w, b):
    return abs(X @ w + b) / np.linalg.norm(w)


def class_margins(X, y, w, b):
    """The distance of the closest row of class -1 and of class 1; negative on the wrong side."""
    distance = margins(X, y, w, b) / np.linalg.norm(w)  # at least M for the plane of (1.1)
    return distance[y < 0].min(), distance[y > 0].min()


# ---- 3 to 5 Slack, the two problems, the Lagrangian between them


def hinge_loss(X, y, w, b):
    return np.maximum(0, 1 - margins(X, y, w, b))  # the cheapest slacks (5.2)


def primal_value(square, slack, C):
    """From |w|^2 and slacks; at C = infinity of the plane, stretched until it needs no slack."""
    if np.isinf(C).all():
        least = 1 - slack.max()  # the smallest margin, if that is below 1
        return 0.5 * square / least**2 if least > 0 else np.inf  # (2.1)
    return 0.5 * square + np.sum(C * slack)  # (5.2)


def primal_objective(X, y, w, b, C):
    return primal_value(np.dot(w, w), hinge_loss(X, y, w, b), C)


def dual_value(square, total):
    return total - 0.5 * square  # from |w|^2 and the sum of the multipliers (3.2)


def dual_objective(alpha, y, K):
    return dual_value((alpha * y) @ K @ (alpha * y), np.sum(alpha))  # (5.5)


def lagrangian(X, y, C, w, b, slack, alpha, eta):
    return 0.5 * w @ w + C * slack.sum() + alpha @ (1 - slack - margins(X, y, w, b)) - eta @ slack  # (5.3)


def lagrangian_gradient(X, y, C, w, alpha, eta):
    """The derivatives of L in w, b and the slacks: 0 at the optimum."""
    return w - (alpha * y) @ X, -(alpha @ y), C - alpha - eta  # (5.4)


MISSES = "stationarity", "primal_feasibility", "equality", "dual_feasibility", "complementarity"


def kkt_residuals(X, y, C, w, b, alpha, slack=None):
    """By how much a point misses each of the conditions of Theorem 5.2; all 0 means optimal."""
    return misses(*lagrangian_gradient(X, y, C, w, alpha, 0)[:2], margins(X, y, w, b), C, alpha, slack)


def misses(dw, db, m, C, alpha, slack=None):
    """The same from the derivatives of L in w and b and the margins m, with any kernel."""
    hard = np.isinf(C).all()
    slack = np.where(hard, 0, np.maximum(0, 1 - m)) if slack is None else np.asarray(slack)
    g = [1 - slack - m, -slack]  # at most 0 (5.1)
    eta = np.ones(len(m)) if hard else C - alpha  # any slack misses the hard margin by itself
    return dict(zip(MISSES, duality.kkt_residuals(dw, g, np.array([alpha, eta]), [db]), strict=True))  # (5.6)


# ---- 6.1 From multipliers to a machine


def extreme_rows(r, beta, low, high):
    """b is at least r_i where beta_i may grow and at most r_i where it may shrink: the two rows."""
    grows, shrinks = np.where(beta < high, r, -np.inf), np.where(beta > low, r, np.inf)
    return np.argmax(grows), np.argmin(shrinks)


def box(y, C):
    return np.minimum(0, C * y), np.maximum(0, C * y)  # of beta_i = alpha_i y_i


def bias_interval(alpha, y, K, C):
    """The ends of the interval of optimal b. It is empty unless the multipliers are optimal."""
    r = y - K @ (alpha * y)  # the b with which a row is on its margin
    return tuple(r[i] for i in extreme_rows(r, alpha * y, *box(y, C)))  # Proposition 6.1


def support_vector_types(alpha, slack, C):
    cases = [alpha == 0, alpha < C, slack == 0, slack < 1, slack == 1]
    return np.select(cases, ["none", "margin", "edge", "inside", "boundary"], "wrong")


# ---- 6.4 The algorithm: two multipliers at a time


def move_pairs(K, t, low, high, beta, steps=20_000):
    """Maximise t'beta - beta'K beta / 2, low <= beta <= high: as one entry grows, one shrinks.
    Along the pair whose slopes differ most, the objective is a parabola with a known top.
    Yield (beta, its slope r = t - K beta: the b of each row, the pair that moved)."""
    r, pair = t - K @ beta, None
    for _ in range(steps):
        yield beta, r, pair
        i, j = pair = extreme_rows(r, beta, low, high)
        curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)  # of equal rows 0
        step = min((r[i] - r[j]) / curvature, high[i] - beta[i], beta[j] - low[j])  # (6.1)
        if step <= 0:
            return
        beta = beta.copy()
        beta[i], beta[j] = min(beta[i] + step, high[i]), max(beta[j] - step, low[j])
        r = r - step * (K[i] - K[j])


def smo(K, y, C, alpha=0.0, tol=1e-9):
    """Move the two rows that disagree most about b, to a gap of tol. Yield (alpha, pair, gap)."""
    low, high = box(y, C)
    for beta, r, pair in move_pairs(K, y, low, high, np.zeros(len(y)) + alpha * y):
        i, j = extreme_rows(r, beta, low, high)
        b = (r[i] + r[j]) / 2
        square = beta @ (y - r)  # |w|^2 = beta'K beta
        slack = np.maximum(0, y * (r - b))
        gap = 1 - dual_value(square, beta @ y) / primal_value(square, slack, C)
        yield beta * y, pair, gap
        if gap <= tol:
            return


def soft_margin(K, y, C):
    """Raise the price tenfold, up to C: the shares of it stay feasible. Yield (alpha, gap, price)."""
    price, share = 0, np.zeros(len(y))
    while price < C:
        price = min(C, max(10 * price, 1 / spread(K)))
        alpha, _, gap = deque(smo(K, y, price, share * price), maxlen=1).pop()  # the last state
        yield alpha, gap, price
        share = alpha / price


def hard_margin(K, y):
    """The same, until no multiplier meets the price: then slack costs too much at any higher price."""
    for alpha, gap, price in soft_margin(K, y, math.inf):
        if 4 * (alpha * y) @ K @ (alpha * y) <= 1e-14 * spread(K) * sum(alpha) ** 2:  # |p - q|^2
            raise ValueError("C = infinity needs classes that a plane separates: the hulls meet")
        yield alpha, gap, price
        if max(alpha) < price:
            return  # Proposition 5.3


def spread(K):
    return max(np.trace(K) / len(K) - K.mean(), 1e-300)  # mean square of the distance to the mean


# ---- 7 Other forms of the same machine


def form2_cost(alpha, C):
    return C / np.sum(alpha)  # of the slacks in max gamma - C2 sum_i slack_i, |w| = 1: Theorem 7.1


def form2_least_cost(y):
    return 0.5 / min(np.sum(y > 0), np.sum(y < 0))


def erm_objective(X, y, w, b, penalty):
    return hinge_loss(X, y, w, b).mean() + 0.5 * penalty * np.dot(w, w)  # (7.2)


def erm_subgradient(X, y, w, b, penalty):
    active = y * (margins(X, y, w, b) < 1)
    return penalty * w - active @ X / len(X), -active.mean()


# ---- 8 Kernels


def linear_kernel(X, Z):
    return X @ Z.T


def polynomial_kernel(X, Z, degree=3, gamma=1.0, coef0=0.0):
    return (gamma * (X @ Z.T) + coef0) ** degree


def rbf_kernel(X, Z, gamma=1.0):
    return np.exp(-gamma * ((X[:, None] - Z) ** 2).sum(axis=2))


def is_gram(K):
    """Whether K is symmetric without a negative eigenvalue, up to rounding."""
    blur = 1e-14 * len(K) * abs(K).max()
    return bool(abs(K - K.T).max() <= blur and np.linalg.eigvalsh(K)[0] >= -blur)


KERNELS = {"linear": linear_kernel, "poly": polynomial_kernel, "rbf": rbf_kernel}


class Machine:
    """What both machines share. The default of gamma is 1/d over the variance of all entries."""

    def gram(self, X, Z):
        return KERNELS.get(self.kernel, self.kernel)(np.asarray(X, float), Z, **self.options_)

    def gram_of_rows(self, X):
        default = {"gamma": 1 / (X.shape[1] * X.var() or 1.0)} if self.kernel in ("poly", "rbf") else {}
        self.options_ = default | self.options
        return self.gram(X, X)

    def keep(self, X, beta, b, gap):
        self.support_, self.intercept_, self.gap_ = np.flatnonzero(beta), np.array([b]), gap
        self.support_vectors_, self.dual_coef_ = X[self.support_], beta[None, self.support_]
        if gap > 1e-8:
            warnings.warn(f"stopped at a gap of {gap:.1e}: scale the features", stacklevel=3)
        return self

    def decision_function(self, X):
        return self.gram(X, self.support_vectors_) @ self.dual_coef_[0] + self.intercept_[0]  # (8.1)


class SVC(Machine):
    def __init__(self, C=1.0, kernel="rbf", **options):
        self.C, self.kernel, self.options = C, kernel, options

    def fit(self, X, y):
        X, (self.classes_, codes) = np.asarray(X, float), np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            raise ValueError("a strip lies between two classes")
        K, signs = self.gram_of_rows(X), 2 * codes - 1
        hard = math.isinf(self.C)
        *_, (alpha, gap, _) = hard_margin(K, signs) if hard else soft_margin(K, signs, self.C)
        self.keep(X, alpha * signs, np.mean(bias_interval(alpha, signs, K, self.C)), gap)
        if self.kernel == "linear":
            self.coef_ = self.dual_coef_ @ self.support_vectors_
        return self

    def predict(self, X):
        return self.classes_[(self.decision_function(X) >= 0).astype(int)]


class OneClassSVM(Machine):
    """Novel: sum_i beta_i k(x_i, x) < rho, where sum_i beta_i = 1 and 0 <= beta_i <= 1/(nu n)."""

    def __init__(self, nu=0.5, kernel="rbf", **options):
        self.nu, self.kernel, self.options = nu, kernel, options

    def fit(self, X, y=None):
        X = np.asarray(X, float)
        K, zero, count = self.gram_of_rows(X), np.zeros(len(X)), self.nu * len(X)
        blur = len(X) * np.finfo(float).eps * abs(K).max()  # what rounding leaves of beta'K beta
        start = np.clip(1 - np.arange(len(X)) / count, 0, 1 / count)  # the first rows, to a sum of 1
        for beta, r, _ in move_pairs(K, zero, zero, zero + 1 / count, start):
            order, square = np.sort(-r), -beta @ r  # the scores K beta, and beta'K beta
            rho = (order[math.ceil(count) - 1] + order[min(int(count), len(X) - 1)]) / 2  # any between
            gap = square - rho + np.maximum(0, rho + r).sum() / count
            if gap <= 1e-9 * square or max(gap, square) <= blur:
                break
        return self.keep(X, count * beta, -count * rho, gap / square if square > blur else 0.0)

    def predict(self, X):
        edge = (1e-12 + 10 * self.dual_coef_.sum() * self.gap_) * abs(self.intercept_)  # nu n is the sum
        return np.where(self.decision_function(X) >= -edge, 1, -1)  # below are fewer than nu n + 1/10 rows


# ---- 9 What the bounds say


def vc_bound(n, h, delta):
    """Added to the training error of a class of VC dimension h, fixed before the data are drawn."""
    if n < h:
        raise ValueError("the bound needs at least as many rows as the VC dimension")
    return 2 * math.sqrt(2 * (h * math.log(2 * math.e * n / h) + math.log(2 / delta)) / n)  # (9.1)


def vc_sample_size(h, delta):
    return next(n for n in itertools.count(math.ceil(h)) if vc_bound(n, h, delta) < 1)  # it falls in n


def margin_dimension(n_features, radius, margin):
    return min(n_features, math.ceil((radius / margin) ** 2)) + 1  # (9.2)
