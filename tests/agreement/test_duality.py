"""Quadratic programs in small integers against exact verdicts in fractions.

Constraints repeat, are multiples and sums of each other, and contradict; P has any rank. Either the solution
has the smallest value, to 1e-9, with residuals that are measured on the data; or the error has a proof.
"""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mlnotes import duality as reference
from mlnotes.engines import linear_algebra
from mlnotes.estimators import duality
from mlnotes.estimators.base import ConvergenceWarning
from mlnotes.programs import textbook_programs

PROGRAMS = 600  # of 10,000 tried once: 4,579 are infeasible, 1,139 unbounded
CLOSE = 1e-9  # programs in integers below 100 have residuals of a few ulps of 1e3


def many(n):
    return settings(derandomize=True, deadline=None, max_examples=n, phases=[Phase.generate])


# --- the truth, in fractions


def eliminated(M, r):
    """Return a solution of M v = r with its free entries at 0, or None, and the columns of the others."""
    rows = [[Fraction(int(v)) if not isinstance(v, Fraction) else v for v in (*row, t)]
            for row, t in zip(M, r, strict=True)]  # fmt: skip
    n, pivots = len(M[0]) if len(M) else 0, []
    for j in range(n):
        k = len(pivots)
        i = next((i for i in range(k, len(rows)) if rows[i][j]), None)
        if i is None:
            continue
        rows[k], rows[i] = rows[i], rows[k]
        rows[k] = [v / rows[k][j] for v in rows[k]]
        for i in range(len(rows)):
            if i != k and rows[i][j]:
                rows[i] = [a - rows[i][j] * b for a, b in zip(rows[i], rows[k], strict=True)]
        pivots.append(j)
    if any(row[-1] for row in rows[len(pivots) :]):
        return None, pivots
    v = [Fraction(0)] * n
    for row, j in zip(rows, pivots, strict=False):
        v[j] = row[-1]
    return v, pivots


def independent(M):
    """Return the numbers of the first rows that span all."""
    return eliminated(list(zip(*M, strict=True)), [0] * len(M[0]))[1] if len(M) else []


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def stationary(P, q, M, r):
    """Return x and the multipliers with Px + q + M'force = 0 and Mx = r, or None and None."""
    n, k = len(q), len(M)
    K = [[*P[i], *(row[i] for row in M)] for i in range(n)] + [[*row, *[0] * k] for row in M]
    v, _ = eliminated(K, [*(-t for t in q), *r])
    return (None, None) if v is None else (v[:n], v[n:])


def verdict(P, q, G, h, A, b):
    """Return "infeasible", "unbounded" or "optimal", and the smallest value.

    A polyhedron has a point iff it has one closest to 0, which is stationary for some independent rows. The
    multipliers of an optimum can be chosen on independent rows, and every such dual value is a lower bound.
    """
    P, q, G, h, A, b = (a.tolist() for a in (P, q, G, h, A, b))
    if A and eliminated(A, b)[0] is None:
        return "infeasible", None
    A, b = ([given[i] for i in independent(A)] for given in (A, b))
    unit = np.eye(len(q), dtype=int).tolist()
    faces = [
        ([*A, *(G[i] for i in some)], [*b, *(h[i] for i in some)])
        for size in range(len(q) - len(A) + 1)
        for some in itertools.combinations(range(len(G)), size)
    ]
    faces = [(M, r) for M, r in faces if len(independent(M)) == len(M)]
    nearest = (stationary(unit, [0] * len(q), M, r)[0] for M, r in faces)
    if not any(all(dot(g, x) <= t for g, t in zip(G, h, strict=True)) for x in nearest):
        return "infeasible", None
    values = []
    for M, r in faces:
        x, force = stationary(P, q, M, r)
        if x is not None and all(v >= 0 for v in force[len(A) :]):
            values.append(dot(x, [dot(row, x) for row in P]) / 2 + dot(q, x))
    return ("optimal", float(max(values))) if values else ("unbounded", None)


# --- programs


