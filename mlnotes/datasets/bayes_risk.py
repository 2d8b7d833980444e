"""The Bayes risk of a distribution with densities, by quadrature on a grid in one or two dimensions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.datasets.distribution import Array, Labels

__all__ = ["converged_risk", "risk_on_grid"]


def risk_on_grid(joint: ArrayLike, cell: float) -> tuple[float, float]:
    r"""Return the Bayes risk and the total mass of a distribution from its joint density on a grid.

    Parameters
    ----------
    joint : array-like of shape (N, K) or (M, N, K)
        P(Y = k) p(x | Y = k) on a regular grid that covers the distribution: next to nothing at its border.
    cell : float
        Volume of a cell of the grid.

    Returns
    -------
    risk, mass : float
        Integrals of sum_k p_k - max_k p_k and of sum_k p_k.

    Notes ----- Where the integrand is smooth the trapezoid rule is exact to rounding (Euler-Maclaurin), but
    max_k p_k has a kink wherever the Bayes rule changes its prediction. Let g be the lead of the old class
    over the new one along a grid line of step 1, with its zero at the fraction theta of a step. Then the sum
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
    ``goal`` as well, which detects a grid that is too coarse for some class.
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
