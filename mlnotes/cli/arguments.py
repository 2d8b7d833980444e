"""What the commands accept."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mlnotes import __version__


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; ``room`` is the module that has the one chosen."""
    top = argparse.ArgumentParser(
        prog="mlnotes", description="Statistical machine learning where a theorem is executable."
    )
    top.add_argument("--version", action="version", version=f"mlnotes {__version__}")
    top.set_defaults(room=None)
    commands = top.add_subparsers(title="commands", metavar="COMMAND")

    def add(room: str, name: str, help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=help)
        command.set_defaults(room=room, command=name)
        return command

    command = add("theorems", "verify", "check claims against the library, or against FILE")
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

    command = add("theorems", "errata", "list what the notes print and what is right")
    command.add_argument("topics", nargs="*", metavar="TOPIC")
    command.add_argument("--json", action="store_true", help="print a list of records")

    command = add("pictures", "figures", "draw the figures that are out of date")
    command.add_argument("names", nargs="*", metavar="NAME", help="figures (default: all that are stale)")
    command.add_argument("--all", action="store_true", help="also those that are up to date")
    command.add_argument("--format", metavar="EXT", help="one format, such as pdf, instead of svg and png")
    command.add_argument("--folder", default="figures", metavar="DIR", help="default: figures")
    command.add_argument("--jobs", type=_count(1), metavar="N", help="processes (default: one a core)")

    command = add(
        "homework",
        "handout",
        "write the student's notebook of an assignment, or a master without its solutions",
    )
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

    command = add("homework", "exam", "write a sheet with its own numbers for each student, and the key")
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

    command = add("homework", "check", "check your own homework; not a grade")
    command.add_argument("assignment", metavar="ID|FILE")
    command.add_argument("file", metavar="SUBMISSION", help="a .py or .ipynb file")
    command.add_argument("--save", type=Path, metavar="FILE.npz", help="keep an instance that fails")
    command.add_argument("--part", default="", metavar="NAME", help="whose (default: the first that fails)")
    command.add_argument("--force", action="store_true", help="overwrite FILE.npz")

    command = add("homework", "replay", "ask an instance again that 'check --save' kept")
    command.add_argument("instance", type=Path, metavar="FILE.npz")
    command.add_argument("file", nargs="?", type=Path, metavar="SUBMISSION",
                         help="default: the file that was checked, here in a closed sandbox")  # fmt: skip
    command.add_argument("--assignment", metavar="FILE", help="where it is a homework of your own")

    levels = ("auto", "bubblewrap", "landlock", "jail", "limits")
    command = add("grading", "grade", "grade a folder of submissions in a sandbox")
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
        help="grade the assignment's own tests instead: FOLDER holds solution.py, wrong_*.py and wrong.diff",
    )

    command = add(
        "grading", "similar", "list submissions with the same structure after renaming; never a verdict"
    )
    command.add_argument("submissions", type=Path, metavar="FOLDER|ZIP")
    command.add_argument("--assignment", metavar="ID|FILE", help="what it hands out does not count")
    command.add_argument("--share", type=float, default=0.3, metavar="SHARE", help="at least (default 0.3)")
    command.add_argument("--places", type=_count(0), default=3, metavar="N", help="shown a pair (default 3)")

    add("grading", "doctor", "say which sandbox levels work here, and why")
    return top


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


def _count(minimum: int) -> Any:
    def integer(text: str) -> int:
        value = int(text)
        if value < minimum:
            raise argparse.ArgumentTypeError(f"must be at least {minimum}, got {value}")
        return value

    return integer
