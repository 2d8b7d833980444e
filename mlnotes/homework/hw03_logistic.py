"""Homework 3: logistic regression and gradient descent. Six questions, 20 points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from mlnotes import descent
from mlnotes.claims import Evidence, at_least, at_most, claim, equal, rounding
from mlnotes.claims import descent as descent_claims
from mlnotes.claims import logistic as claims
from mlnotes.claims.answers import AnswerError
from mlnotes.homework.core import Assignment, Class, Function, Part, Value, changing, converted

# ------------------------------------------------------------------- claims of this homework alone


@claim(
    "hw03.far",
    kind="homework",
    section="lectures/05_logistic.ipynb, section 4",
    statement=r"The gradient has its value also where scores are $\pm10^4$ and probabilities 0 or 1: the "
    r"largest score of each point is subtracted before the exponential.",
)
def slope_is_finite(slope) -> Iterator[Evidence]:
    """Ask for scores that overflow, beside a point whose scores are all far below."""
    beta, labels = np.eye(2), np.array([0, 2, 1])
    X = 1e4 * np.array([[1.0, 0.0], [-1.0, -1.0], [0.0, -1.0]])
    P = np.array([[1.0, 0.0], [0.0, 0.0], [0.5, 0.0]])
    truth = (P - (labels[:, None] == [1, 2])).T @ X
    yield equal("gradient at scores of 10^4", slope(beta, X, labels), truth, rounding(16, 2e4), X=X)


@claim(
    "hw03.limit",
    kind="homework",
    section="lectures/06_descent.ipynb, section 2",
    statement=r"Every step of gradient descent on the *sum* of the log losses of two classes and "
    r"$\frac\lambda2\|w\|^2$ goes down, from every start, for $\eta < 2/L$, $L = \lambda_{\max}(X^\top "
    r"X)/4 + \lambda$. Where every row occurs with both labels (or half of each), no longer step is safe.",
)
def limit_is_two_over_l(limit, rng, *, n=9, d=3) -> Iterator[Evidence]:
    """Check that descent fails just above the limit, which the lecture's claim on L does not say."""
    # where the penalty curves more than the losses, and less
    cases = [(np.array([[1.0, 1.0], [1.0, -1.0], [1.0, 0.0]]), 4.0)]
    for _ in range(4):
        X = rng.integers(-4, 5, (n, d)).astype(np.float64)
        X[0] = [4, -3, 2][:d]
        cases.append((X, float(rng.integers(1, 33)) / 4))
    for X, strength in cases:
        eta = float(limit(X, strength))
        _, s, V = np.linalg.svd(X)
        truth = 8 / (float(s[0]) ** 2 + 4 * strength)
        yield equal("largest step", eta, truth, rounding(27, 4), X=X)
        # along the worst direction, labels that balance: the loss is even, its curvature L at 0
        z = 1e-3 * (X @ V[0])
        slope = float(np.sum(np.tanh(z / 2) / 2 * (X @ V[0]))) + 1e-3 * strength
        yield at_least(
            "how far a step 0.1 % longer overshoots the mirror image of its start",
            1.001 * truth * slope - 2e-3,
            0.0,
        )


@claim(
    "hw03.iterates",
    kind="homework",
    section="lectures/06_descent.ipynb, section 1",
    statement=r"$T$ steps make $T + 1$ iterates $w_0, \dots, w_T$, also where the gradient is 0; without a "
    r"step there is the start.",
)
def iterates_are_one_more_than_steps(descend, rng, *, d=3) -> Iterator[Evidence]:
    """Count the columns, also of a path that is at the minimum after one step."""
    start = rng.integers(1, 5, d).astype(np.float64)
    for step, T in ((0.5, 6), (1.0, 4), (0.5, 1), (0.5, 0)):
        path = np.asarray(descend(lambda w: w, start, step, T))
        yield equal(f"iterates of n_steps = {T}", path.shape[1], T + 1)


