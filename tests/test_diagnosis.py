"""Feedback names the mistake: recorded ones, the same written by somebody else, and never a wrong one."""

import ast
import functools
import importlib.util
import os
import random
import signal
import sys
import threading
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mlnotes import cli, grading, homework
from mlnotes.checking.deadline import OutOfTime, deadline
from mlnotes.grading import engine, results
from mlnotes.grading.assignment.solutions import defined, known
from mlnotes.grading.feedback import diagnosis, reports
from mlnotes.grading.feedback.diagnosis import diagnosed
from mlnotes.grading.protocol import transcript
from mlnotes.grading.protocol.instances import Draw
from mlnotes.grading.protocol.session import InProcessSession
from mlnotes.grading.sandbox import claim_process
from mlnotes.grading.sandbox.levels import Sandbox
from mlnotes.mistakes.homework import solved
from tests.yardsticks import at_most, loop, squares

HERE = Path(__file__).parent
HOMEWORK = [f"hw0{n}" for n in range(1, 9)]
GENERATED = int(os.environ.get("MLNOTES_GENERATED", "4"))  # of each homework; 30 by hand


def module(name):
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


VERSIONS = module("second_versions").VERSIONS
CASES = [(id, mutant) for id in HOMEWORK for mutant in solved(id).mutants]
SECOND = [(id, name) for id, versions in VERSIONS.items() for name in versions]
ALWAYS_0 = {  # others may answer that, too
    "wrong_strict",
    "wrong_noise_gains_nothing",
}


@pytest.fixture(autouse=True)
def time_enough(monkeypatch):
    """A slow machine says nothing after 0.2 s; here it is asked what the answers tell."""
    monkeypatch.setattr(diagnosis, "diagnosed", functools.partial(diagnosis.diagnosed, seconds=3))


