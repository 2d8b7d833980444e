"""Has a wrong sign in the integration by parts: mu_2 exceeds c^2, which no kernel on |x| < c can. Loses:
cosine."""

import math


def cosine(radius, curvature, n_points):
    R, mu = math.pi**2 / (16 * radius), radius**2 * (1 + 8 / math.pi**2)
    return R, mu, (R / (mu**2 * curvature * n_points)) ** 0.2
