r"""Drawing: one style, the pictures that lectures share, and the gallery.

A drawing function takes its data first and ``ax=`` last. With ``ax`` it draws there; without, it makes a
figure of its own. Either way it returns the figure, so that in a notebook one line is a picture::

    plots.decision_regions(law.posterior, X, y)

and two panels are three lines::

    figure, (left, right) = plots.panels(1, 2)
    plots.decision_regions(law.posterior, X, y, ax=left)
    plots.contour_posterior(law.posterior, X, ax=right)

Colours are those of Okabe and Ito, which readers with any common colour blindness tell apart; each class also
has its marker and each curve its dashes, so that nothing is lost in a black-and-white print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from matplotlib.tri import Triangulation
from numpy.typing import ArrayLike, NDArray

from mlnotes.estimators.base import check_labels, check_matrix, check_vector

Rule = Callable[[NDArray[np.float64]], ArrayLike]
Box = tuple[float, float, float, float]

# ------------------------------------------------------------------- the style

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
def _drawn_on(ax: Axes | None) -> Iterator[Axes]:
    with style():
        yield panels()[1] if ax is None else ax


def tint(color: str, white: float = 0.8) -> tuple[float, float, float]:
    """Return a colour mixed with a share `white` of white: the fill that belongs to a line."""
    red, green, blue = (white + (1 - white) * channel for channel in to_rgb(color))
    return red, green, blue


# ------------------------------------------------------------------- points and regions of the plane


def labelled_points(
    X: ArrayLike,
    y: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    size: float = 14,
    ax: Axes | None = None,
) -> Figure:
    """Draw rows of the plane, each class with its colour and marker.

    Parameters
    ----------
    X : array-like of shape (n, 2)
    y : array-like of shape (n,)
        Labels of any type.
    classes : array-like of shape (K,), optional
        The labels in the order of their colours; by default those of y, sorted.
    names : sequence of K str, optional
        What the legend calls the classes; by default "class" and the label.
    size : float
        Area of a marker in square points.
    ax : Axes, optional

    Returns
    -------
    Figure

    Raises
    ------
    ValueError
        If X has not two columns, or y or the names do not fit.
    """
    points = _check_plane(X)
    found, codes = check_labels(y, n_rows=len(points))
    known = found if classes is None else np.asarray(classes)
    names = _check_names(names, [f"class {label}" for label in known])
    with _drawn_on(ax) as ax:
        for k, (label, name) in enumerate(zip(known, names, strict=True)):
            rows = points[found[codes] == label]
            ax.scatter(
                rows[:, 0], rows[:, 1], s=size, marker=MARKERS[k % len(MARKERS)],
                color=COLORS[k % len(COLORS)], edgecolors="white", linewidths=0.35, label=name, zorder=3,
            )  # fmt: skip
        _label_plane(ax)
        if len(names) > 1:
            ax.legend(loc="best")
    return _figure_of(ax)


def decision_regions(
    rule: Rule,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    box: Box | None = None,
    names: Sequence[str] | None = None,
    resolution: int = 300,
    size: float = 14,
    ax: Axes | None = None,
) -> Figure:
    """Shade the plane by the answers of a rule, draw the boundary, and labelled points on top.

    Parameters
    ----------
    rule : callable
        From points (n, 2) to labels (n,), or to scores (n, K) of which the largest wins, such as
        ``law.posterior`` or ``model.predict_proba``: scores give a smoother boundary.
    X : array-like of shape (n, 2), optional
    y : array-like of shape (n,), optional
    box : (left, right, bottom, top), optional
        By default the points with a margin around.
    names : sequence of K str, optional
        What the legend calls the classes.
    resolution : int
        Points on each axis at which the rule is evaluated.
    size : float
        Area of a marker in square points.
    ax : Axes, optional

    Returns
    -------
    Figure

    Raises
    ------
    ValueError
        If neither box nor X is given, or the rule, y and the names do not have as many classes.
    """
    left, right, bottom, top = box = _check_box(box, X)
    grid, (xx, yy) = _grid(box, resolution)
    answers = np.asarray(rule(grid))
    classes = _classes(answers, y)
    with _drawn_on(ax) as ax:
        for k, margin in enumerate(_margins(answers, classes)):
            _fill(ax.contourf, ax.contour, (xx, yy), margin.reshape(xx.shape), k)
        if X is not None and y is not None:
            labelled_points(X, y, classes=classes, names=names, size=size, ax=ax)
        ax.set(xlim=(left, right), ylim=(bottom, top))
        _label_plane(ax)
    return _figure_of(ax)


def level_line(
    score: Rule,
    level: float = 0.0,
    *,
    box: Box,
    label: str | None = None,
    color: str = BLACK,
    dashes: Any = "-",
    resolution: int = 300,
    ax: Axes | None = None,
) -> Figure:
    """Draw the line where a function of the plane takes one value, such as eta(x) = 1/2.

    Parameters
    ----------
    score : callable
        From points (n, 2) to numbers (n,).
    level : float
    box : (left, right, bottom, top)
    label : str, optional
        Entry of the legend.
    color, dashes : matplotlib colour and line style
    resolution : int
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    grid, (xx, yy) = _grid(_check_box(box, None), resolution)
    values = np.asarray(score(grid), dtype=np.float64).reshape(xx.shape)
    with _drawn_on(ax) as ax:
        ax.contour(
            xx, yy, values, levels=[level], colors=[color], linestyles=[dashes], linewidths=1.4, zorder=4
        )
        if label:
            ax.plot([], [], color=color, linestyle=dashes, linewidth=1.4, label=label)
    return _figure_of(ax)


