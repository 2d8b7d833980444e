"""Who passes the class? The distribution of Wainwright's lecture on sleep and beers, in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.datasets.distribution import Array, Labels, check_draws, check_points

__all__ = ["BeersDistribution", "beers"]


@dataclass(frozen=True)
class BeersDistribution:
    r"""Who passes the class? Wainwright, Lecture 2, section 2.3.2, equations (2.10)-(2.17).

    X1 hours of sleep, X2 beers and X3 laziness are independent Exp(1). X3 is hidden; the student
    passes (Y = 1) iff X1 + X2 + X3 <= 7. Write s = x1 + x2.

    Notes
    -----
    *Posterior.* Given x, passing means X3 <= 7 - s, and X3 is independent of (X1, X2), so
    eta(x) = P(X3 <= 7 - s) = max(0, 1 - e^{-(7-s)}). It falls to 1/2 at s = a := 7 - log 2.

    *Bayes risk.* S = X1 + X2 has density s e^{-s}. It errs with probability
    min(eta, 1 - eta), which is e^{s-7} up to a, then 1 - e^{s-7} up to 7, then 0:

    .. math::

        R^* = e^{-7} \int_0^a s\,ds + \int_a^7 s e^{-s}\,ds - e^{-7} \int_a^7 s\,ds
            = e^{-7} a^2 - \tfrac{49}{2} e^{-7} + (a + 1) e^{-a} - 8 e^{-7},

    and e^{-a} = 2 e^{-7} turns this into e^{-7} (a^2 + 2a - 61/2) = 0.0199611857.

    *Prior.* X1 + X2 + X3 is Gamma(3), so P(Y = 1) = 1 - e^{-7} (1 + 7 + 49/2) = 0.9703638361.
    """

    n_classes = 2

    @property
    def prior(self) -> Array:
        """P(fail) and P(pass)."""
        fail = 32.5 * math.exp(-7)
        return np.array([fail, 1 - fail])

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Array, Labels]:
        """Draw sleep and beers X (n, 2) and whether the student passes, y (n,)."""
        check_draws(n, rng)
        hours = rng.exponential(size=(n, 3))
        return hours[:, :2].copy(), (hours.sum(axis=1) <= 7).astype(np.int64)

    def posterior(self, X: ArrayLike) -> Array:
        """Return (1 - eta, eta) at each observation, shape (n, 2); the formula also where some x_j < 0."""
        excess = np.minimum(0, check_points(X, 2).sum(axis=1) - 7)
        return np.column_stack([np.exp(excess), -np.expm1(excess)])

    def log_density(self, X: ArrayLike) -> Array:
        """Return log p(x | Y = k), shape (n, 2); -inf where x has a negative entry or s >= 7, k = 1."""
        X = check_points(X, 2)
        with np.errstate(divide="ignore"):
            scores = np.log(self.posterior(X)) - np.log(self.prior) - X.sum(axis=1, keepdims=True)
        return np.where((X >= 0).all(axis=1, keepdims=True), scores, -np.inf)

    def bayes_risk(self) -> float:
        """Return e^{-7} (a^2 + 2a - 61/2) with a = 7 - log 2."""
        a = 7 - math.log(2)
        return math.exp(-7) * (a**2 + 2 * a - 30.5)


def beers() -> BeersDistribution:
    """Return Wainwright's distribution of sleep and beers: passes iff X1 + X2 + X3 <= 7, X3 hidden."""
    return BeersDistribution()
