"""Support vector machines against the board, on small integer rows with ties, duplicates and constants.

Normal vectors: the primal value F, and that of one class, is 1-strongly convex in w, so a machine with a gap
of F - D is within sqrt(2 gap) of the one optimal w, in the norm of the kernel, and its scores without bias
are within sqrt(2 gap k(x, x)) of the optimal ones. Two machines differ by no more than the sum of the two.
"""

import math
import warnings

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mlnotes import SVC, OneClassSVM
from mlnotes import svm as board
from mlnotes.engines import svm_kernel, svm_linear
from mlnotes.estimators import svm as estimators
from mlnotes.estimators import svm_machine

many = settings(derandomize=True, deadline=None, max_examples=30, phases=[Phase.generate])
FEW = 2.0**-43  # 1024 ulps: sums of at most 48 terms, and exponents below 100 with d + 2 terms
KERNELS = {
    "default": {},
    "linear": {"kernel": "linear"},
    "poly": {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0},
}


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    """A cache of 12 rows, the least there is; blocks of one row; a tenth of the rows foretells the rest."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("BLOCK", "CACHE", "CELLS"):
            patch.setattr(svm_kernel, name, 3)
        patch.setattr(svm_kernel, "MANY_ROWS", 13)
        patch.setattr(svm_linear, "MANY_LINES", 13)
        patch.setattr(svm_machine, "CELLS", 3)
        yield


@st.composite
def problems(draw):
    """At most 16 rows between -2 and 2, some again, some features constant, labels, copies, new points."""
    d, n = draw(st.integers(1, 3)), draw(st.integers(2, 16))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    X = rng.integers(-2, 3, (n, d)).astype(float)[rng.integers(0, n, n)]
    X[:, rng.random(d) < 0.2] = rng.integers(-2, 3)
    y = np.append([-1, 1], rng.integers(0, 2, n - 2) * 2 - 1)
    if draw(st.booleans()):  # labels by a plane, so that hard margins exist
        y = np.where(X @ rng.integers(-2, 3, d) > 0, 1, -1)
        y[:2] = y[:2] if len(set(y)) == 2 else [-1, 1]
    copies = draw(st.sampled_from([np.ones(n, dtype=int), rng.integers(1, 4, n)]))
    return X, y, copies, np.vstack([X, rng.integers(-4, 5, (5, d))])


def reaches(K, beta, b):
    """A bound for the rounding of a score."""
    return FEW * (1 + abs(K).max() * abs(beta).sum() + abs(b))


def measured(K, y, C, beta, b):
    """Primal and dual value of a machine, the smallest margin, and a bound for their rounding."""
    square, slack = beta @ K @ beta, np.maximum(0, 1 - y * (K @ beta + b))
    least = min(1.0, 1 - slack.max()) if np.isinf(C).all() else 1.0
    blur = reaches(K, beta, b) * (abs(beta).sum() + (2 * square / least**3 if least < 1 or np.isinf(C).all()
                                                     else np.sum(C)))  # fmt: skip
    return board.primal_value(square, slack, C), board.dual_value(square, beta @ y), least, blur


def fitted(make, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return make().fit(*data)


def spread_out(model, n):
    """The signed multipliers of each machine on all n rows."""
    beta = np.zeros((len(model.dual_coef_), n))
    beta[:, model.support_] = model.dual_coef_
    return beta


def check_certificate(c, X, K, y, prices, beta, b, w):
    """Every entry, from the raw answer; w is the normal vector of a linear machine, else None."""
    primal, dual, _, blur = measured(K, y, prices, beta, b)
    hard, alpha, scores = np.isinf(prices).all(), beta * y, (K @ beta if w is None else X @ w) + b
    slack, margins, off = np.maximum(0, 1 - y * scores), y * scores, reaches(K, beta, b)
    if w is not None:
        primal = board.primal_value(w @ w, slack, prices)
    total = abs(beta).sum()
    assert c["primal"] == pytest.approx(primal, abs=blur)
    assert c["dual"] == pytest.approx(dual - abs(b * beta.sum()), abs=blur)
    assert c["gap"] == pytest.approx((c["primal"] - c["dual"]) / c["primal"], abs=1e-15)
    assert c["gap"] <= estimators.GAP
    assert c["dual_feasibility"] == max(0, -alpha.min(), (alpha - prices).max()) == 0
    assert c["equality"] == pytest.approx(abs(beta.sum()) / total, abs=1e-15)
    assert c["primal_feasibility"] == pytest.approx(slack.max() if hard else 0, abs=off)
    upper = 0 if hard else ((prices - alpha) * slack).max()
    both = max((alpha * np.maximum(0, margins - 1)).max(), upper)
    limit = max(alpha.max(), 0 if hard else prices.max())
    assert c["complementarity"] == pytest.approx(both / primal, abs=2 * off * limit / primal)
    assert c["margin"] == ((alpha > 0) & (alpha < prices)).sum()
    assert c["bound"] == (alpha == prices).sum()
    if w is not None:
        dw, terms = w - beta @ X, total * np.linalg.norm(X, axis=1).max()
        assert c["stationarity"] * terms == pytest.approx(abs(dw).max(), abs=off)
        assert c["stationarity"] <= 1e-6
        assert dw @ dw / 2 <= primal - dual + blur  # the gap is this and what is never negative
    else:
        assert c["stationarity"] == 0
    assert isinstance(c["steps"], int)


@pytest.mark.parametrize("kernel", KERNELS)
@many
@given(problems(), st.sampled_from([1 / 64, 0.25, 1.0, 16.0, math.inf]))
def test_two_classes(kernel, problem, C):
    X, y, copies, Z = problem
    repeat = copies.astype(np.intp)
    rows, signs = np.repeat(X, repeat, axis=0), np.repeat(y, repeat)
    options = KERNELS[kernel]
    own = board.SVC(C, **({"kernel": "rbf"} | options))
    try:
        own.fit(rows, signs)
    except ValueError:
        assert math.isinf(C)
        with pytest.raises(estimators.NotSeparableError) as refusal:
            SVC(C, **options).fit(X, y, copies)
        weights, K = refusal.value.weights, own.gram(X, X)
        assert weights.min() >= 0
        assert [weights[y == k].sum() for k in (-1, 1)] == pytest.approx([1, 1], abs=1e-9)
        # a gap of the means below 1e-6; the smallest one of disjoint hulls of such rows is above 1e-3
        assert (weights * y) @ K @ (weights * y) <= 1e-12 * abs(K).max()
        return
    model = fitted(lambda: SVC(C, **options), X, y, copies)
    if "kernel" not in options:
        assert model.gamma_ == pytest.approx(own.options_["gamma"], rel=1e-14)
    K, (beta,), b = own.gram(X, X), spread_out(model, len(X)), model.intercept_[0]
    prices, alpha = C * copies, beta * y
    primal, dual, least, blur = measured(K, y, prices, beta, b)
    (beta_own,), b_own = spread_out(own, len(rows)), own.intercept_[0]
    primal_own, dual_own, least_own, blur_own = measured(
        own.gram(rows, rows), signs, np.full(len(rows), C), beta_own, b_own
    )

    w = model.coef_[0] if kernel == "linear" else None
    check_certificate(model.certificate_, X, K, y, prices, beta, b, w)
    if w is not None:
        assert np.linalg.norm(w - beta @ X) <= 1e-9 * np.linalg.norm(w) + reaches(K, beta, b)

    # each dual bounds the other's primal, and with the gaps the normal vectors agree
    assert dual <= primal_own + blur + blur_own
    assert dual_own <= primal + blur + blur_own
    gaps = max(0, primal - dual) + blur, max(0, primal_own - dual_own) + blur_own
    apart = math.sqrt(2 * gaps[0]) + math.sqrt(2 * gaps[1])
    scores, scores_own = (m.decision_function(Z) - m.intercept_[0] for m in (model, own))
    lengths = np.sqrt([own.gram(z[None], z[None])[0, 0] for z in Z])
    near = apart * lengths + reaches(own.gram(Z, X), beta, b) + reaches(own.gram(Z, rows), beta_own, b_own)
    assert (abs(scores / least - scores_own / least_own) <= near / min(least, least_own)).all()

    # the middle of the optimal b, where the bounds tell its interval
    if not math.isinf(C) and np.isin(alpha / prices, [0, 1]).all():
        assert b == pytest.approx(
            np.mean(board.bias_interval(alpha, y, K, prices)), abs=2 * reaches(K, beta, b) + apart
        )
    assert model.decision_function(Z) == pytest.approx(own.gram(Z, X) @ beta + b, abs=near.max())
    assert (model.predict(Z) == np.where(model.decision_function(Z) >= 0, 1, -1)).all()


@pytest.mark.parametrize("kernel", KERNELS)
@many
@given(problems(), st.sampled_from([0.25, 16.0]), st.sampled_from(["ovo", "ovr"]), st.integers(3, 4))
def test_several_classes(kernel, problem, C, multi_class, n_classes):
    """A machine for each pair, which votes, or for each class against the rest; sums of scores break ties."""
    X, _, copies, Z = problem
    X, n = np.vstack([X, X[:2]]), len(X) + 2
    codes = np.append(np.arange(n - 2) % (n_classes - 1), [n_classes - 1] * 2)
    copies, options = np.append(copies, [1, 1]), KERNELS[kernel]
    if len(set(codes)) < n_classes:
        return
    names = np.array(list("abcd"))
    model = fitted(lambda: SVC(C, multi_class=multi_class, **options), X, names[codes], copies)
    own = board.SVC(C, **({"kernel": "rbf", "gamma": model.gamma_} if kernel == "default" else options))
    own.gram_of_rows(X)
    every = np.arange(n)
    tasks = [(k, every, codes == k) for k in range(n_classes)]
    if multi_class == "ovo":
        tasks = [(k, rows := np.flatnonzero(np.isin(codes, (j, k))), codes[rows] == k)
                 for j in range(n_classes) for k in range(j + 1, n_classes)]  # fmt: skip
    betas, scores = spread_out(model, n), []
    assert (model.support_ == np.flatnonzero(betas.any(axis=0))).all()
    for m, (_, rows, positive) in enumerate(tasks):
        beta, b, signs = betas[m, rows], model.intercept_[m], np.where(positive, 1, -1)
        assert set(np.flatnonzero(betas[m])) <= set(rows)
        w = model.coef_[m] if kernel == "linear" else None
        check_certificate(
            model.certificates_[m], X[rows], own.gram(X[rows], X[rows]), signs, C * copies[rows], beta, b, w
        )
        scores.append((own.gram(Z, X[rows]) @ beta if w is None else Z @ w) + b)
    assert model.certificate_["gap"] == max(c["gap"] for c in model.certificates_)
    if multi_class == "ovr":
        assert model.decision_function(Z) == pytest.approx(np.transpose(scores), abs=1e-10)
        return
    pairs = [(j, k) for j in range(n_classes) for k in range(j + 1, n_classes)]
    sure = (abs(np.array(scores)) > 1e-10).all(axis=0)
    votes, sums = np.zeros((2, len(Z), n_classes))
    for (j, k), score in zip(pairs, scores, strict=True):
        for i, value in enumerate(score):
            votes[i, k if value >= 0 else j] += 1
            sums[i, [j, k]] += [-value, value]
    shares = model.decision_function(Z) - votes
    assert shares[sure] == pytest.approx((sums / (3 * (abs(sums) + 1)))[sure], abs=1e-10)
    assert (model.predict(Z) == names[model.decision_function(Z).argmax(axis=1)]).all()


@pytest.mark.parametrize("kernel", ["default", "poly"])
@many
@given(problems(), st.sampled_from([0.25, 16.0]), st.sampled_from([0.5, 0.03, 1e-3, 1e-6]))
def test_the_gap_is_at_most_the_tolerance(kernel, problem, C, tol):
    X, y, copies, _ = problem
    model = fitted(lambda: SVC(C, tol=tol, **KERNELS[kernel]), X, y, copies)
    own = board.SVC(**({"kernel": "rbf", "gamma": model.gamma_} | KERNELS[kernel]))
    K = own.gram_of_rows(X)
    (beta,), prices = spread_out(model, len(X)), C * copies
    primal, dual, _, blur = measured(K, y, prices, beta, model.intercept_[0])
    assert primal - dual <= tol * primal + 2 * blur
    assert (beta * y).min() >= 0
    assert (beta * y <= prices).all()
    assert abs(beta.sum()) <= FEW * abs(beta).sum()


@pytest.mark.parametrize(("kernel", "C"), [("rbf", 1.0), ("linear", 1.0), ("rbf", math.inf)])
def test_a_tolerance_ends_the_search_where_it_takes_long(kernel, C):
    """The linear kernel and the hard margin go on to the end, whatever the tolerance."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 2))
    y = np.where(X[:, 0] + (0.7 * rng.standard_normal(100) if C == 1 else 0) > 0, 1, -1)
    own, same, rough = (fitted(lambda t=t: SVC(C, kernel=kernel, **t), X, y)
                        for t in ({}, {"tol": 1e-12}, {"tol": 0.1}))  # fmt: skip
    assert same.dual_coef_.tobytes() == own.dual_coef_.tobytes()
    if kernel == "rbf" and C == 1:
        assert own.certificate_["gap"] < estimators.GAP < rough.certificate_["gap"] <= 0.1
        assert rough.certificate_["steps"] <= own.certificate_["steps"]
    else:
        assert rough.dual_coef_.tobytes() == own.dual_coef_.tobytes()


