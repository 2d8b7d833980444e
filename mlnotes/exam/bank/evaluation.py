"""Lecture 2: evaluation."""

from __future__ import annotations

import numpy as np

from mlnotes import calibration, evaluation, roc
from mlnotes.exam.bank.draws import between, several
from mlnotes.exam.questions import question


@question("evaluation", "3")
def test_interval(rng):
    r"""A classifier makes $«k»$ errors on $«n»$ test examples. Give the upper end of Hoeffding's 95 %
    confidence interval for its risk.

    $k/n + \sqrt{\ln(2 / 0.05) / (2n)} = «rate» + «width»$.

    Forgets that the interval has two sides: $\ln(1 / 0.05)$."""
    k, n = between(rng, 5, 60), between(rng, 150, 900, 10)
    answer = evaluation.hoeffding_interval(k, n, 0.05).high
    slip = evaluation.hoeffding_interval(k, n, 0.1).high
    return {"k": k, "n": n, "rate": k / n, "width": answer - k / n, "answer": answer, "slip": slip}


@question("evaluation", "5")
def roc_area(rng):
    r"""Four positive test examples have the scores $«up»$, five negative ones $«down»$. What is the area
    under the ROC curve?

    Of the 20 pairs of a positive and a negative example, «wins» have the larger score at the positive one,
    and «ties» tie and count one half.

    Counts ties as nothing."""
    up, down = several(rng, 4, 0.2, 0.95, 0.05), several(rng, 5, 0.05, 0.8, 0.05)
    wins, ties = (up[:, None] > down).sum(), (up[:, None] == down).sum()
    answer = roc.roc_curve(np.repeat([1, 0], [4, 5]), np.append(up, down)).area
    return {"up": up, "down": down, "wins": wins, "ties": ties, "answer": answer, "slip": wins / 20}


@question("evaluation", "6")
def brier(rng):
    r"""The forecasts of the probability of rain on five days were $«p»$; $y = «y»$ shows on which it rained.
    What is the Brier score?

    The mean of $(p_i - y_i)^2$, that is, of $«squares»$.

    Takes the mean of $\left| p_i - y_i \right|$, without the squares."""
    p, y = several(rng, 5, 0.05, 0.95, 0.05), rng.permutation([0, 1, *rng.integers(0, 2, 3)])
    squares = (p - y) ** 2
    return {
        "p": p,
        "y": y,
        "squares": squares,
        "answer": calibration.brier_score(y, p),
        "slip": abs(p - y).mean(),
    }
