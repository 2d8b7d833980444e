"""Where data come from: laws with known truth, shapes, mixtures (here), and data sets (`laws.datasets`)."""

from mlnotes.laws.known import (
    BeersLaw,
    FiniteLaw,
    GaussianClasses,
    Law,
    beers,
    coins,
    gaussian_pair,
    normal_cdf,
    random_finite_law,
    recitation_example,
    risk_on_grid,
)
from mlnotes.laws.shapes import NoisyCurves, Rings, Xor, moons, rings, spirals, xor

__all__ = [
    "BeersLaw",
    "FiniteLaw",
    "GaussianClasses",
    "Law",
    "NoisyCurves",
    "Rings",
    "Xor",
    "beers",
    "coins",
    "gaussian_pair",
    "moons",
    "normal_cdf",
    "random_finite_law",
    "recitation_example",
    "rings",
    "risk_on_grid",
    "spirals",
    "xor",
]
