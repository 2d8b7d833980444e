"""The path of a descent, and the caller's two functions that it follows.

`Trace` is what every method of `mlnotes.estimators.descent` returns, `Log` collects it, `Objective` checks
each output of ``value(w)`` and ``gradient(w)``, for w of shape (d,).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Trace:
    r"""The path of a descent. Row t belongs to :math:`w_t`; row 0 is the start.

    Attributes
    ----------
    x : ndarray of shape (d,)
        The result: the last iterate, or of stochastic descent the average, if asked for. For
        `subgradient_method`, and for a full descent that diverged, the iterate of smallest value.
    iterates : ndarray of shape (T + 1, d), or (2, d) with ``keep=False``: start and end
    values : ndarray of shape (T + 1,)
        :math:`f(w_t)`; NaN where it was not asked for.
    gradient_norms : ndarray of shape (T + 1,)
        Norm of the gradient (subgradient) at :math:`w_t`; in `accelerated_descent` and in stochastic descent
        of the one that led to :math:`w_t`, with NaN in row 0.
    steps : ndarray of shape (T,)
        :math:`\eta_1, \dots, \eta_T`.
    evaluations : ndarray of int64, shape (T + 1,)
        Gradients of single rows computed before :math:`w_t` was known.
    converged, diverged : bool
        Whether the gradient norm came down to ``tol``; whether the run was stopped because it went up.
    rows : ndarray of int64, shape (T, b), or None
        Of stochastic descent: the rows behind each step.
    """

    x: Array
    iterates: Array
    values: Array
    gradient_norms: Array
    steps: Array
    evaluations: NDArray[np.int64]
    converged: bool
    diverged: bool
    rows: NDArray[np.int64] | None = None

    @property
    def n_steps(self) -> int:
        """T, the number of steps taken."""
        return len(self.steps)

    def __repr__(self) -> str:
        end = "diverged" if self.diverged else "converged" if self.converged else "stopped"
        return f"<Trace: {end} after {self.n_steps} steps, last value {self.values[-1]:.6g}>"


class Objective:
    """The user's two functions, with their outputs checked."""

    def __init__(self, value: Any, gradient: Any) -> None:
        for name, function in (("value", value), ("gradient", gradient)):
            if not callable(function):
                raise ValueError(f"{name} must be a function of an array of shape (d,), got {function!r}.")
        self._value, self._gradient = value, gradient

    def value_at(self, w: Array) -> float:
        """Return f(w), finite or not."""
        with np.errstate(over="ignore", invalid="ignore"):
            output = np.asarray(self._value(locked(w)))
        if output.size != 1 or output.dtype.kind not in "iuf":
            raise ValueError(f"value must return one number, got shape {output.shape} of {output.dtype}.")
        return float(output.reshape(()))

    def gradient_at(self, w: Array) -> Array:
        """Return the gradient at w, finite or not."""
        with np.errstate(over="ignore", invalid="ignore"):
            output = self._gradient(locked(w))
        return as_vector(output, len(w), "gradient")

    def value(self, w: Array) -> float:
        """Return f(w), which must be finite."""
        f = self.value_at(w)
        if not math.isfinite(f):
            raise ValueError(f"value must return a finite number, got {f} at an iterate.")
        return f

    def __call__(self, w: Array) -> tuple[float, Array]:
        """Return f(w) and the gradient there, which must be finite."""
        f, g = self.value(w), self.gradient_at(w)
        if not np.isfinite(g).all():
            raise ValueError("gradient must return finite numbers, got NaN or infinity at an iterate.")
        return f, g


class Log:
    """Collects the rows of a `Trace`, and knows the lowest value and the first iterate that had it."""

    def __init__(self, w: Array, f: float, norm: float, n_rows: int, keep: bool) -> None:
        self.iterates, self.values, self.norms = [w], [f], [norm]
        self.best, self.lowest, self.n_rows, self.keep = w, f, n_rows, keep
        self.steps: list[float] = []

    @property
    def n_steps(self) -> int:
        """The number of steps so far."""
        return len(self.steps)

    def add(self, w: Array, f: float, norm: float, step: float) -> None:
        """Add an iterate, its value, the norm of a gradient, and the step that led there."""
        if self.keep or len(self.iterates) == 1:
            self.iterates.append(w)
        else:
            self.iterates[-1] = w
        if f < self.lowest:
            self.best, self.lowest = w, f
        self.values.append(f)
        self.norms.append(norm)
        self.steps.append(step)

    def trace(self, x: Array, *, converged: bool = False, diverged: bool = False) -> Trace:
        """Return the rows as arrays, with the result x."""
        return Trace(
            x,
            np.array(self.iterates),
            np.array(self.values),
            np.array(self.norms),
            np.array(self.steps),
            np.arange(len(self.values), dtype=np.int64) * self.n_rows,
            converged,
            diverged,
        )


def locked(w: Array) -> Array:
    """Return a view that the caller's functions cannot write to: the iterates are kept."""
    view = w.view()
    view.flags.writeable = False
    return view


def as_vector(output: Any, d: int, name: str) -> Array:
    """Return the output of the caller's function ``name`` as floats of shape (d,).

    It is a copy: the function may write its next output into the same array.
    """
    vector = np.array(output)
    if vector.shape != (d,) or vector.dtype.kind not in "biuf":
        raise ValueError(
            f"{name} must return numbers of shape ({d},), as start has, got shape {vector.shape} "
            f"of {vector.dtype}."
        )
    return vector.astype(np.float64, copy=False)


def length(v: Array) -> float:
    """Return the Euclidean norm, also where squares overflow or underflow."""
    square = float(np.vdot(v, v))  # without a warning where it overflows
    if not 1e-200 < square < 1e200:
        top = float(abs(v).max())
        return top * math.sqrt(float(np.vdot(v / top, v / top))) if 0 < top < math.inf else top
    return math.sqrt(square)
