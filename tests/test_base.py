"""The one door for input: what it lets in, the sentence for what it does not, and the mixins."""

import math
import re
import subprocess
import sys
import warnings
from fractions import Fraction

import numpy as np
import pytest
from sklearn import exceptions as sklearn_exceptions
from sklearn.base import clone, is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from mlnotes.engines.rows import last_argmax_of_columns, row_blocks
from mlnotes.estimators import base
from mlnotes.estimators.base import (
    Classifier,
    Regressor,
    Transformer,
    check_fitted,
    check_labels,
    check_matrix,
    check_option,
    check_probabilities,
    check_rng,
    check_scalar,
    check_vector,
    check_weights,
    check_X_y,
)

HALF = Fraction(1, 2)


class NearestMean(Classifier):
    """Assigns to the nearest class mean: two equal spherical Gaussians of precision ``scale``."""

    def __init__(self, scale=1.0):
        self.scale = scale

    def fit(self, X, y):
        X, codes = self._start_fit(X, y, min_classes=2)
        check_scalar(self.scale, name="scale", above=0)
        self.means_ = np.stack([X[codes == k].mean(axis=0) for k in range(len(self.classes_))])
        return self

    def _log_joint(self, X):
        X = self._check_input(X)
        return self.scale * (X @ self.means_.T - (self.means_**2).sum(axis=1) / 2)

    def decision_function(self, X):
        scores = self._log_joint(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict_proba(self, X):
        scores = self._log_joint(X)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def predict(self, X):
        best = self._log_joint(X).argmax(axis=1)
        return self.classes_[best]


class Majority(Classifier):
    """Predicts the heaviest class, whatever X is."""

    def fit(self, X, y, sample_weight=None):
        _, codes, weights = self._start_weighted_fit(X, y, sample_weight)
        self.class_prior_ = np.bincount(codes, weights=weights) / weights.sum()
        return self

    def predict(self, X):
        n = len(self._check_input(X))
        return np.repeat(self.classes_[self.class_prior_.argmax()], n)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


class LeastSquares(Regressor):
    """Linear regression with an intercept."""

    def fit(self, X, y):
        X, y = self._start_fit(X, y)
        self.coef_ = np.linalg.lstsq(np.column_stack([X, np.ones(len(X))]), y, rcond=None)[0]
        return self

    def predict(self, X):
        return self._check_input(X) @ self.coef_[:-1] + self.coef_[-1]


class Centring(Transformer):
    """Subtracts the column means."""

    def fit(self, X, y=None):
        X = self._record_features(X)
        self.mean_ = X.mean(axis=0)
        return self

    def transform(self, X):
        return self._check_input(X) - self.mean_


class RowSum(Transformer):
    """One column out of d: the sum of the row after centring with ``inner``."""

    _n_features_out = 1

    def __init__(self, inner=None, power=1):
        self.inner = inner
        self.power = power

    def fit(self, X, y=None):
        X = self._record_features(X)
        self.inner_ = clone(self.inner).fit(X)
        return self

    def transform(self, X):
        return self.inner_.transform(self._check_input(X)).sum(axis=1, keepdims=True) ** self.power


class Frame:
    """What a data frame shows to the library: ``columns`` and ``__array__``."""

    def __init__(self, values, columns):
        self.values, self.columns = np.asarray(values), columns

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)


X4 = np.array([[0.0, 0.0], [1.0, 0.0], [4.0, 4.0], [5.0, 4.0]])
Y4 = np.array([0, 0, 1, 1])


def refuses(sentence, function, *args, error=ValueError, **kwargs):
    """The call must fail with this sentence, given as a literal part of the message."""
    with pytest.raises(error, match=re.escape(sentence)):
        function(*args, **kwargs)


# Skips that scikit-learn may make here, and why.
SKIPS = {
    "check_array_api_input": "runs only with SCIPY_ARRAY_API=1 set before SciPy is imported",
    "check_classifier_data_not_an_array": "its last part needs pandas",
    "check_sample_weights_pandas_series": "needs pandas",
}


