"""The estimators' methods, which take n_steps and return a trace, as the reference module's generators."""

import copy
from itertools import count, repeat

from mlnotes.checking.outputs import quietly
from mlnotes.estimators import descent

traced_gradient_descent = descent.gradient_descent
traced_accelerated_descent = descent.accelerated_descent
traced_newton_method = descent.newton_method
traced_subgradient_method = descent.subgradient_method
traced_stochastic_descent = descent.stochastic_gradient_descent


def _states(method, *arguments, **options):
    """Yield the iterates of longer and longer runs; one that has converged stays at its minimum."""
    seen = 0
    for n_steps in (10, 200, 4000):
        trace = quietly(method, *arguments, n_steps=n_steps, **options)
        yield from trace.iterates[seen:]
        seen = len(trace.iterates)
        if trace.converged:
            yield from repeat(trace.x)


def gradient_descent(gradient, start, step):
    return _states(descent.gradient_descent, lambda w: 0.0, gradient, start, step=step)


def backtracking_descent(value, gradient, start):
    return _states(descent.gradient_descent, value, gradient, start, step="backtracking")


def accelerated_descent(gradient, start, step, convexity=0.0):
    options = {"step": step, "convexity": convexity}
    return _states(descent.accelerated_descent, lambda w: 0.0, gradient, start, **options)


def newton_method(value, gradient, hessian, start):
    return _states(descent.newton_method, value, gradient, hessian, start)


def subgradient_method(value, subgradient, start, step, project=None):
    for n_steps in count():
        trace = descent.subgradient_method(
            value, subgradient, start, step=step, project=project, n_steps=n_steps
        )
        yield trace.iterates[-1], trace.x


def stochastic_gradient_descent(gradient, n, start, step, rng, batch_size=1):
    seen = 0
    for n_steps in (10, 200, 4000):
        trace = descent.stochastic_gradient_descent(
            gradient, n, start, step=step, rng=copy.deepcopy(rng), batch_size=batch_size, n_steps=n_steps
        )
        batches = [None, *(trace.rows if trace.rows is not None else ())]
        yield from list(zip(trace.iterates, batches, strict=True))[seen:]
        seen = len(trace.iterates)
