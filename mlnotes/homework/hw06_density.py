"""Homework 6: density estimation. Six questions, 20 points; three derivations, three methods."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from mlnotes.claims import Evidence, claim, density_kernels, equal, rounding
from mlnotes.claims import density as claims
from mlnotes.claims.answers import AnswerError, as_numbers, scalar
from mlnotes.claims.naive_bayes import kernel_classifier_rule
from mlnotes.estimators.density import histogram_cv_scores, select_bins
from mlnotes.homework.core import Adapter, Assignment, Class, Function, Part, Value, changing

# ------------------------------------------------------------------- claims of this homework alone


def _bins(x: Any, edges: Any) -> Any:
    return np.minimum(np.searchsorted(edges, x, side="right") - 1, len(edges) - 2)


@claim(
    "hw06.uneven",
    kind="homework",
    section="lectures/10_density.ipynb, section 4",
    statement=r"For bins of any widths $h_j$ the leave-one-out score is $\int\hat f^2 - \frac2n\sum_i\hat "
    r"f_{(-i)}(X_i)$, where $\hat f = \hat p_j/h_j$ on bin $j$.",
)
def uneven_is_leave_one_out(uneven, rng, *, n=14, m=5) -> Iterator[Evidence]:
    """Refit without each point, for bins of very different widths and for equal ones."""
    for name, widths in (
        ("equal widths", np.ones(4, dtype=int)),
        ("two bins", np.array([1, 12])),
        ("more bins", rng.integers(1, 12, m)),
    ):
        edges = np.concatenate([[0], np.cumsum(widths)]) - 3.0
        x = rng.integers(0, 4 * int(widths.sum()), n) / 4 - 2.875
        bins, total = _bins(x, edges), 0.0
        counts = np.bincount(bins, minlength=len(widths))
        for i, b in enumerate(bins):
            others = np.bincount(np.delete(bins, i), minlength=len(widths))
            total += others[b] / (n - 1) / widths[b]
        truth = float(((counts / n) ** 2 / widths).sum() - 2 * total / n)
        yield equal(f"score, {name}", scalar(uneven(counts, edges)), truth, rounding(60, 4))


@claim(
    "hw06.triangle",
    kind="homework",
    section="lectures/10_density.ipynb, section 2",
    statement=r"For the density $f(x) = 1 + a(2x - 1)$, $|a| \le 1$, the histogram with $m$ bins from $n$ "
    r"points has $\int b^2$ and $\int v$ as in Theorem 2.1.",
)
def triangle_is_the_risk(triangle, rng) -> Iterator[Evidence]:
    """Integrate bias and variance bin by bin: the lecture's theorem is for every f, and this is one f."""
    for a, m, n in itertools.product((-1.0, float(rng.uniform(0.1, 0.9))), (1, 3, 8), (1, 40)):
        edges = np.arange(m + 1) / m
        p = np.diff(edges + a * (edges**2 - edges))
        # f - p_j/h on a bin is linear through 0 at its middle, with slope 2a
        bias, variance = as_numbers(triangle(a, m, n), 2)
        which = f"a = {a:.3g}, m = {m}, n = {n}"
        yield equal(f"integral of b^2, {which}", bias, m * (2 * a) ** 2 / (12 * m**3), rounding(40, 10))
        truth = float((p * (1 - p)).sum()) * m / n
        yield equal(f"integral of v, {which}", variance, truth, rounding(40, 10))


@claim(
    "hw06.cosine",
    kind="homework",
    section="lectures/10_density.ipynb, sections 5 and 6",
    statement=r"The cosine kernel $K(x) = \frac\pi{4c}\cos\frac{\pi x}{2c}$ on $|x| < c$ has $R(K)$ and "
    r"$\mu_2$ as their integrals say, and $h^\star$ follows from Corollary 6.2.",
)
def cosine_is_the_integral(cosine, rng) -> Iterator[Evidence]:
    """Integrate by Gauss-Legendre: a kernel that the lecture does not have."""
    yield from _integrals(cosine, rng, lambda u: math.pi / 4 * np.cos(math.pi * u / 2))


@claim(
    "hw06.triweight",
    kind="homework",
    section="lectures/10_density.ipynb, sections 5 and 6",
    statement=r"The kernel $K(x) = \frac{35}{32c}(1 - x^2/c^2)^3$ on $|x| < c$ has $R(K)$ and $\mu_2$ as "
    r"their integrals say, and $h^\star$ follows from Corollary 6.2.",
)
def triweight_is_the_integral(cosine, rng) -> Iterator[Evidence]:
    """Integrate by Gauss-Legendre: a kernel that the lecture does not have."""
    yield from _integrals(cosine, rng, lambda u: 35 / 32 * (1 - u**2) ** 3)


