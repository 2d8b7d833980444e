r"""The perceptron: weights that change only at a mistake, and how many mistakes there can be.

Two classes, labels :math:`y_i = \pm 1`, examples :math:`x_i` with a 1 appended where there is an intercept,
signed examples :math:`z_i = y_i x_i`. A weight vector makes a mistake on example i if
:math:`\langle w, z_i\rangle \le 0`: with *at most* zero, so that the start :math:`w = 0` is wrong everywhere.
The update is :math:`w \leftarrow w + \eta z_i` for some mistake i, until there is none.

If a unit vector u has the margin :math:`\delta = \min_i\langle u, z_i\rangle > 0` and
:math:`R = \max_i\|z_i\|`, then from :math:`w = 0` there are at most :math:`R^2/\delta^2` updates, whichever
mistake is picked each time. If no vector separates the data, some convex combination of the :math:`z_i` is
zero, and the updates never end. The algorithm in plain code: `mlnotes.perceptron`.

At a score of exactly zero the second class is predicted (the +1 of chapter 10); with more classes the
largest class among the best scores.

Sources: Yan, slides "Linearly separable data" to "Theorem 2.3"; Wainwright, section 2.3.4 and Theorem 2.3
(Novikoff 1962); Shi, "Perceptron Algorithm", equation (1); chapter 10, section 10.1.6. Averaged and voted
vectors and the bound with slack: Freund and Schapire (1999). Wolfe (1976) for the point of smallest norm.
"""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.engines import perceptron_loops as loops
from mlnotes.engines.perceptron_loops import Run, SeveralClasses, TwoClasses
from mlnotes.engines.perceptron_separability import Separability, decide, decide_exactly
from mlnotes.engines.rows import last_argmax_of_columns
from mlnotes.estimators.base import (
    Classifier,
    ConvergenceWarning,
    check_count,
    check_matrix,
    check_option,
    check_rng,
    check_scalar,
    check_squares,
    check_vector,
)
from mlnotes.perceptron import mistake_bound, mistake_bound_from, signed_examples

__all__ = ["PICKS", "KernelPerceptron", "Perceptron", "Separability", "separability"]

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

PICKS = ("cyclic", *loops.PICKS)
_LEAST, _LARGEST = 1e-75, 1e75  # of entries, the step, and the start in steps: a bound has fourth powers
_PATIENCE = 1e8  # updates that a bound may ask for before the advice is another method


# ------------------------------------------------------------------- are the data separable?


def separability(
    Z: ArrayLike, *, exact: bool = False, best: bool = True, max_iter: int = 10_000
) -> Separability:
    r"""Decide whether some w has :math:`\langle w, z_i\rangle > 0` for all i, with a proof either way.

    Wolfe's algorithm for the point of smallest norm in the convex hull of the examples. If it is not zero, it
    is the best separator; if it is zero, the combination proves that there is none.

    Parameters
    ----------
    Z : array-like of shape (n, D)
        Signed examples; with ``exact`` also integers or `fractions.Fraction`.
    exact : bool, default False
        Compute in fractions, for small data: then only ``max_iter`` can leave it undecided.
    best : bool, default True
        Go on to the best margin, where both bounds meet; False stops at the first separator.
    max_iter : int, default 10_000
        After as many steps the bounds stand as they are, and ``separable`` is None if they do not decide.

    Notes
    -----
    An iteration costs :math:`O(nD)` and a least squares problem of the points that carry weight, at most
    D + 1, :math:`O(D^3)`; about 3 D iterations are usual. So 400 dimensions take two seconds, and twice as
    many sixteen times as long. What floats leave open, as a margin below their rounding, ``exact`` decides
    for small data.

    Examples
    --------
    >>> separability([[1.0, 1.0], [1.0, -1.0]]).w.tolist()
    [1.0, 0.0]
    >>> [str(a) for a in separability([[2, 0], [-1, 1], [-1, -1]], exact=True).weights]
    ['1/3', '1/3', '1/3']
    """
    check_count(max_iter, name="max_iter")
    rows = check_matrix(Z, name="Z")
    if not exact:
        return decide(rows, best=best, max_iter=max_iter)
    table = np.array([[Fraction(entry) for entry in row] for row in np.asarray(Z).tolist()], dtype=object)
    return decide_exactly(table, best=best, max_iter=max_iter)


