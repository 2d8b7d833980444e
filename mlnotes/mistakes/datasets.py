"""Wrong data and wrong laws, each with the claims that must reject it."""

import math
from dataclasses import replace

import numpy as np

from mlnotes.laws import datasets as right
from mlnotes.laws import normal_cdf
from mlnotes.laws.datasets import Dataset, FiniteLaw, GaussianClasses
from mlnotes.mistakes import Mistake


def altered(load, **changes):
    """A loader of the same table, with X and y passed through the given functions."""

    def wrong(*arguments, **options):
        data = load(*arguments, **options)
        return replace(data, **{name: change(getattr(data, name)) for name, change in changes.items()})

    return wrong


class Altered:
    """A law with some of its methods replaced."""

    def __init__(self, law, **changes):
        self.__dict__.update(changes, law=law)

    def __getattr__(self, name):
        return getattr(self.law, name)


def altered_law(make, **changes):
    """A maker of the same law, where method m is changes[m](law, *its arguments)."""

    def wrong(*arguments, **options):
        law = make(*arguments, **options)
        methods = {name: lambda *a, c=change: c(law, *a) for name, change in changes.items()}
        return Altered(law, **methods)

    return wrong


# ------------------------------------------------------------------- files


def read_without_checking(images_path, labels_path):
    """Takes whatever bytes there are."""
    pixels = np.frombuffer(images_path.read_bytes()[16:], dtype=np.uint8)
    labels = np.frombuffer(labels_path.read_bytes()[8:], dtype=np.uint8)
    n = len(labels)
    X = np.resize(pixels, (n, len(pixels) // n))
    return Dataset(X, labels.astype(np.int64), (), tuple("0123456789"), "")


def read_from_the_wrong_offset(images_path, labels_path):
    """Starts to read the pixels right behind the header that a file of labels has."""
    data = right.read_mnist(images_path, labels_path)
    shifted = images_path.read_bytes()[8 : 8 + data.X.size]
    return replace(data, X=np.frombuffer(shifted, dtype=np.uint8).reshape(data.X.shape))


def read_label_last(paths):
    """Looks for the label behind the image."""
    table = np.frombuffer(paths[0].read_bytes(), dtype=np.uint8).reshape(-1, 3073)
    data = right.read_cifar10(paths)
    return replace(data, X=table[:, :3072], y=table[:, 3072].astype(np.int64))


def read_cut_cifar(paths):
    """Drops an incomplete record without a word."""
    data = paths[0].read_bytes()
    table = np.frombuffer(data[: len(data) // 3073 * 3073], dtype=np.uint8).reshape(-1, 3073)
    return Dataset(table[:, 1:], table[:, 0].astype(np.int64), (), tuple("0123456789"), "")


# ------------------------------------------------------------------- tables


def reversed_famhist(X):
    wrong = np.array(X)
    wrong[:, 4] = 1 - wrong[:, 4]
    return wrong


def deaths_without_survival():
    data = right.load_ages_at_death()
    q = data.X[:, 1:3]
    return replace(data, X=np.hstack([data.X[:, :3], q / q.sum(axis=0)]))


def deaths_one_year_late():
    data = right.load_ages_at_death()
    q = data.X[:, 1:3]
    return replace(data, X=np.hstack([data.X[:, :3], q * np.cumprod(1 - q, axis=0)]))


def adult_of_the_slide():
    data = right.load_adult()
    return replace(data, X=data.X[:, :-1], feature_names=data.feature_names[:-1])


# ------------------------------------------------------------------- laws


class RiskOfAverages(FiniteLaw):
    """Takes the smallest prior for the Bayes risk: the minimum of averages, not the average of minima."""

    def bayes_risk(self):
        return min(sum(column) for column in zip(*self.joint, strict=True))


class SmallestMass(FiniteLaw):
    """Adds up the smallest mass of each atom, which is the risk for two classes only."""

    def bayes_risk(self):
        return sum(min(row) for row in self.joint)


def random_law_of(kind):
    return lambda rng, *sizes, **options: kind(right.random_finite_law(rng, *sizes, **options).joint)


def random_law_without_ties(rng, n_atoms, n_classes, *, n_null=0, n_ties=0):
    return right.random_finite_law(rng, n_atoms, n_classes, n_null=n_null)


def flipped(law, n, rng):
    X, y = law.sample(n, rng)
    return X, law.n_classes - 1 - y


def noisier(law, n, rng):
    X, y = law.sample(n, rng)
    return X + 0.7 * rng.standard_normal(X.shape), y


def variance_for_spread(law, n, rng):
    y = rng.choice(law.n_classes, n, p=law.prior)
    Z = rng.standard_normal((n, law.means.shape[1]))
    return law.means[y] + np.einsum("nij,nj->ni", law.covariances[y] * 6, Z), y


def posterior_without_prior(law, X):
    scores = law.log_density(X)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def beers_without_the_maximum(law, X):
    fail = np.exp(np.asarray(X).sum(axis=1) - 7)
    return np.column_stack([fail, 1 - fail])


def beers_with_the_wrong_sign(law, X):
    fail = np.exp(-np.abs(np.asarray(X).sum(axis=1) - 7))
    return np.column_stack([1 - fail, fail])


def pair_with_full_distance(distance, d=2, prior=0.5):
    law = right.gaussian_pair(distance, d, prior)
    return Altered(law, bayes_risk=lambda: normal_cdf(-distance))


def pair_without_prior(distance, d=2, prior=0.5):
    law = right.gaussian_pair(distance, d, prior)
    return Altered(law, bayes_risk=lambda: normal_cdf(-distance / 2))


def example_with_variances_as_spreads():
    law = right.recitation_example()
    return GaussianClasses(law.prior, law.means, law.covariances @ law.covariances)


def example_without_correlation():
    law = right.recitation_example()
    return GaussianClasses(law.prior, law.means, np.array([np.eye(2), np.diag([3.0, 1.0])]))


def example_with_swapped_prior():
    law = right.recitation_example()
    return GaussianClasses(law.prior[::-1], law.means, law.covariances)


class PooledRisk(GaussianClasses):
    """Treats the classes as if they shared their average covariance."""

    def bayes_risk(self):
        pooled = np.einsum("k,kij->ij", self.prior, self.covariances)
        if len(self.prior) > 2 or np.allclose(self.means[0], self.means[1]):
            return float(self.prior.min())
        return GaussianClasses(self.prior, self.means, pooled).bayes_risk()


def coins_union_bound(law):
    """Adds up the errors of all pairs of classes, a bound and not the risk."""
    total, K = 0.0, len(law.prior)
    for i in range(K):
        for j in range(i):
            pair = law.prior[[i, j]]
            two = GaussianClasses(pair / pair.sum(), law.means[[i, j]], law.covariances[[i, j]])
            total += pair.sum() * two.bayes_risk()
    return 1.5 * total


def rings_middle_radius(law):
    """Puts the threshold half way between the rings, as if neither wrapped around the origin."""
    return normal_cdf(-0.5 / law.noise)


# A mistake: what is wrong, the claims that must reject it, the names it binds.
ROWS = [
    ("digits without their images", ["datasets.mnist"],
     {"load_mnist_subset": altered(right.load_mnist_subset, y=lambda y: np.roll(y, 1))}),
    ("images with white ink", ["datasets.mnist"],
     {"load_mnist_subset": altered(right.load_mnist_subset, X=lambda X: 255 - X)}),
    ("images column by column", ["datasets.mnist"],
     {"read_mnist": altered(right.read_mnist,
                            X=lambda X: X.reshape(3, 2, 4).transpose(0, 2, 1).reshape(3, 8))}),
    ("pixels from the wrong offset", ["datasets.mnist"], {"read_mnist": read_from_the_wrong_offset}),
    ("any bytes will do", ["datasets.mnist"], {"read_mnist": read_without_checking}),
    ("CIFAR-10 label behind the image", ["datasets.cifar"], {"read_cifar10": read_label_last}),
    ("CIFAR-10 cut short", ["datasets.cifar"], {"read_cifar10": read_cut_cifar}),
    ("CIFAR channels interleaved", ["datasets.cifar"],
     {"read_cifar10": altered(right.read_cifar10,
                              X=lambda X: X.reshape(-1, 3, 1024).transpose(0, 2, 1).reshape(-1, 3072))}),
    ("CIFAR-100 coarse for fine", ["datasets.cifar"],
     {"read_cifar100": lambda paths: right.read_cifar100(paths, coarse=True)}),
    ("chd as in the legend of the figure, 1 for no", ["datasets.saheart"],
     {"load_saheart": altered(right.load_saheart, y=lambda y: 1 - y)}),
    ("family history reversed", ["datasets.saheart"],
     {"load_saheart": altered(right.load_saheart, X=reversed_famhist)}),
    ("missing entries as the first category", ["datasets.adult"],
     {"load_adult": altered(right.load_adult, X=lambda X: np.maximum(X, 0))}),
    ("incomes reversed", ["datasets.adult"], {"load_adult": altered(right.load_adult, y=lambda y: 1 - y)}),
    ("rows with missing entries dropped", ["datasets.adult"],
     {"load_adult": lambda: (lambda d, k: replace(d, X=d.X[k], y=d.y[k]))(
         right.load_adult(), (right.load_adult().X >= 0).all(axis=1))}),
    ("categories in alphabetical order", ["datasets.adult"],
     {"ADULT_CATEGORIES": {n: tuple(sorted(words)) for n, words in right.ADULT_CATEGORIES.items()}}),
    ("the 13 attributes of the slide", ["datasets.erratum-s24"], {"load_adult": adult_of_the_slide}),
    ("death probabilities as shares of deaths", ["datasets.age-at-death"],
     {"load_ages_at_death": deaths_without_survival}),
    ("deaths after another year", ["datasets.age-at-death"], {"load_ages_at_death": deaths_one_year_late}),
    ("table read from the right", ["datasets.articles"],
     {"articles": altered(right.articles, y=lambda y: y[:, ::-1])}),
    ("table read from below", ["datasets.articles"],
     {"articles": altered(right.articles, y=lambda y: y[::-1])}),
    ("minimum of averages", ["datasets.finite-law"],
     {"FiniteLaw": RiskOfAverages, "random_finite_law": random_law_of(RiskOfAverages)}),
    ("smallest mass of each atom", ["datasets.finite-law"],
     {"random_finite_law": random_law_of(SmallestMass)}),
    ("no ties", ["datasets.finite-law"], {"random_finite_law": random_law_without_ties}),
    ("posterior without the prior", ["datasets.law-sampler"],
     {"gaussian_pair": altered_law(right.gaussian_pair, posterior=posterior_without_prior)}),
    ("classes the other way round", ["datasets.law-sampler"],
     {"moons": altered_law(right.moons, sample=flipped)}),
    ("noise added twice", ["datasets.law-sampler"], {"xor": altered_law(right.xor, sample=noisier)}),
    ("covariance for its root", ["datasets.law-sampler"],
     {"recitation_example": altered_law(right.recitation_example, sample=variance_for_spread)}),
    ("beers without the maximum with 0", ["datasets.law-sampler"],
     {"beers": altered_law(right.beers, posterior=beers_without_the_maximum)}),
    ("beers with the wrong sign", ["datasets.law-sampler"],
     {"beers": altered_law(right.beers, posterior=beers_with_the_wrong_sign)}),
    ("Phi(-D) for Phi(-D/2)", ["datasets.gaussian-risk"], {"gaussian_pair": pair_with_full_distance}),
    ("Phi(-D/2) for any prior", ["datasets.gaussian-risk"], {"gaussian_pair": pair_without_prior}),
    ("variances as standard deviations", ["datasets.gaussian-risk"],
     {"recitation_example": example_with_variances_as_spreads}),
    ("no correlation", ["datasets.gaussian-risk"], {"recitation_example": example_without_correlation}),
    ("p for 1 - p", ["datasets.gaussian-risk"], {"recitation_example": example_with_swapped_prior}),
    ("maximum-likelihood risk", ["datasets.gaussian-risk"],
     {"recitation_example": altered_law(right.recitation_example, bayes_risk=lambda law: 0.02298501046)}),
    ("pooled covariance", ["datasets.gaussian-risk"], {"GaussianClasses": PooledRisk}),
    ("threshold 7 for 7 - log 2", ["datasets.beers-risk"],
     {"beers": altered_law(right.beers, bayes_risk=lambda law: 24.5 * math.exp(-7))}),
    ("sum of the errors of all pairs", ["datasets.coins"],
     {"coins": altered_law(right.coins, bayes_risk=coins_union_bound)}),
    ("largest prior only", ["datasets.coins"],
     {"coins": altered_law(right.coins, bayes_risk=lambda law: 1 - law.prior.max())}),
    ("q (1 - q)", ["datasets.shape-risk"],
     {"xor": altered_law(right.xor, bayes_risk=lambda law:
         normal_cdf(-1 / law.noise) * normal_cdf(1 / law.noise))}),
    ("threshold half way between the rings", ["datasets.shape-risk"],
     {"rings": altered_law(right.rings, bayes_risk=rings_middle_radius)}),
    ("noise as a variance", ["datasets.shape-risk"],
     {"moons": lambda noise: right.moons(math.sqrt(noise))}),
]  # fmt: skip
MISTAKES = [Mistake(*row) for row in ROWS]
