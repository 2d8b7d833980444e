"""Maps x, and leaves the means as they are. Loses: centres."""

import numpy as np


def centres(means, covariance, prior, _right=centres):  # noqa: F821
    return _right(means, covariance, prior)[0], np.column_stack([means, of_class(prior)])  # noqa: F821
