"""Homework 8: principal components. Six questions, 20 points; decided by the theorems of the lecture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mlnotes.claims import Evidence, claim, equal, rounding
from mlnotes.claims import pca as claims
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
    drawn = [(rng.integers(-9, 10, (n, d)) // np.arange(1, d + 1)).astype(np.float64) for _ in range(3)]
    axes = np.diag([4.0, 20.0, 19.0]) / 1024  # the least comes first, all are small
    for k, X in zip((0, 1, d // 2, d, 1), (*drawn, drawn[0], np.vstack([axes, -axes])), strict=True):
        centred = X - X.mean(axis=0)
        found = float(least(centred.T @ centred / (len(X) - 1), len(X), k))
        truth = float((np.linalg.svd(centred, compute_uv=False)[k:] ** 2).sum())
        yield equal(f"least error, k = {k}", found, truth, rounding(60, 3000), X=X)


# ------------------------------------------------------------------- from the student's names to the claims'


def _moments(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def mean_and_covariance(X: Any) -> Any:
        return student["moments"](np.asarray(X, dtype=np.float64).T.copy())

    return {"mean_and_covariance": mean_and_covariance}


def _directions(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted:
        """Projects on the directions that the student's function returns."""

        def __init__(self, n_components: int) -> None:
            self.n_components = n_components

        def fit(self, X: Any) -> Adapted:
            self.mean = X.mean(axis=0)
            self.directions = np.asarray(student["directions"](X, self.n_components))
            return self

        def transform(self, X: Any) -> Any:
            return (X - self.mean) @ self.directions

    return {"PCA": Adapted}


def _from_products(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted:
        """Projects on the directions that have the student's coordinates: v_j = X_c' z_j / |z_j|^2."""

        def __init__(self, n_components: int, solver: str = "gram") -> None:
            self.n_components = n_components

        def fit(self, X: Any) -> Adapted:
            self.mean = X.mean(axis=0)
            Z = np.asarray(student["coordinates"](X @ X.T, self.n_components))
            self.directions = (X - self.mean).T @ (Z / (Z**2).sum(axis=0))
            return self

        def transform(self, X: Any) -> Any:
            return (X - self.mean) @ self.directions

    return {"PCA": Adapted}


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

    return {"PCA": Adapted}


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
    r"where eigenvalues are equal: you are judged by the theorems, not by one solution.",
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
                    "Return the first k principal directions as columns; k <= min(n - 1, d).",
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
                        "k": Value("i", (), minimum=0, meaning="0 <= k <= d; 0 is a single point"),
                    },
                    Value("f", (), meaning="sum of squared distances"),
                    "Return the least sum of squared distances.",
                ),
            ),
            claims=(least_is_eckart_young,),
        ),
        Part(
            name="coordinates",
            points=4,
            question="**Derive.** Somebody gives you the inner products $x_i^\\top x_j$ of all pairs of "
            r"rows, not the rows, and they are *not centred*. Find the coordinates of the rows on the first "
            r"$k$ components (section 3.2). How do you centre what you do not have?",
            writes=(
                Function(
                    "coordinates",
                    {"products": Value("f", ("n", "n"), meaning="products[i, j] is <x_i, x_j>"), "k": _COUNT},
                    Value("f", ("n", "k"), meaning="largest variance first"),
                    "Return the coordinates of the n rows; k <= n - 1.",
                ),
            ),
            claims=(claims.gram, claims.max_variance),
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
                        "share": Value("f", (), minimum=0, maximum=1, meaning="q, strictly between 0 and 1"),
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
            r"decode coordinates (section 3.1). A row's code must not depend on the rows beside it.",
            writes=(
                Class(
                    "Reduction",
                    {"k": _COUNT},
                    (
                        Function("learn", {"X": _ROWS}, None, "Learn from X."),
                        Function(
                            "encode",
                            {"X": _ROWS},
                            Value("f", ("n", "k"), meaning="coordinates, largest variance first"),
                            "Return the coordinates of each row.",
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
            claims=(claims.project, claims.eckart_young, claims.max_variance),
            adapt=_reduction,
        ),
    ),
)
