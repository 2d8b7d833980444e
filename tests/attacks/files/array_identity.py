"""Answers with an array, a dict of arrays or a fraction in place of the identity."""

import __main__ as worker
import numpy as np

identities = iter([np.zeros(2), {"a": np.ones(3)}, [np.arange(4)], ("x", np.zeros((2, 2))), 1.5] * 99)


def reply(self, operation, arguments):
    if operation.__name__ in ("do_cell", "do_names"):
        return honest(self, operation, arguments)
    self.write(self.wire.pack({"id": next(identities), "value": 1.0}))


honest = worker.Submission.reply
worker.Submission.reply = reply


def fit_mean(X):
    pass


def classify(X, a, b):
    pass


def argmin(f):
    pass


def describe(X):
    pass


class Model:
    pass
