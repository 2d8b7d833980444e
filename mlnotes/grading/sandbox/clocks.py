"""How long a process has had to answer: that the machine is busy with others costs no submission its time.

What counts is the clock, less the time in which the process could have run and had no processor (Linux tells
in ``/proc/PID/schedstat``; elsewhere the clock alone counts). A process may keep itself waiting by threads of
its own: their processor time, shared among all cores, counts in any case.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

# of every BLAS, where it is set before NumPy is loaded: each process has a core
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
MOMENT = 0.1
_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Clock:
    """The seconds that a process has had, with what it started, from now on, but for those `paused`."""

    def __init__(self, pid: int) -> None:
        self._pid, self._start, self.paused = pid, time.monotonic(), 0.0
        self._before: tuple[float, float] | None = None

    def left(self, seconds: float) -> float:
        """Return how many of so many seconds are left; to be asked every moment, whatever the process does.

        It is looked at after a moment, since most answers come at once and a look costs as much as they do.
        Where the first look is later, this process had no processor.
        """
        passed = time.monotonic() - self._start - self.paused
        if self._before is None and passed >= min(MOMENT, seconds):
            self._before = self._now = had(self._pid)
            self._start += max(0.0, passed - MOMENT)
            passed = min(passed, MOMENT)
        return seconds - (passed if passed < seconds else self.passed())

    def passed(self) -> float:
        """Return how many seconds have passed."""
        clock = time.monotonic() - self._start - self.paused
        if self._before is None:
            return clock
        now = had(self._pid)
        self._now = max(self._now[0], now[0]), max(self._now[1], now[1])  # it may be gone
        waited, spent = (late - early for late, early in zip(self._now, self._before, strict=True))
        return max(clock - waited, spent / (os.cpu_count() or 1))


def had(pid: int) -> tuple[float, float]:
    """Return how long a process, its first child and so on, and this thread waited for a processor.

    And the processor time of those processes; zeros where the system does not tell.
    """
    waited, spent = _waited("thread-self"), 0.0
    while pid:
        waited += _waited(f"{pid}")
        fields = _read(f"{pid}/stat").rpartition(")")[2].split()
        spent += sum(map(int, fields[11:13])) / _TICK
        pid = int((_read(f"{pid}/task/{pid}/children").split() or ["0"])[0])
    return waited, spent


def _waited(process: str) -> float:
    return int((_read(f"{process}/schedstat").split() or ["0", "0"])[1]) / 1e9


def _read(name: str) -> str:
    with contextlib.suppress(OSError):
        return Path("/proc", name).read_text()
    return ""
