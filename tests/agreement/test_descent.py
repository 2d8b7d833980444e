"""The methods of descent against the board, step by step and bit for bit: both do the same arithmetic."""

import warnings
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import descent as board
from mlnotes.engines import descent_traces
from mlnotes.estimators import descent
from mlnotes.estimators.base import ConvergenceWarning

quick = settings(derandomize=True, deadline=None, max_examples=60)
whole = st.integers(-6, 6)


@st.composite
def problems(draw):
    """A convex function with its derivatives, and a start: a quadratic, or its sum with a logistic loss."""
    d, rng = draw(st.integers(1, 3)), np.random.default_rng(draw(st.integers(0, 999)))
    B = rng.integers(-2, 3, (d, d))
    A, c = (B @ B.T + np.eye(d)) / 4, rng.integers(-2, 3, d) * draw(st.sampled_from([0.0, 1.0]))
    start = np.array(draw(st.lists(whole, min_size=d, max_size=d)), dtype=float)
    unit = draw(st.sampled_from([1.0, 2.0**-40]))  # slack is relative to the value
    height = draw(st.sampled_from([0.0, 2.0**30])) * unit  # at which falls are soon lost in rounding

    def value(w):
        return height + unit * (float(w @ A @ w) / 2 + float(np.logaddexp(0, c @ w)))

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


def walk(path, T):
    return np.array(quiet(lambda: list(islice(path, T + 1))))


def ended(trace, path):
    """What is left of a path where the method stops at a zero gradient and the board stands still."""
    iterates = np.array(trace.iterates)
    assert len(iterates) == len(path) or np.ptp(path[len(iterates) - 1 :], axis=0).max() == 0
    return path[: len(iterates)]


@quick
@given(problems(), st.sampled_from([0.5, 1.0, 1.9, 2.5, 40.0, "backtracking"]), st.integers(0, 12))
def test_gradient_descent(problem, factor, T):
    value, gradient, _, start, L = problem
    step = factor if factor == "backtracking" else factor / L
    trace = quiet(lambda: descent.gradient_descent(value, gradient, start, step=step, n_steps=T))
    path = walk(board.gradient_descent(value, gradient, start, step=step), T)
    if trace.diverged:  # the estimator's last iterate is the one that rose; the board stops before it
        assert len(path) == len(trace.iterates) - (value(trace.iterates[-1]) > value(start))
        assert trace.iterates[: len(path)].tolist() == path.tolist()
    else:
        assert trace.iterates.tolist() == ended(trace, path).tolist()
        assert trace.x.tolist() == trace.iterates[-1].tolist()
    assert trace.values.tolist() == [value(w) for w in trace.iterates]
    assert trace.gradient_norms == pytest.approx(
        [np.linalg.norm(gradient(w)) for w in trace.iterates], rel=1e-14, abs=0
    )


@quick
@given(problems(), st.sampled_from([0.25, 1.0]), st.sampled_from([0.0, 0.25]), st.integers(0, 12))
def test_accelerated_descent(problem, factor, convexity, T):
    value, gradient, _, start, L = problem
    options = {"step": factor / L, "convexity": min(convexity, L)}  # A has no eigenvalue below 1/4
    trace = quiet(lambda: descent.accelerated_descent(value, gradient, start, n_steps=T, **options))
    path = walk(board.accelerated_descent(value, gradient, start, **options), T)
    if not trace.diverged:
        assert trace.iterates == pytest.approx(ended(trace, path), rel=1e-13, abs=1e-13)


@quick
@given(problems(), st.integers(0, 6))
def test_newton(problem, T):
    value, gradient, hessian, start, _ = problem
    trace = descent.newton_method(value, gradient, hessian, start, n_steps=T)
    path = walk(board.newton_method(value, gradient, hessian, start), T)[: len(trace.iterates)]
    assert trace.iterates == pytest.approx(path, rel=1e-12, abs=1e-12)
    thrice = descent.newton_method(value, gradient, hessian, start, n_steps=T, n_rows=3)
    assert thrice.evaluations.tolist() == [3 * count for count in trace.evaluations]


@quick
@given(st.floats(-9, 9), st.integers(0, 12))
def test_newton_goes_half_as_far_where_its_model_goes_too_far(start, T):
    """The root of 1 + w^2, on which whole steps go to -w^3."""
    functions = (
        lambda w: float(np.sqrt(1 + w @ w)),
        lambda w: w / np.sqrt(1 + w @ w),
        lambda w: np.diag((1 + w**2) ** -1.5),
    )
    trace = descent.newton_method(*functions, [start], n_steps=T)
    path = walk(board.newton_method(*functions, [start]), T)
    assert (np.diff([functions[0](w) for w in path]) <= 1e-15).all()
    assert trace.iterates == pytest.approx(path[: len(trace.iterates)], rel=1e-12, abs=1e-12)


