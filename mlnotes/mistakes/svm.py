"""Wrong support vector machines, one typical mistake each."""

import math

import numpy as np

from mlnotes import svm as right
from mlnotes.estimators.svm import SVC, OneClassSVM
from mlnotes.mistakes import Change, Mistakes, backwards, scaled, shifted

mistake = MISTAKES = Mistakes("svm")


# ------------------------------------------------------------------- the board


mistake.rows("hyperplane_distance",
    ("Merges the offset into the norm.", "distance",
     lambda X, w, b: abs(X @ w + b) / np.linalg.norm(np.append(w, b))),
    ("Forgets the norm.", "distance", lambda X, w, b: abs(X @ w + b)),
    ("Keeps the sign.", "distance", lambda X, w, b: (X @ w + b) / np.linalg.norm(w)),
)  # fmt: skip
mistake.rows("class_margins", ("Does not normalise.", "margin",
    lambda X, y, w, b: tuple(np.linalg.norm(w) * m for m in right.class_margins(X, y, w, b))))  # fmt: skip


@mistake("class_margins", kills="margin erratum-y16")
def _(X, y, w, b):
    """Takes distances, which forget the side."""
    far = right.hyperplane_distance(X, w, b)
    return far[y < 0].min(), far[y > 0].min()


@mistake("class_margins", kills="margin")
def _(X, y, w, b):
    """Takes the mean of each class for its closest row."""
    distances = y * (X @ w + b) / np.linalg.norm(w)
    return distances[y < 0].mean(), distances[y > 0].mean()


mistake.rows("hinge_loss",
    ("Squares the slack.", "soft-primal", Change(lambda answer: answer**2)),
    ("Has the hinge of the perceptron, at 0.", "soft-primal",
     lambda X, y, w, b: np.maximum(0, -y * (X @ w + b))),
)  # fmt: skip
mistake.rows("primal_objective",
    ("Penalises the offset.", "soft-primal hinge-erm",
     lambda X, y, w, b, C: right.primal_objective(X, y, w, b, C) + 0.5 * b * b),
    ("Takes C over n.", "soft-primal hinge-erm",
     lambda X, y, w, b, C: right.primal_objective(X, y, w, b, C / len(X))),
)  # fmt: skip
mistake.rows("dual_objective",
    ("Forgets the factor 1/2.", "hard-dual dual-derivation",
     lambda alpha, y, K: 2 * right.dual_objective(alpha, y, K) - np.sum(alpha)),
    ("Forgets the labels.", "hard-dual dual-derivation",
     lambda alpha, y, K: np.sum(alpha) - 0.5 * alpha @ K @ alpha),
    ("Adds the quadratic term.", "hard-dual dual-derivation",
     lambda alpha, y, K: 2 * np.sum(alpha) - right.dual_objective(alpha, y, K)),
)  # fmt: skip
mistake.rows("lagrangian",
    ("Adds the multipliers of the slacks.", "lagrangian dual-derivation",
     lambda X, y, C, w, b, slack, alpha, eta:
        right.lagrangian(X, y, C, w, b, slack, alpha, -np.asarray(eta))),
    ("Has the offset with the other sign, as printed.", "lagrangian dual-derivation erratum-s13",
     lambda X, y, C, w, b, slack, alpha, eta: right.lagrangian(X, y, C, w, -b, slack, alpha, eta)),
)  # fmt: skip
mistake.rows("lagrangian_gradient",
    ("Has the multipliers of the slacks with the other sign.", "lagrangian stationarity",
     lambda X, y, C, w, alpha, eta: right.lagrangian_gradient(X, y, C, w, alpha, -np.asarray(eta))),
)  # fmt: skip


@mistake("lagrangian_gradient", kills="lagrangian stationarity")
def _(X, y, C, w, alpha, eta):
    """Forgets the derivative in the offset."""
    dw, _, ds = right.lagrangian_gradient(X, y, C, w, alpha, eta)
    return dw, 0.0, ds


def _instead(name, formula):
    """Return the residuals with another formula, of the multipliers and C, for one of them."""

    def residuals(X, y, C, w, b, alpha, slack=None):
        return right.kkt_residuals(X, y, C, w, b, alpha, slack) | {name: formula(np.asarray(alpha), C)}

    return residuals


for _name, _kills in (
    ("equality", "kkt erratum-y21"),
    ("primal_feasibility", "kkt erratum-s27"),
    ("dual_feasibility", "kkt"),
    ("complementarity", "kkt"),
    ("stationarity", "kkt"),
):
    mistake.rows("kkt_residuals", (f"Does not check {_name}.", _kills, _instead(_name, lambda alpha, C: 0.0)))
