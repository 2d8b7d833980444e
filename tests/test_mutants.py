"""Every claim about code rejects the typical mistakes: a claim that nothing fails proves nothing."""

import warnings

import pytest

from mlnotes import claims
from tests import mutants

SEEDS = range(20)
TOPICS = mutants.topics()
MUTANTS = [(mutant, id) for topic in TOPICS for mutant in mutants.of(topic) for id in mutant.kills]


def verdict(claim, candidate, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # wrong code divides by zero and overflows
        return claim.verify(seed=seed, candidate=candidate)


def refused(outcome):
    """Rejected by what was measured, or by what the candidate itself says; not by a slip of the claim."""
    return outcome.status == "fails" or (
        outcome.status == "error" and outcome.reason.startswith("ValueError")
    )


@pytest.mark.parametrize(("mutant", "id"), MUTANTS, ids=str)
def test_the_claim_rejects_the_mutant(mutant, id):
    claim = claims.find(id)
    assert set(mutant.replaces) & set(claim.needs), f"{id} does not ask for {set(mutant.replaces)}"
    candidate = mutants.library(claim.topic) | dict(mutant.replaces)
    outcomes = {seed: verdict(claim, candidate, seed) for seed in (SEEDS if claim.random else [0])}
    assert [f"seed {seed}: {o}" for seed, o in outcomes.items() if not refused(o)] == []


@pytest.mark.parametrize("topic", TOPICS)
def test_every_claim_about_code_has_a_mutant(topic):
    named = {id for mutant in mutants.of(topic) for id in mutant.kills}
    assert {claim.id for claim in claims.of(topic) if claim.needs} - named == set()


@pytest.mark.parametrize("topic", TOPICS)
def test_mutants_say_what_they_are_and_replace_what_exists(topic):
    library = mutants.library(topic)
    for mutant in mutants.of(topic):
        assert mutant.mistake, f"{mutant} has no docstring"
        assert set(mutant.replaces) <= set(library)
        assert all(library[name] is not wrong for name, wrong in mutant.replaces.items())


@pytest.mark.parametrize("topic", TOPICS)
def test_the_library_passes_by_the_same_way(topic):
    library = mutants.library(topic)
    verdicts = [claim.verify(candidate=library) for claim in claims.of(topic) if claim.check]
    assert [str(verdict) for verdict in verdicts if not verdict.holds] == []
