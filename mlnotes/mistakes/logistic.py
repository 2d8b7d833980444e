"""Wrong logistic regression, one typical mistake each."""

import numpy as np

from mlnotes import logistic as right
from mlnotes.estimators.logistic import LogisticRegression
from mlnotes.mistakes import Change, Mistakes, negated, scaled

mistake = MISTAKES = Mistakes("logistic")


# ------------------------------------------------------------------- the model


@mistake("sigmoid", kills="model-binary")
def _(z):
    """Computes exp(z) / (1 + exp(z)) as it stands."""
    with np.errstate(all="ignore"):
        e = np.exp(np.asarray(z, dtype=float))
        return e / (1 + e)


mistake.rows("sigmoid",
    ("Clips the score at 30.", "model-binary", lambda z: right.sigmoid(np.clip(z, -30, 30))),
    ("Has the wrong sign.", "model-binary form01 recovers-binary", lambda z: right.sigmoid(-np.asarray(z))),
    ("Maps to (-1, 1), as tanh does.", "model-binary erratum-s22",
     lambda z: np.tanh(np.asarray(z, dtype=float) / 2)),
)  # fmt: skip
mistake.rows("label_probability",
    ("Forgets the label.", "margin-form form01 erratum-s22", lambda y, z: right.sigmoid(z)),
    ("Has the logarithm instead.", "margin-form",
     lambda y, z: -right.log_loss(np.asarray(y) * np.asarray(z))),
)  # fmt: skip


@mistake("log_loss", kills="ml-logloss")
def _(margin):
    """Overflows for misclassified rows far out."""
    with np.errstate(over="ignore"):
        return np.log(1 + np.exp(-np.asarray(margin, dtype=float)))


mistake.rows("log_loss", ("Counts in bits.", "ml-logloss", Change(lambda answer: answer / np.log(2))))


@mistake("softmax", kills="softmax")
def _(scores):
    """Does not subtract the largest score."""
    with np.errstate(all="ignore"):
        e = np.exp(np.asarray(scores, dtype=float))
        return e / e.sum(axis=-1, keepdims=True)


@mistake("softmax", kills="softmax parametrisations recovers-binary")
def _(scores):
    """Normalises columns."""
    e = np.exp(scores - np.max(scores))
    return e / e.sum(axis=0)


@mistake("reference_probabilities", kills="model-multi erratum-y8")
def _(beta, X):
    """Forgets the 1 of class 0 in the denominator."""
    e = np.exp(np.clip(np.asarray(X) @ np.asarray(beta).T, None, 700))
    return np.hstack([np.ones((len(e), 1)), e]) / e.sum(axis=1, keepdims=True)


mistake.rows("reference_probabilities", ("Puts the reference class last.", "model-multi parametrisations",
    Change(lambda answer: np.roll(answer, -1, axis=1))))  # fmt: skip


@mistake("reference_probabilities", kills="model-multi")
def _(beta, X):
    """Overflows."""
    with np.errstate(all="ignore"):
        e = np.exp(np.asarray(X, dtype=float) @ np.asarray(beta).T)
        return np.hstack([np.ones((len(e), 1)), e]) / (1 + e.sum(axis=1, keepdims=True))


mistake.rows("reference_rule", ("Forgets class 0.", "bayes-rule",
    lambda beta, X: 1 + np.argmax(np.asarray(X) @ np.asarray(beta).T, axis=1)))  # fmt: skip


@mistake("reference_rule", kills="bayes-rule")
def _(beta, X):
    """Gives a tie at 0 to class 0's rival."""
    Z = np.asarray(X) @ np.asarray(beta).T
    return np.where(Z.max(axis=1) >= 0, 1 + Z.argmax(axis=1), 0)


mistake.rows("to_reference", ("Takes the last class for the reference.", "parametrisations",
    lambda W: np.asarray(W)[:-1] - np.asarray(W)[-1]))  # fmt: skip
mistake.rows("to_softmax",
    ("Leaves class 0 at zero: the same probabilities, not the smallest norm.", "parametrisations",
     lambda beta: np.vstack([np.zeros((1, np.shape(beta)[1])), beta])),
)  # fmt: skip


# ------------------------------------------------------------------- likelihood and derivatives


mistake.rows("reference_nll", ("Sums over the rows.", "nll",
    lambda beta, X, y: right.reference_nll(beta, X, y) * len(y)))  # fmt: skip


