"""The statements on kernel classifiers and naive Bayes as executable claims, in the order of the lecture.

Posteriors are computed here in fractions or from double sums; every marginal is estimated again from its
definition.
"""

from __future__ import annotations

import itertools
import math
import warnings
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, hard_cases, rounding, statement
from mlnotes.checking.outputs import as_numbers, fit_copies, quietly, refuses
from mlnotes.claims.density import estimate, normal_density

OUTPUTS = {
    "GaussianNaiveBayes.predict_proba": "(n, K)", "KernelDensityClassifier.predict_proba": "(n, K)",
    "MultinomialNaiveBayes.predict_proba": "(n, K)",
    "NaiveBayes.predict_proba": "(n, K)", "NaiveBayes.log_marginals": "(n, K, d)",
    "naive_posterior": "(n, K)", "smoothed_proportions": "(n,)",
}  # fmt: skip


# ---- instances and the truth about them
def _sample(rng, counts=(14, 6), d=2):
    """Return points in sixteenths, the classes of unequal size and some steps apart, shuffled."""
    y = np.repeat(np.arange(len(counts)), counts)
    X = rng.integers(-16, 17, (len(y), d)) / 16 + y[:, None] * 0.75
    order = rng.permutation(len(y))
    return X[order], y[order]


def _normalised(joint):
    return joint / joint.sum(axis=1, keepdims=True)


def _probabilities(rng, *shape):
    weights = rng.integers(1, 9, shape)
    return [[Fraction(int(w), int(row.sum())) for w in row] for row in weights.reshape(-1, shape[-1])]


# ---- 1 The kernel density classifier
def _rule_problem(rng):
    """Return training data, points, H, and the true joint densities there up to a factor of each point."""
    X, y = _sample(rng)
    # two observations against one; the class of the nearer one loses at 5.55, the larger class at 5.7
    X, y = np.vstack([X, [[5.0, 0.0], [5.0, 0.0], [6.0, 0.0]]]), np.append(y, [0, 0, 1])
    fixed, h = [[5.48, 0.0], [5.55, 0.0], [5.7, 0.0], [90.0, -80.0], [-300.0, 250.0]], 0.5
    T = np.vstack([rng.integers(-24, 40, (20, 2)) / 16, fixed])
    exponents = -0.5 * ((T[:, None] - X) ** 2).sum(axis=2) / h**2
    kernel = np.exp(exponents - exponents.max(axis=1, keepdims=True))  # far out every density underflows
    joint = np.column_stack([kernel[:, y == k].mean(axis=1) * np.mean(y == k) for k in range(2)])
    return X, y, T, h**2 * np.eye(2), joint, rounding(80, 1) * (1 + abs(exponents).max(axis=1))


@statement("algorithm", "1", "Yan, kernel density classifier")
def kernel_classifier_rule(KernelDensityClassifier, rng):
    r"""$\hat f(x) = \arg\max_k\hat\pi_k\hat f_k(x)$, $\hat f_k$ the kernel estimate from the $n_k$
    observations of class $k$, normalised by $n_k$. With one observation in each class and one bandwidth it is
    the nearest neighbour, far out as well."""
    X, y, T, H, joint, slack = _rule_problem(rng)
    truth = _normalised(joint)
    model = KernelDensityClassifier(bandwidth=H).fit(X, y)
    yield equal("posterior", model.predict_proba(T), truth, slack[:, None] * np.ones(2), X=X, y=y)
    chosen = _of_the_predictions(model, T, truth)
    yield equal("posterior of the predicted class", chosen, truth.max(axis=1), slack, X=X, y=y)


def _of_the_predictions(model, T, numbers):
    """Return for each point the number of the class that is predicted; 0 for no class."""
    predictions = as_numbers(model.predict(T), len(T))
    return np.where(predictions[:, None] == np.arange(numbers.shape[1]), numbers, 0).sum(axis=1)


