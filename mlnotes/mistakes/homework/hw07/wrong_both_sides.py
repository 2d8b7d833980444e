"""Changes the weights of right rows too, with the whole alpha. Loses: boost."""

import numpy as np


def update(w, wrong, alpha):
    w = w * np.exp(alpha * np.where(wrong, 1, -1))
    return w / w.sum()
