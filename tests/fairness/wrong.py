# ruff: noqa: E501
"""Typical mistakes: each replaces definitions of the model solution, and loses exactly the parts it names.

Those of ``tests/small_homework.py`` and of ``mlnotes/mistakes/homework/hw01`` are run beside them.
"""

SMALL = {
    # means
    "sums for means": ("def row_means(X): return X.sum(axis=1)", "means"),
    "the median": ("def row_means(X): return np.median(X, axis=1)", "means"),
    "one mean for all": ("def row_means(X): return np.full(len(X), X.mean())", "means"),
    "only the mean of all": ("def row_means(X): return X.mean()", "means"),
    "one column short": ("def row_means(X): return X[:, :-1].sum(axis=1) / X.shape[1]", "means"),
    "divided by one less": ("def row_means(X): return X.sum(axis=1) / (X.shape[1] - 1)", "means"),
    "divided by the rows": ("def row_means(X): return X.sum(axis=1) / len(X)", "means"),
    "whole division": ("def row_means(X): return X.sum(axis=1) // X.shape[1]", "means"),
    "rounded": ("def row_means(X): return np.round(X.mean(axis=1), 1)", "means"),
    "half precision": ("def row_means(X): return X.mean(axis=1).astype(np.float16) * np.float16(1.001)", "means"),
    "printed and not returned": ("def row_means(X): print(X.mean(axis=1))", "means"),
    "one row too few": ("def row_means(X): return [X[i].mean() for i in range(len(X) - 1)]", "means"),
    "returned inside the loop": ("def row_means(X):\n    for row in X:\n        return row.mean()", "means"),
    "absolute values": ("def row_means(X): return np.abs(X).mean(axis=1)", "means"),
    "strings of numbers": ("def row_means(X): return [f'{v:.17g}' for v in X.mean(axis=1)]", "means"),
    "a dict of rows": ("def row_means(X): return {str(i): v for i, v in enumerate(X.mean(axis=1))}", "means"),
    "a generator": ("def row_means(X): return (row.mean() for row in X)", "means"),
    "a misspelt name": ("rowmeans = row_means\ndel row_means", "means"),
    "an undefined variable": ("def row_means(X): return x.mean(axis=1)", "means"),
    "a missing argument": ("def row_means(): return X.mean(axis=1)", "means"),
    # sorting
    "falling": ("def order(x): return np.argsort(-x)", "sorting"),
    "the sorted values": ("def order(x): return np.sort(x)", "sorting"),
    "counted from one": ("def order(x): return np.argsort(x) + 1", "sorting"),
    "counted from the end": ("def order(x): return np.argsort(x) - len(x)", "sorting"),
    "the first two swapped": ("def order(x): o = np.argsort(x); o[:2] = o[1::-1]; return o", "sorting"),
    "one index twice": ("def order(x): o = np.argsort(x); o[1] = o[0]; return o", "sorting"),
    "no sorting": ("def order(x): return np.full(len(x), x.argmin())", "sorting"),
    # exact
    "a product": ("def total(parts): return math.prod(parts)", "exact"),
    "the mean": ("def total(parts): return sum(parts) / len(parts)", "exact"),
    "the last left out": ("def total(parts): return sum(parts[:-1])", "exact"),
    "numerators over denominators": (
        "def total(parts): return Fraction(sum(p.numerator for p in parts), sum(p.denominator for p in parts))",
        "exact",
    ),
    "a float turned into a fraction": ("def total(parts): return Fraction(sum(map(float, parts)))", "exact"),
    "a pair": ("def total(parts): s = sum(parts); return (s.numerator, s.denominator)", "exact"),
    # simpson
    "the midpoint": ("def integral(f, a, b): return (b - a) * f((a + b) / 2)", "simpson"),
    "weights of the trapezoid": ("def integral(f, a, b): return (b - a) / 4 * (f(a) + 2 * f((a + b) / 2) + f(b))", "simpson"),
    "a third for a sixth": ("def integral(f, a, b): return (b - a) / 3 * (f(a) + 4 * f((a + b) / 2) + f(b))", "simpson"),
    "a sum of rectangles": ("def integral(f, a, b): return sum(f(a + (b - a) * k / 100) for k in range(100)) / 100", "simpson"),
    "the function itself": ("def integral(f, a, b): return f", "simpson"),
    "a limit of its own": ("def integral(f, a, b): return (f(0) + 4 * f(0.5) + f(1)) / 6", "simpson"),
    # center
    "centred by rows": (
        "Center.transform = lambda self, X: X - X.mean(axis=1, keepdims=True)", "center",
    ),
    "the mean of the new data": ("Center.transform = lambda self, X: X - X.mean(axis=0)", "center"),
    "added": ("Center.transform = lambda self, X: X + self.mean_", "center"),
    "scaled too": ("Center.transform = lambda self, X: (X - self.mean_) / 2", "center"),
    "the median of columns": (
        "class Center(Center):\n    def fit(self, X): self.mean_ = np.median(X, axis=0); return self", "center",
    ),
    "one mean of all columns": (
        "class Center(Center):\n    def fit(self, X): self.mean_ = X.mean() * np.ones(X.shape[1])", "center",
    ),
    "another name for the attribute": (
        "class Center:\n    def fit(self, X): self.mean = X.mean(axis=0)\n    def transform(self, X): return X - self.mean",
        "center",
    ),
    "fit forgets": ("class Center(Center):\n    def fit(self, X): mean_ = X.mean(axis=0)", "center"),
    "a constructor that wants more": (
        "class Center(Center):\n    def __init__(self, X): self.X = X", "center",
    ),
    "functions in place of the class": ("def Center(X): return X - X.mean(axis=0)", "center"),
    # labels
    "the first name": ("def majority(labels): return min(labels)", "labels"),
    "the last name": ("def majority(labels): return max(labels)", "labels"),
    "the count": ("def majority(labels): return int(np.unique(labels, return_counts=True)[1].max())", "labels"),
    "the place": ("def majority(labels): return int(np.unique(labels, return_counts=True)[1].argmax())", "labels"),
    # root
    "half": ("def root(a): return a / 2", "root"),
    "a square": ("def root(a): return a * a", "root"),
    "rounded to a digit": ("def root(a): return round(math.sqrt(a), 1)", "root"),
    "six digits": ("def root(a): return np.sqrt(np.float32(a)) * np.float32(1.000001)", "root"),
    "forgot the standard library": ("del math\ndef root(a): return math.sqrt(a)", "root"),
    # several at once
    "two parts wrong": ("def row_means(X): return X[0]\ndef order(x): return x", "means sorting"),
    "nothing written": (
        "def row_means(X): raise NotImplementedError\ndef order(x): raise NotImplementedError\n"
        "def root(a): ...", "means sorting root",
    ),
    "a name of NumPy overwritten": ("import math as m, numpy as n\nnp = None", "sorting labels"),
}  # fmt: skip

