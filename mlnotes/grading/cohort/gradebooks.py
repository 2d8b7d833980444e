"""Grades in the formats of other systems: Canvas, Moodle, Gradescope, PrairieLearn, JUnit.

Everything that a student controls (names, messages, prints) is made harmless for its reader: formulas in a
spreadsheet, markup, characters that XML forbids, terminal escapes. What is undecided is never written as 0.

References
----------
Gradescope's ``results.json`` and PrairieLearn's follow their manuals on external autograders; Moodle's table
follows its importer, ``mod/assign/feedback/offline/importgradeslib.php``; the JUnit file follows what
continuous-integration servers read (testsuite, testcase, failure, error, skipped).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape  # xml.sax.saxutils would load an HTTP client
from typing import Any, NamedTuple

from mlnotes.grading.assignment.parts import Assignment
from mlnotes.grading.cohort.submissions import Roster, Student
from mlnotes.grading.feedback import reports
from mlnotes.grading.feedback.reports import cell, without_controls
from mlnotes.grading.results import EXCUSED, GRADED, GRADER, NEEDS, OPEN, PartResult, Result

FORMATS = ("html", "moodle", "gradescope", "prairielearn", "junit")
PRAIRIELEARN_BYTES = 1_000_000
_PART_CHARACTERS = 20_000
_IDENTITY = ("id", "sis user id", "sis login id")


class Outcome(NamedTuple):
    """What stands at the end for one student: the result with every mark applied, None if there is none."""

    person: Student
    result: Result | None
    number: str = ""

    @property
    def decided(self) -> bool:
        """Whether there is a grade."""
        return self.result is not None and self.result.status == GRADED and self.result.earned is not None


Outcomes = Callable[[], Iterator[Outcome]]


# ------------------------------------------------------------------- tables


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as the text of a CSV file."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def gradebook(assignment: Assignment, rows: Sequence[Sequence[str]], people: Roster) -> str:
    """Return ``gradebook.csv``; with a roster, names and e-mails stand beside the ids."""
    header = reports.gradebook_header(assignment)
    if not any(person.name or person.email for person in people.students.values()):
        return csv_text([header, *rows])
    table = [[header[0], "name", "email", *header[1:]]]
    for row in rows:
        person = people.students.get(row[0].removeprefix("'"), Student(row[0]))
        table.append([row[0], cell(person.name), cell(person.email), *row[1:]])
    return csv_text(table)


def moodle(assignment: Assignment, outcomes: Outcomes) -> str:
    """Return a table for Moodle's import: the columns of its grading worksheet; empty where undecided."""
    rows = [
        [
            "Identifier",
            "ID number",
            "Full name",
            "Email address",
            "Grade",
            "Maximum Grade",
            "Last modified (grade)",  # Moodle takes no worksheet without it
            "Feedback comments",
        ]
    ]
    for item in outcomes():
        grade = reports.points(item.result.earned) if item.result and item.decided else ""
        text = reports.feedback_text(item.result) if item.result else ""
        words = f"<pre>{escape(_limited(text))}</pre>" if text else ""
        person = item.person
        rows.append(
            [
                f"Participant {item.number}" if item.number else "",
                cell(person.id),
                cell(person.name),
                cell(person.email),
                grade,
                f"{assignment.points:g}",
                "-",
                words,
            ]
        )
    return csv_text(rows)


def canvas(exported: str, assignment: Assignment, outcomes: Outcomes) -> tuple[str, list[str]]:
    """Return Canvas's exported gradebook with the column of the assignment filled in, and who is not in it.

    The column is the one whose name begins with the title or the id of the assignment; a new one is added if
    there is none. Cells of students without a decided grade stay as they are; an excused one gets ``EX``. A
    ValueError says that the text is no gradebook exported by Canvas, or that two columns would fit.
    """
    rows = [row for row in csv.reader(io.StringIO(exported.removeprefix("\ufeff"), newline="")) if any(row)]
    header = [name.strip().lower() for name in rows[0]] if rows else []
    if not header or header[0] != "student" or not set(header) & set(_IDENTITY):
        raise ValueError("canvas must be a gradebook exported by Canvas, with the columns Student and ID")
    column = _canvas_column(rows, header, assignment)
    for row in rows:
        row += [""] * (column + 1 - len(row))
    body = [row for row in rows[1:] if row[0].strip().lower() not in ("points possible", "student, test")]
    find, unknown = _canvas_rows(body, header), []
    for item in outcomes():
        place = find(item)
        if place is None:
            unknown.append(item.person.id)
        elif item.result is not None and item.result.status == EXCUSED:
            place[column] = "EX"
        elif item.result is not None and item.decided:
            place[column] = reports.points(item.result.earned)
    for row in body:
        row[0] = cell(row[0])
    return csv_text(rows), unknown


def _canvas_column(rows: list[list[str]], header: list[str], assignment: Assignment) -> int:
    names = {assignment.title.lower(), assignment.id.lower()}
    fits = [k for k, name in enumerate(header) if re.sub(r" \(\d+\)$", "", name) in names]
    if len(fits) > 1:
        raise ValueError(f"the columns {', '.join(rows[0][k] for k in fits)} of the gradebook both fit")
    if fits:
        return fits[0]
    for row in rows:
        row += [""] * (len(header) - len(row))
        possible = row[0].strip().lower() == "points possible"
        row.append(assignment.title if row is rows[0] else f"{assignment.points:g}" if possible else "")
    return len(header)


