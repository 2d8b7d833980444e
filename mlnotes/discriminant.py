"""Discriminant analysis: the Bayes rule for Gaussian classes, with estimates put in.  Lecture 4 and Deeper 4.

    f(x) = 1{<beta, x> + beta_0 >= 0},  for K classes  arg max_k <w_k, x> + b_k         (1.1) (1.2)
    P(Y = k) = pi_k > 0,  X given Y = k is N(mu_k, Sigma_k),  Sigma_k positive definite    (2.1)
    delta_k(x) = x' Sigma^-1 mu_k - 1/2 mu_k' Sigma^-1 mu_k + log pi_k    LDA: one Sigma   (3.1)
    delta_k(x) = -1/2 log det Sigma_k - 1/2 |x - mu_k|_k^2 + log pi_k     QDA              (6.1)

with |v|_k^2 = v' Sigma_k^-1 v, the square of the Mahalanobis distance. By Theorems 3.1 and 6.1
delta_k(x) = log P(Y = k | X = x) + c(x): the class of the largest score is the Bayes rule.

    pi_k = n_k / n,    mu_k the class means,    Sigma = 1/(n - K) sum_k S_k                (4.1)

are the estimates, S_k the sum of the centred squares of class k; QDA puts in S_k / (n_k - 1). Of equal
scores the last class wins. Eigenvalues of the correlations below 1e-10 of the largest count as 0: QDA
refuses such a covariance; LDA inverts it on its range, and warns if means differ where no class varies.

The domain of the theorems is checked here; else NumPy speaks: the estimators check their input.
"""

import warnings

import numpy as np

from mlnotes.bayes import last_argmax

TOLERANCE, EPS = 1e-10, np.finfo(float).eps

# ---- 1 Linear classifiers


def half_space(X, normal, offset):
    return (np.dot(X, normal) + offset >= 0).astype(int)  # (1.1)


def linear_argmax(X, weights, offsets=0.0):
    return last_argmax(np.dot(X, np.transpose(weights)) + offsets)  # (1.2)


# ---- 2 Gaussian classes


def units(S):
    """Standard deviations; 1 where nothing varies."""
    variances = np.diag(S)
    return np.sqrt(np.where(variances > 0, variances, 1.0))


def whitener(S):
    """A with A S A' = I, a row for each direction in which S varies: A'A inverts S on its range."""
    S, scale = np.asarray(S, dtype=float), units(S)
    values, V = np.linalg.eigh(S / scale / scale[:, None])  # of the correlation matrix
    varies = values > TOLERANCE * max(values[-1], 0.0)
    return (V[:, varies] / np.sqrt(values[varies])).T / scale


def regular_whitener(S):
    A = whitener(S)
    if len(A) < len(S) or not np.allclose(S, np.transpose(S), rtol=1e-12, atol=0):
        raise ValueError("a covariance must be positive definite: else there is no density")
    return A


def log_determinant(covariance):
    return -2 * np.linalg.slogdet(regular_whitener(covariance))[1]  # det Sigma itself may underflow


def log_prior(prior):
    if np.min(prior) <= 0 or abs(np.sum(prior) - 1) > 1e-9:
        raise ValueError("the priors of the classes must be positive, with sum 1")
    return np.log(prior)


# ---- 3 The linear discriminant


def linear_discriminants(X, means, covariance, prior):
    A = regular_whitener(covariance)
    white = means @ A.T  # (K, d)
    return X @ A.T @ white.T - 0.5 * (white**2).sum(axis=1) + log_prior(prior)  # (3.1)


def log_posterior(scores):
    """Logarithms of e^delta_k / sum_j e^delta_j, for scores of shape (n, K)."""
    scores = scores - scores.max(axis=1, keepdims=True)  # so that nothing overflows
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))  # Corollary 3.2


# ---- 4 Estimates


def rows_by_class(X, y):
    return [X[y == k] for k in np.unique(y)]


def scatter(rows):
    mean = rows.mean(axis=0)
    deviations = rows - mean
    deviations[:, abs(deviations).max(axis=0) <= len(rows) * EPS * abs(mean)] = 0.0  # a constant feature
    return deviations.T @ deviations


def class_means(X, y):
    return np.array([rows.mean(axis=0) for rows in rows_by_class(X, y)])  # (4.1)


def class_covariances(X, y):
    if np.unique(y, return_counts=True)[1].min() < 2:
        raise ValueError("a class covariance has the divisor n_k - 1: every class needs two rows")
    return np.array([scatter(rows) / (len(rows) - 1) for rows in rows_by_class(X, y)])


def pooled_covariance(X, y):
    groups = rows_by_class(X, y)
    if len(X) == len(groups):
        raise ValueError("the pooled covariance has the divisor n - K: some class needs two rows")
    return sum(scatter(rows) for rows in groups) / (len(X) - len(groups))  # (4.1)


