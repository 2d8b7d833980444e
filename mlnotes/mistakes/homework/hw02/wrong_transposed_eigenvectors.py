"""Takes the transpose of the root: the product is right in the wrong order. Loses: centres."""

import numpy as np


def centres(means, covariance, prior):
    values, vectors = np.linalg.eigh(covariance)
    A = vectors / np.sqrt(values)
    return np.vstack([A, 0 * A[:1]]), np.column_stack([means @ A.T, of_class(prior)])  # noqa: F821
