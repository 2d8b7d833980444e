r"""A claim: one statement of the lectures with a check that measures an implementation against it.

The same object is the theorem box of the notebook, the test of the library and the grade of the homework.
A claim asks for the implementation *by name*, as a pytest test asks for a fixture, draws its own instances
from ``rng`` and yields :class:`Evidence`: what was measured, against which bound, within which tolerance. The
statement is the docstring, the id is the module and the name (``bayes.pointwise-min``)::

    @statement("formula", "3", "Yan, proof of Thm 2.1")
    def pointwise_min(conditional_risk, rng, *, n=50):
        r'''$P(f^\star(X) \ne Y \mid X = x) = \min(\eta(x), 1 - \eta(x))$, here at «n» points.'''

A number that words and check share is a keyword with a default: «n» writes it into the statement. The theorem
alone stands in the box; instances that exist because a wrong program once slipped through are hard cases,
which run with it::

    @hard_cases(pointwise_min)
    def atoms_without_mass(conditional_risk, rng): ...

A claim checks two implementations, the *reference* ``mlnotes.bayes`` and the *estimators*, which a small
adapter makes speak the reference module's language; where both are the same object, it runs once. This
package knows no topic: `mlnotes.claims` says where a name of the course is found (:func:`serve`).
"""

from __future__ import annotations

import importlib
import inspect
import re
import time
import traceback
import types
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

import numpy as np

from mlnotes.checking import boxes
from mlnotes.checking.evidence import Evidence
from mlnotes.checking.outputs import OutputError, checked

KINDS = (
    "theorem", "claim", "formula", "algorithm", "definition", "example", "homework", "figure", "dataset",
    "erratum",
)  # fmt: skip

# errata: what the notes print is false; a slip of the pen; a hypothesis is missing; true, and more is true
GROUPS = ("wrong", "notation", "hypothesis", "sharper")
SIDES = ("reference", "estimators")
CANDIDATE = "candidate"  # the side that is somebody else's file, and the name of this file as a module
MAX_FALSE_ALARM = 1e-9


class ClaimError(TypeError):
    """A check that yields something other than evidence: its author's mistake."""


class Course(Protocol):
    """Where a claim finds what nobody hands it: the objects of a library, and the section to read."""

    def lookup(self, topic: str, name: str, side: str) -> Any:
        """Return the library's object of that name; LookupError if it has none."""

    def where(self, topic: str, section: str) -> str:
        """Return where a section is, in words."""

    def find(self, id: str) -> Claim:
        """Return the claim of an id."""


class _NoCourse:
    def lookup(self, topic: str, name: str, side: str) -> Any:
        raise LookupError(f"no library serves {name!r}: hand over an implementation")

    def where(self, topic: str, section: str) -> str:
        return section

    def find(self, id: str) -> Claim:
        raise LookupError(f"there is no claim {id!r}")


_course: Course = _NoCourse()


def serve(course: Course) -> None:
    """Let claims look names up in a course, as `mlnotes.claims` does when it is imported."""
    global _course
    _course = course


def library(topic: str, name: str, side: str = "estimators") -> Any:
    """Return the library's object of a name that claims need; LookupError if it has none."""
    return _course.lookup(topic, name, side)


@dataclass(frozen=True)
class Verdict:
    """What came of one run of a claim.

    Attributes
    ----------
    claim : Claim
    status : {"holds", "fails", "not found", "error"}
        "not found": a name that the claim asks for is missing; "error": the check did not reach its end.
    evidence : tuple of Evidence
    seconds : float
    reason : str
        One sentence when the status is "not found" or "error", else empty.
    """

    claim: Claim
    status: str
    evidence: tuple[Evidence, ...]
    seconds: float
    reason: str = ""

    @property
    def holds(self) -> bool:
        """Whether all the evidence holds and there is some."""
        return self.status == "holds"

    def as_dict(self) -> dict[str, Any]:
        """Return the record that ``mlnotes verify --json`` prints."""
        record = {
            "id": self.claim.id,
            "topic": self.claim.topic,
            "kind": self.claim.kind,
            "sources": list(self.claim.sources),
            "statement": self.claim.statement,
            "holds": self.holds,
            "seconds": round(self.seconds, 6),
            "evidence": [item.as_dict() for item in self.evidence],
        }
        if self.claim.kind == "erratum":
            record |= {"printed": self.claim.printed, "corrected": self.claim.corrected}
        if self.reason:
            record["reason"] = self.reason
        return record

    def __str__(self) -> str:
        return boxes.verdict_text(self)

    def _repr_html_(self) -> str:
        return boxes.verdict_html(self)


