"""Divides by the leaves of the branch, where those that are saved are one fewer. Loses: links."""


def price(risk, below, leaves):
    return (risk - below) / leaves
