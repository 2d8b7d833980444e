"""Support vector machines against the reference module, on small integer data with ties and duplicates.

Normal vectors: the primal objective F, and that of one class, is 1-strongly convex in w, so a machine with a
gap of F - d is within sqrt(2 gap) of the one optimal w, in the norm of the kernel, and its scores without
intercept are within sqrt(2 gap k(x, x)) of the optimal ones. Two machines differ by at most the sum of both.
"""

import itertools
import math
import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mlnotes import SVC, OneClassSVM, svm_one_class
from mlnotes import svm as reference
from mlnotes.engines import svm_kernel, svm_linear
from mlnotes.estimators import svm as estimators
from mlnotes.estimators import svm_machine

many = settings(derandomize=True, deadline=None, max_examples=30, phases=[Phase.generate])
FEW = 2.0**-43  # 1024 ulps: sums of at most 48 terms, and exponents below 100 with d + 2 terms
POLY = {"degree": 2, "gamma": 1.0, "coef0": 1.0}
OPTIONS = {"rbf": {}, "linear": {"kernel": "linear"}, "poly": {"kernel": "poly", **POLY}}


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    """A cache of 12 rows, the fewest there are; blocks of one row; many examples are 13."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("BLOCK", "CACHE", "CELLS"):
            patch.setattr(svm_kernel, name, 3)
        patch.setattr(svm_kernel, "MANY_ROWS", 13)
        patch.setattr(svm_linear, "MANY_LINES", 13)
        patch.setattr(svm_machine, "CELLS", 3)
        yield


def kernel_of(name, model):
    """The function of the reference module."""
    if name == "linear":
        return reference.linear_kernel
    if name == "poly":
        return partial(reference.polynomial_kernel, **POLY)
    return partial(reference.rbf_kernel, gamma=model.gamma_)


@st.composite
def problems(draw):
    """At most 16 examples between -2 and 2, with duplicates and constants, labels, copies, test points."""
    d, n = draw(st.integers(1, 3)), draw(st.integers(2, 16))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    X = rng.integers(-2, 3, (n, d)).astype(float)[rng.integers(0, n, n)]
    X[:, rng.random(d) < 0.2] = rng.integers(-2, 3)
    y = np.append([-1, 1], rng.integers(0, 2, n - 2) * 2 - 1)
    if draw(st.booleans()):  # labels by a hyperplane, so that hard margins exist
        y = np.where(X @ rng.integers(-2, 3, d) > 0, 1, -1)
        y[:2] = y[:2] if len(set(y)) == 2 else [-1, 1]
    copies = draw(st.sampled_from([np.ones(n, dtype=np.intp), rng.integers(1, 4, n, dtype=np.intp)]))
    return X, y, copies, np.vstack([X, rng.integers(-4, 5, (5, d))])


def fitted(make, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return make().fit(*data)


def spread_out(model, n):
    """The signed multipliers of each machine on all n examples."""
    beta = np.zeros((len(model.dual_coef_), n))
    beta[:, model.support_] = model.dual_coef_
    return beta


def rounding_of(K, beta, b):
    """A bound for the rounding of a score."""
    return FEW * (1 + abs(K).max() * abs(beta).sum() + abs(b))


def objectives(K, y, C, beta, b, w_squared=None):
    """Primal and dual objective of a machine, and a bound for their rounding; C is infinite or (n,)."""
    square, margins = beta @ K @ beta, y * (K @ beta + b)
    primal_square = square if w_squared is None else w_squared
    if np.isinf(C).all():
        primal = reference.primal_objective(primal_square, margins, math.inf)
        slope = 2 * square / max(margins.min(), 1e-3) ** 3
    else:
        primal = 0.5 * primal_square + C @ reference.hinge_loss(margins)
        slope = C.sum()
    dual = reference.dual_objective(square, beta * y) - abs(b * beta.sum())
    return primal, dual, rounding_of(K, beta, b) * (abs(beta).sum() + slope)


def check_certificate(c, X, K, y, C, beta, b, w):
    """Every entry, from the fitted attributes; w is the normal vector of a linear SVM, else None."""
    primal, dual, rounding = objectives(K, y, C, beta, b, None if w is None else w @ w)
    hard, alpha, scores = np.isinf(C).all(), beta * y, (K @ beta if w is None else X @ w) + b
    slack, margins, off = np.maximum(0, 1 - y * scores), y * scores, rounding_of(K, beta, b)
    assert c["primal"] == pytest.approx(primal, abs=rounding)
    assert c["dual"] == pytest.approx(dual, abs=rounding)
    assert c["gap"] == pytest.approx((c["primal"] - c["dual"]) / c["primal"], abs=1e-15)
    assert c["gap"] <= estimators.GAP
    assert c["dual_feasibility"] == max(0, -alpha.min(), (alpha - C).max()) == 0
    assert c["equality"] == pytest.approx(abs(beta.sum()) / abs(beta).sum(), abs=1e-15)
    assert c["primal_feasibility"] == pytest.approx(slack.max() if hard else 0, abs=off)
    upper = 0 if hard else ((C - alpha) * slack).max()
    both = max((alpha * np.maximum(0, margins - 1)).max(), upper)
    limit = max(alpha.max(), 0 if hard else C.max())
    assert c["complementarity"] == pytest.approx(both / primal, abs=2 * off * limit / primal)
    assert c["margin"] == ((alpha > 0) & (alpha < C)).sum()
    assert c["bound"] == (alpha == C).sum()
    if w is not None:
        dw, unit = w - beta @ X, abs(beta).sum() * np.linalg.norm(X, axis=1).max()
        assert c["stationarity"] * unit == pytest.approx(abs(dw).max(), abs=off)
        assert c["stationarity"] <= 1e-6
        assert np.linalg.norm(dw) <= 1e-9 * np.linalg.norm(w) + off
    else:
        assert c["stationarity"] == 0
    assert isinstance(c["steps"], int)
    assert c["steps"] >= 0


@pytest.mark.parametrize("name", OPTIONS)
@many
@given(problems(), st.sampled_from([1 / 64, 0.25, 1.0, 16.0, math.inf]))
def test_two_classes_agree(name, problem, C):
    X, y, copies, Z = problem
    try:
        model = fitted(lambda: SVC(C, **OPTIONS[name]), X, y, copies)
    except estimators.NotSeparableError as refusal:
        assert math.isinf(C)
        weights = refusal.weights
        assert weights.min() >= 0
        assert [weights[y == k].sum() for k in (-1, 1)] == pytest.approx([1, 1], abs=1e-9)
        gamma = 1 / (X.shape[1] * X.repeat(copies, axis=0).var() or 1.0)
        kernel = partial(reference.rbf_kernel, gamma=gamma) if name == "rbf" else kernel_of(name, None)
        K = kernel(X, X)
        distance = math.sqrt(max(0, (weights * y) @ K @ (weights * y)))
        reported = refusal.distance
        # the smallest distance of disjoint hulls of such examples is above 1e-3
        assert distance <= 1e-6 * math.sqrt(abs(K).max())
        assert reported == pytest.approx(distance, abs=1e-6)
        return
    kernel, prices = kernel_of(name, model), C * copies
    K, (beta,), b = kernel(X, X), spread_out(model, len(X)), model.intercept_[0]
    w = model.coef_[0] if name == "linear" else None
    check_certificate(model.certificate_, X, K, y, prices, beta, b, w)
    primal, dual, rounding = objectives(K, y, prices, beta, b)

    examples, signs = np.repeat(X, copies, axis=0), np.repeat(y, copies)
    own = reference.SVC(C, kernel).fit(examples, signs)
    beta_own, among = np.zeros(len(signs)), kernel(examples, examples)
    beta_own[own.support_] = own.dual_coef_
    bounds = np.full(len(signs), C)
    primal_own, dual_own, rounding_own = objectives(among, signs, bounds, beta_own, own.intercept_)

    # each dual bounds the other's primal, and with the gaps the normal vectors agree
    assert dual <= primal_own + rounding + rounding_own
    assert dual_own <= primal + rounding + rounding_own
    gaps = max(0, primal - dual) + rounding, max(0, primal_own - dual_own) + rounding_own
    apart = math.sqrt(2 * gaps[0]) + math.sqrt(2 * gaps[1])
    margins = (1.0, 1.0)
    if math.isinf(C):  # the optimal w is that of the machine rescaled to margins of at least 1
        margins = min(model.decision_function(X) * y), min(own.decision_function(examples) * signs)
    scores = (model.decision_function(Z) - b) / margins[0]
    scores_own = (own.decision_function(Z) - own.intercept_) / margins[1]
    lengths = np.sqrt([kernel(z[None], z[None])[0, 0] for z in Z])
    off = rounding_of(kernel(Z, X), beta, b) + rounding_of(kernel(Z, examples), beta_own, own.intercept_)
    assert (abs(scores - scores_own) <= (apart * lengths + off) / min(margins)).all()

    # the middle of the optimal intercepts, where the bounds tell their interval
    if not math.isinf(C) and np.isin(beta * y / prices, [0, 1]).all():
        middle = np.mean(reference.intercept_interval(beta * y, y, K, prices))
        assert b == pytest.approx(middle, abs=2 * rounding_of(K, beta, b) + apart)
    assert model.decision_function(Z) == pytest.approx(kernel(Z, X) @ beta + b, abs=1e-6 + off)
    assert (model.predict(Z) == np.where(model.decision_function(Z) >= 0, 1, -1)).all()


@pytest.mark.parametrize("name", OPTIONS)
@many
@given(problems(), st.sampled_from([0.25, 16.0]), st.sampled_from(["ovo", "ovr"]), st.integers(3, 4))
def test_several_classes_agree(name, problem, C, multi_class, n_classes):
    """A machine for each pair, which votes, or for each class against the rest; sums of scores break ties."""
    X, _, copies, Z = problem
    X, n = np.vstack([X, X[:2]]), len(X) + 2
    codes = np.append(np.arange(n - 2) % (n_classes - 1), [n_classes - 1] * 2)
    copies = np.append(copies, [1, 1])
    if len(set(codes)) < n_classes:
        return
    names = np.array(list("abcd"))
    model = fitted(lambda: SVC(C, multi_class=multi_class, **OPTIONS[name]), X, names[codes], copies)
    kernel = kernel_of(name, model)
    pairs = list(itertools.combinations(range(n_classes), 2))
    if multi_class == "ovo":
        parts = [(np.flatnonzero(np.isin(codes, pair)), pair[1]) for pair in pairs]
    else:
        parts = [(np.arange(n), k) for k in range(n_classes)]
    betas, scores = spread_out(model, n), []
    assert (model.support_ == np.flatnonzero(betas.any(axis=0))).all()
    for m, (part, positive) in enumerate(parts):
        beta, b, signs = betas[m, part], model.intercept_[m], np.where(codes[part] == positive, 1, -1)
        assert set(np.flatnonzero(betas[m])) <= set(part)
        w = model.coef_[m] if name == "linear" else None
        K = kernel(X[part], X[part])
        check_certificate(model.certificates_[m], X[part], K, signs, C * copies[part], beta, b, w)
        scores.append((kernel(Z, X[part]) @ beta if w is None else Z @ w) + b)
    assert model.certificate_["gap"] == max(c["gap"] for c in model.certificates_)
    if multi_class == "ovr":
        assert model.decision_function(Z) == pytest.approx(np.transpose(scores), abs=1e-10)
        return
    sure = (abs(np.array(scores)) > 1e-10).all(axis=0)
    votes, sums = np.zeros((2, len(Z), n_classes))
    for (j, k), score in zip(pairs, scores, strict=True):
        votes[np.arange(len(Z)), np.where(score >= 0, k, j)] += 1
        sums[:, [j, k]] += np.column_stack([-score, score])
    shares = model.decision_function(Z) - votes
    assert shares[sure] == pytest.approx((sums / (3 * (abs(sums) + 1)))[sure], abs=1e-10)
    assert (model.predict(Z) == names[model.decision_function(Z).argmax(axis=1)]).all()


@pytest.mark.parametrize("name", ["rbf", "poly"])
@many
@given(problems(), st.sampled_from([0.25, 16.0]), st.sampled_from([0.5, 0.03, 1e-3, 1e-6]))
def test_the_gap_is_at_most_the_tolerance(name, problem, C, tol):
    X, y, copies, _ = problem
    model = fitted(lambda: SVC(C, tol=tol, **OPTIONS[name]), X, y, copies)
    (beta,), prices, K = spread_out(model, len(X)), C * copies, kernel_of(name, model)(X, X)
    primal, dual, rounding = objectives(K, y, prices, beta, model.intercept_[0])
    assert primal - dual <= tol * primal + 2 * rounding
    assert (beta * y).min() >= 0
    assert (beta * y <= prices).all()
    assert abs(beta.sum()) <= FEW * abs(beta).sum()


@pytest.mark.parametrize(("kernel", "C"), [("rbf", 1.0), ("linear", 1.0), ("rbf", math.inf)])
def test_a_tolerance_ends_the_search_where_it_takes_long(kernel, C):
    """The linear kernel and the hard margin go on to the end, whatever the tolerance."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 2))
    y = np.where(X[:, 0] + (0.7 * rng.standard_normal(100) if C == 1 else 0) > 0, 1, -1)
    tolerances = {}, {"tol": 1e-12}, {"tol": 0.1}
    own, same, rough = (fitted(lambda t=t: SVC(C, kernel=kernel, **t), X, y) for t in tolerances)
    assert same.dual_coef_.tobytes() == own.dual_coef_.tobytes()
    if kernel == "rbf" and C == 1:
        assert own.certificate_["gap"] < estimators.GAP < rough.certificate_["gap"] <= 0.1
        assert rough.certificate_["steps"] <= own.certificate_["steps"]
    else:
        assert rough.dual_coef_.tobytes() == own.dual_coef_.tobytes()


