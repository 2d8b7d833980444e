"""Generated mutants: one operator, constant, comparison, axis or bound is changed; does anything notice?

``python -m tests.generated mlnotes/pca.py --sample 40`` changes the file at 40 places, one at a time, in
memory. It asks the claims of the topic on both sides first, then the agreement tests, and lists survivors.
Known equivalent ones stand in ``tests/equivalents.txt``: ``file | before -> after | reason``.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib.abc
import importlib.util
import os
import random
import resource
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENTS = ROOT / "tests" / "equivalents.txt"
TOPICS = (
    *("bayes", "evaluation", "neighbors", "discriminant", "logistic", "descent", "perceptron"),
    *("duality", "svm", "density", "naive_bayes", "tree", "ensemble", "pca"),
)

OPERATORS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
NAMES = {"min": "max", "argmin": "argmax", "minimum": "maximum"}
NAMES |= {"any": "all", "floor": "ceil", "zeros": "ones"}
NAMES |= {other: name for name, other in NAMES.items()}
Place = tuple[int, str, object]  # number of the node in the walk, field, new value
HOLDS, CLAIM, AGREEMENT, TEST, LATE = range(5)
WORDS = ("SURVIVES", "claim", "agreement", "test", "too slow")


def places(tree: ast.Module) -> Iterator[Place]:
    """Yield every change of one place."""
    nodes = list(ast.walk(tree))
    silent = {id(inner) for node in nodes for part in not_code(node) for inner in ast.walk(part)}
    for number, node in enumerate(nodes):
        if id(node) not in silent:
            yield from ((number, field, value) for field, value in changes(node))


def not_code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what no run depends on: messages, annotations, decorators, docstrings, tables of names."""
    if isinstance(node, (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom)):
        yield node
    if isinstance(node, ast.arg) and node.annotation:
        yield node.annotation
    if isinstance(node, ast.AnnAssign):
        yield node.annotation
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield from node.decorator_list
        if isinstance(node, ast.FunctionDef) and node.returns:
            yield node.returns
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("warn", "TypeVar"):
        yield node
    if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
        yield node


def changes(node: ast.AST) -> Iterator[tuple[str, object]]:
    """Yield (field, new value) of one node."""
    if isinstance(node, ast.Compare):
        for new in OPERATORS.get(type(node.ops[0]), ()):
            yield "ops", [new(), *node.ops[1:]]
    elif isinstance(node, (ast.BinOp, ast.BoolOp, ast.AugAssign)):
        for new in OPERATORS.get(type(node.op), ()):
            yield "op", new()
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "value", not node.value
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield from (("value", node.value + step) for step in (1, -1))
    elif isinstance(node, ast.Constant) and isinstance(node.value, float):
        yield "value", node.value * 2 if node.value else 1.0
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield "attr", NAMES[node.attr]
    elif isinstance(node, ast.Name) and node.id in NAMES and isinstance(node.ctx, ast.Load):
        yield "id", NAMES[node.id]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
        yield "op", ast.UAdd() if isinstance(node.op, ast.USub) else ast.Invert()


def mutated(tree: ast.Module, place: Place) -> tuple[ast.Module, str, int]:
    """Return the changed tree, the change in words, and its line."""
    number, field, value = place
    changed = copy.deepcopy(tree)
    old, new = list(ast.walk(tree))[number], list(ast.walk(changed))[number]
    setattr(new, field, value)
    if isinstance(getattr(new, "op", None), ast.Invert):  # `not x`: the test is dropped
        new.op = ast.Not()  # type: ignore[attr-defined]
        new.operand = ast.UnaryOp(ast.Not(), new.operand)  # type: ignore[attr-defined]
    ast.fix_missing_locations(changed)
    statement = next(s for s in reversed(statements(tree)) if any(node is old for node in ast.walk(s)))
    after = next(s for s, t in zip(statements(changed), statements(tree), strict=True) if t is statement)
    before, then = (ast.unparse(s).splitlines()[0] for s in (statement, after))
    if before == then:  # deeper in a statement of many lines
        before, then = ast.unparse(old), ast.unparse(new)
    return changed, f"{before} -> {then}", old.lineno  # type: ignore[attr-defined]


