"""Numbers for questions, fit for a pocket calculator: at most three digits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mlnotes.exam.questions import tex


def between(rng: np.random.Generator, low: float, high: float, step: float = 1) -> Any:
    """Return one of low, low + step, ..., high; a whole number if the step is one."""
    value = rng.integers(round(low / step), round(high / step) + 1) * step
    return int(value) if isinstance(step, int) else round(float(value), 3)


def several(rng: np.random.Generator, n: int, low: float, high: float, step: float = 1) -> np.ndarray:
    """Return n different ones of low, low + step, ..., high, in any order."""
    grid = np.arange(round(low / step), round(high / step) + 1)
    drawn = rng.choice(grid, n, replace=False) * step
    return drawn if isinstance(step, int) else drawn.round(3)


def vectors(rng: np.random.Generator, n: int, d: int, most: int) -> np.ndarray:
    """Return a table of whole numbers up to `most` in absolute value, no row of which is 0."""
    rows = rng.integers(-most, most + 1, (n, d))
    rows[~rows.any(axis=1)] = most
    return rows


def proportions(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return n positive multiples of 0.05 with sum 1."""
    ends = np.sort(rng.choice(np.arange(1, 20), n - 1, replace=False))
    return (np.diff([0, *ends, 20]) * 0.05).round(2)


def listed(rows: Any) -> str:
    """Return rows as a list of vectors in LaTeX."""
    return r",\ ".join(map(tex, rows))


def symmetric(rng: np.random.Generator) -> np.ndarray:
    """Return a positive definite 2 x 2 matrix of whole numbers that is not diagonal."""
    a, c = between(rng, 2, 9), between(rng, 2, 9)
    most = math.isqrt(a * c - 1)
    b = between(rng, 1, most) * (1 if rng.random() < 0.5 else -1)
    return np.array([[a, b], [b, c]])