@hard_cases(kernel_classifier_rule)
def one_observation_in_each_class(KernelDensityClassifier, rng):
    points = rng.permutation(49)[:6, None] * [1.0, 0.5, 0.25] + rng.integers(0, 4, (6, 3)) / 4
    drawn = rng.integers(-99, 99, (19, 3)) + 0.125
    far = np.vstack([[[90.0, -80.0, 7.0]], drawn, [[1e4, 3.0, 0.0], [-1e5, 1e5, 1e3]]])
    squares = ((far[:, None] - points) ** 2).sum(axis=2)
    smallest = squares.min(axis=1)
    model = KernelDensityClassifier(bandwidth=np.eye(3)).fit(points, np.arange(6))
    chosen = _of_the_predictions(model, far, squares)
    what = "far out, squared distance to the one observation of the predicted class"
    yield equal(what, chosen, smallest, rounding(8, 1) * (1 + smallest), points=points)
    posterior = model.predict_proba(far[:-2])  # where all densities underflow, too
    truth = _normalised(np.exp((smallest[:, None] - squares) / 2))[:-2]
    slack = rounding(20, 1) * (1 + squares[:-2].max(axis=1, keepdims=True) * np.ones(6))
    yield equal("posterior far out", posterior, truth, slack, points=points)
    model = KernelDensityClassifier(bandwidth=np.eye(1)).fit(points[:, :1], np.arange(6))
    again = model.fit(np.array([[0.0], [2.0]]), np.array([0, 1])).predict_proba([[0.5]])
    yield equal("posterior after a second fit, odds e", again, _normalised(np.exp([[1, 0]])), rounding(20))


@hard_cases(kernel_classifier_rule, estimators_only="Only the estimator takes priors.")
def given_priors(KernelDensityClassifier, rng):
    X, y, T, H, joint, slack = _rule_problem(rng)
    truth = _normalised(joint * 0.5 / np.bincount(y))
    posterior = KernelDensityClassifier(bandwidth=H, priors=[0.5, 0.5]).fit(X, y).predict_proba(T)
    yield equal("posterior with equal priors", posterior, truth, slack[:, None] * np.ones(2))


@statement("claim", "1 deeper", "Yan, kernel density classifier")
def zero_over_zero(naive_posterior):
    r"""With a kernel of bounded support $\hat f_k(x) = 0$ for all $k$ far from the data, and Bayes' formula
    is $0/0$. The library returns the prior there."""
    logs = np.array([[[-np.inf, -np.inf]], [[-np.inf, 0.0]], [[0.0, -2000.0]]])
    posterior = quietly(naive_posterior, logs, np.array([0.7, 0.3]))
    yield equal(
        "posterior: the prior, and near one class only", posterior, [[0.7, 0.3], [0, 1], [1, 0]], 1e-15
    )


@hard_cases(zero_over_zero, estimators_only="Only the estimator has kernels of bounded support, and warns.")
def far_from_the_data(KernelDensityClassifier, rng):
    X, y = _sample(rng, d=1)
    T = np.array([[50.0], [-50.0], [0.0]])
    model = KernelDensityClassifier(bandwidth=0.25, kernel="epanechnikov").fit(X, y)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        posterior = model.predict_proba(T)
    prior = np.array([0.7, 0.3])
    yield equal("posterior far out: the prior", posterior[:2], [prior, prior], rounding(4, 1), X=X)
    yield equal("sums of the posterior", posterior.sum(axis=1), np.ones(3), rounding(4, 1))
    yield at_least("warnings", sum(issubclass(w.category, UserWarning) for w in caught), 1)
    near = KernelDensityClassifier(bandwidth=0.25, kernel="epanechnikov").fit([[0.0], [9.0]], [0, 1])
    yield equal("posterior near one class only", near.predict_proba([[9.0]])[0], [0.0, 1.0])


# ---- 2 The naive model
@statement("definition", "2", "Yan, naive Bayes")
def model(naive_posterior, rng):
    r"""Given $Y = k$ the features are independent, $f_k(x) = \prod_jf_{k,j}(x_j)$: the posterior is
    $\pi_k\prod_jf_{k,j}(x_j)$, normalised. Checked in fractions on all points of finite distributions."""
    K, d, m = 2, 3, 3
    tables = np.array(_probabilities(rng, K * d, m), dtype=object).reshape(K, d, m)
    prior = [Fraction(3, 4), Fraction(1, 4)]
    rows, exact = [], []
    for x in itertools.product(range(m), repeat=d):
        joint = [prior[k] * math.prod(tables[k, j, x[j]] for j in range(d)) for k in range(K)]
        exact.append([float(w / sum(joint)) for w in joint])
        rows.append([[math.log(tables[k, j, x[j]]) for k in range(K)] for j in range(d)])
    posterior = naive_posterior(np.array(rows), np.array(prior, dtype=float))
    yield equal("posterior on all points", posterior, exact, rounding(16, 8), tables=tables, prior=prior)


