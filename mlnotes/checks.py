"""The one door for input: the ``check_*`` validators, with the warnings they use.

Every validator raises `ValueError` (or `TypeError`, where scikit-learn's own checks ask for it)
with one sentence: the argument, what came, what is accepted. No validator writes to its argument.
An array that already has the right type is handed back as it is, without a copy: do not write to
it either.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Collection
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


class ConvergenceWarning(UserWarning):
    """An iteration stopped before it reached its goal; the certificate says how far it came."""


class LimitWarning(UserWarning):
    """These data met a limit of the method: the result is defined, but not what one may hope."""


class DataConversionWarning(UserWarning):
    """The input was understood, after a conversion that the caller may not have intended."""


def shared_class(own: type) -> type:
    """Return scikit-learn's exception of the same name if it is loaded, else our own."""
    return getattr(sys.modules.get("sklearn.exceptions"), own.__name__, own)


def _as_array(value: Any, name: str) -> NDArray[Any]:
    """Convert to an ndarray of whatever type; refuse what is sparse, masked or ragged."""
    if value is None:
        raise ValueError(f"{name} is None; an array of numbers is required.")
    if hasattr(value, "tocsr"):
        raise ValueError(f"{name}: sparse data are not supported; pass {name}.toarray().")
    if np.ma.is_masked(value):
        raise ValueError(f"{name} has masked entries; drop or fill them, missing values are refused.")
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name}: rows have different lengths, a full table is needed.") from error


def _as_float(value: Any, name: str, finite: bool = True) -> NDArray[np.float64]:
    """Convert to float64, without a copy where it already is; refuse NaN and infinity if ``finite``."""
    array = _as_array(value, name)
    kind = array.dtype.kind
    types = {type(entry) for entry in array.flat} if kind == "O" else set()
    if kind == "c" or any(issubclass(t, complex) for t in types):
        raise ValueError(f"{name}: Complex data not supported; entries must be real numbers.")
    if kind not in "buifO" or any(issubclass(t, (str, bytes)) for t in types):
        raise ValueError(f"{name} has dtype {array.dtype} with text or dates; numbers are needed.")
    try:
        with np.errstate(over="ignore"):
            array = array.astype(np.float64, copy=False)
    except TypeError as error:  # scikit-learn's checks want Python's own words and TypeError here
        raise TypeError(f"{name}: entries must be real numbers ({error}).") from error
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{name}: entries must be real numbers ({error}).") from error
    if not finite:
        return array
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(array.sum()):  # a third faster than the test of every entry, and nearly always enough
            return array
    usable = np.isfinite(array)
    if not usable.all():
        place = tuple(int(i) for i in np.argwhere(~usable)[0])
        what = "NaN" if np.isnan(array[place]) else "infinity or a value too large for float64 (inf)"
        raise ValueError(f"{name} contains {what} at index {place}; every entry must be finite.")
    return array


def check_matrix(
    X: ArrayLike, *, name: str = "X", min_rows: int = 1, min_features: int = 1, finite: bool = True
) -> NDArray[np.float64]:
    """Return X as a finite float64 array of shape (n, d).

    Lists, data frames (through ``__array__``), bools, ints and floats of any width are accepted;
    sparse, masked, complex, textual, ragged, empty and non-finite input is refused. With ``finite=False`` the
    caller takes over the search for NaN and infinity.
    """
    array = _as_float(X, name, finite)
    if array.ndim != 2:
        raise ValueError(
            f"{name} must be a 2-D array of shape (n_samples, n_features), "
            f"got shape {array.shape}. Reshape your data: (-1, 1) is one feature, (1, -1) one row."
        )
    for count, least, what in zip(array.shape, (min_rows, min_features), ("sample", "feature"), strict=True):
        if count < least:
            raise ValueError(
                f"{name} has {count} {what}(s) (shape={array.shape}) while a minimum of {least} is required."
            )
    return array


def check_vector(
    v: ArrayLike,
    *,
    name: str,
    n: int | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
) -> NDArray[np.float64]:
    """Return v as a finite non-empty float64 array of shape (n,), its entries in the range."""
    array = _as_float(v, name)
    wanted = "(n,)" if n is None else f"({n},)"
    if array.ndim != 1 or not array.size or n not in (None, array.size):
        raise ValueError(f"{name} must be a 1-D array of shape {wanted}, got shape {array.shape}.")
    if minimum is not None and array.min() < minimum:
        raise ValueError(f"{name} must have entries >= {minimum}, got {array.min()}.")
    if maximum is not None and array.max() > maximum:
        raise ValueError(f"{name} must have entries <= {maximum}, got {array.max()}.")
    return array


