"""What the course holds: lectures, claims with their verdicts, figures, assignments, and who uses what."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mlnotes import claims, homework
from mlnotes.checking import Claim
from mlnotes.homework import Assignment, Part
from mlnotes.show import gallery

ROOT = Path(__file__).resolve().parents[1]
PRINTED = ROOT / "build/pdf/mlnotes.pdf"  # the course as one file, if `make pdf` was run


def slug(text: str) -> str:
    """Return a text as a label: lower-case letters and digits joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def words(name: str, **counted: object) -> str:
    """Return a text of ``book/text`` with what was counted put in."""
    return (ROOT / f"book/text/{name}.md").read_text("utf-8").format(**counted)


@dataclass(frozen=True)
class Lecture:
    """One executed notebook: a lecture, or the rest of its mathematics.

    Attributes
    ----------
    name : str
        Of the file under ``lectures``, without ending: ``"01_bayes"`` or ``"deeper/01_bayes"``.
    cells : list of dict
        Of the executed notebook, with outputs.
    """

    name: str
    cells: list[dict[str, Any]]

    @property
    def number(self) -> int:
        """Its place in the course."""
        return int(self.name.removeprefix(DEEPER)[:2])

    @property
    def topic(self) -> str:
        """The name of the module, such as ``"bayes"``."""
        return self.name.removeprefix(DEEPER)[3:]

    @property
    def is_deeper(self) -> bool:
        """Whether it is the notebook beside the lecture."""
        return self.name.startswith(DEEPER)

    @property
    def label(self) -> str:
        """What the labels of its sections begin with."""
        return f"{slug(self.topic)}-deeper" if self.is_deeper else slug(self.topic)

    @property
    def called(self) -> str:
        """How other pages refer to it: ``"Lecture 1"`` or ``"Companion 1"``."""
        return f"{'Companion' if self.is_deeper else 'Lecture'} {self.number}"

    @property
    def title(self) -> str:
        """The heading, without "Lecture 1:"."""
        heading = re.search(
            r"^# (?:(?:Lecture|Companion|Deeper) \d+: )?(.+)$", source(self.cells[0]), re.MULTILINE
        )
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


DEEPER = "deeper/"
SECTION = re.compile(r"^## (\d+) (.+)$", re.MULTILINE)
CAPTION = re.compile(r"\*(Figure \d+(?:\.\d+)?)\.")


def source(cell: Mapping[str, Any]) -> str:
    """Return the text of a cell."""
    return "".join(cell["source"])


def ids_of(cell: Mapping[str, Any]) -> list[str]:
    """Return the ids of the statements that a cell states or proves."""
    return cell["metadata"].get("mlnotes", {}).get("ids", [])


def notebooks(chosen: Sequence[str] = ()) -> list[str]:
    """Return the names of the lectures, each before its companion, all or those of the chosen numbers.

    Raises
    ------
    ValueError
        If no lecture has a chosen number.
    """
    folder = ROOT / "lectures"
    paths = [*folder.glob("[0-9]*.ipynb"), *folder.glob(f"{DEEPER}[0-9]*.ipynb")]
    names = sorted(
        (path.relative_to(folder).with_suffix("").as_posix() for path in paths),
        key=lambda name: (name.removeprefix(DEEPER), name.startswith(DEEPER)),
    )
    numbers = {name.removeprefix(DEEPER)[:2] for name in names}
    if unknown := [number for number in chosen if number not in numbers]:
        raise ValueError(f"there is no lecture {', '.join(unknown)}, only {', '.join(sorted(numbers))}")
    return [name for name in names if not chosen or name.removeprefix(DEEPER)[:2] in chosen]


