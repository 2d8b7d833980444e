"""A data set, and readers for tables in files you own: CSV, and UCI Adult.

Nothing is ever downloaded. A file cut short or of another kind is one clear ``ValueError``.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import math
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlnotes.datasets.distribution import read_only

__all__ = ["ADULT_CATEGORIES", "Dataset", "read_adult", "read_csv"]

FilePath = str | os.PathLike[str]


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A table with its names and its origin. The arrays are read-only: copy before you change them.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        float64; uint8 for images read from a file.
    y : ndarray of int64, shape (n,), or None
        Class k stands for ``target_names[k]``. None where there is nothing to predict. `articles` has a
        column of zeros and ones per label.
    feature_names : tuple of d str
    target_names : tuple of K str
    description : str
        What an observation is, the units, the origin.
    """

    X: NDArray[Any]
    y: NDArray[np.int64] | None
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]
    description: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "X", read_only(self.X))
        if self.y is not None:
            object.__setattr__(self, "y", read_only(self.y))

    def __repr__(self) -> str:
        labels = "no y" if self.y is None else f"y {self.y.shape}"
        return f"<Dataset: X {self.X.shape}, {labels}. {self.description.partition('. ')[0]}>"


def contents(path: FilePath) -> bytes:
    """Return what a file holds, unpacked if it starts like a gzip file."""
    with open(path, "rb") as file:
        data = file.read()
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise ValueError(f"{path}: a whole gzip file expected, a damaged one found ({error}).") from error


ADULT_CATEGORIES: dict[str, tuple[str, ...]] = {
    "workclass": (
        "Private", "Self-emp-not-inc", "Self-emp-inc", "Federal-gov", "Local-gov", "State-gov", "Without-pay",
        "Never-worked",
    ),
    "education": (
        "Bachelors", "Some-college", "11th", "HS-grad", "Prof-school", "Assoc-acdm", "Assoc-voc", "9th",
        "7th-8th", "12th", "Masters", "1st-4th", "10th", "Doctorate", "5th-6th", "Preschool",
    ),
    "marital-status": (
        "Married-civ-spouse", "Divorced", "Never-married", "Separated", "Widowed", "Married-spouse-absent",
        "Married-AF-spouse",
    ),
    "occupation": (
        "Tech-support", "Craft-repair", "Other-service", "Sales", "Exec-managerial", "Prof-specialty",
        "Handlers-cleaners", "Machine-op-inspct", "Adm-clerical", "Farming-fishing", "Transport-moving",
        "Priv-house-serv", "Protective-serv", "Armed-Forces",
    ),
    "relationship": ("Wife", "Own-child", "Husband", "Not-in-family", "Other-relative", "Unmarried"),
    "race": ("White", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other", "Black"),
    "sex": ("Female", "Male"),
    "native-country": (
        "United-States", "Cambodia", "England", "Puerto-Rico", "Canada", "Germany",
        "Outlying-US(Guam-USVI-etc)", "India", "Japan", "Greece", "South", "China", "Cuba", "Iran",
        "Honduras", "Philippines", "Italy", "Poland", "Jamaica", "Vietnam", "Mexico", "Portugal",
        "Ireland", "France", "Dominican-Republic", "Laos", "Ecuador", "Taiwan", "Haiti", "Columbia",
        "Hungary", "Guatemala", "Nicaragua", "Scotland", "Thailand", "Yugoslavia", "El-Salvador",
        "Trinadad&Tobago", "Peru", "Hong", "Holand-Netherlands",
    ),
}  # fmt: skip

ADULT_ATTRIBUTES = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
    "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country",
)  # fmt: skip

ADULT_INCOMES = ("<=50K", ">50K")


