r"""What an assignment is, as data: parts, the names a student writes, points, and the claims that decide.

An instructor's own assignment is one Python file that defines ``assignment = Assignment(...)``. Its parts are
declared by the stubs that students get, see `mlnotes.grading.assignment.stubs`, which make the `Function`,
`Class` and `Value` of a part; a part that is marked by hand is a `Part`.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from numbers import Real
from pathlib import Path
from types import ModuleType
from typing import Any

from mlnotes.checking import Claim
from mlnotes.grading.assignment.validation import all_of, check_points, check_text

COURSE = "mlnotes.homework"  # the package whose modules hwNN_... are the assignments that have an id
EXAM = "exam-"  # begins the id of an exam, which nobody can check at home
_VARIANT = re.compile(r"(.+)-v(\d{1,9})")
_KINDS = ("f", "i", "b", "U", "fraction", "any")
Adapter = Callable[[Mapping[str, Any]], Mapping[str, Any]]
Change = Callable[["Assignment"], "Assignment"]


@dataclass(frozen=True)
class Value:
    """What one argument or result is.

    Parameters
    ----------
    kind : {"f", "i", "b", "U", "fraction", "any"}
        Real numbers, integers, booleans, strings, exact rationals, or a plain value of any of these.
    shape : tuple of int and str
        ``()`` for a scalar. A letter stands for a length; the same letter in the arguments and the result
        of one call means the same length.
    minimum, maximum : float, optional
        Accepted range, both ends included.
    infinite : bool, default False
        Whether infinities are meaningful (NaN never is).
    meaning : str
        A few words for the handout: unit, coding.
    below : str
        The letter of a length that every entry is less than: the values are indices.

    Raises
    ------
    ValueError
        If a field is none of these, or `minimum` is above `maximum`.
    """

    kind: str = "f"
    shape: tuple[int | str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    infinite: bool = False
    meaning: str = ""
    below: str = ""

    def __post_init__(self) -> None:
        shape: Any = self.shape
        limits: list[Any] = [limit for limit in (self.minimum, self.maximum) if limit is not None]
        if self.kind not in _KINDS:
            raise ValueError(f"kind must be one of {', '.join(_KINDS)}, got {self.kind!r}")
        if not isinstance(shape, tuple) or not all(isinstance(n, int) or _is_letter(n) for n in shape):
            raise ValueError(f"shape must be a tuple such as (), ('n',) or ('n', 2), got {shape!r}")
        if not all(isinstance(limit, Real) for limit in limits) or sorted(limits) != limits:
            raise ValueError(
                f"a range must be of two numbers, the least first, got {self.minimum!r} and {self.maximum!r}"
            )
        if self.below and (self.kind != "i" or not _is_letter(self.below)):
            raise ValueError(
                f"a half-open range must be of integers, and `below` a letter, got {self.below!r} and the "
                f"kind {self.kind!r}"
            )


def _is_letter(given: Any) -> bool:
    return isinstance(given, str) and given.isidentifier()


@dataclass(frozen=True)
class Function:
    """A function that the student writes.

    Parameters
    ----------
    name : str
    parameters : mapping of str to Value
    returns : Value, tuple of Value or None
        None for a method such as ``fit`` whose result is not used: the call gives the instance itself.
    doc : str
        Body of the docstring in the handout: what it computes, tie rules, divisors.
    canonical : function, optional
        Where an answer may be written in several ways: makes one form of it, by which mistakes are told,
        from the answer and the arguments of the call.
    """

    name: str
    parameters: Mapping[str, Value]
    returns: Value | tuple[Value, ...] | None
    doc: str
    canonical: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        check_text(self.doc, f"doc of {self.name}")


@dataclass(frozen=True)
class Class:
    """A class that the student writes: constructor parameters, methods, attributes to be read after fit."""

    name: str
    parameters: Mapping[str, Value]
    methods: tuple[Function, ...]
    doc: str
    attributes: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_text(self.doc, f"doc of {self.name}")


@dataclass(frozen=True)
class Part:
    """One question of an assignment.

    The points are earned iff every claim holds. `credit` may give shares of them while some claim fails.

    Parameters
    ----------
    name : str
        Identifier, unique in the assignment.
    points : float
    claims : tuple of Claim
        What decides; those not listed in `credit` are its gate.
    writes : tuple of Function or Class
        What the student defines; found by name.
    question : str
        Markdown for the handout.
    adapt : mapping of str to object, or callable, optional
        What the claims ask for beside the student's own names, by its name: a function, which gets what the
        student writes before the arguments of the claim; a class, which has it as an attribute of its name;
        or, for a class of the student's, its methods by the names of the claim; what its constructor is
        given by name arrives by place. A callable maps the student's names to all names of the claims. It
        runs in the grader, so it may convert conventions but must not repair mistakes.
    given : mapping of str to object
        Names that the claims need and the part hands out, such as the library's own ``risk``.
    credit : tuple of (Claim, str, tuple of (threshold, share))
        Partial credit by a residual: a claim, the `what` of its evidence (single numbers), and falling
        thresholds with rising shares, such as :func:`log_scale` makes. Where a claim listed here fails and
        all others hold, the share of the smallest threshold that the worst residual does not exceed is
        earned (the least of the shares, if several claims are listed).
    manual : bool
        A written derivation, marked by hand; `rubric` says how.
    seconds, megabytes : float
        Limits of one call, and of the worker.
    often : mapping of str to str
        Of a verdict, such as "TIME", or an exception, such as "LinAlgError", what most often leads there;
        said where the mistake is not known.
    precision : {"double", "single"}
        With "single", tolerances by :func:`mlnotes.checking.rounding` allow for computations with float32.

    Raises
    ------
    ValueError
        If `points` is no number above 0, a field is of another class, a text has control characters, a claim
        asks for a name that is not there, `precision` is another word, the shares of `credit` do not rise to
        at most 1 as thresholds fall, a function has no result, or a letter that ends a range has no length.
    """

    name: str
    points: float
    question: str
    claims: tuple[Claim, ...] = ()
    writes: tuple[Function | Class, ...] = ()
    adapt: Adapter | Mapping[str, Any] | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    credit: tuple[tuple[Claim, str, tuple[tuple[float, float], ...]], ...] = ()
    manual: bool = False
    rubric: str = ""
    seconds: float = 10.0
    megabytes: int = 2048
    precision: str = "double"
    often: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_points(self.points, self.name)
        check_text(self.question, f"question of {self.name}")
        all_of(Claim, self.claims, f"claims of {self.name}")
        if self.precision not in ("double", "single"):
            raise ValueError(f"precision of {self.name} must be 'double' or 'single', got {self.precision!r}")
        for claim, _, steps in self.credit:
            falling = sorted(steps, reverse=True)
            shares = [0.0, *(share for _, share in falling), 1.0]
            if any(low > high for low, high in pairwise(shares)):
                raise ValueError(
                    f"credit of {self.name} by {claim.id}: shares must rise to at most 1 as thresholds fall, "
                    f"got {steps}"
                )
        for item in self.writes:
            _check_results(item)
        if not callable(self.adapt):
            self._check_names({*self.given, *(item.name for item in self.writes), *(self.adapt or ())})

    def _check_names(self, names: Collection[str]) -> None:
        for claim in self.asks:
            if missing := [name for name in claim.needs if name not in names]:
                raise ValueError(
                    f"{claim.id} needs {', '.join(missing)}, which {self.name} does not provide; it provides "
                    f"{', '.join(sorted(names)) or 'no name'}"
                )

    @property
    def asks(self) -> tuple[Claim, ...]:
        """The claims that decide and those of partial credit, each once."""
        return tuple(dict.fromkeys((*self.claims, *(claim for claim, _, _ in self.credit))))

    def bind(self, student: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the claims ask for, given the objects that the student wrote.

        Raises
        ------
        LookupError
            If a name that the part declares is missing.
        ValueError
            If one that a claim asks for is not there.
        """
        missing = [item.name for item in self.writes if item.name not in student]
        if missing:
            raise LookupError(f"{self.name} needs {', '.join(missing)}, which is not defined")
        declared = {item.name: student[item.name] for item in self.writes}
        if callable(self.adapt):
            bound = {**self.given, **self.adapt(declared)}
            self._check_names(bound)
            return bound
        own = {name: adapted(how, declared) for name, how in (self.adapt or {}).items()}
        return {**self.given, **declared, **own}


