"""The student's functions and classes as a claim sees them: calls cross the wall, answers are checked."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from mlnotes.grading.calls import Call, CallLog
from mlnotes.grading.faults import IMPORT, MEMORY, MISSING, OUTPUT, RAISES, TIME, Fault, clean
from mlnotes.grading.process import Worker
from mlnotes.grading.records import Raised, Record
from mlnotes.grading.sandbox import Sandbox
from mlnotes.grading.sources import Cell
from mlnotes.grading.values import LEAST_MOST, MOST, Letters, expected, fitted
from mlnotes.grading.wire import Reference, WireError
from mlnotes.homework.core import Class, Function, Part, Value

if TYPE_CHECKING:
    from mlnotes.claims import Evidence

SUBMISSION_SECONDS = 300.0
TALK_SECONDS = 20.0  # of our processor, for the answers to one claim: what it computes with them has its own;
# while a file is loaded, nobody asks for more than its names: what it says has the seconds of loading
_MAX_NOTES = 60
_MOST_TIMES = 1_000
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

    def __init__(self, cells: tuple[Cell, ...], sandbox: Sandbox, load_seconds: float = 10.0,
                 asked: tuple[str, ...] = ()) -> None:  # fmt: skip
        self.cells, self.sandbox, self.load_seconds, self.asked = cells, sandbox, load_seconds, asked
        self.worker: Worker | None = None
        self.names: dict[str, str] = {}
        self.notes: list[str] = []
        self.fault: Fault | None = None
        self.calls = CallLog()
        self.record = Record()
        self.prints = ""
        self.seconds, self.megabytes = 10.0, 2048
        self.seconds_left, self._talk = SUBMISSION_SECONDS, load_seconds
        self._skipped: dict[str, list[int]] = {}
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
            notes += [_note(item) for item in _list(reply)]
        names = self._ask("names", (self.asked,), self.load_seconds)
        self.names = _names(names)
        self.notes = ([note for note in self.notes if note in self._ends] + notes)[:_MAX_NOTES]

    _ends: tuple[str, ...] = ()

    def _skip(self, cell: Cell, fault: Fault) -> None:
        at, line = (self._dead.at, getattr(self._dead, "line", None)) if self._dead else (None, None)
        place = f"{cell.label}, line {line}" if isinstance(line, int) else cell.label
        note = clean(f"{place}: {fault.kind} ({fault.sentence}); this statement was skipped")
        self._ends = (*self._ends, note)
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
        self._alive()
        self._anew = True

    def ask(self, do: str, arguments: tuple) -> Any:
        """Ask the worker and return the value that came back; loads the submission first where needed.

        Raises
        ------
        Fault
            Of any kind that blames the student.
        """
        self._alive()
        try:
            value = self._ask(do, arguments, self.seconds)
        except Fault as fault:
            self.fault = self.fault or fault
            raise
        self.answered = True
        return value

    def _alive(self) -> None:
        if self.worker is None:
            self.load()

    _dead: Worker | None = None

    def _ask(self, do: str, arguments: tuple, seconds: float) -> Any:
        assert self.worker is not None
        if self.seconds_left <= 0:
            raise Fault(TIME, f"the submission used up its {SUBMISSION_SECONDS:g} s", fatal=False)
        worker, ours = self.worker, time.process_time()
        anew, self._anew = self._anew, False
        try:
            reply = worker.ask(do, arguments, min(seconds, self.seconds_left), refer=self._refer, anew=anew,
                               resolve=self._resolve, answer=self._answer, ours=self._talk)  # fmt: skip
        except Fault as fault:
            self._dead, self.worker = worker, None
            self._endless |= set(worker.watch.tried) if worker.watch else set()
            self.prints += worker.prints.take(whole=False)
            if fault.kind == TIME and seconds > self.seconds_left:
                raise Fault(
                    TIME, f"the submission used up its {SUBMISSION_SECONDS:g} s", fatal=True
                ) from None
            raise
        finally:
            self.seconds_left -= worker.took
            self._talk -= time.process_time() - ours
        self.prints += worker.prints.take()
        return self._value(reply, do, arguments)

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
        call = Call(f"model = {written(declared, arguments)}", named(declared, arguments), effect=True)
        try:
            value = ask(self, "construct", (declared.name, arguments), call)
        finally:
            self._constructing = False
        if not isinstance(value, Reference):
            _fail(self, Fault(OUTPUT, f"{declared.name}(...) gave no new instance"))
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
        now = self.worker.watch.tried if self.worker is not None and self.worker.watch else Counter()
        counts = self._tried + now
        return tuple(
            f"{words}: until it was ended" if words in self._endless else f"{words}: {_times(counts[words])}"
            for words in sorted({*counts, *self._endless})
        )

    def close(self) -> None:
        """End the worker."""
        if self.worker is not None:
            self._tried += self.worker.watch.tried if self.worker.watch else Counter()
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
    return {name: kind for name, kind in pairs if len(name) <= 100 and kind in ("function", "class", "value")}


def _times(number: int) -> str:
    if number > _MOST_TIMES:
        return f"more than {_MOST_TIMES} times"
    return f"{number} time{'s' * (number != 1)}"


def _list(value: Any) -> list:
    return value if isinstance(value, list) else []


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


def _largest(value: Any) -> float:
    """Return the largest absolute value in an answer; infinity for an integer beyond all floats."""
    if isinstance(value, (list, tuple)):
        return max(map(_largest, value), default=0.0)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size:
        return float(np.abs(value, where=np.isfinite(value), out=np.zeros(value.shape)).max())
    if isinstance(value, (int, float, Fraction)):
        try:
            return abs(float(value)) if value == value else 0.0
        except OverflowError:
            return float("inf")
    return 0.0


class FunctionProxy:
    """A function of the student's."""

    def __init__(self, session: Session, declared: Function) -> None:
        self.session, self.declared = session, declared
        self.__name__ = declared.name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it and return the answer as declared."""
        arguments = positional(self.declared, args, kwargs)
        letters = lengths(self.declared.parameters, arguments)
        call = Call(
            written(self.declared, arguments), named(self.declared, arguments), values=answers(self.declared)
        )
        value = ask(self.session, "call", (self.declared.name, arguments), call)
        return checked(self.session, value, self.declared, letters)


class ClassProxy:
    """A class of the student's; calling it constructs an instance on the other side."""

    def __init__(self, session: Session, declared: Class) -> None:
        self.session, self.declared = session, declared
        self.__name__ = declared.name

    def __call__(self, *args: Any, **kwargs: Any) -> InstanceProxy:
        """Construct an instance."""
        arguments = positional(self.declared, args, kwargs)
        return self.session.construct(self.declared, arguments)


