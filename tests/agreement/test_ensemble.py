"""Forests, bagging and AdaBoost against the board: the same draws, the same trees, the same votes.

Rows are a few small integers with ties, duplicates and constants. The board draws the bootstrap samples from
the same seeds. It is handed the features of each node, which the forest draws for all nodes of a level
together. Equal errors of stumps differ by the rounding of weights, 1e-15 or so; others differ by far more
than 2^-40, for the weights are whole in some unit, and the rounds few.
"""

import contextlib
import itertools
import math
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mlnotes import (
    AdaBoostClassifier,
    BaggingClassifier,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    RandomForestClassifier,
)
from mlnotes import ensemble as board
from mlnotes import tree as plain_tree
from mlnotes.engines import tree_cuts, tree_nodes
from mlnotes.engines import tree_growing as growing
from mlnotes.estimators import boosting
from mlnotes.estimators import ensemble as estimators
from mlnotes.estimators.base import LimitWarning

U = 2.0**-53


def many(n):
    return settings(derandomize=True, deadline=None, max_examples=n, phases=[Phase.generate])


@contextlib.contextmanager
def small_blocks(draw):
    """Blocks of three entries, rows and members, or as they are."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, sizes in (
            (growing, "BLOCK", (3, 24)), (tree_nodes, "WALKING", (3, 7, 2**14)),
            (tree_cuts, "DENSE", (0, 1, 1_000)),
            (estimators, "_TOGETHER", (3, 2**18)), (estimators, "_KEYS", (3, 2**25)),
            (tree_nodes, "ENTRIES", (3, 2**17)), (estimators, "_WORTH", (3,)),
            (boosting, "_BLOCK", (3, 2**15)),
        ):  # fmt: skip
            patch.setattr(module, name, draw(st.sampled_from(sizes)))
        yield


@st.composite
def tables(draw, most_classes=4, least=1):
    """Rows (X, y): n <= 12, d <= 4, up to four classes, whose labels are words or numbers."""
    n, d, K = draw(st.integers(least, 12)), draw(st.integers(1, 4)), draw(st.integers(1, most_classes))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = rng.integers(0, draw(st.sampled_from([1, 3, 9])), (n, d)) / 2.0
    X = X[rng.integers(0, n, n)] if draw(st.booleans()) else X
    X[:, 0] = X[0, 0] if draw(st.booleans()) else X[:, 0]
    labels = draw(st.sampled_from([np.array(["d", "b", "c", "a"]), np.array([-1, 1, 5, 3])]))
    noise = rng.integers(0, 2, n)
    codes = rng.integers(0, K, n) if draw(st.booleans()) else (X.sum(axis=1) + noise).astype(int) % K
    return X, labels[codes]


def points(X):
    """The rows, and points between and beside them."""
    return np.vstack([X, X[::-1] / 2 + X / 2, X + 0.25, X - 7])


def quietly(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # rows that all members have seen, first guesses
        return model.fit(*data)


def assert_equal_trees(ours, plain):
    for name in ("feature", "threshold", "left", "right", "n_rows", "depth", "is_leaf"):
        assert getattr(ours, name).tolist() == getattr(plain, name).tolist(), name
    assert ours.value.tolist() == plain.value.tolist()


def check_votes(model, plain, X, y):
    """Everything that a forest reports, recomputed from the board's trees and draws."""
    Z, K, B = points(X), len(plain.classes_), plain.n_estimators
    answers = np.array([member.predict(Z) for member in plain.estimators_])
    votes = np.array([[(column == k).sum() for k in range(K)] for column in answers.T])
    assert model.classes_.tolist() == plain.classes_.tolist()
    assert model.predict_proba(Z).tolist() == (votes / B).tolist() == plain.predict_proba(Z).tolist()
    first = [max(range(K), key=lambda k: (row[k], -k)) for row in votes]
    assert model.predict(Z).tolist() == model.classes_[first].tolist() == plain.predict(Z).tolist()
    for member, other in zip(model.estimators_, plain.estimators_, strict=True):
        assert member.predict(Z).tolist() == other.predict(Z).tolist()
    np.testing.assert_allclose(model.feature_importances_, plain.feature_importances_, atol=1e-12)
    seen = [set(rows.tolist()) for rows in plain.draws_]
    right, judged = 0, 0
    for i, row in enumerate(X):
        unseen = [t for t, rows in zip(plain.estimators_, seen, strict=True) if i not in rows]
        jury = [int(t.predict(row[None])[0]) for t in unseen]
        counts = np.bincount(jury, minlength=K)
        shares = counts / max(len(jury), 1)
        assert model.oob_decision_function_[i].tolist() == shares.tolist()
        assert plain.oob_decision_function_[i].tolist() == shares.tolist()
        judged += bool(jury)
        right += bool(jury) and plain.classes_[counts.argmax()] == y[i]
    assert model.oob_score_ == pytest.approx(right / max(judged, 1), abs=4 * U)
    assert plain.oob_score_ == pytest.approx(right / max(judged, 1), abs=4 * U)


