"""The commands on submissions: ``grade``, ``similar`` and ``doctor``."""

from __future__ import annotations

import argparse
import atexit
import contextlib
import gc
import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mlnotes.cli import FAILS, INTERRUPTED, OK
from mlnotes.cli.terminal import console, progress_bar

_NAMED = 20  # of a list of students that is printed
_LIBRARY = (
    "*.py",
    "estimators/*.py",
    "engines/*.py",
    "datasets/*.py",
    "show/*.py",
    "homework/hw*.py",
    "mistakes/homework/hw*/solution.py",
)


def grade(arguments: argparse.Namespace) -> int:
    """Grade every submission of a folder in a sandbox."""
    for stream in (sys.stdout, sys.stderr):  # a name that a terminal cannot show must not end the run
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if arguments.bundle:
        return _bundle(arguments)
    if arguments.submissions is None and not arguments.audit:
        raise ValueError("grade needs the folder or zip of submissions, or --audit")
    from mlnotes.grading.sandbox.clocks import ONE_THREAD

    os.environ |= ONE_THREAD | os.environ
    atexit.register(gc.freeze)  # nothing is looked through at the end, which is the system's to clear
    try:
        with _sandbox(arguments) as sandbox:
            return _audit(arguments, sandbox) if arguments.audit else _grade(arguments, sandbox)
    except KeyboardInterrupt:
        rest = f"; what is graded is kept in {arguments.out}: the same command goes on with the rest"
        print(f"mlnotes grade: interrupted{'' if arguments.audit else rest}", file=sys.stderr)
        return INTERRUPTED


@contextlib.contextmanager
def _sandbox(arguments: argparse.Namespace) -> Iterator[Any]:
    """Give the sandbox of an assignment, whose first worker comes up while the rest loads."""
    gc.disable()  # what loads stays: to look through it again and again takes a tenth of the time
    with contextlib.ExitStack() as stack:
        try:
            from mlnotes.grading.sandbox.levels import Sandbox

            sandbox = stack.enter_context(Sandbox(arguments.sandbox, wait=False))
            from mlnotes import homework
            from mlnotes.grading.cohort import folder  # noqa: F401

            packages = homework.load(arguments.assignment).packages
            gc.freeze()
        finally:
            gc.enable()
        if packages:
            stack.close()
            sandbox = stack.enter_context(Sandbox(arguments.sandbox, wait=False, packages=packages))
        yield sandbox


def _bundle(arguments: argparse.Namespace) -> int:
    from mlnotes.grading.cohort import bundles, folder

    if arguments.submissions is not None:
        raise ValueError("--bundle takes no submissions: the platform has them")
    secret = folder.read_secret(arguments.secret) if arguments.secret else folder.secret_of(arguments.out)
    written = bundles.bundle(
        arguments.bundle, arguments.assignment, arguments.out, secret=secret, sandbox=arguments.sandbox
    )
    size = sum(path.stat().st_size for path in (written, *written.rglob("*")) if path.is_file())
    print(f"wrote {written} ({size / 1e6:.1f} MB); it holds the secret: keep it from students")
    return OK


def _audit(arguments: argparse.Namespace, sandbox: Any) -> int:
    from mlnotes import grading, homework
    from mlnotes.mistakes.homework import solved, with_solutions

    assignment = homework.load(arguments.assignment)
    if arguments.submissions is not None:
        assignment = with_solutions(assignment, arguments.submissions)
    elif not assignment.solution:
        assignment = solved(assignment.id) or assignment
    audit = grading.audit(assignment, sandbox=sandbox)
    for problem in audit.problems:
        print(f"PROBLEM  {problem}")
    for claim in audit.unkilled:
        print(f"PROBLEM  no wrong solution fails {claim}")
    print(f"{audit.runs} runs; the assignment is {'sound' if audit.sound else 'NOT sound'}")
    return OK if audit.sound else FAILS


def _grade(arguments: argparse.Namespace, sandbox: Any) -> int:
    from mlnotes import grading, homework
    from mlnotes.grading.cohort.folder import read_secret

    assignment = homework.load(arguments.assignment)
    secret = read_secret(arguments.secret) if arguments.secret else None
    with _executor(arguments) as executor, progress_bar(0, "grading") as step:
        summary = grading.grade_folder(
            arguments.assignment,
            arguments.submissions,
            arguments.out,
            sandbox=sandbox,
            secret=secret,
            jobs=arguments.jobs,
            executor=executor,
            progress=lambda done, total, _: step(done, total),
            roster=arguments.roster,
            anonymous=arguments.anonymous,
            regrade=(lambda changes: _agree(changes, arguments.yes)) if arguments.regrade else None,
            late_per_day=arguments.late_per_day,
            also=dict.fromkeys(name for names in arguments.format for name in names.split(",")),
            canvas=arguments.canvas,
            name_mistakes=not arguments.no_mistakes,
        )
    return _say_summary(assignment, summary, arguments.out)


