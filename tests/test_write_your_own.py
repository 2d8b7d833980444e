"""The page on writing one's own homework: its examples are what a lecturer would type, and they work."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mlnotes import cli, homework
from mlnotes.checking import claim
from mlnotes.claims import neighbors, of
from mlnotes.cli.arguments import parser
from mlnotes.grading.assignment import handouts
from mlnotes.grading.assignment.student_version import public
from mlnotes.homework import Assignment, Class, Function, Mutant, Part, Value, part, variant

PAGE = (Path(__file__).parents[1] / "lectures" / "homework" / "WRITE_YOUR_OWN.md").read_text()
CENTRES, RIDGE, LINES, THEIRS = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
EXAMPLES = {"centres": CENTRES, "ridge": RIDGE, "lines": LINES}


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, source in EXAMPLES.items():
        Path(f"{name}.py").write_text(source)
    return tmp_path


def test_the_first_example_has_twenty_lines():
    assert sum(bool(line.strip()) for line in EXAMPLES["centres"].splitlines()) <= 20


@pytest.mark.parametrize("reference", ["centres.py", "ridge.py", "ridge.py-v1", "lines.py", "lines.py-v1"])
def test_the_examples_are_sound(reference, desk, capsys):
    assert cli.main(["grade", reference, "--audit", "--sandbox", "limits"]) == cli.OK
    assert "the assignment is sound" in capsys.readouterr().out


def test_its_handout_check_and_grades(desk, capsys):
    assert (
        cli.main(["handout", "centres.py", "--public", "centres_check.py", "-o", "centres.ipynb"]) == cli.OK
    )
    assert capsys.readouterr().err == "wrote centres_check.py\nwrote centres.ipynb\n"
    Path("class").mkdir()
    Path("class/ada.py").write_text("import numpy as np\ndef centre(x):\n    return np.mean(x)\n")
    Path("class/bob.py").write_text("def centre(x):\n    return sorted(x)[len(x) // 2]\n")
    assert cli.main(["check", "centres_check.py", "class/bob.py"]) == cli.FAILS
    out = capsys.readouterr().out
    assert "sum minus the least nearby" in out
    assert "It is the median." not in out, "students have no mistakes"
    Path("grades").mkdir()
    Path("grades/manual.csv").write_text("student,part,points,comment\nada,why,3,\nbob,why,1,no strictness\n")
    command = ["grade", "centres.py", "class", "--sandbox", "limits", "--format", "html", "--out", "grades"]
    assert cli.main(command) == cli.OK
    rows = [line.split(",")[:5] for line in Path("grades/gradebook.csv").read_text().splitlines()]
    assert rows == [
        ["student", "centre", "why", "total", "points"],
        ["ada", "2", "3", "5", "5"],
        ["bob", "0", "1", "1", "5"],
    ]
    told = Path("grades/feedback/bob.txt").read_text()
    assert "All your answers are those of one mistake: It is the median." in told
    said = re.search(r"an instance of your own: mlnotes (.*) FILE", told)[1]
    assert cli.main([*said.split(), "class/bob.py"]) == cli.FAILS, "what feedback says can be run"


NEARLY = """
import numpy as np

class Ridge:
    def __init__(self, lam):
        self.lam = lam
    def fit(self, X, y):
        A = X.T @ X + self.lam * SCALE * np.eye(X.shape[1])
        self.coef_ = np.zeros(X.shape[1])
        while np.linalg.norm(A @ self.coef_ - X.T @ y) > 1e-4 * np.linalg.norm(X.T @ y):
            self.coef_ += (X.T @ y - A @ self.coef_) / np.linalg.eigvalsh(A)[-1]
    def predict(self, X):
        return X @ self.coef_
