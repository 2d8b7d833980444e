"""Nearest neighbours and closest averages: exact distances, exact ties, and agreement with brute force."""

import re
import warnings
from fractions import Fraction

import numpy as np
import pytest
import sklearn.neighbors
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import KNeighborsClassifier, NearestCentroid
from mlnotes.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from mlnotes.neighbors import cover_hart_bound, k_neighbors_risk


def refuses(sentence, function, *args, error=ValueError, **kwargs):
    """The call must fail with this sentence, given as a literal part of the message."""
    with pytest.raises(error, match=re.escape(sentence)):
        function(*args, **kwargs)


# --- hand cases


def test_neighbors_by_hand():
    model = KNeighborsClassifier(3).fit([[0, 0], [3, 4], [0, 1], [6, 8]], [1, 2, 2, 1])
    distances, indices = model.kneighbors([[0, 0]])
    assert distances.tolist() == [[0, 1, 5]]
    assert indices.tolist() == [[0, 2, 1]]
    assert model.predict([[0, 0]]).tolist() == [2]
    assert model.predict_proba([[0, 0]]).tolist() == [[1 / 3, 2 / 3]]


def test_neighbors_among_the_other_training_examples():
    X = [[0.0], [0.0], [0.0], [5.0]]
    model = KNeighborsClassifier(1).fit(X, [0, 1, 2, 3])
    assert model.kneighbors()[1].tolist() == [[1], [0], [0], [0]]
    assert model.kneighbors(n_neighbors=3)[1].tolist() == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]


def test_example_behind_its_copies_is_left_out():
    model = KNeighborsClassifier(2).fit(np.zeros((5, 2)), np.arange(5))
    assert model.kneighbors()[1].tolist() == [[1, 2], [0, 2], [0, 1], [0, 1], [0, 1]]


def test_centroids_by_hand():
    model = NearestCentroid().fit([[0, 0], [2, 0], [10, 0]], [-1, -1, 1])
    assert model.centroids_.tolist() == [[1, 0], [10, 0]]
    assert model.decision_function([[5.5, 3], [7.5, 0]]).tolist() == [0.0, 18.0]
    assert model.predict([[5.5, 3], [5.4, 3]]).tolist() == [1, -1]  # a tie goes to the larger label
    assert NearestCentroid().fit([[0], [2], [4]], list("abc")).predict([[1], [3]]).tolist() == ["b", "c"]


@pytest.mark.parametrize("shift", [0, 3, -7])
def test_far_first_mean_does_not_blur_two_near_ones(shift):
    far = 2.0**40
    model = NearestCentroid().fit(np.array([[0.0], [far], [far + 2]]) + shift, [0, 1, 2])
    near = np.array([[far + t] for t in (-9, 0.25, 0.75, 1, 1.25, 1.75, 9)]) + shift
    assert model.predict(near).tolist() == [1, 1, 1, 2, 2, 2, 2]  # a tie goes to the larger label


@pytest.mark.parametrize("seed", range(20))
def test_nearest_mean_in_fractions(seed):
    rng = np.random.default_rng(seed)
    shift = 2.0 ** rng.integers(20, 44, (1, 2))
    means = rng.integers(-3, 4, (5, 2)) + np.where(rng.random((5, 1)) < 0.7, shift, 0.0)
    Q = means[rng.integers(0, 5, 60)] + rng.integers(-8, 9, (60, 2)) / 4
    exact = []
    for q in Q:
        squares = [sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(q, m, strict=True)) for m in means]
        exact.append(max(range(5), key=lambda k: (-squares[k], k)))
    assert NearestCentroid().fit(means, np.arange(5)).predict(Q).tolist() == exact


PLANES = {
    "uniform": lambda rng, m: rng.random((m, 2)),
    "clusters": lambda rng, m: rng.integers(0, 4, (m, 2)) + 1e-4 * rng.standard_normal((m, 2)),
    "a grid of ties": lambda rng, m: rng.integers(-40, 40, (m, 2)).astype(float),
    "two points": lambda rng, m: rng.integers(0, 2, (m, 1)) * [1.0, 2.0],
    "a line": lambda rng, m: rng.random((m, 1)) * [1.0, 0.0],
    "far from the origin": lambda rng, m: 1e8 + rng.standard_normal((m, 2)),
    "outliers": lambda rng, m: rng.standard_normal((m, 2)) * np.where(rng.random((m, 1)) < 0.01, 1e9, 1),
    "tiny": lambda rng, m: 1e-300 * rng.standard_normal((m, 2)),
    "huge": lambda rng, m: 1e300 * rng.standard_normal((m, 2)),
}


