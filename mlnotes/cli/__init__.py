"""The command ``mlnotes``: arguments in, calls to the library, tables or JSON out.

Exit status: 0 all is well, 1 a claim fails, 2 wrong usage, 3 something could not be graded, 130 interrupted.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from mlnotes.cli.arguments import parser

OK, FAILS, USAGE, UNGRADED, INTERRUPTED = 0, 1, 2, 3, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, a function of its name in one of the modules here, and return its exit status."""
    commands = parser()
    arguments = commands.parse_args(argv)
    if arguments.room is None:
        commands.print_help()
        return USAGE
    try:
        room = importlib.import_module(f"mlnotes.cli.{arguments.room}")
        status: int = getattr(room, arguments.command)(arguments)
        return status
    except KeyboardInterrupt:
        print(f"mlnotes {arguments.command}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except (ValueError, OSError, RuntimeError, ModuleNotFoundError) as error:
        if isinstance(error, BrokenPipeError):  # the reader, such as head, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return OK
        print(f"mlnotes {arguments.command}: {error}", file=sys.stderr)
        return USAGE
