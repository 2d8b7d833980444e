"""``python -m book [01 05 ...]`` writes the pages, builds the site into build/book, and checks every link.

With numbers it is the book of these lectures. It needs the executed lectures in build/lectures and the
verdicts in build/claims.json: ``make book``.
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from book import links, slides
from book.course import PRINTED, ROOT, Course, source
from book.exhibits import exhibits_page
from book.notebooks import for_book
from book.pages import (
    benchmarks_page,
    cite_page,
    front_page,
    gallery_pages,
    growth_chart,
    handout,
    handout_files,
    homework_page,
    races_chart,
    reference_pages,
)  # fmt: skip
from book.statements import coverage_page, errata_page, theorem_pages

BUILD = ROOT / "build"
WRITE_YOUR_OWN = "lectures/homework/WRITE_YOUR_OWN.md"
SOURCES, SITE = BUILD / "book-sources", BUILD / "book"
DECKS, SLIDES = BUILD / "slides-sources", SITE / "slides"


def main(chosen: Sequence[str]) -> int:
    """Build the book of all lectures, or of those with the chosen numbers; return 1 if anything is wrong."""
    try:
        course = Course(BUILD / "lectures", BUILD / "claims.json", chosen)
        pages = texts(course)
        write(SOURCES, {**(pages if course.whole else without_dangling_links(pages)), **files(course)})
        write(DECKS, decks(course))
    except ValueError as error:
        print(f"book: {error}", file=sys.stderr)
        return 1
    shutil.rmtree(SITE, ignore_errors=True)  # menus and links of an earlier book must not stay
    if sphinx("html", ROOT / "book", SOURCES, SITE) or sphinx("revealjs", ROOT / "book/deck", DECKS, SLIDES):
        return 1
    if broken := links.broken(SITE):
        print("book: broken links", *broken, sep="\n", file=sys.stderr)
        return 1
    print(
        f"{SITE.relative_to(ROOT)}/index.html: {len(list(SITE.rglob('*.html')))} pages, every link checked."
    )
    return 0


def sphinx(builder: str, settings: Path, sources: Path, target: Path) -> int:
    """Run a builder of Sphinx; a warning is an error."""
    command = [sys.executable, "-m", "sphinx", "-c", settings, "-d", BUILD / f"{sources.name}-doctrees"]
    jobs = "1" if builder == "revealjs" else "2"  # which does not read in parallel
    options = ["-q", "-E", "-W", "--keep-going", "-j", jobs, "-b", builder]
    return subprocess.run([*command, *options, sources, target], cwd=ROOT, check=False).returncode


def texts(course: Course) -> dict[str, str]:
    """Return every page by its path, as Markdown or as a notebook."""
    return {
        **{
            f"lectures/{lecture.name}.ipynb": json.dumps(for_book(lecture, course))
            for lecture in course.lectures
        },
        **{f"lectures/homework/{path.name}": handout(path, course) for path in handout_files(course)},
        **theorem_pages(course),
        **reference_pages(course),
        **gallery_pages(course),
        "lectures/index.md": reading_order(course),
        WRITE_YOUR_OWN: (ROOT / WRITE_YOUR_OWN).read_text("utf-8"),
        "instructors.md": (ROOT / "book/text/instructors.md").read_text("utf-8").replace("../../", ""),
        "homework.md": homework_page(course),
        "index.md": front_page(course),
        "errata.md": errata_page(course),
        "coverage.md": coverage_page(course),
        "exhibits.md": exhibits_page(course),
        "benchmarks.md": benchmarks_page(course),
        "cite.md": cite_page(),
        "changes.md": (ROOT / "CHANGELOG.md").read_text("utf-8"),
    }


def reading_order(course: Course) -> str:
    """Return the reading order of the lectures of this book, without what only concerns their authors."""
    text = (ROOT / "lectures/README.md").read_text("utf-8")
    text = re.sub(r"^## How a lecture is made\n.*?(?=^## |\Z)", "", text, flags=re.MULTILINE | re.DOTALL)
    names = {lecture.name for lecture in course.lectures}
    rows = re.compile(r"^\|.*?\]\(((?:deeper/)?\d\d_\w+)\.ipynb\).*\n", re.MULTILINE)
    return rows.sub(lambda row: row[0] if row[1] in names else "", text)


def decks(course: Course) -> dict[str, str | bytes]:
    """Return the slides of each lecture with their pictures, and a list of them."""
    found: dict[str, str | bytes] = {}
    lectures = [lecture for lecture in course.lectures if not lecture.is_deeper]
    for lecture in lectures:
        found[f"{lecture.name}.md"], pictures = slides.markdown(lecture)
        found |= pictures
    listed = "\n".join(
        f"- [Lecture {lecture.number}: {lecture.title}]({lecture.name}.md)" for lecture in lectures
    )
    pages = "\n".join(lecture.name for lecture in lectures)
    found["index.md"] = f"# Slides\n\n{listed}\n\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"
    return found


def files(course: Course) -> dict[str, bytes]:
    """Return the files that pages show or offer for download, by their paths in the sources of the book."""
    pictures = [ROOT / f"figures/gallery/{name}.png" for name in course.gallery]
    notebooks = [ROOT / f"lectures/{lecture.name}.ipynb" for lecture in course.lectures]
    return {
        "races.svg": races_chart(course),
        "growth.svg": growth_chart(course),
        **({PRINTED.name: PRINTED.read_bytes()} if PRINTED.exists() else {}),
        **{f"figures/{path.name}": path.read_bytes() for path in pictures},
        **{
            f"notebooks/{path.relative_to(ROOT / 'lectures').as_posix()}": path.read_bytes()
            for path in [*notebooks, *handout_files(course)]
        },
    }


def without_dangling_links(pages: dict[str, str]) -> dict[str, str]:
    """Return the pages of a book of some lectures, with words alone where a link would lead out of it."""
    labels = {label for text in pages.values() for label in re.findall(r"\(([\w-]+)\)=(?:\n|\\n)", text)}

    def plain(page: str, text: str) -> str:
        def keep(found: re.Match[str]) -> str:
            words, target, label = found.groups()
            there = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
            known = label in labels if label and not target else there in pages
            return found[0] if known else words

        return re.sub(
            r"(?<!!)\[([^]\[]+)\]\((?![a-z]+:)([^)#\s]*\.(?:ipynb|md)|)(?:#([\w-]+))?\)", keep, text
        )

    cut = {}
    for page, text in pages.items():
        if page.endswith(".ipynb"):
            notebook = json.loads(text)
            for cell in notebook["cells"]:
                if cell["cell_type"] == "markdown":
                    cell["source"] = plain(page, source(cell))
            cut[page] = json.dumps(notebook)
        else:
            cut[page] = plain(page, text)
    return cut


def write(folder: Path, wanted: Mapping[str, str | bytes]) -> None:
    """Make `folder` hold these files and no others; what has not changed keeps its time."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    for name, content in wanted.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
