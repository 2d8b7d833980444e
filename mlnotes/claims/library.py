"""Where the claims of the lectures find the library's objects, and the section that states them."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from mlnotes import LECTURES, modules_of
from mlnotes.checking import Claim


class Lectures:
    """The course of `mlnotes.LECTURES`.

    A claim speaks the language of the reference module. On the side of the estimators a name is that of the
    topic's adapter ``mlnotes.claims.adapters.TOPIC``, else of the estimators' module, else of the reference
    module. Every side has the data sets; the side "datasets" has nothing else.
    """

    def lookup(self, topic: str, name: str, side: str) -> Any:
        """Return the object of a name, from the first module that defines it; LookupError if none does."""
        for module in (*_modules(topic, side), "mlnotes.datasets"):
            if importlib.util.find_spec(module) and hasattr(importlib.import_module(module), name):
                return getattr(importlib.import_module(module), name)
        raise LookupError(f"the {side} of {topic} have no {name}, nor have the data sets")

    def find(self, id: str) -> Claim:
        """Return the claim of an id."""
        return importlib.import_module("mlnotes.claims").find(id)

    def where(self, topic: str, section: str) -> str:
        """Return the notebook and the section."""
        if topic not in LECTURES:
            return section
        number, (section, *companion) = LECTURES.index(topic) + 1, section.split()
        folder = "lectures/deeper" if companion else "lectures"
        return f"{folder}/{number:02d}_{topic}.ipynb, section {section}"


def _modules(topic: str, side: str) -> list[str]:
    if side == "datasets" or topic not in LECTURES:
        return []
    reference = [f"mlnotes.{name}" for name in modules_of(topic)]
    if side == "reference":
        return reference
    return [f"mlnotes.claims.adapters.{topic}", f"mlnotes.estimators.{topic}", *reference]
