"""Every stored notebook runs from top to bottom in a fresh kernel."""

import os
import re
import resource
from operator import attrgetter
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.yardsticks import pace

LECTURES = Path(__file__).resolve().parents[1] / "lectures"
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


def sliders(notebook: nbformat.NotebookNode) -> int:
    """Return the length of the frames of all sliders, drawn ahead."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pages = [output.get("data", {}).get("text/html", "") for output in outputs]
    return sum(len(page) for page in pages if "mlnotes-exhibit" in page)


@pytest.mark.parametrize(
    "path", sorted(LECTURES.glob("**/[0-9]*.ipynb")), ids=lambda p: p.relative_to(LECTURES).as_posix()
)
def test_a_lecture_runs_in_forty_seconds_and_its_sliders_fit_a_page(path):
    start = spent()
    notebook = execute(path)
    assert 0 < spent() - start < SECONDS * max(1.0, pace())
    assert sliders(notebook) < MEGABYTES * 1e6


@pytest.mark.parametrize("path", sorted(LECTURES.glob("homework/*.ipynb")), ids=NAMED)
def test_handout_runs_as_handed_out_and_earns_nothing(path):
    checks = [cell for cell in execute(path).cells if cell.source.startswith("check(")]
    reports = [cell.outputs[-1].data["text/plain"].splitlines()[0] for cell in checks]
    assert reports != []
    assert [r for r in reports if not re.search(r": NOT FOUND, 0 of \d+ points$", r)] == []
