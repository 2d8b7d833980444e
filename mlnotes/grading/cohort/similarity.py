"""Pairs of submissions with the same structure after renaming: a list to look at, never a verdict.

Tokens are renamed (every name of the student's to one letter, numbers and strings to others; comments and
docstrings go), every window of ``TOKENS`` of them is hashed, and of every ``WINDOW`` successive hashes the
least is kept. Two files that share ``WINDOW + TOKENS - 1`` successive tokens share a fingerprint for certain.

References
----------
Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003.
"""

from __future__ import annotations

import functools
import hashlib
import io
import keyword
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from mlnotes.grading.protocol import sources

TOKENS, WINDOW = 14, 8
_COMMON = 0.5  # a fingerprint in more than this share of a class of at least _CLASS is the handout's
_CLASS = 6
_LEAST = 8  # fingerprints in common, below which a pair is chance
_ROUGH = re.compile(r"[^\W\d]\w*|\d[\w.]*|\S")
_STRINGS = {kind for kind, name in tokenize.tok_name.items() if "STRING" in name}  # whatever their quotes
_SKIPPED = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER, tokenize.NEWLINE)
_BEFORE_A_STATEMENT = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)

Fingerprints = Mapping[int, tuple[str, ...]]


@dataclass(frozen=True)
class Pair:
    """Two files and what they share.

    They are called by their students; the second may be a file that everybody can read or the model solution.
    """

    first: str
    second: str
    share: float  # common fingerprints over those of the smaller file, between 0 and 1
    common: int  # how many fingerprints are common
    places: tuple[tuple[str, str], ...]  # where, in each of the two


def similar(
    files: Mapping[str, Path],
    *,
    share: float = 0.3,
    handout: str = "",
    solution: str = "",
    library: Mapping[str, Path] | None = None,
) -> list[Pair]:
    """Return the pairs whose common share is at least `share`, largest first.

    What cannot be read is left out; what the source of the `handout` holds, or most of a class has, does not
    count. `solution` is the source of a model solution, `library` are files that everybody can read.
    """
    if not 0 < share <= 1:
        raise ValueError(f"share must be above 0 and at most 1, got {share}")
    students = {name: student for name, path in files.items() if (student := _of_file(path))}
    short = sorted(name for name in files if len(students.get(name, ())) < _LEAST)  # too short to compare
    given = set(fingerprints([sources.Cell("", handout)])) | _common(students)
    students = {name: _without(marks, given) for name, marks in students.items()}
    known = {name: _without(_of_known(path), given) for name, path in (library or {}).items()}
    if solution:
        known["the model solution"] = _without(fingerprints([sources.Cell("", solution)]), given)
    pairs = [(a, b, students[a], students[b]) for a, b in combinations(sorted(students), 2)]
    pairs += [(a, b, students[a], known[b]) for a in sorted(students) for b in sorted(known)]
    compared = (_pair(*pair, against_library=pair[1] in known) for pair in pairs)
    enough = [pair for pair in compared if pair is not None and pair.share >= share]
    enough += [Pair(a, b, 1.0, 0, ()) for a, b in combinations(short, 2) if _the_same(files[a], files[b])]
    return sorted(enough, key=lambda pair: (-pair.share, pair.first, pair.second))


def _the_same(first: Path, second: Path) -> bool:
    """Whether two files are equal to the byte, and not empty."""
    sizes = first.stat().st_size, second.stat().st_size
    return sizes[0] == sizes[1] > 0 and first.read_bytes() == second.read_bytes()


def _pair(a: str, b: str, first: Fingerprints, second: Fingerprints, *, against_library: bool) -> Pair | None:
    common = first.keys() & second.keys()
    if len(common) < _LEAST:
        return None
    smaller = len(first) if against_library else min(len(first), len(second))
    places = dict.fromkeys(
        (first[mark][0], second[mark][0]) for mark in sorted(common, key=lambda m: first[m])
    )
    return Pair(a, b, len(common) / smaller, len(common), tuple(places))


def _common(students: Mapping[str, Fingerprints]) -> set[int]:
    if len(students) < _CLASS:
        return set()
    counts = Counter(mark for marks in students.values() for mark in marks)
    return {mark for mark, count in counts.items() if count > _COMMON * len(students)}


def _without(marks: Fingerprints, given: set[int]) -> dict[int, tuple[str, ...]]:
    return {mark: places for mark, places in marks.items() if mark not in given}


def _of_file(path: Path) -> Fingerprints:
    try:
        return fingerprints(sources.parse(sources.read(path), path.name).cells)
    except (sources.SubmissionError, OSError):
        return {}


_of_known = functools.cache(_of_file)


def fingerprints(cells: Iterable[sources.Cell]) -> dict[int, tuple[str, ...]]:
    """Return the winnowed hashes of the token windows, each with the places where it stands.

    Linear in the number of tokens.
    """
    cells = list(cells)
    label = "line {1}" if len(cells) == 1 else "{0}, line {1}"
    tokens = [(word, label.format(cell.label, line)) for cell in cells for word, line in renamed(cell.source)]
    words = [word for word, _ in tokens]
    windows = ("\0".join(words[k : k + TOKENS]).encode() for k in range(len(words) - TOKENS + 1))
    hashes = [int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") for text in windows]
    chosen: dict[int, list[str]] = {}
    last = -1
    for start in range(len(hashes) - WINDOW + 1):
        least = min(range(start, start + WINDOW), key=lambda k: (hashes[k], -k))  # the rightmost least
        if least != last:
            chosen.setdefault(hashes[least], []).append(tokens[least][1])
            last = least
    return {mark: tuple(places) for mark, places in chosen.items()}


def renamed(source: str) -> list[tuple[str, int]]:
    """Return the tokens of Python source with their lines, every name, number and string as one letter.

    Source that Python cannot split (a notebook's magics, an open bracket) is split roughly.
    """
    try:
        pieces = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return [
            (_letter(word), number)
            for number, line in enumerate(source.splitlines(), 1)
            for word in _ROUGH.findall(line.partition("#")[0])
        ]
    tokens, before = [], tokenize.NEWLINE
    for token in pieces:
        starts = before in _BEFORE_A_STATEMENT
        before = token.type if token.type != tokenize.COMMENT else before
        if token.type in _SKIPPED or (token.type == tokenize.STRING and starts):  # a docstring
            continue
        tokens.append((_word(token), token.start[0]))
    return tokens


def _word(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NUMBER:
        return "0"
    if token.type in _STRINGS:
        return "s"
    if token.type in (tokenize.INDENT, tokenize.DEDENT):
        return tokenize.tok_name[token.type]
    return _letter(token.string)


def _letter(word: str) -> str:
    if not word.isidentifier():
        return "0" if word[:1].isdigit() else word
    return word if keyword.iskeyword(word) else "v"
