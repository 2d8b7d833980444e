"""Lecture 4: discriminant analysis."""

from __future__ import annotations

import numpy as np

from mlnotes import discriminant
from mlnotes.exam.bank.draws import between, several, symmetric, vectors
from mlnotes.exam.questions import question


@question("discriminant", "4")
def pooled_variance(rng):
    r"""On the line, class 0 has the observations $«zero»$ and class 1 the observations $«one»$. What is the
    pooled estimate of the common variance, with divisor $n - K$?

    The sums of squared deviations from the class means, $«s0»$ and $«s1»$, divided by $7 - 2$.

    Divides by $n = 7$."""
    zero, one = several(rng, 4, 0, 12), several(rng, 3, 6, 20)
    X, y = np.append(zero, one)[:, None].astype(float), np.repeat([0, 1], [4, 3])
    answer = discriminant.pooled_covariance(X, y)[0, 0]
    s0, s1 = (discriminant.scatter(X[y == k])[0, 0] for k in (0, 1))
    return {"zero": zero, "one": one, "s0": s0, "s1": s1, "answer": answer, "slip": (s0 + s1) / 7}


@question("discriminant", "3")
def lda_threshold(rng):
    r"""On the line, class 0 is $N(«m0», «v»)$ and class 1 is $N(«m1», «v»)$ (mean, variance), and $P(Y = 1) =
    «prior»$. At which $x$ are both classes equally probable?

    $x = \frac{\mu_0 + \mu_1}{2} + \frac{\sigma^2}{\mu_1 - \mu_0} \ln \frac{\pi_0}{\pi_1}$.

    The middle between the means, as if the classes were equally frequent."""
    m0, gap, v = between(rng, -5, 5), between(rng, 1, 8), between(rng, 1, 9)
    prior = between(rng, 0.05, 0.95, 0.05)
    means = np.array([[m0], [m0 + gap]], dtype=float)
    d = discriminant.linear_discriminants(
        np.array([[0.0], [1]]), means, np.array([[v]]), np.array([1 - prior, prior])
    )
    start, end = d[:, 1] - d[:, 0]
    values = {"m0": m0, "m1": m0 + gap, "v": v, "prior": prior}
    return {**values, "answer": start / (start - end), "slip": m0 + gap / 2}


@question("discriminant", "3")
def lda_normal(rng):
    r"""Two Gaussian classes have the means $«m0»$ and $«m1»$ and the common covariance $«S»$. The Bayes rule
    compares $\langle w, x \rangle$ with a number. Give the vector $w = \Sigma^{-1} (\mu_1 - \mu_0)$.

    $\Sigma^{-1} = \frac{1}{«det»} «adjugate»$, times $\mu_1 - \mu_0 = «difference»$.

    $\mu_1 - \mu_0$ itself, as if the covariance were the identity."""
    S, (m0, m1) = symmetric(rng), vectors(rng, 2, 2, 6)
    places = np.vstack([np.eye(2), np.zeros(2)])
    scores = discriminant.linear_discriminants(places, np.array([m0, m1]), S, np.full(2, 0.5))
    gain = scores[:, 1] - scores[:, 0]
    det, adjugate = S[0, 0] * S[1, 1] - S[0, 1] ** 2, np.array([[S[1, 1], -S[0, 1]], [-S[0, 1], S[0, 0]]])
    values = {"m0": m0, "m1": m1, "S": S, "det": det, "adjugate": adjugate, "difference": m1 - m0}
    return {**values, "answer": gain[:2] - gain[2], "slip": m1 - m0}
