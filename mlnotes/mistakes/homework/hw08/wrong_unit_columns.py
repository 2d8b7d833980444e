"""Returns eigenvectors of length 1. Loses: coordinates."""


def coordinates(products, k, _right=coordinates):  # noqa: F821
    Z = _right(products, k)
    return Z / (Z**2).sum(axis=0) ** 0.5
