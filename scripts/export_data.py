"""Rebuild the bundled data files from scikit-learn's tables and from the original files.

    python scripts/export_data.py --scikit-learn
    python scripts/export_data.py --mnist t10k-images-idx3-ubyte.gz t10k-labels-idx1-ubyte.gz
    python scripts/export_data.py --adult adult.data.gz --saheart saheart.csv.gz --galaxies galaxies.csv.gz
    python scripts/export_data.py --faithful faithful.csv.gz --halley halley_life_table_1693.csv.gz
    python scripts/export_data.py --ages-at-death us_death_prob_2015.csv.gz

Only what is named is written, to mlnotes/datasets/data or to ``--out``. The same input gives the same arrays,
stored byte for byte alike and without dates; how zlib packs them depends on its version.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.datasets import Dataset, read_adult, read_csv, read_mnist

OUT = Path(__file__).resolve().parents[1] / "mlnotes" / "datasets" / "data"


def save(out: Path, name: str, X: ArrayLike, y: ArrayLike | None, features: Sequence[str],
         targets: Sequence[str] = ()) -> None:  # fmt: skip
    """Write ``name.npz`` with the arrays that `mlnotes.datasets.loaders` loads; no pickle."""
    arrays: dict[str, Any] = {"X": np.asarray(X)}
    if y is not None:
        arrays["y"] = np.asarray(y, dtype=np.uint8)
    arrays["feature_names"] = np.array(features, dtype=str)
    arrays["target_names"] = np.array(targets, dtype=str)
    path = out / f"{name}.npz"
    np.savez_compressed(path, **arrays)
    print(f"{path.stat().st_size:9,} bytes  {path}")


def save_scikit_learn(out: Path) -> None:
    """Write the four tables that scikit-learn bundles; the grey values of digits as bytes."""
    from sklearn import datasets

    for name in ("iris", "wine", "breast_cancer", "digits"):
        table = getattr(datasets, f"load_{name}")()
        X = table.data.astype(np.uint8) if name == "digits" else table.data
        save(out, name, X, table.target, table.feature_names, [str(t) for t in table.target_names])


def save_table(out: Path, name: str, data: Dataset, targets: Sequence[str] = ()) -> None:
    """Write a table that was read from a csv file."""
    save(out, name, data.X, data.y, data.feature_names, targets)


def save_ages_at_death(out: Path, path: str) -> None:
    """Write age and the death probabilities of men and women side by side, from one row per age and sex."""
    long = read_csv(path, categories={"sex": ("Male", "Female")}).X  # (240, 3): age, sex, prob
    men, women = long[long[:, 1] == 0], long[long[:, 1] == 1]
    if not np.array_equal(men[:, 0], women[:, 0]):
        raise ValueError(f"{path}: the ages of men and women differ.")
    names = ("age", "death_probability_men", "death_probability_women")
    save(out, "ages_at_death", np.column_stack([men[:, 0], men[:, 2], women[:, 2]]), None, names)


def save_halley(out: Path, path: str) -> None:
    """Write age, living and deaths; the quotients of the file follow from them, and its last one is empty."""
    text = np.genfromtxt(path, delimiter=",", names=True, encoding="utf-8")
    X = np.column_stack([text["age"], text["number"], text["deaths"]]).astype(np.uint16)
    save(out, "halley", X, None, ("age", "living", "deaths"))


def save_adult(out: Path, path: str) -> None:
    """Write the integer-coded training part of UCI Adult."""
    data = read_adult(path)
    save(out, "adult", data.X.astype(np.int32), data.y, data.feature_names, data.target_names)


def save_mnist(out: Path, images: str, labels: str) -> None:
    """Write every second image: both halves of the test set, which are two groups of writers."""
    data = read_mnist(images, labels)
    assert data.y is not None
    save(out, "mnist", data.X[::2], data.y[::2], data.feature_names, data.target_names)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write what the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--scikit-learn", action="store_true", help="iris, wine, breast cancer, digits")
    parser.add_argument("--mnist", nargs=2, metavar=("IMAGES", "LABELS"))
    for name in ("adult", "saheart", "faithful", "galaxies", "halley", "ages-at-death"):
        parser.add_argument(f"--{name}", metavar="FILE")
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    if given.scikit_learn:
        save_scikit_learn(given.out)
    if given.mnist:
        save_mnist(given.out, *given.mnist)
    if given.adult:
        save_adult(given.out, given.adult)
    if given.saheart:
        categories = {"famhist": ("Absent", "Present")}
        data = read_csv(given.saheart, target="chd", categories=categories)
        save_table(given.out, "saheart", data, ("no heart disease", "heart disease"))
    if given.faithful:
        save_table(given.out, "faithful", read_csv(given.faithful))
    if given.galaxies:
        save(given.out, "galaxies", read_csv(given.galaxies).X, None, ("velocity",))
    if given.halley:
        save_halley(given.out, given.halley)
    if given.ages_at_death:
        save_ages_at_death(given.out, given.ages_at_death)


if __name__ == "__main__":
    main()
