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
from mlnotes.grading.engine import grade_part
from mlnotes.grading.protocol.instances import Draw
from mlnotes.grading.protocol.session import InProcessSession
from mlnotes.homework import load

STATE = ("learns twice", "two objects", "the same call again", "other data of the same shape")


@functools.cache
def called(id):
    """Return the regimes in which each part of a homework calls its model solution."""
    assignment = load(id)
    session = InProcessSession(vars(importlib.import_module(f"mlnotes.mistakes.homework.{id}.solution")))
    draw = Draw(b"any secret", assignment, "")
    table = {}
    for part in assignment.parts:
        assert grade_part(part, session, draw).verdict == "OK"
        table[part.name] = regimes_of(calls(part, session.record)) | state(session.record)
    return table


def calls(part, record):
    """Return the arguments of each call by the names that the question gives them."""
    methods = [method for item in part.writes for method in getattr(item, "methods", ())]
    declared = {item.name: item.parameters for item in (*part.writes, *methods)}
    return [
        {
            name: seen(value, argument)
            for (name, value), argument in zip(
                declared.get(item.name, {}).items(), item.arguments, strict=False
            )
        }
        for item in record
    ]


def seen(value, argument):
    """Return a table with observations as rows; a matrix that is no table of observations as numbers."""
    if len(value.shape) != 2 or not hasattr(argument, "ndim"):
        return argument
    return (
        argument
        if is_table(value) and value.shape[0] != "d"
        else argument.T
        if is_table(value)
        else argument.ravel()
    )


def is_table(value):
    """Whether rows or columns are observations: "n" and "d" are different lengths."""
    return value.kind == "f" and len(value.shape) == 2 and {"n", "d"} == set(value.shape)


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


def applicable(part):
    """Return the regimes that the arguments of a part can be in, by what the question says of them."""
    methods = [method for item in part.writes for method in getattr(item, "methods", ())]
    values = [value for item in (*part.writes, *methods) for value in item.parameters.values()]
    names = set()
    if any(value.kind == "f" for value in values):
        names |= {"decimals", "tiny", "huge"}
    if any(value.kind == "f" and value.shape for value in values):
        names |= {"nearly equal values"}
    if any(map(is_table, values)):
        names |= {"one feature", "five features", "one observation", "many observations", "n < d"}
        names |= {"a constant feature", "repeated observations"}
    if any(value.kind in "iU" and len(value.shape) == 1 for value in values):
        names |= {"two classes", "three classes", "six classes", "labels in no order"}
    return names | set(STATE if methods else STATE[2:])


# Where a regime that the arguments could be in does not apply, with the reason.
TWO_CLASSES = {"three classes": "two classes", "six classes": "two classes"}
PROBABILITIES = {"tiny": "a table of probabilities sums to 1", "huge": "a table of probabilities sums to 1"}
HOLES = {
    "hw01 decide": PROBABILITIES,
    "hw01 errors": PROBABILITIES,
    "hw01 least": PROBABILITIES,
    "hw01 plugin": {"one feature": "d >= 2", "a constant feature": "no class has a density then"},
    "hw02 within": {"one observation": "n > K"},
    "hw02 merge": {"six classes": "counts of six classes are no labels"},
    "hw03 descend": {"the same call again": "it is made with a function, which is recorded as another one"},
    "hw03 Logistic": TWO_CLASSES,
    "hw04 train": {"tiny": "a margin of 1e-4 beside the intercept takes millions of updates", **TWO_CLASSES},
    "hw04 average": TWO_CLASSES,
    "hw04 counts": TWO_CLASSES,
    "hw05 squared": TWO_CLASSES,
    "hw05 program": TWO_CLASSES,
    "hw05 misses": TWO_CLASSES,
    "hw05 offsets": TWO_CLASSES,
    "hw05 thin": {
        "one observation": "no hard margin has one multiplier",
        "tiny": "multipliers below 1e-9 count as 0, and those of tiny data are huge",
        "huge": "multipliers below 1e-9 count as 0",
        **TWO_CLASSES,
    },
    "hw06 triangle": {"huge": "a slope is at most 1"},
    "hw07 luck": {"six classes": "counts of six classes are no labels"},
    "hw07 cut": {"one observation": "no child is empty"},
    "hw07 Tree": TWO_CLASSES,
    "hw07 links": {"three classes": "numbers of children are no labels"},
    "hw07 vote": {"huge": "an error is at most 1"},
    "hw07 boost": {
        "one observation": "no stump is right on all",
        "n < d": "no stump is right on all",
        **TWO_CLASSES,
    },
    "hw08 moments": {"one observation": "the divisor is n - 1"},
    "hw08 directions": {"one observation": "k <= n - 1"},
}
CLOSED = ("hw01", "hw02", "hw03", "hw04", "hw05", "hw06", "hw07", "hw08")


@pytest.mark.parametrize("id", CLOSED)
def test_every_question_is_called_in_every_regime_or_says_why_not(id):
    for part in load(id).parts:
        holes = applicable(part) - called(id)[part.name]
        reasons = HOLES.get(f"{id} {part.name}", {})
        assert holes == set(reasons), f"{id} {part.name}"


if __name__ == "__main__":
    for id in sys.argv[1:]:
        for part, found in called(id).items():
            wanted = applicable(load(id).part(part))
            holes = [name for name in (*REGIMES, *STATE) if name in wanted - found]
            print(f"{id} {part:16} lacks {', '.join(holes)}")
