"""The forms in which claims are written, the two sides they are asked of, and answers that do not fit."""

import re
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from mlnotes import claims, duality, mistakes, tree
from mlnotes.checking import claim, correction, equal, hard_cases, statement, suite
from mlnotes.checking.claims import library
from mlnotes.checking.outputs import OutputError, checked, fitted


def in_topic(check, topic="bayes"):
    check.__module__ = f"mlnotes.claims.{topic}"
    return check


# ------------------------------------------------------------------- the form


def test_a_statement_is_its_docstring_its_module_and_its_name():
    def tie_to_one(risk, rng, *, n=20_000, C=0.001):
        r"""With «n» draws
        and $C = «C»$, ties go to 1."""
        yield equal("draws", n, 20_000)

    item = statement("formula", "3", "Yan, p. 2", "Shi", false_alarm=1e-9)(in_topic(tie_to_one))
    assert (item.id, item.kind, item.section, item.sources) == (
        "bayes.tie-to-one", "formula", "3", ("Yan, p. 2", "Shi"),
    )  # fmt: skip
    assert item.statement == "With 20,000 draws and $C = 0.001$, ties go to 1."
    assert (item.needs, item.random, item.false_alarm, item.estimators_only) == (("risk",), True, 1e-9, "")
    assert item.verify(candidate={"risk": None}).holds


def test_a_name_that_python_keeps_for_itself_has_an_underscore():
    def class_():
        """A class."""
        yield equal("", 1, 1)

    assert statement("definition", "1")(in_topic(class_, "naive_bayes")).id == "naive_bayes.class"


def test_a_correction_has_two_parts_and_perhaps_a_check():
    def erratum_y99(risk):
        r"""Printed: $a < b$.

        Right: $b < a$."""
        yield equal("", risk(), 1)

    item = correction("wrong", "2", "Yan, p. 9")(in_topic(erratum_y99))
    assert (item.id, item.printed, item.corrected, item.group) == (
        "bayes.erratum-y99", "$a < b$.", "$b < a$.", "wrong",
    )  # fmt: skip
    assert (item.kind, item.needs) == ("erratum", ("risk",))

    with pytest.raises(ValueError, match=r"group must be one of wrong, .*, sharper, got 'x'"):
        correction("x", "2")(in_topic(erratum_y99))

    def erratum_y97():
        """Nothing."""

    with pytest.raises(ValueError, match=r"bayes\.erratum-y97: the words must read 'Printed: "):
        correction("wrong", "2")(in_topic(erratum_y97))


def test_a_claim_shows_an_erratum():
    risk = claims.find("bayes.risk")
    item = risk.corrects("y98", "wrong", "2 deeper", "Yan, p. 9", """
        Printed: $a
        < b$.
        Right: $b < a$.""")  # fmt: skip
    assert (item.id, item.kind, item.printed, item.corrected, item.group, item.section, item.sources) == (
        "bayes.erratum-y98", "erratum", "$a < b$.", "$b < a$.", "wrong", "2 deeper", ("Yan, p. 9",),
    )  # fmt: skip
    assert (item.check, item.needs, item.false_alarm) == (risk.check, risk.needs, risk.false_alarm)


# ------------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("answer", "declared", "value"),
    [
        (3, "number", 3.0),
        (np.float32(0.5), "number", 0.5),
        (np.array(2.0), "number", 2.0),
        (Fraction(1, 3), "number", Fraction(1, 3)),
        (np.int8(3), "int", 3),
        (np.bool_(True), "bool", True),
        ([1, 2], "(n,)", [1.0, 2.0]),
        ([[1, 2], [3, 4]], "(d, d)", [[1.0, 2.0], [3.0, 4.0]]),
        ([1, 0], "(n,) int", [1, 0]),
        (["a", "b"], "(n,) any", ["a", "b"]),
        ([[1.0, 2.0]], "(1, d)", [[1.0, 2.0]]),
        ([], "(m,) int", []),
    ],
)
def test_what_fits_arrives_in_one_form(answer, declared, value):
    form = fitted("f", answer, declared)
    assert (form.tolist() if isinstance(form, np.ndarray) else form) == value
    if declared in ("int", "bool"):
        assert type(form).__name__ == declared


