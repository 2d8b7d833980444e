r"""Laws of (X, Y) with a known Bayes risk: the populations that lectures, claims and tests draw from.

A *law* is the joint distribution of a feature vector X and a class Y in {0, ..., K-1}. Real data
never come with their law, so how far a classifier is from the best one cannot be known; here it can::

    law.n_classes         K
    law.prior             (K,): P(Y = k)
    law.sample(n, rng)    X (n, d) float64, y (n,) int64: independent draws
    law.posterior(X)      (n, K): P(Y = k | X = x), which the Bayes rule maximises
    law.bayes_risk()      the smallest P(g(X) != Y) over all rules g

`FiniteLaw` is exact, in `fractions.Fraction`. `GaussianClasses` and `BeersLaw` (Wainwright, Lecture
2, section 2.3.2) have densities, ``log_density(X)`` (n, K): the logarithm of p(x | Y = k). The shapes
that no line separates are in `mlnotes.laws.shapes`. `mlnotes.laws.datasets` offers all of them.

Notation: K classes, d features, m atoms, eta(x) = P(Y = 1 | X = x) for two classes, Phi and phi the
standard normal distribution function and density.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from numbers import Integral
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import bayes as board
from mlnotes.engines.linear_algebra import cholesky
from mlnotes.estimators.base import check_matrix, check_probabilities, check_scalar

__all__ = [
    "BeersLaw",
    "FiniteLaw",
    "GaussianClasses",
    "Law",
    "beers",
    "coins",
    "gaussian_pair",
    "normal_cdf",
    "random_finite_law",
    "recitation_example",
    "risk_on_grid",
]

Array = NDArray[np.float64]
Labels = NDArray[np.int64]

LIMIT_RULES = 2**20  # the most classifiers that `FiniteLaw.rules` enumerates


class Law(Protocol):
    """What every law offers."""

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


# ------------------------------------------------------------------- finite laws, exactly


@dataclass(frozen=True)
class FiniteLaw:
    """A law on m atoms and K classes, given by the exact table of P(X = x, Y = k).

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
    >>> law = FiniteLaw.from_weights([[3, 1], [2, 2], [0, 4]])
    >>> law.bayes_risk()
    Fraction(1, 4)
    >>> law.posterior([[0], [2]])
    array([[0.75, 0.25],
           [0.  , 1.  ]])
    """

    joint: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        masses = np.array(self.joint, dtype=object)
        table = check_probabilities(masses, name="joint", ndim=2, axis=None)
        if table.dtype != object:
            raise ValueError(
                "joint has float masses; a finite law is exact: use ints or fractions.Fraction, "
                "or FiniteLaw.from_weights for integer weights."
            )
        check_two_classes(table.shape[1], "joint must have a column per class")
        rows = tuple(tuple(Fraction(mass) for mass in row) for row in table)
        object.__setattr__(self, "joint", rows)

    @classmethod
    def from_weights(cls, weights: ArrayLike) -> FiniteLaw:
        """Return the law with masses proportional to a table (m, K) of integer weights >= 0."""
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


def random_finite_law(
    rng: np.random.Generator,
    n_atoms: int,
    n_classes: int,
    *,
    denominator: int = 2**16,
    n_null: int = 0,
    n_ties: int = 0,
) -> FiniteLaw:
    """Draw a finite law with dyadic masses and chosen numbers of null atoms and of ties.

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
    check_scalar(n_atoms, name="n_atoms", kind=int, minimum=1)
    check_scalar(n_classes, name="n_classes", kind=int, minimum=2)
    check_scalar(n_null, name="n_null", kind=int, minimum=0, maximum=n_atoms - 1)
    check_scalar(n_ties, name="n_ties", kind=int, minimum=0, maximum=n_atoms - n_null)
    n_live = n_atoms - n_null
    least = 2 * n_live * n_classes
    check_scalar(denominator, name="denominator", kind=int, minimum=least, maximum=2**53)
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
    return FiniteLaw.from_weights(table)


