"""What Gradescope and PrairieLearn run: a bundle is made here, and grades there without a network.

Gradescope gets ``autograder.zip``: mlnotes, the assignment, and the staged folder of this machine with its
Python, its C library and NumPy. So a grade is the same there as here, whatever the image holds; it must be a
Linux of the same processor. PrairieLearn gets a question folder, which travels with every submission and must
stay small: mlnotes and the assignment, for the Python (3.10 or newer) and NumPy (1.26 or newer) of the image
``prairielearn/grader-python``.

Both platforms run it as root in a container in which bubblewrap usually cannot work. A student's code then
runs at the best level that :class:`mlnotes.grading.sandbox.levels.Sandbox` finds there; where there is none,
nothing is graded, and the result says why.

References
----------
Gradescope, "Autograder specifications" and "Base images" (gradescope-autograders.readthedocs.io).
PrairieLearn, "External grading" and the element ``pl-file-upload`` (docs.prairielearn.com).
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
import tempfile
import uuid
import zipfile
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from mlnotes.grading.assignment.handouts import handout_text
from mlnotes.grading.assignment.parts import Assignment, load, split_variant
from mlnotes.grading.cohort.gradebooks import per_student
from mlnotes.grading.cohort.submissions import handed_in
from mlnotes.grading.engine import grade_submission, not_run, refused
from mlnotes.grading.feedback.output_files import write_atomically
from mlnotes.grading.protocol.session import SUBMISSION_SECONDS
from mlnotes.grading.protocol.sources import SubmissionError
from mlnotes.grading.results import GRADER, Result
from mlnotes.grading.sandbox.levels import Sandbox
from mlnotes.grading.sandbox.process import SandboxError
from mlnotes.grading.sandbox.staging import Stage, stage

KINDS = {"gradescope": "submission", "prairielearn": "student"}  # and where a submission lies
IMAGE = "prairielearn/grader-python"
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "show")
_NAMESPACE = uuid.UUID("5a0f3c1e-9f0b-5d6a-8a3e-6d6c6e6f7465")
_DATE = (2024, 1, 1, 0, 0, 0)  # of every file in a zip, which is the same for the same content

_SETUP = """#!/bin/sh
# Runs once, when the image is built. Nothing is downloaded: Python and NumPy are in runtime.
set -eu
source=${AUTOGRADER:-/autograder}/source
chmod -R a+rX,go-w "$source/runtime"
chmod a+rx "$source/runtime/python/bin/"* "$source/runtime/lib/"ld-*
%(python)s -m compileall -q "$source/runtime/python/lib" "$source/runtime/packages" "$source/grader"
chmod -R go-rwx "$source/grader"
%(python)s "$source/grader/run.py" --version
"""
_RUN_GRADESCOPE = """#!/bin/sh
root=${AUTOGRADER:-/autograder}
source=$root/source
umask 022
exec %(python)s "$source/grader/run.py" "$root"
"""
_RUN_PRAIRIELEARN = """#!/bin/sh
# Runs for every submission, in a container without a network.
root=${GRADE:-/grade}
umask 022
chmod -R go-rwx "$root/tests" "$root/student"
mkdir -p "$root/results"
python3 -I "$root/tests/grader/run.py" "$root"
exit 0
"""
_START = '''"""Start the grader that lies beside this file."""

import json
import os
import sys
import traceback
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path[:0] = [str(here), *(str(p) for p in [here.parent / "runtime" / "packages"] if p.is_dir())]
sys.dont_write_bytecode = True
try:
    from mlnotes.grading.sandbox.clocks import ONE_THREAD

    os.environ.update(ONE_THREAD)
    import numpy

    if sys.version_info < (3, 10) or tuple(map(int, numpy.__version__.split(".")[:2])) < (1, 26):
        raise ImportError("the image must have Python 3.10 and NumPy 1.26, or newer")
    from mlnotes.grading.cohort import bundles

    sys.exit(bundles.main(here, sys.argv[1]))
except Exception:
    traceback.print_exc()
    if sys.argv[1] != "--version":
        results = Path(sys.argv[1], "results")
        results.mkdir(exist_ok=True)
        words = "The grader could not start, so that nothing is graded. Please tell your instructor."
        record = {"gradable": False, "message": words, "output": words}
        (results / "results.json").write_text(json.dumps(record))
    sys.exit(1)
'''


def bundle(kind: str, reference: str, out: Path, *, secret: bytes, sandbox: str = "auto") -> Path:
    """Write what a platform, "gradescope" or "prairielearn", runs; return the zip or the folder in `out`.

    `reference` is an id such as ``"hw01"`` or the path of an instructor's one file. `secret` determines the
    instances, as in a class run; it is in the bundle, where students cannot read it.
    """
    if kind not in KINDS:
        raise ValueError(f"bundle must be one of {', '.join(KINDS)}, got {kind!r}")
    assignment = load(reference)
    if assignment.sheets:
        raise ValueError("an exam cannot be bundled: the bundle would hold every student's key")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        settings: dict[str, Any] = {"kind": kind, "sandbox": sandbox}
        if kind == "gradescope":
            settings |= _runtime(folder / "runtime", assignment.packages)
            _write_grader(folder / "grader", reference, secret, settings)
            return _gradescope(folder, out, settings["command"])
        _write_grader(folder / "tests" / "grader", reference, secret, settings)
        return _prairielearn(folder, out / assignment.id, assignment)


def _write_grader(folder: Path, reference: str, secret: bytes, settings: Mapping[str, Any]) -> None:
    package = Path(__file__).parents[2]
    shutil.copytree(package, folder / package.name, ignore=_LEFT_OUT)
    name, variant = split_variant(reference)
    if Path(name).is_file():
        shutil.copyfile(name, folder / "assignment.py")
        reference = f"assignment.py{variant}"
    (folder / "run.py").write_text(_START)
    (folder / "bundle.json").write_text(json.dumps({"assignment": reference, **settings}, indent=1) + "\n")
    (folder / "secret.key").write_bytes(secret)


def _runtime(folder: Path, packages: tuple[str, ...]) -> dict[str, Any]:
    """Stage this machine's Python, NumPy and `packages`; return how they start, relative to `folder`."""
    if platform.system() != "Linux":
        raise ValueError("a bundle for Gradescope holds this machine's Python: make it on a Linux machine")
    folder.mkdir()
    return {"command": stage(folder, interpreter=True, packages=packages).at(".").command}


