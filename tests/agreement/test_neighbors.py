"""Nearest neighbours and nearest means against the reference module: copies, ties, and points far away."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import KNeighborsClassifier, NearestCentroid
from mlnotes import neighbors as reference
from mlnotes.engines import neighbors_search as engine
from mlnotes.estimators import neighbors as estimators

OPTIONS = settings(derandomize=True, deadline=None, max_examples=120)
LIMITS = [name for name, value in vars(engine).items() if name.isupper() and isinstance(value, int)]


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    """Blocks of three, so that a handful of observations passes through all of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimators, "row_blocks", lambda n, d: [slice(i, i + 3) for i in range(0, n, 3)])
        yield


@st.composite
def problems(draw):
    """Integer points with copies and ties, in one to four dimensions, at the origin or far from it.

    In the plane, queries may be so far away that their distances tie by rounding.
    """
    n, d, q = draw(st.integers(1, 12)), draw(st.integers(1, 4)), draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    spread, far = draw(st.sampled_from([0, 1, 3])), draw(st.sampled_from([0.0, 2.0**30]))
    X = rng.integers(-spread, spread + 1, (n, d)) + far
    Q = rng.integers(-spread - 1, spread + 2, (q, d)) + far
    if d <= 2:  # sums of two squares are rounded in one way
        Q = Q + draw(st.sampled_from([0.0, 2.0**26, 2.0**54, -(2.0**56)]))
    return X, rng.integers(0, draw(st.integers(1, 4)), n), Q


def check_neighbors(X, y, Q, k):
    model = KNeighborsClassifier(k).fit(X, y)
    expected = reference.KNeighborsClassifier(k).fit(X, y)
    for queries in (Q, X):
        distances, indices = model.kneighbors(queries)
        exact, order = expected.kneighbors(queries)
        assert indices.tolist() == order.tolist()
        assert distances == pytest.approx(exact, rel=1e-15)
        assert model.predict(queries).tolist() == expected.predict(queries).tolist()
        assert model.predict_proba(queries) == pytest.approx(expected.predict_proba(queries), rel=1e-15)
    if k < len(X):
        assert model.kneighbors()[1].tolist() == expected.kneighbors()[1].tolist()


@OPTIONS
@given(problems(), st.booleans(), st.data())
def test_nearest_neighbors_agree_with_the_reference(problem, small, data):
    X, y, Q = problem
    k = data.draw(st.integers(1, len(X)))
    with pytest.MonkeyPatch.context() as patch:
        for name in LIMITS if small else ():
            patch.setattr(engine, name, 3)
        check_neighbors(X, y, Q, k)


@pytest.mark.parametrize("size", [3, 20])
@pytest.mark.parametrize("shape", ["square", "line", "copies", "clusters", "space"])
def test_tree_and_screen_agree_with_the_reference(shape, size, monkeypatch):
    for name in LIMITS:
        monkeypatch.setattr(engine, name, size)
    rng = np.random.default_rng(0)
    X, Q = rng.random((120, 2)) * [1, 64], (rng.random((15, 2)) * 1.2 - 0.1) * [1, 64]
    if shape == "line":
        X[:, 1], Q[:, 1] = 0.0, 0.0
    if shape == "copies":
        X, Q = np.round(9 * X), np.round(9 * Q)
    if shape == "clusters":
        X, Q = np.round(X) * 1e6 + X, np.round(Q) * 1e6 + Q
    if shape == "space":
        X, Q = rng.standard_normal((120, 8)), rng.standard_normal((15, 8))
    for k in (1, 2, 7):
        check_neighbors(X, np.arange(120) % 3, Q, k)


@OPTIONS
@given(problems())
def test_nearest_means_agree_with_the_reference(problem):
    X, y, Q = problem
    X, y = np.repeat(X, 4, axis=0), np.repeat(y, 4)
    model, expected = NearestCentroid().fit(X, y), reference.NearestCentroid().fit(X, y)
    assert model.centroids_ == pytest.approx(expected.centroids_, rel=1e-15)
    scores = expected.scores(Q)
    largest = np.sort(scores, axis=1)[:, -2:]
    clear = np.ptp(largest, axis=1) > 1e-6 * (1 + abs(largest).max(axis=1))  # means are rounded
    if len(expected.classes_) == 1:
        clear[:] = True
    assert (model.predict(Q) == expected.predict(Q))[clear].all()
    ours = model.decision_function(Q)
    exact = expected.decision_function(Q)
    if ours.ndim == 2:
        ours, exact = ours - ours[:, :1], exact - exact[:, :1]
    assert ours == pytest.approx(exact, abs=1e-12 * (1 + abs(scores).max()))
