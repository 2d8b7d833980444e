"""Lectures 10 to 14: densities, naive Bayes, trees, ensembles and principal components."""

from __future__ import annotations

import math

import numpy as np

from mlnotes import density, ensemble, histogram, naive_bayes, pca, tree
from mlnotes.exam.bank.draws import between, several, shares, symmetric, vectors
from mlnotes.exam.questions import question

# ---- 10 Density estimation


@question("density", "4")
def histogram_score(rng):
    r"""A histogram on $[0, 1]$ with four bins has the counts $«counts»$. What is its cross-validation score
    $\hat J = \int \hat f^2 - \frac2n \sum_i \hat f_{(-i)}(x_i)$?

    $\frac{2m}{n - 1} - \frac{m (n + 1)}{n - 1} \sum_j \hat p_j^2$ with $m = 4$, $n = «n»$ and $\sum_j \hat
    p_j^2 = «squares»$.

    Does not leave the point out: $-\int \hat f^2$."""
    counts = rng.integers(1, 15, 4)
    n, squares = counts.sum(), (counts / counts.sum()) @ (counts / counts.sum())
    answer = histogram.histogram_cv_score(counts)
    return {"counts": counts, "n": n, "squares": squares, "answer": answer, "slip": -4 * squares}


@question("density", "5")
def kernel_height(rng):
    r"""The kernel estimate with $K(u) = \frac34 (1 - u^2)$ on $[-1, 1]$ and bandwidth $h = «h»$ stands on the
    points $«x»$. What is its height at $t = «t»$?

    $\frac1{nh} \sum_i K((t - x_i) / h)$; the values of $K$ are $«bumps»$.

    Forgets the factor $1/h$."""
    x, t, h = np.sort(several(rng, 5, 0, 6, 0.1)), between(rng, 1, 5, 0.1), between(rng, 1.2, 3, 0.1)
    u = (t - x) / h
    bumps = np.where(abs(u) < 1, 3 / 4 * (1 - u**2), 0)
    answer = density.kernel_density(x, [t], h / 5**0.5, density.EPANECHNIKOV)[0]  # on [-sqrt 5, sqrt 5]
    return {"x": x, "t": t, "h": h, "bumps": bumps, "answer": answer, "slip": bumps.mean()}


@question("density", "6")
def best_bandwidth(rng):
    r"""For the Gaussian kernel ($\mu_2(K) = 1$, $R(K) = 1 / (2 \sqrt\pi) = 0.2821$) and a density with $\int
    f''^2 = «curvature»$, which bandwidth is asymptotically the best for $n = «n»$ points?

    $\left( R(K) / (\mu_2^2 \, n \int f''^2) \right)^{1/5}$.

    Takes the cube root, as for histograms."""
    n, curvature = between(rng, 50, 990, 10), between(rng, 0.1, 5, 0.1)
    answer = density.best_bandwidth(n, curvature)
    return {"n": n, "curvature": curvature, "answer": answer, "slip": answer ** (5 / 3)}


# ---- 11 Naive Bayes


@question("naive_bayes", "3")
def mail(rng):
    r"""Of «n0» letters without advertising «a0» hold the word *free* and «b0» the word *meeting*; of «n1»
    letters with advertising «a1» and «b1». A new letter holds *free*, not *meeting*. With which probability
    is it advertising, by naive Bayes with the proportions smoothed by $\alpha = 1$ and the priors $n_k / n$?

    The proportions $(c + 1) / (n_k + 2)$ are $«p0»$ in class 0 and $«p1»$ in class 1; class $k$ weighs
    $n_k \, p_{k1} (1 - p_{k2})$.

    Does not smooth: $c / n_k$."""
    (n0, n1), counts = several(rng, 2, 10, 40), []
    for n in (n0, n1):
        counts.append([between(rng, 1, n - 1), between(rng, 1, n - 1)])
    c, n = np.array(counts), np.array([n0, n1])
    p = naive_bayes.smoothed_proportions(np.stack([c, n[:, None] - c], axis=-1))[..., 0]

    def posterior(p: np.ndarray) -> float:
        factors = np.log(np.stack([p[:, 0], 1 - p[:, 1]]))
        return naive_bayes.naive_posterior(factors[None], n / n.sum())[0, 1]

    values = dict(zip(("a0", "b0", "a1", "b1"), c.ravel(), strict=True))
    values |= {"n0": n0, "n1": n1, "p0": p[0], "p1": p[1]}
    return {**values, "answer": posterior(p), "slip": posterior(c / n[:, None])}


