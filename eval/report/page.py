"""The HTML page of an experiment: charts, and a row for each attempt with its transcript."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from react_agent.errors import TranscriptError
from react_agent.eval.report.experiment import by_arm
from react_agent.eval.report.statistics import EmptyScore
from react_agent.eval.report.summary import RESOLVED, TOOK, Outcome, Summary, outcome, summary_of
from react_agent.eval.store.files import LOG
from react_agent.eval.task import Key, Record
from react_agent.page.markup import (
    Looks,
    Markup,
    diff,
    document,
    fold,
    join,
    plain,
    search_box,
    select,
    tag,
)
from react_agent.page.plot import across, below, dollars, figure, percent, svg, time
from react_agent.page.run import read_run, run_parts, write_over_page
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.text import printed
from react_agent.parsers.text.counted import counted, short
from react_agent.parsers.transcript.quoting import escape
from react_agent.runs.run_folder import RunFolder
from react_agent.state.transcript import NAME
from react_agent.tools import disk

_LOOKS = Looks("page.css", ("page.js",), "react_agent.eval.report")
_LARGEST = 64_000_000  # bytes of a transcript that is read
_LOG_END = 64_000  # last bytes of a log, which name the failures
_ROOM = 40_000_000  # characters of all runs
_KEYS = (
    ("/", "search"),
    ("Enter", "next place"),
    ("j k", "next and previous attempt"),
    ("Esc", "close"),
)
UNRESOLVED = (Outcome.FAILED, Outcome.LEFT_OUT)  # those with a reason
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_ROW, _MIDDLE, _THICK = 26, 13, 12  # pixels

Arms = Mapping[str, Sequence[Record]]


def write_page(out: Path, title: str, records: Sequence[Record], about: Mapping[str, str]) -> None:
    write_over_page(out, Redaction()(page(title, records, about)))


def page(title: str, records: Sequence[Record], about: Mapping[str, str]) -> str:
    """Return the HTML of the page. Raises EmptyScore if there are no attempts."""
    if not records:
        raise EmptyScore("there are no attempts to show")
    arms = by_arm(records)
    summaries = {name: summary_of(found) for name, found in arms.items()}
    ordered = sorted(
        records, key=lambda one: (one.key.instance, [*arms].index(one.key.arm), one.key.number)
    )
    return document(
        title,
        _LOOKS,
        tag("header", tag("h1", title), tag("p", _extent(records)), _about(about)),
        tag(
            "main",
            _resolved(summaries),
            tag("div", _table(summaries), class_="wide scroll"),
            _kinds(arms),
            _attempts(ordered),
        ),
        tag("footer", *(join(tag("kbd", key), f" {does}") for key, does in _KEYS)),
    )


def _extent(records: Sequence[Record]) -> str:
    """Return a text like `24 issues, 2 arms, 96 attempts`."""
    issues = counted(len({record.key.instance for record in records}), "issue")
    arms = counted(len(by_arm(records)), "arm")
    return f"{issues}, {arms}, {counted(len(records), 'attempt')}"


def _about(about: Mapping[str, str]) -> Markup:
    if not about:
        return Markup("")
    facts = (join(tag("dt", name), tag("dd", value)) for name, value in about.items())
    return tag("details", tag("summary", "How it was run"), tag("dl", *facts), class_="about")


def _attempts(records: Sequence[Record]) -> Markup:
    runs = _within_room({record.key: join(*_inner(record)) for record in records})
    before = [None, *(record.key.instance for record in records)]
    rows = (
        _row(record, runs[record.key], record.key.instance == last)
        for record, last in zip(records, before, strict=False)
    )
    words = ("", "issue", "", "steps", "tokens", "cost", "time")
    head = tag("p", *(tag("span", word) for word in words), class_="head", aria_hidden="true")
    return tag(
        "section",
        tag("h2", "Attempts"),
        _tools(records),
        head,
        tag("div", *rows, class_="rows"),
        tag("p", "No attempt matches.", class_="nothing", hidden=""),
        id="attempts",
    )


def _within_room(runs: Mapping[Key, Markup]) -> dict[Key, Markup]:
    """Keep the shortest transcripts that fit. Replace the others by a note with their location."""
    left, found = _ROOM, dict[Key, Markup]()
    note = tag("p", f"There is no room for it on this page: see its {NAME}.", class_="note")
    for key, run in sorted(runs.items(), key=lambda one: len(one[1])):
        left -= len(run)
        found[key] = run if left >= 0 else note
    return found


def _inner(record: Record) -> Iterator[Markup]:
    tests = record.tests
    groups = {
        "fixed": tests.fixed,
        "not fixed": tests.not_fixed,
        "broken": tests.broken,
        "kept": tests.kept,
    }
    sizes = ", ".join(f"{len(names)} {name}" for name, names in groups.items() if names)
    if sizes:
        shown = (_tests(name, names) for name, names in groups.items() if names)
        yield fold("Tests", sizes, tag("div", *shown, class_="tests"))
    if record.patch:
        size = counted(record.patch.count("\n") + 1, "line")
        yield fold("Patch", size, diff(record.patch), class_="patch")
    if record.folder is None:
        yield tag("p", "No files of this attempt were kept.", class_="note")
        return
    with suppress(OSError):  # no tests were run
        log = disk.end_of(record.folder / LOG, _LOG_END).decode(errors="replace")
        lines = counted(log.count("\n"), "line")
        yield fold("What the tests printed", lines, plain(escape(printed.plain(log))))
    yield tag("div", *_run(record.folder), class_="transcript")


def _tests(name: str, names: Sequence[str]) -> Markup:
    looks = "good" if name in ("fixed", "kept") else "bad"
    listed = tag("ul", *(tag("li", one) for one in names))
    return tag("div", tag("h3", name), listed, class_=looks)


def _run(folder: Path) -> Iterator[Markup]:
    try:
        if (folder / NAME).stat().st_size > _LARGEST:
            raise TranscriptError(f"{NAME} is too large for this page")
        yield from run_parts(replace(read_run(RunFolder(folder), Redaction()), patch=""))
    except FileNotFoundError:
        yield tag("p", f"There is no {NAME}.", class_="note")
    except (TranscriptError, OSError) as error:
        yield tag("p", str(error).replace(f"{folder}/", ""), class_="note")


def _row(record: Record, run: Markup, is_again: bool) -> Markup:
    used, of, key = record.used, outcome(record), record.key
    which, name = f"{key.arm} {key.number}", f"a-{key.instance}.{key.arm}.{key.number}"
    summary = tag(
        "summary",
        tag("span", of.value, class_=f"mark {_look(of)}"),
        tag("span", tag("b", key.instance), tag("small", which), class_="issue"),
        tag("span", record.why if of in UNRESOLVED else "", class_="why"),
        _number(str(used.steps), "steps"),
        _number(short(used.tokens), "tokens"),
        _number(dollars(used.cost), "cost"),
        _number(time(used.seconds), "time"),
    )
    return tag(
        "details",
        summary,
        tag("div", _reason(record, name), tag("template", run), class_="body folds"),
        class_="attempt again" if is_again else "attempt",  # of the issue above
        id=name,
        data_outcome=_look(of),
        data_arm=key.arm,
        data_kind=record.why if of in UNRESOLVED else None,
    )


def _number(written: str, of: str) -> Markup:
    return tag("span", written, class_=f"number {of}", title=of)


def _reason(record: Record, name: str) -> Markup:
    """Return the part of a row that is visible without a script. A transcript needs a script."""
    words = [record.reason] if record.reason else []
    to = f"#{quote(escape(name))}:{record.step}"
    link = tag("a", f"step {record.step}", href=to) if record.step else ""
    place = "/".join(record.folder.parts[-2:]) if record.folder else ""
    facts = [record.repo, f"stopped: {record.stop.replace('_', ' ')}" if record.stop else "", place]
    return join(
        tag("p", join(*words, link, between=" · "), class_="reason") if words or link else "",
        tag("p", join(*facts, between=" · "), class_="facts"),
    )


def _tools(records: Sequence[Record]) -> Markup:
    """Return the search and filter controls, which are hidden until a script enables them."""
    kinds = sorted({record.why for record in records if outcome(record) in UNRESOLVED})
    there = {outcome(record) for record in records}
    outcomes = [(_look(one), one.value) for one in Outcome if one in there]
    return tag(
        "div",
        search_box("Search issues and transcripts"),
        _select("outcome", "every outcome", outcomes),
        _select("kind", "every reason", [(kind, kind) for kind in kinds]),
        _select("arm", "every arm", [(arm, arm) for arm in by_arm(records)]),
        tag("output", id="count", aria_live="polite"),
        class_="tools",
        hidden="",
    )


def _select(name: str, every: str, options: Sequence[tuple[str, str]]) -> Markup:
    return select(name, [("", every), *options]) if len(options) > 1 else Markup("")


def _look(of: Outcome) -> str:
    """Return the class name that the style sheet uses for an outcome."""
    return of.name.lower().replace("_", "-")


def _table(arms: Mapping[str, Summary]) -> Markup:
    """Return a table with the same figures as the report in the terminal."""
    columns = {**RESOLVED, **TOOK}
    head = (tag("th", name, scope="col") for name in ("arm", *columns))
    rows = (
        tag(
            "tr",
            tag("th", name, scope="row"),
            *(tag("td", tag("span", of(arm)), data_label=column) for column, of in columns.items()),
        )
        for name, arm in arms.items()
    )
    words = "Steps, tokens, time and cost: the median of an attempt that was counted"
    body = tag("tbody", *rows)
    return tag("table", tag("caption", words), tag("thead", tag("tr", *head)), body, class_="arms")


def _resolved(arms: Mapping[str, Summary]) -> Markup:
    """Return a chart of the rates with their confidence intervals on a common axis."""
    axis = svg(16, "", below(12, [(share, percent(share)) for share in _QUARTERS]), class_="axis")
    rows = (_rate(name, arm) for name, arm in arms.items())
    words = "Of the attempts that were judged; the line is the 95 % interval"
    last = tag("div", axis, class_="rate last")
    return figure("Resolved", words, *rows, last, class_="wide")


def _rate(name: str, arm: Summary) -> Markup:
    title = tag("p", name, class_="name")
    if arm.rate is None or arm.interval is None:
        return tag("div", title, tag("p", "nothing was judged", class_="none"), class_="rate")
    low, high = arm.interval
    words = f"{percent(low)} to {percent(high)}"
    reach = tag("line", x1=across(low), x2=across(high), y1=_MIDDLE, y2=_MIDDLE, class_="reach")
    dot = tag("circle", cx=across(arm.rate), cy=_MIDDLE, r=6, class_="dot")
    label = f"{name}: {percent(arm.rate)} resolved, {words}"
    at = [across(share) for share in _QUARTERS]
    lines = (tag("line", x1=x, x2=x, y1=0, y2=_ROW, class_="grid") for x in at)
    drawn = svg(_ROW, label, *lines, reach, dot)
    number = tag("p", tag("strong", percent(arm.rate)), " ", tag("small", words), class_="number")
    return tag("div", title, number, drawn, class_="rate")


def _kinds(arms: Arms) -> Markup:
    """Return a table of reasons. Each name is a button that filters the attempts by this reason."""
    counts = {
        name: Counter((one.why, outcome(one)) for one in found if outcome(one) in UNRESOLVED)
        for name, found in arms.items()
    }
    total = sum(counts.values(), Counter[tuple[str, Outcome]]())
    if not total:
        return figure("Why not", "Every attempt that was judged is resolved.")
    most = max(max(one.values(), default=0) for one in counts.values())
    order = sorted(total, key=lambda kind: (kind[1] is Outcome.LEFT_OUT, -total[kind], kind[0]))
    rows = (
        tag(
            "tr",
            tag("th", tag("button", why, type="button", data_kind=why), scope="row"),
            *(_count(one[why, of], most, of) for one in counts.values()),
        )
        for why, of in order
    )
    head = tag("tr", tag("td"), *(tag("th", name, scope="col") for name in arms))
    words = "Of the attempts that are not resolved; choose one to see them below"
    shown = tag("table", tag("thead", head), tag("tbody", *rows), class_="kinds")
    return figure("Why not", words, shown, class_="wide")


def _count(number: int, most: int, of: Outcome) -> Markup:
    wide = across(number / most)
    bar = tag("rect", x="0%", y=0, width=wide, height=_THICK, class_=_look(of))
    drawn = svg(_THICK, "", bar, class_="plot")
    return tag("td", tag("div", join(tag("span", str(number or "")), drawn)))
