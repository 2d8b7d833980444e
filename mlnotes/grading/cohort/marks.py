"""What people decide after the grader: marks by hand, overrides with a reason, lateness and excuses.

Pure functions from a result to a new one. Stored results stay as the grader made them: the files of the
instructor are applied whenever grades are written, so that they survive a regrade.

``manual.csv`` has the columns student, part, points and optionally comment; ``overrides.csv`` student, part,
points and reason.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from mlnotes.grading.assignment.parts import Assignment
from mlnotes.grading.cohort.submissions import at_least_zero
from mlnotes.grading.engine import assembled
from mlnotes.grading.results import EXCUSED, MARKED, PartResult, Result, clean


class Mark(NamedTuple):
    """Points that a person gave for one part, and why."""

    points: float
    words: str = ""


MANUAL, OVERRIDES = "manual.csv", "overrides.csv"
Marks = Mapping[tuple[str, str], Mark]  # by student and part


def read(file: str, text: str, assignment: Assignment) -> dict[tuple[str, str], Mark]:
    """Return the marks of ``manual.csv`` or ``overrides.csv``.

    A mark by hand is at most the part's points; an override may exceed them, and needs a reason.

    Raises
    ------
    ValueError
        If a column is missing, a part is unknown or not marked by hand, points are no number between 0 and
        those of the part, a reason is missing, or a student has two marks for one part. The line is named.
    """
    by_hand = file == MANUAL
    columns = ("student", "part", "points", "comment" if by_hand else "reason")
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), skipinitialspace=True)
    if missing := set(columns) - {"comment"} - set(reader.fieldnames or ()):
        raise ValueError(f"{file} needs the columns {', '.join(columns)}; no {', '.join(sorted(missing))}")
    marks: dict[tuple[str, str], Mark] = {}
    for row in reader:
        where = f"{file}, line {reader.line_num}"
        student, name, number, words = ((row.get(key) or "").strip() for key in columns)
        written = any((value or "").strip() for key, value in row.items() if key is not None)
        if not written or (by_hand and not number):  # a mark that is not there yet is none
            continue
        points = at_least_zero(number, "points must be a number", where)
        try:
            part = assignment.part(name)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        if by_hand and not part.manual:
            raise ValueError(f"{where}: {name} is not marked by hand; use {OVERRIDES}")
        if by_hand and points > part.points:
            raise ValueError(f"{where}: {name} has {part.points:g} points, got {points:g}")
        if not by_hand and not words:
            raise ValueError(f"{where}: an override needs a reason")
        if (student, name) in marks:
            raise ValueError(f"{where}: a second mark of {student} for {name}")
        marks[student, name] = Mark(points, clean(words))
    return marks


def apply_manual(result: Result, marks: Marks, assignment: Assignment) -> Result:
    """Return the result with the marks given by hand; a part without one stays NOT GRADED."""
    return _marked(result, assignment, marks, lambda part, mark: mark.words)


def apply_overrides(result: Result, marks: Marks, assignment: Assignment) -> Result:
    """Return the result with the overrides in place of what was decided, a grader's error included."""

    def sentence(part: PartResult, mark: Mark) -> str:
        before = "undecided" if part.earned is None else f"{part.earned:g}"
        return f"set by the instructor: {mark.words} (before: {before})"

    return _marked(result, assignment, marks, sentence)


def _marked(
    result: Result, assignment: Assignment, marks: Marks, sentence: Callable[[PartResult, Mark], str]
) -> Result:
    parts = tuple(
        replace(part, earned=mark.points, verdict=MARKED, sentence=sentence(part, mark))
        if (mark := marks.get((result.student, part.name)))
        else part
        for part in result.parts
    )
    if parts == result.parts:
        return result
    whole = assembled(assignment, result.student, result.digest, result.sandbox, parts, result.notes)
    return replace(result, parts=parts, status=whole.status, earned=whole.earned)


def apply_late(
    result: Result, *, late: float = 0.0, extra_time: float = 0.0, excused: bool = False, per_day: float = 0.0
) -> Result:
    """Return the result after the roster's word on when it came: to be applied once, and last.

    `late` are days after the deadline, `extra_time` days granted beyond it; every day begun after both costs
    the share `per_day` of the points earned. If `excused`, nothing is decided and nothing is a zero.
    """
    if excused:
        return replace(result, status=EXCUSED, earned=None, notes=(*result.notes, "excused"))
    days = math.ceil(round(max(0.0, late - extra_time), 6))  # 4.4 - 1.4 is a little more than 3
    if days == 0 or per_day == 0 or result.earned is None:
        return result
    share = max(0.0, 1 - days * per_day)
    note = (
        f"{days} day{'s' * (days > 1)} late: {100 * (1 - share):g} % deducted "
        f"({result.earned:g} points before the deduction)"
    )
    return replace(result, earned=result.earned * share, notes=(*result.notes, note))
