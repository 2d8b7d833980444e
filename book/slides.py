"""Slides: each lecture of the built site once more, one section at a time, moved by the arrow keys."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: slides</title>
{head}
<link rel="stylesheet" href="../_static/slides.css">
<script defer src="../_static/slides.js"></script>
</head>
<body class="slides" data-theme="auto">
<main>{article}</main>
<nav aria-label="Slides"><a href="{page}">The lecture as text</a>
<button id="back" type="button">Back</button> <output id="place"></output>
<button id="on" type="button">On</button></nav>
</body>
</html>
"""
KEPT = re.compile(r'<link rel="stylesheet"[^>]*>|<style>.*?</style>', re.DOTALL)
MATHJAX = re.compile(r"<script>window\.MathJax.*?</script>|<script[^>]*mathjax/tex[^>]*></script>", re.DOTALL)


def write(site: Path) -> None:
    """Write ``lectures/NN_topic.slides.html`` next to each lecture's page."""
    for page in sorted(site.glob("lectures/[0-9][0-9]_*.html")):
        if page.name.endswith(".slides.html"):
            continue
        text = page.read_text("utf-8")
        article = re.search(r"<article[^>]*>(.*)</article>", text, re.DOTALL)
        title = re.search(r"<title>(.*?)</title>", text, re.DOTALL)
        assert article
        assert title
        head = "\n".join([*KEPT.findall(text), *MATHJAX.findall(text)])
        content = PAGE.format(title=title[1], head=head, article=article[1], page=page.name)
        page.with_name(f"{page.stem}.slides.html").write_text(content, "utf-8")
