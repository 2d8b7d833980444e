"""Grading a class: one atomic result a submission, resumed after a kill at any instant, equal files once.

A results file (``OUT/results/STUDENT.json``) is all that a run decides. Everything else, gradebook, feedback
and the files for other systems, is written from those files at the end of each run, so it is never half new.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import importlib
import json
import os
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mlnotes.grading.assignment.parts import Assignment, load, split_variant
from mlnotes.grading.cohort import gradebooks, marks, tasks
from mlnotes.grading.cohort.submissions import Intake, Student, Submission, read_roster, read_table, take_in
from mlnotes.grading.engine import refused
from mlnotes.grading.feedback import reports
from mlnotes.grading.feedback.output_files import (
    file_stem,
    named,
    try_to_write,
    write_atomically,
    write_plainly,
)
from mlnotes.grading.protocol import sources
from mlnotes.grading.results import EXCUSED, GRADED, GRADER, NEEDS, Result
from mlnotes.grading.sandbox.levels import OURS, Sandbox

if TYPE_CHECKING:
    from concurrent.futures import Executor

ABSENT = "NO SUBMISSION"


class Change(NamedTuple):
    """What a regrade would change for one student: totals, and the parts whose points differ."""

    student: str
    before: float | None
    after: float | None
    parts: tuple[tuple[str, float | None, float | None], ...]

    def __str__(self) -> str:
        shown = reports.points
        parts = ", ".join(f"{name} {shown(old)} -> {shown(new)}" for name, old, new in self.parts)
        return f"{self.student}: {shown(self.before)} -> {shown(self.after)} ({parts})"


class Summary(NamedTuple):
    """What came of a class."""

    rows: list[list[str]]  # as in ``gradebook.csv``, by student
    graded: int  # how many submissions were run now
    reused: int  # how many results of an earlier run were kept
    undecided: list[str]  # students with something that is GRADER ERROR, NEEDS YOU or NOT GRADED
    sandbox: str
    seconds: float
    unknown: tuple[str, ...] = ()  # submissions of nobody in the roster, by the name that the export gives
    strange: tuple[str, ...] = ()  # students whom the Canvas gradebook does not list
    notices: tuple[str, ...] = ()  # what the instructor should know: a sentence each
    written: bool = True  # False after a regrade that was declined

    @property
    def exit_status(self) -> int:
        """0 when every submission is graded, 3 when something is GRADER ERROR, NEEDS YOU or NOT GRADED."""
        return 3 if self.undecided else 0


def grade_folder(
    reference: str | Assignment,
    place: str | Path,
    out: str | Path,
    *,
    sandbox: str | Sandbox = "auto",
    secret: bytes | None = None,
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int, Result], None] | None = None,
    roster: str | Path | None = None,
    anonymous: bool = False,
    regrade: Callable[[list[Change]], bool] | None = None,
    late_per_day: float = 0.0,
    also: Iterable[str] = (),
    canvas: str | Path | None = None,
    name_mistakes: bool = True,
) -> Summary:
    """Grade every submission of a folder or zip into ``out``.

    Parameters
    ----------
    reference : str or Assignment
        An id such as ``"hw01"``, the path of an instructor's file, or the assignment itself (then all runs
        in this process, or in threads of an executor).
    place, out : path
        Submissions, in a layout of :mod:`mlnotes.grading.cohort.submissions`; results, a JSON file a student
        in ``out/results``, ``gradebook.csv``, feedback texts. One run at a time.
    sandbox : {"auto", "bubblewrap", "landlock", "jail", "limits"} or Sandbox
        One that is handed over stays open.
    secret : bytes, optional
        By default the content of ``out/secret.key``, made on the first run.
    jobs : int, optional
        Processes; by default one a core.
    executor : concurrent.futures.Executor, optional
        Runs the tasks instead; its processes need mlnotes, an assignment given by path at the same path,
        and no other file. Threads of one process take turns.
    progress : callable, optional
        Called with done, total and the last result.
    roster : path, optional
        A CSV file, see :func:`mlnotes.grading.cohort.submissions.read_roster`.
    anonymous : bool, default False
        Write pseudonyms everywhere but in ``out/names.csv``, which only its owner can read.
    regrade : callable, optional
        Run every submission again, results of an earlier run notwithstanding; called with what would change,
        and only if it returns True is anything replaced.
    late_per_day : float in [0, 1], default 0
        Share of the points that each day late costs, for the days that the roster lists.
    also : iterable of str
        Formats to write besides: some of ``gradebooks.FORMATS``.
    canvas : path, optional
        A gradebook exported by Canvas, filled in as ``out/canvas.csv``.
    name_mistakes : bool, default True
        Whether feedback says which known mistake the answers of a part are those of. ``out/mistakes.csv``
        counts them in any case.

    Raises
    ------
    ValueError, SandboxError
        If there are no submissions, a table cannot be read, or the sandbox does not work here.
    RuntimeError
        If another run is at work in `out`, or the executor breaks.
    """
    start = time.monotonic()
    assignment = load(reference) if isinstance(reference, str) else reference
    if anonymous and assignment.sheets:
        raise ValueError("an exam is not graded under pseudonyms: whose sheet it is decides what is right")
    if not 0 <= late_per_day <= 1:
        raise ValueError(f"late_per_day must be at least 0 and at most 1, got {late_per_day}")
    book, also = Book(assignment, Path(out)), tuple(also)
    if unknown := sorted(set(also) - set(gradebooks.FORMATS)):
        own = "; Canvas needs its own gradebook: --canvas CSV" if "canvas" in unknown else ""
        accepted = ", ".join(gradebooks.FORMATS)
        raise ValueError(f"format must be one of {accepted}, got {', '.join(unknown)}{own}")
    if "html" in also:
        from mlnotes.grading.feedback import pages

        pages.environment()  # says what it lacks before anything is run
    exported = None if canvas is None else read_table(Path(canvas))
    with contextlib.ExitStack() as stack:
        stack.enter_context(book.held())
        if not isinstance(sandbox, Sandbox):
            sandbox = stack.enter_context(Sandbox(sandbox, packages=assignment.packages))
        students = read_roster(Path(roster)) if roster is not None else None
        scratch = book.out / ".incoming"
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        intake = take_in(Path(place), scratch, roster=students, prefer=assignment.id)
        secret = secret_of(book.out) if secret is None else secret
        if anonymous:
            intake = _anonymised(intake, secret, book.out)
        target = book if regrade is None else book.again(reference)
        plan, decided = _plan(reference, target, intake, secret, sandbox)
        done = len(intake.submissions) - sum(len(task.students) for task in plan)
        graded = 0
        for result in _graded(plan, sandbox, jobs, executor):
            target.store(result)
            graded += 1
            if progress is not None:
                progress(done + graded, len(intake.submissions), result)
        written = regrade is None or book.replaced_by(target, intake.submissions, regrade)
        final = Final(book, intake, sandbox.name, late_per_day, name_mistakes)
        rows, open_ones = final.publish() if written else ([], [])
        notices = final.notices(also) if written else []
        strange = final.write(also, exported) if written else []
    seconds = time.monotonic() - start
    write_atomically(book.out / "timing.json", json.dumps({"seconds": seconds, "graded": graded}) + "\n")
    return Summary(
        rows,
        graded,
        done - decided,
        open_ones,
        sandbox.name,
        seconds,
        intake.unknown,
        tuple(strange),
        tuple(notices),
        written,
    )


def _plan(
    reference: str | Assignment, book: Book, intake: Intake, secret: bytes, sandbox: Sandbox
) -> tuple[list[tasks.Task], int]:
    """Return a task for each different file without a valid result; store, and count, what needs no run."""
    planned: dict[tuple[str, ...], tasks.Task] = {}
    decided = 0
    for item in intake.submissions:
        try:
            if item.path is None:
                raise sources.SubmissionError(item.problem)
            digest = hashlib.sha256(sources.read(item.path)).hexdigest()
        except (sources.SubmissionError, OSError) as error:
            decided += 1
            book.store(refused(book.assignment, item.student, "", sandbox.name, error))
            continue
        if book.holds(item.student, digest, sandbox.name):
            continue
        key = (sources.suffix(item.path.name), digest, item.student if book.assignment.sheets else "")
        others = planned[key].students if key in planned else ()
        students = (*others, item.student)
        planned[key] = tasks.Task(reference, item.path, digest, students, secret, sandbox.level)
    return list(planned.values()), decided


def _graded(
    plan: list[tasks.Task], sandbox: Sandbox, jobs: int | None, executor: Executor | None
) -> Iterator[Result]:
    """Grade the tasks; results come as they are ready, one for each student."""
    here = len(plan) == 1 or not all(isinstance(task.reference, str) for task in plan)
    if executor is None and here:
        for task in plan:
            yield from tasks.attempt(task, sandbox)
        return
    from mlnotes.grading.cohort import executors  # one submission needs no other process

    if executor is not None:
        yield from executors.elsewhere(plan, executor)
    else:
        yield from executors.in_processes(plan, sandbox, min(len(plan), jobs or os.cpu_count() or 1))


# ------------------------------------------------------------------- the folder of results


@dataclass(frozen=True)
class Book:
    """The results of one assignment in a folder."""

    assignment: Assignment
    out: Path
    results: str = "results"

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Make the folder, and remove what a killed run left half written.

        A RuntimeError says that another run holds it.
        """
        with named(self.out):
            (self.out / "results").mkdir(parents=True, exist_ok=True)
        try_to_write(self.out)
        with open(self.out / ".lock", "w") as lock:
            _lock(lock.fileno(), self.out)
            OURS.add(lock.fileno())
            for left in (*self.out.glob(".*.tmp"), *self.out.glob("*/.*.tmp"), *self.out.glob("*/*/.*.tmp")):
                left.unlink()
            try:
                yield
            finally:
                OURS.discard(lock.fileno())

    def path(self, student: str) -> Path:
        """Return where the result of a student stands."""
        return self.out / self.results / f"{file_stem(student)}.json"

    def stored(self, student: str) -> Result | None:
        """Return the result of an earlier run, None if there is none that can be read."""
        try:
            return Result.from_dict(json.loads(self.path(student).read_text()))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def store(self, result: Result) -> None:
        """Write a result: complete or not at all."""
        write_atomically(self.path(result.student), json.dumps(result.as_dict(), indent=1) + "\n")

    def holds(self, student: str, digest: str, sandbox: str) -> bool:
        """Return whether there is a result of this file that needs no other run."""
        found = self.stored(student)
        if found is None or found.status in (GRADER, NEEDS):
            return False
        other = not self.assignment.sheets and _worth(found) != _worth(self.assignment)
        same = (found.assignment, found.version, found.digest, found.sandbox)
        return not other and same == (self.assignment.id, self.assignment.version, digest, sandbox)

    def again(self, reference: str | Assignment) -> Book:
        """Return the book that a regrade fills: one of its own for each state of the tests."""
        name = f"regraded/{_fingerprint(reference)}"
        for old in (self.out / "regraded").glob("*"):
            if old.name != Path(name).name:
                shutil.rmtree(old)
        (self.out / name).mkdir(parents=True, exist_ok=True)
        return replace(self, results=name)

    def replaced_by(
        self, other: Book, submissions: Iterable[Submission], agree: Callable[[list[Change]], bool]
    ) -> bool:
        """Show what the other book would change; where that is agreed to, take its results over."""
        students = [item.student for item in submissions]
        changes = [c for who in students if (c := _change(self.stored(who), other.stored(who)))]
        agreed = agree(changes)
        for student in students if agreed else ():
            os.replace(other.path(student), self.path(student))
        shutil.rmtree(self.out / "regraded")
        return agreed


