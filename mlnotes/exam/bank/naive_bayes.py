"""Lecture 11: naive Bayes."""

from __future__ import annotations

import math

import numpy as np

from mlnotes import naive_bayes
from mlnotes.exam.bank.draws import between, proportions, several
from mlnotes.exam.questions import question


@question("naive_bayes", "3")
def mail(rng):
    r"""Of «n0» letters without advertising «a0» hold the word *free* and «b0» the word *meeting*; of «n1»
    letters with advertising «a1» and «b1». A new letter holds *free*, not *meeting*. With which probability
    is it advertising, by naive Bayes with the proportions smoothed by $\alpha = 1$ and the priors $n_k / n$?

    The proportions $(c + 1) / (n_k + 2)$ are $«p0»$ in class 0 and $«p1»$ in class 1; class $k$ weighs
    $n_k \, p_{k1} (1 - p_{k2})$.

    Does not smooth: $c / n_k$."""
    (n0, n1), counts = several(rng, 2, 10, 40), []
    for n in (n0, n1):
        counts.append([between(rng, 1, n - 1), between(rng, 1, n - 1)])
    c, n = np.array(counts), np.array([n0, n1])
    p = naive_bayes.smoothed_proportions(np.stack([c, n[:, None] - c], axis=-1))[..., 0]

    def posterior(p: np.ndarray) -> float:
        factors = np.log(np.stack([p[:, 0], 1 - p[:, 1]]))
        return naive_bayes.naive_posterior(factors[None], n / n.sum())[0, 1]

    values = dict(zip(("a0", "b0", "a1", "b1"), c.ravel(), strict=True))
    values |= {"n0": n0, "n1": n1, "p0": p[0], "p1": p[1]}
    return {**values, "answer": posterior(p), "slip": posterior(c / n[:, None])}


@question("naive_bayes", "2")
def gaussian_odds(rng):
    r"""Two features are independent and normal in each class: in class 0 with the means $«m0»$, in class 1
    with $«m1»$, all of variance 1. $P(Y = 1) = «prior»$. Give the log odds $\ln \frac{P(Y = 1 \mid x)}{P(Y =
    0 \mid x)}$ at $x = «x»$.

    $\ln \frac{\pi_1}{\pi_0} + \frac12 \left| x - \mu_0 \right|^2 - \frac12 \left| x - \mu_1 \right|^2$.

    Forgets the priors."""
    m0, m1, x = several(rng, 6, -2, 3, 0.1).reshape(3, 2)
    prior = between(rng, 0.1, 0.9, 0.05)
    logs = naive_bayes.normal_log_density(x, np.array([m0, m1]), 1.0)  # (K, d)
    odds = naive_bayes.naive_posterior(logs.T[None], np.array([1 - prior, prior]))[0]
    values = {"m0": m0, "m1": m1, "x": x, "prior": prior}
    return {**values, "answer": math.log(odds[1] / odds[0]), "slip": logs[1].sum() - logs[0].sum()}


@question("naive_bayes", "3")
def words(rng):
    r"""In class 0 the words A, B, C have the probabilities $«t0»$, in class 1 $«t1»$; the classes are equally
    frequent. The words of a text are drawn independently; A, B, C stand in it $«counts»$ times. With which
    probability is it of class 1?

    Class $k$ weighs $\prod_j \theta_{kj}^{c_j}$: $«terms»$.

    Counts each word once."""
    thetas, counts = np.array([proportions(rng, 3), proportions(rng, 3)]), rng.integers(1, 5, 3)

    def posterior(c: np.ndarray) -> float:
        return naive_bayes.naive_posterior((c * np.log(thetas)).T[None], np.array([0.5, 0.5]))[0, 1]

    terms = (thetas**counts).prod(axis=1)
    values = {"t0": thetas[0], "t1": thetas[1], "counts": counts, "terms": terms}
    return {**values, "answer": posterior(counts), "slip": posterior(np.ones(3))}
