"""Run many claims over many seeds: on reference and estimators, or on somebody else's file."""

from __future__ import annotations

import math
import os
import runpy
import signal
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlnotes.checking.claims import CANDIDATE, SIDES, Claim, Verdict, library, place
from mlnotes.checking.deadline import OutOfTime, deadline


@dataclass(frozen=True)
class Outcome:
    """What came of one claim on one side, over all the seeds.

    Attributes
    ----------
    side : str
        "reference" or "estimators"; "candidate" for somebody else's file.
    verdict : Verdict
        Of the first seed that fails, else of the first seed.
    seeds : int
        How many draws were tried; 1 for a claim that draws nothing.
    failed : tuple of int
        The seeds that fail.
    seconds : float
        Total time.
    """

    side: str
    verdict: Verdict
    seeds: int
    failed: tuple[int, ...]
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether the claim holds for every seed."""
        return not self.failed

    @property
    def beyond(self) -> str:
        """Why the reference is not checked for a claim that a candidate does not meet; "" otherwise."""
        return "" if self.holds or self.side != CANDIDATE else self.verdict.claim.estimators_only

    def as_dict(self) -> dict[str, Any]:
        """Return the record of the verdict, with the side, and the seeds where there was more than one."""
        record = self.verdict.as_dict() | {"side": self.side}
        if self.beyond:
            record["estimators_only"] = self.beyond
        return (
            record if self.seeds == 1 else record | {"seeds": self.seeds, "failed_seeds": list(self.failed)}
        )


class Section(tuple[Verdict, ...]):
    """The verdicts of a section of a lecture: a line that opens to the table of what was measured."""

    def __str__(self) -> str:
        many = "1 statement holds" if len(self) == 1 else f"{len(self)} statements hold"
        return f"{many} (seed 0)"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        tables = "".join(verdict._repr_html_() for verdict in self)
        return f"<details class='mlnotes-verified'><summary>{self}</summary>{tables}</details>"


def load_candidate(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the public names that a Python file defines. The file runs in this process: it is trusted.

    Raises
    ------
    ValueError
        If there is no such file, or running it raises.
    """
    if Path(path).suffix != ".py":
        raise ValueError(f"candidate must be a Python file (.py), got {str(path)!r}")
    if not Path(path).is_file():
        raise ValueError(f"candidate {str(path)!r}: there is no such file")
    try:
        names = runpy.run_path(str(path), run_name=CANDIDATE)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}{place(error)}"
        raise ValueError(f"candidate {path} cannot be loaded: {reason}") from error
    return {name: value for name, value in names.items() if not name.startswith("_")}


def with_datasets(item: Claim, candidate: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names of a candidate, and the data sets, which it need not define."""
    names = dict(candidate)
    for name in item.missing(names):
        with suppress(LookupError):
            names[name] = library(item.topic, name, "datasets")
    return names


def concerned(
    chosen: Sequence[Claim], candidate: Mapping[str, Any]
) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """Split claims into those that ask for a name which the candidate defines, and the others."""
    ours = tuple(item for item in chosen if set(item.needs) & set(candidate))
    return ours, tuple(item for item in chosen if item not in ours)


def run(
    chosen: Sequence[Claim],
    *,
    seeds: Sequence[int] = (0,),
    candidate: str | None = None,
    sides: Sequence[str] = SIDES,
    jobs: int = 1,
    limit: float = math.inf,
) -> Iterator[tuple[Outcome, ...]]:
    """Yield the outcomes of each claim, one a side that is asked, in order, as they come.

    Parameters
    ----------
    chosen : sequence of Claim
        Claims, such as those of `mlnotes.claims.select`.
    seeds : sequence of int
        Draws to try; a claim that draws nothing runs once.
    candidate : str, optional
        Path of a file to check in place of the library.
    sides : sequence of {"reference", "estimators"}
        Which of the library's implementations; a claim that has one of them only is asked of that one.
    jobs : int
        Number of processes.
    limit : float
        Seconds for one draw of a claim; beyond it the claim fails.
    """
    tasks = [(item, tuple(seeds), candidate, tuple(sides), limit) for item in chosen]
    if jobs == 1:
        yield from (_outcomes(*task) for task in tasks)
        return
    ignored = signal.SIGINT, signal.SIG_IGN  # Ctrl-C is answered here
    with ProcessPoolExecutor(max_workers=jobs, initializer=signal.signal, initargs=ignored) as pool:
        try:
            for future in [pool.submit(_outcomes, *task) for task in tasks]:
                yield future.result()
        except BaseException:  # nobody waits for what is left
            for process in list((pool._processes or {}).values()):
                process.kill()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _outcomes(
    item: Claim, seeds: tuple[int, ...], candidate: str | None, sides: tuple[str, ...], limit: float
) -> tuple[Outcome, ...]:
    if candidate is not None:
        with warnings.catch_warnings():  # NumPy's, of wrong numbers: the verdict tells them
            warnings.simplefilter("ignore", RuntimeWarning)
            names = with_datasets(item, load_candidate(candidate))
            return (_outcome(item, seeds, CANDIDATE, names, limit),)
    asked = item.sides()
    return tuple(
        _outcome(item, seeds, side, None, limit) for side in asked if side in sides or len(asked) == 1
    )


def _outcome(
    item: Claim, seeds: tuple[int, ...], side: str, names: Mapping[str, Any] | None, limit: float
) -> Outcome:
    tried = seeds if item.random else seeds[:1]
    verdicts = []
    for seed in tried:
        try:
            with deadline(limit):
                verdicts.append(item.verify(seed=seed, candidate=names, side=side))
        except OutOfTime as error:
            reason = f"no answer within {limit:g} s (--limit){place(error)}"
            verdicts.append(Verdict(item, "error", (), limit, reason))
    failed = tuple(seed for seed, verdict in zip(tried, verdicts, strict=True) if not verdict.holds)
    shown = next((verdict for verdict in verdicts if not verdict.holds), verdicts[0])
    return Outcome(side, shown, len(tried), failed, sum(verdict.seconds for verdict in verdicts))
