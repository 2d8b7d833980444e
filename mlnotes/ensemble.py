r"""Ensembles: trees that vote (bagging, random forests), weak classifiers that add up (AdaBoost).  Lecture 13
and its companion.

    bootstrap        n draws from the n training examples, with replacement
    bagging          grow a tree on each of B bootstrap samples; the class with the most votes wins     (1.1)
    random forest    bagging, but every node considers only q features, drawn at random for this node

    AdaBoost         start with the weights w_i = 1/n
                     train f_m on the weighted examples
                     err_m = sum of w_i over the misclassified examples
                     alpha_m = log((1 - err_m) / err_m) + log(K - 1)
                     multiply w_i by e^alpha_m for every misclassified example, then normalise
                     predict the class k with the largest score  sum_m alpha_m 1{f_m(x) = k}            (4.1)

    variance         of an average of B trees  rho sigma^2 + (1 - rho)/B sigma^2                        (2.2)

For K = 2 this is the AdaBoost of the lecture: log(K - 1) is 0, and F(x) is the difference of the two scores.
Its alpha_m is that of The Elements of Statistical Learning, twice the 1/2 log((1 - err_m) / err_m) of Freund
and Schapire (1999).  They multiply the misclassified weights by sqrt((1 - err_m) / err_m) and the others
by its inverse; the normalised weights are the same as here.

Theorem 4.1. If 0 < err_m < 1, f_m has weighted error 1 - 1/K after the update: no better than guessing.
Theorem 4.2. For K = 2 the training error is at most prod_m 2 sqrt(err_m (1 - err_m)).                  (4.2)
Proposition 2.1. Given the training set, bagged trees are independent: their correlation rho is at least 0.

X (n, d) holds the examples, and y (n,) their classes, for AdaBoost 0, ..., K - 1.  Each algorithm is a
generator of its trees or rounds: `islice(boost(X, y, K), M)` runs M of them.
Inputs are not validated here; the estimators do that.
"""

from collections import namedtuple
from functools import partial
from itertools import islice

import numpy as np

from mlnotes import tree

# ---- 1 Bagging


def bootstrap_rows(n, rng):
    return rng.integers(n, size=n)


def best_split(X, Y, rng):
    return tree.best_split(X, Y)  # draws nothing


def bagging(X, y, seeds, find_split=best_split, max_depth=np.inf):
    """Yield a tree for each seed, and the rows of the bootstrap sample that it was grown on."""
    Y = tree.one_hot(y)
    for seed in seeds:
        rng = np.random.default_rng(seed)
        rows = bootstrap_rows(len(X), rng)
        nodes = tree.grow(X[rows], Y[rows], partial(find_split, rng=rng), max_depth)
        yield {node.number: node for node in nodes}, rows


def majority_vote(predictions):
    """The class that most classifiers predict for each example; ties go to the first.  predictions (B, n)."""
    classes = np.unique(predictions)
    votes = np.array([(predictions == k).sum(axis=0) for k in classes])
    return classes[votes.argmax(axis=0)]  # (1.1)


def out_of_bag_probability(n):
    """The probability that none of the n draws is a given example."""
    return (1 - 1 / n) ** n  # Proposition 1.1


def out_of_bag_votes(trees, samples, X, n_classes):
    """The votes (n, K) for each training example, of the trees that have not seen it."""
    votes = np.zeros((len(X), n_classes))
    for one_tree, rows in zip(trees, samples, strict=True):
        unseen = np.setdiff1d(np.arange(len(X)), rows)
        votes[unseen, tree.predict(one_tree, X[unseen])] += 1
    return votes


class BaggingClassifier:
    def __init__(self, n_estimators=100, random_state=0):
        self.n_estimators = n_estimators
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        seeds = np.random.default_rng(self.random_state).integers(2**63 - 1, size=self.n_estimators)
        self.trees_, self.samples_ = zip(*self.grow_trees(X, y, seeds), strict=True)
        return self

    def grow_trees(self, X, y, seeds):
        return bagging(X, y, seeds)

    def predict(self, X):
        predictions = np.array([tree.predict(one_tree, X) for one_tree in self.trees_])
        return self.classes_[majority_vote(predictions)]


# ---- 3 Random forests


def best_split_among(X, Y, q, rng):
    """The best split by one of q features, drawn at random; by any feature if these are constant."""
    features = np.sort(rng.choice(X.shape[1], size=q, replace=False))
    split = tree.best_split(X[:, features], Y)
    if split is None:
        return tree.best_split(X, Y)
    return split._replace(feature=features[split.feature])


