"""Wrong duality, one typical mistake each."""

import math

import numpy as np

from mlnotes import duality as board
from mlnotes.estimators import duality as right
from mlnotes.estimators.duality import QuadraticProgram
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("duality")


# ------------------------------------------------------------------- the program


@mistake("QuadraticProgram", kills=("duality.problem", "duality.function"))
class WithoutHalf(QuadraticProgram):
    """Forgets the factor 1/2."""

    def objective(self, x):
        return float(np.asarray(x) @ self.P @ x + self.q @ x)

    def dual_function(self, lam, nu=None):
        x = self.lagrangian_minimizer(lam, nu)
        return -math.inf if x is None else super().dual_function(lam, nu) + float(x @ self.P @ x) / 2


@mistake("QuadraticProgram", kills=("duality.problem",))
class TakesAnything:
    """Accepts a P that is not positive semi-definite, or not symmetric."""

    def __init__(self, P, q, G=None, h=None, A=None, b=None):
        self.P, self.q = np.asarray(P), np.asarray(q)

    def objective(self, x):
        return float(0.5 * x @ self.P @ x + self.q @ x)


@mistake("QuadraticProgram", kills=("duality.lagrangian", "duality.primal-objective", "duality.erratum-s5"))
class ConstraintsReversed(QuadraticProgram):
    """Subtracts the constraints: the sign of g."""

    def lagrangian(self, x, lam, nu=None):
        return 2 * self.objective(x) - super().lagrangian(x, lam, nu)


@mistake("QuadraticProgram", kills=("duality.lagrangian",))
class NoEquations(QuadraticProgram):
    """Leaves the equations out."""

    def lagrangian(self, x, lam, nu=None):
        return super().lagrangian(x, lam, np.zeros(len(self.b)))


@mistake("QuadraticProgram", kills=("duality.lagrangian", "duality.erratum-s4"))
class AnySign(QuadraticProgram):
    """Accepts negative multipliers of inequalities."""

    _multipliers = QuadraticProgram._vectors

    def lagrangian(self, x, lam, nu=None):
        lam, nu = self._vectors(lam, nu)
        return self.objective(x) + lam @ (self.G @ x - self.h) + nu @ (self.A @ x - self.b)


@mistake("QuadraticProgram", kills=("duality.function", "duality.weak"))
class DualOfTheOtherSide(QuadraticProgram):
    """Has the sign of the linear part of the dual function wrong."""

    def dual_function(self, lam, nu=None):
        nu = np.zeros(len(self.b)) if nu is None else nu
        return super().dual_function(lam, nu) - 2 * float(self.h @ lam + self.b @ nu)


@mistake("QuadraticProgram", kills=("duality.function",))
class NeverMinusInfinity(QuadraticProgram):
    """Takes the pseudo-inverse also where the Lagrangian has no lower bound."""

    def dual_function(self, lam, nu=None):
        nu = np.zeros(len(self.b)) if nu is None else np.asarray(nu)
        x = -np.linalg.pinv(self.P) @ (self.q + self.G.T @ lam + self.A.T @ nu)
        return self.lagrangian(x, lam, nu)


@mistake("QuadraticProgram", kills=("duality.erratum-s2", "duality.function"))
class MinimumOverFeasiblePoints(QuadraticProgram):
    """Minimises the Lagrangian over the feasible set only."""

    def dual_function(self, lam, nu=None):
        if len(self.q) > 1:
            return super().dual_function(lam, nu)
        grid = np.arange(-64, 65) / 16
        inside = [x for x in grid if (self.G[:, 0] * x <= self.h).all()]
        return min(self.lagrangian([x], lam, nu) for x in inside)


@mistake("QuadraticProgram", kills=("duality.solve-via-dual", "duality.recipe"))
class MinimizerOfTheOtherSign(QuadraticProgram):
    """Returns P^-1 (q + G'lambda + A'nu), without the minus."""

    def lagrangian_minimizer(self, lam, nu=None):
        return -super().lagrangian_minimizer(lam, nu)


@mistake("QuadraticProgram", kills=("duality.recipe",))
class DualWithoutConstraint(QuadraticProgram):
    """Lets the multipliers of inequalities be negative in the dual program."""

    def dual_program(self):
        dual = super().dual_program()
        return QuadraticProgram(dual.P + 1e-9 * np.eye(len(dual.P)), dual.q)


