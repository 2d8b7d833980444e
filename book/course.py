"""What the course holds: lectures, claims with their verdicts, figures, assignments, and who uses what."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mlnotes import claims, homework
from mlnotes.claims import Claim
from mlnotes.claims.core import LECTURES
from mlnotes.homework import Assignment, Part

ROOT = Path(__file__).resolve().parents[1]


def slug(text: str) -> str:
    """Return a text as a label: lower-case letters and digits joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def words(name: str, **counted: object) -> str:
    """Return a text of ``book/text`` with what was counted put in."""
    return (ROOT / f"book/text/{name}.md").read_text("utf-8").format(**counted)


@dataclass(frozen=True)
class Lecture:
    """One executed lecture notebook.

    Attributes
    ----------
    name : str
        Of the file, without ending: ``"01_bayes"``.
    cells : list of dict
        Of the executed notebook, with outputs.
    """

    name: str
    cells: list[dict[str, Any]]

    @property
    def number(self) -> int:
        """Its place in the course."""
        return int(self.name[:2])

    @property
    def topic(self) -> str:
        """The name of the module, such as ``"bayes"``."""
        return self.name[3:]

    @property
    def title(self) -> str:
        """The heading, without "Lecture 1:"."""
        heading = re.search(r"^# (?:Lecture \d+: )?(.+)$", source(self.cells[0]), re.MULTILINE)
        assert heading, f"lectures/{self.name}.ipynb does not begin with a heading"
        return heading[1]

    def walk(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each cell with the number of the section that it belongs to, "" before the first."""
        section = ""
        for cell in self.cells:
            if cell["cell_type"] == "markdown" and (found := SECTION.search(source(cell))):
                section = found[1]
            yield section, cell

    @cached_property
    def sections(self) -> dict[str, str]:
        """The titles of the sections by their numbers."""
        texts = [source(cell) for cell in self.cells if cell["cell_type"] == "markdown"]
        return {number: title for text in texts for number, title in SECTION.findall(text)}

    @cached_property
    def places(self) -> dict[str, str]:
        """The number of the section in which each id stands."""
        return {id: section for section, cell in self.walk() for id in ids_of(cell)}

    @cached_property
    def figures(self) -> dict[str, list[str]]:
        """The names of the figures that a caption names, by section: ``{"3": ["Figure 3.1"]}``."""
        found: dict[str, list[str]] = {}
        for section, cell in self.walk():
            if cell["cell_type"] == "markdown" and (caption := CAPTION.match(source(cell).strip())):
                found.setdefault(section, []).append(caption[1])
        return found


SECTION = re.compile(r"^## (\d+) (.+)$", re.MULTILINE)
CAPTION = re.compile(r"\*(Figure \d+(?:\.\d+)?)\.")


def source(cell: Mapping[str, Any]) -> str:
    """Return the text of a cell."""
    return "".join(cell["source"])


def ids_of(cell: Mapping[str, Any]) -> list[str]:
    """Return the ids of the statements that a cell states or proves."""
    return cell["metadata"].get("mlnotes", {}).get("ids", [])


class Course:
    """Everything that the pages of the book are made of.

    Parameters
    ----------
    executed : path
        The folder of the executed lectures.
    verdicts : path
        What ``mlnotes verify --json`` printed.

    Raises
    ------
    ValueError
        If a claim does not hold or was not verified.
    """

    def __init__(self, executed: Path, verdicts: Path) -> None:
        names = sorted(path.stem for path in (ROOT / "lectures").glob("*.ipynb"))
        self.lectures = [
            Lecture(name, json.loads((executed / f"{name}.ipynb").read_text("utf-8"))["cells"])
            for name in names
        ]
        self.topics = claims.topics()
        self.claims = {claim.id: claim for topic in self.topics for claim in claims.of(topic)}
        self.verdicts = {record["id"]: record for record in json.loads(verdicts.read_text("utf-8"))}
        unproved = [
            claim.id
            for claim in self.claims.values()
            if claim.check and not self.verdicts.get(claim.id, {}).get("holds")
        ]
        if unproved:
            raise ValueError(f"claims that do not hold or were not verified: {', '.join(unproved)}")
        self.assignments: list[Assignment] = [homework.load(id) for id in homework.assignments()]
        self.gallery = json.loads((ROOT / "figures/gallery/gallery.json").read_text("utf-8"))
        self.benchmarks = json.loads((ROOT / "benchmarks/results.json").read_text("utf-8"))

    def lecture_of(self, topic: str) -> Lecture | None:
        """Return the lecture on a topic; None if it has none."""
        return next((lecture for lecture in self.lectures if lecture.topic == topic), None)

    def title_of(self, topic: str) -> str:
        """Return the name of a topic as a heading."""
        lecture = self.lecture_of(topic)
        return lecture.title if lecture else topic.capitalize().replace("_", " ")

    @cached_property
    def places(self) -> dict[str, tuple[Lecture, str]]:
        """The lecture and section where each statement stands; its own topic's lecture before others."""
        found: dict[str, tuple[Lecture, str]] = {}
        for lecture in self.lectures:
            for id, section in lecture.places.items():
                if id not in found or id.startswith(f"{lecture.topic}."):
                    found[id] = lecture, section
        return found

    @cached_property
    def uses(self) -> dict[str, list[tuple[Assignment, Part]]]:
        """The parts of the homework that each claim decides."""
        found: dict[str, list[tuple[Assignment, Part]]] = {}
        for assignment in self.assignments:
            for part in assignment.parts:
                for claim in part.claims:
                    found.setdefault(claim.id, []).append((assignment, part))
        return found

    @cached_property
    def statements(self) -> dict[str, str]:
        """The kind of every statement of the notes, by its id."""
        lines = (ROOT / "book/statements.txt").read_text("utf-8").splitlines()
        pairs = (line.split() for line in lines if not line.startswith("#"))
        return {id: kind for kind, id in pairs}

    @cached_property
    def explained(self) -> dict[str, str]:
        """Why a statement has text and no check, from the reading order of the lectures."""
        listed = (ROOT / "lectures/README.md").read_text("utf-8")
        return dict(re.findall(r"^\| `([a-z_]+\.[\w.-]+)` \| [^|]+ \| ([^|]+?) \|$", listed, re.MULTILINE))

    def missing(self) -> list[str]:
        """Return the statements of the notes that no lecture contains, of topics that have a lecture."""
        taught = {lecture.topic for lecture in self.lectures}
        complete = taught >= set(LECTURES)
        return [
            id for id in self.statements
            if id not in self.places and (complete or id.partition(".")[0] in taught)
        ]  # fmt: skip


def line_of(claim: Claim) -> int:
    """Return the line of a topic's claims where the definition of `claim` names its id."""
    lines = (ROOT / f"mlnotes/claims/{claim.topic}.py").read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if f'"{claim.id}"' in line)


def code_files() -> list[Path]:
    """Return the modules whose code the book shows."""
    return sorted([*(ROOT / "mlnotes").rglob("*.py"), *(ROOT / "figures").glob("*.py")])
