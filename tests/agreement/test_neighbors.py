"""Neighbours and closest averages against the board: integers, so that distances and ties are exact."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import KNeighborsClassifier, NearestCentroid
from mlnotes import neighbors as board
from mlnotes.engines import neighbors_search as engine
from mlnotes.estimators import neighbors as estimators

quick = settings(derandomize=True, deadline=None, max_examples=120)
LIMITS = (
    "FLAT", "HALVED", "LEAF", "CROWD", "LOOKING", "QUERIES", "BOUNDS", "ROWS", "SLABS", "PAIRS", "ENTRIES",
)  # fmt: skip


@st.composite
def problems(draw):
    """Rows with copies and ties, in one to four dimensions, at the origin or far from it, and queries.

    In the plane queries may be so far from the rows that their distances tie by rounding.
    """
    n, d, q = draw(st.integers(1, 12)), draw(st.integers(1, 4)), draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    spread, far = draw(st.sampled_from([0, 1, 3])), draw(st.sampled_from([0.0, 2.0**30]))
    X, Q = (
        rng.integers(-spread, spread + 1, (n, d)) + far,
        rng.integers(-spread - 1, spread + 2, (q, d)) + far,
    )
    if d <= 2:  # sums of two squares are rounded in one way
        Q = Q + draw(st.sampled_from([0.0, 2.0**26, 2.0**54, -(2.0**56)]))
    return X, rng.integers(0, draw(st.integers(1, 4)), n), Q


@quick
@given(problems(), st.booleans(), st.data())
def test_k_nearest_neighbours(problem, small, data):
    X, y, Q = problem
    k = data.draw(st.integers(1, len(X)))
    with pytest.MonkeyPatch.context() as patch:
        for name in LIMITS if small else ():
            patch.setattr(engine, name, 3)
        if small:
            patch.setattr(engine, "SHARE", 1)
        model, own = KNeighborsClassifier(k).fit(X, y), board.KNeighborsClassifier(k).fit(X, y)
        for queries in (Q, X):
            distances, rows = model.kneighbors(queries)
            expected = own.kneighbors(queries)
            assert rows.tolist() == expected[1].tolist()
            assert distances == pytest.approx(expected[0], rel=1e-15)
            assert model.predict(queries).tolist() == own.predict(queries).tolist()
            assert model.predict_proba(queries) == pytest.approx(own.predict_proba(queries), rel=1e-15)
        if k < len(X):
            assert model.kneighbors()[1].tolist() == own.kneighbors()[1].tolist()


@pytest.mark.parametrize("crowd", [1, 64])
def test_leaves_answer_alone_where_rows_are_spread(crowd, monkeypatch):
    """Rows of the plane, and of a line and of copies in it; the screen is left with few queries or many."""
    monkeypatch.setattr(engine, "HALVED", 3)
    monkeypatch.setattr(engine, "SHARE", 1)
    monkeypatch.setattr(engine, "CROWD", crowd)
    left, screen = [], engine.NearestRows._nearest
    monkeypatch.setattr(
        engine.NearestRows, "_nearest", lambda self, Q, k: (left.append(len(Q)), screen(self, Q, k))[1]
    )
    rng = np.random.default_rng(0)
    for shape in ("square", "line", "copies"):
        X, Q = rng.random((400, 2)), rng.random((100, 2)) * 1.2 - 0.1
        X[:, 1], Q[:, 1] = 64 * X[:, 1], 64 * Q[:, 1]  # one feature spreads most
        if shape == "line":
            X[:, 1], Q[:, 1] = 0.0, 0.0
        if shape == "copies":
            X, Q = np.round(9 * X), np.round(9 * Q)
        for k in (1, 2, 7, 30):
            left.clear()
            distances, rows = engine.NearestRows(X).nearest(Q, k)
            exact = np.sqrt(((Q[:, None] - X) ** 2).sum(axis=2))
            order = np.argsort(exact, axis=1, kind="stable")[:, :k]
            assert (rows == order).all()
            assert (distances == np.take_along_axis(exact, order, axis=1)).all()
            if shape == "square":
                assert sum(left) <= (10 if crowd == 64 else 100)


@quick
@given(problems())
def test_closest_averages(problem):
    X, y, Q = problem
    X, y = np.repeat(X, 4, axis=0), np.repeat(y, 4)  # means of few rows: sums of integers, then one division
    if len(np.unique(y)) == 1:
        return
    model, own = NearestCentroid().fit(X, y), board.NearestCentroid().fit(X, y)
    assert model.centroids_ == pytest.approx(own.centroids_, rel=1e-15)
    scores = own.scores(Q)
    top = np.sort(scores, axis=1)
    clear = top[:, -1] - top[:, -2] > 1e-6 * (1 + abs(top[:, -1]))  # means are rounded, ties are not compared
    assert (model.predict(Q) == own.predict(Q))[clear].all()
    slack = 1e-12 * (1 + abs(scores).max())
    ours, theirs = (m.decision_function(Q) for m in (model, own))
    if ours.ndim == 2:  # what all classes share is left out, or not
        ours, theirs = ours - ours.max(axis=1, keepdims=True), theirs - theirs.max(axis=1, keepdims=True)
    assert ours == pytest.approx(theirs, abs=slack)


def test_ties_are_looked_at_again_wherever_their_block_is(monkeypatch):
    def blocks(n, d):
        return [slice(start, start + 3) for start in range(0, n, 3)]

    seen, again = [], NearestCentroid._compare_again
    monkeypatch.setattr(estimators, "row_blocks", blocks)
    monkeypatch.setattr(
        NearestCentroid, "_compare_again", lambda *a: (seen.extend(a[3].tolist()), again(*a))[1]
    )
    model = NearestCentroid().fit([[0.0], [2.0]], ["a", "b"])
    assert model.predict([[t] for t in (5, 1, 0, -5, 1, 5, 1)]).tolist() == list("bbaabbb")
    assert seen == [1, 4, 6]
    model = KNeighborsClassifier(1).fit([[0.0], [2.0]], ["a", "b"])
    for k in (0, 3, 1.5):
        with pytest.raises(ValueError, match="n_neighbors must be"):
            model.kneighbors([[1.0]], k)


def test_the_domain_that_a_theorem_names():
    for K in (2, 3, 7):
        assert board.cover_hart_bound(1 - 1 / K, K) == pytest.approx(1 - 1 / K)
        with pytest.raises(ValueError, match="is at most 1 - 1/"):
            board.cover_hart_bound((1 - 1 / K) * (1 + 1e-11), K)
        with pytest.raises(ValueError, match="is at most 1 - 1/"):
            board.cover_hart_bound(np.array([0.1, 1.0]), K)
    with pytest.raises(ValueError, match="k must be odd"):
        board.k_neighbors_risk(0.5, 2)


def test_around_a_point_are_its_nearest_rows_whatever_the_roots_of_their_squares_are():
    """A root may be rounded down, and its square leave out the very row that it is the distance of."""
    rng = np.random.default_rng(0)
    points, Q = rng.standard_normal((300, 2)) * 1e6, rng.standard_normal((100, 2)) * 1e6
    query, row = engine._Leaves(points).around(Q, 3)
    nearest = ((Q[:, None] - points) ** 2).sum(axis=2).argsort(axis=1)[:, :3]
    assert len(np.unique(query)) > 50
    for q in np.unique(query):
        assert set(nearest[q]) <= set(row[query == q])


def test_rows_are_measured_in_powers_of_two():
    for entries, unit in (([-9.0, 1.0], 8.0), ([-1.0, 8.0], 8.0), ([7.9, 7.5], 4.0), ([-1.0, -0.5], 1.0)):
        assert engine.NearestRows(np.array(entries)[:, None]).unit == unit
    rows = engine.NearestRows(np.array([[1e308], [-1e308], [3.0]]))
    assert rows.nearest(np.array([[1e308]]), 3)[1].tolist() == [[0, 2, 1]]


@pytest.mark.parametrize("k", [1, 3, 10])
def test_the_screen_leaves_few_rows(k, monkeypatch):
    """Measured: 1.5 k at the most, also for queries at the mean of the rows."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((600, 8))
    Q = np.vstack([rng.standard_normal((20, 8)), X.mean(axis=0), X.mean(axis=0) + 1e-9])
    monkeypatch.setattr(engine, "ROWS", 100)
    measured, rank = [], engine.NearestRows._rank
    monkeypatch.setattr(
        engine.NearestRows, "_rank", lambda self, *a: (measured.append(len(a[1])), rank(self, *a))[1]
    )
    for rows in (slice(None), slice(20, 21), slice(21, 22)):
        _, found = engine.NearestRows(X).nearest(Q[rows], k)
        exact = ((Q[rows, None] - X) ** 2).sum(axis=2)
        assert (found == exact.argsort(axis=1)[:, :k]).all()
        assert measured.pop() <= 2 * k * len(Q[rows])


