"""Grading: a submission is loaded in a worker, the claims run here, and what they measured becomes points."""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.random  # NumPy loads it late: then every process that is forked for claims would

from mlnotes.checking import Claim, Evidence
from mlnotes.checking.claims import ClaimError
from mlnotes.checking.evidence import precision
from mlnotes.checking.outputs import OutputError
from mlnotes.grading.assignment.parts import Assignment, Part
from mlnotes.grading.protocol import sources, transcript
from mlnotes.grading.protocol.instances import CHECK_SECRET, Draw
from mlnotes.grading.protocol.session import Session
from mlnotes.grading.protocol.transcript import Record
from mlnotes.grading.results import (
    CLAIM,
    GRADED,
    GRADER,
    MISSING,
    NEEDS,
    OFTEN,
    OK,
    OPEN,
    RANGE,
    STUDENT,
    TIME,
    ClaimResult,
    Fault,
    PartResult,
    Result,
    clean,
    plain,
)
from mlnotes.grading.sandbox import claim_process
from mlnotes.grading.sandbox.levels import Sandbox

if TYPE_CHECKING:
    pass

_DIAGNOSIS_SECONDS = 1  # of processor time, where no deadline ends it
_SMALLEST_SECONDS = 8  # of processor time for a smaller instance, where nothing else ends it
_DEATHS = 2  # of the process with the claims, before what is left is left to a person
_HUGE = 1e150  # the square of what is beyond is no float


def grade_submission(
    assignment: Assignment,
    path: str | Path,
    *,
    secret: bytes,
    sandbox: Sandbox,
    student: str | None = None,
    show_instances: bool = False,
) -> Result:
    """Grade one file.

    Parameters
    ----------
    assignment : Assignment
    path : path of a .py or .ipynb file
    secret : bytes
        Of the instructor; with the assignment's version and the file's content it determines every instance.
    sandbox : Sandbox
    student : str, optional
        The id in the result; by default the file's stem.
    show_instances : bool, default False
        Whether failing instances go into the result: for a student's own check only.
    """
    path = Path(path)
    student = path.stem if student is None else student
    try:
        data = sources.read(path)
    except (sources.SubmissionError, OSError) as error:
        return refused(assignment, student, "", sandbox.name, error)
    return grade_bytes(
        assignment,
        data,
        path.name,
        secret=secret,
        sandbox=sandbox,
        student=student,
        show_instances=show_instances,
    )


def grade_bytes(
    assignment: Assignment,
    data: bytes,
    name: str,
    *,
    secret: bytes,
    sandbox: Sandbox,
    student: str,
    show_instances: bool = False,
) -> Result:
    """Grade the content of a file called `name`; see :func:`grade_submission`.

    A ValueError says that the sandbox was made without the assignment's packages.
    """
    if absent := set(assignment.packages) - set(sandbox.packages):
        raise ValueError(
            f"the sandbox has no {', '.join(sorted(absent))}: make it with packages=assignment.packages"
        )
    digest = hashlib.sha256(data).hexdigest()
    try:
        assignment = assignment.of(student)
    except LookupError as error:
        return not_run(NEEDS, assignment, student, digest, sandbox.name, f"{error.args[0]}")
    draw = Draw(secret, assignment, "" if show_instances else digest)  # a check draws the same always
    label = name if show_instances else sources.SCRIPT
    decided: dict[int, PartResult] = {}
    notes: tuple[str, ...] = ()
    tried: dict[str, str] = {}
    deaths = 0
    try:
        while len(decided) < len(assignment.parts):
            try:
                work = partial(
                    _judged, assignment, data, name, label, draw, sandbox, len(decided), show_instances
                )
                for told in claim_process.items(work, sandbox):
                    decided[told.number] = told.part
                    notes = told.notes
                    tried |= {line.rpartition(": ")[0]: line for line in told.tried}
            except claim_process.Ended as end:
                deaths += 1
                left = assignment.parts[len(decided) :]
                for part in left if deaths == _DEATHS else left[:1]:
                    decided[len(decided)] = _lost(part, NEEDS, f"{end}")
    except sources.SubmissionError as error:
        return refused(assignment, student, digest, sandbox.name, error)
    made = assembled(assignment, student, digest, sandbox.name, tuple(decided.values()), notes)
    return replace(made, tried=tuple(tried[words] for words in sorted(tried)))


