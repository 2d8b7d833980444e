r"""A claim: one statement of the lectures with a check that measures an implementation against it.

The same object is the theorem box of the notebook, the test of the library and the grade of the homework.
A claim asks for the implementation *by name*, as a pytest test asks for a fixture, draws its own instances
from ``rng`` and yields :class:`Evidence`: what was measured, against which bound, within which tolerance. The
statement is the docstring, the id is the module and the name (``bayes.pointwise-min``)::

    @statement("formula", "3", "Yan, proof of Thm 2.1")
    def pointwise_min(conditional_risk, rng, *, n=50):
        r'''$P(f^\star(X) \ne Y \mid X = x) = \min(\eta(x), 1 - \eta(x))$, here at «n» points.'''

A number that words and check share is a keyword with a default: «n» writes it into the statement. A claim is
asked of two implementations, the *board* ``mlnotes.bayes`` and the *estimators* ``mlnotes.estimators.bayes``;
where both have the same object, it stands once. Nothing is registered globally: the claims of a topic are the
:class:`Claim` objects of its module.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import math
import re
import time
import traceback
import types
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from mlnotes import LECTURES as LECTURES
from mlnotes.claims import boxes
from mlnotes.claims.answers import AnswerError, checked

KINDS = (
    "theorem", "claim", "formula", "algorithm", "definition", "example", "homework", "figure", "dataset",
    "erratum",
)  # fmt: skip

# errata: what the notes print is false; a slip of the pen; a hypothesis is missing; true, and more is true
GROUPS = ("wrong", "notation", "hypothesis", "sharper")
SIDES = ("board", "estimators")
CANDIDATE = "candidate"  # the side that is somebody else's file, and the name of this file as a module
MAX_FALSE_ALARM = 1e-9
ROUNDOFF = {"double": 2.0**-53, "single": 2.0**-24}
_ROUNDOFF = ContextVar("unit roundoff", default=ROUNDOFF["double"])

Value: TypeAlias = Any  # a number, fraction or string, or an array of them: ArrayLike knows no fraction


class ClaimError(TypeError):
    """A check that gives something that is no evidence: its author's mistake."""


