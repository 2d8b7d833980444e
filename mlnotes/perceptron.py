r"""The perceptron: change the weights only at a mistake, and the mistakes are few.  Lecture 7 and Deeper 7.

    z_i = y_i (x_i, 1)                    signed rows, y_i = +1 or -1; the 1 is the intercept (1.1)
    delta(w) = min_i <w, z_i> / |w|       margin, positive iff w separates the data           (1.2)
    M(w) = {i : <w, z_i> <= 0}            mistakes; at w = 0 every row is one                 (2.1)
    w <- w + eta z_i                      the update at a mistake i                           (2.2)

The algorithm: start with w = 0, and visit the rows one after the other, round and round. Update w
at a mistake, do nothing at any other row, and stop after a pass without a mistake.

Theorem 4.1 (Novikoff). If a unit vector u has all <u, z_i> >= delta > 0, and all |z_i| <= R, then
from w = 0 there are at most R^2 / delta^2 updates, one mistake at a time, whichever is picked. If
nothing separates the data, some convex combination of the z_i is zero, and the updates never end.

    Z (n, D)  signed rows, D = d + 1 with the intercept     w (D,)      weights
    alpha (n,)  how often each row was added                W (K, D)    weights of K classes

An algorithm is a generator of its states: `for w, i in visit_in_order(Z, w)` walks through a run.
A score of exactly 0 is answered with the second class, a tie of more classes with the last of them.
Only what a theorem names is checked, as a margin > 0, else NumPy speaks; the estimators check input.
"""

import warnings
from collections import namedtuple
from fractions import Fraction
from itertools import islice

import numpy as np

# ---- 1 Separable data


def signed_rows(X, y, *, fit_intercept=True):
    Z = np.column_stack([X, np.ones(len(X))]) if fit_intercept else np.array(X, dtype=float)
    Z *= np.asarray(y)[:, None]  # (1.1)
    return Z


def margin(w, Z):
    """If w separates, this is the distance of the closest row from the hyperplane."""
    if not np.any(w):
        raise ValueError("w is zero, which is no hyperplane and has no margin.")
    return (Z @ w).min() / np.linalg.norm(w)  # (1.2)


# ---- 2 The algorithm


def is_mistake(product):
    return product <= 0  # (2.1)


def mistake_set(w, Z):
    return np.flatnonzero(is_mistake(Z @ w))


def visit_in_order(Z, w, eta=1.0):
    """Pass over the rows until a pass has no mistake. Yield (w, i or None) after every visit."""
    wrong = True
    while wrong:
        wrong = False
        for i, z in enumerate(Z):
            mistake = is_mistake(z @ w)
            if mistake:
                w, wrong = w + eta * z, True  # (2.2)
            yield w, i if mistake else None


PICKS = {  # which of the mistakes are next, by their products
    "first": lambda wrong, products, rng: wrong[:1],
    "random": lambda wrong, products, rng: wrong[[rng.integers(len(wrong))]],
    "worst": lambda wrong, products, rng: wrong[[products.argmin()]],
    "batch": lambda wrong, products, rng: wrong,  # all at once (section 6.1)
}


def pick_mistakes(Z, w, pick, eta=1.0, rng=None):
    """Look at all rows before each step. Yield (w, rows) after the update at the rows picked."""
    while len(wrong := mistake_set(w, Z)):
        rows = pick(wrong, Z[wrong] @ w, rng)
        w = w + eta * Z[rows].sum(axis=0)  # (2.2)
        yield w, rows


# ---- 3 What it minimises


def perceptron_loss(w, Z):
    return np.maximum(0, -(Z @ w)).sum()  # (3.1)


def perceptron_subgradient(w, Z):
    """A step against it is the update at all mistakes (Proposition 3.1)."""
    return -Z[mistake_set(w, Z)].sum(axis=0)


# ---- 4 The mistake bound


