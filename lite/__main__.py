"""``python -m lite`` writes build/lite; ``--pyodide DIR`` takes Python from a folder, not from a CDN.

JupyterLite is the interface, Pyodide the Python. Into it go the notebooks, the reference modules to copy, and
the wheels of mlnotes and of what its sliders need, so that ``import mlnotes`` works in the first cell.
Changes stay in the storage of the reader's browser: there is no server behind the pages.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "lite"
OUT = ROOT / "build/lite"
PINS = ROOT / "requirements/lite.txt"
PYODIDE = "314.0.3"  # the version that the tests open
CDN = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
KERNEL = "@jupyterlite/pyodide-kernel-extension"
LABEXTENSIONS = Path(sys.prefix, "share/jupyter/labextensions")
EXTENSIONS = (KERNEL, "@jupyter-widgets/jupyterlab-manager")
PACKAGES = ("micropip", "numpy", "matplotlib", "ipython", "jedi")  # of Pyodide, loaded when a notebook opens
WHEELS = ("comm", "ipywidgets")  # pure Python that Pyodide has not
INTERNAL = ("piplite", "ipykernel", "pyodide-kernel")  # wheels inside the kernel's extension
EPOCH = "2000-01-01T00:00:00Z"  # files carry no date, so that the same sources give the same site


def main(arguments: list[str] | None = None) -> int:
    """Build the site; return 1 if a step fails."""
    parser = argparse.ArgumentParser(prog="python -m lite", description="Build the lite site.")
    parser.add_argument("--pyodide", type=Path, metavar="DIR", help="a folder with Pyodide and its packages")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help="default: build/lite")
    chosen = parser.parse_args(arguments)
    if chosen.pyodide and not (chosen.pyodide / "pyodide.mjs").is_file():
        parser.error(f"--pyodide must be a folder with pyodide.mjs, got {chosen.pyodide}")
    try:
        with tempfile.TemporaryDirectory() as scratch:
            wheels = build_wheels(Path(scratch, "wheels"))
            build_pages(Path(scratch, "sources"), chosen.out, wheels, chosen.pyodide)
    except subprocess.CalledProcessError as error:
        print(f"lite: {error}", file=sys.stderr)
        return 1
    write_contents(chosen.out, dict(contents()))
    size = sum(path.stat().st_size for path in chosen.out.rglob("*") if path.is_file())
    print(f"{chosen.out}/index.html: {size / 1e6:.0f} MB, any web server can show it.")
    return 0


# ------------------------------------------------------------------- Python


def build_wheels(folder: Path) -> list[Path]:
    """Build the wheel of mlnotes and download the others, at the hashes of the lock file."""
    folder.mkdir()
    python = [sys.executable, "-m"]
    subprocess.run([*python, "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)  # fmt: skip
    pins = folder / "pins.txt"
    pins.write_text("".join(pinned(PINS.read_text("utf-8"), name) for name in WHEELS))
    subprocess.run([*python, "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--only-binary",
                    ":all:", "--retries", "5", "-r", pins, "-d", folder], check=True)  # fmt: skip
    return sorted(folder.glob("*.whl"))


def pinned(lock: str, name: str) -> str:
    """Return the entry of a package in a lock file."""
    entry = re.search(rf"^{name}==.*\n(?:    --hash.*\n)+", lock, re.MULTILINE)
    if entry is None:
        raise ValueError(f"{PINS.name} does not pin {name}")
    return entry[0]


def settings(wheels: list[Path], pyodide: Path | None) -> dict[str, Any]:
    """Return the settings of the kernel: where Pyodide is, and what to load before the first cell."""
    near = [f"pypi/{wheel.name}" for wheel in wheels]
    folder = LABEXTENSIONS / KERNEL / "static/pypi"
    internal = [next(folder.glob(f"{name.replace('-', '_')}-*.whl")) for name in INTERNAL]
    near += [f"extensions/{KERNEL}/static/pypi/{wheel.name}" for wheel in internal]
    lock = (pyodide / "pyodide-lock.json").read_bytes() if pyodide else CDN.encode()
    wheels = [*wheels, *internal]
    digest = hashlib.sha256(b"".join([lock, *(wheel.read_bytes() for wheel in wheels)])).hexdigest()
    # The kernel would ask an index for what is not named here.
    return {
        "pyodideUrl": "./python.js",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {
            "indexURL": "./static/pyodide/" if pyodide else CDN,
            "packages": [*PACKAGES, *WHEELS, *INTERNAL, *near],
            "digest": digest,  # under which the browser keeps the unpacked packages
        },
    }


# ------------------------------------------------------------------- pages


def build_pages(sources: Path, out: Path, wheels: list[Path], pyodide: Path | None) -> None:
    """Let JupyterLite write the interface, with the kernel, the wheels and our extension in it."""
    sources.mkdir()
    config = json.loads((HERE / "jupyter-lite.json").read_text("utf-8"))
    config["jupyter-config-data"]["litePluginSettings"] = {f"{KERNEL}:kernel": settings(wheels, pyodide)}
    (sources / "jupyter-lite.json").write_text(json.dumps(config))
    shutil.copy(HERE / "overrides.json", sources)
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    extensions = [*(LABEXTENSIONS / name for name in EXTENSIONS), HERE / "extension"]
    build = {
        "LiteBuildConfig": {
            "apps": ["lab", "notebooks"],
            "federated_extensions": [str(path) for path in extensions],
            "ignore_sys_prefix": True,
            "no_libarchive": True,
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
            "output_dir": str(out.absolute()),
        },
        "PipliteAddon": {"piplite_urls": [str(path) for path in wheels]},
    }
    (sources / "jupyter_lite_config.json").write_text(json.dumps(build))
    command = [Path(sys.executable).with_name("jupyter"), "lite", "build"]
    subprocess.run(command, check=True, cwd=sources, stdout=subprocess.DEVNULL)
    for name in ("python.js", "run.js", "worker.js"):  # the latter two run the cells of the book's pages
        shutil.copy(HERE / name, out)
    if pyodide:  # now, because JupyterLite would make the kernel load a folder that it sees, not python.js
        shutil.copytree(pyodide, out / "static/pyodide")


# ------------------------------------------------------------------- files


def contents() -> Iterator[tuple[str, bytes]]:
    """Yield the files that a reader finds, by path: notebooks and reference modules."""
    for path in sorted((ROOT / "lectures").rglob("*.ipynb")):
        if ".ipynb_checkpoints" not in path.parts:
            yield path.relative_to(ROOT).as_posix(), path.read_bytes()
    for path in sorted((ROOT / "mlnotes").glob("*.py")):
        if path.stem != "__init__":
            yield f"modules/{path.name}", path.read_bytes()


def write_contents(out: Path, files: dict[str, bytes]) -> None:
    """Write the files, and for each folder the list of what is in it, in the form of Jupyter's server."""
    models: dict[str, dict[str, Any]] = {"": model("", "directory", "json")}
    for path, content in files.items():
        (out / "files" / path).parent.mkdir(parents=True, exist_ok=True)
        (out / "files" / path).write_bytes(content)
        kind, form = ("notebook", "json") if path.endswith(".ipynb") else ("file", "text")
        models[path] = model(path, kind, form) | {"size": len(content)}
        for folder in Path(path).parents[:-1]:
            models.setdefault(folder.as_posix(), model(folder.as_posix(), "directory", "json"))
    for folder, listed in models.items():
        if listed["type"] == "directory":
            inside = [item for path, item in sorted(models.items())
                      if path and Path(path).parent == Path(folder)]  # fmt: skip
            target = out / "api/contents" / folder
            target.mkdir(parents=True, exist_ok=True)
            (target / "all.json").write_text(json.dumps(listed | {"content": inside}), "utf-8")


def model(path: str, kind: str, form: str) -> dict[str, Any]:
    """Return Jupyter's description of a file or folder, without its content."""
    described = {"name": Path(path).name, "path": path, "type": kind, "format": form, "writable": True}
    unknown = dict.fromkeys(("content", "mimetype", "size"))
    return described | unknown | {"created": EPOCH, "last_modified": EPOCH}


if __name__ == "__main__":
    sys.exit(main())
