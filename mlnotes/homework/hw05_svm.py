"""Homework 5: support vector machines. Six questions, 20 points; five derivations, one method."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mlnotes.claims import Evidence, at_most, claim, equal, rounding
from mlnotes.claims import svm as claims
from mlnotes.claims.core import as_numbers, scalar
from mlnotes.estimators.duality import QuadraticProgram, solve_qp
from mlnotes.estimators.svm import SVC
from mlnotes.homework.core import Assignment, Class, Function, Part, Value, changing, converted

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
    X, C = rng.integers(-4, 5, (2 * n, d)) / 2.0, float(rng.choice([0.5, 2.0, 3.0]))
    for _ in range(5):
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
    """Return the solution of the student's program, (n,), and its value; NaN if it has none."""
    try:
        arrays = (np.asarray(part, dtype=np.float64) for part in program(X, (y + 1) // 2, C))
        solution = solve_qp(QuadraticProgram(*arrays))
        return np.asarray(solution.x, dtype=np.float64), float(solution.primal)
    except (ValueError, TypeError):  # no convex program, or one without a solution
        return np.full(len(X), math.nan), math.nan


@claim(
    "hw05.program",
    kind="homework",
    section="lectures/09_svm.ipynb, section 5",
    statement=r"The dual of the soft margin, as $\min\frac12a^\top Pa + q^\top a$ subject to $Ga \le h$ and "
    r"$Aa = b$, has the negative of its value.",
)
def program_has_the_negative_value(program, rng, *, n=6, d=2) -> Iterator[Evidence]:
    """Compare the value at the solution with the dual's: twice the objective has the same solution."""
    for C in (0.5, 2.0):
        X, y = claims._overlapping(rng, n=n, d=d)
        alpha, value = _solved(program, X, y, C)
        dual = claims._dual(X, y, alpha)
        slack = rounding(100, 1 + 100 * n * C * (1 + n * C))  # |x|^2 is at most 100 in each of n^2 products
        yield equal(f"value, C = {C}", -value, dual, slack, X=X, y=y)


@claim(
    "hw05.machine",
    kind="homework",
    section="lectures/09_svm.ipynb, sections 5 and 6",
    statement="The fitted $(w, b)$ has an objective at most $10^{-4}$ (relative) above the optimum, which "
    "is bounded from below by the dual value of feasible multipliers.",
    given=("SVC",),
)
def machine_is_nearly_optimal(Machine, rng, *, n=20, d=2) -> Iterator[Evidence]:
    """Check the objective of the student's plane: the lecture's claims ask for 1e-8, which is no homework."""
    cases = ((n, d, 0.002), (n, d, 0.05), (n + n // 2, d + 1, 1.0), (n, d, 10.0))  # 0.002 tells C from 1/C
    for rows, features, C in cases:
        X, y = claims._overlapping(rng, n=rows, d=features)
        X = X + 3.0  # the offset matters
        machine = Machine(C)
        machine.fit(X, (y + 1) // 2)
        w, b = as_numbers(machine.normal(), features), scalar(machine.offset())
        exact = SVC(C, kernel="linear").fit(X, y)
        alpha = np.zeros(rows)
        alpha[exact.support_] = y[exact.support_] * exact.dual_coef_[0]
        low, best = claims._dual(X, y, alpha), claims._primal(X, y, exact.coef_[0], exact.intercept_[0], C)
        ours = (best - low) / low + rounding(rows)  # the optimum is between: nobody loses by our own gap
        excess = (claims._primal(X, y, w, b, C) - low) / low
        yield at_most(f"relative excess of the objective, C = {C}", excess, 1e-4, 2 * ours, least=low)


# ------------------------------------------------------------------- from the student's names to the claims'


def _hard_margin(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted:
        """The machine by the student's plane: the nearest points of the hulls are found here."""

        def __init__(self, C: float, kernel: str) -> None: ...

        def fit(self, X: Any, y: Any) -> Adapted:
            _, p, q = claims._nearest(X[y > 0], X[y < 0])
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


# ------------------------------------------------------------------- the same questions in other conventions


def _without_half(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"squared": lambda X, labels, C, alpha: student["squared"](X, labels, C / 2, alpha)}

    question = part.question.replace("\\frac C2\\sum_i\\xi_i^2", "C\\sum_i\\xi_i^2")
    return replace(part, question=question, adapt=adapt)


def _by_strength(part: Part) -> Part:
    written = replace(
        part.writes[0], parameters={"strength": Value("f", (), minimum=0, meaning="lambda > 0")}
    )
    question = part.question.replace(
        "Minimise (5.1)", "Minimise $\\frac\\lambda2\\lVert w\\rVert^2 + \\sum_i\\max(0, 1 - y_if(x_i))$"
    )
    return replace(
        part,
        question=question,
        writes=(written,),
        adapt=lambda student: {"Machine": lambda C: student["Machine"](1 / C)},
    )


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
        changing(squared=_without_half, Machine=_by_strength),
        changing(program=_as_maximum, offsets=_subtracted),
        changing(plane=_between_levels),
        changing(offsets=_from_signed_products),
    ),
    intro=r"You need NumPy and lecture 9, nothing else. Mind the convention of this homework: labels come "
    r"as 0 and 1; a formula with $y_i = \pm1$ needs twice the label minus 1. Five questions ask for a "
    r"formula or a problem, written as code; the last asks for a method. Formulas are compared up to "
    r"rounding (float64), your program to the accuracy of our solver, and your machine to the accuracy that "
    r"its question states.",
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
                    Value("f", (), meaning="value of the dual function"),
                    "Return the dual function at balanced multipliers.",
                ),
            ),
            claims=(squared_is_the_least_lagrangian,),
        ),
        Part(
            name="program",
            points=4,
            question=r"**Derive.** Solvers want a standard form. Write the dual (5.5) of the soft margin as "
            r"$\min\frac12a^\top Pa + q^\top a$ subject to $Ga \le h$ and $Aa = b$. We hand your six arrays "
            r"to the solver of lecture 8. Mind the signs: (5.5) is a maximum.",
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
            claims=(claims.recover,),
            adapt=_interval,
        ),
        Part(
            name="Machine",
            points=4,
            question="**Build a machine.** Minimise (5.1) on up to 30 rows, by whatever method you like: the "
            "pairs of section 6.4, an active set, descent. We look at the objective of your plane only, with "
            "the best slacks: it must be at most $1 + 10^{-4}$ times its least value. Stop where a gap (5.7) "
            "proves that.",
            writes=(
                Class(
                    "Machine",
                    {"C": _C},
                    (
                        Function(
                            "fit",
                            {"X": _X, "labels": _LABELS},
                            None,
                            "Fit the soft-margin machine; both classes are present.",
                        ),
                        Function("normal", {}, Value("f", ("d",), meaning="w"), "Return the normal vector."),
                        Function("offset", {}, Value("f", (), meaning="b"), "Return the offset."),
                    ),
                    "A linear support vector machine.",
                ),
            ),
            claims=(machine_is_nearly_optimal,),
        ),
    ),
)
