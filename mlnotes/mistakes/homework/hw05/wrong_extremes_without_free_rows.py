"""Takes the least and the largest y - <w, x> where no row is free, whichever could move. Loses: offsets."""


def offsets(alpha, labels, K, C):
    y = 2 * labels - 1
    r = y - K @ (y * alpha)
    return r.min(), r.max()
