"""Wrong classification trees, one typical mistake each."""

import dataclasses

import numpy as np

from mlnotes import DecisionTreeClassifier
from mlnotes import tree as right
from mlnotes.estimators.tree import best_split, choose_alpha, pruning_path
from mlnotes.laws import datasets
from mlnotes.mistakes import Change, Mistakes, negated, scaled

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


mistake.rows("class_shares",
    ("Returns counts.", "pk", lambda y, classes: right.class_shares(y, classes) * len(y)),
    ("Lets an empty node pass, with shares of zero.", "pk",
     lambda y, classes: right.class_shares(y, classes) if len(y) else np.zeros(len(classes))),
    ("Counts only the classes that it has seen.", "pk",
     lambda y, classes: np.unique(y, return_counts=True)[1] / len(y)),
)  # fmt: skip
mistake.rows("gini",
    ("Takes 1 - max p.", "gini", lambda p: 1 - np.max(p, axis=-1)),
    ("Forgets the 1 -: the sum of squares, which is convex.", "gini gain-nonneg",
     lambda p: (np.asarray(p) ** 2).sum(axis=-1)),
)  # fmt: skip


@mistake("entropy", kills="entropy")
def _(p):
    """Returns nan at a pure node."""
    with np.errstate(all="ignore"):
        return -(np.asarray(p) * np.log(p)).sum(axis=-1)


mistake.rows("entropy",
    ("Counts in bits.", "entropy", Change(lambda answer: answer / np.log(2))),
    ("Forgets the minus.", "entropy gain-nonneg", negated),
)  # fmt: skip
mistake.rows("misclassification", ("Squares the error rate, which is not concave.", "gain-nonneg",
    Change(lambda answer: answer**2)))  # fmt: skip


@mistake("partition_loss", kills="loss erratum-r10")
def _(boxes, y):
    """Adds up the share of class 1, as printed."""
    boxes, y = np.asarray(boxes), np.asarray(y)
    return float(sum((y[boxes == b] == 1).mean() for b in np.unique(boxes)))


@mistake("partition_loss", kills="loss")
def _(boxes, y):
    """Averages the error rates of the boxes, whatever their size."""
    boxes, y = np.asarray(boxes), np.asarray(y)
    return float(np.mean([right.misclassification(shares(y[boxes == b])) for b in np.unique(boxes)]) * 1.01)


mistake.rows("n_formal_trees",
    ("Counts the questions of one path only.", "hypothesis-class np",
     lambda n, d, depth: (d * n) ** depth * 2**2**depth),
    ("Exponential in the number of features.", "hypothesis-class np erratum-r15",
     lambda n, d, depth: 2 ** (d * n * depth)),
)  # fmt: skip


def swapped():
    """Reads the coding as the slide prints it: 0 for disease."""
    data = datasets.load_saheart()
    return dataclasses.replace(data, y=1 - data.y)


mistake("load_saheart", kills="saheart-figure erratum-y44")(swapped)

# ------------------------------------------------------------------- one cut


@mistake("best_split", kills="impurity cart-g erratum-r11")
def unweighted(X, y, *, criterion="gini", **ignored):
    """Adds up the impurities of the children without their shares of the rows."""
    impurity = error if criterion == "misclassification" else gini
    return search(lambda low, high: impurity(low) + impurity(high))(X, y)


@mistake("best_split", kills="impurity cart-choice")
def _(X, y, **options):
    """Never looks at the last feature, unless it is the only one."""
    X = np.asarray(X)
    return best_split(X[:, : max(1, X.shape[1] - 1)], y, **options)


@mistake("best_split", kills="impurity")
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


mistake.rows("best_split",
    ("Takes a threshold beyond the largest value: one child is empty, and 'pure'.",
     "impurity split cart-choice erratum-y41",
     lambda X, y, **options:
        right.Split(0, float(np.max(X)) + 1, 0.0, 0.0)),
)  # fmt: skip


@mistake("best_split", kills="split")
def _(X, y, **options):
    """Takes the lower value itself for the threshold."""
    cut = best_split(X, y, **options)
    column = np.asarray(X)[:, cut.feature]
    return cut._replace(threshold=float(column[column <= cut.threshold].max()))


@mistake("best_split", kills="impurity cart-g cart-choice erratum-r12")
def _(X, y, *, criterion="gini", **ignored):
    """Maximises the risk."""
    impurity = error if criterion == "misclassification" else gini

    def weighted(low, high):
        return (len(low) * impurity(low) + len(high) * impurity(high)) / (len(low) + len(high))

    return search(weighted, sign=-1)(X, y)


