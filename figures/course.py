"""The figure of the front page: one theorem from each of eight lectures, drawn from what was computed.

The docstring of each function is the caption of its figure.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mlnotes import datasets, neighbors, pca, perceptron
from mlnotes.datasets import shapes
from mlnotes.datasets.mixtures import NormalMixture
from mlnotes.density import kernel_amise
from mlnotes.ensemble import training_bound
from mlnotes.estimators.discriminant import LinearDiscriminantAnalysis
from mlnotes.estimators.ensemble import AdaBoostClassifier
from mlnotes.estimators.pca import PCA
from mlnotes.estimators.perceptron import separability
from mlnotes.estimators.svm import SVC
from mlnotes.show import plots
from mlnotes.show.gallery import figure
from mlnotes.show.plots import BLACK, BLUE, GREEN, GREY, VERMILLION, tint

FIFTHS = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]  # above them there is room for a legend


@figure(
    "course-theorems",
    alt="Eight small panels. Spiral arms with the best boundary between them; points between a line and an "
    "arc, the bound of Cover and Hart; the norm of a perceptron squeezed between a line and a root; a kernel "
    "machine on four clouds; three kinds of wine in a plane; the error of a kernel estimate under its bound; "
    "the training error of AdaBoost under its bound; the variance that principal components keep.",
    seed=7,
)
def theorems(rng: np.random.Generator) -> Figure:
    r"""Eight lectures, a theorem each: what was measured is solid or a point, what bounds it is dashed.

    Above: the best boundary of a known distribution; the 1-NN risk of 300 distributions, at most $2R^\star(1
    - R^\star)$; a perceptron, which stops before its bounds cross; an SVM and its margin. Below:
    178 wines in the two directions of LDA; the exact MISE of a kernel estimate; AdaBoost on heart data; what
    $k$ components of the digits keep, against 100 random subspaces.
    """
    picture, axes = plots.panels(2, 4, width=9.6, height=4.9)
    spirals(axes[0, 0], rng)
    cover_hart(axes[0, 1], rng)
    mistakes(axes[0, 2], rng)
    kernel_machine(axes[0, 3], rng)
    wines(axes[1, 0])
    kernel_estimate(axes[1, 1])
    boosting(axes[1, 2])
    components(axes[1, 3], rng)
    for ax in axes.flat:
        ax.xaxis.labelpad = ax.yaxis.labelpad = 2
    return picture


def spirals(ax: Axes, rng: np.random.Generator) -> None:
    """Draw two spiral arms and the Bayes boundary."""
    distribution = shapes.spirals()
    X, y = distribution.sample(300, rng)
    plots.decision_regions(
        distribution.posterior, X, y, box=(-3.8, 3.8, -3.8, 3.8), resolution=120, size=7, ax=ax
    )
    ax.get_legend().remove()
    ax.set(
        title=rf"Bayes rule: $R^\star = {distribution.bayes_risk():.4f}$",
        xticks=[-3, 0, 3],
        yticks=[-3, 0, 3],
    )


def cover_hart(ax: Axes, rng: np.random.Generator) -> None:
    """Draw the asymptotic risk of the nearest neighbour against the Bayes risk."""
    best = np.linspace(0, 0.5, 101)
    ax.plot(best, 2 * best * (1 - best), "--", color=VERMILLION, label=r"$2R^\star(1 - R^\star)$")
    ax.plot(best, best, "--", color=BLACK, label=r"$R^\star$")
    found = []
    for _ in range(300):
        distribution = datasets.random_finite_distribution(rng, 4, 2)
        risk = distribution.marginal() @ neighbors.nearest_neighbor_risk(distribution.conditional())
        found.append((float(distribution.bayes_risk()), float(risk)))
    ax.plot(*np.array(found).T, ".", color=BLUE, markersize=2.5, zorder=1)
    ax.set(xlabel=r"Bayes risk $R^\star$", ylabel="1-NN risk", title="neighbours: Cover and Hart")
    ax.legend(loc="lower right")


def mistakes(ax: Axes, rng: np.random.Generator) -> None:
    """Draw the two inequalities that end a perceptron's run, on nearly orthogonal examples."""
    Z = np.eye(30) + rng.normal(0, 0.015, (30, 30))
    delta, radius = separability(Z).upper, np.linalg.norm(Z, axis=1).max()
    start = np.zeros(30)
    path = [start, *(w for w, i in perceptron.perceptron(Z, start) if i is not None)]
    bound = perceptron.mistake_bound(radius, delta)
    t = np.linspace(0, 1.15 * bound, 300)
    ax.plot(t, np.sqrt(t) * radius, "--", color=VERMILLION, label=r"$\sqrt{t}R$")
    ax.plot(t, t * delta, "--", color=BLACK, label=r"$t\delta$")
    ax.plot(np.linalg.norm(path, axis=1), "o-", color=BLUE, markersize=3, label=r"$\|w_t\|$")
    ax.axvline(bound, color=GREY, linestyle=":", linewidth=0.9)
    ax.set(xlabel="updates $t$", ylabel="length", title=rf"perceptron: $t \leq R^2/\delta^2 = {bound:.0f}$")
    ax.legend(loc="upper left")


