"""The command line, as a user meets it: output, exit status, sentences for wrong usage."""

import io
import json
import multiprocessing
import re
import shutil
import subprocess
import sys
from concurrent import futures
from pathlib import Path

import pytest

from mlnotes import claims, homework
from mlnotes.cli import INTERRUPTED, grading, main

SMALL = Path(__file__).parent / "small_homework.py"
MODULES = Path(claims.__file__).parents[1]
STRICT = """
import numpy as np
def bayes_rule_binary(eta, threshold=0.5):
    return (np.asarray(eta) > threshold) * 1
"""
RIGHT = STRICT.replace("> threshold", ">= threshold")


def test_the_package_runs_as_the_command():
    for arguments in (["--version"], [], ["verify", "nothing"]):
        command, package = (
            subprocess.run([sys.executable, *start, *arguments], capture_output=True, text=True)
            for start in (["-c", "from mlnotes.cli import main; raise SystemExit(main())"], ["-m", "mlnotes"])
        )
        assert (package.returncode, package.stdout) == (command.returncode, command.stdout)
    assert (
        "mlnotes"
        in subprocess.run(
            [sys.executable, "-m", "mlnotes", "--version"], capture_output=True, text=True, check=True
        ).stdout
    )


@pytest.fixture
def candidate(tmp_path):
    def write(text):
        path = tmp_path / "mine.py"
        path.write_text(text)
        return str(path)

    return write


def test_verify_a_topic(capsys):
    assert main(["verify", "bayes"]) == 0
    out = capsys.readouterr().out
    runnable = [c for c in claims.of("bayes") if c.check is not None]
    assert f"{len(runnable)} of {len(runnable)} claims hold" in out
    assert all(c.id in out for c in runnable)