@question("naive_bayes", "2")
def gaussian_odds(rng):
    r"""Two features are independent and normal in each class: in class 0 with the means $«m0»$, in class 1
    with $«m1»$, all of variance 1. $P(Y = 1) = «prior»$. Give the log odds $\ln \frac{P(Y = 1 \mid x)}{P(Y =
    0 \mid x)}$ at $x = «x»$.

    $\ln \frac{\pi_1}{\pi_0} + \frac12 \left| x - \mu_0 \right|^2 - \frac12 \left| x - \mu_1 \right|^2$.

    Forgets the priors."""
    m0, m1, x = several(rng, 6, -2, 3, 0.1).reshape(3, 2)
    prior = between(rng, 0.1, 0.9, 0.05)
    logs = naive_bayes.normal_log_density(x, np.array([m0, m1]), 1.0)  # (K, d)
    odds = naive_bayes.naive_posterior(logs.T[None], np.array([1 - prior, prior]))[0]
    values = {"m0": m0, "m1": m1, "x": x, "prior": prior}
    return {**values, "answer": math.log(odds[1] / odds[0]), "slip": logs[1].sum() - logs[0].sum()}


@question("naive_bayes", "3")
def words(rng):
    r"""In class 0 the words A, B, C have the probabilities $«t0»$, in class 1 $«t1»$; the classes are equally
    frequent. The words of a text are drawn independently; A, B, C stand in it $«counts»$ times. With which
    probability is it of class 1?

    Class $k$ weighs $\prod_j \theta_{kj}^{c_j}$: $«terms»$.

    Counts each word once."""
    thetas, counts = np.array([shares(rng, 3), shares(rng, 3)]), rng.integers(1, 5, 3)

    def posterior(c: np.ndarray) -> float:
        return naive_bayes.naive_posterior((c * np.log(thetas)).T[None], np.array([0.5, 0.5]))[0, 1]

    terms = (thetas**counts).prod(axis=1)
    values = {"t0": thetas[0], "t1": thetas[1], "counts": counts, "terms": terms}
    return {**values, "answer": posterior(counts), "slip": posterior(np.ones(3))}


# ---- 12 Trees


@question("tree", "2")
def gini_fall(rng):
    r"""A node has «left0» observations of class 0 and «left1» of class 1 that a split sends left, and
    «right0» and «right1» that it sends right. By how much does the Gini impurity decrease?

    The node has $«whole»$, its children $«g1»$ and $«g2»$; these are weighted by their sizes.

    Takes the plain mean of the children."""
    (left, right) = rng.integers(1, 30, (2, 2))
    node = tree.gini(tree.proportions(left + right))
    children = tree.gini(tree.proportions(np.array([left, right])))
    values = dict(zip(("left0", "left1", "right0", "right1"), (*left, *right), strict=True))
    values |= {"whole": node, "g1": children[0], "g2": children[1]}
    answer = node - tree.children_impurity(left, right)
    return {**values, "answer": answer, "slip": node - children.mean()}


@question("tree", "2")
def best_threshold(rng):
    r"""A feature has the values $«x»$ and the labels are $«y»$. At which threshold, a midpoint of neighbours,
    is the Gini impurity of the children smallest?

    The weighted impurities of the splits, from the left, are $«impurities»$.

    The split with the fewest errors."""
    x, y = np.sort(several(rng, 7, 1, 40)), rng.permutation([0, 0, 0, 1, 1, 1, 1])
    Y = tree.one_hot(y)
    thresholds, left, right = tree.candidate_splits(x, Y)
    impurities = tree.children_impurity(left, right)
    errors = tree.children_impurity(left, right, tree.misclassification)
    best = tree.best_split(x[:, None], Y).threshold
    if np.sort(impurities)[1] < impurities.min() + 1e-9:  # two best splits
        best = np.nan
    return {"x": x, "y": y, "impurities": impurities, "answer": best, "slip": thresholds[errors.argmin()]}


@question("tree", "6")
def weakest_link(rng):
    r"""A tree was grown on «n» observations. As a leaf a node would make «errors» errors; the branch below it
    has three leaves with «e1», «e2» and «e3» errors. From which $\alpha$ on is it best to collapse the branch
    to the node? (Risks are proportions of the «n» observations.)

    $g(t) = (R(t) - R(T_t)) / (\left| T_t \right| - 1)$ with $R(t) - R(T_t) = «fall» / «n»$.

    Divides by the number of leaves, not one less."""
    n, leaves = between(rng, 40, 200, 10), rng.integers(0, 8, 3)
    errors = leaves.sum() + between(rng, 2, 20)
    split = tree.Split(0, 0.0, None)
    splits = {1: split, 2: None, 3: split, 6: None, 7: None}
    grown = {t: tree.Node(t, [], None, split) for t, split in splits.items()}
    R = dict(zip(grown, np.array([errors, leaves[0], leaves[1:].sum(), *leaves[1:]]) / n, strict=True))
    answer, fall = tree.links(grown, R)[1], errors - leaves.sum()
    values = {"n": n, "errors": errors, "e1": leaves[0], "e2": leaves[1], "e3": leaves[2], "fall": fall}
    return {**values, "answer": answer, "slip": fall / n / 3}


