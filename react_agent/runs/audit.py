"""Report the actions of a run and its nested runs, as lines grouped under a few headings.

The audit reads only transcripts. It does not need the workspace, the repository or the network, so
a copied transcript is enough. If the transcripts of nested runs are missing, the audit reports it.
"""

import contextlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.errors import TranscriptError
from react_agent.models.endpoint import REPLAY
from react_agent.parsers.secrets.redaction import MARK, marks_in
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.parsers.transcript.entries import Event, Objective, Reading, Said
from react_agent.parsers.transcript.facts import read_facts, read_list, read_numbers, write_numbers
from react_agent.runs.history import how_answered, moments
from react_agent.state import events as names
from react_agent.state import transcript as transcripts
from react_agent.state.findings import GATE
from react_agent.state.state import SHORT, TESTED, State
from react_agent.state.steps import Step, whole_number
from react_agent.state.transcript import next_sub
from react_agent.tools.observation import ASKED, COMMAND, EXIT, LIMIT, REFUSED, SHOWN, Status
from react_agent.tools.registry import CHANGES_FILES, How, Kind

_NOT_RECORDED = "not recorded"
DEEPEST = 3  # runs within runs
_LAST_LINE = 10**6  # of a file
_GIST = 160  # characters of an Observation
_KILL = "kill"  # a tool that ends commands and runs none
_FORGE = ("target", "issue", "pushed", "pull", "answered")  # events
_LIMITS = {"time": "its time limit", "left": "left some of its processes behind"}
_NOT_CALLED = (How.REDIRECT, How.WISH, How.DEMOTED, GATE)


@dataclass(frozen=True, slots=True)
class Done:
    """A step of the audited run or of one of its nested runs."""

    at: str  # `3`; `3.2` is the second of the run within the third
    step: Step
    stands: bool
    reach: Mapping[str, str]  # what could be reached then; empty: not recorded
    has_parts: bool = False  # steps of its own that stand behind it

    @property
    def facts(self) -> Mapping[str, str]:
        return self.step.seen.facts

    @property
    def is_command(self) -> bool:
        is_run = self.step.ran.kind in (Kind.RUN, Kind.TEST)
        return is_run and self.step.tool not in ("", _KILL)

    @property
    def written(self) -> "list[Count] | None":
        """The line counts of changed files. None if not recorded, or recorded by a nested run."""
        text = self.facts.get(names.WROTE)
        return None if text is None or self.has_parts else counts_in(text)

    @property
    def sandbox(self) -> str:
        return self.reach.get("sandbox") or f"sandbox {_NOT_RECORDED}"


@dataclass(frozen=True, slots=True)
class Count:
    """The number of lines added to a file and removed from it."""

    path: str
    added: int = 0
    removed: int = 0
    is_text: bool = True

    def __str__(self) -> str:
        return f"{self.path} {f'+{self.added} -{self.removed}' if self.is_text else '(binary)'}"


def counts_in(text: str) -> list[Count]:
    """Parse the line counts that `tools/git/tree_diffs.py` writes. An unnamed file has no path."""
    found = []
    for one in read_list(text):
        path, _, numbers = one.rpartition(":")
        added, _, removed = numbers.removeprefix("+").partition("-")
        lines = whole_number(added), whole_number(removed)
        found.append(Count(path, *lines, is_text=numbers != "*"))
    return found


@dataclass(slots=True)
class Audited:
    name: str
    state: State
    done: list[Done] = field(default_factory=list)
    forge: list[Event] = field(default_factory=list)  # what reached a forge, or was meant for one
    texts: list[str] = field(default_factory=list)  # of the objective and of replies
    gone: list[str] = field(default_factory=list)  # what can't be told, and why
    reach: Mapping[str, str] = field(default_factory=dict)  # at the end


@dataclass(frozen=True, slots=True)
class _Place:
    folder: Path
    at: str = ""  # the step that it is within, and a dot
    stands: bool = True
    reach: Mapping[str, str] = field(default_factory=dict)
    depth: int = 0


