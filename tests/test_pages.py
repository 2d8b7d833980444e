"""The pages in a real browser: on a phone and a desk, light and dark; nothing runs, nothing is loaded."""

import importlib.util
import os
from dataclasses import replace
from pathlib import Path

import pytest

from mlnotes import homework
from mlnotes.grading.feedback import pages
from mlnotes.grading.results import (
    CLAIM,
    GRADED,
    GRADER,
    MISSING,
    OK,
    OPEN,
    TIME,
    ClaimResult,
    PartResult,
    Result,
)

HERE = Path(__file__).parent
SMALL = homework.load(str(HERE / "small_homework.py"))
PHONE, DESK = (390, 844), (1280, 800)
SHOTS = os.environ.get("MLNOTES_SHOTS")  # a folder for the pictures, to look at
pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def browser():
    spec = importlib.util.spec_from_file_location("browser", HERE / "browser.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with module.Browser() as found:
        yield found


def failing(what, measured, bound, relation="at_most"):
    return {
        "what": what,
        "measured": measured,
        "relation": relation,
        "bound": bound,
        "tolerance": 1e-9,
        "holds": False,
    }


def example():
    """A result with everything that a page can hold, some of it too wide for a phone."""
    evidence = (
        failing("distance of the rows from their means, over all rows and columns", 0.25, 0.0),
        failing("a word too long to break " + "x" * 200, 1.5e-3, 0.0),
    )
    calls = ("model = Mean(shift)", "shift = " + repr([0.123456789] * 40), "model.fit(X) gave None")
    claims = (
        ClaimResult("small.means", "lectures/01_bayes.ipynb, section 2", OK),
        ClaimResult("small.order", "lectures/01_bayes.ipynb, section 3", CLAIM, "", evidence, (), calls),
    )
    parts = (
        PartResult("means", 3, 3.0, OK, "", claims[:1], "a first look: " + "0.5, " * 300),
        PartResult(
            "sorting", 2, 1.0, CLAIM, "1 of 2 claims fails; partial credit: 50 % of the points", claims
        ),
        PartResult("root", 4, 0.0, MISSING, "square_root is not defined; your file defines sqrt"),
        PartResult("model", 4, 0.0, TIME, "no answer within 10 s; the process was ended"),
        PartResult("essay", 5, None, OPEN, "marked by hand"),
        PartResult("noise", 3, None, GRADER, "the part cannot be set up: ValueError"),
    )
    notes = ("cell 3, line 4: NameError: name 'x' is not defined [y = x + 1]", "/a/path/" + "x" * 300)
    return Result("small", "1", "ada", "d" * 64, "bubblewrap", GRADER, 21, 4.0, parts, notes)


def class_page():
    tally = pages.Tally(SMALL)
    for k in range(40):
        result = example()
        tally.add(replace(result, status=GRADED, earned=min(21.0, k * 0.6), parts=result.parts[:4]))
    tally.add(example())
    tally.add(None)
    return pages.summary_page(SMALL, tally)


PAGES = {
    "student": lambda: pages.student_page(SMALL, example(), "Ada Lovelace"),
    "class": class_page,
    "nobody": lambda: pages.summary_page(SMALL, pages.Tally(SMALL)),
}
CONTRAST = """
(() => {
  const light = c => c.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const opaque = c => !/, 0\\)$/.test(c);
  const ground = e => { for (; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor; if (opaque(c)) return c; } return null; };
  const bad = [];
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || e instanceof SVGElement) continue;
    const a = light(getComputedStyle(e).color), b = light(ground(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push(e.tagName + " " + e.textContent.slice(0, 30) + " " + ratio.toFixed(2));
  }
  return bad;
})()
"""


def shown(browser, file, page, size=PHONE, scheme="light"):
    """Load a page; what it asked for and what was complained of are those of this page alone."""
    file.write_text(page, encoding="utf-8")
    browser.requests.clear()
    browser.complaints.clear()
    browser.resize(*size)
    browser.prefer(scheme)
    browser.open(file.as_uri())


def picture(browser, name):
    if SHOTS:
        browser.picture(Path(SHOTS, f"{name}.png"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page(browser, tmp_path, name, size, scheme):
    file = tmp_path / f"{name}.html"
    shown(browser, file, PAGES[name](), size, scheme)
    assert browser.requests == [file.as_uri()], "a page is one file"
    assert browser.complaints == []
    assert browser.run("document.documentElement.scrollWidth") == size[0], "it scrolls down only"
    assert browser.run("matchMedia('(prefers-color-scheme: dark)').matches") == (scheme == "dark")
    assert browser.run(CONTRAST) == [], "text is readable: a contrast of 4.5 (WCAG 2.2, 1.4.3)"
    small = "[...document.querySelectorAll('body *')].filter(e => !(e instanceof SVGElement) && " \
            "parseFloat(getComputedStyle(e).fontSize) < 12).length"  # fmt: skip
    assert browser.run(small) == 0
    picture(browser, f"{name}-{size[0]}-{scheme}")


def test_what_is_folded_opens_without_a_script(browser, tmp_path):
    shown(browser, tmp_path / "page.html", PAGES["student"]())
    before = browser.run("document.documentElement.scrollHeight")
    count = browser.run("document.querySelectorAll('details').length")
    assert count >= 3
    browser.run("document.querySelectorAll('summary').forEach(e => e.click())")
    assert browser.run("document.querySelectorAll('details[open]').length") == count
    assert browser.run("document.documentElement.scrollHeight") > before
    assert browser.run("document.documentElement.scrollWidth") == PHONE[0]
    picture(browser, "student-open")
