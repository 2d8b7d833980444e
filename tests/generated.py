"""Generated mutants: one operator, constant, comparison, axis or bound is changed; does anything notice?

``python -m tests.generated mlnotes/pca.py --sample 40`` changes the file at 40 places, one at a time, in
memory. It checks the claims of the topic first, then the agreement tests, the fastest first, up to the first
that fails, and lists the survivors. What takes five times as long as the right file has failed. Twelve places
of a file take 5 to 80 s of processor time. The model solution of a homework is graded instead, as a
submission is.

A survivor is either equivalent (nothing that anybody can observe changes) or a gap in the claims.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib.abc
import importlib.util
import json
import os
import random
import resource
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mlnotes import LECTURES as TOPICS
from mlnotes import modules_of

ROOT = Path(__file__).resolve().parents[1]

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
SILENT = (
    ("strict", "True"),
    ("copy", "False"),
)  # checks of lengths, casts that may return what they were given
Place = tuple[int, str, object]  # number of the node in the walk, field, new value
PARAMETERS = (
    "test_defaults_are_those_of_the_reference_module",
    "test_parameters_are_refused_beyond_their_edges",
)
STAGES = ("claims", "agreement", "tests")
COLUMNS = ("places", "tried", *STAGES, "survive", "seconds")


def places(tree: ast.Module) -> Iterator[Place]:
    """Yield every change of one place."""
    nodes = list(ast.walk(tree))
    silent = {id(inner) for node in nodes for part in not_code(node) for inner in ast.walk(part)}
    for number, node in enumerate(nodes):
        if id(node) not in silent:
            yield from ((number, field, value) for field, value in changes(node))


def not_code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what no run depends on: messages, annotations, decorators, tables of names, lengths."""
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
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "reshape":  # -2 is taken as -1 is
        lengths = [length for argument in node.args for length in ast.walk(argument)]
        yield from (part.operand for part in lengths if isinstance(part, ast.UnaryOp))
    if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
        yield node
    if isinstance(node, ast.keyword) and (node.arg, ast.unparse(node.value)) in SILENT:
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


class Fastest:
    """A plugin of pytest that runs the fastest tests first, and learns how long they take."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds

    def pytest_collection_modifyitems(self, items):
        items.sort(key=lambda item: self.seconds.get(item.nodeid, 0.0))

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration


def rejected(stage: str, topics: list[str], sides: tuple[str, ...], seconds: dict[str, float]) -> bool:
    """Whether one stage rejects the modules as they are now; `seconds` orders it, and is filled."""
    if topics[0] not in TOPICS:
        return stage == "claims" and loses(topics[0])
    if stage == "claims":
        return any(not holds(item, side, seconds) for item, side in checks(topics, sides, seconds))
    import hypothesis
    import pytest

    hypothesis.settings.register_profile(  # a failure is not made small: that it failed is enough
        "mutants",
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
        database=None,
    )
    form = "tests/agreement/test_{}.py" if stage == "agreement" else "tests/test_{}.py"
    files = [str(file) for topic in topics if (file := ROOT / form.format(topic)).exists()]
    if stage == "agreement":
        shared = f"{ROOT}/tests/agreement/test_parameters.py"
        files += [f"{shared}::{test}[{topic}]" for test in PARAMETERS for topic in topics]
    options = ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly"]
    options += ["--hypothesis-profile=mutants"]  # after tests/conftest.py, which loads one of its own
    return bool(files) and pytest.main([*options, *files], plugins=[Fastest(seconds)]) != 0


def loses(id: str) -> bool:
    """Grade the model solution of a homework, as it is now."""
    from mlnotes.grading.engine import grade_part
    from mlnotes.grading.protocol.instances import Draw
    from mlnotes.grading.protocol.session import InProcessSession
    from mlnotes.homework import load

    assignment = load(id)
    session = InProcessSession(vars(importlib.import_module(f"mlnotes.mistakes.homework.{id}.solution")))
    draw = Draw(b"a generated mutant", assignment, "")
    return any(grade_part(part, session, draw).verdict != "OK" for part in assignment.parts)


def checks(topics: list[str], sides: tuple[str, ...], seconds: dict[str, float]) -> list[tuple]:
    """Return the claims of some topics with the side that is checked, fastest first."""
    from mlnotes import claims

    every = [item for topic in topics for item in claims.of(topic) if item.check]
    pairs = [(item, side) for item in every for side in item.sides()]
    pairs = [(item, side) for item, side in pairs if side in sides or len(item.sides()) == 1]
    return sorted(pairs, key=lambda pair: seconds.get(f"{pair[0].id} {pair[1]}", 0.0))


def holds(item, side: str, seconds: dict[str, float]) -> bool:
    """Check one claim."""
    start = time.process_time()
    answer = item.verify(side=side).holds
    seconds[f"{item.id} {side}"] = time.process_time() - start
    return answer


def attempt(file: File, tree: ast.Module, stages: tuple[str, ...], limit: float | None) -> dict[str, Any]:
    """Run the stages in a process of its own, without output, up to the first that rejects the tree.

    `limit` is on seconds of the processor; a stage that does not end within it has rejected the tree.
    """
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        with contextlib.suppress(BaseException), os.fdopen(write, "w", buffering=1) as out:
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 1))
            resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            warnings.simplefilter("ignore")
            sys.meta_path.insert(0, Changed(file.module, file.path, tree))
            for stage in stages:
                print(json.dumps({"rejected": stage}), file=out)
                if rejected(stage, file.topics, file.sides, file.seconds):
                    os._exit(1)
            print(json.dumps({"rejected": "", "seconds": file.seconds}), file=out)
        os._exit(1)
    os.close(write)
    with os.fdopen(read) as lines:
        *_, last = lines
    os.waitpid(child, 0)
    return json.loads(last)


class File:
    """A module, the topics whose claims check it, and how long each check takes."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.name = self.path.relative_to(ROOT).as_posix()
        self.module = self.name.removesuffix(".py").replace("/", ".")
        self.topics = topics_of(self.path)
        if not self.topics:
            raise SystemExit(
                f"{self.name}: no topic of mlnotes.LECTURES has this name, so no claim checks it"
            )
        self.sides = ("reference", "estimators") if self.path.parent.name == "mlnotes" else ("estimators",)
        self.seconds: dict[str, float] = {}


