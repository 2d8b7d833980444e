"""Every stored notebook runs from top to bottom in a fresh kernel."""

import os
import re
import time
from operator import attrgetter
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

LECTURES = Path(__file__).resolve().parents[1] / "lectures"
SECONDS = 60
NAMED = attrgetter("stem")


def execute(path: Path) -> nbformat.NotebookNode:
    """Run a notebook as Jupyter would: in its own folder, with figures inline."""
    notebook = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": path.parent}}
    client = NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", resources=folder)
    return client.execute(env={k: v for k, v in os.environ.items() if k != "MPLBACKEND"})


@pytest.mark.parametrize("path", sorted(LECTURES.glob("*.ipynb")), ids=NAMED)
def test_lecture_runs_within_a_minute(path):
    start = time.monotonic()
    execute(path)
    assert time.monotonic() - start < SECONDS


@pytest.mark.parametrize("path", sorted(LECTURES.glob("homework/*.ipynb")), ids=NAMED)
def test_handout_runs_as_handed_out_and_earns_nothing(path):
    checks = [cell for cell in execute(path).cells if cell.source.startswith("check(")]
    reports = [cell.outputs[-1].data["text/plain"].splitlines()[0] for cell in checks]
    assert reports != []
    assert [r for r in reports if not re.search(r": NOT FOUND, 0 of \d+ points$", r)] == []