def _integrals(answers: Any, rng: np.random.Generator, kernel: Any) -> Iterator[Evidence]:
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for c in (1.0, 2.0, float(rng.uniform(0.3, 5))):
        n, curvature = int(rng.integers(10, 10_000)), float(rng.uniform(0.1, 5))
        K = kernel(nodes) / c
        R, mu = c * float(weights @ K**2), c**3 * float(weights @ (nodes**2 * K))
        truth = (R, mu, (R / (mu**2 * curvature * n)) ** 0.2)
        found = as_numbers(answers(c, curvature, n), 3)
        for name, value, right in zip(("R(K)", "mu_2", "h*"), found, truth, strict=True):
            yield equal(f"{name} over the truth, c = {c:.3g}", value / right, 1.0, rounding(200, 4))


def _biweight(u: Any) -> Any:
    return np.where(abs(u) < 1, 15 / 16 * (1 - u**2) ** 2, 0.0)


@claim(
    "hw06.estimate",
    kind="homework",
    section="lectures/10_density.ipynb, section 5",
    statement=r"The estimate with the biweight kernel $\frac{15}{16}(1 - u^2)^2$ on $|u| < 1$, each point "
    r"with a weight of its own.",
)
def estimate_is_the_sum(estimate, rng, *, n=15, m=22) -> Iterator[Evidence]:
    """Compare with the double sum: in the lecture every point weighs the same."""
    x, places = rng.integers(-8, 9, n) / 4, np.append(rng.integers(-24, 25, m) / 8, [50.0, -1e6])
    x[:2] = x[0]  # equal points count as often as they come
    weights = rng.integers(1, 6, n).astype(np.float64)
    for h in (0.4, 1.3):
        truth = _biweight((places[:, None] - x) / h) @ weights / (weights.sum() * h)
        found = as_numbers(estimate(x, weights, places, h), m + 2)
        yield equal(f"values, h = {h}", found, truth, rounding(60, 3 / h), x=x, weights=weights)


@claim(
    "hw06.slope",
    kind="homework",
    section="lectures/10_density.ipynb, section 5",
    statement="The derivative of the estimate with the biweight kernel, each point with a weight of its own.",
)
def slope_is_the_sum(estimate, rng) -> Iterator[Evidence]:
    """Compare with the double sum of slopes, which the lecture does not estimate."""
    x, places = rng.integers(-8, 9, 15) / 4, np.append(rng.integers(-24, 25, 22) / 8, [50.0, -1e6])
    weights = rng.integers(1, 6, 15).astype(np.float64)
    for h in (0.4, 1.3):
        u = (places[:, None] - x) / h
        slopes = np.where(abs(u) < 1, -15 / 4 * u * (1 - u**2), 0.0)
        truth = slopes @ weights / (weights.sum() * h**2)
        found = as_numbers(estimate(x, weights, places, h), 24)
        yield equal(f"values, h = {h}", found, truth, rounding(60, 4 / h**2), x=x, weights=weights)


# ------------------------------------------------------------------- from the student's names to the claims'


def _choosing(name: str, convert: Callable[[Any], Any]) -> Adapter:
    """Return an adapter for a student who counts bandwidths otherwise, under that name."""

    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def kernel_cv_scores(x: Any, widths: Any, kernel: Any) -> Any:
            return student["search"](np.asarray(x), convert(np.asarray(widths)))[0]

        def select_bandwidth(x: Any, widths: Any) -> Any:
            candidates = convert(np.asarray(widths))
            best = scalar(student["search"](np.asarray(x), candidates)[1])
            # there may be a rounding between, as after 1/(1/p)
            place = np.flatnonzero(np.isclose(candidates, best, rtol=1e-9, atol=0))
            if not len(place):
                raise AnswerError(f"value 2 of search(...) must be one of the given {name}, got {best:g}")
            return SimpleNamespace(best=widths[place[0]])

        return {
            "kernel_cv_scores": kernel_cv_scores,
            "select_bandwidth": select_bandwidth,
            "histogram_cv_scores": histogram_cv_scores,
            "select_bins": select_bins,
        }

    return adapt


