"""The other generated pages: gallery, homework, benchmarks, reference, how to cite, and the front page."""

from __future__ import annotations

import ast
import math
import re
from pathlib import Path
from typing import Any

import yaml

from book.course import ROOT, Course, slug, words
from book.statements import escaped, part_label
from mlnotes import gallery
from mlnotes.homework import Assignment, Class, Function, Part

FRONT = "course-theorems"  # the figure of the front page
FIRST = ["course"]  # what comes before the lectures


def gallery_page(course: Course) -> str:
    """Return every figure with its caption, its files and a link to the function that draws it."""
    plates = gallery.load(ROOT / "figures")
    order = [*FIRST, *course.topics]
    shown = sorted(course.gallery, key=lambda name: order.index(course.gallery[name]["topic"]))
    small = "\n".join(
        f"[![{course.gallery[name]['alt']}](figures/{name}.png)](#figure-{name})" for name in shown
    )
    parts, topic = [words("figures", small=small)], ""
    for name in shown:
        known = course.gallery[name]
        if known["topic"] != topic:
            topic = known["topic"]
            parts.append(f"## {'The course' if topic in FIRST else course.title_of(topic)}\n")
        line = plates[name].line if name in plates else 1
        parts.append(_plate(name, known, f"{known['source']}:{line}"))
    return "\n".join(parts)


def _plate(name: str, known: dict[str, str], line: str) -> str:
    files = " · ".join(f"{{download}}`{e.upper()} <figures/{name}.{e}>`" for e in gallery.STORED)
    return (
        f"(figure-{name})=\n### {name}\n\n```{{image}} figures/{name}.png\n:alt: {known['alt']}\n"
        f":width: {_width(name)}px\n:class: plate\n:loading: lazy\n```\n\n{known['caption']}\n\n"
        f"{{.claim-links}}\n{files} · {{source}}`the function that draws it <{line}>`\n"
    )


def _width(name: str) -> int:
    """Return the width of a figure in the pixels of a screen: 110 an inch, as in a lecture."""
    header = (ROOT / f"figures/gallery/{name}.png").read_bytes()[:24]
    return int.from_bytes(header[16:20], "big") * 110 // 200


def homework_page(course: Course) -> str:
    """Return the assignments: what each part asks, its points, and the claims that decide."""
    files = sorted((ROOT / "lectures/homework").glob("*.ipynb"))
    handouts = {path.stem.partition("_")[0]: path.stem for path in files}
    titles = {assignment.id: f"{assignment.id}: {assignment.title}" for assignment in course.assignments}
    listed = "\n".join(f"{titles[id]} <lectures/homework/{stem}>" for id, stem in handouts.items())
    parts = [words("homework", handouts=listed)]
    for assignment in course.assignments:
        name = handouts.get(assignment.id)
        parts.append(f"## {assignment.id}: {assignment.title}\n\n{assignment.intro}\n")
        if name:
            parts.append(
                f"{{.claim-links}}\n[Read the handout](lectures/homework/{name}.ipynb) · "
                f"{{download}}`download it <handouts/{name}.ipynb>`\n"
            )
        parts += [_part(assignment, part, course) for part in assignment.parts]
    return "\n".join(parts)


def _part(assignment: Assignment, part: Part, course: Course) -> str:
    writes = ", ".join(_signature(item) for item in part.writes)
    points = f"{part.points:g} point{'s' if part.points != 1 else ''}"
    lines = [f"({part_label(assignment.id, part.name)})=", f"### {assignment.id}, {part.name}: {points}", ""]
    if part.manual:
        lines += [f"A written derivation, marked by hand. {part.rubric}", ""]
    else:
        lines += [f"Write {writes}. What decides:", ""]
    for claim in part.claims:
        known = claim.id in course.claims
        name = f"[{claim.id}](#claim-{slug(claim.id)})" if known else f"`{claim.id}`"
        lines.append(f"- {name}: {claim.statement}")
    return "\n".join([*lines, ""])


def _signature(item: Function | Class) -> str:
    return (
        f"`{item.name}({', '.join(item.parameters)})`"
        if isinstance(item, Function)
        else f"class `{item.name}`"
    )


