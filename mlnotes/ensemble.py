r"""Ensembles: trees that vote (forests), weak classifiers that add up (AdaBoost).  Lecture 13.

    bootstrap      n draws of rows with replacement; a row is in none with probability (1 - 1/n)^n
    bagging        B trees, each grown on a bootstrap sample of its own; most votes win         (1.1)
    variance       of an average of B members: rho sigma^2 + (1 - rho) / B sigma^2              (2.2)
    forest         bagging of trees that seek every cut among m features, drawn anew at each node
    AdaBoost       start with w_i = 1/n. A round: fit f to the rows with the weights w;
                   err = sum of w_i over the wrong rows, alpha = log((1 - err) / err) + log(K - 1);
                   multiply the w_i of the wrong rows by e^alpha; divide by the sum of all
    boosted votes  V_k(x) = sum_m alpha_m 1{f_m(x) = k};  of two classes F = V_1 - V_0          (4.1)

Proposition 2.1: members are independent given the rows, so their correlation rho is never negative.
Theorem 4.1: after the update f has the weighted error 1 - 1/K; the next has to find something new.
Theorem 4.2: mean of e^{-yF/2} = prod_m 2 sqrt(err_m (1 - err_m)) >= training error; y = +-1.   (4.2)

Of equally many votes the first class wins; boosted votes are equal within TIE of their sum, or of 1.
Boosting stops after a perfect member, which then decides alone, or before one that only guesses; if
that is the first, it stays, without a vote. A row drawn twice counts as two.

y (n,)  here codes 0, ..., K - 1     answers (B, n)  codes of B members     votes (n, K)
draws (B, n)  rows of each member    w (n,)  weights of sum 1               alphas (M,)  of M rounds

Only what a definition excludes is refused here; else NumPy speaks: the estimators check input.
"""

import math
import warnings
from collections import namedtuple
from itertools import islice

import numpy as np

from mlnotes import tree

TIE = 2.0**-40

# ---- 1 Bootstrap and vote


def bootstrap_rows(n, rng):
    return rng.integers(0, n, n)


def out_of_bag_probability(n):
    return (1 - 1 / n) ** n  # Proposition 1.1


def count_votes(answers, K):
    return (answers[..., None] == np.arange(K)).sum(axis=0)


def majority_vote(labels):
    """The most frequent label of each column; labels has the shape (B, n)."""
    classes = np.unique(labels)
    return classes[tree.majority(count_votes(np.searchsorted(classes, labels), len(classes)))]  # (1.1)


def out_of_bag_votes(answers, draws, K):
    """Each row is judged by the members that have not seen it."""
    unseen = [~np.isin(np.arange(len(answers[0])), rows) for rows in draws]
    return count_votes(np.where(unseen, answers, -1), K)  # -1 is no class


def out_of_bag_score(votes, y):
    """The share of right answers, of the rows that somebody judges."""
    has_judge = votes.any(axis=1)
    return np.mean(tree.majority(votes)[has_judge] == y[has_judge]) if has_judge.any() else 0.0


# ---- 2 What averaging does


def variance_of_average(variance, correlation, n_members):
    if not -1 / max(n_members - 1, 1) <= correlation <= 1:
        raise ValueError(f"the correlation of B variables is from -1 / (B - 1) to 1, got {correlation}")
    return correlation * variance + (1 - correlation) / n_members * variance  # (2.2)


VarianceParts = namedtuple("VarianceParts", "between within variance correlation")


def variance_parts(outputs):
    """Var E[f | Z] over training sets Z, which no number of members reduces, and E Var(f | Z).

    Estimated without bias from B members on each of r sets, (r, B), or at q points, (r, B, q)."""
    outputs = np.asarray(outputs, dtype=float)
    if min(outputs.shape[:2]) < 2:
        raise ValueError(f"outputs need r, B >= 2: two sets with two members each, got {outputs.shape}")
    within = outputs.var(axis=1, ddof=1).mean()
    between = outputs.mean(axis=1).var(axis=0, ddof=1).mean() - within / outputs.shape[1]
    variance = between + within
    return VarianceParts(between, within, variance, between / variance if variance else 0.0)


