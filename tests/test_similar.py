"""Likeness of submissions: found after renaming, not found by chance, not counted where it was handed out."""

import inspect
from pathlib import Path

import pytest

from mlnotes import PlugInClassifier, cli, homework, perceptron
from mlnotes.cli.grading import library_files
from mlnotes.grading.assignment.handouts import script
from mlnotes.grading.cohort.dynamic_code import Odd, odd
from mlnotes.grading.cohort.similarity import TOKENS, WINDOW, fingerprints, renamed, similar
from mlnotes.grading.protocol.sources import Cell
from mlnotes.mistakes import homework as solutions

ONE = '''
import numpy as np

def centroid(points, labels):
    """Mean of each class."""
    means = []
    for label in sorted(set(labels)):
        chosen = points[labels == label]
        total = np.zeros(points.shape[1])
        for row in chosen:
            total = total + row  # one by one
        means.append(total / len(chosen))
    return np.array(means)

def nearest(points, means):
    best = []
    for row in points:
        distances = [((row - mean) ** 2).sum() for mean in means]
        best.append(distances.index(min(distances)))
    return np.array(best)
'''
RENAMED = (
    ONE.replace("points", "A").replace("means", "q").replace("label", "k").replace("total", "acc")
    .replace("# one by one", "# my own work").replace("Mean of each", "The centre of every")
)  # fmt: skip
OTHER = """
import numpy as np

def centroid(points, labels):
    names, index = np.unique(labels, return_inverse=True)
    sums = np.zeros((names.size, points.shape[1]))
    np.add.at(sums, index, points)
    return sums / np.bincount(index)[:, None]

def nearest(points, means):
    return np.linalg.norm(points[:, None] - means[None], axis=2).argmin(axis=1)
"""


@pytest.fixture
def write(tmp_path):
    def written(**sources):
        for name, text in sources.items():
            (tmp_path / f"{name}.py").write_text(text)
        return {name: tmp_path / f"{name}.py" for name in sources}

    return written


def test_other_quotes_hide_nothing():
    """From Python 3.12 on, the quotes of a formatted string are tokens of their own."""
    assert renamed("x = f'{a} of {b:>5}'\n") == renamed('x = f"""{a} of {b:>5}"""\n')


def test_renaming_hides_nothing(write):
    (pair,) = similar(write(ada=ONE, bob=RENAMED, eve=OTHER))
    assert (pair.first, pair.second, pair.share) == ("ada", "bob", 1.0)
    assert pair.places[0][0].startswith("line ")


def test_a_part_that_was_taken_is_found_with_its_place(write):
    taken = ONE[ONE.index("def nearest") :].replace("row", "r")
    (pair,) = similar(write(ada=ONE, bob=OTHER + "\n" + taken))
    assert pair.share < 1
    start = ONE[: ONE.index("def nearest")].count("\n")
    assert all(int(place.rpartition(" ")[2]) > start - 3 for place, _ in pair.places)


def test_what_was_handed_out_does_not_count(write):
    files = write(ada=ONE, bob=RENAMED)
    assert similar(files, handout=ONE) == []


def test_what_most_of_a_class_has_does_not_count(write):
    assert similar(write(**{f"s{k}": ONE for k in range(6)})) == []


def test_the_librarys_own_source_is_known(write):
    source = inspect.getsource(PlugInClassifier).replace("self.", "this.")
    (pair,) = [
        p
        for p in similar(write(ada=source), library=library_files())
        if p.second == "mlnotes/estimators/bayes.py"
    ]
    assert pair.share > 0.8


def test_a_model_solution_is_known_even_renamed(write):
    for id in homework.assignments():
        source = (Path(solutions.__file__).parent / id / "solution.py").read_text()
        files = write(ada=source.replace("labels", "given").replace("posterior", "p"))
        handout = script(homework.load(id))
        pairs = similar(files, handout=handout, library=library_files())
        first = max(pairs, key=lambda pair: pair.share)
        assert (first.second, first.share) == (f"mlnotes/mistakes/homework/{id}/solution.py", 1.0)