def _check_results(item: Function | Class) -> None:
    """Refuse a function that gives nothing, and a range up to a letter that nothing gives a length."""
    calls = item.methods if isinstance(item, Class) else (item,)
    values = list(item.attributes.values()) if isinstance(item, Class) else []
    lengths: set[Any] = set()
    for call in calls:
        values += call.returns if isinstance(call.returns, tuple) else [call.returns or Value()]
    for parameters in (item.parameters, *(call.parameters for call in calls)):
        values += parameters.values()
        lengths |= {name for name, value in parameters.items() if (value.kind, value.shape) == ("i", ())}
    lengths = lengths.union(*(value.shape for value in values))
    for value in values:
        if value.below and value.below not in lengths:
            raise ValueError(
                f"a range of {item.name} ends below {value.below}, which is no length of its arrays and no "
                "argument that is one integer"
            )
    if isinstance(item, Function) and item.returns is None:
        raise ValueError(
            f"{item.name} must say what it returns, else no answer is checked: by `returns` of Function, or "
            "in a line 'returns' of its stub's last paragraph"
        )


def adapted(how: Any, student: Mapping[str, Any]) -> Any:
    """Return what a claim asks for, made of what the student writes: see `adapt` of `Part`."""
    if isinstance(how, type):
        return type(how.__name__, (how,), {name: staticmethod(value) for name, value in student.items()})
    if isinstance(how, Mapping):
        (model,) = student.values()
        methods = {name: _renamed(own) for name, own in how.items()}
        return type("Renamed", (_Renamed,), {"student": staticmethod(model), **methods})

    def answer(*arguments: Any, **options: Any) -> Any:
        return how(*student.values(), *arguments, **options)

    return answer