Check: TypeAlias = Callable[..., Iterator[Evidence]]


@dataclass(frozen=True)
class HardCases:
    """More instances of a statement, which are checked with it but not shown in its box.

    Attributes
    ----------
    check : callable
        Generator of :class:`Evidence`.
    estimators_only : str
        Why the reference implementation is not checked, in a sentence; empty where it is.
    """

    check: Check
    estimators_only: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Claim:
    r"""One statement with its sources and an executable check.

    Attributes
    ----------
    id : str
        ``topic.name``.
    kind : str
        One of ``KINDS``.
    statement : str
        The statement in words and LaTeX; for an erratum, what was printed and what is right.
    sources : tuple of str
        Where the notes or the literature state it; empty for a statement of our own.
    section : str
        Number of the section of the topic's lecture that derives it, ``"4"``, or ``"4 deeper"`` where the
        companion notebook does.
    check : callable or None
        Generator of :class:`Evidence`. None for an erratum that is purely typographical.
    given : tuple of str
        Names that the library serves even when somebody else's implementation is checked.
    false_alarm : float
        Probability, over the draw, that a correct implementation fails: at most 1e-9; 0 if it never does.
    printed, corrected : str
        Of an erratum: the printed form and the right one.
    group : str
        Of an erratum: one of ``GROUPS``.
    estimators_only : str
        Why the reference implementation is not checked, in a sentence; empty where it is.
    module : str
        The module whose claim it is.
    hard : list of HardCases
        What `hard_cases` attached.
    """

    id: str
    kind: str
    statement: str
    sources: tuple[str, ...]
    section: str
    check: Check | None
    given: tuple[str, ...] = ()
    false_alarm: float = 0.0
    printed: str = ""
    corrected: str = ""
    group: str = ""
    estimators_only: str = ""
    module: str = ""
    hard: list[HardCases] = field(default_factory=list)

    @property
    def topic(self) -> str:
        """The part of the id before the dot: the module, lecture and figure file of that name."""
        return self.id.partition(".")[0]

    def checks(self, *, of_estimators: bool = False) -> list[Check]:
        """Return the check of the statement and those of its hard cases."""
        first = [] if self.check is None else [self.check]
        return first + [case.check for case in self.hard if of_estimators or not case.estimators_only]

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters of the checks; those with a default are constants of the statement."""
        return _parameters(self.checks())

    @property
    def needs(self) -> tuple[str, ...]:
        """Names of the implementation that are under test."""
        return self._under_test(self.parameters)

    def _under_test(self, parameters: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(p for p in parameters if p != "rng" and p not in self.given)

    @property
    def random(self) -> bool:
        """Whether the check draws instances; if not, one run says all."""
        return "rng" in _parameters(self.checks(of_estimators=True))

    @property
    def illustration(self) -> bool:
        """Whether nothing is under test: the check shows something, and no implementation can fail it."""
        return self.check is not None and not self.needs

    def sides(self) -> tuple[str, ...]:
        """Return which of "reference" and "estimators" are checked; one where both have the same objects."""
        if self.estimators_only:
            return ("estimators",)
        try:
            reference = [library(self.topic, name, "reference") for name in self.needs]
        except LookupError:  # the reference module does not have it
            return ("estimators",)
        own = [library(self.topic, name, "estimators") for name in self.needs]
        same = all(a is b for a, b in zip(reference, own, strict=True))
        return ("reference",) if same and not any(case.estimators_only for case in self.hard) else SIDES

    @property
    def where(self) -> str:
        """The section to read."""
        return _course.where(self.topic, self.section)

    @property
    def constants(self) -> dict[str, Any]:
        """The constants of the checks, such as ``n=24``: :meth:`at` may change them."""
        own = [getattr(check, "__kwdefaults__", None) or {} for check in self.checks()]
        return {name: value for constants in own for name, value in constants.items()}

    @property
    def sizes(self) -> dict[str, int]:
        """The whole constants above 1."""
        return {name: n for name, n in self.constants.items() if type(n) is int and n > 1}

    def generator(self, seed: int) -> np.random.Generator:
        """Return the stream of random numbers that `seed` gives to this claim alone."""
        return np.random.default_rng([seed, zlib.crc32(self.id.encode())])

    def evidence(
        self, implementation: Mapping[str, Any], rng: np.random.Generator, *, of_estimators: bool = False
    ) -> Iterator[Evidence]:
        """Run the checks on the objects that `implementation` binds to the names in `needs`.

        Raises
        ------
        LookupError
            If `implementation` misses a name.
        ClaimError
            If a check yields something other than evidence.
        """
        if missing := self.missing(implementation):
            raise LookupError(f"{self.id} needs {', '.join(missing)}, which is not defined")
        for check in self.checks(of_estimators=of_estimators):
            yield from self._run(check, implementation, rng)

    def _run(
        self, check: Check, implementation: Mapping[str, Any], rng: np.random.Generator
    ) -> Iterator[Evidence]:
        outputs = getattr(check, "__globals__", {}).get("OUTPUTS", {})
        bound: dict[str, Any] = {}
        for name in _parameters([check]):
            if name == "rng":
                bound[name] = rng
            elif name in self.given:
                bound[name] = library(self.topic, name)
            else:
                bound[name] = checked(name, implementation[name], outputs)
        result: Any = check(**bound)
        for item in (result,) if isinstance(result, Evidence) or not hasattr(result, "__iter__") else result:
            if not isinstance(item, Evidence):
                raise ClaimError(
                    f"{self.id} yields {item!r:.40}: "
                    "it must yield evidence, such as equal(what, measured, expected)"
                )
            yield item

    def verify(
        self, *, seed: int = 0, candidate: Mapping[str, Any] | None = None, side: str = "estimators"
    ) -> Verdict:
        """Check the library's implementation, or `candidate`, on the instances of `seed`.

        Parameters
        ----------
        seed : int
            Chooses the instances; every claim has a stream of its own.
        candidate : mapping of str to object, optional
            Somebody else's implementation, in place of the library's.
        side : {"reference", "estimators"}
            Which of the library's two implementations.

        Raises
        ------
        ValueError
            If there is nothing to run: an erratum of notation.
        """
        if self.check is None:
            raise ValueError(f"{self.id} is an erratum of notation; there is nothing to verify")
        of_estimators = candidate is None and side == "estimators"
        if candidate is None:
            names = self._under_test(_parameters(self.checks(of_estimators=of_estimators)))
            candidate = {name: library(self.topic, name, side) for name in names}
        rng = self.generator(seed)
        found: list[Evidence] = []
        start = time.perf_counter()
        status, reason = "holds", ""
        try:
            for item in self.evidence(candidate, rng, of_estimators=of_estimators):
                found.append(item)
        except OutputError as error:
            status, reason = "fails", str(error)
        except (Exception, SystemExit) as error:  # whatever an implementation raises is its verdict
            status, reason = "error", f"{type(error).__name__}: {error}{place(error)}"
            if self.missing(candidate):
                status, reason = "not found", str(error)
            elif "unexpected keyword argument" in reason or "has no attribute" in reason:
                reason += f"; what this claim needs is described in {self.where}"
        if status == "holds" and not all(item.holds for item in found):
            status = "fails"
        if status == "holds" and not found:
            status, reason = "error", "the check yielded no evidence"
        return Verdict(self, status, tuple(found), time.perf_counter() - start, reason)

    def missing(self, implementation: Mapping[str, Any]) -> tuple[str, ...]:
        """Names in `needs` that `implementation` does not define."""
        return tuple(name for name in self.needs if name not in implementation)

    def at(self, **constants: Any) -> Claim:
        """Return the claim with other constants of its checks: for a question that asks for a part of it.

        Raises
        ------
        ValueError
            If no check has a constant of that name.
        """
        if unknown := sorted(set(constants) - set(self.constants)):
            known = ", ".join(self.constants)
            raise ValueError(f"{self.id} has the constants {known}, got {', '.join(unknown)}")
        hard = [replace(case, check=_with_constants(case.check, constants)) for case in self.hard]
        return replace(self, check=_with_constants(self.check, constants), hard=hard)

    def corrects(self, name: str, group: str, section: str, source: str, words: str) -> Claim:
        """Return the erratum `name`, such as "w7", that the check of this claim shows; as `correction`.

        The words read ``Printed: ... Right: ...``; the check measures that the right form holds.
        """
        keys = ("check", "given", "false_alarm", "estimators_only", "module", "hard")
        options = {key: getattr(self, key) for key in keys}
        return _erratum(f"{self.topic}.erratum-{name}", group, section, (source,), _folded(words), **options)

    def __reduce__(self) -> tuple[Callable[[str, str], Claim], tuple[str, str]]:
        # a check is not found under its own name, which the claim has taken: pickle the id
        return _find, (self.module, self.id)

    def __repr__(self) -> str:
        return f"<Claim {self.id}>"

    def __str__(self) -> str:
        return boxes.claim_text(self)

    def _repr_html_(self) -> str:
        return boxes.claim_html(self)

    def _repr_markdown_(self) -> str:
        return boxes.claim_markdown(self)


def statement(kind: str, section: str, *sources: str, **options: Any) -> Callable[[Callable], Claim]:
    """Make a :class:`Claim` of a generator function: its docstring is the statement, its name the id.

    Parameters
    ----------
    kind : str
        One of ``KINDS`` but "erratum", which is `correction`.
    section : str
        Number of the section of the lecture, ``"4"``, or ``"4 deeper"`` of the notebook beside it.
    sources : str
        Where the notes or the literature state it.
    options
        given, false_alarm, estimators_only, as of `Claim`.

    Raises
    ------
    ValueError
        As `claim`.
    """

    def decorate(check: Callable[..., Iterator[Evidence]]) -> Claim:
        stated: dict[str, Any] = {"statement": _words(check), "sources": sources, "section": section}
        return claim(_id(check), kind=kind, **stated, **options)(check)

    return decorate


def hard_cases(claim: Claim, *, estimators_only: str = "") -> Callable[[Check], Check]:
    """Attach instances to a claim that are checked with it, but are not part of the theorem's text.

    They exist because a wrong program once passed the statement: ties, tiny or huge scales, awkward orders.
    Their names of the implementation and their ``rng`` come as those of the statement do.

    Parameters
    ----------
    claim : Claim
    estimators_only : str
        A sentence that says why the reference implementation is not checked on them.
    """

    def attach(check: Check) -> Check:
        claim.hard.append(HardCases(check, estimators_only))
        return check

    return attach


def correction(group: str, section: str, *sources: str, **options: Any) -> Callable[[Callable], Claim]:
    """Make an erratum of a function whose docstring reads ``Printed: ... Right: ...``.

    The check shows the printed form fail and the right one hold. `misprint` is an erratum with nothing
    numerical to run; `Claim.corrects` makes one that the check of another claim shows.

    Raises
    ------
    ValueError
        If the group is none of ``GROUPS``, or the docstring does not have its two parts.
    """

    def decorate(check: Callable[..., Iterator[Evidence]]) -> Claim:
        form: dict[str, Any] = {"check": check, "module": check.__module__, **options}
        return _erratum(_id(check), group, section, sources, _words(check), **form)

    return decorate


def misprint(name: str, section: str, source: str, words: str) -> Claim:
    """Return the erratum ``"topic.name"`` of notation, ``Printed: ... Right: ...``: nothing is to compute."""
    topic, _, name = name.partition(".")
    return _erratum(f"{topic}.erratum-{name}", "notation", section, (source,), _folded(words))


def _erratum(
    id: str, group: str, section: str, sources: tuple[str, ...], words: str, **options: Any
) -> Claim:
    if group not in GROUPS:
        raise ValueError(f"group must be one of {', '.join(GROUPS)}, got {group!r}")
    parts = re.fullmatch(r"Printed: (.+?)\s+Right: (.+)", words, re.DOTALL)
    if parts is None:
        raise ValueError(f"{id}: the words must read 'Printed: ... Right: ...'")
    form: dict[str, Any] = {"check": None, "printed": parts[1], "corrected": parts[2], "group": group}
    text = f"Printed: {parts[1]} Right: {parts[2]}"
    return Claim(id, "erratum", text, sources, section, **form | options)


def _id(check: Callable) -> str:
    """Return ``topic.name`` of a function ``name`` or ``name_``; ``ex1_2`` is ex1.2.

    The topic is the module's ``TOPIC``, else its name; of a homework what stands before the underscore.
    """
    module = check.__module__.rpartition(".")[2]
    topic = check.__globals__.get("TOPIC", re.sub(r"^(hw\d+)_.*", r"\1", module))
    name = re.sub(r"(?<=\d)_(?=\d)", ".", check.__name__.strip("_"))
    return f"{topic}.{name.replace('_', '-')}"


def _parameters(checks: list[Check]) -> tuple[str, ...]:
    """Return the parameters without a default, each once, in order."""
    every = (p for check in checks for p in inspect.signature(check).parameters.values())
    return tuple(dict.fromkeys(p.name for p in every if p.default is inspect.Parameter.empty))


def _with_constants(check: Any, constants: Mapping[str, Any]) -> Any:
    own = getattr(check, "__kwdefaults__", None) or {}
    if not set(own) & set(constants):
        return check
    other: Any = types.FunctionType(
        check.__code__, check.__globals__, check.__name__, check.__defaults__, check.__closure__
    )
    other.__kwdefaults__ = own | {name: constants[name] for name in own if name in constants}
    return other


def _words(check: Callable) -> str:
    """Return the docstring with its line breaks folded and the check's constants written in."""
    parameters = inspect.signature(check).parameters.values()
    constants = {p.name: p.default for p in parameters if p.default is not inspect.Parameter.empty}

    def write(match: re.Match[str]) -> str:
        value = constants[match[1]]
        return f"{value:,}" if isinstance(value, int) else str(value)

    return re.sub("«(\\w+)»", write, _folded(inspect.getdoc(check) or ""))


