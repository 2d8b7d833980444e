"""Claims on the data: the tables are what the lectures state, and the distributions are what they promise.

A distribution promises draws, a posterior and a Bayes risk. The three are checked against each other and
against numbers that are computed here, from the definition of the distribution and not from its formulas.
"""

from __future__ import annotations

import math
import struct
import tempfile
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np

from mlnotes.checking import (
    at_least,
    at_most,
    bernstein,
    correction,
    equal,
    hard_cases,
    hoeffding,
    rounding,
    statement,
    within,
)
from mlnotes.checking.outputs import refuses
from mlnotes.claims.instances.gaussians import log_joint
from mlnotes.datasets import normal_cdf

TABLES = "mlnotes/datasets/data/README.md"
DISTRIBUTIONS = "mlnotes/datasets"


def _column(data, name):
    """Return the feature of that name, shape (n,)."""
    return np.asarray(data.X)[:, list(data.feature_names).index(name)]


# ------------------------------------------------------------------- images
@statement("dataset", TABLES, "Yan, MNIST dataset", "Shi, handwritten digits")
def mnist(load_mnist_subset, read_mnist):
    r"""MNIST: grey images of $28 \times 28$ pixels, $X \in R^{784}$, and the digits 0 to 9. The file
    stores an image row by row behind a header with their number."""
    data = load_mnist_subset()
    X, y = np.asarray(data.X), np.asarray(data.y)
    yield equal("pixels of an image", X.shape[1], 28 * 28)
    yield within("grey values", X, 0, 255)
    yield equal("labels", np.unique(y), np.arange(10))
    half = np.arange(len(y)) % 2 == 0
    means = np.stack([X[half & (y == k)].mean(axis=0) for k in range(10)])
    nearest = ((means**2).sum(axis=1) - 2 * X[~half] @ means.T).argmin(axis=1)
    errors = (nearest != y[~half]).mean()  # labels that are unrelated to the images: wrong on nine of ten
    yield at_most("errors of the nearest mean digit on the other half", errors, 0.3)
    ink = X.mean(axis=0).reshape(28, 28)
    yield at_most("mean ink at the border of the images", ink[[0, -1]].mean() + ink[:, [0, -1]].mean(), 1)
    yield at_least("mean ink in the middle", ink[10:18, 10:18].mean(), 50)


@hard_cases(mnist)
def mnist_files(read_mnist):
    """A file of three small images; swapped files and files cut short are refused."""
    pixels, digits = np.arange(232, 256, dtype=np.uint8), np.array([7, 0, 9], dtype=np.uint8)
    with tempfile.TemporaryDirectory() as folder:
        images, labels = Path(folder, "images"), Path(folder, "labels")
        images.write_bytes(struct.pack(">4I", 2051, 3, 2, 4) + pixels.tobytes())
        labels.write_bytes(struct.pack(">2I", 2049, 3) + digits.tobytes())
        read = read_mnist(images, labels)
        yield equal("images of a file with three", np.asarray(read.X), pixels.reshape(3, 8))
        yield equal("their digits", np.asarray(read.y), digits.astype(np.int64))
        yield equal("swapped files are refused", refuses(read_mnist, labels, images), True)
        images.write_bytes(images.read_bytes()[:-1])
        yield equal("a file cut short is refused", refuses(read_mnist, images, labels), True)


@statement("dataset", TABLES, "Yan, CIFAR datasets")
def cifar(read_cifar10, read_cifar100, rng):
    r"""CIFAR: colour images of $32 \times 32$ pixels, $X \in R^{3072}$, in 10 or 100 classes. A record is
    one label (CIFAR-100: a coarse and a fine one) and the image, channel by channel."""
    images = rng.integers(0, 256, (4, 3072), dtype=np.uint8)
    one = rng.integers(0, 10, (4, 1), dtype=np.uint8)
    two = np.column_stack([rng.integers(0, 20, 4), rng.integers(20, 100, 4)]).astype(np.uint8)
    with tempfile.TemporaryDirectory() as folder:
        for read, head, wanted in ((read_cifar10, one, one[:, 0]), (read_cifar100, two, two[:, 1])):
            path = Path(folder, f"{head.shape[1]}.bin")
            path.write_bytes(np.hstack([head, images]).tobytes())
            data = read([path])
            yield equal(f"images behind {head.shape[1]} label byte(s)", np.asarray(data.X), images)
            yield equal("their classes", np.asarray(data.y), wanted.astype(np.int64))
            yield equal("number of classes", len(data.target_names), 10 if head is one else 100)
            path.write_bytes(path.read_bytes()[:-1])
            yield equal("a file cut short is refused", refuses(read, [path]), True)


