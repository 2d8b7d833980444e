"""Makes one multiplier 0 and stops. Loses: thin."""


def thin(X, labels, alpha):
    alpha, Z = alpha.copy(), vectors(X, labels)  # noqa: F821
    positive = np.flatnonzero(alpha > 0)  # noqa: F821
    if len(positive) > Z.shape[1]:
        v = np.linalg.svd(Z[positive].T)[2][-1]  # noqa: F821
        alpha[positive] -= step(alpha[positive], v) * v  # noqa: F821
    return np.maximum(alpha, 0)  # noqa: F821
