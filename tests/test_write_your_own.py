"""The page on writing one's own homework: its example is what a lecturer would type, and it works."""

import re
from pathlib import Path

import pytest

from mlnotes import cli

PAGE = (Path(__file__).parents[1] / "lectures" / "homework" / "WRITE_YOUR_OWN.md").read_text()


@pytest.fixture
def centres(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (source,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert sum(bool(line.strip()) for line in source.splitlines()) <= 20
    Path("centres.py").write_text(source)
    return tmp_path


def test_the_example_is_sound(centres, capsys):
    assert cli.main(["grade", "centres.py", "--audit", "--sandbox", "limits"]) == cli.OK
    assert "the assignment is sound" in capsys.readouterr().out


def test_its_handout_check_and_grades(centres, capsys):
    assert cli.main(["handout", "centres.py", "-o", "centres.ipynb"]) == cli.OK
    Path("class").mkdir()
    Path("class/ada.py").write_text("import numpy as np\ndef centre(x):\n    return np.mean(x)\n")
    Path("class/bob.py").write_text("def centre(x):\n    return max(x)\n")
    assert cli.main(["check", "centres.py", "class/bob.py"]) == cli.FAILS
    assert "sum minus the least sum nearby" in capsys.readouterr().out
    Path("grades").mkdir()
    Path("grades/manual.csv").write_text("student,part,points,comment\nada,why,3,\nbob,why,1,no strictness\n")
    command = ["grade", "centres.py", "class", "--sandbox", "limits", "--format", "html", "--out", "grades"]
    assert cli.main(command) == cli.OK
    rows = [line.split(",")[:5] for line in Path("grades/gradebook.csv").read_text().splitlines()]
    assert rows == [
        ["student", "mean", "why", "total", "points"],
        ["ada", "2", "3", "5", "5"],
        ["bob", "0", "1", "1", "5"],
    ]


def test_every_command_on_the_page_has_options_that_exist():
    commands = re.findall(r"^mlnotes ([^#\n]*)", PAGE, re.MULTILINE)
    commands += [" ".join(text.split()) for text in re.findall(r"`mlnotes ([^`]*)`", PAGE)]
    assert len(commands) == 6
    for command in commands:
        assert cli._parser().parse_args(command.split()).run is not None