# ------------------------------------------------------------------- tables
ESL_TABLE_4_2 = {
    "sbp": 0.006, "tobacco": 0.080, "ldl": 0.185, "famhist": 0.939, "obesity": -0.035, "alcohol": 0.001,
    "age": 0.043,
}  # fmt: skip


@statement("dataset", TABLES, "Yan, classification tree", "Hastie, Tibshirani and Friedman, table 4.2")
def saheart(load_saheart):
    r"""South African heart disease: 462 men, 9 predictors, 160 cases with chd = 1. Logistic regression on
    seven of them gives the coefficients of ESL, table 4.2."""
    data = load_saheart()
    y = np.asarray(data.y)
    yield equal("men and predictors", np.shape(data.X), [462, 9])
    yield equal("cases", int(y.sum()), 160)
    X = np.column_stack([np.ones(len(y)), *(_column(data, name) for name in ESL_TABLE_4_2)])
    beta = np.zeros(8)
    for _ in range(20):
        p = 1 / (1 + np.exp(-X @ beta))
        beta += np.linalg.solve(X.T @ (X * (p * (1 - p))[:, None]), X.T @ (y - p))
    # the table prints three decimals
    yield equal("intercept and coefficients", beta, [-4.130, *ESL_TABLE_4_2.values()], 5.1e-4)


@statement("dataset", TABLES, "Shi, predict annual income", "UCI Adult")
def adult(load_adult, ADULT_CATEGORIES):
    r"""UCI Adult, training part: 32,561 people, 7,841 with more than \$50K a year; 2,399 have a
    missing entry, coded $-1$. Its education-num is education in another order."""
    data = load_adult()
    X, y = np.asarray(data.X), np.asarray(data.y)
    yield equal("people", len(X), 32561)
    yield equal("people over $50K", int(y.sum()), 7841)
    yield equal("people with a missing entry", int((X == -1).any(axis=1).sum()), 2399)
    sizes = [len(words) for words in ADULT_CATEGORIES.values()]
    used = [len(np.unique(_column(data, n)[_column(data, n) >= 0])) for n in ADULT_CATEGORIES]
    yield equal("categories that occur", used, sizes)
    pairs = sorted(set(zip(_column(data, "education-num"), _column(data, "education"), strict=True)))
    yield equal("pairs of education and education-num", len(pairs), 16)
    ends = [ADULT_CATEGORIES["education"][int(pairs[i][1])] for i in (0, -1)]
    yield equal("lowest and highest education", ends, ["Preschool", "Doctorate"])
    wives, women = (
        _column(data, name) == ADULT_CATEGORIES[name].index(word)
        for name, word in (("relationship", "Wife"), ("sex", "Female"))
    )
    yield at_least("proportion of women among the wives", women[wives].mean(), 0.99)


@statement("dataset", TABLES, "Yan, histogram of the age at death")
def age_at_death(load_ages_at_death):
    r"""The distribution of the age at death follows from the yearly death probabilities: $d_x = q_x
    \prod_{u<x} (1
    - q_u)$. In the USA of 2015 life expectancy was 76.1 years for men and 81.0 for women, and the most
    frequent ages at death of adults were 86 and 89."""
    data = load_ages_at_death()
    age = _column(data, "age")
    for who, expectancy, mode in (("men", 76.1, 86), ("women", 81.0, 89)):
        q, d = _column(data, f"death_probability_{who}"), _column(data, f"deaths_{who}")
        alive = np.append(1.0, np.cumprod(1 - q))
        deaths = q * alive[:-1]
        deaths[-1] += alive[-1]  # those who reach 120
        yield equal(f"proportion of deaths at each age, {who}", d, deaths, rounding(240))
        yield equal(f"sum of the proportions, {who}", d.sum(), 1.0, rounding(120))
        mean = (age + 0.5) @ d
        yield equal(f"life expectancy, {who}, printed with one decimal", mean, expectancy, 0.05)
        yield equal(f"most frequent age at death from 20 on, {who}", int(age[20:][d[20:].argmax()]), mode)


@statement("dataset", "lectures/deeper/01_bayes.ipynb, section 1", "Shi, predict articles' topics")
def articles(articles):
    r"""A multi-label table: three articles, for each of which religion, politics and science are a yes or
    a no."""
    table = articles()
    names = list(table.target_names)
    yield equal("labels", names, ["religion", "politics", "science"])
    topics = [", ".join(name for name, yes in zip(names, row, strict=True) if yes) for row in table.y]
    yield equal("topics", topics, ["politics, science", "science", "religion"])


