"""The smallest counterexample: a claim that fails is asked again on smaller instances while it still fails.

Nothing here decides a verdict: what is shown is chosen after all parts are decided. An instance is smaller
draws of the claim's own generator (``draws.Tape``) and smaller sizes, the whole numbers with a default that
its check declares (``def line(line, rng, *, n=25, d=3)``). It is taken iff the student's answers fail in the
same words, and the model solution holds on it: what it raises at or cannot answer is no instance. Without
one, as in what students get of an instructor's own homework, only such draws are smaller as the generator
makes with a positive probability.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from mlnotes.claims import Claim, Evidence
from mlnotes.claims.answers import AnswerError
from mlnotes.claims.core import precision
from mlnotes.claims.deadline import OutOfTime, deadline
from mlnotes.grading import calls
from mlnotes.grading.draws import Drawn, Tape
from mlnotes.grading.engine import plain
from mlnotes.grading.faults import CLAIM, CRASH, MEMORY, TIME, Fault, clean
from mlnotes.grading.records import Record
from mlnotes.grading.session import Session
from mlnotes.homework.core import Assignment, Part
from mlnotes.mistakes.homework import defined, known

SECONDS = 0.5  # of processor time, for one part
FIRST_SECONDS = 5.0  # to ask the claim again as it was asked
RUNS = 400  # of a claim on the student's code, for one part
_PLAIN = (np.ndarray, bool, int, float, str)
_STREAMS = 3  # draws that are tried at each size
_NUMBERS = re.compile(r"[-+]?\d[\d.,]*(e[-+]?\d+)?|\b(nan|inf)\b")
_ENTRIES = re.compile(r" \(\d+ of \d+ hold; entry \[[\d, ]*\]\)$")


@dataclass(frozen=True)
class Instance:
    """An instance on which an answer fails, to be looked at, saved and tried again.

    Attributes
    ----------
    claim : str
        The id.
    sizes : mapping of str to int
        Of the claim's check, where they are not the defaults.
    stream : int
        Which of the claim's streams of random numbers draws what is not in `draws`.
    draws : tuple of ndarray
    place : int
        Which measurement of the claim fails.
    kind : str
        "CLAIM FAILS", or the fault.
    sentence : str
        What the fault says.
    evidence : mapping
        What was measured, as :meth:`Evidence.as_dict` writes it; empty after a fault.
    lines, notation : tuple of str
        The calls, and the inputs in the claim's notation.
    arguments : mapping of str to object
        The arguments of the calls by name; of equal names the later has a number.
    """

    claim: str
    sizes: Mapping[str, int]
    stream: int
    draws: tuple[np.ndarray, ...]
    place: int
    kind: str
    sentence: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    notation: tuple[str, ...] = ()
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Run:
    """A failure: at which measurement, on which draws; its size in entries, characters, absolute values."""

    kind: str
    words: str
    place: int
    size: tuple[int, int, float]
    sizes: Mapping[str, int]
    stream: int
    draws: tuple[Drawn, ...]
    told: tuple[Any, ...]

    def improves(self, other: _Run) -> bool:
        """Whether it fails like `other` on less."""
        return (self.kind, self.words) == (other.kind, other.words) and self.size < other.size


class Trial:
    """A claim of a part, asked of one session: whole, or on the instance of a tape."""

    def __init__(self, claim: Claim, part: Part, session: Session, rng: Callable[[int], Any]) -> None:
        self.claim, self.part, self.session, self.rng = claim, part, session, rng

    def run(self, sizes: Mapping[str, int], stream: int, tape: Sequence[Any], seconds: float = 0.0,
            wanted: Callable[[_Run], bool] = lambda run: True,
            most: int | None = None) -> _Run | None:  # fmt: skip
        """Return the first failure that is wanted; None where there is none.

        The claim is asked up to its measurement number `most`.

        Raises
        ------
        Fault
            TIME, MEMORY or CRASH: there is nothing more to try.
        """
        session = self.session
        session.record = Record()
        session.begin(seconds or self.part.seconds, self.part.megabytes)
        bound = self.part.bind(session.implementation(self.part))  # anew: an adapter may count its calls
        drawn = Tape(self.rng(stream), tape)
        place = 0
        try:
            with precision(self.part.precision):
                for item in self.claim.at(**sizes).evidence(bound, drawn):
                    if session.fault:
                        raise session.fault
                    failed = None if item.holds else self._failed(CLAIM, item, place, sizes, stream, drawn)
                    if failed is not None and wanted(failed):
                        return failed
                    if most is not None and place >= most:
                        return None
                    session.calls.turn()
                    place += 1
            if session.fault:
                raise session.fault
        except (Fault, AnswerError) as error:
            fault = error if isinstance(error, Fault) else Fault(CLAIM, clean(str(error)))
            if fault.kind in (TIME, MEMORY, CRASH):
                raise
            failed = self._failed(fault.kind, fault, place, sizes, stream, drawn)
            return failed if wanted(failed) else None
        return None

    def _failed(self, kind: str, what: Evidence | Fault, place: int, sizes: Mapping[str, int], stream: int,
                drawn: Tape) -> _Run:  # fmt: skip
        latest, _ = self.session.calls.latest()
        values = [value for call in latest for _, value in call.named]
        values += what.instance.values() if isinstance(what, Evidence) else ()
        numbers = [np.asarray(v, dtype=float) for v in values if np.asarray(v).dtype.kind in "biuf"]
        size = (
            sum(np.size(value) for value in values),
            sum(len(_digits(value)) for value in values),
            float(sum(abs(array[np.isfinite(array)]).sum() for array in numbers)),
        )
        words = _ENTRIES.sub("", what.what) if isinstance(what, Evidence) else what.sentence
        digits = self.session.rounded([what]) if isinstance(what, Evidence) else ""
        told = (what, self.session.calls, digits)
        return _Run(kind, _NUMBERS.sub("#", words), place, size, sizes, stream, tuple(drawn.drawn), told)

    def holds(self, run: _Run) -> bool:
        """Whether the claim holds on the instance of `run`, as far as that run came."""
        most = run.place if run.kind == CLAIM else None
        try:
            return self.run(run.sizes, run.stream, run.draws, most=most) is None
        except Exception:  # the claim cannot be asked of this instance
            return False


def _digits(value: Any) -> str:
    return str(value.tolist()) if isinstance(value, np.ndarray) else str(value)


class _Spent(Exception):  # noqa: N818 - the end of the search, no error
    """There may be no further run."""


class _Budget:
    """Time of the processor, here and in the worker, and runs."""

    def __init__(self, session: Session, seconds: float, runs: int) -> None:
        self.session, self.seconds, self.runs = session, seconds, runs
        self._start, self._left = time.process_time(), session.seconds_left

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.seconds - (time.process_time() - self._start) - (self._left - self.session.seconds_left)

    def spend(self) -> bool:
        """Count a run; False if there may be none."""
        self.runs -= 1
        return self.runs >= 0 and self.left > 0


def smallest(student: Trial, reference: Trial | None, seconds: float = SECONDS,
             runs: int = RUNS, kind: str = "") -> Instance | None:  # fmt: skip
    """Return the smallest instance on which the student's answers fail, of those that were tried.

    Parameters
    ----------
    student : Trial
    reference : Trial or None
        Of the model solution.
    seconds : float
        Of processor time, with the time that the student's code takes.
    runs : int
    kind : str
        Of the failure that is told: where it comes again, what fails otherwise before is no instance of it.

    Returns
    -------
    Instance or None
        None where the claim does not fail when it is asked again, or fails by time, memory or a crash.
    """
    session = student.session
    before = session.seconds_left, session.prints, list(session.notes), session.record
    best: _Run | None = None
    silent = io.StringIO()  # a student's prints were shown when the claim ran
    try:
        with redirect_stdout(silent), redirect_stderr(silent), np.errstate(all="ignore"):
            budget = _Budget(session, seconds, runs)
            with deadline(FIRST_SECONDS, processor=True):
                most = min(FIRST_SECONDS, student.part.seconds)
                best = student.run({}, 0, (), most, lambda run: run.kind == kind) if kind else None
                best = best or student.run({}, 0, (), most)
            if best is not None and budget.left > seconds / 2:
                with deadline(budget.left, processor=True):
                    if reference is None or reference.holds(best):
                        for smaller in _descent(best, student, reference, budget):
                            best = smaller
    except OutOfTime:  # perhaps in the middle of an answer
        session.close()
    except Exception:  # the search is over; or a fault, or a claim that cannot be asked so
        pass
    session.seconds_left, session.prints, session.notes, session.record = before
    return instance(best, student.claim.id) if best is not None else None


def instances(assignment: Assignment, part: Part, claims: Mapping[Claim, str], session: Session,
              rng: Callable[[Claim, int], Any]) -> dict[str, Instance]:  # fmt: skip
    """Return the smallest instance of each claim of a part that fails, by the claim's id.

    Parameters
    ----------
    assignment, part
    claims : mapping of Claim to str
        Those that fail, and how; they share ``SECONDS`` and ``RUNS``.
    session : Session
        Of the student's code.
    rng : callable
        The generator of a claim and a stream; stream 0 is what the claim failed on.
    """
    from mlnotes.grading.live_session import LiveSession

    solution, _ = known(assignment, part)
    of_claims: dict[str, Instance] = {}
    start, left = time.process_time(), session.seconds_left
    for k, (claim, kind) in enumerate(claims.items()):
        spent = time.process_time() - start + left - session.seconds_left
        share = 1 / (len(claims) - k)
        streams = partial(rng, claim)
        reference = Trial(claim, part, LiveSession(defined(solution)), streams) if solution else None
        trial, seconds = Trial(claim, part, session, streams), (SECONDS - spent) * share
        smaller = smallest(trial, reference, seconds, RUNS // len(claims), kind)
        if smaller is not None:
            of_claims[claim.id] = smaller
    return of_claims


def instance(run: _Run, claim: str) -> Instance:
    """Return what is to be shown and saved of a run."""
    what, log, precise = run.told
    evidence, notation = {}, []
    if isinstance(what, Evidence):
        evidence = plain(what)
        notation = calls.instance_lines(what.instance.items(), log, whole=True)
    latest, _ = log.latest()
    arguments: dict[str, Any] = {}
    for name, value in (pair for call in latest for pair in call.named):
        numbered = (name, *(f"{name}_{k}" for k in range(2, 99)))
        if isinstance(value, _PLAIN):
            arguments[next(other for other in numbered if other not in arguments)] = value
    return Instance(
        claim=claim,
        sizes=dict(run.sizes),
        stream=run.stream,
        draws=tuple(item.value for item in run.draws),
        place=run.place,
        kind=run.kind,
        sentence=getattr(what, "sentence", precise),
        evidence=evidence,
        lines=tuple(calls.call_lines(log, whole=True)),
        notation=tuple(notation),
        arguments=arguments,
    )


def _descent(best: _Run, student: Trial, reference: Trial | None, budget: _Budget) -> Iterator[_Run]:
    """Yield smaller and smaller runs that fail alike."""

    def better(sizes: Mapping[str, int], stream: int, tape: Sequence[Any]) -> bool:
        nonlocal best
        if not budget.spend():
            raise _Spent
        try:
            run = student.run(sizes, stream, tape, max(budget.left, 0.02), lambda run: run.improves(best))
        except Fault:
            raise
        except Exception:  # the claim cannot be asked so
            return False
        if run is None or not (reference is None or reference.holds(run)):
            return False
        best = run
        return True

    if better({}, 0, ()):  # a later measurement, of less
        yield best
    smallest = student.claim.sizes if reference is not None else {}
    for sizes in _sizes(smallest):
        if any(better(sizes, stream, ()) for stream in range(_STREAMS)):
            yield best
            break
    for name, size in smallest.items():
        for smaller in range(1, best.sizes.get(name, size)):
            if any(better({**best.sizes, name: smaller}, stream, ()) for stream in range(_STREAMS)):
                yield best
                break
    changed = True
    while changed:
        changed = False
        for ways in (Drawn.smaller, Drawn.single):
            place = 0
            while place < len(best.draws):
                able = reference is not None or best.draws[place].discrete
                for draw in ways(best.draws[place]) if able else ():
                    tape = (*best.draws[:place], draw, *best.draws[place + 1 :])
                    if better(best.sizes, best.stream, tape):
                        yield best
                        changed = True
                        break
                place += 1


def _sizes(defaults: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Yield sizes that are all small, the smallest first, below the defaults."""
    for most in (1, 2, 3, 4, 6, 8):
        small = {name: min(most, size) for name, size in defaults.items()}
        if small != dict(defaults):
            yield small
