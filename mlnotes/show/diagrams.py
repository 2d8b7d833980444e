"""Drawings of trees, in the style of `mlnotes.show.plots`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mlnotes.engines.tree_nodes import Tree
from mlnotes.estimators.base import check_fitted
from mlnotes.estimators.tree import DecisionTreeClassifier
from mlnotes.show.style import COLORS, GREY, MARKERS, panels


def tree_diagram(
    tree: Tree | Mapping[int, Any] | DecisionTreeClassifier,
    *,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draw a tree, the root on top: the test at each inner node, "yes" to the left.

    A leaf shows its class, and how many of its observations have this class, in the colour of the class.

    Parameters
    ----------
    tree : DecisionTreeClassifier, Tree or mapping of int to Node
        A fitted classifier, its ``tree_``, or the nodes of ``mlnotes.tree`` by their numbers; readable up to
        some twenty leaves.
    feature_names, class_names : sequence of str, optional
        By default those that a classifier was fitted with, or x0, x1, ... and 0, 1, ...
    ax : Axes, optional

    Returns
    -------
    Figure

    Raises
    ------
    ValueError
        If there are not as many names as classes, or too few names of features.
    """
    if isinstance(tree, DecisionTreeClassifier):
        check_fitted(tree)
        if class_names is None:
            class_names = [str(label) for label in tree.classes_]
        if feature_names is None:
            feature_names = getattr(tree, "feature_names_in_", None)
        tree = tree.tree_
    elif not isinstance(tree, Tree):
        tree = Tree.from_nodes(tree.values())
    K, d = tree.value.shape[1], int(tree.feature.max()) + 1
    names = [str(k) for k in range(K)] if class_names is None else list(class_names)
    features = [f"x{j}" for j in range(d)] if feature_names is None else list(feature_names)
    if len(names) != K or len(features) < d:
        raise ValueError(
            f"the tree has {K} classes and uses feature {d - 1}, got {len(names)} class_names and "
            f"{len(features)} feature_names."
        )
    ax = panels(width=7.2, height=3.6)[1] if ax is None else ax
    x, depth, winner = np.zeros(len(tree)), tree.depth, tree.value.argmax(axis=1)
    x[tree.is_leaf] = np.arange(tree.is_leaf.sum())
    for t in np.flatnonzero(~tree.is_leaf)[::-1]:
        x[t] = (x[t + 1] + x[tree.right[t]]) / 2
    for t in np.flatnonzero(~tree.is_leaf):
        for child in (t + 1, tree.right[t]):
            ax.plot([x[t], x[child]], [-depth[t], -depth[child]], color=GREY, linewidth=0.8, zorder=1)
        test = f"{features[tree.feature[t]]} \u2264 {tree.threshold[t]:.4g}"
        box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
        ax.text(x[t], -depth[t], test, ha="center", va="center", fontsize=8, bbox=box, zorder=3)
    for t in np.flatnonzero(tree.is_leaf):
        k = int(winner[t])
        ax.scatter(x[t], -depth[t], s=60, marker=MARKERS[k % len(MARKERS)], color=COLORS[k % len(COLORS)])
        words = f"{names[k]}\n{tree.value[t, k]:g} of {tree.value[t].sum():g}"
        ax.text(x[t], -depth[t] - 0.17, words, ha="center", va="top", fontsize=8)
    ax.set(xlim=(-0.7, x.max() + 0.7), ylim=(-depth.max() - 0.8, 0.3))
    ax.set_axis_off()
    return cast(Figure, ax.figure)
