"""What is right earns everything, what is wrong loses its part and no other, whatever the draw.

Each solution is loaded once and checked over several draws: 3 here, 100 by hand with
``MLNOTES_DRAWS=100 pytest tests/fairness``.
"""

import hashlib
import importlib.util
import os
import warnings
from functools import cache
from pathlib import Path

import nbformat
import pytest

from mlnotes import homework
from mlnotes.grading import engine, results
from mlnotes.grading.protocol import sources
from mlnotes.grading.protocol.instances import Draw
from mlnotes.grading.protocol.session import InProcessSession, Session
from mlnotes.grading.sandbox.levels import Sandbox
from mlnotes.mistakes.homework import solved

HERE = Path(__file__).parent
DRAWS = int(os.environ.get("MLNOTES_DRAWS", "3"))
FRESH = 20  # draws in one process: a submission has so many seconds in all


def listed(name):
    spec = importlib.util.spec_from_file_location(f"fairness_{name}", HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def assignment(name):
    if name == "small":
        return homework.load(str(HERE.parent / "small_homework.py"))
    return solved(name)


RIGHT, WRONG, ODD = listed("right"), listed("wrong"), listed("odd")
RIGHT_CASES = [("small", name) for name in RIGHT.SMALL] + [("hw01", name) for name in RIGHT.HW01]
WRONG_CASES = {("small", name): case for name, case in WRONG.SMALL.items()}
WRONG_CASES |= {("hw01", name): case for name, case in WRONG.HW01.items()}
for _name in ("small", "hw01"):
    WRONG_CASES |= {(_name, m.name): (m.source, " ".join(m.loses)) for m in assignment(_name).mutants}


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox("limits") as found:
        yield found


def verdicts(given, data, name, sandbox):
    """For each draw, the verdict and sentence of every part with claims."""
    source = sources.parse(data, name)
    found = []
    for start in range(0, DRAWS, FRESH):
        with Session(source.cells, sandbox, given.load_seconds) as session:
            session.load()
            numbers = range(start, min(start + FRESH, DRAWS))
            found += [at_draw(given, session, k, hashlib.sha256(data).hexdigest()) for k in numbers]
    return found


def at_draw(given, session, k, digest):
    draw = Draw(b"draw %d" % k, given, digest)
    parts = [engine.grade_part(part, session, draw) for part in given.parts if not part.manual]
    return {p.name: (p.verdict, p.earned == p.points, p.sentence) for p in parts}


def lost(given, source, sandbox, name="a.py"):
    """For each draw, the parts that lose points; a grader's error fails the test."""
    data = source if isinstance(source, bytes) else source.encode()
    return losing(verdicts(given, data, name, sandbox))


def losing(draws):
    assert [d for d in draws if any(v[0] == results.GRADER for v in d.values())] == []
    return [{name: v for name, v in draw.items() if not v[1]} for draw in draws]


def test_there_are_enough_of_both():
    assert len(RIGHT_CASES) >= 40
    assert len(WRONG_CASES) >= 60


@pytest.mark.parametrize(("of", "name"), RIGHT_CASES)
def test_right(of, name, sandbox):
    given = assignment(of)
    source = f"{given.solution}\n\n{(RIGHT.SMALL if of == 'small' else RIGHT.HW01)[name]}\n"
    assert lost(given, source, sandbox) == [{}] * DRAWS


@pytest.mark.parametrize(("of", "name"), WRONG_CASES)
def test_wrong(of, name):
    """In this process, whose values cross the wire all the same: a worker's start is most of the work."""
    given, names = assignment(of), {}
    source, loses = WRONG_CASES[of, name]
    exec(f"{given.solution}\n\n{source}\n", names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of arithmetic on wrong values
        draws = [at_draw(given, InProcessSession(names), k, name) for k in range(DRAWS)]
    assert [sorted(draw) for draw in losing(draws)] == [sorted(loses.split())] * DRAWS


# ------------------------------------------------------------------- files and notebooks


def functions(given):
    """The model solution in pieces, imports first, as cells of a notebook."""
    head, *pieces = (
        ("\n" + given.solution).replace("\nclass ", "\n§class ").replace("\ndef ", "\n§def ").split("§")
    )
    return [head, *pieces]


def notebook(cells):
    made = [nbformat.v4.new_code_cell(cell) for cell in cells]
    made.insert(1, nbformat.v4.new_markdown_cell("def order(x): return 'this is text'"))
    return nbformat.writes(nbformat.v4.new_notebook(cells=made)).encode()


def with_magics(head, pieces):
    return [
        "%matplotlib inline\n%load_ext autoreload\n!ls\n" + head,
        *(f"%%time\n{p}" for p in pieces),
        "root?",
    ]


NOTEBOOKS = {
    "in cells": lambda head, pieces: [head, *pieces],
    "reordered, imports last": lambda head, pieces: [*pieces[::-1], head],
    "each cell twice": lambda head, pieces: [head, *(p for piece in pieces for p in (piece, piece))],
    "with magics and shell lines": with_magics,
    "a broken last cell": lambda head, pieces: [head, *pieces, "def unfinished(:\n    retur"],
    "a broken first cell": lambda head, pieces: ["import nothing_there\n1 +", head, *pieces],
    "plots, questions and output between": lambda head, pieces: [
        head + "\nimport matplotlib.pyplot as plt\nimport seaborn as sns",
        *(p + "\nplt.plot([1, 2]); display = print; display(1); input('next? ')" for p in pieces),
    ],
    "the handout's checks left in": lambda head, pieces: [
        "from mlnotes.grading import check\n" + head,
        *(p + "\n\ncheck('small.means')" for p in pieces),
    ],
    "all in one cell": lambda head, pieces: ["".join([head, *pieces])],
}  # fmt: skip


@pytest.mark.parametrize("name", NOTEBOOKS)
@pytest.mark.parametrize("of", ["small", "hw01"])
def test_notebooks(of, name, sandbox):
    head, *pieces = functions(assignment(of))
    data = notebook(NOTEBOOKS[name](head, pieces))
    assert lost(assignment(of), data, sandbox, "a.ipynb") == [{}] * DRAWS


KINDS = ("BEFORE", "SYSTEM", "AFTER", "WHOLE")
ODD_CASES = [(kind, name) for kind in KINDS for name in getattr(ODD, kind)]


def odd_file(kind, name):
    text, what = assignment("small").solution, getattr(ODD, kind)[name]
    if kind == "WHOLE":
        return what(text)
    return "a.py", (f"{text}\n{what}" if kind == "AFTER" else f"{what}\n{text}").encode()


@pytest.mark.parametrize(("kind", "name"), ODD_CASES)
def test_odd_but_honest_files(kind, name, sandbox):
    """Once each: nothing here depends on the draw."""
    given = assignment("small")
    file, data = odd_file(kind, name)
    source = sources.parse(data, file)
    asked = tuple(item.name for part in given.parts for item in part.writes)
    with Session(source.cells, sandbox, given.load_seconds, asked) as session:
        session.load()
        draw = Draw(b"once", given, hashlib.sha256(data).hexdigest())
        found = [engine.grade_part(part, session, draw) for part in given.parts if not part.manual]
    assert [(p.name, p.verdict, p.sentence) for p in found if p.earned != p.points] == []


CLOSED = [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("bubblewrap", "landlock")]


@pytest.mark.parametrize("level", CLOSED)
def test_what_asks_the_system_costs_nothing_in_a_closed_sandbox(level):
    given, lost, tried = assignment("small"), [], set()
    with Sandbox(level) as closed:
        for name in ODD.SYSTEM:
            file, data = odd_file("SYSTEM", name)
            result = engine.grade_bytes(given, data, file, secret=b"s", sandbox=closed, student=name)
            fine = (results.OK, results.OPEN)
            lost += [(name, p.name, p.sentence) for p in result.parts if p.verdict not in fine]
            tried |= {name} if result.tried else set()
    assert lost == []
    assert not tried & set(ODD.FILES_AND_THREADS)


def test_there_are_enough_odd_files():
    assert len(ODD_CASES) >= 120


ENCODINGS = {
    "a byte order mark": lambda text: text.encode("utf-8-sig"),
    "a mark before a shebang": lambda text: f"\ufeff#!/usr/bin/python\n# coding: utf-8\n{text}".encode(),
    "sixteen bits": lambda text: text.encode("utf-16"),
    "Latin 1": lambda text: ("# naïve, für größere Fälle\n" + text).encode("latin-1"),
    "a declared encoding": lambda text: ("# -*- coding: cp1252 -*-\n# “quoted”\n" + text).encode("cp1252"),
    "lines of Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "lines of old Macs": lambda text: text.replace("\n", "\r").encode(),
    "tabs": lambda text: text.replace("    ", "\t").encode(),
    "no last newline": lambda text: text.rstrip().encode(),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_encodings(name, sandbox):
    given = assignment("small")
    assert lost(given, ENCODINGS[name](given.solution), sandbox) == [{}] * DRAWS
