"""Exhibits of the lectures: pictures with a slider, such as one for the bandwidth.

::

    exhibits.bandwidths(x)
    exhibits.bandwidths(x, np.geomspace(0.01, 10, 200)).widget()
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import datasets, perceptron
from mlnotes.checks import check_matrix, check_vector
from mlnotes.estimators import density, svm
from mlnotes.show import plots
from mlnotes.show.slider import Exhibit

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def perceptron_steps(X: ArrayLike | None = None, y: ArrayLike | None = None) -> Exhibit:
    """Return the path of a perceptron: the line after each update, and the row that it gets wrong next.

    Parameters
    ----------
    X : array-like of shape (n, 2), optional
    y : array-like of shape (n,), optional
        Entries +1 and -1. By default 30 separable rows. At most the first 30 updates are shown.
    """
    if X is None or y is None:
        X, y = _separable_rows()
    points, signs = check_matrix(X), check_vector(y, name="y")
    if not (abs(signs) == 1).all():
        raise ValueError(f"y must have entries +1 and -1, got {signs[abs(signs) != 1][0]:g}.")
    Z = perceptron.signed_examples(points, signs)
    updates = (state for state in perceptron.perceptron(Z, np.zeros(3)) if state[1] is not None)
    path, rows = zip((np.zeros(3), None), *islice(updates, 30), strict=True)
    left = [len(perceptron.mistake_set(w, Z)) for w in path]
    texts = [f"The circled row is wrong and is added next. Wrong in all: {count}." for count in left[:-1]]
    texts.append(f"Wrong in all: {left[-1]}." if left[-1] else "No row is wrong: the perceptron stops.")

    def draw(t: int) -> Figure:
        figure, ax = plots.panels()
        plots.labelled_points(points, signs, names=("class −1", "class +1"), size=26, ax=ax)
        box = ax.get_xlim(), ax.get_ylim()
        if path[t][:2].any():
            ax.axline(*_two_points(path[t]), color=plots.GREY)
        if t + 1 < len(rows):
            ax.scatter(*points[rows[t + 1]], s=160, facecolors="none", edgecolors=plots.BLACK)
        ax.set(xlim=box[0], ylim=box[1], title=f"after {t} update{'s' if t != 1 else ''}")
        return figure

    return Exhibit("updates", tuple(str(t) for t in range(len(path))), tuple(texts), draw)


def _two_points(w: NDArray[np.float64]) -> tuple[Any, Any]:
    """Return two points of the line on which w[0] x + w[1] y + w[2] is zero."""
    foot = -w[2] * w[:2] / (w[:2] @ w[:2])
    return foot, foot + np.array([-w[1], w[0]])


def _separable_rows() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return 30 observations with a margin of width 0.2 between the classes."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (80, 2))
    score = X @ np.array([0.8, 0.6]) - 0.15
    clear = abs(score) > 0.1
    return X[clear][:30], np.where(score[clear][:30] > 0, 1.0, -1.0)


def bandwidths(x: ArrayLike | None = None, widths: ArrayLike | None = None) -> Exhibit:
    """Return kernel density estimates of one sample, from the roughest to the smoothest.

    Parameters
    ----------
    x : array-like of shape (n,), optional
        By default the velocities of 82 galaxies, in 1,000 km/s.
    widths : array-like of shape (k,), optional
        Bandwidths, increasing; by default 13, in equal ratios around the one that cross-validation picks.
    """
    sample = datasets.load_galaxies().X[:, 0] / 1000 if x is None else check_vector(x, name="x")
    picked = density.select_bandwidth(sample).best
    h = picked * np.geomspace(1 / 8, 8, 13) if widths is None else check_vector(widths, name="widths")
    margin = 0.1 * np.ptp(sample)
    places = np.linspace(sample.min() - margin, sample.max() + margin, 600)
    heights = [density.kernel_density(sample, places, width) for width in h]
    peaks = [int(((f[1:-1] > f[:-2]) & (f[1:-1] >= f[2:])).sum()) for f in heights]
    best = density.kernel_density(sample, places, picked)

    def draw(k: int) -> Figure:
        figure, ax = plots.panels()
        shown = {"picked by cross-validation": best, f"$h = {h[k]:.3g}$": heights[k]}
        plots.curves(places, shown, ax=ax)
        ax.plot(sample, np.zeros_like(sample), "|", color=plots.GREY)
        ax.set(xlabel="$x$", ylabel="density", ylim=(0, 1.1 * max(heights[k].max(), best.max())))
        return figure

    texts = tuple(
        f"The estimate has {n} peak{'s' if n != 1 else ''}. {_against(width, picked)}"
        for n, width in zip(peaks, h, strict=True)
    )
    labels = tuple(f"{width:.3g}" for width in h)
    return Exhibit("bandwidth", labels, texts, draw, start=int(abs(h - picked).argmin()))


def _against(width: float, picked: float) -> str:
    ratio = width / picked
    if abs(ratio - 1) < 1e-9:
        return "Cross-validation picks this bandwidth."
    return f"It is {ratio:.2g} times the bandwidth that cross-validation picks, {picked:.3g}."


def penalties(
    X: ArrayLike | None = None, y: ArrayLike | None = None, costs: ArrayLike | None = None
) -> Exhibit:
    """Return linear support vector machines for increasing C, the penalty of an error.

    Parameters
    ----------
    X : array-like of shape (n, 2), optional
    y : array-like of shape (n,), optional
        Entries +1 and -1. By default 60 rows of two overlapping clouds.
    costs : array-like of shape (k,), optional
        By default 11 from 0.01 to 1,000 in equal ratios.
    """
    if X is None or y is None:
        X, y = _overlapping_rows()
    points, signs = check_matrix(X), check_vector(y, name="y")
    prices = np.geomspace(1e-2, 1e3, 11) if costs is None else check_vector(costs, name="costs")
    models = [svm.SVC(C=C, kernel="linear").fit(points, signs) for C in prices]
    widths = [2 / float(np.linalg.norm(model.coef_)) for model in models]

    def draw(k: int) -> Figure:
        figure, ax = plots.panels()
        w = np.append(models[k].coef_[0], models[k].intercept_[0])
        plots.labelled_points(points, signs, names=("class −1", "class +1"), size=26, ax=ax)
        box = ax.get_xlim(), ax.get_ylim()
        for side, dashes in ((0.0, "-"), (-1.0, "--"), (1.0, "--")):
            ax.axline(*_two_points(w - [0.0, 0.0, side]), color=plots.GREY, linestyle=dashes)
        ax.scatter(*points[models[k].support_].T, s=110, facecolors="none", edgecolors=plots.BLACK)
        ax.set(xlim=box[0], ylim=box[1], title=f"$C = {prices[k]:.3g}$")
        return figure

    texts = tuple(
        f"The margin between the dashed lines is {width:.2g} wide. Of {len(points)} points "
        f"{len(model.support_)} are support vectors (circled) and "
        f"{(model.predict(points) != signs).sum()} are on the wrong side."
        for model, width in zip(models, widths, strict=True)
    )
    return Exhibit("C", tuple(f"{C:.3g}" for C in prices), texts, draw, start=len(prices) // 2)


def _overlapping_rows() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return 60 rows, half of them around (-1, -1) and half around (1, 1), with deviation 0.9."""
    rng = np.random.default_rng(4)
    y = np.repeat([-1.0, 1.0], 30)
    return y[:, None] + 0.9 * rng.standard_normal((60, 2)), y
