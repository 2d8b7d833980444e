"""The exam: answers by another route, numbers fit for paper, a sheet for each, a key that stays away."""

import itertools
import json
import math
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from mlnotes import grading
from mlnotes.cli import main
from mlnotes.exam import Exam, sheets
from mlnotes.exam.bank import QUESTIONS
from mlnotes.exam.questions import DECIMALS, generator, paragraphs, tex

N_DRAWS = 200
SECRET = b"an exam's secret"
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")
CLASS = {"ada": "Ada Lovelace", "bob": "Bob", "eve": ""}


def numbers(listed: str) -> np.ndarray:
    """The vectors of a list in LaTeX."""
    return np.array([[float(x) for x in row.split(",")] for row in re.findall(r"\(([^()]*)\)", listed)])


def normal_pdf(x, mean):
    return math.exp(-((x - mean) ** 2) / 2) / math.sqrt(2 * math.pi)


def bisected(f, low, high):
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) * f(low) > 0 else (low, middle)
    return low


def gini(*counts):
    n = sum(counts)
    return 1 - sum(Fraction(int(c), int(n)) ** 2 for c in counts)


def mixed(f, g):
    """The minimum f of a mixture of points with g <= 0 on average: what the best multiplier gives."""
    points = list(zip(map(int, f), map(int, g), strict=True))
    crossing = [
        Fraction(a * h - b * k, h - k) for (a, k), (b, h) in itertools.combinations(points, 2) if k * h < 0
    ]
    return min([a for a, k in points if k <= 0] + crossing)


def best_cut(x, y):
    """The split of minimum Gini impurity, by counting."""

    def value(s):
        sides = [[k for v, k in zip(x, y, strict=True) if (v <= s) == left] for left in (True, False)]
        return sum(len(side) * gini(side.count(0), side.count(1)) for side in sides)

    return min(((a + b) / 2 for a, b in itertools.pairwise(x)), key=value)


def perceptron_pass(rows):
    w = [0, 0]
    for z in rows:
        if w[0] * z[0] + w[1] * z[1] <= 0:
            w = [w[0] + z[0], w[1] + z[1]]
    return w


def mail_odds(d):
    weigh = [
        d[f"n{k}"] * Fraction(int(d[f"a{k}"]) + 1, int(d[f"n{k}"]) + 2)
        * (1 - Fraction(int(d[f"b{k}"]) + 1, int(d[f"n{k}"]) + 2)) for k in (0, 1)
    ]  # fmt: skip
    return weigh[1] / sum(weigh)


def stays(d, least):
    """Where gradient descent is after two steps, by the formula (I - eta A)^2 w."""
    M = np.eye(2) - d["step"] * np.asarray(d["A"])
    return M @ M @ least


def quadratic(x, d):
    return d["a"] / 2 * x * x + d["c"] * x + d["lam"] * (d["h"] - x)


def centre_crossing(d):
    m0, m1 = numbers(d["zero"]).mean(axis=0), numbers(d["one"]).mean(axis=0)
    return bisected(lambda t: (t - m0[0]) ** 2 + m0[1] ** 2 - (t - m1[0]) ** 2 - m1[1] ** 2, -1e4, 1e4)


def out_of_sample(counts):
    """The score of a histogram with four bins, each point judged without itself."""
    n = sum(counts)
    square = sum(4 * (c / n) ** 2 for c in counts)
    return square - 2 / n * sum(c * 4 * (c - 1) / (n - 1) for c in counts)


def variance_sum(values):
    return sum((v - sum(values) / len(values)) ** 2 for v in values)


def eigen(S):
    """The larger eigenvalue of a symmetric 2 x 2 matrix, by the quadratic formula."""
    (a, b), (_, c) = S
    return (a + c + math.sqrt((a - c) ** 2 + 4 * b * b)) / 2


