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
from mlnotes.perceptron_loops import (
    Dual,
    Linear,
    Multiclass,
    as_table,
    factor,
    kesler_rows,
    merged,
    pause_after,
    run_cyclic,
    run_picked,
)
from mlnotes.separability import Separability, longest, quick_decision, separability

__all__ = [
    "PICKS",
    "KernelPerceptron",
    "Perceptron",
    "Separability",
    "margin",
    "mistake_bound",
    "mistake_set",
    "one_pass",
    "perceptron_loss",
    "perceptron_subgradient",
    "separability",
    "signed_rows",
    "slack_bound",
]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

PICKS = ("cyclic", "first", "random", "worst", "batch")


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
    return merged(X, fit_intercept, signs)


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
    return float((longest(check_matrix(Z, name="Z")) + np.linalg.norm(lack)) / delta) ** 2


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


def _products(w: ArrayLike, Z: ArrayLike) -> Array:
    rows = check_matrix(Z, name="Z")
    return rows @ check_vector(w, name="w", n=rows.shape[1])


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
                else "; whether any hyperplane does was not decided within some seconds (`separability` of "
                "the signed rows takes as many steps as you allow)"
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
        True, False, or None if it was not decided within some seconds. ``lower``, ``upper``: bounds on the
        best margin, as in `Separability`.
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
        separated at all; if not, the fit ends there, and the warning says so. The decision gets some seconds:
        in more than about 400 dimensions it may stay open, the fit goes on to its end, and the warning says
        that as well.

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
        rows = merged(X, self.fit_intercept, 2.0 * codes - 1 if binary else None)
        machine = Linear(rows, W[0], self.eta0) if binary else Multiclass(rows, codes, W, self.eta0)
        found: list[Separability] = []

        def decide() -> bool:
            found.append(quick_decision(rows if binary else kesler_rows(rows, codes, len(W))))
            return found[0].separable is not False

        converged, visits = self._run(machine, rng, decide, rows.shape[1])
        self.certificate_ = self._certify(machine, start, found, converged)
        if found and found[0].separable is False:
            self.combination_ = found[0].weights if binary else as_table(found[0].weights, codes, len(W))
        self._set_output(rows, codes, start, W, visits)
        self._warn(converged)
        return self

    def _check_parameters(self) -> np.random.Generator | None:
        check_option(self.pick, name="pick", options=PICKS)
        check_option(self.output, name="output", options=("last", "average", "vote"))
        check_option(self.fit_intercept, name="fit_intercept", options=(True, False))
        check_scalar(self.eta0, name="eta0", above=0)
        check_scalar(self.max_iter, name="max_iter", kind=int, minimum=1)
        if self.output != "last" and self.pick != "cyclic":
            raise ValueError(f"output={self.output!r} needs pick='cyclic', got pick={self.pick!r}.")
        if self.output == "vote" and len(self.classes_) > 2:
            raise ValueError(f"output='vote' needs two classes, got {len(self.classes_)}.")
        if self.random_state is None and self.pick != "random":
            return None  # only that pick draws, and the entropy of the system takes as long as a small fit
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
        self, machine: Any, rng: np.random.Generator | None, decide: Callable[[], bool], n_columns: int
    ) -> tuple[bool, Indices]:
        """Run the machine, with a pause to `decide`; return whether it converged and the mistakes' visits."""
        n, last = machine.n, self.max_iter
        if self.pick == "cyclic":
            visits: list[int] = []
            made, done = run_cyclic(machine, n * last, pause_after(n), n_columns, visits)
            if not done and decide() and made < n * last:
                made, done = run_cyclic(machine, n * last, math.inf, n_columns, visits)
            self.n_iter_, self._visits = -(-made // n), made
            found = np.array(visits, dtype=np.int64)
            self.mistakes_ = (found - 1) % n
            return done, found
        rows: list[Indices] = []
        last = last if self.pick == "batch" else n * last
        pause = 100 if self.pick == "batch" else pause_after(n)
        done = run_picked(machine, self.pick, min(last, pause), rng, rows)
        if not done and decide() and last > pause:
            done = run_picked(machine, self.pick, last, rng, rows)
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
        machine = Multiclass(rows, codes, start.copy(), self.eta0)
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
        machine, visits, n = Dual(Q), list[int](), len(X)
        found = None
        made, done = run_cyclic(machine, n * self.max_iter, pause_after(n), 1, visits)
        if not done:
            found = quick_decision(factor(Q))
            if found.separable is not False and made < n * self.max_iter:
                made, done = run_cyclic(machine, n * self.max_iter, math.inf, 1, visits)
        self.counts_, self.n_iter_ = machine.counts, -(-made // n)
        self.mistakes_ = (np.array(visits, dtype=np.int64) - 1) % n
        self._X, self._weights = X.copy(), signs * machine.counts
        self._certify(machine, found, done)
        self._warn(done)
        return self

    def _certify(self, machine: Dual, found: Separability | None, converged: bool) -> None:
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
