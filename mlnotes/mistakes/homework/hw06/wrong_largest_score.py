"""Takes the largest score. Loses: search."""


def search(points, precisions, _right=search):  # noqa: F821
    scores, _ = _right(points, precisions)
    return scores, precisions[scores.argmax()]
