r"""The perceptron: change the weights only at a mistake.  Lecture 7 and Companion 7.

    signed examples   z_i = y_i (x_i, 1),  y_i in {-1, +1};  the appended 1 carries the intercept     (1.1)
    margin            delta(w) = min_i <w, z_i> / |w|,  positive if and only if w separates the data  (1.2)
    mistakes          M(w) = {i : <w, z_i> <= 0};  at w = 0 every example is a mistake                (2.1)

    algorithm         start at w = 0 and visit the examples in order, again and again
                      at a mistake    w <- w + eta z_i                                                (2.2)
                      stop after a pass without a mistake

Theorem 4.1 (Novikoff). If some unit vector u has <u, z_i> >= delta > 0 for all i, and all |z_i| <= R, then
the perceptron makes at most R^2 / delta^2 mistakes from w = 0, whatever eta, the dimension and n.

Theorem 1.1 (Gordan). Either some w separates the data, or some convex combination of the z_i is zero, never
both. In the second case every w makes a mistake, and the algorithm never stops.

Z (n, D) holds one signed example a row, and w (D,) the weights. Each algorithm is a generator of its states:
`for w, i in perceptron(Z, w)` watches a run, and `islice` limits its length.
Inputs are not validated here; the estimators do that.
"""

from itertools import islice

import numpy as np

# ---- 1 and 2 The algorithm


def signed_examples(X, y, fit_intercept=True):
    if fit_intercept:
        X = np.column_stack([X, np.ones(len(X))])
    return X * y[:, None]  # (1.1)


def is_mistake(w, z):
    return w @ z <= 0  # (2.1)


def perceptron(Z, w, eta=1.0):
    """Yield (w, i) after an update at example i, and (w, None) after a visit without one."""
    separated = False
    while not separated:
        separated = True  # unless this pass finds a mistake
        for i, z in enumerate(Z):
            if is_mistake(w, z):
                w = w + eta * z  # (2.2)
                separated = False
                yield w, i
            else:
                yield w, None


class Perceptron:
    """Predict the second of two classes where the score <w, (x, 1)> is at least 0."""

    def __init__(self, eta0=1.0, fit_intercept=True, max_iter=1000):
        self.eta0 = eta0
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter  # passes over the training set

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        signs = 2 * codes - 1  # -1 for the first class, +1 for the second
        Z = signed_examples(X, signs, self.fit_intercept)
        start = np.zeros(Z.shape[1])
        path = list(islice(perceptron(Z, start, self.eta0), self.max_iter * len(Z)))
        self.path_ = np.array([w for w, i in path])  # the weights after every visit
        self.mistakes_ = np.array([i for w, i in path if i is not None])
        self.weights_ = self.path_[-1]
        return self

    def decision_function(self, X):
        return signed_examples(X, np.ones(len(X)), self.fit_intercept) @ self.weights_

    def predict(self, X):
        return self.classes_[(self.decision_function(X) >= 0).astype(int)]


# ---- 1.2 The margin, and the mistakes of given weights


def margin(w, Z):
    """Return the distance of the closest z_i, with its appended 1, from the hyperplane <w, z> = 0.

    It is negative if that z_i is on the wrong side.
    """
    return (Z @ w).min() / np.linalg.norm(w)  # (1.2)


def mistake_set(w, Z):
    return np.flatnonzero(Z @ w <= 0)  # (2.1)


# ---- 2 Any order: the theorem does not care which mistake comes next


def perceptron_any_order(Z, w, choose, eta=1.0):
    """Yield (w, i) after every update, at the mistake i that `choose(mistakes, products)` returns.

    `products` are the <w, z_i> of the mistakes. The first mistake is mistakes[0], the worst one is
    mistakes[products.argmin()], and a random one is rng.choice(mistakes).
    """
    mistakes = mistake_set(w, Z)
    while len(mistakes) > 0:
        i = choose(mistakes, Z[mistakes] @ w)
        w = w + eta * Z[i]  # (2.2)
        yield w, i
        mistakes = mistake_set(w, Z)


# ---- 3 The loss behind the update


def perceptron_loss(w, Z):
    return np.maximum(0, -(Z @ w)).sum()  # (3.1), zero at w = 0 on any data


def perceptron_subgradient(w, Z):
    return -Z[mistake_set(w, Z)].sum(axis=0)  # Proposition 3.1


# ---- 4 The mistake bound


def mistake_bound(R, delta):
    if delta <= 0:
        raise ValueError(f"the mistake bound needs a separator, that is a margin above 0, got {delta}")
    return (R / delta) ** 2  # Theorem 4.1


def mistake_bound_from(R, delta, norm, a):
    """Theorem 4.2, any start w_0 (with eta = 1): norm is |w_0|, and a = <u, w_0>."""
    B = R**2 - 2 * delta * a
    return (B + np.sqrt(B**2 + 4 * delta**2 * (norm**2 - a**2))) / (2 * delta**2)  # (4.3)


