"""Homework 6: density estimation. Six questions, 20 points; three derivations, three methods."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from mlnotes.checking import equal, rounding, statement
from mlnotes.checking.outputs import OutputError, as_numbers, scalar
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


def _integrals(constants, rng, kernel):
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for c in (1.0, 2.0, float(rng.uniform(0.3, 5))):
        n, curvature = int(rng.integers(10, 10_000)), float(rng.uniform(0.1, 5))
        K = kernel(nodes) / c
        R, mu = c * float(weights @ K**2), c**3 * float(weights @ (nodes**2 * K))
        truth = (R, mu, (R / (mu**2 * curvature * n)) ** 0.2)
        values = as_numbers(constants(c, curvature, n), 3)
        for name, value, right in zip(("R(K)", "mu_2", "h*"), values, truth, strict=True):
            yield equal(f"{name} over the truth, c = {c:.3g}", value / right, 1.0, rounding(200, 4))


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

    return {"kernel_cv_score": kernel_cv_score, "select_bandwidth": select_bandwidth}


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


@part(4, kernel_classifier_rule, adapt={"KernelDensityClassifier": _Sorted})
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