def test_a_reference_module_is_known(write):
    files = write(ada=inspect.getsource(perceptron).replace("theta", "t"))
    (pair,) = similar(files, share=0.9, library=library_files())
    assert pair.second == "mlnotes/perceptron.py"


def test_the_model_solution_of_ones_own_is_known(write):
    (pair,) = similar(write(ada=RENAMED, eve=OTHER), solution=ONE)
    assert (pair.first, pair.second, pair.share) == ("ada", "the model solution", 1.0)


ODD = {
    "exec('f = 1')": "executes a string (exec)",
    "import builtins\nbuiltins.eval('1')": "executes a string (eval)",
    "x = getattr(__builtins__, 'exec')": "names exec in a string",
    "import base64, marshal\ncode = marshal.loads(b'')": "unpacks what may be code (marshal.loads)",
    "from base64 import b64decode\ntext = b64decode('')": "unpacks what may be code (b64decode)",
    f"data = '{'QUJD' * 60}'": "holds 240 characters of packed data",
    r"code = 'def f(x):\n    y = x\n    return y\n'": "holds 3 lines of code in a string",
    "%matplotlib inline\nget_ipython().run_cell('f = 1')": "executes a string (run_cell)",
}


@pytest.mark.parametrize("source", ODD)
def test_a_file_that_executes_strings_is_reported(source, write):
    last = source.count("\n") + 1
    assert odd(write(ada=source, eve=OTHER)) == [Odd("ada", f"line {last}", ODD[source])]


def test_honest_files_are_not_reported(write):
    honest = {
        "docs": 'def f(x):\n    """Return the mean.\n\n    x : array\n    n : int\n    d : int\n    """\n',
        "names": "import re, pandas\nre.compile('a')\ntable.eval('a + b')\nmodel.eval()\njson.loads('{}')\n",
        "broken": "def f(:\n    exec('1')",
    }
    here = Path(__file__).parent
    wrong = {
        f"{id}-{m.name}": m.source for id in homework.assignments() for m in solutions.solved(id).mutants
    }
    files = write(**honest, **wrong)
    files |= {str(path): path for path in Path(solutions.__file__).parent.glob("*/solution.py")}
    files |= {str(path): path for path in here.glob("submissions/*") if path.suffix in (".py", ".ipynb")}
    assert len(files) > 480
    assert odd(files) == []


def test_shared_tokens_longer_than_the_window_share_a_fingerprint():
    """The guarantee of winnowing: any run of WINDOW + TOKENS - 1 tokens in common is found."""
    run = " ".join(f"x {op} y ;" for op in "+-*/%@&|^<>,.:")
    run = " ".join(run.split()[: WINDOW + TOKENS - 1])
    first, second = (set(fingerprints([Cell("", text)])) for text in (f"if while {run}", f"{run} ) ( ] ["))
    assert first & second


def test_unfinished_code_is_split_roughly():
    assert [word for word, _ in renamed("f(1, [  # open")] == ["v", "(", "0", ",", "["]
    assert renamed("") == []


def test_short_files_that_are_equal_are_a_pair(write):
    for source in ("def f(x):\n    return x\n", OTHER[: OTHER.index("def nearest")]):
        (pair,) = similar(write(ada=source, bob=source, eve="x = 1\n"))
        assert (pair.first, pair.second, pair.share) == ("ada", "bob", 1.0)


def test_the_share_has_a_range(write):
    with pytest.raises(ValueError, match="share must be above 0 and at most 1, got 0"):
        similar(write(ada=ONE), share=0)


def test_the_command_lists_and_never_judges(write, tmp_path, capsys):
    write(ada=ONE, bob=RENAMED + "exec('')\n", eve="def f(:")
    assert cli.main(["similar", str(tmp_path), "--assignment", "hw01", "--places", "1"]) == cli.OK
    out = capsys.readouterr().out
    assert "%  ada  bob" in out
    assert "odd   bob, line 21: executes a string (exec)" in out
    assert out.endswith("1 pairs of 3 files to look at; likeness is no proof of anything\n")
