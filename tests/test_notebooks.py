"""Every stored notebook runs from top to bottom in a fresh kernel."""

import os
import time
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 60


def execute(path: Path, **options) -> nbformat.NotebookNode:
    """Run a notebook as Jupyter would: in its own folder, with figures inline."""
    notebook = nbformat.read(path, as_version=4)
    environment = {k: v for k, v in os.environ.items() if k != "MPLBACKEND"}
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": path.parent}},
        **options,
    )
    return client.execute(env=environment)


@pytest.mark.parametrize("path", sorted((ROOT / "lectures").glob("*.ipynb")), ids=lambda p: p.stem)
def test_lecture_runs_within_a_minute(path):
    start = time.monotonic()
    execute(path)
    assert time.monotonic() - start < SECONDS


def failures(notebook: nbformat.NotebookNode) -> list[tuple[int, str]]:
    """The cells that raised, by position, with the kind of exception."""
    return [
        (position, output.ename)
        for position, cell in enumerate(notebook.cells)
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "error"
    ]