PRINTED = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
    "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week",
)  # fmt: skip


@correction("wrong", TABLES, "Shi, predict annual income", "UCI Adult")
def erratum_s24(load_adult):
    r"""Printed: The attributes of the UCI Adult data, 13 in number, end with hours-per-week.
    Right: There are 14: native-country is missing from the list. It distinguishes people that agree in
    everything else."""
    data = load_adult()
    names = {*data.feature_names, "fnlwgt"}  # the package leaves the census weight out
    yield equal("attributes on the slide", len(PRINTED), 13)
    yield equal("attributes of the data", len(names), 14)
    yield equal("not on the slide", ", ".join(names - set(PRINTED)), "native-country")
    rest = np.delete(np.asarray(data.X), list(data.feature_names).index("native-country"), axis=1)
    merged = len(np.unique(np.asarray(data.X), axis=0)) - len(np.unique(rest, axis=0))
    yield at_least("kinds of people that merge when native-country is dropped", merged, 1)


# ------------------------------------------------------------------- distributions: exact
@statement("definition", DISTRIBUTIONS)
def finite_distribution(FiniteDistribution, random_finite_distribution, rng):
    r"""A finite distribution is a table of exact masses. Its Bayes risk is the smallest risk of all $K^m$
    classifiers, and its posterior is the row divided by its sum. Random ones have the requested ties."""
    for n_null, n_ties in ((0, 0), (1, 1), (2, 3)):
        distribution = random_finite_distribution(rng, 5, 3, n_null=n_null, n_ties=n_ties)
        table = distribution.exact_table()
        yield equal("atoms of mass zero", sum(not any(row) for row in table), n_null)
        ties = sum(any(row) and sorted(row)[-1] == sorted(row)[-2] for row in table)
        yield equal("ties for the largest posterior", ties, n_ties)
        risks = [1 - sum(table[x, k] for x, k in enumerate(rule)) for rule in distribution.rules()]
        yield equal("classifiers", len(risks), 3**5)
        yield equal(
            "Bayes risk against the smallest of all risks", distribution.bayes_risk(), min(risks), joint=table
        )
        yield equal("sum of the masses", sum(table.flat), Fraction(1))
        rows = [row / sum(row) if any(row) else row + Fraction(1, 3) for row in table]
        posterior = distribution.posterior(np.arange(5.0)[:, None])
        yield equal("posterior", posterior, np.array(rows).astype(np.float64), rounding(1), joint=table)
    distribution = FiniteDistribution.from_weights([[3, 1], [2, 2]])
    yield equal("Bayes risk of the weights 3 1, 2 2", distribution.bayes_risk(), Fraction(3, 8))


# ------------------------------------------------------------------- draws against the posterior
@statement("definition", DISTRIBUTIONS, false_alarm=1e-9)
def sampler(
    random_finite_distribution,
    recitation_example,
    gaussian_pair,
    coins,
    beers,
    rings,
    xor,
    moons,
    spirals,
    rng,
):
    r"""The draws of a distribution follow its posterior: $E[(1\{Y = k\} - \eta_k(X))\,1\{X \in A\}] = 0$ for
    every set $A$, and the posterior averages to the prior."""
    distributions = {
        "finite distribution": random_finite_distribution(rng, 4, 3, n_null=1),
        "Example 1.1": recitation_example(),
        "Gaussian pair": gaussian_pair(1.0, 3, 0.7),
        "coins": coins(),
        "beers": beers(),
        "rings": rings(),
        "xor": xor(),
        "moons": moons(0.5),
        "spirals": spirals(0.5),
    }
    n, failure = 4_000, 1e-9 / 1000  # 9 distributions, at most 4 classes and 24 cells, and the prior
    for name, distribution in distributions.items():
        X, y = (np.asarray(part) for part in distribution.sample(n, rng))
        posterior = np.asarray(distribution.posterior(X))
        ranks = X.argsort(axis=0).argsort(axis=0) * 4 // n  # quarters of each feature
        levels = posterior.argsort(axis=0).argsort(axis=0) * 4 // n  # quarters of each posterior
        ranks = np.column_stack([ranks, levels])
        cells = np.stack([column == q for column in ranks.T for q in range(4)]) / n  # (c, n)
        # given X the cells are fixed and the labels independent, with the posterior as their mean
        gap = abs(cells @ (np.eye(distribution.n_classes)[y] - posterior))  # (c, K)
        band = bernstein(n, cells @ (posterior * (1 - posterior)), failure)
        yield at_most(f"{name}: frequencies of the classes against the posterior", gap, band)
        yield equal(
            f"{name}: average posterior against the prior",
            posterior.mean(axis=0),
            distribution.prior,
            hoeffding(n, failure),
        )


