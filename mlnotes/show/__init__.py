"""What one looks at: plots, diagrams, exhibits with sliders, the gallery; `watch` and `source` at hand."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

if importlib.util.find_spec("matplotlib") is None:
    raise ModuleNotFoundError("Pictures need Matplotlib: pip install 'mlnotes[lectures]'")

_WATCHING = ("source", "watch")
_MODULES = ("diagrams", "exhibits", "gallery", "plots", "watching")
__all__ = [*_MODULES, *_WATCHING]


def __getattr__(name: str) -> Any:
    if name in _WATCHING:
        return getattr(importlib.import_module("mlnotes.show.watching"), name)
    if name in _MODULES:
        return importlib.import_module(f"mlnotes.show.{name}")
    raise AttributeError(f"module 'mlnotes.show' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
