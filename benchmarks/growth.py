"""Time against n, ours and the peer's: what data of ten times the size cost.

Estimators are those of the races at defaults, on three overlapping classes in 8 dimensions (two blobs for the
perceptron), from 100 observations to 100,000, each size about 3 times the one before. A time is that of a fit
and of predictions for 300 new observations, since neighbours and kernel densities only compute when they
predict. Both sides alternate; the time is the median of three runs after a first one, or the first run where
both together take over a second. No fit is started that would take over ten seconds, by the growth so far.

The slope is that of log time in log n over the last decade: 1 where doubling the data doubles the time. Below
about 1,000 observations most of our time is the overhead of calls, which does not grow.
"""

from __future__ import annotations

import math
import statistics
from typing import Any

from benchmarks import defaults
from benchmarks.harness import Clock

SIZES = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
FEATURES = 8
PLACES = 300
MOST = 10.0  # seconds of a fit
BRIEF = 1.0  # seconds from which on one run is enough


def curve(pair: defaults.Pair, clock: Clock) -> dict[str, Any]:
    """Return name, topic, the sizes, both sides' seconds, and their slopes over the last decade."""
    times: dict[str, list[float]] = {"ours": [], "peer": []}
    sizes: list[int] = []
    for n in SIZES:
        if sizes and max(_foreseen(sizes, side, n) for side in times.values()) > MOST:
            break
        X, y = defaults.drawn(pair.rows, n + PLACES, FEATURES, defaults.SEEDS[0])
        runs: dict[str, list[float]] = {"ours": [], "peer": []}
        for _ in range(4):
            for side, make in (("ours", pair.ours), ("peer", pair.peer)):
                start = clock()
                getattr(make().fit(X[:n], *(y[:n],) * pair.supervised), pair.asks)(X[n:])
                runs[side].append(clock() - start)
            if sum(map(max, runs.values())) > BRIEF:
                break
        sizes.append(n)
        for side, seconds in runs.items():
            times[side].append(statistics.median(seconds[1:] or seconds))
    slopes = {side: slope(sizes[-3:], seconds[-3:]) for side, seconds in times.items()}
    return {"name": pair.name, "topic": pair.topic, "sizes": sizes, **times, "slopes": slopes}


def slope(sizes: list[int], seconds: list[float]) -> float:
    """Return the least-squares slope of log time in log n."""
    return statistics.linear_regression([*map(math.log, sizes)], [*map(math.log, seconds)]).slope


def _foreseen(sizes: list[int], seconds: list[float], n: int) -> float:
    """Return the time that n rows will take: the last one, times the last growth, at least linear."""
    last = slope(sizes[-2:], seconds[-2:]) if len(sizes) > 1 else 1.0
    return seconds[-1] * (n / sizes[-1]) ** max(last, 1.0)