@pytest.mark.parametrize("k", [1, 7, 400])
@pytest.mark.parametrize("plane", PLANES)
def test_nearest_of_many_points_in_the_plane(plane, k):
    rng = np.random.default_rng(0)
    X = PLANES[plane](rng, 5000)
    Q = np.vstack([PLANES[plane](rng, 30), X[:20], 3 * X[:5]])
    unit = 2.0 ** np.floor(np.log2(abs(Q).max()))  # exact, and nothing overflows or underflows
    squares = ((Q[:, None] / unit - X / unit) ** 2).sum(axis=2)
    distances, indices = KNeighborsClassifier(k).fit(X, np.zeros(5000, int)).kneighbors(Q)
    assert np.array_equal(indices, np.argsort(squares, axis=1, kind="stable")[:, :k])
    exact = np.sqrt(np.take_along_axis(squares, indices, axis=1)) * unit
    assert distances == pytest.approx(exact, rel=1e-14, abs=0)


@pytest.mark.parametrize("d", [3, 9])
def test_nearest_of_many_points_in_space(d):
    rng = np.random.default_rng(0)
    X, Q = rng.integers(0, 12, (3000, d)).astype(float), rng.integers(0, 12, (600, d)).astype(float)
    squares = ((Q[:, None, :] - X) ** 2).sum(axis=2)
    expected = np.argsort(squares, axis=1, kind="stable")[:, :7]
    assert np.array_equal(KNeighborsClassifier(7).fit(X, np.zeros(3000, int)).kneighbors(Q)[1], expected)


def test_many_copies_of_one_point():
    X, Q = np.zeros((20_000, 1)), np.zeros((300, 1))
    indices = KNeighborsClassifier(3).fit(X, np.zeros(20_000, int)).kneighbors(Q)[1]
    assert (indices == [0, 1, 2]).all()


# --- what must not matter


def test_moving_and_scaling_by_powers_of_two_changes_nothing():
    rng = np.random.default_rng(1)
    X, Q = rng.integers(-50, 50, (80, 4)), rng.integers(-50, 50, (30, 4))
    y = rng.integers(0, 3, 80)
    for model in (KNeighborsClassifier(4), NearestCentroid()):
        answers = model.fit(X, y).predict(Q)
        for scale, shift in ((1, 2.0**40), (2.0**300, 0), (2.0**-300, 0), (-1, 0)):
            assert np.array_equal(model.fit(X * scale + shift, y).predict(Q * scale + shift), answers)


def test_huge_and_tiny_queries_have_finite_distances():
    model = KNeighborsClassifier(2).fit([[1e-300], [2e-300], [4e-300]], [0, 1, 2])
    distances, indices = model.kneighbors([[1e308], [-1e308], [2.5e-300]])
    assert indices.tolist() == [[0, 1], [0, 1], [1, 0]]
    assert distances[:2].tolist() == [[1e308, 1e308]] * 2


def test_refuses_overflow_but_a_vote_needs_no_distance():
    model = KNeighborsClassifier(1).fit([[1.7e308], [1.6e308]], [0, 1])
    refuses("a distance from X to a training example exceeds", model.kneighbors, [[-1.7e308]])
    assert model.predict([[-1.7e308]]).tolist() == [1]
    apart = KNeighborsClassifier(1).fit([[1.7e308], [-1.7e308]], [0, 1])
    refuses("a distance between training examples exceeds the largest float64", apart.kneighbors)
    means = NearestCentroid()
    refuses("a squared distance between class means exceeds", means.fit, [[1e308], [-1e308]], [0, 1])
    refuses("a squared distance between class means exceeds", means.fit, [[1.7e308]] * 3, [0, 0, 0])
    means.fit([[0.0], [1e150]], [0, 1])
    refuses("the product of X with a class mean exceeds", means.predict, [[1e300]])


def test_changing_the_input_later_changes_no_prediction():
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    model = KNeighborsClassifier(1).fit(X, y)
    X += 100
    assert model.predict([[0.9]]).tolist() == [1]


