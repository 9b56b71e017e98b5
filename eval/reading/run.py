"""A run out of its files, with the runs within it. What can't be read is not there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.loop.state import State, fold
from react_agent.loop.steps import Step
from react_agent.loop.sub_transcript import next_sub
from react_agent.loop.transcript import NAME
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.transcript.entries import Entry
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.tools import disk

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
