"""Grading a folder of submissions: in parallel, one atomic result each, resumable, identical files once."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from mlnotes.grading import confine, reports, sources
from mlnotes.grading.engine import GRADED, Result, grade_bytes, unreadable
from mlnotes.grading.sandbox import Sandbox
from mlnotes.homework.core import Assignment, load

Progress = Callable[[int, int, Result], None]


@dataclass(frozen=True)
class Summary:
    """What came of a class.

    Attributes
    ----------
    rows : list of list of str
        As in ``gradebook.csv``, by student.
    graded, reused : int
        How many submissions were run now, and how many results of an earlier run were kept.
    undecided : list of str
        Students with a status other than GRADED.
    sandbox : str
    seconds : float
    """

    rows: list[list[str]]
    graded: int
    reused: int
    undecided: list[str]
    sandbox: str
    seconds: float

    @property
    def exit_status(self) -> int:
        """0 when every submission is graded, 3 when something is GRADER ERROR or NOT GRADED."""
        return 3 if self.undecided else 0


@dataclass(frozen=True)
class Task:
    """One file to be graded, for one or several students."""

    reference: str | Assignment
    path: Path
    data: bytes
    students: tuple[str, ...]
    secret: bytes
    level: str


def submissions(folder: Path) -> dict[str, Path]:
    """Return the submissions in a folder by student id: the file's stem, or its name where stems collide.

    Raises
    ------
    ValueError
        If there is no such folder or nothing in it.
    """
    if not folder.is_dir():
        raise ValueError(f"submissions must be a folder, got {str(folder)!r}")
    files = sorted(p for p in folder.iterdir() if p.suffix in sources.SUFFIXES and not p.name.startswith("."))
    if not files:
        raise ValueError(f"{folder} holds no {' or '.join(sources.SUFFIXES)} file")
    stems = [file.stem for file in files]
    return {file.stem if stems.count(file.stem) == 1 else file.name: file for file in files}


def grade_folder(reference: str | Assignment, folder: str | Path, out: str | Path, *, sandbox: str = "auto",
                 secret: bytes | None = None, jobs: int | None = None, executor: Executor | None = None,
                 progress: Progress | None = None) -> Summary:  # fmt: skip
    """Grade every .py and .ipynb file of a folder into ``out``.

    Parameters
    ----------
    reference : str or Assignment
        An id such as ``"hw01"``, the path of an instructor's file, or the assignment itself (then all runs
        in this process).
    folder, out : path
        Submissions; results, one JSON file a student in ``out/results``, ``gradebook.csv``, feedback texts.
    sandbox : {"auto", "bubblewrap", "landlock", "limits"}
    secret : bytes, optional
        By default the content of ``out/secret.key``, made on the first run.
    jobs : int, optional
        Processes; by default one a core.
    executor : concurrent.futures.Executor, optional
        Runs the tasks instead; its processes need mlnotes and the same file system is not needed.
    progress : callable, optional
        Called with done, total and the last result.

    Raises
    ------
    ValueError, SandboxError
        If the folder has no submissions, or the sandbox does not work here.
    """
    start = time.monotonic()
    assignment = load(reference) if isinstance(reference, str) else reference
    out = Path(out)
    (out / "results").mkdir(parents=True, exist_ok=True)
    found = submissions(Path(folder))
    secret = secret_of(out) if secret is None else secret
    with Sandbox(sandbox) as probed:
        tasks, rows, reused = _plan(assignment, reference, found, out, secret, probed)
        total, done, graded = len(found), reused, 0
        for result in _run(tasks, probed, jobs, executor):
            write_atomically(result_path(out, result.student), json.dumps(result.as_dict(), indent=1) + "\n")
            write_feedback(out, result)
            rows[result.student] = reports.gradebook_row(result)
            done, graded = done + 1, graded + 1
            if progress is not None:
                progress(done, total, result)
        name = probed.name
    ordered = [rows[student] for student in sorted(found)]
    write_atomically(out / "gradebook.csv", reports.gradebook(assignment, ordered))
    seconds = time.monotonic() - start
    write_atomically(out / "timing.json", json.dumps({"seconds": seconds, "graded": graded}) + "\n")
    undecided = [row[0] for row in ordered if row[-3] != GRADED]
    return Summary(ordered, graded, reused, undecided, name, seconds)


def _plan(assignment: Assignment, reference: str | Assignment, found: dict[str, Path], out: Path,
          secret: bytes, sandbox: Sandbox) -> tuple[list[Task], dict[str, list[str]], int]:  # fmt: skip
    """Return a task for each different file that has no valid result yet, and the rows of those that have."""
    rows: dict[str, list[str]] = {}
    tasks: dict[bytes, Task] = {}
    for student, path in found.items():
        try:
            data = sources.read(path)
        except (sources.SubmissionError, OSError) as error:
            result = unreadable(assignment, student, "", sandbox.name, str(error))
            write_atomically(result_path(out, student), json.dumps(result.as_dict(), indent=1) + "\n")
            write_feedback(out, result)
            rows[student] = reports.gradebook_row(result)
            continue
        earlier = stored(out, student)
        if earlier is not None and _valid(earlier, assignment, data, sandbox):
            rows[student] = reports.gradebook_row(earlier)
            continue
        key = path.suffix.encode() + data
        known = tasks.get(key)
        tasks[key] = Task(
            reference, path, data, (*(known.students if known else ()), student), secret, sandbox.level
        )
    return list(tasks.values()), rows, len(rows)


def _valid(result: Result, assignment: Assignment, data: bytes, sandbox: Sandbox) -> bool:
    import hashlib

    same = (result.assignment, result.version, result.digest, result.sandbox)
    digest = hashlib.sha256(data).hexdigest()
    return same == (assignment.id, assignment.version, digest, sandbox.name) and result.status == GRADED


def _run(
    tasks: list[Task], sandbox: Sandbox, jobs: int | None, executor: Executor | None
) -> Iterator[Result]:
    jobs = min(len(tasks), jobs or os.cpu_count() or 1)
    if executor is None and (jobs <= 1 or not all(isinstance(task.reference, str) for task in tasks)):
        for task in tasks:
            yield from _grade(task, sandbox)
        return
    if executor is not None:
        yield from _gathered(executor, tasks, None)
        return
    import multiprocessing

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["mlnotes.grading.folder"])
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=confine.die_with_parent) as pool:
        yield from _gathered(pool, tasks, sandbox)


def _gathered(executor: Executor, tasks: list[Task], sandbox: Sandbox | None) -> Iterator[Result]:
    """Run the tasks, at most a few ahead of what is consumed, so that memory does not grow with the class."""
    waiting: dict[Future[list[Result]], Task] = {}
    todo = iter(tasks)
    for task in todo:
        waiting[executor.submit(_remote, task, sandbox)] = task
        if len(waiting) >= 16:
            yield from _one(waiting)
    while waiting:
        yield from _one(waiting)


def _one(waiting: dict[Future[list[Result]], Task]) -> list[Result]:
    future = next(as_completed(waiting))
    del waiting[future]
    return future.result()


_SANDBOXES: dict[str, Sandbox] = {}


def _remote(task: Task, sandbox: Sandbox | None) -> list[Result]:
    """Grade one task in a process of a pool, which keeps its sandbox for the next."""
    if sandbox is None:
        import atexit

        if task.level not in _SANDBOXES:
            _SANDBOXES[task.level] = Sandbox(task.level)
            atexit.register(_SANDBOXES[task.level].close)
        sandbox = _SANDBOXES[task.level]
    return list(_grade(task, sandbox))


def _grade(task: Task, sandbox: Sandbox) -> Iterator[Result]:
    assignment = load(task.reference) if isinstance(task.reference, str) else task.reference
    first, *others = task.students
    result = grade_bytes(
        assignment, task.data, task.path.name, secret=task.secret, sandbox=sandbox, student=first
    )
    yield result
    for student in others:
        yield replace(result, student=student)


def secret_of(out: Path) -> bytes:
    """Return the secret of a grading folder, made on the first run and readable by its owner only."""
    path = out / "secret.key"
    if not path.exists():
        out.mkdir(parents=True, exist_ok=True)
        write_atomically(path, secrets.token_hex(32) + "\n", mode=0o600)
    return path.read_bytes().strip()


def result_path(out: Path, student: str) -> Path:
    """Return where the result of a student stands."""
    return out / "results" / f"{quote(student, safe=' ()@+,=')}.json"


def stored(out: Path, student: str) -> Result | None:
    """Return the result of an earlier run, None if there is none that can be read."""
    try:
        return Result.from_dict(json.loads(result_path(out, student).read_text()))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_feedback(out: Path, result: Result) -> None:
    """Write what the student is told."""
    (out / "feedback").mkdir(exist_ok=True)
    write_atomically(
        out / "feedback" / f"{result_path(out, result.student).stem}.txt", reports.feedback_text(result)
    )


def write_atomically(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file that is complete or absent at every instant, a power failure included."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
