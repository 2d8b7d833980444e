"""Takes the entropy for the Gini index. Loses: cut, Tree."""

import numpy as np


def decrease(left, right):
    def bits(counts):
        shares = counts[counts > 0] / counts.sum()
        return -(shares * np.log2(shares)).sum()

    n = left.sum() + right.sum()
    return bits(left + right) - left.sum() / n * bits(left) - right.sum() / n * bits(right)
