"""Linear and quadratic discriminant analysis: hand cases, slow formulas, invariances, limits, agreement."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from sklearn import discriminant_analysis as peers
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import claims, datasets
from mlnotes.base import LimitWarning
from mlnotes.discriminant import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    class_covariances,
    class_means,
    half_space,
    linear_argmax,
    linear_discriminants,
    log_determinant,
    pooled_covariance,
    quadratic_discriminants,
)

BOTH = pytest.mark.parametrize("estimator", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])
REAL = pytest.mark.parametrize("data", [datasets.load_iris, datasets.load_wine, datasets.load_breast_cancer])

# four points a class; all means, scatters and scores below are small integers or halves
HAND_X = np.array([[0, 0], [2, 0], [0, 2], [2, 2], [4, 3], [8, 3], [4, 5], [8, 5]], dtype=float)
HAND_Y = np.array([0, 0, 0, 0, 1, 1, 1, 1])


def draw(rng, n=120, d=3, K=3):
    y = np.concatenate([np.arange(K), rng.integers(0, K, n - K)])
    return rng.standard_normal((n, d)) @ rng.normal(size=(d, d)) + rng.normal(0, 2, (K, d))[y], y


# --- exact hand cases


def test_hand_estimates():
    assert class_means(HAND_X, HAND_Y).tolist() == [[1, 1], [6, 4]]
    covariances = class_covariances(HAND_X, HAND_Y)
    np.testing.assert_allclose(covariances, [np.diag([4 / 3, 4 / 3]), np.diag([16 / 3, 4 / 3])], rtol=1e-15)
    np.testing.assert_allclose(pooled_covariance(HAND_X, HAND_Y), np.diag([20 / 6, 8 / 6]), rtol=1e-15)


def test_hand_discriminants_are_the_fractions():
    x, means, variances = (3, 5), ((1, 1), (6, 4)), (Fraction(10, 3), Fraction(4, 3))
    exact = [
        sum(a * m / v - Fraction(1, 2) * m * m / v for a, m, v in zip(x, mean, variances, strict=True))
        for mean in means
    ]
    model = LinearDiscriminantAnalysis().fit(HAND_X, HAND_Y)
    board = linear_discriminants([x], means, model.covariance_, [0.5, 0.5])[0]
    np.testing.assert_allclose(board, [float(s) + math.log(0.5) for s in exact], rtol=1e-14)
    np.testing.assert_allclose(model.decision_function([x]), float(exact[1] - exact[0]), rtol=1e-14)


def test_hand_qda():
    model = QuadraticDiscriminantAnalysis().fit(HAND_X, HAND_Y)
    x = np.array([[1.0, 3.0]])  # squared distances 4/(4/3) = 3 and 25/(16/3) + 1/(4/3) = 87/16
    expected = -0.5 * (87 / 16 - 3 + math.log((16 / 3) / (4 / 3)))
    np.testing.assert_allclose(model.decision_function(x), expected, rtol=1e-14)


def test_half_space_contains_its_hyperplane():
    X = [[1, 1], [2, 0], [0, 0], [3, 1]]
    assert half_space(X, [1, 1], -2).tolist() == [1, 1, 0, 1]
    assert half_space(X, [-1, -1], 2).tolist() == [1, 1, 1, 0]


def test_linear_argmax_ties_go_to_the_largest_class():
    assert linear_argmax([[1.0, 0.0]], [[1, 5], [1, -5], [0, 0]]).tolist() == [1]
    assert linear_argmax([[1.0, 0.0]], [[1, 5], [1, -5], [0, 0]], [0, 0, 1]).tolist() == [2]


@BOTH
def test_a_tie_goes_to_the_second_class(estimator):
    model = estimator().fit([[-3.0], [-1.0], [1.0], [3.0]], ["a", "a", "b", "b"])
    assert model.decision_function([[0.0]]).tolist() == [0.0]
    assert model.predict([[0.0]]).tolist() == ["b"]


def test_log_determinant_where_the_determinant_underflows():
    S = 0.1 * np.eye(400)
    assert np.linalg.det(S) == 0
    assert log_determinant(S) == pytest.approx(400 * math.log(0.1), rel=1e-14)
    assert log_determinant([[2, 1], [1, 2]]) == pytest.approx(math.log(3), rel=1e-14)


# --- the slow formula


def naive_covariance(rows, divisor):
    mean = sum(rows) / len(rows)
    return sum(np.outer(r - mean, r - mean) for r in rows) / divisor


@pytest.mark.parametrize("seed", range(5))
def test_estimates_against_the_double_sum(seed):
    X, y = draw(np.random.default_rng(seed))
    groups = [X[y == k] for k in range(3)]
    classwise = np.array([naive_covariance(g, len(g) - 1) for g in groups])
    pooled = sum(naive_covariance(g, len(X) - 3) for g in groups)
    np.testing.assert_allclose(class_covariances(X, y), classwise, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(pooled_covariance(X, y), pooled, rtol=1e-12, atol=1e-12)


def log_normal(X, mean, S):
    quadratic = [(x - mean) @ np.linalg.inv(S) @ (x - mean) for x in X]
    return -0.5 * (np.array(quadratic) + np.linalg.slogdet(S)[1] + len(mean) * math.log(2 * math.pi))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("K", [2, 3])
@BOTH
def test_posterior_against_the_densities(estimator, K, seed):
    X, y = draw(np.random.default_rng(seed), K=K)
    model = estimator().fit(X, y)
    S = np.broadcast_to(model.covariance_, (K, 3, 3))
    joint = np.exp([log_normal(X, model.means_[k], S[k]) for k in range(K)]).T * np.bincount(y) / len(y)
    posterior = joint / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), posterior, rtol=1e-9, atol=1e-300)
    assert (model.predict(X) == posterior.argmax(axis=1)).all()
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)).sum(axis=1), 1, rtol=1e-14)


@pytest.mark.parametrize("K", [2, 4])
def test_the_board_and_the_estimators_differ_by_a_common_function(K):
    X, y = draw(np.random.default_rng(1), K=K)
    lda, qda = LinearDiscriminantAnalysis().fit(X, y), QuadraticDiscriminantAnalysis().fit(X, y)
    board = linear_discriminants(X, lda.means_, lda.covariance_, lda.priors_)
    gaps = board - lda.predict_log_proba(X)
    np.testing.assert_allclose(gaps - gaps[:, :1], 0, atol=1e-12 * abs(board).max())
    board = quadratic_discriminants(X, qda.means_, qda.covariance_, qda.priors_)
    gaps = board - qda.predict_log_proba(X)
    np.testing.assert_allclose(gaps - gaps[:, :1], 0, atol=1e-12 * abs(board).max())


def test_many_features_are_whitened_strip_by_strip():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((600, 150)) @ rng.normal(size=(150, 150)), np.arange(600) % 2
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    S, centred = model.covariance_, X[:5, None] - model.means_
    squares = np.einsum("nki,kin->nk", centred, np.linalg.solve(S, centred.transpose(1, 2, 0)))
    scores = np.log(0.5) - 0.5 * (squares + np.linalg.slogdet(S)[1])
    np.testing.assert_allclose(model.decision_function(X[:5]), scores[:, 1] - scores[:, 0], rtol=1e-8)


# --- reduced rank


@pytest.mark.parametrize("seed", range(5))
def test_directions_solve_fishers_problem(seed):
    X, y = draw(np.random.default_rng(seed), d=4, K=4)
    model = LinearDiscriminantAnalysis().fit(X, y)
    A, deviations = model.scalings_, model.means_ - model.xbar_
    B = deviations.T @ (model.priors_[:, None] * deviations)
    np.testing.assert_allclose(A.T @ model.covariance_ @ A, np.eye(3), atol=1e-10)
    ratios = np.diag(A.T @ B @ A)
    np.testing.assert_allclose(A.T @ B @ A, np.diag(ratios), atol=1e-9 * ratios[0])
    values = np.sort(np.linalg.eigvals(np.linalg.solve(model.covariance_, B)).real)[::-1]
    np.testing.assert_allclose(ratios, values[:3], rtol=1e-8)
    np.testing.assert_allclose(model.explained_variance_ratio_, values[:3] / values.sum(), rtol=1e-8)
    assert (A[abs(A).argmax(axis=0), np.arange(3)] > 0).all()


def test_nearest_mean_in_all_directions_is_the_rule():
    X, y = draw(np.random.default_rng(3), d=5, K=3)
    model = LinearDiscriminantAnalysis(priors="equal").fit(X, y)
    centres = (model.means_ - model.xbar_) @ model.scalings_
    nearest = ((model.transform(X)[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    assert (nearest == model.predict(X)).all()


def test_n_components_keeps_the_leading_columns():
    X, y = draw(np.random.default_rng(3), d=5, K=4)
    full, one = LinearDiscriminantAnalysis().fit(X, y), LinearDiscriminantAnalysis(n_components=1).fit(X, y)
    np.testing.assert_allclose(full.transform(X)[:, :1], one.transform(X), rtol=1e-12, atol=1e-12)
    assert one.get_feature_names_out().tolist() == ["lineardiscriminantanalysis0"]
    assert (full.predict(X) == one.predict(X)).all()


def test_means_on_a_line_give_one_direction():
    X, y = np.random.default_rng(0).standard_normal((6, 2)), np.arange(12) % 3
    X = np.vstack([X, -X]) + np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 6.0]])[y]  # class means as given
    assert LinearDiscriminantAnalysis().fit(X, y).scalings_.shape == (2, 1)


# --- invariances


@BOTH
@pytest.mark.parametrize("seed", range(5))
def test_affine_equivariance(estimator, seed):
    rng = np.random.default_rng(seed)
    X, y = draw(rng)
    A = np.array([[2.0, 1.0, 0.0], [1.0, 1.0, 0.0], [3.0, -2.0, 1.0]])  # determinant 1
    model, mapped = estimator().fit(X, y), estimator().fit(X @ A + [5.0, -7.0, 100.0], y)
    new = 3 * rng.standard_normal((200, 3))
    np.testing.assert_allclose(
        mapped.predict_proba(new @ A + [5.0, -7.0, 100.0]), model.predict_proba(new), rtol=1e-7, atol=1e-12
    )


@BOTH
def test_units_change_no_answer(estimator):
    X, y = draw(np.random.default_rng(0))
    units = np.array([1e-12, 1.0, 1e15])
    model, other = estimator().fit(X, y), estimator().fit(X * units, y)
    np.testing.assert_allclose(other.predict_proba(X * units), model.predict_proba(X), rtol=1e-9, atol=1e-14)


@BOTH
def test_an_offset_of_ten_million_costs_seven_digits_only(estimator):
    X, y = draw(np.random.default_rng(0))
    model, shifted = estimator().fit(X, y), estimator().fit(X + 1e7, y)
    np.testing.assert_allclose(shifted.predict_proba(X + 1e7), model.predict_proba(X), atol=1e-6)


@BOTH
def test_order_of_rows_labels_and_repetition(estimator):
    rng = np.random.default_rng(2)
    X, y = draw(rng)
    model, order = estimator().fit(X, y), rng.permutation(len(X))
    shuffled = estimator().fit(X[order], y[order])
    np.testing.assert_allclose(shuffled.predict_proba(X), model.predict_proba(X), rtol=1e-9)
    names = np.array(["c", "a", "b"])
    renamed = estimator().fit(X, names[y])
    assert (renamed.predict(X) == names[model.predict(X)]).all()
    before = model.decision_function(X)
    assert (model.fit(X, y).decision_function(X) == before).all()


@BOTH
def test_rows_do_not_know_of_each_other(estimator):
    X, y = draw(np.random.default_rng(4))
    model = estimator().fit(X, y)
    single = np.vstack([model.decision_function(x[None]) for x in X])
    np.testing.assert_allclose(single, model.decision_function(X), rtol=1e-12, atol=1e-12)


def test_a_weight_is_a_number_of_copies():
    rng = np.random.default_rng(5)
    X, y = draw(rng)
    w = rng.integers(0, 4, len(X))
    weighted, copied = LDA().fit(X, y, sample_weight=w), LDA().fit(X.repeat(w, 0), y.repeat(w))
    np.testing.assert_allclose(weighted.covariance_, copied.covariance_, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(weighted.predict_proba(X), copied.predict_proba(X), rtol=1e-9, atol=1e-14)


@BOTH
def test_equal_priors_are_the_maximum_likelihood_rule(estimator):
    X, y = draw(np.random.default_rng(6), K=2)
    model = estimator(priors="equal").fit(X, y)
    S = np.broadcast_to(model.covariance_, (2, 3, 3))
    likelihoods = [log_normal(X, model.means_[k], S[k]) for k in range(2)]
    assert (model.predict(X) == (likelihoods[1] >= likelihoods[0])).all()
    assert (model.predict(X) == estimator(priors=[0.5, 0.5]).fit(X, y).predict(X)).all()


def test_equal_class_covariances_make_the_quadratic_rule_linear():
    Z = np.array([[1, 0], [-1, 0], [0, 2], [0, -2]], dtype=float)
    X, y = np.vstack([Z, Z + np.array([4, 1]), Z - np.array([3, -5])]), np.repeat([0, 1, 2], 4)
    new = np.random.default_rng(0).normal(0, 3, (50, 2))
    qda, lda = QuadraticDiscriminantAnalysis().fit(X, y), LinearDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(qda.predict_proba(new), lda.predict_proba(new), rtol=1e-12)


def test_shrinkage_ends_at_nearest_mean_with_priors():
    X, y = draw(np.random.default_rng(7))
    model = LinearDiscriminantAnalysis(shrinkage=1.0, priors="equal").fit(X, y)
    nearest = ((X[:, None] - model.means_) ** 2).sum(axis=2).argmin(axis=1)
    assert (model.predict(X) == nearest).all()


def test_reg_param_blends_with_the_identity():
    X, y = draw(np.random.default_rng(7))
    plain, blended = (QuadraticDiscriminantAnalysis(reg_param=r).fit(X, y).covariance_ for r in (0.0, 0.25))
    np.testing.assert_allclose(blended, 0.75 * plain + 0.25 * np.eye(3), rtol=1e-14, atol=1e-14)


# --- degenerate but legal


def test_a_constant_feature_is_ignored():
    X, y = draw(np.random.default_rng(8))
    more = np.column_stack([np.full(len(X), 0.1), X])
    model = LinearDiscriminantAnalysis().fit(more, y)
    assert model.certificate_["rank"] == 3
    assert model.certificate_["blind"] < 1e-25
    assert model.certificate_["residual"] < 1e-13
    np.testing.assert_allclose(
        model.predict_proba(more), LinearDiscriminantAnalysis().fit(X, y).predict_proba(X), rtol=1e-9
    )


@pytest.mark.parametrize("n", [60, 3000, 100_000])
def test_a_constant_feature_is_constant_whatever_its_rounding(n):
    X = np.column_stack([np.full(n, 0.1), np.full(n, 1e9 / 7), np.random.default_rng(0).standard_normal(n)])
    assert np.diag(pooled_covariance(X, np.arange(n) % 2))[:2].tolist() == [0.0, 0.0]


def test_a_repeated_feature_changes_nothing():
    X, y = draw(np.random.default_rng(9))
    twice = np.column_stack([X, X[:, 0], X @ [1.0, 1.0, -1.0]])
    model = LinearDiscriminantAnalysis().fit(twice, y)
    assert model.certificate_["rank"] == 3
    np.testing.assert_allclose(
        model.predict_proba(twice),
        LinearDiscriminantAnalysis().fit(X, y).predict_proba(X),
        rtol=1e-7,
        atol=1e-12,
    )


def test_blind_in_any_unit():
    with pytest.warns(LimitWarning, match="100.00% of the squared spread"):
        model = LinearDiscriminantAnalysis().fit([[0.0], [0.0], [1e-200], [1e-200]], Y4)  # squares vanish
    assert model.certificate_["blind"] == 1.0


def test_blind_pseudo_inverse_warns():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0]])  # the second feature is the label
    with pytest.warns(LimitWarning, match=r"rank 1 of 2, and 100\.00% of the squared spread"):
        model = LinearDiscriminantAnalysis().fit(X, [0, 0, 1, 1])
    assert model.certificate_["blind"] == 1.0
    assert model.coef_.tolist() == [[0.0, 0.0]]
    assert model.transform(X).shape == (4, 0)
    assert LinearDiscriminantAnalysis(shrinkage=0.5).fit(X, [0, 0, 1, 1]).score(X, [0, 0, 1, 1]) == 1.0


def test_fewer_rows_than_features():
    X = np.random.default_rng(0).standard_normal((10, 30))
    with pytest.warns(LimitWarning, match="rank 8 of 30"):
        model = LinearDiscriminantAnalysis().fit(X, np.arange(10) % 2)
    assert np.isfinite(model.predict_proba(X)).all()


def test_classes_without_any_variation():
    with pytest.warns(LimitWarning, match="rank 0 of 1"):
        model = LinearDiscriminantAnalysis().fit([[0.0], [0.0], [0.0], [1.0]], [0, 0, 0, 1])
    assert model.predict([[1.0]]).tolist() == [0]  # nothing but the prior is left


def test_equal_means_leave_the_prior_to_decide():
    model = LinearDiscriminantAnalysis().fit([[-1.0], [1.0], [-2.0], [2.0], [0.0]], [0, 0, 1, 1, 1])
    assert model.predict([[-5.0], [5.0]]).tolist() == [1, 1]


@BOTH
def test_one_feature_and_one_row_to_predict(estimator):
    model = estimator().fit([[0.0], [1.0], [4.0], [6.0]], [1, 1, 2, 2])
    assert model.predict([[5.0]]).tolist() == [2]


@BOTH
def test_far_points_have_a_posterior(estimator):
    X, y = draw(np.random.default_rng(0))
    posterior = estimator().fit(X, y).predict_proba([[1e100, 0, 0], [0, -1e150, 1e150]])
    assert np.isfinite(posterior).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1)


def test_one_class_with_a_single_row_is_fine_for_lda():
    model = LinearDiscriminantAnalysis().fit([[0.0], [1.0], [2.0], [9.0]], ["a", "a", "a", "b"])
    assert model.covariance_.tolist() == [[1.0]]
    assert model.predict([[8.0]]).tolist() == ["b"]


# --- every sentence

X4, Y4 = [[0.0, 1.0], [1.0, 0.0], [3.0, 3.0], [4.0, 5.0]], [0, 0, 1, 1]
I2, M2 = np.eye(2), [[0.0, 0.0], [1.0, 1.0]]


LDA, QDA = LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
HALVES, SHEAR = [0.5, 0.5], [[1, 1], [0, 1]]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: half_space(M2, [1.0], 0), r"normal must be a 1-D array of shape \(2,\), got shape \(1,\)"),
        (lambda: half_space([[1.0]], [1.0], math.nan), "offset must be a finite number, got nan"),
        (lambda: half_space([[math.inf]], [1.0], 0), "X contains infinity"),
        (lambda: linear_argmax([[1.0]], M2), r"weights must have 1 columns.* got shape \(2, 2\)"),
        (lambda: linear_argmax(M2, M2, [1.0]), r"offsets must be a 1-D array of shape \(2,\)"),
        (lambda: class_means([[1.0]], [0, 1]), "y has 2 labels, but X has 1 rows"),
        (lambda: class_covariances([[1.0], [2.0]], ["a", "b"]), r"class a has n_k = 1, at most 1 sample"),
        (lambda: pooled_covariance([[1.0], [2.0]], [0, 1]), r"divides by n - K = 2 - 2, which must be pos"),
        (lambda: linear_discriminants([[1.0]], M2, I2, HALVES), r"means must have 1 columns, as X has, got"),
        (lambda: linear_discriminants(M2, M2, [[1.0]], HALVES), r"covariance must have shape \(2, 2\), got"),
        (lambda: linear_discriminants(M2, M2, SHEAR, HALVES), "covariance must be symmetric"),
        (
            lambda: linear_discriminants(M2, M2, np.ones((2, 2)), HALVES),
            r"not positive definite \(rank 1 of 2",
        ),
        (lambda: linear_discriminants(M2, M2, [[1, 2], [2, 1]], HALVES), r"covariance is not positive def"),
        (lambda: linear_discriminants(M2, M2, -I2, HALVES), "covariance is not positive definite"),
        (
            lambda: linear_discriminants(M2, M2, I2, [1.0, 0.0]),
            r"prior must be 2 positive .* got \[1.0, 0.0\]",
        ),
        (lambda: linear_discriminants(M2, M2, I2, [0.5, 0.4]), "prior: the masses sum to 0.9"),
        (
            lambda: quadratic_discriminants(M2, M2, I2, HALVES),
            r"covariances must have shape \(2, 2, 2\), got",
        ),
        (lambda: quadratic_discriminants(M2, M2, [I2, 0 * I2], HALVES), r"covariances\[1\] is not positive"),
        (lambda: log_determinant([[1.0, 2.0]]), r"covariance must have shape \(1, 1\), got shape \(1, 2\)"),
        (lambda: LDA().fit(X4, [0, 1, 2, 3]), r"divides by n - K = 4 - 4"),
        (lambda: LDA().fit(X4, Y4, [0.4] * 4), r"n - K = 1.6 - 2, .*weights count copies"),
        (lambda: LDA(shrinkage=2).fit(X4, Y4), "shrinkage must be a finite number >= 0 and <= 1, got 2"),
        (lambda: LDA(n_components=2).fit(X4, Y4), "n_components must be an integer >= 1 and <= 1, got 2"),
        (lambda: QDA().fit(X4, Y4), r"class 0 has 2 samples in 2 features.* more rows than"),
        (lambda: QDA().fit([[0.0], [0.0], [1.0], [2.0]], Y4), r"covariance of class 0 .*rank 0 of 1"),
        (lambda: QDA().fit([[0.0], [1.0], [2.0]], ["a", "a", "b"]), r"class b has n_k = 1, at most 1"),
        (lambda: QDA(reg_param=-1).fit(X4, Y4), "reg_param must be a finite number >= 0 and <= 1, got -1"),
    ],
)
def test_every_error_is_one_clear_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@BOTH
@pytest.mark.parametrize(
    ("parameters", "X", "y", "sentence"),
    [
        ({}, X4, [7, 7, 7, 7], r"needs y with at least 2 classes, got 1 class: \[7\]"),
        ({}, X4, [0, 1], "y has 2 labels, but X has 4 rows"),
        ({}, [1.0, 2.0], Y4, "X must be a 2-D array"),
        ({}, [["a", "b"]] * 4, Y4, r"X has dtype .* numbers are needed"),
        ({}, [[math.nan, 1.0]] * 4, Y4, "X contains NaN at index"),
        ({}, np.zeros((0, 2)), [], "minimum of 1 is required"),
        ({"priors": [0.5, 0.25, 0.25]}, X4, Y4, "priors must be 2 positive probabilities, one a class"),
        ({"priors": [1.0, 0.0]}, X4, Y4, "priors must be 2 positive probabilities, one a class"),
        ({"priors": [0.7, 0.7]}, X4, Y4, "priors: the masses sum to 1.4; they must sum to 1"),
        ({"priors": "uniform"}, X4, Y4, "priors must be one of 'equal', got 'uniform'"),
        ({}, np.multiply(X4, 1e200), Y4, "the sum of squares of a class exceeds the largest float64; divide"),
    ],
)
def test_every_error_of_fit(estimator, parameters, X, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        estimator(**parameters).fit(X, y)


@BOTH
def test_errors_after_fit(estimator):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        estimator().predict(X4)
    model = estimator().fit([[0.0], [1.0], [4.0], [6.0]], [1, 1, 2, 2])
    with pytest.raises(ValueError, match=r"X has 2 features, but .* is expecting 1 features"):
        model.predict_proba(X4)
    for ask in (model.predict, model.predict_proba, model.decision_function):
        with pytest.raises(ValueError, match="a score exceeds the largest float64; divide the features"):
            ask([[1.7e308]])
    assert not (model.predict([[0.0]]) == 7).any()  # labels that training never showed are never answered
    assert model.score([[0.0], [5.0]], [7, 2]) == 0.5


@BOTH
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [(0, 1), (59_999, 0), (59_999, 2)])
def test_no_row_hides_what_is_not_finite(estimator, bad, place):
    X = np.random.default_rng(5).standard_normal((60_000, 3))  # more than one block of rows
    y = (X[:, 0] > 0).astype(int)
    model = estimator().fit(X, y)
    X[place] = bad
    for ask in (model.predict, model.predict_proba, model.decision_function):
        with pytest.raises(ValueError, match=rf"X contains .* at index \({place[0]}, {place[1]}\)"):
            ask(X)


def test_a_feature_without_a_coefficient_is_searched_too():
    X = np.array([[0.0, 1.0], [1.0, 1.0], [4.0, 1.0], [6.0, 1.0]])
    model = LinearDiscriminantAnalysis().fit(X, [0, 0, 1, 1])
    assert (model.coef_[:, 1] == 0).all()
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match=r"X contains .* at index \(1, 1\)"):
            model.predict([[0.0, 1.0], [0.0, bad]])


def test_singular_class_is_rescued_by_reg_param():
    model = QuadraticDiscriminantAnalysis(reg_param=0.1).fit(X4, Y4)
    assert model.score(X4, Y4) == 1.0


# --- scikit-learn

SKIPS = {
    "check_sample_weights_pandas_series": "pandas is not installed",
    "check_array_api_input": "SciPy's array-API mode is off",
    "check_classifier_data_not_an_array": "pandas is not installed",
}


@pytest.mark.parametrize(
    "estimator",
    [
        LinearDiscriminantAnalysis(),
        LinearDiscriminantAnalysis(shrinkage=0.3),
        QuadraticDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(reg_param=0.1),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
@pytest.mark.filterwarnings("ignore::mlnotes.base.LimitWarning")
def test_scikit_learns_own_checks_pass(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    assert [r["check_name"] for r in results if r["status"] not in ("passed", "skipped")] == []
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 40


@REAL
def test_lda_parameters_agree_with_lsqr(data):
    X, y = data().X, data().y
    ours, theirs = (
        LinearDiscriminantAnalysis().fit(X, y),
        peers.LinearDiscriminantAnalysis(solver="lsqr").fit(X, y),
    )
    factor = len(X) / (len(X) - len(ours.classes_))  # they divide by n
    np.testing.assert_allclose(ours.covariance_ / factor, theirs.covariance_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-12)
    centre = (lambda c: c - c.mean(axis=0)) if len(ours.coef_) > 1 else lambda c: c
    scale = abs(theirs.coef_).max()
    np.testing.assert_allclose(factor * centre(ours.coef_), centre(theirs.coef_), atol=1e-9 * scale)


@REAL
def test_lda_parameters_agree_with_the_default_solver(data):
    X, y = data().X, data().y
    ours, theirs = LinearDiscriminantAnalysis().fit(X, y), peers.LinearDiscriminantAnalysis().fit(X, y)
    factor = len(X) / (len(X) - len(ours.classes_))
    scale = abs(theirs.coef_).max()
    np.testing.assert_allclose(factor * ours.coef_, theirs.coef_, atol=1e-7 * scale)
    np.testing.assert_allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-7)
    shown, peer = ours.transform(X), theirs.transform(X) / math.sqrt(factor)
    np.testing.assert_allclose(abs(shown), abs(peer), atol=1e-6 * abs(shown).max())


def test_lda_with_fewer_rows_than_features_agrees_with_the_default_solver():
    X, y = datasets.load_digits().X[:60], datasets.load_digits().y[:60]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, theirs = LinearDiscriminantAnalysis().fit(X, y), peers.LinearDiscriminantAnalysis().fit(X, y)
    factor = len(X) / (len(X) - 10)
    np.testing.assert_allclose(factor * ours.coef_, theirs.coef_, atol=1e-6 * abs(theirs.coef_).max())


@pytest.mark.parametrize("shrinkage", [0.0, 0.3, 1.0])
def test_shrunk_lda_agrees(shrinkage):
    X, y = datasets.load_wine().X, datasets.load_wine().y
    ours = LinearDiscriminantAnalysis(shrinkage=shrinkage).fit(X, y)
    theirs = peers.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage).fit(X, y)
    np.testing.assert_allclose(
        ours.covariance_ * (len(X) - 3) / len(X), theirs.covariance_, rtol=1e-9, atol=1e-12
    )


@REAL
def test_qda_parameters_agree(data):
    X, y = data().X, data().y
    ours = QuadraticDiscriminantAnalysis().fit(X, y)
    theirs = peers.QuadraticDiscriminantAnalysis(store_covariance=True, tol=0.0).fit(X, y)
    n = np.bincount(y)
    for k in range(len(n)):  # they divide by n_k
        scale = abs(theirs.covariance_[k]).max()
        np.testing.assert_allclose(
            ours.covariance_[k] * (n[k] - 1) / n[k], theirs.covariance_[k], atol=1e-12 * scale
        )
        log_det = np.log(theirs.scalings_[k]).sum() + X.shape[1] * math.log(n[k] / (n[k] - 1))
        assert ours.log_det_[k] == pytest.approx(log_det, abs=1e-8)


STATEMENTS = (
    "linear-hyperplane", "linear-multiclass-argmax", "linear-separability-figure", "linear-nonlinear-needed",
    "lda-model", "lda-discriminant", "lda-bayes-classifier", "lda-plugin", "lda-pooled-cov", "lda-class-cov",
    "lda-linear", "lda-rule-binary", "lda-pinv", "qda-model", "qda-hw-bayes", "qda-hw-practical",
    "qda-hw-linear", "qda-rule-logeig", "qda-singular",
    "erratum-y4", "erratum-y5", "erratum-y6", "erratum-y7",
    "erratum-t6", "erratum-t7", "erratum-t8", "erratum-t9", "erratum-s26",
)  # fmt: skip


def test_every_statement_of_the_notes_and_every_erratum_is_a_claim():
    # lda-three-approaches is a pointer to later lectures: text only
    ids = {claim.id for claim in claims.of("discriminant")}
    assert {f"discriminant.{name}" for name in STATEMENTS} - ids == set()


def test_in_a_pipeline():
    X, y = datasets.load_wine().X, datasets.load_wine().y
    chain = make_pipeline(LinearDiscriminantAnalysis(n_components=2), QuadraticDiscriminantAnalysis())
    assert chain.fit(X, y).score(X, y) > 0.95
