"""What the book adds to Sphinx: formulas as they stand, pages with the code, and MathJax from its package."""

from __future__ import annotations

import html
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset

from book.course import ROOT, code_files

MATHJAX = ("tex-chtml.js", "output/chtml/fonts/woff-v2", "input/tex/extensions")  # 2.1 MB of 24


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx."""
    app.add_role("source", source_role)
    app.connect("autodoc-process-docstring", escape_docstring, priority=900)
    app.connect("autodoc-skip-member", skip_what_others_wrote)
    app.connect("doctree-read", keep_formulas_as_they_stand)
    app.connect("html-collect-pages", code_pages)
    app.connect("html-page-context", rank_captions, priority=900)
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def keep_formulas_as_they_stand(app: Sphinx, doctree: nodes.document) -> None:
    r"""Send display formulas to MathJax as written: Sphinx would wrap some, which forbids tags."""
    for node in doctree.findall(nodes.math_block):
        if not (node.get("nowrap") or node.get("no-wrap")):
            node.children = [nodes.Text(rf"\[{node.astext()}\]")]
            node["nowrap"] = node["no-wrap"] = True


def escape_docstring(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Escape what a docstring means literally and reStructuredText would not: ``coef_`` and ``|X|``.

    Code, formulas and everything else between backticks or in an indented block is left alone.
    """
    block, text = -1, []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent <= block:
            block = -1
        if block < 0 and not line.lstrip().startswith((">>>", "...", ".. math::")):
            line = _SPANS.sub(lambda found: found[1] or _LITERAL.sub(r"\\\g<0>", found[2]), line)
        text.append(line)
        if block < 0 and (line.endswith("::") or line.lstrip().startswith(".. math::")):
            block = indent
    lines[:] = text


_SPANS = re.compile(r"(``.+?``|`[^`]*(?:`|$)|^[^`]*`(?=[\s.,;:)]|$))|([^`]+)")
_LITERAL = re.compile(r"(?<=\w)_(?!\w)|\|(?=\S+\|)|(?<=\S)\|(?!\w)")


def skip_what_others_wrote(
    app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out members that a class has from another library."""
    module = getattr(obj, "__module__", None) or "mlnotes"
    return None if module.startswith("mlnotes") else True


def source_role(
    name: str, rawtext: str, text: str, line: int, inliner: Inliner, options: Any = None, content: Any = None
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Link to a line of the code: ``{source}`words <mlnotes/bayes.py:12>```."""
    words, _, target = text.rpartition(" <")
    path, _, number = target.rstrip(">").partition(":")
    here = inliner.document.settings.env.docname
    address = f"{'../' * here.count('/')}code/{path.removesuffix('.py')}.html#L{number}"
    return [nodes.reference(rawtext, words, refuri=address, internal=True)], []


def rank_captions(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Give the captions in the sidebar, which are headings to a screen reader, their level."""
    sidebar = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = sidebar.replace('role="heading"', 'role="heading" aria-level="2"')


def code_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield a page for each module whose page is older than it or than the menu; each line has an anchor."""
    written = Path(app.outdir)
    pages = (path for path in Path(app.srcdir).rglob("*.md") if "{toctree}" in path.read_text("utf-8"))
    menu = max(path.stat().st_mtime for path in pages)
    form = HtmlFormatter(lineanchors="L", linenos="inline", anchorlinenos=True, cssclass="highlight code")
    for file in code_files():
        name = file.relative_to(ROOT).as_posix()
        page = f"code/{name.removesuffix('.py')}"
        target = written / f"{page}.html"
        if target.exists() and target.stat().st_mtime > max(file.stat().st_mtime, menu):
            continue
        text = highlight(file.read_text("utf-8"), PythonLexer(stripnl=False), form).replace("L-", "L")
        body = f"<h1><code>{html.escape(name)}</code></h1>\n{text}"
        yield page, {"parents": [], "title": name, "body": body}, "page.html"


def copy_mathjax(app: Sphinx, error: Exception | None) -> None:
    """Copy the part of MathJax that the pages use, so that they need no network."""
    spec = importlib.util.find_spec("sphinx-mathjax-offline")
    assert spec is not None
    assert spec.origin is not None
    origin = Path(spec.origin).parent / "static" / "mathjax"
    for part in MATHJAX:
        target = Path(app.outdir, "_static", "mathjax", part)
        if not target.exists():
            copy_asset(origin / part, target if (origin / part).is_dir() else target.parent)
