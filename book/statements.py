"""Pages generated from the claims: the theorem index, the errata of the notes, the coverage."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from book.course import Course, line_of, slug, words
from mlnotes.claims import Claim, Evidence, boxes
from tests import mutants

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
        found.append(f"[Lecture {lecture.number}, section {section}](#at-{slug(claim.id)})")
    if claim.check:
        found.append(f"{{source}}`code of the check <mlnotes/claims/{claim.topic}.py:{line_of(claim)}>`")
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
    rows = [as_evidence(record) for record in course.verdicts[claim.id]["evidence"]]
    body = "".join(
        f"<tr><td>{boxes.prose(row.what)}</td><td>{html.escape(boxes.number(row.measured))}</td>"
        f"<td>{html.escape(boxes.requirement(row))}</td></tr>"
        for row in rows
    )
    chance = f"; false alarms: at most {claim.false_alarm:g} a run" if claim.false_alarm else ""
    count = f"{len(rows)} measurement{'s' if len(rows) > 1 else ''}"
    drawn = "on instances drawn at random, here with seed 0" if claim.random else "on fixed instances"
    verb = "Shown by" if claim.kind == "erratum" else "Holds:"
    return (
        "```{raw} html\n"
        f'<details class="evidence"><summary>{verb} {count} {drawn}{chance}</summary>'
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


def wrong_implementations(topic: str) -> dict[str, list[str]]:
    """Return, for each claim, what is wrong with the implementations that it must reject."""
    found: dict[str, list[str]] = {}
    for mutant in mutants.of(topic) if topic in mutants.topics() else []:
        for id in mutant.kills:
            names = ", ".join(f"`{name}`" for name in mutant.replaces)
            found.setdefault(id, []).append(f"{names}: {' '.join(mutant.mistake.split())}")
    return found


# ------------------------------------------------------------------- pages


def theorem_pages(course: Course) -> dict[str, str]:
    """Return the theorem index: a page a topic, and their table."""
    pages = {f"theorems/{topic}.md": topic_page(topic, course) for topic in course.topics}
    rows = "\n".join(_topic_row(topic, course) for topic in course.topics)
    titles = "\n".join(f"{course.title_of(topic)} <{topic}>" for topic in course.topics)
    pages["theorems/index.md"] = words("theorems", rows=rows, topics=titles)
    return pages


def _topic_row(topic: str, course: Course) -> str:
    stated = [claim for claim in course.claims.values() if claim.topic == topic]
    errata = sum(claim.kind == "erratum" for claim in stated)
    measured = sum(len(course.verdicts[claim.id]["evidence"]) for claim in stated if claim.check)
    wrong = len(mutants.of(topic)) if topic in mutants.topics() else 0
    name = f"[{course.title_of(topic)}]({topic}.md)"
    return f"| {name} | {len(stated) - errata} | {errata} | {measured:,} | {wrong:,} |"


def topic_page(topic: str, course: Course) -> str:
    """Return the statements of one topic, in the order of its lecture."""
    lecture = course.lecture_of(topic)
    wrong = wrong_implementations(topic)
    stated = [claim for claim in course.claims.values() if claim.topic == topic]
    parts = [f"# Statements: {course.title_of(topic)}\n"]
    titles = lecture.sections if lecture else {}
    known = sorted({claim.section for claim in stated}, key=lambda s: (s not in titles, natural(s)))
    for section in known:
        if section in titles:
            parts.append(f"## [{section} {titles[section]}](#{topic}-section-{section})\n")
        else:
            parts.append(f"## In {section}\n")
        parts += [entry(claim, course, wrong) for claim in stated if claim.section == section]
    return "\n".join(parts)


def natural(section: str) -> tuple[int, str]:
    """Return a key that sorts "10" after "9"."""
    return (int(section), "") if section.isdigit() else (0, section)


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
        derived = f"[{lecture.number}.{section}](#at-{slug(id)})"
        drawn = ", ".join(name.removeprefix("Figure ") for name in lecture.figures.get(section, []))
    checked = f"[claim](#claim-{slug(id)})" if id in course.claims else course.explained.get(id, "")
    asked = ", ".join(
        f"[{assignment.id}](#{part_label(assignment.id, part.name)})"
        for assignment, part in course.uses.get(id, [])
    )
    return f"| `{id}` | {kind} | {derived} | {checked} | {drawn} | {asked} |"
