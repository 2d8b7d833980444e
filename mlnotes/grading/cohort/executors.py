"""Grading in processes of our own, or in any executor."""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures import TimeoutError as FutureTimeoutError  # its own class before Python 3.11
from contextlib import AbstractContextManager, contextmanager, suppress

from mlnotes.grading.cohort.tasks import Task, failed, run, unread
from mlnotes.grading.results import Result
from mlnotes.grading.sandbox.claim_process import SILENT_SECONDS
from mlnotes.grading.sandbox.levels import Sandbox

TASK_SECONDS = 10 * SILENT_SECONDS  # of the clock, without any result, before a pool is taken for stuck
_AHEAD = 16
_Waiting = dict[Future[list[Result]], Task]  # what is under way


def executor_of(name: str) -> AbstractContextManager[Executor]:
    """Return what ``module:factory`` gives: a ``concurrent.futures.Executor``, to be used in a with block.

    Raises
    ------
    ValueError
        If there is no such module or factory, or it gives something else.
    """
    module, _, factory = name.partition(":")
    if not module or not factory:
        raise ValueError(f"executor must be module:factory, got {name!r}")
    try:
        made = getattr(importlib.import_module(module), factory)()
    except (ImportError, AttributeError) as error:
        raise ValueError(f"there is no executor {name!r}: {error}") from error
    if not isinstance(made, Executor):
        raise ValueError(f"{name} must return a concurrent.futures.Executor, it gave {type(made).__name__}")
    return made


@contextmanager
def dask(address: str) -> Iterator[Executor]:
    """Give a Dask cluster, which goes on after it, as an executor; its workers need mlnotes and a sandbox.

    Parameters
    ----------
    address : str
        Such as ``"tcp://10.0.0.1:8786"``.

    Raises
    ------
    ValueError
        If the package ``distributed`` is missing.
    OSError
        If no scheduler answers at the address.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("--dask needs the package distributed: pip install 'mlnotes[dask]'") from None
    with Client(address, timeout=20) as client, client.get_executor(pure=False) as executor:
        yield executor


def elsewhere(tasks: list[Task], executor: Executor) -> Iterator[Result]:
    """Grade by an executor that was given; a RuntimeError says that it broke."""
    waiting: _Waiting = {}
    try:
        yield from _gathered(executor, deque(tasks), None, waiting)
    except (BrokenExecutor, TimeoutError) as error:
        raise RuntimeError(
            f"the executor broke ({type(error).__name__}); what is graded is kept, run the command again"
        ) from error
    finally:
        for future in waiting:
            future.cancel()  # what has not begun


def in_processes(tasks: list[Task], sandbox: Sandbox, jobs: int) -> Iterator[Result]:
    """Grade in processes of our own; where one dies or hangs, what was under way is tried again, alone."""
    todo = deque(tasks)
    with _loaded_once():
        while todo:
            waiting: _Waiting = {}
            with suppress(BrokenExecutor, TimeoutError), _pool(jobs) as pool:
                yield from _gathered(pool, todo, sandbox, waiting)
            for task in waiting.values():
                yield from _alone(task, sandbox)


def _alone(task: Task, sandbox: Sandbox) -> list[Result]:
    try:
        with _pool(1) as pool:
            return pool.submit(_remote, task, task.read(), sandbox).result(TASK_SECONDS)
    except (BrokenExecutor, FutureTimeoutError) as error:
        return failed(task, f"the grading process died or hung ({type(error).__name__})")
    except (OSError, ValueError) as error:
        return unread(task, error)


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Give a pool, whose processes are ended where its use is, by Ctrl-C too: nobody waits for an answer."""
    # a fork has everything loaded; but on Linux alone forks and the system's libraries go together
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_end_with_grader) as pool:
        try:
            yield pool
        except BaseException:
            processes = list((pool._processes or {}).values())
            for process in processes:
                process.kill()
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.join()  # else one would start a worker in the sandbox's folder, which goes next
            raise


@contextmanager
def _loaded_once() -> Iterator[None]:
    """Load what claims load late, which every process that is forked for a submission would do again.

    While they are forked what is loaded is frozen: none of them looks through it for garbage, or copies it.
    """
    for late in ("numpy.ma", "encodings.utf_8_sig", "mlnotes.grading.feedback.diagnosis"):
        importlib.import_module(late)
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _end_with_grader() -> None:
    """End this process of a pool when the grader ends, of SIGKILL too; Ctrl-C is the grader's to answer."""
    from multiprocessing import connection, parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    grader = parent_process()
    assert grader is not None

    def watch() -> None:
        connection.wait([grader.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _gathered(
    executor: Executor, todo: deque[Task], sandbox: Sandbox | None, waiting: _Waiting
) -> Iterator[Result]:
    """Run the tasks, a few ahead of what is consumed: memory does not grow with the class.

    An exception in place of results is the executor's failure, not the submission's: the task runs once more.

    Raises
    ------
    BrokenExecutor, TimeoutError
        If a process died, or none finished for ``TASK_SECONDS``; `waiting` holds the tasks under way.
    """
    again: list[Task] = []
    while todo or waiting:
        while todo and len(waiting) < _AHEAD:
            try:
                data = todo[0].read()
            except (OSError, ValueError) as error:
                yield from unread(todo.popleft(), error)
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads of BLAS
                future = executor.submit(_remote, todo[0], data, sandbox)  # raises where it is broken already
            waiting[future] = todo.popleft()
        finished, _ = wait(waiting, TASK_SECONDS, FIRST_COMPLETED)
        if waiting and not finished:
            raise TimeoutError
        for future in finished:
            task = waiting[future]
            try:
                results = future.result()
            except BrokenExecutor:
                raise
            except Exception as error:  # such as of Dask, whose process dies while it hands a result over
                if task in again:
                    results = failed(task, f"{type(error).__name__}: {error}")
                else:
                    results = []
                    todo.append(task)
                    again.append(task)
            del waiting[future]
            yield from results


_SANDBOXES: dict[tuple[str, tuple[str, ...]], Sandbox] = {}
_ONE_AT_A_TIME = threading.Lock()  # the end of a worker ends every child of its process


def _remote(task: Task, data: bytes, sandbox: Sandbox | None) -> list[Result]:
    """Grade one task in a process of a pool, which keeps its sandbox for the next."""
    with _ONE_AT_A_TIME:
        return run(task, data, _own_sandbox(task) if sandbox is None else sandbox)


def _own_sandbox(task: Task) -> Sandbox:
    import atexit

    key = task.level, task.assignment().packages
    if key not in _SANDBOXES:
        _SANDBOXES[key] = Sandbox(task.level, packages=key[1])
        atexit.register(_SANDBOXES[key].close)
    return _SANDBOXES[key]
