"""One submission in its worker: loaded, asked, and loaded again where the worker dies."""

from __future__ import annotations

import linecache
import re
import time
import types
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from mlnotes.checking.deadline import OutOfTime, deadline
from mlnotes.grading.assignment.parts import Class, Function, Part
from mlnotes.grading.protocol import wire, worker
from mlnotes.grading.protocol.proxies import (
    ClassProxy,
    FunctionProxy,
    InstanceProxy,
    largest,
    lengths,
    written,
)
from mlnotes.grading.protocol.sources import Cell
from mlnotes.grading.protocol.transcript import Call, CallLog, Raised, Record
from mlnotes.grading.protocol.wire import Reference, WireError
from mlnotes.grading.results import IMPORT, MEMORY, MISSING, OUTPUT, RAISES, TIME, Fault, clean
from mlnotes.grading.sandbox.levels import Sandbox
from mlnotes.grading.sandbox.process import Worker

if TYPE_CHECKING:
    from mlnotes.checking import Evidence

SUBMISSION_SECONDS = 300.0
TALK_SECONDS = 20.0  # of our processor, for the answers to one claim: what it computes with them has its own;
# while a file is loaded, nobody asks for more than its names: what it says has the seconds of loading
_MAX_NOTES = 60
_MOST_TIMES = 1_000
_MOST_PRINTED, _LEFT_OUT = 100_000, "\n... the rest is left out ...\n"  # of a part, which is in every report
_OURS = re.compile(r"No module named 'mlnotes\b")
NO_LIBRARY = (
    "mlnotes is not allowed in a submission: it is not there when your work is graded "
    "(the handout's own 'from mlnotes.grading import check' is fine)"
)
NOT_THERE = "when your work is graded; the handout says what may be imported"
_SINGLE = 1e-4  # relative: a thousand roundings in float32
_RELOADS = 3  # how many statements that hang or crash are skipped before the whole file is given up


