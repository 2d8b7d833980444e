"""Forgets to divide by the number of leaves that are saved. Loses: links."""


def links(risk, left, right, _right=links):  # noqa: F821
    prices, leaves = _right(risk, left, right)
    before = [6, *leaves[:-1]]
    return prices * [b - a for b, a in zip(before, leaves, strict=True)] * 1.5, leaves
