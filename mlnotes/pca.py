r"""Principal component analysis: the orthonormal directions along which data vary most.  Lecture 14.

    mu = 1/n sum_i x_i,   S = 1/(n - 1) sum_i (x_i - mu)(x_i - mu)'    mean and covariance             (1.1)
    S = V Lambda V',   lambda_1 >= ... >= lambda_d >= 0    v_1, ..., v_d: the orthonormal columns of V  (1.2)
    w <- S w / |S w|          power iteration: from almost every start it finds v_1, up to its sign     (3.2)
    z = V_k'(x - mu)          the scores of x, along the first k columns V_k of V
    x_hat = mu + V_k z        the reconstruction of x from its scores                                   (3.1)

The variance in the direction of a unit vector w is w'Sw.  V_k is the best W (d, k) with W'W = I in two ways:

Theorem 2.2 (Ky Fan). No W keeps more variance:  tr(W'SW) <= lambda_1 + ... + lambda_k.                 (2.1)
Theorem 2.3 (Eckart and Young). No k-dimensional plane is closer to the data: the sum of the squared distances
to it is at least (n - 1)(lambda_{k+1} + ... + lambda_d), which V_k attains.                            (2.2)

X (n, d) holds the observations.  Test data are centred with the *training* mean.  The signs of the v_j are
free, and if lambda_k = lambda_{k+1}, other planes are as good.
Inputs are not validated here; the estimators do that.
"""

import numpy as np

# ---- 1 Mean, covariance, eigenvectors


def mean_and_covariance(X):
    if len(X) < 2:
        raise ValueError("A covariance with the divisor n - 1 needs at least two observations.")
    mean = X.mean(axis=0)
    X_c = X - mean
    return mean, X_c.T @ X_c / (len(X) - 1)  # (1.1)


def power_iteration(S, w, before=(), tol=1e-13):
    """Yield w and its variance w'Sw, step by step; with v_1, ..., v_j in `before` this finds v_{j+1}.

    The variance never falls, and an eigenvalue of S is as close to it as |Sw - (w'Sw) w|    (Theorem 3.2).
    """
    while True:
        for v in before:
            w = w - (v @ w) * v  # make w orthogonal to v
        w = w / np.linalg.norm(w)
        image = S @ w
        variance = w @ image
        yield w, variance
        if np.linalg.norm(image - variance * w) <= tol * np.trace(S):
            return
        w = image  # (3.2)


def eigenpairs(S):
    """All eigenvalues, largest first, and orthonormal eigenvectors, the *columns* of V."""
    if not np.allclose(S, S.T):
        raise ValueError("S must be symmetric: only then are there orthonormal eigenvectors.")
    values, V = np.linalg.eigh(S)  # smallest first
    return values[::-1], V[:, ::-1]  # (1.2)


# ---- 3.1 The procedure


def scores(X, mean, V):
    return (X - mean) @ V  # (3.1)


def reconstruction(Z, mean, V):
    return mean + Z @ V.T  # (3.1)


class PCA:
    """Keep k components; with `whiten` every score is divided by its standard deviation."""

    def __init__(self, n_components, whiten=False):
        self.n_components = n_components
        self.whiten = whiten

    def fit(self, X):
        self.mean_, S = mean_and_covariance(X)
        values, V = eigenpairs(S)
        V_k = V[:, : self.n_components]
        self.components_ = V_k.T
        self.explained_variance_ = values[: self.n_components]
        self.certificate_ = certificate(np.trace(S), captured_variance(S, V_k), values, V_k)
        return self

    def transform(self, X):
        Z = scores(X, self.mean_, self.components_.T)
        if self.whiten:
            Z = Z / np.sqrt(self.explained_variance_)  # (3.4)
        return Z

    def inverse_transform(self, Z):
        if self.whiten:
            Z = Z * np.sqrt(self.explained_variance_)
        return reconstruction(Z, self.mean_, self.components_.T)


# ---- 2 Two theorems on the best subspace


def orthogonality_error(W):
    """The largest entry of W'W - I, which is 0 if the columns of W are orthonormal."""
    return abs(W.T @ W - np.eye(W.shape[1])).max()


def captured_variance(S, W):
    """The variance of the scores on the columns of W: at most lambda_1 + ... + lambda_k."""
    if orthogonality_error(W) > 1e-8:
        raise ValueError("W must have orthonormal columns; longer columns capture any variance you like.")
    return np.trace(W.T @ S @ W)  # (2.1)


def certificate(total, captured, values, V_k):
    """Both sides of (2.2) over n - 1: if they agree, no k-dimensional plane is closer to the data."""
    k = V_k.shape[1]
    next_value = values[k] if k < len(values) else 0
    return {
        "lost_variance": total - captured,  # tr S - tr(V_k' S V_k)
        "eckart_young": values[k:].sum(),
        "orthogonality": orthogonality_error(V_k),
        "gap": values[k - 1] - next_value,  # at 0 another subspace is as good
    }


# ---- 3.2 Fewer observations than features


def gram_directions(X, k):
    """v_1, ..., v_k from the (n, n) matrix of inner products: X_c'u over its length    (Proposition 3.1).

    The squared lengths are the eigenvalues of X_c X_c', which are n - 1 times those of S.
    """
    X_c = X - X.mean(axis=0)
    values, U = eigenpairs(X_c @ X_c.T)
    return X_c.T @ U[:, :k] / np.sqrt(values[:k])


# ---- 3.3 How many components


def components_for(variances, fraction):
    """The smallest k for which k components keep this fraction of the total variance."""
    if not 0 < fraction < 1:
        raise ValueError("The fraction of the variance must lie strictly between 0 and 1.")
    kept = np.cumsum(variances) / np.sum(variances)
    return 1 + int(np.argmax(kept >= fraction - 1e-12))  # (3.3), where equality holds up to rounding errors
