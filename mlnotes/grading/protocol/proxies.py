"""The student's functions and classes as a claim sees them, which run in another process."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NoReturn, Protocol

import numpy as np

from mlnotes.grading.assignment.parts import Class, Function, Value
from mlnotes.grading.protocol.transcript import Call, shown
from mlnotes.grading.protocol.values import LEAST_MOST, MOST, Letters, expected, fitted
from mlnotes.grading.protocol.wire import Reference
from mlnotes.grading.results import Fault

_ARRAYS = {"f": np.float64, "i": np.int64, "b": np.bool_}  # what a list is where an array is declared


class Session(Protocol):
    """What a proxy needs of the conversation with a student's process."""

    largest: float
    single: str
    short: str

    def ask(self, do: str, arguments: tuple, call: Call) -> Any:
        """Return what came back."""

    def construct(self, declared: Class, arguments: tuple) -> InstanceProxy:
        """Return a new instance."""

    def fail(self, fault: Fault) -> NoReturn:
        """Raise a fault, which stays the session's even where a claim catches it."""


class FunctionProxy:
    """A function of the student's."""

    def __init__(self, session: Session, declared: Function) -> None:
        self.session, self.declared = session, declared
        self.__name__ = declared.name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it and return the answer as declared."""
        arguments = positional(self.declared, args, kwargs)
        letters = lengths(self.declared.parameters, arguments)
        call = written(self.declared, arguments)
        value = self.session.ask("call", (self.declared.name, arguments), call)
        return checked(self.session, value, self.declared, letters)


class ClassProxy:
    """A class of the student's; calling it constructs an instance on the other side."""

    def __init__(self, session: Session, declared: Class) -> None:
        self.session, self.declared = session, declared
        self.__name__ = declared.name

    def __call__(self, *args: Any, **kwargs: Any) -> InstanceProxy:
        """Construct an instance."""
        arguments = positional(self.declared, args, kwargs)
        return self.session.construct(self.declared, arguments)


class InstanceProxy:
    """An instance of a class of the student's: the declared methods and attributes."""

    def __init__(
        self, session: Session, declared: Class, reference: Reference, origin: Call, letters: Letters
    ) -> None:
        self._session, self._declared, self._reference = session, declared, reference
        self._letters: Letters = letters
        self._history: tuple[Call, ...] = (origin,)
        self._fitted = False

    def __getattr__(self, name: str) -> Any:
        method = next((m for m in self._declared.methods if m.name == name), None)
        if method is not None:
            return lambda *args, **kwargs: self._call(method, args, kwargs)
        if name not in self._declared.attributes:
            raise AttributeError(f"the part declares no {self._declared.name}.{name}")
        call = Call(f"model.{name}", before=self._history)
        value = self._session.ask("attribute", (self._reference, name), call)
        who = f"{self._declared.name}.{name}"
        return _fit(self._session, value, self._declared.attributes[name], dict(self._letters), who)

    def _call(self, method: Function, args: tuple, kwargs: Mapping[str, Any]) -> Any:
        arguments = positional(method, args, kwargs)
        letters = lengths(method.parameters, arguments)
        chained = method.returns is None
        call = written(method, arguments, "model.", before=self._history, effect=chained)
        value = self._session.ask("method", (self._reference, method.name, arguments, chained), call)
        if chained:
            self._history = (self._history[0], call)
        known = self._letters | letters
        if not self._fitted:  # the first call, such as fit, says what d is
            self._letters, self._fitted = known, True
        return self if chained else checked(self._session, value, method, known)


def positional(declared: Function | Class, args: tuple, kwargs: Mapping[str, Any]) -> tuple:
    """Return the arguments in the declared order, with arrays where a claim writes them as lists.

    They go by place: a student may name parameters otherwise. A TypeError is the claim's mistake.
    """
    names = list(declared.parameters)
    if len(args) > len(names) or set(kwargs) - set(names[len(args) :]):
        passed = ", ".join([*map(shown, args), *(f"{name}={shown(value)}" for name, value in kwargs.items())])
        where = f"`def __init__(self, ...)` of {declared.name}" if isinstance(declared, Class) else "the stub"
        raise TypeError(
            f"the stub declares {declared.name}({', '.join(names)}), but the claim calls "
            f"{declared.name}({passed}): declare its parameters in {where}"
        )
    rest = names[len(args) :]
    given = [name for name in rest if name in kwargs]
    if given != rest[: len(given)]:
        raise TypeError(f"{declared.name}: the claim leaves out {rest[0]} and passes {', '.join(given)}")
    arguments = (*args, *(kwargs[name] for name in given))
    return tuple(map(_arriving, declared.parameters.items(), arguments))


