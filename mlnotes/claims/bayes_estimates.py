"""The statements on Bayes rule as executable claims: estimates in place of the distribution, and errata.

`bayes` has the sections before, the distributions and how risks are compared.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, hard_cases, misprint, rounding, statement
from mlnotes.checking.outputs import quiet_fit, refuses
from mlnotes.claims.bayes import OUTPUTS as OUTPUTS  # the outputs that the checks of this file accept
from mlnotes.claims.bayes import (
    TWO_SKIES,
    columns,
    cost,
    eta_mu,
    eta_of,
    excess_identity,
    floats,
    least_cost,
    lr_test,
    nonunique,
    pointwise_min,
    three_classes,
    why_pointwise,
)
from mlnotes.claims.instances.gaussians import (
    estimates,
    example_1_1_risks,
    gauss,
    is_a_sample,
    log_joint,
    plugged_in,
    softmax,
)
from mlnotes.datasets import FiniteDistribution, random_finite_distribution

TOPIC = "bayes"


# ------------------------------------------------------------------- 8 Plug-in rules
def random_estimate(rng, distribution):
    """Return an estimated posterior of a two-class distribution, dyadic, with two entries exactly 1/2."""
    return rng.permutation(np.append(rng.integers(0, 257, distribution.n_atoms - 2) / 256, [0.5, 0.5]))


@statement("definition", "8", "Wainwright, eq. (2.18)", "Yan, plug-in approach")
def plugin_rule(bayes_rule_binary, rng):
    r"""The plug-in rule trusts an estimate: $\hat g(x) = 1$ iff $\hat\eta(x) \ge 1/2$. With $\hat\eta = \eta$
    it is the Bayes rule, and only the side of $1/2$ matters."""
    distribution = random_finite_distribution(rng, 10, 2, n_ties=2)
    guess, eta = random_estimate(rng, distribution), eta_of(distribution)
    yield equal("predictions", bayes_rule_binary(guess), (guess >= 0.5).astype(np.int64), eta_hat=guess)
    pulled = 0.5 + (eta - 0.5) / 8  # wrong everywhere, on the right side everywhere
    timid, right = bayes_rule_binary(pulled), bayes_rule_binary(eta)
    yield equal("predictions of an estimate that is eight times too timid", timid, right)


@statement("theorem", "8", "Wainwright, Thm 2.2, corrected")
def plugin_bound(plugin_bound, rng):
    r"""$R(\hat g) - R^\star \le 2 E\lvert \eta(X) - \hat\eta(X)\rvert$ for two classes, $E\sum_k \lvert\eta_k
    - \hat\eta_k\rvert$ for $K$. The constant 2 is attained."""
    distribution = random_finite_distribution(rng, 8, 2)
    eta, mass = eta_of(distribution), floats(distribution.marginal())
    # the last has ties exactly where eta < 1/2: there the plug-in rule predicts 1, which is wrong
    guesses = random_estimate(rng, distribution), 1 - eta, np.full(8, 0.5), np.where(eta < 0.5, 0.5, eta)
    for guess in guesses:
        lost = cost(distribution, (guess >= 0.5).astype(int)) - float(distribution.bayes_risk())
        bound, known = plugin_bound(columns(eta), columns(guess), mass), 2 * mass @ abs(eta - guess)
        yield equal("the bound is 2 E|eta - eta_hat|", bound, known, rounding(16), eta=eta, eta_hat=guess)
        yield at_most("excess risk of the plug-in rule", lost, bound, rounding(16), eta=eta, eta_hat=guess)
    yield equal("equality at eta_hat = 1/2", lost, bound, rounding(16), eta=eta)


@hard_cases(plugin_bound)
def swapped_estimates(plugin_bound):
    distribution, guess = FiniteDistribution.from_weights([[3, 1], [1, 3]]), np.array([0.75, 0.25])
    lost = cost(distribution, [1, 0]) - float(distribution.bayes_risk())
    bound = plugin_bound(columns(eta_of(distribution)), columns(guess), np.array([0.5, 0.5]))
    values = [lost, bound, 2 * abs(np.mean(eta_of(distribution) - guess))]
    yield equal("estimates swapped: excess risk, bound, bound as printed", values, [0.5, 1, 0])


@statement("theorem", "8 deeper", "Devroye, Györfi and Lugosi (1996), Thm 2.2 (two classes)")
def plugin_bound_multi(plugin_bound, bayes_rule, excess_risk, rng):
    r"""With $K$ classes the rule $\arg\max_k \hat\eta_k$ loses at most $E\sum_k \lvert\eta_k(X) -
    \hat\eta_k(X)\rvert$."""
    distribution = random_finite_distribution(rng, 8, 4)
    eta, mass = floats(distribution.conditional()), floats(distribution.marginal())
    for mix in (0.1, 0.5, 1.0):
        guess = (1 - mix) * eta + mix * rng.dirichlet(np.ones(4), 8)
        lost, bound = excess_risk(bayes_rule(guess), distribution.table()), plugin_bound(eta, guess, mass)
        total = mass @ abs(eta - guess).sum(axis=1)
        yield equal("the bound is E sum |eta_k - eta_hat_k|", bound, total, rounding(32))
        yield at_most("excess risk of the plug-in rule", lost, bound, rounding(32), eta_hat=guess)


@statement("claim", "8", "Wainwright, proof of Thm 2.2")
def plugin_proof_step(bayes_rule_binary):
    r"""Where the plug-in rule and the Bayes rule disagree, $\lvert\eta(x) - \hat\eta(x)\rvert \ge
    \lvert\eta(x) - \frac12\rvert$: the estimate must have crossed $1/2$."""
    eta, guess = (side.ravel() for side in np.meshgrid(*2 * [np.arange(65) / 64]))
    differ = bayes_rule_binary(eta) != bayes_rule_binary(guess)
    yield equal("pairs on the grid where the rules disagree", int(differ.sum()), 2 * 32 * 33)
    gap = abs(eta - guess)[differ] - abs(eta - 0.5)[differ]  # dyadic: exact
    yield at_least("gap |eta - eta_hat| - |eta - 1/2| among them", gap, 0.0)


def memorise(points, labels):
    """Return the rule on four points that knows the sample and predicts 0 elsewhere."""
    rule = np.zeros(4, dtype=np.int64)
    rule[list(points)] = labels
    return rule


def average_risk(risk, learner, n):
    """Return the mean of R(f_n) over samples of n and the 16 ways to label four equally likely points."""
    total = 0
    for truth in itertools.product((0, 1), repeat=4):
        joint = np.eye(2)[list(truth)] / 4
        for points in itertools.product(range(4), repeat=n):
            total += risk(learner(points, tuple(truth[x] for x in points)), joint)
    return total / 4**n / 16


@statement("claim", "8 deeper", "Yan, supervised learning, h(n)")
def setup_rate_framework(risk, excess_risk, rng):
    r"""One wants $R(\hat f_n) - R^\star \le h(n)$, in expectation or with high probability. No $h(n) \to 0$
    holds for every distribution: on $m$ equally likely points with labels fixed by coin tosses, any learner
    has expected excess risk at least $\frac12(1 - \frac1m)^n$, on average over the tosses."""
    table: dict = {}

    def drawn(points, labels):
        """Return an arbitrary fixed map of samples to rules."""
        return table.setdefault((points, labels), rng.integers(0, 2, 4))

    floor = 0.5 * (1 - 1 / 4) ** 2
    yield equal("average excess risk of memorising two of four", average_risk(risk, memorise, 2), floor)
    yield at_least("the same for a learner drawn at random", average_risk(risk, drawn, 2), floor)


@hard_cases(setup_rate_framework)
def luck_and_expectation(excess_risk):
    # at one point with eta = 1/4 the majority of three labels is 1 in ten of 64 samples
    lost = [excess_risk(np.array([answer]), np.array([[0.75, 0.25]])) for answer in (0, 1)]
    yield equal("excess risk of the majority of three labels, by luck", lost, [0.0, 0.5])
    yield equal("its expectation, which a rate can bound", (54 * lost[0] + 10 * lost[1]) / 64, 5 / 64)


# ------------------------------------------------------------------- 9 Maximum likelihood
@statement("definition", "9", "Recitation 7, 1.1", false_alarm=1e-9)
def generative_model(GaussianClasses, rng):
    r"""The Gaussian generative model: $y \sim \mathrm{Ber}(p)$, then $x \mid y \sim N(\mu_y, \Sigma_y)$. Its
    posterior is the logistic function of a quadratic score."""
    p, means = 0.3, np.array([[0.0, 1.0], [2.0, -1.0]])
    covariances = np.array([[[2.0, 0.8], [0.8, 1.0]], [[1.0, -0.5], [-0.5, 1.5]]])
    distribution = GaussianClasses(np.array([1 - p, p]), means, covariances)
    yield from is_a_sample(distribution.sample(20_000, rng), p, means, covariances)
    X = rng.normal(0, 2, (30, 2))
    zero, one = log_joint(X, means, covariances, distribution.prior).T
    logistic = 1 / (1 + np.exp(np.clip(zero - one, -700, 700)))
    value = distribution.posterior(X)[:, 1]
    yield equal("posterior against the logistic of the score", value, logistic, rounding(40, 200))


@statement("example", "9 deeper", "Recitation 7, Example 1.1", false_alarm=1e-9)
def generative_ex1_1(recitation_example, rng):
    r"""$\mu_0 = (0, 5)$, $\mu_1 = (5, 5)$, $\Sigma_0 = \begin{pmatrix}1 & 0.6\\0.6 & 1\end{pmatrix}$,
    $\Sigma_1 = \mathrm{diag}(3, 1)$, $p = 0.4$: Bayes risk 0.0225145, maximum-likelihood rule 0.0229850;
    exactly 400 ones among 1000 have probability 0.0257448."""
    distribution, coarse, fine = recitation_example(), example_1_1_risks(80), example_1_1_risks(160)
    yield at_most("our quadrature at two resolutions", abs(fine - coarse).sum(), 1e-9)
    # the distribution promises its risk to 1e-7, the statement prints seven decimals
    yield equal("Bayes risk against our quadrature", distribution.bayes_risk(), fine[0], 1e-7)
    yield equal("it and that of maximum likelihood, as printed", fine, [0.0225145, 0.0229850], 5e-8)
    covariances = np.array([[[1, 0.6], [0.6, 1]], [[3, 0], [0, 1]]])
    yield from is_a_sample(distribution.sample(20_000, rng), 0.4, np.array([[0.0, 5], [5, 5]]), covariances)
    log_mass = math.log(math.comb(1000, 400)) + 400 * math.log(0.4) + 600 * math.log(0.6)
    yield equal("P(400 of 1000)", math.exp(log_mass), 0.0257448188, 1e-9)


@statement("definition", "9 deeper", "Recitation 7, Def. 1.2")
def mle_likelihood(Gaussian, rng, *, n=2000):
    r"""The likelihood of independent draws is the product of their densities, so its logarithm is a sum. Of
    «n» points the product underflows to 0; the sum does not."""
    x = rng.normal(1, 2, (n, 1))
    density = np.exp(-((x[:, 0] - 1) ** 2) / 8) / math.sqrt(8 * math.pi)
    logs = Gaussian(np.array([1.0]), np.array([[4.0]])).log_density(x)
    yield equal("log densities", logs, np.log(density), rounding(4, 1 + abs(np.log(density)).max()))
    yield equal("product of the densities in float64", float(np.prod(density)), 0.0)
    yield at_least("their log-likelihood", float(np.sum(logs)), -1e5)


@hard_cases(mle_likelihood)
def densities_are_no_probabilities(Gaussian):
    with np.errstate(over="ignore"):
        beyond = Gaussian(np.array([1.0]), np.array([[4.0]])).log_density(np.array([[1e200]]))
    yield equal("log density at 1e200, where the square is no float", beyond, [-np.inf])
    grid, w = gauss(-24.0, 24.0, 120)
    whole = w @ np.exp(Gaussian(np.zeros(1), np.array([[4.0]])).log_density(grid[:, None]))
    printed = w @ np.exp(-(grid**2) / 8) / math.sqrt(2 * math.pi) / 4
    words = "integral of the density of N(0, 4), and with 1/sigma^2"
    yield equal(words, [whole, printed], [1, 0.5], rounding(120))
    narrow, radius, exact = Gaussian(np.zeros(1), np.array([[0.01]])), 2.0**-30, 10 / math.sqrt(2 * math.pi)
    peak = math.exp(narrow.log_density(np.zeros((1, 1)))[0])
    yield equal("density of N(0, 0.01) at 0, which no probability can reach", peak, exact, rounding(8, 4))
    mass = math.erf(radius / 0.1 / math.sqrt(2))
    yield at_most("probability of an interval of length 2^-29 around 0", mass, 2 * radius * peak, rounding(4))


@statement("example", "9 deeper", "Recitation 7, Example 1.2")
def mle_ex1_2(Gaussian):
    r"""For $x = (1, 2, 3)$ and $\sigma = 1$: $L(1) = 0.00521188$, $L(2) = 0.0233580$; the ratio is $e^{3/2}$,
    and the mean 2 is the maximum."""
    x, grid = np.array([[1.0], [2.0], [3.0]]), np.arange(0, 257) / 64
    L = {mean: math.exp(Gaussian(np.array([mean]), np.eye(1)).log_density(x).sum()) for mean in grid}
    for mean, printed, error in ((1.0, 0.00521188, 5e-9), (2.0, 0.0233580, 5e-8)):
        exact = (2 * math.pi) ** -1.5 * math.exp(-1 - 1.5 * (mean - 2) ** 2)
        yield equal(f"L({mean:g})", L[mean], exact, rounding(12))
        yield equal(f"L({mean:g}) as printed", L[mean], printed, error)
    yield equal("L(1) rounded to six decimals", round(L[1.0], 6), 0.005212)
    yield equal("L(2) / L(1)", L[2.0] / L[1.0], math.exp(1.5), rounding(24, 5))
    yield equal("grid point of the largest likelihood", float(max(L, key=L.__getitem__)), 2.0)


@statement("definition", "9 deeper", "Recitation 7, Def. 1.3")
def mle_def(bernoulli_mle, rng):
    r"""The maximum-likelihood estimate maximises the likelihood. At an interior maximum the derivative
    vanishes; at the boundary it need not: with no successes $\hat p = 0$ and the derivative is $-n$."""
    grid = np.arange(0, 1025) / 1024
    for ones in (0, 3, 11):
        y = rng.permutation(np.repeat([1, 0], [ones, 11 - ones]))
        p = bernoulli_mle(y)
        best = (grid**ones * (1 - grid) ** (11 - ones)).max()
        value = p**ones * (1 - p) ** (11 - ones) if 0 <= p <= 1 else 0.0
        yield at_least(f"likelihood at the estimate, {ones} of 11", value, best, rounding(24), y=y)
    p = np.float64(bernoulli_mle(np.array([1, 1, 1, 0])))
    yield equal("derivative of the log-likelihood, 3 of 4", 3 / p - 1 / (1 - p), 0.0, rounding(4, 11))
    none, all_ones = (np.float64(bernoulli_mle(np.full(11, k))) for k in (0, 1))
    ends = [-11 / (1 - none), 11 / all_ones]
    yield equal("derivatives at the boundary, 0 and 11 of 11", ends, [-11.0, 11.0], rounding(4, 11))


@statement("claim", "9 deeper", "Recitation 7, after Def. 1.3")
def mle_intuition(posterior):
    r"""The maximum-likelihood parameter makes the *data* most probable; it is not the most probable
    *parameter*. Of 100 coins one has two heads, and the coin drawn shows three heads in a row: 'two-headed'
    is the estimate, with posterior probability $\frac{8}{107}$."""
    likelihood = np.array([[1 / 8, 1.0]])  # fair, two-headed
    fair, double = posterior(np.array([0.99, 0.01]), np.log(likelihood))[0]
    yield equal("its posterior probability", double, 8 / 107, rounding(8))
    yield at_most("ten times it, against that of the fair one", 10 * double, fair)


@statement("theorem", "9 deeper", "Recitation 7, Example 1.3")
def mle_bernoulli(bernoulli_mle, rng):
    r"""For coin flips the maximum-likelihood estimate is the frequency, $\hat p = n_1/n$."""
    for n in (1, 5, 12):
        grid = [Fraction(j, n) for j in range(n + 1)]
        best = [float(max((q**k * (1 - q) ** (n - k), q) for q in grid)[1]) for k in range(n + 1)]
        rows = (np.repeat([1, 0], [k, n - k]) for k in range(n + 1))
        estimates = [bernoulli_mle(rng.permutation(y)) for y in rows]
        yield equal(f"estimates from k ones among {n}", estimates, np.arange(n + 1) / n, rounding(n))
        yield equal("exact maximisers on the grid j/n", estimates, best, rounding(n))


@statement("homework", "9 deeper", "Recitation 7, Example 1.3, last item")
def mle_gauss_params(Gaussian, rng):
    r"""For a Gaussian class the estimates are the mean and the covariance with divisor $n_k$; the latter is
    biased, $E\hat\Sigma = \frac{n_k - 1}{n_k}\Sigma$."""
    X = rng.integers(-8, 9, (12, 3))
    X[:4] += 8 * np.eye(4, 3, dtype=int)  # four observations in general position: the covariance is regular
    centred = 12 * X - X.sum(axis=0)  # 12 times: integers
    mean, S = X.sum(axis=0) / 12, centred.T @ centred / 12**3
    fit = Gaussian.fit(X.astype(float))
    yield equal("mean", fit.mean, mean, rounding(12, 16), X=X)
    yield equal("covariance, divisor n", fit.covariance, S, rounding(36, 256), X=X)
    # E of the fit over all samples of 3 coin flips: (n - 1)/n times the true variance 1/4
    fits = [Gaussian.fit(np.array(f)[:, None]) for f in itertools.product((0.0, 1.0), repeat=3)]
    average = np.mean([np.asarray(fit.covariance)[0, 0] for fit in fits])
    yield equal("mean of the estimate over all samples of 3 coin flips", average, 2 / 3 * 0.25, rounding(24))


@statement("theorem", "9 deeper", "Anderson (2003), section 3.2")
def mle_gauss(Gaussian, likelihood_equation_error, rng):
    r"""If $S$ is positive definite, $N(\bar x, S)$ is the only distribution $N(\mu, \Sigma)$ of largest
    likelihood: there the whitened data have mean 0 and second moments $I$. If $S$ is singular, the
    likelihood at $S + \epsilon I$ grows beyond all bounds as $\epsilon \to 0$."""
    X = rng.standard_normal((12, 2)) @ np.array([[1.0, 0.5], [0.0, 0.7]]) + 3
    fit, S = Gaussian.fit(X), np.cov(X.T, bias=True)
    best, slack = float(np.sum(fit.log_density(X))), rounding(200, 12 * 20)
    value = -6 * (2 * math.log(2 * math.pi) + np.linalg.slogdet(S)[1] + 2)
    yield equal("log-likelihood of the fit: (9.13) with equality", best, value, slack, X=X)
    yield equal("its likelihood equations", likelihood_equation_error(fit, X), 0.0, rounding(100, 100))
    flat = X * [1, 0]
    centre, S, eps = flat.mean(axis=0), np.diag([flat[:, 0].var(), 0.0]), 4.0 ** -np.arange(1, 30)
    logs = [float(np.sum(Gaussian(centre, S + e * np.eye(2)).log_density(flat))) for e in eps]
    yield at_least("growth of the log-likelihood whenever eps is quartered", np.diff(logs), 8.0)


@hard_cases(mle_gauss)
def other_gaussians(Gaussian, likelihood_equation_error, rng):
    X = rng.standard_normal((12, 2)) @ np.array([[1.0, 0.5], [0.0, 0.7]]) + 3
    mean, S = X.mean(axis=0), np.cov(X.T, bias=True)
    best = float(np.sum(Gaussian.fit(X).log_density(X)))
    for factor in (0.5, 0.99, 1.01, 4.0):
        other = Gaussian(mean, factor * S)
        total = float(np.sum(other.log_density(X)))
        yield at_most(f"log-likelihood at {factor} S", total, best, rounding(200, 12 * 20))
        off = abs(1 / factor - 1)  # the second moments are I / factor
        yield equal("its likelihood equations", likelihood_equation_error(other, X), off, rounding(100, 100))
    shift = np.array([0.0, 0.1])  # moves the whitened mean in the second coordinate alone
    off = 0.1 / np.linalg.cholesky(S)[1, 1]
    moved = likelihood_equation_error(Gaussian(mean + shift, S), X)
    yield equal("its likelihood equations, with a shifted mean", moved, max(off, off**2), rounding(100, 100))


# ------------------------------------------------------------------- 10 The plug-in classifier
@statement("algorithm", "10", "Yan, recap: Bayes optimal classifier")
def plugin_generative(PlugInClassifier, rng, *, n=70, m=25):
    r"""Estimate the priors by frequencies and the class densities, here Gaussian, from the observations of
    each class, then apply Bayes' formula."""
    X, y = three_classes(rng)
    keep = np.sort(rng.permutation(90)[:n])
    X, y = X[keep], y[keep]
    model, points = PlugInClassifier().fit(X, y), rng.normal(1, 3, (m, 2))
    expected, slack = plugged_in(X, y, points)
    yield equal("posterior against the formula", model.predict_proba(points), expected, slack, points=points)
    second, first = np.sort(expected, axis=1)[:, -2:].T
    clear = first - second > 2 * slack
    yield equal("predictions", model.predict(points)[clear], expected.argmax(axis=1)[clear])


