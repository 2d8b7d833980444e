r"""Evaluation of scores: thresholds and ROC curves, proper scores and calibration.

The larger its score, the more an observation looks like the positive class; a probability is a score in
[0, 1] that claims to be P(Y = positive | X). With two classes **the larger label is the positive one**, as
column 1 of ``predict_proba``; a threshold t predicts positive iff ``score >= t``.

Sources: Recitation 7, section 2.2 (thresholds); Hanley and McNeil (1982) for the area under the ROC curve;
Brier (1950) and Murphy (1973) for probabilities.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import calibration, roc
from mlnotes.calibration import Calibration
from mlnotes.estimators.base import check_count, check_labels, check_scalar, check_vector
from mlnotes.histogram import bin_index
from mlnotes.roc import ThresholdChoice

__all__ = [
    "RocCurve", "apply_threshold", "brier_score", "calibration_curve", "choose_threshold", "log_loss",
    "roc_curve",
]  # fmt: skip

# ------------------------------------------------------------------- thresholds and the ROC curve


def apply_threshold(score: ArrayLike, threshold: float) -> NDArray[np.int64]:
    r"""Return the predictions :math:`1\{s_i \ge t\}`, shape (n,); a score equal to t is a 1.

    The false positive rate and the true positive rate decrease in t. `threshold` may be infinite. Source:
    Recitation 7, section 2.2.
    """
    values = check_vector(score, name="score")
    check_scalar(threshold, name="threshold", minimum=-math.inf, maximum=math.inf)
    return roc.apply_threshold(values, threshold)


class RocCurve:
    """A point for every threshold, from infinity, where no prediction is positive, to the smallest score.

    Attributes
    ----------
    thresholds : ndarray of shape (m + 1,)
        Infinity and the m distinct scores, decreasing.
    false_positives, true_positives : ndarray of int, shape (m + 1,)
        Numbers of negative and of positive observations with a score of at least the threshold.
    """

    def __init__(self, thresholds: Any, false_positives: Any, true_positives: Any) -> None:
        self.thresholds = thresholds
        self.false_positives = false_positives
        self.true_positives = true_positives

    @property
    def false_positive_rate(self) -> NDArray[np.float64]:
        """Proportion of the negative observations that are predicted positive, shape (m + 1,)."""
        return self.false_positives / self.false_positives[-1]

    @property
    def true_positive_rate(self) -> NDArray[np.float64]:
        """Proportion of the positive observations that are predicted positive, shape (m + 1,)."""
        return self.true_positives / self.true_positives[-1]

    @property
    def area(self) -> float:
        r"""Area under the curve, :math:`P(S_+ > S_-) + \frac12 P(S_+ = S_-)`, exact up to one division."""
        heights = self.true_positives[1:] + self.true_positives[:-1]
        pairs = np.diff(self.false_positives) / 2 * heights
        return float(pairs.sum()) / (int(self.false_positives[-1]) * int(self.true_positives[-1]))


def roc_curve(y_true: ArrayLike, score: ArrayLike) -> RocCurve:
    r"""Return the ROC curve of a score; cost :math:`O(n \log n)`.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of exactly two classes, the larger one positive.
    score : array-like of shape (n,)

    Returns
    -------
    RocCurve
        With ``thresholds``, ``false_positives``, ``true_positives``, the rates ``false_positive_rate`` and
        ``true_positive_rate``, and ``area``.

    Examples
    --------
    >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> curve.false_positive_rate.tolist(), curve.true_positive_rate.tolist(), curve.area
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], 0.875)
    """
    positive = _check_binary(y_true)
    values = check_vector(score, name="score", n=len(positive))
    order = np.argsort(-values)
    values, positive = values[order], positive[order]
    last = np.flatnonzero(np.append(values[1:] != values[:-1], True))  # ends of the runs of equal scores
    hits = np.cumsum(positive)[last]
    return RocCurve(
        np.concatenate([[np.inf], values[last]]),
        np.concatenate([[0], last + 1 - hits]),
        np.concatenate([[0], hits]),
    )


def choose_threshold(
    y_true: ArrayLike, score: ArrayLike, *, false_positive: float = 1.0, false_negative: float = 1.0
) -> ThresholdChoice:
    r"""Return the threshold that minimises :math:`\frac1n (c_{FP} \#FP + c_{FN} \#FN)` over all thresholds.

    Each cost ratio is a slope: the best point is where a line of slope
    :math:`\frac{c_{FP} n_-}{c_{FN} n_+}` touches the ROC curve from above. For a score that *is*
    :math:`P(Y = 1 \mid x)` the best threshold in the population is :math:`t = c_{FP} / (c_{FP} + c_{FN})`
    (`mlnotes.bayes.cost_threshold`). In a tie the largest threshold is returned; it may be infinite, so that
    every prediction is negative.

    Parameters
    ----------
    y_true, score
        As in `roc_curve`. These are then training data: the cost is too small as an estimate.
    false_positive, false_negative : float
        Costs >= 0, not both zero.
    """
    check_scalar(false_positive, name="false_positive", minimum=0)
    check_scalar(false_negative, name="false_negative", minimum=0)
    if not false_positive + false_negative:
        raise ValueError("false_positive and false_negative are both 0; at least one cost must be positive.")
    curve = roc_curve(y_true, score)
    n_positive, n_negative = curve.true_positives[-1], curve.false_positives[-1]
    costs = false_positive * curve.false_positives + false_negative * (n_positive - curve.true_positives)
    best = costs.argmin()
    return ThresholdChoice(curve.thresholds[best], costs[best] / (n_positive + n_negative))


# ------------------------------------------------------------------- probabilities: scores and calibration


def brier_score(y_true: ArrayLike, probability: ArrayLike) -> float:
    r"""Return :math:`\frac1n \sum_i (p_i - y_i)^2`, with y_i = 1 for the positive class.

    Its expectation is smallest at the true probabilities, like that of `log_loss`: both are proper scores.
    """
    positive, p = _check_forecast(y_true, probability)
    return float(calibration.brier_score(positive, p))


def log_loss(y_true: ArrayLike, probability: ArrayLike) -> float:
    r"""Return :math:`-\frac1n \sum_i [y_i \log p_i + (1 - y_i) \log(1 - p_i)]`, in nats.

    Raises
    ------
    ValueError
        If an outcome with forecast probability 0 occurred: that loss is infinite.
    """
    positive, p = _check_forecast(y_true, probability)
    wrong = np.flatnonzero(p == 1 - positive)
    if wrong.size:
        raise ValueError(
            f"probability is {p[wrong[0]]} at observation {wrong[0]}, whose label is the other class: "
            "the log loss is infinite."
        )
    return float(calibration.log_loss(positive, p))


def calibration_curve(y_true: ArrayLike, probability: ArrayLike, *, n_bins: int | None = None) -> Calibration:
    r"""Group observations by forecast and compare forecast with frequency: the reliability diagram.

    Without bins a group is one distinct forecast, and Murphy's identity is exact:
    ``brier_score = reliability - resolution + uncertainty``.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two classes, the larger one positive.
    probability : array-like of shape (n,)
        In [0, 1].
    n_bins : int, optional
        Equal bins of [0, 1], closed on the left, the last one on both sides; empty bins are left out.

    Returns
    -------
    Calibration
        Of each group that is not empty, shape (m,): ``forecast``, the mean forecast, increasing;
        ``observed``, the proportion of positive observations; ``count``. And four numbers: ``error``, the
        expected calibration error :math:`\sum_g \frac{n_g}{n} |\bar p_g - \bar y_g|`; ``reliability``, the
        same with squares, 0 iff calibrated on these groups; ``resolution``, how much the groups differ;
        ``uncertainty``, :math:`\bar y (1 - \bar y)`, the Brier score of the constant forecast.
    """
    positive, p = _check_forecast(y_true, probability)
    if n_bins is None:
        group = np.unique(p, return_inverse=True)[1]
    else:
        check_count(n_bins, name="n_bins")
        group = bin_index(p, n_bins)
    counts = np.bincount(group)
    used = counts > 0
    sums = [np.bincount(group, weights=w)[used] / counts[used] for w in (p, positive)]
    return Calibration(sums[0], sums[1], counts[used])


# ------------------------------------------------------------------- checks of this module's arguments


def _check_binary(y_true: ArrayLike) -> NDArray[np.int64]:
    """Return 1 for the larger of the two labels, 0 for the smaller."""
    classes, codes = check_labels(y_true, name="y_true")
    if len(classes) != 2:
        raise ValueError(f"y_true must have exactly two classes, got {len(classes)}: {classes[:5].tolist()}.")
    return codes


def _check_forecast(
    y_true: ArrayLike, probability: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    positive = _check_binary(y_true)
    return positive, check_vector(probability, name="probability", n=len(positive), minimum=0, maximum=1)
