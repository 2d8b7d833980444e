"""The claims of every topic: ``topics()``, ``of(topic)``, ``find(id)``."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from mlnotes.claims.core import (
    LECTURES,
    Claim,
    Evidence,
    Verdict,
    at_least,
    at_most,
    claim,
    correction,
    equal,
    hoeffding,
    misprint,
    rounding,
    statement,
    within,
)

__all__ = [
    "Claim",
    "Evidence",
    "Verdict",
    "at_least",
    "at_most",
    "claim",
    "correction",
    "equal",
    "find",
    "hoeffding",
    "misprint",
    "of",
    "rounding",
    "statement",
    "topics",
    "verified",
    "within",
]

_MACHINERY = {"answers", "boxes", "core", "deadline", "gaussians", "planes", "suite"}


def topics() -> tuple[str, ...]:
    """Return the topics that have claims, in the order of the lectures, other topics last."""
    names = {name for name in _modules() if not name.startswith(tuple(f"{t}_" for t in LECTURES))}
    return tuple(t for t in LECTURES if t in names) + tuple(sorted(names - set(LECTURES)))


def modules(topic: str) -> list[str]:
    """Return the modules that state a topic: its own, ``bayes``, and those like ``bayes_estimates``."""
    return [topic, *sorted(name for name in _modules() if name.startswith(f"{topic}_"))]


def _modules() -> set[str]:
    return {module.name for module in pkgutil.iter_modules(__path__)} - _MACHINERY


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


def verified(topic: str, *, section: str = "") -> Any:
    """Check the claims of a topic or of one section of its lecture; see `suite.verified`."""
    from mlnotes.claims import suite

    return suite.verified(topic, section=section)