ROUTES = {  # from the drawn numbers to the answer, without the reference modules
    "least_risk": lambda d: sum(m * min(e, 1 - e) for m, e in zip(d["mu"], d["eta"], strict=True)),
    "positive_test": lambda d: 1 / (1 + (1 - d["ill"]) * d["alarm"] / (d["ill"] * d["hit"])),
    "cost_of_answer": lambda d: min(
        sum((d["false"] * (1 - e) if a else d["miss"] * e) for a, e in zip(rule, d["eta"], strict=True)) / 3
        for rule in itertools.product((0, 1), repeat=3)
    ),
    "test_interval": lambda d: bisected(
        lambda r: 2 * math.exp(-2 * d["n"] * (r - d["k"] / d["n"]) ** 2) - 0.05, d["k"] / d["n"], 2
    ),
    "roc_area": lambda d: sum((u > v) + (u == v) / 2 for u in d["up"] for v in d["down"]) / 20,
    "brier": lambda d: sum((1 - p) ** 2 if k else p * p for p, k in zip(d["p"], d["y"], strict=True)) / 5,
    "vote_of_three": lambda d: sum(
        math.prod(d["eta"] if b else 1 - d["eta"] for b in bits)
        for bits in itertools.product((0, 1), repeat=4)
        if (sum(bits[:3]) >= 2) != bits[3]
    ),
    "cover_hart": lambda d: 1 - (1 - d["risk"]) ** 2 - d["risk"] ** 2 / (d["K"] - 1),  # others equal
    "closest_average": centre_crossing,
    "pooled_variance": lambda d: (variance_sum(d["zero"]) + variance_sum(d["one"])) / 5,
    "lda_threshold": lambda d: bisected(
        lambda x: math.log(d["prior"] / (1 - d["prior"]))
        + ((x - d["m0"]) ** 2 - (x - d["m1"]) ** 2) / (2 * d["v"]), -1e4, 1e4
    ),
    "lda_normal": lambda d: np.linalg.solve(d["S"], d["m1"] - d["m0"]),
    "first_gradient": lambda d: (0.5 - d["y"]) @ numbers(d["rows"]) / 4,
    "softmax_share": lambda d: 1 / sum(math.exp(s - d["scores"][1]) for s in d["scores"]),
    "shrinking": lambda d: max(abs(1 - d["step"] * v) for v in np.linspace(d["mu"], d["L"], 101)),
    "two_steps": lambda d: stays(d, d["start"]),
    "noise": lambda d: d["step"] ** 2 * d["variance"] * sum((1 - d["step"]) ** (2 * t) for t in range(2000)),
    "first_pass": lambda d: perceptron_pass(numbers(d["rows"])),
    "novikoff": lambda d: max(z @ z for z in numbers(d["rows"]))
    * (d["w"] @ d["w"]) / min(z @ d["w"] for z in numbers(d["rows"])) ** 2,
    "dual_value": lambda d: quadratic((d["lam"] - d["c"]) / d["a"], d),
    "multiplier": lambda d: Fraction(int(d["a"] @ d["p"]) - d["h"], int(d["a"] @ d["a"])),
    "duality_gap": lambda d: min(f for f, g in zip(d["f"], d["g"], strict=True) if g <= 0)
    - mixed(d["f"], d["g"]),
    "two_examples": lambda d: 2 * d["v"] / (d["v"] @ d["v"]),
    "soft_margin": lambda d: d["w"] @ d["w"] / 2 + d["C"] * sum(
        max(0, 1 - k * (x @ d["w"] + d["b"])) for k, x in zip(d["y"], numbers(d["rows"]), strict=True)
    ),
    "feature_distance": lambda d: sum(
        (u - v) ** 2 for u, v in zip(*(
            (1, 2**0.5 * x, 2**0.5 * y, x * x, y * y, 2**0.5 * x * y) for x, y in (d["x"], d["z"])
        ), strict=True)
    ),
    "histogram_score": lambda d: out_of_sample([int(c) for c in d["counts"]]),
    "kernel_height": lambda d: sum(max(0, 1 - ((d["t"] - x) / d["h"]) ** 2) for x in d["x"]) * 0.15 / d["h"],
    "best_bandwidth": lambda d: bisected(
        lambda h: h**3 * d["curvature"] - 1 / (2 * math.sqrt(math.pi) * d["n"] * h * h), 1e-3, 10
    ),
    "mail": mail_odds,
    "gaussian_odds": lambda d: math.log(
        d["prior"] * math.prod(map(normal_pdf, d["x"], d["m1"]))
        / ((1 - d["prior"]) * math.prod(map(normal_pdf, d["x"], d["m0"])))
    ),
    "words": lambda d: 1 / (1 + math.prod((d["t0"] / d["t1"]) ** d["counts"])),
    "gini_fall": lambda d: gini(d["left0"] + d["right0"], d["left1"] + d["right1"]) - sum(
        Fraction(int(d[f"{s}0"] + d[f"{s}1"]), int(d["left0"] + d["left1"] + d["right0"] + d["right1"]))
        * gini(d[f"{s}0"], d[f"{s}1"]) for s in ("left", "right")
    ),
    "best_threshold": lambda d: best_cut(d["x"], d["y"]),
    "weakest_link": lambda d: Fraction(int(d["errors"] - d["e1"] - d["e2"] - d["e3"]), 2 * d["n"]),
    "forest_variance": lambda d: np.mean(d["variance"] * (
        d["rho"] + (1 - d["rho"]) * np.eye(d["B"])
    )),
    "vote_weight": lambda d: math.log(d["n"] - d["k"]) - math.log(d["k"]),
    "new_weight": lambda d: d["w"][d["first"] - 1] / (d["w"][d["first"] - 1] + d["w"][d["second"] - 1]) / 2,
    "first_fraction": lambda d: eigen(d["S"]) / (d["S"][0][0] + d["S"][1][1]),
    "reconstructed": lambda d: d["mean"]
    + np.array(d["whole"]) * (np.array(d["whole"]) @ (d["x"] - d["mean"])) / d["length"] ** 2,
}  # fmt: skip


