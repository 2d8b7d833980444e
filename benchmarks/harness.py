"""Side-by-side timing: ours, peer, ours, peer, ... with equal threads, agreement checked first."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

Call = Callable[[], Any]


@dataclass(frozen=True)
class Race:
    """One row of the table, not yet run.

    Attributes
    ----------
    task : str
        What is timed, with its size.
    ours, peer : callable
        The two calls, on the same arrays.
    peer_name : str
    disagreement : callable
        Gets both results; returns a number that must be at most `tolerance`.
    tolerance : float
    """

    task: str
    ours: Call
    peer: Call
    peer_name: str
    disagreement: Callable[[Any, Any], float]
    tolerance: float


@dataclass(frozen=True)
class Row:
    """A finished race: medians in seconds, and ratio = peer / ours (above 1: ours is faster)."""

    task: str
    peer_name: str
    ours: float
    peer: float
    ratio: float
    disagreement: float
    runs: int

    def as_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def run(race: Race, runs: int = 7) -> Row:
    """Check the agreement, then time both sides alternately; 3 runs where one takes over 5 s.

    Raises
    ------
    ValueError
        If the two sides do not agree: speed without agreement does not count.
    """
    gap = float(race.disagreement(race.ours(), race.peer()))
    if not gap <= race.tolerance:
        raise ValueError(f"{race.task}: ours and {race.peer_name} differ by {gap:.3g} > {race.tolerance:.3g}")
    repeat = max(1, round(0.02 / max(_seconds(race.ours), 1e-7)))  # so that a run is at least 20 ms
    first = _seconds(race.peer)
    runs = 3 if max(first, _seconds(race.ours)) > 5 else runs
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for side, call in enumerate((race.ours, race.peer)):
            times[side].append(_seconds(call, repeat))
    ours, peer = (statistics.median(side) for side in times)
    return Row(race.task, race.peer_name, ours, peer, peer / ours, gap, runs)


def _seconds(call: Call, repeat: int = 1) -> float:
    start = time.perf_counter()
    for _ in range(repeat):
        call()
    return (time.perf_counter() - start) / repeat


def geometric_mean(rows: list[Row]) -> float:
    """Return the geometric mean of the ratios."""
    return float(np.exp(np.mean([np.log(row.ratio) for row in rows])))
