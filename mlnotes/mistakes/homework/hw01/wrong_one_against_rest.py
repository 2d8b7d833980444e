"""Answers the last class whenever no class has half of the mass. Loses: decide."""

import numpy as np


def decide(joint):
    share = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)
    return np.where(share.max(axis=1) >= 0.5, share.argmax(axis=1), joint.shape[1] - 1)
