"""The methods of descent agree with the reference module, step by step: both do the same arithmetic."""

import warnings
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import descent as reference
from mlnotes.estimators import descent
from mlnotes.estimators.base import ConvergenceWarning

quick = settings(derandomize=True, deadline=None, max_examples=60)
whole = st.integers(-6, 6)


@st.composite
def problems(draw):
    """Draw a convex function with its derivatives, and a start: a quadratic, plus a logistic loss or not."""
    d, rng = draw(st.integers(1, 3)), np.random.default_rng(draw(st.integers(0, 999)))
    B = rng.integers(-2, 3, (d, d))
    A, c = (B @ B.T + np.eye(d)) / 4, rng.integers(-2, 3, d) * draw(st.sampled_from([0.0, 1.0]))
    start = np.array(draw(st.lists(whole, min_size=d, max_size=d)), dtype=float)
    unit = draw(st.sampled_from([1.0, 2.0**-40]))

    def value(w):
        return unit * (float(w @ A @ w) / 2 + float(np.logaddexp(0, c @ w)))

    def gradient(w):
        return unit * (A @ w + c / (1 + np.exp(-(c @ w))))

    def hessian(w):
        p = 1 / (1 + np.exp(-(c @ w)))
        return unit * (A + p * (1 - p) * np.outer(c, c))

    L = unit * float(np.linalg.eigvalsh(A)[-1] + c @ c / 4)
    return value, gradient, hessian, start, L


