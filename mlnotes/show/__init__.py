"""What one looks at: plots, diagrams, exhibits with sliders, the gallery; `watch` and `source` at hand."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

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
_MODULES = ("curves", "diagrams", "exhibits", "gallery", "models", "plane", "plots", "style", "watching")
__all__ = [*_MODULES, *_FUNCTIONS]


def __getattr__(name: str) -> Any:
    if name in _FUNCTIONS:
        return getattr(importlib.import_module(f"mlnotes.show.{_FUNCTIONS[name]}"), name)
    if name in _MODULES:
        return importlib.import_module(f"mlnotes.show.{name}")
    raise AttributeError(f"module 'mlnotes.show' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
