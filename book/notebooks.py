"""From an executed notebook to one for the book: places to link to, alternative texts, linked boxes."""

from __future__ import annotations

import copy
import html
import re
from typing import Any

from book.course import CAPTION, SECTION, Course, Lecture, ids_of, line_of, slug, source

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
            cell["source"] = with_targets(source(cell), lecture.topic, new)
        else:
            following = source(cells[number + 1]).strip() if number + 1 < len(cells) else ""
            for output in cell["outputs"]:
                _prepare(output, cell, following, f"lectures/{lecture.name}.ipynb, cell {cell['id']}")
    return {"cells": cells, "metadata": KERNEL, **NOTHING}


def with_targets(text: str, topic: str, ids: list[str]) -> str:
    """Return Markdown in which each section can be linked to, and the statements at its top."""
    text = SECTION.sub(lambda found: f"({topic}-section-{found[1]})=\n{found[0]}", text)
    return "".join(f"(at-{slug(id)})=\n" for id in ids) + text


def _prepare(output: dict[str, Any], cell: dict[str, Any], following: str, where: str) -> None:
    if output.get("name") == "stderr" or output["output_type"] == "error":
        raise ValueError(f"{where} warns or fails: {output}")
    data = output.get("data", {})
    if "text/html" in data:
        data.pop("text/markdown", None)
        data["text/html"] = linked("".join(data["text/html"]))
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


def linked(box: str) -> str:
    """Return the HTML of a theorem box or verdict with links to the index and to the code of the check."""
    return re.sub(
        r"(<div class='mlnotes-(?:claim|verdict)'.*?)<code>([a-z_]+\.[\w.-]+)</code>", _links, box, count=1
    )


def _links(found: re.Match[str]) -> str:
    from mlnotes import claims

    claim = claims.find(html.unescape(found[2]))
    index = f"../theorems/{claim.topic}.html#claim-{slug(claim.id)}"
    code = f"../code/mlnotes/claims/{claim.topic}.html#L{line_of(claim)}"
    return (
        f"{found[1]}<a class='claim-id' href='{index}'><code>{claim.id}</code></a> "
        f"<a class='claim-code' href='{code}' title='The code of the check'>code</a>"
    )
