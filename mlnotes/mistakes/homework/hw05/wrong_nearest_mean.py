"""Takes the difference of the class means. Loses: Machine."""


class Machine(Machine):  # noqa: F821
    def fit(self, X, labels):
        p, q = X[labels == 1].mean(axis=0), X[labels == 0].mean(axis=0)
        self.w, self.b = plane(p, q)  # noqa: F821