@many(60)
@given(st.data(), tables(), st.integers(1, 6), st.integers(0, 2**20), st.sampled_from([None, 1, 2]))
def test_bagging_is_that_of_the_board(data, table, B, seed, n_jobs):
    X, y = table
    with small_blocks(data.draw):
        model = BaggingClassifier(n_estimators=B, random_state=seed, oob_score=True, n_jobs=n_jobs)
        quietly(model, X, y)
        plain = board.BaggingClassifier(n_estimators=B, random_state=seed, oob_score=True).fit(X, y)
        for ours, other in zip(model.trees_, plain.trees_, strict=True):
            assert_equal_trees(ours, other)
        check_votes(model, plain, X, y)
    whole = np.array([model._draws(b) for b in range(B)])
    assert whole.tolist() == [rows.tolist() for rows in plain.draws_]
    for rows, t in zip(whole, plain.trees_, strict=True):
        assert t.value[0].tolist() == np.bincount(np.unique(y, return_inverse=True)[1][rows],
                                                  minlength=len(model.classes_)).tolist()  # fmt: skip


@contextlib.contextmanager
def recorded_draws():
    """The features drawn for each node: {(member, rows of the node): features}."""
    drawn, search, start, n_members = {}, growing._Grower._search, growing._Grower.__init__, [0]

    def begin(self, data, limits, rng):
        start(self, data, limits, rng)
        n_trees = len(data.n_rows_of_trees)
        self.member = {b: n_members[0] + b for b in range(n_trees)}  # of each node
        n_members[0] += n_trees

    def look(self, level, candidates=None):
        if candidates is not None:
            for above, _, _, left, right in self.cuts[-1:]:
                for children in (left, right):
                    pairs = zip(children.tolist(), above.tolist(), strict=True)
                    self.member |= {child: self.member[node] for child, node in pairs}
            parts = np.split(level.instances >> self.data.kind_bits, np.cumsum(level.n_rows)[:-1])
            for node, rows, features in zip(level.number.tolist(), parts, candidates.T, strict=True):
                drawn[self.member[node], frozenset(rows.tolist())] = features
        return search(self, level, candidates)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing._Grower, "__init__", begin)
        patch.setattr(growing._Grower, "_search", look)
        yield drawn


class Handed(board.RandomForestClassifier):
    """The board's forest, which is handed the features of every node."""

    def grow(self, X, Y, rng):
        self.n_grown = getattr(self, "n_grown", -1) + 1
        numbered = np.column_stack([X, np.arange(len(X))])

        def find(X, Y):
            box = self.n_grown, frozenset(X[:, -1].astype(int).tolist())
            features = self.drawn.get(box, np.arange(X.shape[1] - 1))
            return board.find_among(features, X[:, :-1], Y, self.criterion, self.least)

        return list(plain_tree.grow(numbered, Y, find, self.max_depth, self.min_samples_split))


