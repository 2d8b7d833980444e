"""What a claim is: relations, names asked for, verdicts, records, boxes; and that all of them hold."""

import ast
import functools
import importlib
import inspect
import json
import math
import pickle
import re
import time
from fractions import Fraction as F
from itertools import pairwise
from pathlib import Path

import nbformat
import numpy as np
import pytest

from mlnotes import LECTURES, claims, mistakes
from mlnotes.checking import at_least, at_most, boxes, claim, equal, hoeffding, misprint, rounding, within
from mlnotes.checking.claims import KINDS
from tests.yardsticks import pace

ROOT = Path(__file__).resolve().parents[1]
TOPICS = claims.topics()
ALL = [item for topic in TOPICS for item in claims.of(topic)]
NAN, INF = math.nan, math.inf
U = 2.0**-53


def words(text):
    return text.split()


def made(check, **options):
    """A claim of the topic bayes whose check is the given generator function."""
    return claim("bayes.test", **{"kind": "claim", "statement": "A statement."} | options)(check)


# ------------------------------------------------------------------- relations


@pytest.mark.parametrize(
    ("item", "holds"),
    [
        (at_most("", 1, 1), True),
        (at_most("", 1 + 2 * U, 1), False),
        (at_most("", 1 + 2 * U, 1, 2 * U), True),
        (at_least("", 1 - U, 1), False),
        (at_least("", 1 - U, 1, U), True),
        (equal("", 1.5, 1.0, 0.5), True),
        (equal("", 0.4, 1.0, 0.5), False),
        (within("", 0.0, 0, 1), True),
        (within("", 1.0, 0, 1), True),
        (within("", -0.1, 0, 1), False),
        (within("", -0.1, 0, 1, 0.125), True),
        (equal("", NAN, NAN), False),
        (at_most("", NAN, INF), False),
        (at_least("", 1.0, NAN), False),
        (within("", 0.5, 0, NAN), False),
        (equal("", 1.0, 1.0, NAN), False),
        (equal("", INF, INF), True),
        (equal("", INF, -INF), False),
        (equal("", INF, 1e308, 1e308), False),
        (at_most("", -INF, 0), True),
        (at_most("", INF, INF), True),
        (at_least("", 5, -INF), True),
        (at_most("", INF, 5, INF), False),
        (equal("", F(1, 3), F(1, 3)), True),
        (equal("", F(1, 3), 1 / 3), True),  # against a float as the nearest float
        (equal("", F(1, 3), 1 / 3 + U), False),
        (equal("", F(1, 3), 1 / 3 + U, U), True),
        (at_most("", F(1, 3), F(1, 3) - F(1, 10**50)), False),
        (within("", F(1, 2), F(1, 3), F(2, 3)), True),
        (equal("", [F(1, 2), F(1, 3)], [F(1, 2), F(1, 3)]), True),
        (equal("", 10**400, 10**400), True),
        (equal("", 2**63, 2**63), True),
        (equal("", np.uint64(2**63 + 1), 2**63), False),
        (at_least("", np.int64(-(2**63)), 0), False),  # no difference wraps around
        (equal("", np.array([-(2**63)]), 0), False),
        (at_least("", np.uint8(1), np.uint8(2)), False),
        (at_most("", np.int8(100), np.int8(-100)), False),
        (equal("", True, True), True),
        (equal("", np.True_, 1), True),
        (equal("", False, True), False),
        (equal("", "i", "i"), True),
        (equal("", "i", "f"), False),
        (equal("", "1", 1), False),
        (equal("", ["a", "b"], ["a", "b"]), True),
        (equal("", ["a", "b"], "a"), False),
        (equal("", [1, 2], [1, 2]), True),
        (equal("", [1, 2, 4], [1, 2, 3], [0, 0, 1]), True),
        (at_most("", [[1, 2], [3, 4]], 4), True),
        (at_most("", [1, NAN], 4), False),
        (at_most("", [1, 2, 3], [1, 2, 2.5]), False),
        (equal("", [1, 2], [[1], [2]]), False),
        (equal("", [1, 1], [1, 1, 1]), False),
        (equal("", 1, [1, 1]), False),
        (equal("", [1], 1), True),
        (equal("", [], []), False),
        (equal("", np.zeros((0, 2)), 0), False),
        (equal("", 1j, 1j), False),
        (equal("", b"a", b"a"), False),
        (equal("", np.datetime64("2020-01-01"), np.datetime64("2020-01-01")), False),
    ],
)
def test_relation(item, holds):
    assert item.holds is holds
    json.dumps(item.as_dict(), allow_nan=False)