class Session:
    """One submission, loaded when first asked for, in a worker that is replaced when it dies.

    Attributes
    ----------
    names : dict of str to str
        What the submission defines: "function", "class" or "value".
    notes : list of str
        What did not work while it was loaded.
    fault : Fault or None
        The first fault since :meth:`begin`; a claim that catches an exception does not undo it.
    calls : CallLog
        What was asked since :meth:`begin`.
    record : Record
        What was asked since the part began, with the answers.
    answered : bool
        Whether anything was answered since :meth:`begin`.
    largest : float
        The largest absolute value among those answers.
    single : str
        A sentence, if any of them came in single precision.
    short : str
        A sentence, if any of them have no more digits than single precision holds.
    asked : tuple of str
        The names that the assignment declares.
    """

    def __init__(
        self,
        cells: tuple[Cell, ...],
        sandbox: Sandbox,
        load_seconds: float = 10.0,
        asked: tuple[str, ...] = (),
    ) -> None:
        self.cells, self.sandbox, self.load_seconds, self.asked = cells, sandbox, load_seconds, asked
        self.worker: Worker | None = None
        self._dead: Worker | None = None
        self.names: dict[str, str] = {}
        self.notes: list[str] = []
        self.fault: Fault | None = None
        self.calls = CallLog()
        self.record = Record()
        self.prints = ""
        self.seconds, self.megabytes = 10.0, 2048
        self.seconds_left, self._talk = SUBMISSION_SECONDS, load_seconds
        self._skipped: dict[str, list[int]] = {}
        self._ends: list[str] = []  # of the processes that loaded the file
        self._callbacks: dict[int, Callable[..., Any]] = {}
        self._instances: dict[int, InstanceProxy] = {}
        self._constructing = self._anew = False
        self._unloadable: Fault | None = None
        self._tried: Counter[str] = Counter()
        self._endless: set[str] = set()
        self.answered, self.largest, self.single, self.short = False, 0.0, "", ""

    # Loading

    def load(self) -> None:
        """Load the submission; what hangs or crashes is skipped and noted.

        Raises
        ------
        Fault
            IMPORT ERROR if nothing of it can be loaded.
        """
        if self._unloadable:
            raise self._unloadable
        if self.worker is not None:
            return
        for _ in range(_RELOADS + 1):
            try:
                self._load_once()
                return
            except Fault as fault:
                if not fault.fatal:
                    raise
                last = fault
        self._unloadable = Fault(IMPORT, f"the file could not be loaded: {last}")
        raise self._unloadable

    def _load_once(self) -> None:
        notes: list[str] = []
        self.worker = self.sandbox.worker(self.megabytes)
        for cell in self.cells:
            try:
                reply = self._ask(
                    "cell", (cell.label, cell.pieces(), self._skipped.get(cell.label, [])), self.load_seconds
                )
            except Fault as fault:
                self._skip(cell, fault)
                raise
            notes += map(_note, reply if isinstance(reply, list) else ())
        names = self._ask("names", (self.asked,), self.load_seconds)
        self.names = _names(names)
        self.notes = [*self._ends, *notes][:_MAX_NOTES]

    def _skip(self, cell: Cell, fault: Fault) -> None:
        at, line = (self._dead.at, self._dead.line) if self._dead else (None, None)
        place = f"{cell.label}, line {line}" if isinstance(line, int) else cell.label
        note = clean(f"{place}: {fault.kind} ({fault.sentence}); this statement was skipped")
        self._ends.append(note)
        self.notes.append(note)
        self._skipped.setdefault(cell.label, []).append(at if isinstance(at, int) else -1)

    # Asking

    def begin(self, seconds: float, megabytes: int) -> None:
        """Start a new claim: no instances, the public randomness from its start, no fault yet."""
        self.fault, self.seconds, self._talk = None, seconds, TALK_SECONDS
        self.answered, self.largest, self.single, self.short = False, 0.0, "", ""
        self.calls = CallLog()
        self.record.turn += 1
        self._callbacks.clear()
        self._instances.clear()
        if megabytes != self.megabytes:
            self.close()
            self.megabytes = megabytes
        self.load()
        self._anew = True

    def ask(self, do: str, arguments: tuple, call: Call) -> Any:
        """Ask the worker, as `call` tells it; return the value that came back.

        The submission is loaded first where needed.

        Raises
        ------
        Fault
            Of any kind that blames the student.
        TypeError
            If something cannot be sent: the claim's mistake, not the student's.
        """
        self.calls.record(call)
        self.load()
        try:
            call.gave = self._ask(do, arguments, self.seconds)
        except Fault as fault:
            if fault.kind == RAISES:
                self.record.add(do, arguments, Raised)
            self.fail(fault)
        except WireError as error:
            raise TypeError(f"the claim passes something that cannot be sent: {error}") from error
        self.record.add(do, arguments, call.gave)
        self.answered = True
        return call.gave

    def fail(self, fault: Fault) -> NoReturn:
        """Raise a fault, which stays the session's even where a claim catches it."""
        self.fault = self.fault or fault
        raise fault

    def _ask(self, do: str, arguments: tuple, seconds: float) -> Any:
        assert self.worker is not None
        if self.seconds_left <= 0:
            raise Fault(TIME, f"the submission used up its {SUBMISSION_SECONDS:g} s", fatal=False)
        worker, ours = self.worker, time.process_time()
        anew, self._anew = self._anew, False
        try:
            reply = worker.ask(
                do,
                arguments,
                min(seconds, self.seconds_left),
                refer=self._refer,
                anew=anew,
                resolve=self._resolve,
                answer=self._answer,
                ours=self._talk,
            )
        except Fault as fault:
            self._dead, self.worker = worker, None
            self._endless |= set(worker.tried)
            self._hear(worker.prints.take(whole=False))
            if fault.kind == TIME and seconds > self.seconds_left:
                raise Fault(
                    TIME, f"the submission used up its {SUBMISSION_SECONDS:g} s", fatal=True
                ) from None
            raise
        finally:
            self.seconds_left -= worker.took
            self._talk -= time.process_time() - ours
        self._hear(worker.prints.take())
        return self._value(reply, do, arguments)

    def _hear(self, text: str) -> None:
        if len(self.prints) < _MOST_PRINTED:
            self.prints += text
        elif text and not self.prints.endswith(_LEFT_OUT):
            self.prints += _LEFT_OUT

    def _value(self, reply: Mapping[str, Any], do: str, arguments: tuple) -> Any:
        if "value" in reply:
            return reply["value"]
        if isinstance(reply.get("raised"), dict):
            raise _raised(reply["raised"])
        if isinstance(reply.get("unfit"), str):
            name = next((a for a in arguments if isinstance(a, str)), do)
            raise Fault(OUTPUT, f"{name} gives something that cannot be handed over: {clean(reply['unfit'])}")
        raise Fault(OUTPUT, "the answer is not written as the protocol says")

    def _refer(self, value: Any) -> Reference | None:
        if isinstance(value, (FunctionProxy, ClassProxy)):
            return Reference("student", value.declared.name)
        if isinstance(value, InstanceProxy):
            return value._reference
        if callable(value):
            number = len(self._callbacks)
            self._callbacks[number] = value
            return Reference("callback", number)
        return None

    def _resolve(self, reference: Reference) -> Any:
        """Return the instance that a student's answer names; a new one is named when it is constructed."""
        if reference.kind != "instance" or type(reference.key) is not int:
            raise WireError("only an instance of the submission's own classes may be named")
        if reference.key in self._instances:
            return self._instances[reference.key]
        if not self._constructing:
            raise WireError("an instance is named that is not there")
        return reference

    def construct(self, declared: Class, arguments: tuple) -> InstanceProxy:
        """Construct an instance on the other side and return its proxy.

        Raises
        ------
        Fault
            Of any kind that blames the student; OUTPUT if the answer is not a new instance.
        """
        self._constructing = True
        call = written(declared, arguments, "model = ", effect=True)
        try:
            value = self.ask("construct", (declared.name, arguments), call)
        finally:
            self._constructing = False
        if not isinstance(value, Reference):
            self.fail(Fault(OUTPUT, f"{declared.name}(...) gave no new instance"))
        assert isinstance(value.key, int)
        proxy = self._instances[value.key] = InstanceProxy(
            self, declared, value, call, lengths(declared.parameters, arguments)
        )
        return proxy

    def _answer(self, number: int, arguments: tuple) -> Any:
        if number not in self._callbacks or not all(_modest(argument) for argument in arguments):
            raise ValueError(
                "numbers of at most 64 bits and arrays of at most 1,000,000 of them are accepted"
            )
        return self._callbacks[number](*arguments)

    def rounded(self, broken: Iterable[Evidence]) -> str:
        """Return what is to be said of the digits of the answers, where measurements are broken.

        That answers are short explains nothing where they are far from the right ones: sums of eighths are
        short, too.
        """
        return self.single or (self.short if all(map(_near, broken)) else "")

    # The end

    def take_prints(self) -> str:
        """Return what was printed since the last time."""
        text, self.prints = self.prints, ""
        return text

    def tried(self) -> tuple[str, ...]:
        """Return what the sandbox refused, for the instructor; of a process that was ended no number."""
        counts = self._tried + (self.worker.tried if self.worker is not None else Counter())
        return tuple(
            f"{words}: until it was ended" if words in self._endless else f"{words}: {_times(counts[words])}"
            for words in sorted({*counts, *self._endless})
        )

    def close(self) -> None:
        """End the worker."""
        if self.worker is not None:
            self._tried += self.worker.tried
            self.worker.kill()
            self.worker = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def implementation(self, part: Part) -> dict[str, Any]:
        """Return the proxies of what the part declares, by name; a name that is not defined is left out."""
        kinds = {Function: ("function", "class"), Class: ("class", "function")}
        return {
            item.name: FunctionProxy(self, item) if isinstance(item, Function) else ClassProxy(self, item)
            for item in part.writes
            if self.names.get(item.name) in kinds[type(item)]
        }


