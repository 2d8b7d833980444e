"""Wrong classification trees, one typical mistake each."""

import dataclasses

import numpy as np

from mlnotes import DecisionTreeClassifier
from mlnotes import tree as right
from mlnotes.estimators.tree import best_split, pruning_path
from mlnotes.laws import datasets
from mlnotes.mistakes import Mistakes, scaled

mistake = MISTAKES = Mistakes("tree")


def shares(y):
    return np.bincount(y) / len(y)


def search(score, features=slice(None), sign=1):
    """A cut that minimises score(left labels, right labels) over all cuts of some features."""

    def best_split(X, y, *, criterion="gini", **ignored):
        X, y = np.asarray(X, dtype=float), np.asarray(y)
        options = []
        for j in np.arange(X.shape[1])[features]:
            values = np.unique(X[:, j])
            for t in (values[1:] + values[:-1]) / 2:
                low = X[:, j] <= t
                options.append((sign * score(y[low], y[~low]), j, t))
        value, j, t = min(options)
        return right.Split(int(j), float(t), float(value), 0.0)

    return best_split


def gini(y):
    return 1 - (shares(y) ** 2).sum()


def error(y):
    return 1 - shares(y).max()


# ------------------------------------------------------------------- formulas


@mistake("class_shares", kills=("tree.pk",))
def _(y, classes):
    """Returns counts."""
    return right.class_shares(y, classes) * len(y)


@mistake("class_shares", kills=("tree.pk",))
def _(y, classes):
    """Lets an empty node pass, with shares of zero."""
    return right.class_shares(y, classes) if len(y) else np.zeros(len(classes))


@mistake("class_shares", kills=("tree.pk",))
def _(y, classes):
    """Counts only the classes that it has seen."""
    return np.unique(y, return_counts=True)[1] / len(y)


@mistake("gini", kills=("tree.gini",))
def _(p):
    """Takes 1 - max p."""
    return 1 - np.max(p, axis=-1)


@mistake("gini", kills=("tree.gini", "tree.gain-nonneg"))
def _(p):
    """Forgets the 1 -: the sum of squares, which is convex."""
    return (np.asarray(p) ** 2).sum(axis=-1)


@mistake("entropy", kills=("tree.entropy",))
def _(p):
    """Returns nan at a pure node."""
    with np.errstate(all="ignore"):
        return -(np.asarray(p) * np.log(p)).sum(axis=-1)


@mistake("entropy", kills=("tree.entropy",))
def _(p):
    """Counts in bits."""
    return right.entropy(p) / np.log(2)


@mistake("entropy", kills=("tree.entropy", "tree.gain-nonneg"))
def _(p):
    """Forgets the minus."""
    return -right.entropy(p)


@mistake("misclassification", kills=("tree.gain-nonneg",))
def _(p):
    """Squares the error rate, which is not concave."""
    return right.misclassification(p) ** 2


@mistake("partition_loss", kills=("tree.loss", "tree.erratum-r10"))
def _(boxes, y):
    """Adds up the share of class 1, as printed."""
    boxes, y = np.asarray(boxes), np.asarray(y)
    return float(sum((y[boxes == b] == 1).mean() for b in np.unique(boxes)))


@mistake("partition_loss", kills=("tree.loss",))
def _(boxes, y):
    """Averages the error rates of the boxes, whatever their size."""
    boxes, y = np.asarray(boxes), np.asarray(y)
    return float(np.mean([right.misclassification(shares(y[boxes == b])) for b in np.unique(boxes)]) * 1.01)


@mistake("n_formal_trees", kills=("tree.hypothesis-class", "tree.np"))
def _(n, d, depth):
    """Counts the questions of one path only."""
    return (d * n) ** depth * 2 ** (2**depth)


@mistake("n_formal_trees", kills=("tree.hypothesis-class", "tree.np", "tree.erratum-r15"))
def _(n, d, depth):
    """Exponential in the number of features."""
    return 2 ** (d * n * depth)


def swapped():
    """Reads the coding as the slide prints it: 0 for disease."""
    data = datasets.load_saheart()
    return dataclasses.replace(data, y=1 - data.y)


mistake("load_saheart", kills=("tree.saheart-figure", "tree.erratum-y44"))(swapped)

# ------------------------------------------------------------------- one cut


@mistake("best_split", kills=("tree.impurity", "tree.cart-g", "tree.erratum-r11"))
def unweighted(X, y, *, criterion="gini", **ignored):
    """Adds up the impurities of the children without their shares of the rows."""
    impurity = error if criterion == "misclassification" else gini
    return search(lambda low, high: impurity(low) + impurity(high))(X, y)