SHARED = {  # files whose names are not those of their topics
    "boosting": ["ensemble"],
    "linear_algebra": ["discriminant", "pca", "duality", "bayes"],
    "rows": ["discriminant", "bayes", "neighbors", "naive_bayes"],
}


def topics_of(path: Path) -> list[str]:
    """Return the topics whose claims are about a file, none for a file of machinery."""
    if path.name == "solution.py":
        return [path.parent.name]
    if path.stem in SHARED:
        return SHARED[path.stem]
    modules = {module: topic for topic in TOPICS for module in modules_of(topic)}
    names = [module for module in modules if f"{path.stem}_".startswith(f"{module}_")]
    topics = [modules[max(names, key=len)]] if names else []
    return ["tree", "ensemble"] if topics == ["tree"] and path.parent.name == "engines" else topics


def every_file() -> list[Path]:
    """Return the reference modules, estimators and engines, topic by topic, and the model solutions."""
    files = [f for folder in ("", "estimators", "engines") for f in (ROOT / "mlnotes" / folder).glob("*.py")]
    files = [file for file in files if topics_of(file)]
    files.sort(key=lambda file: (TOPICS.index(topics_of(file)[0]), len(file.parts), file))
    return files + sorted((ROOT / "mlnotes").rglob("solution.py"))


def main() -> None:
    """Change files at a sample of places, list what survives, and count."""
    parser = argparse.ArgumentParser(prog="python -m tests.generated", description=main.__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="default: all")
    parser.add_argument("--sample", type=int, default=20, metavar="N", help="places a file (default 20)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="chooses the places (default 0)")
    parser.add_argument("--tests", action="store_true", help="run tests/test_TOPIC.py too")
    arguments = parser.parse_args()
    for library in ("numpy", "hypothesis", "pytest"):  # once for all children
        importlib.import_module(library)
    print(f"{'':40}" + "".join(f"{column:>11}" for column in COLUMNS))
    total: Counter[str] = Counter()
    for path in arguments.files or every_file():
        file = File(path)
        count = survey(file, STAGES if arguments.tests else STAGES[:2], arguments)
        total += count
        print(row(file.name, count), flush=True)
    print(row("all", total))


def survey(file: File, stages: tuple[str, ...], arguments: argparse.Namespace) -> Counter[str]:
    """Print the survivors of a file, and return how many were rejected by what."""
    tree = ast.parse(file.path.read_text("utf-8"))
    start = spent()
    if stage := (whole := attempt(file, tree, stages, None))["rejected"]:
        raise SystemExit(f"{file.name}: the unchanged file already fails ({stage})")
    file.seconds, limit = whole["seconds"], 3 + 4 * (spent() - start)
    every = list(places(tree))
    random.Random(arguments.seed).shuffle(every)
    count = Counter({"places": len(every)})
    for place in every[: arguments.sample]:
        changed, words, line = mutated(tree, place)
        verdict = attempt(file, changed, stages, limit)["rejected"] or "survive"
        count.update(tried=1, **{verdict: 1})
        if verdict == "survive":
            print(f"SURVIVES  {file.name}:{line} | {words}", flush=True)
    count["seconds"] = round(spent() - start)
    return count


def spent() -> float:
    """Return the seconds of the processor that all children took."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def row(name: str, count: Counter[str]) -> str:
    """Return a row of the table."""
    return f"{name:40}" + "".join(f"{count[column]:>11}" for column in COLUMNS)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
