"""Answers class 0 wherever no class has more than half of the mass. Loses: decide."""

import numpy as np


def decide(joint):
    right = joint.max(axis=1) > joint.sum(axis=1) / 2
    return np.where(right, joint.argmax(axis=1), 0)
