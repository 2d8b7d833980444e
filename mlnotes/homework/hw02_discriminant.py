"""Homework 2: discriminant analysis. Six questions, 20 points; four derivations, two methods."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mlnotes.checking import at_least, equal, hard_cases, rounding, statement
from mlnotes.checking.regimes import (
    LEVELS,
    SCALES,
    feature_matrices,
    random_labels,
    repeatable,
    spectra,
    thirds,
)
from mlnotes.checking.regimes import symmetric as of_spectrum
from mlnotes.claims import discriminant as claims
from mlnotes.discriminant import linear_discriminants
from mlnotes.homework import Assignment, part, variant

# ------------------------------------------------------------------- claims of this homework alone


def _scatter(X, y):
    """Return the sum over the classes of (x - mean)(x - mean)', and a bound on its terms."""
    groups = [X[y == k] for k in np.unique(y)]
    return sum((g - g.mean(axis=0)).T @ (g - g.mean(axis=0)) for g in groups), float((X**2).sum())


@statement("homework", "lectures/04_discriminant.ipynb, section 4")
def within_(within, rng):
    r"""The pooled covariance is $\frac1{n - K}\sum_i(x_i - \bar x_{y_i})(x_i - \bar x_{y_i})^\top$, for any
    number of classes of any sizes, in any order."""
    cases = [(name, X, min(2, len(X) - 1)) for name, X in feature_matrices(rng, min_n=3, many=150)]
    cases += [("six classes", thirds(rng, (40, 2)), 6), ("three classes", thirds(rng, (9, 4)), 3)]
    for name, X, n_classes in cases:
        y = random_labels(rng, len(X), n_classes)
        y = rng.permutation(np.arange(len(X)) % 6) if n_classes == 6 else y
        scatter, size = _scatter(X, y)
        truth = scatter / (len(X) - n_classes)
        found = within(X.T.copy(), y + 1)
        yield equal(f"pooled covariance, {name}", found, truth, rounding(len(X), size), X=X, y=y)
    yield from repeatable("within", within, X.T.copy(), y + 1)


def _gaussian_cases(rng):
    """Yield the name of a spectrum, a covariance with it, and its condition number."""
    for d in (1, 2, 5):
        for name, values in spectra(d):
            if values.min() > 0:
                yield f"{name}, d = {d}", of_spectrum(rng, values / 7), values[0] / values[-1]
    yield "small unit", of_spectrum(rng, np.array([3e-8, 1e-8])), 3.0
    yield "large unit", of_spectrum(rng, np.array([3e10, 1e10])), 3.0


def _mahalanobis(X, mean, covariance):
    return ((X - mean) * np.linalg.solve(covariance, (X - mean).T).T).sum(axis=1)


@statement("homework", "lectures/04_discriminant.ipynb, section 3")
def line_(line, rng):
    r"""$\langle w, x\rangle + b$ is the difference of the log posteriors: half the difference of the squared
    Mahalanobis distances and $\log\frac p{1 - p}$, for any covariance, unit and prior."""
    levels = [*LEVELS, 0.0037, 0.123456]
    for i, (name, S, cond) in enumerate(_gaussian_cases(rng)):
        spread = math.sqrt(np.trace(S))
        m0, m1, X = (spread * thirds(rng, shape) / 10 for shape in (len(S), len(S), (6, len(S))))
        prior = levels[i % len(levels)]
        w, b = line(m0, m1, S, prior)
        odds = (_mahalanobis(X, m0, S) - _mahalanobis(X, m1, S)) / 2 + math.log(prior / (1 - prior))
        slack = rounding(60, 10 + cond * 100)
        yield equal(f"log odds, {name}, prior {prior:g}", X @ np.asarray(w) + float(b), odds, slack, S=S)
    yield from repeatable("line", line, m0, m1, S, prior)


def _distance_scores(centres, X, means, covariance, prior):
    """Return the scores of the nearest centre in the unit of the discriminants: the device only compares."""
    A, C = map(np.asarray, centres(means, covariance, prior))
    scores = X @ A.T @ C.T - (C**2).sum(axis=1) / 2  # -|Ax - c|^2 / 2, less |Ax|^2 / 2
    truth = linear_discriminants(X, means, covariance, prior)
    size, due = (float(np.linalg.norm(values - values[:, :1])) for values in (scores, truth))
    return scores * (due / size) if size else scores