class _Told(NamedTuple):
    """A part by its number, as far as it is known, and what there is to say of the whole up to now."""

    number: int
    part: PartResult
    notes: tuple[str, ...]
    tried: tuple[str, ...]


def _judged(
    assignment: Assignment,
    data: bytes,
    name: str,
    label: str,
    draw: Draw,
    sandbox: Sandbox,
    start: int,
    instances: bool,
) -> Iterator[_Told]:
    """Load the submission and yield its parts from number `start` on.

    Those that fail come again with their diagnoses, and once more with the smallest instances where these are
    asked for.
    """
    source = sources.parse(data, name, label)
    asked = tuple(item.name for part in assignment.parts for item in part.writes)
    with Session(source.cells, sandbox, assignment.load_seconds, asked) as session, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the grader's arithmetic on a student's values
        if other := _meant_for_another(assignment, source, session):
            raise sources.SubmissionError(other)
        unloadable = _unloadable(session)
        results: dict[int, PartResult] = {}

        def told(number: int, result: PartResult) -> _Told:
            return _Told(number, result, (*source.notes, *session.notes), session.tried())

        records: dict[int, Record] = {}
        for number, part in enumerate(assignment.parts[start:], start):
            if unloadable:
                results[number] = _lost(part, unloadable.kind, unloadable.sentence)
            else:
                results[number] = grade_part(part, session, draw, instances)
            records[number] = session.record
            yield told(number, results[number])
        # after all parts: the time that it takes would tell a submission that it was wrong
        for number in [number for number, result in results.items() if result.verdict in STUDENT]:
            claim_process.clock(_DIAGNOSIS_SECONDS)
            session.record = records[number]
            results[number] = replace(
                results[number], diagnosis=diagnosis(assignment, results[number], session)
            )
            yield told(number, results[number])
        if instances:
            from mlnotes.grading.feedback import counterexample  # only a check searches

            for number, result in results.items():
                claim_process.clock(_SMALLEST_SECONDS)
                yield told(number, counterexample.with_smallest(result, session, draw))


def _unloadable(session: Session) -> Fault | None:
    try:
        session.load()
    except Fault as fault:
        return fault
    return None


def diagnosis(assignment: Assignment, result: PartResult, session: Session) -> str:
    """Return which mistake the answers of a part that fails are those of; "" where that is not known."""
    if result.verdict not in STUDENT:
        return ""
    part = assignment.part(result.name)
    seen = (result.verdict, *result.sentence.split(": "))
    often = next((text for why, text in part.often.items() if why in seen), "")
    from mlnotes.grading.feedback.diagnosis import diagnosed  # most submissions are right

    return diagnosed(assignment, part, session.record) or (often and f"{OFTEN} that {often}")


_CHECKED = re.compile(r"""\bcheck\(\s*["'](hw\d+)(?:-v\d+)?\.""")


def _meant_for_another(assignment: Assignment, source: sources.Source, session: Session) -> str:
    """Return a sentence if a file has the checks of other assignments, and nothing that this one asks for."""
    checked = sorted({found for cell in source.cells for found in _CHECKED.findall(cell.source)})
    if not checked or assignment.id.partition("-")[0] in checked:
        return ""
    if _unloadable(session) or session.names.keys() & set(session.asked):
        return ""
    return f"this is a file of {', '.join(checked)}: it defines nothing of what {assignment.id} asks for"


def assembled(
    assignment: Assignment,
    student: str,
    digest: str,
    sandbox: str,
    parts: tuple[PartResult, ...],
    notes: Iterable[str] = (),
) -> Result:
    """Return the result of the parts: its status is the least decided of theirs; with the points so far."""
    verdicts = {part.verdict for part in parts}
    status = next((kind for kind in (GRADER, NEEDS, OPEN) if kind in verdicts), GRADED)
    earned = [part.earned for part in parts if part.earned is not None]
    total = None if status in (GRADER, NEEDS) else float(sum(earned))
    return Result(
        assignment.id,
        assignment.version,
        student,
        digest,
        sandbox,
        status,
        assignment.points,
        total,
        parts,
        tuple(notes),
    )


