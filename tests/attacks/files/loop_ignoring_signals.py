"""Ignores every signal that can be ignored and then loops in the function."""

import signal


def fit_mean(X):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
