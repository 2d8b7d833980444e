"""Divides by the leaves of the branch, where those that are saved are one fewer. Loses: links."""

import numpy as np


def links(risk, left, right):
    left, prices, counts = left.copy(), [], []

    def below(t):
        if left[t] < 0:
            return np.array([risk[t], 1])
        return below(left[t]) + below(right[t])

    def alive(t):
        return [] if left[t] < 0 else [t, *alive(left[t]), *alive(right[t])]

    while left[0] >= 0:
        g = {t: (risk[t] - below(t)[0]) / below(t)[1] for t in alive(0)}
        weakest = min(g, key=g.get)
        prices.append(g[weakest])
        left[weakest] = -1
        counts.append(int(below(0)[1]))
    return np.array(prices), np.array(counts)