def random_forest(X, y, seeds, q, max_depth=np.inf):
    return bagging(X, y, seeds, partial(best_split_among, q=q), max_depth)


class RandomForestClassifier(BaggingClassifier):
    def __init__(self, n_estimators=100, max_features="sqrt", random_state=0):
        super().__init__(n_estimators, random_state)
        self.max_features = max_features

    def grow_trees(self, X, y, seeds):
        q = int(np.sqrt(X.shape[1])) if self.max_features == "sqrt" else self.max_features
        return random_forest(X, y, seeds, q)


# ---- 4 AdaBoost


def adaboost_weight(error, n_classes=2):
    return np.log((1 - error) / error) + np.log(n_classes - 1)


def adaboost_update(weights, misclassified, alpha):
    new_weights = weights * np.exp(alpha * misclassified)
    return new_weights / new_weights.sum()


class Stump(namedtuple("Stump", "feature threshold left right")):
    """A tree with a single split; left and right are the classes that it predicts."""

    def predict(self, X):
        return np.where(X[:, self.feature] <= self.threshold, self.left, self.right)


def best_stump(X, y, weights):
    """The stump with the smallest weighted error; each side predicts its majority class."""
    Y = tree.one_hot(y) * weights[:, None]
    total = Y.sum(axis=0)
    smallest = total.sum() - total.max()
    best = Stump(0, np.inf, total.argmax(), total.argmax())  # predicts the same class everywhere
    for j, x in enumerate(X.T):
        thresholds, left, right = tree.candidate_splits(x, Y)
        if len(thresholds) > 0:
            errors = total.sum() - left.max(axis=1) - right.max(axis=1)
            i = errors.argmin()
            if errors[i] < smallest:
                smallest = errors[i]
                best = Stump(j, thresholds[i], left[i].argmax(), right[i].argmax())
    return best


Round = namedtuple("Round", "classifier error alpha weights")


def boost(X, y, n_classes, train=best_stump):
    """Yield one Round after another; its weights are those that the next classifier will see."""
    weights = np.full(len(y), 1 / len(y))
    while True:
        classifier = train(X, y, weights)
        misclassified = classifier.predict(X) != y
        error = weights[misclassified].sum()
        if error == 0:  # no errors: its vote outweighs all others
            yield Round(classifier, error, np.inf, weights)
            return
        if error >= 1 - 1 / n_classes:  # no better than guessing
            return
        alpha = adaboost_weight(error, n_classes)
        weights = adaboost_update(weights, misclassified, alpha)
        yield Round(classifier, error, alpha, weights)


def class_scores(rounds, X, n_classes):
    """The score of each class (n, K): the sum of the alphas of the classifiers that predict it."""
    scores = np.zeros((len(X), n_classes))
    for classifier, _, alpha, _ in rounds:
        scores[np.arange(len(X)), classifier.predict(X)] += alpha
    return scores  # (4.1)


def training_bound(errors):
    errors = np.asarray(errors)
    return np.prod(2 * np.sqrt(errors * (1 - errors)))  # (4.2)


class AdaBoostClassifier:
    def __init__(self, train=best_stump, n_estimators=50):
        self.train = train
        self.n_estimators = n_estimators

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        rounds = boost(X, codes, len(self.classes_), self.train)
        self.rounds_ = list(islice(rounds, self.n_estimators))
        return self

    def class_scores(self, X):
        return class_scores(self.rounds_, X, len(self.classes_))

    def decision_function(self, X):
        """F(x) for two classes."""
        scores = self.class_scores(X)
        return scores[:, 1] - scores[:, 0]

    def predict(self, X):
        return self.classes_[self.class_scores(X).argmax(axis=1)]


# ---- 2 What averaging does


def variance_of_average(variance, correlation, n_trees):
    if not -1 / max(n_trees - 1, 1) <= correlation <= 1:
        raise ValueError("the common correlation of B variables is at least -1/(B - 1) and at most 1")
    return correlation * variance + (1 - correlation) / n_trees * variance  # (2.2)


VarianceParts = namedtuple("VarianceParts", "between within variance correlation")


def variance_parts(outputs):
    """Estimate Var E[f | Z], which no number of trees reduces, and E Var(f | Z), both without bias.

    outputs (r, B, m) are the predictions, as numbers, of B trees on each of r training sets Z at m points.
    """
    outputs = np.asarray(outputs, dtype=float)
    n_trees = outputs.shape[1]
    within = outputs.var(axis=1, ddof=1).mean()
    between = outputs.mean(axis=1).var(axis=0, ddof=1).mean() - within / n_trees
    variance = between + within
    return VarianceParts(between, within, variance, between / variance)
