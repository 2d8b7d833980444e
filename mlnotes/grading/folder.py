"""Grading a folder of submissions: in parallel, one atomic result each, resumable, identical files once."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures import TimeoutError as FutureTimeoutError  # its own class before Python 3.11
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from mlnotes.grading import confine, reports, sources
from mlnotes.grading.engine import GRADED, Result, grade_bytes, undecided, unreadable
from mlnotes.grading.proxies import SUBMISSION_SECONDS
from mlnotes.grading.sandbox import NAMES, Sandbox
from mlnotes.homework.core import Assignment, load

TASK_SECONDS = SUBMISSION_SECONDS + 120  # without any result, before a pool is taken for stuck
_AHEAD = 16

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
    same = (result.assignment, result.version, result.digest, result.sandbox)
    digest = hashlib.sha256(data).hexdigest()
    return same == (assignment.id, assignment.version, digest, sandbox.name) and result.status == GRADED


def _run(
    tasks: list[Task], sandbox: Sandbox, jobs: int | None, executor: Executor | None
) -> Iterator[Result]:
    here = len(tasks) == 1 or not all(isinstance(task.reference, str) for task in tasks)
    if executor is not None:
        yield from _gathered(executor, deque(tasks), None, {})
    elif here:
        for task in tasks:
            yield from _grade(task, sandbox)
    else:
        yield from _in_processes(tasks, sandbox, min(len(tasks), jobs or os.cpu_count() or 1))


def _in_processes(tasks: list[Task], sandbox: Sandbox, jobs: int) -> Iterator[Result]:
    """Grade in processes of our own; where one dies or hangs, what was under way is tried again, alone."""
    todo = deque(tasks)
    while todo:
        waiting: dict[Future[list[Result]], Task] = {}
        with _pool(jobs) as pool:
            try:
                yield from _gathered(pool, todo, sandbox, waiting)
            except (BrokenProcessPool, TimeoutError):
                _end(pool)
        for task in waiting.values():
            yield from _alone(task, sandbox)


def _alone(task: Task, sandbox: Sandbox) -> list[Result]:
    with _pool(1) as pool:
        try:
            return pool.submit(_remote, task, sandbox).result(TASK_SECONDS)
        except (BrokenProcessPool, FutureTimeoutError) as error:
            _end(pool)
            return _failed(task, f"the grading process died or hung ({type(error).__name__})")


def _pool(jobs: int) -> ProcessPoolExecutor:
    import multiprocessing

    if sys.platform == "win32":
        return ProcessPoolExecutor(jobs)
    context = multiprocessing.get_context("forkserver")  # forks of a clean process: no threads, no BLAS
    context.set_forkserver_preload(["mlnotes.grading.folder"])
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_die_with_parent)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        confine.die_with_parent()


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool that does not answer."""
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)


def _gathered(executor: Executor, todo: deque[Task], sandbox: Sandbox | None,
              waiting: dict[Future[list[Result]], Task]) -> Iterator[Result]:  # fmt: skip
    """Run the tasks, a few ahead of what is consumed: memory does not grow with the class.

    Raises
    ------
    BrokenProcessPool, TimeoutError
        If a process died, or none finished for ``TASK_SECONDS``; `waiting` holds the tasks under way.
    """
    while todo or waiting:
        while todo and len(waiting) < _AHEAD:
            future = executor.submit(_remote, todo[0], sandbox)  # raises where the pool is broken already
            waiting[future] = todo.popleft()
        finished, _ = wait(waiting, TASK_SECONDS, FIRST_COMPLETED)
        if not finished:
            raise TimeoutError
        for future in finished:
            task = waiting[future]
            try:
                results = future.result()
            except BrokenProcessPool:
                raise
            except Exception as error:
                results = _failed(task, f"{type(error).__name__}: {error}")
            del waiting[future]
            yield from results


def _failed(task: Task, sentence: str) -> list[Result]:
    assignment, digest = _assignment(task), hashlib.sha256(task.data).hexdigest()
    name = NAMES[task.level]
    return [undecided(assignment, student, digest, name, sentence) for student in task.students]


_SANDBOXES: dict[str, Sandbox] = {}


def _remote(task: Task, sandbox: Sandbox | None) -> list[Result]:
    """Grade one task in a process of a pool, which keeps its sandbox for the next."""
    if sandbox is None:
        import atexit

        if task.level not in _SANDBOXES:
            _SANDBOXES[task.level] = Sandbox(task.level)
            atexit.register(_SANDBOXES[task.level].close)
        sandbox = _SANDBOXES[task.level]
    return _grade(task, sandbox)


def _grade(task: Task, sandbox: Sandbox) -> list[Result]:
    first, *others = task.students
    try:
        result = grade_bytes(
            _assignment(task), task.data, task.path.name, secret=task.secret, sandbox=sandbox, student=first
        )
    except Exception as error:  # a mistake of ours must not stop the class
        return _failed(task, f"{type(error).__name__}: {error}")
    return [result, *(replace(result, student=student) for student in others)]


def _assignment(task: Task) -> Assignment:
    return load(task.reference) if isinstance(task.reference, str) else task.reference


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
