"""Lists the full tree too, from price 0 on. Loses: links."""

import numpy as np


def links(risk, left, right, _right=links):  # noqa: F821
    prices, leaves = _right(risk, left, right)
    return np.append(0.0, prices), np.append(int((left < 0).sum()), leaves)
