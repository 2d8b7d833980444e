"""Duality: hand cases, an oracle that tries every active set, certificates, counterexamples, limits."""

import itertools
import math
import pickle
import warnings
from fractions import Fraction as F
from types import SimpleNamespace

import numpy as np
import pytest

from mlnotes import claims, mistakes
from mlnotes.datasets.programs import textbook_programs
from mlnotes.duality import dual_on_points, is_slater_point, kkt_residuals
from mlnotes.estimators.base import ConvergenceWarning
from mlnotes.estimators.duality import InfeasibleError, QuadraticProgram, UnboundedError, solve_qp

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


# --- exact hand cases


def test_hand_parabola():
    program = QuadraticProgram([[2.0]], [0.0], G=[[-1.0]], h=[-1.0])
    for lam in (F(0), F(1), F(2), F(7, 2)):
        assert program.dual_function([float(lam)]) == float(lam - lam**2 / 4)
        assert program.lagrangian_minimizer([float(lam)]).tolist() == [float(lam / 2)]
    solution = solve_qp(program)
    np.testing.assert_allclose([*solution.x, *solution.lam, solution.primal], [1, 2, 1], rtol=1e-12)


def test_hand_equation_and_bound():
    # min x^2 + y^2, x + y = 1, x <= 1/4: (1/4, 3/4), and 2x + lam + nu = 2y + nu = 0
    program = QuadraticProgram(2 * np.eye(2), [0, 0], [[1, 0]], [0.25], [[1, 1]], [1])
    solution = solve_qp(program)
    np.testing.assert_allclose(solution.x, [0.25, 0.75], rtol=1e-12)
    np.testing.assert_allclose([*solution.lam, *solution.nu], [1, -1.5], rtol=1e-11)
    assert program.kkt([0.25, 0.75], [1], [-1.5]) == (0, 0, 0, 0, 0)
    assert program.dual_function([1], [-1.5]) == program.objective([0.25, 0.75]) == 0.625


def test_hand_residuals_one_by_one():
    # min x + y, x^2 <= 1, y >= 2, x - y = 0, judged at (3, 2)
    def report(lam, nu):
        return kkt_residuals(
            [1, 1], [8, 0], [[6, 0], [0, -1]], lam, equations=[1], equation_jacobian=[[1, -1]], nu=nu
        )

    assert report([-0.5, 2], [3])._asdict() == {
        "stationarity": 4.0, "inequality": 8.0, "equality": 1.0, "multiplier": 0.5, "complementarity": 4.0,
    }  # fmt: skip
    assert max(report([0, 0], [0])) == 8.0


def test_slater_points():
    assert is_slater_point([0.0, -1.0], [True, False])
    assert not is_slater_point([-1.0, 0.0], [True, False])
    assert not is_slater_point([1e-300], [True])
    assert is_slater_point([-1e-300], [False])


def test_dual_on_points_is_exact():
    f, g = [F(1, 3), F(5, 7)], [[F(1)], [F(-1, 2)]]
    assert dual_on_points(f, g, [F(1, 3)]) == min(F(2, 3), F(5, 7) - F(1, 6))
    assert dual_on_points([3, 1], [[-1, 0], [2, 1]], [[0, 0], [1, 5]]).tolist() == [1, 2]


# --- the slow way: every active set


def best_of_all_active_sets(program):
    """Return the smallest value over all feasible solutions of the KKT equations of an active set."""
    P, q, G, h, A, b = program.P, program.q, program.G, program.h, program.A, program.b
    n, best = len(q), math.inf
    for size in range(min(n - len(b), len(h)) + 1):
        for active in itertools.combinations(range(len(h)), size):
            M = np.vstack([A, G[list(active)]])
            K = np.block([[P, M.T], [M, np.zeros((len(M), len(M)))]])
            right = np.concatenate([-q, b, h[list(active)]])
            if np.linalg.matrix_rank(K) < len(K):
                continue
            x = np.linalg.solve(K, right)[:n]
            if (G @ x <= h + 1e-9).all():
                best = min(best, program.objective(x))
    return best


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rank", [3, 1, 0])
def test_value_against_all_active_sets(seed, rank):
    program = draw(np.random.default_rng(seed), n=3, m=3, rank=rank)
    solution = solve_qp(program)
    assert solution.primal == pytest.approx(best_of_all_active_sets(program), rel=1e-8, abs=1e-9)


# --- the solution proves itself


@pytest.mark.parametrize("seed", range(25))
def test_gap_and_residuals(seed):
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
def test_dual_of_a_support_vector_machine(C):
    program = svm_dual(np.random.default_rng(3), 60, C)
    solution = solve_qp(program)
    assert solution.relative_gap <= 1e-10
    assert (abs(solution.x - C / 2) <= C / 2 * (1 + 1e-12)).all()


