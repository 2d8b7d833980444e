"""Wrong logistic regression, one typical mistake each."""

import numpy as np

from mlnotes import logistic as right
from mlnotes.estimators.logistic import LogisticRegression
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("logistic")


# ------------------------------------------------------------------- the model


@mistake("sigmoid", kills=("logistic.model-binary",))
def _(z):
    """Computes exp(z) / (1 + exp(z)) as it stands."""
    with np.errstate(all="ignore"):
        e = np.exp(np.asarray(z, dtype=float))
        return e / (1 + e)


@mistake("sigmoid", kills=("logistic.model-binary",))
def _(z):
    """Clips the score at 30."""
    return right.sigmoid(np.clip(z, -30, 30))


@mistake("sigmoid", kills=("logistic.model-binary", "logistic.form01", "logistic.recovers-binary"))
def _(z):
    """Has the wrong sign."""
    return right.sigmoid(-np.asarray(z))


@mistake("sigmoid", kills=("logistic.model-binary", "logistic.erratum-s22"))
def _(z):
    """Maps to (-1, 1), as tanh does."""
    return np.tanh(np.asarray(z, dtype=float) / 2)


@mistake("label_probability", kills=("logistic.margin-form", "logistic.form01", "logistic.erratum-s22"))
def _(y, z):
    """Forgets the label."""
    return right.sigmoid(z)


@mistake("label_probability", kills=("logistic.margin-form",))
def _(y, z):
    """Has the logarithm instead."""
    return -right.log_loss(np.asarray(y) * np.asarray(z))


@mistake("log_loss", kills=("logistic.ml-logloss",))
def _(margin):
    """Overflows for misclassified rows far out."""
    with np.errstate(over="ignore"):
        return np.log(1 + np.exp(-np.asarray(margin, dtype=float)))


@mistake("log_loss", kills=("logistic.ml-logloss",))
def _(margin):
    """Counts in bits."""
    return right.log_loss(margin) / np.log(2)


@mistake("softmax", kills=("logistic.softmax",))
def _(scores):
    """Does not subtract the largest score."""
    with np.errstate(all="ignore"):
        e = np.exp(np.asarray(scores, dtype=float))
        return e / e.sum(axis=-1, keepdims=True)


@mistake("softmax", kills=("logistic.softmax", "logistic.parametrisations", "logistic.recovers-binary"))
def _(scores):
    """Normalises columns."""
    e = np.exp(scores - np.max(scores))
    return e / e.sum(axis=0)


@mistake("reference_probabilities", kills=("logistic.model-multi", "logistic.erratum-y8"))
def _(beta, X):
    """Forgets the 1 of class 0 in the denominator."""
    e = np.exp(np.clip(np.asarray(X) @ np.asarray(beta).T, None, 700))
    return np.hstack([np.ones((len(e), 1)), e]) / e.sum(axis=1, keepdims=True)


@mistake("reference_probabilities", kills=("logistic.model-multi", "logistic.parametrisations"))
def _(beta, X):
    """Puts the reference class last."""
    return np.roll(right.reference_probabilities(beta, X), -1, axis=1)


@mistake("reference_probabilities", kills=("logistic.model-multi",))
def _(beta, X):
    """Overflows."""
    with np.errstate(all="ignore"):
        e = np.exp(np.asarray(X, dtype=float) @ np.asarray(beta).T)
        return np.hstack([np.ones((len(e), 1)), e]) / (1 + e.sum(axis=1, keepdims=True))


@mistake("reference_rule", kills=("logistic.bayes-rule",))
def _(beta, X):
    """Forgets class 0."""
    return 1 + np.argmax(np.asarray(X) @ np.asarray(beta).T, axis=1)


@mistake("reference_rule", kills=("logistic.bayes-rule",))
def _(beta, X):
    """Gives a tie at 0 to class 0's rival."""
    Z = np.asarray(X) @ np.asarray(beta).T
    return np.where(Z.max(axis=1) >= 0, 1 + Z.argmax(axis=1), 0)


@mistake("to_reference", kills=("logistic.parametrisations",))
def _(W):
    """Takes the last class for the reference."""
    return np.asarray(W)[:-1] - np.asarray(W)[-1]


@mistake("to_softmax", kills=("logistic.parametrisations",))
def _(beta):
    """Leaves class 0 at zero: the same probabilities, not the smallest norm."""
    return np.vstack([np.zeros((1, np.shape(beta)[1])), beta])


# ------------------------------------------------------------------- likelihood and derivatives


@mistake("reference_nll", kills=("logistic.nll",))
def _(beta, X, y):
    """Sums over the rows."""
    return right.reference_nll(beta, X, y) * len(y)


@mistake("reference_nll", kills=("logistic.nll",))
def _(beta, X, y):
    """Counts the first class's score for the rows of class 0 too."""
    Z = np.asarray(X) @ np.asarray(beta).T
    picked = Z[np.arange(len(y)), np.maximum(np.asarray(y) - 1, 0)]
    return float((np.log1p(np.exp(Z).sum(axis=1)) - picked).mean())


