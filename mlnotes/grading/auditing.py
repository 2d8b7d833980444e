"""The grader grades its tests: a model solution earns all, the empty handout nothing, mutants lose."""

from __future__ import annotations

from dataclasses import dataclass

from mlnotes.grading.engine import GRADED, Result, grade_bytes
from mlnotes.grading.faults import GRADER, NEEDS, OK, STUDENT
from mlnotes.grading.handouts import script
from mlnotes.grading.sandbox import Sandbox
from mlnotes.homework.core import Assignment, Part

_SECRET = b"audit"


@dataclass(frozen=True)
class Audit:
    """What the audit of an assignment found.

    Attributes
    ----------
    problems : tuple of str
        Sentences; none if the assignment is sound.
    unkilled : tuple of str
        Claims that hold for every wrong solution: they decide nothing.
    runs : int
        Number of solutions that were graded.
    """

    problems: tuple[str, ...]
    unkilled: tuple[str, ...]
    runs: int

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong, claims without a mutant included."""
        return not self.problems and not self.unkilled


def audit(assignment: Assignment, *, sandbox: Sandbox, secret: bytes = _SECRET) -> Audit:
    """Grade the model solution, the empty handout and every mutant, and say what is not as it should be."""
    problems: list[str] = []
    failed: set[str] = set()
    automatic = [part for part in assignment.parts if not part.manual]

    def graded(source: str, name: str) -> Result:
        return grade_bytes(
            assignment, source.encode(), f"{name}.py", secret=secret, sandbox=sandbox, student=name
        )

    if not assignment.solution:
        problems.append("there is no model solution (Assignment.solution)")
    else:
        problems += _full(graded(assignment.solution, "model solution"))
    problems += _zero(graded(script(assignment), "empty handout"))
    for mutant in assignment.mutants:
        result = graded(f"{assignment.solution}\n\n\n{mutant.source}\n", mutant.name)
        failed |= {c.id for part in result.parts for c in part.claims if c.verdict in STUDENT}
        problems += _loses(result, mutant.loses)
    unkilled = tuple(name for name in _deciding(automatic) if name not in failed)
    return Audit(tuple(problems), unkilled, len(assignment.mutants) + 2)


def _deciding(parts: list[Part]) -> list[str]:
    """Return the ids of the claims that decide the parts, those of partial credit included."""
    claims = [claim for part in parts for claim in (*part.claims, *(claim for claim, _, _ in part.credit))]
    return list(dict.fromkeys(claim.id for claim in claims))


def _full(result: Result) -> list[str]:
    return [
        f"{result.student}: {part.name} earns {part.earned} of {part.points}: {part.verdict}, {part.sentence}"
        for part in result.parts
        if part.earned is not None and part.verdict != OK
    ] + _undecided(result)


def _zero(result: Result) -> list[str]:
    return [
        f"{result.student}: {part.name} earns {part.earned}" for part in result.parts if part.earned
    ] + _undecided(result)


def _loses(result: Result, loses: tuple[str, ...]) -> list[str]:
    problems = []
    for part in result.parts:
        full = part.earned is not None and part.earned >= part.points
        if part.name in loses and full:
            problems.append(f"mutant '{result.student}' keeps all points of {part.name}")
        if part.name not in loses and part.earned is not None and not full:
            problems.append(f"mutant '{result.student}' loses points of {part.name}: {part.sentence}")
    return problems + _undecided(result)


def _undecided(result: Result) -> list[str]:
    if result.status == GRADED:
        return []
    return [
        f"{result.student}: {p.name} is {p.verdict}: {p.sentence}"
        for p in result.parts
        if p.verdict in (GRADER, NEEDS)
    ]
