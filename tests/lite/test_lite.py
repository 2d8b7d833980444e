"""Lectures and homework in a browser's tab: a fresh profile, an address, and no way out of this machine.

The site is the offline one, ``make lite PYODIDE=.pyodide``. Three lectures and one homework run each time,
all of them with ``make test-lite``.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from lite.__main__ import contents, pinned
from tests.lite.tab import LIMIT, PANEL, errors, served, unrun

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build/lite"
MEGABYTE = 2**20

ALL = os.environ.get("MLNOTES_LITE") == "all"
SOME = ("lectures/07_perceptron.ipynb", "lectures/09_svm.ipynb", "lectures/14_pca.ipynb")
HOMEWORK = "lectures/homework/hw04_perceptron.ipynb"
NOTEBOOKS = [path for path, _ in contents() if path.endswith(".ipynb")]
LECTURES = [path for path in NOTEBOOKS if "homework" not in path] if ALL else SOME
HANDOUTS = [path for path in NOTEBOOKS if "homework" in path]

in_browser = [pytest.mark.needs("chromium"), pytest.mark.needs("lite")]

TRAIN = """
def train(points, labels):
    rows = np.column_stack([np.ones(len(points)), points]) * (2 * labels - 1)[:, None]
    weights, updates = np.zeros(rows.shape[1]), []
    while (wrong := np.flatnonzero(rows @ weights <= 0)).size:
        updates.append(wrong[0])
        weights = weights + rows[wrong[0]]
    return np.array(updates), weights
"""


WATCH = """
from mlnotes import show
shown = show.watch(iter([4, 9]), lambda axes, states: axes.plot(states), lambda states: f"state {states[-1]}")
"""


def cell_with(start: str) -> str:
    """The id of the cell of the homework that starts so."""
    cells = json.loads((ROOT / HOMEWORK).read_text("utf-8"))["cells"]
    return next(cell["id"] for cell in cells if "".join(cell["source"]).startswith(start))


@pytest.fixture
def address():
    with served(SITE) as address:
        yield address


# ------------------------------------------------------------------- the files


@pytest.mark.needs("lite")
def test_the_site_has_the_notebooks_and_the_boards_as_they_are():
    for path, content in contents():
        assert (SITE / "files" / path).read_bytes() == content
        listed = json.loads((SITE / "api/contents" / Path(path).parent / "all.json").read_text())
        assert Path(path).name in [item["name"] for item in listed["content"]]
    assert len(LECTURES) >= 3


@pytest.mark.needs("lite")
def test_without_pyodide_the_site_has_at_most_25_megabytes():
    files = [path for path in SITE.rglob("*") if path.is_file() and "pyodide" not in path.parts]
    assert sum(path.stat().st_size for path in files) <= 25 * MEGABYTE
    assert not [path for path in files if path.suffix == ".map"]


def test_a_missing_pin_is_named():
    with pytest.raises(ValueError, match=r"lite\.txt does not pin nothing"):
        pinned("comm==0.2.3 \\\n    --hash=sha256:00\n", "nothing")


# ------------------------------------------------------------------- notebooks in the tab


def renderers_memory(tab) -> int:
    """The resident bytes of the largest process under Chromium, which is the tab's."""
    return max(resident(pid) for pid in descendants(tab.process.pid))


def descendants(pid: int) -> list[int]:
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            found += [int(child) for child in task.read_text().split()]
    return found


def resident(pid: int) -> int:
    status = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(status[1]) * 1024 if status else 0


@pytest.mark.parametrize("path", LECTURES)
class TestLecture:
    pytestmark = in_browser

    def test_runs_to_its_end(self, tab, address, path):
        tab.notebook(address, path)
        cells = tab.run_all(seconds=3 * LIMIT)
        assert errors(cells) == []
        assert unrun(cells) == []
        assert renderers_memory(tab) < 1200 * MEGABYTE


def checks(cells) -> list[str]:
    """What the cells say that check a part."""
    return [json.dumps(cell["outputs"]) for cell in cells if cell["source"].startswith("check(")]


