# ruff: noqa: E501
"""Correct solutions as students write them: each replaces definitions of the model solution, and earns all.

Keys say what is unusual; values are the source that follows the model solution.
"""

SMALL = {
    # how the answer is written down
    "a list": "def row_means(X): return [sum(row) / len(row) for row in X]",
    "a tuple of NumPy scalars": "def row_means(X): return tuple(np.mean(row) for row in X)",
    "a column": "def row_means(X): return X.mean(axis=1, keepdims=True)",
    "a row": "def row_means(X): return X.mean(axis=1)[None, :]",
    "a list of lists of one": "def row_means(X): return [[float(v)] for v in X.mean(axis=1)]",
    "a matrix": "def row_means(X): return np.asmatrix(X).mean(axis=1)",
    "a masked array": "def row_means(X): return np.ma.masked_invalid(X).mean(axis=1)",
    "long doubles": "def row_means(X): return X.astype(np.longdouble).mean(axis=1)",
    "a view with negative strides": "def row_means(X): return X[::-1].mean(axis=1)[::-1]",
    "an array of objects": "def row_means(X): return np.array([v for v in X.mean(axis=1)], dtype=object)",
    "exact fractions on the way": "def row_means(X): return [float(sum(map(Fraction, r)) / len(r)) for r in X]",
    "a generator turned into a list": "def row_means(X): return list(row.sum() / row.size for row in X)",
    "small integers": "def order(x): return np.argsort(x).astype(np.int8)",
    "unsigned integers": "def order(x): return np.argsort(x).astype(np.uint16)",
    "whole floats": "def order(x): return np.argsort(x).astype(float)",
    "whole floats of 32 bits": "def order(x): return np.argsort(x).astype(np.float32)",
    "a list of indices": "def order(x): return sorted(range(len(x)), key=lambda i: x[i])",
    "a range of NumPy integers in a tuple": "def order(x): return tuple(np.argsort(x, kind='stable'))",
    "one fraction in a list": "def total(parts): return [sum(parts)]",
    "an array of one number": "def root(a): return np.array([math.sqrt(a)])",
    "an array of no dimensions": "def majority(l): u, c = np.unique(l, return_counts=True); return np.array(u[c.argmax()])",
    "a list of one string": "def majority(l): return [max(set(l.tolist()), key=l.tolist().count)]",
    # other algorithms
    "a matrix product": "def row_means(X): return X @ np.full(X.shape[1], 1 / X.shape[1])",
    "recursion": (
        "def total(parts): return Fraction(0) if len(parts) == 0 else parts[0] + total(parts[1:])\n"
        "def mean(row): return row[0] if len(row) == 1 else (mean(row[1:]) * (len(row) - 1) + row[0]) / len(row)\n"
        "def row_means(X): return [mean(row) for row in X]"
    ),
    "insertion sort": (
        "def order(x):\n    rows = []\n    for i in range(len(x)):\n        k = 0\n"
        "        while k < len(rows) and x[rows[k]] < x[i]:\n            k += 1\n        rows.insert(k, i)\n"
        "    return rows"
    ),
    "a common denominator": (
        "def total(parts):\n    d = math.prod(p.denominator for p in parts)\n"
        "    return Fraction(sum(p.numerator * (d // p.denominator) for p in parts), d)"
    ),
    "Gauss with two nodes": (
        "def integral(f, a, b):\n    m, h = (a + b) / 2, (b - a) / 2\n"
        "    return h * (f(m - h / math.sqrt(3)) + f(m + h / math.sqrt(3)))"
    ),
    "a call with an array": (
        "def integral(f, a, b):\n    t = np.linspace(a, b, 5)\n"
        "    return (b - a) / 12 * (np.array([1, 4, 2, 4, 1]) @ f(t))"
    ),
    "adaptive recursion": (
        "def simple(f, a, b): return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))\n"
        "def integral(f, a, b, depth=3):\n    m = (a + b) / 2\n"
        "    return simple(f, a, b) if depth == 0 else integral(f, a, m, depth - 1) + integral(f, m, b, depth - 1)"
    ),
    "Newton": "def root(a):\n    x = a\n    for _ in range(60): x = (x + a / x) / 2\n    return x",
    "bisection": (
        "def root(a):\n    low, high = 0.0, a + 1\n    for _ in range(200):\n        m = (low + high) / 2\n"
        "        low, high = (m, high) if m * m < a else (low, m)\n    return low"
    ),
    "decimals": "import decimal\ndef root(a): return float(decimal.Decimal(a).sqrt())",
    "a counter": (
        "from collections import Counter\ndef majority(labels): return Counter(labels.tolist()).most_common(1)[0][0]"
    ),
    "slow, within the limits": "import time\ndef order(x): time.sleep(0.2); return np.argsort(x)",
    # how functions and classes are made
    "a lambda": "row_means = lambda X: X.mean(axis=1)",
    "a partial": "import functools\nrow_means = functools.partial(np.mean, axis=1)",
    "an instance that can be called": (
        "class Mean:\n    def __call__(self, X): return X.mean(axis=1)\nrow_means = Mean()"
    ),
    "a decorator": (
        "import functools, time\ndef timed(f):\n    @functools.wraps(f)\n    def inner(*args, **kwargs):\n"
        "        start = time.time(); value = f(*args, **kwargs); print('took', time.time() - start)\n"
        "        return value\n    return inner\n@timed\ndef row_means(X): return X.mean(axis=1)"
    ),
    "other names, defaults and keywords": (
        "def row_means(data, axis=1, *, dtype=None): return np.mean(data, axis=axis, dtype=dtype)\n"
        "def root(number, /, guess=1.0): return number ** 0.5\ndef order(*args): return np.argsort(args[0])"
    ),
    "type hints": (
        "from __future__ import annotations\nfrom typing import Any\n"
        "def row_means(X: np.ndarray[Any, Undefined] | None) -> list[float]: return X.mean(axis=1)"
    ),
    "a dataclass with extra methods": (
        "from dataclasses import dataclass, field\n@dataclass\nclass Center:\n    mean_: np.ndarray | None = None\n"
        "    history: list = field(default_factory=list)\n"
        "    def fit(self, X, y=None):\n        self.mean_ = np.average(X, axis=0)\n"
        "        self.history.append(len(X))\n"
        "    def transform(self, X): return X - self.mean_\n"
        "    def fit_transform(self, X): return self.fit(X).transform(X)\n    def __len__(self): return 0"
    ),
    "a base class, a property and slots": (
        "class Base:\n    __slots__ = ('_m',)\n    def fit(self, X): self._m = X.sum(0).tolist(); self._m = "
        "[v / len(X) for v in self._m]; return 'fitted'\n"
        "class Center(Base):\n    __slots__ = ()\n    @property\n    def mean_(self): return [self._m]\n"
        "    def transform(self, X): return (X.T - np.array(self._m)[:, None]).T"
    ),
    "a factory of classes": (
        "def make():\n    class Center:\n        fit = lambda self, X: setattr(self, 'mean_', X.mean(0))\n"
        "        transform = lambda self, X: np.subtract(X, self.mean_)\n    return Center\nCenter = make()"
    ),
    "defined twice, the last counts": "def root(a): return 0\ndef root(a): return a ** 0.5",
    "defined inside if and try": (
        "try:\n    import torch\n    def root(a): return torch.sqrt(a)\n"
        "except ImportError:\n    def root(a): return math.sqrt(a)\n"
        "if True:\n    def row_means(X): return X.mean(axis=1)"
    ),
    # company that the answer keeps
    "prints, warnings and logs": (
        "import warnings, logging, sys\ndef row_means(X):\n    print('X is', X)\n"
        "    warnings.warn('careful', DeprecationWarning)\n"
        "    logging.warning('log'); sys.stderr.write('err\\n'); np.log(np.zeros(2))\n    return X.mean(axis=1)"
    ),
    "the input is overwritten": "def row_means(X):\n    X /= X.shape[1]\n    X[:, 0] += X[:, 1:].sum(axis=1)\n    return X[:, 0]",
    "a global cache": (
        "seen = {}\ndef root(a):\n    global calls\n    calls = globals().get('calls', 0) + 1\n"
        "    return seen.setdefault(a, math.sqrt(a))"
    ),
    "its own randomness": (
        "import random\nrng = np.random.default_rng()\ndef order(x):\n    np.random.seed(1); random.random()\n"
        "    p = rng.permutation(len(x)); return p[np.argsort(x[p])]"
    ),
    "more of the standard library": (
        "import bisect, itertools, operator, statistics, json, re, heapq, contextlib, textwrap\n"
        "def row_means(X): return [statistics.fmean(row) for row in X]\n"
        "def order(x): return [i for _, i in sorted(zip(x, itertools.count()))]"
    ),
    "tests and a main at the end": (
        "assert root(4.0) == 2\ndef test(): assert order(np.array([2.0, 1.0])).tolist() == [1, 0]\n"
        "test()\nif __name__ == '__main__':\n    print(input('press return'))"
    ),
    "a question, a plot and an end": (
        "import matplotlib.pyplot as plt\nfig, ax = plt.subplots(1, 2, figsize=(8, 3))\n"
        "ax[0].hist([1, 2, 2], bins=3); ax[1].imshow(np.eye(3)); plt.tight_layout(); plt.savefig('a.png')\n"
        "plt.show()\nname = input('name? ')\nimport sys\nsys.exit(0)"
    ),
    "a broken experiment between the answers": (
        "undefined_name\n1 / 0\nopen('data.csv')\nimport pandas as pd\ndf = pd.read_csv('x.csv')\n"
        "def root(a): return a ** 0.5"
    ),
}  # fmt: skip

