r"""A question is declared by the stub that a student gets: a definition whose docstring says what is asked.

Its paragraphs are the question, then what the student's docstring says, then a line for each value::

    @part(2, agrees_at_c)
    def switch(scale):
        r'''**Derive.** One feature, equal priors, $N(0, 1)$ against $N(0, s^2)$ with $s \ne 1$. QDA answers
        one class for $|x| < c$ and the other for $|x| > c$. What is $c$?

        Return c.

        scale >= 0: s > 0, not 1
        returns: c > 0
        '''

A line has names, a shape, a kind, a range and, after a colon, the meaning; only the names must be there::

    points, places (n, d): one row a point
    labels (n,) int in [0, K): indices below K
    share in [0, 1]
    price >= 0 or infinite: the penalty of a slack

What has no shape is a number, and what has no kind (`int`, `bool`, `str`, `fraction`, `any`) is real. Several
lines `returns` are a tuple, none is a method whose result is not used. A class describes its attributes and
the parameters of its constructor; what it describes once holds in all of its methods.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from mlnotes.checking import Claim
from mlnotes.grading.assignment.parts import Change, Class, Function, Part, Value, adapted, changing, replaced
from mlnotes.grading.assignment.validation import check_points, check_text

_LINE_IS = (
    "a line of the last paragraph is NAME (shape) kind range: meaning, of which only the name must be there; "
    "a shape is (n,) or (n, 2), a kind is int, bool, str, fraction or any (real numbers have none), a range "
    "is '>= 0', 'in [0, 1]' or, of int, 'in [0, n)', also with 'or infinite'; a result is named returns"
)
_KINDS = {"int": "i", "bool": "b", "str": "U", "fraction": "fraction", "any": "any"}
_LINE = re.compile(
    r"(?P<names>\w+(?:, \w+)*)(?: \((?P<shape>\w+(?:, \w+)*),?\))?(?: (?P<kind>int|bool|str|fraction|any))?"
    r"(?: >= (?P<least>[-.\de]+)| in \[(?P<low>[-.\de]+), (?:(?P<high>[-.\de]+)\]|(?P<below>\w+)\)))?"
    r"(?P<infinite> or infinite)?(?:: (?P<meaning>.+))?"
)
_LIKE_A_LINE = re.compile(
    r"\w+(?:, \w+)*(?: ?[(\[:<>]| in [(\[]| (?:int|bool|str|fraction|any|real|float)\b|$)"
)


def part(
    points: float,
    *claims: Claim,
    name: str = "",
    canonical: Mapping[str, Callable[..., Any]] | None = None,
    **options: Any,
) -> Callable[[Any], Part]:
    """Make a :class:`Part` of a stub.

    Parameters
    ----------
    points : float
    claims : Claim
        What decides.
    name : str, optional
        Of the part, if not that of the definition.
    canonical : mapping of str to function, optional
        As of `Function`, by the names of functions or methods.
    options
        Other fields of the part, such as `adapt`.

    Raises
    ------
    ValueError
        If there is no question, a parameter is not described, or something else is.
    """
    check_points(points, "@part, which stand before the claims, as in @part(2, claim),")

    def declare(stub: Any) -> Part:
        texts, values = _read(stub.__doc__ or "", stub, always=inspect.isfunction(stub))
        if len(texts) < 2:
            raise ValueError(
                f"the docstring of {stub.__name__} must have the question, then what students read"
            )
        *question, doc = texts
        read = _class if inspect.isclass(stub) else _function
        written = read(stub, doc, values, canonical or {}, {})
        return Part(name or stub.__name__, points, _folded(question), claims, (written,), **options)

    return declare


def variant(
    name: str, *exchanged: tuple[str, str], stub: str = "", **changes: Any
) -> Callable[[Any], Change]:
    """Make the change of a part into another convention, for the `variants` of an assignment.

    It decorates a function that answers the old question: its arguments are what the student writes for the
    new one, and those of the old one. Its docstring says what differs in the stub: another docstring, with
    another question before it; all parameters, of which those that stay are named only; all results. Where
    `adapt` is given it is not called.

    Parameters
    ----------
    name : str
        Of the part.
    exchanged : pairs of str
        What is written in place of what in the question; an empty first one: at its end.
    stub : str, optional
        In place of the docstring.
    changes
        Other fields of the part.

    Raises
    ------
    ValueError
        If `exchanged` is no pairs; when it is made, if a text to be replaced is not in the question.
    """
    if any(isinstance(pair, str) or len(pair) != 2 for pair in exchanged):
        raise ValueError(f"@variant({name!r}) takes pairs of texts, (old, new), got {exchanged!r}")

    def decorate(convert: Callable[..., Any]) -> Change:
        def turned(part: Part) -> Part:
            (written,) = part.writes
            texts, values = _read(stub or convert.__doc__ or "", convert, written.parameters)
            if isinstance(written, Function) and (texts or values):
                written = replace(written, canonical=None)  # which is of the old answers
            said: dict[str, Any] = {"doc": texts and texts[-1], "returns": _returns(values)}
            said["parameters"] = {name: value for name, value in values if name != "returns"}
            written = replace(written, **{key: value for key, value in said.items() if value})
            question = _folded(texts[:-1]) or part.question
            for old, new in exchanged:
                question = replaced(question, old, new) if old else f"{question} {new}"

            def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
                return part.bind({written.name: adapted(convert, student)})

            restated: dict[str, Any] = {"question": question, "writes": (written,), "adapt": adapt}
            return replace(part, **restated | changes)

        return changing(**{name: turned})

    return decorate


def _folded(paragraphs: list[str]) -> str:
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _name(stub: Any) -> str:
    return stub.__qualname__.rpartition("<locals>.")[2]


def _read(
    doc: str, stub: Any, known: Mapping[str, Value] | None = None, *, always: bool = False
) -> tuple[list[str], list[tuple[str, Value]]]:
    """Return the paragraphs of a docstring and the values that its last one describes.

    A name alone is described as it is `known`. Unless the last of several paragraphs `always` describes
    values, it is text where no line of it has more than a name and its first line is like none.

    Raises
    ------
    ValueError
        If a line describes nothing.
    """
    check_text(doc, f"the docstring of {_name(stub)}")
    *texts, last = inspect.cleandoc(doc).split("\n\n")
    lines = [(line, _LINE.fullmatch(line)) for line in last.splitlines()]
    described = (always and texts) or all(match for _, match in lines) or _LIKE_A_LINE.match(last)
    if not described and not any(match and match[0] != match["names"] for _, match in lines):
        return [*texts, last], []
    values: list[tuple[str, Value]] = []
    for line, match in lines:
        if match is None or line.split()[0] in ("return", "Return", "Returns"):
            raise ValueError(f"the docstring of {_name(stub)} has the line {line.strip()!r}, but {_LINE_IS}")
        try:
            value = _value(match)
        except ValueError as error:
            raise ValueError(f"the docstring of {_name(stub)} has the line {line!r}: {error}") from None
        names = match["names"].split(", ")
        if twice := {name for name, _ in values if name != "returns"}.intersection(names):
            raise ValueError(
                f"the docstring of {_name(stub)} describes {', '.join(twice)} twice, by {line!r} too"
            )
        values += [(n, (known or {}).get(n, value) if value == Value() else value) for n in names]
    return texts, values


def _value(line: re.Match[str]) -> Value:
    low, high, below = line["least"] or line["low"], line["high"], line["below"] or ""
    if line["kind"] == "int" and below.isdigit():  # integers below 2 are at most 1
        high, below = str(int(below) - 1), ""
    return Value(
        _KINDS.get(line["kind"], "f"),
        tuple(int(n) if n.isdigit() else n for n in re.findall(r"\w+", line["shape"] or "")),
        minimum=float(low) if low else None,
        maximum=float(high) if high else None,
        infinite=bool(line["infinite"]),
        meaning=line["meaning"] or "",
        below=below,
    )


def _returns(values: list[tuple[str, Value]]) -> Any:
    found = tuple(value for name, value in values if name == "returns")
    return found[0] if len(found) == 1 else found or None


def _function(
    stub: Any,
    doc: str,
    values: list[tuple[str, Value]],
    canonical: Mapping[str, Any],
    known: Mapping[str, Value],
) -> Function:
    names = [name for name in inspect.signature(stub).parameters if name != "self"]
    described = {name: value for name, value in values if name != "returns"}
    if wrong := {*names} - {*known, *described} | {*described} - {*names}:
        raise ValueError(
            f"the docstring of {_name(stub)} must describe each parameter in a line of its last paragraph, "
            f"without blank lines, and nothing else; look at {', '.join(sorted(wrong))}"
        )
    parameters = {name: {**known, **described}[name] for name in names}
    return Function(stub.__name__, parameters, _returns(values), doc, canonical.get(stub.__name__))


def _class(
    stub: Any,
    doc: str,
    values: list[tuple[str, Value]],
    canonical: Mapping[str, Any],
    known: Mapping[str, Value],
) -> Class:
    known, methods = {**known, **dict(values)}, {}
    for method in filter(inspect.isfunction, vars(stub).values()):
        texts, own = _read(method.__doc__ or "", method, known)
        methods[method.__name__] = _function(method, "\n\n".join(texts), own, canonical, known)
        known |= methods[method.__name__].parameters
    start = methods.pop("__init__", Function("", {}, None, ""))
    taken = {*start.parameters}.union(*(method.parameters for method in methods.values()))
    attributes = {name: value for name, value in values if name not in taken}
    return Class(stub.__name__, start.parameters, tuple(methods.values()), doc, attributes)
