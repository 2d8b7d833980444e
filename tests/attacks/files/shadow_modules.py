"""Writes modules named like the standard library's into its folder and onto the path."""

import os, sys

for name in ("numpy", "json", "wire", "confine", "random", "struct", "mlnotes"):
    try:
        os.makedirs(name, exist_ok=True)
        open(f"{name}/__init__.py", "w").write("print('LEAK shadow')\n")
    except OSError:
        pass
sys.path.insert(0, os.getcwd())
for name in ("json", "struct", "random"):
    sys.modules.pop(name, None)


def fit_mean(X):
    return 0 * X[0] + 7.0


def classify(X, a, b):
    return [0] * len(X)
