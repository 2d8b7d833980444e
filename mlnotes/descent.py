r"""Gradient descent: step against the gradient, and know how fast.  Lecture 6 and its companion notebook.

    gradient descent      w_{t+1} = w_t - eta grad f(w_t)                                            (1.1)
    stochastic descent    w_{t+1} = w_t - eta grad f_i(w_t),  i drawn at random,  f = 1/n sum_i f_i  (6.1)

    L     f is L-smooth:           |grad f(v) - grad f(w)| <= L |v - w|  for all v and w
    mu    f is mu-strongly convex: f - mu/2 |w|^2 is convex
    r     the distance |w_0 - w*| of the start from a minimiser

Theorem 2.1. With eta < 2/L every step lowers the value (descent lemma).
Theorem 3.2. For convex f and eta = h/L with 0 < h <= 1, f(w_t) - f(w*) is at most L r^2 / (4 h t + 2).
Theorem 4.1. For strongly convex f every step shrinks the distance |w_t - w*| at least by the factor
max(|1 - eta mu|, |1 - eta L|), which is below 1 for eta < 2/L.

value, gradient and hessian are functions of a vector w (d,). Each algorithm is a generator of its states,
the start first, and never ends: `islice(gradient_descent(gradient, start, step), 10)` takes the first ten.
Inputs are not validated here; the estimators do that.
"""

import numpy as np

# ---- 1 The step


def gradient_descent(gradient, start, step):
    """Yield w_0, w_1, w_2, ..."""
    w = np.array(start, dtype=float)
    while True:
        yield w
        w = w - step * gradient(w)  # (1.1)


class Quadratic:
    """f(w) = w'Aw/2, A positive semi-definite. A step multiplies the component along an eigenvector by
    1 - eta lambda.
    """

    def __init__(self, A):
        self.A = np.array(A, dtype=float)
        eigenvalues = np.linalg.eigvalsh(self.A)
        self.convexity = eigenvalues.min()  # mu
        self.smoothness = eigenvalues.max()  # L

    def value(self, w):
        return w @ self.A @ w / 2

    def gradient(self, w):
        return self.A @ w


# ---- 2 to 4 How fast


def descent_bound(norm, smoothness, step):
    """Return the guaranteed decrease of one step from a point whose gradient has this norm."""
    return step * (1 - smoothness * step / 2) * norm**2  # (2.2)


def sublinear_bound(t, smoothness, radius, h=1.0):
    """Bound f(w_t) - f(w*) for convex f and the step h/L."""
    if not 0 < h <= 1:
        raise ValueError(f"the bound needs a step h/L with 0 < h <= 1, got h = {h}")
    return smoothness * radius**2 / (4 * h * t + 2)  # (3.4)


class Huber:
    """|w|^2/2 for |w| <= tau, then a cone of slope tau.

    With tau = r / (2 h t + 1) it attains the bound (3.4) at step t: then no convex function with L = 1 is
    slower.
    """

    smoothness = 1.0

    def __init__(self, tau):
        self.tau = tau

    def value(self, w):
        r = np.linalg.norm(w)
        if r <= self.tau:
            return r**2 / 2
        return self.tau * r - self.tau**2 / 2  # (3.5)

    def gradient(self, w):
        r = np.linalg.norm(w)
        if r <= self.tau:
            return w
        return self.tau * w / r


def linear_factor(smoothness, convexity, step):
    """Bound |w_{t+1} - w*| / |w_t - w*| for strongly convex f."""
    return max(abs(1 - step * convexity), abs(1 - step * smoothness))  # (4.1)


# ---- 5 Unknown L, and acceleration


def backtracking_descent(value, gradient, start):
    """Try twice the last step, and halve it until the value falls by eta/2 |g|^2. Yield w_0, w_1, ..."""
    w = np.array(start, dtype=float)
    eta = 0.5
    while True:
        yield w
        g = gradient(w)
        eta = 2 * eta
        while value(w - eta * g) > value(w) - eta / 2 * (g @ g):  # (5.1)
            eta = eta / 2
        w = w - eta * g


