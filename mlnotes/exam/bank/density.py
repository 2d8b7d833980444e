"""Lecture 10: density estimation."""

from __future__ import annotations

import numpy as np

from mlnotes import density, histogram
from mlnotes.exam.bank.draws import between, several
from mlnotes.exam.questions import question


@question("density", "4")
def histogram_score(rng):
    r"""A histogram on $[0, 1]$ with four bins has the counts $«counts»$. What is its cross-validation score
    $\hat J = \int \hat f^2 - \frac2n \sum_i \hat f_{(-i)}(x_i)$?

    $\frac{2m}{n - 1} - \frac{m (n + 1)}{n - 1} \sum_j \hat p_j^2$ with $m = 4$, $n = «n»$ and $\sum_j \hat
    p_j^2 = «squares»$.

    Does not leave the point out: $-\int \hat f^2$."""
    counts = rng.integers(1, 15, 4)
    n, squares = counts.sum(), (counts / counts.sum()) @ (counts / counts.sum())
    answer = histogram.histogram_cv_score(counts)
    return {"counts": counts, "n": n, "squares": squares, "answer": answer, "slip": -4 * squares}


@question("density", "5")
def kernel_height(rng):
    r"""The kernel estimate with $K(u) = \frac34 (1 - u^2)$ on $[-1, 1]$ and bandwidth $h = «h»$ stands on the
    points $«x»$. What is its height at $t = «t»$?

    $\frac1{nh} \sum_i K((t - x_i) / h)$; the values of $K$ are $«bumps»$.

    Forgets the factor $1/h$."""
    x, t, h = np.sort(several(rng, 5, 0, 6, 0.1)), between(rng, 1, 5, 0.1), between(rng, 1.2, 3, 0.1)
    u = (t - x) / h
    bumps = np.where(abs(u) < 1, 3 / 4 * (1 - u**2), 0)
    answer = density.kernel_density(x, [t], h / 5**0.5, density.EPANECHNIKOV)[0]  # on [-sqrt 5, sqrt 5]
    return {"x": x, "t": t, "h": h, "bumps": bumps, "answer": answer, "slip": bumps.mean()}


@question("density", "6")
def best_bandwidth(rng):
    r"""For the Gaussian kernel ($\mu_2(K) = 1$, $R(K) = 1 / (2 \sqrt\pi) = 0.2821$) and a density with $\int
    f''^2 = «curvature»$, which bandwidth is asymptotically the best for $n = «n»$ points?

    $\left( R(K) / (\mu_2^2 \, n \int f''^2) \right)^{1/5}$.

    Takes the cube root, as for histograms."""
    n, curvature = between(rng, 50, 990, 10), between(rng, 0.1, 5, 0.1)
    answer = density.best_bandwidth(n, curvature)
    return {"n": n, "curvature": curvature, "answer": answer, "slip": answer ** (5 / 3)}