@pytest.mark.parametrize("name", ["rbf", "poly"])  # the linear optimum is often 0, without a relative gap
@many
@given(problems(), st.sampled_from([0.125, 0.3, 0.5, 1.0]))
def test_one_class_agrees(name, problem, nu):
    X, _, _, Z = problem
    count = nu * len(X)
    model = fitted(lambda: OneClassSVM(nu, **OPTIONS[name]), X)
    kernel = kernel_of(name, model)
    K, beta, rho = kernel(X, X), spread_out(model, len(X))[0] / count, model.offset_ / count
    square, off = beta @ K @ beta, rounding_of(K, beta, rho)
    primal = 0.5 * square - rho + np.maximum(0, rho - K @ beta).sum() / count
    c, edge = model.certificate_, 2 * estimators.EDGE * abs(rho) + 4 * off * (1 + 1 / nu)
    assert c["primal"] == pytest.approx(primal, abs=edge)
    assert c["dual"] == pytest.approx(-0.5 * square, abs=off)
    unit = abs(c["dual"])
    assert c["gap"] == pytest.approx((c["primal"] - c["dual"]) / unit if unit else 0, abs=1e-15)
    assert c["gap"] <= estimators.GAP
    assert c["equality"] == pytest.approx(abs(beta.sum() - 1), abs=FEW)
    assert beta.min() >= 0
    assert beta.max() <= (1 + FEW) / count
    assert isinstance(c["steps"], int)

    own = svm_one_class.OneClassSVM(nu, kernel).fit(X)
    sums = kernel(X, X[own.support_]) @ own.dual_coef_
    square_own, slack_own = own.dual_coef_ @ sums[own.support_], np.maximum(0, -own.intercept_ - sums)
    gap_own = square_own + own.intercept_ + slack_own.sum() / count
    gaps = max(0, primal + 0.5 * square) + edge, max(0, gap_own) + edge
    lengths = np.sqrt([kernel(z[None], z[None])[0, 0] for z in np.vstack([X, Z])])
    apart = math.sqrt(2 * gaps[0]) + math.sqrt(2 * gaps[1])
    near = count * (apart * lengths.max() + rounding_of(kernel(Z, X), beta, rho))
    scores = model.score_samples(Z)
    scores_own = own.decision_function(Z)
    assert scores == pytest.approx(count * (scores_own - own.intercept_), abs=near)
    # rho lies between two scores of the sorted examples, which move by no more than the scores
    sure = abs(count * scores_own) > 2 * near + count * edge
    assert (model.predict(Z) == own.predict(Z))[sure].all()
    assert (model.predict(X) == -1).sum() <= count * (1 + FEW)  # those on the boundary are inside
    assert (model.predict(Z) == np.where(scores >= model.offset_, 1, -1)).all()


