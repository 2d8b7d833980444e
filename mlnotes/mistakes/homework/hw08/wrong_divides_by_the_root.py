"""Divides the unit vectors by the roots, as for directions: of those X_c' is a factor. Loses: coordinates."""

import numpy as np


def coordinates(products, k, _right=coordinates):  # noqa: F821
    Z = _right(products, k)
    squares = (Z**2).sum(axis=0)
    return Z / np.where(squares > 1e-9, squares, np.inf)
