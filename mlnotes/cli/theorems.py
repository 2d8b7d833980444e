"""The commands on theorems and their pictures: ``verify``, ``errata`` and ``figures``."""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import sys
import time
from collections.abc import Iterable
from typing import Any

from mlnotes.cli import FAILS, OK
from mlnotes.cli.terminal import console, progress_bar, say

IN_FULL = 3  # failures of a candidate that are shown with what was measured; the others have a line each


def verify(arguments: argparse.Namespace) -> int:
    """Check claims against the library or a candidate, and report them."""
    from mlnotes import claims
    from mlnotes.checking import suite

    chosen = claims.select(arguments.names)
    aside: tuple[Any, ...] = ()
    names: dict[str, Any] = {}
    if arguments.candidate:
        names = suite.load_candidate(arguments.candidate)
        chosen, aside = suite.concerned(chosen, names)
        explicit = [item for item in aside if item.id in arguments.names]
        chosen, aside = chosen + tuple(explicit), tuple(item for item in aside if item not in explicit)
        if not chosen:
            raise ValueError(f"{arguments.candidate} defines no name that a chosen claim asks for")
    seeds = range(arguments.seed, arguments.seed + arguments.seeds)
    jobs = arguments.jobs or (os.cpu_count() or 1 if len(seeds) * len(chosen) > 300 else 1)
    start = time.perf_counter()
    if len(seeds) > 1 and not arguments.json:
        draws = f"{len(seeds)} draws in {jobs} process{'es' * (jobs > 1)}"
        print(f"checking {len(chosen)} claims over {draws}", file=sys.stderr)
    limit = arguments.limit or (10.0 if arguments.candidate else math.inf)
    running = suite.run(
        chosen, seeds=seeds, candidate=arguments.candidate, sides=arguments.sides, jobs=jobs, limit=limit
    )
    if arguments.json:
        rows = list(running)
        records = [outcome.as_dict() for row in rows for outcome in row]
        print(json.dumps(records, indent=1, ensure_ascii=False))
    else:
        rows = _show_rows(running, len(chosen), len(seeds), arguments)
        _explain(console(), [outcome for row in rows for outcome in row], arguments, names)
        _say_total(rows, len(aside), arguments, time.perf_counter() - start)
    return OK if all(o.holds or _spared(o, arguments) for row in rows for o in row) else FAILS


def _spared(outcome: Any, arguments: argparse.Namespace) -> bool:
    """Whether a candidate may fail a claim: it is for the estimators only, and nobody named it."""
    return bool(outcome.beyond) and outcome.verdict.claim.id not in arguments.names


def _show_rows(running: Iterable[Any], total: int, n_seeds: int, arguments: argparse.Namespace) -> list[Any]:
    """Print a line a claim."""
    page, rows = console(), []
    columns = ("candidate",) if arguments.candidate else arguments.sides
    with progress_bar(total, "checking") as step:
        for row in running:
            rows.append(row)
            step()
    if not arguments.candidate:
        print("  ".join(f"{column:10}" for column in columns).rstrip())
    for row in rows:
        cells = {outcome.side: _word(outcome, n_seeds) for outcome in row}
        first = row[0]
        line = "  ".join(f"{cells.get(column, _absent(first, column)):10}" for column in columns)
        share = f"{first.seeds - len(first.failed)} of {first.seeds} seeds" if first.seeds > 1 else ""
        spent = 1000 * sum(outcome.seconds for outcome in row)
        line += f"  {first.verdict.claim.id:42} {first.verdict.claim.kind:10} {spent:8.1f} ms  {share}"
        say(page, line.rstrip(), style="" if all(o.holds for o in row) else "bold red")
    return rows


def _word(outcome: Any, n_seeds: int) -> str:
    from mlnotes.checking import boxes

    if outcome.holds and outcome.verdict.claim.illustration:
        return "example"
    return boxes.status_words(outcome.verdict) if outcome.holds or n_seeds == 1 else "FAILS"


def _absent(outcome: Any, column: str) -> str:
    """Return what stands in the column of a side that was not asked."""
    if outcome.verdict.claim.illustration:
        return ""
    return "shared" if column == "estimators" else "-"


def _explain(page: Any, outcomes: list[Any], arguments: argparse.Namespace, names: dict[str, Any]) -> None:
    """Print what was measured where claims fail, those first whose mistake is known."""
    spared = [outcome for outcome in outcomes if _spared(outcome, arguments)]
    failures = [outcome for outcome in outcomes if not outcome.holds and outcome not in spared]
    mistakes = _mistakes(failures, names)
    for sentence, ids in mistakes.items():
        where = f" ({', '.join(ids)})" if len(failures) > 1 else ""
        say(page, f"\nThe outputs match a common mistake: {sentence}{where}")
    known = [id for ids in mistakes.values() for id in ids]
    order = ("fails", "error", "not found")
    failures.sort(key=lambda o: (o.verdict.claim.id not in known, order.index(o.verdict.status)))
    rest = [
        o for o in failures[IN_FULL:] if arguments.candidate and o.verdict.claim.id not in arguments.names
    ]
    for outcome in failures:
        if outcome not in rest:
            _show_in_full(page, outcome)
    if rest:
        command = f"mlnotes verify {rest[0].verdict.claim.id} --candidate {shlex.quote(arguments.candidate)}"
        seed = f" --seed {rest[0].failed[0]}" if rest[0].failed[0] else ""
        say(page, f"\nThese do not hold either; to see one in full: {command}{seed}")
    for outcome in rest:
        say(page, _in_short(outcome))
    for outcome in spared:
        say(page, f"\n{_in_short(outcome)}\nthis claim is checked on the estimators only: {outcome.beyond}")


