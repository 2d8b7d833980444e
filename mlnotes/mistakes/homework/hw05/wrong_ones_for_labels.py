"""Takes 1 - <w, x> in both classes: of y = -1 it is -1 - <w, x>. Loses: offsets."""


def offsets(alpha, labels, K, C):
    y = 2 * labels - 1
    r = 1 - K @ (y * alpha)
    grows = ((y > 0) & (alpha < C)) | ((y < 0) & (alpha > 0))
    shrinks = ((y > 0) & (alpha > 0)) | ((y < 0) & (alpha < C))
    return r[grows].max(), r[shrinks].min()
