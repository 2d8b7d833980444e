"""What a stranger downloads: the wheel and the source archive, their addresses and their types."""

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import mlnotes
from hatch_build import absolute, urls

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ADDRESSES = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("*.cff"), *ROOT.glob(".github/**/*.*"), *ROOT.glob("book/text/*.md"),
         *ROOT.glob("lectures/**/*.md"), *ROOT.glob("recipe/*")]  # fmt: skip
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)")
HERE = "https://host.test/mlnotes"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the built wheel and source archive."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", folder], cwd=ROOT, check=True)
    return folder


def metadata(folder: Path) -> str:
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return archive.read(name).decode()


def test_the_source_archive_is_small_and_has_no_tests(built):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = opened.getnames()
    base = f"mlnotes-{mlnotes.__version__}"
    assert archive.stat().st_size < 4e6
    wanted = {
        "pyproject.toml",
        "hatch_build.py",
        "README.md",
        "LICENSE",
        "mlnotes/py.typed",
        "mlnotes/cli/__init__.py",
    }
    assert {f"{base}/{name}" for name in wanted} <= set(names)
    assert [n for n in names if re.search(r"submissions/|attack|gallery/|test_", n)] == []


def test_the_wheel_has_types_data_and_nothing_beside_the_package(built):
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"mlnotes/py.typed", "mlnotes/__init__.py"} <= set(names)
    assert {name.split("/")[0] for name in names} == {"mlnotes", f"mlnotes-{mlnotes.__version__}.dist-info"}
    assert any(name.endswith("datasets/data/iris.npz") for name in names)


def test_the_metadata_hold_the_addresses_of_the_table_alone(built):
    said = metadata(built)
    listed = dict(line.split(", ", 1) for line in re.findall(r"^Project-URL: (.+)$", said, re.MULTILINE))
    assert listed == urls(**{key: ADDRESSES[key] for key in ("repository", "site")})
    assert "Description-Content-Type: text/markdown" in said
    assert absolute((ROOT / "README.md").read_text("utf-8"), ADDRESSES["repository"]).strip() in said


def test_package_index_gets_absolute_links():
    text = (ROOT / "README.md").read_text("utf-8")
    shown = absolute(text, HERE)
    assert LINK.findall(text)
    assert LINK.findall(shown) == []
    assert f"]({HERE}/raw/main/figures/gallery/course-theorems.png)" in shown
    assert f"]({HERE}/blob/main/lectures/README.md)" in shown
    assert absolute(text, "") == text


def test_no_address_without_a_repository():
    assert urls("", "") == {}
    assert urls(HERE, "") == {
        "Repository": HERE,
        "Issues": f"{HERE}/issues",
        "Changelog": f"{HERE}/blob/main/CHANGELOG.md",
    }
    assert urls("", HERE) == {"Documentation": HERE}


def test_pages_use_only_the_configured_addresses():
    known = tuple(address for address in (ADDRESSES["repository"], ADDRESSES["site"]) if address)
    for page in PAGES:
        called = re.findall(r"https?://[^\s)>\"'`]*mlnotes[^\s)>\"'`]*", page.read_text("utf-8"))
        assert [address for address in called if not address.startswith(known or ("nowhere",))] == [], page
    cited = re.findall(
        r"^(?:repository-code|url): (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE
    )
    assert cited == list(known)


@pytest.mark.parametrize(
    "page", [p for p in PAGES if p.suffix == ".md"], ids=lambda p: p.relative_to(ROOT).as_posix()
)
def test_relative_links_lead_to_files(page):
    base = ROOT if page.parent.name == ".github" else page.parent
    if page.parent.name == "text":  # a page of the book: `python -m book` checks the links of the site
        return
    assert [link for link in LINK.findall(page.read_text("utf-8")) if not (base / link).exists()] == []


def test_the_recipe_and_the_changelog_know_the_version():
    assert f'version: "{mlnotes.__version__}"' in (ROOT / "recipe/recipe.yaml").read_text("utf-8")
    newest, *before = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    dated = r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d"
    assert newest.startswith(f"[{mlnotes.__version__}] - ")
    assert re.fullmatch(f"{dated}|.* - not released yet", newest)
    assert [section for section in before if not re.fullmatch(dated, section)] == []


def test_the_recipe_needs_and_offers_what_the_package_does():
    recipe = (ROOT / "recipe/recipe.yaml").read_text("utf-8")
    build, run = (re.search(rf"  {kind}:\n((?: +- .*\n)+)", recipe)[1] for kind in ("host", "run"))
    spaced = [re.sub(r"(?=[<>=])", " ", need, count=1) for need in PROJECT["project"]["dependencies"]]
    assert re.findall(r"- (?!python)(.+)", run) == spaced
    assert re.findall(r"- (?!python|pip$)(.+)", build, re.MULTILINE) == PROJECT["build-system"]["requires"]
    ((command, place),) = PROJECT["project"]["scripts"].items()
    assert f"- {command} = {place}\n" in recipe
    assert f"summary: {PROJECT['project']['description']}\n" in recipe
    assert f"license: {PROJECT['project']['license']}\n" in recipe


