"""Whitens the coordinates, and undoes it on the way back. Loses: Reduction."""


class Reduction(Reduction):  # noqa: F821
    def learn(self, X):
        super().learn(X)
        self.scale = ((X - self.mean) @ self.V).std(axis=0, ddof=1)

    def encode(self, X):
        return super().encode(X) / self.scale

    def decode(self, Z):
        return super().decode(Z * self.scale)