# ------------------------------------------------------------------- the Bayes risk by quadrature
def _normal_classes(X, means, covariances, prior):
    """Return prior times normal density, shape (n, K)."""
    return np.exp(log_joint(X, means, covariances, prior))


def _compare(what, reported, joint, box, step):
    """Compare a risk with the trapezoid sum of sum_k p_k - max_k p_k, joint(points) being (n, K).

    max_k p_k has kinks. By Euler-Maclaurin one where the slope along a line jumps by s costs at most
    s step^2 / 12, and s step is the change of the difference of the two classes over that step. All the kinks
    along all the axes, doubled for the terms of higher order, are the tolerance.
    """
    axes = [np.arange(low, high + step, step) for low, high in box]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    p = joint(points.reshape(-1, len(box))).reshape(*points.shape[:-1], -1)
    value = (p.sum(axis=-1) - p.max(axis=-1)).sum() * step ** len(box)
    kinks = 0.0
    for axis in range(len(box)):
        left, right = (np.delete(p, end, axis=axis) for end in (-1, 0))
        gain = np.take_along_axis(right - left, right.argmax(axis=-1)[..., None], axis=-1)
        loss = np.take_along_axis(right - left, left.argmax(axis=-1)[..., None], axis=-1)
        kinks += float((gain - loss).sum())  # 0 where the winner stays
    tolerance = kinks * step ** len(box) / 6
    return equal(f"{what}: Bayes risk by quadrature", float(reported), float(value), tolerance)


@statement("formula", DISTRIBUTIONS, "Recitation 7, Example 1.1")
def gaussian_risk(gaussian_pair, recitation_example, GaussianClasses):
    r"""Two Gaussians of one covariance at Mahalanobis distance $D$, equal priors: $R^\star = \Phi(-D/2)$,
    so 0.3085, 0.1587, 0.0668 at $D = 1, 2, 3$. In Example 1.1 it is 0.0225145."""
    golden = {1: 0.3085375387, 2: 0.1586552539, 3: 0.06680720127}  # ten digits
    for distance, value in golden.items():
        for d in (1, 2, 5):
            yield equal(f"D = {distance}, d = {d}", gaussian_pair(distance, d).bayes_risk(), value, 5.1e-11)
    for p in (0.2, 0.7):
        joint = partial(_normal_classes, means=[[0], [1.5]], covariances=[[[1]]] * 2, prior=[1 - p, p])
        risk = gaussian_pair(1.5, 4, p).bayes_risk()
        yield _compare(f"D = 1.5, P(Y = 1) = {p}", risk, joint, [(-9, 11)], 1 / 1024)
    covariances = [[1, 0.6], [0.6, 1]], [[3, 0], [0, 1]]
    joint = partial(_normal_classes, means=[[0, 5], [5, 5]], covariances=covariances, prior=[0.6, 0.4])
    example = recitation_example()
    yield equal("Example 1.1", example.bayes_risk(), 0.02251451647, 1e-7)
    yield _compare("Example 1.1", example.bayes_risk(), joint, [(-8, 17), (-3, 13)], 1 / 16)
    # N(0, 1) against N(0, 4), equal priors: the Bayes rule predicts 0 iff |x| <= c
    c = math.sqrt(8 / 3 * math.log(2))
    distribution = GaussianClasses(np.array([0.5, 0.5]), np.zeros((2, 1)), np.array([[[1.0]], [[4.0]]]))
    risk = (2 * normal_cdf(-c) + 1 - 2 * normal_cdf(-c / 2)) / 2
    yield equal("two spreads about one mean", distribution.bayes_risk(), risk, 1e-9)


@statement("formula", DISTRIBUTIONS, "Wainwright, 2.3.2")
def beers_risk(beers):
    r"""Beers and sleep: $R^\star = e^{-7}(a^2 + 2a - \frac{61}{2}) = 0.0199611857$ with $a = 7 - \log 2$,
    and $P(\text{pass}) = 0.9703638361$."""
    distribution = beers()
    yield equal("Bayes risk", distribution.bayes_risk(), 0.0199611857, 5.1e-11)
    yield equal("P(pass)", float(distribution.prior[1]), 0.9703638361, 5.1e-11)

    def joint(s):  # S = X1 + X2 has density s exp(-s), and passing leaves room 7 - s for X3
        fail = np.exp(np.minimum(0, s - 7))
        return s * np.exp(-s) * np.hstack([fail, 1 - fail])

    yield _compare("the sum of sleep and beers", distribution.bayes_risk(), joint, [(0, 50)], 1 / 1024)


