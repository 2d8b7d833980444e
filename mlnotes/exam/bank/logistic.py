"""Lecture 5: logistic regression."""

from __future__ import annotations

import numpy as np

from mlnotes import logistic
from mlnotes.exam.bank.draws import listed, several, vectors
from mlnotes.exam.questions import question


@question("logistic", "4")
def first_gradient(rng):
    r"""Logistic regression without an intercept has the observations $«rows»$ with the labels $y = «y»$ (0 or
    1). Give the gradient of the mean negative log-likelihood at $w = (0, 0)$.

    $\frac1n \sum_i (p_i - y_i) x_i$ with $p_i = 1/2$.

    The opposite sign, $y_i - p_i$: the direction in which one goes."""
    X, y = vectors(rng, 4, 2, 6), rng.permutation([0, 0, 1, 1])
    answer = logistic.binary_gradient(np.zeros(2), X, y)
    return {"rows": listed(X), "y": y, "answer": answer, "slip": -answer}


@question("logistic", "2")
def softmax_share(rng):
    r"""Three classes have the scores $\langle w_k, x \rangle = «scores»$ at $x$. Which probability does the
    softmax give the second class?

    $e^{s_2} / \sum_k e^{s_k}$; the exponentials are $«terms»$.

    The fraction $s_2 / \sum_k s_k$, without exponentials."""
    scores = several(rng, 3, 0.2, 3, 0.1)
    values = {"scores": scores, "terms": np.exp(scores), "answer": logistic.softmax(scores)[1]}
    return {**values, "slip": scores[1] / scores.sum()}


@question("logistic", "5")
def no_maximum(rng):
    r"""A friend says that the likelihood of logistic regression without an intercept has a maximum on the
    data $«rows»$ with the labels $y = «y»$ (0 or 1). Show that this is false: give a $w$ along which the
    likelihood rises for ever, with every observation strictly on its side.

    Every observation of label 1 must have $\langle w, x \rangle > 0$ and every one of label 0 $\langle w, x
    \rangle < 0$; then $t w$ is better the larger $t$ is. One such $w$ is $«answer»$.

    Takes the first coordinate for the score: $w = (1, 0)$."""
    w, y = vectors(rng, 1, 2, 3)[0], rng.permutation([0, 0, 1, 1])
    X = vectors(rng, 40, 2, 6)
    X = X[abs(X @ w) >= 2][:4]
    signs = 2 * y - 1
    X = X * (signs * np.sign(X @ w))[:, None]

    def accepts(given: np.ndarray) -> float:
        return (signs * (X @ given)).min() - 1e-9

    values = {"rows": listed(X), "y": y, "answer": w.astype(float)}
    return {**values, "slip": np.array([1, 0]), "accepts": accepts}