def check_weights(
    sample_weight: ArrayLike | None, n_rows: int, name: str = "sample_weight"
) -> NDArray[np.float64]:
    """Return weights of shape (n_rows,): >= 0, their sum positive and finite; None means ones."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = check_vector(sample_weight, name=name, n=n_rows, minimum=0)
    if not weights.any():
        raise ValueError(f"{name}: every weight is zero; at least one must be positive.")
    with np.errstate(over="ignore"):
        if weights.sum() == math.inf:
            raise ValueError(f"{name}: the sum exceeds the largest float64; divide all by a constant.")
    return weights


def as_labels(y: Any, name: str) -> NDArray[Any]:
    """Return labels of shape (n,), of one type: bool, integer, integer-valued float or text."""
    if y is None:
        raise ValueError(f"{name}: fit requires y to be passed, but the target y is None.")
    array = _as_array(y, name)
    if array.dtype.kind == "T":
        array = array.astype(object)
    elif array.dtype.kind == "U" and not hasattr(y, "dtype"):
        entries = np.asarray(y, dtype=object)  # NumPy reads [1, "a"] as text without a word
        array = array if all(isinstance(label, str) for label in entries.flat) else entries
    if array.ndim == 2 and array.shape[1] == 1:
        message = f"A column-vector {name} was passed when a 1d array was expected; it is flattened."
        warnings.warn(message, shared_class(DataConversionWarning), stacklevel=2)
        array = array.ravel()
    if array.ndim != 1 or not array.size:
        raise ValueError(f"{name} should be a 1d array of n >= 1 labels, got shape {array.shape}.")
    if array.dtype.kind == "O":
        array = _one_type(array, name)
    if array.dtype.kind == "f":
        if not np.isfinite(array).all():
            raise ValueError(f"{name} contains NaN or infinity; every row needs a label.")
        if (array != np.floor(array)).any():
            raise ValueError(f"{name}: Unknown label type: continuous; float labels must be whole numbers.")
    elif array.dtype.kind not in "buiUO":
        raise ValueError(
            f"{name}: Unknown label type: {array.dtype}; bool, integer or str labels are accepted."
        )
    return array


def _one_type(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Keep an object array of str, give one of numbers its NumPy type, refuse a mixture."""
    types = {type(label) for label in array}
    if any(label is None or (isinstance(label, float) and label != label) for label in array):
        raise ValueError(f"{name} contains None or NaN; every row needs a label.")
    if all(issubclass(t, str) for t in types):
        return array
    if all(issubclass(t, (Integral, float, np.floating, np.bool_)) for t in types):
        return np.array(array.tolist())
    names = ", ".join(sorted(t.__name__ for t in types))
    raise ValueError(f"{name}: Unknown label type: {names}; labels must be all numbers or all str.")


def check_labels(
    y: ArrayLike, *, name: str = "y", n_rows: int | None = None
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return ``(classes, codes)`` with ``classes[codes] == y``.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels of any one type: bool, integer, whole floats, str. A column (n, 1) is flattened
        with a `DataConversionWarning`.
    name : str
        What the error messages call it.
    n_rows : int, optional
        The number of labels there must be.

    Returns
    -------
    classes : ndarray of shape (K,)
        The distinct labels, sorted, of the type that came.
    codes : ndarray of int64, shape (n,)
        The position of each label in ``classes``.
    """
    labels = as_labels(y, name)
    if n_rows not in (None, labels.size):
        raise ValueError(f"{name} has {labels.size} labels, but X has {n_rows} rows.")
    return _encode(labels)


def _encode(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the distinct labels, sorted, and the position of each label among them.

    Integers in a range no wider than their number are counted, which is ten times faster than sorting.
    """
    if labels.dtype.kind == "i" and int(labels.max()) - int(labels.min()) < labels.size:
        low = int(labels.min())
        shifted = (labels.astype(np.int64) - low).astype(np.intp)
        present = np.bincount(shifted) > 0
        classes = (np.flatnonzero(present) + low).astype(labels.dtype)
        return classes, (np.cumsum(present, dtype=np.int64) - 1)[shifted]
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.int64, copy=False)


def check_X_y(X: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[Any], NDArray[np.int64]]:
    """Return ``(X, classes, codes)``: a `check_matrix` and as many `check_labels` as rows."""
    matrix = check_matrix(X)
    return matrix, *check_labels(y, n_rows=len(matrix))


