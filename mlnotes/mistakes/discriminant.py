"""Wrong discriminant analysis, one typical mistake each."""

import numpy as np

from mlnotes import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from mlnotes import discriminant as right
from mlnotes.mistakes import Change, Mistakes, complement, scaled

mistake = MISTAKES = Mistakes("discriminant")


# ------------------------------------------------------------------- linear classifiers


mistake.rows("half_space",
    ("Lets np.sign answer: -1, and 0 on the hyperplane.", "linear-hyperplane",
     lambda X, normal, offset: np.sign(np.asarray(X) @ normal + offset)),
    ("Leaves the hyperplane to the other side.", "linear-hyperplane",
     lambda X, normal, offset: (np.asarray(X) @ normal + offset > 0).astype(int)),
    ("Forgets the offset.", "linear-hyperplane linear-separability-figure linear-nonlinear-needed",
     lambda X, normal, offset: right.half_space(X, normal, 0.0)),
    ("Answers for the other side.",
     "linear-hyperplane linear-separability-figure linear-nonlinear-needed erratum-s26",
     complement),
)  # fmt: skip


@mistake("linear_argmax", kills="linear-multiclass-argmax")
def _(X, weights, offsets=0.0):
    """Compares angles: the weights are normalised."""
    W = np.asarray(weights, dtype=float)
    return right.linear_argmax(X, W / (np.linalg.norm(W, axis=1, keepdims=True) + 1e-300), offsets)


mistake.rows("linear_argmax",
    ("Takes the class of the smallest score.", "linear-multiclass-argmax erratum-y4",
     lambda X, weights, offsets=0.0: right.linear_argmax(X, -np.asarray(weights), -np.asarray(offsets))),
    ("Takes the largest absolute score.", "linear-multiclass-argmax",
     lambda X, weights, offsets=0.0: np.argmax(abs(np.asarray(X) @ np.asarray(weights).T), axis=1)),
    ("Forgets the offsets.", "erratum-y4", lambda X, weights, offsets=0.0: right.linear_argmax(X, weights)),
)  # fmt: skip


# ------------------------------------------------------------------- estimates


mistake.rows("pooled_covariance",
    ("Divides by n: maximum likelihood.", "lda-pooled-cov erratum-y7",
     lambda X, y: right.pooled_covariance(X, y) * (len(X) - len(set(y))) / len(X)),
    ("Divides by n - 1.", "lda-pooled-cov erratum-y7",
     lambda X, y: right.pooled_covariance(X, y) * (len(X) - len(set(y))) / (len(X) - 1)),
    ("Centres at the mean of all rows.", "lda-pooled-cov erratum-y7 erratum-t6",
     lambda X, y: np.atleast_2d(np.cov(np.asarray(X).T))),
    ("Averages the class covariances without the class sizes.", "lda-pooled-cov",
     lambda X, y: right.class_covariances(X, y).mean(axis=0)),
)  # fmt: skip


@mistake("class_covariances", kills="lda-class-cov")
def _(X, y):
    """Divides by n_k."""
    n = np.bincount(y)[:, None, None]
    return right.class_covariances(X, y) * (n - 1) / n


mistake.rows("class_covariances",
    ("Gives every class the pooled covariance.", "lda-class-cov",
     lambda X, y: np.repeat(right.pooled_covariance(X, y)[None], len(set(y)), axis=0)),
    ("Adds a small multiple of the identity in silence.", "qda-singular",
     lambda X, y: right.class_covariances(X, y) + 0.001 * np.eye(np.shape(X)[1])),
)  # fmt: skip


# ------------------------------------------------------------------- the discriminants


@mistake("linear_discriminants", kills="lda-discriminant lda-bayes-classifier erratum-y5 erratum-t8")
def _(X, means, covariance, prior):
    """Forgets the factor 1/2."""
    M = np.asarray(means)
    half = 0.5 * (np.linalg.solve(covariance, M.T) * M.T).sum(axis=0)
    return right.linear_discriminants(X, means, covariance, prior) - half


