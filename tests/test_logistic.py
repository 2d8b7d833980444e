"""Logistic regression against hand calculations, loops, finite differences, invariances and scikit-learn."""

import math
import warnings
from fractions import Fraction as F

import numpy as np
import pytest
from sklearn import linear_model as peers
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import LogisticRegression, claims, datasets
from mlnotes.engines import logistic_certificates, logistic_solvers
from mlnotes.estimators.base import ConvergenceWarning, LimitWarning, NotFittedError
from mlnotes.logistic import (
    binary_gradient,
    binary_hessian,
    binary_nll,
    label_probability,
    log_loss,
    reference_nll,
    reference_probabilities,
    reference_rule,
    sigmoid,
    smoothness,
    softmax,
    softmax_gradient,
    softmax_hessian,
    softmax_nll,
    to_reference,
    to_softmax,
    with_intercept,
)

REAL = pytest.mark.parametrize(
    "load",
    [
        datasets.load_iris,
        datasets.load_wine,
        datasets.load_breast_cancer,
        datasets.load_saheart,
        datasets.load_digits,
        datasets.load_adult,
    ],
)
SKIPS = ("check_sample_weights_pandas_series", "check_array_api_input", "check_classifier_data_not_an_array")


def draw(seed, n=120, d=3, K=3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    scores = X @ rng.standard_normal((d, K)) + rng.gumbel(size=(n, K))
    return X, scores.argmax(axis=1)


def objective(model, X, codes, C):
    """The objective from its definition, with 1/n."""
    if len(model.coef_) == 1:
        z = X @ model.coef_[0] + model.intercept_[0]
        loss = np.logaddexp(0, (1 - 2 * codes) * z)
    else:
        Z = X @ model.coef_.T + model.intercept_
        loss = np.logaddexp.reduce(Z, axis=1) - Z[np.arange(len(X)), codes]
    return loss.mean() + (model.coef_**2).sum() / (2 * C * len(X))


# --- by hand


def test_sigmoid_by_hand():
    assert sigmoid([0.0, math.log(3), -math.log(3)]).tolist() == pytest.approx([0.5, 0.75, 0.25])
    assert sigmoid(np.array([-1e4, 1e4])).tolist() == [0.0, 1.0]
    assert sigmoid(-700.0) == pytest.approx(math.exp(-700.0))
    assert sigmoid(0).shape == ()


def test_probabilities_of_a_label():
    p = sigmoid([0.7, -2.0])
    np.testing.assert_allclose(label_probability([1, -1], [0.7, -2.0]), [p[0], 1 - p[1]])
    np.testing.assert_allclose(np.exp(-log_loss([0.7, 2.0])), [p[0], 1 - p[1]])
    assert log_loss([-1e4, 1e4]).tolist() == [1e4, 0.0]


def test_softmax_by_hand():
    assert softmax(np.log([[1.0, 2.0, 5.0]])).tolist() == [pytest.approx([1 / 8, 1 / 4, 5 / 8])]
    assert softmax([0.0, -1e4]).tolist() == [1.0, 0.0]


def test_reference_class_by_hand():
    beta = np.log([[2.0], [5.0]])
    assert reference_probabilities(beta, [[1.0]])[0].tolist() == pytest.approx([1 / 8, 1 / 4, 5 / 8])
    assert reference_rule([[1.0, 0.0], [0.0, 1.0]], [[-1, -1], [0, 0], [2, 1], [1, 2], [0, -1]]).tolist() == [
        0, 0, 1, 2, 0,
    ]  # fmt: skip
    assert reference_nll(beta, [[1.0], [1.0]], [0, 2]) == pytest.approx((math.log(8) + math.log(8 / 5)) / 2)


def test_the_likelihood_of_three_rows():
    X, y, w = np.array([[0.0], [1.0], [1.0]]), np.array([1, 1, 0]), np.array([math.log(3)])
    assert binary_nll(w, X, y) == pytest.approx((math.log(2) + math.log(4 / 3) + math.log(4)) / 3)
    assert binary_gradient(w, X, y)[0] == pytest.approx(float((F(3, 4) - 1 + F(3, 4)) / 3))
    assert binary_hessian(w, X, y)[0, 0] == pytest.approx(2 * 3 / 16 / 3)


def test_conversions():
    W = np.array([[1.0, 2.0], [3.0, -1.0], [0.0, 0.0]])
    assert to_reference(W).tolist() == [[2, -3], [-1, -2]]
    assert to_softmax(to_reference(W)).sum(axis=0) == pytest.approx([0, 0])
    np.testing.assert_allclose(to_reference(to_softmax(to_reference(W))), to_reference(W))
    X = np.random.default_rng(0).standard_normal((5, 2))
    np.testing.assert_allclose(reference_probabilities(to_reference(W), X), softmax(X @ W.T), rtol=1e-12)


def test_smoothness_is_the_largest_curvature():
    X = np.array([[2.0, 0.0], [0.0, 1.0]])
    assert smoothness(X) == 0.5
    assert smoothness(X, 3) == 1.0
    assert np.linalg.eigvalsh(binary_hessian([0, 0], X, [0, 1]))[-1] == pytest.approx(0.5)
    far = np.array([[0.0, 0], [0, 0], [-40, -40]])
    X = np.array([[1.0, 1.0]])
    assert np.linalg.eigvalsh(softmax_hessian(far, X, [0]))[-1] == pytest.approx(smoothness(X, 3))


def test_two_rows_and_a_penalty_by_bisection():
    # rows -1 (label 0) and 1 (label 1): b = 0 and w solves 1 / (1 + e^w) = w / (2 C)
    model = LogisticRegression(C=2.0).fit([[-1.0], [1.0]], [0, 1])
    low, high = 0.0, 4.0
    for _ in range(60):
        w = (low + high) / 2
        low, high = (w, high) if 1 / (1 + math.exp(w)) > w / 4 else (low, w)
    assert model.coef_[0, 0] == pytest.approx(w, rel=1e-8)
    assert model.intercept_[0] == pytest.approx(0, abs=1e-12)


def test_without_features_that_matter_the_class_shares_remain():
    model = LogisticRegression(penalty=None).fit(np.zeros((8, 2)), ["a"] * 3 + ["b"] * 1 + ["c"] * 4)
    np.testing.assert_allclose(model.predict_proba([[0, 0]])[0], [3 / 8, 1 / 8, 1 / 2], rtol=1e-7)
    assert model.coef_.tolist() == [[0, 0]] * 3
    two = LogisticRegression().fit(np.ones((4, 1)), [0, 0, 0, 1])
    np.testing.assert_allclose(two.predict_proba([[1.0]])[0], [3 / 4, 1 / 4], rtol=1e-7)


def test_ties_go_to_the_smaller_label():
    model = LogisticRegression().fit([[-1.0], [1.0]], ["a", "b"])
    model.intercept_ = np.zeros(1)
    assert model.predict([[0.0], [1e-9]]).tolist() == ["a", "b"]


# --- loops and finite differences


@pytest.mark.parametrize("seed", range(3))
def test_sums_against_loops(seed):
    X, y = draw(seed, n=20)
    W = np.random.default_rng(seed).standard_normal((3, 3))
    total = 0.0
    for x, k in zip(X, y, strict=True):
        weights = [math.exp(w @ x) for w in W]
        total -= math.log(weights[k] / sum(weights)) / 20
    assert softmax_nll(W, X, y) == pytest.approx(total, rel=1e-12)
    assert reference_nll(to_reference(W), X, y) == pytest.approx(total, rel=1e-12)
    bits = (y > 0).astype(int)
    loop = -sum(
        math.log(sigmoid(x @ W[0]) if b else sigmoid(-x @ W[0])) for x, b in zip(X, bits, strict=True)
    )
    assert binary_nll(W[0], X, bits) == pytest.approx(loop / 20, rel=1e-12)


def central(function, point, h=1e-4):
    flat = point.ravel()
    columns = [function((flat + h * e).reshape(point.shape)) for e in np.eye(flat.size)]
    back = [function((flat - h * e).reshape(point.shape)) for e in np.eye(flat.size)]
    return np.array([(np.ravel(a) - np.ravel(b)) / (2 * h) for a, b in zip(columns, back, strict=True)])


def test_derivatives_are_those_of_the_objective():
    X, y = draw(4, n=15)
    W = np.random.default_rng(1).standard_normal((3, 3))
    bits = (y > 0).astype(int)
    pairs = [
        (lambda v: binary_nll(v, X, bits), lambda v: binary_gradient(v, X, bits), W[0]),
        (lambda v: binary_gradient(v, X, bits), lambda v: binary_hessian(v, X, bits), W[0]),
        (lambda v: softmax_nll(v, X, y), lambda v: softmax_gradient(v, X, y), W),
        (lambda v: softmax_gradient(v, X, y), lambda v: softmax_hessian(v, X, y), W),
    ]
    for function, derivative, point in pairs:  # third and fourth derivatives are below 1 here
        difference = central(function, point)
        np.testing.assert_allclose(difference.ravel(), derivative(point).ravel(), atol=1e-7)


# --- certificates and identities at the optimum


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("K", [2, 4])
def test_the_certificate_is_right(seed, K):
    X, y = draw(seed, n=80, K=K)
    C = 10.0 ** (seed % 4 - 2)
    model = LogisticRegression(C=C).fit(X * 10.0 ** np.array([-1, 0, 2]) + [0, 5, 300], y)
    X = X * 10.0 ** np.array([-1, 0, 2]) + [0, 5, 300]
    found = model.certificate_
    assert found["objective"] == pytest.approx(objective(model, X, y, C), abs=1e-11)
    assert 0 <= found["gap"] < 1e-6
    assert found["dual"] == found["objective"] - found["gap"]
    assert found["gradient_norm"] <= 1e-8
    other = LogisticRegression(C=C, tol=1e-12, max_iter=100).fit(X, y)
    assert other.certificate_["objective"] >= found["dual"] - 1e-14


def test_the_dual_bounds_the_optimum_from_far_away():
    X, y = draw(3, K=2)
    best = LogisticRegression(tol=1e-12).fit(X, y).certificate_["objective"]
    for max_iter in (1, 2, 3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            found = LogisticRegression(max_iter=max_iter).fit(X + 50, y).certificate_
        assert found["dual"] <= best + 1e-13
        assert best <= found["objective"] + 1e-13


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("K", "intercept"), [(2, True), (2, False), (4, True)])
def test_the_dual_without_a_penalty_bounds_the_optimum(seed, K, intercept):
    X, y = draw(seed, n=150, K=K)
    X = np.column_stack([X + np.array([0, 9, 300]), X[:, 0] - X[:, 2]])  # collinear as well
    weights = np.random.default_rng(seed).uniform(0.2, 2, 150)

    def fit(max_iter):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = LogisticRegression(penalty=None, fit_intercept=intercept, tol=1e-11, max_iter=max_iter)
            return model.fit(X, y, weights).certificate_

    best = fit(1000)
    assert 0 <= best["gap"] < 1e-15
    bounds = [fit(max_iter) for max_iter in range(1, 8)]
    for found in bounds:
        assert found["dual"] <= best["objective"] + 1e-13
        assert found["dual"] == found["objective"] - found["gap"]
    assert any(1e-9 < found["gap"] < 0.1 for found in bounds)


@pytest.mark.parametrize("C", [1e4, 1e9, 1e300])
@pytest.mark.parametrize("K", [2, 3])
def test_a_very_small_penalty_does_not_spoil_the_gap(C, K):
    X, y = draw(5, n=150, K=K)
    best = LogisticRegression(C=C, tol=1e-11).fit(X, y).certificate_
    assert best["gap"] < 1e-12
    for max_iter in (6, 8, 10):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            found = LogisticRegression(C=C, max_iter=max_iter).fit(X, y).certificate_
        assert found["dual"] <= best["objective"] + 1e-14
        assert found["gap"] < 0.1


def test_the_gap_without_a_penalty_from_its_definition():
    X, y = draw(2, n=90, d=2, K=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LogisticRegression(penalty=None, fit_intercept=False, max_iter=3).fit(X, y)
    w = model.coef_[0]
    g, H, p = binary_gradient(w, X, y), binary_hessian(w, X, y), sigmoid(X @ w)
    q = p - p * (1 - p) * (X @ np.linalg.solve(H, g))
    np.testing.assert_allclose((y - q) @ X, 0, atol=1e-12)
    assert 0 < q.min() < q.max() < 1
    dual = -(q * np.log(q) + (1 - q) * np.log(1 - q)).mean()
    assert model.certificate_["dual"] == pytest.approx(dual, abs=1e-14)
    assert model.certificate_["gap"] == pytest.approx(g @ np.linalg.solve(H, g) / 2, rel=0.2)


def test_the_dual_of_separated_classes_is_zero():
    with pytest.warns(LimitWarning, match="separated"):
        found = LogisticRegression(penalty=None).fit([[0.0], [1.0], [3.0]], [0, 0, 1]).certificate_
    assert abs(found["dual"]) <= 1e-16
    assert found["gap"] == pytest.approx(found["objective"])


@pytest.mark.parametrize("K", [2, 3])
def test_class_totals_match(K):
    X, y = draw(1, K=K)
    for penalty in ("l2", None):
        model = LogisticRegression(penalty=penalty).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=0), np.bincount(y), atol=1e-5)


