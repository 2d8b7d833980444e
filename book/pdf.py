"""``python -m book.pdf [01 05 ...]`` typesets the lectures as one book with an index and the errata.

It needs what ``python -m book`` needs, and XeLaTeX with latexmk: 85 MB of Debian's packages. Typst is one
wheel of 63 MB, but for formulas in LaTeX it loads a package from a registry of its own, each time it runs.
"""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from book.__main__ import BUILD, sphinx, without_dangling_links, write
from book.course import CAPTION, ROOT, Course, Lecture, ids_of, slug, source
from book.notebooks import KERNEL, NOTHING, fold, with_targets
from book.statements import errata_page

SOURCES, TARGET = BUILD / "pdf-sources", BUILD / "pdf"
TOOLS = ("xelatex", "latexmk", "makeindex")
PACKAGES = "latexmk texlive-xetex texlive-latex-extra texlive-fonts-recommended tex-gyre fonts-freefont-otf"
NAMED = re.compile(
    r"^\*\*((?:Theorem|Lemma|Proposition|Corollary|Algorithm) [\d.]+)(?:\*\*)? \(([^()$]{4,})\)", re.M
)
FOLDED = re.compile(r"<details>\s*<summary>(.*?)</summary>\s*(\$\$)?|</details>")
TERM = re.compile(r"(?<!\*)\*\*([a-z][\w' -]{3,40})\*\*(?!\*)")


def main(chosen: Sequence[str]) -> int:
    """Write build/pdf/mlnotes.pdf; return 1 if anything is missing or wrong."""
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        print(f"pdf: {', '.join(missing)} not found; on Debian: apt-get install {PACKAGES}", file=sys.stderr)
        return 1
    try:
        course = Course(BUILD / "lectures", BUILD / "claims.json", chosen)
        write(SOURCES, {**without_dangling_links(texts(course))})
    except ValueError as error:
        print(f"pdf: {error}", file=sys.stderr)
        return 1
    if sphinx("latex", ROOT / "book/print", SOURCES, TARGET):
        return 1
    command = ["latexmk", "-xelatex", "-interaction=nonstopmode", "-halt-on-error", "-quiet", "mlnotes.tex"]
    quiet = {**os.environ, "LATEXOPTS": ""}  # which the settings that Sphinx writes for latexmk read
    if subprocess.run(command, cwd=TARGET, env=quiet, stdout=subprocess.DEVNULL, check=False).returncode:
        print(f"pdf: LaTeX stops; {TARGET.relative_to(ROOT)}/mlnotes.log says where", file=sys.stderr)
        return 1
    print(f"{TARGET.relative_to(ROOT)}/mlnotes.pdf")
    return 0


def texts(course: Course) -> dict[str, str]:
    """Return the chapters: every lecture with its companion, the errata, and their list."""
    names = [lecture.name for lecture in course.lectures]
    errata = errata_page(course)
    listed = "\n".join([*(f"lectures/{name}" for name in names), "errata"])
    return {
        **{
            f"lectures/{lecture.name}.ipynb": json.dumps(for_print(lecture, course))
            for lecture in course.lectures
        },
        "errata.md": re.sub(
            r"```\{raw\} html\n.*?```\n?|\{\.claim-links\}\n[^\n]*", "", errata, flags=re.DOTALL
        ),
        "index.md": f"# mlnotes\n\n```{{toctree}}\n:maxdepth: 2\n\n{listed}\n```\n",
    }


def for_print(lecture: Lecture, course: Course) -> dict[str, Any]:
    """Return a lecture for paper, without tables of measurements and code that draws."""
    cells, stated = [], set()
    for cell in copy.deepcopy(lecture.cells):
        if cell["cell_type"] == "markdown":
            new = [id for id in ids_of(cell) if course.places[id][0] is lecture and id not in stated]
            stated.update(new)
            text = FOLDED.sub(unfolded, with_targets(source(cell), lecture.label, []))
            cell["source"] = "".join(f"(at-{slug(id)})=\n" for id in new) + indexed(text)
            cells.append(cell)
        elif (kept := printed(cell)) is not None:
            cells.append(kept)
    return {"cells": cells, "metadata": KERNEL, **NOTHING}


def unfolded(found: re.Match[str]) -> str:
    """Return what stands on paper where the screen has something to open, such as a solution."""
    return f"*{found[1]}.* " + f"\n\n{found[2]}" * bool(found[2]) if found[1] else ""


def printed(cell: dict[str, Any]) -> dict[str, Any] | None:
    """Return a code cell as it is printed: what only asks claims or moves is left out."""
    shown = str(cell["outputs"])
    if "mlnotes-" in shown or "claims hold" in shown:
        return None
    tags = cell["metadata"].setdefault("tags", [])
    if fold(cell):
        if "image/png" not in shown:
            return None
        tags.append("remove-input")
    for output in cell["outputs"]:
        output.get("data", {}).pop("text/html", None)
    return cell


def indexed(text: str) -> str:
    """Return Markdown with entries for the index: terms in bold, and theorems by their names."""

    def note(block: str) -> str:
        names = [f"{re.split(r';|, [0-9]', name)[0]}, {theorem}" for theorem, name in NAMED.findall(block)]
        if block.startswith(("|", "#", "-", "(", "```", "$$")) or CAPTION.match(block):
            return block
        return "\n\n".join(
            [*(f"```{{index}} single: {term}\n```" for term in TERM.findall(block) + names), block]
        )

    return "\n\n".join(note(block) for block in text.split("\n\n"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