def audited(path: Path) -> Audited:
    """Read the transcripts of a run and its nested runs. Raises TranscriptError."""
    reading = transcripts.read_begun(path, "audit")
    found = Audited(path.parent.name, State())
    found.state = _take(found, reading, _Place(path.parent))
    found.name = found.state.header.get("run", found.name)
    return found


def _take(found: Audited, reading: Reading, place: _Place) -> State:
    reach, reached = dict(place.reach), list[Mapping[str, str]]()  # by steps
    state, stop = State(), None
    for moment in moments(reading.entries):
        state, entry = moment.state, moment.entry
        if isinstance(entry, Event):
            reach = _reached(entry, reach)
            if entry.name == "resumed" and stop is None and state.pending is None:
                found.gone.append(
                    f"interrupted after step {place.at}{len(state.steps)}: a reply of the model "
                    "may have been on its way, and what it cost is not known"
                )
            found.forge += [entry] if entry.name in _FORGE else []
        elif isinstance(entry, Objective) and not place.at:
            found.texts.append(entry.text)
        elif isinstance(entry, Said):
            found.texts += (entry.turn.thought, entry.turn.input, entry.turn.conclusion)
        reached += [reach] if moment.ended else []
        stop = state.stop
    if reading.torn:
        within = f" in the inner run of step {place.at.rstrip('.')}" if place.at else ""
        found.gone.append(f"the last entry{within} is incomplete: it is left out of this report")
    for step, then in zip(state.steps, reached, strict=True):
        _take_step(found, step, place, then)
    if state.pending and not state.conclusion and place.depth < DEEPEST:  # it may be in a sub-run
        folder, at = place.folder / next_sub(state), f"{place.at}{len(state.steps) + 1}"
        with contextlib.suppress(TranscriptError):  # most steps are not made of others
            inner = transcripts.read(folder / transcripts.NAME)
            _take(found, inner, _Place(folder, f"{at}.", place.stands, reach, place.depth + 1))
    found.reach = reach
    return state


def _reached(event: Event, before: dict[str, str]) -> dict[str, str]:
    """Return the resources that the run can access after this event."""
    if event.name == "sandbox":
        return {**before, "sandbox": event.text}
    if event.name == names.REACH:
        kept = {name: before[name] for name in ("model", "sandbox") if name in before}
        return read_facts(event.text) | kept
    if event.name == "model" and before.get("model", event.text) != event.text:
        unknown = {} if event.text.startswith(REPLAY) else {names.ENDPOINT: ""}
        before = {name: value for name, value in before.items() if name != names.ENDPOINT} | unknown
    return {**before, "model": event.text} if event.name == "model" else before


def _take_step(found: Audited, step: Step, place: _Place, reach: Mapping[str, str]) -> None:
    at, stands, inner = f"{place.at}{step.number}", place.stands and step.stands, None
    name = step.seen.facts.get("sub")
    if name is not None and (not step.sub or place.depth >= DEEPEST):
        found.gone.append(f"step {at}: {name} is not the folder of an inner run")
    elif name is not None:
        try:
            inner = transcripts.read(place.folder / name / transcripts.NAME)
        except TranscriptError:
            found.gone.append(f"step {at}: the transcript {name} of its inner run can't be read")
    found.done.append(Done(at, step, stands, reach, has_parts=inner is not None))
    if inner:
        kept = stands and step.status is not Status.FAILED
        _take(found, inner, _Place(place.folder / step.sub, f"{at}.", kept, reach, place.depth + 1))


def _read(run: Audited) -> Iterator[str]:
    found = defaultdict[tuple[str, str], list[Done]](list)
    for one in run.done:
        for path in one.step.paths if one.step.kind in (Kind.READ, Kind.SEARCH) else ():
            found[one.step.kind, path].append(one)
    for (kind, path), steps in sorted(found.items()):
        if kind == Kind.READ:
            yield f"{path}, {_lines(path, steps)}; {_steps(steps)}"
        elif (Kind.READ, path) not in found:
            yield f"{path}, found by a search; {_steps(steps)}"
    if commands := sum(one.is_command for one in run.done):
        yield f"what {counted(commands, 'command')} read is unknown: see the section 'ran'"


