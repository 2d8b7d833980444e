"""Points of the plane, and rules that cut it into regions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.tri import Triangulation
from numpy.typing import ArrayLike, NDArray

from mlnotes.checks import check_labels, check_matrix, check_vector
from mlnotes.show.style import BLACK, COLORS, DIVERGING, GREY, MARKERS, TICKS, drawn_on, figure_of, tint

Rule = Callable[[NDArray[np.float64]], ArrayLike]


class Model(Protocol):
    """A fitted classifier, of this library or of another."""

    def predict(self, X: Any, /) -> Any:
        """Return the label of each row."""


Box = tuple[float, float, float, float]


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
    labels, codes = check_labels(y, n_rows=len(points))
    known = labels if classes is None else np.asarray(classes)
    names = check_names(names, [f"class {label}" for label in known])
    with drawn_on(ax) as ax:
        for k, (label, name) in enumerate(zip(known, names, strict=True)):
            rows = points[labels[codes] == label]
            ax.scatter(
                rows[:, 0],
                rows[:, 1],
                s=size,
                marker=MARKERS[k % len(MARKERS)],
                color=COLORS[k % len(COLORS)],
                edgecolors="white",
                linewidths=0.35,
                label=name,
                zorder=3,
            )
        _label_plane(ax)
        if len(names) > 1:
            ax.legend(loc="best")
    return figure_of(ax)


def decision_regions(
    rule: Rule | Model,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    box: Box | None = None,
    names: Sequence[str] | None = None,
    resolution: int = 300,
    size: float = 14,
    ax: Axes | None = None,
) -> Figure:
    """Shade the plane by the predictions of a classifier, draw the boundary, and labelled points on top.

    Parameters
    ----------
    rule : fitted estimator or callable
        An estimator predicts with ``predict``. A callable takes points (n, 2) to labels (n,), or to scores
        (n, K) of which the largest wins, such as ``distribution.posterior`` or ``model.predict_proba``:
        scores give a smoother boundary.
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
    answers = np.asarray(_answers(rule, grid))
    classes = _classes(answers, y)
    with drawn_on(ax) as ax:
        for k, margin in enumerate(_margins(answers, classes)):
            _fill(ax.contourf, ax.contour, (xx, yy), margin.reshape(xx.shape), k)
        if X is not None and y is not None:
            labelled_points(X, y, classes=classes, names=names, size=size, ax=ax)
        ax.set(xlim=(left, right), ylim=(bottom, top))
        _label_plane(ax)
    return figure_of(ax)


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
    with drawn_on(ax) as ax:
        ax.contour(
            xx, yy, values, levels=[level], colors=[color], linestyles=[dashes], linewidths=1.4, zorder=4
        )
        if label:
            ax.plot([], [], color=color, linestyle=dashes, linewidth=1.4, label=label)
    return figure_of(ax)


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
        From points (n, 2) to eta (n,) or to both columns (n, 2), as in ``distribution.posterior``.
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
    with drawn_on(ax) as ax:
        shades = ax.contourf(xx, yy, eta, levels=np.linspace(0, 1, 21), cmap=DIVERGING)
        shades.set_edgecolor("face")  # hides the hairlines that viewers draw between neighbouring fills
        weights = [1.4 if level == 0.5 else 0.6 for level in levels]
        lines = ax.contour(xx, yy, eta, levels=levels, colors=BLACK, linewidths=weights)
        bar = ax.figure.colorbar(shades, ax=ax, ticks=[0, *levels, 1], label=r"$P(Y = 1 \mid X = x)$")
        bar.ax.tick_params(**TICKS)
        bar.add_lines(lines)
        _label_plane(ax)
    return figure_of(ax)


def simplex_regions(
    rule: Rule,
    *,
    corners: Sequence[str],
    answers: Sequence[str] | None = None,
    resolution: int = 120,
    ax: Axes | None = None,
) -> Figure:
    """Divide the triangle of all posteriors of three classes by the decisions of a rule.

    Parameters
    ----------
    rule : callable
        From posteriors (n, 3) to decisions 0, ..., A-1 (n,), or to scores (n, A) of which the largest wins,
        such as minus the conditional risks.
    corners : sequence of 3 str
        Names of the classes: top, left, right.
    answers : sequence of A str, optional
        Names of the decisions, written into their regions if they have room; the corners by default.
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
    with drawn_on(ax) as ax:
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
    return figure_of(ax)


def barycentric(shares: ArrayLike) -> NDArray[np.float64]:
    """Return the points (n, 2) with barycentric coordinates (n, 3): weights of top, left, right."""
    return np.asarray(shares, dtype=np.float64) @ np.array([[0.5, np.sqrt(3) / 2], [0.0, 0.0], [1.0, 0.0]])


def frame(box: Box, *, ax: Axes) -> None:
    """Draw the outline of a box, such as the part of the plane that the next panel enlarges."""
    left, right, bottom, top = _check_box(box, None)
    ax.plot([left, right, right, left, left], [bottom, bottom, top, top, bottom], color=GREY, linewidth=0.8)


# ------------------------------------------------------------------- shared pieces


def check_names(names: Sequence[str] | None, default: Sequence[str]) -> Sequence[str]:
    """Return the names, of which there must be as many as by default; None means those."""
    if names is not None and len(names) != len(default):
        raise ValueError(f"names has {len(names)} entries for {len(default)} classes.")
    return default if names is None else names


def _fill(fill: Any, line: Any, place: tuple[Any, ...], margin: NDArray[np.float64], k: int) -> None:
    """Shade where the margin is positive, and draw its zero line; odd classes are lighter, also in print."""
    if margin.max() > 0:
        color = tint(COLORS[k % len(COLORS)], white=(0.72, 0.85)[k % 2])
        fill(*place, margin, levels=[0, 2 * margin.max()], colors=[color])
    if margin.min() < 0 < margin.max():
        line(*place, margin, levels=[0], colors=[GREY], linewidths=0.8)


def _answers(rule: Rule | Model, grid: NDArray[np.float64]) -> ArrayLike:
    if not hasattr(rule, "predict"):
        return rule(grid)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        answers: ArrayLike = rule.predict(grid)
    return answers


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
    """Return all labels in the order of their colours: those of the predictions and y, or one a column."""
    if answers.ndim == 1:
        return np.unique(answers if y is None else np.concatenate([answers, np.asarray(y)]))
    columns = np.arange(answers.shape[1])
    return columns if y is None or np.isin(y, columns).all() else np.unique(y)


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


def _label_plane(ax: Axes) -> None:
    if not ax.get_xlabel():
        ax.set(xlabel="$x_1$", ylabel="$x_2$")
