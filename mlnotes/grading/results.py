"""What grading finds: the verdicts, the result of a claim, of a part and of a submission."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a worker starts while NumPy is loaded
    import numpy as np

    from mlnotes.checking import Evidence

TIME = "TIME"
MEMORY = "MEMORY"
CRASH = "CRASH"
OUTPUT = "OUTPUT"
RAISES = "RAISES"
SHAPE = "WRONG SHAPE"
TYPE = "WRONG TYPE"
RANGE = "OUT OF RANGE"
NAN = "NOT A NUMBER"
MISSING = "NOT FOUND"
IMPORT = "IMPORT ERROR"
CLAIM = "CLAIM FAILS"
GRADER = "GRADER ERROR"
NEEDS = "NEEDS YOU"  # the instructor: something that no machine decides
OPEN = "NOT GRADED"
MARKED = "MARKED"  # by a person: by hand, or in place of what the grader found
EXCUSED = "EXCUSED"  # a submission, by the roster
OK = "OK"
GRADED = "GRADED"  # a submission of which every part is decided

STUDENT = (TIME, MEMORY, CRASH, OUTPUT, RAISES, SHAPE, TYPE, RANGE, NAN, MISSING, IMPORT, CLAIM)

# What a diagnosis begins with that does not name the mistake: it says where it is, or what is usual
PLACE, RIGHT_AT, OFTEN = UNNAMED = (
    "Of each answer of",
    "Your answers are right where",
    "What often leads here is",
)

_ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


class Fault(Exception):  # noqa: N818 - the student's, not an error of the program
    """A student's code did not give a usable answer.

    The kind is one of ``STUDENT``, the sentence is for the student; where it is `fatal`, the process that ran
    the code is gone.
    """

    def __init__(self, kind: str, sentence: str, *, fatal: bool = False) -> None:
        super().__init__(kind, sentence)
        self.kind = kind
        self.sentence = sentence
        self.fatal = fatal

    def __str__(self) -> str:
        return f"{self.kind}: {self.sentence}"


def clean(text: str) -> str:
    """Return `text` without terminal escapes and invisible or direction-changing characters."""
    return _CONTROLS.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def short(value: object, length: int = 60) -> str:
    """Return a value that crossed the process boundary as a few characters."""
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.6g}"
    if isinstance(value, (int, Fraction)):
        bits = max(abs(value.numerator), value.denominator).bit_length()
        if bits > 128:
            return f"{'an integer' if isinstance(value, int) else 'a fraction'} of {bits} bits"
    text = clean(value if isinstance(value, str) else str(value)).replace("\n", " ")
    return text if len(text) <= length else f"{text[: length - 3]}..."


@dataclass(frozen=True)
class Instance:
    """An instance on which an answer fails, to be looked at, saved and tried again."""

    claim: str
    sizes: Mapping[str, int]  # of the claim's check, where they are not the defaults
    stream: int  # which of the claim's streams of random numbers draws what is not in `draws`
    draws: tuple[np.ndarray, ...]
    place: int  # which measurement of the claim fails
    kind: str  # "CLAIM FAILS", or the fault, with its sentence
    sentence: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)  # what was measured; empty after a fault
    lines: tuple[str, ...] = ()  # the calls
    notation: tuple[str, ...] = ()  # the inputs in the claim's notation
    arguments: Mapping[str, Any] = field(
        default_factory=dict
    )  # by name; of equal names the later has a number


@dataclass(frozen=True)
class ClaimResult:
    """What one claim found.

    The last three are there in a self-check only, calls also where the assignment shows them.
    """

    id: str
    where: str  # the section to read
    verdict: str  # "OK", "CLAIM FAILS", another kind above, or "NOT RUN"
    sentence: str = ""  # what happened, unless the evidence says it
    evidence: tuple[dict[str, Any], ...] = ()  # as `plain` writes it
    instance: tuple[str, ...] = ()  # the failing one in the claim's notation, a line an input
    calls: tuple[str, ...] = ()  # that led to what fails, in the student's names, with arguments and answer
    smallest: Instance | None = field(default=None, compare=False)  # that fails alike; in no file of grades


@dataclass(frozen=True)
class PartResult:
    """What one part earned; None where it is undecided, which is never a zero.

    ``diagnosis`` is the mistake that the answers are those of, if they are those of one.
    """

    name: str
    points: float
    earned: float | None
    verdict: str
    sentence: str = ""
    claims: tuple[ClaimResult, ...] = ()
    prints: str = ""
    diagnosis: str = ""


@dataclass(frozen=True)
class Result:
    """What came of one submission. Nothing in it depends on the clock or the machine's load.

    ``own_check`` tells a student's check of the own file from a grade. ``tried`` is for the instructor: what
    the sandbox refused, in words; it never costs a point.
    """

    assignment: str
    version: str
    student: str
    digest: str
    sandbox: str
    status: str
    points: float
    earned: float | None
    parts: tuple[PartResult, ...]
    notes: tuple[str, ...] = ()
    own_check: bool = False
    tried: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self, dict_factory=lambda fields: {k: v for k, v in fields if k != "smallest"})

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Result:
        """Return the result that :meth:`as_dict` wrote."""
        parts = [
            PartResult(**part | {"claims": tuple(ClaimResult(**_with_tuples(c)) for c in part["claims"])})
            for part in record["parts"]
        ]
        return cls(**_with_tuples(dict(record) | {"parts": parts}))


def _with_tuples(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record in which tuples are tuples again, of which JSON made lists."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in record.items()}


def plain(item: Evidence) -> dict[str, Any]:
    """Return evidence as JSON values of a length that can be read, without escapes."""
    record = item.as_dict()
    return {key: clean(value)[:500] if isinstance(value, str) else value for key, value in record.items()}
