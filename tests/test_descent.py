"""Descent methods on functions of the caller: when they stop, what they report, divergence, messages."""

import math

import numpy as np
import pytest

from mlnotes.descent import Quadratic
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


# --- traces


def test_stops_at_the_tolerance_and_at_a_zero_gradient():
    trace = gradient_descent(*SQUARE, [8.0], step=0.5, tol=1.0)
    assert trace.converged
    assert trace.iterates[:, 0].tolist() == [8, 4, 2, 1]
    assert gradient_descent(*SQUARE, [8.0], step=1.0).n_steps == 1


def test_subgradient_method_returns_the_first_of_the_best():
    trace = subgradient_method(lambda w: abs(w[0]), np.sign, [1.0], step=lambda t: 2 / t, n_steps=3)
    assert trace.iterates[:, 0].tolist() == [1, -1, 0]
    assert trace.converged
    assert trace.x.tolist() == [0]
    trace = subgradient_method(lambda w: abs(w[0]), np.sign, [1.0], step=0.75, n_steps=3)
    assert trace.iterates[:, 0].tolist() == [1, 0.25, -0.5, 0.25]
    assert trace.x.tolist() == [0.25]  # the best, and the first of equals


def test_newton_shortens_steps_that_go_up():
    value, slope = (lambda w: math.sqrt(1 + w[0] ** 2)), (lambda w: w / math.sqrt(1 + w[0] ** 2))
    trace = newton_method(value, slope, lambda w: np.array([[(1 + w[0] ** 2) ** -1.5]]), [2.0], tol=1e-10)
    assert trace.converged  # the full step goes from w to -w^3
    assert (np.diff(trace.values) <= 1e-15).all()
    assert trace.steps[0] < 1 == trace.steps[-1]


def test_keeps_every_tenth_iterate():
    whole = sgd(step=0.3, n_steps=25)
    thin = sgd(step=0.3, n_steps=25, average=True, every=10, value=lambda w: float(w[0]))
    assert thin.iterates[:, 0].tolist() == whole.iterates[[0, 10, 20, 25], 0].tolist()
    assert thin.values.tolist() == thin.iterates[:, 0].tolist()
    assert thin.evaluations.tolist() == [0, 10, 20, 25]
    np.testing.assert_allclose(thin.x, whole.iterates[1:].mean(axis=0), rtol=1e-14)
    assert np.isnan(whole.values).all()


def random_quadratic(seed, d=5):
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.standard_normal((d, d)))
    return Quadratic((Q * rng.uniform(0.01, 3, d)) @ Q.T), rng.standard_normal(d)


def test_backtracking_converges_without_a_constant():
    f, start = random_quadratic(3)
    A = 1e4 * f.A
    trace = gradient_descent(
        lambda w: float(w @ A @ w) / 2, lambda w: A @ w, start, step="backtracking", n_steps=3000, tol=1e-9
    )
    assert trace.converged
    assert (trace.steps >= 0.5 / (1e4 * f.smoothness)).all()


# --- invariances


def test_keep_changes_only_what_is_kept():
    f, start = random_quadratic(0)
    copy = start.copy()
    long = gradient_descent(f.value, f.gradient, start, step=0.3, n_steps=30)
    short = gradient_descent(f.value, f.gradient, start, step=0.3, n_steps=30, keep=False)
    assert short.x.tolist() == long.x.tolist()
    assert short.iterates.tolist() == [long.iterates[0].tolist(), long.iterates[-1].tolist()]
    assert short.values.tolist() == long.values.tolist()
    assert start.tolist() == copy.tolist()


def test_repr():
    assert repr(gradient_descent(*SQUARE, [1.0], step=1.0)) == (
        "<Trace: converged after 1 steps, last value 0>"
    )
    assert isinstance(sgd(step=0.1, n_steps=1), Trace)


def test_functions_may_reuse_one_array():
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


def test_warns_about_a_step_above_two_over_L():
    with pytest.warns(ConvergenceWarning, match=r"after 1 steps .* ask for a step below 1\. "):
        trace = gradient_descent(lambda w: float(w @ w), lambda w: 2 * w, [1.0], step=1.1)
    assert trace.diverged
    assert trace.x.tolist() == [1.0]
    assert np.isfinite(trace.values).all()


@pytest.mark.parametrize("method", [gradient_descent, accelerated_descent])
def test_run_that_overflows_ends_with_finite_numbers(method):
    with pytest.warns(ConvergenceWarning, match="descent diverges"):
        trace = method(lambda w: float((w**4).sum()), lambda w: 4 * w**3, [1e60], step=1e9)
    assert trace.diverged
    assert np.isfinite(trace.iterates).all()
    assert np.isfinite(trace.values).all()


def test_stops_an_accelerated_run_that_goes_up():
    with pytest.warns(ConvergenceWarning, match="descent diverges"):
        trace = accelerated_descent(*SQUARE, [1.0], step=3.0)
    assert trace.n_steps < 20


def test_stops_a_stochastic_run_that_goes_far():
    with pytest.warns(ConvergenceWarning, match="stochastic steps the iterate is far from the start"):
        trace = sgd(step=5.0, n_steps=100)
    assert trace.diverged
    assert len(trace.rows) == len(trace.steps) < 100
    assert np.isfinite(trace.x).all()


@pytest.mark.parametrize("keep", [True, False])
def test_run_that_diverged_returns_its_best_iterate(keep):
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


def test_thinned_run_that_went_too_far_keeps_its_end():
    start = {"start": [0.0], "step": 5.0, "n_steps": 100}
    with pytest.warns(ConvergenceWarning, match="after 9 of 100"):
        whole, thin = (sgd(**start, every=every, value=lambda w: float(w[0])) for every in (1, 7))
    ends = [0, 7, 8]
    assert thin.x.tolist() == whole.x.tolist() == thin.iterates[-1].tolist()
    for name in ("iterates", "values", "gradient_norms", "evaluations"):
        np.testing.assert_array_equal(getattr(thin, name), getattr(whole, name)[ends])


# --- messages


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
    ],
)
def test_refuses(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_the_public_names_have_docstrings():
    names = [
        n for n, v in vars(descent).items() if getattr(v, "__module__", "") == "mlnotes.estimators.descent"
    ]
    assert [n for n in names if not n.startswith("_") and not getattr(descent, n).__doc__] == []