"""


def test_a_class_with_partial_credit_and_its_variant(desk, capsys):
    for option, name in (([], "one"), (["--variant", "1"], "two")):
        command = ["handout", "ridge.py", *option, "--public", "ridge_check.py", "-o", f"{name}.ipynb"]
        assert cli.main(command) == cli.OK
    cells = {name: json.loads(Path(f"{name}.ipynb").read_text())["cells"] for name in ("one", "two")}
    question, other = ("".join(cells[name][2]["source"]) for name in ("one", "two"))
    assert r"\tfrac1n" not in question
    assert r"\tfrac1n" in other
    (first,), (second,) = (
        [c["source"] for c in cells[n] if "check(" in c["source"][0]] for n in ("one", "two")
    )
    assert (first, second) == (['check("ridge_check.py.ridge")'], ['check("ridge_check.py-v1.ridge")'])
    names = {}
    exec("from mlnotes.grading import check\n" + NEARLY.replace("SCALE", "len(y)"), names)
    assert "CLAIM FAILS, 2 of 3 points" in repr(eval(second[0], names))
    assert "CLAIM FAILS, 0 of 3 points" in repr(eval(first[0], names)), "the variant's answer does not fit"
    Path("class").mkdir()
    Path("class/ada.py").write_text(NEARLY.replace("SCALE", "1"))
    Path("class/bob.py").write_text(NEARLY.replace("SCALE", "0"))
    cells["one"][3]["source"] = [NEARLY.replace("SCALE", "1").replace("1e-4", "1e-13")]
    notebook = {"cells": cells["one"], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    Path("class/eve.ipynb").write_text(json.dumps(notebook))
    assert cli.main(["grade", "ridge.py", "class", "--sandbox", "limits"]) == cli.OK
    rows = [line.split(",")[:2] for line in Path("grades/gradebook.csv").read_text().splitlines()[1:]]
    assert rows == [["ada", "2"], ["bob", "0"], ["eve", "3"]]
    assert "partial credit: 66.7 % of the points" in Path("grades/feedback/ada.txt").read_text()
    assert "one mistake: The penalty has no effect." not in Path("grades/feedback/ada.txt").read_text()


def test_every_command_on_the_page_has_options_that_exist():
    commands = re.findall(r"^mlnotes ([^#\n]*)", PAGE, re.MULTILINE)
    commands += [" ".join(text.split()) for text in re.findall(r"`mlnotes ([^`]*)`", PAGE)]
    assert len(commands) == 10
    for command in commands:
        assert parser().parse_args(command.split()).room is not None


def test_an_assignment_may_have_classes_of_its_own(desk):
    records = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
    records += "@dataclass\nclass Case:\n    n: int\n\n\n"
    Path("records.py").write_text(records + CENTRES)
    assert homework.load("records.py").id == "centres"


def test_two_parts_of_one_name_are_refused():
    why = Part("why", 3, "Prove.", manual=True)
    with pytest.raises(ValueError, match="the parts of one must have different names, got why, mean, why"):
        Assignment("one", "One", (why, replace(why, name="mean"), replace(why, points=5)))


# ------------------------------------------------------------------- questions as stubs


def test_a_class_may_answer_for_the_claims_in_a_class(desk, capsys):
    start = LINES.index("@part(4")
    source = LINES[:start] + THEIRS + LINES[LINES.index("class Closest", start) :]
    Path("theirs.py").write_text(source)
    assert cli.main(["grade", "theirs.py", "--audit", "--sandbox", "limits"]) == cli.FAILS
    assert "PROBLEM  no wrong solution fails neighbors.centroid-means\n4 runs" in capsys.readouterr().out
    wrong = "class Closest(Closest):\n    means = property(lambda self: 0.0, lambda self, rows: None)\n"
    source = source.replace("mutants=(", f'mutants=(Mutant("none", {wrong!r}, ("Closest",)),')
    Path("theirs.py").write_text(source)
    assert cli.main(["grade", "theirs.py", "--audit", "--sandbox", "limits"]) == cli.OK


def test_a_variant_of_stubs_is_audited_by_its_own_solution(desk, capsys):
    assert neighbors.centroid_rule.needs == ("NearestCentroid",)
    assert neighbors.centroid_rule in of("neighbors")
    Path("bare.py").write_text(LINES.replace("((swapped, solved),)", "(swapped,)"))
    assert cli.main(["grade", "bare.py-v1", "--audit", "--sandbox", "limits"]) == cli.FAILS
    assert "model solution: line earns 0 of 3" in capsys.readouterr().out
    command = ["handout", "lines.py", "--variant", "1", "--public", "lines_check.py", "-o", "lines.ipynb"]
    assert cli.main(command) == cli.OK
    text = Path("lines.ipynb").read_text()
    assert "Return the pair (intercept, slope)." in text
    assert "Return the pair (slope, intercept)." not in text
    assert "[::-1]" not in Path("lines_check.py").read_text(), "neither solution"
    for name, found in (("lines.py", cli.FAILS), ("lines.py-v1", cli.OK)):
        Path("ada.py").write_text(homework.load(name).solution)
        assert cli.main(["check", "lines_check.py-v1", "ada.py"]) == found


def of_all_kinds(x, y, n, ratio, names, flags, f, price):
    """Ask.

    More.

    Say.
    Twice.

    x, y (n, 2): two
    n int >= 2
    ratio fraction in [0, 0.5]
    names (n,) str
    flags (n,) bool
    f any: a function: of x
    price in [-1, 1] or infinite
    returns (n,) int in [0, n): rows
    returns
    """


def test_a_line_describes_every_kind_of_value():
    made = part(3, seconds=1.0)(of_all_kinds)
    (item,) = made.writes
    assert (made.name, made.points, made.question, made.seconds) == ("of_all_kinds", 3, "Ask.\n\nMore.", 1.0)
    assert item == Function(
        "of_all_kinds",
        {
            "x": Value("f", ("n", 2), meaning="two"),
            "y": Value("f", ("n", 2), meaning="two"),
            "n": Value("i", minimum=2),
            "ratio": Value("fraction", minimum=0, maximum=0.5),
            "names": Value("U", ("n",)),
            "flags": Value("b", ("n",)),
            "f": Value("any", meaning="a function: of x"),
            "price": Value(minimum=-1, maximum=1, infinite=True),
        },
        (Value("i", ("n",), minimum=0, below="n", meaning="rows"), Value()),
        "Say.\nTwice.",
    )


class Fitted:
    """Ask.

    Say.

    k int >= 1: how many
    X (n, d): rows
    coef_ (d,): slopes
    """

    def __init__(self, k): ...

    def fit(self, X, y):
        """Learn.

        y (n,)
        """

    def predict(self, X):
        """Predict.

        returns (n,)
        """


def test_a_class_describes_what_holds_in_its_methods():
    rows, k = Value("f", ("n", "d"), meaning="rows"), Value("i", minimum=1, meaning="how many")
    methods = (
        Function("fit", {"X": rows, "y": Value("f", ("n",))}, None, "Learn."),
        Function("predict", {"X": rows}, Value("f", ("n",)), "Predict.", abs),
    )
    slopes = {"coef_": Value("f", ("d",), meaning="slopes")}
    (item,) = part(1, canonical={"predict": abs})(Fitted).writes
    assert item == Class("Fitted", {"k": k}, methods, "Say.", slopes)


@pytest.mark.parametrize(
    ("lines", "words"), [("x (n,)", "b"), ("x (n,)\nb\nc", "c"), ("x (n,)\n\nb\nreturns", "x")]
)
def test_a_stub_that_describes_something_else_is_refused(lines, words):
    def asked(x, b): ...

    asked.__doc__ = f"Ask.\n\nSay.\n\n{lines}"
    with pytest.raises(ValueError, match=f"the docstring of asked must describe .*; look at {words}$"):
        part(1)(asked)


BAD_LINES = """b > 0: positive|b <= 1|b in (0, 1]|b float|b n:|b(n,):|b [n]:|b (n+1,):|b (n,) : residuals
b (n. d)|b (n,) integer|b int (n,)|return (n,)|Returns (n,)|b in [0, 1)|b in [1, 0]|b in [0, K)|    and so on
Returns|b int in [n, 2]|b in [1-, 2]|b (n,) real"""


@pytest.mark.parametrize("line", BAD_LINES.replace("\n", "|").split("|"))
def test_a_line_that_describes_nothing_is_quoted(line):
    def asked(x, b): ...

    class Asked:
        """Ask.

        Say.

        x (n,)
        """

        def predict(self, x, b): ...

    asked.__doc__ = f"Ask.\n\nSay.\n\nx (n,)\n{line}\nreturns"
    Asked.predict.__doc__ = f"Predict.\n\nreturns (n,)\n{line}"
    for stub, name in ((asked, "asked"), (Asked, "Asked.predict")):
        with pytest.raises(ValueError, match=re.escape(f"docstring of {name} has the line {line.strip()!r}")):
            part(1)(stub)


def test_the_first_line_of_a_method_may_be_the_one_that_describes_nothing():
    class Asked:
        """Ask.

        Say.
        """

        def predict(self):
            """Predict.

            returns (n,) label: labels
            """

    said = r"Asked.predict has the line .*, but a line .* kind is int, bool, .* 'in \[0, n\)'"
    with pytest.raises(ValueError, match=said):
        part(1)(Asked)
    Asked.predict.__doc__ = "Predict.\n\nThe labels\nof all rows: they are integers."
    assert part(1)(Asked).writes[0].methods[0].doc == Asked.predict.__doc__


def test_a_function_without_a_result_is_refused():
    def asked(x):
        """Ask.

        Say.

        x (n,)
        """

    with pytest.raises(ValueError, match="asked must say what it returns, else no answer is checked"):
        part(1)(asked)


def test_a_parameter_that_is_described_twice_is_refused():
    def asked(x): ...

    asked.__doc__ = "Ask.\n\nSay.\n\nx (n,)\nx (m,)\nreturns"
    with pytest.raises(ValueError, match=r"asked describes x twice, by 'x \(m,\)' too"):
        part(1)(asked)


def test_a_range_of_integers_may_end_below_a_number():
    def asked(x):
        """Ask.

        Say.

        x (n,)
        returns (n,) int in [0, 2)
        """

    (item,) = part(1)(asked).writes
    assert item.returns == Value("i", ("n",), minimum=0, maximum=1)
    assert "array (n,) of int in [0, 1]\n" in handouts.stub(item)
    later = replace(item, returns=Value("i", minimum=1, below="n"))
    assert "int, from 1 to n - 1\n" in handouts.stub(later)


def test_a_range_up_to_a_letter_needs_its_length():
    rows, index = Value("f", ("n",)), Value("i", minimum=0, below="K")
    function = Function("asked", {"x": rows}, index, "Say.")
    method = replace(function, name="predict", parameters={})
    for item in (
        function,
        Class("Asked", {}, (method,), "Say."),
        Class("Asked", {}, (), "Say.", {"a_": index}),
    ):
        with pytest.raises(ValueError, match=r"a range of (asked|Asked) ends below K, which is no length"):
            Part("one", 1, "?", writes=(item,))
    for known in ({"K": Value("i")}, {"x": Value("f", ("n", "K"))}):
        Part("one", 1, "?", writes=(replace(function, parameters=known),))
        Part("one", 1, "?", writes=(Class("Asked", known, (method,), "Say."),))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("float",), "kind must be one of f, i, b, U, fraction, any, got 'float'"),
        (("f", "rows"), "shape must be a tuple such as .*, got 'rows'"),
        (("f", (None,)), "shape must be a tuple"),
        (("f", (), "0"), "a range must be of two numbers, the least first, got '0' and None"),
        (("f", (), 1, 0), "a range must be of two numbers, the least first, got 1 and 0"),
        (("i", (), 0, None, False, "", "2"), "`below` a letter, got '2'"),
        (("f", (), 0, None, False, "", "n"), "of integers, and `below` a letter, got 'n' and the kind 'f'"),
    ],
)
def test_an_invalid_value_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        Value(*given)


def test_a_stub_without_a_question_is_refused():
    def asked(x):
        """Say.

        x (n,)
        """

    with pytest.raises(ValueError, match="asked must have the question, then what students read"):
        part(1)(asked)


HOLDS = claim("own.holds", kind="homework", section="1", statement="It holds.")(lambda: iter([]))
FUNCTION = Function("asked", {}, Value(), "Say.")
OWN = Part("own", 1, "?", (HOLDS,), (FUNCTION,))


def in_parts(*parts, **more):
    return Assignment("one", "One", parts, **more)


def other_claim(statement, *names):
    made = claim("own.holds", kind="homework", section="1", statement=statement)
    return made(eval(f"lambda {', '.join(names)}: iter([])"))


def escaped(x):
    """The angle of $\alpha x$.

    Say.

    x
    returns
    """


MISTAKES = {
    "part before its points": (lambda: part(escaped), r"points of @part, .*, got escaped"),
    "points forgotten": (lambda: part(HOLDS), "points of @part, which stand before the claims, as in @part"),
    "points as text": (lambda: part("2", HOLDS), "must be a number above 0, got '2'"),
    "no points": (lambda: replace(OWN, points=0), "points of own must be a number above 0, got 0"),
    "a name for a claim": (lambda: part(2, "holds")(of_all_kinds), "claims of of_all_kinds .* in it 'holds'"),
    "no comma after a claim": (
        lambda: replace(OWN, claims=(HOLDS)),
        "claims of own must be a tuple of Claim",
    ),
    "no comma after a part": (lambda: Assignment("one", "One", (OWN)), "parts of one .*, of the class Part"),
    "a claim for a part": (lambda: in_parts(HOLDS), "parts of one must be a tuple of Part, .* class Claim"),
    "no claim": (lambda: in_parts(replace(OWN, claims=())), "own must have a claim that decides"),
    "one id twice": (
        lambda: in_parts(OWN, replace(OWN, name="two", claims=(other_claim("It does not."),))),
        "two claims of one have the id 'own.holds'",
    ),
    "another name": (
        lambda: replace(OWN, claims=(other_claim("It holds.", "asks"),), given={"risk": 1}),
        "own.holds needs asks, which own does not provide; it provides asked, risk",
    ),
    "a backslash": (lambda: part(1, HOLDS)(escaped), r"docstring of escaped has the control .* '\\x07'"),
    "a question with a tab": (lambda: replace(OWN, question="$\theta$"), r"question of own .* '\\t'"),
    "loses as text": (lambda: Mutant("m", "", "own"), "loses of the mutant 'm' must be a tuple of str"),
    "a name that an adapter has not": (
        lambda: replace(OWN, claims=(other_claim("It holds.", "asks"),), adapt=dict).bind({"asked": abs}),
        "own.holds needs asks, which own does not provide; it provides asked",
    ),
    "no pairs": (lambda: variant("own", "old", "new"), r"@variant\('own'\) takes pairs of texts"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_in_declarations_get_a_message(mistake):
    declare, words = MISTAKES[mistake]
    with pytest.raises(ValueError, match=words):
        declare()


def test_audit_reports_invalid_variants_and_mutants(desk, capsys):
    wrong = CENTRES.replace('("centre",), "It', '("means",), "It').replace(
        "assignment =", "def far(whole):\n    return whole.far\n\nassignment ="
    )
    wrong = (
        wrong.rstrip()[:-2]
        + """
    Mutant("no name", "import math\\ndef center(x):\\n    return math.fsum(x)\\n", ("centre",)),
    Mutant("no code", "def centre(x)", ("centre",)),
), variants=(far,))
"""
    )
    Path("wrong.py").write_text(wrong)
    assert cli.main(["grade", "wrong.py", "--audit", "--sandbox", "limits"]) == cli.FAILS
    out = capsys.readouterr().out
    for said in (
        "variant 1 cannot be made: AttributeError: 'Assignment' object has no attribute 'far'",
        "mutant 'median' loses means, which is no part; the parts are centre, why",
        "mutant 'no name' changes nothing: it has none of the names centre",
        "mutant 'no code' is no Python",
    ):
        assert said in out


def test_a_class_has_variants_too():
    def bare(Fitted, k): ...

    def lazy(Fitted, k):
        """Say less."""
        return Fitted(0 * k)

    whole = Assignment("one", "One", (part(1, HOLDS, name="fitted")(Fitted),))
    other = variant("fitted", ("Ask", "Tell"))(bare)(whole).parts[0]
    assert (other.question, other.writes) == ("Tell.", whole.parts[0].writes)
    other = variant("fitted")(lazy)(whole).parts[0]
    assert other.writes == (replace(whole.parts[0].writes[0], doc="Say less."),)
    assert other.bind({"Fitted": abs})["Fitted"](3) == 0


def test_a_variant_says_what_differs():
    whole = Assignment("one", "One", (part(1, HOLDS, canonical={"of_all_kinds": abs})(of_all_kinds),))
    item = whole.parts[0].writes[0]

    def answers(of_all_kinds, *given):
        """flags
        m int: new
        """
        return 2 * of_all_kinds(*given)

    (other,) = variant("of_all_kinds", ("Ask", "Tell"), ("", "Now."), points=2)(answers)(whole).parts
    assert (other.question, other.points) == ("Tell.\n\nMore. Now.", 2)
    (written,) = other.writes
    assert written.parameters == {"flags": item.parameters["flags"], "m": Value("i", meaning="new")}
    assert (written.returns, written.doc, written.canonical) == (item.returns, item.doc, None)
    assert other.bind({"of_all_kinds": max})["of_all_kinds"](3, 4) == 8
    with pytest.raises(ValueError, match="the variant exchanges 'Shout', which is not in the text"):
        variant("of_all_kinds", ("Shout", "Tell"))(answers)(whole)
    with pytest.raises(ValueError, match="one has no part 'of_no_kind'; its parts are of_all_kinds"):
        variant("of_no_kind")(answers)(whole)


def test_what_adapts_a_class():
    class Machine:
        Fitted: Any

        def predict(self, X):
            return self.Fitted(1).predict(X)

    class Own:
        def __init__(self, k):
            self.k = k

        def fit(self, X, y):
            self.y = y

        def predict(self, X):
            return (self.k, X)

    adapt = {
        "Machine": Machine,
        "Theirs": {"fit": "fit", "decide": "predict"},
        "twice": lambda own, k: own(2 * k),
    }
    names = part(1, adapt=adapt, given={"zero": 0})(Fitted).bind({"Fitted": Own, "other": None})
    assert sorted(names) == ["Fitted", "Machine", "Theirs", "twice", "zero"]
    assert names["Machine"]().predict(5) == (1, 5)
    assert names["Theirs"](k=3).fit(1, 2).decide(5) == (3, 5)
    assert names["twice"](4).k == 8


# ------------------------------------------------------------------- what students may have

BEFORE = '''"""Solution: sum over length."""
import sys
import mlnotes.homework as hw
from mlnotes.homework import *
ANSWER = "def centre(x):\\n    return sum(x) / len(x)\\n"
OUTPUTS = {}
OUTPUTS["mean"] = ANSWER  # never show sum(x) / len(x)
def marks():
    return "1 convex, 2 strictly"
if __name__ == "__main__":
    print(ANSWER)
assert "return" in ANSWER
'''


def written(tail, before=BEFORE):
    """The first example with its answers elsewhere, and its parts in another way."""
    head, rest = EXAMPLES["centres"].split("assignment = ")
    parts = rest[rest.index("(centre") : rest.index(", solution")].replace(
        '"1 convex, 2 strictly"', "marks()"
    )
    Path("own.py").write_text(f"{before}{head}\nPARTS = {parts}\n{tail}\n")
    return Path("own.py")


TAILS = [
    'assignment = Assignment("centres", "Centres", PARTS, solution=OUTPUTS["mean"])',
    'assignment = hw.Assignment("centres", "Centres", PARTS, solution=f"# of {sys.version}\\n{ANSWER}")',
    'import dataclasses\nassignment = Assignment("centres", "Centres", PARTS)\n'
    "assignment = dataclasses.replace(assignment, solution=ANSWER)",
    'assignment = Assignment("centres", "Centres", PARTS, variants={2: Assignment("c", "C", PARTS,'
    ' solution=ANSWER, mutants=(Mutant("m", "def centre(x): return max(x)", ("centre",)),))})',
]


@pytest.mark.parametrize("tail", TAILS)
def test_nothing_of_the_solution_is_in_what_students_get(tail, desk):
    given = public(written(tail))
    for secret in (
        "sum(x)",
        "max(x)",
        "len(x)",
        "ANSWER",
        "strictly",
        "marks",
        "Solution",
        "sys",
        "__main__",
    ):
        assert secret not in given, secret
    Path("centres_check.py").write_text(given)
    found = homework.load("centres_check.py")
    assert [part.name for part in found.parts] == ["centre", "why"]
    assert found.solution == ""
    for name, source in EXAMPLES.items():
        text = public(Path(f"{name}.py"))
        own = homework.load(f"{name}.py")
        secrets = [own.solution, *(m.source for m in own.mutants), *(m.sentence for m in own.mutants)]
        lines = {line.strip() for secret in secrets for line in secret.splitlines()}
        lines -= {"import numpy as np", *map(str.strip, handouts.script(own).splitlines())}
        assert [line for line in lines if line in text] == [], name
        assert source not in text


REFUSED = {
    'assignment = Assignment("c", "C", PARTS, "1", "", "", ANSWER)':
        "own.py, line 5: students would get this text of a solution",
    'assignment = Assignment(**dict(id="c", title="C", parts=PARTS, solution="x" + "=1"))':
        "own.py: a solution, a mistake or a rubric is still there; give them as keywords",
    'from pathlib import *\nassignment = Assignment("c", Path(__file__).with_name("t").read_text(), PARTS)':
        "own.py without its solutions does not load: FileNotFoundError",
    'assignment = Assignment("c", "def centre(x): return sum(x) / len(x)", PARTS, solution=ANSWER)':
        "students would get this text of a solution",
}  # fmt: skip


@pytest.mark.parametrize("tail", REFUSED)
def test_public_files_that_reveal_solutions_are_refused(tail, desk):
    Path("t").write_text("Centres")
    with pytest.raises(ValueError, match=re.escape(REFUSED[tail])):
        public(written(tail))


def test_the_handout_says_what_students_need(desk, capsys):
    assert cli.main(["handout", "centres.py", "-o", "a.ipynb"]) == cli.OK
    assert (
        "centres.py holds solutions; students check with what '--public centres_check.py'"
        in capsys.readouterr().err
    )
    assert cli.main(["handout", "centres.py", "--public", "mine.py", "-o", "b.ipynb"]) == cli.OK
    assert "feedback calls the public file centres_check.py" in capsys.readouterr().err