@many(80)
@given(st.data(), tables(least=2), st.integers(1, 5), st.integers(0, 2**20))
def test_a_forest_is_that_of_the_board_with_the_same_draws(data, table, B, seed):
    X, y = table
    d = X.shape[1]
    m = data.draw(st.integers(1, d))
    words = [m] + ["sqrt"] * (m == math.isqrt(d)) + [None] * (m == d) + [m / d + 1e-9] * (m < d)
    chosen = {
        "criterion": data.draw(st.sampled_from(["gini", "entropy", "misclassification"])),
        "min_samples_split": data.draw(st.integers(2, 4)),
        "min_samples_leaf": data.draw(st.integers(1, 2)),
        "oob_score": True,
        "random_state": seed,
    }
    depth, asked = data.draw(st.sampled_from([None, 0, 1, 2])), data.draw(st.sampled_from(words))
    with small_blocks(data.draw), recorded_draws() as drawn:
        model = quietly(RandomForestClassifier(B, max_features=asked, max_depth=depth, **chosen), X, y)
        assert {len(features) for features in drawn.values()} <= {m}
        assert m == d or drawn or max(map(len, model.trees_)) == 1
        plain = Handed(B, max_features=m, max_depth=np.inf if depth is None else depth, **chosen)
        plain.drawn = drawn
        plain.fit(X, y)
        for ours, other in zip(model.trees_, plain.trees_, strict=True):
            assert_equal_trees(ours, other)
        check_votes(model, plain, X, y)
        again = RandomForestClassifier(B, max_features=asked, max_depth=depth, n_jobs=2, **chosen)
        assert quietly(again, X, y).predict_proba(X).tolist() == model.predict_proba(X).tolist()


def test_every_node_draws_for_itself():
    """A tree of 600 rows without a pattern has more than 100 inner nodes, on less than 20 levels."""
    rng = np.random.default_rng(0)
    X, y = rng.random((600, 6)), rng.integers(0, 2, 600)
    with recorded_draws() as drawn:
        RandomForestClassifier(2, max_features=2, random_state=1).fit(X, y)
    for b in range(2):
        pairs = [tuple(features.tolist()) for (member, _), features in drawn.items() if member == b]
        assert len(pairs) > 100
        assert set(pairs) == set(itertools.combinations(range(6), 2))


@many(40)
@given(tables(least=2), st.integers(0, 2**20), st.integers(1, 4))
def test_the_forest_of_the_board_draws_at_each_node(table, seed, m):
    """The same seed gives the same forest; its cuts are the best of some m features, or of all of them."""
    X, y = table
    m, d = min(m, X.shape[1]), X.shape[1]
    plain = board.RandomForestClassifier(3, max_features=m, random_state=seed, oob_score=True).fit(X, y)
    again = board.RandomForestClassifier(3, max_features=m, random_state=seed).fit(X, y)
    Y = plain_tree.one_hot(y)
    for member, rows, other in zip(plain.trees_, plain.draws_, again.trees_, strict=True):
        assert_equal_trees(member, other)
        weights = Y * np.bincount(rows, minlength=len(X))[:, None]
        for node in member.nodes:
            part = X[node.rows], weights[node.rows]
            own = [plain_tree.find_cut(part[0][:, [j]], part[1]) for j in range(d)]
            if node.cut is None:
                assert not any(own)
                continue
            least = node.cut.impurity - plain_tree.rounding(part[1], len(part[1]))
            better = [cut and cut.impurity < least for cut in own]
            assert sum(map(bool, better)) <= d - m
            assert node.cut.threshold == own[node.cut.feature].threshold


@many(100)
@given(st.data(), st.integers(1, 6), st.integers(1, 8))
def test_the_majority_is_that_of_the_board(data, B, n):
    names = data.draw(st.sampled_from([["b", "a", "c"], [3, -1, 2]]))
    votes = np.array(data.draw(st.lists(st.sampled_from(names), min_size=B * n, max_size=B * n))).reshape(
        B, n
    )
    counts = [{name: column.tolist().count(name) for name in names} for column in votes.T]
    truth = [min(names, key=lambda name, c=c: (-c[name], name)) for c in counts]
    assert estimators.majority_vote(votes).tolist() == truth == board.majority_vote(votes).tolist()


# --- AdaBoost


def weights_of(data, n):
    """Whole weights, some of them 0, in some unit; or none."""
    if data.draw(st.booleans()):
        return None
    w = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    w[data.draw(st.integers(0, n - 1))] = 1
    return w * data.draw(st.sampled_from([1.0, 0.1, 2.0**-200]))