def not_run(
    kind: str, assignment: Assignment, student: str, digest: str, sandbox: str, sentence: str
) -> Result:
    """Return the result of a submission of which nothing ran, so that no part is decided.

    NEEDS YOU says that a person must decide what counts, GRADER ERROR that the grader itself failed.
    """
    parts = tuple(PartResult(part.name, part.points, None, kind, sentence) for part in assignment.parts)
    return assembled(assignment, student, digest, sandbox, parts, (sentence,))


def refused(assignment: Assignment, student: str, digest: str, sandbox: str, error: Exception) -> Result:
    """Return the result of a file that nobody could read: it may be a good one, and a person decides."""
    return not_run(NEEDS, assignment, student, digest, sandbox, str(error))


def _lost(part: Part, kind: str, sentence: str) -> PartResult:
    if part.manual:
        return PartResult(part.name, part.points, None, OPEN, "marked by hand")
    return PartResult(part.name, part.points, None if kind == NEEDS else 0.0, kind, sentence)


def grade_part(part: Part, session: Session, draw: Draw, instances: bool = False) -> PartResult:
    """Run the claims of one part on what the session serves."""
    if part.manual:
        return _lost(part, OPEN, "")
    session.record = Record()
    student = session.implementation(part)
    missing = [item.name for item in part.writes if item.name not in student]
    if missing:
        return _lost(part, MISSING, _not_found(missing, session))
    try:
        bound = part.bind(student)
    except Exception as error:
        return PartResult(part.name, part.points, None, GRADER, f"the part cannot be set up: {_words(error)}")
    results: list[ClaimResult] = []
    measured: dict[str, list[Evidence]] = {}
    for claim in part.asks:
        if any(result.verdict == TIME for result in results):
            words = "not run after the time limit was reached"
            results.append(ClaimResult(claim.id, claim.where, "NOT RUN", words))
            continue
        result, measured[claim.id] = _run(claim, bound, part, session, draw, instances)
        results.append(result)
    return _scored(part, tuple(results), measured, session.take_prints())


def _not_found(missing: list[str], session: Session) -> str:
    """Return which names are missing, the nearest name that is there, and what went wrong at loading."""
    import difflib

    names = session.names
    folded = {name.casefold(): name for name in names if name not in missing}
    close = difflib.get_close_matches(missing[0].casefold(), folded, 1, 0.75)
    hint = f"; your file defines {folded[close[0]]}" if close else ""
    if missing[0] in names:
        hint = f": it is a {names[missing[0]]}"
    trouble = f" ({session.notes[0]})" if session.notes and not hint else ""
    return f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not defined{hint}{trouble}"


def _run(
    claim: Claim, bound: Mapping[str, Any], part: Part, session: Session, draw: Draw, instances: bool
) -> tuple[ClaimResult, list[Evidence]]:
    found: list[Evidence] = []
    shown: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    error: Exception | None = None
    try:
        claim_process.clock()  # not what is left of a diagnosis: the file may have to be loaded again
        session.begin(part.seconds, part.megabytes)
        claim_process.clock()
        with precision(part.precision):
            for item in claim.evidence(bound, draw.rng(part.name, claim.id)):
                found.append(item)
                if shown is None and not item.holds:
                    shown = _shown(session, draw, instances, item)
                session.calls.turn()
    except Exception as caught:
        error = caught
        if isinstance(error, OutputError) and session.answered:
            error = Fault(CLAIM, clean(str(error)))
    fault = session.fault or (error if isinstance(error, Fault) else None)
    broken = [item for item in found if not item.holds]
    if fault is not None:
        verdict, sentence = fault.kind, fault.sentence
        shown = _shown(session, draw, instances, None) if error is fault else shown
    elif error is not None or not found:
        verdict, sentence = _unfinished(error, session)
    else:
        verdict = CLAIM if broken else OK
        sentence = session.rounded(broken) if broken and part.precision == "double" else ""
    evidence = tuple(map(plain, found))
    return ClaimResult(claim.id, claim.where, verdict, sentence, evidence, *(shown or ())), found


