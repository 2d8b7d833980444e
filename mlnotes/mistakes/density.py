"""Mistakes about densities that are no line of the board, or would take the board too long."""

import math
from dataclasses import replace

import numpy as np

from mlnotes.laws import mixtures
from mlnotes.mistakes import Change, Mistakes

mistake = MISTAKES = Mistakes("density")

mistake.rows("select_bandwidth",
    ("Takes the largest score.", "cv-select kde-stone",
     Change(lambda search: replace(search, best=search.values[np.argmax(search.scores)]))),
    ("Leaves no point out, so that the smallest bandwidth wins.", "cv-select kde-stone",
     Change(lambda search: replace(search, best=min(search.values)))),
    ("Takes the fifteenth candidate, whatever the data.", "kde-stone",
     Change(lambda search: replace(search, best=search.values[min(14, len(search.values) - 1)]))),
)  # fmt: skip
mistake.rows("NormalMixture.risk",
    ("Takes 1/(nh) R(K) for the variance, as in the limit.", "mise", lambda self, bandwidth, n:
        (mixtures.NormalMixture.risk(self, bandwidth, n)[0], 0.5 / (math.sqrt(math.pi) * n * bandwidth))),
    ("Smooths once where the square needs it twice.", "mise",
     lambda self, bandwidth, n: mixtures.NormalMixture.risk(self, bandwidth / math.sqrt(2), n)),
)  # fmt: skip
mistake.rows("NormalMixture.integrated_squared_error",
    ("Forgets int f^2.", "cv-risk", lambda self, x, bandwidth:
        mixtures.NormalMixture.integrated_squared_error(self, x, bandwidth) - self.roughness()),
    ("Forgets the 2 of the cross term.", "cv-risk", lambda self, x, bandwidth:
        mixtures.NormalMixture.integrated_squared_error(self, x, bandwidth)
        + self._smoothed(np.asarray(x, dtype=float), bandwidth).mean()),
)  # fmt: skip
mistake.rows("sample_size",
    ("Believes that every dimension needs as many points as one.", "kde-curse erratum-y36",
     lambda d, error=0.1: d * mixtures.sample_size(1, error)),
)  # fmt: skip
mistake.rows("gaussian_relative_mise", ("Lets the error itself grow exponentially.", "erratum-y36",
    lambda bandwidth, n, d: mixtures.gaussian_relative_mise(bandwidth, n, d) * 2**d))  # fmt: skip
