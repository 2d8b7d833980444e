"""The book in a real browser that can reach no host but this one; and what its pages are made of.

``make book`` builds it; without it or without Chromium tests skip. Without axe-core (``npm ci --prefix
tests/axe``) pages are tested in all other respects, and one test skips and says so.
"""

import functools
import hashlib
import http.server
import json
import re
import threading
from pathlib import Path

import pytest

from tests.browser import Browser

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "build" / "book"
AXE = ROOT / "tests/axe/node_modules/axe-core/axe.min.js"
PAGES = sorted(
    path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if "_static" not in path.parts
)
TEXT = [page for page in PAGES if not page.startswith(("_modules/", "genindex"))]
LECTURES = [page for page in TEXT if re.fullmatch(r"lectures/\d\d_\w+\.html", page)]
SLIDES = [page for page in TEXT if re.fullmatch(r"slides/\d\d_\w+\.html", page)]
PHONE, DESK = (390, 844), (1280, 900)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    """Where the site is served, on this machine only."""
    handler = functools.partial(Quiet, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def chromium():
    with Browser() as started:
        yield started


class Looks:
    """How the texts look whose contrast is high enough, on the pages so far of all processes: files."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def file(self, look):
        return self.folder / hashlib.sha256(look.encode()).hexdigest()

    def new(self, looks):
        return sorted(look for look in looks if not self.file(look).exists())

    def add(self, looks):
        for look in looks:
            self.file(look).touch()


@pytest.fixture(scope="module")
def looks(shared):
    return Looks(shared / "looks")


@pytest.fixture
def browser(chromium):
    chromium.complaints.clear()
    chromium.requests.clear()
    chromium.resize(*PHONE)
    chromium.prefer("light")
    return chromium


UNTYPESET = r"""(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest("code, pre, script, style, mjx-container, title")) continue;
    if (/\\\(|\\\[|\$[^$]+\$/.test(node.textContent)) found.push(node.textContent.trim().slice(0, 80));
  }
  return found;
})()"""
BLIND = """Promise.all([...document.images].map(image => {
  image.loading = "eager";
  return image.decode().then(() => image.alt.length > 9 ? "" : image.src, () => image.src);
})).then(found => found.filter(source => source))"""
# What ends right of the page, in nothing that scrolls: a reader cannot see it.
CUT = """[...document.querySelectorAll("article *")].filter(e => {
  const box = e.getBoundingClientRect(), width = document.documentElement.clientWidth;
  if (!box.width || !box.height || box.right <= width + 1 || e.closest("mjx-assistive-mml")) return false;
  for (let p = e; p.tagName !== "ARTICLE"; p = p.parentElement)
    if (["auto", "scroll"].includes(getComputedStyle(p).overflowX)) return false;
  return true;
}).map(e => e.tagName + ": " + e.textContent.slice(0, 60)).slice(0, 5)"""
# The checker takes minutes over thousands of glyphs and tokens: typeset formulas, which carry their own text
# for screen readers, are taken out, and of the tokens of code that a reader sees and whose elements have the
# same classes, up to the page, the first stands for all.
LIGHTEN = """document.querySelectorAll("mjx-container").forEach(formula => formula.replaceWith("x"));
(tokens => {
  const looks = new Set(), shown = new Set(tokens.filter(token => token.offsetParent));
  for (const token of tokens) {
    let look = "";
    for (let e = token; e; e = e.parentElement) look += `${e.tagName}.${e.className} `;
    if (looks.has(look) || !shown.has(token)) token.replaceWith(token.textContent);
    else looks.add(look);
  }
})([...document.querySelectorAll("pre span")].filter(token => !token.children.length))"""
# All that the contrast of a text is made of: its own colour and size, and what lies behind it.
LOOKS = """(() => {
  const behind = new Map(), walker = document.createTreeWalker(document.body, 4);
  const ground = e => {
    if (!e) return "";
    if (!behind.has(e)) {
      const {backgroundColor, backgroundImage, opacity, filter} = getComputedStyle(e);
      const own = [backgroundColor, backgroundImage, opacity, filter].join(" ");
      behind.set(e, (own === "rgba(0, 0, 0, 0) none 1 none" ? "" : own + "; ") + ground(e.parentElement));
    }
    return behind.get(e);
  };
  window.texts = {};
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !e.checkVisibility({visibilityProperty: true})) continue;
    const {color, fontSize, fontWeight, textShadow} = getComputedStyle(e);
    (texts[[color, fontSize, fontWeight, textShadow, ground(e)].join("; ")] ??= []).push(e);
  }
  return Object.keys(texts);
})()"""
# Contrast is half of the checker's work: it is checked for texts with a look that no earlier page had. Rules
# whose violations are moderate or minor are not checked: nobody reads the results.
VIOLATIONS = """axe.run({}, {{resultTypes: ["violations"], {}}}).then(found => found.violations
  .filter(rule => {}.includes(rule.impact))
  .map(rule => rule.id + ": " + rule.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(" | ")))"""
GRAVE = "['serious', 'critical']"
OTHERS = f"axe._audit.rules.filter(r => r.id === 'color-contrast' || !{GRAVE}.includes(r.impact))"
STRUCTURE = VIOLATIONS.format(
    "document", f"rules: Object.fromEntries({OTHERS}.map(r => [r.id, {{enabled: false}}]))", GRAVE
)
CONTRAST = VIOLATIONS.format(
    "{include: NEW.flatMap(look => texts[look])}", "runOnly: ['color-contrast']", GRAVE
)


@pytest.mark.needs("axe-core")
def test_accessibility_checker_is_installed():
    assert "axe.run" in AXE.read_text("utf-8")


@pytest.mark.needs("book")
@pytest.mark.needs("chromium")
def test_benchmarks_page_is_short(browser, address):
    browser.resize(*DESK)
    browser.open(f"{address}/benchmarks.html")
    assert browser.run("document.querySelector('img[src*=races]').getBoundingClientRect().top") < DESK[1]
    assert browser.run("document.documentElement.scrollHeight") < 6_000


def formulas_of(notebook):
    """How many formulas a notebook holds, counted in its own text: display ones, then the others."""
    texts = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            texts.append("".join(cell["source"]))
        for output in cell.get("outputs", []):
            texts.append("".join(output.get("data", {}).get("text/html", "")))
    bare = [
        re.sub(r"```.*?```|``.*?``|`[^`]*`|<code>.*?</code>", "", text, flags=re.DOTALL) for text in texts
    ]
    display = sum(len(re.findall(r"\$\$.+?\$\$", text, re.DOTALL)) for text in bare)
    rest = [re.sub(r"\$\$.+?\$\$", "", text, flags=re.DOTALL) for text in bare]
    return display + sum(len(re.findall(r"(?<!\\)\$[^$]+?(?<!\\)\$", text)) for text in rest)


def look_at(browser, address, page):
    """What every page must pass, on a phone."""
    browser.open(f"{address}/{page}")
    assert browser.complaints == []
    assert [r for r in browser.requests if not r.startswith((address, "data:"))] == []
    formulas = browser.run("document.querySelectorAll('.math').length")
    assert browser.run("document.querySelectorAll('mjx-container').length") >= formulas
    if page in LECTURES:
        executed = ROOT / "build" / page.replace(".html", ".ipynb")
        expected = formulas_of(json.loads(executed.read_text("utf-8")))
        assert expected > 50
        assert browser.run("document.querySelectorAll('article mjx-container').length") == expected
    assert browser.run("[...document.querySelectorAll('mjx-merror')].map(e => e.textContent)") == []
    assert browser.run(UNTYPESET) == []
    assert browser.run(BLIND) == []
    assert browser.run("document.documentElement.scrollWidth") <= PHONE[0], "it scrolls sideways"
    assert browser.run(CUT) == []


@pytest.mark.parametrize("page", [page for page in PAGES if page not in SLIDES[1:]] or ["index.html"])
@pytest.mark.needs("book")
@pytest.mark.needs("chromium")
def test_a_page_loads_is_typeset_fits_a_phone_and_is_accessible(browser, address, page, looks):
    look_at(browser, address, page)
    if page not in TEXT or not AXE.exists():
        return
    browser.run(f"{AXE.read_text('utf-8')}; {LIGHTEN}")
    assert browser.run(STRUCTURE) == []
    for scheme in ("light", "dark"):
        browser.prefer(scheme)
        assert browser.run(f"matchMedia('(prefers-color-scheme: {scheme})').matches")
        if new := looks.new(browser.run(LOOKS)):
            assert browser.run(CONTRAST.replace("NEW", json.dumps(new))) == []
            looks.add(new)


@pytest.mark.needs("book")
@pytest.mark.needs("chromium")
@pytest.mark.parametrize(
    ("words", "page"), [("mistake bound", "lectures/07_perceptron.html"), ("Cover Hart", "neighbors")]
)
def test_search_finds(browser, address, words, page):
    browser.open(f"{address}/search.html?q={words.replace(' ', '+')}")
    links = "[...document.querySelectorAll('#search-results li a')].map(a => a.getAttribute('href'))"
    browser.wait(lambda: browser.run(links), f"search to find {page}")
    assert page in browser.run(links)[0]
    said = "[...document.querySelectorAll('#search-results p.context')].map(p => p.textContent).join(' ')"
    browser.wait(lambda: browser.run(said), "the words around what was found")
    assert not re.search(r"\\[a-zA-Z(]", browser.run(said)), "source of a formula"
    assert browser.complaints == []


@pytest.mark.needs("book")
@pytest.mark.needs("chromium")
def test_exhibits_react_to_a_click_and_to_the_slider(browser, address):
    browser.open(f"{address}/exhibits.html")
    count = browser.run("document.querySelectorAll('.mlnotes-exhibit').length")
    assert count >= 3
    for k in range(count):
        exhibit = f"document.querySelectorAll('.mlnotes-exhibit')[{k}]"
        shown = f"[...{exhibit}.querySelectorAll('.frame')].map(f => f.offsetHeight > 0)"
        before = browser.run(shown)
        browser.run(f"{exhibit}.querySelectorAll('button')[1].click()")
        after = browser.run(shown)
        assert before.count(True) == after.count(True) == 1
        assert after.index(True) == before.index(True) + 1
        move = "r.value = r.max; r.dispatchEvent(new Event('input'))"
        browser.run(f"(r => {{ {move} }})({exhibit}.querySelector('input'))")
        assert browser.run(shown).index(True) == len(before) - 1
        last = f"[...{exhibit}.querySelectorAll('.frame')].at(-1).textContent"
        assert browser.run(f"{exhibit}.querySelector('input').ariaValueText") == browser.run(last)


CUT_SLIDES = """Reveal.getSlides().map((slide, k) => {
  const {h, v} = Reveal.getIndices(slide), {height, width} = Reveal.getConfig();
  Reveal.slide(h, v, 99);
  const parts = [...slide.querySelectorAll("mjx-math, table, img, pre code")].filter(e => e.offsetParent);
  const end = slide.getBoundingClientRect().left + width * Reveal.getScale() + 1;
  return 30 <= slide.offsetHeight && slide.offsetHeight <= height && slide === Reveal.getCurrentSlide()
    && parts.every(e => e.getBoundingClientRect().right <= end && e.scrollWidth <= width) ? -1 : k;
}).filter(k => k >= 0)"""


@pytest.mark.parametrize("page", SLIDES or ["slides/01_bayes.html"])
@pytest.mark.needs("book")
@pytest.mark.needs("chromium")
def test_every_slide_shows_something_that_fits(browser, address, page):
    """Made alike, of pages that are accessible: the slides of the first lecture stand for all in that."""
    look_at(browser, address, page)
    browser.resize(*DESK)
    browser.wait(lambda: browser.run("Reveal.isReady()"), "the slides")
    assert 20 <= browser.run("Reveal.getTotalSlides()") <= 40
    assert browser.run(CUT_SLIDES) == []
    assert browser.complaints == []


@pytest.mark.needs("book")
@pytest.mark.needs("chromium")
def test_slides_move_step_by_step_and_have_notes(browser, address):
    browser.resize(*DESK)
    browser.open(f"{address}/{(SLIDES or ['slides/01_bayes.html'])[-1]}")
    browser.wait(lambda: browser.run("Reveal.isReady()"), "the slides")
    before = browser.run("Reveal.getProgress()")
    browser.run("document.dispatchEvent(new KeyboardEvent('keydown', {keyCode: 32, bubbles: true}))")
    assert browser.run("Reveal.getProgress()") > before
    assert browser.run("document.querySelectorAll('.fragment').length") > 0
    assert browser.run(
        "[...document.querySelectorAll('aside.notes')].some(note => note.textContent.length > 99)"
    )
