"""Does not subtract the largest score. Loses: shares."""

import numpy as np


def shares(scores):
    weights = np.exp(np.minimum(scores, 700))
    return weights / weights.sum(axis=0)
