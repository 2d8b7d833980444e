"""From an executed notebook to one for the book: places to link to, alternative texts, linked boxes."""

from __future__ import annotations

import copy
import html
import re
from typing import Any

from book.course import CAPTION, PRINTED, SECTION, Course, Lecture, ids_of, slug, source, topics_of

BOX = re.compile(r"(<div class='mlnotes-(?:claim|verdict)'.*?)<code>([a-z_]+\.[\w.-]+)</code>")
NOTHING = {"nbformat": 4, "nbformat_minor": 5}
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "python"},
}


def for_book(lecture: Lecture, course: Course) -> dict[str, Any]:
    """Return a lecture for the book.

    Raises
    ------
    ValueError
        If a cell wrote to stderr, or a picture has no caption in the next cell.
    """
    cells = copy.deepcopy(lecture.cells)
    stated: set[str] = set()
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "markdown":
            new = [id for id in ids_of(cell) if course.places[id][0] is lecture and id not in stated]
            stated.update(new)
            cell["source"] = with_targets(source(cell), lecture.label, new)
        else:
            following = source(cells[number + 1]).strip() if number + 1 < len(cells) else ""
            cell["metadata"].setdefault("tags", []).extend(fold(cell))
            for output in cell["outputs"]:
                _prepare(output, cell, following, f"lectures/{lecture.name}.ipynb, cell {cell['id']}")
                _link(output, "../" * (1 + lecture.is_deeper), course)
    title, _, rest = source(cells[0]).partition("\n")
    cells[0]["source"] = f"{title}\n\n{doors(lecture, course)}\n{rest}"
    return {"cells": cells, "metadata": KERNEL, **NOTHING}


def doors(lecture: Lecture, course: Course) -> str:
    """Return the line below the title: the lecture in its other forms, and what goes with it."""
    up = "../" * (1 + lecture.is_deeper)
    file = f"{lecture.number:02}_{lecture.topic}"
    level = course.levels.get(lecture.number)
    found = [f"[Level {level}](index.md)"] if level and not lecture.is_deeper else []
    found += [] if lecture.is_deeper else [f'<a href="{up}slides/{lecture.name}.html">Slides</a>']
    found.append(f"{{download}}`Notebook <{up}notebooks/{lecture.name}.ipynb>`")
    found += [f"{{download}}`PDF of the course <{up}{PRINTED.name}>`"] if PRINTED.exists() else []
    for other in course.lectures:
        if other.topic == lecture.topic and other is not lecture:
            found.append(
                "[The lecture](../" * lecture.is_deeper
                + "[Companion](deeper/" * other.is_deeper
                + f"{file}.ipynb)"
            )
    found.append(
        f"[Statements and checks]({up}theorems/{lecture.topic}.md)" if lecture.topic in course.topics else ""
    )
    asked = [assignment.id for assignment in course.assignments if lecture.topic in topics_of(assignment)]
    found += [f"[Homework {id}](#homework-{id})" for id in asked]
    return "{.claim-links}\n" + " · ".join(filter(None, found))


def fold(cell: dict[str, Any]) -> list[str]:
    """Return how much of a code cell the book folds: what draws, imports or asks a claim is not the point."""
    text, shown = source(cell).strip(), str(cell["outputs"])
    if re.fullmatch(r"(?:[\w.]+|show\.\w+\(.*\))", text) and "mlnotes-" in shown:
        return ["remove-input"]
    imports = all(re.match(r"(?:import |from |#|rng = |\)|    \w+,|$)", line) for line in text.split("\n"))
    asks = re.fullmatch(r"(?:[\w.]+\.verify\(.*\)|verified\(.*\)|claims\.\w+\(.*\))(?:\n.*)?", text)
    draws = "image/png" in shown or "mlnotes-exhibit" in shown
    return ["hide-input"] if imports or asks or draws or text.startswith("def verified(") else []


def with_targets(text: str, label: str, ids: list[str]) -> str:
    """Return Markdown in which each section can be linked to, and the statements at its top."""
    text = SECTION.sub(lambda found: f"({label}-section-{found[1]})=\n{found[0]}", text)
    return "".join(f"(at-{slug(id)})=\n" for id in ids) + text


def _prepare(output: dict[str, Any], cell: dict[str, Any], following: str, where: str) -> None:
    if output.get("name") == "stderr" or output["output_type"] == "error":
        raise ValueError(f"{where} warns or fails: {output}")
    data = output.get("data", {})
    if "text/html" in data:
        data.pop("text/markdown", None)
    if "image/png" in data:
        if not (caption := CAPTION.match(following)):
            raise ValueError(f"{where} draws a figure, and no '*Figure N.N. ...*' follows")
        size = output["metadata"].get("image/png", {})
        described = {"alt": f"{caption[1]}. {first_sentence(following)}"}
        if "width" in size:
            described["width"] = f"{size['width']}px"
        cell["metadata"]["mystnb"] = {"image": described}


def first_sentence(caption: str) -> str:
    """Return what a caption says first, readable aloud: no markup."""
    words = CAPTION.sub("", caption)
    words = re.sub(r"\\[a-zA-Z]+", lambda found: f" {found[0][1:]} ", words)
    words = re.sub(r"\s+", " ", re.sub(r"[*$`{}\\^_]+", " ", words)).strip()
    return re.split(r"(?<=[a-z)])\. ", words)[0].rstrip(".") + "."


def _link(output: dict[str, Any], up: str, course: Course) -> None:
    """Make the id of a theorem box or verdict a link to the index, where the check stands."""

    def link(found: re.Match[str]) -> str:
        id = html.unescape(found[2])
        if id not in course.claims:  # in a book of some lectures
            return found[0]
        index = f"{up}theorems/{course.claims[id].topic}.html#claim-{slug(id)}"
        return f"{found[1]}<a class='claim-id' href='{index}'><code>{id}</code></a>"

    if "text/html" in output.get("data", {}):
        box = "".join(output["data"]["text/html"])
        output["data"]["text/html"] = BOX.sub(link, box)
