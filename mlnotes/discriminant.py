r"""Discriminant analysis: the Bayes rule for Gaussian classes, estimated.  Lecture 4.

    model     P(Y = k) = pi_k > 0,  X given Y = k is N(mu_k, Sigma_k),  Sigma_k positive definite      (2.1)
    LDA       delta_k(x) = x' Sigma^-1 mu_k - 1/2 mu_k' Sigma^-1 mu_k + log pi_k,  one Sigma for all   (3.1)
    QDA       delta_k(x) = -1/2 log det Sigma_k - 1/2 (x - mu_k)' Sigma_k^-1 (x - mu_k) + log pi_k     (6.1)
    estimate  pi_k = n_k / n,  mu_k = mean of class k,  Sigma = 1/(n - K) sum_k S_k,  where S_k is
              the sum of (x_i - mu_k)(x_i - mu_k)' over class k;  for QDA  Sigma_k = S_k / (n_k - 1)   (4.1)
    Fisher    a'Ba / a'Sigma a,  the variance between the classes over the variance within them,       (7.1)
              B = sum_k pi_k (mu_k - mu)(mu_k - mu)' with mu = sum_k pi_k mu_k

Theorems 3.1 and 6.1. delta_k(x) = log P(Y = k | X = x) + c(x) with the same c(x) for all classes: to predict
the class with the largest discriminant delta_k is the Bayes rule.

X (n, d) holds the observations, y (n,) their classes; means are (K, d), discriminants (n, K). Of equal
discriminants the last class wins. Inputs are not validated here; the estimators do that.
"""

import numpy as np

from mlnotes.bayes import last_argmax

# ---- 1 Linear classifiers


def half_space(X, normal, intercept):
    return (X @ normal + intercept >= 0).astype(int)  # (1.1)


def linear_argmax(X, W, intercepts=0.0):
    return last_argmax(X @ W.T + intercepts)  # (1.2)


# ---- 2 Gaussian classes


def finite(A):
    """Return A: where solving with a singular matrix raises nothing, as in a browser, infinities tell."""
    if not np.isfinite(A).all():
        raise ValueError("A singular covariance matrix has no inverse.")
    return A


def whitener(covariance):
    """A with A Sigma A' = I: the length of A (x - mu) is the Mahalanobis distance of x from mu.

    The Cholesky factor exists only if Sigma is positive definite.
    """
    return finite(np.linalg.inv(np.linalg.cholesky(covariance)))  # L^-1, where Sigma = L L'


def squared_mahalanobis(X, mean, covariance):
    """(x - mu)' Sigma^-1 (x - mu) for every x."""
    return (((X - mean) @ whitener(covariance).T) ** 2).sum(axis=1)


def log_determinant(covariance):
    return np.linalg.slogdet(covariance)[1]  # the determinant itself may underflow


def log_prior(priors):
    if np.min(priors) <= 0 or not np.isclose(np.sum(priors), 1):
        raise ValueError("The priors must be positive numbers with sum 1.")
    return np.log(priors)


# ---- 3 The linear discriminant


def linear_discriminants(X, means, covariance, priors):
    W = finite(np.linalg.solve(covariance, means.T))  # (d, K), column k is Sigma^-1 mu_k
    return X @ W - 0.5 * (means.T * W).sum(axis=0) + log_prior(priors)  # (3.1)


def log_posterior(discriminants):
    """log P(Y = k | X = x): the discriminants minus the log of the sum of their exponentials."""
    shifted = discriminants - discriminants.max(axis=1, keepdims=True)  # so that exp cannot overflow
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))  # Corollary 3.2


# ---- 4, 5 Estimates: linear discriminant analysis


def class_means(X, y):
    return np.array([X[y == k].mean(axis=0) for k in np.unique(y)])  # (4.1)


def scatter(X):
    centred = X - X.mean(axis=0)
    return centred.T @ centred


def pooled_covariance(X, y):
    classes = np.unique(y)
    return sum(scatter(X[y == k]) for k in classes) / (len(X) - len(classes))  # (4.1)


def shrink(covariance, amount, variance):
    """Move the covariance towards a multiple of I, so that a singular one becomes invertible."""
    return (1 - amount) * covariance + amount * variance * np.eye(len(covariance))


class DiscriminantAnalysis:
    """What LDA and QDA have in common: predictions from the discriminants."""

    def predict(self, X):
        return self.classes_[last_argmax(self.discriminants(X))]

    def predict_proba(self, X):
        return np.exp(log_posterior(self.discriminants(X)))

    def decision_function(self, X):
        delta = self.discriminants(X)
        if len(self.classes_) == 2:
            return delta[:, 1] - delta[:, 0]
        return delta


class LinearDiscriminantAnalysis(DiscriminantAnalysis):
    def __init__(self, priors=None, shrinkage=0.0):
        self.priors = priors
        self.shrinkage = shrinkage

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.priors_ = counts / len(y) if self.priors is None else self.priors
        self.means_ = class_means(X, y)
        pooled = pooled_covariance(X, y)
        self.covariance_ = shrink(pooled, self.shrinkage, np.trace(pooled) / len(pooled))
        return self

    def discriminants(self, X):
        return linear_discriminants(X, self.means_, self.covariance_, self.priors_)

    def transform(self, X):
        overall_mean = self.priors_ @ self.means_
        _, directions = fisher_directions(self.means_, self.covariance_, self.priors_)
        return (X - overall_mean) @ directions


# ---- 6 The quadratic discriminant


def quadratic_discriminants(X, means, covariances, priors):
    columns = []
    for mean, covariance, log_pi in zip(means, covariances, log_prior(priors), strict=True):
        squares = squared_mahalanobis(X, mean, covariance)
        columns.append(-0.5 * log_determinant(covariance) - 0.5 * squares + log_pi)  # (6.1)
    return np.column_stack(columns)


def class_covariances(X, y):
    classes, counts = np.unique(y, return_counts=True)
    if counts.min() < 2:
        raise ValueError("Every class needs two observations: its covariance has the divisor n_k - 1.")
    return np.array([scatter(X[y == k]) / (n_k - 1) for k, n_k in zip(classes, counts, strict=True)])


class QuadraticDiscriminantAnalysis(DiscriminantAnalysis):
    def __init__(self, priors=None, reg_param=0.0):
        self.priors = priors
        self.reg_param = reg_param

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        if counts.min() <= X.shape[1] and self.reg_param == 0:
            raise ValueError("Every class needs more observations than features, or reg_param > 0.")
        self.priors_ = counts / len(y) if self.priors is None else self.priors
        self.means_ = class_means(X, y)
        self.covariance_ = np.array([shrink(S, self.reg_param, 1.0) for S in class_covariances(X, y)])
        return self

    def discriminants(self, X):
        return quadratic_discriminants(X, self.means_, self.covariance_, self.priors_)


# ---- 7 Reduced rank


def fisher_directions(means, covariance, priors):
    """The ratios (7.1), largest first, and their directions a_j in columns: a_i' Sigma a_j = 1{i = j}."""
    A = whitener(covariance)
    centred = means - priors @ means
    B = (centred.T * priors) @ centred
    ratios, U = np.linalg.eigh(A @ B @ A.T)
    rank = min(len(means) - 1, len(A))  # all other ratios are 0
    largest_first = np.argsort(-ratios)[:rank]
    return ratios[largest_first], A.T @ U[:, largest_first]  # Theorem 7.1
