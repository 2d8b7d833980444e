"""Wrong solutions, one typical mistake each: a sentence that says what is wrong, and the claims that fail.

A claim that no wrong implementation fails proves nothing; and a student whose answers are those of a wrong
solution can be told which mistake it is. ``mlnotes/mistakes/TOPIC.py`` holds functions and classes as a
student might have written them, and right ones with their answers changed::

    mistake = MISTAKES = Mistakes("bayes")

    @mistake("bayes_rule_binary", kills=("bayes.rule-binary",))
    def _(eta, threshold=0.5):
        '''Sends a tie to 0.'''
        return (np.asarray(eta) > threshold).astype(int)

    mistake.changed("risk", scaled(2), kills=("bayes.risk",))

Each takes the place of the library's own object, by the way of ``mlnotes verify --candidate FILE``, and every
claim that it names must reject it.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlnotes import claims
from mlnotes.claims.core import library as library_of

__all__ = [
    "CHANGES",
    "Change",
    "Mistake",
    "Mistakes",
    "backwards",
    "bits",
    "complement",
    "library",
    "negated",
    "of",
    "scaled",
    "shifted",
    "topics",
    "transposed",
]


@dataclass(frozen=True)
class Change:
    """A right answer, changed: what many mistakes come to.

    Attributes
    ----------
    sentence : str
        What is wrong, for a student.
    change : callable
        Maps the right answer to the wrong one.
    """

    sentence: str
    change: Callable[[Any], Any]

    def __call__(self, right: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function whose answers are those of `right`, changed."""

        @functools.wraps(right)
        def wrong(*arguments: Any, **options: Any) -> Any:
            return self.change(right(*arguments, **options))

        return wrong


def scaled(factor: float, words: str = "") -> Change:
    """Return the change by a constant factor."""
    return Change(words or f"The answer is {factor:g} times the right one.", lambda answer: factor * answer)


def shifted(by: float, words: str = "") -> Change:
    """Return the change by a constant that is added."""
    return Change(
        words or f"The answer is the right one plus {by:g}.", lambda answer: np.asarray(answer) + by
    )


negated = Change("The sign is the wrong way round.", lambda answer: -np.asarray(answer))
transposed = Change("Rows and columns have changed places.", lambda answer: np.asarray(answer).T)
backwards = Change("The order is reversed.", lambda answer: np.asarray(answer)[::-1])
complement = Change("It is the probability of the opposite: 1 - p.", lambda answer: 1 - np.asarray(answer))
bits = Change(
    "The logarithm has base 2 where the natural one is asked for.", lambda a: np.asarray(a) / np.log(2)
)

CHANGES = (scaled(2), scaled(0.5), negated, transposed, backwards, complement, bits, shifted(1), shifted(-1))


@dataclass(frozen=True, eq=False)
class Mistake:
    """A wrong implementation.

    Attributes
    ----------
    sentence : str
        What is wrong with it.
    kills : sequence of str
        Ids of the claims that must reject it.
    replaces : mapping of str to object
        The wrong objects, by the names of the library that they replace.
    """

    sentence: str
    kills: Sequence[str]
    replaces: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{'+'.join(self.replaces)}: {self.sentence}"


class Mistakes(list[Mistake]):
    """The mistakes of a topic; called with names and claims it decorates the wrong object and keeps it."""

    def __init__(self, topic: str) -> None:
        super().__init__()
        self.topic = topic

    def __call__(self, *names: str, kills: Sequence[str]) -> Callable[[Any], Any]:
        def keep(wrong: Any) -> Any:
            self.append(Mistake(inspect.getdoc(wrong) or "", kills, dict.fromkeys(names, wrong)))
            return wrong

        return keep

    def changed(self, name: str, change: Change, *, kills: Sequence[str], words: str = "") -> None:
        """Add the library's own function with its answers changed."""
        wrong = change(library_of(self.topic, name))
        self.append(Mistake(words or change.sentence, kills, {name: wrong}))


def library(topic: str) -> dict[str, Any]:
    """Return the names that the claims of a topic ask for, with the library's own objects."""
    return {name: library_of(topic, name) for claim in claims.of(topic) for name in claim.needs}


def topics() -> list[str]:
    """Return the topics that have mistakes; those of homework are in `mlnotes.mistakes.homework`."""
    return [module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg]


def of(topic: str) -> list[Mistake]:
    """Return the mistakes of a topic; a row (sentence, kills, replaces) becomes a `Mistake`."""
    rows = importlib.import_module(f"{__name__}.{topic}").MISTAKES
    return [row if isinstance(row, Mistake) else Mistake(*row) for row in rows]
