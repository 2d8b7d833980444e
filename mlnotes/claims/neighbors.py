"""The statements on nearest neighbours and nearest means as executable claims, in the lecture's order.

Data are integers, so that squared distances are exact in float64 and ties are ties; the truth is found by
sorting integers or fractions.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from numbers import Rational

import numpy as np

from mlnotes.checking import at_least, at_most, equal, hard_cases, hoeffding, misprint, rounding, statement
from mlnotes.checking.outputs import as_numbers, refuses
from mlnotes.datasets import GaussianClasses, random_finite_distribution

OUTPUTS = {
    "KNeighborsClassifier.kneighbors": "(n, k); (n, k) int", "KNeighborsClassifier.predict": "(n,) any",
    "KNeighborsClassifier.predict_proba": "(n, K)", "NearestCentroid.centroids_": "(K, d)",
    "NearestCentroid.decision_function": "(n,)", "NearestCentroid.predict": "(n,) any",
    "ball_volume": "number", "cover_hart_bound": "number", "cube_edge": "number",
    "k_neighbors_risk": "number", "median_nearest_distance": "number",
}  # fmt: skip


def _fractions(output, shape):
    """Return an object array of rationals of the given shape; NaN, which no evidence survives, for others."""
    array = np.asarray(output, dtype=object)
    fits = array.shape == shape and all(isinstance(entry, Rational) for entry in array.flat)
    return array if fits else np.full(shape, math.nan)


def _orders(Q, X):
    """Return the indices sorted by (squared distance, index) for every query, shape (q, n)."""
    squares = ((np.asarray(Q)[:, None, :] - np.asarray(X)) ** 2).sum(axis=2)  # exact integers
    return np.argsort(squares, axis=1, kind="stable")


def _votes(indices, y, n_classes):
    """Return the votes of each class for each row of indices."""
    return np.array([np.bincount(y[row], minlength=n_classes) for row in indices])


def _labelled(rng, n, d, n_classes=3, spread=4):
    """Draw integer points (n, d) and labels of all classes (n,)."""
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, n - n_classes))
    return rng.integers(-spread, spread + 1, (n, d)), y


def _separated(rng, n_classes, d):
    """Return X, labels y, queries Q and the squares (60, K) of their distances to the class means.

    Classes have eight examples: the means are multiples of 1/8, no two of them equal, and the squares exact.
    """
    y = np.repeat(np.arange(n_classes), 8)
    X, Q = rng.integers(-4, 5, (len(y), d)), rng.integers(-9, 10, (60, d))
    X[:, 0] += 9 * y
    Q[:n_classes, 0] = 9 * np.arange(n_classes)  # each class is predicted somewhere
    means = np.array([X[y == k].mean(axis=0) for k in range(n_classes)])
    return X, y, Q, ((Q[:, None] - means) ** 2).sum(axis=2)


# ------------------------------------------------------------------- 1 The nearest neighbour
@statement("algorithm", "1", "Chapter 10, 10.1.2")
def rule(KNeighborsClassifier, rng):
    r"""The nearest-neighbour rule predicts the label of the nearest training example, $D(x) = y_i$ with $i =
    \arg\min_i \|x - x_i\|$; of several nearest ones, that of smallest number."""
    for n, d, spread in ((12, 1, 4), (60, 2, 3), (60, 5, 2)):
        X, y = _labelled(rng, n, d, spread=spread)
        Q = rng.integers(-spread - 1, spread + 2, (40, d))
        first = _orders(Q, X)[:, 0]
        predicted = KNeighborsClassifier(n_neighbors=1).fit(X, y).predict(Q)
        yield equal(f"predictions in {d} dimensions", predicted, y[first], X=X, y=y, Q=Q)
        indices = KNeighborsClassifier(n_neighbors=1).fit(X, np.arange(n)).predict(Q)
        yield equal(f"number of the nearest example in {d} dimensions", indices, first, X=X, Q=Q)


@hard_cases(rule)
def orders(KNeighborsClassifier, rng):
    corner = KNeighborsClassifier(n_neighbors=4).fit([[0, 3], [2, 2], [3, 0], [0, 3]], [0, 1, 0, 1])
    order = corner.kneighbors([[0, 0]])[1]
    yield equal("examples in order of distance from 0, squared 9, 8, 9, 9", order, [[1, 0, 2, 3]])
    for d in (1, 2, 5):
        X, y = _labelled(rng, 60, d, spread=2)
        Q = rng.integers(-3, 4, (40, d))
        indices = KNeighborsClassifier(n_neighbors=9).fit(X, y).kneighbors(Q)[1]
        yield equal("numbers of the 9 nearest examples, in order", indices, _orders(Q, X)[:, :9], X=X, Q=Q)


@statement("claim", "1")
def distances(KNeighborsClassifier, rng):
    r"""The nearest examples of integer data do not change when all data are moved by an integer up to
    $2^{40}$. The expansion $\|q\|^2 - 2\langle q, x\rangle + \|x\|^2$ in floating point does not survive
    that: between two points at distance 1 it gives $0$ when they lie at $10^8$, and at $2^{40}$."""
    X, y = _labelled(rng, 50, 3)
    Q = rng.integers(-5, 6, (30, 3))
    order = _orders(Q, X)[:, :5]
    squares = ((Q[:, None, :] - X[order]) ** 2).sum(axis=2)
    for shift in (0.0, 1e8, 2.0**40):
        length, indices = KNeighborsClassifier(n_neighbors=5).fit(X + shift, y).kneighbors(Q + shift)
        yield equal(f"five nearest examples, data moved by {shift:.0f}", indices, order, X=X, Q=Q)
        yield equal("their squared distances", length**2, squares, rounding(4, 300.0))
    for a, b in ((1e8, 1e8 + 1), (2.0**40, 2.0**40 + 1)):
        yield equal(f"the expansion for {a:.0f} and the next integer", a * a - 2 * a * b + b * b, 0.0)


@hard_cases(distances)
def predictions_far_away(KNeighborsClassifier, rng):
    X, Q = _labelled(rng, 50, 3)[0], rng.integers(-5, 6, (30, 3))
    for shift in (0.0, 1e8, 2.0**40):
        indices = KNeighborsClassifier(n_neighbors=1).fit(X + shift, np.arange(50)).predict(Q + shift)
        yield equal(f"nearest examples, data moved by {shift:.0f}", indices, _orders(Q, X)[:, 0], X=X, Q=Q)


@statement("claim", "1", "Chapter 10, 10.1.2")
def train_error_zero(KNeighborsClassifier, rng):
    """The training error of the nearest-neighbour rule is 0 iff no feature vector comes with two labels.
    Otherwise it is the proportion of examples whose label differs from that of their first copy."""
    for size in (3, 40):
        cells = rng.permutation(np.stack(np.meshgrid(np.arange(size), np.arange(2)), -1).reshape(-1, 2))
        y = np.append(np.arange(2), rng.integers(0, 2, len(cells) - 2))
        predicted = KNeighborsClassifier(n_neighbors=1).fit(cells, y).predict(cells)
        yield equal("predictions for distinct training examples", predicted, y)
    for labels in ([0, 1, 1], [1, 0, 1], [1, 1, 0]):
        copies = KNeighborsClassifier(n_neighbors=1).fit([[0], [0], [0]], labels).predict([[0]] * 3)
        yield equal(f"predictions for three equal points with labels {labels}", copies, labels[:1] * 3)


@hard_cases(train_error_zero)
def many_copies(KNeighborsClassifier, rng):
    X, y = _labelled(rng, 40, 2, spread=1)  # nine points for forty examples
    first = {tuple(x): y[i] for i, x in reversed(list(enumerate(X.tolist())))}
    predicted = KNeighborsClassifier(n_neighbors=1).fit(X, y).predict(X)
    yield equal(
        "predictions for copies: label of the first", predicted, [first[tuple(x)] for x in X], X=X, y=y
    )


# ------------------------------------------------------------------- 2 The vote of k neighbours
@statement("algorithm", "2", "Shi, 1st glance at a classification algorithm")
def knn_vote(KNeighborsClassifier, rng):
    """The $k$ nearest training examples vote, each with weight $1/k$; of classes with equally many votes the
    smallest label wins. $k = 1$ is the nearest-neighbour rule, $k = n$ the most frequent class everywhere.
    """
    X, y = _labelled(rng, 40, 2)
    Q = np.vstack([X[:10], rng.integers(-6, 7, (30, 2))])  # training examples are among the queries
    order = _orders(Q, X)
    for k in (1, 2, 3, 7, 40):
        model = KNeighborsClassifier(n_neighbors=k).fit(X, y)
        votes = _votes(order[:, :k], y, 3)
        yield equal(f"k times predict_proba, k = {k}", model.predict_proba(Q) * k, votes, rounding(2, k))
        yield equal(f"predictions, k = {k}", model.predict(Q), votes.argmax(axis=1), X=X, y=y, Q=Q)


@hard_cases(knn_vote)
def two_ties(KNeighborsClassifier):
    for labels in np.array([["b", "a", "b"], ["a", "b", "b"]]):
        models = [KNeighborsClassifier(n_neighbors=k).fit([[1], [-1], [2]], labels) for k in (1, 2)]
        predicted = [model.predict([[0]])[0] for model in models]
        yield equal("predictions between two points, k = 1 and k = 2: both ties", predicted, [labels[0], "a"])


@statement("figure", "2", "Shi, 1st glance at a classification algorithm, figure")
def knn_figure(KNeighborsClassifier):
    """The prediction can change with $k$: among the three nearest neighbours of the green point two are red,
    among the five nearest three are blue."""
    X = [[1, 0], [0, 2], [2, 1], [3, 0], [0, -3], [5, 5]]
    y = np.array(["blue", "red", "red", "blue", "blue", "red"])
    for k, expected in ((1, "blue"), (3, "red"), (5, "blue")):
        model = KNeighborsClassifier(n_neighbors=k).fit(X, y)
        yield equal(f"prediction at the origin, k = {k}", model.predict([[0, 0]]), [expected])


@statement("algorithm", "2", "Stone (1974)")
def leave_one_out(KNeighborsClassifier, rng):
    """Leave-one-out needs no refitting: the neighbours of $x_i$ among the *other* examples are its nearest $k
    + 1$ without $i$ itself; where copies of smaller number leave no place for $i$ among these, without the
    last."""
    X, y = _labelled(rng, 30, 2, spread=2)  # 25 points for 30 examples: there are copies
    X[rng.permutation(30)[:9]] = X[0]  # of nine or more equal examples four have five copies before them
    others = np.array([[j for j in row if j != i][:4] for i, row in enumerate(_orders(X, X))])
    model, index = KNeighborsClassifier(n_neighbors=4), np.arange(30)
    refitted = [model.fit(X[index != i], y[index != i]).predict(X[i : i + 1])[0] for i in index]
    votes = _votes(others, y, 3).argmax(axis=1)
    yield equal("predictions fitted again without each example", refitted, votes, X=X, y=y)
    indices = model.fit(X, y).kneighbors()[1]
    yield equal("four nearest other examples of every example", indices, others, X=X)


# ------------------------------------------------------------------- 3 The risk with many observations
@statement("formula", "3", "Cover and Hart (1967)")
def asymptotic_risk(nearest_neighbor_risk, rng):
    r"""With many observations the nearest one lies at $x$ itself and has an independent label of the same
    distribution: the error there is $P(Y \ne Y' \mid x) = 1 - \sum_k \eta_k(x)^2$. On $m$ atoms of equal mass
    the risk with $n$ examples differs from the mean of that by at most $(1 - 1/m)^n$, and by that much where
    each atom has its own label: only atoms that were not seen are wrong."""
    distribution = random_finite_distribution(rng, 5, 3)
    eta = distribution.conditional()
    pairs = [sum(row[j] * row[k] for j in range(3) for k in range(3) if j != k) for row in eta]
    risks = _fractions(nearest_neighbor_risk(eta), (5,))
    yield equal("1 - sum eta^2 against P(Y != Y')", risks, pairs, joint=distribution.joint)


@hard_cases(asymptotic_risk)
def finite_samples(nearest_neighbor_risk, KNeighborsClassifier, rng):
    eta, atoms = random_finite_distribution(rng, 3, 3).conditional(), np.arange(3.0)[:, None]
    limit = _fractions(nearest_neighbor_risk(eta), (3,)).sum() / 3
    for n in (1, 2, 4):  # all samples there are, each as probable as any other
        risk, wrong = Fraction(0), Fraction(0)
        for sample in itertools.product(range(3), repeat=n):
            model = KNeighborsClassifier(n_neighbors=1).fit(atoms[list(sample)], np.arange(n))
            nearest = model.predict(atoms)  # the label of an example is its number
            if not np.isin(nearest, range(n)).all():
                nearest = np.zeros(3)  # not a number of an example
            wrong += sum(sample[int(i)] != a for a, i in enumerate(nearest))
            risk += sum(1 - (eta[a] * eta[sample[int(i)]]).sum() for a, i in enumerate(nearest))
        gap, unseen = abs(risk / 3 ** (n + 1) - limit), Fraction(2, 3) ** n
        yield at_most(f"gap of the risk with {n} examples to its limit", gap, unseen, eta=eta)
        yield equal(f"risk with {n} examples if each atom has its own label", wrong / 3 ** (n + 1), unseen)


@statement("theorem", "3", "Cover and Hart (1967), Thm 1")
def cover_hart(nearest_neighbor_risk, cover_hart_bound, rng):
    r"""The asymptotic risk of the nearest-neighbour rule is at most twice the Bayes risk: $R^\star \le
    R_{1NN} \le R^\star\bigl(2 - \frac{K}{K-1} R^\star\bigr)$, with equality on the right when $\max_k \eta_k$
    is almost everywhere constant and the other classes are equally probable."""
    for K in (2, 3, 5):
        distribution = random_finite_distribution(rng, 6, K)
        errors = _fractions(nearest_neighbor_risk(distribution.conditional()), (6,))
        risk, best = (distribution.marginal() * errors).sum(), distribution.bayes_risk()
        yield at_least(f"1-NN risk against the Bayes risk, K = {K}", risk, best, joint=distribution.joint)
        bound = _fractions(cover_hart_bound(best, K), ()).item()
        yield at_most("1-NN risk against the bound", risk, bound, joint=distribution.joint)
        r = Fraction(int(rng.integers(1, 100)), 100) * Fraction(K - 1, K)
        attained = np.array([[1 - r] + [r / (K - 1)] * (K - 1)], dtype=object)
        value = _fractions(nearest_neighbor_risk(attained), (1,)).item()
        yield equal(
            f"bound where it is attained, R* = {r}", _fractions(cover_hart_bound(r, K), ()).item(), value
        )


@hard_cases(cover_hart)
def domain_and_densities(nearest_neighbor_risk, cover_hart_bound):
    for K in (2, 3, 5):
        largest = 1 - 1 / K
        refused = [refuses(cover_hart_bound, risk, K) for risk in (largest, largest + 0.01)]
        yield equal("risks of 1 - 1/K and more refused", refused, [False, True])
    prior, means = np.array([0.5, 0.3, 0.2]), np.array([[0.0], [1.5], [4.0]])
    normal = GaussianClasses(prior, means, np.array([1.0, 0.5, 2.0])[:, None, None])
    risks = [_integrals(normal, nearest_neighbor_risk, cells) for cells in (4000, 8000)]
    (best, risk), (finer_best, finer) = risks
    slack = 8 * (abs(finer - risk) + abs(finer_best - best)) + rounding(8000)
    yield at_most("disagreement of the two grids", slack, 1e-5)
    yield at_least("1-NN risk of three normal classes against the Bayes risk", finer, finer_best, slack)
    yield at_most("against the bound", finer, cover_hart_bound(finer_best, 3), slack)


def _integrals(normal, nearest_neighbor_risk, cells):
    """Return the Bayes risk and the asymptotic 1-NN risk by the midpoint rule on [-12, 18]."""
    x = (np.arange(cells) + 0.5) / cells * 30 - 12
    eta = normal.posterior(x[:, None])
    density = np.exp(normal.log_density(x[:, None])) @ normal.prior * 30 / cells
    risks = as_numbers(nearest_neighbor_risk(eta), cells)
    return float(density @ (1 - eta.max(axis=1))), float(density @ risks)


@statement("theorem", "3", "Devroye, Györfi and Lugosi (1996), Thm 5.4")
def k_risk(k_neighbors_risk):
    r"""For odd $k$ and two classes the asymptotic risk at $x$ is $\eta P(B < k/2) + (1 - \eta)P(B > k/2)$, $B
    \sim \mathrm{Binomial}(k, \eta)$. It decreases in $k$, to $\min(\eta, 1 - \eta)$; for $k = 1$ it is
    $2\eta(1 - \eta)$."""
    etas, sizes = [Fraction(m, 16) for m in (0, 1, 5, 8, 11, 16)], (1, 3, 5, 15, 101)
    exact = [[_vote_risk(eta, k) for k in sizes] for eta in etas]
    risks = np.array([[k_neighbors_risk(float(eta), k) for k in sizes] for eta in etas])
    yield equal("risk at six eta for k = 1, 3, 5, 15, 101", risks, exact, rounding(202))
    yield at_most("increases with k", np.diff(risks, axis=1), 0.0, rounding(202))
    single = [float(2 * eta * (1 - eta)) for eta in etas]
    yield equal("k = 1 against 2 eta (1 - eta)", risks[:, 0], single, rounding(4))


def _vote_risk(eta, k):
    """Return the error of the vote of k labels, by adding up all counts exactly."""
    masses = [math.comb(k, b) * eta**b * (1 - eta) ** (k - b) for b in range(k + 1)]
    return float(sum(m * (1 - eta if 2 * b > k else eta) for b, m in enumerate(masses)))


# ------------------------------------------------------------------- 4 The curse of dimensionality
@statement("theorem", "4", "Hastie, Tibshirani and Friedman (2009), 2.5")
def curse(cube_edge, median_nearest_distance, ball_volume):
    r"""In high dimension neighbours are not near. A cube with a fraction $r$ of the unit cube has edge
    $r^{1/d}$. The nearest of $n$ uniform points in the unit ball lies at median distance $(1 -
    2^{-1/n})^{1/d}$ from the centre. The ball fills the fraction $V_d/2^d$ of its cube, $V_d =
    \pi^{d/2}/\Gamma(d/2 + 1)$."""
    dims = np.array([1, 2, 10, 100])
    edges = np.array([cube_edge(0.01, d) for d in dims.tolist()])
    yield equal("edge to the power d, d = 1, 2, 10, 100", edges**dims, np.full(4, 0.01), rounding(100, 0.01))
    radii = np.array([median_nearest_distance(500, d) for d in dims.tolist()])
    beyond = (1 - radii**dims) ** 500  # a relative error e of r^d = 0.0014 changes this by 0.35 e
    yield equal("P(nearest of 500 is farther)", beyond, np.full(4, 0.5), rounding(500 * 100))
    volumes = np.array([ball_volume(d) for d in range(1, 40)])
    yield equal("V_1, V_2", volumes[:2], [2.0, math.pi], rounding(4, 4))
    steps = volumes[:-2] * 2 * math.pi / np.arange(3, 40)
    yield equal("V_d against 2 pi / d times V_{d-2}", volumes[2:], steps, rounding(160) * steps)
    wide = np.array([ball_volume(d, 2.0) for d in range(1, 40)]) / 2.0 ** np.arange(1, 40)
    yield equal("volumes for radius 2, over 2^d", wide, volumes, rounding(160) * volumes)


@statement("example", "4", false_alarm=1e-09)
def curse_sample(median_nearest_distance, rng):
    """The median formula is about the nearest of *all* $n$ points: of many samples, half have their nearest
    point beyond it."""
    n, samples = 20, 4000
    for d in (1, 3, 10):
        radii = rng.random((samples, n)) ** (1 / d)  # P(|x| <= r) = r^d
        fraction = float((radii.min(axis=1) > median_nearest_distance(n, d)).mean())
        band = hoeffding(samples, 1e-9 / 3)  # added up over the three dimensions
        yield at_most(
            f"distance from 1/2 of the proportion beyond the median, d = {d}", abs(fraction - 0.5), band
        )


# ------------------------------------------------------------------- 5 The nearest mean
@statement("formula", "5", "Chapter 10, 10.1.3", "Yan, plug-in approach")
def centroid_means(NearestCentroid, rng):
    r"""The class means $\hat\mu_k = \frac{1}{n_k} \sum_{i : y_i = k} x_i$."""
    X, y = _labelled(rng, 31, 4)
    X = X + 10  # no sum is 0
    exact = np.array([X[y == k].sum(axis=0) / (y == k).sum() for k in range(3)])
    means = NearestCentroid().fit(X, y).centroids_
    yield equal("class means against sums", means, exact, rounding(31, 4), X=X, y=y)


@statement("algorithm", "5", "Chapter 10, 10.1.3")
def centroid_rule(NearestCentroid, rng):
    r"""The closest-average rule predicts the class of the nearest mean, +1 on a tie. Its regions are cut by
    hyperplanes: it predicts +1 iff $\langle x, \hat\mu_+ - \hat\mu_- \rangle \ge \frac12(\|\hat\mu_+\|^2 -
    \|\hat\mu_-\|^2)$."""
    for n_classes in (2, 3):
        X, y, Q, squares = _separated(rng, n_classes, 2)
        expected = n_classes - 1 - squares[:, ::-1].argmin(axis=1)
        predicted = NearestCentroid().fit(X, y).predict(Q)
        yield equal(f"predictions, K = {n_classes}", predicted, expected, X=X, Q=Q)
    squares = ((np.array([[0, 2], [1, 2], [2, 2]])[:, None] - [[0, 0], [2, 4]]) ** 2).sum(axis=2)
    cases = 1 * (squares[:, 1] <= squares[:, 0]) + (squares[:, 1] < squares[:, 0])
    yield equal("printed cases that apply to a -1, to a tie and to a +1", cases, [0, 1, 2])


@hard_cases(centroid_rule)
def means_far_from_the_origin(NearestCentroid, rng):
    far = 2.0**40  # a score from the mean 0 cannot distinguish the other two: it is about 2^79
    model = NearestCentroid().fit([[0.0], [far], [far + 2]], [0, 1, 2])
    predicted = model.predict([[far + t] for t in (0.25, 1, 1.75)])
    yield equal("means 0, 2^40, 2^40 + 2: predictions around the last two", predicted, [1, 2, 2])
    for shift in (0.0, far):
        model = NearestCentroid().fit(np.array([[0, 0], [2, 4]]) + shift, [-1, 1])
        predicted = model.predict(np.array([[1, 2], [3, 1], [-1, 3], [0, 2], [2, 2]]) + shift)
        words = f"three ties and a point on either side, moved by {shift:.0f}"
        yield equal(words, predicted, [1, 1, 1, -1, 1])
    Q, normal = rng.integers(-9, 10, (400, 3)), np.array([3, 3, 1])  # products and sums are rounded at 2^52
    Q[200:] *= 1000  # there a product decides
    model = NearestCentroid().fit(np.array([[0, 0, 0], normal]) + 2.0**52, [-1, 1])
    expected = np.where(2 * Q @ normal >= normal @ normal, 1, -1)
    yield equal("predictions where a product has no digit left", model.predict(Q + 2.0**52), expected, Q=Q)


@hard_cases(centroid_rule, estimators_only="Squares of distances on several scales tie by rounding.")
def means_on_several_scales(NearestCentroid):
    means = np.array([2.0**300, 0, 2.0**200, 2.0**100, 2.0**50, 2])
    model = NearestCentroid().fit(means[:, None], np.arange(6))
    queries = [0.25, 0.99, 1.01, 2.0**49, 2.0**99, 2.0**199, 2.0**299]
    gaps = [[abs(Fraction(q) - Fraction(mean)) for mean in means.tolist()] for q in queries]
    nearest = [max((-gap, k) for k, gap in enumerate(row))[1] for row in gaps]
    yield equal("predictions between means 2^50 to 2^300", model.predict(np.c_[queries]), nearest)


@statement("claim", "5", "Chapter 10, 10.1.3")
def centroid_ml_interpretation(NearestCentroid, rng):
    r"""The closest-average rule is the maximum-likelihood rule for $N(\hat\mu_k, I)$: its score is the log
    likelihood ratio, $\frac12(\|x - \hat\mu_-\|^2 - \|x - \hat\mu_+\|^2)$."""
    X, y, Q, squares = _separated(rng, 2, 3)
    model, ratio = NearestCentroid().fit(X, y), (squares[:, 0] - squares[:, 1]) / 2
    yield equal("score against the log likelihood ratio", model.decision_function(Q), ratio, X=X, Q=Q)
    yield equal("predictions against its sign", model.predict(Q), (ratio >= 0).astype(int), X=X, Q=Q)


@statement("claim", "5 deeper", "Chapter 10, 10.1.3")
def centroid_gnb_claim(NearestCentroid, rng):
    """The closest-average rule is the special case of Gaussian naive Bayes with one variance for all features
    and classes, and equal priors."""
    X, y, Q, squares = _separated(rng, 3, 2)
    predicted = NearestCentroid().fit(X, y).predict(Q)
    for variance in (0.25, 9.0):
        scores = -squares / (2 * variance)  # the rest is the same in each class
        best = 2 - np.argmax(scores[:, ::-1], axis=1)
        yield equal(f"predictions against naive Bayes, variance {variance}", predicted, best, X=X, Q=Q)
    wide = NearestCentroid().fit([[-1], [1], [0], [10]], [0, 0, 1, 1]).predict([[-4], [6]])
    yield equal("predictions at -4 and 6, means 0 and 5, whatever the spreads", wide, [0, 1])
    scores = [-math.log(s) - (-4 - mean) ** 2 / (2 * s**2) for mean, s in ((0, 1), (5, 5))]
    yield equal("Gaussian naive Bayes at -4, with their spreads 1 and 5", int(np.argmax(scores)), 1)


# ------------------------------------------------------------------- 7 What the notes got wrong
# fmt: off
erratum_t16 = misprint("neighbors.t16", "7 deeper", "Chapter 10, 10.1.3 to 10.1.5", """
    Printed: 'if $Y_i = -1$, then $X$ is Gaussian'.
    Right: If $Y = -1$: the likelihood is that of a new pair $(X, Y)$, not of a training example.""")
erratum_t2 = train_error_zero.corrects("t2", "wrong", "7 deeper", "Chapter 10, 10.1.2", """
    Printed: The training error is always 0 for the nearest neighbour classifier.
    Right: It is 0 iff no feature vector comes with two labels.""")
erratum_t4 = centroid_rule.corrects("t4", "wrong", "7 deeper", "Chapter 10, 10.1.3", r"""
    Printed: $D(x) = +1$ if $\|x - \hat\mu_+\| \le \|x - \hat\mu_-\|$, and $-1$ if $\|x - \hat\mu_+\| < \|x -
    \hat\mu_-\|$.
    Right: $-1$ if $\|x - \hat\mu_+\| > \|x - \hat\mu_-\|$.""")
erratum_t5 = centroid_gnb_claim.corrects("t5", "wrong", "7 deeper", "Chapter 10, 10.1.3", """
    Printed: The closest average classifier is often called Gaussian naive Bayes.
    Right: Gaussian naive Bayes has a variance for each feature and class, and priors; the closest-average
    rule is the special case of one variance for all features and classes, and equal priors.""")
erratum_s25 = knn_vote.corrects("s25", "wrong", "7 deeper",
    "Shi, 1st glance at a classification algorithm", """
    Printed: KNN: majority vote of the $k$ nearest neighbours.
    Right: Two ties need a rule: equal distances decide who votes, equal votes decide the prediction. Here:
    the smaller index, the smaller label.""")
