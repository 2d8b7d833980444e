"""Gives every column the variance 1: whitened coordinates. Loses: coordinates."""


def coordinates(products, k, _right=coordinates):  # noqa: F821
    Z = _right(products, k)
    return Z / Z.std(axis=0, ddof=1)
