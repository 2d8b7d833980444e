"""Descent methods against hand calculations, closed forms, and a loop written here."""

import math
from fractions import Fraction as F
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from mlnotes import claims
from mlnotes.descent import (
    Huber,
    Quadratic,
    descent_bound,
    hinge_risk,
    hinge_subgradient,
    linear_factor,
    noise_floor,
    sublinear_bound,
)
from mlnotes.estimators import descent
from mlnotes.estimators.base import ConvergenceWarning
from mlnotes.estimators.descent import (
    Trace,
    accelerated_descent,
    gradient_descent,
    newton_method,
    stochastic_gradient_descent,
    subgradient_method,
)

SQUARE = (lambda w: float(w @ w) / 2, lambda w: w)
ROWS = np.array([1.0, 2.0, 6.0])


def mean_gradient(w, rows):
    return w - ROWS[rows].mean()


def sgd(start=(0.0,), **options):
    rng = options.pop("rng", None) or np.random.default_rng(0)
    return stochastic_gradient_descent(mean_gradient, 3, list(start), rng=rng, **options)


# --- by hand


def test_gradient_descent_halves():
    trace = gradient_descent(*SQUARE, [8.0, -4.0], step=0.5, n_steps=2, n_rows=10)
    assert trace.iterates.tolist() == [[8, -4], [4, -2], [2, -1]]
    assert trace.values.tolist() == [40, 10, 2.5]
    assert trace.gradient_norms.tolist() == [math.sqrt(80), math.sqrt(20), math.sqrt(5)]
    assert trace.steps.tolist() == [0.5, 0.5]
    assert trace.evaluations.tolist() == [0, 10, 20]
    assert trace.x.tolist() == [2, -1]
    assert (trace.n_steps, trace.converged, trace.diverged) == (2, False, False)


def test_no_step_is_the_start():
    trace = gradient_descent(*SQUARE, [3.0], step=0.5, n_steps=0)
    assert (trace.x.tolist(), trace.n_steps, len(trace.values)) == ([3.0], 0, 1)
    assert sgd(step=1.0, n_steps=0).x.tolist() == [0.0]


def test_it_stops_at_the_tolerance_and_at_a_zero_gradient():
    trace = gradient_descent(*SQUARE, [8.0], step=0.5, tol=1.0)
    assert trace.converged
    assert trace.iterates[:, 0].tolist() == [8, 4, 2, 1]
    assert gradient_descent(*SQUARE, [8.0], step=1.0).n_steps == 1


def test_subgradients_of_the_absolute_value():
    trace = subgradient_method(lambda w: abs(w[0]), np.sign, [1.0], step=lambda t: 2 / t, n_steps=3)
    assert trace.iterates[:, 0].tolist() == [1, -1, 0]
    assert trace.converged
    assert trace.x.tolist() == [0]
    trace = subgradient_method(lambda w: abs(w[0]), np.sign, [1.0], step=0.75, n_steps=3)
    assert trace.iterates[:, 0].tolist() == [1, 0.25, -0.5, 0.25]
    assert trace.x.tolist() == [0.25]  # the best, and the first of equals


def test_projection():
    trace = subgradient_method(
        lambda w: float(w.sum()),
        np.ones_like,
        [0.5, 2.0],
        step=1.0,
        n_steps=2,
        project=lambda w: np.maximum(w, 0),
    )
    assert trace.iterates.tolist() == [[0.5, 2], [0, 1], [0, 0]]


def test_newton_solves_a_quadratic_in_one_step():
    A = np.array([[2.0, 1.0], [1.0, 3.0]])
    f = Quadratic(A)
    trace = newton_method(f.value, f.gradient, lambda w: A, [4.0, -7.0], tol=1e-12)
    assert trace.n_steps == 1
    np.testing.assert_allclose(trace.x, 0, atol=1e-14)


def test_newton_is_damped_where_the_full_step_ascends():
    value, slope = (lambda w: math.sqrt(1 + w[0] ** 2)), (lambda w: w / math.sqrt(1 + w[0] ** 2))
    trace = newton_method(value, slope, lambda w: np.array([[(1 + w[0] ** 2) ** -1.5]]), [2.0], tol=1e-10)
    assert trace.converged  # the full step goes from w to -w^3
    assert (np.diff(trace.values) <= 1e-15).all()
    assert trace.steps[0] < 1 == trace.steps[-1]


