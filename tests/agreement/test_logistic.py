"""Logistic regression against the board: one objective, two solvers, both with a bound for what they miss."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import LogisticRegression
from mlnotes import logistic as board
from mlnotes.engines import logistic_certificates, logistic_solvers
from mlnotes.estimators import logistic as estimators
from mlnotes.estimators.base import ConvergenceWarning, LimitWarning
from mlnotes.estimators.descent import stochastic_gradient_descent

quick = settings(derandomize=True, deadline=None, max_examples=60)
WAYS = {
    "start": {"START": 0, "THIN": 2, "PATIENCE": 0},
    "blocks": {"FULL": 3, "LARGE": 0, "MEMORY": 2},
    "wide": {"WIDE": 0, "PATIENCE": 1000, "BLOCK": 10**6, "LEAST": 10**6},
}


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logistic_solvers, "BLOCK", 3)
        patch.setattr(logistic_solvers, "LEAST", 1)  # one row at a time
        patch.setattr(estimators, "BLOCK", 3)
        yield


def sent(way, patch):
    """Send the solver one of its ways; the certificate is computed of all."""
    for name, value in WAYS.get(way, {}).items():
        patch.setattr(logistic_solvers, name, value)


@st.composite
def problems(draw):
    """Small integer rows with copies and constant features, two to four classes, copies of rows."""
    K, d = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    n = K + draw(st.integers(0, 12))
    X = rng.integers(-2, 3, (n, d)).astype(float) * (rng.random(d) < 0.8)
    y = np.append(np.arange(K), rng.integers(0, K, n - K))
    return X, y, draw(st.sampled_from([None, rng.integers(1, 4, n)]))


@quick
@given(problems(), st.sampled_from([0.25, 1.0, 16.0]), st.sampled_from(["", *WAYS]))
def test_the_penalised_fit(problem, C, way):
    X, y, copies = problem
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        sent(way, patch)
        repeat = 1 if copies is None else copies.astype(np.intp)
        rows, codes = np.repeat(X, repeat, axis=0), np.repeat(y, repeat)
        model, own = LogisticRegression(C=C).fit(X, y, copies), board.LogisticRegression(C=C).fit(rows, codes)
    penalty = 1 / (C * len(rows))
    risk = board.Risk(rows, codes, penalty)
    flat = [np.column_stack([m.coef_, m.intercept_]).ravel() for m in (model, own)]
    values = [risk.value(w) for w in flat]
    assert model.certificate_["objective"] == pytest.approx(values[0], abs=1e-12)
    norm = np.linalg.norm(risk.gradient(flat[0]))  # of the weights with sum 0: without what all classes share
    assert norm - 1e-12 <= model.certificate_["gradient_norm"] <= 1e-8
    assert 0 <= model.certificate_["gap"] <= 1e-6  # of order |g| / share of the smallest class
    assert model.certificate_["dual"] <= values[1] + 1e-12  # a bound for every value
    assert model.certificate_["dual"] + model.certificate_["gap"] == pytest.approx(values[0], abs=1e-12)
    assert own.certificate_["dual"] <= values[0] + 1e-12
    # both end within their gaps of the minimum; a gap bounds the distance of W by strong convexity
    gaps = [max(m.certificate_["gap"], 0.0) + 1e-12 for m in (model, own)]
    slack = sum(np.sqrt(2 * gap / penalty) for gap in gaps)
    assert abs(model.coef_ - own.coef_).max() <= slack
    assert abs(values[0] - values[1]) <= max(gaps)
    scores = model.decision_function(X)
    own_scores = X @ model.coef_.T + model.intercept_
    assert scores == pytest.approx(own_scores[:, 0] if len(model.coef_) == 1 else own_scores, abs=1e-12)
    stacked = own_scores if len(model.coef_) > 1 else np.hstack([0 * own_scores, own_scores])
    assert model.predict_proba(X) == pytest.approx(board.softmax(stacked), abs=1e-13)
    assert model.predict_log_proba(X) == pytest.approx(np.log(board.softmax(stacked)), abs=1e-12)
    assert (model.predict(X) == model.classes_[board.softmax(stacked).argmax(axis=1)]).all()


@quick
@given(problems(), st.sampled_from([1e-5, 1.0, 1e5, 1e7]), st.integers(1, 3))
def test_without_a_penalty_both_see_the_same_separation(problem, scale, d):
    X, y, _ = problem
    X[:, :d] *= scale  # in other units, some or all
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model, own = (cls(penalty=None).fit(X, y) for cls in (LogisticRegression, board.LogisticRegression))
    assert (model.separating_direction_ is None) == (own.separating_direction_ is None)
    risk = board.Risk(X, y, 0.0)
    if model.separating_direction_ is not None:
        V, b = model.separating_direction_
        assert board.separates(risk, np.column_stack([V, b]).ravel())
    else:
        w = np.column_stack([model.coef_, model.intercept_]).ravel()
        size = np.resize(np.sqrt((risk.A**2).mean(axis=0)), len(w))
        assert (abs(risk.gradient(w)) <= 1e-6 * size).all()


def test_the_softmax_of_one_row_of_scores():
    assert board.softmax(np.log([1.0, 3.0])) == pytest.approx([0.25, 0.75], rel=1e-15)


@quick
@given(problems())
def test_newton_falls_at_every_step(problem):
    X, y, _ = problem
    risk = board.Risk(X, y, 0.125)
    far = 8.0 * (-1.0) ** np.arange(len(risk.ridge))  # from where whole steps go too far
    path = [w for w, _ in zip(board.newton(risk, far), range(30), strict=False)]
    values = [risk.value(w) for w in path]
    assert (np.diff(values) <= 1e-14).all()
    assert np.linalg.norm(risk.gradient(path[-1])) <= 1e-6
    for w, after in pairwise(path[:5]):  # 1, 1/2, 1/4, ... of a step, the first that does
        g, H, value = risk.gradient(w), risk.hessian(w), risk.value(w)
        if np.linalg.cond(H) > 1e6:
            continue
        step = np.linalg.solve(H, g)
        t = 2.0 ** round(np.log2((w - after) @ step / (step @ step)))
        assert after == pytest.approx(w - t * step, abs=1e-6 * abs(step).max())
        assert risk.value(after) <= value - 0.1 * t * (g @ step) + 1e-12
        assert t == 1 or risk.value(w - 2 * t * step) > value - 0.1 * 2 * t * (g @ step)


def tables(problem, penalty, rng, intercept=True, offset=0.0):
    """The engine's risk and the board's, a point T, and the matrix that makes the board's weights of it."""
    X, y, copies = problem
    repeat = 1 if copies is None else copies.astype(np.intp)
    own = board.Risk(np.repeat(X, repeat, axis=0), np.repeat(y, repeat), penalty)
    K = int(y.max()) + 1
    weights = None if copies is None else copies.astype(float)
    fast = logistic_solvers.Risk(X - offset, y, weights, K, penalty, intercept, offset=offset)
    T = rng.integers(-8, 9, fast.S.shape) / 8
    T[:, -1] *= intercept
    one = np.eye(X.shape[1] + 1)
    one[-1, :-1] = -fast.origin  # w, b - <w, mean>
    return fast, own, T, np.kron(np.eye(fast.m), one)


