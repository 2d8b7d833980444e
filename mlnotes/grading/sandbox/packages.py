"""Which files the packages are that an assignment allows besides NumPy, with those that they need.

Only files that a distribution lists as its own are staged, so that nothing else of the instructor's is there:
no other package, no notes of where it came from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

_NAME = re.compile(r"[\w.-]+")
_OURS = "mlnotes"
_STAGED_ANYHOW = "numpy"
_LEFT_OUT = {"test", "tests", "..", "bin"}
_NO_CODE = (".a", ".pyi", ".h", ".pth", ".opt-1.pyc", ".opt-2.pyc")
_RECORD = "METADATA"  # of a dist-info folder: name and version


def distributions(packages: tuple[str, ...]) -> list[metadata.Distribution]:
    """Return the distributions of packages, named as they are imported, and of all that they need but NumPy.

    A ValueError says that one is not installed as a package of its own, or is mlnotes or builds on it: that
    has the answers.
    """
    owners = metadata.packages_distributions()
    closure: dict[str, metadata.Distribution] = {}
    for package in packages:
        owner = _OURS if package == _OURS else next(iter(owners.get(package, ())), None)
        if owner is None:
            raise ValueError(
                f"the assignment allows the package {package!r}, which is not installed here: "
                f"pip install it, and give the name as it is imported"
            )
        _add(owner, closure)
        tops = {file.parts[0].partition(".")[0] for file in closure[_key(owner)].files or ()}
        if package not in tops and _key(package) != _STAGED_ANYHOW:
            raise ValueError(
                f"the package {package!r} is installed in place (-e), so that it cannot be staged: "
                "install it without -e"
            )
    return [item for name, item in sorted(closure.items()) if name != _STAGED_ANYHOW]


def _add(owner: str, closure: dict[str, metadata.Distribution]) -> None:
    name = _key(owner)
    if name in closure:
        return
    if name == _OURS:
        raise ValueError("mlnotes cannot be among the packages of an assignment: it has the answers")
    closure[name] = metadata.distribution(owner)
    for line in closure[name].requires or ():
        requirement, _, marker = line.partition(";")
        needed = _NAME.match(requirement)
        if needed is None or "extra" in marker:
            continue
        try:
            metadata.distribution(needed[0])
        except metadata.PackageNotFoundError:  # its marker is of another system or Python
            continue
        _add(needed[0], closure)


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def files(distribution: metadata.Distribution) -> Iterator[tuple[Path, str]]:
    """Yield the files to be staged: where each is, and its place below the folder of packages."""
    for file in distribution.files or ():
        folder = file.parts[0]
        if folder.endswith((".dist-info", ".egg-info")) and file.name != _RECORD:
            continue
        if _LEFT_OUT.isdisjoint(file.parts) and not file.name.endswith(_NO_CODE):
            path = Path(str(distribution.locate_file(file)))
            if path.is_file():
                yield path, file.as_posix()


def state(packages: tuple[str, ...]) -> str:
    """Return names and versions of all that is staged for the packages."""
    closure = distributions(packages) if packages else []
    return " ".join(f"{item.metadata['Name']} {item.version} {item.locate_file('')}" for item in closure)
