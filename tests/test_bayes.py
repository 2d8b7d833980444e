"""Bayes rule: cases by hand in fractions, densities of one's own, degenerate data, messages, scikit-learn."""

import itertools
import math
import pickle
import re
import warnings
from fractions import Fraction as F

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from mlnotes import bayes, losses
from mlnotes.datasets import recitation_example
from mlnotes.estimators.base import LimitWarning
from mlnotes.estimators.bayes import Gaussian, PlugInClassifier

HALF, THIRD, QUARTER = F(1, 2), F(1, 3), F(1, 4)
JOINT = [[F(1, 8), F(3, 8)], [F(1, 4), F(1, 4)], [0, 0]]  # eta = 3/4, a tie, no mass
LOSS = [[0, 1, 9], [4, 0, 9], [1, 1, 0]]  # asymmetric: one row for each prediction


def refuses(sentence, function, *args, error=ValueError, **kwargs):
    """The call must fail with this sentence, given as a literal part of the message."""
    with pytest.raises(error, match=re.escape(sentence)):
        function(*args, **kwargs)


# ------------------------------------------------------------------- hand cases, in fractions


def test_joint_table_in_both_orders():
    marginal, conditional = bayes.marginal_and_posterior(JOINT)
    assert marginal.tolist() == [HALF, HALF, 0]
    assert conditional.tolist() == [[QUARTER, 3 * QUARTER], [HALF, HALF], [HALF, HALF]]
    assert bayes.joint_table(marginal, conditional).tolist() == JOINT
    prior, given_y = bayes.marginal_and_posterior(np.transpose(JOINT))
    assert prior.tolist() == [F(3, 8), F(5, 8)]
    assert given_y.tolist() == [[THIRD, 2 * THIRD, 0], [F(3, 5), F(2, 5), 0]]


def test_risks_of_all_rules_by_hand():
    risks = {rule: bayes.risk(rule, JOINT) for rule in itertools.product((0, 1), repeat=3)}
    assert risks == {(a, b, c): (F(3, 8) if a == 0 else F(1, 8)) + QUARTER for a, b, c in risks}
    assert bayes.bayes_risk(JOINT) == F(3, 8)
    assert {rule: bayes.excess_risk(rule, JOINT) for rule in risks} == {r: risks[r] - F(3, 8) for r in risks}
    assert all(type(value) is F for value in risks.values())


def test_ties_go_to_the_largest_label():
    assert bayes.bayes_rule_binary([0.5, np.nextafter(0.5, 0)]).tolist() == [1, 0]
    assert bayes.bayes_rule([[HALF, 0, HALF], [THIRD, THIRD, THIRD]]).tolist() == [2, 2]
    assert bayes.bayes_rule_for_loss([[HALF, HALF]], bayes.zero_one_loss(2)).tolist() == [1]
    assert bayes.likelihood_ratio_rule([0.0], 0.5).tolist() == [1]


def test_fractions_are_compared_exactly():
    below = HALF - F(1, 10**40)
    assert bayes.bayes_rule_binary([below, HALF], HALF).tolist() == [0, 1]
    assert bayes.bayes_rule([[HALF + F(1, 10**40), below]]).tolist() == [0]
    assert bayes.cost_threshold(F(1), F(9)) == F(1, 10)
    assert bayes.bayes_rule_binary([F(1, 10), F(99, 1000)], F(1, 10)).tolist() == [1, 0]


def test_costs_that_have_no_threshold_are_refused():
    assert (bayes.cost_threshold(0, 3), bayes.cost_threshold(3, 0)) == (0, 1)
    for costs in ((0, 0), (-1, 2), (2, -1)):
        refuses("The two costs must be at least 0, and one of them positive.", bayes.cost_threshold, *costs)
    for prior in (0, 1):
        refuses("P(Y = 1) must lie strictly between 0 and 1", bayes.likelihood_ratio_rule, [0.0], prior)


