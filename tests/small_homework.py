"""An instructor's own assignment with every kind of value that may cross: what the grader's tests grade."""

from fractions import Fraction

import numpy as np

from mlnotes.checking import at_most, claim, equal
from mlnotes.homework import Assignment, Class, Function, Mutant, Part, Value

LECTURE = "the first pages of any book"


@claim(
    "small.means", kind="homework", section=LECTURE, statement="The mean of a row is its sum over its length."
)
def means(row_means, rng):
    for n, d in ((1, 1), (4, 3), (7, 2)):
        X = rng.integers(-50, 50, (n, d)) / 8
        yield equal(f"means of {n} rows of {d}", row_means(X), X.sum(axis=1) / d, 1e-12, X=X)


@claim("small.order", kind="homework", section=LECTURE, statement="An order sorts: x[order] does not fall.")
def order_sorts(order, rng):
    x = rng.permutation(12) * 1.0
    rows = order(x)
    yield equal("different indices", len(set(rows.tolist())), 12)
    yield at_most("largest fall", -np.diff(x[rows]).min(), 0.0, x=x)


@claim("small.total", kind="homework", section=LECTURE, statement="The sum of fractions is exact.")
def exact_total(total, rng):
    parts = [Fraction(1, 11), *(Fraction(int(a), int(b)) for a, b in rng.integers(1, 9, (5, 2)))]  # no float
    yield equal("sum", total(parts), sum(parts), parts=parts)


@claim("small.integral", kind="homework", section=LECTURE, statement="Simpson's rule is exact for cubics.")
def simpson(integral, rng):
    for a, b, c, d in rng.integers(1, 9, (3, 4)).tolist():
        value = integral(lambda t, c=(a, b, c, d): sum(w * t**k for k, w in enumerate(c)), 0.0, 2.0)
        yield equal("integral", value, 2 * a + 2 * b + 8 * c / 3 + 4 * d, 1e-9)


@claim("small.center", kind="homework", section=LECTURE, statement="Centred columns have mean 0.")
def centred(Center, rng):
    X = rng.normal(size=(9, 2))
    model = Center().fit(X)
    yield equal("mean_", model.mean_, X.mean(axis=0), 1e-12)
    yield equal("means after", model.transform(X[:4]) + X.mean(axis=0), X[:4], 1e-12)


@claim(
    "small.majority", kind="homework", section=LECTURE, statement="The majority is the most frequent label."
)
def majority_wins(majority, rng):
    for names in (
        ["ja", "nein"],
        ["nein", "ja"],
        ["b", "a"],
        *rng.permuted([["u", "v", "w"]] * 3, axis=1).tolist(),
    ):
        labels = rng.permutation(np.repeat(names, [5, 3, 3][: len(names)]))
        yield equal("whether it is the most frequent", majority(labels) == names[0], True, labels=labels)


@claim("small.root", kind="homework", section=LECTURE, statement="A root makes the residual vanish.")
def root_residual(root, rng):
    a = float(rng.uniform(2, 9))
    yield at_most("residual", abs(root(a) ** 2 - a), 1e-9)


@claim("small.root-positive", kind="homework", section=LECTURE, statement="A square root is positive.")
def root_positive(root, rng):
    yield at_most("minus the root", -root(float(rng.uniform(2, 9))), 0.0)


X_ROWS, NUMBERS = Value("f", ("n", "d")), Value("f", ("n",))

SOLUTION = """
from fractions import Fraction
import math
import numpy as np

def row_means(X):
    return X.mean(axis=1)

def order(x):
    return np.argsort(x)

def total(parts):
    return sum(parts)

def integral(f, a, b):
    return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))

class Center:
    def fit(self, X):
        self.mean_ = X.mean(axis=0)
        return self
    def transform(self, X):
        return X - self.mean_

def majority(labels):
    names, counts = np.unique(labels, return_counts=True)
    return names[counts.argmax()]

def root(a):
    return math.sqrt(a)
"""

assignment = Assignment(
    id="small",
    title="Small things",
    parts=(
        Part(
            "means",
            3,
            "Average.",
            (means,),
            (Function("row_means", {"X": X_ROWS}, NUMBERS, "Mean of each row."),),
        ),
        Part(
            "sorting",
            2,
            "Sort.",
            (order_sorts,),
            (
                Function(
                    "order", {"x": NUMBERS}, Value("i", ("n",), minimum=0, below="n"), "Indices that sort x."
                ),
            ),
        ),
        Part(
            "exact",
            2,
            "Add.",
            (exact_total,),
            (Function("total", {"parts": Value("fraction", ("n",))}, Value("fraction"), "The sum."),),
        ),
        Part(
            "simpson",
            2,
            "Integrate.",
            (simpson,),
            (
                Function(
                    "integral", {"f": Value("any"), "a": Value(), "b": Value()}, Value(), "Integral of f."
                ),
            ),
        ),
        Part(
            "center",
            2,
            "Centre.",
            (centred,),
            (
                Class(
                    "Center",
                    {},
                    (
                        Function("fit", {"X": X_ROWS}, None, "Learn the means."),
                        Function("transform", {"X": X_ROWS}, X_ROWS, "Subtract them."),
                    ),
                    "Centres columns.",
                    {"mean_": Value("f", ("d",))},
                ),
            ),
        ),
        Part(
            "labels",
            1,
            "Vote.",
            (majority_wins,),
            (Function("majority", {"labels": Value("U", ("n",))}, Value("U"), "The most frequent label."),),
        ),
        Part(
            "root",
            4,
            "Approximate.",
            (root_residual, root_positive),
            (Function("root", {"a": Value()}, Value(), "A square root."),),
            credit=((root_residual, "residual", ((1e-6, 0.75), (1e-1, 0.25))),),
        ),
        Part("essay", 5, "Prove it.", manual=True, rubric="One point a step."),
    ),
    solution=SOLUTION,
    mutants=(
        Mutant("columns for rows", "def row_means(X): return X.mean(axis=0)", ("means",)),
        Mutant("ranks for order", "def order(x): return np.argsort(np.argsort(-x))", ("sorting",)),
        Mutant("floats", "def total(parts): return float(sum(parts))", ("exact",)),
        Mutant("trapezoid", "def integral(f, a, b): return (b - a) / 2 * (f(a) + f(b))", ("simpson",)),
        Mutant("no subtraction", "Center.transform = lambda self, X: X", ("center",)),
        Mutant(
            "rarest",
            "def majority(l): u, c = np.unique(l, return_counts=True); return u[c.argmin()]",
            ("labels",),
        ),
        Mutant(
            "three steps",
            "def root(a):\n x = a\n for _ in range(3): x = (x + a / x) / 2\n return x",
            ("root",),
        ),
        Mutant("the other root", "def root(a): return -math.sqrt(a)", ("root",)),
    ),
)