def test_a_crowd_of_leaves_is_left_to_the_screen(monkeypatch):
    points = np.random.default_rng(0).random((100, 2))
    monkeypatch.setattr(engine, "CROWD", 0)
    assert [part.tolist() for part in engine._Leaves(points).around(points, 3)] == [[], []]


def test_the_bounds_of_the_screen_are_on_both_sides_of_the_distance(monkeypatch):
    """By the error E of the class's docstring, and slack for what rounding in double leaves."""
    rng = np.random.default_rng(0)
    X, Q = rng.standard_normal((30, 3)), np.vstack([rng.standard_normal((9, 3)), 100 * np.eye(3)])
    rows, asked = engine.NearestRows(X), []
    screen = rows._survivors
    monkeypatch.setattr(rows, "_survivors", lambda *a: (asked.append(a), screen(*a))[1])
    rows.nearest(Q, 2)
    low, width, slack, _ = asked[0]
    unit = np.maximum(2.0 ** np.floor(np.log2(abs(Q).max(axis=1))), rows.unit)
    x, q = (X - X.mean(axis=0)) / rows.unit, (Q - X.mean(axis=0)) / unit[:, None]
    scale, norm, norms = rows.unit / unit, np.linalg.norm(x, axis=1), np.linalg.norm(q, axis=1)
    s = scale[:, None] * norm**2 - 2 * q @ x.T
    E = 1.25 * 11 * 2.0**-24 * (scale[:, None] * norm**2 + 2 * norms[:, None] * norm)
    assert width @ np.stack([norm**2, norm]) == pytest.approx(2 * E, rel=1e-6)
    lower = low @ rows.screen[2].T
    assert (abs(lower + E - s) <= E).all()
    assert slack == pytest.approx(7 * 2.0**-51 * norms**2 / scale, rel=1e-6, abs=0)
    for start in (0, 10):
        least = rows._uppers(lower[:, start : start + 12], width, start, 2)
        assert (least >= (s + E / 2)[:, start : start + 12].min(axis=1, keepdims=True)).all()


