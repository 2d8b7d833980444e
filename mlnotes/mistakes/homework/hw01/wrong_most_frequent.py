"""Answers the most frequent class everywhere, whatever x. Loses: decide."""

import numpy as np


def decide(joint):
    return np.full(len(joint), joint.sum(axis=0).argmax())