@statement("homework", "lectures/04_discriminant.ipynb, section 3")
def centres_(centres, rng):
    """The class of the nearest centre is that of the largest discriminant: differences of the squared
    distances are those of the discriminants, in some unit, for up to six classes and five features, and any
    priors."""
    for i, (name, S, cond) in enumerate(_gaussian_cases(rng)):
        n_classes, spread = (2, 3, 6)[i % 3], math.sqrt(np.trace(S))
        means, X = (spread * thirds(rng, shape) / 10 for shape in ((n_classes, len(S)), (8, len(S))))
        priors = rng.permutation([*rng.dirichlet(np.full(n_classes - 1, 5.0)) * (1 - 3e-4), 3e-4])
        truth = linear_discriminants(X, means, S, priors)
        scores = _distance_scores(centres, X, means, S, priors)
        slack = rounding(60, 10 + abs(truth).max() * cond)
        yield equal(
            f"scores against the first class, {name}", scores - scores[:, :1], truth - truth[:, :1], slack
        )
    yield from repeatable("centres", centres, means, S, priors)


@statement("homework", "lectures/04_discriminant.ipynb, section 6")
def symmetric(quadric, rng, *, d=3):
    """The matrix $A$ of the quadratic form is symmetric: the values of the form do not tell."""
    # look at the matrix of two random classes: the lecture's claim takes any A with the same scores
    _, means, S, _ = claims._model(rng, K=2, d=d)
    A = np.asarray(quadric(means[0], S[0], means[1], 4 * S[1], 0.25)[0])
    yield equal("A - A'", A - A.T, np.zeros((d, d)), rounding(60, 14), means=means, S=S)


@hard_cases(symmetric)
def quadric_of_any_covariances(quadric, rng):
    r"""The form is the difference of the log posteriors, for any pair of covariances, also nearly equal ones,
    in any unit, for any prior; and $A$ is symmetric."""
    levels = [*LEVELS, 0.0037]
    for i, (name, S, cond) in enumerate(_gaussian_cases(rng)):
        prior, spread = levels[i % len(levels)], math.sqrt(np.trace(S))
        other = of_spectrum(rng, np.trace(S) * (1 + thirds(rng, len(S)) / 20)) if i % 2 else S * 1.01
        m0, m1, X = (spread * thirds(rng, shape) / 10 for shape in (len(S), len(S), (6, len(S))))
        A, b, c = quadric(m0, S, m1, other, prior)
        A, b = np.asarray(A), np.asarray(b)
        odds = (_mahalanobis(X, m0, S) - _mahalanobis(X, m1, other)) / 2 + math.log(prior / (1 - prior))
        odds = odds + (np.linalg.slogdet(S)[1] - np.linalg.slogdet(other)[1]) / 2
        slack = rounding(60, 10 + cond * 200)
        yield equal(
            f"log odds, {name}, prior {prior:g}", ((X @ A) * X).sum(axis=1) + X @ b + c, odds, slack, S=S
        )
        yield equal(f"A - A', {name}", A - A.T, 0 * A, rounding(60, cond / np.trace(S)))


def _agree_at_c(switch, rng, exponent):
    """Ask where log(f_0(x) / f_1(x)) = exponent(x, s) - log s is 0; at the last two scales no search between
    fixed ends finds where it is."""
    for s in (2.0, 0.5, *rng.uniform(1.2, 6.0, 4).tolist(), *SCALES, 1.001, 0.9987, 1.01, 1e30):
        c = float(switch(s))
        yield at_least("c", c, min(1.0, s), s=s)  # for log t >= 1 - 1/t
        slack = rounding(16, 20 + abs(math.log(s)))
        yield equal("log of the ratio of the densities at c", exponent(c, s) - math.log(s), 0.0, slack, s=s)


@statement("homework", "lectures/04_discriminant.ipynb, section 6")
def switch_(switch, rng):
    r"""Between $N(0, 1)$ and $N(0, s^2)$ with equal priors QDA changes its answer where the densities agree:
    $e^{-x^2/2} = \frac1se^{-x^2/(2s^2)}$ at $x = \pm c$."""
    # a question turned round, which no statement asks
    yield from _agree_at_c(switch, rng, lambda c, s: c**2 / 2 * (1 - 1 / s**2))
    yield from repeatable("switch", switch, 2.5)


