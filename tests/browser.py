"""A headless Chromium, driven over its own protocol (Chrome DevTools) through two pipes: no library, no port.

With every host but localhost unknown to it, and only the events that the tests of the book ask for.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost", "--remote-debugging-pipe",
)  # fmt: skip
SECONDS = 600.0  # a machine may be busy, and only what never comes fails
SILENCE = 300.0  # seconds after which a browser that says nothing has hung


def program() -> str | None:
    """Return the path of a Chromium, None if there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Browser:
    """One Chromium with one page, as a context manager.

    Attributes
    ----------
    complaints : list of str
        What the console reported as warning or error, uncaught exceptions, and requests that failed.
    requests : list of str
        The addresses that pages asked for.
    """

    def __enter__(self) -> Browser:
        self.profile = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        to_browser, self.writing = os.pipe()
        self.reading, from_browser = os.pipe()

        def wire() -> None:  # the protocol is spoken on the descriptors 3 and 4
            high = [os.dup(to_browser), os.dup(from_browser)]
            high = [os.dup(fd) if fd in (3, 4) else fd for fd in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [str(program()), *FLAGS, f"--user-data-dir={self.profile.name}", "about:blank"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.last, self.target, self.loaded = b"", 0, "", 0
        self.new_page()
        return self

    def new_page(self) -> None:
        """Close the page, if there is one, and open another, of which nothing is noted yet."""
        self.session = ""  # speak to the browser, not to a page
        if self.target:
            self.ask("Target.closeTarget", targetId=self.target)
        self.target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.loaded = 0
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.reading)
        os.close(self.writing)
        self.profile.cleanup()

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its answer; events that come before it are noted."""
        self.last += 1
        message: dict[str, Any] = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writing, data) :]
        while (answer := self._read()).get("id") != self.last:
            self._note(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self.buffer:
            if not select.select([self.reading], [], [], SILENCE)[0]:
                raise TimeoutError(f"the browser said nothing for {SILENCE:g} s")
            if not (chunk := os.read(self.reading, 1 << 20)):
                raise RuntimeError("the browser has gone")
            self.buffer += chunk
        line, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(line)

    def _note(self, event: dict[str, Any]) -> None:
        method, said = event.get("method"), event.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded += 1
        elif method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(
                said["exceptionDetails"].get("exception", {}).get("description", "exception")
            )
        elif method == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a)) for a in said["args"]))
        elif method == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{said['entry']['text']} {said['entry'].get('url', '')}")

    def open(self, address: str) -> None:
        """Go to a page and wait until it is loaded and MathJax, where there is one, has typeset it."""
        before = self.loaded
        self.ask("Page.navigate", url=address)
        while self.loaded == before:  # only listens: what is asked of a page that goes may never be answered
            self._note(self._read())
        self.run("window.MathJax && MathJax.startup && MathJax.startup.promise.then(() => true)")

    def run(self, script: str) -> Any:
        """Return the value of a JavaScript expression; a promise is awaited."""
        answer = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", script))
        return answer["result"].get("value")

    def wait(self, condition: Callable[[], Any], what: str) -> None:
        """Wait until a condition holds."""
        end = time.monotonic() + SECONDS
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(f"waited {SECONDS:g} s for {what}")
            time.sleep(0.02)

    def resize(self, width: int, height: int) -> None:
        """Show pages as on a screen of that size."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def prefer(self, scheme: str) -> None:
        """Ask pages for their "light" or "dark" colours."""
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path: Path, whole: bool = True) -> None:
        """Write the page as a PNG file."""
        answer = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(answer["data"]))
