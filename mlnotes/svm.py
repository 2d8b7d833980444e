r"""Support vector machines: the maximum-margin classifier.  Lecture 9 and Companion 9.

    decision function   f(x) = <w, x> + b,  y_i in {-1, +1},  functional margins m_i = y_i f(x_i)

    primal   minimise   F = 1/2 |w|^2 + C sum_i xi_i     subject to  m_i >= 1 - xi_i,  xi_i >= 0       (5.1)
    dual     maximise   d = sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij
             subject to  0 <= alpha_i <= C,  sum_i alpha_i y_i = 0                                     (5.5)

K_ij = <x_i, x_j>, or any kernel k(x_i, x_j); K (n, n), labels y (n,), multipliers alpha (n,). C = infinity is
the hard margin: no slack xi_i is allowed.

Theorem 5.2. At the optimum F = d, and w = sum_i alpha_i y_i x_i: only the support vectors, the training
examples with alpha_i > 0, matter. For all feasible points d <= F (weak duality), so that the relative
duality gap, (F - d) / F, is a certificate: it bounds how far both are from the optimum.

Sequential minimal optimisation (SMO) works on beta_i = alpha_i y_i, which must keep the sum 0: in each step
one of them grows by t, and another one shrinks by t. To choose the two, compute for every training example
r_i = y_i - <w, x_i>, the intercept b that puts it exactly on its margin. The most violating pair is the two
examples that disagree most about b, among those whose beta may still move in the right direction. The step
t maximises the dual along this move.

The algorithm comes first; the numbers of sections and equations are those of the lecture.
Inputs are not validated here; the estimators do that.
"""

import warnings
from collections import namedtuple

import numpy as np

# ---- 6.4 The algorithm: sequential minimal optimisation

State = namedtuple("State", "alpha b gap pair")


def smo(K, y, C, start=0.0, tol=1e-9, max_steps=20_000):
    """Yield the State at the start and after every step, until the relative duality gap is at most tol.

    `pair` holds the two examples that the next step will change. `start` is a feasible alpha.
    """
    lower, upper = box(y, C)
    beta = start * y
    scores = K @ beta  # <w, x_i> = sum_j beta_j K_ij
    for _ in range(max_steps):
        r = y - scores
        i, j = most_violating_pair(beta, r, lower, upper)
        b = (r[i] + r[j]) / 2
        alpha = beta * y
        w_squared = beta @ scores  # |w|^2 = sum_ij beta_i beta_j K_ij
        primal = primal_objective(w_squared, y * (scores + b), C)
        dual = dual_objective(w_squared, alpha)
        gap = (primal - dual) / primal if np.isfinite(primal) else 1.0  # the limit as F grows
        yield State(alpha, b, gap, (i, j))
        if gap <= tol or r[i] <= r[j]:  # optimal
            return
        t = best_step(beta, r, i, j, K, lower, upper)
        beta = beta.copy()
        beta[i] = min(beta[i] + t, upper[i])
        beta[j] = max(beta[j] - t, lower[j])
        scores = scores + t * (K[i] - K[j])


def box(y, C):
    """Translate 0 <= alpha <= C into lower and upper bounds on beta = alpha y."""
    lower = np.where(y > 0, 0, -C)
    upper = np.where(y > 0, C, 0)
    return lower, upper


def most_violating_pair(beta, r, lower, upper):
    """Return i with the largest r_i where beta_i can grow, j with the smallest r_j where beta_j can shrink.

    An optimal b is at least r_i wherever beta_i can grow, and at most r_j wherever beta_j can shrink. So
    there is one if and only if r_i <= r_j for the two examples returned (Proposition 6.1).
    """
    can_grow = beta < upper
    can_shrink = beta > lower
    i = np.where(can_grow, r, -np.inf).argmax()
    j = np.where(can_shrink, r, np.inf).argmin()
    return i, j


def best_step(beta, r, i, j, K, lower, upper):
    """Along beta_i + t, beta_j - t the dual is a parabola in t: go to its top, or to the end of the box."""
    room = min(upper[i] - beta[i], beta[j] - lower[j])
    curvature = K[i, i] + K[j, j] - 2 * K[i, j]  # |x_i - x_j|^2
    if curvature <= 0:  # phi(x_i) = phi(x_j): the parabola is a line
        return room
    return min((r[i] - r[j]) / curvature, room)  # (6.1)


# ---- 5 The two problems


def hinge_loss(margins):
    return np.maximum(0, 1 - margins)  # the smallest feasible slacks (5.2)


def primal_objective(w_squared, margins, C):
    if np.isfinite(C):
        return 0.5 * w_squared + C * hinge_loss(margins).sum()  # (5.2)
    if margins.min() <= 0:
        return np.inf  # w does not separate the classes
    return 0.5 * w_squared / margins.min() ** 2  # (2.1), with w rescaled so that the smallest margin is 1


def dual_objective(w_squared, alpha):
    return alpha.sum() - 0.5 * w_squared  # (5.5)


# ---- 8 Kernels, and the classifier


def linear_kernel(X, Z):
    return X @ Z.T


def polynomial_kernel(X, Z, degree=3, gamma=1.0, coef0=0.0):
    return (gamma * X @ Z.T + coef0) ** degree


def rbf_kernel(X, Z, gamma=1.0):
    differences = X[:, None] - Z
    return np.exp(-gamma * (differences**2).sum(axis=2))