@statement("algorithm", "2", "Yan, naive Bayes")
def rule(naive_posterior, rng):
    r"""$\arg\max_k\pi_k\prod_jf_{k,j}(x_j)$ is the Bayes rule when the features are independent given the
    class and the factors are the true ones. A factor that is the same for all classes cancels; a product of
    1,000 factors is a sum of logarithms."""
    K, d = 3, 4
    tables = np.array(_probabilities(rng, K * d, 2), dtype=object).reshape(K, d, 2)
    prior = [Fraction(int(w), 8) for w in rng.permutation([1, 2, 5])]
    points = list(itertools.product(range(2), repeat=d))
    factors = np.array([[tables[:, j, x[j]] for j in range(d)] for x in points])  # (16, d, K)
    joint = (factors.prod(axis=1) * prior).astype(float)
    logs, weights = np.log(factors.astype(float)), np.array(prior, dtype=float)
    predictions = np.argmax(naive_posterior(logs, weights), axis=1)
    risk, best = 1 - joint[np.arange(16), predictions].sum(), 1 - joint.max(axis=1).sum()
    yield equal("risk against the Bayes risk", risk, best, rounding(32, 1), tables=tables)
    common = np.log(np.array(_probabilities(rng, 16, 2), dtype=float)[:, :1, None].repeat(K, axis=2))
    with_factor = naive_posterior(np.concatenate([logs, common], axis=1), weights)
    yield equal("posterior with a common factor", with_factor, _normalised(joint), rounding(32, 8))
    many = np.full((1, 1000, 2), -4.0)
    many[0, :, 1] -= np.where(np.arange(1000) % 2, 0.25, -0.2421875)  # in all 1000/256 less for class 1
    last = naive_posterior(many, np.array([0.5, 0.5]))[0, 1]
    yield equal("a thousand factors of e^-4", last, 1 / (1 + math.exp(3.90625)), rounding(1000, 16))


# ---- 3 Estimates
def _factor(name, t, values, all_values, *, n_bins=10, alpha=1, bandwidth=None):
    """Return a density on the line at the points t, estimated from the values of a class."""
    overall = all_values.var(ddof=1)
    if name == "gaussian":
        variance = max(values.var(), 1e-9 * overall if overall else 1.0)
        return normal_density(t - values.mean(), math.sqrt(variance))
    if name == "kernel":
        rule = (4 / (3 * len(values))) ** 0.2 * math.sqrt(values.var(ddof=1) or overall or 1.0)
        return estimate(values, t, bandwidth or rule)
    edges = np.unique(all_values)  # of categories
    if name == "histogram":
        low, high = all_values.min(), all_values.max()
        edges = np.linspace(low, high, n_bins + 1)[:-1] if overall else all_values[:1]
    length = (np.ptp(all_values) or 1.0) / len(edges) if name == "histogram" else 1.0
    places, counted = (np.searchsorted(edges, v, side="right") - 1 for v in (t, values))
    counts = np.bincount(counted, minlength=len(edges)) + alpha
    proportions = counts / (len(values) + alpha * len(edges)) / length
    inside = (t >= all_values.min()) & (t <= all_values.max())
    known = np.isin(t, all_values) if name == "categorical" else inside
    return np.where(known, proportions[places], 1.0)


def _joint(names, X, y, T, **options):
    """Return the factors, shape (m, d, K), and the joint densities, shape (m, K)."""
    features = [(name, T[:, j], X[:, j]) for j, name in enumerate(names)]
    factors = np.array(
        [[_factor(name, t, x[y == k], x, **options) for name, t, x in features] for k in (0, 1)]
    ).T
    return factors, factors.prod(axis=1) * np.bincount(y) / len(y)