if ALL:

    @pytest.mark.parametrize("path", HANDOUTS)
    class TestHandout:
        pytestmark = in_browser

        def test_checks_say_what_is_missing(self, tab, address, path):
            tab.notebook(address, path)
            cells = tab.run_all()
            assert errors(cells) == []
            assert checks(cells)
            assert [text for text in checks(cells) if not re.search(r"\b0 of \d+ points", text)] == []


class TestHomework:
    pytestmark = in_browser

    def test_a_solved_part_earns_its_points_and_is_handed_in(self, tab, address, tmp_path):
        tab.notebook(address, HOMEWORK)
        tab.write(cell_with("def train"), TRAIN)
        cells = tab.run_all()
        assert errors(cells) == []
        points = [bool(re.search(r"\b0 of \d+ points", text)) for text in checks(cells)]
        assert points == [False] + [True] * (len(points) - 1)
        assert "5 of 5" in checks(cells)[0]
        tab.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
        tab.command("mlnotes:download")
        file = tmp_path / "hw04_perceptron.ipynb"
        tab.wait(file.exists, "the download")
        nbformat.validate(nbformat.read(file, as_version=4))
        run = [sys.executable, "-m", "mlnotes.cli", "check", "hw04", file]
        said = subprocess.run(run, capture_output=True, text=True, cwd=ROOT)
        assert re.search(r"train.*5 of 5", said.stdout), said.stdout + said.stderr
        wrong = TRAIN.replace("rows @ weights <= 0", "rows @ weights < -1")
        told = tab.python(f"{wrong}\nprint(check('hw04.train'))")
        assert "0 of 5" in told
        assert "points" in told  # the instance on which it fails

    def test_an_endless_loop_is_stopped_and_the_notebook_stays(self, tab, address):
        cell = cell_with("def train")
        tab.notebook(address, HOMEWORK)
        tab.write(cell, "while True: pass")
        tab.begin("notebook:run-all-cells")
        tab.until(f"{PANEL}.sessionContext.session.kernel.status === 'busy'", "the loop")
        tab.command("mlnotes:stop")
        assert tab.python("print(6 * 7)").strip() == "42"
        assert tab.source(cell) == "while True: pass"


class TestWork:
    pytestmark = in_browser

    def test_work_is_kept_and_started_afresh_only_after_asking(self, tab, address):
        cell = cell_with("def train")
        tab.notebook(address, HOMEWORK)
        original = tab.source(cell)
        tab.write(cell, "mine")
        tab.command("docmanager:save")
        tab.notebook(address, HOMEWORK)
        assert tab.source(cell) == "mine"
        tab.run("window.asked = []; window.confirm = text => { asked.push(text); return false; }; 1")
        tab.command("mlnotes:start-afresh")
        assert tab.source(cell) == "mine"
        tab.run("window.confirm = text => { asked.push(text); return true; }; 1")
        tab.command("mlnotes:start-afresh")
        assert tab.source(cell) == original
        assert ["Your changes to it are lost" in text for text in tab.run("asked")] == [True, True]
        tab.notebook(address, HOMEWORK)
        assert tab.source(cell) == original

    def test_sliders_slide(self, tab, address):
        tab.notebook(address, HOMEWORK)
        tab.write(cell_with("import numpy"), WATCH + "shown")
        tab.write(cell_with("def train"), "shown.widget()")
        tab.begin("notebook:run-all-cells")
        tab.until("!!document.querySelector('.mlnotes-exhibit img')", "the exhibit")
        tab.run("document.querySelector('.mlnotes-exhibit button:last-of-type').click(); 1")
        frame = "document.querySelector('.mlnotes-exhibit .frame:not([hidden])').innerText"
        assert "state 9" in tab.run(frame)
        tab.until("!!document.querySelector('.widget-image')?.naturalWidth", "the figure")
        words = "document.querySelector('.widget-html').innerText"
        assert "state 4" in tab.run(words)
        right = "new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true })"
        tab.run(f"document.querySelector('.noUi-handle').dispatchEvent({right}); 1")
        tab.until(f"{words}.includes('state 9')", "the slider to move")