@quick
@given(problems(), st.sampled_from([0.0, 0.5]), st.sampled_from([None, 0.0, 2.0]), st.integers(0, 2**16))
def test_the_objective_and_its_metrics(problem, penalty, offset, seed):
    intercept, offset = offset is not None, offset or 0.0
    fast, own, T, J = tables(problem, penalty, np.random.default_rng(seed), intercept, offset)
    X, (m, p) = problem[0], T.shape
    f, g = fast(T)
    w = J @ T.ravel()
    free = 1.0 * (~own.is_bias | intercept)
    slope = own.gradient(w) * free
    assert f == pytest.approx(own.value(w), abs=1e-13)
    assert g.ravel() == pytest.approx(J.T @ slope, abs=1e-13)
    assert fast.norm(g) == pytest.approx(np.linalg.norm(slope), abs=1e-13)
    assert fast.sizes() == pytest.approx(np.sqrt(((own.A - [*[offset] * (p - 1), 0]) ** 2).mean(axis=0)))
    centred = w.reshape(T.shape) - (w.reshape(T.shape).mean(axis=0) if m > 1 else 0)
    assert np.column_stack(fast.weights_and_bias(T)) == pytest.approx(centred, abs=1e-14)
    C = np.kron(np.eye(m) - (m > 1) / m, np.eye(p))  # gradients have no part along equal rows
    H, H0 = (J.T @ (own.hessian(at) * np.outer(free, free)) @ J for at in (w, 0 * w))
    assert C @ fast.hessian(T) @ C == pytest.approx(C @ H @ C, abs=1e-12)
    assert np.linalg.eigvalsh(fast.hessian(T)).min() >= -1e-12
    blocks = np.array([H[k * p : (k + 1) * p, k * p : (k + 1) * p] for k in range(m)])
    assert fast.diagonal_blocks(T) == pytest.approx(blocks, abs=1e-12)

    g = (C @ (H @ T.ravel())).reshape(T.shape)  # in the range of H, and of its blocks
    assert C @ H @ C @ fast.metric(T)(g).ravel() == pytest.approx(g.ravel(), abs=1e-7)
    assert C @ H0 @ C @ fast.metric_at_zero()(g).ravel() == pytest.approx(g.ravel(), abs=1e-7)
    with pytest.MonkeyPatch.context() as patch:
        sent("blocks", patch)
        if fast.n_parameters > 3:
            steps = fast.metric(T)(g)
            assert np.einsum("kij,kj->ki", blocks, steps) == pytest.approx(g, abs=1e-7)
        sent("wide", patch)
        ridge = own.ridge.reshape(T.shape)
        steep = (np.diag(H0).reshape(T.shape) - ridge) / (1 - (m > 1) / m) + ridge  # 1/K for p (1 - p)
        steep[:, -1] += penalty  # a metric may be steeper than the objective
        varies = np.append(np.ptp(X, axis=0) > 0, True)
        assert (fast.metric_at_zero()(g) * steep)[:, varies] == pytest.approx(g[:, varies], abs=1e-12)
    scores = own.scores(w)
    codes = own.y
    excess = scores[np.arange(len(codes)), codes][:, None] - scores
    most, excess[np.arange(len(codes)), codes] = excess.max(), np.inf
    assert fast.margins(T) == pytest.approx((excess.min(), most), abs=1e-13)


