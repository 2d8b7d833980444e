"""The statements on principal components as executable claims, in the order of the lecture.

The data are small integers, so that sums are exact; eigenvalues are compared with those of `eigvalsh` or
of the singular value decomposition, computed here. All tolerances scale with the norm of the covariance S:
rounding moves an eigenvalue by a multiple of u |S| (Weyl), whatever the gaps between eigenvalues.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, hard_cases, rounding, statement
from mlnotes.checking.outputs import as_numbers, quiet_fit, refuses, scalar

CERTIFICATE = "lost_variance", "eckart_young", "orthogonality", "gap"
OUTPUTS = {
    "mean_and_covariance": "(d,); (d, d)", "eigenpairs": "(d,); (d, d)", "components_for": "int",
    "captured_variance": "number", "gram_directions": "(d, k)", "PCA.explained_variance_": "(k,)",
    "PCA.explained_variance_ratio_": "(k,)", "PCA.singular_values_": "(k,)",
    "PCA.transform": "(n, k)", "PCA.inverse_transform": "(n, d)",
}  # fmt: skip


def _observations(rng, n=24, d=5):
    """Return integer observations away from 0, more spread in some features than in others."""
    return (rng.integers(-9, 10, (n, d)) // np.arange(1, d + 1) + 10 * np.arange(1, d + 1)).astype(np.float64)


def _truth(X):
    """Return the covariance, its eigenvalues from the largest, and the rounding error of a trace with it."""
    X_c = X - X.mean(axis=0)
    S = X_c.T @ X_c / (len(X) - 1)
    values = np.linalg.svd(X_c, compute_uv=False) ** 2 / (len(X) - 1)
    return S, values, rounding(len(X) * X.shape[1], 1 + float(np.trace(S)))


def _directions(model, k, d):
    """Return the k rows onto which a fitted model projects, from its scores of 0 and the unit vectors."""
    Z = model.transform(np.vstack([np.zeros(d), np.eye(d)]))
    return as_numbers((Z[1:] - Z[0]).T, k, d)


def _orthonormal(rng, *shape):
    """Return matrices with orthonormal columns."""
    return np.linalg.qr(rng.standard_normal(shape))[0]


# ------------------------------------------------------------------- 1 Mean, covariance, eigenvectors
@statement("formula", "1", "Chapter 10, 10.2, step 2")
def mean_cov(mean_and_covariance, rng, *, n=7, d=3):
    r"""$\hat\mu = \frac1n\sum_i x_i$ and $S = \frac{1}{n-1}\sum_i(x_i - \hat\mu)(x_i - \hat\mu)^\top$ from
    $n \ge 2$ training observations."""
    X = rng.integers(-9, 10, (n, d))
    yield from _exact_moments(mean_and_covariance, X, 9)


@hard_cases(mean_cov)
def far_from_the_origin(mean_and_covariance, rng, *, n=7, d=3):
    """Two observations, other means, and data far away: a difference of squares loses the variance."""
    X = rng.integers(-9, 10, (max(n, 2), d)) + np.array([0, 50, -50])[:d]
    far = np.array([[10**8, 5], [10**8 + 1, 4], [10**8 + 5, 0]])
    for data, size in ((X, 60), (X[:2], 60), (far, 10**8)):
        yield from _exact_moments(mean_and_covariance, data, size)


def _exact_moments(mean_and_covariance, X, size):
    exact = np.array([[Fraction(int(v)) for v in row] for row in X])
    X_c = exact - (mean := exact.sum(axis=0) / len(X))
    S = X_c.T @ X_c / (len(X) - 1)
    centre, covariance = mean_and_covariance(X.astype(float))
    where = f"of {len(X)} observations, entries up to {size:,}"
    yield equal(f"mean {where}", centre, mean.astype(float), rounding(7, size), X=X)
    # a running mean errs by a rounding of it, and times a deviation that is an error of the covariance
    squares = size * min(size, 20)
    yield equal(f"covariance {where}", covariance, S.astype(float), rounding(21, squares), X=X)


@statement("formula", "1", "Chapter 10, 10.2, step 3")
def eig(eigenpairs, rng):
    r"""$S = V\Lambda V^\top$ with orthonormal *columns* $v_j$ and $\lambda_1 \ge \dots \ge \lambda_d$; the
    $\lambda_j$ are $s_j^2/(n - 1)$ for the singular values $s_j$ of the centred data."""
    X = _observations(rng)
    S, values, slack = _truth(X)
    found, V = eigenpairs(S)
    yield equal("eigenvalues, largest first", found, values, slack, X=X)
    yield equal("S V - V Lambda", S @ V - V * found, np.zeros((5, 5)), slack)
    yield equal("V'V", V.T @ V, np.eye(5), rounding(25))


@hard_cases(eig)
def symmetric_matrices(eigenpairs):
    """S may be symmetric only up to floating-point error; a matrix that is not symmetric is refused."""
    cross = np.diag([2.0, 1.0])
    cross[0, 1] = 1e-15
    yield equal("eigenvalues where rounding breaks the symmetry", eigenpairs(cross)[0], [2, 1], 1e-15)
    cross[0, 1] = 1e-6
    yield equal("a matrix that is not symmetric is refused", refuses(eigenpairs, cross), True)


# ------------------------------------------------------------------- 2 Two theorems on the best subspace
@statement("theorem", "2", "Chapter 10, 10.2, intuition")
def max_variance(PCA, rng, *, n=24, d=5):
    r"""$v_1$ is a direction of largest variance, and $v_{i+1}$ is one among the directions orthogonal to
    $v_1, \dots, v_i$, a space of dimension $d - i$: its variance is the largest eigenvalue of $S$
    restricted to that space."""
    yield from _greedy(PCA, _observations(rng, n, d), min(d - 1, n - 1))


@hard_cases(max_variance)
def close_variances(PCA):
    """Two directions whose variances differ little, and data on a line."""
    cross = np.array([[76.0, 57.0], [-76.0, -57.0], [-60.0, 80.0], [60.0, -80.0]])
    line = np.outer([-1.0, 0.0, 2.0, 3.0], [4.0, 3.0])
    for X in (cross + 9, line + 1):
        yield from _greedy(PCA, X, 2)


def _greedy(PCA, X, k):
    S, _, slack = _truth(X)
    V = _directions(PCA(n_components=k).fit(X), k, len(S))
    yield equal("orthonormal directions", V @ V.T, np.eye(k), rounding(100, 60), X=X)
    Q = np.clip(np.nan_to_num(V), -1, 1)  # no entry of a unit vector is larger
    others = [
        np.eye(len(S)) - Q[:i].T @ Q[:i] for i in range(k)
    ]  # projections on what is orthogonal to v_1..v_i
    largest = [np.linalg.eigvalsh(P @ S @ P)[-1] for P in others]
    what = "variance of each direction, against the largest orthogonal to those before"
    yield equal(what, ((V @ S) * V).sum(axis=1), largest, 60 * slack, X=X)
    dimensions = [np.linalg.matrix_rank(P, tol=1e-6) for P in others]
    yield equal("dimensions of these spaces: d, d - 1, ...", dimensions, len(S) - np.arange(k))
    yield at_least("n, n - 1, ... minus these dimensions", len(X) - np.arange(k) - dimensions, 1)


@statement("theorem", "2", "Chapter 10, 10.2, intuition", "Fan, 1949, theorem 1")
def optimal_k(PCA, rng, *, n=24, d=5):
    r"""Among all orthonormal $W \in \mathbb R^{d \times k}$ the leading eigenvectors retain the most
    variance: $\operatorname{tr}(W^\top S W) \le \lambda_1 + \dots + \lambda_k = \operatorname{tr}(V_k^\top
    S V_k)$ (Ky Fan)."""
    X = _observations(rng, n, d)
    S, values, slack = _truth(X)
    for k in (min(1, n - 1), min(max(1, d - 2), n - 1)):
        model = PCA(n_components=k).fit(X)
        V = _directions(model, k, d)
        yield equal(f"orthonormal, k = {k}", V @ V.T, np.eye(k), rounding(100, 60))
        variance = float(np.var(model.transform(X), axis=0, ddof=1).sum())
        yield equal(f"variance of the scores, k = {k}", variance, values[:k].sum(), 60 * slack, X=X)
        others = np.concatenate([_orthonormal(rng, 50, d, k), np.eye(d)[None, :, :k]])
        traces = (others * (S @ others)).sum(axis=(1, 2))
        yield at_most(f"variance that other subspaces retain, k = {k}", traces, variance, 60 * slack)


@statement("theorem", "2", "Eckart and Young, 1936")
def eckart_young(PCA, rng, *, n=24, d=5):
    r"""The reconstruction $\hat\mu + V_kV_k^\top(x_i - \hat\mu)$ has the total squared error $(n -
    1)\sum_{j > k}\lambda_j$, and no approximation by points of a $k$-dimensional plane has less."""
    X = _observations(rng, n, d)
    _, values, slack = _truth(X)
    for k in (min(1, n - 1), min(max(1, d - 2), n - 1)):
        model = PCA(n_components=k).fit(X)
        again = model.inverse_transform(model.transform(X))
        lost, smallest = float(((X - again) ** 2).sum()), (n - 1) * float(values[k:].sum())
        yield equal(f"squared error, k = {k}", lost, smallest, 60 * (n - 1) * slack, X=X)
        rank = np.linalg.matrix_rank(np.nan_to_num(again - again.mean(axis=0)), tol=1e-6)
        yield at_most(f"dimension of the plane, k = {k}", int(rank), k)
        W, shifted = _orthonormal(rng, 30, d, k), X - X.mean(axis=0) - rng.normal(0, 0.5, (30, 1, d))
        errors = ((shifted - shifted @ W @ W.swapaxes(1, 2)) ** 2).sum(axis=(1, 2))
        yield at_least(f"squared error of other planes, k = {k}", errors, lost, 60 * (n - 1) * slack)


@statement("formula", "2")
def certificate(PCA, rng):
    r"""A fit states the variances $\lambda_1, \dots, \lambda_k$ of its components, and both sides of Eckart
    and Young over $n - 1$: the variance that *its* directions lose, $\operatorname{tr}S -
    \operatorname{tr}(V_k^\top SV_k)$, and $\sum_{j > k}\lambda_j$. They agree. It also states the largest
    entry of $V_k^\top V_k - I$ and the gap $\lambda_k - \lambda_{k+1}$."""
    X = _observations(rng)
    for k in (1, 3, 5):
        yield from _certified(PCA(n_components=k).fit(X), X, k)


def _certified(model, X, k):
    S, values, slack = _truth(X)
    V = _directions(model, k, X.shape[1])
    yield equal(f"variances, k = {k}", model.explained_variance_, values[:k], 60 * slack, X=X)
    stated = [scalar(model.certificate_[entry]) for entry in CERTIFICATE]
    gap, smallest = values[k - 1] - values[k : k + 1].sum(), values[k:].sum()
    truth = [np.trace(S - S @ V.T @ V), smallest, abs(V @ V.T - np.eye(k)).max(), gap]
    yield equal(f"{', '.join(CERTIFICATE)}, k = {k}", stated, truth, 60 * slack)


@hard_cases(
    certificate,
    estimators_only="The reference implementation has one solver and a whole number of components.",
)
def every_solver(PCA, rng):
    """Fractions of the variance, all components, more features than observations, data that do not vary."""
    shapes = ((24, 5, 0.25), (6, 9, 0.25), (60, 48, 0.25))
    tall, wide, many = (rng.integers(-9, 10, (n, d)) * fade ** np.arange(d) + 9.0 for n, d, fade in shapes)
    values = _truth(tall)[1]
    fraction = float((values[0] + values[1] / 2) / values.sum())  # two components are needed
    cases = [(many, 2, 2), (tall, 3, 3), (tall, None, 5), (tall, fraction, 2), (wide / 64, 4, 4)]
    cases += [(wide * 0, None, 6), (wide * 0, 0.5, 1), (tall[:2], 1, 1)]
    for solver in ("eigh", "gram", "svd", "auto"):
        for X, n_components, k in cases:
            model, warned = quiet_fit(PCA(n_components=n_components, solver=solver), X, None)
            yield from _certified(model, X, k)
            _, values, slack = _truth(X)
            squares = model.singular_values_**2 / (len(X) - 1)
            yield equal(f"singular values, squared over n - 1, {solver}", squares, values[:k], 60 * slack)
            ratios, total = model.explained_variance_ratio_, values.sum() or 1.0
            yield equal(f"fractions of the variance, {solver}", ratios, values[:k] / total, 60 * slack)
            yield equal(f"warnings that nothing varies, {solver}", warned, int(not values.any()))
    refused = [k for k in (-0.5, 0, 6) if refuses(PCA(n_components=k).fit, tall)]
    yield equal("numbers of components of five features that are refused", refused, [-0.5, 0, 6])
    yield equal("one observation is refused", refuses(PCA(n_components=1).fit, tall[:1]), True)


# ------------------------------------------------------------------- 3 The procedure
@statement("algorithm", "3", "Chapter 10, 10.2, steps 1 and 4 to 7")
def project(PCA, rng, *, n=24, m=9, d=5):
    r"""Test data are centred with the *training* mean and projected on the training components: the
    scores $V_k^\top(x - \hat\mu)$ of an observation do not depend on the others."""
    X, test = _observations(rng, n, d), _observations(rng, m, d) + 3.0
    k = min(2, d, n - 1)
    model = PCA(n_components=k).fit(X)
    V, mean = _directions(model, k, d), X.mean(axis=0)
    slack = rounding(60, 400)
    yield equal("V'V, where row j of V is transform(e_j) - transform(0)", V @ V.T, np.eye(k), slack)
    Z = model.transform(test)
    yield equal("scores of the test data, (x - mean)'V", Z, (test - mean) @ V.T, slack, X=X, test=test)
    for x, z in zip(test, Z, strict=True):
        yield equal("scores of one observation alone", model.transform(x[None]), z[None], slack, x=x)
    yield equal("scores of the training mean", model.transform(mean[None]), np.zeros((1, k)), slack)


@statement("theorem", "3")
def gram(gram_directions, rng, *, n=6, d=30):
    r"""$X_c^\top X_c$ and $X_cX_c^\top$ have the same nonzero eigenvalues; if $X_cX_c^\top u = \lambda u$
    with $\lVert u\rVert = 1$ and $\lambda > 0$, then $X_c^\top u/\sqrt\lambda$ is a unit eigenvector of
    $X_c^\top X_c$. With fewer observations than features this finds the components from the smaller matrix.
    """
    X = rng.integers(-9, 10, (n, d)) + 5.0  # not centred
    S, values, slack = _truth(X)
    k = min(n - 1, d)
    V = as_numbers(gram_directions(X, k), d, k)
    yield equal("V'V", V.T @ V, np.eye(k), rounding(600, 10))
    yield equal("S v - lambda v", S @ V - V * values[:k], np.zeros((d, k)), slack, X=X)


@statement("theorem", "3")
def power(power_iteration, rng):
    r"""Power iteration $w \leftarrow Sw/\lVert Sw\rVert$: the variance $w^\top Sw$ never falls, and an
    eigenvalue of $S$ lies within $\lVert Sw - (w^\top Sw)w\rVert$ of it, which is rounding at the end. If it
    is kept orthogonal to $v_1$, it finds the next direction."""
    X = _observations(rng)
    S, values, slack = _truth(X)
    first = np.linalg.eigh(S)[1][:, -1]
    for name, before in (("free", ()), ("orthogonal to the first", (first,))):
        path = list(itertools.islice(power_iteration(S, rng.standard_normal(5), before), 100_000))
        W = as_numbers([w for w, _ in path], len(path), 5)
        variances, images = np.array([scalar(variance) for _, variance in path]), W @ S
        yield equal(f"lengths, {name}", (W**2).sum(axis=1), 1.0, rounding(60))
        yield equal(f"variance, {name}", variances, (W * images).sum(axis=1), slack)
        yield at_least(f"rise of the variance, {name}", np.diff(variances), 0.0, slack)
        rest = images - images @ np.outer(first, first) * bool(before)
        steps = rest / np.linalg.norm(rest, axis=1, keepdims=True)
        yield equal(f"next direction, {name}", W[1:], steps[:-1], slack / variances.min())
        residuals = np.linalg.norm(images - variances[:, None] * W, axis=1)
        nearest = abs(variances[:, None] - values).min(axis=1)
        yield at_most(f"distance to the nearest eigenvalue, {name}", nearest, residuals, slack)
        yield at_most(f"last residual, {name}", residuals[-1], 0.0, slack)


@statement("definition", "3")
def fraction(components_for, rng, *, d=8):
    r"""To retain the fraction $q$ of the variance keep the smallest $k$ with $\lambda_1 + \dots + \lambda_k
    \ge q\,(\lambda_1 + \dots + \lambda_d)$, $0 < q < 1$."""
    values = np.sort(rng.integers(1, 64, d))[::-1]
    total = int(values.sum())
    for k in range(1, d):
        kept = int(values[:k].sum())
        found = components_for(values / 1.0, kept / total)
        yield equal("k where the fraction is exactly q", found, k, values=values)
        found = components_for(values / 1.0, (kept + 0.5) / total)
        yield equal("k where it just misses q", found, k + 1, values=values)


@hard_cases(fraction)
def fractions_within_rounding(components_for):
    """In float64, 29/35 times 35 is above 29, 11/35 + 11/35 + 7/35 below 29/35, and 0.3 below 3/4 of 0.4."""
    tiny = np.array([0.3, 0.1]) / 2**40
    for what, variances, q, k in (
        ("29/35 of 11, 11, 7, 6, where rounding adds another", [11.0, 11.0, 7.0, 6.0], 29 / 35, 3),
        ("0.88 of 16, 1, 1, 1, 1", [16.0, 1.0, 1.0, 1.0, 1.0], 0.88, 3),
        ("a millionth more than 3/4 of 3, 1", [3.0, 1.0], 0.75 + 1e-6, 2),
        ("3/4 of 0.3/2^40, 0.1/2^40, where rounding adds another", tiny, 0.75, 1),
        ("a millionth more than 3/4 of 0.3/2^40, 0.1/2^40", tiny, 0.75 + 1e-6, 2),
    ):
        yield equal(f"k for {what}", components_for(np.array(variances), q), k)


@statement("formula", "3")
def whitening(PCA, rng):
    r"""Whitened scores $\lambda_j^{-1/2}v_j^\top(x - \hat\mu)$ have the covariance $I$ on the training data;
    they no longer show how much variance a direction had."""
    X = _observations(rng)
    _, values, slack = _truth(X)
    model, plain = PCA(n_components=3, whiten=True).fit(X), PCA(n_components=3).fit(X)
    Z = model.transform(X)
    yield equal("covariance", np.cov(Z.T), np.eye(3), 60 * slack / values[2], X=X)
    again = plain.inverse_transform(plain.transform(X))
    yield equal("reconstruction, with and without", model.inverse_transform(Z), again, 60 * slack)
    variances = np.var(plain.transform(X), axis=0, ddof=1)
    yield equal("variances without whitening", variances, values[:3], 60 * slack, X=X)


@hard_cases(
    whitening,
    estimators_only="The reference implementation divides by the standard deviation, whatever it is.",
)
def directions_without_variance(PCA, rng):
    """Scores along a direction without variance are 0, with a warning; the way back is right."""
    X = _observations(rng)
    slack = _truth(X)[2]
    yield equal("warnings where every direction varies", quiet_fit(PCA(3, whiten=True), X, None)[1], 0)
    plane = np.column_stack([X[:, :2], X[:, 0] + X[:, 1]])
    yield equal("warnings without whitening", quiet_fit(PCA(), plane, None)[1], 0)
    for solver in ("eigh", "gram", "svd", "auto"):
        model, warned = quiet_fit(PCA(whiten=True, solver=solver), plane, None)
        Z = model.transform(plane)
        yield equal(
            f"scores along the normal of a plane that holds all the data, {solver}", Z[:, 2:], 0.0, X=X
        )
        yield equal("the data again", model.inverse_transform(Z), plane, 60 * slack)
        yield equal("warnings that a direction has no variance", warned, 1)


# ------------------------------------------------------------------- 4 What PCA cannot see
def _fewest_errors(z, y):
    """Return the smallest number of errors of *any* classifier that sees z alone, rounded to 1e-6."""
    values = np.round(z, 6)
    groups = [y[values == value] for value in np.unique(values)]
    return sum(min(int((group == 0).sum()), int((group == 1).sum())) for group in groups)


@statement("claim", "4", "Chapter 10, 10.2")
def purpose(PCA):
    """PCA reduces $d$ features to $k$ without looking at labels. It can delete what separates the classes:
    on the data of this claim *every* classifier on the first component errs half the time, and the discarded
    second one makes no error."""
    y = np.repeat([0, 1], 40)  # the first feature, of large variance, has every value once in each class
    X = np.column_stack([np.tile(np.arange(40) - 39 / 2, 2), 2.0 * y - 1])
    first = PCA(n_components=1).fit(X).transform(X)[:, 0]
    yield equal("fewest errors of any classifier on component 1, of 80", _fewest_errors(first, y), 40)
    both = PCA(n_components=2).fit(X).transform(X)
    yield equal("fewest errors on component 2", _fewest_errors(both[:, 1], y), 0)
    narrow = X * [1e-3, 1.0]
    first = PCA(n_components=1).fit(narrow).transform(narrow)[:, 0]
    errors = _fewest_errors(first, y) if np.isfinite(first).all() else np.nan
    yield equal("fewest errors on component 1, the other feature narrow", errors, 0)
    ratio = np.var(both, axis=0) / np.var(both, axis=0).sum()
    yield at_least("fraction of the variance of component 1", float(ratio[0]), 0.99)


# ------------------------------------------------------------------- 5 What the notes got wrong
@correction("wrong", "5 deeper", "Chapter 10, 10.2, intuition")
def erratum_t13(captured_variance):
    """Printed: The $k$ coordinates retain the maximal variance under linear transformations.
    Right: Under *orthogonal projections* of rank $k$: twice the coordinates have four times the variance."""
    S, V = np.diag([4.0, 1.0]), np.array([[1.0], [0.0]])
    yield equal("variance that the first component retains", captured_variance(S, V), 4.0)
    yield equal("variance of a linear map: 2 V", float(((2 * V).T @ S @ (2 * V))[0, 0]), 16.0)
    yield equal("2 V is refused as a projection", refuses(captured_variance, S, 2 * V), True)


erratum_t12 = max_variance.corrects(
    "t12",
    "wrong",
    "5 deeper",
    "Chapter 10, 10.2, intuition",
    r"""
    Printed: The second direction is sought in an $(n-1)$-dimensional subspace, the $(i+1)$-th in one of
    dimension $n - i$.
    Right: $d - 1$ and $d - i$: the directions live in $\mathbb R^d$, and $n$
    rows may be many more.""",
)
erratum_t14 = purpose.corrects(
    "t14",
    "sharper",
    "5 deeper",
    "Chapter 10, 10.2",
    r"""
    Printed: It is often useful to reduce the dimension to avoid overfitting.
    Right: It can be, and it may ruin everything: the components know nothing of the labels, and the direction
    that separates the classes may be the one of least variance.""",
)
