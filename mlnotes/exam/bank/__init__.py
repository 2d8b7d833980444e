"""The questions, one file a lecture. Reference modules compute the answers, with numbers for a calculator."""

import importlib
import importlib.util

from mlnotes import LECTURES
from mlnotes.exam.questions import Question

_FILES = [f"mlnotes.exam.bank.{topic}" for topic in LECTURES]
QUESTIONS: tuple[Question, ...] = tuple(
    item
    for file in _FILES
    if importlib.util.find_spec(file)
    for item in vars(importlib.import_module(file)).values()
    if isinstance(item, Question)
)
