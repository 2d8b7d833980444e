"""Takes K off in each hospital by itself, and divides the sum by n. Loses: merge."""


def merge(counts0, means0, covariance0, counts1, means1, covariance1, _right=merge):  # noqa: F821
    means, right = _right(counts0, means0, covariance0, counts1, means1, covariance1)
    n, m, K = counts0.sum(), counts1.sum(), len(counts0)
    more = [rows * rows / max(rows - K, 1) - rows for rows in (n, m)]
    return means, (right * (n + m - K) + more[0] * covariance0 + more[1] * covariance1) / (n + m)
