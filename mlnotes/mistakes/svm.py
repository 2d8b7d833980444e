"""Wrong support vector machines, one typical mistake each."""

import math

import numpy as np

from mlnotes import svm as right
from mlnotes.estimators.svm import SVC, OneClassSVM
from mlnotes.mistakes import Mistakes, scaled

mistake = MISTAKES = Mistakes("svm")


# ------------------------------------------------------------------- the board


@mistake("hyperplane_distance", kills=("svm.distance",))
def _(X, w, b):
    """Merges the offset into the norm."""
    return abs(X @ w + b) / np.linalg.norm(np.append(w, b))


@mistake("hyperplane_distance", kills=("svm.distance",))
def _(X, w, b):
    """Forgets the norm."""
    return abs(X @ w + b)


@mistake("hyperplane_distance", kills=("svm.distance",))
def _(X, w, b):
    """Keeps the sign."""
    return (X @ w + b) / np.linalg.norm(w)


@mistake("class_margins", kills=("svm.margin",))
def _(X, y, w, b):
    """Does not normalise."""
    return tuple(np.linalg.norm(w) * m for m in right.class_margins(X, y, w, b))


@mistake("class_margins", kills=("svm.margin", "svm.erratum-y16"))
def _(X, y, w, b):
    """Takes distances, which forget the side."""
    far = right.hyperplane_distance(X, w, b)
    return far[y < 0].min(), far[y > 0].min()


@mistake("class_margins", kills=("svm.margin",))
def _(X, y, w, b):
    """Takes the mean of each class for its closest row."""
    signed = y * (X @ w + b) / np.linalg.norm(w)
    return signed[y < 0].mean(), signed[y > 0].mean()


@mistake("hinge_loss", kills=("svm.soft-primal",))
def _(X, y, w, b):
    """Squares the slack."""
    return right.hinge_loss(X, y, w, b) ** 2


@mistake("hinge_loss", kills=("svm.soft-primal",))
def _(X, y, w, b):
    """Has the hinge of the perceptron, at 0."""
    return np.maximum(0, -y * (X @ w + b))


@mistake("primal_objective", kills=("svm.soft-primal", "svm.hinge-erm"))
def _(X, y, w, b, C):
    """Penalises the offset."""
    return right.primal_objective(X, y, w, b, C) + 0.5 * b * b


@mistake("primal_objective", kills=("svm.soft-primal", "svm.hinge-erm"))
def _(X, y, w, b, C):
    """Takes C over n."""
    return right.primal_objective(X, y, w, b, C / len(X))


@mistake("dual_objective", kills=("svm.hard-dual", "svm.dual-derivation"))
def _(alpha, y, K):
    """Forgets the factor 1/2."""
    return 2 * right.dual_objective(alpha, y, K) - np.sum(alpha)


@mistake("dual_objective", kills=("svm.hard-dual", "svm.dual-derivation"))
def _(alpha, y, K):
    """Forgets the labels."""
    return np.sum(alpha) - 0.5 * alpha @ K @ alpha


@mistake("dual_objective", kills=("svm.hard-dual", "svm.dual-derivation"))
def _(alpha, y, K):
    """Adds the quadratic term."""
    return 2 * np.sum(alpha) - right.dual_objective(alpha, y, K)


@mistake("lagrangian", kills=("svm.lagrangian", "svm.dual-derivation"))
def _(X, y, C, w, b, slack, alpha, eta):
    """Adds the multipliers of the slacks."""
    return right.lagrangian(X, y, C, w, b, slack, alpha, -np.asarray(eta))


@mistake("lagrangian", kills=("svm.lagrangian", "svm.dual-derivation", "svm.erratum-s13"))
def _(X, y, C, w, b, slack, alpha, eta):
    """Has the offset with the other sign, as printed."""
    return right.lagrangian(X, y, C, w, -b, slack, alpha, eta)


@mistake("lagrangian_gradient", kills=("svm.lagrangian", "svm.stationarity"))
def _(X, y, C, w, alpha, eta):
    """Has the multipliers of the slacks with the other sign."""
    return right.lagrangian_gradient(X, y, C, w, alpha, -np.asarray(eta))