def _gradescope(folder: Path, out: Path, command: tuple[str, ...]) -> Path:
    words = [word.replace("./", "$source/runtime/", 1) for word in command[:-1]]
    python = " ".join(f'"{word}"' if "$" in word else word for word in words)
    (folder / "setup.sh").write_text(_SETUP % {"python": python})
    (folder / "run_autograder").write_text(_RUN_GRADESCOPE % {"python": python})
    for name in ("setup.sh", "run_autograder"):
        (folder / name).chmod(0o755)
    target = out / "autograder.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _files(folder):
            item = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _DATE)
            item.compress_type = zipfile.ZIP_DEFLATED
            item.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            archive.writestr(item, path.read_bytes())
    target.chmod(0o600)
    return target


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a bundle, without byte code but the worker's: the rest is compiled over there."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and (path.suffix != ".pyc" or path.parent == folder / "runtime"):
            yield path


def _prairielearn(folder: Path, target: Path, assignment: Assignment) -> Path:
    run = folder / "tests" / "run.sh"
    run.write_text(_RUN_PRAIRIELEARN)
    run.chmod(0o755)
    name = f"{assignment.id}.ipynb"
    (folder / "clientFilesQuestion").mkdir()
    (folder / "clientFilesQuestion" / name).write_text(handout_text(assignment), encoding="utf-8")
    (folder / "info.json").write_text(json.dumps(_info(assignment), indent=4) + "\n")
    (folder / "question.html").write_text(_question(assignment, name), encoding="utf-8")
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(folder, target)
    return target


def _info(assignment: Assignment) -> dict[str, Any]:
    return {
        "uuid": str(uuid.uuid5(_NAMESPACE, f"{assignment.id} {assignment.version}")),
        "title": assignment.title,
        "topic": "Homework",
        "type": "v3",
        "singleVariant": True,
        "gradingMethod": "External",
        "externalGradingOptions": {
            "enabled": True,
            "image": IMAGE,
            "entrypoint": "/grade/tests/run.sh",
            "timeout": min(600, int(SUBMISSION_SECONDS) + 60),
            "enableNetworking": False,
        },
    }


def _question(assignment: Assignment, name: str) -> str:
    points = "".join(
        f"    <li><code>{escape(p.name)}</code>, {p.points:g} points</li>\n" for p in assignment.parts
    )
    page = f"""<pl-question-panel>
  <p>{escape(assignment.title)}: write what <pl-file-download file-name="{name}"></pl-file-download> asks for,
  and hand in the notebook, or a script with the same names.</p>
  <ul>
{points}  </ul>
  <pl-file-upload file-patterns="*.[ip][py]*"></pl-file-upload>
</pl-question-panel>
<pl-submission-panel>
  <pl-external-grader-results></pl-external-grader-results>
  <pl-file-preview></pl-file-preview>
</pl-submission-panel>
"""
    return page.replace("{{", "{ {")  # it is a template over there


# ------------------------------------------------------------------- on the platform


def main(folder: Path, root: str) -> int:
    """Grade the one submission under `root`, such as /autograder, with the grader in `folder`.

    Writes ``results/results.json``. Returns 1 where the grader could not decide, else 0.
    """
    settings = json.loads((folder / "bundle.json").read_text())
    reference = settings["assignment"]
    assignment = load(str(folder / reference) if reference.startswith("assignment.py") else reference)
    if root == "--version":
        print(f"{assignment.id}, version {assignment.version}; Python {platform.python_version()}")
        return 0
    result = _graded(assignment, folder, settings, Path(root, KINDS[settings["kind"]]))
    results = Path(root, "results")
    results.mkdir(exist_ok=True)
    write_atomically(results / "results.json", per_student(settings["kind"], result))
    print(f"{result.status}, sandbox: {result.sandbox}")
    return 0 if result.earned is not None else 1


def _graded(assignment: Assignment, folder: Path, settings: Mapping[str, Any], place: Path) -> Result:
    runtime = None
    if "command" in settings:
        here = folder.parent / "runtime"
        runtime = Stage(Path("."), tuple(settings["command"])).at(str(here))
    try:
        with Sandbox(settings["sandbox"], runtime=runtime, packages=assignment.packages) as sandbox:
            item = handed_in(place, prefer=assignment.id)
            if item.path is None:
                error = SubmissionError(item.problem)
                return refused(assignment, "submission", "", sandbox.name, error)
            secret = (folder / "secret.key").read_bytes()
            return grade_submission(
                assignment, item.path, secret=secret, sandbox=sandbox, student="submission"
            )
    except SandboxError as error:
        print(error, file=sys.stderr)
        words = "no sandbox works in this container, so that nothing is graded; please tell your instructor"
        return not_run(GRADER, assignment, "submission", "", "none", words)
