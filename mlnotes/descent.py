r"""Gradient descent: follow the slope downhill, and know how fast.  Lecture 6 and Deeper 6.

    w_{t+1} = w_t - eta grad f(w_t)                                                          (1.1)

Look at the slope where you are, take a step against it, look again. f and its gradient are given as
functions value(w) and gradient(w) of a vector w (d,). An empirical risk is a mean over rows, f = 1/n
sum_i f_i; its stochastic gradient, gradient(w, rows), is the mean over the given rows alone.

    L   the gradient is L-Lipschitz: |grad f(v) - grad f(w)| <= L |v - w|
    mu  f is mu-strongly convex: f - mu/2 |w|^2 is convex
    r   the distance |w_0 - w*| of the start from a minimiser

Descent lemma: for eta < 2/L every step goes down. So a value above the first one proves eta > 2/L:
the run stops there with a warning. Theorem 3.2: for convex f and eta <= 1/L, f(w_t) - f* is at most
L r^2 / (4 L eta t + 2). Theorem 4.1: for strongly convex f the distance shrinks by linear_factor.

An algorithm is a generator of its states without an end of its own, start first; islice takes the
first of them. Only the domain of a bound or definition is checked here; the estimators in
mlnotes/estimators check the rest, here NumPy speaks.
"""

import warnings

import numpy as np

ROUNDING = 8 * np.finfo(float).eps  # of a value, relative


# ---- 1, 2 The step, and what it gains


def gradient_descent(value, gradient, start, *, step):
    """Yield w_0, w_1, ... for a fixed step, or for the steps of backtracking."""
    w = np.array(start, dtype=float)
    highest = value(w) + ROUNDING * abs(value(w))
    eta = 0.5 if step == "backtracking" else step
    yield w
    while True:
        g = gradient(w)
        if step == "backtracking":
            eta = backtrack(value, w, g, eta)
        w = w - eta * g  # (1.1)
        if not value(w) <= highest:
            warnings.warn("the value is above that of the start: the step exceeds 2/L", stacklevel=2)
            return
        yield w


def descent_bound(norm, *, smoothness, step):
    """The fall that the descent lemma grants a step at a gradient of this norm."""
    return step * (1 - smoothness * step / 2) * norm**2  # (2.2)


# ---- 3, 4 How fast


def sublinear_bound(t, *, smoothness, radius, step=None):
    """The most that f(w_t) - f* can be for convex f and a step of at most 1/L, by default 1/L."""
    h = 1.0 if step is None else smoothness * step
    if h > 1 + ROUNDING:
        raise ValueError(f"step must be at most 1/L for this bound, got {h:.3g}/L.")
    return smoothness * radius**2 / (4 * h * t + 2)  # (3.4)


def linear_factor(*, smoothness, convexity, step):
    """By this factor |w_t - w*| shrinks in every step; below 1 iff 0 < step < 2/L."""
    return max(abs(1 - step * convexity), abs(1 - step * smoothness))  # (4.1)


class Quadratic:
    """w'Aw/2: the part along an eigenvector is multiplied by 1 - eta lambda in every step."""

    def __init__(self, A):
        self.A = np.asarray(A, dtype=float)
        values = np.linalg.eigvalsh(self.A)
        if values[0] < -1e-12 * abs(values).max():
            raise ValueError("A must have no negative eigenvalue: the function is to be convex.")
        self.convexity, self.smoothness = max(values[0], 0.0), values[-1]

    def value(self, w):
        return w @ self.A @ w / 2

    def gradient(self, w):
        return self.A @ w


class Huber:
    """|w|^2/2 as far as |w| <= tau, then a cone of slope tau: the slowest smooth convex function."""

    smoothness = 1.0

    def __init__(self, tau):
        self.tau = tau

    def value(self, w):
        r = np.linalg.norm(w)
        return r**2 / 2 if r <= self.tau else self.tau * (r - self.tau / 2)  # (3.5)

    def gradient(self, w):
        return w * min(1.0, self.tau / max(np.linalg.norm(w), 1e-300))


# ---- 5 Without L, and faster


