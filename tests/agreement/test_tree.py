"""Trees that grow by levels against the board's, on a few rows with ties, duplicates, constants and weights.

Features, thresholds and rows are equal, not close. So equal cuts must be told from different ones: those of
at most 36 rows differ in Gini or error impurity by more than 1e-9, and the board's rounding is below 1e-11.
Sums of 12 weights differ by at most 12 units in the last place, whatever their order.
"""

import contextlib
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import DecisionTreeClassifier
from mlnotes import tree as board
from mlnotes.engines import tree_cuts, tree_growing, tree_instances, tree_nodes
from mlnotes.engines import tree_pruning as pruning
from mlnotes.estimators import tree as estimators

EXACT = settings(derandomize=True, deadline=None, max_examples=80)
SUM = 12 * 2.0**-52
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
# of a weight: 36 * 21 is beyond a field of 8 bits, 36 * 30,000 beyond one of 16, and its square beyond 32
UNITS = (1, 21, 30_000, 0.25, 0.1, 2.0**-200)


@contextlib.contextmanager
def limits_of_the_engine(draw):
    """Blocks, steps and integer limits so small that a few rows meet their edges, or as they are."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, *sizes in (
            (tree_growing, "BLOCK", 6, 48), (tree_nodes, "WALKING", 3), (tree_nodes, "ENTRIES", 3),
            (tree_instances, "FEW", 1), (tree_instances, "MOST_COUNT", 3),
            (tree_cuts, "DENSE", 0, 1_000), (tree_cuts, "FEW_CLASSES", 1),
        ):  # fmt: skip
            patch.setattr(module, name, draw(st.sampled_from([*sizes, getattr(module, name)])))
        yield


@st.composite
def samples(draw, least=1, weighted=True):
    """Rows (X, y, w) with n <= 12, d <= 3, K <= 9, and weights of at most 3 units, some of them 0, or any."""
    n, d = draw(st.integers(least, 12)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = np.column_stack([rng.choice(draw(st.sampled_from(PALETTES)), n) for _ in range(d)])
    X = X[rng.integers(0, n, n)] if draw(st.booleans()) else X
    if draw(st.integers(0, 3)) == 0:  # two features that ask the same, or nearly
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
        "criterion": draw(st.sampled_from(list(board.IMPURITY))),
        "max_depth": draw(st.sampled_from([None, 0, 1, 2, 3])),
        "min_samples_split": draw(st.integers(2, 4)),
        "min_samples_leaf": draw(st.integers(1, 3)),
    }


def on_the_board(X, y, w, *, max_depth=None, **rest):
    depth = np.inf if max_depth is None else max_depth
    return board.DecisionTreeClassifier(max_depth=depth, **rest).fit(X, y, w)


def assert_equal_trees(ours, plain):
    for name in ("feature", "threshold", "left", "right", "n_rows", "depth", "is_leaf"):
        assert getattr(ours, name).tolist() == getattr(plain, name).tolist(), name
    np.testing.assert_allclose(ours.value, plain.value, rtol=SUM)


def points(X):
    """The rows, and points between and beside them."""
    return np.vstack([X, X[::-1] / 2 + X / 2, np.nextafter(X, np.inf), np.nextafter(X, -np.inf)])[:40]


@EXACT
@given(st.data(), samples())
def test_the_same_tree_and_the_same_answers(data, rows):
    X, y, w = rows
    if data.draw(st.booleans()):  # of many sizes: differences of their sums cancel
        w = w * np.array(
            data.draw(st.lists(st.sampled_from([1, 1e-20, 1e-40]), min_size=len(w), max_size=len(w)))
        )
    chosen = options(data.draw)
    with limits_of_the_engine(data.draw), np.errstate(over="ignore"):
        ours, plain = DecisionTreeClassifier(**chosen).fit(X, y, w), on_the_board(X, y, w, **chosen)
        assert_equal_trees(ours.tree_, plain.tree_)
        Z = np.clip(points(X), np.finfo(float).min, np.finfo(float).max)
        assert ours.apply(Z).tolist() == plain.apply(Z).tolist()
        assert ours.predict(Z).tolist() == plain.predict(Z).tolist()
        np.testing.assert_allclose(ours.predict_proba(Z), plain.predict_proba(Z), rtol=2 * SUM)


@EXACT
@given(st.data(), samples())
def test_reports_are_those_of_the_rows_in_each_node(data, rows):
    """impurity_, feature_importances_, predict_proba and n_rows, from the rows that reach each node."""
    X, y, w = rows
    chosen = options(data.draw)
    model = DecisionTreeClassifier(**chosen).fit(X, y, w)
    tree, X, Y = model.tree_, X[w > 0], board.one_hot(y[w > 0], w[w > 0])
    inside, inner = np.zeros((len(tree), len(X)), dtype=bool), np.flatnonzero(tree.feature >= 0)
    inside[0] = True
    for t in inner:
        left = X[:, tree.feature[t]] <= tree.threshold[t]
        inside[tree.left[t]], inside[tree.right[t]] = inside[t] & left, inside[t] & ~left
    shares = np.array([Y[part].sum(axis=0) / Y[part].sum() for part in inside])
    impurity = np.array([board.IMPURITY[chosen["criterion"]](p) for p in shares])
    risk = impurity * [Y[part].sum() / Y.sum() for part in inside]
    gains = np.zeros(X.shape[1])
    for t in inner:
        gain = risk[t] - risk[tree.left[t]] - risk[tree.right[t]]
        slack = board.rounding(Y, inside[t].sum()) * Y[inside[t]].sum() / Y.sum()
        gains[tree.feature[t]] += gain if gain > slack else 0
    total = gains.sum() or 1.0
    np.testing.assert_allclose(model.impurity_, impurity, atol=1e-14)
    np.testing.assert_allclose(model.feature_importances_, gains / total, atol=1e-13 / total)
    leaf = np.flatnonzero(tree.is_leaf)[inside[tree.is_leaf].argmax(axis=0)]
    np.testing.assert_allclose(model.predict_proba(X), shares[leaf], atol=2 * SUM)
    assert tree.n_rows.tolist() == inside.sum(axis=1).tolist()


@EXACT
@given(st.data(), samples())
def test_the_same_cut_or_none_on_either_side(data, rows):
    X, y, w = rows
    criterion, least = data.draw(st.sampled_from(list(board.IMPURITY))), data.draw(st.integers(1, 3))
    rest = {"criterion": criterion, "sample_weight": w, "min_samples_leaf": least}
    with limits_of_the_engine(data.draw):
        try:
            plain = board.best_split(X, y, **rest)
        except ValueError:
            with pytest.raises(ValueError, match="there is no cut"):
                estimators.best_split(X, y, **rest)
            return
        ours = estimators.best_split(X, y, **rest)
    assert ours[:2] == plain[:2]
    np.testing.assert_allclose(ours[2:], plain[2:], atol=1e-14)


@EXACT
@given(st.data(), st.lists(st.integers(0, 3), min_size=2, max_size=6), st.sampled_from(list(board.IMPURITY)))
def test_of_mirrored_cuts_the_lower_one_of_the_first_feature_wins(data, half, criterion):
    """Labels that read the same from both ends: each cut has a mirror image, and each feature has one."""
    x, y = np.arange(2.0 * len(half)), np.array(half + half[::-1])
    if len(set(half)) == 1:
        return
    unit = data.draw(st.sampled_from(UNITS))
    w = np.array(half + half[::-1]) % 3 * unit + unit if data.draw(st.booleans()) else np.full(len(y), unit)
    with limits_of_the_engine(data.draw):
        ours = estimators.best_split(np.column_stack([x, -x]), y, criterion=criterion, sample_weight=w)
    assert ours.feature == 0
    assert ours.threshold <= x.mean()
    assert ours[:2] == board.best_split(x[:, None], y, criterion, w)[:2]


@EXACT
@given(st.data(), samples(weighted=False))
def test_trees_that_grow_together_are_those_that_grow_alone(data, rows):
    """As in a forest, with the counts of bootstrap samples for weights; then all rows walk down all trees."""
    X, y, _ = rows
    K, rng = int(y.max()) + 1, np.random.default_rng(data.draw(st.integers(0, 2**20)))
    counts = rng.multinomial(len(X), np.full(len(X), 1 / len(X)), 3).astype(float)
    limits = tree_cuts.Limits(X.shape[1], data.draw(st.sampled_from(list(board.IMPURITY))), 4)

    def find(X, Y):
        return board.find_cut(X, Y, limits.criterion)

    Y = (y[:, None] == np.arange(K)) * 1.0
    alone = [board.Tree(board.grow(X, Y * w[:, None], find, 4)) for w in counts]
    with limits_of_the_engine(data.draw):
        together = tree_growing.grow(tree_instances.Sorted.of(X), y, K, list(counts), limits)
        paths = tree_nodes.Paths.of(together)
        places = paths.leaves(X)
    for ours, plain, place in zip(together, alone, places, strict=True):
        assert_equal_trees(ours, plain)
        assert paths.node[place].tolist() == plain.apply(X).tolist()
        values = paths.arrange([tree.value for tree in together])[place]
        np.testing.assert_array_equal(values, plain.value[plain.apply(X)])


@EXACT
@given(st.data(), samples(least=4))
def test_a_cut_is_the_best_of_as_many_candidates_as_were_drawn(data, rows):
    X, y, w = rows
    X, y, w, d = X[w > 0], y[w > 0], w[w > 0], X.shape[1]
    m = data.draw(st.integers(1, d))
    with limits_of_the_engine(data.draw):
        model = DecisionTreeClassifier(max_features=m, random_state=data.draw(st.integers(0, 99)))
        tree = model.fit(X, y, w).tree_
    Y, boxes = board.one_hot(y, w), [(0, np.arange(len(X)))]
    for t, part in boxes:
        own = [board.find_cut(X[part][:, [j]], Y[part]) for j in range(d)]
        if tree.is_leaf[t]:
            assert not any(own), "a leaf has one class or equal rows"
            continue
        j = tree.feature[t]
        assert own[j].threshold == tree.threshold[t]
        slack = board.rounding(Y[part], len(part))
        allowance = [slack if i < j else -slack for i in range(d)]
        ahead = [cut and cut.impurity < own[j].impurity + a for cut, a in zip(own, allowance, strict=True)]
        assert sum(map(bool, ahead)) <= d - m, "a candidate is better"
        left = X[part, j] <= tree.threshold[t]
        boxes += [(tree.left[t], part[left]), (tree.right[t], part[~left])]


@EXACT
@given(st.data(), samples())
def test_the_same_weakest_links(data, rows):
    X, y, w = rows
    chosen = options(data.draw)
    model, plain = DecisionTreeClassifier(**chosen), on_the_board(X, y, w, **chosen).tree_
    path = model.cost_complexity_pruning_path(X, y, w)
    R = board.node_risks(plain, chosen["criterion"])
    prices, trees = board.pruning_path(plain, R)
    np.testing.assert_allclose(path.ccp_alphas, prices, atol=1e-13)
    assert path.n_leaves.tolist() == [tree.is_leaf.sum() for tree in trees]
    risks = [board.node_risks(tree, chosen["criterion"])[tree.is_leaf].sum() for tree in trees]
    np.testing.assert_allclose(path.impurities, risks, atol=1e-13)
    between = [*(np.add(prices[1:], prices[:-1]) / 2), prices[-1] + 1]
    for alpha, tree in zip(between, trees, strict=True):
        assert_equal_trees(path.subtree(alpha), tree)
        assert_equal_trees(DecisionTreeClassifier(ccp_alpha=alpha, **chosen).fit(X, y, w).tree_, tree)
    for t in np.flatnonzero(~plain.is_leaf):  # the price from which on no tree cuts this box
        number = plain.nodes[t].number
        cutting = [any(node.number == number and node.cut for node in tree.nodes) for tree in trees]
        assert path.collapse[t] == path.ccp_alphas[cutting.index(False)]
    assert np.isinf(path.collapse[plain.is_leaf]).all()


@EXACT
@given(st.data(), st.integers(4, 16), st.integers(0, 2**20))
def test_the_same_prices_of_any_risks(data, n, seed):
    """Risks that no impurity has: each node's is that of its children and a gain, often the same or none.

    Gains that are larger above make links equal that lie side by side, and not below one another.
    """
    rng = np.random.default_rng(seed)
    X, y = rng.permutation(n)[:, None], rng.integers(0, 2, n)
    ours, plain = DecisionTreeClassifier().fit(X, y).tree_, board.DecisionTreeClassifier().fit(X, y).tree_
    assert_equal_trees(ours, plain)
    R = np.zeros(len(plain))
    gains = rng.choice(data.draw(st.sampled_from([[0, 1], [0, 1, 2, 5], [3]])), len(R))
    gains = gains / 64
    gains[plain.is_leaf] *= data.draw(st.integers(0, 1))  # leaves without any risk
    gains *= board.links(plain, R)[1] if data.draw(st.booleans()) else 1  # the number of leaves
    for t in range(len(R))[::-1]:
        below = 0.0 if plain.is_leaf[t] else R[plain.left[t]] + R[plain.right[t]]
        R[t] = below + gains[t]
    path, (prices, trees) = estimators.pruning_path(ours, R), board.pruning_path(plain, R)
    np.testing.assert_allclose(path.ccp_alphas, prices, atol=1e-13)
    assert path.ccp_alphas[0] == prices[0] == 0
    assert path.n_leaves.tolist() == [tree.is_leaf.sum() for tree in trees]
    places = {node.number: t for t, node in enumerate(plain.nodes)}
    kept = [[places[node.number] for node in tree.nodes if node.cut is None] for tree in trees]
    np.testing.assert_allclose(path.impurities, [R[leaves].sum() for leaves in kept], atol=1e-13)
    for price, nearly, tree in zip(path.ccp_alphas, [*prices[1:], prices[-1] + 1], trees, strict=True):
        assert_equal_trees(path.subtree(price), tree)
        assert_equal_trees(path.subtree((price + nearly) / 2), tree)


def test_links_that_differ_by_rounding_go_together():
    cut = {1, 2, 3}
    plain = board.Tree(board.Node(j, [], [1], (0, 0.0) if j in cut else None) for j in (1, 2, 4, 5, 3, 6, 7))
    R = np.array([5, 0.3, 0, 0, 0.1 + 0.2, 0, 0])
    assert R[1] < R[4]
    prices, trees = board.pruning_path(plain, R)
    links = pruning.weakest_links(plain.right, np.array([-1, 0, 1, 1, 0, 4, 4]), R)
    assert [tree.is_leaf.sum() for tree in trees] == links.n_leaves.tolist() == [4, 2, 1]
    np.testing.assert_allclose(links.prices, prices, rtol=1e-14)
    np.testing.assert_allclose(links.collapse[[0, 1, 4]], [5 - 0.6, 0.3, 0.3], rtol=1e-14)


@settings(EXACT, max_examples=50)
@given(st.data(), samples(least=6, weighted=False), st.integers(2, 4))
def test_prices_are_chosen_by_the_errors_of_the_folds(data, rows, n_folds):
    X, y, _ = rows
    y = np.array(list("badcihgfe"))[y]
    part = np.arange(len(X)) % n_folds
    folds = [(np.flatnonzero(part != f), np.flatnonzero(part == f)) for f in range(n_folds)]
    choice = estimators.choose_alpha(DecisionTreeClassifier(), X, y, folds)

    def pruned(rows):
        plain = board.DecisionTreeClassifier().fit(X[rows], y[rows])
        return plain.classes_, board.pruning_path(plain.tree_, board.node_risks(plain.tree_, "gini"))

    prices = pruned(np.arange(len(X)))[1].ccp_alphas
    np.testing.assert_allclose(choice.alphas[:-1] ** 2, np.multiply(prices[1:], prices[:-1]), atol=1e-13)
    assert choice.alphas[-1] == pytest.approx(prices[-1], abs=1e-13)
    rates = np.zeros((n_folds, len(choice.alphas)))
    for f, (training, test) in enumerate(folds):
        classes, path = pruned(training)
        for i, alpha in enumerate(choice.alphas):
            tree = path.subtree(alpha)
            answers = classes[board.majority(tree.value)[tree.apply(X[test])]]
            rates[f, i] = np.mean(answers != y[test])
    errors = rates.mean(axis=0)
    deviations = np.sqrt(((rates - errors) ** 2).sum(axis=0) / (n_folds - 1) / n_folds)
    np.testing.assert_allclose(choice.errors, errors, atol=1e-15)
    np.testing.assert_allclose(choice.standard_errors, deviations, atol=1e-14)
    least = max(i for i, error in enumerate(errors) if math.isclose(error, errors.min(), abs_tol=1e-12))
    assert choice.best == choice.alphas[least]
    allowed = [i for i, error in enumerate(errors) if error <= errors[least] + deviations[least] + 1e-12]
    assert choice.simplest == choice.alphas[max(allowed)]


def test_of_more_features_than_rows_all_are_asked():
    X, y = np.column_stack([np.arange(3.0)] * 39 + [[0.0, 1.0, 0.0]]), [0, 1, 0]
    assert estimators.best_split(X, y).feature == board.best_split(X, y).feature == 39


def test_risks_are_not_negative():
    tree = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_
    assert estimators.pruning_path(tree, [0.5, 0.0, 0.0]).ccp_alphas.tolist() == [0.0, 0.5]
    with pytest.raises(ValueError, match="risk"):
        estimators.pruning_path(tree, [0.5, 0.0, -0.5])


def test_the_rules_in_words_and_the_prices_of_subtrees():
    X, y = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 6.0]]), list("aabc")
    model = DecisionTreeClassifier().fit(X, y)
    rules = ["{0} <= 1.5: a (2 rows)", "{0} > 1.5", "    {0} <= 2.5: b (1 row)", "    {0} > 2.5: c (1 row)"]
    assert model.to_text().splitlines() == [rule.format("x0") for rule in rules]
    assert model.to_text(["age", "size"]).splitlines() == [rule.format("age") for rule in rules]
    with pytest.raises(ValueError, match="feature_names must be 2 names, got 1"):
        model.to_text(["age"])
    path = model.cost_complexity_pruning_path(X, y)
    assert len(path.subtree(0.0)) == 5
    with pytest.raises(ValueError, match="alpha must be"):
        path.subtree(-1e-9)


def test_cuts_that_are_almost_equal_are_told_apart_where_rows_are_counted():
    # 793 rows on the left with 372 of the 1,200 ones, or 1,247 with 560: the second is better by 4e-13
    y = np.repeat([1, 0], [1200, 1801])
    X = np.ones((3001, 2))
    for j, (left, ones) in enumerate(((793, 372), (1247, 560))):
        X[:ones, j] = X[1200 : 1200 + left - ones, j] = 0
    assert board.best_split(X, y).feature == 1
    assert estimators.best_split(X, y).feature == 1
    assert board.best_split(X[:, ::-1], y).feature == 0


def test_equal_cuts_of_many_rows_are_equal_in_any_order_of_the_classes():
    # The gaps n L - n_L C of a cut come in another order from feature to feature, and squares take 55 bits.
    m, left = 8_941, np.array([7_294, 5_998, 25])
    X = np.ones((3, m, 3))
    for j in range(3):
        for k in range(3):
            X[k, : left[(k + j) % 3], j] = 0
    y = np.repeat([0, 1, 2], m)
    orders = [(0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    trees = [estimators.best_split(X.reshape(-1, 3)[:, order], y) for order in orders]
    assert [cut.feature for cut in trees] == [0] * 4


@pytest.mark.parametrize("weights", ["ones", "counts", "real"])
def test_trees_of_many_nodes_at_once_are_those_of_one_node_after_the_other(weights, monkeypatch):
    # Row and weight of an instance, and the keys, need more than 32 bits: pointers have no more in a browser.
    rng, n = np.random.default_rng(7), 40_000
    X, y = rng.standard_normal((n, 2)), rng.integers(0, 3, n)
    w = {"ones": np.ones(n), "counts": rng.integers(1, 90, n), "real": rng.random(n) + 0.5}[weights]
    model = DecisionTreeClassifier(max_depth=6)
    trees = [model.fit(X, y, sample_weight=w).tree_]
    monkeypatch.setattr(tree_growing, "BLOCK", 1)
    trees.append(model.fit(X, y, sample_weight=w).tree_)
    for name in ("feature", "threshold", "right", "value", "n_rows"):
        np.testing.assert_array_equal(*(getattr(tree, name) for tree in trees))


@EXACT
@given(st.data(), samples())
def test_an_impurity_that_is_added_to_the_board_grows_the_same_tree(data, rows):
    """Cubes of shares, which no engine knows: two cuts of 36 rows differ by more than 1e-9 or not at all."""
    X, y, w = rows
    chosen = options(data.draw) | {"criterion": "cubes"}
    with limits_of_the_engine(data.draw), pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):
        patch.setitem(board.IMPURITY, "cubes", lambda p: 1 - (np.asarray(p) ** 3).sum(axis=-1))
        ours, plain = DecisionTreeClassifier(**chosen).fit(X, y, w), on_the_board(X, y, w, **chosen)
    assert_equal_trees(ours.tree_, plain.tree_)


def test_a_criterion_that_is_not_on_the_board_is_refused():
    with pytest.raises(ValueError, match=r"criterion must be .*'gini'.*, got 'cubes'\."):
        DecisionTreeClassifier(criterion="cubes").fit([[0], [1]], [0, 1])


@pytest.mark.parametrize("n_classes", [2, 3, 9])
def test_counts_of_classes_are_read_from_words_in_either_order_of_bytes(n_classes):
    """A machine whose numbers start with the highest byte holds the same words in another order."""
    rng = np.random.default_rng(n_classes)
    X, y = tree_instances.Sorted.of(rng.random((30, 1))), rng.integers(0, n_classes, 30)
    data = tree_instances.Instances(X, y, n_classes, [np.ones(30)])
    search = tree_cuts.Search(data, data.all(), tree_cuts.Limits(1))
    left = np.cumsum((y[:, None] == np.arange(n_classes)) * 1, axis=0)[:-1]
    words = data.words(None, search.per_word)[:, data.kinds(data.numbers)].cumsum(axis=1)[:, :-1]
    for order in "<>":
        _, read = search._scores(words.astype(f"{order}i8", order="C"), np.zeros(29, dtype=np.intp))
        np.testing.assert_array_equal(read.T, left)


# --- parts of the engine, each asked for what it promises


def instances_of(X, y, K, *weights):
    return tree_instances.Instances(tree_instances.Sorted.of(np.asarray(X, float)), np.array(y), K, weights)


@settings(EXACT, max_examples=40)
@given(st.data(), samples())
def test_instances_are_the_rows_of_all_trees_with_their_weights(data, rows):
    X, y, w = *rows[:2], rows[2].astype(float)
    K, other = int(y.max()) + 1, data.draw(st.sampled_from([w, np.ones(len(w)), w[::-1]]))
    with limits_of_the_engine(data.draw):
        ours, most = instances_of(X, y, K, w, other), max(w.max(), other.max())
        few, count = tree_instances.FEW, tree_instances.MOST_COUNT
    pairs = [(i, amount) for table in (w, other) for i, amount in enumerate(table.tolist()) if amount > 0]
    row, weight = (np.array(column) for column in zip(*pairs, strict=True))
    n_values = [len(set(column)) for column in X.T.tolist()]
    assert ours.n_values.tolist() == n_values
    assert ours.rank_bits == len(f"{max(n_values) - 1:b}") * (max(n_values) > 1)
    assert ours.n_rows_of_trees.tolist() == [(w > 0).sum(), (other > 0).sum()]
    assert (ours.numbers >> ours.kind_bits).tolist() == row.tolist()
    whole = all(amount == int(amount) for amount in weight.tolist())
    assert ours.is_count == (whole and weight.sum() < count)
    assert (ours.is_one, ours.is_few) == (ours.is_count and most == 1, ours.is_count and most <= few)
    kinds, words = ours.kinds(ours.numbers), ours.words(None, 2) if ours.is_few else None
    if words is None:
        assert kinds.tolist() == list(range(len(row)))
        assert ours.n_kinds == len(row)
    else:
        assert ours.words(None, 2) is words
        assert len(words) == -(-K // 2)
        high, low = words[:, kinds] >> 32, words[:, kinds] & (1 << 32) - 1
        read = np.stack([low, high], axis=1).reshape(-1, len(row))
        np.testing.assert_array_equal(read[:K].T, weight[:, None] * (y[row][:, None] == np.arange(K)))
        assert ours.n_kinds == most * 2 ** (K - 1).bit_length()
    level = ours.all()
    node = np.repeat([0, 1], ours.n_rows_of_trees)
    value = [[math.fsum(weight[(node == t) & (y[row] == k)]) for k in range(K)] for t in (0, 1)]
    np.testing.assert_allclose(level.value, value, rtol=SUM)


@settings(EXACT, max_examples=40)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(0, 40))
def test_blocks_are_the_longest_runs_of_nodes_that_fit(n_rows, size):
    A, m = len(n_rows), sum(n_rows)
    level = tree_instances.Level(np.array(n_rows), np.eye(A), 7 + np.arange(A), np.arange(m))
    blocks, nodes = list(level.blocks(size)), np.arange(A)
    assert [a for here, _ in blocks for a in nodes[here]] == nodes.tolist()
    assert [i for _, part in blocks for i in part.instances] == list(range(m))
    for here, part in blocks:
        assert part.n_rows.tolist() == n_rows[here]
        assert part.value.tolist() == np.eye(A)[here].tolist()
        assert part.number.tolist() == (7 + nodes[here]).tolist()
        assert len(part.n_rows) == 1 or part.n_rows.sum() <= size
        after = n_rows[nodes[here][-1] + 1 :][:1]
        assert not after or part.n_rows.sum() + after[0] > size


@pytest.mark.parametrize("m", [5, 2])
@pytest.mark.parametrize("block", [1, 299, 300, 900, 2_000, 10_000])
def test_a_search_looks_at_as_many_entries_as_stay_in_cache(m, block, monkeypatch):
    """At one node and all that fit, or one feature and all that fit; an entry has a number for each class."""
    rng, seen, cuts_of = np.random.default_rng(1), [], tree_cuts.Search.cuts_of
    X, y, K = rng.random((300, 5)), rng.integers(0, 3, 300), 3

    def look(self, slots, features):
        n_slots = len(range(m)[slots]) if features is None else len(features)
        seen.append((len(self.level.n_rows), len(self.rows), slots.start, n_slots))
        return cuts_of(self, slots, features)

    monkeypatch.setattr(tree_cuts.Search, "cuts_of", look)
    monkeypatch.setattr(tree_growing, "BLOCK", block * K + 2)
    limits = tree_cuts.Limits(m, max_depth=3)
    tree_growing.grow(tree_instances.Sorted.of(X), y, K, [np.ones(300)] * 2, limits, rng)
    for n_nodes, size, first, n_slots in seen:
        assert n_slots == 1 or n_slots * size <= block
        assert first + n_slots == m or (n_slots + 1) * size > block
        assert n_nodes == 1 or m * size <= block


def test_nodes_without_room_for_two_children_are_not_searched(monkeypatch):
    rows, start = [], tree_cuts.Search.__init__

    def look(self, data, level, limits):
        rows.extend(level.n_rows.tolist())
        start(self, data, level, limits)

    monkeypatch.setattr(tree_cuts.Search, "__init__", look)
    X, y = np.random.default_rng(0).random((90, 1)), np.arange(90) % 2
    for chosen in ({"min_samples_leaf": 4}, {"min_samples_split": 8}):
        DecisionTreeClassifier(**chosen).fit(X, y)
        assert 8 <= min(rows) < 12


def test_candidates_are_the_features_with_the_smallest_lots(monkeypatch):
    """Lots are drawn one for each node and feature; which m are the smallest is a draw without a bias."""
    seen, search = [], tree_growing._Grower._search

    def look(self, level, candidates=None):
        seen.append(candidates)
        return search(self, level, candidates)

    monkeypatch.setattr(tree_growing._Grower, "_search", look)
    X, y = np.random.default_rng(3).random((20, 1_000)), np.arange(20) % 2  # a few would be sorted
    for m in (1, 31, 999):
        seed = np.random.default_rng(m)
        limits = tree_cuts.Limits(m, max_depth=1)
        tree_growing.grow(tree_instances.Sorted.of(X), y, 2, [np.ones(20)] * 9, limits, seed)
        lots = np.random.default_rng(m).random((9, 1_000))
        assert seen.pop().T.tolist() == np.sort(lots.argsort(axis=1)[:, :m], axis=1).tolist()
    state = seed.bit_generator.state
    tree_growing.grow(tree_instances.Sorted.of(X), y, 2, [np.ones(20)], tree_cuts.Limits(1_000), seed)
    assert (seen.pop(), seed.bit_generator.state) == (None, state), "all features need no draw"


@pytest.mark.parametrize("seed", range(5))
def test_a_node_whose_candidates_are_constant_is_cut_by_another_feature(seed):
    """The corners of a cube and their parity: a feature that was asked above is constant, at some nodes."""
    X = np.array(list(itertools.product([0.0, 1.0], repeat=3)))
    for tree in tree_growing.grow(
        tree_instances.Sorted.of(X), X.sum(axis=1).astype(int) % 2, 2, [np.ones(8)] * 4, tree_cuts.Limits(1),
        np.random.default_rng(seed),
    ):  # fmt: skip
        assert tree.n_rows[tree.is_leaf].tolist() == [1] * 8


def search_of(weights, K, criterion="gini"):
    """The search at one node of these rows, whose classes take turns."""
    n = len(weights)
    data = instances_of(np.arange(n)[:, None], np.arange(n) % K, K, np.asarray(weights, float))
    return tree_cuts.Search(data, data.all(), tree_cuts.Limits(1, criterion))


@pytest.mark.parametrize("K", [2, 3, 4, 5, 9])
def test_a_word_has_as_many_fields_as_hold_the_weight_of_a_node(K):
    for total in (2, 255, 256, 65_535, 65_536, 2**31 - 1):
        search = search_of([1, total - 1], K)
        fits = [p for p in (1, 2, 4, 8) if total < 2 ** (64 // p) and p < 2 * K]
        assert (search.per_word, search.field.itemsize) == (max(fits), 8 // max(fits))
        assert search.total.tolist() == [total]


@pytest.mark.parametrize("per_word", [1, 2, 4, 8])
@pytest.mark.parametrize("K", range(2, 10))
def test_a_word_has_the_weight_of_a_kind_at_the_place_of_its_class(K, per_word):
    """Also where there are numbers of classes that no row has: a power of two is enough for K."""
    data = instances_of(np.arange(2 * K)[:, None], np.arange(2 * K) % K, K, np.repeat([1.0, 2.0], K))
    words, kinds = data.words(None, per_word), data.kinds(data.numbers)
    assert words.shape == (-(-K // per_word), 2 * 2 ** (K - 1).bit_length())
    for i, weight in enumerate(data.weight):
        word, place = divmod(i % K, per_word)
        expected = np.zeros(len(words), dtype=np.int64)
        expected[word] = int(weight) << place * (64 // per_word)
        assert words[:, kinds[i]].tolist() == expected.tolist()


def test_weights_that_are_no_counts_are_integers_of_50_bits():
    search = search_of([0.25, 0.5, 2.0**-60, 3.25], 2)  # the least of them is less than half a unit
    units = [2**46, 2**47, 1, 13 * 2**46]
    assert search.total.tolist() == [sum(units)] == [2**50 + 1]
    assert search.value.ravel().tolist() == [units[0] + units[2], units[1] + units[3]]


def test_an_impurity_rounds_a_term_for_each_class_and_row_unless_all_weights_are_counts():
    Y = np.eye(3)[[0, 1, 2, 2]]
    assert board.rounding(Y, 4) == 3 * 2.0**-44
    assert board.rounding(Y * [[1], [2], [1], [0.5]], 4) == 7 * 2.0**-44


@pytest.mark.parametrize("criterion", board.IMPURITY)
@pytest.mark.parametrize("K", [2, 3])
def test_cuts_are_equal_up_to_the_rounding_of_the_board(criterion, K):
    """Scores are n times the decrease of an impurity, n^2 times that of the Gini index, half of it if K = 2.

    Scores of counts that are rounded once need no allowance: up to 2^14 rows of the Gini index.
    """
    exact = {"gini": 2**14, "misclassification": 2**31 - 1}.get(criterion, 0)
    for weights in ([1], [1, 1], [2**14 - 1, 1], [2**14, 1], [2**31 - 2, 1], [0.5, 0.75], [0.1] * 12):
        search, w = search_of(weights, K, criterion), np.array(weights)
        n = search.total[0]
        allowed = board.rounding(np.zeros((1, K)) + w[:, None], len(w))
        if sum(weights) == int(sum(weights)) <= exact:
            allowed = 0
        square = n**2 / (2 if K == 2 else 1)
        assert search.slack.tolist() == [allowed * (square if criterion == "gini" else n)]


def test_a_node_of_many_copies_is_cut_beside_a_node_of_single_rows():
    """Their scores are computed at once: fourth powers of 360,000 rows are no integers of 64 bits."""
    y = np.array([0, 1, 0, 2, 2, 3, 4, 3, 4, 4, 1, 0])
    data = instances_of(np.arange(12)[:, None], y, 5, np.ones(12), np.full(12, 30_000.0))
    cuts = tree_cuts.Search(data, data.all(), tree_cuts.Limits(1)).cuts_of(slice(0, 1), None)
    alone = board.find_cut(np.arange(12.0)[:, None], board.one_hot(y))
    assert (cuts.low + cuts.high).tolist() == [2 * alone.threshold] * 2
    assert cuts.left[1].tolist() == (30_000 * cuts.left[0]).tolist()


def test_keys_of_few_bits_are_sorted_as_integers_of_32_bits():
    sizes = 1, 2**31 - 1, 2**31, 2**40
    assert [tree_cuts._integers(size) for size in sizes] == [np.int32, np.int32, np.int64, np.int64]


@settings(EXACT, max_examples=30)
@given(st.lists(samples(weighted=False), min_size=1, max_size=3))
def test_walks_pause_when_half_of_the_rows_that_walked_have_arrived(several):
    trees = [DecisionTreeClassifier().fit(X, y).tree_ for X, y, _ in several]
    deepest = max(tree.depth.max() for tree in trees)
    walking = [  # training rows, after so many steps
        sum(tree.n_rows[(tree.depth == step) & ~tree.is_leaf].sum() for tree in trees)
        for step in range(deepest + 1)
    ]
    pauses, before = [0], sum(len(X) for X, _, _ in several)
    for step in range(1, deepest + 1):
        if 2 * walking[step] <= before:
            pauses.append(step)
            before = walking[step]
    assert tree_nodes.Paths.of(trees).strides == tuple(np.diff(pauses))


@pytest.mark.parametrize("d", [1, 7, 8, 9, 63, 64, 65, 1_000, 10**6])
@pytest.mark.parametrize("n", [1, 40, 2**14, 2**14 + 1, 100_000])
def test_rows_that_walk_together_stay_in_cache(n, d):
    """So many pairs of row and tree, and rows of so many entries, but an eighth of the pairs at least."""
    pairs, entries = tree_nodes.WALKING, tree_nodes.ENTRIES
    height = min(n, pairs, max(entries // d, pairs // 8))
    blocks = list(tree_nodes.walking_blocks(n, d))
    assert [range(n)[rows] for rows, _ in blocks] == [range(n)[i : i + height] for i in range(0, n, height)]
    assert {together for _, together in blocks} == {pairs // height}


def test_links_are_equal_up_to_the_rounding_of_the_risk_of_the_root():
    # the left child of the root has no risk; the links of the other one's children differ by rounding
    right, parent = np.array([2, -1, 6, 5, -1, -1, 8, -1, -1]), np.array([-1, 0, 0, 2, 3, 3, 2, 6, 6])
    R = np.array([5, 0, 4, 0.3, 0, 0, 0.1 + 0.2, 0, 0])
    links = pruning.weakest_links(right, parent, R)
    assert links.n_leaves.tolist() == [5, 3, 1]


@pytest.mark.parametrize("least", [1, 2, 3, 4])
def test_a_leaf_has_rows_enough_where_they_are_equal(least, monkeypatch):
    """Keys that are counted and not sorted are fewer than rows, which a limit counts."""
    monkeypatch.setattr(tree_cuts, "DENSE", 1_000)
    X, y = np.repeat([[0.0], [1.0]], 3, axis=0), np.repeat([0, 1], 3)
    tree = DecisionTreeClassifier(min_samples_leaf=least).fit(X, y).tree_
    assert tree.n_rows.tolist() == ([6, 3, 3] if least <= 3 else [6])


@pytest.mark.parametrize("dense", [0, 1_000])
@pytest.mark.parametrize("criterion", board.IMPURITY)
@pytest.mark.parametrize("least", [1, 2, 3])
def test_no_cut_is_scored_between_neighbours_of_one_class(criterion, least, dense, monkeypatch):
    """Of a strictly concave impurity it is never the best; at the ends, and of large leaves, all are."""
    monkeypatch.setattr(tree_cuts, "DENSE", dense)
    y = np.array([0, 0, 0, 1, 1, 1, 2, 0, 0])
    data = instances_of(np.arange(9)[:, None], y, 3, np.ones(9))
    limits = tree_cuts.Limits(1, criterion, min_samples_leaf=least)
    search = tree_cuts.Search(data, data.all(), limits)
    keys, _, kind_bits = search._keys(slice(0, 1), None)
    _, at = search._places(keys, kind_bits)
    every = least > 1 or criterion == "misclassification"
    scored = [i for i in range(least - 1, 9 - least) if every or i in (0, 7) or y[i] != y[i + 1]]
    assert at.tolist() == scored