@pytest.mark.parametrize("n", [1, 3, 4, 5, 9, 14, 63])
def test_leaves_are_halves_of_halves(n, monkeypatch):
    """Every row is in one leaf, on its side of every value; few rows are halved where they spread most."""
    monkeypatch.setattr(engine, "LEAF", 4)
    for d in (1, 3):
        points = np.random.default_rng(n).integers(-4, 5, (n, d)) * np.array([4.0, 1.0, 2.0][:d])
        tree = engine._Leaves(points)
        leaves, places = tree.number.shape
        assert places == min(n, 4) or 2 < places <= 4
        assert leaves == 2 ** len(tree.levels)
        assert sorted(tree.number[tree.number < n].tolist()) == list(range(n))
        padded = np.vstack([points, np.full(d, np.nan)])
        assert np.array_equal(tree.table, padded[tree.number].transpose(2, 1, 0), equal_nan=True)
        for depth, (axis, value) in enumerate(tree.levels):
            nodes = tree.number.reshape(2**depth, 2, -1)  # the rows of both children
            for node, children in enumerate(nodes):
                left, right = (points[rows[rows < n]] for rows in children)
                assert (left[:, axis[node]] <= value[node]).all()
                assert (right[:, axis[node]] >= value[node]).all()
                assert len(right) == 0 or right[:, axis[node]].min() == value[node]
                if n < 15:
                    spread = np.ptp(np.vstack([left, right]), axis=0)
                    assert spread[axis[node]] == spread.max()


def test_around_a_point_are_all_rows_up_to_a_distance(monkeypatch):
    """At least k rows, sorted by number, and every row as near as the last of them."""
    rng = np.random.default_rng(0)
    for d, k, leaf in ((1, 1, 4), (2, 3, 16), (3, 9, 4), (2, 40, 16)):
        monkeypatch.setattr(engine, "LEAF", leaf)
        monkeypatch.setattr(engine, "CROWD", 10**6)
        points, Q = rng.standard_normal((300, d)), rng.standard_normal((40, d))
        query, row = engine._Leaves(points).around(Q, k)
        square = ((Q[:, None] - points) ** 2).sum(axis=2)
        assert np.array_equal(np.unique(query), np.arange(40))
        assert (np.diff(query * 300 + row) > 0).all()
        for q in range(40):
            rows = row[query == q]
            assert len(rows) >= k
            assert sorted(rows) == np.flatnonzero(square[q] <= square[q, rows].max()).tolist()


