"""The gallery: every figure of the course as a file, redrawn only when its code changes.

A figure is a function in ``figures/TOPIC.py`` that returns a Matplotlib figure::

    @figure("bayes-shapes", alt="What there is to see.", seed=1)
    def shapes(rng):
        '''What the picture claims: the caption.'''

Nothing is registered globally: the figures of a topic are the `Plate` objects of its module. `render` writes
``figures/gallery/NAME.svg`` and ``NAME.png``, byte for byte the same on every run on one machine: no date, no
version, fixed ids and seeds (before Matplotlib 3.10 some ids of an svg vary). ``gallery.json`` says of each
figure its topic, source, caption, alternative text, and the digest that tells when it is out of date.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlnotes import ESTIMATORS
from mlnotes.estimators.checks import check_option

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STORED = ("svg", "png")  # the formats under version control; "pdf" comes on request
PACKAGE = Path(__file__).parents[1]

# ------------------------------------------------------------------- a figure and its description


@dataclass(frozen=True)
class Plate:
    """One figure of the gallery, not yet drawn.

    Attributes
    ----------
    name : str
        Also the name of its files.
    caption : str
        What the figure claims, in TeX-flavoured Markdown, and the seed where there is one.
    alt : str
        What there is to see, for those who cannot.
    seed : int or None
        Of the generator that `function` gets as ``rng``; None if it takes no argument.
    function : callable
        Returns a Matplotlib figure.
    """

    name: str
    caption: str
    alt: str
    seed: int | None
    function: Callable[..., Figure]

    @property
    def file(self) -> Path:
        """The module that defines the figure."""
        return Path(self.function.__code__.co_filename)

    @property
    def line(self) -> int:
        """Where in `file` the definition starts."""
        return self.function.__code__.co_firstlineno

    @property
    def topic(self) -> str:
        """The name of the module, such as ``"bayes"``."""
        return self.file.stem

    def draw(self) -> Figure:
        """Return the figure, drawn afresh in the style of the project, with its layout settled."""
        from mlnotes.show import plots

        with plots.style():
            drawn = self.function() if self.seed is None else self.function(np.random.default_rng(self.seed))
            drawn.draw_without_rendering()
            drawn.set_layout_engine("none")  # or each further format would move the axes a little
        return drawn


def figure(name: str, *, alt: str, seed: int | None = None) -> Callable[[Callable[..., Figure]], Plate]:
    """Make a function that draws into a figure of the gallery; its docstring is the caption.

    Parameters
    ----------
    name : str
        Lower-case words joined by hyphens, unique in the gallery.
    alt : str
        What there is to see, for readers who cannot.
    seed : int, optional
        If given, the function is called with ``np.random.default_rng(seed)``, else without argument; and
        the caption ends with it.

    Raises
    ------
    ValueError
        If the name is no file name of that form, or the caption or the alternative text is empty.
    """
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise ValueError(f"name must be lower-case words joined by hyphens, got {name!r}.")

    def make(function: Callable[..., Figure]) -> Plate:
        caption = " ".join((function.__doc__ or "").split())
        for what, text in (("caption (docstring)", caption), ("alternative text", alt.strip())):
            if not text:
                raise ValueError(f"figure {name} has no {what}; every reader needs one.")
        ending = "" if seed is None else f" Seed {seed}."
        return Plate(name, caption + ending, alt, seed, function)

    return make


def load(folder: str | os.PathLike[str] = "figures") -> dict[str, Plate]:
    """Return the figures that the modules of a folder define, by name, in their order.

    Raises
    ------
    ValueError
        If there is no such folder, or two figures have one name.
    """
    modules = sorted(Path(folder).glob("*.py"))
    if not modules:
        raise ValueError(f"folder {str(folder)!r} holds no modules; it must be the folder of figures/*.py.")
    plates: dict[str, Plate] = {}
    for path in modules:
        for plate in _plates_of(path):
            if plate.name in plates:
                first = plates[plate.name]
                raise ValueError(
                    f"two figures are called {plate.name!r}: {first.file.name}, line {first.line}, "
                    f"and {plate.file.name}, line {plate.line}."
                )
            plates[plate.name] = plate
    return plates


def _plates_of(path: Path) -> list[Plate]:
    spec = importlib.util.spec_from_file_location(f"figures_{path.stem}", path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [value for value in vars(module).values() if isinstance(value, Plate)]


# ------------------------------------------------------------------- writing


def render(
    names: Sequence[str] = (),
    *,
    folder: str | os.PathLike[str] = "figures",
    force: bool = False,
    formats: Sequence[str] = STORED,
    jobs: int = 1,
    quiet: bool = False,
) -> list[str]:
    """Write the figures that are out of date into ``folder/gallery``.

    Parameters
    ----------
    names : sequence of str
        Which figures; all of them if empty. Then files of figures that no longer exist are deleted.
    folder : path
        Where the modules with the figures are.
    force : bool
        Draw also what is up to date.
    formats : sequence of {"svg", "png", "pdf"}
        A figure asked for as pdf is always drawn.
    jobs : int, default 1
        Processes that draw; the files do not depend on it.
    quiet : bool
        No progress. Otherwise there is a bar on a terminal, and a line for each figure elsewhere.

    Returns
    -------
    list of str
        The names of the figures that were drawn.

    Raises
    ------
    ValueError
        For an unknown name, format or folder.
    RuntimeError
        If a figure's function fails; those drawn before it are kept.
    """
    for extension in formats:
        check_option(extension, name="formats", options=(*STORED, "pdf"))
    plates = load(folder)
    unknown = [name for name in names if name not in plates]
    if unknown:
        raise ValueError(f"there is no figure {', '.join(unknown)}; there are {', '.join(plates)}.")
    gallery = Path(folder) / "gallery"
    index = _Index(gallery)
    if not names:
        index.forget_all_but(plates)
    always = force or not set(formats) <= set(STORED)
    todo = [plates[n] for n in names or plates if always or not index.is_current(plates[n], formats)]
    drawn = _in_turn(todo, gallery, formats) if jobs == 1 else _at_once(todo, gallery, formats, jobs)
    for plate in drawn if quiet else _with_progress(drawn, len(todo), n_total=len(names or plates)):
        if set(STORED) <= set(formats):
            index.record(plate, order=list(plates))
    return [plate.name for plate in todo]


def stale(folder: str | os.PathLike[str] = "figures") -> list[str]:
    """Return the names of the figures that `render` would draw."""
    index = _Index(Path(folder) / "gallery")
    return [name for name, plate in load(folder).items() if not index.is_current(plate, STORED)]


class _Index:
    """The file ``gallery.json``: what is known of the figures that were drawn."""

    def __init__(self, gallery: Path) -> None:
        self.gallery = gallery
        self.file = gallery / "gallery.json"
        self.entries: dict[str, dict[str, str]] = {}
        self.digests: dict[Path, str] = {}
        if self.file.exists():
            self.entries = json.loads(self.file.read_text("utf-8"))

    def describe(self, plate: Plate) -> dict[str, str]:
        """Return what the file must say of a figure that is up to date."""
        if plate.file not in self.digests:
            self.digests[plate.file] = digest(plate.file)
        return {
            "topic": plate.topic,
            "source": f"{plate.file.parent.name}/{plate.file.name}",
            "caption": plate.caption,
            "alt": plate.alt,
            "digest": self.digests[plate.file],
        }

    def is_current(self, plate: Plate, formats: Sequence[str]) -> bool:
        files = [self.gallery / f"{plate.name}.{extension}" for extension in formats]
        known = self.entries.get(plate.name, {})
        described = all(known.get(key) == value for key, value in self.describe(plate).items())
        return described and all(file.exists() for file in files)

    def record(self, plate: Plate, order: list[str]) -> None:
        self.entries[plate.name] = {**self.describe(plate), "drawn_with": drawn_with()}
        self.entries = {name: self.entries[name] for name in order if name in self.entries}
        self._save()

    def forget_all_but(self, plates: dict[str, Plate]) -> None:
        gone = [name for name in self.entries if name not in plates]
        for name in gone:
            del self.entries[name]
            for extension in (*STORED, "pdf"):
                (self.gallery / f"{name}.{extension}").unlink(missing_ok=True)
        if gone:
            self._save()

    def _save(self) -> None:
        text = json.dumps(self.entries, indent=1, ensure_ascii=False) + "\n"
        _replace(self.file, text.encode())


def drawn_with() -> str:
    """Return the drawing library and its version, ``"matplotlib 3.11"``: no two draw letters the same.

    Another version does not make a figure out of date.
    """
    import matplotlib

    return "matplotlib " + ".".join(matplotlib.__version__.split(".")[:2])


def _write(plate: Plate, gallery: Path, formats: Sequence[str]) -> None:
    from mlnotes.show import plots

    try:
        drawn = plate.draw()
        pictures = {extension: plots.picture_bytes(drawn, extension) for extension in formats}
    except Exception as error:
        where = f"{plate.file.name}, line {plate.line}"
        raise RuntimeError(f"figure {plate.name} ({where}) failed: {error!r}") from error
    for extension, content in pictures.items():
        _replace(gallery / f"{plate.name}.{extension}", content)


def _replace(path: Path, content: bytes) -> None:
    """Write a file in one step: a reader, or a run that is cut off, never sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content)
    part.replace(path)


