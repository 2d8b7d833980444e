"""Every claim about code rejects the typical mistakes: a claim that nothing fails proves nothing."""

import warnings

import pytest

from mlnotes import claims, mistakes
from mlnotes.checking.outputs import OutputError
from mlnotes.mistakes.exchange import entries, lines_of, rebuilt

SEEDS = range(20)
TOPICS = mistakes.topics()
MISTAKES = [(mistake, id) for topic in TOPICS for mistake in mistakes.of(topic) for id in mistake.kills]


def accepted(claim, candidate, seed):
    """Why it is not rejected by what was measured, or by what the candidate itself says; empty if it is.

    A slip of the claim rejects nothing. At the first seed the claim runs to its end, whatever it has found.
    """
    if seed == 0:
        verdict = claim.verify(seed=seed, candidate=candidate)
        refused = verdict.status == "error" and verdict.reason.startswith("ValueError")
        return "" if verdict.status == "fails" or refused else str(verdict)
    try:
        found = claim.evidence(candidate, claim.generator(seed))
        return "it holds" if all(item.holds for item in found) else ""
    except ValueError as error:
        return "" if type(error) is ValueError or isinstance(error, OutputError) else repr(error)


@pytest.mark.parametrize(("mistake", "id"), MISTAKES, ids=str)
def test_the_claim_rejects_the_mistake(mistake, id):
    claim = claims.find(id)
    assert set(mistake.replaces) & set(claim.needs), f"{id} does not ask for {set(mistake.replaces)}"
    candidate = mistakes.library(claim.topic) | dict(mistake.replaces)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # wrong code divides by zero and overflows
        reasons = {seed: accepted(claim, candidate, seed) for seed in (SEEDS if claim.random else [0])}
    assert {seed: reason for seed, reason in reasons.items() if reason} == {}


@pytest.mark.parametrize("topic", TOPICS)
def test_every_claim_about_code_has_a_mistake(topic):
    named = {id for mistake in mistakes.of(topic) for id in mistake.kills}
    missing = sorted({claim.id for claim in claims.of(topic) if claim.needs} - named)
    assert not missing, f"add to mlnotes/mistakes/{topic}.diff a mistake that these reject: {missing}"


@pytest.mark.parametrize("topic", TOPICS)
def test_mistakes_say_what_they_are_and_replace_what_exists(topic):
    library = mistakes.library(topic)
    for mistake in mistakes.of(topic):
        assert mistake.sentence, f"{mistake} has no docstring"
        assert set(mistake.replaces) <= set(library)
        assert all(library[name] is not wrong for name, wrong in mistake.replaces.items())


def test_lines_are_exchanged_in_a_definition_that_is_there():
    with pytest.raises(ValueError, match="g is changed, which the right code does not define"):
        lines_of("def f(): pass", "g")


def test_an_entry_without_right_lines_changes_those_of_the_entry_before():
    found = [*entries("@@ f: Says 2.\n-1\n+2\n@@ f: Says 3.\n+3\n", "f.diff")]
    assert [(entry.described, entry.wrong("0\n1")) for entry in found] == [
        (f"Says {n}.", f"0\n{n}") for n in (2, 3)
    ]


def test_lines_are_matched_by_tokens_and_keep_their_indentation():
    (entry,) = entries("@@ f: Off by one.\n-return  a+b # why\n+return a - b\n", "f.diff")
    right = (
        "def f(a, b):\n    if a:\n        return (\n            a + b\n        )\n    return a + b  # (1.1)\n"
    )
    assert entry.wrong(right).endswith("\n    return a - b\n")


def test_an_entry_that_no_longer_matches_names_file_entry_and_line():
    (entry,) = entries("@@ f: Says 2.\n-x = 1\n+x = 2\n", "f.diff")
    for right, times in (("x = 3", "not found in"), ("x = 1\nx = 1", "found 2 times in")):
        with pytest.raises(
            ValueError, match=rf"f.diff, entry 'f: Says 2.': this line was {times} the right code .*: x = 1"
        ):
            entry.wrong(right)


def test_a_helper_that_nobody_asks_for_changes_what_is_built_on_it():
    module = "def sign(x):\n    return x < 0\nTABLE = {'a': sign}\ndef rule(x):\n    return TABLE['a'](x)\n"
    wrong = rebuilt(module, "sign", {"rule", "other"}, {"other": None})
    assert list(wrong) == ["rule"]
    assert wrong["rule"](-1)
