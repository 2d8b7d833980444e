"""Figures of lecture 2: what test data show, and what they cannot show.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.figure import Figure

from mlnotes import LogisticRegression, PlugInClassifier, bayes, datasets
from mlnotes.estimators import evaluation
from mlnotes.evaluation import binomial_tail
from mlnotes.show import models, plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLACK, BLUE, GREY, VERMILLION


@figure(
    "evaluation-coverage",
    alt="Two curves of coverage against the risk. One stays above 0.95 with small teeth; the other lies "
    "below it almost everywhere and falls to zero at both ends.",
)
def coverage() -> Figure:
    r"""Exact intervals keep their promise, the normal approximation does not.

    Probability, for 20 test observations, that a 95 % interval contains the risk. After no error the
    approximation $e/n \pm 1.96\sqrt{e(n - e)/n^3}$ is a single point, so for good classifiers it hardly ever
    covers.
    """
    n, errors = 20, np.arange(21)
    risks = np.linspace(0.001, 0.999, 999)[:, None]
    mass = np.array([math.comb(n, e) for e in errors]) * risks**errors * (1 - risks) ** (n - errors)
    exact = [evaluation.error_interval(int(e), n) for e in errors]
    radius = 1.96 * np.sqrt(errors * (n - errors) / n**3)
    ends = {
        "exact": (np.array([i.low for i in exact]), np.array([i.high for i in exact])),
        "normal approximation": (errors / n - radius, errors / n + radius),
    }
    covered = {
        name: (mass * ((low <= risks) & (risks <= high))).sum(axis=1) for name, (low, high) in ends.items()
    }
    picture, ax = plots.panels(1, 1)
    plots.curves(risks[:, 0], covered, ax=ax)
    ax.axhline(0.95, color=GREY, linewidth=0.6)
    ax.set(xlabel="risk $R$", ylabel="probability of covering it", xlim=(0, 1), ylim=(0, 1.02))
    return picture


@figure(
    "evaluation-best-of-many",
    alt="A bell of bars around 0.5 and, far to its left, a narrow group of bars around 0.34.",
)
def best_of_many() -> Figure:
    """Test data that choose cannot judge: all 1,000 classifiers guess, and the best of them errs on a third.

    Exact probabilities for 100 test observations with labels from a fair coin: the test error of one
    classifier, which is right about the risk 1/2 on average, and the smallest of 1,000 independent ones.
    """
    n, classifiers = 100, 1000
    errors = np.arange(n + 1)
    single = np.array([math.comb(n, e) / 2**n for e in errors])
    above = np.array([binomial_tail(int(e), n, 0.5) for e in (*errors, n + 1)])  # P(B >= e)
    smallest = above[:-1] ** classifiers - above[1:] ** classifiers
    picture, ax = plots.panels(1, 1)
    ax.bar(errors / n, single, width=0.008, color=BLUE, label="one classifier")
    ax.bar(errors / n, smallest, width=0.008, color=VERMILLION, hatch="////", label="best of 1,000",
           edgecolor="white", linewidth=0)  # fmt: skip
    ax.axvline(0.5, color=BLACK, linewidth=0.6)
    ax.set(xlabel="test error", ylabel="probability", xlim=(0.28, 0.68))
    ax.legend(loc="upper right")
    return picture


@figure(
    "evaluation-roc-costs",
    alt="Left: an ROC curve above the diagonal, touched from above by a steep, a middle and a flat dashed "
    "line. Right: three curves of cost against the threshold with their lowest points marked.",
    seed=17,
)
def roc_costs(rng: np.random.Generator) -> Figure:
    r"""Costs are lines: the cheapest threshold is where the highest line of its slope touches the ROC curve.

    2,000 observations of two normal classes at distance 1.5, scored by the true posterior. Right: the same
    costs against the threshold, with $c_{FP}/(c_{FP} + c_{FN})$ as vertical lines: the best threshold in
    theory.
    """
    distribution = datasets.gaussian_pair(1.5)
    X, y = distribution.sample(2000, rng)
    eta = distribution.posterior(X)[:, 1]
    curve = evaluation.roc_curve(y, eta)
    f, a = curve.false_positive_rate, curve.true_positive_rate
    n_plus = int(y.sum())
    n_minus = len(y) - n_plus
    picture, (left, right) = plots.panels(1, 2)
    left.plot([0, 1], [0, 1], color=GREY, linewidth=0.6)
    left.plot(f, a, color=BLACK, label=f"area {curve.area:.3f}")
    ratios = ((4, 1), (1, 1), (1, 4))
    for k, (fp, fn) in enumerate(ratios):
        slope = fp * n_minus / (fn * n_plus)
        costs = (fp * n_minus * f + fn * n_plus * (1 - a)) / len(y)
        best = int(np.argmin(costs))
        style = {"color": plots.COLORS[k], "linestyle": plots.DASHES[k]}
        left.axline((f[best], a[best]), slope=slope, linewidth=0.9, **style)
        left.plot(f[best], a[best], marker=plots.MARKERS[k], color=plots.COLORS[k], markersize=5)
        right.plot(curve.thresholds[1:], costs[1:], label=f"{fp} : {fn}", **style)
        right.plot(curve.thresholds[best], costs[best], marker=plots.MARKERS[k], color=plots.COLORS[k])
        right.axvline(bayes.cost_threshold(fp, fn), color=plots.COLORS[k], linewidth=0.5)
    left.set(xlabel="false positive rate", ylabel="true positive rate", xlim=(0, 1), ylim=(0, 1.02))
    left.legend(loc="lower right")
    right.set(xlabel="threshold $t$", ylabel="average cost", xlim=(0, 1), ylim=(0, 2.2))
    right.legend(title="$c_{FP} : c_{FN}$", loc="upper center", framealpha=1)
    return picture


@figure(
    "evaluation-calibration",
    alt="Eight points with vertical error bars; the left ones above the diagonal, the right ones well below.",
    seed=1934,
)
def calibration(rng: np.random.Generator) -> Figure:
    """Too sure of itself: forecasts of the plug-in rule with Gaussian classes on the heart data.

    231 test observations in eight bins of the forecast, the observed proportion of the ill in each, with
    exact 95 % intervals. A calibrated forecaster stays near the diagonal.
    """
    data = datasets.load_saheart()
    X_train, X_test, y_train, y_test = evaluation.train_test_split(
        data.X, data.y, rng=rng, test_size=231, stratify=data.y
    )
    picture, ax = plots.panels(1, 1, width=3.8, height=3.5)
    models.calibration(PlugInClassifier().fit(X_train, y_train), X_test, y_test, ax=ax)
    return picture


@figure(
    "evaluation-models",
    alt="Four panels. An ROC curve above the diagonal. A precision that falls with the recall, from one to "
    "the proportion of the ill. A table of two by two counts, shaded by proportion. Two curves of the error "
    "against the number of training examples: that of the training data rises, the other one falls to it.",
    seed=1935,
)
def models_on_data(rng: np.random.Generator) -> Figure:
    """Four pictures of logistic regression on the heart data, each one call of `mlnotes.show`.

    `roc`, `precision_recall` and `confusion` on 231 test observations; `learning_curve` over five folds, with
    one standard error.
    """
    data = datasets.load_saheart()
    X_train, X_test, y_train, y_test = evaluation.train_test_split(
        data.X, data.y, rng=rng, test_size=231, stratify=data.y
    )
    model = LogisticRegression().fit(X_train, y_train)
    picture, axes = plots.panels(2, 2, height=6.0)
    models.roc(model, X_test, y_test, ax=axes[0, 0])
    models.precision_recall(model, X_test, y_test, ax=axes[0, 1])
    models.confusion(model, X_test, y_test, ax=axes[1, 0])
    models.learning_curve(model, data.X, data.y, random_state=rng, ax=axes[1, 1])
    return picture