def test_hinge_by_hand():
    X, y = np.array([[1.0], [2.0], [4.0]]), np.array([1, 1, -1])
    assert hinge_risk([0.5], X, y) == (0.5 + 0 + 3) / 3
    assert hinge_risk([0.5], X, y, threshold=0) == 2 / 3
    for kink in (0.0, 0.25, 1.0):
        assert hinge_subgradient([0.5], X, y, kink=kink).tolist() == [-(1 + 2 * kink - 4) / 3]


# --- loops written here


def slow_sgd(w, rows, step):
    path = [w]
    for t, batch in enumerate(rows, start=1):
        w = w - step(t) * sum(w - ROWS[i] for i in batch) / len(batch)
        path.append(w)
    return path


@pytest.mark.parametrize("batch_size", [1, 4])
def test_stochastic_steps_follow_the_recorded_rows(batch_size):
    trace = sgd(step=lambda t: 1 / (t + 1), n_steps=50, batch_size=batch_size)
    assert trace.rows.shape == (50, batch_size)
    path = slow_sgd(0.0, trace.rows, lambda t: 1 / (t + 1))
    np.testing.assert_allclose(trace.iterates[:, 0], path, rtol=1e-13)
    assert trace.evaluations.tolist() == [batch_size * t for t in range(51)]


def test_averages_and_thinned_traces():
    whole = sgd(step=0.3, n_steps=25)
    thin = sgd(step=0.3, n_steps=25, average=True, every=10, value=lambda w: float(w[0]))
    assert thin.iterates[:, 0].tolist() == whole.iterates[[0, 10, 20, 25], 0].tolist()
    assert thin.values.tolist() == thin.iterates[:, 0].tolist()
    assert thin.evaluations.tolist() == [0, 10, 20, 25]
    np.testing.assert_allclose(thin.x, whole.iterates[1:].mean(axis=0), rtol=1e-14)
    assert np.isnan(whole.values).all()


def test_the_mean_of_all_stochastic_paths_and_their_spread():
    eta, n = F(1, 4), 3
    exact = [F(0)]
    for t in range(1, 5):
        paths = [F(0)] * n**t
        for j, rows in enumerate(product(range(n), repeat=t)):
            for i in rows:
                paths[j] -= eta * (paths[j] - int(ROWS[i]))
        exact.append(sum((w - 3) ** 2 for w in paths) / n**t)
        found = noise_floor(step=0.25, variance=14 / 3, t=t, start=9.0)
        assert found == pytest.approx(float(exact[-1]), rel=1e-14)
    assert noise_floor(step=0.25, variance=14 / 3) == pytest.approx(0.25 * 14 / 3 / 1.75)


def test_accelerated_descent_against_the_recursion():
    f = Quadratic(np.diag([1.0, 0.01]))
    w = ahead = np.array([1.0, 1.0])
    theta, path = 1.0, [w]
    for _ in range(20):
        new = ahead - f.gradient(ahead)
        larger = (1 + math.sqrt(1 + 4 * theta**2)) / 2
        ahead, w, theta = new + (theta - 1) / larger * (new - w), new, larger
        path.append(w)
    trace = accelerated_descent(f.value, f.gradient, [1.0, 1.0], step=1.0, n_steps=20)
    np.testing.assert_allclose(trace.iterates, path, rtol=1e-12, atol=1e-15)


# --- rates over many instances


def random_quadratic(seed, d=5):
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.standard_normal((d, d)))
    return Quadratic((Q * rng.uniform(0.01, 3, d)) @ Q.T), rng.standard_normal(d)


@pytest.mark.parametrize("seed", range(10))
def test_rates_hold(seed):
    f, start = random_quadratic(seed)
    L, mu, r = f.smoothness, f.convexity, float(np.linalg.norm(start))
    trace = gradient_descent(f.value, f.gradient, start, step=1 / L, n_steps=40)
    bounds = [sublinear_bound(t, smoothness=L, radius=r) for t in range(41)]
    assert (trace.values <= np.array(bounds) * (1 + 1e-12)).all()
    rho = linear_factor(smoothness=L, convexity=mu, step=1 / L)
    assert (np.linalg.norm(trace.iterates, axis=1) <= rho ** np.arange(41) * r * (1 + 1e-12)).all()
    falls = [descent_bound(g, smoothness=L, step=1 / L) for g in trace.gradient_norms[:-1]]
    assert (np.diff(trace.values) <= -np.array(falls) + 1e-15).all()
    fast = accelerated_descent(f.value, f.gradient, start, step=1 / L, n_steps=40)
    assert (fast.values[1:] <= 2 * L * r**2 / np.arange(2, 42) ** 2).all()


