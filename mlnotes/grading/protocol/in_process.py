"""A session on objects of this process: no worker, no sandbox, but values as they come through the wall."""

from __future__ import annotations

import linecache
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mlnotes.checking.deadline import OutOfTime, deadline
from mlnotes.grading.faults import TIME, Fault
from mlnotes.grading.protocol import wire, worker
from mlnotes.grading.protocol.session import Session

_PACKAGE = str(Path(__file__).parents[1])


class LiveSession(Session):
    """A session whose submission is a namespace of this process."""

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        super().__init__((), sandbox=None)  # type: ignore[arg-type]
        module = types.ModuleType(worker.MODULE)
        module.__dict__.update(namespace)
        self.submission = _Live(self, module)
        self.names = {name: worker.kind(value) for name, value in namespace.items()}

    def load(self) -> None:
        """Nothing to load: the objects are there."""

    def _ask(self, do: str, arguments: tuple, seconds: float) -> Any:
        submission = self.submission
        if self._anew:
            self._anew = False
            submission.start_anew()
        arguments = submission.there(arguments)
        try:
            with deadline(seconds):
                value = getattr(submission, f"do_{do}")(*arguments)
        except OutOfTime:
            raise Fault(TIME, f"no answer within {seconds:g} s; the call was ended") from None
        except Fault:
            raise
        except (Exception, SystemExit) as error:
            return self._value({"raised": submission.described(error)}, do, arguments)
        try:
            return submission.back(value)
        except wire.WireError as error:
            return self._value({"unfit": str(error)}, do, arguments)


class _Live(worker.Submission):
    """The worker's half of the conversation, without the pipes."""

    def __init__(self, session: LiveSession, module: types.ModuleType) -> None:
        super().__init__(wire, -1, -1, module)
        self.session = session

    def start_anew(self) -> None:
        """Forget the instances; the notebook's own random state is left alone."""
        self.instances.clear()
        self.numbers.clear()

    def there(self, arguments: tuple) -> tuple:
        """Return arguments of the claim as the student's function gets them."""
        return _carried(arguments, self.session._refer, self.resolve, wire.REQUEST)

    def back(self, value: Any) -> Any:
        """Return a student's value as the claim gets it."""
        return _carried(value, self.refer, self.session._resolve, 1)

    def callback(self, number: int, arguments: tuple) -> Any:
        """Call the claim's function."""
        return self.there((self.session._answer(number, self.back(arguments)),))[0]

    def place(self, error: BaseException) -> tuple[int, str]:
        nearest = (0, "")
        trace = error.__traceback__
        while trace is not None:
            name = trace.tb_frame.f_code.co_filename
            line = trace.tb_lineno or 0  # None where a call was interrupted between two lines
            if not name.startswith(_PACKAGE) and linecache.getline(name, line):
                nearest = (line, name)
            trace = trace.tb_next
        return nearest


def _carried(value: Any, refer: Any, resolve: Any, room: int) -> Any:
    reader = wire.Reader(room)
    reader.feed(wire.pack(value, refer, room=room))
    message = reader.next(resolve)
    assert message is not None
    return message[0]
