"""The lite site in a headless Chromium: a server on this machine, and a tab with one notebook in it."""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

from tests.browser import Browser

# Seconds, of a machine that does ten other things; only what never comes fails.
LIMIT, NOTEBOOK = 240.0, 900.0  # for one thing, such as a page with its Python; for all cells
NOBODY = 10**9  # the id of commands whose answer nobody waits for
WORK, CACHES = "cookies,file_systems,indexeddb,local_storage,service_workers", "cache_storage"
WEB = ("http", "https", "ws", "wss")

PANEL = "(p => p && p.context && p.sessionContext ? p : null)(window.jupyterapp?.shell?.currentWidget)"
READ = f"(p => !!p && p.context.isReady)({PANEL})"
OPENED = f"(p => !!p && p.context.isReady && p.sessionContext.isReady)({PANEL})"
LATER = "answer = null; Promise.resolve({}).then(() => answer = true, e => answer = String(e)); 1"
CELLS = f"{PANEL}.context.model.toJSON().cells.filter(cell => cell.cell_type === 'code')"
CELL = f"{PANEL}.context.model.sharedModel.cells.find(cell => cell.id === '{{}}')"


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, with the types that browsers want, and other headers if there are any."""

    headers_too: ClassVar[dict[str, str]] = {}

    def end_headers(self) -> None:
        for name, value in self.headers_too.items():
            self.send_header(name, value)
        super().end_headers()

    def guess_type(self, path: Any) -> str:
        kinds = {".mjs": "text/javascript", ".wasm": "application/wasm"}
        return kinds.get(Path(path).suffix) or super().guess_type(path)

    def log_message(self, *_: Any) -> None: ...


class IsolatedHandler(Handler):
    """The headers with which pages may share memory with their workers."""

    headers_too: ClassVar[dict[str, str]] = {
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
    }


@contextlib.contextmanager
def served(folder: Path, isolated: bool = False) -> Iterator[str]:
    """Serve a folder on this machine, and yield the address."""
    handler = functools.partial(IsolatedHandler if isolated else Handler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


class Tab(Browser):
    """A Chromium with a fresh profile. Requests of workers are noted too."""

    def new_page(self) -> None:
        super().new_page()
        self.ask("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        self.resize(1280, 900)

    def forget(self, address: str, kinds: str = WORK) -> None:
        """Delete what a site has stored, of these kinds."""
        self.ask("Storage.clearDataForOrigin", origin=address, storageTypes=kinds)

    def _note(self, event: dict[str, Any]) -> None:
        super()._note(event)
        if event.get("method") == "Target.attachedToTarget":
            worker = event["params"]["sessionId"]
            message = {"id": NOBODY, "method": "Network.enable", "sessionId": worker}
            os.write(self.writing, json.dumps(message).encode() + b"\0")

    def strangers(self) -> list[str]:
        """The addresses asked for that are not on this machine."""
        parts = {url: urlsplit(url) for url in self.requests}
        return [url for url, part in parts.items() if part.scheme in WEB and part.hostname != "localhost"]

    def until(self, script: str, what: str, seconds: float = LIMIT) -> Any:
        """Wait until a JavaScript expression is true, and return it."""
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds:g} s for {what}")
            time.sleep(0.05)
        return value

    def finish(self, script: str, what: str, seconds: float = LIMIT) -> None:
        """Wait for a promise of the page."""
        self.run(LATER.format("(" + script + ")"))
        answer = self.until("answer", what, seconds)
        if answer is not True:
            raise RuntimeError(f"{what}: {answer}")

    def page(self, address: str, path: str) -> None:
        """Open a notebook of the site, and wait until it is there; its Python may still start."""
        self.open(f"{address}/lite/lab/index.html?path={path}")
        self.until(READ, f"{path} to open")

    def notebook(self, address: str, path: str) -> None:
        """Open a notebook of the site, and wait until it and its Python are there."""
        self.page(address, path)
        self.until(OPENED, f"{path} to open")
        self.python("")

    def run_all(self, seconds: float = NOTEBOOK) -> list[dict[str, Any]]:
        """Run all cells from the top, and return the code cells with their outputs."""
        self.command("notebook:run-all-cells", seconds)
        return self.run(CELLS)

    def begin(self, name: str) -> None:
        """Start a command of JupyterLab."""
        self.run(f"void window.jupyterapp.commands.execute({name!r}); 1")

    def source(self, id: str) -> str:
        """Return what is written in the cell with this id."""
        return self.run(f"{CELL.format(id)}.source")

    def write(self, id: str, source: str) -> None:
        """Write into a cell."""
        self.run(f"{CELL.format(id)}.source = {json.dumps(source)}; 1")

    def command(self, name: str, seconds: float = LIMIT) -> None:
        """Run a command of JupyterLab to its end."""
        self.finish(f"window.jupyterapp.commands.execute({name!r})", name, seconds)

    def begin_python(self, code: str) -> None:
        """Start code in the notebook's Python."""
        self.run(
            f"void {PANEL}.sessionContext.session.kernel.requestExecute({{code: {json.dumps(code)}}}); 1"
        )

    def python(self, code: str, seconds: float = LIMIT) -> str:
        """Run code in the notebook's Python, and return what it prints or raises."""
        script = f"""(async () => {{
            const future = {PANEL}.sessionContext.session.kernel.requestExecute({{code: {json.dumps(code)}}});
            window.printed = "";
            future.onIOPub = ({{ header, content }}) => {{
                if (header.msg_type === "stream") printed += content.text;
                if (header.msg_type === "error") printed += `${{content.ename}}: ${{content.evalue}}`;
            }};
            await future.done;
        }})()"""
        self.finish(script, "a cell", seconds)
        return self.run("printed")


def errors(cells: list[dict[str, Any]]) -> list[str]:
    """What the cells raised."""
    return [f"{cell['source'][:200]}\n-> {output['ename']}: {output['evalue']}"
            for cell in cells for output in cell["outputs"] if output["output_type"] == "error"]  # fmt: skip


def unrun(cells: list[dict[str, Any]]) -> list[str]:
    """The cells that were not run."""
    return [cell["source"] for cell in cells if cell["source"].strip() and cell["execution_count"] is None]
