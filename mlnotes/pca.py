"""Principal components: the orthonormal directions along which rows vary most.  Lecture 14.

    mu = 1/n sum_i x_i,    S = 1/(n - 1) sum_i (x_i - mu)(x_i - mu)'                           (1.1)
    S = V Lambda V',    lambda_1 >= ... >= lambda_d >= 0,    v_1, ..., v_d the columns of V    (1.2)

V_k, the first k columns, is the best W with orthonormal columns, W'W = I_k, in two ways:

    tr(W'SW) <= lambda_1 + ... + lambda_k                                 Ky Fan               (2.1)
    sum_i |x_i - mu - WW'(x_i - mu)|^2
        >= (n - 1)(lambda_{k+1} + ... + lambda_d)                         Eckart and Young     (2.2)

The scores of a row are z = V_k'(x - mu), its reconstruction is mu + V_k z.                    (3.1)

X has shape (n, d). Later rows are centred with mu, too, never with a mean of their own. Signs are
free: the entry of largest absolute value of every v_j is made positive. If lambda_k equals
lambda_{k+1}, another subspace is as good. Variances of at most max(n, d) roundings of lambda_1
count as 0, and so do whitened scores in their directions.

Only what a definition excludes is refused here; else NumPy speaks: the estimators check input.
"""

import numpy as np

EPS = np.finfo(float).eps

# ---- 1 Mean, covariance, eigenvectors


def mean_and_covariance(X):
    if len(X) < 2:
        raise ValueError("a covariance with divisor n - 1 needs two rows or more")
    mean = np.mean(X, axis=0)
    X_c = X - mean
    return mean, X_c.T @ X_c / (len(X) - 1)  # (1.1)


def orient(V):
    """Make the entry of largest absolute value of every column positive."""
    largest = V[np.argmax(abs(V), axis=0), np.arange(V.shape[1])]
    return V * np.where(largest < 0, -1.0, 1.0)


def eigenpairs(S):
    """Eigenvalues, largest first, and unit eigenvectors, the *columns* of V."""
    if abs(S - S.T).max() > 1e-12 * abs(S).max():
        raise ValueError("S must be symmetric: else it has no orthonormal eigenvectors")
    values, V = np.linalg.eigh(S)  # in ascending order
    return values[::-1], orient(V[:, ::-1])  # (1.2)


# ---- 2 Two theorems on the best subspace


def orthogonality(W):
    """The largest entry of W'W - I: 0 if the columns are orthonormal."""
    return abs(W.T @ W - np.eye(W.shape[1])).max()


def captured_variance(S, W):
    """The variance of the scores on the columns of W, at most lambda_1 + ... + lambda_k."""
    if orthogonality(W) > 1e-8:
        raise ValueError("W must have orthonormal columns: longer ones capture what one likes")
    return (W * (S @ W)).sum()  # tr(W'SW), (2.1)


def reconstruction_error(X, approximation):
    """The sum of the squared distances from rows to their approximations."""
    return ((X - approximation) ** 2).sum()  # (2.2)


def certificate(total, captured, values, V):
    """Both sides of (2.2) over n - 1: they agree if no k directions are better than V."""
    k = V.shape[1]
    return {
        "lost_variance": total - captured,
        "eckart_young": values[k:].sum(),
        "orthogonality": orthogonality(V),
        "gap": values[k - 1] - values[k:].max(initial=0.0),  # at 0 another subspace is as good
    }


# ---- 3 The procedure


def scores(X, mean, V):
    return (X - mean) @ V  # (3.1)


def reconstruction(Z, mean, V):
    return mean + Z @ V.T  # (3.1)


def by_covariance(X_c):
    return eigenpairs(X_c.T @ X_c / (len(X_c) - 1))


def by_gram(X_c):
    """An eigenvector u of the inner products, (n, n), gives X'u, one of S (Proposition 3.1)."""
    values, U = eigenpairs(X_c @ X_c.T / (len(X_c) - 1))
    return values, np.linalg.qr(X_c.T @ U)[0]  # QR divides by the lengths, and allows a length of 0


def power_iteration(S, w, before=(), tol=1e-13, steps=100_000):
    """Multiply w by S again and again, at right angles to the directions before. Yield w and w'Sw.

    The variance w'Sw never falls (Theorem 3.2). Stop where |Sw - (w'Sw) w| <= tol tr S: some
    eigenvalue of S is then as close as this to w'Sw; or after so many steps, where two variances
    are so nearly equal that either direction is as good.
    """
    for _ in range(steps):
        for v in before:
            w = w - (v @ w) * v
        w = w / np.linalg.norm(w)
        image = S @ w
        variance = w @ image
        yield w, variance
        if np.linalg.norm(image - variance * w) <= tol * np.trace(S):
            return
        w = image  # (3.2)


def by_power(X_c):
    """One direction after the other (Theorem 2.1), each from a random start."""
    (n, d), rng = X_c.shape, np.random.default_rng(0)
    S, values, V = X_c.T @ X_c / (n - 1), np.zeros(min(n, d)), np.zeros((d, min(n, d)))
    for j in range(min(n, d)):
        *_, (V[:, j], values[j]) = power_iteration(S, rng.standard_normal(d), V[:, :j].T)
    return values, V


ROUTES = {"eigh": by_covariance, "gram": by_gram, "power": by_power}


def components_for(explained_variance, fraction):
    """The least k whose variances add up to the fraction q of all; 1 if nothing varies."""
    if not 0 < fraction < 1:
        raise ValueError("a share of the variance lies strictly between 0 and 1")
    sums = np.cumsum(explained_variance)
    slack = len(sums) * EPS * sums[-1]  # 0.9 times a sum may be rounded up, above the sum it equals
    return int(np.searchsorted(sums, fraction * sums[-1] - slack)) + 1  # (3.3)


def deviations(variances, tol):
    """Standard deviations; 0 where the variance is at most tol lambda_1, which is rounding."""
    return np.sqrt(np.where(variances > tol * variances[0], variances, 0.0))


def whiten(Z, deviations):
    return np.divide(Z, deviations, out=np.zeros_like(Z), where=deviations > 0)  # (3.4)


class PCA:
    """n_components is k, or the share of the variance to keep, or None for all min(n, d)."""

    def __init__(self, n_components=None, *, whiten=False, solver="eigh"):
        self.n_components, self.whiten, self.solver = n_components, whiten, solver

    def fit(self, X, y=None):
        X = np.asarray(X, dtype=float)
        self.mean_, S = mean_and_covariance(X)
        values, V = ROUTES[self.solver](X - self.mean_)
        values = np.maximum(values[: min(X.shape)], 0.0)  # below 0 by rounding alone
        k = len(values) if self.n_components is None else self.n_components
        k = components_for(values, k) if 0 < k < 1 else k
        if not 1 <= k <= len(values):
            raise ValueError(f"of {len(values)} components there are no {k}")
        V = orient(V[:, :k])
        self.components_, self.explained_variance_ = V.T, values[:k]
        self.deviations_ = deviations(values[:k], max(X.shape) * EPS)
        self.certificate_ = certificate(np.trace(S), captured_variance(S, V), values, V)
        return self

    def transform(self, X):
        Z = scores(X, self.mean_, self.components_.T)
        return whiten(Z, self.deviations_) if self.whiten else Z

    def inverse_transform(self, Z):
        Z = Z * self.deviations_ if self.whiten else Z
        return reconstruction(Z, self.mean_, self.components_.T)