def mistake_bound(radius, margin, *, start_norm=0.0, start_along=0.0):
    """The larger root t of (a + t delta)^2 = s^2 + t R^2: from w_0 = 0 it is R^2 / delta^2.

    start_norm is s = |w_0| / eta, and start_along is a = <u, w_0> / eta."""
    if margin <= 0 or abs(start_along) > start_norm:
        raise ValueError("the bound needs a margin > 0 and |<u, w_0>| <= |w_0|.")
    R, delta, s, a = radius, margin, start_norm, start_along
    B = R**2 - 2 * delta * a
    return (B + np.sqrt(B**2 + 4 * delta**2 * (s**2 - a**2))) / (2 * delta**2)  # (4.3)


# ---- 5 What it does not promise

# lower, the margin of w or 0, <= max over |u| <= 1 of min_i <u, z_i> <= upper, |weights @ Z|
Separability = namedtuple("Separability", "separable w weights lower upper")  # (1.3)


def separability(Z, *, exact=False, max_visits=100_000):
    """Walk until w separates, or comes back: then the rows added in between add up to zero."""
    start, rows = np.zeros(Z.shape[1]), []
    updates = {tuple(start): 0}  # how many there were when w stood here
    for w, i in islice(visit_in_order(Z, start), max_visits):
        if i is not None:
            rows.append(i)
            if tuple(w) in updates:
                rows = rows[updates[tuple(w)] :]
                break
            updates[tuple(w)] = len(rows)
    t, counts = len(rows), np.bincount(rows, minlength=len(Z))
    weights = np.array([Fraction(int(c), t) for c in counts]) if exact else counts / t
    lower, upper = margin(w, Z) if w.any() else 0.0, np.linalg.norm(counts @ Z) / t
    separable = True if lower > 0 else False if upper == 0 else None  # None: too few visits
    return Separability(separable, w, weights, lower, upper)


def slack_bound(w, Z, margin):
    """The most mistakes of the first pass from 0, on any data; d_i is what row i lacks."""
    if margin <= 0 or not np.any(w):
        raise ValueError("the bound needs a margin > 0 and a w that is not zero.")
    d = np.maximum(0, margin - Z @ w / np.linalg.norm(w))
    return ((np.linalg.norm(Z, axis=1).max() + np.linalg.norm(d)) / margin) ** 2  # (5.1)


# ---- 6 Variants


def one_pass(X, y, *, rate=0.5):
    """Chapter 10: one pass, a step of 2 rate, and a score of 0 is right for +1 (section 6.2)."""
    b = np.zeros(np.shape(X)[1] + 1)
    for z, sign in zip(signed_rows(X, y), y, strict=True):
        if z @ b < 0 or (z @ b == 0 and sign < 0):
            b = b + 2 * rate * z
    return b


def kesler_row(W, x, k):
    """x in the block of its class k, -x in that of its best rival (section 6.4)."""
    z, rivals = np.zeros(W.shape), np.where(np.arange(len(W)) == k, -np.inf, W @ x)
    z[k], z[rivals.argmax()] = x, -x
    return z


def visit_classes(X, codes, W, eta=1.0):
    """`visit_in_order` of Kesler's rows: <W, z> is by how much class k outscores its best rival."""
    wrong = True
    while wrong:
        wrong = False
        for i, (x, k) in enumerate(zip(X, codes, strict=True)):
            z = kesler_row(W, x, k)
            mistake = is_mistake((W * z).sum())
            if mistake:
                W, wrong = W + eta * z, True
            yield W, i if mistake else None


def visit_in_gram_form(Q):
    """`visit_in_order` from 0 by the products Q_ij = <z_i, z_j> alone (section 6.5)."""
    alpha, wrong = np.zeros(len(Q), dtype=int), True  # w = sum_i alpha_i z_i
    while wrong:
        wrong = False
        for i, q in enumerate(Q):
            mistake = is_mistake(q @ alpha)
            if mistake:
                alpha, wrong = alpha + (np.arange(len(Q)) == i), True
            yield alpha, i if mistake else None


# ---- The two classifiers


