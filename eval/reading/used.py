"""What a run took and what happened in it, out of its transcripts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from react_agent.eval.task import Used
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.transcript.entries import Entry, Event
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.parsers.turn.turn import Kind
from react_agent.runs.history import Call, meter
from react_agent.runs.report import answered, wishes
from react_agent.state.findings import STUCK
from react_agent.state.spent import Spent
from react_agent.state.state import State, fold
from react_agent.state.steps import RETRACTED, Step
from react_agent.state.transcript import NAME, next_sub
from react_agent.tools import disk
from react_agent.tools.observation import Status
from react_agent.tools.registry import How

SUB = "sub"  # the fact of a step, and the folder
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Run:
    entries: tuple[Entry, ...] = ()
    state: State = field(default_factory=State)
    subs: Mapping[str, "Run"] = field(default_factory=dict)  # by the folders of those within it

    @property
    def every(self) -> Iterator[tuple[str, "Run"]]:
        """Itself, without a name, and those within it."""
        yield "", self
        for name, sub in self.subs.items():
            yield from ((f"{name}/{below}".rstrip("/"), run) for below, run in sub.every)

    @property
    def cut_off(self) -> "Run | None":
        """The run within its last step, which has not come to an end: nothing of it is counted."""
        return self.subs.get(next_sub(self.state)) if self.state.pending else None

    @property
    def steps(self) -> list[tuple[int, Step]]:
        """Those of the runs within it, too, as what was done in its own step of that number."""
        found = list[tuple[int, Step]]()
        for step in self.state.steps:
            sub = self.subs.get(step.seen.facts.get(SUB, ""))
            found += [(step.number, inner) for _, inner in sub.steps] if sub else []
            found.append((step.number, step))
        if last := self.cut_off:
            found += [(len(self.state.steps) + 1, inner) for _, inner in last.steps]
        return found


def read_run(files: Mapping[str, bytes]) -> Run:
    """Of files by their names below the folder of the run. Raises nothing."""
    return _read(files, "", 0)


def run_in(folder: Path) -> Run:
    found = sorted(folder.rglob(NAME)) if folder.is_dir() else []
    return read_run({path.relative_to(folder).as_posix(): disk.read_bytes(path) for path in found})


def _read(files: Mapping[str, bytes], below: str, depth: int) -> Run:
    try:
        text = files.get(f"{below}{NAME}", b"").decode(errors="surrogateescape")
        entries = read_transcript(text).entries if text else ()
    except ParseError:
        return Run()
    state = fold(entries)
    names = {step.seen.facts.get(SUB, "") for step in state.steps}
    names |= {next_sub(state)} if state.pending else set()
    subs = {
        name: _read(files, f"{below}{name}/", depth + 1)
        for name in sorted(names)
        if depth < _DEEPEST and name and f"{below}{name}/{NAME}" in files
    }
    return Run(entries, state, subs)


_BY = "by"  # the fact of a step that no model wrote
_REPAIRED = "mended"  # the fact of a step whose input was


def used(run: Run) -> Used:
    """What the runs within it took is in the sums of its steps already."""
    runs = [one for _, one in run.every]
    states = [one.state for one in runs]
    steps = [step for state in states for step in state.steps]
    ran = [step for step in steps if step.tool]
    entries = chain.from_iterable(one.entries for one in runs)
    events = Counter(entry.name for entry in entries if isinstance(entry, Event))
    spent = run.state.spent + (run.cut_off.state.spent if run.cut_off else Spent())
    return Used(
        steps=sum(_BY not in step.said.facts for step in steps),
        prompt_tokens=spent.prompt_tokens,
        reply_tokens=spent.reply_tokens,
        cached=spent.cached,
        cost=spent.money,
        seconds=spent.seconds,
        calls=dict(Counter(step.tool for step in ran)),
        failed=dict(Counter(step.tool for step in ran if step.status is Status.FAILED)),
        hidden={f"{name} {how}": times for (name, how), times in answered(states).items()},
        wishes={wish.name: wish.times for wish in wishes(states)},
        repairs=sum(map(_is_repaired, steps))
        + sum(bool(state.pending and state.pending.turn.repairs) for state in states),
        unreadable=sum(step.said.turn.kind is Kind.MALFORMED for step in steps),
        compressions=sum(len(state.compressed) for state in states),
        backtracks=events[RETRACTED],
        retracted=sum(not step.stands for step in steps),
        stuck=events[STUCK],
        parts=_parts(chain.from_iterable(meter(one.entries) for one in runs)),
    )


def _is_repaired(step: Step) -> bool:
    return bool(step.said.turn.repairs) or _REPAIRED in step.seen.facts


def _parts(rows: Iterable[object]) -> dict[str, int]:
    found = Counter[str]()
    for row in rows:
        if isinstance(row, Call):
            found.update({part.value: tokens for part, tokens in row.parts.items()})
    return {part: tokens for part, tokens in found.items() if tokens > 0}


def step_rows(run: Run) -> Iterator[dict[str, str | int | float | None]]:
    """What a run within a step took stands at the steps of that."""
    for name, one in run.every:
        for step in one.state.steps:
            spent, seen = Spent(), step.seen.facts
            spent.add(step.said.facts)
            spent.add({"seconds": seen.get("seconds", "")})
            if SUB not in seen:
                spent.add({name: value for name, value in seen.items() if name != "seconds"})
            how = seen.get("how", How.VISIBLE)
            yield {
                "sub": name,
                "number": step.number,
                "action": step.said.turn.action,
                "tool": step.tool,
                "how": "" if how == How.VISIBLE else how,
                "status": step.status.value,
                "prompt_tokens": spent.prompt_tokens,
                "reply_tokens": spent.reply_tokens,
                "cached": spent.cached,
                "cost": spent.money,
                "seconds": spent.seconds,
            }