def _canvas_rows(body: list[list[str]], header: list[str]) -> Callable[[Outcome], list[str] | None]:
    """Return a search for the row of a student: by number, id, login or e-mail, and last by name."""
    exact: dict[tuple[str, str], list[list[str]]] = {}
    for row in body:
        for name, value in zip(header, row, strict=False):
            if name in _IDENTITY and value.strip():
                exact.setdefault((name, value.strip().lower()), []).append(row)
    by_name = Roster(Student(str(k), name=row[0]) for k, row in enumerate(body))

    def find(item: Outcome) -> list[str] | None:
        person = item.person
        email, login = person.email.lower(), person.email.lower().partition("@")[0]
        asked = [
            ("id", item.number),
            *((name, person.id.lower()) for name in reversed(_IDENTITY)),
            ("sis login id", email),
            ("sis login id", login),
        ]
        for key in asked:
            if key[1] and len(rows := exact.get(key, [])) == 1:
                return rows[0]
        known = by_name.match([person.name] if person.name and not person.name.isdigit() else [])
        return None if known is None else body[int(known)]

    return find


# ------------------------------------------------------------------- one file a student


def gradescope(result: Result) -> dict[str, Any]:
    """Return ``results.json`` for Gradescope; without any score, which it reports as such, if undecided."""
    report: dict[str, Any] = {
        "output": _limited(reports.feedback_text(result).partition("\n\n")[0]),
        "output_format": "text",
        "test_output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"sandbox": result.sandbox, "version": result.version, "file": result.digest},
    }
    decided = result.earned is not None
    if decided:
        report["score"] = result.earned
    report["tests"] = [_gradescope_test(str(k), part, decided) for k, part in enumerate(result.parts, 1)]
    return report


def _gradescope_test(number: str, part: PartResult, decided: bool) -> dict[str, Any]:
    """Return one test; without scores where the whole is undecided: Gradescope would add them up."""
    test: dict[str, Any] = {"name": part.name, "number": number, "output": _limited(reports.part_text(part))}
    if decided and part.earned is not None:
        passed = part.earned >= part.points
        test |= {"score": part.earned, "max_score": part.points, "status": "passed" if passed else "failed"}
    return test


def prairielearn(result: Result) -> dict[str, Any]:
    """Return ``results.json`` for PrairieLearn: not gradable, so that no attempt is lost, if undecided."""
    words = _limited(reports.feedback_text(result).partition("\n\n")[0])
    if result.earned is None:
        why = "excused" if result.status == EXCUSED else "not decided yet: your instructor will"
        return {"gradable": False, "message": words, "format_errors": why}
    report = {
        "gradable": True,
        "score": min(1.0, max(0.0, result.earned / result.points)) if result.points else 1.0,
        "message": words,
    }
    for characters in (_PART_CHARACTERS, 1_000):
        report["tests"] = [
            {
                "name": part.name,
                "points": part.earned,
                "max_points": part.points,
                "output": _limited(reports.part_text(part), characters),
            }
            for part in result.parts
            if part.earned is not None
        ]
        if len(json.dumps(report).encode()) <= PRAIRIELEARN_BYTES:  # it refuses a longer file
            break
    return report


def _limited(text: str, characters: int = _PART_CHARACTERS) -> str:
    text = without_controls(text)
    return text if len(text) <= characters else f"{text[:characters]}\n... cut after {characters} characters"


# ------------------------------------------------------------------- JUnit


def junit(assignment: Assignment, outcomes: Outcomes) -> str:
    """Return a JUnit file: a suite a student, a case a part."""
    from xml.etree import ElementTree  # few runs write one

    def inside(parent: Any, tag: str, text: str = "", **attributes: str) -> Any:
        harmless = {name: without_controls(value) for name, value in attributes.items()}
        child = ElementTree.SubElement(parent, tag, harmless)
        child.text = without_controls(text)
        return child

    suites = ElementTree.Element("testsuites", name=assignment.id)
    for result in (item.result for item in outcomes() if item.result is not None):
        kinds = [_kind(part) for part in result.parts]
        counts = {"failures": "failure", "errors": "error", "skipped": "skipped"}
        numbers = {plural: str(kinds.count(kind)) for plural, kind in counts.items()}
        suite = inside(suites, "testsuite", name=result.student, tests=str(len(kinds)), **numbers)
        for part, kind in zip(result.parts, kinds, strict=True):
            case = inside(suite, "testcase", classname=result.assignment, name=part.name)
            if kind:
                first, _, text = _limited(reports.part_text(part)).partition("\n")
                verdict = {} if kind == "skipped" else {"type": part.verdict}
                inside(case, kind, text, message=first, **verdict)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, "utf-8", xml_declaration=True).decode() + "\n"


def _kind(part: PartResult) -> str:
    if part.verdict in (GRADER, NEEDS, OPEN):
        return "error" if part.verdict == GRADER else "skipped"
    return "" if part.earned is not None and part.earned >= part.points else "failure"


def per_student(kind: str, result: Result) -> str:
    """Return the JSON text of one student's result for a platform, "gradescope" or "prairielearn"."""
    report = gradescope(result) if kind == "gradescope" else prairielearn(result)
    return json.dumps(report, indent=1) + "\n"
