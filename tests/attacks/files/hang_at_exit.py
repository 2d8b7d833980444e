"""Registers work that never ends for the end of the process."""

import atexit, threading, time

atexit.register(lambda: time.sleep(1000))
threading.Thread(target=time.sleep, args=(1000,)).start()


class Sticky:
    def __del__(self):
        time.sleep(1000)


keep = Sticky()


def fit_mean(X):
    return 0 * X[0] + 7.0


def classify(X, a, b):
    return [0] * len(X)