def replayed(model, X, codes, w, K):
    """Errors, votes and weights from the members' answers alone, by the steps of the algorithm."""
    errors, alphas, V = [], [], np.zeros((len(X), K))
    for member, alpha in zip(model.estimators_, model.estimator_weights_, strict=True):
        wrong = member.predict(X) != codes
        errors.append(math.fsum(w[wrong]))
        V[np.arange(len(X)), member.predict(X)] += alpha
        odds = (1 - errors[-1]) / errors[-1] * (K - 1) if 0 < errors[-1] < 1 else 1.0
        alphas.append(math.log(odds) if odds > 0 else 0.0)
        w = np.where(wrong, w * odds, w)
        w = w / math.fsum(w)
    return np.array(errors), np.array(alphas), V


def asked(stump):
    """A stump without what it never answers."""
    return (*stump[:3], stump.right if stump.threshold < math.inf else None)


def check_boosting(model, plain, X, y, w):
    Z, K = points(X), len(model.classes_)
    there = np.ones(len(X), dtype=bool) if w is None else w > 0
    start = np.ones(len(X)) if w is None else w
    X, y, start = X[there], y[there], start[there] / start[there].sum()
    codes = np.searchsorted(model.classes_, y)
    np.testing.assert_allclose(model.estimator_errors_, plain.estimator_errors_, atol=1e-12)
    np.testing.assert_allclose(model.estimator_weights_, plain.estimator_weights_, atol=1e-9)
    errors, odds, V = replayed(model, X, codes, start, K)
    np.testing.assert_allclose(model.estimator_errors_, errors, atol=1e-12)
    alphas, report = model.estimator_weights_, model.certificate_
    total = abs(alphas).sum()
    if errors[-1] == 0:
        assert alphas[-1] == 1 + abs(alphas[:-1]).sum()
    elif not alphas.any():
        assert len(alphas) == 1
        assert errors[0] > 1 - 1 / K - 1e-12 or abs(errors[0] - 0.5) < 1e-12
    else:
        np.testing.assert_allclose(alphas, odds, rtol=1e-9, atol=1e-9)
    other = V.copy()
    other[np.arange(len(y)), codes] = -np.inf
    own = V[np.arange(len(y)), codes]
    rival = other.max(axis=1) if K > 1 else np.zeros(len(y))
    answers, clear = model.predict(X), abs(own - rival) > 1e-9
    assert (answers == y)[clear].tolist() == (own > rival)[clear].tolist()
    assert report["training_error"] == pytest.approx(start[answers != y].sum(), abs=1e-14)
    bound = 1.0 if not alphas.any() else math.prod(
        max(K, 2) * math.sqrt(e * (1 - e) / (max(K, 2) - 1)) for e in errors
    )  # fmt: skip
    assert report["bound"] == pytest.approx(bound, rel=1e-9, abs=1e-12)
    assert report["n_rounds"] == len(alphas)
    loss = math.fsum(start * np.exp(alphas.sum() / 2 - own))
    assert report["exponential_loss"] == pytest.approx(loss, rel=1e-9)
    if K == 2 and errors.all():
        assert loss == pytest.approx(report["bound"], rel=1e-9)
        assert report["training_error"] <= report["bound"] * (1 + 1e-9)
    np.testing.assert_allclose(model.margins(X, y), (own - rival) / max(total, 1e-300), atol=1e-11)
    np.testing.assert_allclose(plain.margins(X, y), model.margins(X, y), atol=1e-11)
    for name, value in plain.certificate_.items():
        assert report[name] == pytest.approx(value, rel=1e-9, abs=1e-12), name
    assert model.predict(Z).tolist() == plain.predict(Z).tolist()
    F = model.decision_function(Z)
    np.testing.assert_allclose(F, plain.decision_function(Z), atol=1e-9)
    shares = model.predict_proba(Z)
    np.testing.assert_allclose(shares, plain.predict_proba(Z), atol=1e-9)
    if K == 2:
        np.testing.assert_allclose(shares[:, 1], 1 / (1 + np.exp(-F)), atol=1e-12)
    check_stages(model, Z, K)


