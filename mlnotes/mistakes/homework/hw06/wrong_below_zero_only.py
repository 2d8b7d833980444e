"""Starts the search at 0: where all scores are positive, no candidate is less. Loses: search."""


def search(points, precisions, _right=search):  # noqa: F821
    scores, best = _right(points, precisions)
    return scores, best if scores.min() < 0 else precisions[0]