@statement("algorithm", "3", "Yan, naive Bayes")
def estimates(GaussianNaiveBayes, NaiveBayes, gaussian, histogram, kernel, categorical, rng):
    r"""$\hat f_{k,j}$ is an estimate on the line from feature $j$ of class $k$, for each feature of its own
    kind: Gaussian with divisor $n_k$, a histogram on the range of all classes, a kernel estimate, or the
    smoothed proportions of categories."""
    X, y = _sample(rng, counts=(15, 9), d=4)
    X[:, 3] = np.where(y == 0, rng.permutation(24) % 3, rng.permutation(24) % 2)
    X[np.flatnonzero(y == 0)[:3], 3] = [0, 1, 2]  # class 1 has no 2
    T = np.vstack([X[:12], (X[1:] + X[:-1]) / 2])
    T[:, 3] = np.arange(len(T)) % 3
    marginals = {"gaussian": gaussian, "histogram": histogram, "kernel": kernel, "categorical": categorical}
    for names in (list(marginals), ["histogram", "kernel", "gaussian", "categorical"]):
        model = NaiveBayes([marginals[name] for name in names]).fit(X, y)
        truth = _normalised(_joint(names, X, y, T)[1])
        yield equal(
            f"posterior, {', '.join(names)}", model.predict_proba(T), truth, rounding(200, 40), X=X, y=y
        )
    for name in ("gaussian", "histogram", "kernel"):
        model = NaiveBayes(marginals[name]).fit(X[:, :3], y)
        joint = _joint([name] * 3, X[:, :3], y, T[:, :3])[1]
        yield equal(
            f"posterior, {name}", model.predict_proba(T[:, :3]), _normalised(joint), rounding(200, 40)
        )
    truth = _normalised(_joint(["gaussian"] * 3, X[:, :3], y, T[:, :3])[1])
    posterior = GaussianNaiveBayes().fit(X[:, :3], y).predict_proba(T[:, :3])
    yield equal("posterior, Gaussian naive Bayes", posterior, truth, rounding(200, 40))


@hard_cases(estimates)
def densities_on_the_line(gaussian, histogram, kernel, categorical, rng):
    """The densities themselves, with other numbers of bins, alpha and h; a new value has the factor 1."""
    x = np.append(rng.integers(4, 29, 22) / 16, [0.0, 2.0])  # the first nine are a class of smaller range
    t = np.append(rng.integers(0, 32, 12) / 16 + 1 / 64, [-2.0, 2.5])
    categories = rng.permutation(24) % 3 + np.where(np.arange(24) < 9, 0, 2.0)
    for values, points, name, density, options in (
        (x, t, "gaussian", gaussian, {}),
        (x, t, "histogram", histogram, {}),
        (x, t, "histogram", partial(histogram, n_bins=4, alpha=0.5), {"n_bins": 4, "alpha": 0.5}),
        (x, t, "kernel", kernel, {}),
        (x, t, "kernel", partial(kernel, h=0.5), {"bandwidth": 0.5}),
        (categories, np.arange(-1, 7.0), "categorical", categorical, {}),
        (categories, np.arange(-1, 7.0), "categorical", partial(categorical, alpha=2), {"alpha": 2}),
    ):
        truth = _factor(name, points, values[:9], values, **options)
        logs = as_numbers(density(points, values[:9], values), len(points))
        yield equal(f"{name} {options}", np.exp(logs), truth, rounding(60, 40), x=values)