@statement("dataset", DISTRIBUTIONS, "Shi, recap of supervised learning")
def coins(coins):
    r"""Coins by mass and size: a synthetic stand-in, Gaussian clusters of known Bayes risk, 0.0186."""
    distribution = coins()
    prior, means, covariances = (
        np.asarray(part) for part in (distribution.prior, distribution.means, distribution.covariances)
    )
    yield equal("features", means.shape[1], 2)
    yield at_least("clusters", len(means), 3)
    yield within("mass in grams, diameter in millimetres", means, 1, 40)
    joint = partial(_normal_classes, means=means, covariances=covariances, prior=prior)
    spread = np.sqrt([np.diag(S) for S in covariances])
    box = list(zip((means - 8 * spread).min(axis=0), (means + 8 * spread).max(axis=0), strict=True))
    yield _compare("coins", distribution.bayes_risk(), joint, box, 0.03)
    yield equal("Bayes risk as stated", distribution.bayes_risk(), 0.0186, 5e-5)


@statement("formula", DISTRIBUTIONS, "Shi, separability")
def shape_risk(rings, xor, moons, spirals):
    r"""Rings, XOR, moons and spirals are not linearly separable and have a known Bayes risk. That of XOR
    is $2q(1-q)$ with $q = \Phi(-1/\sigma)$."""
    for noise in (0.4, 0.7):
        q = normal_cdf(-1 / noise)
        yield equal(f"xor, noise {noise}: 2 q (1 - q)", xor(noise).bayes_risk(), 2 * q * (1 - q), rounding(8))
        for name, make in (("xor", xor), ("rings", rings), ("moons", moons), ("spirals", spirals)):
            joint, box, step = _SHAPES[name](noise)
            yield _compare(f"{name}, noise {noise}", make(noise).bayes_risk(), joint, box, step)


def _two_and_two(X, means, noise):
    """Return the joint density of two classes with two round clusters each."""
    covariance = noise**2 * np.eye(len(means[0]))
    return _normal_classes(X, means, [covariance] * 4, [1 / 4] * 4).reshape(-1, 2, 2).sum(axis=2)


def _xor(noise):
    joint = partial(_two_and_two, means=[[1, 1], [-1, -1], [1, -1], [-1, 1]], noise=noise)
    return joint, [(-1 - 8 * noise, 1 + 8 * noise)] * 2, noise / 16


def _rings(noise):  # by the radius R + noise Z with a random sign of R
    joint = partial(_two_and_two, means=[[1], [-1], [2], [-2]], noise=noise)
    return joint, [(-2 - 9 * noise, 2 + 9 * noise)], noise / 1000


def _moons(noise):
    t, weights = _unit_interval()
    upper = np.column_stack([np.cos(np.pi * t), np.sin(np.pi * t)])
    return _blurred((upper, np.array([1, 0.5]) - upper), weights, noise)


def _spirals(noise):
    t, weights = _unit_interval()
    angle = 2.5 * np.pi * t  # 1.25 turns; the radius grows by 2 a turn
    arm = (0.5 + angle / np.pi)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return _blurred((arm, -arm), weights, noise)


_SHAPES = {"xor": _xor, "rings": _rings, "moons": _moons, "spirals": _spirals}


def _unit_interval():
    """Return nodes and weights for the parameter of a curve; spectral for noise >= 0.4."""
    nodes, weights = np.polynomial.legendre.leggauss(100)
    return (nodes + 1) / 2, weights / 2


def _blurred(curves, weights, noise):
    """Return the joint density of two curves under Gaussian noise, a box around it and a step."""

    def density(X, curve):
        squares = ((X[:, None] - curve) ** 2).sum(axis=2)
        return np.exp(-squares / (2 * noise**2)) @ weights / (2 * math.pi * noise**2)

    def joint(X):
        blocks = np.array_split(X, len(X) // 2000 + 1)
        return np.concatenate([np.column_stack([density(B, c) / 2 for c in curves]) for B in blocks])

    ends = np.concatenate(curves)
    box = list(zip(ends.min(axis=0) - 7 * noise, ends.max(axis=0) + 7 * noise, strict=True))
    return joint, box, noise / 8
