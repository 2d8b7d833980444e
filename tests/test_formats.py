"""Grades for other systems and as pages: their formats, and nothing of a student's that does harm there."""

import csv
import html.parser
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from mlnotes import cli, homework
from mlnotes.grading.cohort import gradebooks
from mlnotes.grading.cohort.gradebooks import Outcome
from mlnotes.grading.cohort.submissions import Student
from mlnotes.grading.feedback import mathml, pages, reports
from mlnotes.grading.results import (
    CLAIM,
    EXCUSED,
    GRADED,
    GRADER,
    NEEDS,
    OFTEN,
    OK,
    OPEN,
    ClaimResult,
    PartResult,
    Result,
)

SMALL = homework.load(str(Path(__file__).parent / "small_homework.py"))
EVIL = "</pre><script>alert(1)</script>{{ 7*7 }}]]>&\x00\x08\ud800\x1b[31m\uffff"


def measured(holds=False):
    return {
        "what": f"sum {EVIL}",
        "measured": 1.5,
        "relation": "equal",
        "bound": 1.0,
        "tolerance": 0.0,
        "holds": holds,
    }


@pytest.fixture
def result():
    """3 of 21 points by one right part; one wrong with everything hostile, one undecided."""
    claims = (ClaimResult("small.order", "page 1", CLAIM, "", (measured(),)),)
    parts = (
        PartResult("means", 3, 3.0, OK, "", (ClaimResult("small.means", "page 1", OK),), EVIL),
        PartResult("sorting", 2, 0.0, CLAIM, EVIL, claims, "printed\n" * 3),
        PartResult("essay", 5, None, OPEN, "marked by hand"),
    )
    return Result("small", "1", "=eve", "d" * 64, "limits", OPEN, 21, 3.0, parts, (EVIL,))


@pytest.fixture
def graded(result):
    return replace(result, student="ada", status=GRADED, parts=result.parts[:2])


@pytest.fixture
def outcomes(result, graded):
    people = [
        Outcome(Student("ada", "Ada Lovelace", "ada@uni.example"), graded, "501"),
        Outcome(Student("=eve", "=HYPERLINK(1)", "e@uni.example"), result, "502"),
        Outcome(Student("fay", "Fay Wray"), replace(graded, student="fay", status=EXCUSED, earned=None)),
        Outcome(Student("gus", "Gus Grissom"), None),
    ]
    return lambda: iter(people)


def rows(text):
    return list(csv.reader(io.StringIO(text)))


# ------------------------------------------------------------------- tables


@pytest.mark.parametrize(
    "text", ["=1", "+1", "-1", "@x", "|x", " =1", "\t=1", "\r=1", "\n=1", "＝1", "\x1b[1m=1", "%0A"]
)
def test_no_cell_is_a_formula(text):
    shown = reports.cell(text)
    assert shown.startswith("'")
    assert not set(shown) & set("\t\r\n\x1b")
    assert reports.cell("Ada") == "Ada"


def test_moodle_has_empty_cells_where_nothing_is_decided(outcomes):
    head, *body = rows(gradebooks.moodle(SMALL, outcomes))
    assert head[:6] == ["Identifier", "ID number", "Full name", "Email address", "Grade", "Maximum Grade"]
    assert set(head) > {"Identifier", "Grade", "Last modified (grade)"}, "without these Moodle takes nothing"
    assert [row[4] for row in body] == ["3", "", "", ""]
    assert body[0][0] == "Participant 501"
    assert body[1][1:3] == ["'=eve", "'=HYPERLINK(1)"]
    assert "<script>" not in body[1][head.index("Feedback comments")]


CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Small things (77),Final Score
    Points Possible,,,,,21.00,(read only)
