r"""Nearest neighbours and nearest means: classify a point by what lies near it.

In the k-nearest-neighbour rule the k training examples nearest to x vote. The closest-average rule predicts
the class of the nearest mean; its regions are bounded by hyperplanes.

Distances are Euclidean and **exact**: what decides is the sum :math:`\sum_j (q_j - x_j)^2` of squared
differences, never the expansion :math:`\|q\|^2 - 2\langle q, x\rangle + \|x\|^2`, which loses every digit
when the data lie far from the origin. The expansion serves only to discard points that are provably too far
(see `KNeighborsClassifier`).

Ties: of training examples at equal distance **the smaller index** is nearer. Of classes with equally many
votes **the smallest label** wins, the first maximum of ``predict_proba``, as scikit-learn's checks require.
Of means at equal distance **the largest label** wins, as the notes' "tie goes to +1" and `mlnotes.bayes` say.

Sources: lecture notes, chapter 10, sections 10.1.2 and 10.1.3; Shi, Lecture 2, "1st glance". Beyond them: Fix
and Hodges (1951); Cover and Hart (1967); Devroye, Györfi and Lugosi (1996), chapter 5; Hastie, Tibshirani and
Friedman (2009), section 2.5, for the curse of dimensionality.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.engines.neighbors_search import NearestNeighbors
from mlnotes.engines.rows import last_argmax_of_columns, row_blocks
from mlnotes.estimators.base import Classifier, check_count, check_fitted, check_size

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

# ------------------------------------------------------------------- k nearest neighbours


class KNeighborsClassifier(Classifier):
    r"""The majority vote of the k nearest training examples.

    .. math:: \hat\eta_c(x) = \tfrac1k \sum_{i \in N_k(x)} 1\{y_i = c\}, \qquad
              \hat f(x) = \arg\max_c \hat\eta_c(x).

    Parameters
    ----------
    n_neighbors : int, default 5
        k, from 1 to the number of training examples. With k = n the prediction is the most
        frequent class everywhere.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    n_samples_fit_ : int
        Number of training examples.
    n_features_in_ : int

    Notes
    -----
    `fit` stores the training examples; a query costs O(nd). Two ideas of `mlnotes.engines.neighbors_search`
    make it fast, and neither changes a prediction: products in float32 discard points that are provably too
    far, and with at most four features and 1,000 points or more only the leaves of a k-d tree near the query
    are searched. The distances of what is left are computed exactly and sorted by (distance, index).

    Examples
    --------
    >>> model = KNeighborsClassifier(n_neighbors=3).fit([[0.0], [1.0], [2.0], [9.0]], ["a", "a", "b", "b"])
    >>> model.predict([[1.2]]).tolist(), model.kneighbors([[1.2]])[1].tolist()
    (['a'], [[1, 2, 0]])
    """

    def __init__(self, n_neighbors: int = 5) -> None:
        self.n_neighbors = n_neighbors

    def fit(self, X: ArrayLike, y: ArrayLike) -> KNeighborsClassifier:
        """Store the training examples X, shape (n, d), and their labels y, shape (n,); return self."""
        X, codes = self._start_fit(X, y)
        check_count(self.n_neighbors, name="n_neighbors")
        if self.n_neighbors > len(X):
            raise ValueError(
                f"n_neighbors must be at most the number of training examples, n_samples = {len(X)}, "
                f"got {self.n_neighbors}."
            )
        self._search_ = NearestNeighbors(X.copy())
        self._codes_ = codes
        self.n_samples_fit_ = len(X)
        return self

    def kneighbors(
        self, X: ArrayLike | None = None, n_neighbors: int | None = None
    ) -> tuple[Floats, Indices]:
        """Return the distances and the indices of the nearest training examples, nearest first.

        Parameters
        ----------
        X : array-like of shape (q, d), optional
            Queries. If left out, the neighbours of every training example among the *others*.
        n_neighbors : int, optional
            k, if not that of the estimator.

        Returns
        -------
        distances : ndarray of shape (q, k)
        indices : ndarray of int64, shape (q, k)
        """
        check_fitted(self)
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        limit = self.n_samples_fit_ - (X is None)
        check_count(k, name="n_neighbors", maximum=limit)
        if X is not None:
            distances, indices = self._search_.nearest(self._check_input(X), k)
            check_size(distances, "a distance from X to a training example")
            return distances, indices
        distances, indices = self._search_.nearest(self._search_.points, k + 1)
        check_size(distances, "a distance between training examples")
        itself = indices == np.arange(self.n_samples_fit_)[:, None]
        itself[~itself.any(axis=1), k] = True  # more than k copies of smaller index: drop the last
        shape = (self.n_samples_fit_, k)
        return distances[~itself].reshape(shape), indices[~itself].reshape(shape)

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the proportions of the votes, shape (q, K), columns in the order of ``classes_``."""
        return self._votes(X) / self.n_neighbors

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of most votes, shape (q,); of equally many, the smallest."""
        best = self._votes(X).argmax(axis=1)
        return self.classes_[best]

    def _votes(self, X: ArrayLike) -> Indices:
        """Count the votes of each class, shape (q, K)."""
        X = self._check_input(X)
        check_count(self.n_neighbors, name="n_neighbors", maximum=self.n_samples_fit_)
        voters = self._codes_[self._search_.nearest(X, self.n_neighbors)[1]]  # (q, k)
        K = len(self.classes_)
        cells = voters + K * np.arange(len(voters))[:, None]
        return np.bincount(cells.ravel(), minlength=K * len(voters)).reshape(-1, K)


# ------------------------------------------------------------------- the nearest mean


class NearestCentroid(Classifier):
    r"""The closest-average rule: the class whose mean is nearest.

    .. math:: \hat f(x) = \arg\min_k \|x - \hat\mu_k\|, \qquad
              \hat\mu_k = \frac{1}{n_k} \sum_{i : y_i = k} x_i .

    It is the maximum-likelihood rule for classes :math:`N(\hat\mu_k, I)`, that is, linear discriminant
    analysis with covariance I and equal priors. Source: chapter 10, section 10.1.3.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    centroids_ : ndarray of shape (K, d)
    coef_ : ndarray of shape (K, d)
        :math:`\hat\mu_k - \hat\mu_0`.
    n_features_in_ : int

    Notes
    -----
    The scores are :math:`\frac12(\|x - \hat\mu_0\|^2 - \|x - \hat\mu_k\|^2) = \langle x - \hat\mu_0,
    \hat\mu_k - \hat\mu_0 \rangle - \frac12\|\hat\mu_k - \hat\mu_0\|^2`: affine in x, so the regions are
    bounded by hyperplanes; centred at :math:`\hat\mu_0`, so that nothing cancels far from the origin. With a
    single class it is predicted everywhere. Cost :math:`O(ndK)`.

    Where :math:`\hat\mu_0` is far from two other means that compete for x, its scores cannot tell them apart.
    `predict` therefore computes all scores by one product first: where the two best differ by less than their
    rounding error, they are computed again from the mean that seems nearest, until this mean wins. So a
    prediction depends neither on where the data lie nor on which class comes first.

    Examples
    --------
    >>> model = NearestCentroid().fit([[0.0], [2.0], [9.0]], [-1, -1, 1])
    >>> model.centroids_.tolist(), model.predict([[4.9], [5.0]]).tolist()
    ([[1.0], [9.0]], [-1, 1])
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> NearestCentroid:
        """Average the observations X, shape (n, d), of each label in y, shape (n,); return self."""
        X, codes = self._start_fit(X, y)
        members = np.zeros((len(self.classes_), len(X)))
        members[codes, np.arange(len(X))] = 1
        with np.errstate(over="ignore", invalid="ignore"):
            centroids = members @ X / members.sum(axis=1)[:, None]
            directions = centroids - centroids[0]
            check_size(np.vdot(directions, directions), "a squared distance between class means")
        self.centroids_, self.coef_ = centroids, directions
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the scores of the notes above, shape (q, K); for two classes that of the second, (q,)."""
        X = self._check_input(X)
        scores = np.empty((len(self.centroids_), len(X)))
        for rows in row_blocks(*X.shape):
            scores[:, rows] = _affine_scores(X[rows], self.centroids_, 0)
        return scores[1] if len(scores) == 2 else scores.T

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of the nearest mean, shape (q,); at equal distance the largest."""
        X = self._check_input(X)
        codes = np.empty(len(X), dtype=np.int64)
        for rows in row_blocks(*X.shape):
            codes[rows], near = self._screen(X[rows])
            self._compare_again(X, codes, rows.start + near)
        return self.classes_[codes]

    def _screen(self, X: Floats) -> tuple[Indices, Indices]:
        r"""Return the classes of a block, and the positions where rounding may have decided.

        A score is :math:`\langle x, w_k \rangle - \langle\mu_0, w_k\rangle - \frac12\|w_k\|^2` with
        :math:`w_k = \mu_k - \mu_0`. With unit roundoff u it is off by at most :math:`(d + 4) u \|w_k\|
        (\|x\| + \|\mu_0\| + \|w_k\|)` (Higham, section 3.1), the difference of two by twice that; the length
        of all observations together stands for that of the longest.
        """
        W, origin = self.coef_, self.centroids_[0]
        with np.errstate(over="ignore", invalid="ignore"):
            squares = np.einsum("ij,ij->i", W, W)
            scores = W @ X.T - (W @ origin + squares / 2)[:, None]  # (K, b): sums run along long rows
            reach = math.sqrt(squares.max())
            lengths = math.sqrt(np.vdot(X, X)) + math.sqrt(origin @ origin) + reach
            error = 2 * (X.shape[1] + 4) * 2.0**-53 * reach * lengths
            rivals = (scores >= scores.max(axis=0) - error).sum(axis=0)
        return last_argmax_of_columns(scores), np.flatnonzero(rivals != 1)  # 0 where a score overflowed

    def _compare_again(self, X: Floats, codes: Indices, rows: Indices) -> None:
        """Replace these codes by those from the mean that seems nearest, until it wins."""
        for _ in self.classes_:  # once is enough but for means on several scales
            before = codes[rows]
            for origin in np.unique(before):
                mine = rows[before == origin]
                codes[mine] = last_argmax_of_columns(_affine_scores(X[mine], self.centroids_, origin))
            rows = rows[codes[rows] != before]


def _affine_scores(X: Floats, means: Floats, origin: int) -> Floats:
    r"""Return the scores :math:`\frac12(\|x - \mu_o\|^2 - \|x - \mu_k\|^2)`, shape (K, b)."""
    with np.errstate(over="ignore", invalid="ignore"):
        W = means - means[origin]
        scores = W @ (X - means[origin]).T
        scores -= np.einsum("ij,ij->i", W, W)[:, None] / 2
    check_size(scores, "the product of X with a class mean")
    return scores
