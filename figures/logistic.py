"""Figures of lecture 5: probabilities, separated classes, thresholds, and what a penalty does.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import warnings

import numpy as np
from matplotlib.figure import Figure

from mlnotes import LogisticRegression, datasets
from mlnotes.estimators.descent import gradient_descent
from mlnotes.logistic import binary_gradient, binary_nll, smoothness
from mlnotes.show import plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLUE, GREEN, GREY, VERMILLION


@figure(
    "logistic-surface",
    alt="The plane shaded from blue to orange with steep, straight, parallel level lines. A dashed curve, "
    "the true "
    "boundary, crosses them; a second branch of it lies far to the left.",
    seed=5,
)
def surface(rng: np.random.Generator) -> Figure:
    """Logistic regression on 300 observations of Example 1.1: the level lines of the estimate are parallel.

    Dashed: the true boundary P(Y = 1 | X = x) = 1/2, a hyperbola, which no affine score can follow.
    """
    distribution = datasets.recitation_example()
    X, y = distribution.sample(300, rng)
    model = LogisticRegression(penalty=None).fit(X, y)
    box = (-5.0, 11.0, 1.0, 9.0)
    picture, ax = plots.panels(width=6.0, height=3.6)
    plots.contour_posterior(model.predict_proba, box=box, resolution=160, ax=ax)
    plots.level_line(
        lambda Z: distribution.posterior(Z)[:, 1], 0.5, box=box, dashes="--", label="true boundary", ax=ax
    )
    ax.legend(loc="lower left")
    return picture


@figure(
    "logistic-softmax",
    alt="Three clouds of points over three regions with straight borders that meet in one point.",
)
def three_classes() -> Figure:
    """Softmax regression on two lengths of the iris: three affine scores, regions with straight borders.

    The fit has a penalty with C = 1. The borders are where two of the three probabilities agree.
    """
    iris = datasets.load_iris()
    X = iris.X[:, 2:]
    model = LogisticRegression().fit(X, iris.y)
    picture, ax = plots.panels()
    plots.decision_regions(
        model.predict_proba,
        X,
        iris.y,
        names=iris.target_names,
        box=(0.5, 7.5, -0.2, 3.0),
        resolution=200,
        ax=ax,
    )
    ax.set(xlabel="petal length in cm", ylabel="petal width in cm")
    return picture


@figure(
    "logistic-separable",
    alt="Two panels over a logarithmic axis of steps. Left the norm of the weights rises as a straight line, "
    "right the loss falls as a straight line on logarithmic axes.",
)
def separable() -> Figure:
    """Gradient descent on separated classes: the weights grow like log t and the loss falls like 1/t.

    There is no maximum of the likelihood to arrive at. One feature with values -2, -1, 1 and 3 and its sign
    for a label; steps of length 1/L.
    """
    X, y = np.array([[-2.0], [-1.0], [1.0], [3.0]]), np.array([0, 0, 1, 1])
    trace = gradient_descent(
        lambda w: binary_nll(w, X, y),
        lambda w: binary_gradient(w, X, y),
        [0.0],
        step=1 / smoothness(X),
        n_steps=3000,
    )
    t = np.arange(1, trace.n_steps + 1)
    picture, (left, right) = plots.panels(1, 2)
    left.plot(t, trace.iterates[1:, 0], color=BLUE)
    left.set(xscale="log", xlabel="step $t$", ylabel=r"weight $w_t$")
    right.plot(t, trace.values[1:], color=VERMILLION)
    right.set(xscale="log", yscale="log", xlabel="step $t$", ylabel="average loss")
    return picture


@figure(
    "logistic-threshold",
    alt="Two curves against the threshold: missed patients rise from 0 to 1, false alarms fall from 1 to 0; "
    "they "
    "cross near a threshold of one third, marked by a dashed line further left for a cost of four.",
    seed=8,
)
def threshold(rng: np.random.Generator) -> Figure:
    """Thresholds trade false alarms for missed patients: heart disease of 462 men, half of them held out.

    Dashed: 1/5, the best threshold for the model's probabilities if a miss costs four false alarms.
    """
    data = datasets.load_saheart()
    order = rng.permutation(len(data.y))
    train, test = order[:231], order[231:]
    p = LogisticRegression().fit(data.X[train], data.y[train]).predict_proba(data.X[test])[:, 1]
    sick = data.y[test] == 1
    grid = np.linspace(0, 1, 201)
    missed = np.array([np.mean(p[sick] < c) for c in grid])
    alarms = np.array([np.mean(p[~sick] >= c) for c in grid])
    picture, ax = plots.panels()
    ax.plot(grid, missed, color=VERMILLION, label="missed, of the sick")
    ax.plot(grid, alarms, color=BLUE, dashes=(5, 1.5), label="false alarms, of the healthy")
    ax.axvline(0.2, color=GREY, linestyle="--", linewidth=0.8)
    ax.set(xlabel=r"threshold for $\hat P(Y = 1 \mid X = x)$", ylabel="rate")
    ax.legend(loc="center right")
    return picture


@figure(
    "logistic-penalty",
    alt="Left thirty coefficient curves fan out from zero as C grows over seven decades. Right the training "
    "loss falls "
    "while the test loss first falls and then rises.",
    seed=9,
)
def penalty(rng: np.random.Generator) -> Figure:
    """Penalties bound the weights: 569 tumours, 30 standardised features, half of the observations held out.

    The training examples are separated: the weights have no limit as C grows, and the loss on test data
    rises.
    """
    data = datasets.load_breast_cancer()
    order = rng.permutation(len(data.y))
    train, test = order[:285], order[285:]
    X = (data.X - data.X[train].mean(axis=0)) / data.X[train].std(axis=0)
    strengths = np.logspace(-4, 3, 22)
    weights, losses = [], []
    for C in strengths:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = LogisticRegression(C=C).fit(X[train], data.y[train])
        weights.append(model.coef_[0])
        w = np.append(model.coef_[0], model.intercept_)
        rows = [np.column_stack([X[part], np.ones(len(part))]) for part in (train, test)]
        losses.append([binary_nll(w, A, data.y[part]) for A, part in zip(rows, (train, test), strict=True)])
    picture, (left, right) = plots.panels(1, 2)
    left.plot(strengths, np.array(weights), color=GREY, linewidth=0.6)
    left.set(xscale="log", xlabel="$C$", ylabel="weights")
    for column, name, color, marker in ((0, "training data", BLUE, "o"), (1, "test data", GREEN, "^")):
        right.plot(
            strengths, np.array(losses)[:, column], color=color, marker=marker, markersize=3, label=name
        )
    right.set(xscale="log", yscale="log", xlabel="$C$", ylabel="average loss")
    right.legend(loc="lower left")
    return picture