@mistake("lagrangian_gradient", kills=("svm.lagrangian", "svm.stationarity"))
def _(X, y, C, w, alpha, eta):
    """Forgets the derivative in the offset."""
    dw, _, ds = right.lagrangian_gradient(X, y, C, w, alpha, eta)
    return dw, 0.0, ds


def _without(*names):
    def checker(X, y, C, w, b, alpha, slack=None):
        return right.kkt_residuals(X, y, C, w, b, alpha, slack) | dict.fromkeys(names, 0.0)

    return checker


for _name, _kills in (
    ("equality", ("svm.kkt", "svm.erratum-y21")),
    ("primal_feasibility", ("svm.kkt", "svm.erratum-s27")),
    ("dual_feasibility", ("svm.kkt",)),
    ("complementarity", ("svm.kkt",)),
    ("stationarity", ("svm.kkt",)),
):
    MISTAKES.append((f"Does not check {_name}.", _kills, {"kkt_residuals": _without(_name)}))


@mistake("kkt_residuals", kills=("svm.kkt",))
def _(X, y, C, w, b, alpha, slack=None):
    """Does not ask whether multipliers are above C."""
    found = right.kkt_residuals(X, y, C, w, b, alpha, slack)
    return found | {"dual_feasibility": max(0.0, -float(np.min(alpha)))}


@mistake("kkt_residuals", kills=("svm.kkt",))
def _(X, y, C, w, b, alpha, slack=None):
    """Does not ask whether multipliers are below 0."""
    found = right.kkt_residuals(X, y, C, w, b, alpha, slack)
    return found | {"dual_feasibility": max(0.0, float(np.max(alpha)) - C)}


@mistake("kkt_residuals", kills=("svm.kkt",))
def _(X, y, C, w, b, alpha, slack=None):
    """Lets the hard margin have slack."""
    found = right.kkt_residuals(X, y, C, w, b, alpha, slack)
    if slack is None or not np.isinf(C):
        return found
    rooms = alpha * (1 - np.asarray(slack) - y * (X @ w + b))
    return found | {"complementarity": float(abs(rooms).max())}


@mistake("bias_interval", kills=("svm.recover", "svm.erratum-s15"))
def _(alpha, y, K, C):
    """Averages over all support vectors, those at C too."""
    r = (y - K @ (y * alpha))[alpha > 0].mean()
    return r, r


@mistake("bias_interval", kills=("svm.recover", "svm.erratum-s15"))
def _(alpha, y, K, C):
    """Takes any support vector, as printed."""
    r = (y - K @ (y * alpha))[np.argmax(alpha > 0)]
    return r, r


@mistake("kkt_residuals", kills=("svm.kkt",))
def _(X, y, C, w, b, alpha, slack=None):
    """Takes the smallest miss of a margin where the largest is asked for."""
    found = right.kkt_residuals(X, y, C, w, b, alpha, slack)
    values = 1 - y * (X @ w + b)
    given = (np.maximum(0, values) if np.isfinite(C) else 0 * values) if slack is None else np.asarray(slack)
    return found | {"primal_feasibility": max(0.0, float((values - given).min()), float(-given.min()))}


@mistake("bias_interval", kills=("svm.recover",))
def _(alpha, y, K, C):
    """Looks only at rows with a multiplier."""
    rows = np.flatnonzero(alpha > 0)
    return right.bias_interval(alpha[rows], y[rows], K[np.ix_(rows, rows)], C)


@mistake("bias_interval", kills=("svm.recover",))
def _(alpha, y, K, C):
    """Swaps the ends."""
    return right.bias_interval(alpha, y, K, C)[::-1]


@mistake("support_vector_types", kills=("svm.sv-types", "svm.erratum-s17"))
def _(alpha, slack, C):
    """Takes every multiplier at C for a violation."""
    types = right.support_vector_types(alpha, slack, C)
    return np.where(types == "edge", "inside", types)


@mistake("support_vector_types", kills=("svm.sv-types",))
def _(alpha, slack, C):
    """Counts a row on the boundary as wrong."""
    types = right.support_vector_types(alpha, slack, C)
    return np.where(types == "boundary", "wrong", types)


@mistake("erm_objective", kills=("svm.hinge-erm",))
def _(X, y, w, b, penalty):
    """Forgets the factor 1/2."""
    return right.erm_objective(X, y, w, b, 2 * penalty)