def benchmarks_page(course: Course) -> str:
    """Return the times against scikit-learn, as measured: a table of topics, then one of races for each."""
    measured = course.benchmarks["topics"]
    topics = [topic for topic in course.topics if topic in measured]
    topics += [topic for topic in measured if topic not in topics]
    machine = {name.replace("-", "_"): value for name, value in course.benchmarks["machine"].items()}
    overview = "\n".join(_overview(course.title_of(topic), topic, measured[topic]) for topic in topics)
    n_races = sum(len(measured[topic]) for topic in topics)
    parts = [words("benchmarks", **machine, overview=overview, n_races=n_races)]
    for topic in topics:
        parts += [f"(races-{slug(topic)})=\n## {course.title_of(topic)}\n", conditions(topic), "", _HEAD]
        parts += [_race(row) for row in measured[topic]]
        parts += ["", *(f"- {said}" for said in course.benchmarks.get("remarks", {}).get(topic, [])), ""]
    return "\n".join(parts)


_HEAD = "| task | against | ratio | mlnotes, ms | peer, ms | differ by |\n|:--|:--|--:|--:|--:|--:|"


def _overview(title: str, topic: str, rows: list[dict[str, Any]]) -> str:
    ratios = [row["ratio"] for row in rows]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    faster = sum(ratio > 1 for ratio in ratios)
    worst_best = f"{min(ratios):.2f} | {max(ratios):.2f}"
    return f"| [{title}](#races-{slug(topic)}) | {len(rows)} | {mean:.2f} | {worst_best} | {faster} |"


def conditions(topic: str) -> str:
    """Return what the module of a topic's races says of them, as Markdown."""
    file = ROOT / f"benchmarks/{topic}.py"
    said = (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "") if file.exists() else ""
    return "`".join(part if n % 2 else escaped(part) for n, part in enumerate(re.split("`+", said)))


def _race(row: dict[str, Any]) -> str:
    task = re.sub(r"\d{5,}", lambda found: f"{int(found[0]):,}", escaped(row["task"]))
    peer = re.sub(r"^sklearn\b", "scikit-learn", row["peer_name"])
    differ = f"{row['disagreement']:.0e}" if row["disagreement"] else "0"
    times = f"{milliseconds(row['ours'])} | {milliseconds(row['peer'])}"
    return f"| {task} | {escaped(peer)} | {row['ratio']:.2f} | {times} | {differ} |"


def milliseconds(seconds: float) -> str:
    """Return a time with three digits: ``"0.0501"``, ``"12.3"``, ``"1,740"``."""
    time = 1e3 * seconds
    return f"{float(f'{time:.3g}'):,.0f}" if time >= 100 else f"{time:.3g}"


def reference_pages(course: Course) -> dict[str, str]:
    """Return a page for each module, from its docstrings."""
    public = [
        path for path in sorted((ROOT / "mlnotes").glob("*.py")) if path.stem not in ("__init__", "cli")
    ]
    rank = {topic: number for number, topic in enumerate(course.topics)}
    names = sorted((path.stem for path in public), key=lambda name: (rank.get(name, 99), name))
    names += ["claims.core", "homework.core"]
    pages, rows = {}, []
    for name in names:
        file = ROOT / "mlnotes" / f"{name.replace('.', '/')}.py"
        code = f"{{source}}`code <{file.relative_to(ROOT).as_posix()}:1>`"
        pages[f"api/{name}.md"] = (
            f"# mlnotes.{name}\n\n{{.claim-links}}\n{code}\n\n"
            f"```{{eval-rst}}\n.. automodule:: mlnotes.{name}\n```\n"
        )
        rows.append(f"| [mlnotes.{name}]({name}.md) | {summary(file)} |")
    pages["api/index.md"] = words("reference", rows="\n".join(rows), names="\n".join(names))
    return pages


def summary(file: Path) -> str:
    """Return the first sentence of a module's docstring as Markdown."""
    said = (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").split("\n\n")[0]
    return re.sub(r"`+([^`]+)`+", r"`\1`", re.sub(r":math:`([^`]+)`", r"$\1$", " ".join(said.split())))


def cite_page() -> str:
    """Return how to cite the project, from CITATION.cff."""
    known = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    names = [person["name"] for person in known["authors"]]
    authors = " and ".join(f"{{{name}}}" for name in names)
    fields = ("message", "title", "version", "license")
    return words("cite", authors=authors, names=", ".join(names), **{field: known[field] for field in fields})


def front_page(course: Course) -> str:
    """Return the front page, whose numbers are counted."""
    errata = sum(claim.kind == "erratum" for claim in course.claims.values())
    shown = course.gallery[FRONT]
    return words(
        "index",
        figure=FRONT,
        alt=shown["alt"],
        caption=shown["caption"],
        lectures="\n".join(f"lectures/{lecture.name}" for lecture in course.lectures),
        n_claims=len(course.claims) - errata,
        n_errata=errata,
        n_lectures=len(course.lectures),
        n_figures=len(course.gallery),
    )
