"""mlnotes: statistical machine learning in pure NumPy, where a theorem is executable.

Every part loads on first use (``mlnotes.bayes``, ``mlnotes.datasets``), so that
``import mlnotes`` costs nothing beyond what it shows here.
"""

from __future__ import annotations

import importlib
from types import ModuleType

__version__ = "0.1.0"

_SUBMODULES = (
    "base",
    "bayes",
    "claims",
    "datasets",
    "density",
    "descent",
    "discriminant",
    "duality",
    "ensemble",
    "evaluation",
    "exhibits",
    "grading",
    "homework",
    "logistic",
    "naive_bayes",
    "neighbors",
    "pca",
    "perceptron",
    "plots",
    "svm",
    "tree",
)

__all__ = ["__version__", *_SUBMODULES]


def __getattr__(name: str) -> ModuleType:
    if name in _SUBMODULES:
        return importlib.import_module(f"mlnotes.{name}")
    raise AttributeError(f"module 'mlnotes' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