# ------------------------------------------------------------------- Gaussian classes


@dataclass(frozen=True, eq=False)
class GaussianClasses:
    """Y = k has probability ``prior[k]``; X given Y = k is N(``means[k]``, ``covariances[k]``).

    Parameters
    ----------
    prior : array-like of shape (K,)
        Positive, with sum 1.
    means : array-like of shape (K, d)
    covariances : array-like of shape (K, d, d), or (d, d) when all classes share it
        Symmetric positive definite.

    Examples
    --------
    >>> law = GaussianClasses([0.5, 0.5], [[0.0], [2.0]], [[1.0]])
    >>> round(law.bayes_risk(), 10)  # Phi(-1)
    0.1586552539
    """

    prior: Array
    means: Array
    covariances: Array

    def __post_init__(self) -> None:
        prior = check_probabilities(self.prior, name="prior", ndim=1).astype(np.float64)
        check_two_classes(len(prior), "prior must have an entry per class")
        if prior.min() <= 0:
            raise ValueError(f"prior has a class of probability {prior.min()}; each must be > 0.")
        means = check_matrix(self.means, name="means")
        K, d = len(prior), means.shape[1]
        if len(means) != K:
            raise ValueError(f"means has {len(means)} rows, but prior has {K} classes.")
        try:
            covariances = np.asarray(self.covariances, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"covariances must be a table of numbers, {error}.") from error
        if covariances.shape not in ((d, d), (K, d, d)):
            raise ValueError(
                f"covariances must have shape ({d}, {d}) or ({K}, {d}, {d}), got shape {covariances.shape}."
            )
        covariances = np.broadcast_to(covariances, (K, d, d))
        for k, covariance in enumerate(covariances):
            _check_covariance(covariance, k)
        for name, value in (("prior", prior), ("means", means), ("covariances", covariances)):
            object.__setattr__(self, name, read_only(value))

    @property
    def n_classes(self) -> int:
        """The number K of classes."""
        return len(self.prior)

    @cached_property
    def _factors(self) -> NDArray[Any]:
        return np.linalg.cholesky(self.covariances)  # L L' = covariance, L lower triangular

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Array, Labels]:
        """Draw y from the prior, then x = mean + L z with z ~ N(0, I) and L L' the covariance."""
        y = draw_classes(self.prior, n, rng)
        Z = rng.standard_normal((n, self.means.shape[1]))
        return self.means[y] + np.einsum("nij,nj->ni", self._factors[y], Z), y

    def log_density(self, X: ArrayLike) -> Array:
        """Return log p(x | Y = k), shape (n, K), through the Cholesky factors; O(n K d^2)."""
        X = check_points(X, self.means.shape[1])
        scores = np.empty((len(X), self.n_classes))
        for k, (mean, L) in enumerate(zip(self.means, self._factors, strict=True)):
            Z = (X - mean) @ np.linalg.inv(L).T  # (n, d), standard normal under class k
            log_det = np.log(np.diag(L)).sum() + len(L) * math.log(2 * math.pi) / 2
            scores[:, k] = -np.einsum("nd,nd->n", Z, Z) / 2 - log_det
        return scores

    def posterior(self, X: ArrayLike) -> Array:
        """Return P(Y = k | X = x), shape (n, K), by Bayes' formula in the log domain."""
        return board.posterior(self.prior, self.log_density(X))

    def bayes_risk(self) -> float:
        """Return the Bayes risk: in closed form, or by quadrature to 1e-9 (d = 1), 1e-7 (d = 2).

        Two classes that share a covariance have, with D their Mahalanobis distance and
        t = log(prior_0 / prior_1), the risk ::

            prior_0 Phi(-D/2 - t/D) + prior_1 Phi(-D/2 + t/D)

        because log p(x | 1) / p(x | 0) is N(-D^2/2, D^2) under class 0, N(D^2/2, D^2) under class 1,
        and the Bayes rule says 1 when it is at least t. Other laws are integrated on a grid, once
        per instance (`risk_on_grid`).

        Raises
        ------
        NotImplementedError
            For other laws in three or more dimensions.
        ArithmeticError
            When the finest grids disagree: scales that differ by orders of magnitude.
        """
        return self._bayes_risk

    @cached_property
    def _bayes_risk(self) -> float:
        d = self.means.shape[1]
        if self.n_classes == 2 and (self.covariances[0] == self.covariances[1]).all():
            z = np.linalg.solve(self._factors[0], self.means[1] - self.means[0])
            return _shared_covariance_risk(float(np.linalg.norm(z)), self.prior)
        if d > 2:
            raise NotImplementedError(
                "bayes_risk covers two classes with one covariance in any dimension, and other "
                f"Gaussian laws up to d = 2; this law has d = {d}."
            )
        if d == 1:
            return converged_risk(self._joint_on_grid, (2**12, 2**15, 2**18), goal=1e-9)
        return converged_risk(self._joint_on_grid, (400, 800, 1600), goal=1e-7)

    def _joint_on_grid(self, size: int) -> tuple[Array, float]:
        """Return prior times density on ``size`` points an axis, and the volume of a grid cell.

        The axes whiten the average covariance and reach out 8.5 standard deviations of each class.
        """
        d = self.means.shape[1]
        basis = np.linalg.cholesky(self.covariances.mean(axis=0))
        centres = np.linalg.solve(basis, self.means.T)  # (d, K)
        scales = np.linalg.norm(np.linalg.solve(basis, self._factors), axis=2).T  # (d, K)
        low, high = (centres - 8.5 * scales).min(axis=1), (centres + 8.5 * scales).max(axis=1)
        axes = [np.linspace(a, b, size) for a, b in zip(low, high, strict=True)]
        U = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, d)
        joint = self.prior * np.exp(self.log_density(U @ basis.T))
        cell = abs(np.linalg.det(basis)) * math.prod((high - low) / (size - 1))
        return joint.reshape(*[size] * d, -1), cell


