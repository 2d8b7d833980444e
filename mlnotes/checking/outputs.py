"""What an implementation answers is looked at where its names are bound: no check has to ask again.

A module of claims declares once what each name gives::

    OUTPUTS = {
        "margin": "number",
        "signed_examples": "(n, D)",
        "mistake_set": "(m,) int",
        "Perceptron.coef_": "(1, d)",
        "Perceptron.predict": "(n,) any",
        "roc_curve.area": "number",
    }

A letter stands for a length, the same letter twice in one declaration for the same length; "(d,); (d, d)" is
a pair of arrays; a method may give another instance of its class. Numbers arrive in the check as ``float`` or
``int``, arrays as float64, int64, or (``any``) as they are. What does not fit raises `OutputError` with a
sentence, which is the verdict of the implementation.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

KINDS = {"float": "biuf", "int": "biu", "bool": "b", "any": "biufUSO"}


class OutputError(ValueError):
    """An implementation answered with something of another kind or shape than was asked for."""


class MissingOutputError(OutputError, AttributeError):
    """A method or attribute is not there; `hasattr` says so, for what a claim can do without."""


def checked(name: str, implementation: Any, answers: Mapping[str, str]) -> Any:
    """Return the implementation with its answers looked at; itself where nothing is declared of it."""
    if inspect.isfunction(implementation):
        implementation = _handed_arrays(implementation)
    if inspect.isclass(implementation) and hasattr(implementation, "fit"):
        implementation = _fitted_on_arrays(implementation)
    if name in answers and callable(implementation):
        return _watch(name, implementation, answers[name])
    if any(key.startswith(f"{name}.") for key in answers):
        if inspect.isclass(implementation):
            return _Class(name, implementation, answers)
        return _reported(name, implementation, answers)
    return implementation


def _handed_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, which now gets an array wherever a claim writes a list of numbers."""

    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        given = {key: _handed(value) for key, value in options.items()}
        return function(*map(_handed, arguments), **given)

    return call


def _fitted_on_arrays(model: type) -> type:
    """Return the class, whose public methods now get arrays wherever a claim writes lists of numbers."""
    methods = {name: inspect.getattr_static(model, name) for name in dir(model) if name[0] != "_"}
    functions = {name: _handed_arrays(m) for name, m in methods.items() if inspect.isfunction(m)}
    named = {"__doc__": model.__doc__, "__module__": model.__module__, "__qualname__": model.__qualname__}
    return type(model)(model.__name__, (model,), functions | named)


def _handed(value: Any) -> Any:
    if not isinstance(value, list):
        return value._inner if isinstance(value, _Instance) else value
    try:
        array = np.asarray(value)
    except ValueError:  # lists of different lengths
        return value
    return array if array.dtype.kind in "biuf" else value


def fitted(who: str, answer: Any, declared: str) -> Any:
    """Return `answer` in the declared form.

    Raises
    ------
    OutputError
        If it has another kind or shape.
    """
    if declared in ("number", "int", "bool"):
        return _scalar(who, answer, declared)
    if ";" in declared:
        parts = declared.split("; ")
        if not isinstance(answer, (tuple, list)) or len(answer) != len(parts):
            raise OutputError(f"{who} gives {answer!r:.40} where {declared} are asked for")
        return tuple(fitted(who, part, form) for part, form in zip(answer, parts, strict=True))
    shape, kind = re.fullmatch(r"\((.*)\) ?(\w*)", declared).groups()  # type: ignore[union-attr]
    letters = [letter.strip() for letter in shape.split(",") if letter.strip()]
    try:
        array = np.asarray(answer)
    except ValueError:
        raise OutputError(f"{who} gives rows of different lengths where {declared} is asked for") from None
    if answer is None or (array.dtype.kind not in KINDS[kind or "float"] and array.size):
        what = "None" if answer is None else f"entries of type {array.dtype}"
        raise OutputError(f"{who} gives {what} where {declared} is asked for")
    if not _fits(array.shape, letters):
        came = "a single number" if array.ndim == 0 else f"shape {array.shape}"
        raise OutputError(f"{who} gives {came} where {declared} is asked for")
    return array if kind in ("any", "bool") else array.astype(np.int64 if kind == "int" else np.float64)


def _scalar(who: str, answer: Any, declared: str) -> Any:
    array = np.asarray(answer)
    exact = array.dtype.kind == "O" and hasattr(array.item() if array.ndim == 0 else None, "numerator")
    if array.ndim != 0 or not (
        exact or array.dtype.kind in KINDS["float" if declared == "number" else declared]
    ):
        came = f"shape {array.shape}" if array.ndim else f"{answer!r:.40}"
        raise OutputError(f"{who} gives {came} where one {declared} is asked for")
    return answer if exact else {"number": float, "int": int, "bool": bool}[declared](array)


