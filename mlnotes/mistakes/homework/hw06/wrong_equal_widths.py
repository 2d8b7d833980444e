"""Takes the mean width for all bins. Loses: uneven."""

import numpy as np


def uneven(counts, edges, _right=uneven):  # noqa: F821
    return _right(counts, np.linspace(edges[0], edges[-1], len(edges)))
