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
        patch.setattr(estimators, "_CELLS", 3)
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
    beta = np.zeros(n)
    beta[model.support_] = model.dual_coef_[0]
    return beta


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
    K, beta, b = own.gram(X, X), spread_out(model, len(X)), model.intercept_[0]
    prices = C * copies
    primal, dual, least, blur = measured(K, y, prices, beta, b)
    beta_own, b_own = spread_out(own, len(rows)), own.intercept_[0]
    primal_own, dual_own, least_own, blur_own = measured(
        own.gram(rows, rows), signs, np.full(len(rows), C), beta_own, b_own
    )

    # every entry of the certificate, from the raw answer
    c, alpha, margins = model.certificate_, beta * y, y * (K @ beta + b)
    slack, total, off = np.maximum(0, 1 - margins), abs(beta).sum(), reaches(K, beta, b)
    lift = off + 1e-9 * abs(X).max() * math.sqrt(primal)  # of coef_ that is not beta'X, as below
    assert c["primal"] == pytest.approx(primal, abs=blur + lift * total)
    assert c["dual"] == pytest.approx(dual - abs(b * beta.sum()), abs=blur)
    assert c["gap"] == pytest.approx((c["primal"] - c["dual"]) / c["primal"], abs=1e-15)
    assert c["gap"] <= estimators.GAP
    assert c["dual_feasibility"] == max(0, -alpha.min(), (alpha - prices).max()) == 0
    assert c["equality"] == pytest.approx(abs(beta.sum()) / total, abs=1e-15)
    assert c["primal_feasibility"] == pytest.approx(slack.max() if math.isinf(C) else 0, abs=off)
    upper = 0 if math.isinf(C) else ((prices - alpha) * slack).max()
    both = max((alpha * np.maximum(0, margins - 1)).max(), upper)
    limit = max(alpha.max(), 0 if math.isinf(C) else prices.max())
    assert c["complementarity"] == pytest.approx(both / primal, abs=2 * off * limit / primal)
    assert c["margin"] == ((alpha > 0) & (alpha < prices)).sum()
    assert c["bound"] == (alpha == prices).sum()
    if kernel == "linear":
        w = model.coef_[0]
        miss, length = np.linalg.norm(w - beta @ X), np.linalg.norm(w)
        assert c["stationarity"] * length == pytest.approx(miss, abs=off)
        assert miss <= 1e-9 * length + off
    else:
        assert c["stationarity"] == 0
    assert isinstance(c["steps"], int)

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
        assert b == pytest.approx(np.mean(board.bias_interval(alpha, y, K, prices)), abs=2 * off + apart)
    assert model.decision_function(Z) == pytest.approx(own.gram(Z, X) @ beta + b, abs=near.max())
    assert (model.predict(Z) == np.where(model.decision_function(Z) >= 0, 1, -1)).all()


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
    beta, beta_own = (spread_out(m, n) / share for m in (model, own))
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
    [("linear", 100, [76, 77, 81]), ("linear", 13, [218, 253, 286]), ("rbf", 100, [174, 324, 2392])],
    ids=["all rows", "near the margin", "pairs"],
)
def test_the_work(kernel, lines, steps, monkeypatch):
    """Steps for six draws of 60 rows, as measured: what is wrong on the way is mended at the end, by more."""
    monkeypatch.setattr(svm_linear, "MANY_LINES", lines)
    for C, measured_steps in zip((0.1, 1.0, 100.0), steps, strict=True):
        total = 0
        for seed in range(6):
            rng = np.random.default_rng(seed)
            X = rng.standard_normal((60, 3))
            y = np.where(X[:, 0] + 0.7 * rng.standard_normal(60) > 0, 1, -1)
            total += SVC(C, kernel=kernel).fit(X, y).certificate_["steps"]
        assert total <= 1.1 * measured_steps
