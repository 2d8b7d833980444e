"""Grading of homework: a submission runs in a confined worker, the claims run here, and only values cross.

For the command line (each loads only when used)::

    load(id_or_path) -> Assignment, such as "hw01" or its "hw01-v2"    (mlnotes.homework)
    doctor() -> list[Check(level, name, works, reason)]
    Sandbox(level="auto" | "bubblewrap" | "landlock" | "limits")       context manager; SandboxError; .name
    check_file(assignment, path) -> Result                             feedback_text(result) -> str
    check_live("hw01.part", namespace) -> LiveReport                   check("hw01.part") in a notebook
    grade_folder(id_or_path, folder, out, *, sandbox="auto", secret=None, jobs=None, executor=None,
                 progress=callable(done, total, result)) -> Summary(rows, graded, reused, undecided, sandbox,
                 seconds, .exit_status)
    table(assignment, summary.rows, rich=bool)                         prints
    audit(assignment, sandbox=Sandbox) -> Audit(problems, unkilled, runs, .sound)
    handout(assignment) -> dict (notebook 4.5)                         handout_text(assignment) -> str
    grade_submission(assignment, path, *, secret, sandbox) -> Result   .earned, .points, .status, .parts
"""

from __future__ import annotations

import importlib
from typing import Any

_WHERE = {
    "Audit": "auditing", "audit": "auditing", "check": "live", "check_file": "engine", "check_live": "live",
    "doctor": "sandbox", "feedback_text": "reports", "grade_folder": "folder", "grade_submission": "engine",
    "handout": "handouts", "handout_text": "handouts", "Result": "engine", "Sandbox": "sandbox",
    "SandboxError": "sandbox", "Summary": "folder", "table": "reports", "with_solutions": "auditing",
}  # fmt: skip

__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(importlib.import_module(f"mlnotes.grading.{_WHERE[name]}"), name)
    raise AttributeError(f"module 'mlnotes.grading' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
