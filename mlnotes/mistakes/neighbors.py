"""Wrong nearest neighbours and closest averages, one typical mistake each."""

import math

import numpy as np

from mlnotes.estimators import evaluation
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("neighbors")


class PlainNeighbors:
    """Brute force, written so that each step can go wrong by itself."""

    def __init__(self, n_neighbors=5):
        self.n_neighbors = n_neighbors

    def fit(self, X, y):
        self.X, self.y = np.asarray(X, dtype=float), np.asarray(y)
        self.classes_ = np.unique(self.y)
        return self

    def squares(self, Q):
        return ((np.asarray(Q, dtype=float)[:, None] - self.X) ** 2).sum(axis=2)

    def sort(self, squares):
        return np.argsort(squares, axis=1, kind="stable")

    def kneighbors(self, Q=None, n_neighbors=None):
        squares = self.squares(self.X if Q is None else Q)
        if Q is None:
            np.fill_diagonal(squares, np.inf)
        found = self.sort(squares)[:, : n_neighbors or self.n_neighbors]
        return np.sqrt(np.take_along_axis(squares, found, axis=1)), found

    def weights(self, distances):
        return np.ones_like(distances)

    def predict_proba(self, Q):
        distances, found = self.kneighbors(Q)
        weights = self.weights(distances)
        votes = np.stack([((self.y[found] == c) * weights).sum(axis=1) for c in self.classes_], axis=1)
        return votes / weights.sum(axis=1, keepdims=True)

    def predict(self, Q):
        return self.classes_[self.predict_proba(Q).argmax(axis=1)]


@mistake("KNeighborsClassifier", kills="rule knn-vote train-error-zero leave-one-out")
class Farthest(PlainNeighbors):
    """Takes the largest distances."""

    def sort(self, squares):
        return np.argsort(-squares, axis=1, kind="stable")


@mistake("KNeighborsClassifier", kills="distances")
class Expansion(PlainNeighbors):
    """Expands the square, which cancels far from the origin."""

    def squares(self, Q):
        Q = np.asarray(Q, dtype=float)
        expanded = (Q**2).sum(axis=1)[:, None] - 2 * Q @ self.X.T + (self.X**2).sum(axis=1)
        return np.maximum(expanded, 0)


@mistake("KNeighborsClassifier", kills="rule")
class CityBlock(PlainNeighbors):
    """Adds absolute differences, not squares."""

    def squares(self, Q):
        return abs(np.asarray(Q, dtype=float)[:, None] - self.X).sum(axis=2)


@mistake("KNeighborsClassifier", kills="rule erratum-s25 train-error-zero")
class LastOfEqual(PlainNeighbors):
    """Prefers the larger row number at equal distance."""

    def sort(self, squares):
        n = squares.shape[1]
        return n - 1 - np.argsort(squares[:, ::-1], axis=1, kind="stable")


@mistake("KNeighborsClassifier", kills="knn-vote knn-figure")
class OneMore(PlainNeighbors):
    """Asks k + 1 neighbours, as if the query were one of the training rows."""

    def kneighbors(self, Q=None, n_neighbors=None):
        return super().kneighbors(Q, min((n_neighbors or self.n_neighbors) + 1, len(self.X)))


@mistake("KNeighborsClassifier", kills="train-error-zero erratum-t2 knn-vote")
class NotItself(PlainNeighbors):
    """Leaves out a training row that equals the query."""

    def squares(self, Q):
        squares = super().squares(Q)
        return np.where(squares == 0, np.inf, squares)


@mistake("KNeighborsClassifier", kills="knn-vote knn-figure")
class ByDistance(PlainNeighbors):
    """Weights the votes by the inverse distance."""

    def weights(self, distances):
        return 1 / (distances + 1e-9)


@mistake("KNeighborsClassifier", kills="knn-vote erratum-s25")
class LargestOfEqual(PlainNeighbors):
    """Gives equal votes to the larger label."""

    def predict(self, Q):
        votes = self.predict_proba(Q)
        return self.classes_[votes.shape[1] - 1 - votes[:, ::-1].argmax(axis=1)]


@mistake("KNeighborsClassifier", kills="leave-one-out")
class FirstIsItself(PlainNeighbors):
    """Drops the nearest row, which is not the row itself when it has copies of smaller number."""

    def kneighbors(self, Q=None, n_neighbors=None):
        if Q is not None:
            return super().kneighbors(Q, n_neighbors)
        distances, found = super().kneighbors(self.X, (n_neighbors or self.n_neighbors) + 1)
        return distances[:, 1:], found[:, 1:]


@mistake("KNeighborsClassifier", kills="leave-one-out")
class ItselfOrTheFirst(PlainNeighbors):
    """Drops the row itself from the k + 1 nearest, and where it is not among them the first, not the last."""

    def kneighbors(self, Q=None, n_neighbors=None):
        if Q is not None:
            return super().kneighbors(Q, n_neighbors)
        distances, found = super().kneighbors(self.X, (n_neighbors or self.n_neighbors) + 1)
        own = found == np.arange(len(found))[:, None]
        own[~own.any(axis=1), 0] = True
        return distances[~own].reshape(len(found), -1), found[~own].reshape(len(found), -1)


# ------------------------------------------------------------------- risks and geometry


