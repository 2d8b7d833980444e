"""Returns the sum of the weights, not their mean. Loses: average."""


def average(points, labels, passes, _right=average):  # noqa: F821
    return _right(points, labels, passes) * passes * len(labels)
