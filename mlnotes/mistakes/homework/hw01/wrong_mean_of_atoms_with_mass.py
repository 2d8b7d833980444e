"""Averages the chance of an error over the atoms, without their mass; empty ones count as right. Loses:
errors."""

import numpy as np


def error_probability(rule, joint):
    mass = joint.sum(axis=1)
    wrong = mass - joint[np.arange(len(rule)), rule]
    return (wrong / np.where(mass > 0, mass, 1)).mean()
