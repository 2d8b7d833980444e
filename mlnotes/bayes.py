r"""Bayes rule: the best classifier when the law is known, and what replaces it when it is not.

A law of a pair :math:`(X, Y)` with labels :math:`0, \dots, K - 1` is given in one of three forms, and every
function takes one of them:

====================  ===========  ===========================================================
name                  shape        meaning
====================  ===========  ===========================================================
``joint``             ``(m, K)``   :math:`P(X = x, Y = k)` on atoms :math:`x = 0, \dots, m-1`
``posterior``         ``(n, K)``   :math:`\eta_k(x_i) = P(Y = k \mid X = x_i)`, one row a point
``eta``               ``(n,)``     :math:`\eta(x_i) = P(Y = 1 \mid X = x_i)` when :math:`K = 2`
====================  ===========  ===========================================================

A loss is a matrix ``loss[a, k]``, shape (A, K): what the answer :math:`a` costs when the truth is :math:`k`.
The risk of a rule is :math:`R(f) = E\,\ell(f(X), Y)`; without a loss matrix the loss is 0-1, and the risk is
the probability of an error. Tables of `fractions.Fraction` or integers are computed with exactly: then risks
are fractions and ties are ties. One table of floats makes the result float64.

Ties: **the largest label among the best**. For two classes this is the textbook rule "1 if
:math:`\eta(x) \ge 1/2`".

Sources: Yan, slides on the Bayes classifier, Theorems 2.1 and 2.2; Wainwright, Lecture 2, sections 2.2 and
2.3; Recitation 7, section 1; Shi, Lecture 2. The general-loss rule is in Devroye, Györfi and Lugosi, *A
Probabilistic Theory of Pattern Recognition* (1996), chapter 2; the reject option is Chow's (1970).
"""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.base import (
    Classifier,
    LimitWarning,
    check_fitted,
    check_labels,
    check_matrix,
    check_option,
    check_probabilities,
    check_scalar,
    check_vector,
)

# ------------------------------------------------------------------- laws and Bayes' formula


