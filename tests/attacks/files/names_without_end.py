"""Defines names that are no names: ten thousand, halves of characters, rude classes, a false module."""

import sys


class Rude:
    @property
    def __class__(self):
        raise SystemExit("rude")

    def __call__(self, *a):
        return 1


for k in range(10_000):
    globals()[f"name{k}" + "x" * (k % 300)] = k
globals()["\ud800"] = globals()["a\x1b[31m"] = globals()["=1+1"] = 1
globals()[3] = 4
sys.modules["submission"].__class__ = type(
    "M", (type(sys),), {"__getattribute__": lambda s, n: object.__getattribute__(s, n)}
)
fit_mean = Rude()
classify = type("classify", (), {"__module__": property(lambda s: 1 / 0)})
argmin = Rude
