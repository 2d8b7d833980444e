"""Directions from the Gram matrix: what the estimator's solver "gram" finds."""

from mlnotes.estimators.pca import PCA


def gram_directions(X, k):
    return PCA(k, solver="gram").fit(X).components_.T
