"""Every estimator that has a peer, both at their defaults: no option set, one thread, `algorithm="auto"`.

The data come from scikit-learn's generators (half-moons in the plane, three overlapping classes in 20
dimensions, n = 300, 3,000 and 30,000) and from three real tables of the package, standardised. No constant of
an engine was chosen with these seeds. A race is run on up to three draws, until it has taken three seconds;
its ratio is the median of theirs, with the smallest and the largest beside it.

Options that are set: bandwidth 1 of kernel density estimates and 10 trees of bagging, since the defaults
differ. The perceptron gets two separable blobs: on other data it stops only at `max_iter`. The plug-in rule
is compared with scikit-learn's quadratic discriminant analysis, which is the same classifier. Support vector
machines are fitted to 30,000 observations only in the plane, one-class SVMs to at most 3,000, where the peer
takes over half a minute; SVMs and neighbours predict 3,000 points, kernel density estimates 300. Two races
have no estimator: a small quadratic program, and an epoch of stochastic gradient descent with batch size 1,
which a loop in Python cannot run as fast as compiled code.

Agreement: at most 1 % of the predictions for new observations differ, 2 % for support vector machines
(divisors of covariances, stopping rules, observations at equal distance); where a method is random or breaks
ties at random, accuracies differ by at most 2 % plus three standard deviations of the difference of two
accuracies; densities differ by at most 1e-6 and coordinates by 1e-8 of the largest.

Where ours is slower, and why. A call of NumPy costs 0.3 to 1 microseconds. A step of a support vector machine
takes 14 of them, one that solves for its free multipliers 40, a level of a tree about 150, so that small data
spend their time in calls: 300 observations, or ten classes, which are 45 binary SVMs of 290 observations:
1,900 steps take 20 ms of their 70, 160 linear systems 20, the Gram matrix 10, and libsvm 36 for all. Deep
trees of overlapping classes (adult: 40 levels) touch all features of all observations at each level, where
compiled code touches those of one node: a feature of an observation costs about 20 nanoseconds a level, in
some 20 passes of NumPy, against 13. A step with batch size 1 is an iteration of a loop in Python. Logistic
regression of digits goes on to a gradient norm of 1e-8, in 79 steps, where the peer stops at 1e-4 after 32:
at 1e-4 both take 18 ms. A quadratic program in 20 unknowns has nine steps of 0.14 ms, all calls, and takes
about as long again to scale it and to measure its points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import datasets as generators
from sklearn import decomposition, discriminant_analysis, ensemble, linear_model, naive_bayes, neighbors, svm
from sklearn import tree as trees

import mlnotes
from benchmarks import descent, duality
from benchmarks.harness import Clock, Race, Row, pooled, run
from mlnotes import datasets

SEEDS = (101, 202, 303)
SIZES = (300, 3_000, 30_000)
PLACES = 3_000
ENOUGH = 3.0  # seconds of a row after which no further seed is drawn
OTHERS = ("quadratic program, random, n=20", "SGD, one epoch, batch size 1, n=10000, d=20")
TABLES = ("breast_cancer", "digits", "adult")


@dataclass(frozen=True)
class Pair:
    """Two estimators that do the same, and the method that is called after the fit.

    `tolerance` is the fraction of predictions that may differ, or the difference of accuracies if
    `by_chance`. `most` is the largest n in the plane and in 20 dimensions.
    """

    topic: str
    name: str
    ours: Callable[[], Any]
    peer: Callable[[], Any]
    tolerance: float = 0.01
    by_chance: bool = False
    asks: str = "predict"
    places: int = SIZES[-1]
    most: tuple[int, int] = (SIZES[-1], SIZES[-1])
    rows: str = "classes"
    tables: tuple[str, ...] = TABLES

    @property
    def supervised(self) -> bool:
        """Whether a fit gets labels."""
        return self.asks != "transform" and "one-class" not in self.name


PAIRS = (
    Pair(
        "bayes",
        "plug-in",
        mlnotes.PlugInClassifier,
        discriminant_analysis.QuadraticDiscriminantAnalysis,
        tables=(),
    ),
    Pair("neighbors", "kNN", mlnotes.KNeighborsClassifier, neighbors.KNeighborsClassifier, places=PLACES),
    Pair("neighbors", "nearest mean", mlnotes.NearestCentroid, neighbors.NearestCentroid),
    Pair(
        "discriminant",
        "LDA",
        mlnotes.LinearDiscriminantAnalysis,
        discriminant_analysis.LinearDiscriminantAnalysis,
    ),
    Pair(
        "discriminant",
        "QDA",
        mlnotes.QuadraticDiscriminantAnalysis,
        discriminant_analysis.QuadraticDiscriminantAnalysis,
        tables=(),
    ),
    Pair("logistic", "logistic", mlnotes.LogisticRegression, linear_model.LogisticRegression),
    Pair(
        "perceptron",
        "perceptron",
        mlnotes.Perceptron,
        linear_model.Perceptron,
        0.02,
        True,
        rows="blobs",
        tables=(),
    ),
    Pair("svm", "SVC", mlnotes.SVC, svm.SVC, 0.02, places=PLACES, most=(SIZES[-1], SIZES[1])),
    Pair(
        "svm", "one-class SVM", mlnotes.OneClassSVM, svm.OneClassSVM, places=PLACES, most=(SIZES[1], SIZES[1])
    ),
    Pair(
        "density",
        "kernel density",
        lambda: mlnotes.KernelDensity(bandwidth=1.0),
        neighbors.KernelDensity,
        tolerance=1e-6,
        asks="score_samples",
        places=PLACES // 10,
    ),
    Pair("naive_bayes", "Gaussian naive Bayes", mlnotes.NaiveBayes, naive_bayes.GaussianNB),
    Pair(
        "naive_bayes",
        "multinomial naive Bayes",
        mlnotes.MultinomialNaiveBayes,
        naive_bayes.MultinomialNB,
        rows="counts",
    ),
    Pair("tree", "tree", mlnotes.DecisionTreeClassifier, trees.DecisionTreeClassifier, 0.02, True),
    Pair("ensemble", "forest", mlnotes.RandomForestClassifier, ensemble.RandomForestClassifier, 0.02, True),
    Pair(
        "ensemble",
        "bagging, 10 trees",
        lambda: mlnotes.BaggingClassifier(n_estimators=10),
        ensemble.BaggingClassifier,
        0.02,
        True,
    ),
    Pair("ensemble", "AdaBoost", mlnotes.AdaBoostClassifier, ensemble.AdaBoostClassifier, 0.02, True),
    Pair("pca", "PCA", mlnotes.PCA, decomposition.PCA, tolerance=1e-8, asks="transform"),
)


def drawn(rows: str, n: int, d: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return n rows of d features with their classes."""
    if rows == "blobs":
        centres = np.outer([-1.0, 1.0], np.ones(d)) * 6 / np.sqrt(d)
        return generators.make_blobs(n, centers=centres, random_state=seed)
    if d == 2:
        X, y = generators.make_moons(n, noise=0.3, random_state=seed)
    else:
        X, y = generators.make_classification(
            n, d, n_informative=d // 2, n_redundant=0, n_classes=3, random_state=seed
        )
    return (np.floor(np.exp(X.clip(-3, 3))), y) if rows == "counts" else (X, y)


