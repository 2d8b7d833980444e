"""The reference modules: self-contained, with the equation numbers of their lecture."""

import ast
import importlib
import inspect
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from mlnotes import LECTURES as TOPICS
from mlnotes import bayes, claims, evaluation, logistic, modules_of, naive_bayes, svm, svm_one_class

ROOT = Path(__file__).resolve().parents[1]


def source(module):
    return (ROOT / f"mlnotes/{module}.py").read_text("utf-8")


@pytest.mark.parametrize("topic", TOPICS)
def test_equation_numbers_are_those_of_the_lecture(topic):
    """Or of the companion notebook."""
    number = TOPICS.index(topic) + 1
    results = r"((?:Theorem|Proposition|Lemma|Corollary) \d+\.\d+)"
    known = set()
    for part in ("", "deeper"):
        path = ROOT / f"lectures/{part}/{number:02}_{topic}.ipynb"
        if part and not path.exists():
            continue  # a companion notebook is optional
        notebook = json.loads(path.read_text("utf-8"))
        words = "\n".join("".join(cell["source"]) for cell in notebook["cells"])
        known |= {f"({tag})" for tag in re.findall(r"\\tag\{(\d+\.\d+)\}", words)}
        known |= {f"section {heading}" for heading in re.findall(r"^#+ (\d+(?:\.\d+)?) ", words, re.M)}
        known |= set(re.findall(rf"\*\*{results}", words))
    for module in modules_of(topic):
        code = source(module)
        named = {*re.findall(r"\(\d+\.\d+\)", code), *re.findall(results, code)}
        named |= set(re.findall(r"section \d+(?:\.\d+)?", code))
        assert named <= known, f"mlnotes/{module}.py names what lecture {number} does not have"


@pytest.mark.parametrize("topic", TOPICS)
def test_a_reference_module_imports_numpy_the_standard_library_and_earlier_modules(topic):
    for module in modules_of(topic):
        imported = set()
        for node in ast.walk(ast.parse(source(module))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                own = node.module == "mlnotes"
                imported |= {f"mlnotes.{alias.name}" for alias in node.names} if own else {node.module}
        order = [name for other in TOPICS for name in modules_of(other)]
        earlier = {f"mlnotes.{name}" for name in order[: order.index(module)]}
        others = {m for m in imported if m.split(".")[0] not in sys.stdlib_module_names and m != "numpy"}
        assert others <= earlier


@pytest.mark.parametrize("topic", TOPICS)
def test_the_header_names_the_lecture_and_who_validates_input(topic):
    for module in modules_of(topic):
        words = " ".join(importlib.import_module(f"mlnotes.{module}").__doc__.split())
        assert f"Lecture {TOPICS.index(topic) + 1}" in words
        assert "estimators" in words


@pytest.mark.parametrize("topic", TOPICS)
def test_most_claims_check_the_reference_module(topic):
    """At least 90 %, and where the estimators alone are checked, a sentence says why."""
    under_test = [item for item in claims.of(topic) if item.needs]
    others = [item for item in under_test if "reference" not in item.sides()]
    assert [item.id for item in others if not item.estimators_only] == []
    assert len(others) <= 0.1 * len(under_test)
    for item in claims.of(topic):
        for reason in (item.estimators_only, *(case.estimators_only for case in item.hard)):
            assert not reason or reason.endswith(".")


@pytest.mark.parametrize("topic", TOPICS)
def test_every_generator_is_used_or_checked_by_a_claim(topic):
    needed = {name for item in claims.of(topic) for name in item.needs}
    for module in modules_of(topic):
        names = vars(importlib.import_module(f"mlnotes.{module}"))
        walks = {n for n, f in names.items() if inspect.isgeneratorfunction(f) and not n.startswith("_")}
        used = {name for name in walks if len(re.findall(rf"\b{name}\b", source(module))) > 1}
        assert walks - needed - used == set()


def test_a_support_vector_machine_reports_a_large_gap_and_has_none_at_zero():
    with pytest.warns(UserWarning, match="relative duality gap of 0.61, above 1e-06"):
        svm.warn_if_not_solved(0.61)
    machine = svm_one_class.OneClassSVM(0.5, svm.linear_kernel).fit(np.array([[1.0, 0.0], [-1.0, 0.0]]))
    assert machine.gap_ == 0  # w = 0 without a warning
    assert machine.predict(machine.support_vectors_).tolist() == [1, 1]


def test_refuses_what_a_definition_excludes():
    with pytest.raises(ValueError, match="at least two classes"):
        logistic.LogisticRegression().fit(np.eye(3), [1, 1, 1])
    for k in (1, 3):
        with pytest.raises(ValueError, match="2 <= k <= n"):
            evaluation.k_folds(2, k, np.random.default_rng(0))
    with pytest.raises(ValueError, match="at least two classes"):
        bayes.PlugInClassifier().fit(np.eye(3), [1, 1, 1])
    with pytest.raises(ValueError, match="constant within a class"):
        naive_bayes.GaussianNaiveBayes().fit(np.eye(3), np.array([0, 0, 1]))
    with pytest.raises(ValueError, match="there are no proportions"):
        naive_bayes.smoothed_proportions([[0, 0], [1, 2]], alpha=0)