# ---- 5 Data that cannot be separated


def separator_or_combination(Z, max_visits=100_000):
    """Return (w, None) with a separator w, or (None, counts) with sum_i counts_i z_i = 0, counts_i >= 0.

    If the weights return to a value they had before, the examples added in between sum to zero: counts,
    divided by their sum, are the convex weights of Theorem 1.1. Undecided after max_visits: (None, None).
    With integer data every run is decided in the end; with rounded sums the weights hardly ever return.
    """
    start = np.zeros(Z.shape[1])
    added = []  # the example of every update
    updates_before = {tuple(start): 0}  # weights seen so far, and the number of updates that led to them
    for w, i in islice(perceptron(Z, start), max_visits):
        if i is None:
            continue
        added.append(i)
        if tuple(w) in updates_before:
            start_of_cycle = updates_before[tuple(w)]
            return None, np.bincount(added[start_of_cycle:], minlength=len(Z))
        updates_before[tuple(w)] = len(added)
    if len(mistake_set(w, Z)) == 0:
        return w, None
    return None, None


def first_pass_bound(u, Z, delta):
    """Theorem 5.1, any data: bound the mistakes of the first pass, for a unit vector u and delta > 0."""
    R = np.linalg.norm(Z, axis=1).max()
    shortfall = np.maximum(0, delta - Z @ u)
    return ((R + np.linalg.norm(shortfall)) / delta) ** 2  # (5.1)


# ---- 6 Variants


def batch_perceptron(Z, w, eta=1.0):
    """Add all mistakes at once. Yield (w, the mistakes that were added) after every step (section 6.1)."""
    mistakes = mistake_set(w, Z)
    while len(mistakes) > 0:
        w = w + eta * Z[mistakes].sum(axis=0)
        yield w, mistakes
        mistakes = mistake_set(w, Z)


class AveragedPerceptron(Perceptron):
    """Predict with the mean of the weights after every visit (section 6.3)."""

    def fit(self, X, y):
        super().fit(X, y)
        self.weights_ = self.path_.mean(axis=0)
        return self


class VotedPerceptron(Perceptron):
    """Let the weights after every visit vote, each with +1 or -1 (section 6.3)."""

    def decision_function(self, X):
        scores = signed_examples(X, np.ones(len(X)), self.fit_intercept) @ self.path_.T
        return np.where(scores >= 0, 1, -1).sum(axis=1)


def multiclass_perceptron(X, codes, W, eta=1.0):
    """One weight vector for each class 0, ..., K - 1: predict the class with the largest score <w_k, x>.

    At a mistake, move the weights of the true class towards x, and those of its best rival away from it
    (section 6.4). Yield (W, i) after an update at example i, and (W, None) after a visit without one.
    """
    separated = False
    while not separated:
        separated = True  # unless this pass finds a mistake
        for i, (x, k) in enumerate(zip(X, codes, strict=True)):
            scores = W @ x
            rivals = scores.copy()
            rivals[k] = -np.inf
            rival = rivals.argmax()
            if scores[k] <= scores[rival]:
                W = W.copy()
                W[k] += eta * x
                W[rival] -= eta * x
                separated = False
                yield W, i
            else:
                yield W, None


# ---- 6.5 Inner products are enough


def kernel_perceptron(Q):
    """Run the perceptron from w = 0 on the inner products Q_ij = <z_i, z_j> alone.

    w = sum_i alpha_i z_i, where alpha_i counts the updates at example i. Yield (alpha, i) after an update
    at example i, and (alpha, None) after a visit without one.
    """
    alpha = np.zeros(len(Q), dtype=int)
    separated = False
    while not separated:
        separated = True  # unless this pass finds a mistake
        for i, q in enumerate(Q):
            if is_mistake(alpha, q):  # <w, z_i> = sum_j alpha_j Q_ji
                alpha = alpha.copy()
                alpha[i] += 1
                separated = False
                yield alpha, i
            else:
                yield alpha, None


class KernelPerceptron:
    """The perceptron with a kernel in place of the inner product <x, x'>."""

    def __init__(self, kernel=lambda A, B: A @ B.T, max_iter=1000):
        self.kernel = kernel
        self.max_iter = max_iter

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        signs = 2 * codes - 1  # -1 for the first class, +1 for the second
        Q = np.outer(signs, signs) * (self.kernel(X, X) + 1)  # the appended 1 adds 1 to <x, x'>
        for alpha, _ in islice(kernel_perceptron(Q), self.max_iter * len(Q)):
            pass  # the last state is the result
        self.X_ = X
        self.counts_ = alpha
        self.dual_coef_ = alpha * signs
        return self

    def decision_function(self, X):
        return (self.kernel(X, self.X_) + 1) @ self.dual_coef_

    def predict(self, X):
        return self.classes_[(self.decision_function(X) >= 0).astype(int)]
