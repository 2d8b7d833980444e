"""Where a board and the estimators have one name, its parameters have one default, if both are plain."""

import importlib
import inspect

import pytest

from mlnotes.claims.core import LECTURES

OTHERS = {"LogisticRegression(max_iter)", "PCA(solver)"}  # the estimators have other solvers


def defaults(thing):
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):  # no signature
        return {}
    return {p.name: p.default for p in parameters if type(p.default) in (bool, int, float, str)}


@pytest.mark.parametrize("topic", LECTURES)
def test_defaults_are_those_of_the_board(topic):
    board = vars(importlib.import_module(f"mlnotes.{topic}"))
    own = vars(importlib.import_module(f"mlnotes.estimators.{topic}"))
    for name in [n for n in board if n in own and not n.startswith("_") and callable(board[n])]:
        ours, theirs = defaults(own[name]), defaults(board[name])
        for key in ours.keys() & theirs.keys():
            assert ours[key] == theirs[key] or f"{name}({key})" in OTHERS, (name, key)
