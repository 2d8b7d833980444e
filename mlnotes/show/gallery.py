"""The gallery: every figure of the course as a PNG file, redrawn only when its sources change.

A figure is a function in ``figures/TOPIC.py`` that returns a Matplotlib figure::

    @figure("bayes-shapes", alt="What there is to see.", seed=1)
    def shapes(rng):
        '''What the picture claims: the caption.'''

The figures of a topic are the `GalleryFigure` objects of its module; nothing is registered globally. `render`
writes ``figures/gallery/NAME.png``. A picture is out of date if a file that it was made from is newer: the
module of its function, a module of mlnotes that this imports, or the data beside one of them.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mlnotes import ESTIMATORS
from mlnotes.checks import check_option

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")  # the first is stored, the others come on request
PACKAGE = Path(__file__).parents[1]

# ------------------------------------------------------------------- a figure and its description


@dataclass(frozen=True)
class GalleryFigure:
    """One figure of the gallery, not yet drawn.

    Attributes
    ----------
    name : str
        Also the name of its file.
    caption : str
        What the figure claims, in TeX-flavoured Markdown, and the seed where there is one.
    alt : str
        What there is to see, for those who cannot see it.
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


def figure(name: str, *, alt: str, seed: int | None = None) -> Callable[..., GalleryFigure]:
    """Make a function that draws into a figure of the gallery; its docstring is the caption.

    Parameters
    ----------
    name : str
        Lower-case words joined by hyphens, unique in the gallery.
    alt : str
        What there is to see, for readers who cannot see it.
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

    def make(function: Callable[..., Figure]) -> GalleryFigure:
        caption = " ".join((function.__doc__ or "").split())
        for what, text in (("caption (docstring)", caption), ("alternative text", alt.strip())):
            if not text:
                raise ValueError(f"figure {name} has no {what}; every reader needs one.")
        ending = "" if seed is None else f" Seed {seed}."
        return GalleryFigure(name, caption + ending, alt, seed, function)

    return make


@functools.cache
def load(folder: str | Path = "figures") -> dict[str, GalleryFigure]:
    """Return the figures that the modules of a folder define, by name, in their order.

    Raises
    ------
    ValueError
        If there is no such folder, or two figures have one name.
    """
    modules = sorted(Path(folder).glob("*.py"))
    if not modules:
        raise ValueError(f"folder {str(folder)!r} holds no modules; it must be the folder of figures/*.py.")
    figures: dict[str, GalleryFigure] = {}
    for path in modules:
        for new in _figures_of(path):
            if new.name in figures:
                first = figures[new.name]
                raise ValueError(
                    f"two figures are called {new.name!r}: {first.file.name}, line {first.line}, "
                    f"and {new.file.name}, line {new.line}."
                )
            figures[new.name] = new
    return figures


def _figures_of(path: Path) -> list[GalleryFigure]:
    spec = importlib.util.spec_from_file_location(f"figures_{path.stem}", path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [value for value in vars(module).values() if isinstance(value, GalleryFigure)]


# ------------------------------------------------------------------- drawing


def render(
    names: Sequence[str] = (),
    *,
    folder: str | Path = "figures",
    force: bool = False,
    format: str = FORMATS[0],
    jobs: int = 1,
) -> list[str]:
    """Draw the figures that are out of date into ``folder/gallery``, and print the name of each.

    Parameters
    ----------
    names : sequence of str
        Which figures; all of them if empty. Then files of figures that no longer exist are deleted.
    folder : path
        Where the modules with the figures are.
    force : bool
        Draw also what is up to date.
    format : {"png", "svg", "pdf"}
    jobs : int, default 1
        Processes that draw.

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
    check_option(format, name="format", options=FORMATS)
    figures, gallery = load(folder), Path(folder) / "gallery"
    if unknown := [name for name in names if name not in figures]:
        raise ValueError(f"there is no figure {', '.join(unknown)}; there are {', '.join(figures)}.")
    gallery.mkdir(exist_ok=True)
    if not names:
        for file in gallery.iterdir():
            if file.suffix[1:] in FORMATS and file.stem not in figures:
                file.unlink()
    wanted = list(names or figures)
    todo = [name for name in wanted if force or is_stale(figures[name], gallery / f"{name}.{format}")]
    write = functools.partial(_write, folder, format)
    if jobs == 1:
        _report(map(write, todo))
    else:
        with ProcessPoolExecutor(jobs) as pool:
            _report(pool.map(write, todo))
    print(f"{len(todo)} of {len(wanted)} figures drawn, the others were up to date.")
    return todo


def _report(drawn: Iterator[str]) -> None:
    for name in drawn:
        print(name, flush=True)


def _write(folder: str | Path, format: str, name: str) -> str:
    """Write one file. A stored PNG that looks the same stays as it is: another processor is no news."""
    from mlnotes.show import plots

    new, path = load(folder)[name], Path(folder) / "gallery" / f"{name}.{format}"
    try:
        content = plots.picture_bytes(new.draw(), format)
    except Exception as error:
        raise RuntimeError(f"figure {name} ({new.file.name}, line {new.line}) failed: {error!r}") from error
    if format == "png" and path.exists() and n_visible_differences(path.read_bytes(), content) <= MAX_PIXELS:
        path.touch()
    else:
        part = path.with_name(f".{path.name}.part")  # a run that is interrupted must not leave half a file
        part.write_bytes(content)
        part.replace(path)
    return name


# Perturbing every number that the figures draw by 1e-13, as another BLAS might, changed at most 3 pixels of
# a figure by more than 16 of 255 levels. The smallest changes a reader could see change more: a marker that
# moves by one pixel 11, another digit in a title 165.
VISIBLE, MAX_PIXELS = 16 / 255, 8


def n_visible_differences(first: bytes, second: bytes) -> int:
    """Return in how many pixels two PNG files differ visibly; all, if their sizes differ."""
    from matplotlib.image import imread

    a, b = (imread(BytesIO(png))[..., :3] for png in (first, second))
    return int((abs(a - b).max(axis=2) > VISIBLE).sum()) if a.shape == b.shape else b.size


# ------------------------------------------------------------------- when a figure is out of date


def is_stale(figure: GalleryFigure, picture: Path) -> bool:
    """Return whether a picture is missing, or older than a file that it was made from."""
    return not picture.exists() or any(
        source.stat().st_mtime > picture.stat().st_mtime for source in sources(figure.file)
    )


@functools.cache
def sources(path: Path) -> frozenset[Path]:
    """Return a module, the modules of mlnotes that it imports at any depth, and the data beside them."""
    found, new = {path}, [path]
    while new:
        fresh = set(_imports(new.pop())) - found
        found |= fresh
        new += fresh
    return frozenset(found | {data for module in found for data in module.parent.glob("data/*.npz")})


@functools.cache
def _imports(path: Path) -> list[Path]:
    """Return the files of the modules of mlnotes that a module imports, except for type checkers only."""
    names: set[str] = set()
    nodes: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        nodes += ast.iter_child_nodes(node)
    files = []
    for parts in (name.split(".")[1:] for name in names if name.startswith("mlnotes.")):
        if parts[0] in ESTIMATORS:
            parts = ["estimators", ESTIMATORS[parts[0]]]
        place = PACKAGE.joinpath(*parts)
        files += [place.with_suffix(".py"), place / "__init__.py"]
    return [file for file in files if file.exists()]
