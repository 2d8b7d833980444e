"""Every stored notebook runs from top to bottom in a fresh kernel.

A lecture that `make lectures` has executed since is not executed again: the clock then bounds the processor.
"""

import os
import re
import resource
from datetime import datetime
from operator import attrgetter
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.yardsticks import pace

ROOT = Path(__file__).resolve().parents[1]
LECTURES = ROOT / "lectures"
SOURCES = [*ROOT.glob("mlnotes/**/*.py"), *ROOT.glob("mlnotes/datasets/data/*"), *ROOT.glob(".venv/.re*")]
SECONDS = 40  # of the processor, on a machine of pace 1
MEGABYTES = 1.5  # of sliders on one page
NAMED = attrgetter("stem")


def execute(path: Path) -> nbformat.NotebookNode:
    """Run a notebook as Jupyter would: in its own folder, with figures inline."""
    notebook = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": path.parent}}
    limits = dict.fromkeys(("timeout", "startup_timeout", "iopub_timeout"), 600)  # a machine may be busy
    client = NotebookClient(notebook, kernel_name="python3", resources=folder, **limits)
    return client.execute(env={k: v for k, v in os.environ.items() if k != "MPLBACKEND"})


def spent() -> float:
    """Return the processor time of all kernels that have ended, in seconds."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def built(path: Path) -> nbformat.NotebookNode | None:
    """Return the notebook as `make lectures` has executed it, None if something is newer."""
    file = ROOT / "build" / path.relative_to(ROOT)
    needed = max(source.stat().st_mtime for source in (path, *SOURCES))
    return nbformat.read(file, as_version=4) if file.exists() and file.stat().st_mtime > needed else None


def at_most_spent(notebook: nbformat.NotebookNode) -> float:
    """Return the time of the cells, in seconds: they had one thread, and spent no more of the processor."""
    cells = [cell.metadata.execution for cell in notebook.cells if cell.get("execution_count")]
    first, last = cells[0]["iopub.status.busy"], cells[-1]["shell.execute_reply"]
    start, end = (datetime.fromisoformat(when.replace("Z", "+00:00")) for when in (first, last))
    return (end - start).total_seconds()


def sliders(notebook: nbformat.NotebookNode) -> int:
    """Return the length of the frames of all sliders, drawn ahead."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pages = [output.get("data", {}).get("text/html", "") for output in outputs]
    return sum(len(page) for page in pages if "mlnotes-exhibit" in page)


@pytest.mark.parametrize(
    "path", sorted(LECTURES.glob("**/[0-9]*.ipynb")), ids=lambda p: p.relative_to(LECTURES).as_posix()
)
def test_a_lecture_runs_in_forty_seconds_and_its_sliders_fit_a_page(path):
    notebook = built(path)
    if notebook is None or (seconds := at_most_spent(notebook)) >= SECONDS:
        start = spent()
        notebook = execute(path)
        seconds = spent() - start
    assert seconds > 0
    assert seconds < SECONDS or seconds < SECONDS * pace()
    assert sliders(notebook) < MEGABYTES * 1e6


@pytest.mark.parametrize("path", sorted(LECTURES.glob("homework/*.ipynb")), ids=NAMED)
def test_handout_runs_as_handed_out_and_earns_nothing(path):
    checks = [cell for cell in execute(path).cells if cell.source.startswith("check(")]
    reports = [cell.outputs[-1].data["text/plain"].splitlines()[0] for cell in checks]
    assert reports != []
    assert [r for r in reports if not re.search(r": NOT FOUND, 0 of \d+ points$", r)] == []
