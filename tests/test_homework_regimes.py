"""In which regimes the claims of a homework call a student's code: the table question x regime.

A program that is wrong in a regime that no call is in keeps its points. So a hole is closed, or it has a
reason: what the question does not admit, or what its answer cannot depend on. ``python -m
tests.test_homework_regimes hw03`` prints the table of a homework.
"""

import functools
import importlib
import sys
from collections import defaultdict

import pytest

from mlnotes.checking.regimes import REGIMES, regimes_of
from mlnotes.grading.engine import Draw, grade_part
from mlnotes.grading.protocol.in_process import LiveSession
from mlnotes.homework import load

STATE = ("learns twice", "two objects", "the same call again", "other data of the same shape")


@functools.cache
def called(id):
    """Return the regimes in which each part of a homework calls its model solution."""
    assignment = load(id)
    session = LiveSession(vars(importlib.import_module(f"mlnotes.mistakes.homework.{id}.solution")))
    draw = Draw(b"any secret", assignment, "")
    table = {}
    for part in assignment.parts:
        assert grade_part(part, session, draw).verdict == "OK"
        table[part.name] = regimes_of(calls(part, session.record)) | state(session.record)
    return table


def calls(part, record):
    """Return the arguments of each call by the names that the question gives them."""
    methods = [method for item in part.writes for method in getattr(item, "methods", ())]
    declared = {item.name: list(item.parameters) for item in (*part.writes, *methods)}
    return [dict(zip(declared.get(item.name, ()), item.arguments, strict=False)) for item in record]


def state(record):
    """Return what was tried of an object's memory, and of a function's."""
    learned, shapes, same = defaultdict(int), defaultdict(set), set()
    seen, objects = set(), defaultdict(set)
    for item in record:
        if item.do == "construct":
            objects[item.turn].add(item.key)
        if item.do == "method" and item.silent:
            learned[item.turn, item.key] += 1
        if item.do not in ("method", "call") or item.silent:
            continue
        size = tuple(getattr(value, "shape", ()) for value in item.arguments)
        content = tuple(getattr(v, "tobytes", v.__repr__)() for v in item.arguments)
        which = item.turn if item.do == "method" else 0, item.key if item.do == "method" else 0, item.name
        if (which, content) in seen:
            same.add("the same call again")
        elif size in shapes[which]:
            same.add("other data of the same shape")
        seen.add((which, content))
        shapes[which].add(size)
    if any(n > 1 for n in learned.values()):
        same.add("learns twice")
    if any(len(keys) > 1 for keys in objects.values()):
        same.add("two objects")
    return same


if __name__ == "__main__":
    for id in sys.argv[1:]:
        for part, found in called(id).items():
            holes = [name for name in (*REGIMES, *STATE) if name not in found]
            print(f"{id} {part:16} lacks {', '.join(holes)}")
