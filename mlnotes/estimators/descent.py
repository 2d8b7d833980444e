r"""Gradient descent: follow the slope downhill, and know how fast.

Objective: :math:`f : \mathbb R^d \to \mathbb R`, given by two functions of a vector, ``value(w)`` (a number)
and ``gradient(w)`` (shape (d,)). Empirical risk is a mean, :math:`f(w) = \frac1n\sum_i f_i(w)`; there
``gradient(w, rows)`` returns the mean of :math:`\nabla f_i(w)` over the given rows.

Iterate :math:`w_t` is row t of ``Trace.iterates``, :math:`w_0` is ``start``, and :math:`\eta_t` the step that
leads to :math:`w_t`, t = 1, 2, .... As in the lecture, the gradient is L-Lipschitz (``smoothness``), f is
:math:`\mu`-strongly convex (``convexity``), and r is the distance :math:`\|w_0 - w^\star\|` (``radius``).

Every method returns a `Trace`: iterates, values, gradient norms, steps and costs, made for plotting and for
checking. A run that leaves its start upwards has a step above :math:`2/L` (`gradient_descent`); it is
stopped and says so.

The reference module `mlnotes.descent` yields iterates alone. Here a step also records what a plot needs,
checks what the caller's functions return, and may end the run; so the loops are written again, and agreement
tests compare every iterate.

Sources: Yan, slides "A brief introduction to gradient descent", "Stochastic gradient descent", "Gradient
descent methods"; Shi, gradient and sub-gradient, convexity. Rates: Drori and Teboulle (2014); Nesterov,
*Lectures on Convex Optimization* (2018), chapter 2; Beck and Teboulle (2009); Robbins and Monro (1951).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.engines.linear_algebra import cholesky
from mlnotes.estimators.base import ConvergenceWarning, check_count, check_option, check_scalar, check_vector
from mlnotes.estimators.descent_traces import Log, Objective, Trace, as_vector, length, locked

Array = NDArray[np.float64]
Step = float | Callable[[int], float]

_SLACK = 8 * np.finfo(np.float64).eps  # relative rounding error allowed to a value


# ------------------------------------------------------------------- descent along the gradient


def gradient_descent(
    value: Callable[[Array], float],
    gradient: Callable[[Array], ArrayLike],
    start: ArrayLike,
    *,
    step: float | str,
    n_steps: int = 1000,
    tol: float = 0.0,
    n_rows: int = 1,
    keep: bool = True,
) -> Trace:
    r"""Run :math:`w_t = w_{t-1} - \eta\nabla f(w_{t-1})`.

    Parameters
    ----------
    value, gradient : callable
        :math:`f` and :math:`\nabla f`, functions of an array of shape (d,).
    start : array-like of shape (d,)
    step : float > 0 or "backtracking"
        A fixed :math:`\eta`: :math:`1/L` is safe and :math:`2/L` the limit. "backtracking" needs no L: it
        starts from 1, halves :math:`\eta` until :math:`f(w - \eta g) \le f(w) - \frac\eta2\|g\|^2`, which
        holds for all :math:`\eta \le 1/L`, and tries twice the accepted :math:`\eta` at the next step.
    n_steps : int
        The largest number of steps T.
    tol : float
        Stop as soon as the gradient norm is at most ``tol``; 0 runs all the steps (or to a zero gradient).
    n_rows : int
        How many rows one gradient sums over; only the count of ``evaluations`` depends on it.
    keep : bool
        Whether to keep all the iterates.

    Returns
    -------
    Trace

    Raises
    ------
    ValueError
        For a parameter out of range, and if ``value`` or ``gradient`` gives no finite number at the start or
        an array of another shape.

    Warns
    -----
    ConvergenceWarning
        If a value is above that of the start, or not finite. By the descent lemma this proves
        :math:`\eta > 2/L`; the warning gives the largest curvature met on the way.

    Notes
    -----
    Rates: `sublinear_bound`, `linear_factor`. Memory :math:`O(Td)` with ``keep``, else :math:`O(T + d)`.

    Examples
    --------
    >>> trace = gradient_descent(lambda w: w @ w / 2, lambda w: w, [8.0], step=0.5, n_steps=3)
    >>> trace.iterates[:, 0].tolist()
    [8.0, 4.0, 2.0, 1.0]
    """
    objective = Objective(value, gradient)
    w = _start(start)
    eta = 0.5 if isinstance(step, str) else float(check_scalar(step, name="step", above=0))
    backtracking = isinstance(step, str) and bool(check_option(step, name="step", options=["backtracking"]))
    _check_counts(n_steps, tol, n_rows)
    f, g = objective(w)
    log = Log(w, f, length(g), n_rows, keep)
    first, curvature = f, 0.0
    while log.n_steps < n_steps and not log.norms[-1] <= tol:
        if backtracking:
            eta = _backtrack(objective, w, f, g, eta)
        w_next = w - eta * g
        f, g_next = objective.value_at(w_next), objective.gradient_at(w_next)
        if not (math.isfinite(f) and np.isfinite(g_next).all()):
            return _report_divergence(log, curvature)
        curvature = max(curvature, _ratio(length(g_next - g), length(w_next - w)))
        w, g = w_next, g_next
        log.add(w, f, length(g), eta)
        if not backtracking and f > first + _SLACK * abs(first):
            return _report_divergence(log, curvature)
    return log.trace(w, converged=log.norms[-1] <= tol)


def accelerated_descent(
    value: Callable[[Array], float],
    gradient: Callable[[Array], ArrayLike],
    start: ArrayLike,
    *,
    step: float,
    convexity: float = 0.0,
    n_steps: int = 1000,
    tol: float = 0.0,
    n_rows: int = 1,
    keep: bool = True,
) -> Trace:
    r"""Run Nesterov's method: a gradient step from a point ahead, :math:`w_t = v_t - \eta\nabla f(v_t)`.

    The point ahead is :math:`v_{t+1} = w_t + \beta_t(w_t - w_{t-1})` with :math:`v_1 = w_0`. With
    ``convexity`` 0, :math:`\beta_t = (\theta_t - 1)/\theta_{t+1}`, :math:`\theta_1 = 1` and
    :math:`\theta_{t+1} = \frac12(1 + \sqrt{1 + 4\theta_t^2})`: then :math:`f(w_t) - f^\star \le
    2r^2/(\eta(t+1)^2)` for :math:`\eta \le 1/L` (Beck and Teboulle, 2009, theorem 4.4). With
    :math:`\mu` > 0, :math:`\beta = (1 - \sqrt{\eta\mu})/(1 + \sqrt{\eta\mu})`.

    Parameters and errors are those of `gradient_descent`; the step is fixed and ``convexity`` is
    :math:`\mu`, with :math:`\eta\mu \le 1`. Values may rise for a while, which is no divergence: only a value
    above 100 times the first one's distance to the smallest is.
    """
    objective, w = Objective(value, gradient), _start(start)
    eta = float(check_scalar(step, name="step", above=0))
    mu = float(check_scalar(convexity, name="convexity", minimum=0, maximum=1 / eta))
    _check_counts(n_steps, tol, n_rows)
    fixed = (1 - math.sqrt(eta * mu)) / (1 + math.sqrt(eta * mu))
    f, g = objective(w)
    log = Log(w, f, math.nan, n_rows, keep)
    ahead, theta, curvature = w, 1.0, 0.0
    while log.n_steps < n_steps and not length(g) <= tol:
        w_next = ahead - eta * g
        theta_next = (1 + math.sqrt(1 + 4 * theta**2)) / 2
        beta = fixed if mu else (theta - 1) / theta_next
        ahead_next = w_next + beta * (w_next - w)
        f, g_next = objective.value_at(w_next), objective.gradient_at(ahead_next)
        if not (math.isfinite(f) and np.isfinite(g_next).all()):
            return _report_divergence(log, curvature)
        curvature = max(curvature, _ratio(length(g_next - g), length(ahead_next - ahead)))
        log.add(w_next, f, length(g), eta)
        low = log.lowest
        if f - low > 100 * (log.values[0] - low) + _SLACK * abs(f):
            return _report_divergence(log, curvature)
        w, ahead, g, theta = w_next, ahead_next, g_next, theta_next
    return log.trace(w, converged=length(g) <= tol)


def newton_method(
    value: Callable[[Array], float],
    gradient: Callable[[Array], ArrayLike],
    hessian: Callable[[Array], ArrayLike],
    start: ArrayLike,
    *,
    n_steps: int = 100,
    tol: float = 0.0,
    n_rows: int = 1,
) -> Trace:
    r"""Run Newton's method, :math:`w_t = w_{t-1} - \eta_t H^{-1}\nabla f(w_{t-1})`, H the Hessian there.

    :math:`\eta_t` is the first of 1, 1/2, 1/4, ... that lowers the value by at least a tenth of what the
    slope promises (Armijo), so that the method converges from any start where f is strongly convex; near the
    minimum :math:`\eta_t = 1` and the error is squared in every step.

    Parameters and errors are those of `gradient_descent`; ``hessian`` returns a positive definite matrix of
    shape (d, d).
    """
    objective, w = Objective(value, gradient), _start(start)
    _check_counts(n_steps, tol, n_rows)
    f, g = objective(w)
    log = Log(w, f, length(g), n_rows, True)
    while log.n_steps < n_steps and not log.norms[-1] <= tol:
        direction = _newton_direction(hessian(locked(w)), g)
        slope, eta, slack = float(g @ direction), 1.0, _SLACK * abs(f)
        while eta > 1e-12 and not objective.value_at(w - eta * direction) <= f - 0.1 * eta * slope + slack:
            eta /= 2
        w = w - eta * direction
        f, g = objective(w)
        log.add(w, f, length(g), eta)
    return log.trace(w, converged=log.norms[-1] <= tol)


def subgradient_method(
    value: Callable[[Array], float],
    subgradient: Callable[[Array], ArrayLike],
    start: ArrayLike,
    *,
    step: Step,
    n_steps: int = 1000,
    project: Callable[[Array], ArrayLike] | None = None,
    n_rows: int = 1,
    keep: bool = True,
) -> Trace:
    r"""Run :math:`w_t = \Pi(w_{t-1} - \eta_t s_{t-1})`, :math:`s` a subgradient, and keep the best iterate.

    A subgradient need not point downhill, so the result ``x`` is the iterate of smallest value. For convex
    :math:`f` with subgradients of norm at most G, projecting onto a convex set that contains a minimiser,

    .. math:: \min_{t < T} f(w_t) - f^\star \le
              \frac{r^2 + G^2\sum_{t\le T}\eta_t^2}{2\sum_{t\le T}\eta_t}.

    Parameters
    ----------
    value, subgradient : callable
        :math:`f` and any one of its subgradients, functions of an array of shape (d,).
    start : array-like of shape (d,)
    step : float > 0 or callable
        :math:`\eta`, or a function of t = 1, 2, ...: ``lambda t: c / t**0.5``.
    n_steps : int
    project : callable, optional
        The projection :math:`\Pi` onto a closed convex set; none for the whole space.
    n_rows, keep
        As in `gradient_descent`.

    Examples
    --------
    >>> trace = subgradient_method(lambda w: abs(w[0]), np.sign, [1.0], step=lambda t: 1 / t, n_steps=50)
    >>> bool(trace.values.min() == abs(trace.x[0]) < 0.02)
    True
    """
    objective, w = Objective(value, subgradient), _start(start)
    if project is not None and not callable(project):
        raise ValueError(f"project must be a function of an array of shape (d,), got {project!r}.")
    size = _step_rule(step)
    _check_counts(n_steps, 0.0, n_rows)
    if project is not None:
        w = as_vector(project(w), len(w), "project")
    f, s = objective(w)
    log = Log(w, f, length(s), n_rows, keep)
    while log.n_steps < n_steps and log.norms[-1] > 0:
        eta = size(log.n_steps + 1)
        w = w - eta * s
        if project is not None:
            w = as_vector(project(w), len(w), "project")
        f, s = objective(w)
        log.add(w, f, length(s), eta)
    return log.trace(log.best, converged=log.norms[-1] == 0)


# ------------------------------------------------------------------- descent along a few rows


def stochastic_gradient_descent(
    gradient: Callable[[Array, NDArray[np.int64]], ArrayLike],
    n_rows: int,
    start: ArrayLike,
    *,
    step: Step,
    n_steps: int,
    rng: np.random.Generator,
    batch_size: int = 1,
    average: bool = False,
    value: Callable[[Array], float] | None = None,
    every: int = 1,
) -> Trace:
    r"""Run :math:`w_t = w_{t-1} - \eta_t\frac1b\sum_{i\in B_t}\nabla f_i(w_{t-1})` with random rows.

    The b rows of :math:`B_t` are drawn independently and uniformly, *with* replacement, so that the step is
    a gradient step in the mean, whatever happened before.

    Parameters
    ----------
    gradient : callable
        ``gradient(w, rows)``: the mean of :math:`\nabla f_i(w)` over ``rows``, int64 of shape (b,).
    n_rows : int
        n; rows are 0, ..., n - 1.
    start : array-like of shape (d,)
    step : float > 0 or callable
        A constant :math:`\eta`, which ends at a noise floor (`noise_floor`), or a function of t = 1, 2, ...,
        such as ``lambda t: 1 / (mu * t)``.
    n_steps : int
    rng : numpy.random.Generator
    batch_size : int
        b.
    average : bool
        Let the result ``x`` be the mean of :math:`w_1, \dots, w_T` (Polyak and Ruppert).
    value : callable, optional
        The full objective, evaluated at the kept iterates only; it costs n rows each time, which are not
        counted as gradients.
    every : int
        Keep every so many iterates, besides start and end. The rows of the trace are then those iterates;
        ``rows`` and ``steps`` always cover all T steps.

    Warns
    -----
    ConvergenceWarning
        If an iterate is not finite or more than a million times as far from the origin as the start (at
        least 1) is: the step is too large.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 6.0])
    >>> trace = stochastic_gradient_descent(lambda w, i: w - x[i].mean(), 3, [0.0], step=lambda t: 1 / t,
    ...                                     n_steps=100, rng=np.random.default_rng(0))
    >>> bool(np.isclose(trace.x[0], x[trace.rows].mean()))  # steps 1/t: the mean of the rows drawn
    True
    """
    w = _start(start)
    _check_counts(n_steps, 0.0, n_rows)
    for name, count in (("batch_size", batch_size), ("every", every)):
        check_count(count, name=name)
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator, got {type(rng).__name__}.")
    size, d, far = _step_rule(step), len(w), 1e6 * max(1.0, length(w))
    rows = rng.integers(n_rows, size=(n_steps, batch_size), dtype=np.int64)
    etas = np.array([size(t) for t in range(1, n_steps + 1)])
    look = Objective(value, gradient).value if value is not None else lambda w: math.nan
    mean, states, taken = np.zeros(d), [(0, w, look(w), math.nan)], n_steps
    for t, (batch, eta) in enumerate(zip(rows, etas.tolist(), strict=True), start=1):
        g = as_vector(gradient(locked(w), batch), d, "gradient")
        w_next = w - eta * g
        if not math.sqrt(float(np.dot(w_next, w_next))) <= far:
            _warn(f"after {t} of {n_steps} stochastic steps the iterate is far from the start", stacklevel=3)
            taken = t - 1
            break
        w, slope = w_next, g
        if average:
            mean += (w - mean) / t
        if t % every == 0:
            states.append((t, w, look(w), length(slope)))
    if states[-1][0] < taken:
        states.append((taken, w, look(w), length(slope)))
    times, iterates, values, norms = zip(*states, strict=True)
    return Trace(
        mean if average and taken else w,
        np.array(iterates),
        np.array(values),
        np.array(norms),
        etas[:taken],
        np.array(times, dtype=np.int64) * batch_size,
        converged=False,
        diverged=taken < n_steps,
        rows=rows[:taken],
    )


# ------------------------------------------------------------------- inside


def _report_divergence(log: Log, curvature: float) -> Trace:
    seen = f"; gradients met on the way ask for a step below {2 / curvature:.3g}" if curvature else ""
    what = f"after {log.n_steps} steps the value is above that of the start or not finite{seen}"
    _warn(what, stacklevel=4)
    return log.trace(log.best, diverged=True)


def _warn(what: str, stacklevel: int) -> None:
    message = f"descent diverges: {what}. The step exceeds 2/L, L the Lipschitz constant of the gradient."
    warnings.warn(message, ConvergenceWarning, stacklevel)


def _backtrack(objective: Objective, w: Array, f: float, g: Array, eta: float) -> float:
    """Return the first of 2 eta, eta, eta/2, ... with a fall of at least half of eta |g|^2.

    Where the fall is below the rounding error of f, values decide nothing, and eta stays.
    """
    square, slack = float(g @ g), _SLACK * abs(f)
    if eta * square <= 2 * slack:
        return eta
    eta *= 2
    while eta > 1e-300 and not objective.value_at(w - eta * g) <= f - eta / 2 * square + slack:
        eta /= 2
    return eta


def _newton_direction(hessian: Any, g: Array) -> Array:
    H, shape = np.asarray(hessian), (len(g), len(g))
    if H.shape != shape or H.dtype.kind not in "iuf" or not np.isfinite(H).all():
        raise ValueError(f"hessian must return finite numbers of shape {shape}, got shape {H.shape}.")
    try:
        cholesky(H)
    except np.linalg.LinAlgError as error:
        raise ValueError("hessian must be positive definite at every iterate; it is not at one.") from error
    return np.linalg.solve(H, g)


def _start(start: ArrayLike) -> Array:
    return check_vector(start, name="start").copy()


def _check_counts(n_steps: int, tol: float, n_rows: int) -> None:
    check_scalar(n_steps, name="n_steps", kind=int, minimum=0)
    check_scalar(tol, name="tol", minimum=0)
    check_count(n_rows, name="n_rows")


def _step_rule(step: Any) -> Callable[[int], float]:
    if callable(step):
        return lambda t: float(check_scalar(step(t), name=f"step({t})", above=0))
    eta = float(check_scalar(step, name="step", above=0))
    return lambda t: eta


def _ratio(change: float, distance: float) -> float:
    return change / distance if distance else 0.0
