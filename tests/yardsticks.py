"""Processor time, to be compared with that of other work in the same test, never with a number of seconds."""

import math
import time

from mlnotes.checking.deadline import OutOfTime, deadline

PACE = 0.24  # processor seconds of `squares` on the machine on which limits were set


def squares(n=4_000_000):
    """Do a known amount of work."""
    return sum(k * k for k in range(n))


def pace():
    """Return how many times as long this machine needs for the same work, now."""
    return once(squares) / PACE


def once(work):
    """Return the processor time of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def at_most(work, *others, times=1.0):
    """Whether `work` takes at most so many times the processor time that all `others` take together.

    They take turns, and the minimum of each counts: other programs on the machine only add to it.
    """
    least = [math.inf] * (1 + len(others))
    for _ in range(10):
        least = [min(cost, once(one)) for cost, one in zip(least, (work, *others), strict=True)]
        if least[0] <= times * sum(least[1:]):
            return True
    return False


def loop(seconds):
    """Return work that a deadline of so many seconds ends."""

    def endless():
        try:
            with deadline(seconds, processor=True):
                while True:
                    pass
        except OutOfTime:
            pass

    return endless
