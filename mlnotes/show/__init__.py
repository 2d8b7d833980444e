"""Pictures: of models, plots, diagrams, sliders over the states of an algorithm, the gallery."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the functions below, for type checkers
    from mlnotes.show.diagrams import tree_diagram as tree_diagram
    from mlnotes.show.models import calibration as calibration
    from mlnotes.show.models import confusion as confusion
    from mlnotes.show.models import learning_curve as learning_curve
    from mlnotes.show.models import precision_recall as precision_recall
    from mlnotes.show.models import pruning_path as pruning_path
    from mlnotes.show.models import roc as roc
    from mlnotes.show.models import scree as scree
    from mlnotes.show.plane import decision_regions as decision_regions
    from mlnotes.show.watching import source as source
    from mlnotes.show.watching import watch as watch

if importlib.util.find_spec("matplotlib") is None:
    raise ModuleNotFoundError("Pictures need Matplotlib: pip install 'mlnotes[lectures]'")

_FUNCTIONS = {
    "calibration": "models",
    "confusion": "models",
    "decision_regions": "plane",
    "learning_curve": "models",
    "precision_recall": "models",
    "pruning_path": "models",
    "roc": "models",
    "scree": "models",
    "source": "watching",
    "tree_diagram": "diagrams",
    "watch": "watching",
}
_MODULES = ("curves", "diagrams", "gallery", "models", "plane", "plots", "slider", "style", "watching")
__all__ = [*_MODULES, *_FUNCTIONS]


def __getattr__(name: str) -> Any:
    if name in _FUNCTIONS:
        return getattr(importlib.import_module(f"mlnotes.show.{_FUNCTIONS[name]}"), name)
    if name in _MODULES:
        return importlib.import_module(f"mlnotes.show.{name}")
    raise AttributeError(f"module 'mlnotes.show' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
