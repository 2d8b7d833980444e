r"""Nearest neighbours and closest averages: classify a point by what lies near it.

====================  ===========  ===============================================================
name                  shape        meaning
====================  ===========  ===============================================================
``X``, ``y``          (n, d), (n)  training rows and their labels
``Q``                 ``(q, d)``   query rows
``centroids_``        ``(K, d)``   class means :math:`\hat\mu_k`
====================  ===========  ===============================================================

The k-nearest-neighbour rule lets the k training rows nearest to x vote. The closest-average rule goes to the
nearest class mean, which cuts space by hyperplanes.

Distances are Euclidean and **exact**: what decides is the sum :math:`\sum_j (q_j - x_j)^2` of squared
differences, never the expansion :math:`\|q\|^2 - 2\langle q, x\rangle + \|x\|^2`, which loses every digit
when the data lie far from the origin. The expansion serves only to discard rows that are provably too far
(see `KNeighborsClassifier`).

Ties: of rows at equal distance **the smaller row number** is nearer. Of classes with equally many votes **the
smallest label** wins, the first maximum of ``predict_proba``, as scikit-learn's checks ask. Of centroids at
equal distance **the largest label** wins, the notes' "tie goes to +1" and the rule of `mlnotes.bayes`.

Sources: lecture notes, chapter 10, sections 10.1.2 and 10.1.3; Shi, Lecture 2, "1st glance". Beyond them: Fix
and Hodges (1951); Cover and Hart (1967); Devroye, Györfi and Lugosi (1996), chapter 5; Hastie, Tibshirani and
Friedman (2009), section 2.5, for the curse of dimensionality.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.base import (
    Classifier,
    check_fitted,
    check_probabilities,
    check_scalar,
    check_vector,
    last_argmax,
    row_blocks,
)
from mlnotes.evaluation import binomial_tail

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

# ------------------------------------------------------------------- what is known about the risk


def nearest_neighbor_risk(posterior: ArrayLike) -> NDArray[Any]:
    r"""Return the error of the 1-NN rule at points with these posteriors, in the limit of many rows.

    The nearest row then sits at x itself, with an independent label of the same law:

    .. math:: r_1(x) = P(Y \ne Y' \mid x) = 1 - \sum_k \eta_k(x)^2 .

    Parameters
    ----------
    posterior : array-like of shape (m, K)
        Rows sum to 1; exact with `fractions.Fraction`.

    Returns
    -------
    ndarray of shape (m,)
    """
    eta = check_probabilities(posterior, name="posterior", ndim=2)
    return 1 - (eta**2).sum(axis=1)


def cover_hart_bound(bayes_risk: Any, n_classes: int) -> Any:
    r"""Return :math:`R^\star\bigl(2 - \frac{K}{K-1} R^\star\bigr)`, above which no asymptotic 1-NN risk lies.

    Attained when the largest posterior is almost everywhere the same number and the other classes share the
    rest equally. Source: Cover and Hart (1967), theorem 1.

    Parameters
    ----------
    bayes_risk : float, Fraction or array
        In [0, 1 - 1/K].
    n_classes : int
        K >= 2.
    """
    check_scalar(n_classes, name="n_classes", kind=int, minimum=2)
    risks = check_vector(np.atleast_1d(bayes_risk).ravel(), name="bayes_risk", minimum=0)
    if (risks * n_classes > (n_classes - 1) * (1 + 1e-12)).any():
        raise ValueError(
            f"bayes_risk must be at most 1 - 1/K = {1 - 1 / n_classes:.4g}, got {risks.max():.4g}."
        )
    return bayes_risk * (2 - n_classes * bayes_risk / (n_classes - 1))


def k_neighbors_risk(eta: float, k: int) -> float:
    r"""Return the asymptotic error at a point with :math:`\eta = P(Y = 1 \mid x)` of the vote of k, k odd.

    With :math:`B \sim \mathrm{Binomial}(k, \eta)` the votes for 1,

    .. math:: r_k = \eta\,P(B < k/2) + (1 - \eta)\,P(B > k/2),

    which decreases in k to :math:`\min(\eta, 1 - \eta)` (Devroye, Györfi and Lugosi, theorem 5.4).
    """
    check_scalar(eta, name="eta", minimum=0, maximum=1)
    check_scalar(k, name="k", kind=int, minimum=1)
    if k % 2 == 0:
        raise ValueError(f"k must be odd, so that two classes cannot tie, got {k}.")
    says_one = binomial_tail((k + 1) // 2, k, eta)
    return eta * (1 - says_one) + (1 - eta) * says_one


# ------------------------------------------------------------------- the curse of dimensionality


def ball_volume(d: int, radius: float = 1.0) -> float:
    r"""Return the volume :math:`\pi^{d/2} r^d / \Gamma(d/2 + 1)` of the ball in :math:`R^d`."""
    check_scalar(d, name="d", kind=int, minimum=1)
    check_scalar(radius, name="radius", above=0)
    return math.exp(d * (math.log(math.pi) / 2 + math.log(radius)) - math.lgamma(d / 2 + 1))


def cube_edge(share: float, d: int) -> float:
    r"""Return the edge :math:`\mathrm{share}^{1/d}` of a cube that holds that share of the unit cube."""
    check_scalar(share, name="share", minimum=0, maximum=1)
    check_scalar(d, name="d", kind=int, minimum=1)
    return share ** (1 / d)


def median_nearest_distance(n: int, d: int) -> float:
    r"""Return the median distance from the centre of the unit ball to the nearest of n uniform points in it.

    .. math:: P(\text{distance} > r) = (1 - r^d)^n = \tfrac12 \iff r = \bigl(1 - 2^{-1/n}\bigr)^{1/d}.
    """
    check_scalar(n, name="n", kind=int, minimum=1)
    check_scalar(d, name="d", kind=int, minimum=1)
    return (-math.expm1(-math.log(2) / n)) ** (1 / d)


# ------------------------------------------------------------------- k nearest neighbours


class KNeighborsClassifier(Classifier):
    r"""The majority vote of the k nearest training rows.

    .. math:: \hat\eta_c(x) = \tfrac1k \sum_{i \in N_k(x)} 1\{y_i = c\}, \qquad
              \hat f(x) = \arg\max_c \hat\eta_c(x).

    Parameters
    ----------
    n_neighbors : int, default 5
        k, from 1 to the number of training rows. With k = n the answer is the most frequent class everywhere.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    n_samples_fit_ : int
        Number of training rows.
    n_features_in_ : int

    Notes
    -----
    `fit` stores the rows; a query costs O(nd). Two ideas make it fast, and neither changes the answer.
    (1) A matrix product in float32 gives all squared distances to a block of queries up to a known rounding
    error; with that error added it bounds the k-th distance from above, subtracted it discards the rows that
    cannot be among the k. (2) The k-th distance is bounded on a part of the rows first, so that few rows
    survive the pass over all of them. Survivors are measured exactly and sorted by (distance, row number).
    With two features and 5,000 rows or more, the cells of a grid around the query are searched first.

    Examples
    --------
    >>> model = KNeighborsClassifier(n_neighbors=3).fit([[0.0], [1.0], [2.0], [9.0]], ["a", "a", "b", "b"])
    >>> model.predict([[1.2]]).tolist(), model.kneighbors([[1.2]])[1].tolist()
    (['a'], [[1, 2, 0]])
    """

    def __init__(self, n_neighbors: int = 5) -> None:
        self.n_neighbors = n_neighbors

    def fit(self, X: ArrayLike, y: ArrayLike) -> KNeighborsClassifier:
        """Store the rows X, shape (n, d), and their labels y, shape (n,); return self."""
        X, codes = self._start_fit(X, y)
        check_scalar(self.n_neighbors, name="n_neighbors", kind=int, minimum=1)
        if self.n_neighbors > len(X):
            raise ValueError(
                f"n_neighbors must be at most the number of training rows, n_samples = {len(X)}, "
                f"got {self.n_neighbors}."
            )
        self._search_ = _Screen(X.copy())
        self._codes_ = codes
        self.n_samples_fit_ = len(X)
        return self

    def kneighbors(
        self, X: ArrayLike | None = None, n_neighbors: int | None = None
    ) -> tuple[Floats, Indices]:
        """Return the distances and the row numbers of the nearest training rows, nearest first.

        Parameters
        ----------
        X : array-like of shape (q, d), optional
            Queries. Left out, every training row is asked about the *other* training rows.
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
        check_scalar(k, name="n_neighbors", kind=int, minimum=1, maximum=limit)
        if X is not None:
            distances, indices = self._search_.nearest(self._check_input(X), k)
            _check_size(distances, "a distance between a row of X and a training row")
            return distances, indices
        distances, indices = self._search_.nearest(self._search_.points, k + 1)
        _check_size(distances, "a distance between training rows")
        own = indices == np.arange(self.n_samples_fit_)[:, None]
        own[~own.any(axis=1), k] = True  # more than k duplicates of smaller row number: drop the last
        shape = (self.n_samples_fit_, k)
        return distances[~own].reshape(shape), indices[~own].reshape(shape)

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the shares of the votes, shape (q, K), columns in the order of ``classes_``."""
        return self._votes(X) / self.n_neighbors

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of most votes, shape (q,); of equally many, the smallest."""
        best = self._votes(X).argmax(axis=1)
        return self.classes_[best]

    def _votes(self, X: ArrayLike) -> Indices:
        """Count the votes of each class, shape (q, K)."""
        X = self._check_input(X)
        check_scalar(self.n_neighbors, name="n_neighbors", kind=int, minimum=1, maximum=self.n_samples_fit_)
        ballots = self._codes_[self._search_.nearest(X, self.n_neighbors)[1]]  # (q, k)
        K = len(self.classes_)
        cells = ballots + K * np.arange(len(ballots))[:, None]
        return np.bincount(cells.ravel(), minlength=K * len(ballots)).reshape(-1, K)


class _Screen:
    r"""Exact k nearest neighbours by a screen in float32.

    What is compared is :math:`s = \|x\|^2 - 2\langle q, x \rangle`, the squared distance without
    :math:`\|q\|^2`, after both are moved by the mean of the rows. In float32, with unit roundoff u, its error
    is at most

    .. math:: E(q, x) = \gamma\,(\|x\|^2 + 2\|q\|\|x\|), \qquad \gamma = 1.25\,(d + 8)\,u :

    d + 2 products summed in any order, and four roundings of the factors (Higham, section 3.1); 1.25 covers
    the terms of second order up to d = 600,000. E is linear in :math:`(\|x\|^2, \|x\|)`, so the bounds
    :math:`s \pm E` are products of the stored rows :math:`[x, \|x\|^2, \|x\|]` with rows made of q: a bound
    costs no more than s itself. A further slack :math:`\epsilon(q)` covers the float64 rounding of the
    distances that finally decide, so that their ties are ties here too, and underflow.

    Rows are measured in units of a power of two near their largest entry, queries in a unit that is larger
    where they are: dividing is exact, and nothing overflows for any finite input.
    """

    def __init__(self, points: Floats) -> None:
        self.points = points
        n, d = points.shape
        self.unit = _power_of_two(np.array([abs(points).max()]))[0]
        scaled = points / self.unit
        self.centre = scaled.mean(axis=0)
        moved = scaled - self.centre
        self.norms = np.sqrt(np.einsum("ij,ij->i", moved, moved))
        self.gamma = 1.25 * (d + 8) * 2.0**-24
        self.rows = np.empty((n, d + 2), dtype=np.float32)
        self.rows[:, :d] = moved
        self.rows[:, d] = self.norms**2
        self.rows[:, d + 1] = self.norms
        self.grid = _Grid(points) if d == 2 and n >= 5000 else None

    def nearest(self, Q: Floats, k: int) -> tuple[Floats, Indices]:
        """Return distances and indices, both (q, k), by increasing (distance, index)."""
        distances, found = np.empty((len(Q), k)), np.empty((len(Q), k), dtype=np.int64)
        rest = np.arange(len(Q))
        if self.grid is not None:
            pieces = _pieces(rest, 2**14 // k + 1)
            rest = np.concatenate([self._look_around(self.grid, Q, p, distances, found) for p in pieces])
        for rows in _pieces(rest, min(max(256, 2**18 // len(self.points)), 2**14)):
            distances[rows], found[rows] = self._nearest(Q[rows], k)
        return distances, found

    def _look_around(
        self, grid: _Grid, Q: Floats, rows: Indices, distances: Floats, found: Indices
    ) -> Indices:
        """Write down the answers to those of these queries that have few rows near them; return the others.

        Any k rows bound the k-th distance; the k nearest are among the rows in the square of that radius.
        """
        k, unit, centre = found.shape[1], self._unit(Q[rows]), grid.cells(Q[rows])
        most, reach = 64 + 16 * k, 1 + math.isqrt(k)
        near = grid.rows_between(
            np.maximum(centre - reach, 0), np.minimum(centre + reach, grid.side - 1), most
        )
        radius = self._rank(Q[rows], *near, unit, k)[0][:, -1]
        with np.errstate(over="ignore"):
            radius = radius * (1 + 2.0**-40) + unit * 2.0**-50  # more than a rounding of distance or corner
            low, high = (grid.cells(Q[rows] + sign * radius[:, None]) for sign in (-1, 1))
        nearest, which = self._rank(Q[rows], *grid.rows_between(low, high, most), unit, k)
        sure = nearest[:, -1] < np.inf
        distances[rows[sure]], found[rows[sure]] = nearest[sure], which[sure]
        return rows[~sure]

    def _unit(self, Q: Floats) -> Floats:
        return np.maximum(_power_of_two(abs(Q).max(axis=1)), self.unit)

    def _rank(
        self, Q: Floats, query: Indices, point: Indices, unit: Floats, k: int
    ) -> tuple[Floats, Indices]:
        """Measure pairs, sorted by (query, point), exactly; return the k least of each query.

        Where a query has fewer, infinite distances and the number -1 fill up.
        """
        square = _squared_distances(Q, self.points, query, point, unit)
        table, place = _table(query, square, len(Q), least=k)
        order = np.argsort(table, axis=1, kind="stable")[:, :k]  # points come in increasing order
        found = np.append(point, -1)[np.take_along_axis(place, order, axis=1)]
        with np.errstate(over="ignore"):  # `kneighbors` refuses an infinite distance, a vote needs none
            return np.sqrt(np.take_along_axis(table, order, axis=1)) * unit[:, None], found

    def _nearest(self, Q: Floats, k: int) -> tuple[Floats, Indices]:
        """Search for one block of queries; split it when too many rows survive the screen."""
        unit = self._unit(Q)  # (q,)
        scale = self.unit / unit
        moved = Q / unit[:, None] - scale[:, None] * self.centre
        norms = np.sqrt(np.einsum("ij,ij->i", moved, moved))
        with np.errstate(over="ignore", divide="ignore"):
            slack = np.minimum((Q.shape[1] + 4) * 2.0**-51 * norms**2 / scale, 1e30) + 1e-30
        low, high = (self._factors(moved, scale, norms, sign) for sign in (-1, 1))
        n = len(self.points)
        size = max(k, math.isqrt(10 * k * n))  # a bound on m rows costs m and lets k n / m survive
        part = self.rows[:: max(1, n // size)]
        limit = np.partition(high @ part.T, k - 1, axis=1)[:, k - 1] + slack
        query, point, bound = self._survivors(low, limit)
        if len(point) > 2**22 and len(Q) > 1:
            halves = [self._nearest(half, k) for half in np.array_split(Q, 2)]
            return np.concatenate([h[0] for h in halves]), np.concatenate([h[1] for h in halves])
        width = self.norms[point] * (scale[query] * self.norms[point] + 2 * norms[query])
        upper, _ = _table(query, bound + 2 * self.gamma * width, len(Q))
        limit = np.partition(upper, k - 1, axis=1)[:, k - 1] + slack
        close = bound <= limit[query]
        return self._rank(Q, query[close], point[close], unit, k)

    def _factors(self, moved: Floats, scale: Floats, norms: Floats, sign: int) -> NDArray[np.float32]:
        """Return the rows (q, d + 2) whose products with ``self.rows`` are s + sign E."""
        columns = (-2 * moved, (1 + sign * self.gamma) * scale, sign * 2 * self.gamma * norms)
        return np.column_stack(columns).astype(np.float32)

    def _survivors(self, low: NDArray[np.float32], limit: Floats) -> tuple[Indices, Indices, Floats]:
        """Return query, point and lower bound of all pairs with bound <= limit, sorted by (query, point)."""
        ceiling = np.nextafter(limit.astype(np.float32), np.float32(np.inf))[:, None]
        found = []
        for start in range(0, len(self.rows), 1024):
            bounds = low @ self.rows[start : start + 1024].T  # (q, 1024), 1 MiB for 256 queries
            places = np.flatnonzero(bounds <= ceiling)
            query = places // bounds.shape[1]
            found.append((query, start + places - query * bounds.shape[1], bounds.ravel()[places]))
        query, point, bound = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.argsort(query.astype(np.int16), kind="stable")
        return query[order], point[order], bound[order].astype(np.float64)


class _Grid:
    """Rows of the plane by the cells of a grid with as many cells as rows.

    Lines and columns hold about equally many rows each, so that clusters get narrow ones. The rows are sorted
    by (line, column), those of one cell by number: a stretch of a line of cells is a stretch of them.
    """

    def __init__(self, points: Floats) -> None:
        n = len(points)
        self.side = math.isqrt(n)
        sample = np.sort(points[:: max(1, n // (16 * self.side))], axis=0)
        self.borders = sample[np.arange(1, self.side) * len(sample) // self.side]  # (side - 1, 2)
        cell = self.cells(points) @ [self.side, 1]
        self.order = np.argsort(cell, kind="stable")
        self.starts = np.append(0, np.cumsum(np.bincount(cell, minlength=self.side**2)))

    def cells(self, Z: Floats) -> Indices:
        """Return line and column of each row: how many borders are at most its coordinate."""
        found = [np.searchsorted(self.borders[:, j], Z[:, j], side="right") for j in (0, 1)]
        return np.column_stack(found).astype(np.int64)

    def rows_between(self, low: Indices, high: Indices, most: int) -> tuple[Indices, Indices]:
        """Return all pairs (query, row in the cells from low to high), sorted; none if more than ``most``."""
        height = high[:, 0] - low[:, 0] + 1
        query = np.repeat(np.arange(len(low)), height)  # one entry for each line of cells
        line = low[query, 0] + np.arange(len(query)) - np.repeat(np.cumsum(height) - height, height)
        first = self.starts[line * self.side + low[query, 1]]
        length = self.starts[line * self.side + high[query, 1] + 1] - first
        length[np.bincount(query, weights=length)[query] > most] = 0
        place = np.repeat(first - np.cumsum(length) + length, length) + np.arange(length.sum())
        n = len(self.order)
        pairs = np.sort(np.repeat(query, length) * n + self.order[place])
        return pairs // n, pairs % n


def _pieces(rows: Indices, height: int) -> list[Indices]:
    """Cut row numbers into pieces of at most this length."""
    return [rows[start : start + height] for start in range(0, len(rows), height)]


def _power_of_two(sizes: Floats) -> Floats:
    """Return for each size >= 0 the power of two just below it, 2^-1021 at the least."""
    return np.ldexp(1.0, np.maximum(np.frexp(sizes)[1] - 1, -1021))


def _table(row: Indices, value: Floats, n_rows: int, least: int = 1) -> tuple[Floats, Indices]:
    """Lay values out in one line a row, padded by infinity to at least so many; also say which each is."""
    counts = np.bincount(row, minlength=n_rows)
    starts = np.cumsum(counts) - counts
    column = np.arange(len(row)) - starts[row]
    table = np.full((n_rows, max(counts.max(), least)), np.inf)
    place = np.full(table.shape, len(value))
    table[row, column], place[row, column] = value, np.arange(len(row))
    return table, place


def _squared_distances(Q: Floats, X: Floats, query: Indices, point: Indices, unit: Floats) -> Floats:
    """Return the sums of squared differences of pairs of rows, in squared units of the query."""
    squares = np.empty(len(query))
    height = max(1, 2**17 // X.shape[1])
    for start in range(0, len(query), height):
        q, p = query[start : start + height], point[start : start + height]
        gap = Q[q] / unit[q, None] - X[p] / unit[q, None]
        squares[start : start + height] = np.einsum("ij,ij->i", gap, gap)
    return squares


# ------------------------------------------------------------------- the closest average


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
    cut by hyperplanes; moved to :math:`\hat\mu_0`, so that nothing cancels far from the origin. With a single
    class every answer is that class. Cost :math:`O(ndK)`.

    Where :math:`\hat\mu_0` is far from two other means that compete for x, its scores cannot tell them apart.
    `predict` therefore only screens by one product with the rows as they are: where two best scores differ by
    less than their rounding error, the row is scored again from the mean that seems nearest, until this mean
    wins. So an answer depends neither on where the data lie nor on which class comes first.

    Examples
    --------
    >>> model = NearestCentroid().fit([[0.0], [2.0], [9.0]], [-1, -1, 1])
    >>> model.centroids_.tolist(), model.predict([[4.9], [5.0]]).tolist()
    ([[1.0], [9.0]], [-1, 1])
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> NearestCentroid:
        """Average the rows X, shape (n, d), of each label in y, shape (n,); return self."""
        X, codes = self._start_fit(X, y)
        members = np.zeros((len(self.classes_), len(X)))
        members[codes, np.arange(len(X))] = 1
        with np.errstate(over="ignore", invalid="ignore"):
            centroids = members @ X / members.sum(axis=1)[:, None]
            squares = ((centroids - centroids[0]) ** 2).sum(axis=1)
        _check_size(squares, "a squared distance between class means")
        self.centroids_ = centroids
        self.coef_ = centroids - centroids[0]
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
        r"""Return the classes of a block of rows, and the positions where rounding may have decided.

        A score is :math:`\langle x, w_k \rangle - \langle\mu_0, w_k\rangle - \frac12\|w_k\|^2` with
        :math:`w_k = \mu_k - \mu_0`. With unit roundoff u it is off by at most :math:`(d + 4) u \|w_k\|
        (\|x\| + \|\mu_0\| + \|w_k\|)` (Higham, section 3.1), the difference of two by twice that; the length
        of all rows together stands for that of the longest.
        """
        W, origin = self.coef_, self.centroids_[0]
        with np.errstate(over="ignore", invalid="ignore"):
            squares = np.einsum("ij,ij->i", W, W)
            scores = W @ X.T - (W @ origin + squares / 2)[:, None]  # (K, b): sums run along long rows
            reach = math.sqrt(squares.max())
            lengths = math.sqrt(np.vdot(X, X)) + math.sqrt(origin @ origin) + reach
            error = 2 * (X.shape[1] + 4) * 2.0**-53 * reach * lengths
            rivals = (scores >= scores.max(axis=0) - error).sum(axis=0)
        return last_argmax(scores), np.flatnonzero(rivals != 1)  # 0 where a score overflowed

    def _compare_again(self, X: Floats, codes: Indices, rows: Indices) -> None:
        """Replace the codes of these rows by those from the mean that seems nearest, until it wins."""
        for _ in self.classes_:  # once is enough but for means on several scales
            before = codes[rows]
            for origin in np.unique(before):
                mine = rows[before == origin]
                codes[mine] = last_argmax(_affine_scores(X[mine], self.centroids_, origin))
            rows = rows[codes[rows] != before]


def _affine_scores(X: Floats, means: Floats, origin: int) -> Floats:
    r"""Return the scores :math:`\frac12(\|x - \mu_o\|^2 - \|x - \mu_k\|^2)`, shape (K, b)."""
    with np.errstate(over="ignore", invalid="ignore"):
        W = means - means[origin]
        scores = W @ (X - means[origin]).T
        scores -= np.einsum("ij,ij->i", W, W)[:, None] / 2
    _check_size(scores, "the product of a row of X with a class mean")
    return scores


def _check_size(values: Floats, what: str) -> None:
    """Refuse what overflowed."""
    if not np.isfinite(values).all():
        raise ValueError(f"{what} exceeds the largest float64; divide the features by a constant.")
