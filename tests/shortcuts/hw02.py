"""Wrong programs for homework 2, by part. `right` is the model solution."""

import math

import numpy as np

from mlnotes.mistakes.homework.hw02 import solution as right


def to_points(change):
    return lambda P, y: right.within(change(P), y)


def within_from(K, divisor):
    """The classes 1 to K, or all; divided by what divisor(n, K) returns."""

    def within(P, y):
        kept = y <= K
        S = right.within(P[:, kept], y[kept])
        return S * (kept.sum() - y[kept].max()) / divisor(P.shape[1], y.max())

    return within


def average_of_covariances(P, y):
    return np.mean([np.atleast_2d(np.cov(P[:, y == k])) for k in np.unique(y)], axis=0)


def diagonal(S):
    return np.diag(np.diag(S))


def line_with(change):
    return lambda m0, m1, S, p: right.line(*change(m0, m1, S, p))


def quadric_with(change):
    return lambda *a: right.quadric(*change(*a))


def quadric_after(change):
    return lambda *a: change(*right.quadric(*a))


def clip(p, least):
    return min(max(p, least), 1 - least)


def centres_with(change):
    return lambda M, S, p: right.centres(*change(M, S, p))


def first(M, S, p, d):
    """The first d features; A then ignores the others."""
    A, C = right.centres(M[:, :d], S[:d, :d], p)
    return np.column_stack([A, np.zeros((len(A), S.shape[0] - min(d, len(S))))]), C


def merged(change):
    def merge(n0, m0, S0, n1, m1, S1):
        return change(*right.merge(n0, m0, S0, n1, m1, S1), n0, m0, S0, n1, m1, S1)

    return merge


def averaged(means, S, n0, m0, S0, n1, m1, S1):
    n = n0.sum() + n1.sum()
    return means, (n0.sum() * S0 + n1.sum() * S1) / (n - len(n0))


def mean_of_means(means, S, n0, m0, S0, n1, m1, S1):
    both = (n0 > 0).astype(float) + (n1 > 0)
    return (m0 + m1) / both[:, None], S


def capped(function, d):
    def short(n0, m0, S0, n1, m1, S1):
        means, S = function(n0, m0, S0, n1, m1, S1)
        S = np.array(S)
        S[d:] = S[:, d:] = 0
        return means, S

    return short


