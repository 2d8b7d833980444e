r"""Logistic regression: the log odds are linear, the weights maximise the likelihood.  Lecture 5.

    P(1 | x) = p(z) = 1 / (1 + e^-z),   z = <w, x>              two classes, 0 and 1         (1.2)
    P(k | x) = e^<w_k, x> / sum_j e^<w_j, x>                    K classes, softmax           (2.2)
    min over W   -1/n sum_i log P(y_i | x_i) + lambda/2 |W|^2,  lambda = 1 / (C n)           (6.1)

The fit is Newton's method: solve the quadratic model at W, go there, or half as far until the value
falls, and again. The objective is convex: where its gradient is 0, it is least. Probabilities of all rows
that add up to the class sizes bound it from below (6.2): the gap proves the fit. Without a penalty there
is a minimum iff no direction puts every row on its own side; else Newton's steps end up along one.

    X (n, d)  rows; a last feature 1 carries the bias, which is never penalised
    w (d,)    weights of two classes, 0 and 1         W (K, d)  a row of weights a class
    beta (K - 1, d)  weights of the classes 1, ..., K - 1 against class 0, whose weights are 0

Averages over the rows; ties go to the smallest class. Else NumPy speaks: the estimators check input.
"""

import warnings

import numpy as np

# ---- 1 Two classes


def sigmoid(z):
    e = np.exp(-np.abs(z))  # at most 1: nothing overflows
    return np.where(np.asarray(z) >= 0, 1, e) / (1 + e)  # (1.2)


def label_probability(y, z):
    return sigmoid(np.asarray(y) * z)  # (1.3), for labels y = -1 and 1


def log_loss(margin):
    return np.logaddexp(0, -np.asarray(margin))  # (3.2)


# ---- 2 Many classes


def softmax(scores):
    weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)  # (2.2)


def with_intercept(X):
    return np.column_stack([X, np.ones(len(X))])


def with_reference(beta):
    """The weights of all classes: those of class 0 are 0."""
    return np.vstack([np.zeros_like(beta[:1]), beta])


def reference_probabilities(beta, X):
    return softmax(X @ with_reference(beta).T)  # (2.1)


def reference_rule(beta, X):
    return np.argmax(X @ with_reference(beta).T, axis=1)


def to_reference(W):
    return W[1:] - W[0]


def to_softmax(beta):
    """Of all weights with these probabilities those of least norm: they add up to 0."""
    W = with_reference(beta)
    return W - W.mean(axis=0)


# ---- 3, 4 Likelihood, slope, curvature


def binary_nll(w, X, y):
    return log_loss((2 * y - 1) * (X @ w)).mean()  # (3.2)


def binary_gradient(w, X, y):
    return (sigmoid(X @ w) - y) @ X / len(X)  # (4.2)


def binary_hessian(w, X, y):
    p = sigmoid(X @ w)
    return (X.T * (p * (1 - p))) @ X / len(X)  # (4.3)


def softmax_nll(W, X, y):
    scores = X @ np.transpose(W)
    return (np.logaddexp.reduce(scores, axis=1) - scores[np.arange(len(X)), y]).mean()  # (3.1)


def softmax_gradient(W, X, y):
    indicators = np.eye(len(W))[y]
    return (softmax(X @ np.transpose(W)) - indicators).T @ X / len(X)  # (4.1)


def softmax_hessian(W, X, y):
    """(K d, K d), for the rows of W one after the other."""
    P = softmax(X @ np.transpose(W))
    spread = np.eye(len(W)) * P[:, None] - P[:, :, None] * P[:, None]  # diag(p) - pp' a row
    return np.einsum("ikl,ia,ib->kalb", spread, X, X).reshape(np.size(W), -1) / len(X)  # (4.3)


def reference_nll(beta, X, y):
    return softmax_nll(with_reference(beta), X, y)  # (3.1)


def smoothness(X, n_classes=2):
    """A Lipschitz constant of the gradient, 1/4 or 1/2 times the top eigenvalue of X'X/n."""
    return np.linalg.norm(X, 2) ** 2 / len(X) / (4 if n_classes == 2 else 2)  # (4.5)


# ---- 4 to 6 The fit


BINARY = binary_nll, binary_gradient, binary_hessian
SOFTMAX = softmax_nll, softmax_gradient, softmax_hessian


