"""The bundles for Gradescope and PrairieLearn, run as they run them: without namespaces or a network."""

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mlnotes import cli, grading, homework
from mlnotes.grading.cohort import bundles
from mlnotes.grading.results import GRADER
from mlnotes.grading.sandbox.process import SandboxError

HERE = Path(__file__).parent
SECRET = b"of the bundles"
SPY = """
import os, socket
def row_means(X):
    for path in ("../source/grader/secret.key", "/autograder/source/grader/secret.key", "/grade/tests/run.sh",
                 "/autograder/results/results.json", "/etc/passwd", "/proc/1/environ"):
        try:
            print("LEAK", open(path).read())
        except OSError:
            pass
    try:
        import mlnotes
        print("LEAK", mlnotes)
    except ImportError:
        pass
    try:
        print("LEAK", socket.socket())
    except OSError:
        pass
    return X.mean(axis=1)
"""


@pytest.fixture(scope="module")
def autograder(tmp_path_factory):
    """What stands in /autograder after Gradescope has built its image from the bundle."""
    place = tmp_path_factory.mktemp("gradescope")
    made = bundles.bundle("gradescope", str(HERE / "small_homework.py"), place, secret=SECRET)
    root = place / "autograder"
    with zipfile.ZipFile(made) as archive:
        assert {"setup.sh", "run_autograder"} <= set(archive.namelist()), "both stand at the root of the zip"
        archive.extractall(root / "source")
    made.unlink()
    shutil.copy(root / "source" / "run_autograder", root)
    contained(root, "sh", "/autograder/source/setup.sh")
    yield root
    shutil.rmtree(root)


def contained(root, *command):
    """Run a command as a container would: a few folders, no network, no bubblewrap, no Python of ours."""
    system = [word for name in ("usr", "bin", "lib", "lib64", "sbin") if os.path.exists(f"/{name}")
              for word in ("--ro-bind", f"/{name}", f"/{name}")]  # fmt: skip
    user = [] if os.geteuid() == 0 else ["--unshare-user", "--uid", "1000"]
    outer = [
        shutil.which("bwrap"), *user, "--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent",
        *system, "--ro-bind", "/dev/null", "/usr/bin/bwrap", "--dev", "/dev", "--proc", "/proc", "--tmpfs",
        "/tmp", "--bind", str(root), "/autograder", "--chdir", "/autograder", "--clearenv",
        "--setenv", "PATH", "/usr/bin", *(["--cap-add", "ALL"] if not user else []),
    ]  # fmt: skip
    return subprocess.run([*outer, "--", *command], capture_output=True, text=True, timeout=300)


def hand_in(root, files):
    for name in ("submission", "results"):
        shutil.rmtree(root / name, ignore_errors=True)
        (root / name).mkdir()
    for name, text in files.items():
        (root / "submission" / name).write_text(text)
    done = contained(root, "sh", "/autograder/run_autograder")
    assert (root / "results" / "results.json").exists(), done.stderr
    return done, json.loads((root / "results" / "results.json").read_text())


def in_class(text, tmp_path):
    """The result of the same file in a class run with the same secret."""
    (tmp_path / "a.py").write_text(text)
    small = homework.load(str(HERE / "small_homework.py"))
    with grading.Sandbox("limits") as sandbox:
        return grading.grade_submission(small, tmp_path / "a.py", secret=SECRET, sandbox=sandbox)


@pytest.mark.needs("bubblewrap")
@pytest.mark.needs("landlock")
def test_gradescope(autograder, tmp_path):
    small = homework.load(str(HERE / "small_homework.py"))
    source = small.solution.replace("def order", "def no_order")
    done, made = hand_in(autograder, {"whatever.py": source})
    here = in_class(source, tmp_path)
    assert made["extra_data"]["sandbox"] == "landlock", done
    assert made["score"] == here.earned
    assert 0 < here.earned < 16
    assert [t.get("score") for t in made["tests"]] == [p.earned for p in here.parts]
    assert done.returncode == 0


@pytest.mark.needs("bubblewrap")
@pytest.mark.needs("landlock")
def test_a_spy_on_gradescope_sees_nothing(autograder):
    done, made = hand_in(autograder, {"spy.py": SPY})
    assert "LEAK" not in json.dumps(made) + done.stdout + done.stderr
    assert made["tests"][0]["score"] == 3
    for path in (autograder / "source" / "grader").rglob("*"):
        assert not path.stat().st_mode & 0o077, path


@pytest.mark.needs("bubblewrap")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change its root folder")
def test_where_the_kernel_has_no_landlock_root_grades_in_a_jail(autograder):
    settings = autograder / "source" / "grader" / "bundle.json"
    before = settings.read_text()
    settings.write_text(json.dumps(json.loads(before) | {"sandbox": "jail"}))
    try:
        done, made = hand_in(autograder, {"spy.py": SPY})
    finally:
        settings.write_text(before)
    assert made["extra_data"]["sandbox"] == "jail"
    assert "LEAK" not in json.dumps(made) + done.stdout + done.stderr
    assert made["tests"][0]["score"] == 3


@pytest.mark.needs("bubblewrap")
def test_nothing_and_too_much_handed_in(autograder):
    _, made = hand_in(autograder, {"essay.txt": "I would rather not."})
    assert "score" not in made, "a person must look"
    assert "no .py or .ipynb file was handed in, only essay.txt" in json.dumps(made)
    done, made = hand_in(autograder, {"a.py": "x = 1", "b.py": "x = 2"})
    assert "score" not in made, "undecided is never a zero"
    assert "several files were handed in (a.py, b.py)" in json.dumps(made)
    assert done.returncode == 1


