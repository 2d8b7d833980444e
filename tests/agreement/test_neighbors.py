"""Neighbours and closest averages against the board: integers, so that distances and ties are exact."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import KNeighborsClassifier, NearestCentroid
from mlnotes import neighbors as board

quick = settings(derandomize=True, deadline=None, max_examples=150)


@st.composite
def problems(draw):
    """Rows with copies and ties, in one to four dimensions, at the origin or far from it, and queries."""
    n, d, q = draw(st.integers(1, 12)), draw(st.integers(1, 4)), draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    spread, far = draw(st.sampled_from([0, 1, 3])), draw(st.sampled_from([0.0, 2.0**30]))
    X, Q = (
        rng.integers(-spread, spread + 1, (n, d)) + far,
        rng.integers(-spread - 1, spread + 2, (q, d)) + far,
    )
    return X, rng.integers(0, draw(st.integers(1, 4)), n), Q


@quick
@given(problems(), st.data())
def test_k_nearest_neighbours(problem, data):
    X, y, Q = problem
    k = data.draw(st.integers(1, len(X)))
    model, own = KNeighborsClassifier(k).fit(X, y), board.KNeighborsClassifier(k).fit(X, y)
    for queries in (Q, X):
        distances, rows = model.kneighbors(queries)
        expected = own.kneighbors(queries)
        assert rows.tolist() == expected[1].tolist()
        assert distances == pytest.approx(expected[0], rel=1e-15)
        assert model.predict(queries).tolist() == own.predict(queries).tolist()
        assert model.predict_proba(queries) == pytest.approx(own.predict_proba(queries), rel=1e-15)
    if k < len(X):
        assert model.kneighbors()[1].tolist() == own.kneighbors()[1].tolist()


@quick
@given(problems())
def test_closest_averages(problem):
    X, y, Q = problem
    X, y = np.repeat(X, 4, axis=0), np.repeat(y, 4)  # means of few rows: sums of integers, then one division
    if len(np.unique(y)) == 1:
        return
    model, own = NearestCentroid().fit(X, y), board.NearestCentroid().fit(X, y)
    assert model.centroids_ == pytest.approx(own.centroids_, rel=1e-15)
    scores = own.scores(Q)
    top = np.sort(scores, axis=1)
    clear = top[:, -1] - top[:, -2] > 1e-6 * (1 + abs(top[:, -1]))  # means are rounded, ties are not compared
    assert (model.predict(Q) == own.predict(Q))[clear].all()
    assert model.decision_function(Q).shape == own.decision_function(Q).shape