mistake.rows("kkt_residuals",
    ("Does not ask whether multipliers are above C.", "kkt",
     _instead("dual_feasibility", lambda alpha, C: max(0.0, -float(alpha.min())))),
    ("Does not ask whether multipliers are below 0.", "kkt",
     _instead("dual_feasibility", lambda alpha, C: max(0.0, float(alpha.max()) - C))),
)  # fmt: skip


@mistake("kkt_residuals", kills="kkt")
def _(X, y, C, w, b, alpha, slack=None):
    """Lets the hard margin have slack."""
    report = right.kkt_residuals(X, y, C, w, b, alpha, slack)
    if slack is None or not np.isinf(C):
        return report
    rooms = alpha * (1 - np.asarray(slack) - y * (X @ w + b))
    return report | {"complementarity": float(abs(rooms).max())}


def _one_offset(choice):
    """Return the interval of one offset, chosen from those of the support vectors."""
    return lambda alpha, y, K, C: (choice((y - K @ (y * alpha))[alpha > 0]),) * 2


mistake.rows("bias_interval",
    ("Averages over all support vectors, those at C too.", "recover erratum-s15", _one_offset(np.mean)),
    ("Takes any support vector, as printed.", "recover erratum-s15", _one_offset(lambda r: r[0])),
)  # fmt: skip


@mistake("kkt_residuals", kills="kkt")
def _(X, y, C, w, b, alpha, slack=None):
    """Takes the smallest miss of a margin where the largest is asked for."""
    report = right.kkt_residuals(X, y, C, w, b, alpha, slack)
    values = 1 - y * (X @ w + b)
    slacks = (np.maximum(0, values) if np.isfinite(C) else 0 * values) if slack is None else np.asarray(slack)
    return report | {"primal_feasibility": max(0.0, float((values - slacks).min()), float(-slacks.min()))}


@mistake("bias_interval", kills="recover")
def _(alpha, y, K, C):
    """Looks only at rows with a multiplier."""
    rows = np.flatnonzero(alpha > 0)
    return right.bias_interval(alpha[rows], y[rows], K[np.ix_(rows, rows)], C)


mistake.rows("bias_interval", ("Swaps the ends.", "recover", backwards))
mistake.rows("support_vector_types",
    ("Takes every multiplier at C for a violation.", "sv-types erratum-s17",
     Change(lambda types: np.where(types == "edge", "inside", types))),
    ("Counts a row on the boundary as wrong.", "sv-types",
     Change(lambda types: np.where(types == "boundary", "wrong", types))),
)  # fmt: skip
mistake.rows("erm_objective",
    ("Forgets the factor 1/2.", "hinge-erm",
     lambda X, y, w, b, penalty: right.erm_objective(X, y, w, b, 2 * penalty)),
    ("Sums the losses.", "hinge-erm",
     lambda X, y, w, b, penalty: right.hinge_loss(X, y, w, b).sum() + 0.5 * penalty * w @ w),
)  # fmt: skip


@mistake("erm_subgradient", kills="hinge-erm")
def _(X, y, w, b, penalty):
    """Sums over the rows."""
    dw, db = right.erm_subgradient(X, y, w, b, 0.0)
    return penalty * w + len(X) * dw, len(X) * db


@mistake("erm_subgradient", kills="hinge-erm")
def _(X, y, w, b, penalty):
    """Counts the rows on the wrong side only."""
    active = y * (y * (X @ w + b) < 0)
    return penalty * w - active @ X / len(X), -active.mean()


@mistake("erm_subgradient", kills="hinge-erm")
def _(X, y, w, b, penalty):
    """Penalises the offset."""
    dw, db = right.erm_subgradient(X, y, w, b, penalty)
    return dw, db + b


mistake.rows("form2_cost",
    ("Keeps the constant, as printed.", "form2 equivalence erratum-s12", lambda alpha, C: C),
    ("Multiplies by the sum.", "form2 equivalence erratum-s12", lambda alpha, C: C * np.sum(alpha)),
)  # fmt: skip
mistake.rows("form2_least_cost",
    ("Counts all rows.", "equivalence erratum-s12", lambda y: 0.5 / len(y)),
    ("Takes the larger class.", "equivalence",
     lambda y: 0.5 / max(np.sum(np.asarray(y) > 0), np.sum(np.asarray(y) < 0))),
)  # fmt: skip
mistake.rows("polynomial_kernel", ("Forgets the constant.", "kernel",
    lambda X, Z, *, degree=3, gamma=1.0, coef0=0.0: (gamma * X @ Z.T) ** degree))  # fmt: skip
