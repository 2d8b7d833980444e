"""Support vector machines against the board, on small integer rows with ties, duplicates and constants.

Normal vectors: the primal value F, and that of one class, is 1-strongly convex in w, so a machine with a gap
of F - D is within sqrt(2 gap) of the one optimal w, in the norm of the kernel, and its scores without bias
are within sqrt(2 gap k(x, x)) of the optimal ones. Two machines differ by no more than the sum of the two.
"""

import itertools
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
        weights, K, distance = refusal.value.weights, own.gram(X, X), refusal.value.distance
        assert distance == pytest.approx(math.sqrt(max(0, (weights * y) @ K @ (weights * y))), abs=1e-6)
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
    for most, times in ((39, 0), (40, 1)):
        solved.clear()
        monkeypatch.setattr(estimators, "EXPLICIT", most)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            SVC(kernel="rbf", gamma=0.5).fit(X, y)
        assert len(solved) == times == 1 - len(said)
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
    assert svm_linear._longest((np.ones(2), np.array([0.0, -0.3])), share=0.5) == 1.0


def test_signed_multipliers_lie_between_0_and_the_signed_price():
    low, high = svm_linear.signed_box(np.array([1.0, -1.0]), np.array([3.0, 0.5]))
    assert (low.tolist(), high.tolist()) == ([0.0, -0.5], [3.0, 0.0])


def test_constant_features_weigh_nothing():
    solution = svm_linear.solve_linear(np.ones((4, 2)), np.array([1.0, -1.0, 1.0, -1.0]), np.ones(4))
    assert solution.weights.tolist() == [0.0, 0.0]
    assert np.isfinite(solution.bias)


@pytest.mark.parametrize("seed", range(4))
def test_an_interior_point_ends_where_its_gap_falls_no_longer(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, 3))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(60) > 0, 1.0, -1.0)
    assert svm_linear._interior_point(X, np.ones(3), y, np.full(60, 10.0 ** (3 * seed - 3)))[-1] <= 60


def test_a_mean_row_inside_its_bound_is_no_answer(monkeypatch):
    rng, all_rows = np.random.default_rng(0), svm_linear._all_rows
    X = rng.standard_normal((600, 2))
    y = np.where(X[:, 0] + 0.3 * rng.standard_normal(600) > 0, 1.0, -1.0)
    assert svm_linear._near_the_margin(X, np.ones(2), y, np.ones(600)) is not None

    def short_of_the_last_price(*program):
        beta, *rest = all_rows(*program)
        beta[-1] *= 0.5
        return beta, *rest

    monkeypatch.setattr(svm_linear, "_all_rows", short_of_the_last_price)
    assert svm_linear._near_the_margin(X, np.ones(2), y, np.ones(600)) is None


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


# --- the steps of the solvers against those of the textbook, written out


def posed(seed, n=12, blocky=False):
    """A program of n rows, and a feasible point with multipliers at both bounds and between them."""
    rng = np.random.default_rng(seed)
    G, y = regular(rng, n), np.resize([-1.0, 1.0], n)
    if seed % 2:  # one value on the diagonal
        G /= np.sqrt(np.outer(G.diagonal(), G.diagonal()))
        np.fill_diagonal(G, 1.0)
    C = rng.random(n) + 0.5
    lo, hi = np.minimum(0, C * y), np.maximum(0, C * y)
    beta = svm_linear.project_onto_box(y * C * rng.choice([-1.0, 0.3, 0.6, 2.0], n), lo, hi, 0.0)
    K = svm_kernel.GramRows(lambda rows, others: G[rows][:, others], G.diagonal().copy(), 1e9)
    return (
        rng,
        G,
        svm_kernel._State(K if blocky else svm_kernel.WholeGram(G), y, lo, hi, beta, G @ beta - y, 0.0),
    )


def plain_pairs(G, state, tol, limit):
    """Fan, Chen and Lin's pairs: the multipliers, how many moves, and whether rounding decides the next."""
    beta, g, lo, hi = state.beta.copy(), state.gradient.copy(), state.lo, state.hi
    for step in range(limit):
        up, down = np.flatnonzero(beta < hi), np.flatnonzero(beta > lo)
        i, *others = up[g[up].argsort()]
        if others and g[others[0]] - g[i] < 1e-9:  # a move that meets no bound makes two gradients equal
            return beta, step, True
        down = down[g[down] > g[i]]
        if not len(down) or (step % 8 == 0 and g[down].max() - g[i] <= tol):
            return beta, step, False
        curvature = G[i, i] + G[down, down] - 2 * G[i, down]
        best = ((g[down] - g[i]) ** 2 / curvature).argmax()
        j = down[best]
        move = min((g[j] - g[i]) / curvature[best], hi[i] - beta[i], beta[j] - lo[j])
        beta[[i, j]] += [move, -move]
        g += move * (G[i] - G[j])
        beta[np.isclose(beta, lo, atol=1e-12)] = lo[np.isclose(beta, lo, atol=1e-12)]
        beta[np.isclose(beta, hi, atol=1e-12)] = hi[np.isclose(beta, hi, atol=1e-12)]
    return beta, limit, False


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("blocky", [False, True])
def test_pairs_are_those_of_second_order(seed, blocky):
    for limit, tol in ((1, 0.0), (2, 0.0), (5, 0.0), (7, 3.0), (9, 3.0), (17, 0.5), (40, 0.5), (40, 0.1)):
        _, G, state = posed(seed, blocky=blocky)
        beta, steps, tie = plain_pairs(G, state, tol, limit)
        assert svm_kernel._pairs(state, tol, steps if tie else limit) == steps
        assert state.beta == pytest.approx(beta, abs=1e-9)
        assert state.gradient == pytest.approx(G @ state.beta - state.t, abs=1e-12)
        assert ((state.beta == state.hi) == np.isclose(beta, state.hi, atol=1e-12)).all()
        assert ((state.beta == state.lo) == np.isclose(beta, state.lo, atol=1e-12)).all()


def test_pairs_tell_how_far_they_are():
    rng, heard = np.random.default_rng(0), []
    A = rng.standard_normal((40, 3))
    K, y = svm_kernel.WholeGram(A @ A.T + 1e-3 * np.eye(40)), rng.standard_normal(40)
    wide = np.full(40, 1e6)
    state = svm_kernel._State(K, y, -wide, wide, np.zeros(40), -y, 0.0)
    assert svm_kernel._pairs(state, 0.0, 600, lambda share, words: heard.append((share, words))) == 600
    assert [share for share, _ in heard] == [None] * 3
    assert [words.split(",")[0] for _, words in heard] == ["pair 0", "pair 256", "pair 512"]
    assert heard[0][1] == f"pair 0, violation {np.ptp(y):.1e}, to be 0e+00"


