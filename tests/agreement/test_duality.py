"""Quadratic programs in small integers against exact verdicts in fractions: the estimators and the board.

Rows repeat, are multiples and sums of each other, and contradict; P has any rank. Either the answer has the
least value, to 1e-9, with residuals that are measured on the data; or the error proves what it says.
"""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mlnotes import duality as board
from mlnotes.datasets.programs import textbook_programs
from mlnotes.engines import duality_interior_point as interior_point
from mlnotes.engines import linear_algebra
from mlnotes.estimators import duality
from mlnotes.estimators.base import ConvergenceWarning

PROGRAMS = 600  # of 10,000 that each was asked once: 4,579 are infeasible, 1,139 unbounded
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
    """Return "infeasible", "unbounded" or "optimal", and the least value.

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


def misses(arrays, x):
    """By how much a point misses the constraints, at most."""
    _, _, G, h, A, b = arrays
    return max(np.max(G @ x - h, initial=0), np.max(abs(A @ x - b), initial=0))


def refutes(arrays, lam, nu, slack):
    """Assert that the multipliers add the constraints up to 0 <= -1, to the slack."""
    _, _, G, h, A, b = arrays
    push = -(h @ lam + b @ nu)
    assert push > 0
    assert np.min(lam, initial=0) >= 0
    assert abs(G.T @ lam + A.T @ nu).max() <= slack * push


@many(PROGRAMS)
@given(programs())
def test_an_answer_or_a_refusal_is_the_exact_one_and_proves_itself(arrays):
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
        assert misses(arrays, x) == pytest.approx(max(kkt.inequality, kkt.equality), abs=ulps)
        assert misses(arrays, x) <= CLOSE
        slope = abs(P @ x + q + G.T @ lam + A.T @ nu).max()
        assert slope == pytest.approx(kkt.stationarity, abs=ulps)
        assert slope <= CLOSE
        assert outcome.gap == outcome.primal - outcome.dual
        assert outcome.primal == pytest.approx(0.5 * x @ P @ x + q @ x, abs=size * ulps)
        assert outcome.dual <= -0.5 * x @ P @ x - h @ lam - b @ nu + size * ulps
    elif truth == "infeasible":
        refutes(arrays, outcome.lam, outcome.nu, CLOSE)
        assert h @ outcome.lam + b @ outcome.nu == pytest.approx(-1, abs=CLOSE)
    else:
        way = outcome.direction
        assert misses(arrays, outcome.point) <= CLOSE
        assert misses((P, q, G, 0 * h, A, 0 * b), way) <= CLOSE
        assert abs(P @ way).max() <= CLOSE
        assert q @ way == pytest.approx(-1, abs=CLOSE)


WAYS = {
    "SPOILT": (0.0, np.inf), "NEAR": (1e-4, np.inf), "APART": (0.0, 1.0), "PATIENCE": (5, 50),
    "SHIFT": (1e-7, 1e-9), "HINT": (1e-2, 0.3),
}  # fmt: skip


@many(PROGRAMS // 3)
@given(programs(), st.sampled_from([(name, value) for name, values in WAYS.items() for value in values]))
def test_what_only_chooses_the_way_leaves_the_answer(arrays, way):
    own, least = solved(duality, arrays)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interior_point, *way)
        found, outcome = solved(duality, arrays)
    assert found == own
    if found == "optimal":
        assert outcome.converged
        assert outcome.primal == pytest.approx(least.primal, rel=CLOSE, abs=CLOSE)


def test_the_work_of_the_interior_point():
    """Steps for twelve draws of eight variables, as measured: a wrong direction still arrives, but later."""
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
def test_the_board_finds_every_optimum_and_says_where_it_proves_nothing(arrays):
    truth, value = verdict(*arrays)
    found, outcome = solved(board, arrays)
    if found == "optimal":
        assert truth == "optimal"
        assert [outcome.primal, outcome.dual] == pytest.approx([value, value], rel=1e-6, abs=1e-6)
        assert misses(arrays, outcome.x) <= 1e-7
    elif found == "infeasible":
        assert truth == "infeasible"
        refutes(arrays, outcome.lam, outcome.nu, 1e-8)
    else:
        assert str(outcome).startswith("no answer is proved")
        assert truth != "optimal"


@pytest.mark.parametrize(("seed", "m"), [*((seed, 5) for seed in range(6)), (6, 1)])
def test_the_board_walks_by_the_whole_system_too(seed, m):
    """Mehrotra's steps for x, s, lam and nu at once, from one matrix."""
    P, q, G, h, A, b = program = drawn(seed, m=m, p=seed % 2)
    (n, p), none = (3, seed % 2), np.zeros
    x, s, lam, nu = none(n), np.ones(m), np.ones(m), none(p)

    def newton(products):
        system = np.block(
            [
                [P, none((n, m)), G.T, A.T], [G, np.eye(m), none((m, m + p))],
                [none((m, n)), np.diag(lam), np.diag(s), none((m, p))], [A, none((p, 2 * m + p))],
            ]
        )  # fmt: skip
        missing = [-(P @ x + q + G.T @ lam + A.T @ nu), h - G @ x - s, products - lam * s, b - A @ x]
        return np.split(np.linalg.solve(system, np.concatenate(missing)), np.cumsum([n, m, m]))

    def length(ds, dlam):
        falls = np.concatenate([-ds / s, -dlam / lam])
        return min(1.0, 0.99 / max(falls.max(), 1e-300))

    for ours, theirs, theirs_nu in itertools.islice(
        board.interior_point(board.QuadraticProgram(*program)), 6
    ):
        size = abs(np.concatenate([x, lam, nu])).max()
        assert ours == pytest.approx(x, abs=1e-6 * size)
        assert theirs == pytest.approx(lam, abs=1e-6 * size)
        assert theirs_nu == pytest.approx(nu, abs=1e-6 * size)
        _, ds, dlam, _ = newton(none(m))
        t = length(ds, dlam)
        move = newton(max((1 - t) ** 3, 0.1) * (s @ lam) / m - t**2 * ds * dlam)
        t = length(move[1], move[2])
        x, s, lam, nu = (v + t * dv for v, dv in zip((x, s, lam, nu), move, strict=True))


