"""Lecture 9: support vector machines."""

from __future__ import annotations

import math

import numpy as np

from mlnotes import svm
from mlnotes.exam.bank.draws import between, listed, vectors
from mlnotes.exam.questions import question


@question("svm", "2")
def two_examples(rng):
    r"""A hard-margin support vector machine is trained on two examples only, $«low»$ of class $-1$ and
    $«high»$ of class $+1$. Give its weights $w$.

    $w$ has the direction of $v = x_+ - x_- = «v»$ and both have the margin 1, thus $w = 2 v / \left| v
    \right|^2$.

    The unit vector $v / \left| v \right|$."""
    X, y = vectors(rng, 2, 2, 6), np.array([-1, 1])
    v = X[1] - X[0]
    if not v.any():
        return {"low": X[0], "high": X[1], "v": v, "answer": np.zeros(2), "slip": np.zeros(2)}
    *_, state = svm.smo(X @ X.T, y, math.inf)
    return {"low": X[0], "high": X[1], "v": v, "answer": (state.alpha * y) @ X, "slip": v / np.linalg.norm(v)}


@question("svm", "5")
def soft_margin(rng):
    r"""The training examples $«rows»$ have the labels $«y»$. What is the value of the soft-margin problem
    $\frac12 \left| w \right|^2 + C \sum_i \xi_i$ at $w = «w»$, $b = «b»$, $C = «C»$, with the smallest slacks
    that are allowed?

    The margins $y_i (\langle w, x_i \rangle + b)$ are $«margins»$, the slacks $\max(0, 1 - m_i)$.

    Counts slack at misclassified examples only, $\max(0, -m_i)$."""
    X, y, C = vectors(rng, 4, 2, 4), rng.permutation([-1, -1, 1, 1]), between(rng, 0.5, 5, 0.5)
    w, b = rng.choice([-1, -0.5, 0.5, 1], 2), between(rng, -1, 1, 0.5)
    m = svm.margins(X, y, w, b)
    slip = 0.5 * w @ w + C * np.maximum(0, -m).sum()
    values = {"rows": listed(X), "y": y, "w": w, "b": b, "C": C, "margins": m}
    return {**values, "answer": svm.primal_objective(w @ w, m, C), "slip": slip}


@question("svm", "8")
def feature_distance(rng):
    r"""The kernel $k(x, z) = (\langle x, z \rangle + 1)^2$ is the inner product of features $\phi$. What is
    $\left| \phi(x) - \phi(z) \right|^2$ for $x = «x»$ and $z = «z»$?

    $k(x, x) + k(z, z) - 2 k(x, z)$ with the values $«kernels»$.

    The squared distance of the points themselves."""
    X = vectors(rng, 2, 2, 3)
    K = svm.polynomial_kernel(X, X, degree=2, coef0=1).round().astype(int)
    slip = ((X[0] - X[1]) ** 2).sum()
    values = {"x": X[0], "z": X[1], "kernels": np.array([K[0, 0], K[1, 1], K[0, 1]])}
    return {**values, "answer": int(K[0, 0] + K[1, 1] - 2 * K[0, 1]), "slip": slip}