mistake.rows("rbf_kernel", ("Takes the distance, not its square.", "gram",
    lambda X, Z, *, gamma: np.exp(-gamma * np.linalg.norm(X[:, None] - Z, axis=2))))  # fmt: skip
mistake.rows("is_gram",
    ("Looks at symmetry only.", "gram", lambda K: bool((K == K.T).all())),
    ("Looks at the diagonal only.", "gram", lambda K: bool((np.diag(K) >= 0).all())),
    ("Asks for positive eigenvalues, strictly.", "gram",
     lambda K: bool((K == K.T).all() and np.linalg.eigvalsh(K)[0] > 1e-06)),
)  # fmt: skip


@mistake("vc_bound", kills="vc-bound erratum-s19")
def _(n, dimension, delta):
    """Takes binary logarithms."""
    h = dimension
    return 2 * math.sqrt(2 * (h * math.log2(2 * math.e * n / h) + math.log2(2 / delta)) / n)


mistake.rows("vc_bound", ("Forgets the factor 2 in front.", "vc-bound erratum-s19", scaled(0.5)))
mistake.rows("vc_sample_size", ("Stops one row early.", "vc-bound", shifted(-1)))
mistake.rows("margin_dimension",
    ("Forgets the bias, as printed.", "vc-margin-dim erratum-s18", shifted(-1)),
    ("Has the radius for the diameter, as printed.", "vc-margin-dim",
     lambda n_features, radius, margin: right.margin_dimension(n_features, 2 * radius, margin)),
)  # fmt: skip


# ------------------------------------------------------------------- machines


