"""Run many claims over many seeds: against the library, or against somebody else's file."""

from __future__ import annotations

import os
import runpy
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlnotes import claims
from mlnotes.claims.core import Claim, Verdict


@dataclass(frozen=True)
class Outcome:
    """What came of one claim over all the seeds.

    Attributes
    ----------
    verdict : Verdict
        Of the first seed that fails, else of the first seed.
    seeds : int
        How many draws were tried; 1 for a claim that draws nothing.
    failed : tuple of int
        The seeds that fail.
    seconds : float
        Total time.
    """

    verdict: Verdict
    seeds: int
    failed: tuple[int, ...]
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether the claim holds for every seed."""
        return not self.failed

    def as_dict(self) -> dict[str, Any]:
        """Return the record of the verdict, with the seeds where there was more than one."""
        record = self.verdict.as_dict()
        return (
            record if self.seeds == 1 else record | {"seeds": self.seeds, "failed_seeds": list(self.failed)}
        )


def select(names: Sequence[str]) -> tuple[Claim, ...]:
    """Return the claims that can be run, of the named topics and ids; of every topic if none is named.

    Raises
    ------
    ValueError
        If a name is neither a topic nor the id of a claim.
    """
    chosen: dict[str, Claim] = {}
    for name in names or claims.topics():
        found = (claims.find(name),) if "." in name else claims.of(name)
        chosen.update({item.id: item for item in found})
    return tuple(item for item in chosen.values() if item.check is not None)


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
        names = runpy.run_path(str(path), run_name="candidate")
    except Exception as error:
        raise ValueError(f"candidate {path} cannot be loaded: {type(error).__name__}: {error}") from error
    return {name: value for name, value in names.items() if not name.startswith("_")}


def concerned(
    chosen: Sequence[Claim], candidate: Mapping[str, Any]
) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """Split claims into those that ask for a name which the candidate defines, and the others."""
    ours = tuple(item for item in chosen if set(item.needs) & set(candidate))
    return ours, tuple(item for item in chosen if item not in ours)


def run(
    chosen: Sequence[Claim], *, seeds: Sequence[int] = (0,), candidate: str | None = None, jobs: int = 1
) -> Iterator[Outcome]:
    """Yield the outcome of each claim, in order, as it comes.

    Parameters
    ----------
    chosen : sequence of Claim
        Claims of the library, from `select`.
    seeds : sequence of int
        Draws to try; a claim that draws nothing runs once.
    candidate : str, optional
        Path of a file to check in place of the library.
    jobs : int
        Number of processes.
    """
    if jobs == 1:
        for item in chosen:
            yield _outcome(item.id, seeds, candidate)
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        tasks = [pool.submit(_outcome, item.id, seeds, candidate) for item in chosen]
        for task in tasks:
            yield task.result()


def _outcome(id: str, seeds: Sequence[int], candidate: str | None) -> Outcome:
    item = claims.find(id)
    names = None if candidate is None else load_candidate(candidate)
    tried = tuple(seeds) if item.random else tuple(seeds)[:1]
    first: Verdict | None = None
    failed, seconds = [], 0.0
    for seed in tried:
        verdict = item.verify(seed=seed, candidate=names)
        seconds += verdict.seconds
        if first is None or (first.holds and not verdict.holds):
            first = verdict
        if not verdict.holds:
            failed.append(seed)
    assert first is not None
    return Outcome(first, len(tried), tuple(failed), seconds)
