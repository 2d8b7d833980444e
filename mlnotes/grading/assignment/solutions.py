"""The model solution of an assignment and its recorded mistakes, where somebody knows them."""

from __future__ import annotations

import functools
from typing import Any

from mlnotes.grading.assignment.parts import Assignment, Mutant, Part, assignments, course, split_variant


@functools.lru_cache(256)
def _code(source: str) -> Any:
    return compile(source, "<known solution>", "exec", dont_inherit=True)  # nor the import at our top


def defined(*sources: str) -> dict[str, Any]:
    """Return the names that solutions define, one executed after the other: of equal names the last."""
    names: dict[str, Any] = {"__name__": __name__}  # of a module that there is: dataclasses look there
    for source in sources:
        exec(_code(source), names)
    return names


def known(assignment: Assignment, part: Part) -> tuple[str, tuple[Mutant, ...]]:
    """Return the source of a right solution of a part and the mistakes that lose it; "" and none if unknown.

    They are the assignment's, or those that the function ``solved`` of its course gives. The parts of a
    variant that are turned round are unknown: the solution is that of the first convention.
    """
    base = assignment
    if not assignment.solution:
        id = split_variant(assignment.id)[0]
        solved = getattr(course(), "solved", None)
        found: Assignment | None = solved(id) if solved and id in assignments() else None
        if found is None or part not in found.parts:
            return "", ()
        base = found
    return base.solution, tuple(mutant for mutant in base.mutants if part.name in mutant.loses)