# --- degenerate but legal


def test_one_observation_and_one_class():
    assert KNeighborsClassifier(1).fit([[3.0]], ["only"]).predict([[-8.0]]).tolist() == ["only"]
    model = NearestCentroid().fit([[3.0], [5.0]], ["only", "only"])
    assert model.predict([[-8.0]]).tolist() == ["only"]
    assert model.decision_function([[-8.0]]).tolist() == [[0.0]]


# --- what is refused


X4 = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]


@pytest.mark.parametrize(
    ("sentence", "call"),
    [
        ("n_neighbors must be an integer >= 1, got 0.", lambda: knn(0)),
        ("n_neighbors must be an integer >= 1, got 1.5.", lambda: knn(1.5)),
        ("n_neighbors must be an integer >= 1, got True.", lambda: knn(True)),
        (
            "n_neighbors must be at most the number of training examples, n_samples = 4, got 5.",
            lambda: knn(5),
        ),
        ("n_neighbors must be an integer >= 1 and <= 4, got 5.", lambda: knn(1).kneighbors(X4, 5)),
        ("n_neighbors must be an integer >= 1 and <= 3, got 4.", lambda: knn(4).kneighbors()),
        ("X is None; an array of numbers is required.", lambda: knn(1).predict(None)),
        ("X has 1 features, but KNeighborsClassifier is expecting 2", lambda: knn(1).predict([[1.0]])),
        ("X contains NaN at index (0, 1)", lambda: knn(1).predict([[1.0, np.nan]])),
        ("X has 0 sample(s)", lambda: knn(1).kneighbors(np.zeros((0, 2)))),
        ("y has 2 labels, but X has 4 rows.", lambda: NearestCentroid().fit(X4, [0, 1])),
        ("X has 1 features, but NearestCentroid is expecting 2", lambda: centroid().predict([[1.0]])),
        ("X contains infinity", lambda: NearestCentroid().fit([[np.inf]], [0])),
        ("This KNeighborsClassifier instance is not fitted yet", lambda: KNeighborsClassifier().kneighbors()),
        ("This KNeighborsClassifier instance is not fitted yet", lambda: KNeighborsClassifier().predict(X4)),
        ("This NearestCentroid instance is not fitted yet", lambda: NearestCentroid().decision_function(X4)),
        ("With K classes the Bayes risk is at most 1 - 1/K.", lambda: cover_hart_bound(0.75, 2)),
        ("k must be odd, so that two classes cannot tie.", lambda: k_neighbors_risk(0.5, 4)),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_refuses(sentence, call):
    refuses(sentence, call)


def knn(k):
    return KNeighborsClassifier(k).fit(X4, [0, 0, 1, 1])


def centroid():
    return NearestCentroid().fit(X4, [0, 0, 1, 1])


# --- scikit-learn 1.6 or newer


SKIPS = {
    "check_array_api_input": "runs only with SCIPY_ARRAY_API=1 set before SciPy is imported",
    "check_classifier_data_not_an_array": "its last part needs pandas",
}


@pytest.mark.parametrize("estimator", [KNeighborsClassifier(), NearestCentroid()], ids=str)
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
def test_scikit_learns_own_checks_pass(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    assert [r["check_name"] for r in results if r["status"] not in ("passed", "skipped")] == []
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
def test_agreement_on_real_data(load):
    data = load()
    X, y, Q = data.X[::2], data.y[::2], data.X[1::2]
    ours = KNeighborsClassifier(5).fit(X, y)
    theirs = sklearn.neighbors.KNeighborsClassifier(5, algorithm="kd_tree").fit(X, y)
    assert ours.kneighbors(Q)[0] == pytest.approx(theirs.kneighbors(Q)[0], rel=1e-12)
    clear = np.diff(ours.kneighbors(Q, 6)[0])[:, -1] > 1e-12  # it has no rule for equal distances
    assert clear.mean() > 0.75
    assert np.array_equal(ours.predict_proba(Q)[clear], theirs.predict_proba(Q)[clear])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that scaling is advisable
        peer = sklearn.neighbors.NearestCentroid().fit(X, y)
    means = NearestCentroid().fit(X, y)
    assert means.centroids_ == pytest.approx(peer.centroids_, rel=1e-12)
    assert np.array_equal(means.predict(Q), peer.predict(Q))
