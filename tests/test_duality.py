"""Quadratic programs on data: certificates, units, programs without a solution, messages."""

import math
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

from mlnotes import claims, mistakes
from mlnotes.duality import is_slater_point
from mlnotes.estimators.base import ConvergenceWarning
from mlnotes.estimators.duality import InfeasibleError, QuadraticProgram, UnboundedError, solve_qp
from mlnotes.programs import textbook_programs

PROGRAMS = textbook_programs()
# a minimiser, a maximiser of the dual function, a Slater point, and which constraints are affine
FACTS = {
    "parabola": ([1.0], [2.0], [2.0], [True]),
    "pinned": ([1.0], [0.0, 2.0], [1.0], [True, True]),
    "unattained": (None, [0.0], [1.0], [True]),
    "interior": ([0.0], None, None, [False]),
    "cubic": ([0.0], None, [1.0], [False]),
    "duffin": ([0.0, 0.0], [0.0], None, [False]),
}


def draw(rng, n=4, m=5, p=1, rank=None):
    """A program with a feasible point, bounded by a box of width 10 around it."""
    B = rng.normal(size=(n, n if rank is None else rank))
    x0, G, A = rng.normal(size=n), rng.normal(size=(m, n)), rng.normal(size=(p, n))
    slack = rng.exponential(size=m) * (rng.random(m) < 0.7)
    box, sides = np.vstack([np.eye(n), -np.eye(n)]), np.concatenate([x0 + 5, 5 - x0])
    G, h = np.vstack([G, box]), np.concatenate([G @ x0 + slack, sides])
    return QuadraticProgram(B @ B.T, rng.normal(size=n), G, h, A, A @ x0)


def svm_dual(rng, n, C):
    X = rng.normal(size=(n, 3))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    Z, box = X * y[:, None], np.vstack([np.eye(n), -np.eye(n)])
    return QuadraticProgram(Z @ Z.T, -np.ones(n), box, np.repeat([C, 0.0], n), [y], [0.0])


# --- the solution proves itself


@pytest.mark.parametrize("seed", range(25))
def test_gap_and_residuals_are_small(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    program = draw(
        rng, n, int(rng.integers(0, 15)), int(rng.integers(0, n)), rank=int(rng.integers(0, n + 1))
    )
    solution = solve_qp(program)
    assert solution.converged
    assert solution.relative_gap <= 1e-10
    assert solution.kkt == program.kkt(solution.x, solution.lam, solution.nu)
    assert max(solution.kkt) <= 1e-8
    assert solution.gap == solution.primal - solution.dual
    assert len(solution.history) == solution.iterations + 1 <= 40


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3, 1e6])
def test_solves_the_dual_of_a_support_vector_machine(C):
    program = svm_dual(np.random.default_rng(3), 60, C)
    solution = solve_qp(program)
    assert solution.relative_gap <= 1e-10
    assert (abs(solution.x - C / 2) <= C / 2 * (1 + 1e-12)).all()


def test_reaches_a_tighter_tolerance():
    assert solve_qp(draw(np.random.default_rng(0)), tol=1e-13).relative_gap <= 1e-13


# --- invariances


