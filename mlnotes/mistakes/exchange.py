"""Mistakes that are a line or two of right code: the lines that are exchanged, `-` and `+`.

Each entry of such a file names what it changes and says the mistake; its lines stand once in the right code::

    @@ Perceptron.predict: Answers a score of zero with the first class. Kills: predict.
    -            return self.classes_[np.where(scores >= 0, 1, 0)]
    +            return self.classes_[np.where(scores > 0, 1, 0)]

An entry without ``-`` changes the lines of the entry before it; where it begins with ``def``, ``class`` or
``import``, it comes behind the right code and takes the place of what it defines. Definitions that use the
changed one and are to be wrong with it follow its name: ``@@ boost, AdaBoost: ...``
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

__all__ = ["exchanged", "lines_of", "rebuilt"]


def exchanged(changes: str, right_of: Callable[[str], str]) -> Iterator[tuple[str, str, str, str]]:
    """Yield the name, the description, the right and the wrong code of each entry.

    ``right_of(name)`` is the code in which the lines of an entry of that name stand.

    Raises
    ------
    ValueError
        If lines do not stand once there, or none is changed.
    """
    before = ""
    for change in re.split("^@@ ", changes, flags=re.M)[1:]:
        name, _, described = re.split(r"\n[-+]", change)[0].partition(": ")
        right = wrong = f"\n{right_of(name)}\n"
        for minus, plus in re.findall(r"((?:^-.*\n)+|(?=^\+))((?:^\+.*\n)*)", change, re.M):
            if not minus and re.match(r"\+(?:def|class|import) ", plus):
                wrong += "\n\n" + re.sub("^.", "", plus, flags=re.M)
                continue
            before = minus or before
            old, new = (re.sub("^.", "", part, flags=re.M) for part in (before, plus))
            if wrong.count(f"\n{old}") != 1:
                raise ValueError(f"{name} changes {old!r}, which must stand once in the right code")
            wrong = wrong.replace(f"\n{old}", f"\n{new}")
        if wrong == right:
            raise ValueError(f"{name} changes no line of the right code")
        yield name, " ".join(described.split()), right, wrong


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
