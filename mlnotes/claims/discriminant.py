"""The statements on discriminant analysis as executable claims, in the order of the lecture.

The truth is computed in `gaussians`: densities by `slogdet` and `solve`, estimates by sums.
Random covariances are B B' + 2 I with small integers in B, so that their condition number is at most 14 and
the rounding errors of a solve are a small multiple of u times the scores.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, hard_cases, rounding, statement
from mlnotes.checking.outputs import as_numbers, quiet_fit, refuses
from mlnotes.claims.instances.gaussians import estimates, log_joint, softmax
from mlnotes.datasets import recitation_example

OUTPUTS = {
    "LinearDiscriminantAnalysis.predict": "(n,) any", "LinearDiscriminantAnalysis.predict_proba": "(n, K)",
    "QuadraticDiscriminantAnalysis.decision_function": "(n,)",
    "QuadraticDiscriminantAnalysis.predict": "(n,) any",
    "QuadraticDiscriminantAnalysis.predict_proba": "(n, K)", "class_covariances": "(n, K, d)",
    "half_space": "(n,)", "linear_argmax": "(n,)", "linear_discriminants": "(n, K)",
    "pooled_covariance": "(n, n)", "quadratic_discriminants": "(n, K)",
}  # fmt: skip


# ------------------------------------------------------------------- instances and the truth about them
def _covariances(rng, K, d):
    B = rng.integers(-1, 2, (K, d, d))
    return (B @ B.transpose(0, 2, 1) + 2 * np.eye(d)).astype(np.float64)


def _model(rng, K=3, d=3, n=25):
    """Return priors with a factor of at least 4 between two of them, means, covariances and n points."""
    prior = np.array([8, 2, *rng.integers(1, 9, K - 2)]) / 16
    prior /= prior.sum()
    covariances = _covariances(rng, K, d) + 0.5  # no two features are uncorrelated
    return prior, rng.integers(-3, 4, (K, d)) / 2, covariances, rng.integers(-8, 9, (n, d)) / 4


def _against_first(scores):
    """Return the differences to the first class: whatever is common to all classes is gone."""
    return scores[:, 1:] - scores[:, :1]


def _slack(scores):
    """Return the tolerance for scores from a solve of condition at most 14."""
    return rounding(60, 14 * (1 + float(abs(scores).max())))


def _lost(truth, scores):
    """Return what the class of the largest score has less of log posterior than the best; NaN stays."""
    return truth.max(axis=1) - truth[np.arange(len(truth)), scores.argmax(axis=1)] + 0 * scores.sum(axis=1)


def _sample(rng, counts=(24, 12, 9), d=3):
    """Return integer observations in classes of unequal size, in general position in each, shuffled."""
    y = np.repeat(np.arange(len(counts)), counts)
    X = rng.integers(-3, 4, (len(y), d)) + rng.integers(-4, 5, (len(counts), d))[y]
    for k in range(len(counts)):
        first = np.flatnonzero(y == k)[: d + 1]
        X[first] = X[first[0]] + 6 * np.eye(len(first), d, k=-1, dtype=np.int64)
    order = rng.permutation(len(y))
    return X[order].astype(np.float64), y[order]


def _unequal(n):
    """Return the sizes of three classes, the smallest of n observations."""
    return n + 5 * n // 3, n + n // 3, n


def _predictions(model, X, y):
    """Return the predictions on the training data: a model may be refused here or by fit."""
    return model.fit(X, y).predict(X)


def _affine_map(rng, d):
    """Return an invertible integer matrix and an integer vector; the determinant is 1, 2, 3 or minus that."""
    lower, upper = np.tril(rng.integers(-1, 2, (d, d)), -1), np.triu(rng.integers(-1, 2, (d, d)), 1)
    stretch = np.diag([*[1] * (d - 1), rng.choice([-3, -2, -1, 1, 2, 3])])
    A = (lower + np.eye(d)) @ stretch @ (upper + np.eye(d))
    return A, rng.integers(-16, 17, d).astype(np.float64)


def _is_plugged_in(Model, X, y, points, logs, covariances, affine):
    """Yield that a fit has the posterior of `logs`, also after an affine map; return it and the slack."""
    model = Model().fit(X, y)
    posterior, slack = model.predict_proba(points), (1 + abs(logs).max()) * np.linalg.cond(covariances).max()
    slack = rounding(60, float(slack))
    yield equal("posterior against the formula", posterior, softmax(logs), slack, points=points)
    A, c = affine
    moved = Model().fit(X @ A + c, y).predict_proba(points @ A + c)
    wider = 2 * slack * float(np.linalg.cond(A)) ** 2  # cond(A'SA) <= cond(A)^2 cond(S)
    yield equal("posterior after an affine map, against that before", moved, posterior, wider, A=A, c=c)
    return model, slack


# ------------------------------------------------------------------- 1 Linear classifiers
@statement("definition", "1", "Yan, linear classifiers", "Wainwright, eq. (2.23)", "Shi, decision functions")
def linear_hyperplane(half_space, rng):
    r"""An affine hyperplane $\langle\beta, x\rangle + \beta_0 = 0$ divides space into the closed half-space
    $H^+$ ($\ge 0$) and the open one $H^-$ ($< 0$); $f(x) = 1\{x \in H^+\}$ predicts 1 or 0 everywhere, 1
    on the hyperplane itself."""
    X = rng.integers(-6, 7, (40, 2))
    normal, offset = np.array([2, -1]), int(rng.choice([-3, -2, -1, 1, 2, 3]))
    X[:5] = [[t, 2 * t + offset] for t in range(-2, 3)]  # on the hyperplane
    X[5:10] = X[:5] + np.ones(2, dtype=np.int64)  # next to it, value 1
    X[10:15] = X[:5] - np.ones(2, dtype=np.int64)
    value = X @ normal + offset
    predicted, other = (half_space(X * 1.0, sign * normal, sign * offset) for sign in (1.0, -1.0))
    yield equal("predictions", predicted, value >= 0, X=X, offset=offset)
    yield equal("predictions of the opposite side", other, value <= 0, X=X)


@statement("definition", "1", "Shi, decision functions")
def linear_multiclass_argmax(linear_argmax, rng):
    r"""The linear rule for $K$ classes, $\arg\max_k \langle x, w_k\rangle$, does not change when one vector
    is added to every $w_k$; for $K = 2$ it is the half-space of $w_1 - w_0$."""
    X, W = rng.integers(-6, 7, (60, 3)), rng.integers(-4, 5, (4, 3))
    W[1] = 3 * W[0] + [1, 0, 0]  # longer, nearly the same direction
    scores = X @ W.T
    for name, common in (
        ("predictions", np.zeros(3)),
        ("predictions after a shift", rng.integers(-9, 10, 3)),
    ):
        codes = linear_argmax(X.astype(float), W + common)
        chosen = np.where(codes[:, None] == np.arange(4), scores, -np.inf).max(axis=1)
        yield equal(f"score of the {name}", chosen, scores.max(axis=1), X=X, W=W)
    gap = X @ (W[1] - W[0])
    codes = linear_argmax(X.astype(float), W[:2].astype(float))
    yield equal("two classes", codes[gap != 0], (gap > 0)[gap != 0].astype(float), X=X, W=W)


_CORNERS = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
_CLOUDS = (  # labels, and a separating (normal, offset)
    ([0, 1, 0, 0], ([1.0, 1.0], -1.5)),
    ([0, 1, 1, 1], ([1.0, 1.0], -0.5)),
    ([0, 1, 1, 0], ([0.0, 1.0], -0.5)),
)


@statement("figure", "1", "Shi, separability")
def linear_separability_figure(half_space):
    r"""Of four labellings of the corners of a square three are separated by a line. The fourth, the
    diagonals, is not: both classes have the mean $(\frac12, \frac12)$, and no half-space contains one
    convex hull without a point of the other."""
    for name, (labels, plane) in zip("abc", _CLOUDS, strict=True):
        predicted = half_space(_CORNERS, *plane)
        yield equal(f"labels of cloud {name}", predicted, np.array(labels, dtype=float))
    hulls = _CORNERS[:2].mean(axis=0), _CORNERS[2:].mean(axis=0)
    yield equal("a point in both hulls of cloud d", *hulls)


@statement("claim", "1", "Shi, separability")
def linear_nonlinear_needed(half_space):
    r"""Data that no half-space separates can become separable after a non-linear map: the diagonals of a
    square after $x \mapsto (x_1, x_2, x_1 x_2)$."""
    lifted = np.column_stack([_CORNERS, _CORNERS.prod(axis=1)])
    yield equal("labels of the diagonals", half_space(lifted, [1.0, 1.0, -2.0], -0.5), [0, 0, 1, 1])


# ------------------------------------------------------------------- 2 Gaussian classes
@statement("definition", "2", "Yan, LDA")
def lda_model(linear_discriminants):
    r"""The model of LDA: $P(Y = k) = \pi_k > 0$ and $X \mid Y = k \sim N(\mu_k, \Sigma)$ with one
    *positive definite* $\Sigma$. A singular $\Sigma$, or a prior of zero, is refused."""
    X, means, half = np.eye(2), np.eye(2), [0.5, 0.5]
    singular = (np.ones((2, 2)), np.zeros((2, 2)), np.diag([1.0, 0.0]))
    refused = [refuses(linear_discriminants, X, means, S, half) for S in singular]
    yield equal("singular matrices refused", sum(refused), 3)
    bad_priors = ([1.0, 0.0], [0.5, 0.6], [1.5, -0.5])
    refused = [refuses(linear_discriminants, X, means, np.eye(2), p) for p in bad_priors]
    yield equal("priors refused that are not positive with sum 1", sum(refused), 3)
    gaps = _against_first(linear_discriminants(X, means, np.diag([1.0, 1e-6]), half))[:, 0]
    truth = [-5e5 - 0.5, 5e5 + 0.5]
    yield equal("gaps of the scores for a positive definite matrix", gaps, truth, rounding(8, 1e6))


@statement("definition", "2", "Yan, generalization", "Recitation 7, Example 1.1")
def qda_model(quadratic_discriminants, rng, *, n=25):
    r"""The model of QDA gives every class its own positive definite $\Sigma_k$. On Example 1.1 of Recitation
    7 the difference of the two scores is the logarithm of the posterior odds; with equal $\Sigma_k$ it is
    that of LDA, $\log\frac{\pi_1}{\pi_0} + (x - \frac{\mu_0 + \mu_1}{2})^\top\Sigma^{-1}(\mu_1 - \mu_0)$."""
    distribution, X = recitation_example(), rng.integers(-16, 17, (n, 2)) / 4 + [2.5, 5.0]
    truth = log_joint(X, distribution.means, distribution.covariances, distribution.prior)
    scores = quadratic_discriminants(X, distribution.means, distribution.covariances, distribution.prior)
    yield equal("Example 1.1", _against_first(scores), _against_first(truth), _slack(truth), X=X)
    shared = np.array([distribution.covariances[0]] * 2)
    scores = quadratic_discriminants(X, distribution.means, shared, distribution.prior)
    w = np.linalg.solve(shared[0], distribution.means[1] - distribution.means[0])
    line = math.log(0.4 / 0.6) + (X - distribution.means.mean(axis=0)) @ w
    yield equal("one covariance", _against_first(scores)[:, 0], line, _slack(line), X=X)


# ------------------------------------------------------------------- 3 The linear discriminant
@statement("formula", "3", "Yan, LDA")
def lda_discriminant(linear_discriminants, rng, *, n=25, d=3):
    r"""$\delta_k(x) = x^\top\Sigma^{-1}\mu_k - \frac12\mu_k^\top\Sigma^{-1}\mu_k + \log\pi_k$ equals
    $\log P(Y = k \mid X = x)$ plus a function of $x$ that is the same for all classes."""
    prior, means, covariances, X = _model(rng, d=d, n=n)
    truth = log_joint(X, means, covariances[[0, 0, 0]], prior)
    odds, exact = map(_against_first, (linear_discriminants(X, means, covariances[0], prior), truth))
    yield equal("differences between classes", odds, exact, _slack(truth), X=X)
    x, means = np.array([[3.0, -1.0]]), np.array([[0.0, 0.0], [2.0, 5.0]])
    gap = _against_first(linear_discriminants(x, means, np.diag([4.0, 0.5]), [0.5, 0.5]))[0, 0]
    hand = 3 * 2 / 4 - 1 * 5 * 2 - 2**2 / (2 * 4) - 5**2 * 2 / 2  # x m / v - m^2 / 2v of both features
    yield equal("a diagonal case by hand", gap, hand, rounding(8, 64))


@statement("theorem", "3", "Yan, LDA")
def lda_bayes_classifier(linear_discriminants, rng, *, n=25, d=3):
    r"""$\arg\max_k\delta_k(x)$ is the Bayes rule of the model. With two classes, equal priors and $D^2 =
    (\mu_1 - \mu_0)^\top\Sigma^{-1}(\mu_1 - \mu_0)$ its risk is $\Phi(-D/2)$: 0.3085, 0.1587 and 0.0668 for
    $D = 1, 2, 3$."""
    prior, means, covariances, X = _model(rng, d=d, n=n)
    truth = log_joint(X, means, covariances[[0, 0, 0]], prior)
    scores = linear_discriminants(X, means, covariances[0], prior)
    yield at_most("log posterior lost by the predictions", _lost(truth, scores), 0.0, _slack(truth), X=X)
    # midpoints of cells of width h, whose borders contain D/2: error at most h^2/24 times max |f'| < h^2/24
    h = 2.0**-9
    grid = np.arange(-9.0, 12.0, h) + h / 2
    for D in (1, 2, 3):
        scores = linear_discriminants(grid[:, None], np.array([[0.0], [D]]), np.eye(1), [0.5, 0.5])
        wrong = np.where(scores[:, 1] >= scores[:, 0], grid, grid - D)  # the density of the error
        risk = 0.5 * h * np.exp(-(wrong**2) / 2).sum() / math.sqrt(2 * math.pi) + 0 * scores.sum()
        yield equal(f"risk at D = {D}", risk, 0.5 * math.erfc(D / math.sqrt(8)), h * h / 24)


@statement("claim", "3", "Yan, plug-in approach")
def lda_linear(LinearDiscriminantAnalysis, rng):
    r"""The discriminants of LDA are affine in $x$: the second difference $\delta(x + v) - 2\delta(x) +
    \delta(x - v)$ vanishes, the first one of $\delta_k - \delta_0$ is $2v^\top\hat\Sigma^{-1}(\hat\mu_k -
    \hat\mu_0)$, and so $P(Y = k \mid X = x)$ has the form of a logistic model."""
    X, y = _sample(rng)
    model = LinearDiscriminantAnalysis().fit(X, y)
    points, steps = rng.integers(-8, 9, (20, 3)) / 2, rng.integers(1, 5, (20, 3)) / 2
    values = np.array([as_numbers(model.decision_function(points + t * steps), 20, 3) for t in (-1, 0, 1)])
    slack, second = _slack(values), values[0] - 2 * values[1] + values[2]
    yield equal("second differences", second, 0 * second, slack, points=points)
    counts, means, scatters = estimates(X, y)
    slopes = np.linalg.solve(scatters.sum(axis=0) / (counts.sum() - 3), (means[1:] - means[0]).T)  # (3, 2)
    along = _against_first(values[2] - values[0])
    yield equal("first differences", along, 2 * steps @ slopes, 60 * slack, points=points)


@hard_cases(lda_linear)
def posteriors_are_logistic(LinearDiscriminantAnalysis, rng):
    X, y = _sample(rng)
    model, points = LinearDiscriminantAnalysis().fit(X, y), rng.integers(-8, 9, (20, 3)) / 2
    scores = as_numbers(model.decision_function(points), 20, 3)
    logs = np.log(np.maximum(model.predict_proba(points), 1e-300))
    odds, gaps = _against_first(logs), _against_first(scores)
    likely = abs(odds).max(axis=1) < 8  # otherwise a probability next to 1 has lost its digits
    slack = rounding(60, 14 * math.exp(8))
    yield equal("log posterior odds", odds[likely], gaps[likely], slack, points=points)
    sums = model.predict_proba(1e6 * points + 1e6).sum(axis=1)
    yield equal("sums of the posteriors far out, where exponentials overflow", sums, np.ones(20), rounding(3))


@statement("formula", "3 deeper", "Chapter 10, 10.1.4")
def lda_rule_binary(LinearDiscriminantAnalysis, rng):
    r"""The rule of chapter 10 predicts $+1$ iff $x^\top\hat\Sigma^{-1}(\hat\mu_+ - \hat\mu_-) \ge
    \frac12(\hat\mu_+^\top\hat\Sigma^{-1}\hat\mu_+ - \hat\mu_-^\top\hat\Sigma^{-1}\hat\mu_-)$. It is LDA
    with equal priors, whatever the class sizes; other priors move the score by their log odds."""
    X, codes, points, w, threshold = _two_classes(rng)
    margin, slack = points @ w - threshold, _slack(points @ w)
    clear = abs(margin) > slack
    model = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(X, 2 * codes - 1)
    expected = np.where(margin >= 0, 1.0, -1.0)[clear]
    yield equal("predictions", model.predict(points)[clear], expected, points=points[clear])
    yield equal("score", model.decision_function(points), margin, slack, points=points)
    other = LinearDiscriminantAnalysis(priors=[0.2, 0.8]).fit(X, codes).decision_function(points)
    yield equal("score with the priors 1/5 and 4/5", other, margin + math.log(4), slack, points=points)


def _two_classes(rng):
    """Return X, codes, points, and the weights and the threshold of chapter 10."""
    X, codes = _sample(rng, counts=(30, 8))
    _, means, scatters = estimates(X, codes)
    W = np.linalg.solve(scatters.sum(axis=0) / (len(X) - 2), means.T)
    w, threshold = W[:, 1] - W[:, 0], 0.5 * (means[1] @ W[:, 1] - means[0] @ W[:, 0])
    # points on both sides of the hyperplane's point between the means, close and far, and any others
    near = means.mean(axis=0) + np.outer([-64, -9, -3, -1, 1, 3, 9, 64], means[1] - means[0]) / 64
    return X, codes, np.vstack([near, rng.integers(-9, 10, (20, 3))]), w, threshold


@hard_cases(lda_rule_binary)
def priors_and_ties(LinearDiscriminantAnalysis, rng):
    X, codes = _sample(rng, counts=(30, 8))
    wrong = ([1.0, 0.0], [0.5, 0.4], [1.5, -0.5], [0.25, 0.25, 0.5])
    refused = sum(refuses(_predictions, LinearDiscriminantAnalysis(priors=p), X, codes) for p in wrong)
    yield equal("priors refused that are no two positive numbers of sum 1", refused, len(wrong))
    # means 3 and 9, variance 4: every number is dyadic, the score at 6 is exactly 0
    X, signs = np.arange(1.0, 12.0, 2.0)[:, None], np.array([-1] * 3 + [1] * 3)
    model = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(X, signs)
    predicted = model.predict(np.array([[5.5], [6.0], [6.5]]))
    yield equal("predictions before, on and behind the hyperplane", predicted, [-1.0, 1.0, 1.0])


@hard_cases(
    lda_rule_binary, estimators_only="The reference module has no coefficients, and no priors by name."
)
def coefficients(LinearDiscriminantAnalysis, rng):
    X, codes, _, w, threshold = _two_classes(rng)
    model = LinearDiscriminantAnalysis(priors="equal").fit(X, codes)
    line = np.append(model.coef_, model.intercept_)
    yield equal("coefficients and intercept", line, [*w, -threshold], _slack(np.append(w, threshold)))
    yield equal("priors", model.priors_, [0.5, 0.5])


# ------------------------------------------------------------------- 4 Estimates
@statement("algorithm", "4", "Yan, plug-in approach")
def lda_plugin(LinearDiscriminantAnalysis, rng, *, n=9, m=20, d=3):
    r"""LDA puts $\hat\pi_k = n_k/n$, $\hat\mu_k$ and $\hat\Sigma$ (divisor $n - K$) into $\delta_k$. If
    $\hat\Sigma$ is regular, an invertible affine map of the features, $x \mapsto A x + c$, of the training
    and test data alike, changes no posterior."""
    X, y = _sample(rng, _unequal(n), d)
    points = rng.integers(-8, 9, (m, d)) / 2
    counts, means, scatters = estimates(X, y)
    pooled = np.array([scatters.sum(axis=0) / (len(X) - 3)] * 3)
    logs = log_joint(points, means, pooled, counts / len(X))
    yield from _is_plugged_in(LinearDiscriminantAnalysis, X, y, points, logs, pooled, _affine_map(rng, d))


@statement("formula", "4", "Yan, plug-in approach", "Chapter 10, 10.1.4")
def lda_pooled_cov(pooled_covariance, rng, *, n=9, d=3):
    r"""$\hat\Sigma = \frac{1}{n - K}\sum_k\sum_{i: y_i = k}(x_i - \hat\mu_k)(x_i - \hat\mu_k)^\top =
    \frac{1}{n - K}\sum_k (n_k - 1)\hat\Sigma_k$ is unbiased when the classes share $\Sigma$, normal or not.
    """
    X, y = _sample(rng, _unequal(n), d)
    _, _, scatters = estimates(X, y)
    expected = scatters.sum(axis=0) / (len(X) - 3)
    yield equal("against the double sum", pooled_covariance(X, y), expected, rounding(150, 200), X=X)
    # every observation is a fair coin, 2k or 2k + 1 in class k, of 3, 2 and 1 observations: variance 1/4
    labels = np.array([0, 0, 0, 1, 1, 2])
    flips = np.array(list(itertools.product((0.0, 1.0), repeat=6))).T + 2.0 * labels[:, None]
    alone = pooled_covariance(flips[:, :1], labels)  # a feature a sample: no entry depends on other features
    mean = (alone[0, 0] + np.diag(pooled_covariance(flips[:, 1:], labels)).sum()) / 64
    yield equal("mean over all samples of 6 coin flips", float(mean), 0.25, rounding(64))


@hard_cases(lda_pooled_cov)
def as_printed(pooled_covariance):
    X, y, means = np.array([0.0, 2.0, 10.0, 14.0]), np.array([0, 0, 1, 1]), (1.0, 12.0)
    variance = pooled_covariance(X[:, None], y)[0, 0]
    yield equal("variance of observations at 0, 2 and 10, 14", variance, 5.0, rounding(8, 16))
    literal = sum(((X - means[k]) ** 2).sum() for k in (0, 1) if y[k] == k) / 2
    yield equal("as printed: all observations, about the means of the k with y_k = k", literal, 126.0)


@statement("formula", "4", "Chapter 10, 10.1.4")
def lda_class_cov(class_covariances, rng):
    r"""$\hat\Sigma_k = \frac{1}{n_k - 1}\sum_{i: y_i = k}(x_i - \hat\mu_k)(x_i - \hat\mu_k)^\top$ needs
    $n_k \ge 2$ observations; if they are independent with covariance $\Sigma_k$, normal or not, it is
    unbiased, whatever the covariances of the other classes."""
    X, y = _sample(rng)
    counts, _, scatters = estimates(X, y)
    expected = scatters / (counts - 1)[:, None, None]
    yield equal("against the sum", class_covariances(X, y), expected, rounding(100, 200), X=X)
    alone = refuses(class_covariances, X[:3], np.array([0, 0, 1]))
    yield equal("a class of one observation is refused", alone, True)
    # every observation is a fair coin: heads worth 1 in class 0 and 3 in class 1, variances 1/4 and 9/4
    labels = np.array([0, 0, 0, 1, 1])
    flips = [np.array(f) * (1 + 2 * labels) for f in itertools.product((0.0, 1.0), repeat=5)]
    mean = np.mean([class_covariances(f[:, None], labels)[:, 0, 0] for f in flips], axis=0)
    yield equal("mean over all samples of 5 coin flips", mean, [0.25, 2.25], rounding(64, 9))


# ------------------------------------------------------------------- 5 Singular covariances
_BLIND_X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0]])  # the second feature is the label
_BLIND_Y = np.array([0, 0, 1, 1])


@statement(
    "algorithm",
    "5 deeper",
    "Chapter 10, 10.1.4",
    estimators_only="The reference module does not invert a singular covariance.",
)
def lda_pinv(LinearDiscriminantAnalysis, rng):
    r"""A singular $\hat\Sigma$ is inverted on its range. Where the class means do not differ off the range
    (a repeated feature) the posterior is that of the reduced data; where they do, the rule is blind there,
    even to a feature that *is* the label, and a warning says so."""
    X, y = _sample(rng)
    twice = np.column_stack([X, X[:, 0], X.sum(axis=1)]) * 2.0 ** np.array([20, -20, 0, 20, -20])
    repeated, warned = quiet_fit(LinearDiscriminantAnalysis(), twice, y)
    counts, means, scatters = estimates(X, y)
    truth = softmax(log_joint(X, means, [scatters.sum(axis=0) / (len(X) - 3)] * 3, counts / len(X)))
    slack = rounding(200, 1e5)  # the eigenvalues of the correlation matrix that are not 0 are above 1e-3 here
    yield equal("posterior with two redundant features", repeated.predict_proba(twice), truth, slack, X=X)
    yield equal("warnings for them", warned, 0)
    blind, warned = quiet_fit(LinearDiscriminantAnalysis(), _BLIND_X, _BLIND_Y)
    yield equal("score of perfectly separable data", blind.decision_function(_BLIND_X), np.zeros(4))
    yield at_least("warnings that the rule is blind", warned, 1)


@hard_cases(lda_pinv)
def certificates_of_singular_covariances(LinearDiscriminantAnalysis, rng):
    X, y = _sample(rng)
    full, _ = quiet_fit(LinearDiscriminantAnalysis(), X, y)
    repeated, _ = quiet_fit(LinearDiscriminantAnalysis(), np.column_stack([X, X[:, 0], X.sum(axis=1)]), y)
    blind, _ = quiet_fit(LinearDiscriminantAnalysis(), _BLIND_X, _BLIND_Y)
    for model, rank, lost in ((full, 3, 0), (repeated, 3, 0), (blind, 1, 1)):
        reported = [model.certificate_[key] for key in ("rank", "blind")]
        yield equal(
            "rank, and the lost part of the spread of means", reported, [rank, lost], rounding(200, 1e3)
        )
        yield at_most("residual of the weights", model.certificate_["residual"], 0.0, rounding(200, 1e3))
    level, _ = quiet_fit(LinearDiscriminantAnalysis(), [[-1.0], [1.0], [-2.0], [2.0]], _BLIND_Y)
    yield equal("lost part where the means agree", level.certificate_["blind"], 0.0)
    yield equal("coordinates where the means agree", level.transform([[1.0]]).shape[1], 0)
    refused = refuses(LinearDiscriminantAnalysis().fit, _BLIND_X[1:3], [0, 1])
    yield equal("one observation a class, of which there is no covariance, refused", refused, True)


@hard_cases(lda_pinv)
def shrinkage(LinearDiscriminantAnalysis, rng):
    model = LinearDiscriminantAnalysis(shrinkage=0.5).fit(_BLIND_X, _BLIND_Y)
    yield equal("predictions with shrinkage", model.predict(_BLIND_X), _BLIND_Y)
    X, y = _sample(rng)
    pooled = estimates(X, y)[2].sum(axis=0) / (len(X) - 3)
    shrunk = LinearDiscriminantAnalysis(shrinkage=0.25).fit(X, y).covariance_
    expected = 0.75 * pooled + 0.25 * np.trace(pooled) / 3 * np.eye(3)
    yield equal("covariance, a quarter of it its mean variance", shrunk, expected, rounding(150, 200))


# ------------------------------------------------------------------- 6 The quadratic discriminant
@statement("homework", "6", "Yan, homework: derive QDA (1)")
def qda_hw_bayes(quadratic_discriminants, rng, *, n=25, d=3):
    r"""The Bayes rule of the QDA model is $\arg\max_k\,\bigl(-\frac12\log\det\Sigma_k - \frac12(x -
    \mu_k)^\top\Sigma_k^{-1}(x - \mu_k) + \log\pi_k\bigr)$; the score is the log posterior up to a
    function of $x$ common to all classes."""
    prior, means, covariances, X = _model(rng, d=d, n=n)
    covariances = covariances * np.array([1.0, 4.0, 16.0])[:, None, None]
    truth = log_joint(X, means, covariances, prior)
    scores = quadratic_discriminants(X, means, covariances, prior)
    odds, exact = map(_against_first, (scores, truth))
    yield equal("differences between classes", odds, exact, _slack(truth), X=X)
    yield at_most("log posterior lost by the predictions", _lost(truth, scores), 0.0, _slack(truth), X=X)


@statement("homework", "6", "Yan, homework: derive QDA (2)")
def qda_hw_practical(QuadraticDiscriminantAnalysis, rng, *, n=9, m=20, d=3):
    r"""Where all $\hat\Sigma_k$ (divisor $n_k - 1$) are regular, the practical rule puts $n_k/n$,
    $\hat\mu_k$ and $\hat\Sigma_k$ into the score. An invertible affine map of the features, of the training
    and test data alike, changes no posterior."""
    X, y = _sample(rng, _unequal(n), d)
    points = rng.integers(-8, 9, (m, d)) / 2
    counts, means, scatters = estimates(X, y)
    S = scatters / (counts - 1)[:, None, None]
    logs, affine = log_joint(points, means, S, counts / len(X)), _affine_map(rng, d)
    Model = QuadraticDiscriminantAnalysis
    model, slack = yield from _is_plugged_in(Model, X, y, points, logs, S, affine)
    second, first = np.sort(softmax(logs), axis=1)[:, -2:].T
    clear = first - second > 4 * slack
    if clear.any():
        yield equal("predictions", model.predict(points)[clear], logs.argmax(axis=1)[clear], points=points)


@statement("homework", "6", "Yan, homework: derive QDA (3)")
def qda_hw_linear(QuadraticDiscriminantAnalysis, rng):
    r"""The difference of two QDA scores is affine only when their quadratic terms cancel, $\hat\Sigma_0 =
    \hat\Sigma_1$; then QDA is linear, else its second difference along $v$ is $v^\top(\hat\Sigma_0^{-1} -
    \hat\Sigma_1^{-1})v$."""
    cloud = np.vstack([np.eye(2), -np.eye(2)]) * [2.0, 1.0]
    y = np.repeat([0, 1], 4)
    points, v = rng.integers(-8, 9, (20, 2)) / 2, np.array([1.0, 2.0])
    for stretch in (1.0, 2.0):
        X = np.vstack([cloud, stretch * cloud + rng.integers(-4, 5, 2)])
        model = QuadraticDiscriminantAnalysis().fit(X, y)
        values = [model.decision_function(points + t * v) for t in (-1, 0, 1)]
        bend = (1 - stretch**-2) * (v**2 / np.array([8 / 3, 2 / 3])).sum()
        second, slack = values[0] - 2 * values[1] + values[2], rounding(60, 1 + abs(np.array(values)).max())
        yield equal(f"second difference, spread times {stretch:g}", second, bend, slack, points=points)


@statement("formula", "6", "Chapter 10, 10.1.5")
def qda_rule_logeig(log_determinant, rng, *, d=200):
    r"""$\log\det\Sigma = \sum_i\log\lambda_i$, a sum of logarithms that exists where the determinant itself
    underflows or overflows: $200\log 0.01$ for $\Sigma = 0.01\,I$ in 200 dimensions."""
    S = _covariances(rng, 1, 4)[0]
    exact = math.log(round(np.linalg.det(S)))  # an integer matrix has an integer determinant
    logs = np.log(np.linalg.eigvalsh(S)).sum()
    yield equal("against the integer determinant", float(log_determinant(S)), exact, rounding(64, 14), S=S)
    yield equal("against the eigenvalues", float(log_determinant(S)), float(logs), rounding(64, 14), S=S)
    for scale in (0.01 ** (200 / d), 100 ** (200 / d)):
        value, log = float(log_determinant(scale * np.eye(d))), math.log(scale)
        yield equal(f"log det of {scale:g} I in {d} dimensions", value, d * log, rounding(200, abs(log)))


@statement("claim", "6", "Chapter 10, 10.1.5")
def qda_singular(QuadraticDiscriminantAnalysis, class_covariances, rng):
    r"""$\hat\Sigma_k$ has rank at most $\min(d, n_k - 1)$: it is singular as soon as *one* class has $n_k
    \le d$ observations, however large $n$ is. QDA refuses, and reg_param > 0 is the way out."""
    X, y = _sample(rng, counts=(30, 5))
    for n in (2, 3, 4):
        keep = np.append(np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:n])
        rank = np.linalg.matrix_rank(class_covariances(X[keep], y[keep])[1])
        yield at_most(f"rank with {n} observations", rank, n - 1)
        fits = not refuses(_predictions, QuadraticDiscriminantAnalysis(), X[keep], y[keep])
        yield equal(f"accepted with {n} observations of 3 features", fits, rank == 3, X=X[keep])
    model = QuadraticDiscriminantAnalysis(reg_param=0.5).fit(X, y)
    expected = (class_covariances(X, y) + np.eye(3)) / 2
    yield equal("covariances with reg_param", model.covariance_, expected, rounding(60, 100), X=X)


@hard_cases(qda_singular)
def small_classes(QuadraticDiscriminantAnalysis, rng):
    X, y = _sample(rng, counts=(30, 2))
    posterior = QuadraticDiscriminantAnalysis(reg_param=0.5).fit(X, y).predict_proba(X)
    yield equal("finite posteriors with reg_param", bool(np.isfinite(posterior).all()), True)
    line, codes = np.array([[0.0], [1.0], [5.0], [7.0]]), np.array([0, 0, 1, 1])
    pairs = refuses(_predictions, QuadraticDiscriminantAnalysis(), line, codes)
    yield equal("two observations of one feature refused", pairs, False)
    alone = refuses(_predictions, QuadraticDiscriminantAnalysis(reg_param=0.5), line[:3], codes[:3])
    yield equal("a class of one observation refused, even with reg_param", alone, True)


# ------------------------------------------------------------------- 7 Reduced rank
@statement("theorem", "7", "Fisher, 1936", "Rao, 1948")
def fisher(LinearDiscriminantAnalysis, rng):
    r"""The columns $a_j$ of LDA's projection have $a_i^\top\hat\Sigma a_j = 1\{i = j\}$ and $a_i^\top B a_j
    = v_j 1\{i = j\}$ with $v_1 \ge v_2 \ge \dots$; no direction has a larger ratio of between-class
    variance $a^\top B a$ to within-class variance $a^\top\hat\Sigma a$ than $a_1$. The mean of all
    observations has the coordinates 0."""
    X, y, S, B, others, slack = _within_and_between(rng)
    model = LinearDiscriminantAnalysis().fit(X, y)
    A = _projection(model)
    between = A.T @ B @ A
    yield equal("within-class covariance of the coordinates", A.T @ S @ A, np.eye(2), slack, X=X)
    yield equal("between-class covariance off the diagonal", between[0, 1], 0.0, slack)
    yield at_least("first ratio against the second", between[0, 0], between[1, 1], slack)
    ratios = ((others @ B) * others).sum(axis=1) / ((others @ S) * others).sum(axis=1)
    yield at_most("ratio of other directions", ratios, float(between[0, 0]), slack)
    reach = rounding(60, float(abs(X).max() * abs(A).sum()))
    yield equal("coordinates of the mean", model.transform(X.mean(axis=0)[None]), np.zeros((1, 2)), reach)


def _within_and_between(rng):
    """Return X, y, the covariances within and between classes, other directions, and a tolerance."""
    X, y = _sample(rng)
    counts, means, scatters = estimates(X, y)
    S, centred = scatters.sum(axis=0) / (len(X) - 3), means - X.mean(axis=0)
    B = (counts / len(X) * centred.T) @ centred
    others = np.vstack([rng.standard_normal((200, 3)), np.linalg.solve(S, centred.T).T])
    slack = rounding(60, float(np.linalg.cond(S)) * (1 + float(np.trace(np.linalg.solve(S, B)))))
    return X, y, S, B, others, slack


def _projection(model):
    """Return the matrix of the two directions, in columns."""
    Z = np.asarray(model.transform(np.vstack([np.zeros(3), np.eye(3)])))
    return as_numbers(Z[1:] - Z[:1], 3, 2)


@hard_cases(fisher, estimators_only="An eigenvector has no sign of its own, and all directions are returned.")
def signs_and_number_of_directions(LinearDiscriminantAnalysis, rng):
    X, y, _, B, _, slack = _within_and_between(rng)
    model = LinearDiscriminantAnalysis().fit(X, y)
    A = _projection(model)
    yield at_least("the largest entry of each column", A[abs(A).argmax(axis=0), [0, 1]], 0.0)
    between = np.diag(A.T @ B @ A)
    proportions = between / between.sum()
    yield equal("proportions of the ratios", model.explained_variance_ratio_, proportions, slack)
    first = LinearDiscriminantAnalysis(n_components=1).fit(X, y)
    reach = rounding(60, float(abs(X).max() * abs(A).sum()))
    yield equal("the first coordinate alone", first.transform(X), model.transform(X)[:, :1], reach)
    yield equal("its proportion", first.explained_variance_ratio_, proportions[:1], slack)
    third = refuses(LinearDiscriminantAnalysis(n_components=3).fit, X, y)
    alone = refuses(LinearDiscriminantAnalysis().fit, X, 0 * y)
    yield equal("a third coordinate of three classes refused, and a class alone", [third, alone], True)


# ------------------------------------------------------------------- 8 What the notes got wrong
@correction("wrong", "8 deeper", "Yan, linear classifiers")
def erratum_y4(linear_argmax):
    r"""Printed: Decision boundaries are linear hyperplanes; they cut space into half planes.
    Right: Affine hyperplanes and half-spaces; for $K \ge 3$ classes the boundaries are *pieces* of
    hyperplanes."""
    W, b = np.array([[-1.0], [1.0], [0.0]]), np.array([-1.0, -1.0, 0.0])  # classes left, right and middle
    predicted = linear_argmax(np.array([[0.0], [0.5], [-2.0], [2.0]]), W, b)
    yield equal(
        "predictions at 0, where left and right have equal scores, and 0.5", predicted[:2], np.full(2, 2.0)
    )
    yield equal("predictions at -2 and 2", predicted[2:], [0.0, 1.0])


@correction("wrong", "8 deeper", "Yan, LDA")
def erratum_y5(linear_discriminants):
    r"""Printed: $\delta_k \propto \log P(Y = k \mid X = x) + \text{constant}$.
    Right: $\delta_k(x) = \log P(Y = k \mid X = x) + c(x)$: equal up to a function of $x$, not proportional.
    """
    X, means = np.array([[0.0], [1.0], [3.0]]), np.array([[0.0], [2.0]])
    scores = linear_discriminants(X, means, np.eye(1), [0.5, 0.5])
    joint = log_joint(X, means, np.ones((2, 1, 1)), [0.5, 0.5])
    logs = np.log(softmax(joint))
    common = scores - logs
    yield equal("c(x) of the two classes", common[:, 1], common[:, 0], rounding(16, 8))
    yield at_least("spread of c over x: no constant", float(np.ptp(common[:, 0])), 1.0)
    slopes = np.ptp(scores, axis=0) / np.ptp(logs, axis=0)
    yield at_least("gap of the factors of the two classes: no proportionality", float(np.ptp(slopes)), 0.1)


@correction("wrong", "8 deeper", "Yan, LDA; generalization")
def erratum_y6(linear_discriminants, quadratic_discriminants):
    r"""Printed: $\Sigma \in \mathbb S^d_+$ (positive semidefinite); for QDA also $\omega_k \ge 0$
    for the prior.
    Right: Positive definite: else $\Sigma^{-1}$ and the density do not exist; and $\pi_k > 0$, as on the
    slide on LDA: else the score $\log\pi_k$ does not exist."""
    X, half, singular, regular = np.eye(2), [0.5, 0.5], np.ones((2, 2)), np.eye(2)
    lda, qda = linear_discriminants, quadratic_discriminants
    forms = ("LDA", lda, singular, regular), ("QDA", qda, [singular, regular], [regular] * 2)
    for name, score, bad, good in forms:
        yield equal(f"{name} refuses it", refuses(score, X, X, bad, half), True)
        yield equal(f"{name} refuses a prior of 0", refuses(score, X, X, good, [1.0, 0.0]), True)
        gaps = _against_first(score(X, X, good, half))[:, 0]
        yield equal(f"{name} with regular ones: gaps of the scores", gaps, [-1.0, 1.0], rounding(8))


@correction("sharper", "8 deeper", "Chapter 10, 10.1.4")
def erratum_t6(pooled_covariance, rng):
    """Printed: The pooled covariance is often singular when $n_{train} < d$.
    Right: It is singular whenever $n - 2 < d$ (its rank is at most $n - K$), so also for $n = d$ and $n = d
    + 1$; for data with a density it is regular from $n = d + 2$ on."""
    d = 4
    for n in (d, d + 1, d + 2):
        X, y = np.vstack([np.zeros(d), np.eye(d), -np.ones(d)])[:n], np.arange(n) % 2
        X = X + rng.integers(0, 2, d) * (y[:, None] * 8)  # moving a class changes nothing
        rank = np.linalg.matrix_rank(pooled_covariance(X, y))
        yield equal(f"rank for n = {n} observations of {d} features", int(rank), n - 2, X=X)


@correction("sharper", "8 deeper", "Chapter 10, 10.1.4 and 10.1.5")
def erratum_t8(linear_discriminants, quadratic_discriminants):
    r"""Printed: LDA and QDA can be interpreted as the maximum-likelihood rule.
    Right: So they can, as printed there, without priors; with $\log\hat\pi_k$ in the score they are the
    Bayes rule of the model, and maximum likelihood is the case of equal priors. With the priors $0.9$ and
    $0.1$ it adds $0.0886$ to the risk of LDA on $N(0, 1)$ and $N(2, 1)$, and $0.1185$ to that of QDA on
    $N(0, 1)$ and $N(0, 4)$."""
    unequal, equal_priors = [0.9, 0.1], [0.5, 0.5]
    lda = linear_discriminants, np.array([[0.0], [2.0]]), np.eye(1)
    t, ml = (_threshold(*lda, prior) for prior in (unequal, equal_priors))
    yield equal(
        "LDA: thresholds with the prior and of ML", [t, ml], [1 + math.log(9) / 2, 1], rounding(16, 8)
    )
    added = [0.9 * _tail(c) + 0.1 * _tail(2 - c) for c in (ml, t)]
    yield equal("risk that maximum likelihood adds to LDA", added[0] - added[1], 0.0886, 5e-5)
    qda = quadratic_discriminants, np.zeros((2, 1)), np.array([[[1.0]], [[4.0]]])
    t, ml = (_threshold(*qda, prior) for prior in (unequal, equal_priors))
    truth = [8 / 3 * math.log(18), 8 / 3 * math.log(2)]
    yield equal("QDA: squared thresholds with the prior and of ML", [t, ml], truth, rounding(16, 64))
    risks = [1.8 * _tail(c) + 0.1 - 0.2 * _tail(c / 2) for c in (math.sqrt(max(ml, 0)), math.sqrt(max(t, 0)))]
    yield equal("risk that maximum likelihood adds to QDA", risks[0] - risks[1], 0.1185, 5e-5)


def _threshold(discriminants, means, covariances, prior):
    """Return where two discriminants agree, in x for LDA and in x^2 for QDA: they are affine there."""
    low, high = _against_first(discriminants(np.array([[0.0], [1.0]]), means, covariances, prior))[:, 0]
    return low / (low - high)


def _tail(t):
    return 0.5 * math.erfc(t / math.sqrt(2))  # P(Z > t)


@correction("wrong", "8 deeper", "Chapter 10, 10.1.5")
def erratum_t9(QuadraticDiscriminantAnalysis):
    r"""Printed: The class covariances are often singular when $n_{train} < d$; reduce the dimension, for
    instance by PCA, until both have full rank.
    Right: One is singular as soon as $\min_k n_k \le d$, and reducing to $k \le \min_k n_k - 1$ principal
    components need not help: a class can be constant along the components that are kept."""
    # class 0 varies along the second feature only; the first principal axis of all is the first feature
    X = np.array([[0.0, -1.0], [0.0, 0.0], [0.0, 1.0], [-8.0, 1.0], [-8.0, -1.0], [8.0, 1.0], [8.0, -1.0]])
    y, S = np.array([0, 0, 0, 1, 1, 1, 1]), np.cov(X.T)
    yield equal("covariance of the two features: the axes are the components", S[0, 1], 0.0)
    yield at_least("variance of the first over the second", S[0, 0] / S[1, 1], 10.0)
    refused = refuses(_predictions, QuadraticDiscriminantAnalysis(), X[:, :1], y)
    yield equal("refused on the first component (1 <= min n_k - 1)", refused, True)
    second = QuadraticDiscriminantAnalysis().fit(X[:, 1:], y).predict_proba(np.zeros((1, 1)))[0]
    yield equal("posterior at 0 on the second", second[0], 1 / (1 + 2 / math.sqrt(3)), rounding(32))
    many = np.vstack([np.eye(3), -np.eye(3), 2 * np.eye(3), np.ones((1, 3))])
    refused = refuses(_predictions, QuadraticDiscriminantAnalysis(), many, np.repeat([0, 1], [7, 3]))
    yield equal("refused with n = 10 observations of 3 features, 3 of them in one class", refused, True)


@correction("wrong", "8 deeper", "Shi, separability")
def erratum_s26(half_space):
    """Printed: Data that are not linearly separable need non-linear functions.
    Right: Or a linear function with some errors allowed (slack): on overlapping Gaussian classes that is
    the Bayes rule itself."""
    # class 0 has the atoms -1, 1 with masses 3/8, 1/8, class 1 the same mirrored: no threshold separates them
    X, mass = np.array([[-1.0], [1.0]]), np.array([[3, 1], [1, 3]]) / 8
    predicted = half_space(X, [1.0], 0.0)
    yield equal("predictions of the half-space x >= 0", predicted, [0.0, 1.0])
    yield equal("its risk, which is the Bayes risk", mass[0, 1] + mass[1, 0], mass.min(axis=1).sum())


# fmt: off
erratum_y7 = lda_pooled_cov.corrects("y7", "wrong", "8 deeper", "Yan, plug-in approach", r"""
    Printed: $\hat\Sigma = \frac{1}{N - K}\sum_k\sum_{i: y_k = k}(\cdot)(\cdot)^\top$.
    Right: $\frac{1}{n - K}\sum_k\sum_{i: y_i = k}(\cdot)(\cdot)^\top$: the sum runs over the observations
    of class $k$; $y_k$ is the label of the $k$-th observation.""")
erratum_t7 = lda_pinv.corrects("t7", "wrong", "8 deeper", "Chapter 10, 10.1.4", """
    Printed: If the pooled covariance is not of full rank, replace its inverse by the pseudo-inverse.
    Right: The pseudo-inverse ignores the directions in which no class varies, which separate best: on
    perfectly separable data it can return the weight vector 0.""")