def contour_posterior(
    posterior: Rule,
    X: ArrayLike | None = None,
    *,
    box: Box | None = None,
    levels: Sequence[float] = (0.1, 0.3, 0.5, 0.7, 0.9),
    resolution: int = 300,
    ax: Axes | None = None,
) -> Figure:
    r"""Shade the plane by :math:`\eta(x) = P(Y = 1 \mid X = x)`, with level lines and a colour bar.

    Parameters
    ----------
    posterior : callable
        From points (n, 2) to eta (n,) or to both columns (n, 2), as in ``law.posterior``.
    X : array-like of shape (n, 2), optional
        Points that the picture must hold when there is no `box`.
    box : (left, right, bottom, top), optional
    levels : sequence of float
        Where to draw lines; the one at 1/2 is the Bayes boundary and is heavier.
    resolution : int
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    grid, (xx, yy) = _grid(_check_box(box, X), resolution)
    values = np.asarray(posterior(grid), dtype=np.float64)
    eta = (values[:, 1] if values.ndim == 2 else values).reshape(xx.shape)
    with _drawn_on(ax) as ax:
        shades = ax.contourf(xx, yy, eta, levels=np.linspace(0, 1, 21), cmap=DIVERGING)
        shades.set_edgecolor("face")  # hides the hairlines that viewers draw between neighbouring fills
        weights = [1.4 if level == 0.5 else 0.6 for level in levels]
        lines = ax.contour(xx, yy, eta, levels=levels, colors=BLACK, linewidths=weights)
        bar = ax.figure.colorbar(shades, ax=ax, ticks=[0, *levels, 1], label=r"$P(Y = 1 \mid X = x)$")
        bar.ax.tick_params(**TICKS)
        bar.add_lines(lines)
        _label_plane(ax)
    return _figure_of(ax)


DIVERGING = LinearSegmentedColormap.from_list(
    "eta", [tint(BLUE, 0.4), (0.98, 0.98, 0.98), tint(VERMILLION, 0.4)]
)


def simplex_regions(
    rule: Rule,
    *,
    corners: Sequence[str],
    answers: Sequence[str] | None = None,
    resolution: int = 120,
    ax: Axes | None = None,
) -> Figure:
    """Cut the triangle of all posteriors of three classes by the answers of a rule.

    Parameters
    ----------
    rule : callable
        From posteriors (n, 3) to answers 0, ..., A-1 (n,), or to scores (n, A) of which the largest wins,
        such as minus the conditional risks.
    corners : sequence of 3 str
        Names of the classes: top, left, right.
    answers : sequence of A str, optional
        Names of the answers, written into their regions if they have room; the corners by default.
    resolution : int
        Points on each side.
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    i, j = np.meshgrid(np.arange(resolution), np.arange(resolution))
    inside = i + j < resolution
    shares = np.column_stack([i[inside], j[inside], (resolution - 1 - i - j)[inside]]) / (resolution - 1)
    mesh, values = Triangulation(*barycentric(shares).T), np.asarray(rule(shares))
    texts = list(corners if answers is None else answers)
    with _drawn_on(ax) as ax:
        for k, margin in enumerate(_margins(values, np.arange(len(texts)))):
            _fill(ax.tricontourf, ax.tricontour, (mesh,), margin, k)
            if (margin > 0).mean() > 0.03:
                x, y = barycentric(shares[margin > 0]).mean(axis=0)
                ax.text(
                    x, y, texts[k], color=COLORS[k % len(COLORS)], ha="center", va="center", weight="bold"
                )
        ax.plot(*barycentric(np.eye(3)[[0, 1, 2, 0]]).T, color=BLACK, linewidth=0.8, zorder=4)
        places = (0.5, np.sqrt(3) / 2 + 0.04, "center"), (0, -0.08, "right"), (1, -0.08, "left")
        for (x, y, align), name in zip(places, corners, strict=True):
            ax.text(x, y, name, ha=align)
        ax.set(aspect="equal", xlim=(-0.15, 1.15), ylim=(-0.12, 0.98))
        ax.axis("off")
    return _figure_of(ax)


