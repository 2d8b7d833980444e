"""Homework 1: Bayes rule. Seven questions, 20 points; the claims that decide are those of the lecture."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mlnotes import bayes
from mlnotes.claims import Evidence, bayes_estimates, claim, equal, rounding
from mlnotes.claims import bayes as claims
from mlnotes.claims.gaussians import gauss, plugged_in
from mlnotes.homework.core import Assignment, Class, Function, Part, Value, changing, converted, replaced
from mlnotes.laws import random_finite_law

# ------------------------------------------------------------------- claims of this homework alone

COSTS = {
    "in hundreds": [[1000, 900, 800], [950, 700, 900], [1000, 800, 900]],
    "where a right answer is not free": [[9, 1, 1], [2, 9, 3], [2, 2, 9]],
    "where the largest cost is another rule's": [[0, 6, 2], [7, 0, 9], [5, 7, 0]],
    "some negative": [[0, -5, 1], [1, 0, -2], [1, 1, 0]],
}
CLOSE = (
    [
        *([2, -2], [3, 2], [2, -1], [3, 0], [3, -1], [-2, 3], [1, 0]),
        *([4, 3], [-1, 1], [3, 2], [2, 1]),
        *([1, 0], [-2, 1], [2, 4]),
    ],
    [0] * 7 + [1] * 4 + [2] * 3,
    [[-1, 1], [2, 1], [0, 2], [5, 4]],
)
IN_SPACE = (
    [
        *([3, -2, -3], [3, 1, 2], [2, -1, 3], [1, 1, -1], [-1, -1, 1]),
        *([0, -3, -3], [-2, 0, 1], [3, 2, -2], [0, 2, 3], [0, 2, -2], [0, 3, -1]),
    ],
    [0] * 5 + [1] * 6,
    [[0, 3, -1], [-2, -2, 2]],
)


@claim(
    "hw01.decide",
    kind="homework",
    section="lectures/01_bayes.ipynb, section 4",
    statement=r"At each atom the answer $k$ has the largest mass $P(X = x, Y = k)$ of all classes: it is "
    "most probable given $X = x$ where there is mass, and any class will do elsewhere.",
)
def answers_of_largest_mass(decide, rng, *, m=5, bits=16) -> Iterator[Evidence]:
    """Ask by the joint law, in which the lecture's rule cannot be asked, and where an atom has no mass."""
    empty = np.array([[4, 3, 1], [2, 9, 5], [0, 0, 0], [1, 2, 5]]) / 32
    for joint in (random_finite_law(rng, m, 4, denominator=2**bits).table(), empty):
        chosen = claims.entries(joint, decide(joint))
        yield equal("P(X = x, Y = answer) at each atom", chosen, joint.max(axis=1), joint=joint)


@claim(
    "hw01.least",
    kind="homework",
    section="lectures/01_bayes.ipynb, section 4",
    statement=r"With $K$ classes the Bayes risk is $1 - E\max_k \eta_k(X)$, the least of the $K^m$ risks.",
)
def least_of_many(least_error, rng, *, m=5, bits=16) -> Iterator[Evidence]:
    """Compare with the enumeration of all rules, in fractions."""
    for n_classes, n_null in ((3, 0), (4, 1)):
        law = random_finite_law(rng, m, n_classes, n_null=n_null, denominator=2**bits)
        least, value = claims.least_cost(law), least_error(law.table())
        yield equal(f"Bayes risk of {n_classes} classes", value, least, rounding(20), joint=law.table())
    many = np.array([[3, 1, 2], [1, 2, 1], [0, 1, 5], [2, 2, 0]] * 10) / 200  # no search ends in time
    yield equal("Bayes risk on 40 points", least_error(many), 0.4, rounding(240), joint=many)


def _least_cost(choose: Any, words: str, costs: Any) -> Evidence:
    posterior = np.array([[3, 8, 5], [9, 1, 6], [4, 5, 7], [2, 4, 10]]) / 16
    cost = np.array(costs, dtype=np.float64)
    expected = posterior @ cost  # sixteenths: exact
    paid, best = claims.entries(expected, choose(posterior, cost)), expected.min(axis=1)
    slack = rounding(3, abs(cost).max())
    return equal(f"expected cost of the answer to each row, {words}", paid, best, slack)


@claim(
    "hw01.choose",
    kind="homework",
    section="lectures/01_bayes.ipynb, section 5",
    statement=r"For any real costs, also of a right answer and negative ones, the answer $a$ to each row has "
    r"the least $\sum_k P(k) \, c(k, a)$.",
)
def answers_of_least_cost(choose) -> Iterator[Evidence]:
    """Ask for costs that no loss of the lecture has, and that other rules than the expected cost answer."""
    for words, costs in COSTS.items():
        yield _least_cost(choose, words, costs)