# --- invariances


def test_shifts_labels_and_order_change_nothing():
    X, y = draw(0)
    model = LogisticRegression().fit(X, y)
    names = np.array(["c", "a", "b"])
    moved = LogisticRegression().fit(X[::-1] + 1e3, names[y[::-1]])
    np.testing.assert_allclose(moved.coef_[[2, 0, 1]], model.coef_, atol=1e-6)
    assert (moved.predict(X + 1e3) == names[model.predict(X)]).all()


@pytest.mark.parametrize("K", [2, 3])
def test_units_do_not_matter_without_a_penalty(K):
    X, y = draw(8, K=K)
    model = LogisticRegression(penalty=None, tol=1e-11).fit(X, y)
    units = np.array([1e-3, 1.0, 1e4])
    scaled = LogisticRegression(penalty=None, tol=1e-11).fit(X * units, y)
    np.testing.assert_allclose(scaled.coef_ * units, model.coef_, rtol=1e-4)


@pytest.mark.parametrize("K", [2, 3])
def test_weights_are_copies(K):
    X, y = draw(2, n=40, K=K)
    counts = np.random.default_rng(0).integers(0, 4, 40)
    weighted = LogisticRegression().fit(X, y, counts)
    copied = LogisticRegression().fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.coef_, copied.coef_, atol=1e-7)
    balanced = LogisticRegression(class_weight="balanced").fit(X, y)
    factor = {k: 40 / (K * n) for k, n in enumerate(np.bincount(y))}
    same = LogisticRegression(class_weight=factor).fit(X, y)
    np.testing.assert_allclose(balanced.coef_, same.coef_, atol=1e-7)
    np.testing.assert_allclose(balanced.predict_proba(X).T @ [factor[k] for k in y], 40 / K, atol=1e-4)