def _folded(text: str) -> str:
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def claim(
    id: str,
    *,
    kind: str,
    statement: str,
    sources: tuple[str, ...] = (),
    section: str = "",
    given: tuple[str, ...] = (),
    false_alarm: float = 0.0,
    estimators_only: str = "",
) -> Callable[[Callable], Claim]:
    """Make a :class:`Claim` of the decorated generator function: the form for claims of one's own.

    Raises
    ------
    ValueError
        If the id has no topic, the kind is unknown, or the false-alarm probability is above 1e-9.
    """
    if "." not in id:
        raise ValueError(f"a claim's id has the form 'topic.name', got {id!r}")
    if kind not in KINDS:
        raise ValueError(f"{id}: kind must be one of {', '.join(KINDS)}, got {kind!r}")
    if not 0 <= false_alarm <= MAX_FALSE_ALARM:
        raise ValueError(f"{id}: false_alarm must be between 0 and {MAX_FALSE_ALARM}, got {false_alarm}")

    def decorate(check: Callable[..., Iterator[Evidence]]) -> Claim:
        options: dict[str, Any] = {"estimators_only": estimators_only, "module": check.__module__}
        return Claim(id, kind, statement, sources, section, check, given, false_alarm, **options)

    return decorate


def place(error: BaseException) -> str:
    """Return where in a candidate's file `error` was raised, " (FILE, line N, in NAME)"; "" elsewhere."""
    own = [
        f" ({frame.f_code.co_filename}, line {line}, in {frame.f_code.co_name})"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") == CANDIDATE
    ]
    return own[-1] if own else ""


def _find(module: str, id: str) -> Claim:
    for value in vars(importlib.import_module(module)).values():
        if isinstance(value, Claim) and value.id == id:
            return value
    return _course.find(id)  # an erratum that corrects a claim of another module
