"""The lab's store: a line of JSON for each attempt, in tests/data/lab; and the table of them."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean

from react_agent.demo.repository import make_repository
from react_agent.eval.report.statistics import (
    Group,
    Pair,
    by_chance,
    clustered,
    difference_interval,
)
from react_agent.eval.sets.issue_set import bundled_instances, read_row
from react_agent.eval.task import Instance
from react_agent.parsers.text.json_rows import numbered_values

FOLDER = Path(os.environ.get("LAB_STORE") or Path(__file__).parents[1] / "data" / "lab")
ATTEMPTS = "attempts.jsonl"
FURTHER = Path(__file__).parents[1] / "data" / "lab" / "further"  # not in the wheel
RESOLVED = "resolved"


@dataclass(frozen=True)
class Row:
    weights: str  # the start of their sum
    commit: str
    seed: int
    temperature: float
    way: str
    issue: str
    verdict: str  # `resolved`, another of eval's, or why it came to nothing
    calls: int
    unreadable: int
    limited: int  # replies that ran into a limit
    prompt_tokens: int
    reply_tokens: int
    seconds: float
    date: str
    machine: str

    @property
    def cell(self) -> tuple[str, str, float, int, str, str]:
        return self.weights, self.commit, self.temperature, self.seed, self.way, self.issue


def issues_of(name: str, root: Path) -> tuple[Instance, ...]:
    """The `bundled` ones or the `further` ones, with repositories below `root`."""
    if name == "bundled":
        return bundled_instances(root)
    lines = numbered_values((FURTHER / "set.jsonl").read_text(encoding="utf-8"))
    rows = [read_row(value, line) for line, value in lines]
    for repository in dict.fromkeys(row.repo for row in rows):
        make_repository(root / repository, (FURTHER / f"{repository}.fast-import").read_bytes())
    return tuple(replace(row, repo=str(root / row.repo)) for row in rows)


def read(folder: Path = FOLDER) -> list[Row]:
    path = folder / ATTEMPTS
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [Row(**json.loads(line)) for line in lines]


def append(row: Row, folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ATTEMPTS).open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps(asdict(row))}\n")


def table(rows: Iterable[Row], ways: Sequence[str], issues: Sequence[str]) -> list[str]:
    """Return each issue by each way, how many seeds resolved it; then the sums of each way.

    Below them the first way is compared with each other way, paired by issue.
    """
    by_cell: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        by_cell.setdefault((row.way, row.issue), []).append(row)
    width = max(map(len, ("issue", *issues)))
    lines = [f"{'issue':{width}}  {'  '.join(ways)}"]
    for issue in issues:
        marks = (_mark(by_cell.get((way, issue), [])).center(len(way)) for way in ways)
        lines.append(f"{issue:{width}}  {'  '.join(marks)}".rstrip())
    lines += ["", _HEAD]
    lines += [
        _summary(way, [by_cell[way, one] for one in issues if (way, one) in by_cell])
        for way in ways
    ]
    pairs = {way: _pairs(by_cell, ways[0], way) for way in ways[1:]}
    return [*lines, *(_compared(ways[0], way, some) for way, some in pairs.items() if some)]


_HEAD = (
    f"{'way':20} {'resolved':>8} {'95 %':>11} {'calls':>6} {'unreadable':>10} {'limit':>6} "
    f"{'prompt':>8} {'reply':>7} {'seconds':>8}"
)


def _resolved(rows: Iterable[Row]) -> int:
    return sum(row.verdict == RESOLVED for row in rows)


def _mark(rows: Sequence[Row]) -> str:
    if len(rows) > 1:
        return f"{_resolved(rows)}/{len(rows)}"
    return "+" if _resolved(rows) else "-" if rows else " "


def _summary(way: str, issues: Sequence[Sequence[Row]]) -> str:
    rows = [row for some in issues for row in some]
    if not rows:
        return way
    low, high = clustered([Group(_resolved(some), len(some)) for some in issues])
    counts = [sum(row.calls for row in rows), sum(row.unreadable for row in rows)]
    counts.append(sum(row.limited for row in rows))
    prompt, reply = (
        mean(getattr(row, f"{one}_tokens") for row in rows) for one in ("prompt", "reply")
    )
    return (
        f"{way:20} {f'{_resolved(rows)}/{len(rows)}':>8} {f'{low:.2f}-{high:.2f}':>11} "
        f"{counts[0]:6} {counts[1]:10} {counts[2]:6} {prompt:8.0f} {reply:7.0f} "
        f"{mean(row.seconds for row in rows):8.0f}"
    )


def _pairs(by_cell: Mapping[tuple[str, str], Sequence[Row]], one: str, other: str) -> list[Pair]:
    """Return the issues that both ways tried, with the seeds that both have."""
    found = []
    for way, issue in by_cell:
        if way == one and (other, issue) in by_cell:
            first, second = by_cell[one, issue], by_cell[other, issue]
            seeds = {row.seed for row in first} & {row.seed for row in second}
            sides = [
                _resolved(row for row in side if row.seed in seeds) for side in (second, first)
            ]
            if seeds:
                found.append(Pair(*sides, len(seeds)))
    return found


def _compared(one: str, other: str, pairs: Sequence[Pair]) -> str:
    low, high = difference_interval(pairs)
    first, second = (sum(side) for side in list(zip(*pairs, strict=True))[:2])
    return (
        f"{one} against {other}: {second} to {first} of {sum(pair.tries for pair in pairs)}, "
        f"difference {low:+.2f} to {high:+.2f}, p {by_chance(pairs):.3f}"
    )
