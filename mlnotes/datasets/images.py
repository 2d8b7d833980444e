"""Readers for images in files you own: MNIST, CIFAR-10 and CIFAR-100, plain or gzipped."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mlnotes.datasets.tables import Dataset, FilePath, contents

__all__ = ["read_cifar10", "read_cifar100", "read_mnist"]


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
        If a file has another magic number or length than its header states, or the two do not match.
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
    data, start = contents(path), 4 * (1 + ndim)
    (number,) = _big_endian(data, 1, path)
    if number != magic:
        kind = {2051: "images", 2049: "labels"}
        hint = f", that of {kind[number]}: are the paths swapped?" if number in kind else "."
        raise ValueError(f"{path}: magic number {magic} ({kind[magic]}) expected, {number} found{hint}")
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
        data = contents(path)
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
