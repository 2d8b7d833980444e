"""Results in words: the terminal table, the text and HTML for a student, the gradebook."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from mlnotes.claims import Evidence
from mlnotes.claims.boxes import number, requirement
from mlnotes.grading.engine import GRADED, ClaimResult, PartResult, Result
from mlnotes.grading.faults import CLAIM, GRADER, OK, OPEN
from mlnotes.homework.core import Assignment

_PRINTED_LINES = 12
_GREEN, _RED, _AMBER = "#0a7a4b", "#b3261e", "#8a6d00"


def points(value: float | None) -> str:
    """Return points without needless zeros; "-" where undecided."""
    return "-" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def claim_lines(result: ClaimResult) -> list[str]:
    """Return the lines about one claim: its verdict, what was measured against which bound, what to read."""
    lines = [f"{'ok ' if result.verdict == OK else 'NO '} {result.id}"]
    if result.verdict != OK:
        lines[0] += f": {result.verdict}" + (f": {result.sentence}" if result.sentence else "")
        for item in result.evidence:
            if not item["holds"]:
                lines.append(f"      {measured_line(item)}")
        lines += [f"        {line}" for line in result.instance]
        lines.append(f"      read {result.where}")
    return lines


def measured_line(item: Mapping[str, Any]) -> str:
    """Return one measurement, such as "risk minus Bayes risk: 0.2, must be = 0 (± 1e-12)"."""
    return f"{item['what']}: {number(item['measured'])}, must be {_bound(item)}"


def _bound(item: Mapping[str, Any]) -> str:
    bound = tuple(item["bound"]) if item["relation"] == "within" else item["bound"]
    slack = Fraction(item["tolerance"]) if isinstance(item["tolerance"], str) else item["tolerance"]
    return requirement(
        Evidence(item["what"], item["measured"], item["relation"], bound, slack, item["holds"])
    )


def part_text(part: PartResult, title: str = "") -> str:
    """Return the feedback on one part as plain text."""
    head = f"{title or part.name}: {part.verdict}, {points(part.earned)} of {points(part.points)} points"
    lines = [head]
    if part.sentence and part.verdict != CLAIM:
        lines.append(f"  {part.sentence}")
    lines += [f"  {line}" for claim in part.claims for line in claim_lines(claim)]
    lines += [f"  | {line}" for line in _printed(part)]
    return "\n".join(lines)


def _printed(part: PartResult) -> list[str]:
    lines = part.prints.rstrip().splitlines()
    if not lines:
        return []
    kept = lines[:_PRINTED_LINES]
    more = [f"... {len(lines) - len(kept)} more lines"] if len(lines) > len(kept) else []
    return ["your code printed:", *(line[:200] for line in kept), *more]


def feedback_text(result: Result) -> str:
    """Return everything a student is told, as plain text."""
    total = f"{points(result.earned)} of {points(result.points)} points"
    lines = [f"{result.assignment}, {result.student}: {total}"]
    if result.status != GRADED:
        lines.append(f"{result.status}: some parts are undecided; that is not a zero.")
    lines += [f"note: {note}" for note in result.notes]
    lines += ["", *("\n" + part_text(part) for part in result.parts)]
    lines += [
        "",
        f"sandbox: {result.sandbox}; assignment version {result.version}; file {result.digest[:12]}",
    ]
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def part_html(part: PartResult, title: str = "") -> str:
    """Return the feedback on one part as HTML for a notebook."""
    colour = {OK: _GREEN, OPEN: _AMBER, GRADER: _AMBER}.get(part.verdict, _RED)
    name = html.escape(title or part.name)
    head = f"<b style='color:{colour}'>{html.escape(part.verdict)}</b> <code>{name}</code>"
    body = part_text(part, title).partition("\n")[2]
    text = f"<pre style='white-space:pre-wrap'>{html.escape(body)}</pre>" if body else ""
    return (
        f"<div class='mlnotes-check'>{head} {points(part.earned)} of {points(part.points)} points{text}</div>"
    )


def gradebook_header(assignment: Assignment) -> list[str]:
    """Return the columns of ``gradebook.csv``."""
    return [
        "student",
        *(part.name for part in assignment.parts),
        "total",
        "points",
        "status",
        "sandbox",
        "file",
    ]


def gradebook_row(result: Result) -> list[str]:
    """Return one line of ``gradebook.csv``: empty cells, not zeros, where nothing is decided."""
    cells = ["" if part.earned is None else points(part.earned) for part in result.parts]
    total = "" if result.earned is None or result.status != GRADED else points(result.earned)
    return [_cell(result.student), *cells, total, points(result.points), result.status, result.sandbox,
            result.digest[:12]]  # fmt: skip


def _cell(text: str) -> str:
    """Return a text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text


def gradebook(assignment: Assignment, rows: Iterable[Sequence[str]]) -> str:
    """Return ``gradebook.csv`` of the rows."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(gradebook_header(assignment))
    writer.writerows(rows)
    return out.getvalue()


def table(assignment: Assignment, rows: Sequence[Sequence[str]], *, rich: bool) -> None:
    """Print the class: a table on a terminal (`rich`), aligned plain text otherwise."""
    header = gradebook_header(assignment)[:-2]
    body = [[cell or "-" for cell in row[: len(header)]] for row in rows]
    if rich:
        _rich_table(assignment, header, body)
        return
    widths = [max(len(row[k]) for row in [header, *body]) for k in range(len(header))]
    for row in [header, *body]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _rich_table(assignment: Assignment, header: Sequence[str], body: Sequence[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    shown = Table(title=f"{assignment.id}: {escape(assignment.title)}")
    for name in header:
        shown.add_column(name, justify="left" if name in ("student", "status") else "right")
    for row in body:
        style = "" if row[-1] == GRADED else "yellow"
        shown.add_row(*(escape(cell) for cell in row), style=style)
    Console().print(shown)
