"""Takes the mean of the slacks. Loses: Machine."""


class Machine(Machine):  # noqa: F821
    def fit(self, X, labels):
        C, self.C = self.C, self.C / len(X)
        super().fit(X, labels)
        self.C = C
