"""The project around the code: what is stored, what is imported, what the documents promise."""

import ast
import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import mlnotes
from mlnotes import LECTURES as TOPICS

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "lectures").rglob("*.ipynb"))
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))

LAYERS = (  # imports go down
    *(f"mlnotes.{module}" for topic in TOPICS for module in mlnotes.modules_of(topic)),  # on earlier ones
    "mlnotes.estimators.display",  # needs HTML alone
    "mlnotes.checks",
    "mlnotes.engines",
    "mlnotes.datasets",
    "mlnotes.estimators.base",
    *(f"mlnotes.estimators.{module}" for topic in TOPICS for module in mlnotes.modules_of(topic)),
    "mlnotes.checking",
    "mlnotes.grading",
    "mlnotes.claims mlnotes.show",
    "mlnotes.mistakes",
    "mlnotes.homework",
    "mlnotes.exam",
    "mlnotes.cli",
)
AHEAD = {("mlnotes/estimators/logistic.py", "estimators.descent")}  # lecture 5 runs the methods of lecture 6


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def tracked_text() -> dict[str, str]:
    """Every text file that git tracks or would add."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    texts = {}
    for path in filter(Path.is_file, (ROOT / n for n in names.split("\0") if n)):
        content = path.read_bytes()
        if b"\0" not in content:
            texts[name(path)] = content.decode()
    return texts


@pytest.mark.needs("git")
def test_no_package_index_or_machine_path_is_stored():
    index = r"https?://\S*(?:pypi|pythonhosted|/simple\b)|--(?:extra-)?index-url\s+\S"
    homes = r"/(?:home|Users)/\w+/"
    places = {ROOT, Path.home()} - {Path("/root")}  # which root's home is called everywhere
    here = "|".join(re.escape(f"{place}/") for place in places)
    found = {
        n: match[0]
        for n, content in tracked_text().items()
        if (match := re.search(f"{index}|{homes}|{here}", content))
    }
    assert found == {}


def test_there_are_lectures_and_homework():
    assert [name(p) for p in NOTEBOOKS if p.parent.name == "lectures"]
    assert [name(p) for p in NOTEBOOKS if p.parent.name == "homework"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_notebook_is_stored_in_canonical_form_without_outputs(path):
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    ids = [cell["id"] for cell in notebook.cells]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(set(ids)) == len(ids)
    assert [c["id"] for c in code if c.outputs or c.execution_count is not None] == []
    assert set(notebook.metadata) <= {"kernelspec", "language_info", "mlnotes"}
    assert path.read_text("utf-8") == nbformat.writes(notebook) + "\n", "run `make format`"


def modules_after(statement: str) -> set[str]:
    """The top-level modules that a fresh interpreter holds after `statement`."""
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {module.split(".")[0] for module in run.stdout.split()}


def test_import_loads_only_numpy():
    heavy = {"matplotlib", "sklearn", "scipy", "IPython", "nbformat", "rich", "jinja2", "pytest"}
    assert not modules_after("import mlnotes") & heavy
    every_topic = "import mlnotes.claims as c; [c.of(topic) for topic in c.topics()]"
    assert not modules_after(every_topic) & heavy


def test_every_public_name_is_an_attribute_of_the_package():
    modules = {path.stem for path in (ROOT / "mlnotes").glob("*.py")} - {"__init__", "__main__", "checks"}
    assert modules == {module for topic in TOPICS for module in mlnotes.modules_of(topic)}
    classes = {n for n in mlnotes.ESTIMATORS if inspect.isclass(getattr(mlnotes, n))}
    written = {
        name
        for path in (ROOT / "mlnotes/estimators").glob("[!_]*.py")
        for name, value in vars(importlib.import_module(f"mlnotes.estimators.{path.stem}")).items()
        if inspect.isclass(value) and hasattr(value, "fit") and not name.startswith("_")
    }
    assert classes == written - {"Classifier", "Estimator", "Gaussian", "Regressor", "Transformer"}


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_has_a_module_claims_mistakes_and_a_notebook(topic):
    notebook = f"lectures/{TOPICS.index(topic) + 1:02}_{topic}.ipynb"
    needed = (f"mlnotes/{topic}.py", f"mlnotes/claims/{topic}.py", f"mlnotes/mistakes/{topic}.diff", notebook)
    assert [file for file in needed if not (ROOT / file).exists()] == []


def layer(module: str) -> int:
    """The height of a module's layer."""
    room = module.replace("estimators.boosting", "estimators.ensemble")  # the second file of its lecture
    room = re.sub(rf"estimators\.({'|'.join(TOPICS)})_\w+", r"estimators.\1", room)
    heights = [
        height
        for height, layer in enumerate(LAYERS)
        if any(f"{room}.".startswith(f"{start}.") for start in layer.split())
    ]
    return heights[0]