@pytest.mark.parametrize(
    ("answer", "declared", "sentence"),
    [
        (None, "(n,)", "f gives None where (n,) is asked for"),
        (1.0, "(n,)", "f gives a single number where (n,) is asked for"),
        ([1.0], "number", "f gives shape (1,) where one number is asked for"),
        ("1", "number", "f gives '1' where one number is asked for"),
        (0.5, "int", "f gives 0.5 where one int is asked for"),
        ([[1, 2]], "(d, d)", "f gives shape (1, 2) where (d, d) is asked for"),
        ([[1, 2]], "(2, d)", "f gives shape (1, 2) where (2, d) is asked for"),
        ([0.5], "(n,) int", "f gives entries of type float64 where (n,) int is asked for"),
        ([[1], [1, 2]], "(n, d)", "f gives rows of different lengths where (n, d) is asked for"),
        (["a"], "(n,)", "f gives entries of type <U1 where (n,) is asked for"),
    ],
)
def test_what_does_not_fit_is_named(answer, declared, sentence):
    with pytest.raises(OutputError, match=re.escape(sentence)):
        fitted("f", answer, declared)


class Model:
    def fit(self, X):
        self.coef_ = [1.0, 2.0]
        return self

    def predict(self, X):
        return [[1]]


def test_a_class_has_its_attributes_and_methods_looked_at():
    answers = {"Model.coef_": "(d,)", "Model.predict": "(n,) int", "Model.alpha_": "number"}
    model = checked("Model", Model, answers)().fit(None)
    assert model.coef_.tolist() == [1.0, 2.0]
    with pytest.raises(OutputError, match=re.escape("Model.predict gives shape (1, 1) where (n,) int")):
        model.predict(None)
    with pytest.raises(OutputError, match=re.escape("Model.alpha_ is missing: number is asked for")):
        _ = model.alpha_
    with pytest.raises(AttributeError):
        _ = model.other
    assert type(checked("Other", Model, answers)().fit(None).coef_) is list
    assert checked("answer", 3, {"answer": "number"}) == 3


def test_a_dual_program_without_its_constraints_fails_and_is_told_what_is_missing():
    class QuadraticProgram(duality.QuadraticProgram):
        def dual_program(self):
            return SimpleNamespace(objective=super().dual_program().objective)

    candidate = mistakes.library("duality") | {"QuadraticProgram": QuadraticProgram}
    verdict = claims.find("duality.recipe").verify(candidate=candidate)
    assert (verdict.status, verdict.reason) == ("fails", "QuadraticProgram.G is missing: (m, n) is asked for")


def test_a_report_has_its_attributes_looked_at():
    report = checked("curve", lambda: SimpleNamespace(area=1, rates=[[0.5]]), {"curve.rates": "(m,)"})()
    assert report.area == 1
    with pytest.raises(OutputError, match=re.escape("curve.rates gives shape (1, 1) where (m,) is asked")):
        _ = report.rates


OUTPUTS = {"risk": "number"}


def test_lists_of_numbers_arrive_as_arrays():
    seen = []
    asked = checked("risk", lambda *given, **options: seen.extend([*given, *options.values()]), {})
    asked(
        [0, 1],
        [[0.5], [1.5]],
        ["a", "b"],
        [[1], [1, 2]],
        [Fraction(1, 2)],
        (1, 2),
        3.0,
        weights=[True, False],
    )
    assert [type(value).__name__ for value in seen] == [
        "ndarray", "ndarray", "list", "list", "list", "tuple", "float", "ndarray",
    ]  # fmt: skip


def test_methods_of_a_model_get_arrays():
    class Plain:
        def fit(self, X, y):
            self.seen = [type(X).__name__, type(y).__name__]
            return self

        def predict(self, Q):
            self.seen.append(type(Q).__name__)
            return np.zeros(len(Q))

    for answers in ({}, {"Plain.predict": "(n,)"}):
        model = checked("Plain", Plain, answers)().fit([[0.5], [1.5]], [0, 1])
        model.predict([[1.0]])
        assert model.seen == ["ndarray"] * 3
    assert isinstance(checked("Plain", Plain, {})(), Plain)