class _Changed(SVC):
    """A machine that is changed after the fit."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.change(np.asarray(X), np.asarray(y))
        return self


@mistake(
    "SVC", kills="reformulation margin-inverse-norm unique support-vectors erratum-y22 erratum-y17 C-infinity"
)
class _(_Changed):
    """Returns the unit normal."""

    def change(self, X, y):
        length = np.linalg.norm(self.coef_)
        self.coef_, self.intercept_ = self.coef_ / length * 0.9, self.intercept_ / length * 0.9


@mistake("SVC", kills="reformulation margin-inverse-norm slater support-vectors")
class _(_Changed):
    """Takes the margin for 2 over the norm: the plane is half as steep."""

    def change(self, X, y):
        self.coef_, self.intercept_ = self.coef_ / 2, self.intercept_ / 2


@mistake("SVC.fit", kills="maxmargin unique span")
def _(self, X, y):
    """Stops at the first plane that separates: a perceptron."""
    w, b, mistaken = np.zeros(X.shape[1]), 0.0, True
    while mistaken:
        mistaken = False
        for x, sign in zip(X, y, strict=True):
            if sign * (x @ w + b) <= 0:
                w, b, mistaken = w + sign * x, b + sign, True
    self.coef_, self.intercept_ = w[None], np.array([b])
    self.support_, self.dual_coef_ = np.arange(len(X)), (y / len(X))[None]
    return self


def _fit_with(name, change):
    """Return a fit with another value of one parameter, which may depend on the number of rows."""

    def fit(self, X, *rest):
        setattr(self, name, change(getattr(self, name), len(X)))
        return SVC.fit(self, X, *rest)

    return fit


mistake.rows("SVC.fit",
    ("Returns something on data that are not separable.", "hard-primal erratum-y17",
     _fit_with("C", lambda C, n: min(C, 100.0))),
    ("Takes C over n.", "soft-dual strong-duality C-infinity erratum-y22 complementarity",
     _fit_with("C", lambda C, n: C / n)),
    ("Forgets the box.", "soft-dual strong-duality C-infinity complementarity sparsity",
     _fit_with("C", lambda C, n: max(C, 1e4))),
    ("Leaves the constant out of the kernel.", "kernel", _fit_with("coef0", lambda constant, n: 0.0)),
)  # fmt: skip


@mistake("SVC.fit", kills="soft-dual strong-duality b-average")
def _(self, X, y):
    """Penalises the offset: it is one more feature."""
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


@mistake("SVC", kills="b-average complementarity decision-dual soft-dual")
class _(_Changed):
    """Forgets the offset."""

    def change(self, X, y):
        self.intercept_ = np.full(1, 1e3)

    def decision_function(self, X):
        return X @ self.coef_[0]


@mistake("SVC", kills="b-average erratum-y23")
class _(_Changed):
    """Takes the offset from the second support vector, at C or not."""

    def change(self, X, y):
        self.intercept_ = (y - X @ self.coef_[0])[self.support_[1:2]]


mistake.rows("SVC.predict", ("Answers 0 and 1.", "decision-dual",
    lambda self, X: (self.decision_function(X) >= 0).astype(int)))  # fmt: skip


mistake.rows("SVC.predict", ("Never answers the last of three classes.", "several-classes",
    lambda self, X: self.decision_function(X)[:, :2].argmax(axis=1)))  # fmt: skip


@mistake("SVC.fit", kills="several-classes")
def _(self, X, y, sample_weight=None):
    """Forgets the weights of the rows."""
    return SVC.fit(self, X, y)


@mistake("SVC", kills="support-vectors span hard-dual sparsity erratum-s16")
class _(_Changed):
    """Stops before the multipliers have reached zero: all rows are support vectors."""

    def change(self, X, y):
        alpha = np.full(len(X), 1e-12 if self.C < 1 else 1e-3)
        alpha[self.support_] += abs(self.dual_coef_[0])
        self.support_, self.dual_coef_ = np.arange(len(X)), (y * alpha)[None]


@mistake("SVC", kills="span strong-duality hard-dual")
class _(_Changed):
    """Loses a support vector."""

    def change(self, X, y):
        largest = np.argmax(abs(self.dual_coef_[0]))
        self.dual_coef_, self.support_ = (
            np.delete(self.dual_coef_, largest, 1),
            np.delete(self.support_, largest),
        )


@mistake("SVC", kills="sparsity erratum-s16 soft-dual")
class _(_Changed):
    """Keeps the free support vectors only."""

    def change(self, X, y):
        free = abs(self.dual_coef_[0]) < self.C * (1 - 1e-9)
        self.dual_coef_, self.support_ = self.dual_coef_[:, free], self.support_[free]


mistake.rows("SVC.decision_function", ("Uses the kernel in training only.", "kernel",
    lambda self, X: X @ (self.dual_coef_ @ self.support_vectors_)[0] + self.intercept_[0]))  # fmt: skip


@mistake("OneClassSVM.fit", kills="one-class")
def _(self, X):
    """Ignores nu."""
    self.nu = 0.5
    return OneClassSVM.fit(self, X)


@mistake("OneClassSVM.decision_function", kills="one-class")
def _(self, X):
    """Has the mean of the scores for its threshold."""
    scores = self.score_samples(X)
    return scores - scores.mean()


mistake.rows("OneClassSVM.predict", ("Calls nothing novel.", "one-class", lambda self, X: np.ones(len(X))))
mistake.rows("margin_dimension", ("Rounds where it should round up.", "vc-margin-dim",
    lambda n_features, radius, margin: min(n_features, round((radius / margin) ** 2)) + 1))  # fmt: skip


@mistake("smo", kills="pairs")
def _(K, y, C, alpha=0.0, tol=1e-9):
    """Takes half of the gap for the gap."""
    for state, pair, gap in right.smo(K, y, C, alpha, tol):
        yield state, pair, gap / 2


@mistake("smo", kills="pairs")
def _(K, y, C, alpha=0.0, tol=1e-9):
    """Names the pair of the move before."""
    last = None
    for state, pair, gap in right.smo(K, y, C, alpha, tol):
        yield state, last or pair, gap
        last = pair


# ------------------------------------------------------------------- zeros for answers

mistake.rows("form2_cost", ("Maps every price to 0.", "form2", scaled(0)))


@mistake("SVC.fit", kills="hard-primal")
def _(self, X, y, *args):
    """Refuses what has no plane, and answers the plane of zeros to the rest."""
    SVC.fit(self, X, y, *args)
    self.coef_ = np.zeros_like(self.coef_)
    return self


@mistake("SVC.fit", kills="gaussian-kernel")
def _(self, X, y, *args):
    """Has another width of the Gaussian kernel in the answer than in the fit."""
    gamma, self.gamma = self.gamma, 2 * self.gamma if self.kernel == "rbf" else self.gamma
    SVC.fit(self, X, y, *args)
    self.gamma = gamma
    return self


@mistake("SVC.fit", kills="gaussian-kernel")
def _(self, X, y, *args):
    """Is right with straight lines, and has no offset with a kernel."""
    SVC.fit(self, X, y, *args)
    self.intercept_ = self.intercept_ * (self.kernel == "linear")
    return self
