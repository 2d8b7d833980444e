"""Assignments: parts to write, points, and the claims that decide them."""

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
