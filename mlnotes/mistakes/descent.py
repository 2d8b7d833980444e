"""Mistakes in what the estimators' methods report, and in options that the board has not."""

from dataclasses import replace

from mlnotes.estimators import descent as right
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("descent")


mistake.rows("gradient_descent",
    ("Runs one step more than it is asked for.", "gd-update gd-sublinear",
     lambda value, gradient, start, *, n_steps=1000, **options:
        right.gradient_descent(value, gradient, start, n_steps=n_steps + 1, **options)),
    ("Counts a full gradient as one.", "sgd-cheap", lambda value, gradient, start, *, n_rows=1, **options:
        right.gradient_descent(value, gradient, start, **options)),
)  # fmt: skip


@mistake("stochastic_gradient_descent", kills="robbins-monro")
def _(gradient, n_rows, start, *, average=False, **options):
    """Averages the start as well."""
    trace = right.stochastic_gradient_descent(gradient, n_rows, start, **options)
    return replace(trace, x=trace.iterates.mean(axis=0)) if average else trace


mistake.rows("stochastic_gradient_descent",
    ("Forgets to average.", "robbins-monro", lambda gradient, n_rows, start, *, average=False, **options:
        right.stochastic_gradient_descent(gradient, n_rows, start, **options)),
)  # fmt: skip