def test_newton_takes_a_whole_step_where_the_fall_is_lost_in_rounding():
    """(w + 10^4)^2 - 2 10^4 w is 10^8 + w^2, and rises by an ulp from here to its minimum."""
    functions = (lambda w: float((w[0] + 1e4) ** 2 - 2e4 * w[0]), lambda w: 2 * w, lambda w: 2 * np.eye(1))
    start = [3e-6]
    assert functions[0](start) < 1e8
    assert descent.newton_method(*functions, start, n_steps=1).x.tolist() == [0.0]


class Replay:
    """In place of a generator: hands out recorded rows."""

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
    step = (lambda t: 1 / t) if falling else 0.25
    walked = (lambda w, rows: w - x[rows].mean(), n, [4.0])
    trace = descent.stochastic_gradient_descent(
        *walked, step=step, n_steps=T, rng=np.random.default_rng(T), batch_size=batch, average=average
    )
    path = board.stochastic_gradient_descent(*walked, step=step, rng=Replay(trace.rows), batch_size=batch)
    states = list(islice(path, T + 1))
    assert trace.iterates.tolist() == [w.tolist() for w, _ in states]
    assert trace.rows.tolist() == [rows.tolist() for _, rows in states[1:]]
    assert (trace.diverged, trace.converged) == (False, False)
    assert trace.evaluations.tolist() == [batch * t for t in range(T + 1)]
    *_, mean = board.running_means(w for w, _ in states[1:]) if T else [states[0][0]]
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
        islice(board.subgradient_method(*walked, step=lambda t: 1 / t, **options), len(trace.iterates))
    )
    assert trace.iterates.tolist() == [w.tolist() for w, _ in states]
    assert trace.n_steps == T or (trace.n_steps < T and trace.gradient_norms[-1] == 0)
    assert trace.x.tolist() == states[-1][1].tolist()


@quick
@given(st.floats(0.1, 3), st.floats(0.05, 1.0), st.integers(0, 30))
def test_functions_that_attain_the_bounds(tau, h, t):
    r = tau * (2 * h * t + 1)
    f = board.Huber(tau)
    path = walk(board.gradient_descent(f.value, f.gradient, [r], step=h), t)
    assert f.value(path[-1]) == pytest.approx(
        board.sublinear_bound(t, smoothness=1.0, radius=r, step=h), rel=1e-12
    )
    A = np.diag([tau, 2 * tau])
    q = board.Quadratic(A)
    assert (q.convexity, q.smoothness) == pytest.approx((tau, 2 * tau))
    w = np.array([1.0, -2.0])
    assert q.value(w) == pytest.approx(float(w @ A @ w) / 2)
    assert q.gradient(w) == pytest.approx(A @ w)
    with pytest.raises(ValueError, match="A must have no negative eigenvalue"):
        board.Quadratic(-A)


@pytest.mark.parametrize("method", [descent.gradient_descent, descent.accelerated_descent])
@pytest.mark.parametrize("keep", [True, False])
def test_divergence_names_the_step_that_the_gradients_ask_for(method, keep):
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


def test_accelerated_descent_may_not_rise_from_its_lowest_value():
    with pytest.warns(ConvergenceWarning, match="after 1 steps"):
        descent.accelerated_descent(lambda w: float(w[0]), lambda w: -np.ones(1), [1.0], step=0.5)


@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("last", [1, 2, 3])
def test_a_stochastic_step_too_far_leaves_what_was_before(average, last):
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
def test_far_is_a_million_times_as_far_as_the_start(start, limit):
    for end, far in ((limit, False), (np.nextafter(limit, np.inf), True), (1.5 * limit, True)):
        run = quiet(
            lambda w=end: descent.stochastic_gradient_descent(
                lambda v, rows: v - w, 3, [start], step=1.0, n_steps=1, rng=np.random.default_rng(0)
            )
        )
        assert run.diverged == far


@pytest.mark.parametrize(("every", "kept"), [(1, [0, 1, 2, 3, 4, 5, 6, 7]), (3, [0, 3, 6, 7]), (9, [0, 7])])
def test_every_so_many_iterates_are_kept_and_both_ends(every, kept):
    trace = descent.stochastic_gradient_descent(
        lambda w, rows: -np.ones(1), 3, [0.0], step=1.0, n_steps=7, rng=np.random.default_rng(0), every=every
    )
    assert trace.iterates[:, 0].tolist() == trace.evaluations.tolist() == kept


def test_a_step_that_is_lost_in_rounding_says_nothing_of_the_curvature():
    assert descent._ratio(3.0, 0.0) == 0
    assert descent._ratio(3.0, 2.0) == 1.5


def test_where_falls_are_lost_in_rounding_nothing_diverges():
    def flat(w):
        return float(w @ w / 2 + 2.0**60) - 2.0**60

    for method in (descent.gradient_descent, descent.accelerated_descent):
        trace = method(flat, lambda w: w, [1.0], step=0.5, n_steps=5)
        assert (trace.n_steps, trace.diverged, set(trace.values)) == (5, False, {0.0})