@pytest.mark.parametrize(
    "estimator", [NearestMean(), Majority(), LeastSquares(), Centring(), RowSum(Centring())], ids=str
)
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
def test_scikit_learns_own_checks_pass(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] not in ("passed", "skipped")}
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 40


# --- matrices, vectors, weights


@pytest.mark.parametrize(
    "X",
    [
        [[1, 2], [3, 4]],
        ((1.0, 2.0), (3.0, 4.0)),
        np.array([[1, 2], [3, 4]], dtype=np.float32),
        np.array([[1, 2], [3, 4]], dtype=np.uint8),
        np.array([[1, 2], [3, 4]], dtype=np.longdouble),
        np.array([[1, HALF * 4], [np.int64(3), 4.0]], dtype=object),
        Frame([[1, 2], [3, 4]], ["a", "b"]),
        np.matrix([[1, 2], [3, 4]]),
        np.ma.masked_array([[1, 2], [3, 4]]),
    ],
    ids=lambda X: type(X).__name__ + str(getattr(X, "dtype", "")),
)
def test_matrix_accepts(X):
    matrix = check_matrix(X)
    assert type(matrix) is np.ndarray
    assert matrix.dtype == np.float64
    assert matrix.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_matrix_of_bools_is_zeros_and_ones():
    assert check_matrix([[True, False]]).tolist() == [[1.0, 0.0]]


def test_a_float_matrix_is_neither_copied_nor_changed():
    X = np.array([[1.0, 2.0]])
    X.flags.writeable = False
    assert check_matrix(X) is X


