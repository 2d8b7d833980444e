"""The file of an instructor's own assignment as students may have it, for their checks.

Model solution, mistakes and rubrics go, with every definition that only they use, and all comments. The
claims stay: they are what decides. What is left is loaded and searched before anybody gets it.
"""

from __future__ import annotations

import ast
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

from mlnotes.grading.assignment.parts import Assignment, load, split_variant

_SECRET = ("solution", "mutants", "rubric")
_HOLDS_THEM = ("Assignment", "Part", "replace")
_NAME = "assignment"
_IMPORTS = (ast.Import, ast.ImportFrom)
_TELLING = 12  # characters of a secret text that no other text has by chance


def public(path: Path) -> str:
    """Return the source of an assignment without what students must not have.

    A ValueError says that something secret would be left, or that the rest cannot be loaded by itself.
    """
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in _HOLDS_THEM:
            node.keywords = [keyword for keyword in node.keywords if keyword.arg not in _SECRET]
    tree.body = _needed(tree.body)
    secrets = [text for text in map(_plain, _secrets(load(str(path)))) if len(text) >= _TELLING]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text, code = _plain(node.value), _is_code(node.value)
            if any(secret in text or (code and text in secret) for secret in secrets):
                raise ValueError(
                    f"{path}, line {node.lineno}: students would get this text of a solution, a mistake or a "
                    "rubric; give such texts as keywords of Assignment and Part only"
                )
    source = ast.unparse(tree) + "\n"
    _try(source, path)
    return source


def public_name(id: str) -> str:
    """Return what the public file of an assignment is called in feedback, with its variant."""
    name, variant = split_variant(id)
    return f"{name}_check.py{variant}"


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "id", "") or getattr(call.func, "attr", ""))


def _needed(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements that the assignment is made of: imports, and definitions that lead to it."""
    wanted, parts = {_NAME}, set[int]()
    while True:
        new = [
            number
            for number, item in enumerate(body)
            if number not in parts and not isinstance(item, _IMPORTS) and _names(item) & wanted
        ]
        if not new:
            break
        parts |= set(new)
        wanted |= {name for number in new for name in _used(body[number])}
    for item in body:
        if isinstance(item, _IMPORTS) and getattr(item, "module", "") != "__future__":
            item.names = [a for a in item.names if (a.asname or a.name).partition(".")[0] in {*wanted, "*"}]
    return [item for n, item in enumerate(body) if n in parts or (isinstance(item, _IMPORTS) and item.names)]


def _used(item: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(item) if isinstance(node, ast.Name)}


def _names(item: ast.stmt) -> set[str]:
    """Return the names that a statement at the top binds or changes; none for one that only acts."""
    if isinstance(item, (ast.FunctionDef, ast.ClassDef)):
        return {item.name}
    if isinstance(item, ast.If) and "__name__" in _used(item.test):  # what runs it as a script
        return set()
    if isinstance(item, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = item.targets if isinstance(item, ast.Assign) else [item.target]
        return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
    return {
        name for inner in ast.iter_child_nodes(item) if isinstance(inner, ast.stmt) for name in _names(inner)
    }


def _secrets(assignment: Assignment) -> Iterator[str]:
    yield assignment.solution
    for mutant in assignment.mutants:
        yield from (mutant.source, mutant.sentence)
    for part in assignment.parts:
        yield part.rubric
    if isinstance(assignment.variants, Mapping):
        for variant in assignment.variants.values():
            yield from _secrets(variant)


def _is_code(text: str) -> bool:
    """Whether a text is Python that defines something: names and docstrings may be in a solution too."""
    try:
        statements = ast.parse(textwrap.dedent(text)).body
    except (SyntaxError, ValueError):
        return False
    return any(not isinstance(item, ast.Expr) for item in statements)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _try(source: str, path: Path) -> None:
    """Load what students get where nothing else of the instructor's lies."""
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder, path.name)
        alone.write_text(source, "utf-8")
        try:
            handout = load(str(alone))
        except Exception as error:
            raise ValueError(
                f"{path} without its solutions does not load: {type(error).__name__}: {error}; "
                "claims and questions must not use the solution, nor files beside it"
            ) from error
    if any(_secrets(handout)):
        raise ValueError(
            f"{path}: a solution, a mistake or a rubric is still there; give them as keywords "
            "(solution=, mutants=, rubric=) of Assignment and Part"
        )
