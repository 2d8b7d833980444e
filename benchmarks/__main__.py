"""``python -m benchmarks [topic ...]`` prints the table of ratios and writes benchmarks/results.json."""

from __future__ import annotations

import importlib
import json
import os
import platform
import sys
from pathlib import Path

HERE = Path(__file__).parent
THREADS = "1"


def main(topics: list[str]) -> int:
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, THREADS)  # before NumPy: the same number on both sides
    from benchmarks.harness import geometric_mean, run

    known = sorted(p.stem for p in HERE.glob("*.py") if p.stem not in ("__init__", "__main__", "harness"))
    unknown = sorted(set(topics) - set(known))
    if unknown:
        print(f"benchmarks: topics are {', '.join(known)}, got {', '.join(unknown)}", file=sys.stderr)
        return 2
    file = HERE / "results.json"
    results = json.loads(file.read_text()) if file.exists() else {"topics": {}}
    for topic in topics or known:
        print(f"{topic}\n{'task':44} {'ours':>10} {'peer':>10} {'ratio':>7}  agreement")
        module, rows = importlib.import_module(f"benchmarks.{topic}"), []
        for race in module.races():
            row = run(race)
            rows.append(row)
            times = f"{1e3 * row.ours:8.2f}ms {1e3 * row.peer:8.2f}ms {row.ratio:6.2f}x"
            print(f"{row.task:44} {times}  {row.disagreement:.1e}  {row.peer_name}", flush=True)
        print(f"{'geometric mean of the ratios':44} {geometric_mean(rows):28.2f}x\n")
        results["topics"][topic] = [row.as_dict() for row in rows]
        if hasattr(module, "remarks"):  # lines about more than one race
            results.setdefault("remarks", {})[topic] = module.remarks()
            print("\n".join(results["remarks"][topic]) + "\n")
        results["machine"] = _machine()
        file.write_text(json.dumps(results, indent=1) + "\n")  # a run that is cut keeps these
    return 0


def _machine() -> dict[str, str]:
    import numpy
    import sklearn

    return {
        "python": platform.python_version(),
        "processor": platform.machine(),
        "threads": os.environ["OPENBLAS_NUM_THREADS"],
        "numpy": numpy.__version__,
        "scikit-learn": sklearn.__version__,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