def disintegrate(joint: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    r"""Split a joint table into the marginal of the rows and the conditional law of the columns.

    .. math:: \mu(x) = \sum_k P(x, k), \qquad \eta_k(x) = P(x, k) / \mu(x).

    Applied to ``joint`` this is (mu, eta) (Wainwright, section 2.3.1); applied to ``joint.T`` it is the prior
    and the class-conditional laws: the same law told in the other order.

    Returns
    -------
    marginal : ndarray of shape (m,)
    conditional : ndarray of shape (m, K)
        Rows sum to 1. A row of mass zero has no conditional law; by convention it is uniform.

    Examples
    --------
    >>> marginal, conditional = disintegrate([[0.125, 0.375], [0.5, 0.0]])
    >>> marginal.tolist(), conditional.tolist()
    ([0.5, 0.5], [[0.25, 0.75], [1.0, 0.0]])
    """
    table = check_probabilities(joint, name="joint", ndim=2, axis=None)
    marginal = table.sum(axis=1)
    null = marginal == 0
    conditional = table / np.where(null, 1, marginal)[:, None]  # (m, K)
    conditional[null] = Fraction(1, table.shape[1])
    return marginal, conditional


def joint_table(marginal: ArrayLike, conditional: ArrayLike) -> NDArray[Any]:
    r"""Return the joint law :math:`P(x, k) = \mu(x)\,\eta_k(x)`, shape (m, K); see `disintegrate`."""
    mass = check_probabilities(marginal, name="marginal", ndim=1)
    rows = check_probabilities(conditional, name="conditional", ndim=2)
    if len(mass) != len(rows):
        raise ValueError(f"marginal has {len(mass)} atoms, but conditional has {len(rows)} rows.")
    mass, rows = _aligned(mass, rows)
    return mass[:, None] * rows


def posterior(prior: ArrayLike, log_density: ArrayLike) -> NDArray[np.float64]:
    r"""Return the posterior by Bayes' formula, computed in the log domain.

    .. math:: \eta_k(x) = \frac{\pi_k f_k(x)}{\sum_j \pi_j f_j(x)}
              = \exp\bigl(s_k - \operatorname{logsumexp}_j s_j\bigr), \qquad s_k = \log \pi_k + \log f_k(x).

    Subtracting the largest :math:`s_j` first makes every exponential at most 1 and one of them equal to 1: no
    overflow, and no 0/0 even where every density underflows.

    Parameters
    ----------
    prior : array-like of shape (K,)
        Class probabilities; a class of probability 0 gets posterior 0.
    log_density : array-like of shape (n, K)
        Logarithms of the class densities (or masses) at n points, ``-inf`` where a density vanishes.

    Returns
    -------
    ndarray of float64, shape (n, K)

    Raises
    ------
    ValueError
        Where every class of positive prior has density 0: the posterior is 0/0 there.

    Notes
    -----
    Source: Yan, slides "Recap: Bayes optimal classifier"; a density in place of :math:`P(X = x \mid Y)`.

    Examples
    --------
    >>> posterior([0.5, 0.5], [[-1e4, -1e4]]).tolist()
    [[0.5, 0.5]]
    """
    weights = check_probabilities(prior, name="prior", ndim=1).astype(np.float64)
    scores = _check_reals(log_density, "log_density")
    if scores.ndim != 2 or scores.shape[1] != len(weights):
        raise ValueError(f"log_density must have shape (n, {len(weights)}), got {scores.shape}.")
    if (scores == np.inf).any():
        raise ValueError("log_density contains +inf; entries must be finite or -inf.")
    with np.errstate(divide="ignore", over="ignore"):
        scores = scores + np.log(weights)  # (n, K)
        best = scores.max(axis=1, keepdims=True)
        nowhere = best[:, 0] == -np.inf
        if nowhere.any():
            raise ValueError(
                "log_density is -inf for every class of positive prior in row "
                f"{np.argmax(nowhere)}: the posterior is 0/0 there."
            )
        masses = np.exp(scores - best)
    return masses / masses.sum(axis=1, keepdims=True)


# ------------------------------------------------------------------- losses and risk


def zero_one_loss(n_classes: int) -> NDArray[np.int64]:
    r"""Return the matrix of :math:`\ell(a, k) = 1\{a \ne k\}`, shape (K, K), int64."""
    check_scalar(n_classes, name="n_classes", kind=int, minimum=1)
    return 1 - np.eye(n_classes, dtype=np.int64)


def reject_loss(n_classes: int, cost: float) -> NDArray[Any]:
    r"""Return the 0-1 loss with one more answer, K: "I do not know", which always costs `cost`.

    The shape is (K + 1, K). The best rule answers iff :math:`\max_k \eta_k(x) > 1 - \mathrm{cost}` (Chow,
    1970). The cost is from 0 to 1; above 1 - 1/K nothing is ever rejected.
    """
    check_scalar(cost, name="cost", minimum=0, maximum=1)
    return np.vstack([zero_one_loss(n_classes), np.full((1, n_classes), cost)])


def conditional_risk(posterior: ArrayLike, loss: ArrayLike) -> NDArray[Any]:
    r"""Return the expected loss of each answer, :math:`\sum_k \ell(a, k)\,\eta_k(x)`, shape (n, A)."""
    rows = check_probabilities(posterior, name="posterior", ndim=2)
    rows, costs = _aligned(rows, _check_loss(loss, rows.shape[1]))
    return rows @ costs.T


def risk(rule: ArrayLike, joint: ArrayLike, loss: ArrayLike | None = None) -> Any:
    r"""Return the risk :math:`R(f) = \sum_{x, k} P(x, k)\,\ell(f(x), k)` of a rule on a finite law.

    Parameters
    ----------
    rule : array-like of int, shape (m,)
        The answer at each atom.
    joint : array-like of shape (m, K)
    loss : array-like of shape (A, K), optional
        0-1 loss if left out: the risk is the probability of an error (Wainwright, eq. 2.3).

    Returns
    -------
    float, or Fraction if the law (and the loss) is exact

    Examples
    --------
    >>> from fractions import Fraction
    >>> risk([1, 0], [[Fraction(1, 8), Fraction(3, 8)], [Fraction(1, 2), 0]])
    Fraction(1, 8)
    """
    table, costs = _check_law(joint, loss)
    answers = _check_answers(rule, len(costs), "rule", len(table))
    return _number((table * costs[answers]).sum())


def bayes_risk(joint: ArrayLike, loss: ArrayLike | None = None) -> Any:
    r"""Return the least risk of any rule, :math:`R^\star = \sum_x \min_a \sum_k P(x, k)\,\ell(a, k)`.

    For the 0-1 loss and two classes this is :math:`E \min(\eta, 1 - \eta)` (Yan, slide "Bayes risk").
    Parameters and result are those of `risk`.
    """
    table, costs = _check_law(joint, loss)
    return _number((table @ costs.T).min(axis=1).sum())


def excess_risk(rule: ArrayLike, joint: ArrayLike, loss: ArrayLike | None = None) -> Any:
    r"""Return :math:`R(f) - R^\star \ge 0`, summed atom by atom so that nothing cancels.

    Parameters and result are those of `risk`.
    """
    table, costs = _check_law(joint, loss)
    answers = _check_answers(rule, len(costs), "rule", len(table))
    expected = table @ costs.T  # (m, A), times the mass of the atom
    return _number((expected[np.arange(len(table)), answers] - expected.min(axis=1)).sum())


def empirical_risk(y_true: ArrayLike, y_pred: ArrayLike, loss: ArrayLike | None = None) -> float:
    r"""Return the average loss on a sample, :math:`R_n = \frac1n \sum_i \ell(\hat y_i, y_i)`.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Labels of any one type; with a loss matrix, codes 0..K-1 and answers 0..A-1.
    loss : array-like of shape (A, K), optional
        0-1 loss if left out: the training error, when the sample is the training set.
    """
    if loss is not None:
        costs = _check_loss(loss)
        codes = _check_answers(y_true, costs.shape[1], "y_true")
        return float(costs[_check_answers(y_pred, len(costs), "y_pred", len(codes)), codes].mean())
    truth, guess = (
        classes[codes]
        for classes, codes in (check_labels(y_true, name="y_true"), check_labels(y_pred, name="y_pred"))
    )
    if truth.shape != guess.shape or (truth.dtype.kind in "UO") != (guess.dtype.kind in "UO"):
        raise ValueError(
            "y_true and y_pred must have one length and one type, "
            f"got {truth.dtype} {truth.shape} and {guess.dtype} {guess.shape}."
        )
    return float(np.mean(truth != guess))


def hamming_loss(Y: ArrayLike, Z: ArrayLike) -> float:
    """Return the share of wrong entries of a multi-label prediction: 0-1 tables, shape (n, L)."""
    truth, guess = _check_multilabel(Y, Z)
    return float(np.mean(truth != guess))


def subset_loss(Y: ArrayLike, Z: ArrayLike) -> float:
    """Return the share of rows with any wrong entry: 0-1 tables, shape (n, L); never below `hamming_loss`."""
    truth, guess = _check_multilabel(Y, Z)
    return float(np.mean((truth != guess).any(axis=1)))


# ------------------------------------------------------------------- the rules


def bayes_rule_binary(eta: ArrayLike, threshold: float = 0.5) -> NDArray[np.int64]:
    r"""Return :math:`f^\star(x) = 1\{\eta(x) \ge t\}`, with :math:`t = 1/2` for the 0-1 loss.

    A tie goes to 1. Fed with an estimate of eta this is the plug-in rule. Source: Yan, "Bayes optimal
    classifier"; Wainwright, eqs. (2.4) and (2.18).

    Parameters
    ----------
    eta : array-like of shape (n,)
        P(Y = 1 | X = x), in [0, 1]; fractions are compared exactly.
    threshold : float or Fraction, default 1/2
        See `cost_threshold` for unequal costs.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    check_scalar(threshold, name="threshold", minimum=0, maximum=1)
    floats, values = check_vector(eta, name="eta", minimum=0, maximum=1), np.asarray(eta)
    return ((values if values.dtype == object else floats) >= threshold).astype(np.int64)


def bayes_rule(posterior: ArrayLike) -> NDArray[np.int64]:
    r"""Return the most probable class of each row, :math:`\arg\max_k \eta_k(x)`, shape (n,).

    A tie goes to the largest class. Source: Yan, Theorem 2.2; Recitation 7, Definition 1.1.

    Examples
    --------
    >>> bayes_rule([[0.2, 0.5, 0.3], [0.4, 0.2, 0.4]]).tolist()
    [1, 2]
    """
    return _last_argmax(check_probabilities(posterior, name="posterior", ndim=2))


def bayes_rule_for_loss(posterior: ArrayLike, loss: ArrayLike) -> NDArray[np.int64]:
    r"""Return the answer of least expected loss, :math:`\arg\min_a \sum_k \ell(a, k)\,\eta_k(x)`, shape (n,).

    Answers are 0..A-1; a tie goes to the largest. With `zero_one_loss` this is `bayes_rule`, up to rounding.
    """
    return _last_argmax(-conditional_risk(posterior, loss))


def cost_threshold(false_positive: float, false_negative: float) -> float:
    r"""Return the threshold on eta that is optimal for two costs of error.

    Answering 1 costs :math:`c_{FP}(1 - \eta)` on average, answering 0 costs :math:`c_{FN}\,\eta`; hence

    .. math:: t = c_{FP} / (c_{FP} + c_{FN}).

    Costs are >= 0, not both zero; a Fraction where they are fractions.
    """
    check_scalar(false_positive, name="false_positive", minimum=0)
    check_scalar(false_negative, name="false_negative", minimum=0)
    if not false_positive + false_negative:
        raise ValueError("false_positive and false_negative are both 0; at least one cost must be positive.")
    return false_positive / (false_positive + false_negative)


def likelihood_ratio_rule(log_ratio: ArrayLike, prior: float) -> NDArray[np.int64]:
    r"""Return the Bayes rule as a likelihood-ratio test, shape (n,); a tie goes to 1.

    .. math:: \eta(x) \ge \tfrac12 \iff \log\frac{f_1(x)}{f_0(x)} \ge \log\frac{1 - p}{p}, \quad p = P(Y = 1).

    The threshold 1 on the ratio itself (maximum likelihood) is right only for p = 1/2.

    Parameters
    ----------
    log_ratio : array-like of shape (n,)
        log f_1(x) - log f_0(x); infinite where one of the densities vanishes.
    prior : float
        P(Y = 1), strictly between 0 and 1: at the ends no likelihood can outweigh the prior.
    """
    p = float(check_scalar(prior, name="prior", above=0, below=1))
    ratio = _check_reals(log_ratio, "log_ratio")
    if ratio.ndim != 1:
        raise ValueError(f"log_ratio must be a 1-D array of shape (n,), got shape {ratio.shape}.")
    return (ratio >= math.log1p(-p) - math.log(p)).astype(np.int64)


def plugin_bound(posterior: ArrayLike, estimate: ArrayLike, marginal: ArrayLike) -> Any:
    r"""Return the bound on the excess risk of the rule that trusts an estimated posterior.

    .. math:: R(\hat g) - R^\star \le E \sum_k \lvert \eta_k(X) - \hat\eta_k(X) \rvert ,

    which for two classes is :math:`2 E \lvert \eta - \hat\eta \rvert` (Wainwright, Theorem 2.2, with the
    absolute value inside the expectation). Shapes (m, K), (m, K) and (m,).
    """
    truth, guess, mass = _aligned(
        check_probabilities(posterior, name="posterior", ndim=2),
        check_probabilities(estimate, name="estimate", ndim=2),
        check_probabilities(marginal, name="marginal", ndim=1),
    )
    if truth.shape != guess.shape or len(mass) != len(truth):
        raise ValueError(
            "posterior, estimate and marginal must have shapes (m, K), (m, K) and (m,), "
            f"got {truth.shape}, {guess.shape} and {mass.shape}."
        )
    return _number((mass * abs(truth - guess).sum(axis=1)).sum())


# ------------------------------------------------------------------- losses of a margin


def misclassification_loss(margin: ArrayLike) -> NDArray[np.float64]:
    r"""Return :math:`1\{m \le 0\}` of the margin :math:`m = y f(x)`, y = -1 or 1; m = 0 is an error."""
    return (_check_reals(margin, "margin") <= 0).astype(np.float64)


def hinge_loss(margin: ArrayLike) -> NDArray[np.float64]:
    r"""Return :math:`\max(0, 1 - m)`, the loss of the support vector machine."""
    return np.maximum(0.0, 1 - _check_reals(margin, "margin"))


def perceptron_loss(margin: ArrayLike) -> NDArray[np.float64]:
    r"""Return :math:`\max(0, -m)`: the hinge loss moved by 1. It is not a calibrated surrogate."""
    return np.maximum(0.0, -_check_reals(margin, "margin"))


def logistic_loss(margin: ArrayLike) -> NDArray[np.float64]:
    r"""Return :math:`\log(1 + e^{-m})`, computed without overflow for any m."""
    return np.logaddexp(0.0, -_check_reals(margin, "margin"))


def exponential_loss(margin: ArrayLike) -> NDArray[np.float64]:
    r"""Return :math:`e^{-m}`, the loss of AdaBoost; below -709 it leaves float64 and is refused."""
    values = _check_reals(margin, "margin")
    if values.size and values.min() < -709:
        raise ValueError(f"margin must be >= -709 for the exponential loss, got {values.min()}.")
    return np.exp(-values)


def regularised_risk(
    w: ArrayLike,
    b: float,
    X: ArrayLike,
    y: ArrayLike,
    *,
    penalty: float,
    loss: Callable[[NDArray[np.float64]], NDArray[np.float64]] = hinge_loss,
) -> float:
    r"""Return :math:`\frac1n \sum_i \phi\bigl(y_i(\langle w, x_i\rangle + b)\bigr) + \frac\lambda2\|w\|^2`.

    The bias b is not penalised. With the hinge loss and :math:`\lambda = 1/(nC)` this is :math:`1/(nC)` times
    the objective :math:`\frac12\|w\|^2 + C\sum_i \xi_i` of the support vector machine.

    Parameters
    ----------
    w : array-like of shape (d,)
    b : float
    X : array-like of shape (n, d)
    y : array-like of shape (n,)
        Labels -1 and 1.
    penalty : float
        lambda >= 0.
    loss : callable
        A loss of the margin, such as `hinge_loss`.
    """
    rows = check_matrix(X)
    weights = check_vector(w, name="w", n=rows.shape[1])
    signs = _check_entries(check_vector(y, name="y", n=len(rows)), (-1, 1), "y")
    check_scalar(b, name="b")
    check_scalar(penalty, name="penalty", minimum=0)
    return float(np.mean(loss(signs * (rows @ weights + b))) + penalty / 2 * weights @ weights)


def append_one(X: ArrayLike) -> NDArray[np.float64]:
    r"""Return X with a last column of ones: :math:`\langle[w; b], [x; 1]\rangle = \langle w, x\rangle + b`.

    Equivalent to a separate bias only as long as nothing measures or penalises the norm of the weights.
    """
    rows = check_matrix(X)
    return np.column_stack([rows, np.ones(len(rows))])


# ------------------------------------------------------------------- maximum likelihood


def bernoulli_mle(y: ArrayLike) -> float:
    r"""Return the maximum-likelihood estimate :math:`\hat p = n_1 / n` of P(Y = 1) from zeros and ones.

    The likelihood :math:`p^{n_1}(1-p)^{n - n_1}` is maximal there, also at the ends :math:`n_1 \in \{0, n\}`,
    where its derivative does not vanish. Source: Recitation 7, Example 1.3.
    """
    return float(_check_entries(check_vector(y, name="y"), (0, 1), "y").mean())


@dataclass(frozen=True, eq=False)
class Gaussian:
    r"""The normal law :math:`N(\mu, \Sigma)` on :math:`R^d`, with its maximum-likelihood fit.

    Parameters
    ----------
    mean : array-like of shape (d,)
    covariance : array-like of shape (d, d)
        Symmetric; positive definite, or the law has no density.
    """

    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]

    def __post_init__(self) -> None:
        mean = check_vector(self.mean, name="mean").copy()
        covariance = check_matrix(self.covariance, name="covariance").copy()
        if covariance.shape != (len(mean), len(mean)):
            raise ValueError(
                f"covariance must have shape ({len(mean)}, {len(mean)}), as mean has {len(mean)} entries, "
                f"got {covariance.shape}."
            )
        if abs(covariance - covariance.T).max() > 1e-12 * abs(covariance).max():
            raise ValueError("covariance must be symmetric.")
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "covariance", covariance)

    @classmethod
    def fit(cls, X: ArrayLike) -> Gaussian:
        r"""Return the maximum-likelihood fit: the mean, and the covariance with divisor n.

        .. math:: \hat\mu = \tfrac1n \sum_i x_i, \qquad
                  \hat\Sigma = \tfrac1n \sum_i (x_i - \hat\mu)(x_i - \hat\mu)^\top .

        :math:`E\hat\Sigma = \frac{n-1}{n}\Sigma`: maximum likelihood is biased. With fewer than d + 1 rows
        the covariance is singular and the fit has no density.
        """
        rows = check_matrix(X)
        centred = rows - rows.mean(axis=0)
        return cls(rows.mean(axis=0), centred.T @ centred / len(rows))

    def log_density(self, X: ArrayLike) -> NDArray[np.float64]:
        r"""Return :math:`-\frac12(d\log 2\pi + \log\det\Sigma + \|L^{-1}(x - \mu)\|^2)`, shape (n,).

        :math:`L` is the Cholesky factor of :math:`\Sigma`; cost :math:`O(d^3 + nd^2)`. -inf where the square
        leaves float64.

        Raises
        ------
        ValueError
            If the covariance is not positive definite.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            white = self.whiten(X)
            distance = np.einsum("nd,nd->n", white, white)
        distance[~np.isfinite(distance)] = np.inf
        log_det = -2 * float(np.log(np.diag(self._inverse_factor)).sum())
        return -0.5 * (len(self.mean) * math.log(2 * math.pi) + log_det + distance)

    def whiten(self, X: ArrayLike) -> NDArray[np.float64]:
        r"""Return the rows :math:`L^{-1}(x_i - \mu)`, shape (n, d): standard normal under the law."""
        rows = check_matrix(X)
        if rows.shape[1] != len(self.mean):
            raise ValueError(f"X must have {len(self.mean)} features, got {rows.shape[1]}.")
        return (rows - self.mean) @ self._inverse_factor.T

    def score_residual(self, X: ArrayLike) -> float:
        r"""Return how far the likelihood equations are from holding on X: 0 at the maximum.

        They say that the whitened rows have mean 0 and second moments I; this is the largest deviation.
        """
        white = self.whiten(X)
        moments = white.T @ white / len(white) - np.eye(white.shape[1])
        return float(max(abs(white.mean(axis=0)).max(), abs(moments).max()))

    def floored(self, scale: NDArray[np.float64], smallest: float = 1e-9) -> Gaussian:
        r"""Return the law with no direction of relative variance below `smallest`, in units of `scale`.

        Eigenvalues of :math:`D^{-1}\Sigma D^{-1}`, D = diag(scale), are raised to `smallest`; if none is
        below it, the law comes back unchanged.
        """
        values, vectors = np.linalg.eigh(self.covariance / np.outer(scale, scale))
        if values[0] >= smallest:
            return self
        root = scale[:, None] * vectors * np.sqrt(np.maximum(values, smallest))
        return Gaussian(self.mean, root @ root.T)

    @cached_property
    def _inverse_factor(self) -> NDArray[Any]:
        try:
            return np.linalg.inv(np.linalg.cholesky(self.covariance))
        except np.linalg.LinAlgError as error:
            raise ValueError(
                "covariance is not positive definite, so the law has no density; "
                f"its smallest eigenvalue is {np.linalg.eigvalsh(self.covariance)[0]:.3g}."
            ) from error


def rejection_threshold(scores: ArrayLike, rate: float) -> float:
    r"""Return the threshold under which at most the share `rate` of the training scores fall.

    With n different scores exactly :math:`\lfloor \mathrm{rate}\cdot n \rfloor` are strictly below it: a
    novelty detector that rejects scores below the threshold rejects that many of its own training rows.

    Parameters
    ----------
    scores : array-like of shape (n,)
        How normal each training row looks, such as log densities.
    rate : float
        From 0 up to, not including, 1.
    """
    values = check_vector(scores, name="scores")
    check_scalar(rate, name="rate", minimum=0, below=1)
    return float(np.sort(values)[math.floor(rate * len(values))])


# ------------------------------------------------------------------- the plug-in classifier


class PlugInClassifier(Classifier):
    r"""The generative plug-in rule: estimate priors and class densities, then apply Bayes' formula.

    .. math:: \hat\pi_k = n_k / n, \qquad \hat f_k \text{ fitted to the rows of class } k, \qquad
              \hat g(x) = \arg\max_k \hat\pi_k \hat f_k(x).

    With the true priors and densities it is the Bayes rule itself. Source: Yan, slides "Recap: Bayes optimal
    classifier".

    Parameters
    ----------
    density : "gaussian" or object, default "gaussian"
        The class densities: by maximum likelihood (divisor n_k), or any object whose ``fit(X)`` returns one
        with ``log_density(X)`` of shape (n,), such as a class of your own. Each class gets a copy.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    prior_ : ndarray of shape (K,)
    densities_ : list of fitted densities, one a class
    certificate_ : dict
        ``log_likelihood``: of the training data, sum of :math:`\log \hat\pi_{y_i} \hat f_{y_i}(x_i)`.
        ``score``: for Gaussians, how far the likelihood equations are from holding: rounding, at the maximum.
    n_features_in_ : int

    Raises
    ------
    ValueError
        With fewer than two classes: with nothing to tell apart, a constant answer would hide the mistake.

    Notes
    -----
    A class that hardly varies in some direction (a constant feature, or n_k <= d) has no usable density.
    Where its variance is below 1e-9 of that of all rows (of the square, for a feature that is constant in all
    of them) it is raised to that, and a `LimitWarning` says so.
    Cost of fit :math:`O(nd^2 + Kd^3)`. Ties go to the largest class, as in `bayes_rule`.

    Examples
    --------
    >>> model = PlugInClassifier().fit([[0.0], [1.0], [4.0], [5.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.2], [9.0]]).tolist()
    ['a', 'b']
    """

    def __init__(self, density: Any = "gaussian") -> None:
        self.density = density

    def fit(self, X: ArrayLike, y: ArrayLike) -> PlugInClassifier:
        """Fit to rows X, shape (n, d), and their labels y, shape (n,); return self."""
        X, codes = self._start_fit(X, y, min_classes=2)
        groups = [X[codes == k] for k in range(len(self.classes_))]
        self.prior_ = np.bincount(codes) / len(X)
        if isinstance(self.density, str):
            check_option(self.density, name="density", options=("gaussian",))
            self.densities_ = self._fit_gaussians(groups, X)
        elif hasattr(self.density, "fit"):
            self.densities_ = [copy.deepcopy(self.density).fit(rows) for rows in groups]
        else:
            raise ValueError(f"density must be 'gaussian' or have a method fit(X), got {self.density!r}.")
        self.certificate_ = self._certify(groups)
        return self

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the estimated posterior, shape (n, K), columns in the order of ``classes_``."""
        X = self._check_input(X)
        return posterior(self.prior_, np.column_stack([_log_density(f, X) for f in self.densities_]))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each row, shape (n,)."""
        check_fitted(self)
        return self.classes_[_last_argmax(self.predict_proba(X))]

    def _fit_gaussians(self, groups: list[NDArray[np.float64]], X: NDArray[np.float64]) -> list[Gaussian]:
        size = abs(X).max(axis=0)
        if size.max() > 1e150:
            raise ValueError(
                f"X has an entry of size {size.max():.3g}; beyond 1e150 its square leaves float64."
            )
        constant = np.ptp(X, axis=0) <= 8 * np.finfo(np.float64).eps * size  # but for rounding
        scale = np.where(constant, np.where(size > 0, size, 1.0), X.std(axis=0))
        fits = [Gaussian.fit(rows) for rows in groups]
        floored = [fit.floored(scale) for fit in fits]
        thin = [str(self.classes_[k]) for k in range(len(fits)) if floored[k] is not fits[k]]
        if thin:
            warnings.warn(
                f"class {', '.join(thin[:5])}{' and others' * (len(thin) > 5)} hardly varies "
                "in some direction; the variance there is raised to 1e-9 of that of all rows.",
                LimitWarning,
                stacklevel=3,
            )
        return floored

    def _certify(self, groups: list[NDArray[np.float64]]) -> dict[str, float]:
        pairs = list(zip(self.densities_, groups, strict=True))
        logs = [_log_density(f, rows) + np.log(p) for p, (f, rows) in zip(self.prior_, pairs, strict=True)]
        certificate = {"log_likelihood": float(np.concatenate(logs).sum())}
        if isinstance(self.density, str):
            certificate["score"] = max(f.score_residual(rows) for f, rows in pairs)
        return certificate


# ------------------------------------------------------------------- checks of this module's arguments


def _last_argmax(scores: NDArray[Any]) -> NDArray[np.int64]:
    """Return the position of the largest entry of each row, the last one on ties."""
    return (scores.shape[1] - 1 - np.argmax(scores[:, ::-1], axis=1)).astype(np.int64)


def _number(value: Any) -> Any:
    return value if isinstance(value, Rational) else float(value)


def _aligned(*tables: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return the tables as they are if all are exact, else all of them as float64."""
    exact = all(table.dtype.kind != "f" for table in tables)
    return tables if exact else tuple(table.astype(np.float64, copy=False) for table in tables)


def _log_density(density: Any, X: NDArray[np.float64]) -> NDArray[np.float64]:
    logs = _check_reals(density.log_density(X), "log_density(X) of the density")
    if logs.shape != (len(X),):
        raise ValueError(f"log_density(X) of the density must have shape ({len(X)},), got {logs.shape}.")
    return logs


def _check_reals(values: ArrayLike, name: str) -> NDArray[np.float64]:
    """Return real numbers as float64, in any shape; infinities have a meaning here, NaN has none."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "buifO":
            raise TypeError
        array = array.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be an array of real numbers, got {values!r:.60}.") from None
    if np.isnan(array).any():
        raise ValueError(f"{name} contains NaN.")
    return array


def _check_entries(array: NDArray[np.float64], allowed: tuple[int, int], name: str) -> NDArray[np.float64]:
    other = array[(array != allowed[0]) & (array != allowed[1])]
    if other.size:
        raise ValueError(f"{name} must have entries {allowed[0]} and {allowed[1]}, got {other.flat[0]}.")
    return array


def _check_loss(loss: ArrayLike, n_classes: int | None = None) -> NDArray[Any]:
    costs = np.asarray(loss)
    rational = costs.dtype == object and all(isinstance(cost, Rational) for cost in costs.flat)
    if not (rational or costs.dtype.kind in "iu"):
        costs = check_matrix(costs, name="loss")
    if costs.ndim != 2 or not costs.size or n_classes not in (None, costs.shape[1]):
        raise ValueError(f"loss must have shape (n_answers, {n_classes or 'K'}), got {costs.shape}.")
    return costs


def _check_law(joint: ArrayLike, loss: ArrayLike | None) -> tuple[NDArray[Any], ...]:
    table = check_probabilities(joint, name="joint", ndim=2, axis=None)
    n_classes = table.shape[1]
    return _aligned(table, zero_one_loss(n_classes) if loss is None else _check_loss(loss, n_classes))


def _check_answers(rule: ArrayLike, n_answers: int, name: str, n: int | None = None) -> NDArray[np.int64]:
    answers = np.asarray(rule)
    if (
        answers.dtype.kind not in "bui"
        or answers.ndim != 1
        or n not in (None, len(answers))
        or not answers.size
    ):
        wanted = "(n,)" if n is None else f"({n},)"
        raise ValueError(f"{name} must be integers of shape {wanted}, got {answers.dtype} {answers.shape}.")
    if answers.min() < 0 or answers.max() >= n_answers:
        raise ValueError(
            f"{name} must have entries from 0 to {n_answers - 1}, got {answers.min()} to {answers.max()}."
        )
    return answers.astype(np.int64)


def _check_multilabel(Y: ArrayLike, Z: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    truth, guess = (_check_entries(check_matrix(T, name=n), (0, 1), n) for T, n in ((Y, "Y"), (Z, "Z")))
    if truth.shape != guess.shape:
        raise ValueError(f"Y and Z must both have shape (n, L), got {truth.shape} and {guess.shape}.")
    return truth, guess