FORMS = {
    "github-workflows": ".github/workflows/*.yml",
    "github-issue-forms": ".github/ISSUE_TEMPLATE/[!c]*.yml",
    "github-issue-config": ".github/ISSUE_TEMPLATE/config.yml",
    "dependabot": ".github/dependabot.yml",
    "readthedocs": ".readthedocs.yaml",
    "citation-file-format": "CITATION.cff",
}


@pytest.mark.parametrize("form", FORMS)
def test_configuration_files_match_their_schemas(form):
    files = sorted(ROOT.glob(FORMS[form]))
    assert files
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{form}", *files]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


@pytest.mark.needs("make")
def test_workflows_and_guides_name_only_targets_and_files_that_exist():
    said = "\n".join(
        page.read_text("utf-8")
        for page in [*PAGES, *ROOT.glob(".devcontainer/*"), ROOT / ".readthedocs.yaml"]
    )
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets = set(re.findall(r"^make ([a-z]+)", listed, re.MULTILINE))
    called = re.findall(r"(?:^|[`:]|run: |- )\s*make (?:-j2 )?([a-z]+)", said, re.MULTILINE)
    assert {"book", "dist", "matrix"} <= set(called)
    assert set(called) <= targets
    files = set(re.findall(r"\b(?:requirements|tests|benchmarks|\.ci)/[\w/]+(?:\.\w+)?", said))
    assert [file for file in files if not (ROOT / file).exists()] == []


PROGRAM = """\
import numpy as np

from mlnotes import PCA, SVC, show

X = np.random.default_rng(0).normal(size=(40, 3))
model: SVC = SVC(C=2.0).fit(X, X[:, 0] > 0)
plane: np.ndarray = PCA(n_components=2).fit_transform(X)
gap: float = model.certificate_["gap"]
frames: PCA = PCA().set_output(transform="pandas")
show.decision_regions(model, X[:, :2], model.predict(X))
model.fit(X, [0, 1], sample_wieght=[1])
"""


def test_type_checker_finds_a_misspelled_argument(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", "program.py"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert re.findall(r"program.py:(\d+): error: .*", run.stdout) == ["11"], run.stdout + run.stderr
    assert "sample_wieght" in run.stdout


def test_what_type_checkers_see_of_pictures_is_what_loads():
    text = (ROOT / "mlnotes/show/__init__.py").read_text("utf-8")
    pairs = re.findall(r"from mlnotes\.show\.(\w+) import (\w+) as \2", text)
    assert {name: module for module, name in pairs} == mlnotes.show._FUNCTIONS


def test_what_type_checkers_see_is_what_loads():
    text = (ROOT / "mlnotes/__init__.py").read_text("utf-8")
    pairs = re.findall(r"from mlnotes\.estimators\.(\w+) import (\w+) as \2", text)
    assert {name: module for module, name in pairs} == mlnotes.ESTIMATORS


PICTURES = "Pictures need Matplotlib: pip install 'mlnotes[lectures]'"
LACKING = {
    "from mlnotes.show import plots": PICTURES,
    "from mlnotes.show import slider": PICTURES,
    "import mlnotes.show.diagrams": PICTURES,
    "figures": f"mlnotes figures: {PICTURES}",
    "grade hw01 . --format html": "mlnotes grade: --format html needs the package jinja2: "
    "pip install 'mlnotes[grade]'",
    "grade hw01 . --dask tcp://localhost:1": "mlnotes grade: --dask needs the package distributed: "
    "pip install 'mlnotes[dask]'",
}


@pytest.mark.parametrize("asked", LACKING)
def test_missing_extra_is_reported_before_any_work(tmp_path, asked):
    shutil.copy(ROOT / "mlnotes/mistakes/homework/hw01/solution.py", tmp_path / "ada.py")
    call = asked if "import" in asked else f"from mlnotes.cli import main; sys.exit(main({asked.split()}))"
    extras = dict.fromkeys(("matplotlib", "PIL", "jinja2", "markupsafe", "distributed", "rich"))
    program = f"import sys; sys.modules.update({extras}); {call}"
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode
    last = run.stderr.strip().splitlines()[-1]
    assert last.removeprefix("ModuleNotFoundError: ") == LACKING[asked]
    assert ("Traceback" in run.stderr) == ("import" in asked)
    assert [path.name for path in tmp_path.iterdir()] == ["ada.py"]
