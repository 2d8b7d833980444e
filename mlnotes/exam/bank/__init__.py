"""The questions, three a lecture. The boards compute the answers; numbers are fit for a pocket calculator."""

from mlnotes.exam.bank import estimates, margins, rules
from mlnotes.exam.questions import Question

QUESTIONS: tuple[Question, ...] = tuple(
    item for room in (rules, margins, estimates) for item in vars(room).values() if isinstance(item, Question)
)