class Sparse:
    def tocsr(self):
        raise AssertionError("the door must not convert it")


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (None, "X is None; an array of numbers is required."),
        (Sparse(), "X: sparse data are not supported; pass X.toarray()."),
        (np.ma.masked_array([[1.0, 2.0]], [[True, False]]), "X has masked entries"),
        ([[1, 2], [3]], "X: rows have different lengths"),
        ([[1, 2j]], "X: Complex data not supported"),
        (np.array([[1, 2j]], dtype=object), "X: Complex data not supported"),
        ([["1", "2"]], "X has dtype <U1 with text or dates; numbers are needed."),
        (np.array([["1", 2]], dtype=object), "X has dtype object with text or dates"),
        (np.array([["2020-01-01"]], dtype="M8[D]"), "X has dtype datetime64[D] with text or dates"),
        (np.array([[10**400]], dtype=object), "X: entries must be real numbers"),
        (
            [1.0, 2.0],
            "X must be a 2-D array of shape (n_samples, n_features), got shape (2,). Reshape your data",
        ),
        (3.0, "got shape (). Reshape your data"),
        (np.zeros((2, 2, 2)), "got shape (2, 2, 2)."),
        (np.zeros((0, 3)), "X has 0 sample(s) (shape=(0, 3)) while a minimum of 1 is required."),
        (np.zeros((3, 0)), "X has 0 feature(s) (shape=(3, 0)) while a minimum of 1 is required."),
        ([[1.0, np.nan]], "X contains NaN at index (0, 1); every entry must be finite."),
        ([[1.0, None]], "X contains NaN at index (0, 1); every entry must be finite."),
        ([[1.0], [-np.inf]], "X contains infinity or a value too large for float64 (inf) at index (1, 0)"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_matrix_refuses(X, sentence):
    refuses(sentence, check_matrix, X)


def test_matrix_refuses_objects_with_the_words_of_float():
    X = np.array([[{}, 1.0]], dtype=object)
    refuses("X: entries must be real numbers (float() argument must be", check_matrix, X, error=TypeError)


def test_matrix_refuses_longdouble_overflow():
    if np.finfo(np.longdouble).max <= np.finfo(np.float64).max:
        pytest.skip("long double is no wider than double here")
    refuses("infinity or a value too large", check_matrix, np.array([[np.finfo(np.longdouble).max]]))


def test_matrix_minimum_counts_and_name():
    refuses("mean has 1 sample(s)", check_matrix, [[1.0]], name="mean", min_rows=2)
    refuses("mean has 1 feature(s)", check_matrix, [[1.0]], name="mean", min_features=2)


def test_vector():
    assert check_vector([1, 2], name="v", n=2, minimum=1, maximum=2).dtype == np.float64
    refuses("v must be a 1-D array of shape (n,), got shape (1, 1).", check_vector, [[1.0]], name="v")
    refuses("v must be a 1-D array of shape (n,), got shape (0,).", check_vector, [], name="v")
    refuses("v must be a 1-D array of shape (3,), got shape (2,).", check_vector, [1, 2], name="v", n=3)
    refuses("v must have entries >= 0, got -1.0.", check_vector, [1, -1], name="v", minimum=0)
    refuses("v must have entries <= 0, got 1.0.", check_vector, [1, -1], name="v", maximum=0)
    refuses("v contains NaN at index (1,)", check_vector, [1, np.nan], name="v")


def test_weights():
    assert check_weights(None, 3).tolist() == [1.0, 1.0, 1.0]
    assert check_weights([0, 2], 2).tolist() == [0.0, 2.0]
    refuses("sample_weight: every weight is zero", check_weights, [0, 0], 2)
    refuses("sample_weight: the sum exceeds the largest float64", check_weights, [1e308, 1e308], 2)
    refuses("sample_weight must have entries >= 0, got -1.0.", check_weights, [1, -1], 2)
    refuses("sample_weight must be a 1-D array of shape (2,), got shape (3,).", check_weights, [1, 1, 1], 2)


# --- labels


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        ([3, 1, 3], [1, 3]),
        (np.array([3, 1, 3], dtype=np.int8), [1, 3]),
        (np.array([3, 1, 3], dtype=np.uint64), [1, 3]),
        (np.array([3.0, -1.0, 3.0], dtype=np.float32), [-1.0, 3.0]),
        ([True, False, True], [False, True]),
        (["b", "a", "b"], ["a", "b"]),
        (np.array(["b", "a", "b"]), ["a", "b"]),
        (np.array(["b", "a", "b"], dtype=object), ["a", "b"]),
        (np.array([3, 1, 3], dtype=object), [1, 3]),
        (np.array([np.True_, False, True], dtype=object), [False, True]),
        (("yes", "no", "yes"), ["no", "yes"]),
        ([7, 7, 7], [7]),
    ],
    ids=str,
)
def test_labels_accepts(y, classes):
    found, codes = check_labels(y)
    assert found.tolist() == classes
    assert codes.dtype == np.int64
    assert found[codes].tolist() == list(y)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64, np.uint8])
@pytest.mark.parametrize("values", [range(3), (0, 5, 9), (7,), (-128, -3, 127), (-(2**62), 2**62)], ids=str)
def test_counted_labels_are_the_sorted_ones(values, dtype):
    y = np.resize(np.array(values).astype(dtype), 50)[np.random.default_rng(0).permutation(50)]
    (classes, codes), (expected, places) = check_labels(y), np.unique(y, return_inverse=True)
    assert classes.dtype == dtype
    assert codes.dtype == np.int64
    assert classes.tolist() == expected.tolist()
    assert codes.tolist() == places.tolist()


