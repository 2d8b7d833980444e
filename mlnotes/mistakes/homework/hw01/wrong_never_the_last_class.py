"""Never answers the last class. Loses: decide."""


def decide(joint):
    return joint[:, : max(1, joint.shape[1] - 1)].argmax(axis=1)
