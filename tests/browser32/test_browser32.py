"""All claims and agreement tests where NumPy has 32-bit integers: in browsers.

The agreement tests run with a quarter of their instances: this Python is some five times as slow.
"""

import json
import re
import subprocess
from pathlib import Path

import pytest

from mlnotes import claims

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

START = """
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/mlnotes")
"""
RUN = """
import contextlib, io
def shown(function, arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        status = function(arguments)
    return json.dumps([int(status), out.getvalue()])
"""
TESTS = """
import hypothesis, os, pytest
class Fewer:
    def pytest_collection_modifyitems(self, items):
        for test in items:
            if asked := getattr(test.obj, "_hypothesis_internal_use_settings", None):
                fewer = hypothesis.settings(asked, max_examples=max(4, asked.max_examples // 4))
                test.obj._hypothesis_internal_use_settings = fewer
os.makedirs("/tests", exist_ok=True)
os.chdir("/tests")
open("pytest.ini", "w").write("[pytest]\\nfilterwarnings = error")
def agreement(name):
    options = "-q -c pytest.ini --rootdir=/mlnotes --confcutdir=/mlnotes/tests/agreement --assert=plain"
    options += " --import-mode=importlib -p no:cacheprovider"
    return pytest.main([*options.split(), "/mlnotes/tests/agreement/" + name], plugins=[Fewer()])
"""
VERIFY = """
from mlnotes.cli import main
shown(main, ["verify", {name!r}, "--json", "--jobs", "1"])
"""

pytestmark = [pytest.mark.needs("node"), pytest.mark.needs("pyodide")]


class Pyodide:
    """Python under Node: Pyodide with NumPy and this working tree."""

    def __init__(self, process):
        self.process = process

    def run(self, code):
        """The value of the last expression."""
        self.process.stdin.write(json.dumps({"code": code}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "Node has ended"}')
        assert "error" not in answer, answer["error"]
        return answer["value"]


@pytest.fixture(scope="session")
def python():
    command = ["node", HERE / "python.mjs", ROOT]
    with subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        python = Pyodide(process)
        python.run(START + RUN + TESTS)
        yield python


def test_integers_have_32_bits(python):
    sizes = "import numpy as np; json.dumps([np.intp(0).itemsize, np.int_(0).itemsize])"
    assert json.loads(python.run(sizes)) == [4, 4]


@pytest.mark.parametrize("topic", claims.topics())
def test_claims_hold(python, topic):
    status, shown = json.loads(python.run(VERIFY.format(name=topic)))
    records = json.loads(shown)
    assert len(records) > 5
    assert [record for record in records if not record["holds"]] == []
    assert status == 0


@pytest.mark.parametrize("name", sorted(path.name for path in ROOT.glob("tests/agreement/test_*.py")))
def test_boards_and_estimators_agree(python, name):
    status, shown = json.loads(python.run(f"shown(agreement, {name!r})"))
    assert status == 0, shown
    assert re.search(r"[1-9]\d* passed", shown), shown
