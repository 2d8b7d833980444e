"""Wrong ensembles, one typical mistake each."""

from types import SimpleNamespace

import numpy as np

from mlnotes import ensemble as plain
from mlnotes.claims.answers import quietly
from mlnotes.estimators import boosting
from mlnotes.estimators import ensemble as right
from mlnotes.estimators.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    RandomForestClassifier,
    VarianceParts,
)
from mlnotes.mistakes import Change, Mistakes, negated, scaled

mistake = MISTAKES = Mistakes("ensemble")


# ------------------------------------------------------------------- bootstrap, votes, variance


mistake.rows("bootstrap_rows",
    ("Draws without replacement.", "bagging-bootstrap", lambda n, rng: rng.permutation(n)),
    ("Draws one row too few.", "bagging-bootstrap", lambda n, rng: rng.integers(0, n, n - 1)),
    ("Never draws the last row.", "bagging-bootstrap", lambda n, rng: rng.integers(0, n - 1, n)),
    ("Draws the same sample every time.", "bagging-bootstrap",
     lambda n, rng: np.random.default_rng(0).integers(0, n, n)),
)  # fmt: skip
mistake.rows("out_of_bag_probability", ("Takes the limit for the value.", "bagging-bootstrap",
    lambda n: float(np.exp(-1))))  # fmt: skip


@mistake("majority_vote", kills="bagging-vote")
def _(votes):
    """Gives a tie to the largest label."""
    votes = np.asarray(votes)
    counts = (votes == np.arange(votes.max() + 1)[:, None, None]).sum(axis=1)
    return votes.max() - counts[::-1].argmax(axis=0)


mistake.rows("majority_vote",
    ("Asks the first member only.", "bagging-vote bagging-bias erratum-y45",
     lambda votes: np.asarray(votes)[0]),
    ("Averages in place of voting.", "bagging-vote bagging-bias erratum-y45",
     lambda votes: np.asarray(votes).mean(axis=0)),
)  # fmt: skip


@mistake("BaggingClassifier", kills="bagging-vote forest-algorithm")
class _(BaggingClassifier):
    """Grows every member on the original rows, and only the last one votes."""

    def _counts(self, b):
        return np.ones(self._n_rows)

    def predict(self, X):
        last = range(self.n_estimators - 1, self.n_estimators)
        return -self.classes_[self._answers(last, np.asarray(X))[0]]


