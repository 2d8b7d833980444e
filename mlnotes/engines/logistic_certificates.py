r"""How good a fitted logistic regression is, and whether the maximum likelihood exists at all.

`certificate` gives the gradient norm and a Fenchel dual gap, `separation` the direction along which the
likelihood of separated classes only grows (Albert and Anderson, 1984, Biometrika 71). Both know the data
through a `Risk` only, and its notation is used here.
"""

from __future__ import annotations

import math
import warnings

import numpy as np
from numpy.typing import NDArray

from mlnotes.checks import LimitWarning
from mlnotes.engines.logistic_solvers import MAX_HESSIAN, Risk, probabilities, regular_inverse

Array = NDArray[np.float64]

MOST = 1000  # parameters up to which flat directions are computed: eigenvectors of a matrix of that size


def certificate(risk: Risk, T: Array, f: float, g: Array) -> tuple[dict[str, float], bool]:
    r"""Return objective, gradient norm, a lower bound of every objective value, and the gap between the two.

    The second value is whether the objective is proved to have a minimum: with a penalty it always has, and
    without one if the gap of `_newton_gap` is finite.

    The Fenchel dual with a penalty: for row weights :math:`\pi_i` and penalty :math:`\frac\lambda2\|W\|^2`,

    .. math:: D(q) = \sum_i\pi_iH(q_i) - \frac{1}{2\lambda}\Bigl\|\sum_i\pi_i(e_{y_i} - q_i)x_i^\top\Bigr\|^2,
              \qquad \sum_i\pi_i(e_{y_i} - q_i) = 0,

    H the entropy and the constraint that of the free intercept, bounds every objective from below. The
    probabilities p are feasible up to the gradient e in the intercept; :math:`q_i = (1 - \theta)p_i + \theta
    u` with one u for all is feasible, and :math:`H(q_i) \ge (1 - \theta)H(p_i) + \theta H(u)`. Where this gap
    is not small, or there is no penalty, see `_newton_gap`; and q = the labels is feasible, with value 0.
    """
    gap = _penalised_gap(risk, T, f, g) if risk.penalty else math.inf
    if gap > 1e-6:
        gap = min(gap, _newton_gap(risk, T, g))
    has_minimum = risk.penalty > 0 or gap < math.inf
    gap = max(0.0, min(gap, f))
    return {"objective": f, "gradient_norm": risk.norm(g), "dual": f - gap, "gap": gap}, has_minimum


def _penalised_gap(risk: Risk, T: Array, f: float, g: Array) -> float:
    W, lam = T[:, :-1], risk.penalty
    V = lam * W - g[:, :-1]  # sum of pi_i (e_y - p_i) x_i'
    theta, u = _mixture(risk, g[:, -1])
    target = risk.S[:, :-1]  # what V is for q = u: the features are centred
    log_partition = f + float(np.vdot(T, risk.S)) - 0.5 * lam * float(np.vdot(W, W))
    entropy = log_partition - float(np.vdot(T, g + risk.S)) + lam * float(np.vdot(W, W))
    V_q = V + theta * (target - V)
    gap = float(((V_q - lam * W) ** 2).sum()) / (2 * lam) + theta * float(np.vdot(target - V, W))
    return gap + float(g[:, -1] @ T[:, -1]) + theta * (entropy - u)


def _mixture(risk: Risk, e: Array) -> tuple[float, float]:
    """Return the smallest theta for which u is a probability vector, and the entropy of u."""
    if risk.m == 1:
        e = np.array([-e[0], e[0]])
    ratio = float((e / risk.class_proportions).max())
    if not risk.intercept or ratio <= 0:
        return 0.0, 0.0
    u = np.maximum(risk.class_proportions - e / ratio, 0.0)
    return ratio / (1 + ratio), -float((u * np.log(np.where(u > 0, u, 1.0))).sum())