@quick
@given(problems(), st.sampled_from([0.0, 0.03125, 0.5]), st.sampled_from([1.0, 1e-4]), st.integers(0, 2**16))
def test_the_gap_of_an_early_stop(problem, penalty, near, seed):
    """The dual value written out, for p mixed with one u; and that of Newton's step, about the excess."""
    fast, own, T, J = tables(problem, penalty, np.random.default_rng(seed))
    y, lam = problem[1], penalty
    best, _ = board.solve(own, np.zeros(len(own.ridge)), steps=100, tol=1e-13)
    if lam == 0.0 and abs(best).max() > 10:
        return  # no minimum, or one far away
    T = np.linalg.solve(J, best).reshape(T.shape) + near * T
    T -= T.mean(axis=0) * (fast.m > 1)  # as every step from 0 leaves it
    f, g = fast(T)
    excess = f - own.value(best)
    newton = logistic_certificates._newton_gap(fast, T, g)
    assert newton >= excess - 1e-13
    K = int(y.max()) + 1
    P, E = board.softmax(own.scores(J @ T.ravel())), np.eye(K)[own.y]
    H = own.hessian(J @ T.ravel()) - np.diag(own.ridge)
    values, slope = np.linalg.eigvalsh(H), own.gradient(J @ T.ravel())
    S = np.linalg.lstsq(H, slope, rcond=1e-10)[0]  # Newton's step of the loss, where there is one
    if values[values > 1e-12].min(initial=1.0) > 1e-4 and abs(H @ S - slope).max() < 1e-12:
        move = own.scores(S)
        U = move - (P * move).sum(axis=1, keepdims=True)
        if U.max() < 0.9:
            Q = P * (1 - U)
            assert newton == pytest.approx((Q * np.log1p(-U)).sum(axis=1).mean(), rel=1e-6, abs=1e-14)
        if U.max() > 1.1:
            assert newton == np.inf
    found = logistic_certificates.certificate(fast, T, f, g)
    assert found["gap"] >= excess - 1e-13
    assert found["gap"] == pytest.approx(f - found["dual"], abs=1e-15)
    if lam:
        e = (P - E).mean(axis=0)
        ratio = (e / E.mean(axis=0)).max()
        theta = max(0.0, ratio / (1 + ratio))
        u = E.mean(axis=0) - e / ratio if ratio > 0 else E.mean(axis=0)
        Q = (1 - theta) * P + theta * u
        assert (E - Q).mean(axis=0) == pytest.approx(0, abs=1e-13)
        pull = (E - Q)[:, -fast.m :].T @ own.A[:, :-1] / len(Q)
        entropies = [-(q * np.log(np.where(q > 0, q, 1))).sum(axis=-1).mean() for q in (P, u)]
        dual = (1 - theta) * entropies[0] + theta * entropies[1] - (pull**2).sum() / (2 * lam)
        slow = logistic_certificates._penalised_gap(fast, T, f, g)
        assert slow == pytest.approx(f - dual, abs=1e-12)
        assert found["gap"] == pytest.approx(
            max(0.0, min(f, slow, newton if slow > 1e-6 else slow)), abs=1e-12
        )


