"""The boards: small, self-contained, and the contract of their topic holds on them."""

import ast
import importlib
import inspect
import json
import re
import statistics
import sys
from pathlib import Path

import numpy as np
import pytest

from mlnotes import claims, density, evaluation, logistic, naive_bayes, svm
from mlnotes.claims.core import LECTURES as TOPICS

ROOT = Path(__file__).resolve().parents[1]
BOARDS = [topic for topic in TOPICS if (ROOT / f"mlnotes/{topic}.py").exists()]
MOST_LINES, MOST_LINES_OF_A_FUNCTION = 200, 17  # the line of its name and that of its docstring with them
LONG = ("fit", "__init__")


def tree(topic):
    return ast.parse((ROOT / f"mlnotes/{topic}.py").read_text("utf-8"))


def size(topic):
    return sum(bool(line.strip()) for line in (ROOT / f"mlnotes/{topic}.py").read_text("utf-8").splitlines())


@pytest.mark.parametrize("topic", BOARDS)
def test_a_board_fits_on_a_board(topic):
    assert size(topic) <= MOST_LINES


@pytest.mark.parametrize("topic", BOARDS)
def test_the_numbers_of_a_board_are_those_of_its_lecture(topic):
    """Or of the notebook beside it, and then the header names both: "Lecture 8 and Deeper 8."."""
    number, board = TOPICS.index(topic) + 1, (ROOT / f"mlnotes/{topic}.py").read_text("utf-8")
    results = r"((?:Theorem|Proposition|Lemma|Corollary) \d+\.\d+)"
    asked = {*re.findall(r"\(\d+\.\d+\)", board), *re.findall(results, board)}
    asked |= set(re.findall(r"section \d+(?:\.\d+)?", board))
    found = []
    for part in ("", "deeper"):
        notebook = json.loads((ROOT / f"lectures/{part}/{number:02}_{topic}.ipynb").read_text("utf-8"))
        words = "\n".join("".join(cell["source"]) for cell in notebook["cells"])
        found.append({f"({tag})" for tag in re.findall(r"\\tag\{(\d+\.\d+)\}", words)})
        found[-1] |= {f"section {heading}" for heading in re.findall(r"^#+ (\d+(?:\.\d+)?) ", words, re.M)}
        found[-1] |= set(re.findall(rf"\*\*{results}", words))
    lecture, deeper = found
    assert asked <= lecture | deeper
    assert (f"Lecture {number} and Deeper {number}." in board) == bool(asked - lecture)


def test_half_of_the_boards_are_short():
    assert statistics.median(map(size, BOARDS)) < 150


