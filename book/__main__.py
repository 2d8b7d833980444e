"""``python -m book`` writes the pages, builds the site into build/book, and checks every link in it.

It needs the executed lectures in build/lectures and the verdicts in build/claims.json: ``make book``.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from book import links, slides
from book.course import ROOT, Course, code_files
from book.exhibits import exhibits_page
from book.notebooks import for_book
from book.pages import benchmarks_page, cite_page, front_page, gallery_page, homework_page, reference_pages
from book.statements import coverage_page, errata_page, theorem_pages

BUILD = ROOT / "build"
WRITE_YOUR_OWN = "lectures/homework/WRITE_YOUR_OWN.md"
SOURCES, SITE = BUILD / "book-sources", BUILD / "book"


def main() -> int:
    """Build the book; return 1 if anything is not as it should be."""
    try:
        course = Course(BUILD / "lectures", BUILD / "claims.json")
        write(SOURCES, {**texts(course), **files()})
    except ValueError as error:
        print(f"book: {error}", file=sys.stderr)
        return 1
    command = [sys.executable, "-m", "sphinx", "-c", ROOT / "book", "-d", BUILD / "book-doctrees"]
    options = ["-q", "-W", "--keep-going", "-j", "2", "-b", "html"]
    if subprocess.run([*command, *options, SOURCES, SITE], cwd=ROOT, check=False).returncode:
        return 1
    remove_old_pages()
    slides.write(SITE)
    if broken := links.broken(SITE):
        print("book: broken links", *broken, sep="\n", file=sys.stderr)
        return 1
    print(
        f"{SITE.relative_to(ROOT)}/index.html: {len(list(SITE.rglob('*.html')))} pages, every link checked."
    )
    return 0


def remove_old_pages() -> None:
    """Delete the pages of an earlier build whose text or code is no longer there."""
    written = {path.relative_to(SOURCES).with_suffix("") for path in SOURCES.rglob("*") if path.is_file()}
    written |= {Path("code") / path.relative_to(ROOT).with_suffix("") for path in code_files()}
    for page in SITE.rglob("*.html"):
        if page.relative_to(SITE).with_suffix("") not in written | {Path("genindex"), Path("search")}:
            page.unlink()


def texts(course: Course) -> dict[str, str]:
    """Return every page by its path, as Markdown or as a notebook."""
    lectures = {
        f"lectures/{lecture.name}.ipynb": json.dumps(for_book(lecture, course)) for lecture in course.lectures
    }
    return {
        **lectures,
        **{f"lectures/homework/{path.name}": path.read_text("utf-8") for path in handouts()},
        **theorem_pages(course),
        **reference_pages(course),
        "lectures/index.md": reading_order(),
        WRITE_YOUR_OWN: (ROOT / WRITE_YOUR_OWN).read_text("utf-8"),
        "instructors.md": (ROOT / "book/text/instructors.md").read_text("utf-8").replace("../../", ""),
        "homework.md": homework_page(course),
        "index.md": front_page(course),
        "errata.md": errata_page(course),
        "coverage.md": coverage_page(course),
        "figures.md": gallery_page(course),
        "exhibits.md": exhibits_page(course),
        "benchmarks.md": benchmarks_page(course),
        "cite.md": cite_page(),
    }


def handouts() -> list[Path]:
    """Return the handouts of the homework."""
    return sorted((ROOT / "lectures/homework").glob("*.ipynb"))


def reading_order() -> str:
    """Return the reading order of the lectures, without what only concerns their authors."""
    text = (ROOT / "lectures/README.md").read_text("utf-8")
    return re.sub(r"^## How a lecture is made\n.*?(?=^## |\Z)", "", text, flags=re.MULTILINE | re.DOTALL)


def files() -> dict[str, Path]:
    """Return the files that pages show or offer for download, by their paths in the sources of the book."""
    pictures = (ROOT / "figures/gallery").glob("*.[sp][vn]g")
    return {
        **{f"figures/{path.name}": path for path in pictures},
        **{f"handouts/{path.name}": path for path in handouts()},
    }


def write(folder: Path, wanted: dict[str, str | Path]) -> None:
    """Make `folder` hold these files and no others; what has not changed keeps its time."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    for name, content in wanted.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.read_bytes() if isinstance(content, Path) else content.encode()
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