@mistake("linear_discriminants", kills="lda-model erratum-y6")
def _(X, means, covariance, prior):
    """Takes a pseudo-inverse without a word."""
    W, M = np.linalg.pinv(covariance) @ np.transpose(means), np.transpose(means)
    return np.asarray(X) @ W - 0.5 * (W * M).sum(axis=0) + np.log(prior)


mistake.rows("linear_discriminants",
    ("Forgets the prior.", "lda-discriminant lda-bayes-classifier erratum-t8",
     lambda X, means, covariance, prior:
        right.linear_discriminants(X, means, covariance, np.full(len(prior), 1 / len(prior)))),
    ("Multiplies by the covariance in place of its inverse.", "lda-discriminant",
     lambda X, means, covariance, prior:
        right.linear_discriminants(X, means, np.linalg.inv(covariance), prior)),
    ("Returns the log posterior itself.", "erratum-y5",
     Change(lambda scores: scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))),
)  # fmt: skip


@mistake("quadratic_discriminants", kills="qda-model qda-hw-bayes")
def _(X, means, covariances, prior):
    """Forgets the log-determinant."""
    logs = np.linalg.slogdet(covariances)[1]
    return right.quadratic_discriminants(X, means, covariances, prior) + 0.5 * logs


mistake.rows("quadratic_discriminants",
    ("Adds the log-determinant.", "qda-model qda-hw-bayes", lambda X, means, covariances, prior:
        right.quadratic_discriminants(X, means, covariances, prior) + np.linalg.slogdet(covariances)[1]),
    ("Forgets the prior.", "qda-model qda-hw-bayes erratum-t8", lambda X, means, covariances, prior:
        right.quadratic_discriminants(X, means, covariances, np.full(len(prior), 1 / len(prior)))),
)  # fmt: skip


@mistake("quadratic_discriminants", kills="erratum-y6")
def _(X, means, covariances, prior):
    """Adds a ridge without a word, so that a singular matrix passes."""
    S = np.asarray(covariances) + 1e-6 * np.eye(np.shape(X)[1])
    return right.quadratic_discriminants(X, means, S, prior)


mistake.rows("log_determinant",
    ("Takes the logarithm of the product of the eigenvalues.", "qda-rule-logeig",
     lambda covariance: np.log(np.prod(np.linalg.eigvalsh(covariance)))),
    ("Takes the logarithm of the sum of the eigenvalues.", "qda-rule-logeig",
     lambda covariance: np.log(np.linalg.eigvalsh(covariance).sum())),
    ("Forgets that the Cholesky factor carries half of the logarithm.", "qda-rule-logeig", scaled(0.5)),
)  # fmt: skip


# ------------------------------------------------------------------- the classifiers


class _Changed(LinearDiscriminantAnalysis):
    def fit(self, X, y):
        super().fit(X, y)
        self.change(np.asarray(X), np.asarray(y))
        return self


@mistake("LinearDiscriminantAnalysis.fit", kills="lda-plugin lda-pinv")
def _(self, X, y):
    """Adds a ridge to the covariance by default."""
    self.shrinkage = 0.1 if self.shrinkage is None else self.shrinkage
    return LinearDiscriminantAnalysis.fit(self, X, y)


@mistake("LinearDiscriminantAnalysis.fit", kills="lda-plugin")
def _(self, X, y):
    """Takes equal priors."""
    self.priors = "equal"
    return LinearDiscriminantAnalysis.fit(self, X, y)


@mistake("LinearDiscriminantAnalysis.fit", kills="lda-rule-binary")
def _(self, X, y):
    """Ignores the wish for equal priors."""
    self.priors = None
    return LinearDiscriminantAnalysis.fit(self, X, y)


@mistake("LinearDiscriminantAnalysis", kills="lda-rule-binary")
class _(_Changed):
    """Has the sign of the rule wrong."""

    def change(self, X, y):
        self.coef_, self.intercept_ = -self.coef_, -self.intercept_


