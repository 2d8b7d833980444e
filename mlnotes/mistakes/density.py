"""Mistakes about the choice of a bandwidth, which would take the board too long at 100,000 points."""

from dataclasses import replace

import numpy as np

from mlnotes.mistakes import Change, Mistakes

MISTAKES = Mistakes("density")

MISTAKES.rows("select_bandwidth",
    ("Takes the largest score.", "cv-select kde-stone",
     Change(lambda search: replace(search, best=search.values[np.argmax(search.scores)]))),
    ("Leaves no point out, so that the smallest bandwidth wins.", "cv-select kde-stone",
     Change(lambda search: replace(search, best=min(search.values)))),
    ("Takes the fifteenth candidate, whatever the data.", "kde-stone",
     Change(lambda search: replace(search, best=search.values[min(14, len(search.values) - 1)]))),
)  # fmt: skip