def told(id, part, *sources, secret=b"a", seconds=None):
    """Return whether definitions lose the part, and which mistake they are said to make."""
    names = {}
    for source in sources:
        exec(source, names)
    assignment = homework.load(id)
    asked = assignment.part(part) if seconds is None else replace(assignment.part(part), seconds=seconds)
    session = InProcessSession(names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = engine.grade_part(asked, session, Draw(secret, assignment, ""))
        return result.verdict != "OK", engine.diagnosis(assignment, result, session)


def sentence(mutant):
    return (
        f"always 0, which may come of this: {mutant.sentence}" if mutant.name in ALWAYS_0 else mutant.sentence
    )


@pytest.mark.parametrize(("id", "mutant"), CASES, ids=lambda value: getattr(value, "name", value))
def test_a_recorded_mistake_is_named(id, mutant):
    solution = solved(id).solution
    for part in mutant.loses:
        assert told(id, part, f"{solution}\n\n{mutant.source}") == (True, sentence(mutant))


def test_second_versions_of_mistakes_are_named():
    right = 0
    for id, name in SECOND:
        assignment = solved(id)
        mutant = next(m for m in assignment.mutants if m.name == name)
        part = mutant.loses[0]
        _, said = told(id, part, assignment.solution, "import numpy as np\n" + VERSIONS[id][name])
        assert said in ("", sentence(mutant)) or said.startswith(results.UNNAMED), (id, name)
        right += said == sentence(mutant)
    assert min(len(versions) for versions in VERSIONS.values()) >= 3
    assert right >= 0.8 * len(SECOND)


@pytest.mark.parametrize("id", HOMEWORK)
def test_a_right_solution_has_no_mistake(id):
    for part in homework.load(id).parts:
        assert told(id, part.name, solved(id).solution) == (False, "")


@pytest.mark.parametrize("id", HOMEWORK)
def test_diagnoses_of_generated_mistakes_hold_at_every_draw(id):
    generated = module("generated")
    tree = ast.parse(solved(id).solution)
    for place in random.Random(id).sample(list(generated.places(tree)), GENERATED):
        made, words, _ = generated.mutated(tree, place)
        names = {}
        exec(compile(made, "mutated", "exec"), names)
        for part in homework.load(id).parts:
            _, said = told(id, part.name, ast.unparse(made), seconds=1.0)
            for secret in (b"b", b"c") if said else ():
                again = told(id, part.name, ast.unparse(made), secret=secret, seconds=1.0)
                assert again in ((True, said), (True, "")), words


ONCE_PASSED = {  # by luck, or always
    "hw05": (
        "wrong_product_without_slack",
        "wrong_no_upper_end",
        "wrong_no_lower_end",
        "wrong_one_step_only",
    ),
    "hw07": ("wrong_equal_values", "wrong_first_label", "wrong_one_polarity"),
}


@pytest.mark.parametrize(("id", "name"), [(id, name) for id, names in ONCE_PASSED.items() for name in names])
def test_what_is_wrong_loses_at_every_draw(id, name):
    mutant = next(m for m in solved(id).mutants if m.name == name)
    sources = [f"{solved(id).solution}\n\n{mutant.source}"]
    if again := VERSIONS[id].get(name):
        sources.append(f"{solved(id).solution}\nimport numpy as np\n{again}")
    for source in sources:
        for part in mutant.loses:
            assert all(told(id, part, source, secret=b"%d" % k)[0] for k in range(10))


CHANGED = {
    ("hw01", "threshold"): {
        "lambda right: lambda *a: 2 * right(*a)": "each answer of threshold is twice the right one",
        "lambda right: lambda *a: -right(*a)":
            "each answer of threshold is the right one with the other sign",
        "lambda right: lambda *a: right(*a) / np.log(2)":
            "each answer of threshold is the right one divided by log 2: in bits, where the natural "
            "logarithm is asked for",
    },
    ("hw01", "errors"): {
        "lambda right: lambda *a: 1 - right(*a) + 0.0": "Returns the probability of being right.",
    },
    ("hw02", "quadric"): {
        "lambda right: lambda *a: (lambda A, b, c: (A, b / 2, c))(*right(*a))":
            "b of each answer of quadric is half of the right one",
    },
    ("hw02", "within"): {
        "lambda right: lambda X, y: right(X, y) * (X.shape[1] - len(set(y))) / X.shape[1]":
            "Divides by n: maximum likelihood.",
    },
    ("hw03", "descend"): {
        "lambda right: lambda g, w, s, n: right(g, w, s, n + 1)":
            "these are the right answers for n_steps + 1 in place of n_steps",
    },
    ("hw03", "slope"): {
        "lambda right: lambda b, X, y: right(b, X, y) * (-1 if abs(X).max() < 1e3 else np.nan)":
            "each answer of slope is the right one with the other sign (but some answers are no numbers)",
    },
    ("hw06", "estimate"): {
        "lambda right: lambda x, w, at, h: right(x, w, at, h**2)":
            "these are the right answers for the square of bandwidth in place of bandwidth",
    },
    ("hw02", "switch"): {
        "lambda right: lambda s: right(s) / 2**0.5":
            "each answer of switch is the right one times one number, the same everywhere",
        "lambda right: lambda s: right(s) + 0.1":
            "each answer of switch is the right one plus one number, the same everywhere",
        "lambda right: lambda s: 1.5": "",
    },
    ("hw02", "line"): {
        "lambda right: lambda a, b, S, p: (right(a, b, S, p)[0], right(a, b, S, p)[1] + a[0] ** 2)":
            "Of each answer of line here, w is right, and b is not",
        "lambda right: lambda a, b, S, p: (right(a, b, S, p)[0] + a, right(a, b, S, p)[1] + a[0] ** 2)": "",
    },
    ("hw02", "centres"): {  # turned, and moved where all Ax are 0: the same rule, and its recorded mistake
        "lambda right: lambda m, S, p: (lambda A, C: (np.vstack([-A[::-1], 0 * A[:1]]), "
        "np.column_stack([-C[:, ::-1], 0 * p + 3])))(*right(m, S, 0 * p + 1))":
            "Leaves the priors out of the centres.",
    },
    ("hw05", "program"): {  # inequalities in another order are no mistake
        "lambda right: lambda *a: (lambda P, q, G, h, A, b: (P / 2, q, G[::-1], h[::-1], A, b))(*right(*a))":
            "P of each answer of program is half of the right one",
        "lambda right: lambda *a: (lambda P, q, G, h, A, b: (P, q, abs(G[::-1]), h[::-1], A, b))(*right(*a))":
            "Of each answer of program here, P, q, A and b are right: look among the others",
        # ones in place of labels are their squares, and much else
        "lambda right: lambda *a: (lambda P, q, G, h, A, b: (P / 2, q, G, h, abs(A), b))(*right(*a))":
            "Of each answer of program here, q, G, h and b are right: look among the others",
    },
    ("hw04", "train"): {  # with points transposed, the right program never ends
        "lambda right: lambda X, y: (right(X, y)[0][:1], right(X, y)[1])":
            "Of each answer of train here, weights are right, and value 1 (example of each update) is not",
    },
    ("hw04", "cautious"): {
        "lambda right: lambda R, d, c: right(R, d, c) * (1 + (c > 0))":
            "Your answers are right where level = 0, and at no other level that was asked",
        "lambda right: lambda R, d, c: right(R, d, c) * (1.01 + (c > 0))": "",
    },
    ("hw04", "counts"): {
        "lambda right: lambda *a: np.append(0, right(*a)[:-1])": "",
    },
}  # fmt: skip
CHANGED_CASES = [(*key, source, words) for key, cases in CHANGED.items() for source, words in cases.items()]


@pytest.mark.parametrize(("id", "part", "change", "words"), CHANGED_CASES)
def test_a_right_answer_that_is_changed_is_recognised(id, part, change, words):
    name = homework.load(id).part(part).writes[0].name
    wrong = f"\nimport numpy as np\n{name} = ({change})({name})\n"
    assert told(id, part, solved(id).solution + wrong) == (True, words)


TWO_LABELS = """
def counts(gram, labels):
    alpha, wrong = 0 * labels, True
    while wrong:
        wrong = False
        for i, y in enumerate(labels):
            if y * (gram[i] @ alpha) <= 0:
                alpha[i], wrong = alpha[i] + 1, True
    return alpha
"""
NAN = "def witness(rows):\n    return np.full(len(rows), np.nan)"


SINGULAR = "class Logistic(Logistic):\n    def learn(self, X, y): np.linalg.inv(0 * X.T @ X)"
OFTEN = [("hw04", "counts", TWO_LABELS, "a label is forgotten"), ("hw04", "witness", NAN, "it is 0/0"),
         ("hw03", "Logistic", SINGULAR, "full steps of Newton's method run away")]  # fmt: skip


@pytest.mark.parametrize(("id", "part", "source", "words"), OFTEN)
def test_frequent_causes_are_given_where_no_mistake_is_known(id, part, source, words):
    lost, said = told(id, part, solved(id).solution, source, seconds=0.2)
    assert lost
    assert said.startswith(f"{results.OFTEN} that {words}")


TRAINED = {
    "updates, np.roll(w, -1)": "in another order",
    "updates, -w": "with the other sign",
    "updates, w * (np.arange(len(w)) > 0)": "the intercept, which stays 0",
    "updates, np.append(len(updates), w[1:])": "each adds 1 to the intercept",
    "updates[:-1], w": None,
}


@pytest.mark.parametrize(("answer", "words"), TRAINED.items())
def test_weights_of_the_updates_in_another_convention_are_recognised(answer, words):
    """Whatever rows are picked: recorded mistakes pick the next in order, here it is the last one."""
    first, last = (
        "enumerate(rows):\n            if wrong(z",
        "[*enumerate(rows)][::-1]:\n            if wrong(z",
    )
    picks = solved("hw04").solution.replace(first, last, 1)
    source = (
        "_train = train\ndef train(points, labels):\n    updates, w = _train(points, labels)\n    return "
    )
    assignment, session = homework.load("hw04"), InProcessSession(defined(picks, source + answer))
    result = engine.grade_part(assignment.part("train"), session, Draw(b"a", assignment, ""))
    assert picks != solved("hw04").solution
    assert result.verdict == "CLAIM FAILS"
    assert (words is None) != ("train gives the weights of these updates" in result.sentence)
    assert (words or "") in result.sentence


# ------------------------------------------------------------------- where it is said, and what it costs


WRONG = "\n\ndef error_probability(rule, joint):\n    return joint[np.arange(len(joint)), rule].sum()\n"
SENTENCE = "All your answers are those of one mistake: Returns the probability of being right."


def test_check_and_grade_and_the_notebook_say_it_first(tmp_path):
    (tmp_path / "ada.py").write_text(solved("hw01").solution + WRONG)
    hw01 = homework.load("hw01")
    checked = grading.feedback_text(grading.check_file(hw01, tmp_path / "ada.py"))
    with Sandbox("limits") as sandbox:
        graded = grading.grade_submission(hw01, tmp_path / "ada.py", secret=b"s", sandbox=sandbox)
    names = {}
    exec(solved("hw01").solution + WRONG, names)
    notebook = repr(grading.check_live("hw01.errors", names))
    for text in (checked, reports.feedback_text(graded), notebook):
        lines = text.partition("errors: CLAIM FAILS")[2].splitlines()
        assert lines[1].strip() == f"{SENTENCE} (read lectures/01_bayes.ipynb, section 1.2)"
    assert [part.name for part in graded.parts if part.diagnosis] == ["errors"]


@pytest.mark.parametrize("distributions", [1, 3])
def test_a_constant_offset_is_diagnosed_only_across_different_arrays(distributions):
    joints = [np.array([[1, 2], [3, 4 + k], [0, 5]]) / (15 + k) for k in range(distributions)]
    rules = [np.array(rule) for rule in ([0, 0, 1], [1, 0, 0], [0, 1, 0])]
    assignment = homework.load("hw01")
    record = transcript.Record(
        transcript.Asked(0, "call", "error_probability", None, (rule, joint), 2.5 - picked, False)
        for k, rule in enumerate(rules)
        for joint in [joints[k % distributions]]
        for picked in [joint[np.arange(3), rule].sum()]
    )
    said = diagnosis.diagnosed(assignment, assignment.part("errors"), record, seconds=10)
    assert ("plus one number, the same everywhere" in said) == (distributions > 1)


def test_changed_parts_of_a_variant_are_not_diagnosed():
    assert known(homework.load("hw01-v2"), homework.load("hw01-v2").part("decide")) == ("", ())
    assert known(homework.load("hw01-v2"), homework.load("hw01-v2").part("beers"))[0]


def test_an_endless_mutant_gives_no_diagnosis(monkeypatch):
    hw01 = homework.load("hw01")
    endless = homework.Mutant(
        "endless", "def error_probability(rule, joint):\n    while True: pass", ("errors",)
    )
    own = replace(hw01, solution=solved("hw01").solution, mutants=(endless,))
    names = {}
    exec(own.solution + WRONG, names)
    session = InProcessSession(names)
    result = engine.grade_part(own.part("errors"), session, Draw(b"s", own, ""))
    assert engine.diagnosis(own, result, session) == ""


def asked(id, part, mutant):
    """Return an assignment, its part, and the record of a recorded mistake's answers."""
    source = next(m.source for m in solved(id).mutants if m.name == f"wrong_{mutant}")
    assignment, session = homework.load(id), InProcessSession(defined(solved(id).solution, source))
    engine.grade_part(assignment.part(part), session, Draw(b"a", assignment, ""))
    return assignment, assignment.part(part), session.record


@pytest.mark.parametrize(
    ("id", "part", "mutant"),
    [
        ("hw03", "Logistic", "penalised_bias"),
        ("hw07", "boost", "both_sides"),
        ("hw07", "Tree", "equal_values"),
    ],
)
def test_the_longest_diagnoses_take_less_than_their_time(id, part, mutant):
    """A million squares take 0.045 s where the longest diagnosis takes 0.9 s: forty times are enough."""
    case = asked(id, part, mutant)
    assert diagnosis.diagnosed(*case, seconds=10)
    assert at_most(lambda: diagnosis.diagnosed(*case, seconds=10), lambda: squares(10**6), times=40)


def test_a_diagnosis_is_ended_after_its_time(monkeypatch):
    """What it takes is 0.2 s, and at most what a loop takes that a deadline of a fifth more ends."""

    def endless(*_):
        while True:
            pass

    case = asked("hw02", "line", "no_half")
    monkeypatch.setattr(diagnosis, "_named", endless)
    assert diagnosis.SECONDS == 0.2
    assert diagnosed(*case) == ""
    assert at_most(lambda: diagnosed(*case), loop(0.24))


def test_a_record_that_grows_too_large_is_given_up():
    record = transcript.Record()
    for _ in range(5):
        record.add("call", ("f", (np.zeros(50_000),)), 1.0)
    assert list(record) == []
    record.add("call", ("f", ()), 1.0)
    assert list(record) == []


def test_a_deadline_in_a_destructor_is_raised_again(monkeypatch):
    class Slow:
        def __del__(self):
            spin(0.2)

    def spin(seconds):
        start = time.process_time()
        while time.process_time() - start < seconds:
            pass

    def asked():
        Slow()
        spin(9)

    said = []
    hook = said.append
    monkeypatch.setattr(sys, "unraisablehook", hook)
    with pytest.raises(OutOfTime), deadline(0.1, processor=True):
        asked()
    assert said == []
    assert sys.unraisablehook is hook


def test_the_deadline_ends_a_loop_in_any_thread():
    def run(found):
        try:
            with deadline(0.1):
                while True:
                    pass
        except OutOfTime:
            found.append(True)

    found = []
    run(found)
    thread = threading.Thread(target=run, args=(found,))
    thread.start()
    thread.join(30)
    assert found == [True, True]


def test_the_cell_ends_an_endless_loop(monkeypatch):
    monkeypatch.setitem(homework.load("hw01").part("errors").__dict__, "seconds", 0.3)
    names = {}
    exec(solved("hw01").solution + "\ndef error_probability(rule, joint):\n    while True: pass", names)
    text = repr(grading.check_live("hw01.errors", names))
    assert "errors: TIME, 0 of 2 points\n  no answer within 0.3 s; the call was ended" in text


@pytest.mark.skipif(not claim_process._POSSIBLE, reason="claims have a process of their own on Linux alone")
def test_a_diagnosis_that_dies_decides_nothing(monkeypatch):
    def dies(*_):
        os.kill(os.getpid(), signal.SIGKILL)

    source = solved("hw01").solution + WRONG + WRONG.replace("error_probability(rule", "choose(rule")
    with Sandbox("limits") as sandbox:
        results = []
        for change in (lambda *_: "", dies):
            monkeypatch.setattr(diagnosis, "diagnosed", change)
            results.append(engine.grade_bytes(homework.load("hw01"), source.encode(), "a.py", secret=b"s",
                                              sandbox=sandbox, student="ada"))  # fmt: skip
    assert results[0] == results[1]
    assert [part.name for part in results[0].parts if not part.earned] == ["errors", "choose"]


def test_mistakes_of_a_class_are_counted_and_may_be_hidden(tmp_path):
    files = tmp_path / "in"
    files.mkdir()
    for name, more in (("ada", WRONG), ("ben", WRONG + "# again"), ("cyd", "")):
        (files / f"{name}.py").write_text(solved("hw01").solution + more)
    for named in (True, False):
        out = tmp_path / f"out{named}"
        found = grading.grade_folder("hw01", files, out, sandbox="limits", jobs=1, name_mistakes=named)
        assert (out / "mistakes.csv").read_text().splitlines() == [
            "part,mistake,students", "errors,Returns the probability of being right.,2"
        ]  # fmt: skip
        assert "2 of 3 in errors: Returns the probability of being right." in found.notices
        assert (SENTENCE in (out / "feedback" / "ada.txt").read_text()) == named


TIE = """
import numpy as np
def bayes_rule_binary(eta, threshold=0.5):
    return [int(value > threshold) for value in np.asarray(eta).tolist()]
"""


def test_verify_names_the_mistake_of_a_candidate(tmp_path, capsys):
    for source, named in ((TIE, True), (TIE.replace(">", "!="), False)):
        (tmp_path / "mine.py").write_text(source)
        arguments = ["verify", "bayes.rule-binary", "--candidate", str(tmp_path / "mine.py")]
        assert cli.main(arguments) == cli.FAILS
        said = "The outputs match a common mistake: Sends a tie to 0." in capsys.readouterr().out
        assert said == named
