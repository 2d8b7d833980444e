"""Pictures of a fitted model on data: of this library, or any other with the methods of scikit-learn."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from mlnotes.checks import check_rng, check_scalar, check_vector, check_X_y
from mlnotes.estimators.evaluation import (
    RocCurve,
    calibration_curve,
    confusion_matrix,
    error_interval,
    error_rate,
    k_folds,
    roc_curve,
)
from mlnotes.estimators.tree import DecisionTreeClassifier, choose_alpha
from mlnotes.show.style import BLACK, BLUE, GREEN, GREY, MARKERS, VERMILLION, drawn_on, figure_of, tint


def roc(model: Any, X: ArrayLike, y: ArrayLike, *, ax: Axes | None = None) -> Figure:
    """Draw the true against the false positive rate of a model with two classes, for every threshold.

    Parameters
    ----------
    model : fitted classifier
        With ``predict_proba`` or ``decision_function``; its second class is positive.
    X : array-like of shape (n, d)
    y : array-like of shape (n,)
    ax : Axes, optional

    Returns
    -------
    Figure

    Raises
    ------
    ValueError
        If the model has other than two classes, or no scores.
    """
    curve = _curve(model, X, y)
    with drawn_on(ax) as ax:
        ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.6)
        ax.plot(
            curve.false_positive_rate, curve.true_positive_rate, color=BLUE, label=f"area {curve.area:.3f}"
        )
        ax.set(xlabel="false positive rate", ylabel="true positive rate", xlim=(0, 1), ylim=(0, 1.02))
        ax.legend(loc="lower right")
    return figure_of(ax)


def precision_recall(model: Any, X: ArrayLike, y: ArrayLike, *, ax: Axes | None = None) -> Figure:
    """Draw the precision against the recall of a model with two classes, for every threshold.

    The grey line is the proportion of positive observations: the precision of random predictions. Parameters
    and errors are those of `roc`.
    """
    curve = _curve(model, X, y)
    hits, false = curve.true_positives[1:], curve.false_positives[1:]
    with drawn_on(ax) as ax:
        ax.axhline(hits[-1] / (hits[-1] + false[-1]), color=GREY, linewidth=0.6)
        ax.step(hits / hits[-1], hits / (hits + false), where="post", color=BLUE)
        ax.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.02))
    return figure_of(ax)


def calibration(model: Any, X: ArrayLike, y: ArrayLike, *, n_bins: int = 8, ax: Axes | None = None) -> Figure:
    """Draw the observed frequency of the second class against its forecast, with exact 95 % intervals.

    Parameters
    ----------
    model : fitted classifier
        With ``predict_proba`` and two classes.
    X, y
        As for `roc`: observations that the model was not fitted to.
    n_bins : int
        Equal bins of [0, 1]; empty ones are left out.
    ax : Axes, optional
    """
    _check_two_classes(model)
    bins = calibration_curve(_is_second(model, y), model.predict_proba(X)[:, 1], n_bins=n_bins)
    hits = np.round(bins.observed * bins.count).astype(int)
    ends = [error_interval(int(m), int(n)) for m, n in zip(hits, bins.count, strict=True)]
    with drawn_on(ax) as ax:
        ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.6)
        ax.vlines(bins.forecast, [end.low for end in ends], [end.high for end in ends], color=BLUE)
        ax.plot(bins.forecast, bins.observed, "o", color=BLUE)
        ax.set(xlabel="forecast", ylabel="observed frequency", xlim=(0, 1), ylim=(0, 1))
    return figure_of(ax)


def confusion(model: Any, X: ArrayLike, y: ArrayLike, *, ax: Axes | None = None) -> Figure:
    """Draw the confusion matrix: counts by class and prediction; the shade is the fraction of the class.

    Parameters
    ----------
    model : fitted classifier
    X, y
        As for `roc`, with any number of classes.
    ax : Axes, optional
    """
    labels = np.unique(np.concatenate([np.asarray(model.classes_), np.asarray(y)]))
    counts = confusion_matrix(y, model.predict(X), labels=labels)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    with drawn_on(ax) as ax:
        for (i, j), count in np.ndenumerate(counts):
            ax.add_patch(_square(i, j, tint(BLUE, 1 - 0.7 * float(shares[i, j]))))
            ax.text(j, i, f"{count}", ha="center", va="center", weight="bold" if i == j else "normal")
        ends = (-0.5, len(labels) - 0.5)
        ax.set(xlabel="prediction", ylabel="class", xlim=ends, ylim=ends[::-1], aspect="equal")
        ax.set_xticks(range(len(labels)), [str(label) for label in labels])
        ax.set_yticks(range(len(labels)), [str(label) for label in labels])
    return figure_of(ax)


def _square(i: int, j: int, color: Any) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=color, edgecolor="white")


def learning_curve(
    model: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    sizes: Sequence[int] | None = None,
    n_folds: int = 5,
    random_state: Any = 0,
    ax: Axes | None = None,
) -> Figure:
    """Draw the training and the validation error against the number of training examples.

    Parameters
    ----------
    model : estimator
        With ``fit`` and ``predict``; it is not changed.
    X : array-like of shape (n, d)
    y : array-like of shape (n,)
    sizes : sequence of int, optional
        Numbers of training examples; by default eight from a tenth to all of those of a fold, evenly in the
        logarithm.
    n_folds : int
        Each fold in turn is the validation set; the training examples are the first of the others, in random
        order, so that larger sets contain the smaller ones. The band is one standard error of the mean over
        the folds.
    random_state : int, Generator or None
    ax : Axes, optional

    Raises
    ------
    ValueError
        If there are fewer training examples than the largest size.
    """
    matrix, classes, codes = check_X_y(X, y)
    labels, rng = classes[codes], check_rng(random_state)
    check_scalar(n_folds, name="n_folds", kind=int, minimum=2)
    folds = [(rng.permutation(train), test) for train, test in k_folds(len(labels), n_folds, rng=rng)]
    most = min(len(train) for train, _ in folds)
    steps = np.unique(np.geomspace(max(most // 10, 2), most, 8).astype(int)) if sizes is None else sizes
    counts = [int(n) for n in check_vector(steps, name="sizes", minimum=1, maximum=most)]
    errors = np.empty((2, n_folds, len(counts)))
    for f, (train, test) in enumerate(folds):
        for k, n in enumerate(counts):
            clone = copy.deepcopy(model).fit(matrix[train[:n]], labels[train[:n]])
            for side, rows in enumerate((train[:n], test)):
                errors[side, f, k] = error_rate(labels[rows], clone.predict(matrix[rows]))
    with drawn_on(ax) as ax:
        sides = (("training", VERMILLION), ("validation", BLUE))
        for table, (name, color), marker in zip(errors, sides, MARKERS, strict=False):
            mean, half = table.mean(axis=0), table.std(axis=0, ddof=1) / np.sqrt(n_folds)
            ax.fill_between(counts, mean - half, mean + half, color=tint(color), linewidth=0)
            ax.plot(counts, mean, color=color, marker=marker, markersize=4, label=name)
        ax.set(xlabel="training examples", ylabel="error rate", xscale="log", ylim=(0, None))
        ax.minorticks_off()
        ax.set_xticks(counts[::-2], [f"{n:,}" for n in counts[::-2]])
        ax.legend(loc="best")
    return figure_of(ax)


def pruning_path(
    model: DecisionTreeClassifier,
    X: ArrayLike,
    y: ArrayLike,
    *,
    folds: Iterable[tuple[NDArray[Any], NDArray[Any]]] | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draw the errors of the subtrees that pruning goes through, against their number of leaves.

    Parameters
    ----------
    model : DecisionTreeClassifier
        Its parameters are used; it is not changed.
    X : array-like of shape (n, d)
    y : array-like of shape (n,)
    folds : iterable of pairs of row numbers (training, test), optional
        By default ten, stratified, drawn with seed 0. Grey bars are one standard error over them; the
        triangle is the smallest tree within one standard error of the minimum cross-validated error.
    ax : Axes, optional
    """
    matrix, _, codes = check_X_y(X, y)
    if folds is None:
        folds = k_folds(len(codes), 10, rng=np.random.default_rng(0), stratify=codes)
    path = model.cost_complexity_pruning_path(matrix, codes)
    choice = choose_alpha(model, matrix, codes, folds)
    trees = [path.subtree(alpha) for alpha in choice.alphas]
    predictions = [tree.value.argmax(axis=1)[tree.apply(matrix)] for tree in trees]
    training = [np.mean(predicted != codes) for predicted in predictions]
    at = int(np.flatnonzero(choice.alphas == choice.simplest)[0])
    with drawn_on(ax) as ax:
        ax.plot(path.n_leaves, training, color=VERMILLION, linestyle="--", label="training error")
        ax.errorbar(
            path.n_leaves,
            choice.errors,
            choice.standard_errors,
            color=BLUE,
            ecolor=GREY,
            elinewidth=0.6,
            label="cross-validated error",
        )
        ax.plot(
            path.n_leaves[at], choice.errors[at], "^", color=GREEN, markersize=8, label="one standard error"
        )
        ax.set(xlabel="leaves", ylabel="error rate", xscale="log", ylim=(0, None))
        ax.legend(loc="lower left")
    return figure_of(ax)


