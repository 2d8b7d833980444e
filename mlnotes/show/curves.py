"""Curves, bounds and risks over one axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from mlnotes.checks import check_matrix, check_vector
from mlnotes.show.plane import check_names, labelled_points
from mlnotes.show.style import BLACK, BLUE, COLORS, DASHES, GREY, VERMILLION, drawn_on, figure_of, tint


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
    names = check_names(names, [rf"$\pi_{k} f_{k}$" for k in range(heights.shape[1])])
    with drawn_on(ax) as ax:
        if overlap:
            low = np.sort(heights, axis=1)[:, :-1].sum(axis=1)
            ax.fill_between(places, low, color="0.82", linewidth=0, label=overlap)
        curves(places, dict(zip(names, heights.T, strict=True)), ax=ax)
        ax.set(xlabel="$x$", ylabel="density", ylim=(0, 1.2 * heights.max()))  # room for the legend
    return figure_of(ax)


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
    with drawn_on(ax) as ax:
        for k, (name, value) in enumerate(values.items()):
            if np.shape(value) != places.shape:
                raise ValueError(f"{name!r} must have the shape of x, {places.shape}, got {np.shape(value)}.")
            look = {"color": COLORS[k % len(COLORS)], "linestyle": DASHES[k % len(DASHES)]}
            ax.plot(places, value, label=name, **look)
        ax.legend(loc="best")
    return figure_of(ax)


def sorted_risks(risks: ArrayLike, *, ax: Axes | None = None) -> Figure:
    """Draw the risks of many classifiers in increasing order, the minimum marked.

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
    with drawn_on(ax) as ax:
        ax.plot(rank[ties:], ordered[ties:].astype(float), ".", color=GREY, markersize=3, label="other rules")
        ax.plot(
            rank[:ties],
            ordered[:ties].astype(float),
            "o",
            color=VERMILLION,
            markersize=5,
            label=f"{ties} Bayes rule{'s' * (ties > 1)}",
        )
        ax.set(xlabel="rank of the rule", ylabel=r"risk $R(f)$", ylim=(0, None))
        ax.legend(loc="upper left")
    return figure_of(ax)


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
    with drawn_on(ax) as ax:
        ax.set(xlabel="bound", ylabel="value", xlim=(-0.015 * top, top), ylim=(-0.015 * top, top))
        ax.plot([0, top], [0, top], color=BLACK, linewidth=0.8, zorder=2)
        codes = np.zeros(len(limits)) if groups is None else groups
        labelled_points(np.column_stack([limits, heights]), codes, names=names, size=11, ax=ax)
        ax.set_aspect("equal")
    return figure_of(ax)


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
    with drawn_on(ax) as ax:
        ax.fill_between(sizes, low, high, color=tint(color), linewidth=0)
        ax.plot(sizes, table.mean(axis=0), color=color, marker=marker, markersize=4, label=label)
        ax.set(xscale="log", yscale="log", xlabel="sample size $n$", ylabel="risk")
        ax.legend(loc="best")
    return figure_of(ax)
