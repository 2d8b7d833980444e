"""Takes half of alpha with the one-sided update. Loses: boost."""

import math


def weight(err):
    return 0.5 * math.log((1 - err) / err)
