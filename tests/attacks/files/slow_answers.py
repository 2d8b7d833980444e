"""Takes nearly the whole limit for every answer, and sleeps for ever in one."""

import time


def fit_mean(X):
    time.sleep(0.9)
    return 0 * X[0] + 7.0


def classify(X, a, b):
    time.sleep(10**6)
