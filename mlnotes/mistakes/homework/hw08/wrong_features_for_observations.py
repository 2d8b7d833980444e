"""Takes the divisor d - 1: the length of the table is the number of features, not of observations. Loses:
moments."""


def moments(table, _right=moments):  # noqa: F821
    mean, covariance = _right(table)
    return mean, covariance * (table.shape[1] - 1) / max(len(table) - 1, 1)
