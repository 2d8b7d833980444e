"""The claims on support vector machines hold for every machine with the gap that they ask for.

Two honest machines end early: one with multipliers on the way to the optimum, all of them positive as an
interior point leaves them; the other with a plane beside the best one. Both are moved away from the optimum
until their gap is nearly what the claims allow.
"""

import math

import numpy as np
import pytest

from mlnotes import claims, mistakes, svm
from mlnotes.claims.adapters.svm import SVC, OneClassSVM
from mlnotes.claims.instances import planes
from mlnotes.claims.instances.planes import GAP

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

    def __init__(self, C=1.0, kernel=None):
        super().__init__(C, kernel)
        self.C, self.kernel = C, kernel

    def fit(self, X, y):
        super().fit(X, y)
        if self.kernel is None:
            X, y, alpha = np.asarray(X), np.asarray(y), np.zeros(len(X))
            alpha[self.support_] = y[self.support_] * self.dual_coef_
            self.w = super().normal_vector()
            with np.errstate(invalid="ignore"):  # planes on the way that do not separate
                self.leave(X, y, alpha)
        return self

    def normal_vector(self):
        return self.w

    def decision_function(self, X):
        return super().decision_function(X) if self.kernel else X @ self.w + self.intercept_

    def predict(self, X):
        return np.where(self.decision_function(X) >= 0, 1, -1)

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

        if gap(0.0) > NEARLY:  # a large C and raw data: w as a sum of alpha y x is rounding
            return
        moved, _, b, _ = at(farthest(gap))
        self.w = (y * moved) @ X
        if math.isinf(self.C):
            s = X @ self.w
            b = -(s[y < 0].max() + s[y > 0].min()) / 2
        self.intercept_, self.support_, self.dual_coef_ = b, np.arange(len(y)), y * moved


class EarlyPlane(Early):
    """Has the best multipliers, and a plane beside the best one."""

    def leave(self, X, y, alpha):
        turn = np.random.default_rng(len(X)).standard_normal(X.shape[1])
        if X.shape[1] == 1:
            turn = -self.w
        turn *= np.linalg.norm(self.w) / np.linalg.norm(turn)
        best, dual = self.w, self.dual(X, y, alpha)

        def gap(t):
            primal = best_plane(X, y, best + t * turn, self.C)[2]
            return (primal - dual) / primal

        self.w, self.intercept_, _ = best_plane(X, y, best + farthest(gap) * turn, self.C)


class EarlyOneClass(OneClassSVM):
    """Ends on the way from equal weights."""

    def __init__(self, nu, kernel):
        super().__init__(nu, kernel)
        self.nu, self.gamma = nu, kernel.keywords["gamma"]

    def fit(self, X):
        super().fit(X)
        n, beta = len(X), np.zeros(len(X))
        beta[self.support_] = self.dual_coef_
        K, C = svm.rbf_kernel(X, X, gamma=self.gamma), 1 / (self.nu * n)

        def at(t):
            moved = (1 - t) * beta + t / n
            scores = K @ moved
            values = [C * np.maximum(0, rho - scores).sum() - rho for rho in scores]
            return moved, scores[int(np.argmin(values))], min(values)

        def gap(t):
            moved, _, value = at(t)
            return (moved @ K @ moved + value) / (0.5 * moved @ K @ moved)

        self.dual_coef_, rho, _ = at(farthest(gap))
        self.X, self.support_, self.intercept_ = X, np.arange(n), -rho
        return self

    def decision_function(self, X):
        return svm.rbf_kernel(X, self.X, gamma=self.gamma) @ self.dual_coef_ + self.intercept_

    def predict(self, X):
        return np.where(self.decision_function(X) >= 0, 1, -1)


MINE = [claim for claim in claims.of("svm") if {"SVC", "OneClassSVM"} & set(claim.needs)]


@pytest.mark.parametrize("machine", [EarlyMultipliers, EarlyPlane])
@pytest.mark.parametrize("claim", MINE, ids=lambda claim: claim.id)
def test_a_machine_with_the_required_gap_passes(claim, machine):
    candidate = mistakes.library("svm") | {"SVC": machine, "OneClassSVM": EarlyOneClass}
    for seed in range(5 if claim.random else 1):
        verdict = claim.verify(seed=seed, candidate=candidate)
        assert verdict.holds, verdict


@pytest.mark.parametrize("machine", [EarlyMultipliers, EarlyPlane])
@pytest.mark.parametrize("C", [0.5, math.inf])
def test_their_gaps_are_nearly_as_large_as_allowed(machine, C):
    rng = np.random.default_rng(0)
    X, y = planes.separable(rng) if math.isinf(C) else planes.overlapping(rng)
    model = machine(C).fit(X, y)
    alpha = y[model.support_] * model.dual_coef_
    primal = best_plane(X, y, model.normal_vector(), C)[2]
    gap = (primal - model.dual(X[model.support_], y[model.support_], alpha)) / primal
    assert GAP / 2 < gap <= GAP
