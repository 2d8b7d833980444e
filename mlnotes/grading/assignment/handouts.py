"""The student's notebook of an assignment: statement, stubs, and a cell that checks each part."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from mlnotes.grading.assignment.parts import Assignment, Class, Function, Part, Value

_KINDS = {"f": "float", "i": "int", "b": "bool", "U": "str", "fraction": "Fraction", "any": "object"}


def handout(assignment: Assignment, *, rubric: bool = False) -> dict[str, Any]:
    """Return the notebook (format 4.5) of an assignment as plain JSON values, the same every time.

    With `rubric` it prints how written parts are marked, which may give their answer away.
    """
    cells = [
        markdown(assignment, "title", _title(assignment)),
        code(assignment, "imports", _imports(assignment)),
    ]
    for part in assignment.parts:
        cells.append(markdown(assignment, f"{part.name}-question", _question(part, rubric)))
        if part.manual:
            cells.append(markdown(assignment, f"{part.name}-answer", "*Write your answer here.*"))
            continue
        cells.append(code(assignment, f"{part.name}-code", "\n\n\n".join(stub(item) for item in part.writes)))
        cells.append(code(assignment, f"{part.name}-check", f'check("{assignment.reference}.{part.name}")'))
    return notebook(assignment, cells)


def notebook(assignment: Assignment, cells: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the cells as a notebook that says which assignment it is of."""
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "mlnotes": {"assignment": assignment.id, "version": assignment.version},
    }
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def handout_text(assignment: Assignment, *, rubric: bool = False) -> str:
    """Return the notebook as the text of an .ipynb file."""
    return notebook_text(handout(assignment, rubric=rubric))


def notebook_text(notebook: Mapping[str, Any]) -> str:
    """Return a notebook as the text of an .ipynb file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def script(assignment: Assignment) -> str:
    """Return the empty handout as a script: what a student who wrote nothing hands in."""
    cells = handout(assignment)["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code") + "\n"


def stub(item: Function | Class, indent: str = "") -> str:
    """Return a definition whose docstring says the shapes and whose body is to be written."""
    if isinstance(item, Class):
        inside = indent + "    "
        start = stub(Function("__init__", item.parameters, None, ""), inside)
        methods = [start if item.parameters else f"{inside}def __init__(self):\n{inside}    pass"]
        methods += [stub(method, inside) for method in item.methods]
        documented = _docstring(item.doc, {}, None, item.attributes, indent + "    ")
        return f"{indent}class {item.name}:\n{documented}\n\n" + "\n\n".join(methods)
    names = ", ".join([*(["self"] if indent else []), *item.parameters])
    documented = _docstring(item.doc, item.parameters, item.returns, {}, indent + "    ")
    return f"{indent}def {item.name}({names}):\n{documented}\n{indent}    raise NotImplementedError"


def _docstring(
    doc: str,
    parameters: Mapping[str, Value],
    returns: Value | tuple[Value, ...] | None,
    attributes: Mapping[str, Value],
    indent: str,
) -> str:
    lines = doc.strip().splitlines()
    for title, described in (("Parameters", parameters), ("Attributes", attributes)):
        if described:
            lines += ["", title, "-" * len(title)]
            lines += [line for name, value in described.items() for line in _described(name, value)]
    if returns is not None:
        lines += ["", "Returns", "-------"]
        values = returns if isinstance(returns, tuple) else (returns,)
        lines += [line for value in values for line in _described("", value)]
    lines = lines[1:] if lines and not lines[0] else lines
    body = "\n".join(f"{indent}{line}".rstrip() for line in lines)
    quote = 'r"""' if "\\" in body else '"""'
    end = f"\n{indent}" if len(lines) > 1 or body.endswith(('"', "\\")) else ""
    return f'{indent}{quote}{body.lstrip()}{end}"""'


def _described(name: str, value: Value) -> list[str]:
    kind = _KINDS[value.kind]
    if value.shape:
        shape = ", ".join(map(str, value.shape)) + ("," if len(value.shape) == 1 else "")
        array = f"array ({shape}) of {kind}"
        kind = f"list of {kind}, length {value.shape[0]}" if value.kind == "fraction" else array
    limits = [value.minimum, value.maximum]
    if None not in limits:
        kind += f" in [{limits[0]:g}, {limits[1]:g}]"
    if value.below:
        kind += f", from {value.minimum or 0:g} to {value.below} - 1"
    meaning = [f"    {value.meaning}"] if value.meaning else []
    return [f"{name} : {kind}" if name else kind, *meaning]


def _title(assignment: Assignment) -> str:
    reading = f"Read first: `{assignment.lecture}`." if assignment.lecture else ""
    above = "".join(f"{text}\n\n" for text in (assignment.intro.strip(), reading) if text)
    return (
        f"# {assignment.title}\n\n{above}"
        f"{assignment.points:g} points. Keep the names of functions and classes: answers are found by name. "
        "The cells `check(...)` run the claims of each part on public instances; the grade is decided by the "
        "same claims on other instances.\n\n"
        f"In a shell, `mlnotes check {assignment.reference} FILE.ipynb` checks the whole file. With `--save "
        "a.npz` it keeps the smallest instance of the first answer that fails; after a change "
        f"`{_replay(assignment)}` asks it again. Hand in this notebook, saved, or a `.py` file with the same "
        "definitions. The standard library"
        f"{_allowed(assignment)} may be imported; nothing else is there when your work is graded."
    )


def _replay(assignment: Assignment) -> str:
    own = f" --assignment {assignment.reference}" if assignment.file else ""
    return f"mlnotes replay a.npz FILE.ipynb{own}"


def _allowed(assignment: Assignment) -> str:
    if not assignment.packages:
        return " and NumPy"
    *others, last = assignment.packages
    return ", NumPy" + "".join(f", {name}" for name in others) + f" and {last}"


def _question(part: Part, rubric: bool) -> str:
    worth = f"{part.points:g} point{'' if part.points == 1 else 's'}"
    by_hand = ", marked by hand" if part.manual else ""
    marks = f"\n\n*Rubric:* {part.rubric}" if part.rubric and rubric else ""
    return f"## {part.name} ({worth}{by_hand})\n\n{part.question.strip()}{marks}"


def _imports(assignment: Assignment) -> str:
    stubs = "".join(stub(item) for part in assignment.parts for item in part.writes)
    fractions = "from fractions import Fraction\n" if "Fraction" in stubs else ""
    return f"{fractions}import math\n\nimport numpy as np\n\nfrom mlnotes.grading import check"


def markdown(assignment: Assignment, name: str, text: str) -> dict[str, Any]:
    """Return a cell of Markdown, whose id follows from its name."""
    return {
        "cell_type": "markdown",
        "id": _id(assignment, name),
        "metadata": {},
        "source": text.splitlines(keepends=True),
    }


def code(assignment: Assignment, name: str, text: str) -> dict[str, Any]:
    """Return a cell of code, whose id follows from its name."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": _id(assignment, name),
        "metadata": {},
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }


def _id(assignment: Assignment, name: str) -> str:
    return hashlib.sha256(f"{assignment.id} {name}".encode()).hexdigest()[:12]
