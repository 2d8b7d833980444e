"""Sphinx configuration of the printed book; `python -m book.pdf` writes its text and runs Sphinx on it."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from book.conf import *  # noqa: E402, F403
from book.sphinx_parts import keep_formulas_as_they_stand  # noqa: E402

extensions = ["myst_nb"]
html_theme, html_static_path, html_favicon = "basic", [], None
suppress_warnings = ["myst.header", "myst.xref_missing"]
latex_engine, latex_use_xindy = "xelatex", False
latex_documents = [("index", "mlnotes.tex", "Statistical machine learning", author, "manual")]  # noqa: F405
latex_elements = {
    "papersize": "a4paper",
    "pointsize": "11pt",
    "extraclassoptions": "openany,oneside",
    "figure_align": "H",
    "sphinxsetup": "verbatimwithframe=false, VerbatimColor={RGB}{246,247,249}",
    "preamble": r"\allowdisplaybreaks\setcounter{secnumdepth}{-1}"
    r"\renewcommand{\sphinxstyleindexentry}[1]{#1}",
}
latex_show_urls = "no"


def setup(app):
    """Leave formulas as they stand, with their tags."""
    app.connect("doctree-read", keep_formulas_as_they_stand)
