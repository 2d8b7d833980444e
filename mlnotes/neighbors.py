r"""Nearest neighbours and nearest means: a point is like what lies near it.  Lecture 3.

    f(x) = y_i  for the i with the smallest |x - x_i|                  nearest neighbour      (1.1)
    eta_c(x) = the proportion of class c among the labels of the k nearest training examples  (2.1)
    f(x) = the class c with the smallest |x - mu_c|, mu_c the mean of class c                 (5.1)

To predict: compute the distances to all training examples, sort them, and let the k nearest vote.

As n grows the nearest neighbour converges to x, so in the limit its label is an independent draw from the
distribution at x. The error is then r_1(x) = 1 - sum_c eta_c(x)^2, and the bound of Cover and Hart on the
risk is R* (2 - K/(K - 1) R*), at most twice the Bayes risk R* (Theorem 3.3).

Distances are sums of squared differences, never |q|^2 - 2<q, x> + |x|^2, which loses every digit far
from the origin. Of training examples at equal distance the first is nearer; of equal votes the smallest
label wins; of means at equal distance the largest label.

Inputs are not validated here; the estimators do that.
"""

import math

import numpy as np

from mlnotes.bayes import last_argmax

# ---- 1, 2 The nearest neighbours, and their vote


def squared_distances(Q, X):
    """From each of the queries Q (q, d) to each of the training examples X (n, d): shape (q, n)."""
    return ((np.asarray(Q, dtype=float)[:, None] - X) ** 2).sum(axis=2)


def nearest(squares, k):
    """The indices of the k nearest training examples, nearest first; at equal distance in their order."""
    return np.argsort(squares, axis=1, kind="stable")[:, :k]


def vote_proportions(codes, n_classes):
    """From the classes of the voters, (q, k), to the proportion of each class, (q, K)."""
    return np.eye(n_classes)[codes].mean(axis=1)  # (2.1)


class KNeighborsClassifier:
    def __init__(self, n_neighbors=5):
        self.n_neighbors = n_neighbors

    def fit(self, X, y):
        self.X = np.asarray(X, dtype=float)
        self.classes_, self.codes = np.unique(y, return_inverse=True)
        return self

    def kneighbors(self, Q=None, n_neighbors=None):
        """Distances and indices of the nearest training examples; without Q, of the *other* examples."""
        squares = squared_distances(self.X if Q is None else Q, self.X)
        if Q is None:
            np.fill_diagonal(squares, np.inf)  # leave one out
        indices = nearest(squares, n_neighbors or self.n_neighbors)
        return np.sqrt(np.take_along_axis(squares, indices, axis=1)), indices

    def predict_proba(self, Q):
        _, indices = self.kneighbors(Q)
        return vote_proportions(self.codes[indices], len(self.classes_))

    def predict(self, Q):
        return self.classes_[self.predict_proba(Q).argmax(axis=1)]


# ---- 3 The risk with many observations


def nearest_neighbor_risk(posterior):
    """The probability that two independent labels at x differ; fractions stay exact."""
    return 1 - (np.asarray(posterior) ** 2).sum(axis=1)  # (3.1)


def cover_hart_bound(bayes_risk, n_classes):
    if n_classes * bayes_risk > n_classes - 1:
        raise ValueError("With K classes the Bayes risk is at most 1 - 1/K.")
    return bayes_risk * (2 - n_classes * bayes_risk / (n_classes - 1))  # (3.2)


def k_neighbors_risk(eta, k):
    """The error at x of the vote of k labels that are 1 with probability eta."""
    if k % 2 == 0:
        raise ValueError("k must be odd, so that two classes cannot tie.")
    masses = [math.comb(k, b) * eta**b * (1 - eta) ** (k - b) for b in range(k + 1)]
    majority = sum(masses[(k + 1) // 2 :])  # the probability that the vote is 1
    return eta * (1 - majority) + (1 - eta) * majority  # (3.4)


# ---- 4 The curse of dimensionality


def cube_edge(fraction, d):
    """Edge of a cube that holds this fraction of the unit cube."""
    return fraction ** (1 / d)


def median_nearest_distance(n, d):
    """From the centre of the unit ball to the nearest of n uniform points in it."""
    return (1 - 2 ** (-1 / n)) ** (1 / d)  # (4.1)


def ball_volume(d, radius=1.0):
    return math.pi ** (d / 2) / math.gamma(d / 2 + 1) * radius**d


# ---- 5 The nearest mean


class NearestCentroid:
    def fit(self, X, y):
        X = np.asarray(X, dtype=float)
        y = np.asarray(y)
        self.classes_ = np.unique(y)
        self.centroids_ = np.array([X[y == c].mean(axis=0) for c in self.classes_])
        return self

    def scores(self, X):
        """The log likelihoods of N(mu_c, I), up to a constant."""
        return -squared_distances(X, self.centroids_) / 2

    def decision_function(self, X):
        scores = self.scores(X)
        if len(self.classes_) == 2:
            return scores[:, 1] - scores[:, 0]
        return scores

    def predict(self, X):
        return self.classes_[last_argmax(self.scores(X))]  # (5.1)