def test_likelihood_ratios_by_hand():
    logs = np.log([6.9, 7.1])
    assert bayes.likelihood_ratio_rule(logs, 0.125).tolist() == [0, 1]
    assert bayes.likelihood_ratio_rule(logs, F(1, 8)).tolist() == [0, 1]
    assert bayes.likelihood_ratio_rule([np.inf, -np.inf, 0], 1e-300).tolist() == [1, 0, 0]


def test_empirical_losses_by_hand():
    assert bayes.empirical_risk(["a", "b", "b"], ["a", "a", "b"]) == 1 / 3
    assert bayes.empirical_risk([0, 2, 1], [0, 1, 2], LOSS) == (0 + 9 + 1) / 3
    assert bayes.empirical_risk([0, 1], [2, 2], bayes.reject_loss(2, QUARTER)) == 0.25
    Y, Z = np.array([[[0, 1, 1], [0, 0, 1]], [[0, 1, 0], [0, 0, 1]]])
    assert (losses.hamming_loss(Y, Z), losses.subset_loss(Y, Z)) == (1 / 6, 1 / 2)


def test_losses_of_a_margin_by_hand():
    m = np.array([-2, 0, 0.5, 3])
    assert losses.misclassification_loss(m).tolist() == [1, 1, 0, 0]
    assert losses.hinge_loss(m).tolist() == [3, 1, 0.5, 0]
    assert losses.perceptron_loss(m).tolist() == [2, 0, 0, 0]
    assert losses.exponential_loss(np.array([0, math.log(2)])).tolist() == [1, 0.5]
    assert losses.logistic_loss(np.array([0, 1e4, -1e4])).tolist() == [math.log(2), 0, 1e4]
    assert losses.hinge_loss(np.array([np.inf, -np.inf])).tolist() == [0, np.inf]


def test_regularised_risk_by_hand():
    X, y, w = np.diag([1.0, 2.0]), np.array([1, -1]), np.ones(2)
    # margins of w = (1, 1), b = 1: 2 and -3; hinge losses 0 and 4
    assert losses.regularised_risk(w, 1, X, y, penalty=3) == 4 / 2 + 3 / 2 * 2
    assert losses.regularised_risk(w, 1, X, y, penalty=0, loss=losses.perceptron_loss) == 3 / 2


def test_maximum_likelihood_by_hand():
    assert bayes.bernoulli_mle([1, 0, 1, 1]) == 0.75
    assert (bayes.bernoulli_mle([0, 0]), bayes.bernoulli_mle([True])) == (0, 1)
    fit = Gaussian.fit([[0, 0], [2, 0], [0, 4], [2, 4]])
    assert (fit.mean.tolist(), fit.covariance.tolist()) == ([1, 2], [[1, 0], [0, 4]])


def test_posterior_by_hand():
    # 2/3 of urn 0, urn 1 gives white three times as often: (2/3) / (2/3 + 1/3 * 3) = 2/5
    white = bayes.posterior([2 / 3, 1 / 3], np.log([[0.25, 0.75]]))
    assert white == pytest.approx(np.array([[0.4, 0.6]]))
    assert bayes.posterior([0, 1], [[5, 0]]).tolist() == [[0, 1]]
    assert bayes.posterior([0.5, 0.5], [[-np.inf, -1e300]]).tolist() == [[0, 1]]
    assert bayes.posterior([0.5, 0.5], np.zeros((0, 2))).shape == (0, 2)


def test_plugin_classifier_by_hand():
    # class a: mean 1, variance 1, prior 2/5; class b: mean 6, variance 4, prior 3/5
    X, y = [[0], [2], [4], [8], [6]], ["a", "a", "b", "b", "b"]
    model = PlugInClassifier().fit(X, y)
    assert model.prior_.tolist() == [0.4, 0.6]
    assert [f.mean.tolist() for f in model.densities_] == [[1], [6]]
    assert [f.covariance.tolist() for f in model.densities_] == [[[1]], [[pytest.approx(8 / 3)]]]
    odds = 0.4 * math.exp(-0.5) / (0.6 / math.sqrt(8 / 3) * math.exp(-16 / (2 * 8 / 3)))
    assert model.predict_proba([[2]])[0] == pytest.approx([odds / (1 + odds), 1 / (1 + odds)])
    assert model.predict([[2], [6]]).tolist() == ["a", "b"]


