"""Side-by-side timing: ours, peer, ours, peer, ... with equal threads, agreement checked first."""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

Call = Callable[[], Any]
Clock = Callable[[], float]


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
    """A finished race: medians in seconds, and ratio = peer / ours (above 1: ours is faster).

    `low` and `high` are the smallest and the largest ratio of pairs of runs, or of draws that were pooled.
    The peaks are of the memory that a fit takes, in MiB.
    """

    task: str
    peer_name: str
    ours: float
    peer: float
    ratio: float
    disagreement: float
    runs: int
    low: float
    high: float
    our_peak: float | None = None
    peer_peak: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def run(race: Race, clock: Clock = time.perf_counter, brief: bool = False) -> Row:
    """Check the agreement, then time both sides alternately; at most 3 runs where one takes over 5 s.

    A brief race counts its first calls where they take over 2 s, and no others where they take over 8.

    Raises
    ------
    ValueError
        If the two sides do not agree: speed without agreement does not count.
    """
    ours, mine, our_peak = _first(race.ours, clock)
    theirs, other, peer_peak = _first(race.peer, clock)
    gap = float(race.disagreement(ours, theirs))
    if not gap <= race.tolerance:
        raise ValueError(f"{race.task}: ours and {race.peer_name} differ by {gap:.3g} > {race.tolerance:.3g}")
    times: tuple[list[float], list[float]] = ([], [])
    if brief and mine + other > 2:
        times, runs, costs = ([mine], [other]), 1 if mine + other < 8 else 0, (mine, other)
    else:
        costs = (_seconds(race.ours, clock), other)
        runs = min(race.runs, 3) if max(costs) > 5 else race.runs
    repeats = [max(1, round(0.02 / max(seconds, 1e-7))) for seconds in costs]  # a run is at least 20 ms
    for _ in range(runs):
        for side, call in enumerate((race.ours, race.peer)):
            times[side].append(_seconds(call, clock, repeats[side]))
    ratios = [b / a / race.share for a, b in zip(*times, strict=True)]
    ours, peer = (statistics.median(side) for side in times)
    peer /= race.share
    spread = min(ratios), max(ratios)
    return Row(
        race.task, race.peer_name, ours, peer, peer / ours, gap, len(ratios), *spread, our_peak, peer_peak
    )


def pooled(draws: list[Row]) -> Row:
    """Return one row of races on several draws: medians, the spread of their ratios, the worst agreement."""
    if len(draws) == 1:
        return draws[0]
    ours, peer, ratio = (
        statistics.median(getattr(row, name) for row in draws) for name in ("ours", "peer", "ratio")
    )
    return replace(
        draws[0],
        ours=ours,
        peer=peer,
        ratio=ratio,
        disagreement=max(row.disagreement for row in draws),
        runs=sum(row.runs for row in draws),
        low=min(row.ratio for row in draws),
        high=max(row.ratio for row in draws),
    )


def _first(call: Call, clock: Clock) -> tuple[Any, float, float | None]:
    """Return the result, the seconds, and the MiB that the process took on top, where Linux reports it."""
    before = _resident(reset=True)
    start = clock()
    answer = call()
    seconds = clock() - start
    after = _resident()
    return answer, seconds, None if before is None or after is None else after - before


def _resident(reset: bool = False) -> float | None:
    """Return the largest resident memory since the last reset in MiB; a reset frees what it can."""
    try:
        if reset:
            ctypes.CDLL(None).malloc_trim(0)
            Path("/proc/self/clear_refs").write_text("5")
        status = Path("/proc/self/status").read_text()
    except (AttributeError, OSError):
        return None
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def _seconds(call: Call, clock: Clock = time.perf_counter, repeat: int = 1) -> float:
    start = clock()
    for _ in range(repeat):
        call()
    return (clock() - start) / repeat


def growth(task: str, sizes: Iterable[int], call: Callable[[int], Any]) -> str:
    """Return a line with the smaller time of two calls for each size and slopes of log time in log n.

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
