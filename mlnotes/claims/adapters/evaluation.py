"""Intervals of the estimators by their confidence, as functions of alpha."""

from mlnotes.estimators.evaluation import error_interval


def clopper_pearson_interval(n_errors, n, alpha=0.05):
    return error_interval(n_errors, n, confidence=1 - alpha, method="exact")


def hoeffding_interval(n_errors, n, alpha=0.05):
    return error_interval(n_errors, n, confidence=1 - alpha, method="hoeffding")