class _Renamed:
    """A class of the student's under the names of a claim."""

    student: Any

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.model = self.student(*arguments, *options.values())


def _renamed(own: str) -> Callable[..., Any]:
    def method(self: _Renamed, *arguments: Any) -> Any:
        answer = getattr(self.model, own)(*arguments)
        return self if answer is None or answer is self.model else answer

    return method


def log_scale(first: float, last: float, shares: int) -> tuple[tuple[float, float], ...]:
    """Return steps of partial credit, evenly spaced in the logarithm of a residual.

    Parameters
    ----------
    first, last : float
        Residuals that earn the least share, ``1 / shares``, and all of it; ``0 < last < first``.
    shares : int
        How many steps, at least 2.

    Raises
    ------
    ValueError
        If the residuals do not fall or there are fewer than two steps.

    Examples
    --------
    >>> log_scale(1e-1, 1e-6, 2)
    ((0.1, 0.5), (1e-06, 1.0))
    """
    if not (0 < last < first and shares >= 2):
        raise ValueError(f"log_scale needs 0 < last < first and 2 steps, got {first}, {last} and {shares}")
    ratio = (last / first) ** (1 / (shares - 1))
    thresholds = [*(first * ratio**k for k in range(shares - 1)), last]
    return tuple((threshold, (k + 1) / shares) for k, threshold in enumerate(thresholds))


@dataclass(frozen=True)
class Mutant:
    """A typical wrong solution, for ``mlnotes grade --audit``.

    Parameters
    ----------
    name : str
    source : str
        Definitions that replace those of the model solution.
    loses : tuple of str
        The parts that must lose points; every other part must keep them.
    sentence : str
        What is wrong, for a student whose answers are the same ("Divides by n in place of n - 1.").
    """

    name: str
    source: str
    loses: tuple[str, ...]
    sentence: str = ""

    def __post_init__(self) -> None:
        all_of(str, self.loses, f"loses of the mutant {self.name!r}")


