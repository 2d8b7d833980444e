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

from mlnotes.grading.engine import PartResult, Result, assembled
from mlnotes.grading.faults import EXCUSED, MARKED, clean
from mlnotes.grading.intake import at_least_zero
from mlnotes.homework.core import Assignment, Part


class Mark(NamedTuple):
    """Points that a person gave for one part, and why."""

    points: float
    words: str = ""


Marks = Mapping[tuple[str, str], Mark]  # by student and part


def read_manual(text: str, assignment: Assignment) -> dict[tuple[str, str], Mark]:
    """Return the marks of ``manual.csv``.

    Raises
    ------
    ValueError
        If a column is missing, a part is unknown or not marked by hand, points are no number between 0 and
        those of the part, or a student has two marks for one part. The line is named.
    """
    marks: dict[tuple[str, str], Mark] = {}
    for where, student, name, points, words in _rows(text, "manual.csv", "comment"):
        part = _part(assignment, name, where)
        if not part.manual:
            raise ValueError(f"{where}: {name} is not marked by hand; use overrides.csv")
        if points > part.points:
            raise ValueError(f"{where}: {name} has {part.points:g} points, got {points:g}")
        _add(marks, (student, name), Mark(points, words), where)
    return marks


def read_overrides(text: str, assignment: Assignment) -> dict[tuple[str, str], Mark]:
    """Return the marks of ``overrides.csv``; they may exceed a part's points, and each needs a reason.

    Raises
    ------
    ValueError
        As for :func:`read_manual`, and if a reason is missing.
    """
    marks: dict[tuple[str, str], Mark] = {}
    for where, student, name, points, words in _rows(text, "overrides.csv", "reason"):
        _part(assignment, name, where)
        if not words:
            raise ValueError(f"{where}: an override needs a reason")
        _add(marks, (student, name), Mark(points, words), where)
    return marks


def _rows(text: str, file: str, last: str) -> list[tuple[str, str, str, float, str]]:
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), skipinitialspace=True)
    needed = {"student", "part", "points"} | ({last} if last == "reason" else set())
    missing = needed - set(reader.fieldnames or ())
    if missing:
        raise ValueError(
            f"{file} needs the columns student, part, points, {last}; no {', '.join(sorted(missing))}"
        )
    rows = []
    for row in reader:
        where = f"{file}, line {reader.line_num}"
        if not any((value or "").strip() for key, value in row.items() if key is not None):
            continue
        student, part, points, words = (
            (row.get(k) or "").strip() for k in ("student", "part", "points", last)
        )
        if points or last == "reason":  # a mark that is not there yet is none
            rows.append(
                (where, student, part, at_least_zero(points, "points must be a number", where), clean(words))
            )
    return rows


def _part(assignment: Assignment, name: str, where: str) -> Part:
    try:
        return assignment.part(name)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _add(marks: dict[tuple[str, str], Mark], key: tuple[str, str], mark: Mark, where: str) -> None:
    if key in marks:
        raise ValueError(f"{where}: a second mark of {key[0]} for {key[1]}")
    marks[key] = mark


def apply_manual(result: Result, marks: Marks, assignment: Assignment) -> Result:
    """Return the result with the marks given by hand; a part without one stays NOT GRADED."""
    return _marked(result, assignment, marks, lambda part, mark: mark.words)


def apply_overrides(result: Result, marks: Marks, assignment: Assignment) -> Result:
    """Return the result with the overrides in place of what was decided, a grader's error included."""

    def sentence(part: PartResult, mark: Mark) -> str:
        before = "undecided" if part.earned is None else f"{part.earned:g}"
        return f"set by the instructor: {mark.words} (before: {before})"

    return _marked(result, assignment, marks, sentence)


def _marked(result: Result, assignment: Assignment, marks: Marks,
            sentence: Callable[[PartResult, Mark], str]) -> Result:  # fmt: skip
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


def apply_late(result: Result, *, late: float = 0.0, extra_time: float = 0.0, excused: bool = False,
               per_day: float = 0.0) -> Result:  # fmt: skip
    """Return the result after the roster's word on when it came: to be applied once, and last.

    Parameters
    ----------
    late, extra_time : float
        Days after the deadline, and days granted beyond it. Every day begun after both counts.
    excused : bool
        Nothing is decided and nothing is a zero: the status is EXCUSED.
    per_day : float in [0, 1]
        Share of the earned points that a day costs.
    """
    if excused:
        return replace(result, status=EXCUSED, earned=None, notes=(*result.notes, "excused"))
    days = math.ceil(round(max(0.0, late - extra_time), 6))  # 4.4 - 1.4 is a little more than 3
    if days == 0 or per_day == 0 or result.earned is None:
        return result
    share = max(0.0, 1 - days * per_day)
    note = (
        f"late by {days} day{'s' if days > 1 else ''}: {100 * (1 - share):g} % off, {result.earned:g} before"
    )
    return replace(result, earned=result.earned * share, notes=(*result.notes, note))
