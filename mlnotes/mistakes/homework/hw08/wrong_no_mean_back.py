"""Forgets the mean on the way back. Loses: Reduction."""


class Reduction(Reduction):  # noqa: F821
    def decode(self, Z):
        return Z @ self.V.T