def test_a_kernel_machine_with_an_open_gap_is_solved_again(monkeypatch):
    """In coordinates whose products are the Gram matrix; its directions without length are left out."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.integers(-3, 4, (20, 2)), 2, axis=0).astype(float)
    y = np.where(X[:, 0] + rng.standard_normal(40) > 0, 1, -1)
    right = SVC(kernel="rbf", gamma=0.5).fit(X, y)
    nothing = svm_linear.Solution(np.zeros(40), np.zeros(40), 0.0, 7)
    monkeypatch.setattr(estimators, "solve_kernel", lambda *arguments: nothing)
    again = SVC(kernel="rbf", gamma=0.5).fit(X, y)
    assert again.certificate_["gap"] <= estimators.GAP
    assert again.certificate_["steps"] > 7
    assert again.certificate_["primal"] == pytest.approx(right.certificate_["primal"], rel=2e-8)
    solved = []
    solve = svm_linear.solve_linear
    monkeypatch.setattr(estimators, "solve_linear", lambda A, *rest: solved.append(A) or solve(A, *rest))
    SVC(kernel="rbf", gamma=0.5).fit(X, y)
    assert solved[0].shape[1] == len(np.unique(X, axis=0))  # one for each row that differs
    monkeypatch.setattr(svm_kernel, "MANY_ROWS", 41)
    asked = []
    SVC(kernel=lambda A, B: asked.append(len(A)) or A @ B.T).fit(X, y)
    assert asked == [40]  # the Gram matrix is at hand


@pytest.mark.parametrize(
    "kernel", ["default", "poly"]
)  # the linear optimum is often 0, without a relative gap
@many
@given(problems(), st.sampled_from([0.125, 0.3, 0.5, 1.0]))
def test_one_class(kernel, problem, nu):
    X, _, _, Z = problem
    options, n = KERNELS[kernel], len(X)
    own = board.OneClassSVM(nu, **({"kernel": "rbf"} | options)).fit(X)
    model = fitted(lambda: OneClassSVM(nu, **options), X)
    K, share = own.gram(X, X), nu * n
    beta, beta_own = (spread_out(m, n)[0] / share for m in (model, own))
    rho = model.offset_ / share
    square, square_own = beta @ K @ beta, beta_own @ K @ beta_own
    off = reaches(K, beta, rho)
    primal = 0.5 * square - rho + np.maximum(0, rho - K @ beta).sum() / share
    c, edge = model.certificate_, 2 * estimators.EDGE * abs(rho) + 4 * off * (1 + 1 / nu)
    assert c["primal"] == pytest.approx(primal, abs=edge)
    assert c["dual"] == pytest.approx(-0.5 * square, abs=off)
    unit = max(abs(c["primal"]), abs(c["dual"]))
    assert c["gap"] == pytest.approx((c["primal"] - c["dual"]) / unit if unit else 0, abs=1e-15)
    assert c["gap"] <= estimators.GAP
    assert c["equality"] == pytest.approx(abs(beta.sum() - 1), abs=FEW)
    assert beta.min() >= 0
    assert beta.max() <= (1 + FEW) / share
    assert isinstance(c["steps"], int)

    gaps = max(0, primal + 0.5 * square) + edge, max(0, own.gap_ * square_own) + edge
    lengths = np.sqrt([own.gram(z[None], z[None])[0, 0] for z in np.vstack([X, Z])])
    apart = math.sqrt(2 * gaps[0]) + math.sqrt(2 * gaps[1])
    near = share * (apart * lengths.max() + reaches(own.gram(Z, X), beta, rho))
    scores = model.score_samples(Z)
    assert scores == pytest.approx(own.decision_function(Z) - own.intercept_[0], abs=near)
    # rho lies between two scores of the rows in order, which move by no more than the scores
    sure = abs(own.decision_function(Z)) > 2 * near + share * edge
    assert (model.predict(Z) == own.predict(Z))[sure].all()
    assert (model.predict(X) == -1).sum() <= share * (1 + FEW)  # those on the edge are inside
    assert (model.predict(Z) == np.where(scores >= model.offset_, 1, -1)).all()


@pytest.mark.parametrize(
    ("kernel", "lines", "steps"),
    [("linear", 100, [76, 77, 81]), ("linear", 13, [218, 253, 286]), ("rbf", 100, [118, 236, 2032])],
    ids=["all rows", "near the margin", "pairs"],
)
def test_the_work(kernel, lines, steps, monkeypatch):
    """Steps for six draws of 60 rows, as measured: what is wrong on the way is mended at the end, by others.

    Another order of sums in BLAS moves them by 9 % at most.
    """
    monkeypatch.setattr(svm_linear, "MANY_LINES", lines)
    for C, measured_steps in zip((0.1, 1.0, 100.0), steps, strict=True):
        total = 0
        for seed in range(6):
            rng = np.random.default_rng(seed)
            X = rng.standard_normal((60, 3))
            y = np.where(X[:, 0] + 0.7 * rng.standard_normal(60) > 0, 1, -1)
            total += SVC(C, kernel=kernel).fit(X, y).certificate_["steps"]
        assert total == pytest.approx(measured_steps, rel=0.2)


# --- the parts of the solvers: the certificate of a fit mends what they do wrong, at the cost of work


def regular(rng, n):
    """A Gram matrix whose eigenvalues are between 1 and about 5."""
    A = rng.standard_normal((n, n))
    return A @ A.T / n + np.eye(n)


@pytest.mark.parametrize("m", [1, 5, 9, 130])
def test_the_factor_of_the_free_rows(m, monkeypatch):
    """By columns of blocks of four rows: the matrix, what it solves, and the rows that can be appended."""
    monkeypatch.setattr(svm_kernel._Face._factor, "__defaults__", (4,))
    rng = np.random.default_rng(m)
    G, order, B = regular(rng, m + 65), rng.permutation(m + 65), rng.standard_normal((m + 65, 2))
    face = svm_kernel._Face(svm_kernel.WholeGram(G), order[:m], 0.5)
    for more in (0, 3, 61):
        k = len(face.rows)
        assert face.extend(order[k : k + more])
        among = G[np.ix_(order[: k + more], order[: k + more])]
        assert face.matrix.tolist() == among.tolist()
        truth = np.linalg.solve(among + 0.5 * np.eye(k + more), B[: k + more])
        assert face.solve(B[: k + more]) == pytest.approx(truth, abs=1e-12)
    assert not face.extend(order[m + 64 :])  # no room
    G[order[m], order[m]] = 0.0
    face = svm_kernel._Face(svm_kernel.WholeGram(G), order[:m], -0.5)
    assert not face.extend(order[m : m + 1])  # not positive definite


@pytest.mark.parametrize("seed", range(3))
def test_steps_that_leave_held_multipliers_alone(seed):
    """The least value over steps with sum zero that do not touch them, up to the square of the ridge."""
    rng = np.random.default_rng(seed)
    G, held, ridge = regular(rng, 8), np.zeros(8, dtype=bool), 1e-4
    constraints = svm_kernel._Constraints(svm_kernel._Face(svm_kernel.WholeGram(G), np.arange(8), ridge))
    for more in ([], [2], [5, 0]):
        held[more] = True
        g, free = rng.standard_normal(8), np.flatnonzero(~held)
        step, m = constraints.toward_optimum(g, held), len(free)
        system = np.ones((m + 1, m + 1))
        system[:m, :m], system[m, m] = G[np.ix_(free, free)], 0.0
        truth = np.linalg.solve(system, np.append(-g[free], 0.0))[:m]
        assert not step[held].any()
        assert step[free] == pytest.approx(truth, abs=100 * ridge**2)


@pytest.mark.parametrize("seed", range(4))
def test_the_gap_of_a_point_bounds_how_far_it_is_from_the_optimum(seed):
    rng = np.random.default_rng(seed)
    K, y = svm_kernel.WholeGram(regular(rng, 12)), np.repeat([-1.0, 1.0], 6)
    lo, hi = np.minimum(0, y), np.maximum(0, y)

    def state(beta):
        return svm_kernel._State(K, y, lo, hi, beta, K.store @ beta - y, 0.0)

    def value(beta):
        return beta @ K.store @ beta / 2 - y @ beta

    best = svm_kernel.solve_kernel(K, y, lo, hi, np.zeros(12)).beta
    assert state(best).gap() <= svm_kernel.GOAL
    for _ in range(20):
        beta = svm_linear.project_onto_box(y * rng.random(12), lo, hi, 0.0)
        found = state(beta.copy())
        r = found.gradient + found.bias()
        room = np.maximum(r * (beta - hi), r * (beta - lo)).sum()  # the most that -r falls within the box
        assert found.gap() * abs(value(beta)) == pytest.approx(room)
        assert room >= value(beta) - value(best) - 1e-12
        if svm_kernel._exchange(found):
            assert found.beta == pytest.approx(best, abs=1e-10)
        else:
            assert found.beta.tolist() == beta.tolist()
        check_newton(state(beta.copy()), value)
        held = (beta <= lo) | (beta >= hi)
        moving = np.flatnonzero(~held)[1:]  # one that is free stays where it is
        d = np.zeros(12)
        d[moving] = 2 * (best - beta)[moving] + rng.standard_normal(len(moving)) * rng.integers(2)
        d[moving] -= d[moving].mean()
        point = svm_kernel._inside(beta, beta + d, d, lo, hi, state(beta).gradient, K.store, held)
        assert (lo <= point).all()
        assert (point <= hi).all()
        assert point.sum() == pytest.approx(0.0, abs=1e-12)


def check_newton(state, value):
    """A step keeps the sum and the gradient, and raises no value."""
    before, free = value(state.beta), len(state.free())
    assert (svm_kernel._newton(state, None) is None) == (free < 2)
    assert value(state.beta) <= before + 1e-12
    assert state.gradient == pytest.approx(state.K.store @ state.beta - state.t, abs=1e-12)
    assert state.beta.sum() == pytest.approx(0.0, abs=1e-12)


def test_newton_steps_follow_exchanges_that_fail(monkeypatch):
    calls, newton = [], svm_kernel._newton
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    data = X, np.where(X[:, 0] + 0.7 * rng.standard_normal(60) > 0, 1, -1)
    right = SVC(1.0).fit(*data).certificate_["primal"]
    monkeypatch.setattr(svm_kernel, "_exchange", lambda state: False)
    monkeypatch.setattr(svm_kernel, "_newton", lambda *rest: calls.append(0) or newton(*rest))
    assert SVC(1.0).fit(*data).certificate_["primal"] == pytest.approx(right, rel=2 * estimators.GAP)
    assert calls


def test_rows_of_which_all_have_room_are_computed_once(monkeypatch):
    monkeypatch.setattr(svm_kernel, "CACHE", 144)
    rng, computed = np.random.default_rng(0), []
    G = regular(rng, 12)
    K = svm_kernel.GramRows(
        lambda rows, others: computed.extend(rows) or G[rows][:, others], G.diagonal().copy(), 1e9
    )
    for i in rng.integers(0, 12, 60):
        assert K.row(i, rng.random(12)).tolist() == G[i].tolist()
    assert sorted(computed) == sorted(set(computed))


def test_a_step_that_meets_no_bound_is_whole():
    assert svm_linear._longest((np.ones(2), np.zeros(2)), share=0.5) == 1.0
    assert svm_linear._longest((np.ones(2), np.array([0.0, -2.0])), share=0.5) == 0.25


def test_only_rows_near_the_margin_are_solved_again(monkeypatch):
    sizes, solve = [], svm_linear._interior_point
    monkeypatch.setattr(
        svm_linear, "_interior_point", lambda A, *rest: sizes.append(len(A)) or solve(A, *rest)
    )
    rng = np.random.default_rng(0)
    X = rng.standard_normal((600, 2))
    SVC(1.0, kernel="linear").fit(X, np.where(X[:, 0] + 0.3 * rng.standard_normal(600) > 0, 1, -1))
    assert sum(sizes) <= 300


@pytest.mark.parametrize("seed", range(6))
def test_exact_sets_make_no_gap_worse(seed):
    rng = np.random.default_rng(seed)
    A, y = rng.standard_normal((14, 2)), np.repeat([-1.0, 1.0], 7)
    p, C = np.ones(2), rng.random(14) + 0.1
    alpha = C * rng.random(14) * (rng.random(14) < 0.8)
    v, bias = rng.standard_normal(2), float(rng.standard_normal())
    before = svm_linear._linear_gap(A, p, y, C, y * alpha, v, bias)
    after = svm_linear._linear_gap(A, p, y, C, *svm_linear._exact_sets(A, p, y, C, alpha, v, bias))
    assert after <= before


@pytest.mark.parametrize("seed", range(3))
def test_projections_on_the_box_take_few_steps(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    z, lo, hi = rng.standard_normal(50), -rng.random(50), rng.random(50)
    clips, clip = [], np.clip
    monkeypatch.setattr(np, "clip", lambda *a: clips.append(0) or clip(*a))
    x = svm_linear.project_onto_box(z, lo, hi, 1.0)
    assert x.sum() == pytest.approx(1.0)
    assert len(clips) <= 10
