"""Leaves the log-determinant out of the score. Loses: Quadratic."""


class Quadratic(Quadratic):  # noqa: F821
    def log_det(self, S):
        return 0.0