@pytest.mark.parametrize("t", [1, 2, 7, 50])
def test_huber_attains_the_sublinear_bound(t):
    f = Huber(3.0 / (2 * t + 1))
    trace = gradient_descent(f.value, f.gradient, [0.0, 3.0], step=1.0, n_steps=t)
    assert trace.values[-1] == pytest.approx(sublinear_bound(t, smoothness=1.0, radius=3.0), rel=1e-12)


@pytest.mark.parametrize("eta", [0.2, 0.5, 0.9])
def test_huber_attains_it_for_shorter_steps(eta):
    f = Huber(3.0 / (2 * eta * 9 + 1))
    trace = gradient_descent(f.value, f.gradient, [3.0], step=eta, n_steps=9)
    bound = sublinear_bound(9, smoothness=1.0, radius=3.0, step=eta)
    assert trace.values[-1] == pytest.approx(bound, rel=1e-12)


def test_backtracking_needs_no_constant_and_stays_where_values_are_rounded():
    f, start = random_quadratic(3)
    A = 1e4 * f.A
    trace = gradient_descent(
        lambda w: float(w @ A @ w) / 2, lambda w: A @ w, start, step="backtracking", n_steps=3000, tol=1e-9
    )
    assert trace.converged
    assert (trace.steps >= 0.5 / (1e4 * f.smoothness)).all()


def test_the_subgradient_bound():
    rng = np.random.default_rng(5)
    X, y = rng.standard_normal((40, 3)), rng.choice([-1.0, 1.0], 40)
    start, T = np.zeros(3), 200
    G = np.linalg.norm(X, axis=1).mean()
    long = subgradient_method(
        lambda w: hinge_risk(w, X, y),
        lambda w: hinge_subgradient(w, X, y),
        start,
        step=lambda t: 0.5 / math.sqrt(t),
        n_steps=4000,
        keep=False,
    )
    best, r = long.values.min(), np.linalg.norm(long.x)
    assert hinge_risk(long.x, X, y) == best
    assert long.iterates.shape == (2, 3)
    sums = long.steps[:T]
    assert long.values[:T].min() - best <= (r**2 + G**2 * (sums**2).sum()) / (2 * sums.sum())


# --- invariances


def test_a_trace_does_not_depend_on_keep_and_inputs_stay_as_they_are():
    f, start = random_quadratic(0)
    copy = start.copy()
    long = gradient_descent(f.value, f.gradient, start, step=0.3, n_steps=30)
    short = gradient_descent(f.value, f.gradient, start, step=0.3, n_steps=30, keep=False)
    assert short.x.tolist() == long.x.tolist()
    assert short.iterates.tolist() == [long.iterates[0].tolist(), long.iterates[-1].tolist()]
    assert short.values.tolist() == long.values.tolist()
    assert start.tolist() == copy.tolist()


def test_equal_seeds_give_equal_paths():
    one, two = (sgd(step=0.1, n_steps=9, rng=np.random.default_rng(7)) for _ in range(2))
    assert one.iterates.tolist() == two.iterates.tolist()


def test_quadratics_know_their_constants():
    f = Quadratic([[2.0, 0.0], [0.0, 5.0]])
    assert (f.smoothness, f.convexity) == (5.0, 2.0)
    assert f.value(np.array([1.0, 1.0])) == 3.5
    assert Quadratic([[0.0]]).smoothness == 0.0


def test_repr():
    assert repr(gradient_descent(*SQUARE, [1.0], step=1.0)) == (
        "<Trace: converged after 1 steps, last value 0>"
    )
    assert isinstance(sgd(step=0.1, n_steps=1), Trace)


def test_the_callers_functions_cannot_write_to_an_iterate():
    def slope(w, rows=None):
        w *= 2
        return w

    with pytest.raises(ValueError, match="read-only"):
        gradient_descent(SQUARE[0], slope, [1.0], step=0.5)
    with pytest.raises(ValueError, match="read-only"):
        stochastic_gradient_descent(slope, 2, [1.0], step=0.5, n_steps=1, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="read-only"):
        newton_method(*SQUARE, lambda w: np.diag(slope(w)), [1.0])