@dataclass(frozen=True)
class Assignment:
    """A homework: its id, title, version (a new one redraws every instance) and parts.

    Parameters
    ----------
    id, title, version : str
    parts : tuple of Part
    lecture : str
        Path of the notebook to read.
    intro : str
        Markdown at the top of the handout.
    solution : str
        Source of the model solution, which the audit runs; never part of the handout.
    mutants : tuple of Mutant
        Wrong solutions that the audit runs; every claim should fail for one of them.
    load_seconds : float
        Limit for running one cell, or the script, before anything is asked.
    show_calls : bool, default False
        Whether class feedback shows the calls that failed, with their arguments: for an assignment whose
        draws may be seen. A student's own check always shows them.
    variants : mapping of int to Assignment, or tuple of Change, optional
        The same questions for another distribution, loss or convention, so that answers of last year do not
        fit. Each of m changes, such as `mlnotes.homework.variant` makes, or tuples of them, is made or not:
        variant 5 makes the first and the third, and there are 2^m - 1. Variant 2 of hw01 is the assignment
        ``hw01-v2``.
    packages : tuple of str
        What may be imported besides the standard library and NumPy, such as ``("scipy",)``: names as they are
        imported. Their files, and those of what they need, are copied into the sandbox.
    sheets : callable, optional
        Of an exam: from a student's id to the assignment as that student has it, with the same names of parts
        and the same points. It raises LookupError for whom there is no sheet.
    file : str
        Name of the file that it was loaded from, if it is an instructor's own.

    Raises
    ------
    ValueError
        If `packages` is one string, `parts` has something else in it, a part has nothing that decides, or two
        parts have the same name, or two claims the same id.
    """

    id: str
    title: str
    parts: tuple[Part, ...]
    version: str = "1"
    lecture: str = ""
    intro: str = ""
    solution: str = ""
    mutants: tuple[Mutant, ...] = ()
    load_seconds: float = 10.0
    show_calls: bool = False
    variants: Mapping[int, Assignment] | tuple[Change | tuple[Change, ...], ...] | None = None
    packages: tuple[str, ...] = ()
    sheets: Callable[[str], Assignment] | None = None
    file: str = ""

    def __post_init__(self) -> None:
        given: Any = self.packages
        if isinstance(given, str):
            raise ValueError(f"packages of {self.id} must be a tuple of names, got {given!r}")
        all_of(Part, self.parts, f"parts of {self.id}")
        names = [part.name for part in self.parts]
        if len(set(names)) < len(names):
            raise ValueError(f"the parts of {self.id} must have different names, got {', '.join(names)}")
        claims: dict[str, Claim] = {}
        for part in self.parts:
            if not part.manual and not part.asks:
                raise ValueError(
                    f"{part.name} must have a claim that decides, such as @part(2, claim), or manual=True"
                )
            for claim in part.asks:
                if claims.setdefault(claim.id, claim).statement != claim.statement:
                    raise ValueError(f"two claims of {self.id} have the id {claim.id!r}; give each its own")

    @property
    def reference(self) -> str:
        """What commands and ``check(...)`` call it: the id, or the file of an instructor's own."""
        return self.file + split_variant(self.id)[1] if self.file else self.id

    @property
    def points(self) -> float:
        """The sum of the points of the parts."""
        return sum(part.points for part in self.parts)

    def of(self, student: str) -> Assignment:
        """Return the assignment as a student has it: itself, unless everyone has another sheet.

        Raises
        ------
        LookupError
            If there is no sheet for the student.
        """
        return self.sheets(student) if self.sheets else self

    def part(self, name: str) -> Part:
        """Return the part called `name`.

        Raises
        ------
        ValueError
            If there is none; the message lists the names.
        """
        for part in self.parts:
            if part.name == name:
                return part
        names = ", ".join(part.name for part in self.parts)
        raise ValueError(f"{self.id} has no part {name!r}; its parts are {names}")

    def variant(self, number: int) -> Assignment:
        """Return the variant of that number, whose id ends in it: ``hw01-v2``.

        Raises
        ------
        ValueError
            If there is none.
        """
        if self.variants is None:
            raise ValueError(f"{self.id} has no variants")
        if isinstance(self.variants, tuple):
            last = 2 ** len(self.variants) - 1
            if not 1 <= number <= last:
                raise ValueError(f"{self.id} has the variants 1 to {last}, got {number}")
            other = self
            for changes in (each for bit, each in enumerate(self.variants) if number >> bit & 1):
                for change in changes if isinstance(changes, tuple) else (changes,):
                    other = change(other)
        elif number in self.variants:
            other = self.variants[number]
        else:
            raise ValueError(f"{self.id} has the variants {', '.join(map(str, self.variants))}, got {number}")
        return replace(other, id=f"{self.id}-v{number}", variants=None, file=self.file)