def test_fit_twice_and_one_row_at_a_time():
    X, y = draw(5)
    model = LogisticRegression().fit(X, y)
    first = model.coef_.copy()
    assert model.fit(X, y).coef_.tolist() == first.tolist()
    rows = np.vstack([model.predict_proba(x[None]) for x in X])
    np.testing.assert_allclose(rows, model.predict_proba(X), rtol=1e-12)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), rows, rtol=1e-12)


def test_two_classes_as_softmax_have_half_the_penalty():
    X, y = draw(7, K=2)
    binary = LogisticRegression(C=1.0).fit(X, y)
    third = np.vstack([X, X[:0]])
    W = np.vstack([-binary.coef_, binary.coef_]) / 2
    assert LogisticRegression(C=1.0).fit(third, y).coef_.shape == (1, 3)
    b = np.hstack([-binary.intercept_, binary.intercept_]) / 2
    gradient = softmax_gradient(np.column_stack([W, b]), with_intercept(X), y)
    # at w+ = -w- = w/2 the softmax problem with penalty 2/(2 C n) (|w+|^2 + |w-|^2) is stationary
    np.testing.assert_allclose(gradient[:, :-1] + 2 * W / len(X), 0, atol=1e-8)


def test_no_intercept():
    X, y = draw(9, K=2)
    model = LogisticRegression(fit_intercept=False).fit(X + 1, y)
    assert model.intercept_.tolist() == [0.0]
    gradient = binary_gradient(model.coef_[0], X + 1, y) + model.coef_[0] / len(X)
    assert np.linalg.norm(gradient) <= 1e-8
    assert model.certificate_["gap"] < 1e-12


