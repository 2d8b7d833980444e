"""The grader end to end: samples, verdicts, notebooks, folders, the handout, the live check, the audit."""

import faulthandler
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import nbformat
import numpy as np
import pytest

from mlnotes import grading, homework
from mlnotes.checking import claim, equal, within
from mlnotes.grading import engine, results
from mlnotes.grading.assignment import handouts
from mlnotes.grading.cohort import folder
from mlnotes.grading.feedback import reports
from mlnotes.grading.protocol import session
from mlnotes.grading.protocol.instances import Draw
from mlnotes.grading.protocol.session import InProcessSession
from mlnotes.grading.sandbox import claim_process
from mlnotes.grading.sandbox.levels import Sandbox
from mlnotes.mistakes.homework import solved

HERE = Path(__file__).parent
SMALL = str(HERE / "small_homework.py")


@pytest.fixture(scope="module")
def small():
    return homework.load(SMALL)


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox("limits") as found:
        yield found


def grade(small, sandbox, source, name="ada.py", **options):
    return engine.grade_bytes(
        small, source.encode(), name, secret=b"s", sandbox=sandbox, student="ada", **options
    )


def verdicts(result):
    return {part.name: part.verdict for part in result.parts}


def replaced(small, source):
    return f"{small.solution}\n\n{source}\n"


# ------------------------------------------------------------------- what is right earns everything


def test_the_solution_earns_everything_but_the_essay(small, sandbox):
    result = grade(small, sandbox, small.solution)
    assert (result.earned, result.points, result.status) == (16, 21, results.OPEN)
    assert verdicts(result).pop("essay") == results.OPEN
    assert {p.verdict for p in result.parts[:-1]} == {results.OK}


LEVELS = [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("bubblewrap", "landlock", "limits")]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("name", "earned"), [("right.py", 20), ("half.ipynb", 10), ("wrong.py", 0)])
def test_the_samples_of_homework_one(level, name, earned):
    with Sandbox(level) as sandbox:
        path = HERE / "submissions" / name
        result = grading.grade_submission(homework.load("hw01"), path, secret=b"s", sandbox=sandbox)
    assert (result.earned, result.status, result.sandbox) == (earned, results.GRADED, level)


def test_a_result_is_the_same_every_time_and_survives_json(small, sandbox):
    first, second = (grade(small, sandbox, small.solution) for _ in range(2))
    assert first == second
    assert results.Result.from_dict(json.loads(json.dumps(first.as_dict()))) == first


def test_another_file_gets_other_instances(small):
    one, two = (Draw(b"s", small, digest).rng("means", "small.means").random() for digest in "ab")
    assert one != two
    assert one == Draw(b"s", small, "a").rng("means", "small.means").random()
    assert one != Draw(b"t", small, "a").rng("means", "small.means").random()


# ------------------------------------------------------------------- verdicts

CASES = {
    "def row_means(X): return X": ("WRONG SHAPE", "an array (4, 3) where an array (n,) = (4,)"),
    "def row_means(X): return 0 * X.mean(axis=1) / 0": ("NOT A NUMBER", "row_means(...) gives nan"),
    "def row_means(X): return X.mean(axis=1) + 1": ("CLAIM FAILS", "claims fail"),
    "def row_means(X): pass": ("WRONG TYPE", "is a return missing?"),
    "def row_means(X): return [str(v) for v in X]": ("WRONG TYPE", "strings where real numbers"),
    "def row_means(X): return X.nothing": ("RAISES", "AttributeError"),
    "def row_means(X): raise NotImplementedError": ("NOT FOUND", "it is not written yet"),
    "def row_means(X):\n while True: pass": ("TIME", "no answer within"),
    "def row_means(X): import os; os._exit(0)": ("CRASH", "exit status 0"),
    "def row_means(X): import sys; sys.exit(0)": ("RAISES", "SystemExit"),
    "def row_means(X): import ctypes; ctypes.string_at(0)": ("CRASH", "SIGSEGV"),
    "def row_means(X): return (v for v in X)": ("OUTPUT", "type generator"),
    "def row_means(X): return X.mean(axis=1).astype(complex)": ("OUTPUT", "complex"),
    "def row_means(X): return [0] * 10**6": ("OUTPUT", "use an array"),
    "del row_means": ("NOT FOUND", "row_means is not defined"),
    "rowmeans = row_means; del row_means": ("NOT FOUND", "; your file defines rowmeans"),
    "Row_Means = row_means; del row_means": ("NOT FOUND", "; your file defines Row_Means"),
    "row_means = 3": ("NOT FOUND", "it is a value"),
}


@pytest.mark.parametrize("source", CASES)
def test_a_mistake_costs_its_part_and_is_named(small, sandbox, source, monkeypatch):
    part = small.part("means")
    if "while" in source:
        monkeypatch.setitem(part.__dict__, "seconds", 1.0)
    result = grade(small, sandbox, replaced(small, source))
    found = next(p for p in result.parts if p.name == "means")
    kind, words = CASES[source]
    assert (found.verdict, found.earned) == (kind, 0)
    assert words in found.sentence
    assert result.earned == 13, "the other parts keep their points"


def test_memory_is_limited_and_named(small, sandbox):
    source = replaced(small, "def row_means(X): return np.ones((10**6, 10**4))")
    assert verdicts(grade(small, sandbox, source))["means"] == results.MEMORY


def test_a_fault_that_a_claim_catches_still_counts(small, sandbox):
    from mlnotes.checking import claim, equal

    @claim("small.forgiving", kind="homework", statement="", section="")
    def forgiving(row_means):
        try:
            row_means(np.ones((2, 2)))
        except Exception:
            yield equal("nothing", 0, 0)

    part = homework.Part("means", 3, "", (forgiving,), small.part("means").writes)
    own = homework.Assignment("own", "Own", (part,))
    assert verdicts(grade(own, sandbox, "def row_means(X): raise ValueError"))["means"] == results.RAISES


def test_after_the_time_limit_no_claim_of_the_part_is_run(small, sandbox):
    means = small.part("means").claims[0]
    claims = tuple(replace(means, id=f"small.means-{k}") for k in range(3))
    part = homework.Part("means", 3, "", claims, small.part("means").writes, seconds=0.3)
    result = grade(
        homework.Assignment("own", "Own", (part,)), sandbox, "def row_means(X):\n while True: pass"
    )
    assert [c.verdict for c in result.parts[0].claims] == [results.TIME, "NOT RUN", "NOT RUN"]


def test_an_error_inside_a_claim_is_a_grader_error(small, sandbox):
    from mlnotes.checking import claim, equal

    @claim("small.broken", kind="homework", statement="", section="")
    def broken(row_means):
        yield equal("nothing", 1 / 0, row_means)

    part = homework.Part("means", 3, "", (broken,), small.part("means").writes)
    result = grade(homework.Assignment("own", "Own", (part,)), sandbox, small.solution)
    assert (result.status, result.earned, result.parts[0].earned) == (results.GRADER, None, None)
    assert "ZeroDivisionError" in result.parts[0].sentence


