"""Takes all classes for equally frequent. Loses: plugin."""


class PlugIn(PlugIn):  # noqa: F821
    def scores(self, X):
        return super().scores(X) - self.log_prior
