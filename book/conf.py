"""Sphinx configuration; `python -m book` writes the pages and runs Sphinx on them."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import mlnotes  # noqa: E402

project = "mlnotes"
author = "The mlnotes authors"
copyright = author
version = release = mlnotes.__version__
language = "en"

extensions = [
    "myst_nb", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.viewcode",
    "book.sphinx_parts",
]  # fmt: skip
suppress_warnings = ["myst.header"]  # a lecture may put a heading of level 3 before its first section
default_role = "code"
exclude_patterns = ["notebooks"]  # offered for download

nb_execution_mode = "off"  # the lectures come executed
nb_render_image_options = {"align": "center"}
myst_enable_extensions = ["amsmath", "attrs_block", "attrs_inline", "colon_fence", "dollarmath"]
myst_dmath_double_inline = True
myst_mathjax_classes = "math|mathjax_process|text_html"  # where formulas are looked for

viewcode_follow_imported_members = False  # else it links to the wrong of two pages
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_typehints = "none"  # the docstrings say shapes, which says more
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

mathjax_path = "mathjax/tex-chtml.js"
mathjax3_config = {
    "tex": {"inlineMath": [["\\(", "\\)"], ["$", "$"]], "displayMath": [["\\[", "\\]"]]},
    "chtml": {"scale": 0.92},  # its letters are wide beside those of the text
    "options": {"enableMenu": False},
}

html_theme = "furo"
html_title = "mlnotes"
html_favicon = "static/icon.svg"
html_static_path = ["static"]
html_css_files = ["book.css"]
html_js_files = ["book.js"]
html_search_scorer = str(ROOT / "book/static/search.js")
html_domain_indices = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#005a8c",
        "color-brand-content": "#005a8c",
        "color-brand-visited": "#6a3d8a",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6cc4f5",
        "color-brand-content": "#6cc4f5",
        "color-brand-visited": "#d3a6f0",
    },
}