def test_a_wrong_answer_is_a_verdict_and_no_error():
    def check(risk):
        """A risk is a number."""
        yield equal("", risk(), 1)

    item = claim("bayes.test", kind="claim", statement="")(check)
    verdict = item.verify(candidate={"risk": lambda: [1.0]})
    assert (verdict.status, verdict.reason) == (
        "fails",
        "risk gives shape (1,) where one number is asked for",
    )

    def asks_for_an_option(Perceptron):
        yield equal("", Perceptron(pick="worst"), 1)

    item = claim("perceptron.test", kind="claim", statement="", section="2")(asks_for_an_option)
    reason = item.verify(candidate={"Perceptron": lambda: 1}).reason
    assert reason.endswith("; what this claim needs is described in "
                           "lectures/07_perceptron.ipynb, section 2")  # fmt: skip


# ------------------------------------------------------------------- reference and estimators


def made(check, id="pca.test", **options):
    return claim(id, kind="claim", statement="", section="1", **options)(check)


def test_a_claim_is_asked_of_both_where_they_differ():
    def both(PCA): ...
    def once(captured_variance): ...
    def neither(): ...

    assert made(both).sides() == ("reference", "estimators")
    assert made(both, estimators_only="A loop is too slow.").sides() == ("estimators",)
    assert made(once).sides() in (("reference",), ("reference", "estimators"))
    assert made(neither).illustration
    assert made(lambda no_such_name: None).sides() == ("estimators",)
    assert made(lambda moons: None, id="datasets.test").sides() == ("reference",)
    with pytest.raises(LookupError, match="the reference of pca have no Perceptron, nor have the data sets"):
        library("pca", "Perceptron", "reference")


def test_verified_opens_to_the_tables_and_stops_at_a_failure(monkeypatch):
    shown = claims.verified("pca", section="1")
    assert re.fullmatch(r"\d+ statements? holds? \(seed 0\)", str(shown))
    html = shown._repr_html_()
    assert html.count("<table>") == len(shown)
    assert html.startswith("<details")
    assert len(claims.verified("pca")) > len(shown)
    with pytest.raises(ValueError, match="section must be one of lecture pca, got '99'"):
        claims.verified("pca", section="99")

    def check(PCA):
        yield equal("one", 2, 1)

    monkeypatch.setattr(claims, "of", lambda topic: (made(check),))
    with pytest.raises(AssertionError, match=r"FAILS  pca\.test"):
        claims.verified("pca")


def test_an_endless_answer_ends_at_the_limit(tmp_path):
    (tmp_path / "mine.py").write_text("def components_for(*a):\n    while True: pass\n")
    chosen = [c for c in claims.of("pca") if "components_for" in c.needs][:1]
    ((outcome,),) = suite.run(chosen, candidate=str(tmp_path / "mine.py"), limit=0.2)
    assert (outcome.side, outcome.holds) == ("candidate", False)
    assert outcome.verdict.reason.startswith("no answer within 0.2 s (--limit) (")
    assert outcome.verdict.reason.endswith("mine.py, line 2, in components_for)")


# ------------------------------------------------------------------- programs with no more than is asked for


class NaiveTree:
    """CART by the Gini index: every leaf is a list of rows, and nothing is stored as an array."""

    def __init__(self, max_depth=99, min_samples_split=2, min_samples_leaf=1):
        self.depth, self.split, self.least = max_depth, min_samples_split, min_samples_leaf

    def fit(self, X, y):
        self.classes, self.leaves = sorted(set(y.tolist())), 0
        self.gain, n = dict.fromkeys(range(X.shape[1]), 0.0), len(y)

        def risk(rows):
            return len(rows) - sum(list(y[rows]).count(c) ** 2 for c in self.classes) / len(rows)

        def grow(rows, depth):
            cuts = []
            if depth and len(set(y[rows])) > 1 and len(rows) >= self.split:
                for j in range(X.shape[1]):
                    for t in sorted(set(X[rows, j]))[:-1]:
                        low, high = rows[X[rows, j] <= t], rows[X[rows, j] > t]
                        if min(len(low), len(high)) >= self.least:
                            after = risk(low) + risk(high)
                            cuts.append((round(after, 9), j, t, after))
            if not cuts:
                self.leaves += 1
                return self.leaves, [float(np.mean(y[rows] == c)) for c in self.classes]
            _, j, t, after = min(cuts)
            self.gain[j] += (risk(rows) - after) / n
            return j, t, *(grow(rows[s], depth - 1) for s in (X[rows, j] <= t, X[rows, j] > t))

        self.root = grow(np.arange(n), self.depth)
        gain = np.array(list(self.gain.values()))
        self.feature_importances_ = gain / (gain.sum() or 1)
        return self

    def leaf(self, x):
        node = self.root
        while len(node) == 4:
            node = node[2] if x[node[0]] <= node[1] else node[3]
        return node

    def apply(self, X):
        return [self.leaf(x)[0] for x in X]

    def predict_proba(self, X):
        return [self.leaf(x)[1] for x in X]

    def predict(self, X):
        return [self.classes[int(np.argmax(shares))] for shares in self.predict_proba(X)]