@pytest.mark.parametrize("module", [board, duality])
@pytest.mark.parametrize(
    ("q", "slopes"), [(0.3, [-0.1, -0.1, -0.1]), (0.0, [0.1, 0.2, -0.3])], ids=["with q", "among themselves"]
)
def test_forces_that_cancel_up_to_rounding_are_zero(module, q, slopes):
    """L is constant along x2: its slope there is 0 in reals, 5.6e-17 in floating point."""
    G = np.array([[0.0, slope] for slope in slopes])
    assert q + np.ones(3) @ G[:, 1] != 0  # else this test would not ask
    program = module.QuadraticProgram(np.diag([1.0, 0.0]), [0.0, q], G, np.zeros(3))
    assert program.dual_function(np.ones(3)) == 0
    assert program.dual_function(np.array([1.0, 1.0, 1.0 - 1e-6])) == -np.inf  # a slope of 1e-7 and more


@pytest.mark.parametrize("scale", [1.0, 100.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_board_stops_at_the_accuracy_that_is_asked_for(seed, scale, monkeypatch):
    """The gap is relative to 1 + |primal|, the residuals to 1 + the largest number of the program."""
    program = drawn(seed)
    program = board.QuadraticProgram(*(scale * v for v in program))
    rng = np.random.default_rng(seed)
    x, lam, nu = rng.standard_normal(3), rng.random(5), rng.standard_normal(1)
    if seed % 2:  # the gap decides, not the residuals
        x, lam, nu = 1e-3 * x, 1e-3 * lam, 1e-3 * nu
        program.q, program.h = 1e-3 * program.q, 1 + abs(program.h)
        lam[0] = 2.0
    monkeypatch.setattr(board, "interior_point", lambda program: iter([(x, lam, nu)]))
    primal = program.objective(x)
    dual = -x @ program.P @ x / 2 - program.h @ lam - program.b @ nu
    misses = [
        abs(program.P @ x + program.q + program.G.T @ lam + program.A.T @ nu).max(),
        (program.G @ x - program.h).max(), abs(program.A @ x - program.b).max(),
    ]  # fmt: skip
    size = 1 + max(abs(v).max() for v in vars(program).values())
    least = max(abs(primal - dual) / (1 + abs(primal)), max(misses) / size)
    assert board.first_proof(program, 0.999 * least) is None
    proof = board.first_proof(program, 1.001 * least)
    assert [proof.primal, proof.dual, proof.gap] == pytest.approx([primal, dual, primal - dual])


@pytest.mark.parametrize("c", [0.5, 0.75])
def test_a_residual_alone_keeps_the_board_from_stopping(c, monkeypatch):
    """Of min cx, cx >= c^2, lam = 1 + d has the slope -cd and the gap c^2 d, relative to 1 + c^2."""
    d, size = 1e-6, 1 + c
    program = board.QuadraticProgram([[0.0]], [c], G=[[-c]], h=[-c * c])
    state = np.array([c]), np.array([1 + d]), np.zeros(0)
    monkeypatch.setattr(board, "interior_point", lambda program: iter([state]))
    assert c * c / (1 + c * c) < 0.9 * c / size
    assert board.first_proof(program, 0.999 * c * d / size) is None
    assert board.first_proof(program, 1.001 * c * d / size)


def test_a_program_that_falls_for_ever_is_not_called_infeasible():
    """min -x_1, x_2 <= -1: the multiplier of the closest point is 1e-20, and so is its miss, but for x_1."""
    with pytest.raises(ValueError, match="no answer is proved"):
        board.solve_qp(board.QuadraticProgram(np.zeros((2, 2)), [-1.0, 0.0], G=[[0.0, 1.0]], h=[-1.0]))


def test_a_refutation_that_fails_is_not_refuted_in_turn(monkeypatch):
    solved, walk = [], board.interior_point
    monkeypatch.setattr(board, "interior_point", lambda program: solved.append(program) or walk(program))
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="no answer is proved"):
        board.solve_qp(board.QuadraticProgram([[1.0]], [0.0], [[1.0]], [1e200]))
    assert len(solved) == 2


def test_what_a_program_refuses():
    half = np.array([[2.0, 1.0 + 1e-15, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 1.0]])  # asymmetric by rounding
    program = duality.QuadraticProgram(half, np.zeros(3), G=np.eye(3), h=np.ones(3))
    assert (program.P == program.P.T).all()
    with pytest.raises(ValueError, match="lam must have entries >= 0"):
        program.dual_function([1.0, -1e-9, 0.0])
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
        ([[1e300]], [1e300], [[1.0]], [-1e5]),  # the least value is beyond all numbers
        ([[0.0]], [1.0], [[1e-200], [-1.0]], [1e200, 1e200]),
        ([[1e-310]], [1.0]),
    ],
)
def test_numbers_that_overflow_are_refused_in_a_sentence(arrays):
    with pytest.raises(ValueError, match="so large or uneven that they overflow"):
        duality.solve_qp(duality.QuadraticProgram(*arrays))


