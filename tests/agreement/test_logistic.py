"""Logistic regression agrees with the reference module, and both certify their fits."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import LogisticRegression
from mlnotes import logistic as reference
from mlnotes.engines import logistic_certificates, logistic_solvers
from mlnotes.estimators import logistic as estimators

quick = settings(derandomize=True, deadline=None, max_examples=60)
SIZES = {  # from which the solver goes another way
    "large": {},
    "warm start": {"PER_FEATURE": 0, "SUBSAMPLE": 2, "PATIENCE": 0},
    "blocks of the Hessian": {"MAX_HESSIAN": 3, "CACHE_BYTES": 0, "MEMORY": 2},
    "wide": {"MAX_GRAM": 0, "PATIENCE": 1000, "BLOCK": 10**6, "MIN_BLOCK": 10**6},
}


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logistic_solvers, "BLOCK", 3)
        patch.setattr(logistic_solvers, "MIN_BLOCK", 1)  # one example at a time
        patch.setattr(estimators, "BLOCK", 3)
        yield


@st.composite
def problems(draw):
    """Draw small integer examples with copied and constant features, two to four classes, weights."""
    K, d = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    n = K + draw(st.integers(0, 12))
    X = rng.integers(-2, 3, (n, d)).astype(float) * (rng.random(d) < 0.8)
    y = np.append(np.arange(K), rng.integers(0, K, n - K))
    return X, y, draw(st.sampled_from([None, rng.integers(1, 4, n)]))


def copied(problem):
    X, y, weights = problem
    counts = np.ones(len(y), dtype=np.intp) if weights is None else weights.astype(np.intp)
    return np.repeat(X, counts, axis=0), np.repeat(y, counts)


def objective_of(X, y, penalty):
    """The reference module's objective, as a function of the intercepts and weights of a fit."""
    kind = reference.BinaryObjective if y.max() == 1 else reference.SoftmaxObjective
    return kind(reference.with_intercept(X), y, penalty)


def weights_of(model):
    return np.column_stack([model.coef_, model.intercept_]).ravel()


