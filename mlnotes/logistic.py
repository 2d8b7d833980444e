r"""Logistic regression: linear log odds, maximum likelihood.  Lecture 5 and its companion notebook.

    two classes     P(1 | x) = p(z) = 1 / (1 + e^-z),   z = <w, x>                            (1.2)
    K classes       P(k | x) = e^<w_k, x> / sum_j e^<w_j, x>,   softmax                       (2.2)
    the fit         minimise F = -1/n sum_i log P(y_i | x_i) + lambda/2 |W|^2                 (6.1)

The intercept is not penalised; lambda = 1 / (C n). F is convex, and Newton's method minimises it: step to
the minimiser of the quadratic model at w, halving the step until the value falls; repeat.

Theorem 5.1. Without a penalty (lambda = 0) there is a minimum if and only if no direction separates the
classes, that is, lowers no margin <w_{y_i} - w_k, x_i> and raises one.
Theorem 6.2. Probabilities of the training examples that add up to the class sizes bound F from below: the
duality gap between F and this bound certifies a fit.

    X (n, d)  one training example a row; a last feature 1 carries the intercept
    w (d,)    the weights of class 1; with two classes those of class 0 are 0
    W (K, d)  the weights of the classes 0, ..., K - 1
    beta (K - 1, d)  the weights of the classes 1, ..., K - 1, if those of the reference class 0 are 0

Losses are means over the training examples; ties go to the smallest class.
Inputs are not validated here; the estimators do that.
"""

import warnings
from itertools import islice

import numpy as np

# ---- 1 Two classes


def sigmoid(z):
    e = np.exp(-np.abs(z))  # at most 1: nothing overflows
    return np.where(np.asarray(z) >= 0, 1, e) / (1 + e)  # (1.2)


def label_probability(y, z):
    return sigmoid(np.asarray(y) * z)  # (1.3), for labels y = -1 and 1


def logistic_loss(margin):
    return np.logaddexp(0, -np.asarray(margin))  # (3.2)


def binary_nll(w, X, y):
    return logistic_loss((2 * y - 1) * (X @ w)).mean()  # (3.2)


def binary_gradient(w, X, y):
    return (sigmoid(X @ w) - y) @ X / len(X)  # (4.2)


def binary_hessian(w, X, y):
    p = sigmoid(X @ w)
    return (X.T * (p * (1 - p))) @ X / len(X)  # (4.3)


class BinaryObjective:
    """F(w) = 1/n sum_i log(1 + e^-m_i) + penalty/2 |w|^2, where |w| leaves out the intercept.  (6.1)

    The intercept is the last weight: the last column of X is 1.
    """

    def __init__(self, X, y, penalty):
        self.X = X
        self.y = y
        self.penalties = np.full(X.shape[1], float(penalty))
        self.penalties[-1] = 0

    def value(self, w):
        return binary_nll(w, self.X, self.y) + 0.5 * self.penalties @ w**2

    def gradient(self, w):
        return binary_gradient(w, self.X, self.y) + self.penalties * w

    def hessian(self, w):
        return binary_hessian(w, self.X, self.y) + np.diag(self.penalties)


# ---- 4.4 The algorithm: Newton's method


def newton_step(objective, w):
    """Return the shortest solution of H step = g: with softmax, or collinear features, H is singular."""
    return np.linalg.lstsq(objective.hessian(w), objective.gradient(w), rcond=None)[0]


def newton_method(objective, w, tol=1e-10):
    """Yield the weights before and after each step; end with a step of squared Newton decrement <= tol."""
    decrement = np.inf
    while decrement > tol:
        yield w
        step = newton_step(objective, w)
        decrement = objective.gradient(w) @ step  # twice the gain that the quadratic model expects
        t = 1.0
        while objective.value(w - t * step) > objective.value(w) - 0.1 * t * decrement:
            t = t / 2
        w = w - t * step  # section 4.4
    yield w


# ---- 2 Many classes


def softmax(scores):
    weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)  # (2.2)


def softmax_nll(W, X, y):
    scores = X @ W.T
    return (np.logaddexp.reduce(scores, axis=1) - scores[np.arange(len(X)), y]).mean()  # (3.1)


def softmax_gradient(W, X, y):
    indicators = np.eye(len(W))[y]
    return (softmax(X @ W.T) - indicators).T @ X / len(X)  # (4.1)


def softmax_hessian(W, X, y):
    """Return the (K d, K d) second derivatives, for the rows of W one after the other."""
    P = softmax(X @ W.T)
    terms = [np.kron(np.diag(p) - np.outer(p, p), np.outer(x, x)) for p, x in zip(P, X, strict=True)]
    return np.mean(terms, axis=0)  # (4.3)


class SoftmaxObjective:
    """The same F for K classes: the vector w holds the rows of W, one after the other."""

    def __init__(self, X, y, penalty):
        self.X = X
        self.y = y
        self.shape = (y.max() + 1, X.shape[1])
        penalties = np.full(self.shape, float(penalty))
        penalties[:, -1] = 0
        self.penalties = penalties.ravel()

    def value(self, w):
        return softmax_nll(w.reshape(self.shape), self.X, self.y) + 0.5 * self.penalties @ w**2

    def gradient(self, w):
        return softmax_gradient(w.reshape(self.shape), self.X, self.y).ravel() + self.penalties * w

    def hessian(self, w):
        return softmax_hessian(w.reshape(self.shape), self.X, self.y) + np.diag(self.penalties)


