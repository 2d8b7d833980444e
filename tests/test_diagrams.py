"""The drawing of a tree shows every node, and refuses names that do not fit."""

import numpy as np
import pytest

from mlnotes import datasets
from mlnotes.estimators.tree import DecisionTreeClassifier
from mlnotes.show import diagrams, plots

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


def words(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_every_node_is_drawn():
    tree = DecisionTreeClassifier().fit(XOR, [0, 1, 1, 0]).tree_
    shown = words(diagrams.tree_diagram(tree, feature_names=("rain", "cold"), class_names=("no", "yes")))
    assert len(shown) == len(tree) == 7
    assert sorted(shown)[:2] == ["cold ≤ 0.5", "cold ≤ 0.5"]
    assert "rain ≤ 0.5" in shown
    assert sum("1 of 1" in text for text in shown) == 4


def test_default_names_and_a_given_axis():
    tree = DecisionTreeClassifier(max_depth=0).fit(XOR, [0, 1, 1, 1]).tree_
    figure, ax = plots.panels()
    assert diagrams.tree_diagram(tree, ax=ax) is figure
    assert words(figure) == ["1\n3 of 4"]


def test_leaves_do_not_overlap():
    data = datasets.load_saheart()
    tree = DecisionTreeClassifier(max_depth=3).fit(data.X, data.y).tree_
    ax = diagrams.tree_diagram(tree).axes[0]
    places = {tuple(np.round(text.get_position(), 6)) for text in ax.texts}
    assert len(places) == len(tree)


@pytest.mark.parametrize("names", [{"class_names": ("a",)}, {"feature_names": ("a",)}])
def test_names_must_fit(names):
    tree = DecisionTreeClassifier().fit(XOR, [0, 1, 1, 0]).tree_
    with pytest.raises(ValueError, match="the tree has 2 classes and uses feature 1, got"):
        diagrams.tree_diagram(tree, **names)
