"""Distributions on finitely many points, exact in `fractions.Fraction`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.checks import check_count, check_generator, check_probabilities, check_scalar
from mlnotes.datasets.distribution import Array, Labels, check_draws, check_points, check_two_classes

__all__ = ["FiniteDistribution", "random_finite_distribution"]

LIMIT_RULES = 2**20  # the largest number of classifiers that `FiniteDistribution.rules` enumerates


@dataclass(frozen=True)
class FiniteDistribution:
    """A distribution on m atoms and K classes, given by the exact table of P(X = x, Y = k).

    Parameters
    ----------
    joint : table of shape (m, K)
        Masses as ints or `fractions.Fraction`, >= 0, with sum exactly 1. Floats are refused: 0.1 is
        not a tenth. An atom may have mass zero.

    Attributes
    ----------
    joint : tuple of m tuples of K Fractions

    Examples
    --------
    >>> distribution = FiniteDistribution.from_weights([[3, 1], [2, 2], [0, 4]])
    >>> distribution.bayes_risk()
    Fraction(1, 4)
    >>> distribution.posterior([[0], [2]])
    array([[0.75, 0.25],
           [0.  , 1.  ]])
    """

    joint: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        masses = np.array(self.joint, dtype=object)
        table = check_probabilities(masses, name="joint", ndim=2, axis=None)
        if table.dtype != object:
            raise ValueError(
                "joint has float masses; a finite distribution is exact: use ints or fractions.Fraction, "
                "or FiniteDistribution.from_weights for integer weights."
            )
        check_two_classes(table.shape[1], "joint must have a column per class")
        rows = tuple(tuple(Fraction(mass) for mass in row) for row in table)
        object.__setattr__(self, "joint", rows)

    @classmethod
    def from_weights(cls, weights: ArrayLike) -> FiniteDistribution:
        """Return the distribution with masses proportional to a table (m, K) of integer weights >= 0."""
        table = np.array(weights, dtype=object)
        if not all(isinstance(w, Integral) for w in table.flat):
            raise ValueError(f"weights must be integers, got {weights!r}.")
        total = sum(int(w) for w in table.flat)
        if total <= 0:
            raise ValueError(f"weights sum to {total}; the sum must be positive.")
        rows = (tuple(Fraction(int(w), total) for w in row) for row in np.atleast_2d(table))
        return cls(tuple(rows))

    @property
    def n_atoms(self) -> int:
        """The number m of atoms, those of mass zero included."""
        return len(self.joint)

    @property
    def n_classes(self) -> int:
        """The number K of classes."""
        return len(self.joint[0])

    @property
    def prior(self) -> Array:
        """P(Y = k) as float64, shape (K,)."""
        return self.exact_table().sum(axis=0).astype(np.float64)

    def exact_table(self) -> NDArray[np.object_]:
        """Return the joint masses as an object array of Fractions, shape (m, K)."""
        return np.array(self.joint, dtype=object)

    def table(self) -> Array:
        """Return the joint masses rounded to float64, shape (m, K)."""
        return self.exact_table().astype(np.float64)

    def marginal(self) -> NDArray[np.object_]:
        """Return P(X = x) as Fractions, shape (m,)."""
        return self.exact_table().sum(axis=1)

    def conditional(self) -> NDArray[np.object_]:
        """Return P(Y = k | X = x) as Fractions, shape (m, K); 1/K each at atoms of mass zero."""
        joint, mass = self.exact_table(), self.marginal()
        joint[mass == 0] = Fraction(1, self.n_classes)
        return joint / np.where(mass == 0, 1, mass)[:, None]

    def posterior(self, X: ArrayLike) -> Array:
        """Return `conditional`, rounded to float64, at the atom numbers X of shape (n, 1)."""
        atoms = check_points(X, 1)[:, 0]
        if ((atoms % 1 != 0) | (atoms < 0) | (atoms >= self.n_atoms)).any():
            raise ValueError(f"X must hold atom numbers 0, ..., {self.n_atoms - 1}, got {X!r}.")
        return self.conditional().astype(np.float64)[atoms.astype(np.int64)]

    def bayes_risk(self) -> Fraction:
        """Return 1 - sum_x max_k P(X = x, Y = k), exactly."""
        return Fraction(1 - sum(max(row) for row in self.joint))

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Array, Labels]:
        """Draw atom numbers X (n, 1) and classes y (n,), without rounding any probability.

        With D the common denominator, a cell owns D times its mass of the integers 0, ..., D-1, and
        ``rng.integers`` is uniform on them. D must be at most 2^63.
        """
        check_draws(n, rng)
        masses = [mass for row in self.joint for mass in row]
        denominator = math.lcm(*(mass.denominator for mass in masses))
        if denominator > 2**63:
            raise ValueError(
                f"the common denominator of the masses is {denominator}; exact sampling needs at most 2**63."
            )
        counts = [int(mass * denominator) for mass in masses]
        ends = np.cumsum(np.array(counts, dtype=np.uint64))
        ticket = rng.integers(0, denominator, size=n, dtype=np.uint64)
        cell = np.searchsorted(ends, ticket, side="right").astype(np.int64)
        return (cell // self.n_classes).astype(np.float64)[:, None], cell % self.n_classes

    def rules(self) -> Iterator[Labels]:
        """Iterate over all K^m classifiers, each an int64 array (m,) of the class at every atom."""
        count = self.n_classes**self.n_atoms
        if count > LIMIT_RULES:
            raise ValueError(
                f"{self.n_atoms} atoms and {self.n_classes} classes have {count} classifiers; "
                f"at most {LIMIT_RULES} are enumerated."
            )
        choices = product(range(self.n_classes), repeat=self.n_atoms)
        return (np.array(choice, dtype=np.int64) for choice in choices)


def random_finite_distribution(
    rng: np.random.Generator,
    n_atoms: int,
    n_classes: int,
    *,
    denominator: int = 2**16,
    n_null: int = 0,
    n_ties: int = 0,
) -> FiniteDistribution:
    """Draw a finite distribution with dyadic masses and chosen numbers of null atoms and of ties.

    Every mass is a multiple of 1/denominator, a power of two, so masses and their sums are exact in
    float64 too. Exactly `n_null` atoms have mass zero and `n_ties` of the others have two classes
    that share the largest posterior, all in random places; at every other atom the largest
    posterior is unique. No cell of an atom of positive mass is zero.

    Parameters
    ----------
    rng : numpy.random.Generator
    n_atoms, n_classes : int
        m >= 1 and K >= 2.
    denominator : int
        A power of two, at least 2 K (m - n_null) and at most 2^53.
    n_null, n_ties : int
        With n_null < m and n_null + n_ties <= m.
    """
    check_generator(rng)
    check_count(n_atoms, name="n_atoms")
    check_scalar(n_classes, name="n_classes", kind=int, minimum=2)
    check_scalar(n_null, name="n_null", kind=int, minimum=0, maximum=n_atoms - 1)
    check_scalar(n_ties, name="n_ties", kind=int, minimum=0, maximum=n_atoms - n_null)
    n_live = n_atoms - n_null
    smallest = 2 * n_live * n_classes
    check_scalar(denominator, name="denominator", kind=int, minimum=smallest, maximum=2**53)
    if denominator & (denominator - 1):
        raise ValueError(f"denominator must be a power of two, got {denominator}.")
    # A random composition of denominator / 2 into positive parts, doubled: even parts leave room
    # to make two of them equal, or to part two equal ones, without changing the sum.
    half, cells = denominator // 2, n_live * n_classes
    cuts = np.sort(rng.choice(half - 1, cells - 1, replace=False)) + 1
    live = 2 * np.diff(cuts, prepend=0, append=half).reshape(n_live, n_classes)
    for atom, weights in enumerate(live):
        second, first = np.argsort(weights)[-2:]
        if atom < n_ties:
            weights[first] = weights[second] = (weights[first] + weights[second]) // 2
        elif weights[first] == weights[second]:
            weights[first] += 1
            weights[second] -= 1
    table = np.zeros((n_atoms, n_classes), dtype=np.int64)
    table[rng.permutation(n_atoms)[:n_live]] = live
    return FiniteDistribution.from_weights(table)