@pytest.mark.parametrize("method", ["predict", "predict_proba", "predict_log_proba", "decision_function"])
@pytest.mark.parametrize("K", [2, 3])
def test_what_is_not_finite_is_found_wherever_it_stands(method, K):
    X, y = draw(0, K=K)
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


# --- limits of the method, degenerate input


def test_separated_classes_are_named():
    X, y = [[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1]
    with pytest.warns(LimitWarning, match="classes are separated, so the maximum likelihood does not exist"):
        model = LogisticRegression(penalty=None).fit(X, y)
    w, b = model.separating_direction_
    assert ((np.array(X) @ w[0] + b[0] > 0) == np.array(y)).all()
    assert model.predict(X).tolist() == y
    assert LogisticRegression(C=1e6).fit(X, y).separating_direction_ is None


def test_separation_with_rows_on_the_hyperplane_is_named():
    X, y = np.array([[0.0], [1], [2], [2], [3], [4]]), np.array([0, 0, 0, 1, 1, 1])
    with pytest.warns(LimitWarning, match="separated"):
        model = LogisticRegression(C=math.inf).fit(X, y)
    w, b = model.separating_direction_
    margins = (2 * y - 1) * (X @ w[0] + b[0])
    np.testing.assert_allclose(margins[[2, 3]], 0, atol=1e-2 * margins.max())
    assert (margins[[0, 1, 4, 5]] > 0).all()


@pytest.mark.parametrize("most", [1000, 700])
def test_weak_separation_of_many_parameters_is_found_or_the_limit_named(most, monkeypatch):
    monkeypatch.setattr(logistic_certificates, "MOST", most)
    rng = np.random.default_rng(0)
    X, y = np.zeros((60, 800)), np.arange(60) % 2
    X[:, :20] = rng.standard_normal((60, 20))
    X[:, 20:] = X[:, :20] @ rng.standard_normal((20, 780))  # of rank 20, with labels of no relation to it
    X[:10] = 0.0  # rows on every hyperplane through 0, of both classes
    X[10:, 0], X[10:, 20:] = 2.0 * y[10:] - 1, 0.0
    sentence = (
        "classes are separated" if most == 1000 else "looked for up to 700 parameters, here are 801: the"
    )
    with pytest.warns(LimitWarning, match=sentence):
        model = LogisticRegression(penalty=None).fit(X, y)
    assert (model.separating_direction_ is not None) == (most == 1000)


def test_one_separated_class_of_three_is_named():
    data = datasets.load_iris()
    with pytest.warns(LimitWarning, match="separated"):
        model = LogisticRegression(penalty=None).fit(data.X, data.y)
    w, b = model.separating_direction_
    scores = data.X @ w.T + b
    others = np.where(np.eye(3, dtype=bool)[data.y], -np.inf, scores).max(axis=1)
    margins = scores[np.arange(150), data.y] - others
    assert margins.min() >= -1e-3 * margins.max()
    assert (margins[data.y == 0] > 0).all()


@pytest.mark.parametrize("seed", range(40))
def test_separation_is_found_iff_it_is_there(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (14, 1)).astype(float)
    y = (X[:, 0] + rng.integers(-1, 2, 14) > 0).astype(int)
    if len(set(y)) < 2:
        y[0] = 1 - y[0]
    zero, one = X[y == 0], X[y == 1]
    weakly = zero.max() <= one.min() or one.max() <= zero.min()
    separated = weakly and len(set(X[:, 0])) > 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = LogisticRegression(penalty=None).fit(X, y)
    assert (model.separating_direction_ is not None) == separated
    assert len(caught) == separated


@pytest.mark.parametrize("penalty", ["l2", None])
def test_collinear_and_constant_features(penalty):
    X, y = draw(10)
    more = np.column_stack([X, X[:, 0] + X[:, 1], np.full(len(X), 7.0), X[:, 2]])
    model = LogisticRegression(penalty=penalty).fit(more, y)
    assert np.isfinite(model.coef_).all()
    assert model.certificate_["gradient_norm"] <= 1e-8
    if penalty is None:
        alone = LogisticRegression(penalty=None).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(more), alone.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("K", [2, 4])
def test_no_step_leads_along_collinear_features(K):
    X, y = draw(3, n=150, K=K)
    more = np.column_stack([X + 300, X[:, 0], X[:, 0] - X[:, 2]])  # the same up to rounding and the offset
    model = LogisticRegression(penalty=None, tol=1e-11).fit(more, y)
    assert model.certificate_["gradient_norm"] <= 1e-11
    np.testing.assert_allclose(model.coef_[:, 3], model.coef_[:, 0], atol=1e-6)
    alone = LogisticRegression(penalty=None, tol=1e-11).fit(X, y)
    assert (abs(model.coef_).max(axis=1) <= 1.01 * abs(alone.coef_).max(axis=1)).all()
    assert model.certificate_["objective"] == pytest.approx(alone.certificate_["objective"], abs=1e-14)


def test_fewer_rows_than_features():
    X = np.random.default_rng(0).standard_normal((10, 40))
    model = LogisticRegression().fit(X, np.arange(10) % 3)
    assert model.certificate_["gap"] < 1e-6
    with pytest.warns(LimitWarning, match="separated"):
        LogisticRegression(penalty=None).fit(X, np.arange(10) % 3)


def test_large_offsets_and_huge_scores():
    X, y = draw(11, K=2)
    model = LogisticRegression().fit(X + 1e6, y)
    reference = LogisticRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, reference.coef_, atol=1e-4)
    far = reference.predict_proba([[1e4, 0, 0], [-1e4, 0, 0]])
    assert np.sort(far, axis=1).tolist() == [[0, 1], [0, 1]]
    assert np.isfinite(reference.predict_log_proba([[1e8, 0, 0]])).all()


