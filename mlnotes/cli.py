"""The command ``mlnotes``: arguments in, calls to the library, tables or JSON out.

Exit status: 0 all is well, 1 a claim fails, 2 wrong usage, 3 something could not be graded.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import gc
import json
import math
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mlnotes import __version__

OK, FAILS, USAGE, UNGRADED, INTERRUPTED = 0, 1, 2, 3, 130
_NAMED = 20  # of a list of students that is printed


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.run is None:
        parser.print_help()
        return USAGE
    try:
        return arguments.run(arguments)
    except (ValueError, OSError, RuntimeError, ModuleNotFoundError) as error:
        if isinstance(error, BrokenPipeError):  # the reader, such as head, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return OK
        print(f"mlnotes {arguments.command}: {error}", file=sys.stderr)
        return USAGE


# ------------------------------------------------------------------- verify and errata


def verify(arguments: argparse.Namespace) -> int:
    """Check claims against the library or a candidate, and report them."""
    from mlnotes.claims import suite

    chosen = suite.select(arguments.names)
    aside: tuple[Any, ...] = ()
    if arguments.candidate:
        names = suite.load_candidate(arguments.candidate)
        chosen, aside = suite.concerned(chosen, names)
        explicit = [item for item in aside if item.id in arguments.names]
        chosen, aside = chosen + tuple(explicit), tuple(item for item in aside if item not in explicit)
        if not chosen:
            raise ValueError(f"{arguments.candidate} defines no name that a chosen claim asks for")
    seeds = range(arguments.seed, arguments.seed + arguments.seeds)
    jobs = arguments.jobs or (os.cpu_count() or 1 if len(seeds) * len(chosen) > 300 else 1)
    start = time.perf_counter()
    if len(seeds) > 1 and not arguments.json:
        draws = f"{len(seeds)} draws in {jobs} process{'es' * (jobs > 1)}"
        print(f"checking {len(chosen)} claims over {draws}", file=sys.stderr)
    limit = arguments.limit or (10.0 if arguments.candidate else math.inf)
    running = suite.run(
        chosen, seeds=seeds, candidate=arguments.candidate, sides=arguments.sides, jobs=jobs, limit=limit
    )
    if arguments.json:
        rows = list(running)
        records = [outcome.as_dict() for row in rows for outcome in row]
        print(json.dumps(records, indent=1, ensure_ascii=False))
    else:
        rows = _show_rows(running, len(chosen), len(seeds), arguments)
        _say_total(rows, len(aside), arguments.candidate, time.perf_counter() - start)
    return OK if all(outcome.holds for row in rows for outcome in row) else FAILS


def _show_rows(running: Iterable[Any], total: int, n_seeds: int, arguments: argparse.Namespace) -> list[Any]:
    """Print a line a claim as it comes, and after them what was measured where one fails."""
    console, rows = _console(), []
    columns = ("candidate",) if arguments.candidate else arguments.sides
    with _Progress(total, "checking") as step:
        for row in running:
            rows.append(row)
            step()
    if not arguments.candidate:
        print("  ".join(f"{column:10}" for column in columns).rstrip())
    for row in rows:
        cells = {outcome.side: _word(outcome, n_seeds) for outcome in row}
        first = row[0]
        line = "  ".join(f"{cells.get(column, _absent(first, column)):10}" for column in columns)
        share = f"{first.seeds - len(first.failed)} of {first.seeds} seeds" if first.seeds > 1 else ""
        spent = 1000 * sum(outcome.seconds for outcome in row)
        line += f"  {first.verdict.claim.id:42} {first.verdict.claim.kind:10} {spent:8.1f} ms  {share}"
        _print(console, line.rstrip(), style="" if all(o.holds for o in row) else "bold red")
    for outcome in (outcome for row in rows for outcome in row):
        _explain(console, outcome, arguments.candidate)
    return rows


def _word(outcome: Any, n_seeds: int) -> str:
    from mlnotes.claims import boxes

    if outcome.holds and outcome.verdict.claim.illustration:
        return "shown"
    return boxes.status_words(outcome.verdict) if outcome.holds or n_seeds == 1 else "FAILS"


def _absent(outcome: Any, column: str) -> str:
    """Return what stands in the column of a side that was not asked."""
    if outcome.verdict.claim.illustration:
        return ""
    return "same" if column == "estimators" else "engine"


def _explain(console: Any, outcome: Any, candidate: str | None) -> None:
    verdict = outcome.verdict
    if verdict.status == "not found":
        _print(console, f"\n{verdict.reason}")
    elif not outcome.holds:
        seed = f" at seed {outcome.failed[0]}" if verdict.claim.random else ""
        side = "" if outcome.side == "candidate" else f" on the {outcome.side}"
        _print(console, f"\n{verdict.claim.statement}")
        if candidate and verdict.status == "fails" and (mistake := _mistake(outcome, candidate)):
            _print(console, f"All answers are those of one mistake: {mistake}")
        _print(console, f"read {verdict.claim.where}; measured{side}{seed}:\n{verdict}")


def _mistake(outcome: Any, candidate: str) -> str:
    from mlnotes.claims import suite
    from mlnotes.grading import diagnosis

    return diagnosis.of_candidate(outcome.verdict.claim, suite.load_candidate(candidate), outcome.failed[0])


def _say_total(rows: list[Any], n_aside: int, candidate: str | None, seconds: float) -> None:
    outcomes = [outcome for row in rows for outcome in row]
    sides = {side: [o for o in outcomes if o.side == side] for side in ("board", "estimators")}
    held = sum(all(outcome.holds for outcome in row) for row in rows)
    parts = [f"{sum(o.holds for o in asked)} of {len(asked)} on the {s}" for s, asked in sides.items()]
    shown = "" if candidate or len(rows) == 1 else f": {', '.join(parts)}"
    print(f"\n{held} of {len(rows)} claims hold{shown} ({seconds:.1f} s)")
    if n_aside:
        print(f"{n_aside} claims were not asked: {candidate} defines none of their names")


def errata(arguments: argparse.Namespace) -> int:
    """List what the lecture notes print and what is right, with the verdict of the check."""
    from mlnotes import claims

    found = [
        (item, item.verify() if item.check else None)
        for topic in (arguments.topics or claims.topics())
        for item in claims.of(topic)
        if item.kind == "erratum"
    ]
    if arguments.json:
        records = [
            verdict.as_dict()
            if verdict
            else {"id": item.id, "topic": item.topic, "kind": item.kind, "sources": list(item.sources)}
            | {"statement": item.statement, "printed": item.printed, "corrected": item.corrected}
            for item, verdict in found
        ]
        print(json.dumps(records, indent=1, ensure_ascii=False))
    else:
        for item, verdict in found:
            shown = "notation" if verdict is None else "shown" if verdict.holds else "NOT SHOWN"
            print(f"{item.id}  ({'; '.join(item.sources)})  [{shown}]")
            print(f"  printed:   {item.printed}\n  corrected: {item.corrected}\n")
        print(f"{len(found)} errata, {sum(v is not None for _, v in found)} of them with a counterexample")
    return OK if all(verdict is None or verdict.holds for _, verdict in found) else FAILS


# ------------------------------------------------------------------- figures


def figures(arguments: argparse.Namespace) -> int:
    """Draw the figures of the gallery that are out of date."""
    from mlnotes.show import gallery

    formats = (arguments.format,) if arguments.format else gallery.STORED
    gallery.render(
        arguments.names,
        folder=arguments.folder,
        force=arguments.all,
        formats=formats,
        jobs=arguments.jobs or os.cpu_count() or 1,
    )
    return OK


# ------------------------------------------------------------------- homework


def handout(arguments: argparse.Namespace) -> int:
    """Write the student's version of an assignment or of a master file, or print it."""
    text = _student_text(arguments)
    if arguments.public:
        from mlnotes.grading.public import public

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
    from mlnotes.grading import masters

    if masters.is_master(arguments.assignment):
        if arguments.variant is not None:
            raise ValueError("--variant is for an assignment, a master file has none")
        return masters.student_version(Path(arguments.assignment))
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
    from mlnotes.grading.public import public_name

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
    from mlnotes.grading.intake import read_roster

    students = read_roster(arguments.students).students.values()
    secret = arguments.secret.read_bytes().strip() if arguments.secret else secrets.token_hex(32).encode()
    names = {student.id: student.name for student in students if not student.excused}
    made = Exam(secret, arguments.seed, arguments.lectures, names, arguments.each, arguments.title)
    with _Progress(len(names), "writing sheets") as step:
        sheets.write(made, arguments.out, arguments.format, step)
    print(f"wrote {len(names)} sheets of {len(made.questions)} questions to {arguments.out}/students; "
          f"the key is in {arguments.out}/instructor: keep it from students")  # fmt: skip
    return OK


