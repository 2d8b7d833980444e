"""Takes the offset from the first support vector. Loses: offsets."""


def offsets(alpha, labels, K, C):
    y = 2 * labels - 1
    r = (y - K @ (y * alpha))[alpha > 0][0]
    return float(r), float(r)