def test_certificate_recomputed():
    rng = np.random.default_rng(3)
    X, y = recitation_example().sample(150, rng)
    model = PlugInClassifier().fit(X, y)
    total = sum(
        math.log(model.prior_[k]) + model.densities_[k].log_density([x])[0] for x, k in zip(X, y, strict=True)
    )
    assert model.certificate_["log_likelihood"] == pytest.approx(total, rel=1e-12)
    assert model.certificate_["score"] < 1e-12


def sample(seed=0, n=60):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], n // 3)
    return np.array([[0, 0], [4, 0], [0, 4]])[y] + rng.standard_normal((n, 2)), y


def test_plugin_fit_twice_is_fit_once_and_leaves_its_input_alone():
    X, y = sample()
    kept = [X.tolist(), y.tolist()]
    X.flags.writeable = y.flags.writeable = False
    model = PlugInClassifier().fit(X[:40], y[:40]).fit(X, y)
    assert (model.predict_proba(X) == PlugInClassifier().fit(X, y).predict_proba(X)).all()
    assert [X.tolist(), y.tolist()] == kept


def test_gaussian_keeps_its_own_arrays():
    mean, covariance = np.zeros(2), np.eye(2)
    distribution = Gaussian(mean, covariance)
    mean[0] = covariance[0, 0] = 9
    assert distribution.log_density([[0, 0]])[0] == -math.log(2 * math.pi)


def test_plugin_can_be_pickled_and_cloned():
    X, y = sample()
    model = PlugInClassifier().fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    assert vars(clone(model)) == {"density": "gaussian"}
    assert repr(PlugInClassifier()) == "PlugInClassifier()"


# ------------------------------------------------------------------- a density of one's own


class Laplace:
    """Independent double exponentials, in scikit-learn's manner: ``fit`` returns ``self``."""

    def fit(self, X):
        self.centre, self.scale = np.median(X, axis=0), abs(X - np.median(X, axis=0)).mean(axis=0)
        return self

    def log_density(self, X):
        return -(abs(X - self.centre) / self.scale + np.log(2 * self.scale)).sum(axis=1)


class Answers:
    """A density that returns the output it is given."""

    def __init__(self, answer):
        self.answer = answer

    def fit(self, X):
        return self

    def log_density(self, X):
        return self.answer(len(X))


def test_each_class_gets_its_own_copy_of_the_density():
    X, y = sample()
    mine = Laplace()
    model = PlugInClassifier(mine).fit(X, y)
    assert not vars(mine)
    assert len({id(f) for f in model.densities_}) == 3
    logs = np.column_stack([Laplace().fit(X[y == k]).log_density(X) for k in range(3)])
    assert (model.predict_proba(X) == bayes.posterior([1 / 3] * 3, logs)).all()
    assert set(model.certificate_) == {"log_likelihood"}
    total = logs[np.arange(60), y].sum() - 60 * math.log(3)
    assert model.certificate_["log_likelihood"] == pytest.approx(total)


def test_a_class_with_a_classmethod_is_a_density():
    X, y = sample()
    assert (PlugInClassifier(Gaussian).fit(X, y).predict(X) == PlugInClassifier().fit(X, y).predict(X)).all()


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda n: np.full(n, np.nan), "log_density(X) of the density contains NaN."),
        (lambda n: np.where(np.arange(n) == 3, np.inf, 0.0), "log_density contains +inf; entries must be"),
        (lambda n: np.zeros((n, 1)), "log_density(X) of the density must have shape (20,), got (20, 1)."),
        (lambda n: None, "log_density(X) of the density contains NaN."),
        (lambda n: ["a"] * n, "log_density(X) of the density must be an array of real numbers, got ['a', "),
    ],
    ids=["NaN", "+inf", "column", "None", "text"],
)
def test_a_density_that_answers_nonsense_is_refused(answer, sentence):
    X, y = sample()
    refuses(sentence, PlugInClassifier(Answers(answer)).fit, X, y)


