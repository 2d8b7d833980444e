"""Homework 8: principal components. Six questions, 20 points; decided by the theorems of the lecture."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.checking import equal, hard_cases, rounding, statement
from mlnotes.checking.outputs import as_numbers
from mlnotes.checking.regimes import feature_matrices, repeatable, spectra, stateless, symmetric, thirds
from mlnotes.claims import pca as claims
from mlnotes.homework import Assignment, part, variant

# ------------------------------------------------------------------- claims of this homework alone


def _size(X):
    """Return what errors of rounding scale with: |x| times the largest deviation from the mean."""
    spread = abs(X - X.mean(axis=0)).max()
    return float(spread * (spread + abs(X).max()))


def _of_spectrum(rng, values, n, mean=0.0):
    """Return n rows whose centred rows have these squared singular values, along random directions."""
    across = np.linalg.qr(np.column_stack([np.ones(n), rng.standard_normal((n, len(values)))]))[0][:, 1:]
    along = np.linalg.qr(rng.standard_normal((len(values), len(values))))[0]
    return across * np.sqrt(values) @ along.T + mean


@statement("homework", "lectures/14_pca.ipynb, section 1")
def moments_(moments, rng):
    r"""The mean is $\frac1n\sum_ix_i$ and the covariance
    $\frac1{n-1}\sum_i(x_i - \bar x)(x_i - \bar x)^\top$, also where the mean is large beside the spread."""
    far = [("mean 900, spread 1e-4", 900 + 1e-5 * thirds(rng, (6, 2)))]
    far += [
        ("mean 900,000", 9e5 + thirds(rng, (6, 2)) / 10),
        ("means far apart", thirds(rng, (6, 2)) + np.array([1e8, 0])),
    ]
    for name, X in (*feature_matrices(rng, min_n=2), *far):
        mean, covariance = moments(X.T.copy())
        centred = X - X.mean(axis=0)
        truth = centred.T @ centred / (len(X) - 1)
        yield equal(f"mean, {name}", mean, X.mean(axis=0), rounding(len(X), abs(X).max()))
        yield equal(f"covariance, {name}", covariance, truth, rounding(len(X), _size(X)))
    yield from repeatable("moments", moments, thirds(rng, (3, 7)))


@statement("homework", "lectures/14_pca.ipynb, section 2")
def directions_(directions, rng):
    r"""The directions are orthonormal, and the variances along them are the largest eigenvalues of the
    covariance, largest first."""
    cases = [(name, X) for name, X in feature_matrices(rng, min_n=2)]
    cases += [(f"{name} variances", _of_spectrum(rng, values, 9)) for name, values in spectra(4)]
    for name, X in cases:
        centred = X - X.mean(axis=0)
        largest = min(len(X) - 1, X.shape[1])
        for k in sorted({1, (largest + 1) // 2, largest}):
            V = as_numbers(directions(X.copy(), k), X.shape[1], k)
            yield equal(f"V'V, {name}, k = {k}", V.T @ V, np.eye(k), rounding(60))
            variances = ((centred @ V) ** 2).sum(axis=0)
            truth = np.linalg.svd(centred, compute_uv=False)[:k] ** 2
            yield equal(
                f"sums of squares, {name}, k = {k}", variances, truth, rounding(60, len(X) * _size(X))
            )
    yield from repeatable("directions", lambda X: abs(np.asarray(directions(X, 2))), thirds(rng, (6, 3)))


@statement("homework", "lectures/14_pca.ipynb, section 2")
def least_(least, rng, *, n=15, d=4):
    """The smallest sum of squared distances of $n$ observations to a plane of dimension $k$ is a function of
    $n$, $k$ and the covariance alone; it equals the sum of the $d - k$ smallest squared singular values of
    the centred data."""
    # compare with the singular values of the data: the lecture's claim asks a PCA for its plane
    axes = np.array([[4.0, 3, 0], [-6, 8, 0], [0, 0, 15]]) / 256  # orthogonal, the longest last, small
    cases = [(np.vstack([axes, -axes]), 1)]
    for k in (0, 1, d // 2, d):  # other numbers of observations: no one factor does for all
        rows = rng.integers(-9, 10, (max(2, n - 2 * k), d)) // np.arange(d, 0, -1)
        cases.append((rows.astype(np.float64), k))
    for X, k in cases:
        centred = X - X.mean(axis=0)
        found = float(least(centred.T @ centred / (len(X) - 1), len(X), k))
        truth = float((np.linalg.svd(centred, compute_uv=False)[k:] ** 2).sum())
        yield equal(f"smallest error, n = {len(X)}, k = {k}", found, truth, rounding(60, 3000), X=X)


@hard_cases(least_)
def least_of_any_spectrum(least, rng):
    """Equal, nearly equal, small and vanishing eigenvalues, in any direction and unit; few and many rows."""
    cases = [(name, values) for d in (1, 2, 6) for name, values in spectra(d)]
    cases += [("ratio 1e8", np.array([1e8, 1.0])), ("tiny", np.array([1e-7, 1e-8]))]
    for name, values in cases:
        d = len(values)
        for n, k in ((d + 1, min(1, d)), (120, d // 2), (25, d - 1)):
            found = least(symmetric(rng, values), n, k)
            truth = float((n - 1) * values[k:].sum())
            yield equal(
                f"least error, {name}, n = {n}, k = {k}", found, truth, rounding(60, n * values.sum())
            )
    yield equal("(1, 1) is no start", least(np.array([[2.0, -1.0], [-1.0, 2.0]]), 4, 1), 3.0, rounding(60, 9))
    yield from repeatable("least", least, symmetric(rng, np.array([3.0, 1.0])), 5, 1)


_CROSS = np.array([[7.0, 4.0], [-1.0, -2.0], [-3.0, 9.0], [9.0, -7.0]])  # its arms have 5 and 10


@statement("homework", "lectures/14_pca.ipynb, section 3.2")
def coordinates_(coordinates):
    r"""The coordinates $Z$ on the first $k$ components have $Z^\top Z = \operatorname{diag}(\lambda_1, \dots,
    \lambda_k)$, the largest eigenvalues of $X_cX_c^\top$, and $ZZ^\top = X_cX_c^\top$ where $k$ is at least
    the rank; further columns are 0."""
    # measure what the student returns: the lecture's claim asks for directions, of which there are none
    line = np.outer(np.arange(7.0) ** 2, [1.0, 2.0]) + 5
    for name, X, k in (("four rows", _CROSS, 1), ("four rows", _CROSS, 2), ("seven rows on a line", line, 6)):
        U, s, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
        right = np.zeros((len(X), k))
        right[:, :2] = (U * s)[:, :k]
        Z = as_numbers(coordinates(X @ X.T, k), *right.shape)
        slack = rounding(60, 2000)
        yield equal(f"Z'Z, {name}, k = {k}", Z.T @ Z, right.T @ right, slack, X=X)
        yield equal(f"ZZ', {name}, k = {k}", Z @ Z.T, right @ right.T, slack, X=X)


@hard_cases(coordinates_)
def coordinates_of_any_spectrum(coordinates, rng):
    """Equal, nearly equal, small and vanishing eigenvalues, few rows and many, in any unit and far from 0."""
    cases = [
        (f"{name}, {n} rows", _of_spectrum(rng, values, n)) for n in (6, 40) for name, values in spectra(3)
    ]
    cases += [(f"unit {unit}", unit * _of_spectrum(rng, np.array([4.0, 1.0]), 5)) for unit in (1e-5, 1e3)]
    cases += [("far from 0", _of_spectrum(rng, np.array([9.0, 2.0]), 5, mean=30.0))]
    cases += [("more features than rows", thirds(rng, (3, 5))), ("one feature", thirds(rng, (4, 1)))]
    for name, X in cases:
        centred, k = X - X.mean(axis=0), min(3, len(X) - 1)
        slack = rounding(60, (X**2).sum())
        Z = as_numbers(coordinates(X @ X.T, k), len(X), k)
        truth = np.zeros(k)
        values = np.linalg.svd(centred, compute_uv=False)[:k] ** 2
        truth[: len(values)] = values
        yield equal(f"Z'Z, {name}", Z.T @ Z, np.diag(truth), slack)
        if k >= min(X.shape):
            yield equal(f"ZZ', {name}", Z @ Z.T, centred @ centred.T, slack)
    products = X @ X.T
    yield from repeatable("coordinates", lambda P: abs(np.asarray(coordinates(P, 1))), products)


@statement("homework", "lectures/14_pca.ipynb, section 3.3")
def how_many_(how_many, rng):
    """The smallest number of components whose variances sum to the fraction of all, for lists of any length,
    with zeros, and with variances that are a millionth of the largest."""
    cases: list[Any] = [([1] * 20, Fraction(9, 10)), ([0, 1, 3], Fraction(7, 10))]
    cases += [([0, 0, 0, 5], Fraction(1, 3))]
    cases += [([Fraction(9, 10**7)] * 4 + [1], 1 - Fraction(1, 10**6))]
    cases += [([Fraction(9, 10**5)] * 2 + [1], 1 - Fraction(1, 10**5)), ([1], Fraction(1, 10**4))]
    cases += [([10**5, 10**5 + 1, 3 * 10**5], Fraction(5, 8))]
    exact: Any = (([1, 2, 2, 9, 11], (20, 25)), ([1, 1, 1, 6, 7, 8, 10, 10], (43, 44)))
    exact += (([1, 1, 1, 3, 3, 5, 7, 7], (27, 28)),)  # sums of these tenths are off by two units or more
    cases += [([Fraction(v, 10) for v in tenths], Fraction(*q)) for tenths, q in exact]
    for d in (1, 3, 8, 15, 15, 15):  # decimals: the sums are not exact, and q is exactly a sum
        tenths = sorted(Fraction(int(v), 10) for v in rng.integers(1, 13, d))
        retained = sum(tenths[d - int(rng.integers(1, d + 1)) :])
        cases.append((tenths, retained / sum(tenths)))
        cases.append((tenths, retained / sum(tenths) * (1 - Fraction(1, 10**6)) / 2))
    for variances, q in cases:
        if not 0 < q < 1:
            continue
        sums = [sum(sorted(variances, reverse=True)[:k]) for k in range(len(variances) + 1)]
        truth = next(k for k, retained in enumerate(sums) if retained >= q * sums[-1])
        found = how_many(np.array([float(v) for v in variances]), float(q))
        yield equal(
            f"k for {len(variances)} variances", found, truth, variances=[*map(str, variances)], q=str(q)
        )
    yield from repeatable("how_many", how_many, np.array([0.1, 0.2, 0.7]), 0.8)


@statement("homework", "lectures/14_pca.ipynb, section 3.1")
def reduction(Reduction):
    r"""The codes $Z$ of the training data have $Z^\top Z = \operatorname{diag}(\lambda_1, \dots, \lambda_k)$
    with the largest eigenvalues of $X_c^\top X_c$. A model knows the data that *it* learned last, and no
    others."""
    # two models at once, and one that learns again
    other = np.array([[85.0, 66.0], [-67.0, -48.0], [-51.0, 89.0], [69.0, -71.0]])  # arms of 95 and 100
    slack, model = rounding(60, 40_000), Reduction(2)
    for rows, squares in ((_CROSS, [200.0, 50.0]), (other, [20_000.0, 18_050.0])):
        model.learn(rows)
        Z = as_numbers(model.encode(rows), 4, 2)
        yield equal("Z'Z for the codes Z of the data learned last", Z.T @ Z, np.diag(squares), slack)
        yield equal("codes decoded", model.decode(Z), rows, slack)
    second = Reduction(1)
    second.learn(_CROSS)
    yield equal("codes after another Reduction has learned", model.encode(other), Z, slack)


@hard_cases(reduction)
def reduction_in_every_regime(Reduction, rng):
    """Decimals, few and many rows, wide data, any unit, equal and small variances; new rows and new codes."""
    cases = [(name, X) for name, X in feature_matrices(rng, min_n=2)]
    cases += [(f"{name} variances", _of_spectrum(rng, values, 9)) for name, values in spectra(3)]
    for name, X in cases:
        centred = X - X.mean(axis=0)
        s = np.linalg.svd(centred, compute_uv=False)
        for k in sorted({1, min(len(X) - 1, X.shape[1])}):
            model, slack = Reduction(k), rounding(60, len(X) * _size(X))
            model.learn(X.copy())
            Z = as_numbers(model.encode(X), len(X), k)
            yield equal(f"Z'Z, {name}, k = {k}", Z.T @ Z, np.diag(s[:k] ** 2), slack)
            lost = float(((X - model.decode(Z)) ** 2).sum())
            yield equal(f"squared distances, {name}, k = {k}", lost, float((s[k:] ** 2).sum()), slack)
            if s[k - 1] > 1e-6 * s[0]:
                C = s[0] * thirds(rng, (4, k)) / 10
                again = model.encode(model.decode(C))
                yield equal(
                    f"codes decoded and encoded, {name}, k = {k}",
                    again,
                    C,
                    rounding(600, s[0] + abs(X).max()),
                )
    data = [thirds(rng, (6, 3)) * [1.0, 3.0, 9.0], thirds(rng, (6, 3)) * [9.0, 1.0, 3.0]]
    queries = [thirds(rng, (6, 3)), thirds(rng, (6, 3))]
    yield from stateless(
        "codes",
        lambda: Reduction(2),
        lambda model, X: model.learn(X),
        lambda model, Q: abs(np.asarray(model.encode(Q))),
        data,
        queries,
        rounding(60, 300),
    )


# ------------------------------------------------------------------- how the claims of the lecture ask


class _Projector:
    """Projects on the directions of the data that it is fitted to."""

    directions: Any

    def __init__(self, n_components):
        self.n_components = n_components

    def fit(self, X):
        self.mean, self.axes = X.mean(axis=0), np.asarray(self.directions(X, self.n_components))
        return self

    def transform(self, X):
        return (X - self.mean) @ self.axes


def _directions_of_coordinates(coordinates, X, k):
    Z = np.asarray(coordinates(X @ X.T, k))
    squares = (Z**2).sum(axis=0)
    return (X - X.mean(axis=0)).T @ (Z / np.where(squares > 0, squares, 1.0))  # X_c' z_j / |z_j|^2


def _without_signs(answer, *_):
    """Return absolute values, and 0 for rounding: the root of a rounded eigenvalue may be 1e-6."""
    return np.where(np.abs(answer) > 1e-5, np.abs(answer), 0.0)


def _without_signs_to_the_rank(answer, products, k):
    """Beyond the rank columns of a wrong answer may be any of a null space: they are not compared."""
    return _without_signs(answer) * float(np.linalg.matrix_rank(products) >= k)


# ------------------------------------------------------------------- the questions


@part(
    2,
    claims.mean_cov,
    moments_,
    adapt={"mean_and_covariance": lambda moments, X: moments(np.asarray(X, dtype=np.float64).T.copy())},
)
def moments(table):
    """**Build.** Mean and covariance (section 1), also where the mean is large. Mind the convention: here the
    *columns* are the observations.

    Return the pair (mean, covariance), the latter with divisor n - 1.

    table (d, n): one column an observation
    returns (d,): mean
    returns (d, d): covariance
    """


@part(
    4,
    directions_,
    claims.max_variance,
    claims.optimal_k,
    adapt={"PCA": _Projector},
    canonical={"directions": _without_signs},
)
def directions(X, k):
    """**Build.** The first $k$ principal directions (section 2).

    Return the first k principal directions as columns; k <= min(n - 1, d).
    Where k is above the rank, any further orthonormal columns will do.

    X (n, d): one row an observation
    k int >= 1: number of components
    returns (d, k): orthonormal columns, largest variance first
    """


@part(3, least_)
def least(covariance, n, k):
    """**Derive.** You know the covariance of $n$ observations, not the observations. What is the smallest
    sum of squared distances of the observations to a plane of dimension $k$ (section 2)?

    Return the smallest sum of squared distances of the n observations.

    covariance (d, d): divisor n - 1
    n int >= 2: number of observations
    k int >= 0: 0 <= k <= d; a plane of dimension 0 is a point
    returns: sum of squared distances
    """


@part(
    4,
    coordinates_,
    claims.gram,
    adapt={"gram_directions": _directions_of_coordinates},
    often={"NOT A NUMBER": "rounding made an eigenvalue negative, of which there is no square root, or 0"},
    canonical={"coordinates": _without_signs_to_the_rank},
)
def coordinates(products, k):
    r"""**Derive.** Somebody gives you the inner products $x_i^\top x_j$ of all pairs of observations, not the
    observations, and they are *not centred*. Find the scores $X_cv_j$ on the first $k$ components (section
    3.2). How do you centre what you do not have?

    Return the scores of the n centred observations; k <= n - 1.
    Where k is above the rank, further columns are 0.

    products (n, n): products[i, j] is <x_i, x_j>
    k int >= 1: number of components
    returns (n, k): largest variance first
    """


@part(
    2,
    how_many_,
    claims.fraction,
    adapt={
        "components_for": lambda how_many, variances, fraction: how_many(
            np.asarray(variances)[::-1].copy(), fraction
        )
    },
)
def how_many(variances, fraction):
    """**Build.** The smallest number of components that retains the fraction $q$ of the variance (section
    3.3). The variances come in *ascending* order, as `eigh` returns them.

    Return k. Where k components retain exactly the fraction q, rounding must not add
    another; where they retain a millionth less, it takes another.

    variances (d,) >= 0: ascending
    fraction in [0, 1]: q, neither 0 nor 1
    returns int >= 0: number of components
    """


@part(
    5,
    reduction,
    claims.project.at(m=4),
    claims.eckart_young,
    adapt={"PCA": {"fit": "learn", "transform": "encode", "inverse_transform": "decode"}},
    canonical={"encode": _without_signs},
)
class Reduction:
    """**Write PCA.** Learn mean and directions from the training data, encode any data, decode scores
    (section 3.1). The code of an observation must not depend on those encoded with it.

    Principal component analysis with k components.

    k int >= 1: number of components
    X (n, d): one row an observation
    """

    def __init__(self, k): ...

    def learn(self, X):
        """Learn from X, and forget what was learned before."""

    def encode(self, X):
        """Return the scores of each observation.

        returns (n, k): scores, largest variance first
        """

    def decode(self, Z):
        """Return the points with these scores.

        Z (n, k): scores
        returns (n, d): points
        """


# ------------------------------------------------------------------- the same questions in other conventions


@variant("directions", ("", "Return them as *rows*."))
def _as_rows(directions, X, k):
    """Return the first k principal directions as rows; k <= min(n - 1, d).

    returns (k, d): orthonormal rows, largest variance first
    """
    return np.asarray(directions(X, k)).T


@variant("coordinates")
def _from_distances(coordinates, products, k):
    r"""**Derive.** Somebody gives you the *squared distances* $\lVert x_i - x_j\rVert^2$ of all pairs of
    observations, not the observations. Find their scores on the first $k$ components (section 3.2). Which
    inner products do distances determine?

    Return the scores of the n observations; k <= n - 1.

    distances (n, n) >= 0: distances[i, j] is |x_i - x_j|^2
    k
    """
    squares = np.diag(products)
    return coordinates(squares[:, None] + squares - 2 * products, k)


@variant(
    "least",
    (
        "You know the covariance of $n$ observations, not the observations.",
        "You know the inner products of all pairs of $n$ *centred* observations, "
        "not the observations, nor $d$.",
    ),
)
def _of_products(least, covariance, n, k):
    """products (n, n): products[i, j] is <x_i, x_j> of the centred observations
    k
    """
    values, vectors = np.linalg.eigh(covariance)
    rows = np.zeros((n, len(values)))  # data with this covariance, along vectors that sum to 0
    rows[: len(values)] = np.eye(len(values))
    across = np.linalg.qr(np.column_stack([np.ones(n), rows]))[0][:, 1:]
    rows = across * np.sqrt(np.maximum(values, 0.0) * (n - 1)) @ vectors.T
    return least(rows @ rows.T, k)


@variant(
    "how_many",
    (
        "The variances come in *ascending* order, as `eigh` returns them.",
        "You get the singular values of the centred data, in *ascending* order.",
    ),
)
def _of_singular_values(how_many, variances, fraction):
    """singular_values (d,) >= 0: ascending
    fraction
    """
    return how_many(np.sqrt(np.asarray(variances)), fraction)


assignment = Assignment(
    id="hw08",
    title="Principal components",
    lecture="lectures/14_pca.ipynb",
    variants=(_as_rows, _from_distances, _of_products, _of_singular_values),
    intro="You need NumPy and lecture 14, nothing else. Signs of components are free, and so is the basis "
    r"where eigenvalues are equal: what counts is what the theorems say about your results, "
    "not one solution.",
    parts=(moments, directions, least, coordinates, how_many, Reduction),  # type: ignore[arg-type]
)