@mistake("QuadraticProgram", kills=("duality.recipe",))
class DualWithoutHalf(QuadraticProgram):
    """Forgets the 1/2 in the dual program."""

    def dual_program(self):
        dual = super().dual_program()
        return QuadraticProgram(2 * dual.P, dual.q, dual.G, dual.h)


# ------------------------------------------------------------------- the dual over finitely many points


@mistake("dual_on_points", kills=("duality.why-minimax", "duality.function", "duality.exact"))
def _(f, g, lam):
    """Subtracts the constraints."""
    return board.dual_on_points(f, -np.asarray(g), lam)


@mistake("dual_on_points", kills=("duality.why-minimax", "duality.function", "duality.exact"))
def _(f, g, lam):
    """Takes the largest value: the other order of min and max."""
    return -board.dual_on_points([-v for v in f], -np.asarray(g), lam)


@mistake("dual_on_points", kills=("duality.why-minimax", "duality.erratum-s2"))
def _(f, g, lam):
    """Returns the mean over the points."""
    return (np.asarray(f) + np.asarray(lam) @ np.asarray(g).T).mean(axis=-1)


# ------------------------------------------------------------------- Slater, KKT


@mistake("is_slater_point", kills=("duality.slater", "duality.erratum-y19"))
def _(values, affine):
    """Asks for strictness of affine constraints too."""
    return bool((np.asarray(values) < 0).all())


@mistake("is_slater_point", kills=("duality.slater",))
def _(values, affine):
    """Is content with a feasible point."""
    return bool((np.asarray(values) <= 0).all())


@mistake("is_slater_point", kills=("duality.slater", "duality.erratum-y18"))
def _(values, affine):
    """Asks for a margin of 2."""
    return bool((np.asarray(values) < -2).all())


_five = board.kkt_residuals


@mistake("kkt_residuals", kills=("duality.kkt",))
def _(gradient, values, jacobian, lam, **equations):
    """Leaves the equations out of the stationarity."""
    report = _five(gradient, values, jacobian, lam, **equations)
    return report._replace(stationarity=_five(gradient, values, jacobian, lam).stationarity)


@mistake("kkt_residuals", kills=("duality.kkt", "duality.erratum-y20"))
def _(gradient, values, jacobian, lam, **equations):
    """Has the sign of the multipliers wrong."""
    flipped = _five(gradient, values, -np.asarray(jacobian), lam, **equations)
    return flipped._replace(stationarity=flipped.stationarity + float(np.abs(gradient).max() == 0))


@mistake("kkt_residuals", kills=("duality.kkt",))
def _(gradient, values, jacobian, lam, **equations):
    """Does not look at the equations."""
    return _five(gradient, values, jacobian, lam, **equations)._replace(equality=0.0)


@mistake("kkt_residuals", kills=("duality.kkt",))
def _(gradient, values, jacobian, lam, **equations):
    """Accepts negative multipliers."""
    return _five(gradient, values, jacobian, lam, **equations)._replace(multiplier=0.0)


@mistake("kkt_residuals", kills=("duality.kkt",))
def _(gradient, values, jacobian, lam, **equations):
    """Forgets complementary slackness."""
    return _five(gradient, values, jacobian, lam, **equations)._replace(complementarity=0.0)


@mistake("kkt_residuals", kills=("duality.kkt", "duality.erratum-y20"))
def _(gradient, values, jacobian, lam, **equations):
    """Counts constraints that hold with room to spare."""
    report = _five(gradient, values, jacobian, lam, **equations)
    return report._replace(inequality=float(np.abs(values).max()))


# ------------------------------------------------------------------- the solver


class _Answer:
    """A solution with other arrays."""

    def __init__(self, x, lam, nu):
        self.x, self.lam, self.nu = x, lam, nu


PROVES = ("duality.strong", "duality.interior-point", "duality.erratum-y19")


@mistake("solve_qp", kills=PROVES)
def _(program, **options):
    """Stops after three steps and says nothing."""
    found = right.solve_qp(program, max_iter=3)
    return _Answer(found.x + 1e-3, found.lam, found.nu)


