r"""The perceptron: weights that change only at a mistake, and how many mistakes there can be.

Two classes, labels :math:`y_i = \pm 1`, rows :math:`x_i` with a 1 appended where there is an intercept
("merged"), signed rows :math:`z_i = y_i x_i`. A weight vector makes a mistake on row i if
:math:`\langle w, z_i\rangle \le 0`: with *at most* zero, so that the start :math:`w = 0` is wrong everywhere.
The update is :math:`w \leftarrow w + \eta z_i` for some mistake i, until there is none.

If a unit vector u has the margin :math:`\delta = \min_i\langle u, z_i\rangle > 0` and
:math:`R = \max_i\|z_i\|`, then from :math:`w = 0` there are at most :math:`R^2/\delta^2` updates, whichever
mistake is picked each time. If no vector separates the data, some convex combination of the :math:`z_i` is
zero, and the updates never end.

====================  ============  ================================================================
symbol                shape         name in the code
====================  ============  ================================================================
:math:`z_i`           ``(n, D)``    `signed_rows`; D = d + 1 with an intercept, the 1 comes last
:math:`w`             ``(D,)``      ``coef_`` and ``intercept_`` together
:math:`R, \delta`     numbers       ``radius`` and ``margin``
:math:`t`             int           number of updates; ``mistakes_`` lists the rows
====================  ============  ================================================================

A score of exactly zero is answered with the second class (the +1 of chapter 10); with more classes the
largest class among the best scores.

Sources: Yan, slides "Linearly separable data" to "Theorem 2.3"; Wainwright, section 2.3.4 and Theorem 2.3
(Novikoff 1962); Shi, "Perceptron Algorithm", equation (1); chapter 10, section 10.1.6. Averaged and voted
vectors and the bound with slack: Freund and Schapire (1999). Wolfe (1976) for the point of least norm.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.base import (
    Classifier,
    ConvergenceWarning,
    check_matrix,
    check_option,
    check_rng,
    check_scalar,
    check_vector,
)

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

PICKS = ("cyclic", "first", "random", "worst", "batch")
_BLOCK = 2**15  # entries of a block of rows: 256 KiB stay in cache


# ------------------------------------------------------------------- formulas of the board


def signed_rows(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> Array:
    r"""Return :math:`z_i = y_i(x_i, 1)`, shape (n, d + 1), or :math:`y_ix_i` without an intercept, (n, d).

    :math:`(w, b)` separates the data, :math:`y_i(\langle w, x_i\rangle + b) > 0`, iff the merged vector has a
    positive product with every :math:`z_i`.

    Parameters
    ----------
    X : array-like of shape (n, d)
    y : array-like of shape (n,)
        Entries +1 and -1.

    Examples
    --------
    >>> signed_rows([[2.0, 3.0], [4.0, 5.0]], [1, -1]).tolist()
    [[2.0, 3.0, 1.0], [-4.0, -5.0, -1.0]]
    """
    X = check_matrix(X)
    signs = check_vector(y, name="y", n=len(X))
    if not (abs(signs) == 1).all():
        raise ValueError(f"y must have entries +1 and -1, got {signs[abs(signs) != 1][0]:g}.")
    return _merge(X, fit_intercept, signs)


def mistake_set(w: ArrayLike, Z: ArrayLike) -> Indices:
    r"""Return the rows with :math:`\langle w, z_i\rangle \le 0`, in order, shape (m,).

    The boundary counts as a mistake; for :math:`w = 0` that is every row.
    """
    return np.flatnonzero(_products(w, Z) <= 0)


def perceptron_loss(w: ArrayLike, Z: ArrayLike) -> float:
    r"""Return :math:`\sigma(w) = -\sum_{i \in M(w)}\langle w, z_i\rangle`, M(w) the mistakes.

    It equals :math:`\sum_i\max(0, -\langle w, z_i\rangle)`, and :math:`\|w\|` times the sum of the distances
    of the mistakes from the hyperplane :math:`w^\perp`; least, and zero, at :math:`w = 0` on any data.
    """
    return float(np.maximum(-_products(w, Z), 0.0).sum())


def perceptron_subgradient(w: ArrayLike, Z: ArrayLike) -> Array:
    r"""Return :math:`-\sum_{i \in M(w)}z_i`, a subgradient of `perceptron_loss` at w, shape (D,).

    Rows on the boundary have any share from 0 to 1 in a subgradient; here they have 1, as in `mistake_set`.
    """
    rows = check_matrix(Z, name="Z")
    return -rows[mistake_set(w, rows)].sum(axis=0)


def margin(w: ArrayLike, Z: ArrayLike) -> float:
    r"""Return :math:`\min_i\langle w, z_i\rangle/\|w\|`: positive iff w separates.

    Then it is the distance of the closest point from the hyperplane.

    Raises
    ------
    ValueError
        If w is zero: it has no direction.
    """
    products, size = _products(w, Z), float(np.linalg.norm(check_vector(w, name="w")))
    if size == 0:
        raise ValueError("w is zero, which is no hyperplane and has no margin.")
    return float(products.min()) / size


def mistake_bound(
    radius: float, margin: float, *, start_norm: float = 0.0, start_along: float = 0.0
) -> float:
    r"""Return the largest number of updates on data of this radius and margin: :math:`R^2/\delta^2`.

    From another start :math:`w^0`, in units of the step (:math:`w^0/\eta`), with :math:`B = R^2 - 2\delta a`:

    .. math:: t \le \frac{B + \sqrt{B^2 + 4\delta^2(\|w^0\|^2 - a^2)}}{2\delta^2}

    Parameters
    ----------
    radius : float
        R, at least every :math:`\|z_i\|`.
    margin : float
        :math:`\delta > 0`, the margin of a unit vector u.
    start_norm, start_along : float, default 0
        :math:`\|w^0\|` and :math:`a = \langle u, w^0\rangle`.

    Notes
    -----
    It solves :math:`(a + t\delta)^2 \le \|w^0\|^2 + tR^2`: Cauchy-Schwarz between the growth of
    :math:`\langle u, w\rangle` and that of :math:`\|w\|^2`. If :math:`a + t\delta` is still negative, t is
    smaller than the bound as well.

    Examples
    --------
    >>> mistake_bound(5.0, 1.0), mistake_bound(1.0, 1.0, start_norm=2.0, start_along=-2.0)
    (25.0, 5.0)
    """
    R, delta = check_scalar(radius, name="radius", minimum=0), check_scalar(margin, name="margin", above=0)
    size = check_scalar(start_norm, name="start_norm", minimum=0)
    a = check_scalar(start_along, name="start_along", minimum=-size, maximum=size)
    B = R**2 - 2 * delta * a
    return (B + math.sqrt(B**2 + 4 * delta**2 * (size**2 - a**2))) / (2 * delta**2)


def slack_bound(w: ArrayLike, Z: ArrayLike, margin: float) -> float:
    r"""Return :math:`(R + D)^2/\delta^2`, a bound on the mistakes of the first pass on *any* data.

    :math:`D^2 = \sum_i\max(0, \delta - \langle u, z_i\rangle)^2` with :math:`u = w/\|w\|`: what the rows lack
    to the margin :math:`\delta > 0`, which may be chosen freely. Zero start, each row seen once. Source:
    Freund and Schapire (1999), Theorem 2.
    """
    products, size = _products(w, Z), float(np.linalg.norm(check_vector(w, name="w")))
    if size == 0:
        raise ValueError("w is zero, which is no hyperplane and has no margin.")
    delta = check_scalar(margin, name="margin", above=0)
    lack = np.maximum(0.0, delta - products / size)
    return float((_radius(check_matrix(Z, name="Z")) + np.linalg.norm(lack)) / delta) ** 2


def one_pass(X: ArrayLike, y: ArrayLike, *, rate: float = 0.5) -> Array:
    r"""Return the weights :math:`(b_1, \dots, b_d, b_0)` of chapter 10's pseudocode, shape (d + 1,).

    One pass: the current answer :math:`\hat y` is +1 if the score is at least 0, and
    :math:`b \leftarrow b + r(y - \hat y)(x, 1)`, a step of 2r at a mistake. A score of zero is right for +1
    here. One pass need not separate the data, even if they can be separated: see `Perceptron`.
    """
    Z = signed_rows(X, y)
    signs = np.asarray(y)
    step = 2 * check_scalar(rate, name="rate", above=0, below=1)
    b = np.zeros(Z.shape[1])
    for z, sign in zip(Z, signs, strict=True):
        score = z @ b
        if score < 0 or (score == 0 and sign < 0):
            b += step * z
    return b


# ------------------------------------------------------------------- can the data be separated?


@dataclass(frozen=True, eq=False)
class Separability:
    r"""Bounds on the best margin, with their proofs: ``lower <= best margin <= upper``.

    Attributes
    ----------
    separable : bool or None
        True if ``lower > 0``; False if ``upper`` is zero, or unless exact at most 128 D eps times the radius;
        None if undecided.
    w : ndarray of shape (D,)
        Its margin is ``lower``.
    weights : ndarray of shape (n,)
        A convex combination: entries >= 0, sum 1; the norm of :math:`\sum_i a_iz_i` is ``upper``. For any
        unit u, :math:`\min_i\langle u, z_i\rangle \le \langle u, \sum_i a_iz_i\rangle \le` ``upper``.
    lower, upper : float
    """

    separable: bool | None
    w: NDArray[Any]
    weights: NDArray[Any]
    lower: float
    upper: float


def separability(
    Z: ArrayLike, *, exact: bool = False, best: bool = True, max_iter: int = 10_000
) -> Separability:
    r"""Decide whether some w has :math:`\langle w, z_i\rangle > 0` for all rows, with a proof either way.

    Wolfe's algorithm for the point of least norm in the convex hull of the rows. If it is not zero it is the
    best separator; if it is zero, the combination proves that there is none.

    Parameters
    ----------
    Z : array-like of shape (n, D)
        Signed rows; with ``exact`` also integers or `fractions.Fraction`.
    exact : bool, default False
        Compute in fractions, for small data: then ``separable`` is never None.
    best : bool, default True
        Go on to the best margin, where both bounds meet; False stops at the first separator.
    max_iter : int, default 10_000

    Notes
    -----
    An iteration costs :math:`O(nD)` and a least squares problem of the points that carry weight, at most
    D + 1, :math:`O(D^3)`; about 3 D iterations are usual.

    Examples
    --------
    >>> separability([[1.0, 1.0], [1.0, -1.0]]).w.tolist()
    [1.0, 0.0]
    >>> [str(a) for a in separability([[2, 0], [-1, 1], [-1, -1]], exact=True).weights]
    ['1/3', '1/3', '1/3']
    """
    check_scalar(max_iter, name="max_iter", kind=int, minimum=1)
    rows = check_matrix(Z, name="Z")
    if not exact:
        # in units of the radius, so that no tolerance depends on the unit of the data
        R = _radius(rows) or 1.0
        weights = _least_norm(rows / R, best, max_iter)
        w = weights @ rows
        size = float(np.linalg.norm(w))
        noise = 8 * rows.shape[1] * np.finfo(np.float64).eps * R
        lower = float((rows @ w).min()) / size if size else 0.0
        separable = True if lower > noise else False if size <= 16 * noise else None
        return Separability(separable, w, weights, lower, size)
    raw = np.asarray(Z).tolist()
    table = np.array([[Fraction(entry) for entry in row] for row in raw], dtype=object)
    weights = _least_norm(table, best, max_iter)
    w = weights @ table
    square, least = w @ w, min(table @ w)
    size = math.sqrt(square)
    return Separability(bool(square > 0), w, weights, float(least) / size if size else 0.0, size)


def _least_norm(rows: NDArray[Any], best: bool, max_iter: int) -> NDArray[Any]:
    """Return convex weights of the point of least norm in the hull of the rows (Wolfe), floats or fractions.

    The points that carry weight stay affinely independent. Each round adds the row that lies furthest on the
    near side of the hyperplane through the current point, then walks towards the least point of the affine
    hull and drops the points whose weight reaches zero on the way.
    """
    exact = rows.dtype == object
    slack = 0 if exact else 1e-15
    support = [int(np.argmin((rows * rows).sum(axis=1)))]
    share = np.array([Fraction(1)] if exact else [1.0], dtype=rows.dtype)
    for _ in range(max_iter):
        point = share @ rows[support]
        products = rows @ point
        new = int(np.argmin(products))
        enough = point @ point - slack if best else 1e3 * slack
        if products[new] > enough or products[new] >= point @ point - slack or new in support:
            break
        support, share = [*support, new], np.append(share, 0 * share[0])
        while True:
            goal = _affine_minimum(rows[support])
            if (goal > slack).all():
                share = goal
                break
            ahead = share - goal
            falling = np.flatnonzero((goal <= slack) & (ahead > 0))
            if not len(falling):
                break
            ratios = share[falling] / ahead[falling]
            share = share - min(ratios) * ahead
            share[falling[int(np.argmin(ratios))]] = 0 * share[0]
            kept = np.flatnonzero(share > slack)
            support, share = [support[k] for k in kept], share[kept]
            share = share / share.sum()
    weights = np.zeros(len(rows), dtype=rows.dtype) if not exact else np.array([Fraction(0)] * len(rows))
    weights[support] = share
    return weights


def _affine_minimum(points: NDArray[Any]) -> NDArray[Any]:
    """Return weights with sum 1, of any sign, of the point of least norm in the affine hull."""
    base, edges = points[0], points[1:] - points[0]
    if not len(edges):
        return points[:1, 0] * 0 + 1
    if points.dtype == object:
        steps = _solve_exactly(edges @ edges.T, -(edges @ base))
    else:
        Q, R = np.linalg.qr(edges.T)
        pivots = abs(np.diag(R))
        regular = len(R) == len(edges) and pivots.min() > 1e-12 * pivots.max()
        steps = -(
            np.linalg.solve(R, Q.T @ base) if regular else np.linalg.lstsq(edges.T, base, rcond=None)[0]
        )
    return np.concatenate([[1 - steps.sum()], steps])


def _solve_exactly(A: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Solve a regular system in fractions by elimination."""
    M = np.column_stack([A, b])
    for k in range(len(M)):
        pivot = next(i for i in range(k, len(M)) if M[i, k] != 0)
        M[[k, pivot]] = M[[pivot, k]]
        M[k] = M[k] / M[k, k]
        for i in range(len(M)):
            if i != k and M[i, k] != 0:
                M[i] = M[i] - M[i, k] * M[k]
    return M[:, -1]


