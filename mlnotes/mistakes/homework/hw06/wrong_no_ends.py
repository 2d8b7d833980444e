"""Does not choose the first or the last candidate. Loses: search."""


def search(points, precisions, _right=search):  # noqa: F821
    scores, best = _right(points, precisions)
    return scores, precisions[1:-1][scores[1:-1].argmin()] if len(scores) > 2 else best
