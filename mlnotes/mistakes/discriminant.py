"""Wrong discriminant analysis, one typical mistake each."""

import numpy as np

from mlnotes import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from mlnotes import discriminant as right
from mlnotes.mistakes import Mistakes, scaled

mistake = MISTAKES = Mistakes("discriminant")


# ------------------------------------------------------------------- linear classifiers


@mistake("half_space", kills=("discriminant.linear-hyperplane",))
def _(X, normal, offset):
    """Lets np.sign answer: -1, and 0 on the hyperplane."""
    return np.sign(np.asarray(X) @ normal + offset)


@mistake("half_space", kills=("discriminant.linear-hyperplane",))
def _(X, normal, offset):
    """Leaves the hyperplane to the other side."""
    return (np.asarray(X) @ normal + offset > 0).astype(int)


@mistake(
    "half_space",
    kills=(
        "discriminant.linear-hyperplane", "discriminant.linear-separability-figure",
        "discriminant.linear-nonlinear-needed",
    ),
)  # fmt: skip
def _(X, normal, offset):
    """Forgets the offset."""
    return right.half_space(X, normal, 0.0)


@mistake(
    "half_space",
    kills=(
        "discriminant.linear-hyperplane", "discriminant.linear-separability-figure",
        "discriminant.linear-nonlinear-needed", "discriminant.erratum-s26",
    ),
)  # fmt: skip
def _(X, normal, offset):
    """Answers for the other side."""
    return 1 - right.half_space(X, normal, offset)


@mistake("linear_argmax", kills=("discriminant.linear-multiclass-argmax", "discriminant.erratum-y4"))
def _(X, weights, offsets=0.0):
    """Takes the class of the smallest score."""
    return right.linear_argmax(X, -np.asarray(weights), -np.asarray(offsets))


@mistake("linear_argmax", kills=("discriminant.linear-multiclass-argmax",))
def _(X, weights, offsets=0.0):
    """Compares angles: the weights are normalised."""
    W = np.asarray(weights, dtype=float)
    return right.linear_argmax(X, W / (np.linalg.norm(W, axis=1, keepdims=True) + 1e-300), offsets)


@mistake("linear_argmax", kills=("discriminant.linear-multiclass-argmax",))
def _(X, weights, offsets=0.0):
    """Takes the largest absolute score."""
    return np.argmax(abs(np.asarray(X) @ np.asarray(weights).T), axis=1)


@mistake("linear_argmax", kills=("discriminant.erratum-y4",))
def _(X, weights, offsets=0.0):
    """Forgets the offsets."""
    return right.linear_argmax(X, weights)


# ------------------------------------------------------------------- estimates


@mistake("pooled_covariance", kills=("discriminant.lda-pooled-cov", "discriminant.erratum-y7"))
def _(X, y):
    """Divides by n: maximum likelihood."""
    return right.pooled_covariance(X, y) * (len(X) - len(set(y))) / len(X)


@mistake("pooled_covariance", kills=("discriminant.lda-pooled-cov", "discriminant.erratum-y7"))
def _(X, y):
    """Divides by n - 1."""
    return right.pooled_covariance(X, y) * (len(X) - len(set(y))) / (len(X) - 1)


@mistake(
    "pooled_covariance",
    kills=("discriminant.lda-pooled-cov", "discriminant.erratum-y7", "discriminant.erratum-t6"),
)
def _(X, y):
    """Centres at the mean of all rows."""
    return np.atleast_2d(np.cov(np.asarray(X).T))


@mistake("pooled_covariance", kills=("discriminant.lda-pooled-cov",))
def _(X, y):
    """Averages the class covariances without the class sizes."""
    return right.class_covariances(X, y).mean(axis=0)


@mistake("class_covariances", kills=("discriminant.lda-class-cov",))
def _(X, y):
    """Divides by n_k."""
    n = np.bincount(y)[:, None, None]
    return right.class_covariances(X, y) * (n - 1) / n


@mistake("class_covariances", kills=("discriminant.lda-class-cov",))
def _(X, y):
    """Gives every class the pooled covariance."""
    return np.repeat(right.pooled_covariance(X, y)[None], len(set(y)), axis=0)


@mistake("class_covariances", kills=("discriminant.qda-singular",))
def _(X, y):
    """Adds a small multiple of the identity in silence."""
    return right.class_covariances(X, y) + 1e-3 * np.eye(np.shape(X)[1])


# ------------------------------------------------------------------- the discriminants


@mistake(
    "linear_discriminants",
    kills=(
        "discriminant.lda-discriminant", "discriminant.lda-bayes-classifier", "discriminant.erratum-y5",
        "discriminant.erratum-t8",
    ),
)  # fmt: skip
def _(X, means, covariance, prior):
    """Forgets the factor 1/2."""
    M = np.asarray(means)
    half = 0.5 * (np.linalg.solve(covariance, M.T) * M.T).sum(axis=0)
    return right.linear_discriminants(X, means, covariance, prior) - half