def barycentric(shares: ArrayLike) -> NDArray[np.float64]:
    """Return the points (n, 2) of the plane that stand for rows (n, 3) of shares of top, left, right."""
    return np.asarray(shares, dtype=np.float64) @ np.array([[0.5, np.sqrt(3) / 2], [0.0, 0.0], [1.0, 0.0]])


# ------------------------------------------------------------------- curves


def density_1d(
    x: ArrayLike,
    densities: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    overlap: str | None = None,
    ax: Axes | None = None,
) -> Figure:
    r"""Draw class densities times priors, :math:`\pi_k f_k(x)`; their overlap can be shaded.

    Parameters
    ----------
    x : array-like of shape (n,)
        Increasing.
    densities : array-like of shape (n, K)
    names : sequence of K str, optional
    overlap : str, optional
        If given, shade :math:`\sum_k \pi_k f_k - \max_k \pi_k f_k`, whose area is the Bayes risk (for two
        classes, the area under both curves), and call it so in the legend.
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    places = check_vector(x, name="x")
    heights = check_matrix(densities, name="densities")
    names = _check_names(names, [rf"$\pi_{k} f_{k}$" for k in range(heights.shape[1])])
    with _drawn_on(ax) as ax:
        if overlap:
            low = np.sort(heights, axis=1)[:, :-1].sum(axis=1)
            ax.fill_between(places, low, color="0.82", linewidth=0, label=overlap)
        curves(places, dict(zip(names, heights.T, strict=True)), ax=ax)
        ax.set(xlabel="$x$", ylabel="density", ylim=(0, 1.2 * heights.max()))  # room for the legend
    return _figure_of(ax)


def curves(x: ArrayLike, values: Mapping[str, ArrayLike], *, ax: Axes | None = None) -> Figure:
    """Draw named curves over one axis, each with its colour and dashes, and a legend.

    Parameters
    ----------
    x : array-like of shape (n,)
    values : mapping from name to array-like of shape (n,)
        NaN breaks a curve.
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    places = check_vector(x, name="x")
    with _drawn_on(ax) as ax:
        for k, (name, value) in enumerate(values.items()):
            if np.shape(value) != places.shape:
                raise ValueError(f"{name!r} must have the shape of x, {places.shape}, got {np.shape(value)}.")
            look = {"color": COLORS[k % len(COLORS)], "linestyle": DASHES[k % len(DASHES)]}
            ax.plot(places, value, label=name, **look)
        ax.legend(loc="best")
    return _figure_of(ax)


def sorted_risks(risks: ArrayLike, *, ax: Axes | None = None) -> Figure:
    """Draw the risks of many rules from the least to the largest, the least ones marked.

    Parameters
    ----------
    risks : array-like of shape (m,)
        Fractions are compared exactly, so that ties are ties.
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    ordered = np.sort(np.asarray(risks))
    ties = int((ordered == ordered[0]).sum())
    rank = np.arange(1, len(ordered) + 1)
    with _drawn_on(ax) as ax:
        ax.plot(rank[ties:], ordered[ties:].astype(float), ".", color=GREY, markersize=3, label="other rules")
        ax.plot(rank[:ties], ordered[:ties].astype(float), "o", color=VERMILLION, markersize=5,
                label=f"{ties} Bayes rule{'s' * (ties > 1)}")  # fmt: skip
        ax.set(xlabel="rank of the rule", ylabel=r"risk $R(f)$", ylim=(0, None))
        ax.legend(loc="upper left")
    return _figure_of(ax)


def bound_scatter(
    bounds: ArrayLike,
    values: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draw values against the bounds that they may not exceed: every point lies below the diagonal.

    Parameters
    ----------
    bounds, values : array-like of shape (n,)
        Non-negative.
    groups : array-like of shape (n,), optional
        A label a point: colour, marker and legend.
    names : sequence of str, optional
        What the legend calls the groups.
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    limits = check_vector(bounds, name="bounds", minimum=0)
    heights = check_vector(values, name="values", n=len(limits))
    top = 1.04 * max(limits.max(), heights.max())
    with _drawn_on(ax) as ax:
        ax.set(xlabel="bound", ylabel="value", xlim=(-0.015 * top, top), ylim=(-0.015 * top, top))
        ax.plot([0, top], [0, top], color=BLACK, linewidth=0.8, zorder=2)
        codes = np.zeros(len(limits)) if groups is None else groups
        labelled_points(np.column_stack([limits, heights]), codes, names=names, size=11, ax=ax)
        ax.set_aspect("equal")
    return _figure_of(ax)


def risk_curve(
    n: ArrayLike,
    runs: ArrayLike,
    *,
    label: str = "mean",
    color: str = BLUE,
    marker: str = "o",
    ax: Axes | None = None,
) -> Figure:
    """Draw a quantity against the sample size on two logarithmic axes: its mean, and where 80 % of runs lie.

    Parameters
    ----------
    n : array-like of shape (s,)
        Sample sizes.
    runs : array-like of shape (r, s)
        One row a run.
    label : str
    color, marker : matplotlib colour and marker
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    sizes, table = check_vector(n, name="n"), check_matrix(runs, name="runs")
    low, high = np.quantile(table, (0.1, 0.9), axis=0)
    with _drawn_on(ax) as ax:
        ax.fill_between(sizes, low, high, color=tint(color), linewidth=0)
        ax.plot(sizes, table.mean(axis=0), color=color, marker=marker, markersize=4, label=label)
        ax.set(xscale="log", yscale="log", xlabel="sample size $n$", ylabel="risk")
        ax.legend(loc="best")
    return _figure_of(ax)


