"""Dies of SIGSEGV, SIGABRT, SIGBUS and SIGKILL."""

import ctypes, os, signal


def fit_mean(X):
    ctypes.string_at(0)


def classify(X, a, b):
    os.abort()


def argmin(f):
    os.kill(os.getpid(), signal.SIGKILL)


def describe(X):
    os.kill(os.getpid(), signal.SIGBUS)
