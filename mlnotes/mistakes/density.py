"""Mistakes about the choice of a bandwidth, which would take the board too long at 100,000 points."""

from dataclasses import replace

import numpy as np

from mlnotes.estimators.density import select_bandwidth
from mlnotes.mistakes import Mistakes

MISTAKES = Mistakes("density")


def choosing(best):
    """Return a search that takes another one of the bandwidths that it has tried."""

    def wrong(*arguments, **options):
        search = select_bandwidth(*arguments, **options)
        return replace(search, best=best(search))

    return wrong


MISTAKES.rows("select_bandwidth",
    ("Takes the largest score.", "cv-select kde-stone",
     choosing(lambda search: search.values[np.argmax(search.scores)])),
    ("Leaves no point out, so that the smallest bandwidth wins.", "cv-select kde-stone",
     choosing(lambda search: min(search.values))),
    ("Takes the fifteenth candidate, whatever the data.", "kde-stone",
     choosing(lambda search: search.values[min(14, len(search.values) - 1)])),
)  # fmt: skip