def test_outputs_too_long_to_print_fail_the_claim(small, sandbox):
    @claim("small.product", kind="homework", statement="", section="")
    def product(total, rng):
        value = total([Fraction(1, 3)])
        yield equal("product", value**6, Fraction(1, 3) ** 6)  # of more than 4,300 digits
        yield within("numerator", value.numerator**6, 0, value.denominator**6)

    @claim("small.name", kind="homework", statement="", section="")
    def name(majority, rng):
        yield equal("the label", majority(np.array(["a", "b"])), "a")

    parts = (
        homework.Part("total", 1, "", (product,), small.part("exact").writes),
        homework.Part("majority", 1, "", (name,), small.part("labels").writes),
    )
    own = homework.Assignment("own", "Own", parts)
    source = (
        "from fractions import Fraction\n"
        "def total(parts): return Fraction(2**4090 + 1, 3**2000)\n"
        "def majority(labels): return '1/0'\n"
    )
    result = grade(own, sandbox, source, show_instances=True)
    assert (result.status, result.earned) == (results.GRADED, 0)
    assert json.loads(json.dumps(result.as_dict()))["earned"] == 0
    text = reports.feedback_text(result)
    assert "product: expected 1/729, got a fraction of 24541 bits" in text
    assert "the label: expected a, got 1/0" in text


@pytest.mark.parametrize(
    ("steps", "earned"), [(2, 0.0), (3, 1.0), (4, 3.0), (9, 4.0)]
)  # residuals about 0.5, 1e-2, 1e-7 or so, 0
def test_credit_follows_the_residual(small, sandbox, steps, earned):
    source = f"def root(a):\n x = 2.0\n for _ in range({steps - 1}): x = (x + a / x) / 2\n return x"
    single = homework.Assignment("own", "Own", (small.part("root"),))
    draws = [grade(single, sandbox, f"{source}\n# {k}").earned for k in range(3)]
    assert earned in draws


def test_credit_needs_its_gate(small, sandbox):
    result = grade(small, sandbox, replaced(small, "def root(a): return -1.0001 * math.sqrt(a)"))
    assert next(p for p in result.parts if p.name == "root").earned == 0


@pytest.fixture
def gap():
    """One part whose points follow a residual on a log scale: a third for 1e-1, all for 1e-6."""
    from mlnotes.checking import at_most, claim

    @claim("small.gap", kind="homework", statement="", section="")
    def gap_closes(root, rng):
        for a in rng.uniform(2, 9, 3).tolist():
            yield at_most("gap", abs(root(a) ** 2 - a), 1e-9)

    @claim("small.sign", kind="homework", statement="", section="")
    def sign(root):
        yield at_most("minus the root", -root(4.0), 0)

    writes = homework.load(SMALL).part("root").writes
    steps = ((gap_closes, "gap", homework.log_scale(1e-1, 1e-6, 3)),)
    return homework.Assignment("gap", "Gap", (homework.Part("root", 3, "", (sign,), writes, credit=steps),))


@pytest.mark.parametrize(
    ("error", "earned"), [(0, 3), (1e-11, 3), (1e-8, 3), (1e-5, 2), (3e-3, 1), (1, 0), (-1e-5, 2), ("nan", 0)]
)
def test_credit_on_a_log_scale_from_the_file_to_the_gradebook(gap, tmp_path, error, earned):
    (tmp_path / "in").mkdir()
    body = f"return a ** 0.5 + {error} / 12" if error != "nan" else "return float('nan')"
    (tmp_path / "in" / "ada.py").write_text(f"def root(a): {body}")
    summary = grading.grade_folder(gap, tmp_path / "in", tmp_path / "out", sandbox="limits")
    (row,) = summary.rows
    head = (tmp_path / "out" / "gradebook.csv").read_text().splitlines()[0].split(",")
    assert float(row[head.index("root")]) == pytest.approx(earned, abs=0.01)
    feedback = (tmp_path / "out" / "feedback" / "ada.txt").read_text()
    assert ("partial credit: " in feedback) == (0 < earned < 3 or error == 1e-8)


def test_credit_is_by_the_worst_of_all_residuals(gap, sandbox):
    source = (
        "calls = []\n"
        "def root(a):\n    calls.append(a)\n    return a ** 0.5 + (1e-4 if len(calls) == 3 else 0)"
    )
    assert grade(gap, sandbox, source).earned == pytest.approx(1)


def test_credit_for_an_unknown_measurement_is_a_grader_error(gap, sandbox):
    part = gap.parts[0]
    claim, _, steps = part.credit[0]
    misnamed = replace(gap, parts=(replace(part, credit=((claim, "residual", steps),)),))
    result = grade(misnamed, sandbox, "def root(a): return 1.0")
    assert (result.status, result.earned) == (results.GRADER, None)
    assert "credit needs single numbers called 'residual'" in result.parts[0].sentence


def test_credit_and_precision_are_validated(gap):
    part = gap.parts[0]
    with pytest.raises(ValueError, match="shares must rise to at most 1 as thresholds fall"):
        replace(part, credit=((part.credit[0][0], "gap", ((1e-6, 0.25), (1e-1, 0.75))),))
    with pytest.raises(ValueError, match="shares must rise to at most 1"):
        replace(part, credit=((part.credit[0][0], "gap", ((1e-6, 1.5),)),))
    with pytest.raises(ValueError, match="precision of root must be 'double' or 'single', got 'half'"):
        replace(part, precision="half")
    with pytest.raises(
        ValueError, match=r"log_scale needs 0 < last < first and 2 steps, got 1e-06, 0.1 and 3"
    ):
        homework.log_scale(1e-6, 1e-1, 3)


# ------------------------------------------------------------------- single precision


@pytest.mark.parametrize(
    ("precision", "source", "verdict"),
    [
        ("double", "X.mean(axis=1)", "OK"),
        ("double", "X.astype(np.float32).mean(axis=1)", "CLAIM FAILS"),
        ("single", "X.astype(np.float32).mean(axis=1)", "OK"),
        ("single", "X.mean(axis=1)", "OK"),
        ("single", "X.astype(np.float16).mean(axis=1) + 0.01", "CLAIM FAILS"),
    ],
)
def test_single_precision_is_enough_where_the_part_says_so(
    small, sandbox, tmp_path, precision, source, verdict
):
    from mlnotes.checking import claim, equal, rounding

    @claim("small.rounded", kind="homework", statement="", section="")
    def rounded(row_means, rng):
        X = rng.normal(size=(20, 5))
        yield equal("means", row_means(X), X.mean(axis=1), rounding(5, 4))

    part = replace(small.part("means"), claims=(rounded,), precision=precision)
    own = homework.Assignment("own", "Own", (part,))
    text = f"import numpy as np\ndef row_means(X): return {source}"
    assert verdicts(grade(own, sandbox, text))["means"] == verdict
    if verdict != "OK" and precision == "double":
        assert "gave float32" in own_check(own, tmp_path, text)
    assert rounding(1) == 1000 * 2.0**-53, "outside the part nothing has changed"


# ------------------------------------------------------------------- files that are not as they should be


