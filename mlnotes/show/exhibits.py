"""Exhibits: pictures with a control, such as a slider for the bandwidth.

An exhibit draws one picture for each position of its control. A notebook and the book show all of them,
drawn beforehand, with a control in plain HTML that needs no server and no running kernel; ``widget()`` gives
the same control as an ipywidgets slider, which draws when it is moved::

    exhibits.bandwidths(x)
    exhibits.bandwidths(x, np.geomspace(0.01, 10, 200)).widget()
"""

from __future__ import annotations

import base64
import html
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from mlnotes import perceptron
from mlnotes.estimators import density, svm
from mlnotes.estimators.checks import check_matrix, check_vector
from mlnotes.laws import datasets
from mlnotes.show import plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Exhibit:
    """A picture for each position of a control.

    Attributes
    ----------
    name : str
        What the control changes, for its label: ``"bandwidth"``.
    labels : tuple of str
        The positions in order, as the reader sees them.
    texts : tuple of str
        What there is to see at each, in words.
    draw : callable
        From the index of a position to a Matplotlib figure.
    start : int, default 0
        The position shown first.
    """

    name: str
    labels: tuple[str, ...]
    texts: tuple[str, ...]
    draw: Callable[[int], Figure]
    start: int = 0

    @cached_property
    def pictures(self) -> tuple[bytes, ...]:
        """The frames as PNG files."""
        return tuple(self._png(k) for k in range(len(self.labels)))

    def _png(self, k: int) -> bytes:
        return _few_colours(plots.picture_bytes(self.draw(k), "png"))

    def _repr_html_(self) -> str:
        last, name = len(self.labels) - 1, html.escape(self.name, quote=True)
        said = html.escape(f"{self.name}: {self.labels[self.start]}. {self.texts[self.start]}", quote=True)
        frames = "".join(
            f"<div class='frame{' key' if k in (0, last // 2, last) else ''}' "
            f"{'' if k == self.start else 'hidden'}>"
            f"<img src='data:image/png;base64,{base64.b64encode(picture).decode()}' "
            f"alt='{html.escape(text, quote=True)}' style='max-width:100%;width:528px;background:white'>"
            f"<p><b>{html.escape(self.name)}: {html.escape(label)}.</b> {html.escape(text)}</p></div>"
            for k, (label, text, picture) in enumerate(
                zip(self.labels, self.texts, self.pictures, strict=True)
            )
        )
        return (
            f"<div class='mlnotes-exhibit'>{_PRINT}{frames}<div>{_button('Back', 'stepDown')} "
            f"<input type='range' min='0' max='{last}' value='{self.start}' aria-label='{name}' "
            f"aria-valuetext='{said}' "
            f'oninput="{_SHOW}"> {_button("Next", "stepUp")}</div></div>'
        )

    def __repr__(self) -> str:
        return f"<Exhibit: {self.name} from {self.labels[0]} to {self.labels[-1]}>"

    def widget(self) -> Any:
        """Return the control as an ipywidgets slider, which draws the picture when it is moved.

        Raises
        ------
        ImportError
            If ipywidgets is not installed.
        """
        try:
            import ipywidgets
        except ImportError as error:
            raise ImportError("widget() needs ipywidgets: pip install ipywidgets, or make lab.") from error
        places = [(label, k) for k, label in enumerate(self.labels)]
        slider = ipywidgets.SelectionSlider(options=places, value=self.start, description=self.name)
        picture, words = ipywidgets.Image(format="png", width=528), ipywidgets.HTML()

        def show(k: int) -> None:
            picture.value, words.value = self._png(k), html.escape(self.texts[k])

        slider.observe(lambda change: show(change["new"]), names="value")
        show(self.start)
        return ipywidgets.VBox([slider, picture, words])


def _few_colours(picture: bytes) -> bytes:
    """Return a PNG file of at most 64 colours: 24 frames in place of 8 fit the same page."""
    stream = BytesIO()
    with Image.open(BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(64, dither=Image.Dither.NONE)
    few.save(stream, "png", optimize=True)
    return stream.getvalue()


_PRINT = (  # on paper: the first, the middle and the last frame
    "<style>@media print{.mlnotes-exhibit .frame{display:none}.mlnotes-exhibit .key{display:block!important}"
    ".mlnotes-exhibit input,.mlnotes-exhibit button{display:none}}</style>"
)
_SHOW = (  # a screen reader says the words of the frame, not the number of the position
    "const frames = this.closest('.mlnotes-exhibit').querySelectorAll('.frame'); "
    "frames.forEach((frame, k) => { frame.hidden = k != this.value }); "
    "this.setAttribute('aria-valuetext', frames[this.value].textContent)"
)


def _button(words: str, step: str) -> str:
    moved = f"const range = this.parentNode.querySelector('input'); range.{step}(); range.oninput()"
    return f'<button type="button" onclick="{moved}">{words}</button>'


# ------------------------------------------------------------------- the exhibits of the lectures


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
    Z = perceptron.signed_rows(points, signs)
    updates = (state for state in perceptron.visit_in_order(Z, np.zeros(3)) if state[1] is not None)
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
    """Return 30 rows with a strip of width 0.2 between the classes."""
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
    """Return linear support vector machines for prices C of an error, from cheap to dear.

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
        f"The strip between the dashed lines is {width:.2g} wide. Of {len(points)} rows "
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
