r"""How good a fitted logistic regression is, and whether the maximum likelihood exists at all.

`certificate` gives the gradient norm and a Fenchel dual gap, `separation` the direction along which the
likelihood of separated classes only grows (Albert and Anderson, 1984, Biometrika 71).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mlnotes.logistic_solvers import FULL, Risk

Array = NDArray[np.float64]


def certificate(risk: Risk, T: Array, f: float, g: Array) -> dict[str, float]:
    r"""Return objective and gradient norm and, with a penalty, the dual value and the gap.

    The Fenchel dual: for row weights :math:`\pi_i` and penalty :math:`\frac\lambda2\|W\|^2`,

    .. math:: D(q) = \sum_i\pi_iH(q_i) - \frac{1}{2\lambda}\Bigl\|\sum_i\pi_i(e_{y_i} - q_i)x_i^\top\Bigr\|^2,
              \qquad \sum_i\pi_i(e_{y_i} - q_i) = 0,

    H the entropy and the constraint that of the free bias, bounds every objective from below. The
    probabilities p are feasible up to the gradient e in the bias; :math:`q_i = (1 - \theta)p_i + \theta u`
    with one u for all rows is feasible, and :math:`H(q_i) \ge (1 - \theta)H(p_i) + \theta H(u)`.
    """
    found = {"objective": f, "gradient_norm": risk.norm(g)}
    if not risk.penalty:
        return found
    W, lam = T[:, :-1], risk.penalty
    V = lam * W - g[:, :-1]  # sum of pi_i (e_y - p_i) x_i'
    theta, u = _mixture(risk, g[:, -1])
    target = risk.S[:, :-1]  # what V is for q = u: the features are centred
    log_partition = f + float(np.vdot(T, risk.S)) - 0.5 * lam * float(np.vdot(W, W))
    entropy = log_partition - float(np.vdot(T, g + risk.S)) + lam * float(np.vdot(W, W))
    V_q = V + theta * (target - V)
    gap = float(((V_q - lam * W) ** 2).sum()) / (2 * lam) + theta * float(np.vdot(target - V, W))
    gap += float(g[:, -1] @ T[:, -1]) + theta * (entropy - u)
    gap = max(0.0, gap)
    return found | {"dual": f - gap, "gap": gap}


def _mixture(risk: Risk, e: Array) -> tuple[float, float]:
    """Return the smallest share theta for which u is a probability vector, and the entropy of u."""
    if risk.m == 1:
        e = np.array([-e[0], e[0]])
    ratio = float((e / risk.class_shares).max())
    if not risk.intercept or ratio <= 0:
        return 0.0, 0.0
    u = np.maximum(risk.class_shares - e / ratio, 0.0)
    return ratio / (1 + ratio), -float((u * np.log(np.where(u > 0, u, 1.0))).sum())


def separation(risk: Risk, T: Array) -> Array | None:
    """Return a direction along which no row's likelihood falls and some row's rises, if one is found.

    T itself if it puts every row on its right side. Else the part of T in the directions of almost no
    curvature (relative to the spread of the features): where classes are separated but for rows on the
    hyperplane, the iterates leave along it. It counts if no margin is negative beyond 1e-3 of the largest.
    """
    margins = risk.margins(T)
    if margins.min() > 0:
        return T
    if margins.max() < 10 or risk.n_parameters > FULL:  # a margin of 10 is a probability of 1 - 5e-5
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
    margins = risk.margins(direction)
    return direction if margins.max() > 0 and margins.min() >= -1e-3 * margins.max() else None
