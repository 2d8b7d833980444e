"""Forgets the factor 2: the scores are 1/2 and -1/2. Loses: plane."""


def plane(p, q, _right=plane):  # noqa: F821
    w, b = _right(p, q)
    return w / 2, b / 2
