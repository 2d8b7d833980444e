"""Wrong solutions, one typical mistake each: a sentence that says what is wrong, and the claims that fail.

A claim that no wrong implementation fails proves nothing; and a student whose program behaves like a wrong
solution can read which mistake it is. ``mlnotes/mistakes/TOPIC.py`` holds them, as a student might have
written them: a formula is a row of sentence, claims and code, what takes more than a formula is written out::

    mistake = MISTAKES = Mistakes("bayes")

    mistake.rows("bayes_rule_binary",
        ("Sends a tie to 0.", "rule-binary plugin-rule", lambda eta: (np.asarray(eta) > 0.5).astype(int)),
    )

    @mistake("PlugInClassifier.fit", kills="setup-data-matrix")
    def _(self, X, y):
        '''Drops rows without a label, as zip does.'''

A mistake in a line or two of the reference module or of a distribution stands in ``TOPIC.diff``, with the
exchanged lines (`mlnotes.mistakes.exchange`)::

    @@ bayes_rule_binary: Ignores the threshold. Kills: cost-threshold.
    -    return (np.asarray(eta) >= threshold).astype(int)  # (3.1)
    +    return (np.asarray(eta) >= 0.5).astype(int)

Each takes the place of the library's own object, by the way of ``mlnotes verify --candidate FILE``, and every
claim of the topic that it names must reject it.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from mlnotes import claims
from mlnotes.checking.claims import library as library_of
from mlnotes.mistakes.exchange import Entry, entries, lines_of, rebuilt

__all__ = ["Mistake", "Mistakes", "library", "of", "topics"]

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, eq=False)
class Mistake:
    """A wrong implementation.

    Attributes
    ----------
    sentence : str
        What is wrong with it.
    kills : sequence of str
        Ids of the claims that must reject it.
    changes : str
        The names that it changes.
    make : callable
        Returns the wrong objects, by the names of the library that they replace; called when they are needed.
    """

    sentence: str
    kills: Sequence[str]
    changes: str
    make: Callable[[], Mapping[str, Any]]

    @functools.cached_property
    def replaces(self) -> Mapping[str, Any]:
        """The wrong objects, by the names of the library that they replace.

        Raises
        ------
        ValueError
            If lines that it exchanges do not stand once in the right code.
        """
        return self.make()

    def __str__(self) -> str:
        return f"{self.changes}: {self.sentence}"


class Mistakes(list[Mistake]):
    """The mistakes of a topic; called with names and claims it decorates the wrong object and keeps it.

    Claims stand in one string, by their ids without the topic: ``kills="rule-binary plugin-rule"``.
    """

    def __init__(self, topic: str) -> None:
        super().__init__()
        self.topic = topic

    def __call__(self, *names: str, kills: str) -> Callable[[Any], Any]:
        def keep(wrong: Any) -> Any:
            sentence = inspect.getdoc(wrong) or ""
            if "." in names[0]:
                self.rows(names[0], (sentence, kills, wrong))
            else:
                self.add(sentence, kills, dict.fromkeys(names, wrong))
            return wrong

        return keep

    def add(self, sentence: str, kills: str, replaces: Mapping[str, Any]) -> None:
        """Add one mistake that may replace several objects of the library."""
        ids = tuple(f"{self.topic}.{id}" for id in kills.split())
        self.append(Mistake(sentence, ids, "+".join(replaces), lambda: replaces))

    def rows(self, name: str, *rows: tuple[str, str, Callable[..., Any]]) -> None:
        """Add a mistake for each row (sentence, claims, wrong) about one name.

        `name` is a function or ``Class.method``: the wrong class is then the library's with that method.
        """
        owner, _, method = name.partition(".")
        right = library_of(self.topic, owner)
        for sentence, kills, wrong in rows:
            if method:
                wrong = type(right.__name__, (right,), {"__doc__": sentence, method: wrong})
            self.add(sentence, kills, {owner: wrong})


def library(topic: str) -> dict[str, Any]:
    """Return the names that the claims of a topic ask for, with the library's own objects."""
    return {name: library_of(topic, name) for claim in claims.of(topic) for name in claim.needs}


def topics() -> list[str]:
    """Return the topics that have mistakes; those of homework are in `mlnotes.mistakes.homework`."""
    return sorted({path.stem for path in _FOLDER.iterdir()} & {*claims.topics()})


def of(topic: str) -> list[Mistake]:
    """Return the mistakes of a topic."""
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    ours = [name for name in names if f"{name}_".startswith(f"{topic}_")]
    written = [wrong for name in ours for wrong in importlib.import_module(f"{__name__}.{name}").MISTAKES]
    return [*written, *_exchanged(topic)]


@functools.cache
def _exchanged(topic: str) -> tuple[Mistake, ...]:
    if not (path := _FOLDER / f"{topic}.diff").is_file():
        return ()
    mistakes = []
    for entry in entries(path.read_text("utf-8"), f"mlnotes/mistakes/{topic}.diff"):
        sentence, _, kills = entry.described.removesuffix(".").rpartition(" Kills: ")
        ids = tuple(f"{topic}.{id}" for id in kills.split())
        mistakes.append(Mistake(sentence, ids, entry.name, functools.partial(_rebuilt, topic, entry)))
    return tuple(mistakes)


def _rebuilt(topic: str, entry: Entry) -> dict[str, Any]:
    """Return what the changed module makes of the names that claims need."""
    try:
        module = _module(topic, entry.name)
        right = lines_of(_source(module), entry.name)
    except (LookupError, ValueError) as error:
        raise ValueError(f"{entry.place}: {error}") from error
    changed = _source(module).replace(right, entry.wrong(right), 1)
    return rebuilt(changed, entry.name, library(topic), vars(module))


def _module(topic: str, name: str) -> ModuleType:
    """Return where the last of the names is defined: a reference module, or a module of the data sets."""
    right = library_of(topic, name.rpartition(", ")[2].partition(".")[0], "reference")
    return importlib.import_module(right.__module__)


_source = functools.cache(inspect.getsource)