@hard_cases(
    estimates, estimators_only="The estimator has weights and variance floors, and returns log factors."
)
def constant_features_and_weights(NaiveBayes, rng):
    """A feature that does not vary within a class has the bandwidth of all classes, or 1."""
    X, y = _sample(rng, counts=(15, 9))
    copies, T = rng.integers(1, 4, 24, dtype=np.intp), np.vstack([X[:12], [[3.0, -3.0], [-2.0, 2.5]]])
    flat = np.column_stack([np.where(y == 1, 0.5, X[:, 0]), np.ones(24)])  # in class 1, and altogether
    category = np.where(y == 0, rng.permutation(24) % 3, rng.permutation(24) % 2)
    category[np.flatnonzero(y == 0)[:3]] = [0, 1, 2]  # class 1 has no 5
    codes = np.column_stack([X[:, 0], np.array([0.0, 2.0, 5.0])[category], X[:, 1]])
    new, apart = np.vstack([codes[:12], [[3.0, 7.0, 0.0], [0.0, 1.0, 1.0]]]), X + 300 * y[:, None]
    cases: list[tuple[Any, ...]] = [(apart, apart[:12], ["gaussian"] * 2, {})]
    for name in ("gaussian", "histogram", "kernel"):
        cases.append((X, T, [name] * 2, {"n_bins": 4, "alpha": 0, "bandwidth": 0.5}))
        cases.append((flat, np.vstack([flat[:12], T[12:]]), [name] * 2, {}))
    cases += [(codes, rows, ["gaussian", "categorical", "gaussian"], {}) for rows in (new, new[-2:])]
    labels = y.repeat(copies)
    for rows, points, names, options in cases:
        model = fit_copies(NaiveBayes(names, **options), copies, rows, y)
        factors, joint = _joint(names, rows.repeat(copies, axis=0), labels, points, **options)
        size = float(abs(rows).max())  # lost in t minus the mean
        slack = rounding(60, 1 + float(factors.max()) * 20 * size)
        yield equal(f"{names}: factors", np.exp(model.log_marginals(points)), factors, slack, X=rows, y=y)
        posterior = quietly(model.predict_proba, points)
        yield equal(
            f"{names}: posterior", posterior, _normalised(joint), rounding(200, 40 * size), X=rows, y=y
        )
        joints, slack = np.exp(model.log_joint(points)), slack * (1 + factors.max())
        yield equal(f"{names}: joint densities", joints, joint, slack, X=rows, y=y)


@statement("formula", "3 deeper", "Laplace, 1774")
def smoothing(smoothed_proportions, rng):
    r"""Laplace smoothing $\hat p_j = \frac{c_j + \alpha}{n + m\alpha}$ is the posterior mean of the
    probabilities under a Dirichlet prior; for $\alpha = 1$ and two categories $\frac{c + 1}{n + 2}$, the rule
    of succession."""
    counts = rng.integers(0, 7, 4)
    counts[0] = 0
    for alpha, given in ((1, ()), (2, (2,))):
        estimated, truth = smoothed_proportions(counts, *given), (counts + alpha) / (counts.sum() + 4 * alpha)
        yield equal(f"proportions, alpha = {alpha}", estimated, truth, rounding(8), counts=counts)
    # int p^(c+1) (1-p)^(n-c) dp over int p^c (1-p)^(n-c) dp, by Gauss-Legendre quadrature: exact
    nodes, weights = np.polynomial.legendre.leggauss(20)
    p, c, n = (nodes + 1) / 2, 3, 8
    density = p**c * (1 - p) ** (n - c)
    estimated = smoothed_proportions(np.array([c, n - c]), 1.0)[0]
    mean = weights @ (p * density) / (weights @ density)
    yield equal("mean of the posterior under a uniform prior", estimated, mean, rounding(40, 1))


def _counts_problem(rng):
    X, y = rng.integers(0, 5, (12, 3)), np.arange(12) % 3 % 2
    T = rng.integers(0, 4, (10, 3))
    X[:, 0] = np.where(y == 1, X[:, 0] + 1, 0)  # in class 0 the first word never occurs
    T[:2, 0] = 0, 1
    return X, y, T


def _counts_posterior(X, y, T, alpha):
    totals = np.array([X[y == k].sum(axis=0) + alpha for k in (0, 1)])
    theta = totals / totals.sum(axis=1, keepdims=True)  # (K, d)
    return _normalised((theta ** T[:, None]).prod(axis=2) * np.bincount(y) / len(y))


@statement("algorithm", "3")
def counts(MultinomialNaiveBayes, rng):
    r"""Multinomial naive Bayes: the posterior is proportional to $\hat\pi_k\prod_j\hat\theta_{kj}^{x_j}$ with
    the smoothed proportions $\hat\theta_{kj}$ of all counts of class $k$."""
    X, y, T = _counts_problem(rng)
    for alpha, options in ((1, {}), (0.5, {"alpha": 0.5})):
        posterior = MultinomialNaiveBayes(**options).fit(X, y).predict_proba(T)
        truth = _counts_posterior(X, y, T, alpha)
        yield equal(f"posterior, alpha = {alpha}", posterior, truth, rounding(40, 20), X=X, y=y)


