"""The functions of `mlnotes.perceptron`, run by the estimators: their updates are what `mistakes_` says.

The last state has the weights of the fitted estimator; those before it are added up here.
"""

import math
import warnings

import numpy as np

from mlnotes.estimators import perceptron as estimators

best_separator = estimators.separability


def _fit(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(*data)


def _signs(n):
    return np.where(np.arange(n) % 2, -1, 1)  # any labels will do: y_i x_i = z_i


def _run(Z, w, eta, **options):
    y = _signs(len(Z))
    model = estimators.Perceptron(eta0=eta, fit_intercept=False, **options)
    return _fit(model, Z * y[:, None], y, w)


def perceptron(Z, w, eta=1.0):
    yield from _updates(_run(Z, w, eta), Z, w, eta)


def perceptron_any_order(Z, w, choose, eta=1.0):
    model = _run(Z, w, eta, pick=choose.__name__, random_state=1)
    yield from _updates(model, Z, w, eta)


def _updates(model, Z, w, eta):
    for i in model.mistakes_[:-1]:
        w = w + eta * Z[i]
        yield w, i
    for i in model.mistakes_[-1:]:
        yield model.coef_[0], i


def batch_perceptron(Z, w, eta=1.0):
    model = _run(Z, w, eta, pick="batch")
    left = model.mistakes_
    while len(left):
        size = (Z @ w <= 0).sum()
        mistakes, left = left[:size], left[size:]
        w = w + eta * Z[mistakes].sum(axis=0) if len(left) else model.coef_[0]
        yield w, mistakes


def separator_or_combination(Z):
    answer = estimators.separability(Z, exact=True)
    vector = answer.w if answer.separable else answer.weights
    whole = vector * math.lcm(*(fraction.denominator for fraction in vector))
    whole = whole.astype(np.float64)
    return (whole, None) if answer.separable else (None, whole)


class Perceptron(estimators.Perceptron):
    @property
    def weights_(self):
        return np.append(self.coef_[0], self.intercept_) if self.fit_intercept else self.coef_[0]


class AveragedPerceptron(Perceptron):
    def __init__(self, fit_intercept=True):
        super().__init__(output="average", fit_intercept=fit_intercept)


class VotedPerceptron(Perceptron):
    def __init__(self, fit_intercept=True):
        super().__init__(output="vote", fit_intercept=fit_intercept)


def multiclass_perceptron(X, codes, W, eta=1.0):
    model = _fit(estimators.Perceptron(eta0=eta, fit_intercept=False), X, codes, W)
    for i in model.mistakes_[:-1]:
        yield None, i
    for i in model.mistakes_[-1:]:
        yield model.coef_, i


def kernel_perceptron(Q):
    y = _signs(len(Q))
    K = Q * np.outer(y, y)
    examples = np.arange(len(Q))[:, None]
    model = estimators.KernelPerceptron(
        lambda A, B: K[A[:, 0].astype(int)][:, B[:, 0].astype(int)], fit_intercept=False
    )
    _fit(model, examples, y)
    yield model.counts_, model.mistakes_[-1]