@pytest.mark.parametrize("scale", [1.0, 1e4])
def test_scores_of_separated_rows_overflow_nowhere_in_the_solver(scale):
    X = scale * np.random.default_rng(0).normal(size=(40, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", LimitWarning)
        model = LogisticRegression(penalty=None).fit(X, X[:, 0] > 0)
    assert model.separating_direction_ is not None


@pytest.mark.parametrize("order", ["sorted", "mixed"])
def test_many_rows_sorted_by_class(order):
    X, y = draw(12, n=4000, d=2)
    rows = np.argsort(y, kind="stable") if order == "sorted" else np.arange(len(y))
    model = LogisticRegression().fit(X[rows], y[rows])
    assert model.n_iter_ < 20
    np.testing.assert_allclose(model.coef_, LogisticRegression().fit(X, y).coef_, atol=1e-5)


def test_a_class_that_every_eighth_row_misses():
    X, y = draw(13, n=4000, d=2, K=2)
    y = y + 0
    y[1:9] = 2
    y[::8] %= 2
    model = LogisticRegression().fit(X, y)
    assert model.certificate_["gradient_norm"] <= 1e-8


def test_more_parameters_than_a_full_hessian_takes():
    data = datasets.load_digits()
    model = LogisticRegression(C=0.01).fit(data.X, data.y)
    assert model.coef_.size > logistic_solvers.FULL
    assert model.certificate_["gradient_norm"] <= 1e-8
    assert model.certificate_["gap"] < 1e-6


def test_descent_solvers_go_the_same_way():
    X, y = draw(14, K=3)
    best = LogisticRegression(C=0.1).fit(X, y)
    gd = LogisticRegression(C=0.1, solver="gd", tol=1e-6, max_iter=5000).fit(X, y)
    assert gd.trace_.converged
    np.testing.assert_allclose(gd.coef_, best.coef_, atol=1e-4)
    assert (np.diff(gd.trace_.values) <= 1e-14).all()
    with pytest.warns(ConvergenceWarning, match="solver 'sgd' stopped after 20000 steps with gradient norm"):
        sgd = LogisticRegression(C=0.1, solver="sgd", max_iter=20_000, random_state=0, batch_size=8).fit(X, y)
    np.testing.assert_allclose(sgd.coef_, best.coef_, atol=0.1)
    with pytest.warns(ConvergenceWarning, match="solver 'gd' stopped after 5 steps"):
        LogisticRegression(solver="gd", max_iter=5, fit_intercept=False).fit(X, y)


# --- every sentence

X4, Y4 = [[0.0, 1.0], [1.0, 0.0], [3.0, 3.0], [4.0, 5.0]], [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: LogisticRegression().fit(X4, [1] * 4), "needs y with at least 2 classes, got 1 class"),
        (lambda: LogisticRegression().fit(X4, Y4[:3]), "y has 3 labels, but X has 4 rows"),
        (
            lambda: LogisticRegression(penalty="l1").fit(X4, Y4),
            "penalty, unless it is None, must be one of 'l2'",
        ),
        (
            lambda: LogisticRegression(C=0).fit(X4, Y4),
            "C, unless it is infinite, must be a finite number > 0",
        ),
        (lambda: LogisticRegression(C=math.nan).fit(X4, Y4), "C, unless it is infinite, must be a finite"),
        (
            lambda: LogisticRegression(class_weight={Y4[0]: 9e307}).fit(X4, Y4),
            "sample_weight, times class_weight: the sum exceeds the largest float64",
        ),
        (
            lambda: LogisticRegression().fit(np.array(X4) * 1e-151, Y4),
            r"X has entries up to 5e-151, whose squares underflow: rescale the features, so",
        ),
        (lambda: LogisticRegression(solver="saga").fit(X4, Y4), "solver must be one of 'lbfgs', 'gd', 'sgd'"),
        (lambda: LogisticRegression(tol=-1).fit(X4, Y4), "tol must be a finite number >= 0, got -1"),
        (lambda: LogisticRegression(max_iter=0).fit(X4, Y4), "max_iter must be an integer >= 1, got 0"),
        (lambda: LogisticRegression(fit_intercept=2).fit(X4, Y4), "fit_intercept must be one of True, False"),
        (
            lambda: LogisticRegression(class_weight={7: 1.0}).fit(X4, Y4),
            "class_weight has the label 7, which is",
        ),
        (
            lambda: LogisticRegression(class_weight={0: -1}).fit(X4, Y4),
            "class_weight must be a finite number > 0",
        ),
        (
            lambda: LogisticRegression(class_weight="even").fit(X4, Y4),
            "a dict or None, must be one of 'balanced'",
        ),
        (lambda: LogisticRegression(solver="gd", step=-1).fit(X4, Y4), "step must be a finite number > 0"),
        (lambda: LogisticRegression(solver="sgd", batch_size=0).fit(X4, Y4), "batch_size must be an integer"),
        (
            lambda: LogisticRegression().fit(X4, Y4).predict([[1.0]]),
            "X has 1 features, but LogisticRegression",
        ),
        (lambda: LogisticRegression().predict(X4), "not fitted yet"),
        (
            lambda: LogisticRegression().fit(np.array(X4) * 1e150, Y4),
            r"X has entries up to 5e\+150, whose sq",
        ),
        (
            lambda: LogisticRegression(C=1e9).fit([[0.0], [0.1], [0.2], [0.3]], Y4).predict([[1.7e308]]),
            "so large that the scores over",
        ),
    ],
)
def test_refused(call, sentence):
    with pytest.raises((ValueError, NotFittedError), match=sentence):
        call()