@claim(
    "hw03.optimum",
    kind="homework",
    section="lectures/05_logistic.ipynb, section 6",
    statement=r"At the minimum of $\sum_i\log(1 + e^{-y_i(\langle w, x_i\rangle + b)}) + "
    r"\frac\lambda2\|w\|^2$, $y_i = \pm1$, the gradient vanishes, in $b$ "
    r"without penalty. The features have units of their own, classes may be separated, and full steps of "
    r"Newton's method may run away.",
)
def optimum_is_stationary(Logistic, rng, *, n=40, d=3) -> Iterator[Evidence]:
    """Check the gradient, and the probabilities; the rows of the lecture's claim have one unit."""
    units, centre = np.array([0.01, 1.0, 100.0])[:d], np.array([0.0, 5.0, 300.0])[:d]
    cases = []
    for name, noise in (("overlapping", 3.0), ("separated", 0.0)):
        X = rng.integers(-6, 7, (n, d)) * units + centre
        signal = ((X - centre) / units) @ [1.0, -1.0, 1.0][:d] + noise * rng.standard_normal(n)
        y = np.where(signal + 0.5 > 0, 1, -1)
        y[:2] = [1, -1] if len(set(y)) == 1 else y[:2]
        cases.append((name, X, y, float(rng.choice([0.5, 2.0]))))
    rows, codes, C = claims.RUNS_AWAY
    for name, X, y, strength in (*cases, ("full Newton steps run away", rows, 2 * codes - 1, 1 / C)):
        model = Logistic(strength)
        model.learn(X, y)
        w, b = np.asarray(model.weights, dtype=np.float64), float(model.bias)
        margins = y * (X @ w + b)
        pull = y / (1 + np.exp(np.clip(margins, -700, 700)))
        slope = np.append(strength * w - pull @ X, -pull.sum())
        # 1e-6 of the norm of the features: double precision leaves about 1e-13 of it
        goal = 1e-6 * float(abs(X).sum())
        yield at_most(
            f"norm of the gradient, {name}", float(np.linalg.norm(slope)), goal, X=X, y=y, strength=strength
        )
        yield at_most(f"slope in the bias, {name}", abs(float(slope[-1])), 1e-6 * len(y), X=X, y=y)
        P = np.asarray(model.probability(X))
        truth = 1 / (1 + np.exp(-np.clip(X @ w + b, -700, 700)))
        yield equal(f"P(+1 | x) of these weights, {name}", P, truth, rounding(16, 400), X=X)
        if name == "separated":
            separated = model
    far = np.asarray(separated.probability(np.array([[1e6, 5.0, 300.0], [-1e6, 5.0, 300.0]])[:, :d]))
    yield at_most("probabilities far out, from 0 or 1", float(np.minimum(far, 1 - far).max()), 1e-6)


# ------------------------------------------------------------------- from the student's names to the claims'


def _softmax(student: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"softmax": lambda scores: np.asarray(student["shares"](np.asarray(scores).T.copy())).T}


