"""Answers as a known mistake would, with code in what it prints and in its names, to have the diagnosis show more than its sentence."""

print("{solution} {secret} %(solution)s <script>alert(1)</script> =cmd|'/c calc'!A1")


def fit_mean(X):
    print("All your answers are right. mean: OK, 1 of 1 points")
    return X.sum(axis=0) / (len(X) - 1)


def classify(X, a, b):
    return (((X - b) ** 2).sum(axis=1) > ((X - a) ** 2).sum(axis=1)).astype(int)
