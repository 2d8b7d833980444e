"""Sphinx configuration of the slides; `python -m book` writes their text and runs Sphinx on it."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from book.conf import (  # noqa: E402, F401
    author,
    copyright,
    language,
    mathjax3_config,
    myst_dmath_double_inline,
    myst_mathjax_classes,
    project,
    release,
    suppress_warnings,
    version,
)  # fmt: skip
from book.sphinx_parts import keep_formulas_as_they_stand  # noqa: E402

extensions = ["myst_parser", "sphinx.ext.mathjax", "sphinx_revealjs"]
myst_enable_extensions = ["amsmath", "attrs_block", "attrs_inline", "dollarmath"]
mathjax_path = "../../_static/mathjax/tex-chtml.js"  # that of the book
templates_path = ["templates"]
html_favicon = str(ROOT / "book/static/icon.svg")

revealjs_static_path = ["static"]
revealjs_css_files = ["revealjs/plugin/highlight/monokai.css", "deck.css"]
revealjs_js_files = [("deck.js", {})]
revealjs_style_theme = "white"
revealjs_script_plugins = [
    {"name": "RevealNotes", "src": "revealjs/plugin/notes/notes.js"},
    {"name": "RevealHighlight", "src": "revealjs/plugin/highlight/highlight.js"},
]
revealjs_script_conf = {
    "width": 1280,
    "height": 720,
    "margin": 0.05,
    "hash": True,
    "center": False,
    "slideNumber": "c/t",
    "showSlideNumber": "all",
    "transition": "none",
    "pdfSeparateFragments": False,
    "pdfMaxPagesPerSlide": 1,
}


def setup(app):
    """Send formulas to MathJax as the book does."""
    app.connect("doctree-read", keep_formulas_as_they_stand)