def _modest(argument: Any) -> bool:
    """Whether a function of the grader may be asked about a student's `argument`: it runs on our time."""
    if isinstance(argument, (list, tuple)):
        return all(_modest(item) for item in argument)
    if isinstance(argument, (int, Fraction)):
        return max(abs(argument.numerator), argument.denominator).bit_length() <= 64
    return isinstance(argument, (float, str)) or (isinstance(argument, np.ndarray) and argument.size <= 10**6)


def _names(reply: Any) -> dict[str, str]:
    """Return the names that a submission says it defines, at most 1,000 of at most 100 characters."""
    pairs = list(reply.items())[:1_000] if isinstance(reply, dict) else []
    kinds = ("function", "class", "value")
    return {name: kind for name, kind in pairs if len(name) <= 100 and type(kind) is str and kind in kinds}


def _times(number: int) -> str:
    if number > _MOST_TIMES:
        return f"more than {_MOST_TIMES} times"
    return f"{number} time{'s' * (number != 1)}"


def _note(item: Any) -> str:
    if not isinstance(item, dict):
        return "(a note that cannot be read)"
    kind, text, where, code = (
        clean(str(item.get(key, "")))[:500] for key in ("type", "text", "where", "code")
    )
    if kind == "ModuleNotFoundError" and _OURS.match(text):
        kind, text = "", NO_LIBRARY
    elif kind == "ModuleNotFoundError":
        text += f" {NOT_THERE}"
    words = ": ".join(word for word in (where, kind, text) if word) if kind or text == NO_LIBRARY else text
    return f"{words} [{code}]" if code else words


def _raised(error: Mapping[str, Any]) -> Fault:
    kind = str(error.get("type", ""))
    if kind == "MemoryError":
        return Fault(MEMORY, f"more memory than allowed was asked for ({_note(error)})")
    if kind == "NotImplementedError":
        return Fault(MISSING, f"it is not written yet ({_note(error)})")
    return Fault(RAISES, _note(error))


def _near(item: Evidence) -> bool:
    """Whether a single number misses its bound by no more than single precision explains."""
    sides = item.measured, item.bound
    if not all(isinstance(side, (int, float)) and largest(side) < np.inf for side in sides):
        return False
    return abs(item.measured - item.bound) <= _SINGLE * max(abs(item.measured), abs(item.bound))


# ------------------------------------------------------------------- in this process

_PACKAGE = str(Path(__file__).parents[1])


class InProcessSession(Session):
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

    def __init__(self, session: InProcessSession, module: types.ModuleType) -> None:
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