@mistake(
    "linear_discriminants",
    kills=("discriminant.lda-discriminant", "discriminant.lda-bayes-classifier", "discriminant.erratum-t8"),
)
def _(X, means, covariance, prior):
    """Forgets the prior."""
    return right.linear_discriminants(X, means, covariance, np.full(len(prior), 1 / len(prior)))


@mistake("linear_discriminants", kills=("discriminant.lda-discriminant",))
def _(X, means, covariance, prior):
    """Multiplies by the covariance in place of its inverse."""
    return right.linear_discriminants(X, means, np.linalg.inv(covariance), prior)


@mistake("linear_discriminants", kills=("discriminant.lda-model", "discriminant.erratum-y6"))
def _(X, means, covariance, prior):
    """Takes a pseudo-inverse without a word."""
    W, M = np.linalg.pinv(covariance) @ np.transpose(means), np.transpose(means)
    return np.asarray(X) @ W - 0.5 * (W * M).sum(axis=0) + np.log(prior)


@mistake("linear_discriminants", kills=("discriminant.erratum-y5",))
def _(X, means, covariance, prior):
    """Returns the log posterior itself."""
    scores = right.linear_discriminants(X, means, covariance, prior)
    return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


@mistake("quadratic_discriminants", kills=("discriminant.qda-model", "discriminant.qda-hw-bayes"))
def _(X, means, covariances, prior):
    """Forgets the log-determinant."""
    logs = np.linalg.slogdet(covariances)[1]
    return right.quadratic_discriminants(X, means, covariances, prior) + 0.5 * logs


@mistake("quadratic_discriminants", kills=("discriminant.qda-model", "discriminant.qda-hw-bayes"))
def _(X, means, covariances, prior):
    """Adds the log-determinant."""
    logs = np.linalg.slogdet(covariances)[1]
    return right.quadratic_discriminants(X, means, covariances, prior) + logs


@mistake(
    "quadratic_discriminants",
    kills=("discriminant.qda-model", "discriminant.qda-hw-bayes", "discriminant.erratum-t8"),
)
def _(X, means, covariances, prior):
    """Forgets the prior."""
    return right.quadratic_discriminants(X, means, covariances, np.full(len(prior), 1 / len(prior)))


@mistake("quadratic_discriminants", kills=("discriminant.erratum-y6",))
def _(X, means, covariances, prior):
    """Adds a ridge without a word, so that a singular matrix passes."""
    S = np.asarray(covariances) + 1e-6 * np.eye(np.shape(X)[1])
    return right.quadratic_discriminants(X, means, S, prior)


@mistake("log_determinant", kills=("discriminant.qda-rule-logeig",))
def _(covariance):
    """Takes the logarithm of the product of the eigenvalues."""
    return np.log(np.prod(np.linalg.eigvalsh(covariance)))


@mistake("log_determinant", kills=("discriminant.qda-rule-logeig",))
def _(covariance):
    """Takes the logarithm of the sum of the eigenvalues."""
    return np.log(np.linalg.eigvalsh(covariance).sum())


@mistake("log_determinant", kills=("discriminant.qda-rule-logeig",))
def _(covariance):
    """Forgets that the Cholesky factor carries half of the logarithm."""
    return right.log_determinant(covariance) / 2


# ------------------------------------------------------------------- the classifiers


class _Changed(LinearDiscriminantAnalysis):
    def fit(self, X, y):
        super().fit(X, y)
        self.change(np.asarray(X), np.asarray(y))
        return self


@mistake("LinearDiscriminantAnalysis", kills=("discriminant.lda-plugin", "discriminant.lda-pinv"))
class _(LinearDiscriminantAnalysis):
    """Adds a ridge to the covariance by default."""

    def fit(self, X, y):
        self.shrinkage = 0.1 if self.shrinkage is None else self.shrinkage
        return super().fit(X, y)


@mistake("LinearDiscriminantAnalysis", kills=("discriminant.lda-plugin",))
class _(LinearDiscriminantAnalysis):
    """Takes equal priors."""

    def fit(self, X, y):
        self.priors = "equal"
        return super().fit(X, y)


@mistake("LinearDiscriminantAnalysis", kills=("discriminant.lda-rule-binary",))
class _(LinearDiscriminantAnalysis):
    """Ignores the wish for equal priors."""

    def fit(self, X, y):
        self.priors = None
        return super().fit(X, y)