def test_one_negative_multiplier_is_refused_by_the_board():
    program = board.QuadraticProgram([[2.0]], [0.0], G=[[1.0], [-1.0]], h=[1.0, 1.0])
    with pytest.raises(ValueError, match=r"lam must have entries >= 0, got -1.0"):
        program.dual_function([1.0, -1.0])
    assert program.dual_function([1.0, 0.0]) == -1.25


def test_a_solver_that_only_fills_in_nan_is_refused(monkeypatch):
    """As in a browser, where LAPACK raises nothing."""
    monkeypatch.setattr(np.linalg, "solve", lambda A, b: np.array([1.0, np.nan]))
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        linear_algebra.solve(np.eye(2), np.ones(2))


def test_a_program_that_stops_says_after_how_many_steps():
    program = duality.QuadraticProgram(np.eye(2), [-1.0, -3.0], G=[[1.0, 1.0], [1.0, -2.0]], h=[1.0, 1.0])
    for most in (1, 2):
        with pytest.warns(ConvergenceWarning, match=f"stopped after {most} iterations"):
            solution = duality.solve_qp(program, max_iter=most, tol=1e-30)
        assert solution.iterations == len(solution.history) - 1 == most


@pytest.mark.parametrize("name", ["parabola", "pinned"])
@pytest.mark.parametrize("v", [(0.0, 0.0), (2.0, 0.0), (0.5, 3.0), (1.0, 4.0)])
def test_the_dual_functions_of_the_textbook_are_least_values(name, v):
    """Of the Lagrangian, over eighths among which its minimum is."""
    program = textbook_programs()[name]
    X = np.arange(-80.0, 81.0)[:, None] / 8
    G = program.constraints(X)
    lam = np.array(v[: G.shape[1]])
    assert program.dual(lam) == (program.objective(X) + G @ lam).min()
    allowed = (G <= 0).all(axis=1)
    assert X[allowed].min() == 1
    assert program.objective(X)[allowed].min() == program.primal_value


def whole_step(P, q, G, h, state, level):
    """Mehrotra's predictor and corrector, every direction from the whole system of the embedding."""
    w, z, s, tau, kappa = state.w, state.z, state.s, *np.array([[state.tau], [state.kappa]])
    n, m, none = len(w), len(z), np.zeros
    mu = (s @ z + tau @ kappa) / (m + 1)
    rest = (
        P @ w + G.T @ z + q * tau, G @ w + s - h * tau, kappa + q @ w + h @ z + w @ P @ w / tau,
    )  # fmt: skip
    system = np.block(
        [
            [P + level, G.T, none((n, m)), q[:, None], none((n, 1))],
            [G, none((m, m)), np.eye(m), -h[:, None], none((m, 1))],
            [q + 2 * P @ w / tau, h, none(m), -w @ P @ w / tau.item() ** 2, 1],
            [none((m, n)), np.diag(s), np.diag(z), none((m, 2))],
            [none((1, n + 2 * m)), kappa.item(), tau.item()],
        ]
    )

    def direction(keep, products, product):
        known = [(keep - 1) * r for r in rest] + [products - s * z, product - tau * kappa]
        return np.split(np.linalg.solve(system, np.concatenate(known)), np.cumsum([n, m, m, 1]))

    def after(move):
        ahead = np.concatenate(move[1:]) / np.concatenate([z, s, tau, kappa])
        t = min(1.0, interior_point.BACK / max(-ahead.min(), 1e-300))
        return t, [v + t * dv for v, dv in zip((w, z, s, tau, kappa), move, strict=True)]

    def mean(point):
        return (point[1] @ point[2] + point[3] @ point[4]) / (m + 1)

    first = direction(0.0, 0.0, 0.0)
    t, new = after(first)
    share, keep = (1 - t) ** 3, mean(new) / mu
    t, new = after(direction(keep, share * mu - first[1] * first[2], share * mu - first[3] * first[4]))
    why = bool(t < 0.1), bool((new[1] * new[2]).min() < interior_point.APART * mean(new))
    if any(why):
        share, keep = max(share, 0.3), max(keep, 0.3)
        t, new = after(direction(keep, share * mu, share * mu))
    size = max(new[3].item(), new[4].item())
    return [v / size for v in new], why


@pytest.mark.parametrize(("spoilt", "off"), [(0.0, 2.0**-52), (np.inf, 1e-6)])
def test_a_step_is_that_of_the_whole_system(spoilt, off, monkeypatch):
    """With one inverse, or a worse one refined; from the start, and from where the curvature misleads."""
    monkeypatch.setattr(interior_point, "SPOILT", spoilt)
    ways = set()
    for seed in range(12):
        rng = np.random.default_rng(seed)
        B, G, q = rng.standard_normal((3, 3)), rng.standard_normal((5, 3)), rng.standard_normal(3)
        if seed % 3 == 0:
            B[:, 0], G[:, 0], q[0] = 0.0, 0.0, 0.0  # level along the first variable
        program = interior_point.Arrays(
            B.T @ B, q, G, rng.random(5) - 0.2 * (seed % 2), np.zeros((0, 3)), np.zeros(0)
        )
        monkeypatch.setattr(interior_point, "ROUND", 2.0**-52)
        scaled, _ = interior_point._equilibrate(program)
        level = interior_point._level(scaled)
        monkeypatch.setattr(interior_point, "ROUND", off)
        state = interior_point._State(np.zeros(3), np.ones(5), np.ones(5), 1.0, 1.0)
        if seed % 4 == 3:
            far = np.exp(3 * rng.standard_normal((2, 5)))
            state = interior_point._State(rng.standard_normal(3), *far, 1.0, 0.01)
        for _ in range(4):
            state, why = stepped(scaled, level, state)
            ways.add(any(why))
    assert ways == {True, False}