def notebook(*cells):
    made = [
        nbformat.v4.new_code_cell(c) if isinstance(c, str) else nbformat.v4.new_markdown_cell(c[0])
        for c in cells
    ]
    return nbformat.writes(nbformat.v4.new_notebook(cells=made))


def test_a_notebook_keeps_the_credit_of_the_cells_that_work(small, sandbox):
    source = notebook(
        "%matplotlib inline\nimport numpy as np\n!pip install nothing",
        ("words",),
        "%%bash\nrm -rf /",
        "def row_means(X):\n    return X.mean(axis=1",
        "import matplotlib.pyplot as plt\nfig, axes = plt.subplots(2, 2)\naxes[0, 1].plot([1])\nplt.show()",
        "name = input('your name? ')",
        "from mlnotes.grading import check\ncheck('small.sorting')\nundefined_name\n"
        "def order(x): return np.argsort(x)",
        "import sklearn",
    )
    result = grade(small, sandbox, source, "ada.ipynb")
    assert verdicts(result)["sorting"] == results.OK
    assert verdicts(result)["means"] == results.MISSING
    notes = "\n".join(result.notes)
    assert "code cell 1 (%matplotlib inline): lines with % or ! were skipped" in notes
    assert "code cell 3 (def row_means(X):), line 2: SyntaxError: '(' was never closed" in notes
    assert "code cell 5 (name = input('your name? ')), line 1: EOFError" in notes
    assert "NameError: name 'undefined_name'" in notes
    assert "No module named 'sklearn'" in notes
    assert "code cell 4" not in notes
    assert "mlnotes is not allowed" not in notes
    assert "'check' is not defined" not in notes


@pytest.mark.parametrize(
    "cell",
    [
        "%%time\n%matplotlib inline\nTHIS",
        "%%capture out\n!pip list\n\nTHIS",
        "spent = %timeit -o sum([1])\nTHIS",
        "files, n = !ls\nTHIS",
        "%matplotlib inline\nx = max(1,  # why?\n        2)\nTHIS",
        "np.argsort?\nx = np.sum??\nTHIS",
        "if True:\n    %time x = 1\n    THIS",
    ],
)
def test_lines_of_ipython_cost_no_other_line_of_their_cell(small, sandbox, cell):
    source = notebook("import numpy as np", cell.replace("THIS", "def order(x): return np.argsort(x)"))
    assert verdicts(grade(small, sandbox, source, "ada.ipynb"))["sorting"] == results.OK


@pytest.mark.parametrize("deep", ["+".join("1" * 20_000), "-" * 5_000 + "1"])
def test_an_expression_that_is_too_deep_for_python_costs_its_cell_only(small, sandbox, deep):
    result = grade(small, sandbox, notebook(f"deep = {deep}", small.solution), "ada.ipynb")
    assert result.earned == 16
    assert "RecursionError" in result.notes[0]


def test_a_check_of_live_objects_survives_an_exit(small):
    part, ends = small.part("sorting"), InProcessSession({"order": lambda x: sys.exit(3)})
    result = engine.grade_part(part, ends, Draw(b"s", small, ""), instances=True)
    assert result.verdict == results.RAISES
    assert result.sentence.endswith(": SystemExit: 3")


def test_what_is_printed_in_many_calls_is_cut(small, sandbox):
    @claim("small.loud", kind="homework", section="any", statement="The answer is one.")
    def loud(order, rng):
        yield equal("answers", sum(order(0) for _ in range(60)), 60)

    whole = homework.Value("i")
    writes = (homework.Function("order", {"x": whole}, whole, "One."),)
    given = replace(small, parts=(homework.Part("loud", 1, "Be loud.", (loud,), writes),))
    result = grade(given, sandbox, "def order(x):\n    print('x' * 7000)\n    return 1\n")
    assert result.earned == 1
    assert 100_000 < len(result.parts[0].prints) < 110_000
    assert result.parts[0].prints.endswith("left out ...\n")


def test_a_hang_at_import_costs_that_statement_only(small, sandbox, monkeypatch):
    monkeypatch.setitem(small.__dict__, "load_seconds", 1.5)
    source = replaced(small, "def forever():\n    while True: pass\nforever()\nimport os; os._exit(3)")
    result = grade(small, sandbox, source)
    assert result.earned == 16
    assert sum("skipped" in note for note in result.notes) == 2


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b'{"cells": [1, null, {"cell_type": "code"}]}', "a.ipynb", "is not defined"),
        (b"def row_means(X:\n", "a.py", "is not defined"),
        (b"\x00\x01\x02", "a.py", "is not defined"),
        (b"", "a.py", "is not defined"),
    ],
)
def test_a_file_without_answers_earns_nothing(small, sandbox, data, name, words):
    result = engine.grade_bytes(small, data, name, secret=b"s", sandbox=sandbox, student="ada")
    assert result.earned == 0
    assert words in result.parts[0].sentence


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"", "a.ipynb", "not valid JSON"),
        (b'{"cells": [', "a.ipynb", "not valid JSON"),
        (b"<!DOCTYPE html><title>Sign in</title>", "a.ipynb", "not valid JSON"),
        (b"[" * 10**5, "a.ipynb", "not valid JSON"),
        (b"{}", "a.ipynb", "no list of cells"),
        (b"x = 1\n" * 10**6, "a.py", "characters of code"),
    ],
)
def test_a_file_that_nobody_could_read_is_no_zero(small, sandbox, data, name, words):
    result = engine.grade_bytes(small, data, name, secret=b"s", sandbox=sandbox, student="ada")
    assert (result.status, result.earned) == (results.NEEDS, None)
    assert words in result.parts[0].sentence


def test_the_kind_of_a_name_may_be_anything():
    assert session._names({"f": np.zeros(2), "g": [1], "h": "class", "k" * 101: "value"}) == {"h": "class"}


def test_a_diagnosis_begins_after_all_parts(small, sandbox, monkeypatch):
    """Before, the time until the next question told a submission that its answers were wrong."""
    seen = []
    monkeypatch.setattr(claim_process, "items", lambda work, sandbox: work())
    monkeypatch.setattr(engine, "diagnosis", lambda *_: seen.append("diagnosis") or "a mistake")
    graded = engine.grade_part
    monkeypatch.setattr(engine, "grade_part", lambda part, *a: seen.append(part.name) or graded(part, *a))
    result = grade(small, sandbox, replaced(small, "def row_means(X): return X.mean(axis=1) + 1"))
    assert seen == [*(part.name for part in small.parts), "diagnosis"]
    assert result.parts[0].diagnosis == "a mistake"


def test_the_line_of_a_syntax_error_is_shown(small, sandbox):
    result = grade(small, sandbox, "import numpy as np\n\ndef row_means(X)\n    return X\n")
    assert "your file, line 3: SyntaxError" in result.notes[0]
    assert "[def row_means(X)]" in result.notes[0]


