"""Logistic regression against the board: one objective, two solvers, both with a bound for what they miss."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import LogisticRegression
from mlnotes import logistic as board
from mlnotes.engines import logistic_solvers

quick = settings(derandomize=True, deadline=None, max_examples=60)


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logistic_solvers, "BLOCK", 3)
        yield


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
@given(problems(), st.sampled_from([0.25, 1.0, 16.0]))
def test_the_penalised_fit(problem, C):
    X, y, copies = problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model, own = (cls(C=C).fit(X, y, copies) for cls in (LogisticRegression, board.LogisticRegression))
    repeat = np.ones(len(y), dtype=int) if copies is None else copies
    rows, codes = np.repeat(X, repeat, axis=0), np.repeat(y, repeat)
    penalty = 1 / (C * len(rows))
    risk = board.Risk(rows, codes, penalty)
    flat = [np.column_stack([m.coef_, m.intercept_]).ravel() for m in (model, own)]
    values = [risk.value(w) for w in flat]
    assert model.certificate_["objective"] == pytest.approx(values[0], abs=1e-12)
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


@quick
@given(problems())
def test_newton_falls_at_every_step(problem):
    X, y, _ = problem
    risk = board.Risk(X, y, 0.125)
    path = [w for w, _ in zip(board.newton(risk, np.zeros(len(risk.ridge))), range(8), strict=False)]
    values = [risk.value(w) for w in path]
    assert (np.diff(values) <= 1e-14).all()
    assert np.linalg.norm(risk.gradient(path[-1])) <= 1e-6
