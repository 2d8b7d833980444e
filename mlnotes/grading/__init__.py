"""Grading of homework: a submission runs in a confined worker, the claims run here, and only values cross.

Each name loads only when it is used::

    load(id_or_path) -> Assignment, such as "hw01" or its "hw01-v2"    (mlnotes.homework)
    check_file(assignment, path) -> Result                             a student's own check, no grade
    check("hw01.part"), check_live("hw01.part", names) -> LiveReport   the same in a notebook
    feedback.replay.save, .load, .replay                               a failing instance, asked again
    feedback_text(result) -> str

    Sandbox(level="auto" | "bubblewrap" | "landlock" | "jail" | "limits", wait=True)
                                                                       context manager; .name; SandboxError
    doctor() -> list[Check(level, name, works, reason)]
    grade_submission(assignment, path, secret=, sandbox=Sandbox) -> Result(.earned, .points, .status, .parts)
    grade_folder(id_or_path, folder_or_zip, out, sandbox="auto", secret=None, jobs=None, executor=None,
                 progress=callable(done, total, result), roster=None, anonymous=False,
                 regrade=callable(changes) -> bool, late_per_day=0, also=("html", "moodle", "gradescope",
                 "prairielearn", "junit"), canvas=None, name_mistakes=True)
        -> Summary(rows, graded, reused, undecided, unknown, strange, written, sandbox, seconds, .exit_status)
    table(assignment, summary.rows, rich=bool)                         prints the class
    bundle("gradescope" | "prairielearn", id_or_path, out, secret=) -> Path

    handout(assignment) -> dict (notebook 4.5)                         handout_text(assignment) -> str
    audit(assignment, sandbox=Sandbox) -> Audit(problems, unkilled, runs, .sound)
    cohort.similarity.similar({student: path}, share=0.3) -> list[Pair] a list to look at, never a verdict

Executors, Dask's among them, are in ``cohort.executors``; rosters and export layouts in
``cohort.submissions``; marks by hand in ``cohort.marks``; master notebooks in ``assignment.master_notebook``.
"""

from __future__ import annotations

import importlib
from typing import Any

_WHERE = {
    "assignment.audit": ("Audit", "audit"),
    "assignment.handouts": ("handout", "handout_text"),
    "cohort.bundles": ("bundle",),
    "cohort.folder": ("Summary", "grade_folder"),
    "engine": ("Result", "check_file", "grade_submission"),
    "feedback.notebook_check": ("check", "check_live"),
    "feedback.reports": ("feedback_text", "table"),
    "sandbox.levels": ("Sandbox", "SandboxError", "doctor"),
}
_MODULE = {name: module for module, names in _WHERE.items() for name in names}

__all__ = sorted(_MODULE)


def __getattr__(name: str) -> Any:
    if name in _MODULE:
        return getattr(importlib.import_module(f"mlnotes.grading.{_MODULE[name]}"), name)
    raise AttributeError(f"module 'mlnotes.grading' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