class NaiveNeighbors:
    def __init__(self, n_neighbors):
        self.k = n_neighbors

    def fit(self, X, y):
        self.X, self.y = X.astype(float), y
        return self

    def kneighbors(self, Q=None, n_neighbors=None):
        squares = np.array([((self.X - q) ** 2).sum(axis=1) for q in (self.X if Q is None else Q)])
        if Q is None:
            np.fill_diagonal(squares, np.inf)
        near = np.argsort(squares, axis=1, kind="stable")[:, : n_neighbors or self.k]
        return np.array([np.sqrt(row[places]) for row, places in zip(squares, near, strict=True)]), near

    def predict(self, Q):
        near = [np.argsort(((self.X - q) ** 2).sum(axis=1), kind="stable")[: self.k] for q in Q]
        labels, votes = zip(*(np.unique(self.y[rows], return_counts=True) for rows in near), strict=True)
        return [names[count.argmax()] for names, count in zip(labels, votes, strict=True)]

    def predict_proba(self, Q):
        near = self.kneighbors(Q)[1]
        return np.array([[np.mean(self.y[places] == k) for k in np.unique(self.y)] for places in near])


OF_TREES = ("setup", "stopping", "cart-growing", "importances", "leaf-vote", "unstable", "erratum-r14")
OF_NEIGHBORS = ("rule", "distances", "train-error-zero", "knn-vote", "knn-figure", "leave-one-out")


@pytest.mark.parametrize(
    ("id", "answer"),
    [(f"tree.{name}", {"DecisionTreeClassifier": NaiveTree, "grow": tree.grow}) for name in OF_TREES]
    + [(f"neighbors.{name}", {"KNeighborsClassifier": NaiveNeighbors}) for name in OF_NEIGHBORS],
)
def test_a_naive_program_holds(id, answer):
    for seed in range(3):
        assert claims.find(id).verify(seed=seed, candidate=answer, side="reference").holds, (id, seed)


# ------------------------------------------------------------------- hard cases


def test_hard_cases_run_with_their_statement_and_stay_out_of_its_box():
    item = made(lambda risk: [equal("mean", risk([1, 3]), 2)])

    @hard_cases(item)
    def one_observation(risk, rng):
        yield equal("one observation", risk([rng.integers(5)] * 1), item.generator(0).integers(5))

    @hard_cases(item, estimators_only="The reference module does not validate its input.")
    def no_observation(refuses_nothing): ...

    assert (item.needs, item.random) == (("risk",), True)
    verdict = item.verify(candidate={"risk": np.mean})
    assert [e.what for e in verdict.evidence] == ["mean", "one observation"]
    assert verdict.holds
    assert not item.verify(candidate={"risk": lambda x: 2}).holds


def test_a_constant_of_hard_cases_can_be_changed():
    item = made(lambda risk: [equal("mean", risk([1, 3]), 2)])

    @hard_cases(item)
    def repeated(risk, *, n=50):
        yield equal("repeated", risk([7] * n), 7)

    assert item.sizes == {"n": 50}
    small = item.at(n=2)
    assert (small.sizes, item.sizes) == ({"n": 2}, {"n": 50})
    seen = []
    small.verify(candidate={"risk": lambda x: seen.append(len(x)) or np.mean(x)})
    assert seen == [2, 2]
