"""Forgets the risk that the branch has itself. Loses: links."""


def price(risk, below, leaves):
    return risk / (leaves - 1)