def check(arguments: argparse.Namespace) -> int:
    """Check your own homework with the claims that grade it; not a grade."""
    from mlnotes import grading, homework
    from mlnotes.grading import replays

    assignment = homework.load(arguments.assignment)
    if arguments.save is not None:
        replays.free(arguments.save, arguments.force)
    result = grading.check_file(assignment, arguments.file)
    print(grading.feedback_text(result))
    if arguments.save is not None and result.earned == result.points:
        print(f"nothing fails: {arguments.save} was not written", file=sys.stderr)
    elif arguments.save is not None:
        part, instance = replays.failing(result, arguments.part)
        file = str(Path(arguments.file).resolve())
        replays.save(arguments.save, assignment, part, instance, file, force=arguments.force)
        print(f"saved the failing instance of {part} in {arguments.save}; to run it again: "
              f"mlnotes replay {arguments.save}", file=sys.stderr)  # fmt: skip
    return OK if result.earned == result.points else FAILS


def replay(arguments: argparse.Namespace) -> int:
    """Ask a saved instance again of a submission as it is now."""
    from mlnotes import homework
    from mlnotes.grading import replays, reports
    from mlnotes.homework.core import split_variant

    saved = replays.load(arguments.instance)
    name = arguments.assignment or saved.assignment
    if not arguments.assignment and split_variant(name)[0] not in homework.assignments():
        raise ValueError(f"the instance is of a homework of its own: name it, --assignment {name}")
    file, level = arguments.file, "C"
    if file is None:  # the name is in a file that somebody else may have written
        file, level = Path(saved.submission), "auto"
    if file.name == "":
        raise ValueError("the instance was saved in a notebook: name the file to ask, after it")
    result = replays.replay(saved, homework.load(name), file, level)
    print(reports.replay_text(result, saved.claim, file.name))
    return OK if result.verdict == "OK" else FAILS


