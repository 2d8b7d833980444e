"""Figures of lecture 11: naive against full kernel classifiers, and what the naive model cannot see.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from mlnotes import datasets
from mlnotes.estimators.naive_bayes import KernelDensityClassifier, NaiveBayes
from mlnotes.estimators.pca import PCA
from mlnotes.show import plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLUE, GREY, VERMILLION

DIMENSIONS = (1, 2, 4, 8, 16, 32)


@figure(
    "naive-bayes-dimensions",
    alt="Two panels of error against dimension. Left two curves fall, the naive one faster. Right, with "
    "copied features, both stay nearly level, the naive one lower.",
    seed=21,
)
def dimensions(rng: np.random.Generator) -> Figure:
    """Naive and full kernel classifiers as features are added: 30 examples a class, mean of 8 training sets.

    Left: independent normal features with means 1/2 apart, so that every feature helps. Right: copies of two
    such features with noise of variance 1/4 added to each; naive Bayes is wrong there, and not worse.
    Bandwidths by Silverman's rule.
    """
    picture, axes = plots.panels(1, 2, height=2.9, sharey=True)
    for ax, title, draw in ((axes[0], "independent", _independent), (axes[1], "noisy copies", _copies)):
        errors = np.zeros((2, len(DIMENSIONS)))
        for _ in range(8):
            for i, d in enumerate(DIMENSIONS):
                (X, y), (T, t) = draw(rng, 60, d), draw(rng, 400, d)
                for row, model in enumerate((NaiveBayes(marginals="kernel"), KernelDensityClassifier())):
                    errors[row, i] += np.mean(model.fit(X, y).predict(T) != t) / 8
        ax.plot(DIMENSIONS, errors[0], "o-", color=BLUE, label="naive")
        ax.plot(DIMENSIONS, errors[1], "^--", color=VERMILLION, label="full")
        ax.set(xscale="log", xlabel="number of features $d$", title=title, ylim=(0, 0.5))
        ax.set_xticks(DIMENSIONS, [str(d) for d in DIMENSIONS])
    axes[0].set(ylabel="test error")
    axes[0].legend()
    return picture


def _independent(rng, n, d):
    y = np.arange(n) % 2
    return rng.standard_normal((n, d)) + 0.5 * y[:, None], y


def _copies(rng, n, d):
    y = np.arange(n) % 2
    base = rng.standard_normal((n, 2)) + 0.5 * y[:, None]
    return base[:, np.arange(d) % 2] + 0.5 * rng.standard_normal((n, d)), y


@figure(
    "naive-bayes-digits",
    alt="Two falling curves of the error against the number of principal components; that of the full "
    "classifier is the lower one.",
)
def digits() -> Figure:
    """Digits of 8 by 8 pixels: the full kernel classifier beats the naive one at every number of components.

    Trained on every second digit of 1,797, after a projection on the leading principal components.
    """
    data, train = datasets.load_digits(), np.arange(1797) % 2 == 0
    sizes = (1, 2, 3, 5, 8, 12, 20, 32)
    full = PCA(n_components=32).fit(data.X[train]).transform(data.X)
    errors = {"naive": [], "full": []}
    for d in sizes:
        for name, model in (("naive", NaiveBayes(marginals="kernel")), ("full", KernelDensityClassifier())):
            model.fit(full[train, :d], data.y[train])
            errors[name].append(1 - model.score(full[~train, :d], data.y[~train]))
    picture, ax = plots.panels()
    ax.plot(sizes, errors["naive"], "o-", color=BLUE, label="naive")
    ax.plot(sizes, errors["full"], "^--", color=VERMILLION, label="full")
    ax.axhline(0.9, color=GREY, linewidth=0.8)
    ax.text(8, 0.92, "guessing", color=GREY, fontsize=9)
    ax.set(xscale="log", xlabel="principal components $d$", ylabel="test error", ylim=(0, 1))
    ax.set_xticks(sizes, [str(d) for d in sizes])
    ax.set_xticks([], minor=True)
    ax.legend(loc="center right")
    return picture


@figure(
    "naive-bayes-xor",
    alt="Two panels with four clouds of points, opposite clouds of one class. Left the regions of the naive "
    "rule have nothing to do with them, right the four quadrants are found.",
    seed=22,
)
def exclusive(rng: np.random.Generator) -> Figure:
    """Four clouds, opposite ones of the same class: naive Bayes is blind to them, the full classifier is not.

    Kernel estimates, 300 observations. Each feature alone has the same distribution in both classes.
    """
    corners = rng.integers(0, 2, (300, 2))
    X, y = 2.0 * corners - 1 + 0.4 * rng.standard_normal((300, 2)), corners.sum(axis=1) % 2
    picture, axes = plots.panels(1, 2, height=3.1, sharex=True, sharey=True)
    models = (NaiveBayes(marginals="kernel"), KernelDensityClassifier(bandwidth=0.4))
    for ax, model, name in zip(axes, models, ("naive", "full"), strict=True):
        plots.decision_regions(model.fit(X, y).predict_proba, X, y, resolution=120, size=8, ax=ax)
        ax.set(title=name)
        ax.get_legend().remove()
    return picture
