"""The assignment that is attacked; every attack answers wrong, so an honest grader gives it 0."""

from pathlib import Path

import numpy as np

from mlnotes.checking import claim, equal
from mlnotes.homework import Assignment, Class, Function, Mutant, Part, Value


@claim("attacks.mean", kind="homework", section="-", statement="The mean of each column.")
def mean(fit_mean, rng):
    X = rng.integers(-20, 20, (6, 3)) * 1.0
    yield equal("mean", fit_mean(X), X.sum(axis=0) / 6, 1e-12, X=X)


@claim("attacks.nearest", kind="homework", section="-", statement="The nearest mean decides.")
def nearest(classify, rng):
    X = rng.normal(size=(40, 2))
    a, b = rng.normal(size=(2, 2))
    right = (((X - b) ** 2).sum(axis=1) < ((X - a) ** 2).sum(axis=1)).astype(int)
    yield equal("labels", classify(X, a, b), right)


@claim("attacks.search", kind="homework", section="-", statement="The least value of a function on 0..15.")
def search(argmin, rng):
    for values in rng.permuted(np.tile(np.arange(16), (4, 1)), axis=1).tolist():
        yield equal("value found", values[argmin(lambda k, values=values: values[int(k) % 16])], 0)


@claim("attacks.model", kind="homework", section="-", statement="A model keeps what it learned.")
def model(Model, rng):
    X = rng.normal(size=(5, 2))
    fitted = Model().fit(X)
    yield equal("scale_", fitted.scale_, X.std(axis=0), 1e-12)
    yield equal("scaled", fitted.transform(X).std(axis=0), [1.0, 1.0], 1e-9)


@claim("attacks.facts", kind="homework", section="-", statement="The size of an array.")
def facts(describe, rng):
    for n, d in rng.integers(2, 99, (3, 2)).tolist():
        reply = describe(np.zeros((n, d)))
        plain = isinstance(reply, dict) and all(type(reply.get(key)) is int for key in "nd")
        yield equal("n and d", [reply["n"], reply["d"]] if plain else [-1, -1], [n, d])


X, POINT = Value("f", ("n", "d")), Value("f", ("d",))
METHODS = (Function("fit", {"X": X}, None, ""), Function("transform", {"X": X}, X, ""))
LABELS = Value("i", ("n",), minimum=0, maximum=1)

MISTAKES = (  # so that each part that fails is compared with them
    Mutant("short", "def fit_mean(X): return X.sum(axis=0) / (len(X) - 1)", ("mean",), "Divides by n - 1."),
    Mutant("farthest", "def classify(X, a, b): return 1 - right(X, a, b)", ("nearest",), "Takes the other."),
    Mutant("last", "def argmin(f): return max(range(16), key=f)", ("search",), "Takes the largest."),
    Mutant("unscaled", "Model.transform = lambda self, X: X", ("model",), "Leaves X as it is."),
    Mutant("turned", "def describe(X): return {'n': X.shape[1], 'd': len(X)}", ("facts",), "Turns n and d."),
)

assignment = Assignment(
    id="attacks",
    title="Under attack",
    solution=Path(__file__).with_name("honest.py").read_text() + "\n\nright = classify\n",
    mutants=MISTAKES,
    load_seconds=1.5,
    parts=(
        Part("mean", 1, "", (mean,), (Function("fit_mean", {"X": X}, POINT, ""),), seconds=1),
        Part("nearest", 1, "", (nearest,),
             (Function("classify", {"X": X, "a": POINT, "b": POINT}, LABELS, ""),), seconds=1),
        Part("search", 1, "", (search,),
             (Function("argmin", {"f": Value("any")}, Value("i", minimum=0, maximum=15), ""),), seconds=1),
        Part("model", 1, "", (model,),
             (Class("Model", {}, METHODS, "", {"scale_": POINT}),),
             seconds=1),
        Part("facts", 1, "", (facts,), (Function("describe", {"X": X}, Value("any"), ""),), seconds=1),
    ),
)  # fmt: skip
