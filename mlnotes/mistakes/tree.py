"""A mistake about trees that is no line of the board."""

from mlnotes.estimators.tree import choose_alpha
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("tree")


@mistake("choose_alpha", kills="price")
def _(model, X, y, folds):
    """Counts the errors on the rows that the trees of the folds grew from."""
    return choose_alpha(model, X, y, [(rows, rows) for rows, _ in folds])