def test_label_strings_of_variable_width():
    if not hasattr(np.dtypes, "StringDType"):
        pytest.skip("NumPy before 2.0 has no StringDType")
    classes, codes = check_labels(np.array(["bb", "a"], dtype=np.dtypes.StringDType()))
    assert (classes.tolist(), codes.tolist()) == (["a", "bb"], [1, 0])


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        (None, "y: fit requires y to be passed, but the target y is None."),
        ([0.5, 1.0], "y: Unknown label type: continuous; float labels must be whole numbers."),
        ([1j, 2], "y: Unknown label type: complex128; bool, integer or str labels are accepted."),
        ([b"a", b"b"], "y: Unknown label type: |S1"),
        (np.array(["2020-01-01"], dtype="M8[D]"), "y: Unknown label type: datetime64[D]"),
        ([1, "a"], "y: Unknown label type: int, str; labels must be all numbers or all str."),
        (np.array([HALF, {}], dtype=object), "y: Unknown label type: Fraction, dict"),
        ([1.0, np.nan], "y contains NaN or infinity; every row needs a label."),
        ([1.0, np.inf], "y contains NaN or infinity; every row needs a label."),
        ([1, None], "y contains None or NaN; every row needs a label."),
        (np.array(["a", np.nan], dtype=object), "y contains None or NaN; every row needs a label."),
        ([], "y should be a 1d array of n >= 1 labels, got shape (0,)."),
        (1, "y should be a 1d array of n >= 1 labels, got shape ()."),
        ([[1, 2], [3, 4]], "y should be a 1d array of n >= 1 labels, got shape (2, 2)."),
        ([[1, 2], [3]], "y: rows have different lengths"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_labels_refuses(y, sentence):
    refuses(sentence, check_labels, y)


def test_a_column_of_labels_is_flattened_with_scikit_learns_warning():
    with pytest.warns(
        sklearn_exceptions.DataConversionWarning, match="A column-vector y was passed when a 1d"
    ):
        classes, codes = check_labels([["b"], ["a"]])
    assert (classes.tolist(), codes.tolist()) == (["a", "b"], [1, 0])


def test_labels_and_rows_agree():
    X, classes, codes = check_X_y([[1], [2]], ["b", "a"])
    assert (X.shape, classes.tolist(), codes.tolist()) == ((2, 1), ["a", "b"], [1, 0])
    refuses("y has 3 labels, but X has 2 rows.", check_X_y, [[1], [2]], [1, 2, 3])
    refuses("truth has 1 labels, but X has 2 rows.", check_labels, [1], name="truth", n_rows=2)


# --- probabilities


def test_float_probabilities():
    p = check_probabilities([[0.7, 0.2, 0.1], [1, 0, 0]], name="p", ndim=2)
    assert p.dtype == np.float64
    assert check_probabilities([[0.7, 1], [0.3, 0]], name="p", axis=0).shape == (2, 2)
    assert check_probabilities(np.full((4, 5), 0.05), name="joint", axis=None).shape == (4, 5)


def test_float_tolerance_covers_normalising_and_nothing_more():
    rng = np.random.default_rng(0)
    for n in (2, 10, 1000):
        for dtype in (np.float64, np.float32):
            masses = rng.random((200, n)).astype(dtype)
            check_probabilities(masses / masses.sum(axis=1, keepdims=True), name="p")
        off = np.full(n, (1 + 9 * n * np.finfo(np.float64).eps) / n)
        refuses("they must sum to 1.", check_probabilities, off, name="p")


@pytest.mark.parametrize(
    "p",
    [[HALF, HALF], np.array([HALF, HALF]), [HALF, Fraction(1, 3), Fraction(1, 6)], [0, 1], np.array([0, 1])],
)
def test_exact_probabilities_stay_exact(p):
    exact = check_probabilities(p, name="p")
    assert exact.dtype == object
    assert all(isinstance(mass, Fraction) for mass in exact)
    assert exact.tolist() == list(p)


def test_exact_tables():
    joint = [[Fraction(1, 4), HALF], [0, Fraction(1, 4)]]
    assert check_probabilities(joint, name="joint", axis=None).sum() == 1
    refuses(
        "joint: the masses at index 0 sum to 3/4; they must sum to 1.",
        check_probabilities,
        joint,
        name="joint",
    )


def test_a_fraction_next_to_a_float_is_a_float():
    assert check_probabilities([HALF, 0.5], name="p").dtype == np.float64


@pytest.mark.parametrize(
    ("p", "options", "sentence"),
    [
        ([0.5, 0.6], {}, "p: the masses sum to 1.1; they must sum to 1."),
        ([[0.5, 0.5], [0.5, 0.25]], {}, "p: the masses at index 1 sum to 0.75; they must sum to 1."),
        (np.full((2, 2, 2), 0.25), {}, "p: the masses at index (0, 0) sum to 0.5; they must sum to 1."),
        ([[0.5, 0.5], [0.5, 0.5]], {"axis": None}, "p: the masses sum to 2.0; they must sum to 1."),
        ([HALF, Fraction(1, 3)], {}, "p: the masses sum to 5/6; they must sum to 1."),
        ([HALF, HALF + Fraction(1, 10**30)], {}, "they must sum to 1."),
        ([1.5, -0.5], {}, "p has a negative mass, -0.5; masses must be >= 0."),
        ([Fraction(3, 2), -HALF], {}, "p has a negative mass, -1/2; masses must be >= 0."),
        ([1.0, np.nan], {}, "p contains NaN at index (1,); every entry must be finite."),
        ([0.5, 0.5], {"ndim": 2}, "p must be 2-D and not empty, got shape (2,)."),
        ([], {}, "p must be at least 1-D and not empty, got shape (0,)."),
        (1.0, {}, "p must be at least 1-D and not empty, got shape ()."),
        ([True, False], {}, "p has bool entries; probabilities must be numbers."),
        (["a"], {}, "p has dtype <U1 with text or dates; numbers are needed."),
        (None, {}, "p is None; an array of numbers is required."),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_probabilities_refuses(p, options, sentence):
    refuses(sentence, check_probabilities, p, name="p", **options)


# --- scalars, options, randomness


@pytest.mark.parametrize(
    ("value", "limits"),
    [
        (1, {}),
        (0.5, {"above": 0, "below": 1}),
        (HALF, {"minimum": 0}),
        (np.float32(0.5), {}),
        (np.int64(3), {"kind": int, "minimum": 3, "maximum": 3}),
        (10**400, {"kind": int}),
        (math.inf, {"maximum": math.inf}),
    ],
)
def test_scalar_accepts_and_returns_it_as_it_came(value, limits):
    assert check_scalar(value, name="C", **limits) is value


@pytest.mark.parametrize(
    ("value", "limits", "sentence"),
    [
        (math.nan, {}, "C must be a finite number, got nan."),
        (math.inf, {"above": 0}, "C must be a finite number > 0, got inf."),
        (-math.inf, {"maximum": math.inf}, "C must be a finite number <= inf, got -inf."),
        (True, {}, "C must be a finite number, got True."),
        (np.True_, {}, "C must be a finite number, got"),
        ("1", {}, "C must be a finite number, got '1'."),
        (None, {}, "C must be a finite number, got None."),
        (np.array([1.0]), {}, "C must be a finite number, got array([1.])."),
        (1.0, {"kind": int, "minimum": 1}, "C must be an integer >= 1, got 1.0."),
        (True, {"kind": int}, "C must be an integer, got True."),
        (0, {"minimum": 1}, "C must be a finite number >= 1, got 0."),
        (2, {"maximum": 1}, "C must be a finite number <= 1, got 2."),
        (0, {"above": 0, "below": 1}, "C must be a finite number > 0 and < 1, got 0."),
        (1, {"above": 0, "below": 1}, "C must be a finite number > 0 and < 1, got 1."),
    ],
)
def test_scalar_refuses(value, limits, sentence):
    refuses(sentence, check_scalar, value, name="C", **limits)


def test_option():
    assert check_option("rbf", name="kernel", options=("linear", "rbf")) == "rbf"
    assert check_option(None, name="kernel", options=("linear", None)) is None
    refuses(
        "kernel must be one of 'linear', 'rbf', got 'RBF'.",
        check_option,
        "RBF",
        name="kernel",
        options=("linear", "rbf"),
    )
    refuses("got array(", check_option, np.array(["rbf", "rbf"]), name="kernel", options=("linear", "rbf"))


def test_rng():
    generator = np.random.default_rng(3)
    assert check_rng(generator) is generator
    assert check_rng(3).random() == np.random.default_rng(3).random()
    assert check_rng(np.int64(3)).random() == np.random.default_rng(3).random()
    assert check_rng(None).random() != check_rng(None).random()
    legacy = np.random.RandomState(0)
    assert check_rng(legacy).random() != check_rng(legacy).random()
    assert check_rng(np.random.RandomState(0)).random() == check_rng(np.random.RandomState(0)).random()
    for bad in (-1, 1.5, True, "seed"):
        refuses(
            "random_state, unless it is None or a Generator, must be an integer >= 0, got", check_rng, bad
        )


# --- blocks and ties


def test_blocks_of_rows_cover_every_row_once():
    for n, d, entries in ((10, 3, 9), (10, 3, 1), (5, 100, 2**17), (1, 1, 1)):
        rows = [row for block in row_blocks(n, d, entries) for row in range(n)[block]]
        assert rows == list(range(n))
    assert [block.stop - block.start for block in row_blocks(9, 5, 15)] == [3, 3, 3]
    assert [block.stop - block.start for block in row_blocks(9, 2, 12)] == [3, 3, 3]


def test_last_of_equal_scores():
    scores = np.array([[1.0, 2.0, 0.0], [1.0, 1.0, 3.0], [0.0, 2.0, 3.0]])
    assert last_argmax_of_columns(scores).tolist() == [1, 2, 2]


# --- the mixins


@pytest.mark.parametrize(
    "labels",
    [[0, 1], [5, -3], [False, True], [0.0, 1.0], ["ham", "spam"], np.array(["b", "a"], dtype=object)],
)
def test_classifier_gives_back_labels_of_the_type_that_came(labels):
    y = np.asarray(labels)[Y4]
    model = NearestMean().fit(X4, y)
    assert model.classes_.tolist() == sorted(labels)
    assert model.predict(X4).tolist() == y.tolist()
    assert model.predict(X4).dtype == y.dtype
    assert model.score(X4, y) == 1.0


def test_score_is_the_weighted_accuracy():
    model = NearestMean().fit(X4, Y4)
    assert model.score(X4, [0, 1, 1, 1]) == 0.75
    assert model.score(X4, [0, 1, 1, 1], sample_weight=[1, 5, 1, 1]) == 3 / 8
    assert model.score(X4, [9, 9, 9, 9]) == 0.0
    refuses("y has 3 labels, but X has 4 rows.", model.score, X4, [0, 1, 1])
    refuses(
        "y has labels of type <U1, but NearestMean was fitted with labels of type int",
        model.score,
        X4,
        list("abab"),
    )
    refuses("y contains None or NaN", model.score, X4, [0, 1, 1, None])


def test_score_of_a_regressor_is_r_squared():
    y = np.array([1.0, 2.0, 4.0, 8.0])
    model = LeastSquares().fit(X4, y)
    for weights in (None, [1.0, 2.0, 0.5, 1.0]):
        expected = r2_score(y, model.predict(X4), sample_weight=weights)
        assert model.score(X4, y, weights) == pytest.approx(expected, rel=1e-12)
    assert model.fit(X4, np.ones(4)).score(X4, np.zeros(4)) == 0.0
    refuses("y must be a 1-D array of shape (4,), got shape (3,).", model.fit, X4, [1.0, 2.0, 3.0])


def test_one_class_is_refused_after_y_was_checked():
    refuses("NearestMean needs y with at least 2 classes, got 1 class: [7].", NearestMean().fit, X4, [7] * 4)
    refuses("y: Unknown label type: continuous", NearestMean().fit, X4, [0.5] * 4)


def test_weight_zero_equals_absence():
    weighted = Majority().fit(X4, ["c", "b", "a", "a"], sample_weight=[3, 1, 0, 0])
    copied = Majority().fit(X4[[0, 0, 0, 1]], ["c", "c", "c", "b"])
    assert weighted.classes_.tolist() == copied.classes_.tolist() == ["b", "c"]
    assert weighted.class_prior_.tolist() == copied.class_prior_.tolist() == [0.25, 0.75]


def test_a_fit_that_failed_half_way_is_not_fitted():
    model = NearestMean(scale=-1.0)
    refuses("scale must be a finite number > 0, got -1.0.", model.fit, X4, Y4)
    refuses("not fitted yet", check_fitted, model)


def test_bad_input_does_not_harm_the_last_fit():
    model = NearestMean().fit(X4, Y4)
    for X, y in ((X4, [0.5] * 4), (X4 * np.nan, Y4), (X4, [1] * 4), (X4, Y4[:2])):
        with pytest.raises(ValueError):
            model.fit(X, y)
        assert model.predict(X4).tolist() == Y4.tolist()


def test_no_state_is_kept_between_fits():
    model = NearestMean().fit(Frame(X4, ["a", "b"]), Y4)
    model.leftover_ = "from the first fit"
    model.fit(X4[:, :1], list("xxyy"))
    assert set(vars(model)) == {"scale", "n_features_in_", "classes_", "means_"}
    assert model.n_features_in_ == 1
    assert model.classes_.tolist() == ["x", "y"]


def test_feature_names_are_recorded_and_compared():
    frame = Frame(X4, ["width", "height"])
    model = NearestMean().fit(frame, Y4)
    assert model.feature_names_in_.tolist() == ["width", "height"]
    assert model.feature_names_in_.dtype == object
    assert model.predict(frame).tolist() == Y4.tolist()
    head = "The feature names should match those that were passed during fit.\n"
    order = "Feature names must be in the same order as they were in fit.\n"
    refuses(head + order, model.predict, Frame(X4, ["height", "width"]))
    refuses(
        head + "Feature names unseen at fit time:\n- age\n"
        "Feature names seen at fit time, yet now missing:\n- height\n",
        model.predict,
        Frame(X4, ["width", "age"]),
    )
    many = Frame(np.zeros((2, 9)), [f"new{i}" for i in range(7)] + ["width", "height"])
    refuses("- new4\n- ...\n", model.predict, many)


def test_feature_names_warn_when_one_side_has_none():
    frame = Frame(X4, ["width", "height"])
    with pytest.warns(UserWarning, match="X does not have valid feature names, but Centring was fitted with"):
        Centring().fit(frame).transform(X4)
    with pytest.warns(UserWarning, match="X has feature names, but Centring was fitted without") as record:
        Centring().fit(X4).transform(frame)
    assert record[0].filename == __file__


def test_feature_names_must_be_all_text_or_are_ignored():
    assert not hasattr(Centring().fit(Frame(X4, [0, 1])), "feature_names_in_")
    refuses(
        "Feature names are only supported if all input features have string names, but X has column names "
        "of types ['int', 'str']",
        Centring().fit,
        Frame(X4, ["a", 1]),
        error=TypeError,
    )


def test_feature_names_out():
    plain, named = Centring().fit(X4), Centring().fit(Frame(X4, ["a", "b"]))
    assert plain.get_feature_names_out().tolist() == ["x0", "x1"]
    assert plain.get_feature_names_out(["u", "v"]).tolist() == ["u", "v"]
    assert named.get_feature_names_out().tolist() == ["a", "b"]
    named.get_feature_names_out()[0] = "changed"
    assert named.feature_names_in_.tolist() == ["a", "b"]
    assert RowSum(Centring()).fit(X4).get_feature_names_out().tolist() == ["rowsum0"]
    refuses("input_features is not equal to feature_names_in_", named.get_feature_names_out, ["u", "v"])
    refuses(
        "input_features should have length equal to number of features (2), got shape (1,).",
        plain.get_feature_names_out,
        ["u"],
    )


def test_parameters():
    model = RowSum(inner=NearestMean(scale=2.0))
    assert model.get_params(deep=False) == {"inner": model.inner, "power": 1}
    assert model.get_params()["inner__scale"] == 2.0
    assert model.set_params(inner__scale=3.0, power=2) is model
    assert (model.inner.scale, model.power) == (3.0, 2)
    model.set_params(inner__scale=5.0, inner=NearestMean())
    assert model.inner.scale == 5.0
    refuses(
        "Invalid parameter 'gamma' for estimator NearestMean(scale=2.0); valid parameters are: scale.",
        NearestMean(2.0).set_params,
        gamma=1,
    )
    refuses("power=2 has no parameters of its own: ['scale'].", model.set_params, power__scale=1)


def test_an_unknown_parameter_changes_nothing():
    model = NearestMean()
    with pytest.raises(ValueError):
        model.set_params(scale=2.0, gamma=1)
    assert model.scale == 1.0


def test_repr_shows_what_differs_from_the_defaults():
    assert repr(NearestMean()) == "NearestMean()"
    assert repr(RowSum(NearestMean(scale=2.0))) == "RowSum(inner=NearestMean(scale=2.0))"
    assert repr(Majority()) == "Majority()"


def test_works_in_scikit_learns_containers():
    assert is_classifier(NearestMean())
    assert not is_classifier(Centring())
    X, y = np.tile(X4, (5, 1)), np.tile(list("aabb"), 5)
    pipe = make_pipeline(Centring(), NearestMean())
    assert pipe.fit(X, y).score(X, y) == 1.0
    assert pipe[:-1].get_feature_names_out().tolist() == ["x0", "x1"]
    assert cross_val_score(pipe, X, y, cv=5).tolist() == [1.0] * 5
    grid = GridSearchCV(pipe, {"nearestmean__scale": [0.5, 2.0]}, cv=2, scoring="neg_log_loss").fit(X, y)
    assert grid.best_params_ == {"nearestmean__scale": 2.0}
    both = FeatureUnion([("all", Centring()), ("sum", RowSum(Centring()))]).fit(X)
    assert both.get_feature_names_out().tolist() == ["all__x0", "all__x1", "sum__rowsum0"]
    columns = ColumnTransformer([("second", Centring(), [1])]).fit(X)
    assert columns.transform(X).shape == (20, 1)


ALONE = """
import sys
from mlnotes.estimators import base
loaded = {"sklearn", "pandas", "scipy", "matplotlib"} & set(sys.modules)
assert not loaded, loaded

class Centring(base.Transformer):
    def transform(self, X):
        return self._check_input(X)

try:
    Centring().transform([[1.0]])
except base.NotFittedError as error:
    assert isinstance(error, ValueError) and isinstance(error, AttributeError)
else:
    raise SystemExit("no NotFittedError")

import warnings
with warnings.catch_warnings(record=True) as record:
    warnings.simplefilter("always")
    base.check_labels([[1], [2]])
assert [w.category for w in record] == [base.DataConversionWarning]
assert "sklearn" not in sys.modules
"""


def test_base_imports_only_numpy():
    subprocess.run([sys.executable, "-W", "error", "-c", ALONE], check=True)


def test_warning_classes_are_told_apart():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", base.LimitWarning)
        warnings.warn("a tie", base.LimitWarning, stacklevel=1)
        with pytest.raises(base.ConvergenceWarning):
            warnings.warn("stopped early", base.ConvergenceWarning, stacklevel=1)