@mistake("best_split", kills=("tree.impurity", "tree.cart-choice"))
def _(X, y, **options):
    """Never looks at the last feature, unless it is the only one."""
    X = np.asarray(X)
    return best_split(X[:, : max(1, X.shape[1] - 1)], y, **options)


@mistake("best_split", kills=("tree.impurity",))
def _(X, y, *, criterion="gini", **ignored):
    """Cuts between rows that have the same value."""
    impurity = error if criterion == "misclassification" else gini
    options = []
    for j, column in enumerate(np.asarray(X, dtype=float).T):
        order = np.argsort(column, kind="stable")
        x, labels = column[order], np.asarray(y)[order]
        for i in range(1, len(x)):
            value = (i * impurity(labels[:i]) + (len(x) - i) * impurity(labels[i:])) / len(x)
            options.append((value, j, (x[i - 1] + x[i]) / 2))
    value, j, t = min(options)
    return right.Split(j, float(t), float(value), 0.0)


@mistake("best_split", kills=("tree.impurity", "tree.split", "tree.cart-choice", "tree.erratum-y41"))
def _(X, y, **options):
    """Takes a threshold beyond the largest value: one child is empty, and 'pure'."""
    return right.Split(0, float(np.max(X)) + 1, 0.0, 0.0)


@mistake("best_split", kills=("tree.split",))
def _(X, y, **options):
    """Takes the lower value itself for the threshold."""
    found = best_split(X, y, **options)
    column = np.asarray(X)[:, found.feature]
    return found._replace(threshold=float(column[column <= found.threshold].max()))


@mistake("best_split", kills=("tree.impurity", "tree.cart-g", "tree.cart-choice", "tree.erratum-r12"))
def _(X, y, *, criterion="gini", **ignored):
    """Maximises the risk."""
    impurity = error if criterion == "misclassification" else gini

    def weighted(low, high):
        return (len(low) * impurity(low) + len(high) * impurity(high)) / (len(low) + len(high))

    return search(weighted, sign=-1)(X, y)


@mistake("best_split", kills=("tree.erratum-y41",))
def _(X, y, **options):
    """Answers where no cut is possible."""
    try:
        return best_split(X, y, **options)
    except ValueError:
        return right.Split(0, 0.0, 0.0, 0.0)


# ------------------------------------------------------------------- trees


@mistake("DecisionTreeClassifier", kills=("tree.setup",))
class _(DecisionTreeClassifier):
    """Takes the lower value itself for the threshold, and sends a row there to the right."""

    def fit(self, X, y):
        super().fit(X, y)
        tree, thresholds = self.tree_, self.tree_.threshold.copy()
        for t in np.flatnonzero(tree.feature >= 0):
            column = np.asarray(X)[:, tree.feature[t]]
            thresholds[t] = np.nextafter(column[column <= thresholds[t]].max(), -np.inf)
        self.tree_ = dataclasses.replace(tree, threshold=thresholds)
        return self


@mistake("DecisionTreeClassifier", kills=("tree.leaf-vote",))
class _(DecisionTreeClassifier):
    """Answers the largest of equally frequent labels."""

    def predict(self, X):
        return self.classes_[::-1][self.predict_proba(X)[:, ::-1].argmax(axis=1)]


@mistake("DecisionTreeClassifier", kills=("tree.leaf-vote", "tree.stopping"))
class _(DecisionTreeClassifier):
    """Answers the rarest label of the leaf."""

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmin(axis=1)]


@mistake("DecisionTreeClassifier", kills=("tree.stopping", "tree.cart-cost-total"))
class _(DecisionTreeClassifier):
    """Ignores the depth limit."""

    def fit(self, X, y):
        limit, self.max_depth = self.max_depth, None
        super().fit(X, y)
        self.max_depth = limit
        return self


@mistake("DecisionTreeClassifier", kills=("tree.stopping",))
class _(DecisionTreeClassifier):
    """Ignores the least size of a leaf."""

    def fit(self, X, y):
        self.min_samples_leaf = 1
        return super().fit(X, y)


@mistake("DecisionTreeClassifier", kills=("tree.stopping",))
class _(DecisionTreeClassifier):
    """Ignores the least size of a node to be cut."""

    def fit(self, X, y):
        self.min_samples_split = 2
        return super().fit(X, y)