def changing(**parts: Callable[[Part], Part]) -> Change:
    """Return the change of an assignment that changes the parts of these names, for its `variants`.

    Raises
    ------
    ValueError
        When it is made, if there is no part of such a name.
    """

    def change(assignment: Assignment) -> Assignment:
        others = {name: turn(assignment.part(name)) for name, turn in parts.items()}
        return replace(assignment, parts=tuple(others.get(part.name, part) for part in assignment.parts))

    return change


def replaced(text: str, old: str, new: str) -> str:
    """Return a text with one passage in place of another.

    Raises
    ------
    ValueError
        If it is not there.
    """
    if old not in text:
        raise ValueError(f"the variant exchanges {old!r}, which is not in the text")
    return text.replace(old, new)


def course() -> ModuleType | None:
    """Return the package ``COURSE``; None where it is not installed.

    It may define ``solved(id)``, which returns an assignment with its solution and mutants, or None.
    """
    try:
        return importlib.import_module(COURSE)
    except ModuleNotFoundError as error:
        if error.name == COURSE:
            return None
        raise


def assignments() -> dict[str, str]:
    """Return the modules of the course's assignments by id, such as ``{"hw01": "...hw01_bayes"}``."""
    found = [module.name for module in pkgutil.iter_modules(getattr(course(), "__path__", []))]
    return {name.partition("_")[0]: f"{COURSE}.{name}" for name in sorted(found) if name[:2] == "hw"}


def split_variant(id_or_path: str) -> tuple[str, str]:
    """Return a reference without its variant, and the variant: ``("hw01", "-v2")``, ``("hw01", "")``."""
    found = _VARIANT.fullmatch(id_or_path)
    return (found[1], f"-v{found[2]}") if found else (id_or_path, "")


def load(id_or_path: str) -> Assignment:
    """Return an assignment of the library by its id, or an instructor's own by the path of its file.

    Either may end in ``-v`` and a number: that variant of it.

    Raises
    ------
    ValueError
        If there is no such assignment, or the file defines no ``assignment``.
    """
    name, variant = split_variant(id_or_path)
    if variant:
        return load(name).variant(int(variant[2:]))
    known = assignments()
    if id_or_path in known:
        return importlib.import_module(known[id_or_path]).assignment
    path = Path(id_or_path)
    if path.suffix != ".py":
        accepted = ", ".join([*known, "a .py file"])
        raise ValueError(f"assignment must be one of {accepted}, got {id_or_path!r}")
    if not path.is_file():
        raise ValueError(f"no such file: {path}" + ("" if path.is_absolute() else f" (in {Path.cwd()})"))
    spec = importlib.util.spec_from_file_location(f"mlnotes.grading.own.{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # dataclasses look there
    spec.loader.exec_module(module)
    found = getattr(module, "assignment", None)
    if not isinstance(found, Assignment):
        raise ValueError(f"{path} must define 'assignment', an Assignment; it defines none")
    return replace(found, file=path.name)
