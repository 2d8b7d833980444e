"""Divides by one visit more: the zero weights of the start do not count. Loses: average."""


def average(points, labels, passes, _right=average):  # noqa: F821
    visits = passes * len(labels)
    return _right(points, labels, passes) * visits / (visits + 1)