@quick
@given(problems(), st.sampled_from(["lbfgs", "gd", "sgd"]), st.booleans(), st.integers(1, 3))
def test_weights_of_classes_no_intercept_and_the_solvers_of_the_lecture(problem, solver, intercept, batch):
    (X, y, copies), K = problem, int(problem[1].max()) + 1
    factors = {int(k): float(1 + k % 3) for k in range(K)}
    weights = (1 if copies is None else copies) * np.array([factors[int(k)] for k in y])
    rows = np.repeat(X, weights.astype(int), axis=0)
    own = board.Risk(rows, np.repeat(y, weights.astype(int)), 1 / (0.5 * len(rows)))
    free = np.ones(len(own.ridge), dtype=bool) if intercept else ~own.is_bias
    options = {"C": 0.5, "fit_intercept": intercept, "solver": solver, "random_state": 3, "batch_size": batch}
    options |= {} if solver == "lbfgs" else {"max_iter": 7}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression(class_weight=factors, **options).fit(X, y, copies)
        balanced = LogisticRegression(class_weight="balanced", **options).fit(X, y, copies)
        mass = np.bincount(y, copies)
        same = dict(enumerate((mass.sum() / (K * mass)).tolist()))
        again = LogisticRegression(class_weight=same, **options).fit(X, y, copies)
    assert balanced.coef_ == pytest.approx(again.coef_, abs=1e-12)
    assert intercept or not model.intercept_.any()
    w = np.column_stack([model.coef_, model.intercept_]).ravel()
    assert model.certificate_["objective"] == pytest.approx(own.value(w), abs=1e-12)
    norm = np.linalg.norm(own.gradient(w)[free])
    assert model.certificate_["gradient_norm"] == pytest.approx(norm, abs=1e-12)
    if solver == "lbfgs":
        assert norm <= 1e-8
        return
    A, curvature, penalty = own.A * free[: own.A.shape[1]], 0.25 if K == 2 else 0.5, own.ridge.max()
    if solver == "gd":
        v, L = np.zeros(len(w)), curvature * np.linalg.norm(A, 2) ** 2 / len(A) + penalty
        for _ in range(model.n_iter_):
            v = v - own.gradient(v) * free / L
    else:
        L, shares = curvature * (A**2).sum(axis=1).max() + penalty, weights / weights.sum()

        def gradient(v, chosen):
            some = [board.Risk(X[[i]], np.array([K - 1]), 0.0) for i in chosen]
            for one, i in zip(some, chosen, strict=True):
                one.y = y[[i]]
            each = [len(y) * shares[i] * one.gradient(v) for one, i in zip(some, chosen, strict=True)]
            return (np.mean(each, axis=0) + own.ridge * v) * free

        v = stochastic_gradient_descent(
            gradient, len(X), np.zeros(len(w)), step=lambda t: 1 / (L + penalty * t), n_steps=7,
            batch_size=batch, average=True, rng=np.random.default_rng(3), every=1,
        ).x  # fmt: skip
    V = v.reshape(own.shape) - (v.reshape(own.shape).mean(axis=0) if K > 2 else 0)
    assert w == pytest.approx(V.ravel(), abs=1e-9)


def test_a_class_without_a_weight_has_weight_one():
    X, y = np.array([[0.0], [1.0], [2.0], [4.0], [5.0]]), [0, 1, 2, 1, 0]
    part, whole = (LogisticRegression(class_weight=w).fit(X, y) for w in ({1: 3.0}, {0: 1.0, 1: 3.0, 2: 1.0}))
    assert part.coef_.tolist() == whole.coef_.tolist()


@pytest.mark.parametrize(("max_iter", "every"), [(7, 1), (1998, 1), (2001, 2)])
def test_a_trace_keeps_about_a_thousand_iterates(max_iter, every, monkeypatch):
    asked, walk = [], stochastic_gradient_descent

    def few(*given, **options):
        asked.append(options["every"])
        return walk(*given, **options | {"n_steps": 1})

    monkeypatch.setattr(estimators, "stochastic_gradient_descent", few)
    with pytest.warns(ConvergenceWarning):
        LogisticRegression(solver="sgd", max_iter=max_iter, random_state=0).fit([[0.0], [1.0]], [0, 1])
    assert asked == [every]


