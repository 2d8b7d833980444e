"""What a user of the estimators sees: refusals of extreme numbers, frames, HTML, progress."""

import warnings

import numpy as np
import pytest

import mlnotes
from mlnotes.estimators.base import Classifier, ConvergenceWarning, LimitWarning

ON_TABLES = sorted(set(mlnotes.ESTIMATORS) - {"Histogram", "MultinomialNaiveBayes"})
REFUSE = ("KernelPerceptron", "LogisticRegression", "OneClassSVM", "Perceptron", "PlugInClassifier", "SVC")


def two_classes(n=60, d=3):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, np.where(X[:, 0] + 0.3 * rng.normal(size=n) > 0, "yes", "no")


def fit(model, X, y):
    return model.fit(X, y) if isinstance(model, Classifier) else model.fit(X)


@pytest.mark.parametrize("size", [1e300, 1e155, 1e-200, 1e-310])
@pytest.mark.parametrize("name", ON_TABLES)
def test_extreme_numbers_are_used_or_refused_in_one_sentence(name, size):
    X, y = two_classes()
    model = getattr(mlnotes, name)()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", LimitWarning)
        if name in REFUSE:
            with pytest.raises(ValueError, match=r"\.$"):
                fit(model, X * size, y)
            return
        refusal = None
        try:
            fit(model, X * size, y)
            answer = next(m for m in ("predict", "transform", "score_samples") if hasattr(model, m))
            getattr(model, answer)(X * size)
        except ValueError as error:
            refusal = type(error)
        assert refusal in (None, ValueError)  # a LinAlgError is a ValueError, and no sentence


@pytest.mark.parametrize("name", REFUSE)
@pytest.mark.parametrize(("size", "what"), [(1e155, "overflow"), (1e-200, "underflow")])
def test_squares_that_leave_float64_are_named(name, size, what):
    X, y = two_classes()
    sentence = rf"^X has entries up to \de[+-]\d+, whose squares {what}: rescale the features\.$"
    with pytest.raises(ValueError, match=sentence):
        fit(getattr(mlnotes, name)(), np.sign(X) * 2 * size, y)


@pytest.mark.parametrize("size", [1e99, 1e-99])
@pytest.mark.parametrize("name", REFUSE)
def test_what_is_near_the_limit_is_computed_without_a_warning_of_numpy(name, size):
    X, y = two_classes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = fit(getattr(mlnotes, name)(), X * size, y)
        model.predict(X * size)


def test_a_kernel_that_overflows_is_refused():
    with pytest.raises(ValueError, match="a value of the kernel exceeds the largest float64"):
        mlnotes.SVC(kernel="poly", gamma=1.0).fit([[1e60], [2e60]], [0, 1])