# ---- 3 to 6 The classifier


def with_intercept(X):
    return np.column_stack([X, np.ones(len(X))])


def all_scores(scores):
    """Return the scores (n, K) of all classes: with two classes those of class 0 are 0."""
    if scores.shape[1] > 1:
        return scores
    return np.column_stack([np.zeros(len(scores)), scores])


class LogisticRegression:
    """Two classes have one vector of weights, more classes have one each; C = infinity is no penalty."""

    def __init__(self, C=1.0, max_iter=100):
        self.C = C
        self.max_iter = max_iter

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("logistic regression needs training examples of at least two classes")
        self.penalty_ = 1 / (self.C * len(X))
        A = with_intercept(X)
        if len(self.classes_) == 2:
            objective = BinaryObjective(A, codes, self.penalty_)
        else:
            objective = SoftmaxObjective(A, codes, self.penalty_)
        start = np.zeros(len(objective.penalties))
        *_, w = islice(newton_method(objective, start), self.max_iter + 1)
        W = w.reshape(-1, A.shape[1])  # one row for two classes
        self.coef_ = W[:, :-1]
        self.intercept_ = W[:, -1]
        self.certify(objective, w)
        return self

    def certify(self, objective, w):
        """Bound the minimum of F from below; without a penalty ask whether there is one."""
        P = self.predict_proba(objective.X[:, :-1])
        self.certificate_ = None
        self.separating_direction_ = None
        if self.penalty_ > 0:
            F = objective.value(w)
            D = dual_bound(P, objective.X[:, :-1], objective.y, self.penalty_)
            self.certificate_ = {"objective": F, "dual": D, "gap": F - D}
            return
        V = -newton_step(objective, w).reshape(-1, objective.X.shape[1])
        scores = all_scores(objective.X @ V.T)
        if proves_maximum(P, scores):
            return
        if separates(scores, objective.y):
            self.separating_direction_ = V[:, :-1], V[:, -1]
            message = "the classes are separated: the likelihood has no maximum"
        else:
            message = f"not decided within {self.max_iter} steps whether the likelihood has a maximum"
        warnings.warn(message, stacklevel=3)

    def decision_function(self, X):
        scores = X @ self.coef_.T + self.intercept_
        return scores.ravel() if len(self.coef_) == 1 else scores

    def predict_proba(self, X):
        return softmax(all_scores(X @ self.coef_.T + self.intercept_))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


# ---- 6.2 How far from the minimum?


def with_class_sizes(P, sizes):
    """Mix the rows of P (n, K) with one distribution, so that their mean becomes sizes (K,)."""
    mean = P.mean(axis=0)
    kept = min(1.0, (sizes / mean).min())
    return kept * P + (sizes - kept * mean)


def dual_bound(P, X, y, penalty):
    """Return a lower bound of F, whatever the probabilities P (n, K) of the training examples are."""
    indicators = np.eye(P.shape[1])[y]
    Q = with_class_sizes(P, indicators.mean(axis=0))
    G = (indicators - Q).T @ X / len(X)
    if len(G) == 2:
        G = G[1:]  # two classes have one vector of weights, that of class 1
    entropies = -(Q * np.log(np.where(Q > 0, Q, 1))).sum(axis=1)
    return entropies.mean() - (G**2).sum() / (2 * penalty)  # (6.2)


# ---- 5 Is there a minimum without a penalty?


def proves_maximum(P, changes):
    """Return whether a Newton step, by how little it changes the scores (n, K), proves a maximum.

    If all u_ik are below 1, the q_ik = p_ik (1 - u_ik) are positive, and sum_i (e_{y_i} - q_i) x_i' = 0. If a
    direction separates the classes, there are no such q_ik: the largest u_ik is 1 or more.
    """
    u = (P * changes).sum(axis=1, keepdims=True) - changes  # (6.4)
    return u.max() < 0.5  # nearly 0 at a maximum


def separates(scores, y):
    """Return whether a direction with these scores (n, K) has margins >= 0 only, and one > 0."""
    margins = scores[np.arange(len(y)), y][:, None] - scores
    return margins.min() >= -1e-6 * margins.max() and margins.max() > 0  # Theorem 5.1


# ---- 2 and 4.3 Weights with a reference class, and smoothness


def with_reference(beta):
    """Return the weights of all classes: those of class 0 are 0."""
    return np.vstack([np.zeros_like(beta[:1]), beta])


def reference_probabilities(beta, X):
    return softmax(X @ with_reference(beta).T)  # (2.1)


def reference_rule(beta, X):
    return np.argmax(X @ with_reference(beta).T, axis=1)


def to_reference(W):
    return W[1:] - W[0]


def to_softmax(beta):
    """Return, of all weights with these probabilities, those of smallest norm: they add up to 0."""
    W = with_reference(beta)
    return W - W.mean(axis=0)


def reference_nll(beta, X, y):
    return softmax_nll(with_reference(beta), X, y)  # (3.1)


def smoothness(X, n_classes=2):
    """Return a Lipschitz constant of the gradient."""
    top = np.linalg.eigvalsh(X.T @ X / len(X)).max()
    return top / 4 if n_classes == 2 else top / 2  # (4.5)