@st.composite
def programs(draw):
    """Return P, q, G, h, A, b in integers, for up to three variables; most have a point."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, m, p = rng.integers(1, 4), rng.integers(0, 5), rng.integers(0, 3)
    B = rng.integers(-2, 3, (n, rng.integers(0, n + 1)))
    q = rng.integers(-4, 5, n) * int(rng.random() < 0.8)
    x0, G, A = rng.integers(-3, 4, n), rng.integers(-2, 3, (m, n)), rng.integers(-2, 3, (p, n))
    h, b = G @ x0 + rng.integers(0, 3, m), A @ x0
    if rng.random() < 0.4:
        h, b = rng.integers(-4, 5, m), rng.integers(-3, 4, p)
    return B @ B.T, q, *more(rng, G, h, signs=(1,)), *more(rng, A, b, signs=(-1, 1))


def more(rng, M, r, signs):
    """Append rows: multiples, copies that differ by 1, opposite ones, sums of two; and shuffle."""
    for _ in range(rng.integers(0, 4) if len(M) else 0):
        i, j, kind, factor = (
            *rng.integers(0, len(M), 2),
            rng.integers(4),
            rng.integers(1, 4) * rng.choice(signs),
        )
        row, right = [
            (factor * M[i], factor * r[i]),
            (M[i], r[i] + rng.integers(-1, 2)),
            (-M[i], rng.integers(-1, 2) - r[i]),
            (M[i] + abs(factor) * M[j], r[i] + abs(factor) * r[j]),
        ][kind]
        M, r = np.vstack([M, row]), np.append(r, right)
    order = rng.permutation(len(M))
    return M[order], r[order]


def solved(side, arrays):
    """Return "optimal" and the solution, or what is refused and the error."""
    errors = {getattr(side, name, None): name for name in ("InfeasibleError", "UnboundedError")}
    try:
        return "optimal", side.solve_qp(side.QuadraticProgram(*(a.astype(float) for a in arrays)))
    except ValueError as error:
        return {"InfeasibleError": "infeasible", "UnboundedError": "unbounded"}.get(
            errors.get(type(error))
        ), error


def violation(arrays, x):
    """Return by how much a point violates the constraints, at most."""
    _, _, G, h, A, b = arrays
    return max(np.max(G @ x - h, initial=0), np.max(abs(A @ x - b), initial=0))


def assert_farkas_certificate(arrays, lam, nu, slack):
    _, _, G, h, A, b = arrays
    contradiction = -(h @ lam + b @ nu)
    assert contradiction > 0
    assert np.min(lam, initial=0) >= 0
    assert abs(G.T @ lam + A.T @ nu).max() <= slack * contradiction


@many(PROGRAMS)
@given(programs())
def test_estimator_gives_the_exact_verdict_with_a_proof(arrays):
    P, q, G, h, A, b = arrays
    truth, value = verdict(*arrays)
    found, outcome = solved(duality, arrays)
    assert found == truth
    if truth == "optimal":
        x, lam, nu, kkt = outcome.x, outcome.lam, outcome.nu, outcome.kkt
        assert outcome.converged
        assert [outcome.primal, outcome.dual] == pytest.approx([value, value], rel=CLOSE, abs=CLOSE)
        assert outcome.gap >= 0
        assert np.min(lam, initial=0) >= 0
        # two ways to add at most six terms differ by 6 ulps of their absolute sum (Higham, (3.5))
        size = max(1, abs(x).max(), lam.max(initial=1), abs(nu).max(initial=1))
        terms = sum(abs(a).sum() for a in arrays)
        ulps = 6 * 2.0**-52 * terms * size
        assert violation(arrays, x) == pytest.approx(max(kkt.inequality, kkt.equality), abs=ulps)
        assert violation(arrays, x) <= CLOSE
        slope = abs(P @ x + q + G.T @ lam + A.T @ nu).max()
        assert slope == pytest.approx(kkt.stationarity, abs=ulps)
        assert slope <= CLOSE
        assert outcome.gap == outcome.primal - outcome.dual
        assert outcome.primal == pytest.approx(0.5 * x @ P @ x + q @ x, abs=size * ulps)
        assert outcome.dual <= -0.5 * x @ P @ x - h @ lam - b @ nu + size * ulps
    elif truth == "infeasible":
        assert_farkas_certificate(arrays, outcome.lam, outcome.nu, CLOSE)
        assert h @ outcome.lam + b @ outcome.nu == pytest.approx(-1, abs=CLOSE)
    else:
        way = outcome.direction
        assert violation(arrays, outcome.point) <= CLOSE
        assert violation((P, q, G, 0 * h, A, 0 * b), way) <= CLOSE
        assert abs(P @ way).max() <= CLOSE
        assert q @ way == pytest.approx(-1, abs=CLOSE)


def test_number_of_steps():
    """For twelve draws of eight variables, as measured: a wrong direction still arrives, but later."""
    total = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        B, x0 = rng.standard_normal((8, 8)), rng.standard_normal(8)
        G, A = rng.standard_normal((12, 8)), rng.standard_normal((2, 8))
        P, q = (B @ B.T, rng.standard_normal(8)) if seed % 2 else (0 * B, -G.sum(axis=0))
        program = duality.QuadraticProgram(P, q, G, G @ x0 + rng.random(12), A, A @ x0)
        total += duality.solve_qp(program).iterations
    assert total <= 1.1 * 67


@many(PROGRAMS // 5)
@given(programs())
def test_reference_gives_the_exact_verdict_or_none(arrays):
    truth, value = verdict(*arrays)
    found, outcome = solved(reference, arrays)
    if found == "optimal":
        assert truth == "optimal"
        assert [outcome.primal, outcome.dual] == pytest.approx([value, value], rel=1e-6, abs=1e-6)
        assert violation(arrays, outcome.x) <= 1e-7
    elif found == "infeasible":
        assert truth == "infeasible"
        assert_farkas_certificate(arrays, outcome.lam, outcome.nu, 1e-8)
    else:
        assert str(outcome).startswith("no certified solution")
        assert truth != "optimal"


@pytest.mark.parametrize("module", [reference, duality])
@pytest.mark.parametrize(
    ("q", "slopes"), [(0.3, [-0.1, -0.1, -0.1]), (0.0, [0.1, 0.2, -0.3])], ids=["with q", "among themselves"]
)
def test_linear_terms_may_cancel_up_to_rounding(module, q, slopes):
    """L is constant along x2: its slope there is 0 in reals, 5.6e-17 in floating point."""
    G = np.array([[0.0, slope] for slope in slopes])
    assert q + np.ones(3) @ G[:, 1] != 0  # else this test would not ask
    program = module.QuadraticProgram(np.diag([1.0, 0.0]), [0.0, q], G, np.zeros(3))
    assert program.dual_function(np.ones(3)) == 0
    assert program.dual_function(np.array([1.0, 1.0, 1.0 - 1e-6])) == -np.inf  # a slope of 1e-7 and more


def test_unbounded_program_is_not_called_infeasible():
    """min -x_1, x_2 <= -1: the multiplier of the closest point is 1e-20, and so is its miss, but for x_1."""
    with pytest.raises(ValueError, match="no certified solution"):
        reference.solve_qp(
            reference.QuadraticProgram(np.zeros((2, 2)), [-1.0, 0.0], G=[[0.0, 1.0]], h=[-1.0])
        )


def test_refuses_programs_that_are_not_convex():
    half = np.array([[2.0, 1.0 + 1e-15, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 1.0]])  # asymmetric by rounding
    program = duality.QuadraticProgram(half, np.zeros(3), G=np.eye(3), h=np.ones(3))
    assert (program.P == program.P.T).all()
    for function in (program.dual_function, program.lagrangian_minimizer):
        with pytest.raises(ValueError, match="lam must be >= 0"):
            function([1.0, -1e-9, 0.0])
    for options in ({"tol": 0}, {"max_iter": 0}):
        with pytest.raises(ValueError, match="must be"):
            duality.solve_qp(program, **options)
    with pytest.raises(ValueError, match="has the eigenvalue -2"):
        duality.QuadraticProgram(np.diag([3.0, -1.0, -2.0]), np.ones(3))
    with pytest.raises(ValueError, match="P must be positive definite"):
        duality.QuadraticProgram(np.diag([1.0, 0.0]), np.ones(2), G=np.eye(2), h=np.ones(2)).dual_program()


@pytest.mark.parametrize(
    "arrays",
    [
        ([[1e300]], [1e300], [[1.0]], [-1e5]),  # the smallest value is beyond all numbers
        ([[0.0]], [1.0], [[1e-200], [-1.0]], [1e200, 1e200]),
        ([[1e-310]], [1.0]),
    ],
)
def test_refuses_numbers_that_overflow(arrays):
    with pytest.raises(ValueError, match="so large or uneven that they overflow"):
        duality.solve_qp(duality.QuadraticProgram(*arrays))


def test_reference_refuses_one_negative_multiplier():
    program = reference.QuadraticProgram([[2.0]], [0.0], G=[[1.0], [-1.0]], h=[1.0, 1.0])
    with pytest.raises(ValueError, match="lam must be >= 0"):
        program.dual_function(np.array([1.0, -1.0]))
    assert program.dual_function(np.array([1.0, 0.0])) == -1.25


def test_refuses_a_solution_of_nan(monkeypatch):
    """As in a browser, where LAPACK raises nothing."""
    monkeypatch.setattr(np.linalg, "solve", lambda A, b: np.array([1.0, np.nan]))
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        linear_algebra.solve(np.eye(2), np.ones(2))


def test_warns_after_how_many_steps_it_stopped():
    program = duality.QuadraticProgram(np.eye(2), [-1.0, -3.0], G=[[1.0, 1.0], [1.0, -2.0]], h=[1.0, 1.0])
    for most in (1, 2):
        with pytest.warns(ConvergenceWarning, match=f"stopped after {most} iterations"):
            solution = duality.solve_qp(program, max_iter=most, tol=1e-30)
        assert solution.iterations == len(solution.history) - 1 == most


@pytest.mark.parametrize("name", ["parabola", "pinned"])
@pytest.mark.parametrize("v", [(0.0, 0.0), (2.0, 0.0), (0.5, 3.0), (1.0, 4.0)])
def test_dual_functions_of_the_textbook_are_minima(name, v):
    """Of the Lagrangian, over eighths among which its minimum is."""
    program = textbook_programs()[name]
    X = np.arange(-80.0, 81.0)[:, None] / 8
    G = program.constraints(X)
    lam = np.array(v[: G.shape[1]])
    assert program.dual(lam) == (program.objective(X) + G @ lam).min()
    allowed = (G <= 0).all(axis=1)
    assert X[allowed].min() == 1
    assert program.objective(X)[allowed].min() == program.primal_value


# --- the parts of the engine, each against a few plain lines