def imported(path: Path) -> set[str]:
    """The modules of mlnotes that a file imports, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    names = ("mlnotes.__", "mlnotes.LECTURES", "mlnotes.modules_of")  # no modules
    parts = [m.split(".") for m in found if m.startswith("mlnotes.") and not m.startswith(names)]
    return {
        ".".join(["mlnotes", "estimators", mlnotes.ESTIMATORS[p[1]]] if p[1] in mlnotes.ESTIMATORS else p)
        for p in parts
        if p[1] != "ESTIMATORS"
    }


def test_imports_run_one_way():
    files = [p for p in (ROOT / "mlnotes").rglob("*.py") if p.stem not in ("__init__", "__main__")]
    edges = [
        (name(path), other)
        for path in files
        for other in imported(path)
        if (name(path), ".".join(other.split(".")[1:3])) not in AHEAD
        and layer(other) > layer(name(path).removesuffix(".py").replace("/", "."))
    ]
    assert edges == []


def test_checking_knows_no_topic():
    for path in (ROOT / "mlnotes" / "checking").rglob("*.py"):
        assert {m.split(".")[1] for m in imported(path)} <= {"checking"}


def test_grading_imports_grading_and_claims_machinery_only():
    for path in (ROOT / "mlnotes" / "grading").rglob("*.py"):
        others = {module for module in imported(path) if not module.startswith("mlnotes.grading.")}
        assert {module.split(".")[1] for module in others} <= {"claims", "checking"}, name(path)


def test_no_module_of_grading_imports_itself_by_way_of_others():
    files = {name(path).removesuffix(".py").replace("/", "."): path
             for path in (ROOT / "mlnotes" / "grading").rglob("*.py")}  # fmt: skip
    below = {
        module: {other for found in imported(path) for other in (found, found.rpartition(".")[0])} & {*files}
        for module, path in files.items()
    }
    while free := [module for module, others in below.items() if not others & {*below}]:
        for module in free:
            del below[module]
    assert sorted(below) == []


ALONE = """
import sys

class Nothing:
    def find_spec(self, module, path=None, target=None):
        if module.startswith("mlnotes.") and not module.startswith({allowed}):
            raise ModuleNotFoundError(name=module)

sys.meta_path.insert(0, Nothing())
from mlnotes import grading
from mlnotes.grading.assignment.parts import load

with grading.Sandbox("limits") as sandbox:
    assignment = load({file!r})
    assert grading.audit(assignment, sandbox=sandbox).sound
summary = grading.grade_folder({file!r}, {submissions!r}, {out!r}, sandbox="limits")
print([row[:3] for row in summary.rows])
"""


def test_grading_needs_no_topic_no_homework_and_no_mistakes(tmp_path):
    """An instructor of another course has claims and an assignment in one file of theirs."""
    (tmp_path / "in").mkdir()
    (tmp_path / "mean.py").write_text(text("tests/other_course.py"))
    (tmp_path / "in" / "ada.py").write_text("def mean(x):\n    return sum(x) / len(x)\n")
    (tmp_path / "in" / "bob.py").write_text("def mean(x):\n    return sum(x) / (len(x) + 1)\n")
    code = ALONE.format(
        allowed=("mlnotes.grading", "mlnotes.claims", "mlnotes.checking"), file=str(tmp_path / "mean.py"),
        submissions=str(tmp_path / "in"), out=str(tmp_path / "out"),
    )  # fmt: skip
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout == "[['ada', '1', '1'], ['bob', '0', '0']]\n", run.stderr
    feedback = (tmp_path / "out" / "feedback" / "bob.txt").read_text()
    assert "All your answers are those of one mistake: Divides by n + 1." in feedback


@pytest.mark.parametrize("lock", LOCKS, ids=name)
def test_every_locked_requirement_is_pinned_and_hashed(lock):
    uncommented = re.sub(r"^\s*#.*\n", "", lock.read_text("utf-8"), flags=re.MULTILINE)
    entries = uncommented.replace("\\\n", " ").splitlines()
    assert len(entries) > 10
    pinned = re.compile(r"[a-z0-9-]+==\S+ .*--hash=sha256:[0-9a-f]{64}")
    assert [entry for entry in entries if not pinned.match(entry)] == []


def test_one_version_everywhere():
    assert f"\nversion: {mlnotes.__version__}\n" in text("CITATION.cff")
    assert 'dynamic = ["version", ' in text("pyproject.toml")
    assert 'path = "mlnotes/__init__.py"' in text("pyproject.toml")


def make(*arguments: str, **variables: str) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return subprocess.run(
        ["make", *arguments], cwd=ROOT, env={**clean, **variables}, capture_output=True, text=True
    )


def targets() -> set[str]:
    return set(re.findall(r"^make ([a-z-]+)", make("help").stdout, re.MULTILINE))


def mlnotes_command(*arguments: str) -> subprocess.CompletedProcess:
    code = "import sys; from mlnotes.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *arguments], capture_output=True, text=True
    )


def blocks(language: str) -> list[str]:
    """The fenced blocks of the README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text("README.md"), re.MULTILINE | re.DOTALL)