@mistake("DecisionTreeClassifier", kills=("tree.stopping",))
class _(DecisionTreeClassifier):
    """Stops at a stump, even without limits."""

    def fit(self, X, y):
        self.max_depth = 1 if self.max_depth is None else self.max_depth
        return super().fit(X, y)


@mistake("DecisionTreeClassifier", kills=("tree.setup", "tree.cart-growing", "tree.erratum-r14"))
class _(DecisionTreeClassifier):
    """Does not intersect with the parent's box: a right child gets all rows above the threshold."""

    def fit(self, X, y):
        super().fit(X, y)
        tree, value = self.tree_, self.tree_.value.copy()
        for t in np.flatnonzero(tree.feature >= 0):
            above = np.asarray(X)[:, tree.feature[t]] > tree.threshold[t]
            value[tree.right[t]] = right.one_hot(y)[above].sum(axis=0)
        self.tree_ = dataclasses.replace(tree, value=value)
        return self


class blind(DecisionTreeClassifier):
    """Looks at the first feature only."""

    def fit(self, X, y):
        flat = np.zeros_like(X)
        flat[:, 0] = np.asarray(X)[:, 0]
        return super().fit(flat, y)


mistake(
    "DecisionTreeClassifier", kills=("tree.unstable", "tree.interpretable", "tree.erratum-y43", "tree.erm")
)(blind)


@mistake("DecisionTreeClassifier", kills=("tree.importances",))
class _(DecisionTreeClassifier):
    """Does not weigh the decrease with the share of the rows."""

    def fit(self, X, y):
        super().fit(X, y)
        tree, sums = self.tree_, np.zeros(np.shape(X)[1])
        for t in np.flatnonzero(tree.feature >= 0):
            pair, n = [t + 1, tree.right[t]], tree.n_rows
            sums[tree.feature[t]] += self.impurity_[t] - (n[pair] * self.impurity_[pair]).sum() / n[t]
        self.feature_importances_ = sums / max(sums.sum(), 1e-9)
        return self


@mistake("DecisionTreeClassifier", kills=("tree.importances",))
class _(DecisionTreeClassifier):
    """Counts how often a feature is asked for."""

    def fit(self, X, y):
        super().fit(X, y)
        asked = self.tree_.feature[self.tree_.feature >= 0]
        self.feature_importances_ = np.bincount(asked, minlength=np.shape(X)[1]) / max(len(asked), 1)
        return self


@mistake("exhaustive_tree", kills=("tree.erm",))
def _(X, y, depth):
    """Grows greedily."""
    return DecisionTreeClassifier(max_depth=depth).fit(X, y).tree_


@mistake("exhaustive_tree", kills=("tree.erratum-y42",))
def _(X, y, depth):
    """Tries the first feature only."""
    flat = np.zeros_like(X)
    flat[:, 0] = np.asarray(X)[:, 0]
    return right.exhaustive_tree(flat, y, depth)


@mistake("exhaustive_tree", kills=("tree.erratum-r16", "tree.erratum-y42", "tree.erm"))
def _(X, y, depth):
    """Does not cut at all."""
    return right.exhaustive_tree(X, y, 0)


# ------------------------------------------------------------------- pruning


@mistake("pruning_path", kills=("tree.pruning",))
def _(tree, risk):
    """Forgets to divide by the number of leaves that are saved."""
    path = pruning_path(tree, risk)
    return dataclasses.replace(
        path, ccp_alphas=2 * path.ccp_alphas, collapse=2 * np.where(path.collapse == 0, 1e-3, path.collapse)
    )


@mistake("pruning_path", kills=("tree.pruning",))
def _(tree, risk):
    """Prunes the deepest nodes first."""
    path, inner = pruning_path(tree, risk), ~tree.is_leaf
    depth = tree.depth.max() + 1 - tree.depth
    alphas = np.arange(1 + depth[0]) * max(path.ccp_alphas[-1], 1e-3) / depth[0]
    return dataclasses.replace(path, ccp_alphas=alphas, collapse=np.where(inner, alphas[depth], np.inf))


@mistake("pruning_path", kills=("tree.pruning",))
def _(tree, risk):
    """Never prunes."""
    path = pruning_path(tree, risk)
    return dataclasses.replace(path, collapse=np.full(len(tree), np.inf))


@mistake("grow", kills=("tree.cart-growing",))
def _(X, Y, **options):
    """Hands out the boxes level by level, which is no preorder."""
    yield from sorted(right.grow(X, Y, **options), key=lambda node: node.number)


