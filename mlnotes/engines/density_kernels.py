r"""The kernels of density estimation, with K * K and the constants of each.

A **kernel** is a density K on the line with :math:`\int xK = 0`, :math:`\int x^2K < \infty` and
:math:`\int K^2 < \infty`. Its roughness decides the variance of the estimate and its second moment the bias;
K * K gives :math:`\int\hat f^2`.

Sources: Yan, slides on kernel density estimation; Epanechnikov (1969); Wand and Jones, *Kernel Smoothing*
(1995), chapter 2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import density as reference
from mlnotes.checks import check_option, check_scalar

Array = NDArray[np.float64]

_ROOTS, _LENGTHS = np.polynomial.legendre.leggauss(40)
_EDGES = np.linspace(0, 1, 65) ** 2  # of panels that shrink towards 0
_HALVES = np.diff(_EDGES)[:, None] / 2
_NODES, _WEIGHTS = (_EDGES[:-1, None] + _HALVES * (_ROOTS + 1)).ravel(), (_HALVES * _LENGTHS).ravel()


@dataclass(frozen=True)
class Kernel:
    r"""A symmetric kernel on :math:`[-\rho, \rho]`.

    Parameters
    ----------
    name : str
    profile : callable
        K at an array of points within the support, elementwise; outside it is zero.
    radius : float
        :math:`\rho`: half the length of the support, ``math.inf`` for the Gaussian kernel alone.
    convolution : callable, optional
        K * K on :math:`[0, 2\rho]`, elementwise. Without it each value of K * K is a quadrature with 2,560
        nodes.

    Raises
    ------
    ValueError
        If K is negative or infinite somewhere, is not even, or has another mass than 1 (by quadrature on 64
        panels of 40 nodes, to 1e-9). A bounded density of bounded support has all the integrals above.

    Examples
    --------
    >>> cosine = Kernel("cosine", lambda x: np.pi / 4 * np.cos(np.pi * x / 2), 1.0)
    >>> round(cosine.roughness, 6), round(cosine.second_moment, 6)
    (0.61685, 0.189431)
    >>> Kernel("box", lambda x: np.ones_like(x), 1.0)
    Traceback (most recent call last):
    ...
    ValueError: kernel box has mass 2; a kernel is a density, with mass 1.
    """

    name: str
    profile: Callable[[Array], Array]
    radius: float
    convolution: Callable[[Array], Array] | None = None

    def __post_init__(self) -> None:
        if math.isinf(self.radius) and self.profile is reference.GAUSSIAN.density:
            return
        check_scalar(self.radius, name=f"radius of kernel {self.name}", above=0)
        x = np.append(self._nodes, 0.0)
        with np.errstate(divide="ignore"):
            values = np.asarray(self.profile(x), dtype=np.float64)
        if values.shape != x.shape or not np.isfinite(values).all() or values.min() < 0:
            raise ValueError(
                f"kernel {self.name} must give one finite value >= 0 at every point, 0 included."
            )
        mirrored = np.asarray(self.profile(-x), dtype=np.float64)
        if abs(values - mirrored).max() > 1e-12 * values.max():
            raise ValueError(f"kernel {self.name} is not even; only symmetric kernels are accepted.")
        mass = self._integral(values[:-1])
        if abs(mass - 1) > 1e-9:
            raise ValueError(f"kernel {self.name} has mass {mass:.6g}; a kernel is a density, with mass 1.")

    @property
    def _nodes(self) -> Array:
        """Nodes of a quadrature on (0, radius), shape (64 * 40,)."""
        return self.radius * _NODES

    def _integral(self, values: Array) -> float:
        """Return the integral over the support of an even function that is given at the nodes."""
        return 2 * self.radius * float(values @ _WEIGHTS)

    def density(self, x: ArrayLike) -> Array:
        """Return K(x), elementwise; the support is open, so that a bounded kernel is 0 at its ends."""
        points = np.asarray(x, dtype=np.float64)
        inside = abs(points) < self.radius
        return np.where(inside, self.profile(np.where(inside, points, 0.0)), 0.0)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Copy and pickle a kernel of this module as its name: sums ask whether a kernel is `GAUSSIAN`."""
        if KERNELS.get(self.name) is self:
            return as_kernel, (self.name,)
        return super().__reduce_ex__(protocol)

    @cached_property
    def roughness(self) -> float:
        r"""The integral of the squared kernel, :math:`R(K)`."""
        if math.isinf(self.radius):
            return float(reference.GAUSSIAN.roughness)
        return self._integral(self.profile(self._nodes) ** 2)

    @cached_property
    def second_moment(self) -> float:
        r"""The variance of the kernel, :math:`\mu_2`."""
        if math.isinf(self.radius):
            return 1.0
        return self._integral(self._nodes**2 * self.profile(self._nodes))

    @cached_property
    def efficiency(self) -> float:
        r"""How many observations Epanechnikov's kernel needs for one of this kernel, :math:`\le 1`.

        :math:`C = \mu_2^{1/2}R(K)` is what the best AMISE depends on, to the power 4/5; Epanechnikov's kernel
        has the smallest, :math:`3/(5\sqrt5)`.
        """
        return 3 / (5 * math.sqrt(5)) / (math.sqrt(self.second_moment) * self.roughness)

    def self_convolution(self, x: ArrayLike) -> Array:
        r"""Return :math:`(K * K)(x)`, the density of the sum of two independent draws from K."""
        points = abs(np.asarray(x, dtype=np.float64))
        if self.convolution is not None:
            return np.where(points < 2 * self.radius, self.convolution(points), 0.0)
        return np.array([self._convolution_at(x) for x in points.flat]).reshape(points.shape)

    def _convolution_at(self, x: float) -> float:
        half = max(self.radius - x / 2, 0.0)  # the integrand is even about x / 2
        product = self.density(x / 2 + half * _NODES) * self.density(x / 2 - half * _NODES)
        return 2 * half * float(product @ _WEIGHTS)

    def draw(self, n: int, rng: np.random.Generator) -> Array:
        """Return n independent draws from K, by rejection from a uniform distribution, shape (n,)."""
        if math.isinf(self.radius):
            return np.asarray(rng.standard_normal(n), dtype=np.float64)
        top = float(self.profile(self._nodes).max())
        draws: Array = np.empty(0, dtype=np.float64)
        while draws.size < n:
            x = rng.uniform(-self.radius, self.radius, 2 * n)
            draws = np.concatenate([draws, x[rng.uniform(0, top, 2 * n) < self.profile(x)]])
        return np.asarray(draws[:n], dtype=np.float64)


