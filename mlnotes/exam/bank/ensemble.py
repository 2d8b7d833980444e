"""Lecture 13: ensembles."""

from __future__ import annotations

import math

import numpy as np

from mlnotes import ensemble
from mlnotes.exam.bank.draws import between, proportions
from mlnotes.exam.questions import question


@question("ensemble", "2")
def forest_variance(rng):
    r"""The outputs of «B» trees of a forest have the variance $«variance»$ each, and every two the
    correlation $«rho»$. What is the variance of their mean?

    $\rho \sigma^2 + \frac{1 - \rho}{B} \sigma^2$.

    $\sigma^2 / B$, as if the trees were uncorrelated."""
    B, variance, rho = between(rng, 5, 100, 5), between(rng, 1, 20), between(rng, 0.05, 0.9, 0.05)
    answer = ensemble.variance_of_average(variance, rho, B)
    return {"B": B, "variance": variance, "rho": rho, "answer": answer, "slip": variance / B}


@question("ensemble", "4")
def vote_weight(rng):
    r"""AdaBoost starts on «n» examples with equal weights. The first weak classifier misclassifies «k» of
    them. Which weight $\alpha$ does it get, with two classes, in the convention of the lecture?

    $\ln \frac{1 - \mathrm{err}}{\mathrm{err}}$ with $\mathrm{err} = «k» / «n»$.

    Half of it, the convention of other books."""
    n = between(rng, 10, 60)
    k = between(rng, 1, (n - 1) // 2)
    answer = ensemble.adaboost_weight(k / n)
    return {"n": n, "k": k, "answer": answer, "slip": answer / 2}


@question("ensemble", "4")
def new_weight(rng):
    r"""In a round of AdaBoost five examples have the weights $«w»$, and the weak classifier misclassifies
    examples «first» and «second». What is the weight of example «first» after the round, when the sum of all
    weights is 1 again?

    The misclassified weights add up to one half: $w / (2\, \mathrm{err})$ with $\mathrm{err} = «err»$.

    Multiplies by $e^\alpha$ and does not divide by the sum."""
    w, rows = proportions(rng, 5), np.sort(rng.choice(5, 2, replace=False))
    wrong = np.isin(np.arange(5), rows)
    err = w[wrong].sum()
    alpha = ensemble.adaboost_weight(err)
    answer, slip = ensemble.adaboost_update(w, wrong, alpha)[rows[0]], w[rows[0]] * math.exp(alpha)
    return {"w": w, "first": rows[0] + 1, "second": rows[1] + 1, "err": err, "answer": answer, "slip": slip}
