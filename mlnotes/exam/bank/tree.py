"""Lecture 12: trees."""

from __future__ import annotations

import numpy as np

from mlnotes import tree
from mlnotes.exam.bank.draws import between, several
from mlnotes.exam.questions import question


@question("tree", "2")
def gini_fall(rng):
    r"""A node has «left0» observations of class 0 and «left1» of class 1 that a split sends left, and
    «right0» and «right1» that it sends right. By how much does the Gini impurity decrease?

    The node has $«whole»$, its children $«g1»$ and $«g2»$; these are weighted by their sizes.

    Takes the plain mean of the children."""
    (left, right) = rng.integers(1, 30, (2, 2))
    node = tree.gini(tree.proportions(left + right))
    children = tree.gini(tree.proportions(np.array([left, right])))
    values = dict(zip(("left0", "left1", "right0", "right1"), (*left, *right), strict=True))
    values |= {"whole": node, "g1": children[0], "g2": children[1]}
    answer = node - tree.children_impurity(left, right)
    return {**values, "answer": answer, "slip": node - children.mean()}


@question("tree", "2")
def best_threshold(rng):
    r"""A feature has the values $«x»$ and the labels are $«y»$. At which threshold, a midpoint of neighbours,
    is the Gini impurity of the children smallest?

    The weighted impurities of the splits, from the left, are $«impurities»$.

    The split with the fewest errors."""
    x, y = np.sort(several(rng, 7, 1, 40)), rng.permutation([0, 0, 0, 1, 1, 1, 1])
    Y = tree.one_hot(y)
    thresholds, left, right = tree.candidate_splits(x, Y)
    impurities = tree.children_impurity(left, right)
    errors = tree.children_impurity(left, right, tree.misclassification)
    best = tree.best_split(x[:, None], Y).threshold
    if np.sort(impurities)[1] < impurities.min() + 1e-9:  # two best splits
        best = np.nan
    return {"x": x, "y": y, "impurities": impurities, "answer": best, "slip": thresholds[errors.argmin()]}


@question("tree", "6")
def weakest_link(rng):
    r"""A tree was grown on «n» observations. As a leaf a node would make «errors» errors; the branch below it
    has three leaves with «e1», «e2» and «e3» errors. From which $\alpha$ on is it best to collapse the branch
    to the node? (Risks are proportions of the «n» observations.)

    $g(t) = (R(t) - R(T_t)) / (\left| T_t \right| - 1)$ with $R(t) - R(T_t) = «fall» / «n»$.

    Divides by the number of leaves, not one less."""
    n, leaves = between(rng, 40, 200, 10), rng.integers(0, 8, 3)
    errors = leaves.sum() + between(rng, 2, 20)
    split = tree.Split(0, 0.0, None)
    splits = {1: split, 2: None, 3: split, 6: None, 7: None}
    grown = {t: tree.Node(t, [], None, split) for t, split in splits.items()}
    R = dict(zip(grown, np.array([errors, leaves[0], leaves[1:].sum(), *leaves[1:]]) / n, strict=True))
    answer, fall = tree.links(grown, R)[1], errors - leaves.sum()
    values = {"n": n, "errors": errors, "e1": leaves[0], "e2": leaves[1], "e3": leaves[2], "fall": fall}
    return {**values, "answer": answer, "slip": fall / n / 3}