def quietly(fit, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fit(*data)


@quick
@given(problems(), st.sampled_from([0.25, 1.0, 16.0]), st.sampled_from(sorted(SIZES)))
def test_penalised_fit(problem, C, size):
    X, y, weights = problem
    copies, codes = copied(problem)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SIZES[size].items():
            patch.setattr(logistic_solvers, name, value)
        model = quietly(LogisticRegression(C=C).fit, X, y, weights)
    plain = quietly(reference.LogisticRegression(C=C).fit, copies, codes)
    F = objective_of(copies, codes, 1 / (C * len(copies)))
    values = [F.value(weights_of(m)) for m in (model, plain)]
    report = model.certificate_
    assert report["objective"] == pytest.approx(values[0], abs=1e-12)
    norm = np.linalg.norm(F.gradient(weights_of(model)))
    assert norm - 1e-12 <= report["gradient_norm"] <= 1e-8
    assert 0 <= report["gap"] <= 1e-6
    assert report["dual"] + report["gap"] == pytest.approx(values[0], abs=1e-12)
    assert report["dual"] <= values[1] + 1e-12
    assert plain.certificate_["dual"] <= values[0] + 1e-12
    # both end within their gaps of the minimum; a gap bounds the distance of W by strong convexity
    gaps = [max(m.certificate_["gap"], 0.0) + 1e-12 for m in (model, plain)]
    assert abs(values[0] - values[1]) <= max(gaps)
    distance = sum(np.sqrt(2 * gap * C * len(copies)) for gap in gaps)
    assert abs(model.coef_ - plain.coef_).max() <= distance


@quick
@given(problems())
def test_predictions(problem):
    X, y, _ = problem
    model = quietly(LogisticRegression().fit, X, y)
    scores = X @ model.coef_.T + model.intercept_
    P = reference.softmax(reference.all_scores(scores))
    assert model.decision_function(X) == pytest.approx(scores[:, 0] if len(P[0]) == 2 else scores, abs=1e-12)
    assert model.predict_proba(X) == pytest.approx(P, abs=1e-13)
    assert model.predict_log_proba(X) == pytest.approx(np.log(P), abs=1e-12)
    assert (model.predict(X) == P.argmax(axis=1)).all()


@quick
@given(problems(), st.sampled_from([1.0, 1e5]), st.integers(1, 3))
def test_separated_classes(problem, scale, d):
    X, y, _ = problem
    plain = quietly(reference.LogisticRegression(C=np.inf).fit, X, y)
    X[:, :d] *= scale  # in other units, some or all
    model = quietly(LogisticRegression(penalty=None).fit, X, y)
    assert (model.separating_direction_ is None) == (plain.separating_direction_ is None)
    if model.separating_direction_ is None:
        F, w = objective_of(X, y, 0.0), weights_of(model)
        size = np.resize(np.sqrt((F.X**2).mean(axis=0)), len(w))
        assert (abs(F.gradient(w)) <= 1e-6 * size).all()
        return
    V, b = model.separating_direction_
    scores = reference.all_scores(X @ V.T + b)
    margins = scores[np.arange(len(y)), y][:, None] - scores
    assert margins.min() >= -1e-6 * margins.max()
    assert margins.max() > 0


@quick
@given(problems(), st.sampled_from([0.0, 0.03125, 0.5]), st.integers(1, 4))
def test_dual_value_of_an_early_stop_is_a_bound(problem, penalty, max_iter):
    X, y, weights = problem
    copies, codes = copied(problem)
    C = 1 / (penalty * len(copies)) if penalty else np.inf
    best = quietly(reference.LogisticRegression(C=C).fit, copies, codes)
    if best.separating_direction_ is not None:
        return
    minimum = objective_of(copies, codes, penalty).value(weights_of(best))
    report = quietly(LogisticRegression(C=C, max_iter=max_iter).fit, X, y, weights).certificate_
    assert report["dual"] <= minimum + 1e-12
    assert report["objective"] >= minimum - 1e-12
    assert report["gap"] == pytest.approx(report["objective"] - report["dual"], abs=1e-15)


@quick
@given(problems(), st.sampled_from([0.0, 0.03125, 0.5]), st.integers(1, 4))
def test_gap_of_an_early_stop_from_its_definition(problem, penalty, max_iter):
    X, y, weights = problem
    copies, codes = copied(problem)
    C = 1 / (penalty * len(copies)) if penalty else np.inf
    model = quietly(LogisticRegression(C=C, max_iter=max_iter).fit, X, y, weights)
    F, w, gap = objective_of(copies, codes, penalty), weights_of(model), model.certificate_["gap"]
    indicators = np.eye(codes.max() + 1)[codes]
    P = reference.softmax(reference.all_scores(F.X @ w.reshape(-1, F.X.shape[1]).T))
    if penalty:  # the entropy of a mixture is at least the mixture of the entropies
        sizes = indicators.mean(axis=0)
        kept = min(1.0, (sizes / P.mean(axis=0)).min())
        common = (sizes - kept * P.mean(axis=0)) / (1 - kept) if kept < 1 else sizes
        entropies = [-(Q * np.log(np.where(Q > 0, Q, 1))).sum(axis=-1).mean() for Q in (P, common)]
        G = (
            (indicators - reference.with_class_sizes(P, sizes))[:, -len(model.coef_) :].T
            @ copies
            / len(codes)
        )
        dual = kept * entropies[0] + (1 - kept) * entropies[1] - (G**2).sum() / (2 * penalty)
        assert gap <= max(0.0, F.value(w) - dual) + 1e-12
        return
    H, g, step = F.hessian(w), F.gradient(w), reference.newton_step(F, w)
    changes = reference.all_scores(F.X @ step.reshape(-1, F.X.shape[1]).T)
    U = changes - (P * changes).sum(axis=1, keepdims=True)
    curvatures = np.linalg.eigvalsh(H)
    if U.max() < 0.4 and curvatures[curvatures > 1e-12].min() > 1e-4 and abs(H @ step - g).max() < 1e-12:
        divergence = (P * (1 - U) * np.log1p(-U)).sum(axis=1).mean()
        assert gap == pytest.approx(min(divergence, F.value(w)), rel=1e-6, abs=1e-13)


@quick
@given(problems())
def test_newton_lowers_the_value_in_every_step(problem):
    X, y, _ = problem
    F = objective_of(X, y, 0.125)
    far = 8.0 * (-1.0) ** np.arange(len(F.penalties))  # from where full steps go too far
    path = [w for w, _ in zip(reference.newton_method(F, far), range(30), strict=False)]
    assert (np.diff([F.value(w) for w in path]) <= 1e-14).all()
    assert np.linalg.norm(F.gradient(path[-1])) <= 1e-6
    for w, after in pairwise(path[:5]):  # 1, 1/2, 1/4, ... of a step, the first that is short enough
        step = reference.newton_step(F, w)
        t = 2.0 ** round(np.log2((w - after) @ step / (step @ step)))
        assert after == pytest.approx(w - t * step, abs=1e-6 * abs(step).max())
        assert t == 1 or F.value(w - 2 * t * step) > F.value(w) - 0.2 * t * (F.gradient(w) @ step)


@quick
@given(problems(), st.sampled_from(["lbfgs", "gd", "sgd"]), st.booleans(), st.integers(1, 3))
def test_weights_of_classes_and_of_examples(problem, solver, intercept, batch):
    X, y, weights = problem
    K = y.max() + 1
    factors = {k: 1.0 + k % 3 for k in range(K)}
    each = np.ones(len(y)) if weights is None else weights.astype(float)
    options = {"C": 0.5, "fit_intercept": intercept, "solver": solver, "random_state": 3, "batch_size": batch}
    options |= {} if solver == "lbfgs" else {"max_iter": 7}
    model = quietly(LogisticRegression(class_weight=factors, **options).fit, X, y, weights)
    same = quietly(LogisticRegression(**options).fit, X, y, each * (1 + y % 3))
    assert model.coef_ == pytest.approx(same.coef_, abs=1e-12)
    assert model.intercept_ == pytest.approx(same.intercept_, abs=1e-12)
    mass = np.bincount(y, each)
    balanced = quietly(LogisticRegression(class_weight="balanced", **options).fit, X, y, weights)
    same = quietly(LogisticRegression(**options).fit, X, y, (each / (K * mass / mass.sum())[y]))
    assert balanced.coef_ == pytest.approx(same.coef_, abs=1e-12)
    assert intercept or not model.intercept_.any()
    copies, codes = copied((X, y, each * (1 + y % 3)))
    F = objective_of(copies, codes, 1 / (0.5 * len(copies)))
    slope = F.gradient(weights_of(model)).reshape(-1, X.shape[1] + 1)[:, : X.shape[1] + intercept]
    assert model.certificate_["objective"] == pytest.approx(F.value(weights_of(model)), abs=1e-12)
    assert model.certificate_["gradient_norm"] == pytest.approx(np.linalg.norm(slope), abs=1e-12)
    assert model.certificate_["gradient_norm"] <= 1e-8 or solver != "lbfgs"


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize(("most", "proved"), [(600, True), (2, False)])
def test_gap_without_a_penalty_needs_a_hessian(K, most, proved, monkeypatch):
    monkeypatch.setattr(logistic_certificates, "MAX_HESSIAN", most)
    X, y = np.random.default_rng(0).standard_normal((40, 2)), np.arange(40) % K
    report = quietly(LogisticRegression(penalty=None).fit, X, y).certificate_
    assert (report["gap"] < 1e-12) == proved


@pytest.mark.parametrize("most", [1000, 30])
def test_separation_with_examples_on_the_hyperplane_is_looked_for_up_to_a_size(most, monkeypatch):
    monkeypatch.setattr(logistic_certificates, "MOST", most)
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 40)), np.arange(60) % 2
    X[:, 0] = 2.0 * y - 1
    X[:10] = 0.0  # on every hyperplane through 0, of both classes
    X[:, 10:] = 0.0
    sentence = "classes are separated" if most == 1000 else "looked for up to 30 parameters, here are 41"
    with pytest.warns(UserWarning, match=sentence):
        model = LogisticRegression(penalty=None).fit(X, y)
    assert (model.separating_direction_ is not None) == (most == 1000)


