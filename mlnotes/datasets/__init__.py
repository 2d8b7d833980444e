"""Where data come from: distributions with known Bayes risk, and small real tables.

* **Distributions** (`beers`, `coins`, `moons`, ...): what a classifier can reach at best is known.
* **Real data**, bundled: ``load_*()`` returns a `Dataset`. Origins and licences: ``datasets/data/README.md``.
* **Your own files**, plain or gzipped: `read_mnist`, `read_cifar10`, `read_cifar100`, `read_adult`,
  `read_csv`. Nothing is ever downloaded. A file cut short or of another kind is one clear ``ValueError``.

Notation: X (n, d) float64 (uint8 for images read from a file), y (n,) int64, class k is ``target_names[k]``.
"""

from mlnotes.datasets.bayes_risk import risk_on_grid
from mlnotes.datasets.distribution import Distribution, normal_cdf
from mlnotes.datasets.exponential import BeersDistribution, beers
from mlnotes.datasets.finite import FiniteDistribution, random_finite_distribution
from mlnotes.datasets.gaussian import GaussianClasses, coins, gaussian_pair, recitation_example
from mlnotes.datasets.images import read_cifar10, read_cifar100, read_mnist
from mlnotes.datasets.loaders import (
    articles,
    load_adult,
    load_ages_at_death,
    load_breast_cancer,
    load_digits,
    load_faithful,
    load_galaxies,
    load_halley,
    load_iris,
    load_mnist_subset,
    load_saheart,
    load_wine,
)
from mlnotes.datasets.mixtures import NormalMixture, gaussian_relative_mise, sample_size
from mlnotes.datasets.shapes import NoisyCurves, Rings, Xor, moons, rings, spirals, xor
from mlnotes.datasets.tables import ADULT_CATEGORIES, Dataset, read_adult, read_csv

__all__ = [
    "ADULT_CATEGORIES", "BeersDistribution", "Dataset", "Distribution", "FiniteDistribution",
    "GaussianClasses", "NoisyCurves", "NormalMixture", "Rings", "Xor", "articles", "beers", "coins",
    "gaussian_pair", "gaussian_relative_mise", "load_adult", "load_ages_at_death", "load_breast_cancer",
    "load_digits", "load_faithful", "load_galaxies", "load_halley", "load_iris", "load_mnist_subset",
    "load_saheart", "load_wine", "moons", "normal_cdf", "random_finite_distribution", "read_adult",
    "read_cifar10", "read_cifar100", "read_csv", "read_mnist", "recitation_example", "rings", "risk_on_grid",
    "sample_size", "spirals", "xor",
]  # fmt: skip