def _fits(shape: tuple[int, ...], letters: list[str]) -> bool:
    lengths: dict[str, int] = {}
    return len(shape) == len(letters) and all(
        size == (int(letter) if letter.isdigit() else lengths.setdefault(letter, size))
        for size, letter in zip(shape, letters, strict=True)
    )


def _watch(who: str, function: Callable[..., Any], declared: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def answer(*arguments: Any, **options: Any) -> Any:
        return fitted(who, function(*arguments, **options), declared)

    return answer


def _reported(name: str, function: Callable[..., Any], answers: Mapping[str, str]) -> Callable[..., Any]:
    """Return the function, whose report has its attributes looked at."""

    @functools.wraps(function)
    def report(*arguments: Any, **options: Any) -> _Instance:
        return _Instance(name, function(*arguments, **options), answers)

    return report


class _Class:
    """A class under test: its instances have their answers looked at."""

    def __init__(self, name: str, wrapped: type, answers: Mapping[str, str]) -> None:
        self._name, self._wrapped, self._answers = name, wrapped, answers

    def __call__(self, *arguments: Any, **options: Any) -> _Instance:
        return _Instance(self._name, self._wrapped(*arguments, **options), self._answers)

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._wrapped, attribute)


class _Instance:
    """An instance under test; what ``fit`` returns is the instance again."""

    def __init__(self, name: str, inner: Any, answers: Mapping[str, str]) -> None:
        self._name, self._inner, self._answers = name, inner, answers

    def __getattr__(self, attribute: str) -> Any:
        who, declared = f"{self._name}.{attribute}", self._answers.get(f"{self._name}.{attribute}")
        try:
            value = getattr(self._inner, attribute)
        except AttributeError:
            if declared is None:
                raise
            raise MissingOutputError(f"{who} is missing: {declared} is asked for") from None
        if inspect.ismethod(value):
            return functools.partial(self._call, who, value, declared)
        return value if declared is None else fitted(who, value, declared)

    def _call(self, who: str, method: Any, declared: str | None, *arguments: Any, **options: Any) -> Any:
        answer = method(*arguments, **options)
        if answer is self._inner:
            return self
        if declared == self._name:  # another of its class
            return _Instance(self._name, answer, self._answers)
        return answer if declared is None else fitted(who, answer, declared)


# ------------------------------------------------------------------- for the body of a check


def as_numbers(answer: Any, *shape: int) -> np.ndarray:
    """Return numbers of the given shape as float64; NaN, which no bound admits, for anything else.

    A claim passes what an implementation answered through this before it computes with it.
    """
    try:
        array = np.asarray(answer)
    except ValueError:  # lists of different lengths
        array = np.empty(0)
    fits = array.shape == shape and array.dtype.kind in "biuf"
    return array.astype(np.float64) if fits else np.full(shape, math.nan)


def scalar(answer: Any) -> float:
    """Return a real number as a float; NaN for anything else."""
    return float(as_numbers(answer))


def refuses(call: Callable[..., Any], *arguments: Any, **options: Any) -> bool:
    """Return whether the call raises ValueError; an answer of the wrong form is no refusal."""
    try:
        call(*arguments, **options)
    except ValueError as error:
        return not isinstance(error, OutputError)
    return False


def first(path: Any, n_steps: int) -> list[Any]:
    """Return the first ``n_steps + 1`` states of an algorithm: of a generator, or of a trace's ``iterates``.

    What was yielded must not change later; a state that does is the mistake of the implementation.
    """
    return list(itertools.islice(getattr(path, "iterates", path), n_steps + 1))


def quietly(call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return the answer of a call without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*arguments, **options)


def counting_warnings(call: Callable[..., Any], *arguments: Any) -> tuple[Any, int]:
    """Return the answer of a call and how many warnings it gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return call(*arguments), len(caught)


def quiet_fit(estimator: Any, *data: Any) -> tuple[Any, int]:
    """Return the fitted model and how many warnings the fit gave."""
    return counting_warnings(estimator.fit, *data)


def fit_copies(estimator: Any, counts: np.ndarray, *data: np.ndarray) -> Any:
    """Return the model fitted to each row as often as `counts` says: by weights, or by copies of the row."""
    try:
        return estimator.fit(*data, sample_weight=counts)
    except TypeError:  # it takes no weights
        return estimator.fit(*(np.repeat(array, counts, axis=0) for array in data))