def quiet(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()


def first(path, T):
    return np.array(quiet(lambda: list(islice(path, T + 1))))


def assert_same_path(trace, path, T, rounding=0.0):
    """The estimator stops where the gradient is 0; the reference module stays there."""
    path = first(path, T)
    length = len(trace.iterates)
    assert length == T + 1 or abs(path[length - 1 :] - path[length - 1]).max() <= rounding
    assert trace.iterates == pytest.approx(path[:length], rel=rounding, abs=rounding)


@quick
@given(problems(), st.sampled_from([0.5, 1.0, 1.9, 2.5, 40.0]), st.integers(0, 12))
def test_gradient_descent(problem, factor, T):
    value, gradient, _, start, L = problem
    trace = quiet(lambda: descent.gradient_descent(value, gradient, start, step=factor / L, n_steps=T))
    assert_same_path(trace, reference.gradient_descent(gradient, start, factor / L), trace.n_steps)
    assert trace.diverged == (trace.values[-1] > trace.values[0] * (1 + 1e-14))
    assert trace.diverged or trace.n_steps == T or trace.gradient_norms[-1] == 0
    assert trace.x.tolist() == trace.iterates[trace.values.argmin() if trace.diverged else -1].tolist()
    assert trace.values.tolist() == [value(w) for w in trace.iterates]
    norms = [np.linalg.norm(gradient(w)) for w in trace.iterates]
    assert trace.gradient_norms == pytest.approx(norms, rel=1e-14, abs=0)


@quick
@given(problems(), st.integers(0, 8))
def test_backtracking(problem, T):
    value, gradient, _, start, _ = problem
    trace = descent.gradient_descent(value, gradient, start, step="backtracking", n_steps=T)
    path = first(reference.backtracking_descent(value, gradient, start), T)
    near = [k for k, w in enumerate(path) if value(w) - value(path[-1]) < 1e-9 * value(start)]
    common = min([len(trace.iterates), *near])  # later, falls are lost in rounding
    assert trace.iterates[:common].tolist() == path[:common].tolist()


@quick
@given(problems(), st.sampled_from([0.25, 1.0]), st.sampled_from([0.0, 0.25]), st.integers(0, 12))
def test_accelerated_descent(problem, factor, convexity, T):
    value, gradient, _, start, L = problem
    options = {"step": factor / L, "convexity": min(convexity, L)}  # A has no eigenvalue below 1/4
    trace = quiet(lambda: descent.accelerated_descent(value, gradient, start, n_steps=T, **options))
    if not trace.diverged:
        assert_same_path(trace, reference.accelerated_descent(gradient, start, **options), T, 1e-13)


@quick
@given(problems(), st.integers(0, 6))
def test_newton(problem, T):
    value, gradient, hessian, start, _ = problem
    trace = descent.newton_method(value, gradient, hessian, start, n_steps=T)
    path = reference.newton_method(value, gradient, hessian, start)
    assert_same_path(trace, path, trace.n_steps, 1e-8)  # near the minimum falls are lost in rounding


@quick
@given(st.floats(-9, 9), st.integers(0, 12))
def test_newton_halves_steps_that_go_up(start, T):
    """The root of 1 + w^2, on which whole steps go to -w^3."""
    functions = (
        lambda w: float(np.sqrt(1 + w @ w)),
        lambda w: w / np.sqrt(1 + w @ w),
        lambda w: np.diag((1 + w**2) ** -1.5),
    )
    trace = descent.newton_method(*functions, [start], n_steps=T)
    path = first(reference.newton_method(*functions, [start]), T)
    assert (np.diff([functions[0](w) for w in path]) <= 1e-15).all()
    assert trace.iterates == pytest.approx(path[: len(trace.iterates)], rel=1e-12, abs=1e-12)


def test_newton_takes_full_steps_where_the_fall_is_lost_in_rounding():
    """(w + 10^4)^2 - 2 10^4 w is 10^8 + w^2, and rises by an ulp from here to its minimum."""
    functions = (lambda w: float((w[0] + 1e4) ** 2 - 2e4 * w[0]), lambda w: 2 * w, lambda w: 2 * np.eye(1))
    start = [3e-6]
    assert functions[0](start) < 1e8
    assert descent.newton_method(*functions, start, n_steps=1).x.tolist() == [0.0]


class Replay:
    """In place of a generator: recorded draws."""

    def __init__(self, rows):
        self.rows = iter(rows)

    def integers(self, n, size):
        return next(self.rows)


@quick
@given(
    st.integers(1, 5), st.integers(1, 3), st.integers(0, 20), st.booleans(), st.booleans(), st.integers(0, 99)
)
def test_stochastic_descent(n, batch, T, falling, average, seed):
    x = np.arange(n) ** 2 - 3.0
    step = (lambda t: 1 / t) if falling else (lambda t: 0.25)
    walked = (lambda w, rows: w - x[rows].mean(), n, [4.0])
    trace = descent.stochastic_gradient_descent(
        *walked, step=step, n_steps=T, rng=np.random.default_rng(T), batch_size=batch, average=average
    )
    path = reference.stochastic_gradient_descent(*walked, step, Replay(trace.rows), batch)
    states = list(islice(path, T + 1))
    assert trace.iterates.tolist() == [w.tolist() for w, _ in states]
    assert trace.rows.tolist() == [rows.tolist() for _, rows in states[1:]]
    assert (trace.diverged, trace.converged) == (False, False)
    assert trace.evaluations.tolist() == [batch * t for t in range(T + 1)]
    *_, mean = reference.running_means(w for w, _ in states[1:]) if T else [states[0][0]]
    assert trace.x == pytest.approx(mean if average else states[-1][0], rel=1e-13, abs=1e-13)


@quick
@given(st.lists(whole, min_size=1, max_size=3), st.booleans(), st.integers(0, 15))
def test_subgradients(target, boxed, T):
    target = np.array(target, dtype=float)
    value, slope = (lambda w: float(abs(w - target).sum())), (lambda w: np.sign(w - target))
    options = {"project": lambda w: np.clip(w, -1, 1)} if boxed else {}
    walked = (value, slope, np.zeros(len(target)))
    trace = descent.subgradient_method(*walked, step=lambda t: 1 / t, n_steps=T, **options)
    states = list(
        islice(reference.subgradient_method(*walked, step=lambda t: 1 / t, **options), len(trace.iterates))
    )
    assert trace.iterates.tolist() == [w.tolist() for w, _ in states]
    assert trace.n_steps == T or (trace.n_steps < T and trace.gradient_norms[-1] == 0)
    assert trace.x.tolist() == states[-1][1].tolist()


@pytest.mark.parametrize("method", [descent.gradient_descent, descent.accelerated_descent])
@pytest.mark.parametrize("keep", [True, False])
def test_divergence_names_a_step_that_is_short_enough(method, keep):
    for L in (1.0, 0.25):
        with pytest.warns(ConvergenceWarning, match=rf"ask for a step below {2 / L:.0f}[.]"):
            trace = method(
                lambda w, L=L: L * float(w @ w) / 2, lambda w, L=L: L * w, [8.0], step=3 / L, keep=keep
            )
        assert trace.diverged
        assert trace.x.tolist() == [8.0]
    with pytest.warns(ConvergenceWarning, match="after 0 steps"):
        trace = method(lambda w: 0.0, lambda w: np.where(abs(w) < 10, w, np.inf), [8.0, 0.0], step=3.0)
    assert trace.diverged
    assert trace.n_steps == 0


def test_accelerated_descent_stops_at_a_rise_from_its_smallest_value():
    with pytest.warns(ConvergenceWarning, match="after 1 steps"):
        descent.accelerated_descent(lambda w: float(w[0]), lambda w: -np.ones(1), [1.0], step=0.5)


@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("last", [1, 2, 3])
def test_stochastic_run_that_goes_far_returns_the_iterate_before(average, last):
    steps = [1.0] * (last - 1) + [1e9] * 9
    options = {"step": lambda t: steps[t - 1], "n_steps": 5, "average": average}
    with pytest.warns(ConvergenceWarning, match=f"after {last} of 5") as told:
        trace = descent.stochastic_gradient_descent(
            lambda w, rows: np.ones(1), 3, [4.0], rng=np.random.default_rng(0), **options
        )
    assert told[0].filename == __file__  # the caller's line
    before = [4.0, 3.0, 2.0][:last]
    expected = np.mean(before[1:]) if average and last > 1 else before[-1]
    assert trace.diverged
    assert trace.x.tolist() == [expected]


@pytest.mark.parametrize(("start", "limit"), [(0.0, 1e6), (0.5, 1e6), (-4.0, 4e6)])
def test_far_means_a_million_times_the_start(start, limit):
    for end, far in ((limit, False), (np.nextafter(limit, np.inf), True), (1.5 * limit, True)):
        run = quiet(
            lambda w=end: descent.stochastic_gradient_descent(
                lambda v, rows: v - w, 3, [start], step=1.0, n_steps=1, rng=np.random.default_rng(0)
            )
        )
        assert run.diverged == far


@pytest.mark.parametrize(("every", "kept"), [(1, [0, 1, 2, 3, 4, 5, 6, 7]), (3, [0, 3, 6, 7]), (9, [0, 7])])
def test_keeps_every_so_many_iterates_and_both_ends(every, kept):
    trace = descent.stochastic_gradient_descent(
        lambda w, rows: -np.ones(1), 3, [0.0], step=1.0, n_steps=7, rng=np.random.default_rng(0), every=every
    )
    assert trace.iterates[:, 0].tolist() == trace.evaluations.tolist() == kept


def test_rounding_errors_are_no_divergence():
    def flat(w):
        return float(w @ w / 2 + 2.0**60) - 2.0**60

    for method in (descent.gradient_descent, descent.accelerated_descent):
        trace = method(flat, lambda w: w, [1.0], step=0.5, n_steps=5)
        assert (trace.n_steps, trace.diverged, set(trace.values)) == (5, False, {0.0})


def test_returns_the_first_of_equally_low_iterates():
    trace = descent.subgradient_method(lambda w: abs(w[0]), np.sign, [0.5], step=1.0, n_steps=3)
    assert (trace.iterates[:, 0].tolist(), trace.x.tolist()) == ([0.5, -0.5, 0.5, -0.5], [0.5])


def test_minimum_that_is_met_exactly_has_converged():
    for method in (descent.gradient_descent, descent.accelerated_descent):
        trace = method(lambda w: float(w @ w) / 2, lambda w: w, [3.0], step=1.0)
        assert (trace.n_steps, trace.x.tolist(), trace.converged) == (1, [0.0], True)


@pytest.mark.parametrize("n_steps", [0, 1, 2, 5])
@pytest.mark.parametrize("method", [descent.gradient_descent, descent.accelerated_descent])
def test_without_keep_the_first_iterate_and_the_last_are_kept(method, n_steps):
    options = {"step": 0.5, "n_steps": n_steps}
    whole, ends = (
        method(lambda w: float(w @ w) / 2, lambda w: w, [3.0], keep=keep, **options) for keep in (True, False)
    )
    assert ends.iterates.tolist() == whole.iterates[:: max(n_steps, 1)].tolist()
    assert ends.values.tolist() == whole.values.tolist()


def test_refuses_what_functions_may_not_return():
    for entries in (np.ones((2, 2)), 1.0, [["1"]], [[np.inf]], [[np.nan]]):
        with pytest.raises(ValueError, match="hessian must return finite numbers of shape"):
            descent.newton_method(lambda w: 1.0, lambda w: w, lambda w, a=entries: a, [1.0])
    for entries in (np.ones(2), 1.0, ["1"]):
        with pytest.raises(ValueError, match="gradient must return numbers of shape"):
            descent.gradient_descent(lambda w: 1.0, lambda w, a=entries: a, [1.0], step=0.5)
    for entries in (np.ones(2), "1", np.array(["1"]), [], None, 1j):
        with pytest.raises(ValueError, match="value must return one number"):
            descent.gradient_descent(lambda w, a=entries: a, lambda w: w, [1.0], step=0.5)
    with pytest.raises(ValueError, match="gradient must return finite numbers"):
        descent.gradient_descent(lambda w: 1.0, lambda w: np.array([0.0, np.nan]), [1.0, 2.0], step=0.5)


@pytest.mark.parametrize("unit", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_norms_whose_squares_overflow_or_vanish(unit):
    trace = descent.gradient_descent(lambda w: 0.0, lambda w: unit * np.array([3.0, -4.0]), [0.0, 0.0],
                                     step=1e-300, n_steps=0)  # fmt: skip
    assert trace.gradient_norms == pytest.approx([5 * unit], rel=4 * 2.0**-53, abs=0)


def test_functions_cannot_write_to_an_iterate():
    def slope(w, rows=None):
        w *= 2
        return w

    with pytest.raises(ValueError, match="read-only"):
        descent.gradient_descent(lambda w: float(w @ w) / 2, slope, [1.0], step=0.5)
    with pytest.raises(ValueError, match="read-only"):
        descent.stochastic_gradient_descent(
            slope, 2, [1.0], step=0.5, n_steps=1, rng=np.random.default_rng(0)
        )
    with pytest.raises(ValueError, match="read-only"):
        descent.newton_method(lambda w: float(w @ w) / 2, lambda w: w, lambda w: np.diag(slope(w)), [1.0])