@mistake("erm_objective", kills=("svm.hinge-erm",))
def _(X, y, w, b, penalty):
    """Sums the losses."""
    return right.hinge_loss(X, y, w, b).sum() + 0.5 * penalty * w @ w


@mistake("erm_subgradient", kills=("svm.hinge-erm",))
def _(X, y, w, b, penalty):
    """Sums over the rows."""
    dw, db = right.erm_subgradient(X, y, w, b, 0.0)
    return penalty * w + len(X) * dw, len(X) * db


@mistake("erm_subgradient", kills=("svm.hinge-erm",))
def _(X, y, w, b, penalty):
    """Counts the rows on the wrong side only."""
    active = y * (y * (X @ w + b) < 0)
    return penalty * w - active @ X / len(X), -active.mean()


@mistake("erm_subgradient", kills=("svm.hinge-erm",))
def _(X, y, w, b, penalty):
    """Penalises the offset."""
    dw, db = right.erm_subgradient(X, y, w, b, penalty)
    return dw, db + b


@mistake("form2_cost", kills=("svm.form2", "svm.equivalence", "svm.erratum-s12"))
def _(alpha, C):
    """Keeps the constant, as printed."""
    return C


@mistake("form2_cost", kills=("svm.form2", "svm.equivalence", "svm.erratum-s12"))
def _(alpha, C):
    """Multiplies by the sum."""
    return C * np.sum(alpha)


@mistake("form2_least_cost", kills=("svm.equivalence", "svm.erratum-s12"))
def _(y):
    """Counts all rows."""
    return 0.5 / len(y)


@mistake("form2_least_cost", kills=("svm.equivalence",))
def _(y):
    """Takes the larger class."""
    return 0.5 / max(np.sum(np.asarray(y) > 0), np.sum(np.asarray(y) < 0))


@mistake("polynomial_kernel", kills=("svm.kernel",))
def _(X, Z, *, degree, gamma, coef0):
    """Forgets the constant."""
    return (gamma * X @ Z.T) ** degree


@mistake("rbf_kernel", kills=("svm.gram",))
def _(X, Z, *, gamma):
    """Takes the distance, not its square."""
    return np.exp(-gamma * np.linalg.norm(X[:, None] - Z, axis=2))


@mistake("is_gram", kills=("svm.gram",))
def _(K):
    """Looks at symmetry only."""
    return bool((K == K.T).all())


@mistake("is_gram", kills=("svm.gram",))
def _(K):
    """Looks at the diagonal only."""
    return bool((np.diag(K) >= 0).all())


@mistake("is_gram", kills=("svm.gram",))
def _(K):
    """Asks for positive eigenvalues, strictly."""
    return bool((K == K.T).all() and np.linalg.eigvalsh(K)[0] > 1e-6)


@mistake("vc_bound", kills=("svm.vc-bound", "svm.erratum-s19"))
def _(n, dimension, delta):
    """Takes binary logarithms."""
    h = dimension
    return 2 * math.sqrt(2 * (h * math.log2(2 * math.e * n / h) + math.log2(2 / delta)) / n)


@mistake("vc_bound", kills=("svm.vc-bound", "svm.erratum-s19"))
def _(n, dimension, delta):
    """Forgets the factor 2 in front."""
    return right.vc_bound(n, dimension, delta) / 2


@mistake("vc_sample_size", kills=("svm.vc-bound",))
def _(dimension, delta):
    """Stops one row early."""
    return right.vc_sample_size(dimension, delta) - 1


@mistake("margin_dimension", kills=("svm.vc-margin-dim", "svm.erratum-s18"))
def _(n_features, radius, margin):
    """Forgets the bias, as printed."""
    return right.margin_dimension(n_features, radius, margin) - 1


@mistake("margin_dimension", kills=("svm.vc-margin-dim",))
def _(n_features, radius, margin):
    """Has the radius for the diameter, as printed."""
    return right.margin_dimension(n_features, 2 * radius, margin)


# ------------------------------------------------------------------- machines


