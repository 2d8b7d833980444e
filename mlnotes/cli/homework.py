"""The commands on homework and exams: ``handout``, ``exam``, ``check`` and ``replay``."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from mlnotes.cli import FAILS, OK
from mlnotes.cli.terminal import progress_bar


def handout(arguments: argparse.Namespace) -> int:
    """Write the student's version of an assignment or of a master file, or print it."""
    text = _student_text(arguments)
    if arguments.public:
        from mlnotes.grading.assignment.student_version import public

        _write_handout(arguments.public, public(Path(arguments.assignment)), arguments.force)
    if arguments.out is not None:
        _write_handout(arguments.out, text, arguments.force)
    elif not arguments.public:
        print(text, end="")
    return OK


def _write_handout(out: Path, text: str, force: bool) -> None:
    if out.exists() and not force and out.read_bytes() != text.encode():
        raise ValueError(
            f"{out} is there already and may hold somebody's work: it stays; give another name, "
            "or --force to overwrite it"
        )
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8")
    print(f"wrote {out}", file=sys.stderr)


def _student_text(arguments: argparse.Namespace) -> str:
    from mlnotes import grading, homework
    from mlnotes.grading.assignment import master_notebook

    if master_notebook.is_master(arguments.assignment):
        if arguments.variant is not None:
            raise ValueError("--variant is for an assignment, a master file has none")
        return master_notebook.student_version(Path(arguments.assignment))
    assignment = homework.load(arguments.assignment)
    if arguments.public and not assignment.file:
        raise ValueError("--public is for an assignment of your own; those of the library are public")
    if assignment.file:
        _advise(assignment, arguments.public)
    if arguments.public:
        assignment = replace(assignment, file=arguments.public.name)
    if arguments.variant is not None:
        assignment = assignment.variant(arguments.variant)
    return grading.handout_text(assignment, rubric=arguments.rubric)


def _advise(assignment: Any, public: Path | None) -> None:
    """Say what students need to check, and what feedback calls it."""
    from mlnotes.grading.assignment.student_version import public_name

    name = public_name(assignment.id)
    if public is None and (assignment.solution or assignment.mutants):
        advice = f"{assignment.file} holds solutions; students check with what '--public {name}' writes"
    elif public is not None and public.name != name:
        advice = f"feedback calls the public file {name}; students need it under that name"
    else:
        return
    print(f"mlnotes handout: {advice}", file=sys.stderr)


def exam(arguments: argparse.Namespace) -> int:
    """Write a sheet of its own for each student of a roster, and the key."""
    import secrets

    from mlnotes.exam import Exam, sheets
    from mlnotes.grading.cohort.folder import read_secret
    from mlnotes.grading.cohort.submissions import read_roster

    students = read_roster(arguments.students).students.values()
    secret = read_secret(arguments.secret) if arguments.secret else secrets.token_hex(32).encode()
    names = {student.id: student.name for student in students if not student.excused}
    paper = Exam(secret, arguments.seed, arguments.lectures, names, arguments.each, arguments.title)
    with progress_bar(len(names), "writing sheets") as step:
        sheets.write(paper, arguments.out, arguments.format, step)
    print(
        f"wrote {len(names)} sheets of {len(paper.questions)} questions to {arguments.out}/students; "
        f"the key is in {arguments.out}/instructor: keep it from students"
    )
    return OK


def check(arguments: argparse.Namespace) -> int:
    """Check your own homework with the claims that grade it; not a grade."""
    from mlnotes import grading, homework
    from mlnotes.grading.feedback import replay

    assignment = homework.load(arguments.assignment)
    if arguments.save is not None:
        replay.free(arguments.save, arguments.force)
    result = grading.check_file(assignment, arguments.file)
    print(grading.feedback_text(result))
    if arguments.save is not None and result.earned == result.points:
        print(f"nothing fails: {arguments.save} was not written", file=sys.stderr)
    elif arguments.save is not None:
        part, instance = replay.failing(result, arguments.part)
        file = str(Path(arguments.file).resolve())
        replay.save(arguments.save, assignment, part, instance, file, force=arguments.force)
        print(
            f"saved the failing instance of {part} in {arguments.save}; to run it again: "
            f"mlnotes replay {arguments.save}",
            file=sys.stderr,
        )
    return OK if result.earned == result.points else FAILS


def replay(arguments: argparse.Namespace) -> int:
    """Ask a saved instance again of a submission as it is now."""
    from mlnotes import homework
    from mlnotes.grading.assignment.parts import split_variant
    from mlnotes.grading.feedback import replay, reports

    saved = replay.load(arguments.instance)
    name = arguments.assignment or saved.assignment
    if not arguments.assignment and split_variant(name)[0] not in homework.assignments():
        raise ValueError(f"the instance is of a homework of its own: name it, --assignment {name}")
    file, level = arguments.file, "C"
    if file is None:  # the name is in a file that somebody else may have written
        file, level = Path(saved.submission), "auto"
    if file.name == "":
        raise ValueError("the instance was saved in a notebook: name the file to ask, after it")
    result = replay.replay(saved, homework.load(name), file, level)
    print(reports.replay_text(result, saved.claim, file.name))
    return OK if result.verdict == "OK" else FAILS
