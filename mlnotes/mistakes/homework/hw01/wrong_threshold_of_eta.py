"""Returns the threshold on eta, (5.4): asked is that on the logarithm of f1/f0. Loses: threshold."""


def threshold(prior, cost_fp, cost_fn):
    return cost_fp / (cost_fp + cost_fn)
