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

FRONT = "bayes-shapes"  # the figure of the front page


def gallery_page(course: Course) -> str:
    """Return every figure with its caption, its files and a link to the function that draws it."""
    plates = gallery.load(ROOT / "figures")
    parts = [words("figures")]
    topics = dict.fromkeys(known["topic"] for known in course.gallery.values())
    for topic in sorted(topics, key=lambda t: course.topics.index(t) if t in course.topics else 99):
        parts.append(f"## {course.title_of(topic)}\n")
        for name, known in course.gallery.items():
            if known["topic"] == topic:
                line = f"{known['source']}:{plates[name].line}" if name in plates else f"{known['source']}:1"
                parts.append(_plate(name, known, line))
    return "\n".join(parts)


def _plate(name: str, known: dict[str, str], line: str) -> str:
    files = " · ".join(f"{{download}}`{e.upper()} <figures/{name}.{e}>`" for e in gallery.STORED)
    return (
        f"(figure-{name})=\n### {name}\n\n```{{image}} figures/{name}.png\n:alt: {known['alt']}\n"
        f":width: 100%\n:class: plate\n:loading: lazy\n```\n\n{known['caption']}\n\n{{.claim-links}}\n"
        f"{files} · {{source}}`the function that draws it <{line}>`\n"
    )


def homework_page(course: Course) -> str:
    """Return the assignments: what each part asks, its points, and the claims that decide."""
    files = sorted((ROOT / "lectures/homework").glob("*.ipynb"))
    handouts = {path.stem.partition("_")[0]: path.stem for path in files}
    listed = "\n".join(f"../lectures/homework/{path.stem}" for path in files)
    parts = [words("homework", handouts=listed)]
    for assignment in course.assignments:
        name = handouts.get(assignment.id)
        parts.append(f"## {assignment.id}: {assignment.title}\n\n{assignment.intro}\n")
        if name:
            parts.append(
                f"{{.claim-links}}\n[Read the handout](../lectures/homework/{name}.ipynb) · "
                f"{{download}}`download it <../handouts/{name}.ipynb>`\n"
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
    """Return the times against scikit-learn, as measured."""
    machine = {name.replace("-", "_"): value for name, value in course.benchmarks["machine"].items()}
    parts = [words("benchmarks", **machine)]
    order = {topic: number for number, topic in enumerate(course.topics)}
    for topic, rows in sorted(course.benchmarks["topics"].items(), key=lambda item: order.get(item[0], 99)):
        mean = math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))
        parts.append(
            f"## {course.title_of(topic)}\n\nGeometric mean of the ratios: {mean:.2f}.\n\n"
            "| task | mlnotes, ms | peer, ms | ratio | peer | differ by |\n|:--|--:|--:|--:|:--|--:|"
        )
        parts += [_race(row) for row in rows]
        parts.append("")
    return "\n".join(parts)


def _race(row: dict[str, Any]) -> str:
    ours, peer = (f"{1e3 * row[side]:.3g}" for side in ("ours", "peer"))
    return (
        f"| {escaped(row['task'])} | {ours} | {peer} | {row['ratio']:.2f} | {row['peer_name']} "
        f"| {row['disagreement']:.1e} |"
    )


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
    authors = " and ".join(f"{{{person['name']}}}" for person in known["authors"])
    return (
        f"# How to cite\n\n{known['message']}\n\n```bibtex\n@software{{mlnotes,\n  author  = {{{authors}}},\n"
        f"  title   = {{{known['title']}}},\n  version = {{{known['version']}}},\n"
        f"  license = {{{known['license']}}}\n}}\n```\n\nA single statement is cited by its id, which stays "
        "the same from version to version, such as `bayes.optimal-binary`. The same data stand in "
        "`CITATION.cff`, which code hosts and reference managers read.\n"
    )


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