def recitation_example() -> GaussianClasses:
    """Return Example 1.1 of Recitation 7: two Gaussian classes in the plane, P(Y = 1) = 0.4.

    Means (0, 5) and (5, 5), covariances [[1, 0.6], [0.6, 1]] and diag(3, 1). The Bayes risk is
    0.0225145165; the rule that ignores the prior (maximum likelihood) has risk 0.0229850105.
    """
    covariances = np.array([[[1.0, 0.6], [0.6, 1.0]], [[3.0, 0.0], [0.0, 1.0]]])
    return GaussianClasses(np.array([0.6, 0.4]), np.array([[0.0, 5.0], [5.0, 5.0]]), covariances)


def gaussian_pair(distance: float, d: int = 2, prior: float = 0.5) -> GaussianClasses:
    """Return N(0, I) against N(distance e_1, I) in R^d, with P(Y = 1) = prior.

    At prior = 1/2 the Bayes risk is Phi(-distance/2), in every dimension.
    """
    check_scalar(distance, name="distance", minimum=0)
    check_scalar(d, name="d", kind=int, minimum=1)
    check_scalar(prior, name="prior", above=0, below=1)
    means = np.zeros((2, d))
    means[1, 0] = distance
    return GaussianClasses(np.array([1 - prior, prior]), means, np.eye(d))


def coins() -> GaussianClasses:
    """Return a *synthetic* law of coins by mass (g) and diameter (mm): nobody weighed these.

    A stand-in for the figure of Shi's slides. Classes 0 to 3 are 10, 20 and 50 cents and 1 euro:
    centred at the nominal mass and diameter of these coins, with invented spreads (a kitchen scale,
    a ruler, wear) and invented frequencies 0.3, 0.3, 0.2, 0.2. 50 cents and 1 euro overlap, the
    others hardly: the Bayes risk is known, 0.0186.
    """
    prior = np.array([0.3, 0.3, 0.2, 0.2])
    means = np.array([[4.10, 19.75], [5.74, 22.25], [7.80, 24.25], [7.50, 23.25]])
    new = [[0.04, 0.02], [0.02, 0.09]]
    worn = [[0.06, 0.03], [0.03, 0.12]]
    return GaussianClasses(prior, means, np.array([new, worn, new, new]))


