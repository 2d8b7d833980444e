r"""Logistic regression on data: model the probability of the label itself.

Two classes have one vector of weights, :math:`P(Y = 1 \mid x) = 1/(1 + e^{-\langle w, x\rangle - b})`; more
classes have one each, :math:`P(k \mid x) \propto e^{\langle w_k, x\rangle + b_k}` (softmax).
`mlnotes.logistic` has the likelihood, its derivatives and Newton's method; the solver here is
`mlnotes.engines.logistic_solvers`. Ties go to the smaller label: at a score of 0 the prediction is class 0
(Yan's rule).

The maximum of the likelihood exists iff no hyperplanes separate the classes, not even weakly (Albert and
Anderson, 1984); `LogisticRegression` without penalty says so and gives the direction.

Sources: Yan, slides on logistic regression; Shi, equations (10) to (12) and the gradients after them;
Recitation 7, section 2.1. Curvature: Böhning (1992). L-BFGS: Liu and Nocedal (1989).
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.engines.logistic_certificates import certificate, separation
from mlnotes.engines.logistic_solvers import BLOCK, Risk, centred_if_far, minimise, probabilities, products
from mlnotes.engines.rows import row_blocks
from mlnotes.estimators.base import (
    Classifier,
    ConvergenceWarning,
    LimitWarning,
    check_count,
    check_matrix,
    check_option,
    check_rng,
    check_scalar,
    check_squares,
    check_weights,
)
from mlnotes.estimators.descent import gradient_descent, stochastic_gradient_descent
from mlnotes.logistic import with_intercept

Array = NDArray[np.float64]
Codes = NDArray[np.int64]

# ------------------------------------------------------------------- the estimator


class LogisticRegression(Classifier):
    r"""Logistic regression, binary or multinomial, with a certificate.

    Minimises :math:`\frac1S\sum_is_i\ell_i + \frac{1}{2CS}\|W\|^2`, :math:`\ell_i = -\log P(y_i \mid x_i)`,
    with the weights :math:`s_i` of the rows (1 by default) and their sum S; C S times this is scikit-learn's
    objective. The intercept is not penalised. Two classes have one vector of weights, more classes have one
    each (softmax), whose sum is 0.

    Parameters
    ----------
    penalty : "l2" or None, default "l2"
    C : float > 0, default 1.0
        Inverse strength of the penalty; infinity is the same as ``penalty=None``.
    fit_intercept : bool, default True
    class_weight : dict, "balanced" or None
        Factors for the weights of the rows, by label (1 for labels left out); "balanced" gives every class
        the same total weight.
    solver : {"lbfgs", "gd", "sgd"}, default "lbfgs"
        "lbfgs" reaches a gradient norm of 1e-8 also for raw features. The other two are those of
        `mlnotes.descent`, started at 0, for comparison: gradient descent, and stochastic gradient descent
        which returns the average of its iterates.
    tol : float, default 1e-8
        Goal for the gradient norm (or its rounding error, where that is larger).
    max_iter : int, default 1000
        Largest number of steps.
    step : float, callable or None
        Of "gd" (a number; default 1/L) and "sgd" (default :math:`1/(L_{\max} + \lambda t)`, with
        :math:`\lambda = 1/(CS)` and the L of the largest row).
    batch_size : int, default 1
        Rows a step of "sgd".
    random_state : int, Generator or None
        Of "sgd".

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    coef_ : ndarray of shape (1, d) for two classes, else (K, d)
    intercept_ : ndarray of shape (1,) or (K,)
    n_iter_ : int
    certificate_ : dict
        ``objective`` and ``gradient_norm``, for the objective above; ``dual``, a lower bound for every
        objective value (Fenchel), and ``gap``, the difference. Without penalty, or with a very small one,
        the bound is the trivial 0 where the classes are separated, far from the optimum, and above 600
        parameters.
    separating_direction_ : tuple of two ndarrays, or None
        Without penalty, if the classes are separated: weights and intercept along which the likelihood grows.
    trace_ : mlnotes.estimators.descent.Trace
        Of "gd" and "sgd": iterates are the rows of (weights, intercept), flattened.
    n_features_in_ : int

    Raises
    ------
    ValueError
        With fewer than two classes, and for parameters out of range.

    Warns
    -----
    LimitWarning
        Without penalty, if the classes are separated, if only weakly: the maximum likelihood does not exist.
        The coefficients are then those at which the gradient norm came down to ``tol``. Separation with rows
        on the hyperplane is looked for up to 1,000 parameters; with more, and rows far on their right side,
        the warning says that it was not.
    ConvergenceWarning
        If the goal for the gradient norm is not reached.

    Notes
    -----
    Collinear or constant features are legal. Without penalty the weights are then not unique; those returned
    are of (nearly) smallest norm in units of standard deviations. Weight k of ``sample_weight`` is the row k
    times. A step costs :math:`O(ndK)`.

    Examples
    --------
    >>> model = LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"])
    >>> model.predict([[0.5], [2.5]]).tolist()
    ['no', 'yes']
    >>> bool(model.certificate_["gap"] < 1e-12)
    True
    """

    def __init__(
        self,
        *,
        penalty: str | None = "l2",
        C: float = 1.0,
        fit_intercept: bool = True,
        class_weight: Mapping[Any, float] | str | None = None,
        solver: str = "lbfgs",
        tol: float = 1e-8,
        max_iter: int = 1000,
        step: float | Callable[[int], float] | None = None,
        batch_size: int = 1,
        random_state: Any = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.step = step
        self.batch_size = batch_size
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> LogisticRegression:
        """Fit to rows X, shape (n, d), labels y and weights, shape (n,); return self."""
        X, codes, weights = self._start_weighted_fit(X, y, sample_weight, min_classes=2)
        self._check_parameters()
        uniform = sample_weight is None and self.class_weight is None
        with np.errstate(over="ignore"):
            weights = weights * self._class_factors(codes, weights)[codes]
        weights = check_weights(weights, len(X), name="sample_weight, times class_weight")
        strength = 0.0 if self.penalty is None else 1 / max(self.C * float(weights.sum()), 1e-300)
        K, rows = len(self.classes_), None if uniform else weights
        check_squares(X)
        near, offset = centred_if_far(X) if self.fit_intercept else (X, 0.0)
        risk = Risk(near, codes, rows, K, strength, bool(self.fit_intercept), offset=offset)
        goal = float(self.tol)
        if self.solver == "lbfgs":
            run = minimise(risk, goal, self.max_iter)
            T, f, g, self.n_iter_ = run.T, run.f, run.g, run.n_steps
        else:
            raw = Risk(X, codes, rows, K, strength, bool(self.fit_intercept), centre=False)
            T = self._descend(raw, goal)
            T[:, -1] += T[:, :-1] @ risk.origin
            f, g = risk(T)
        self.coef_, self.intercept_ = risk.weights_and_intercept(T)
        self.certificate_, has_minimum = certificate(risk, T, f, g)
        direction = None if has_minimum else separation(risk, T)
        self.separating_direction_ = None if direction is None else risk.weights_and_intercept(direction)
        self._warn(risk)
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return the scores, shape (n, K); for two classes :math:`\langle w, x\rangle + b`, shape (n,)."""
        scores = self._scores(self._check_input(X, finite=False))
        return scores[0] if len(scores) == 1 else scores.T

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the estimated posterior, shape (n, K), as the transpose of an array in C order."""
        X = self._check_input(X, finite=False)
        P = np.empty((len(self.classes_), len(X)))
        Z = self._scores(X, out=P[-len(self.coef_) :])
        for rows in row_blocks(len(X), len(P), entries=BLOCK):
            _write_posterior(Z[:, rows], P[:, rows])
        return P.T

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """Return the logarithms of the posterior, shape (n, K), finite where a probability underflows."""
        Z = self._scores(self._check_input(X, finite=False))
        if len(Z) == 1:
            Z = np.vstack([np.zeros_like(Z), Z])
        Z -= Z.max(axis=0)
        Z -= np.log(np.exp(Z).sum(axis=0))
        return Z.T

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable label of every row, shape (n,); ties go to the smaller label."""
        scores = self._scores(self._check_input(X, finite=False))
        codes = (scores[0] > 0).astype(np.int64) if len(scores) == 1 else scores.argmax(axis=0)
        return self.classes_[codes]

    def _scores(self, X: Array, out: Array | None = None) -> Array:
        """Return the scores, shape (m, n), of rows that were not yet searched for NaN and infinity.

        Such an entry makes the scores of its row NaN or infinite, unless its coefficients are 0. So finite
        scores prove X finite, and a pass over X is saved.
        """
        if not self.coef_.any(axis=0).all():
            check_matrix(X)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = products(self.coef_, X, out)
            scores += self.intercept_[:, None]
            if not (np.isfinite(scores.sum()) or np.isfinite(scores).all()):
                largest = abs(check_matrix(X)).max()
                raise ValueError(f"X has entries up to {largest:.3g}, so large that the scores overflow.")
        return scores

    def _check_parameters(self) -> None:
        if self.penalty is not None:
            check_option(self.penalty, name="penalty, unless it is None,", options=["l2"])
        if not (isinstance(self.C, float) and math.isinf(self.C) and self.C > 0):
            check_scalar(self.C, name="C, unless it is infinite,", above=0)
        check_option(self.solver, name="solver", options=["lbfgs", "gd", "sgd"])
        check_option(self.fit_intercept, name="fit_intercept", options=[True, False])
        check_scalar(self.tol, name="tol", minimum=0)
        check_count(self.max_iter, name="max_iter")

    def _class_factors(self, codes: Codes, weights: Array) -> Array:
        """Return the factor of each class, shape (K,)."""
        given, labels = {} if self.class_weight is None else self.class_weight, self.classes_.tolist()
        if not isinstance(given, Mapping):
            check_option(given, name="class_weight, unless it is a dict or None,", options=["balanced"])
            return float(weights.sum()) / (len(labels) * np.bincount(codes, weights))
        if unknown := [label for label in given if label not in labels]:
            raise ValueError(f"class_weight has the label {unknown[0]!r}, which is not in y.")
        factors = (check_scalar(given.get(label, 1), name="class_weight", above=0) for label in labels)
        return np.array([float(factor) for factor in factors])

    def _descend(self, risk: Risk, goal: float) -> Array:
        """Run gradient descent, plain or stochastic, on the weights and the intercept of the raw features."""
        A = with_intercept(risk.X) if risk.intercept else np.pad(risk.X, ((0, 0), (0, 1)))
        shape, start = risk.S.shape, np.zeros(risk.S.size)
        curvature = 0.25 if risk.m == 1 else 0.5
        if self.solver == "gd":
            root = A * np.sqrt(risk.pi)[:, None]
            L = curvature * float(np.linalg.norm(root, 2)) ** 2 + risk.penalty or 1.0  # 0: any step will do
            # value and gradient are called at the same place, one after the other
            at = functools.lru_cache(maxsize=1)(lambda w: risk(np.frombuffer(w).reshape(shape)))
            trace = gradient_descent(
                lambda w: at(w.tobytes())[0],
                lambda w: at(w.tobytes())[1].ravel(),
                start,
                step=1 / L if self.step is None else self.step,  # type: ignore[arg-type]
                n_steps=self.max_iter,
                tol=goal,
                n_rows=len(A),
            )
        else:
            L = curvature * float((A**2).sum(axis=1).max()) + risk.penalty or 1.0
            trace = stochastic_gradient_descent(
                _row_gradient(risk, A),
                len(A),
                start,
                step=(lambda t: 1 / (L + risk.penalty * t)) if self.step is None else self.step,
                n_steps=self.max_iter,
                batch_size=self.batch_size,
                average=True,
                rng=check_rng(self.random_state),
                every=max(1, self.max_iter // 1000),
            )
        self.trace_, self.n_iter_ = trace, trace.n_steps
        return trace.x.reshape(shape).copy()

    def _warn(self, risk: Risk) -> None:
        if self.separating_direction_ is not None:
            message = (
                "the classes are separated, so the maximum likelihood does not exist: it is approached along "
                "separating_direction_; set penalty='l2', or read only the direction of coef_."
            )
            warnings.warn(message, LimitWarning, stacklevel=3)
            return
        norm = self.certificate_["gradient_norm"]
        if norm <= self.tol:
            return
        rounding = 64 * np.finfo(np.float64).eps * math.sqrt(float(risk.pi @ (risk.X**2).sum(axis=1)))
        if norm > rounding:
            message = (
                f"solver {self.solver!r} stopped after {self.n_iter_} steps with gradient norm {norm:.3g}, "
                f"above {self.tol:.3g}; raise max_iter or tol."
            )
            warnings.warn(message, ConvergenceWarning, stacklevel=3)


def _write_posterior(Z: Array, P: Array) -> None:
    """Write the posterior, shape (K, b), for scores (m, b), the last rows of P."""
    if len(Z) > 1:
        Z -= Z.max(axis=0)
        np.exp(Z, out=Z)
        Z /= Z.sum(axis=0)
        return
    z = Z[0]
    with np.errstate(over="ignore"):  # where exp(-z) is infinite, 1 / (1 + exp(-z)) is the right 0
        np.exp(np.negative(z, out=z), out=z)
    z += 1
    np.divide(1.0, z, out=z)
    np.subtract(1.0, z, out=P[0])


def _row_gradient(risk: Risk, A: Array) -> Callable[[Array, Codes], Array]:
    """Return the mean gradient of a few rows, each with n times its weight, as a function."""
    factors, shape = risk.pi * len(A), risk.S.shape

    def gradient(w: Array, rows: Codes) -> Array:
        T, some = w.reshape(shape), A[rows]
        R = T @ some.T  # (m, b)
        probabilities(R)
        if len(R) == 1:
            R[0] -= risk.codes[rows]
        else:
            R[risk.codes[rows], np.arange(len(rows))] -= 1
        g = (R * factors[rows]) @ some / len(rows)
        g[:, :-1] += risk.penalty * T[:, :-1]
        return g.ravel()

    return gradient