def _lines(path: str, steps: Iterable[Done]) -> str:
    """Merge the line ranges that were shown, and format them like `lines 1-80, 120-130`."""
    shown, is_known = list[str](), True
    for one in steps:
        parts = [part.rpartition(":") for part in read_list(one.facts.get(SHOWN, ""))]
        ranges = [lines for name, _, lines in parts if name == path]
        is_known = is_known and (bool(ranges) or one.step.status is not Status.OK)
        shown += ranges
    told = write_numbers(read_numbers(",".join(shown), _LAST_LINE)).replace(",", ", ")
    unknown = "" if is_known and told else f"lines {_NOT_RECORDED}"
    return ", ".join(filter(None, (f"lines {told}" if told else "", unknown)))


def _steps(steps: Iterable[Done]) -> str:
    numbers = list(dict.fromkeys(one.at for one in steps))
    return f"step{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"


def _wrote(run: Audited) -> Iterator[str]:
    for one in run.done:
        back, facts = "" if one.stands else ", taken back", one.facts
        for count in one.written or ():
            name = str(count) if count.path else f"and {count.added:,} more files, not named"
            yield f"step {one.at}: {name} ({one.step.tool or 'a turn'}{back})"
        tree, on = facts.get("tree", "")[:SHORT], facts.get("on")
        is_other = one.step.kind in CHANGES_FILES and tree and on not in (tree, "start")
        if one.written is None and not one.has_parts and (one.step.has_written or is_other):
            files = ", ".join(one.step.paths) or "files that are not named"
            yield f"step {one.at}: {files}, lines {_NOT_RECORDED}{back}"
    last = run.state.result
    where = "branch" if "branch" in last else "not in a branch"
    if names.WROTE in last:
        yield from (f"{where}: {count}" for count in counts_in(last[names.WROTE]))
    elif "diff" in last:
        yield f"{where}: {last['diff']}, files {_NOT_RECORDED}"
    for name, why in (("left out", "left out of the branch"), ("dropped", "dropped from it")):
        yield from (f"{why}: {one}" for one in read_list(last.get(name, "")))


def _ran(run: Audited) -> Iterator[str]:
    for one in run.done:
        if one.is_command:
            facts = one.facts
            asked = facts.get(COMMAND) or one.step.ran.said.turn.input.strip() or one.step.tool
            first, *others = asked.split("\n")
            took = f"{facts['seconds']} s" if facts.get("seconds") else f"time {_NOT_RECORDED}"
            yield f"step {one.at}: {_ended(one)}, {took}, {one.sandbox}: {first}"
            yield from (f"step {one.at} | {line}" for line in others)
    tested = read_facts(run.state.result.get(TESTED, ""))
    if "command" in tested:
        yield f"at the end: {tested.get('verdict')}: {tested['command']}"
    yield from (
        f"at the end, a check: {line}" for line in read_list(run.state.result.get("checks", ""))
    )


def _ended(one: Done) -> str:
    if EXIT in one.facts:
        limit = one.facts.get(LIMIT, "")
        return f"exit {one.facts[EXIT]}" + (f" ({_LIMITS.get(limit, limit)})" if limit else "")
    if "background" in one.facts:
        return f"in the background as {one.facts['background']}"
    return "not started" if names.COMMANDS in one.reach else f"exit {_NOT_RECORDED}"


