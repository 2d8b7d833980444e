"""Fails where it is asked first, and is right, slow, loud or gone where a search for a smaller instance asks it again."""

import os
import sys
import time

asked = 0


def fit_mean(X):
    global asked
    asked += 1
    if asked == 1:
        return 0 * X[0] + 7.0
    if asked % 7 == 3:
        print("x" * 10**6)
    if asked % 7 == 4:
        time.sleep(0.5)
    if asked % 7 == 5:
        sys.exit(3)
    return X.mean(axis=0) if asked % 2 else 0 * X[0] + asked


def classify(X, a, b):
    global asked
    asked += 1
    if asked > 5:
        os._exit(0)
    return [asked % 2] * len(X)


def argmin(f):
    for k in range(200):
        f(k)
    return 3


class Model:
    def fit(self, X):
        while len(X) < 5:
            pass
        return self
