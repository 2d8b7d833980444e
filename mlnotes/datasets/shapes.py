"""Distributions in the plane that no line separates: rings, XOR, moons, spirals.

They stand for the last panel of Shi's separability figure. Each is a
`mlnotes.datasets.distribution.Distribution` with a computable posterior and a known Bayes risk; ``noise``
controls how much the classes overlap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from mlnotes import bayes
from mlnotes.checks import check_matrix, check_scalar
from mlnotes.datasets.bayes_risk import converged_risk
from mlnotes.datasets.distribution import (
    Array,
    Labels,
    check_draws,
    check_points,
    check_two_classes,
    draw_classes,
    normal_cdf,
    read_only,
)

__all__ = ["NoisyCurves", "Rings", "Xor", "moons", "rings", "spirals", "xor"]

HALVES = read_only([0.5, 0.5])
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)


@dataclass(frozen=True)
class Rings:
    """Two rings about the origin: class k has radius ``radii[k]``, blurred along the radius.

    X = (r_k + noise Z) (cos A, sin A) with Z ~ N(0, 1) and A uniform, so under class k the norm of X has
    the density g_k(r) = [phi((r - r_k)/noise) + phi((r + r_k)/noise)] / noise on r > 0. The ratio g_1 / g_0
    is a constant times cosh(r r_1 / noise^2) / cosh(r r_0 / noise^2), increasing in r, so the Bayes rule is
    one threshold on the radius. Both classes have probability 1/2.

    Parameters
    ----------
    noise : float
        Standard deviation along the radius, > 0.
    radii : (float, float)
        0 <= radii[0] < radii[1].
    """

    noise: float = 0.3
    radii: tuple[float, float] = (1.0, 2.0)

    n_classes = 2
    prior = HALVES

    def __post_init__(self) -> None:
        check_scalar(self.noise, name="noise", above=0)
        if len(self.radii) != 2:
            raise ValueError(f"radii must be a pair, got {len(self.radii)} numbers.")
        check_scalar(self.radii[0], name="radii[0]", minimum=0)
        check_scalar(self.radii[1], name="radii[1]", above=self.radii[0])

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Array, Labels]:
        """Draw points X (n, 2) and their rings y (n,)."""
        y = draw_classes(self.prior, n, rng)
        r = np.asarray(self.radii)[y] + self.noise * rng.standard_normal(n)
        angle = rng.uniform(0, 2 * np.pi, n)
        return np.column_stack([r * np.cos(angle), r * np.sin(angle)]), y

    def _log_radial(self, r: Array) -> Array:
        """Return log g_k(r) up to a constant, shape (n, 2)."""
        toward, away = ((r[:, None] + sign * np.array(self.radii)) / self.noise for sign in (-1, 1))
        return np.logaddexp(-(toward**2) / 2, -(away**2) / 2)

    def posterior(self, X: ArrayLike) -> Array:
        """Return P(Y = k | X = x), shape (n, 2): a function of the radius alone."""
        X = check_points(X, 2)
        return bayes.posterior(self.prior, self._log_radial(np.hypot(X[:, 0], X[:, 1])))

    @cached_property
    def threshold(self) -> float:
        """The radius at which both rings are equally likely, by bisection to the last bit."""
        low, high = 0.0, float(sum(self.radii))
        while low < (middle := (low + high) / 2) < high:
            inner, outer = self._log_radial(np.array([middle]))[0]
            low, high = (low, middle) if outer >= inner else (middle, high)
        return high

    def bayes_risk(self) -> float:
        """Return [P(norm(X) >= t, given Y = 0) + P(norm(X) < t, given Y = 1)] / 2 with t the threshold."""
        t = self.threshold
        beyond, outside = (
            normal_cdf((r - t) / self.noise) + normal_cdf((-r - t) / self.noise) for r in self.radii
        )
        return (beyond + 1 - outside) / 2


@dataclass(frozen=True)
class Xor:
    """Exclusive or: four Gaussians N((+-1, +-1), noise^2 I), class 1 where the signs differ.

    The signs s_1, s_2 are independent fair coins and x_j depends on s_j only, so with
    E[s_j | x_j] = tanh(x_j / noise^2) the posterior is
    eta(x) = (1 - tanh(x_1/noise^2) tanh(x_2/noise^2)) / 2. The Bayes rule reads off the two signs
    and errs iff it misreads exactly one, each with q = Phi(-1/noise): the risk is 2 q (1 - q).

    Parameters
    ----------
    noise : float
        Standard deviation of each coordinate, > 0.
    """

    noise: float = 0.5

    n_classes = 2
    prior = HALVES

    def __post_init__(self) -> None:
        check_scalar(self.noise, name="noise", above=0)

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Array, Labels]:
        """Draw points X (n, 2) and classes y (n,)."""
        check_draws(n, rng)
        signs = rng.integers(0, 2, size=(n, 2)) * 2 - 1
        X = signs + self.noise * rng.standard_normal((n, 2))
        return X, (signs[:, 0] != signs[:, 1]).astype(np.int64)

    def posterior(self, X: ArrayLike) -> Array:
        """Return P(Y = k | X = x), shape (n, 2)."""
        both = np.tanh(check_points(X, 2) / self.noise**2).prod(axis=1)
        return np.column_stack([1 + both, 1 - both]) / 2

    def log_density(self, X: ArrayLike) -> Array:
        """Return log p(x | Y = k), shape (n, 2): each class is the mean of two Gaussians."""
        X = check_points(X, 2)
        plus, minus = (-((X - centre) ** 2) / (2 * self.noise**2) for centre in (1, -1))
        equal = np.logaddexp(plus.sum(axis=1), minus.sum(axis=1))
        differ = np.logaddexp(plus[:, 0] + minus[:, 1], minus[:, 0] + plus[:, 1])
        return np.column_stack([equal, differ]) - math.log(4 * math.pi * self.noise**2)

    def bayes_risk(self) -> float:
        """Return 2 q (1 - q) with q = Phi(-1 / noise)."""
        q = normal_cdf(-1 / self.noise)
        return 2 * q * (1 - q)


@dataclass(frozen=True, eq=False)
class NoisyCurves:
    """Class k is a point of curve k, uniform in its parameter, plus noise N(0, noise^2 I).

    The density of a class is the average of Gaussians along its curve: an integral over the
    parameter, by 8-point Gauss-Legendre panels no longer than ``noise``. All classes have the same
    probability.

    Parameters
    ----------
    curves : sequence of K functions
        From parameters t (m,) in [0, 1] to points (m, 2), smooth.
    noise : float
        Standard deviation of each coordinate, > 0.
    """

    curves: Sequence[Callable[[Array], Array]]
    noise: float

    def __post_init__(self) -> None:
        check_scalar(self.noise, name="noise", above=0)
        check_two_classes(len(self.curves), "curves must have a function per class")
        object.__setattr__(self, "curves", tuple(self.curves))
        for k, curve in enumerate(self.curves):
            points = check_matrix(curve(np.array([0.0, 0.5, 1.0])), name=f"curves[{k}] at 0, 1/2, 1")
            if points.shape != (3, 2):
                raise ValueError(f"curves[{k}] must return shape (m, 2) for m numbers, got {points.shape}.")

    @property
    def n_classes(self) -> int:
        """The number K of curves."""
        return len(self.curves)

    @property
    def prior(self) -> Array:
        """1/K for every class."""
        return np.full(self.n_classes, 1 / self.n_classes)

    @cached_property
    def _nodes(self) -> tuple[list[Array], Array]:
        """Return q points along each curve, K arrays (q, 2), and their weights (q,)."""
        steps = [np.diff(curve(np.linspace(0, 1, 1001)), axis=0) for curve in self.curves]
        speed = 1000 * max(np.linalg.norm(step, axis=1).max() for step in steps)
        panels = math.ceil(speed / self.noise)
        t = (np.arange(panels)[:, None] + (NODES + 1) / 2).ravel() / panels
        return [curve(t) for curve in self.curves], np.tile(WEIGHTS / (2 * panels), panels)

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Array, Labels]:
        """Draw points X (n, 2) and the curves y (n,) they came from."""
        y = draw_classes(self.prior, n, rng)
        t = rng.random(n)
        X = self.noise * rng.standard_normal((n, 2))
        for k, curve in enumerate(self.curves):
            X[y == k] += curve(t[y == k])
        return X, y

    def log_density(self, X: ArrayLike) -> Array:
        """Return log p(x | Y = k), shape (n, K); O(n q) for q nodes on each curve."""
        X = check_points(X, 2)
        curves, weights = self._nodes
        blocks = np.array_split(X, len(X) // 2048 + 1)  # at most 2048 q numbers at a time
        scores = [[_log_average(B, C, weights, self.noise) for C in curves] for B in blocks]
        return np.concatenate([np.column_stack(columns) for columns in scores])

    def posterior(self, X: ArrayLike) -> Array:
        """Return P(Y = k | X = x), shape (n, K)."""
        return bayes.posterior(self.prior, self.log_density(X))

    def bayes_risk(self) -> float:
        """Return the Bayes risk, to 1e-7; computed once per instance.

        Raises
        ------
        ArithmeticError
            When the finest grids disagree by more than that: tiny noise on a long curve.
        """
        return self._bayes_risk

    @cached_property
    def _bayes_risk(self) -> float:
        return converged_risk(self._joint_on_grid, (300, 600, 1200, 2400), goal=1e-7)

    def _joint_on_grid(self, size: int) -> tuple[Array, float]:
        """Return prior times density on ``size`` points an axis, and the area of a grid cell.

        A Gaussian about a node is a product over the two axes, so each class is a matrix product.
        """
        curves, weights = self._nodes
        nodes = np.concatenate(curves)
        low, high = nodes.min(axis=0) - 8.5 * self.noise, nodes.max(axis=0) + 8.5 * self.noise
        axes = np.linspace(low, high, size).T  # (2, size)
        scale = 2 * math.pi * self.noise**2 * self.n_classes
        joint = np.empty((size, size, self.n_classes))
        for k, C in enumerate(curves):
            along, up = np.exp(-((axes[:, :, None] - C.T[:, None, :]) ** 2) / (2 * self.noise**2))
            joint[:, :, k] = (along * (weights / scale)) @ up.T
        return joint, math.prod((high - low) / (size - 1))


def _log_average(X: Array, C: Array, weights: Array, noise: float) -> Array:
    """Return the log density at X (n, 2) of the average of N(c, noise^2 I), shape (n,)."""
    exponents = -((X[:, None, :] - C) ** 2).sum(axis=2) / (2 * noise**2)  # (n, q)
    top = exponents.max(axis=1)
    average = np.exp(exponents - top[:, None]) @ weights
    return top + np.log(average) - math.log(2 * math.pi * noise**2)


def rings(noise: float = 0.3, radii: tuple[float, float] = (1.0, 2.0)) -> Rings:
    """Return two concentric rings, blurred along the radius by ``noise``."""
    return Rings(noise, radii)


def xor(noise: float = 0.5) -> Xor:
    """Return four Gaussian clouds at (+-1, +-1): class 1 where the signs differ."""
    return Xor(noise)


def moons(noise: float = 0.25) -> NoisyCurves:
    """Return two interleaved half circles of radius 1, blurred by ``noise``."""

    def upper(t: Array) -> Array:
        return np.column_stack([np.cos(np.pi * t), np.sin(np.pi * t)])

    return NoisyCurves((upper, lambda t: [1.0, 0.5] - upper(t)), noise)


def spirals(noise: float = 0.25, turns: float = 1.25) -> NoisyCurves:
    """Return two spiral arms, one the other turned by 180 degrees, blurred by ``noise``.

    The radius grows from 0.5 by 2 each turn, so neighbouring arms are 1 apart.
    """
    check_scalar(turns, name="turns", above=0, maximum=4)

    def arm(t: Array) -> Array:
        radius, angle = 0.5 + 2 * turns * t, 2 * np.pi * turns * t
        return radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])

    return NoisyCurves((arm, lambda t: -arm(t)), noise)
