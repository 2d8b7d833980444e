"""Processor time, to be compared with that of other work in the same test, never with a number of seconds."""

import time

from mlnotes.claims.deadline import OutOfTime, deadline


def of_processor(work):
    """Return the least processor time of three runs: a busy machine only adds to it."""
    costs = []
    for _ in range(3):
        start = time.process_time()
        work()
        costs.append(time.process_time() - start)
    return min(costs)


def of_a_loop(seconds):
    """Return what a loop takes that a deadline of so many seconds ends."""

    def loop():
        try:
            with deadline(seconds, processor=True):
                while True:
                    pass
        except OutOfTime:
            pass

    return of_processor(loop)
