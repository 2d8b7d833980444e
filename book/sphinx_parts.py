"""What the book adds to Sphinx: formulas as they stand, and MathJax from its package."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset

MATHJAX = ("tex-chtml.js", "output/chtml/fonts/woff-v2", "input/tex/extensions")  # 2.1 MB of 24


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx."""
    app.connect("autodoc-skip-member", skip_what_others_wrote)
    app.connect("doctree-read", keep_formulas_as_they_stand)
    app.connect("html-page-context", rank_captions, priority=900)
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def keep_formulas_as_they_stand(app: Sphinx, doctree: nodes.document) -> None:
    r"""Send display formulas to MathJax as written: Sphinx would wrap some, which forbids tags."""
    for node in doctree.findall(nodes.math_block):
        if not (node.get("nowrap") or node.get("no-wrap")):
            node.children = [nodes.Text(rf"\[{node.astext()}\]")]
            node["nowrap"] = node["no-wrap"] = True


def skip_what_others_wrote(
    app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out members that a class has from another library."""
    module = getattr(obj, "__module__", None) or "mlnotes"
    return None if module.startswith("mlnotes") else True


def rank_captions(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Give the captions in the sidebar, which are headings to a screen reader, their level."""
    sidebar = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = sidebar.replace('role="heading"', 'role="heading" aria-level="2"')


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
