"""What grading costs beyond a student's code: an assignment of one trivial claim, files that all differ.

The peer is the least that any grader with a fresh process a submission pays: a Python that imports NumPy, for
each. The command is timed as a user meets it, from its start to its end. The line ``python -m
benchmarks.grading 1000`` prints the seconds a submission and the grader's memory for a class of any size.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness import Race

SIZES = (10, 100)
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
        subprocess.run([sys.executable, "-m", "mlnotes.cli", *words], check=True, capture_output=True)
        return Path(out, "gradebook.csv").read_text().count(",1,1,1,GRADED,")


def start_pythons(size: int) -> int:
    """Start as many Pythons that import NumPy, one after the other."""
    for _ in range(size):
        subprocess.run([sys.executable, "-c", "import numpy"], check=True)
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


def main(size: int) -> None:
    """Print seconds a submission and the peak memory of the largest process of one run."""
    with tempfile.TemporaryDirectory() as folder:
        place = make_class(Path(folder), size)
        start = time.perf_counter()
        right = grade(place)
        seconds = time.perf_counter() - start
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"{right} of {size} right, {seconds:.1f} s, {seconds / size:.3f} s each, {megabytes:.0f} MiB at most"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
