"""mlnotes: statistical machine learning in pure NumPy, where a theorem is executable.

The *reference module* ``mlnotes.perceptron`` is the lecture in code, the *estimator* ``mlnotes.Perceptron``
is what people use on data. Every part loads on first use, so that ``import mlnotes`` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the estimators below, for type checkers
    from mlnotes.estimators.bayes import PlugInClassifier as PlugInClassifier
    from mlnotes.estimators.boosting import AdaBoostClassifier as AdaBoostClassifier
    from mlnotes.estimators.density import DensityThreshold as DensityThreshold
    from mlnotes.estimators.density import Histogram as Histogram
    from mlnotes.estimators.density import KernelDensity as KernelDensity
    from mlnotes.estimators.discriminant import LinearDiscriminantAnalysis as LinearDiscriminantAnalysis
    from mlnotes.estimators.discriminant import QuadraticDiscriminantAnalysis as QuadraticDiscriminantAnalysis
    from mlnotes.estimators.ensemble import BaggingClassifier as BaggingClassifier
    from mlnotes.estimators.ensemble import RandomForestClassifier as RandomForestClassifier
    from mlnotes.estimators.evaluation import MemorisingClassifier as MemorisingClassifier
    from mlnotes.estimators.logistic import LogisticRegression as LogisticRegression
    from mlnotes.estimators.naive_bayes import KernelDensityClassifier as KernelDensityClassifier
    from mlnotes.estimators.naive_bayes import MultinomialNaiveBayes as MultinomialNaiveBayes
    from mlnotes.estimators.naive_bayes import NaiveBayes as NaiveBayes
    from mlnotes.estimators.neighbors import KNeighborsClassifier as KNeighborsClassifier
    from mlnotes.estimators.neighbors import NearestCentroid as NearestCentroid
    from mlnotes.estimators.pca import PCA as PCA
    from mlnotes.estimators.perceptron import KernelPerceptron as KernelPerceptron
    from mlnotes.estimators.perceptron import Perceptron as Perceptron
    from mlnotes.estimators.svm import SVC as SVC
    from mlnotes.estimators.svm import OneClassSVM as OneClassSVM
    from mlnotes.estimators.tree import DecisionTreeClassifier as DecisionTreeClassifier

__version__ = "0.2.0"

LECTURES = (
    "bayes", "evaluation", "neighbors", "discriminant", "logistic", "descent", "perceptron",
    "duality", "svm", "density", "naive_bayes", "tree", "ensemble", "pca",
)  # fmt: skip
SECOND_MODULES: dict[str, tuple[str, ...]] = {  # of a lecture that teaches several things
    "bayes": ("losses",),
    "evaluation": ("roc", "calibration"),
    "duality": ("programs",),
    "svm": ("svm_one_class",),
    "density": ("histogram",),
}
_PACKAGES = (
    "checking",
    "claims",
    "datasets",
    "engines",
    "estimators",
    "grading",
    "homework",
    "mistakes",
    "show",
)
ESTIMATORS = {
    "AdaBoostClassifier": "boosting",
    "BaggingClassifier": "ensemble",
    "DecisionTreeClassifier": "tree",
    "DensityThreshold": "density",
    "Histogram": "density",
    "KNeighborsClassifier": "neighbors",
    "KernelDensity": "density",
    "KernelDensityClassifier": "naive_bayes",
    "KernelPerceptron": "perceptron",
    "LinearDiscriminantAnalysis": "discriminant",
    "LogisticRegression": "logistic",
    "MemorisingClassifier": "evaluation",
    "MultinomialNaiveBayes": "naive_bayes",
    "NaiveBayes": "naive_bayes",
    "NearestCentroid": "neighbors",
    "OneClassSVM": "svm",
    "PCA": "pca",
    "Perceptron": "perceptron",
    "PlugInClassifier": "bayes",
    "QuadraticDiscriminantAnalysis": "discriminant",
    "RandomForestClassifier": "ensemble",
    "SVC": "svm",
}

_REFERENCE_MODULES = (*LECTURES, *(name for names in SECOND_MODULES.values() for name in names))

__all__ = ["__version__", *_REFERENCE_MODULES, *_PACKAGES, *ESTIMATORS]


def modules_of(topic: str) -> tuple[str, ...]:
    """Return the reference modules of a lecture: the one of its name, and others if there are."""
    return (topic, *SECOND_MODULES.get(topic, ()))


def __getattr__(name: str) -> Any:
    if name in ESTIMATORS:
        return getattr(importlib.import_module(f"mlnotes.estimators.{ESTIMATORS[name]}"), name)
    if name in _REFERENCE_MODULES or name in _PACKAGES:
        return importlib.import_module(f"mlnotes.{name}")
    raise AttributeError(f"module 'mlnotes' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
