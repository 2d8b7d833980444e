r"""Nearest neighbours and closest averages: a point is like what lies near it.  Lecture 3.

    D(x) = y_i  for the i with the least |x - x_i|          nearest neighbour                (1.1)
    eta_k(x) = 1/k #{votes for class k among the k nearest rows}                             (2.1)
    D(x) = the class k with the least |x - mu_k|, mu_k the mean of its rows                  (5.1)

To answer: measure the distances to all rows, sort them, let the first k vote.

With many rows the nearest one lies at x itself and has an independent label of the same distribution. Its
error is then r_1(x) = 1 - sum_k eta_k(x)^2, and Cover and Hart bound the risk of the rule by
R* (2 - K/(K - 1) R*), at most twice the Bayes risk R* (Theorem 3.3).

Distances are sums of squared differences, never |q|^2 - 2<q, x> + |x|^2, which loses every digit far
from the origin. Of rows at equal distance the smaller number is nearer; of equal votes the smallest
label wins; of means at equal distance the largest label, the notes' "+1".

Only the theorems' domain is checked here: k is odd, a Bayes risk at most 1 - 1/K. Else NumPy speaks;
the estimators in mlnotes/estimators check their input.
"""

import math

import numpy as np

# ---- 1, 2 The nearest rows, and their vote


def squared_distances(Q, X):
    """Shape (q, n): from each query to each row, by differences."""
    return ((np.asarray(Q, dtype=float)[:, None] - X) ** 2).sum(axis=2)


def nearest(squares, k):
    """The numbers of the k nearest rows, nearest first; of equals the smaller number first."""
    return np.argsort(squares, axis=1, kind="stable")[:, :k]


def shares_of_votes(codes, n_classes):
    """From the classes of the voters, (q, k), to the share of each class, (q, K)."""
    return (codes[:, :, None] == np.arange(n_classes)).mean(axis=1)  # (2.1)


class KNeighborsClassifier:
    def __init__(self, n_neighbors=5):
        self.n_neighbors = n_neighbors

    def fit(self, X, y):
        self.X = np.asarray(X, dtype=float)
        self.classes_, self.codes = np.unique(y, return_inverse=True)
        return self

    def kneighbors(self, Q=None, n_neighbors=None):
        """Distances and numbers of the nearest rows; without Q of the *other* rows, row by row."""
        squares = squared_distances(self.X if Q is None else Q, self.X)
        if Q is None:
            np.fill_diagonal(squares, np.inf)  # leave one out
        rows = nearest(squares, n_neighbors or self.n_neighbors)
        return np.sqrt(np.take_along_axis(squares, rows, axis=1)), rows

    def predict_proba(self, Q):
        return shares_of_votes(self.codes[self.kneighbors(Q)[1]], len(self.classes_))

    def predict(self, Q):
        return self.classes_[self.predict_proba(Q).argmax(axis=1)]


# ---- 3 The risk with many rows


def nearest_neighbor_risk(posterior):
    """The probability that two independent labels at x differ; fractions stay exact."""
    return 1 - (np.asarray(posterior) ** 2).sum(axis=1)  # (3.1)


def cover_hart_bound(bayes_risk, n_classes):
    if np.any(np.asarray(bayes_risk) * n_classes > (n_classes - 1) * (1 + 1e-12)):
        raise ValueError(f"bayes_risk of {n_classes} classes is at most 1 - 1/{n_classes}, got {bayes_risk}.")
    return bayes_risk * (2 - n_classes * bayes_risk / (n_classes - 1))  # (3.2)


def k_neighbors_risk(eta, k):
    """The error at x of the vote of k labels that are 1 with probability eta."""
    if k % 2 == 0:
        raise ValueError(f"k must be odd, so that two classes cannot tie, got {k}.")
    masses = [math.comb(k, b) * eta**b * (1 - eta) ** (k - b) for b in range(k + 1)]
    for_one = sum(masses[(k + 1) // 2 :])
    return eta * (1 - for_one) + (1 - eta) * for_one  # (3.4)


# ---- 4 The curse of dimensionality


def cube_edge(share, d):
    """Of a cube that holds this share of the unit cube."""
    return share ** (1 / d)


def median_nearest_distance(n, d):
    """From the centre of the unit ball to the nearest of n uniform points in it."""
    return (-math.expm1(-math.log(2) / n)) ** (1 / d)  # (4.1)


def ball_volume(d, radius=1.0):
    return math.exp(d * (math.log(math.pi) / 2 + math.log(radius)) - math.lgamma(d / 2 + 1))


# ---- 5 The closest average


class NearestCentroid:
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.centroids_ = np.array(
            [np.asarray(X, dtype=float)[np.asarray(y) == k].mean(axis=0) for k in self.classes_]
        )
        return self

    def scores(self, X):
        """The log likelihoods of N(mu_k, I), up to a constant."""
        return -squared_distances(X, self.centroids_) / 2

    def decision_function(self, X):
        scores = self.scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X):
        return self.classes_[::-1][self.scores(X)[:, ::-1].argmax(axis=1)]  # (5.1), the last of equals