def _arriving(parameter: tuple[str, Value], value: Any) -> Any:
    """Return an argument as the student gets it: numbers in a list become the array that is declared."""
    name, declared = parameter
    if not declared.shape or declared.kind not in _ARRAYS or value is None:
        return value
    if isinstance(value, (list, tuple)):
        value = _from_list(value, _ARRAYS[declared.kind])
    if (axes := np.ndim(value)) != len(declared.shape):
        raise TypeError(f"{name} is declared with {len(declared.shape)} axes; the claim passes {axes}")
    return value


def _from_list(value: list | tuple, dtype: type) -> Any:
    """Return numbers as an array, of `dtype` where none of them changes; anything else as it is."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        return value
    with np.errstate(invalid="ignore"):
        same: np.ndarray = array.astype(dtype)
    return same if np.array_equal(same, array) else array


def written(declared: Function | Class, arguments: tuple, on: str = "", **more: Any) -> Call:
    """Return the call as a student would write it, such as ``choose(posterior, cost)``.

    Where the answer has several values, they are called by their meaning, or counted.
    """
    names = list(declared.parameters)[: len(arguments)]
    returns = getattr(declared, "returns", None)
    values = returns if isinstance(returns, tuple) else ()
    return Call(
        f"{on}{declared.name}({', '.join(names)})",
        tuple(zip(names, arguments, strict=True)),
        values=tuple(value.meaning or f"value {k}" for k, value in enumerate(values, 1)),
        **more,
    )


def lengths(parameters: Mapping[str, Value], arguments: tuple) -> Letters:
    """Return the lengths that the arguments give to the letters of the declared shapes.

    An array gives those of its own shape; a whole number the letter that is its name. The largest of all,
    under ``MOST``, bounds what a letter may be that nothing gives a length to.
    """
    letters: Letters = {}
    sizes = [0]
    for (name, declared), argument in zip(parameters.items(), arguments, strict=False):
        if declared.shape == () and declared.kind == "i" and np.ndim(argument) == 0:
            sizes.append(int(argument))
            letters.setdefault(name, int(argument))  # an array's shape is surer
        elif declared.shape or declared.kind == "any":
            shape = np.shape(argument) if isinstance(argument, (np.ndarray, list, tuple)) else ()
            sizes += shape
            if len(shape) == len(declared.shape):
                letters |= {n: k for n, k in zip(declared.shape, shape, strict=True) if isinstance(n, str)}
    letters[MOST] = max(LEAST_MOST, 10 * max(sizes))
    return letters


def checked(session: Session, value: Any, declared: Function, letters: Letters) -> Any:
    """Return a result, or a tuple of results, as the declared values."""
    who = f"{declared.name}(...)"
    if not isinstance(declared.returns, tuple):
        return _fit(session, value, declared.returns, letters, who)
    if isinstance(value, np.ndarray) and value.shape[:1] == (len(declared.returns),):
        value = [value[k, ...] for k in range(len(value))]  # arrays, of no dimensions too
    if not isinstance(value, (list, tuple)) or len(value) != len(declared.returns):
        wanted = ", ".join(expected(item, letters) for item in declared.returns)
        session.fail(Fault("WRONG SHAPE", f"{who} must give {len(declared.returns)} values: {wanted}"))
    return tuple(
        _fit(session, item, spec, letters, f"value {k} of {who}")
        for k, (item, spec) in enumerate(zip(value, declared.returns, strict=True), 1)
    )


def _fit(session: Session, value: Any, declared: Value | None, letters: Letters, who: str) -> Any:
    if declared is None:
        return value
    try:
        answer = fitted(value, declared, letters, who)
    except Fault as fault:
        session.fail(fault)
    if isinstance(value, np.ndarray) and value.dtype in (np.float16, np.float32) and declared.kind == "f":
        digits = "7 digits" if value.dtype == np.float32 else "3 digits"
        session.single = f"{who} gives {value.dtype}, which holds {digits}; compute in float64"
    elif declared.kind == "f" and _of_single_precision(answer):
        reason = "those of float32, or of an iteration that stopped early"
        session.short = f"{who} gives numbers of no more than 7 digits: {reason}"
    session.largest = max(session.largest, largest(answer))
    return answer


def _of_single_precision(value: Any) -> bool:
    """Whether all numbers are those of float32, and one uses its last bits: by chance 2^-29 of each."""
    numbers = np.asarray(value)
    if numbers.dtype != np.float64 or not numbers.size or not np.isfinite(numbers).all():
        return False
    bits = np.frexp(numbers)[0] * 2.0**24
    return bool((bits % 1 == 0).all() and (bits % 16 != 0).any())


def largest(value: Any) -> float:
    """Return the largest absolute value in an answer; infinity for an integer beyond all floats."""
    if isinstance(value, (list, tuple)):
        return max(map(largest, value), default=0.0)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size:
        return float(np.abs(value, where=np.isfinite(value), out=np.zeros(value.shape)).max())
    if isinstance(value, (int, float, Fraction)):
        try:
            return abs(float(value)) if value == value else 0.0
        except OverflowError:
            return float("inf")
    return 0.0