# ------------------------------------------------------------------- the machines: margins and updates


class _Linear:
    """Two classes: the weight vector and the signed rows."""

    def __init__(self, Z: Array, w: Array, step: float) -> None:
        self.Z, self.w, self.n = Z, w, len(Z)
        self.moves = Z if step == 1 else step * Z
        self.radius = _radius(Z)
        # products in another order differ by less than this times |w|: Higham, section 3.1, both sides
        self.unit = 4 * (Z.shape[1] + 2) * 2.0**-53 * self.radius
        self.square, self.growth = float(w @ w), (step * self.radius) ** 2
        self.doubt = self.unit * math.sqrt(self.square)

    def margins(self, start: int, stop: int) -> Array:
        return self.Z[start:stop].dot(self.w)

    def is_mistake(self, i: int) -> bool:
        return bool(self.Z[i].dot(self.w) <= 0)

    def update(self, i: int) -> None:
        self.w += self.moves[i]
        self.square += self.growth  # at least |w|^2, as in the proof of the mistake bound
        self.doubt = self.unit * math.sqrt(self.square)

    def update_all(self, wrong: Indices) -> None:
        self.w += self.moves[wrong].sum(axis=0)


class _Multiclass:
    """More classes: a row is right if its class scores more than every other."""

    def __init__(self, X: Array, codes: Indices, W: Array, step: float) -> None:
        self.X, self.codes, self.w, self.step, self.n = X, codes, W, step, len(X)
        self.doubt, self.radius = 0.0, math.sqrt(2) * _radius(X)

    def _rivals(self, start: int, stop: int) -> tuple[Array, Array, Indices]:
        scores = self.X[start:stop] @ self.w.T  # (b, K)
        rows, codes = np.arange(len(scores)), self.codes[start:stop]
        own = scores[rows, codes]
        scores[rows, codes] = -math.inf
        return own, scores, scores.argmax(axis=1)

    def margins(self, start: int, stop: int) -> Array:
        own, scores, best = self._rivals(start, stop)
        return own - scores[np.arange(len(own)), best]

    def is_mistake(self, i: int) -> bool:
        return bool(self.margins(i, i + 1)[0] <= 0)

    def update(self, i: int) -> None:
        rival = self._rivals(i, i + 1)[2][0]
        self.w[self.codes[i]] += self.step * self.X[i]
        self.w[rival] -= self.step * self.X[i]

    def update_all(self, wrong: Indices) -> None:
        rivals = self._rivals(0, self.n)[2][wrong]
        np.add.at(self.w, self.codes[wrong], self.step * self.X[wrong])
        np.subtract.at(self.w, rivals, self.step * self.X[wrong])


