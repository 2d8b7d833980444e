r"""Texts of ours with formulas, as HTML: LaTeX becomes MathML, which browsers show without a script."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

_PIECE = re.compile(r"`([^`\n]+)`|\$\$(.+?)\$\$|\$([^$]+)\$|\*\*([^*\n]+)\*\*", re.DOTALL)
_PRIMES = re.compile(r"('+)\^(\{[^{}]*\}|\w)")  # f''^2: two superscripts for the converter
_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
_ALLOWED = re.compile(
    "math|m(?:i|n|o|row|sup|sub|subsup|frac|sqrt|root|text|space|over|under|underover)"
    "|m(?:table|tr|td|style|padded|phantom)"
    "|display(?:style)?|stretchy|fence|form|separator|accent|movablelimits|mathvariant|linethickness|width|height"
    "|depth|lspace|rspace|minsize|maxsize|column(?:align|spacing|lines)|row(?:spacing|lines)|scriptlevel"
).fullmatch
_OPERATORS = re.compile(r"\\(arg|argmax|argmin)(?![a-zA-Z])")


def markup(text: str) -> Any:
    """Return a text in which code, bold words and formulas are marked up, everything else escaped.

    A formula that cannot be converted stays as it is written. ``jinja2`` and ``latex2mathml`` are needed.
    """
    from markupsafe import Markup, escape

    pieces, end = [], 0
    for piece in _PIECE.finditer(text):
        pieces += [escape(text[end : piece.start()]), _marked(piece)]
        end = piece.end()
    return Markup("").join([*pieces, escape(text[end:])])


def _marked(piece: re.Match[str]) -> Any:
    from markupsafe import Markup, escape

    code, display, formula, bold = piece.groups()
    if code or bold:
        name = "code" if code else "strong"
        return Markup("<{0}>{1}</{0}>").format(name, code or bold)
    try:
        return Markup(mathml(display or formula, "block" if display else "inline"))
    except Exception:  # the text may quote a student's string
        return escape(piece[0])


def mathml(formula: str, display: str = "inline") -> str:
    """Return a formula of LaTeX as MathML; an exception of the converter's where it cannot read the formula.

    A ValueError says that it gives more than MathML: it does not escape what stands in text.
    """
    from latex2mathml.converter import convert

    formula = _PRIMES.sub(lambda f: "^{" + r"\prime" * len(f[1]) + f" {f[2].strip('{}')}}}", formula)
    markup = convert(_OPERATORS.sub(r"\\operatorname{\1}", formula), display=display)
    for item in ElementTree.fromstring(markup).iter():
        strange = [name for name in (item.tag.removeprefix(_NAMESPACE), *item.attrib) if not _ALLOWED(name)]
        if strange:
            raise ValueError(f"a formula must not hold {strange[0]}")
    return markup
