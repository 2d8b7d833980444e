"""Exchanges the rows whose beta could grow and those whose beta could shrink. Loses: offsets."""


def offsets(alpha, labels, K, C):
    y = 2 * labels - 1
    r = y - K @ (y * alpha)
    grows = ((y > 0) & (alpha < C)) | ((y < 0) & (alpha > 0))
    shrinks = ((y > 0) & (alpha > 0)) | ((y < 0) & (alpha < C))
    return r[shrinks].max(), r[grows].min()
