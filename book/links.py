"""Every link of the built site leads somewhere: to a file that is there, and to a place in it."""

from __future__ import annotations

import html
import re
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

_TAG = re.compile(r"<[a-zA-Z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_ATTRIBUTE = re.compile(r"""\s(id|name|href|src)=(?:"([^"]*)"|'([^']*)')""")


def _read(page: Path) -> tuple[set[str], set[str]]:
    """Return the places in a page, and what it refers to."""
    places, links = {""}, set()
    for tag in _TAG.findall(page.read_text("utf-8")):
        for name, double, single in _ATTRIBUTE.findall(tag):
            (places if name in ("id", "name") else links).add(html.unescape(double or single))
    return places, links


def broken(site: Path) -> list[str]:
    """Return ``page: link`` for each link within the site that leads nowhere; others are not followed."""
    pages = {page.resolve(): _read(page) for page in site.rglob("*.html")}
    found = []
    for page, (_, links) in sorted(pages.items()):
        for link in sorted(links):
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto", "data", "javascript"):
                continue
            target = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
            places, _ = pages.get(target, ({unquote(parts.fragment)}, set()))
            if not target.is_file() or unquote(parts.fragment) not in places:
                found.append(f"{page.relative_to(site.resolve())}: {link}")
    return found


def in_lite(notebook: str, page: str) -> str:
    """Return the link from a page of the book to a notebook in the lite site, the folder ``lite`` beside it.

    Examples
    --------
    >>> in_lite("lectures/14_pca.ipynb", "lectures/14_pca.html")
    '../lite/lab/index.html?path=lectures/14_pca.ipynb'
    """
    return f"{'../' * page.count('/')}lite/lab/index.html?path={quote(notebook)}"
