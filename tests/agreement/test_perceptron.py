"""The perceptrons against the board: the same walk, the same answers, and a certificate recomputed from it.

Rows are small multiples of 1/4, with ties, duplicates, constants and rows of zeros, so that every sum and
every product of a walk is exact, and walks are compared entry for entry. Windows have from three rows on, and
after 2 n updates it is decided whether a walk can end.
"""

import contextlib
import itertools
import math
import warnings
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mlnotes import KernelPerceptron, Perceptron
from mlnotes import perceptron as board
from mlnotes.engines import perceptron_loops as engine
from mlnotes.engines import perceptron_separability
from mlnotes.estimators import perceptron as estimators
from mlnotes.estimators.base import ConvergenceWarning
from mlnotes.estimators.perceptron import separability

U = 2.0**-53
PAUSE = 3


@pytest.fixture(autouse=True, scope="module")
def small_windows():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "BLOCK", 24)
        patch.setattr(engine, "SHORTEST", 3)
        patch.setattr(engine, "PAUSE", PAUSE)
        patch.setitem(board.PICKS, "weakest", weakest)
        patch.setattr(estimators, "PICKS", ("cyclic", *board.PICKS))
        yield


def weakest(wrong, products, rng):
    """A rule of one's own: the mistake that is almost none."""
    return wrong[[products.argmax()]]


def many(n):
    return settings(derandomize=True, deadline=None, max_examples=n, phases=[Phase.generate])


@st.composite
def tables(draw, most_classes=2):
    """Rows and labels: half of them separated by a hyperplane, with what is on it in either class."""
    n, d, K = (
        draw(st.sampled_from([2, 3, 5, 7, 11, 16])),
        draw(st.integers(1, 3)),
        draw(st.integers(2, most_classes)),
    )
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = rng.integers(-3, 4, (n, d)) / draw(st.sampled_from([1.0, 4.0]))
    X = X[rng.integers(0, n, n)] if draw(st.booleans()) else X
    X[:, 0] = X[0, 0] if draw(st.integers(0, 9)) == 0 else X[:, 0]
    y = rng.integers(0, K, n)
    if draw(st.booleans()):
        y = (X @ rng.integers(-2, 3, (d, K)) + rng.integers(-1, 2, K)).argmax(axis=1)
    y[:K] = np.arange(len(y[:K]))
    return X, y


def in_fractions(Z):
    return np.array([[Fraction(value) for value in row] for row in Z])