def check_stages(model, Z, K):
    """The scores and answers after each round, of the members so far."""
    votes, rows = np.zeros((len(Z), K)), np.arange(len(Z))
    stages = zip(model.staged_decision_function(Z), model.staged_predict(Z), strict=True)
    rounds = zip(model.estimators_, model.estimator_weights_, strict=True)
    for (F, answers), (member, alpha) in zip(stages, rounds, strict=True):
        votes[rows, member.predict(Z)] += alpha
        np.testing.assert_allclose(F, votes[:, 1] - votes[:, 0] if K == 2 else votes, atol=1e-9)
        top = votes.max(axis=1, keepdims=True)
        first = (votes >= top - 1e-10).argmax(axis=1)
        assert answers.tolist() == model.classes_[first].tolist()
    assert answers.tolist() == model.predict(Z).tolist()


@many(150)
@given(st.data(), tables(), st.sampled_from([1, 2, 12]))
def test_boosted_stumps_are_those_of_the_board(data, table, rounds):
    X, y = table
    w = weights_of(data, len(X))
    with small_blocks(data.draw):
        model = quietly(AdaBoostClassifier(n_estimators=rounds), X, y, w)
        plain = quietly(board.AdaBoostClassifier(n_estimators=rounds), X, y, *([] if w is None else [w]))
        assert model.classes_.tolist() == plain.classes_.tolist()
        assert [asked(stump) for stump in model.estimators_] == [asked(stump) for stump in plain.estimators_]
        check_boosting(model, plain, X, y, w)


@pytest.mark.parametrize("seed", range(4))
def test_stumps_of_few_values_and_many_classes_are_those_of_the_board(seed):
    rng = np.random.default_rng(seed)
    X, y, w = rng.integers(0, 3, (60, 4)).astype(float), rng.integers(0, 3, 60), rng.integers(1, 9, 60) / 8
    model = quietly(AdaBoostClassifier(n_estimators=6), X, y, w)
    plain = quietly(board.AdaBoostClassifier(n_estimators=6), X, y, w)
    assert boosting._StumpSearch(X, y, 3).cells.size == X.size
    assert [asked(stump) for stump in model.estimators_] == [asked(stump) for stump in plain.estimators_]
    check_boosting(model, plain, X, y, w)


@many(250)
@given(st.sampled_from([2, 2, 4]).flatmap(lambda K: tables(K, least=6)), st.integers(0, 2**20))
def test_what_is_equal_up_to_rounding_is_equal_to_a_stump(table, seed):
    """Weights that are off by 1e-14 ask the same question and give the same answers as the whole ones."""
    X, y = table
    classes, codes = np.unique(y, return_inverse=True)
    rng = np.random.default_rng(seed)
    w = rng.integers(1, 4, len(y)) / 1.0
    noisy = w * (1 + 1e-14 * rng.integers(-1, 2, len(y)))
    search = boosting._StumpSearch(X, codes, len(classes))
    found = [asked(search.best(v / v.sum())) for v in (w, noisy)]
    found += [asked(board.best_stump(X, codes, v / v.sum())) for v in (w, noisy)]
    assert len(set(found)) == 1


@many(60)
@given(st.data(), tables(), st.sampled_from([1, 4]), st.integers(0, 2))
def test_other_members_are_boosted_as_on_the_board(data, table, rounds, depth):
    X, y = table
    w = weights_of(data, len(X))
    weak = DecisionTreeClassifier(max_depth=depth)
    model = quietly(AdaBoostClassifier(weak, n_estimators=rounds), X, y, w)
    plain = quietly(board.AdaBoostClassifier(
        lambda X, y, w: plain_tree.DecisionTreeClassifier(max_depth=depth).fit(X, y, w), n_estimators=rounds
    ), X, y, *([] if w is None else [w]))  # fmt: skip
    check_boosting(model, plain, X, y, w)


@many(60)
@given(tables(least=2))
def test_every_round_has_the_best_stump_and_leaves_it_a_guess(table):
    X, y = table
    classes, codes = np.unique(y, return_inverse=True)
    K, w, n = len(classes), np.full(len(y), 1 / len(y)), 0
    for member, err, alpha, after in board.boost(X, codes, w):
        wrong = member.predict(X) != codes
        Y = plain_tree.one_hot(codes, w)
        errors = [w.sum() - Y.sum(axis=0).max()]
        for x in X.T:
            for value in x:
                low = x <= value
                errors.append(w.sum() - Y[low].sum(axis=0).max() - Y[~low].sum(axis=0).max())
        assert err == pytest.approx(w[wrong].sum(), abs=1e-14)
        assert err <= min(errors) + 1e-12
        if alpha and err:
            assert after[wrong].sum() == pytest.approx(1 - 1 / K, abs=1e-12)
            ratio, odds = after / w, (1 - err) / err * (K - 1)
            np.testing.assert_allclose(ratio, np.where(wrong, odds, 1) * ratio[~wrong][0], rtol=1e-9)
        w, n = after, n + 1
        if n == 12:
            break


