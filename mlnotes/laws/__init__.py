"""Where data come from: laws with known truth, shapes, mixtures (here), `datasets`; `programs`, `losses`."""

from mlnotes.laws.beers import BeersLaw, beers
from mlnotes.laws.finite import FiniteLaw, random_finite_law
from mlnotes.laws.gaussian import GaussianClasses, coins, gaussian_pair, recitation_example
from mlnotes.laws.law import Law, normal_cdf
from mlnotes.laws.quadrature import risk_on_grid
from mlnotes.laws.shapes import NoisyCurves, Rings, Xor, moons, rings, spirals, xor

__all__ = [
    "BeersLaw", "FiniteLaw", "GaussianClasses", "Law", "NoisyCurves", "Rings", "Xor", "beers", "coins",
    "gaussian_pair", "moons", "normal_cdf", "random_finite_law", "recitation_example", "rings",
    "risk_on_grid", "spirals", "xor",
]  # fmt: skip
