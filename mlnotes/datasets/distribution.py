r"""What a distribution is, and the small pieces that distributions share.

A *distribution* is the joint distribution of a feature vector X and a class Y in {0, ..., K-1}. Real data
never come with their distribution, so how far a classifier is from the best one cannot be known; here it
can::

    distribution.n_classes         K
    distribution.prior             (K,): P(Y = k)
    distribution.sample(n, rng)    X (n, d) float64, y (n,) int64: independent draws
    distribution.posterior(X)      (n, K): P(Y = k | X = x), which the Bayes rule maximises
    distribution.bayes_risk()      the smallest P(g(X) != Y) over all classifiers g

A distribution with densities has ``log_density(X)`` (n, K) too: the logarithm of p(x | Y = k).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.checks import check_count, check_generator, check_matrix

__all__ = ["Distribution", "normal_cdf"]

Array = NDArray[np.float64]
Labels = NDArray[np.int64]


class Distribution(Protocol):
    """What every distribution offers."""

    @property
    def n_classes(self) -> int:
        """The number K of classes."""

    @property
    def prior(self) -> Array:
        """P(Y = k), shape (K,)."""

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Array, Labels]:
        """Draw X (n, d) and y (n,)."""

    def posterior(self, X: ArrayLike) -> Array:
        """Return P(Y = k | X = x), shape (n, K)."""

    def bayes_risk(self) -> float | Fraction:
        """Return the smallest probability of error."""


def normal_cdf(z: float) -> float:
    """Return Phi(z), with full relative precision in the left tail."""
    return math.erfc(-z / math.sqrt(2)) / 2


def draw_classes(prior: Array, n: int, rng: np.random.Generator) -> Labels:
    """Draw n classes from the prior, shape (n,)."""
    check_draws(n, rng)
    return np.searchsorted(np.cumsum(prior)[:-1], rng.random(n), side="right").astype(np.int64)


def read_only(array: ArrayLike) -> NDArray[Any]:
    """Return a copy that cannot be written to."""
    copy = np.array(array)
    copy.flags.writeable = False
    return copy


def check_points(X: ArrayLike, d: int) -> Array:
    """Return X (n, d) as a finite float64 array."""
    X = check_matrix(X)
    if X.shape[1] != d:
        raise ValueError(f"X has {X.shape[1]} columns, but the distribution has {d} features.")
    return X


def check_two_classes(K: int, what: str) -> None:
    """Refuse fewer than two classes."""
    if K < 2:
        raise ValueError(f"{what} and at least 2 classes, got {K}.")


def check_draws(n: int, rng: Any) -> None:
    """Check the arguments of ``sample``: a positive number of draws, a Generator."""
    check_count(n, name="n")
    check_generator(rng)