def _reached_lines(run: Audited) -> Iterator[str]:
    yield from dict.fromkeys(_models([*(one.reach for one in run.done), run.reach]))
    ways = defaultdict[str, list[Done]](list)
    for one in filter(lambda one: one.is_command, run.done):
        network = one.reach.get(names.COMMANDS)
        way = f"with network access ({one.sandbox})"
        if network != names.ON:
            way = f"no network, in {one.sandbox}"
        ways[way if network else f"whether they had a network is {_NOT_RECORDED}"].append(one)
    if not ways:
        yield "commands: no step ran one"
    for way, which in ways.items():
        yield f"commands: {way}; {counted(len(which), 'command')}, {_steps(which)}"
    pages = [one for one in run.done if one.facts.get(ASKED) or one.facts.get("address")]
    for one in pages:
        places = dict.fromkeys((one.facts.get(ASKED, ""), one.facts.get("address", "")))
        yield f"web: {' -> '.join(filter(None, places))}, step {one.at}"
    if not pages:
        yield "web: nothing"
    yield from [f"forge: {one.name}: {one.text}" for one in run.forge] or ["forge: nothing"]


def _models(reached: Sequence[Mapping[str, str]]) -> Iterator[str]:
    for reach in reached:
        model = reach.get("model") or _NOT_RECORDED
        if reach.get(names.ENDPOINT):
            yield f"model: {model}, at {reach[names.ENDPOINT]}"
        elif names.ENDPOINT in reach or names.COMMANDS not in reach:
            yield f"model: {model}, address {_NOT_RECORDED}"
        else:
            yield f"model: {model}, no endpoint"
        if reach.get(names.EMBEDDINGS):
            yield f"embeddings: {reach[names.EMBEDDINGS]}"


def _refused(run: Audited) -> Iterator[str]:
    for one in run.done:
        facts, turn, why = one.facts, one.step.said.turn, ""
        if facts.get("how", "") in _NOT_CALLED:
            why = how_answered(facts)
        elif wall := facts.get(REFUSED):
            why = f"access denied: {wall}"
        elif one.step.kind == Kind.WRITE and one.step.status is Status.FAILED:
            why = "nothing was changed"
        if why:
            called = facts.get("entry") or turn.action or "Conclusion"
            yield f"step {one.at}: {called} ({why}): {headline(one.step.seen.text, _GIST)}"
    for name in ("refused", "dropped"):
        yield from (
            f"at the end, {name}: {line}" for line in read_list(run.state.result.get(name, ""))
        )
    # Marks in the place of secrets; the author of a text may have written some of them, too.
    texts = (*run.texts, *(one.step.seen.text for one in run.done))
    marks = Counter(mark for text in texts for mark in marks_in(text))
    for mark, times in sorted(marks.items()):
        kind = mark.removeprefix(MARK).removesuffix("]")
        yield f"redacted: {kind}, in {times} places" if times > 1 else f"redacted: {kind}"


def _missing(run: Audited) -> Iterator[str]:
    """Yield a line for each fact that the audit can't determine."""
    yield from run.gone
    if run.state.stop is None:
        yield "the run has not ended, or its end is missing from the transcript"
    for title in ("read", "wrote", "ran", "reached"):
        number = sum(_NOT_RECORDED in _own_words(line) for line in SECTIONS[title](run))
        if number:
            yield f"{counted(number, 'line')} of {title!r} without details: {_NOT_RECORDED}"


def _own_words(line: str) -> str:
    """Return a line without the command at its end, which may contain any words."""
    return ": ".join(line.partition(" | ")[0].split(": ", 2)[:2])


SECTIONS: Mapping[str, Callable[[Audited], Iterator[str]]] = {
    "read": _read,
    "wrote": _wrote,
    "ran": _ran,
    "reached": _reached_lines,
    "refused": _refused,
    "missing": _missing,
}


def audit(run: Audited, only: str = "") -> Iterator[tuple[str, str]]:
    """Yield the section and text of each line. An empty section has a single line that says so."""
    yield "run", run.name
    for section, lines in SECTIONS.items():
        if only in ("", section):
            yield from ((section, text) for text in list(lines(run)) or ["nothing"])


def is_whole(run: Audited) -> bool:
    """Return whether the transcript contains all the information that an audit needs."""
    return not any(_missing(run))