@pytest.mark.parametrize("doc", ['It says "yes"', "It ends in \\", "It is plain."])
def test_a_stub_is_valid_python_for_any_docstring(doc):
    text = handouts.stub(homework.Class("Empty", {}, (homework.Function("run", {}, None, doc),), doc))
    names = {}
    exec(text, names)
    assert names["Empty"].__doc__.strip() == names["Empty"].run.__doc__.strip() == doc


# ------------------------------------------------------------------- prints


def test_prints_are_kept_per_part_and_capped(small, sandbox):
    source = replaced(
        small,
        "import sys\n"
        "def row_means(X):\n"
        "    print('\\x1b[31mred\\x07')\n    sys.stderr.write('warning\\n')\n"
        "    import warnings; warnings.warn('old')\n"
        "    print('x' * 10**6)\n    return X.mean(axis=1)",
    )
    result = grade(small, sandbox, source)
    part = result.parts[0]
    assert part.verdict == results.OK
    assert part.prints.startswith("red\nwarning\n")
    assert "bytes left out" in part.prints
    assert len(part.prints) < 30_000
    assert "\x1b" not in part.prints
    assert "your code printed:" in reports.part_text(part)


# ------------------------------------------------------------------- a folder


@pytest.fixture
def class_folder(tmp_path, small):
    place = tmp_path / "submissions"
    place.mkdir()
    (place / "ada.py").write_text(small.solution)
    (place / "bob.py").write_text(small.solution)
    (place / "eve.py").write_text("import os\n")
    (place / "=cmd.ipynb").write_text(notebook(small.solution))
    (place / "link.py").symlink_to("/etc/passwd")
    return place


def test_a_folder_is_graded_once_and_resumed(class_folder, tmp_path, small):
    out = tmp_path / "out"
    seen = []
    summary = grading.grade_folder(
        small, class_folder, out, sandbox="limits", progress=lambda *event: seen.append(event[:2])
    )
    assert [row[0] for row in summary.rows] == ["'=cmd", "ada", "bob", "eve", "link"]
    assert (summary.graded, summary.exit_status) == (4, 3)
    assert seen[-1] == (5, 5)
    written = {p: p.read_bytes() for p in sorted((out / "results").iterdir())}
    assert len(written) == 5
    assert (out / "secret.key").stat().st_mode & 0o777 == 0o600
    ada, bob = (json.loads((out / "results" / f"{name}.json").read_text()) for name in ("ada", "bob"))
    assert ada | {"student": "bob"} == bob
    assert "not a regular file" in (out / "feedback" / "link.txt").read_text()
    grading.grade_folder(small, class_folder, out, sandbox="limits")
    assert {p: p.read_bytes() for p in sorted((out / "results").iterdir())} == written


def test_a_secret_that_can_be_guessed_is_refused(class_folder, tmp_path, small):
    (tmp_path / "secret.key").write_text("secret\n")
    with pytest.raises(ValueError, match="the secret must have at least 16 bytes, else it is guessed; got 6"):
        grading.grade_folder(small, class_folder, tmp_path, sandbox="limits")


def test_gradebook_cells_of_undecided_parts_are_empty(class_folder, tmp_path, small):
    grading.grade_folder(small, class_folder, tmp_path / "out", sandbox="limits")
    head, *rows = (tmp_path / "out" / "gradebook.csv").read_text().splitlines()
    assert (
        head
        == "student,means,sorting,exact,simpson,center,labels,root,essay,total,points,status,sandbox,file"
    )
    assert rows[1].startswith("ada,3,2,2,2,2,1,4,,,21,NOT GRADED,limits,")


def test_two_processes_give_the_same_results_as_one(tmp_path):
    first = grading.grade_folder(
        "hw01", HERE / "submissions", tmp_path / "a", sandbox="limits", secret=b"s", jobs=1
    )
    second = grading.grade_folder(
        "hw01", HERE / "submissions", tmp_path / "b", sandbox="limits", secret=b"s", jobs=2
    )
    assert first.rows == second.rows
    assert (first.undecided, first.exit_status) == ([], 0)
    for path in (tmp_path / "a" / "results").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / "results" / path.name).read_bytes()


def test_a_grading_process_that_dies_or_hangs_costs_its_submission_only(tmp_path, monkeypatch):
    for name, value in {"ada": 1, "bob": 13, "eve": 14, "fay": 0, "gus": 1, "hal": 15}.items():
        (tmp_path / f"{name}.py").write_text(f"def answer(): return {value}  # {name}")
    monkeypatch.setattr(claim_process, "SILENT_SECONDS", 8.0)
    monkeypatch.setattr(claim_process, "CLAIM_SECONDS", 1)
    reference = str(HERE / "crashing_homework.py")
    summary = grading.grade_folder(reference, tmp_path, tmp_path / "out", sandbox="limits", jobs=2)
    statuses = {row[0]: (row[1], row[-3]) for row in summary.rows}
    assert statuses["ada"] == statuses["gus"] == ("1", results.GRADED)
    assert statuses["fay"] == ("0", results.GRADED)
    assert statuses["bob"] == statuses["eve"] == statuses["hal"] == ("", results.NEEDS)
    assert summary.exit_status == 3


def test_an_empty_folder_is_a_usage_error(tmp_path, small):
    with pytest.raises(ValueError, match=r"holds no \.py or \.ipynb file"):
        grading.grade_folder(small, tmp_path, tmp_path / "out", sandbox="limits")
    with pytest.raises(ValueError, match="submissions must be a folder"):
        grading.grade_folder(small, tmp_path / "none", tmp_path / "out", sandbox="limits")


def test_a_torn_result_is_graded_again(class_folder, tmp_path, small):
    out = tmp_path / "out"
    grading.grade_folder(small, class_folder, out, sandbox="limits")
    good = (out / "results" / "eve.json").read_bytes()
    (out / "results" / "eve.json").write_bytes(good[:100])
    grading.grade_folder(small, class_folder, out, sandbox="limits")
    assert (out / "results" / "eve.json").read_bytes() == good
    assert folder.Book(small, out).stored("nobody") is None


# ------------------------------------------------------------------- the student's side


def own_check(assignment, tmp_path, source, name="mine.py"):
    path = tmp_path / name
    path.write_text(source)
    return grading.feedback_text(grading.check_file(assignment, path))


def test_check_shows_the_call_and_grade_does_not(small, tmp_path):
    source = replaced(small, "def row_means(X): return X.mean(axis=1) + 1")
    text = own_check(small, tmp_path, source)
    assert "means of 1 rows of 1 (0 of 1 hold; entry [0])" in text
    assert "        called:\n          row_means(X)\n              X = [[" in text
    assert "\n              gave [" in text
    assert "notation of the claim" not in text, "the claim's X is the student's"
    assert f"read {small.parts[0].claims[0].where}" in text
    assert text.count("not a grade") == 1
    assert "mlnotes check" not in text
    with Sandbox("limits") as sandbox:
        result = grading.grade_submission(small, tmp_path / "mine.py", secret=b"s", sandbox=sandbox)
    graded = grading.feedback_text(result)
    assert all(claim.calls == claim.instance == () for part in result.parts for claim in part.claims)
    assert "called:" not in graded
    assert "X = [[" not in graded
    assert "an instance of your own: mlnotes check small_check.py FILE" in graded
    assert "not a grade" not in graded