@pytest.mark.parametrize("seed", range(4))
def test_what_a_state_tells_of_itself(seed):
    _, G, state = posed(seed)
    inside = (state.lo < state.beta) & (state.beta < state.hi)
    g, may_grow, may_shrink = state.gradient, state.beta < state.hi, state.beta > state.lo
    assert state.free().tolist() == np.flatnonzero(inside).tolist()
    assert state.bias() == pytest.approx(-g[inside].mean())
    assert state.violation() == pytest.approx(g[may_shrink].max() - g[may_grow].min())
    assert state.unit == 1.0
    state.t = np.zeros(12)
    assert state.unit == pytest.approx(state.hi.max() * G.diagonal().max())
    state.beta = np.where(inside, state.lo, state.beta)
    ends = -g[state.beta < state.hi].min(), -g[state.beta > state.lo].max()
    assert state.bias() == pytest.approx(sum(ends) / 2)
    assert svm_kernel.rounding(-G.diagonal()) == pytest.approx(12 * 2.0**-52 * G.diagonal().max(), abs=0)


def plain_exchanges(G, t, lo, hi, beta, total):
    """Primal-dual active sets: the multipliers, or None where more become wrong."""
    low, high, before = beta <= lo, beta >= hi, len(beta)
    for _ in range(20):
        free = ~(low | high)
        m = free.sum()
        if not m:
            return None
        beta = np.where(low, lo, np.where(high, hi, 0.0))
        system = np.block([[G[np.ix_(free, free)], np.ones((m, 1))], [np.ones(m), np.zeros(1)]])
        *beta[free], b = np.linalg.solve(system, np.append((t - G @ beta)[free], total - beta.sum()))
        push = G @ beta - t + b
        wrong = (beta < lo) | (beta > hi) | (low & (push < -1e-9)) | (high & (push > 1e-9))
        if not wrong.any():
            return beta
        if wrong.sum() > before:
            return None
        before = wrong.sum()
        low, high = np.where(wrong, beta < lo, low), np.where(wrong, beta > hi, high)
    return None


def test_exchanges_are_those_of_active_sets():
    ends = []
    for seed in range(60):
        rng, G, state = posed(seed)
        if seed % 3 == 0:  # one class
            state.t, state.lo, state.hi, state.total = np.zeros(12), np.zeros(12), np.full(12, 0.25), 1.0
            state.beta = svm_linear.project_onto_box(rng.standard_normal(12) / 4, state.lo, state.hi, 1.0)
            state.gradient = G @ state.beta
        K, start = state.K, state.beta.copy()
        kept, truth = start.copy(), plain_exchanges(G, state.t, state.lo, state.hi, start, state.total)
        assert svm_kernel._exchange(state) == (truth is not None)
        assert state.K is K
        assert state.beta == pytest.approx(kept if truth is None else truth, abs=1e-11)
        assert state.gradient == pytest.approx(G @ state.beta - state.t, abs=1e-11)
        assert start.tolist() == kept.tolist()
        ends.append(truth is None)
    assert 1 <= sum(ends) <= 30