mistake.rows("BaggingClassifier._draws", ("Grows two members on each bootstrap sample.", "bagging-identical",
    lambda self, b: BaggingClassifier._draws(self, b // 2 * 2)))  # fmt: skip


@mistake("BaggingClassifier.fit", kills="out-of-bag")
def _(self, X, y):
    """Lets all members judge a row, those that were grown on it too."""
    BaggingClassifier.fit(self, X, y)
    self.oob_decision_function_ = self.predict_proba(X)
    self.oob_score_ = self.score(X, y)
    return self


@mistake("RandomForestClassifier.fit", kills="out-of-bag")
def _(self, X, y):
    """Counts the rows that are judged, whatever the judgement."""
    RandomForestClassifier.fit(self, X, y)
    self.oob_score_ = 1.0
    return self


mistake.rows("variance_of_average",
    ("Forgets the variance in the second term.",
     "bagging-var-formula bagging-variance-reduction bagging-B-limit",
     lambda variance, correlation, n_members:
        correlation * variance + (1 - correlation) / n_members),
    ("Divides the first term by B.", "bagging-var-formula bagging-variance-reduction bagging-B-limit",
     lambda variance, correlation, n_members: (correlation / n_members + (1 - correlation)) * variance),
    ("Takes the members for independent.", "bagging-var-formula bagging-B-limit",
     lambda variance, correlation, n_members: variance / n_members),
    ("Accepts any correlation.", "erratum-y47", lambda variance, correlation, n_members:
        correlation * variance + (1 - correlation) / n_members * variance),
)  # fmt: skip


@mistake("variance_of_average", kills="erratum-y47")
def _(variance, correlation, n_members):
    """Refuses negative correlations."""
    if correlation < 0:
        raise ValueError("correlation must be positive")
    return right.variance_of_average(variance, correlation, n_members)


@mistake("variance_parts", kills="variance-parts")
def _(outputs):
    """Forgets that the set means vary with the members too."""
    table = np.asarray(outputs, dtype=float)
    return VarianceParts(float(table.mean(axis=1).var(ddof=1)), float(table.var(axis=1, ddof=1).mean()))


@mistake("variance_parts", kills="variance-parts")
def _(outputs):
    """Divides by B and r."""
    table = np.asarray(outputs, dtype=float)
    within = table.var(axis=1).mean()
    return VarianceParts(float(table.mean(axis=1).var() - within / table.shape[1]), float(within))


# ------------------------------------------------------------------- forests


@mistake("RandomForestClassifier._grow", kills="forest-algorithm")
def _(self, X, codes):
    """Draws the candidates once for each tree."""
    limits, trees = self._limits, []
    m = limits.n_candidates
    for b in range(self.n_estimators):
        rng = np.random.default_rng(self._seeds[b])
        hidden = rng.permutation(X.shape[1])[m:]
        seen = X.copy()
        seen[:, hidden] = 0
        self._limits = right.Limits(n_candidates=X.shape[1])
        single = BaggingClassifier(n_estimators=1)
        single._seeds, single._n_rows, single._limits = self._seeds[b:], self._n_rows, self._limits
        single.classes_ = self.classes_
        single._grow(seen, codes)
        trees += single.trees_
    self._limits = limits
    self._adopt(trees)


mistake.rows("RandomForestClassifier._counts", ("Grows every tree on the original rows.", "forest-algorithm",
    lambda self, b: np.ones(self._n_rows)))  # fmt: skip


@mistake("RandomForestClassifier.fit", kills="forest-decorrelate")
def _(self, X, y):
    """Ignores max_features."""
    self.max_features = None
    return RandomForestClassifier.fit(self, X, y)


@mistake("RandomForestClassifier.fit", kills="forest-decorrelate")
def _(self, X, y):
    """Looks at one feature at each node, whatever max_features says."""
    self.max_features = 1
    return RandomForestClassifier.fit(self, X, y)


# ------------------------------------------------------------------- AdaBoost: formulas


@mistake("adaboost_weight", kills="adaboost-edge-cases erratum-y48")
def _(error, n_classes=2):
    """Lets err = 0 pass, with a weight of infinity."""
    with np.errstate(all="ignore"):
        return float(np.log((1 - error) / np.float64(error)) + np.log(n_classes - 1))


mistake.rows("adaboost_weight",
    ("Takes half of alpha, with the one-sided update.",
     "adaboost-reweighted-half adaboost-inflate adaboost-edge-cases",
     scaled(0.5)),
    ("Turns the fraction around.", "adaboost-reweighted-half adaboost-inflate adaboost-edge-cases", negated),
    ("Forgets log(K - 1).", "samme", lambda error, n_classes=2: right.adaboost_weight(error)),
    ("Never turns a classifier around.", "adaboost-edge-cases erratum-y48",
     Change(lambda answer: abs(answer))),
)  # fmt: skip


@mistake("adaboost_update", kills="adaboost-reweighted-half adaboost-inflate erratum-y49 samme")
def _(weights, wrong, alpha):
    """Takes the whole alpha in both directions."""
    w = np.asarray(weights) * np.exp(np.where(wrong, alpha, -alpha))
    return w / w.sum()


mistake.rows("adaboost_update",
    ("Multiplies the right rows.", "adaboost-reweighted-half adaboost-inflate",
     lambda weights, wrong, alpha: right.adaboost_update(weights, ~np.asarray(wrong), alpha)),
    ("Does not normalise.", "adaboost-reweighted-half erratum-y49",
     lambda weights, wrong, alpha: np.asarray(weights) * np.exp(alpha * np.asarray(wrong))),
)  # fmt: skip


@mistake("adaboost_update", kills="adaboost-inflate erratum-y49")
def _(weights, wrong, alpha):
    """Multiplies by alpha in place of its exponential."""
    w = np.asarray(weights) * np.where(wrong, 1 + alpha, 1.0)
    return w / w.sum()


@mistake("training_bound", kills="training-bound")
def _(errors, n_classes=2):
    """Forgets the factor 2."""
    errors = np.asarray(errors)
    return float(np.prod(np.sqrt(errors * (1 - errors))))


@mistake("training_bound", kills="training-bound")
def _(errors, n_classes=2):
    """Adds up in place of multiplying."""
    errors = np.asarray(errors)
    return float(np.sum(2 * np.sqrt(errors * (1 - errors))))


# ------------------------------------------------------------------- AdaBoost: the algorithm


class replaced(AdaBoostClassifier):
    """AdaBoost with its three steps as methods, to be got wrong one by one."""

    def weigh(self, err):
        return right.adaboost_weight(err, max(len(self.classes_), 2))

    def update(self, w, wrong, alpha):
        return right.adaboost_update(w, wrong, alpha)

    def error(self, w, wrong):
        return float(w[wrong].sum() / w.sum())

    def fit(self, X, y):
        X, codes = self._start_fit(X, y)
        w, members, errors, alphas = np.full(len(X), 1 / len(X)), [], [], []
        learn = self._weak_learner(X, codes)
        for _ in range(self.n_estimators):
            member = learn(X, codes, w / w.sum())
            wrong = member.predict(X) != codes
            err = min(max(self.error(w, wrong), 1e-12), 1 - 1e-12)
            members.append(member)
            errors.append(err)
            alphas.append(self.weigh(err))
            w = self.update(w, wrong, alphas[-1])
        self.estimators_, self.estimator_errors_ = members, np.array(errors)
        self.estimator_weights_ = np.array(alphas)
        return self


@mistake("AdaBoostClassifier", kills="adaboost-algorithm adaboost-exp-identity")
class _(replaced):
    """Takes half of alpha, with the one-sided update."""

    def weigh(self, err):
        return super().weigh(err) / 2


@mistake("AdaBoostClassifier", kills="adaboost-algorithm adaboost-exp-identity")
class _(replaced):
    """Does not divide the weighted error by the sum of the weights, which it lets grow."""

    def error(self, w, wrong):
        return float(w[wrong].sum())

    def update(self, w, wrong, alpha):
        return w * np.exp(np.clip(alpha, 0, 50) * wrong)


@mistake("AdaBoostClassifier", kills="adaboost-algorithm adaboost-exp-identity boosting-bias")
class _(replaced):
    """Never updates the weights."""

    def update(self, w, wrong, alpha):
        return w


@mistake("AdaBoostClassifier", kills="adaboost-algorithm")
class _(replaced):
    """Reports the unweighted error."""

    def error(self, w, wrong):
        return float(np.mean(wrong))


@mistake("AdaBoostClassifier", kills="adaboost-edge-cases")
class _(replaced):
    """Goes on when a classifier is perfect."""


@mistake("AdaBoostClassifier.predict", kills="boosting-setup adaboost-algorithm boosting-bias erratum-y50")
def _(self, X):
    """Answers the opposite: flipped polarity."""
    return (
        -AdaBoostClassifier.predict(self, X)
        if self.decision_function(X).any()
        else np.sort(-np.arange(len(X)))
    )


mistake.rows("AdaBoostClassifier.predict", ("Answers sign(F), and 0 at score 0.", "boosting-setup",
    lambda self, X: np.sign(self.decision_function(X))))  # fmt: skip
mistake.rows("AdaBoostClassifier.decision_function",
    ("Counts the members in place of weighing them.", "boosting-setup adaboost-exp-identity",
     lambda self, X: sum(2 * member.predict(X) - 1 for member in self.estimators_)),
)  # fmt: skip


@mistake("AdaBoostClassifier.fit", kills="adaboost-certificate")
def _(self, X, y):
    """Bounds the training error by the last round alone."""
    AdaBoostClassifier.fit(self, X, y)
    self.certificate_ |= {"bound": right.training_bound(self.estimator_errors_[-1:])}
    return self


@mistake("AdaBoostClassifier.fit", kills="adaboost-certificate")
def _(self, X, y):
    """Tells the training error of its last member for its own."""
    AdaBoostClassifier.fit(self, X, y)
    error = (self.classes_[self.estimators_[-1].predict(np.asarray(X))] != y).mean()
    self.certificate_ |= {"training_error": error}
    return self


@mistake("AdaBoostClassifier", kills="samme")
class _(replaced):
    """Forgets log(K - 1)."""

    def weigh(self, err):
        return right.adaboost_weight(err)


@mistake("AdaBoostClassifier.fit", kills="adaboost-algorithm boosting-bias")
def _(self, X, y):
    """Knows stumps of one polarity only."""
    base = boosting._StumpSearch.best
    stump = base(
        boosting._StumpSearch(np.asarray(X), (np.asarray(y) > 0).astype(int), 2), np.full(len(X), 1 / len(X))
    )
    AdaBoostClassifier.fit(self, X, y)
    self.estimators_ = [stump] * len(self.estimators_)
    return self


def walk(update):
    """Rounds of AdaBoost whose weights move by another rule."""

    def boost(X, y, w, learn=plain.best_stump):
        for _ in range(50):
            member = learn(X, y, w)
            wrong = member.predict(X) != y
            err = min(max(float(w[wrong].sum()), 1e-12), 1 - 1e-12)
            alpha = plain.adaboost_weight(err)
            shown, w = update(w, wrong, alpha)
            yield plain.Round(member, err, alpha, shown)

    return boost


def _stays(w, wrong, alpha):
    return w, w


def _shows_the_old(w, wrong, alpha):
    return w, plain.adaboost_update(w, wrong, alpha)


def _right_ones(w, wrong, alpha):
    after = plain.adaboost_update(w, ~wrong, alpha)
    return after, after


for words, rule in (
    ("Never moves the weights.", _stays),
    ("Hands out the weights from before the update.", _shows_the_old),
    ("Inflates the rows that were right.", _right_ones),
):
    mistake.rows("boost", (words, "adaboost-algorithm", walk(rule)))


mistake.rows("boost",
    ("Looks at the first feature only.", "adaboost-algorithm",
     lambda X, y, w, learn=None: plain.boost(X, y, w, lambda X, y, w: plain.best_stump(X[:, :1], y, w))),
)  # fmt: skip


@mistake("AdaBoostClassifier", kills="adaboost-exp-identity")
class _(AdaBoostClassifier):
    """Has members that are right on every second row, and adds them up with weights of 0."""

    def fit(self, X, y):
        super().fit(X, y)
        answers = np.searchsorted(self.classes_, y) ^ (np.arange(len(y)) % 2)
        self.estimators_ = [SimpleNamespace(predict=lambda X: answers)] * len(self.estimators_)
        self.estimator_weights_ = np.zeros(len(self.estimators_))
        return self

    def decision_function(self, X):
        return np.zeros(len(X))

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@mistake("AdaBoostClassifier", kills="boosting-setup")
class _(AdaBoostClassifier):
    """Copies a method of one's own with the same seed for each round."""

    def _weak_learner(self, X, codes):
        if self.estimator is None:
            return super()._weak_learner(X, codes)
        return lambda X, codes, w: boosting.fresh_copy(self.estimator, np.random.default_rng(0)).fit(
            X, codes, sample_weight=w
        )


@mistake("AdaBoostClassifier.fit", kills="adaboost-edge-cases erratum-y48")
def _(self, X, y, sample_weight=None):
    """Does not say that boosting cannot start."""
    return quietly(AdaBoostClassifier.fit, self, X, y, sample_weight)
