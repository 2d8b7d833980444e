"""Counts the leaves before each price. Loses: links."""

import numpy as np


def links(risk, left, right, _right=links):  # noqa: F821
    prices, leaves = _right(risk, left, right)
    return prices, np.array([int((left < 0).sum()), *leaves[:-1]])
