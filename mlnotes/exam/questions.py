r"""What a question of an exam is: a text with numbers drawn for one student, its answer, and a usual slip.

A question is a function of ``rng`` that returns what it drew. Its docstring has three paragraphs: what is
asked, the worked way, and the mistake that is made most often; «name» stands for a value::

    @question("evaluation", "6")
    def brier(rng):
        r'''The forecasts were $p = «p»$, the outcomes $y = «y»$. What is the Brier score?

        The mean of $(p_i - y_i)^2$.

        Takes $|p_i - y_i|$ without the square.'''
        p, y = ...
        return {"p": p, "y": y, "answer": ev.brier_score(y, p), "slip": abs(p - y).mean()}
"""

from __future__ import annotations

import hashlib
import hmac
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlnotes import LECTURES
from mlnotes.checking import Claim, Evidence, at_least, equal
from mlnotes.grading.assignment.parts import Function, Part, Value

DECIMALS = 1e-3  # a number rounded or cut to three decimals is no further from it
MOST = 1000.0  # the largest answer, in absolute value
_TRIES = 1_000


@dataclass(frozen=True)
class Instance:
    """A question with its numbers.

    Attributes
    ----------
    question : Question
    text, way, slip : str
        Markdown: the question, the worked solution, the most common mistake.
    answer, wrong : ndarray
        The right answer and that of the slip.
    accepts : callable or None
        By how much an answer is right, at least 0; where there are several right ones.
    drawn : mapping
        What the question drew.
    """

    question: Question
    text: str
    way: str
    slip: str
    answer: np.ndarray
    wrong: np.ndarray
    accepts: Callable[[np.ndarray], float] | None
    drawn: Mapping[str, Any]

    @property
    def tolerance(self) -> float:
        """How far an answer may be from the right one: not at all for whole numbers."""
        return 0.0 if self.answer.dtype.kind in "iu" else DECIMALS + 1e-9

    @property
    def form(self) -> str:
        """The kind of answer that is expected, in words."""
        kind = "whole number" if self.answer.dtype.kind in "iu" else "number"
        count = ("one", "two", "three", "four")[max(self.answer.size, 1) - 1]
        places = ", to three decimals" if kind == "number" and self.accepts is None else ""
        return f"{count} {kind}{'s' * (self.answer.size > 1)}{places}"

    def judge(self, given: Any) -> Evidence:
        """Return whether an answer is right."""
        value = np.asarray(given, dtype=float)
        if self.accepts is not None:
            return at_least("what the answer achieves", float(self.accepts(value)), 0.0)
        slipped = bool((abs(value - self.wrong) <= DECIMALS).all())
        what = f"the answer, which is that of a usual slip: {self.slip}" if slipped else "the answer"
        return equal(what, value, self.answer.astype(float), self.tolerance)

    def part(self, number: int) -> Part:
        """Return it as the part ``q1``, ``q2``, ... of an assignment: ``answer_1()`` gives the answer."""

        def check(answer: Callable[[], Any]) -> Iterator[Evidence]:
            yield self.judge(answer())

        name = f"answer_{number}"
        doc = f"Return the answer to question {number}: {self.form}."
        claim = Claim(f"exam.q{number}", "homework", "The answer is right.", (), self.question.where, check)
        return Part(
            f"q{number}",
            points=2,
            question=self.text,
            claims=(claim,),
            writes=(Function(name, {}, Value("f", self.answer.shape), doc),),
            adapt=lambda student: {"answer": student[name]},
        )


@dataclass(frozen=True)
class Question:
    """A question without its numbers.

    Attributes
    ----------
    name, topic, section : str
        Its function, and where the lecture teaches it.
    draw : callable
        From a generator of random numbers to what the texts name, "answer" and "slip".
    """

    name: str
    topic: str
    section: str
    draw: Callable[[np.random.Generator], Mapping[str, Any]]

    @property
    def lecture(self) -> int:
        """The number of the lecture."""
        return LECTURES.index(self.topic) + 1

    @property
    def where(self) -> str:
        """The section to read."""
        return f"lectures/{self.lecture:02d}_{self.topic}.ipynb, section {self.section}"

    def instance(self, rng: np.random.Generator) -> Instance:
        """Draw numbers until the slip gives a wrong answer and the right one has a fair size.

        Raises
        ------
        RuntimeError
            If that does not happen in a thousand draws: a mistake of the question.
        """
        for _ in range(_TRIES):
            values = dict(self.draw(rng))
            text, way, slip = (_filled(part, values) for part in paragraphs(self.draw))
            answer, wrong = np.asarray(values["answer"]), np.asarray(values["slip"], dtype=float)
            instance = Instance(self, text, way, slip, answer, wrong, values.get("accepts"), values)
            if _fair(instance):
                return instance
        raise RuntimeError(f"the question {self.name} finds no fair numbers")


def _fair(instance: Instance) -> bool:
    answer = instance.answer.astype(float)
    if not np.isfinite(answer).all() or abs(answer).max() > MOST or abs(answer).max() < 10 * DECIMALS:
        return False
    if instance.accepts is not None:
        return instance.accepts(answer) >= 0 > instance.accepts(instance.wrong)
    return bool(abs(answer - instance.wrong).max() > 5 * DECIMALS)


def question(topic: str, section: str) -> Callable[[Callable[[np.random.Generator], Any]], Question]:
    """Make a :class:`Question` of a function that draws."""
    return lambda draw: Question(draw.__name__, topic, section, draw)


def paragraphs(draw: Callable[..., Any]) -> list[str]:
    """Return the question, the solution and the common mistake, from the docstring."""
    return [" ".join(part.split()) for part in (inspect.getdoc(draw) or "").split("\n\n")]


def _filled(text: str, values: Mapping[str, Any]) -> str:
    return re.sub("«(.+?)»", lambda place: tex(values[place[1]]), text)


def tex(value: Any) -> str:
    """Return a value in LaTeX: a number has five digits, a vector parentheses; a text stays as it is."""
    if isinstance(value, str):
        return value
    array = np.asarray(value)
    if array.ndim == 2:
        rows = r" \\ ".join(" & ".join(map(tex, row)) for row in array)
        return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"
    if array.ndim == 1:
        return "(" + ", ".join(map(tex, array)) + ")"
    return f"{array.item() + 0:.5g}"  # no -0


def generator(secret: bytes, seed: int, student: str, name: str) -> np.random.Generator:
    """Return where the numbers of one question for one student come from: nobody knows without the secret."""
    words = "\0".join((str(seed), student, name)).encode()
    return np.random.default_rng(int.from_bytes(hmac.new(secret, words, hashlib.sha256).digest(), "big"))
