"""How pictures look: the colours, the style, figures and their panels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, cast

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text

BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK = COLORS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
)  # fmt: skip
MARKERS = ("o", "^", "s", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)), (0, (3, 1, 1, 1, 1, 1)))
GREY = "#595959"

STYLE: Any = {
    "figure.figsize": (4.8, 3.2),
    "figure.dpi": 100,
    "figure.facecolor": "white",
    "savefig.dpi": 200,
    "savefig.facecolor": "white",
    "font.family": "STIXGeneral",
    "font.size": 10,
    "mathtext.fontset": "stix",
    "axes.facecolor": "white",
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.labelsize": 10,
    "axes.formatter.use_mathtext": True,
    "axes.prop_cycle": cycler(color=COLORS),
    "lines.linewidth": 1.4,
    "hatch.linewidth": 0.5,
    "legend.fancybox": False,
    "legend.edgecolor": "none",
    "legend.framealpha": 0.7,
    "legend.fontsize": 9,
    "legend.handlelength": 2.0,
    "legend.handletextpad": 0.5,
    "svg.fonttype": "path",
    "svg.hashsalt": "mlnotes",
    "pdf.fonttype": 42,
}
TICKS = {"labelsize": 9, "labelfontfamily": STYLE["font.family"], "width": 0.6}


@contextmanager
def style() -> Iterator[None]:
    """Draw with the settings of this project, whatever the user's own are, and restore those after."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        yield


class Panel(Axes):
    """Axes whose words look the same whether they are written in `style` or, later, in a notebook's cell."""

    def legend(self, *args: Any, **kwargs: Any) -> Legend:
        """Add a legend in the style of this project."""
        with style():
            return super().legend(*args, **kwargs)

    def text(self, *args: Any, **kwargs: Any) -> Text:
        """Write in the style of this project."""
        with style():
            return super().text(*args, **kwargs)


class Picture(Figure):
    """A figure that a notebook shows by itself, sharp on any screen, without pyplot."""

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, bytes], dict[str, dict[str, int]]]:
        width, height = (int(inches * 110) for inches in self.get_size_inches())
        return {"image/png": picture_bytes(self, "png")}, {"image/png": {"width": width, "height": height}}


# A file must not depend on when it was written, nor say more than the picture does.
METADATA = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def picture_bytes(figure: Figure, extension: str) -> bytes:
    """Return a figure as the content of an svg, png or pdf file, the same bytes on every run."""
    stream = BytesIO()
    with style():
        figure.savefig(stream, format=extension, metadata=METADATA[extension])
    return stream.getvalue()


def panels(
    n_rows: int = 1,
    n_columns: int = 1,
    *,
    width: float | None = None,
    height: float | None = None,
    **kwargs: Any,
) -> tuple[Picture, Any]:
    """Return an empty figure and its axes.

    Parameters
    ----------
    n_rows, n_columns : int
    width, height : float, optional
        Of the whole figure, in inches; by default 4.8 by 3.2 for one panel, 7.2 wide for several in a row.
    **kwargs
        Of `matplotlib.figure.Figure.subplots`, such as ``sharex`` or ``width_ratios``.

    Returns
    -------
    figure : Picture
    axes : Axes, or ndarray of Axes of shape (n_columns,), (n_rows,) or (n_rows, n_columns)
    """
    narrow = n_columns == 1
    size = (width or (4.8 if narrow else 7.2), height or n_rows * (3.2 if narrow else 2.9))
    with style():
        figure = Picture(figsize=size, layout="constrained")
        kwargs["subplot_kw"] = {"axes_class": Panel} | kwargs.get("subplot_kw", {})
        axes = figure.subplots(n_rows, n_columns, **kwargs)
        for ax in np.ravel(axes):
            ax.tick_params(which="both", **TICKS)
    return figure, axes


@contextmanager
def drawn_on(ax: Axes | None) -> Iterator[Axes]:
    """Draw in this style on the axes, or on those of a new figure."""
    with style():
        yield panels()[1] if ax is None else ax


def tint(color: str, white: float = 0.8) -> tuple[float, float, float]:
    """Return a colour mixed with a fraction `white` of white: the fill that belongs to a line."""
    red, green, blue = (white + (1 - white) * channel for channel in to_rgb(color))
    return red, green, blue


def figure_of(ax: Axes) -> Figure:
    """Return the figure that axes belong to."""
    return cast(Figure, ax.figure)


DIVERGING = LinearSegmentedColormap.from_list(
    "eta", [tint(BLUE, 0.4), (0.98, 0.98, 0.98), tint(VERMILLION, 0.4)]
)