def test_a_crowd_is_counted_in_leaves_and_in_rows(monkeypatch):
    """Copies of a point are more rows than may be near it; of a query at another place they are not near."""
    monkeypatch.setattr(engine, "CROWD", 6)
    points = np.repeat([[0.0], [1.0], [2.0], [3.0]], [14, 15, 8, 3], axis=0)
    monkeypatch.setattr(engine, "LEAF", 16)
    query, row = engine._Leaves(points).around(np.array([[-0.2], [3.1], [1.1]]), 2)
    assert np.bincount(query, minlength=3).tolist() == [14, 3, 0]  # at most 6 + 4 k rows
    assert row.tolist() == [*range(14), 37, 38, 39]


def test_the_factors_of_the_screen_are_those_of_its_bounds(monkeypatch):
    rng, calls = np.random.default_rng(0), []
    search = engine.NearestRows(rng.standard_normal((40, 3)))
    Q = rng.standard_normal((5, 3)) * np.array([1.0, 1.0, 1.0, 8.0, 64.0])[:, None]
    survivors = search._survivors
    monkeypatch.setattr(search, "_survivors", lambda *a: calls.append(a) or survivors(*a))
    search._nearest(Q, 2)
    low, width = calls[0][:2]
    centre, norms, rows = search.screen
    unit = search._unit(Q)[:, None]
    q = Q / unit - search.unit / unit * centre
    error = search.gamma * (search.unit / unit * norms**2 + 2 * np.linalg.norm(q, axis=1)[:, None] * norms)
    near = search.unit / unit * norms**2 - 2 * q @ (search.points / search.unit - centre).T
    size = abs(near).max()
    assert low.astype(float) @ rows.T.astype(float) == pytest.approx(near - error, abs=1e-6 * size)
    assert width @ np.stack([norms**2, norms]) == pytest.approx(2 * error, rel=1e-12)
    assert error.max() > 1e-6 * size / 100  # it is not lost in the float32 of the factors
    bounds = rng.standard_normal((5, 40)).astype(np.float32)
    monkeypatch.setattr(engine, "SLABS", 4)
    place = [range(first, 40, 10) for first in range(10)]
    own = [bounds[:, p].min(axis=1) + width @ [norms[p].max() ** 2, norms[p].max()] for p in map(list, place)]
    assert search._uppers(bounds, width, 0, 2) == pytest.approx(np.transpose(own), rel=1e-12)


def test_all_other_rows_are_the_most_that_a_training_row_has():
    model = KNeighborsClassifier(1).fit([[0.0], [1.0], [3.0]], [0, 1, 1])
    assert model.kneighbors(n_neighbors=2)[1].tolist() == [[1, 2], [0, 2], [1, 0]]
    with pytest.raises(ValueError, match="n_neighbors"):
        model.kneighbors(n_neighbors=3)


def test_scores_that_rounding_may_have_decided_are_those_of_the_stated_error():
    """Means at 2^20 and 2^21 on the first axis: products are exact, and the bound is 0.01."""
    means, d = np.zeros((2, 12)), 12
    means[:, 0] = 2.0**20, 2.0**21
    model = NearestCentroid().fit(means, [0, 1])
    error = 2 * (d + 4) * 2.0**-53 * 2.0**20 * 3.5 * 2.0**20
    for share, again in ((-1.04, False), (-0.96, True), (0.0, True), (0.96, True), (1.04, False)):
        X = np.zeros((1, d))
        X[0, 0] = 1.5 * 2.0**20 + share * error / 2.0**20
        assert len(model._screen(X)[1]) == again


def test_means_on_several_scales_are_compared_from_the_one_that_wins():
    model = NearestCentroid().fit([[1e17], [1.0], [2.0], [3.0]], [0, 1, 2, 3])
    codes = np.zeros(1, dtype=np.int64)
    model._compare_again(np.array([[1.1]]), codes, np.zeros(1, dtype=np.int64))
    assert codes.tolist() == [1]
