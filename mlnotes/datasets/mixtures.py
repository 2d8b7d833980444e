r"""Mixtures of normal distributions: densities for which every risk of a kernel estimate has a closed form.

With a Gaussian kernel all integrals in the risk are integrals of products of normal densities,

.. math:: \int\varphi_s(x - a)\varphi_t(x - b)\,dx = \varphi_{\sqrt{s^2 + t^2}}(a - b),

where :math:`\varphi_s` is the density of :math:`N(0, s^2)`. So bias, variance and MISE are exact for every n
and h, and a theorem about their limits can be looked at (Fryer, 1976; Marron and Wand, 1992, theorem 2.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.checks import check_count, check_probabilities, check_scalar, check_vector
from mlnotes.datasets.distribution import check_draws, draw_classes, read_only
from mlnotes.engines.density_kernels import GAUSSIAN
from mlnotes.engines.density_sums import Spectrum, pair_sum

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NormalMixture:
    r"""The density :math:`f = \sum_jw_j\varphi_{\sigma_j}(\cdot - \mu_j)`.

    Parameters
    ----------
    weights : array-like of shape (J,)
        Probabilities.
    means, scales : array-like of shape (J,)
        Scales are standard deviations, positive.

    Examples
    --------
    >>> distribution = NormalMixture([1.0], [0.0], [1.0])
    >>> round(distribution.roughness(2), 10)  # int f''^2 = 3 / (8 sqrt pi)
    0.2115710938
    """

    weights: Array
    means: Array
    scales: Array

    def __post_init__(self) -> None:
        weights = check_probabilities(self.weights, name="weights", ndim=1).astype(np.float64)
        means = check_vector(self.means, name="means", n=len(weights))
        scales = check_vector(self.scales, name="scales", n=len(weights))
        if scales.min() <= 0:
            raise ValueError(f"scales must be positive standard deviations, got {scales.min()}.")
        for name, value in (("weights", weights), ("means", means), ("scales", scales)):
            object.__setattr__(self, name, read_only(value))

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Draw n independent points, shape (n,)."""
        check_draws(n, rng)
        part = draw_classes(self.weights, n, rng)
        return self.means[part] + self.scales[part] * rng.standard_normal(n)

    def density(self, points: ArrayLike) -> Array:
        """Return f at the points, shape (m,)."""
        return self._smoothed(check_vector(points, name="points"), 0.0)

    def _smoothed(self, points: Array, h: float) -> Array:
        r"""Return :math:`f * \varphi_h`, the mean of the estimate."""
        spread = np.hypot(self.scales, h)
        return _phi(points[:, None] - self.means, spread) @ self.weights

    def _product(self, extra: float, order: int = 0) -> float:
        r"""Return :math:`\sum_{jk}w_jw_k\varphi^{(order)}_s(\mu_j - \mu_k)`, variance plus ``extra``."""
        gaps = self.means[:, None] - self.means
        variance = self.scales[:, None] ** 2 + self.scales**2 + extra
        u = gaps**2 / variance
        hermite = {0: np.ones_like(u), 2: (u - 1) / variance, 4: (u**2 - 6 * u + 3) / variance**2}
        return float(self.weights @ (hermite[order] * _phi(gaps, np.sqrt(variance))) @ self.weights)

    def roughness(self, derivative: int = 0) -> float:
        r"""Return :math:`\int(f^{(r)})^2` for r = 0, 1, 2: the constants of the theorems."""
        check_scalar(derivative, name="derivative", kind=int, minimum=0, maximum=2)
        return (-1) ** derivative * self._product(0.0, 2 * derivative)

    def bias_variance(self, points: ArrayLike, bandwidth: float, n: int) -> tuple[Array, Array]:
        """Return the bias and the variance of the Gaussian kernel estimate at the points, shapes (m,)."""
        points, h = check_vector(points, name="points"), _check(bandwidth, n)
        mean = self._smoothed(points, h)
        # K_h^2 = phi_{h / sqrt 2} / (2 sqrt pi h)
        square = self._smoothed(points, h / math.sqrt(2)) / (2 * math.sqrt(math.pi) * h)
        return mean - self.density(points), (square - mean**2) / n

    def risk(self, bandwidth: float, n: int) -> tuple[float, float]:
        r"""Return :math:`\int b^2` and :math:`\int v` of the Gaussian kernel estimate; MISE is their sum.

        Both to rounding of :math:`\int f^2`: below a thousandth of the scales it swallows the squared bias.
        """
        h = _check(bandwidth, n)
        smooth, cross, plain = (self._product(k * h**2) for k in (2, 1, 0))
        return smooth - 2 * cross + plain, (0.5 / (math.sqrt(math.pi) * h) - smooth) / n

    def best_bandwidth(self, n: int) -> float:
        """Return the bandwidth of minimum MISE between 1e-4 and 100 standard deviations of f."""
        mean = self.weights @ self.means
        spread = math.sqrt(self.weights @ (self.scales**2 + (self.means - mean) ** 2))
        grid = spread * np.geomspace(1e-4, 1e2, 400)
        best = int(np.argmin([sum(self.risk(h, n)) for h in grid]))
        return golden_section(
            lambda h: sum(self.risk(h, n)), grid[max(best - 1, 0)], grid[min(best + 1, 399)]
        )

    def integrated_squared_error(self, x: ArrayLike, bandwidth: Any) -> Any:
        r"""Return :math:`\int(\hat f - f)^2` of the Gaussian kernel estimate of a sample, exactly.

        Parameters
        ----------
        x : array-like of shape (n,)
        bandwidth : float or array-like of shape (k,)
            Several bandwidths share one pass over the sample.

        Returns
        -------
        float or ndarray of shape (k,)

        Notes
        -----
        The mixed term is a mean over the sample, :math:`\int\hat ff = \frac1n\sum_i(f * \varphi_h)(x_i)`, and
        so a sum of normal densities at the means of f.
        """
        x = check_vector(x, name="x")
        widths = check_vector(np.atleast_1d(bandwidth), name="bandwidth")
        if widths.min() <= 0:
            raise ValueError(f"bandwidth must be positive, got {widths.min()}.")
        n, widest = len(x), float(widths.max())
        smallest = min(float(widths.min()), float(self.scales.min()))
        largest = max(math.sqrt(2) * widest, math.hypot(float(self.scales.max()), widest))
        spectrum = Spectrum.where_faster(x, smallest, largest)
        squares = [pair_sum(x, GAUSSIAN, float(h), spectrum)[0] / (n**2 * h) for h in widths]
        mixed = [self._mean_over(x, float(h), spectrum) for h in widths]
        errors = np.array(squares) - 2 * np.array(mixed) + self.roughness()
        return errors if np.ndim(bandwidth) else float(errors[0])

    def _mean_over(self, x: Array, h: float, spectrum: Spectrum | None) -> float:
        r"""Return the mean of :math:`f * \varphi_h` over a sample."""
        if spectrum is None:
            return float(self._smoothed(x, h).mean())
        spreads = np.hypot(self.scales, h)
        sums = [spectrum.sum_at(float(s), float(mean)) for s, mean in zip(spreads, self.means, strict=True)]
        return float(self.weights @ (sums / spreads)) / (len(x) * math.sqrt(2 * math.pi))


