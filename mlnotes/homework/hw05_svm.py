"""Homework 5: support vector machines. Six questions, 20 points; five derivations, one method."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mlnotes.claims import Evidence, at_most, claim, equal, planes, rounding, svm_machines
from mlnotes.claims import svm as claims
from mlnotes.claims.answers import AnswerError, as_numbers, scalar
from mlnotes.estimators.duality import QuadraticProgram, solve_qp
from mlnotes.estimators.svm import SVC
from mlnotes.homework.core import Assignment, Function, Part, Value, changing, converted
from mlnotes.svm import dual_objective

# ------------------------------------------------------------------- claims of this homework alone


@claim(
    "hw05.squared",
    kind="homework",
    section="lectures/09_svm.ipynb, section 5",
    statement=r"The dual function of $\min\frac12\lVert w\rVert^2 + \frac C2\sum_i\xi_i^2$ subject to "
    r"$y_if(x_i) \ge 1 - \xi_i$ is the minimum of the Lagrangian over $w$, $b$ and all real $\xi$, for "
    r"multipliers with $\sum_i\alpha_iy_i = 0$.",
)
def squared_is_the_least_lagrangian(squared, rng, *, n=3, d=2) -> Iterator[Evidence]:
    """Compare with the Lagrangian at its minimum: the lecture's dual is that of slacks, not of squares."""
    y = np.repeat([1, -1], n)
    X = rng.integers(-4, 5, (2 * n, d)) / 2.0
    for C in (0.5, 2.0, 3.0, 16.0, 32.0):  # some multipliers are above the price, or none
        alpha = rng.integers(1, 5, 2 * n) / 4.0
        alpha[-1] += alpha[:n].sum() - alpha[n:].sum() + 4.0
        alpha[0] += 4.0
        v, slack = (y * alpha) @ X, alpha / C  # where the gradient vanishes
        least = 0.5 * v @ v + 0.5 * C * slack @ slack + alpha @ (1 - slack - y * (X @ v))
        w, b = rng.integers(-4, 5, d) / 4.0, float(rng.integers(-3, 4)) / 2
        primal = 0.5 * w @ w + 0.5 * C * (np.maximum(0, 1 - y * (X @ w + b)) ** 2).sum()
        found, error = scalar(squared(X, (y + 1) // 2, C, alpha)), rounding(100, 10 * (1 + abs(least)))
        yield equal("dual function", found, least, error, X=X, C=C)
        yield at_most("against a feasible point", found, primal, error)


def _solved(program: Any, X: Any, y: Any, C: float) -> tuple[Any, float]:
    """Return the solution of the student's program, (n,), and its value."""
    arrays = (np.asarray(part, dtype=np.float64) for part in program(X, (y + 1) // 2, C))
    try:
        solution = solve_qp(QuadraticProgram(*arrays))
    except ValueError as error:  # no convex program, or one without a solution
        why = str(error).partition(":")[0].rstrip(".")
        raise AnswerError(f"your program has no solution: {why}") from None
    return np.asarray(solution.x, dtype=np.float64), float(solution.primal)


@claim(
    "hw05.program",
    kind="homework",
    section="lectures/09_svm.ipynb, section 5",
    statement=r"The dual of the soft margin, as $\min\frac12a^\top Pa + q^\top a$ subject to $Ga \le h$ and "
    r"$Aa = b$, has the negative of its value.",
)
def program_has_the_negative_value(program, rng, *, n=6, d=2) -> Iterator[Evidence]:
    """Compare the least value with that of the dual: twice the objective has the same solution."""
    # the last row is beyond its margin: without the lower bound its multiplier is negative
    beyond = np.array([[-1.0], [1.0], [3.0]]), np.array([-1, 1, 1]), 2.0
    for X, y, C in (*((*planes.overlapping(rng, n=n, d=d), C) for C in (0.5, 2.0)), beyond):
        best, w, low, *_ = planes.enumerate_dual(X, y, C)
        moved = planes.Machine(X, y, C, w, low).room
        least = _solved(program, X, y, C)[1]
        yield equal(f"negative of the least value, C = {C}", -least, best, moved, X=X, y=y)


@claim(
    "hw05.thin",
    kind="homework",
    section="lectures/09_svm.ipynb, section 4",
    statement=r"The optimal multipliers of a hard margin in $\mathbb R^d$ can be exchanged for optimal ones "
    r"of which at most $d + 1$ are positive.",
)
def at_most_one_more_than_features(thin, rng, *, n=8, d=2) -> Iterator[Evidence]:
    """Count, where all rows on the margin have multipliers: the lecture does not say how few will do."""
    # where any d + 1 rows are kept, they have negative multipliers almost surely only if d is large
    for more, features in ((0, d), (0, d + 1), (6, d + 18), (6, d + 18)):
        m = n + more
        rows, shares = rng.integers(-4, 5, (m, features - 1)), rng.permutation(m) + 1
        shares, away = shares / (2 * shares.sum()), rng.integers(1, 3, features - 1)
        beyond = np.array([[3.0] + [0.0] * (features - 1)])
        ones = np.hstack([np.ones((m, 1)), rows])
        others = [np.hstack([-np.ones((m, 1)), rows + side * away]) for side in (-1, 1)]  # of the same mean
        X = np.vstack([ones, *others, beyond, -beyond])
        y = np.repeat([1, -1, 1, -1], [m, 2 * m, 1, 1])
        alpha = np.concatenate([shares, shares / 2, shares / 2, [0.0, 0.0]])  # optimal: w = (1, 0, ...)
        order = rng.permutation(len(y))
        X, y, alpha = X[order][:, ::-1].copy(), y[order], alpha[order]
        few = as_numbers(thin(X, (y + 1) // 2, alpha), len(y))
        # each of at most 3m steps goes along a null vector of 3m entries, known to rounding
        slack = rounding(9 * m * m * (features + 1), 6)
        yield at_most("negative multipliers", -few, 0.0, slack, X=X, y=y)
        yield equal("sum of alpha y x, which must stay", (y * few) @ X, (y * alpha) @ X, slack, X=X, y=y)
        yield equal("sum of alpha y, which must stay", float(y @ few), 0.0, slack, X=X, y=y)
        off = float(abs(few[abs(X[:, -1]) > 2]).max())
        yield at_most("multipliers off the margin", off, 0.0, slack, X=X, y=y)
        count = int((few > 1e-9).sum())
        yield at_most("positive multipliers, of both classes together", count, features + 1, X=X, y=y)


def _in_one_order(answer: Any, *_: Any) -> Any:
    """Return a program with its inequalities sorted: their order is free."""
    P, q, G, h, A, b = answer
    order = np.lexsort(np.column_stack([h, G]).T)
    return P, q, G[order], h[order], A, b


# ------------------------------------------------------------------- from the student's names to the claims'


def _hard_margin(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted:
        """The machine by the student's plane: the nearest points of the hulls are found here."""

        def __init__(self, C: float, kernel: str) -> None: ...

        def fit(self, X: Any, y: Any) -> Adapted:
            p, q = planes.nearest(X[y > 0], X[y < 0])
            w, b = student["plane"](np.array(p, dtype=np.float64), np.array(q, dtype=np.float64))
            self.coef_, self.intercept_ = np.asarray(w)[None], np.array([b])
            self.support_, self.dual_coef_ = np.arange(len(X)), np.full((1, len(X)), math.nan)  # not asked
            return self

    return {"SVC": Adapted}


def _dual_machine(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted:
        """The machine by the student's program, which is solved here; an offset is left to be found."""

        def __init__(self, C: float, kernel: str) -> None:
            self.C = C

        def fit(self, X: Any, y: Any) -> Adapted:
            alpha, _ = _solved(student["program"], X, y, self.C)
            self.support_, self.dual_coef_ = np.arange(len(X)), (y * alpha)[None]
            self.coef_ = self.dual_coef_ @ X
            ends = y - X @ self.coef_[0]  # at one of them the sum of the slacks is least
            slacks = np.maximum(0, 1 - y * (y - ends + ends[:, None])).sum(axis=1)
            self.intercept_ = ends[[slacks.argmin()]]
            return self

    return {"program": student["program"], "SVC": Adapted}


def _residuals(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def kkt_residuals(X: Any, y: Any, C: Any, w: Any, b: Any, alpha: Any, slack: Any = None) -> Any:
        if slack is None:
            slack = np.zeros(len(X)) if math.isinf(C) else np.maximum(0, 1 - y * (X @ w + b))
        labels = (np.asarray(y) + 1) // 2
        found = student["misses"](
            X, labels, C, np.asarray(w), float(b), alpha, np.asarray(slack, dtype=float)
        )
        names = ("primal_feasibility", "dual_feasibility", "equality", "complementarity", "stationarity")
        return dict(zip(names, np.asarray(found).tolist(), strict=True))

    return {"kkt_residuals": kkt_residuals}


def _interval(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def bias_interval(alpha: Any, y: Any, K: Any, C: float) -> Any:
        return student["offsets"](alpha, (np.asarray(y) + 1) // 2, K, C)

    return {"bias_interval": bias_interval}


def _thinned(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted(SVC):
        """The machine with each row taken twice, and of these as few multipliers as the student leaves."""

        def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Adapted:
            super().fit(X, y, sample_weight)
            alpha = np.zeros(len(y))
            alpha[self.support_] = y[self.support_] * self.dual_coef_[0]
            twice = np.vstack([X, X]), np.tile((np.asarray(y) + 1) // 2, 2), np.tile(alpha / 2, 2)
            thinned = np.asarray(student["thin"](*twice)).reshape(2, -1).sum(axis=0)
            self.support_, self.dual_coef_ = np.arange(len(y)), (y * thinned)[None]
            return self

    return {"SVC": Adapted, "thin": student["thin"]}


# ------------------------------------------------------------------- the same questions in other conventions


def _without_half(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"squared": lambda X, labels, C, alpha: student["squared"](X, labels, C / 2, alpha)}

    question = part.question.replace("\\frac C2\\sum_i\\xi_i^2", "C\\sum_i\\xi_i^2")
    return replace(part, question=question, adapt=adapt)


def _without_offset(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def thin(X: Any, labels: Any, alpha: Any) -> Any:
            return student["thin"](np.column_stack([X, np.ones(len(X))]), labels, alpha)

        return {"thin": thin}

    words = (
        "of the hard margin (2.1)",
        r"of a hard margin *without an offset*, $\min\frac12\lVert w\rVert^2$ subject to $y_i\langle w, "
        r"x_i\rangle \ge 1$",
    )
    return converted(part, convert, words, ("at most $d + 1$", "at most $d$"))


def _as_maximum(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def program(X: Any, labels: Any, C: float) -> Any:
            P, q, G, h, A, b = (np.asarray(array) for array in student["program"](X, labels, C))
            return P, -q, -G, -h, A, b

        return part.bind({"program": program})

    question = part.question.replace(
        "$\\min\\frac12a^\\top Pa + q^\\top a$ subject to $Ga \\le h$",
        "$\\max q^\\top a - \\frac12a^\\top Pa$ subject to $Ga \\ge h$",
    ).replace("Mind the signs: (5.5) is a maximum.", "Mind the signs of the inequalities.")
    return replace(part, question=question, adapt=adapt)


def _between_levels(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def plane(p: Any, q: Any) -> Any:
            w, b = student["plane"](p, q)
            return 2 * np.asarray(w), 2 * float(b) - 1

        return {"plane": plane}

    problem = r"$\min\frac12\lVert w\rVert^2$ subject to $f(x) \ge 1$ in class 1 and $f(x) \le 0$ in class 0"
    return converted(part, convert, ("the hard-margin problem (2.1)", problem))


def _from_signed_products(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def offsets(alpha: Any, labels: Any, K: Any, C: float) -> Any:
            signs = 2 * np.asarray(labels) - 1
            return student["offsets"](alpha, labels, np.asarray(K) * signs * signs[:, None], C)

        return {"offsets": offsets}

    given = dict(part.writes[0].parameters)
    products = {"Q" if name == "K" else name: value for name, value in given.items()}
    words = ("the Gram matrix", r"the matrix $Q_{ij} = y_iy_j\langle x_i, x_j\rangle$ of the dual")
    return converted(part, convert, words, writes=(replace(part.writes[0], parameters=products),))


def _subtracted(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def offsets(*arguments: Any) -> Any:
            low, high = student["offsets"](*arguments)
            return -high, -low

        return part.bind({"offsets": offsets})

    question = (
        part.question + " Here the score is $f(x) = \\langle w, x\\rangle - b$: offsets are *subtracted*."
    )
    return replace(part, question=question, adapt=adapt)


# ------------------------------------------------------------------- the assignment

_X = Value("f", ("n", "d"), meaning="one row a point")
_LABELS = Value("i", ("n",), minimum=0, maximum=1, meaning="0 stands for y = -1, 1 for y = 1")
_ALPHA = Value("f", ("n",))
_C = Value("f", (), minimum=0, meaning="> 0")

assignment = Assignment(
    id="hw05",
    title="Support vector machines",
    lecture="lectures/09_svm.ipynb",
    variants=(
        changing(squared=_without_half, thin=_without_offset),
        changing(program=_as_maximum, offsets=_subtracted),
        changing(plane=_between_levels),
        changing(offsets=_from_signed_products),
    ),
    intro=r"You need NumPy and lecture 9, nothing else. Mind the convention of this homework: labels come "
    r"as 0 and 1; a formula with $y_i = \pm1$ needs twice the label minus 1. Five questions ask for a "
    r"formula or a problem, written as code; the last asks for a method. Formulas are compared up to "
    r"rounding (float64), what your `program` gives to the accuracy of our solver.",
    parts=(
        Part(
            name="plane",
            points=3,
            question="**Derive.** Somebody has found the nearest points $p$ (class 1) and $q$ (class 0) of "
            "the two convex hulls. Which $(w, b)$ solves the hard-margin problem (2.1)? (Sections 1 and 2; "
            "check that $f(p) = 1$.)",
            writes=(
                Function(
                    "plane",
                    {"p": Value("f", ("d",)), "q": Value("f", ("d",), meaning="not equal to p")},
                    (Value("f", ("d",), meaning="w"), Value("f", (), meaning="b")),
                    "Return the pair (w, b).",
                ),
            ),
            claims=(claims.unique, claims.maxmargin, claims.reformulation),
            adapt=_hard_margin,
        ),
        Part(
            name="squared",
            points=4,
            question=r"**Derive.** Square the slacks: $\min\frac12\lVert w\rVert^2 + \frac C2\sum_i\xi_i^2$ "
            r"subject to $y_if(x_i) \ge 1 - \xi_i$ (no sign constraint is needed. Why?). Follow section "
            r"5: Lagrangian, stationarity in $w$, $b$ and $\xi$, substitution. What is the dual function "
            r"for $\alpha \ge 0$ with $\sum_i\alpha_iy_i = 0$? (Is there still a box?)",
            writes=(
                Function(
                    "squared",
                    {"X": _X, "labels": _LABELS, "C": _C, "alpha": Value("f", ("n",), minimum=0)},
                    Value("f", (), infinite=True, meaning="value of the dual function"),
                    "Return the dual function at balanced multipliers.",
                ),
            ),
            claims=(squared_is_the_least_lagrangian,),
        ),
        Part(
            name="program",
            points=4,
            question=r"**Derive.** Solvers want a standard form. Write the dual (5.5) of the soft margin as "
            r"$\min\frac12a^\top Pa + q^\top a$ subject to $Ga \le h$ and $Aa = b$, where $a$ is $\alpha$ "
            r"(not $\alpha_iy_i$) and each row of $A$ is one equation. We hand your six arrays to the solver "
            r"of lecture 8. Mind the signs: (5.5) is a maximum.",
            writes=(
                Function(
                    "program",
                    {"X": _X, "labels": _LABELS, "C": _C},
                    (
                        Value("f", ("n", "n"), meaning="P"),
                        Value("f", ("n",), meaning="q"),
                        Value("f", ("m", "n"), meaning="G"),
                        Value("f", ("m",), meaning="h"),
                        Value("f", ("k", "n"), meaning="A"),
                        Value("f", ("k",), meaning="b"),
                    ),
                    "Return P, q, G, h, A, b.",
                    _in_one_order,
                ),
            ),
            claims=(claims.soft_dual, program_has_the_negative_value),
            adapt=_dual_machine,
        ),
        Part(
            name="misses",
            points=3,
            question=r"**Derive.** A referee for solutions. Return by how much a point misses each "
            r"condition of sections 4 and 5, in this order: (1) $\max(0, \max_i(1 - \xi_i - m_i), "
            r"\max_i(-\xi_i))$; (2) the same for $0 \le \alpha_i \le C$; (3) $|\sum_i\alpha_iy_i|$; (4) the "
            r"largest of all $|\alpha_i(1 - \xi_i - m_i)|$ and $|(C - \alpha_i)\xi_i|$; (5) $\max_j|w - "
            r"\sum_i\alpha_iy_ix_i|_j$. For $C = \infty$ (`math.inf`) read the second product of (4) as "
            r"$|\xi_i|$.",
            writes=(
                Function(
                    "misses",
                    {
                        "X": _X,
                        "labels": _LABELS,
                        "C": Value("f", (), minimum=0, infinite=True, meaning="> 0, may be infinite"),
                        "w": Value("f", ("d",)),
                        "b": Value("f", ()),
                        "alpha": _ALPHA,
                        "slack": Value("f", ("n",)),
                    },
                    Value("f", (5,), meaning="the five misses"),
                    "Return the five misses.",
                ),
            ),
            claims=(replace(claims.kkt, section="5"),),
            adapt=_residuals,
        ),
        Part(
            name="offsets",
            points=2,
            question="**Derive.** Given optimal multipliers of the soft margin and the Gram matrix, return "
            "the ends of the interval of all optimal offsets (section 6.1). With a free row both ends agree.",
            writes=(
                Function(
                    "offsets",
                    {"alpha": _ALPHA, "labels": _LABELS, "K": Value("f", ("n", "n")), "C": _C},
                    (Value("f", (), meaning="low"), Value("f", (), meaning="high")),
                    "Return the pair (low, high); multipliers at a bound equal it exactly.",
                ),
            ),
            claims=(svm_machines.recover,),
            adapt=_interval,
        ),
        Part(
            name="thin",
            points=4,
            question="**Build.** A solver returns optimal multipliers of the hard margin (2.1), and "
            "hundreds of them are positive: many rows lie on the margin. Return optimal ones of which at "
            "most $d + 1$ are positive. (Which sums must stay as they are, so that all conditions of "
            "section 4 still hold? Each row adds a vector of $d + 1$ numbers to them. What do more than $d "
            "+ 1$ such vectors have? How far can you go along it, and when is the last time?)",
            writes=(
                Function(
                    "thin",
                    {"X": _X, "labels": _LABELS, "alpha": Value("f", ("n",), minimum=0, meaning="optimal")},
                    Value("f", ("n",), meaning="optimal, few of them positive"),
                    "Return the multipliers; what is below 1e-9 counts as 0.",
                ),
            ),
            claims=(at_most_one_more_than_features, replace(claims.span, section="4"), claims.hard_dual),
            given={"dual_objective": dual_objective},
            adapt=_thinned,
        ),
    ),
)