class InstanceProxy:
    """An instance of a class of the student's: the declared methods and attributes."""

    def __init__(self, session: Session, declared: Class, reference: Reference, origin: Call,
                 letters: Letters) -> None:  # fmt: skip
        self._session, self._declared, self._reference = session, declared, reference
        self._letters: Letters = letters
        self._history: tuple[Call, ...] = (origin,)
        self._fitted = False

    def __getattr__(self, name: str) -> Any:
        method = next((m for m in self._declared.methods if m.name == name), None)
        if method is not None:
            return lambda *args, **kwargs: self._call(method, args, kwargs)
        if name not in self._declared.attributes:
            raise AttributeError(f"the part declares no {self._declared.name}.{name}")
        call = Call(f"model.{name}", before=self._history)
        value = ask(self._session, "attribute", (self._reference, name), call)
        who = f"{self._declared.name}.{name}"
        return _fit(self._session, value, self._declared.attributes[name], dict(self._letters), who)

    def _call(self, method: Function, args: tuple, kwargs: Mapping[str, Any]) -> Any:
        arguments = positional(method, args, kwargs)
        letters = lengths(method.parameters, arguments)
        chained = method.returns is None
        call = Call(
            f"model.{written(method, arguments)}", named(method, arguments), self._history, chained,
            values=answers(method),
        )  # fmt: skip
        value = ask(self._session, "method", (self._reference, method.name, arguments, chained), call)
        if chained:
            self._history = (self._history[0], call)
        known = self._letters | letters
        if not self._fitted:  # the first call, such as fit, says what d is
            self._letters, self._fitted = known, True
        return self if chained else checked(self._session, value, method, known)


def ask(session: Session, do: str, arguments: tuple, call: Call) -> Any:
    """Ask the session; what cannot be sent is the claim's mistake, not the student's."""
    session.calls.record(call)
    try:
        call.gave = session.ask(do, arguments)
        session.record.add(do, arguments, call.gave)
        return call.gave
    except Fault as fault:
        if fault.kind == RAISES:
            session.record.add(do, arguments, Raised)
        raise
    except WireError as error:
        raise TypeError(f"the claim passes something that cannot cross the wall: {error}") from error


def positional(declared: Function | Class, args: tuple, kwargs: Mapping[str, Any]) -> tuple:
    """Return the arguments in the declared order; a student may name parameters otherwise."""
    names = list(declared.parameters)
    if len(args) > len(names) or set(kwargs) - set(names[len(args) :]):
        raise TypeError(
            f"{declared.name} takes {', '.join(names)}; the claim passes {len(args)} and {sorted(kwargs)}"
        )
    rest = names[len(args) :]
    given = [name for name in rest if name in kwargs]
    if given != rest[: len(given)]:
        raise TypeError(f"{declared.name}: the claim leaves out {rest[0]} and passes {', '.join(given)}")
    return (*args, *(kwargs[name] for name in given))


