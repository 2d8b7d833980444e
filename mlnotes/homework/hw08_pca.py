"""Homework 8: principal components. Six questions, 20 points; decided by the theorems of the lecture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mlnotes.claims import Evidence, claim, equal, rounding
from mlnotes.claims import pca as claims
from mlnotes.claims.answers import as_numbers
from mlnotes.homework.core import Assignment, Class, Function, Part, Value, changing, converted

# ------------------------------------------------------------------- claims of this homework alone


@claim(
    "hw08.least",
    kind="homework",
    section="lectures/14_pca.ipynb, section 2",
    statement=r"The least sum of squared distances of $n$ rows to a plane of dimension $k$ is a function of "
    r"$n$, $k$ and the covariance alone; it equals the sum of the $d - k$ smallest squared singular values "
    r"of the centred rows.",
)
def least_is_eckart_young(least, rng, *, n=15, d=4) -> Iterator[Evidence]:
    """Compare with the singular values of the rows: the lecture's claim asks a PCA for its plane."""
    # at right angles, the longest last, all small
    axes = np.array([[4.0, 3.0, 0.0], [-6.0, 8.0, 0.0], [0.0, 0.0, 15.0]]) / 256
    cases = [(np.vstack([axes, -axes]), 1)]
    for k in (0, 1, d // 2, d):  # other numbers of rows: no one factor does for all
        rows = rng.integers(-9, 10, (max(2, n - 2 * k), d)) // np.arange(d, 0, -1)
        cases.append((rows.astype(np.float64), k))
    for X, k in cases:
        centred = X - X.mean(axis=0)
        found = float(least(centred.T @ centred / (len(X) - 1), len(X), k))
        truth = float((np.linalg.svd(centred, compute_uv=False)[k:] ** 2).sum())
        yield equal(f"least error, n = {len(X)}, k = {k}", found, truth, rounding(60, 3000), X=X)


_CROSS = np.array([[7.0, 4.0], [-1.0, -2.0], [-3.0, 9.0], [9.0, -7.0]])  # its arms have 5 and 10


@claim(
    "hw08.coordinates",
    kind="homework",
    section="lectures/14_pca.ipynb, section 3.2",
    statement=r"The coordinates $Z$ on the first $k$ components have $Z^\top Z = "
    r"\operatorname{diag}(\lambda_1, \dots, \lambda_k)$, the largest eigenvalues of $X_cX_c^\top$, and "
    r"$ZZ^\top = X_cX_c^\top$ where $k$ is at least the rank; further columns are 0.",
)
def coordinates_have_the_products(coordinates) -> Iterator[Evidence]:
    """Measure what the student returns: the lecture's claim asks for directions, of which there are none."""
    line = np.outer(np.arange(7.0) ** 2, [1.0, 2.0]) + 5
    for name, X, k in (("four rows", _CROSS, 1), ("four rows", _CROSS, 2), ("seven rows on a line", line, 6)):
        U, s, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
        right = np.zeros((len(X), k))
        right[:, :2] = (U * s)[:, :k]
        Z = as_numbers(coordinates(X @ X.T, k), *right.shape)
        slack = rounding(60, 2000)
        yield equal(f"Z'Z, {name}, k = {k}", Z.T @ Z, right.T @ right, slack, X=X)
        yield equal(f"ZZ', {name}, k = {k}", Z @ Z.T, right @ right.T, slack, X=X)


@claim(
    "hw08.reduction",
    kind="homework",
    section="lectures/14_pca.ipynb, section 3.1",
    statement=r"The codes $Z$ of the rows learned have $Z^\top Z = "
    r"\operatorname{diag}(\lambda_1, \dots, \lambda_k)$ with the largest eigenvalues of $X_c^\top X_c$. "
    r"A model knows the rows that *it* learned last, and no others.",
)
def reduction_keeps_to_its_rows(Reduction) -> Iterator[Evidence]:
    """Ask for what no model of the lecture is asked: two at once, and one that learns again."""
    other = np.array([[85.0, 66.0], [-67.0, -48.0], [-51.0, 89.0], [69.0, -71.0]])  # arms of 95 and 100
    slack, model = rounding(60, 40_000), Reduction(2)
    for rows, squares in ((_CROSS, [200.0, 50.0]), (other, [20_000.0, 18_050.0])):
        model.learn(rows)
        Z = as_numbers(model.encode(rows), 4, 2)
        yield equal("Z'Z for the codes Z of the rows learned last", Z.T @ Z, np.diag(squares), slack)
        yield equal("codes decoded", model.decode(Z), rows, slack)
    second = Reduction(1)
    second.learn(_CROSS)
    yield equal("codes after another Reduction has learned", model.encode(other), Z, slack)


# ------------------------------------------------------------------- from the student's names to the claims'


def _moments(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def mean_and_covariance(X: Any) -> Any:
        return student["moments"](np.asarray(X, dtype=np.float64).T.copy())

    return {"mean_and_covariance": mean_and_covariance}


def _projector(directions: Callable[[Any, int], Any]) -> type:
    class Adapted:
        """Projects on the directions of the rows that it is fitted to."""

        def __init__(self, n_components: int, solver: str = "gram") -> None:
            self.n_components = n_components

        def fit(self, X: Any) -> Adapted:
            self.mean, self.directions = X.mean(axis=0), np.asarray(directions(X, self.n_components))
            return self

        def transform(self, X: Any) -> Any:
            return (X - self.mean) @ self.directions

    return Adapted


def _directions(student: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"PCA": _projector(student["directions"])}


def _from_products(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def directions(X: Any, k: int) -> Any:
        Z = np.asarray(student["coordinates"](X @ X.T, k))
        squares = (Z**2).sum(axis=0)
        return (X - X.mean(axis=0)).T @ (Z / np.where(squares > 0, squares, 1.0))  # X_c' z_j / |z_j|^2

    return {"PCA": _projector(directions), **student}


def _share(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def components_for(explained_variance: Any, fraction: float) -> Any:
        return student["how_many"](np.asarray(explained_variance)[::-1].copy(), fraction)  # ascending

    return {"components_for": components_for}


def _reduction(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted:
        """The student's class under the method names of the claims."""

        def __init__(self, n_components: int) -> None:
            self.model = student["Reduction"](n_components)

        def fit(self, X: Any) -> Adapted:
            self.model.learn(X)
            return self

        def transform(self, X: Any) -> Any:
            return self.model.encode(X)

        def inverse_transform(self, Z: Any) -> Any:
            return self.model.decode(Z)

    return {"PCA": Adapted, **student}


# ------------------------------------------------------------------- the same questions in other conventions


def _as_rows(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        return _directions({"directions": lambda X, k: np.asarray(student["directions"](X, k)).T})

    function = Function(
        "directions",
        {"X": _ROWS, "k": _COUNT},
        Value("f", ("k", "d"), meaning="orthonormal rows, largest variance first"),
        "Return the first k principal directions as rows; k <= min(n - 1, d).",
    )
    return replace(part, question=part.question + " Return them as *rows*.", writes=(function,), adapt=adapt)


def _of_products(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def least(covariance: Any, n: int, k: int) -> Any:
            values, vectors = np.linalg.eigh(covariance)
            rows = np.zeros((n, len(values)))  # rows with this covariance, along vectors that sum to 0
            rows[: len(values)] = np.eye(len(values))
            across = np.linalg.qr(np.column_stack([np.ones(n), rows]))[0][:, 1:]
            rows = across * np.sqrt(np.maximum(values, 0.0) * (n - 1)) @ vectors.T
            return student["least"](rows @ rows.T, k)

        return {"least": least}

    parameters = {
        "products": Value("f", ("n", "n"), meaning="products[i, j] is <x_i, x_j> of the centred rows"),
        "k": part.writes[0].parameters["k"],
    }
    words = (
        "You know the covariance of $n$ rows, not the rows.",
        "You know the inner products of all pairs of $n$ *centred* rows, not the rows, nor how many columns "
        "they had.",
    )
    return converted(part, convert, words, writes=(replace(part.writes[0], parameters=parameters),))


def _of_singular_values(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def how_many(variances: Any, share: float) -> Any:
            return student["how_many"](np.sqrt(np.asarray(variances)), share)

        return {"how_many": how_many}

    values = {"singular_values": Value("f", ("d",), minimum=0, meaning="ascending")}
    parameters = values | {"share": part.writes[0].parameters["share"]}
    words = ("The variances come in *ascending* order, as `eigh` returns them.",
             "You get the singular values of the centred rows, in *ascending* order.")  # fmt: skip
    return converted(part, convert, words, writes=(replace(part.writes[0], parameters=parameters),))


def _from_distances(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def coordinates(products: Any, k: Any) -> Any:
            squares = np.diag(products)
            return student["coordinates"](squares[:, None] + squares - 2 * products, k)

        return part.bind({"coordinates": coordinates})

    distances = Value("f", ("n", "n"), minimum=0, meaning="distances[i, j] is |x_i - x_j|^2")
    question = (
        "**Derive.** Somebody gives you the *squared distances* $\\lVert x_i - x_j\\rVert^2$ of all pairs "
        r"of rows, not the rows. Find the coordinates of the rows on the first $k$ components (section "
        r"3.2). Which inner products do distances determine?"
    )
    function = Function(
        "coordinates",
        {"distances": distances, "k": _COUNT},
        Value("f", ("n", "k"), meaning="largest variance first"),
        "Return the coordinates of the n rows; k <= n - 1.",
    )
    return replace(part, question=question, writes=(function,), adapt=adapt)


# ------------------------------------------------------------------- the assignment

_ROWS = Value("f", ("n", "d"), meaning="one row an observation")
_COUNT = Value("i", (), minimum=1, meaning="number of components")


def _without_signs(answer: Any, *_: Any) -> Any:
    """Return absolute values, and 0 for rounding: the root of that of an eigenvalue may be 1e-6."""
    return np.where(np.abs(answer) > 1e-5, np.abs(answer), 0.0)


def _without_signs_to_the_rank(answer: Any, products: Any, k: int) -> Any:
    """Beyond the rank columns of a wrong answer may be any of a null space: nothing is told there."""
    return _without_signs(answer) * float(np.linalg.matrix_rank(products) >= k)


assignment = Assignment(
    id="hw08",
    title="Principal components",
    lecture="lectures/14_pca.ipynb",
    variants=(
        changing(directions=_as_rows),
        changing(coordinates=_from_distances),
        changing(least=_of_products),
        changing(how_many=_of_singular_values),
    ),
    intro="You need NumPy and lecture 14, nothing else. Signs of components are free, and so is the basis "
    r"where eigenvalues are equal: what counts is what the theorems say of your answers, "
    "not one solution.",
    parts=(
        Part(
            name="moments",
            points=2,
            question="**Build.** Mean and covariance (section 1), also where the mean is large. Mind the "
            "convention: here the *columns* are the observations.",
            writes=(
                Function(
                    "moments",
                    {"table": Value("f", ("d", "n"), meaning="one column an observation")},
                    (Value("f", ("d",), meaning="mean"), Value("f", ("d", "d"), meaning="covariance")),
                    "Return the pair (mean, covariance), the latter with divisor n - 1.",
                ),
            ),
            claims=(claims.mean_cov.at(refusals=False),),
            adapt=_moments,
        ),
        Part(
            name="directions",
            points=4,
            question="**Build.** The first $k$ principal directions (section 2).",
            writes=(
                Function(
                    "directions",
                    {"X": _ROWS, "k": _COUNT},
                    Value("f", ("d", "k"), meaning="orthonormal columns, largest variance first"),
                    "Return the first k principal directions as columns; k <= min(n - 1, d).\n"
                    "Where k is above the rank, any further orthonormal columns will do.",
                    _without_signs,
                ),
            ),
            claims=(claims.max_variance, claims.optimal_k),
            adapt=_directions,
        ),
        Part(
            name="least",
            points=3,
            question="**Derive.** You know the covariance of $n$ rows, not the rows. What is the least sum "
            r"of squared distances of the rows to a plane of dimension $k$ (section 2)?",
            writes=(
                Function(
                    "least",
                    {
                        "covariance": Value("f", ("d", "d"), meaning="divisor n - 1"),
                        "n": Value("i", (), minimum=2, meaning="number of rows"),
                        "k": Value(
                            "i", (), minimum=0, meaning="0 <= k <= d; a plane of dimension 0 is a point"
                        ),
                    },
                    Value("f", (), meaning="sum of squared distances"),
                    "Return the least sum of squared distances of the n rows.",
                ),
            ),
            claims=(least_is_eckart_young,),
        ),
        Part(
            name="coordinates",
            points=4,
            question="**Derive.** Somebody gives you the inner products $x_i^\\top x_j$ of all pairs of "
            r"rows, not the rows, and they are *not centred*. Find the coordinates $X_cv_j$ of the rows on "
            r"the first $k$ components (section 3.2). How do you centre what you do not have?",
            writes=(
                Function(
                    "coordinates",
                    {"products": Value("f", ("n", "n"), meaning="products[i, j] is <x_i, x_j>"), "k": _COUNT},
                    Value("f", ("n", "k"), meaning="largest variance first"),
                    "Return the coordinates of the n centred rows; k <= n - 1.\n"
                    "Where k is above the rank, further columns are 0.",
                    _without_signs_to_the_rank,
                ),
            ),
            often={
                "NOT A NUMBER": "rounding made an eigenvalue negative, of which there is no square root, or 0"
            },
            claims=(coordinates_have_the_products, claims.gram.at(solvers=("gram",))),
            adapt=_from_products,
        ),
        Part(
            name="how_many",
            points=2,
            question="**Build.** The least number of components that retains the share $q$ of the variance "
            "(section 3.3). The variances come in *ascending* order, as `eigh` returns them.",
            writes=(
                Function(
                    "how_many",
                    {
                        "variances": Value("f", ("d",), minimum=0, meaning="ascending"),
                        "share": Value("f", (), minimum=0, maximum=1, meaning="q, neither 0 nor 1"),
                    },
                    Value("i", (), minimum=0, meaning="number of components"),
                    "Return k. Where k components retain exactly the share q, rounding must not add\n"
                    "another; where they retain a millionth less, it takes another.",
                ),
            ),
            claims=(claims.fraction.at(refusals=False),),
            adapt=_share,
        ),
        Part(
            name="Reduction",
            points=5,
            question="**Write PCA.** Learn mean and directions from the training rows, encode any rows, "
            r"decode coordinates (section 3.1). A row's code must not depend on the rows encoded with it.",
            writes=(
                Class(
                    "Reduction",
                    {"k": _COUNT},
                    (
                        Function(
                            "learn", {"X": _ROWS}, None, "Learn from X, and forget what was learned before."
                        ),
                        Function(
                            "encode",
                            {"X": _ROWS},
                            Value("f", ("n", "k"), meaning="coordinates, largest variance first"),
                            "Return the coordinates of each row.",
                            _without_signs,
                        ),
                        Function(
                            "decode",
                            {"Z": Value("f", ("n", "k"), meaning="coordinates")},
                            Value("f", ("n", "d"), meaning="points"),
                            "Return the points with these coordinates.",
                        ),
                    ),
                    "Principal component analysis with k components.",
                ),
            ),
            claims=(reduction_keeps_to_its_rows, claims.project.at(m=4), claims.eckart_young),
            adapt=_reduction,
        ),
    ),
)
