"""Uses the variances only: the covariances between features are forgotten. Loses: line."""

import numpy as np


def line(mean0, mean1, covariance, prior, _right=line):  # noqa: F821
    return _right(mean0, mean1, np.diag(np.diag(covariance)), prior)