def backtrack(value, w, g, eta):
    """The first of 2 eta, eta, eta/2, ... whose step goes down by half of eta |g|^2."""
    square, slack = g @ g, ROUNDING * abs(value(w))
    if eta * square <= 2 * slack:  # the fall is below the rounding of f, which decides nothing
        return eta
    eta = 2 * eta
    while not value(w - eta * g) <= value(w) - eta / 2 * square + slack:  # (5.1)
        eta = eta / 2
    return eta


def accelerated_descent(value, gradient, start, *, step, convexity=0.0):
    """Nesterov: a gradient step from a point ahead, in the direction of the last move."""
    w = ahead = np.array(start, dtype=float)
    root, theta = np.sqrt(step * convexity), 1.0
    while True:
        yield w
        last, w = w, ahead - step * gradient(ahead)  # (5.2)
        theta, before = (1 + np.sqrt(1 + 4 * theta**2)) / 2, theta  # (5.2)
        momentum = (1 - root) / (1 + root) if convexity else (before - 1) / theta
        ahead = w + momentum * (w - last)


def newton_method(value, gradient, hessian, start):
    """The minimum of the quadratic model at w; half as far until the value falls enough."""
    w = np.array(start, dtype=float)
    while True:
        yield w
        g = gradient(w)
        direction, eta = np.linalg.solve(hessian(w), g), 1.0  # (5.5)
        highest = value(w) + ROUNDING * abs(value(w))
        while eta > 1e-12 and not value(w - eta * direction) <= highest - 0.1 * eta * (g @ direction):
            eta = eta / 2
        w = w - eta * direction


# ---- 6, 7 One row at a time, and what noise costs


def step_rule(step):
    """A number, or a function of t = 1, 2, ..., as a function of t."""
    return step if callable(step) else lambda t: step


def stochastic_gradient_descent(gradient, n_rows, start, *, step, rng, batch_size=1):
    """Draw rows uniformly, with replacement, for every step. Yield (w, rows); at first no rows."""
    w, eta, t = np.array(start, dtype=float), step_rule(step), 0
    yield w, None
    while True:
        t = t + 1
        rows = rng.integers(n_rows, size=batch_size)
        w = w - eta(t) * gradient(w, rows)  # (6.1)
        yield w, rows


def running_means(path):
    """The mean of the first, of the first two, of the first three, ... vectors of a path."""
    mean, t = 0.0, 0
    for w in path:
        t = t + 1
        mean = mean + (w - mean) / t
        yield mean


def noise_floor(*, step, variance, t=None, start=0.0):
    """E (w_t - mean)^2 of stochastic descent on 1/2 (w - x_i)^2, `start` at t = 0; or its limit."""
    if not 0 < step < 2:
        raise ValueError(f"step must lie strictly between 0 and 2: else there is no limit, got {step}.")
    floor = step * variance / (2 - step)  # (7.1)
    return floor if t is None else floor + (1 - step) ** (2 * t) * (start - floor)


# ---- 8 Corners


def subgradient_method(value, subgradient, start, *, step, project=lambda w: w):
    """Yield (w, best): a subgradient need not point downhill, so that the answer is the best."""
    w, eta, t = project(np.array(start, dtype=float)), step_rule(step), 0
    best = w
    while True:
        yield w, best
        t = t + 1
        w = project(w - eta(t) * subgradient(w))  # section 8
        best = w if value(w) < value(best) else best


def hinge_risk(w, X, y, *, threshold=1.0):
    """The hinge loss at threshold 1, the perceptron's at 0; its kinks are margins at the threshold."""
    return np.maximum(0.0, threshold - y * (X @ w)).mean()


def hinge_subgradient(w, X, y, *, threshold=1.0, kink=0.0):
    """Rows below the threshold count 1, rows on it any one weight from 0 to 1."""
    if not 0 <= kink <= 1:
        raise ValueError(f"kink must lie from 0 to 1: other weights give no subgradient, got {kink}.")
    margins = np.asarray(y) * (X @ np.asarray(w))
    weights = np.where(margins == threshold, kink, margins < threshold)
    return -(weights * y) @ X / len(X)  # deeper, Proposition 8.1
