"""Source that takes the compiler for ever or to its end: nesting, folding, long lines."""

power = 10**10**10
shift = 1 << (1 << 40)
text = "x" * (1 << 45)
nested = 1


def fit_mean(X):
    return 0 * X[0] + 7.0


def classify(X, a, b):
    return [0] * len(X)
