"""Book and lite site side by side: a run button on the pages of notebooks, and cells that run there."""

import pytest

import mlnotes
from book import links
from lite import join
from tests.lite.test_lite import in_browser

on_the_site = [pytest.mark.needs("chromium"), pytest.mark.needs("site")]

PHONE = (390, 844)

CELL = """<div class="cell docutils container"><div class="cell_input docutils container">
<div class="highlight-python notranslate"><div class="highlight"><pre><span></span>{}</pre></div></div>
</div></div>"""
CODE = (
    """import numpy as np
Z = np.array([[1, 2], [2, -1], [1, 0]])

def perceptron(Z):
    w, updates = np.zeros(2), 0
    while (wrong := np.flatnonzero(Z @ w &lt;= 0)).size and updates &lt; 1000:
        w, updates = w + Z[wrong[0]], updates + 1
    return w, updates""",
    """w, updates = perceptron(Z)
assert (Z @ w &gt; 0).all(), "a row is wrong"
print(updates, "updates")
import mlnotes
mlnotes.__version__""",
    """from mlnotes.show import plots
figure, ax = plots.panels()
ax.plot([0, 1])
figure""",
)
HEAD = """<html><head><link rel="icon" href="data:,"><style>pre { overflow-x: auto }</style></head><body>
<article><h1>The perceptron</h1><p>Text.</p>"""
PAGE = HEAD + "".join(map(CELL.format, CODE)) + "</article></body></html>"


def site(folder):
    (folder / "lectures/homework").mkdir(parents=True)
    (folder / "lite/files/lectures").mkdir(parents=True)
    for name in ("lectures/07_perceptron", "lectures/99_no_page"):
        (folder / f"lite/files/{name}.ipynb").write_text("{}")
    (folder / "lectures/07_perceptron.html").write_text(PAGE)
    return folder


def test_a_page_links_to_its_notebook_and_changes_in_nothing_else(tmp_path):
    assert join.add_buttons(site(tmp_path)) == 1
    text = (tmp_path / "lectures/07_perceptron.html").read_text()
    link = links.in_lite("lectures/07_perceptron.ipynb", "lectures/07_perceptron.html")
    assert f'</h1><p class="run-here"><a href="{link}">' in text
    assert '<script type="module" src="../lite/run.js"></script></body>' in text
    assert text.replace("<p class", "|<p class").split("|")[0] == PAGE.split("<p>")[0]
    assert links.in_lite("a b.ipynb", "index.html") == "lite/lab/index.html?path=a%20b.ipynb"


@pytest.mark.parametrize("missing", ["book", "lite"])
def test_what_is_missing_is_named(tmp_path, monkeypatch, capsys, missing):
    for name, folder in (("BOOK", "book"), ("OUT", "lite")):
        (tmp_path / folder).mkdir()
        monkeypatch.setattr(join, name, tmp_path / folder)
        if folder != missing:
            (tmp_path / folder / "index.html").write_text("")
    monkeypatch.setattr(join, "ROOT", tmp_path)
    assert join.main() == 1
    assert f"{missing} is not there: make {missing}" in capsys.readouterr().err


