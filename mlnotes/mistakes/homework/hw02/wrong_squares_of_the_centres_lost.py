"""Takes inner products with the centres, but distances count their squares too. Loses: centres."""

import numpy as np


def centres(means, covariance, prior):
    W = np.linalg.solve(covariance, means.T).T
    b = np.log(prior) - (means * W).sum(axis=1) / 2
    A = np.eye(len(covariance) + 1)[:, :-1]
    return A, np.column_stack([W, np.sqrt(2 * (b.max() - b))])
