"""Mistakes that are a line or two of right code: the lines that are exchanged, `-` and `+`.

Each entry of such a file names what it changes and says the mistake; its lines stand once in the right code::

    @@ Perceptron.predict: Predicts the first class at a score of zero. Kills: predict.
    -            return self.classes_[np.where(scores >= 0, 1, 0)]
    +            return self.classes_[np.where(scores > 0, 1, 0)]

An entry without ``-`` changes the lines of the entry before it; where it begins with ``def``, ``class`` or
``import``, it comes behind the right code and takes the place of what it defines. Definitions that use the
changed one and are to be wrong with it follow its name: ``@@ boost, AdaBoost: ...``

Lines are compared by their tokens: comments, spaces and line breaks inside a statement do not matter.
"""

from __future__ import annotations

import ast
import bisect
import functools
import itertools
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["Entry", "entries", "lines_of", "rebuilt"]


@dataclass(frozen=True)
class Entry:
    """One mistake as a file of exchanged lines describes it.

    Attributes
    ----------
    place : str
        File and name, for messages.
    name : str
        What is changed: "f", "Class.method", or several, "f, g".
    described : str
        The sentence, with the claims that must reject it.
    exchanges : tuple of pairs of str
        The right lines and the wrong ones; "" for right lines where the wrong ones come behind the code.
    """

    place: str
    name: str
    described: str
    exchanges: tuple[tuple[str, str], ...]

    def wrong(self, right: str) -> str:
        """Return the right code with the lines exchanged.

        Raises
        ------
        ValueError
            If lines do not stand once in it, or none is changed.
        """
        wrong = right
        for old, new in self.exchanges:
            wrong = _exchange(wrong, old, new, self.place) if old else f"{wrong}\n\n\n{new}"
        if wrong == right:
            raise ValueError(f"{self.place}: the entry changes no line of the right code")
        return wrong


def entries(changes: str, file: str) -> Iterator[Entry]:
    """Yield the entries of a file of exchanged lines, in order; nothing is looked up in the right code."""
    before = ""
    for change in re.split("^@@ ", changes, flags=re.M)[1:]:
        name, _, described = re.split(r"\n[-+]", change)[0].partition(": ")
        exchanges = []
        for minus, plus in re.findall(r"((?:^-.*\n)+|(?=^\+))((?:^\+.*\n)*)", f"{change}\n", re.M):
            old, new = (re.sub("^.", "", part, flags=re.M) for part in (minus, plus))
            if not old and re.match(r"(?:def|class|import) ", new):
                exchanges.append(("", new))
                continue
            before = old or before
            exchanges.append((before, new))
        words = " ".join(described.split())
        yield Entry(
            f"{file}, entry '{name}: {words.partition(' Kills: ')[0]}'", name, words, tuple(exchanges)
        )


def _exchange(code: str, old: str, new: str, place: str) -> str:
    """Exchange the lines `old`, which stand once in the code."""
    tokens, wanted = _tokens(code), [token for token, *_ in _tokens(old)]
    found = [
        (tokens[i][1], tokens[i + len(wanted) - 1][2])
        for i in range(len(tokens) - len(wanted) + 1)
        if [token for token, *_ in tokens[i : i + len(wanted)]] == wanted
    ]
    lines = code.split("\n")
    starts = [0, *itertools.accumulate(len(line) + 1 for line in lines)]
    spans = []  # first and last line of each place that begins and ends with a line
    for begin, end in found:
        first, last = bisect.bisect_right(starts, begin) - 1, bisect.bisect_right(starts, end - 1) - 1
        before, after = code[starts[first] : begin], code[end : starts[last + 1] - 1]
        if not before.strip() and not _tokens(after):
            spans.append((first, last))
    if len(spans) != 1:
        times = f"found {len(spans)} times in" if spans else "not found in"
        raise ValueError(f"{place}: this line was {times} the right code (was it edited?): {old.strip()}")
    ((first, last),) = spans
    wrong = _moved(new, _indentation(lines[first]) - _indentation(old)) if new else []
    return "\n".join([*lines[:first], *wrong, *lines[last + 1 :]])


def _indentation(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _moved(text: str, spaces: int) -> list[str]:
    """Return the lines of a text, moved to the right, or to the left by a negative number of spaces."""
    lines = text.rstrip("\n").split("\n")
    return [" " * spaces + line if spaces > 0 else line[-spaces:] for line in lines]


_TOKEN = re.compile(
    r"""(?P<string>[rbfuRBFU]{0,2}(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
        |(?P<space>\s+|\#[^\n]*)|(?P<word>\w+)|(?P<sign>.)""",
    re.DOTALL | re.VERBOSE,
)


@functools.lru_cache(maxsize=64)
def _tokens(code: str) -> list[tuple[str, int, int]]:
    """Return the tokens of a piece of code, which need not parse, with where each begins and ends."""
    found = _TOKEN.finditer(code)
    return [(match[0], match.start(), match.end()) for match in found if match.lastgroup != "space"]


@functools.cache
def lines_of(source: str, name: str) -> str:
    """Return the lines of a definition: of a function, a class or ``Class.method``, the first of several.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    node: Any = ast.parse(source)
    for part in name.partition(", ")[0].split("."):
        node = {getattr(inner, "name", ""): inner for inner in node.body}.get(part)
        if node is None:
            raise ValueError(f"{name} is changed, which the right code does not define")
    return "\n".join(source.split("\n")[node.lineno - 1 : node.end_lineno])


def rebuilt(source: str, name: str, asked: Collection[str], names: dict[str, Any]) -> dict[str, Any]:
    """Return what `source`, a changed module, makes of a name; `names` are those of the right module.

    `name` may be several, "f, g". If none is asked for, the answer is all that is asked for and uses it,
    directly or not.
    """
    statements = [(statement, _bound(statement)) for statement in ast.parse(source).body]
    reached = changed = {part.partition(".")[0] for part in name.split(", ")}
    while not changed.intersection(asked):
        users = reached.union(*(bound for statement, bound in statements if reached & _words(statement)))
        if users == reached:
            break
        reached = users
    body = [statement for statement, bound in statements if bound & reached]
    names = dict(names)
    exec(compile(ast.Module(body, []), "<mistake>", "exec"), names)
    return {word: names[word] for word in sorted(reached.intersection(asked))}


def _bound(statement: Any) -> set[str]:
    if hasattr(statement, "name"):
        return {statement.name}
    return set().union(*map(_words, getattr(statement, "targets", [])))


def _words(statement: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
