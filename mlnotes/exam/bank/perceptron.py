"""Lecture 7: perceptron."""

from __future__ import annotations

import itertools
import math

import numpy as np

from mlnotes import perceptron
from mlnotes.exam.bank.draws import listed, several, vectors
from mlnotes.exam.questions import question


@question("perceptron", "2")
def first_pass(rng):
    r"""The perceptron without an intercept starts at $w = (0, 0)$ with $\eta = 1$ and visits the signed
    examples $z_i = y_i x_i$, which are $«rows»$, in this order. What is $w$ after the first pass? (A product
    of 0 is a mistake.)

    Add $z_i$ wherever $\langle w, z_i \rangle \le 0$. The weights after each visit are $«path»$.

    Adds every example, mistake or not."""
    Z = vectors(rng, 5, 2, 5)
    path = [w for w, _ in itertools.islice(perceptron.perceptron(Z.astype(float), np.zeros(2)), len(Z))]
    return {"rows": listed(Z), "path": listed(path), "answer": path[-1].astype(int), "slip": Z.sum(axis=0)}


@question("perceptron", "4")
def novikoff(rng):
    r"""The signed examples $z_i = y_i x_i$ are $«rows»$, and $w = «w»$ separates them. How many updates does
    the mistake bound allow at most, with the margin of this $w$? (Not rounded.)

    $R^2 / \delta^2$ with $R^2 = \max \left| z_i \right|^2 = «square»$ and $\delta = \min_i \langle w, z_i
    \rangle / \left| w \right| = «margin»$.

    Forgets to divide by $\left| w \right|$."""
    w, Z = several(rng, 2, -4, 4), vectors(rng, 60, 2, 6)
    Z = Z[Z @ w >= 3][:4]
    square, margin = (Z**2).sum(axis=1).max(), perceptron.margin(w, Z)
    answer = perceptron.mistake_bound(math.sqrt(square), margin)
    values = {"rows": listed(Z), "w": w, "square": square, "margin": margin, "answer": answer}
    return {**values, "slip": square / (Z @ w).min() ** 2}


@question("perceptron", "5")
def never_separated(rng):
    r"""No $w$ has $\langle w, z_i \rangle > 0$ for all three signed examples $«rows»$. Prove it: give three
    whole numbers $\alpha_i \ge 0$, not all 0, with $\sum_i \alpha_i z_i = 0$.

    If $w$ separated, $\sum_i \alpha_i \langle w, z_i \rangle$ would be positive; it is 0. Solve two equations
    for the ratios: $\alpha = «answer»$ or a multiple.

    Takes all three once."""
    a, (z1, z2) = rng.integers(1, 5, 2), vectors(rng, 2, 2, 4)
    order = rng.permutation(3)
    Z, alpha = np.array([z1, z2, -a[0] * z1 - a[1] * z2])[order], np.array([*a, 1])[order]
    if z1[0] * z2[1] == z1[1] * z2[0]:  # parallel: more is true than the solution says
        return {"rows": "", "answer": np.zeros(3, dtype=int), "slip": np.ones(3)}

    def accepts(given: np.ndarray) -> float:
        whole = (given >= 0).all() and given.any() and (given == given.round()).all()
        return 0.0 if whole and not (given @ Z).any() else -1.0

    return {"rows": listed(Z), "answer": alpha, "slip": np.ones(3), "accepts": accepts}