"Lovelace, Ada",501,x1,alovelace,S1,,80
=cmd,502,=eve,eve,S1,9,70
"Wray, Fay",503,x3,fay,S1,,60
"Student, Test",504,,abc,S1,,0
"""


def test_canvas_columns_are_filled_in(outcomes):
    text, unknown = gradebooks.canvas("\ufeff" + CANVAS, SMALL, outcomes)
    head, possible, ada, eve, fay, test = rows(text)
    assert head == CANVAS.splitlines()[0].split(",")
    assert possible[5] == "21.00"
    assert ada == ["Lovelace, Ada", "501", "x1", "alovelace", "S1", "3", "80"]
    assert eve == ["'=cmd", "502", "=eve", "eve", "S1", "9", "70"], "what is undecided stays as it is"
    assert (fay[5], test[5]) == ("EX", "")
    assert unknown == ["gus"]


def test_canvas_gets_a_new_column_where_there_is_none(outcomes):
    text, _ = gradebooks.canvas(CANVAS.replace("Small things (77)", "Other"), SMALL, outcomes)
    head, possible, ada, *_ = rows(text)
    assert (head[-1], possible[-1], ada[-1]) == ("Small things", "21", "3")


def test_a_name_that_two_students_have_is_matched_to_neither(graded):
    two = "Student,ID\nAda Lovelace,1\nAda Lovelace,2\n"
    text, unknown = gradebooks.canvas(
        two, SMALL, lambda: iter([Outcome(Student("q", "Ada Lovelace"), graded)])
    )
    assert unknown == ["q"]
    assert [row[-1] for row in rows(text)[1:]] == ["", ""]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must be a gradebook exported by Canvas"),
        ("name,points\n", "must be a gradebook exported by Canvas"),
        ("Student,ID,small (1),Small things (2)\n", r"the columns small \(1\), Small things \(2\)"),
    ],
)
def test_another_table_is_refused_as_canvas_gradebook(outcomes, text, words):
    with pytest.raises(ValueError, match=words):
        gradebooks.canvas(text, SMALL, outcomes)


# ------------------------------------------------------------------- one file a student


def test_gradescope(graded, result):
    made = json.loads(gradebooks.per_student("gradescope", graded))
    assert made["score"] == 3
    assert [(t["name"], t["number"], t["score"], t["max_score"], t["status"]) for t in made["tests"]] == [
        ("means", "1", 3, 3, "passed"), ("sorting", "2", 0, 2, "failed")
    ]  # fmt: skip
    assert {made["output_format"], made["test_output_format"]} == {"text"}
    assert "score" not in gradebooks.gradescope(result)["tests"][2], (
        "an essay without a mark is informational"
    )
    lost = replace(result, status=GRADER, earned=None, parts=(PartResult("means", 3, None, GRADER, "x"),))
    made = gradebooks.gradescope(lost)
    assert "score" not in made
    assert "score" not in made["tests"][0]


def test_gradescope_gets_no_scores_for_undecided_results(graded):
    """It adds the scores of the tests where the whole has none."""
    for status, parts in ((GRADER, graded.parts), (NEEDS, graded.parts), (EXCUSED, graded.parts)):
        made = gradebooks.gradescope(replace(graded, status=status, earned=None, parts=parts))
        assert "score" not in made
        assert not any("score" in test for test in made["tests"])
        assert "points" not in json.dumps(
            gradebooks.prairielearn(replace(graded, status=status, earned=None))["format_errors"]
        )


def test_excused_is_not_undecided(graded):
    made = gradebooks.prairielearn(replace(graded, status=EXCUSED, earned=None))
    assert (made["gradable"], made["format_errors"]) == (False, "excused")
    made = gradebooks.prairielearn(replace(graded, status=NEEDS, earned=None))
    assert made["format_errors"] == "not decided yet: your instructor will"


def test_gradebook_cells_are_escaped(result):
    for name in ("=1", " =1+1", "＝1", "|calc", "\t@x"):
        row = reports.gradebook_row(replace(result, student=name))
        assert row[0].startswith("'")


def test_prairielearn(graded, result):
    made = json.loads(gradebooks.per_student("prairielearn", graded))
    assert (made["gradable"], made["score"]) == (True, 3 / 21)
    assert [(t["points"], t["max_points"]) for t in made["tests"]] == [(3, 3), (0, 2)]
    lost = gradebooks.prairielearn(replace(result, earned=None))
    assert lost["gradable"] is False
    assert "score" not in lost
    assert gradebooks.prairielearn(replace(graded, earned=40.0))["score"] == 1.0


def test_prairielearn_reports_are_limited_in_size(graded):
    long = PartResult("means", 3, 3.0, "RAISES", "é" * 90_000)
    text = gradebooks.per_student("prairielearn", replace(graded, parts=(long,) * 100))
    assert len(text.encode()) < gradebooks.PRAIRIELEARN_BYTES
    assert "cut after 1000 characters" in text


@pytest.mark.parametrize("kind", ["gradescope", "prairielearn"])
def test_json_has_no_escapes_and_no_nul(result, kind):
    text = gradebooks.per_student(kind, result)
    for bad in ("\\u0000", "\\u001b", "\\ud800", "\\u0008"):
        assert bad not in text


def test_junit(outcomes):
    root = ElementTree.fromstring(gradebooks.junit(SMALL, outcomes))
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == ["ada", "=eve", "fay"]
    eve = suites["=eve"]
    assert (eve.get("tests"), eve.get("failures"), eve.get("errors"), eve.get("skipped")) == (
        "3",
        "1",
        "0",
        "1",
    )
    (failure,) = eve.iter("failure")
    assert failure.get("type") == CLAIM
    assert "expected 1, got" in failure.text
    assert "<script>" in failure.text, "as text"


# ------------------------------------------------------------------- pages


class Tags(html.parser.HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text, self.links = [], "", []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "data", "action")]

    def handle_data(self, data):
        self.text += data


def test_the_page_of_a_student_says_all_and_runs_nothing(result):
    page = pages.student_page(SMALL, result, EVIL)
    seen = Tags(page)
    assert "script" not in seen.tags
    assert seen.links == []
    assert "49" not in seen.text, "what a student writes is no template"
    assert "3 of 21 points" in " ".join(seen.text.split())
    for words in (
        "Sort.",
        "An order sorts",
        "expected 1, got",
        "Read page 1.",
        "not a zero",
        "marked by hand",
    ):
        assert words in seen.text
    assert "\x1b" not in page
    assert 'name="viewport"' in page


@pytest.mark.parametrize("diagnosis", [f"It sorts <b>down</b>. {EVIL}", f"{OFTEN} a sign."])
def test_the_page_says_which_mistake_it_is_first(result, diagnosis):
    result = replace(result, parts=(*result.parts[:1], replace(result.parts[1], diagnosis=diagnosis)))
    page = pages.student_page(SMALL, result)
    shown = Tags(page)
    assert "script" not in shown.tags
    _, _, part = shown.text.partition("sorting")
    said = part.index("<b>down</b>" if "down" in diagnosis else diagnosis)
    assert part.index("0 of 2 points") < said < part.index("What was asked")
    assert part.count("All your answers are those of one mistake: It sorts") == ("down" in diagnosis)
    assert "(read page 1)" in part
    assert "mistake" not in Tags(pages.student_page(SMALL, replace(result, parts=result.parts[:1]))).text


@pytest.mark.parametrize("id", homework.assignments())
def test_no_page_shows_latex(id):
    assignment = homework.load(id)
    parts = tuple(
        PartResult(
            part.name,
            part.points,
            0.0,
            CLAIM,
            "",
            tuple(ClaimResult(c.id, c.where, CLAIM) for c in part.claims),
        )
        for part in assignment.parts
    )
    failed = Result(id, "1", "ada", "0" * 64, "bubblewrap", GRADED, assignment.points, 0.0, parts)
    page = pages.student_page(assignment, failed)
    body = page[page.index("<body>") :]
    assert body.count("<math") >= 20
    assert not re.search(r"\\[a-zA-Z]+|\$|`|\*\*", body)


def test_formulas_are_marked_up_and_all_else_is_escaped():
    shown = mathml.markup("**Find** `a < b` if $x < \\frac12$ and <b>, $f''^2$ and $\\notacommand{$, 5 $")
    assert shown.startswith("<strong>Find</strong> <code>a &lt; b</code> if <math")
    assert "and &lt;b&gt;, <math" in shown
    assert "<mi>x</mi><mo>&#x0003C;</mo>" in shown
    assert shown.endswith(", 5 $")
    assert "<b>" not in shown
    hostile = mathml.markup("$\\text{<script>alert(1)</script>} \\href{javascript:x}{y}$")
    assert "<script" not in hostile
    assert "href=" not in hostile


def test_the_summary_counts(outcomes, graded):
    tally = pages.Tally(SMALL)
    for item in outcomes():
        tally.add(item.result)
    tally.add(replace(graded, earned=20.0))
    assert (tally.students, tally.scores) == (5, [3.0, 20.0])
    assert tally.statuses == {"not graded": 1, "excused": 1, "without a submission": 1}
    assert tally.by_claim == [(("small.order", CLAIM), 3)]
    assert [(row["name"], row["share"], row["open"]) for row in tally.by_part] == [
        ("sorting", "0 %", 0), ("means", "100 %", 0), ("essay", "-", 1)
    ]  # fmt: skip
    page = Tags(pages.summary_page(SMALL, tally))
    assert page.tags.count("rect") == 10
    assert "script" not in page.tags
    assert "5 students: 2 graded, 1" in " ".join(page.text.split())
    assert "Median 11.5 of 21, mean 11.5." in " ".join(page.text.split())


def test_a_class_without_grades_has_a_page():
    tally = pages.Tally(SMALL)
    tally.add(None)
    assert "0 graded, 1 without a submission" in " ".join(Tags(pages.summary_page(SMALL, tally)).text.split())


def test_histogram():
    assert pages.histogram([0, 0.99, 1, 9.99, 10, 12], 10) == [2, 1, 0, 0, 0, 0, 0, 0, 0, 3]
    assert pages.histogram([0.0], 0) == [1, *[0] * 9]


def test_the_command_writes_every_format(tmp_path):
    place = tmp_path / "class"
    place.mkdir()
    (place / "ada.py").write_text("def answer(): return 1\n")
    (place / "bob.py").write_text("def answer(): return 2\n")
    (tmp_path / "c.csv").write_text("Student,ID,Crash (1)\nAda,ada,\n")
    reference = str(Path(__file__).parent / "crashing_homework.py")
    options = [
        "--sandbox",
        "limits",
        "--format",
        ",".join(gradebooks.FORMATS),
        "--canvas",
        f"{tmp_path}/c.csv",
    ]
    status = cli.main(["grade", reference, str(place), "--out", str(tmp_path / "out"), *options])
    assert status == cli.OK
    out = tmp_path / "out"
    assert {p.name for p in out.iterdir()} >= {"summary.html", "moodle.csv", "canvas.csv", "junit.xml"}
    assert json.loads((out / "gradescope" / "ada.json").read_text())["score"] == 1
    assert json.loads((out / "prairielearn" / "bob.json").read_text())["score"] == 0
    assert (out / "canvas.csv").read_text().splitlines()[1] == "Ada,ada,1"
    assert "CLAIM FAILS" in (out / "feedback" / "bob.html").read_text()
