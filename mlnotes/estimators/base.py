"""The one door for input, and what the estimators share.

Three parts: the ``check_*`` validators, the warnings and errors they use, and the mixins
`Classifier` and `Transformer`, on which an estimator passes scikit-learn's ``check_estimator`` and
works in its ``Pipeline``, ``GridSearchCV`` and ``clone``. scikit-learn itself is imported only
inside ``__sklearn_tags__``, a hook that nobody but scikit-learn calls.

Every validator raises `ValueError` (or `TypeError`, where scikit-learn's own checks ask for it)
with one sentence: the argument, what came, what is accepted. No validator writes to its argument.
An array that already has the right type is handed back as it is, without a copy: do not write to
it either.

An estimator's ``fit`` starts with one line::

    X, codes = self._start_fit(X, y)                                    # labels as 0, ..., K-1
    X, codes, weights = self._start_weighted_fit(X, y, sample_weight)   # weight k = k copies
    X = self._record_features(X)                                        # no labels

and ``predict``, ``transform`` and so on start with ``X = self._check_input(X)``, before they read
any attribute of the fit.
"""

from __future__ import annotations

import importlib.util
import inspect
import math
import sys
import warnings
from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Self = TypeVar("Self", bound="Estimator")
OwnTransformer = TypeVar("OwnTransformer", bound="Transformer")


class NotFittedError(ValueError, AttributeError):
    """A method that needs a fitted estimator was called before ``fit``."""


class ConvergenceWarning(UserWarning):
    """An iteration stopped before it reached its goal; the certificate says how far it came."""


class LimitWarning(UserWarning):
    """These data met a limit of the method: the result is defined, but not what one may hope."""


class DataConversionWarning(UserWarning):
    """The input was understood, after a conversion that the caller may not have intended."""


def _shared(own: type) -> type:
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


def check_weights(sample_weight: ArrayLike | None, n_rows: int) -> NDArray[np.float64]:
    """Return weights of shape (n_rows,): finite, >= 0, not all zero; None means ones."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = check_vector(sample_weight, name="sample_weight", n=n_rows, minimum=0)
    if not weights.any():
        raise ValueError("sample_weight: every weight is zero; at least one must be positive.")
    return weights


def _as_labels(y: Any, name: str) -> NDArray[Any]:
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
        warnings.warn(message, _shared(DataConversionWarning), stacklevel=2)
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
    found = ", ".join(sorted(t.__name__ for t in types))
    raise ValueError(f"{name}: Unknown label type: {found}; labels must be all numbers or all str.")


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
    labels = _as_labels(y, name)
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


def check_X_y(
    X: ArrayLike, y: ArrayLike, *, min_rows: int = 1, min_features: int = 1
) -> tuple[NDArray[np.float64], NDArray[Any], NDArray[np.int64]]:
    """Return ``(X, classes, codes)``: a `check_matrix` and as many `check_labels` as rows."""
    matrix = check_matrix(X, min_rows=min_rows, min_features=min_features)
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


def check_size(values: Any, what: str) -> Any:
    """Return the number or array; refuse what overflowed on the way to it."""
    if not np.isfinite(values).all():
        raise ValueError(f"{what} exceeds the largest float64; divide the features by a constant.")
    return values


def check_squares(X: NDArray[np.float64], *, limit: float = 1e150, axis: int | None = None) -> None:
    """Refuse rows, or with ``axis=0`` any feature, whose largest entry is above `limit` or below 1 / `limit`.

    Squares, and their sums and quotients, would leave float64. Zeros alone are accepted.
    """
    sizes = np.atleast_1d(np.maximum(X.max(axis=axis), -X.min(axis=axis)))
    for what, wrong in (("overflow", sizes > limit), ("underflow", (sizes > 0) & (sizes < 1 / limit))):
        if wrong.any():
            largest = sizes[wrong][0]
            raise ValueError(
                f"X has entries up to {largest:.3g}, whose squares {what}: rescale the features, "
                f"so that the largest lies between {1 / limit:g} and {limit:g}."
            )


def row_blocks(n: int, d: int, entries: int = 2**17) -> Iterator[slice]:
    """Yield slices of the rows of an (n, d) array, 1 MiB of float64 each unless told: it stays in cache.

    Fewer than four features count as four, since what is made of the rows has columns as well.
    """
    height = max(1, entries // max(d, 4))
    return (slice(start, start + height) for start in range(0, n, height))


def last_argmax(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the row of the largest entry of each column of a (K, n) array, the last on ties, shape (n,)."""
    best, codes = scores[0].copy(), np.zeros(scores.shape[1], dtype=np.int64)
    for k in range(1, len(scores)):
        codes[scores[k] >= best] = k
        np.maximum(best, scores[k], out=best)
    return codes


