"""Mistakes about trees that are no line of the board."""

from dataclasses import replace

from mlnotes.estimators.tree import choose_alpha
from mlnotes.mistakes import Change, Mistakes

mistake = MISTAKES = Mistakes("tree")

mistake.rows("load_saheart",
    ("Reads the coding as the slide prints it: 0 for disease.", "saheart-figure erratum-y44",
     Change(lambda data: replace(data, y=1 - data.y))),
)  # fmt: skip
mistake.rows("choose_alpha",
    ("Counts the errors on the rows that the trees of the folds grew from.", "price",
     lambda model, X, y, folds: choose_alpha(model, X, y, [(rows, rows) for rows, _ in folds])),
)  # fmt: skip
