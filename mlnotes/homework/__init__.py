"""Assignments: parts to write, points, and the claims that decide them."""

from __future__ import annotations

from mlnotes.grading.assignment.parts import (
    Assignment,
    Class,
    Function,
    Mutant,
    Part,
    Value,
    assignments,
    load,
    log_scale,
)
from mlnotes.grading.assignment.stubs import part, variant

__all__ = [
    "Assignment",
    "Class",
    "Function",
    "Mutant",
    "Part",
    "Value",
    "assignments",
    "load",
    "log_scale",
    "part",
    "variant",
]


def solved(id: str) -> Assignment | None:
    """Return an assignment with its model solution and mistakes, which ``mlnotes.mistakes`` has."""
    from mlnotes.mistakes import homework

    return homework.solved(id)
