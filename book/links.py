"""Every link of the built site leads somewhere: to a file that is there, and to a place in it."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """Collects the places of a page and what it refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = {""}
        self.links: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value or "")
            elif name in ("href", "src") and value:
                self.links.add(value)


@cache
def _read(path: Path) -> _Page:
    return _Page(path.read_text("utf-8"))


def broken(site: Path) -> list[str]:
    """Return ``page: link`` for each link within the site that leads nowhere; others are not followed."""
    _read.cache_clear()
    found = []
    for page in sorted(site.rglob("*.html")):
        for link in sorted(_read(page).links):
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto", "data", "javascript"):
                continue
            target = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
            is_page = target.suffix == ".html" and target.is_file()
            if not target.is_file() or (is_page and unquote(parts.fragment) not in _read(target).places):
                found.append(f"{page.relative_to(site)}: {link}")
    return found