def test_a_density_that_vanishes_everywhere_is_refused_at_the_point():
    X, y = sample()
    model = PlugInClassifier(Answers(lambda n: np.full(n, -np.inf))).fit(X, y)
    assert model.certificate_ == {"log_likelihood": -np.inf}
    refuses("log_density is -inf for every class of positive prior in row 0", model.predict, X)


# ------------------------------------------------------------------- degenerate data


def quiet_fit(X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LimitWarning)
        return PlugInClassifier().fit(X, y)


def test_singular_classes_warn_and_are_floored():
    X = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [5.0, 1.0], [6.0, 3.0], [7.0, 0.0]])
    y = ["line"] * 3 + ["cloud"] * 3
    sentence = "1 of 2 classes (line) hardly vary in some direction; the variance there is raised to 1e-9"
    with pytest.warns(LimitWarning, match=re.escape(sentence)) as record:
        model = PlugInClassifier().fit(X, y)
    assert record[0].filename == __file__
    assert model.predict(X).tolist() == y
    scale = X.std(axis=0)
    relative = np.linalg.eigvalsh(model.densities_[1].covariance / np.outer(scale, scale))
    assert relative[0] == pytest.approx(1e-9, rel=1e-3)
    assert model.certificate_["score"] > 0.5  # not at the maximum of the likelihood, and it says so


def test_many_singular_classes_are_not_all_named():
    X = np.arange(14.0)[:, None] @ [[1.0, 2.0]]
    with pytest.warns(LimitWarning, match=r"7 of 7 classes \(0, 1, 2, 3, 4, \.\.\.\) hardly vary"):
        PlugInClassifier().fit(X, np.repeat(np.arange(7), 2))


def test_far_points_have_a_posterior_as_long_as_squares_are_numbers():
    X, y = sample()
    model = PlugInClassifier().fit(X, y)
    far = np.array([[1e150, 1e150], [-1e6, 3.0]])
    posterior = model.predict_proba(far)
    assert posterior.sum(axis=1).tolist() == [1, 1]
    assert posterior.max(axis=1).tolist() == [1, 1]
    sentence = "log_density is -inf for every class of positive prior in row 1"
    refuses(sentence, model.predict, [[0, 0], [1e200, 0]])
    assert model.densities_[0].log_density([[1e200, 0], [-1.7e308, 1.7e308]]).tolist() == [-np.inf, -np.inf]


def test_entries_whose_squares_overflow_are_refused_in_fit():
    X, y = sample()
    remedy = "rescale the features, so that the largest lies between 1e-150 and 1e+150."
    sentence = f"X has entries up to 2e+150, whose squares overflow: {remedy}"
    refuses(sentence, PlugInClassifier().fit, np.vstack([X, [[2e150, 0]]]), [*y, 0])
    sentence = f"X has entries up to 2e-200, whose squares underflow: {remedy}"
    refuses(sentence, PlugInClassifier().fit, np.column_stack([X, np.full(len(X), 2e-200)]), y)


def test_a_covariance_asymmetric_by_rounding_is_accepted():
    A = np.random.default_rng(0).standard_normal((4, 4))
    S = np.linalg.inv(np.linalg.inv(A @ A.T))
    S[0, 1] *= 1 + 2.0**-50
    assert np.isfinite(Gaussian(np.zeros(4), S).log_density(np.zeros((1, 4)))).all()


# ------------------------------------------------------------------- one sentence for bad input

NAN, INF = float("nan"), float("inf")
OK = [[0.5, 0.5]]
TWO = np.array([0, 1], dtype=np.int64)
STANDARD = Gaussian([0.0], [[1.0]])

