"""Homework 6: density estimation. Six questions, 20 points; three derivations, three methods."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from mlnotes.checking import equal, hard_cases, rounding, statement
from mlnotes.checking.outputs import OutputError, as_numbers, scalar
from mlnotes.checking.regimes import feature_matrices, random_labels, repeatable, stateless, thirds
from mlnotes.claims import density as claims
from mlnotes.claims import density_kernels
from mlnotes.claims.naive_bayes import kernel_classifier_rule
from mlnotes.histogram import bin_counts, histogram_cv_score, select_bins
from mlnotes.homework import Assignment, part, variant

# ---- claims of this homework alone


@statement("homework", "lectures/10_density.ipynb, section 4")
def uneven_(uneven, rng, *, n=14, m=5):
    r"""For bins of any widths $h_j$ the leave-one-out score is $\int\hat f^2 - \frac2n\sum_i\hat
    f_{(-i)}(X_i)$, where $\hat f = \hat p_j/h_j$ on bin $j$."""
    # refit without each point, for bins of very different widths and for equal ones
    some = np.ones(4, dtype=int), np.array([1, 12]), rng.integers(1, 12, m)
    for name, widths in zip(("equal widths", "two bins", "more bins"), some, strict=True):
        edges = np.concatenate([[0], np.cumsum(widths)]) - 3.0
        x = rng.integers(0, 4 * int(widths.sum()), n) / 4 - 2.875
        bins, total = np.searchsorted(edges, x, side="right") - 1, 0.0
        counts = np.bincount(bins, minlength=len(widths))
        for i, b in enumerate(bins):
            others = np.bincount(np.delete(bins, i), minlength=len(widths))
            total += others[b] / (n - 1) / widths[b]
        truth = float(((counts / n) ** 2 / widths).sum() - 2 * total / n)
        yield equal(f"score, {name}", scalar(uneven(counts, edges)), truth, rounding(60, 4))


@hard_cases(uneven_)
def uneven_of_any_bins(uneven, rng):
    """Two points, many points and bins, empty bins, widths in any unit, and edges far from 0."""
    cases: list[Any] = [
        ("two points", [0, 2, 0], [0.3, 0.7, 1 / 3]),
        ("two points apart", [1, 1], [0.1, 5.0]),
        ("one bin", [7], [1 / 3]),
    ]
    for n, m in ((30, 4), (400, 60), (30_000, 9)):
        masses = rng.dirichlet(np.ones(m))
        cases.append((f"{n} points", rng.multinomial(n - 2, masses), rng.uniform(0.2, 3, m)))
        cases[-1][1][rng.integers(m)] += 2
    counts = rng.permutation([5, 0, 8, 3, 1, 2, 4])
    cases += [(f"unit {unit:g}", counts, unit * rng.uniform(0.3, 2, 7)) for unit in (1e-5, 1e3, 1e5)]
    cases += [
        ("the same widths", counts[::-1], cases[-1][2]),
        ("nearly equal widths", counts, 2 + rng.random(7) / 99),
    ]
    cases += [("widths from 1e-4 to 100", counts, rng.permutation(10.0 ** np.arange(-4, 3)))]
    for name, given, widths in cases:
        edges = np.concatenate([[0], np.cumsum(widths)]) - widths[0] / 3
        counts, widths = np.array(given, dtype=int), np.diff(edges)
        total, c = float(counts.sum()), counts.astype(np.float64)
        truth = ((c / total) ** 2 / widths).sum() - 2 * (c * (c - 1) / widths).sum() / total / (total - 1)
        slack = rounding(60, 4 * float((c / total / widths).sum()))
        yield equal(f"score, {name}", scalar(uneven(counts, edges)), float(truth), slack)
    yield from repeatable("uneven", uneven, np.array([5, 0, 2]), np.array([-3.1, 0.2, 0.3, 1.0]))


@statement("homework", "lectures/10_density.ipynb, section 2")
def triangle_(triangle, rng):
    r"""For the density $f(x) = 1 + a(2x - 1)$, $|a| \le 1$, the histogram with $m$ bins from $n$ points has
    $\int b^2$ and $\int v$ as in Theorem 2.1."""
    # integrate bias and variance bin by bin: the lecture's theorem is for every f, and this is one f
    for a, m, n in itertools.product((-1.0, float(rng.uniform(0.1, 0.9))), (1, 3, 8), (1, 40)):
        edges = np.arange(m + 1) / m
        p = np.diff(edges + a * (edges**2 - edges))
        # f - p_j/h on a bin is linear through 0 at its middle, with slope 2a
        bias, variance = as_numbers(triangle(a, m, n), 2)
        which = f"a = {a:.3g}, m = {m}, n = {n}"
        yield equal(f"integral of b^2, {which}", bias, m * (2 * a) ** 2 / (12 * m**3), rounding(40, 10))
        truth = float((p * (1 - p)).sum()) * m / n
        yield equal(f"integral of v, {which}", variance, truth, rounding(40, 10))


@hard_cases(triangle_)
def triangle_of_any_size(triangle, rng):
    """Slopes of either sign and any size, 0 too; two and a thousand bins, two and a million points."""
    slopes = [0.0, 1.0, -0.97, 0.97, 1e-3, -0.03, rng.uniform(-0.9, -0.1)]
    sizes = (1, 2), (2, 3), (5, 2), (40, 1), (150, 7), (1000, 1_000_000)
    for a, (m, n) in itertools.product(map(float, slopes), sizes):
        p = np.diff((1 - a) * np.arange(m + 1) / m + a * (np.arange(m + 1) / m) ** 2)
        bias, variance = as_numbers(triangle(a, m, n), 2)
        which = f"a = {a:.3g}, m = {m}, n = {n}"
        yield equal(f"integral of b^2, {which}", bias, a**2 / (3 * m**2), rounding(40, 10))
        yield equal(
            f"integral of v, {which}", variance, float((p * (1 - p)).sum()) * m / n, rounding(40, m / n)
        )
    yield from repeatable("triangle", triangle, 0.3, 4, 9)


@statement("homework", "lectures/10_density.ipynb, sections 5 and 6")
def cosine_(cosine, rng):
    r"""The cosine kernel $K(x) = \frac\pi{4c}\cos\frac{\pi x}{2c}$ on $|x| < c$ has $R(K)$ and $\mu_2$ as
    their integrals say, and $h^\star$ follows from Corollary 6.2."""
    # integrate by Gauss-Legendre: a kernel that the lecture does not have
    yield from _integrals(cosine, rng, lambda u: math.pi / 4 * np.cos(math.pi * u / 2))


@statement("homework", "lectures/10_density.ipynb, sections 5 and 6")
def triweight(cosine, rng):
    r"""The kernel $K(x) = \frac{35}{32c}(1 - x^2/c^2)^3$ on $|x| < c$ has $R(K)$ and $\mu_2$ as their
    integrals say, and $h^\star$ follows from Corollary 6.2."""
    # integrate by Gauss-Legendre: a kernel that the lecture does not have
    yield from _integrals(cosine, rng, lambda u: 35 / 32 * (1 - u**2) ** 3)


def _integrals(constants, rng, kernel, given=None):
    nodes, weights = np.polynomial.legendre.leggauss(60)
    if given is None:
        given = [
            (c, float(rng.uniform(0.1, 5)), int(rng.integers(10, 10_000)))
            for c in (1.0, 2.0, float(rng.uniform(0.3, 5)))
        ]
    for c, curvature, n in given:
        K = kernel(nodes) / c
        R, mu = c * float(weights @ K**2), c**3 * float(weights @ (nodes**2 * K))
        truth = (R, mu, (R / (mu**2 * curvature * n)) ** 0.2)
        values = as_numbers(constants(c, curvature, n), 3)
        which = f"c = {c:.3g}, q = {curvature:.3g}, n = {n}"
        for name, value, right in zip(("R(K)", "mu_2", "h*"), values, truth, strict=True):
            yield equal(f"{name} over the truth, {which}", value / right, 1.0, rounding(200, 4))


def _of_any_size(constants, rng, kernel):
    """Check the constants in any unit, for one point and for many."""
    sizes = [(1e-3, 1e-3, 1), (1e-3, 2e5, 1000), (20.0, 1e-4, 2), (2e4, 0.7, 1_000_000), (0.7, 30.0, 5)]
    sizes += [(1.0, 1.0, 1), (1 / 3, 1e-4, 50_000), (3.0, 0.005, 1), (0.7, 7.0, 5)]
    yield from _integrals(constants, rng, kernel, sizes)
    yield from repeatable("the triple", constants, 0.3, 1.7, 9)


@hard_cases(cosine_)
def cosine_of_any_size(cosine, rng):
    """Any radius and curvature, one point and a million."""
    yield from _of_any_size(cosine, rng, lambda u: math.pi / 4 * np.cos(math.pi * u / 2))


@hard_cases(triweight)
def triweight_of_any_size(cosine, rng):
    """Any radius and curvature, one point and a million."""
    yield from _of_any_size(cosine, rng, lambda u: 35 / 32 * (1 - u**2) ** 3)


@statement("homework", "lectures/10_density.ipynb, section 5")
def estimate_(estimate, rng, *, n=15, m=22):
    r"""The estimate with the biweight kernel $\frac{15}{16}(1 - u^2)^2$ on $|u| < 1$, each point with a
    weight of its own."""
    # compare with the double sum: in the lecture every point weighs the same
    x, places = rng.integers(-8, 9, n) / 4, np.append(rng.integers(-24, 25, m) / 8, [50.0, -1e6])
    x[:2] = x[0]  # equal points count as often as they come
    weights = rng.integers(1, 6, n).astype(np.float64)
    for h in (0.4, 1.3):
        u = (places[:, None] - x) / h
        truth = np.where(abs(u) < 1, 15 / 16 * (1 - u**2) ** 2, 0.0) @ weights / (weights.sum() * h)
        values = as_numbers(estimate(x, weights, places, h), m + 2)
        yield equal(f"values, h = {h}", values, truth, rounding(60, 3 / h), x=x, weights=weights)


@statement("homework", "lectures/10_density.ipynb, section 5")
def slope(estimate, rng):
    """The derivative of the estimate with the biweight kernel, each point with a weight of its own."""
    # compare with the double sum of slopes, which the lecture does not estimate
    x, places = rng.integers(-8, 9, 15) / 4, np.append(rng.integers(-24, 25, 22) / 8, [50.0, -1e6])
    weights = rng.integers(1, 6, 15).astype(np.float64)
    for h in (0.4, 1.3):
        u = (places[:, None] - x) / h
        slopes = np.where(abs(u) < 1, -15 / 4 * u * (1 - u**2), 0.0)
        truth = slopes @ weights / (weights.sum() * h**2)
        values = as_numbers(estimate(x, weights, places, h), 24)
        yield equal(f"values, h = {h}", values, truth, rounding(60, 4 / h**2), x=x, weights=weights)


def _any_points(estimate, rng, kernel, power):
    """Check sums of `kernel` over h to this power: one point and many, in any unit, with any weights."""
    cases = []
    for n, m, unit in (
        (1, 3, 1.0),
        (2, 9, 1.0),
        (6, 150, 1.0),
        (6, 150, 1.0),
        (600, 12, 1.0),
        (9, 9, 1e-4),
        (9, 9, 1e4),
    ):
        x = unit * rng.uniform(-3, 3, n)
        w = 10 ** rng.uniform(-2, 2, n)
        # most places are within reach of a point
        places = rng.permutation(np.append(x[rng.integers(0, n, m - 2)], [0.0, 4 * unit]))
        cases.append(
            (f"{n} points, unit {unit:g}", x, w, places + unit * rng.uniform(-0.3, 0.3, m), 0.4 * unit)
        )
    _, x, w, places, _ = cases[2]
    cases += [(f"h = {h:g}", x, w, np.append(places[:20], x + h / 3), h) for h in (0.002, 7.3, 300.0)]
    cases += [(f"weights times {c:g}", x, c * w, x + 0.1, 0.4) for c in (1e-6, 1e6)]
    cases += [("nearly equal points", 1 + 1e-5 * np.round(x, 2), w, 1 + 1e-5 * np.round(x + 0.1, 2), 1e-5)]
    cases += [("repeated points", x[[0, 1, 0, 2, 0]], w[:5], x[:3] + 0.1, 0.4)]
    cases += [("within reach, just", x[:1], w[:1], x[0] + 0.7 * np.array([-0.97, 0.97, 0.9999, 1.0001]), 0.7)]
    cases += [("other places", *cases[2][1:3], rng.permutation(cases[2][3]) + 0.01, 0.4)]
    for name, x, w, places, h in cases:
        truth = kernel((places[:, None] - x) / h) @ w / (w.sum() * h**power)
        values = as_numbers(estimate(x.copy(), w.copy(), places.copy(), h), len(places))
        slack = rounding(60 + len(x), 4 / h**power) * (1 + 0.01 * float(abs(places).max()) / h)
        yield equal(f"values, {name}", values, truth, slack)
    yield from repeatable("estimate", estimate, x[::-1].copy(), w[: len(x)], places, 0.4)


@hard_cases(estimate_)
def estimate_of_any_points(estimate, rng):
    """One point and many, in any unit and order, with any weights and bandwidth."""
    yield from _any_points(estimate, rng, lambda u: np.where(abs(u) < 1, 15 / 16 * (1 - u**2) ** 2, 0.0), 1)


@hard_cases(slope)
def slope_of_any_points(estimate, rng):
    """One point and many, in any unit and order, with any weights and bandwidth."""
    yield from _any_points(estimate, rng, lambda u: np.where(abs(u) < 1, -15 / 4 * u * (1 - u**2), 0.0), 2)


@statement("homework", "lectures/10_density.ipynb, section 7")
def search_(search, rng):
    r"""Every candidate has the score $A - \frac{2S}{n(n-1)}$, and the best has the smallest: for any points,
    in any unit, and any candidates in any order."""
    some = rng.uniform(-3, 2, 25)
    spaced = (np.arange(20) + rng.uniform(0, 0.3, 20)) / 20
    spaced[1::3] = (
        spaced[::3] + 1e-4
    )  # equal but for 1e-4: two local minima, of which the far one is the best
    two_minima = np.array([1e-4, 2e-4, 5e-4, 2e-3, 0.01, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.5, 0.8, 1.2, 2])
    wide = np.geomspace(0.05, 5, 7)
    cases = [("25 points", some, rng.permutation(wide)), ("largest h first", some, wide[::-1].copy())]
    cases += [("one candidate", some, np.array([0.7])), ("two points", np.array([-0.3, 0.4]), wide)]
    cases += [("two minima", rng.permutation(spaced), two_minima), ("equal points", np.full(4, 0.3), wide)]
    cases += [(f"unit {c:g}", c * some, c * rng.permutation(wide)) for c in (1e-4, 300.0, 1e4)]
    cases += [("110 points", rng.normal(size=110), rng.permutation(np.geomspace(0.03, 30, 6)))]
    cases += [("nearly equal points", 1 + 1e-2 * np.round(some[:9], 2), 1e-2 * wide)]
    cases += [("repeated points", some[[0, 1, 2, 0, 1, 3, 0, 0]], wide)]
    scores = [claims.score_of(some, h) for h in np.geomspace(0.1, 3, 40)]
    near = np.geomspace(0.1, 3, 40)[int(np.argmin(scores))] * np.geomspace(0.8, 1.25, 41)
    cases += [("near the best", some, rng.permutation(near)), ("the best first", some, near[20:].copy())]
    cases += [("the best last", some, near[:22].copy())]
    for name, x, widths in cases:
        truth = np.array([claims.score_of(x, h) for h in widths])
        values, best = search(x.copy(), widths)
        slack = rounding(200, 1.0) * (1 + 0.01 * (abs(x).max() / widths) ** 2) / widths
        yield equal(f"scores, {name}", as_numbers(values, len(widths)), truth, slack)
        at = int(np.argmin(abs(widths - best)))
        yield equal(f"score of the best, {name}", truth[at], truth.min(), 2 * float(slack[at]))
    yield from repeatable("search", search, some[:5], np.array([0.3, 2.0, 0.7]))


@statement("homework", "lectures/11_naive_bayes.ipynb, section 1")
def sorter_(Sorter, rng):
    r"""The posterior is $\hat\pi_k\hat f_k(x)$, normalised, for any number of features and classes, in any
    unit; the decision has the largest one."""
    cases = []
    for i, (name, X) in enumerate(feature_matrices(rng, many=150)):
        n, spread = len(X), float(np.ptp(X, axis=0).max()) or 1.0
        y = random_labels(rng, n, min(n, (2, 3, 4, 5, 6, 1, 2)[i % 7]))
        near = X[rng.integers(0, n, 7 if n < 100 else n)] + 0.2 * spread * thirds(rng, X[:1].shape, 2)
        least = 1e-3 * float(abs(X).max())  # a narrower kernel measures how the squares are computed
        for h in (0.5, (0.04, 20.0)[i % 2]):
            cases.append((f"{name}, {y.max() + 1} classes", X, y, near, max(h * spread, least)))
        if i % 3 == 0:
            far = X.mean(axis=0) + spread * np.array([[300.0], [-1e4]])
            cases.append((f"{name}, far out", X, y, far, max(0.5 * spread, least)))
    for K, d, unit in ((3, 2, 1.0), (13, 8, 1.0), (4, 2, 1e-5)):
        X = unit * thirds(rng, (40, d))
        near = X + 0.1 * unit
        cases.append((f"{K} classes, {d} features", X, random_labels(rng, 40, K), near, 2 * unit))
    for labels in ([1, 0], [0, 1, 2, 1]):
        points = np.array([[0.0], [2.0], [0.0], [2.0]])[: len(labels)]
        near = 1 + 1e-3 * thirds(rng, (6, 1), 9)
        cases.append((f"near ties of {len(labels)} observations", points, np.array(labels), near, 1.0))
    for name, X, y, queries, h in cases:
        squares = ((queries[:, None] - X) ** 2).sum(axis=2) / (2 * h**2)
        weights = np.exp(squares.min(axis=1, keepdims=True) - squares) @ (
            y[:, None] == np.arange(y.max() + 1)
        )
        truth = weights / weights.sum(axis=1, keepdims=True)
        # of an exponent, whose squares may be multiplied out
        size = 1 + squares.max(axis=1) + (abs(X).max() ** 2 + (queries**2).max(axis=1)) * X.shape[1] / h**2
        slack = np.minimum(rounding(4, 1.0) * size, 0.5)
        model = Sorter(h)
        model.fit(X.copy(), y.copy())
        posterior = as_numbers(model.posterior(queries.copy()), *truth.shape)
        yield equal(f"posterior, {name}", posterior, truth, slack[:, None] * np.ones_like(truth))
        decided = np.asarray(model.decide(queries.copy()))
        chosen = np.where(decided[:, None] == np.arange(truth.shape[1]), truth, 0.0).sum(axis=1)
        yield equal(f"posterior of the class decided, {name}", chosen, truth.max(axis=1), 2 * slack)


@hard_cases(sorter_)
def sorters_that_learn_twice(Sorter, rng):
    """What one learned last is all that it knows, and its bandwidth is its own."""
    y = np.array([0, 1, 1, 0, 2, 1])
    data = [(thirds(rng, (6, 2)), y), (thirds(rng, (6, 2)), y[::-1].copy())]
    queries = [thirds(rng, (5, 2)), thirds(rng, (5, 2))]

    def learn(model, known):
        model.fit(*known)

    for ask in (lambda m, X: m.posterior(X), lambda m, X: np.eye(3)[m.decide(X)]):
        yield from stateless("Sorter", lambda: Sorter(6.0), learn, ask, data, queries, rounding(60))
    narrow, wide = Sorter(3.0), Sorter(30.0)
    for model in (narrow, wide):
        model.fit(*data[0])
    for model, h in ((narrow, 3.0), (wide, 30.0)):
        exponents = ((queries[0][:, None] - data[0][0]) ** 2).sum(axis=2) / (2 * h**2)
        weights = np.exp(exponents.min(axis=1, keepdims=True) - exponents) @ np.eye(3)[y]
        truth = weights / weights.sum(axis=1, keepdims=True)
        yield equal(
            f"posterior, h = {h}, with another object", model.posterior(queries[0]), truth, rounding(900)
        )
        model.posterior(queries[1])
        decided = np.asarray(model.decide(queries[0]))
        chosen = np.where(decided[:, None] == np.arange(3), truth, 0.0).sum(axis=1)
        yield equal(f"after another posterior, h = {h}", chosen, truth.max(axis=1), rounding(900))
    pair, near = np.array([[0.3], [5.3]]), rng.uniform(0.2, 0.6, (1, 1)) + np.array([[0.0], [5.0]])
    narrow.fit(pair, np.array([0, 1]))
    narrow.posterior(near)
    decided = np.asarray(narrow.decide(near[::-1].copy()))
    yield equal("decisions in another order than the last posterior", decided, np.array([1, 0]))
    narrow.fit(*data[0])
    yield from repeatable("posterior", narrow.posterior, queries[0])


# ---- how the claims of the lecture ask


def _choosing(name, convert):
    """Return how a claim calls a search over bandwidths in another form, under that name."""

    def kernel_cv_score(search, x, h):
        return search(x, convert(np.array([h])))[0][0]

    def select_bandwidth(search, x, widths):
        candidates = convert(widths)
        best = scalar(search(x, candidates)[1])
        # there may be a rounding between, as after 1/(1/p)
        place = np.flatnonzero(np.isclose(candidates, best, rtol=1e-9, atol=0))
        if not len(place):
            raise OutputError(f"value 2 of search(...) must be one of the given {name}, got {best:g}")
        return widths[place[0]]

    def in_widths(search, x, widths):
        scores, best = search(x, convert(widths))
        return scores, select_bandwidth(lambda *_: (scores, best), x, widths)

    return {"kernel_cv_score": kernel_cv_score, "select_bandwidth": select_bandwidth, "search": in_widths}


class _Sorted:
    """The student's class under the names of the claim; H is h^2 times the identity."""

    Sorter: Any

    def __init__(self, bandwidth):
        self.model = self.Sorter(math.sqrt(bandwidth[0, 0]))

    def fit(self, X, y):
        self.model.fit(X, y)
        return self

    def predict_proba(self, X):
        return self.model.posterior(X)

    def predict(self, X):
        return self.model.decide(X)


