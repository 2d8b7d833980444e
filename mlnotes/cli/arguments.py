"""What the commands accept."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from mlnotes import __version__

Add = Callable[[str, str], argparse.ArgumentParser]


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; ``room`` is the module that has the one chosen."""
    what = "Statistical machine learning where a theorem is executable."
    top = argparse.ArgumentParser(prog="mlnotes", description=what)
    top.add_argument("--version", action="version", version=f"mlnotes {__version__}")
    top.set_defaults(room=None)
    commands = top.add_subparsers(title="commands", metavar="COMMAND")

    def add(room: str, name: str, help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=help)
        command.set_defaults(room=room, command=name)
        return command

    for commands_of in (_theorems, _homework, _grading):
        commands_of(partial(add, commands_of.__name__.strip("_")))
    return top


def _theorems(add: Add) -> None:
    command = add("verify", "check claims against the library, or against FILE")
    option = command.add_argument
    option("names", nargs="*", metavar="TOPIC|ID", help="topics or ids of claims (default: all)")
    option("--json", action="store_true", help="print a list of records")
    option("--seed", type=_count(0), default=0, metavar="N", help="first draw (default 0)")
    option("--seeds", type=_count(1), default=1, metavar="N", help="how many draws (default 1)")
    option("--candidate", metavar="FILE", help="a Python file with another implementation; trusted")
    side = command.add_mutually_exclusive_group()
    sides = ("reference", "estimators")
    for name in sides:
        side.add_argument(
            f"--{name}",
            dest="sides",
            action="store_const",
            const=(name,),
            default=sides,
            help=f"check the {name} only",
        )
    option(
        "--limit", type=float, metavar="S", help="seconds for a draw of a claim (default: 10 for a candidate)"
    )
    option("--jobs", type=_count(1), metavar="N", help="worker processes (default: chosen by workload)")

    option = add("errata", "list what the notes print and what is right").add_argument
    option("topics", nargs="*", metavar="TOPIC")
    option("--json", action="store_true", help="print a list of records")

    option = add("figures", "draw the figures that are out of date").add_argument
    option("names", nargs="*", metavar="NAME", help="figures (default: all that are stale)")
    option("--all", action="store_true", help="also those that are up to date")
    option("--format", default="png", choices=("png", "svg", "pdf"), help="default: png")
    option("--folder", default="figures", metavar="DIR", help="default: figures")
    option("--jobs", type=_count(1), metavar="N", help="processes (default: one a core)")


def _homework(add: Add) -> None:
    option = add(
        "handout", "write the student's notebook of an assignment, or a master without its solutions"
    ).add_argument
    what = "such as hw01, an assignment of your own, or a notebook or script with BEGIN SOLUTION marks"
    option("assignment", metavar="ID|FILE|MASTER", help=what)
    option(
        "--variant",
        type=_count(1),
        metavar="N",
        help="in other conventions; grade it as ID-vN, such as hw01-v2",
    )
    option("-o", "--out", type=Path, metavar="FILE", help="default: standard output")
    option("--force", action="store_true", help="overwrite FILE, whatever it holds")
    option("--rubric", action="store_true", help="print how written parts are marked")
    option("--public", type=Path, metavar="FILE", help="also write your assignment without its solutions")

    option = add("exam", "write a sheet with its own numbers for each student, and the key").add_argument
    option("--lectures", type=_lectures, required=True, metavar="N,N", help="such as 1,5,7")
    option("--students", type=Path, required=True, metavar="CSV", help="columns id, name")
    option("--seed", type=_count(0), required=True, metavar="N", help="another exam, another seed")
    option("--each", type=_count(1), default=3, metavar="N", help="questions a lecture, 1 to 3 (default 3)")
    option("--title", default="", help="default: the lectures")
    option(
        "--format",
        default="pdf",
        metavar="NAME",
        help="of the printed sheets: pdf (default), html or notebook alone",
    )
    option("--secret", type=Path, metavar="FILE", help="default: a new one, kept with the key")
    option("--out", type=Path, default=Path("exam"), metavar="DIR", help="default: exam")

    option = add("check", "check your own homework; not a grade").add_argument
    option("assignment", metavar="ID|FILE")
    option("file", metavar="SUBMISSION", help="a .py or .ipynb file")
    option("--save", type=Path, metavar="FILE.npz", help="keep an instance that fails")
    option("--part", default="", metavar="NAME", help="whose (default: the first that fails)")
    option("--force", action="store_true", help="overwrite FILE.npz")

    option = add("replay", "ask an instance again that 'check --save' kept").add_argument
    option("instance", type=Path, metavar="FILE.npz")
    option(
        "file",
        nargs="?",
        type=Path,
        metavar="SUBMISSION",
        help="default: the file that was checked, here in a closed sandbox",
    )
    option("--assignment", metavar="FILE", help="where it is a homework of your own")


