"""What can go wrong with a student's code, by kind: the words of a verdict that is not a number."""

from __future__ import annotations

import math
import re
from fractions import Fraction

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
    """Return a value that crossed the wall as a few characters."""
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.6g}"
    if isinstance(value, (int, Fraction)):
        bits = max(abs(value.numerator), value.denominator).bit_length()
        if bits > 128:
            return f"{'an integer' if isinstance(value, int) else 'a fraction'} of {bits} bits"
    text = clean(value if isinstance(value, str) else str(value)).replace("\n", " ")
    return text if len(text) <= length else f"{text[: length - 3]}..."
