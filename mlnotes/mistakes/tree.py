"""A mistake about trees that is not in the reference module."""

from mlnotes.estimators.tree import choose_alpha
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("tree")


@mistake("choose_alpha", kills="price")
def _(model, X, y, folds):
    """Counts the errors on the observations that the trees of the folds were grown on."""
    return choose_alpha(model, X, y, [(rows, rows) for rows, _ in folds])