_FROM_INPUT = {"n_features_in_", "feature_names_in_", "classes_"}


def _fitted_attributes(estimator: object) -> set[str]:
    return {k for k in vars(estimator) if k.endswith("_") and not k.startswith("__")}


def check_fitted(estimator: object) -> None:
    """Raise `NotFittedError` unless ``fit`` set an attribute that ends in an underscore.

    What is known before the algorithm has run (``n_features_in_``, ``feature_names_in_``,
    ``classes_``) does not count: an estimator whose ``fit`` failed half way is not fitted.
    """
    if not _fitted_attributes(estimator) - _FROM_INPUT:
        raise _shared(NotFittedError)(
            f"This {type(estimator).__name__} instance is not fitted yet; call fit first."
        )


def _feature_names(X: Any) -> NDArray[np.object_] | None:
    """Return the column names of a data frame, if they are all text, else None."""
    columns = getattr(X, "columns", None)
    if columns is None or callable(columns) or len(columns) == 0:
        return None
    texts = [isinstance(column, str) for column in columns]
    if any(texts) and not all(texts):
        found = sorted({type(column).__name__ for column in columns})
        raise TypeError(
            "Feature names are only supported if all input features have string names, but X has "
            f"column names of types {found}; convert them with X.columns.astype(str)."
        )
    return np.array(columns, dtype=object) if all(texts) else None


def _names_differ(fitted: NDArray[np.object_], came: NDArray[np.object_]) -> str:
    """Say how two lists of names differ, in the words that scikit-learn's checks compare."""
    message = "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(came) - set(fitted)), sorted(set(fitted) - set(came))
    for title, names in (
        ("Feature names unseen at fit time:\n", unseen),
        ("Feature names seen at fit time, yet now missing:\n", missing),
    ):
        if names:
            message += title + "".join(f"- {name}\n" for name in names[:5])
            message += "- ...\n" * (len(names) > 5)
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


