"""Which mistake it is: a student's answers against those of known mistakes, on the very calls that were made.

The answers are the record of one part: nothing of the student's runs again. What runs here are the recorded
wrong solutions (the mutants of the assignment, or those that its course knows) and the model solution. Only
agreement on *all* calls is told, and only the sentence of the mistake: no right value.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import io
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, Protocol

import numpy as np

from mlnotes.checking import Claim
from mlnotes.checking.deadline import OutOfTime, deadline
from mlnotes.grading.assignment.parts import Assignment, Part
from mlnotes.grading.assignment.solutions import defined, known
from mlnotes.grading.feedback.comparison import LEAST, agree, agreeing, arrays_of, can_tell, differ, no_number
from mlnotes.grading.protocol.transcript import Raised, Record, answers_of, canonical, chained
from mlnotes.grading.results import PLACE, RIGHT_AT

SECONDS = 0.2  # for one part


def diagnosed(assignment: Assignment, part: Part, record: Record, seconds: float = SECONDS) -> str:
    """Return the sentence of the one mistake whose answers these are; "" where there is none, or several."""
    solution, mutants = known(assignment, part)
    if not solution:
        return ""
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with deadline(seconds, processor=True):
                return _named(part, record, solution, mutants)
        except (OutOfTime, Exception):  # of a mistake, on what a student's answers made of the arguments
            return ""


def _named(part: Part, record: Record, solution: str, mutants: Any) -> str:
    record = Record(replace(item, gave=canonical(part, item, item.gave)) for item in chained(part, record))
    numbers = [item.silent or not no_number(item.gave) for item in record]
    alike = {  # a mistake, and perhaps an overflow besides
        mutant.sentence or mutant.name: answers
        for mutant in mutants
        if (answers := agreeing(record, answers_of(part, record, defined(solution, mutant.source)), numbers))
        is not None
    }
    right = list(answers_of(part, record, defined(solution)))
    same = {sentence: answers for sentence, answers in alike.items() if agreeing(record, answers) is not None}
    said = _sentence(part, record, solution, same, right)
    if said or all(numbers):
        return said
    record, right = Record(compress(record, numbers)), list(compress(right, numbers))
    alike = {sentence: list(compress(answers, numbers)) for sentence, answers in alike.items()}
    said = _sentence(part, record, solution, alike, right)
    return said and f"{said.rstrip('.')} (but some answers are no numbers)"


def _sentence(
    part: Part, record: Record, solution: str, alike: Mapping[str, list[Any]], right: list[Any]
) -> str:
    """Return what explains the record: one of the mistakes whose answers are alike, else a guess."""
    sentences = [sentence for sentence, answers in alike.items() if can_tell(answers, right)]
    if len(alike) == 1 and not sentences:
        ((sentence, answers),) = alike.items()
        sentences = _always_one_number(sentence, answers, right)
    if not alike:
        from mlnotes.grading.feedback import transformations

        place = [f"{PLACE} {words}" for words in transformations.right_values(part, record, right)]
        place = place or [f"{RIGHT_AT} {words}" for words in transformations.right_at(part, record, right)]
        try:
            sentences = (
                transformations.right_changed(part, record, right)
                or transformations.other_arguments(part, record, solution, right)
                or place
            )
        except OutOfTime:  # a right program need not end on other arguments
            sentences = place
    return sentences[0] if len(sentences) == 1 else ""


def _always_one_number(sentence: str, answers: list[Any], right: list[Any]) -> list[str]:
    """Return a mistake whose answers are one number everywhere: others may have led there."""
    values = {v for answer in answers for array in arrays_of(answer) or () for v in array.ravel().tolist()}
    wrong = [a for a, b in zip(answers, right, strict=True) if differ(a, b)]
    if len(wrong) < LEAST or len(values) != 1:
        return []
    return [f"always {values.pop():g}, which may come of this: {sentence}"]


class Mistake(Protocol):
    """A recorded wrong implementation: its sentence, the claims that reject it, what it replaces."""

    @property
    def sentence(self) -> str: ...  # noqa: D102
    @property
    def kills(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def replaces(self) -> Mapping[str, Any]: ...  # noqa: D102


def of_candidate(
    claim: Claim,
    candidate: Mapping[str, Any],
    seed: int,
    library: Mapping[str, Any],
    mistakes: Iterable[Mistake],
) -> str:
    """Return the sentence of the mistake whose answers the functions of a candidate give on a draw, or "".

    `library` are the right functions, `mistakes` those that are known of them.
    """
    calls: list[tuple[str, tuple, dict[str, Any], Any]] = []

    def heard(name: str, function: Any) -> Any:
        @functools.wraps(function)
        def answer(*arguments: Any, **options: Any) -> Any:
            asked = copy.deepcopy((arguments, options))
            calls.append((name, *asked, Raised))
            calls[-1] = (name, *asked, given := function(*arguments, **options))
            return given

        return answer

    functions = {name: obj for name, obj in candidate.items() if inspect.isfunction(obj)}

    def answers(names: Mapping[str, Any]) -> Iterator[Any]:
        for name, arguments, options, _ in calls:
            try:
                yield names[name](*copy.deepcopy(arguments), **copy.deepcopy(options))
            except Exception:
                yield Raised

    chosen = [m for m in mistakes if claim.id in m.kills and set(m.replaces) <= set(functions)]
    sentences = []
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        claim.verify(seed=seed, candidate={**candidate, **{n: heard(n, f) for n, f in functions.items()}})
        try:
            with deadline(SECONDS, processor=True):
                right = list(answers(library))
                for mistake in chosen:
                    seen = list(answers({**library, **mistake.replaces}))
                    if all(map(agree, (c[3] for c in calls), seen)) and can_tell(seen, right):
                        sentences.append(mistake.sentence)
        except (OutOfTime, Exception):  # of a mistake, on what the candidate's answers made of the arguments
            return ""
    return sentences[0] if len(sentences) == 1 else ""
