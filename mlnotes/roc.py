r"""ROC curves: a score, and all its thresholds.  Lecture 2, section 5.

    y_hat = 1{s(x) >= t}                                       prediction with the threshold t        (5.1)
    FPR(t) = P(S >= t | Y = 0),   TPR(t) = P(S >= t | Y = 1)   false and true positive rate
    (FPR(t), TPR(t)) for all t                                 the ROC curve, from (0, 0) to (1, 1)
    AUC = P(S_+ > S_-) + 1/2 P(S_+ = S_-)                      the area under it                      (5.3)

Proposition 5.1. If s(x) = P(Y = 1 | x), the best threshold is c_FP / (c_FP + c_FN).                  (5.2)
Theorem 5.2. The area is the probability that a positive observation scores higher than a negative one, where
a tie counts one half.

y (n,) holds the labels, 0 (negative) and 1 (positive), and score (n,) the scores; only their order matters.
Inputs are not validated here; the estimators do that.
"""

from collections import namedtuple

import numpy as np


def apply_threshold(score, threshold):
    return (score >= threshold).astype(int)  # (5.1)


class RocCurve(namedtuple("RocCurve", "thresholds false_positive_rate true_positive_rate")):
    @property
    def area(self):
        widths = np.diff(self.false_positive_rate)
        heights = (self.true_positive_rate[1:] + self.true_positive_rate[:-1]) / 2
        return widths @ heights  # trapezoids: (5.3)


def roc_curve(y_true, score):
    """A point for every threshold: infinity, then the distinct scores from the largest to the smallest."""
    negative = score[y_true == 0]
    positive = score[y_true == 1]
    if len(negative) == 0 or len(positive) == 0:
        raise ValueError("An ROC curve needs observations of both classes.")
    thresholds = np.append(np.inf, np.unique(score)[::-1])
    false_positive_rate = [np.mean(negative >= t) for t in thresholds]
    true_positive_rate = [np.mean(positive >= t) for t in thresholds]
    return RocCurve(thresholds, np.array(false_positive_rate), np.array(true_positive_rate))


def average_cost(y_true, y_pred, false_positive=1.0, false_negative=1.0):
    cost = false_positive * (y_pred > y_true) + false_negative * (y_pred < y_true)
    return cost.mean()


ThresholdChoice = namedtuple("ThresholdChoice", "threshold cost")


def choose_threshold(y_true, score, false_positive=1.0, false_negative=1.0):
    """The threshold with the smallest average cost on these data; the largest one in a tie."""
    thresholds = roc_curve(y_true, score).thresholds
    costs = [
        average_cost(y_true, apply_threshold(score, t), false_positive, false_negative) for t in thresholds
    ]
    best = np.argmin(costs)
    return ThresholdChoice(thresholds[best], costs[best])
