"""Forgets to divide by the number of leaves that are saved. Loses: links."""


def price(risk, below, leaves):
    return risk - below
