"""Leaves the covariance out: nearest in x itself. Loses: centres."""

import numpy as np


def centres(means, covariance, prior, _right=centres):  # noqa: F821
    return _right(means, np.eye(len(covariance)), prior)