@mistake("solve_qp", kills=PROVES)
def _(program, **options):
    """Returns multipliers of the wrong sign."""
    found = right.solve_qp(program)
    return _Answer(found.x, -found.lam, -found.nu)


@mistake("solve_qp", kills=("duality.strong", "duality.interior-point"))
def _(program, **options):
    """Forgets the multipliers of the equations."""
    found = right.solve_qp(program)
    return _Answer(found.x, found.lam, found.nu + 1.0 if len(found.nu) else found.nu)


@mistake("solve_qp", kills=("duality.strong", "duality.interior-point", "duality.solve-via-dual"))
def _(program, **options):
    """Leaves the inequalities out and clips."""
    ridge = QuadraticProgram(program.P + 1e-8 * np.eye(len(program.q)), program.q, A=program.A, b=program.b)
    found = right.solve_qp(ridge)
    return _Answer(found.x + 0.5, np.zeros(len(program.h)), found.nu)


@mistake("solve_qp", kills=("duality.farkas",))
def _(program, **options):
    """Returns a point when there is none."""
    try:
        return right.solve_qp(program)
    except ValueError:
        return _Answer(np.zeros(len(program.q)), np.zeros(len(program.h)), np.zeros(len(program.b)))


@mistake("solve_qp", kills=("duality.farkas",))
def _(program, **options):
    """Refuses without a proof."""
    try:
        return right.solve_qp(program)
    except ValueError as error:
        raise ValueError("infeasible") from error


@mistake("solve_qp", kills=("duality.no-refusal",))
def _(program, **options):
    """Calls a program infeasible when its own steps do not end."""
    found = right.solve_qp(program, max_iter=1)
    if not found.converged:
        raise right.InfeasibleError(found.lam, found.nu)
    return found


@mistake("solve_qp", kills=("duality.no-refusal",))
def _(program, **options):
    """Calls a set without interior points empty."""
    right.solve_qp(QuadraticProgram(program.P, program.q, program.G, program.h - 1e-6, program.A, program.b))
    return right.solve_qp(program)


@mistake("solve_qp", kills=("duality.erratum-y19",))
def _(program, **options):
    """Has multipliers of 10^14, in which the small ones are lost."""
    found = right.solve_qp(program)
    return _Answer(found.x, np.full(len(found.lam), 1e14), found.nu)


# ------------------------------------------------------------------- the textbook's programs


def _changed(name, **changes):
    def programs():
        answer = board.textbook_programs()
        vars(answer[name]).update(changes)
        return answer

    return programs


MISTAKES.append(
    (
        "Writes Duffin's constraint with |x1|: every point of the first axis is feasible.",
        ("duality.often", "duality.erratum-s3"),
        {"textbook_programs": _changed("duffin", dual=lambda lam: 1.0, dual_value=1.0)},
    )
)
MISTAKES.append(
    (
        "Takes max(0, -x) without the square: then there is a multiplier.",
        ("duality.often", "duality.erratum-y19"),
        {"textbook_programs": _changed("interior", dual=lambda lam: 0.0 if lam[0] >= 1 else -math.inf)},
    )
)
MISTAKES.append(
    (
        "Says that x >= 1 is a constraint with the value 1 everywhere inside.",
        ("duality.slater",),
        {"textbook_programs": _changed("interior", constraints=lambda X: np.maximum(0, -X) ** 2 - 1)},
    )
)
MISTAKES.append(
    (
        "Gives exp(-x) a minimiser: the value 1/1000 from x = 7 on.",
        ("duality.erratum-y18",),
        {"textbook_programs": _changed("unattained", objective=lambda X: np.maximum(np.exp(-X[:, 0]), 1e-3))},
    )
)
MISTAKES.append(
    (
        "Takes -x for -x^3: the same set, and no gap.",
        ("duality.erratum-s1",),
        {"textbook_programs": _changed("cubic", constraints=lambda X: -X)},
    )
)
MISTAKES.append(
    (
        "Forgets the square of the multiplier in the recipe.",
        ("duality.recipe",),
        {"textbook_programs": _changed("parabola", dual=lambda lam: float(lam[0] - lam[0] / 4))},
    )
)


@mistake("kkt_residuals", kills=("duality.erratum-y20",))
def _(*arguments):
    """Finds no residual anywhere."""
    return board.KKT(*np.zeros(5))
