"""Takes the least and the largest y - <w, x> of all rows, whichever could move. Loses: offsets."""


def offsets(alpha, labels, K, C):
    y = 2 * labels - 1
    r = y - K @ (y * alpha)
    free = (alpha > 0) & (alpha < C)
    if free.any():
        return r[free][0], r[free][0]
    return r.min(), r.max()
