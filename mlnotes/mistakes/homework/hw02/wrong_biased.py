"""Divides by n_k. Loses: Quadratic."""


class Quadratic(Quadratic):  # noqa: F821
    divisor_lost = 0
