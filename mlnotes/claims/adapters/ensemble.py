"""The estimators of ensembles in the language of ``mlnotes.ensemble``."""

import numpy as np

from mlnotes import ensemble as reference
from mlnotes.claims.adapters.tree import as_dictionary
from mlnotes.estimators import ensemble as estimators


class BaggingClassifier:
    """The estimator, with dictionaries for trees."""

    estimator: type = estimators.BaggingClassifier

    def __init__(self, *arguments, **options):
        self.model = self.estimator(*arguments, **options)

    def fit(self, X, y):
        """Fit the estimator."""
        self.model.fit(X, y)
        self.trees_ = [as_dictionary(tree) for tree in self.model.trees_]
        self.samples_ = self.model.estimators_samples_
        return self

    def predict(self, X):
        """Predict with the estimator."""
        return self.model.predict(X)

    def __getattr__(self, name):
        return getattr(self.model, name)


class RandomForestClassifier(BaggingClassifier):
    """The estimator, with dictionaries for trees."""

    estimator = estimators.RandomForestClassifier


def bagging(X, y, seeds):
    model = BaggingClassifier(n_estimators=len(seeds), random_state=int(seeds[0])).fit(X, y)
    return zip(model.trees_, model.samples_, strict=True)


def random_forest(X, y, seeds, q, max_depth=None):
    options = {"max_features": q, "max_depth": max_depth, "random_state": int(seeds[0])}
    model = RandomForestClassifier(len(seeds), **options).fit(X, y)
    return zip(model.trees_, model.samples_, strict=True)


class AdaBoostClassifier(estimators.AdaBoostClassifier):
    """The estimator, with its rounds, whose weights it does not report."""

    @property
    def rounds_(self):
        """The classifier, the error and alpha of each round."""
        columns = self.estimators_, self.estimator_errors_, self.estimator_weights_
        return [reference.Round(*row, None) for row in zip(*columns, strict=True)]


class _Trained:
    """A classifier as `train` returns it, as an estimator."""

    def __init__(self, train):
        self.train = train

    def get_params(self, deep=True):
        return {"train": self.train}

    def fit(self, X, y, sample_weight):
        self.classifier = self.train(X, y, sample_weight)
        return self

    def predict(self, X):
        return self.classifier.predict(X)


def boost(X, y, n_classes, train=None):
    weights = np.full(len(y), 1 / len(y))
    model = AdaBoostClassifier(train and _Trained(train), n_estimators=50)
    model.fit(X, y)
    for classifier, error, alpha, _ in model.rounds_:
        misclassified = classifier.predict(X) != y
        if 0 < error < 1:
            weights = reference.adaboost_update(weights, misclassified, alpha)
        yield reference.Round(classifier, error, alpha, weights)
