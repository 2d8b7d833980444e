"""``python -m benchmarks`` races every estimator at its defaults and measures times against n.

It writes benchmarks/results.json and the table of the README, in 7 minutes on a quiet machine; with
``defaults`` or ``growth`` one of the two. With topics, such as ``pca svm``, it prints the races of these
topics and writes nothing. With ``--processor-time`` processor time is measured instead of wall-clock time,
for a machine that does other things as well.
"""

from __future__ import annotations

import importlib
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

from mlnotes.grading.sandbox.clocks import ONE_THREAD

HERE = Path(__file__).parent
README = HERE.parent / "README.md"
STORED = ("defaults", "growth")


def main(arguments: list[str]) -> int:
    os.environ |= ONE_THREAD | os.environ  # before NumPy: the same number on both sides
    from benchmarks import summary

    topics = [argument for argument in arguments if argument != "--processor-time"]
    clock = time.process_time if "--processor-time" in arguments else time.perf_counter
    inner = ("__init__", "__main__", "harness", "summary")
    known = sorted(p.stem for p in HERE.glob("*.py") if p.stem not in inner)
    if unknown := sorted(set(topics) - set(known)):
        print(f"benchmarks: topics are {', '.join(known)}, got {', '.join(unknown)}", file=sys.stderr)
        return 2
    for topic in topics or STORED:
        module = importlib.import_module(f"benchmarks.{topic}")
        if topic not in STORED:
            _print_races(topic, module, clock)
            continue
        results = json.loads(summary.RESULTS.read_text())
        if topic == "growth":
            curves = [_show_curve(module.curve(pair, clock)) for pair in module.defaults.PAIRS]
            results["growth"] = {"machine": _machine(clock), "curves": curves}
        else:
            by_topic: dict[str, Any] = {}
            for about, row in module.rows(clock):
                by_topic.setdefault(about, []).append(_show(row).as_dict())
            results["defaults"] = {"machine": _machine(clock), "topics": by_topic}
            README.write_text(summary.in_readme(README.read_text("utf-8"), results["defaults"]), "utf-8")
        summary.RESULTS.write_text(summary.as_json(results))
    return 0


def _print_races(topic: str, module: Any, clock: Any) -> None:
    from benchmarks.harness import run
    from benchmarks.summary import mean

    print(f"{topic}\n{'task':44} {'ours':>10} {'peer':>10} {'ratio':>7}  agreement")
    rows = [_show(run(race, clock)).as_dict() for race in module.races()]
    print(f"{'geometric mean of the ratios':44} {mean(rows):28.2f}x\n")
    if hasattr(module, "remarks"):  # lines about more than one race
        print("\n".join(module.remarks()) + "\n")


def _show(row: Any) -> Any:
    times = f"{1e3 * row.ours:8.2f}ms {1e3 * row.peer:8.2f}ms {row.ratio:6.2f}x"
    print(f"{row.task:44} {times}  {row.disagreement:.1e}  {row.peer_name}", flush=True)
    return row


def _show_curve(curve: dict[str, Any]) -> dict[str, Any]:
    slopes = ", ".join(f"{side} {slope:.2f}" for side, slope in curve["slopes"].items())
    print(f"{curve['name']:28} to n = {curve['sizes'][-1]:6}: slopes {slopes}", flush=True)
    return curve


def _machine(clock: Any) -> dict[str, str]:
    import numpy
    import sklearn

    return {
        "python": platform.python_version(),
        "processor": _processor(),
        "threads": os.environ["OPENBLAS_NUM_THREADS"],
        "numpy": numpy.__version__,
        "scikit-learn": sklearn.__version__,
        "clock": "processor time on a loaded machine" if clock is time.process_time else "wall-clock time",
    }


def _processor() -> str:
    try:
        names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
        return names[0].split(":")[1].strip()
    except (OSError, IndexError):
        return platform.machine()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
