"""Takes the least and the largest offset of the support vectors. Loses: offsets."""


def offsets(alpha, labels, K, C):
    y = 2 * labels - 1
    r = (y - K @ (y * alpha))[alpha > 0]
    return float(r.min()), float(r.max())
