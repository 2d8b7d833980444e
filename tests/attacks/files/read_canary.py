"""Reads the instructor's secret, by the path that is used in these tests and by links to it."""

import os

CANARY = "/tmp/mlnotes-attack-canary/secret.key"


def fit_mean(X):
    for make in (os.link, os.symlink):
        try:
            make(CANARY, "here")
        except OSError:
            pass
    for path in (CANARY, "here", f"/proc/self/root{CANARY}", f"/proc/1/root{CANARY}"):
        try:
            print("LEAK", open(path).read())
        except OSError:
            pass
    return 0 * X[0] + 7.0