@claim(
    "hw01.answers",
    kind="homework",
    section="lectures/01_bayes.ipynb, section 5",
    statement="The answers are the columns of the cost matrix, more or fewer than the classes.",
)
def as_many_answers_as_columns(choose) -> Iterator[Evidence]:
    """Ask for more answers, then for fewer: the lecture's losses have as many as there are classes."""
    yield _least_cost(choose, "four answers", [[0, 9, 9, 2], [8, 0, 9, 2], [9, 6, 0, 2]])
    yield _least_cost(choose, "two answers", [[2, 9], [5, 0], [5, 4]])


@claim(
    "hw01.fit",
    kind="homework",
    section="lectures/01_bayes.ipynb, section 9",
    statement=r"The estimates are $\hat\pi_k = n_k / n$, the class means, and the class covariances with "
    r"divisor $n_k$.",
)
def fit_is_maximum_likelihood(PlugIn, rng, *, n_0=5, n_1=6, n_2=7) -> Iterator[Evidence]:
    """Compare the fitted parameters with exact sums over integers."""
    counts = np.array([n_0, n_1, n_2])
    X = rng.integers(-8, 9, (counts.sum(), 2)).astype(np.float64)
    y = np.repeat([0, 1, 2], counts)
    for k in range(3):
        X[np.flatnonzero(y == k)[:3]] += [[20.0, 0], [0, 20.0], [-20.0, -20.0]]  # no class on a line
        X[y == k] += [8.0 * k + 5, 3 - 6.0 * k]
    model = PlugIn()
    model.fit(X, y)
    groups = [X[y == k] for k in range(3)]
    means = np.array([rows.sum(axis=0) / len(rows) for rows in groups])
    second = [rows.T @ rows / len(rows) - np.outer(m, m) for rows, m in zip(groups, means, strict=True)]
    yield equal("prior", model.prior, counts / len(X), rounding(2), X=X, y=y)
    yield equal("means", model.means, means, rounding(7, 49), X=X, y=y)
    words = "covariances, each around its class's mean and with divisor n_k"
    yield equal(words, model.covariances, np.array(second), rounding(14, 49**2), X=X, y=y)


@claim(
    "hw01.classify",
    kind="homework",
    section="lectures/01_bayes.ipynb, section 10",
    statement=r"The posterior is Bayes' formula with the estimates, for any number of classes and features "
    "and in any unit, and the answer is its largest entry, be it below 1/2.",
)
def answers_are_most_probable(PlugIn) -> Iterator[Evidence]:
    """Ask of close classes of few rows: the lecture's, far apart and of equal size, leave it to chance.

    There the largest density, the nearest mean and the class above 1/2, if any, are answers to other
    questions. In the second unit the determinants are 0 in double precision, and the posterior is the same.
    """
    tables = zip(
        ("", " of 3 features, in a unit where det is 0"), (CLOSE, IN_SPACE), (1, 2.0**-200), strict=True
    )
    for words, (rows, labels, places), unit in tables:
        X, y, points = np.array(rows) * 1.0, np.array(labels), np.array(places) * 1.0
        expected, slack = plugged_in(X, y, points)
        model = PlugIn()
        model.fit(unit * X, y)
        yield equal(f"posterior{words}", model.posterior(unit * points), expected, slack)
        yield equal(f"most probable classes{words}", model.predict(unit * points), expected.argmax(axis=1))


@claim(
    "hw01.beers",
    kind="homework",
    section="lectures/deeper/01_bayes.ipynb, section 7",
    statement=r"The student passes iff laziness is at most $c - x_1 - x_2$: the probability is the "
    r"integral of $\lambda e^{-\lambda s}$ up to there, 0 where nothing is left.",
)
def laziness_below_the_rest(pass_probability, rng, *, n=2) -> Iterator[Evidence]:
    """Integrate the density for other limits and rates than the lecture's 7 and 1."""
    nodes, weights = gauss(0.0, 1.0, 40)
    for limit, rate in ((4.0, 1.5), (9.0, 0.5), (rng.integers(8, 33) / 4, 0.75)):
        X = np.vstack([[[0.5, 1.5], [limit, 1.0]], rng.integers(0, 9, (n, 2)) / 8])
        room = np.maximum(0, limit - X.sum(axis=1))
        integral = rate * room * (np.exp(-rate * np.outer(room, nodes)) @ weights)
        eta = pass_probability(X, float(limit), rate)
        yield equal("mass of laziness up to what is left", eta, integral, rounding(40, 7), X=X)


