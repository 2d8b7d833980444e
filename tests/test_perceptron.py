"""The perceptron: hand paths, the plain loop bit for bit, proofs either way, variants, limits, agreement."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from sklearn import linear_model as peers
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import claims, datasets, perceptron
from mlnotes.base import ConvergenceWarning
from mlnotes.perceptron import (
    KernelPerceptron,
    Perceptron,
    margin,
    mistake_bound,
    mistake_set,
    one_pass,
    perceptron_loss,
    perceptron_subgradient,
    separability,
    signed_rows,
    slack_bound,
)

XOR = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
XOR_Y = np.array([1, 1, -1, -1])


def separable(rng, n=60, d=3, gap=0.2):
    u = rng.normal(size=d)
    u /= np.linalg.norm(u)
    X = rng.normal(size=(n, d))
    side = np.where(X @ u > 0, 1, -1)
    side[:2] = 1, -1
    X[:2] = np.outer(side[:2], u)
    return X + gap * np.outer(side, u), side


def plain_loop(Z, passes=10_000):
    """The algorithm as on the board: row after row, until a pass without a mistake."""
    w, mistakes = np.zeros(Z.shape[1]), []
    for _ in range(passes):
        before = len(mistakes)
        for i, z in enumerate(Z):
            if z.dot(w) <= 0:
                w += z
                mistakes.append(i)
        if len(mistakes) == before:
            return w, mistakes
    return w, mistakes


def weights(model):
    return np.append(model.coef_, model.intercept_)


# --- exact hand cases


def test_hand_path():
    # (2, 0) first: w = (2, 0); then (0, 1) lies on the boundary, a mistake: (2, 1); -(−1, −1) is right
    model = Perceptron(fit_intercept=False).fit([[2, 0], [0, 1], [-1, -1]], [1, 1, -1])
    assert model.mistakes_.tolist() == [0, 1]
    assert model.coef_.tolist() == [[2, 1]]
    assert model.certificate_ == {
        "mistakes": 2, "radius": 2.0, "margin": 1 / math.sqrt(5), "bound": pytest.approx(20, rel=1e-15),
        "separable": True, "lower": 1 / math.sqrt(5), "upper": 2.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("pick", "rows", "w"),
    [
        ("cyclic", [0, 1, 1, 2, 1], [-1, 5]),
        ("first", [0, 1, 1, 0, 1], [0, 5]),
        ("worst", [0, 1, 1, 2, 1], [-1, 5]),
        ("batch", [0, 1, 2, 1, 1], [-1, 5]),
    ],
)
def test_hand_picks(pick, rows, w):
    # signed rows (-3, 1), (2, 1), (-4, 1); by hand: (-3, 1), (-1, 2), (1, 3), then "first" leaves the others
    model = Perceptron(pick=pick, fit_intercept=False).fit([[-3, 1], [2, 1], [4, -1]], [1, 1, -1])
    assert model.mistakes_.tolist() == rows
    assert model.coef_.tolist() == [w]


def test_orthonormal_rows_attain_the_bound():
    for n in (1, 5, 30):
        Z = np.vstack([np.eye(n), -np.eye(n)[:1]])  # the last row gives the second class
        model = Perceptron(fit_intercept=False).fit(Z, np.append(np.ones(n), -1))
        assert model.certificate_["mistakes"] == n == round(mistake_bound(1.0, 1 / math.sqrt(n)))


def test_hand_formulas():
    Z = signed_rows([[3.0], [1.0]], [1, -1])
    assert Z.tolist() == [[3, 1], [-1, -1]]
    assert signed_rows([[3.0], [1.0]], [1, -1], fit_intercept=False).tolist() == [[3], [-1]]
    assert mistake_set([1, -1], Z).tolist() == [1]  # (3, 1): 2; (-1, -1): 0, on the boundary
    assert mistake_set([0, 0], Z).tolist() == [0, 1]
    assert perceptron_loss([-1, 0], Z) == 3
    assert perceptron_subgradient([-1, 0], Z).tolist() == [-3, -1]
    assert margin([3, -4], Z) == 0.2
    assert mistake_bound(3, 2) == 2.25


def test_the_bound_from_another_start_solves_its_equation():
    for R, delta, size, a in ((2.0, 0.5, 3.0, -1.0), (1.0, 0.1, 10.0, 10.0), (5.0, 1.0, 2.0, -2.0)):
        t = mistake_bound(R, delta, start_norm=size, start_along=a)
        assert (a + t * delta) ** 2 == pytest.approx(size**2 + t * R**2, rel=1e-12)


def test_one_pass_by_hand():
    # (1, 1) has score 0 and is right; (2, -1): wrong, b -= (2, 1); (1, 1): score -3, b += (1, 1)
    assert one_pass([[1], [2], [1]], [1, -1, 1]).tolist() == [-1, 0]
    assert one_pass([[1], [2], [1]], [1, -1, 1], rate=0.25).tolist() == [-0.5, 0]


def test_a_score_of_zero_is_the_second_class():
    model = Perceptron().fit([[-1.0], [1.0]], ["a", "b"])
    assert model.decision_function([[0.0]]).tolist() == [0.0]
    assert model.predict([[0.0]]).tolist() == ["b"]


# --- the plain loop


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("n", "d", "gap"), [(40, 2, 0.05), (300, 5, 0.05), (900, 12, 0.2)])
def test_the_path_is_that_of_the_plain_loop_bit_for_bit(seed, n, d, gap):
    X, y = separable(np.random.default_rng(seed), n, d, gap)
    w, mistakes = plain_loop(signed_rows(X, y))
    model = Perceptron(max_iter=10_000).fit(X, y)
    assert model.mistakes_.tolist() == mistakes
    assert weights(model).tolist() == w.tolist()


def test_the_sign_of_a_product_of_rounding_size_is_that_of_the_plain_loop():
    # rows with products that cancel to a few units of rounding: the order of summation decides their sign
    rng = np.random.default_rng(0)
    for _ in range(30):
        X, y = separable(rng, 50, 7, 0.3)
        X[::2] = np.round(X[::2], 1) * 0.1
        X[1::2] = X[::2] * 3
        _, mistakes = plain_loop(signed_rows(X, y, fit_intercept=False), passes=5)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = Perceptron(fit_intercept=False, max_iter=5).fit(X, y)
        t = len(model.mistakes_)  # 100 or all: then it is decided that the data cannot be separated
        assert t == min(100, len(mistakes))
        assert model.mistakes_.tolist() == mistakes[:t]


@pytest.mark.parametrize("pick", ["first", "worst", "random"])
@pytest.mark.parametrize("seed", range(4))
def test_picks_against_the_definition(pick, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-5, 6, (40, 3)).astype(float)
    y = np.where(X @ [2, -1, 1] >= 1, 1, -1)
    Z = signed_rows(X, y)
    model = Perceptron(pick=pick, random_state=seed).fit(X, y)
    w = np.zeros(4)
    for i in model.mistakes_:
        wrong = mistake_set(w, Z)
        assert i in wrong
        assert pick != "first" or i == wrong[0]
        assert pick != "worst" or Z[i] @ w == (Z @ w).min()
        w += Z[i]
    assert w.tolist() == weights(model).tolist()
    assert len(mistake_set(w, Z)) == 0


@pytest.mark.parametrize("seed", range(4))
def test_batch_adds_all_mistakes(seed):
    X, y = separable(np.random.default_rng(seed))
    Z, w, rows = signed_rows(X, y), np.zeros(4), []
    while len(wrong := mistake_set(w, Z)):
        w, rows = w + Z[wrong].sum(axis=0), rows + wrong.tolist()
    model = Perceptron(pick="batch").fit(X, y)
    np.testing.assert_allclose(weights(model), w, rtol=1e-12)
    assert model.mistakes_.tolist() == rows


@pytest.mark.parametrize("seed", range(4))
def test_average_and_vote_against_the_loop_over_visits(seed):
    X, y = separable(np.random.default_rng(seed), gap=0.02)
    Z = signed_rows(X, y)
    model = Perceptron().fit(X, y)
    w, kept = np.zeros(4), []
    for visit in range(model._visits):
        z = Z[visit % len(Z)]
        w = w + z if z @ w <= 0 else w
        kept.append(w)
    kept = np.array(kept)
    average = Perceptron(output="average").fit(X, y)
    np.testing.assert_allclose(weights(average), kept.mean(axis=0), rtol=1e-10)
    vote = Perceptron(output="vote").fit(X, y)
    new = np.random.default_rng(9).normal(size=(20, 3))
    signs = np.where(kept[:, :3] @ new.T + kept[:, 3:] >= 0, 1, -1)
    assert vote.decision_function(new).tolist() == signs.sum(axis=0).tolist()


@pytest.mark.parametrize("seed", range(4))
def test_several_classes_against_the_loop(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(45) % 3
    X = rng.integers(-2, 3, (45, 2)) + np.array([[0, 9], [8, -6], [-8, -6]])[y]
    W, rows, merged = np.zeros((3, 3)), [], np.column_stack([X, np.ones(45)])
    wrong = True
    while wrong:
        wrong = False
        for i, (x, k) in enumerate(zip(merged, y, strict=True)):
            scores = W @ x
            scores[k] = -math.inf
            rival = int(scores.argmax())
            if W[k] @ x <= scores[rival]:
                W[k] += x
                W[rival] -= x
                rows.append(i)
                wrong = True
    model = Perceptron().fit(X, y)
    assert model.mistakes_.tolist() == rows
    assert np.column_stack([model.coef_, model.intercept_]).tolist() == W.tolist()
    assert model.score(X, y) == 1
    assert model.certificate_["mistakes"] <= model.certificate_["bound"]
    average = Perceptron(output="average").fit(X, y)
    assert average.coef_.shape == (3, 2)


def test_several_classes_in_a_batch():
    y = np.arange(30) % 3
    X = np.random.default_rng(0).integers(-2, 3, (30, 2)) + np.array([[0, 9], [8, -6], [-8, -6]])[y]
    model = Perceptron(pick="batch").fit(X, y)
    assert model.score(X, y) == 1


# --- theorems


@pytest.mark.parametrize("pick", ["cyclic", "first", "random", "worst"])
@pytest.mark.parametrize("seed", range(10))
def test_mistake_bound_and_both_invariants_in_integers(pick, seed):
    rng = np.random.default_rng(seed)
    X, u = rng.integers(-9, 10, (50, 3)), rng.integers(-5, 6, 4)
    products = X @ u[:3] + u[3]
    X, y = X[products != 0], np.sign(products[products != 0])
    if abs(y.sum()) == len(y):
        return
    model = Perceptron(pick=pick, random_state=seed).fit(X, y)
    Z = signed_rows(X, y).astype(int)
    w, R2, least = np.zeros(4, dtype=int), int((Z**2).sum(axis=1).max()), int((Z @ u).min())
    for t, i in enumerate(model.mistakes_, start=1):
        w = w + Z[i]
        assert u @ w >= t * least
        assert w @ w <= t * R2
    assert len(model.mistakes_) * least**2 <= R2 * int(u @ u)
    assert len(model.mistakes_) <= model.certificate_["bound"]


@pytest.mark.parametrize("seed", range(10))
def test_bound_from_another_start(seed):
    rng = np.random.default_rng(seed)
    X, y = separable(rng, gap=0.1)
    model = Perceptron(eta0=0.5).fit(X, y, coef_init=10 * rng.normal(size=3), intercept_init=5.0)
    assert model.score(X, y) == 1
    assert len(model.mistakes_) <= model.certificate_["bound"] < math.inf


@pytest.mark.parametrize("seed", range(10))
def test_first_pass_bound_on_any_data(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(80, 3)), rng.choice([-1, 1], 80)
    with pytest.warns(ConvergenceWarning):
        model = Perceptron(max_iter=1).fit(X, y)
    Z = signed_rows(X, y)
    for delta in (0.01, 0.1, 1.0, 5.0):
        assert len(model.mistakes_) <= slack_bound(rng.normal(size=4), Z, delta)


def test_step_from_zero_changes_nothing_and_from_elsewhere_the_path():
    X, y = separable(np.random.default_rng(2), gap=0.05)
    one, eighth = Perceptron().fit(X, y), Perceptron(eta0=0.125).fit(X, y)
    assert eighth.mistakes_.tolist() == one.mistakes_.tolist()
    assert (8 * eighth.coef_).tolist() == one.coef_.tolist()
    start = [-3.0, 1.0, 2.0]
    paths = [Perceptron(eta0=eta).fit(X, y, coef_init=start).mistakes_.tolist() for eta in (1.0, 0.125)]
    assert paths[0] != paths[1]


# --- separability


def test_separability_of_hand_data():
    found = separability([[0.0, 2.0], [1.0, 1.0], [-1.0, 1.0]])
    assert (found.separable, found.w.tolist(), found.lower, found.upper) == (True, [0, 1], 1, 1)
    found = separability(signed_rows(XOR, XOR_Y).astype(int), exact=True)
    assert found.separable is False
    assert found.weights.tolist() == [Fraction(1, 4)] * 4
    assert found.upper == 0


@pytest.mark.parametrize("seed", range(25))
def test_separability_proves_itself(seed):
    rng = np.random.default_rng(seed)
    Z = rng.integers(-4, 5, (int(rng.integers(1, 12)), int(rng.integers(1, 5))))
    for exact in (False, True):
        found = separability(Z.astype(object) if exact else Z, exact=exact)
        assert (found.weights >= 0).all()
        assert abs(sum(found.weights) - 1) <= (0 if exact else 1e-12)
        if found.separable:
            assert (Z @ found.w > 0).all()
            assert found.lower == pytest.approx(found.upper, rel=1e-9)  # the best margin, from both sides
        else:
            assert max(abs(found.weights @ Z)) <= (0 if exact else 1e-12)
    assert separability(Z).separable == found.separable


def test_a_margin_below_rounding_is_decided_exactly():
    Z = [[1, 10**15], [1, 1 - 10**15]]  # the best margin is 1, the radius 1e15
    assert separability(Z).separable is False
    assert separability(Z, exact=True).separable is True


@pytest.mark.parametrize("scale", [1e-150, 1e-3, 1e150])
def test_separability_does_not_depend_on_the_unit(scale):
    rng = np.random.default_rng(0)
    assert separability(scale * rng.normal(size=(40, 3))).separable is False
    assert separability(scale * (rng.normal(size=(40, 3)) + 5)).separable is True


@pytest.mark.parametrize("exact", [False, True])
def test_too_few_steps_decide_nothing(exact):
    triangle = 10 * np.array([[2, 0], [-1, 1], [-1, -1]])
    for Z in (triangle, np.column_stack([triangle, np.ones(3, dtype=np.int64)])):
        early, late = separability(Z, exact=exact, max_iter=1), separability(Z, exact=exact)
        assert early.separable is None
        assert late.separable is not None
        assert early.lower <= late.lower <= late.upper <= early.upper


def test_a_decision_that_takes_too_long_is_said_to_be_open(monkeypatch):
    monkeypatch.setattr(perceptron, "quick_decision", lambda Z: separability(Z, max_iter=1))
    sentence = (
        r"whether any hyperplane does was not decided within some seconds \(`separability` of the signed "
    )
    with pytest.warns(ConvergenceWarning, match=sentence):
        model = Perceptron(max_iter=60).fit(XOR, XOR_Y)
    assert model.certificate_["separable"] is None
    assert model.n_iter_ == 60
    assert not hasattr(model, "combination_")
    with pytest.warns(ConvergenceWarning, match=sentence):
        model = KernelPerceptron(max_iter=60).fit(XOR, XOR_Y)
    assert model.certificate_["separable"] is None


def test_data_that_cannot_be_separated_get_a_proof():
    with pytest.warns(
        ConvergenceWarning, match=r"^no hyperplane separates the classes: .* stopped after \d+\.$"
    ):
        model = Perceptron().fit(XOR, XOR_Y)
    np.testing.assert_allclose(model.combination_, 0.25)
    assert model.certificate_["separable"] is False
    assert model.certificate_["bound"] == math.inf
    assert np.abs(model.combination_ @ signed_rows(XOR, XOR_Y)).max() <= 1e-15


def test_several_classes_that_cannot_be_separated():
    X, y = [[0.0], [1.0], [2.0], [1.0]], [0, 1, 2, 0]
    with pytest.warns(ConvergenceWarning, match="no hyperplane"):
        model = Perceptron().fit(X, y)
    assert model.combination_.shape == (4, 3)
    assert model.combination_[np.arange(4), y].tolist() == [0] * 4
    assert model.combination_.sum() == pytest.approx(1)


@pytest.mark.parametrize("pick", ["cyclic", "batch"])
def test_too_few_passes_say_that_more_would_do(pick):
    X, y = separable(np.random.default_rng(0), n=400, gap=0.001)
    sentence = r"updates were not enough .* updates from zero are enough\. Raise max_iter\.$"
    with pytest.warns(ConvergenceWarning, match=sentence):
        model = Perceptron(pick=pick, max_iter=1).fit(X, y)
    assert model.certificate_["separable"] is True
    assert 0 < model.certificate_["lower"] <= model.certificate_["upper"] * (1 + 1e-9)


@pytest.mark.parametrize("pick", ["first", "worst", "random", "batch", "cyclic"])
def test_beyond_the_pause_the_updates_go_on(pick):
    X, y = np.array([[1.0, 50.0], [1.0, -49.0], [-1.0, 49.0]]), [1, 1, -1]  # R / margin is 50
    model = Perceptron(pick=pick, fit_intercept=False, max_iter=10_000).fit(X, y)
    assert model.score(X, y) == 1
    assert model.certificate_["separable"] is True


# --- Gram form


@pytest.mark.parametrize("seed", range(5))
def test_linear_kernel_is_the_perceptron_in_integers(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-5, 6, (40, 3)).astype(float)
    y = np.where(X @ [2, -1, 1] >= 1, 1, -1)
    primal, dual = Perceptron().fit(X, y), KernelPerceptron().fit(X, y)
    assert dual.mistakes_.tolist() == primal.mistakes_.tolist()
    assert dual.counts_.tolist() == np.bincount(primal.mistakes_, minlength=40).tolist()
    assert (dual.counts_ @ signed_rows(X, y)).tolist() == weights(primal).tolist()
    np.testing.assert_allclose(dual.decision_function(X), primal.decision_function(X), rtol=1e-12)
    for key in ("mistakes", "radius", "margin", "bound"):
        assert dual.certificate_[key] == pytest.approx(primal.certificate_[key], rel=1e-12)


def test_quadratic_kernel_separates_the_diagonals():
    model = KernelPerceptron(lambda A, B: (1 + A @ B.T) ** 2).fit(XOR, XOR_Y)
    assert model.predict(XOR).tolist() == XOR_Y.tolist()
    with pytest.warns(ConvergenceWarning, match="no hyperplane separates"):
        linear = KernelPerceptron().fit(XOR, XOR_Y)
    np.testing.assert_allclose(linear.combination_, 0.25, rtol=1e-12)


# --- invariances


def test_labels_rows_and_repetition():
    X, y = separable(np.random.default_rng(4))
    model = Perceptron().fit(X, y)
    named = Perceptron().fit(X, np.where(y > 0, "yes", "no"))
    assert named.mistakes_.tolist() == model.mistakes_.tolist()
    assert model.fit(X, y).coef_.tolist() == named.coef_.tolist()
    flipped = Perceptron().fit(X, -y)
    assert (flipped.coef_ == -model.coef_).all()
    scaled = Perceptron(fit_intercept=False).fit(4 * X, y)
    assert scaled.mistakes_.tolist() == Perceptron(fit_intercept=False).fit(X, y).mistakes_.tolist()


def test_the_data_are_not_written_to():
    X, y = separable(np.random.default_rng(5))
    before = X.copy()
    Perceptron(fit_intercept=False).fit(X, y)
    separability(X)
    assert (before == X).all()


# --- degenerate but legal


def test_a_row_of_zeros_is_always_a_mistake_without_an_intercept():
    with pytest.warns(ConvergenceWarning, match="no hyperplane"):
        model = Perceptron(fit_intercept=False).fit([[0.0], [1.0], [-1.0]], [1, 1, -1])
    np.testing.assert_allclose(model.combination_, [1, 0, 0])


def test_equal_rows_with_different_labels():
    with pytest.warns(ConvergenceWarning, match="no hyperplane"):
        model = Perceptron().fit([[1.0, 2.0], [1.0, 2.0], [5.0, 5.0]], [0, 1, 1])
    np.testing.assert_allclose(model.combination_, [0.5, 0.5, 0])


def test_one_row_a_class_constant_and_repeated_features():
    model = Perceptron().fit([[1.0, 7.0, 1.0], [2.0, 7.0, 2.0]], [0, 1])
    assert model.score([[1.0, 7.0, 1.0], [2.0, 7.0, 2.0]], [0, 1]) == 1


def test_fewer_rows_than_features():
    X = np.random.default_rng(0).normal(size=(10, 50))
    assert Perceptron().fit(X, np.arange(10) % 2).score(X, np.arange(10) % 2) == 1


def test_a_start_that_separates_makes_no_mistake():
    X, y = separable(np.random.default_rng(6))
    first = Perceptron().fit(X, y)
    again = Perceptron().fit(X, y, coef_init=first.coef_, intercept_init=first.intercept_)
    assert again.mistakes_.tolist() == []
    assert again.n_iter_ == 1


# --- refusals

X3, Y3 = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [0, 1, 1]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Perceptron().fit(X3, [1, 1, 1]), r"^Perceptron needs y with at least 2 classes, got 1 clas"),
        (lambda: Perceptron().fit(X3, [0, 1]), r"^y has 2 labels, but X has 3 rows\.$"),
        (lambda: Perceptron().fit([[math.nan]] * 3, Y3), r"^X contains NaN at index \(0, 0\)"),
        (lambda: Perceptron(pick="best").fit(X3, Y3), r"^pick must be one of 'cyclic', 'first', 'random', '"),
        (lambda: Perceptron(output="mean").fit(X3, Y3), r"^output must be one of 'last', 'average', 'vote',"),
        (lambda: Perceptron(eta0=0).fit(X3, Y3), r"^eta0 must be a finite number > 0, got 0\.$"),
        (lambda: Perceptron(max_iter=0).fit(X3, Y3), r"^max_iter must be an integer >= 1, got 0\.$"),
        (lambda: Perceptron(fit_intercept=1).fit(X3, Y3), r"^fit_intercept must be one of True, False, got "),
        (lambda: Perceptron(pick="first", output="vote").fit(X3, Y3), r"^output='vote' needs pick='cyclic',"),
        (lambda: Perceptron(output="vote").fit(X3, [0, 1, 2]), r"^output='vote' needs two classes, got 3\.$"),
        (lambda: Perceptron().fit(X3, Y3, coef_init=[1]), r"^coef_init must be a 1-D array of shape \(2,\),"),
        (lambda: Perceptron().fit(X3, Y3, intercept_init=[1, 2]), r"^intercept_init must be a 1-D array of "),
        (
            lambda: Perceptron(fit_intercept=False).fit(X3, Y3, intercept_init=1),
            r"^intercept_init needs fit_intercept=True\.$",
        ),
        (lambda: Perceptron(random_state="x").fit(X3, Y3), r"^random_state, unless it is None or a Generato"),
        (lambda: Perceptron().fit(X3, Y3).predict([[1.0]]), r"^X has 1 features, but Perceptron is expectin"),
        (lambda: KernelPerceptron().fit(X3, [0, 1, 2]), r"^Only binary classification is supported\. Kernel"),
        (lambda: KernelPerceptron("rbf").fit(X3, Y3), r"^kernel, unless it is callable, must be one of 'lin"),
        (lambda: KernelPerceptron(lambda A, B: A).fit(X3, Y3), r"^kernel must return shape \(3, 3\), got sh"),
        (
            lambda: KernelPerceptron(lambda A, B: A @ np.array([[0, 1], [0, 0]]) @ B.T).fit(X3, Y3),
            r"^kernel must be symmetric; its matrix differs by",
        ),
        (lambda: KernelPerceptron(max_iter=0).fit(X3, Y3), r"^max_iter must be an integer >= 1, got 0\.$"),
        (lambda: signed_rows(X3, Y3), r"^y must have entries \+1 and -1, got 0\.$"),
        (lambda: mistake_set([1.0], X3), r"^w must be a 1-D array of shape \(2,\), got shape \(1,\)\.$"),
        (lambda: margin([0.0, 0.0], X3), r"^w is zero, which is no hyperplane and has no margin\.$"),
        (lambda: slack_bound([0.0, 0.0], X3, 1.0), r"^w is zero, which is no hyperplane and has no margin\."),
        (lambda: slack_bound([1.0, 0.0], X3, 0.0), r"^margin must be a finite number > 0, got 0\.0\.$"),
        (lambda: mistake_bound(1.0, 0.0), r"^margin must be a finite number > 0, got 0\.0\.$"),
        (lambda: mistake_bound(1.0, 1.0, start_norm=1, start_along=2), r"^start_along must be a finite numb"),
        (lambda: one_pass([[1.0]], [1], rate=1.0), r"^rate must be a finite number > 0 and < 1, got 1\.0\.$"),
        (lambda: separability([1.0]), r"^Z must be a 2-D array of shape"),
        (lambda: separability([[1.0]], max_iter=0), r"^max_iter must be an integer >= 1, got 0\.$"),
    ],
)  # fmt: skip
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_not_fitted():
    with pytest.raises(NotFittedError):
        Perceptron().predict([[1.0]])


# --- scikit-learn


SKIPS = {
    "check_array_api_input": "SciPy's array-API mode is off",
    "check_classifier_data_not_an_array": "pandas is not installed",
}


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::mlnotes.base.ConvergenceWarning")
@pytest.mark.parametrize("estimator", [Perceptron(), Perceptron(pick="batch"), KernelPerceptron()], ids=repr)
def test_check_estimator(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    assert [r["check_name"] for r in results if r["status"] not in ("passed", "skipped")] == []
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 40


@pytest.mark.parametrize("seed", range(5))
def test_the_path_is_scikit_learns(seed):
    X, y = separable(np.random.default_rng(seed), 200, 4)
    model = Perceptron().fit(X, y)
    peer = peers.Perceptron(shuffle=False, tol=None, max_iter=model.n_iter_).fit(X, y)
    np.testing.assert_allclose(model.coef_, peer.coef_, rtol=1e-10)
    np.testing.assert_allclose(model.intercept_, peer.intercept_, rtol=1e-10)


def test_real_data_setosa_is_separated_and_the_others_are_not():
    iris = datasets.load_iris()
    names = np.array(iris.target_names)[iris.y]
    setosa = names == "setosa"
    assert Perceptron().fit(iris.X, setosa).score(iris.X, setosa) == 1
    with pytest.warns(ConvergenceWarning, match="no hyperplane"):
        Perceptron().fit(iris.X[~setosa], names[~setosa])


STATEMENTS = (
    "separable", "merge", "goal", "mistake-set", "loss", "loss-dist", "update", "eta1", "sgd-view",
    "convergence", "mistake-bound", "proof-steps", "margin", "class", "nonunique", "nonseparable",
    "many-steps", "batch", "predict", "erm-view", "subgradient", "pseudocode",
    *(f"erratum-{name}" for name in ("y14", "y15", "t10", "t11", "t15", "w9", "w10", "w11", "w12")),
    *(f"erratum-{name}" for name in ("s9", "s10", "s11")),
)  # fmt: skip


def test_every_statement_of_the_notes_and_every_erratum_is_a_claim():
    # first-nn is a remark on history: text only
    ids = {claim.id for claim in claims.of("perceptron")}
    assert {f"perceptron.{name}" for name in STATEMENTS} - ids == set()