def named(declared: Function | Class, arguments: tuple) -> tuple[tuple[str, Any], ...]:
    """Return the arguments with the declared names."""
    return tuple(zip(declared.parameters, arguments, strict=False))


def answers(declared: Function) -> tuple[str, ...]:
    """Return what the values of an answer are called, where it has several: by their meaning, or counted."""
    values = declared.returns if isinstance(declared.returns, tuple) else ()
    return tuple(value.meaning or f"value {k}" for k, value in enumerate(values, 1))


def written(declared: Function | Class, arguments: tuple) -> str:
    """Return the call as a student would write it, such as ``choose(posterior, cost)``."""
    return f"{declared.name}({', '.join(list(declared.parameters)[: len(arguments)])})"


def lengths(parameters: Mapping[str, Value], arguments: tuple) -> Letters:
    """Return the lengths that the arguments give to the letters of the declared shapes.

    An array gives those of its own shape; a whole number the letter that is its name. The largest of all,
    under ``MOST``, bounds what a letter may be that nothing gives a length to.
    """
    letters: Letters = {}
    sizes = [0]
    for name, argument in zip(parameters, arguments, strict=False):
        if parameters[name].shape == () and parameters[name].kind == "i" and np.ndim(argument) == 0:
            letters[name] = int(argument)
            sizes.append(int(argument))
    for declared, argument in zip(parameters.values(), arguments, strict=False):
        if not declared.shape and declared.kind != "any":
            continue
        shape = np.shape(argument) if isinstance(argument, (np.ndarray, list, tuple)) else ()
        sizes += shape
        if len(shape) == len(declared.shape):
            letters |= {n: size for n, size in zip(declared.shape, shape, strict=True) if isinstance(n, str)}
    letters[MOST] = max(LEAST_MOST, 10 * max(sizes))
    return letters


def checked(session: Session, value: Any, declared: Function, letters: Letters) -> Any:
    """Return a result, or a tuple of results, as the declared values."""
    who = f"{declared.name}(...)"
    if not isinstance(declared.returns, tuple):
        return _fit(session, value, declared.returns, letters, who)
    if isinstance(value, np.ndarray) and value.ndim:
        value = list(value)
    if not isinstance(value, (list, tuple)) or len(value) != len(declared.returns):
        wanted = ", ".join(expected(item, letters) for item in declared.returns)
        _fail(session, Fault("WRONG SHAPE", f"{who} must give {len(declared.returns)} values: {wanted}"))
    return tuple(
        _fit(session, item, spec, letters, f"value {k} of {who}")
        for k, (item, spec) in enumerate(zip(value, declared.returns, strict=True), 1)
    )


def _fit(session: Session, value: Any, declared: Value | None, letters: Letters, who: str) -> Any:
    if declared is None:
        return value
    try:
        answer = fitted(value, declared, letters, who)
    except Fault as fault:
        _fail(session, fault)
    if isinstance(value, np.ndarray) and value.dtype in (np.float16, np.float32) and declared.kind == "f":
        digits = "7 digits" if value.dtype == np.float32 else "3 digits"
        session.single = f"{who} gives {value.dtype}, which holds {digits}; compute in float64"
    elif declared.kind == "f" and _of_single_precision(answer):
        reason = "those of float32, or of an iteration that stopped early"
        session.short = f"{who} gives numbers of no more than 7 digits: {reason}"
    session.largest = max(session.largest, _largest(answer))
    return answer


def _near(item: Evidence) -> bool:
    """Whether a single number misses its bound by no more than single precision explains."""
    sides = item.measured, item.bound
    if not all(isinstance(side, (int, float)) and _largest(side) < np.inf for side in sides):
        return False
    return abs(item.measured - item.bound) <= _SINGLE * max(abs(item.measured), abs(item.bound))


def _of_single_precision(value: Any) -> bool:
    """Whether all numbers are those of float32, and one uses its last bits: by chance 2^-29 of each."""
    numbers = np.asarray(value)
    if numbers.dtype != np.float64 or not numbers.size or not np.isfinite(numbers).all():
        return False
    bits = np.frexp(numbers)[0] * 2.0**24
    return bool((bits % 1 == 0).all() and (bits % 16 != 0).any())


def _fail(session: Session, fault: Fault) -> Any:
    session.fault = session.fault or fault
    raise fault
