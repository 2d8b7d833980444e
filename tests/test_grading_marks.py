"""Marks by hand, overrides and lateness: what people decide after the grader."""

from pathlib import Path

import pytest

from mlnotes import homework
from mlnotes.grading import engine, results
from mlnotes.grading.cohort import folder, marks

SMALL = homework.load(str(Path(__file__).parent / "small_homework.py"))


@pytest.fixture
def result():
    """Everything right but one part in question; the essay is open."""
    parts = [results.PartResult(p.name, p.points, p.points, results.OK) for p in SMALL.parts if not p.manual]
    parts[1] = results.PartResult("sorting", 2, 0.0, results.CLAIM, "1 of 1 claims fail")
    parts.append(results.PartResult("essay", 5, None, results.OPEN, "marked by hand"))
    return engine.assembled(SMALL, "ada", "d", "limits", tuple(parts))


def part(result, name):
    return next(p for p in result.parts if p.name == name)


def test_without_a_mark_a_derivation_stays_open(result):
    assert marks.apply_manual(result, {}, SMALL) == result
    other = marks.read(marks.MANUAL, "student,part,points\nbob,essay,5\nada,essay,\n", SMALL)
    assert marks.apply_manual(result, other, SMALL).status == results.OPEN


def test_a_mark_by_hand_decides(result):
    given = marks.read(
        marks.MANUAL, "student,part,points,comment\nada,essay,3.5,step 2 has no reason\n", SMALL
    )
    found = marks.apply_manual(result, given, SMALL)
    assert (found.status, found.earned) == (results.GRADED, 14 + 3.5)
    assert part(found, "essay").sentence == "step 2 has no reason"
    assert part(found, "essay").verdict == results.MARKED
    assert result.earned == 14, "the stored result is another object"


def test_an_override_takes_the_place_of_a_verdict_and_says_so(result):
    given = marks.read(marks.OVERRIDES, 'student,part,points,reason\nada,sorting,2,"ties, see mail"\n', SMALL)
    found = marks.apply_overrides(result, given, SMALL)
    assert found.earned == 16
    assert part(found, "sorting").sentence == "set by the instructor: ties, see mail (before: 0)"
    assert found.status == results.OPEN, "the essay is still open"
    assert marks.apply_overrides(found, given, SMALL).earned == 16


def test_an_override_settles_an_error_of_the_grader(result):
    broken = results.PartResult("sorting", 2, None, results.GRADER, "ZeroDivisionError")
    parts = tuple(broken if p.name == "sorting" else p for p in result.parts if p.name != "essay")
    undecided = engine.assembled(SMALL, "ada", "d", "limits", parts)
    assert undecided.earned is None
    given = {("ada", "sorting"): marks.Mark(1, "by eye")}
    found = marks.apply_overrides(undecided, given, SMALL)
    assert (found.status, found.earned) == (results.GRADED, 15)
    assert "before: undecided" in part(found, "sorting").sentence


@pytest.mark.parametrize(
    ("late", "extra", "earned"),
    [(0, 0, 14), (0.1, 0, 12.6), (1, 0, 12.6), (2.5, 2, 12.6), (2, 2, 14), (30, 0, 0), (4.4, 3.4, 12.6)],
)
def test_every_day_begun_costs_its_share(result, late, extra, earned):
    found = marks.apply_late(result, late=late, extra_time=extra, per_day=0.1)
    assert found.earned == pytest.approx(earned, rel=1e-15)
    assert any("(14 points before the deduction)" in note for note in found.notes) == (earned != 14)


def test_excused_is_not_a_zero(result):
    found = marks.apply_late(result, late=9, excused=True, per_day=0.5)
    assert (found.status, found.earned) == (results.EXCUSED, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("student,points\n", "needs the columns student, part, points, comment; no part"),
        ("student,part,points\nada,proof,1\n", "line 2: small has no part 'proof'"),
        ("student,part,points\nada,root,1\n", "line 2: root is not marked by hand; use overrides.csv"),
        ("student,part,points\nada,essay,six\n", "line 2: points must be a number of at least 0, got 'six'"),
        ("student,part,points\nada,essay,nan\n", "got 'nan'"),
        ("student,part,points\nada,essay,-1\n", "got '-1'"),
        ("student,part,points\nada,essay,6\n", "line 2: essay has 5 points, got 6"),
        ("student,part,points\nada,essay,1\n\nada,essay,2\n", "line 4: a second mark of ada for essay"),
    ],
)
def test_a_wrong_line_of_the_marks_is_named(text, words):
    with pytest.raises(ValueError, match=words):
        marks.read(marks.MANUAL, text, SMALL)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("student,part,points\nada,root,1\n", "no reason"),
        ("student,part,points,reason\nada,root,1,\n", "line 2: an override needs a reason"),
        (
            "student,part,points,reason\nada,root,,x\n",
            "line 2: points must be a number of at least 0, got ''",
        ),
    ],
)
def test_a_wrong_line_of_the_overrides_is_named(text, words):
    with pytest.raises(ValueError, match=words):
        marks.read(marks.OVERRIDES, text, SMALL)


@pytest.mark.parametrize("share", [-0.1, 2, float("nan")])
def test_a_wrong_policy_is_named_before_anything_is_graded(tmp_path, share):
    with pytest.raises(ValueError, match="late_per_day must be at least 0 and at most 1, got"):
        folder.grade_folder(SMALL, tmp_path, tmp_path / "out", late_per_day=share)
    assert not (tmp_path / "out").exists()
