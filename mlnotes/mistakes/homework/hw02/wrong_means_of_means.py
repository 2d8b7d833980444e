"""Averages the two means of a class without their counts. Loses: merge."""

import numpy as np


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    _, covariance = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    there = np.stack([counts0 > 0, counts1 > 0])[..., None]
    return (means0 + means1) / there.sum(axis=0), covariance
