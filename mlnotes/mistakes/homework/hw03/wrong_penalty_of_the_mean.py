"""Minimises the mean of the losses plus the penalty: that is n times too strong here. Loses: Logistic."""


class Logistic(Logistic):  # noqa: F821
    def learn(self, points, signs):
        self.strength *= len(points)
        super().learn(points, signs)