def _say_summary(assignment: Any, summary: Any, out: Path) -> int:
    from mlnotes import grading
    from mlnotes.grading.feedback.reports import cell
    from mlnotes.grading.results import OPEN

    if not summary.written:
        print("nothing was written; --yes writes without asking")
        return OK
    grading.table(assignment, summary.rows, rich=console() is not None)
    print(
        f"\n{summary.graded} graded, {summary.reused} kept from an earlier run, {summary.seconds:.1f} s, "
        f"sandbox: {summary.sandbox}; gradebook.csv and feedback are in {out}"
    )
    waiting = {row[0] for row in summary.rows if row[-3] == OPEN}
    if waiting:
        parts = ", ".join(f'"{part.name}"' for part in assignment.parts if part.manual)
        who = f"{len(waiting)} students wait" if len(waiting) > 1 else "1 student waits"
        print(f"{who} for marks by hand (part {parts})")
    undecided = [student for student in summary.undecided if cell(student) not in waiting]
    for words, names in (
        ("undecided, which is not a zero", undecided),
        ("not in the roster", summary.unknown),
        ("not in the Canvas gradebook", summary.strange),
    ):
        if names:
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            print(f"{words}: {', '.join(names[:_NAMED])}{more}")
    for notice in summary.notices:
        print(notice)
    return summary.exit_status


def _executor(arguments: argparse.Namespace) -> Any:
    """Return the chosen executor, or None, to be used in a with block."""
    if not (arguments.dask or arguments.executor):
        return contextlib.nullcontext()
    from mlnotes.grading.cohort import executors

    return executors.dask(arguments.dask) if arguments.dask else executors.executor_of(arguments.executor)


def _agree(changes: Sequence[Any], yes: bool) -> bool:
    """Show what a regrade would change, and ask whether to write it."""
    for change in changes:
        print(change)
    print(f"{len(changes)} grade{'s' * (len(changes) != 1)} would change")
    if yes or not changes or not sys.stdin.isatty():
        return yes or not changes
    print("write these grades? [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")  # nothing at the end of the input: no


def similar(arguments: argparse.Namespace) -> int:
    """List pairs of submissions with the same structure: to be looked at, no verdict."""
    import tempfile

    from mlnotes import homework
    from mlnotes.grading.assignment import handouts
    from mlnotes.grading.cohort import dynamic_code, submissions
    from mlnotes.grading.cohort import similarity as likeness

    assignment = homework.load(arguments.assignment) if arguments.assignment else None
    given = handouts.script(assignment) if assignment else ""
    solution = assignment.solution if assignment else ""
    with tempfile.TemporaryDirectory() as scratch:
        inbox = submissions.take_in(
            arguments.submissions, Path(scratch, "zip"), prefer=arguments.assignment or ""
        )
        files = {item.student: item.path for item in inbox.submissions if item.path is not None}
        pairs = likeness.similar(
            files, share=arguments.share, handout=given, solution=solution, library=library_files()
        )
        odd = dynamic_code.odd(files)
    for pair in pairs:
        why = f"{pair.common} fingerprints in common" if pair.common else "the same short file"
        print(f"{pair.share:4.0%}  {pair.first}  {pair.second}  ({why})")
        for first, second in pair.places[: arguments.places]:
            print(f"        {first}  ~  {second}")
    for item in odd:
        print(f"odd   {item.student}, {item.place}: {item.words}")
    print(f"{len(pairs)} pairs of {len(files)} files to look at; likeness is no proof of anything")
    return OK


def library_files() -> dict[str, Path]:
    """Return the files of the library that a submission may be copied from, by name."""
    import mlnotes

    package = Path(mlnotes.__path__[0])
    return {f"mlnotes/{path.relative_to(package)}": path for some in _LIBRARY for path in package.glob(some)}


def doctor(arguments: argparse.Namespace) -> int:
    """Say which levels of the sandbox work on this machine, and why the others do not."""
    from mlnotes import grading

    levels = grading.doctor()
    for level in levels:
        print(f"{level.level:2} {level.name:11} {'works' if level.works else f'no: {level.reason}'}")
    return OK if any(level.works and level.level != "C" for level in levels) else FAILS