class GaussianClassifier:
    """What both analyses share: priors, given, "equal" or estimated, and answers from scores (n, K)."""

    def estimate(self, X, y):
        X, (self.classes_, codes) = np.asarray(X, dtype=float), np.unique(y, return_inverse=True)
        self.means_, K = class_means(X, codes), len(self.classes_)
        self.priors_ = np.bincount(codes) / len(X) if self.priors is None else self.priors  # (4.1)
        if isinstance(self.priors, str):
            self.priors_ = {"equal": np.full(K, 1 / K)}[self.priors]
        return X, codes

    def decision_function(self, X):
        scores = self.scores(np.asarray(X, dtype=float))
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X):
        return self.classes_[last_argmax(self.scores(np.asarray(X, dtype=float)))]

    def predict_log_proba(self, X):
        return log_posterior(self.scores(np.asarray(X, dtype=float)))

    def predict_proba(self, X):
        return np.exp(self.predict_log_proba(X))


# ---- 5 When the covariance is singular


def blend(S, share, variance):
    """Give way, by a share, to a multiple of I, which is regular."""
    return (1 - share) * S + share * variance * np.eye(S.shape[-1])


def blind_share(M, seen):
    """The share of the squared spread of the means M that is lost if a rule sees `seen` of them."""
    largest = abs(M).max() or 1.0  # squares of tiny means vanish
    return (((M - seen) / largest) ** 2).sum() / max(((M / largest) ** 2).sum(), 1.0)  # 0 if M is 0


class LinearDiscriminantAnalysis(GaussianClassifier):
    def __init__(self, *, priors=None, shrinkage=None):
        self.priors, self.shrinkage = priors, shrinkage

    def fit(self, X, y):
        X, y = self.estimate(X, y)
        S = pooled_covariance(X, y)
        self.covariance_ = S = blend(S, self.shrinkage or 0.0, np.trace(S) / len(S))
        A, scale = whitener(S), units(S)
        self.xbar_ = np.dot(self.priors_, self.means_)
        deviations = self.means_ - self.xbar_
        self.weights_ = deviations @ A.T @ A  # (K, d), Proposition 5.2
        self.offsets_ = log_prior(self.priors_) - 0.5 * (self.weights_ * deviations).sum(axis=1)
        blind = blind_share(deviations / scale, self.weights_ @ S / scale)
        self.certificate_ = {"rank": len(A), "blind": blind}
        if blind > TOLERANCE:
            warnings.warn("blind: the class means differ where no class varies", stacklevel=2)
        return self

    def scores(self, X):
        return (X - self.xbar_) @ self.weights_.T + self.offsets_  # (3.1), less a c(x)

    def transform(self, X):
        return (X - self.xbar_) @ fisher_directions(self.means_, self.covariance_, self.priors_)[1]


# ---- 6 The quadratic discriminant


def quadratic_discriminants(X, means, covariances, prior):
    columns = []
    for mean, S, log_share in zip(means, covariances, log_prior(prior), strict=True):
        squares = ((np.subtract(X, mean) @ regular_whitener(S).T) ** 2).sum(axis=1)
        columns.append(-0.5 * log_determinant(S) - 0.5 * squares + log_share)  # (6.1)
    return np.column_stack(columns)


class QuadraticDiscriminantAnalysis(GaussianClassifier):
    def __init__(self, *, priors=None, reg_param=0.0):
        self.priors, self.reg_param = priors, reg_param

    def fit(self, X, y):
        X, y = self.estimate(X, y)
        self.covariance_ = blend(class_covariances(X, y), self.reg_param, 1.0)
        self.log_det_ = np.array([log_determinant(S) for S in self.covariance_])  # or a refusal
        return self

    def scores(self, X):
        return quadratic_discriminants(X, self.means_, self.covariance_, self.priors_)


# ---- 7 Reduced rank


def orient(directions):
    """Make the entry of largest absolute value of every column positive."""
    largest = directions[np.argmax(abs(directions), axis=0), np.arange(directions.shape[1])]
    return directions * np.where(largest < 0, -1.0, 1.0)


def fisher_directions(means, covariance, prior):
    """Ratios of between-class to within-class variance, largest first, and directions as columns a_j:
    a_i' Sigma a_j = 1{i = j}. Directions of ratio 0 (Theorem 7.1) and constant features are left out."""
    A, deviations = whitener(covariance), means - np.dot(prior, means)
    M = A @ (deviations.T * prior) @ deviations @ A.T  # A B A'
    ratios, U = np.linalg.eigh(M)
    some = np.flatnonzero(ratios > TOLERANCE * ratios.max(initial=0.0))[::-1]
    return ratios[some], orient(A.T @ U[:, some])