def test_of_equally_low_iterates_the_first_is_the_answer():
    trace = descent.subgradient_method(lambda w: abs(w[0]), np.sign, [0.5], step=1.0, n_steps=3)
    assert (trace.iterates[:, 0].tolist(), trace.x.tolist()) == ([0.5, -0.5, 0.5, -0.5], [0.5])


@pytest.mark.parametrize(("value", "rise"), [(1.0, 0), (1.0, 1), (2.0**-20, 1), (-(2.0**20), 0)])
def test_a_step_is_halved_until_the_fall_is_half_of_what_the_slope_promises(value, rise):
    """Up to eight units in the last place of the value; with one more it is the half."""
    ulp = abs(value) * 2.0**-52
    asked = []

    def value_at(w):
        asked.append(float(w[0]))
        return value - 0.5 * ulp * 2**12 + (8 + rise) * ulp

    objective, g = SimpleNamespace(value_at=value_at), np.array([np.sqrt(ulp * 2**12)])
    found = descent._backtrack(objective, np.zeros(1), value, g, 0.5)
    assert (found, len(asked)) == ((0.5, 2) if rise else (1.0, 1))
    small = np.array([np.sqrt(ulp * 2**4)])  # of 16 units rounding may be half, at either end
    assert descent._backtrack(objective, np.zeros(1), value, small, 1.0) == 1.0
    assert len(asked) == (2 if rise else 1)


@pytest.mark.parametrize("unit", [1e-300, 1e-160, 1e-101, 1e-99, 1.0, 1e99, 1e101, 1e160, 1e300])
def test_lengths_of_which_squares_overflow_or_vanish(unit):
    found = descent_traces.length(unit * np.array([3.0, 0.0, -4.0]))
    assert found == pytest.approx(5 * unit, rel=4 * 2.0**-53, abs=0)


def test_lengths_at_the_ends():
    assert descent_traces.length(np.zeros(2)) == 0
    assert descent_traces.length(np.array([np.inf, 1.0])) == np.inf


def test_what_the_callers_functions_may_do():
    """They cannot write to an iterate, and a gradient is finite in every entry."""

    def greedy(w):
        w -= 1.0
        return w

    with pytest.raises(ValueError, match="read-only"):
        descent.gradient_descent(lambda w: float(w @ w), greedy, [1.0], step=0.5)
    with pytest.raises(ValueError, match="gradient must return finite numbers"):
        descent.gradient_descent(lambda w: 1.0, lambda w: np.array([0.0, np.nan]), [1.0, 2.0], step=0.5)
    for answer in (np.ones((2, 2)), 1.0, [["1"]], [[np.inf]], [[np.nan]]):
        with pytest.raises(ValueError, match="hessian must return finite numbers of shape"):
            descent.newton_method(lambda w: 1.0, lambda w: w, lambda w, a=answer: a, [1.0])
    for answer in (np.ones(2), 1.0, ["1"]):
        with pytest.raises(ValueError, match="gradient must return numbers of shape"):
            descent.gradient_descent(lambda w: 1.0, lambda w, a=answer: a, [1.0], step=0.5)
    for answer in (np.ones(2), "1", np.array(["1"]), [], None, 1j):
        with pytest.raises(ValueError, match="value must return one number"):
            descent.gradient_descent(lambda w, a=answer: a, lambda w: w, [1.0], step=0.5)
    with pytest.warns(ConvergenceWarning):
        trace = descent.gradient_descent(lambda w: float(w @ w), lambda w: 2 * w, [1.0], step=2.0)
    assert (trace.diverged, trace.converged) == (True, False)


def test_a_minimum_that_is_met_exactly_has_converged():
    for method in (descent.gradient_descent, descent.accelerated_descent):
        trace = method(lambda w: float(w @ w) / 2, lambda w: w, [3.0], step=1.0)
        assert (trace.n_steps, trace.x.tolist(), trace.converged) == (1, [0.0], True)


@pytest.mark.parametrize("n_steps", [0, 1, 2, 5])
@pytest.mark.parametrize("method", [descent.gradient_descent, descent.accelerated_descent])
def test_without_keep_a_trace_has_the_first_iterate_and_the_last(method, n_steps):
    options = {"step": 0.5, "n_steps": n_steps}
    whole, ends = (
        method(lambda w: float(w @ w) / 2, lambda w: w, [3.0], keep=keep, **options) for keep in (True, False)
    )
    assert ends.iterates.tolist() == whole.iterates[:: max(n_steps, 1)].tolist()
    assert ends.values.tolist() == whole.values.tolist()


@pytest.mark.parametrize("unit", [2.0**-60, 1.0, 2.0**60])
def test_a_rise_is_one_in_any_unit_of_the_value(unit):
    with pytest.warns(UserWarning, match="above that of the start"):
        path = list(
            islice(
                board.gradient_descent(
                    lambda w: unit * (w @ w), lambda w: 2 * unit * w, [1.0], step=1.1 / unit
                ),
                9,
            )
        )
    assert len(path) == 1
