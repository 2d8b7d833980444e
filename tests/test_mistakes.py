"""Every claim about code rejects the typical mistakes: a claim that nothing fails proves nothing."""

import warnings

import pytest

from mlnotes import claims, mistakes

SEEDS = range(20)
TOPICS = mistakes.topics()
MISTAKES = [(mistake, id) for topic in TOPICS for mistake in mistakes.of(topic) for id in mistake.kills]


def verdict(claim, candidate, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # wrong code divides by zero and overflows
        return claim.verify(seed=seed, candidate=candidate)


def refused(outcome):
    """Rejected by what was measured, or by what the candidate itself says; not by a slip of the claim."""
    return outcome.status == "fails" or (
        outcome.status == "error" and outcome.reason.startswith("ValueError")
    )


@pytest.mark.parametrize(("mistake", "id"), MISTAKES, ids=str)
def test_the_claim_rejects_the_mistake(mistake, id):
    claim = claims.find(id)
    assert set(mistake.replaces) & set(claim.needs), f"{id} does not ask for {set(mistake.replaces)}"
    candidate = mistakes.library(claim.topic) | dict(mistake.replaces)
    outcomes = {seed: verdict(claim, candidate, seed) for seed in (SEEDS if claim.random else [0])}
    assert [f"seed {seed}: {o}" for seed, o in outcomes.items() if not refused(o)] == []


@pytest.mark.parametrize("topic", TOPICS)
def test_every_claim_about_code_has_a_mistake(topic):
    named = {id for mistake in mistakes.of(topic) for id in mistake.kills}
    assert {claim.id for claim in claims.of(topic) if claim.needs} - named == set()


@pytest.mark.parametrize("topic", TOPICS)
def test_mistakes_say_what_they_are_and_replace_what_exists(topic):
    library = mistakes.library(topic)
    for mistake in mistakes.of(topic):
        assert mistake.sentence, f"{mistake} has no docstring"
        assert set(mistake.replaces) <= set(library)
        assert all(library[name] is not wrong for name, wrong in mistake.replaces.items())


@pytest.mark.parametrize("topic", TOPICS)
def test_the_library_passes_by_the_same_way(topic):
    library = mistakes.library(topic)
    verdicts = [claim.verify(candidate=library) for claim in claims.of(topic) if claim.check]
    assert [str(verdict) for verdict in verdicts if not verdict.holds] == []