@pytest.mark.parametrize("topic", BOARDS)
def test_a_board_imports_numpy_the_standard_library_and_earlier_boards(topic):
    modules = set()
    for node in ast.walk(tree(topic)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            own = node.module == "mlnotes"
            modules |= {f"mlnotes.{alias.name}" for alias in node.names} if own else {node.module}
    earlier = {f"mlnotes.{other}" for other in TOPICS[: TOPICS.index(topic)]}
    strange = {m for m in modules if m.split(".")[0] not in sys.stdlib_module_names and m != "numpy"}
    assert strange <= earlier


@pytest.mark.parametrize("topic", BOARDS)
def test_functions_are_short_and_bare(topic):
    functions = [node for node in ast.walk(tree(topic)) if isinstance(node, ast.FunctionDef)]
    lengths = {f.name: f.end_lineno - f.lineno + 1 for f in functions if f.name not in LONG}
    assert {name: n for name, n in lengths.items() if n > MOST_LINES_OF_A_FUNCTION} == {}
    assert [f.name for f in functions if f.returns or any(a.annotation for a in f.args.args)] == []


@pytest.mark.parametrize("topic", BOARDS)
def test_the_header_says_who_checks_input(topic):
    words = " ".join(importlib.import_module(f"mlnotes.{topic}").__doc__.split())
    assert f"Lecture {TOPICS.index(topic) + 1}" in words
    assert "estimators" in words
    assert "NumPy speaks" in words or "Inputs are not validated here" in words
    refusals = [node for node in ast.walk(tree(topic)) if isinstance(node, ast.Raise)]
    assert "No input checks" not in words or "ValueError" not in "".join(map(ast.unparse, refusals))


@pytest.mark.parametrize("topic", BOARDS)
def test_nearly_every_claim_is_asked_of_the_board(topic):
    asked = [item for item in claims.of(topic) if item.needs]
    reasons = [item for item in asked if "board" not in item.sides()]
    assert [item.id for item in reasons if not item.engine] == []
    refusals = [item for item in reasons if "NumPy speak" in item.engine]
    assert len(reasons) - len(refusals) <= 0.1 * len(asked)


@pytest.mark.parametrize("topic", BOARDS)
def test_a_claim_that_the_board_is_not_asked_says_why_in_a_sentence(topic):
    for item in claims.of(topic):
        assert not item.engine or item.engine.endswith(".")


@pytest.mark.parametrize("topic", BOARDS)
def test_what_a_generator_of_a_board_yields_is_a_state_that_stays(topic):
    board = importlib.import_module(f"mlnotes.{topic}")
    source = inspect.getsource(board)
    walks = [n for n, f in vars(board).items() if inspect.isgeneratorfunction(f) and not n.startswith("_")]
    named = {name for item in claims.of(topic) for name in item.needs}
    used = {name for name in walks if source.count(f"{name}(") > 1}
    assert set(walks) - named - used == set(), "a generator that no claim asks for and nothing walks"


X, Y = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([0, 1, 0, 1])


@pytest.mark.parametrize(
    "ask",
    [
        lambda: evaluation.error_interval(1, 4, method="normal"),
        lambda: logistic.LogisticRegression(penalty="l1").fit(X, Y),
        lambda: density.KernelDensity("scott").fit(X),
        lambda: naive_bayes.KernelDensityClassifier("scott").fit(X, Y),
    ],
)
def test_a_word_that_a_board_does_not_know_is_not_taken_for_another(ask):
    with pytest.raises(KeyError):
        ask()


def test_points_outside_the_support_of_a_histogram_are_not_counted_at_its_ends():
    for x in ([-1.0, 0.5], [0.5, 2.0]):
        with pytest.raises(ValueError, match="support"):
            density.Histogram(2, support=(0.0, 1.0)).fit(np.array(x)).density(np.array([0.5]))


def test_machines_of_the_board_take_bytes_and_lists_as_numbers():
    X, y = np.array([[0, 200], [10, 250], [200, 5], [255, 0]], dtype=np.uint8), [0, 0, 1, 1]
    for given in (X, X.tolist()):
        for machine in (svm.SVC(), svm.OneClassSVM()):
            same = type(machine)().fit(X.astype(float), y).decision_function(X.astype(float))
            assert machine.fit(given, y).decision_function(given).tolist() == same.tolist()


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("nu", [0.05, 0.14, 0.5])
def test_at_most_nu_n_rows_are_novel_whatever_is_left_of_the_gap(seed, nu):
    X = np.random.default_rng(seed).normal(size=(100, 2))
    assert (svm.OneClassSVM(nu).fit(X).predict(X) < 0).sum() <= 100 * nu


def test_what_a_definition_excludes_is_refused_by_the_boards():
    with pytest.raises(ValueError, match="one class alone"):
        logistic.LogisticRegression().fit(np.eye(3), [1, 1, 1])
    for k in (1, 3):
        with pytest.raises(ValueError, match="2 <= k <= n"):
            evaluation.k_folds(2, k, np.random.default_rng(0))
    with pytest.raises(ValueError, match="a histogram on"), np.errstate(invalid="ignore"):
        density.Histogram().fit(np.ones(4))
