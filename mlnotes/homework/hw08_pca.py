"""Homework 8: principal components. Six questions, 20 points; decided by the theorems of the lecture."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlnotes.checking import equal, rounding, statement
from mlnotes.checking.outputs import as_numbers
from mlnotes.claims import pca as claims
from mlnotes.homework import Assignment, part, variant

# ------------------------------------------------------------------- claims of this homework alone


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


@variant("how_many", ("The variances come in *ascending* order, as `eigh` returns them.",
                      "You get the singular values of the centred data, in *ascending* order."))  # fmt: skip
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
