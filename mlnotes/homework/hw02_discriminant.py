"""Homework 2: discriminant analysis. Six questions, 20 points; four derivations, two methods."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mlnotes.claims import Evidence, at_least, claim, equal, rounding
from mlnotes.claims import bayes as bayes_claims
from mlnotes.claims import discriminant as claims
from mlnotes.homework.core import Assignment, Class, Function, Part, Value, changing, converted

# ------------------------------------------------------------------- claims of this homework alone


@claim(
    "hw02.error",
    kind="homework",
    section="lectures/04_discriminant.ipynb, section 3",
    statement=r"If $T$ is $N(-\frac12D^2, D^2)$ in class 0 and $N(\frac12D^2, D^2)$ in class 1, the rule '1 "
    r"iff $T \ge t$' errs with a probability that is the integral of the densities over the wrong sides.",
)
def error_is_the_integral(error, rng) -> Iterator[Evidence]:
    """Integrate the two densities by Gauss-Legendre: the lecture's theorem has equal priors and their cut."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    cases = [(2.0, 0.5, 0.0), (1.0, 0.125, 2.0), (3.0, 0.875, -1.5)]
    cases += rng.uniform([0.5, 0.1, -2.0], [3.0, 0.9, 2.0], (5, 3)).tolist()
    for distance, prior, cut in cases:
        total = 0.0
        for sign, share in ((-1, 1 - prior), (1, prior)):  # in units of D around the mean, out to 9
            edge = -sign * (cut / distance - sign * distance / 2)
            half = (9 - edge) / 2
            z = edge + half * (nodes + 1)
            total += share * half * float(weights @ np.exp(-(z**2) / 2)) / math.sqrt(2 * math.pi)
        found = float(error(distance, prior, cut))
        # 200 nodes integrate exp(-z^2/2) over a length up to 20 to rounding; beyond 9 lies less than 1e-18
        yield equal("probability of an error", found, total, rounding(200, 20), D=distance, p=prior, t=cut)


@claim(
    "hw02.symmetric",
    kind="homework",
    section="lectures/04_discriminant.ipynb, section 6",
    statement=r"The matrix $A$ of the quadratic form is symmetric: the values of the form do not tell.",
)
def form_is_symmetric(quadric, rng, *, d=3) -> Iterator[Evidence]:
    """Look at the matrix of two random classes: the lecture's claim takes any A with the same scores."""
    _, means, S, _ = claims._model(rng, K=2, d=d)
    A, _, _ = quadric(means[0], S[0], means[1], 4 * S[1], 0.25)
    yield equal(
        "A - A'", np.asarray(A) - np.asarray(A).T, np.zeros((d, d)), rounding(60, 14), means=means, S=S
    )


@claim(
    "hw02.switch",
    kind="homework",
    section="lectures/04_discriminant.ipynb, section 6",
    statement=r"Between $N(0, 1)$ and $N(0, s^2)$ with equal priors QDA changes its answer where the "
    r"densities agree: $e^{-x^2/2} = \frac1se^{-x^2/(2s^2)}$ at $x = \pm c$.",
)
def switch_is_where_densities_agree(switch, rng) -> Iterator[Evidence]:
    """Check that both densities agree there: a question turned round, which no statement asks."""
    for s in (2.0, 0.5, *rng.uniform(1.2, 6.0, 4).tolist()):
        c = float(switch(s))
        gap = c**2 / 2 * (1 - 1 / s**2) - math.log(s)
        yield equal("log of the ratio of the densities at c", gap, 0.0, rounding(16, 20), s=s)
        yield at_least("c", c, 0.1, s=s)


@claim(
    "hw02.switch-laplace",
    kind="homework",
    section="lectures/04_discriminant.ipynb, section 6",
    statement=r"Between the Laplace laws $\frac12e^{-|x|}$ and $\frac1{2s}e^{-|x|/s}$ with equal priors the "
    r"Bayes rule changes its answer where the densities agree, at $x = \pm c$.",
)
def switch_of_laplace_laws(switch, rng) -> Iterator[Evidence]:
    """Check that both densities agree there: the lecture has no Laplace laws."""
    for s in (2.0, 0.5, *rng.uniform(1.2, 6.0, 4).tolist()):
        c = float(switch(s))
        yield equal(
            "log of the ratio of the densities at c",
            c * (1 - 1 / s) - math.log(s),
            0.0,
            rounding(16, 20),
            s=s,
        )
        yield at_least("c", c, 0.1, s=s)


# ------------------------------------------------------------------- from the student's names to the claims'


def _against_the_first(prior: Any, scores: Any) -> Any:
    """Return scores of K classes: 0 for the first, and for class k the log odds of the two alone, (n, K)."""
    odds = [scores(k, float(prior[k] / (prior[0] + prior[k]))) for k in range(1, len(prior))]
    return np.column_stack([np.zeros(len(odds[0])), *odds])