def test_an_assignment_may_show_its_calls_to_the_class(small, sandbox):
    shown = replace(small, show_calls=True)
    result = grade(shown, sandbox, replaced(small, "def row_means(X): return X.mean(axis=1) + 1"))
    assert result.parts[0].claims[0].calls[0] == "row_means(X)"
    assert results.Result.from_dict(json.loads(json.dumps(result.as_dict()))) == result
    assert "secret" not in json.dumps(result.as_dict())


def test_the_call_is_shown_in_the_words_of_the_homework(tmp_path):
    hw01 = homework.load("hw01")
    known = solved("hw01")
    wrong = next(m.source for m in known.mutants if m.name == "wrong_transposed_cost")
    text = own_check(hw01, tmp_path, f"{known.solution}\n{wrong}")
    called = text[text.index("choose(posterior, cost)") :].splitlines()[:4]
    cost = np.array(json.loads(called[2].partition("cost = ")[2]))
    posterior = np.array(json.loads(called[1].partition("posterior = ")[2]))
    gave = np.array(json.loads(called[3].partition("gave ")[2]))
    assert (gave == (posterior @ cost.T).argmin(axis=1)).all(), "the call can be pasted back"


@pytest.mark.parametrize(
    ("source", "kind", "shown"),
    [
        ("def row_means(X): return X[:, 1]", "RAISES", "IndexError: index 1 is out of bounds"),
        ("def row_means(X): return X * float('nan')", "NOT A NUMBER", "gave [[nan]]"),
        ("def row_means(X): return [X]", "WRONG SHAPE", "gave [[["),
        ("def row_means(X): return X.mean(1).astype('float32')", "CLAIM FAILS", "gave float32 ["),
    ],
)
def test_a_fault_shows_its_call(small, tmp_path, source, kind, shown):
    text = own_check(small, tmp_path, replaced(small, source))
    assert f"means: {kind}, 0 of 3" in text
    assert "          row_means(X)\n              X = " in text
    assert shown in text


def test_an_instance_is_shown_with_how_it_was_made(small, tmp_path):
    text = own_check(small, tmp_path, replaced(small, "Center.transform = lambda self, X: X"))
    lines = [line.strip() for line in text[text.index("called:") :].splitlines()]
    assert lines[1] == "model = Center()"
    assert lines[2] == "model.fit(X)"
    assert lines[3].startswith("X = [[0.0, 2.0], [1.0, -2.0], ")
    assert lines[4] == "model.transform(X)"
    assert lines[6].startswith("gave [[")


def test_callbacks_fractions_and_long_values_are_shown_short(small, tmp_path):
    text = own_check(
        small,
        tmp_path,
        replaced(small, "def integral(f, a, b): return f(0)\ndef total(parts): return parts[0]"),
    )
    assert "integral(f, a, b)\n              f = a function\n              a = 0.0\n" in text
    assert "parts = [Fraction(" in text
    assert max(map(len, text.splitlines())) < 700


def test_measurements_of_one_kind_are_said_once(tmp_path):
    text = own_check(homework.load("hw01"), tmp_path, "def threshold(prior, fp, fn): return 100.0")
    lines = [line for line in text.splitlines() if "cost of predicting 1 where eta = t" in line]
    assert len(lines) == 1
    assert lines[0].endswith("and 4 more like this")
    assert text.count("threshold(prior, cost_fp, cost_fn)") == 2, "once a claim"


def test_one_reason_is_said_once_a_part(small, tmp_path):
    text = own_check(homework.load("hw01"), tmp_path, "def least_error(joint): raise NotImplementedError")
    assert text.count("it is not written yet") == 1
    part = text[text.index("least: NOT FOUND") :].split("\n\n")[0]
    assert "NO  bayes.setup-bayes-risk" in part or "NO  bayes." in part
    assert part.count("NOT FOUND") == 2
    assert part.count("read ") == 1


def test_a_file_of_another_homework_says_so_first_and_once(tmp_path):
    source = "from mlnotes.grading import check\ndef other(): pass\ncheck('hw02.switch')\n"
    lines = own_check(homework.load("hw01"), tmp_path, source).splitlines()
    assert lines[1:3] == [
        "Nothing was checked: this is a file of hw02: it defines nothing of what hw01 asks for.",
        "Where it is graded, your instructor decides; that is not a zero.",
    ]
    assert "INSTRUCTOR" not in "\n".join(lines)


def test_a_missing_part_gets_no_diagnosis_of_another_part(small, sandbox):
    wrong = homework.Mutant("sum", "def row_means(X): return X.sum(axis=1)", ("means",), "Sums for means.")
    given = replace(small, mutants=(wrong,))
    result = grade(given, sandbox, replaced(small, f"{wrong.source}\ndel order, root"))
    assert {p.name: p.diagnosis for p in result.parts if p.diagnosis} == {"means": "Sums for means."}
    assert verdicts(result)["sorting"] == results.MISSING


def test_a_file_that_cannot_be_read_is_said_once(small, tmp_path):
    text = own_check(small, tmp_path, "{", "mine.ipynb")
    assert text.count("the notebook is not valid JSON") == 1
    assert "Nothing was checked: the notebook is not valid JSON" in text


def test_a_missing_file_and_a_wrong_suffix_are_refused_before_anything_runs(small, tmp_path):
    with pytest.raises(ValueError, match=r"^no such file: .*none\.py$"):
        grading.check_file(small, tmp_path / "none.py")
    (tmp_path / "README.md").write_text("words")
    with pytest.raises(ValueError, match=r"README\.md is not a submission: \.py and \.ipynb files are"):
        grading.check_file(small, tmp_path / "README.md")


def test_importing_the_library_in_a_submission_is_reported(small, tmp_path):
    source = "from mlnotes.grading import check\nimport mlnotes.estimators.bayes\nfrom mlnotes import pca\n"
    text = own_check(small, tmp_path, source + small.solution)
    notes = [line for line in text.splitlines() if line.startswith("note: ")]
    assert len(notes) == 2
    for note, line in zip(notes, (2, 3), strict=True):
        assert note.startswith(
            f"note: mine.py, line {line}: mlnotes is not allowed in a submission: it is not"
        )
        assert "'from mlnotes.grading import check' is fine" in note
    assert "No module named" not in text


def test_a_notebook_that_uses_the_library_is_warned(small):
    from mlnotes import bayes

    names = {"order": np.argsort, "rule": bayes.bayes_rule, "bayes": bayes, "check": grading.check}
    text = repr(grading.check_live(f"{SMALL}.sorting", names))
    assert "note: bayes, rule: mlnotes is not allowed in a submission" in text
    assert "not allowed" in grading.check_live(f"{SMALL}.sorting", names)._repr_html_()
    assert "note" not in repr(grading.check_live(f"{SMALL}.sorting", {"order": np.argsort}))