HW01 = {
    "loops": (
        "def decide(joint):\n    rule = []\n    for row in joint:\n        best = 0\n"
        "        for k in range(len(row)):\n            if row[k] > row[best]: best = k\n        rule.append(best)\n"
        "    return rule\n"
        "def error_probability(rule, joint):\n    p = 0.0\n    for x in range(len(joint)):\n"
        "        for k in range(len(joint[x])):\n            if rule[x] != k: p += joint[x][k]\n    return p\n"
        "def choose(posterior, cost):\n    answers = []\n    for p in posterior:\n"
        "        costs = [sum(p[k] * cost[k][a] for k in range(len(p))) for a in range(len(cost[0]))]\n"
        "        answers.append(costs.index(min(costs)))\n    return answers"
    ),
    "the last class of a tie": (
        "def decide(joint): return joint.shape[1] - 1 - joint[:, ::-1].argmax(axis=1)\n"
        "def choose(posterior, cost):\n    costs = posterior @ cost\n"
        "    return costs.shape[1] - 1 - costs[:, ::-1].argmin(axis=1)"
    ),
    "columns of labels": (
        "def decide(joint): return joint.argmax(axis=1)[:, None]\n"
        "def choose(posterior, cost): return (posterior @ cost).argmin(axis=1).reshape(-1, 1).astype('f4')"
    ),
    "posteriors first": (
        "def decide(joint):\n    mass = joint.sum(axis=1, keepdims=True)\n"
        "    with np.errstate(all='ignore'): eta = joint / mass\n    return np.nan_to_num(eta).argmax(axis=1)"
    ),
    "logarithms that warn": "def decide(joint): return np.log(joint).argmax(axis=1)",
    "sorting": "def decide(joint): return np.argsort(joint, axis=1)[:, -1]",
    "one minus the hits": (
        "def error_probability(rule, joint): return 1 - joint[np.arange(len(joint)), rule].sum()\n"
        "def least_error(joint): return 1 - joint.max(axis=1).sum()"
    ),
    "one-hot": (
        "def error_probability(rule, joint): return np.sum((1 - np.eye(joint.shape[1])[rule]) * joint)"
    ),
    "sums of the rest": (
        "def least_error(joint): return float(sum(sum(sorted(row)[:-1]) for row in joint.tolist()))"
    ),
    "by its own functions": "def least_error(joint): return error_probability(decide(joint), joint)",
    "exact sums": (
        "import math\ndef least_error(joint): return math.fsum(joint.ravel()) - math.fsum(joint.max(axis=1))"
    ),
    "einsum": "def choose(posterior, cost): return np.einsum('nk,ka->na', posterior, cost).argmin(axis=1)",
    "gains for costs": (
        "def choose(posterior, cost): return np.argmax(posterior @ (cost.max() - cost), axis=1)"
    ),
    "log of the odds": (
        "import math\ndef threshold(prior, cost_fp, cost_fn):\n"
        "    return math.log(cost_fp / cost_fn) - math.log(prior / (1 - prior))"
    ),
    "four logarithms": (
        "import math\ndef threshold(p, fp, fn):\n"
        "    return math.log(fp) + math.log1p(-p) - math.log(fn) - math.log(p)"
    ),
    "cases by where": (
        "def pass_probability(X, limit, rate):\n    room = limit - X[:, 0] - X[:, 1]\n"
        "    with np.errstate(over='ignore'): return np.where(room > 0, 1 - np.exp(-rate * room), 0)"
    ),
    "cases by a loop": (
        "import math\ndef pass_probability(X, limit, rate):\n"
        "    return [0 if a + b > limit else -math.expm1(-rate * (limit - a - b)) for a, b in X]"
    ),
    "clipped": (
        "def pass_probability(X, limit, rate):\n"
        "    return 1 - np.exp(-rate * (limit - X.sum(1)).clip(0, None))"
    ),
    "inverse and log determinant": (
        "class PlugIn(PlugIn):\n    def scores(self, X):\n        out = np.zeros((len(X), len(self.prior)))\n"
        "        for k, S in enumerate(self.covariances):\n            D = X - self.means[k]\n"
        "            out[:, k] = np.log(self.prior[k]) - 0.5 * np.linalg.slogdet(S)[1]\n"
        "            out[:, k] -= 0.5 * np.einsum('nd,de,ne->n', D, np.linalg.inv(S), D)\n        return out"
    ),
    "eigenvectors": (
        "class PlugIn(PlugIn):\n    def scores(self, X):\n        cols = []\n"
        "        for p, m, S in zip(self.prior, self.means, self.covariances):\n"
        "            w, V = np.linalg.eigh(S)\n            Z = (X - m) @ V / np.sqrt(w)\n"
        "            cols.append(np.log(p) - 0.5 * np.log(w).sum() - 0.5 * (Z * Z).sum(1))\n"
        "        return np.stack(cols, axis=1)"
    ),
    "lists of attributes and a fit that returns a tuple": (
        "class PlugIn(PlugIn):\n    def fit(self, X, y):\n        super().fit(X, y)\n"
        "        self.prior, self.means = self.prior.tolist(), tuple(map(tuple, self.means))\n"
        "        self.covariances = [S.tolist() for S in self.covariances]\n        return self, 'done'\n"
        "    def scores(self, X):\n        self.means = np.array(self.means)\n        return super().scores(X)"
    ),
    "sums over rows": (
        "class PlugIn(PlugIn):\n    def fit(self, X, y):\n        K, d = int(y.max()) + 1, X.shape[1]\n"
        "        n = np.bincount(y, minlength=K)\n        one = (y[:, None] == np.arange(K)).astype(float)\n"
        "        self.prior, self.means = n / n.sum(), one.T @ X / n[:, None]\n"
        "        self.covariances = np.zeros((K, d, d))\n"
        "        for x, k in zip(X, y): self.covariances[k] += np.outer(x - self.means[k], x - self.means[k]) / n[k]\n"
        "        return self"
    ),
    "log-sum-exp, shares of columns": (
        "class PlugIn(PlugIn):\n    def posterior(self, X):\n        s = self.scores(X)\n"
        "        return np.exp(s - np.logaddexp.reduce(s, axis=1)[:, None])\n"
        "    def predict(self, X): return self.posterior(X).argmax(axis=1).astype(float)\n"
        "    def score(self, X, y): return (self.predict(X) == y).mean()"
    ),
    "a model that keeps the data": (
        "class Model:\n    def __init__(self, verbose=True, **options): self.verbose = verbose\n"
        "    def fit(self, X, y):\n        if self.verbose: print('fitting', X.shape)\n"
        "        self.X, self.y = X, y\n        K = range(len(np.unique(y)))\n"
        "        self.prior = [np.mean(y == k) for k in K]\n        self.means = [X[y == k].mean(0) for k in K]\n"
        "        self.covariances = [np.cov(X[y == k], rowvar=False, ddof=0) for k in K]\n"
        "    scores = PlugIn.scores\n    posterior = PlugIn.posterior\n    predict = PlugIn.predict\nPlugIn = Model"
    ),
}  # fmt: skip
