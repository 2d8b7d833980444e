"""Homework 2: discriminant analysis. Six questions, 20 points; four derivations, two methods."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mlnotes.claims import Evidence, at_least, claim, equal, rounding
from mlnotes.claims import discriminant as claims
from mlnotes.discriminant import linear_discriminants
from mlnotes.homework.core import Assignment, Function, Part, Value, changing, converted

# ------------------------------------------------------------------- claims of this homework alone


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


def _scales(rng):
    """Return standard deviations; at the last two no search between fixed ends finds where it is."""
    return 2.0, 0.5, *rng.uniform(1.2, 6.0, 4).tolist(), 1e-3, 1e30


@claim(
    "hw02.switch",
    kind="homework",
    section="lectures/04_discriminant.ipynb, section 6",
    statement=r"Between $N(0, 1)$ and $N(0, s^2)$ with equal priors QDA changes its answer where the "
    r"densities agree: $e^{-x^2/2} = \frac1se^{-x^2/(2s^2)}$ at $x = \pm c$.",
)
def switch_is_where_densities_agree(switch, rng) -> Iterator[Evidence]:
    """Check that both densities agree there: a question turned round, which no statement asks."""
    for s in _scales(rng):
        c = float(switch(s))
        yield at_least("c", c, min(1.0, s), s=s)  # for log t >= 1 - 1/t
        gap = c**2 / 2 * (1 - 1 / s**2) - math.log(s)
        slack = rounding(16, 20 + abs(math.log(s)))
        yield equal("log of the ratio of the densities at c", gap, 0.0, slack, s=s)


@claim(
    "hw02.switch-laplace",
    kind="homework",
    section="lectures/04_discriminant.ipynb, section 6",
    statement=r"Between the Laplace laws $\frac12e^{-|x|}$ and $\frac1{2s}e^{-|x|/s}$ with equal priors the "
    r"Bayes rule changes its answer where the densities agree, at $x = \pm c$.",
)
def switch_of_laplace_laws(switch, rng) -> Iterator[Evidence]:
    """Check that both densities agree there: the lecture has no Laplace laws."""
    for s in _scales(rng):
        c = float(switch(s))
        yield at_least("c", c, min(1.0, s), s=s)
        gap = c * (1 - 1 / s) - math.log(s)
        slack = rounding(16, 20 + abs(math.log(s)))
        yield equal("log of the ratio of the densities at c", gap, 0.0, slack, s=s)


# ------------------------------------------------------------------- from the student's names to the claims'


def _against_the_first(prior: Any, scores: Any) -> Any:
    """Return scores of K classes: 0 for the first, and for class k the log odds of the two alone, (n, K)."""
    odds = [scores(k, float(prior[k] / (prior[0] + prior[k]))) for k in range(1, len(prior))]
    return np.column_stack([np.zeros(len(odds[0])), *odds])


def _lines(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def of_odds(X: Any, means: Any, covariance: Any, prior: Any) -> Any:
        def odds(k: int, share: float) -> Any:
            first, other, S = (
                np.array(value, dtype=np.float64) for value in (means[0], means[k], covariance)
            )
            w, b = student["line"](first, other, S, share)
            return np.asarray(X) @ np.asarray(w) + b

        return _against_the_first(prior, odds)

    return {"linear_discriminants": of_odds}


def _quadrics(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def quadratic_discriminants(X: Any, means: Any, covariances: Any, prior: Any) -> Any:
        def odds(k: int, share: float) -> Any:
            A, b, c = student["quadric"](means[0], covariances[0], means[k], covariances[k], share)
            return ((X @ np.asarray(A)) * X).sum(axis=1) + X @ np.asarray(b) + c

        return _against_the_first(prior, odds)

    def log_determinant(S: Any) -> Any:
        """Return what the offset counts it for: against a unit matrix, equal means, equal priors."""
        _, _, c = student["quadric"](0 * S[0], S, 0 * S[0], np.eye(len(S)), 0.5)
        return 2 * float(c)

    return {
        "quadric": student["quadric"],
        "quadratic_discriminants": quadratic_discriminants,
        "log_determinant": log_determinant,
    }


def _pooled(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def pooled_covariance(X: Any, y: Any) -> Any:
        return student["within"](np.asarray(X, dtype=np.float64).T.copy(), np.asarray(y) + 1)  # classes 1..K

    return {"pooled_covariance": pooled_covariance}


def _nearest(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def by_distance(X: Any, means: Any, covariance: Any, prior: Any) -> Any:
        given = (np.array(value, dtype=np.float64) for value in (means, covariance, prior))
        A, C = map(np.asarray, student["centres"](*given))
        scores = np.asarray(X) @ A.T @ C.T - (C**2).sum(axis=1) / 2  # -|Ax - c|^2 / 2, less |Ax|^2 / 2
        # the device compares only: A and the centres may be in any unit, which is fitted
        truth = linear_discriminants(X, means, covariance, prior)
        size, due = (float(np.linalg.norm(values - values[:, :1])) for values in (scores, truth))
        return scores * (due / size) if size else scores

    return {"linear_discriminants": by_distance}


def _seen_by_the_rule(answer: Any, *_: Any) -> Any:
    """Return what the differences of squared distances depend on: centres may be moved, all have any unit."""
    A, C = answer
    seen = np.column_stack([C @ A, (C**2).sum(axis=1)]) - [*(C[0] @ A), C[0] @ C[0]]
    return seen / (np.linalg.norm(seen) or 1)


def _summary(X: Any, y: Any, K: int) -> tuple[Any, Any, Any]:
    """Return counts, means (0 where there are no rows) and the covariance with divisor n."""
    counts = np.bincount(y, minlength=K)
    means = np.array([X[y == k].sum(axis=0) for k in range(K)]) / np.maximum(counts, 1)[:, None]
    return counts, means, (X - means[y]).T @ (X - means[y]) / len(y)


def _merged(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def merge(X: Any, y: Any, lacking: int) -> Any:
        """Let the student join rows: one hospital has a third of each class, and none of the last."""
        X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
        K, first = int(y.max()) + 1, np.full(len(y), lacking == 1)
        for k in range(K - 1):
            rows = np.flatnonzero(y == k)
            first[rows[: max(1, len(rows) // 3)]] = lacking == 0
        answer = student["merge"](*_summary(X[first], y[first], K), *_summary(X[~first], y[~first], K))
        return tuple(map(np.asarray, answer))

    class Adapted:
        """LDA by the means and the covariance that the student joined."""

        def fit(self, X: Any, y: Any) -> Adapted:
            self.prior = np.bincount(y) / len(y)
            self.means, self.covariance = merge(X, y, lacking=0)
            return self

        def predict_proba(self, X: Any) -> Any:
            W = np.linalg.pinv(self.covariance) @ self.means.T  # of a wrong one too, regular or not
            scores = X @ W - (self.means * W.T).sum(axis=1) / 2 + np.log(self.prior)
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            return shares / shares.sum(axis=1, keepdims=True)

    return {
        "pooled_covariance": lambda X, y: merge(X, y, lacking=1)[1],
        "LinearDiscriminantAnalysis": Adapted,
    }


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


def _in_circles(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def centres(*arguments: Any) -> Any:
            A, C, squares = map(np.asarray, student["centres"](*arguments))
            least = squares - squares.max()  # one more coordinate, 0 in Ax, says the same by distances
            return np.vstack([A, 0 * A[:1]]), np.column_stack([C, np.sqrt(-least)])

        return {"centres": centres}

    (written,) = part.writes
    assert isinstance(written, Function)
    returns = (
        Value("f", ("d", "d"), meaning="A"),
        Value("f", ("K", "d"), meaning="one centre a row"),
        Value("f", ("K",), minimum=0, meaning="squared radii"),
    )
    written = replace(written, returns=returns, doc="Return A, the centres and the squared radii.")
    old = "whose centre is nearest to $Ax$, in as many coordinates as you like"
    power = r"whose circle has the least *power*, $\lVert Ax - c_k\rVert^2 - r_k^2$, with real radii $r_k$"
    asked = "which centres make it", "which circles make it"
    hint = " (It cannot add an offset to a distance. What can a coordinate do in which all $Ax$ are 0?)"
    texts = ((old, power), asked, (hint, " $A$ is a square matrix."))
    return converted(part, convert, *texts, writes=(written,))


# ------------------------------------------------------------------- the assignment

_MEAN = Value("f", ("d",))
_COVARIANCE = Value("f", ("d", "d"), meaning="symmetric, positive definite")
_COUNTS = Value("i", ("K",), minimum=0, meaning="rows of each class, at least one row in all")
_MEANS = Value("f", ("K", "d"), meaning="one mean a row; 0 where a class has no rows")
_WITHIN = Value("f", ("d", "d"), meaning="divisor n; singular if there are few rows")
_PRIOR = Value("f", (), minimum=0, maximum=1, meaning="P(Y = 1), neither 0 nor 1")

assignment = Assignment(
    id="hw02",
    title="Discriminant analysis",
    lecture="lectures/04_discriminant.ipynb",
    variants=(
        changing(line=_of_class_zero, quadric=_of_class_zero),
        changing(centres=_in_circles),
        changing(within=_most_likely),
        changing(switch=_of_laplace),
    ),
    intro="You need NumPy and lecture 4, nothing else. Four questions ask for a formula, written as code; "
    r"two ask for a method.",
    parts=(
        Part(
            name="within",
            points=3,
            question="**Build.** The pooled covariance within the classes (section 4), without bias. Mind "
            "the convention: here the *columns* are the points, and the classes are numbered from 1.",
            writes=(
                Function(
                    "within",
                    {
                        "points": Value("f", ("d", "n"), meaning="one column a point"),
                        "labels": Value("i", ("n",), minimum=1, meaning="classes 1..K, each occurs"),
                    },
                    Value("f", ("d", "d")),
                    "Return the pooled covariance; unbiased when the classes share one covariance.",
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
            name="centres",
            points=3,
            question="**Derive.** A device can do one thing only: it answers the class whose centre is "
            "nearest to $Ax$, in as many coordinates as you like. Program it: which matrix $A$ and which "
            "centres make it the Bayes rule of LDA, for any priors? (It cannot add an offset to a distance. "
            "What can a coordinate do in which all $Ax$ are 0?)",
            writes=(
                Function(
                    "centres",
                    {
                        "means": Value("f", ("K", "d"), meaning="one mean a row"),
                        "covariance": _COVARIANCE,
                        "prior": Value("f", ("K",), minimum=0, maximum=1, meaning="positive, sum 1"),
                    },
                    (Value("f", ("r", "d"), meaning="A"), Value("f", ("K", "r"), meaning="one centre a row")),
                    "Return A and the centres.",
                    _seen_by_the_rule,
                ),
            ),
            claims=(claims.lda_bayes_classifier, claims.lda_discriminant.at(by_hand=False)),
            adapt=_nearest,
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
            claims=(
                claims.qda_hw_bayes,
                claims.qda_model,
                claims.qda_rule_logeig.at(d=40),
                form_is_symmetric,
            ),
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
            name="merge",
            points=4,
            question="**Build.** Two hospitals may not share their rows. Each sends three things: how many "
            "rows it has of each class, the means of the classes, and the covariance within the classes "
            "with divisor $n$, the number of *its* rows. Return the means and the unbiased covariance "
            "within the classes that section 4 would give for all rows together. (What is lost if both "
            "covariances are averaged?)",
            writes=(
                Function(
                    "merge",
                    {
                        "counts0": _COUNTS,
                        "means0": _MEANS,
                        "covariance0": _WITHIN,
                        "counts1": _COUNTS,
                        "means1": _MEANS,
                        "covariance1": _WITHIN,
                    },
                    (
                        Value("f", ("K", "d"), meaning="means, one a row"),
                        Value("f", ("d", "d"), meaning="covariance"),
                    ),
                    "Return the pair (means, covariance). Every class has a row in at least one hospital.",
                ),
            ),
            claims=(claims.lda_pooled_cov, claims.lda_plugin),
            adapt=_merged,
        ),
    ),
)