def grade(arguments: argparse.Namespace) -> int:
    """Grade every submission of a folder in a sandbox."""
    if arguments.bundle:
        return _bundle(arguments)
    if arguments.submissions is None and not arguments.audit:
        raise ValueError("grade needs the folder or zip of submissions, or --audit")
    from mlnotes.grading.clocks import ONE_THREAD

    os.environ |= ONE_THREAD | os.environ
    atexit.register(gc.freeze)  # nothing is looked through at the end, which is the system's to clear
    try:
        with _sandbox(arguments) as sandbox:
            return _audit(arguments, sandbox) if arguments.audit else _grade(arguments, sandbox)
    except KeyboardInterrupt:
        kept = f"; what is graded is kept in {arguments.out}: the same command goes on with the rest"
        print(f"mlnotes grade: interrupted{'' if arguments.audit else kept}", file=sys.stderr)
        return INTERRUPTED


@contextlib.contextmanager
def _sandbox(arguments: argparse.Namespace) -> Iterator[Any]:
    """Give the sandbox of an assignment, whose first worker comes up while the rest loads."""
    gc.disable()  # what loads stays: to look through it again and again takes a tenth of the time
    with contextlib.ExitStack() as stack:
        try:
            from mlnotes.grading.sandbox import Sandbox

            sandbox = stack.enter_context(Sandbox(arguments.sandbox, wait=False))
            from mlnotes import homework
            from mlnotes.grading import folder  # noqa: F401

            packages = homework.load(arguments.assignment).packages
            gc.freeze()
        finally:
            gc.enable()
        if packages:
            stack.close()
            sandbox = stack.enter_context(Sandbox(arguments.sandbox, wait=False, packages=packages))
        yield sandbox


