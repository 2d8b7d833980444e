"""Side-by-side timing: ours, peer, ours, peer, ... with equal threads, agreement checked first."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
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
    runs : int
        How often each side is timed, on top of the call that checks the agreement.
    share : float
        Part of the task that one call of the peer does, where all of it takes minutes: its time is divided by
        that. The task says so.
    """

    task: str
    ours: Call
    peer: Call
    peer_name: str
    disagreement: Callable[[Any, Any], float]
    tolerance: float
    runs: int = 7
    share: float = 1.0


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


def run(race: Race) -> Row:
    """Check the agreement, then time both sides alternately; at most 3 runs where one takes over 5 s.

    Raises
    ------
    ValueError
        If the two sides do not agree: speed without agreement does not count.
    """
    ours, theirs, first = race.ours(), *_timed(race.peer)
    gap = float(race.disagreement(ours, theirs))
    if not gap <= race.tolerance:
        raise ValueError(f"{race.task}: ours and {race.peer_name} differ by {gap:.3g} > {race.tolerance:.3g}")
    costs = (_seconds(race.ours), first)
    runs = min(race.runs, 3) if max(costs) > 5 else race.runs
    repeats = [max(1, round(0.02 / max(seconds, 1e-7))) for seconds in costs]  # a run is at least 20 ms
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for side, call in enumerate((race.ours, race.peer)):
            times[side].append(_seconds(call, repeats[side]))
    ours, peer = (statistics.median(side) for side in times)
    peer /= race.share
    return Row(race.task, race.peer_name, ours, peer, peer / ours, gap, runs)


def _timed(call: Call) -> tuple[Any, float]:
    start = time.perf_counter()
    return call(), time.perf_counter() - start


def _seconds(call: Call, repeat: int = 1) -> float:
    start = time.perf_counter()
    for _ in range(repeat):
        call()
    return (time.perf_counter() - start) / repeat


def growth(task: str, sizes: Iterable[int], call: Callable[[int], Any]) -> str:
    """Return a line with the least time of two calls for each size and slopes of log time in log n.

    The slopes are those of each step and of all: 1 for O(n), 1.08 for O(n log n) from n = 1e4 to 1e7.
    """
    sizes = list(sizes)
    times = [min(_seconds(partial(call, n)) for _ in range(2)) for n in sizes]
    logs, steps = np.log(times), np.log(sizes)
    slopes = ", ".join(f"{slope:.2f}" for slope in np.diff(logs) / np.diff(steps))
    shown = ", ".join(f"{1e3 * seconds:.3g}" for seconds in times)
    whole = (logs[-1] - logs[0]) / (steps[-1] - steps[0])
    span = f"n = {sizes[0]:.0e} to {sizes[-1]:.0e}"
    return f"{task}: {shown} ms at {span}, slopes {slopes}, in all {whole:.2f}"


def geometric_mean(rows: list[Row]) -> float:
    """Return the geometric mean of the ratios."""
    return float(np.exp(np.mean([np.log(row.ratio) for row in rows])))
