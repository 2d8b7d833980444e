"""Leaves with exit status 0 from inside each function."""

import os, sys


def fit_mean(X):
    os._exit(0)


def classify(X, a, b):
    sys.exit(0)


def argmin(f):
    raise SystemExit(0)


def describe(X):
    quit(0)