def kernel_machine(ax: Axes, rng: np.random.Generator) -> None:
    """Draw a support vector machine with the Gaussian kernel on four clouds, and its margin."""
    corners = rng.choice([-1, 1], (80, 2))
    X, y = 2 * corners + rng.normal(0, 0.6, (80, 2)), corners.prod(axis=1)
    box = (-3.9, 3.9, -3.9, 3.9)
    model = SVC(1.0, gamma=0.3).fit(X, y)
    score = model.decision_function
    plots.decision_regions(
        lambda Z: np.outer(score(Z), [-1, 1]), X, y, box=box, resolution=120, size=9, ax=ax
    )
    for level in (-1.0, 1.0):
        plots.level_line(score, level, box=box, dashes="--", resolution=120, ax=ax)
    ax.get_legend().remove()
    ax.set(title="SVM: the widest margin", xticks=[-3, 0, 3], yticks=[-3, 0, 3])


def wines(ax: Axes) -> None:
    """Draw thirteen measurements of wines in the two coordinates in which LDA decides."""
    wine = datasets.load_wine()
    model = LinearDiscriminantAnalysis().fit(wine.X, wine.y)
    Z = model.transform(wine.X)
    plane = LinearDiscriminantAnalysis(priors=model.priors_).fit(Z, wine.y)
    plots.decision_regions(plane.predict_proba, Z, wine.y, resolution=160, size=9, ax=ax)
    ax.get_legend().remove()
    ax.set(xlabel="first direction", ylabel="second direction", title="LDA: Fisher's plane")


def kernel_estimate(ax: Axes) -> None:
    """Draw the mean integrated squared error of a kernel estimate, its parts and its bound."""
    distribution, n = NormalMixture([0.5, 0.5], [-1.0, 1.5], [0.5, 1.0]), 100
    h = np.geomspace(0.04, 1.2, 120)
    bias, variance = np.array([distribution.risk(width, n) for width in h]).T
    bound = kernel_amise(h, n, distribution.roughness(2))
    ax.plot(h, bound, "--", color=VERMILLION, label="AMISE")
    ax.plot(h, bias + variance, color=BLUE, label="MISE")
    ax.plot(h, bias, ":", color=GREY, label="bias², variance")
    ax.plot(h, variance, ":", color=GREY)
    ax.set(xscale="log", yscale="log", ylim=(4e-4, 3), xlabel="bandwidth $h$", ylabel="squared error")
    ax.set(title="density: bias and variance")
    ax.legend(loc="upper left")


def boosting(ax: Axes) -> None:
    """Draw the training error of AdaBoost and its bound."""
    heart = datasets.load_saheart()
    model = AdaBoostClassifier(n_estimators=150).fit(heart.X, heart.y)
    errors = [np.mean(predicted != heart.y) for predicted in model.staged_predict(heart.X)]
    rounds = np.arange(1, len(errors) + 1)
    bounds = [training_bound(model.estimator_errors_[:m]) for m in rounds]
    name = r"$\prod\, 2\sqrt{\epsilon_m(1 - \epsilon_m)}$"
    ax.plot(rounds, bounds, "--", color=VERMILLION, label=name)
    ax.plot(rounds, errors, color=BLUE, label="training error")
    ax.set(xlabel="round", ylabel="error rate", ylim=(0, 1.35), yticks=FIFTHS)
    ax.set(title="AdaBoost: the training bound")
    ax.legend(loc="upper right")


def components(ax: Axes, rng: np.random.Generator) -> None:
    """Draw the fraction of variance that principal components keep, and that of other subspaces."""
    digits = datasets.load_digits().X
    _, S = pca.mean_and_covariance(digits)
    k = np.arange(1, 41)
    best = np.cumsum(PCA().fit(digits).explained_variance_ratio_)[k - 1]
    draws = [np.linalg.qr(rng.standard_normal((64, 40)))[0] for _ in range(100)]
    fractions = np.array([np.cumsum(((S @ W) * W).sum(axis=0)) for W in draws]) / np.trace(S)  # (100, 40)
    ax.plot(k, best, "--", color=VERMILLION, label="$k$ components")
    ax.fill_between(k, fractions.min(axis=0), fractions.max(axis=0), color=tint(GREEN), linewidth=0)
    ax.plot(k, fractions.mean(axis=0), color=GREEN, label="random subspaces")
    ax.set(xlabel="dimension $k$", ylabel="fraction of the variance", ylim=(0, 1.4), yticks=FIFTHS)
    ax.set(title="PCA: Ky Fan")
    ax.legend(loc="upper left")