@pytest.mark.parametrize("seed", range(20))
def test_a_newton_step_ends_on_its_face_or_where_many_meet_a_bound(seed, monkeypatch):
    walks, toward = [], svm_kernel._Constraints.toward_optimum
    monkeypatch.setattr(
        svm_kernel._Constraints, "toward_optimum", lambda *a: walks.append(a[2].copy()) or toward(*a)
    )
    monkeypatch.setattr(svm_kernel, "HELD", 3)
    *_, state = posed(seed, n=12 if seed < 8 else 40)
    free = state.free()
    face = svm_kernel._newton(state, None)
    if face is None:
        assert len(free) < 2
        return
    assert face.rows.tolist() == free.tolist()
    assert [held.any() for held in walks[:1]] == [False]
    assert all((a <= b).all() and (a < b).any() for a, b in itertools.pairwise(walks))
    left = state.free()
    if len(free) - len(left) <= max(3, len(free) // 8):  # then g is one number on what is left
        assert np.ptp(state.gradient[left]) <= 1e-9
    assert all(held.sum() <= max(3, len(free) // 8) for held in walks)
    before, solved = state.beta.copy(), np.ptp(state.gradient[left]) <= 1e-9
    walks.clear()
    again = svm_kernel._newton(state, face)
    small = len(free) - len(left) <= len(left) // 8
    assert (again is face) == small
    if solved and len(left) >= 2:
        assert len(walks) == 1
        assert state.beta == pytest.approx(before, abs=1e-9)


def test_the_walk_leaves_the_box_at_its_edge_or_is_projected():
    """The better of two points: where the way meets the first bound, and the projection of its end."""
    ways = []
    for seed in range(120):
        rng, G, state = posed(seed)
        x, lo, hi, g = state.beta, state.lo, state.hi, state.gradient
        held = (x <= lo) | (x >= hi)
        d = np.where(held, 0.0, rng.standard_normal(12) - 2 * g)  # about downhill
        d[~held] -= d[~held].mean()
        with np.errstate(divide="ignore", invalid="ignore"):
            limits = np.where(held | (d == 0), np.inf, np.where(d > 0, hi - x, lo - x) / d)
        first = limits.argmin()
        if limits[first] >= 1:
            continue
        near = np.clip(x + limits[first] * d, lo, hi)
        far = x.copy()
        far[~held] = svm_linear.project_onto_box((x + d)[~held], lo[~held], hi[~held], x[~held].sum())
        falls = [g @ (point - x) + (point - x) @ G @ (point - x) / 2 for point in (far, near)]
        expected = far if falls[0] < min(falls[1], 0.0) else near
        point = svm_kernel._inside(x, x + d, d, lo, hi, g, G, held)
        assert point == pytest.approx(expected, abs=1e-12)
        if expected is near:
            assert point[first] in (lo[first], hi[first])
        ways.append(expected is far)
    assert 10 <= sum(ways) <= len(ways) - 10


def test_the_ridge_of_a_factor_is_the_least_that_is_enough():
    G = regular(np.random.default_rng(0), 8)
    rows = np.array([1, 4, 5, 7])
    size = G.diagonal()[rows].max() * 4
    assert svm_kernel._factored(svm_kernel.WholeGram(G), rows).ridge == pytest.approx(1e-14 * size, abs=0)
    for share, least in ((1e-13, 1e-12), (1e-11, 1e-10), (1e-9, 1e-8)):
        G[:] = np.eye(8)
        G[4, 4] = -share * 4
        found = svm_kernel._factored(FakeGram(G), rows)
        assert found.ridge == pytest.approx(least * 4, abs=0)
    G[4, 4] = -1e-7
    assert svm_kernel._factored(FakeGram(G), rows) is None


class FakeGram(svm_kernel.WholeGram):
    """A matrix that need not be one of a kernel."""

    def __init__(self, K):
        super().__init__(abs(K))
        self.block = lambda rows, others: K[rows][:, others]


@pytest.mark.parametrize("seed", range(4))
def test_the_sum_is_mended_where_there_is_most_room(seed):
    rng, _, state = posed(seed)
    before, room = state.beta.copy(), np.minimum(state.beta - state.lo, state.hi - state.beta)
    state.beta += 1e-9 * rng.random(12) * (room > 0)
    svm_kernel._balance(state)
    i = room.argmax()
    assert abs(math.fsum(state.beta)) <= 2.0**-52
    assert np.delete(state.beta, i) == pytest.approx(np.delete(before, i), abs=1e-9)
    state.beta = np.where(room > 0, state.lo, state.beta)  # no room: it stays
    before = state.beta.copy()
    svm_kernel._balance(state)
    assert state.beta.tolist() == before.tolist()


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_rows_come_in_blocks_of_the_likely_ones_and_the_oldest_make_room(sign, monkeypatch):
    rng, computed, there = np.random.default_rng(0), [], []
    G = regular(rng, 20)
    K = svm_kernel.GramRows(
        lambda rows, others: computed.extend(rows.tolist()) or G[rows][:, others], G.diagonal().copy(), 1e9
    )
    assert K.store.shape == (12, 20)
    for i in rng.integers(0, 20, 80):
        computed.clear()
        likely = rng.random(20)
        assert K.row(i, likely, sign).tolist() == G[i].tolist()
        missing = [r for r in np.argsort(sign * likely) if r not in there]
        if i in there:
            assert computed == []
        else:
            assert computed[0] == i
            assert len(computed) == 3
            assert set(computed) <= {i, *missing[:3]}
        there = (there + computed)[-12:]
        assert sorted(K.owner[K.owner >= 0]) == sorted(there)
    part = np.array([3, 17, 4])
    few = K.among(part)
    every = np.arange(3)
    assert (
        few.block(every, every).tolist()
        == few.block(every, slice(None)).tolist()
        == G[np.ix_(part, part)].tolist()
    )
    assert (few.diagonal == G.diagonal()[part]).all()
    assert few.mass == 1e9
    for chosen in ([], [2], [0, 1, 2, 5, 8], list(range(20))):
        w = rng.standard_normal(len(chosen))
        for gram in (K, svm_kernel.WholeGram(G)):
            assert gram.combine(np.array(chosen, dtype=int), w) == pytest.approx(w @ G[chosen], abs=1e-12)


def test_single_precision_is_for_rows_whose_rounding_is_below_the_pairs():
    G = np.diag([4.0, 1.0, 0.0])  # powers of 2: the limit itself is exact
    for share, kind in ((1.0, np.float32), (1.001, np.float64)):
        mass = share * svm_kernel.LOOSE * 2.0**24 / 4
        K = svm_kernel.GramRows(lambda rows, others: G[rows][:, others], G.diagonal().copy(), mass)
        assert K.store.dtype == kind


def test_parts_of_a_whole_matrix():
    G = regular(np.random.default_rng(0), 9)
    K = svm_kernel.WholeGram(G)
    assert K.between(slice(0, 9)) is K
    for parts in ((slice(0, 2), slice(5, 9)), (slice(1, 3), slice(3, 4), slice(8, 9))):
        some = np.concatenate([np.arange(9)[part] for part in parts])
        assert K.between(*parts).store.tolist() == G[np.ix_(some, some)].tolist()


def test_the_start_of_many_rows_is_what_every_tenth_foretells():
    for seed, free_allowed in ((0, svm_kernel.MOSTLY_FREE), (1, 0.0), (2, 1.0), (3, 1.0)):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((60, 2))
        G = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
        y = np.where(X[:, 0] + rng.standard_normal(60) > 0, 1.0, -1.0)
        C = 0.5 + rng.random(60)
        lo, hi = np.minimum(0, C * y), np.maximum(0, C * y)
        K = svm_kernel.GramRows(lambda rows, others, G=G: G[rows][:, others], G.diagonal().copy(), 1e9)
        part = np.arange(0, 60, 10)
        few = svm_kernel._State(svm_kernel.WholeGram(G[::10, ::10].copy()), y[part], lo[part], hi[part],
                                np.zeros(6), -y[part], 0.0)  # fmt: skip
        moves = svm_kernel._pairs(few, svm_kernel.LOOSE, 600)
        expected = np.zeros(60)
        expected[part] = few.beta
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(svm_kernel, "MOSTLY_FREE", free_allowed)
            state, steps = svm_kernel._start(K, y, lo, hi, np.zeros(60))
            if len(few.free()) <= free_allowed * np.count_nonzero(few.beta):
                far = -(G @ expected - y) * C.max() / svm_kernel.RAMP
                expected = svm_linear.project_onto_box(far, lo, hi, 0.0)
        assert steps == moves
        assert state.beta == pytest.approx(expected, abs=1e-9)
        assert state.gradient == pytest.approx(G @ state.beta - y, abs=1e-12)
        assert state.total == 0.0
        again, none = svm_kernel._start(K, y, lo, hi, state.beta.copy())
        assert (again.beta.tolist(), none) == (state.beta.tolist(), 0)


def test_all_moves_are_counted(monkeypatch):
    moves, pairs = [], svm_kernel._pairs
    monkeypatch.setattr(svm_kernel, "_pairs", lambda *a: moves.append(pairs(*a)) or moves[-1])
    monkeypatch.setattr(svm_kernel, "_exchange", lambda state: False)
    for seed in range(4):
        for blocky in (False, True):
            _, G, state = posed(seed, n=30, blocky=blocky)
            moves.clear()
            solution = svm_kernel.solve_kernel(state.K, state.t, state.lo, state.hi, np.zeros(30))
            assert solution.steps == sum(moves) > 0
            assert solution.scores == pytest.approx(G @ solution.beta, abs=1e-12)


def plain_interior_point(A, p, y, C, steps):
    """Mehrotra's predictor and corrector, every direction from the whole Newton system."""
    n, d = A.shape
    A1, P = np.column_stack([A, np.ones(n)]), np.append(p, 0.0)
    v, mass = np.zeros(d + 1), np.where(y > 0, C[y > 0].sum(), C[y < 0].sum())
    alpha = C * min(mass) / mass / 2
    s, xi = np.ones(n), np.full(n, 2.0)
    eye, none = np.eye(n), np.zeros((n, n))
    for _ in range(steps):
        eta, signed = C - alpha, y[:, None] * A1
        system = np.block(
            [
                [np.diag(P), -signed.T, np.zeros((d + 1, 2 * n))],
                [signed, none, -eye, eye],
                [np.zeros((n, d + 1)), np.diag(s), np.diag(alpha), none],
                [np.zeros((n, d + 1)), -np.diag(xi), none, np.diag(eta)],
            ]
        )
        known = [signed.T @ alpha - P * v, 1 - signed @ v - xi + s]

        def direction(*products, system=system, known=known):
            return np.split(
                np.linalg.solve(system, np.concatenate([*known, *products])), np.cumsum([d + 1, n, n])
            )

        def longest(da, ds, dx, share, pairs=(alpha, eta, s, xi)):
            return min([1.0, *(share * u / -du for z, dz in zip(pairs, (da, -da, ds, dx), strict=True)
                               for u, du in zip(z, dz, strict=True) if du < 0)])  # fmt: skip

        _, da, ds, dx = direction(-alpha * s, -eta * xi)
        a = longest(da, ds, dx, 1.0)
        mu = (alpha @ s + eta @ xi) / (2 * n)
        ahead = ((alpha + a * da) @ (s + a * ds) + (eta - a * da) @ (xi + a * dx)) / (2 * n)
        aim = (ahead / mu) ** 3 * mu
        dv, da, ds, dx = direction(aim - alpha * s - da * ds, aim - eta * xi + da * dx)
        a = longest(da, ds, dx, 0.995)
        v, alpha, s, xi = v + a * dv, alpha + a * da, s + a * ds, xi + a * dx
    return v[:-1], v[-1], alpha


@pytest.mark.parametrize("seed", range(3))
def test_the_interior_point_takes_the_steps_of_the_whole_system(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    A, y, p = rng.standard_normal((11, 2)), np.where(rng.random(11) < 0.5, 1.0, -1.0), rng.random(2) + 0.5
    y[:2], C = [-1, 1], 10.0 ** rng.integers(-1, 2, 11)
    for steps in range(6):
        monkeypatch.setattr(svm_linear, "MOST_STEPS", steps + 1)
        v, b, alpha, taken = svm_linear._interior_point(A, p, y, C)
        v_own, b_own, alpha_own = plain_interior_point(A, p, y, C, steps)
        assert taken == steps + 1
        assert v == pytest.approx(v_own, rel=1e-6, abs=1e-8)
        assert b == pytest.approx(b_own, rel=1e-6, abs=1e-8)
        assert alpha == pytest.approx(alpha_own, rel=1e-6, abs=1e-8)


def test_a_machine_of_multipliers_at_bounds_alone_is_their_sum():
    """To the last digits, and not to those of the square root of a gap."""
    x = np.array([2.0, -1, 2, -2, 2, 2, 0, 0, 2, -1, 2, 2])
    y = np.where((x == -1) | (x == -2), 1.0, -1.0)
    end = svm_linear.solve_linear(x[:, None], y, np.ones(12))
    assert end.beta.tolist() == [0, 1, 0, 0, 0, 0, -1, -1, 0, 1, 0, 0]
    assert end.weights == pytest.approx(x @ end.beta, abs=1e-14)
    assert end.bias == pytest.approx(-1, abs=1e-14)


@pytest.mark.parametrize("free", [[1, 4, 6], []])
def test_the_equations_of_the_margin_are_solved(free):
    rng = np.random.default_rng(len(free))
    A, p, y = rng.standard_normal((9, 3)), rng.random(3) + 0.5, np.resize([-1.0, 1.0], 9)
    free, beta = np.array(free, dtype=np.intp), y * rng.random(9)
    start = beta.copy()
    found, v, b = svm_linear._equations(A, p, y, beta, rng.standard_normal(3), 0.5, free)
    assert len(free) or b == 0.5
    assert beta.tolist() == start.tolist()
    assert np.delete(found, free).tolist() == np.delete(start, free).tolist()
    assert A.T @ found == pytest.approx(p * v, abs=1e-12)
    assert not len(free) or found.sum() == pytest.approx(0.0, abs=1e-12)
    assert y[free] == pytest.approx(A[free] @ v + b, abs=1e-12)


# --- what is only a matter of speed, and what is a bound on rounding


def ends(n=40):
    """Programs of all kinds, in both kinds of storage: kernel, target, box, start."""
    rng = np.random.default_rng(n)
    X = np.repeat(rng.standard_normal((n // 2, 2)), 2, axis=0)  # every row twice
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(n) > 0, 1.0, -1.0)
    y[:2] = [-1, 1]
    bumps, flat = np.exp(-((X[:, None] - X) ** 2).sum(axis=2)), X @ X.T
    for G, C in ((bumps, 10.0 * (1 + rng.random(n))), (flat, 1.0 + rng.random(n)), (bumps, np.full(n, 1e3))):
        yield G, y, np.minimum(0, C * y), np.maximum(0, C * y), np.zeros(n)
    yield bumps, np.zeros(n), np.zeros(n), np.full(n, 4 / n), np.full(n, 1 / n)


def check_ends():
    """The gap, from a gradient of its own, is below what a fit asks for."""
    for G, t, lo, hi, start in ends():
        for K in (
            svm_kernel.WholeGram(G),
            svm_kernel.GramRows(lambda r, c, G=G: G[r][:, c], G.diagonal().copy(), 1.0),
        ):
            end = svm_kernel.solve_kernel(K, t, lo, hi, start)
            assert (lo <= end.beta).all()
            assert (end.beta <= hi).all()
            assert end.beta.sum() == pytest.approx(start.sum(), abs=1e-12 * abs(end.beta).sum())
            r = G @ end.beta - t + end.bias
            room = np.maximum(r * (end.beta - lo), r * (end.beta - hi)).sum()
            assert room <= estimators.GAP * abs(end.beta @ G @ end.beta / 2 - t @ end.beta)


SMALL_AND_LARGE = {
    "LOOSE": (1e-9, 1e3),
    "RAMP": (1e-3, 1e3),
    "PAIRS": (0, 10**6),
    "FLAT": (1, 2**14),
    "HELD": (0, 10**6),
    "MOSTLY_FREE": (0.0, 1.0),
    "MOST_EXCHANGED": (3, 10**6),
    "MOST_FREE": (2, 10**6),
    "SPARE": (0, 10**3),
    "CELLS": (1, 10**6),
    "CACHE": (1, 10**6),
    "BLOCK": (3, 40),
}


@pytest.mark.parametrize("name", SMALL_AND_LARGE)
def test_no_constant_decides_where_the_solver_ends(name, monkeypatch):
    for value in SMALL_AND_LARGE[name]:
        monkeypatch.setattr(svm_kernel, name, value)
        check_ends()


def test_the_gap_is_judged_in_the_unit_of_the_program():
    """Room over value; 0 only where both are within rounding of a kernel sum, which needs a total of 1."""
    K, none = svm_kernel.WholeGram(2 * np.eye(4)), np.zeros(4)
    blur = 4 * 2.0**-52 * 2

    def gap(beta, gradient, total=1.0):
        beta, gradient = np.array(beta), np.array(gradient)
        return svm_kernel._State(K, none, none, np.ones(4), beta, gradient, total).gap()

    even, wrong = [0.25] * 4, [1.0, 0.0, 0.0, 0.0]
    assert gap(even, [0.5] * 4) == 0.0
    assert gap(even, [0.5 + 2.0**-30, 0.5, 0.5, 0.5]) == pytest.approx(3 * 2.0**-30, rel=1e-6, abs=0)
    assert 0 < gap(even, [0.5 + blur / 8, 0.5, 0.5, 0.5]) < 1e-14  # room within rounding, value not
    assert gap(wrong, [0.0, 1.0, -1.0, 0.0]) > 1e299  # value 0, room not
    assert gap(wrong, [0.0, 0.0, -blur, 0.0]) == 0.0  # both
    assert gap(wrong, [0.0, 0.0, -blur, 0.0], total=0.0) == pytest.approx(1e300 * blur)


def test_a_diagonal_with_a_negative_value_is_no_kernel():
    for least in (0.0, -1.0):
        G = np.diag([1.0, least])
        for make in (lambda G: svm_kernel.GramRows(None, G.diagonal(), 1.0), svm_kernel.WholeGram):
            if least:
                with pytest.raises(ValueError, match="k\\(x, x\\) = -1 < 0"):
                    make(G)
            else:
                make(G)


@pytest.mark.parametrize("cells", [1, 25, 40, 61, 1000])
def test_sums_of_rows_in_blocks(cells, monkeypatch):
    monkeypatch.setattr(svm_kernel, "CELLS", cells)
    rng, sizes = np.random.default_rng(0), []
    G = rng.standard_normal((20, 20))
    K = svm_kernel.GramRows(lambda r, c: sizes.append(len(r)) or G[r][:, c], np.ones(20), 1.0)
    for m in (0, 1, 7, 20):
        sizes.clear()
        chosen, w = rng.permutation(20)[:m], rng.standard_normal(m)
        assert K.combine(chosen, w) == pytest.approx(w @ G[chosen], abs=1e-12)
        assert max(sizes, default=1) <= max(1, cells // 20)
        assert len(sizes) == -(-m // max(1, cells // 20))


def test_an_exchange_that_misses_the_sum_is_no_answer(monkeypatch):
    solve = svm_kernel.solve
    for off, answer in ((0.5, True), (2.0, False), (-0.5, True), (-2.0, False)):
        taken = 0
        for seed in range(12):
            *_, state = posed(seed)
            before = state.beta.copy()
            monkeypatch.setattr(svm_kernel, "solve", solve)
            if not svm_kernel._exchange(state):
                continue
            extra = off * svm_kernel.GOAL * abs(state.beta).sum()
            found, state.beta = state.beta, before
            state.gradient = state.K.store @ before - state.t
            monkeypatch.setattr(
                svm_kernel, "solve", lambda M, r, e=extra: solve(M, r) + e * (np.arange(len(r)) == 0)
            )
            assert svm_kernel._exchange(state) == answer
            assert state.beta == pytest.approx(found if answer else before, abs=1e-10)
            taken += 1
        assert taken >= 6


def test_an_exchange_asks_for_no_empty_block():
    """Where no multiplier is free there is nothing to solve."""
    *_, state = posed(0)
    state.beta = state.lo.copy()
    state.K.block = None
    assert not svm_kernel._exchange(state)


def test_a_copy_of_a_free_row_stays_at_its_bound():
    """Its slope is rounding, of kernel sums that cancel where the price is high, and of the margin else."""
    for price in (1.0, 2.0**20):
        kept = 0
        for seed in range(10):
            rng = np.random.default_rng(seed)
            X = rng.standard_normal((20, 2))
            y = np.where(rng.random(20) < 0.5, 1.0, -1.0)
            y[:2] = [-1, 1]
            G = X @ X.T
            lo, hi = np.minimum(0, price * y), np.maximum(0, price * y)
            best = svm_linear.solve_linear(X, y, np.full(20, price)).beta
            free = np.flatnonzero((lo < best) & (best < hi))
            some = np.append(np.arange(20), free)
            beta = np.append(best, np.zeros(len(free)))
            K = svm_kernel.WholeGram(G[np.ix_(some, some)])
            state = svm_kernel._State(K, y[some], lo[some], hi[some], beta, K.store @ beta - y[some], 0.0)
            if len(free) and svm_kernel._exchange(state):
                assert not state.beta[20:].any()
                kept += 1
        assert kept >= 5, (price, kept)


def test_the_sum_is_mended_inside_the_box_alone():
    K = svm_kernel.WholeGram(np.eye(1))
    for total, end in ((0.0, 0.5), (1.0, 0.5), (0.25, 0.25), (-1.0, 0.5), (2.0, 0.5)):
        one = np.ones(1)
        state = svm_kernel._State(K, one, 0 * one, one, 0.5 * one, one, total)
        svm_kernel._balance(state)
        assert state.beta.tolist() == [end]


@pytest.mark.parametrize(
    ("new", "idle", "same"),
    [(5, 5, True), (5, 0, True), (6, 0, False), (0, 4, True), (0, 5, False), (3, 6, False)],
)
def test_a_factor_is_used_again_if_few_rows_came_or_went(new, idle, same):
    """At most an eighth of the free ones; the walk ends where g is one number on the free rows."""
    n = 60
    rng = np.random.default_rng(0)
    G, wide = regular(rng, n), np.full(n, 1e3)
    rows = np.arange(40)
    face = svm_kernel._factored(svm_kernel.WholeGram(G), rows)
    free = np.append(rows[idle:], np.arange(50, 50 + new))
    beta = np.full(n, -1e3)
    beta[free] = 0.0
    t = rng.standard_normal(n)
    state = svm_kernel._State(svm_kernel.WholeGram(G), t, -wide, wide, beta, G @ beta - t, beta.sum())
    assert (svm_kernel._newton(state, face) is face) == same
    left = state.free()
    assert set(left) <= set(free)
    assert np.ptp(state.gradient[free]) <= 1e-9
    assert state.gradient == pytest.approx(G @ state.beta - t, abs=1e-9)
    assert (state.beta[np.setdiff1d(np.arange(n), free)] == -1e3).all()


def test_the_middle_of_an_interval_or_its_only_end():
    r, beta, low, high = np.array([1.0, 2.0, 4.0]), np.zeros(3), np.zeros(3), np.ones(3)
    for at, end in (
        ([0, 0, 0], 4.0),
        ([1, 1, 1], 1.0),
        ([1, 0, 0], 2.5),
        ([0, 0.5, 0], 3.0),
        ([1, 0.5, 1], 1.5),
    ):
        beta = np.array(at, dtype=float)
        assert svm_linear.middle(r, beta, low, high) == end


def test_the_gap_of_a_linear_machine_is_that_of_the_board():
    """An unbalanced sum of multipliers costs the dual |b| times the sum."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        A, y = rng.standard_normal((7, 3)), rng.choice([-1.0, 1.0], 7)
        C, beta, v, b = (
            rng.random(7) + 0.1,
            rng.standard_normal(7),
            rng.standard_normal(3),
            rng.standard_normal(),
        )
        p = rng.random(3) + 0.5
        primal = p @ v**2 / 2 + C @ np.maximum(0, 1 - y * (A @ v + b))
        dual = y @ beta - (A.T @ beta) ** 2 @ (1 / p) / 2 - abs(b * beta.sum())
        assert svm_linear._linear_gap(A, p, y, C, beta, v, b) == pytest.approx((primal - dual) / primal)


@pytest.mark.parametrize("exponent", [-60, -3, 60])
def test_a_linear_machine_in_another_unit_is_the_same(exponent):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(30) > 0, 1.0, -1.0)
    C, unit = 1 + rng.random(30), 2.0**exponent
    for rows in (slice(None), slice(0, 2)):  # more rows than features, and fewer
        y[:2] = [-1, 1]
        one = svm_linear.solve_linear(X[rows], y[rows], C[rows])
        other = svm_linear.solve_linear(unit * X[rows], y[rows], C[rows] / unit**2)
        assert unit * other.weights == pytest.approx(one.weights, rel=1e-10)
        assert unit**2 * other.beta == pytest.approx(one.beta, rel=1e-10, abs=1e-12)
        assert other.bias == pytest.approx(one.bias, rel=1e-10)
        assert other.steps == one.steps


def test_multipliers_of_a_bound_are_set_to_it_and_the_others_share_the_rest(monkeypatch):
    """The one of each pair that is small in its own unit; what is left is projected to a sum of 0."""
    monkeypatch.setattr(svm_linear, "MOST_EQUATIONS", 0)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        A, p, y = rng.standard_normal((14, 2)), np.ones(2), np.resize([-1.0, 1.0], 14)
        C = rng.random(14) + 0.5
        best = svm_linear.solve_linear(A, y, C)
        at = y * best.beta
        blur = 1e-9 * (1 + rng.random(14))
        alpha = np.clip(at, blur, C - blur)  # as an interior point leaves it
        beta, v, b = svm_linear._exact_sets(A, p, y, C, alpha, best.weights, best.bias)
        assert np.flatnonzero(beta).tolist() == np.flatnonzero(at).tolist()
        assert np.flatnonzero(beta * y == C).tolist() == np.flatnonzero(at == C).tolist()
        assert beta == pytest.approx(best.beta, abs=1e-7)
        assert beta.sum() == pytest.approx(0, abs=1e-14)
        assert (v.tolist(), b) == (best.weights.tolist(), best.bias)


def test_wherever_the_pairs_stop_the_solver_ends_at_the_optimum(monkeypatch):
    """Early, late or without a move."""
    rng, pairs = np.random.default_rng(0), svm_kernel._pairs

    def stopped(state, tol, limit, tell=None):
        return pairs(state, tol * 10.0 ** rng.integers(-6, 7), int(rng.choice([0, 3, limit, 9 * limit])))

    monkeypatch.setattr(svm_kernel, "_pairs", stopped)
    for _ in range(3):
        check_ends()


def test_every_row_is_checked_whatever_the_first_look_says(monkeypatch):
    """A machine of a tenth of the rows that is far off costs rounds, or is given up."""
    solve, ends = svm_linear._interior_point, []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        A, p = rng.standard_normal((40, 2)), np.ones(2)
        y = np.where(A[:, 0] + rng.standard_normal(40) > 0, 1.0, -1.0)
        y[:40:10] = [-1, 1, -1, 1]
        C, far, first = rng.random(40) + 0.1, rng.standard_normal(3) * seed, []

        def look(*problem, far=far, first=first):
            v, b, alpha, steps = solve(*problem)
            off = far if not first else np.zeros(3)
            first.append(0)
            return v + off[:2], b + off[2], alpha, steps

        monkeypatch.setattr(svm_linear, "_interior_point", look)
        end = svm_linear._near_the_margin(A, p, y, C)
        if end is not None:
            beta, v, b, _ = end
            assert svm_linear._linear_gap(A, p, y, C, beta, v, b) <= estimators.GAP
            assert (beta * y >= 0).all()
            assert (beta * y <= C).all()
        ends.append(end is None)
    assert 1 <= sum(ends) <= 8, ends


@pytest.mark.parametrize("prices", [None, [1.0, 1e15], 10.0 ** np.arange(-3, 16)])
@pytest.mark.parametrize("copies", [1, 5])
def test_hulls_touch_below_a_share_of_the_radius_alone(prices, copies, monkeypatch):
    """Of radius 1: whatever the prices on the way, and however many rows share the multipliers."""
    if prices is not None:
        monkeypatch.setattr(estimators, "PRICES", np.array(prices))
    for share in (0.6, 1.2, 1.8, 3.0):
        apart = share * estimators.TOUCH
        X = np.repeat([[0.0, 1.0], [0.0, -1.0], [apart, 1.0], [apart, -1.0]], copies, axis=0)
        y = np.repeat([0, 0, 1, 1], copies)
        if share < 1:
            with pytest.raises(estimators.NotSeparableError) as refusal:
                SVC(math.inf, kernel="linear").fit(X, y)
            assert refusal.value.distance == pytest.approx(apart)
        else:
            model = fitted(lambda: SVC(math.inf, kernel="linear"), X, y)
            assert model.coef_ == pytest.approx(np.array([[2 / apart, 0]]), rel=1e-6, abs=2e-6 / apart)


def test_bumps_far_from_the_origin():
    """They are seen from the centre: 2**24 away, squares of coordinates would lose all digits."""
    rng = np.random.default_rng(0)
    X = rng.integers(-16, 17, (16, 2)) / 8
    y = np.resize([-1, 1], 16)
    for make in (lambda: SVC(gamma=1.0), lambda: OneClassSVM(0.5, gamma=1.0)):
        near, far = fitted(make, X, y), fitted(make, X + 2.0**24, y)
        scores = near.decision_function(X)
        assert far.decision_function(X + 2.0**24) == pytest.approx(scores, abs=1e-6)


# --- the schedule of the kernel solver, and what its parts do where nothing usual happens


def asked_of(gaps, monkeypatch, *, blocky=False, exchanges=False, free=True, goal=svm_kernel.GOAL):
    """What the solver does, in order, where steps move nothing and gaps are given; its parts are spies."""
    *_, state = posed(0, blocky=blocky)
    beta, left, calls = state.beta if free else state.lo, iter(gaps), []
    monkeypatch.setattr(svm_kernel._State, "gap", lambda state: next(left))
    monkeypatch.setattr(svm_kernel._State, "violation", lambda state: 7.0)
    monkeypatch.setattr(svm_kernel, "_pairs", lambda state, *rest: calls.append(rest[:2]) or 3)
    monkeypatch.setattr(svm_kernel, "_exchange", lambda state: calls.append("exchange") or exchanges)
    monkeypatch.setattr(svm_kernel, "_newton", lambda state, face: calls.append(face) or "factor")
    said = []
    end = svm_kernel.solve_kernel(
        state.K, 2 * state.t, state.lo, state.hi, beta, lambda share, words: said.append((share, words)), goal
    )
    assert end.steps == 3 * sum(isinstance(call, tuple) for call in calls)
    rounds = calls.count("exchange")
    assert said == [(None, f"gap {gap:.1e}") for gap in list(gaps)[-rounds:]] * bool(rounds)
    m = np.count_nonzero((state.lo < beta) & (beta < state.hi))
    assert next(left, None) is None  # no round fewer
    return calls, pytest.approx((0.7, svm_kernel.PAIRS + m))


@pytest.mark.parametrize("blocky", [False, True])
def test_the_solver_stops_at_the_goal_or_after_21_rounds_that_do_not_halve_the_gap(blocky, monkeypatch):
    def kept(gaps, goal=1e-60):
        """The factors that Newton steps are given, a call for each round."""
        calls, _ = asked_of(gaps, monkeypatch, blocky=blocky, goal=goal)
        assert calls.count("exchange") == len(gaps)
        return [call for call in calls if call in (None, "factor")]

    late = 0 if blocky else 2  # a whole matrix is left to exchanges and pairs for two rounds
    assert kept([1e-60]) == [None] * (1 - min(late, 1))
    assert kept([1.0] * 22) == [None, "factor", *[None] * 20][: 22 - late] if blocky else [None] * 20
    assert kept([0.5**k for k in range(22)])[2:] == [None] * (20 - late)
    assert kept([0.4**k for k in range(100)]) == [None, *["factor"] * (99 - late)]
    assert len(kept([1.0] * 21 + [0.4] * 22)) == 43 - late
    assert len(kept([1.0, 5.0, *[0.6] * 20])) == 22 - late


def test_the_order_of_pairs_exchanges_and_newton_steps(monkeypatch):
    most = 100 * 12 + 10_000
    first, again = pytest.approx((0.4, most)), pytest.approx((0.1, most))  # the margin is 2
    gaps = [1.0, 1.0, 1.0, 1.0, 0.0]
    calls, more = asked_of(gaps, monkeypatch)
    failed = ["exchange", None, more]
    assert calls == [first, "exchange", more, "exchange", more, *failed, *failed, "exchange", None]
    calls, more = asked_of(gaps, monkeypatch, free=False)
    assert calls[:3] == [first, again, "exchange"]
    calls, more = asked_of(gaps, monkeypatch, blocky=True)
    assert calls[:4] == [again, "exchange", None, more]
    for blocky in (False, True):
        calls, more = asked_of(gaps, monkeypatch, blocky=blocky, exchanges=True)
        assert calls[1:] == ["exchange", more] * 4 + ["exchange"]
        for gap, goal, rounds in ((1e-3, 1e-3, 0), (1e-12, 1e-12, 1), (2e-12, 2e-12, 0), (1e-13, 1e-12, 1)):
            calls, _ = asked_of([gap], monkeypatch, blocky=blocky, goal=goal)
            assert calls.count("exchange") == rounds
        calls, _ = asked_of([0.1, 0.1, 1e-3], monkeypatch, blocky=blocky, goal=1e-3)
        assert calls.count("exchange") == 2


def test_pairs_that_gain_nothing_end_at_once():
    flat = svm_kernel._State(
        svm_kernel.WholeGram(np.eye(4)), np.zeros(4), -np.ones(4), np.ones(4), np.zeros(4), np.zeros(4), 0.0
    )
    assert svm_kernel._pairs(flat, -1.0, 5) == 0


def test_the_unit_is_the_largest_target():
    *_, state = posed(0)
    state.t = np.linspace(-3.0, 1.0, 12)
    assert state.unit == 3.0


def test_the_ridge_of_an_exchange_is_on_the_whole_diagonal(monkeypatch):
    """1e-14 of the largest kernel value for each free row, and none for the multiplier of the sum."""
    systems, solve = [], svm_kernel.solve
    monkeypatch.setattr(svm_kernel, "solve", lambda M, r: systems.append(M.copy()) or solve(M, r))
    for seed in (0, 2, 4, 6):
        _, G, state = posed(seed)
        free, size = state.free(), 2.0**20  # of one row that is not free
        systems.clear()
        state.K.diagonal = np.append(size, G.diagonal()[1:])
        svm_kernel._exchange(state)
        m = len(free)
        ridge = systems[0][:m, :m] - G[np.ix_(free, free)]
        assert ridge == pytest.approx(1e-14 * m * size * np.eye(m), rel=1e-3, abs=1e-15)
        assert systems[0][m].tolist() == systems[0][:, m].tolist() == [1.0] * m + [0.0]


def test_what_a_step_misses_is_mended_by_a_second_and_the_sum_by_those_that_move(monkeypatch):
    """Each of the two small systems is solved wrongly in turn."""
    rng, solve = np.random.default_rng(0), np.linalg.lstsq
    G, g = regular(rng, 8), rng.standard_normal(8)
    for more in (0, 3, 7, 8):
        held = np.arange(8) < more
        constraints = svm_kernel._Constraints(svm_kernel._Face(svm_kernel.WholeGram(G), np.arange(8), 0.0))
        right = constraints.toward_optimum(g, held)
        assert constraints.normals.shape[1] == 1 + more
        for errors in ([0.5, 0.0], [0.0, 0.5], [0.0, -0.5]):
            left = iter(errors)
            monkeypatch.setattr(np.linalg, "lstsq", lambda *a, e=left, **k: (solve(*a, **k)[0] + next(e), 0))
            step = constraints.toward_optimum(g, held)
            monkeypatch.setattr(np.linalg, "lstsq", solve)
            assert step.sum() == pytest.approx(0.0, abs=1e-12)
            assert not step[held].any()
            if errors[0] or more >= 7:
                assert step == pytest.approx(right, abs=1e-12)


def test_one_class_is_no_problem_of_two():
    with pytest.raises(ValueError, match="at least 2 classes"):
        SVC().fit([[0.0], [1.0]], ["a", "a"])


def test_pairs_ask_for_rows_that_grow_or_shrink_next(monkeypatch):
    _, _, state = posed(0, blocky=True)
    asked, row = [], state.K.row
    state.K.row = lambda i, likely, sign=1.0: asked.append((likely.copy(), sign)) or row(i, likely, sign)
    assert svm_kernel._pairs(state, 0.0, 1) == 1
    (grows, up), (ahead, down), _ = asked
    assert (up, down) == (1.0, -1.0)  # the least gradient first, and the greatest fall
    assert grows.min() < 0 < ahead.max()


@pytest.mark.parametrize("exponent", [-30, 30])
def test_a_hard_margin_in_another_unit_is_the_same(exponent):
    X = np.array([[0.0, 1.0], [0.0, -1.0], [2.0, 1.0], [2.0, -1.0]])
    model = fitted(lambda: SVC(math.inf, kernel="linear"), 2.0**exponent * X, [0, 0, 1, 1])
    assert 2.0**exponent * model.coef_ == pytest.approx(np.array([[1.0, 0.0]]), abs=1e-9)


def test_pairs_see_that_rows_differ_in_length():
    """By 1, the least and the largest."""
    for seed in range(3):
        _, G, state = posed(seed)
        np.fill_diagonal(G, 5.0 + np.arange(12) % 2)
        state.K = svm_kernel.WholeGram(G)
        state.gradient = G @ state.beta - state.t
        for limit in (1, 3, 9):
            beta, steps, tie = plain_pairs(G, state, 0.0, limit)
            assert svm_kernel._pairs(state, 0.0, steps if tie else limit) == steps
            assert state.beta == pytest.approx(beta, abs=1e-9)


@pytest.mark.parametrize("hard", [False, True])
def test_the_certificate_of_any_answer(hard):
    """Far from the optimum, out of the box, and with a normal vector that is no sum of rows."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        A, w, b = rng.standard_normal((7, 3)), rng.standard_normal(3), rng.standard_normal()
        y, C = np.resize([-1.0, 1.0], 7), np.full(7, math.inf) if hard else rng.random(7) + 0.5
        alpha = rng.uniform(-0.2, 1.6, 7)
        alpha[:2] = [0.0, 1.0 if hard else C[1]]
        beta, scores = y * alpha, A @ w
        margins, total = y * (scores + b), alpha.sum()
        slack = np.maximum(0, 1 - margins)
        c = estimators._certificate(A, y, C, svm_linear.Solution(beta, scores, b, 5, w))
        primal = math.inf if hard else w @ w / 2 + C @ slack
        dual = total - (beta @ A) @ (beta @ A) / 2 - abs(b * beta.sum())
        expected = {
            "primal": primal,
            "dual": dual,
            "gap": math.nan if hard else (primal - dual) / primal,  # slack has no price
            "dual_feasibility": max(0, -alpha.min(), (alpha - C).max()),
            "equality": abs(beta.sum()) / total,
            "primal_feasibility": slack.max() if hard else 0,
            "stationarity": abs(w - beta @ A).max() / (total * np.sqrt((A**2).sum(axis=1)).max()),
            "margin": ((alpha > 0) & (alpha < C)).sum(),
            "bound": 0 if hard else 1,
            "steps": 5,
        }
        assert {name: c[name] for name in expected} == pytest.approx(expected, nan_ok=True)


def test_no_price_is_minus_infinity():
    with pytest.raises(ValueError, match="infinity"):
        SVC(-math.inf).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("exponent", [-40, 0, 40])
def test_a_negative_eigenvalue_is_seen_in_the_unit_of_the_kernel(exponent, monkeypatch):
    """One of -1/1000 is refused; those that rounding leaves of 0 are not."""
    X = np.repeat(np.random.default_rng(0).integers(-3, 4, (10, 2)), 4, axis=0).astype(float)
    y, most = np.where(X[:, 0] > 0, 1, -1), (X**2).sum()
    nothing = svm_linear.Solution(np.zeros(40), np.zeros(40), 0.0, 7)
    monkeypatch.setattr(estimators, "solve_kernel", lambda *arguments: nothing)
    monkeypatch.setattr(svm_kernel, "MANY_ROWS", 41)
    C, unit = 2.0**-exponent, 2.0**exponent
    fitted(lambda: SVC(C, kernel=lambda A, B: unit * (A @ B.T)), X, y)
    ahead = np.tile([0.5, -0.5, 0.5, -0.5], 10) / math.sqrt(10)  # sums to 0 over equal rows
    bad = unit * (X @ X.T - 1e-3 * most * np.outer(ahead, ahead))
    with pytest.raises(ValueError, match="eigenvalue"):
        SVC(C, kernel=lambda A, B: bad).fit(X, y)


@pytest.mark.parametrize("exponent", [-30, 30])
def test_hulls_touch_in_the_unit_of_the_rows(exponent):
    for share in (0.6, 1.8):
        apart = share * estimators.TOUCH
        X = 2.0**exponent * np.array([[0.0, 1.0], [0.0, -1.0], [apart, 1.0], [apart, -1.0]])
        if share < 1:
            with pytest.raises(estimators.NotSeparableError):
                SVC(math.inf, kernel="linear").fit(X, [0, 0, 1, 1])
        else:
            fitted(lambda X=X: SVC(math.inf, kernel="linear"), X, [0, 0, 1, 1])


def test_hulls_of_two_classes_are_judged_by_their_own_radius():
    """However far the third is."""
    apart, far = 2.0**-13, 2.0**20
    X = np.array([[0.0, 1.0], [0.0, -1.0], [apart, 1.0], [apart, -1.0], [far, far], [far, far + 1]])
    model = fitted(lambda: SVC(math.inf, kernel="linear"), X, [0, 0, 1, 1, 2, 2])
    assert model.coef_[0] == pytest.approx([2 / apart, 0], rel=1e-6, abs=2e-6 / apart)


def test_the_rows_of_many_are_kept_for_the_sum_of_all_prices(monkeypatch):
    seen, make = [], SVC._gram_rows
    monkeypatch.setattr(SVC, "_gram_rows", lambda self, X, mass: seen.append(mass) or make(self, X, mass))
    X = np.random.default_rng(0).standard_normal((14, 2))
    SVC(3.0).fit(X, np.resize([0, 1], 14), np.resize([1, 2], 14))
    assert seen == [3.0 * 21]


def test_an_exchange_that_has_no_solution_moves_nothing():
    zero = svm_kernel.WholeGram(np.zeros((4, 4)))
    t, beta = np.array([1.0, -1.0, 1.0, -1.0]), np.full(4, 0.5)
    state = svm_kernel._State(zero, t, np.zeros(4), np.ones(4), beta.copy(), -t, 2.0)
    assert not svm_kernel._exchange(state)
    assert state.beta.tolist() == beta.tolist()


def test_exchanges_that_turn_in_circles_are_given_up(monkeypatch):
    """A row that leaves the box whenever it is free, and whose push is inward whenever it is not."""
    sizes, one = [], np.ones(2)
    state = svm_kernel._State(svm_kernel.WholeGram(np.eye(2)), one, 0 * one, one, 0.5 * one, -0.5 * one, 1.0)
    steps = {3: [-1e6, 0.0, 0.0], 2: [0.0, -1e6]}  # of the free rows, and b
    monkeypatch.setattr(svm_kernel, "solve", lambda M, r: sizes.append(len(M)) or np.array(steps[len(M)]))
    assert not svm_kernel._exchange(state)
    assert sizes == [3, 2] * 10
    assert state.beta.tolist() == [0.5, 0.5]
