"""Grades as web pages: one a student, readable on a phone, and a summary of the class. Each is one file.

Every text is escaped by the template engine; the pages load nothing and run nothing.
"""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median
from typing import Any

from mlnotes.checking.boxes import number
from mlnotes.grading.assignment.parts import Assignment
from mlnotes.grading.cohort.gradebooks import Outcomes
from mlnotes.grading.feedback import reports
from mlnotes.grading.feedback.mathml import markup
from mlnotes.grading.feedback.output_files import file_stem, write_plainly
from mlnotes.grading.feedback.reports import without_controls
from mlnotes.grading.results import EXCUSED, GRADED, GRADER, MARKED, NEEDS, OK, OPEN, PartResult, Result

_BARS = 10

_STYLE = """
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1b1f24; --soft: #57606a;
  --line: #d4d9df; --good: #0a6b42; --bad: #a8201a; --open: #755c00; --bar: #3b7dd8; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --card: #1d2126; --ink: #e6e9ed;
  --soft: #a3acb7; --line: #3a414a; --good: #4fc38f; --bad: #ff8a80; --open: #e0b84c; --bar: #6aa5f0; } }
* { box-sizing: border-box; }
body { background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem;
  margin: 0 auto; padding: 1.2rem 1rem 2rem; overflow-wrap: anywhere; }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0; } h2 { font-size: 1.05rem; margin: 0; }
p { margin: .5rem 0; } small, footer, summary, .soft { color: var(--soft); font-size: .875rem; }
.total { font-size: 2.2rem; font-weight: 700; line-height: 1.2; margin: .6rem 0 .2rem; }
progress { width: 100%; height: .6rem; accent-color: var(--bar); }
section { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  padding: .8rem 1rem; margin: 1rem 0; }
.head { display: flex; flex-wrap: wrap; gap: .1rem .7rem; align-items: baseline; }
.head small { margin-left: auto; }
.good { border-left: .35rem solid var(--good); } .bad { border-left: .35rem solid var(--bad); }
.open { border-left: .35rem solid var(--open); }
.good b { color: var(--good); } .bad b { color: var(--bad); } .open b { color: var(--open); }
b { font-size: .8rem; letter-spacing: .04em; }
pre { white-space: pre-wrap; font-size: .8125rem; line-height: 1.4; margin: .5rem 0; padding: .6rem .7rem;
  background: var(--page); border: 1px solid var(--line); border-radius: .4rem; }
.asked { white-space: pre-wrap; overflow-x: auto; }
code { font-size: .9em; } details { margin: .4rem 0; } summary { cursor: pointer; padding: .2rem 0; }
dl { margin: .6rem 0 0; border-top: 1px solid var(--line); padding-top: .5rem; }
dt { font-weight: 600; } dd { margin: .2rem 0 0; } dd.said { color: var(--soft); }
ul { margin: .3rem 0; padding-left: 1.1rem; } li { margin: .15rem 0; }
table { border-collapse: collapse; width: 100%; margin-top: .4rem; font-size: .9375rem; }
td, th { text-align: left; padding: .3rem .5rem .3rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; } th { font-size: .8125rem; color: var(--soft); }
tr:last-child td { border-bottom: 0; }
.n { text-align: right; font-variant-numeric: tabular-nums; padding-right: 0; padding-left: .5rem; }
svg { width: 100%; max-width: 32rem; height: auto; display: block; } svg rect { fill: var(--bar); }
svg text { fill: currentColor; font: 15px system-ui, sans-serif; }
""".strip()

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{ title }}</title><style>{{ style }}</style></head><body>
"""

_STUDENT = (
    _HEAD
    + """<h1>{{ assignment.title }}</h1>
