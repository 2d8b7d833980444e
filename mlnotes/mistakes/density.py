"""Mistakes about the constants of kernels, and about the choice of a bandwidth from many observations."""

import math

import numpy as np

from mlnotes.density import EPANECHNIKOV, GAUSSIAN, normal_density
from mlnotes.estimators.density import select_bandwidth
from mlnotes.mistakes import Mistakes

MISTAKES = Mistakes("density")

MISTAKES.add(
    "Takes K(0) for R(K).",
    "kde-gaussian kde-kernel erratum-y29",
    {"GAUSSIAN": GAUSSIAN._replace(roughness=normal_density(0))},
)
MISTAKES.add(
    "Has N(0, 1) for K * K.", "kde-gaussian", {"GAUSSIAN": GAUSSIAN._replace(self_convolution=normal_density)}
)
MISTAKES.add(
    "Takes 3/5, that of the kernel on [-1, 1], for R(K).",
    "kde-epanechnikov kde-kernel",
    {"EPANECHNIKOV": EPANECHNIKOV._replace(roughness=3 / 5)},
)
MISTAKES.add(
    "Uses the kernel on [-1, 1] in place of the notes'.",
    "kde-epanechnikov kde-cv-formula",
    {
        "EPANECHNIKOV": EPANECHNIKOV._replace(
            density=lambda u: math.sqrt(5) * EPANECHNIKOV.density(math.sqrt(5) * np.asarray(u)),
            self_convolution=lambda u: math.sqrt(5) * EPANECHNIKOV.self_convolution(math.sqrt(5) * u),
        )
    },
)


def choosing(best):
    """Return a selection that takes another one of the bandwidths that it has tried."""

    def wrong(x, candidates=None):
        return best(select_bandwidth(x, candidates))

    return wrong


MISTAKES.rows("select_bandwidth",
    ("Takes the largest score of all.", "cv-select kde-stone",
     choosing(lambda search: search.values[np.argmax(search.scores)])),
    ("Leaves no point out, so that the smallest bandwidth wins.", "cv-select kde-stone",
     choosing(lambda search: min(search.values))),
    ("Takes the fifteenth candidate, whatever the data.", "kde-stone",
     choosing(lambda search: search.values[min(14, len(search.values) - 1)])),
)  # fmt: skip