def stepped(scaled, level, state):
    """Return the next state, the same by the whole system, and why the step goes towards the middle."""
    (w, z, s, tau, kappa), why = whole_step(scaled.P, scaled.q, scaled.G, scaled.h, state, level)
    state = interior_point._step(scaled, level, state)
    assert state.w == pytest.approx(w, rel=1e-6, abs=1e-9)
    assert state.z == pytest.approx(z, rel=1e-6)
    assert state.s == pytest.approx(s, rel=1e-6)
    assert (state.tau, state.kappa) == pytest.approx((tau.item(), kappa.item()), rel=1e-6)
    return state, why


@pytest.mark.parametrize(
    ("seed", "why"),
    [(1, (False, False)), (38, (False, False)), (94, (False, False)), (30, (False, True)),
     (158, (False, True)), (187, (False, True)), (3, (True, True))],
)  # fmt: skip
def test_a_step_from_anywhere_is_towards_the_middle_if_it_is_short_or_leaves_a_product_behind(seed, why):
    """Of seeds 38 and 94 the step has length 0.14 and 0.17; of 30, 158 and 187 few residuals are to stay."""
    rng, size = np.random.default_rng(seed), 1 + seed % 4
    scaled, _ = interior_point._equilibrate(drawn(seed, p=0))
    w, (z, s), numbers = rng.standard_normal(3), rng.standard_normal((2, 5)), rng.random(2)
    state = interior_point._State(size * w, np.exp(size * z), np.exp(size * s), *np.exp(-size * numbers))
    assert stepped(scaled, interior_point._level(scaled), state)[1] == why


def test_one_ulp_keeps_the_matrix_of_a_step_regular(monkeypatch):
    """Of its largest entry, or of 1; where it is singular in spite of it, there is no step."""
    none, seen = np.zeros((2, 2)), []

    def inverse(H):
        seen.append(H.diagonal().tolist())
        raise np.linalg.LinAlgError

    monkeypatch.setattr(np.linalg, "inv", inverse)
    for weight in (0.25, 1.0, 4.0):
        scaled = as_it_is(
            interior_point.Arrays(none, np.ones(2), np.eye(2)[:1], np.ones(1), none[:0], none[0, :0])
        )
        state = interior_point._State(np.zeros(2), np.array([weight]), np.ones(1), 1.0, 1.0)
        assert interior_point._step(scaled, none, state) is None
    ulps = [[v * 2.0**-52 for v in (1, 1, 4)], [0.25, 1.0, 4.0]]
    assert seen == [[weight + ulp, ulp] for ulp, weight in zip(*ulps, strict=True)]


def test_a_step_ends_in_numbers_whose_squares_are_divisors():
    """Close to the end a step leaves a hundredth: of tau if there is no point, of kappa if there is."""
    none, ones = np.zeros((1, 1)), np.ones(2)
    for least in (1e-149, 1e-140):
        for program, state in (
            (line(-1.0, P=1.0), interior_point._State(np.zeros(1), ones / 2, least * ones, least, 1.0)),
            (line(1.0, -1.0, P=1.0), interior_point._State(np.zeros(1), least * ones, ones, 1.0, least)),
        ):
            new = interior_point._step(as_it_is(program), none, state)
            assert (new is None) == (least < 1e-148)
            assert new is None or min(new.tau, new.kappa) == pytest.approx(least / 100, rel=0.1)
    scaled = as_it_is(line(3.0, P=1.0))
    for wrong in (np.inf, np.nan):
        state = interior_point._State(np.zeros(1), np.array([1.0, wrong]), np.ones(2), 1.0, 1.0)
        with np.errstate(all="ignore"):
            assert interior_point._step(scaled, none, state) is None


# --- the parts of the engine, each against a few plain lines


def drawn(seed, n=3, m=5, p=1, sizes=1.0):
    """Return a program of random entries, the variables in units between 1/sizes and sizes."""
    rng = np.random.default_rng(seed)
    units, heights = (sizes ** rng.uniform(-1, 1, length) for length in (n, m + p))
    B, q = rng.standard_normal((n, n)), rng.standard_normal(n)
    M, r = rng.standard_normal((m + p, n)) * heights[:, None] * units, rng.standard_normal(m + p) * heights
    return interior_point.Arrays(B.T @ B * units * units[:, None], q * units, M[:m], r[:m], M[m:], r[m:])


def without(program, *names):
    return program._replace(**{name: 0 * getattr(program, name) for name in names})


SHAPES = [
    *(drawn(seed, sizes=size) for seed in range(4) for size in (1.0, 10.0, 1e3)),
    *(without(drawn(seed, p=seed), *names)
      for seed in range(3) for names in ("P", "q", "hb", "Phb", "qhb", "Pq", "Pqhb", "GhAb")),
    without(drawn(3), "P")._replace(h=np.full(5, 2.0**-9), b=np.zeros(1)),
    *(drawn(seed, m=m, p=p, sizes=10.0) for seed, (m, p) in enumerate([(0, 0), (0, 2), (4, 0), (1, 0)])),
]  # fmt: skip