def separates(d, w):
    return all((2 * k - 1) * (x @ w) > 0 for k, x in zip(d["y"], numbers(d["rows"]), strict=True))


def adds_up(d, alpha):
    return min(alpha) >= 0 and max(alpha) > 0 and not (np.array(alpha) @ numbers(d["rows"])).any()


PROOFS = {  # of the questions with several right answers
    "no_maximum": separates,
    "never_separated": adds_up,
    "better_direction": lambda d, w: w @ d["S"] @ w / (w @ w) > d["level"],
}


def drawn(question):
    return [question.instance(np.random.default_rng(seed)) for seed in range(N_DRAWS)]


def test_three_questions_a_lecture_in_sections_that_there_are():
    assert set(Counter(item.topic for item in QUESTIONS).values()) == {3}
    for item in QUESTIONS:
        text = Path(__file__).parents[1].joinpath(item.where.partition(",")[0]).read_text("utf-8")
        assert f'"## {item.section} ' in text, item.name


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
def test_answers_by_another_route(question):
    for item in drawn(question):
        if question.name in PROOFS:
            assert PROOFS[question.name](item.drawn, item.answer)
            assert not PROOFS[question.name](item.drawn, item.wrong)
            assert not item.judge(1.2e154 / abs(item.wrong).max() * item.wrong).holds, "of whatever size"
        else:
            other = np.asarray(ROUTES[question.name](item.drawn), dtype=float)
            # solvers stop at a gap of 1e-9, where multipliers are off by about its square root
            assert abs(other - item.answer).max() <= DECIMALS / 10
        assert item.judge(item.answer).holds
        assert item.judge(np.round(item.answer, 3)).holds
        if item.accepts is None:
            assert item.judge(np.trunc(1e3 * item.answer.astype(float)) / 1e3).holds
        assert not item.judge(item.wrong).holds


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
def test_numbers_are_fit_for_paper_and_differ(question):
    asked = set(re.findall("«(.+?)»", paragraphs(question.draw)[0]))
    found = drawn(question)
    for item in found:
        for name in asked:
            for number in NUMBER.findall(tex(item.drawn[name])):
                assert len(number.replace(".", "").strip("0")) <= 3, (name, number)
                assert float(number) < 1000
        assert "«" not in item.text + item.way + item.slip
        assert DECIMALS * 10 <= abs(item.answer).max() <= 1000
    assert len({item.text for item in found}) >= 0.5 * N_DRAWS
    answers = Counter(tuple(item.answer.round(3).ravel()) for item in found)
    assert max(answers.values()) <= 0.15 * N_DRAWS  # nobody's answer is good for many others