def test_stopping_early_is_said():
    X, y = draw(0)
    with pytest.warns(ConvergenceWarning, match="solver 'lbfgs' stopped after 1 steps with gradient norm"):
        LogisticRegression(max_iter=1).fit(X, y)


# --- scikit-learn


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
@pytest.mark.filterwarnings("ignore::mlnotes.estimators.base.LimitWarning")
@pytest.mark.filterwarnings("ignore::mlnotes.estimators.base.ConvergenceWarning")
def test_scikit_learns_own_checks_pass():
    results = check_estimator(LogisticRegression(), on_skip=None, on_fail=None)
    assert [r["check_name"] for r in results if r["status"] not in ("passed", "skipped")] == []
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 40


@REAL
def test_values_agree_on_raw_features(load):
    data = load()
    X, y = data.X, data.y
    K, C = len(data.target_names), 0.1 if data.X.shape[1] < 50 else 1e-3
    ours = LogisticRegression(C=C).fit(X, y)
    assert ours.certificate_["gradient_norm"] <= 1e-8
    solver = "newton-cholesky" if K * X.shape[1] < 100 else "lbfgs"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = peers.LogisticRegression(C=C, solver=solver, tol=1e-9, max_iter=5000).fit(X, y)
    gap = objective(ours, X, y, C) - objective(theirs, X, y, C)
    assert gap <= 1e-8
    assert gap >= -1e-8