def test_units_and_order_do_not_matter():
    rng = np.random.default_rng(1)
    program = draw(rng)
    reference = solve_qp(program)
    D, r = np.diag(10.0 ** rng.integers(-3, 4, 4)), 10.0 ** rng.integers(-3, 4, len(program.h))
    order = rng.permutation(len(program.h))
    scaled = QuadraticProgram(
        7 * D @ program.P @ D,
        7 * D @ program.q,
        (r[:, None] * program.G @ D)[order],
        (r * program.h)[order],
        program.A @ D,
        program.b,
    )
    solution = solve_qp(scaled)
    np.testing.assert_allclose(D @ solution.x, reference.x, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose((solution.lam * r[order])[np.argsort(order)] / 7, reference.lam, atol=1e-7)


def test_leaves_its_arguments_unchanged():
    P, q = np.eye(2), np.ones(2)
    solve_qp(QuadraticProgram(P, q, [[1, 0]], [-3]))
    assert (P.tolist(), q.tolist()) == ([[1, 0], [0, 1]], [1, 1])


# --- programs without a solution


@pytest.mark.parametrize(
    ("arrays", "proof"),
    [(([[1.0]], [0.0], [[0.0]], [-1.0]), ("lam", "nu")), (([[0.0]], [1.0]), ("direction", "point"))],
)
def test_errors_can_be_pickled(arrays, proof):
    with pytest.raises(ValueError, match=r"infeasible|unbounded") as caught:
        solve_qp(QuadraticProgram(*arrays))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (type(caught.value), str(caught.value))
    for name in proof:
        np.testing.assert_array_equal(getattr(again, name), getattr(caught.value, name))


def test_infeasible_program_has_a_farkas_certificate():
    with pytest.raises(InfeasibleError, match=r"combine the constraints into 0 < 0 \(Farkas\)$") as caught:
        solve_qp(QuadraticProgram(np.eye(2), [0, 0], [[1, 0], [-1, 0]], [-1, -1]))
    np.testing.assert_allclose(caught.value.lam, [0.5, 0.5], atol=1e-8)


@pytest.mark.parametrize(
    "program",
    [
        QuadraticProgram(np.zeros((2, 2)), [1, 0], [[0, 1]], [1]),
        QuadraticProgram(np.diag([1.0, 0]), [0, -1], [[-1, 0]], [-3]),
        QuadraticProgram(np.zeros((1, 1)), [1]),
    ],
)
def test_unbounded_program_has_a_direction(program):
    with pytest.raises(
        UnboundedError, match=r"no lower bound along the `direction` of this error$"
    ) as caught:
        solve_qp(program)
    way = caught.value.direction
    assert program.q @ way == pytest.approx(-1)
    assert max(abs(program.P @ way).max(), (program.G @ way).max(initial=0)) <= 1e-9


# --- degenerate but legal


def test_program_without_constraints():
    solution = solve_qp(QuadraticProgram([[2.0]], [4.0]))
    np.testing.assert_allclose(solution.x, -2, rtol=1e-15)
    assert solution.lam.shape == solution.nu.shape == (0,)


def test_repeated_and_redundant_constraints():
    G, A = [[-1, 0], [-1, 0], [-2, 0], [0, 0]], [[1, 1], [1, 1], [3, 3]]
    solution = solve_qp(QuadraticProgram(np.eye(2), [0, 0], G, [-2, -2, -4, 0], A, [1, 1, 3]))
    np.testing.assert_allclose(solution.x, [2, -1], rtol=1e-9)


def test_linear_program_with_many_solutions():
    solution = solve_qp(QuadraticProgram(np.zeros((2, 2)), [1, 1], -np.eye(2), [0, 0], [[1, 1]], [1]))
    assert solution.primal == pytest.approx(1)
    assert solution.x.min() >= 0


def test_warns_about_too_few_iterations():
    program = draw(np.random.default_rng(0))
    with pytest.warns(
        ConvergenceWarning, match=r"^solve_qp stopped after 2 iterations with the relative error"
    ):
        solution = solve_qp(program, max_iter=2)
    assert not solution.converged
    assert max(solution.kkt) > 1e-3
    assert solution.primal == pytest.approx(program.objective(solution.x), rel=1e-12)


# --- the programs of the lecture


@pytest.mark.parametrize("name", PROGRAMS)
def test_textbook_programs(name):
    program, (x, lam, slater, affine) = PROGRAMS[name], FACTS[name]
    if x:
        assert program.objective(np.array([x])) == program.primal_value
        assert (program.constraints(np.array([x])) <= 0).all()
    if lam:
        assert program.dual(np.array(lam)) == program.dual_value
    if slater:
        assert is_slater_point(program.constraints(np.array([slater]))[0], affine)
    assert program.dual_value <= program.primal_value


# --- refusals


def qp(**changes):
    return lambda: QuadraticProgram(**({"P": np.eye(2), "q": [0, 0]} | changes))


GOOD = QuadraticProgram(np.eye(2), [0, 0], [[1, 0]], [1], [[0, 1]], [2])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (qp(q=[]), r"^q must be a 1-D array of shape \(n,\), got shape \(0,\)\.$"),
        (qp(q=[0, math.nan]), r"^q contains NaN at index \(1,\); every entry must be finite\.$"),
        (qp(P=[["a"]]), r"^P has dtype <U1 with text or dates; numbers are needed\.$"),
        (qp(P=np.eye(3)), r"^P must have shape \(2, 2\), as q has 2 entries, got shape \(3, 3\)\.$"),
        (qp(P=[[1, 1], [0, 1]]), r"^P must be symmetric; its entries differ by 1\.$"),
        (qp(P=-np.eye(2)), r"^P must be positive semi-definite .* has the eigenvalue -1\.$"),
        (qp(G=[[1, 2, 3]], h=[1]), r"^G must have 2 columns, one a variable, got shape \(1, 3\)\.$"),
        (qp(G=[[1, 2]], h=[1, 2]), r"^h has 2 rows or entries, but G 1\.$"),
        (qp(G=[[1, 2]]), r"^h has 0 rows or entries, but G 1\.$"),
        (qp(A=[[1, 2]], b=[1, 2]), r"^b has 2 rows or entries, but A 1\.$"),
        (qp(A=[[1, math.inf]], b=[1]), r"^A contains infinity or a value too large for float64 \(inf\)"),
        (lambda: GOOD.objective([1]), r"^x must be a 1-D array of shape \(2,\), got shape \(1,\)\.$"),
        (lambda: GOOD.lagrangian([1, 1], [-1], [0]), r"^lam must be >= 0, got \[-1\.\]; only nu"),
        (lambda: GOOD.dual_function([1, 1], [0]), r"^lam has 2 rows or entries, but h 1\.$"),
        (lambda: GOOD.dual_function([1]), r"^nu has 0 rows or entries, but b 1\.$"),
        (lambda: GOOD.kkt([1, 1], [1, 2], [0]), r"^lam has 2 rows or entries, but h 1\.$"),
        (lambda: qp(P=np.diag([1, 0]), G=[[1, 0]], h=[0])().dual_program(), r"it has rank 1 of 2\.$"),
        (lambda: QuadraticProgram([[1]], [0]).dual_program(), r"^the program has no constraint"),
        (lambda: solve_qp("program"), r"^program must be a QuadraticProgram, got str\.$"),
        (lambda: solve_qp(GOOD, tol=0), r"^tol must be a finite number > 0, got 0\.$"),
        (lambda: solve_qp(GOOD, max_iter=0), r"^max_iter must be an integer >= 1, got 0\.$"),
    ],
)  # fmt: skip
def test_refuses(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


# --- the claims hold for every solver of the accuracy that they ask for


def early(program, **options):
    """Solve, then leave the optimum as far as the claims' accuracy permits."""
    found = solve_qp(program, **options)
    arrays = [getattr(program, name) for name in "PqGhAb"]
    rng = np.random.default_rng(len(found.lam))
    way = [rng.standard_normal(len(v)) for v in (found.x, found.lam, found.nu)]

    def at(t):
        x, lam, nu = (v + t * dv for v, dv in zip((found.x, found.lam, found.nu), way, strict=True))
        primal, dual = program.objective(x), -0.5 * x @ program.P @ x - lam @ program.h - nu @ program.b
        return SimpleNamespace(x=x, lam=lam, nu=nu, primal=primal, dual=dual, gap=primal - dual)

    low, high = 0.0, 1.0
    sizes = found.x, found.lam, found.nu
    for _ in range(60):
        t = (low + high) / 2
        holds = all(evidence.holds for evidence in claims.duality._proves(at(t), arrays, "", sizes))
        low, high = (t, high) if holds else (low, t)
    assert low > 0
    return at(0.1 * low)  # of many optima, that of the claim may be ten times smaller


SOLVED = ("strong", "solve-via-dual", "erratum-y19")


@pytest.mark.parametrize("name", SOLVED)
def test_claims_hold_for_a_solver_of_the_stated_accuracy(name):
    claim = claims.find(f"duality.{name}")
    candidate = mistakes.library("duality") | {"solve_qp": early}
    for seed in range(20 if claim.random else 1):
        verdict = claim.verify(seed=seed, candidate=candidate)
        assert verdict.holds, verdict
