"""Reads a precision as 1/h^2, that of a normal law; here it is 1/h. Loses: search."""

import numpy as np


def search(points, precisions, _right=search):  # noqa: F821
    scores, _ = _right(points, np.sqrt(precisions))
    return scores, precisions[scores.argmin()]