def _in_turn(plates: list[Plate], gallery: Path, formats: Sequence[str]) -> Iterator[Plate]:
    """Yield each figure once it is written."""
    for plate in plates:
        _write(plate, gallery, formats)
        yield plate


def _at_once(plates: list[Plate], gallery: Path, formats: Sequence[str], jobs: int) -> Iterator[Plate]:
    """Yield each figure once one of the processes has written it; the first that fails ends the rest."""
    with ProcessPoolExecutor(min(jobs, len(plates) or 1)) as pool:
        runs = {pool.submit(_write_named, p.file.parent, p.name, gallery, formats): p for p in plates}
        try:
            for run in as_completed(runs):
                run.result()
                yield runs[run]
        finally:
            pool.shutdown(cancel_futures=True)


def _write_named(folder: Path, name: str, gallery: Path, formats: Sequence[str]) -> None:
    """Write a figure in another process, where its function must be loaded."""
    _write(_loaded(folder)[name], gallery, formats)


_loaded = functools.cache(load)


def _with_progress(drawn: Iterator[Plate], n: int, n_total: int) -> Iterator[Plate]:
    """Pass on the n figures as they are done: under a bar on a terminal, else with a line for each."""
    start = time.perf_counter()
    yield from _with_bar(drawn, n) if sys.stdout.isatty() else _with_lines(drawn)
    seconds = time.perf_counter() - start
    others = "" if n == n_total else ", the others were up to date"
    print(f"{n} of {n_total} figures drawn in {seconds:.1f} s{others}.")


