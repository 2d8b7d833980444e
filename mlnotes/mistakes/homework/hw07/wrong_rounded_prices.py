"""Rounds the prices but the last. Loses: links."""

import numpy as np


def links(risk, left, right, _right=links):  # noqa: F821
    prices, leaves = _right(risk, left, right)
    return np.append(np.round(prices[:-1], 3), prices[-1]), leaves
