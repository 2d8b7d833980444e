"""Figures of lecture 4: linear and quadratic boundaries, what estimation costs, and Fisher's plane.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from mlnotes import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis, datasets
from mlnotes.show import plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLUE, GREY, VERMILLION


@figure(
    "discriminant-boundaries",
    alt="Two panels with the same two clouds of points. Left a straight boundary between them, right a "
    r"curved one that nearly covers the dashed boundary of the true distribution.",
    seed=11,
)
def boundaries(rng: np.random.Generator) -> Figure:
    """LDA and QDA on 200 observations of Example 1.1, where the classes have different covariances.

    Dashed: the Bayes boundary of the distribution, a hyperbola. The line of LDA cannot follow it.
    """
    distribution = datasets.recitation_example()
    X, y = distribution.sample(200, rng)
    box = (-6.0, 12.0, 0.0, 10.0)
    picture, axes = plots.panels(1, 2, height=3.3, sharex=True, sharey=True)
    for ax, model, name in zip(
        axes, (LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()), ("LDA", "QDA"), strict=True
    ):
        plots.decision_regions(model.fit(X, y).predict_proba, X, y, box=box, resolution=160, size=8, ax=ax)
        plots.level_line(lambda Z: distribution.posterior(Z)[:, 1], 0.5, box=box, dashes="--", ax=ax)
        ax.set(title=name)
        ax.get_legend().remove()
    axes[1].set(ylabel="")
    picture.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return picture


@figure(
    "discriminant-risk",
    alt="Two falling curves of the risk against the sample size. That of QDA starts higher, crosses that of "
    r"LDA and comes down to the Bayes risk, a horizontal line; that of LDA stays above it.",
    seed=12,
)
def estimation(rng: np.random.Generator) -> Figure:
    """Fewer parameters win early, the right model wins in the end: Example 1.1 of Recitation 7.

    Mean and middle 80 % of 100 training sets of each size, measured on 20,000 fixed observations. Every
    training set begins with four observations of each class, so that QDA can be fitted.
    """
    distribution, sizes = datasets.recitation_example(), np.array([10, 14, 20, 32, 50, 100, 200, 500, 1000])
    X_new, y_new = distribution.sample(20_000, rng)
    methods = {"LDA": LinearDiscriminantAnalysis, "QDA": QuadraticDiscriminantAnalysis}
    risks = {name: np.zeros((100, len(sizes))) for name in methods}
    for run in range(100):
        X, y = distribution.sample(sizes[-1], rng)
        start = np.concatenate([np.flatnonzero(y == k)[:4] for k in range(2)])  # enough rows of each class
        order = np.concatenate([start, np.setdiff1d(np.arange(len(y)), start)])
        for j, n in enumerate(sizes):
            rows = order[:n]
            for name, method in methods.items():
                answers = method().fit(X[rows], y[rows]).predict(X_new)
                risks[name][run, j] = np.mean(answers != y_new)
    picture, ax = plots.panels()
    for (name, runs), color, marker in zip(risks.items(), (BLUE, VERMILLION), ("o", "^"), strict=True):
        plots.risk_curve(sizes, runs, label=name, color=color, marker=marker, ax=ax)
    ax.axhline(
        distribution.bayes_risk(),
        color=GREY,
        linewidth=0.8,
        label=rf"$R^\star = {distribution.bayes_risk():.4f}$",
    )
    ax.legend(loc="upper right")
    ticks = [0.02, 0.03, 0.05, 0.1, 0.2]
    ax.set_yticks(ticks, [f"{risk:g}" for risk in ticks])
    ax.set_yticks([], minor=True)
    return picture


@figure(
    "discriminant-fisher",
    alt="Three separate clouds of points in a plane, cut into three regions by straight lines.",
)
def fisher() -> Figure:
    """Thirteen measurements of 178 wines in the two coordinates in which LDA decides.

    Both axes count within-class standard deviations; the regions are those of LDA on all thirteen features.
    """
    wine = datasets.load_wine()
    model = LinearDiscriminantAnalysis().fit(wine.X, wine.y)
    Z = model.transform(wine.X)
    plane = LinearDiscriminantAnalysis(priors=model.priors_).fit(Z, wine.y)
    picture, ax = plots.panels()
    names = [f"cultivar {k + 1}" for k in range(3)]
    plots.decision_regions(plane.predict_proba, Z, wine.y, names=names, resolution=200, ax=ax)
    ax.set(xlabel="first direction", ylabel="second direction")
    return picture