# ---- the questions


@part(
    4,
    claims.cv_hist_formula,
    uneven_,
    adapt={
        "histogram_cv_score": lambda uneven, counts: uneven(counts, np.arange(len(counts) + 1) / len(counts))
    },
)
def uneven(counts, edges):
    r"""**Derive.** Theorem 4.2 has bins of equal width. Let bin $j$ have any width $h_j > 0$, so that $\hat f
    = \hat p_j/h_j$ there. Write $\hat J = \int\hat f^2 - \frac2n\sum_i\hat f_{(-i)}(X_i)$ in terms of the
    counts and the edges. (Check: equal widths give (4.3).)

    Return the exact leave-one-out score of the histogram.

    counts (m,) int >= 0: points in each bin, n >= 2 in all
    edges (k,): edges of the bins, increasing; k = m + 1
    returns: the score
    """


@part(3, triangle_)
def triangle(a, n_bins, n_points):
    r"""**Derive.** Let $f(x) = 1 + a(2x - 1)$ on $[0, 1]$ with $|a| \le 1$. Compute the two parts of the MISE
    of the histogram with $m$ bins from $n$ points (section 2); a sum over the bins may stay, but need not.
    For yourself: what is the best $m$ for large $n$, and is the bias part of Theorem 3.2 exact here?

    Return the pair of integrals.

    a in [-1, 1]: as in the density
    n_bins int >= 1: m
    n_points int >= 1: n
    returns: integral of b^2
    returns: integral of v
    """


