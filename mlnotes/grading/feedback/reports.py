"""Results in words: the terminal table, the text and HTML for a student, the gradebook."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from mlnotes.checking import Evidence
from mlnotes.checking.boxes import apart, number, requirement
from mlnotes.grading.assignment.parts import EXAM, Assignment, assignments, split_variant
from mlnotes.grading.assignment.student_version import public_name
from mlnotes.grading.results import (
    CLAIM,
    EXCUSED,
    GRADED,
    GRADER,
    IMPORT,
    NEEDS,
    OK,
    OPEN,
    STUDENT,
    UNNAMED,
    ClaimResult,
    PartResult,
    Result,
    clean,
)

_PRINTED_LINES = 12
_KINDS = 3  # of failing measurements shown for one claim
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_FRACTION = re.compile(r"-?\d+/[1-9]\d*", re.ASCII)  # a student's string may be "1/0"
ENTRY = re.compile(r" \(\d+ of \d+ hold; entry \[[\d, ]*\]\)$")
_WHERE = {
    "own": " (your own code on your own machine; a grade is made in a closed sandbox, by the same claims)",
    "bubblewrap": " (closed: no network, no files but yours)",
    "landlock": " (closed: no network, no files but yours)",
    "jail": " (closed: no network, no files but yours)",
    "limits": " (only time and memory are limited)",
}
_TO_STUDENTS = {NEEDS: "LEFT TO YOUR INSTRUCTOR"}
_SIGNS = {"=": "", "≤": "at most ", "≥": "at least ", "in": "within "}
_GREEN, _RED, _AMBER = "#0a7a4b", "#b3261e", "#8a6d00"


def points(value: float | None) -> str:
    """Return points without needless zeros; "-" where undecided."""
    return "-" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def claim_lines(result: ClaimResult, others: Sequence[ClaimResult] = (), said: str = "") -> list[str]:
    """Return the lines about one claim: its verdict, what was measured against which bound, what to read.

    `others` are claims that failed for the same reason, `said` is a sentence that stands above already.
    """
    lines = [f"{'ok ' if result.verdict == OK else 'NO '} {', '.join(r.id for r in (result, *others))}"]
    if result.verdict == OK:
        return lines
    lines[0] += f": {_TO_STUDENTS.get(result.verdict, result.verdict)}"
    lines[0] += f": {result.sentence}" if result.sentence and result.sentence != said else ""
    small = result.smallest
    if not small or small.kind == CLAIM:  # else an exception: what was measured before is of other instances
        failing = failing_lines(result.evidence, small.evidence if small else None)
        lines += [f"      {line}" for line in failing]
    calls, notation = (small.lines, small.notation) if small else (result.calls, result.instance)
    if calls:
        lines += ["      called:", *(f"        {line}" for line in calls)]
    if notation:
        lines += ["      in the notation of the claim:", *(f"        {line}" for line in notation)]
    return [*lines, f"      read {'; '.join(dict.fromkeys(r.where for r in (result, *others)))}"]


def failing_lines(
    evidence: Iterable[Mapping[str, Any]], smallest: Mapping[str, Any] | None = None
) -> list[str]:
    """Return one line for each kind of measurement that fails, and say how many more there are.

    What was measured on the smallest instance, the one whose calls are shown, stands in place of the first.
    """
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for item in evidence:
        if not item["holds"]:
            kinds.setdefault(ENTRY.sub("", item["what"]), []).append(item)
    lines: list[str] = []
    for items in list(kinds.values())[:_KINDS]:
        more = f", and {len(items) - 1} more like this" if len(items) > 1 else ""
        lines.append(measured_line(items[0] if lines or not smallest else smallest) + more)
    left = sum(len(items) for items in list(kinds.values())[_KINDS:])
    return [*lines, *([f"... and {left} more measurement{'s' * (left > 1)}"] if left else [])]


def measured_line(item: Mapping[str, Any]) -> str:
    """Return one measurement, such as "risk minus Bayes risk: expected 0 (± 1e-12), got 0.2"."""
    ends = tuple(map(_exact, item["bound"])) if item["relation"] == "within" else _exact(item["bound"])
    evidence = Evidence(
        item["what"],
        _exact(item["measured"]),
        item["relation"],
        ends,
        _exact(item["tolerance"]),
        item["holds"],
    )
    sign, _, bound = requirement(evidence).partition(" ")
    expected = f"{_SIGNS[sign]}{bound}, got {number(item['measured'])}{apart(evidence)}"
    return f"{item['what']}: expected {expected}"


def _exact(value: Any) -> Any:
    """Return the fraction that JSON writes as "p/q"; anything else as it is."""
    return Fraction(value) if isinstance(value, str) and _FRACTION.fullmatch(value) else value


def part_text(part: PartResult, title: str = "", said: Collection[str] = ()) -> str:
    """Return the feedback on one part as plain text, but for a sentence that was `said` already."""
    verdict = _TO_STUDENTS.get(part.verdict, part.verdict)
    head = f"{title or part.name}: {verdict}, {points(part.earned)} of {points(part.points)} points"
    lines = [head]
    above = part.sentence if part.verdict != CLAIM or part.earned else ""
    if above and above not in said:
        lines.append(f"  {above}")
    if part.diagnosis:
        lines.insert(1, f"  {diagnosis_line(part)}")
    for first, *others in _by_reason(part.claims):
        lines += [f"  {line}" for line in claim_lines(first, others, above)]
    lines += [f"  | {line}" for line in _printed(part)]
    return "\n".join(lines)


def diagnosis_line(part: PartResult) -> str:
    """Return what is told of the mistake whose answers these are; "" where none is known."""
    if not part.diagnosis:
        return ""
    which = "" if part.diagnosis.startswith(UNNAMED) else "All your answers are those of one mistake: "
    read = next((f" (read {r.where})" for r in part.claims if r.verdict in STUDENT and r.where), "")
    return f"{which}{part.diagnosis}{read}"


def replay_text(part: PartResult, claim: str, file: str) -> str:
    """Return what came of a saved instance that was asked again."""
    if part.verdict == OK:
        return f"{part.name}: the instance no longer fails; {claim} holds on it. Now check all of {file}."
    if not part.claims:
        return f"{part.name}: {part.verdict}: {part.sentence}"
    lines = [f"  {line}" for result in part.claims for line in claim_lines(result)]
    return "\n".join([f"{part.name}: the instance still fails", *lines])


def _by_reason(claims: Iterable[ClaimResult]) -> list[list[ClaimResult]]:
    """Return the claims, those together that fail with the same sentence."""
    groups: dict[object, list[ClaimResult]] = {}
    for result in claims:
        reason = (result.verdict, result.sentence) if result.sentence else result.id
        groups.setdefault(reason, []).append(result)
    return list(groups.values())


def _printed(part: PartResult) -> list[str]:
    lines = part.prints.rstrip().splitlines()
    if not lines:
        return []
    first = lines[:_PRINTED_LINES]
    more = [f"... {len(lines) - len(first)} more lines"] if len(lines) > len(first) else []
    return ["your code printed:", *(line[:200] for line in first), *more]


def feedback_text(result: Result) -> str:
    """Return everything a student is told, as plain text."""
    total = f"{points(result.earned)} of {points(result.points)} points"
    lines = [f"{result.assignment}, {result.student}: {total}"]
    if result.own_check:
        lines.append("This is a check, not a grade: other instances decide the grade.")
    if result.notes and all(p.verdict == NEEDS and p.sentence == result.notes[0] for p in result.parts):
        done, who = ("checked", "Where it is graded, your") if result.own_check else ("graded", "Your")
        lines.insert(1, f"Nothing was {done}: {result.notes[0]}.")
        lines.insert(2, f"{who} instructor decides; that is not a zero.")
        return "\n".join([*lines, "", *_footer(result)]) + "\n"
    if result.status not in (GRADED, EXCUSED):
        words = "Your instructor decides" if result.status == NEEDS else result.status
        lines.append(f"{words}: some parts are undecided; that is not a zero.")
    lines += [*(f"note: {note}" for note in result.notes), ""]
    said = set(result.notes)
    for part in result.parts:
        lines.append("\n" + part_text(part, said=said))
        said |= {part.sentence} if part.verdict == IMPORT else set()
    lines += ["", *_footer(result)]
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def _footer(result: Result) -> list[str]:
    hint = []
    at_home = not result.own_check and not result.assignment.startswith(EXAM)
    if at_home and any(part.verdict in STUDENT for part in result.parts):
        own = split_variant(result.assignment)[0] not in assignments()
        name = public_name(result.assignment) if own else result.assignment
        hint = [f"To see a call that fails, with an instance of your own: mlnotes check {name} FILE"]
    where = _WHERE.get("own" if result.own_check else result.sandbox, "")
    version = f"assignment version {result.version}; file {result.digest[:12]}"
    return [*hint, f"sandbox: {result.sandbox}{where}; {version}"]


def part_html(part: PartResult, title: str = "") -> str:
    """Return the feedback on one part as HTML for a notebook."""
    colour = {OK: _GREEN, OPEN: _AMBER, NEEDS: _AMBER, GRADER: _AMBER}.get(part.verdict, _RED)
    name = html.escape(title or part.name)
    head = f"<b style='color:{colour}'>{html.escape(part.verdict)}</b> <code>{name}</code>"
    body = part_text(part, title).partition("\n")[2]
    text = f"<pre style='white-space:pre-wrap'>{html.escape(body)}</pre>" if body else ""
    return (
        f"<div class='mlnotes-check'>{head} {points(part.earned)} of {points(part.points)} points{text}</div>"
    )


def gradebook_header(assignment: Assignment) -> list[str]:
    """Return the columns of ``gradebook.csv``."""
    names = [part.name for part in assignment.parts]
    return ["student", *names, "total", "points", "status", "sandbox", "file"]


def gradebook_row(result: Result) -> list[str]:
    """Return one line of ``gradebook.csv``: empty cells, not zeros, where nothing is decided."""
    cells = ["" if part.earned is None else points(part.earned) for part in result.parts]
    total = "" if result.earned is None or result.status != GRADED else points(result.earned)
    return [
        cell(result.student),
        *cells,
        total,
        points(result.points),
        result.status,
        result.sandbox,
        result.digest[:12],
    ]


def without_controls(text: str) -> str:
    """Return a text without terminal escapes and characters that XML or UTF-8 forbid."""
    return _NOT_XML.sub("", clean(text))


def cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, on one line and without escapes."""
    text = without_controls(text).replace("\n", " ").replace("\t", " ")
    return f"'{text}" if text.lstrip()[:1] in tuple("=+-@|%＝＋－＠") else text


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