# ------------------------------------------------------------------- shared pieces


def frame(box: Box, *, ax: Axes) -> None:
    """Draw the outline of a box, such as the part of the plane that the next panel enlarges."""
    left, right, bottom, top = _check_box(box, None)
    ax.plot([left, right, right, left, left], [bottom, bottom, top, top, bottom], color=GREY, linewidth=0.8)


def _fill(fill: Any, line: Any, place: tuple[Any, ...], margin: NDArray[np.float64], k: int) -> None:
    """Shade where the margin is positive, and draw its zero line; odd classes are lighter, also in print."""
    if margin.max() > 0:
        color = tint(COLORS[k % len(COLORS)], white=(0.72, 0.85)[k % 2])
        fill(*place, margin, levels=[0, 2 * margin.max()], colors=[color])
    if margin.min() < 0 < margin.max():
        line(*place, margin, levels=[0], colors=[GREY], linewidths=0.8)


def _margins(answers: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.float64]:
    """Return by how much each class beats the best other one, shape (K, n); -1 or 1 for plain labels."""
    if answers.ndim == 1:
        return np.where(answers == classes[:, None], 1.0, -1.0)
    scores = check_matrix(answers, name="the scores of the rule", min_features=2)
    if scores.shape[1] != len(classes):
        raise ValueError(f"the rule returns {scores.shape[1]} scores a point for {len(classes)} classes.")
    ranked = np.sort(scores, axis=1)
    return (scores - np.where(scores == ranked[:, -1:], ranked[:, -2:-1], ranked[:, -1:])).T


def _classes(answers: NDArray[Any], y: ArrayLike | None) -> NDArray[Any]:
    """Return all labels in the order of their colours: those of the answers and y, or one a column."""
    if answers.ndim == 1:
        return np.unique(answers if y is None else np.concatenate([answers, np.asarray(y)]))
    columns = np.arange(answers.shape[1])
    return columns if y is None or np.isin(y, columns).all() else np.unique(y)


def _check_names(names: Sequence[str] | None, default: Sequence[str]) -> Sequence[str]:
    if names is not None and len(names) != len(default):
        raise ValueError(f"names has {len(names)} entries for {len(default)} classes.")
    return default if names is None else names


def _grid(box: Box, resolution: int) -> tuple[NDArray[np.float64], tuple[Any, Any]]:
    left, right, bottom, top = box
    xx, yy = np.meshgrid(np.linspace(left, right, resolution), np.linspace(bottom, top, resolution))
    return np.column_stack([xx.ravel(), yy.ravel()]), (xx, yy)


def _check_plane(X: ArrayLike) -> NDArray[np.float64]:
    points = check_matrix(X)
    if points.shape[1] != 2:
        raise ValueError(f"X must have 2 columns to be drawn in the plane, got {points.shape[1]}.")
    return points


def _check_box(box: Box | None, X: ArrayLike | None) -> Box:
    if box is None:
        if X is None:
            raise ValueError("box and X are both missing; one must say which part of the plane to draw.")
        points = _check_plane(X)
        (left, bottom), (right, top) = points.min(axis=0), points.max(axis=0)
        dx, dy = 0.06 * (right - left) or 1.0, 0.06 * (top - bottom) or 1.0
        return float(left - dx), float(right + dx), float(bottom - dy), float(top + dy)
    left, right, bottom, top = (float(edge) for edge in check_vector(box, name="box", n=4))
    if not (left < right and bottom < top):
        raise ValueError(f"box must be (left, right, bottom, top), left < right and bottom < top, got {box}.")
    return left, right, bottom, top


def _figure_of(ax: Axes) -> Figure:
    return cast(Figure, ax.figure)


def _label_plane(ax: Axes) -> None:
    if not ax.get_xlabel():
        ax.set(xlabel="$x_1$", ylabel="$x_2$")