def test_an_array_shows_its_first_broken_entry_or_the_closest_one():
    broken = at_most("loss", [[0, 5], [9, 1]], [[1, 4], [4, 4]])
    assert (broken.what, broken.measured, broken.bound) == ("loss (2 of 4 hold; entry [0, 1])", 5, 4)
    kept = at_least("loss", [3.0, 2.0, 7.0], 1)
    assert (kept.what, kept.measured, kept.bound) == ("loss (3 of 3 hold; entry [1])", 2.0, 1)
    nan = equal("loss", [1.0, NAN, 5.0], 1.0)
    assert nan.what == "loss (1 of 3 hold; entry [1])"
    pair = within("loss", [1, 9], [0, 0], [5, 6], 2)
    assert (pair.measured, pair.bound, pair.tolerance) == (9, (0, 6), 2)


def test_what_is_no_measurement_says_so():
    assert equal("x", [], []).measured == "nothing"
    assert equal("x", 1j, 1j).measured == "values of type complex128"
    wrong = equal("x", [[1, 2]], [1, 2])
    assert (wrong.measured, wrong.bound) == ("shape (1, 2)", "shape (2,)")


def test_evidence_is_plain():
    item = equal("x", np.float32(0.5), np.int16(1), np.float64(0.5), X=np.eye(2))
    assert [type(v) for v in (item.measured, item.bound, item.tolerance, item.holds)] == [
        float,
        int,
        float,
        bool,
    ]
    assert item.as_dict() == {
        "what": "x", "measured": 0.5, "relation": "equal", "bound": 1, "tolerance": 0.5, "holds": True,
    }  # fmt: skip
    assert item.instance["X"].tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (F(1, 3), "1/3"),
        (F(4, 2), 2),
        (NAN, "nan"),
        (-INF, "-inf"),
        (True, True),
        ("a", "a"),
        (10**30, 10**30),
    ],
)
def test_values_in_the_record(value, shown):
    record = equal("x", value, value).as_dict()
    assert record["measured"] == record["bound"] == shown
    assert type(record["measured"]) is type(shown)


def test_the_record_of_an_interval_is_a_pair():
    assert within("x", F(1, 2), F(1, 3), INF).as_dict()["bound"] == ["1/3", "inf"]


# ------------------------------------------------------------------- tolerances


def test_rounding_covers_sums_in_any_order():
    rng = np.random.default_rng(0)
    for n in (3, 100, 5000):
        a, b = rng.standard_normal((2, n))
        exact = sum(F(x) * F(y) for x, y in zip(a.tolist(), b.tolist(), strict=True))
        scale = float(abs(a * b).sum())
        loops = sum(x * y for x, y in zip(a, b, strict=True))
        errors = [
            abs(float(F(float(way)) - exact)) for way in (a @ b, (a * b).sum(), loops, a[::-1] @ b[::-1])
        ]
        assert max(errors) <= rounding(n, scale) / 1000
    assert rounding(7, 3.0) == 7000 * U * 3


def test_hoeffding_is_a_bound_on_exact_binomial_tails():
    for n, p, failure in ((50, 0.5, 1e-3), (200, 0.1, 1e-9), (30, 0.9, 0.05)):
        band = hoeffding(n, failure)
        tail = sum(
            math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1) if abs(k / n - p) >= band
        )
        assert tail <= failure
    assert hoeffding(100, 1e-9, width=3.0) == 3 * hoeffding(100, 1e-9)
    assert 2 * math.exp(-2 * 100 * hoeffding(100, 0.1) ** 2) == pytest.approx(0.1)