def check_probabilities(
    p: ArrayLike, *, name: str, ndim: int | None = None, axis: int | None = -1
) -> NDArray[Any]:
    """Return p, whose entries are >= 0 and sum to one along ``axis`` (None: over the whole table).

    Ints and `fractions.Fraction` are exact: they come back as an object array of `Fraction` and
    must sum to exactly 1. Floats come back as float64 and may miss 1 by ``8 n eps``, where n is the
    number of masses added and eps belongs to the dtype that came: rounding n masses, dividing them
    by their computed sum and adding them up again costs less than 2 n eps in all (Higham, Accuracy
    and Stability of Numerical Algorithms, chapter 4), which leaves a factor of four.
    """
    array = _as_array(p, name)
    exact = array.dtype.kind in "iu" or (
        array.dtype.kind == "O" and all(isinstance(mass, Rational) for mass in array.flat)
    )
    if array.dtype.kind == "b":
        raise ValueError(f"{name} has bool entries; probabilities must be numbers.")
    eps = np.finfo(array.dtype if array.dtype.kind == "f" else np.float64).eps
    if exact:
        masses = [Fraction(int(m)) if isinstance(m, Integral) else m for m in array.flat]
        array = np.array(masses, dtype=object).reshape(array.shape)
    else:
        array = _as_float(array, name)
    if array.ndim != (ndim or max(array.ndim, 1)) or not array.size:
        wanted = "at least 1-D" if ndim is None else f"{ndim}-D"
        raise ValueError(f"{name} must be {wanted} and not empty, got shape {array.shape}.")
    if (array < 0).any():
        raise ValueError(f"{name} has a negative mass, {array.min()}; masses must be >= 0.")
    sums = np.asarray(array.sum(axis=axis))
    n = array.size // max(sums.size, 1)
    wrong = np.argwhere(abs(sums - 1) > (0 if exact else 8 * n * eps))
    if len(wrong):
        place = tuple(int(i) for i in wrong[0])
        where = "" if not place else f" at index {place[0] if len(place) == 1 else place}"
        raise ValueError(f"{name}: the masses{where} sum to {sums[place]}; they must sum to 1.")
    return array


def check_scalar(
    value: Any,
    *,
    name: str,
    kind: type = float,
    minimum: float | None = None,
    maximum: float | None = None,
    above: float | None = None,
    below: float | None = None,
) -> Any:
    """Return ``value`` as it came: minimum <= value <= maximum and above < value < below.

    ``kind=int`` asks for an integer, ``kind=float`` for any real number. bool and NaN are refused;
    infinity is too, unless it is itself the ``minimum`` or ``maximum``.
    """
    is_number = isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    if not (
        is_number
        and (minimum is None or value >= minimum)
        and (maximum is None or value <= maximum)
        and (above is None or value > above)
        and (below is None or value < below)
        and (abs(value) < math.inf or value in (minimum, maximum))
    ):
        bounds = ((">=", minimum), ("<=", maximum), (">", above), ("<", below))
        limits = " and ".join(f"{sign} {bound}" for sign, bound in bounds if bound is not None)
        wanted = f"{'an integer' if kind is int else 'a finite number'} {limits}".rstrip()
        raise ValueError(f"{name} must be {wanted}, got {value!r}.")
    return value


def check_count(value: Any, *, name: str, maximum: float | None = None) -> Any:
    """Return ``value``, an integer from 1 on."""
    return check_scalar(value, name=name, kind=int, minimum=1, maximum=maximum)


def check_option(value: Any, *, name: str, options: Collection[Any]) -> Any:
    """Return ``value``, which must equal one of ``options`` and have its type."""
    if not any(isinstance(value, type(option)) and value == option for option in options):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, options))}, got {value!r}.")
    return value


def check_rng(random_state: int | np.random.Generator | np.random.RandomState | None) -> np.random.Generator:
    """Return a Generator: new for a seed or for None (entropy of the system), else the one given.

    A legacy ``RandomState`` seeds a new Generator and moves on, as in scikit-learn.
    """
    if random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(0, 2**32, size=4, dtype=np.uint32))
    name = "random_state, unless it is None or a Generator,"
    return np.random.default_rng(int(check_scalar(random_state, name=name, kind=int, minimum=0)))


def check_generator(rng: Any) -> None:
    """Refuse anything but a NumPy Generator."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng must be a numpy.random.Generator, such as np.random.default_rng(0), got {rng!r}."
        )


def check_size(values: Any, what: str) -> Any:
    """Return the number or array; refuse what overflowed on the way to it."""
    if not np.isfinite(values).all():
        raise ValueError(f"{what} exceeds the largest float64; divide the features by a constant.")
    return values


def check_squares(
    X: NDArray[np.float64], *, limit: float = 1e150, axis: int | None = None, powers: str = "squares"
) -> None:
    """Refuse rows, or with ``axis=0`` any feature, whose largest entry is above `limit` or below 1 / `limit`.

    Squares (or other `powers`), and their sums and quotients, would leave float64. Zeros alone are accepted.
    """
    sizes = np.atleast_1d(np.maximum(X.max(axis=axis), -X.min(axis=axis)))
    for what, wrong in (("overflow", sizes > limit), ("underflow", (sizes > 0) & (sizes < 1 / limit))):
        if wrong.any():
            largest = sizes[wrong][0]
            raise ValueError(
                f"X has entries up to {largest:.3g}, whose {powers} {what}: rescale the features, "
                f"so that the largest lies between {1 / limit:g} and {limit:g}."
            )