def test_verify_json_has_the_documented_fields(capsys):
    assert main(["verify", "bayes.risk", "bayes.erratum-w6", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [r["id"] for r in records] == ["bayes.risk", "bayes.erratum-w6"]
    for record in records:
        assert {"id", "topic", "kind", "sources", "statement", "holds", "seconds", "evidence"} <= set(record)
        for item in record["evidence"]:
            assert set(item) == {"what", "measured", "relation", "bound", "tolerance", "holds"}
    assert {"printed", "corrected"} <= set(records[1])


def test_verify_several_seeds_in_parallel(capsys):
    assert main(["verify", "bayes.risk", "--seeds", "3", "--jobs", "2", "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["seeds"], record["failed_seeds"]) == (3, [])


def test_a_wrong_candidate_fails_with_what_was_measured(candidate, capsys):
    assert main(["verify", "bayes.rule-binary", "--candidate", candidate(STRICT)]) == 1
    out = capsys.readouterr().out
    assert "FAILS" in out
    assert "read lectures/01_bayes.ipynb, section 3" in out
    assert "0 of 1 claims hold" in out


def test_correct_candidate_holds_on_what_it_defines(candidate, capsys):
    assert main(["verify", "bayes.rule-binary", "bayes.formula", "--candidate", candidate(RIGHT)]) == 1
    assert "bayes.formula needs posterior, which is not defined" in capsys.readouterr().out
    assert main(["verify", "bayes.rule-binary", "--candidate", candidate(RIGHT)]) == 0
    main(["verify", "bayes", "--candidate", candidate(RIGHT)])
    assert "claims were not asked" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("topic", "id", "word"), [("tree", "tree.price", "NOT FOUND"), ("bayes", "bayes.plugin-raised", "ERROR")]
)
def test_copy_of_a_reference_module_holds(topic, id, word, candidate, capsys):
    copy = candidate((MODULES / f"{topic}.py").read_text())
    reason = f"this claim is checked on the estimators only: {claims.find(id).estimators_only}\n"
    assert main(["verify", topic, "--candidate", copy]) == 0
    out = capsys.readouterr().out
    held = re.search(r"(\d+) of (\d+) claims hold; \d for the estimators only do", out)
    assert held[1] == held[2]
    assert re.search(rf"\n{word} +{id} .*\n{reason}", out)
    assert main(["verify", id, "--candidate", copy]) == 1, "who names it asks for it"
    out = capsys.readouterr().out
    assert reason in out
    assert "0 of 1 claims hold (" in out
    main(["verify", id, "--candidate", copy, "--json"])
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["holds"], record["estimators_only"]) == (False, claims.find(id).estimators_only)


def test_a_candidate_need_not_define_datasets(candidate, capsys):
    copy = candidate((MODULES / "bayes.py").read_text())
    assert main(["verify", "bayes.beers-rule", "--candidate", copy]) == 0, "it needs BeersDistribution"


def test_estimators_only_claim_counts_if_the_candidate_satisfies_it(candidate, capsys):
    source = "from mlnotes.estimators.svm import SVC as EstimatorSVC"
    assert main(["verify", "svm.several-classes", "--candidate", candidate(source)]) == 0
    assert "\n1 of 1 claims hold (" in capsys.readouterr().out


def test_failures_start_with_the_mistake_and_are_short(candidate, capfd):
    source = (MODULES / "perceptron.py").read_text().replace("w @ z <= 0", "w @ z < 0")
    wrong = candidate(source.replace("np.maximum(0, -(Z @ w))", "np.maximum(0, 1 - Z @ w)"))
    assert main(["verify", "perceptron", "--candidate", wrong]) == 1
    out, err = capfd.readouterr()
    assert err == "", "NumPy's warnings of wrong numbers"
    _, mistake, first, *_ = out.split("\n\n")
    assert mistake == (
        "The outputs match a common mistake: The hinge loss: a margin of 1. "
        "(perceptron.loss, perceptron.erratum-y14, perceptron.erratum-s11)"
    )
    assert first.startswith(claims.find("perceptron.loss").statement)
    assert out.count("The hinge loss: a margin of 1.") == 1
    assert out.count("; measured") == 3, "in full"
    full = f"to see one in full: mlnotes verify perceptron.separable --candidate {wrong}\n"
    assert f"{full}FAILS       perceptron.separable            separable data: examples with a pos" in out
    assert len(out) < 10_000
    main(["verify", "perceptron", "perceptron.goal", "--candidate", wrong])
    assert claims.find("perceptron.goal").statement in capfd.readouterr().out, "named, so in full"


def test_error_names_the_line_of_the_candidate(candidate, capsys):
    source = (
        "def _inner(eta):\n    return len(eta, 1)\n\ndef bayes_rule_binary(eta):\n    return _inner(eta)\n"
    )
    assert main(["verify", "bayes.rule-binary", "--candidate", candidate(source)]) == 1
    assert "mine.py, line 2, in _inner)\n" in capsys.readouterr().out
    verdict = claims.find("bayes.rule-binary").verify(candidate={"bayes_rule_binary": lambda eta: 1 / 0})
    assert verdict.reason == "ZeroDivisionError: division by zero", "no candidate's file"
    endless = "def bayes_rule_binary(eta):\n    while True: pass\n"
    assert main(["verify", "bayes.rule-binary", "--candidate", candidate(endless), "--limit", "0.2"]) == 1
    assert "(--limit) (" in (out := capsys.readouterr().out)
    assert "mine.py, line 2, in bayes_rule_binary)" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["verify", "nonsense"], "topic must be one of"),
        (["verify", "bayes.nonsense"], "there is no claim 'bayes.nonsense'"),
        (["verify", "--candidate", "missing.py"], "candidate 'missing.py': there is no such file"),
        (["verify", "--candidate", "README.md"], "candidate must be a Python file (.py), got 'README.md'"),
        (["check", "hw01", "missing.ipynb"], "mlnotes check: no such file: missing.ipynb"),
        (["check", "hw01", "README.md"], "README.md is not a submission: .py and .ipynb files are"),
        (["check", "hw99", "x.py"], "assignment must be one of hw01"),
        (["grade", "hw01"], "grade needs the folder or zip of submissions"),
        (["grade", "hw01", "no-such-folder"], "submissions must be a folder"),
    ],
)
def test_wrong_usage_is_one_sentence_and_status_2(arguments, sentence, capsys):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_a_candidate_that_defines_nothing_or_does_not_load(candidate, capsys):
    assert main(["verify", "bayes", "--candidate", candidate("x = 1\n")]) == 2
    assert "defines no name that a chosen claim asks for" in capsys.readouterr().err
    assert main(["verify", "bayes", "--candidate", candidate("1 / 0\n")]) == 2
    error = capsys.readouterr().err
    assert "cannot be loaded: ZeroDivisionError" in error
    assert "mine.py, line 1, in <module>)" in error


def test_no_command_prints_the_help(capsys):
    assert main([]) == 2
    assert "verify" in capsys.readouterr().out


def test_bad_number(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["verify", "bayes", "--seeds", "0"])
    assert stop.value.code == 2
    assert "must be at least 1, got 0" in capsys.readouterr().err


