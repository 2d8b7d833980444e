r"""Calibration: is a probability a probability?  Lecture 2, section 6.

    Brier = 1/n sum_i (p_i - y_i)^2                                                                   (6.1)
    log loss = -1/n sum_i [y_i log p_i + (1 - y_i) log(1 - p_i)]                                      (6.1)
    Brier = reliability - resolution + uncertainty                                                    (6.2)

Theorem 6.1. Both scores are proper: if P(Y = 1) = eta, the forecast p = eta has the smallest expected score.
Theorem 6.2 (Murphy). Group the observations by forecast.  Group g has n_g observations with the forecast p_g,
and the proportion y_g of them is positive; y is the proportion among all.  Then (6.2) holds with

    reliability = sum_g n_g/n (p_g - y_g)^2,  resolution = sum_g n_g/n (y_g - y)^2,  uncertainty = y (1 - y).

(6.2) is exact if all forecasts of a group are equal; with their mean for p_g it is in general approximate.

y (n,) holds the labels 0 and 1, and probability (n,) the forecasts p_i of P(Y = 1 | x_i).
Inputs are not validated here; the estimators do that.
"""

from collections import namedtuple

import numpy as np

# ---- Proper scores


def brier_score(y_true, probability):
    return np.mean((probability - y_true) ** 2)  # (6.1)


def log_loss(y_true, probability):
    forecast = np.where(y_true == 1, probability, 1 - probability)  # of what happened
    if np.any(forecast == 0):
        raise ValueError("The log loss is infinite: an outcome with forecast probability 0 occurred.")
    return -np.mean(np.log(forecast))  # (6.1)


# ---- The reliability diagram: observed proportion against forecast


class Calibration(namedtuple("Calibration", "forecast observed count")):
    """For every group the mean forecast, the proportion of positive observations, and the size."""

    @property
    def error(self):
        return np.average(abs(self.forecast - self.observed), weights=self.count)

    @property
    def reliability(self):
        return np.average((self.forecast - self.observed) ** 2, weights=self.count)  # (6.2)

    @property
    def resolution(self):
        return np.average((self.observed - self.base_rate) ** 2, weights=self.count)  # (6.2)

    @property
    def uncertainty(self):
        return self.base_rate * (1 - self.base_rate)  # (6.2)

    @property
    def base_rate(self):
        return np.average(self.observed, weights=self.count)


def calibration_curve(y_true, probability, n_bins=None):
    """Group observations of equal forecasts, or, given n_bins, of forecasts in the same bin of [0, 1]."""
    group = probability
    if n_bins is not None:
        group = np.digitize(probability, np.arange(1, n_bins) / n_bins)
    members = [group == g for g in np.unique(group)]
    forecast = np.array([probability[m].mean() for m in members])
    observed = np.array([y_true[m].mean() for m in members])
    count = np.array([m.sum() for m in members])
    return Calibration(forecast, observed, count)
