"""Penalises with lambda in place of half of it. Loses: Logistic."""


class Logistic(Logistic):  # noqa: F821
    def __init__(self, strength):
        super().__init__(2 * strength)
