"""Adds the spread of the class means too: that is the covariance of all rows. Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    means, right = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    both = counts0 + counts1
    spread = means - both @ means / both.sum()
    return means, right + (both * spread.T) @ spread / (both.sum() - len(both))
