"""Mistakes in what the estimators' traces report."""

from dataclasses import replace

from mlnotes.estimators import descent as right
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("descent")


@mistake("traced_gradient_descent", kills="traces")
def _(value, gradient, start, *, n_steps=1000, **options):
    """Takes one step more than asked for."""
    return right.gradient_descent(value, gradient, start, n_steps=n_steps + 1, **options)


@mistake("traced_gradient_descent", kills="traces")
def _(value, gradient, start, *, n_rows=1, **options):
    """Counts a full gradient as one."""
    return right.gradient_descent(value, gradient, start, **options)


@mistake("traced_gradient_descent", kills="traces")
def _(value, gradient, start, **options):
    """Diverges and does not report it."""
    trace = right.gradient_descent(value, gradient, start, **options)
    return replace(trace, diverged=False)


@mistake("traced_gradient_descent", kills="traces")
def _(value, gradient, start, **options):
    """Returns the last iterate of a run that diverged."""
    trace = right.gradient_descent(value, gradient, start, **options)
    return replace(trace, x=trace.iterates[-1])


@mistake("traced_stochastic_descent", kills="traces")
def _(gradient, n_rows, start, *, average=False, **options):
    """Averages the start as well."""
    trace = right.stochastic_gradient_descent(gradient, n_rows, start, **options)
    return replace(trace, x=trace.iterates.mean(axis=0)) if average else trace


@mistake("traced_stochastic_descent", kills="traces")
def _(gradient, n_rows, start, *, average=False, **options):
    """Forgets to average."""
    return right.stochastic_gradient_descent(gradient, n_rows, start, **options)
