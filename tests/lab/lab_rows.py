"""The lab's store: a line of JSON for each attempt, in tests/data/lab; and the table of them."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean

from react_agent.demo.repository import make_repository
from react_agent.eval.report.statistics import wilson
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
    def cell(self) -> tuple[str, str, int, str, str]:
        return self.weights, self.commit, self.seed, self.way, self.issue


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
    """Each issue by each way, `+` where it was resolved; below it what each way came to."""
    by_cell = {(row.way, row.issue): row for row in rows}
    width = max(map(len, ("issue", *issues)))
    lines = [f"{'issue':{width}}  {'  '.join(ways)}"]
    for issue in issues:
        marks = (_mark(by_cell.get((way, issue))).center(len(way)) for way in ways)
        lines.append(f"{issue:{width}}  {'  '.join(marks)}".rstrip())
    lines += ["", _HEAD]
    return [*lines, *(_summary(way, by_cell, issues) for way in ways)]


_HEAD = (
    f"{'way':20} {'resolved':>8} {'95 %':>11} {'calls':>6} {'unreadable':>10} {'limit':>6} "
    f"{'prompt':>8} {'reply':>7} {'seconds':>8}"
)


def _mark(row: Row | None) -> str:
    return " " if row is None else "+" if row.verdict == RESOLVED else "-"


def _summary(way: str, by_cell: Mapping[tuple[str, str], Row], issues: Sequence[str]) -> str:
    rows = [by_cell[way, issue] for issue in issues if (way, issue) in by_cell]
    if not rows:
        return way
    resolved = sum(row.verdict == RESOLVED for row in rows)
    low, high = wilson(resolved, len(rows))
    counts = [sum(row.calls for row in rows), sum(row.unreadable for row in rows)]
    counts.append(sum(row.limited for row in rows))
    prompt, reply = (
        mean(getattr(row, f"{one}_tokens") for row in rows) for one in ("prompt", "reply")
    )
    return (
        f"{way:20} {f'{resolved}/{len(rows)}':>8} {f'{low:.2f}-{high:.2f}':>11} {counts[0]:6} "
        f"{counts[1]:10} {counts[2]:6} {prompt:8.0f} {reply:7.0f} "
        f"{mean(row.seconds for row in rows):8.0f}"
    )