class _Dual:
    """Two classes in Gram form: signed scores of all rows, and how often each row was added."""

    def __init__(self, Q: Array) -> None:
        self.Q, self.n, self.doubt = Q, len(Q), 0.0
        self.scores, self.counts = np.zeros(self.n), np.zeros(self.n, dtype=np.int64)

    def margins(self, start: int, stop: int) -> Array:
        return self.scores[start:stop]

    def is_mistake(self, i: int) -> bool:
        return bool(self.scores[i] <= 0)

    def update(self, i: int) -> None:
        self.counts[i] += 1
        self.scores += self.Q[i]


def _run_cyclic(
    machine: Any, last_visit: int, last_mistake: float, n_columns: int, visits: list[int]
) -> tuple[int, bool]:
    """Go round the rows; append the visits (1, 2, ...) of mistakes; return the visits made and whether done.

    Ends after ``last_mistake`` updates or at ``last_visit``, a multiple of n. Rows are visited one after the
    other, but their products come a window at a time: up to the first mistake they are those of one weight
    vector. Where a product is too small for its sign to be certain, the plain product of the one row decides,
    so that the path is that of the plain loop.
    """
    n, shortest, longest = machine.n, max(16, _BLOCK // 8 // n_columns), max(16, _BLOCK // n_columns)
    window, least = shortest, math.inf
    visit = visits[-1] if visits else 0
    clean = 0
    margins, update, doubt = machine.margins, machine.update, machine.doubt
    while clean < n and visit < last_visit and len(visits) < last_mistake:
        start = visit % n
        stop = start + window if start + window < n else n
        block = margins(start, stop)
        j = int((block <= doubt).argmax())
        if block[j] > doubt:
            j = -1
        elif block[j] >= -doubt:
            suspects = (j + np.flatnonzero(block[j:] <= doubt)).tolist()
            j = next((k for k in suspects if machine.is_mistake(start + k)), -1)
        if j < 0:
            clean += stop - start
            visit += stop - start
            window = min(2 * window, longest)
            least = min(least, float(block.min()))
        else:
            update(start + j)
            doubt = machine.doubt
            visit += j + 1
            clean = 0
            visits.append(visit)
            window, least = max(shortest, window // 2), math.inf
    if clean < n:
        machine.least = float(margins(0, n).min())
        return visit, False
    machine.least = least
    last = visits[-1] if visits else 0
    return n * (-(-last // n) + 1), True  # the pass after that of the last mistake has none


def _run_picked(machine: Any, pick: str, last: int, rng: np.random.Generator, rows: list[Indices]) -> bool:
    """Update at what is picked until there is no mistake or there were ``last`` updates; append the rows."""
    while True:
        margins = machine.margins(0, machine.n)
        wrong = np.flatnonzero(margins <= 0)
        machine.least = float(margins.min())
        if not len(wrong):
            return True
        if len(rows) >= last:
            return False
        if pick == "batch":
            machine.update_all(wrong)
            rows.append(wrong)
            continue
        if pick == "first":
            i = wrong[0]
        else:
            i = np.argmin(margins) if pick == "worst" else wrong[rng.integers(len(wrong))]
        machine.update(int(i))
        rows.append(np.array([i], dtype=np.int64))


# ------------------------------------------------------------------- the classifiers


class _MistakeDriven(Classifier):
    """What both classifiers share: predictions from scores, and the report on how the fit ended."""

    max_iter: int
    certificate_: dict[str, Any]

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of each row, shape (n,); a score of exactly 0 gives the second class."""
        scores = self._scores(self._check_input(X))
        if scores.ndim == 1:
            return self.classes_[(scores >= 0).astype(np.int64)]
        return self.classes_[scores.shape[1] - 1 - scores[:, ::-1].argmax(axis=1)]

    def decision_function(self, X: ArrayLike) -> Array:
        """Return the scores, shape (n,) for two classes, else (n, K)."""
        return self._scores(self._check_input(X))

    def _scores(self, X: Array) -> Array:
        raise NotImplementedError

    def _warn(self, converged: bool) -> None:
        report = self.certificate_
        if converged:
            return
        if report["separable"] is False:
            message = (
                "no hyperplane separates the classes: with the convex weights `combination_` the signed rows "
                f"add up to zero (norm {report['upper']:.2g}). The updates would go on for ever; they were "
                f"stopped after {report['mistakes']}."
            )
        else:
            known = (
                f"; the data can be separated with a margin of {report['lower']:.3g}, so that "
                f"{mistake_bound(report['radius'], report['lower']):.0f} updates from zero are enough"
                if report["separable"]
                else ""
            )
            message = (
                f"max_iter={self.max_iter} passes and {report['mistakes']} updates were not enough to "
                f"separate the training rows{known}. Raise max_iter."
            )
        warnings.warn(message, ConvergenceWarning, stacklevel=3)


class Perceptron(_MistakeDriven):
    r"""Rosenblatt's perceptron: while there is a mistake, :math:`w \leftarrow w + \eta z_i` at one of them.

    Parameters
    ----------
    pick : {"cyclic", "first", "random", "worst", "batch"}, default "cyclic"
        Which mistake is next: the next one in the order of the rows, round and round; the one of least index;
        one at random, all equally likely; the one of least :math:`\langle w, z_i\rangle`; all of them at once
        (Shi, equation (1)).
    output : {"last", "average", "vote"}, default "last"
        Which weights answer: the last ones; their mean over all visits of a row; or a vote in which each
        counts as often as it was visited and kept. The others need ``pick="cyclic"``, a vote two classes.
    eta0 : float, default 1.0
        The step :math:`\eta > 0`. From the start zero it multiplies w and changes no answer.
    fit_intercept : bool, default True
    max_iter : int, default 1000
        Passes over the rows; ``n * max_iter`` updates for "first", "random" and "worst".
    random_state : int, Generator or None, default None
        For ``pick="random"``.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    coef_ : ndarray of shape (1, d), or (K, d) for K > 2 classes
        For two classes the second one is +1.
    intercept_ : ndarray of shape (1,) or (K,)
    mistakes_ : ndarray of int64, shape (t,)
        The row of every update, in order: enough to replay the fit.
    certificate_ : dict
        ``mistakes``: t. ``radius``: R. ``margin``: of the last weights. ``bound``: on the number of updates,
        from that margin (infinite if it is not positive, and for "batch" n times as large). ``separable``:
        True, False, or None if undecided. ``lower``, ``upper``: bounds on the best margin, as in
        `Separability`.
    combination_ : ndarray of shape (n,), or (n, K)
        Only if the data cannot be separated: convex weights with which the signed rows add up to zero.
    n_iter_ : int
        Passes begun, or iterations.
    n_features_in_ : int

    Raises
    ------
    ValueError
        With fewer than two classes, and for parameters out of range.

    Warns
    -----
    ConvergenceWarning
        If mistakes are left. After 2 n updates, and at least 100, it is decided whether the data can be
        separated at all; if not, the fit ends there, and the warning says so. (In more than about 400
        dimensions, where that would take longer than some seconds, it may stay undecided.)

    Notes
    -----
    More than two classes have one weight vector each; a row is a mistake unless its class scores more than
    every other, and the update adds it to its class and subtracts it from the best other one. This is the
    perceptron on rows with :math:`\|z\| \le \sqrt2\|x\|` (Kesler's construction).

    Products of many rows with the weights are computed at once, and the sign of a product below its rounding
    error is decided by the product of the one row: the path is bit for bit that of the plain loop.

    Examples
    --------
    >>> model = Perceptron(fit_intercept=False).fit([[2.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], [1, 1, -1])
    >>> model.mistakes_.tolist(), model.coef_.tolist(), model.certificate_["bound"]
    ([0, 1], [[2.0, 1.0]], 20.0)
    """

    def __init__(
        self,
        *,
        pick: str = "cyclic",
        output: str = "last",
        eta0: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        random_state: Any = None,
    ) -> None:
        self.pick = pick
        self.output = output
        self.eta0 = eta0
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(
        self, X: ArrayLike, y: ArrayLike, coef_init: ArrayLike | None = None, intercept_init: Any = None
    ) -> Perceptron:
        """Fit to rows X, shape (n, d), and labels y, from weights of the shapes of coef_ and intercept_."""
        X, codes = self._start_fit(X, y, min_classes=2)
        rng = self._check_parameters()
        W = self._start(len(self.classes_), X.shape[1], coef_init, intercept_init)  # (K or 1, D)
        start = W.copy()
        binary = len(W) == 1
        rows = _merge(X, self.fit_intercept, 2.0 * codes - 1 if binary else None)
        machine = _Linear(rows, W[0], self.eta0) if binary else _Multiclass(rows, codes, W, self.eta0)
        found: list[Separability] = []

        def decide() -> bool:
            found.append(_decide(rows if binary else _kesler(rows, codes, len(W))))
            return found[0].separable is not False

        converged, visits = self._run(machine, rng, decide, rows.shape[1])
        self.certificate_ = self._certify(machine, start, found, converged)
        if found and found[0].separable is False:
            self.combination_ = found[0].weights if binary else _spread(found[0].weights, codes, len(W))
        self._set_output(rows, codes, start, W, visits)
        self._warn(converged)
        return self

    def _check_parameters(self) -> np.random.Generator:
        check_option(self.pick, name="pick", options=PICKS)
        check_option(self.output, name="output", options=("last", "average", "vote"))
        check_option(self.fit_intercept, name="fit_intercept", options=(True, False))
        check_scalar(self.eta0, name="eta0", above=0)
        check_scalar(self.max_iter, name="max_iter", kind=int, minimum=1)
        if self.output != "last" and self.pick != "cyclic":
            raise ValueError(f"output={self.output!r} needs pick='cyclic', got pick={self.pick!r}.")
        if self.output == "vote" and len(self.classes_) > 2:
            raise ValueError(f"output='vote' needs two classes, got {len(self.classes_)}.")
        return check_rng(self.random_state)

    def _start(self, K: int, d: int, coef: ArrayLike | None, intercept: Any) -> Array:
        """Return the weights to start from, shape (1, D) or (K, D)."""
        size = 1 if K == 2 else K
        W = np.zeros((size, d + bool(self.fit_intercept)))
        if coef is not None:
            W[:, :d] = check_vector(np.ravel(coef), name="coef_init", n=size * d).reshape(size, d)
        if intercept is not None:
            if not self.fit_intercept:
                raise ValueError("intercept_init needs fit_intercept=True.")
            W[:, d] = check_vector(np.ravel(intercept), name="intercept_init", n=size)
        return W

    def _run(
        self, machine: Any, rng: np.random.Generator, decide: Callable[[], bool], n_columns: int
    ) -> tuple[bool, Indices]:
        """Run the machine, with a pause to `decide`; return whether it converged and the mistakes' visits."""
        n, last = machine.n, self.max_iter
        if self.pick == "cyclic":
            visits: list[int] = []
            made, done = _run_cyclic(machine, n * last, _pause(n), n_columns, visits)
            if not done and decide() and made < n * last:
                made, done = _run_cyclic(machine, n * last, math.inf, n_columns, visits)
            self.n_iter_, self._visits = -(-made // n), made
            self.mistakes_ = (np.array(visits, dtype=np.int64) - 1) % n
            return done, np.array(visits, dtype=np.int64)
        rows: list[Indices] = []
        last = last if self.pick == "batch" else n * last
        pause = 100 if self.pick == "batch" else _pause(n)
        done = _run_picked(machine, self.pick, min(last, pause), rng, rows)
        if not done and decide() and last > pause:
            done = _run_picked(machine, self.pick, last, rng, rows)
        self.n_iter_ = max(1, len(rows))
        self.mistakes_ = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64)
        return done, np.zeros(0, dtype=np.int64)

    def _certify(
        self, machine: Any, start: Array, found: list[Separability], converged: bool
    ) -> dict[str, Any]:
        w, R = machine.w, machine.radius
        size, least = float(np.linalg.norm(w)), machine.least
        delta = least / size if size else 0.0
        bound = math.inf
        if delta > 0:
            along = float((w * start.reshape(w.shape)).sum()) / size / self.eta0
            norm = float(np.linalg.norm(start)) / self.eta0
            bound = mistake_bound(R, delta, start_norm=norm, start_along=min(max(along, -norm), norm))
            bound *= machine.n if self.pick == "batch" else 1
        report = {"mistakes": len(self.mistakes_), "radius": R, "margin": delta, "bound": bound}
        if found:
            return report | {
                "separable": True if converged else found[0].separable,
                "lower": max(found[0].lower, delta),
                "upper": found[0].upper,
            }
        return report | {"separable": True if converged else None, "lower": max(delta, 0.0), "upper": R}

    def _set_output(self, rows: Array, codes: Indices, start: Array, W: Array, visits: Indices) -> None:
        """Set coef_ and intercept_ to the weights that answer; for a vote keep all vectors and counts."""
        d = self.n_features_in_
        if self.output == "average":
            # the vector after visit v counts once for every v: an update counts from its visit to the end
            share = (self._visits - visits + 1) / self._visits
            W = start + self._moves(rows, codes, start, share)
        if self.output == "vote":
            path = self.eta0 * rows[self.mistakes_]
            self.path_ = np.cumsum(np.vstack([start, path]), axis=0)  # (t + 1, D)
            self.votes_ = np.diff(np.concatenate([[1], visits, [self._visits + 1]]))
        self.coef_ = W[:, :d].copy()
        self.intercept_ = W[:, d].copy() if self.fit_intercept else np.zeros(len(W))

    def _moves(self, rows: Array, codes: Indices, start: Array, share: Array) -> Array:
        """Return the updates added up with the given shares; of several classes by replaying them."""
        if len(start) == 1:
            return self.eta0 * (share @ rows[self.mistakes_])[None]
        machine = _Multiclass(rows, codes, start.copy(), self.eta0)
        total = np.zeros_like(start)
        for i, part in zip(self.mistakes_, share, strict=True):
            before = machine.w.copy()
            machine.update(int(i))
            total += part * (machine.w - before)
        return total

    def _scores(self, X: Array) -> Array:
        if self.output == "vote":
            kept = (
                self.path_ if self.fit_intercept else np.hstack([self.path_, np.zeros((len(self.path_), 1))])
            )
            return np.where(X @ kept[:, :-1].T + kept[:, -1] >= 0, 1.0, -1.0) @ self.votes_
        scores = X @ self.coef_.T + self.intercept_
        return scores[:, 0] if scores.shape[1] == 1 else scores


class KernelPerceptron(_MistakeDriven):
    r"""The perceptron in Gram form: :math:`w = \sum_i\alpha_iz_i`, :math:`\alpha_i` the updates at row i.

    Only inner products enter, so that any kernel can take their place. With the linear kernel the mistakes
    are those of `Perceptron`.

    Parameters
    ----------
    kernel : "linear" or callable, default "linear"
        A callable gets X, shape (n, d), and X', shape (m, d), and returns the products, shape (n, m).
    fit_intercept : bool, default True
        Adds 1 to the kernel: the merged intercept.
    max_iter : int, default 1000
        Passes over the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    counts_ : ndarray of int64, shape (n,)
        :math:`\alpha`.
    mistakes_ : ndarray of int64, shape (t,)
    certificate_, combination_, n_iter_, n_features_in_
        As of `Perceptron`, in the space of the kernel.

    Raises
    ------
    ValueError
        Unless there are two classes; if the kernel does not give a finite symmetric matrix.

    Warns
    -----
    ConvergenceWarning
        As `Perceptron`.

    Notes
    -----
    Fit needs :math:`O(n^2)` memory and :math:`O(n)` time for an update.

    Examples
    --------
    The corners of a square, diagonal against diagonal, with the kernel :math:`\langle x, x'\rangle^2`:

    >>> square = KernelPerceptron(lambda A, B: (A @ B.T) ** 2)
    >>> square.fit([[1, 1], [-1, -1], [1, -1], [-1, 1]], ["same", "same", "other", "other"]).counts_.tolist()
    [1, 0, 1, 0]
    """

    def __init__(self, kernel: Any = "linear", *, fit_intercept: bool = True, max_iter: int = 1000) -> None:
        self.kernel = kernel
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> KernelPerceptron:
        """Fit to rows X, shape (n, d), and labels y, shape (n,); return self."""
        X, codes = self._start_fit(X, y, min_classes=2)
        if len(self.classes_) > 2:
            raise ValueError(
                "Only binary classification is supported. KernelPerceptron got "
                f"{len(self.classes_)} classes: {self.classes_.tolist()}."
            )
        check_option(self.fit_intercept, name="fit_intercept", options=(True, False))
        check_scalar(self.max_iter, name="max_iter", kind=int, minimum=1)
        gram = self._gram(X, X)
        if abs(gram - gram.T).max() > 1e-10 * abs(gram).max():
            raise ValueError(
                f"kernel must be symmetric; its matrix differs by {abs(gram - gram.T).max():.3g}."
            )
        signs = 2.0 * codes - 1
        Q = signs[:, None] * gram * signs
        machine, visits, n = _Dual(Q), list[int](), len(X)
        found = None
        made, done = _run_cyclic(machine, n * self.max_iter, _pause(n), 1, visits)
        if not done:
            found = _decide(_factor(Q))
            if found.separable is not False and made < n * self.max_iter:
                made, done = _run_cyclic(machine, n * self.max_iter, math.inf, 1, visits)
        self.counts_, self.n_iter_ = machine.counts, -(-made // n)
        self.mistakes_ = (np.array(visits, dtype=np.int64) - 1) % n
        self._X, self._weights = X.copy(), signs * machine.counts
        self._certify(machine, found, done)
        self._warn(done)
        return self

    def _certify(self, machine: _Dual, found: Separability | None, converged: bool) -> None:
        size = math.sqrt(max(float(machine.counts @ machine.scores), 0.0))
        delta = float(machine.scores.min()) / size if size else 0.0
        R = math.sqrt(max(float(np.diag(machine.Q).max()), 0.0))
        self.certificate_ = {
            "mistakes": len(self.mistakes_),
            "radius": R,
            "margin": delta,
            "bound": mistake_bound(R, delta) if delta > 0 else math.inf,
            "separable": True if converged else found.separable if found else None,
            "lower": max(delta, found.lower if found else 0.0),
            "upper": found.upper if found else R,
        }
        if found and found.separable is False:
            self.combination_ = found.weights

    def _gram(self, A: Array, B: Array) -> Array:
        if callable(self.kernel):
            table = check_matrix(self.kernel(A, B), name="the answer of kernel")
            if table.shape != (len(A), len(B)):
                raise ValueError(f"kernel must return shape ({len(A)}, {len(B)}), got shape {table.shape}.")
        else:
            check_option(self.kernel, name="kernel, unless it is callable,", options=("linear",))
            table = A @ B.T
        return table + 1.0 if self.fit_intercept else table

    def _scores(self, X: Array) -> Array:
        used = np.flatnonzero(self._weights)  # not empty: from zero the first row is a mistake
        return self._gram(X, self._X[used]) @ self._weights[used]

    def __sklearn_tags__(self) -> Any:
        """Add that there are two classes."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


# ------------------------------------------------------------------- inside


def _merge(X: Array, fit_intercept: bool, signs: NDArray[Any] | None = None) -> Array:
    """Return the rows (x_i, 1), or x_i, times their signs: a new array."""
    signs = np.ones(len(X)) if signs is None else signs
    rows = np.empty((len(X), X.shape[1] + bool(fit_intercept)))
    np.multiply(X, signs[:, None], out=rows[:, : X.shape[1]])
    if fit_intercept:
        rows[:, -1] = signs
    return rows


def _pause(n: int) -> int:
    """Return the number of updates after which it is decided whether the data can be separated."""
    return max(2 * n, 100)


def _decide(Z: Array) -> Separability:
    """Decide separability within some seconds: in more than about 400 dimensions it may stay undecided."""
    n, D = Z.shape
    return separability(Z, best=False, max_iter=max(50, 10**11 // (2 * D**3 + 4 * n * D)))


def _radius(rows: Array) -> float:
    return math.sqrt(float(np.einsum("ij,ij->i", rows, rows).max()))


def _products(w: ArrayLike, Z: ArrayLike) -> Array:
    rows = check_matrix(Z, name="Z")
    return rows @ check_vector(w, name="w", n=rows.shape[1])


def _kesler(rows: Array, codes: Indices, K: int) -> Array:
    """Return the signed rows of the problem in all weights: row i against class k, shape (n (K - 1), K D)."""
    D = rows.shape[1]
    own, rival = _pairs(codes, K)
    Z = np.zeros((len(own), K, D))
    index = np.arange(len(own))
    Z[index, codes[own]], Z[index, rival] = rows[own], -rows[own]
    return Z.reshape(len(own), K * D)


def _pairs(codes: Indices, K: int) -> tuple[Indices, Indices]:
    """Return rows and rival classes of all pairs, shapes (n (K - 1),)."""
    own, rival = np.divmod(np.arange(len(codes) * K), K)
    kept = codes[own] != rival
    return own[kept], rival[kept]


def _spread(weights: Array, codes: Indices, K: int) -> Array:
    """Return the weights of the pairs as a table, shape (n, K), zero for a row's own class."""
    table = np.zeros((len(codes), K))
    table[_pairs(codes, K)] = weights
    return table


def _factor(Q: Array) -> Array:
    """Return rows with the products Q, eigenvalues of rounding size left out."""
    values, V = np.linalg.eigh(Q)
    kept = values > len(Q) * np.finfo(np.float64).eps * abs(values).max()
    return V[:, kept] * np.sqrt(values[kept]) if kept.any() else np.zeros((len(Q), 1))
