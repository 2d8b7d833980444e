"""The model solution of each homework, and wrong solutions with one typical mistake each.

A folder holds ``solution.py`` and ``wrong.diff``, which says each mistake and the parts that lose by it, with
the lines of the solution that are exchanged, or with definitions that replace those of the solution::

    @@ no_leaf_count: Does not divide by the number of leaves. Loses: links.
    -    return (risk - below) / (leaves - 1)
    +    return risk - below
    @@ unit_columns: Returns eigenvectors of length 1. Loses: coordinates.
    +def coordinates(products, k, _right=coordinates):
    +    Z = _right(products, k)
    +    return Z / (Z**2).sum(axis=0) ** 0.5

A file ``wrong_*.py`` may hold such definitions, too; its docstring says what the first line says here.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from mlnotes.grading.assignment.parts import Assignment, Mutant, load
from mlnotes.mistakes.exchange import entries


def with_solutions(assignment: Assignment, folder: Path) -> Assignment:
    """Return the assignment with the model solution and the mistakes of a folder.

    Raises
    ------
    ValueError
        If a file is missing, a docstring does not say what is lost, or lines that are exchanged do not stand
        once in the solution.
    """
    solution = folder / "solution.py"
    if not solution.is_file():
        raise ValueError(f"the folder of an audit must hold solution.py, {str(folder)!r} does not")
    right = solution.read_text("utf-8")
    wrong = [_written(path) for path in folder.glob("wrong_*.py")]
    if (changes := folder / "wrong.diff").is_file():
        wrong += _changed(right, changes)
    return replace(assignment, solution=right, mutants=tuple(sorted(wrong, key=lambda mutant: mutant.name)))


def _written(path: Path) -> Mutant:
    source = path.read_text("utf-8")
    return _mutant(path.stem, source, ast.get_docstring(ast.parse(source)) or "")


def _changed(solution: str, changes: Path) -> Iterator[Mutant]:
    """Yield the mistakes as the definitions that are not the solution's."""
    own = re.split("\n{3,}", solution.strip("\n"))
    for entry in entries(changes.read_text("utf-8"), f"{changes.parent.name}/{changes.name}"):
        others = re.split("\n{3,}", entry.wrong(solution).strip("\n"))
        source = "\n\n\n".join(other for other in others if other not in own)
        yield _mutant(f"wrong_{entry.name}", source, entry.described)


def _mutant(name: str, source: str, described: str) -> Mutant:
    found = re.fullmatch(r"(.*?)\s*Loses: ([\w, ]+)\.", " ".join(described.split()))
    if found is None:
        raise ValueError(f"what {name} says must end in 'Loses: part, part.'")
    return Mutant(name, source, tuple(part.strip() for part in found[2].split(",")), found[1])


@functools.cache
def solved(id: str) -> Assignment | None:
    """Return a homework of the library with its solutions; None where there are none of that id."""
    folder = Path(__file__).parent / id
    return with_solutions(load(id), folder) if folder.is_dir() else None
