r"""Losses of a margin :math:`m = y f(x)`, whose minimisers are known, and the risk with a penalty.

The notebook beside lecture 1 compares them (section 11.3; Bartlett, Jordan and McAuliffe, 2006). The boards
of the perceptron, of logistic regression, support vectors and boosting have the loss that they minimise, as
a function of the weights.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.logistic import logistic_loss as logistic_loss

Array = NDArray[np.float64]


def misclassification_loss(margin: ArrayLike) -> Array:
    r"""Return :math:`1\{m \le 0\}`, of the margin's shape."""
    return (np.asarray(margin) <= 0).astype(float)


def hinge_loss(margin: ArrayLike) -> Array:
    r"""Return :math:`\max(0, 1 - m)`."""
    return np.maximum(0.0, np.subtract(1, margin))


def perceptron_loss(margin: ArrayLike) -> Array:
    r"""Return :math:`\max(0, -m)`."""
    return np.maximum(0.0, np.negative(margin))


def exponential_loss(margin: ArrayLike) -> Array:
    r"""Return :math:`e^{-m}`."""
    return np.exp(np.negative(margin))


def hamming_loss(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return the proportion of wrong labels, where each observation has L labels, shape (n, L)."""
    return float(np.not_equal(y_true, y_pred).mean())


def subset_loss(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return the proportion of observations with a wrong label; each has L labels, shape (n, L)."""
    return float(np.not_equal(y_true, y_pred).any(axis=1).mean())


def regularised_risk(
    w: ArrayLike,
    b: float,
    X: ArrayLike,
    y: ArrayLike,
    *,
    penalty: float,
    loss: Callable[[ArrayLike], Array] = hinge_loss,
) -> float:
    r"""Return :math:`\frac1n \sum_i \ell(y_i(\langle w, x_i\rangle + b)) + \frac\lambda2 \|w\|^2`, (11.3).

    Rows X (n, d), labels y of -1 and 1; the bias b is not penalised.
    """
    margins = y * (np.dot(X, w) + b)
    return float(np.mean(loss(margins)) + penalty / 2 * np.dot(w, w))