@mistake("best_split", kills="erratum-y41")
def _(X, y, **options):
    """Answers where no cut is possible."""
    try:
        return best_split(X, y, **options)
    except ValueError:
        return right.Split(0, 0.0, 0.0, 0.0)


# ------------------------------------------------------------------- trees


@mistake("DecisionTreeClassifier.fit", kills="setup")
def _(self, X, y):
    """Takes the lower value itself for the threshold, and sends a row there to the right."""
    DecisionTreeClassifier.fit(self, X, y)
    tree, thresholds = self.tree_, self.tree_.threshold.copy()
    for t in np.flatnonzero(tree.feature >= 0):
        column = np.asarray(X)[:, tree.feature[t]]
        thresholds[t] = np.nextafter(column[column <= thresholds[t]].max(), -np.inf)
    self.tree_ = dataclasses.replace(tree, threshold=thresholds)
    return self


mistake.rows("DecisionTreeClassifier.predict",
    ("Answers the largest of equally frequent labels.", "leaf-vote",
     lambda self, X: self.classes_[::-1][self.predict_proba(X)[:, ::-1].argmax(axis=1)]),
    ("Answers the rarest label of the leaf.", "leaf-vote stopping",
     lambda self, X: self.classes_[self.predict_proba(X).argmin(axis=1)]),
)  # fmt: skip


@mistake("DecisionTreeClassifier.fit", kills="stopping cart-cost-total")
def _(self, X, y):
    """Ignores the depth limit."""
    limit, self.max_depth = self.max_depth, None
    DecisionTreeClassifier.fit(self, X, y)
    self.max_depth = limit
    return self


@mistake("DecisionTreeClassifier.fit", kills="stopping")
def _(self, X, y):
    """Ignores the least size of a leaf."""
    self.min_samples_leaf = 1
    return DecisionTreeClassifier.fit(self, X, y)


@mistake("DecisionTreeClassifier.fit", kills="stopping")
def _(self, X, y):
    """Ignores the least size of a node to be cut."""
    self.min_samples_split = 2
    return DecisionTreeClassifier.fit(self, X, y)


@mistake("DecisionTreeClassifier.fit", kills="stopping")
def _(self, X, y):
    """Stops at a stump, even without limits."""
    self.max_depth = 1 if self.max_depth is None else self.max_depth
    return DecisionTreeClassifier.fit(self, X, y)


@mistake("DecisionTreeClassifier.fit", kills="setup cart-growing erratum-r14")
def _(self, X, y):
    """Does not intersect with the parent's box: a right child gets all rows above the threshold."""
    DecisionTreeClassifier.fit(self, X, y)
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


mistake("DecisionTreeClassifier", kills="unstable interpretable erratum-y43 erm")(blind)


@mistake("DecisionTreeClassifier.fit", kills="importances")
def _(self, X, y):
    """Does not weigh the decrease with the share of the rows."""
    DecisionTreeClassifier.fit(self, X, y)
    tree, sums = self.tree_, np.zeros(np.shape(X)[1])
    for t in np.flatnonzero(tree.feature >= 0):
        pair, n = [t + 1, tree.right[t]], tree.n_rows
        sums[tree.feature[t]] += self.impurity_[t] - (n[pair] * self.impurity_[pair]).sum() / n[t]
    self.feature_importances_ = sums / max(sums.sum(), 1e-9)
    return self


@mistake("DecisionTreeClassifier.fit", kills="importances")
def _(self, X, y):
    """Counts how often a feature is asked for."""
    DecisionTreeClassifier.fit(self, X, y)
    asked = self.tree_.feature[self.tree_.feature >= 0]
    self.feature_importances_ = np.bincount(asked, minlength=np.shape(X)[1]) / max(len(asked), 1)
    return self


@mistake("exhaustive_tree", kills="erratum-y42")
def _(X, y, depth):
    """Tries the first feature only."""
    flat = np.zeros_like(X)
    flat[:, 0] = np.asarray(X)[:, 0]
    return right.exhaustive_tree(flat, y, depth)


mistake.rows("exhaustive_tree",
    ("Grows greedily.", "erm", lambda X, y, depth: DecisionTreeClassifier(max_depth=depth).fit(X, y).tree_),
    ("Does not cut at all.", "erratum-r16 erratum-y42 erm",
     lambda X, y, depth: right.exhaustive_tree(X, y, 0)),
)  # fmt: skip


# ------------------------------------------------------------------- pruning