def read_adult(path: FilePath, *, fnlwgt: bool = False) -> Dataset:
    """Read ``adult.data`` or ``adult.test`` of the UCI repository, plain or gzipped.

    Parameters
    ----------
    path : path
        Lines of 14 attributes and the income, with commas. Empty lines and comments ("|", as the test file
        begins) are skipped, and so is the full stop after the incomes of the test file.
    fnlwgt : bool
        Whether to keep the census weight; without it the columns are those of `load_adult`.

    Returns
    -------
    Dataset
        X (n, 13) or (n, 14) float64: category j of ``ADULT_CATEGORIES[name]`` is j, a missing entry ("?") is
        -1. y is 1 for ">50K".

    Raises
    ------
    ValueError
        If a line has another number of fields, an unknown category or no number where one belongs.
    """
    X, y = [], []
    for where, line in _lines(path):
        if not line.strip() or line.startswith("|"):
            continue
        *fields, income = (field.strip() for field in line.split(","))
        if len(fields) != len(ADULT_ATTRIBUTES):
            raise ValueError(f"{where}: {len(fields) + 1} fields found, 15 expected.")
        codes = zip(ADULT_ATTRIBUTES, fields, strict=True)
        X.append([_value(field, name, ADULT_CATEGORIES, where, missing="?") for name, field in codes])
        y.append(_value(income.removesuffix("."), "income", {"income": ADULT_INCOMES}, where))
    if not X:
        raise ValueError(f"{path}: no rows found, at least one line of 15 fields expected.")
    keep = [j for j, name in enumerate(ADULT_ATTRIBUTES) if fnlwgt or name != "fnlwgt"]
    names = tuple(ADULT_ATTRIBUTES[j] for j in keep)
    about = f"{len(X)} people, yearly income over $50K (1) or not (0). Read from {path}."
    return Dataset(np.array(X)[:, keep], np.array(y, dtype=np.int64), names, ADULT_INCOMES, about)


def read_csv(
    path: FilePath, target: str | None = None, *, categories: Mapping[str, Sequence[str]] | None = None
) -> Dataset:
    """Read a table with a header line and commas, plain or gzipped, in UTF-8.

    Parameters
    ----------
    path : path
    target : str, optional
        The column to predict. Its labels may be any text; y numbers them in sorted order.
    categories : mapping of str to sequence of str, optional
        For columns that are not numbers: the words that may occur, coded 0, 1, 2, ... in this order.

    Returns
    -------
    Dataset
        X float64 with all columns but the target, y int64 or None.

    Raises
    ------
    ValueError
        If a line has another number of fields than the header, an entry is missing or no finite number, or a
        column is not there.

    Notes
    -----
    South African heart disease, for example::

        read_csv("saheart.csv", target="chd", categories={"famhist": ("Absent", "Present")})
    """
    lines = [(where, fields) for where, fields in _csv_rows(path) if fields]
    if len(lines) < 2:
        raise ValueError(f"{path}: {len(lines)} lines found, a header and at least one row expected.")
    header, words = lines[0][1], dict(categories or {})
    for name in ([] if target is None else [target]) + list(words):
        if header.count(name) != 1:
            raise ValueError(
                f"{path}: column {name!r} found {header.count(name)} times, once expected; the header is "
                f"{', '.join(header)}."
            )
    features = [j for j, name in enumerate(header) if name != target]
    X: list[list[float]] = []
    labels: list[str] = []
    for where, fields in lines[1:]:
        if len(fields) != len(header):
            raise ValueError(f"{where}: {len(fields)} fields found, {len(header)} expected as in the header.")
        X.append([_value(fields[j], header[j], words, where) for j in features])
        labels.extend(field for field, name in zip(fields, header, strict=True) if name == target)
    names, y = _number(labels) if target is not None else ((), None)
    about = f"{len(X)} rows. Read from {path}."
    return Dataset(np.array(X, dtype=np.float64), y, tuple(header[j] for j in features), names, about)


def _number(labels: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the distinct labels, sorted (as numbers, if they all are), and the place of each label."""
    distinct = sorted(set(labels))
    with contextlib.suppress(ValueError):
        distinct = sorted(distinct, key=int)
    place = {label: k for k, label in enumerate(distinct)}
    return tuple(distinct), np.array([place[label] for label in labels], dtype=np.int64)


def _value(
    field: str, name: str, categories: Mapping[str, Sequence[str]], where: str, missing: str | None = None
) -> float:
    """Return the code of a category, or the number that a field holds."""
    if name in categories:
        if field == missing:
            return -1.0
        if field not in categories[name]:
            raise ValueError(f"{where}: {name} is {field!r}, one of {', '.join(categories[name])} expected.")
        return float(categories[name].index(field))
    try:
        value = float(field)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{where}: {name} is {field!r}, a finite number expected.")
    return value


def _csv_rows(path: FilePath) -> Iterator[tuple[str, list[str]]]:
    reader = csv.reader(io.StringIO(_text(path), newline=""), skipinitialspace=True, strict=True)
    try:
        for fields in reader:
            yield f"{path}, line {reader.line_num}", [field.strip() for field in fields]
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}: {error}.") from error


def _lines(path: FilePath) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(_text(path).splitlines(), start=1):
        yield f"{path}, line {number}", line


def _text(path: FilePath) -> str:
    try:
        return contents(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: text in UTF-8 expected, byte {error.start} is none.") from error