def test_file_names_appear_in_checks_and_not_in_grades(small, tmp_path, sandbox):
    source = "import numpy as np\n\ndef row_means(X)\n    return X\n"
    assert "mine.py, line 3: SyntaxError" in own_check(small, tmp_path, source)
    result = grade(small, sandbox, source, "ada lovelace.py")
    assert "your file, line 3: SyntaxError" in result.notes[0]
    assert "lovelace" not in json.dumps(result.as_dict()), "equal files of several students run once"


def test_each_way_of_running_explains_its_sandbox(small, tmp_path, sandbox):
    text = own_check(small, tmp_path, small.solution)
    assert "sandbox: limits (your own code on your own machine; a grade is made in a closed sandbox" in text
    graded = reports.feedback_text(grade(small, sandbox, small.solution))
    assert "sandbox: limits (only time and memory are limited)" in graded
    assert "mlnotes check" not in graded, "nothing failed"


def test_notebook_check_and_command_give_the_same_feedback(small, tmp_path):
    for change in ("", "def row_means(X): return X.mean(axis=1) + 1", "def row_means(X): return X"):
        names = {}
        exec(replaced(small, change), names)
        live = {
            part.name: repr(grading.check_live(f"{SMALL}.{part.name}", names)) for part in small.parts[:-1]
        }
        path = tmp_path / "mine.py"
        path.write_text(replaced(small, change))
        for part in grading.check_file(small, path).parts[:-1]:
            ours, theirs = reports.part_text(part).splitlines(), live[part.name].splitlines()
            assert ours[1:] == [line for line in theirs[1:-1] if "(the arguments: check(" not in line]
            assert theirs[-1] == "  (a check, not a grade: other instances decide the grade)"


def test_notebook_check_has_html_and_refuses_unknown_parts(small):
    report = grading.check_live(f"{SMALL}.sorting", {"order": lambda x: sorted(x)})
    assert "<b style='color:#b3261e'>" in report._repr_html_()
    with pytest.raises(ValueError, match="has no part 'none'"):
        grading.check_live(f"{SMALL}.none", {})


def test_handout(small):
    made = nbformat.reads(grading.handout_text(small), as_version=4)
    nbformat.validate(made)
    text = grading.handout_text(small)
    assert text == grading.handout_text(small)
    assert len({cell.id for cell in made.cells}) == len(made.cells)
    assert "raise NotImplementedError" in text
    assert "argsort" not in text, "the solution is not in the handout"
    assert 'check(\\"small_homework.py.means\\")' in text
    for cell in made.cells:
        if cell.cell_type == "code":
            compile(cell.source, "cell", "exec")


# ------------------------------------------------------------------- the grader grades its tests


def test_audit_accepts_a_sound_assignment(small, sandbox):
    found = grading.audit(small, sandbox=sandbox)
    assert found.sound, (found.problems, found.unkilled)
    assert found.runs == len(small.mutants) + 2


def test_audit_reports_harmless_mutants_and_unkilled_claims(small, sandbox):
    wrong = homework.Mutant("harmless", "def row_means(X): return X.mean(1)", ("means",))
    own = homework.Assignment("own", "Own", (small.part("means"),), solution=small.solution, mutants=(wrong,))
    found = grading.audit(own, sandbox=sandbox)
    assert found.problems == ("mutant 'harmless' keeps all points of means",)
    assert found.unkilled == ("small.means",)


ROOT = homework.Function("root", {"a": homework.Value()}, homework.Value(), "A root.")
SOLVED = "def root(a): return a ** 0.5"


def one_claim(check, solution=SOLVED, **options):
    """An assignment of one claim on one function."""
    decided = claim("own.root", kind="homework", section="page 1", statement="A root.")(check)
    return homework.Assignment(
        "own", "Own", (homework.Part("root", 1, "?", (decided,), (ROOT,)),), solution=solution, **options
    )


def a_thousandth(root, rng):
    yield equal("root of 2, squared", root(2.0) ** 2, 2.0)


def a_return(root, rng):
    return equal("root of 4", root(4.0), 2.0)


def no_evidence(root, rng):
    yield root(4.0) == 2.0


def nothing(root, rng):
    root(4.0)


def test_audit_reports_measurements_and_rounding_differences(sandbox):
    (problem,) = grading.audit(one_claim(a_thousandth), sandbox=sandbox).problems
    said = "own.root: root of 2, squared: expected 2, got 2; off by 4.4e-16; differs by rounding: give"
    assert f"model solution: root earns 0 of 1: CLAIM FAILS, 1 of 1 claims fail\n    {said}" in problem
    wrong = one_claim(a_thousandth, "def root(a): return a ** 0.499999")
    (problem,) = grading.audit(wrong, sandbox=sandbox).problems
    assert "off by 2.8e-06" in problem
    assert "rounding" not in problem


def test_the_audit_names_the_package_that_is_to_be_allowed(sandbox):
    found = grading.audit(one_claim(a_return, "from scipy import stats\n" + SOLVED), sandbox=sandbox)
    assert found.problems == ()
    solution = "from scipy import stats\ndef root(a): return stats.norm.cdf(0.0) * a"
    raises, note = grading.audit(one_claim(a_return, solution), sandbox=sandbox).problems
    assert "NameError: name 'stats' is not defined" in raises
    assert note.endswith("allow it with Assignment(packages=('scipy',))")
    allowed = one_claim(a_return, solution, packages=("scipy",))
    with pytest.raises(ValueError, match="the sandbox has no scipy: make it with packages="):
        grading.audit(allowed, sandbox=sandbox)
    with Sandbox("limits", packages=("scipy",)) as larger:
        assert grading.audit(allowed, sandbox=larger).problems == ()


def test_returned_evidence_counts_like_yielded_evidence(sandbox):
    wrong = homework.Mutant("square", "def root(a): return a ** 2", ("root",))
    assert grading.audit(one_claim(a_return, mutants=(wrong,)), sandbox=sandbox).sound


@pytest.mark.parametrize(("check", "seen"), [(no_evidence, "True"), (nothing, "None")])
def test_a_claim_without_evidence_is_a_grader_error(check, seen, sandbox):
    (problem,) = grading.audit(one_claim(check), sandbox=sandbox).problems
    said = f"own.root yields {seen}: it must yield evidence, such as equal(what, measured, expected)"
    assert problem.startswith(f"model solution: root is GRADER ERROR: own.root: {said}")


def test_the_audit_asks_for_a_mutant_of_every_claim_of_partial_credit(gap, sandbox):
    wrong = homework.Mutant("negative", "def root(a): return -a ** 0.5", ("root",))
    given = replace(gap, solution="def root(a): return a ** 0.5", mutants=(wrong,))
    assert grading.audit(given, sandbox=sandbox).unkilled == ("small.gap",)


def test_grading_imports_nothing_heavy():
    heavy = ["rich", "jinja2", "nbformat", "matplotlib", "sklearn", "scipy", "distributed", "http.client"]
    code = f"import sys, mlnotes.grading.cohort.folder; print([n for n in {heavy} if n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_an_index_beyond_the_length_is_out_of_range(small, sandbox):
    result = grade(small, sandbox, replaced(small, "def order(x): return np.argsort(x) + 1"))
    sorting = next(part for part in result.parts if part.name == "sorting")
    assert sorting.verdict == results.RANGE
    assert sorting.sentence == "order(...) gives 12; an index below n = 12 is asked for, from 0 on"
    assert "array (n,) of int, from 0 to n - 1" in handouts.script(small)