def _newton_gap(risk: Risk, T: Array, g: Array) -> float:
    r"""Return a gap that no small penalty spoils, about half the squared Newton decrement, or infinity.

    At probabilities with :math:`\sum_i\pi_i(e_{y_i} - q_i)x_i^\top = \lambda W`, a feature 1 included, the
    gap is :math:`\sum_i\pi_i\operatorname{KL}(q_i \| p_i)`. Those of the model are off by the gradient g.
    With a Newton step S, that is :math:`HS = g` for the Hessian of the loss alone, and scores
    :math:`s_i = Sx_i`, of mean :math:`\bar s_i` under :math:`p_i`, it is met by :math:`q_{ik} = p_{ik}(1 -
    u_{ik})`, :math:`u_{ik} = s_{ik} - \bar s_i`. If all u are below 1, q is feasible and positive, and the
    objective has a minimum. Along separated classes the largest u is 1 up to floating-point error; so we
    require 1/2.

    Over the classes the left side sums to 0, and so must the weights W where each class has its own: where
    they do not, no S solves :math:`HS = g`, and the gap is infinite.

    Infinity where a u is 1/2 or more, where H is too flat for S to leave no more than the rounding error of
    g, and above 600 parameters. The bound holds up to that rounding error times the distance: coefficients of
    1e5 along collinear features fit the rounding errors of the features, and may have a lower value.
    """
    if risk.n_parameters > MAX_HESSIAN:
        return math.inf
    H = risk.hessian(T)
    H[np.diag_indices(g.size)] -= np.tile(risk.ridge(), risk.m)
    inverse = regular_inverse(H)
    S: Array = np.zeros(g.size)
    missed: Array = g.ravel()
    for _ in range(5):  # refinement: the inverse is rounded where H is nearly flat
        S += inverse @ missed
        missed = g.ravel() - H @ S
    if not (abs(missed.reshape(g.shape)) <= 4 * np.finfo(np.float64).eps * risk.sizes()).all():
        return math.inf
    gap, S = 0.0, S.reshape(g.shape)
    for rows in risk.blocks():
        P, U = risk.scores(T, rows), risk.scores(S, rows)
        probabilities(P)
        if risk.m == 1:
            P, U = np.vstack([1 - P, P]), np.vstack([np.zeros_like(U), U])
        U -= (P * U).sum(axis=0)
        if not U.max() < 0.5:
            return math.inf
        divergence = (P * ((1 - U) * np.log1p(-U) + U)).sum(axis=0)  # the sum of P U is 0
        gap += float(divergence @ risk.pi[rows])
    return gap


def separation(risk: Risk, T: Array) -> Array | None:
    """Return a direction along which no row's likelihood falls and some row's rises, if one is found.

    T itself if it puts every row on its right side. Else the part of T in the directions of almost no
    curvature (relative to the spread of the features): where classes are separated but for rows on the
    hyperplane, the iterates leave along it. It counts if no margin is negative beyond 1e-3 of the largest.

    Warns
    -----
    LimitWarning
        If rows are far on their right side, but there are too many parameters to look for that part.
    """
    least, most = risk.margins(T)
    if least > 0:
        return T
    if most < 10:  # a probability of 1 - 5e-5
        return None
    if risk.n_parameters > MOST:
        message = (
            f"separation with rows on the hyperplane is looked for up to {MOST} parameters, here are "
            f"{risk.n_parameters}: the maximum likelihood may not exist; penalty='l2' has a minimum always."
        )
        warnings.warn(message, LimitWarning, stacklevel=3)
        return None
    spread = risk.hessian(np.zeros_like(T))
    scale = np.sqrt(np.where(np.diag(spread) > 0, np.diag(spread), 1.0))
    values, B = np.linalg.eigh(spread / scale / scale[:, None])
    seen = values > 1e-10 * values[-1]
    A, root = B[:, seen] / scale[:, None], np.sqrt(values[seen])  # A diag(1/root) makes the spread I
    curvatures, U = np.linalg.eigh(A.T @ risk.hessian(T) @ A / root / root[:, None])
    flat = U[:, curvatures < 1e-6]
    along = flat @ (flat.T @ (root * (B[:, seen].T @ (scale * T.ravel()))))
    direction = (A @ (along / root)).reshape(T.shape)
    least, most = risk.margins(direction)
    return direction if most > 0 and least >= -1e-3 * most else None
