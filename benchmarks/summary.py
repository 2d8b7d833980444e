"""The table of the README: what the races at defaults say, no better than they were measured."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("results.json")  # what the README and the book show

BEGIN = "<!-- races at defaults: written by make bench -->"
END = "<!-- end of the races -->"
_LEVELS = "features are sorted once for all nodes: order, ranks and values, n d numbers of 8 bytes each"
HEAVIER = {  # by name in `defaults.PAIRS`: why a fit takes over 1.5 times the peer's memory
    "plug-in": "the rows of each class are copied, and once more around their mean",
    "kernel density": "the rows are copied, so that who changes X later does not change the estimate",
    "SVC": "the kernel matrix of up to 2,500 rows stays whole, else rows of it and that of the free vectors",
    "one-class SVM": "the kernel matrix of up to 2,500 rows stays whole, else rows of it",
    "tree": f"{_LEVELS}; all nodes of a level are split at once, which keeps their counts side by side",
    "forest": "several trees grow at once, each with keys of all its rows and drawn features at a level",
    "bagging, 10 trees": "several trees grow at once, each with keys of all its rows and features at a level",
    "AdaBoost": f"{_LEVELS}, and the keys of rows in the order of each feature",
}
HEAD = "| topic | races | mean | slowest race | its ratio (range over draws) |\n|:--|--:|--:|:--|--:|"


def mean(rows: list[dict[str, Any]]) -> float:
    """Return the geometric mean of the ratios."""
    return math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))


def table(results: dict[str, Any]) -> str:
    """Return a line for each topic, one for all, and the machine, as Markdown."""
    topics = results["topics"]
    every = [row for rows in topics.values() for row in rows]
    lines = [HEAD, *(_line(topic.replace("_", " "), rows) for topic, rows in topics.items())]
    faster = sum(row["ratio"] >= 1 for row in every)
    machine = results["machine"]
    return "\n".join(
        [
            *lines,
            _line("**all**", every),
            "",
            f"In {faster} of {len(every)} races mlnotes is at least as fast. "
            f"Machine: {machine['processor']}, {machine['threads']} thread, NumPy {machine['numpy']}, "
            f"scikit-learn {machine['scikit-learn']}, "
            f"Python {machine['python']}, {machine['clock']}.",
        ]
    )


def _line(name: str, rows: list[dict[str, Any]]) -> str:
    worst = min(rows, key=lambda row: row["ratio"])
    ratio = f"{worst['ratio']:.2f} ({worst['low']:.2f} to {worst['high']:.2f})"
    return f"| {name} | {len(rows)} | {mean(rows):.2f} | {worst['task']} | {ratio} |"


def memory(results: dict[str, Any], least: float = 8.0, times: float = 1.5) -> list[str]:
    """Return a line for each fit that takes at least so many MiB and times the peer's peak, and why."""
    rows = [row for rows in results["topics"].values() for row in rows if " fit," in row["task"]]
    return [
        f"{row['task']}: {row['our_peak']:.0f} MiB, the peer {row['peer_peak']:.0f}; "
        + HEAVIER.get(row["task"].split(" fit,")[0], "")
        for row in rows
        if row["our_peak"] is not None and row["our_peak"] >= max(least, times * row["peer_peak"])
    ]


def in_readme(readme: str, results: dict[str, Any]) -> str:
    """Return the README with the table in its place."""
    place = f"{re.escape(BEGIN)}.*?{re.escape(END)}"
    return re.sub(place, lambda _: f"{BEGIN}\n{table(results)}\n{END}", readme, flags=re.DOTALL)


def as_json(results: dict[str, Any]) -> str:
    """Return the results with four digits, one race or curve a line."""

    def rounded(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: rounded(item) for key, item in value.items()}
        if isinstance(value, list):
            return [rounded(item) for item in value]
        return float(f"{value:.4g}") if isinstance(value, float) else value

    text = json.dumps(rounded(results))
    return re.sub(r' ?(\{"(?:task|name)": |"\w+": \{"machine")', r"\n\1", text) + "\n"