@mistake("softmax_nll", kills=("logistic.nll-softmax", "logistic.erratum-s21", "logistic.erratum-s23"))
def _(W, X, y):
    """Has the second term outside the sum: it is subtracted once, for the last row."""
    Z = np.asarray(X, dtype=float) @ np.asarray(W, dtype=float).T
    return float(np.logaddexp.reduce(Z, axis=1).sum() - Z[-1, y[-1]]) / len(Z)


@mistake("softmax_nll", kills=("logistic.nll-softmax",))
def _(W, X, y):
    """Overflows for large scores."""
    with np.errstate(all="ignore"):
        Z = np.asarray(X, dtype=float) @ np.asarray(W, dtype=float).T
        return float((np.log(np.exp(Z).sum(axis=1)) - Z[np.arange(len(Z)), y]).mean())


@mistake("softmax_nll", kills=("logistic.nll-softmax", "logistic.convex"))
def _(W, X, y):
    """Is the log-likelihood, without the minus sign."""
    return -right.softmax_nll(W, X, y)


@mistake("binary_nll", kills=("logistic.ml-logloss",))
def _(w, X, y):
    """Sums over the rows."""
    return right.binary_nll(w, X, y) * len(y)


@mistake("binary_nll", kills=("logistic.ml-logloss", "logistic.erratum-y9"))
def _(w, X, y):
    """Takes labels 0 and 1 for signs."""
    return float(np.logaddexp(0, -np.asarray(y) * (np.asarray(X) @ w)).mean())


@mistake("binary_gradient", kills=("logistic.grad-binary", "logistic.gd-binary"))
def _(w, X, y):
    """Has P in place of 1 - P."""
    s = 2 * np.asarray(y) - 1
    return -(s * right.sigmoid(s * (X @ w))) @ X / len(X)


@mistake("binary_gradient", kills=("logistic.grad-binary", "logistic.gd-binary"))
def _(w, X, y):
    """Has the wrong sign: it ascends."""
    return -right.binary_gradient(w, X, y)


@mistake("binary_gradient", kills=("logistic.grad-binary", "logistic.gd-binary"))
def _(w, X, y):
    """Sums over the rows: the step is n times too long."""
    return right.binary_gradient(w, X, y) * len(X)


@mistake("softmax_gradient", kills=("logistic.grad-multi", "logistic.erratum-s20", "logistic.erratum-s23"))
def _(W, X, y):
    """Follows the first printed line: no indicator."""
    return (right.softmax(np.asarray(X) @ np.asarray(W).T) - 1).T @ X / len(X)


@mistake("softmax_gradient", kills=("logistic.grad-multi", "logistic.erratum-s20", "logistic.erratum-s23"))
def _(W, X, y):
    """Follows the second printed line: P(y_i | x_i) - 1 for all the classes."""
    P = right.softmax(np.asarray(X) @ np.asarray(W).T)[np.arange(len(X)), y]
    return np.tile((P - 1) @ X / len(X), (len(W), 1))


@mistake("softmax_gradient", kills=("logistic.grad-multi", "logistic.erratum-s20"))
def _(W, X, y):
    """Sums over the rows."""
    return right.softmax_gradient(W, X, y) * len(X)


@mistake("binary_hessian", kills=("logistic.convex", "logistic.erratum-y9"))
def _(w, X, y):
    """Has p in place of p (1 - p), and the rows unsquared for the first feature."""
    X = np.asarray(X, dtype=float)
    H = (X * right.sigmoid(X @ w)[:, None]).T @ X / len(X)
    H[0] += 1
    return H


@mistake("binary_hessian", kills=("logistic.convex",))
def _(w, X, y):
    """Sums over the rows."""
    return right.binary_hessian(w, X, y) * len(X)


@mistake("softmax_hessian", kills=("logistic.convex",))
def _(W, X, y):
    """Forgets the blocks between the classes."""
    d = np.shape(X)[1]
    return right.softmax_hessian(W, X, y) * np.kron(np.eye(len(W)), np.ones((d, d)))


@mistake("softmax_hessian", kills=("logistic.convex",))
def _(W, X, y):
    """Has the wrong sign."""
    return -right.softmax_hessian(W, X, y)


@mistake("smoothness", kills=("logistic.smoothness",))
def _(X, n_classes=2):
    """Forgets the factor 1/4."""
    return 4 * right.smoothness(X, n_classes)


@mistake("smoothness", kills=("logistic.smoothness",))
def _(X, n_classes=2):
    """Forgets the 1/n."""
    return len(X) * right.smoothness(X, n_classes)


@mistake("smoothness", kills=("logistic.smoothness",))
def _(X, n_classes=2):
    """Takes 1/4 for softmax too."""
    return right.smoothness(X, 2)


# ------------------------------------------------------------------- the estimator