class Final(NamedTuple):
    """What is written at the end of a run: results with the marks of people, in every format asked for."""

    book: Book
    intake: Intake
    sandbox: str
    late_per_day: float
    name_mistakes: bool = True

    def outcomes(self) -> Iterator[gradebooks.Outcome]:
        """Yield what stands for each student of the class, one at a time: memory stays flat."""
        assignment = self.book.assignment
        given = self._marks()
        numbers = {item.student: item.number for item in self.intake.submissions}
        for student in sorted({*numbers, *self.intake.missing}):
            person = self.intake.roster.students.get(student, Student(student))
            result = self.book.stored(student) if student in numbers else None
            if result is not None:
                result = marks.apply_manual(result, given.get(marks.MANUAL, {}), assignment)
                result = marks.apply_overrides(result, given.get(marks.OVERRIDES, {}), assignment)
                result = marks.apply_late(
                    result,
                    late=person.late,
                    extra_time=person.extra_time,
                    excused=person.excused,
                    per_day=self.late_per_day,
                )
                if not self.name_mistakes:
                    result = replace(result, parts=tuple(replace(p, diagnosis="") for p in result.parts))
            yield gradebooks.Outcome(person, result, numbers.get(student, ""))

    def _marks(self) -> dict[str, marks.Marks]:
        """Return the marks by hand and the overrides that stand beside the results, by the file's name."""
        paths = [self.book.out / file for file in (marks.MANUAL, marks.OVERRIDES)]
        return {
            path.name: marks.read(path.name, read_table(path), self.book.assignment)
            for path in paths
            if path.exists()
        }

    def notices(self, also: Iterable[str] = ()) -> list[str]:
        """Return what the instructor should know of the class, a sentence each.

        What processes tried stands in ``watched.csv`` as well, which mistakes were made how often in
        ``mistakes.csv``.
        """
        here = {item.student for item in self.intake.submissions}
        found = [f"left out, no submission: {name}" for name in self.intake.dropped]
        if "moodle" in also and not any(item.number for item in self.intake.submissions):
            found.append(
                "moodle.csv has no participants' numbers, without which Moodle takes no grade: "
                "they are in the names of Moodle's own export"
            )
        for file, given in self._marks().items():
            found += [
                f"{file} names {who}, who handed in nothing: no mark was changed"
                for who in sorted({student for student, _ in given} - here)
            ]
        stems = {file_stem(student) for student in here}
        gone = [path.stem for path in sorted((self.book.out / "results").glob("*.json"))]
        found += [
            f"{who} has a result of an earlier run and no submission now: it counts no more"
            for who in gone
            if who not in stems
        ]
        tried: dict[str, tuple[str, ...]] = {}
        made: Counter[tuple[int, str]] = Counter()
        stored, parts = 0, [part.name for part in self.book.assignment.parts]
        for who in sorted(here):
            if (result := self.book.stored(who)) is not None:
                stored += 1
                tried |= {who: result.tried} if result.tried else {}
                made.update((parts.index(p.name), p.diagnosis) for p in result.parts if p.diagnosis)
        watched = [[reports.cell(who), words] for who, lines in tried.items() for words in lines]
        self._list("watched.csv", [["student", "tried"], *watched])
        rows = sorted((k, -count, words) for (k, words), count in made.items())
        mistakes = [[parts[k], reports.cell(words), str(-count)] for k, count, words in rows]
        self._list("mistakes.csv", [["part", "mistake", "students"], *mistakes])
        found += [f"{-count} of {stored} in {parts[k]}: {words}" for k, count, words in rows]
        return found + [f"{who} tried to {'; '.join(lines)} (refused)" for who, lines in tried.items()]

    def _list(self, name: str, table: list[list[str]]) -> None:
        """Write a table, an empty one only over that of an earlier run."""
        path = self.book.out / name
        if len(table) > 1 or path.exists():
            write_atomically(path, gradebooks.csv_text(table))

    def publish(self) -> tuple[list[list[str]], list[str]]:
        """Write gradebook and feedback texts; return the rows, and who is undecided."""
        assignment, out = self.book.assignment, self.book.out
        rows, open_ones = [], []
        (out / "feedback").mkdir(exist_ok=True)
        for item in self.outcomes():
            rows.append(self._row(item))
            if item.result is not None:
                stem = file_stem(item.person.id)
                write_plainly(out / "feedback" / f"{stem}.txt", reports.feedback_text(item.result))
                if item.result.status not in (GRADED, EXCUSED):
                    open_ones.append(item.person.id)
        write_atomically(out / "gradebook.csv", gradebooks.gradebook(assignment, rows, self.intake.roster))
        return rows, open_ones

    def _row(self, item: gradebooks.Outcome) -> list[str]:
        """Return the line of the gradebook: empty cells where nothing is decided or nothing was handed in."""
        if item.result is not None:
            return reports.gradebook_row(item.result)
        status = EXCUSED if item.person.excused else ABSENT
        points, empty = reports.points(self.book.assignment.points), [""] * len(self.book.assignment.parts)
        return [reports.cell(item.person.id), *empty, "", points, status, self.sandbox, ""]

    def write(self, also: Iterable[str], exported: str | None) -> list[str]:
        """Write the formats asked for; return the students whom Canvas's gradebook does not list."""
        assignment, out = self.book.assignment, self.book.out
        for kind in also:
            if kind == "html":
                from mlnotes.grading.feedback import pages

                pages.write(assignment, self.outcomes, out)
            elif kind == "moodle":
                write_plainly(out / "moodle.csv", gradebooks.moodle(assignment, self.outcomes))
            elif kind == "junit":
                write_plainly(out / "junit.xml", gradebooks.junit(assignment, self.outcomes))
            else:
                (out / kind).mkdir(exist_ok=True)
                for item in self.outcomes():
                    if item.result is not None:
                        path = out / kind / f"{file_stem(item.person.id)}.json"
                        write_plainly(path, gradebooks.per_student(kind, item.result))
        if exported is None:
            return []
        text, strange = gradebooks.canvas(exported, assignment, self.outcomes)
        write_plainly(out / "canvas.csv", text)
        return strange


