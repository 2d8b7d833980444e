"""Data for the lectures: laws with a known Bayes risk, small real tables, readers for files you own.

* **Laws** (`beers`, `coins`, `moons`, ...): `laws.known` and `laws.shapes`, offered here under one roof.
* **Real data**, bundled: ``load_*()`` returns a `Dataset`. Origins and licences: ``laws/data/README.md``.
* **Your own files**, plain or gzipped: `read_mnist`, `read_cifar10`, `read_cifar100`, `read_adult`,
  `read_csv`. Nothing is ever downloaded. A file cut short or of another kind is one clear ``ValueError``.

Notation: X (n, d) float64 (uint8 for images read from a file), y (n,) int64, class k is ``target_names[k]``.
"""

from __future__ import annotations

import csv
import gzip
import io
import math
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlnotes.laws.known import (
    BeersLaw,
    FiniteLaw,
    GaussianClasses,
    Law,
    beers,
    coins,
    gaussian_pair,
    random_finite_law,
    read_only,
    recitation_example,
)
from mlnotes.laws.mixtures import NormalMixture, gaussian_relative_mise, sample_size
from mlnotes.laws.shapes import NoisyCurves, Rings, Xor, moons, rings, spirals, xor

__all__ = [
    "ADULT_CATEGORIES",
    "BeersLaw",
    "Dataset",
    "FiniteLaw",
    "GaussianClasses",
    "Law",
    "NoisyCurves",
    "NormalMixture",
    "Rings",
    "Xor",
    "articles",
    "beers",
    "coins",
    "gaussian_pair",
    "gaussian_relative_mise",
    "load_adult",
    "load_ages_at_death",
    "load_breast_cancer",
    "load_digits",
    "load_faithful",
    "load_galaxies",
    "load_halley",
    "load_iris",
    "load_mnist_subset",
    "load_saheart",
    "load_wine",
    "moons",
    "random_finite_law",
    "read_adult",
    "read_cifar10",
    "read_cifar100",
    "read_csv",
    "read_mnist",
    "recitation_example",
    "rings",
    "sample_size",
    "spirals",
    "xor",
]

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
        What a row is, the units, the origin.
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


# ------------------------------------------------------------------- real data in the package


def load_iris() -> Dataset:
    """Return 150 irises of three species, 50 of each: length and width of sepal and petal in cm."""
    return _load(
        "iris", "150 irises of three species, lengths in cm. Anderson (1935), used by Fisher (1936)."
    )


def load_wine() -> Dataset:
    """Return 178 wines of three cultivars by 13 chemical measurements of very different scales."""
    return _load(
        "wine", "178 Italian wines of three cultivars, 13 measurements. Forina and others (1991), UCI."
    )


def load_breast_cancer() -> Dataset:
    """Return 569 tumours by 30 measurements of cell nuclei; 212 malignant (0), 357 benign (1)."""
    return _load(
        "breast_cancer",
        "569 breast tumours, 30 measurements of cell nuclei; 0 is malignant. Wolberg, Street and Mangasarian "
        "(1993), UCI.",
    )


def load_digits() -> Dataset:
    """Return 1,797 handwritten digits of 8 x 8 pixels, grey values 0 (paper) to 16 (ink)."""
    return _load(
        "digits", "1,797 digits of 8 x 8 pixels, grey values 0 to 16. Alpaydin and Kaynak (1998), UCI."
    )


def load_saheart() -> Dataset:
    """Return 462 men of the Western Cape, South Africa: nine risk factors; 160 with heart disease (1).

    famhist, a family history of heart disease, is 1 for present. The public coding of chd is 1 for *yes*.
    """
    return _load(
        "saheart",
        "462 South African men, coronary heart disease (1) or not (0). Rousseauw and others (1983), as in "
        "Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, section 4.4.2.",
    )


def load_adult() -> Dataset:
    """Return the training part of UCI Adult: 32,561 people, 7,841 with over 50,000 dollars a year (1).

    The 14 attributes without the census weight fnlwgt, as `read_adult` codes them: numbers as they are,
    category j of ``ADULT_CATEGORIES[name]`` as j, a missing entry ("?", in 2,399 rows) as -1.
    """
    return _load(
        "adult",
        "32,561 people of the US census of 1994, yearly income over $50K (1) or not (0). Categories by their "
        "place in ADULT_CATEGORIES, -1 is missing. Becker and Kohavi (1996), UCI Adult, training part.",
    )


def load_mnist_subset() -> Dataset:
    """Return 5,000 MNIST digits of 28 x 28 pixels, grey values 0 (paper) to 255 (ink), row by row.

    Every second image of the MNIST test set, so that both groups of writers, its two halves, take part.
    """
    return _load(
        "mnist",
        "5,000 handwritten digits of 28 x 28 pixels, grey values 0 to 255. LeCun, Cortes and Burges, MNIST, "
        "every second image of the test set.",
    )


