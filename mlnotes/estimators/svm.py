r"""Support vector machines: the maximum-margin classifier, with errors allowed, in any feature space.

The classifier predicts with the sign of :math:`f(x) = \langle w, x\rangle + b` and minimises

.. math:: \tfrac12\lVert w\rVert^2 + C\sum_{i=1}^n\xi_i \quad\text{subject to}\quad
          y_i f(x_i) \ge 1 - \xi_i,\ \xi_i \ge 0,

its dual maximises :math:`\sum_i\alpha_i - \frac12\sum_{ij}\alpha_i\alpha_jy_iy_j\langle x_i, x_j\rangle`
subject to :math:`\sum_i\alpha_iy_i = 0` and :math:`0 \le \alpha_i \le C`; :math:`C = \infty` is the hard
margin. Each feasible point of one problem bounds the other, so a fit proves how good it is: `certificate_`.
Labels are :math:`y_i = \pm1`, :math:`\kappa` is a kernel and K its Gram matrix, shape (n, n).

Sources: Yan, support vector machines; Shi, lecture 2; Vapnik, *Statistical Learning Theory* (1998), chapter
10; Schölkopf and Smola, *Learning with Kernels* (2002), chapters 7 and 8. The solvers are in
`mlnotes.engines.svm_linear` and `mlnotes.engines.svm_kernel`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.engines import svm_kernel
from mlnotes.engines.progress import Tell, counted, progress
from mlnotes.engines.svm_kernel import GOAL, GramRows, solve_kernel
from mlnotes.engines.svm_linear import Solution, signed_box, solve_linear
from mlnotes.estimators.base import Classifier, check_option, check_scalar
from mlnotes.estimators.svm_machine import GAP, KernelMachine
from mlnotes.estimators.svm_one_class import EDGE, OneClassSVM
from mlnotes.svm import dual_objective, hinge_loss, primal_objective

__all__ = ["EDGE", "GAP", "SVC", "TOUCH", "NotSeparableError", "OneClassSVM"]

Array = NDArray[np.float64]

TOUCH = 1e-7  # hulls closer than this fraction of the radius of the data count as touching
LARGE_CS = 10.0 ** np.arange(1, 16, 2)  # over the square of that radius, on the way to a hard margin;
# the last is above 2 / TOUCH**2, which no multiplier of hulls that are farther apart exceeds
TINY = 1e-300  # in place of a zero below a fraction line
EXPLICIT = 3000  # examples up to which a kernel whose gap stays open is tried in coordinates


class NotSeparableError(ValueError):
    """A hard margin does not exist: the convex hulls of the two classes meet.

    Attributes
    ----------
    weights : ndarray of shape (n,)
        The certificate: non-negative, sum 1 in each class, and both classes have the same weighted mean. Of
        more than two classes, the weights are those of the examples of one, then of the other.
    distance : float
        Between the two weighted means: 0 up to floating-point error.
    """

    def __init__(self, message: str, weights: Array, distance: float) -> None:
        super().__init__(message, weights, distance)  # all of them, to come back from another process
        self.weights, self.distance = weights, distance

    def __str__(self) -> str:
        return str(self.args[0])


class SVC(Classifier, KernelMachine):
    r"""The support vector machine: the sign of :math:`\sum_i\alpha_iy_i\kappa(x_i, x) + b`, certified.

    Parameters
    ----------
    C : float, default 1.0
        Penalty of slack, > 0; infinity is the hard margin.
    kernel : "linear", "rbf", "poly" or callable, default "rbf"
        :math:`\langle x, z\rangle`; :math:`e^{-\gamma\lVert x - z\rVert^2}`;
        :math:`(\gamma\langle x, z\rangle + c_0)^p`; or a function of arrays (n, d) and (m, d) that returns
        (n, m), symmetric and positive semi-definite.
    degree : int, default 3
        p of "poly".
    gamma : "scale", "auto" or float, default "scale"
        "scale": 1 / (d times the variance of all entries); "auto": 1 / d.
    coef0 : float, default 0.0
        :math:`c_0 \ge 0` of "poly".
    multi_class : "ovo" or "ovr", default "ovo"
        More than two classes: a machine for each pair, which votes, or one for each class against the rest.
    tol : float, default 1e-12
        Relative duality gap, in (0, 1), at which the solver stops; 1e-3 gives a faster, rougher fit with
        many examples. The linear kernel and the hard margin go on as far as rounding allows.
    verbose : bool or callable, default False
        Whether a fit of more than a second reports its progress; see `mlnotes.engines.progress`.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    support_ : ndarray of shape (n_support,)
        Examples with a positive multiplier in some machine, ascending (of those with positive weight).
    support_vectors_ : ndarray of shape (n_support, d)
    dual_coef_ : ndarray of shape (M, n_support)
        :math:`y_i\alpha_i`, one row a machine; M is 1 for two classes, K(K-1)/2 or K for more.
    intercept_ : ndarray of shape (M,)
    coef_ : ndarray of shape (M, d)
        Only for the linear kernel; the margin is :math:`1/\lVert w\rVert`.
    gamma_ : float
    certificate_ : dict
        Of the machine with the largest gap. ``primal``, ``dual``, ``gap`` (primal minus dual over primal),
        the five residuals of `mlnotes.svm.kkt_residuals` in their own units (``equality`` over
        :math:`\sum\alpha`, ``complementarity`` over the primal value, ``stationarity`` over
        :math:`\sum\alpha\,\max\lVert x_i\rVert`), the numbers of support vectors ``margin``
        (:math:`0 < \alpha < C`) and ``bound`` (:math:`\alpha = C`), and ``steps`` of the solver.
    certificates_ : list of dict
        One for each machine.
    n_features_in_ : int

    Raises
    ------
    NotSeparableError
        For C = infinity, if the convex hulls of two classes meet, up to 1e-7 of the radius of the data; it
        carries the weights that prove it.
    ValueError
        With one class only, for parameters out of range, for a callable that is no kernel.

    Warns
    -----
    ConvergenceWarning
        If the relative gap is above 1e-8 and ``tol``: the machine is not proved optimal to that accuracy.

    Notes ----- w is unique, b need not be: without an example on the margin with :math:`0 < \alpha_i < C` an
    interval of b is optimal, and the middle is taken. ``sample_weight`` counts copies: the bound of example i
    is C times its weight. A score of exactly 0 goes to the second class.

    The linear SVM is found by an interior point in :math:`O(nd^2)` a step, others by SMO and active
    sets, in :math:`O(n)` kernel values for each example that ever has a multiplier; at most :math:`2^{27}` of
    them are kept.

    Examples
    --------
    >>> X, y = [[0, 0], [1, 0], [3, 4], [4, 4]], ["a", "a", "b", "b"]
    >>> model = SVC(C=float("inf"), kernel="linear").fit(X, y)
    >>> model.coef_.round(12).tolist(), model.intercept_.round(12).tolist()
    ([[0.2, 0.4]], [-1.2])
    """

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: str | Callable[..., Any] = "rbf",
        degree: int = 3,
        gamma: str | float = "scale",
        coef0: float = 0.0,
        multi_class: str = "ovo",
        tol: float = GOAL,
        verbose: bool | Tell = False,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.multi_class = multi_class
        self.tol = tol
        self.verbose = verbose

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> SVC:
        """Fit to examples X, shape (n, d), labels y and weights, shape (n,); return self."""
        X, codes, weights = self._start_weighted_fit(X, y, sample_weight, min_classes=2)
        if not (isinstance(self.C, float) and np.isposinf(self.C)):
            check_scalar(self.C, name="C, unless it is infinity,", above=0)
        check_option(self.multi_class, name="multi_class", options=("ovo", "ovr"))
        check_scalar(self.tol, name="tol", above=0, below=1)
        self._set_kernel(X, weights)
        order, counts = np.arange(len(X)), np.bincount(codes)
        if len(counts) > 2 and self.multi_class == "ovo":
            order = np.argsort(codes, kind="stable")  # each class is a slice
        Z = (X - self._center)[order]
        few = self.kernel != "linear" and len(X) < svm_kernel.MANY_ROWS
        shared = self._whole_gram(Z) if few else None
        problems = list(self._problems(codes[order], np.append(0, np.cumsum(counts))))
        duals, machines = np.zeros((len(problems), len(X))), []
        with progress("SVC", self.verbose) as tell:
            for beta, (parts, signs) in zip(duals, counted(problems, "machines", tell), strict=True):
                rows = np.concatenate([order[part] for part in parts])
                part = np.concatenate([Z[part] for part in parts])
                K = None if shared is None else shared.between(*parts)
                machines.append(self._fit_machine(part, K, signs, weights[rows], tell))
                beta[rows] = machines[-1][0].beta
        self.support_ = np.flatnonzero(duals.any(axis=0))
        self.support_vectors_, self.dual_coef_ = X[self.support_], duals[:, self.support_]
        self.intercept_ = np.array([machine.intercept for machine, _ in machines])
        if self.kernel == "linear":
            self.coef_ = np.array([machine.weights for machine, _ in machines])
        self.certificates_ = [certificate for _, certificate in machines]
        self.certificate_ = max(self.certificates_, key=lambda c: c["gap"])
        return self._warn_above(
            max(GAP, self.tol), "scale the features, or choose a smaller C or a larger gamma."
        )

    def decision_function(self, X: ArrayLike) -> Array:
        """Return the scores, shape (n,) for two classes, else (n, K).

        With more classes, each machine's score for "ovr"; for "ovo" the number of votes plus a fraction below
        1/2 that grows with the sum of the scores and breaks ties.
        """
        scores = self._machine_scores(self._check_input(X))
        if len(self.classes_) == 2:
            return scores[:, 0]
        return scores if self.multi_class == "ovr" else self._votes(scores)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the predicted classes, shape (n,)."""
        scores = self.decision_function(X)
        codes = (scores >= 0).astype(np.int64) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[codes]

    def _machine_scores(self, X: Array) -> Array:
        if self.kernel == "linear":
            return X @ self.coef_.T + self.intercept_
        return self._kernel_scores(X, self.dual_coef_) + self.intercept_

    def _votes(self, scores: Array) -> Array:
        K = len(self.classes_)
        votes, sums = np.zeros((len(scores), K)), np.zeros((len(scores), K))
        for score, (j, k) in zip(scores.T, itertools.combinations(range(K), 2), strict=True):
            votes[:, k] += score >= 0
            votes[:, j] += score < 0
            sums[:, k] += score
            sums[:, j] -= score
        return votes + sums / (3 * (abs(sums) + 1))

    def _problems(
        self, codes: NDArray[np.int64], ends: NDArray[np.intp]
    ) -> Iterator[tuple[tuple[slice, ...], Array]]:
        """Yield the slices and the signs of each two-class problem; the second class of a pair is 1."""
        K = len(self.classes_)
        if K == 2 or self.multi_class == "ovr":
            for k in range(1 if K == 2 else 0, K):
                yield (slice(None),), np.where(codes == k, 1.0, -1.0)
        else:
            own = [slice(*pair) for pair in itertools.pairwise(ends)]
            for j, k in itertools.combinations(range(K), 2):
                signs = np.repeat([-1.0, 1.0], [ends[j + 1] - ends[j], ends[k + 1] - ends[k]])
                yield (own[j], own[k]), signs

    def _fit_machine(
        self, X: Array, rows: GramRows | None, y: Array, weights: Array, tell: Tell | None
    ) -> tuple[Solution, dict[str, float]]:
        """Return one two-class machine and its certificate."""
        if self.kernel != "linear" and rows is None:
            rows = self._gram_rows(X, self.C * float(weights.sum()))
        if math.isinf(self.C):
            return self._fit_hard(X, y, rows, tell)
        return self._solve(X, y, self.C * weights, rows, tell, self.tol)

    @np.errstate(over="ignore", invalid="ignore", divide="ignore")  # at such penalties the gap shows it
    def _solve(
        self, X: Array, y: Array, C: Array, rows: GramRows | None, tell: Tell | None, goal: float = GOAL
    ) -> tuple[Solution, dict[str, float]]:
        """Solve one problem; a kernel whose gap stays open gets a second try in explicit coordinates."""
        if rows is None:
            solution = solve_linear(X, y, C)
        else:
            solution = solve_kernel(rows, y, *signed_box(y, C), np.zeros(len(y)), tell, goal)
        certificate = _certificate(X, y, C, solution)
        if rows is None or certificate["gap"] <= max(GAP, goal) or len(X) > EXPLICIT:
            return solution, certificate
        K = rows.block(every := np.arange(len(X)), every)
        values, vectors = np.linalg.eigh(0.5 * (K + K.T))
        if values[0] < -1e-10 * values[-1] * len(K):
            raise ValueError(
                "the kernel is not positive semi-definite: its Gram matrix has the eigenvalue "
                f"{values[0]:.3g}."
            )
        long = values > 1e-16 * len(K) * values[-1]
        other = solve_linear(vectors[:, long] * np.sqrt(values[long]), y, C)
        other = Solution(other.beta, K @ other.beta, other.intercept, solution.steps + other.steps)
        again = _certificate(X, y, C, other)
        return (other, again) if again["gap"] < certificate["gap"] else (solution, certificate)

    def _fit_hard(
        self, X: Array, y: Array, rows: GramRows | None, tell: Tell | None
    ) -> tuple[Solution, dict[str, float]]:
        """Raise C until no multiplier reaches it: then this is the hard margin (companion 9, section 5)."""
        if rows is None:
            spread = float(((X - X.mean(axis=0)) ** 2).sum(axis=1).mean())
        else:
            spread = float(rows.diagonal.mean())
        spread = max(spread, 1e-300) if spread else 1.0  # with equal examples any C will do
        for C in LARGE_CS / spread:
            solution, _ = self._solve(X, y, np.full(len(y), C), rows, tell)
            alpha = y * solution.beta
            if alpha.max() < 0.999 * C:  # Proposition 5.3
                return solution, _certificate(X, y, np.full(len(y), math.inf), solution)
            distance = 2 * math.sqrt(max(float(solution.beta @ solution.scores), 0.0)) / alpha.sum()
            if distance <= TOUCH * math.sqrt(spread):
                break
        raise NotSeparableError(
            "C=inf needs classes that a hyperplane separates; here a weighted mean of one class is at a "
            f"distance of {distance:.1e} from one of the other (see the weights). Use a finite C.",
            2 * alpha / alpha.sum(),
            distance,
        )


