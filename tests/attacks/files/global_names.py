"""Fills its namespace with a million names, some of them not strings."""

for k in range(1_000_000):
    globals()[f"name{k}"] = k
globals()[42] = 42


def fit_mean(X):
    return 0 * X[0] + 7.0


def classify(X, a, b):
    return [0] * len(X)