def _shared_covariance_risk(D: float, prior: Array) -> float:
    if D == 0:
        return float(prior.min())
    t = math.log(prior[0] / prior[1])
    return float(prior[0] * normal_cdf(-D / 2 - t / D) + prior[1] * normal_cdf(-D / 2 + t / D))


def _check_covariance(covariance: Array, k: int) -> None:
    scale = abs(covariance).max()
    if not np.isfinite(scale) or abs(covariance - covariance.T).max() > 1e-12 * scale:
        raise ValueError(f"covariances[{k}] must be finite and symmetric.")
    try:
        cholesky(covariance)
    except np.linalg.LinAlgError as error:
        raise ValueError(f"covariances[{k}] must be positive definite.") from error


# ------------------------------------------------------------------- beers and sleep


@dataclass(frozen=True)
class BeersLaw:
    r"""Who passes the class? Wainwright, Lecture 2, section 2.3.2, equations (2.10)-(2.17).

    X1 hours of sleep, X2 beers and X3 laziness are independent Exp(1). X3 is hidden; the student
    passes (Y = 1) iff X1 + X2 + X3 <= 7. Write s = x1 + x2.

    Notes
    -----
    *Posterior.* Given x, passing means X3 <= 7 - s, and X3 is independent of (X1, X2), so
    eta(x) = P(X3 <= 7 - s) = max(0, 1 - e^{-(7-s)}). It falls to 1/2 at s = a := 7 - log 2.

    *Bayes risk.* S = X1 + X2 has density s e^{-s}. The rule errs with probability
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
        """Return (1 - eta, eta) at each row, shape (n, 2); the formula also where some x_j < 0."""
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


def beers() -> BeersLaw:
    """Return Wainwright's law of sleep and beers: passes iff X1 + X2 + X3 <= 7, X3 hidden."""
    return BeersLaw()


# ------------------------------------------------------------------- the Bayes risk on a grid


def risk_on_grid(joint: ArrayLike, cell: float) -> tuple[float, float]:
    r"""Return the Bayes risk and the total mass of a law from its joint density on a grid.

    Parameters
    ----------
    joint : array-like of shape (N, K) or (M, N, K)
        P(Y = k) p(x | Y = k) on a regular grid that covers the law: next to nothing at its border.
    cell : float
        Volume of a cell of the grid.

    Returns
    -------
    risk, mass : float
        Integrals of sum_k p_k - max_k p_k and of sum_k p_k.

    Notes
    -----
    Where the integrand is smooth the trapezoid rule is exact to rounding (Euler-Maclaurin), but
    max_k p_k has a kink wherever the Bayes rule changes its mind. Let g be the lead of the old winner over
    the new one along a grid line of step 1, with its zero at the fraction theta of a step. Then the sum
    exceeds the integral by (Euler-Maclaurin again, with the Bernoulli polynomials)

    .. math:: \frac{B_2(\theta)}{2!} g' - \frac{B_3(\theta)}{3!} g'' + \frac{B_4(\theta)}{4!} g''' - \dots

    at the zero. Three terms are subtracted, g being the cubic through the two grid points on either side.

    In the plane each kink is corrected along both axes, with weights that sum to one and vanish
    smoothly where the boundary is parallel to the axis: the squared cosines of its normal.
    """
    joint = np.asarray(joint, dtype=np.float64)
    kinks = sum(_kinks(np.moveaxis(joint, axis, -2)) for axis in range(joint.ndim - 1))
    mass = joint.sum() * cell
    return float(mass - (joint.max(axis=-1).sum() - kinks) * cell), float(mass)