@statement("homework", "lectures/04_discriminant.ipynb, section 6")
def switch_laplace(switch, rng):
    r"""Between the Laplace distributions $\frac12e^{-|x|}$ and $\frac1{2s}e^{-|x|/s}$ with equal priors the
    Bayes rule changes its answer where the densities agree, at $x = \pm c$."""
    # the lecture has no Laplace distributions
    yield from _agree_at_c(switch, rng, lambda c, s: c * (1 - 1 / s))


@statement("homework", "lectures/04_discriminant.ipynb, section 4")
def merge_(merge, rng):
    """The means and the unbiased covariance within the classes are those of all observations together, for
    any number of classes and features, sizes of the hospitals, and classes that one of them lacks."""
    for n, d, n_classes in ((12, 2, 2), (30, 5, 3), (60, 3, 6), (400, 1, 2), (9, 1, 3), (8, 5, 2)):
        X = thirds(rng, (n, d)) * np.array([1.0, 30.0, 0.1, 1.0, 1.0])[:d]
        y = random_labels(rng, n, n_classes)
        X = (X + 3.0 * y[:, None]) * (1e-5 if n == 12 else 1)
        first = rng.random(n) < (0.2, 0.5)[n_classes % 2]
        first[y == 1] = n_classes > 2  # one hospital has no observation of class 1
        first[np.flatnonzero(y == 0)[0]] = True
        first[np.flatnonzero(y == n_classes - 1)[-1]] = False
        arguments = (*_summary(X[first], y[first], n_classes), *_summary(X[~first], y[~first], n_classes))
        means, covariance = merge(*arguments)
        scatter, size = _scatter(X, y)
        truth = np.array([X[y == k].mean(axis=0) for k in range(n_classes)])
        words = f"n = {n}, d = {d}, K = {n_classes}"
        yield equal(f"means, {words}", means, truth, rounding(n, abs(X).max()), X=X, y=y)
        yield equal(
            f"covariance, {words}", covariance, scatter / (n - n_classes), rounding(n, size), X=X, y=y
        )
    yield from repeatable("merge", merge, *arguments)


# ------------------------------------------------------------------- how the claims of the lecture ask


def _against_the_first(prior, odds):
    """Return scores of K classes: 0 for the first, and for class k the log odds of the two alone, (n, K)."""
    columns = [odds(k, float(prior[k] / (prior[0] + prior[k]))) for k in range(1, len(prior))]
    return np.column_stack([np.zeros(len(columns[0])), *columns])


def _linear_discriminants(line, X, means, covariance, prior):
    def odds(k, share):
        given = (np.array(value, dtype=np.float64) for value in (means[0], means[k], covariance))
        w, b = line(*given, share)
        return np.asarray(X) @ np.asarray(w) + b

    return _against_the_first(prior, odds)


def _quadratic_discriminants(quadric, X, means, covariances, prior):
    def odds(k, share):
        A, b, c = quadric(means[0], covariances[0], means[k], covariances[k], share)
        return ((X @ np.asarray(A)) * X).sum(axis=1) + X @ np.asarray(b) + c

    return _against_the_first(prior, odds)


def _log_determinant(quadric, S):
    """Return what the offset counts it for: against a unit matrix, equal means, equal priors."""
    _, _, c = quadric(0 * S[0], S, 0 * S[0], np.eye(len(S)), 0.5)
    return 2 * float(c)


def _by_distance(centres, X, means, covariance, prior):
    given = (np.array(value, dtype=np.float64) for value in (means, covariance, prior))
    return _distance_scores(centres, np.asarray(X), *given)


def _seen_by_the_rule(answer, *_):
    """Return what the differences of squared distances depend on: centres may be moved, all have any unit."""
    A, C = answer
    seen = np.column_stack([C @ A, (C**2).sum(axis=1)]) - [*(C[0] @ A), C[0] @ C[0]]
    return seen / (np.linalg.norm(seen) or 1)


def _summary(X, y, K):
    """Return counts, means (0 where there are no rows) and the covariance with divisor n."""
    counts = np.bincount(y, minlength=K)
    means = np.array([X[y == k].sum(axis=0) for k in range(K)]) / np.maximum(counts, 1)[:, None]
    return counts, means, (X - means[y]).T @ (X - means[y]) / len(y)