REFUSED = {
    Gaussian: [
        ("mean must be a 1-D array of shape (n,), got shape (1, 1).", [[0.0]], [[1.0]]),
        ("covariance must have shape (2, 2), as mean has 2 entries, got (1, 1).", [0, 0], [[1]]),
        ("covariance must be symmetric.", [0, 0], [[1, 0.5], [0.4, 1]]),
        ("covariance contains NaN at index (0, 0)", [0], [[NAN]]),
    ],
    Gaussian([0, 0], [[1, 2], [2, 1]]).log_density: [
        ("not positive definite, so the distribution has no density; its smallest eigenvalue is -1.", OK)
    ],
    STANDARD.log_density: [("X must have 1 features, got 2.", OK)],
    STANDARD.whiten: [("X must be a 2-D array", [0])],
    Gaussian.fit: [("X must be a 2-D array", [0, 1])],
    PlugInClassifier().fit: [
        ("PlugInClassifier needs y with at least 2 classes, got 1 class: [7].", [[1], [2]], [7, 7]),
        ("y has 1 labels, but X has 2 rows.", [[1], [2]], [0]),
    ],
    PlugInClassifier("laplace").fit: [("density must be one of 'gaussian', got 'laplace'.", [[1], [2]], TWO)],
    PlugInClassifier(5).fit: [
        ("density must be 'gaussian' or have a method fit(X), got 5.", [[1], [2]], TWO)
    ],
}


@pytest.mark.parametrize(
    ("function", "case"),
    [(function, case) for function, cases in REFUSED.items() for case in cases],
    ids=lambda value: value[0] if isinstance(value, tuple) else value.__name__,
)
def test_bad_input_gets_one_sentence(function, case):
    refuses(case[0], function, *case[1:])


def test_plugin_methods_refuse():
    X, y = sample()
    sentence = "This PlugInClassifier instance is not fitted yet; call fit first."
    refuses(sentence, PlugInClassifier().predict, X, error=NotFittedError)
    refuses(sentence, PlugInClassifier().predict_proba, X, error=NotFittedError)
    model = PlugInClassifier().fit(X, y)
    refuses("X has 1 features, but PlugInClassifier is expecting 2 features", model.predict, X[:, :1])
    refuses("X contains NaN at index (0, 0)", model.predict_proba, X * NAN)


# ------------------------------------------------------------------- scikit-learn


# Skips that scikit-learn may make here, and why.
SKIPS = {
    "check_array_api_input": "runs only with SCIPY_ARRAY_API=1 set before SciPy is imported",
    "check_classifier_data_not_an_array": "its last part needs pandas",
    "check_sample_weights_pandas_series": "needs pandas",
}


@pytest.mark.filterwarnings("ignore::mlnotes.estimators.base.LimitWarning")
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from:UserWarning")
def test_scikit_learns_own_checks_pass():
    results = check_estimator(PlugInClassifier(), on_skip=None, on_fail=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] not in ("passed", "skipped")}
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(SKIPS)
    assert sum(r["status"] == "passed" for r in results) > 40


def test_parameters_agree_with_scikit_learns_quadratic_discriminant():
    """Its covariances have the divisor n_k or n_k - 1, according to its version: 1.9 has n_k."""
    X, y = sample(n=90)
    ours = PlugInClassifier().fit(X, y)
    theirs = QuadraticDiscriminantAnalysis(store_covariance=True).fit(X, y)
    assert theirs.priors_.tolist() == ours.prior_.tolist()
    assert theirs.means_ == pytest.approx(np.array([f.mean for f in ours.densities_]), abs=1e-14)
    divisor = round(30 * ours.densities_[0].covariance[0, 0] / theirs.covariance_[0][0, 0])
    assert divisor in (29, 30)
    same = [Gaussian(f.mean, f.covariance * (30 / divisor)) for f in ours.densities_]
    for f, covariance in zip(same, theirs.covariance_, strict=True):
        assert covariance == pytest.approx(f.covariance, rel=1e-12)
    points = np.random.default_rng(1).normal(1, 4, (50, 2))
    logs = np.column_stack([f.log_density(points) for f in same])
    assert bayes.posterior(ours.prior_, logs) == pytest.approx(theirs.predict_proba(points), abs=1e-10)
