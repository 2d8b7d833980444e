"""Figures of lecture 13: what voting smooths, what decorrelates, and how AdaBoost goes on.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from mlnotes import DecisionTreeClassifier, datasets
from mlnotes.ensemble import training_bound, variance_of_average, variance_parts
from mlnotes.estimators.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier
from mlnotes.show import plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLUE, GREEN, GREY, VERMILLION

BOX = (-4.0, 4.0, -4.0, 4.0)


def _diagonal(d: int = 2) -> datasets.GaussianClasses:
    """Return two classes that overlap, with a Bayes boundary that meets all axes at the same angle."""
    mean = np.full(d, 0.8 * np.sqrt(2 / d))
    return datasets.GaussianClasses([0.5, 0.5], [-mean, mean], [np.eye(d), np.eye(d)])


@figure(
    "ensemble-smoothing",
    alt="Three panels with the same points. One tree splits the plane into large rectangles; ten and two "
    "hundred trees make ever finer staircases that follow the diagonal where the points are.",
    seed=31,
)
def smoothing(rng: np.random.Generator) -> Figure:
    """Vote of 1, 10 and 200 bagged trees on 150 examples; dashed the Bayes boundary.

    Each tree is a stack of boxes; their vote follows the diagonal where there are points.
    """
    distribution = _diagonal()
    X, y = distribution.sample(150, rng)
    picture, axes = plots.panels(1, 3, height=2.9, sharex=True, sharey=True)
    for ax, B in zip(axes, (1, 10, 200), strict=True):
        model = BaggingClassifier(n_estimators=B, random_state=3).fit(X, y)
        plots.decision_regions(model.predict, X, y, box=BOX, resolution=120, size=6, ax=ax)
        plots.level_line(lambda Z: distribution.posterior(Z)[:, 1], 0.5, box=BOX, dashes="--", ax=ax)
        ax.get_legend().remove()
        ax.set(title=f"{B} tree" + "s" * (B > 1), ylabel="" if ax is not axes[0] else "$x_2$")
    picture.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return picture


@figure(
    "ensemble-correlation",
    alt="Left, the correlation of two trees rises with the number of candidates, the variance of one tree "
    "hardly changes. Right, falling curves of the variance of an average against the number of trees, which "
    "level off at different heights.",
    seed=32,
)
def correlation(rng: np.random.Generator) -> Figure:
    r"""Fewer candidate features decorrelate the trees: ten features, 30 training sets, 15 trees on each.

    Left: correlation of two trees and variance of one, averaged over 200 points. Right: the variance of an
    average of B trees by the formula; the dashed lines are its limits, correlation times variance.
    """
    distribution, ms = _diagonal(10), (1, 2, 3, 5, 10)
    points = distribution.sample(200, rng)[0]
    parts = []
    for m in ms:
        outputs = []
        for _ in range(30):
            X, y = distribution.sample(60, rng)
            forest = RandomForestClassifier(15, max_features=m, random_state=rng).fit(X, y)
            outputs.append([tree.predict(points) for tree in forest.estimators_])
        parts.append(variance_parts(outputs))
    picture, (left, right) = plots.panels(1, 2, height=3.0)
    left.plot(ms, [p.correlation for p in parts], "o-", color=BLUE, label=r"correlation $\rho$")
    left.plot(
        ms, [p.variance for p in parts], "^--", color=VERMILLION, label=r"variance $\sigma^2$ of one tree"
    )
    left.set(xlabel="candidates $m$", ylabel="correlation, variance", ylim=(0, 0.5))
    left.legend(loc="upper right")
    Bs = np.arange(1, 101)
    for m, p, color in zip(ms, parts, (BLUE, VERMILLION, GREEN, GREY, "black"), strict=True):
        if m in (1, 3, 10):
            right.plot(Bs, [variance_of_average(p.variance, p.correlation, int(B)) for B in Bs], color=color,
                       label=f"$m = {m}$")  # fmt: skip
            right.axhline(p.between, color=color, linestyle="--", linewidth=0.7)
    right.set(xlabel="trees $B$", ylabel="variance of the average", xscale="log", ylim=(0, None))
    right.legend(loc="upper right")
    return picture


@figure(
    "ensemble-out-of-bag",
    alt="Two curves that fall from about a third to some four per cent as trees are added: the out-of-bag "
    "error, which lags behind, and the test error. A horizontal line far above is the single tree.",
    seed=33,
)
def out_of_bag(rng: np.random.Generator) -> Figure:
    """Out-of-bag error and test error against the number of trees: digits, 900 training examples.

    An example is judged by a third of the trees only, so the out-of-bag curve lags behind; those that
    all trees have seen are left out.
    """
    digits = datasets.load_digits()
    train, test = np.split(rng.permutation(len(digits.y)), [900])
    forest = RandomForestClassifier(80, random_state=0).fit(digits.X[train], digits.y[train])
    inside, outside = np.zeros((900, 10)), np.zeros((len(test), 10))
    errors = []
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        unseen = np.setdiff1d(np.arange(900), rows)
        inside[unseen, tree.predict(digits.X[train][unseen])] += 1
        outside[np.arange(len(test)), tree.predict(digits.X[test])] += 1
        judged = inside.any(axis=1)
        wrong = inside.argmax(axis=1)[judged] != digits.y[train][judged]
        errors.append((wrong.mean(), np.mean(outside.argmax(axis=1) != digits.y[test])))
    single = (
        DecisionTreeClassifier().fit(digits.X[train], digits.y[train]).score(digits.X[test], digits.y[test])
    )
    picture, ax = plots.panels()
    B = np.arange(1, 81)
    ax.plot(B, [e[0] for e in errors], color=BLUE, label="out of bag")
    ax.plot(B, [e[1] for e in errors], color=VERMILLION, linestyle="--", label="test error")
    ax.axhline(1 - single, color=GREY, linewidth=0.8, label="a single tree, test error")
    ax.set(xlabel="trees", ylabel="error rate", ylim=(0, None))
    ax.legend(loc="upper right")
    return picture


@figure(
    "ensemble-adaboost-weights",
    alt="Four panels with the same points, whose size is their weight. At first all are nearly equal; later "
    "the points near a ring-shaped boundary are large. The shaded regions grow from half planes to a box.",
    seed=34,
)
def adaboost_weights(rng: np.random.Generator) -> Figure:
    """AdaBoost with stumps after 1, 3, 10 and 100 rounds: 120 examples, one class inside a disc.

    The area of a point is its weight for the next round. The weight gathers at the boundary.
    """
    X = rng.uniform(-2, 2, (120, 2))
    y = ((X**2).sum(axis=1) < 2).astype(np.int64)
    picture, axes = plots.panels(1, 4, height=2.4, sharex=True, sharey=True)
    for ax, rounds in zip(axes, (1, 3, 10, 100), strict=True):
        model = AdaBoostClassifier(n_estimators=rounds).fit(X, y)
        w = np.exp(-(2 * y - 1) * model.decision_function(X) / 2)
        plots.decision_regions(model.predict, box=(-2, 2, -2, 2), resolution=120, ax=ax)
        for k, (color, marker) in enumerate(((BLUE, "o"), (VERMILLION, "^"))):
            ax.scatter(*X[y == k].T, s=900 * w[y == k] / w.sum(), color=color, marker=marker, linewidths=0)
        wrong = np.mean(model.predict(X) != y)
        ax.set(title=f"{rounds} round" + "s" * (rounds > 1) + f": {wrong:.0%}", xlim=(-2, 2), ylim=(-2, 2))
        ax.set(xlabel="$x_1$", ylabel="" if ax is not axes[0] else "$x_2$")
    return picture


def _heart() -> tuple[np.ndarray, np.ndarray]:
    data = datasets.load_saheart()
    return data.X, data.y


@figure(
    "ensemble-adaboost-bound",
    alt="Two falling curves against the round. The bound starts near one and decreases slowly; the training "
    "error stays well below it.",
)
def adaboost_bound() -> Figure:
    """Training error of AdaBoost and its bound over 300 rounds: South African heart disease.

    The bound is the product of 2 sqrt(err (1 - err)) and equals the mean exponential loss.
    """
    X, y = _heart()
    model = AdaBoostClassifier(n_estimators=300).fit(X, y)
    errors = [np.mean(predicted != y) for predicted in model.staged_predict(X)]
    bounds = [training_bound(model.estimator_errors_[: m + 1]) for m in range(len(errors))]
    picture, ax = plots.panels()
    rounds = np.arange(1, len(errors) + 1)
    ax.plot(rounds, bounds, color=VERMILLION, linestyle="--", label="bound")
    ax.plot(rounds, errors, color=BLUE, label="training error")
    ax.set(xlabel="round", ylabel="error rate, bound", ylim=(0, 1))
    ax.legend(loc="upper right")
    return picture


@figure(
    "ensemble-margins",
    alt="Three rising step curves, the proportion of examples with at most a given margin, after 5, 50, 500 "
    "rounds. With more rounds the smallest margins move to the right and the largest to the left.",
)
def margins() -> Figure:
    """Distribution of the margins of AdaBoost on the training set after 5, 50 and 500 rounds.

    Breast cancer, 569 examples. The proportion at or below 0 is the training error; when it is zero, the
    smallest margins still grow.
    """
    data = datasets.load_breast_cancer()
    picture, ax = plots.panels()
    for rounds, color, dashes in ((5, GREY, ":"), (50, VERMILLION, "--"), (500, BLUE, "-")):
        model = AdaBoostClassifier(n_estimators=rounds).fit(data.X, data.y)
        values = np.sort(model.margins(data.X, data.y))
        proportions = np.arange(1, len(values) + 1) / len(values)
        ax.step(values, proportions, where="post", color=color, linestyle=dashes, label=f"{rounds} rounds")
    ax.axvline(0, color="black", linewidth=0.6)
    ax.set(
        xlabel=r"margin $yF(x)/\sum_m\,|\alpha_m|$",
        ylabel="proportion of examples",
        xlim=(-0.6, 1.02),
        ylim=(0, 1.02),
    )
    ax.legend(loc="upper left")
    return picture