WRONG = {
    "within": {
        "integers": to_points(np.trunc),
        "one decimal": to_points(lambda P: np.round(P, 1)),
        "float32": to_points(lambda P: P.astype(np.float32)),
        "first two features": lambda P, y: np.pad(right.within(P[:2], y), [(0, max(len(P) - 2, 0))] * 2),
        "first three features": lambda P, y: np.pad(right.within(P[:3], y), [(0, max(len(P) - 3, 0))] * 2),
        "first three classes": within_from(3, lambda n, K: n - K),
        "first five classes": within_from(5, lambda n, K: n - K),
        "divisor n": within_from(99, lambda n, K: n),
        "divisor n - 1": within_from(99, lambda n, K: n - 1),
        "divisor n - 2": within_from(99, lambda n, K: n - 2),
        "average of covariances": average_of_covariances,
        "first hundred": lambda P, y: right.within(P[:, :100], y[:100]),
        "first fifty": lambda P, y: right.within(P[:, :50], y[:50]),
        "sorted labels": lambda P, y: right.within(P, np.sort(y)),
        "diagonal": lambda P, y: diagonal(right.within(P, y)),
        "floor of 1e-6": lambda P, y: right.within(P, y) + 1e-6 * np.eye(len(P)),
        "zero where n < d": lambda P, y: right.within(P, y) * (P.shape[1] > len(P)),
        "without duplicates": lambda P, y: right.within(
            *(lambda i: (P[:, i], y[i]))(np.unique(np.vstack([P, y]), axis=1, return_index=True)[1])
        ),
    },
    "line": {
        "without the prior": line_with(lambda m0, m1, S, p: (m0, m1, S, 0.5)),
        "prior at least 0.01": line_with(lambda m0, m1, S, p: (m0, m1, S, clip(p, 0.01))),
        "prior at least 0.001": line_with(lambda m0, m1, S, p: (m0, m1, S, clip(p, 0.001))),
        "diagonal": line_with(lambda m0, m1, S, p: (m0, m1, diagonal(S), p)),
        "unit covariance": line_with(lambda m0, m1, S, p: (m0, m1, np.eye(len(S)), p)),
        "floor of 1e-6": line_with(lambda m0, m1, S, p: (m0, m1, S + 1e-6 * np.eye(len(S)), p)),
        "floor of 1e-3": line_with(lambda m0, m1, S, p: (m0, m1, S + 1e-3 * np.eye(len(S)), p)),
        "whole means": line_with(lambda m0, m1, S, p: (np.round(m0), np.round(m1), S, p)),
        "pseudo-inverse cut at 1e-2": lambda m0, m1, S, p: (
            w := np.linalg.pinv(S, rcond=1e-2) @ (m1 - m0),
            math.log(p / (1 - p)) - w @ (m0 + m1) / 2,
        ),
        "unit length": lambda *a: (lambda w, b: (w / np.linalg.norm(w), b / np.linalg.norm(w)))(
            *right.line(*a)
        ),
        "first three features": lambda m0, m1, S, p: (
            lambda w, b: (np.concatenate([w, np.zeros(max(len(m0) - 3, 0))]), b)
        )(*right.line(m0[:3], m1[:3], S[:3, :3], p)),
        "float32": line_with(lambda m0, m1, S, p: (m0.astype("f4"), m1.astype("f4"), S.astype("f4"), p)),
        "prior to two decimals": line_with(lambda m0, m1, S, p: (m0, m1, S, clip(round(p, 2), 0.01))),
        "log prior only": lambda m0, m1, S, p: (
            right.line(m0, m1, S, p)[0],
            right.line(m0, m1, S, 0.5)[1] + math.log(p),
        ),
    },
    "centres": {
        "without the priors": centres_with(lambda M, S, p: (M, S, np.full(len(p), 1 / len(p)))),
        "priors at least 0.01": centres_with(lambda M, S, p: (M, S, np.maximum(p, 0.01))),
        "priors at least 0.001": centres_with(lambda M, S, p: (M, S, np.maximum(p, 0.001))),
        "diagonal": centres_with(lambda M, S, p: (M, diagonal(S), p)),
        "floor of 1e-3": centres_with(lambda M, S, p: (M, S + 1e-3 * np.eye(len(S)), p)),
        "whole means": centres_with(lambda M, S, p: (np.round(M), S, p)),
        "first three features": lambda M, S, p: first(M, S, p, 3),
        "the prior of the first three": centres_with(
            lambda M, S, p: (M, S, np.concatenate([p[:3], np.full(max(len(p) - 3, 0), p[:3].max())]))
        ),
        "the prior of the first five": centres_with(
            lambda M, S, p: (M, S, np.concatenate([p[:5], np.full(max(len(p) - 5, 0), p[:5].max())]))
        ),
        "float32": centres_with(lambda M, S, p: (M.astype("f4"), S.astype("f4"), p)),
    },
    "quadric": {
        "not symmetric": quadric_after(lambda A, b, c: (np.triu(A) * 2 - np.diag(np.diag(A)), b, c)),
        "without determinants": lambda m0, S0, m1, S1, p: (
            lambda A, b, c: (A, b, c - 0.5 * (np.linalg.slogdet(S0)[1] - np.linalg.slogdet(S1)[1]))
        )(*right.quadric(m0, S0, m1, S1, p)),
        "determinants": lambda m0, S0, m1, S1, p: (
            lambda A, b, c: (
                A,
                b,
                c
                - 0.5 * (np.linalg.slogdet(S0)[1] - np.linalg.slogdet(S1)[1])
                + 0.5 * np.log(max(np.linalg.det(S0), 1e-10) / max(np.linalg.det(S1), 1e-10)),
            )
        )(*right.quadric(m0, S0, m1, S1, p)),
        "prior at least 0.01": quadric_with(lambda m0, S0, m1, S1, p: (m0, S0, m1, S1, clip(p, 0.01))),
        "prior at least 0.001": quadric_with(lambda m0, S0, m1, S1, p: (m0, S0, m1, S1, clip(p, 0.001))),
        "floor of 1e-3": quadric_with(
            lambda m0, S0, m1, S1, p: (m0, S0 + 1e-3 * np.eye(len(S0)), m1, S1 + 1e-3 * np.eye(len(S0)), p)
        ),
        "diagonal": quadric_with(lambda m0, S0, m1, S1, p: (m0, diagonal(S0), m1, diagonal(S1), p)),
        "linear if they are close": lambda m0, S0, m1, S1, p: (
            (0 * S0, *right.line(m0, m1, (S0 + S1) / 2, p))
            if abs(S0 - S1).max() < 0.05 * abs(S0).max()
            else right.quadric(m0, S0, m1, S1, p)
        ),
        "whole means": quadric_with(lambda m0, S0, m1, S1, p: (np.round(m0), S0, np.round(m1), S1, p)),
        "float32": quadric_with(
            lambda m0, S0, m1, S1, p: (m0.astype("f4"), S0.astype("f4"), m1.astype("f4"), S1.astype("f4"), p)
        ),
        "A is zero in one dimension": quadric_after(lambda A, b, c: (A * (len(A) > 1), b, c)),
    },
    "switch": {
        "swapped": lambda s: right.switch(1 / s),
        "at most 10": lambda s: min(right.switch(s), 10),
        "scale at most 100": lambda s: right.switch(min(s, 100)),
        "scale at least 0.01": lambda s: right.switch(max(s, 0.01)),
        "scale above 1 only": lambda s: right.switch(max(s, 1 / s)),
        "1 near 1": lambda s: 1.0 if abs(s - 1) < 0.01 else right.switch(s),
        "1 very near 1": lambda s: 1.0 if abs(s - 1) < 0.002 else right.switch(s),
        "three decimals": lambda s: round(right.switch(s), 3),
        "six decimals": lambda s: round(right.switch(s), 6),
        "float32": lambda s: float(np.float32(right.switch(s))),
        "half way": lambda s: (1 + s) / 2,
        "decimal logarithm": lambda s: math.sqrt(2 * abs(math.log10(s)) / abs(1 - 1 / s**2)),
    },
    "merge": {
        "averaged covariances": merged(averaged),
        "mean of means": merged(mean_of_means),
        "divisor n": merged(lambda m, S, n0, *r: (m, S * (1 - len(n0) / (n0.sum() + r[2].sum())))),
        "gaps of the first three classes": lambda n0, m0, S0, n1, m1, S1: (
            lambda m, S: (m, S if len(n0) <= 3 else averaged(m, S, n0, m0, S0, n1, m1, S1)[1])
        )(*right.merge(n0, m0, S0, n1, m1, S1)),
        "gaps of the first five classes": lambda n0, m0, S0, n1, m1, S1: (
            lambda m, S: (m, S if len(n0) <= 5 else averaged(m, S, n0, m0, S0, n1, m1, S1)[1])
        )(*right.merge(n0, m0, S0, n1, m1, S1)),
        "first three features": capped(right.merge, 3),
        "first four features": capped(right.merge, 4),
        "whole means": lambda n0, m0, S0, n1, m1, S1: right.merge(n0, np.round(m0), S0, n1, np.round(m1), S1),
        "float32": merged(lambda m, S, *r: (np.float32(m), np.float32(S))),
        "diagonal": merged(lambda m, S, *r: (m, diagonal(S))),
        "floor of 1e-6": merged(lambda m, S, *r: (m, S + 1e-6 * np.eye(len(S)))),
        "the larger hospital": merged(
            lambda m, S, n0, m0, S0, n1, m1, S1: (m, S0 if n0.sum() > n1.sum() else S1)
        ),
        "counts at most 50": lambda n0, m0, S0, n1, m1, S1: right.merge(
            np.minimum(n0, 50), m0, S0, np.minimum(n1, 50), m1, S1
        ),
    },
}