@mistake("LinearDiscriminantAnalysis", kills="lda-plugin lda-rule-binary")
class _(_Changed):
    """Forgets the factor 1/2 of the quadratic term in the means."""

    def change(self, X, y):
        half = 0.5 * (self.means_ * np.linalg.solve(self.covariance_, self.means_.T).T).sum(axis=1)
        self.intercept_ = self.intercept_ - (half if len(half) > 2 else half[1:] - half[:1])


@mistake("LinearDiscriminantAnalysis", kills="lda-linear")
class _(QuadraticDiscriminantAnalysis):
    """Gives every class its own covariance."""


@mistake("LinearDiscriminantAnalysis.fit", kills="lda-pinv erratum-t7")
def _(self, X, y):
    """Adds a little noise to singular data, and says nothing."""
    return LinearDiscriminantAnalysis.fit(
        self, np.asarray(X) + 1e-3 * np.random.default_rng(0).standard_normal(np.shape(X)), y
    )


mistake.rows("LinearDiscriminantAnalysis.transform",
    ("Projects on the principal axes of the class means, and ignores the variation within.", "fisher",
     lambda self, X: (np.asarray(X) - self.xbar_) @ np.linalg.svd(self.means_ - self.xbar_)[2][:2].T),
    ("Sorts the directions upwards.", "fisher", Change(lambda answer: answer[:, ::-1])),
)  # fmt: skip


class _OtherCovariances(QuadraticDiscriminantAnalysis):
    def fit(self, X, y):
        super().fit(X, y)
        self.covariance_ = self.other(self.covariance_, np.bincount(y))
        self.whitening_ = np.linalg.inv(np.linalg.cholesky(self.covariance_))
        self.log_det_ = np.linalg.slogdet(self.covariance_)[1]
        return self


@mistake("QuadraticDiscriminantAnalysis", kills="qda-hw-practical")
class _(_OtherCovariances):
    """Divides by n_k."""

    def other(self, S, n):
        return S * ((n - 1) / n)[:, None, None]


@mistake("QuadraticDiscriminantAnalysis", kills="qda-hw-practical qda-hw-linear")
class _(_OtherCovariances):
    """Pools the covariances."""

    def other(self, S, n):
        return np.repeat(S.mean(axis=0, keepdims=True), len(n), axis=0)


@mistake("QuadraticDiscriminantAnalysis.fit", kills="qda-hw-practical")
def _(self, X, y):
    """Takes equal priors."""
    self.priors = "equal"
    return QuadraticDiscriminantAnalysis.fit(self, X, y)


@mistake("QuadraticDiscriminantAnalysis.fit", kills="qda-hw-practical")
def _(self, X, y):
    """Adds a ridge by default, which knows the units."""
    self.reg_param = 0.1
    return QuadraticDiscriminantAnalysis.fit(self, X, y)


@mistake("QuadraticDiscriminantAnalysis.fit", kills="qda-singular erratum-t9")
def _(self, X, y):
    """Repairs singular covariances in silence."""
    self.reg_param = max(self.reg_param, 1e-6)
    return QuadraticDiscriminantAnalysis.fit(self, X, y)


# ------------------------------------------------------------------- zeros for answers

mistake.rows("linear_discriminants", ("Answers zeros where it answers.", "lda-model erratum-y6", scaled(0)))
mistake.rows("quadratic_discriminants", ("Answers zeros where it answers.", "erratum-y6", scaled(0)))


@mistake("LinearDiscriminantAnalysis", kills="lda-linear lda-pinv")
class _(LinearDiscriminantAnalysis):
    """Has the score 0 for all classes, and no idea of their probabilities."""

    def decision_function(self, X):
        return 0 * super().decision_function(X)

    def predict_proba(self, X):
        return np.full_like(super().predict_proba(X), 1 / len(self.classes_))


mistake.rows("QuadraticDiscriminantAnalysis.predict_proba",
    ("Answers equal probabilities.", "erratum-t9", lambda self, X:
        np.full_like(QuadraticDiscriminantAnalysis.predict_proba(self, X), 1 / len(self.classes_))),
)  # fmt: skip
