"""The estimators of trees in the language of ``mlnotes.tree``: a tree is a dictionary {number: node}."""

from mlnotes.engines.tree_nodes import Tree
from mlnotes.estimators.tree import DecisionTreeClassifier, pruning_path
from mlnotes.tree import Node, Split


def as_dictionary(tree):
    """Return the nodes of a tree of arrays by their numbers."""
    number = {0: 1}
    nodes = {}
    for t, feature in enumerate(tree.feature.tolist()):
        split = None
        if feature >= 0:
            number[t + 1] = 2 * number[t]
            number[int(tree.right[t])] = 2 * number[t] + 1
            split = Split(feature, float(tree.threshold[t]), None)
        nodes[number[t]] = Node(number[t], range(tree.n_rows[t]), tree.value[t], split)
    return nodes


def best_split(X, Y, criterion="gini", min_samples_leaf=1):
    options = {"criterion": criterion, "max_depth": 1, "min_samples_leaf": min_samples_leaf}
    model = DecisionTreeClassifier(**options).fit(X, Y.argmax(axis=1))
    tree = model.tree_
    if len(tree) == 1:
        return None
    impurity = float(tree.n_rows[1:] @ model.impurity_[1:] / len(X))
    return Split(int(tree.feature[0]), float(tree.threshold[0]), impurity)


def _path(tree, R):
    preorder = sorted(tree, key=bin)
    return pruning_path(Tree.from_nodes(tree.values()), [R[t] for t in preorder])


def weakest_links(tree, R):
    path = _path(tree, R)
    return ((alpha, as_dictionary(path.subtree(alpha))) for alpha in path.ccp_alphas.tolist())


def prune(tree, R, alpha):
    return as_dictionary(_path(tree, R).subtree(alpha))
