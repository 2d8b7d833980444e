"""Asks whether alpha could grow or shrink, not beta = alpha y. Loses: offsets."""


def offsets(alpha, labels, K, C):
    y = 2 * labels - 1
    r = y - K @ (y * alpha)
    return r[alpha < C].max(), r[alpha > 0].min()