@mistake("reference_nll", kills="nll")
def _(beta, X, y):
    """Counts the first class's score for the rows of class 0 too."""
    Z = np.asarray(X) @ np.asarray(beta).T
    picked = Z[np.arange(len(y)), np.maximum(np.asarray(y) - 1, 0)]
    return float((np.log1p(np.exp(Z).sum(axis=1)) - picked).mean())


@mistake("softmax_nll", kills="nll-softmax erratum-s21 erratum-s23")
def _(W, X, y):
    """Has the second term outside the sum: it is subtracted once, for the last row."""
    Z = np.asarray(X, dtype=float) @ np.asarray(W, dtype=float).T
    return float(np.logaddexp.reduce(Z, axis=1).sum() - Z[-1, y[-1]]) / len(Z)


@mistake("softmax_nll", kills="nll-softmax")
def _(W, X, y):
    """Overflows for large scores."""
    with np.errstate(all="ignore"):
        Z = np.asarray(X, dtype=float) @ np.asarray(W, dtype=float).T
        return float((np.log(np.exp(Z).sum(axis=1)) - Z[np.arange(len(Z)), y]).mean())


mistake.rows("softmax_nll", ("Is the log-likelihood, without the minus sign.", "nll-softmax convex", negated))
mistake.rows("binary_nll",
    ("Sums over the rows.", "ml-logloss", lambda w, X, y: right.binary_nll(w, X, y) * len(y)),
    ("Takes labels 0 and 1 for signs.", "ml-logloss erratum-y9",
     lambda w, X, y: float(np.logaddexp(0, -np.asarray(y) * (np.asarray(X) @ w)).mean())),
)  # fmt: skip


@mistake("binary_gradient", kills="grad-binary gd-binary")
def _(w, X, y):
    """Has P in place of 1 - P."""
    s = 2 * np.asarray(y) - 1
    return -(s * right.sigmoid(s * (X @ w))) @ X / len(X)


mistake.rows("binary_gradient",
    ("Has the wrong sign: it ascends.", "grad-binary gd-binary", negated),
    ("Sums over the rows: the step is n times too long.", "grad-binary gd-binary",
     lambda w, X, y: right.binary_gradient(w, X, y) * len(X)),
)  # fmt: skip


@mistake("softmax_gradient", kills="grad-multi erratum-s20 erratum-s23")
def _(W, X, y):
    """Follows the second printed line: P(y_i | x_i) - 1 for all the classes."""
    P = right.softmax(np.asarray(X) @ np.asarray(W).T)[np.arange(len(X)), y]
    return np.tile((P - 1) @ X / len(X), (len(W), 1))


mistake.rows("softmax_gradient",
    ("Follows the first printed line: no indicator.", "grad-multi erratum-s20 erratum-s23",
     lambda W, X, y: (right.softmax(np.asarray(X) @ np.asarray(W).T) - 1).T @ X / len(X)),
    ("Sums over the rows.", "grad-multi erratum-s20",
     lambda W, X, y: right.softmax_gradient(W, X, y) * len(X)),
)  # fmt: skip


@mistake("binary_hessian", kills="convex erratum-y9")
def _(w, X, y):
    """Has p in place of p (1 - p), and the rows unsquared for the first feature."""
    X = np.asarray(X, dtype=float)
    H = (X * right.sigmoid(X @ w)[:, None]).T @ X / len(X)
    H[0] += 1
    return H


mistake.rows("binary_hessian", ("Sums over the rows.", "convex",
    lambda w, X, y: right.binary_hessian(w, X, y) * len(X)))  # fmt: skip


@mistake("softmax_hessian", kills="convex")
def _(W, X, y):
    """Forgets the blocks between the classes."""
    d = np.shape(X)[1]
    return right.softmax_hessian(W, X, y) * np.kron(np.eye(len(W)), np.ones((d, d)))


mistake.rows("softmax_hessian", ("Has the wrong sign.", "convex", negated))
mistake.rows("smoothness",
    ("Forgets the factor 1/4.", "smoothness", scaled(4)),
    ("Forgets the 1/n.", "smoothness", lambda X, n_classes=2: len(X) * right.smoothness(X, n_classes)),
    ("Takes 1/4 for softmax too.", "smoothness", lambda X, n_classes=2: right.smoothness(X, 2)),
)  # fmt: skip


# ------------------------------------------------------------------- the estimator


