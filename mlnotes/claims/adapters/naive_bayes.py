"""The classifiers of this topic in the language of `mlnotes.naive_bayes`."""

from typing import Any

from mlnotes.estimators import naive_bayes as estimators

_OPTIONS = {"h": "bandwidth"}


def NaiveBayes(marginals="gaussian", **options):
    """Take functions of the reference module, or partial ones with options, for their names."""
    several = marginals if isinstance(marginals, list) else [marginals]
    for marginal in several:
        options |= {_OPTIONS.get(key, key): value for key, value in getattr(marginal, "keywords", {}).items()}
    names = [marginal if isinstance(marginal, str) else _name(marginal) for marginal in several]
    return estimators.NaiveBayes(marginals=names if isinstance(marginals, list) else names[0], **options)


def GaussianNaiveBayes():
    return estimators.NaiveBayes()


def _name(marginal: Any) -> str:
    return str(getattr(marginal, "func", marginal).__name__)


def KernelDensityClassifier(bandwidth="silverman", **options):
    return estimators.KernelDensityClassifier(bandwidth=bandwidth, **options)


def MultinomialNaiveBayes(alpha=1.0, **options):
    return estimators.MultinomialNaiveBayes(alpha=alpha, **options)