def accelerated_descent(gradient, start, step, convexity=0.0):
    """Nesterov's method: step from a point ahead, in the direction of the last move. Yield w_0, w_1, ..."""
    w = np.array(start, dtype=float)
    ahead = w
    theta = 1.0
    while True:
        yield w
        w_next = ahead - step * gradient(ahead)  # (5.2)
        if convexity > 0:
            q = np.sqrt(step * convexity)
            momentum = (1 - q) / (1 + q)
        else:
            theta_next = (1 + np.sqrt(1 + 4 * theta**2)) / 2  # (5.2)
            momentum = (theta - 1) / theta_next
            theta = theta_next
        ahead = w_next + momentum * (w_next - w)  # (5.2)
        w = w_next


def newton_method(value, gradient, hessian, start):
    """Step to the minimiser of the quadratic model; halve the step until the value falls. Yield w_0, ..."""
    w = np.array(start, dtype=float)
    while True:
        yield w
        g = gradient(w)
        direction = np.linalg.solve(hessian(w), g)  # (5.5)
        eta = 1.0
        while value(w - eta * direction) > value(w) - 0.1 * eta * (g @ direction):
            eta = eta / 2
        w = w - eta * direction


# ---- 6 and 7 One training example at a time, and what noise costs


def stochastic_gradient_descent(gradient, n, start, step, rng, batch_size=1):
    """Yield (w, batch), where batch holds the training examples, of 0, ..., n - 1, behind the step to w.

    They are drawn with replacement; gradient(w, batch) is the mean of their gradients. The step sizes are
    step(1), step(2), ...
    """
    w = np.array(start, dtype=float)
    yield w, None
    t = 0
    while True:
        t = t + 1
        batch = rng.integers(n, size=batch_size)
        w = w - step(t) * gradient(w, batch)  # (6.1)
        yield w, batch


def running_means(vectors):
    """Yield the mean of the first vector, of the first two, of the first three, ... (section 7)."""
    mean = 0.0
    for t, w in enumerate(vectors, start=1):
        mean = mean + (w - mean) / t
        yield mean


def noise_floor(step, variance):
    """Return the limit of E (w_t - mean)^2 for SGD on f_i(w) = 1/2 (w - x_i)^2 with a constant step."""
    if not 0 < step < 2:
        raise ValueError(f"with a constant step there is a limit only for 0 < step < 2, got {step}")
    return step * variance / (2 - step)  # (7.1)


def mean_squared_error(t, start, step, variance):
    """Return E (w_t - mean)^2 itself, where `start` is its value at t = 0."""
    floor = noise_floor(step, variance)
    return floor + (1 - step) ** (2 * t) * (start - floor)  # (7.1)


# ---- 8 Non-smooth functions


def subgradient_method(value, subgradient, start, step, project=lambda w: w):
    """Yield (w, best): a step against a subgradient need not lower the value, so keep the best w so far."""
    w = project(np.array(start, dtype=float))
    best = w
    t = 0
    while True:
        yield w, best
        t = t + 1
        w = project(w - step(t) * subgradient(w))  # section 8
        if value(w) < value(best):
            best = w


def hinge_risk(w, X, y, threshold=1.0):
    """Return the mean hinge loss; with threshold 0 the mean loss of the perceptron."""
    margins = y * (X @ w)
    return np.maximum(0, threshold - margins).mean()


def hinge_subgradient(w, X, y, threshold=1.0, kink=0.0):
    """Return a subgradient; any weight `kink` in [0, 1] will do for the examples at the corner."""
    if not 0 <= kink <= 1:
        raise ValueError(f"only weights from 0 to 1 at the corner give a subgradient, got {kink}")
    margins = y * (X @ w)
    weights = np.where(margins == threshold, kink, margins < threshold)
    return -(weights * y) @ X / len(X)  # Proposition 8.1