@mistake("LinearDiscriminantAnalysis", kills=("discriminant.lda-rule-binary",))
class _(_Changed):
    """Has the sign of the rule wrong."""

    def change(self, X, y):
        self.coef_, self.intercept_ = -self.coef_, -self.intercept_


@mistake("LinearDiscriminantAnalysis", kills=("discriminant.lda-plugin", "discriminant.lda-rule-binary"))
class _(_Changed):
    """Forgets the factor 1/2 of the quadratic term in the means."""

    def change(self, X, y):
        half = 0.5 * (self.means_ * np.linalg.solve(self.covariance_, self.means_.T).T).sum(axis=1)
        self.intercept_ = self.intercept_ - (half if len(half) > 2 else half[1:] - half[:1])


@mistake("LinearDiscriminantAnalysis", kills=("discriminant.lda-linear",))
class _(QuadraticDiscriminantAnalysis):
    """Gives every class its own covariance."""


@mistake("LinearDiscriminantAnalysis", kills=("discriminant.lda-pinv", "discriminant.erratum-t7"))
class _(LinearDiscriminantAnalysis):
    """Adds a little noise to singular data, and says nothing."""

    def fit(self, X, y):
        return super().fit(np.asarray(X) + 1e-3 * np.random.default_rng(0).standard_normal(np.shape(X)), y)


@mistake("LinearDiscriminantAnalysis", kills=("discriminant.fisher",))
class _(LinearDiscriminantAnalysis):
    """Projects on the principal axes of the class means, and ignores the variation within."""

    def transform(self, X):
        return (np.asarray(X) - self.xbar_) @ np.linalg.svd(self.means_ - self.xbar_)[2][:2].T


@mistake("LinearDiscriminantAnalysis", kills=("discriminant.fisher",))
class _(LinearDiscriminantAnalysis):
    """Sorts the directions upwards."""

    def transform(self, X):
        return super().transform(X)[:, ::-1]


class _OtherCovariances(QuadraticDiscriminantAnalysis):
    def fit(self, X, y):
        super().fit(X, y)
        self.covariance_ = self.other(self.covariance_, np.bincount(y))
        self.whitening_ = np.linalg.inv(np.linalg.cholesky(self.covariance_))
        self.log_det_ = np.linalg.slogdet(self.covariance_)[1]
        return self


@mistake("QuadraticDiscriminantAnalysis", kills=("discriminant.qda-hw-practical",))
class _(_OtherCovariances):
    """Divides by n_k."""

    def other(self, S, n):
        return S * ((n - 1) / n)[:, None, None]


@mistake(
    "QuadraticDiscriminantAnalysis", kills=("discriminant.qda-hw-practical", "discriminant.qda-hw-linear")
)
class _(_OtherCovariances):
    """Pools the covariances."""

    def other(self, S, n):
        return np.repeat(S.mean(axis=0, keepdims=True), len(n), axis=0)


@mistake("QuadraticDiscriminantAnalysis", kills=("discriminant.qda-hw-practical",))
class _(QuadraticDiscriminantAnalysis):
    """Takes equal priors."""

    def fit(self, X, y):
        self.priors = "equal"
        return super().fit(X, y)


@mistake("QuadraticDiscriminantAnalysis", kills=("discriminant.qda-hw-practical",))
class _(QuadraticDiscriminantAnalysis):
    """Adds a ridge by default, which knows the units."""

    def fit(self, X, y):
        self.reg_param = 0.1
        return super().fit(X, y)


@mistake("QuadraticDiscriminantAnalysis", kills=("discriminant.qda-singular", "discriminant.erratum-t9"))
class _(QuadraticDiscriminantAnalysis):
    """Repairs singular covariances in silence."""

    def fit(self, X, y):
        self.reg_param = max(self.reg_param, 1e-6)
        return super().fit(X, y)


# ------------------------------------------------------------------- zeros for answers

nothing = scaled(0, "Answers zeros where it answers.")

mistake.changed("linear_discriminants", nothing, kills=("discriminant.lda-model", "discriminant.erratum-y6"))
mistake.changed("quadratic_discriminants", nothing, kills=("discriminant.erratum-y6",))


@mistake("LinearDiscriminantAnalysis", kills=("discriminant.lda-linear", "discriminant.lda-pinv"))
class _(LinearDiscriminantAnalysis):
    """Has the score 0 for all classes, and no idea of their probabilities."""

    def decision_function(self, X):
        return 0 * super().decision_function(X)

    def predict_proba(self, X):
        return np.full_like(super().predict_proba(X), 1 / len(self.classes_))


@mistake("QuadraticDiscriminantAnalysis", kills=("discriminant.erratum-t9",))
class _(QuadraticDiscriminantAnalysis):
    """Answers equal probabilities."""

    def predict_proba(self, X):
        return np.full_like(super().predict_proba(X), 1 / len(self.classes_))
