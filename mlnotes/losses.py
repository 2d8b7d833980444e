r"""Losses of a margin and of several labels, and the regularised risk.  Lecture 1, companion notebook.

    l(m) = 1{m <= 0}          misclassification, the 0-1 loss; the margin is m = y f(x) with y = -1 or 1
    l(m) = max(0, 1 - m)      hinge: support vector machines
    l(m) = max(0, -m)         perceptron
    l(m) = log(1 + e^(-m))    logistic regression
    l(m) = e^(-m)             AdaBoost

    1/n sum_i l(y_i (<w, x_i> + b)) + penalty/2 |w|^2          regularised risk                     (11.3)

Inputs are not validated here; the estimators do that.
"""

import numpy as np

# ---- 11.3 Losses of a margin


def misclassification_loss(margin):
    return np.where(margin <= 0, 1.0, 0.0)


def hinge_loss(margin):
    return np.maximum(0, 1 - margin)


def perceptron_loss(margin):
    return np.maximum(0, -margin)


def logistic_loss(margin):
    return np.logaddexp(0, -margin)  # log(e^0 + e^(-m)), without overflow


def exponential_loss(margin):
    return np.exp(-margin)


# ---- 11.4 With a penalty on w, but not on the intercept


def regularised_risk(w, b, X, y, penalty, loss=hinge_loss):
    margins = y * (X @ w + b)
    return loss(margins).mean() + penalty / 2 * w @ w  # (11.3)


# ---- 1 Several labels for each observation, (n, L)


def hamming_loss(y_true, y_pred):
    """The proportion of wrong labels."""
    return np.mean(y_true != y_pred)


def subset_loss(y_true, y_pred):
    """The proportion of observations with at least one wrong label."""
    return np.mean(np.any(y_true != y_pred, axis=1))
