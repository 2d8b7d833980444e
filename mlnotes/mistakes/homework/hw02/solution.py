"""The model solution of homework 2."""

import math

import numpy as np


def within(points, labels):
    K, scatter = labels.max(), 0.0
    for k in range(1, K + 1):
        rows = points[:, labels == k]
        centred = rows - rows.mean(axis=1, keepdims=True)
        scatter = scatter + centred @ centred.T
    return scatter / (points.shape[1] - K)


def line(mean0, mean1, covariance, prior):
    w = np.linalg.solve(covariance, mean1 - mean0)
    return w, math.log(prior / (1 - prior)) - w @ (mean0 + mean1) / 2


def of_class(prior):
    return np.sqrt(2 * np.log(prior.max() / prior))


def centres(means, covariance, prior):
    A = np.linalg.inv(np.linalg.cholesky(covariance))
    return np.vstack([A, 0 * A[:1]]), np.column_stack([means @ A.T, of_class(prior)])


def quadric(mean0, covariance0, mean1, covariance1, prior):
    P0, P1 = np.linalg.inv(covariance0), np.linalg.inv(covariance1)
    c = math.log(prior / (1 - prior)) + 0.5 * (mean0 @ P0 @ mean0 - mean1 @ P1 @ mean1)
    c += 0.5 * (np.linalg.slogdet(covariance0)[1] - np.linalg.slogdet(covariance1)[1])
    return 0.5 * (P0 - P1), P1 @ mean1 - P0 @ mean0, c


def switch(scale):
    return math.sqrt(2 * math.log(scale) / (1 - 1 / scale**2))


def merge(counts0, means0, covariance0, counts1, means1, covariance1):
    n, both = counts0.sum() + counts1.sum(), counts0 + counts1
    means = (counts0[:, None] * means0 + counts1[:, None] * means1) / both[:, None]
    scatter = counts0.sum() * covariance0 + counts1.sum() * covariance1
    gaps = means1 - means0
    scatter = scatter + (counts0 * counts1 / both * gaps.T) @ gaps
    return means, scatter / (n - len(both))
