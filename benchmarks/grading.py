"""What grading costs beyond a student's code: an assignment of one trivial claim, files that all differ.

The peer is the least that any grader with a fresh process a submission pays: a Python that imports NumPy, for
each. The command is timed as a user meets it, from its start to its end, with compiled code. The line
``python -m benchmarks.grading 1 10 100 1000`` prints the seconds a submission and the grader's memory for
classes of any size, and how busy the machine was.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.harness import Race

SIZES = (10, 100)
RUNS = 5
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
ASSIGNMENT = """
from mlnotes.claims import claim, equal
from mlnotes.homework import Assignment, Function, Part, Value

@claim("bench.one", kind="homework", section="-", statement="One is one.")
def one(answer, rng):
    yield equal("answer", answer(), 1)

PART = Part("one", 1, "", (one,), (Function("answer", {}, Value("i"), "One."),))
assignment = Assignment("bench", "Bench", (PART,))
"""


def make_class(folder: Path, size: int) -> Path:
    """Write the assignment and a class of different right submissions; return the folder of the class."""
    place = folder / f"class{size}"
    place.mkdir(parents=True, exist_ok=True)
    (folder / "bench.py").write_text(ASSIGNMENT)
    for k in range(size):
        (place / f"s{k:04}.py").write_text(f"def answer():\n    return 1  # {k}\n")
    return place


def grade(place: Path) -> int:
    """Grade a class by the command, into a new folder; return how many have full marks."""
    with tempfile.TemporaryDirectory() as out:
        words = ["grade", str(place.parent / "bench.py"), str(place), "--out", out]
        command = [sys.executable, "-m", "mlnotes.cli", *words]
        subprocess.run(command, check=True, capture_output=True, env=ENVIRONMENT)
        return Path(out, "gradebook.csv").read_text().count(",1,1,1,GRADED,")


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


def main(sizes: list[int]) -> None:
    """Print, for each class, seconds a submission and the peak memory of the largest process so far."""
    start = _seconds(lambda: start_pythons(1))
    print(f'python -c "import numpy": {start:.3f} s; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores')
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            place = make_class(Path(folder), size)
            assert grade(place) == size
            seconds = _seconds(lambda place=place: grade(place), RUNS if size <= 100 else 1)
            megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            each, ratio, load = seconds / size, seconds / start, os.getloadavg()[0]
            print(
                f"{size:5} submissions: {seconds:7.3f} s, {each:.3f} s each, {ratio:.2f} NumPy imports, "
                f"{megabytes:.0f} MiB, load {load:.1f}"
            )


def _seconds(call: Callable[[], object], runs: int = RUNS) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]])
