"""A mistake about data that is no line of a definition."""

from mlnotes.datasets.tables import ADULT_CATEGORIES
from mlnotes.mistakes import Mistakes

MISTAKES = Mistakes("datasets")
MISTAKES.add(
    "Categories in alphabetical order.",
    "adult",
    {"ADULT_CATEGORIES": {name: tuple(sorted(words)) for name, words in ADULT_CATEGORIES.items()}},
)