HW01 = {
    "classes counted from one": ("def decide(joint): return joint.argmax(axis=1) + 1", "decide"),
    "answers counted from one": ("def choose(posterior, cost): return (posterior @ cost).argmin(axis=1) + 1", "choose"),
    "one answer for all": ("def choose(posterior, cost): return (posterior @ cost).sum(axis=0).argmin()", "choose"),
    "the expected cost itself": ("def choose(posterior, cost): return (posterior @ cost).min(axis=1)", "choose"),
    "the marginal in place of the joint": ("def decide(joint): return joint.sum(axis=1).argmax()", "decide"),
    "mean for sum": (
        "def least_error(joint): return (joint.sum(axis=1) - joint.max(axis=1)).mean()", "least",
    ),
    "the largest error": ("def least_error(joint): return 1 - joint.min(axis=1).sum()", "least"),
    "the odds without a logarithm": (
        "def threshold(prior, cost_fp, cost_fn): return cost_fp * (1 - prior) / (cost_fn * prior)", "threshold",
    ),
    "the sign of the prior": (
        "def threshold(prior, cost_fp, cost_fn): return np.log(cost_fp / cost_fn) + np.log(prior / (1 - prior))",
        "threshold",
    ),
    "sleep forgotten": (
        "def pass_probability(X, limit, rate): return -np.expm1(-rate * np.maximum(limit - X[:, 1], 0))", "beers",
    ),
    "a density for a probability": (
        "def pass_probability(X, limit, rate):\n"
        "    return rate * np.exp(-rate * np.maximum(limit - X.sum(axis=1), 0))", "beers",
    ),
    "half forgotten": (
        "class PlugIn(PlugIn):\n    def scores(self, X): return 2 * super().scores(X)", "plugin",
    ),
    "answers that stay at zero": (
        "class PlugIn(PlugIn):\n    def predict(self, X): return np.zeros(len(X), dtype=int)", "plugin",
    ),
    "posteriors that do not sum to one": (
        "class PlugIn(PlugIn):\n    def posterior(self, X): return np.exp(self.scores(X))", "plugin",
    ),
}  # fmt: skip
