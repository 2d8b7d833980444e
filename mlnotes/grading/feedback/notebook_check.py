"""The cell ``check("hw01.bayes_rule")`` of a notebook: the claims on the live objects, in the same process.

Values are encoded as for another process, there and back, so that a check sees what the grader will see.
There is no sandbox: it is the student's own code, and the result is no grade. A call that does not end is
ended after the seconds of its part, but for one that hangs in compiled code.
"""

from __future__ import annotations

import html
import sys
import types
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mlnotes.grading import engine
from mlnotes.grading.assignment.parts import load
from mlnotes.grading.feedback import counterexample, reports
from mlnotes.grading.protocol.instances import CHECK_SECRET, Draw
from mlnotes.grading.protocol.session import NO_LIBRARY, InProcessSession
from mlnotes.grading.results import PartResult

_NO_GRADE = "a check, not a grade: other instances decide the grade"


class LiveReport:
    """The outcome of a self-check, as text and as HTML."""

    def __init__(self, spec: str, result: PartResult, notes: tuple[str, ...] = ()) -> None:
        self.spec, self.result, self.notes = spec, result, notes
        self._smallest = next((claim.smallest for claim in result.claims if claim.smallest), None)

    @property
    def instance(self) -> Mapping[str, Any]:
        """The arguments of the calls that are shown to fail, by name; empty where all holds."""
        return self._smallest.arguments if self._smallest else {}

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Keep the instance for ``mlnotes replay PATH SUBMISSION``.

        Raises
        ------
        ValueError
            If nothing fails, the name does not end in .npz, or there is such a file and not `force`.
        """
        from mlnotes.grading.feedback import replay

        if self._smallest is None:
            raise ValueError(f"no instance of {self.spec} fails: there is nothing to save")
        assignment = load(self.spec.rpartition(".")[0])
        replay.save(Path(path), assignment, self.result.name, self._smallest, force=force)

    def __repr__(self) -> str:
        text = reports.part_text(self.result, title=self.spec)
        hint = [f"  ({self._look()})"] if self.instance else []
        return "\n".join([text, *(f"  note: {note}" for note in self.notes), *hint, f"  ({_NO_GRADE})"])

    def _look(self) -> str:
        return f'the arguments: check("{self.spec}").instance'

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>note: {html.escape(note)}</p>" for note in self.notes)
        hint = f"<p><small>{html.escape(self._look(), quote=False)}</small></p>" if self.instance else ""
        page = reports.part_html(self.result, title=self.spec)
        return f"{page}{notes}{hint}<p><small>{_NO_GRADE}</small></p>"


def check_live(spec: str, namespace: Mapping[str, Any]) -> LiveReport:
    """Check one part, such as ``"hw01.bayes_rule"``, on the objects of `namespace`.

    Raises
    ------
    ValueError
        If there is no such assignment or part.
    """
    reference, _, name = spec.rpartition(".")
    assignment = load(reference)
    part = assignment.part(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = InProcessSession(namespace)
        draw = Draw(CHECK_SECRET, assignment, "")
        result = engine.grade_part(part, session, draw, instances=True)
        result = replace(result, diagnosis=engine.diagnosis(assignment, result, session))
        result = counterexample.with_smallest(result, session, draw)
    return LiveReport(spec, result, _borrowed(namespace))


def _borrowed(namespace: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a note on names of the library, which a notebook here may use and a submission may not."""
    named = ((name, value) for name, value in namespace.items() if not name.startswith("_"))
    ours = [name for name, value in named if value is not check and _home(value) == "mlnotes"]
    return (f"{', '.join(sorted(ours))}: {NO_LIBRARY}",) if ours else ()


def _home(value: Any) -> str:
    """Return the package that a module, a class or a function is of."""
    if isinstance(value, types.ModuleType):
        return value.__name__.partition(".")[0]
    return str(value.__module__).partition(".")[0] if isinstance(value, (type, types.FunctionType)) else ""


def check(spec: str) -> LiveReport:
    """Check one part on what the calling notebook or script has defined; see :func:`check_live`."""
    return check_live(spec, sys._getframe(1).f_globals)
