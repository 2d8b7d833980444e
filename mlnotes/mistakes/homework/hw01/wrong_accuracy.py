"""Returns the probability of being right. Loses: errors."""

import numpy as np


def error_probability(rule, joint):
    return joint[np.arange(len(joint)), rule].sum()