class Perceptron:
    """Answers: the last weights, their "average" over all visits, or a "vote" of all (section 6.3)."""

    def __init__(self, *, pick="cyclic", output="last", eta0=1.0, fit_intercept=True, max_iter=1000,
                 random_state=None):  # fmt: skip
        self.pick, self.output, self.eta0, self.max_iter = pick, output, eta0, max_iter
        self.fit_intercept, self.random_state = fit_intercept, random_state

    def path(self, rows, codes, w):
        """At most max_iter passes, or as many updates as they have rows; of two classes rows are signed."""
        rng = np.random.default_rng(self.random_state)
        if w.ndim == 2:
            states = visit_classes(rows, codes, w, self.eta0)
        elif self.pick == "cyclic":
            states = visit_in_order(rows, w, self.eta0)
        else:
            states = pick_mistakes(rows, w, PICKS[self.pick], self.eta0, rng)
        return islice(states, self.max_iter * (1 if self.pick == "batch" else len(rows)))

    def fit(self, X, y, coef_init=0.0):
        self.classes_, codes = np.unique(y, return_inverse=True)
        K, d = len(self.classes_), np.shape(X)[1]
        if K < 2 or (K > 2 and (self.pick != "cyclic" or self.output == "vote")):
            raise ValueError("a fit needs two classes; with more, no pick but cyclic and no vote")
        if self.pick != "cyclic" and self.output != "last":
            raise ValueError("averages and votes need pick='cyclic', visits in order")
        signs = 2 * codes - 1 if K == 2 else np.ones(len(X))
        rows = signed_rows(X, signs, fit_intercept=self.fit_intercept)
        start = np.zeros(rows.shape[1] if K == 2 else (K, rows.shape[1]))
        start[..., :d] = coef_init
        path = list(self.path(rows, codes, start))
        self.path_ = np.array([w for w, _ in path] or [start])
        self.mistakes_ = np.array([j for _, i in path if i is not None for j in np.ravel(i)], int)
        W = np.atleast_2d(self.path_.mean(axis=0) if self.output == "average" else self.path_[-1])
        self.coef_, self.intercept_ = W[:, :d], W[:, d:].sum(axis=1)  # no column adds up to zero
        if any(i is not None for _, i in self.path(rows, codes, self.path_[-1])):  # walking on would update
            warnings.warn("mistakes are left by the last weights", stacklevel=2)
            if K == 2 and (proof := separability(rows)).separable is False:
                self.combination_ = proof.weights
        return self

    def decision_function(self, X):
        if self.output == "vote":
            rows = signed_rows(X, np.ones(len(X)), fit_intercept=self.fit_intercept)
            return np.where(rows @ self.path_.T >= 0, 1, -1).sum(axis=1)
        scores = X @ self.coef_.T + self.intercept_
        return scores[:, 0] if len(self.coef_) == 1 else scores

    def predict(self, X):
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return self.classes_[np.where(scores >= 0, 1, 0)]
        return self.classes_[::-1][scores[:, ::-1].argmax(axis=1)]


class KernelPerceptron:
    """A kernel takes the place of the products <x, x'>; the intercept adds 1 (section 6.5)."""

    def __init__(self, kernel=lambda A, B: A @ B.T, *, fit_intercept=True, max_iter=1000):
        self.kernel, self.fit_intercept, self.max_iter = kernel, fit_intercept, max_iter

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            raise ValueError("Only binary classification is supported.")
        self.X, self.signs = np.asarray(X, dtype=float), 2 * codes - 1
        Q = np.outer(self.signs, self.signs) * (self.kernel(self.X, self.X) + self.fit_intercept)
        path = list(islice(visit_in_gram_form(Q), self.max_iter * len(Q)))
        self.counts_, self.mistakes_ = path[-1][0], np.array([i for _, i in path if i is not None])
        if len(mistake_set(self.counts_, Q)):
            warnings.warn("mistakes are left", stacklevel=2)
        return self

    def decision_function(self, X):
        products = self.kernel(np.asarray(X, dtype=float), self.X) + self.fit_intercept
        return products @ (self.signs * self.counts_)

    predict = Perceptron.predict