class Risk:
    """The objective (6.1) as a function of one vector: the weights of two classes, or all rows of W."""

    def __init__(self, X, y, penalty):
        self.A, self.y = with_intercept(X), y
        K, d = y.max() + 1, self.A.shape[1]
        self.shape = (d,) if K == 2 else (K, d)
        self.nll, self.slope, self.curvature = BINARY if K == 2 else SOFTMAX
        self.is_bias = np.broadcast_to(np.arange(d) == d - 1, self.shape).ravel()  # of each weight
        self.ridge = penalty * ~self.is_bias
        self.rms = np.broadcast_to(np.sqrt((self.A**2).mean(axis=0)), self.shape).ravel()  # of features

    def split(self, w):
        """Weights and biases, a row a class; one row for two classes."""
        W = np.atleast_2d(w.reshape(self.shape))
        return W[:, :-1], W[:, -1]

    def scores(self, w):
        W = np.atleast_2d(w.reshape(self.shape))
        return self.A @ (with_reference(W) if len(W) == 1 else W).T

    def value(self, w):
        return self.nll(w.reshape(self.shape), self.A, self.y) + 0.5 * self.ridge @ w**2  # (6.1)

    def gradient(self, w):
        return self.slope(w.reshape(self.shape), self.A, self.y).ravel() + self.ridge * w

    def hessian(self, w):
        return self.curvature(w.reshape(self.shape), self.A, self.y) + np.diag(self.ridge)


def newton(risk, w, free=slice(None)):
    """Yield the weights before and after each step; steps change the free weights only."""
    while True:
        yield w
        g, H, step = risk.gradient(w), risk.hessian(w)[free][:, free], np.zeros(len(w))
        unit = 1 / np.sqrt(np.maximum(np.diag(H), 1e-300))  # of each weight: features may have any scale
        step[free] = unit * np.linalg.lstsq(H * unit * unit[:, None], unit * g[free], rcond=None)[0]
        t, value, fall = 1.0, risk.value(w), g @ step
        while t > 1e-9 and risk.value(w - t * step) > value - 0.1 * t * fall + 1e-15:
            t = t / 2  # 1e-15 for rounding: from w = 0 on, no value is above log K
        w = w - t * step  # (section 4)


def solve(risk, w, steps, free=slice(None), tol=1e-9):
    """Walk until the slope is at most tol of the features; return the weights and the last step."""
    for k, new in enumerate(newton(risk, w, free)):
        w, step = new, new - w
        if k == steps or (abs(risk.gradient(w)) <= tol * risk.rms)[free].all():
            break
    return w, step


def dual_bound(risk, w, penalty):
    """The lower bound by the probabilities at w, after moving its biases until the class sizes are right."""
    w, _ = solve(risk, w, steps=50, free=risk.is_bias, tol=1e-15)
    P = softmax(risk.scores(w))
    entropy = -(P * np.log(np.maximum(P, 1e-300))).sum(axis=1).mean()
    G = risk.gradient(w) - risk.ridge * w  # the slope of the likelihood alone, 0 for the biases
    return entropy - G @ G / (2 * penalty)  # (6.2)


def separates(risk, v):
    """Whether no row loses along v and some row wins: then the likelihood has no maximum."""
    scores = risk.scores(v)
    margins = scores[np.arange(len(scores)), risk.y][:, None] - scores
    return margins.min() > -1e-6 * margins.max()  # Theorem 5.1


class LogisticRegression:
    """Two classes have one vector of weights, K > 2 have one each; penalty=None is lambda = 0."""

    def __init__(self, penalty="l2", C=1.0, max_iter=100):
        self.penalty, self.C, self.max_iter = penalty, C, max_iter

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("one class alone leaves nothing to tell apart.")
        penalty = {"l2": 1 / (self.C * len(X)), None: 0.0}[self.penalty]
        risk = Risk(np.asarray(X, dtype=float), codes, penalty)
        w, step = solve(risk, np.zeros(len(risk.ridge)), self.max_iter)
        self.coef_, self.intercept_ = risk.split(w)
        self.separating_direction_ = None
        if penalty:
            value, dual = risk.value(w), dual_bound(risk, w, penalty)
            self.certificate_ = {"objective": value, "dual": dual, "gap": value - dual}
        elif separates(risk, step):
            self.separating_direction_ = risk.split(step)
            warnings.warn("the classes are separated: the likelihood has no maximum", stacklevel=2)
        return self

    def decision_function(self, X):
        scores = X @ self.coef_.T + self.intercept_
        return scores.ravel() if len(self.coef_) == 1 else scores

    def predict_proba(self, X):
        scores = self.decision_function(X)
        return softmax(scores if scores.ndim == 2 else np.column_stack([np.zeros_like(scores), scores]))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]
