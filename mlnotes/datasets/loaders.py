"""Small real tables, bundled with the package: ``load_*()`` returns a `Dataset`.

Origins and licences: ``datasets/data/README.md``.
"""

from __future__ import annotations

import io
from importlib import resources

import numpy as np

from mlnotes.datasets.tables import Dataset


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
    category j of ``ADULT_CATEGORIES[name]`` as j, a missing entry ("?", for 2,399 people) as -1.
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
    r"""Return the distribution of the age at death in the USA, 2015, shape (120, 5); rows are ages 0 to 119.

    Columns: age; the probability q_x to die within a year, for men and for women of exact age x; and, derived
    from it, the proportion d_x of those born who die at age x, under the death probabilities of that one
    year:

    .. math:: d_x = q_x \prod_{u < x} (1 - q_u).

    The proportion still alive at 120 (2e-11 of the men, 1.5e-10 of the women) is counted in the last row, so
    both columns d sum to 1. With deaths half way through the year, sum_x (x + 1/2) d_x is the life
    expectancy.
    """
    table = _load(
        "ages_at_death",
        "Death probabilities and proportions of deaths by age, USA 2015. Social Security Administration, "
        "Office of the Chief Actuary, period life table.",
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
    stored = resources.files("mlnotes.datasets").joinpath("data", f"{name}.npz").read_bytes()
    with np.load(io.BytesIO(stored), allow_pickle=False) as arrays:
        y = arrays["y"].astype(np.int64) if "y" in arrays else None
        return Dataset(
            arrays["X"].astype(np.float64),
            y,
            tuple(arrays["feature_names"].tolist()),
            tuple(arrays["target_names"].tolist()),
            description,
        )