def test_what_the_formulas_refuse():
    for error in (0.0, 1.0, -0.1):
        with pytest.raises(ValueError, match="alpha is infinite"):
            board.adaboost_weight(error)
    with pytest.raises(ValueError, match="correlation of B variables"):
        board.variance_of_average(1.0, -0.51, 3)
    assert board.variance_of_average(1.0, -0.5, 3) == pytest.approx(0, abs=2 * U)
    assert board.variance_of_average(4.0, -1.0, 1) == 4.0
    w = board.adaboost_update(np.array([0.5, 0.5]), np.array([True, False]), 2000.0)
    assert w.tolist() == [1.0, 0.0]


def test_both_parts_of_the_variance():
    outputs = np.array([[1.0, 3.0, 2.0], [4.0, 8.0, 0.0]])
    for module in (board, estimators):
        parts = module.variance_parts(outputs)
        assert parts.within == pytest.approx((1 + 16) / 2)
        assert parts.between == pytest.approx(2 - 17 / 6)  # the means are 2 and 4
        assert parts.variance == pytest.approx(parts.between + parts.within)
        assert parts.correlation == pytest.approx(parts.between / (parts.between + parts.within))
        assert module.variance_parts(np.stack([outputs, 3 * outputs], axis=2)).within == pytest.approx(
            5 * 17 / 2
        )
    assert board.variance_parts(np.zeros((2, 2))).correlation == 0


def test_what_is_no_better_than_a_guess():
    assert [board.is_guess(err, 2) for err in (0.25, 0.5, 0.5 + 1e-15, 0.75, 1.0)] == [0, 1, 1, 0, 1]
    assert [board.is_guess(err, 3) for err in (0.6, 2 / 3, 0.75, 1.0)] == [0, 1, 1, 1]
    close = np.array([[0.3, 0.1 + 0.2, 0.2], [0.25, 0.5, 0.25]])  # the first two of the first row are equal
    assert board.join_ties(close).argmax(axis=1).tolist() == [0, 1]