# ------------------------------------------------------------------- the classifiers


class _MistakeDriven(Classifier):
    """What both classifiers share: predictions from scores, and the report on how the fit ended."""

    max_iter: int
    certificate_: dict[str, Any]

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the predicted classes, shape (n,); a score of exactly 0 gives the second class."""
        scores = self._scores(self._check_input(X))
        if scores.ndim == 1:
            return self.classes_[(scores >= 0).astype(np.intp)]
        return self.classes_[last_argmax_of_columns(scores.T)]

    def decision_function(self, X: ArrayLike) -> Array:
        """Return the scores, shape (n,) for two classes, else (n, K)."""
        return self._scores(self._check_input(X))

    def _scores(self, X: Array) -> Array:
        raise NotImplementedError

    def _report(self, run: Run, radius: float, size: float, norm: float = 0.0, along: float = 0.0) -> None:
        """Set what the run proves; from the norm of its last weights, norm and along of its start."""
        delta = run.smallest / size if size else 0.0
        bound = float(mistake_bound_from(radius, delta, norm, along)) if delta > 0 else math.inf
        self.mistakes_ = run.examples
        self.certificate_ = {
            "mistakes": len(run.examples),
            "radius": radius,
            "margin": delta,
            "bound": bound,
            "separable": True if run.done else run.proof and run.proof.separable,
            "lower": max(delta, run.proof.lower if run.proof else 0.0),
            "upper": run.proof.upper if run.proof else radius,
        }

    def _warn(self, converged: bool) -> None:
        report = self.certificate_
        if converged:
            return
        if report["separable"] is False:
            message = (
                "no hyperplane separates the classes: with the convex weights `combination_` the signed "
                f"examples add up to zero (norm {report['upper']:.2g}). The updates would go on for ever; "
                f"they were stopped after {report['mistakes']}."
            )
        else:
            known = report["lower"] if report["separable"] else report["upper"]
            n_updates = float(mistake_bound(report["radius"], known)) if known else math.inf
            if report["separable"]:
                number = f"{n_updates:.0f}" if n_updates < 1e6 else f"{n_updates:.3g}"
                limit = (
                    f"the data can be separated with a margin of {known:.3g}, so that {number} updates "
                    "from zero are enough"
                )
            else:
                limit = (
                    "whether any hyperplane does was not decided within some seconds (`separability` of "
                    f"the signed examples takes as many steps as you allow); no margin is above {known:.3g}"
                )
            advice = "Scale the features, or fit an SVC" if n_updates > _PATIENCE else "Raise max_iter"
            message = (
                f"max_iter={self.max_iter} passes and {report['mistakes']} updates were not enough to "
                f"separate the training examples; {limit}. {advice}."
            )
        warnings.warn(message, ConvergenceWarning, stacklevel=3)


class Perceptron(_MistakeDriven):
    r"""Rosenblatt's perceptron: while there is a mistake, :math:`w \leftarrow w + \eta z_i` at one of them.

    Parameters
    ----------
    pick : {"cyclic", "first", "random", "worst", "batch"}, default "cyclic"
        Which mistake is next: the next one in the order of the examples, again and again; the first one;
        one at random, all equally likely; the one of smallest :math:`\langle w, z_i\rangle`; all of them
        at once (Shi, equation (1)).
    output : {"last", "average", "vote"}, default "last"
        Which weights predict: the last ones; their mean over all visits; or a vote in which each counts as
        often as it was visited and kept. The others need ``pick="cyclic"``, a vote two classes.
    eta0 : float, default 1.0
        The step :math:`\eta`, from 1e-75 to 1e75. From the start zero it only multiplies w.
    fit_intercept : bool, default True
    max_iter : int, default 1000
        Passes over the training set; ``n * max_iter`` updates for "first", "random" and "worst".
    random_state : int, Generator or None, default None
        For ``pick="random"``.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    coef_ : ndarray of shape (1, d), or (K, d) for K > 2 classes
        For two classes the second one is +1.
    intercept_ : ndarray of shape (1,) or (K,)
    mistakes_ : ndarray of int, shape (t,)
        The example of every update, in order: enough to replay the fit.
    certificate_ : dict
        ``mistakes``: t. ``radius``: R. ``margin``: of the last weights. ``bound``: on the number of updates,
        from that margin (infinite if it is not positive, and for "batch" n times as large). ``separable``:
        True, False, or None if it was not decided within some seconds. ``lower``, ``upper``: bounds on the
        best margin, as in `Separability`.
    combination_ : ndarray of shape (n,), or (n, K)
        Only if the data cannot be separated: convex weights with which the signed examples add up to zero.
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
    More than two classes have one weight vector each; an example is a mistake unless its class scores more
    than every other, and the update adds it to its class and subtracts it from the best other one. This is
    the perceptron on examples with :math:`\|z\| \le \sqrt2\|x\|` (Kesler's construction).

    Products of many examples with the weights are computed at once, and the sign of a product below its
    rounding error is decided by the product of the single example: the run is bit for bit that of the plain
    loop.

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
        """Fit to examples X, shape (n, d), and labels y, from weights in the shapes of the fitted ones."""
        X, codes = self._start_fit(X, y, min_classes=2)
        check_squares(X, limit=_LARGEST, powers="fourth powers")
        rng = self._check_parameters()
        start = self._start(len(self.classes_), X.shape[1], coef_init, intercept_init)  # (K or 1, D)
        W, binary = start.copy(), len(start) == 1  # the run changes W
        signs = 2 * codes - 1 if binary else np.ones(len(X))
        rows = np.ascontiguousarray(signed_examples(X, signs, fit_intercept=self.fit_intercept))
        state = TwoClasses(rows, W[0], self.eta0) if binary else SeveralClasses(rows, codes, W, self.eta0)
        run = self._run(state, rng)
        self._report_from(start / self.eta0, W, state, run)
        if run.proof and run.proof.separable is False:
            weights = run.proof.weights
            self.combination_ = weights if binary else loops.as_table(weights, codes, len(W))
        self._set_output(state, start, W, run)
        self._warn(run.done)
        return self

    def _report_from(self, start: Array, W: Array, state: TwoClasses | SeveralClasses, run: Run) -> None:
        """Set what the run from these weights, in steps, to W proves; a batch adds up to n examples."""
        norm, size = float(np.linalg.norm(start)), float(np.linalg.norm(W))
        along = float((W * start).sum()) / size if size else 0.0
        self._report(run, state.radius, size, norm, min(max(along, -norm), norm))
        if self.pick == "batch":
            self.certificate_["bound"] *= state.n

    def _check_parameters(self) -> np.random.Generator | None:
        check_option(self.pick, name="pick", options=PICKS)
        check_option(self.output, name="output", options=("last", "average", "vote"))
        check_option(self.fit_intercept, name="fit_intercept", options=(True, False))
        check_scalar(self.eta0, name="eta0", minimum=_LEAST, maximum=_LARGEST)
        check_count(self.max_iter, name="max_iter")
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
        largest = abs(W).max() / self.eta0
        if W.any() and not _LEAST <= largest <= _LARGEST:
            raise ValueError(
                f"the weights to start from have entries up to {largest:.3g} steps; the largest must lie "
                f"between {_LEAST:g} and {_LARGEST:g}."
            )
        return W

    def _run(self, state: TwoClasses | SeveralClasses, rng: np.random.Generator | None) -> Run:
        n, batch = state.n, self.pick == "batch"
        if self.pick == "cyclic":
            run = loops.run_in_order(state, n * self.max_iter)
            self.n_iter_ = -(-run.n_visits // n)
        else:
            last = self.max_iter if batch else n * self.max_iter
            pause = loops.pause_after(n, batch)
            run = loops.run_by_choice(state, last, loops.PICKS[self.pick], rng, pause)
            self.n_iter_ = max(1, run.n_visits)
        return run

    def _set_output(self, state: TwoClasses | SeveralClasses, start: Array, W: Array, run: Run) -> None:
        """Set coef_ and intercept_ to the weights that predict; for a vote keep all vectors and counts."""
        d = self.n_features_in_
        if self.output == "average":
            # the vector after visit v counts once for every v: an update counts from its visit to the end
            W = start + self._moves(state, start, (run.n_visits - run.visits + 1) / run.n_visits)
        if self.output == "vote":
            updates = self.eta0 * state.signed_examples()[run.examples]
            self.path_ = np.cumsum(np.vstack([start, updates]), axis=0)  # (t + 1, D)
            self.votes_ = np.diff(np.concatenate([[1], run.visits, [run.n_visits + 1]]))
        self.coef_ = W[:, :d].copy()
        self.intercept_ = W[:, d].copy() if self.fit_intercept else np.zeros(len(W))

    def _moves(self, state: TwoClasses | SeveralClasses, start: Array, share: Array) -> Array:
        """Return the updates added up with the given shares; of several classes by replaying them."""
        if isinstance(state, TwoClasses):
            return (share @ state.moves[self.mistakes_])[None]
        again, total = SeveralClasses(state.X, state.codes, start.copy(), self.eta0), np.zeros_like(start)
        for i, part in zip(self.mistakes_, share, strict=True):
            before = again.w.copy()
            again.update(int(i))
            total += part * (again.w - before)
        return total

    def _scores(self, X: Array) -> Array:
        if self.output == "vote":
            rows = signed_examples(X, np.ones(len(X)), fit_intercept=self.fit_intercept)
            return np.where(rows @ self.path_.T >= 0, 1.0, -1.0) @ self.votes_
        scores = X @ self.coef_.T + self.intercept_
        return scores[:, 0] if scores.shape[1] == 1 else scores


class KernelPerceptron(_MistakeDriven):
    r"""The perceptron in Gram form: :math:`w = \sum_i\alpha_iz_i`, :math:`\alpha_i` the updates at example i.

    Only inner products enter, so that any kernel can take their place. With the linear kernel the mistakes
    are those of `Perceptron`.

    Parameters
    ----------
    kernel : "linear" or callable, default "linear"
        A callable gets X, shape (n, d), and X', shape (m, d), and returns the products, shape (n, m).
    fit_intercept : bool, default True
        Adds 1 to the kernel: the merged intercept.
    max_iter : int, default 1000
        Passes over the training set.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    counts_ : ndarray of int, shape (n,)
        :math:`\alpha`.
    mistakes_ : ndarray of int, shape (t,)
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
        """Fit to examples X, shape (n, d), and labels y, shape (n,); return self."""
        X, codes = self._start_fit(X, y, min_classes=2)
        if len(self.classes_) > 2:
            raise ValueError(
                "Only binary classification is supported. KernelPerceptron got "
                f"{len(self.classes_)} classes: {self.classes_.tolist()}."
            )
        check_option(self.fit_intercept, name="fit_intercept", options=(True, False))
        check_count(self.max_iter, name="max_iter")
        check_squares(X, limit=_LARGEST, powers="fourth powers")
        gram = self._gram(X, X)
        if abs(gram - gram.T).max() > 1e-10 * abs(gram).max():
            raise ValueError(
                f"kernel must be symmetric; its matrix differs by {abs(gram - gram.T).max():.3g}."
            )
        signs = 2.0 * codes - 1
        state = loops.InnerProducts(signs[:, None] * gram * signs)
        run = loops.run_in_order(state, len(X) * self.max_iter)
        self.counts_, self.n_iter_ = state.counts, -(-run.n_visits // len(X))
        self._X, self._weights = X.copy(), signs * state.counts
        self._report(run, state.radius, math.sqrt(max(float(state.counts @ state.scores), 0.0)))
        if run.proof and run.proof.separable is False:
            self.combination_ = run.proof.weights
        self._warn(run.done)
        return self

    def _gram(self, A: Array, B: Array) -> Array:
        if callable(self.kernel):
            table = check_matrix(self.kernel(A, B), name="the result of kernel")
            if table.shape != (len(A), len(B)):
                raise ValueError(f"kernel must return shape ({len(A)}, {len(B)}), got shape {table.shape}.")
        else:
            check_option(self.kernel, name="kernel, unless it is callable,", options=("linear",))
            table = A @ B.T
        return table + 1.0 if self.fit_intercept else table

    def _scores(self, X: Array) -> Array:
        used = np.flatnonzero(self._weights)  # not empty: from zero the first example is a mistake
        return self._gram(X, self._X[used]) @ self._weights[used]

    def __sklearn_tags__(self) -> Any:
        """Add that there are two classes."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
