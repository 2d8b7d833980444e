"""Files that execute strings, or carry code in a string: a grader runs them, and no comparison reads them.

No verdict: an honest file may do so. The sandbox confines what such code does; here it is only named, so that
somebody looks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mlnotes.grading.protocol import sources
from mlnotes.grading.protocol.worker import strip_magics

_EXECUTES = ("exec", "eval", "compile", "__import__", "execfile", "run_cell", "run_code", "runsource")
_METHODS = ("run_cell", "run_code", "runsource")  # of objects; pandas' and PyTorch's eval are others
_UNPACKS = (
    "b16decode",
    "b32decode",
    "b64decode",
    "b85decode",
    "a85decode",
    "decodebytes",
    "unhexlify",
    "decompress",
    "loads",
    "CodeType",
)
_PACKERS = (
    "base64",
    "binascii",
    "codecs",
    "marshal",
    "pickle",
    "dill",
    "zlib",
    "gzip",
    "bz2",
    "lzma",
    "types",
)
_PACKED = re.compile(r"[A-Za-z0-9+/_=-]{200,}|(?:\\x[0-9a-f]{2}|[0-9a-f]{2}){200,}")
_LINES = 3  # of code in a string, from which on it is named


@dataclass(frozen=True)
class Odd:
    """A place of a submission and what happens there, such as "executes a string (exec)"."""

    student: str
    place: str
    words: str


def odd(files: Mapping[str, Path]) -> list[Odd]:
    """Return where submissions execute strings or carry code in one, in the order of students and lines.

    What cannot be read as Python is left out.
    """
    places = []
    for student, path in sorted(files.items()):
        try:
            cells = sources.parse(sources.read(path), path.name).cells
        except (sources.SubmissionError, OSError):
            continue
        places += [Odd(student, place, words) for place, words in of_cells(cells)]
    return places


def of_cells(cells: Iterable[sources.Cell]) -> Iterator[tuple[str, str]]:
    """Yield the place and what happens there, a line a place."""
    cells = list(cells)
    for cell in cells:
        try:
            tree = ast.parse(strip_magics(cell.source)[0])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        where = "" if len(cells) == 1 else f"{cell.label}, "
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
        told = {(node.lineno, words) for node in nodes if (words := _words(node))}
        yield from ((f"{where}line {line}", words) for line, words in sorted(told))


def _words(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _called(node.func)
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        return _held(node.value)
    return ""


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Name) and function.id in _EXECUTES:
        return f"executes a string ({function.id})"
    if isinstance(function, ast.Name) and function.id in _UNPACKS:
        return f"unpacks what may be code ({function.id})"
    if not isinstance(function, ast.Attribute):
        return ""
    owner = ast.unparse(function.value)
    if function.attr in _METHODS or (function.attr in _EXECUTES and "builtin" in owner):
        return f"executes a string ({function.attr})"
    if function.attr in _UNPACKS and owner in _PACKERS:
        return f"unpacks what may be code ({owner}.{function.attr})"
    return ""


def _held(value: str | bytes) -> str:
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    if text in _EXECUTES:
        return f"names {text} in a string"
    if _PACKED.search(text):
        return f"holds {len(text)} characters of packed data"
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        statements = ast.parse(text).body if len(lines) >= _LINES else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    if any(not isinstance(item, (ast.Expr, ast.AnnAssign)) for item in statements):
        return f"holds {len(lines)} lines of code in a string"
    return ""