@pytest.mark.needs("bubblewrap")
def test_a_broken_bundle_says_so_and_gives_no_zero(autograder):
    settings = autograder / "source" / "grader" / "bundle.json"
    before = settings.read_text()
    settings.write_text("{")
    try:
        done, made = hand_in(autograder, {"a.py": "x = 1"})
    finally:
        settings.write_text(before)
    assert "score" not in made
    assert "The grader could not start" in made["output"]
    assert "JSONDecodeError" in done.stderr


# ------------------------------------------------------------------- PrairieLearn


@pytest.fixture
def grade(tmp_path):
    """A function that runs the question's entry point on a file, in a folder like /grade; its results."""
    folder = bundles.bundle("prairielearn", str(HERE / "small_homework.py"), tmp_path, secret=SECRET)
    root = tmp_path / "grade"
    shutil.copytree(folder / "tests", root / "tests")
    (root / "student").mkdir()

    def run(text):
        (root / "student" / "hw.py").write_text(text)
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        done = subprocess.run([root / "tests" / "run.sh"], capture_output=True, text=True, timeout=300,
                              env={"GRADE": str(root), "PATH": path}, cwd=tmp_path)  # fmt: skip
        assert done.returncode == 0, "anything else is a failure of the job over there"
        return done, json.loads((root / "results" / "results.json").read_text())

    return folder, root, run


@pytest.mark.needs("landlock")
def test_prairielearn(grade, tmp_path, monkeypatch):
    folder, root, run = grade
    info = json.loads((folder / "info.json").read_text())
    assert info["gradingMethod"] == "External"
    options = info["externalGradingOptions"]
    assert options["entrypoint"] == "/grade/tests/run.sh"
    assert options["timeout"] <= 600
    assert not options["enableNetworking"]
    assert (folder / "clientFilesQuestion" / "small.ipynb").exists()
    small = homework.load(str(HERE / "small_homework.py"))
    _, made = run(small.solution)
    assert made["gradable"] is True
    assert made["score"] == pytest.approx(16 / 21)
    assert [t["max_points"] for t in made["tests"]] == [p.points for p in small.parts if not p.manual]
    done, made = run(SPY)
    assert "LEAK" not in json.dumps(made) + done.stdout + done.stderr
    assert stat.S_IMODE((root / "tests" / "grader").stat().st_mode) == 0o700


def test_a_question_may_be_bundled_again(grade, tmp_path):
    folder, _, _ = grade
    before = json.loads((folder / "info.json").read_text())
    again = bundles.bundle("prairielearn", str(HERE / "small_homework.py"), tmp_path, secret=SECRET)
    assert again == folder
    assert json.loads((folder / "info.json").read_text()) == before, "the question keeps its identity"


@pytest.mark.parametrize("numpy", ["raise ImportError('no NumPy here')", "__version__ = '1.25.2'"])
def test_an_image_without_numpy_is_a_sentence_and_no_zero(grade, numpy):
    _, root, run = grade
    (root / "tests" / "grader" / "numpy.py").write_text(numpy)
    done, made = run("x = 1")
    assert (made["gradable"], "score" in made) == (False, False)
    assert "tell your instructor" in made["message"]
    assert "ImportError" in done.stdout + done.stderr, "for the instructor"


# ------------------------------------------------------------------- both


@pytest.mark.parametrize("kind", bundles.KINDS)
def test_without_a_sandbox_nothing_is_graded(kind, tmp_path, monkeypatch, capsys):
    def none(*_, **__):
        raise SandboxError("no sandbox works here (none at all)")

    monkeypatch.setattr(bundles, "Sandbox", none)
    (tmp_path / "bundle.json").write_text(json.dumps({"assignment": "hw01", "kind": kind, "sandbox": "auto"}))
    assert bundles.main(tmp_path, str(tmp_path)) == 1
    made = json.loads((tmp_path / "results" / "results.json").read_text())
    assert "score" not in made
    assert "no sandbox works in this container" in json.dumps(made) or made["gradable"] is False
    assert GRADER in json.dumps(made)
    assert "none at all" in capsys.readouterr().err, "for the instructor"


def test_the_command(tmp_path, capsys):
    out = tmp_path / "out"
    assert cli.main(["grade", "hw01-v2", "--bundle", "prairielearn", "--out", str(out)]) == cli.OK
    assert "keep it from students" in capsys.readouterr().out
    assert (out / "hw01-v2" / "tests" / "grader" / "secret.key").read_bytes() == (
        (out / "secret.key").read_bytes().strip()
    )
    assert cli.main(["grade", "hw01", str(tmp_path), "--bundle", "gradescope"]) == cli.USAGE
    assert "--bundle takes no submissions" in capsys.readouterr().err


def test_a_zip_for_gradescope_is_made_on_linux(tmp_path, monkeypatch):
    monkeypatch.setattr(bundles.platform, "system", lambda: "Darwin")
    with pytest.raises(ValueError, match="make it on a Linux machine"):
        bundles.bundle("gradescope", "hw01", tmp_path, secret=b"s")
    with pytest.raises(ValueError, match="bundle must be one of gradescope, prairielearn, got 'moodle'"):
        bundles.bundle("moodle", "hw01", tmp_path, secret=b"s")
