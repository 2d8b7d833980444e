"""What every test gets: figures without a screen, one thread of BLAS, and the ``needs`` mark."""

import functools
import hashlib
import os
import shutil
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from mlnotes.grading.protocol.instances import Draw
from mlnotes.grading.sandbox.clocks import ONE_THREAD
from mlnotes.grading.sandbox.levels import NAMES, doctor

os.environ["MPLBACKEND"] = "Agg"
# NumPy is not loaded yet. Threads of BLAS wait for each other in loops, and the tests fill the cores already.
os.environ |= ONE_THREAD
# Hypothesis fails a test whose first examples take more than a second to draw: on a busy machine they may.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


@functools.cache
def sandboxes() -> dict[str, str]:
    """What is wrong with each level of the sandbox on this machine; empty where it works."""
    return {c.name: "" if c.works else f"{c.name}: {c.reason}" for c in doctor()}


ROOT = Path(__file__).resolve().parents[1]
BUILT = {
    "book": (ROOT / "build/book/index.html", "make book"),
    "lite": (ROOT / "build/lite/static/pyodide/pyodide.mjs", "make lite PYODIDE=.pyodide"),
    "site": (ROOT / "build/site/lite/static/pyodide/pyodide.mjs", "make site PYODIDE=.pyodide"),
    "pyodide": (ROOT / ".pyodide/pyodide.mjs", "python scripts/pyodide.py"),
    "axe-core": (ROOT / "tests/axe/node_modules/axe-core/axe.min.js", "npm ci --prefix tests/axe"),
}


def lacking(tool: str) -> str:
    """Why a program, a level of the sandbox or something built cannot be used here; empty if it can."""
    if tool in NAMES.values():
        return sandboxes()[tool]
    if tool in BUILT:
        file, command = BUILT[tool]
        return "" if file.exists() else f"{tool} is not there ({command})"
    return "" if shutil.which(tool) else f"{tool} is not installed"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Import test files alone in the search for doctests: some others here are hostile code."""
    is_python, name = collection_path.suffix == ".py", collection_path.name
    return True if is_python and not name.startswith("test_") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what waits most: at the end, processes would wait for it that have nothing else to do."""
    items.sort(key=lambda item: (item.path.name != "test_attacks.py", item.path.parent.name != "lite"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        (tool,) = mark.args
        if not (reason := lacking(tool)):
            continue
        if os.environ.get("MLNOTES_CI") == "1":
            pytest.fail(f"{reason}; with MLNOTES_CI=1 nothing may be skipped", pytrace=False)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """A folder of this run of the tests, the same for all of its processes."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture
def grade_here():
    """Grade in this process, without diagnosis: values cross the wire as ever, no worker has to start."""
    from mlnotes.grading import engine
    from mlnotes.grading.protocol.session import InProcessSession

    def grade(assignment, data, name, *, secret, sandbox, student):
        names, digest = {}, hashlib.sha256(data).hexdigest()
        exec(data, names)
        session, draw = InProcessSession(names), Draw(secret, assignment, digest)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the grader's arithmetic on wrong values
            parts = tuple(engine.grade_part(part, session, draw) for part in assignment.parts)
        return engine.assembled(assignment, student, digest, sandbox.name, parts)

    return grade


@pytest.fixture
def mutants_here(monkeypatch, grade_here):
    """An audit grades its mutants so; the model solution and the empty handout keep a worker of their own."""
    from mlnotes.grading.assignment import audit

    apart = audit.grade_bytes

    def grade(*arguments, student, **options):
        chosen = apart if student in ("model solution", "empty handout") else grade_here
        return chosen(*arguments, student=student, **options)

    monkeypatch.setattr(audit, "grade_bytes", grade)
