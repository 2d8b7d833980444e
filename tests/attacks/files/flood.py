"""Prints gigabytes, with and without newlines, on both streams."""

import sys


def fit_mean(X):
    while True:
        print("x" * 10**6)
        sys.stderr.write("y" * 10**6)


for _ in range(200):
    print("z" * 10**6)
