"""Wrong implementations, one typical mistake each, and the claims that must reject them.

A claim that no wrong implementation fails proves nothing. ``tests/mutants/TOPIC.py`` holds functions and
classes as a student might have written them, and its list ``MUTANTS``::

    mutant = MUTANTS = Mutants()

    @mutant("bayes_rule_binary", kills=("bayes.rule-binary",))
    def _(eta, threshold=0.5):
        '''Sends a tie to 0.'''
        return (np.asarray(eta) > threshold).astype(np.int64)

`tests/test_mutants.py` puts each in the place of the library's own object, by the way of ``mlnotes verify
--candidate FILE``, and every claim that it names must reject it.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mlnotes import claims
from mlnotes import datasets as laws_and_data  # `datasets` is a module of this package


def library(topic: str) -> dict[str, Any]:
    """Return the names that the claims of a topic ask for, with the library's own objects."""
    module = importlib.import_module(f"mlnotes.{topic}")
    names = {name for claim in claims.of(topic) for name in claim.needs}
    return {name: getattr(module if hasattr(module, name) else laws_and_data, name) for name in names}


@dataclass(frozen=True, eq=False)
class Mutant:
    """A wrong implementation.

    Attributes
    ----------
    mistake : str
        What is wrong with it, in a sentence.
    kills : sequence of str
        Ids of the claims that must reject it.
    replaces : mapping of str to object
        The wrong objects, by the names of the library that they replace.
    """

    mistake: str
    kills: Sequence[str]
    replaces: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{'+'.join(self.replaces)}: {self.mistake}"


class Mutants(list):
    """A list of mutants; called with names and claims it decorates the wrong object and keeps it."""

    def __call__(self, *names: str, kills: Sequence[str]) -> Callable[[Any], Any]:
        def keep(wrong: Any) -> Any:
            self.append(Mutant(inspect.getdoc(wrong) or "", kills, dict.fromkeys(names, wrong)))
            return wrong

        return keep


def topics() -> list[str]:
    """Return the topics that have mutants."""
    return [module.name for module in pkgutil.iter_modules(__path__)]


def of(topic: str) -> list[Mutant]:
    """Return the mutants of a topic; a row (mistake, kills, replaces) becomes a `Mutant`."""
    rows = importlib.import_module(f"{__name__}.{topic}").MUTANTS
    return [row if isinstance(row, Mutant) else Mutant(*row) for row in rows]
