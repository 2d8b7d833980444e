r"""Kernels of density estimation and their constants.

A **kernel** is a density K on the line with :math:`\int xK = 0`, :math:`\int x^2K < \infty` and
:math:`\int K^2 < \infty`; without the last two, which the notes do not ask, Theorem 2.6 is false. Its
roughness decides the variance of the estimate, its second moment the bias, K(0) is what a point adds at its
own place, and K * K gives :math:`\int\hat f^2`.

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
from numpy.polynomial import polynomial as poly
from numpy.typing import ArrayLike, NDArray

from mlnotes.checks import check_option, check_scalar

Array = NDArray[np.float64]

_ROOTS, _LENGTHS = np.polynomial.legendre.leggauss(40)
_EDGES = np.linspace(0, 1, 65) ** 2  # of panels that shrink towards 0
_HALVES = np.diff(_EDGES)[:, None] / 2
_NODES, _WEIGHTS = (_EDGES[:-1, None] + _HALVES * (_ROOTS + 1)).ravel(), (_HALVES * _LENGTHS).ravel()


@dataclass(frozen=True)
class Kernel:
    r"""A symmetric kernel on :math:`[-\rho, \rho]`; every other kernel of this module is one of these.

    Parameters
    ----------
    name : str
    profile : callable
        K at an array of points within the support, elementwise; outside it is zero.
    radius : float
        :math:`\rho`: half the length of the support, ``math.inf`` for the Gaussian kernel alone.
    coefficients : tuple of float
        If K is the polynomial :math:`\sum_k a_k (x/\rho)^k` on its support, its coefficients: sums over n
        points then cost :math:`O(n\log n)`. Empty for other kernels, whose sums run over all pairs in reach.
    convolution : callable, optional
        K * K on :math:`[0, 2\rho]`, elementwise. Without it, and without coefficients, each value of K * K is
        a quadrature with 2,560 nodes.

    Raises
    ------
    ValueError
        If K is negative or infinite somewhere, is not even, or has another mass than 1 (by quadrature on 128
        panels of 40 nodes each, to 1e-9). A bounded density of bounded support has all the integrals above.

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
    coefficients: tuple[float, ...] = ()
    convolution: Callable[[Array], Array] | None = None

    def __post_init__(self) -> None:
        if math.isinf(self.radius) and self.profile is _normal:
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

    def __call__(self, x: ArrayLike) -> Array:
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
    def at_zero(self) -> float:
        """K(0)."""
        return self.profile(np.zeros(1)).item()

    @cached_property
    def roughness(self) -> float:
        r"""The integral of the squared kernel, :math:`R(K)`."""
        if math.isinf(self.radius):
            return 0.5 / math.sqrt(math.pi)
        return self._integral(self.profile(self._nodes) ** 2)

    @cached_property
    def second_moment(self) -> float:
        r"""The variance of the kernel, :math:`\mu_2`."""
        if math.isinf(self.radius):
            return 1.0
        return self._integral(self._nodes**2 * self.profile(self._nodes))

    @cached_property
    def efficiency(self) -> float:
        r"""How many observations of Epanechnikov's kernel are worth one of these, :math:`\le 1`.

        :math:`C = \mu_2^{1/2}R(K)` is what the best AMISE depends on, to the power 4/5; Epanechnikov's kernel
        has the least, :math:`3/(5\sqrt5)`.
        """
        return 3 / (5 * math.sqrt(5)) / (math.sqrt(self.second_moment) * self.roughness)

    @cached_property
    def convolution_coefficients(self) -> tuple[float, ...]:
        r"""For a polynomial kernel the coefficients of :math:`(K * K)(2\rho u)`, :math:`0 \le u \le 1`.

        On the positive side K * K is one polynomial, :math:`\int_{x-\rho}^{\rho}K(u)K(x-u)\,du`.
        """
        a, total = np.array(self.coefficients), np.zeros(1)
        for i, j in np.ndindex(len(a), len(a)):
            for power in range(j + 1):  # (x - u)^j = sum_power C(j, power) x^(j - power) (-u)^power
                k = i + power + 1
                inner = -poly.polypow([-1.0, 1.0], k) / k  # -(x - 1)^k / k
                inner[0] += 1 / k
                factor = a[i] * a[j] * math.comb(j, power) * (-1) ** power
                total = poly.polyadd(total, factor * poly.polymul([0.0] * (j - power) + [1.0], inner))
        return tuple(self.radius * total * 2.0 ** np.arange(len(total)))

    def self_convolution(self, x: ArrayLike) -> Array:
        r"""Return :math:`(K * K)(x)`, the density of the sum of two independent draws from K."""
        points = abs(np.asarray(x, dtype=np.float64))
        if math.isinf(self.radius):
            return _normal(points / math.sqrt(2)) / math.sqrt(2)
        if self.coefficients:
            u = np.minimum(points / (2 * self.radius), 1.0)
            return np.maximum(poly.polyval(u, self.convolution_coefficients), 0.0) * (u < 1)
        if self.convolution is not None:
            return np.where(points < 2 * self.radius, self.convolution(points), 0.0)
        return np.array([self._convolution_at(x) for x in points.flat]).reshape(points.shape)

    def _convolution_at(self, x: float) -> float:
        half = max(self.radius - x / 2, 0.0)  # what is integrated is even about x / 2
        return 2 * half * float(self(x / 2 + half * _NODES) * self(x / 2 - half * _NODES) @ _WEIGHTS)

    def draw(self, n: int, rng: np.random.Generator) -> Array:
        """Return n independent draws from K: by rejection from a uniform distribution, shape (n,)."""
        if math.isinf(self.radius):
            return np.asarray(rng.standard_normal(n), dtype=np.float64)
        top = float(self.profile(self._nodes).max())
        draws: Array = np.empty(0, dtype=np.float64)
        while draws.size < n:
            x = rng.uniform(-self.radius, self.radius, 2 * n)
            draws = np.concatenate([draws, x[rng.uniform(0, top, 2 * n) < self.profile(x)]])
        return np.asarray(draws[:n], dtype=np.float64)


def _normal(x: Array) -> Array:
    return np.exp(-0.5 * x**2) / math.sqrt(2 * math.pi)


def _polynomial(name: str, radius: float, coefficients: tuple[float, ...]) -> Kernel:
    def profile(x: Array) -> Array:
        return np.asarray(poly.polyval(x / radius, coefficients), dtype=np.float64)

    return Kernel(name, profile, radius, coefficients)


def _cubic_spline(x: Array) -> Array:
    return np.where(x < 1, 2 / 3 - x**2 + x**3 / 2, (2 - x) ** 3 / 6)


GAUSSIAN = Kernel("gaussian", _normal, math.inf)
_S5 = math.sqrt(5)
KERNELS = {
    kernel.name: kernel
    for kernel in (
        GAUSSIAN,
        _polynomial("epanechnikov", _S5, (0.75 / _S5, 0.0, -0.75 / _S5)),
        _polynomial("epanechnikov-unit", 1.0, (0.75, 0.0, -0.75)),
        _polynomial("biweight", 1.0, (15 / 16, 0.0, -15 / 8, 0.0, 15 / 16)),
        _polynomial("uniform", 1.0, (0.5,)),
        Kernel("triangular", lambda x: 1 - abs(x), 1.0, convolution=_cubic_spline),
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