@part(3, cosine_)
def cosine(radius, curvature, n_points):
    r"""**Derive.** The cosine kernel is $K(x) = \frac\pi{4c}\cos\frac{\pi x}{2c}$ on $|x| < c$. Compute
    $R(K)$ and $\mu_2$, and the best bandwidth for a density with $\int f''^2 = q$ (Corollary 6.2). For
    yourself: for which $c$ is it on the scale of the Gaussian kernel, $\mu_2 = 1$?

    Return the triple.

    radius >= 0: c > 0
    curvature >= 0: q > 0, the integral of f''^2
    n_points int >= 1: n
    returns: R(K)
    returns: mu_2, the variance of K
    returns: h*
    """


@part(3, estimate_)
def estimate(points, weights, places, bandwidth):
    r"""**Build.** A kernel estimate with the biweight kernel, $\frac{15}{16}(1 - u^2)^2$ on $|u| < 1$ and 0
    elsewhere, in which point $i$ has a weight $w_i > 0$: $\hat f(x) = \sum_iw_iK_h(x - X_i)/\sum_iw_i$ with
    $K_h(t) = K(t/h)/h$.

    Return the estimate at the places.

    points (n,): the data
    weights (n,) >= 0: positive; any sum
    places (m,): where to evaluate
    bandwidth >= 0: h > 0
    returns (m,): density at the places
    """