def on_raw_mnist(rows, C, solver, tol, max_iter):
    """Our fit on raw grey values 0 to 255, many pixels constant; both objectives."""
    data = datasets.load_mnist_subset()
    X, y = data.X[rows(data.y)], data.y[rows(data.y)]
    codes = np.unique(y, return_inverse=True)[1]
    ours = LogisticRegression(C=C).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = peers.LogisticRegression(C=C, solver=solver, tol=tol, max_iter=max_iter).fit(X, y)
    assert ours.certificate_["objective"] == pytest.approx(objective(ours, X, codes, C), abs=1e-12)
    return ours, objective(theirs, X, codes, C)


@pytest.mark.parametrize("C", [1.0, 1e-5])
def test_values_agree_on_raw_pixels_of_two_digits(C):
    ours, theirs = on_raw_mnist(lambda y: np.isin(y, (4, 9)), C, "newton-cholesky", 1e-9, 100)
    assert ours.certificate_["gap"] <= 1e-9
    assert ours.certificate_["objective"] == pytest.approx(theirs, abs=1e-9)


def test_values_agree_on_raw_pixels_of_ten_digits():
    ours, theirs = on_raw_mnist(lambda y: slice(None, None, 10), 1e-6, "newton-cg", 1e-9, 100)
    assert ours.certificate_["gap"] <= 1e-9
    assert ours.certificate_["objective"] == pytest.approx(theirs, abs=1e-9)