def _kinks(joint: Array) -> float:
    """Return what kinks along the last axis but one add to the sum of max_k, in units of a cell."""
    winner = joint.argmax(axis=-1)
    *row, left = np.nonzero(winner[..., 1:] != winner[..., :-1])
    old, new = winner[(*row, left)], winner[(*row, left + 1)]

    def lead(step: int, rows: list[Labels]) -> Array:
        at = (*rows, np.clip(left + step, 0, joint.shape[-2] - 1))
        return joint[(*at, old)] - joint[(*at, new)]

    excess = _excess(*(lead(step, row) for step in (-1, 0, 1, 2)))
    if joint.ndim == 2:
        return float(excess.sum())
    above, below = (np.clip(row[0] + step, 0, len(joint) - 1) for step in (1, -1))
    across = lead(0, [above]) - lead(0, [below])
    along = lead(1, row) - lead(-1, row)
    weight = along**2 / np.maximum(along**2 + across**2, np.finfo(float).tiny)
    return float((weight * excess).sum())


def _excess(before: Array, a: Array, b: Array, after: Array) -> Array:
    """Return the three terms for a lead that is >= 0 at a and <= 0 at b; values at -1, 0, 1 and 2."""
    c2 = (before + b) / 2 - a
    c3 = (after - 3 * b + 3 * a - before) / 6
    c1 = b - a - c2 - c3  # g(t) = a + c1 t + c2 t^2 + c3 t^3
    theta = a / np.maximum(a - b, np.finfo(float).tiny)  # the zero of the chord; then Newton
    for _ in range(4):
        value = a + theta * (c1 + theta * (c2 + theta * c3))
        slope = c1 + theta * (2 * c2 + theta * 3 * c3)
        theta = np.clip(theta - value / np.where(slope < 0, slope, -np.inf), 0, 1)
    slope, bend = c1 + theta * (2 * c2 + theta * 3 * c3), 2 * c2 + 6 * c3 * theta
    u = theta * (1 - theta)  # B_2 = 1/6 - u, B_3 = u (1/2 - theta), B_4 = u^2 - 1/30
    return (1 / 6 - u) / 2 * slope - u * (0.5 - theta) / 6 * bend + (u**2 - 1 / 30) / 4 * c3


def converged_risk(
    joint_on_grid: Callable[[int], tuple[Array, float]], sizes: Sequence[int], goal: float
) -> float:
    """Return `risk_on_grid` on the first grid that agrees with the one before to ``goal``.

    ``joint_on_grid(size)`` returns the joint density and the volume of a cell. The total mass must be 1 to
    ``goal`` as well, which tells when a grid is too coarse for some class.
    """
    before = math.inf
    for size in sizes:
        risk, mass = risk_on_grid(*joint_on_grid(size))
        error = max(abs(risk - before), abs(mass - 1))
        if error <= goal:
            return max(risk, 0.0)
        before = risk
    raise ArithmeticError(
        f"the Bayes risk by quadrature is off by up to {error:.1e}, more than {goal:.0e}: "
        "some class is too narrow for the grid that covers all classes."
    )


# ------------------------------------------------------------------- small pieces shared by the laws


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
        raise ValueError(f"X has {X.shape[1]} columns, but the law has {d} features.")
    return X


def check_two_classes(K: int, what: str) -> None:
    """Refuse fewer than two classes."""
    if K < 2:
        raise ValueError(f"{what} and at least 2 classes, got {K}.")


def check_generator(rng: Any) -> None:
    """Refuse anything but a NumPy Generator."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng must be a numpy.random.Generator, such as np.random.default_rng(0), got {rng!r}."
        )


def check_draws(n: int, rng: Any) -> None:
    """Check the arguments of ``sample``: a positive number of draws, a Generator."""
    check_scalar(n, name="n", kind=int, minimum=1)
    check_generator(rng)
