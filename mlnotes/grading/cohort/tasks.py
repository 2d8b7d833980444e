"""One file to be graded, for one or several students."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from mlnotes.grading.assignment.parts import Assignment, load
from mlnotes.grading.engine import grade_bytes, not_run
from mlnotes.grading.protocol import sources
from mlnotes.grading.results import GRADER, NEEDS, Result
from mlnotes.grading.sandbox.levels import NAMES, Sandbox


class Task(NamedTuple):
    """One file to be graded, for one or several students; its bytes are read when its turn comes."""

    reference: str | Assignment
    path: Path
    digest: str
    students: tuple[str, ...]
    secret: bytes
    level: str

    def assignment(self) -> Assignment:
        """Return the assignment that `reference` means."""
        return load(self.reference) if isinstance(self.reference, str) else self.reference

    def read(self) -> bytes:
        """Return the file; an error if it cannot be read any more, or is another than when the run began."""
        data = sources.read(self.path)
        if hashlib.sha256(data).hexdigest() != self.digest:
            raise sources.SubmissionError("the file changed while the class was graded; grade again")
        return data


def attempt(task: Task, sandbox: Sandbox) -> list[Result]:
    """Return the results of a task, whose file is read here."""
    try:
        data = task.read()
    except (OSError, ValueError) as error:
        return unread(task, error)
    return run(task, data, sandbox)


def run(task: Task, data: bytes, sandbox: Sandbox) -> list[Result]:
    """Return the results of a task: its file is graded once, whoever handed it in."""
    first, *others = task.students
    name = f"submission{task.path.suffix}"  # a file's name may hold a student's
    try:
        result = grade_bytes(
            task.assignment(), data, name, secret=task.secret, sandbox=sandbox, student=first
        )
    except Exception as error:  # a mistake of ours must not stop the class
        return failed(task, f"{type(error).__name__}: {error}")
    return [result, *(replace(result, student=student) for student in others)]


def failed(task: Task, sentence: str, kind: str = GRADER) -> list[Result]:
    """Return the results of a task that the grader could not bring to an end."""
    assignment, name = task.assignment(), NAMES[task.level]
    return [not_run(kind, assignment, student, task.digest, name, sentence) for student in task.students]


def unread(task: Task, error: Exception) -> list[Result]:
    """Return the results of a file that was there when the run began, and cannot be read as it was."""
    return failed(task, f"{error}" or type(error).__name__, NEEDS)