@pytest.mark.needs("make")
def test_readme_names_only_targets_and_commands_that_exist():
    assert set(re.findall(r"(?:^|`)make ([a-z]+)", text("README.md"), re.MULTILINE)) <= targets()
    commands = set(re.findall(r"^\$? ?mlnotes ([a-z]+)", text("README.md"), re.MULTILINE))
    usage = mlnotes_command("--help").stdout
    assert {"verify", "grade"} <= commands
    assert [c for c in commands if not re.search(rf"^ +{c}  ", usage, re.MULTILINE)] == []


def test_readme_shows_what_the_command_prints(tmp_path):
    (source,), (session,) = blocks("python"), blocks("console")
    assert source in text("mlnotes/perceptron.py")
    assert session.startswith("$ sed 's/<= 0/< 0/' mlnotes/perceptron.py > mine.py\n")
    (tmp_path / "mine.py").write_text(text("mlnotes/perceptron.py").replace("<= 0", "< 0"))
    for run in session.split("$ mlnotes ")[1:]:
        command, _, shown = run.partition("\n")
        arguments = command.replace("mine.py", str(tmp_path / "mine.py")).split()
        printed = timeless(mlnotes_command(*arguments).stdout).splitlines()
        expected = [line.removesuffix(" ...") for line in timeless(shown).splitlines()]
        assert [have[: len(want)] for have, want in zip(printed, expected, strict=True)] == expected


def timeless(output: str) -> str:
    return re.sub(r" +\d+\.\d+ (m?s)\b|\(\d+\.\d+ s\)", r" T \1", output)


@pytest.mark.needs("make")
def test_help_lists_every_target():
    phony = re.search(r"^\.PHONY: (.+)$", text("Makefile"), re.MULTILINE)[1]
    assert targets() == set(phony.split())


@pytest.mark.needs("make")
@pytest.mark.parametrize(("flags", "all_of_them"), [((), False), (("-B",), True), (("-s",), False)])
def test_forced_make_draws_all_figures(flags, all_of_them):
    commands = make("--dry-run", *flags, "figures").stdout
    assert "mlnotes figures" in commands
    assert ("mlnotes figures --all" in commands) == all_of_them


@pytest.mark.needs("make")
def test_without_a_python_make_says_what_installs_it(tmp_path):
    for tool in ("bash", "make"):
        (tmp_path / tool).symlink_to(shutil.which(tool))
    run = subprocess.run(
        ["make", "-f", ROOT / "Makefile", "VENV=nowhere", "nowhere/bin/python"],
        cwd=tmp_path, env={"PATH": str(tmp_path)}, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 2
    assert "mlnotes needs Python 3.10 or newer with venv. This installs it: " in run.stderr


@pytest.mark.parametrize(("in_ci", "outcome"), [("0", "skipped=1"), ("1", "error=1")])
def test_a_missing_tool_is_skipped_here_and_fails_in_ci(tmp_path, in_ci, outcome):
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = needs(tool)\n")
    (tmp_path / "test_it.py").write_text(
        "import pytest\n\n@pytest.mark.needs('no-such-tool')\ndef test_it(): ...\n"
    )
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", tmp_path],
        cwd=tmp_path, env={**os.environ, "MLNOTES_CI": in_ci}, capture_output=True, text=True,
    )  # fmt: skip
    verdict, count = outcome.split("=")
    assert f"{count} {verdict}" in run.stdout
    assert "no-such-tool is not installed" in run.stdout
