"""The claims on support vector machines hold for every machine with the gap that they ask for.

Two honest machines end early: one with multipliers on the way to the optimum, all of them positive as an
interior point leaves them; the other with a plane beside the best one. Both are moved away from the optimum
until their gap is nearly what the claims allow.
"""

import math

import numpy as np
import pytest

from mlnotes import claims, mistakes, svm
from mlnotes.claims.instances import planes
from mlnotes.claims.instances.planes import GAP
from mlnotes.estimators.svm import SVC, OneClassSVM

NEARLY = 0.95 * GAP


def farthest(gap, low=0.0, high=1.0):
    """The largest step whose relative gap is still allowed."""
    for _ in range(45):
        middle = (low + high) / 2
        low, high = (middle, high) if gap(middle) <= NEARLY else (low, middle)
    return low


def best_plane(X, y, w, C):
    """The plane with this normal, of least slack or stretched to y f(x) >= 1, and its primal value."""
    s = X @ w
    if math.isinf(C):
        low, high = s[y < 0].max(), s[y > 0].min()
        if high <= low:
            return w, 0.0, math.inf
        scale = 2 / (high - low)
        return scale * w, -scale * (low + high) / 2, 0.5 * scale**2 * (w @ w)
    offsets = y - s
    slacks = np.maximum(0, 1 - y * (s + offsets[:, None])).sum(axis=1)
    best = np.flatnonzero(slacks <= slacks.min() + 1e-12)
    b = (offsets[best].min() + offsets[best].max()) / 2
    return w, b, 0.5 * w @ w + C * np.maximum(0, 1 - y * (s + b)).sum()


class Early(SVC):
    """What both have in common: the optimum, and a way to leave it."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if self.kernel == "linear":
            X, y, alpha = np.asarray(X), np.asarray(y), np.zeros(len(X))
            alpha[self.support_] = y[self.support_] * self.dual_coef_[0]
            with np.errstate(invalid="ignore"):  # planes on the way that do not separate
                self.leave(X, y, alpha)
            del self.certificate_  # it was the optimum's
        return self

    def dual(self, X, y, alpha):
        return alpha.sum() - 0.5 * ((y * alpha) @ X) @ ((y * alpha) @ X)


class EarlyMultipliers(Early):
    """Ends on the way from the middle of the box; w is the sum of alpha y x."""

    def leave(self, X, y, alpha):
        inner = np.where(y > 0, 1 / (y > 0).sum(), 1 / (y < 0).sum())
        inner *= alpha.sum() / 2 if math.isinf(self.C) else self.C / (2 * inner.max())

        def at(t):
            moved = (1 - t) * alpha + t * inner
            return moved, *best_plane(X, y, (y * moved) @ X, self.C)

        def gap(t):
            moved, _, _, primal = at(t)
            return (primal - self.dual(X, y, moved)) / primal

        if gap(0.0) > NEARLY:  # a large price and raw data: w as a sum of alpha y x is rounding
            return
        moved, _, b, _ = at(farthest(gap))
        w = (y * moved) @ X
        if math.isinf(self.C):
            s = X @ w
            b = -(s[y < 0].max() + s[y > 0].min()) / 2
        self.coef_, self.intercept_ = w[None], np.array([b])
        self.support_, self.support_vectors_, self.dual_coef_ = np.arange(len(y)), X, (y * moved)[None]


class EarlyPlane(Early):
    """Has the best multipliers, and a plane beside the best one."""

    def leave(self, X, y, alpha):
        turn = np.random.default_rng(len(X)).standard_normal(X.shape[1])
        if X.shape[1] == 1:
            turn = -self.coef_[0]
        turn *= np.linalg.norm(self.coef_[0]) / np.linalg.norm(turn)
        dual = self.dual(X, y, alpha)

        def gap(t):
            primal = best_plane(X, y, self.coef_[0] + t * turn, self.C)[2]
            return (primal - dual) / primal

        w, b, _ = best_plane(X, y, self.coef_[0] + farthest(gap) * turn, self.C)
        self.coef_, self.intercept_ = w[None], np.array([b])


class EarlyOneClass(OneClassSVM):
    """Ends on the way from equal weights, if its kernel is a Gaussian with a gamma that is given."""

    def fit(self, X, y=None):
        super().fit(X)
        if isinstance(self.gamma, str):
            return self
        n, beta = len(X), np.zeros(len(X))
        beta[self.support_] = self.dual_coef_[0] / (self.nu * n)
        K, C = svm.rbf_kernel(X, X, gamma=self.gamma), 1 / (self.nu * n)

        def at(t):
            moved = (1 - t) * beta + t / n
            scores = K @ moved
            values = [C * np.maximum(0, rho - scores).sum() - rho for rho in scores]
            return moved, scores[int(np.argmin(values))], min(values)

        def gap(t):
            moved, _, value = at(t)
            return (moved @ K @ moved + value) / (0.5 * moved @ K @ moved)

        moved, rho, _ = at(farthest(gap))
        self.support_, self.support_vectors_ = np.arange(n), np.asarray(X)
        self.dual_coef_ = self.nu * n * moved[None]
        self.offset_, self.intercept_ = self.nu * n * rho, np.array([-self.nu * n * rho])
        return self

    def decision_function(self, X):
        if isinstance(self.gamma, str):
            return super().decision_function(X)
        return svm.rbf_kernel(X, self.support_vectors_, gamma=self.gamma) @ self.dual_coef_[0] - self.offset_


MINE = [claim for claim in claims.of("svm") if {"SVC", "OneClassSVM"} & set(claim.needs)]


@pytest.mark.parametrize("machine", [EarlyMultipliers, EarlyPlane])
@pytest.mark.parametrize("claim", MINE, ids=lambda claim: claim.id)
def test_an_honest_machine_that_ends_early_passes(claim, machine):
    candidate = mistakes.library("svm") | {"SVC": machine, "OneClassSVM": EarlyOneClass}
    for seed in range(5 if claim.random else 1):
        verdict = claim.verify(seed=seed, candidate=candidate)
        assert verdict.holds, verdict


@pytest.mark.parametrize("machine", [EarlyMultipliers, EarlyPlane])
@pytest.mark.parametrize("C", [0.5, math.inf])
def test_they_do_end_early(machine, C):
    rng = np.random.default_rng(0)
    X, y = planes.separable(rng) if math.isinf(C) else planes.overlapping(rng)
    model = machine(C, kernel="linear").fit(X, y)
    alpha = y[model.support_] * model.dual_coef_[0]
    plane = best_plane(X, y, model.coef_[0], C)
    gap = (plane[2] - model.dual(X[model.support_], y[model.support_], alpha)) / plane[2]
    assert GAP / 2 < gap <= GAP