@part(
    3,
    density_kernels.kde_cv_unbiased,
    claims.cv_jhat,
    claims.cv_select,
    search_,
    adapt=_choosing("precisions", lambda widths: 1 / widths),
    given={"bin_counts": bin_counts, "histogram_cv_score": histogram_cv_score, "select_bins": select_bins},
)
def search(points, precisions):
    r"""**Build.** Cross-validation for the Gaussian kernel in the form that is exact, $A - \frac{2S}{n(n-1)}$
    (section 7), not with $n^2$. Mind the convention: the candidates are given as *precisions* $1/h$ (not
    $1/h^2$). Of equal scores any may be the best.

    Return the scores and the best of the given precisions.

    points (n,): the data
    precisions (k,) >= 0: 1/h of each candidate, positive
    returns (k,): score of each candidate
    returns: the precision with the smallest score
    """


@part(4, kernel_classifier_rule, sorter_, adapt={"KernelDensityClassifier": _Sorted})
class Sorter:
    r"""**Build a classifier.** For each class a Gaussian kernel estimate with $H = h^2I$ and the same $h$,
    and Bayes' formula with $\hat\pi_k = n_k/n$. Work with logarithms: far from the data every density
    underflows (lecture 10, section 9).

    Kernel density classifier.

    bandwidth >= 0: h > 0
    X (n, d): one observation a row
    """

    def __init__(self, bandwidth): ...

    def fit(self, X, y):
        """Keep what is needed; what is returned is not looked at.

        y (n,) int >= 0: classes 0..K-1, each occurs
        """

    def posterior(self, X):
        """Return the estimated posterior of each observation.

        returns (n, K): estimated P(Y = k | x), rows sum to 1
        """

    def decide(self, X):
        """Return the most probable class of each observation; of equal ones any.

        returns (n,) int: class 0..K-1
        """


