"""Trees on small awkward data: ties, duplicates, constants, neighbouring floats, weights of any size.

Every node of a fitted tree is compared with all splits of its observations, computed one by one in exact
fractions (entropy in floats). Equal splits must be told from different ones: those of at most 36 observations
differ by more than 1e-9, or not at all, or by the tiny weight of an observation.
"""

import contextlib
import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import DecisionTreeClassifier
from mlnotes import tree as reference
from mlnotes.claims.adapters.tree import as_dictionary
from mlnotes.engines import tree_growing, tree_nodes
from mlnotes.estimators.tree import CRITERIA, pruning_path

MANY = settings(derandomize=True, deadline=None, max_examples=100)
ONE = np.nextafter(1, 2)
PALETTES = (
    np.arange(20.0),
    np.arange(20.0),
    [0.0, 1.0, 2.0, 3.0, 4.0],
    [7.0],
    [1.0, ONE, np.nextafter(ONE, 2)],  # the midpoint of the last two rounds up
    [0.0, 5e-324, 1e-323, -5e-324, -0.0],
    [np.finfo(float).max, np.nextafter(np.finfo(float).max, 0), -np.finfo(float).max],
)  # fmt: skip
# of a weight: 36 * 21 needs more than 8 bits, 36 * 30,000 more than 16, and its square more than 32
UNITS = (1, 1, 21, 30_000, 0.25, 0.1, 2.0**-200)