@mistake("LogisticRegression", kills=("logistic.mle", "logistic.penalty", "logistic.dual-gap"))
class _(LogisticRegression):
    """Forgets the bias."""

    def fit(self, X, y, sample_weight=None):
        self.fit_intercept = False
        return super().fit(X, y, sample_weight)


class Merged(LogisticRegression):
    """Merges the bias into the features and penalises it."""

    def fit(self, X, y, sample_weight=None):
        C, self.fit_intercept = self.C, False
        super().fit(right.with_intercept(X), y, sample_weight)
        self.C = C
        self.coef_, self.intercept_ = self.coef_[:, :-1], self.coef_[:, -1]
        self.n_features_in_ -= 1
        return self


mistake("LogisticRegression", kills=("logistic.penalty", "logistic.dual-gap", "logistic.recovers-binary"))(
    Merged
)


@mistake("LogisticRegression", kills=("logistic.recovers-binary", "logistic.penalty", "logistic.dual-gap"))
class _(LogisticRegression):
    """Takes the mean loss for the sum: the penalty is n times too strong."""

    def fit(self, X, y, sample_weight=None):
        C = self.C
        self.C = C / len(X)
        super().fit(X, y, sample_weight)
        self.C = C
        return self


@mistake("LogisticRegression", kills=("logistic.penalty",))
class _(LogisticRegression):
    """Ignores the weights of the rows."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y)


@mistake("LogisticRegression", kills=("logistic.mle", "logistic.penalty", "logistic.recovers-binary"))
class _(LogisticRegression):
    """Stops after two steps."""

    def fit(self, X, y, sample_weight=None):
        self.max_iter = 2
        return super().fit(X, y, sample_weight)


@mistake("LogisticRegression", kills=("logistic.mle",))
class _(LogisticRegression):
    """Penalises although it was asked not to."""

    def fit(self, X, y, sample_weight=None):
        self.penalty = "l2"
        return super().fit(X, y, sample_weight)


@mistake("LogisticRegression", kills=("logistic.separation",))
class _(LogisticRegression):
    """Says nothing about separated classes."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.separating_direction_ = None
        return self


@mistake("LogisticRegression", kills=("logistic.separation",))
class _(LogisticRegression):
    """Sees separation only where no row lies on the hyperplane."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if self.score(X, y) < 1:
            self.separating_direction_ = None
        return self


@mistake("LogisticRegression", kills=("logistic.separation",))
class _(LogisticRegression):
    """Calls its coefficients a separating direction, whatever the data."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.separating_direction_ = self.coef_, self.intercept_
        return self


def certified(certificate):
    class Reporting(LogisticRegression):
        def fit(self, X, y, sample_weight=None):
            super().fit(X, y, sample_weight)
            self.certificate_ = self.certificate_ | certificate(self, self.certificate_, len(X))
            return self

    Reporting.__doc__ = certificate.__doc__
    return Reporting


@mistake("LogisticRegression", kills=("logistic.dual-gap",))
@certified
def _(model, found, n):
    """Reports a gap of 0 after two steps as well."""
    return {"dual": found["objective"], "gap": 0.0}


@mistake("LogisticRegression", kills=("logistic.dual-gap",))
@certified
def _(model, found, n):
    """Takes half the squared gradient for the gap: it forgets the strength of the penalty."""
    gap = found["gradient_norm"] ** 2 / 2
    return {"dual": found["objective"] - gap, "gap": gap}


@mistake("LogisticRegression", kills=("logistic.dual-gap",))
@certified
def _(model, found, n):
    """Reports C n times the objective."""
    return {name: value * model.C * n for name, value in found.items()}


@mistake("LogisticRegression", kills=("logistic.answers",))
class _(LogisticRegression):
    """Answers the least probable class."""

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmin(axis=1)]


@mistake("LogisticRegression", kills=("logistic.answers",))
class _(LogisticRegression):
    """Leaves the bias out of the score."""

    def decision_function(self, X):
        scores = np.asarray(X) @ self.coef_.T
        return scores if len(self.coef_) > 1 else scores[:, 0]


@mistake("LogisticRegression", kills=("logistic.solvers",))
class _(LogisticRegression):
    """Takes logarithms of probabilities, which have underflown."""

    def predict_log_proba(self, X):
        return np.log(np.maximum(self.predict_proba(X), 1e-300))


@mistake("LogisticRegression", kills=("logistic.solvers",))
class _(LogisticRegression):
    """Forgets the penalty in the stochastic solver."""

    def fit(self, X, y, sample_weight=None):
        self.penalty = None if self.solver == "sgd" else self.penalty
        return super().fit(X, y, sample_weight)


@mistake("LogisticRegression", kills=("logistic.solvers",))
class _(LogisticRegression):
    """Stops gradient descent after three steps."""

    def fit(self, X, y, sample_weight=None):
        self.max_iter = 3 if self.solver == "gd" else self.max_iter
        return super().fit(X, y, sample_weight)
