"""Divides by 2h in the exponent: H is h^2 I, a covariance. Loses: Sorter."""

import math


class Sorter(Sorter):  # noqa: F821
    def __init__(self, bandwidth):
        self.h = math.sqrt(bandwidth)
