"""Puts 0 in place of the scores of class 0: here no class is the reference. Loses: shares."""

import numpy as np


def shares(scores, _right=shares):  # noqa: F821
    return _right(np.vstack([0 * scores[:1], scores[1:]]))