def test_a_tighter_tolerance_is_kept():
    assert solve_qp(draw(np.random.default_rng(0)), tol=1e-13).relative_gap <= 1e-13


@pytest.mark.parametrize("seed", range(5))
def test_the_dual_program_has_the_same_value_and_gives_x_back(seed):
    program = draw(np.random.default_rng(seed))
    primal, dual = solve_qp(program), solve_qp(program.dual_program())
    constant = 0.5 * program.q @ np.linalg.solve(program.P, program.q)
    assert -dual.primal - constant == pytest.approx(primal.primal, rel=1e-8)
    lam, nu = np.maximum(dual.x[: len(program.h)], 0), dual.x[len(program.h) :]
    np.testing.assert_allclose(program.lagrangian_minimizer(lam, nu), primal.x, atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_weak_duality_and_concavity(seed):
    rng = np.random.default_rng(seed)
    program = draw(rng)
    value = solve_qp(program).primal
    lam, nu = rng.exponential(size=(2, len(program.h))), rng.normal(size=(2, 1))
    ends = [program.dual_function(a, c) for a, c in zip(lam, nu, strict=True)]
    assert max(ends) <= value + 1e-9
    assert program.dual_function(lam.mean(axis=0), nu.mean(axis=0)) >= sum(ends) / 2 - 1e-9
    x = program.lagrangian_minimizer(lam[0], nu[0])
    for move in rng.normal(size=(20, 4)):
        assert program.lagrangian(x + move, lam[0], nu[0]) >= ends[0] - 1e-9


def test_lagrangian_gradient_by_differences():
    rng = np.random.default_rng(0)
    program, h = draw(rng), 2.0**-10
    x, lam, nu = rng.normal(size=4), rng.exponential(size=len(program.h)), rng.normal(size=1)
    slope = program.P @ x + program.q + program.G.T @ lam + program.A.T @ nu
    for j, e in enumerate(np.eye(4)):  # exact for a quadratic, up to rounding
        difference = program.lagrangian(x + h * e, lam, nu) - program.lagrangian(x - h * e, lam, nu)
        assert difference / (2 * h) == pytest.approx(slope[j], abs=1e-9)
    for i, g in enumerate(program.G @ x - program.h):
        more = lam + np.eye(len(lam))[i]
        assert program.lagrangian(x, more, nu) - program.lagrangian(x, lam, nu) == pytest.approx(g, abs=1e-9)


# --- invariances


def test_units_and_order_change_nothing():
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


def test_the_program_keeps_its_arguments():
    P, q = np.eye(2), np.ones(2)
    solve_qp(QuadraticProgram(P, q, [[1, 0]], [-3]))
    assert (P.tolist(), q.tolist()) == ([[1, 0], [0, 1]], [1, 1])


# --- programs without a solution


@pytest.mark.parametrize(
    ("arrays", "proof"),
    [(([[1.0]], [0.0], [[0.0]], [-1.0]), ("lam", "nu")), (([[0.0]], [1.0]), ("direction", "point"))],
)
def test_refusals_come_back_from_another_process(arrays, proof):
    with pytest.raises(ValueError, match=r"no x satisfies|no lower bound") as caught:
        solve_qp(QuadraticProgram(*arrays))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (type(caught.value), str(caught.value))
    for name in proof:
        np.testing.assert_array_equal(getattr(again, name), getattr(caught.value, name))


def test_infeasible_inequalities_are_proved():
    with pytest.raises(InfeasibleError, match=r"`nu` of this error add them up to 0 < 0$") as caught:
        solve_qp(QuadraticProgram(np.eye(2), [0, 0], [[1, 0], [-1, 0]], [-1, -1]))
    np.testing.assert_allclose(caught.value.lam, [0.5, 0.5], atol=1e-8)


def test_infeasible_equations_are_proved():
    A, b = np.array([[1.0, 1], [2, 2]]), np.array([1.0, 3])
    with pytest.raises(InfeasibleError) as caught:
        solve_qp(QuadraticProgram(np.eye(2), [0, 0], A=A, b=b))
    assert abs(A.T @ caught.value.nu).max() <= 1e-9
    assert b @ caught.value.nu == pytest.approx(-1)


@pytest.mark.parametrize(
    "program",
    [
        QuadraticProgram(np.zeros((2, 2)), [1, 0], [[0, 1]], [1]),
        QuadraticProgram(np.diag([1.0, 0]), [0, -1], [[-1, 0]], [-3]),
        QuadraticProgram(np.zeros((1, 1)), [1]),
    ],
)
def test_unbounded_programs_are_proved(program):
    with pytest.raises(
        UnboundedError, match=r"falls for ever along the `direction` of this error\.$"
    ) as caught:
        solve_qp(program)
    way = caught.value.direction
    assert program.q @ way == pytest.approx(-1)
    assert max(abs(program.P @ way).max(), (program.G @ way).max(initial=0)) <= 1e-9


# --- degenerate but legal


def test_no_constraint_at_all():
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


def test_an_optimal_value_of_zero():
    solution = solve_qp(QuadraticProgram(np.eye(2), [0, 0], [[1, 0]], [3]))
    np.testing.assert_allclose(solution.x, 0, atol=1e-12)
    assert solution.converged


def test_the_dual_function_is_minus_infinity_off_the_range():
    program = QuadraticProgram(np.diag([1.0, 0]), [0, 1], [[0, -1]], [0])
    assert program.dual_function([0]) == -math.inf
    assert program.lagrangian_minimizer([0]) is None
    assert program.dual_function([1]) == 0


def test_too_few_iterations_warn_and_the_numbers_are_those_of_the_point():
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
def test_textbook_facts(name):
    program, (x, lam, slater, affine) = PROGRAMS[name], FACTS[name]
    if x:
        assert program.objective(np.array([x])) == program.primal_value
        assert (program.constraints(np.array([x])) <= 0).all()
    if lam:
        assert program.dual(np.array(lam)) == program.dual_value
    if slater:
        assert is_slater_point(program.constraints(np.array([slater]))[0], affine)
    assert program.dual_value <= program.primal_value


GRID = np.concatenate([-np.logspace(8, -8, 400), [0.0], np.logspace(-8, 8, 400)])


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "duffin"])
@pytest.mark.parametrize("scale", [0.0, 0.25, 1.0, 2.0])
def test_textbook_duals_against_a_grid(name, scale):
    program = PROGRAMS[name]
    lam = scale * np.arange(1, len(FACTS[name][3]) + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # exp overflows far to the left
        lowest = program.lagrangian(GRID[:, None], lam).min()
    dual = program.dual(lam)
    assert lowest >= dual
    assert lowest <= dual + 1e-2 if math.isfinite(dual) else lowest < -1e6


def test_duffins_dual_is_zero_for_every_multiplier():
    # x1 = t^2, x2 = t: the constraint is t^2 (sqrt(1 + t^-2) - 1), about 1/2; x1 = t^4 sends it to zero
    t = np.array([4.0, 8.0, 16.0])
    for lam in (0.0, 1.0, 10.0):
        values = PROGRAMS["duffin"].lagrangian(np.column_stack([t**4, t]), [lam])
        assert (values > 0).all()
        assert values[-1] <= (1 + lam) / 100


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
        (lambda: GOOD.lagrangian([1, 1], [-1], [0]), r"^lam must have entries >= 0, got -1\.0; only nu"),
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
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


# --- the claims

STATEMENTS = (
    "problem", "lagrangian", "why-minimax", "function", "primal-objective", "weak", "strong",
    "solve-via-dual", "slater", "often", "kkt", "recipe",
    *(f"erratum-{name}" for name in ("y18", "y19", "y20", "s1", "s2", "s3", "s4", "s5")),
)  # fmt: skip


def test_every_statement_of_the_notes_and_every_erratum_is_a_claim():
    ids = {claim.id for claim in claims.of("duality")}
    assert {f"duality.{name}" for name in STATEMENTS} - ids == set()


# --- the claims hold for every solver of the accuracy that they ask for


def early(program, **options):
    """Solve, then leave the optimum as far as the claims' accuracy permits."""
    found = solve_qp(program, **options)
    arrays = [getattr(program, name) for name in "PqGhAb"]
    rng = np.random.default_rng(len(found.lam))
    way = [rng.standard_normal(len(v)) for v in (found.x, found.lam, found.nu)]

    def at(t):
        x, lam, nu = (v + t * dv for v, dv in zip((found.x, found.lam, found.nu), way, strict=True))
        return SimpleNamespace(x=x, lam=lam, nu=nu)

    low, high = 0.0, 1.0
    sizes = found.x, found.lam, found.nu
    for _ in range(60):
        t = (low + high) / 2
        holds = all(evidence.holds for evidence in claims.duality._proves(at(t), arrays, "", sizes))
        low, high = (t, high) if holds else (low, t)
    assert low > 0
    return at(0.1 * low)  # of many optima, that of the claim may be ten times smaller


SOLVED = ("strong", "solve-via-dual", "interior-point", "erratum-y19")


@pytest.mark.parametrize("name", SOLVED)
def test_a_solver_that_ends_at_the_stated_accuracy_passes(name):
    claim = claims.find(f"duality.{name}")
    candidate = mistakes.library("duality") | {"solve_qp": early}
    for seed in range(20 if claim.random else 1):
        verdict = claim.verify(seed=seed, candidate=candidate)
        assert verdict.holds, verdict