# ---- the same questions in other conventions


@variant("uneven", ("the counts and the edges", "the counts and the *widths*"))
def _by_widths(uneven, counts, edges):
    """counts
    widths (m,) >= 0: of the bins, positive
    """
    return uneven(counts, np.diff(edges))


@variant(
    "search", ("*precisions* $1/h$ (not $1/h^2$)", "*squares* $h^2$"), adapt=_choosing("squares", np.square)
)
def _by_squares(points, squares):
    """Return the scores and the best of the given squares.

    points
    squares (k,) >= 0: h^2 of each candidate, positive
    returns (k,): score of each candidate
    returns: the square with the smallest score
    """


@variant(
    "cosine",
    (
        r"The cosine kernel is $K(x) = \frac\pi{4c}\cos\frac{\pi x}{2c}$",
        r"The triweight kernel is $K(x) = \frac{35}{32c}(1 - x^2/c^2)^3$",
    ),
    claims=(triweight,),
)
def _of_the_triweight(cosine, *given):
    return cosine(*given)


@variant("estimate", ("", r"What you return is its *derivative* $\hat f'$."), claims=(slope,))
def _of_the_slope(estimate, *given):
    """Return the derivative of the estimate at the places.

    returns (m,): derivative of the density at the places
    """
    return estimate(*given)


assignment = Assignment(
    id="hw06",
    title="Density estimation",
    lecture="lectures/10_density.ipynb",
    variants=(_by_widths, _by_squares, _of_the_triweight, _of_the_slope),
    intro="You need NumPy and lecture 10, for the last question lecture 11, section 1, too. Three "
    "questions ask for a formula, written as code; three ask for a method.",
    parts=(uneven, triangle, cosine, estimate, search, Sorter),  # type: ignore[arg-type]
)
