"""A failing instance in a file of arrays, and the same question again on it: no grade, and no pickles.

The file is NumPy's ``.npz``: the arguments of the failing calls by their names, to be looked at with
``numpy.load``; ``about``, which part of which assignment asked; and ``draw_0, ...``, from which the claim's
own generator makes the instance again.
"""

from __future__ import annotations

import json
import zipfile
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mlnotes.grading.assignment.parts import Assignment
from mlnotes.grading.feedback import counterexample
from mlnotes.grading.feedback.counterexample import Trial
from mlnotes.grading.protocol import sources
from mlnotes.grading.protocol.instances import CHECK_SECRET, Draw
from mlnotes.grading.protocol.session import Session
from mlnotes.grading.results import CLAIM, MISSING, OK, ClaimResult, Fault, Instance, PartResult, Result
from mlnotes.grading.sandbox.levels import Sandbox

_FORM = "mlnotes instance 1"
_MOST_BYTES = 1 << 26
_UNREADABLE = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    EOFError,
    MemoryError,
    zipfile.BadZipFile,
)


class Saved(NamedTuple):
    """What a file of :func:`save` holds: the part and claim that asked, and the instance's draws."""

    assignment: str
    version: str
    part: str
    claim: str
    kind: str
    submission: str
    stream: int
    place: int
    sizes: dict[str, int]
    draws: tuple[np.ndarray, ...]


def failing(result: Result, part: str = "") -> tuple[str, Instance]:
    """Return the first part of a check that has a failing instance, or the one called so, and the instance.

    A ValueError says that there is none.
    """
    instances = {p.name: c.smallest for p in reversed(result.parts) for c in reversed(p.claims) if c.smallest}
    if not part and instances:
        part = list(instances)[-1]
    if part in instances:
        return part, instances[part]
    names = [p.name for p in result.parts]
    if part and part not in names:
        raise ValueError(f"{result.assignment} has no part {part!r}; its parts are {', '.join(names)}")
    what = f"of {part}" if part else f"of {result.assignment}"
    raise ValueError(f"no instance {what} fails: there is nothing to save")


def free(path: Path, force: bool = False) -> None:
    """Raise a ValueError if the name does not end in .npz, or a file is there and `force` is not given."""
    if path.suffix != ".npz":
        raise ValueError(f"an instance is saved in a .npz file, got {str(path)!r}")
    if path.exists() and not force:
        raise ValueError(f"{path} is there already: it stays; give another name, or --force to overwrite it")


def save(
    path: Path,
    assignment: Assignment,
    part: str,
    instance: Instance,
    submission: str = "",
    *,
    force: bool = False,
) -> None:
    """Write an instance; raises as :func:`free`."""
    free(path, force)
    about = {
        "form": _FORM,
        "assignment": assignment.reference,
        "version": assignment.version,
        "part": part,
        "claim": instance.claim,
        "kind": instance.kind,
        "submission": submission,
        "stream": instance.stream,
        "place": instance.place,
        "sizes": dict(instance.sizes),
    }
    arrays = {name: np.asarray(value) for name, value in instance.arguments.items()}
    arrays |= {f"draw_{k}": value for k, value in enumerate(instance.draws)}
    np.savez_compressed(path, about=np.array(json.dumps(about)), **arrays)  # type: ignore[arg-type]


def load(path: Path) -> Saved:
    """Read what :func:`save` wrote; a ValueError if there is no such file, or it is none of these."""
    if not path.exists():
        raise ValueError(f"no such file: {path}")
    try:
        with zipfile.ZipFile(path) as packed:
            if sum(item.file_size for item in packed.infolist()) > _MOST_BYTES:
                raise ValueError("too large")
        with np.load(path, allow_pickle=False) as arrays:
            about = json.loads(str(arrays["about"]))
            draws = tuple(arrays[f"draw_{k}"] for k in range(sum(n.startswith("draw_") for n in arrays)))
        form, saved = about.pop("form"), Saved(**about, draws=draws)
        texts = (saved.assignment, saved.version, saved.part, saved.claim, saved.kind, saved.submission)
        numbers = (saved.stream, saved.place, *saved.sizes.values())
        if form != _FORM or any(type(value) is not str for value in texts):
            raise ValueError("of another form")
        if any(type(value) is not int or not 0 <= value < 1 << 20 for value in numbers):
            raise ValueError("of another form")
    except _UNREADABLE:
        raise ValueError(f"{path} holds no instance that 'mlnotes check --save' wrote") from None
    return saved


def replay(saved: Saved, assignment: Assignment, submission: Path, level: str = "C") -> PartResult:
    """Ask the claim again, of the submission as it is now, on the instance that was saved.

    A ValueError says that the instance is of another assignment or version, or that there is no such file.
    """
    if saved.assignment != assignment.reference or saved.version != assignment.version:
        raise ValueError(
            f"the instance is of {saved.assignment}, version {saved.version}; "
            f"it says nothing of {assignment.reference}, version {assignment.version}"
        )
    part = assignment.part(saved.part)
    claims = {claim.id: claim for claim in part.asks}
    sizes = claims[saved.claim].sizes if saved.claim in claims else {}
    if saved.claim not in claims or any(size > sizes.get(name, -1) for name, size in saved.sizes.items()):
        raise ValueError(
            f"{assignment.reference} has changed since: {part.name} does not ask {saved.claim} so"
        )
    if not submission.is_file():
        raise ValueError(f"no such file: {submission}")
    if not sources.suffix(submission.name):
        raise ValueError(f"{submission} is not a submission: {' and '.join(sources.SUFFIXES)} files are")
    try:
        source = sources.parse(sources.read(submission), submission.name, submission.name)
    except sources.SubmissionError as error:
        raise ValueError(f"{submission}: {error}") from None
    asked = tuple(item.name for part in assignment.parts for item in part.writes)
    claim = claims[saved.claim]
    with (
        Sandbox(level, packages=assignment.packages) as sandbox,
        Session(source.cells, sandbox, assignment.load_seconds, asked) as session,
    ):
        try:
            session.load()
            missing = [item.name for item in part.writes if item.name not in session.implementation(part)]
            if missing:
                words = f"{submission.name} does not define {', '.join(missing)}, which {part.name} asks for"
                return PartResult(part.name, part.points, None, MISSING, words)
            trial = Trial(claim, part, session, Draw(CHECK_SECRET, assignment, ""))
            ask = partial(
                trial.run,
                saved.sizes,
                saved.stream,
                saved.draws,
                most=saved.place if saved.kind == CLAIM else None,
            )
            run = ask(wanted=lambda instance: instance.place == saved.place) or ask()
        except Fault as fault:
            return PartResult(part.name, part.points, None, fault.kind, fault.sentence)
    if run is None:
        return PartResult(part.name, part.points, None, OK, "", (ClaimResult(claim.id, claim.where, OK),))
    instance = counterexample.instance(run, claim.id)
    evidence = (dict(instance.evidence),) if instance.evidence else ()
    told = ClaimResult(claim.id, claim.where, instance.kind, instance.sentence, evidence, smallest=instance)
    return PartResult(part.name, part.points, None, told.verdict, told.sentence, (told,))
