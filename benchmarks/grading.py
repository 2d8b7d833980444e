"""What grading costs beyond a student's code: an assignment of one trivial claim, files that all differ.

The peer is the minimum cost of any grader with a fresh process for each submission: a Python that imports
NumPy, for each. The command is timed as a user meets it, from its start to its end, with compiled code.

``python -m benchmarks.grading`` prints every figure that is promised of the grader's speed, with its limit:
``start`` of one file, the ``stage`` that is copied once a machine, each ``homework`` in classes of 20,
classes of ``300`` and ``1000``, and a ``dask`` cluster that loses one of two workers. Names of some print
those alone. Each line has the seconds of the clock, those of the processor (but for what runs in bubblewrap,
which is nobody's child), and how busy the machine was.
"""

from __future__ import annotations

import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.harness import Race
from mlnotes.grading.assignment.parts import assignments
from mlnotes.grading.cohort import executors, folder
from mlnotes.grading.sandbox import staging
from mlnotes.mistakes.homework import solved

SIZES = (10, 100)
RUNS = 7
START_LIMIT = 2.0  # imports of NumPy
SLOWEST = {"hw01": 0.15}  # seconds a submission, with two jobs; the others:
SLOW = 0.10
JOBS = 2
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
ASSIGNMENT = """
from mlnotes.checking import claim, equal
from mlnotes.homework import Assignment, Function, Part, Value

@claim("bench.one", kind="homework", section="-", statement="One is one.")
def one(result, rng):
    yield equal("result", result(), 1)

PART = Part("one", 1, "", (one,), (Function("result", {}, Value("i"), "One."),))
assignment = Assignment("bench", "Bench", (PART,))
"""


def make_class(folder: Path, size: int) -> Path:
    """Write the assignment and a class of different right submissions; return the folder of the class."""
    place = folder / f"class{size}"
    place.mkdir(parents=True, exist_ok=True)
    (folder / "bench.py").write_text(ASSIGNMENT)
    for k in range(size):
        (place / f"s{k:04}.py").write_text(f"def result():\n    return 1  # {k}\n")
    return place


def grade(place: Path, assignment: str = "", *options: str) -> int:
    """Grade a class by the command, into a new folder; return how many have full marks."""
    with tempfile.TemporaryDirectory() as out:
        words = ["grade", assignment or str(place.parent / "bench.py"), str(place), "--out", out, *options]
        command = [sys.executable, "-m", "mlnotes.cli", *words]
        subprocess.run(command, check=True, capture_output=True, env=ENVIRONMENT)
        head, *rows = (line.split(",") for line in Path(out, "gradebook.csv").read_text().splitlines())
        total, points = head.index("total"), head.index("points")
        return sum(row[total] == row[points] for row in rows)


def start_pythons(size: int) -> int:
    """Start as many Pythons that import NumPy, one after the other."""
    for _ in range(size):
        subprocess.run([sys.executable, "-c", "import numpy"], check=True, env=ENVIRONMENT)
    return size


def races() -> Iterator[Race]:
    """Yield one race a class size; agreement means that everybody has full marks."""
    with tempfile.TemporaryDirectory() as folder:
        for size in (1, *SIZES):
            place = make_class(Path(folder), size)
            yield Race(
                f"mlnotes grade, {size} submission{'s' * (size > 1)}, one trivial claim",
                lambda place=place: grade(place),
                lambda size=size: start_pythons(size),
                'python -c "import numpy"',
                lambda ours, theirs: float(abs(ours - theirs)),
                0.0,
            )


# ------------------------------------------------------------------- every figure


