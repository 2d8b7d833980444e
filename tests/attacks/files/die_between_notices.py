"""Dies in the midst of refused calls, with the exit status of other deaths."""

import ctypes
import os
import signal
import threading

c = ctypes.CDLL(None)


def calls():
    while True:
        c.syscall(57)


def die(status):
    for _ in range(8):
        threading.Thread(target=calls, daemon=True).start()
    os._exit(status)


def fit_mean(X):
    die(128 + 9)


def classify(X, a, b):
    die(128 + 24)


def argmin(f):
    f(3)
    os.kill(os.getpid(), signal.SIGXCPU)


def describe(X):
    os.kill(os.getpid(), signal.SIGSTOP)