@hard_cases(plugin_generative, estimators_only="A classifier of one's own need not certify itself.")
def certificate(PlugInClassifier, rng):
    X, y = three_classes(rng)
    counts, means, scatters = estimates(X, y)
    logs = log_joint(X, means, scatters / counts[:, None, None], counts / len(X))
    reported, slack = (
        PlugInClassifier().fit(X, y).certificate_,
        rounding(90 * 60, float(abs(logs).max()) * 50),
    )
    yield equal("log-likelihood", reported["log_likelihood"], logs[np.arange(90), y].sum(), slack)
    yield equal("residual of the likelihood equations", reported["score"], 0.0, slack)


@statement("claim", "10 deeper", "Yan, recap: Bayes optimal classifier")
def plugin_true_distribution(posterior, bayes_rule, rng):
    r"""With the true priors and the true class densities in place of the estimates, Bayes' formula and
    $\arg\max$ *are* the Bayes rule: the risk is the smallest of all $K^m$."""
    # without the prior class 1 wins in the first
    skewed = FiniteDistribution.from_weights([[32, 1, 3], [20, 2, 0], [8, 1, 5]])
    for distribution in (skewed, random_finite_distribution(rng, 5, 3, n_ties=1)):
        prior = distribution.exact_table().sum(axis=0)
        with np.errstate(divide="ignore"):
            logs = np.log(floats(distribution.exact_table() / prior))  # log P(x | k)
        value, least = (
            cost(distribution, bayes_rule(posterior(floats(prior), logs))),
            least_cost(distribution),
        )
        yield equal("risk of the rule", value, least, rounding(30), joint=distribution.table())