# ---- 13 Ensembles


@question("ensemble", "2")
def forest_variance(rng):
    r"""The outputs of «B» trees of a forest have the variance $«variance»$ each, and every two the
    correlation $«rho»$. What is the variance of their mean?

    $\rho \sigma^2 + \frac{1 - \rho}{B} \sigma^2$.

    $\sigma^2 / B$, as if the trees were uncorrelated."""
    B, variance, rho = between(rng, 5, 100, 5), between(rng, 1, 20), between(rng, 0.05, 0.9, 0.05)
    answer = ensemble.variance_of_average(variance, rho, B)
    return {"B": B, "variance": variance, "rho": rho, "answer": answer, "slip": variance / B}


@question("ensemble", "4")
def vote_weight(rng):
    r"""AdaBoost starts on «n» examples with equal weights. The first weak classifier misclassifies «k» of
    them. Which weight $\alpha$ does it get, with two classes, in the convention of the lecture?

    $\ln \frac{1 - \mathrm{err}}{\mathrm{err}}$ with $\mathrm{err} = «k» / «n»$.

    Half of it, the convention of other books."""
    n = between(rng, 10, 60)
    k = between(rng, 1, (n - 1) // 2)
    answer = ensemble.adaboost_weight(k / n)
    return {"n": n, "k": k, "answer": answer, "slip": answer / 2}


@question("ensemble", "4")
def new_weight(rng):
    r"""In a round of AdaBoost five examples have the weights $«w»$, and the weak classifier misclassifies
    examples «first» and «second». What is the weight of example «first» after the round, when the sum of all
    weights is 1 again?

    The misclassified weights add up to one half: $w / (2\, \mathrm{err})$ with $\mathrm{err} = «err»$.

    Multiplies by $e^\alpha$ and does not divide by the sum."""
    w, rows = shares(rng, 5), np.sort(rng.choice(5, 2, replace=False))
    wrong = np.isin(np.arange(5), rows)
    err = w[wrong].sum()
    alpha = ensemble.adaboost_weight(err)
    answer, slip = ensemble.adaboost_update(w, wrong, alpha)[rows[0]], w[rows[0]] * math.exp(alpha)
    return {"w": w, "first": rows[0] + 1, "second": rows[1] + 1, "err": err, "answer": answer, "slip": slip}


# ---- 14 Principal components


@question("pca", "1")
def first_share(rng):
    r"""The covariance of two features is $S = «S»$. Which share of the total variance does the first
    principal component have?

    The eigenvalues are $«values»$; their sum is the trace.

    The share of the larger entry of the diagonal."""
    S = symmetric(rng)
    values, _ = pca.eigenpairs(S)
    return {"S": S, "values": values, "answer": values[0] / values.sum(), "slip": S.max() / np.trace(S)}


@question("pca", "3")
def reconstructed(rng):
    r"""The rows have the mean $«mean»$, and the first principal direction is $v = \frac{1}{«length»}
    «whole»$. To which point does the component alone reconstruct the row $x = «x»$?

    The score is $z = \langle v, x - \mu \rangle = «z»$, the point $\mu + z v$.

    Does not add the mean."""
    length, legs = ((5, (3, 4)), (13, (5, 12)), (25, (7, 24)), (17, (8, 15)))[rng.integers(4)]
    whole = rng.permutation(legs) * rng.choice([-1, 1], 2)
    mean, x = vectors(rng, 2, 2, 9)
    V = (whole / length)[:, None]
    z = pca.scores(x, mean, V)
    values = {"mean": mean, "length": length, "whole": whole, "x": x, "z": z[0]}
    return {**values, "answer": pca.reconstruction(z, mean, V), "slip": V @ z}


@question("pca", "2")
def better_direction(rng):
    r"""The covariance of two features is $S = «S»$. Someone says that no direction has a variance above
    $«level»$. Show that this is false: give a vector $w$ (of any length) with $w^\top S w / \left| w
    \right|^2 > «level»$.

    The first eigenvector, $«vector»$, has the variance $«top»$.

    The feature with the larger variance."""
    S = symmetric(rng)
    values, V = pca.eigenpairs(S)
    level = round((S.max() + values[0]) / 2, 1)
    axis = np.eye(2)[S.diagonal().argmax()]

    def accepts(given: np.ndarray) -> float:
        return given @ S @ given / max(given @ given, 1e-300) - level - 1e-9

    values = {"S": S, "level": level, "vector": V[:, 0], "top": values[0]}
    return {**values, "answer": V[:, 0], "slip": axis, "accepts": accepts}