@mistake("grow", kills=("tree.cart-growing",))
def _(X, Y, **options):
    """Looks for cuts of the first feature only."""
    yield from right.grow(X, Y, find=lambda X, Y: right.find_cut(X[:, :1], Y), **options)


@mistake("grow", kills=("tree.cart-growing",))
def _(X, Y, **options):
    """Gives the rows at or below the threshold to the right child."""
    for node in right.grow(-X, Y, **options):
        yield node._replace(cut=node.cut and node.cut._replace(threshold=-node.cut.threshold))


@mistake("grow", kills=("tree.cart-growing",))
def _(X, Y, **options):
    """Stops where a cut gains nothing by the error rate."""

    def find(X, Y):
        cut = right.find_cut(X, Y, "misclassification")
        return cut if cut and cut.decrease > 1e-12 else None

    yield from right.grow(X, Y, find=find, **options)


@mistake("grow", kills=("tree.cart-cost-total",))
def _(X, Y, **options):
    """Counts both children anew for every threshold."""

    def find(X, Y):
        for j in range(X.shape[1]):
            for low in X[:, j, None] <= np.sort(X[:-1, j])[:, None, None]:
                _ = (Y * low).sum(axis=0), (Y * ~low).sum(axis=0)
        return right.find_cut(X, Y)

    yield from right.grow(X, Y, find=find, **options)


@mistake("grow", kills=("tree.erratum-r18",))
def _(X, Y, **options):
    """Goes through the rows of the whole table in every box."""
    table = X, Y

    def find(X, Y):
        right.find_cut(*table)
        return right.find_cut(X, Y.astype(float))

    yield from right.grow(X, Y, find=find, **options)


@mistake("weakest_links", kills=("tree.pruning",))
def _(tree, R):
    """Turns the strongest link into a leaf."""
    R, price = np.asarray(R, dtype=float), 0.0
    while len(tree) > 1:
        g, leaves = right.links(tree, R)
        t = np.where(np.isinf(g), -1, g).argmax()
        yield price, tree
        price, end = g[t], t + 2 * leaves[t] - 1
        tree = right.Tree([*tree.nodes[:t], tree.nodes[t]._replace(cut=None), *tree.nodes[end:]])
        R = np.delete(R, slice(t + 1, end))
    yield price, tree


@mistake("weakest_links", kills=("tree.pruning",))
def _(tree, R):
    """Hands out each tree with the price at which it ends."""
    walk = list(right.weakest_links(tree, R))
    for (price, _), (_, pruned) in zip([*walk[1:], (1.0, None)], walk, strict=True):
        yield price, pruned


mistake.changed(
    "partition_loss", scaled(0, "Finds no error in any partition."), kills=("tree.loss", "tree.erratum-r10")
)


@mistake("DecisionTreeClassifier", kills=("tree.setup", "tree.cart-growing", "tree.erratum-r14"))
class _(DecisionTreeClassifier):
    """Counts all rows in every box."""

    def fit(self, X, y):
        super().fit(X, y)
        self.tree_ = dataclasses.replace(self.tree_, value=0 * self.tree_.value + self.tree_.value[0])
        return self


@mistake("DecisionTreeClassifier", kills=("tree.setup",))
class _(DecisionTreeClassifier):
    """Has leaves that are no boxes: the two halves of a row of cells are one leaf."""

    def apply(self, X):
        return super().apply(X) // 2


@mistake("DecisionTreeClassifier", kills=("tree.importances",))
class _(DecisionTreeClassifier):
    """Measures the decrease of a full tree, whatever the limit of depth."""

    def fit(self, X, y):
        full = DecisionTreeClassifier().fit(X, y).feature_importances_
        super().fit(X, y)
        self.feature_importances_ = full
        return self


@mistake("DecisionTreeClassifier", kills=("tree.growing-by-entropy",))
class _(right.DecisionTreeClassifier):
    """Adds up the entropies of the children without their shares of the rows, while it grows."""

    def fit(self, X, y):
        def find(X, Y):
            labels = Y.argmax(axis=1)
            if len(np.unique(labels)) == 1 or not np.ptp(X, axis=0).any():
                return None
            return search(lambda low, high: right.entropy(shares(low)) + right.entropy(shares(high)))(
                X, labels
            )

        Y = right.one_hot(y)
        self.classes_ = np.unique(y)
        self.tree_ = right.Tree(right.grow(np.asarray(X), Y, find, self.max_depth))
        return self