@dataclass(frozen=True)
class Evidence:
    """One measurement of a claim.

    Attributes
    ----------
    what : str
        What was measured, in words.
    measured : number or str
        The value; of an array, its first entry that breaks the bound, else the one closest to it.
    relation : {"at_most", "at_least", "equal", "within"}
        How `measured` must stand to `bound`.
    bound : number, str or pair of numbers
        The other side; a pair ``(low, high)`` for "within".
    tolerance : number
        Derived slack (rounding, quadrature, concentration); 0 where the comparison is exact.
    holds : bool
        Whether the relation is true; never for NaN.
    instance : mapping
        The inputs that produced the value, to look at when it fails.
    """

    what: str
    measured: Any
    relation: str
    bound: Any
    tolerance: Any
    holds: bool
    instance: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values; a fraction as ``"p/q"``, NaN and infinities as words."""
        pair = self.relation == "within"
        return {
            "what": self.what,
            "measured": boxes.plain(self.measured),
            "relation": self.relation,
            "bound": [boxes.plain(end) for end in self.bound] if pair else boxes.plain(self.bound),
            "tolerance": boxes.plain(self.tolerance),
            "holds": self.holds,
        }


def at_most(what: str, measured: Value, bound: Value, tolerance: Value = 0, **instance: Any) -> Evidence:
    """Evidence that every entry of `measured` is at most `bound` (a scalar, or one bound an entry)."""
    return _evidence(what, "at_most", measured, (bound,), tolerance, instance)


def at_least(what: str, measured: Value, bound: Value, tolerance: Value = 0, **instance: Any) -> Evidence:
    """Evidence that every entry of `measured` is at least `bound`."""
    return _evidence(what, "at_least", measured, (bound,), tolerance, instance)


def equal(what: str, measured: Value, expected: Value, tolerance: Value = 0, **instance: Any) -> Evidence:
    """Evidence that every entry of `measured` differs from `expected` by at most `tolerance`."""
    return _evidence(what, "equal", measured, (expected,), tolerance, instance)


def within(
    what: str, measured: Value, low: Value, high: Value, tolerance: Value = 0, **instance: Any
) -> Evidence:
    """Evidence that every entry of `measured` lies in the closed interval from `low` to `high`."""
    return _evidence(what, "within", measured, (low, high), tolerance, instance)


def _evidence(
    what: str, relation: str, measured: Value, bounds: tuple[Value, ...], tolerance: Value, instance: Any
) -> Evidence:
    value, slack, *ends = (_as_array(side) for side in (measured, tolerance, *bounds))
    shapes = {end.shape for end in (slack, *ends) if end.ndim}
    if value.dtype.kind not in "bifUO" or value.size == 0:
        seen = "nothing" if value.size == 0 else f"values of type {value.dtype}"
        return Evidence(what, seen, "equal", "numbers", 0, False, instance)
    if shapes - {value.shape}:  # a column against a row would broadcast and hide the mistake
        expected = f"shape {min(shapes - {value.shape}, key=len)}"
        return Evidence(what, f"shape {value.shape}", "equal", expected, 0, False, instance)
    violation = np.atleast_1d(_violation(relation, value, ends, slack))
    broken = ~(violation <= 0).astype(bool)  # True for NaN
    where = int(np.argmax(broken)) if broken.any() else int(np.argmax(violation))
    sides = (np.broadcast_to(side, value.shape).reshape(-1)[where] for side in (value, slack, *ends))
    seen, tolerance, *at = (_item(side) for side in sides)
    if value.ndim:
        index = ", ".join(str(i) for i in np.unravel_index(where, value.shape))
        what = f"{what} ({value.size - int(broken.sum())} of {value.size} hold; entry [{index}])"
    bound = tuple(at) if relation == "within" else at[0]
    return Evidence(what, seen, relation, bound, tolerance, not broken.any(), instance)


def _violation(relation: str, value: np.ndarray, ends: list[np.ndarray], slack: np.ndarray) -> Any:
    """Return a number that is at most 0 exactly where the relation holds; NaN where nothing can be said."""
    if value.dtype.kind in "bU" or ends[0].dtype.kind in "bU":
        return (value != ends[0]).astype(np.int64)
    with np.errstate(invalid="ignore", over="ignore"):
        over = _excess(value, ends[-1])
        under = _excess(ends[0], value)
        sides = {"at_most": over, "at_least": under}
        return sides.get(relation, np.maximum(over, under)) - slack


def _excess(left: np.ndarray, right: np.ndarray) -> Any:
    return np.where(left == right, 0, left - right)  # two equal infinities differ by NaN


def _as_array(side: Value) -> np.ndarray:
    array = np.asarray(side)
    if array.dtype.kind not in "iu":
        return array
    return array.astype(object if array.dtype == np.uint64 else np.int64)  # no difference may wrap around


def _item(entry: Any) -> Any:
    return entry.item() if isinstance(entry, (np.ndarray, np.generic)) else entry


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
        notebook beside the lecture does.
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
    engine : str
        Why the board is not asked, in a sentence; empty where it is.
    """

    id: str
    kind: str
    statement: str
    sources: tuple[str, ...]
    section: str
    check: Callable[..., Iterator[Evidence]] | None
    given: tuple[str, ...] = ()
    false_alarm: float = 0.0
    printed: str = ""
    corrected: str = ""
    group: str = ""
    engine: str = ""

    @property
    def topic(self) -> str:
        """The part of the id before the dot: the module, lecture and figure file of that name."""
        return self.id.partition(".")[0]

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the check's parameters; those with a default are constants of the statement."""
        if self.check is None:
            return ()
        parameters = inspect.signature(self.check).parameters.values()
        return tuple(p.name for p in parameters if p.default is inspect.Parameter.empty)

    @property
    def needs(self) -> tuple[str, ...]:
        """Names of the implementation that are under test."""
        return tuple(p for p in self.parameters if p != "rng" and p not in self.given)

    @property
    def random(self) -> bool:
        """Whether the check draws instances; if not, one run says all."""
        return "rng" in self.parameters

    @property
    def illustration(self) -> bool:
        """Whether nothing is under test: the check shows something, and no implementation can fail it."""
        return self.check is not None and not self.needs

    def sides(self) -> tuple[str, ...]:
        """Return which of "board" and "estimators" are asked; one where both have the same objects."""
        if self.engine or self.topic not in LECTURES:
            return ("estimators",)
        try:
            board = [library(self.topic, name, "board") for name in self.needs]
        except LookupError:  # the board does not have it
            return ("estimators",)
        own = [library(self.topic, name, "estimators") for name in self.needs]
        return ("board",) if all(a is b for a, b in zip(board, own, strict=True)) else SIDES

    @property
    def where(self) -> str:
        """The section to read."""
        if self.topic not in LECTURES:
            return self.section
        number, (section, *deeper) = LECTURES.index(self.topic) + 1, self.section.split()
        folder = "lectures/deeper" if deeper else "lectures"
        return f"{folder}/{number:02d}_{self.topic}.ipynb, section {section}"

    @property
    def sizes(self) -> dict[str, int]:
        """The check's whole constants above 1, such as ``n=24``: :meth:`at` may lower them."""
        constants = getattr(self.check, "__kwdefaults__", None) or {}
        return {name: value for name, value in constants.items() if type(value) is int and value > 1}

    def generator(self, seed: int) -> np.random.Generator:
        """Return the stream of random numbers that `seed` gives to this claim alone."""
        return np.random.default_rng([seed, zlib.crc32(self.id.encode())])

    def evidence(self, implementation: Mapping[str, Any], rng: np.random.Generator) -> Iterator[Evidence]:
        """Run the check on the objects that `implementation` binds to the names in `needs`.

        Raises
        ------
        LookupError
            If `implementation` misses a name.
        ClaimError
            If the check gives something that is no evidence; what it returns counts as what it yields.
        """
        missing = [name for name in self.needs if name not in implementation]
        if missing:
            raise LookupError(f"{self.id} needs {', '.join(missing)}, which is not defined")
        check: Any = self.check
        answers = getattr(check, "__globals__", {}).get("ANSWERS", {})
        bound = {name: library(self.topic, name) for name in self.given if name in self.parameters}
        bound |= {name: checked(name, implementation[name], answers) for name in self.needs}
        if self.random:
            bound["rng"] = rng
        given = check(**bound)
        for item in (given,) if isinstance(given, Evidence) or not hasattr(given, "__iter__") else given:
            if not isinstance(item, Evidence):
                raise ClaimError(
                    f"{self.id} gives {item!r:.40}: "
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
        side : {"board", "estimators"}
            Which of the library's two implementations.

        Raises
        ------
        ValueError
            If there is nothing to run: an erratum of notation.
        """
        if self.check is None:
            raise ValueError(f"{self.id} is an erratum of notation; there is nothing to verify")
        if candidate is None:
            candidate = {name: library(self.topic, name, side) for name in self.needs}
        rng = self.generator(seed)
        found: list[Evidence] = []
        start = time.perf_counter()
        status, reason = "holds", ""
        try:
            for item in self.evidence(candidate, rng):
                found.append(item)
        except AnswerError as error:
            status, reason = "fails", str(error)
        except (Exception, SystemExit) as error:  # whatever an implementation raises is its verdict
            status, reason = "error", f"{type(error).__name__}: {error}{place(error)}"
            if self.missing(candidate):
                status, reason = "not found", str(error)
            elif "unexpected keyword argument" in reason or "has no attribute" in reason:
                reason += f"; what this claim asks for is described in {self.where}"
        if status == "holds" and not all(item.holds for item in found):
            status = "fails"
        if status == "holds" and not found:
            status, reason = "error", "the check yielded no evidence"
        return Verdict(self, status, tuple(found), time.perf_counter() - start, reason)

    def missing(self, implementation: Mapping[str, Any]) -> tuple[str, ...]:
        """Names in `needs` that `implementation` does not define."""
        return tuple(name for name in self.needs if name not in implementation)

    def at(self, **constants: Any) -> Claim:
        """Return the claim with other constants of its check: for a question that asks for a part of it.

        Raises
        ------
        ValueError
            If the check has no constant of that name.
        """
        check: Any = self.check
        known = check.__kwdefaults__ or {}
        if unknown := sorted(set(constants) - set(known)):
            raise ValueError(f"{self.id} has the constants {', '.join(known)}, got {', '.join(unknown)}")
        other: Any = types.FunctionType(
            check.__code__, check.__globals__, check.__name__, check.__defaults__, check.__closure__
        )
        other.__kwdefaults__ = known | constants
        return replace(self, check=other)

    def corrects(self, name: str, group: str, section: str, source: str, words: str) -> Claim:
        """Return the erratum `name`, such as "w7", that the check of this claim shows; as `correction`.

        The words read ``Printed: ... Right: ...``; the check measures that the right form holds.
        """
        options = {key: getattr(self, key) for key in ("check", "given", "false_alarm", "engine")}
        return _erratum(f"{self.topic}.erratum-{name}", group, section, (source,), _folded(words), **options)

    def __reduce__(self) -> tuple[Callable[[str], Claim], tuple[str]]:
        # a check is not found under its own name, which the claim has taken: pickle the id
        return _find, (self.id,)

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
        given, false_alarm, engine, as of `Claim`.

    Raises
    ------
    ValueError
        As `claim`.
    """

    def decorate(check: Callable[..., Iterator[Evidence]]) -> Claim:
        stated: dict[str, Any] = {"statement": _words(check), "sources": sources, "section": section}
        return claim(_id(check), kind=kind, **stated, **options)(check)

    return decorate


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
        return _erratum(_id(check), group, section, sources, _words(check), check=check, **options)

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
    """Return ``topic.name`` of a function ``name`` or ``name_`` in a module ``topic``; ``ex1_2`` is ex1.2."""
    topic = check.__module__.rpartition(".")[2]
    topic = re.sub(rf"^(hw\d+|{'|'.join(LECTURES)})_.*", r"\1", topic)
    name = re.sub(r"(?<=\d)_(?=\d)", ".", check.__name__.strip("_"))
    return f"{topic}.{name.replace('_', '-')}"


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
    engine: str = "",
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
        return Claim(id, kind, statement, sources, section, check, given, false_alarm, engine=engine)

    return decorate


def rounding(n_terms: int, scale: float = 1.0) -> float:
    r"""Return the tolerance for a sum of `n_terms` float64 products, whatever the order of operations.

    The classical bound is :math:`n u \sum_i |a_i b_i|` with :math:`u = 2^{-53}` (Higham, *Accuracy and
    Stability of Numerical Algorithms*, section 3.1); it is widened by 1,000 for other ways of computing.

    Parameters
    ----------
    n_terms : int
    scale : float
        A bound on the sum of the absolute values of the terms.

    Notes
    -----
    Within :func:`precision` of "single", as for a homework part that says so, u is :math:`2^{-24}`.
    """
    return 1000 * n_terms * _ROUNDOFF.get() * scale


@contextmanager
def precision(name: str) -> Iterator[None]:
    """Let :func:`rounding` allow for computations in "double" or "single" precision in the block."""
    token = _ROUNDOFF.set(ROUNDOFF[name])
    try:
        yield
    finally:
        _ROUNDOFF.reset(token)


def hoeffding(n: int, failure: float, width: float = 1.0) -> float:
    r"""Return t with :math:`P(|\bar X_n - E X| \ge t) \le` `failure` (Hoeffding, 1963, theorem 2).

    Parameters
    ----------
    n : int
        Number of independent draws.
    failure : float
        Two-sided probability of a larger deviation.
    width : float
        Length of an interval that contains every draw.
    """
    return width * math.sqrt(math.log(2 / failure) / (2 * n))


def bernstein(n: int, variance: Any, failure: float) -> Any:
    r"""Return t with :math:`P(|\bar X_n - E X| \ge t) \le` `failure`, each of n draws within 1 of its mean.

    Bernstein: at most :math:`2 \exp(-n t^2 / (2 v + 2 t / 3))`, v the average `variance`, solved for t.
    """
    log_term = math.log(2 / failure) / n
    return log_term / 3 + np.sqrt((log_term / 3) ** 2 + 2 * np.maximum(variance, 0) * log_term)


def place(error: BaseException) -> str:
    """Return where in a candidate's file `error` was raised, " (FILE, line N, in NAME)"; "" elsewhere."""
    own = [
        f" ({frame.f_code.co_filename}, line {line}, in {frame.f_code.co_name})"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") == CANDIDATE
    ]
    return own[-1] if own else ""


def _find(id: str) -> Claim:
    return importlib.import_module("mlnotes.claims").find(id)


def library(topic: str, name: str, side: str = "estimators") -> Any:
    """Return the library's object of a name that claims ask for.

    Parameters
    ----------
    topic, name : str
    side : {"board", "estimators", "laws"}
        "estimators" prefers theirs, and takes the board's where a formula stands there alone. All have the
        laws; "laws" has nothing else.

    Raises
    ------
    LookupError
        If neither they nor the laws have it.
    """
    own = [f"mlnotes.estimators.{topic}"] if side == "estimators" else []
    own += [f"mlnotes.{topic}"] if side != "laws" else []
    for room in [*own, *(f"mlnotes.laws.{room}" for room in ("datasets", "losses", "programs"))]:
        if importlib.util.find_spec(room) and hasattr(importlib.import_module(room), name):
            return getattr(importlib.import_module(room), name)
    raise LookupError(f"the {side} of {topic} have no {name}, nor have the laws")