class Estimator:
    """Parameters, ``repr``, feature counts and names: what all estimators share.

    ``__init__`` of a subclass stores its arguments under their own names and does nothing else;
    ``fit`` sets attributes that end in an underscore and returns ``self``.

    Attributes
    ----------
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of object, shape (d,)
        The column names seen in ``fit``; only there when X had text names, as a data frame has.
    """

    fit: Callable[..., Any]

    @classmethod
    def _param_names(cls) -> list[str]:
        parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
        return sorted(p.name for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; ``deep`` adds ``name__inner`` of nested estimators."""
        params = {name: getattr(self, name) for name in self._param_names()}
        if deep:
            for name, value in tuple(params.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    inner = value.get_params()
                    params.update({f"{name}__{key}": v for key, v in inner.items()})
        return params

    def set_params(self: Self, **params: Any) -> Self:
        """Set parameters by name, ``name__inner`` for those of a nested estimator; return self."""
        valid = self._param_names()
        nested: dict[str, dict[str, Any]] = {}
        for key in params:
            if key.partition("__")[0] not in valid:
                raise ValueError(
                    f"Invalid parameter {key!r} for estimator {self}; "
                    f"valid parameters are: {', '.join(valid)}."
                )
        for key, value in params.items():
            name, is_nested, inner = key.partition("__")
            if is_nested:
                nested.setdefault(name, {})[inner] = value
            else:
                setattr(self, name, value)
        for name, values in nested.items():
            inner_estimator = getattr(self, name)
            if not hasattr(inner_estimator, "set_params"):
                raise ValueError(f"{name}={inner_estimator!r} has no parameters of its own: {list(values)}.")
            inner_estimator.set_params(**values)
        return self

    def __repr__(self) -> str:
        """Show the parameters that differ from their defaults."""
        defaults = inspect.signature(type(self).__init__).parameters
        shown = (
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if repr(value) != repr(defaults[name].default)
        )
        return f"{type(self).__name__}({', '.join(shown)})"

    def _repr_html_(self) -> str:
        from mlnotes.estimators.display import html

        return html(self)

    def _get_params_html(self, deep: bool = False, doc_link: str = "") -> Any:
        """Return the parameters as scikit-learn's diagrams, which alone pass arguments, show them."""
        from mlnotes.estimators.display import Table

        return Table("Parameters", self.get_params(deep=False))

    def _get_fitted_attr_html(self, doc_link: str = "") -> Any:
        """Return the certificate and what was learnt, for the same diagrams."""
        from mlnotes.estimators.display import Results

        names = _fitted_attributes(self)
        return Results({name: getattr(self, name) for name in sorted(names)} if names - _FROM_INPUT else {})

    def __sklearn_tags__(self) -> Any:
        """Describe the estimator to scikit-learn (1.6 or newer), which alone calls this."""
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False))

    def _restart(self, X: Any, n_features: int) -> None:
        """Forget the last fit and record the features of X, which has been checked."""
        names = _feature_names(X)
        for name in _fitted_attributes(self):
            delattr(self, name)
        self.n_features_in_ = n_features
        if names is not None:
            self.feature_names_in_ = names

    def _record_features(
        self, X: ArrayLike, *, min_rows: int = 1, min_features: int = 1
    ) -> NDArray[np.float64]:
        """Begin a ``fit`` without labels: check X, forget the last fit, record the features."""
        matrix = check_matrix(X, min_rows=min_rows, min_features=min_features)
        self._restart(X, matrix.shape[1])
        return matrix

    def _check_input(self, X: ArrayLike, *, finite: bool = True) -> NDArray[np.float64]:
        """Begin a method of a fitted estimator: X must have the features seen in ``fit``."""
        check_fitted(self)
        self._check_names(X)
        matrix = check_matrix(X, finite=finite)
        if matrix.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {matrix.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        return matrix

    def _check_names(self, X: Any) -> None:
        fitted, came = getattr(self, "feature_names_in_", None), _feature_names(X)
        name = type(self).__name__
        if fitted is not None and came is not None:
            if not np.array_equal(fitted, came):
                raise ValueError(_names_differ(fitted, came))
        elif came is not None:
            message = f"X has feature names, but {name} was fitted without feature names"
            warnings.warn(message, UserWarning, stacklevel=4)
        elif fitted is not None:
            message = f"X does not have valid feature names, but {name} was fitted with feature names"
            warnings.warn(message, UserWarning, stacklevel=4)


class Classifier(Estimator):
    """An estimator with ``fit(X, y)`` and ``predict(X)``; labels may be of any one type.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The labels seen in ``fit``, sorted; ``classes_[codes]`` turns codes into labels.
    """

    _estimator_type = "classifier"
    predict: Callable[..., NDArray[Any]]

    def __sklearn_tags__(self) -> Any:
        """Add what makes it a classifier; a subclass adjusts ``classifier_tags`` and so on."""
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.classifier_tags = self._estimator_type, ClassifierTags()
        tags.target_tags.required = True
        return tags

    def _start_fit(
        self, X: ArrayLike, y: ArrayLike, *, min_rows: int = 1, min_classes: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Begin ``fit``: check X and y, forget the last fit, set ``classes_``; return X, codes."""
        X, codes, _ = self._start_weighted_fit(X, y, None, min_rows=min_rows, min_classes=min_classes)
        return X, codes

    def _start_weighted_fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None,
        *,
        min_rows: int = 1,
        min_classes: int = 1,
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """Begin ``fit`` with weights; return X, codes, weights of the rows with positive weight.

        A row of weight zero is a row that is not there: it is dropped, and with it a class that
        has no other rows. So weight k equals k copies for k = 0 as well.
        """
        matrix, classes, codes = check_X_y(X, y, min_rows=min_rows)
        weights = check_weights(sample_weight, len(matrix))
        used = weights > 0
        if not used.all():
            matrix, weights = check_matrix(matrix[used], min_rows=min_rows), weights[used]
            present, codes = np.unique(codes[used], return_inverse=True)
            classes, codes = classes[present], codes.astype(np.int64, copy=False)
        if len(classes) < min_classes:
            raise ValueError(
                f"{type(self).__name__} needs y with at least {min_classes} classes, got "
                f"{len(classes)} class: {classes.tolist()}."
            )
        self._restart(X, matrix.shape[1])
        self.classes_ = classes
        return matrix, codes, weights

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the accuracy: the (weighted) share of rows whose prediction equals y."""
        predicted, labels = self.predict(X), _as_labels(y, "y")
        if len(predicted) != len(labels):
            raise ValueError(f"y has {len(labels)} labels, but X has {len(predicted)} rows.")
        if (predicted.dtype.kind in "UO") != (labels.dtype.kind in "UO"):
            raise ValueError(
                f"y has labels of type {labels.dtype}, but {type(self).__name__} was fitted with "
                f"labels of type {predicted.dtype}."
            )
        weights = check_weights(sample_weight, len(labels))
        return float(np.average(predicted == labels, weights=weights))


class Transformer(Estimator):
    """An estimator with ``transform(X)``; its output is a float64 array of shape (n, m).

    A subclass whose columns are not one for each feature defines the attribute or property
    ``_n_features_out`` (m); its columns are then called after the class: pca0, pca1, ...
    ``transform`` ends with ``return self._frame(values, X)``, so that `set_output` can ask for data frames.
    """

    transform: Callable[..., NDArray[np.float64]]
    _n_features_out: int | None = None

    def set_output(self: OwnTransformer, *, transform: str | None = None) -> OwnTransformer:
        """Choose what ``transform`` and ``fit_transform`` return; return self.

        Parameters
        ----------
        transform : {"default", "pandas", "polars"} or None
            An array, or a data frame with the names of `get_feature_names_out` (in pandas with the index of
            X); None leaves the choice as it is. Without a choice that of ``sklearn.set_config`` holds.

        Raises
        ------
        ValueError
            For another word, or if the package is not installed.
        """
        if transform is not None:
            check_option(transform, name="transform", options=("default", "pandas", "polars"))
            if transform != "default" and importlib.util.find_spec(transform) is None:
                raise ValueError(
                    f"transform={transform!r} needs the package {transform}: pip install {transform}"
                )
            self._sklearn_output_config = {"transform": transform}  # where scikit-learn's clone looks
        return self

    def _frame(self, values: NDArray[np.float64], X: Any) -> NDArray[np.float64]:
        """Return the transformed rows in the container that was chosen."""
        shared = sys.modules.get("sklearn")
        anywhere = shared.get_config().get("transform_output", "default") if shared else "default"
        kind = getattr(self, "_sklearn_output_config", {}).get("transform", anywhere)
        if kind == "default":
            return values
        names = self.get_feature_names_out()
        frames = importlib.import_module(kind)
        if kind == "polars":
            return frames.DataFrame(values, schema=names.tolist(), orient="row")
        return frames.DataFrame(values, index=X.index if hasattr(X, "iloc") else None, columns=names)

    def __sklearn_tags__(self) -> Any:
        """Add what makes it a transformer: float64 in, float64 out."""
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags(preserves_dtype=["float64"])
        return tags

    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None) -> NDArray[np.float64]:
        """Fit to X (and y, if given) and return X transformed."""
        return (self.fit(X) if y is None else self.fit(X, y)).transform(X)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Return the names of the output columns, an object array of shape (m,)."""
        check_fitted(self)
        known = getattr(self, "feature_names_in_", None)
        names = known if input_features is None else np.asarray(input_features, dtype=object)
        if names is None:
            names = np.array([f"x{i}" for i in range(self.n_features_in_)], dtype=object)
        if known is not None and not np.array_equal(known, names):
            raise ValueError("input_features is not equal to feature_names_in_, the names in fit.")
        if names.shape != (self.n_features_in_,):
            raise ValueError(
                "input_features should have length equal to number of features "
                f"({self.n_features_in_}), got shape {names.shape}."
            )
        if self._n_features_out is None:
            return names.copy()
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{i}" for i in range(self._n_features_out)], dtype=object)
