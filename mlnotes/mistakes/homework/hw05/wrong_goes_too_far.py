"""Goes until the last positive multiplier is 0, past the first: others become negative. Loses: thin."""


def thin(X, labels, alpha):
    alpha, Z = alpha.copy(), vectors(X, labels)  # noqa: F821
    positive = np.flatnonzero(alpha > 0)  # noqa: F821
    v = np.linalg.svd(Z[positive].T)[2][-1]  # noqa: F821
    if len(positive) > Z.shape[1]:
        up = v > 1e-9
        alpha[positive] -= (alpha[positive][up] / v[up]).max() * v
    return alpha
