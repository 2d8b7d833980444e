"""Wrong duality, one typical mistake each."""

import math
from dataclasses import replace

import numpy as np

from mlnotes import duality as board
from mlnotes.estimators import duality as right
from mlnotes.estimators.duality import QuadraticProgram
from mlnotes.laws.programs import textbook_programs
from mlnotes.mistakes import Change, Mistakes, negated

mistake = MISTAKES = Mistakes("duality")


# ------------------------------------------------------------------- the program


@mistake("QuadraticProgram", kills="problem function")
class WithoutHalf(QuadraticProgram):
    """Forgets the factor 1/2."""

    def objective(self, x):
        return float(np.asarray(x) @ self.P @ x + self.q @ x)

    def dual_function(self, lam, nu=None):
        x = self.lagrangian_minimizer(lam, nu)
        return -math.inf if x is None else super().dual_function(lam, nu) + float(x @ self.P @ x) / 2


@mistake("QuadraticProgram", kills="problem")
class TakesAnything:
    """Accepts a P that is not positive semi-definite, or not symmetric."""

    def __init__(self, P, q, G=None, h=None, A=None, b=None):
        self.P, self.q = np.asarray(P), np.asarray(q)

    def objective(self, x):
        return float(0.5 * x @ self.P @ x + self.q @ x)


mistake.rows("QuadraticProgram.lagrangian",
    ("Subtracts the constraints: the sign of g.", "lagrangian primal-objective erratum-s5",
     lambda self, x, lam, nu=None: 2 * self.objective(x) - QuadraticProgram.lagrangian(self, x, lam, nu)),
    ("Leaves the equations out.", "lagrangian",
     lambda self, x, lam, nu=None: QuadraticProgram.lagrangian(self, x, lam, np.zeros(len(self.b)))),
)  # fmt: skip


@mistake("QuadraticProgram", kills="lagrangian weak erratum-s4")
class AnySign(QuadraticProgram):
    """Accepts negative multipliers of inequalities."""

    _multipliers = QuadraticProgram._vectors

    def lagrangian(self, x, lam, nu=None):
        lam, nu = self._vectors(lam, nu)
        return self.objective(x) + lam @ (self.G @ x - self.h) + nu @ (self.A @ x - self.b)


@mistake("QuadraticProgram.dual_function", kills="function weak")
def _(self, lam, nu=None):
    """Has the sign of the linear part of the dual function wrong."""
    nu = np.zeros(len(self.b)) if nu is None else nu
    return QuadraticProgram.dual_function(self, lam, nu) - 2 * float(self.h @ lam + self.b @ nu)


@mistake("QuadraticProgram.dual_function", kills="function")
def _(self, lam, nu=None):
    """Takes the pseudo-inverse also where the Lagrangian has no lower bound."""
    nu = np.zeros(len(self.b)) if nu is None else np.asarray(nu)
    x = -np.linalg.pinv(self.P) @ (self.q + self.G.T @ lam + self.A.T @ nu)
    return self.lagrangian(x, lam, nu)


@mistake("QuadraticProgram.dual_function", kills="erratum-s2 function")
def _(self, lam, nu=None):
    """Minimises the Lagrangian over the feasible set only."""
    if len(self.q) > 1:
        return QuadraticProgram.dual_function(self, lam, nu)
    grid = np.arange(-64, 65) / 16
    inside = [x for x in grid if (self.G[:, 0] * x <= self.h).all()]
    return min(self.lagrangian([x], lam, nu) for x in inside)


mistake.rows("QuadraticProgram.lagrangian_minimizer",
    ("Returns P^-1 (q + G'lambda + A'nu), without the minus.", "solve-via-dual recipe", negated),
)  # fmt: skip


@mistake("QuadraticProgram.dual_program", kills="recipe")
def _(self):
    """Lets the multipliers of inequalities be negative in the dual program."""
    dual = QuadraticProgram.dual_program(self)
    return QuadraticProgram(dual.P + 1e-9 * np.eye(len(dual.P)), dual.q)


@mistake("QuadraticProgram.dual_program", kills="recipe")
def _(self):
    """Forgets the 1/2 in the dual program."""
    dual = QuadraticProgram.dual_program(self)
    return QuadraticProgram(2 * dual.P, dual.q, dual.G, dual.h)


# ------------------------------------------------------------------- the dual over finitely many points


mistake.rows("dual_on_points",
    ("Subtracts the constraints.", "why-minimax function exact",
     lambda f, g, lam: board.dual_on_points(f, -np.asarray(g), lam)),
    ("Takes the largest value: the other order of min and max.", "why-minimax function exact",
     lambda f, g, lam: -board.dual_on_points([-v for v in f], -np.asarray(g), lam)),
    ("Returns the mean over the points.", "why-minimax function erratum-s2",
     lambda f, g, lam: (np.asarray(f) + np.asarray(lam) @ np.asarray(g).T).mean(axis=-1)),
)  # fmt: skip


# ------------------------------------------------------------------- Slater, KKT


mistake.rows("is_slater_point",
    ("Asks for strictness of affine constraints too.", "slater erratum-y19",
     lambda values, affine: bool((np.asarray(values) < 0).all())),
    ("Is content with a feasible point.", "slater",
     lambda values, affine: bool((np.asarray(values) <= 0).all())),
    ("Asks for a margin of 2.", "slater erratum-y18",
     lambda values, affine: bool((np.asarray(values) < -2).all())),
)  # fmt: skip


_five = board.kkt_residuals