def statements(tree: ast.Module) -> list[ast.stmt]:
    """Return all statements, outer ones before what they contain."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from a changed tree."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name, self.path, self.tree = name, path, tree

    def find_spec(self, name, path=None, target=None):
        if name == self.name:
            return importlib.util.spec_from_file_location(name, self.path, loader=self)
        return None

    def exec_module(self, module):
        exec(compile(self.tree, str(self.path), "exec"), module.__dict__)


def verdict(topics: list[str], tests: bool) -> int:
    """Return by what the modules as they are now are rejected."""
    from mlnotes import claims

    for topic in topics:
        for item in claims.of(topic):
            if item.check and any(not item.verify(side=side).holds for side in item.sides()):
                return CLAIM
    stages = [(AGREEMENT, [ROOT / f"tests/agreement/test_{topic}.py" for topic in topics])]
    if tests:
        stages.append((TEST, [ROOT / f"tests/test_{topic}.py" for topic in topics]))
    for status, files in stages:
        files = [str(file) for file in files if file.exists()]
        if files and passes(files) != 0:
            return status
    return HOLDS


def passes(files: list[str]) -> int:
    """Return pytest's exit status."""
    import pytest

    return int(
        pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly", *files])
    )


def attempt(module: str, path: Path, tree: ast.Module, topics: list[str], tests: bool, limit: float) -> int:
    """Run the verdict in a process of its own, without output."""
    if (child := os.fork()) == 0:
        status = CLAIM
        with contextlib.suppress(BaseException):
            signal.alarm(int(limit) + 1)
            resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            warnings.simplefilter("ignore")
            sys.meta_path.insert(0, Changed(module, path, tree))
            status = verdict(topics, tests)
        os._exit(status)
    _, code = os.waitpid(child, 0)
    return LATE if os.WIFSIGNALED(code) else os.WEXITSTATUS(code)


def topics_of(path: Path) -> list[str]:
    """Return the topics whose claims speak of a file; trees are also what ensembles are made of."""
    stem = {"boosting": "ensemble"}.get(path.stem, path.stem)
    topic = max((t for t in TOPICS if f"{stem}_".startswith(f"{t}_")), key=len)
    return ["tree", "ensemble"] if topic == "tree" and path.parent.name == "engines" else [topic]


def main() -> None:
    """Change a file at a sample of places, and list what survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.generated", description=main.__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--sample", type=int, default=30, metavar="N", help="places a file (default 30)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="chooses the places (default 0)")
    parser.add_argument("--tests", action="store_true", help="ask tests/test_TOPIC.py too")
    arguments = parser.parse_args()
    known = {tuple(part.strip() for part in line.split("|")[:2]) for line in lines(EQUIVALENTS)}
    for path in arguments.files:
        report(path, arguments, known)


def lines(path: Path) -> list[str]:
    """Return the lines of a file that may not exist."""
    return path.read_text("utf-8").splitlines() if path.exists() else []


def report(path: Path, arguments: argparse.Namespace, known: set) -> None:
    """Print the survivors of a file, and how many were rejected by what."""
    path = path.resolve()
    name = path.relative_to(ROOT).as_posix()
    module, topics = name.removesuffix(".py").replace("/", "."), topics_of(path)
    tree = ast.parse(path.read_text("utf-8"))
    start = time.monotonic()
    if (status := attempt(module, path, tree, topics, arguments.tests, 600)) != HOLDS:
        raise SystemExit(f"{name}: not even the file as it is passes ({WORDS[status]})")
    limit = 5 + 5 * (time.monotonic() - start)
    every = list(places(tree))
    random.Random(arguments.seed).shuffle(every)
    count: Counter[str] = Counter()
    for place in every[: arguments.sample]:
        changed, words, line = mutated(tree, place)
        if (name, words) in known:
            count["equivalent"] += 1
            continue
        status = attempt(module, path, changed, topics, arguments.tests, limit)
        count[WORDS[status]] += 1
        if status == HOLDS:
            print(f"SURVIVES  {name}:{line} | {words}", flush=True)
    print(f"{name}: {', '.join(f'{n} {word}' for word, n in sorted(count.items()))} of {len(every)} places")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
