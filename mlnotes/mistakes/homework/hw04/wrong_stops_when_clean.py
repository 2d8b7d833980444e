"""Stops at a pass without a mistake, and divides by the visits until then. Loses: average."""

import numpy as np


def average(points, labels, passes):
    rows = (points * labels).T
    w, kept = np.zeros(len(points)), []
    for _ in range(passes):
        before = w
        for z in rows:
            w = w + z * wrong(z @ w)  # noqa: F821
            kept.append(w)
        if (w == before).all():
            break
    return np.mean(kept, axis=0)