# ------------------------------------------------------------------- names, verdicts


def test_names_are_asked_for_like_fixtures():
    def check(bayes_rule, risk, rng):
        yield equal("answer", bayes_rule([[0.0, 1.0]]), [1])
        yield equal("risk of the library", risk([0], [[1, 0]]), 0)

    item = made(check, given=("risk",))
    assert (item.parameters, item.needs, item.random) == (
        ("bayes_rule", "risk", "rng"),
        ("bayes_rule",),
        True,
    )
    assert item.verify().holds
    mine = {"bayes_rule": lambda posterior: np.array([1]), "risk": lambda *a: 99}
    assert item.verify(candidate=mine).holds, "a name that is given is the library's, whoever is checked"
    assert item.verify(candidate={"bayes_rule": lambda posterior: [0]}).status == "fails"


def test_a_name_of_the_datasets_is_found_too():
    def check(FiniteDistribution, beers):
        yield equal("classes", beers().n_classes, FiniteDistribution.from_weights([[1, 1]]).n_classes)

    assert made(check).verify().holds


def test_a_missing_name_is_not_found_and_never_replaced():
    def check(bayes_rule, risk):
        yield equal("never reached", 0, 0)

    item = made(check)
    verdict = item.verify(candidate={"bayes_rule": min})
    assert (verdict.status, verdict.holds, verdict.evidence) == ("not found", False, ())
    assert verdict.reason == "bayes.test needs risk, which is not defined"
    assert item.missing({}) == ("bayes_rule", "risk")
    assert item.verify(candidate={}).reason == "bayes.test needs bayes_rule, risk, which is not defined"
    assert verdict.as_dict()["reason"] == verdict.reason


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("no <b>"), "ValueError: no <b>"),
        (KeyError("risk"), "KeyError: 'risk'"),
        (ZeroDivisionError(), "ZeroDivisionError: "),
        (SystemExit(0), "SystemExit: 0"),
    ],
)
def test_what_an_implementation_raises_is_its_verdict(error, reason):
    def check(risk):
        yield equal("first", 1, 1)
        risk()

    def raises():
        raise error

    verdict = made(check).verify(candidate={"risk": raises})
    assert (verdict.status, verdict.reason, len(verdict.evidence)) == ("error", reason, 1)


def test_one_failing_measurement_is_enough_and_none_is_too_few():
    def one():
        yield equal("right", 1, 1)
        yield equal("wrong", 1, 2)
        yield equal("right", 1, 1)

    def none():
        yield from ()

    verdict = made(one).verify()
    assert (verdict.status, [item.holds for item in verdict.evidence]) == ("fails", [True, False, True])
    verdict = made(none).verify()
    assert (verdict.status, verdict.holds) == ("error", False)
    assert verdict.reason == "the check yielded no evidence"


def test_a_seed_draws_the_same_and_every_claim_its_own():
    def check(rng):
        yield at_least("draw", rng.random(), 0)

    def draws(item, *seeds):
        return [item.verify(seed=seed).evidence[0].measured for seed in seeds]

    other = claim("bayes.other", kind="claim", statement="")(check)
    assert draws(made(check), 0, 1, 0) == draws(made(check), 0, 1, 0)
    assert len({*draws(made(check), 0, 1, 2), *draws(other, 0, 1, 2)}) == 6


def test_claims_can_be_pickled():
    item = claims.find("bayes.risk")
    assert pickle.loads(pickle.dumps(item)) is item


# ------------------------------------------------------------------- what cannot be a claim