@pytest.mark.parametrize(("kernel", "most"), [("linear", [220, 260, 290]), ("rbf", [320, 440, 2500])])
def test_fits_take_few_steps(kernel, most):
    """Steps for six draws of 60 examples: what is wrong on the way is mended at the end, by more of them."""
    for C, limit in zip((0.1, 1.0, 100.0), most, strict=True):
        total = 0
        for seed in range(6):
            rng = np.random.default_rng(seed)
            X = rng.standard_normal((60, 3))
            y = np.where(X[:, 0] + 0.7 * rng.standard_normal(60) > 0, 1, -1)
            total += SVC(C, kernel=kernel).fit(X, y).certificate_["steps"]
        assert total <= 1.2 * limit


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
@pytest.mark.parametrize("exponent", [-20, 20])
def test_the_unit_of_the_features_decides_nothing(kernel, exponent):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(30) > 0, 1, -1)
    unit = 2.0**exponent
    one = fitted(lambda: SVC(2.0, kernel=kernel), X, y)
    other = fitted(lambda: SVC(2.0 / unit**2 if kernel == "linear" else 2.0, kernel=kernel), unit * X, y)
    assert other.decision_function(unit * X) == pytest.approx(one.decision_function(X), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("copies", [1, 5])
@pytest.mark.parametrize("unit", [2.0**-30, 1.0, 2.0**30])
def test_hulls_touch_below_a_fraction_of_the_radius(copies, unit):
    """Of radius 1: however many examples share the multipliers, and in any unit."""
    for fraction in (0.6, 1.2, 1.8, 3.0):
        apart = fraction * estimators.TOUCH
        X = np.repeat([[0.0, 1.0], [0.0, -1.0], [apart, 1.0], [apart, -1.0]], copies, axis=0)
        y = np.repeat([0, 0, 1, 1], copies)
        if fraction < 1:
            with pytest.raises(estimators.NotSeparableError) as refusal:
                SVC(math.inf, kernel="linear").fit(unit * X, y)
            assert refusal.value.distance == pytest.approx(apart * unit)
        else:
            model = fitted(lambda X=X, y=y: SVC(math.inf, kernel="linear"), unit * X, y)
            assert unit * model.coef_ == pytest.approx(np.array([[2 / apart, 0]]), rel=1e-6, abs=2e-6 / apart)


def test_hulls_of_two_classes_are_judged_by_their_radius():
    """However far the third class is."""
    apart, far = 2.0**-13, 2.0**20
    X = np.array([[0.0, 1.0], [0.0, -1.0], [apart, 1.0], [apart, -1.0], [far, far], [far, far + 1]])
    model = fitted(lambda: SVC(math.inf, kernel="linear"), X, [0, 0, 1, 1, 2, 2])
    assert model.coef_[0] == pytest.approx([2 / apart, 0], rel=1e-6, abs=2e-6 / apart)


def test_gaussian_kernels_far_from_the_origin():
    """They are computed from the centre: 2**24 away, squares of coordinates would lose all digits."""
    rng = np.random.default_rng(0)
    X = rng.integers(-16, 17, (16, 2)) / 8
    y = np.resize([-1, 1], 16)
    for make in (lambda: SVC(gamma=1.0), lambda: OneClassSVM(0.5, gamma=1.0)):
        near, far = fitted(make, X, y), fitted(make, X + 2.0**24, y)
        scores = near.decision_function(X)
        assert far.decision_function(X + 2.0**24) == pytest.approx(scores, abs=1e-6)


@pytest.mark.parametrize("C", [0.1, 10.0, 1e4])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_many_examples_have_a_small_gap(kernel, C):
    """With duplicates and small blocks, in any order of the classes."""
    n, rng = 120, np.random.default_rng(3)
    X = np.repeat(rng.standard_normal((n // 2, 2)), 2, axis=0)
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(n) > 0, 1, -1)
    for order in (np.arange(n), np.argsort(y, kind="stable")):
        model = fitted(lambda: SVC(C, kernel=kernel), X[order], y[order])
        (beta,), K = spread_out(model, n), kernel_of(kernel, model)(X[order], X[order])
        w = model.coef_[0] if kernel == "linear" else None
        prices = np.full(n, C)
        primal, dual, rounding = objectives(
            K, y[order], prices, beta, model.intercept_[0], w @ w if w is not None else None
        )
        assert primal - dual <= estimators.GAP * primal + rounding
        if kernel == "rbf":
            assert abs(math.fsum(beta)) <= 2.0**-52 * C  # the multiplier with the most room balances the sum
            assert (
                2 * model.certificate_["steps"] >= len(model.support_) // 10
            )  # a step moves two multipliers