class Script:
    """A learner of one's own: its members answer what is written."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def __call__(self, X, y, w):
        self.now = self.answers.pop(0)
        return self

    def predict(self, X):
        return self.now


def test_a_perfect_member_outvotes_all_before_it():
    y = np.array([0, 0, 1, 1])
    learn = Script(np.array([1, 0, 1, 1]), np.array([1, 1, 1, 1]), y)
    first, second, last = board.boost(np.zeros((4, 1)), y, np.full(4, 0.25), learn)
    assert (first.err, last.err) == (0.25, 0)
    assert last.alpha == pytest.approx(1 + abs(first.alpha) + abs(second.alpha))


# --- what the engines of ensembles promise


@many(100)
@given(st.data(), st.integers(2, 4), st.integers(1, 9), st.integers(0, 2**20))
def test_a_stump_is_the_first_that_is_best_up_to_a_tie(data, K, n, seed):
    """In units of 2^-50, in which a tie is 2^10: weights differ by ties, and by one unit more or less."""
    rng, tie = np.random.default_rng(seed), 2**10
    X = rng.integers(0, data.draw(st.sampled_from([2, 9])), (n, 3)).astype(float)
    codes, near = rng.integers(0, K, n), [0, 1, tie - 1, tie, tie + 1, 2 * tie + 1]
    amounts = 2**40 * rng.integers(1, 3, n) + rng.choice(near, n)
    one_hot = (codes[:, None] == np.arange(K)) * amounts[:, None]
    totals = one_hot.sum(axis=0)
    cuts = []
    for j, x in enumerate(X.T):
        for low, high in itertools.pairwise(np.unique(x)):
            left = one_hot[x <= low].sum(axis=0)
            errors = totals.sum() - left.max() - (totals - left).max()
            cuts.append((j, low / 2 + high / 2, errors, left))
    best = cuts[0] if cuts else (0, math.inf, 0, totals)
    least = totals.sum() - totals.max()
    for j in range(3):
        own = [cut for cut in cuts if cut[0] == j]
        first = next((cut for cut in own if cut[2] <= min(other[2] for other in own) + tie), None)
        if first and first[2] < least - tie:
            least, best = first[2], first
    sides = [best[3], totals - best[3] if cuts else totals]
    answers = [next(k for k in range(K) if side[k] >= side.max() - tie) for side in sides]
    with small_blocks(data.draw):
        stump = boosting._StumpSearch(X, codes, K).best(amounts / 2.0**50)
    assert tuple(stump) == (*best[:2], *answers)


def test_a_stump_has_the_error_of_its_own_cut():
    """In units, with A = 2^41 and a tie of 2^10: no cut errs on A + 1025, the cut of feature 1 on A.

    Feature 0 has cuts of errors A + 1 and A: the first ties with the second, and does not beat no cut."""
    X, amounts = np.array([[2.0, 1.0], [0.0, 2.0], [1.0, 2.0]]), 2.0**41 + np.array([1, 0, 1025])
    stump = boosting._StumpSearch(X, np.array([0, 0, 1]), 2).best(amounts / 2.0**50)
    assert tuple(stump) == (1, 1.5, 0, 1)


@pytest.mark.parametrize(("K", "times"), [(2, 1), (3, 1), (3, 4)])
def test_at_a_tie_the_first_cut_wins_and_at_one_unit_more_the_second(K, times):
    """The cuts err on the weight of the last row and on that of the first; in between is another class.

    The three searches: of two classes, of more, and of few values, which come four times."""
    X, codes = np.repeat([[0.0], [1.0], [2.0]], times, axis=0), np.repeat([0, 1, 0], times)
    for more, threshold in ((2**10, 0.5), (2**10 + times, 1.5)):
        amounts = np.repeat([2**40, 2**42, 2**40 + more], times) / times
        search = boosting._StumpSearch(X, codes, K)
        assert bool(search.cells.size) == (times > 1)
        assert search.best(amounts / 2.0**50).threshold == threshold


def test_at_a_tie_the_first_class_answers():
    for more, answer in ((2**10, 0), (2**10 + 1, 1)):
        amounts = np.array([2.0**40, 2**40 + more, 2**43])
        search = boosting._StumpSearch(np.array([[0.0], [0.0], [1.0]]), np.array([0, 1, 1]), 2)
        assert tuple(search.best(amounts / 2.0**50)) == (0, 0.5, answer, 1)


class Half:
    """An estimator that only fits."""

    def fit(self, X, y):
        return self


def test_what_boosting_refuses():
    assert boosting.training_bound([0.0, 1.0]) == 0
    for call in (
        lambda: boosting.fresh_copy(Half(), np.random.default_rng(0)),
        lambda: boosting.adaboost_weight(0.25, 1),
        lambda: boosting.training_bound([0.25], 1),
        lambda: boosting.training_bound([-0.5]),
        lambda: boosting.training_bound([1.5]),
        lambda: boosting.adaboost_update(np.ones(2), np.array([0, 1]), 1.0),
        lambda: boosting.adaboost_update(np.ones(2), np.array([[True], [False]]), 1.0),
        lambda: AdaBoostClassifier().fit(np.eye(2), [0, 1]).margins(np.eye(2), [0, 2]),
    ):
        with pytest.raises(ValueError, match=r"must (be|have)|>=|at least|not fitted"):
            call()


def test_a_copy_has_the_parameters_of_the_member_inside():
    inner = DecisionTreeClassifier(max_depth=2)
    copied = boosting.fresh_copy(BaggingClassifier(inner, n_estimators=3), np.random.default_rng(0))
    assert (copied.n_estimators, copied.estimator.max_depth) == (3, 2)
    assert copied.estimator is not inner


@pytest.mark.parametrize(("module", "votes"), [(estimators, "_scores"), (board, "votes")])
def test_the_softmax_of_votes_that_are_large(module, votes, monkeypatch):
    model = module.AdaBoostClassifier().fit(np.eye(2), [0, 1])
    monkeypatch.setattr(model, votes, lambda X: np.array([[0.0, 800.0], [-800.0, 800.0], [900.0, 900.0]]))
    assert model.predict_proba(np.eye(3, 2)).tolist() == [[0, 1], [0, 1], [0.5, 0.5]]


@pytest.mark.parametrize("member", [None, KNeighborsClassifier(1)])
@pytest.mark.parametrize(("B", "warned"), [(1, True), (2, True), (60, False)])
def test_rows_that_all_members_have_seen_are_warned_of(B, warned, member):
    X, y = np.arange(6.0)[:, None], np.arange(6) % 2
    model = BaggingClassifier(member, n_estimators=B, oob_score=True, random_state=0)
    with pytest.warns(LimitWarning, match="of 6 rows were drawn") if warned else contextlib.nullcontext():
        model.fit(X, y)
    votes = model.oob_decision_function_.sum(axis=1)
    assert (0 in votes) == warned
    assert 1 in votes


def test_votes_are_equal_up_to_a_tie_of_their_sum():
    tie, unit = 2.0**-40, 2.0**-53
    for total, allowed in ((0.5, tie), (1.0, tie), (4.0, 4 * tie)):
        for less, joins in ((allowed, True), (allowed + unit, False)):
            votes = board.join_ties(np.array([1 - less, 1.0]), total)
            assert (votes[0] == 1) == joins
    assert board.join_ties(np.array([1 - 2 * tie, 1.0])).argmax() == 1
    assert [board.is_guess(0.5 + less, 2) for less in (-tie, tie, tie + 2 * unit)] == [True, True, False]
    assert [board.is_guess(0.75 - less, 4) for less in (tie, tie + unit)] == [True, False]


@pytest.mark.parametrize(
    ("together", "keys", "worth", "n_batches"),
    [(240, 720, 241, 1), (239, 720, 241, 2), (100, 720, 241, 3), (240, 719, 241, 2), (240, 150, 241, 5),
     (240, 720, 240, 1), (240, 720, 80, 3), (240, 720, 60, 4), (240, 720, 1, 4), (1, 1, 1, 12)],
)  # fmt: skip
def test_trees_grow_in_as_few_batches_as_fit_into_memory(together, keys, worth, n_batches, monkeypatch):
    """12 trees of 20 rows and 3 features: 240 instances, 720 keys; but up to 4 batches that are worth it."""
    sizes, grow = [], estimators.grow

    def look(features, codes, K, weights, *rest):
        sizes.append(len(weights))
        return grow(features, codes, K, weights, *rest)

    monkeypatch.setattr(estimators, "grow", look)
    for name, value in (("_TOGETHER", together), ("_KEYS", keys), ("_WORTH", worth)):
        monkeypatch.setattr(estimators, name, value)
    RandomForestClassifier(12, random_state=0).fit(np.eye(20)[:, :3], np.arange(20) % 2)
    assert (len(sizes), sum(sizes)) == (n_batches, 12)
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("platform", ["linux", "emscripten"])
@pytest.mark.parametrize("n_jobs", [None, 1, 2, 3])
def test_threads_are_as_many_as_jobs_and_none_in_a_browser(n_jobs, platform, monkeypatch):
    pools, in_turn = [], contextlib.nullcontext(SimpleNamespace(map=map))  # a browser has no thread to start
    monkeypatch.setattr(estimators, "ThreadPoolExecutor", lambda n: pools.append(n) or in_turn)
    monkeypatch.setattr(estimators.sys, "platform", platform)
    model = BaggingClassifier(n_estimators=3, random_state=0, n_jobs=n_jobs)
    model.fit(np.eye(4), np.arange(4) % 2).predict(np.eye(4))
    monkeypatch.undo()
    assert pools == ([] if platform == "emscripten" or n_jobs in (None, 1) else [n_jobs] * 2)


def test_votes_that_are_no_table_are_refused():
    for votes in ([0, 1], np.zeros((0, 3)), np.zeros((2, 0)), np.zeros((1, 1, 1)), np.zeros(0)):
        with pytest.raises(ValueError, match=r"votes must have shape \(B, n\)"):
            estimators.majority_vote(votes)
