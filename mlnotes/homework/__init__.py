"""Assignments: parts to write, points, and the claims that decide them."""

from mlnotes.homework.core import (
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

__all__ = ["Assignment", "Class", "Function", "Mutant", "Part", "Value", "assignments", "load", "log_scale"]
