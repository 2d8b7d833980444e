"""What the estimators share: parameters, the checks with which ``fit`` and ``predict`` begin, and tags.

With the mixins `Classifier`, `Regressor` and `Transformer` an estimator passes scikit-learn's
``check_estimator`` and works in its ``Pipeline``, ``GridSearchCV`` and ``clone``. scikit-learn itself is
imported only inside ``__sklearn_tags__``, a hook that only scikit-learn calls.

An estimator's ``fit`` starts with one line::

    X, codes = self._start_fit(X, y)                                    # labels as 0, ..., K-1
    X, codes, weights = self._start_weighted_fit(X, y, sample_weight)   # weight k = k copies
    X, y = self._start_fit(X, y)                                        # of a regressor: real numbers
    X = self._record_features(X)                                        # no labels

and ``predict``, ``transform`` and so on start with ``X = self._check_input(X)``, before they read
any attribute of the fit. The validators of `mlnotes.checks` are offered here as well.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.checks import (
    ConvergenceWarning,
    DataConversionWarning,
    LimitWarning,
    as_labels,
    check_count,
    check_generator,
    check_labels,
    check_matrix,
    check_option,
    check_probabilities,
    check_rng,
    check_scalar,
    check_size,
    check_squares,
    check_vector,
    check_weights,
    check_X_y,
    shared_class,
)

__all__ = [
    "Classifier", "ConvergenceWarning", "DataConversionWarning", "Estimator", "LimitWarning",
    "NotFittedError", "Regressor", "Transformer", "check_X_y", "check_count", "check_fitted",
    "check_generator", "check_labels", "check_matrix", "check_option", "check_probabilities", "check_rng",
    "check_scalar", "check_size", "check_squares", "check_vector", "check_weights", "shared_class",
]  # fmt: skip

Self = TypeVar("Self", bound="Estimator")
OwnTransformer = TypeVar("OwnTransformer", bound="Transformer")


class NotFittedError(ValueError, AttributeError):
    """A method that needs a fitted estimator was called before ``fit``."""


_FROM_INPUT = {"n_features_in_", "feature_names_in_", "classes_"}


def _fitted_attributes(estimator: object) -> set[str]:
    return {k for k in vars(estimator) if k.endswith("_") and not k.startswith("__")}


def check_fitted(estimator: object) -> None:
    """Raise `NotFittedError` unless ``fit`` set an attribute that ends in an underscore.

    What is known before the algorithm has run (``n_features_in_``, ``feature_names_in_``,
    ``classes_``) does not count: an estimator whose ``fit`` failed half way is not fitted.
    """
    if not _fitted_attributes(estimator) - _FROM_INPUT:
        raise shared_class(NotFittedError)(
            f"This {type(estimator).__name__} instance is not fitted yet; call fit first."
        )


def _feature_names(X: Any) -> NDArray[np.object_] | None:
    """Return the column names of a data frame, if they are all text, else None."""
    columns = getattr(X, "columns", None)
    if columns is None or callable(columns) or len(columns) == 0:
        return None
    texts = [isinstance(column, str) for column in columns]
    if any(texts) and not all(texts):
        kinds = sorted({type(column).__name__ for column in columns})
        raise TypeError(
            "Feature names are only supported if all input features have string names, but X has "
            f"column names of types {kinds}; convert them with X.columns.astype(str)."
        )
    return np.array(columns, dtype=object) if all(texts) else None


def _names_differ(before: NDArray[np.object_], now: NDArray[np.object_]) -> str:
    """Say how two lists of names differ, in the words that scikit-learn's checks compare."""
    message = "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(now) - set(before)), sorted(set(before) - set(now))
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

    def _record_features(self, X: ArrayLike, *, min_rows: int = 1) -> NDArray[np.float64]:
        """Begin a ``fit`` without labels: check X, forget the last fit, record the features."""
        matrix = check_matrix(X, min_rows=min_rows)
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
        before, now = getattr(self, "feature_names_in_", None), _feature_names(X)
        name = type(self).__name__
        if before is not None and now is not None:
            if not np.array_equal(before, now):
                raise ValueError(_names_differ(before, now))
        elif now is not None:
            message = f"X has feature names, but {name} was fitted without feature names"
            warnings.warn(message, UserWarning, stacklevel=4)
        elif before is not None:
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
        self, X: ArrayLike, y: ArrayLike, *, min_classes: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Begin ``fit``: check X and y, forget the last fit, set ``classes_``; return X, codes."""
        X, codes, _ = self._start_weighted_fit(X, y, None, min_classes=min_classes)
        return X, codes

    def _start_weighted_fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None, *, min_classes: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """Begin ``fit`` with weights; return X, codes, weights of the rows with positive weight.

        A row of weight zero is a row that is not there: it is dropped, and with it a class that
        has no other rows. So weight k equals k copies for k = 0 as well.
        """
        matrix, classes, codes = check_X_y(X, y)
        weights = check_weights(sample_weight, len(matrix))
        used = weights > 0
        if not used.all():
            matrix, weights = matrix[used], weights[used]
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
        """Return the accuracy: the (weighted) proportion of predictions that equal y."""
        predicted, labels = self.predict(X), as_labels(y, "y")
        if len(predicted) != len(labels):
            raise ValueError(f"y has {len(labels)} labels, but X has {len(predicted)} rows.")
        if (predicted.dtype.kind in "UO") != (labels.dtype.kind in "UO"):
            raise ValueError(
                f"y has labels of type {labels.dtype}, but {type(self).__name__} was fitted with "
                f"labels of type {predicted.dtype}."
            )
        weights = check_weights(sample_weight, len(labels))
        return float(np.average(predicted == labels, weights=weights))


class Regressor(Estimator):
    """An estimator with ``fit(X, y)`` and ``predict(X)`` for real numbers y."""

    _estimator_type = "regressor"
    predict: Callable[..., NDArray[np.float64]]

    def __sklearn_tags__(self) -> Any:
        """Add what makes it a regressor; a subclass adjusts ``regressor_tags`` and so on."""
        from sklearn.utils import RegressorTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.regressor_tags = self._estimator_type, RegressorTags()
        tags.target_tags.required = True
        return tags

    def _start_fit(self, X: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Begin ``fit``: check X and y, forget the last fit; return X, y."""
        matrix = check_matrix(X)
        targets = _targets(y, len(matrix))
        self._restart(X, matrix.shape[1])
        return matrix, targets

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the coefficient of determination R^2, which is 1 for a perfect fit."""
        predicted = self.predict(X)
        targets = _targets(y, len(predicted))
        weights = check_weights(sample_weight, len(targets))
        explained = np.average((targets - predicted) ** 2, weights=weights)
        total = np.average((targets - np.average(targets, weights=weights)) ** 2, weights=weights)
        return float(1 - explained / total) if total else float(explained == 0)


def _targets(y: Any, n: int) -> NDArray[np.float64]:
    """Return n real numbers; a column is flattened with a warning."""
    if y is None:
        raise ValueError("y: fit requires y to be passed, but the target y is None.")
    shape: tuple[int, ...] = getattr(y, "shape", ())
    if len(shape) == 2 and shape[1] == 1:
        message = "A column-vector y was passed when a 1d array was expected; it is flattened."
        warnings.warn(message, shared_class(DataConversionWarning), stacklevel=4)
        y = np.asarray(y).ravel()
    return check_vector(y, name="y", n=n)


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