def gaussian_relative_mise(bandwidth: float, n: float, d: int) -> float:
    r"""Return :math:`MISE/\int f^2` for :math:`N(0, I_d)`, a Gaussian kernel and :math:`H = h^2I_d`.

    .. math:: \frac{1}{nh^d} + \left(1 - \frac1n\right)(1 + h^2)^{-d/2} - 2(1 + h^2/2)^{-d/2} + 1
    """
    check_scalar(bandwidth, name="bandwidth", above=0, below=1e150)
    check_scalar(n, name="n", above=0)
    check_count(d, name="d")
    with np.errstate(over="ignore"):  # the variance of a bandwidth near 0 may be beyond all floats
        bumps = float(np.float64(bandwidth) ** -d)
    return (bumps - (1 + bandwidth**2) ** (-d / 2)) / n + _relative_bias(bandwidth**2, d)


def _relative_bias(z: float, d: int) -> float:
    """Return (1 + z)^(-d/2) - 2 (1 + z/2)^(-d/2) + 1, without the ones, which would cancel for small z."""
    return math.expm1(-0.5 * d * math.log1p(z)) - 2 * math.expm1(-0.5 * d * math.log1p(z / 2))


def sample_size(d: int, error: float = 0.1) -> float:
    r"""Return the n at which the minimum relative MISE for :math:`N(0, I_d)` is ``error``: the curse.

    For fixed h the relative MISE is a + b/n, so that each h needs :math:`n = b/(error - a)`; the minimum over
    h is found by golden section on log h. Below 1 it means that one point is enough; ``inf``, that n is
    beyond all floats.

    Examples
    --------
    >>> [round(sample_size(d)) for d in (1, 2, 3)]
    [8, 34, 115]
    """
    check_count(d, name="d")
    check_scalar(error, name="error", above=0, below=1)

    def needed(t: float) -> float:
        h2 = math.exp(2 * t)
        left = error - _relative_bias(h2, d)
        bumps = math.exp(-d * t) if -d * t < 700 else math.inf
        return (bumps - (1 + h2) ** (-d / 2)) / left if left > 0 else math.inf

    grid = np.linspace(-8, 3, 600)
    best = int(np.argmin([needed(t) for t in grid]))
    return needed(golden_section(needed, grid[max(best - 1, 0)], grid[min(best + 1, 599)]))


def golden_section(function: Callable[[float], float], low: float, high: float) -> float:
    """Return a minimiser of a function that falls and then rises on [low, high]."""
    ratio = (math.sqrt(5) - 1) / 2
    while high - low > 1e-9 * max(abs(low), abs(high)):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if function(left) <= function(right):
            high = right
        else:
            low = left
    return (low + high) / 2


def _phi(x: Array, s: Array) -> Array:
    return np.exp(-0.5 * (x / s) ** 2) / (s * math.sqrt(2 * math.pi))


def _check(bandwidth: float, n: int) -> float:
    check_count(n, name="n")
    return float(check_scalar(bandwidth, name="bandwidth", above=0))
