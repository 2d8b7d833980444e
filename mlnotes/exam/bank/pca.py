"""Lecture 14: principal components."""

from __future__ import annotations

import numpy as np

from mlnotes import pca
from mlnotes.exam.bank.draws import symmetric, vectors
from mlnotes.exam.questions import question


@question("pca", "1")
def first_fraction(rng):
    r"""The covariance of two features is $S = «S»$. Which fraction of the total variance does the first
    principal component have?

    The eigenvalues are $«values»$; their sum is the trace.

    The fraction of the larger entry of the diagonal."""
    S = symmetric(rng)
    values, _ = pca.eigenpairs(S)
    return {"S": S, "values": values, "answer": values[0] / values.sum(), "slip": S.max() / np.trace(S)}


@question("pca", "3")
def reconstructed(rng):
    r"""The data have the mean $«mean»$, and the first principal direction is $v = \frac{1}{«length»}
    «whole»$. To which point does the component alone reconstruct the observation $x = «x»$?

    The score is $z = \langle v, x - \mu \rangle = «z»$, the point $\mu + z v$.

    Does not add the mean."""
    length, legs = ((5, (3, 4)), (13, (5, 12)), (25, (7, 24)), (17, (8, 15)))[rng.integers(4)]
    whole = rng.permutation(legs) * rng.choice([-1, 1], 2)
    mean, x = vectors(rng, 2, 2, 9)
    V = (whole / length)[:, None]
    z = pca.scores(x, mean, V)
    values = {"mean": mean, "length": length, "whole": whole, "x": x, "z": z[0]}
    return {**values, "answer": pca.reconstruction(z, mean, V), "slip": V @ z}


@question("pca", "2")
def better_direction(rng):
    r"""The covariance of two features is $S = «S»$. Someone says that no direction has a variance above
    $«level»$. Show that this is false: give a vector $w$ (of any length) with $w^\top S w / \left| w
    \right|^2 > «level»$.

    The first eigenvector, $«vector»$, has the variance $«top»$.

    The feature with the larger variance."""
    S = symmetric(rng)
    values, V = pca.eigenpairs(S)
    level = round((S.max() + values[0]) / 2, 1)
    axis = np.eye(2)[S.diagonal().argmax()]

    def accepts(given: np.ndarray) -> float:
        w = given / max(abs(given).max(), 1e-300)  # of any length, whose square is a float
        return w @ S @ w / max(w @ w, 1e-300) - level - 1e-9

    values = {"S": S, "level": level, "vector": V[:, 0], "top": values[0]}
    return {**values, "answer": V[:, 0], "slip": axis, "accepts": accepts}
