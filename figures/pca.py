"""Figures of lecture 14: components and reconstructions, the variance they keep, and what they cannot see.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from mlnotes import PCA, LinearDiscriminantAnalysis, datasets
from mlnotes import pca as reference
from mlnotes.show import models, plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLACK, BLUE, GREEN, VERMILLION, tint


@figure(
    "pca-digits",
    alt="Above, six pictures of a handwritten digit that grow sharper from left to right. Below, six "
    r"pictures of eight by eight fields in red and blue.",
)
def digits() -> Figure:
    """Rebuild a handwritten zero from k of 64 components (above); below, the first six components.

    Blue fields count negative, red ones positive.
    """
    data = datasets.load_digits()
    full = PCA().fit(data.X)
    empty = {"xticks": [], "yticks": []}
    picture, axes = plots.panels(2, 6, height=2.8, subplot_kw=empty)
    for ax in axes.flat:
        ax.spines[:].set_visible(False)
    for ax, k in zip(axes[0], (1, 3, 6, 12, 24, 64), strict=True):
        model = PCA(n_components=k).fit(data.X)
        ax.imshow(model.inverse_transform(model.transform(data.X[:1])).reshape(8, 8), cmap="gray_r")
        ax.set(title=f"$k = {k}$")
    for j, (ax, direction) in enumerate(zip(axes[1], full.components_[:6], strict=True)):
        ax.imshow(direction.reshape(8, 8), cmap="RdBu_r", vmin=-0.45, vmax=0.45)
        ax.set(title=f"$v_{j + 1}$")
    return picture


@figure(
    "pca-scree",
    alt="Bars that fall quickly from 0.15 to nearly nothing, and a curve of their sum that rises to one.",
)
def scree() -> Figure:
    """Count the components of digits: the fraction of the variance along each of 64, and so far."""
    return models.scree(PCA().fit(datasets.load_digits().X))


@figure(
    "pca-ky-fan",
    alt="A rising concave curve, the fraction of the variance that k components keep. Well below it a curve "
    r"for the k features of largest variance, and below that a narrow rising band for random subspaces.",
    seed=14,
)
def ky_fan(rng: np.random.Generator) -> Figure:
    """No k-dimensional subspace keeps more variance than k components do: the digits, d = 64.

    Compared with the k features of largest variance, and with the range of 100 random subspaces.
    """
    _, S = reference.mean_and_covariance(datasets.load_digits().X)
    ks = np.arange(1, 41)
    best = np.cumsum(PCA().fit(datasets.load_digits().X).explained_variance_ratio_)[ks - 1]
    features = np.cumsum(np.sort(np.diag(S))[::-1])[ks - 1] / np.trace(S)
    draws = [np.linalg.qr(rng.standard_normal((64, 40)))[0] for _ in range(100)]
    fractions = np.array([np.cumsum(((S @ W) * W).sum(axis=0)) for W in draws]) / np.trace(S)  # (100, 40)
    picture, ax = plots.panels()
    ax.plot(ks, best, color=BLUE, label="$k$ components")
    ax.plot(ks, features, color=VERMILLION, linestyle="--", label="$k$ features of largest variance")
    ax.fill_between(ks, fractions.min(axis=0), fractions.max(axis=0), color=tint(GREEN), linewidth=0)
    ax.plot(ks, fractions.mean(axis=0), color=GREEN, linestyle=":", label="random subspaces")
    ax.set(xlabel="$k$", ylabel="fraction of the variance", ylim=(0, 1.02), xlim=(1, 40))
    ax.legend(loc="lower right")
    return picture


@figure(
    "pca-blind",
    alt="Left, two long horizontal clouds of points, one above the other, with a horizontal line called PCA "
    r"and a vertical one called LDA. Right, two histograms: on the PCA direction the classes coincide, on "
    r"that of LDA they are apart.",
    seed=15,
)
def blind(rng: np.random.Generator) -> Figure:
    """PCA keeps what varies, not what distinguishes the classes.

    The first component has nearly all the variance. Left: 200 observations and the two directions. Right: the
    scores of the classes on each of them.
    """
    y = np.repeat([0, 1], 100)
    X = np.column_stack([rng.normal(0, 4, 200), 2.0 * y - 1 + rng.normal(0, 0.3, 200)])
    pca, lda = PCA(n_components=1).fit(X), LinearDiscriminantAnalysis().fit(X, y)
    picture, axes = plots.panels(1, 3, height=2.6, width_ratios=(1.6, 1, 1))
    plots.labelled_points(X, y, size=8, ax=axes[0])
    for vector, dashes in ((pca.components_[0], "-"), (lda.scalings_[:, 0], "--")):
        axes[0].plot(*np.outer(3 * vector / np.linalg.norm(vector), [-1, 1]), color=BLACK, linestyle=dashes)
    axes[0].set(ylim=(-4, 6))
    axes[0].legend(loc="upper left", ncols=2)
    for ax, model, name in zip(axes[1:], (pca, lda), ("PCA (solid)", "LDA (dashed)"), strict=True):
        Z = model.transform(X)[:, 0]
        for k, color in enumerate((BLUE, VERMILLION)):
            ax.hist(Z[y == k], bins=np.linspace(Z.min(), Z.max(), 25), color=color, alpha=0.6)
        ax.set(title=name, yticks=[], xlabel="score")
    return picture


@figure(
    "pca-units",
    alt="Two panels of points of three classes. Left they are drawn out along one axis and mixed; right "
    r"they form three clouds.",
)
def units() -> Figure:
    """Units decide: 178 wines on their first two components, raw (left) and in standard deviations (right).

    Raw, proline, measured in mg/l, is the first component nearly alone.
    """
    wine = datasets.load_wine()
    names = [f"cultivar {k + 1}" for k in range(3)]
    picture, axes = plots.panels(1, 2, height=3.2)
    for ax, X, title in zip(
        axes, (wine.X, wine.X / wine.X.std(axis=0)), ("raw", "in standard deviations"), strict=True
    ):
        model = PCA(n_components=2).fit(X)
        plots.labelled_points(model.transform(X), wine.y, names=names, size=8, ax=ax)
        ratio = model.explained_variance_ratio_
        ax.set(title=title, xlabel=f"component 1 ({ratio[0]:.1%})", ylabel=f"component 2 ({ratio[1]:.1%})")
        ax.get_legend().remove()
    picture.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return picture
