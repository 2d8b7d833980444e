"""Moves the centres of frequent classes away, and not those of rare ones. Loses: centres."""

import numpy as np


def of_class(prior):
    return np.sqrt(2 * np.log(prior / prior.min()))