class Course:
    """Everything that the pages of the book are made of, for all lectures or some of them.

    Parameters
    ----------
    executed : path
        The folder of the executed lectures.
    verdicts : path
        What ``mlnotes verify --json`` printed.
    chosen : sequence of str, default=()
        The numbers of the lectures, ``["01", "05"]``; none for all. Claims, homework, figures and curves of
        other topics are left out.

    Raises
    ------
    ValueError
        If a claim does not hold or was not verified, or there is no such lecture.
    """

    def __init__(self, executed: Path, verdicts: Path, chosen: Sequence[str] = ()) -> None:
        self.whole = not chosen
        self.lectures = [
            Lecture(name, json.loads((executed / f"{name}.ipynb").read_text("utf-8"))["cells"])
            for name in notebooks(chosen)
        ]
        self.taught = {lecture.topic for lecture in self.lectures}
        every = [claim for topic in claims.topics() for claim in claims.of(topic)]
        self.claims = {c.id: c for c in every if self.teaches(c.topic) or c.id in self.places}
        self.topics = list(dict.fromkeys(claim.topic for claim in self.claims.values()))
        self.verdicts: dict[str, list[dict[str, Any]]] = {}  # a record a side
        for record in json.loads(verdicts.read_text("utf-8")):
            self.verdicts.setdefault(record["id"], []).append(record)
        unproved = [
            claim.id
            for claim in self.claims.values()
            if claim.check and not all(r["holds"] for r in self.verdicts.get(claim.id, [{"holds": False}]))
        ]
        if unproved:
            raise ValueError(f"claims that do not hold or were not verified: {', '.join(unproved)}")
        self.assignments: list[Assignment] = [
            assignment
            for assignment in map(homework.load, homework.assignments())
            if self.whole or topics_of(assignment) <= self.taught
        ]
        self.gallery = {
            name: figure
            for name, figure in gallery.load(ROOT / "figures").items()
            if figure.topic == "course" or self.teaches(figure.topic)
        }
        measured = json.loads((ROOT / "benchmarks/results.json").read_text("utf-8"))
        self.races, self.growth = measured["defaults"], measured["growth"]
        self.growth["curves"] = [curve for curve in self.growth["curves"] if self.teaches(curve["topic"])]

    def teaches(self, topic: str) -> bool:
        """Return whether the book is the whole course, or has a lecture on the topic."""
        return self.whole or topic in self.taught

    def lecture_of(self, topic: str) -> Lecture | None:
        """Return the lecture on a topic, not its companion; None if it has none."""
        return next((lecture for lecture in self.lectures if lecture.topic == topic), None)

    def title_of(self, topic: str) -> str:
        """Return the name of a topic as a heading."""
        lecture = self.lecture_of(topic)
        return lecture.title if lecture else topic.capitalize().replace("_", " ")

    @cached_property
    def levels(self) -> dict[int, int]:
        """The levels of the lectures by their numbers, from the reading order."""
        listed = (ROOT / "lectures/README.md").read_text("utf-8")
        rows = re.findall(r"^\| (\d+) \|[^|]+\|[^|]+\| \d+ \| (\d) \|", listed, re.MULTILINE)
        return {int(number): int(level) for number, level in rows}

    @cached_property
    def places(self) -> dict[str, tuple[Lecture, str]]:
        """Where each statement stands: the lecture on its own topic before others, its companion last."""
        found: dict[str, tuple[Lecture, str]] = {}
        for lecture in self.lectures:
            for id, section in lecture.places.items():
                own = id.startswith(f"{lecture.topic}.")
                if id not in found or (own and found[id][0].topic != lecture.topic):
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
        """The kinds of the statements of the notes that the book covers, by their ids."""
        lines = (ROOT / "book/statements.txt").read_text("utf-8").splitlines()
        pairs = (line.split() for line in lines if not line.startswith("#"))
        return {id: kind for kind, id in pairs if self.whole or id in self.places}

    @cached_property
    def explained(self) -> dict[str, str]:
        """Why a statement has text and no check, from the reading order of the lectures."""
        listed = (ROOT / "lectures/README.md").read_text("utf-8")
        return dict(re.findall(r"^\| `([a-z_]+\.[\w.-]+)` \| [^|]+ \| ([^|]+?) \|$", listed, re.MULTILINE))

    def missing(self) -> list[str]:
        """Return the statements of the notes that no lecture contains."""
        return [id for id in self.statements if id not in self.places]


def topics_of(assignment: Assignment) -> set[str]:
    """Return the topics of the lectures that a homework names."""
    named = [assignment.lecture, *(claim.section for part in assignment.parts for claim in part.claims)]
    return set(re.findall(r"lectures/(?:deeper/)?\d\d_(\w+)\.ipynb", " ".join(named)))


def code_of(claim: Claim) -> str:
    """Return the source of a claim's check."""
    assert claim.check
    return inspect.getsource(inspect.unwrap(claim.check))
