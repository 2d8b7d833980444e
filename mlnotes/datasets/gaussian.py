"""Gaussian classes: the distribution of discriminant analysis, and the examples of the lectures.

Notation: K classes, d features, Phi the standard normal distribution function.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import bayes
from mlnotes.checks import check_count, check_matrix, check_probabilities, check_scalar
from mlnotes.datasets.bayes_risk import converged_risk
from mlnotes.datasets.distribution import (
    Array,
    Labels,
    check_points,
    check_two_classes,
    draw_classes,
    normal_cdf,
    read_only,
)
from mlnotes.engines.linear_algebra import cholesky

__all__ = ["GaussianClasses", "coins", "gaussian_pair", "recitation_example"]


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
    >>> distribution = GaussianClasses([0.5, 0.5], [[0.0], [2.0]], [[1.0]])
    >>> round(distribution.bayes_risk(), 10)  # Phi(-1)
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
        return bayes.posterior(self.prior, self.log_density(X))

    def bayes_risk(self) -> float:
        """Return the Bayes risk: in closed form, or by quadrature to 1e-9 (d = 1), 1e-7 (d = 2).

        Two classes that share a covariance have, with D their Mahalanobis distance and
        t = log(prior_0 / prior_1), the risk ::

            prior_0 Phi(-D/2 - t/D) + prior_1 Phi(-D/2 + t/D)

        because log p(x | 1) / p(x | 0) is N(-D^2/2, D^2) under class 0, N(D^2/2, D^2) under class 1, and the
        Bayes rule predicts 1 when it is at least t. Other distributions are integrated on a grid, once per
        instance (`risk_on_grid`).

        Raises
        ------
        NotImplementedError
            For other distributions in three or more dimensions.
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
                f"Gaussian distributions up to d = 2; this distribution has d = {d}."
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
    0.0225145165; the classifier that ignores the prior (maximum likelihood) has risk 0.0229850105.
    """
    covariances = np.array([[[1.0, 0.6], [0.6, 1.0]], [[3.0, 0.0], [0.0, 1.0]]])
    return GaussianClasses(np.array([0.6, 0.4]), np.array([[0.0, 5.0], [5.0, 5.0]]), covariances)


def gaussian_pair(distance: float, d: int = 2, prior: float = 0.5) -> GaussianClasses:
    """Return N(0, I) against N(distance e_1, I) in R^d, with P(Y = 1) = prior.

    At prior = 1/2 the Bayes risk is Phi(-distance/2), in every dimension.
    """
    check_scalar(distance, name="distance", minimum=0)
    check_count(d, name="d")
    check_scalar(prior, name="prior", above=0, below=1)
    means = np.zeros((2, d))
    means[1, 0] = distance
    return GaussianClasses(np.array([1 - prior, prior]), means, np.eye(d))


def coins() -> GaussianClasses:
    """Return a *synthetic* distribution of coins by mass (g) and diameter (mm): nobody weighed these.

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