class SVC:
    """Predict the second of two classes where f(x) >= 0."""

    def __init__(self, C=1.0, kernel=linear_kernel):
        self.C = C
        self.kernel = kernel

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        signs = 2 * codes - 1  # -1 for the first class, +1 for the second
        solve = smo if np.isinf(self.C) else smo_with_warm_starts
        for state in solve(self.kernel(X, X), signs, self.C):
            pass  # keep the last state
        if not state.gap < 1:  # the primal objective is still infinite
            raise ValueError("C = inf needs separable classes, and no separating hyperplane was found")
        warn_if_not_solved(state.gap)
        self.support_ = np.flatnonzero(state.alpha)
        self.support_vectors_ = X[self.support_]
        self.dual_coef_ = (state.alpha * signs)[self.support_]
        self.intercept_ = state.b
        self.gap_ = state.gap
        return self

    def normal_vector(self):
        """Return w = sum_i alpha_i y_i x_i. It describes the boundary if the kernel is the linear one."""
        return self.dual_coef_ @ self.support_vectors_

    def decision_function(self, X):
        return self.kernel(X, self.support_vectors_) @ self.dual_coef_ + self.intercept_  # (8.1)

    def predict(self, X):
        return self.classes_[(self.decision_function(X) >= 0).astype(int)]


def warn_if_not_solved(gap, tol=1e-6):
    if gap > tol:
        warnings.warn(f"SMO stopped with a relative duality gap of {gap:.2g}, above {tol}.", stacklevel=3)


def smo_with_warm_starts(K, y, C):
    """Solve for C/4096, C/256, C/16 and C, each time from the solution before; yield the four solutions.

    From alpha = 0 SMO needs very many steps if C is large. If alpha is feasible for C/16, 16 alpha is for C.
    Three such factors, 16^3 = 4096, are a choice: so small a C is solved in few steps.
    """
    alpha = np.zeros(len(y))
    for smaller_C in (C / 4096, C / 256, C / 16, C):
        for state in smo(K, y, smaller_C, start=16 * alpha):
            pass  # keep the last state
        yield state
        alpha = state.alpha


# ---- 1 The geometry of the margin


def margins(X, y, w, b):
    return y * (X @ w + b)


def hyperplane_distance(X, w, b):
    return abs(X @ w + b) / np.linalg.norm(w)


def class_margins(X, y, w, b):
    """Return the distance of the closest example of class -1, and of class +1; negative on the wrong side."""
    distances = margins(X, y, w, b) / np.linalg.norm(w)
    return distances[y < 0].min(), distances[y > 0].min()  # both at least M in (1.1)


# ---- 5 The Lagrangian, and the conditions for an optimum


def lagrangian(X, y, C, w, b, slack, alpha, eta):
    violations = 1 - slack - margins(X, y, w, b)
    return 0.5 * w @ w + C * slack.sum() + alpha @ violations - eta @ slack  # (5.3)


def lagrangian_gradient(X, y, C, w, alpha, eta):
    """Return the derivatives in w, in b and in the slacks."""
    return w - (alpha * y) @ X, -(alpha @ y), C - alpha - eta  # (5.4)


def kkt_residuals(X, y, C, w, b, alpha, slack=None):
    """Return by how much each condition of Theorem 5.2 is violated: all are 0 at the optimum, and only there.

    C = infinity allows no slack: then the conditions are those of Theorem 4.1.
    """
    m = margins(X, y, w, b)
    if np.isinf(C):
        slack = np.zeros(len(m))
        C = alpha.max()  # without slack, any C >= alpha will do
    elif slack is None:
        slack = hinge_loss(m)
    violations = 1 - slack - m
    return {
        "primal_feasibility": max(0, violations.max(), -slack.min()),
        "dual_feasibility": max(0, -alpha.min(), (alpha - C).max()),
        "equality": abs(alpha @ y),
        "complementarity": max(abs(alpha * violations).max(), abs((C - alpha) * slack).max()),  # (5.6)
        "stationarity": abs(w - (alpha * y) @ X).max(),
    }


# ---- 6 What the multipliers say


def intercept_interval(alpha, y, K, C):
    """Return the smallest and the largest optimal b, given optimal multipliers."""
    beta = alpha * y
    r = y - K @ beta
    i, j = most_violating_pair(beta, r, *box(y, C))
    return r[i], r[j]  # Proposition 6.1


def support_vector_types(alpha, slack, C):
    """Return where each training example lies; for the last four types alpha = C (section 6.2)."""
    conditions = [alpha == 0, alpha < C, slack == 0, slack < 1, slack == 1]  # the first true one decides
    return np.select(conditions, ["none", "margin", "edge", "inside", "boundary"], default="wrong")


# ---- 7 The same classifier by regularised risk minimisation, with penalty = 1 / (n C)


def regularized_risk(X, y, w, b, penalty):
    return hinge_loss(margins(X, y, w, b)).mean() + 0.5 * penalty * w @ w  # (7.2)


def regularized_risk_subgradient(X, y, w, b, penalty):
    """Return a subgradient in w, and in b: only examples with m_i < 1 contribute."""
    active = np.where(margins(X, y, w, b) < 1, y, 0)
    return penalty * w - active @ X / len(X), -active.mean()


# ---- 8.2 Which functions are kernels?


def is_gram_matrix(K, tol=1e-9):
    """Return whether K can hold inner products: it is symmetric, without negative eigenvalues."""
    return np.allclose(K, K.T) and np.linalg.eigvalsh(K).min() >= -tol