def _shown(
    session: Session, draw: Draw, instances: bool, item: Evidence | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the instance of the claim and the latest calls, as far as the student may see them."""
    inputs = transcript.instance_lines(item.instance.items(), session.calls) if instances and item else ()
    made = transcript.call_lines(session.calls) if instances or draw.assignment.show_calls else ()
    return tuple(inputs), tuple(made)


def _unfinished(error: Exception | None, session: Session) -> tuple[str, str]:
    """Return verdict and sentence where a claim did not come to its end.

    Before any answer it is the claim's mistake. After one, no claim can tell its own mistake from what the
    answer did to it: a person decides; but a number whose square is no float is the student's.
    """
    if error is None:
        return GRADER, "the claim yielded no evidence"
    if isinstance(error, ClaimError):
        return GRADER, f"{error}"
    if not session.answered:
        return GRADER, _words(error)
    if isinstance(error, (ArithmeticError, np.linalg.LinAlgError)) and session.largest > _HUGE:
        return RANGE, f"your answers hold numbers as large as {session.largest:.3g}: nothing can be computed"
    return NEEDS, f"the answers could not be checked: {_words(error)}"


def _words(error: Exception) -> str:
    place = ""
    trace = error.__traceback__
    while trace is not None:
        place = f" ({Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return clean(f"{type(error).__name__}: {error}{place}")[:500]


def _scored(
    part: Part, results: tuple[ClaimResult, ...], measured: Mapping[str, list[Evidence]], prints: str
) -> PartResult:
    broken = [result for result in results if result.verdict != OK]
    if not broken:
        return PartResult(part.name, part.points, float(part.points), OK, "", results, prints)
    worst = next((r for r in broken if r.verdict == GRADER), broken[0])
    try:
        share = _share(part, broken, measured)
        lost = [r for r in broken if r.verdict != NEEDS and not _share(part, [r], measured)]
        if worst.verdict != GRADER and not lost:
            worst = next((r for r in broken if r.verdict == NEEDS), worst)
        elif lost and worst.verdict == NEEDS:  # what the others would say changes nothing
            worst = lost[0]
    except ValueError as error:
        worst = replace(worst, verdict=GRADER, sentence=str(error))
    if worst.verdict in (GRADER, NEEDS):
        sentence = f"{worst.id}: {worst.sentence}"
        return PartResult(part.name, part.points, None, worst.verdict, sentence, results, prints)
    sentence = worst.sentence or f"{len(broken)} of {len(results)} claims fail"
    if share:
        sentence += f"; partial credit: {100 * share:.3g} % of the points, by the residual"
    return PartResult(part.name, part.points, part.points * share, worst.verdict, sentence, results, prints)


def _share(part: Part, broken: list[ClaimResult], measured: Mapping[str, list[Evidence]]) -> float:
    """Return the share of the points that partial credit gives: 0 unless only claims of `credit` fail.

    A ValueError says that a claim does not measure what `credit` names as single numbers: the assignment's
    mistake.
    """
    credited = {claim.id for claim, _, _ in part.credit}
    if any(result.id not in credited or result.verdict != CLAIM for result in broken):
        return 0.0
    failing = {result.id for result in broken}
    return min(
        _step(what, steps, measured[claim.id]) for claim, what, steps in part.credit if claim.id in failing
    )


def _step(what: str, steps: tuple[tuple[float, float], ...], evidence: list[Evidence]) -> float:
    """Return the share of the worst residual, of all that the claim measured under that name."""
    residuals = [item.measured for item in evidence if item.what == what]
    if not residuals or not all(isinstance(r, (int, float)) for r in residuals):
        raise ValueError(f"credit needs single numbers called {what!r}; the claim measures none")
    worst = max(residuals, key=lambda r: float("inf") if r != r else r)
    return max((share for threshold, share in steps if worst <= threshold), default=0.0)


def check_file(assignment: Assignment, path: str | Path) -> Result:
    """Check one's own file on one's own machine: the same claims, public instances, no grade.

    Raises
    ------
    ValueError
        If there is no such file, or it is neither a script nor a notebook.
    """
    path = Path(path)
    if not path.exists():
        raise ValueError(f"no such file: {path}")
    if not sources.suffix(path.name):
        raise ValueError(f"{path} is not a submission: {' and '.join(sources.SUFFIXES)} files are")
    with Sandbox("C", packages=assignment.packages) as sandbox:
        result = grade_submission(assignment, path, secret=CHECK_SECRET, sandbox=sandbox, show_instances=True)
    return replace(result, own_check=True)
