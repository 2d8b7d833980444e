"""How a claim and its verdict look: plain text for terminals, Markdown and HTML for notebooks."""

from __future__ import annotations

import html
import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mlnotes.checking.claims import Claim, Verdict
    from mlnotes.checking.evidence import Evidence

_SIGNS = {"at_most": "≤", "at_least": "≥", "equal": "=", "within": "in"}
_HOLDS, _FAILS, _OPEN = ("#0a7a4b", "#b3261e", "#8a6d00")  # contrast above 4.5 on white and near black


_MOST_BITS = 600  # of a number that is written down: Python writes none of more than 4,300 digits


def _too_long(value: Any) -> bool:
    exact = isinstance(value, (int, Fraction))
    return exact and max(abs(value.numerator), value.denominator).bit_length() > _MOST_BITS


def plain(value: Any) -> Any:
    """Return `value` as a JSON value: ``"p/q"`` for a fraction, words for NaN, infinity and long numbers."""
    if _too_long(value):
        bits = max(abs(value.numerator), value.denominator).bit_length()
        return f"{'an integer' if isinstance(value, int) else 'a fraction'} of {bits} bits"
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, (bool, int, float, str)) else str(value)


def number(value: Any) -> str:
    """Return `value` short enough for a table: six significant digits, fractions as they are."""
    if isinstance(value, bool) or not isinstance(value, float):
        text, is_words = str(plain(value)), _too_long(value) or not isinstance(value, Fraction)
        return text if len(text) <= 24 or is_words else f"{float(value):.6g}"
    return f"{value:.6g}"


def requirement(item: Evidence) -> str:
    """Return the bound with its sign, such as ``"≤ 0.5 (± 1e-12)"``."""
    if item.relation == "within":
        text = f"in [{number(item.bound[0])}, {number(item.bound[1])}]"
    else:
        text = f"{_SIGNS[item.relation]} {number(item.bound)}"
    return text if not item.tolerance else f"{text} (± {float(item.tolerance):.2g})"


def apart(item: Evidence) -> str:
    """Return by how much a measurement misses its bound where the digits that are shown do not tell."""
    ends = item.bound if item.relation == "within" else (item.bound,)
    sides = (item.measured, *ends)
    if item.holds or not all(isinstance(v, (int, float, Fraction)) and not _too_long(v) for v in sides):
        return ""
    hidden = [abs(item.measured - end) for end in ends if number(item.measured) == number(end)]
    return f"; off by {float(min(hidden)):.2g}" if hidden else ""


def measurement(item: Evidence) -> str:
    """Return a line of the measured table."""
    return f"{item.what}: {number(item.measured)}  {requirement(item)}{apart(item)}"


def status_words(verdict: Verdict) -> str:
    """Return the verdict in one or two words."""
    return {"holds": "holds", "fails": "FAILS", "not found": "NOT FOUND", "error": "ERROR"}[verdict.status]


def title(claim: Claim) -> str:
    """Return the heading of a box: the kind and the sources."""
    sources = f" ({'; '.join(claim.sources)})" if claim.sources else ""
    return f"{claim.kind.capitalize()} {claim.id}{sources}"


def claim_text(claim: Claim) -> str:
    """Return the theorem box as plain text."""
    return f"{title(claim)}\n{claim.statement}"


def claim_markdown(claim: Claim) -> str:
    """Return the theorem box as a Markdown quotation."""
    sources = f" *({'; '.join(claim.sources)})*" if claim.sources else ""
    return f"> **{claim.kind.capitalize()}** `{claim.id}`{sources}\n>\n> {claim.statement}\n"


def claim_html(claim: Claim) -> str:
    """Return the theorem box as HTML whose LaTeX the page typesets."""
    sources = f" <em>({html.escape('; '.join(claim.sources))})</em>" if claim.sources else ""
    if claim.kind == "erratum":
        body = (
            f"<p style='margin:.3em 0'><b>Printed:</b> {prose(claim.printed)}</p>"
            f"<p style='margin:.3em 0'><b>Right:</b> {prose(claim.corrected)}</p>"
        )
    else:
        body = f"<p style='margin:.3em 0'>{prose(claim.statement)}</p>"
    return (
        "<div class='mlnotes-claim' style='border-left:4px solid #0072b2;padding:.3em 1em;margin:.6em 0'>"
        f"<b>{claim.kind.capitalize()}</b> <code>{html.escape(claim.id)}</code>{sources}{body}</div>"
    )


def verdict_text(verdict: Verdict) -> str:
    """Return the measured table as plain text."""
    lines = [f"{status_words(verdict)}  {verdict.claim.id}  ({verdict.seconds:.3f} s)"]
    if verdict.reason:
        lines.append(f"  {verdict.reason}")
    for item in verdict.evidence:
        mark = "ok " if item.holds else "NO "
        lines.append(f"  {mark} {measurement(item)}")
        lines.extend(f"        {line}" for line in instance_lines(item))
    return "\n".join(lines)


def verdict_html(verdict: Verdict) -> str:
    """Return the measured table as HTML."""
    colour = {"holds": _HOLDS, "fails": _FAILS, "error": _FAILS}.get(verdict.status, _OPEN)
    head = (
        f"<b style='color:{colour}'>{status_words(verdict)}</b> "
        f"<code>{html.escape(verdict.claim.id)}</code> {html.escape(verdict.reason)}"
    )
    rows = "".join(_row(item) for item in verdict.evidence)
    return (
        f"<div class='mlnotes-verdict'>{head}<table><thead><tr><th style='text-align:left'>what</th>"
        "<th>measured</th><th style='text-align:left'>must be</th><th></th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _row(item: Evidence) -> str:
    left = "<td style='text-align:left'>"
    cells = (
        f"{left}{prose(item.what)}</td><td>{html.escape(number(item.measured))}</td>"
        f"{left}{html.escape(requirement(item) + apart(item))}</td><td>{'✓' if item.holds else '✗'}</td>"
    )
    lines = "".join(
        f"<tr><td colspan='4' style='text-align:left'><code>{html.escape(line)}</code></td></tr>"
        for line in instance_lines(item)
    )
    return f"<tr>{cells}</tr>{lines}"


def instance_lines(item: Evidence) -> list[str]:
    """Return the failing instance, a line an input; nothing when the evidence holds."""
    if item.holds:
        return []
    return [f"{name} = {_short(value)}" for name, value in item.instance.items()]


def _short(value: Any) -> str:
    text = " ".join(str(value.tolist() if hasattr(value, "tolist") else value).split())
    return text if len(text) <= 300 else f"{text[:297]}..."


def prose(text: str) -> str:
    """Return the Markdown of a statement as HTML: code and emphasis; LaTeX is left to the page."""
    code = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return re.sub(r"(?<![\w*$\\^])\*([^*$]+)\*", r"<em>\1</em>", code)
