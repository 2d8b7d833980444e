"""An assignment whose claim ends or stops the grading process for certain outputs: what must not happen."""

import os
import signal
import time

from mlnotes.checking import claim, equal
from mlnotes.homework import Assignment, Function, Part, Value


@claim("crash.number", kind="homework", section="-", statement="A number is a number.")
def number(answer, rng):
    value = answer()
    if value == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    if value == 14:
        time.sleep(1000)
    if value == 15:
        while True:
            value += 1
    yield equal("number", value, 1)


PART = Part("number", 1, "", (number,), (Function("answer", {}, Value("i"), "One."),), seconds=300)
assignment = Assignment("crash", "Crash", (PART,))
