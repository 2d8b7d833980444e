"""The pages in a real browser: on a phone and a desk, light and dark; nothing runs, nothing is loaded."""

import base64
import contextlib
import json
import os
import signal
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from mlnotes import homework
from mlnotes.grading import pages
from mlnotes.grading.engine import GRADED, ClaimResult, PartResult, Result
from mlnotes.grading.faults import CLAIM, GRADER, MISSING, OK, OPEN, TIME

SMALL = homework.load(str(Path(__file__).parent / "small_homework.py"))
PHONE, DESK = (390, 844), (1280, 800)
SHOTS = os.environ.get("MLNOTES_SHOTS")  # a folder for the pictures, to look at
pytestmark = pytest.mark.needs("chromium")


class Browser:
    """Chromium without a window, spoken to over two pipes in its DevTools protocol."""

    def __init__(self, profile):
        requests, self.requests = os.pipe()
        self.replies, replies = os.pipe()
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        options += ["--remote-debugging-pipe", "--hide-scrollbars", f"--user-data-dir={profile}"]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{requests} 4>&{replies}', "bash", "chromium", *options],
            pass_fds=(requests, replies), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        os.close(requests)
        os.close(replies)
        self.number, self.buffer, self.events, self.session = 0, b"", [], None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.requests, json.dumps(message).encode() + b"\0")
        while (found := self.message()).get("id") != self.number:
            self.events.append(found)
        assert "error" not in found, found
        return found["result"]

    def message(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.replies, 1 << 20)
            assert piece, "the browser is gone"
            self.buffer += piece
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def show(self, path, size, scheme):
        """Load a page at a size in a colour scheme; return what was requested and what was complained of."""
        self.events.clear()
        width, height = size
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2,
                 mobile=size == PHONE)  # fmt: skip
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.ask("Page.navigate", url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())
        self.value("1")  # what is still on its way comes before the answer
        asked = [
            e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent"
        ]
        bad = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        return asked, [event["params"] for event in self.events if event["method"] in bad]

    def value(self, expression):
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def picture(self):
        height = self.value("document.documentElement.scrollHeight")
        width = self.value("innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, 4000), "scale": 1}
        return base64.b64decode(
            self.ask("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]
        )

    def close(self):
        with contextlib.suppress(OSError):
            os.write(self.requests, b'{"id": 0, "method": "Browser.close"}\0')
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.requests)
        os.close(self.replies)


@pytest.fixture(scope="module")
def browser():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        found = Browser(profile)
        yield found
        found.close()


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
        PartResult("root", 4, 0.0, MISSING, "square_root is not defined; did you mean to call sqrt so?"),
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page(browser, tmp_path, name, size, scheme):
    file = tmp_path / f"{name}.html"
    file.write_text(PAGES[name](), encoding="utf-8")
    asked, complaints = browser.show(file, size, scheme)
    assert asked == [file.as_uri()], "a page is one file"
    assert complaints == []
    assert browser.value("document.documentElement.scrollWidth") == size[0], "it scrolls down only"
    assert browser.value("matchMedia('(prefers-color-scheme: dark)').matches") == (scheme == "dark")
    assert browser.value(CONTRAST) == [], "text is readable: a contrast of 4.5 (WCAG 2.2, 1.4.3)"
    small = "[...document.querySelectorAll('body *')].filter(e => !(e instanceof SVGElement) && " \
            "parseFloat(getComputedStyle(e).fontSize) < 12).length"  # fmt: skip
    assert browser.value(small) == 0
    if SHOTS:
        target = Path(SHOTS, f"{name}-{'phone' if size == PHONE else 'desk'}-{scheme}.png")
        target.write_bytes(browser.picture())


def test_what_is_folded_opens_without_a_script(browser, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(PAGES["student"](), encoding="utf-8")
    browser.show(file, PHONE, "light")
    before = browser.value("document.documentElement.scrollHeight")
    count = browser.value("document.querySelectorAll('details').length")
    assert count >= 3
    browser.value("document.querySelectorAll('summary').forEach(e => e.click())")
    assert browser.value("document.querySelectorAll('details[open]').length") == count
    assert browser.value("document.documentElement.scrollHeight") > before
    assert browser.value("document.documentElement.scrollWidth") == PHONE[0]
    if SHOTS:
        Path(SHOTS, "student-phone-open.png").write_bytes(browser.picture())
