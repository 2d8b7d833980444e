"""Figures of lecture 12: a tree of real data, partitions as they grow, what greed and chance do, pruning.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from mlnotes import DecisionTreeClassifier, datasets
from mlnotes.estimators import evaluation
from mlnotes.show import diagrams, models, plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLUE, GREEN, VERMILLION
from mlnotes.tree import best_tree, entropy, gini, misclassification, one_hot, predict


@figure(
    "tree-saheart",
    alt="A tree of tests on age, family history, tobacco and cholesterol, whose leaves say "
    "healthy or ill and how many of how many men.",
)
def saheart() -> Figure:
    """South African heart disease, 462 men: a tree of depth 3 with at least 20 men in a leaf.

    "Yes" goes to the left. 160 of the men are ill, which the public table codes as 1.
    """
    data = datasets.load_saheart()
    model = DecisionTreeClassifier(max_depth=3, min_samples_leaf=20).fit(data.X, data.y)
    picture, ax = plots.panels(width=7.2, height=3.6)
    diagrams.tree_diagram(
        model.tree_, feature_names=data.feature_names, class_names=("healthy", "ill"), ax=ax
    )
    return picture


@figure(
    "tree-impurity",
    alt="Three concave curves over p from 0 to 1, all zero at both ends and highest at one half: entropy on "
    "top, then Gini, then the error rate, which consists of two straight lines.",
)
def impurities() -> Figure:
    """Impurity of a node with two classes, scaled to the same height.

    Entropy and Gini are strictly concave, so that each split that changes the proportions gains
    something; the error rate is straight on either side of one half, and many splits gain nothing.
    """
    p = np.linspace(0, 1, 201)
    proportions = np.column_stack([p, 1 - p])
    picture, ax = plots.panels()
    for gamma, name, color, dashes in (
        (entropy, "entropy", BLUE, "-"),
        (gini, "Gini", VERMILLION, "--"),
        (misclassification, "error rate", GREEN, ":"),
    ):
        ax.plot(
            p, gamma(proportions) / gamma(np.array([0.5, 0.5])), color=color, linestyle=dashes, label=name
        )
    ax.set(xlabel="proportion $p$ of class 1", ylabel=r"$\gamma(p)\,/\,\gamma(1/2)$")
    ax.legend(loc="lower center")
    return picture


BOX = (-4.0, 4.0, -4.0, 4.0)


def _diagonal() -> datasets.GaussianClasses:
    """Return two classes that overlap and whose Bayes boundary is a diagonal, which no tree can draw."""
    return datasets.GaussianClasses([0.5, 0.5], [[-0.8, -0.8], [0.8, 0.8]], [np.eye(2), np.eye(2)])


@figure(
    "tree-partition",
    alt="Four panels with the same two clouds of points. From left to right the plane is split into two, "
    "four and more rectangles; in the last one small rectangles surround single points.",
    seed=21,
)
def partition(rng: np.random.Generator) -> Figure:
    """Grow a tree: depth 1, 2, 4, and until every leaf is pure, on 200 observations.

    Dashed: the Bayes boundary of the distribution, a diagonal that no tree can draw. Without a limit the
    tree makes no training error and draws islands.
    """
    distribution = _diagonal()
    X, y = distribution.sample(200, rng)
    picture, axes = plots.panels(1, 4, height=2.4, sharex=True, sharey=True)
    for ax, depth in zip(axes, (1, 2, 4, None), strict=True):
        model = DecisionTreeClassifier(max_depth=depth).fit(X, y)
        plots.decision_regions(model.predict_proba, X, y, box=BOX, resolution=200, size=5, ax=ax)
        plots.level_line(lambda Z: distribution.posterior(Z)[:, 1], 0.5, box=BOX, dashes="--", ax=ax)
        ax.get_legend().remove()
        ax.set(title=f"{model.tree_.is_leaf.sum()} leaves", ylabel="" if ax is not axes[0] else "$x_2$")
    picture.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return picture


@figure(
    "tree-instability",
    alt="Four panels with different rectangles, from trees on four resamples of the same points.",
    seed=22,
)
def instability(rng: np.random.Generator) -> Figure:
    """Trees of depth 3 on four bootstrap resamples of the same 100 observations, as in the figure before.

    The points that were drawn are shown. The splits, and the boxes, differ from panel to panel.
    """
    distribution = _diagonal()
    X, y = distribution.sample(100, rng)
    picture, axes = plots.panels(1, 4, height=2.4, sharex=True, sharey=True)
    for ax in axes:
        rows = rng.integers(0, 100, 100)
        model = DecisionTreeClassifier(max_depth=3).fit(X[rows], y[rows])
        plots.decision_regions(model.predict_proba, X[rows], y[rows], box=BOX, resolution=200, size=5, ax=ax)
        ax.get_legend().remove()
        t = model.tree_
        ax.set(title=f"$x_{t.feature[0] + 1} \\leq {t.threshold[0]:.1f}$ first")
        ax.set(ylabel="" if ax is not axes[0] else "$x_2$")
    picture.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return picture


@figure(
    "tree-greed",
    alt="Two panels with a checkerboard of two by two clouds. Left one split isolates a few points at the "
    "edge and two of the clouds stay wrong; right two splits separate all four clouds.",
    seed=23,
)
def greed(rng: np.random.Generator) -> Figure:
    """Split an XOR of 120 observations: CART of depth 2 (left) and the best of all trees of depth 2 (right).

    No first split gains much, so that greed takes one near the edge, where chance helps; the best tree splits
    in the middle, which gains nothing at first.
    """
    X = rng.uniform(-1, 1, (120, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(np.int64)
    best = best_tree(X, one_hot(y), 2)
    rules = {
        "CART": DecisionTreeClassifier(max_depth=2).fit(X, y).predict,
        "best tree": lambda Z: predict(best, Z),
    }
    picture, axes = plots.panels(1, 2, height=3.2, sharex=True, sharey=True)
    for ax, (name, rule) in zip(axes, rules.items(), strict=True):
        plots.decision_regions(rule, X, y, box=(-1, 1, -1, 1), resolution=200, size=8, ax=ax)
        ax.get_legend().remove()
        ax.set(title=f"{name}: {np.mean(rule(X) != y):.0%} training errors")
    axes[1].set(ylabel="")
    return picture


@figure(
    "tree-pruning",
    alt="Two curves of the error against the number of leaves. The training error falls to zero; the "
    "cross-validated error falls, is lowest at a handful of leaves, and rises slowly. A marker stands at the "
    "simplest tree within one standard error.",
    seed=24,
)
def pruning(rng: np.random.Generator) -> Figure:
    """Follow the pruning path of South African heart disease: error against the number of leaves.

    Grey bars: one standard error over ten folds. Triangle: the smallest tree within one standard error of the
    least cross-validated error.
    """
    data = datasets.load_saheart()
    folds = evaluation.k_folds(len(data.y), 10, rng=rng, stratify=data.y)
    return models.pruning_path(DecisionTreeClassifier(), data.X, data.y, folds=folds)