def test_the_slips_fail_the_audit_of_every_question():
    exam = Exam(SECRET, 3, tuple(range(1, 15)), CLASS)
    with grading.Sandbox("limits") as sandbox:
        audit = grading.audit(exam.assignment(), sandbox=sandbox)
    assert audit.problems == ()
    assert audit.unkilled == ()
    assert audit.runs == 3


def test_a_sheet_follows_from_secret_seed_and_id_alone():
    def texts(secret=SECRET, seed=3, lectures=(1, 5), students=CLASS, who="ada"):
        return [item.text for item in Exam(secret, seed, lectures, students).sheet(who)]

    assert texts() == texts(students={"ada": "", "zoe": ""})
    assert texts()[3:] == texts(lectures=(5,))
    for other in ({"secret": b"another one's key"}, {"seed": 4}, {"who": "bob"}):
        assert not set(texts()) & set(texts(**other))


def test_fewer_questions_are_the_same_for_all_and_hang_on_the_secret():
    picked = {
        tuple(q.name for q in Exam(bytes([k]) * 16, 3, (1, 2), CLASS, each=1).questions) for k in range(40)
    }
    assert len(picked) == 9


def test_students_get_no_key(tmp_path):
    exam = Exam(SECRET, 3, tuple(range(1, 15)), CLASS)
    sheets.write(exam, tmp_path / "exam", "notebook")
    handed = sorted((tmp_path / "exam/students").iterdir())
    assert [path.name for path in handed] == ["ada.ipynb", "bob.ipynb", "eve.ipynb"]
    inner = tmp_path / "exam/instructor"
    assert sorted(path.name for path in inner.iterdir()) == ["exam.py", "key.csv", "key.md", "secret.key"]
    assert inner.stat().st_mode & 0o077 == 0
    for path in handed:
        student, sheet = path.stem, exam.sheet(path.stem)
        cells = json.loads(path.read_text("utf-8"))["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
        for given in (text, sheets.sheet_text(exam, sheet, student)):
            assert SECRET.decode() not in given
            assert exam.digest(student) not in given
            for item in sheet:
                assert item.text in given
                assert item.way not in given
                assert item.slip not in given
                for number in NUMBER.findall(tex(item.answer)):
                    assert len(number) < 6 or number not in given.replace(item.text, ""), item.question.name
        assert all(not cell.get("outputs") for cell in cells)


def filled(path: Path, sheet, to: Path) -> None:
    """Hand in a notebook with the answers of a sheet, cut to three decimals."""
    notebook, answers = json.loads(path.read_text("utf-8")), iter(sheet)
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if "raise NotImplementedError" in text:
            answer = next(answers).answer
            cell["source"] = text.replace("raise NotImplementedError", f"return {answer.round(3).tolist()}")
    to.write_text(json.dumps(notebook), "utf-8")


@pytest.fixture
def written(tmp_path):
    (tmp_path / "roster.csv").write_text("id,name\nada,Ada Lovelace\nbob,Bob\neve,\n", "utf-8")
    command = ["exam", "--lectures", "1,5,7", "--seed", "3", "--students", f"{tmp_path}/roster.csv"]
    assert main([*command, "--format", "notebook", "--out", f"{tmp_path}/exam"]) == 0
    return tmp_path


def grade(place: Path, *options: str) -> int:
    command = ["grade", f"{place}/exam/instructor/exam.py", f"{place}/in", "--out", f"{place}/grades"]
    return main([*command, "--roster", f"{place}/roster.csv", "--sandbox", "limits", *options])


def test_the_class_is_graded_by_the_sheets_of_its_students(written, capsys):
    import runpy

    exam = Exam(
        (written / "exam/instructor/secret.key").read_bytes().strip(), 3, (1, 5, 7), {"ada": "", "bob": ""}
    )
    (written / "in").mkdir()
    filled(written / "exam/students/ada.ipynb", exam.sheet("ada"), written / "in/ada.ipynb")
    for copied in ("bob", "mallory"):  # the very same file under other names
        (written / f"in/{copied}.ipynb").write_bytes((written / "in/ada.ipynb").read_bytes())
    assert grade(written, "--format", "html") == 3
    rows = {
        line.split(",")[0]: line.split(",")
        for line in (written / "grades/gradebook.csv").read_text().split("\n")
    }
    assert rows["ada"][2:13] == ["", *["2"] * 9, "18"][:11]
    assert float(rows["bob"][12]) <= 4  # a proof may fit another's rows
    assert "NEEDS YOU" in rows["mallory"]
    assert "NO SUBMISSION" in rows["eve"]
    said = (written / "grades/feedback/bob.txt").read_text("utf-8")
    assert "read lectures/01_bayes.ipynb, section 3" in said
    assert "mlnotes check" not in said
    assert "no sheet for mallory" in (written / "grades/feedback/mallory.txt").read_text("utf-8")
    page = (written / "grades/feedback/bob.html").read_text("utf-8")
    assert "positive test" in page
    names = runpy.run_path(str(written / "exam/instructor/exam.py"))
    assert names["assignment"].of("bob").part("q1").question == exam.sheet("bob")[0].text


def test_a_usual_slip_is_told():
    item = next(q for q in QUESTIONS if q.name == "pooled_variance").instance(np.random.default_rng(0))
    assert "Divides by $n = 7$." in item.judge(item.wrong).what
    assert item.judge(item.wrong + 0.1).what == "the answer"


def test_a_sheet_that_is_drawn_differently_now_is_left_to_a_person(written, monkeypatch):
    exam = written / "exam/instructor/exam.py"
    exam.write_text(re.sub(r"'ada': '[0-9a-f]{4}", "'ada': '0000", exam.read_text("utf-8")), "utf-8")
    (written / "in").mkdir()
    (written / "in/ada.ipynb").write_bytes((written / "exam/students/ada.ipynb").read_bytes())
    assert grade(written) == 3
    assert "cannot be drawn again" in (written / "grades/feedback/ada.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("roster", "options", "sentence"),
    [
        ("id\nada\n", ["--lectures", "1,15"], "13, 14; got 15"),
        ("id\nada\n", ["--lectures", "1,1"], "at least one lecture, and none twice"),
        (
            "id\nada\n",
            ["--lectures", "1", "--each", "4"],
            "each must be 1, 2 or 3 questions a lecture, got 4",
        ),
        ("id,name\n", ["--lectures", "1"], "the roster lists no students"),
        ("id\nada\nada\n", ["--lectures", "1"], "the roster lists the id 'ada' twice"),
        ("name\nada\n", ["--lectures", "1"], "must have a column 'id'"),
        ("id\nada\n", ["--lectures", "1", "--format", "doc"], "format must be one of pdf, html, notebook"),
    ],
)
def test_refusals_before_anything_is_written(tmp_path, capsys, roster, options, sentence):
    (tmp_path / "roster.csv").write_text(roster, "utf-8")
    rest = ["--seed", "1", "--students", f"{tmp_path}/roster.csv", "--out", f"{tmp_path}/exam"]
    assert main(["exam", *options, *rest]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["roster.csv"]


def test_what_was_handed_out_is_not_overwritten(written, capsys):
    command = ["exam", "--lectures", "1", "--seed", "4", "--students", f"{written}/roster.csv"]
    assert main([*command, "--out", f"{written}/exam"]) == 2
    assert "is there already" in capsys.readouterr().err


def test_a_secret_that_can_be_guessed_is_refused(written, capsys):
    (written / "empty.key").write_text("\n", "utf-8")
    command = ["exam", "--lectures", "1", "--seed", "4", "--students", f"{written}/roster.csv"]
    assert main([*command, "--secret", f"{written}/empty.key", "--out", f"{written}/other"]) == 2
    assert "the secret must have at least 16 bytes" in capsys.readouterr().err


def test_the_same_secret_writes_the_same_sheets_again(written):
    inner = written / "exam/instructor"
    command = ["exam", "--lectures", "1,5,7", "--seed", "3", "--students", f"{written}/roster.csv"]
    command += ["--format", "notebook", "--secret", f"{inner}/secret.key", "--out", f"{written}/again"]
    assert main(command) == 0
    for path in (written / "exam").rglob("*.*"):
        assert path.read_bytes() == (written / "again" / path.relative_to(written / "exam")).read_bytes()


@pytest.mark.parametrize(("name", "format"), [("pypandoc", "html"), ("typst", "pdf")])
def test_a_missing_package_is_said_first(tmp_path, monkeypatch, name, format):
    import sys
    import types

    stand_in = types.SimpleNamespace(get_pandoc_path=lambda: "pandoc")
    monkeypatch.setitem(sys.modules, "pypandoc", stand_in)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ValueError, match=re.escape('pip install "mlnotes[exam]"')):
        sheets.write(Exam(SECRET, 1, (1,), CLASS), tmp_path / "exam", format)
    assert list(tmp_path.iterdir()) == []


def test_neither_pseudonyms_nor_bundles(written, capsys):
    (written / "in").mkdir()
    (written / "in/ada.ipynb").write_bytes((written / "exam/students/ada.ipynb").read_bytes())
    assert grade(written, "--anonymous") == 2
    assert "not graded under pseudonyms" in capsys.readouterr().err
    assert grade(written, "--bundle", "gradescope") == 2


HOSTILE = 'Eve ```{=typst} #read("/etc/passwd") ``` $x$ _#eval("1")_ <script>'


@pytest.mark.parametrize("format", ["pdf", "html"])
def test_printed_sheets_hold_all_questions_and_names_as_they_are(tmp_path, format):
    pytest.importorskip("pypandoc")
    pytest.importorskip("typst")
    exam = Exam(SECRET, 3, tuple(range(1, 15)), {"eve": HOSTILE})
    sheets.write(exam, tmp_path / "exam", format)
    printed = (tmp_path / f"exam/students/eve.{format}").read_bytes()
    assert (tmp_path / f"exam/instructor/key.{format}").stat().st_size > 5_000
    if format == "pdf":
        assert printed.startswith(b"%PDF")
        return
    text = printed.decode()
    assert "<script>" not in text
    assert "/etc/passwd" in text
    assert text.count("<h2>") == 42
    assert not re.search(
        r"\\[a-z]|\$", re.sub(r"<annotation.*?</annotation>", "", text, flags=re.DOTALL).replace("$x$", "")
    )


def test_generators_differ_for_ids_that_run_together():
    a, b = (
        generator(SECRET, seed, student, "least_risk").integers(2**60)
        for seed, student in ((1, "1a"), (11, "a"))
    )
    assert a != b
