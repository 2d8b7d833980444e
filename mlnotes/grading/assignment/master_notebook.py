"""The student's version of a master notebook or script: what stands between the marks is taken out.

Marks, as otter assign and nbgrader know them; spaces and the number of ``#`` are free::

    # BEGIN SOLUTION                     the block becomes ...
    # BEGIN SOLUTION NO PROMPT           the block goes
    # END SOLUTION
    ### BEGIN SOLUTION                   the block becomes # YOUR CODE HERE and raise NotImplementedError()
    ### END SOLUTION
    x = 3  # SOLUTION                    becomes x = ...
    x = 3  # SOLUTION NO PROMPT          goes, as a line with # SEED does
    ### BEGIN HIDDEN TESTS               the block goes
    ### END HIDDEN TESTS
"""

from __future__ import annotations

import json
import re
from pathlib import Path

_MARK = re.compile(
    r"(?P<indent>\s*)(?P<hashes>#+)\s*(?P<edge>BEGIN|END) (?P<what>SOLUTION|HIDDEN TESTS)"
    r"(?P<bare> NO PROMPT)?\s*"
)
_LINE = re.compile(r"(?P<code>.*?)\s*#+ SOLUTION(?P<bare> NO PROMPT)?\s*")
_SEED = re.compile(r".*#+ SEED\s*")
_ASSIGNED = re.compile(r"(?P<left>\s*[\w.\[\], '\"]+?(: [\w.\[\], |]+)?\s*=)(?!=).*")
_RETURNED = re.compile(r"(?P<left>\s*(return|yield)\b).*")


def is_master(name: str) -> bool:
    """Return whether a name is that of a notebook, or of a script with marks."""
    path = Path(name)
    if path.suffix != ".py" or not path.is_file():
        return path.suffix == ".ipynb"
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return any(_MARK.fullmatch(line) or _LINE.fullmatch(line) for line in lines)


def student_version(path: Path) -> str:
    """Return the text of the student's version of a master notebook or script.

    A ValueError names the cell and line of marks that are nested, unclosed or do not match. It says as well
    that there are none: then the solution would be handed out.
    """
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        version = _notebook(text, path)
    elif path.suffix == ".py":
        version = stripped(text, str(path))
    else:
        raise ValueError(f"a master must be a .py or .ipynb file, got {str(path)!r}")
    if version == text:
        raise ValueError(
            f"{path} has no marks such as # BEGIN SOLUTION; its student's version would be itself"
        )
    return version


def _notebook(text: str, path: Path) -> str:
    try:
        notebook = json.loads(text)
        cells = notebook["cells"]
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{path} is not a notebook of format 4") from None
    changed = False
    for number, cell in enumerate(cells, 1):
        source = "".join(cell["source"])
        version = stripped(source, f"{path}, cell {number}")
        if version != source:
            changed = True
            cell["source"] = version.splitlines(keepends=True)
        if cell.get("cell_type") == "code" and (version != source or cell.get("outputs")):
            cell["outputs"], cell["execution_count"] = [], None  # outputs may show the solution's
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n" if changed else text


def stripped(source: str, where: str) -> str:
    """Return source text without what the marks enclose; `where` begins the message of an error."""
    lines: list[str] = []
    begin, first = None, 0
    for number, line in enumerate(source.splitlines(keepends=True), 1):
        mark = _MARK.fullmatch(line)
        if mark is None:
            if begin is None:
                lines += _line(line)
        elif mark["edge"] == "BEGIN":
            if begin is not None:
                raise ValueError(
                    f"{where}, line {number}: {mark['what']} begins inside the block of line {first}"
                )
            begin, first = mark, number
        elif begin is None or begin["what"] != mark["what"]:
            raise ValueError(f"{where}, line {number}: END {mark['what']} without its BEGIN")
        else:
            lines += _prompt(begin)
            begin = None
    if begin is not None:
        raise ValueError(f"{where}, line {first}: BEGIN {begin['what']} is never closed")
    return "".join(lines)


def _prompt(mark: re.Match[str]) -> list[str]:
    """Return the lines that stand for a block."""
    if mark["bare"] or mark["what"] == "HIDDEN TESTS":
        return []
    if len(mark["hashes"]) == 1:
        return [f"{mark['indent']}...\n"]
    return [f"{mark['indent']}# YOUR CODE HERE\n", f"{mark['indent']}raise NotImplementedError()\n"]


def _line(line: str) -> list[str]:
    match = _LINE.fullmatch(line.rstrip("\n"))
    if _SEED.fullmatch(line.rstrip("\n")) or (match and match["bare"]):
        return []
    if match is None:
        return [line]
    code = match["code"]
    start = _ASSIGNED.fullmatch(code) or _RETURNED.fullmatch(code)
    indent = code[: len(code) - len(code.lstrip())]
    return [f"{start['left']} ...\n" if start else f"{indent}...\n"]