def _slope(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def softmax_gradient(W: Any, X: Any, y: Any) -> Any:
        rest = np.asarray(student["slope"](W[1:] - W[0], X, y))  # W and these have the same probabilities
        return np.vstack([-rest.sum(axis=0), rest]) / len(X)

    return {"softmax_gradient": softmax_gradient, "slope": student["slope"]}


def _smoothness(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def smoothness(X: Any, n_classes: int = 2) -> Any:
        strength = 2.5 * n_classes  # the penalty adds it to L, for the sum of the losses
        L = np.float64(2) / student["limit"](X, strength) - strength
        return (L if n_classes == 2 else 2 * L) / len(X)

    return {"smoothness": smoothness, "limit": student["limit"]}


def _spread(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def noise_floor(*, step: float, variance: float, t: int = 400, start: float = 0.0) -> Any:
        b = (3, 3, 1, 2)[min(t, 3)]  # the mean of b rows of variance b s^2 has the variance s^2
        return student["spread"](b * variance, start, step, b, t)

    return {
        "noise_floor": noise_floor,
        "gradient_descent": descent.gradient_descent,
        "stochastic_gradient_descent": descent.stochastic_gradient_descent,
    }


def _machine(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted:
        """The student's class under the names of the claims; a weight counts copies of a row."""

        def __init__(self, C: float) -> None:
            self.model = student["Logistic"](1 / C)

        def fit(self, X: Any, y: Any, weights: Any = None) -> Adapted:
            rows = np.repeat(np.arange(len(X)), 1 if weights is None else weights)
            self.model.learn(X[rows].astype(np.float64), 2 * y[rows] - 1)
            self.coef_, self.intercept_ = np.asarray(self.model.weights)[None], np.array([self.model.bias])
            return self

    return {"LogisticRegression": Adapted, "Logistic": student["Logistic"]}


def _descent(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def gradient_descent(value: Any, gradient: Any, start: Any, *, step: float, n_steps: int) -> Any:
        def slope(w: Any) -> Any:
            return np.asarray(gradient(np.asarray(w)))

        path = np.asarray(student["descend"](slope, np.array(start, dtype=np.float64), float(step), n_steps))
        wanted = len(path), n_steps + 1  # here, since the claim has iterates as rows
        if path.shape != wanted:
            raise AnswerError(
                f"descend gives an array {path.shape} for n_steps = {n_steps}, must be {wanted}"
            )
        return SimpleNamespace(iterates=path.T, x=path[:, -1:].ravel())

    return {
        "descend": student["descend"],
        "gradient_descent": gradient_descent,
        "sublinear_bound": descent.sublinear_bound,
    }


# ------------------------------------------------------------------- the same questions in other conventions


def _of_the_mean(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"limit": lambda X, strength: student["limit"](X, strength / len(X)) / len(X)}

    return converted(part, convert, ("the *sum*", "the *mean*"))


def _of_squares(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"limit": lambda X, strength: student["limit"](np.asarray(X) / 2, strength)}

    log_losses = "log losses of two classes (lecture 5, section 4)"
    squares = "squared errors $\\frac12(\\langle w, x_i\\rangle - y_i)^2$ of real answers $y_i$"
    return converted(part, convert, (log_losses, squares))


def _without_replacement(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def spread(variance: float, start: float, step: float, b: int, t: int) -> Any:
            n = 2 * b + 1  # drawn without replacement, b of these rows with this variance spread as much
            return student["spread"](variance * (n - 1) / (n - b), start, step, b, n, t)

        return {"spread": spread}

    given = dict(part.writes[0].parameters)
    t = given.pop("t")
    rows = Value("i", (), minimum=1, meaning="n >= b, the number of rows; n > 1")
    written = replace(part.writes[0], parameters=given | {"n": rows, "t": t})
    words = (
        "drawn independently with replacement",
        "drawn *without* replacement from the $n$ rows, anew each step",
    )
    return converted(part, convert, words, writes=(written,))


def _last_class(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        return part.bind({"slope": lambda beta, X, y: student["slope"](beta, X, (y + 2) % 3)})

    question = part.question.replace("reference class 0", "the last class as reference").replace(
        "$k = 1, \\dots, K - 1$", "$k = 0, \\dots, K - 2$"
    )
    return replace(part, question=question, adapt=adapt)


# ------------------------------------------------------------------- the assignment

_POINTS = Value("f", ("n", "d"), meaning="one row a point")

assignment = Assignment(
    id="hw03",
    title="Logistic regression and gradient descent",
    lecture="lectures/05_logistic.ipynb",
    variants=(
        changing(limit=_of_the_mean),
        changing(slope=_last_class),
        changing(limit=_of_squares),
        changing(spread=_without_replacement),
    ),
    intro="You need NumPy and lectures 5 and 6 (`lectures/05_logistic.ipynb`, `lectures/06_descent.ipynb`), "
    "nothing else. In `slope`, `limit` and `spread` you derive a formula, and write it as code; the others "
    "are programs. `slope` has points as rows, `shares` has them as columns.",
    parts=(
        Part(
            name="shares",
            points=2,
            question="**Build.** The probabilities of the softmax model (lecture 5, section 2) from the "
            "scores. Mind the "
            "convention: the *columns* are the points. Scores may be as large as $10^4$, and those of one "
            "point far below those of another.",
            writes=(
                Function(
                    "shares",
                    {"scores": Value("f", ("K", "n"), meaning="scores[k, i] of class k at point i")},
                    Value("f", ("K", "n"), meaning="probabilities, columns sum to 1"),
                    "Return P(k | x_i).",
                ),
            ),
            claims=(claims.softmax,),
            adapt=_softmax,
        ),
        Part(
            name="slope",
            points=4,
            question="**Derive.** The lecture differentiates the loss of the softmax model. Here the model "
            "has reference class 0: the weights are $\\beta_k$, $k = 1, \\dots, K - 1$, one after the other "
            "the rows of `beta` (lecture 5, sections 2 and 4). And where the lecture has the average loss, "
            "take the *sum* over the rows. Scores may again be as large as $10^4$.",
            writes=(
                Function(
                    "slope",
                    {
                        "beta": Value("f", ("m", "d"), meaning="m = K - 1 rows of weights, without a bias"),
                        "points": _POINTS,
                        "labels": Value("i", ("n",), minimum=0, meaning="classes 0..K-1"),
                    },
                    Value("f", ("m", "d")),
                    "Return the gradient of the sum of the negative log-likelihoods.",
                ),
            ),
            claims=(claims.grad_multi.at(first=1, total=True), slope_is_finite),
            adapt=_slope,
        ),
        Part(
            name="limit",
            points=2,
            question="**Derive.** Gradient descent with step $\\eta$ runs on the *sum* of the log losses of "
            "two classes (lecture 5, section 4) plus $\\frac\\lambda2\\|w\\|^2$, without a bias. Below which "
            "$\\eta$ does the descent lemma (lecture 6, section 2) promise that every step goes down, "
            "whatever the labels and the start? (That is the longest step, not the one with the best "
            "guarantee.)",
            writes=(
                Function(
                    "limit",
                    {"points": _POINTS, "strength": Value("f", (), minimum=0, meaning="lambda")},
                    Value("f", (), meaning="step"),
                    "Return the bound: every step below it is promised to go down.",
                ),
            ),
            claims=(limit_is_two_over_l, claims.smoothness),
            adapt=_smoothness,
        ),
        Part(
            name="descend",
            points=3,
            question="**Build** gradient descent with a fixed step (lecture 6, section 1). Take all the "
            "steps, also where the gradient is 0, and keep all the iterates.",
            writes=(
                Function(
                    "descend",
                    {
                        "slope": Value(
                            "any", (), meaning="a function: the gradient at a point of shape (d,)"
                        ),
                        "start": Value("f", ("d",)),
                        "step": Value("f", (), minimum=0, meaning="fixed step"),
                        "n_steps": Value("i", (), minimum=0, meaning="T"),
                    },
                    Value("f", ("d", "m"), meaning="the m = T + 1 iterates as columns, the start first"),
                    "Return all the iterates.",
                ),
            ),
            claims=(
                iterates_are_one_more_than_steps,
                descent_claims.gd_update,
                descent_claims.gd_sublinear.at(steps=(1, 2, 5)),  # each step crosses the wall
            ),
            adapt=_descent,
        ),
        Part(
            name="spread",
            points=4,
            question="**Derive.** Lecture 6, section 7, computes $E(w_t - \\bar x)^2$ of stochastic descent "
            "with constant step and one row "
            "a step. Now every step averages the gradients of $b$ rows, drawn independently with "
            "replacement. (Not asked, but worth a thought: how does the floor depend on the cost of a "
            "step?)",
            writes=(
                Function(
                    "spread",
                    {
                        "variance": Value("f", (), minimum=0, meaning="s^2 of single rows, with divisor n"),
                        "start": Value("f", (), minimum=0, meaning="(w_0 - mean)^2"),
                        "step": Value("f", (), minimum=0, meaning="eta, 0 < eta < 2"),
                        "batch_size": Value("i", (), minimum=1, meaning="b"),
                        "t": Value("i", (), minimum=0, meaning="number of steps"),
                    },
                    Value("f", ()),
                    "Return the expectation of (w_t - mean)^2.",
                ),
            ),
            claims=(descent_claims.sgd_cheap,),
            adapt=_spread,
        ),
        Part(
            name="Logistic",
            points=5,
            question="**Write logistic regression** with a penalty, for labels $\\pm1$: minimise "
            "$\\sum_i\\log(1 + e^{-y_i(\\langle w, x_i\\rangle + b)}) + "
            "\\frac\\lambda2\\|w\\|^2$, a *sum* where (6.1) of lecture 5 has a mean. The bias is free, and "
            "classes may be separated. The norm of the gradient, in $w$ and $b$ together, must be at most "
            "$10^{-6}\\sum_{ij}|x_{ij}|$, its entry for $b$ at most $10^{-6}n$. "
            "Features come in their own units: plain gradient "
            "descent will not arrive; Newton's method will (lecture 6, section 5.3), if a step is halved "
            "until the loss goes down. Any method is fine.",
            writes=(
                Class(
                    "Logistic",
                    {"strength": Value("f", (), minimum=0, meaning="lambda > 0, as in this sum")},
                    (
                        Function(
                            "learn",
                            {"points": _POINTS, "signs": Value("i", ("n",), meaning="labels -1 and +1")},
                            None,
                            "Find the weights and the bias.",
                        ),
                        Function(
                            "probability",
                            {"points": _POINTS},
                            Value("f", ("n",), minimum=0, maximum=1, meaning="P(+1 | x)"),
                            "Return the estimated probability of +1 for each point.",
                        ),
                    ),
                    "Penalised logistic regression for two classes.",
                    {"weights": Value("f", ("d",), meaning="w"), "bias": Value("f", (), meaning="b")},
                ),
            ),
            often={
                "LinAlgError": "full steps of Newton's method run away, or labels -1 and +1 stand where a "
                "formula has 0 and 1: the probabilities become 0 or 1, and the Hessian singular"
            },
            claims=(optimum_is_stationary, claims.penalty.at(classes=(2,), far=False)),
            adapt=_machine,
        ),
    ),
)