def load_faithful() -> Dataset:
    """Return 272 eruptions of Old Faithful: how long each lasted and the wait for the next, in minutes."""
    return _load(
        "faithful",
        "272 eruptions of the Old Faithful geyser, in minutes. Azzalini and Bowman (1990), Haerdle (1991).",
    )


def load_galaxies(*, as_printed: bool = False) -> Dataset:
    """Return the velocities of 82 galaxies in km/s, shape (82, 1), increasing.

    The table that went round the textbooks has a misprint in row 78, 26,690 for 26,960. It is put right here,
    unless ``as_printed``.
    """
    data = _load("galaxies", "82 galaxies of the Corona Borealis region, velocity in km/s. Roeder (1990).")
    if as_printed:
        return data
    velocity = np.where(data.X == 26690, 26960, data.X)
    return Dataset(velocity, None, data.feature_names, (), data.description)


def load_ages_at_death() -> Dataset:
    r"""Return the law of the age at death in the USA, 2015, shape (120, 5); rows are ages 0 to 119.

    Columns: age; the probability q_x to die within a year, for men and for women of exact age x; and, derived
    from it, the share d_x of those born who die at age x, under the death probabilities of that one year:

    .. math:: d_x = q_x \prod_{u < x} (1 - q_u).

    The share still alive at 120 (2e-11 of the men, 1.5e-10 of the women) is counted in the last row, so both
    columns d sum to 1. With deaths half way through the year, sum_x (x + 1/2) d_x is the life expectancy.
    """
    table = _load(
        "ages_at_death",
        "Death probabilities and shares of deaths by age, USA 2015. Social Security Administration, Office "
        "of the Chief Actuary, period life table.",
    )
    q = table.X[:, 1:]  # (120, 2)
    alive = np.cumprod(np.vstack([np.ones(2), 1 - q]), axis=0)  # (121, 2): those who reach age x
    d = q * alive[:-1]
    d[-1] += alive[-1]
    names = (*table.feature_names, "deaths_men", "deaths_women")
    return Dataset(np.hstack([table.X, d]), None, names, (), table.description)


def load_halley() -> Dataset:
    """Return Halley's life table of Breslau: age 1 to 84, the living, the deaths, shape (84, 3).

    Of 1,238 born, 1,000 are in their first year and 20 in their 84th. Halley printed the living; the deaths
    of a row are the living of the row before (1,238 before the first) minus the living of this row.
    """
    return _load(
        "halley",
        "Age, living and deaths of 1,238 born in Breslau. Halley, Philosophical Transactions 17 (1693).",
    )


def articles() -> Dataset:
    """Return Shi's multi-label table: three articles (X is their number), y (3, 3) says yes (1) or no (0)."""
    y = np.array([[0, 1, 1], [0, 0, 1], [1, 0, 0]], dtype=np.int64)
    names = ("religion", "politics", "science")
    return Dataset(
        np.array([[1.0], [2.0], [3.0]]), y, ("article",), names, "Topics of three articles. Shi, Lecture 2."
    )


def _load(name: str, description: str) -> Dataset:
    stored = resources.files("mlnotes.laws").joinpath("data", f"{name}.npz").read_bytes()
    with np.load(io.BytesIO(stored), allow_pickle=False) as arrays:
        y = arrays["y"].astype(np.int64) if "y" in arrays else None
        return Dataset(
            arrays["X"].astype(np.float64),
            y,
            tuple(arrays["feature_names"].tolist()),
            tuple(arrays["target_names"].tolist()),
            description,
        )


# ------------------------------------------------------------------- images in files of the user


def read_mnist(images_path: FilePath, labels_path: FilePath) -> Dataset:
    """Read digits in MNIST's idx format, plain or gzipped.

    Parameters
    ----------
    images_path, labels_path : path
        Such as ``train-images-idx3-ubyte.gz`` and ``train-labels-idx1-ubyte.gz``.

    Returns
    -------
    Dataset
        X (n, rows * columns) uint8, row by row; convert before you subtract, bytes wrap around. y in 0..9.

    Raises
    ------
    ValueError
        If a file has another magic number or length than its header says, or the two do not match.
    """
    images, labels = _idx(images_path, 2051, 3), _idx(labels_path, 2049, 1)
    if len(images) != len(labels):
        raise ValueError(
            f"{len(images)} images found in {images_path}, but {len(labels)} labels in {labels_path}; "
            "one label for each image is expected."
        )
    _check_labels(labels, 10, labels_path)
    n, rows, columns = images.shape
    names = tuple(f"pixel_{i}_{j}" for i in range(rows) for j in range(columns))
    about = f"{n} digits of {rows} x {columns} pixels, grey values 0 to 255. Read from {images_path}."
    digits = tuple(str(k) for k in range(10))
    return Dataset(images.reshape(n, -1), labels.astype(np.int64), names, digits, about)