def test_refuses_entries_whose_squares_overflow():
    X = np.array([[0.0], [1.0]])
    LogisticRegression(max_iter=1, tol=1e149).fit(1e150 * X, [0, 1])
    with pytest.raises(ValueError, match="squares overflow"):
        LogisticRegression().fit(1.01e150 * X, [0, 1])


@pytest.mark.parametrize("C", [1e-200, 1e-310])
def test_strongest_penalty_leaves_the_class_proportions(C):
    """1 / (C S) overflows, and C S itself is 0."""
    fit = LogisticRegression(C=C).fit([[0.0], [1.0], [5.0]], [0, 1, 0], sample_weight=[1e-200] * 3)
    assert fit.intercept_[0] == pytest.approx(-np.log(2), rel=1e-12)
    assert abs(fit.coef_[0, 0]) < 1e-299
    assert 0 <= fit.certificate_["gap"] < 1e-15


@pytest.mark.parametrize("solver", ["gd", "sgd"])
def test_descent_on_features_of_zeros_stays_at_zero(solver):
    fit = LogisticRegression(penalty=None, fit_intercept=False, solver=solver, max_iter=5)
    assert fit.fit(np.zeros((4, 1)), [0, 1, 0, 1]).coef_.tolist() == [[0.0]]


@pytest.mark.parametrize("method", ["predict", "predict_proba", "predict_log_proba", "decision_function"])
@pytest.mark.parametrize("K", [2, 3])
def test_refuses_entries_that_are_not_finite(method, K):
    X, y = np.random.default_rng(0).standard_normal((12, 3)), np.arange(12) % K
    X[:, 1] = 7.0  # a constant feature: its coefficients are 0
    model = LogisticRegression().fit(X, y)
    assert not model.coef_[:, 1].any()
    for column in range(3):
        for wrong in (np.nan, np.inf, -np.inf):
            bad = X.copy()
            bad[5, column] = wrong
            with pytest.raises(ValueError, match=rf"X contains (NaN|infinity).* at index \(5, {column}\)"):
                getattr(model, method)(bad)
    opposite = np.array([[np.inf, 7.0, -np.inf]]) * np.sign(model.coef_[0])
    with pytest.raises(ValueError, match=r"X contains infinity"):
        getattr(model, method)(opposite)
