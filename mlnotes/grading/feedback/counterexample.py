"""The smallest counterexample: a claim that fails is asked again on smaller instances while it still fails.

Nothing here decides a verdict: what is shown is chosen after all parts are decided. An instance is smaller
draws of the claim's own generator (``Recorder``) and smaller sizes, the whole numbers with a default that
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
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlnotes.checking import Claim, Evidence
from mlnotes.checking.deadline import OutOfTime, deadline
from mlnotes.checking.evidence import precision
from mlnotes.checking.outputs import OutputError
from mlnotes.grading.assignment.parts import Part
from mlnotes.grading.assignment.solutions import defined, known
from mlnotes.grading.feedback.reports import ENTRY
from mlnotes.grading.protocol import transcript
from mlnotes.grading.protocol.instances import Draw, Drawn, Recorder
from mlnotes.grading.protocol.session import Session
from mlnotes.grading.protocol.transcript import Record
from mlnotes.grading.results import (
    CLAIM,
    CRASH,
    IMPORT,
    MEMORY,
    MISSING,
    STUDENT,
    TIME,
    Fault,
    Instance,
    PartResult,
    clean,
    plain,
)

SECONDS = 0.5  # of processor time, for one part
FIRST_SECONDS = 5.0  # to ask the claim again as it was asked
RUNS = 400  # of a claim on the student's code, for one part
_ANSWERED = tuple(kind for kind in STUDENT if kind not in (TIME, MEMORY, CRASH, MISSING, IMPORT))
_PLAIN = (np.ndarray, bool, int, float, str)
_STREAMS = 3  # draws that are tried at each size
_NUMBERS = re.compile(r"[-+]?\d[\d.,]*(e[-+]?\d+)?|\b(nan|inf)\b")


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
    """A claim of a part, asked of one session: whole, or on recorded draws."""

    def __init__(self, claim: Claim, part: Part, session: Session, draw: Draw) -> None:
        self.claim, self.part, self.session, self.draw = claim, part, session, draw

    def run(
        self,
        sizes: Mapping[str, int],
        stream: int,
        recorded: Sequence[Any],
        seconds: float = 0.0,
        wanted: Callable[[_Run], bool] = lambda run: True,
        most: int | None = None,
    ) -> _Run | None:
        """Return the first failure that is wanted; None where there is none up to measurement number `most`.

        A Fault, of time, memory or a crash, says that there is nothing more to try.
        """
        session = self.session
        session.record = Record()
        session.begin(seconds or self.part.seconds, self.part.megabytes)
        bound = self.part.bind(session.implementation(self.part))  # anew: an adapter may count its calls
        drawn = Recorder(self.draw.rng(self.part.name, self.claim.id, stream), recorded)
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
        except (Fault, OutputError) as error:
            fault = error if isinstance(error, Fault) else Fault(CLAIM, clean(str(error)))
            if fault.kind in (TIME, MEMORY, CRASH):
                raise
            failed = self._failed(fault.kind, fault, place, sizes, stream, drawn)
            return failed if wanted(failed) else None
        return None

    def _failed(
        self,
        kind: str,
        what: Evidence | Fault,
        place: int,
        sizes: Mapping[str, int],
        stream: int,
        drawn: Recorder,
    ) -> _Run:
        latest, _ = self.session.calls.latest()
        values = [value for call in latest for _, value in call.named]
        values += what.instance.values() if isinstance(what, Evidence) else ()
        numbers = [np.asarray(v, dtype=float) for v in values if np.asarray(v).dtype.kind in "biuf"]
        size = (
            sum(map(np.size, values)),
            sum(len(str(v.tolist() if isinstance(v, np.ndarray) else v)) for v in values),
            float(sum(abs(array[np.isfinite(array)]).sum() for array in numbers)),
        )
        words = ENTRY.sub("", what.what) if isinstance(what, Evidence) else what.sentence
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


class _Budget:
    """Time of the processor, here and in the worker, and runs."""

    def __init__(self, session: Session, seconds: float, runs: int) -> None:
        self.session, self.seconds, self.runs = session, seconds, runs
        self._start, self._left = time.process_time(), session.seconds_left

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.seconds - (time.process_time() - self._start) - (self._left - self.session.seconds_left)

    def spend(self) -> None:
        """Count a run; raise a TimeoutError if there may be none."""
        self.runs -= 1
        if self.runs < 0 or self.left <= 0:
            raise TimeoutError


def with_smallest(result: PartResult, session: Session, draw: Draw) -> PartResult:
    """Return the result of a part with the smallest instances on which its claims fail.

    What an exception says of its instance is said of the smallest one.
    """
    smallest = instances(result, session, draw)
    said = {
        claim.sentence: smallest[claim.id].sentence
        for claim in result.claims
        if claim.id in smallest
        and claim.verdict == smallest[claim.id].kind
        and not smallest[claim.id].evidence
    }
    claims = tuple(
        replace(claim, smallest=smallest.get(claim.id), sentence=said.get(claim.sentence, claim.sentence))
        for claim in result.claims
    )
    return replace(result, claims=claims, sentence=said.get(result.sentence, result.sentence))


def instances(result: PartResult, session: Session, draw: Draw) -> dict[str, Instance]:
    """Return the smallest instance of each claim of a part that fails, by the claim's id.

    The claims share ``SECONDS`` and ``RUNS``.
    """
    from mlnotes.grading.protocol.session import InProcessSession

    part = draw.assignment.part(result.name)
    verdicts = {claim.id: claim.verdict for claim in result.claims if claim.verdict in _ANSWERED}
    failing = [claim for claim in part.asks if claim.id in verdicts]
    solution = known(draw.assignment, part)[0] if failing else ""
    budget, found = _Budget(session, SECONDS, RUNS), {}
    for k, claim in enumerate(failing):
        reference = Trial(claim, part, InProcessSession(defined(solution)), draw) if solution else None
        trial, seconds = Trial(claim, part, session, draw), budget.left / (len(failing) - k)
        smaller = _smallest(trial, reference, seconds, RUNS // len(failing), verdicts[claim.id])
        if smaller is not None:
            found[claim.id] = smaller
    return found


def _smallest(
    student: Trial, reference: Trial | None, seconds: float, runs: int, kind: str
) -> Instance | None:
    """Return the smallest instance on which the student's answers fail, of those that were tried.

    None where the claim does not fail when it is asked again, or fails by time, memory or a crash. Where it
    fails again by the `kind` that was told, what fails otherwise before is no instance of it.
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
                best = student.run({}, 0, (), most, lambda run: run.kind == kind)
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


def instance(run: _Run, claim: str) -> Instance:
    """Return what is to be shown and saved of a run."""
    what, log, precise = run.told
    evidence, notation = {}, []
    if isinstance(what, Evidence):
        evidence = plain(what)
        notation = transcript.instance_lines(what.instance.items(), log, whole=True)
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
        lines=tuple(transcript.call_lines(log, whole=True)),
        notation=tuple(notation),
        arguments=arguments,
    )


def _descent(best: _Run, student: Trial, reference: Trial | None, budget: _Budget) -> Iterator[_Run]:
    """Yield smaller and smaller runs that fail alike."""

    def better(sizes: Mapping[str, int], stream: int, recorded: Sequence[Any]) -> bool:
        nonlocal best
        budget.spend()
        try:
            run = student.run(sizes, stream, recorded, max(budget.left, 0.02), lambda run: run.improves(best))
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
                    recorded = (*best.draws[:place], draw, *best.draws[place + 1 :])
                    if better(best.sizes, best.stream, recorded):
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
