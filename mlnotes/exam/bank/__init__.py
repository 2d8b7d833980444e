"""The questions, three a lecture, with numbers for a pocket calculator; the answers are computed."""

from mlnotes.exam.bank import estimates, margins, rules
from mlnotes.exam.questions import Question

QUESTIONS: tuple[Question, ...] = tuple(
    item for room in (rules, margins, estimates) for item in vars(room).values() if isinstance(item, Question)
)
