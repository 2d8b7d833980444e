"""Where the instances of a claim come from: the secret of a class, or draws that were recorded.

A ``Recorder`` is a ``numpy.random.Generator``. It repeats recorded draws and makes the rest anew. A recorded
value takes the place of a draw only where that draw could have been it: the same shape and kind, between the
same bounds. So an instance of recorded draws keeps every promise of the claim's own generator.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from mlnotes.grading.assignment.parts import Assignment

CHECK_SECRET = b"check: the instances of a self-check are public"

_MOST_SINGLE = 48  # entries that are made smaller one by one


class Draw(NamedTuple):
    """Where the instances of a submission come from: new for a changed file, the same for the same."""

    secret: bytes
    assignment: Assignment
    digest: str

    def rng(self, part: str, claim: str, stream: int = 0) -> np.random.Generator:
        """Return the generator of one claim of one part; streams other than 0 grade nothing."""
        named = [self.assignment.id, self.assignment.version, self.digest, part, claim]
        named += [str(stream)] if stream else []
        code = hmac.new(self.secret, "\0".join(named).encode(), hashlib.sha256).digest()
        return np.random.default_rng(int.from_bytes(code, "big"))


@dataclass(frozen=True, eq=False)
class Drawn:
    """One draw."""

    kind: str  # the method of the generator
    value: np.ndarray
    low: np.ndarray | None = None  # bounds that the value may take, both included, where they are known
    high: np.ndarray | None = None
    options: np.ndarray | None = None  # what a permutation permutes and a choice chooses from

    @property
    def discrete(self) -> bool:
        """Whether each value has a positive probability: a right answer passes on all of them."""
        return self.kind in ("integers", "permutation", "choice")

    def admits(self, value: np.ndarray) -> bool:
        """Whether `value` could have been drawn in its place."""
        own = self.value
        if value.shape != own.shape or value.dtype.kind != own.dtype.kind:
            return False
        if self.kind == "permutation":
            return bool(np.array_equal(np.sort(value, axis=None), np.sort(own, axis=None)))
        if self.kind == "choice":
            known = self.options is not None and bool(np.isin(value, self.options).all())
            return known and (value.ndim == 0 or len(np.unique(value)) == len(np.unique(own)))
        if self.kind == "dirichlet":
            # each of k shares is a quotient, and each of k - 1 sums rounds once more: k + k - 1 < 2k errors
            slack = value.shape[-1] * np.finfo(np.float64).eps
            return bool((value > 0).all() and (abs(value.sum(axis=-1) - 1) <= slack).all())
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            return False
        low, high = self.low, self.high
        return not ((low is not None and (value < low).any()) or (high is not None and (value > high).any()))

    def smaller(self) -> Iterator[Drawn]:
        """Yield draws that are simpler, the simplest first."""
        value, tried = self.value, []
        if self.kind == "permutation" and self.options is not None:
            tried = [self.options]
        elif self.kind == "choice" and self.options is not None and not value.ndim:
            tried = [self.options[0]]
        elif self.kind == "dirichlet":
            tried = [_tenths(value)]
        elif self.low is not None or self.kind in ("normal", "standard_normal"):
            zero = np.zeros(value.shape)
            if value.dtype.kind == "f":
                tried = [zero, *(np.round(value, digits) + 0.0 for digits in (0, 1, 2))]
            else:
                tried = [zero, np.sign(value), value / 4, value / 2]
            tried = [self._inside(np.trunc(t) if value.dtype.kind == "i" else t) for t in tried]
        for other in tried:
            if not np.array_equal(other, value) and self.admits(other):
                yield replace(self, value=other)

    def single(self) -> Iterator[Drawn]:
        """Yield draws of which one entry is smaller."""
        if self.value.dtype.kind != "i" or self.low is None or self.value.size > _MOST_SINGLE:
            return
        for k, entry in enumerate(self.value.flat):
            for goal in dict.fromkeys((0, int(np.sign(entry)), int(entry / 2))):
                other = self.value.copy()
                other.flat[k] = goal
                other = self._inside(other)
                if abs(int(other.flat[k])) < abs(int(entry)):
                    yield replace(self, value=other)

    def _inside(self, value: np.ndarray) -> np.ndarray:
        clipped = np.clip(value, self.low, self.high) if self.low is not None else value
        return np.asarray(clipped).astype(self.value.dtype)


def _tenths(value: np.ndarray) -> np.ndarray:
    """Return shares in tenths, none of them 0; the value itself where there are more than 10."""
    if value.shape[-1] > 10:
        return value
    parts = 1 + np.floor(value * (10 - value.shape[-1]))
    parts[..., -1] += 10 - parts.sum(axis=-1)
    return parts / 10


class Recorder(np.random.Generator):
    """A generator that repeats recorded draws first, and records what it gave.

    What was not recorded, or could not have been drawn in its place, is drawn from `rng`, which is used up.
    """

    def __init__(self, rng: np.random.Generator, recorded: Sequence[Drawn | np.ndarray] = ()) -> None:
        super().__init__(rng.bit_generator)
        self.recorded = [item.value if isinstance(item, Drawn) else item for item in recorded]
        self.drawn: list[Drawn] = []
        self._inside = False

    def _give(self, kind: str, value: Any, **known: Any) -> Any:
        fresh = Drawn(kind, np.asarray(value), **known)
        place = len(self.drawn)
        if place < len(self.recorded) and fresh.admits(self.recorded[place]):
            fresh = replace(fresh, value=self.recorded[place].astype(fresh.value.dtype))
        self.drawn.append(fresh)
        return fresh.value.copy() if isinstance(value, np.ndarray) else fresh.value.item()


def _bounds(kind: str, given: dict[str, Any], value: np.ndarray) -> dict[str, Any]:
    if kind == "integers":
        low, high = given["low"], given.get("high")
        low, high = (0, low) if high is None else (low, high)
        return {"low": np.asarray(low), "high": np.asarray(high) - (not given.get("endpoint", False))}
    if kind == "uniform":
        return {"low": np.asarray(given.get("low", 0.0)), "high": np.asarray(given.get("high", 1.0))}
    if kind == "random":
        return {"low": np.asarray(0.0), "high": np.asarray(np.nextafter(1.0, 0.0))}
    if kind == "exponential":
        return {"low": np.asarray(0.0), "high": np.asarray(np.finfo(float).max)}
    if kind in ("permutation", "choice"):
        whole = given["x" if kind == "permutation" else "a"]
        return {"options": np.array(whole) if np.ndim(whole) else np.arange(whole)}
    return {}


_NAMES = {
    "integers": ("low", "high", "size", "dtype", "endpoint"),
    "uniform": ("low", "high", "size"),
    "random": ("size", "dtype", "out"),
    "normal": ("loc", "scale", "size"),
    "standard_normal": ("size", "dtype", "out"),
    "exponential": ("scale", "size"),
    "dirichlet": ("alpha", "size"),
    "permutation": ("x", "axis"),
    "choice": ("a", "size", "replace", "p", "axis", "shuffle"),
}


def _method(kind: str) -> Any:
    real = getattr(np.random.Generator, kind)

    def draw(self: Recorder, *arguments: Any, **options: Any) -> Any:
        if self._inside:  # one method of the generator may use another
            return real(self, *arguments, **options)
        self._inside = True
        try:
            value = real(self, *arguments, **options)
        finally:
            self._inside = False
        given = dict(zip(_NAMES[kind], arguments, strict=False)) | options
        return self._give(kind, value, **_bounds(kind, given, np.asarray(value)))

    return draw


for _kind in _NAMES:
    setattr(Recorder, _kind, _method(_kind))