# ------------------------------------------------------------------- from the student's names to the claims'


def _decisions(student: Mapping[str, Any]) -> Mapping[str, Any]:
    decide = student["decide"]
    return {"bayes_rule": lambda posterior: decide(np.asarray(posterior) / len(posterior)), "decide": decide}


def _choices(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def rule(posterior: Any, loss: Any) -> Any:
        costs = np.asarray(loss, dtype=np.float64).T.copy()  # the homework's rows are truths
        return student["choose"](np.asarray(posterior, dtype=np.float64), costs)

    return {"bayes_rule_for_loss": rule, "choose": student["choose"]}


def _threshold(student: Mapping[str, Any]) -> Mapping[str, Any]:
    priors = itertools.cycle((0.5, 0.125, 0.75, 0.25))

    def cost_threshold(cost_fp: float, cost_fn: float) -> Any:
        prior = next(priors)  # at the threshold eta is the same, whatever the prior
        odds = student["threshold"](prior, float(cost_fp), float(cost_fn)) + math.log(prior / (1 - prior))
        return np.exp(-np.logaddexp(0, -odds))

    return {"cost_threshold": cost_threshold, "bayes_rule_binary": bayes.bayes_rule_binary}


def _beers(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted:
        """The law of the lecture."""

        def posterior(self, X: Any) -> Any:
            eta = student["pass_probability"](X, 7.0, 1.0)
            return np.column_stack([1 - np.asarray(eta), eta])

    return {"BeersLaw": Adapted, **student}


def _classifier(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted:
        """The student's class under the method names of the claims."""

        def __init__(self) -> None:
            self.model = student["PlugIn"]()

        def fit(self, X: Any, y: Any) -> Adapted:
            self.model.fit(X, y)
            return self

        def predict_proba(self, X: Any) -> Any:
            return self.model.posterior(X)

        def predict(self, X: Any) -> Any:
            return self.model.predict(X)

    return {"PlugInClassifier": Adapted, "PlugIn": student["PlugIn"]}


# ------------------------------------------------------------------- the same questions in other conventions


def _with_answers_in_rows(part: Part) -> Part:
    cost = Value("f", ("A", "K"), meaning="cost[a, k]: the answer a when the truth is k")
    question = replaced(part.question, "the *rows are the truth*", "the *rows are the answers*")

    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        return _choices({"choose": lambda posterior, costs: student["choose"](posterior, costs.T)})

    return replace(part, question=question, writes=(_taking(part.writes[0], cost=cost),), adapt=adapt)


def _tables_turned(whole: Assignment) -> Assignment:
    turn = changing(decide=_with_classes_in_rows, errors=_with_classes_in_rows, least=_with_classes_in_rows)
    intro = replaced(whole.intro, "`(m, K)` with `joint[x, k]`", "`(K, m)` with `joint[k, x]`")
    return replace(turn(whole), intro=intro)


def _from_the_classes(part: Part) -> Part:
    shape = part.writes[0].parameters["joint"].shape

    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def least_error(joint: Any) -> Any:
            joint = np.asarray(joint, dtype=np.float64)
            prior = joint.sum(axis=shape.index("m"))
            beside = np.expand_dims(np.where(prior > 0, prior, 1.0), shape.index("m"))
            return student["least_error"](prior, joint / beside)

        return {"least_error": least_error}

    places = ", ".join("x" if letter == "m" else "k" for letter in shape)
    parameters = {
        "prior": Value("f", ("K",), minimum=0, maximum=1, meaning="P(Y = k)"),
        "conditional": Value(
            "f", shape, minimum=0, maximum=1, meaning=f"[{places}]: P(X = x | Y = k); 0 where P(Y = k) = 0"
        ),
    }
    words = ("", "Here you get the priors and the law of $X$ *within each class*, and no joint law.")
    written = replace(part.writes[0], parameters=parameters)
    return converted(part, convert, words, writes=(written,))


def _with_classes_in_rows(part: Part) -> Part:
    def turned(function: Any) -> Any:
        return lambda *arguments: function(*(np.asarray(argument).T for argument in arguments))

    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        return part.bind({name: turned(function) for name, function in student.items()})

    joint = replace(_JOINT, shape=("K", "m"), meaning="joint[k, x] = P(X = x, Y = k); sums to 1")
    return replace(part, writes=(_taking(part.writes[0], joint=joint),), adapt=adapt)


def _with_gains(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def threshold(prior: float, cost_fp: float, cost_fn: float) -> Any:
            gain = min(cost_fp, cost_fn) / 2  # less for a right answer is as much more for a wrong one
            return -student["threshold"](prior, cost_fp - gain, cost_fn - gain, gain)

        return {"threshold": threshold}

    (written,) = part.writes
    gain = Value("f", (), minimum=0, meaning="earned by every right answer, of either class")
    written = replace(
        _taking(written, gain=gain), doc=replaced(written.doc, "log(f1/f0) >= t", "log(f0/f1) <= t")
    )
    return converted(
        part,
        convert,
        (r"$\log(f_1(x)/f_0(x)) \ge t$", r"$\log(f_0(x)/f_1(x)) \le t$"),
        ("", "Here a right answer is not free: it *earns* `gain`."),
        writes=(written,),
    )


def _taking(item: Function | Class, **changed: Value) -> Function | Class:
    return replace(item, parameters=dict(item.parameters) | changed)


# ------------------------------------------------------------------- the assignment

_JOINT = Value("f", ("m", "K"), minimum=0, maximum=1, meaning="joint[x, k] = P(X = x, Y = k); sums to 1")
_POINTS = Value("f", ("n", "d"), meaning="one row a point, d >= 2")

assignment = Assignment(
    id="hw01",
    title="Bayes rule",
    lecture="lectures/01_bayes.ipynb",
    intro="You need NumPy and the lecture, nothing else. Any choice among equally good answers is right. "
    "Laws on finite domains are tables `joint` of shape `(m, K)` with `joint[x, k]` "
    "$= P(X = x, Y = k)$; an atom may have mass 0.",
    variants=(
        changing(choose=_with_answers_in_rows),
        _tables_turned,
        changing(threshold=_with_gains),
        changing(least=_from_the_classes),
    ),
    parts=(
        Part(
            name="decide",
            points=4,
            question="**Decide.** The law is known: at each atom $x$ choose the class that is most "
            "probable given "
            "$X = x$ (section 4), for any number of classes $K \\ge 1$. Do you need the conditional "
            "probabilities for this?",
            writes=(
                Function(
                    "decide",
                    {"joint": _JOINT},
                    Value("i", ("m",), minimum=0, meaning="class chosen at each atom", below="K"),
                    "Return a most probable class at each atom; any choice will do in a tie.",
                ),
            ),
            claims=(claims.rule_multi, answers_of_largest_mass),
            adapt=_decisions,
        ),
        Part(
            name="errors",
            points=2,
            question="**How often is that wrong?** Write the probability that a given rule errs (section "
            "1.2).",
            writes=(
                Function(
                    "error_probability",
                    {
                        "rule": Value("i", ("m",), minimum=0, meaning="the answer at each atom"),
                        "joint": _JOINT,
                    },
                    Value("f", (), meaning="probability"),
                    "Return P(rule(X) != Y).",
                ),
            ),
            claims=(claims.setup_risk01,),
            adapt=lambda student: {"risk": student["error_probability"]},
        ),
        Part(
            name="least",
            points=2,
            question="**How often must anybody be wrong?** Write the least probability of an error that any "
            "rule can "
            "reach, the Bayes risk (sections 3.4 and 4), for any number of classes.",
            often={"TIME": "all rules are tried, of which there are K^m"},
            writes=(
                Function(
                    "least_error",
                    {"joint": _JOINT},
                    Value("f", (), meaning="probability"),
                    "Return the smallest P(f(X) != Y) of any rule f. Do not search: use the formula.",
                ),
            ),
            claims=(claims.risk, claims.risk_overlap, least_of_many),
            adapt=lambda student: {
                "bayes_risk": student["least_error"],
                "least_error": student["least_error"],
            },
        ),
        Part(
            name="choose",
            points=4,
            question="**Unequal costs.** Reading a stop sign as a speed limit is worse than the reverse "
            "(section 5). "
            "Write the best rule for any cost matrix: a right answer may cost something, a negative cost is "
            "a gain, and there may be more or fewer answers than classes. In the lecture's matrix a row is "
            "an answer; here the *rows are the truth*.",
            writes=(
                Function(
                    "choose",
                    {
                        "posterior": Value("f", ("n", "K"), minimum=0, maximum=1, meaning="rows sum to 1"),
                        "cost": Value(
                            "f", ("K", "A"), meaning="cost[k, a]: the answer a when the truth is k"
                        ),
                    },
                    Value("i", ("n",), minimum=0, meaning="answer for each row", below="A"),
                    "Return the answer of least expected cost at each point; any choice will do in a tie.",
                ),
            ),
            claims=(
                claims.general_loss_rule,
                claims.traffic_signs,
                answers_of_least_cost,
                as_many_answers_as_columns,
            ),
            adapt=_choices,
            given={"bayes_rule": bayes.bayes_rule},
        ),
        Part(
            name="threshold",
            points=2,
            question="**Derive.** Two classes with densities $f_0, f_1$, prior $p = P(Y = 1)$, and the costs "
            "$c_{FP}$ of answering 1 when the truth is 0 and $c_{FN}$ of answering 0 when it is 1. The "
            "best rule "
            r"answers 1 iff $\log(f_1(x)/f_0(x)) \ge t$. Derive $t$, another one than "
            r"the threshold on $\eta$ in (5.4), from sections 5 and 6.",
            writes=(
                Function(
                    "threshold",
                    {
                        "prior": Value("f", (), meaning="P(Y = 1), strictly between 0 and 1"),
                        "cost_fp": Value("f", (), minimum=0, meaning="positive"),
                        "cost_fn": Value("f", (), minimum=0, meaning="positive"),
                    },
                    Value("f", (), meaning="threshold on the natural logarithm of the ratio"),
                    "Return t such that answering 1 iff log(f1/f0) >= t has the least expected cost.",
                ),
            ),
            claims=(claims.cost_threshold.at(costs=((1, 1), (1, 7), (9, 2), (4, 1), (2, 5)), domain=False),),
            adapt=_threshold,
        ),
        Part(
            name="beers",
            points=2,
            question=r"**Derive.** A student sleeps $x_1$ hours and drinks $x_2$ beers a day, and is lazy to "
            r"a degree $s \ge 0$ that nobody sees: independent of both, with density "
            r"$\lambda e^{-\lambda s}$, $\lambda > 0$. The student passes iff $x_1 + x_2 + s \le c$. (With "
            r"$\lambda = 1$, $c = 7$ it "
            "is the example of section 7 of `lectures/deeper/01_bayes.ipynb`, where sleep harms, too.) "
            "What is the probability of passing, given $x_1$ and $x_2$?",
            writes=(
                Function(
                    "pass_probability",
                    {
                        "X": Value("f", ("n", 2), minimum=0, meaning="sleep and beers"),
                        "limit": Value("f", (), minimum=0, meaning="c > 0"),
                        "rate": Value("f", (), minimum=0, meaning="lambda > 0"),
                    },
                    Value("f", ("n",), meaning="probability of passing"),
                    "Return P(pass | x1, x2) for each row.",
                ),
            ),
            claims=(laziness_below_the_rest, claims.beers_eta),
            adapt=_beers,
        ),
        Part(
            name="plugin",
            points=4,
            question="**Build.** The law is unknown: estimate priors by frequencies and a Gaussian for "
            "each class by "
            "maximum likelihood (divisor $n_k$, section 9), and plug them into Bayes' formula (section "
            "10). Work with "
            "logarithms: densities underflow (section 2.3), and so may determinants. `fit` sets the "
            "attributes named below; what it returns does not matter.",
            writes=(
                Class(
                    "PlugIn",
                    {},
                    (
                        Function(
                            "fit",
                            {"X": _POINTS, "y": Value("i", ("n",), minimum=0, meaning="classes 0..K-1")},
                            None,
                            "Estimate priors, means and covariances; every class has more than d rows.",
                        ),
                        Function(
                            "posterior",
                            {"X": _POINTS},
                            Value("f", ("n", "K"), meaning="estimated P(Y = k | x), rows sum to 1"),
                            "Return the estimated posterior of each row.",
                        ),
                        Function(
                            "predict",
                            {"X": _POINTS},
                            Value("i", ("n",), meaning="class 0..K-1"),
                            "Return the most probable class of each row.",
                        ),
                    ),
                    "The Gaussian plug-in classifier.",
                    attributes={
                        "prior": Value("f", ("K",), meaning="estimated class probabilities"),
                        "means": Value("f", ("K", "d"), meaning="one row a class"),
                        "covariances": Value("f", ("K", "d", "d"), meaning="divisor n_k"),
                    },
                ),
            ),
            claims=(
                fit_is_maximum_likelihood,
                answers_are_most_probable,
                bayes_estimates.plugin_generative,
                replace(bayes_estimates.plugin_far_points, section="2.3"),
            ),
            adapt=_classifier,
        ),
    ),
)
