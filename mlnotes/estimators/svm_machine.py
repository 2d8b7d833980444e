"""What the classes with a kernel have in common: its parameters, its values in blocks, and scores."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlnotes.engines import svm_kernel
from mlnotes.engines.svm_kernel import GramRows, WholeGram
from mlnotes.estimators.base import (
    ConvergenceWarning,
    Estimator,
    check_matrix,
    check_option,
    check_scalar,
    check_size,
    check_squares,
    shared_class,
)

__all__ = ["GAP", "KernelMachine"]

Array = NDArray[np.float64]

GAP = 1e-8  # relative duality gap above which a fit warns, unless `tol` is larger
CELLS = 2**17  # kernel values in a block: 1 MiB


def _rbf_left(X: Array, gamma: float) -> Array:
    """Return coordinates whose products with `_rbf_right` are the exponents: the lengths are two more."""
    return np.column_stack([2 * gamma * X, -gamma * (X * X).sum(axis=1), np.ones(len(X))])


def _rbf_right(Z: Array, gamma: float) -> Array:
    return np.column_stack([Z, np.ones(len(Z)), -gamma * (Z * Z).sum(axis=1)])


def _rbf_values(left: Array, right: Array) -> Array:
    values = left @ right.T
    np.minimum(values, 0, out=values)  # rounding
    return np.exp(values, out=values)


class KernelMachine(Estimator):
    """Kernel and its parameters, shared by `SVC` and `OneClassSVM`."""

    support_: NDArray[np.int64]
    support_vectors_: Array
    kernel: str | Callable[..., Any]
    degree: int
    gamma: str | float
    coef0: float
    certificate_: dict[str, float]

    def _set_kernel(self, X: Array, weights: Array) -> None:
        """Check the parameters of the kernel and fix gamma and the centre."""
        if not callable(self.kernel):
            check_option(self.kernel, name="kernel", options=("linear", "rbf", "poly"))
        check_scalar(self.degree, name="degree", kind=int, minimum=1)
        check_scalar(self.coef0, name="coef0", minimum=0)
        if self.kernel == "linear":
            check_squares(X, limit=1e75, powers="fourth powers")  # of the distance of two hulls
        else:
            check_squares(X)
        total = float(weights.sum())
        center = weights @ X / total
        if isinstance(self.gamma, str):
            check_option(self.gamma, name="gamma", options=("scale", "auto"))
            spread = float(weights @ ((X - center.mean()) ** 2).mean(axis=1)) / total
            unit = spread if self.gamma == "scale" else 1.0
            self.gamma_ = 1 / (X.shape[1] * unit) if unit else 1.0
        else:
            self.gamma_ = float(check_scalar(self.gamma, name="gamma", above=0))
        self._center = center if self.kernel == "rbf" else np.zeros(X.shape[1])

    def _gram(self, X: Array, Z: Array) -> Array:
        """Return the kernel between examples that have been shifted by the centre."""
        if callable(self.kernel):
            values = check_matrix(self.kernel(X, Z), name="the result of the kernel")
            if values.shape != (len(X), len(Z)):
                raise ValueError(
                    f"the kernel must return shape ({len(X)}, {len(Z)}) for {len(X)} and {len(Z)} rows, "
                    f"got {values.shape}."
                )
            return values
        if self.kernel == "rbf":
            return _rbf_values(_rbf_left(X, self.gamma_), _rbf_right(Z, self.gamma_))
        inner = X @ Z.T
        return inner if self.kernel == "linear" else (self.gamma_ * inner + self.coef0) ** self.degree

    def _whole_gram(self, X: Array) -> WholeGram:
        with np.errstate(over="ignore", invalid="ignore"):
            K = self._gram(X, X)
        return WholeGram(check_size(K, "a value of the kernel"))

    def _gram_rows(self, X: Array, mass: float) -> GramRows:
        if len(X) < svm_kernel.MANY_ROWS:
            return self._whole_gram(X)
        if self.kernel == "rbf":
            left, right = _rbf_left(X, self.gamma_), _rbf_right(X, self.gamma_)
            return GramRows(
                lambda rows, others: _rbf_values(left[rows], right[others]), np.ones(len(X)), mass
            )
        blocks = [X[rows] for rows in _blocks(len(X), 4096)]
        with np.errstate(over="ignore", invalid="ignore"):
            diagonal = np.concatenate([np.diag(self._gram(block, block)) for block in blocks])
        check_size(diagonal, "a value of the kernel")
        return GramRows(lambda rows, others: self._gram(X[rows], X[others]), diagonal, mass)

    def _warn_above(self, limit: float, advice: str) -> Any:
        """Return self; warn if the gap is above the limit."""
        gap = self.certificate_["gap"]
        if not gap <= limit:  # NaN, too
            message = f"the relative duality gap is {gap:.1e}, above {limit:g}: {advice}"
            warnings.warn(message, shared_class(ConvergenceWarning), stacklevel=3)
        return self

    def _kernel_scores(self, X: Array, dual_coef: Array) -> Array:
        """Return the scores of the machines without intercept, shape (n, M), in blocks that stay in cache."""
        scores = np.empty((len(X), len(dual_coef)))
        anchors, rbf = self.support_vectors_ - self._center, self.kernel == "rbf"
        right = _rbf_right(anchors, self.gamma_) if rbf else anchors
        for rows in _blocks(len(X), len(anchors)):
            part = X[rows] - self._center
            values = _rbf_values(_rbf_left(part, self.gamma_), right) if rbf else self._gram(part, anchors)
            scores[rows] = values @ dual_coef.T
        return scores


def _blocks(n: int, width: int) -> Iterator[slice]:
    """Yield slices of as many examples as fill a block when each has `width` values."""
    size = CELLS // width + 1
    for start in range(0, n, size):
        yield slice(start, start + size)