def test_an_early_stop_is_warned_of_and_an_end_is_not():
    X, y = np.array([[0.0], [1.0], [2.0], [4.0]]), [0, 1, 0, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        LogisticRegression().fit(X, y)
        LogisticRegression(tol=0, max_iter=30).fit(X * 2.0**16, y)  # rounding has the last word
    with pytest.warns(ConvergenceWarning, match="'lbfgs' stopped after 1 steps with gradient norm"):
        LogisticRegression(max_iter=1).fit(X, y)


# --- the parts of the solver


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("m", [1, 3])
def test_products_read_rows_of_any_order_in_blocks(order, m, monkeypatch):
    monkeypatch.setattr(logistic_solvers, "LARGE", 0)
    rng = np.random.default_rng(m)
    W, X = rng.integers(-9, 10, (m, 2)) / 4, np.asarray(rng.integers(-9, 10, (7, 2)) / 4, order=order)
    out = np.empty((m, 7))
    assert logistic_solvers.products(W, X).tolist() == (W @ X.T).tolist()
    assert logistic_solvers.products(W, X, out) is out
    assert out.tolist() == (W @ X.T).tolist()


@pytest.mark.parametrize("mean", [99.5, 100.0, 100.5])
def test_features_far_from_the_origin_are_moved_there(mean):
    """Beyond 100 standard deviations, if only one feature is; the mean of eight times 0.1 is rounded."""
    far, near = np.array([[-1.0], [1.0]] * 4), np.array([[-1.0], [0.0], [0.0], [1.0]] * 2)
    for X in (far + mean, np.hstack([near, far + mean, np.full((8, 1), 0.1)])):
        moved, offset = logistic_solvers.near_the_origin(X)
        if mean <= 100.0 and X.shape[1] == 1:
            assert moved is X
            assert offset == 0.0
            continue
        assert np.array(offset).tolist() == X.mean(axis=0).tolist()
        assert moved.tolist() == np.hstack([near, far, 0 * far] if X.shape[1] > 1 else [far]).tolist()


@pytest.mark.parametrize("m", [1, 3])
def test_probabilities_of_any_scores(m):
    Z = np.array(
        [[-1000.0, -1.0, 0.0, 1.0, 1000.0], [3.0, -1.0, 0.0, 2.0, -9.0], [0.0, -1e3, 0.0, 1e3, 0.0]]
    )[:m]
    full = np.vstack([np.zeros_like(Z), Z]) if m == 1 else Z.copy()
    total, top = logistic_solvers.probabilities(Z)
    assert board.softmax(full.T).T[-m:] == pytest.approx(Z, abs=1e-15)
    assert np.log(total) + top == pytest.approx(np.logaddexp.reduce(full, axis=0), rel=1e-15)


@pytest.mark.parametrize("small", [0.0, 1e-13, 1e-11, 1e-9, 0.5])
def test_the_inverse_leaves_out_what_is_flat_up_to_rounding(small):
    """A flat eigenvalue of 1e-13 times the size may be added; ten times that, and less, is none."""
    R = np.array([[1.0, 1 - small, 0.0], [1 - small, 1.0, 0.0], [0.0, 0.0, 0.0]])
    units = np.array([2.0**-20, 2.0**9, 1.0])
    values, B = np.array([2 - small, small]), np.array([[1.0, 1, 0], [1, -1, 0]]).T / np.sqrt(2)
    inverse = (B * np.where(values > 3e-12, 1 / np.maximum(values, 1e-12), 0)) @ B.T
    found = logistic_solvers.regular_inverse(R * units * units[:, None])
    assert found * units * units[:, None] == pytest.approx(inverse, rel=0.1 if small < 1e-10 else 1e-3)


def rows_of_classes(seed, n=12, K=2):
    rng = np.random.default_rng(seed)
    return rng.integers(-3, 4, (n, 2)) / 2 + [1.0, 0.0], np.append(np.arange(K), rng.integers(0, K, n - K))


@pytest.mark.parametrize("K", [2, 3])
def test_the_solver_stops_at_its_tolerance_or_where_rounding_has_the_last_word(K):
    X, y = rows_of_classes(K, K=K)
    risk = logistic_solvers.Risk(X, y, None, K, 0.01, True)
    norm = risk.norm(risk(np.zeros_like(risk.S))[1])
    assert logistic_solvers.minimise(risk, norm, 9).n_steps == 0
    assert logistic_solvers.minimise(risk, 0.99 * norm, 9).n_steps > 0
    assert logistic_solvers.minimise(risk, 0.0, 2).n_steps == 2
    run = logistic_solvers.minimise(risk, 0.0, 10_000)
    assert run.n_steps < 1000
    assert risk.norm(run.g) <= 64 * np.finfo(float).eps * np.sqrt((X**2).sum(axis=1).mean())


def test_where_there_is_no_step_another_metric_is_tried_once(monkeypatch):
    risk, steps, metrics = (
        logistic_solvers.Risk(*rows_of_classes(0), None, 2, 0.01, True),
        [1, 0, 1, 0, 0],
        [],
    )

    def advance(run):
        run.n_steps += steps[0]
        return bool(steps.pop(0))

    monkeypatch.setattr(logistic_solvers.Run, "advance", advance)
    monkeypatch.setattr(risk, "metric", metrics.append)
    assert logistic_solvers.minimise(risk, 0.0, 9).n_steps == 2
    assert (steps, len(metrics)) == ([], 2)


def test_steps_that_lower_neither_value_nor_gradient_are_the_last(monkeypatch):
    """Of what they lower one is enough to go on; here two steps pass from one metric to the next."""
    risk = logistic_solvers.Risk(np.arange(4.0)[:, None], np.arange(4) % 2, None, 2, 0.01, True)
    states = [(6, 6), (5, 5), (9, 9), (5, 4), (9, 9), (4, 4), (9, 9), (4, 4), (9, 9)]

    def advance(run):
        run.n_steps += 1
        run.f, run.g = states.pop(0)
        return True

    monkeypatch.setattr(logistic_solvers, "PATIENCE", 2)
    monkeypatch.setattr(logistic_solvers.Run, "advance", advance)
    monkeypatch.setattr(risk, "norm", np.max)
    monkeypatch.setattr(risk, "metric", lambda T: None)
    assert logistic_solvers.minimise(risk, -np.inf, 99).n_steps == 8


@pytest.mark.parametrize(("full", "renewals"), [(24, [14, 28, 42, 56]), (23, [8, 32, 104])])
def test_when_a_metric_is_computed_anew(full, renewals, monkeypatch):
    """Of 3 classes and 8 weights each: after 6 + 24 // 3 steps; in blocks 6 + 8 // 3, ever more rarely."""
    risk, seen = logistic_solvers.Risk(np.eye(7), np.arange(7) % 3, None, 3, 0.01, True), []

    def advance(run):
        run.n_steps += 1
        run.f = -run.n_steps  # lower at every step
        return True

    monkeypatch.setattr(logistic_solvers, "FULL", full)
    monkeypatch.setattr(logistic_solvers.Run, "advance", advance)
    renew = logistic_solvers.Run.renew
    monkeypatch.setattr(
        logistic_solvers.Run, "renew", lambda run, metric: (seen.append(run.n_steps), renew(run, metric))
    )
    monkeypatch.setattr(risk, "metric", lambda T: None)
    logistic_solvers.minimise(risk, -np.inf, renewals[-1] + 1)
    assert seen == [0, *renewals]


@pytest.mark.parametrize(("d", "enough"), [(1, 60), (8, 60), (9, 60), (10, 66), (30, 186)])
def test_how_many_rows_start_from_the_solution_for_some_of_them(d, enough, monkeypatch):
    """THIN times START for each weight, and for ten weights at the least."""
    monkeypatch.setattr(logistic_solvers, "THIN", 2)
    monkeypatch.setattr(logistic_solvers, "START", 3)
    asked = []
    monkeypatch.setattr(logistic_solvers, "_warm_start", lambda risk: asked.append(len(risk.X)))
    for n in (enough - 1, enough):
        risk = logistic_solvers.Risk(np.ones((n, d)), np.arange(n) % 3, None, 3, 0.01, True)
        assert logistic_solvers.minimise(risk, np.inf, 1).n_steps == 0
    assert asked == [enough]


@pytest.mark.parametrize("K", [2, 3])
def test_the_solution_for_some_rows_is_the_start_for_all(K, monkeypatch):
    """The same scores; but no start that is worse than 0, nor one for some of the classes."""
    monkeypatch.setattr(logistic_solvers, "THIN", 2)
    X, y = rows_of_classes(K, K=K)
    y[::2] = np.arange(6) % K
    risk = logistic_solvers.Risk(X, y, None, K, 0.01, True)

    def downhill(thin, tol, max_iter, factor):
        return logistic_solvers.Run(thin, -factor * thin(np.zeros_like(thin.S))[1], lambda g: g)

    for factor in (1 / 8, -64.0):
        monkeypatch.setattr(
            logistic_solvers, "minimise", lambda *given, factor=factor: downhill(*given, factor=factor)
        )
        run, every = logistic_solvers._warm_start(risk), slice(None)
        assert (run is None) == (factor < 0)
        if run:
            thin = risk.thin()
            some = thin.scores(downhill(thin, 0, 0, factor).T, every)
            assert risk.scores(run.T, every)[:, ::2] == pytest.approx(some, abs=1e-14)
            y[::2] = 0
            y[1::2] = np.arange(6) % K
            assert logistic_solvers._warm_start(logistic_solvers.Risk(X, y, None, K, 0.01, True)) is None
            y[::2] = np.arange(6) % K


class Bowl:
    """T A T' / 2 - <b, T> in place of a risk."""

    def __init__(self, A, b):
        self.A, self.b, self.S = A, b, np.zeros((1, len(b)))

    def __call__(self, T):
        return float(((T @ self.A / 2 - self.b) * T).sum()), T @ self.A - self.b


@pytest.mark.parametrize("memory", [1, 3, 10])
def test_directions_are_those_of_the_whole_matrix(memory, monkeypatch):
    """Which each pair turns into (I - s y'/sy) H (I - y s'/sy) + s s'/sy."""
    monkeypatch.setattr(logistic_solvers, "MEMORY", memory)
    rng = np.random.default_rng(memory)
    B, units = rng.integers(-3, 4, (4, 4)), 2.0 ** np.arange(4)
    bowl = Bowl(B @ B.T + np.eye(4), rng.integers(1, 9, 4))
    run = logistic_solvers.Run(bowl, np.zeros((1, 4)), lambda q: q / units)
    pairs, factor = [], 1.0
    for _ in range(5):
        H = factor * np.diag(1 / units)
        for s, y in pairs[-memory:]:
            P = np.eye(4) - np.outer(s, y) / (s @ y)
            H = P @ H @ P.T + np.outer(s, s) / (s @ y)
        assert run.direction()[0] == pytest.approx(H @ run.g[0], rel=1e-9)
        T, g = run.T, run.g
        assert run.advance()
        s, y = (run.T - T)[0], (run.g - g)[0]
        pairs, factor = [*pairs, (s, y)], s @ y / (y @ (y / units))
    run.renew(lambda q: np.linalg.solve(bowl.A, q.T).T)
    assert run.advance()  # one step of Newton's method
    assert run.T[0] == pytest.approx(np.linalg.solve(bowl.A, bowl.b), rel=1e-12)
    assert run.since == 5 == run.n_steps - 1


class Valley:
    """A function of one number in place of a risk: the values and slopes that it is asked for, in order."""

    def __init__(self, *answers, S=0.0):
        self.answers, self.S, self.asked = list(answers), np.full((1, 1), S), []

    def __call__(self, T):
        self.asked.append(T.item())
        f, slope = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return f, np.array([[slope]])


FLAT = 0.0, 0.0  # is accepted anywhere
STEPS = {  # what stands at -1, and so on, to where the step from 1 goes; the slope at 1 is 2, the value 1
    "falls by 1e-4 of the slope's promise": ([(1 - 5e-4, -6.0)], [-1.0]),
    "falls by less": ([(1 - 3e-4, -6.0), FLAT], [-1.0, 0.5]),  # the slope is 0 at a quarter
    "falls by that of half a step": ([(2.0, 0.5), (1 - 2.5e-4, -6.0)], [-1.0, 0.0]),
    "is level, of less slope": ([(1.0, -1.75)], [-1.0]),
    "is level, of the same slope": ([(1.0, -1.85), FLAT], [-1.0, 0.0]),  # at most a half of the step is taken
    "is higher, of less slope": ([(2.0, 0.5), FLAT], [-1.0, 0.0]),
    "is higher, and falls more steeply": ([(2.0, 4.0), FLAT], [-1.0, 0.0]),
    "is the other side of a steep wall": ([(2.0, -198.0), FLAT], [-1.0, 0.8]),  # at least a tenth
    "is higher twice": ([(2.0, -6.0), (2.0, 0.5), FLAT], [-1.0, 0.5, 0.75]),
}


@pytest.mark.parametrize("unit", [1.0, 2.0**-20])
@pytest.mark.parametrize("name", STEPS)
def test_which_step_is_taken(name, unit):
    answers, asked = STEPS[name]
    answers = [(unit * f, unit * slope) for f, slope in [(1.0, 2.0), *answers]]
    valley = Valley(*answers)
    run = logistic_solvers.Run(valley, np.ones((1, 1)), lambda q: q / unit)
    assert run.advance()
    assert valley.asked == pytest.approx([1.0, *asked], rel=1e-15)
    assert (run.T.item(), run.f, run.g.item(), run.n_steps) == (valley.asked[-1], *answers[-1], 1)
    assert len(run.pairs) == (answers[-1][1] < 2 * unit)


def test_no_step_is_taken_where_all_is_higher():
    run = logistic_solvers.Run(Valley((1.0, 2.0), (2.0, -6.0)), np.ones((1, 1)), lambda q: q)
    assert not run.advance()
    assert (run.T.item(), run.f, run.n_steps, run.pairs) == (1.0, 1.0, 0, [])


@pytest.mark.parametrize("slope", [2.0, 3.0])
def test_a_pair_needs_a_slope_that_rises(slope):
    for unit in (1.0, 2.0**-20):
        valley = Valley((unit, 2 * unit), (-4 * unit, slope * unit))
        run = logistic_solvers.Run(valley, np.ones((1, 1)), lambda q, unit=unit: q / unit)
        assert run.advance()
        assert (run.pairs, run.factor) == ([], 1.0)


@pytest.mark.parametrize(("rise", "taken"), [(1e-9, True), (1e-6, False)])
def test_what_rounding_adds_to_a_value_is_relative_to_what_it_sums(rise, taken):
    """Of 2^20 in <T, S> and 1 in the value, 1e-9 is rounding."""
    valley = Valley((1.0, 2.0), (1.0 + rise, 0.0), FLAT, S=2.0**20)
    run = logistic_solvers.Run(valley, np.ones((1, 1)), lambda q: q)
    assert run.advance()
    assert (run.T.item() == -1) == taken


@pytest.mark.parametrize(("slope", "sign"), [(0.0, 1.0), (2.0**-30, -1.0)])
def test_there_is_no_step_where_rounding_points_nowhere_or_uphill(slope, sign):
    run = logistic_solvers.Run(Valley((1.0, slope)), np.ones((1, 1)), lambda q: sign * q)
    assert not run.advance()


# --- the parts of the certificate


def test_a_bias_that_fits_needs_no_mixture():
    X, y = np.array([[-1.0], [1.0], [0.0], [2.0]]), np.array([0, 1, 0, 1])
    for intercept, error in ((True, 0.0), (False, 0.25)):
        risk = logistic_solvers.Risk(X, y, None, 2, 0.5, intercept)
        assert logistic_certificates._mixture(risk, np.array([error])) == (0.0, 0.0)


@pytest.mark.parametrize(("limit", "finite"), [(9, True), (8, False)])
def test_no_step_of_newtons_method_beyond_a_size(limit, finite, monkeypatch):
    monkeypatch.setattr(logistic_certificates, "FULL", limit)
    risk = logistic_solvers.Risk(*rows_of_classes(0, K=3), None, 3, 0.5, True)
    T = np.zeros_like(risk.S)
    assert np.isfinite(logistic_certificates._newton_gap(risk, T, risk(T)[1])) == finite


def test_which_coefficients_separate(monkeypatch):
    """All rows at right sides, however little; or rows at 0, and the others so far that none bends."""
    X, y = np.array([[-1.0], [1.0], [0.0], [0.0]]), np.array([0, 1, 0, 1])
    for rows, slope, found in ((2, 0.5, True), (4, 12.0, False), (4, 50.0, True)):
        risk, T = logistic_solvers.Risk(X[:rows], y[:rows], None, 2, 0.0, True), np.array([[slope, 0.0]])
        direction = logistic_certificates.separation(risk, T)
        assert (direction is not None) == found
        assert (direction is T) == (rows == 2)
        if slope == 50.0:
            assert direction == pytest.approx(T, rel=1e-6)
    monkeypatch.setattr(logistic_certificates, "MOST", 2)
    assert logistic_certificates.separation(risk, T) is not None
    monkeypatch.setattr(logistic_certificates, "MOST", 1)
    with pytest.warns(LimitWarning, match="here are 2"):
        assert logistic_certificates.separation(risk, T) is None


def test_features_that_tell_the_same_share_a_direction_equally():
    """Nine digits of ten: what is left of the others is rounding, in which a direction would be lost."""
    x, times = np.array([-2.0, -1.0, 1.0, 3.0, 0.0, 0.0]), np.array([1, 0.3, -0.7])
    risk = logistic_solvers.Risk(np.outer(x, times), np.array([0, 0, 1, 1, 0, 1]), None, 2, 0.0, False)
    direction = logistic_certificates.separation(risk, 60 * np.array([[1.0, 0.5, 0.1, 0.0]]))
    assert direction[0, :-1] * times == pytest.approx(60 * (1 + 0.15 - 0.07) / 3, rel=1e-6)
    T, flat = np.zeros((1, 4)), 1e-3 * np.array([[1.0, -1 / 0.3, 0.0, 0.0]])
    assert logistic_certificates._newton_gap(risk, T, flat) == np.inf  # a gradient that no step explains
    assert logistic_certificates._newton_gap(risk, T, 1e-3 * np.append(times, 0.0)[None]) < 1e-5


@pytest.mark.parametrize(
    ("margins", "found"),
    [((-0.05, 100.0), True), ((-0.15, 100.0), False), ((-0.0004, 0.5), True), ((0.0, 0.0), False)],
)
def test_a_direction_may_lose_a_thousandth_of_what_it_wins(margins, found, monkeypatch):
    risk = logistic_solvers.Risk(*rows_of_classes(0), None, 2, 0.0, True)
    answers = [(0.0, 20.0), margins]
    monkeypatch.setattr(risk, "margins", lambda T: answers.pop(0))
    assert (logistic_certificates.separation(risk, np.ones((1, 3))) is not None) == found


@pytest.mark.parametrize("K", [3, 4])
def test_the_hessian_is_regular_along_equal_rows(K):
    """There the loss does not change, and the mean of the blocks of the classes takes its place."""
    X, y = rows_of_classes(1, K=K)
    risk = logistic_solvers.Risk(X, y, None, K, 0.0, True)
    T = np.random.default_rng(0).normal(size=risk.S.shape)
    v = np.arange(1.0, risk.S.shape[1] + 1)
    expected = np.tile(risk.diagonal_blocks(T).mean(axis=0) @ v, K)
    np.testing.assert_allclose(risk.hessian(T) @ np.tile(v, K), expected, rtol=1e-12)


def test_features_are_raw_unless_an_offset_is_given():
    risk = logistic_solvers.Risk(np.array([[1.0], [2.0], [6.0]]), np.array([0, 1, 0]), None, 2, 0.0, True)
    assert (risk.shift.tolist(), risk.origin.tolist()) == ([3.0], [3.0])
    weights, bias = risk.weights_and_bias(np.array([[2.0, 1.0]]))
    assert (weights.tolist(), bias.tolist()) == ([[2.0]], [-5.0])


def test_what_is_refused():
    X, y = np.array([[0.0], [1.0]]), [0, 1]
    LogisticRegression(max_iter=1, tol=1e149).fit(1e150 * X, y)
    with pytest.raises(ValueError, match="squares overflow"):
        LogisticRegression().fit(1.01e150 * X, y)
    with pytest.raises(ValueError, match="class"):
        LogisticRegression().fit(X, [0, 0])


def test_scores_of_what_is_not_finite_or_too_large():
    """Finite scores prove the rows finite, even where a product leaves out what has the coefficient 0."""

    def skipping(W, X, out=None):
        used = W.any(axis=0)
        return W[:, used] @ X[:, used].T

    model = LogisticRegression().fit(np.eye(4)[:, :2], [0, 1, 0, 1])
    model.coef_ = np.array([[10.0, 0.0]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimators, "products", skipping)
        for wrong in (np.nan, np.inf):
            with pytest.raises(ValueError, match="X contains"):
                model.decision_function([[1.0, wrong]])
        assert model.predict([[1.5e307, 0.0], [1.5e307, 1.0]]).tolist() == [1, 1]  # their sum overflows
        with pytest.raises(ValueError, match=r"entries up to 1.7e\+308, so large"):
            model.predict([[1.0, 0.0], [1.7e308, 0.0]])


@pytest.mark.parametrize("C", [1e-200, 1e-310])
def test_the_strongest_of_penalties_leaves_the_class_shares(C):
    """1 / (C S) overflows, and C S itself is 0."""
    fit = LogisticRegression(C=C).fit([[0.0], [1.0], [5.0]], [0, 1, 0], sample_weight=[1e-200] * 3)
    assert fit.intercept_[0] == pytest.approx(-np.log(2), rel=1e-12)
    assert abs(fit.coef_[0, 0]) < 1e-299
    assert 0 <= fit.certificate_["gap"] < 1e-15


@pytest.mark.parametrize("solver", ["gd", "sgd"])
def test_descent_on_features_of_zeros_stays_at_zero(solver):
    fit = LogisticRegression(penalty=None, fit_intercept=False, solver=solver, max_iter=5)
    assert fit.fit(np.zeros((4, 1)), [0, 1, 0, 1]).coef_.tolist() == [[0.0]]