# ---- 3 Bagging and random forests


def find_among(features, X, Y, criterion, least):
    """The best cut that asks for one of these features; of any, where these are constant."""
    cut = tree.find_cut(X[:, features], Y, criterion, least)
    return cut._replace(feature=features[cut.feature]) if cut else tree.find_cut(X, Y, criterion, least)


def bag(X, Y, seeds, grow):
    """Yield (member, rows) of one tree after the other; `grow` yields its nodes."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        rows = bootstrap_rows(len(X), rng)
        times = np.bincount(rows, minlength=len(X))
        yield tree.Tree(grow(X, Y * times[:, None], rng)), rows


def forest_importances(trees, criterion, d):
    mean = np.mean([tree.importances(t, criterion, d) for t in trees], axis=0)
    return mean / mean.sum() if mean.any() else mean


class RandomForestClassifier:
    def __init__(self, n_estimators=100, *, criterion="gini", max_depth=np.inf, min_samples_split=2,
                 min_samples_leaf=1, max_features="sqrt", oob_score=False, random_state=None):  # fmt: skip
        self.n_estimators, self.max_features, self.criterion = n_estimators, max_features, criterion
        self.max_depth, self.min_samples_split = max_depth, min_samples_split
        self.least, self.oob_score, self.random_state = min_samples_leaf, oob_score, random_state

    def grow(self, X, Y, rng):
        d = X.shape[1]
        m = {None: d, "sqrt": math.isqrt(d)}.get(self.max_features, self.max_features)

        def find(X, Y):
            features = np.sort(rng.choice(d, m, replace=False))
            return find_among(features, X, Y, self.criterion, self.least)

        return tree.grow(X, Y, find, self.max_depth, self.min_samples_split)

    def fit(self, X, y):
        X, Y, self.classes_ = np.asarray(X, float), tree.one_hot(y), np.unique(y)
        seeds = np.random.default_rng(self.random_state).integers(2**63 - 1, size=self.n_estimators)
        self.estimators_, self.draws_ = zip(*bag(X, Y, seeds, self.grow), strict=True)
        self.trees_ = self.estimators_
        self.feature_importances_ = forest_importances(self.trees_, self.criterion, X.shape[1])
        if self.oob_score:
            votes = out_of_bag_votes(self.answers(X), self.draws_, len(self.classes_))
            self.oob_decision_function_ = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
            self.oob_score_ = out_of_bag_score(votes, tree.majority(Y))
        return self

    def answers(self, X):
        return np.array([member.predict(X) for member in self.estimators_])

    def predict_proba(self, X):
        return count_votes(self.answers(X), len(self.classes_)) / len(self.estimators_)

    def predict(self, X):
        return self.classes_[tree.majority(self.predict_proba(X))]  # (1.1)


class BaggingClassifier(RandomForestClassifier):
    def __init__(self, *, n_estimators=100, oob_score=False, random_state=None):
        super().__init__(n_estimators, max_features=None, oob_score=oob_score, random_state=random_state)


# ---- 4 AdaBoost


def adaboost_weight(error, n_classes=2):
    if not 0 < error < 1:
        raise ValueError(f"alpha is infinite at err = 0 and at err = 1, got {error}")
    return math.log1p(-error) - math.log(error) + math.log(n_classes - 1)


def adaboost_update(weights, wrong, alpha):
    w = weights * np.exp(alpha * wrong - max(alpha, 0))  # the larger factor is 1: nothing overflows
    return w / w.sum()


def join_ties(votes, total=1.0):
    """What is within TIE of the most becomes the most."""
    most = votes.max(axis=-1, keepdims=True)
    return np.where(votes >= most - TIE * max(total, 1.0), most, votes)


class Stump(namedtuple("Stump", "feature threshold left right")):
    """A tree with one question; left and right are the answers. An infinite threshold asks nothing."""

    def predict(self, X):
        return np.where(np.asarray(X)[:, self.feature] <= self.threshold, self.left, self.right)


def best_stump(X, y, w):
    """The cut with the least weighted error; both sides answer by majority, perhaps alike."""
    Y = tree.one_hot(y, w)
    feature, threshold, *_ = tree.find_cut(X, Y, "misclassification") or (0, np.inf)
    left = X[:, feature] <= threshold
    sides = [tree.majority(join_ties(Y[side].sum(axis=0))) for side in (left, ~left)]
    return Stump(feature, threshold, *sides)


def is_guess(err, K):
    """Whether alpha is 0, or, of more than two classes, negative; or -infinity."""
    return err >= 1 or (abs(err - 0.5) <= TIE if K == 2 else err >= 1 - 1 / K - TIE)


Round = namedtuple("Round", "member err alpha w")  # w are the weights that the next member meets


def boost(X, y, w, learn=best_stump):
    """Yield the rounds; `learn` answers a member with a method predict."""
    K, total = len(np.unique(y)), 0.0
    while True:
        member = learn(X, y, w)
        wrong = member.predict(X) != y
        err = w[wrong].sum()
        if err == 0:
            yield Round(member, err, 1 + total, w)  # outvotes all others together
            return
        if is_guess(err, K):
            if total == 0:
                yield Round(member, err, 0.0, w)
            return
        alpha = adaboost_weight(err, K)
        w, total = adaboost_update(w, wrong, alpha), total + abs(alpha)
        yield Round(member, err, alpha, w)


def training_bound(errors, n_classes=2):
    err, K = np.asarray(errors, float), n_classes
    return np.prod(K * np.sqrt(err * (1 - err) / (K - 1)))  # (4.2)


def certificate(votes, y, w, errors, alphas):
    """The weighted training error, its bound, and for two classes the mean of e^{-yF/2}."""
    own = votes[np.arange(len(y)), y]  # y F = own - other, and own + other = sum of alphas
    bound = training_bound(errors, max(votes.shape[1], 2)) if np.any(alphas) else 1.0
    return {"training_error": w[tree.majority(votes) != y].sum(), "bound": bound,
            "exponential_loss": w @ np.exp(np.sum(alphas) / 2 - own), "n_rounds": len(errors)}  # fmt: skip


def margins(votes, y, alphas):
    """From -1 to 1: the votes for the label less the most votes for another one, as a share."""
    is_own = y[:, None] == np.arange(votes.shape[1])
    rival = np.where(is_own, -np.inf, votes).max(axis=1) if votes.shape[1] > 1 else 0.0
    return (votes[is_own] - rival) / max(np.abs(alphas).sum(), 1e-300)


class AdaBoostClassifier:
    def __init__(self, learn=best_stump, *, n_estimators=50):
        self.learn, self.n_estimators = learn, n_estimators

    def fit(self, X, y, sample_weight=1.0):
        w = np.full(len(y), sample_weight, dtype=float)
        X, y, w = np.asarray(X, float)[w > 0], np.asarray(y)[w > 0], w[w > 0] / w.sum()
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.rounds_ = list(islice(boost(X, codes, w, self.learn), self.n_estimators))
        self.estimators_, errors, alphas, _ = zip(*self.rounds_, strict=True)
        self.estimator_errors_, self.estimator_weights_ = np.array(errors), np.array(alphas)
        self.certificate_ = certificate(self.votes(X), codes, w, errors, alphas)
        if not any(alphas):
            warnings.warn("the first weak classifier only guesses: boosting cannot start", stacklevel=2)
        return self

    def votes(self, X):
        answers = np.array([member.predict(X) for member in self.estimators_])
        hits, alphas = answers[..., None] == np.arange(len(self.classes_)), self.estimator_weights_
        return join_ties(np.tensordot(alphas, hits, 1), abs(alphas).sum())

    def decision_function(self, X):
        votes = self.votes(X)
        return votes[:, 1] - votes[:, 0] if votes.shape[1] == 2 else votes  # (4.1)

    def predict(self, X):
        return self.classes_[tree.majority(self.votes(X))]

    def predict_proba(self, X):
        votes = self.votes(X)  # of two classes 1 / (1 + e^-F)
        return tree.shares(np.exp(votes - votes.max(axis=1, keepdims=True)))

    def margins(self, X, y):
        return margins(self.votes(X), np.searchsorted(self.classes_, y), self.estimator_weights_)