class TestPage:
    pytestmark = in_browser

    def test_cells_run_on_their_page_after_a_press_and_not_before(self, tab, folder, address):
        (folder / "pages").mkdir()
        name = "pages/07_perceptron"
        (folder / f"{name}.html").write_text(join.with_button(PAGE, f"{name}.ipynb", f"{name}.html"))
        tab.resize(*PHONE)
        tab.open(f"{address}/{name}.html")
        tab.until("document.querySelectorAll('.run-bar').length === 3", "the buttons")
        assert not [url for url in tab.requests if "pyodide" in url or "worker" in url]
        assert "14 updates" not in tab.run("document.body.innerText")
        said = "document.querySelectorAll('div.cell')[{}].innerText"
        press = "document.querySelectorAll('.run-bar')[{}].querySelector('button').click(); 1"
        tab.run(press.format(1))
        for printed in (" updates", mlnotes.__version__):
            tab.until(f"{said.format(1)}.includes('{printed}')", "a cell")
        tab.run(press.format(2))
        tab.until("!!document.querySelectorAll('div.cell')[2].querySelector('img')?.naturalWidth", "a figure")
        first = "document.querySelector('div.cell pre')"
        tab.run(f"{first}.textContent = {first}.textContent.replace('<= 0', '< 0');"
                f"{first}.dispatchEvent(new Event('input')); 1")  # fmt: skip
        tab.run(press.format(1))
        tab.until(f"{said.format(1)}.includes('AssertionError: a row is wrong')", "the theorem to fail")
        tab.run(f"{first}.textContent = 'while True: pass'; {first}.dispatchEvent(new Event('input')); 1")
        tab.run(press.format(0))
        tab.run("document.querySelector('.run-bar button:last-of-type').click(); 1")
        tab.until(f"{said.format(0)}.includes('stopped')", "the loop to end")
        assert tab.run("document.documentElement.scrollWidth") <= PHONE[0]
        assert tab.complaints == []

    def test_a_loop_on_an_isolated_page_is_interrupted_and_what_it_computed_stays(
        self, tab, folder, isolated_address
    ):
        (folder / "page.html").write_text(join.with_button(PAGE, "page.ipynb", "page.html"))
        first = "document.querySelector('div.cell')"

        def run(code):
            tab.run(f"{first}.querySelector('pre').textContent = {code!r};"
                    f"{first}.querySelector('pre').dispatchEvent(new Event('input'));"
                    f"{first}.querySelector('.run-bar button').click(); 1")  # fmt: skip

        tab.open(f"{isolated_address}/page.html")
        tab.until("crossOriginIsolated && !!document.querySelector('.run-bar')", "the buttons")
        run("before = 6; print('rea' + 'dy')")
        tab.until(f"{first}.innerText.includes('ready')", "Python")
        run("while True: pass")
        tab.until(f"{first}.innerText.includes('cell 1 of 1')", "the loop")
        tab.run(f"{first}.querySelector('.run-bar button:last-of-type').click(); 1")
        tab.until(f"{first}.innerText.includes('what was computed before stays')", "the loop to end")
        run("print(before * 7)")
        tab.until(f"{first}.innerText.includes('42')", "what was computed")


LECTURE = "lectures/07_perceptron"
AT = "[...document.querySelectorAll('article div.cell')].find(cell => cell.textContent.includes({!r}))"


class TestLecture:
    """The page of lecture 7 in the joined site, on a phone."""

    pytestmark = on_the_site

    def test_a_slider_runs_and_a_theorem_fails_when_its_line_is_changed(self, tab, address):
        def press(words):
            tab.run(f"{AT.format(words)}.querySelector('.run-bar button').click(); 1")

        def shown(words):
            return f"{AT.format(words)}.querySelector('.run-output')?.innerText"

        tab.resize(*PHONE)
        tab.open(f"{address}/{LECTURE}.html")
        tab.until("!!document.querySelector('.run-bar')", "the buttons")
        assert not [url for url in tab.requests if "pyodide" in url or "worker" in url]

        slider = "show.watch(updates"
        press(slider)
        tab.until(f"{shown(slider)}?.includes('update: 0')", "the slider")
        range_ = f"{AT.format(slider)}.querySelector('input[type=range]')"
        tab.run(f"{range_}.value = 3; {range_}.dispatchEvent(new Event('input')); 1")
        assert "update: 3" in tab.run(shown(slider))

        definition = "def perceptron"
        text = f"{AT.format(definition)}.querySelector('pre[contenteditable]')"
        tab.run(f"{text}.focus(); getSelection().selectAllChildren({text}); 1")
        lines = tab.run(f"{text}.innerText")
        tab.ask("Input.insertText", text=lines.replace("w @ z <= 0", "w @ z < 0"))
        assert tab.run(f"{text}.innerText").count("\n") >= lines.count("\n") - 1
        press(definition)
        tab.until(f"{shown(definition)}?.includes('has these lines now')", "the changed lines")
        press("path = list(pc.perceptron(hand")
        tab.until(f"{shown('path = list(pc.perceptron(hand')}?.includes('AssertionError')", "a check")
        claims = 'claims.verified("perceptron", section="2")'
        press(claims)
        tab.until(f"{shown(claims)}?.includes('FAILS  perceptron.')", "the theorem to fail")
        assert tab.run("document.documentElement.scrollWidth") <= PHONE[0]
        assert tab.complaints == []
