r"""The plug-in classifier on data: `mlnotes.bayes` with validated input and a certificate.

Sources: Yan, slides "Recap: Bayes optimal classifier"; Recitation 7, section 1.
"""

from __future__ import annotations

import copy
import math
import warnings
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import bayes as reference
from mlnotes.engines.linear_algebra import cholesky
from mlnotes.engines.rows import last_argmax_of_columns
from mlnotes.estimators.base import (
    Classifier,
    LimitWarning,
    check_matrix,
    check_option,
    check_squares,
    check_vector,
)

__all__ = ["Gaussian", "PlugInClassifier"]

NEAR = 1e-9  # scores that differ by more have posteriors that differ: exp(-1e-9) is not rounded to 1


class Gaussian(reference.Gaussian):
    r"""The normal distribution :math:`N(\mu, \Sigma)` on :math:`R^d`, with its maximum-likelihood fit.

    Parameters
    ----------
    mean : array-like of shape (d,)
    covariance : array-like of shape (d, d)
        Symmetric; positive definite, or the distribution has no density.
    """

    def __init__(self, mean: ArrayLike, covariance: ArrayLike) -> None:
        mean = check_vector(mean, name="mean").copy()
        covariance = check_matrix(covariance, name="covariance").copy()
        if covariance.shape != (len(mean), len(mean)):
            raise ValueError(
                f"covariance must have shape ({len(mean)}, {len(mean)}), as mean has {len(mean)} entries, "
                f"got {covariance.shape}."
            )
        if abs(covariance - covariance.T).max() > 1e-12 * abs(covariance).max():
            raise ValueError("covariance must be symmetric.")
        super().__init__(mean, covariance)

    @classmethod
    def fit(cls, X: ArrayLike) -> Gaussian:
        r"""Return the maximum-likelihood fit: the mean, and the covariance with divisor n.

        :math:`E\hat\Sigma = \frac{n-1}{n}\Sigma`: maximum likelihood is biased. With fewer than d + 1
        observations the covariance is singular and the fit has no density.
        """
        return super().fit(check_matrix(X))

    def whiten(self, X: ArrayLike) -> NDArray[np.float64]:
        r"""Return :math:`L^{-1}(x_i - \mu)`, where :math:`\Sigma = LL^\top`, shape (n, d).

        Raises
        ------
        ValueError
            If the covariance is not positive definite.
        """
        X = check_matrix(X)
        if X.shape[1] != len(self.mean):
            raise ValueError(f"X must have {len(self.mean)} features, got {X.shape[1]}.")
        return (X - self.mean) @ self._whitener.T

    def log_density(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the log density at each observation, shape (n,); -inf where the square leaves float64."""
        with np.errstate(over="ignore", invalid="ignore"):
            white = self.whiten(X)
            logs = self._log_density_at_mean - 0.5 * np.einsum("ij,ij->i", white, white)
        return np.where(np.isfinite(logs), logs, -np.inf)

    def floored(self, scale: NDArray[np.float64], smallest: float = 1e-9) -> Gaussian:
        r"""Return the Gaussian with no relative variance below `smallest`, in units of `scale`.

        Eigenvalues of :math:`D^{-1}\Sigma D^{-1}`, D = diag(scale), are raised to `smallest`; if none is
        below it, the distribution comes back unchanged.
        """
        values, vectors = np.linalg.eigh(self.covariance / np.outer(scale, scale))
        if values[0] >= smallest:
            return self
        root = scale[:, None] * vectors * np.sqrt(np.maximum(values, smallest))
        return Gaussian(self.mean, root @ root.T)

    @cached_property
    def _log_density_at_mean(self) -> float:
        return float(np.log(np.diag(self._whitener)).sum() - len(self.mean) * math.log(2 * math.pi) / 2)

    @cached_property
    def _whitener(self) -> NDArray[np.float64]:
        try:
            return np.linalg.inv(cholesky(self.covariance))
        except np.linalg.LinAlgError as error:
            raise ValueError(
                "covariance is not positive definite, so the distribution has no density; "
                f"its smallest eigenvalue is {np.linalg.eigvalsh(self.covariance)[0]:.3g}."
            ) from error


class PlugInClassifier(Classifier):
    r"""The generative plug-in rule: estimate priors and class densities, then apply Bayes' formula.

    .. math:: \hat\pi_k = n_k / n, \qquad \hat f_k \text{ fitted to class } k, \qquad
              \hat g(x) = \arg\max_k \hat\pi_k \hat f_k(x).

    With the true priors and densities it is the Bayes rule itself. Source: Yan, slides "Recap: Bayes optimal
    classifier".

    Parameters
    ----------
    density : "gaussian" or object, default "gaussian"
        The class densities: by maximum likelihood (divisor n_k), or any object whose ``fit(X)`` returns one
        with ``log_density(X)`` of shape (n,), such as a class of your own. Each class gets a copy.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    prior_ : ndarray of shape (K,)
    densities_ : list of fitted densities, one a class
    certificate_ : dict
        ``log_likelihood``: of the training data, sum of :math:`\log \hat\pi_{y_i} \hat f_{y_i}(x_i)`.
        ``score``: for Gaussians, how far the likelihood equations are from holding: rounding, at the maximum.
    n_features_in_ : int

    Raises
    ------
    ValueError
        With fewer than two classes: a constant prediction would hide the mistake.

    Notes
    -----
    A class that hardly varies in some direction (a constant feature, or n_k <= d) has no usable density.
    Where its variance is below 1e-9 of that of all observations (of the square, for a feature that is
    constant in all of them) it is raised to that, with a `LimitWarning`.
    Cost of fit :math:`O(nd^2 + Kd^3)`. Ties go to the largest class, as in `bayes_rule`.

    Examples
    --------
    >>> model = PlugInClassifier().fit([[0.0], [1.0], [4.0], [5.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.2], [9.0]]).tolist()
    ['a', 'b']
    """

    def __init__(self, density: Any = "gaussian") -> None:
        self.density = density

    def fit(self, X: ArrayLike, y: ArrayLike) -> PlugInClassifier:
        """Fit to observations X, shape (n, d), and their labels y, shape (n,); return self."""
        X, codes = self._start_fit(X, y, min_classes=2)
        groups = [X.take(np.flatnonzero(codes == k), axis=0) for k in range(len(self.classes_))]
        self.prior_ = np.bincount(codes) / len(X)
        if isinstance(self.density, str):
            check_option(self.density, name="density", options=("gaussian",))
            self.densities_ = self._fit_gaussians(groups, X)
        elif hasattr(self.density, "fit"):
            self.densities_ = [copy.deepcopy(self.density).fit(rows) for rows in groups]
        else:
            raise ValueError(f"density must be 'gaussian' or have a method fit(X), got {self.density!r}.")
        self.certificate_ = self._certify(groups)
        return self

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the estimated posterior, shape (n, K), columns in the order of ``classes_``."""
        X = self._check_input(X)
        return reference.posterior(
            self.prior_, np.column_stack([_log_density(f, X) for f in self.densities_])
        )

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each observation, shape (n,)."""
        X = self._check_input(X)
        logs = np.stack([_log_density(f, X) for f in self.densities_])
        with np.errstate(divide="ignore"):
            scores = np.log(self.prior_)[:, None] + logs  # (K, n)
        codes, best = last_argmax_of_columns(scores), scores.max(axis=0)
        close = np.flatnonzero((scores > best - NEAR).sum(axis=0) != 1)
        if close.size:  # all of them, if one has no posterior: the error names its index
            close = close if np.isfinite(best[close]).all() else np.arange(len(X))
            codes[close] = reference.bayes_rule(reference.posterior(self.prior_, logs[:, close].T))
        return self.classes_[codes]

    def _fit_gaussians(self, groups: list[NDArray[np.float64]], X: NDArray[np.float64]) -> list[Gaussian]:
        check_squares(X, axis=0)
        columns = map(np.ascontiguousarray, X.T)  # one at a time: no second copy of X
        low, high, spread = np.array([(values.min(), values.max(), values.std()) for values in columns]).T
        size = np.maximum(high, -low)
        constant = high - low <= 8 * np.finfo(np.float64).eps * size  # but for rounding
        scale = np.where(constant, np.where(size > 0, size, 1.0), spread)
        fits = [Gaussian.fit(rows) for rows in groups]
        floored = [fit.floored(scale) for fit in fits]
        thin = [str(self.classes_[k]) for k in range(len(fits)) if floored[k] is not fits[k]]
        if thin:
            warnings.warn(
                f"{len(thin)} of {len(fits)} classes ({', '.join(thin[:5])}{', ...' * (len(thin) > 5)}) "
                "hardly vary in some direction; the variance there is raised to 1e-9 of that of all data.",
                LimitWarning,
                stacklevel=3,
            )
        return floored

    def _certify(self, groups: list[NDArray[np.float64]]) -> dict[str, float]:
        logs = [_log_density(f, group) for f, group in zip(self.densities_, groups, strict=True)]
        certificate = {"log_likelihood": float(reference.log_likelihood(self.prior_, logs))}
        if isinstance(self.density, str):
            certificate["score"] = float(
                max(map(reference.likelihood_equation_error, self.densities_, groups))
            )
        return certificate


def _log_density(density: Any, X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the checked output of a density, which may be one of the user's."""
    output = density.log_density(X)
    name = "log_density(X) of the density"
    try:
        logs = np.asarray(output)
        if logs.dtype.kind not in "buifO":
            raise TypeError
        logs = logs.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be an array of real numbers, got {output!r:.60}.") from None
    if np.isnan(logs).any():
        raise ValueError(f"{name} contains NaN.")
    if logs.shape != (len(X),):
        raise ValueError(f"{name} must have shape ({len(X)},), got {logs.shape}.")
    if (logs == np.inf).any():
        raise ValueError("log_density contains +inf; entries must be finite or -inf.")
    return logs