def _certificate(X: Array, y: Array, C: Array, solution: Solution) -> dict[str, float]:
    """Return how far (w, b) and the multipliers are from optimal; C is infinite for the hard margin."""
    beta, b, w = solution.beta, solution.intercept, solution.weights
    alpha = y * beta
    margins = y * (solution.scores + b)
    imbalance = abs(float(beta.sum()))
    hard = bool(np.isinf(C).all())
    slack = np.zeros(len(y)) if hard else hinge_loss(margins)
    square = dual_square = float(beta @ solution.scores)
    stationarity = 0.0  # with a kernel, scores and |w|^2 are made of the multipliers
    if w is not None:
        v = beta @ X
        square, dual_square = float(w @ w), float(v @ v)
        longest = float(np.linalg.norm(X, axis=1).max())
        stationarity = float(abs(w - v).max()) / max(alpha.sum() * longest, TINY)
    primal = float(primal_objective(square, margins, math.inf) if hard else 0.5 * square + C @ slack)
    dual = float(dual_objective(dual_square, alpha)) - abs(b) * imbalance
    room = np.zeros(len(y)) if hard else (C - alpha) * slack
    return {
        "primal": primal,
        "dual": dual,
        "gap": (primal - dual) / max(primal, TINY),
        "stationarity": stationarity,
        "primal_feasibility": max(0.0, float((1 - slack - margins).max())),
        "equality": imbalance / max(alpha.sum(), TINY),
        "dual_feasibility": max(0.0, float(-alpha.min()), float((alpha - C).max())),
        "complementarity": float(max(abs(alpha * (1 - slack - margins)).max(), room.max()))
        / max(primal, TINY),
        "margin": int(((alpha > 0) & (alpha < C)).sum()),
        "bound": int((alpha == C).sum()),
        "steps": solution.steps,
    }
