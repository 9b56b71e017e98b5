"""The page of an experiment: charts, a row for each attempt, and what the script shows of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path

from react_agent.errors import TranscriptError
from react_agent.eval.page import charts
from react_agent.eval.page import charts as shares
from react_agent.eval.page.charts import UNRESOLVED, Outcome, arms_of, outcome, table
from react_agent.eval.report.statistics import EmptyScore
from react_agent.eval.store.files import LOG
from react_agent.eval.task import Record
from react_agent.loop import transcript
from react_agent.loop.state import State
from react_agent.loop.steps import Shown, Step
from react_agent.page.markup import Looks, Markup, data, document, join, search_box, select, tag
from react_agent.page.plot import dollars, short, time
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.printed import plain
from react_agent.parsers.transcript.entries import Entry, Event
from react_agent.parsers.transcript.quoting import escape
from react_agent.runs.run_folder import write_whole
from react_agent.tools import disk

_LONGEST = 24_000  # characters of one text, however much room there is
_SHORTEST = 400  # to which a text is cut, however little
_HEAD = 2 / 3  # of what is kept

Value = str | int | float | bool | None | Sequence["Value"] | Mapping[str, "Value"]


def shortened(value: Value, room: int) -> Value:
    """With what nobody sees made visible."""
    longest = _LONGEST
    while longest > _SHORTEST and _size(value, longest) > room:
        longest //= 2
    return _cut(value, max(longest, _SHORTEST))


def _size(value: Value, longest: int) -> int:
    match value:
        case str():
            return min(len(value), longest)
        case Mapping():
            return sum(_size(inner, longest) for inner in value.values())
        case Sequence():
            return sum(_size(inner, longest) for inner in value)
        case _:
            return 0


def _cut(value: Value, longest: int) -> Value:
    match value:
        case str():
            return escape(_without_middle(value.replace("\r\n", "\n"), longest))
        case Mapping():
            return {name: _cut(inner, longest) for name, inner in value.items()}
        case Sequence():
            return [_cut(inner, longest) for inner in value]
        case _:
            return value


def _without_middle(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    head = int(longest * _HEAD)
    tail = longest - head
    left_out = f"{len(text) - longest:,} characters are left out here"
    return f"{text[:head]}\n[... {left_out} ...]\n{text[-tail:]}"


_LARGEST = 64_000_000  # bytes of a transcript that is read
_LOG_END = 64_000  # bytes of a log: what failed stands at its end
_ENDS = 150  # steps at either end that are shown
_DEEPEST = 2  # runs within runs
_ABOUT = "about"
_QUIET = ("sandbox", "prompt", "state", "profile")  # bookkeeping that explains nothing
_MARKS = {
    Shown.RETRACTED: "taken back",
    Shown.CUT: "later shown in part",
    Shown.LEFT_OUT: "later left out of the prompt",
    Shown.CONDENSED: "later condensed",
    Shown.MERGED: "later condensed",
    Shown.SHELVED: "later left out of the prompt",
}

Told = dict[str, Value]


def told(record: Record, room: int) -> Value:
    """In about so many characters."""
    return shortened(_whole(record), room)


def _whole(record: Record) -> Told:
    tests = record.tests
    found: Told = {
        "patch": record.patch,
        "tests": [
            ["fixed", tests.fixed],
            ["not fixed", tests.not_fixed],
            ["broken", tests.broken],
            ["kept", tests.kept],
        ],
    }
    if record.folder is None:
        return found | {"missing": "No files of this attempt were kept."}
    return found | {"log": _log(record.folder / LOG)} | _run(record.folder, _DEEPEST)


def _log(path: Path) -> str:
    try:
        return plain(disk.end_of(path, _LOG_END).decode(errors="replace")).text
    except OSError:  # none was kept
        return ""


def _run(folder: Path, depth: int) -> Told:
    path = folder / transcript.NAME
    try:
        if path.stat().st_size > _LARGEST:
            return {"missing": f"{transcript.NAME} is too large for this page."}
        return _told_of(transcript.read(path).entries, folder, depth)
    except FileNotFoundError:
        return {"missing": f"There is no {transcript.NAME}."}
    except (TranscriptError, OSError) as error:
        return {"missing": str(error).replace(f"{folder}/", "")}


def _told_of(entries: Iterable[Entry], folder: Path, depth: int) -> Told:
    state = State()
    notes: dict[int, list[str]] = {}
    for entry in entries:
        state.take(entry)
        if isinstance(entry, Event) and state.objective is not None:
            notes.setdefault(len(state.steps), []).append(f"{entry.name}: {entry.text}")
    shown = [*state.steps[:_ENDS], *state.steps[_ENDS:][-_ENDS:]]
    return {
        "objective": state.objective or "",
        "about": "\n".join(state.about),
        "before": _notes(notes.get(0, ())),
        "steps": [_step(step, notes.get(step.number, ()), folder, depth) for step in shown],
        "left": _left(len(state.steps) - len(shown)),
        "conclusion": state.conclusion,
        "stop": f"{state.stop or ''} {state.stop_reason}".strip().replace("_", " "),
    }


def _left(number: int) -> str:
    return f"{counted(number, 'step')} not shown: see {transcript.NAME}" if number else ""


def _notes(notes: Sequence[str]) -> list[str]:
    return [note for note in notes if note.partition(":")[0] not in (*_QUIET, _ABOUT, "stop")]


def _step(step: Step, notes: Sequence[str], folder: Path, depth: int) -> Told:
    turn = step.said.turn
    found: Told = {
        "n": step.number,
        "thought": turn.thought,
        "tool": turn.action or ("Conclusion" if turn.conclusion else ""),
        "input": turn.input or turn.conclusion,
        "seen": step.seen.text,
        "status": step.status,
        "marks": _marks(step),
        "notes": _notes(notes),
    }
    if depth and step.sub:
        found["sub"] = _run(folder / step.sub, depth - 1)
    return found


def _marks(step: Step) -> list[str]:
    turn = step.said.turn
    hidden = step.seen.facts.get("how", "") if turn.action else ""  # not of the gate
    marks = [f"answered by {step.tool or 'a hidden tool'}, {hidden}" if hidden else ""]
    marks += [f"mended: {repair}" for repair in turn.repairs]
    marks += [f"unreadable: {turn.problem}" if turn.problem else "", _MARKS.get(step.shown, "")]
    return [mark for mark in marks if mark]


_ODD = re.compile(r"[^A-Za-z0-9_.-]+")
_ORDERS = ("issue", "steps", "tokens", "cost", "time")


def named(records: Sequence[Record]) -> dict[int, str]:
    """What each is called in addresses, by its `id`."""
    taken: set[str] = set()
    found = {}
    for record in records:
        key = record.key
        name = slug = "a-" + _ODD.sub("-", f"{key.instance}.{key.arm}.{key.number}")
        again = 1
        while slug in taken:
            again += 1
            slug = f"{name}~{again}"
        taken.add(slug)
        found[id(record)] = slug
    return found


def attempts(records: Sequence[Record], ids: dict[int, str]) -> Markup:
    tries = max(record.key.number for record in records)
    several = len({record.key.arm for record in records}) > 1
    before = [None, *(record.key.instance for record in records)]
    rows = (
        _row(
            record, ids[id(record)], _which(record, several, tries > 1), record.key.instance == last
        )
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
        tag("p", "No attempt is like that.", class_="nothing", hidden=""),
        id="attempts",
    )


def _which(record: Record, has_arms: bool, has_tries: bool) -> Markup:
    arm = record.key.arm if has_arms else ""
    return join(arm, f"try {record.key.number}" if has_tries else "", between=" · ")


def _row(record: Record, name: str, which: Markup, is_again: bool) -> Markup:
    used, of = record.used, outcome(record)
    summary = tag(
        "summary",
        tag("span", of.value, class_=f"mark {of.word}"),
        tag("span", tag("b", record.key.instance), tag("small", which), class_="issue"),
        tag("span", record.why if of is not Outcome.RESOLVED else "", class_="why"),
        _number(str(used.steps), "steps"),
        _number(short(used.tokens), "tokens"),
        _number(dollars(used.cost), "cost"),
        _number(time(used.seconds), "time"),
    )
    return tag(
        "details",
        summary,
        tag("div", _reason(record, name), class_="body folds"),
        class_="attempt again" if is_again else "attempt",  # of the issue above
        id=name,
        data_outcome=of.word,
        data_arm=record.key.arm,
        data_kind=record.why if of in UNRESOLVED else None,
        data_steps=used.steps,
        data_tokens=used.tokens,
        data_cost=-1 if used.cost is None else f"{used.cost:.6f}",
        data_time=f"{used.seconds:.1f}",
    )


def _number(written: str, of: str) -> Markup:
    return tag("span", written, class_=f"number {of}", title=of)


def _reason(record: Record, name: str) -> Markup:
    """What can be told without the transcript; it names the files for those without a script."""
    words = [record.reason] if record.reason else []
    link = tag("a", f"step {record.step}", href=f"#{name}:{record.step}") if record.step else ""
    place = "/".join(record.folder.parts[-2:]) if record.folder else ""
    facts = [record.repo, f"stopped: {record.stop.replace('_', ' ')}" if record.stop else "", place]
    return join(
        tag("p", join(*words, link, between=" · "), class_="reason") if words or link else "",
        tag("p", join(*facts, between=" · "), class_="facts"),
    )


def _tools(records: Sequence[Record]) -> Markup:
    """Hidden until there is a script that makes them work."""
    arms = dict.fromkeys(record.key.arm for record in records)
    kinds = sorted({record.why for record in records if outcome(record) in UNRESOLVED})
    outcomes = [one for one in Outcome if any(outcome(record) is one for record in records)]
    return tag(
        "div",
        search_box("Search issues and transcripts"),
        _select("outcome", "every outcome", [(one.word, one.value) for one in outcomes]),
        _select("kind", "every reason", [(kind, kind) for kind in kinds]),
        _select("arm", "every arm", [(arm, arm) for arm in arms]),
        _select("order", "", [(order, f"by {order}") for order in _ORDERS]),
        tag("output", id="count", aria_live="polite"),
        class_="tools",
        hidden="",
    )


def _select(name: str, every: str, options: Sequence[tuple[str, str]]) -> Markup:
    if len(options) < 2:
        return Markup("")
    return select(name, [*([("", every)] if every else []), *options])


_LOOKS = Looks("page.css", ("page.js",), "react_agent.eval.page")
_ROOM = 40_000_000  # characters of all transcripts
_MOST = 400_000  # of an attempt
_KEYS = (
    ("/", "search"),
    ("Enter", "next place"),
    ("j k", "next and previous attempt"),
    ("Esc", "close"),
)


def write_page(out: Path, title: str, records: Sequence[Record], about: Mapping[str, str]) -> None:
    """Whole or not at all."""
    write_whole(out, Redaction()(page(title, records, about)).encode())


def page(title: str, records: Sequence[Record], about: Mapping[str, str]) -> str:
    """Attempts of the same arm are counted together. Raises EmptyScore."""
    if not records:
        raise EmptyScore("there are no attempts to show")
    return document(title, _LOOKS, *_body(title, records, about))


def _body(title: str, records: Sequence[Record], about: Mapping[str, str]) -> Sequence[Markup]:
    arms = arms_of(records, attrgetter("key.arm"))
    places = {arm.name: place for place, arm in enumerate(arms)}
    ordered = sorted(
        records, key=lambda one: (one.key.instance, places[one.key.arm], one.key.number)
    )
    ids = named(ordered)
    room = min(_MOST, _ROOM // len(records))
    return (
        tag("header", tag("h1", title), tag("p", _extent(records)), _about(about)),
        tag(
            "main",
            charts.resolved(arms),
            tag("div", table(arms), class_="wide scroll"),
            charts.issues(arms, ids),
            charts.cost(arms),
            shares.parts(arms),
            shares.kinds(arms),
            shares.steps(arms),
            attempts(ordered, ids),
        ),
        tag("footer", *(join(tag("kbd", key), f" {does}") for key, does in _KEYS)),
        *(data(f"told-{ids[id(one)]}", told(one, room)) for one in ordered),
    )


def _extent(records: Sequence[Record]) -> str:
    """`24 issues of 3 repositories, 2 arms, 96 attempts`."""
    issues = len({record.key.instance for record in records})
    repositories = len({record.repo for record in records})
    arms = len({record.key.arm for record in records})
    return ", ".join(
        (
            f"{counted(issues, 'issue')} of {counted(repositories, 'repository')}",
            counted(arms, "arm"),
            counted(len(records), "attempt"),
        )
    )


def _about(about: Mapping[str, str]) -> Markup:
    if not about:
        return Markup("")
    facts = (join(tag("dt", name), tag("dd", value)) for name, value in about.items())
    return tag("details", tag("summary", "How it was run"), tag("dl", *facts), class_="about")
