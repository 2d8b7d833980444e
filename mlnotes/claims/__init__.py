"""The claims of every topic: ``topics()``, ``of(topic)``, ``find(id)``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence

from mlnotes import LECTURES
from mlnotes.checking import Claim
from mlnotes.checking.claims import serve
from mlnotes.checking.suite import Section
from mlnotes.claims.library import Lectures

__all__ = ["find", "of", "select", "topics", "verified"]

serve(Lectures())


def topics() -> tuple[str, ...]:
    """Return the topics that have claims, in the order of the lectures, other topics last."""
    names = {name for name in _modules() if not name.startswith(tuple(f"{t}_" for t in LECTURES))}
    return tuple(t for t in LECTURES if t in names) + tuple(sorted(names - set(LECTURES)))


def modules(topic: str) -> list[str]:
    """Return the modules that state a topic: its own, ``bayes``, and those like ``bayes_estimates``."""
    return [topic, *sorted(name for name in _modules() if name.startswith(f"{topic}_"))]


def _modules() -> set[str]:
    return {module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg} - {"library"}


def of(topic: str) -> tuple[Claim, ...]:
    """Return the claims of `topic` in the order in which its modules state them.

    Raises
    ------
    ValueError
        If there is no such topic.
    """
    if topic not in topics():
        raise ValueError(f"topic must be one of {', '.join(topics())}, got {topic!r}")
    rooms = [vars(importlib.import_module(f"mlnotes.claims.{name}")) for name in modules(topic)]
    every = {value.id: value for room in rooms for value in room.values() if isinstance(value, Claim)}
    return tuple(every.values())


def find(id: str) -> Claim:
    """Return the claim with this id.

    Raises
    ------
    ValueError
        If the topic has no claim of that name.
    """
    for item in of(id.partition(".")[0]):
        if item.id == id:
            return item
    raise ValueError(f"there is no claim {id!r}; 'mlnotes verify {id.partition('.')[0]}' lists them")


def select(names: Sequence[str]) -> tuple[Claim, ...]:
    """Return the claims that can be run, of the named topics and ids; of every topic if none is named.

    Raises
    ------
    ValueError
        If a name is neither a topic nor the id of a claim.
    """
    chosen: dict[str, Claim] = {}
    for name in names or topics():
        found = (find(name),) if "." in name else of(name)
        chosen.update({item.id: item for item in found})
    return tuple(item for item in chosen.values() if item.check is not None)


def verified(topic: str, *, section: str = "") -> Section:
    """Check every claim of a topic, or of one section of its lecture, on every side.

    Raises
    ------
    ValueError
        If there is no such topic or section.
    AssertionError
        At the first claim that fails, with what was measured.
    """
    chosen = [item for item in of(topic) if item.check and section in ("", item.section)]
    if not chosen:
        raise ValueError(f"section must be one of lecture {topic}, got {section!r}")
    verdicts = []
    for item in chosen:
        runs = [item.verify(side=side) for side in item.sides()]
        for run in runs:
            assert run.holds, str(run)
        verdicts.append(runs[-1])
    return Section(verdicts)
