r"""Instances in every regime in which a wrong program may hide, for the claims of lectures and homework.

A check whose numbers are small integers with two features measures programs in a corner. A claim draws its
instances here, in every regime that its question admits, and computes the truth with a derived tolerance::

    for name, X in feature_matrices(rng, min_n=2):
        yield equal(f"covariance, {name}", covariance(X), truth(X), rounding(len(X), (X**2).sum()))

`REGIMES` says in which regimes the calls were that were made of a program: a test makes the table
question x regime from it, so that a hole is seen, and has a reason or is closed.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from mlnotes.checking.evidence import Evidence, equal

Array: TypeAlias = "np.ndarray[Any, Any]"

# ------------------------------------------------------------------- data


def feature_matrices(
    rng: np.random.Generator,
    *,
    min_n: int = 1,
    min_d: int = 1,
    max_d: int = 5,
    wide: bool = True,
    constant: bool = True,
    many: int = 120,
) -> Iterator[tuple[str, Array]]:
    """Yield the name of a regime and X (n, d) float64, observations in no order.

    Parameters
    ----------
    rng : Generator
    min_n, min_d, max_d : int
        What the question admits.
    wide : bool
        Whether there may be more features than observations.
    constant : bool
        Whether a feature may be constant, and an observation occur twice.
    many : int
        The number of observations of the largest matrix.
    """

    def sized(n: int, d: int) -> Array:
        return thirds(rng, (max(n, min_n), min(max(d, min_d), max_d)))

    yield "decimals", sized(7, 2)
    yield "whole numbers", np.round(sized(8, 3) * 3)
    yield "one feature", sized(6, 1)
    yield "five features", sized(11, 5)
    yield "many observations", sized(many, 3)
    yield "few observations", sized(1, 2)
    if wide and max_d > max(min_n, 2):
        yield "more features than observations", sized(3, 5)
    yield "tiny", 1e-4 * sized(6, 2)
    yield "huge", 1e4 * sized(6, 2)
    yield "far from 0", 1e3 + 1e-2 * sized(6, 2)
    yield "nearly equal", 1 + 2.0**-20 * np.round(3 * sized(6, 2))
    scales = np.array([1e3, 1.0, 1e-3, 1.0, 1.0])
    X = sized(9, 3)
    yield "features of different scales", X * scales[: X.shape[1]]
    if constant:
        X = sized(6, 3)
        X[:, -1] = 0.3
        yield "a constant feature", X
        X = sized(5, 2)
        yield "repeated observations", np.vstack([X, X[:2], X[:1]])


def thirds(rng: np.random.Generator, shape: int | tuple[int, ...], largest: int = 30) -> Array:
    """Return odd thirds of at most about largest / 3 in absolute value: none is a whole number."""
    numerators = rng.integers(-largest, largest + 1, shape)
    return np.where(numerators % 3 == 0, numerators + 1, numerators) / 3


def random_labels(rng: np.random.Generator, n: int, n_classes: int) -> Array:
    """Return n codes 0, ..., K - 1 in no order and of unequal frequency, each at least once (n >= K)."""
    frequencies = rng.dirichlet(np.ones(n_classes))
    return rng.permutation(
        np.concatenate([np.arange(n_classes), rng.choice(n_classes, n - n_classes, p=frequencies)])
    )


def label_names(n_classes: int) -> Iterator[tuple[str, Array]]:
    """Yield names of classes, sorted as the codes are: 0 to K - 1, with gaps, negative, and strings."""
    yield "labels 0 to K - 1", np.arange(n_classes)
    yield "labels with gaps", 3 * np.arange(n_classes) + 2
    yield "negative labels", np.arange(n_classes) - n_classes + 1
    yield "strings", np.array([f"class {chr(97 + k)}" for k in range(n_classes)])


def probabilities(rng: np.random.Generator, n: int) -> Array:
    """Return a distribution on n points: decimals, a mass of 7e-4 where n > 1, one of 0 where n > 2."""
    p = rng.dirichlet(np.full(n, 5.0))
    if n > 1:
        p[0] = 7e-4
    if n > 2:
        p[1] = 0.0
    fixed = min(n - 1, 2)
    p[fixed:] *= (1 - p[:fixed].sum()) / p[fixed:].sum()
    return rng.permutation(p)


LEVELS = (1e-4, 0.01, 1 / 3, 0.5, 0.95, 1 - 1e-4)  # of probabilities, thresholds, proportions
SCALES = (1e-4, 0.01, 0.7, 3.0, 1000.0)  # of penalties, costs, bandwidths, margins


def spectra(n: int) -> Iterator[tuple[str, Array]]:
    """Yield eigenvalues, the largest first: distinct, equal, nearly equal, small but positive, and 0."""
    j = np.arange(n)
    yield "distinct", 1.0 + (n - j) / 3
    yield "equal", np.where(j < 1, 3.0, 1.0)
    yield "nearly equal", 2.0 - 1e-3 * j
    yield "small but positive", 1000.0 * 10.0 ** (-4.0 * j / max(n - 1, 1))
    yield "zero", np.where(j < (n + 1) // 2, 2.0 + (n - j) / 3, 0.0)


def symmetric(rng: np.random.Generator, eigenvalues: Array) -> Array:
    """Return a symmetric matrix with these eigenvalues along random directions."""
    Q, _ = np.linalg.qr(rng.standard_normal((len(eigenvalues), len(eigenvalues))))
    S = (Q * eigenvalues) @ Q.T
    return (S + S.T) / 2


# ------------------------------------------------------------------- behaviour


def repeatable(what: str, function: Callable[..., Any], *arguments: Any) -> Iterator[Evidence]:
    """Yield that the same call gives the same again, and leaves its arguments as they are."""
    before = copy.deepcopy(arguments)
    first = copy.deepcopy(function(*arguments))
    second = function(*arguments)
    for k, (result, again) in enumerate(zip(_parts(first), _parts(second), strict=True), 1):
        if np.size(result):
            yield equal(f"{what}: output {k} of the same call again", again, result)
    for k, (argument, copied) in enumerate(zip(arguments, before, strict=True), 1):
        if isinstance(argument, np.ndarray) and argument.size:
            yield equal(f"{what}: argument {k} after the call", argument, copied)


def stateless(
    what: str,
    make: Callable[[], Any],
    learn: Callable[[Any, Any], Any],
    ask: Callable[[Any, Array], Any],
    data: Sequence[Any],
    queries: Sequence[Array],
    tolerance: float = 0.0,
) -> Iterator[Evidence]:
    """Yield that what an object learned last is all that it knows.

    Parameters
    ----------
    what : str
    make : callable
        Returns a new object.
    learn : callable
        Of the object and one entry of `data`.
    ask : callable
        Of the object and one entry of `queries`: its output, one row an observation.
    data : sequence of at least two
        Data of the same shapes, with different solutions.
    queries : two arrays of the same shape
    tolerance : float
        Of the outputs: for another order of the same operations.
    """
    models = []
    for known in data:
        model = make()
        learn(model, known)
        models.append((model, [np.array(ask(model, query)) for query in queries]))
    for k, (model, outputs) in enumerate(models, 1):  # all of them are alive
        for query, output in zip(queries, outputs, strict=True):
            yield equal(f"{what}: object {k} after others learned", ask(model, query), output, tolerance)
    again, outputs = make(), models[-1][1]
    for known in data:
        learn(again, known)
    yield equal(f"{what}: learned anew", ask(again, queries[0]), outputs[0], tolerance)
    alone = [np.array(ask(again, observation[None])) for observation in queries[0]]
    yield equal(f"{what}: one observation at a time", np.concatenate(alone), outputs[0], tolerance)


def _parts(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


# ------------------------------------------------------------------- in which regimes a program was called

Call: TypeAlias = Mapping[str, Any]


def _matrices(call: Call) -> list[Array]:
    return [v for v in call.values() if _is_real(v) and v.ndim == 2 and v.size]


def _numbers(call: Call) -> list[Array]:
    return [np.asarray(v) for v in call.values() if _is_real(v) or type(v) is float]


def _labels(call: Call) -> list[Array]:
    arrays = (v for v in call.values() if isinstance(v, np.ndarray) and v.ndim == 1 and v.size > 1)
    return [v for v in arrays if v.dtype.kind in "iuU"]


def _is_real(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def _dyadic(x: Array) -> bool:
    return bool(np.all(x * 2.0**16 == np.round(x * 2.0**16)))


def _close(x: Array) -> bool:
    """Whether two different numbers agree to four digits."""
    gaps = np.diff(np.unique(x))
    return bool(gaps.size and gaps.min() < 1e-4 * abs(x).max())


REGIMES: dict[str, Callable[[Call], bool]] = {
    "decimals": lambda c: any(x.size and not _dyadic(x) for x in _numbers(c)),
    "one feature": lambda c: any(X.shape[1] == 1 for X in _matrices(c)),
    "five features": lambda c: any(X.shape[1] >= 5 for X in _matrices(c)),
    "one observation": lambda c: any(len(X) == 1 for X in _matrices(c)),
    "many observations": lambda c: any(len(X) >= 100 for X in _matrices(c)),
    "n < d": lambda c: any(1 < X.shape[0] < X.shape[1] for X in _matrices(c)),
    "a constant feature": lambda c: any(len(X) > 1 and (X[0] == X).all(0).any() for X in _matrices(c)),
    "repeated observations": lambda c: any(len(np.unique(X, axis=0)) < len(X) for X in _matrices(c)),
    "nearly equal values": lambda c: any(_close(x) for x in _numbers(c)),
    "tiny": lambda c: any(0 < abs(x).max(initial=0) <= 2e-3 for x in _numbers(c)),
    "huge": lambda c: any(abs(x).max(initial=0) >= 1e4 for x in _numbers(c)),
    "two classes": lambda c: any(len(np.unique(y)) == 2 for y in _labels(c)),
    "three classes": lambda c: any(len(np.unique(y)) == 3 for y in _labels(c)),
    "six classes": lambda c: any(len(np.unique(y)) >= 6 for y in _labels(c)),
    "labels in no order": lambda c: any((y[1:] < y[:-1]).any() for y in _labels(c)),
}


def regimes_of(calls: Sequence[Call]) -> set[str]:
    """Return the regimes that calls with these arguments, by name, were in."""
    return {name for name, holds in REGIMES.items() if any(holds(call) for call in calls)}
