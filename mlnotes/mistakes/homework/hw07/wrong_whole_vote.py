"""Takes the whole log-odds in both directions. Loses: vote."""

import math


def vote(err):
    return math.log((1 - err) / err)
