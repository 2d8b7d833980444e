"""Returns the best bandwidth, where its precision is asked for. Loses: search."""


def search(points, precisions, _right=search):  # noqa: F821
    scores, best = _right(points, precisions)
    return scores, 1 / best