def _worth(of: Result | Assignment) -> list[tuple[str, float]]:
    """Return the parts with their points: results of others are of no use, whatever the version says."""
    return [(part.name, part.points) for part in of.parts]


def _change(before: Result | None, after: Result | None) -> Change | None:
    if after is None:
        return None
    old = {part.name: part.earned for part in before.parts} if before else {}
    new = ((part.name, old.get(part.name), part.earned) for part in after.parts)
    differ = tuple(change for change in new if change[1] != change[2])
    if not differ and before is not None and before.earned == after.earned:
        return None
    return Change(after.student, before.earned if before else None, after.earned, differ)


def _lock(descriptor: int, out: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows: nothing keeps a second run out
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise RuntimeError(f"another run is at work in {out}; wait for it, or give another --out") from None


def _fingerprint(reference: str | Assignment) -> str:
    """Return a hash of the tests: mlnotes itself and the instructor's file."""
    package = importlib.import_module("mlnotes").__path__[0]
    files = sorted(path for path in Path(package).rglob("*") if path.suffix in (".py", ".diff"))
    own = Path(split_variant(reference)[0]) if isinstance(reference, str) else None
    files += [own] if own is not None and own.is_file() else []
    state = hashlib.sha256()
    for file in files:
        state.update(hashlib.sha256(file.read_bytes()).digest())
    return state.hexdigest()[:16]


# ------------------------------------------------------------------- names


def _anonymised(intake: Intake, secret: bytes, out: Path) -> Intake:
    """Return the intake under pseudonyms, which `out/names.csv` resolves, for its owner only."""
    names = {item.student: pseudonym(secret, item.student) for item in intake.submissions}
    names |= {student: pseudonym(secret, student) for student in intake.missing}
    lines = [[alias, reports.cell(student)] for student, alias in sorted(names.items())]
    write_atomically(out / "names.csv", gradebooks.csv_text([["pseudonym", "student"], *lines]), mode=0o600)
    people = [
        intake.roster.students.get(s, Student(s))._replace(id=a, name="", email="") for s, a in names.items()
    ]
    items = sorted(
        (item._replace(student=names[item.student], number="") for item in intake.submissions),
        key=lambda item: item.student,
    )
    unknown, missing = (tuple(names[s] for s in group) for group in (intake.unknown, intake.missing))
    dropped = (f"{len(intake.dropped)} of the files",) if intake.dropped else ()  # their names may be telling
    return Intake(tuple(items), unknown, missing, type(intake.roster)(people), dropped)


def pseudonym(secret: bytes, student: str) -> str:
    """Return the name of a student in an anonymous run: always the same with one secret."""
    return "student-" + hmac.new(secret, b"pseudonym\0" + student.encode(), hashlib.sha256).hexdigest()[:10]


def secret_of(out: Path) -> bytes:
    """Return the secret of a grading folder, made on the first run and readable by its owner only."""
    path = out / "secret.key"
    if not path.exists():
        out.mkdir(parents=True, exist_ok=True)
        write_atomically(path, secrets.token_hex(32) + "\n", mode=0o600)
    return read_secret(path)


def read_secret(path: Path) -> bytes:
    """Return the secret that a file holds, without the end of its line."""
    secret = path.read_bytes().strip()
    if len(secret) < 16:
        raise ValueError(f"the secret must have at least 16 bytes, else it is guessed; got {len(secret)}")
    return secret