@mistake("pruning_path", kills="pruning")
def _(tree, risk):
    """Forgets to divide by the number of leaves that are saved."""
    path = pruning_path(tree, risk)
    return dataclasses.replace(
        path, ccp_alphas=2 * path.ccp_alphas, collapse=2 * np.where(path.collapse == 0, 1e-3, path.collapse)
    )


@mistake("pruning_path", kills="pruning")
def _(tree, risk):
    """Prunes the deepest nodes first."""
    path, inner = pruning_path(tree, risk), ~tree.is_leaf
    depth = tree.depth.max() + 1 - tree.depth
    alphas = np.arange(1 + depth[0]) * max(path.ccp_alphas[-1], 1e-3) / depth[0]
    return dataclasses.replace(path, ccp_alphas=alphas, collapse=np.where(inner, alphas[depth], np.inf))


mistake.rows("pruning_path",
    ("Never prunes.", "pruning",
     lambda tree, risk: dataclasses.replace(pruning_path(tree, risk), collapse=np.full(len(tree), np.inf))),
)  # fmt: skip


@mistake("grow", kills="cart-growing")
def _(X, Y, **options):
    """Hands out the boxes level by level, which is no preorder."""
    yield from sorted(right.grow(X, Y, **options), key=lambda node: node.number)


@mistake("grow", kills="cart-growing")
def _(X, Y, **options):
    """Looks for cuts of the first feature only."""
    yield from right.grow(X, Y, find=lambda X, Y: right.find_cut(X[:, :1], Y), **options)


@mistake("grow", kills="cart-growing")
def _(X, Y, **options):
    """Gives the rows at or below the threshold to the right child."""
    for node in right.grow(-X, Y, **options):
        yield node._replace(cut=node.cut and node.cut._replace(threshold=-node.cut.threshold))


@mistake("grow", kills="cart-growing")
def _(X, Y, **options):
    """Stops where a cut gains nothing by the error rate."""

    def find(X, Y):
        cut = right.find_cut(X, Y, "misclassification")
        return cut if cut and cut.decrease > 1e-12 else None

    yield from right.grow(X, Y, find=find, **options)


@mistake("grow", kills="cart-cost-total")
def _(X, Y, **options):
    """Counts both children anew for every threshold."""

    def find(X, Y):
        for j in range(X.shape[1]):
            for low in X[:, j] <= np.sort(X[:-1, j])[:, None]:
                _ = Y[low].sum(axis=0), Y[~low].sum(axis=0)
        return right.find_cut(X, Y)

    yield from right.grow(X, Y, find=find, **options)


@mistake("grow", kills="erratum-r18")
def _(X, Y, **options):
    """Goes through the rows of the whole table in every box."""
    table = X, Y

    def find(X, Y):
        right.find_cut(*table)
        return right.find_cut(X, Y.astype(float))

    yield from right.grow(X, Y, find=find, **options)


@mistake("weakest_links", kills="pruning")
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


@mistake("weakest_links", kills="pruning")
def _(tree, R):
    """Hands out each tree with the price at which it ends."""
    walk = list(right.weakest_links(tree, R))
    for (price, _), (_, pruned) in zip([*walk[1:], (1.0, None)], walk, strict=True):
        yield price, pruned


mistake.rows("partition_loss", ("Finds no error in any partition.", "loss erratum-r10", scaled(0)))


@mistake("DecisionTreeClassifier.fit", kills="setup cart-growing erratum-r14")
def _(self, X, y):
    """Counts all rows in every box."""
    DecisionTreeClassifier.fit(self, X, y)
    self.tree_ = dataclasses.replace(self.tree_, value=0 * self.tree_.value + self.tree_.value[0])
    return self


mistake.rows("DecisionTreeClassifier.apply",
    ("Has leaves that are no boxes: the two halves of a row of cells are one leaf.", "setup",
     Change(lambda answer: answer // 2)),
)  # fmt: skip


@mistake("choose_alpha", kills="price")
def _(model, X, y, folds):
    """Counts the errors on the rows that the trees of the folds grew from."""
    return choose_alpha(model, X, y, [(rows, rows) for rows, _ in folds])


@mistake("DecisionTreeClassifier.fit", kills="importances")
def _(self, X, y):
    """Measures the decrease of a full tree, whatever the limit of depth."""
    full = DecisionTreeClassifier().fit(X, y).feature_importances_
    DecisionTreeClassifier.fit(self, X, y)
    self.feature_importances_ = full
    return self


@mistake("DecisionTreeClassifier", kills="growing-by-entropy")
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