def test_the_callers_functions_may_use_one_array_for_all_their_answers():
    A, answer = np.diag([1.0, 3.0]), np.empty(2)
    value, slope = (lambda w: float(w @ A @ w) / 2), (lambda w: A @ w)
    own, options = (lambda w: np.matmul(A, w, out=answer)), {"step": 0.1, "n_steps": 4}
    for method in (gradient_descent, accelerated_descent):
        one, other = (method(value, g, [3.0, -4.0], **options) for g in (slope, own))
        np.testing.assert_array_equal(one.gradient_norms, other.gradient_norms)
    one, other = (
        subgradient_method(
            value, slope, [3.0, -4.0], project=lambda w, to=to: np.clip(w, -2, 2, out=to), **options
        )
        for to in (None, np.empty(2))
    )
    assert one.iterates.tolist() == other.iterates.tolist()


# --- divergence


def test_a_step_above_two_over_L_is_reported():
    with pytest.warns(ConvergenceWarning, match=r"after 1 steps .* ask for a step below 1\. "):
        trace = gradient_descent(lambda w: float(w @ w), lambda w: 2 * w, [1.0], step=1.1)
    assert trace.diverged
    assert trace.x.tolist() == [1.0]
    assert np.isfinite(trace.values).all()


def test_two_over_L_itself_does_not_diverge():
    trace = gradient_descent(*SQUARE, [1.0], step=2.0, n_steps=5)
    assert trace.iterates[:, 0].tolist() == [1, -1, 1, -1, 1, -1]
    assert not trace.diverged


@pytest.mark.parametrize("method", [gradient_descent, accelerated_descent])
def test_values_that_overflow_end_the_run_with_finite_numbers(method):
    with pytest.warns(ConvergenceWarning, match="descent diverges"):
        trace = method(lambda w: float((w**4).sum()), lambda w: 4 * w**3, [1e60], step=1e9)
    assert trace.diverged
    assert np.isfinite(trace.iterates).all()
    assert np.isfinite(trace.values).all()


def test_an_ascending_momentum_method_is_stopped():
    with pytest.warns(ConvergenceWarning, match="descent diverges"):
        trace = accelerated_descent(*SQUARE, [1.0], step=3.0)
    assert trace.n_steps < 20


def test_stochastic_divergence():
    with pytest.warns(ConvergenceWarning, match="stochastic steps the iterate is far from the start"):
        trace = sgd(step=5.0, n_steps=100)
    assert trace.diverged
    assert len(trace.rows) == len(trace.steps) < 100
    assert np.isfinite(trace.x).all()


@pytest.mark.parametrize("keep", [True, False])
def test_a_run_that_diverged_answers_with_its_best_iterate(keep):
    A = np.diag([1.0, 4.0])  # comes down along one axis before it goes up along the other
    with pytest.warns(ConvergenceWarning, match="descent diverges"):
        trace = gradient_descent(
            lambda w: float(w @ A @ w),
            lambda w: 2 * A @ w,
            [100.0, 1e-3],
            step=0.2625,
            n_steps=500,
            keep=keep,
        )
    assert trace.x @ A @ trace.x == trace.values.min() < 1e-3 * trace.values[0]


def test_a_thinned_run_that_went_too_far_keeps_its_end():
    start = {"start": [0.0], "step": 5.0, "n_steps": 100}
    with pytest.warns(ConvergenceWarning, match="after 9 of 100"):
        whole, thin = (sgd(**start, every=every, value=lambda w: float(w[0])) for every in (1, 7))
    ends = [0, 7, 8]
    assert thin.x.tolist() == whole.x.tolist() == thin.iterates[-1].tolist()
    for name in ("iterates", "values", "gradient_norms", "evaluations"):
        np.testing.assert_array_equal(getattr(thin, name), getattr(whole, name)[ends])


# --- every sentence