def _bundle(arguments: argparse.Namespace) -> int:
    from mlnotes.grading import bundles, folder

    if arguments.submissions is not None:
        raise ValueError("--bundle takes no submissions: the platform has them")
    secret = arguments.secret.read_bytes() if arguments.secret else folder.secret_of(arguments.out)
    made = bundles.bundle(
        arguments.bundle, arguments.assignment, arguments.out, secret=secret, sandbox=arguments.sandbox
    )
    size = sum(path.stat().st_size for path in (made, *made.rglob("*")) if path.is_file())
    print(f"wrote {made} ({size / 1e6:.1f} MB); it holds the secret: keep it from students")
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

    assignment = homework.load(arguments.assignment)
    secret = arguments.secret.read_bytes() if arguments.secret else None
    with _executor(arguments) as executor, _Progress(0, "grading") as step:
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

    if not summary.written:
        print("nothing was written; --yes writes without asking")
        return OK
    grading.table(assignment, summary.rows, rich=_console() is not None)
    print(
        f"\n{summary.graded} graded, {summary.reused} kept from an earlier run, {summary.seconds:.1f} s, "
        f"sandbox: {summary.sandbox}; gradebook.csv and feedback are in {out}"
    )
    for words, names in (("undecided, which is not a zero", summary.undecided),
                         ("not in the roster", summary.unknown),
                         ("not in the Canvas gradebook", summary.strange)):  # fmt: skip
        if names:
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            print(f"{words}: {', '.join(names[:_NAMED])}{more}")
    for notice in summary.notices:
        print(notice)
    return summary.exit_status


def _executor(arguments: argparse.Namespace) -> Any:
    """Return the executor that was asked for, or None, to be used in a with block."""
    if not (arguments.dask or arguments.executor):
        return contextlib.nullcontext()
    from mlnotes.grading import pool

    return pool.DaskExecutor(arguments.dask) if arguments.dask else pool.executor_of(arguments.executor)


def _agree(changes: Sequence[Any], yes: bool) -> bool:
    """Show what a regrade would change, and ask whether to write it."""
    for change in changes:
        print(change)
    print(f"{len(changes)} grade{'s' * (len(changes) != 1)} would change")
    if yes or not changes or not sys.stdin.isatty():
        return yes or not changes
    return input("write these grades? [y/N] ").strip().lower() in ("y", "yes")


def similar(arguments: argparse.Namespace) -> int:
    """List pairs of submissions with the same structure: to be looked at, no verdict."""
    import tempfile

    from mlnotes import homework
    from mlnotes.grading import intake, strings
    from mlnotes.grading import similar as likeness

    assignment = homework.load(arguments.assignment) if arguments.assignment else None
    given = likeness.handout_source(assignment) if assignment else ""
    solution = assignment.solution if assignment else ""
    with tempfile.TemporaryDirectory() as scratch:
        found = intake.take_in(arguments.submissions, Path(scratch, "zip"), prefer=arguments.assignment or "")
        files = {item.student: item.path for item in found.submissions if item.path is not None}
        pairs = likeness.similar(files, share=arguments.share, handout=given, solution=solution)
        odd = strings.odd(files)
    for pair in pairs:
        print(f"{pair.share:4.0%}  {pair.first}  {pair.second}  ({pair.common} fingerprints in common)")
        for first, second in pair.places[: arguments.places]:
            print(f"        {first}  ~  {second}")
    for item in odd:
        print(f"odd   {item.student}, {item.place}: {item.words}")
    print(f"{len(pairs)} pairs of {len(files)} files to look at; likeness is no proof of anything")
    return OK


def doctor(arguments: argparse.Namespace) -> int:
    """Say which levels of the sandbox work on this machine, and why the others do not."""
    from mlnotes import grading

    found = grading.doctor()
    for level in found:
        print(f"{level.level:2} {level.name:11} {'works' if level.works else f'no: {level.reason}'}")
    return OK if any(level.works and level.level != "C" for level in found) else FAILS


# ------------------------------------------------------------------- output


def _console() -> Any:
    """Return a rich console on a terminal, None when piped or where rich is missing."""
    if not sys.stdout.isatty():
        return None
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(highlight=False, soft_wrap=True)


def _print(console: Any, text: str, style: str = "") -> None:
    if console is None:
        print(text)
    else:
        console.print(text, style=style, markup=False)


