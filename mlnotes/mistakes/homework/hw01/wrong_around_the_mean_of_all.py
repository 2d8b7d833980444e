"""Takes the covariances around the mean of all rows, and not around the mean of the class. Loses: plugin."""


class PlugIn(PlugIn):  # noqa: F821
    def fit(self, X, y):
        super().fit(X, y)
        gaps = self.means - X.mean(axis=0)
        self.covariances = self.covariances + gaps[:, :, None] * gaps[:, None]
