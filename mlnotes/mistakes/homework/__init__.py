"""The model solution of each homework, and wrong solutions with one typical mistake each.

A folder holds ``solution.py`` and any number of ``wrong_*.py``: definitions that replace those of the
solution, with a docstring that says the mistake and ends in ``Loses: part, part.``
"""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from mlnotes.homework.core import Assignment, Mutant, Part, load, split_variant


def with_solutions(assignment: Assignment, folder: Path) -> Assignment:
    """Return the assignment with the model solution and the mistakes of a folder.

    Raises
    ------
    ValueError
        If a file is missing, or a docstring does not say what is lost.
    """
    solution = folder / "solution.py"
    if not solution.is_file():
        raise ValueError(f"the folder of an audit must hold solution.py, {str(folder)!r} does not")
    wrong = tuple(_mutant(path) for path in sorted(folder.glob("wrong_*.py")))
    return replace(assignment, solution=solution.read_text("utf-8"), mutants=wrong)


def _mutant(path: Path) -> Mutant:
    source = path.read_text("utf-8")
    described = " ".join((ast.get_docstring(ast.parse(source)) or "").split())
    found = re.fullmatch(r"(.*?)\s*Loses: ([\w, ]+)\.", described)
    if found is None:
        raise ValueError(f"{path.name} must begin with a docstring that ends in 'Loses: part, part.'")
    return Mutant(path.stem, source, tuple(name.strip() for name in found[2].split(",")), found[1])


@functools.cache
def solved(id: str) -> Assignment | None:
    """Return a homework of the library with its solutions; None where there are none of that id."""
    folder = Path(__file__).parent / id
    return with_solutions(load(id), folder) if folder.is_dir() else None


@functools.lru_cache(256)
def _code(source: str) -> Any:
    return compile(source, "<known solution>", "exec")


def defined(*sources: str) -> dict[str, Any]:
    """Return the names that solutions define, one executed after the other: of equal names the last."""
    names: dict[str, Any] = {"__name__": "known"}
    for source in sources:
        exec(_code(source), names)
    return names


def known(assignment: Assignment, part: Part) -> tuple[str, tuple[Mutant, ...]]:
    """Return the source of a right solution of a part and the mistakes that lose it; "" and none if unknown.

    The parts of a variant that are turned round are unknown: the solution is that of the first convention.
    """
    base = assignment
    if not assignment.solution:
        id = split_variant(assignment.id)[0]
        found = solved(id) if re.fullmatch(r"hw\d+", id) else None
        if found is None or part not in found.parts:
            return "", ()
        base = found
    return base.solution, tuple(mutant for mutant in base.mutants if part.name in mutant.loses)