def _idx(path: FilePath, magic: int, ndim: int) -> NDArray[np.uint8]:
    """Return the bytes of an idx file as an array of ndim axes: big-endian magic number, sizes, data."""
    data, start = _bytes(path), 4 * (1 + ndim)
    (found,) = _big_endian(data, 1, path)
    if found != magic:
        kind = {2051: "images", 2049: "labels"}
        hint = f", that of {kind[found]}: are the paths swapped?" if found in kind else "."
        raise ValueError(f"{path}: magic number {magic} ({kind[magic]}) expected, {found} found{hint}")
    shape = _big_endian(data, 1 + ndim, path)[1:]
    expected = start + math.prod(shape)
    if len(data) != expected or not expected > start:
        raise ValueError(
            f"{path}: {len(data)} bytes found, {expected} expected for a header and "
            f"{' x '.join(map(str, shape))} bytes; the file is empty, cut short or too long."
        )
    return np.frombuffer(data, dtype=np.uint8, offset=start).reshape(shape)


def _big_endian(data: bytes, n: int, path: FilePath) -> list[int]:
    """Return the first n unsigned 4-byte integers of an idx header."""
    if len(data) < 4 * n:
        raise ValueError(f"{path}: {len(data)} bytes found, at least {4 * n} expected, an idx header.")
    return np.frombuffer(data, dtype=">u4", count=n).tolist()


CIFAR10_NAMES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")


def read_cifar10(paths: FilePath | Sequence[FilePath]) -> Dataset:
    """Read one or more files of CIFAR-10's binary version, plain or gzipped, one after the other.

    Returns
    -------
    Dataset
        X (n, 3072) uint8: 1,024 red, 1,024 green, 1,024 blue values, each row by row, so
        ``X[i].reshape(3, 32, 32)`` is an image; convert before you subtract, bytes wrap around. y in 0..9.

    Raises
    ------
    ValueError
        If a file's length is no multiple of 3,073 or a label is not below 10.
    """
    X, y = _cifar(paths, "CIFAR-10", (10,))
    return _images(X, y[:, 0], CIFAR10_NAMES, "CIFAR-10")


def read_cifar100(paths: FilePath | Sequence[FilePath], *, coarse: bool = False) -> Dataset:
    """Read one or more files of CIFAR-100's binary version, plain or gzipped.

    A record is a coarse label (0..19), a fine label (0..99) and 3,072 bytes of image as in `read_cifar10`. y
    is the fine label, or the coarse one on request; the file does not hold the names of the classes.

    Raises
    ------
    ValueError
        If a file's length is no multiple of 3,074 or a label is out of range.
    """
    X, y = _cifar(paths, "CIFAR-100", (20, 100))
    names = tuple(str(k) for k in range(20 if coarse else 100))
    return _images(X, y[:, 0 if coarse else 1], names, "CIFAR-100")


def _cifar(
    paths: FilePath | Sequence[FilePath], name: str, n_classes: tuple[int, ...]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return images (n, 3072) and labels (n, len(n_classes)) of all files."""
    files = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not files:
        raise ValueError("paths is empty; at least one file is required.")
    head = len(n_classes)
    size, tables = head + 3072, []
    for path in files:
        data = _bytes(path)
        if not data or len(data) % size:
            raise ValueError(
                f"{path}: {len(data)} bytes found, a positive multiple of {size} expected: a {name} "
                f"record has {head} label byte(s) and 3072 of image."
            )
        table = np.frombuffer(data, dtype=np.uint8).reshape(-1, size)
        for column, K in enumerate(n_classes):
            _check_labels(table[:, column], K, path)
        tables.append(table)
    whole = np.concatenate(tables)
    return whole[:, head:], whole[:, :head]


def _images(X: NDArray[np.uint8], y: NDArray[np.uint8], names: tuple[str, ...], source: str) -> Dataset:
    features = tuple(f"{c}_{i}_{j}" for c in ("red", "green", "blue") for i in range(32) for j in range(32))
    about = f"{len(X)} colour images of 32 x 32 pixels, values 0 to 255. Read from {source} binary files."
    return Dataset(X, y.astype(np.int64), features, names, about)


def _check_labels(labels: NDArray[np.uint8], K: int, path: FilePath) -> None:
    if labels.max() >= K:
        raise ValueError(f"{path}: label {labels.max()} found, labels 0 to {K - 1} expected.")


# ------------------------------------------------------------------- tables in files of the user

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
    if all(label.lstrip("+-").isdecimal() for label in distinct):
        distinct.sort(key=int)
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
        return _bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: text in UTF-8 expected, byte {error.start} is none.") from error


def _bytes(path: FilePath) -> bytes:
    """Return what a file holds, unpacked if it starts like a gzip file."""
    with open(path, "rb") as file:
        data = file.read()
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise ValueError(f"{path}: a whole gzip file expected, a damaged one found ({error}).") from error
