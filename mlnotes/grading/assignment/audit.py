"""The grader grades its tests: a model solution earns all, the empty handout nothing, mutants lose."""

from __future__ import annotations

import ast
import contextlib
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mlnotes.grading.assignment.handouts import script
from mlnotes.grading.assignment.parts import Assignment, Mutant
from mlnotes.grading.engine import grade_bytes
from mlnotes.grading.feedback.reports import measured_line, points
from mlnotes.grading.results import GRADED, GRADER, NEEDS, OK, OPEN, STUDENT, PartResult, Result
from mlnotes.grading.sandbox.levels import Sandbox

_SECRET = b"audit"
_SMALL = 1e-9  # of the larger side: what a sum of some thousand terms in double precision may differ by
_ROUNDING = "; differs by rounding: give a tolerance, such as rounding(n) for sums of n terms"
_MISSING = re.compile(r"No module named '(\w+)")


@dataclass(frozen=True)
class Audit:
    """What the audit of an assignment found."""

    problems: tuple[str, ...]  # sentences; none if the assignment is sound
    unkilled: tuple[str, ...]  # claims that hold for every wrong solution: they decide nothing
    runs: int  # how many solutions were graded

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong, claims without a mutant included."""
        return not self.problems and not self.unkilled


def audit(assignment: Assignment, *, sandbox: Sandbox) -> Audit:
    """Make every variant, grade the model solution, the empty handout and every mutant; say what is wrong."""
    problems = [*_not_made(assignment)]
    failed: set[str] = set()
    assignment = replace(assignment, sheets=None)  # of an exam: a sheet that no student has

    def graded(source: str, name: str) -> Result:
        return grade_bytes(
            assignment, source.encode(), f"{name}.py", secret=_SECRET, sandbox=sandbox, student=name
        )

    unsolved: set[str] = set()  # parts that the model solution loses, of which mutants say nothing
    if not assignment.solution:
        problems.append("there is no model solution (Assignment.solution)")
    else:
        model = graded(assignment.solution, "model solution")
        problems += _full(model, assignment)
        unsolved = {part.name for part in model.parts if part.earned != part.points and part.verdict != OPEN}
    empty = graded(script(assignment), "empty handout")
    problems += [f"{empty.student}: {part.name} earns {part.earned}" for part in empty.parts if part.earned]
    problems += _undecided(empty)
    for mutant in assignment.mutants:
        if wrong := _changes_nothing(mutant, assignment):
            problems.append(f"mutant '{mutant.name}' {wrong}")
            continue
        result = graded(f"{assignment.solution}\n\n\n{mutant.source}\n", mutant.name)
        failed |= {c.id for part in result.parts for c in part.claims if c.verdict in STUDENT}
        problems += _loses(result, mutant.loses, unsolved)
    deciding = dict.fromkeys(c.id for part in assignment.parts if not part.manual for c in part.asks)
    unkilled = tuple(name for name in deciding if name not in failed)
    return Audit(tuple(problems), unkilled, len(assignment.mutants) + 2)


def _not_made(assignment: Assignment) -> Iterator[str]:
    """Yield a sentence for each variant that cannot be made."""
    variants = assignment.variants or ()
    for number in range(1, 2 ** len(variants)) if isinstance(variants, tuple) else variants:
        try:
            assignment.variant(number)
        except Exception as error:  # of the instructor's functions
            yield f"variant {number} cannot be made: {type(error).__name__}: {error}"


def _changes_nothing(mutant: Mutant, assignment: Assignment) -> str:
    """Return why a mutant is none: its parts are not there, or it touches no name of the solution."""
    names = [part.name for part in assignment.parts]
    if wrong := [name for name in mutant.loses if name not in names]:
        return f"loses {', '.join(wrong)}, which is no part; the parts are {', '.join(names)}"
    try:
        nodes = list(ast.walk(ast.parse(mutant.source, mutant.name)))
    except (SyntaxError, ValueError) as error:
        return f"is no Python: {error}"
    own = {item.name for part in assignment.parts for item in part.writes}
    with contextlib.suppress(SyntaxError, ValueError):  # of the solution, which earns nothing then
        own |= _defined(ast.parse(assignment.solution).body)
    touched = _defined(nodes) | {node.id for node in nodes if isinstance(node, ast.Name)}
    if own.isdisjoint(touched):
        return f"changes nothing: it has none of the names {', '.join(sorted(own))}"
    return ""


def _defined(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that definitions and assignments among the nodes make."""
    targets = [target for node in nodes if isinstance(node, ast.Assign) for target in node.targets]
    names = {node.id for node in targets if isinstance(node, ast.Name)}
    return names | {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def _full(result: Result, assignment: Assignment) -> list[str]:
    lost = [part for part in result.parts if part.earned is not None and part.verdict != OK]
    problems = [
        f"{result.student}: {part.name} earns {points(part.earned)} of {points(part.points)}: "
        f"{part.verdict}, {part.sentence}{''.join(_measured(part))}"
        for part in lost
    ]
    if lost:
        problems += [f"{result.student}: {note}{_not_allowed(note, assignment)}" for note in result.notes]
    return problems + _undecided(result)


def _measured(part: PartResult) -> Iterator[str]:
    """Yield a line for each claim that fails: what was measured first, and whether rounding explains all."""
    for claim in part.claims:
        broken = [item for item in claim.evidence if not item["holds"]]
        if broken:
            hint = all(map(_by_rounding, broken))
            yield f"\n    {claim.id}: {measured_line(broken[0])}{_ROUNDING if hint else ''}"


def _by_rounding(item: Mapping[str, Any]) -> bool:
    ends = item["bound"] if item["relation"] == "within" else [item["bound"]]
    sides = [item["measured"], *ends]
    if not all(isinstance(side, (int, float)) and math.isfinite(side) for side in sides):
        return False
    apart = min(abs(item["measured"] - end) for end in ends)
    return apart <= _SMALL * max(1.0, *map(abs, sides))


def _not_allowed(note: str, assignment: Assignment) -> str:
    missing = _MISSING.search(note)
    if missing is None:
        return ""
    names = (*assignment.packages, missing[1])
    return f"; allow it with Assignment(packages=({', '.join(map(repr, names))},))"


def _loses(result: Result, loses: tuple[str, ...], unsolved: set[str]) -> list[str]:
    problems = []
    for part in result.parts:
        if part.name in unsolved:
            continue
        full = part.earned is not None and part.earned >= part.points
        if part.name in loses and full:
            problems.append(f"mutant '{result.student}' keeps all points of {part.name}")
        if part.name not in loses and part.earned is not None and not full:
            problems.append(f"mutant '{result.student}' loses points of {part.name}: {part.sentence}")
    return problems + _undecided(result, unsolved)


def _undecided(result: Result, unsolved: Collection[str] = ()) -> list[str]:
    if result.status == GRADED:
        return []
    return [
        f"{result.student}: {p.name} is {p.verdict}: {p.sentence}"
        for p in result.parts
        if p.verdict in (GRADER, NEEDS) and p.name not in unsolved
    ]