def _cost(call: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of the clock and of the processor, in this process and its children, of a call."""
    start, before = time.perf_counter(), os.times()
    call()
    return time.perf_counter() - start, sum(os.times()[:4]) - sum(before[:4])


def _middle(costs: list[tuple[float, float]]) -> tuple[float, float]:
    clock, processor = (statistics.median(column) for column in zip(*costs, strict=True))
    return clock, processor


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def start(place: Path) -> None:
    """One file of one trivial claim, beside a Python that imports NumPy, in turn."""
    one = make_class(place, 1)
    assert grade(one) == 1
    ours, theirs = [], []
    for _ in range(RUNS):
        ours.append(_cost(lambda: grade(one)))
        theirs.append(_cost(lambda: start_pythons(1)))
    (clock, processor), (peer_clock, peer) = _middle(ours), _middle(theirs)
    print(
        f"start of one file: {clock:.3f} s, {processor:.3f} s of the processor; import numpy: "
        f"{peer_clock:.3f} and {peer:.3f}; ratios {clock / peer_clock:.2f} and {processor / peer:.2f}, "
        f"at most {START_LIMIT:g}; {_load()}"
    )


def stage(place: Path) -> None:
    """What is copied once a machine and user, and what a later run does in its place."""
    (place / "stage").mkdir()
    first = _cost(lambda: staging.stage(place / "stage", interpreter=True))
    staging.shared(interpreter=True)
    later = _cost(lambda: staging.shared(interpreter=True))
    print(
        f"stage: {first[0]:.2f} s, {first[1]:.2f} s of the processor, once a machine; "
        f"{later[0]:.4f} and {later[1]:.4f} s in a later run; {_load()}"
    )


def _homework_class(place: Path, id: str, size: int) -> Path:
    known = solved(id)
    assert known is not None
    made = place / f"{id}-{size}"
    made.mkdir()
    for k in range(size):
        (made / f"s{k:04}.py").write_text(f"{known.solution}\n# {k}\n")
    return made


def _class(place: Path, id: str, size: int, limit: float | None = None, runs: int = 1) -> None:
    made = make_class(place, size) if id == "bench" else _homework_class(place, id, size)
    costs = []
    for _ in range(runs):
        costs.append(_cost(lambda: _all_right(made, "" if id == "bench" else id, size)))
    clock, processor = _middle(costs)
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    words = f", at most {limit:.2f}" if limit else ""
    print(
        f"{id}, a class of {size}, {JOBS} jobs: {clock / size:.3f} s a submission{words}, "
        f"{processor / size:.3f} s of the processor; {clock:.1f} s in all; largest process so far "
        f"{megabytes:.0f} MiB; {_load()}",
        flush=True,
    )


def _all_right(made: Path, id: str, size: int) -> None:
    right = grade(made, id, "--jobs", str(JOBS))
    assert right == size, f"{right} of {size} right solutions have full marks"


def homework(place: Path) -> None:
    """Every homework with right solutions, in classes of 20."""
    for id in assignments():
        _class(place, id, 20, SLOWEST.get(id, SLOW), runs=3)


def three_hundred(place: Path) -> None:
    """A class of the first homework in one run."""
    _class(place, "hw01", 300)


def thousand(place: Path) -> None:
    """A class of one trivial claim."""
    _class(place, "bench", 1000)


def dask(place: Path) -> None:
    """A cluster of two workers on this machine, one of them killed in the middle: no result may be lost."""
    import distributed

    size = 40
    made = _homework_class(place, "hw01", size)
    runs = {name: place / name for name in ("alone", "cluster")}
    folder.grade_folder("hw01", made, runs["alone"], secret=b"the same", jobs=JOBS)
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )
    with cluster, executors.dask(cluster.scheduler_address) as executor:
        victim = next(iter(cluster.workers.values())).process.pid

        def kill_in_the_middle() -> None:
            while len(list((runs["cluster"] / "results").glob("*.json"))) < size // 2:
                time.sleep(0.01)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill_in_the_middle, daemon=True)
        killer.start()
        begin = time.perf_counter()
        folder.grade_folder("hw01", made, runs["cluster"], secret=b"the same", executor=executor)
        clock = time.perf_counter() - begin
        killer.join(0)
    assert not killer.is_alive(), "it was killed too late"
    alone, far = (
        {path.name: path.read_bytes() for path in sorted((run / "results").iterdir())}
        for run in runs.values()
    )
    same = sum(alone[name] == far.get(name) for name in alone)
    print(
        f"dask, a class of {size}, two workers, one killed after {size // 2}: {same} of {size} results the "
        f"same byte for byte; {clock / size:.3f} s a submission; {_load()}"
    )


SECTIONS: dict[str, Callable[[Path], None]] = {
    "start": start, "stage": stage, "homework": homework, "300": three_hundred, "1000": thousand,
    "dask": dask,
}  # fmt: skip


def main(names: list[str]) -> None:
    """Print the figures of the sections that are named, of all without a name."""
    if unknown := sorted(set(names) - set(SECTIONS)):
        raise SystemExit(f"no section {', '.join(unknown)}: {', '.join(SECTIONS)}")
    for name in names or SECTIONS:
        with tempfile.TemporaryDirectory() as place:
            SECTIONS[name](Path(place))


if __name__ == "__main__":
    main(sys.argv[1:])