def test_errata(capsys):
    assert main(["errata", "bayes"]) == 0
    out = capsys.readouterr().out
    assert "bayes.erratum-w6" in out
    assert "printed:" in out
    assert main(["errata", "bayes", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert all({"id", "printed", "corrected"} <= set(r) for r in records)


@pytest.mark.parametrize(("id", "module"), homework.assignments().items())
def test_handout_is_the_committed_one(id, module, tmp_path, capsys):
    out = tmp_path / "deep" / f"{id}.ipynb"
    assert main(["handout", id, "-o", str(out)]) == 0
    committed = f"lectures/homework/{module.rpartition('.')[2]}.ipynb"
    with open(committed, encoding="utf-8") as file:
        assert out.read_text(encoding="utf-8") == file.read()


def test_handout_overwrites_nothing_without_force(tmp_path, capsys):
    out = tmp_path / "mine.ipynb"
    for force, status, kept in (([], 2, True), (["--force"], 0, False)):
        out.write_text("all my work")
        assert main(["handout", "hw01", "-o", str(out), *force]) == status
        assert (out.read_text() == "all my work") == kept
    assert "mine.ipynb is there already and may hold somebody's work" in capsys.readouterr().err
    assert main(["handout", "hw01", "-o", str(out)]) == 0, "what is there is the handout itself"


def test_handout_of_own_homework_runs(tmp_path, monkeypatch, capsys):
    shutil.copy(SMALL, tmp_path / "small.py")
    monkeypatch.chdir(tmp_path)
    assert main(["handout", "small.py", "-o", "handout.ipynb"]) == 0
    cells = json.loads(Path("handout.ipynb").read_text())["cells"]
    names = {}
    for cell in cells:
        if cell["cell_type"] == "code" and "check(" not in (source := "".join(cell["source"])):
            exec(source, names)
    checks = [source for cell in cells if (source := "".join(cell["source"])).startswith("check(")]
    assert checks[0] == 'check("small.py.means")'
    assert all("NOT FOUND" in repr(eval(source, names)) for source in checks)
    assert "`mlnotes check small.py FILE.ipynb`" in "".join(cells[0]["source"])


def test_public_homework_contains_no_solution(tmp_path, monkeypatch, capsys):
    shutil.copy(SMALL, tmp_path / "small.py")
    monkeypatch.chdir(tmp_path)
    assert main(["handout", "small.py", "--public", "small_check.py", "-o", "handout.ipynb"]) == 0
    given, own = Path("small_check.py").read_text(), homework.load("small.py")
    code = "\n".join([own.solution, *(mutant.source for mutant in own.mutants)])
    telling = [line.strip() for line in code.splitlines() if "return " in line]
    assert len(telling) > 8
    assert [line for line in telling if line in given] == []
    assert "One point a step" not in given + Path("handout.ipynb").read_text()
    public = homework.load("small_check.py")
    assert [part.name for part in public.parts] == [part.name for part in own.parts]
    assert (public.solution, public.mutants) == ("", ())
    Path("ada.py").write_text(own.solution)
    assert main(["check", "small_check.py", "ada.py"]) == 1, "the written part is not marked"
    assert "means: OK, 3 of 3 points" in capsys.readouterr().out
    assert "small_check.py.means" in Path("handout.ipynb").read_text()
    assert main(["handout", "hw01", "--public", "x.py"]) == 2
    assert main(["handout", "small.py", "--rubric"]) == 0
    assert "One point a step" in capsys.readouterr().out


def test_grade_the_samples(tmp_path, capsys):
    out = tmp_path / "grades"
    arguments = ["grade", "hw01", "tests/submissions", "--out", str(out), "--sandbox", "limits"]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    lines = {line.split()[0]: line.split() for line in text.splitlines() if line}
    assert lines["right"][-3:] == ["20", "20", "GRADED"]
    assert lines["half"][-3:] == ["10", "20", "GRADED"]
    assert lines["wrong"][-3:] == ["0", "20", "GRADED"]
    assert main(arguments) == 0
    assert "0 graded, 3 kept" in capsys.readouterr().out
    feedback = (out / "feedback" / "wrong.txt").read_text()
    assert "bayes.rule-multi" in feedback
    assert "expected" in feedback
    assert "read lectures/01_bayes.ipynb, section 4" in feedback


def test_check_says_that_it_is_not_a_grade(capsys):
    assert main(["check", "hw01", "tests/submissions/right.py"]) == 0
    assert "not a grade" in capsys.readouterr().out
    assert main(["check", "hw01", "tests/submissions/wrong.py"]) == 1


@pytest.mark.parametrize("id", homework.assignments())
def test_audit(id, capsys, request):
    if id != "hw03":  # one with every mutant in a worker of its own
        request.getfixturevalue("mutants_here")
    status = main(["grade", id, "--audit", "--sandbox", "limits"])
    out = capsys.readouterr().out
    assert status == 0, out
    assert "sound" in out


@pytest.mark.parametrize(("typed", "agreed"), [("y\n", True), (" Yes \n", True), ("\n", False), ("", False)])
def test_regrade_is_written_only_after_yes(monkeypatch, capsys, typed, agreed):
    """At Ctrl-D nobody has."""
    terminal = io.StringIO(typed)
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stdin", terminal)
    assert grading._agree(["ada: 1 -> 2"], yes=False) is agreed
    assert capsys.readouterr().out.endswith("1 grade would change\nwrite these grades? [y/N] ")


def interrupt(*_, **__):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("jobs", "of", "waits"), [("1", claims.Claim, "verify"), ("2", futures.Future, "result")]
)
def test_ctrl_c_ends_verify_with_one_sentence(monkeypatch, capsys, jobs, of, waits):
    """And nothing of what was still to be checked is: it would take an hour."""
    monkeypatch.setattr(of, waits, interrupt)
    assert main(["verify", "svm", "--seeds", "100000", "--jobs", jobs]) == INTERRUPTED
    assert capsys.readouterr().err.splitlines()[1:] == ["mlnotes verify: interrupted"]
    for process in multiprocessing.active_children():
        process.join(60)
    assert not multiprocessing.active_children()