@mistake("LogisticRegression.fit", kills="mle penalty dual-gap")
def _(self, X, y, sample_weight=None):
    """Forgets the bias."""
    self.fit_intercept = False
    return LogisticRegression.fit(self, X, y, sample_weight)


class Merged(LogisticRegression):
    """Merges the bias into the features and penalises it."""

    def fit(self, X, y, sample_weight=None):
        C, self.fit_intercept = self.C, False
        super().fit(right.with_intercept(X), y, sample_weight)
        self.C = C
        self.coef_, self.intercept_ = self.coef_[:, :-1], self.coef_[:, -1]
        self.n_features_in_ -= 1
        return self


mistake("LogisticRegression", kills="penalty dual-gap recovers-binary")(Merged)


@mistake("LogisticRegression.fit", kills="recovers-binary penalty dual-gap")
def _(self, X, y, sample_weight=None):
    """Takes the mean loss for the sum: the penalty is n times too strong."""
    C = self.C
    self.C = C / len(X)
    LogisticRegression.fit(self, X, y, sample_weight)
    self.C = C
    return self


mistake.rows("LogisticRegression.fit", ("Ignores the weights of the rows.", "penalty",
    lambda self, X, y, sample_weight=None: LogisticRegression.fit(self, X, y)))  # fmt: skip


@mistake("LogisticRegression.fit", kills="mle penalty recovers-binary")
def _(self, X, y, sample_weight=None):
    """Stops after two steps."""
    self.max_iter = 2
    return LogisticRegression.fit(self, X, y, sample_weight)


@mistake("LogisticRegression.fit", kills="mle")
def _(self, X, y, sample_weight=None):
    """Penalises although it was asked not to."""
    self.penalty = "l2"
    return LogisticRegression.fit(self, X, y, sample_weight)


@mistake("LogisticRegression.fit", kills="separation")
def _(self, X, y, sample_weight=None):
    """Says nothing about separated classes."""
    LogisticRegression.fit(self, X, y, sample_weight)
    self.separating_direction_ = None
    return self


@mistake("LogisticRegression.fit", kills="separation")
def _(self, X, y, sample_weight=None):
    """Sees separation only where no row lies on the hyperplane."""
    LogisticRegression.fit(self, X, y, sample_weight)
    if self.score(X, y) < 1:
        self.separating_direction_ = None
    return self


@mistake("LogisticRegression.fit", kills="separation")
def _(self, X, y, sample_weight=None):
    """Calls its coefficients a separating direction, whatever the data."""
    LogisticRegression.fit(self, X, y, sample_weight)
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


@mistake("LogisticRegression", kills="dual-gap")
@certified
def _(model, found, n):
    """Reports a gap of 0 after two steps as well."""
    return {"dual": found["objective"], "gap": 0.0}


@mistake("LogisticRegression", kills="dual-gap")
@certified
def _(model, found, n):
    """Takes half the squared gradient for the gap: it forgets the strength of the penalty."""
    gap = found["gradient_norm"] ** 2 / 2
    return {"dual": found["objective"] - gap, "gap": gap}


@mistake("LogisticRegression", kills="dual-gap")
@certified
def _(model, found, n):
    """Reports C n times the objective."""
    return {name: value * model.C * n for name, value in found.items()}


mistake.rows("LogisticRegression.predict", ("Answers the least probable class.", "answers",
    lambda self, X: self.classes_[self.predict_proba(X).argmin(axis=1)]))  # fmt: skip


@mistake("LogisticRegression.decision_function", kills="answers")
def _(self, X):
    """Leaves the bias out of the score."""
    scores = np.asarray(X) @ self.coef_.T
    return scores if len(self.coef_) > 1 else scores[:, 0]


mistake.rows("LogisticRegression.predict_log_proba",
    ("Takes logarithms of probabilities, which have underflown.", "solvers",
     lambda self, X: np.log(np.maximum(self.predict_proba(X), 1e-300))),
)  # fmt: skip


@mistake("LogisticRegression.fit", kills="solvers")
def _(self, X, y, sample_weight=None):
    """Forgets the penalty in the stochastic solver."""
    self.penalty = None if self.solver == "sgd" else self.penalty
    return LogisticRegression.fit(self, X, y, sample_weight)


@mistake("LogisticRegression.fit", kills="solvers")
def _(self, X, y, sample_weight=None):
    """Stops gradient descent after three steps."""
    self.max_iter = 3 if self.solver == "gd" else self.max_iter
    return LogisticRegression.fit(self, X, y, sample_weight)
