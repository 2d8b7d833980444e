"""Variants: the same questions in other conventions, each with its own audit."""

from dataclasses import replace
from pathlib import Path

import pytest

from mlnotes import grading, homework
from mlnotes.grading import engine, results
from mlnotes.grading.assignment import handouts
from mlnotes.grading.protocol.instances import Draw
from mlnotes.grading.sandbox.levels import Sandbox
from mlnotes.mistakes.homework import solved

HW01 = solved("hw01")

# From the conventions of the assignment to those of a variant: what a student of the variant writes differs
# from the model solution by this. A definition is turned once, however often the text stands in a file.
TURNED = {
    1: (
        "def turn(base):\n"
        "    def choose(posterior, cost): return base(posterior, cost.T)\n"
        "    choose.turned = True\n    return choose\n"
        "if not hasattr(choose, 'turned'): choose = turn(choose)\n"
    ),
    2: (
        "def of_table(base):\n"
        "    def inner(*arguments): return base(*arguments[:-1], arguments[-1].T)\n"
        "    inner.turned = True\n    return inner\n"
        "if not hasattr(decide, 'turned'): decide = of_table(decide)\n"
        "if not hasattr(error_probability, 'turned'): error_probability = of_table(error_probability)\n"
        "if not hasattr(least_error, 'turned'): least_error = of_table(least_error)\n"
    ),
    4: (
        "def negative(base):\n"
        "    def threshold(p, fp, fn, gain): return -base(p, fp + gain, fn + gain)\n"
        "    threshold.turned = True\n    return threshold\n"
        "if not hasattr(threshold, 'turned'): threshold = negative(threshold)\n"
    ),
}
TURNED[8] = (
    "def of_classes(base):\n"
    "    def inner(prior, conditional): return base(conditional * prior)\n"
    "    inner.turned = True\n    return inner\n"
    "if not hasattr(least_error, 'classes'):\n"
    "    least_error = of_classes(least_error)\n    least_error.classes = True\n"
)
CHANGED = {1: {"choose"}, 2: {"decide", "errors", "least"}, 4: {"threshold"}, 8: {"least"}}


def changed(number):
    return set().union(*(parts for bit, parts in CHANGED.items() if number & bit))


def turned(number):
    """The variant with the solution, and the mutants of its own questions, written in its conventions."""
    text = "\n\n" + "\n".join(source for bit, source in TURNED.items() if number & bit)
    own = [m for m in HW01.mutants if changed(number) & set(m.loses)]
    mutants = tuple(replace(m, source=m.source + text) for m in own)
    return replace(HW01.variant(number), solution=HW01.solution + text, mutants=mutants)


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox("limits") as found:
        yield found


def test_most_variants_change_what_is_derived():
    derived = {4: ("threshold", "gain"), 8: ("least", "conditional")}  # an input more, or another one
    derives = 0
    for number in range(1, 16):
        variant = homework.load(f"hw01-v{number}")
        asked = {
            bit: name in variant.part(part).writes[0].parameters for bit, (part, name) in derived.items()
        }
        assert asked == {bit: bool(number & bit) for bit in derived}
        derives += any(asked.values())
    assert derives == 12


@pytest.mark.parametrize("number", [2, 5, 8])  # each convention is turned once
def test_the_audit_of_a_variant(number, sandbox, mutants_here):
    variant = turned(number)
    found = grading.audit(variant, sandbox=sandbox)
    own = {claim.id for part in changed(number) for claim in variant.part(part).claims}
    assert not found.problems
    assert not own & set(found.unkilled)


@pytest.mark.parametrize("number", [*range(1, 9), 15])
def test_answers_of_another_variant_lose_what_is_turned(number, sandbox):
    result = engine.grade_bytes(
        HW01.variant(number), HW01.solution.encode(), "a.py", secret=b"s", sandbox=sandbox, student="ada"
    )
    assert {part.name for part in result.parts if part.earned < part.points} == changed(number)
    assert result.assignment == f"hw01-v{number}"
    assert result.status == results.GRADED


def test_handouts_say_the_conventions():
    texts = [handouts.handout_text(homework.load(f"hw01-v{number}")) for number in range(1, 8)]
    texts.insert(0, handouts.handout_text(HW01))
    assert len(set(texts)) == 8
    for number, text in enumerate(texts):
        assert ("cost[a, k]" in text) == ("rows are the answers" in text) == bool(number & 1)
        assert ("joint[k, x]" in text) == ("`(K, m)`" in text) == bool(number & 2)
        assert ("log(f0/f1) <= t" in text) == ("log(f_0(x)/f_1(x))" in text) == bool(number & 4)
        assert ("*earns* `gain`" in text) == bool(number & 4)
        assert ("joint[x, k]" in text) == ("array (m, K)" in text) != bool(number & 2)


def test_a_variant_is_an_assignment_of_its_own():
    found = homework.load("hw01-v3")
    assert found.id == "hw01-v3"
    assert 'check(\\"hw01-v3.decide\\")' in handouts.handout_text(found)
    one, two = (Draw(b"s", a, "d").rng("plugin", "hw01.fit").random() for a in (HW01, found))
    assert one != two, "its instances are its own"
    source = HW01.solution + TURNED[1]
    names = {}
    exec(source, names)
    assert "OK, 4 of 4 points" in repr(grading.check_live("hw01-v1.choose", names))


def test_a_mapping_of_variants():
    small = homework.load(str(Path(__file__).parent / "small_homework.py"))
    two = replace(small, variants={5: replace(small, title="Other things")})
    assert (two.variant(5).title, two.variant(5).id) == ("Other things", "small-v5")
    with pytest.raises(ValueError, match="small has the variants 5, got 1"):
        two.variant(1)
    with pytest.raises(ValueError, match="small has no variants"):
        small.variant(1)


@pytest.mark.parametrize("number", [0, 16])
def test_a_variant_that_is_not_there(number):
    with pytest.raises(ValueError, match=f"hw01 has the variants 1 to 15, got {number}"):
        homework.load(f"hw01-v{number}")


def test_the_command_line(capsys):
    from mlnotes.cli import main

    assert main(["handout", "hw01", "--variant", "3"]) == 0
    assert capsys.readouterr().out == handouts.handout_text(homework.load("hw01-v3"))
    assert main(["handout", "hw01", "--variant", "16"]) == 2
    assert "hw01 has the variants 1 to 15, got 16" in capsys.readouterr().err