mistake.rows("nearest_neighbor_risk",
    ("Returns the Bayes risk at each point.", "asymptotic-risk cover-hart",
     lambda posterior: 1 - np.asarray(posterior).max(axis=1)),
    ("Returns the probability that the two labels agree.", "asymptotic-risk cover-hart",
     lambda posterior: (np.asarray(posterior) ** 2).sum(axis=1)),
)  # fmt: skip
mistake.rows("cover_hart_bound",
    ("Uses the constant of two classes for every K.", "cover-hart",
     lambda bayes_risk, n_classes: bayes_risk * (2 - 2 * bayes_risk)),
    ("Forgets the quadratic term, so that the bound is not attained.", "cover-hart",
     lambda bayes_risk, n_classes: 2 * bayes_risk),
)  # fmt: skip
mistake.rows("k_neighbors_risk",
    ("Returns the probability that the vote is for the less probable class, whatever the label is.", "k-risk",
     lambda eta, k: evaluation.binomial_tail((k + 1) // 2, k, min(eta, 1 - eta))),
    ("Uses the risk of one neighbour for every k.", "k-risk", lambda eta, k: 2 * eta * (1 - eta)),
)  # fmt: skip
mistake.rows("cube_edge", ("Divides by d in place of taking the root.", "curse", lambda share, d: share / d))
mistake.rows("median_nearest_distance",
    ("Returns the median distance of a single point.", "curse curse-sample", lambda n, d: 0.5 ** (1 / d)),
    ("Takes the root n and the root d in the wrong order.", "curse curse-sample",
     lambda n, d: 1 - 0.5 ** (1 / (n * d))),
)  # fmt: skip
mistake.rows("ball_volume",
    ("Writes Gamma(d/2) for Gamma(d/2 + 1), which is the surface without its factor.", "curse",
     lambda d, radius=1.0: math.pi ** (d / 2) / math.gamma(d / 2) * radius**d),
)  # fmt: skip


# ------------------------------------------------------------------- closest average


class PlainCentroid:
    """The closest average by direct distances, ties to the larger label."""

    def fit(self, X, y):
        X, y = np.asarray(X, dtype=float), np.asarray(y)
        self.classes_ = np.unique(y)
        self.centroids_ = np.stack([self.mean(X[y == k]) for k in self.classes_])
        return self

    def mean(self, rows):
        return rows.mean(axis=0)

    def squares(self, Q):
        return ((np.asarray(Q, dtype=float)[:, None] - self.centroids_) ** 2).sum(axis=2)

    def decision_function(self, Q):
        squares = self.squares(Q)
        return (squares[:, 0] - squares[:, 1]) / 2

    def predict(self, Q):
        squares = self.squares(Q)
        return self.classes_[squares.shape[1] - 1 - squares[:, ::-1].argmin(axis=1)]


@mistake("NearestCentroid", kills="centroid-means")
class DivideByOneLess(PlainCentroid):
    """Divides the sums by n_k - 1."""

    def mean(self, rows):
        return rows.sum(axis=0) / max(len(rows) - 1, 1)


@mistake("NearestCentroid", kills="centroid-means")
class Median(PlainCentroid):
    """Takes the median of each feature."""

    def mean(self, rows):
        return np.median(rows, axis=0)


@mistake("NearestCentroid", kills="centroid-rule erratum-t4")
class FarMean(PlainCentroid):
    """Compares in the wrong direction, as the second printed case does."""

    def predict(self, Q):
        return self.classes_[self.squares(Q).argmax(axis=1)]


@mistake("NearestCentroid", kills="centroid-rule erratum-t4 centroid-ml-interpretation")
class TieToFirst(PlainCentroid):
    """A tie goes to -1."""

    def decision_function(self, Q):
        return np.abs(super().decision_function(Q))

    def predict(self, Q):
        return self.classes_[self.squares(Q).argmin(axis=1)]


@mistake("NearestCentroid", kills="centroid-rule")
class NoOffset(PlainCentroid):
    """Takes the largest inner product and forgets the lengths of the means."""

    def predict(self, Q):
        return self.classes_[(np.asarray(Q, dtype=float) @ self.centroids_.T).argmax(axis=1)]


@mistake("NearestCentroid", kills="centroid-rule")
class FromTheFirstMean(PlainCentroid):
    """Compares scores that are all measured from the first mean, however far that is."""

    def squares(self, Q):
        moved, W = np.asarray(Q, dtype=float) - self.centroids_[0], self.centroids_ - self.centroids_[0]
        return (W**2).sum(axis=1) - 2 * moved @ W.T


@mistake("NearestCentroid", kills="centroid-ml-interpretation")
class NoHalf(PlainCentroid):
    """Leaves the factor 1/2 out of the log likelihood."""

    def decision_function(self, Q):
        return 2 * super().decision_function(Q)


@mistake("NearestCentroid", kills="centroid-gnb-claim erratum-t5")
class OwnVariances(PlainCentroid):
    """Estimates a variance for each class and feature: Gaussian naive Bayes itself."""

    def fit(self, X, y):
        super().fit(X, y)
        X, y = np.asarray(X, dtype=float), np.asarray(y)
        self.variances = np.stack([X[y == k].var(axis=0) for k in self.classes_]) + 1e-9
        return self

    def squares(self, Q):
        gaps = (np.asarray(Q, dtype=float)[:, None] - self.centroids_) ** 2
        return (gaps / self.variances + np.log(self.variances)).sum(axis=2)


@mistake("KNeighborsClassifier", kills="asymptotic-risk")
class _(PlainNeighbors):
    """Names row 0 as the nearest one, wherever that lies."""

    def sort(self, squares):
        return np.zeros_like(squares, dtype=int)


@mistake("NearestCentroid", kills="erratum-t5")
class _(PlainCentroid):
    """Answers the first class everywhere."""

    def predict(self, X):
        return np.full(len(X), self.classes_[0])