@hard_cases(counts)
def without_smoothing(MultinomialNaiveBayes):
    """A word that never occurs in a class excludes it, unless it does not occur in the text: 0^0 = 1."""
    model = MultinomialNaiveBayes(alpha=0).fit(np.array([[3, 0], [1, 2]]), np.array([0, 1]))
    posterior = model.predict_proba(np.array([[1, 0], [0, 5]]))
    yield equal("posterior, alpha = 0", posterior, [[0.75, 0.25], [0, 1]], rounding(8, 4))


@hard_cases(counts, estimators_only="Only the estimator has weights, and refuses negative counts.")
def words_that_never_occur(MultinomialNaiveBayes, rng):
    X, y, T = _counts_problem(rng)
    copies = rng.integers(1, 4, 12, dtype=np.intp)
    for alpha in (1, 0):
        model = fit_copies(MultinomialNaiveBayes(alpha=alpha), copies, X, y)
        truth = _counts_posterior(X.repeat(copies, axis=0), y.repeat(copies), T, alpha)
        yield equal(f"posterior, alpha = {alpha}", model.predict_proba(T), truth, rounding(40, 20), X=X, y=y)
    for wrong in ([[0, 0], [1, 2]], [[-0.5, 1], [1, 2]]):
        refused = refuses(MultinomialNaiveBayes(alpha=0).fit, np.array(wrong), np.array([0, 1]))
        yield equal("a class without a word, and a negative count, refused", refused, True, X=wrong)


# ---- 4 When it works
@statement("claim", "4", "Yan, discussions")
def pros_cons(naive_posterior):
    r"""A copied feature counts twice, and can turn a decision; on XOR (two fair bits, $Y$ their sum
    mod 2) naive Bayes has risk $\frac12$ where the Bayes risk is 0; and yet on independent features it is the
    Bayes rule."""
    # prior 3/4 against 1/4, one fair-coin feature with likelihoods 1/4 against 1/2
    logs = np.log(np.array([[[0.25, 0.5]]]))
    once = naive_posterior(logs, [0.75, 0.25])[0]
    twice = naive_posterior(logs.repeat(2, axis=1), [0.75, 0.25])[0]
    yield equal("posterior from the feature", once, [0.6, 0.4], rounding(8, 4))
    what = "posterior from the feature and its copy: the decision turns"
    yield equal(what, twice, [3 / 7, 4 / 7], rounding(8, 4))
    half = np.log(np.full((4, 2, 2), 0.5))  # every marginal of XOR is a fair coin in both classes
    posterior = naive_posterior(half, [0.5, 0.5])
    yield equal("posterior on XOR", posterior, np.full((4, 2), 0.5), rounding(8, 4))
    product = np.log(np.array([[[0.2, 0.6], [0.3, 0.1]]]))
    posterior = naive_posterior(product, [0.5, 0.5])[0]
    yield equal("two independent features", posterior, [0.5, 0.5], rounding(8, 4))


@statement("claim", "4", "Yan, discussions", given=("KernelDensityClassifier",))
def few_rows(NaiveBayes, kernel, KernelDensityClassifier):
    r"""On independent normal features with means $\pm\frac14$, 20 observations a class, 200 test points and 8
    draws: in 40 dimensions, with bandwidth 0.6 for both, naive kernel Bayes makes fewer errors in all than
    the full kernel density classifier; with bandwidth 5 the counts differ by at most a tenth, since a wide
    kernel compares distances to the class means."""

    def errors(h):
        rng, d, wrong = np.random.default_rng(1997), 40, np.zeros(2)
        for _ in range(8):
            y, y_new = np.arange(40) % 2, np.arange(200) % 2
            X = rng.standard_normal((40, d)) + (2 * y[:, None] - 1) / 4
            T = rng.standard_normal((200, d)) + (2 * y_new[:, None] - 1) / 4
            methods = NaiveBayes(partial(kernel, h=h)), KernelDensityClassifier(bandwidth=h**2 * np.eye(d))
            for i, method in enumerate(methods):
                wrong[i] += (as_numbers(method.fit(X, y).predict(T), 200) != y_new).sum()
        return wrong

    naive, full = errors(0.6)
    yield at_most("errors of the naive rule, fewer than those of the full one", naive + 1, full)
    # every classifier errs with probability p >= Phi(-sqrt(40)/4) = 0.0569: fewer than 40 of 1,600 errors
    # have probability 3e-10
    yield at_least("errors of the naive rule against what chance allows", naive, 40.0)
    naive, full = errors(5.0)
    yield at_most("difference of the two with a wide kernel", abs(naive - full), naive / 10)


