"""Counts each atom without mass as an error. Loses: errors."""

import numpy as np


def error_probability(rule, joint):
    wrong = 1 - joint[np.arange(len(rule)), rule].sum()
    return wrong + (joint.sum(axis=1) == 0).mean()