@mistake("kkt_residuals", kills="kkt")
def _(gradient, values, jacobian, lam, **equations):
    """Leaves the equations out of the stationarity."""
    report = _five(gradient, values, jacobian, lam, **equations)
    return report._replace(stationarity=_five(gradient, values, jacobian, lam).stationarity)


@mistake("kkt_residuals", kills="kkt erratum-y20")
def _(gradient, values, jacobian, lam, **equations):
    """Has the sign of the multipliers wrong."""
    flipped = _five(gradient, values, -np.asarray(jacobian), lam, **equations)
    return flipped._replace(stationarity=flipped.stationarity + float(np.abs(gradient).max() == 0))


mistake.rows("kkt_residuals",
    ("Does not look at the equations.", "kkt", Change(lambda answer: answer._replace(equality=0.0))),
    ("Accepts negative multipliers.", "kkt", Change(lambda answer: answer._replace(multiplier=0.0))),
    ("Forgets complementary slackness.", "kkt", Change(lambda answer: answer._replace(complementarity=0.0))),
    ("Counts constraints that hold with room to spare.", "kkt erratum-y20",
     lambda gradient, values, jacobian, lam, **equations:
        _five(gradient, values, jacobian, lam, **equations)._replace(inequality=float(np.abs(values).max()))),
)  # fmt: skip


# ------------------------------------------------------------------- the solver


class _Answer:
    """A solution with other arrays."""

    def __init__(self, x, lam, nu):
        self.x, self.lam, self.nu = x, lam, nu


PROVES = "strong interior-point"


@mistake("solve_qp", kills=PROVES)
def _(program, **options):
    """Stops after three steps and says nothing."""
    solution = right.solve_qp(program, max_iter=3)
    return _Answer(solution.x + 1e-3, solution.lam, solution.nu)


@mistake("solve_qp", kills=PROVES)
def _(program, **options):
    """Returns multipliers of the wrong sign."""
    solution = right.solve_qp(program)
    return _Answer(solution.x, -solution.lam, -solution.nu)


@mistake("solve_qp", kills="strong interior-point")
def _(program, **options):
    """Forgets the multipliers of the equations."""
    solution = right.solve_qp(program)
    return _Answer(solution.x, solution.lam, solution.nu + 1.0 if len(solution.nu) else solution.nu)


@mistake("solve_qp", kills="strong interior-point solve-via-dual")
def _(program, **options):
    """Leaves the inequalities out and clips."""
    ridge = QuadraticProgram(program.P + 1e-8 * np.eye(len(program.q)), program.q, A=program.A, b=program.b)
    solution = right.solve_qp(ridge)
    return _Answer(solution.x + 0.5, np.zeros(len(program.h)), solution.nu)


@mistake("solve_qp", kills="farkas")
def _(program, **options):
    """Returns a point when there is none."""
    try:
        return right.solve_qp(program)
    except ValueError:
        return _Answer(np.zeros(len(program.q)), np.zeros(len(program.h)), np.zeros(len(program.b)))


@mistake("solve_qp", kills="farkas")
def _(program, **options):
    """Refuses without a proof."""
    try:
        return right.solve_qp(program)
    except ValueError as error:
        raise ValueError("infeasible") from error


@mistake("solve_qp", kills="no-refusal")
def _(program, **options):
    """Calls a program infeasible when its own steps do not end."""
    solution = right.solve_qp(program, max_iter=1)
    if not solution.converged:
        raise right.InfeasibleError(solution.lam, solution.nu)
    return solution


@mistake("solve_qp", kills="no-refusal")
def _(program, **options):
    """Calls a set without interior points empty."""
    right.solve_qp(QuadraticProgram(program.P, program.q, program.G, program.h - 1e-6, program.A, program.b))
    return right.solve_qp(program)


@mistake("solve_qp", kills="strong")
def _(program, **options):
    """Has multipliers of 10^14, in which the small ones are lost."""
    solution = right.solve_qp(program)
    return _Answer(solution.x, np.full(len(solution.lam), 1e14), solution.nu)


# ------------------------------------------------------------------- the textbook's programs


def _changed(name, **changes):
    def programs():
        right = textbook_programs()
        return right | {name: replace(right[name], **changes)}

    return programs


mistake.rows("textbook_programs",
    ("Writes Duffin's constraint with |x1|: every point of the first axis is feasible.", "often erratum-s3",
     _changed("duffin", dual=lambda lam: 1.0, dual_value=1.0)),
    ("Takes max(0, -x) without the square: then there is a multiplier.", "often",
     _changed("interior", dual=lambda lam: 0.0 if lam[0] >= 1 else -math.inf)),
    ("Says that x >= 1 is a constraint with the value 1 everywhere inside.", "slater",
     _changed("interior", constraints=lambda X: np.maximum(0, -X) ** 2 - 1)),
    ("Gives exp(-x) a minimiser: the value 1/1000 from x = 7 on.", "erratum-y18",
     _changed("unattained", objective=lambda X: np.maximum(np.exp(-X[:, 0]), 1e-3))),
    ("Takes -x for -x^3: the same set, and no gap.", "erratum-s1",
     _changed("cubic", constraints=lambda X: -X)),
    ("Forgets the square of the multiplier in the recipe.", "recipe",
     _changed("parabola", dual=lambda lam: float(lam[0] - lam[0] / 4))),
)  # fmt: skip
mistake.rows("kkt_residuals", ("Finds no residual anywhere.", "erratum-y20",
    lambda *arguments: board.KKT(*np.zeros(5))))  # fmt: skip