Q1 = Quadratic([[1.0]])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: gradient_descent(*SQUARE, [1.0], step=0), "step must be a finite number > 0, got 0"),
        (lambda: gradient_descent(*SQUARE, [1.0], step="newton"), "step must be one of 'backtracking', got"),
        (lambda: gradient_descent(*SQUARE, [[1.0]], step=1), r"start must be a 1-D array of shape \(n,\)"),
        (lambda: gradient_descent(*SQUARE, [math.nan], step=1), "start contains NaN at index"),
        (lambda: gradient_descent(*SQUARE, [1.0], step=1, n_steps=-1), "n_steps must be an integer >= 0"),
        (lambda: gradient_descent(*SQUARE, [1.0], step=1, tol=-1), "tol must be a finite number >= 0"),
        (lambda: gradient_descent(*SQUARE, [1.0], step=1, n_rows=0), "n_rows must be an integer >= 1"),
        (lambda: gradient_descent(3, SQUARE[1], [1.0], step=1), r"value must be a function of an array"),
        (lambda: gradient_descent(SQUARE[0], None, [1.0], step=1), r"gradient must be a function of an arr"),
        (lambda: gradient_descent(lambda w: w, lambda w: w, [1.0, 2.0], step=1), "value must return one num"),
        (lambda: gradient_descent(SQUARE[0], lambda w: w[:1], [1.0, 2.0], step=1), r"numbers of shape \(2,"),
        (
            lambda: gradient_descent(lambda w: math.nan, SQUARE[1], [1.0], step=1),
            "value must return a finite",
        ),
        (
            lambda: gradient_descent(SQUARE[0], lambda w: w * math.nan, [1.0], step=1),
            "gradient must return f",
        ),
        (lambda: accelerated_descent(*SQUARE, [1.0], step=1, convexity=2), "convexity must be a finite numb"),
        (lambda: subgradient_method(*SQUARE, [1.0], step=lambda t: -1), r"step\(1\) must be a finite num"),
        (
            lambda: subgradient_method(*SQUARE, [1.0], step=1.5, project=3),
            r"project must be a function of an array of shape \(d,\), got 3",
        ),
        (
            lambda: subgradient_method(*SQUARE, [1.0], step=1.5, project=lambda w: [w]),
            r"project must return numbers of shape \(1,\), as start has, got shape \(1, 1\)",
        ),
        (
            lambda: newton_method(*SQUARE, lambda w: np.ones(2), [1.0]),
            r"hessian must return finite numbers of shape \(1, 1\), got shape \(2,\)",
        ),
        (
            lambda: newton_method(lambda w: -(w[0] ** 2), lambda w: -2 * w, lambda w: [[-2.0]], [1.0]),
            "hessian must be positive definite at every iterate",
        ),
        (lambda: sgd(step=1.0, n_steps=1, rng=3), "rng must be a numpy.random.Generator, got int"),
        (lambda: sgd(step=1.0, n_steps=1, batch_size=0), "batch_size must be an integer >= 1, got 0"),
        (lambda: sgd(step=1.0, n_steps=1, every=0), "every must be an integer >= 1, got 0"),
        (lambda: sgd(step=1.0, n_steps=1, value=3), "value must be a function"),
        (lambda: sublinear_bound(1, smoothness=2, radius=1, step=1), "step must be at most 1/L"),
        (lambda: noise_floor(step=2, variance=1), "step must lie strictly between 0 and 2"),
        (lambda: Quadratic([[1.0, 2.0], [2.0, 1.0]]), "A must have no negative eigenvalue"),
        (lambda: hinge_subgradient([1.0], np.ones((1, 1)), np.ones(1), kink=2), "kink must lie from 0 to 1"),
    ],
)
def test_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize("name", ["gd-update", "gd-sublinear"])
def test_a_claim_counts_missing_iterates(name):
    def without_the_start(*arguments, **options):
        trace = gradient_descent(*arguments, **options)
        return SimpleNamespace(iterates=trace.iterates[1:], x=trace.x)

    candidate = {"gradient_descent": without_the_start, "sublinear_bound": sublinear_bound}
    assert not claims.find(f"descent.{name}").verify(candidate=candidate).holds


def test_the_public_names_have_docstrings():
    names = [
        n for n, v in vars(descent).items() if getattr(v, "__module__", "") == "mlnotes.estimators.descent"
    ]
    assert [n for n in names if not n.startswith("_") and not getattr(descent, n).__doc__] == []


STATEMENTS = (
    "gd-update", "gd-descent", "gd-sublinear", "gd-linear", "sgd-erm", "sgd-update", "sgd-cheap",
    "gd-subgradient-convexity", "erratum-y10", "erratum-y11", "erratum-y12", "erratum-y13",
)  # fmt: skip


def test_every_statement_of_the_notes_and_every_erratum_is_a_claim():
    # gd-default is an opinion, gd-reading a reading list: text only
    ids = {claim.id for claim in claims.of("descent")}
    assert {f"descent.{name}" for name in STATEMENTS} - ids == set()