@statement("claim", "10 deeper")
def plugin_far_points(PlugInClassifier, rng, *, m=8):
    r"""Far from the data every estimated density underflows, and the posterior is still defined: computed
    with logarithms it is finite, its rows sum to 1, and it names the class of largest $\log\hat\pi_k +
    \log\hat f_k(x)$."""
    # the cloud has mean 0 and equal variances without correlation, so the nearest centre wins far away
    quarter = rng.standard_normal((m, 2))
    turned = quarter @ [[0.0, 1.0], [-1.0, 0.0]]
    cloud, y = np.vstack([quarter, turned, -quarter, -turned]), np.repeat(np.arange(3), 4 * m)
    X = np.array([[0.0, 0.0], [60.0, 0.0], [0.0, 60.0]])[y] + np.tile(cloud, (3, 1))
    model, far = PlugInClassifier().fit(X, y), np.array([[-400.0, -400.0], [900.0, 0.0], [0.0, 900.0]])
    yield equal("rows of the posterior", model.predict_proba(far), np.eye(3), rounding(8), points=far)
    yield equal("predictions", model.predict(far), np.arange(3), points=far)


@statement(
    "claim",
    "10 deeper",
    estimators_only="The reference module's distribution refuses a singular covariance, as Theorem 9.2 does.",
)
def plugin_raised(PlugInClassifier, rng):
    r"""A class that does not vary in some direction has no largest likelihood: a warning says so. Its
    variance there is raised to $10^{-9}$ of that of all observations, of the square of the value for a
    feature that is constant in all, and the posterior is that of this distribution. A constant feature
    changes no posterior."""
    X, y, points, logs, slack = _flat_class(rng)
    model, warned = quiet_fit(PlugInClassifier(), X, y)
    yield equal("warnings", warned, 1)
    yield equal("posterior of the raised Gaussian", model.predict_proba(points), softmax(logs), slack, X=X)
    yield equal("residual of its likelihood equations", model.certificate_["score"], 1.0, slack)
    constants = np.array([7.0, 0.0, -0.5])
    wide, _ = quiet_fit(PlugInClassifier(), np.hstack([X, np.tile(constants, (90, 1))]), y)
    posterior = wide.predict_proba(np.hstack([points, np.tile(constants, (35, 1))]))
    yield equal("posterior with three constant features", posterior, softmax(logs), slack, X=X)
    variances, expected = np.diag(wide.densities_[1].covariance)[2:], 1e-9 * np.array([49, 1, 0.25])
    yield equal("variances of the constants 7, 0 and -1/2", variances, expected, rounding(8) * expected)