# ------------------------------------------------------------------- what an answer does to its claim


@pytest.fixture
def heavy():
    """A part whose claim takes as long, or as much memory, as the answer says: in one call of LAPACK."""
    from mlnotes.checking import at_most, claim

    @claim("small.heavy", kind="homework", statement="", section="")
    def heavy(answer):
        size = answer()
        if size < 0:
            np.empty(-size * 10**6).fill(1.0)
        yield at_most("distance", float(np.linalg.svd(np.ones((abs(size) % 10**5,) * 2))[1].min()), 1e9)

    @claim("small.square", kind="homework", statement="", section="")
    def square(answer):
        yield at_most("square", answer() ** 2 / 1.0, 1e300)

    one = homework.Function("answer", {}, homework.Value("i"), "")
    parts = [homework.Part(name, 1, "", (c,), (one,)) for name, c in (("heavy", heavy), ("square", square))]
    return homework.Assignment("own", "Own", tuple(parts))


def test_processor_time_of_a_claim_is_limited_inside_lapack(heavy, sandbox, monkeypatch):
    monkeypatch.setattr(claim_process, "CLAIM_SECONDS", 1)
    before = os.times()
    result = grade(heavy, sandbox, "def answer(): return 3000")
    after = os.times()
    assert verdicts(result) == {"heavy": results.NEEDS, "square": results.OK}
    assert "more than 1 s of processor time" in result.parts[0].sentence
    assert (result.status, result.earned, result.parts[1].earned) == (results.NEEDS, None, 1)
    assert sum(after[:4]) - sum(before[:4]) < 30, "it takes longer by itself"


LOUD = """
import json, struct
import __main__ as worker
honest, header = worker.Submission.reply, [["t", [k, ["q", "1", "3"]]] for k in range(3_000)]
def reply(self, operation, arguments):
    if operation.__name__ == "do_call":
        text = json.dumps([["d", [["id", self.request], ["at", 1], ["line", ["l", header]]]], []]).encode()
        for _ in range(400):
            self.write(struct.pack("<4sIQ", b"mln1", len(text), 0) + text)
    honest(self, operation, arguments)
worker.Submission.reply = reply
def answer(): return 3
"""


def test_replies_that_are_slow_to_read_count_as_the_students_time(heavy, sandbox, monkeypatch):
    """The clock of a claim is for what it computes: 400 frames of 12,000 items take two seconds of it."""
    monkeypatch.setattr(session, "TALK_SECONDS", 0.2)
    monkeypatch.setattr(claim_process, "CLAIM_SECONDS", 1)
    result = grade(heavy, sandbox, LOUD)
    assert verdicts(result) == {"heavy": results.TIME, "square": results.TIME}
    assert "too long to read" in result.parts[0].sentence
    assert (result.status, result.earned) == (results.GRADED, 0)