def _grading(add: Add) -> None:
    levels = ("auto", "bubblewrap", "landlock", "jail", "limits")
    command = add("grade", "grade a folder of submissions in a sandbox")
    option = command.add_argument
    option("assignment", metavar="ID|FILE")
    option(
        "submissions",
        nargs="?",
        type=Path,
        metavar="FOLDER|ZIP",
        help="one file or folder a student, or an export of Moodle, Canvas or Gradescope",
    )
    option("--out", type=Path, default=Path("grades"), metavar="DIR", help="default: grades")
    option("--roster", type=Path, metavar="CSV", help="columns id, name, email, late, excused, extra_time")
    option("--late-per-day", type=float, default=0.0, metavar="SHARE", help="points that a day late costs")
    option("--anonymous", action="store_true", help="pseudonyms; OUT/names.csv resolves them")
    option(
        "--format",
        action="append",
        default=[],
        metavar="NAME[,NAME]",
        help="also write html, moodle, gradescope, prairielearn or junit",
    )
    option("--canvas", type=Path, metavar="CSV", help="Canvas's exported gradebook, to fill in")
    option(
        "--bundle",
        choices=("gradescope", "prairielearn"),
        help="write what this platform runs to OUT instead of grading here",
    )
    option(
        "--no-mistakes",
        action="store_true",
        help="feedback names no mistake; OUT/mistakes.csv still counts them",
    )
    option("--regrade", action="store_true", help="run all again and show what would change")
    option("--yes", action="store_true", help="write what a regrade changes without asking")
    option("--sandbox", choices=levels, default="auto", help="default: the best that works")
    option("--secret", type=Path, metavar="FILE", help="default: OUT/secret.key, made once")
    option("--jobs", type=_count(1), metavar="N", help="processes (default: one a core)")
    where = command.add_mutually_exclusive_group()
    where.add_argument("--executor", metavar="MODULE:FACTORY", help="makes a concurrent.futures.Executor")
    where.add_argument("--dask", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://10.0.0.1:8786")
    what = "grade the assignment's own tests instead: FOLDER holds solution.py, wrong_*.py and wrong.diff"
    option("--audit", action="store_true", help=what)

    option = add(
        "similar", "list submissions with the same structure after renaming; never a verdict"
    ).add_argument
    option("submissions", type=Path, metavar="FOLDER|ZIP")
    option("--assignment", metavar="ID|FILE", help="what it hands out does not count")
    option("--share", type=float, default=0.3, metavar="SHARE", help="at least (default 0.3)")
    option("--places", type=_count(0), default=3, metavar="N", help="shown a pair (default 3)")

    add("doctor", "say which sandbox levels work here, and why")


def _lectures(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


def _count(minimum: int) -> Any:
    def integer(text: str) -> int:
        value = int(text)
        if value < minimum:
            raise argparse.ArgumentTypeError(f"must be at least {minimum}, got {value}")
        return value

    return integer
