"""Pages generated from the claims: the theorem index, the errata of the notes, the coverage."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Sequence
from typing import Any

from book.course import Course, code_of, slug, words
from mlnotes import mistakes
from mlnotes.checking import Claim, Evidence, boxes

# ------------------------------------------------------------------- a claim


def entry(claim: Claim, course: Course, wrong: dict[str, list[str]]) -> str:
    """Return a claim as Markdown: statement, source, what was measured, and where it is used."""
    lines = [f"(claim-{slug(claim.id)})=", f"### {claim.id}", "", f"{{.claim-kind}}\n{kind(claim)}", ""]
    if claim.kind == "erratum":
        lines += [f"**Printed:** {claim.printed}", "", f"**Right:** {claim.corrected}", ""]
    else:
        lines += [claim.statement, ""]
    lines += [measured(claim, course), ""]
    if mistakes := wrong.get(claim.id):
        lines += [rejected(mistakes), ""]
    if claim.check:
        lines += [folded("The check", code_of(claim)), ""]
    return "\n".join([*lines, "{.claim-links}", links(claim, course), ""])


def kind(claim: Claim) -> str:
    """Return the line above a statement: its kind, and who stated it."""
    said = "; ".join(claim.sources)
    return f"**{claim.kind.capitalize()}**" + (f" · {escaped(said)}" if said else " · of this course")


def escaped(text: str) -> str:
    """Return plain words that Markdown shall not read as markup."""
    return text.replace("*", r"\*").replace("_", r"\_").replace("[", r"\[")


def links(claim: Claim, course: Course) -> str:
    """Return where a claim is derived, checked and asked, as links."""
    found = []
    if claim.id in course.places:
        lecture, section = course.places[claim.id]
        found.append(f"[{lecture.called}, section {section}](#at-{slug(claim.id)})")
    for assignment, part in course.uses.get(claim.id, []):
        found.append(f"[{assignment.id}, {part.name}](#{part_label(assignment.id, part.name)})")
    return " · ".join(found)


def part_label(assignment: str, part: str) -> str:
    """Return the label of a part of a homework."""
    return f"part-{slug(assignment)}-{slug(part)}"


def measured(claim: Claim, course: Course) -> str:
    """Return the evidence for a claim as a table that opens on request."""
    if claim.check is None:
        return "*A slip of notation: there is nothing to compute.*"
    records = course.verdicts[claim.id]
    sides = [record["side"] for record in records if len(records) > 1]
    body, count = "", 0
    for record in records:
        rows = [as_evidence(row) for row in record["evidence"]]
        count += len(rows)
        body += f'<tr><th colspan="3">{record["side"]}</th></tr>' if sides else ""
        body += "".join(
            f"<tr><td>{boxes.prose(row.what)}</td><td>{html.escape(boxes.number(row.measured))}</td>"
            f"<td>{html.escape(boxes.requirement(row))}</td></tr>"
            for row in rows
        )
    chance = f"; false alarms: at most {claim.false_alarm:g} a run" if claim.false_alarm else ""
    numbers = f"{count} measurement{'s' if count > 1 else ''}" + (
        f" of {' and '.join(sides)}" if sides else ""
    )
    drawn = "on instances drawn at random, here with seed 0" if claim.random else "on fixed instances"
    verb = "Shown by" if claim.kind == "erratum" else "Holds:"
    return (
        "```{raw} html\n"
        f'<details class="evidence"><summary>{verb} {numbers} {drawn}{chance}</summary>'
        '<div class="evidence-table mathjax_process" tabindex="0" role="region" '
        f'aria-label="What was measured for {claim.id}"><table><thead><tr><th>what</th><th>measured</th>'
        f"<th>must be</th></tr></thead><tbody>{body}</tbody></table></div></details>\n```"
    )


def as_evidence(record: dict[str, Any]) -> Evidence:
    """Return a stored record as an Evidence, for its signs and digits."""
    return Evidence(
        **{key: record[key] for key in ("what", "measured", "relation", "bound", "tolerance", "holds")}
    )


def rejected(mistakes: Sequence[str]) -> str:
    """Return the wrong implementations that a claim must reject, opened on request."""
    items = "".join(f"<li>{boxes.prose(mistake)}</li>" for mistake in mistakes)
    count = f"{len(mistakes)} wrong implementation{'s' if len(mistakes) > 1 else ''}"
    return (
        f'```{{raw}} html\n<details class="evidence wrong"><summary>Fails for {count}</summary>'
        f'<ul class="mathjax_process">{items}</ul></details>\n```'
    )


def folded(summary: str, code: str) -> str:
    """Return code that opens on request."""
    return opened(summary, f"````python\n{textwrap.dedent(code).strip()}\n````")


def opened(summary: str, text: str) -> str:
    """Return Markdown that opens on request."""
    return (
        f'```{{raw}} html\n<details class="evidence"><summary>{summary}</summary>\n```\n\n{text}\n\n'
        "```{raw} html\n</details>\n```\n"
    )


def wrong_implementations(topic: str) -> dict[str, list[str]]:
    """Return, for each claim, what is wrong with the implementations that it must reject."""
    found: dict[str, list[str]] = {}
    for mistake in mistakes.of(topic) if topic in mistakes.topics() else []:
        for id in mistake.kills:
            names = ", ".join(f"`{name}`" for name in mistake.replaces)
            found.setdefault(id, []).append(f"{names}: {' '.join(mistake.sentence.split())}")
    return found


# ------------------------------------------------------------------- pages


def theorem_pages(course: Course) -> dict[str, str]:
    """Return the theorem index: a page a topic, and their table."""
    pages = {f"theorems/{topic}.md": topic_page(topic, course) for topic in course.topics}
    lines = "\n".join(_topic_row(topic, course) for topic in course.topics)
    titles = "\n".join(f"{course.title_of(topic)} <{topic}>" for topic in course.topics)
    pages["theorems/index.md"] = words("theorems", lines=lines, topics=titles)
    return pages


def _topic_row(topic: str, course: Course) -> str:
    stated = [claim for claim in course.claims.values() if claim.topic == topic]
    errata = sum(claim.kind == "erratum" for claim in stated)
    measured = sum(len(r["evidence"]) for claim in stated if claim.check for r in course.verdicts[claim.id])
    wrong = len(mistakes.of(topic)) if topic in mistakes.topics() else 0
    name = f"[{course.title_of(topic)}]({topic}.md)"
    return f"| {name} | {len(stated) - errata} | {errata} | {measured:,} | {wrong:,} |"


def topic_page(topic: str, course: Course) -> str:
    """Return the statements of one topic, in the order of its lecture, then of its companion."""
    wrong = wrong_implementations(topic)
    stated = [claim for claim in course.claims.values() if claim.topic == topic]
    parts, rest = [f"# Statements: {course.title_of(topic)}\n"], dict.fromkeys(stated)
    for lecture in (lecture for lecture in course.lectures if lecture.topic == topic):
        for section, title in lecture.sections.items():
            here = [claim for claim in stated if course.places.get(claim.id) == (lecture, section)]
            if here:
                deeper = "Companion, " if lecture.is_deeper else ""
                parts.append(f"## [{deeper}{section} {title}](#{lecture.label}-section-{section})\n")
                parts += [entry(claim, course, wrong) for claim in here]
                rest = {claim: None for claim in rest if claim not in here}
    for place in dict.fromkeys(_elsewhere(claim, course) for claim in rest):
        parts.append(f"## {place}\n")
        parts += [entry(claim, course, wrong) for claim in rest if _elsewhere(claim, course) == place]
    return "\n".join(parts)


def _elsewhere(claim: Claim, course: Course) -> str:
    """Return the heading of a statement that stands in no lecture on its own topic."""
    place = course.places.get(claim.id)
    return f"In {place[0].called}: {place[0].title}" if place else f"Section {claim.section}"


def errata_page(course: Course) -> str:
    """Return what the notes print and what is right, with the counterexample."""
    found = [claim for claim in course.claims.values() if claim.kind == "erratum"]
    parts = [words("errata", n_errata=len(found), n_shown=sum(claim.check is not None for claim in found))]
    for topic in course.topics:
        mine = [claim for claim in found if claim.topic == topic]
        if mine:
            parts.append(f"## {course.title_of(topic)}\n")
        for claim in mine:
            parts.append(
                f"### {escaped('; '.join(claim.sources))}\n\n**Printed:** {claim.printed}\n\n"
                f"**Right:** {claim.corrected}\n\n{measured(claim, course)}\n\n{{.claim-links}}\n"
                f"[{claim.id}](#claim-{slug(claim.id)}) · {links(claim, course)}\n"
            )
    return "\n".join(parts)


def coverage_page(course: Course) -> str:
    """Return where each statement of the notes is derived, checked, drawn and asked.

    Raises
    ------
    ValueError
        If a statement is nowhere.
    """
    if missing := course.missing():
        raise ValueError(f"statements of the notes that no lecture contains: {', '.join(missing)}")
    rows: dict[str, list[str]] = {}
    for id, kind in course.statements.items():
        rows.setdefault(id.partition(".")[0], []).append(_coverage_row(id, kind, course))
    parts = [
        words(
            "coverage",
            n_statements=len(course.statements),
            n_derived=sum(id in course.places for id in course.statements),
            n_checked=sum(id in course.claims for id in course.statements),
            n_beyond=sum(
                id not in course.statements and claim.kind != "erratum" for id, claim in course.claims.items()
            ),
        )
    ]
    for topic, lines in rows.items():
        parts.append(
            f"## {course.title_of(topic)}\n\n| statement | kind | derived | checked | drawn | asked |\n"
            "|:--|:--|:--|:--|:--|:--|\n" + "\n".join(lines) + "\n"
        )
    return "\n".join(parts)


def _coverage_row(id: str, kind: str, course: Course) -> str:
    derived = drawn = ""
    if id in course.places:
        lecture, section = course.places[id]
        derived = f"[{lecture.number}{'d' * lecture.is_deeper}.{section}](#at-{slug(id)})"
        drawn = ", ".join(name.removeprefix("Figure ") for name in lecture.figures.get(section, []))
    checked = f"[claim](#claim-{slug(id)})" if id in course.claims else course.explained.get(id, "")
    asked = ", ".join(
        f"[{assignment.id}](#{part_label(assignment.id, part.name)})"
        for assignment, part in course.uses.get(id, [])
    )
    return f"| `{id}` | {kind} | {derived} | {checked} | {drawn} | {asked} |"