class _Progress:
    """A progress bar on a terminal, nothing when piped."""

    def __init__(self, total: int, what: str) -> None:
        self.bar = None
        if sys.stderr.isatty() and _console() is not None:
            from rich.progress import Progress

            self.bar = Progress(transient=True)
            self.task = self.bar.add_task(what, total=total)

    def __enter__(self) -> Any:
        if self.bar is not None:
            self.bar.start()
        return self._step

    def _step(self, done: int | None = None, total: int | None = None) -> None:
        """Advance by one, or to `done` of `total`."""
        if self.bar is not None and done is None:
            self.bar.advance(self.task)
        elif self.bar is not None:
            self.bar.update(self.task, completed=done, total=total)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()


# ------------------------------------------------------------------- arguments


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mlnotes", description="Statistical machine learning where a theorem is executable."
    )
    parser.add_argument("--version", action="version", version=f"mlnotes {__version__}")
    parser.set_defaults(run=None, command="")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def add(run: Any, help: str, name: str = "") -> argparse.ArgumentParser:
        name = name or run.__name__
        command = commands.add_parser(name, help=help, description=help)
        command.set_defaults(run=run, command=name)
        return command

    command = add(verify, "check claims against the library, or against FILE")
    command.add_argument(
        "names", nargs="*", metavar="TOPIC|ID", help="topics or ids of claims (default: all)"
    )
    command.add_argument("--json", action="store_true", help="print a list of records")
    command.add_argument("--seed", type=_count(0), default=0, metavar="N", help="first draw (default 0)")
    command.add_argument("--seeds", type=_count(1), default=1, metavar="N", help="how many draws (default 1)")
    command.add_argument(
        "--candidate", metavar="FILE", help="a Python file with another implementation; trusted"
    )
    side = command.add_mutually_exclusive_group()
    for name in ("board", "estimators"):
        side.add_argument(f"--{name}", dest="sides", action="store_const", const=(name,),
                          default=("board", "estimators"), help=f"ask the {name} only")  # fmt: skip
    command.add_argument(
        "--limit", type=float, metavar="S", help="seconds for a draw of a claim (default: 10 for a candidate)"
    )
    command.add_argument("--jobs", type=_count(1), metavar="N", help="processes (default: as many as pay)")

    command = add(errata, "list what the notes print and what is right")
    command.add_argument("topics", nargs="*", metavar="TOPIC")
    command.add_argument("--json", action="store_true", help="print a list of records")

    command = add(figures, "draw the figures that are out of date")
    command.add_argument("names", nargs="*", metavar="NAME", help="figures (default: all that are stale)")
    command.add_argument("--all", action="store_true", help="also those that are up to date")
    command.add_argument("--format", metavar="EXT", help="one format, such as pdf, instead of svg and png")
    command.add_argument("--folder", default="figures", metavar="DIR", help="default: figures")
    command.add_argument("--jobs", type=_count(1), metavar="N", help="processes (default: one a core)")

    command = add(handout, "write the student's notebook of an assignment, or a master without its solutions")
    command.add_argument(
        "assignment",
        metavar="ID|FILE|MASTER",
        help="such as hw01, an assignment of your own, or a notebook or script with BEGIN SOLUTION marks",
    )
    command.add_argument("--variant", type=_count(1), metavar="N",
                         help="in other conventions; grade it as ID-vN, such as hw01-v2")  # fmt: skip
    command.add_argument("-o", "--out", type=Path, metavar="FILE", help="default: standard output")
    command.add_argument("--force", action="store_true", help="overwrite FILE, whatever it holds")
    command.add_argument("--rubric", action="store_true", help="print how written parts are marked")
    command.add_argument("--public", type=Path, metavar="FILE",
                         help="also write your assignment without its solutions")  # fmt: skip

    command = add(exam, "write a sheet with its own numbers for each student, and the key")
    command.add_argument("--lectures", type=_numbers, required=True, metavar="N,N", help="such as 1,5,7")
    command.add_argument("--students", type=Path, required=True, metavar="CSV", help="columns id, name")
    command.add_argument(
        "--seed", type=_count(0), required=True, metavar="N", help="another exam, another seed"
    )
    command.add_argument("--each", type=_count(1), default=3, metavar="N",
                         help="questions a lecture, 1 to 3 (default 3)")  # fmt: skip
    command.add_argument("--title", default="", help="default: the lectures")
    command.add_argument("--format", default="pdf", metavar="NAME",
                         help="of the printed sheets: pdf (default), html or notebook alone")  # fmt: skip
    command.add_argument("--secret", type=Path, metavar="FILE", help="default: a new one, kept with the key")
    command.add_argument("--out", type=Path, default=Path("exam"), metavar="DIR", help="default: exam")

    command = add(check, "check your own homework; not a grade")
    command.add_argument("assignment", metavar="ID|FILE")
    command.add_argument("file", metavar="SUBMISSION", help="a .py or .ipynb file")
    command.add_argument("--save", type=Path, metavar="FILE.npz", help="keep an instance that fails")
    command.add_argument("--part", default="", metavar="NAME", help="whose (default: the first that fails)")
    command.add_argument("--force", action="store_true", help="overwrite FILE.npz")

    command = add(replay, "ask an instance again that 'check --save' kept")
    command.add_argument("instance", type=Path, metavar="FILE.npz")
    command.add_argument("file", nargs="?", type=Path, metavar="SUBMISSION",
                         help="default: the file that was checked, here in a closed sandbox")  # fmt: skip
    command.add_argument("--assignment", metavar="FILE", help="where it is a homework of your own")

    levels = ("auto", "bubblewrap", "landlock", "jail", "limits")
    command = add(grade, "grade a folder of submissions in a sandbox")
    command.add_argument("assignment", metavar="ID|FILE")
    command.add_argument(
        "submissions",
        nargs="?",
        type=Path,
        metavar="FOLDER|ZIP",
        help="one file or folder a student, or an export of Moodle, Canvas or Gradescope",
    )
    command.add_argument("--out", type=Path, default=Path("grades"), metavar="DIR", help="default: grades")
    command.add_argument(
        "--roster", type=Path, metavar="CSV", help="columns id, name, email, late, excused, extra_time"
    )
    command.add_argument(
        "--late-per-day", type=float, default=0.0, metavar="SHARE", help="points that a day late costs"
    )
    command.add_argument("--anonymous", action="store_true", help="pseudonyms; OUT/names.csv resolves them")
    command.add_argument(
        "--format",
        action="append",
        default=[],
        metavar="NAME[,NAME]",
        help="also write html, moodle, gradescope, prairielearn or junit",
    )
    command.add_argument("--canvas", type=Path, metavar="CSV", help="Canvas's exported gradebook, to fill in")
    command.add_argument("--bundle", choices=("gradescope", "prairielearn"),
                         help="write what this platform runs to OUT instead of grading here")  # fmt: skip
    command.add_argument("--no-mistakes", action="store_true",
                         help="feedback names no mistake; OUT/mistakes.csv still counts them")  # fmt: skip
    command.add_argument("--regrade", action="store_true", help="run all again and show what would change")
    command.add_argument("--yes", action="store_true", help="write what a regrade changes without asking")
    command.add_argument("--sandbox", choices=levels, default="auto", help="default: the best that works")
    command.add_argument("--secret", type=Path, metavar="FILE", help="default: OUT/secret.key, made once")
    command.add_argument("--jobs", type=_count(1), metavar="N", help="processes (default: one a core)")
    where = command.add_mutually_exclusive_group()
    where.add_argument("--executor", metavar="MODULE:FACTORY", help="makes a concurrent.futures.Executor")
    where.add_argument("--dask", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://10.0.0.1:8786")
    command.add_argument(
        "--audit",
        action="store_true",
        help="grade the assignment's own tests instead: FOLDER holds solution.py and wrong_*.py",
    )

    command = add(similar, "list submissions with the same structure after renaming; never a verdict")
    command.add_argument("submissions", type=Path, metavar="FOLDER|ZIP")
    command.add_argument("--assignment", metavar="ID|FILE", help="what it hands out does not count")
    command.add_argument("--share", type=float, default=0.3, metavar="SHARE", help="at least (default 0.3)")
    command.add_argument("--places", type=_count(0), default=3, metavar="N", help="shown a pair (default 3)")

    add(doctor, "say which sandbox levels work here, and why")
    return parser


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


def _count(minimum: int) -> Any:
    def integer(text: str) -> int:
        value = int(text)
        if value < minimum:
            raise argparse.ArgumentTypeError(f"must be at least {minimum}, got {value}")
        return value

    return integer


if __name__ == "__main__":
    sys.exit(main())
