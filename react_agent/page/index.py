"""Write pages to files: one page per run, and an index of many runs."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from react_agent.errors import MachineError, TranscriptError, UsageError
from react_agent.page.markup import Looks, Markup, document, join, search_box, select, tag, written
from react_agent.page.plot import dollars, short, time
from react_agent.page.run import date, run_page
from react_agent.page.run_data import read_run
from react_agent.parsers.text.counted import counted
from react_agent.profiles.settings import Settings
from react_agent.runs.run_folder import Glance, RunFolder, Standing, glance, write_whole
from react_agent.state.stop import Stop
from react_agent.state.transcript import NAME, Redact
from react_agent.tools import disk

_LOOKS = Looks("index.css", ("index.js",))
_OUTCOMES: Mapping[str, str] = {Stop.CONCLUDED: "resolved", Standing.RUNNING: "open"}
_ORDERS = (
    ("newest", "newest first"),
    *((order, f"by {order}") for order in ("steps", "tokens", "cost", "time")),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the index. If a run can't be read, `problem` says why and the run has no page."""

    name: str
    file: str
    title: str
    run: Glance
    problem: str = ""

    @property
    def outcome(self) -> str:
        return "not readable" if self.problem else self.run.told

    @property
    def looks(self) -> str:
        return "failed" if self.problem else _OUTCOMES.get(self.run.outcome, "failed")


def row_of(folder: RunFolder, name: str, file: str, redact: Redact, problem: str = "") -> Row:
    """Return the row of a run after a quick scan, because there may be a thousand runs."""
    run = glance(folder)
    if run.outcome == Standing.UNREADABLE:
        problem = problem or "it can't be read"
    return Row(name, file, redact(run.title or name), run, problem)


def index_page(rows: Sequence[Row]) -> str:
    """Return the index page, newest run first, with a summary such as `24 runs, 17 concluded`."""
    costs = [row.run.money for row in rows if row.run.money is not None]
    concluded = sum(row.looks == "resolved" for row in rows)
    told = [counted(len(rows), "run"), f"{concluded} concluded"]
    told += [counted(sum(row.run.steps for row in rows), "step")]
    told += [dollars(sum(costs))] if costs else []
    ordered = sorted(rows, key=lambda row: (row.run.began, row.name), reverse=True)
    heads = ("Outcome", "Issue", "Steps", "Tokens", "Cost", "Time", "Began")
    head = tag("tr", *(tag("th", word, scope="col") for word in heads))
    return document(
        "Runs",
        _LOOKS,
        tag("header", tag("h1", "Runs"), tag("p", ", ".join(told))),
        tag(
            "main",
            _tools(rows),
            tag("table", tag("thead", head), tag("tbody", *map(_row, ordered)), id="runs"),
            tag("p", "No run matches.", class_="nothing", hidden=""),
        ),
    )


def _row(row: Row) -> Markup:
    run, outcome = row.run, tag("td", tag("span", row.outcome, class_=f"mark {row.looks}"))
    if row.problem:
        told = tag("td", tag("b", row.name), tag("small", row.problem), colspan=6)
        return tag("tr", outcome, told, data_outcome=row.outcome)
    issue = join(tag("a", written(row.title), href=row.file), tag("small", row.name))
    numbers = {
        "Steps": str(run.steps),
        "Tokens": short(run.tokens),
        "Cost": dollars(run.money),
        "Time": time(run.seconds),
        "Began": date(run.began),
    }
    return tag(
        "tr",
        outcome,
        tag("td", issue, class_="issue"),
        *(tag("td", value, data_label=name) for name, value in numbers.items()),
        data_outcome=row.outcome,
        data_steps=run.steps,
        data_tokens=run.tokens,
        data_cost=-1 if run.money is None else f"{run.money:.6f}",
        data_time=f"{run.seconds:.1f}",
    )


def _tools(rows: Sequence[Row]) -> Markup:
    """Return the search and sort controls, which are hidden until the script enables them."""
    outcomes = dict.fromkeys(row.outcome for row in rows)
    return tag(
        "div",
        search_box("Search the runs"),
        select("outcome", [("", "every outcome"), *((one, one) for one in outcomes)]),
        select("order", _ORDERS),
        tag("output", id="count", aria_live="polite"),
        class_="tools",
        role="search",
        hidden="",
    )


INDEX = "index.html"
_ENDINGS = (".html", ".htm")
_BEGINS = b"<!doctype html>"
_ODD = re.compile(r"[^A-Za-z0-9_.-]+")
_SUB = "sub"
_DEEPEST = 6  # parts of a path in a name


def write_pages(
    runs: Sequence[RunFolder], out: Path, redact: Redact, settings: Settings | None = None
) -> Path:
    """Write the pages and return the path to open. `out` is a file if it has an HTML suffix."""
    read = partial(read_run, redact=redact, settings=settings)
    if out.suffix in _ENDINGS:
        if len(runs) > 1:
            raise UsageError(
                f"{len(runs)} runs need several files: --out must be a folder, not {out}"
            )
        return _write(out, run_page(read(runs[0])))
    try:
        disk.mkdir(out, parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError(f"can't make {out}: {error.strerror}") from error
    names = names_of(runs)
    files = [out / file for file in file_names(names)]
    if len(runs) == 1:
        return _write(files[0], run_page(read(runs[0])))
    rows = []
    for run, name, file in zip(runs, names, files, strict=True):
        problem = ""
        try:
            _write(file, run_page(read(run)))
        except TranscriptError as error:
            problem = str(error)
        rows.append(row_of(run, name, file.name, redact, problem))
    return _write(out / INDEX, index_page(rows))


def _write(path: Path, page: str) -> Path:
    """Write a page. Refuse to overwrite another kind of file, which may be named by mistake."""
    try:
        begins = disk.start_of_regular(path, len(_BEGINS)) if os.path.lexists(path) else _BEGINS
    except OSError as error:
        raise MachineError(f"can't write {path}: {error.strerror}") from error
    if begins != _BEGINS:
        raise UsageError(f"{path} exists and is not a page: it was not overwritten")
    write_whole(path, page.encode())
    return path


def names_of(runs: Sequence[RunFolder]) -> list[str]:
    """Return the shortest unique suffix of each path. A nested run includes its parent's name."""
    names = [""] * len(runs)
    parts = [run.path.parts if run.name == NAME else (*run.path.parts, run.name) for run in runs]
    least = [1 + (run.name != NAME) + 2 * (run.path.parent.name == _SUB) for run in runs]
    for depth in range(1, _DEEPEST + 1):
        ends = ["/".join(part[-max(depth, few) :]) for part, few in zip(parts, least, strict=True)]
        often = Counter(ends)
        names = [
            name or (end if often[end] == 1 else "") for name, end in zip(names, ends, strict=True)
        ]
    return [name or run.path.name for name, run in zip(names, runs, strict=True)]


def file_names(names: Iterable[str]) -> list[str]:
    """Return file names that are unique on any file system and differ from the index's name."""
    taken = {INDEX}
    files = []
    for name in names:
        stem = _ODD.sub("-", name).strip(".-") or "run"
        file, again = f"{stem}.html", 1
        while file.casefold() in taken:
            again += 1
            file = f"{stem}~{again}.html"
        taken.add(file.casefold())
        files.append(file)
    return files
