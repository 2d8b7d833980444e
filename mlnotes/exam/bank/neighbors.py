"""Lecture 3: nearest neighbours."""

from __future__ import annotations

import numpy as np

from mlnotes import neighbors
from mlnotes.exam.bank.draws import between, listed, several
from mlnotes.exam.questions import question


@question("neighbors", "3")
def vote_of_three(rng):
    r"""At $x$ the label is 1 with probability $\eta = «eta»$, and three independent labels of the same
    distribution vote. With which probability is the vote not the label of a new observation at $x$?

    The vote is 1 with probability $q = \eta^3 + 3 \eta^2 (1 - \eta) = «q»$; the error is $\eta (1 - q) + (1 -
    \eta) q$.

    The error of a single neighbour, $2 \eta (1 - \eta)$."""
    eta = between(rng, 0.05, 0.45, 0.001)
    answer, slip = neighbors.k_neighbors_risk(eta, 3), neighbors.k_neighbors_risk(eta, 1)
    return {"eta": eta, "q": eta**3 + 3 * eta**2 * (1 - eta), "answer": answer, "slip": slip}


@question("neighbors", "3")
def cover_hart(rng):
    r"""With «K» classes the Bayes risk is $«risk»$. What is the largest risk that the nearest-neighbour rule
    can have with infinitely many observations?

    $R^* (2 - K R^* / (K - 1))$, the bound of Cover and Hart, which is attained.

    Twice the Bayes risk."""
    K, risk = between(rng, 2, 6), between(rng, 0.05, 0.45, 0.005)
    return {"K": K, "risk": risk, "answer": neighbors.cover_hart_bound(risk, K), "slip": 2 * risk}


@question("neighbors", "5")
def closest_average(rng):
    r"""The observations of class 0 are $«zero»$, those of class 1 are $«one»$. A rule predicts the class of
    the nearest mean. Where on the axis $x_2 = 0$ does its prediction change? Give $x_1$.

    The means are $\mu_0 = «m0»$ and $\mu_1 = «m1»$; $2 \langle \mu_1 - \mu_0, x \rangle = \left| \mu_1
    \right|^2 - \left| \mu_0 \right|^2$ at $x = (x_1, 0)$.

    The first coordinate of the middle between the means."""
    zeros = np.column_stack([several(rng, 3, -6, 2), several(rng, 3, -6, 4)])
    X = np.vstack([zeros, np.column_stack([several(rng, 3, 0, 6), several(rng, 3, -4, 6)])])
    rule = neighbors.NearestCentroid().fit(X, [0, 0, 0, 1, 1, 1])
    start, end = rule.decision_function(np.array([[0.0, 0], [1, 0]]))
    m0, m1 = rule.centroids_
    answer = start / (start - end) if start != end else np.inf
    zero, one = listed(X[:3]), listed(X[3:])
    return {"zero": zero, "one": one, "m0": m0, "m1": m1, "answer": answer, "slip": (m0[0] + m1[0]) / 2}