def scree(model: Any, *, ax: Axes | None = None) -> Figure:
    """Draw the proportion of variance explained by each principal component, and the cumulative proportion.

    Parameters
    ----------
    model : fitted PCA
        With ``explained_variance_ratio_``.
    ax : Axes, optional
    """
    shares = check_vector(model.explained_variance_ratio_, name="explained_variance_ratio_")
    ranks = np.arange(1, len(shares) + 1)
    with drawn_on(ax) as ax:
        ax.bar(ranks, shares, color=tint(BLUE, 0.5), label="each component")
        ax.plot(ranks, shares.cumsum(), color=BLACK, marker=".", markersize=5, label="cumulative")
        ax.set(xlabel="component", ylabel="proportion of variance", ylim=(0, 1.02))
        ax.legend(loc="center right")
    return figure_of(ax)


# ------------------------------------------------------------------- scores with two classes


def _curve(model: Any, X: ArrayLike, y: ArrayLike) -> RocCurve:
    _check_two_classes(model)
    if hasattr(model, "predict_proba"):
        scores = model.predict_proba(X)[:, 1]
    elif hasattr(model, "decision_function"):
        scores = model.decision_function(X)
    else:
        raise ValueError(f"model must have predict_proba or decision_function, got {model!r}.")
    return roc_curve(_is_second(model, y), scores)


def _check_two_classes(model: Any) -> None:
    classes = getattr(model, "classes_", ())
    if len(classes) != 2:
        raise ValueError(f"model must be fitted, with two classes, got {len(classes)} classes.")


def _is_second(model: Any, y: ArrayLike) -> NDArray[np.int64]:
    labels = np.asarray(y)
    if not np.isin(labels, model.classes_).all():
        raise ValueError(f"y has labels besides the classes of the model, {list(model.classes_)}.")
    return (labels == model.classes_[1]).astype(np.int64)
