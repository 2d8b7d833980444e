"""A limit of time for code that runs in this process, such as a student's in a notebook."""

from __future__ import annotations

import contextlib
import math
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_AGAIN = 0.5  # seconds until code that caught or dropped the exception gets another
_TIMERS = [
    tuple(getattr(signal, name, 0) for name in pair)
    for pair in (("ITIMER_REAL", "SIGALRM"), ("ITIMER_PROF", "SIGPROF"))
]


class OutOfTime(BaseException):
    """The time of a `deadline` is over."""


@contextmanager
def deadline(seconds: float, *, processor: bool = False) -> Iterator[None]:
    """Raise OutOfTime in the block when it has run for so long, or used so much of the processor.

    By the system's timer in the main thread, by a second thread elsewhere and on Windows (it cannot end a
    call into compiled code); a browser has neither, and its blocks are not limited.
    """
    if math.isinf(seconds):
        yield
    elif hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        with _alarm(seconds, *_TIMERS[processor]):
            yield
    else:
        with _watched(seconds):
            yield


@contextmanager
def _alarm(seconds: float, timer: int, number: int) -> Iterator[None]:
    report = sys.unraisablehook

    def stop(*_: object) -> None:
        raise OutOfTime

    def lost(unraisable: sys.UnraisableHookArgs) -> None:
        """Say nothing of an alarm in a destructor, which drops every exception: the next one comes."""
        if unraisable.exc_type is not OutOfTime:
            report(unraisable)

    before, sys.unraisablehook = signal.signal(number, stop), lost
    signal.setitimer(timer, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)
        sys.unraisablehook = report


@contextmanager
def _watched(seconds: float) -> Iterator[None]:
    import ctypes

    over, lock, here = threading.Event(), threading.Lock(), ctypes.c_ulong(threading.get_ident())

    def watch() -> None:
        wait = seconds
        while not over.wait(wait):
            with lock:
                if not over.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(here, ctypes.py_object(OutOfTime))
            wait = _AGAIN

    with contextlib.suppress(RuntimeError):  # no threads in a browser
        threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with lock:
            over.set()
