"""The one folder that a sandbox sees: an interpreter, its libraries, NumPy, the worker; nothing of mlnotes.

An assignment may name more packages (:mod:`mlnotes.grading.sandbox.packages`), which get a stage of their
own. A stage is copied once a machine and user, as long as Python, NumPy and this code stay the same. It is
never linked to the packages of the instructor, whose files must not be within a worker's reach. Copies keep
the file times (a ``.pyc`` is stale otherwise, and compiling NumPy costs more than a second a launch) and
are readable by all, so that a worker with its own user id can run a Python that lives in somebody's home.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import NamedTuple

from mlnotes.grading.sandbox.disk import remove

_LEFT_OUT = {
    "site-packages",
    "dist-packages",
    "test",
    "tests",
    "idlelib",
    "tkinter",
    "turtledemo",
    "ensurepip",
    "lib2to3",
    "venv",
    "pydoc_data",
    "distutils",
}
_TESTING = ("_test", "_xx", "xx", "_tkinter", "_ctypes_test")  # extension modules nobody needs here
_GRADING = Path(__file__).parents[1]
_WORKER = ("protocol/worker.py", "protocol/wire.py", "sandbox/confinement.py")
_STARTED = "worker.pyc"
_UNUSED_DAYS = 30  # until a copy for another Python, NumPy or version of this code goes
_LOADED_LATER = ("libgcc_s.so.1", "libnss_files.so.2")  # the C library opens them by name
_NEEDED = re.compile(r"^\t(.+?)(?: => (/.+))? \(0x[0-9a-f]+\)$", re.MULTILINE)  # a library in what ldd prints


class Stage(NamedTuple):
    """Where things are in a staged folder.

    Attributes
    ----------
    folder : Path
        What may be read.
    command : tuple of str
        The interpreter with its loader and options, and the worker's path.
    """

    folder: Path
    command: tuple[str, ...]

    @property
    def packages(self) -> str:
        """The folder with NumPy, and with what else the assignment allows."""
        return str(self.folder / "packages")

    def at(self, place: str) -> Stage:
        """Return the same stage as seen where `folder` is mounted at `place`."""
        return Stage(Path(place), tuple(part.replace(str(self.folder), place, 1) for part in self.command))


def shared(*, interpreter: bool, packages: tuple[str, ...] = ()) -> Stage | None:
    """Return the stage that all runs on this machine share, made where there is none; None if it cannot be.

    Root's lies in /var/cache, where its workers' own user ids can read it; anybody else's in the own cache.

    Raises
    ------
    ValueError
        If one of the `packages` besides NumPy is not installed.
    """
    if os.name != "posix":
        return None
    if os.geteuid() == 0:
        home = Path("/var/cache")
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    place = home / "mlnotes" / f"{'runtime' if interpreter else 'packages'}-{_state(packages)}"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            _make(place, interpreter, packages)
        for path in (place.parent, place):
            state = path.lstat()
            if state.st_uid != os.geteuid() or state.st_mode & 0o022 or path.is_symlink():
                return None
        os.utime(place)
        command = (place / "command").read_text().split("\0")
    except OSError:
        return None
    return Stage(place, tuple(command))


def _state(packages: tuple[str, ...]) -> str:
    """Return a hash of what a stage is made of: interpreter, libraries of the system, packages, worker."""
    numpy = _numpy()
    files = [
        os.path.realpath(sys.executable),
        os.__file__,
        "/etc/ld.so.cache",
        str(numpy / "__init__.py"),
        str(numpy / "version.py"),
        *(str(_GRADING / name) for name in _WORKER),
    ]
    state = hashlib.sha256(f"{sys.version} {__file__} {Path(__file__).stat().st_mtime_ns}".encode())
    if packages:
        from mlnotes.grading.sandbox import packages as more  # what is installed is slow to read

        state.update(more.state(packages).encode())
    for file in files:
        with contextlib.suppress(OSError):
            found = os.stat(file)
            state.update(f"{file} {found.st_mtime_ns} {found.st_size} {found.st_ino}\n".encode())
    return state.hexdigest()[:20]


def _make(place: Path, interpreter: bool, packages: tuple[str, ...]) -> None:
    """Fill a stage under another name, so that it is whole or absent; drop those long out of use."""
    for other in place.parent.iterdir():
        with contextlib.suppress(OSError):
            if other.stat().st_mtime < time.time() - 86_400 * _UNUSED_DAYS:
                remove(other)
    scratch = Path(tempfile.mkdtemp(prefix=".making-", dir=place.parent))
    try:
        made = stage(scratch, interpreter=interpreter, packages=packages).at(str(place))
        (scratch / "command").write_text("\0".join(made.command))
        with contextlib.suppress(OSError):  # somebody was faster
            scratch.rename(place)
    finally:
        if scratch.exists():
            remove(scratch)


def _numpy() -> Path:
    """Return the folder of NumPy, which is not loaded: the first worker starts sooner.

    Raises
    ------
    OSError
        If it is not installed.
    """
    found = importlib.util.find_spec("numpy")
    if found is None or found.origin is None:
        raise OSError("NumPy is not installed")
    return Path(found.origin).parent


def stage(folder: Path, *, interpreter: bool, packages: tuple[str, ...] = ()) -> Stage:
    """Fill `folder` with NumPy and the worker, and with an `interpreter` of its own where one is asked for.

    Raises
    ------
    OSError
        If the interpreter cannot be staged; the sentence says what is missing.
    ValueError
        If one of the `packages` besides NumPy is not installed.
    """
    import py_compile  # most runs find everything staged

    folder.chmod(0o755)
    for source in (_GRADING / name for name in _WORKER):
        copy = folder / source.name
        shutil.copy2(source, copy)
        copy.chmod(0o644)
        target = str(folder / _STARTED) if copy.name == "worker.py" else None
        py_compile.compile(str(copy), target, doraise=True)  # once, rather than in every worker
    installed = _numpy().parent
    for name in ("numpy", "numpy.libs"):
        if (installed / name).is_dir():
            _tree(str(installed / name), str(folder / "packages" / name))
    if packages:
        from mlnotes.grading.sandbox import packages as more

        for distribution in more.distributions(packages):
            for source, place in more.files(distribution):
                _add(source, folder / "packages" / place)
    for top in (folder / "packages").iterdir():
        _compiled(top)
    base = getattr(sys, "_base_executable", "") or sys.executable
    python = _interpreter(folder) if interpreter else (base,)
    return Stage(folder, (*python, "-I", "-S", str(folder / _STARTED)))


def _interpreter(folder: Path) -> tuple[str, ...]:
    """Stage the interpreter; return what starts it, by its own loader."""
    program = Path(os.path.realpath(sys.executable))
    library = Path(os.path.realpath(os.path.dirname(os.__file__)))
    inside = folder / "python" / os.path.relpath(library, os.path.realpath(sys.base_prefix))
    _tree(str(library), str(inside))
    (folder / "python" / "bin").mkdir(exist_ok=True)
    _place(program, folder / "python" / "bin" / program.name)
    (folder / "lib").mkdir()
    packages = folder / "packages"
    extensions = (*(inside / "lib-dynload").glob("*.so"), *packages.rglob("*.so*"))
    loader, found = libraries([program, *sorted(extensions)], packages)
    for name, path in {loader.name: loader, **found}.items():
        _place(path, folder / "lib" / name)
    loaded = str(folder / "lib" / loader.name), "--library-path", str(folder / "lib")
    return (*loaded, str(folder / "python" / "bin" / program.name))


def link_tree(source: Path, target: Path) -> None:
    """Link a folder that was staged, or copy it where that is not possible: both are our own copies."""

    def link(path: str, to: str) -> None:
        try:
            os.link(path, to)
        except OSError:  # another file system
            shutil.copy2(path, to)

    shutil.copytree(source, target, copy_function=link)
    target.chmod(0o755)


def _tree(source: str, target: str) -> None:
    """Copy a tree of packages, without tests, other people's packages and optimised byte code."""
    os.makedirs(target, 0o755, exist_ok=True)
    os.chmod(target, 0o755)
    for entry in os.scandir(source):
        name = entry.name
        if entry.is_dir():
            if name not in _LEFT_OUT and not name.startswith("config-"):
                _tree(entry.path, f"{target}/{name}")
        elif not (".opt-" in name or name.endswith((".a", ".pyi", ".h")) or name.startswith(_TESTING)):
            _place(entry.path, f"{target}/{name}")


