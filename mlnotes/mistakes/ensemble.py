"""Wrong ensembles, one typical mistake each."""

from types import SimpleNamespace

import numpy as np

from mlnotes import ensemble as plain
from mlnotes.estimators import boosting
from mlnotes.estimators import ensemble as right
from mlnotes.estimators.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    RandomForestClassifier,
    VarianceParts,
)
from mlnotes.mistakes import Mistake, Mistakes

mistake = MISTAKES = Mistakes("ensemble")


# ------------------------------------------------------------------- bootstrap, votes, variance


@mistake("bootstrap_rows", kills=("ensemble.bagging-bootstrap",))
def _(n, rng):
    """Draws without replacement."""
    return rng.permutation(n)


@mistake("bootstrap_rows", kills=("ensemble.bagging-bootstrap",))
def _(n, rng):
    """Draws one row too few."""
    return rng.integers(0, n, n - 1)


@mistake("bootstrap_rows", kills=("ensemble.bagging-bootstrap",))
def _(n, rng):
    """Never draws the last row."""
    return rng.integers(0, n - 1, n)


@mistake("bootstrap_rows", kills=("ensemble.bagging-bootstrap",))
def _(n, rng):
    """Draws the same sample every time."""
    return np.random.default_rng(0).integers(0, n, n)


@mistake("out_of_bag_probability", kills=("ensemble.bagging-bootstrap",))
def _(n):
    """Takes the limit for the value."""
    return float(np.exp(-1))


@mistake("majority_vote", kills=("ensemble.bagging-vote",))
def _(votes):
    """Gives a tie to the largest label."""
    votes = np.asarray(votes)
    counts = (votes == np.arange(votes.max() + 1)[:, None, None]).sum(axis=1)
    return votes.max() - counts[::-1].argmax(axis=0)


@mistake("majority_vote", kills=("ensemble.bagging-vote", "ensemble.bagging-bias", "ensemble.erratum-y45"))
def _(votes):
    """Asks the first member only."""
    return np.asarray(votes)[0]


@mistake("majority_vote", kills=("ensemble.bagging-vote", "ensemble.bagging-bias", "ensemble.erratum-y45"))
def _(votes):
    """Averages in place of voting."""
    return np.asarray(votes).mean(axis=0)


@mistake("BaggingClassifier", kills=("ensemble.bagging-vote", "ensemble.forest-algorithm"))
class _(BaggingClassifier):
    """Grows every member on the original rows, and only the last one votes."""

    def _counts(self, b):
        return np.ones(self._n_rows)

    def predict(self, X):
        last = range(self.n_estimators - 1, self.n_estimators)
        return -self.classes_[self._answers(last, np.asarray(X))[0]]