def test_the_gap_proves_the_value_where_the_other_solver_stalls():
    # lbfgs stays 7e-9 above our value even after its last step, the 1,500th
    ours, theirs = on_raw_mnist(lambda y: slice(None), 1e-7, "lbfgs", 1e-9, 50)
    assert ours.certificate_["gap"] <= 1e-9  # so no solver has a value lower by more
    assert ours.certificate_["dual"] <= ours.certificate_["objective"] <= theirs


@pytest.mark.parametrize("K", [2, 3])
def test_parameters_agree(K):
    X, y = draw(20, n=200, K=K)
    weights = np.random.default_rng(0).uniform(0.2, 3, 200)
    ours = LogisticRegression(C=0.7, class_weight={0: 2.0}).fit(X, y, weights)
    theirs = peers.LogisticRegression(C=0.7, class_weight={0: 2.0}, solver="newton-cholesky", tol=1e-12)
    theirs.fit(X, y, weights)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)


def test_in_a_pipeline():
    X, y = datasets.load_wine().X, datasets.load_wine().y
    assert make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y).score(X, y) > 0.98


STATEMENTS = (
    "model-multi", "bayes-rule", "nll", "mle", "convex", "model-binary", "margin-form", "form01",
    "ml-logloss", "grad-binary", "gd-binary", "softmax", "recovers-binary", "nll-softmax", "grad-multi",
    "erratum-y8", "erratum-y9", "erratum-s20", "erratum-s21", "erratum-s22", "erratum-s23",
)  # fmt: skip


def test_every_statement_of_the_notes_and_every_erratum_is_a_claim():
    # linear-to-logistic is a motivation: text only
    ids = {claim.id for claim in claims.of("logistic")}
    assert {f"logistic.{name}" for name in STATEMENTS} - ids == set()


@pytest.mark.parametrize("K", [2, 3])
def test_wide_data_in_any_units(K):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 400)) @ rng.standard_normal((400, 400)) * np.logspace(-3, 3, 400) + 7.0
    model = LogisticRegression(C=1e-4).fit(X, rng.integers(0, K, 60))
    assert model.certificate_["gradient_norm"] <= 1e-7  # rounding: the features are of order 1e4
