"""Takes full steps of Newton's method: not halved, they run away. Loses: Logistic."""


class Logistic(Logistic):  # noqa: F821
    steps = 13  # after more of them the Hessian is singular

    def loss(self, A, signs, ridge, v):
        return 0.0
