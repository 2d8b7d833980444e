"""Returns lists and dicts that contain themselves."""


def fit_mean(X):
    value = []
    value += [value, value]
    return value


def classify(X, a, b):
    value = {}
    value["v"] = [value] * 1000
    return value