def fitted(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what cannot be separated
        return model.fit(*data)


def stopped(walk, n, max_iter, pick, ends):
    """The states up to where an estimator stops: at the end, at max_iter, or when it cannot end."""
    states, updates = [], 0
    for state in islice(walk, max_iter * (1 if pick == "batch" else n)):
        states.append(state)
        updates += state[1] is not None
        if not ends and updates == (PAUSE if pick == "batch" else max(2 * n, PAUSE)):
            break
    return states


def picked_classes(rows, codes, W, pick, eta, rng):
    """`pick_mistakes` of the board, with the Kesler rows of the moment for the rows."""
    while True:
        Z = rows_of_the_moment(W, rows, codes)
        if not len(wrong := board.mistake_set(W.ravel(), Z)):
            return
        chosen = pick(wrong, Z[wrong] @ W.ravel(), rng)
        W = W + eta * Z[chosen].sum(axis=0).reshape(W.shape)
        yield W, chosen


def rows_of_the_moment(W, rows, codes):
    return np.array([board.kesler_row(W, x, k).ravel() for x, k in zip(rows, codes, strict=True)])


def kesler_rows(rows, codes, K):
    """Every row against every other class, as signed rows of one problem."""
    block = np.eye(K)
    pairs = [(x, k, j) for x, k in zip(rows, codes, strict=True) for j in range(K) if j != k]
    return np.array([np.outer(block[k] - block[j], x).ravel() for x, k, j in pairs])


def walk_of(rows, codes, start, pick, eta, seed):
    rng = np.random.default_rng(seed)
    if start.ndim == 1:
        if pick == "cyclic":
            return board.visit_in_order(rows, start, eta)
        return board.pick_mistakes(rows, start, board.PICKS[pick], eta, rng)
    if pick == "cyclic":
        return board.visit_classes(rows, codes, start, eta)
    return picked_classes(rows, codes, start, board.PICKS[pick], eta, rng)


@many(300)
@given(
    st.data(),
    tables(most_classes=3),
    st.sampled_from(["cyclic", "cyclic", "cyclic", *board.PICKS, "weakest"]),
    st.booleans(),
    st.sampled_from([1.0, 0.5, 2.0]),
    st.sampled_from([1, 2, 80]),
)
def test_a_fit_is_the_walk_of_the_board(data, table, pick, intercept, eta, max_iter):
    X, y = table
    classes, codes = np.unique(y, return_inverse=True)
    K, (n, d) = len(classes), X.shape
    rng = np.random.default_rng(data.draw(st.integers(0, 2**20)))
    start = np.zeros((1 if K == 2 else K, d + intercept))
    if data.draw(st.booleans()):
        start = rng.integers(-6, 7, start.shape) / 2.0
    output = data.draw(st.sampled_from(outputs(pick, K)))
    model = Perceptron(
        pick=pick, output=output, eta0=eta, fit_intercept=intercept, max_iter=max_iter, random_state=5
    )
    fitted(model, X, y, start[:, :d], start[:, d] if intercept else None)

    rows = board.signed_rows(X, 2 * codes - 1 if K == 2 else np.ones(n), fit_intercept=intercept)
    problem = rows if K == 2 else kesler_rows(rows, codes, K)
    truth = separability(in_fractions(problem), exact=True)
    first = start[0] if K == 2 else start
    states = stopped(walk_of(rows, codes, first, pick, eta, 5), n, max_iter, pick, truth.separable)
    added = [np.ravel(i) for _, i in states if i is not None]
    assert model.mistakes_.tolist() == [int(i) for rows_of_step in added for i in rows_of_step]
    assert model.n_iter_ == (max(1, len(states)) if pick != "cyclic" else -(-len(states) // n))

    last = states[-1][0] if states else first
    W = np.reshape([w for w, _ in states] or [first], (-1, *start.shape))
    new = np.vstack([X, rng.integers(-3, 4, (6, d)) / 2.0])
    check_answers(model, W, board.signed_rows(new, np.ones(len(new)), fit_intercept=intercept), new)
    check_certificate(model, last, start / eta, rows, codes, problem, truth)
    if truth.separable and not start[:, d:].any() and (K == 2 or pick == "cyclic"):
        check_class(model, fitted(board.Perceptron(**model.get_params()), X, y, start[:, :d]), new)


def check_class(model, other, new):
    """The board's small class has the same attributes and answers."""
    assert other.mistakes_.tolist() == model.mistakes_.tolist()
    slack = 4 * len(other.path_) * U * abs(other.path_).max(initial=0) if model.output == "average" else 0.0
    np.testing.assert_allclose(other.coef_, model.coef_, rtol=0, atol=slack)
    np.testing.assert_allclose(other.intercept_, model.intercept_, rtol=0, atol=slack)
    if model.output != "average":
        assert other.decision_function(new).tolist() == model.decision_function(new).tolist()
        assert other.predict(new).tolist() == model.predict(new).tolist()


def outputs(pick, K):
    if pick != "cyclic":
        return ["last"]
    return ["average", "last"] if K > 2 else ["average", "vote", "last"]


def check_answers(model, W, rows, new):
    """The scores of the last weights, of their mean over the visits, or of the vote; the last of ties."""
    scores = model.decision_function(new)
    if model.output == "vote":
        assert scores.tolist() == np.where(rows @ W[:, 0].T >= 0, 1, -1).sum(axis=1).tolist()
    else:
        answer = W.mean(axis=0) if model.output == "average" else W[-1]
        slack = 4 * len(W) * U * abs(W).max() if model.output == "average" else 0.0
        found = np.column_stack([model.coef_, model.intercept_])[:, : answer.shape[1]]
        np.testing.assert_allclose(found, answer, rtol=0, atol=slack)
        assert model.fit_intercept or not model.intercept_.any()
        expected = rows @ answer.T
        expected = expected[:, 0] if len(answer) == 1 else expected
        rounding = 8 * rows.shape[1] * abs(rows).max() * (slack + U * abs(answer).max())
        np.testing.assert_allclose(scores, expected, rtol=0, atol=rounding)
    if scores.ndim == 1:
        codes = np.where(scores >= 0, 1, 0)
    else:
        codes = [max(range(len(row)), key=lambda k: (row[k], k)) for row in scores]
    assert model.predict(new).tolist() == model.classes_[codes].tolist()


def check_certificate(model, last, start, rows, codes, problem, truth):
    """Every entry, from the last weights and the board's formulas."""
    report, n = model.certificate_, len(rows)
    if last.ndim == 1:
        Z, radius = rows, np.linalg.norm(rows, axis=1).max()
    else:
        Z = rows_of_the_moment(last, rows, codes)
        radius = math.sqrt(2) * np.linalg.norm(rows, axis=1).max()
    w = last.ravel()
    delta = board.margin(w, Z) if w.any() else 0.0
    assert report["mistakes"] == len(model.mistakes_)
    assert report["radius"] == pytest.approx(radius, rel=8 * U)
    assert report["margin"] == pytest.approx(delta, rel=32 * U, abs=0)
    if delta > 0:
        start = start.ravel()
        norm = np.linalg.norm(start)
        along = np.clip(start @ w / np.linalg.norm(w), -norm, norm)
        bound = board.mistake_bound(radius, delta, start_norm=norm, start_along=along)
        # the rounding of norm^2 - along^2 under the root of (4.3) enters with its root
        slack = math.sqrt(64 * U) * (1 + norm / delta)
        bound *= n if model.pick == "batch" else 1
        assert report["bound"] == pytest.approx(bound, abs=n * slack, rel=1e-12)
        assert len(model.mistakes_) <= report["bound"] + n * slack
    else:
        assert report["bound"] == math.inf
    check_proof(model, delta, radius, problem, truth, codes)


def check_proof(model, delta, radius, problem, truth, codes):
    """What is said on the best margin holds, and what cannot be separated has convex weights that say so."""
    report = model.certificate_
    assert report["separable"] is truth.separable
    slack = 256 * problem.shape[1] * U * radius  # what the decision takes for zero
    assert delta <= report["lower"] <= truth.lower + slack
    assert truth.upper - slack <= report["upper"] <= radius * (1 + 4 * U)
    assert hasattr(model, "combination_") == (report["separable"] is False)
    if report["separable"] is False:
        weights = model.combination_
        if weights.ndim == 2:
            assert not weights[np.arange(len(weights)), codes].any()
            weights = weights[codes[:, None] != np.arange(weights.shape[1])]
        assert weights.min() >= 0
        assert weights.sum() == pytest.approx(1, abs=len(weights) * 8 * U)
        assert np.linalg.norm(weights @ problem) <= slack
        assert report["upper"] == pytest.approx(0, abs=slack)


KERNELS = {
    "linear": lambda A, B: A @ B.T,
    "quadratic": lambda A, B: (1 + A @ B.T) ** 2,
    "cubic": lambda A, B: (A @ B.T) ** 3,
}


@many(200)
@given(tables(), st.sampled_from([*KERNELS]), st.booleans(), st.sampled_from([1, 2, 60]))
def test_the_gram_form_is_the_walk_of_the_board(table, name, intercept, max_iter):
    X, y = table
    codes, n = np.unique(y, return_inverse=True)[1], len(X)
    signs, kernel = 2 * codes - 1, KERNELS[name]
    asked = name if name == "linear" else kernel
    model = KernelPerceptron(asked, fit_intercept=intercept, max_iter=max_iter)
    fitted(model, X, y)
    Q = np.outer(signs, signs) * (kernel(X, X) + intercept)
    report = model.certificate_
    walk = board.visit_in_gram_form(Q)
    states = stopped(walk, n, max_iter, "cyclic", report["separable"] is not False)
    assert model.mistakes_.tolist() == [i for _, i in states if i is not None]
    alpha = states[-1][0]
    assert model.counts_.tolist() == alpha.tolist()
    assert model.n_iter_ == -(-len(states) // n)
    new = np.vstack([X, -X[::-1] + 0.5])
    scores = (kernel(new, X) + intercept) @ (signs * alpha)
    assert model.decision_function(new).tolist() == scores.tolist()
    assert model.predict(new).tolist() == np.unique(y)[np.where(scores >= 0, 1, 0)].tolist()
    if report["separable"]:
        other = fitted(board.KernelPerceptron(kernel, fit_intercept=intercept, max_iter=max_iter), X, y)
        assert other.counts_.tolist() == alpha.tolist()
        assert other.mistakes_.tolist() == model.mistakes_.tolist()
        assert other.predict(new).tolist() == model.predict(new).tolist()

    size, radius = math.sqrt(alpha @ Q @ alpha), math.sqrt(max(Q.diagonal().max(), 0.0))
    delta = (Q @ alpha).min() / size if size else 0.0
    assert report["mistakes"] == alpha.sum()
    assert report["radius"] == pytest.approx(radius, rel=4 * U)
    assert report["margin"] == pytest.approx(delta, rel=16 * U)
    bound = board.mistake_bound(radius, delta) if delta > 0 else math.inf
    assert report["bound"] == pytest.approx(bound, rel=64 * U)
    # in the space of the kernel a vector with squares of the size of rounding has a norm of its root
    slack = math.sqrt(64 * n * U) * radius
    assert delta <= report["lower"] <= report["upper"] + slack
    if name == "linear":
        proof = board.separability(board.signed_rows(X, signs, fit_intercept=intercept))
        assert report["separable"] is proof.separable
    if report["separable"] is False:
        a = model.combination_
        assert a.min() >= 0
        assert a.sum() == pytest.approx(1, abs=n * 8 * U)
        assert math.sqrt(max(a @ Q @ a, 0.0)) <= slack
    else:
        assert not hasattr(model, "combination_")


# --- products in another order of summation


@many(60)
@given(tables(), st.integers(0, 2**20), st.booleans())
def test_the_rounding_of_many_products_at_once_moves_no_step(table, seed, ties):
    """Every product of a window is off by as much as rounding may be; the walk is still that of the board."""
    X, y = table
    Z = board.signed_rows(X if not ties else X[:, :1] * np.ones((1, 7)), 2 * y - 1)
    rng, exact = np.random.default_rng(seed), engine.Linear.products

    def noisy(machine, start, stop):
        sizes = abs(machine.Z[start:stop]) @ abs(machine.w)
        return exact(machine, start, stop) + rng.choice([-1, 1], stop - start) * Z.shape[1] * U * sizes

    start = np.round(rng.normal(size=Z.shape[1]), 1) if seed % 2 else np.zeros(Z.shape[1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine.Linear, "products", noisy)
        run = engine.visit_in_order(engine.Linear(Z, start.copy(), 0.1), 60 * len(Z))
    path = list(islice(board.visit_in_order(Z, start, 0.1), 60 * len(Z) if run.done else run.n_visits))
    assert len(path) == run.n_visits
    assert run.rows.tolist() == [i for _, i in path if i is not None]
    assert run.visits.tolist() == [t + 1 for t, (_, i) in enumerate(path) if i is not None]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("n", "d", "gap"), [(40, 2, 0.05), (300, 5, 0.05), (300, 12, 0.2)])
def test_the_weights_are_those_of_the_board_bit_for_bit(seed, n, d, gap):
    rng = np.random.default_rng(seed)
    u, X = rng.normal(size=d), rng.normal(size=(n, d))
    y = np.where(X @ u > 0, 1, -1)
    X += gap * np.outer(y, u / np.linalg.norm(u))
    model = Perceptron(eta0=0.1, max_iter=10_000).fit(X, y)
    path = list(board.visit_in_order(board.signed_rows(X, y), np.zeros(d + 1), 0.1))
    assert model.mistakes_.tolist() == [i for _, i in path if i is not None]
    assert np.append(model.coef_, model.intercept_).tolist() == path[-1][0].tolist()


@pytest.mark.parametrize("step", [0.5, 3.0])
def test_the_doubt_covers_the_rounding_of_two_orders_and_not_much_more(step):
    """The bound on |w| is |w| where rows are orthogonal, and of one length, and the start is another such."""
    d, n, length = 9, 4, 5.0
    Z, start = length * np.eye(n, d), 7.0 * np.eye(d)[-1]
    machine = engine.Linear(np.tile(Z, (9, 1)), start.copy(), step)  # rows are many more than features
    doubts = [machine.doubt, *(machine.update(i) for i in range(n))]
    norms = [math.sqrt(49 + t * (step * length) ** 2) for t in range(n + 1)]
    assert np.linalg.norm(machine.w) == pytest.approx(norms[-1])
    assert machine.doubt == doubts[-1]
    ratios = np.array(doubts) / (d * U * length * np.array(norms))
    assert ratios == pytest.approx(ratios[0])
    assert 2 <= ratios[0] <= 8  # each order is off by d u |z| |w| (Higham, section 3.1)


def test_a_last_row_that_alone_is_wrong_is_found():
    """The first window has three rows, and all of them are right."""
    Z = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0], [-1.0, 3.0]])
    run = engine.visit_in_order(engine.Linear(Z, np.array([1.0, 0.0]), 1.0), 8)
    path = list(islice(board.visit_in_order(Z, np.array([1.0, 0.0])), 8))
    assert run.visits.tolist() == [t + 1 for t, (_, i) in enumerate(path) if i is not None]
    assert run.visits[0] == 4


def test_a_pick_is_no_visit():
    rows = np.array([[1.0, 2.0], [2.0, -1.0]])
    run = engine.pick_mistakes(engine.Linear(rows, np.zeros(2), 1.0), 9, board.PICKS["first"], None, 9)
    assert (run.rows.tolist(), run.visits.size, run.done) == ([0, 1], 0, True)


# --- separability


@many(150)
@given(tables(), st.booleans())
def test_wolfe_and_the_walk_decide_alike(table, intercept):
    X, y = table
    Z = board.signed_rows(X, 2 * (y > 0) - 1, fit_intercept=intercept)
    walk, floats = board.separability(Z, exact=True), separability(Z)
    exact = separability(in_fractions(Z), exact=True)
    assert walk.separable is exact.separable is floats.separable
    slack = 64 * Z.shape[1] * U * np.linalg.norm(Z, axis=1).max()
    for proof in (walk, exact, floats):
        assert min(proof.weights) >= 0
        combination = np.array(proof.weights, dtype=float) @ Z
        w = np.array(proof.w, dtype=float)
        assert proof.upper == pytest.approx(np.linalg.norm(combination), abs=slack)
        assert proof.lower == pytest.approx(board.margin(w, Z) if w.any() else 0, abs=slack)
    assert sum(walk.weights) == sum(exact.weights) == 1
    assert max(walk.lower, 0) <= exact.upper + slack
    assert exact.lower <= walk.upper + slack
    if walk.separable:
        assert exact.lower == pytest.approx(exact.upper, rel=1e-12)  # the best margin, from both sides
        assert floats.lower == pytest.approx(exact.lower, abs=slack)
    else:
        assert not any(walk.weights @ in_fractions(Z))
        assert not any(exact.weights @ in_fractions(Z))


def test_wolfe_walks_to_where_the_first_weight_is_zero():
    """Two weights fall together; if the other point is dropped, rounds go in a circle above the optimum."""
    Z = [[-1, -2, 3, -3], [-3, 0, 2, 0], [3, 2, 3, 3], [-1, -1, 0, -1], [-2, 1, -3, 3], [2, 1, -1, 2]]
    far = [[-2, 2], [0, 3], [-3, 3], [2, 1]]  # where steps of the wrong length drop all points
    for rows, exact in itertools.product((Z, far), (True, False)):
        proof = separability(rows, exact=exact, max_iter=8)
        assert proof.lower == pytest.approx(proof.upper, rel=1e-12)


@pytest.mark.parametrize("unit", [1e-8, 1.0, 1e8])
def test_the_hull_of_points_that_depend_on_each_other(unit):
    """Least squares take over: weights stay small, whether pivots are rounding errors or too few."""
    for points in ([[1, 0], [2, 1e-17], [3, 0]], [[1, 0], [0, 1], [1, 1], [2, 3]], [[1, 0], [0, 2]]):
        points = unit * np.array(points)
        weights = perceptron_separability._affine_minimum(points)
        steps = np.linalg.lstsq((points[1:] - points[0]).T, -points[0], rcond=None)[0]
        assert weights[1:] == pytest.approx(steps, abs=1e-10)
        assert weights.sum() == pytest.approx(1, abs=1e-12)


def test_the_unit_of_the_rows_decides_nothing():
    """The same bits in units of powers of two, with zero in the hull up to rounding, and without."""
    rng = np.random.default_rng(0)
    for seed in range(6):
        Z = rng.standard_normal((8, 3)) + (2.0 if seed % 2 else 0.0)
        own = perceptron_separability.decide(Z, best=True, max_iter=99)
        assert own.separable is bool(seed % 2)
        assert own.separable or own.upper > 0
        for unit in (2.0**-40, 2.0**40):
            other = perceptron_separability.decide(unit * Z, best=True, max_iter=99)
            assert other.separable is own.separable
            assert (other.lower, other.upper) == (unit * own.lower, unit * own.upper)
            assert other.weights.tolist() == own.weights.tolist()


def test_nothing_is_decided_before_the_first_step():
    Z = np.array([[1.0, 0.0], [-1.0, 1.0], [0.0, -2.0]])  # zero is in their hull
    assert perceptron_separability.decide(Z, best=False, max_iter=0).separable is None
    assert perceptron_separability.decide(Z, best=False, max_iter=9).separable is False


def test_the_first_decision_is_limited_by_its_work(monkeypatch):
    """A round costs 2 D^3 + 4 n D operations: 10^11 of them, but 50 rounds; the first separator will do."""
    asked = []
    monkeypatch.setattr(perceptron_separability, "decide", lambda Z, **options: asked.append(options))
    for n, D in ((3, 500), (1000, 2), (1, 3000)):
        perceptron_separability.quick_decision(np.zeros((n, D)))
    most = 10**11 // (2 * 500**3 + 6000), 10**11 // 8016, 50
    assert asked == [{"best": False, "max_iter": rounds} for rounds in most]


# --- the board by itself


@many(50)
@given(tables(), st.sampled_from([*board.PICKS, "weakest", "cyclic"]), st.integers(0, 2**20))
def test_every_step_keeps_the_two_inequalities(table, pick, seed):
    X, y = table
    Z = 4 * board.signed_rows(X, 2 * y - 1)  # integers
    rng = np.random.default_rng(seed)
    u, R2 = rng.integers(-3, 4, Z.shape[1]), (Z**2).sum(axis=1).max()
    before, t = np.zeros(Z.shape[1]), 0
    for w, i in islice(walk_of(Z, y, before, pick, 1.0, seed), 150):
        rows = np.ravel(np.zeros(0, dtype=int) if i is None else i)
        assert (Z[rows] @ before <= 0).all()
        assert (w == before + Z[rows].sum(axis=0)).all()
        before, t = w, t + len(rows)
        assert u @ w >= t * (Z @ u).min()  # (4.1), for any u
        assert w @ w <= t * R2 * (len(Z) if pick == "batch" else 1)  # (4.2), proposition 6.1


@many(60)
@given(tables(), st.integers(0, 2**20), st.sampled_from([0.25, 1.0, 5.0]))
def test_the_first_pass_keeps_its_bound(table, seed, delta):
    X, y = table
    Z = board.signed_rows(X, 2 * y - 1)
    mistakes = sum(i is not None for _, i in islice(board.visit_in_order(Z, np.zeros(Z.shape[1])), len(Z)))
    w = np.random.default_rng(seed).normal(size=Z.shape[1])
    assert mistakes <= board.slack_bound(w, Z, delta)


def test_the_domains_that_the_definitions_name():
    Z = np.array([[3.0, 4.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="no margin"):
        board.margin(np.zeros(2), Z)
    for wrong in ({"margin": 0.0}, {"margin": 1.0, "start_norm": 1.0, "start_along": 1.1}):
        with pytest.raises(ValueError, match="the bound needs a margin > 0"):
            board.mistake_bound(radius=1.0, **wrong)
    assert board.mistake_bound(1.0, 1.0, start_norm=2.0, start_along=-2.0) == 5
    for w, delta in ((np.zeros(2), 1.0), (np.ones(2), 0.0)):
        with pytest.raises(ValueError, match="the bound needs a margin > 0"):
            board.slack_bound(w, Z, delta)


@pytest.mark.parametrize(
    ("K", "options", "sides"),
    [
        (1, {}, "both"),
        (2, {"pick": "first", "output": "average"}, "both"),
        (2, {"pick": "worst", "output": "vote"}, "both"),
        (3, {"output": "vote"}, "both"),
        (3, {"pick": "first"}, "board"),
    ],
)
def test_what_the_small_class_refuses(K, options, sides):
    X, y = np.arange(6.0)[:, None], np.arange(6) % K
    with pytest.raises(ValueError, match=r"two classes|in order"):
        board.Perceptron(**options).fit(X, y)
    if sides == "both":
        with pytest.raises(ValueError, match=r"class|pick='cyclic'"):
            Perceptron(**options).fit(X, y)
    else:
        fitted(Perceptron(**options), X, y)


@pytest.mark.parametrize("K", [2, 3])
def test_mistakes_that_are_left_are_said(K):
    X, y = np.zeros((2 * K, 1)), np.arange(2 * K) % K
    for model in (board.Perceptron(max_iter=3), Perceptron(max_iter=3)):
        with pytest.warns(UserWarning, match=r"mistakes are left|no hyperplane separates"):
            model.fit(X, y)
    assert board.Perceptron(max_iter=20, output="last").fit(np.eye(K), np.arange(K)).mistakes_.size


@pytest.mark.parametrize("K", [1, 3])
def test_the_gram_form_is_of_two_classes(K):
    for model in (board.KernelPerceptron(), KernelPerceptron()):
        with pytest.raises(ValueError, match="class"):
            model.fit(np.arange(6.0)[:, None], np.arange(6) % K)


def test_a_pass_without_mistakes_that_ends_with_the_last_visit():
    """The last mistake is at the last row: the second pass is without, and the last that is allowed."""
    X, y = np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([1, -1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = Perceptron(max_iter=2, fit_intercept=False).fit(X, y)
        again = Perceptron(max_iter=1, fit_intercept=False).fit(X, y, coef_init=model.coef_)
    assert model.coef_.tolist() == again.coef_.tolist() == [[1.0, 1.0]]
    assert (model.n_iter_, again.n_iter_) == (2, 1)


@pytest.mark.parametrize("make", [Perceptron, KernelPerceptron, board.Perceptron, board.KernelPerceptron])
def test_no_mistake_is_left_by_the_last_pass_that_is_allowed(make):
    """So nothing is warned of: the weights separate the rows, although no pass has shown it."""
    X, y = np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([1, -1])
    three = np.eye(3)[[1, 0, 2]], np.array([1, 0, 2])
    for rows, labels in [(X, y)] if "Kernel" in make.__name__ else [(X, y), three]:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = make(max_iter=1, fit_intercept=False).fit(rows, labels)
        assert model.predict(rows).tolist() == labels.tolist()
        assert model.mistakes_[-1] == len(rows) - 1
        assert getattr(model, "certificate_", {"separable": True})["separable"] is True


@pytest.mark.parametrize("model", [Perceptron(), KernelPerceptron()])
def test_of_one_class_or_of_entries_beyond_a_limit_there_is_no_perceptron(model):
    X, y = np.array([[0.0], [1.0]]), [0, 1]
    assert fitted(model, 1e75 * X, y).certificate_["bound"] > 1e299
    with pytest.raises(ValueError, match="whose fourth powers overflow"):
        model.fit(1.01e75 * X, y)
    with pytest.raises(ValueError, match="class"):
        model.fit(X, [0, 0])


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_kernel_is_symmetric_up_to_ten_digits_of_its_largest_entry(size):
    for error in (0.9e-10, 1.1e-10):
        table = size * np.array([[1.0, error, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
        model = KernelPerceptron(lambda A, B, table=table: table, fit_intercept=False, max_iter=2)
        with pytest.raises(ValueError, match="symmetric") if error > 1e-10 else contextlib.nullcontext():
            fitted(model, np.eye(3), [0, 1, 1])


def test_the_gram_form_says_that_it_is_of_two_classes():
    utils = pytest.importorskip("sklearn.utils")
    tags = [utils.get_tags(model()).classifier_tags.multi_class for model in (Perceptron, KernelPerceptron)]
    assert tags == [True, False]


@pytest.mark.parametrize(
    ("gap", "advice"),
    [
        (1.0, "14 updates from zero are enough. Raise max_iter"),
        (2.9e-3, "951254 updates from zero are enough. Raise max_iter"),
        (2.31e-3, "1.5e[+]06 updates"),
        (3e-4, "Raise max_iter"),
        (2.4e-4, "Scale the features"),
        (1e-6, "Scale the features"),
    ],
)
def test_the_advice_depends_on_how_many_updates_are_enough(gap, advice):
    with pytest.warns(ConvergenceWarning, match=advice):
        Perceptron(max_iter=1).fit([[1.0, 0.0], [1.0, gap]], [0, 1])
