"""The student's version of a master file: what the marks enclose goes, and wrong marks are named."""

import json

import nbformat
import pytest

from mlnotes import cli
from mlnotes.grading.assignment.master_notebook import stripped

CASES = {
    "def f(x):\n    # BEGIN SOLUTION\n    return x\n    # END SOLUTION\n": "def f(x):\n    ...\n",
    "a\n# BEGIN SOLUTION NO PROMPT\nb\n# END SOLUTION\nc": "a\nc",
    "  ### BEGIN SOLUTION\n  x\n  ### END SOLUTION\n": "  # YOUR CODE HERE\n  raise NotImplementedError()\n",
    "#BEGIN SOLUTION\nx\n#END SOLUTION\n": "...\n",
    "x = 3  # SOLUTION\n": "x = ...\n",
    "    x[0], y = f(a=3) # SOLUTION\n": "    x[0], y = ...\n",
    "x: int = 3  # SOLUTION\n": "x: int = ...\n",
    "x += 3  # SOLUTION\n": "...\n",
    "assert x == 3  # SOLUTION\n": "...\n",
    "f(a=3)  # SOLUTION\n": "...\n",
    "    return x # SOLUTION\n": "    return ...\n",
    "x = 3 # SOLUTION NO PROMPT\ny\n": "y\n",
    "rng = 4  # SEED\ny": "y",
    "### BEGIN HIDDEN TESTS\nassert f(1)\n### END HIDDEN TESTS\ny": "y",
    "# the solution is near\nx = 1  # no mark\n": "# the solution is near\nx = 1  # no mark\n",
}


@pytest.mark.parametrize("source", CASES)
def test_marks(source):
    assert stripped(source, "m.py") == CASES[source]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x\n# BEGIN SOLUTION\n", "m.py, line 2: BEGIN SOLUTION is never closed"),
        ("# BEGIN SOLUTION\n# BEGIN SOLUTION\n", "line 2: SOLUTION begins inside the block of line 1"),
        ("# BEGIN SOLUTION\n# BEGIN HIDDEN TESTS\n", "line 2: HIDDEN TESTS begins inside"),
        ("# END SOLUTION\n", "line 1: END SOLUTION without its BEGIN"),
        ("# BEGIN SOLUTION\n# END HIDDEN TESTS\n", "line 2: END HIDDEN TESTS without its BEGIN"),
    ],
)
def test_wrong_marks_are_named(source, words):
    with pytest.raises(ValueError, match=words):
        stripped(source, "m.py")


def master(path, *sources):
    cells = [nbformat.v4.new_code_cell(s, execution_count=1, id=f"cell-{k}") for k, s in enumerate(sources)]
    cells[0].outputs = [nbformat.v4.new_output("stream", text="the answer is 42")]
    path.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=cells)))
    return str(path)


def test_a_notebook_loses_solutions_and_outputs(tmp_path, capsys):
    path = master(tmp_path / "m.ipynb", "x = 42  # SOLUTION\nprint(x)", "y = 1")
    assert cli.main(["handout", path, "-o", str(tmp_path / "s" / "s.ipynb")]) == cli.OK
    text = (tmp_path / "s" / "s.ipynb").read_text()
    nbformat.validate(nbformat.reads(text, as_version=4))
    assert "42" not in text
    assert ["".join(c["source"]) for c in json.loads(text)["cells"]] == ["x = ...\nprint(x)", "y = 1"]


def test_an_error_in_a_notebook_names_cell_and_line(tmp_path, capsys):
    path = master(tmp_path / "m.ipynb", "x", "y\n# BEGIN SOLUTION")
    assert cli.main(["handout", path]) == cli.USAGE
    assert "m.ipynb, cell 2, line 2: BEGIN SOLUTION is never closed" in capsys.readouterr().err


def test_a_master_without_marks_is_not_handed_out(tmp_path, capsys):
    assert cli.main(["handout", master(tmp_path / "m.ipynb", "x = 42")]) == cli.USAGE
    assert "has no marks" in capsys.readouterr().err
    (tmp_path / "bad.ipynb").write_text("[]")
    assert cli.main(["handout", str(tmp_path / "bad.ipynb")]) == cli.USAGE
    assert "is not a notebook of format 4" in capsys.readouterr().err


def test_a_script_is_a_master_if_it_has_marks(tmp_path, capsys):
    (tmp_path / "m.py").write_text("def f():\n    return 42  # SOLUTION\n")
    assert cli.main(["handout", str(tmp_path / "m.py")]) == cli.OK
    assert capsys.readouterr().out == "def f():\n    return ...\n"
    assert cli.main(["handout", "hw01"]) == cli.OK