<div>{{ student }}</div>
<div class="total">{{ points(result.earned) }} <small>of {{ points(result.points) }} points</small></div>
{% if result.earned is not none and result.points %}<progress max="{{ result.points }}"
 value="{{ [0, result.earned] | max }}" aria-label="points"></progress>{% endif %}
{% if undecided %}<p><b>{{ result.status }}</b>: some parts are undecided; that is not a zero.</p>{% endif %}
{% for note in result.notes %}<p>Note: {{ note }}</p>{% endfor %}
{% for part, asked in parts %}
<section class="{{ colour(part) }}">
<div class="head"><h2><code>{{ part.name }}</code></h2><b>{{ part.verdict }}</b>
<small>{{ points(part.earned) }} of {{ points(part.points) }} points</small></div>
{% if part.diagnosis %}<p>{{ mistake(part) }}</p>{% endif %}
{% if asked %}<details><summary>What was asked</summary>
<div class="asked">{{ asked | markup }}</div></details>
{% endif %}
{% if part.sentence %}<p>{{ part.sentence }}</p>{% endif %}
{% for claim in part.claims %}
{% if claim.verdict == "OK" %}<div>✓ <code>{{ claim.id }}</code></div>{% else %}
<dl><dt>✗ <code>{{ claim.id }}</code> {{ claim.verdict }}</dt>
{% if claim.id in statements %}<dd class="said">{{ statements[claim.id] | markup }}</dd>{% endif %}
{% if claim.sentence and claim.sentence != part.sentence %}<dd>{{ claim.sentence }}</dd>{% endif %}
{% if failing(claim) %}<dd>Measured<ul>{% for line in failing(claim) %}<li>{{ line | markup }}</li>
{% endfor %}</ul></dd>{% endif %}
{% if claim.calls %}<dd>Called<pre>{{ claim.calls | join("\\n") }}</pre></dd>{% endif %}
<dd>Read {{ claim.where }}.</dd></dl>{% endif %}
{% endfor %}
{% if part.prints %}<details><summary>What your code printed</summary>
<pre>{{ part.prints }}</pre></details>{% endif %}
</section>
{% endfor %}
<footer>Sandbox: {{ result.sandbox }}. Assignment version {{ result.version }}.
File {{ result.digest[:12] }}.</footer>
</body></html>
"""
)

_SUMMARY = (
    _HEAD
    + """<h1>{{ assignment.title }}</h1>
