"""Whether a value from the student's process is what the part declares: kind, shape, range, finiteness.

Lenient where the meaning is clear (a list for an array, a column for a row, 1.0 for the label 1, an array of
one entry for a number), strict where it is not: a claim sees only values of the declared kind and shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.grading.assignment.parts import Value
from mlnotes.grading.results import NAN, RANGE, SHAPE, TYPE, Fault, short

_NOUNS = {"f": "real numbers", "i": "integers", "b": "True or False", "U": "strings", "fraction": "Fractions"}
_NOUN = {
    "f": "a real number",
    "i": "an integer",
    "b": "True or False",
    "U": "a string",
    "fraction": "a Fraction",
}
_PLAIN = (int, float, str, np.ndarray)

Letters = dict[str, int]
MOST = "(most)"  # among the letters: the longest that a letter may be which no argument fixes
LEAST_MOST = 10_000


def fitted(value: Any, declared: Value, letters: Letters, who: str) -> Any:
    """Return `value` in the declared kind and shape: float64, int64, bool or str; Fractions in lists.

    Parameters
    ----------
    value : object
        As it crossed the process boundary.
    declared : Value
    letters : dict of str to int
        The lengths known so far; the letters that this value fixes are added.
    who : str
        For the sentence, such as ``"decide(...)"``.

    Raises
    ------
    Fault
        WRONG TYPE, WRONG SHAPE, NOT A NUMBER or OUT OF RANGE.
    """
    if declared.kind == "any":
        return value
    if value is None:
        raise Fault(
            TYPE, f"{who} gives None where {expected(declared, letters)} is asked for: is a return missing?"
        )
    if declared.kind == "fraction":
        return _fractions(value, declared, letters, who)
    if declared.kind == "i" and declared.shape == () and type(value) is int:
        _in_range(value, value, declared, letters, who)
        return value  # of any size
    array = _array(value, declared, letters, who)
    array = _shaped(array, declared, letters, who)
    array = _of_kind(array, declared, who)
    if array.size and array.dtype.kind != "U":
        _in_range(array.min(), array.max(), declared, letters, who)
    return array.item() if declared.shape == () else array


def expected(declared: Value, letters: Mapping[str, int]) -> str:
    """Return the declared value in words, such as "an array (n,) = (12,) of integers"."""
    if declared.shape == ():
        return _NOUN.get(declared.kind, "a plain value")
    symbolic = _tuple(declared.shape)
    known = _tuple(tuple(letters.get(n, n) if isinstance(n, str) else n for n in declared.shape))
    return f"an array {symbolic if symbolic == known else f'{symbolic} = {known}'} of {_NOUNS[declared.kind]}"


def _tuple(shape: tuple[int | str, ...]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def _array(value: Any, declared: Value, letters: Letters, who: str) -> np.ndarray:
    if isinstance(value, int) and abs(value) >= 2**63:
        raise Fault(RANGE, f"{who} gives an integer of {value.bit_length()} bits")
    if isinstance(value, (list, tuple)):
        value = _from_list(value, declared, letters, who)
    if not isinstance(value, _PLAIN):
        word = type(value).__name__
        raise Fault(TYPE, f"{who} gives a {word} where {expected(declared, letters)} is asked for")
    return np.asarray(value)


def _from_list(value: list | tuple, declared: Value, letters: Letters, who: str) -> np.ndarray:
    leaves = list(_leaves(value, 8))
    for odd in (leaf for leaf in leaves if not isinstance(leaf, _PLAIN)):
        word = f"a list with {'None' if odd is None else f'a {type(odd).__name__}'} in it"
        raise Fault(TYPE, f"{who} gives {word} where {expected(declared, letters)} is asked for")
    if len({isinstance(leaf, str) for leaf in leaves}) == 2:
        raise Fault(TYPE, f"{who} gives strings and numbers in one list")
    try:
        array = np.array(value)
    except (ValueError, OverflowError):  # rows of different lengths
        raise Fault(SHAPE, f"{who} gives a list whose rows have different lengths") from None
    if array.dtype.kind == "O":
        raise Fault(RANGE, f"{who} gives integers of more than 64 bits")
    return array


def _leaves(value: list | tuple, depth: int) -> Iterator[Any]:
    for item in value:
        if isinstance(item, (list, tuple)) and depth:
            yield from _leaves(item, depth - 1)
        else:
            yield item


def _shaped(array: np.ndarray, declared: Value, letters: Letters, who: str) -> np.ndarray:
    for candidate in _readings(array, len(declared.shape)):
        sizes = _sizes(candidate.shape, declared.shape, letters)
        if sizes is not None:
            letters.update(sizes)
            return candidate
    came = "a single number" if array.ndim == 0 else f"an array {array.shape}"
    long = MOST in letters and max(array.shape, default=0) > letters[MOST]
    more = f", at most {letters[MOST]} long" if long else ""
    raise Fault(SHAPE, f"{who} gives {came} where {expected(declared, letters)} is asked for{more}")


def _readings(array: np.ndarray, ndim: int) -> list[np.ndarray]:
    """Return the arrays of `ndim` dimensions that differ from this one by axes of length 1 only."""
    if array.ndim == ndim:
        return [array]
    core = tuple(n for n in array.shape if n != 1)
    if array.ndim > ndim:
        sizes = core + (1,) * (ndim - len(core))
        return [array.reshape(shape) for shape in {sizes, sizes[::-1]} if len(shape) == ndim]
    if ndim == 2 and array.ndim == 1:
        return [array.reshape(1, -1), array.reshape(-1, 1)]
    return [array.reshape((1,) * ndim)] if array.ndim == 0 else []


def _sizes(shape: tuple[int, ...], declared: tuple[int | str, ...], letters: Letters) -> Letters | None:
    """Return the letters with the lengths that a shape gives them, None where it is not the declared one."""
    sizes = dict(letters)
    for size, length in zip(shape, declared, strict=True):
        if isinstance(length, str) and length not in letters and size > letters.get(MOST, size):
            return None
        if size != (length if isinstance(length, int) else sizes.setdefault(length, size)):
            return None
    return sizes


def _of_kind(array: np.ndarray, declared: Value, who: str) -> np.ndarray:
    kind, have = declared.kind, array.dtype.kind
    nouns = _NOUNS[kind]
    if kind == "U":
        if have != "U":
            raise Fault(TYPE, f"{who} gives {_words(array)} where {nouns} are asked for")
        return array
    if have == "U":
        raise Fault(TYPE, f"{who} gives strings where {nouns} are asked for")
    if kind == "f":
        numbers = array.astype(np.float64)
        bad = numbers[np.isnan(numbers) if declared.infinite else ~np.isfinite(numbers)]
        if bad.size:
            raise Fault(NAN, f"{who} gives {bad[0]} ({bad.size} of {numbers.size} entries)")
        return numbers
    if have == "f":
        bad = array[~np.isfinite(array)]
        if bad.size:
            raise Fault(NAN, f"{who} gives {bad[0]} where {nouns} are asked for")
        bad = array[(array != np.round(array)) | (np.abs(array) >= 2.0**63)]
        if bad.size:
            raise Fault(TYPE, f"{who} gives {short(float(bad[0]))} where {nouns} are asked for")
    if have == "u" and array.size and array.max() > np.iinfo(np.int64).max:
        raise Fault(RANGE, f"{who} gives {array.max()}")
    numbers = array.astype(np.int64)
    if kind == "i":
        return numbers
    bad = numbers[(numbers != 0) & (numbers != 1)]
    if bad.size:
        raise Fault(TYPE, f"{who} gives {bad[0]}, not True or False")
    return numbers.astype(bool)


def _words(array: np.ndarray) -> str:
    return {"f": "real numbers", "b": "True or False"}.get(array.dtype.kind, "integers")


def _in_range(low: Any, high: Any, declared: Value, letters: Letters, who: str) -> None:
    if declared.minimum is not None and low < declared.minimum:
        raise Fault(RANGE, f"{who} gives {short(low)}; the least value allowed is {declared.minimum:g}")
    if declared.maximum is not None and high > declared.maximum:
        raise Fault(RANGE, f"{who} gives {short(high)}; the largest value allowed is {declared.maximum:g}")
    if declared.below in letters and high >= letters[declared.below]:
        n = letters[declared.below]
        raise Fault(
            RANGE, f"{who} gives {short(high)}; an index below {declared.below} = {n} is asked for, from 0 on"
        )


def _fractions(value: Any, declared: Value, letters: Letters, who: str) -> Any:
    """Check exact rationals: nested lists of Fractions and ints; a float is not exact."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
        value = value.tolist()
    if declared.shape == ():
        while isinstance(value, (list, tuple)) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
            raise Fault(TYPE, f"{who} gives {_one(value)} where a Fraction is asked for")
        value = Fraction(value)
        _in_range(value, value, declared, letters, who)
        return value
    if not isinstance(value, (list, tuple)):
        raise Fault(TYPE, f"{who} gives {_one(value)} where {expected(declared, letters)} is asked for")
    sizes = _sizes((len(value),), declared.shape[:1], letters)
    if sizes is None:
        raise Fault(
            SHAPE, f"{who} gives {len(value)} entries where {expected(declared, letters)} is asked for"
        )
    letters.update(sizes)
    rest = Value("fraction", declared.shape[1:], declared.minimum, declared.maximum)
    return [_fractions(item, rest, letters, who) for item in value]


def _one(value: Any) -> str:
    return f"the float {value!r}" if isinstance(value, float) else f"a {type(value).__name__}"