@pytest.mark.parametrize(
    ("id", "options", "sentence"),
    [
        ("risk", {}, "a claim's id has the form 'topic.name', got 'risk'"),
        ("bayes.x", {"kind": "lemma"}, "bayes.x: kind must be one of theorem, claim, formula, algorithm"),
        ("bayes.x", {"false_alarm": 1e-8}, "bayes.x: false_alarm must be between 0 and 1e-09, got 1e-08"),
        ("bayes.x", {"false_alarm": -1.0}, "bayes.x: false_alarm must be between 0 and 1e-09, got -1.0"),
    ],
)
def test_claim_refuses(id, options, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        claim(id, **{"kind": "claim", "statement": ""} | options)


def test_topics_and_ids_that_do_not_exist():
    with pytest.raises(ValueError, match=r"topic must be one of bayes, .* got 'baies'"):
        claims.of("baies")
    with pytest.raises(ValueError, match=r"there is no claim 'bayes.rsk'; 'mlnotes verify bayes' lists them"):
        claims.find("bayes.rsk")
    with pytest.raises(ValueError, match=r"topic must be one of bayes, .* got 'baies'"):
        claims.find("baies.risk")


def test_an_erratum_of_notation_has_nothing_to_verify():
    item = misprint("bayes.x", "12", "Yan", " Printed: $E$.\n Right: $P$.")
    assert (item.kind, item.needs, item.random, item.check) == ("erratum", (), False, None)
    assert item.statement == "Printed: $E$. Right: $P$."
    with pytest.raises(ValueError, match=r"bayes\.erratum-x is an erratum of notation; there is nothing to"):
        item.verify()


# ------------------------------------------------------------------- how it looks


def test_boxes_of_a_claim():
    item = made(lambda: iter(()), statement="If $a < b$, then *so* & `c`.", sources=("A & B, <Thm> 2",))
    assert str(item) == "Claim bayes.test (A & B, <Thm> 2)\nIf $a < b$, then *so* & `c`."
    assert item._repr_markdown_() == (
        "> **Claim** `bayes.test` *(A & B, <Thm> 2)*\n>\n> If $a < b$, then *so* & `c`.\n"
    )
    html = item._repr_html_()
    assert "<em>(A &amp; B, &lt;Thm&gt; 2)</em>" in html
    assert "If $a &lt; b$, then <em>so</em> &amp; <code>c</code>." in html
    assert repr(item) == "<Claim bayes.test>"


def test_boxes_of_an_erratum():
    item = misprint("bayes.x", "12", "Yan", "Printed: a < b Right: b < a")
    html = item._repr_html_()
    assert "<b>Printed:</b> a &lt; b</p>" in html
    assert "<b>Right:</b> b &lt; a</p>" in html
    assert str(item) == "Erratum bayes.erratum-x (Yan)\nPrinted: a < b Right: b < a"


def test_boxes_of_a_verdict_show_the_instance_only_where_it_fails():
    def check():
        yield equal("fine", F(1, 2), F(1, 2), shown="unseen")
        yield within("share < 1", 3.0, 0, 1, 0.125, rule=np.array([0, 1]), text="<i>", long="x" * 400)

    verdict = made(check).verify()
    lines = str(verdict).splitlines()
    assert re.fullmatch(r"FAILS  bayes\.test  \(\d\.\d{3} s\)", lines[0])
    assert lines[1:4] == [
        "  ok  fine: 1/2  = 1/2",
        "  NO  share < 1: 3  in [0, 1] (± 0.12)",
        "        rule = [0, 1]",
    ]
    assert lines[5] == "        long = " + "x" * 297 + "..."
    html = verdict._repr_html_()
    assert "<code>text = &lt;i&gt;</code>" in html
    assert "share &lt; 1" in html
    assert "<i>" not in html
    assert "unseen" not in html


def test_boxes_tell_a_number_of_thousands_of_digits_by_its_size():
    long = F(2**4096 + 1, 3**9000)
    item = equal("mass", long, F(1, 3))
    assert item.as_dict()["measured"] == "a fraction of 14265 bits"
    assert boxes.number(2**20000) == "an integer of 20001 bits"
    assert boxes.apart(equal("mass", long, long + 1)) == ""


def test_boxes_escape_what_comes_from_an_implementation():
    def measured(risk):
        yield equal("answer", risk(), "label")

    def raised(risk):
        risk(1)
        yield

    for check in (measured, raised):
        html = made(check).verify(candidate={"risk": lambda *a: error() if a else "<script>"})._repr_html_()
        assert "<script>" not in html
        assert "&lt;script&gt;" in html


def error():
    raise ValueError("<script>")


@pytest.mark.parametrize(
    ("candidate", "words"),
    [
        ({}, "NOT FOUND"),
        ({"risk": lambda: 1}, "holds"),
        ({"risk": lambda: 2}, "FAILS"),
        ({"risk": error}, "ERROR"),
    ],
)
def test_verdict_in_words(candidate, words):
    def check(risk):
        yield equal("one", risk(), 1)

    verdict = made(check).verify(candidate=candidate)
    assert str(verdict).startswith(f"{words}  bayes.test")
    assert f">{words}</b>" in verdict._repr_html_()


# ------------------------------------------------------------------- the claims of all topics


def test_ids_are_unique_and_of_their_topic():
    ids = [item.id for item in ALL]
    assert sorted({id for id in ids if ids.count(id) > 1}) == []
    assert [item for topic in TOPICS for item in claims.of(topic) if item.topic != topic] == []
    assert all(claims.find(id).id == id for id in ids)
    assert [item.id for item in ALL if not re.fullmatch(r"[a-z_]+\.[A-Za-z0-9.-]+", item.id)] == []


def test_topics_come_in_the_order_of_the_lectures():
    known = [LECTURES.index(topic) for topic in TOPICS if topic in LECTURES]
    assert all(a < b for a, b in pairwise(known))
    assert list(TOPICS[: len(known)]) == [LECTURES[i] for i in known]


@pytest.mark.parametrize("item", ALL, ids=repr)
def test_a_claim_is_complete(item):
    assert item.kind in KINDS
    assert item.statement.strip().endswith((".", "?"))
    assert item.section
    assert (item.kind == "erratum") == item.id.partition(".")[2].startswith("erratum-")
    if item.kind == "erratum":
        assert item.printed
        assert item.corrected
        assert item.sources
    assert item.check is not None or item.kind == "erratum"
    shaped = item.check is None or item.topic == "datasets" or "OUTPUTS" in item.check.__globals__
    assert shaped, f"add to mlnotes/claims/{item.topic}.py the table OUTPUTS, what functions return"
    assert set(item.given) <= set(item.parameters)
    json.dumps([item.id, item.statement, item.sources, item.printed, item.corrected])


def uses(function, name, seen=None):
    """Whether a function, or a function of its module that it calls, mentions a name."""
    seen = set() if seen is None else seen
    if not hasattr(function, "__code__") or function in seen:
        return False
    seen.add(function)
    codes = [function.__code__]
    names = set()
    while codes:
        code = codes.pop()
        names |= {*code.co_names, *code.co_freevars}
        codes += [constant for constant in code.co_consts if hasattr(constant, "co_names")]
    return name in names or any(uses(function.__globals__.get(n), name, seen) for n in names)


@pytest.mark.parametrize("item", [item for item in ALL if item.check], ids=repr)
def test_a_concentration_bound_comes_with_its_false_alarm(item):
    if uses(item.check, "hoeffding"):
        assert 0 < item.false_alarm <= 1e-9
    if item.false_alarm:
        assert item.random


def numbers(text):
    """Numbers with a decimal point, and whole ones of two digits or more, that stand by themselves."""
    plain = re.sub(r"(?<=\d)\\?,(?=\d{3})|10\^\S+", "", text)
    return {float(n) for n in re.findall(r"(?<![\w.^_{])\d+\.\d+|(?<![\w.^_{\d])\d{2,}(?![\w.])", plain)}


def computed_with(name, module, seen):
    """Numbers in a function or constant of a module, and in those that it names; not in docstrings."""
    if name not in module or name in seen:
        return set()
    seen.add(name)
    found, node = set(), module[name]
    body = node.body[ast.get_docstring(node) is not None :] if isinstance(node, ast.FunctionDef) else [node]
    defaults = [d for d in getattr(getattr(node, "args", None), "kw_defaults", []) if d]
    for part in [*body, *defaults]:
        for item in ast.walk(part):
            if isinstance(item, ast.Name):
                found |= computed_with(item.id, module, seen)
            elif isinstance(item, ast.Constant) and isinstance(item.value, (int, float, str)):
                texts = re.findall(r"\d+\.?\d*", item.value) if isinstance(item.value, str) else [item.value]
                found |= {float(n) for n in texts}
    return found


# sizes and years of data, names of signs, and values of formulas that the check evaluates for itself
COMPUTED = {
    "bayes.beers-model": {0.97036},
    "bayes.erratum-r5": {0.00521188},
    "bayes.generative-ex1.1": {0.0257448},
    "bayes.mle-intuition": {100},
    "bayes.traffic-signs": {40},
    "datasets.age-at-death": {2015},
    "datasets.cifar": {32},
    "datasets.gaussian-risk": {0.3085, 0.1587, 0.0668, 0.0225145},
    "datasets.saheart": {4.2},
    "density.histogram-figure": {90, 2015},
    "density.kde-epanechnikov": {0.26832816},
    "density.kde-gaussian": {0.28209479},
    "density.kde-stone": {8.5},
    "discriminant.lda-bayes-classifier": {0.3085, 0.1587, 0.0668},
    "naive_bayes.few-rows": {20},
    "perceptron.margin": {15, 20},
    "perceptron.predict": {10},
    "svm.strong-duality": {569},
}


@pytest.mark.parametrize("topic", TOPICS)
def test_a_number_of_a_statement_is_one_that_its_check_computes_with(topic):
    parts = [importlib.import_module(f"mlnotes.claims.{name}") for name in claims.modules(topic)]
    body = [node for part in parts for node in ast.parse(inspect.getsource(part)).body]
    module = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    module |= {t.id: n for n in body if isinstance(n, ast.Assign) for t in ast.walk(n.targets[0])
               if isinstance(t, ast.Name)}  # fmt: skip
    without = {}
    for item in (item for item in claims.of(topic) if item.check):
        used = computed_with(item.check.__name__, module, set()) | COMPUTED.get(item.id, set())
        used |= {n - 1 for n in used}  # a range ends before its end
        without[item.id] = numbers(item.corrected or item.statement) - used
    assert {id: lacking for id, lacking in without.items() if lacking} == {}


library = functools.cache(mistakes.library)
RUNS = [(item, seed) for item in ALL if item.check for seed in ((0, 1) if item.random else (0,))]


@pytest.mark.parametrize(("item", "seed"), RUNS, ids=repr)
def test_it_holds(item, seed):
    """At seed 0 the library is handed over as a mistake is."""
    verdict = item.verify(seed=seed, candidate=None if seed else library(item.topic))
    assert verdict.holds, str(verdict)
    record = json.loads(json.dumps(verdict.as_dict(), allow_nan=False))
    assert list(record)[:8] == words("id topic kind sources statement holds seconds evidence")
    assert ("printed" in record) == (item.kind == "erratum")


@pytest.mark.parametrize("topic", TOPICS)
def test_the_random_claims_of_a_topic_hold_and_take_two_seconds_a_seed(topic):
    times = []
    for _ in range(3):  # neighbours on the machine only add to what is needed
        start = time.process_time()
        verdicts = [item.verify(seed=3) for item in claims.of(topic) if item.random]
        assert [str(verdict) for verdict in verdicts if not verdict.holds] == []
        times.append((time.process_time() - start) / max(1.0, pace()))
        if times[-1] <= 2.0:
            break
    assert min(times) <= 2.0


def test_a_claim_is_asked_with_other_constants():
    whole = claims.find("logistic.penalty")
    part = whole.at(classes=(2,))
    assert (part.id, part.statement, part.needs) == (whole.id, whole.statement, whole.needs)
    assert [len(item.verify().evidence) for item in (whole, part)] == [5, 4]
    with pytest.raises(ValueError, match=r"logistic\.penalty has the constants classes.*, got kinds"):
        whole.at(kinds=1)


# ------------------------------------------------------------------- lectures

NOTEBOOKS = sorted(p for p in (ROOT / "lectures").glob("*.ipynb") if p.stem[3:] in TOPICS)


def places(lecture):
    """Where every id stands first: "4" in the lecture, "4 deeper" in the notebook beside it."""
    beside = lecture.parent / "deeper" / lecture.name
    rest = sections(beside) if beside.exists() else {}
    return {id: f"{number} deeper" for id, number in rest.items()} | sections(lecture)


def sections(path):
    """Every id of a notebook's metadata with the number of the heading under which it comes first."""
    found, section = {}, None
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            numbers = re.findall(r"^## (\d+) ", cell.source, re.MULTILINE)
            section = numbers[0] if numbers else section
        for id in cell.metadata.get("mlnotes", {}).get("ids", []):
            found.setdefault(id, section)
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_claim_names_the_section_of_its_lecture(path):
    found = places(path)
    stated = {item.id: item.section for item in claims.of(path.stem[3:])}
    wrong = {id: section for id, section in stated.items() if found.get(id) != section}
    assert not wrong, f"name these ids in cell metadata of lectures/{path.name}, section by section: {wrong}"
    assert [id for id in found if id not in stated and id.startswith(f"{path.stem[3:]}.erratum")] == []


# The statements of the notes on this topic that can be checked, and those that are text only.
CHECKED = words("""
setup-iid setup-classifier setup-labels setup-risk01 setup-loss01 setup-data-matrix setup-sl-definition
setup-classification-types setup-articles setup-joint-vs-conditional eta-mu formula discrete-joint
rule-binary optimal-binary why-pointwise pointwise-min excess-identity nonunique strict-question risk
risk-overlap excess oracle rule-multi optimal-multi general-loss-risk general-loss-rule traffic-signs
lr-test setup-hypothesis-testing-view beers-model beers-eta beers-rule plugin-rule plugin-bound
plugin-proof-step setup-rate-framework generative-model generative-ex1.1 mle-likelihood mle-ex1.2 mle-def
mle-intuition mle-bernoulli mle-gauss-params plugin-generative setup-true-vs-empirical-risk erm-phrase
setup-losses setup-surrogate setup-regularised-erm setup-bias-merge setup-novelty
setup-novelty-why-not-binary
""")
TEXT_ONLY = words("""
setup-supervised-types setup-three-learning-types setup-regression setup-questions setup-unknown-rho
loss-question generative-ex1.1-figure mle-hypothesis-class generative-vs-discriminative setup-erm-unifies
setup-overfitting setup-structured-extension setup-nuclear-elephant
""")
ERRATA = words("y1 y2 y3 y24 w1 w2 w3 w4 w5 w6 w7 w8 r1 r2 r3 r4 r5 r6 r7 r8 r19 r20 s6 s7 s8")


def test_every_statement_on_bayes_rule_is_a_claim_or_text_with_a_reason():
    ids = {item.id.partition(".")[2] for item in claims.of("bayes")}
    assert (len(CHECKED), len(TEXT_ONLY)) == (55, 13)
    assert sorted(set(CHECKED) - ids) == []
    assert sorted({f"erratum-{label}" for label in ERRATA} - ids) == []
    listed = (ROOT / "lectures" / "README.md").read_text("utf-8")
    assert [
        name for name in TEXT_ONLY if not re.search(rf"^\| `bayes\.{name}` \| .+ \| .+ \|$", listed, re.M)
    ] == []
    assert set(TEXT_ONLY) & ids == set()
    notebook = set(places(ROOT / "lectures" / "01_bayes.ipynb"))
    assert {f"bayes.{name}" for name in (*CHECKED, *TEXT_ONLY)} - notebook == set()
