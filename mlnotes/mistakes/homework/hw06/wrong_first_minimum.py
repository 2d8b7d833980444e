"""Stops at the first candidate that is worse than the one before it. Loses: search."""


def search(points, precisions, _right=search):  # noqa: F821
    scores, best = _right(points, precisions)[0], 0
    while best + 1 < len(scores) and scores[best + 1] <= scores[best]:
        best += 1
    return scores, precisions[best]
