"""Takes the length of the last gap, not its largest entry. Loses: misses."""

import numpy as np


def misses(X, labels, C, w, b, alpha, slack, _right=misses):  # noqa: F821
    answer = _right(X, labels, C, w, b, alpha, slack)
    answer[4] = np.linalg.norm(w - ((2 * labels - 1) * alpha) @ X)
    return answer
