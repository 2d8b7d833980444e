"""Inflates the right rows. Loses: boost."""


def update(w, wrong, alpha, _right=update):  # noqa: F821
    return _right(w, ~wrong, alpha)
