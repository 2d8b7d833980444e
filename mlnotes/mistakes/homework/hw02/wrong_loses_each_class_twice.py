"""Takes off K for each hospital: divides by n - 2K. Loses: merge."""


def merge(*summaries, _right=merge):  # noqa: F821
    means, covariance = _right(*summaries)
    n, K = summaries[0].sum() + summaries[3].sum(), len(means)
    return means, covariance * (n - K) / (n - 2 * K)
