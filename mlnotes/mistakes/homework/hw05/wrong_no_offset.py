"""Fits a plane through the origin. Loses: Machine."""


class Machine(Machine):  # noqa: F821
    def offset(self):
        return 0.0
