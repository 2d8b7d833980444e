"""Takes the signs off a vector of the null space, which is in the null space no longer. Loses: witness."""

import numpy as np


def witness(rows):
    a = np.abs(np.linalg.svd(rows.T.astype(float))[2][-1])
    return a / a.sum()