class _Changed(SVC):
    """A machine that is changed after the fit."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.change(np.asarray(X), np.asarray(y))
        return self


@mistake(
    "SVC",
    kills=(
        "svm.reformulation", "svm.margin-inverse-norm", "svm.unique",
        "svm.support-vectors", "svm.erratum-y22", "svm.erratum-y17", "svm.C-infinity",
    ),
)  # fmt: skip
class _(_Changed):
    """Returns the unit normal."""

    def change(self, X, y):
        length = np.linalg.norm(self.coef_)
        self.coef_, self.intercept_ = self.coef_ / length * 0.9, self.intercept_ / length * 0.9


@mistake("SVC", kills=("svm.reformulation", "svm.margin-inverse-norm", "svm.slater", "svm.support-vectors"))
class _(_Changed):
    """Takes the margin for 2 over the norm: the plane is half as steep."""

    def change(self, X, y):
        self.coef_, self.intercept_ = self.coef_ / 2, self.intercept_ / 2


@mistake("SVC", kills=("svm.maxmargin", "svm.unique", "svm.span"))
class _(SVC):
    """Stops at the first plane that separates: a perceptron."""

    def fit(self, X, y):
        w, b, moved = np.zeros(X.shape[1]), 0.0, True
        while moved:
            moved = False
            for x, sign in zip(X, y, strict=True):
                if sign * (x @ w + b) <= 0:
                    w, b, moved = w + sign * x, b + sign, True
        self.coef_, self.intercept_ = w[None], np.array([b])
        self.support_, self.dual_coef_ = np.arange(len(X)), (y / len(X))[None]
        return self


@mistake("SVC", kills=("svm.hard-primal", "svm.erratum-y17"))
class _(SVC):
    """Returns something on data that are not separable."""

    def fit(self, X, y):
        self.C = min(self.C, 100.0)
        return super().fit(X, y)


@mistake(
    "SVC",
    kills=(
        "svm.soft-dual", "svm.strong-duality", "svm.C-infinity", "svm.erratum-y22", "svm.complementarity",
    ),
)  # fmt: skip
class _(SVC):
    """Takes C over n."""

    def fit(self, X, y):
        self.C = self.C / len(X)
        return super().fit(X, y)


@mistake(
    "SVC",
    kills=("svm.soft-dual", "svm.strong-duality", "svm.C-infinity", "svm.complementarity", "svm.sparsity"),
)
class _(SVC):
    """Forgets the box."""

    def fit(self, X, y):
        self.C = max(self.C, 1e4)
        return super().fit(X, y)


@mistake("SVC", kills=("svm.soft-dual", "svm.strong-duality", "svm.b-average"))
class _(SVC):
    """Penalises the offset: it is one more feature."""

    def fit(self, X, y):
        C = min(self.C, 1e6)
        twice = SVC(C, kernel="linear").fit(
            np.vstack([np.column_stack([X, np.ones(len(X))]), -np.column_stack([X, np.ones(len(X))])]),
            np.concatenate([y, -np.asarray(y)]),
        )  # symmetric data have the offset 0
        self.coef_, self.intercept_ = twice.coef_[:, :-1], twice.coef_[:, -1]
        alpha = np.zeros(2 * len(X))
        alpha[twice.support_] = abs(twice.dual_coef_[0])
        alpha = alpha[: len(X)] + alpha[len(X) :]
        self.support_, self.dual_coef_ = np.arange(len(X)), (np.asarray(y) * alpha)[None]
        return self


@mistake("SVC", kills=("svm.b-average", "svm.complementarity", "svm.decision-dual", "svm.soft-dual"))
class _(_Changed):
    """Forgets the offset."""

    def change(self, X, y):
        self.intercept_ = np.full(1, 1e3)

    def decision_function(self, X):
        return X @ self.coef_[0]


@mistake("SVC", kills=("svm.b-average", "svm.erratum-y23"))
class _(_Changed):
    """Takes the offset from the second support vector, at C or not."""

    def change(self, X, y):
        self.intercept_ = (y - X @ self.coef_[0])[self.support_[1:2]]


@mistake("SVC", kills=("svm.decision-dual",))
class _(SVC):
    """Answers 0 and 1."""

    def predict(self, X):
        return (self.decision_function(X) >= 0).astype(int)


@mistake("SVC", kills=("svm.support-vectors", "svm.span", "svm.hard-dual", "svm.sparsity", "svm.erratum-s16"))
class _(_Changed):
    """Stops before the multipliers have reached zero: all rows are support vectors."""

    def change(self, X, y):
        alpha = np.full(len(X), 1e-12 if self.C < 1 else 1e-3)
        alpha[self.support_] += abs(self.dual_coef_[0])
        self.support_, self.dual_coef_ = np.arange(len(X)), (y * alpha)[None]


@mistake("SVC", kills=("svm.span", "svm.strong-duality", "svm.hard-dual"))
class _(_Changed):
    """Loses a support vector."""

    def change(self, X, y):
        largest = np.argmax(abs(self.dual_coef_[0]))
        self.dual_coef_, self.support_ = (
            np.delete(self.dual_coef_, largest, 1),
            np.delete(self.support_, largest),
        )


@mistake("SVC", kills=("svm.sparsity", "svm.erratum-s16", "svm.soft-dual", "svm.erratum-s17"))
class _(_Changed):
    """Keeps the free support vectors only."""

    def change(self, X, y):
        kept = abs(self.dual_coef_[0]) < self.C * (1 - 1e-9)
        self.dual_coef_, self.support_ = self.dual_coef_[:, kept], self.support_[kept]


@mistake("SVC", kills=("svm.kernel",))
class _(SVC):
    """Uses the kernel in training only."""

    def decision_function(self, X):
        return X @ (self.dual_coef_ @ self.support_vectors_)[0] + self.intercept_[0]


@mistake("SVC", kills=("svm.kernel",))
class _(SVC):
    """Leaves the constant out of the kernel."""

    def fit(self, X, y):
        self.coef0 = 0.0
        return super().fit(X, y)


@mistake("OneClassSVM", kills=("svm.one-class",))
class _(OneClassSVM):
    """Ignores nu."""

    def fit(self, X):
        self.nu = 0.5
        return super().fit(X)


@mistake("OneClassSVM", kills=("svm.one-class",))
class _(OneClassSVM):
    """Has the mean of the scores for its threshold."""

    def decision_function(self, X):
        scores = self.score_samples(X)
        return scores - scores.mean()


@mistake("OneClassSVM", kills=("svm.one-class",))
class _(OneClassSVM):
    """Calls nothing novel."""

    def predict(self, X):
        return np.ones(len(X))


@mistake("margin_dimension", kills=("svm.vc-margin-dim",))
def _(n_features, radius, margin):
    """Rounds where it should round up."""
    return min(n_features, round((radius / margin) ** 2)) + 1


@mistake("smo", kills=("svm.pairs",))
def _(K, y, C, alpha=0.0, tol=1e-9):
    """Takes half of the gap for the gap."""
    for state, pair, gap in right.smo(K, y, C, alpha, tol):
        yield state, pair, gap / 2


@mistake("smo", kills=("svm.pairs",))
def _(K, y, C, alpha=0.0, tol=1e-9):
    """Names the pair of the move before."""
    last = None
    for state, pair, gap in right.smo(K, y, C, alpha, tol):
        yield state, last or pair, gap
        last = pair


# ------------------------------------------------------------------- zeros for answers

mistake.changed("form2_cost", scaled(0, "Maps every price to 0."), kills=("svm.form2",))


@mistake("SVC", kills=("svm.hard-primal",))
class _(SVC):
    """Refuses what has no plane, and answers the plane of zeros to the rest."""

    def fit(self, X, y, *args):
        super().fit(X, y, *args)
        self.coef_ = np.zeros_like(self.coef_)
        return self


@mistake("SVC", kills=("svm.gaussian-kernel",))
class _(SVC):
    """Has another width of the Gaussian kernel in the answer than in the fit."""

    def fit(self, X, y, *args):
        gamma, self.gamma = self.gamma, 2 * self.gamma if self.kernel == "rbf" else self.gamma
        super().fit(X, y, *args)
        self.gamma = gamma
        return self


@mistake("SVC", kills=("svm.gaussian-kernel",))
class _(SVC):
    """Is right with straight lines, and has no offset with a kernel."""

    def fit(self, X, y, *args):
        super().fit(X, y, *args)
        self.intercept_ = self.intercept_ * (self.kernel == "linear")
        return self
