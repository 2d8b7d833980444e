"""``python -m lite.join`` puts book and lite site into build/site, and run buttons on the pages of notebooks.

A page reads and prints as before; nothing of Python is loaded until a button is pressed.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from book import links
from lite.__main__ import OUT, ROOT

BOOK, SITE = ROOT / "build/book", ROOT / "build/site"
TITLE = re.compile(r"<h1>.*?</h1>", re.DOTALL)


def main() -> int:
    """Join the two folders; return 1 if one is missing or a link leads nowhere."""
    for folder, target in ((BOOK, "book"), (OUT, "lite")):
        if not (folder / "index.html").is_file():
            print(f"site: {folder.relative_to(ROOT)} is not there: make {target}", file=sys.stderr)
            return 1
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(BOOK, SITE)
    shutil.copytree(OUT, SITE / "lite")
    pages = add_buttons(SITE)
    if broken := links.broken(SITE):
        print("site: broken links", *broken, sep="\n", file=sys.stderr)
        return 1
    print(
        f"{SITE.relative_to(ROOT)}/index.html: {pages} pages have a run button; any web server can show it."
    )
    return 0


def add_buttons(site: Path) -> int:
    """Add to the page of each notebook the link that opens it, and what runs its cells; return how many."""
    listed = site / "lite/files"
    notebooks = [path.relative_to(listed) for path in sorted(listed.rglob("*.ipynb"))]
    pages = 0
    for notebook in notebooks:
        page = notebook.with_suffix(".html")
        if (site / page).is_file():
            text = (site / page).read_text("utf-8")
            (site / page).write_text(with_button(text, notebook.as_posix(), page.as_posix()), "utf-8")
            pages += 1
    return pages


def with_button(text: str, notebook: str, page: str) -> str:
    """Return a page with the link after its title, and the script at its end."""
    up = "../" * page.count("/")
    link = f'<a href="{links.in_lite(notebook, page)}">Open as a notebook in this browser</a>'
    text = TITLE.sub(lambda title: f'{title[0]}<p class="run-here">{link}</p>', text, count=1)
    return text.replace("</body>", f'<script type="module" src="{up}lite/run.js"></script></body>')


if __name__ == "__main__":
    sys.exit(main())