def _place(source: str | Path, target: str | Path) -> None:
    """Copy one file, readable by all; a link becomes the file that it leads to."""
    shutil.copy2(source, target)
    os.chmod(target, 0o755 if os.stat(source).st_mode & 0o111 else 0o644)


def _add(source: Path, target: Path) -> None:
    """Copy one file of a package, into folders that all can read."""
    for folder in reversed([p for p in target.parents if not p.exists()]):
        folder.mkdir()
        folder.chmod(0o755)
    _place(source, target)


def _compiled(package: Path) -> None:
    """Compile a package where it came without byte code."""
    compiled = package / "__pycache__" / f"__init__.{sys.implementation.cache_tag}.pyc"
    if (package / "__init__.py").exists() and not compiled.exists():
        import compileall

        compileall.compile_dir(package, quiet=2)


def libraries(programs: Iterable[Path], own: Path) -> tuple[Path, dict[str, Path]]:
    """Return the loader of the programs, and every shared library that any of them needs, by name.

    Libraries below `own` are left to the programs that find them there (``$ORIGIN``). What is missing is left
    out: then the module that needs it cannot be imported, here as there.
    """
    listed = ""
    with contextlib.suppress(FileNotFoundError):
        listed = subprocess.run(
            ["ldd", *programs], capture_output=True, text=True, errors="surrogateescape", check=False
        ).stdout
    loader: Path | None = None
    found: dict[str, Path] = {}
    for name, path in _NEEDED.findall(listed):
        if name.startswith("/") and Path(name).name.startswith("ld"):
            loader = loader or Path(name)
        elif path and own not in Path(path).parents:
            found.setdefault(name, Path(path))
    for place, name in product(dict.fromkeys(path.parent for path in found.values()), _LOADED_LATER):
        if (place / name).exists():
            found.setdefault(name, place / name)
    if loader is None:
        raise OSError(
            "ldd finds no loader of the interpreter, which cannot be staged: it is no ELF program, or static"
        )
    return loader, found