# ---- 5 What the notes got wrong
@correction("notation", "5 deeper", "Yan, naive Bayes")
def erratum_y38(naive_posterior):
    """Printed: $f_{k,j}(X_k)$ is the marginal density of $X_j$ conditional on $Y = k$.
    Right: $f_{k,j}(x_j)$: the argument is the feature $j$, not the class $k$."""
    # classes 1 and 2, two bits; P(X_1 = 1 | k) = 1/3, 1/3 and P(X_2 = 1 | k) = 3/4, 1/4
    p = [[Fraction(1, 3), Fraction(3, 4)], [Fraction(1, 3), Fraction(1, 4)]]

    def mass(k, j, bit):
        return p[k][j] if bit else 1 - p[k][j]

    points = list(itertools.product((0, 1), repeat=2))
    right = [sum(mass(k, 0, x[0]) * mass(k, 1, x[1]) for x in points) for k in (0, 1)]
    literal = [sum(mass(k, 0, x[k]) * mass(k, 1, x[k]) for x in points) for k in (0, 1)]
    yield equal("sum over all points, corrected", right, [Fraction(1), Fraction(1)])
    yield equal("sum over all points, printed form", literal, [Fraction(5, 6), Fraction(7, 6)])
    logs = np.log(np.array([[[float(mass(k, j, x[j])) for k in (0, 1)] for j in (0, 1)] for x in points]))
    joint = np.array([[float(mass(k, 0, x[0]) * mass(k, 1, x[1])) for k in (0, 1)] for x in points])
    yield equal("posterior", naive_posterior(logs, [0.5, 0.5]), _normalised(joint), rounding(8, 4))


@correction("wrong", "5 deeper", "Yan, discussions")
def erratum_y39(NaiveBayes, bernoulli):
    r"""Printed: Naive Bayes is robust to irrelevant features and works well although independence is
    violated.
    Right: A feature with the same true factor in all classes cancels, but its estimated factors differ; and
    violated independence can cost everything: on XOR the risk is $\frac12$."""
    bits = np.array(list(itertools.product((0, 1), repeat=2)))
    X, y = bits.repeat(5, axis=0), (bits.sum(axis=1) % 2).repeat(5)
    model = NaiveBayes(bernoulli).fit(X, y)
    yield equal("posterior on XOR data", model.predict_proba(bits), np.full((4, 2), 0.5), rounding(8, 4))
    # the irrelevant bit is 1 for 4 of 5 in class 0 by chance, for 1 of 5 in class 1
    X = np.array([[i % 2, int(i < 4)] for i in range(5)] + [[i % 2, int(i < 1)] for i in range(5)])
    model = NaiveBayes(bernoulli).fit(X, np.repeat([0, 1], 5))
    posterior = model.predict_proba([[0, 1]])[0]
    yield equal("posterior from a bit that is irrelevant in truth", posterior, [5 / 7, 2 / 7], rounding(8, 4))


erratum_y37 = zero_over_zero.corrects(
    "y37",
    "wrong",
    "5 deeper",
    "Yan, kernel density classifier",
    r"""
    Printed: $\arg\max_k\hat\pi_k\hat f_k(x)/\sum_l\hat\pi_l\hat f_l(x)$.
    Right: Where every $\hat f_l(x) = 0$ the ratio is $0/0$: the rule needs a
    definition there, such as the prior.""",
)
