"""Goes on cutting links below a node that is a leaf by now. Loses: links."""

import numpy as np


def alive(t, left, right):
    return np.flatnonzero(left >= 0).tolist()