def units(program):
    """Return those of the variables, of the constraints and of the objective, from the one matrix."""
    P, q, G, h, A, b = program
    n, right, M = len(q), np.append(h, b), np.vstack([G, A])
    K, unit = np.block([[P, M.T], [M, np.zeros((len(M), len(M)))]]), np.ones(n + len(M))
    for _ in range(10):
        most = abs(K).max(axis=0)
        d = np.where(most > 0, most, 1.0) ** -0.5
        K, unit = K * d * d[:, None], unit * d
        if (abs(d - 1) < 0.1).all():
            break
    curved, pull = abs(K[:n, :n]).max(), abs(unit[:n] * q).max()
    reach = max(abs(unit[n:] * right).max(initial=0.0), pull / curved if curved else 0.0) or 1.0
    return reach * unit[:n], unit[n:] / reach, reach * max(pull, reach * curved) or 1.0


@pytest.mark.parametrize("size", [1e40, 1e60])
def test_units_are_sought_ten_times_at_the_most(size):
    program = drawn(0, sizes=size)
    scaled, _ = interior_point._equilibrate(program)
    for ours, theirs in zip((scaled.columns, scaled.rows, scaled.unit), units(program), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("program", SHAPES)
def test_units_are_those_of_the_whole_symmetric_matrix(program):
    """Ruiz's iteration in one matrix, then units of the right sides or of q over P, and of the objective."""
    P, q, G, h, A, b = program
    scaled, missed = interior_point._equilibrate(program)
    n, m = len(q), len(h)
    columns, rows, unit = units(program)
    assert scaled.columns == pytest.approx(columns, rel=1e-12)
    assert scaled.rows == pytest.approx(rows, rel=1e-12)
    assert scaled.unit == pytest.approx(unit, rel=1e-12)
    # what is left is the program on its equations
    N, w = scaled.basis, np.arange(1.0, scaled.basis.shape[1] + 1)
    B = scaled.rows[m:, None] * A * scaled.columns
    assert pytest.approx(np.eye(N.shape[1])) == N.T @ N
    rank = np.linalg.matrix_rank(B) if len(B) else 0  # of no rows some releases of NumPy know none
    assert N.shape[1] == n - rank
    assert pytest.approx(0, abs=1e-12) == B @ N
    assert scaled.inverse == pytest.approx(np.linalg.pinv(B), abs=1e-9)
    assert missed == pytest.approx(B @ scaled.origin - scaled.rows[m:] * b, abs=1e-12)
    x, origin = (scaled.columns * (scaled.origin + N @ v) for v in (w, 0 * w))
    ours = w @ scaled.P @ w / 2 + scaled.q @ w
    theirs = [v @ P @ v / 2 + q @ v for v in (x, origin)]
    assert scaled.unit * ours == pytest.approx(theirs[0] - theirs[1], rel=1e-9, abs=1e-9)
    assert scaled.G @ w - scaled.h == pytest.approx(scaled.rows[:m] * (G @ x - h), abs=1e-9)


@pytest.mark.parametrize("program", SHAPES[:12])
def test_a_point_is_measured_on_the_data(program):
    P, q, G, h, A, b = program
    scaled, _ = interior_point._equilibrate(program)
    rng = np.random.default_rng(0)
    for size in (1e-6, 1.0, 100.0):
        w, z = size * rng.standard_normal(2), size * rng.random(5)
        point = scaled.judge(w, z)
        x, lam, nu = point.x, point.lam, point.nu
        assert x == pytest.approx(scaled.columns * (scaled.origin + scaled.basis @ w))
        assert lam == pytest.approx(scaled.unit * scaled.rows[:5] * z)
        assert point.primal == pytest.approx(x @ P @ x / 2 + q @ x)
        assert point.dual == pytest.approx(-x @ P @ x / 2 - h @ lam - b @ nu)
        slope = scaled.columns * (P @ x + q + G.T @ lam + A.T @ nu)
        B = scaled.rows[5:, None] * A * scaled.columns
        assert pytest.approx(0, abs=1e-9 * abs(slope).max()) == B @ slope  # nu cancels the most
        gap = abs(point.primal - point.dual)
        assert point.relative_gap == pytest.approx(
            gap / max(abs(point.primal), abs(point.dual), 1e-3 * scaled.unit)
        )
        over = max((scaled.rows[:5] * (G @ x - h)).max(), abs(scaled.rows[5:] * (A @ x - b)).max(), 0)
        assert point.error == pytest.approx(max(point.relative_gap, abs(slope).max() / scaled.unit, over))


def test_of_values_near_zero_the_gap_is_relative_to_the_data():
    scaled, _ = interior_point._equilibrate(without(drawn(0, p=0), "h"))
    point = scaled.judge(np.full(3, 1e-5), np.full(5, 1e-5))
    assert max(abs(point.primal), abs(point.dual)) < 1e-3 * scaled.unit
    assert point.relative_gap == pytest.approx(1e3 * abs(point.primal - point.dual) / scaled.unit)


def test_a_run_tells_its_steps_and_ends_where_it_is_told(monkeypatch):
    program, states, step = drawn(1), [], interior_point._step
    program = program._replace(h=abs(program.h) + 1, b=0 * program.b)  # 0 is a point of it
    monkeypatch.setattr(
        interior_point, "_step", lambda scaled, *a: (states.append((scaled, a[1])), step(scaled, *a))[1]
    )
    run = interior_point.minimise(program, 1e-30, 40)
    mus, errors = [], []
    for (scaled, state), (primal, dual, mu) in zip(states, run.history, strict=False):
        point = scaled.judge(state.w / state.tau, state.z / state.tau)
        mus.append((state.z @ state.s + state.tau * state.kappa) / (len(state.z) + 1))
        errors.append(point.error)
        assert (primal, dual) == (point.primal, point.dual)
        assert mu == pytest.approx(scaled.unit * mus[-1] / state.tau**2)
    assert run.status == "stopped"
    assert run.error <= min(errors)
    assert interior_point.minimise(program, run.error, 40).status == "optimal"
    first = states[0][1]
    assert [v.tolist() for v in (first.w, first.z, first.s)] == [[0.0] * 2, [1.0] * 5, [1.0] * 5]
    assert first.tau == first.kappa == 1
    # no progress, or that of mu alone
    monkeypatch.setattr(interior_point, "NEAR", 0.0)
    for patience, factor in itertools.product((3, 7), (0.5, 1.0, 2.0)):
        monkeypatch.setattr(interior_point, "PATIENCE", patience)
        monkeypatch.setattr(
            interior_point, "_step", lambda scaled, level, state, by=factor: replace(state, s=by * state.s)
        )
        most = 41 if factor < 1 else patience + 1
        assert len(interior_point.minimise(program, 1e-30, 40).history) == most


def test_points_are_those_over_tau_and_proofs_are_sought_where_kappa_is_above_it(monkeypatch):
    program, states, step, proofs = line(-1.0, P=1.0, q=0.5), [], interior_point._step, []
    monkeypatch.setattr(
        interior_point, "_step", lambda scaled, *a: (states.append((scaled, a[1])), step(scaled, *a))[1]
    )
    for name in ("_refuted", "_descended"):
        monkeypatch.setattr(interior_point, name, lambda scaled, state: proofs.append(state))
    run = interior_point.minimise(program, 1e-30, 6)
    assert states[0][1].tau == states[0][1].kappa
    assert states[-1][1].tau < 0.1
    assert len(proofs) % 2 == 0
    assert {id(state) for state in proofs} == {id(v) for _, v in states if v.kappa > v.tau}
    for (scaled, state), (primal, dual, mu) in zip(states, run.history, strict=False):
        point = scaled.judge(state.w / state.tau, state.z / state.tau)
        assert (primal, dual) == (point.primal, point.dual)
        assert mu == pytest.approx(scaled.unit * state.mu / state.tau**2)


def test_the_closest_point_is_that_in_the_units_of_the_variables():
    program = drawn(2, n=3, m=2, p=1, sizes=100.0)
    program = program._replace(h=abs(program.h) + 1e9)  # the inequalities do not bind
    scaled, _ = interior_point._equilibrate(program)
    square = scaled.columns**2
    point = interior_point._closest(scaled)
    expected = square * program.A[0] * program.b[0] / (square @ program.A[0] ** 2)
    assert point.x == pytest.approx(expected, rel=1e-6)
    assert point.status == "optimal"


def line(right, below=1.0, P=0.0, q=0.0):
    """Return x <= right and -x <= -below of one variable, as it is."""
    G, h = np.array([[1.0], [-1.0]]), np.array([right, -below])
    return interior_point.Arrays(np.array([[P]]), np.array([q]), G, h, np.zeros((0, 1)), np.zeros(0))


def as_it_is(program):
    """Return a program in its own units, whose equations, if there are any, are left to a proof."""
    n, m = len(program.q), len(program.h)
    rows = m if program.b is None else m + len(program.b)
    same = np.ones(n), np.ones(rows), 1.0, np.zeros(n), np.eye(n), np.zeros((n, rows - m))
    return interior_point._Scaled(program, *same, *program[:4])


def test_how_close_a_proof_is_to_the_rounding_of_the_data():
    """Of two rows that contradict each other by t, and of slopes; t is 1e-11 of the sum of the weights."""
    for z in (np.ones(2), np.full(2, 100.0)):
        assert as_it_is(line(1.0, 1.0 + 1.5e-11 * 2)).refutation(z) is not None
        assert as_it_is(line(1.0, 1.0 + 0.7e-11 * 2)).refutation(z) is None
    lam, nu = as_it_is(line(1.0, 3.0)).refutation(np.array([4.0, 4.0]))
    assert (lam.tolist(), nu.tolist()) == ([0.5, 0.5], [])
    assert as_it_is(line(1.0, 3.0)).refutation(np.array([1.0, 1.0 + 1.5e-11])) is not None
    assert as_it_is(line(1.0, 3.0)).refutation(np.array([1.0, 1.0 + 3e-11])) is None
    twice = as_it_is(line(0.0)._replace(G=np.ones((2, 1)), h=np.array([0.0, 1.0])))  # x <= 0, x <= 1
    assert twice.refutation(np.array([1.0, -1.0])) is None
    for t, proof in ((1.5e-11, True), (0.7e-11, False)):  # x = 1, x = 1 + 2t
        one = line(0.0)._replace(
            G=np.zeros((0, 1)), h=np.zeros(0), A=np.ones((2, 1)), b=np.array([1, 1 + 2 * t])
        )
        assert (as_it_is(one).refutation(np.zeros(0), np.array([1.0, -1.0])) is not None) == proof

    def falls(w, **values):
        return as_it_is(line(1.0, **values)._replace(G=np.array([[-1.0], [0.0]]))).descent(np.array([w]))

    assert falls(4.0, q=-2.0).tolist() == [0.5]
    assert falls(4.0, q=2.0) is None
    assert falls(-4.0, q=2.0) is None  # against a constraint
    assert falls(1.0, q=-1.5e-11) is not None
    assert falls(1.0, q=-0.7e-11) is None
    assert falls(1.0, q=-1.0, P=0.7e-11) is not None
    assert falls(1.0, q=-1.0, P=1.5e-11) is None
    for unit in (16.0, 1 / 16):  # relative to the unit of the objective
        for factor in (0.7, 1.5):
            scaled = as_it_is(line(1.0, q=-factor * unit * 1e-11)._replace(G=-np.ones((2, 1))))
            assert (replace(scaled, unit=unit).descent(np.ones(1)) is None) == (factor < 1)


def test_what_is_at_the_limit_of_a_proof(monkeypatch):
    """A miss may be at the limit; a push or a fall must be above it."""
    monkeypatch.setattr(interior_point, "FAR", 2.0**-4)
    for miss, push, proof in ((1, 16, True), (1, 15, False), (0, 2, True), (0, 1, False)):
        one = line(0.0)._replace(G=np.array([[miss / 16]]), h=np.array([-push / 16]))
        assert (as_it_is(one).refutation(np.ones(1)) is not None) == proof
        one = line(0.0, q=-push / 16)._replace(G=np.array([[miss / 16]]), h=np.zeros(1))
        assert (as_it_is(one).descent(np.ones(1)) is not None) == proof


@pytest.mark.parametrize("hint", [0.25, 0.5])
def test_what_hints_at_no_proof_is_not_corrected_to_one(hint, monkeypatch):
    """A miss of a quarter, in the constraints or in the curvature alone; nor is nothing at all a hint."""
    monkeypatch.setattr(interior_point, "HINT", hint)
    none = np.zeros((1, 1))
    for G, P, q in ((0.25, 0.0, -1.0), (-1.0, 0.25, -1.0), (0.0, 0.0, 0.0)):
        one = line(0.0, P=P, q=q)._replace(G=np.array([[G]]), h=np.array([q]))
        scaled, state = as_it_is(one), interior_point._State(np.ones(1), np.ones(1), np.ones(1), 0.1, 1.0)
        asked = []
        monkeypatch.setattr(np.linalg, "lstsq", lambda *a, asked=asked, **k: asked.append(a) or [none[0]])
        with np.errstate(all="raise"):
            interior_point._descended(scaled, state)
            assert bool(asked) == (hint > 0.25 and q < 0)
            asked.clear()
            interior_point._refuted(scaled, replace(state, z=2 * np.ones(1)))
            assert bool(asked) == (abs(G) < hint and q < 0)


def test_rows_of_rounding_are_cut():
    most = 64 * 2.0**-52 * np.array([1 - 2**-7, 1 + 2**-7, 1.0])
    rows = np.stack([most, -most / 2], axis=1)
    assert interior_point._cut(rows).tolist() == [[0, 0], rows[1].tolist(), [0, 0]]
    assert interior_point._cut(rows[:, :0]).shape == (3, 0)


def test_what_counts_as_rounding_of_the_data():
    rows = np.array([[1.0, 1.0], [1.0, 1.0 - 3e-12], [1.0, 1.0 - 10e-12]])
    for row, rank in ((0, 1), (1, 1), (2, 2)):  # singular values 2 and 1.5e-12, 5e-12
        A = rows[[0, row]]
        program = interior_point.Arrays(np.eye(2), np.ones(2), np.zeros((0, 2)), np.zeros(0), A, A @ [1, 1])
        assert interior_point._equilibrate(program)[0].basis.shape == (2, 2 - rank)
    level = [0.5e-12, 0.9e-12, 1.5e-12, 1.0]
    program = interior_point.Arrays(np.diag(level), *SHAPES[0][1:])
    scaled = as_it_is(interior_point.Arrays(np.diag(level), np.zeros(4), np.zeros((1, 4)), [0.0], None, None))
    assert interior_point._level(scaled) == pytest.approx(np.diag([1.0, 1.0, 0.0, 0.0]), abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_the_end_is_the_solution_of_the_linear_system(seed, monkeypatch):
    """Six refinements each leave (I - shifted^-1 K) of the error; and rows whose force is negative go."""
    program = drawn(seed, n=4, m=5, p=0)
    scaled = as_it_is(program._replace(P=program.P / 16 ** (seed % 2)))  # the shift is that of P, or of 1
    rng = np.random.default_rng(seed)
    active, start, force = np.arange(5) < 3, rng.standard_normal(4), rng.standard_normal(3)
    M = scaled.G[active]
    K = np.block([[scaled.P, M.T], [M, np.zeros((3, 3))]])
    end = np.linalg.solve(K, np.concatenate([-scaled.q, scaled.h[active]]))
    shift = 0.1 * max(1.0, np.diag(scaled.P).max()) * np.repeat([1, -1], [4, 3])
    once = np.eye(7) - np.linalg.solve(K + np.diag(shift), K)
    monkeypatch.setattr(interior_point, "SHIFT", 0.1)
    x, forces = interior_point._stationary(scaled, active, start, force)
    away = np.concatenate([start, force]) - end
    left = np.linalg.matrix_power(once, 6) @ away
    assert np.concatenate([x, forces]) - end == pytest.approx(left, abs=1e-9 * abs(away).max())
    monkeypatch.undo()
    z, left = np.array([2.0, 2.0, 2.0, 0.5, 0.5]), active.copy()
    for w, multipliers in interior_point._ends(scaled, start, z, active.copy()):
        M = scaled.G[left]
        K = np.block([[scaled.P, M.T], [M, np.zeros((len(M), len(M)))]])
        expected = np.linalg.solve(K, np.concatenate([-scaled.q, scaled.h[left]]))
        assert w == pytest.approx(expected[:4], abs=1e-8 * abs(expected).max())
        assert multipliers[left] == pytest.approx(np.maximum(expected[4:], 0), abs=1e-8 * abs(expected).max())
        assert not multipliers[~left].any()
        left[left] = expected[4:] > 0
    assert (expected[4:] > 0).all()


def test_constraints_with_a_negative_force_are_left_out_and_those_without_one_beside_them(monkeypatch):
    scaled, asked = as_it_is(drawn(0, p=0)), []
    answers = {5: [1.0, 0.0, 2.0, -1.0, 3.0], 3: [1.0, 0.0, 2.0]}

    def stationary(scaled, active, w, force):
        asked.append(np.flatnonzero(active).tolist())
        return w, np.array(answers[len(force)])

    monkeypatch.setattr(interior_point, "_stationary", stationary)
    ends = list(interior_point._ends(scaled, np.zeros(3), np.ones(5), np.full(5, True)))
    assert asked == [[0, 1, 2, 3, 4], [0, 2, 4]]
    assert [z.tolist() for _, z in ends] == [[1, 0, 2, 0, 3], [1, 0, 0, 0, 2]]


def test_rows_whose_weight_becomes_zero_are_left_out_of_a_proof_too(monkeypatch):
    """Weights of a quarter, a quarter and a half are corrected to 1, 0 and -1."""
    answers, widths = [np.array([0.75, -0.25, -1.5]), np.array([0.0])], []
    one = line(0.0)._replace(G=np.zeros((3, 1)), h=-np.ones(3))
    state = interior_point._State(np.zeros(1), np.array([1.0, 1.0, 2.0]), np.full(3, 0.5), 0.1, 1.0)
    monkeypatch.setattr(np.linalg, "lstsq", lambda M, *a, **k: widths.append(M.shape[1]) or [answers.pop(0)])
    interior_point._refuted(as_it_is(one), state)
    assert widths == [3, 1]


def closest(z, M, target):
    return z + np.linalg.pinv(M) @ (target - M @ z)


def test_a_proof_that_is_not_exact_is_corrected_by_the_least_change():
    """The state shows it to some per cent; rows whose weight becomes negative are left out, in turn."""
    rounds = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        truth = np.append(rng.random(5), 0.003 * rng.random(2))
        G = rng.standard_normal((7, 2))
        G[0] = -truth[1:] @ G[1:] / truth[0]
        h = rng.standard_normal(7)
        h[0] = -(1 + truth[1:] @ h[1:]) / truth[0]
        program = interior_point.Arrays(np.zeros((2, 2)), np.zeros(2), G, h, np.zeros((0, 2)), np.zeros(0))
        z = 3 * (truth + 0.004 * rng.standard_normal(7))
        z = np.maximum(z, 1e-3)
        state = interior_point._State(np.zeros(2), z, np.where(np.arange(7) == 5, 2.0, 0.5) * z, 1e-9, 1.0)
        push = -float(h @ z)
        if push <= 0 or abs(G.T @ z).sum() >= interior_point.HINT * push:
            continue
        expected, active = z / push, np.arange(7) != 5
        while True:
            M = np.vstack([G[active].T, h[active]])
            exact = np.zeros(7)
            exact[active] = closest(expected[active], M, [0.0, 0.0, -1.0])
            if (exact >= 0).all():
                break
            active &= exact > 0
        rounds.append(int(active.sum()))
        lam, _ = interior_point._refuted(as_it_is(program), state)
        assert lam == pytest.approx(exact, abs=1e-9)
    assert len(rounds) > 20
    assert min(rounds) < max(rounds) == 6


def test_a_way_down_is_corrected_likewise():
    answers = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        truth = rng.standard_normal(4)
        B, G, q = rng.standard_normal((1, 4)), rng.standard_normal((3, 4)), rng.standard_normal(4)
        B -= np.outer(B @ truth, truth) / (truth @ truth)
        G -= np.outer(G @ truth + [0.0, 1.0, 1.0], truth) / (truth @ truth)
        q -= (q @ truth + 1) * truth / (truth @ truth)
        program = interior_point.Arrays(B.T @ B, q, G, np.ones(3), np.zeros((0, 4)), np.zeros(0))
        w = 5 * (truth + 0.003 * rng.standard_normal(4))
        state = interior_point._State(w, np.array([2.0, 1.0, 0.1]), np.ones(3), 1e-9, 1.0)
        if max(abs(program.P @ w).max(), (G @ w).max()) >= -0.1 * (q @ w):
            continue
        M = np.vstack([program.P, G[:1], q])  # four directions, of which three are settled
        expected = closest(w / -(q @ w), M, np.append(np.zeros(5), -1.0))
        way = interior_point._descended(as_it_is(program), state)
        assert way == pytest.approx(expected, abs=1e-9)
        answers += 1
    assert answers > 10