def test_refused_calls_are_reported_if_the_diagnosis_dies(heavy, monkeypatch):
    if lacking := [c.reason for c in grading.doctor() if c.name == "landlock" and not c.works]:
        pytest.skip(lacking[0])
    monkeypatch.setattr(engine, "diagnosis", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    source = """
import os, nothing
def answer():
    for _ in range(5):
        try: os.fork()
        except OSError: pass
    return 2
"""
    with Sandbox("landlock") as found:
        result = grade(replace(heavy, parts=(heavy.parts[1],)), found, source)
    assert (verdicts(result), result.earned) == ({"square": results.OK}, 1)
    assert result.tried == ("start a process: 5 times",)
    assert "No module named 'nothing'" in result.notes[0]


def test_no_claim_takes_all_memory(heavy, sandbox):
    result = grade(heavy, sandbox, "def answer(): return -60_000")
    assert verdicts(result) == {"heavy": results.NEEDS, "square": results.OK}
    assert "MemoryError" in result.parts[0].sentence


def test_numbers_whose_square_overflows_are_out_of_range(heavy, sandbox):
    result = grade(heavy, sandbox, "def answer(): return 10**400")
    assert verdicts(result)["square"] == results.RANGE
    assert "nothing can be computed" in result.parts[1].sentence
    assert result.parts[1].earned == 0


def test_errors_after_an_output_need_a_person(small, sandbox):
    from mlnotes.checking import claim, equal

    @claim("small.brittle", kind="homework", statement="", section="")
    def brittle(row_means):
        yield equal("reciprocal", 1 / float(row_means(np.ones((1, 1)))[0] - 1), 0)

    part = homework.Part("means", 3, "", (brittle,), small.part("means").writes)
    result = grade(homework.Assignment("own", "Own", (part,)), sandbox, small.solution)
    assert (result.status, result.earned) == (results.NEEDS, None)
    assert "ZeroDivisionError" in result.parts[0].sentence
    text = reports.feedback_text(result)
    assert "LEFT TO YOUR INSTRUCTOR" in text
    assert "NEEDS YOU" not in text, "to a student that means the student"


ROWS = """
import numpy as np
def program(X, labels, C):
    n, rows = len(X), np.ones((20_000, len(X)))
    return np.eye(n), np.zeros(n), rows, rows[:, 0], rows, rows[:, 0]
"""
COLUMNS = "import numpy as np\ndef coordinates(products, k): return np.zeros(products.shape)"


@pytest.mark.parametrize(
    ("of", "part", "source", "words"),
    [
        ("hw05", "program", ROWS, "at most 10000 long"),
        ("hw08", "coordinates", COLUMNS, "where an array (n, k)"),
        ("hw02", "switch", "def switch(*a): return 1e308, 1e308", ""),
    ],
)
def test_degenerate_homework_outputs_earn_nothing(sandbox, of, part, source, words):
    before = os.times()
    given = homework.load(of)
    given = replace(given, parts=(given.part(part),))
    result = engine.grade_bytes(given, source.encode(), "a.py", secret=b"s", sandbox=sandbox, student="a")
    assert (result.status, result.earned) == (results.GRADED, 0)
    assert result.parts[0].verdict in results.STUDENT
    assert words in result.parts[0].sentence
    assert sum(os.times()[:2]) - sum(before[:2]) < 20


def test_free_lengths_are_bounded():
    from mlnotes.grading.protocol.proxies import lengths
    from mlnotes.grading.protocol.values import fitted

    free, counted = homework.Value("f", ("t",)), homework.Value("f", ("k",))
    letters = lengths(
        {"n": homework.Value("i"), "X": homework.Value("f", ("n", "d"))}, (7, np.zeros((3000, 2)))
    )
    assert letters["n"] == 3000, "an array's shape is surer than a number's name"
    assert fitted(np.zeros(30000), free, dict(letters), "f(...)").size == 30000
    with pytest.raises(results.Fault, match="at most 30000 long"):
        fitted(np.zeros(30001), free, dict(letters), "f(...)")
    with pytest.raises(results.Fault, match="WRONG SHAPE"):
        fitted(np.zeros(4), counted, lengths({"k": homework.Value("i")}, (3,)), "f(...)")


TAKES = homework.Function(
    "take",
    {
        "X": homework.Value("f", ("n", "d")),
        "y": homework.Value("i", ("n",)),
        "on": homework.Value("b", ("n",)),
        "k": homework.Value("i"),
        "other": homework.Value("any", ("n",)),
        "exact": homework.Value("fraction", ("n",)),
    },
    homework.Value("any"),
    "Take them.",
)


def taken(*arguments):
    """What a student's function gets, in place of what a claim passes."""
    got = []
    session = InProcessSession({"take": lambda *given: got.extend(given)})
    session.implementation(homework.Part("take", 1, "Take.", writes=(TAKES,)))["take"](*arguments)
    return got


@pytest.mark.parametrize("form", [list, tuple])
def test_lists_of_a_claim_arrive_as_declared_arrays(form):
    rows = form([form([0, far]) for far in (1, 2**40)])
    X, y, on, k, other, exact = taken(rows, form([0.0, 1.0]), form([1, 0]), 3, form([1, 2]), [1, 2])
    for array, dtype, entries in (
        (X, float, [[0, 1], [0, 2**40]]),
        (y, np.int64, [0, 1]),
        (on, bool, [1, 0]),
    ):
        assert (type(array), array.dtype, array.tolist()) == (np.ndarray, dtype, entries)
    assert (k, other, exact) == (3, form([1, 2]), [1, 2])
    assert taken(rows, form([]))[1].dtype == np.int64
    assert taken(rows, form([0.5, 1]))[1].tolist() == [0.5, 1], "no number changes"
    assert taken(form([(1.0,), (np.nan,)]))[0].dtype == float


def test_arrays_and_other_values_arrive_unchanged():
    X, y = np.ones((2, 3), np.float32), np.array([1, 2], np.int8)
    given = taken(X, y)
    assert [array.dtype for array in given] == [np.float32, np.int8]
    assert taken(X, ["a", "b"])[1] == ["a", "b"]
    assert taken(X, None)[1] is None


@pytest.mark.parametrize(("X", "axes"), [([1.0, 2.0], 1), (np.ones((2, 2, 1)), 3), (1.0, 0)])
def test_an_argument_with_wrong_axes_is_a_type_error(X, axes):
    with pytest.raises(TypeError, match=f"X is declared with 2 axes; the claim passes {axes}"):
        taken(X)


@pytest.mark.parametrize("kind", ["f", "i", "b", "fraction"])
@pytest.mark.parametrize("dtype", ["i8", "i4", "u1", "?", "f8", "f4"])
def test_several_values_may_come_in_one_array(kind, dtype):
    from mlnotes.grading.protocol.proxies import checked

    if kind == "fraction" and dtype not in ("i8", "i4", "u1"):
        return  # no other is exact
    two = homework.Function("f", {}, (homework.Value(kind), homework.Value(kind)), "Two values.")
    session = InProcessSession({})
    assert checked(session, np.array([1, 0], dtype), two, {}) == (1, 0)
    assert bool(session.single) == (kind == "f" and dtype == "f4")
    with pytest.raises(results.Fault, match="must give 2 values"):
        checked(session, np.zeros(3, dtype), two, {})


@pytest.mark.parametrize(
    ("kind", "answer", "words"),
    [
        ("f", [np.inf, np.nan], "gives nan (1 of 2 entries)"),
        ("i", [1.0, 1e20], "gives 1e+20 where integers"),
        ("i", [1.0, 0.5, np.inf], "gives inf where integers"),
        ("b", [0, 3], "gives 3, not True or False"),
    ],
)
def test_messages_name_the_wrong_entry(kind, answer, words):
    from mlnotes.grading.protocol.values import fitted

    declared = homework.Value(kind, ("n",), infinite=True)
    with pytest.raises(results.Fault, match=re.escape(words)):
        fitted(np.array(answer), declared, {}, "f(...)")


def test_a_notebook_may_define_many_names(small):
    names = {"order": np.argsort, **{f"n{k}": k for k in range(600)}}
    assert "order" in InProcessSession(names).implementation(small.part("sorting"))


def test_the_claims_process_ends_and_leaves_nothing(small):
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")  # others' fixtures may have some
    before = children.read_text()
    with Sandbox("limits") as found:
        grade(small, found, small.solution)
        assert not list(found.folder.glob("work-*"))
    assert multiprocessing.active_children() == []
    assert children.read_text() == before


def test_errors_of_the_claims_process_are_raised(sandbox):
    def work():
        yield 1
        raise LookupError("not there")

    found = []
    with pytest.raises(LookupError, match="not there"):
        found += claim_process.items(work, sandbox)

    def dies():
        faulthandler.disable()  # it is meant to: its trace would look like another's
        yield 2
        os.kill(os.getpid(), signal.SIGSEGV)

    for item in (items := claim_process.items(dies, sandbox)):
        assert item == 2
        break
    with pytest.raises(claim_process.Ended, match="died of SIGSEGV"):
        next(items)


def test_the_exit_status_of_the_first_worker_is_reported(small):
    """The first worker is the grader's child, not that of the process that talks to it."""
    with Sandbox("limits") as found:
        part = replace(small, parts=(small.part("means"),))
        result = grade(part, found, "def row_means(X): import ctypes; ctypes.string_at(0)")
    assert result.parts[0].verdict == results.CRASH
    assert "SIGSEGV" in result.parts[0].sentence


def test_single_precision_is_named(small, sandbox):
    result = grade(
        small, sandbox, replaced(small, "def row_means(X): return np.float32(X / 3).mean(axis=1) * 3")
    )
    text = reports.part_text(result.parts[0])
    assert "row_means(...) gives float32, which holds 7 digits; compute in float64" in text
    assert "off by" in text, "the digits that are shown do not tell the numbers apart"


def test_refused_calls_are_reported_to_the_instructor_only(small, tmp_path):
    if lacking := [c.reason for c in grading.doctor() if c.name == "landlock" and not c.works]:
        pytest.skip(lacking[0])
    (tmp_path / "in").mkdir()
    tries = "import os\nfor _ in range(50):\n    try: os.fork()\n    except OSError: pass\n"
    (tmp_path / "in" / "eve.py").write_text(tries + small.solution)
    (tmp_path / "in" / "ada.py").write_text(small.solution)
    summary = grading.grade_folder(small, tmp_path / "in", tmp_path / "out", sandbox="landlock")
    assert summary.notices == ("eve tried to start a process: 50 times (refused)",)
    assert (tmp_path / "out" / "watched.csv").read_text() == "student,tried\neve,start a process: 50 times\n"
    assert summary.rows[0][1:][:-1] == summary.rows[1][1:][:-1], "not a point"
    assert "start a process" not in (tmp_path / "out" / "feedback" / "eve.txt").read_text()
    again = grading.grade_folder(small, tmp_path / "in", tmp_path / "out", sandbox="landlock")
    assert (again.graded, again.notices) == (0, summary.notices)