def _table(name: str, rows: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a table of the package, its rows in an order of chance; counts stay what they are."""
    data = getattr(datasets, f"load_{name}")()
    order = np.random.default_rng(SEEDS[0]).permutation(len(data.X))
    X, y = data.X[order], data.y[order]
    return (
        (X - X.min(axis=0), y)
        if rows == "counts"
        else ((X - X.mean(axis=0)) / (X.std(axis=0) + (X.std(axis=0) == 0)), y)
    )


def problems(pair: Pair) -> Iterator[tuple[str, Callable[[int], tuple[Any, ...]]]]:
    """Yield for each size what it is called and a function from a seed to rows, labels and places."""
    for d, most in zip((2, 20), pair.most, strict=True):
        for n in (n for n in SIZES if n <= most):

            def draw(seed, n=n, d=d):
                X, y = drawn(pair.rows, n + min(n, pair.places), d, seed)
                return X[:n], y[:n], X[n:], y[n:]

            yield f"n={n}, d={d}", draw
    for name in pair.tables:

        def cut(seed, name=name):
            X, y = _table(name, pair.rows)
            n = min(len(X) * 4 // 5, pair.most[1])
            return X[:n], y[:n], X[n : n + pair.places], y[n : n + pair.places]

        yield name, cut


def rows(clock: Clock) -> Iterator[tuple[str, Row]]:
    """Yield topic and finished race, fit and prediction of each pair at each size."""
    for pair in PAIRS:
        for size, draw in problems(pair):
            runs: list[list[Row]] = [[], []]
            start = clock()
            for seed in SEEDS[: 1 if size in TABLES else None]:
                for so_far, race in zip(runs, _races(pair, size, *draw(seed)), strict=True):
                    so_far.append(run(race, clock, brief=True))
                if clock() - start > ENOUGH:
                    break
            for draws in runs:
                yield pair.topic, pooled(draws)
    for topic, races in (("duality", duality.races()), ("descent", descent.races())):
        for race in races:
            if race.task in OTHERS:
                yield topic, run(race, clock, brief=True)


def _races(pair: Pair, size: str, X, y, new, truth) -> Iterator[Race]:
    """Yield the race of the fits, which leaves its models, and that of the predictions."""
    models: dict[str, Any] = {}

    def fit(side: str, make: Callable[[], Any]) -> Callable[[], Any]:
        def call():
            models[side] = make().fit(X, *(y,) * pair.supervised)
            return models[side]

        return call

    def answers_differ(a, b) -> float:
        if pair.asks == "transform":
            return float(abs(abs(a) - abs(b)).max() / abs(b).max())
        if pair.asks == "score_samples":
            return float(abs(np.exp(a) - np.exp(b)).max() / np.exp(b).max())
        if pair.by_chance:
            chance = 3 * np.sqrt(0.5 / len(truth))
            return max(abs(float(np.mean(a == truth)) - float(np.mean(b == truth))) - chance, 0.0)
        return float(np.mean(a != b))

    def answer(side: str) -> Callable[[], Any]:
        return lambda: getattr(models[side], pair.asks)(new)

    ours, peer = fit("ours", pair.ours), fit("peer", pair.peer)
    yield Race(
        f"{pair.name} fit, {size}",
        ours,
        peer,
        "sklearn",
        lambda a, b: answers_differ(answer("ours")(), answer("peer")()),
        pair.tolerance,
        5,
    )
    yield Race(
        f"{pair.name} {pair.asks}, {size}",
        answer("ours"),
        answer("peer"),
        "sklearn",
        answers_differ,
        pair.tolerance,
        5,
    )