def _flat_class(rng):
    """Return data of which class 0 does not vary in one feature, points, their log densities, a tolerance."""
    X, y = three_classes(rng)
    X[y == 0, 1] = 1.0
    counts, means, scatters = estimates(X, y)
    covariances = scatters / counts[:, None, None]
    raised = 1e-9 * X[:, 1].var()
    covariances[0] = np.diag([X[y == 0, 0].var(), raised])
    across = np.linspace(-6, 6, 25) * math.sqrt(raised)  # class 0 wins up to 4 or 5 of these deviations
    points = np.vstack([np.column_stack([np.zeros(25), 1 + across]), rng.normal(2, 3, (10, 2))])
    logs = log_joint(points, means, covariances, counts / 90)
    # an eigenvector is off by u, the correlation of the raised Gaussian by u over sqrt(1e-9)
    return X, y, points, logs, rounding(60, (1 + abs(logs[:, 1:]).max()) / math.sqrt(1e-9))


@hard_cases(plugin_raised)
def classes_that_vary(PlugInClassifier, rng):
    _, warned = quiet_fit(PlugInClassifier(), *three_classes(rng))
    yield equal("warnings where all classes vary", warned, 0)


# ------------------------------------------------------------------- 11 From risk to algorithms
@statement("definition", "11 deeper", "Shi, risks, generalisation error")
def setup_true_vs_empirical_risk(empirical_risk):
    r"""The empirical risk $R_n(g) = \frac1n \sum_i \ell(g(x_i), y_i)$ of a *fixed* rule has mean $R(g)$; of a
    rule *chosen* on the same data it is too small on average."""
    distribution = FiniteDistribution.from_weights([[3, 1], [1, 3]])
    rules = list(distribution.rules())
    exact = np.array([cost(distribution, f) for f in rules])
    samples = np.array(list(itertools.product(itertools.product(range(2), range(2)), repeat=3)))  # (64, 3, 2)
    masses = distribution.table()[samples[..., 0], samples[..., 1]].prod(axis=1)
    risks = np.array([[empirical_risk(y, f[x]) for f in rules] for x, y in samples.transpose(0, 2, 1)])
    yield equal("mean of R_n over all samples, for each rule", masses @ risks, exact, rounding(64))
    chosen, true_of_chosen = masses @ risks.min(axis=1), masses @ exact[risks.argmin(axis=1)]
    best = float(distribution.bayes_risk())
    yield at_most("mean training error of the rule chosen on the sample", chosen, best - 0.05)
    yield at_least("mean true risk of that rule", true_of_chosen, best)