@contextlib.contextmanager
def small_blocks(draw):
    """Blocks of three entries, or as they are."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((tree_growing, "BLOCK"), (tree_nodes, "PAIRS"), (tree_nodes, "ENTRIES")):
            patch.setattr(module, name, draw(st.sampled_from([3, getattr(module, name)])))
        yield


@st.composite
def samples(draw, least=1, weighted=True):
    """X, y, w with n <= 12, d <= 3, K <= 9, and weights of at most 3 units, some of them 0, or any."""
    n, d = draw(st.integers(least, 12)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = np.column_stack([rng.choice(draw(st.sampled_from(PALETTES)), n) for _ in range(d)])
    X = X[rng.integers(0, n, n)] if draw(st.booleans()) else X
    if draw(st.integers(0, 3)) == 0:  # two features that split alike, or nearly
        X[:, -1] = X[:, 0]
        X[rng.integers(n), -1] = X[rng.integers(n), 0]
    y = rng.integers(0, draw(st.sampled_from([1, 2, 2, 3, 4, 9])), n)
    w = rng.integers(0, 4, n) if weighted and draw(st.booleans()) else np.ones(n, dtype=int)
    w[rng.integers(n)] = 1
    if not weighted:
        return X, y, w
    unit = draw(st.sampled_from((*UNITS, None)))  # None: weights without a unit
    return X, y, np.where(w > 0, rng.uniform(0.1, 1, n), 0.0) if unit is None else w * unit


def options(draw):
    return {
        "criterion": draw(st.sampled_from([*CRITERIA, reference.entropy, cubes])),
        "max_depth": draw(st.sampled_from([None, 0, 1, 2, 3])),
        "min_samples_split": draw(st.integers(2, 4)),
        "min_samples_leaf": draw(st.integers(1, 3)),
    }


def cubes(p):
    """Another impurity: the probability that three draws are not all equal."""
    return 1 - (p**3).sum(axis=-1)


def impurity(counts, criterion):
    """Return the impurity of class weights in fractions, of the entropy in floats."""
    p = [c / sum(counts) for c in counts]
    if criterion in ("entropy", reference.entropy):
        return Fraction(float(reference.entropy(np.array([float(q) for q in p]))))
    exact = {"gini": 1 - sum(q * q for q in p), "misclassification": 1 - max(p)}
    return exact.get(criterion, 1 - sum(q**3 for q in p))


def midpoint(low, high):
    middle = low / 2 + high / 2
    return middle if middle < high else low


def all_splits(X, counts, criterion, min_samples_leaf):
    """Yield (impurity, feature, threshold) of all splits; counts (n, K) are fractions."""
    for j, x in enumerate(X.T):
        for low, high in itertools.pairwise(np.unique(x)):
            left = x <= low
            if min(left.sum(), (~left).sum()) >= min_samples_leaf:
                sides = [[sum(column) for column in counts[side].T] for side in (left, ~left)]
                total = sum(sum(side) * impurity(side, criterion) for side in sides)
                yield total / counts.sum(), j, midpoint(low, high)


def first_best(splits):
    best = min(value for value, _, _ in splits)
    return next(split for split in splits if split[0] <= best + Fraction(1, 10**11))


def check_tree(model, X, y, w, candidates=None):
    """Compare each node of a fitted tree with all splits of its observations."""
    X, y, w = X[w > 0], y[w > 0], w[w > 0]
    counts = (y[:, None] == model.classes_) * np.array([[Fraction(float(a))] for a in w])
    tree, limits = model.tree_, model.get_params()
    boxes, seen = [(0, np.arange(len(X)), 0)], []
    while boxes:
        t, rows, depth = boxes.pop()
        seen.append(t)
        total = counts[rows].sum(axis=0)
        np.testing.assert_allclose(tree.value[t], total.astype(float), rtol=1e-14)
        assert (tree.n_rows[t], tree.depth[t]) == (len(rows), depth)
        np.testing.assert_allclose(
            model.impurity_[t], float(impurity(total, limits["criterion"])), atol=1e-14
        )
        allowed = limits["max_depth"] is None or depth < limits["max_depth"]
        allowed &= len(rows) >= limits["min_samples_split"] and (total > 0).sum() > 1
        splits = [*all_splits(X[rows], counts[rows], limits["criterion"], limits["min_samples_leaf"])]
        if not (splits and allowed):
            assert tree.is_leaf[t]
            assert (tree.feature[t], tree.threshold[t], tree.left[t], tree.right[t]) == (-1, 0, -1, -1)
            continue
        j, s = int(tree.feature[t]), float(tree.threshold[t])
        if candidates is None:
            assert (j, s) == first_best(splits)[1:]
        else:  # the best of the candidates: at most d - q features are better
            of_features = [[split for split in splits if split[1] == i] for i in range(X.shape[1])]
            best = [first_best(own)[0] if own else None for own in of_features]
            assert s == first_best(of_features[j])[2]
            slack = [Fraction(-1 if i >= j else 1, 10**11) for i in range(len(best))]
            ahead = [v is not None and v < best[j] + e for v, e in zip(best, slack, strict=True)]
            assert sum(ahead) <= X.shape[1] - candidates
        left = X[rows, j] <= s
        assert (tree.left[t], tree.parent[tree.left[t]], tree.parent[tree.right[t]]) == (t + 1, t, t)
        boxes += [(tree.right[t], rows[~left], depth + 1), (tree.left[t], rows[left], depth + 1)]
    assert seen == list(range(len(tree)))  # preorder


def points(X):
    """The observations, and points between and beside them."""
    Z = np.vstack([X, X[::-1] / 2 + X / 2, np.nextafter(X, np.inf), np.nextafter(X, -np.inf)])[:40]
    return np.clip(Z, -np.finfo(float).max, np.finfo(float).max)


@MANY
@given(st.data(), samples())
def test_every_node_has_the_first_of_the_best_splits(data, sample):
    X, y, w = sample
    if data.draw(st.booleans()):  # of many sizes: differences of their sums cancel
        sizes = st.lists(st.sampled_from([1, 1e-20, 1e-40]), min_size=len(w), max_size=len(w))
        w = w * np.array(data.draw(sizes))
    with small_blocks(data.draw), np.errstate(over="ignore"):
        model = DecisionTreeClassifier(**options(data.draw)).fit(X, y, w)
        check_tree(model, X, y, w)
        Z = points(X)
        leaves = model.apply(Z)
        predicted = model.predict_proba(Z)
        labels = model.predict(Z)
    tree = as_dictionary(model.tree_)
    number = dict(enumerate(tree))
    reached = np.zeros(len(Z), dtype=int)
    for leaf, rows in reference.find_leaves(tree, Z):
        reached[rows] = leaf.number
    assert [number[t] for t in leaves] == reached.tolist()
    truth = np.array([tree[t].counts / tree[t].counts.sum() for t in reached.tolist()])
    np.testing.assert_allclose(predicted, truth, atol=1e-14)
    assert labels.tolist() == model.classes_[predicted.argmax(axis=1)].tolist()


@MANY
@given(st.data(), samples(least=4))
def test_a_split_is_the_best_of_the_features_that_were_drawn(data, sample):
    X, y, w = sample
    q = data.draw(st.integers(1, X.shape[1]))
    model = DecisionTreeClassifier(max_features=q, random_state=data.draw(st.integers(0, 99)))
    with small_blocks(data.draw), np.errstate(over="ignore"):
        check_tree(model.fit(X, y, w), X, y, w, candidates=q)


@MANY
@given(st.data(), st.lists(st.integers(0, 3), min_size=2, max_size=6), st.sampled_from(list(CRITERIA)))
def test_of_mirrored_splits_the_lower_one_of_the_first_feature_wins(data, half, criterion):
    """Labels that read the same from both ends: each split has a mirror image, and each feature has one."""
    x, y = np.arange(2.0 * len(half)), np.array(half + half[::-1])
    unit = data.draw(st.sampled_from(UNITS))
    w = y % 3 * unit + unit if data.draw(st.booleans()) else np.full(len(y), unit)
    with small_blocks(data.draw):
        model = DecisionTreeClassifier(criterion=criterion, max_depth=1)
        stump = model.fit(np.column_stack([x, -x]), y, w).tree_
    if len(set(half)) > 1:
        assert stump.feature[0] == 0
        assert stump.threshold[0] <= x.mean()


@MANY
@given(st.data(), samples())
def test_importances_are_fractions_of_the_decrease_of_the_risk(data, sample):
    X, y, w = sample
    with small_blocks(data.draw), np.errstate(over="ignore"):
        model = DecisionTreeClassifier(**options(data.draw)).fit(X, y, w)
    tree = model.tree_
    risk = tree.value.sum(axis=1) / tree.value[0].sum() * model.impurity_
    decrease = np.zeros(X.shape[1])
    for t in np.flatnonzero(~tree.is_leaf):
        gain = risk[t] - risk[tree.left[t]] - risk[tree.right[t]]
        decrease[tree.feature[t]] += gain * (gain > 2e-12 * tree.value[t].sum() / tree.value[0].sum())
    total = decrease.sum() or 1.0
    np.testing.assert_allclose(model.feature_importances_, decrease / total, atol=1e-13 / total)


# --- pruning


def check_path(path, tree, R):
    """Compare a path with the weakest links of the reference module; R is the risk of each node."""
    nodes = as_dictionary(tree)
    alphas, trees = zip(*reference.weakest_links(nodes, dict(zip(nodes, R, strict=True))), strict=True)
    np.testing.assert_allclose(path.ccp_alphas, alphas, atol=1e-13)
    leaves = [[t for t, node in pruned.items() if node.split is None] for pruned in trees]
    assert path.n_leaves.tolist() == [len(of_tree) for of_tree in leaves]
    place = {t: i for i, t in enumerate(nodes)}
    risks = [sum(R[place[t]] for t in of_tree) for of_tree in leaves]
    np.testing.assert_allclose(path.impurities, risks, atol=1e-13)
    for alpha, above, pruned in zip(path.ccp_alphas, [*alphas[1:], alphas[-1] + 1], trees, strict=True):
        for a in (alpha, (alpha + above) / 2):
            subtree = as_dictionary(path.subtree(a))
            assert {t: node.split for t, node in subtree.items()} == {t: n.split for t, n in pruned.items()}
            assert {t: len(n.rows) for t, n in subtree.items()} == {t: len(n.rows) for t, n in pruned.items()}
    for t, node in nodes.items():  # from which alpha on no tree splits this box
        if node.split:
            splits = [t in pruned and pruned[t].split is not None for pruned in trees]
            assert path.collapse[place[t]] == path.ccp_alphas[splits.index(False)]
        else:
            assert path.collapse[place[t]] == np.inf


@MANY
@given(st.data(), samples())
def test_the_weakest_links_of_a_fitted_tree(data, sample):
    X, y, w = sample
    model = DecisionTreeClassifier(**options(data.draw))
    with np.errstate(over="ignore"):
        path = model.cost_complexity_pruning_path(X, y, w)
        model.fit(X, y, w)
    tree = model.tree_
    check_path(path, tree, tree.value.sum(axis=1) / tree.value[0].sum() * model.impurity_)
    alpha = data.draw(st.sampled_from(path.ccp_alphas.tolist()))
    with np.errstate(over="ignore"):
        pruned = model.set_params(ccp_alpha=alpha).fit(X, y, w).tree_
    expected = path.subtree(alpha) if alpha > 0 else tree
    assert pruned.feature.tolist() == expected.feature.tolist()
    assert pruned.value.tolist() == expected.value.tolist()


@MANY
@given(st.data(), st.integers(4, 16), st.integers(0, 2**20))
def test_the_weakest_links_of_any_risks(data, n, seed):
    """The risk of a node is that of its children and a gain, which is often the same as others, or zero."""
    rng = np.random.default_rng(seed)
    tree = DecisionTreeClassifier().fit(rng.permutation(n)[:, None], rng.integers(0, 2, n)).tree_
    gains = rng.choice(data.draw(st.sampled_from([[0, 1], [0, 1, 2, 5], [3]])), len(tree)) / 64
    gains[tree.is_leaf] *= data.draw(st.integers(0, 1))  # leaves without any risk
    R = np.zeros(len(tree))
    for t in range(len(R))[::-1]:
        R[t] = gains[t] + (0.0 if tree.is_leaf[t] else R[tree.left[t]] + R[tree.right[t]])
    check_path(pruning_path(tree, R), tree, R)


def test_links_that_are_equal_on_paper_collapse_together():
    split = reference.Split(0, 0.0, None)
    nodes = [reference.Node(t, [0], [1], split if t < 4 else None) for t in (1, 2, 4, 5, 3, 6, 7)]
    path = pruning_path(tree_nodes.Tree.from_nodes(nodes), [5, 0.3, 0, 0, 0.1 + 0.2, 0, 0])
    assert path.n_leaves.tolist() == [4, 2, 1]
    np.testing.assert_allclose(path.ccp_alphas, [0, 0.3, 4.4], rtol=1e-14)


# --- many observations


def test_almost_equal_splits_differ_where_observations_are_counted():
    # 793 on the left with 372 of the 1,200 ones, or 1,247 with 560: the second is better by 4e-13
    y = np.repeat([1, 0], [1200, 1801])
    X = np.ones((3001, 2))
    for j, (left, ones) in enumerate(((793, 372), (1247, 560))):
        X[:ones, j] = X[1200 : 1200 + left - ones, j] = 0
    for columns, best in (([0, 1], 1), ([1, 0], 0)):
        assert DecisionTreeClassifier(max_depth=1).fit(X[:, columns], y).tree_.feature[0] == best


def test_equal_splits_of_many_observations_are_equal_in_any_order_of_the_classes():
    # the gaps n L - n_L C of a split come in another order from feature to feature; squares take 55 bits
    m, left = 8_941, np.array([7_294, 5_998, 25])
    X = np.ones((3, m, 3))
    for j in range(3):
        for k in range(3):
            X[k, : left[(k + j) % 3], j] = 0
    y = np.repeat([0, 1, 2], m)
    for order in [(0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]:
        stump = DecisionTreeClassifier(max_depth=1).fit(X.reshape(-1, 3)[:, order], y).tree_
        assert stump.feature[0] == 0


@pytest.mark.parametrize("weights", ["ones", "counts", "real"])
def test_trees_of_many_nodes_do_not_depend_on_blocks(weights, monkeypatch):
    # codes of observations need more than 32 bits, while a pointer in a browser has 32
    rng, n = np.random.default_rng(7), 40_000
    X, y = rng.standard_normal((n, 2)), rng.integers(0, 3, n)
    w = {"ones": np.ones(n), "counts": rng.integers(1, 90, n), "real": rng.random(n) + 0.5}[weights]
    model = DecisionTreeClassifier(max_depth=6)
    trees = [model.fit(X, y, sample_weight=w).tree_]
    monkeypatch.setattr(tree_growing, "BLOCK", 3)
    trees.append(model.fit(X, y, sample_weight=w).tree_)
    for name in ("feature", "threshold", "right", "value", "n_rows"):
        np.testing.assert_array_equal(*(getattr(tree, name) for tree in trees))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", cubes])
@pytest.mark.parametrize("values", [4, 10**6])
@pytest.mark.parametrize("K", [2, 6])
def test_features_of_few_and_of_many_values(K, values, criterion):
    rng = np.random.default_rng(K)
    X, y = rng.integers(0, values, (60, 3)).astype(float), rng.integers(0, K, 60)
    model = DecisionTreeClassifier(criterion=criterion, max_depth=3, min_samples_leaf=3).fit(X, y)
    check_tree(model, X, y, np.ones(60))


def test_an_unknown_criterion_is_refused():
    with pytest.raises(ValueError, match=r"criterion must be .*'gini'.*, got 'cubes'\."):
        DecisionTreeClassifier(criterion="cubes").fit([[0], [1]], [0, 1])
