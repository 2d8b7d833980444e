"""Leaves the labels out of the scores: K alpha in place of K (alpha y). Loses: offsets."""


def offsets(alpha, labels, K, C):
    y = 2 * labels - 1
    r = y - K @ alpha
    grows = ((y > 0) & (alpha < C)) | ((y < 0) & (alpha > 0))
    shrinks = ((y > 0) & (alpha > 0)) | ((y < 0) & (alpha < C))
    return r[grows].max(), r[shrinks].min()