def _joined(merge, X, y, lacking):
    """Let the student join rows: one hospital has a third of each class, and none of the last."""
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    K, first = int(y.max()) + 1, np.full(len(y), lacking == 1)
    for k in range(K - 1):
        rows = np.flatnonzero(y == k)
        first[rows[: max(1, len(rows) // 3)]] = lacking == 0
    return tuple(map(np.asarray, merge(*_summary(X[first], y[first], K), *_summary(X[~first], y[~first], K))))


class _Merged:
    """LDA by the means and the covariance that the student joined."""

    merge: Any

    def fit(self, X, y):
        self.prior = np.bincount(y) / len(y)
        self.means, self.covariance = _joined(self.merge, X, y, lacking=0)
        return self

    def predict_proba(self, X):
        W = np.linalg.pinv(self.covariance) @ self.means.T  # of a wrong one too, regular or not
        scores = X @ W - (self.means * W.T).sum(axis=1) / 2 + np.log(self.prior)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)


# ------------------------------------------------------------------- the questions


@part(
    3,
    within_,
    claims.lda_pooled_cov,
    adapt={
        # its classes are 1..K
        "pooled_covariance": lambda within, X, y: within(
            np.asarray(X, dtype=np.float64).T.copy(), np.asarray(y) + 1
        )
    },
)
def within(points, labels):
    """**Build.** The pooled covariance within the classes (section 4), without bias. Mind the convention:
    here the *columns* are the points, and the classes are numbered from 1.

    Return the pooled covariance; unbiased when the classes share one covariance.

    points (d, n): one column a point
    labels (n,) int >= 1: classes 1..K, each occurs
    returns (d, d)
    """


@part(
    4,
    line_,
    claims.lda_bayes_classifier,
    claims.lda_discriminant,
    adapt={"linear_discriminants": _linear_discriminants},
)
def line(mean0, mean1, covariance, prior):
    r"""**Derive.** Two Gaussian classes share a covariance; class 1 has the prior $p$. Write the log
    posterior odds $\log\frac{P(Y = 1 \mid x)}{P(Y = 0 \mid x)}$ as $\langle w, x\rangle + b$ (section 3). The
    rule is then $x \mapsto 1\{\langle w, x\rangle + b \ge 0\}$.

    Return the pair (w, b).

    mean0, mean1 (d,)
    covariance (d, d): symmetric, positive definite
    prior in [0, 1]: P(Y = 1), neither 0 nor 1
    returns (d,): w
    returns: b
    """


@part(
    3,
    centres_,
    claims.lda_bayes_classifier,
    claims.lda_discriminant,
    adapt={"linear_discriminants": _by_distance},
    canonical={"centres": _seen_by_the_rule},
)
def centres(means, covariance, prior):
    """**Derive.** A device can do one thing only: it answers the class whose centre is nearest to $Ax$, in as
    many coordinates as you like. Program it: which matrix $A$ and which centres make it the Bayes rule of
    LDA, for any priors? (It cannot add an offset to a distance. What can a coordinate do in which all $Ax$
    are 0?)

    Return A and the centres.

    means (K, d): one mean a row
    covariance (d, d): symmetric, positive definite
    prior (K,) in [0, 1]: positive, sum 1
    returns (r, d): A
    returns (K, r): one centre a row
    """


@part(
    4,
    claims.qda_hw_bayes,
    claims.qda_model,
    claims.qda_rule_logeig.at(d=40),
    symmetric,
    adapt={"quadratic_discriminants": _quadratic_discriminants, "log_determinant": _log_determinant},
)
def quadric(mean0, covariance0, mean1, covariance1, prior):
    r"""**Derive QDA.** Now each class has its own covariance. Write the log posterior odds as $x^\top Ax +
    \langle b, x\rangle + c$ with a symmetric $A$ (section 6). When is $A = 0$?

    Return the triple (A, b, c).

    mean0 (d,)
    covariance0 (d, d): symmetric, positive definite
    mean1 (d,)
    covariance1 (d, d): symmetric, positive definite
    prior in [0, 1]: P(Y = 1), neither 0 nor 1
    returns (d, d): A
    returns (d,): b
    returns: c
    """


@part(2, switch_)
def switch(scale):
    r"""**Derive.** One feature, equal priors, $N(0, 1)$ against $N(0, s^2)$ with $s \ne 1$. QDA answers one
    class for $|x| < c$ and the other for $|x| > c$. What is $c$?

    Return c.

    scale >= 0: s > 0, not 1
    returns: c > 0
    """


@part(
    4,
    merge_,
    claims.lda_pooled_cov,
    claims.lda_plugin,
    adapt={
        "pooled_covariance": lambda merge, X, y: _joined(merge, X, y, lacking=1)[1],
        "LinearDiscriminantAnalysis": _Merged,
    },
)
def merge(counts0, means0, covariance0, counts1, means1, covariance1):
    """**Build.** Two hospitals may not share their rows. Each sends three things: how many rows it has of
    each class, the means of the classes, and the covariance within the classes with divisor $n$, the number
    of *its* rows. Return the means and the unbiased covariance within the classes that section 4 would give
    for all rows together. (What is lost if both covariances are averaged?)

    Return the pair (means, covariance). Every class has a row in at least one hospital.

    counts0 (K,) int >= 0: rows of each class, at least one row in all
    means0 (K, d): one mean a row; 0 where a class has no rows
    covariance0 (d, d): divisor n; singular if there are few rows
    counts1 (K,) int >= 0: rows of each class, at least one row in all
    means1 (K, d): one mean a row; 0 where a class has no rows
    covariance1 (d, d): divisor n; singular if there are few rows
    returns (K, d): means, one a row
    returns (d, d): covariance
    """


# ------------------------------------------------------------------- the same questions in other conventions


def _negative(function, *given):
    return tuple(-np.asarray(value) for value in function(*given))


_ODDS = ("the log posterior odds", "the log posterior odds *of class 0*")
_of_class_zero = (
    variant("line", _ODDS, (r"+ b \ge 0", r"+ b \le 0"),
            (r"{P(Y = 1 \mid x)}{P(Y = 0 \mid x)}", r"{P(Y = 0 \mid x)}{P(Y = 1 \mid x)}"))(_negative),
    variant("quadric", _ODDS)(_negative),
)  # fmt: skip


@variant(
    "centres",
    (
        "whose centre is nearest to $Ax$, in as many coordinates as you like",
        r"whose circle has the least *power*, $\lVert Ax - c_k\rVert^2 - r_k^2$, with real radii $r_k$",
    ),
    ("which centres make it", "which circles make it"),
    (
        " (It cannot add an offset to a distance. What can a coordinate do in which all $Ax$ are 0?)",
        " $A$ is a square matrix.",
    ),
)
def _in_circles(centres, *given):
    """Return A, the centres and the squared radii.

    returns (d, d): A
    returns (K, d): one centre a row
    returns (K,) >= 0: squared radii
    """
    A, C, squares = map(np.asarray, centres(*given))
    least = squares - squares.max()  # one more coordinate, 0 in Ax, says the same by distances
    return np.vstack([A, 0 * A[:1]]), np.column_stack([C, np.sqrt(-least)])


@variant(
    "within",
    ("without bias", "*of largest likelihood* for Gaussian classes that share one"),
    stub="Return the covariance that the likelihood is largest for, all means being free.",
)
def _most_likely(within, points, labels):
    n, K = len(labels), int(np.max(labels))
    return np.asarray(within(points, labels)) * (n / (n - K))


@variant(
    "switch",
    (
        "$N(0, 1)$ against $N(0, s^2)$",
        r"the Laplace distributions $\frac12e^{-|x|}$ and $\frac1{2s}e^{-|x|/s}$",
    ),
    ("QDA answers", "The Bayes rule answers"),
    claims=(switch_laplace,),
)
def _of_laplace(switch, s):
    return switch(s)


assignment = Assignment(
    id="hw02",
    title="Discriminant analysis",
    lecture="lectures/04_discriminant.ipynb",
    variants=(_of_class_zero, _in_circles, _most_likely, _of_laplace),
    intro="You need NumPy and lecture 4, nothing else. Four questions ask for a formula, written as code; "
    r"two ask for a method.",
    parts=(within, line, centres, quadric, switch, merge),
)