def _of_reference(name: str, radius: float, kernel: reference.Kernel) -> Kernel:
    return Kernel(name, kernel.density, radius, kernel.self_convolution)


def _biweight_convolution(x: Array) -> Array:
    return 5 / 3584 * (2 - x) ** 5 * (16 + 40 * x + 36 * x**2 + 10 * x**3 + x**4)


def _triangular_convolution(x: Array) -> Array:
    return np.where(x < 1, 2 / 3 - x**2 + x**3 / 2, (2 - x) ** 3 / 6)


GAUSSIAN = _of_reference("gaussian", math.inf, reference.GAUSSIAN)
KERNELS = {
    kernel.name: kernel
    for kernel in (
        GAUSSIAN,
        _of_reference("epanechnikov", math.sqrt(5), reference.EPANECHNIKOV),
        Kernel(
            "epanechnikov-unit",
            lambda x: 0.75 * (1 - x**2),
            1.0,
            lambda x: 3 / 160 * (2 - x) ** 3 * (x**2 + 6 * x + 4),
        ),
        Kernel("biweight", lambda x: 15 / 16 * (1 - x**2) ** 2, 1.0, _biweight_convolution),
        _of_reference("uniform", 1.0, reference.UNIFORM),
        Kernel("triangular", lambda x: 1 - abs(x), 1.0, _triangular_convolution),
    )
}


def as_kernel(kernel: str | Kernel) -> Kernel:
    """Return the kernel of that name, or the kernel itself.

    The names are "gaussian" (variance 1), "epanechnikov" (variance 1, support of radius sqrt 5, as in the
    notes), "epanechnikov-unit" (the same on [-1, 1]), "biweight", "uniform" and "triangular" on [-1, 1].
    """
    if isinstance(kernel, Kernel):
        return kernel
    return KERNELS[check_option(kernel, name="kernel, unless it is a Kernel,", options=tuple(KERNELS))]