@statement("claim", "11 deeper", "Recitation 7, 1.1")
def erm_phrase(empirical_risk, bayes_rule_binary, risk):
    r"""With the distribution known, the Bayes rule minimises the *true* risk. Minimising the *empirical*
    risk of a sample may give another rule."""
    distribution, x, y = TWO_SKIES, np.array([0, 0, 0, 1, 1]), np.array([1, 1, 0, 1, 0])
    best, erm = (
        bayes_rule_binary(eta_of(distribution)),
        min(distribution.rules(), key=lambda f: empirical_risk(y, f[x])),
    )
    least = empirical_risk(y, best[x]) - 0.1
    yield at_most("training error of the empirical minimiser", empirical_risk(y, erm[x]), least)
    lost = risk(erm, distribution.table()) - risk(best, distribution.table())
    yield equal("its true risk, less the Bayes risk", lost, 0.3, rounding(4))


@statement("formula", "11 deeper", "Shi, risks; view it in ERM; primal")
def setup_losses(misclassification_loss, hinge_loss, perceptron_loss, logistic_loss, exponential_loss):
    r"""Losses of the margin $m = y f(x)$: 0-1 $1\{m \le 0\}$, hinge $\max(0, 1 - m)$, perceptron $\max(0,
    -m)$, logistic $\log(1 + e^{-m})$, exponential $e^{-m}$."""
    m = np.array([-1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
    yield equal("0-1", misclassification_loss(m), [1.0, 1, 1, 0, 0, 0])
    yield equal("hinge", hinge_loss(m), [2.0, 1.5, 1, 0.5, 0, 0])
    yield equal("perceptron", perceptron_loss(m), [1.0, 0.5, 0, 0, 0, 0])
    yield equal("hinge is the perceptron loss moved by 1", hinge_loss(m), perceptron_loss(m - 1))
    yield equal("exponential", exponential_loss(m), np.exp(-m), rounding(1, 3))
    yield equal("logistic", logistic_loss(m), np.log(1 + np.exp(-m)), rounding(2, 3))
    yield equal("logistic at -1000 and 1000", logistic_loss(np.array([-1e3, 1e3])), [1e3, 0.0])


def best_score(loss, eta, scores):
    """Return the score of least conditional risk C_eta(s), the first of equals."""
    return float(scores[np.argmin(eta * loss(scores) + (1 - eta) * loss(-scores))])


@statement("claim", "11 deeper", "Shi, regularised ERM", "Bartlett et al. (2006)")
def setup_surrogate(hinge_loss, logistic_loss, exponential_loss, perceptron_loss, rng):
    r"""Hinge, logistic and exponential loss are calibrated: for $0 < \eta < 1$, $\eta \ne \frac12$, the score
    $s$ that minimises $\eta\varphi(s) + (1-\eta)\varphi(-s)$ has the sign of $2\eta - 1$. The perceptron loss
    is not: there $s = 0$ is the minimiser."""
    scores = np.arange(-256, 257) / 64
    calibrated = {"hinge": hinge_loss, "logistic": logistic_loss, "exponential": exponential_loss}
    for name, loss in calibrated.items():
        for eta in (0.25, 0.75, *rng.uniform(0.05, 0.45, 2), *rng.uniform(0.55, 0.95, 2)):
            sign = float(np.sign(best_score(loss, eta, scores)))
            yield equal(f"sign of the {name} minimiser", sign, float(np.sign(2 * eta - 1)), eta=eta)
    yield equal("hinge minimiser at eta = 3/4", best_score(hinge_loss, 0.75, scores), 1.0)
    for eta in (0.1, 0.6, 0.75):
        yield equal("perceptron minimiser", best_score(perceptron_loss, eta, scores), 0.0)
    at_zero = perceptron_loss(np.zeros(1))
    yield equal("perceptron loss at margin 0, so any multiple; the 0-1 loss there is 1", at_zero, [0])


@statement("algorithm", "11 deeper", "Shi, regularised ERM")
def setup_regularised_erm(regularised_risk, rng):
    r"""$g_n = \arg\min_g R_n(g) + \lambda\Omega(g)$. With the hinge loss and $\Omega = \frac12\|w\|^2$ this
    is the support vector machine: $\frac12\|w\|^2 + C\sum_i \xi_i = \frac1\lambda(R_n +
    \frac\lambda2\|w\|^2)$ for $\lambda = 1/(nC)$."""
    X, y = rng.normal(0, 2, (15, 3)), rng.choice([-1.0, 1.0], 15)
    for C in (0.125, 1.0, 16.0):
        w, b = rng.normal(0, 2, 3), float(rng.normal(0, 5))
        truth = 0.5 * w @ w + C * np.maximum(0, 1 - y * (X @ w + b)).sum()
        value = 15 * C * regularised_risk(w, b, X, y, penalty=1 / (15 * C))
        yield equal(f"support vector objective, C = {C}", value, truth, rounding(100, 1 + truth), w=w, b=b)


@statement("formula", "11 deeper", "Shi, decision functions", "Yan, linearly separable data")
def setup_bias_merge(regularised_risk, rng):
    r"""An intercept is one more weight on a constant feature: $\langle w, x\rangle + b = \langle [w; b], [x;
    1]\rangle$. The scores are equal, and so is every loss; the penalty is not, which now includes $b$."""
    X, y = rng.integers(-9, 10, (20, 4)) / 8, rng.choice([-1.0, 1.0], 20)
    w, b = rng.integers(-9, 10, 4) / 8, rng.integers(1, 9) / 8
    merged, weights = np.column_stack([X, np.ones(20)]), np.append(w, b)
    for penalty in (0.0, 1.0, 4.0):
        free = regularised_risk(w, b, X, y, penalty=penalty)
        more = regularised_risk(weights, 0.0, merged, y, penalty=penalty) - free
        words = f"what the merged intercept adds to the objective, penalty {penalty:g}"
        yield equal(words, more, penalty * b**2 / 2, rounding(40, 16), X=X, w=w, b=b)


@statement("definition", "11 deeper", "Shi, novelty detection")
def setup_novelty(Gaussian, rng, *, n=37):
    r"""Novelty detection learns from one class only and rejects what looks unlike it. A density fitted to
    that class, with its quantile of level $q$ over the training data as threshold, rejects exactly $\lfloor
    qn \rfloor$ of $n$ training examples of different density, here $n = «n»$, and what is far away."""
    X = rng.standard_normal((n, 2)) ** 3
    fit = Gaussian.fit(X)
    scores = np.asarray(fit.log_density(X))
    far = fit.log_density(100 * np.vstack([np.eye(2), -np.eye(2)]))
    for percent in (0, 5, 50, 99):
        threshold = np.sort(scores)[percent * n // 100]
        rejected = int((scores < threshold).sum())
        yield equal(f"training examples rejected at level {percent / 100}", rejected, percent * n // 100, X=X)
        yield equal("points far away that are rejected", int(np.sum(far < threshold)), 4, X=X)


@statement("homework", "11 deeper", "Shi, novelty detection, Q")
def setup_novelty_why_not_binary(PlugInClassifier, rng):
    r"""Why is novelty detection not binary classification? There are no observations of a second class: a
    classifier given one class must refuse, not predict a constant."""
    X, y = rng.standard_normal((20, 2)), np.zeros(20, dtype=int)
    yield equal("a single class refused in fit", refuses(PlugInClassifier().fit, X, y), True)
    two = PlugInClassifier().fit(np.vstack([X, X + 99]), np.append(y, y + 1))
    yield equal("predictions when there is a second one", two.predict(np.array([[0.0, 0], [99, 99]])), [0, 1])


# ------------------------------------------------------------------- 12 What the notes got wrong
@correction("wrong", "12 deeper", "Recitation 7, 1.1")
def erratum_r20(posterior):
    r"""Printed: By assuming there exists a joint distribution $D$ over $X \times Y$ we gain a lot. Now, to
    evaluate our model we are no longer restricted to some specific test set that we are given, but instead we
    can draw our own test sets.
    Right: That a distribution exists does not let one draw from it. What exists is the expectation, the
    risk; to estimate it one still has the given data alone, and distributions that agree on them can have
    other posteriors elsewhere."""
    logs = np.log(np.array([[0.5, 0.5], [0.25, 0.0625]]))  # two distributions: equal at the first point, seen
    one, other = (posterior(np.array([0.5, 0.5]), logs * [[1, 1], [seen, 1]]) for seen in (1, 0))
    yield equal("posterior at the point that was seen, under both", one[0], other[0])
    yield at_least("their difference at the other", abs(one[1] - other[1]).max(), 0.1)


# fmt: off
erratum_y24 = misprint("bayes.y24", "12 deeper", "Yan, recap: Bayes formula with estimates", r"""
    Printed: $P(Y = y \mid X = x) = \hat P(X = x \mid Y = y)\,\hat P(Y = y) / \sum_{y'} \hat P(X = x \mid Y
    = y')\,\hat P(Y = y')$.
    Right: The left side carries a hat as well, and for a continuous distribution $P(X = x \mid Y = y)$ is a
    density.""")
erratum_y3 = setup_rate_framework.corrects("y3", "hypothesis", "12 deeper", "Yan, supervised learning", r"""
    Printed: A good classifier may satisfy $R(f) - R^\star \le h(n)$ where $h(n)$ is a function of the sample
    size $n$ describing the rate of convergence, e.g., $h(n) = O(1/n)$.
    Right: With $f$ built from data the left side is random: in expectation, or with probability $1 -
    \delta$.""")
erratum_w5 = excess_identity.corrects("w5", "wrong", "12 deeper", "Wainwright, eq. (2.8)", r"""
    Printed: $\dots + (1 - \eta(x))\{E[1\{g^\star(x) = -1\}] + E[1\{g(x) = -1\}]\}$.
    Right: $\dots - E[1\{g(x) = -1\}]\}$, which makes the difference $(2\eta - 1)(1\{g^\star = 1\} - 1\{g =
    1\})$.""")
erratum_w6 = plugin_bound.corrects("w6", "wrong", "12 deeper", "Wainwright, Thm 2.2", r"""
    Printed: For any plug in rule, the excess risk $R(g_{\hat\eta}) - R(g^\star) < 2\lvert E[\eta^\star(x) -
    \hat\eta(x)]\rvert$.
    Right: $R(\hat g) - R^\star \le 2E\lvert\eta - \hat\eta\rvert$: errors of opposite sign do not cancel.""")
erratum_s8 = setup_bias_merge.corrects("s8", "hypothesis", "12 deeper", "Shi, decision functions", r"""
    Printed: Since $\langle x, w\rangle + b = \langle [x; 1], [w; b]\rangle$, for simplicity one often writes
    $g(x; w) = \operatorname{sign}(\langle x, w\rangle)$.
    Right: The scores are the same, the regularised problem is not: merging penalises the bias.""")
erratum_w8 = misprint("bayes.w8", "12 deeper", "Wainwright, Thm 2.2", r"""
    Printed: $\eta^\star$.
    Right: $\eta$: there is one regression function, and no starred one was defined.""")
erratum_r1 = misprint("bayes.r1", "12 deeper", "Recitation 7, 1.1", r"""
    Printed: $L_D(h) = E_{(x, y) \sim D}[h(x) \ne y]$.
    Right: $E[1\{h(x) \ne y\}] = P(h(x) \ne y)$, unless the bracket is Iverson's, which is 1 where its
    statement is true: then right, but it should be said.""")
erratum_r3 = misprint("bayes.r3", "12 deeper", "Recitation 7, Def. 1.1", r"""
    Printed: $f_D = \arg\max_{y \in Y} P_D(Y = y \mid X = x)$.
    Right: $f_D(x) = \arg\max_y P(Y = y \mid X = x)$, with a rule for ties.""")
erratum_r19 = misprint("bayes.r19", "12 deeper", "Recitation 7, 1.1 and 3", """
    Printed: $n$ and $m$ both count the data; a tree has depth 'at most $k$' and '$k$'.
    Right: One letter, $n$, throughout; depth at most $k$.""")
erratum_s6 = misprint("bayes.s6", "12 deeper", "Shi, generalisation error", """
    Printed: The risk w.r.t. zero loss.
    Right: Zero-one loss.""")
erratum_y1 = pointwise_min.corrects("y1", "wrong", "12 deeper", "Yan, proof of Thm 2.1, case display", r"""
    Printed: $P(f^\star(X) \ne Y \mid X)$ is $P(Y=0\mid X)$ if $P(Y=1\mid X) \ge P(Y=0\mid X)$, and is
    $P(Y=1\mid X)$ if $P(Y=1\mid X) \ge P(Y=0\mid X)$.
    Right: The second case is $P(Y=1\mid X) < P(Y=0\mid X)$.""")
erratum_y2 = why_pointwise.corrects("y2", "wrong", "12 deeper", "Yan, proof of Thm 2.1, last line", r"""
    Printed: Therefore $P(f^\star(X) \ne Y \mid X) \ge P(f(X) \ne Y \mid X)$.
    Right: $P(f^\star(X) \ne Y \mid X) \le P(f(X) \ne Y \mid X)$.""")
erratum_w1 = nonunique.corrects("w1", "wrong", "12 deeper", "Wainwright, 2.3.1, opening question", r"""
    Printed: Find $g^\star$ with $R(g^\star) < R(g)$ for all other $g$.
    Right: $R(g^\star) \le R(g)$: with a tie or an atom of mass zero several rules are best.""")
erratum_w4 = pointwise_min.corrects("w4", "wrong", "12 deeper", "Wainwright, eq. (2.7)", r"""
    Printed: $1 - \{E[1\{g(x = 1)\}]\,\eta(x) + E[1\{g(x = -1)\}\,\eta(x)]\}$.
    Right: $1 - \{1\{g(x) = 1\}\,\eta(x) + 1\{g(x) = -1\}\,(1 - \eta(x))\}$.""")
erratum_w7 = plugin_bound.corrects("w7", "wrong", "12 deeper", "Wainwright, Thm 2.2 and (2.22)", r"""
    Printed: $R(g_{\hat\eta}) - R(g^\star) < 2 E\lvert\eta^\star(x) - \hat\eta(x)\rvert$.
    Right: At most: $\hat\eta = \frac12$ where $\eta < \frac12$ attains it.""")
erratum_r2 = erm_phrase.corrects("r2", "wrong", "12 deeper", "Recitation 7, 1.1", """
    Printed: Suppose we knew $D$, then solving a classification problem according to the ERM principle would
    simply be done by assigning the label with the highest conditional probability.
    Right: Knowing $D$, one minimises the true risk; empirical risk minimisation works on a sample and may
    pick another rule.""")
erratum_r5 = mle_ex1_2.corrects("r5", "wrong", "12 deeper", "Recitation 7, Example 1.2", r"""
    Printed: $L(\mu = 1) = \frac{1}{(\sqrt{2\pi})^3}\exp(-\frac52) \approx 0.005211$.
    Right: $L(1) = 0.00521188$, which rounds to $0.005212$.""")
erratum_r7 = mle_intuition.corrects("r7", "wrong", "12 deeper", "Recitation 7, after Def. 1.3", r"""
    Printed: In other words, the parameter that given the data, is most likely to be the parameter used to
    draw data from $F$.
    Right: It is the parameter that makes the data most likely; its own posterior probability can be as small
    as one likes, here $\frac{8}{107}$.""")
erratum_r8 = mle_def.corrects("r8", "notation", "12 deeper", "Recitation 7, Example 1.3", r"""
    Printed: $\hat p = \arg\max_{p'} p^{n_1}(1-p)^{n_0}$. By taking the derivative of the above and equating
    to zero we get $\hat p = \frac1n \sum_i 1[y_i = 1]$.
    Right: The variable is $p'$ throughout, not the true $p$; and for $n_1 = 0$ or $n_0 = 0$ the maximum is at
    the boundary, where the derivative is not 0.""")
erratum_s7 = setup_surrogate.corrects("s7", "hypothesis", "12 deeper", "Shi, regularised ERM", r"""
    Printed: It turns out that one can optimise $R_n(w, \ell) + \lambda\Omega(w)$ as long as $\ell$ is a
    surrogate loss of the zero-one loss; the perceptron loss is listed.
    Right: A convex surrogate must be calibrated (differentiable at 0 with negative derivative). The
    perceptron loss is not, nor is any multiple of it above the 0-1 loss.""")
erratum_w2 = lr_test.corrects("w2", "notation", "12 deeper", "Wainwright, eq. (2.5), note", r"""
    Printed: Note: This is equivalent to the likelihood ratio test: $\eta(x) \ge 1/2 \Leftrightarrow P(Y = +1
    \mid X = x)/P(Y = -1 \mid X = x) \ge 1$.
    Right: These are the *posterior* odds, and $\eta = 1$ must not divide by 0; the threshold of the
    likelihood ratio is $(1-p)/p$.""")
erratum_w3 = eta_mu.corrects("w3", "notation", "12 deeper", "Wainwright, eq. (2.6)", r"""
    Printed: $P(Y \ne g(X) \mid X = x) = 1 - \{P(Y = 1, g(X) = 1 \mid X = 1) + \dots\}$.
    Right: $P(Y = 1, g(X) = 1 \mid X = x)$.""")
erratum_r4 = mle_likelihood.corrects("r4", "notation", "12 deeper", "Recitation 7, Example 1.2", r"""
    Printed: $\frac{1}{\sqrt{2\pi}\sigma^2} \exp\bigl(-\frac{(x_i - \mu)^2}{2\sigma^2}\bigr)$.
    Right: The factor is $1/(\sqrt{2\pi}\,\sigma)$; perhaps only the reach of the root was lost, $1/\sqrt{2\pi
    \sigma^2}$.""")
erratum_r6 = mle_likelihood.corrects("r6", "notation", "12 deeper",
    "Recitation 7, Def. 1.2 and Example 1.2", r"""
    Printed: $L(\mu = 1 \mid X_1, X_2, X_3, \sigma^2) = \prod_i P(X_i = x_i \mid \mu = 1, \sigma^2 = 1)$.
    Right: It is a density: the probability of a point is 0, and a density may exceed 1.""")