<p>{{ tally.students }} students: {{ tally.scores | length }} graded
{%- for word, count in tally.statuses.most_common() %}, {{ count }} {{ word }}{% endfor %}.
{% if tally.scores %}Median {{ points(median(tally.scores)) }} of {{ points(assignment.points) }},
 mean {{ points(mean(tally.scores)) }}.{% endif %}</p>
{% if tally.scores %}<section><h2>Scores</h2>
<svg viewBox="0 0 440 172" role="img" aria-label="Histogram of the scores: {{ label }}">
{% for bar in bars %}
<rect x="{{ bar.x }}" y="{{ bar.y }}" width="38" height="{{ bar.height }}"/>
<text x="{{ bar.x + 19 }}" y="{{ bar.y - 4 }}" text-anchor="middle">{{ bar.count or "" }}</text>{% endfor %}
<line x1="10" y1="145" x2="430" y2="145" stroke="currentColor"/>
{% for mark in marks %}<text x="{{ mark.x }}" y="165" text-anchor="middle">{{ mark.text }}</text>{% endfor %}
</svg><small>points</small></section>{% endif %}
<section><h2>Parts, hardest first</h2>
<table><tr><th>part<th class="n">mean share<th class="n">full<th class="n">none<th class="n">undecided</tr>
{% for row in tally.by_part %}
<tr><td><code>{{ row.name }}</code><td class="n">{{ row.share }}<td class="n">{{ row.full }}
<td class="n">{{ row.none }}<td class="n">{{ row.open }}</tr>{% endfor %}</table></section>
<section><h2>Failures by claim</h2>{% if tally.by_claim %}
<table><tr><th>claim<th>verdict<th class="n">students</tr>
{% for (claim, verdict), count in tally.by_claim %}<tr><td><code>{{ claim }}</code><td>{{ verdict }}
<td class="n">{{ count }}</tr>{% endfor %}</table>{% else %}<p>No claim fails.</p>{% endif %}</section>
</body></html>
"""
)


@functools.cache
def environment() -> Any:
    """Return the template engine, which knows our style; a ValueError names a package that is missing."""
    try:
        import latex2mathml.converter  # noqa: F401
        from jinja2 import Environment, StrictUndefined
    except ImportError as error:
        name = (error.name or "").partition(".")[0]
        raise ValueError(f"--format html needs the package {name}: pip install 'mlnotes[grade]'") from None
    from markupsafe import Markup

    templates = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, finalize=_harmless)
    templates.filters["markup"] = lambda text: markup(without_controls(text))
    templates.globals |= {"style": Markup(_STYLE), "points": reports.points, "mean": fmean, "median": median}
    return templates


def _harmless(value: Any) -> Any:
    """Return a text without escapes and characters that no file may hold; the style is ours."""
    return without_controls(value) if type(value) is str else value


@functools.cache
def _template(source: str) -> Any:
    return environment().from_string(source)


def write(assignment: Assignment, outcomes: Outcomes, out: Path) -> None:
    """Write ``feedback/STUDENT.html`` for everyone with a result, and ``summary.html``."""
    tally = Tally(assignment)
    for item in outcomes():
        tally.add(item.result)
        if item.result is not None:
            name = item.person.name or item.result.student
            path = out / "feedback" / f"{file_stem(item.person.id)}.html"
            with contextlib.suppress(LookupError):  # nobody's sheet
                write_plainly(path, student_page(assignment.of(item.person.id), item.result, name))
    write_plainly(out / "summary.html", summary_page(assignment, tally))


def student_page(assignment: Assignment, result: Result, name: str = "") -> str:
    """Return the page for one student: what was asked, what was measured, the bound, where to read it."""
    questions = {part.name: part.question.strip() for part in assignment.parts}
    return _template(_STUDENT).render(
        title=f"{assignment.title}: {name or result.student}",
        assignment=assignment,
        student=name or result.student,
        result=result,
        undecided=result.status not in (GRADED, EXCUSED),
        parts=[(part, questions.get(part.name, "")) for part in result.parts],
        statements={claim.id: claim.statement for part in assignment.parts for claim in part.asks},
        colour=_colour,
        mistake=reports.diagnosis_line,
        failing=lambda claim: reports.failing_lines(claim.evidence),
    )


def _colour(part: PartResult) -> str:
    if part.verdict in (OPEN, NEEDS, GRADER):
        return "open"
    return "good" if part.verdict in (OK, MARKED) else "bad"


# ------------------------------------------------------------------- the class


@dataclass
class Tally:
    """Counts over a class, one result after another; its size does not grow with prints or evidence."""

    assignment: Assignment
    students: int = 0
    scores: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    shares: dict[str, list[float | None]] = field(default_factory=dict)
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, result: Result | None) -> None:
        """Count one student; None for somebody without a submission."""
        self.students += 1
        if result is None or result.status != GRADED or result.earned is None:
            self.statuses["without a submission" if result is None else result.status.lower()] += 1
        else:
            self.scores.append(result.earned)
        for part in result.parts if result is not None and result.status != EXCUSED else ():
            share = None if part.earned is None else part.earned / part.points if part.points else 1.0
            self.shares.setdefault(part.name, []).append(share)
            self.failures.update((c.id, c.verdict) for c in part.claims if c.verdict not in (OK, "NOT RUN"))
            if not part.claims and part.verdict not in (OK, OPEN, MARKED):
                self.failures[part.name, part.verdict] += 1

    @property
    def by_part(self) -> list[dict[str, Any]]:
        """Parts by mean share of the points; those undecided for all come last."""
        rows = []
        for name, shares in self.shares.items():
            known = [share for share in shares if share is not None]
            mean = fmean(known) if known else None
            rows.append(
                {
                    "name": name,
                    "mean": mean,
                    "share": "-" if mean is None else f"{100 * mean:.0f} %",
                    "full": sum(s >= 1 for s in known),
                    "none": sum(s == 0 for s in known),
                    "open": len(shares) - len(known),
                }
            )
        return sorted(rows, key=lambda row: 2.0 if row["mean"] is None else row["mean"])

    @property
    def by_claim(self) -> list[tuple[tuple[str, str], int]]:
        """How many students fail each claim, by verdict; most first."""
        return sorted(self.failures.items(), key=lambda item: (-item[1], item[0]))


def summary_page(assignment: Assignment, tally: Tally) -> str:
    """Return the page on the class: histogram of the scores, hardest parts, failures by claim."""
    counts = histogram(tally.scores, assignment.points)
    tallest = max(counts, default=0) or 1
    bars = [
        {"x": 20 + 40 * k, "height": (high := 120 * count // tallest), "y": 145 - high, "count": count}
        for k, count in enumerate(counts)
    ]
    width = assignment.points / _BARS
    marks = [{"x": 20 + 40 * k, "text": number(k * width)} for k in range(_BARS + 1)]
    label = ", ".join(str(count) for count in counts)
    title = f"{assignment.title}: the class"
    return _template(_SUMMARY).render(
        title=title, assignment=assignment, tally=tally, bars=bars, marks=marks, label=label
    )


def histogram(scores: Iterable[float], points: float) -> Sequence[int]:
    """Return how many scores lie in each tenth of the points; the last tenth includes full marks and more."""
    counts = [0] * _BARS
    for score in scores:
        counts[min(_BARS - 1, int(_BARS * score / points)) if points else 0] += 1
    return counts