def _mistakes(failures: list[Any], names: dict[str, Any]) -> dict[str, list[str]]:
    """Return the mistakes whose outputs a candidate reproduces, with the ids of the claims that they fail."""
    from mlnotes import mistakes
    from mlnotes.checking import suite
    from mlnotes.grading.feedback import diagnosis

    found: dict[str, list[str]] = {}
    for outcome in failures:
        item = outcome.verdict.claim
        if names and outcome.verdict.status == "fails":
            sentence = diagnosis.of_candidate(
                item,
                suite.with_datasets(item, names),
                outcome.failed[0],
                mistakes.library(item.topic),
                mistakes.of(item.topic),
            )
            found.setdefault(sentence, []).append(item.id)
    found.pop("", None)
    return found


def _show_in_full(page: Any, outcome: Any) -> None:
    verdict = outcome.verdict
    if verdict.status == "not found":
        say(page, f"\n{verdict.reason}")
    else:
        seed = f" at seed {outcome.failed[0]}" if verdict.claim.random else ""
        side = "" if outcome.side == "candidate" else f" on the {outcome.side}"
        say(page, f"\n{verdict.claim.statement}")
        say(page, f"read {verdict.claim.where}; measured{side}{seed}:\n{verdict}")
    if outcome.beyond:
        say(page, f"this claim is checked on the estimators only: {outcome.beyond}")


def _in_short(outcome: Any) -> str:
    """Return the verdict, the id, and the first thing that is wrong."""
    from mlnotes.checking import boxes

    verdict = outcome.verdict
    wrong = (boxes.measurement(item) for item in verdict.evidence if not item.holds)
    return f"{boxes.status_words(verdict):10}  {verdict.claim.id:30}  {verdict.reason or next(wrong)}"


def _say_total(rows: list[Any], n_aside: int, arguments: argparse.Namespace, seconds: float) -> None:
    outcomes = [outcome for row in rows for outcome in row]
    sides = {side: [o for o in outcomes if o.side == side] for side in ("reference", "estimators")}
    held = sum(all(outcome.holds for outcome in row) for row in rows)
    parts = [f"{sum(o.holds for o in asked)} of {len(asked)} on the {s}" for s, asked in sides.items()]
    shown = "" if arguments.candidate or len(rows) == 1 else f": {', '.join(parts)}"
    n_spared = sum(_spared(outcome, arguments) for outcome in outcomes)
    spared = (
        f"; {n_spared} for the estimators only {'does' if n_spared == 1 else 'do'} not" if n_spared else ""
    )
    print(f"\n{held} of {len(rows) - n_spared} claims hold{spared}{shown} ({seconds:.1f} s)")
    if n_aside:
        print(f"{n_aside} claims were not asked: {arguments.candidate} defines none of their names")


def errata(arguments: argparse.Namespace) -> int:
    """List what the lecture notes print and what is right, with the verdict of the check."""
    from mlnotes import claims

    rows = [
        (item, item.verify() if item.check else None)
        for topic in (arguments.topics or claims.topics())
        for item in claims.of(topic)
        if item.kind == "erratum"
    ]
    if arguments.json:
        records = [
            verdict.as_dict()
            if verdict
            else {"id": item.id, "topic": item.topic, "kind": item.kind, "sources": list(item.sources)}
            | {"statement": item.statement, "printed": item.printed, "corrected": item.corrected}
            for item, verdict in rows
        ]
        print(json.dumps(records, indent=1, ensure_ascii=False))
    else:
        for item, verdict in rows:
            shown = "notation" if verdict is None else "shown" if verdict.holds else "NOT SHOWN"
            print(f"{item.id}  ({'; '.join(item.sources)})  [{shown}]")
            print(f"  printed:   {item.printed}\n  corrected: {item.corrected}\n")
        print(f"{len(rows)} errata, {sum(v is not None for _, v in rows)} of them with a counterexample")
    return OK if all(verdict is None or verdict.holds for _, verdict in rows) else FAILS


def figures(arguments: argparse.Namespace) -> int:
    """Draw the figures of the gallery that are out of date."""
    from mlnotes.show import gallery

    jobs = arguments.jobs or os.cpu_count() or 1
    options = {"folder": arguments.folder, "force": arguments.all, "format": arguments.format, "jobs": jobs}
    gallery.render(arguments.names, **options)
    return OK
