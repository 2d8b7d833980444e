"""How fast this machine is: limits were set in processor seconds of a quiet one."""

import time

PACE = 0.24  # processor seconds of `pace` on the machine on which they were set


def pace() -> float:
    """How many times as long this machine needs for the same work, now."""
    start = time.process_time()
    sum(k * k for k in range(4_000_000))
    return (time.process_time() - start) / PACE