def _equal_widths(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def histogram_cv_score(counts: Any) -> Any:
        return student["uneven"](counts, np.arange(len(counts) + 1) / len(counts))

    return {"uneven": student["uneven"], "histogram_cv_score": histogram_cv_score}


def _classifier(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted:
        """The student's class under the method names of the claims."""

        def __init__(self, bandwidth: float) -> None:
            self.model = student["Sorter"](bandwidth)

        def fit(self, X: Any, y: Any) -> Adapted:
            self.model.fit(X, y)
            return self

        def predict_proba(self, X: Any) -> Any:
            return self.model.posterior(X)

        def predict(self, X: Any) -> Any:
            return self.model.decide(X)

    return {"KernelDensityClassifier": Adapted}


# ------------------------------------------------------------------- the same questions in other conventions


def _by_widths(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        return part.bind({"uneven": lambda counts, edges: student["uneven"](counts, np.diff(edges))})

    counts = Value("i", ("m",), minimum=0, meaning="points in each bin, n >= 2 in all")
    widths = Value("f", ("m",), minimum=0, meaning="of the bins, positive")
    parameters = {"counts": counts, "widths": widths}
    question = part.question.replace("the counts and the edges", "the counts and the *widths*")
    return replace(
        part, question=question, writes=(replace(part.writes[0], parameters=parameters),), adapt=adapt
    )


def _of_the_triweight(part: Part) -> Part:
    question = (
        r"**Derive.** The triweight kernel is $K(x) = \frac{35}{32c}(1 - x^2/c^2)^3$ on $|x| < c$. Compute "
        r"$R(K)$ and $\mu_2$, and the best bandwidth for a density with $\int f''^2 = q$ (Corollary 6.2). "
        r"For yourself: for which $c$ is it on the scale of the Gaussian kernel, $\mu_2 = 1$?"
    )
    return replace(part, question=question, claims=(triweight_is_the_integral,))


def _of_the_slope(part: Part) -> Part:
    values = Value("f", ("m",), meaning="derivative of the density at the places")
    doc = "Return the derivative of the estimate at the places."
    written = Function("estimate", part.writes[0].parameters, values, doc)
    question = part.question + r" What you return is its *derivative* $\hat f'$."
    return replace(part, question=question, claims=(slope_is_the_sum,), writes=(written,))


def _by_squares(part: Part) -> Part:
    squares = {"squares": Value("f", ("k",), minimum=0, meaning="h^2 of each candidate, positive")}
    scores = Value("f", ("k",), meaning="score of each candidate")
    best = Value("f", (), meaning="the square with the least score")
    doc = "Return the scores and the best of the given squares."
    written = Function("search", {"points": _POINTS} | squares, (scores, best), doc)
    question = part.question.replace("*precisions* $1/h$ (not $1/h^2$)", "*squares* $h^2$")
    return replace(part, question=question, writes=(written,), adapt=_choosing("squares", np.square))


# ------------------------------------------------------------------- the assignment

_POINTS = Value("f", ("n",), meaning="the data")
_ROWS = Value("f", ("n", "d"), meaning="one row a point")

assignment = Assignment(
    id="hw06",
    title="Density estimation",
    lecture="lectures/10_density.ipynb",
    variants=(
        changing(uneven=_by_widths),
        changing(search=_by_squares),
        changing(cosine=_of_the_triweight),
        changing(estimate=_of_the_slope),
    ),
    intro="You need NumPy and lecture 10, for the last question lecture 11, section 1, too. Three "
    "questions ask for a formula, written as code; three ask for a method.",
    parts=(
        Part(
            name="uneven",
            points=4,
            question="**Derive.** Theorem 4.2 has bins of equal width. Let bin $j$ have any width $h_j > 0$, "
            "so that "
            r"$\hat f = \hat p_j/h_j$ there. Write $\hat J = \int\hat f^2 - \frac2n\sum_i\hat f_{(-i)}(X_i)$ "
            r"in terms of the counts "
            "and the edges. (Check: equal widths give (4.3).)",
            writes=(
                Function(
                    "uneven",
                    {
                        "counts": Value("i", ("m",), minimum=0, meaning="points in each bin, n >= 2 in all"),
                        "edges": Value("f", ("k",), meaning="edges of the bins, increasing; k = m + 1"),
                    },
                    Value("f", (), meaning="the score"),
                    "Return the exact leave-one-out score of the histogram.",
                ),
            ),
            claims=(claims.cv_hist_formula, uneven_is_leave_one_out),
            adapt=_equal_widths,
        ),
        Part(
            name="triangle",
            points=3,
            question="**Derive.** Let $f(x) = 1 + a(2x - 1)$ on $[0, 1]$ with $|a| \\le 1$. Compute the two "
            "parts of the MISE of the histogram with $m$ bins from $n$ points (section 2); a sum over the "
            "bins may stay, but need not. For yourself: what is the best $m$ for large $n$, and is the bias "
            "part of Theorem 3.2 exact here?",
            writes=(
                Function(
                    "triangle",
                    {
                        "a": Value("f", (), minimum=-1, maximum=1, meaning="as in the density"),
                        "n_bins": Value("i", (), minimum=1, meaning="m"),
                        "n_points": Value("i", (), minimum=1, meaning="n"),
                    },
                    (Value("f", (), meaning="integral of b^2"), Value("f", (), meaning="integral of v")),
                    "Return the pair of integrals.",
                ),
            ),
            claims=(triangle_is_the_risk,),
        ),
        Part(
            name="cosine",
            points=3,
            question=r"**Derive.** The cosine kernel is $K(x) = \frac\pi{4c}\cos\frac{\pi x}{2c}$ on $|x| < "
            r"c$. Compute $R(K)$ and $\mu_2$, and the best bandwidth for a density with $\int f''^2 = q$ "
            r"(Corollary 6.2). For yourself: for which $c$ is it on the "
            "scale of the Gaussian kernel, $\\mu_2 = 1$?",
            writes=(
                Function(
                    "cosine",
                    {
                        "radius": Value("f", (), minimum=0, meaning="c > 0"),
                        "curvature": Value("f", (), minimum=0, meaning="q > 0, the integral of f''^2"),
                        "n_points": Value("i", (), minimum=1, meaning="n"),
                    },
                    (
                        Value("f", (), meaning="R(K)"),
                        Value("f", (), meaning="mu_2, the variance of K"),
                        Value("f", (), meaning="h*"),
                    ),
                    "Return the triple.",
                ),
            ),
            claims=(cosine_is_the_integral,),
        ),
        Part(
            name="estimate",
            points=3,
            question=r"**Build.** A kernel estimate with the biweight kernel, $\frac{15}{16}(1 - u^2)^2$ on "
            r"$|u| < 1$ and 0 elsewhere, in which point $i$ has a weight $w_i > 0$: $\hat f(x) "
            r"= \sum_iw_iK_h(x - X_i)/\sum_iw_i$ with $K_h(t) = K(t/h)/h$.",
            writes=(
                Function(
                    "estimate",
                    {
                        "points": _POINTS,
                        "weights": Value("f", ("n",), minimum=0, meaning="positive; any sum"),
                        "places": Value("f", ("m",), meaning="where to evaluate"),
                        "bandwidth": Value("f", (), minimum=0, meaning="h > 0"),
                    },
                    Value("f", ("m",), meaning="density at the places"),
                    "Return the estimate at the places.",
                ),
            ),
            claims=(estimate_is_the_sum,),
        ),
        Part(
            name="search",
            points=3,
            question="**Build.** Cross-validation for the Gaussian kernel in the form that is exact, "
            "$A - \\frac{2S}{n(n-1)}$ (section 7), not with $n^2$. Mind the convention: the candidates are "
            "given as *precisions* $1/h$ (not $1/h^2$). Of equal scores any may be the best.",
            writes=(
                Function(
                    "search",
                    {
                        "points": _POINTS,
                        "precisions": Value(
                            "f", ("k",), minimum=0, meaning="1/h of each candidate, positive"
                        ),
                    },
                    (
                        Value("f", ("k",), meaning="score of each candidate"),
                        Value("f", (), meaning="the precision with the least score"),
                    ),
                    "Return the scores and the best of the given precisions.",
                ),
            ),
            claims=(
                density_kernels.kde_cv_unbiased.at(kernels=("gaussian",)),
                claims.cv_jhat.at(kernels=("gaussian",)),
                claims.cv_select.at(kernels=(), sizes=()),
            ),
            adapt=_choosing("precisions", lambda widths: 1 / widths),
        ),
        Part(
            name="Sorter",
            points=4,
            question=r"**Build a classifier.** For each class a Gaussian kernel estimate with $H = h^2I$ and "
            r"the same $h$, and Bayes' formula with $\hat\pi_k = n_k/n$. Work with logarithms: far from the "
            r"data every density underflows (lecture 10, section 9).",
            writes=(
                Class(
                    "Sorter",
                    {"bandwidth": Value("f", (), minimum=0, meaning="h > 0")},
                    (
                        Function(
                            "fit",
                            {
                                "X": _ROWS,
                                "y": Value("i", ("n",), minimum=0, meaning="classes 0..K-1, each occurs"),
                            },
                            None,
                            "Keep what is needed; what is returned is not looked at.",
                        ),
                        Function(
                            "posterior",
                            {"X": _ROWS},
                            Value("f", ("n", "K"), meaning="estimated P(Y = k | x), rows sum to 1"),
                            "Return the estimated posterior of each row.",
                        ),
                        Function(
                            "decide",
                            {"X": _ROWS},
                            Value("i", ("n",), meaning="class 0..K-1"),
                            "Return the most probable class of each row; of equal ones any.",
                        ),
                    ),
                    "Kernel density classifier.",
                ),
            ),
            claims=(kernel_classifier_rule.at(others=()),),
            adapt=_classifier,
        ),
    ),
)
