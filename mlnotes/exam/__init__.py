"""Exams: a sheet with numbers of its own for each student, a key for the instructor, graded like homework.

A sheet follows from the secret, the seed and the student's id, whoever else is in the class. All questions
are public; who has no secret cannot tell which numbers come.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mlnotes.exam.bank import QUESTIONS
from mlnotes.exam.questions import Instance, Question, generator
from mlnotes.grading.assignment.parts import EXAM, Assignment, Mutant

RULES = (
    "Use at least five digits in intermediate results and round to three decimals; give integers where "
    "requested. An answer counts if it is within 0.001 of the right one. $\\ln$ is the natural logarithm; "
    "$(a, b)$ is a vector."
)


@dataclass(frozen=True)
class Exam:
    """An exam of a class.

    Parameters
    ----------
    secret : bytes
        With the seed and a student's id it determines the sheet.
    seed : int
        Another one for another exam of the same class.
    lectures : tuple of int
        Numbers of lectures that have questions.
    each : int, default 3
        How many questions a lecture gives, the same for all students; 1 to 3.
    students : mapping of str to str
        Names by ids.
    title : str, optional
    digests : mapping of str to str, optional
        :meth:`digest` of each sheet that was handed out: no other one is graded.

    Raises
    ------
    ValueError
        If the secret is short, there is no such lecture, one is named twice, or nobody takes the exam.
    """

    secret: bytes
    seed: int
    lectures: tuple[int, ...]
    students: Mapping[str, str]
    each: int = 3
    title: str = ""
    digests: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.secret) < 16:
            raise ValueError(
                f"the secret must have at least 16 bytes, else it is guessed; got {len(self.secret)}"
            )
        known = sorted({question.lecture for question in QUESTIONS})
        if unknown := [number for number in self.lectures if number not in known]:
            raise ValueError(
                f"there are questions on the lectures {', '.join(map(str, known))}; "
                f"got {', '.join(map(str, unknown))}"
            )
        if not self.lectures or len(set(self.lectures)) < len(self.lectures):
            raise ValueError(f"lectures must name at least one lecture, and none twice, got {self.lectures}")
        if not 1 <= self.each <= 3:
            raise ValueError(f"each must be 1, 2 or 3 questions a lecture, got {self.each}")
        if not self.students:
            raise ValueError("the roster lists no students")

    @property
    def heading(self) -> str:
        """The title of the sheets."""
        *others, last = map(str, sorted(self.lectures))
        listed = f"lectures {', '.join(others)} and {last}" if others else f"lecture {last}"
        return self.title or f"Exam on {listed}"

    @cached_property
    def questions(self) -> list[Question]:
        """The questions, by lecture; of a lecture with more of them the secret picks."""

        def rank(item: Question) -> bytes:
            return hmac.new(self.secret, f"{self.seed}\0{item.name}".encode(), hashlib.sha256).digest()

        questions = []
        for number in sorted(self.lectures):
            pool = [item for item in QUESTIONS if item.lecture == number]
            chosen = sorted(pool, key=rank)[: self.each]
            questions += [item for item in pool if item in chosen]
        return questions

    def sheet(self, student: str) -> list[Instance]:
        """Return the questions with the numbers of one student."""
        return [q.instance(generator(self.secret, self.seed, student, q.name)) for q in self.questions]

    def digest(self, student: str) -> str:
        """Return a hash of what a sheet asks: the same as long as the same questions are drawn."""
        return hashlib.sha256("\n".join(item.text for item in self.sheet(student)).encode()).hexdigest()[:16]

    def assignment(self) -> Assignment:
        """Return the exam for the grader; its own parts are a sheet that no student has, solved."""
        sheet = self.sheet("")
        right, wrong = (
            "\n\n".join(
                f"def answer_{n}():\n    return {a.tolist()}\n" for n, a in enumerate(answers, start=1)
            )
            for answers in ([item.answer for item in sheet], [item.wrong for item in sheet])
        )
        parts = tuple(f"q{n}" for n, _ in enumerate(sheet, start=1))
        slips = (Mutant("slips", wrong, parts, "The usual slip in every question."),)
        return self._assigned("", sheets=self._of, solution=right, mutants=slips)

    def _of(self, student: str) -> Assignment:
        if student not in self.students:
            raise LookupError(f"there is no sheet for {student}: files are called as the ids of the roster")
        if self.digests and self.digests.get(student) != self.digest(student):
            raise LookupError(
                f"the sheet of {student} cannot be drawn again: "
                "another version of mlnotes or NumPy wrote it; grade with that one"
            )
        return self._assigned(student)

    def _assigned(self, student: str, **more: object) -> Assignment:
        parts = tuple(item.part(number) for number, item in enumerate(self.sheet(student), start=1))
        version = hmac.new(self.secret, b"version", hashlib.sha256).hexdigest()[:8]
        return Assignment(f"{EXAM}{self.seed}", self.heading, parts, version, intro=RULES, **more)  # type: ignore[arg-type]
