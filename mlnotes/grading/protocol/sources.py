"""A submission as cells of source text: a script is one cell, a notebook as many as it has code cells."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import NamedTuple

from mlnotes.grading.results import clean, short

MAX_BYTES = 8 << 20  # of a script, or of a notebook without its outputs
MAX_NOTEBOOK = 64 << 20
MAX_CELLS = 5_000
MAX_CELL = 2_000_000  # characters of one cell
_PIECE = 60_000  # characters of one string that crosses
SUFFIXES = (".py", ".ipynb")
SCRIPT = "your file"
_PLAIN = rb"utf-?8|ascii|latin-?1|iso-?8859-?\d+|cp\d+|windows-\d+|gb\w+|big5|shift_jis|euc[-_]\w+|koi8-\w"
_CODING = re.compile(rb"(?:[^\n]*\n)?[ \t\f]*#.*?coding[:=][ \t]*(" + _PLAIN + rb")\s", re.IGNORECASE)


class SubmissionError(ValueError):
    """A file that nobody could read: a person decides what comes of it. The message is for the student."""


class Cell(NamedTuple):
    """A piece of source with the name that messages give it, such as "code cell 3 (def decide(joint):)"."""

    label: str
    source: str

    def pieces(self) -> list[str]:
        """Return the source in strings that may cross the process boundary."""
        return [self.source[start : start + _PIECE] for start in range(0, len(self.source), _PIECE)]


class Source(NamedTuple):
    """A submission: its cells, and what was odd about the file."""

    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()


def suffix(name: str) -> str:
    """Return the suffix of a submission in small letters, empty if the name is not one's."""
    return next((known for known in SUFFIXES if name.lower().endswith(known)), "")


def limit(name: str) -> int:
    """Return how many bytes a file of that name may have; a notebook's outputs are dropped after reading."""
    return MAX_NOTEBOOK if suffix(name) == ".ipynb" else MAX_BYTES


def read(path: Path) -> bytes:
    """Return the bytes of a submission; a SubmissionError if it is no regular file, or too large."""
    if path.is_symlink() or not path.is_file():
        raise SubmissionError("the submission is not a regular file")
    most = limit(path.name)
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        more = "; remove the outputs of the notebook" if suffix(path.name) == ".ipynb" else ""
        raise SubmissionError(f"the file has more than {most >> 20} MiB{more}")
    return data


def parse(data: bytes, name: str, label: str = SCRIPT) -> Source:
    """Return the cells of a script or notebook called `name`; a SubmissionError if the bytes are neither.

    Messages call a script `label`: in a class not by its name, since equal files are run once, for several
    students.
    """
    if suffix(name) == ".ipynb":
        cells, notes = _notebook(data)
    else:
        cells, notes = (Cell(clean(label)[:80], _decoded(data)),), ()
    if sum(len(cell.source) for cell in cells) > MAX_BYTES:
        raise SubmissionError(f"the file has more than {MAX_BYTES >> 20} MiB of code")
    long = next((cell.label for cell in cells if len(cell.source) > MAX_CELL), None)
    if long is not None:
        raise SubmissionError(f"{long} has more than {MAX_CELL} characters of code")
    return Source(cells, notes)


def _decoded(data: bytes) -> str:
    coding = _CODING.match(data[:400])
    encodings = [coding[1].decode()] if coding else []
    encodings += ["utf-8", "utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8"]
    text = data.decode("latin-1")  # which holds for every file
    for encoding in encodings:
        with contextlib.suppress(ValueError, LookupError):
            text = data.decode(encoding)
            break
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _notebook(data: bytes) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    try:
        notebook = json.loads(_decoded(data))
    except (ValueError, RecursionError):
        raise SubmissionError("the notebook is not valid JSON; save it again in Jupyter") from None
    except MemoryError:
        raise SubmissionError("the notebook is too large to be read; remove its outputs") from None
    listed = _cells(notebook)
    if listed is None:
        raise SubmissionError("the notebook has no list of cells")
    cells: list[Cell] = []
    odd = 0
    for cell in listed[:MAX_CELLS]:
        if not isinstance(cell, dict):
            odd += 1
            continue
        source = cell.get("source", cell.get("input", ""))
        text = "".join(map(str, source)) if isinstance(source, list) else source
        if cell.get("cell_type") == "code" and isinstance(text, str) and text.strip():
            text = text.encode("utf-8", "replace").decode().replace("\r\n", "\n")  # without surrogates
            begins = short(text.strip().splitlines()[0], 40)  # Jupyter shows no numbers of cells
            cells.append(Cell(f"code cell {len(cells) + 1} ({begins})", text))
    notes = [f"{odd} damaged cell{'s were' if odd > 1 else ' was'} left out"] if odd else []
    if len(listed) > MAX_CELLS:
        notes.append(f"only the first {MAX_CELLS} of {len(listed)} cells were read")
    return tuple(cells), tuple(notes)


def _cells(notebook: object) -> list | None:
    if not isinstance(notebook, dict):
        return None
    sheets = notebook.get("worksheets")  # notebooks of format 3
    if isinstance(sheets, list) and sheets and isinstance(sheets[0], dict):
        notebook = sheets[0]
    cells = notebook.get("cells")
    return cells if isinstance(cells, list) else None
