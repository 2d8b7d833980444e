"""Mistakes in the textbook's programs, and one of a solver that a plain one could not see."""

import math
from dataclasses import replace

import numpy as np

from mlnotes.estimators.duality import QuadraticProgram, solve_qp
from mlnotes.laws.programs import textbook_programs
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("duality")


@mistake("solve_qp", kills="no-refusal")
def _(program, **options):
    """Calls a set without interior points empty."""
    solve_qp(QuadraticProgram(program.P, program.q, program.G, program.h - 1e-6, program.A, program.b))
    return solve_qp(program)


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