def _lines(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def linear_discriminants(X: Any, means: Any, covariance: Any, prior: Any) -> Any:
        def odds(k: int, share: float) -> Any:
            first, other, S = (
                np.array(value, dtype=np.float64) for value in (means[0], means[k], covariance)
            )
            w, b = student["line"](first, other, S, share)
            return np.asarray(X) @ np.asarray(w) + b

        return _against_the_first(prior, odds)

    return {"linear_discriminants": linear_discriminants}


def _quadrics(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def quadratic_discriminants(X: Any, means: Any, covariances: Any, prior: Any) -> Any:
        def odds(k: int, share: float) -> Any:
            A, b, c = student["quadric"](means[0], covariances[0], means[k], covariances[k], share)
            return ((X @ np.asarray(A)) * X).sum(axis=1) + X @ np.asarray(b) + c

        return _against_the_first(prior, odds)

    return {"quadric": student["quadric"], "quadratic_discriminants": quadratic_discriminants}


def _pooled(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def pooled_covariance(X: Any, y: Any) -> Any:
        return student["within"](np.asarray(X, dtype=np.float64).T.copy(), np.asarray(y) + 1)  # classes 1..K

    return {"pooled_covariance": pooled_covariance}


def _classifier(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted:
        """The student's class under the method names of the claims."""

        def __init__(self) -> None:
            self.model = student["Quadratic"]()

        def fit(self, X: Any, y: Any) -> Adapted:
            self.model.fit(X, y)
            return self

        def predict_proba(self, X: Any) -> Any:
            return self.model.posterior(X)

        def predict(self, X: Any) -> Any:
            return self.model.decide(X)

    return {"QuadraticDiscriminantAnalysis": Adapted, "PlugInClassifier": Adapted}


# ------------------------------------------------------------------- the same questions in other conventions


def _of_class_zero(part: Part) -> Part:
    def negative(function: Any) -> Any:
        return lambda *arguments: tuple(-np.asarray(value) for value in function(*arguments))

    question = part.question.replace("the log posterior odds", "the log posterior odds *of class 0*")
    question = question.replace(r"{P(Y = 1 \mid x)}{P(Y = 0 \mid x)}", r"{P(Y = 0 \mid x)}{P(Y = 1 \mid x)}")
    question = question.replace(r"+ b \ge 0", r"+ b \le 0")
    return replace(
        part, question=question, adapt=lambda student: part.bind({part.name: negative(student[part.name])})
    )


def _most_likely(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def within(points: Any, labels: Any) -> Any:
            n, K = len(labels), int(np.max(labels))
            return np.asarray(student["within"](points, labels)) * (n / (n - K))

        return {"within": within}

    written = replace(
        part.writes[0], doc="Return the covariance that the likelihood is largest for, all means being free."
    )
    words = ("without bias", "*of largest likelihood* for Gaussian classes that share one")
    return converted(part, convert, words, writes=(written,))


def _of_laplace(part: Part) -> Part:
    question = (
        r"**Derive.** One feature, equal priors, the Laplace laws $\frac12e^{-|x|}$ and "
        r"$\frac1{2s}e^{-|x|/s}$ with $s \ne 1$. The Bayes rule answers one class for $|x| < c$ and "
        r"the other for $|x| > c$. What is $c$?"
    )
    return replace(part, question=question, claims=(switch_of_laplace_laws,))


def _in_deviations(part: Part) -> Part:
    question = part.question.replace("answer 1 iff $T \\ge t$", "answer 1 iff $T/D \\ge t$")

    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"error": lambda distance, prior, cut: student["error"](distance, prior, cut / distance)}

    return replace(part, question=question, adapt=adapt)


# ------------------------------------------------------------------- the assignment

_POINTS = Value("f", ("n", "d"), meaning="one row a point")
_MEAN = Value("f", ("d",))
_COVARIANCE = Value("f", ("d", "d"), meaning="symmetric, positive definite")
_PRIOR = Value("f", (), minimum=0, maximum=1, meaning="P(Y = 1), strictly between 0 and 1")

assignment = Assignment(
    id="hw02",
    title="Discriminant analysis",
    lecture="lectures/04_discriminant.ipynb",
    variants=(
        changing(line=_of_class_zero, quadric=_of_class_zero),
        changing(error=_in_deviations),
        changing(within=_most_likely),
        changing(switch=_of_laplace),
    ),
    intro="You need NumPy and lecture 4, nothing else. Four questions ask for a formula, written as code; "
    r"two ask for a method.",
    parts=(
        Part(
            name="within",
            points=3,
            question="**Build.** The covariance within the classes (section 4), without bias. Mind the "
            "convention: here the *columns* are the points, and the classes are numbered from 1.",
            writes=(
                Function(
                    "within",
                    {
                        "points": Value("f", ("d", "n"), meaning="one column a point"),
                        "labels": Value("i", ("n",), minimum=1, meaning="classes 1..K, each occurs"),
                    },
                    Value("f", ("d", "d")),
                    "Return the pooled covariance, unbiased when the classes share one.",
                ),
            ),
            claims=(claims.lda_pooled_cov,),
            adapt=_pooled,
        ),
        Part(
            name="line",
            points=4,
            question="**Derive.** Two Gaussian classes share a covariance; class 1 has the prior $p$. Write "
            r"the log posterior odds $\log\frac{P(Y = 1 \mid x)}{P(Y = 0 \mid x)}$ as $\langle w, x\rangle "
            r"+ b$ (section 3). The rule is then $x \mapsto 1\{\langle w, x\rangle + b \ge 0\}$.",
            writes=(
                Function(
                    "line",
                    {"mean0": _MEAN, "mean1": _MEAN, "covariance": _COVARIANCE, "prior": _PRIOR},
                    (Value("f", ("d",), meaning="w"), Value("f", (), meaning="b")),
                    "Return the pair (w, b).",
                ),
            ),
            claims=(claims.lda_bayes_classifier, claims.lda_discriminant.at(by_hand=False)),
            adapt=_lines,
        ),
        Part(
            name="error",
            points=3,
            question="**Derive.** In the proof of Theorem 3.3 let the prior of class 1 be $p$, and let the "
            r"rule answer 1 iff $T \ge t$, with any $t$. How often does it err? (The notation table says "
            r"how to compute $\Phi$. Which $t$ is best, and which one if both classes are equally frequent?)",
            writes=(
                Function(
                    "error",
                    {
                        "distance": Value("f", (), minimum=0, meaning="D > 0, the Mahalanobis distance"),
                        "prior": _PRIOR,
                        "cut": Value("f", (), meaning="t"),
                    },
                    Value("f", (), meaning="probability"),
                    "Return the probability of an error.",
                ),
            ),
            claims=(error_is_the_integral,),
        ),
        Part(
            name="quadric",
            points=4,
            question="**Derive QDA.** Now each class has its own covariance. Write the log posterior odds as "
            r"$x^\top Ax + \langle b, x\rangle + c$ with a symmetric $A$ (section 6). When is $A = 0$?",
            writes=(
                Function(
                    "quadric",
                    {
                        "mean0": _MEAN,
                        "covariance0": _COVARIANCE,
                        "mean1": _MEAN,
                        "covariance1": _COVARIANCE,
                        "prior": _PRIOR,
                    },
                    (
                        Value("f", ("d", "d"), meaning="A"),
                        Value("f", ("d",), meaning="b"),
                        Value("f", (), meaning="c"),
                    ),
                    "Return the triple (A, b, c).",
                ),
            ),
            claims=(claims.qda_model, claims.qda_hw_bayes, form_is_symmetric),
            adapt=_quadrics,
        ),
        Part(
            name="switch",
            points=2,
            question="**Derive.** One feature, equal priors, $N(0, 1)$ against $N(0, s^2)$ with $s \\ne 1$. "
            r"QDA answers one class for $|x| < c$ and the other for $|x| > c$. What is $c$?",
            writes=(
                Function(
                    "switch",
                    {"scale": Value("f", (), minimum=0, meaning="s > 0, not 1")},
                    Value("f", (), meaning="c > 0"),
                    "Return c.",
                ),
            ),
            claims=(switch_is_where_densities_agree,),
        ),
        Part(
            name="Quadratic",
            points=4,
            question="**Write QDA.** Estimate priors, means and covariances (divisor $n_k - 1$) and apply "
            r"the rule of section 6. Far from the data every density underflows: work with logarithms, as "
            r"the remark after Corollary 3.2 says.",
            writes=(
                Class(
                    "Quadratic",
                    {},
                    (
                        Function(
                            "fit",
                            {"X": _POINTS, "y": Value("i", ("n",), minimum=0, meaning="classes 0..K-1")},
                            None,
                            "Estimate the parameters; every class has more than d rows.",
                        ),
                        Function(
                            "posterior",
                            {"X": _POINTS},
                            Value("f", ("n", "K"), meaning="estimated P(Y = k | x), rows sum to 1"),
                            "Return the estimated posterior of each row.",
                        ),
                        Function(
                            "decide",
                            {"X": _POINTS},
                            Value("i", ("n",), meaning="class 0..K-1"),
                            "Return the most probable class of each row.",
                        ),
                    ),
                    "Quadratic discriminant analysis.",
                ),
            ),
            claims=(claims.qda_hw_practical, bayes_claims.plugin_far_points),
            adapt=_classifier,
        ),
    ),
)