@mistake("BaggingClassifier", kills=("ensemble.bagging-identical",))
class _(BaggingClassifier):
    """Grows two members on each bootstrap sample."""

    def _draws(self, b):
        return super()._draws(b // 2 * 2)


@mistake("BaggingClassifier", kills=("ensemble.out-of-bag",))
class _(BaggingClassifier):
    """Lets all members judge a row, those that were grown on it too."""

    def fit(self, X, y):
        super().fit(X, y)
        self.oob_decision_function_ = self.predict_proba(X)
        self.oob_score_ = self.score(X, y)
        return self


@mistake("RandomForestClassifier", kills=("ensemble.out-of-bag",))
class _(RandomForestClassifier):
    """Counts the rows that are judged, whatever the judgement."""

    def fit(self, X, y):
        super().fit(X, y)
        self.oob_score_ = 1.0
        return self


@mistake(
    "variance_of_average",
    kills=("ensemble.bagging-var-formula", "ensemble.bagging-variance-reduction", "ensemble.bagging-B-limit"),
)
def _(variance, correlation, n_members):
    """Forgets the variance in the second term."""
    return correlation * variance + (1 - correlation) / n_members


@mistake(
    "variance_of_average",
    kills=("ensemble.bagging-var-formula", "ensemble.bagging-variance-reduction", "ensemble.bagging-B-limit"),
)
def _(variance, correlation, n_members):
    """Divides the first term by B."""
    return (correlation / n_members + (1 - correlation)) * variance


@mistake("variance_of_average", kills=("ensemble.bagging-var-formula", "ensemble.bagging-B-limit"))
def _(variance, correlation, n_members):
    """Takes the members for independent."""
    return variance / n_members


@mistake("variance_of_average", kills=("ensemble.erratum-y47",))
def _(variance, correlation, n_members):
    """Accepts any correlation."""
    return correlation * variance + (1 - correlation) / n_members * variance


@mistake("variance_of_average", kills=("ensemble.erratum-y47",))
def _(variance, correlation, n_members):
    """Refuses negative correlations."""
    if correlation < 0:
        raise ValueError("correlation must be positive")
    return right.variance_of_average(variance, correlation, n_members)


@mistake("variance_parts", kills=("ensemble.variance-parts",))
def _(outputs):
    """Forgets that the set means vary with the members too."""
    table = np.asarray(outputs, dtype=float)
    return VarianceParts(float(table.mean(axis=1).var(ddof=1)), float(table.var(axis=1, ddof=1).mean()))


@mistake("variance_parts", kills=("ensemble.variance-parts",))
def _(outputs):
    """Divides by B and r."""
    table = np.asarray(outputs, dtype=float)
    within = table.var(axis=1).mean()
    return VarianceParts(float(table.mean(axis=1).var() - within / table.shape[1]), float(within))


# ------------------------------------------------------------------- forests


@mistake("RandomForestClassifier", kills=("ensemble.forest-algorithm",))
class _(RandomForestClassifier):
    """Draws the candidates once for each tree."""

    def _grow(self, X, codes):
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


@mistake("RandomForestClassifier", kills=("ensemble.forest-algorithm",))
class _(RandomForestClassifier):
    """Grows every tree on the original rows."""

    def _counts(self, b):
        return np.ones(self._n_rows)


@mistake("RandomForestClassifier", kills=("ensemble.forest-decorrelate",))
class _(RandomForestClassifier):
    """Ignores max_features."""

    def fit(self, X, y):
        self.max_features = None
        return super().fit(X, y)


@mistake("RandomForestClassifier", kills=("ensemble.forest-decorrelate",))
class _(RandomForestClassifier):
    """Looks at one feature at each node, whatever max_features says."""

    def fit(self, X, y):
        self.max_features = 1
        return super().fit(X, y)


# ------------------------------------------------------------------- AdaBoost: formulas


@mistake(
    "adaboost_weight",
    kills=("ensemble.adaboost-reweighted-half", "ensemble.adaboost-inflate", "ensemble.adaboost-edge-cases"),
)
def _(error, n_classes=2):
    """Takes half of alpha, with the one-sided update."""
    return right.adaboost_weight(error, n_classes) / 2


@mistake(
    "adaboost_weight",
    kills=("ensemble.adaboost-reweighted-half", "ensemble.adaboost-inflate", "ensemble.adaboost-edge-cases"),
)
def _(error, n_classes=2):
    """Turns the fraction around."""
    return -right.adaboost_weight(error, n_classes)


@mistake("adaboost_weight", kills=("ensemble.samme",))
def _(error, n_classes=2):
    """Forgets log(K - 1)."""
    return right.adaboost_weight(error)


@mistake("adaboost_weight", kills=("ensemble.adaboost-edge-cases", "ensemble.erratum-y48"))
def _(error, n_classes=2):
    """Lets err = 0 pass, with a weight of infinity."""
    with np.errstate(all="ignore"):
        return float(np.log((1 - error) / np.float64(error)) + np.log(n_classes - 1))


@mistake("adaboost_weight", kills=("ensemble.adaboost-edge-cases", "ensemble.erratum-y48"))
def _(error, n_classes=2):
    """Never turns a classifier around."""
    return abs(right.adaboost_weight(error, n_classes))


@mistake("adaboost_update", kills=("ensemble.adaboost-reweighted-half", "ensemble.adaboost-inflate"))
def _(weights, wrong, alpha):
    """Multiplies the right rows."""
    return right.adaboost_update(weights, ~np.asarray(wrong), alpha)


@mistake(
    "adaboost_update",
    kills=(
        "ensemble.adaboost-reweighted-half",
        "ensemble.adaboost-inflate",
        "ensemble.erratum-y49",
        "ensemble.samme",
    ),
)
def _(weights, wrong, alpha):
    """Takes the whole alpha in both directions."""
    w = np.asarray(weights) * np.exp(np.where(wrong, alpha, -alpha))
    return w / w.sum()


@mistake("adaboost_update", kills=("ensemble.adaboost-reweighted-half", "ensemble.erratum-y49"))
def _(weights, wrong, alpha):
    """Does not normalise."""
    return np.asarray(weights) * np.exp(alpha * np.asarray(wrong))


@mistake("adaboost_update", kills=("ensemble.adaboost-inflate", "ensemble.erratum-y49"))
def _(weights, wrong, alpha):
    """Multiplies by alpha in place of its exponential."""
    w = np.asarray(weights) * np.where(wrong, 1 + alpha, 1.0)
    return w / w.sum()


@mistake("training_bound", kills=("ensemble.training-bound",))
def _(errors, n_classes=2):
    """Forgets the factor 2."""
    errors = np.asarray(errors)
    return float(np.prod(np.sqrt(errors * (1 - errors))))


@mistake("training_bound", kills=("ensemble.training-bound",))
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


@mistake("AdaBoostClassifier", kills=("ensemble.adaboost-algorithm", "ensemble.adaboost-exp-identity"))
class _(replaced):
    """Takes half of alpha, with the one-sided update."""

    def weigh(self, err):
        return super().weigh(err) / 2


@mistake("AdaBoostClassifier", kills=("ensemble.adaboost-algorithm", "ensemble.adaboost-exp-identity"))
class _(replaced):
    """Does not divide the weighted error by the sum of the weights, which it lets grow."""

    def error(self, w, wrong):
        return float(w[wrong].sum())

    def update(self, w, wrong, alpha):
        return w * np.exp(np.clip(alpha, 0, 50) * wrong)


@mistake(
    "AdaBoostClassifier",
    kills=("ensemble.adaboost-algorithm", "ensemble.adaboost-exp-identity", "ensemble.boosting-bias"),
)
class _(replaced):
    """Never updates the weights."""

    def update(self, w, wrong, alpha):
        return w


@mistake("AdaBoostClassifier", kills=("ensemble.adaboost-algorithm",))
class _(replaced):
    """Reports the unweighted error."""

    def error(self, w, wrong):
        return float(np.mean(wrong))


@mistake("AdaBoostClassifier", kills=("ensemble.adaboost-edge-cases",))
class _(replaced):
    """Goes on when a classifier is perfect."""


@mistake(
    "AdaBoostClassifier",
    kills=(
        "ensemble.boosting-setup",
        "ensemble.adaboost-algorithm",
        "ensemble.boosting-bias",
        "ensemble.erratum-y50",
    ),
)
class _(AdaBoostClassifier):
    """Answers the opposite: flipped polarity."""

    def predict(self, X):
        return -super().predict(X) if self.decision_function(X).any() else np.sort(-np.arange(len(X)))


@mistake("AdaBoostClassifier", kills=("ensemble.boosting-setup",))
class _(AdaBoostClassifier):
    """Answers sign(F), and 0 at score 0."""

    def predict(self, X):
        return np.sign(self.decision_function(X))


@mistake("AdaBoostClassifier", kills=("ensemble.boosting-setup", "ensemble.adaboost-exp-identity"))
class _(AdaBoostClassifier):
    """Counts the members in place of weighing them."""

    def decision_function(self, X):
        return sum(2 * member.predict(X) - 1 for member in self.estimators_)


@mistake("AdaBoostClassifier", kills=("ensemble.adaboost-certificate",))
class _(AdaBoostClassifier):
    """Bounds the training error by the last round alone."""

    def fit(self, X, y):
        super().fit(X, y)
        self.certificate_ |= {"bound": right.training_bound(self.estimator_errors_[-1:])}
        return self


@mistake("AdaBoostClassifier", kills=("ensemble.adaboost-certificate",))
class _(AdaBoostClassifier):
    """Tells the training error of its last member for its own."""

    def fit(self, X, y):
        super().fit(X, y)
        error = (self.classes_[self.estimators_[-1].predict(np.asarray(X))] != y).mean()
        self.certificate_ |= {"training_error": error}
        return self


@mistake("AdaBoostClassifier", kills=("ensemble.samme",))
class _(replaced):
    """Forgets log(K - 1)."""

    def weigh(self, err):
        return right.adaboost_weight(err)


@mistake("AdaBoostClassifier", kills=("ensemble.adaboost-algorithm", "ensemble.boosting-bias"))
class _(AdaBoostClassifier):
    """Knows stumps of one polarity only."""

    def fit(self, X, y):
        base = boosting._StumpSearch.best
        stump = base(
            boosting._StumpSearch(np.asarray(X), (np.asarray(y) > 0).astype(int), 2),
            np.full(len(X), 1 / len(X)),
        )
        super().fit(X, y)
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
    MISTAKES.append(Mistake(words, ("ensemble.adaboost-algorithm",), {"boost": walk(rule)}))


@mistake("boost", kills=("ensemble.adaboost-algorithm",))
def _(X, y, w, learn=None):
    """Looks at the first feature only."""
    return plain.boost(X, y, w, lambda X, y, w: plain.best_stump(X[:, :1], y, w))


@mistake("AdaBoostClassifier", kills=("ensemble.adaboost-exp-identity",))
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