def _with_lines(drawn: Iterator[Plate]) -> Iterator[Plate]:
    for plate in drawn:
        print(plate.name, flush=True)
        yield plate


def _with_bar(drawn: Iterator[Plate], n: int) -> Iterator[Plate]:
    try:
        from rich.progress import Progress
    except ImportError:  # rich belongs to grading; drawing does without
        yield from _with_lines(drawn)
        return
    with Progress(transient=True) as bar:
        task = bar.add_task("drawing", total=n)
        for plate in drawn:
            bar.update(task, description=plate.name, advance=1)
            yield plate


# ------------------------------------------------------------------- when a figure is out of date


def digest(path: Path) -> str:
    """Return the SHA-256 of the code that a figure module runs: its own and that of mlnotes it imports.

    Comments, docstrings and blank lines do not count: they change no picture.
    """
    code = "\0".join(code_of(source.read_text("utf-8")) for source in _sources(path))
    return hashlib.sha256(code.encode()).hexdigest()


@functools.cache  # many figures run the same modules
def code_of(text: str) -> str:
    """Return the lines of a module without docstrings, whole-line comments and blank lines."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        body: list[Any] = getattr(node, "body", None) or []
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) or not body:
            continue
        first = body[0]
        alone = first.lineno > getattr(node, "lineno", 0)
        if alone and isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            for number in range(first.lineno, (first.end_lineno or first.lineno) + 1):
                lines[number - 1] = ""
    return "\n".join(line for line in lines if line.strip() and not line.lstrip().startswith("#"))


def _sources(path: Path) -> list[Path]:
    """Return a module and all modules of mlnotes that it imports, at any depth."""
    sources, new = {path: None}, [path]
    while new:
        for source in _imports(new.pop()):
            if source not in sources:
                sources[source] = None
                new.append(source)
    return [path, *sorted(set(sources) - {path})]


@functools.cache
def _imported(text: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in names if name.startswith("mlnotes.")}


def _imports(path: Path) -> list[Path]:
    parts = [name.split(".")[1:] for name in _imported(path.read_text("utf-8"))]
    rooms = [["estimators", ESTIMATORS[part[0]]] if part[0] in ESTIMATORS else part for part in parts]
    places = [PACKAGE.joinpath(*room) for room in rooms]
    files = [file for place in places for file in (place.with_suffix(".py"), place / "__init__.py")]
    return [file for file in files if file.exists()]
