"""Observations that a later step has made useless."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from react_agent.compress.work import Work
from react_agent.loop.steps import COMPRESSED, READABLE, Step
from react_agent.parsers.transcript.facts import write_list
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind

_NUMBERED = re.compile(r"^ *(\d+)\|.*", re.MULTILINE)
_WORD = re.compile(r"\w{4,}")
_SHORT = 120  # characters: what is shorter is left as it is
_FORM = ("<<<<", "====", ">>>>", "---", "+++", "@@", "```", "***")  # of an edit, whatever it is
_DONE = "done"


def superseded(work: Work) -> None:
    """All of them at once: each is said to be what it was, and since when."""
    found: dict[str, dict[int, int]] = {}
    for number, why, other in _useless(work.steps):
        found.setdefault(why, {})[number] = other
    for why, others in found.items():
        numbers = sorted(others)
        by = write_list(str(others[number]) for number in numbers)
        more = {"input": "out"} if why == _DONE else {}
        work.take(COMPRESSED, numbers, stage="superseded", why=why, by=by, **more)


def _useless(steps: Iterable[Step]) -> Iterator[tuple[int, str, int]]:
    """Which, why, and by which step."""
    later = _Later()
    for step in reversed(list(steps)):
        if step.shown in READABLE:
            why, other = _done(step, later)
            if not other and len(step.seen.text) >= _SHORT:
                why, other = _why(step, later)
            if other:
                yield step.number, why, other
        later.add(step)


@dataclass(slots=True)
class _Later:
    """What came behind a step, the last of it first."""

    texts: dict[str, int] = field(default_factory=dict)
    reads: dict[str, list[Step]] = field(default_factory=dict)  # by path
    writes: dict[str, list[Step]] = field(default_factory=dict)
    shown: list[Step] = field(default_factory=list)
    lines: dict[int, frozenset[str]] = field(default_factory=dict)  # of a step

    def add(self, step: Step) -> None:
        self.texts.setdefault(step.seen.text, step.number)
        if step.status is not Status.OK:
            return
        self.shown.append(step)
        places = {Kind.READ.value: self.reads, Kind.WRITE.value: self.writes}.get(step.kind, {})
        for path in step.paths:
            places.setdefault(path, []).append(step)

    def numbered(self, step: Step) -> frozenset[str]:
        if step.number not in self.lines:
            found = _NUMBERED.finditer(step.seen.text)
            self.lines[step.number] = frozenset(one[0] for one in found)
        return self.lines[step.number]


def _done(step: Step, later: _Later) -> tuple[str, int]:
    """A failed edit that succeeded later: what was tried is of no use either."""
    if step.kind == Kind.WRITE and step.status is Status.FAILED:
        tried = _changes(step)
        for other in reversed(_on(step.paths, later.writes)):
            if 2 * len(tried & _changes(other)) >= len(tried) > 0:
                return _DONE, other.number
    return _DONE, 0


def _changes(step: Step) -> frozenset[str]:
    lines = (line.lstrip("+- ").rstrip() for line in step.said.turn.input.split("\n"))
    said = frozenset(line for line in lines if line and not line.startswith(_FORM))
    return said - frozenset(step.paths)


def _on(paths: Collection[str], found: dict[str, list[Step]]) -> list[Step]:
    return [other for path in paths for other in found.get(path, ())]


def _why(step: Step, later: _Later) -> tuple[str, int]:
    kind, number = step.kind, later.texts.get(step.seen.text, 0)
    if number:
        return "shown again", number
    if kind == Kind.READ and (number := _read_again(step, later)):
        return "read again", number
    if kind in (Kind.READ, Kind.WRITE) and (number := _changed(step, later)):
        return "changed", number
    if kind == Kind.SEARCH and step.status is Status.EMPTY:
        return "disproved", _found(step, later)
    return "", 0


def _read_again(step: Step, later: _Later) -> int:
    for other in _on(step.paths[:1], later.reads):
        is_of_all = set(step.paths) <= set(other.paths)
        if is_of_all and frozenset() < later.numbered(step) <= later.numbered(other):
            return other.number
    return 0


def _changed(step: Step, later: _Later) -> int:
    """In lines that it shows, as far as the report of the edit tells."""
    if step.kind == Kind.WRITE and step.status is not Status.FAILED:
        return 0
    for other in reversed(_on(step.paths, later.writes)):
        changed = _numbers(later.numbered(other))
        if not changed or changed & _numbers(later.numbered(step)):
            return other.number
    return 0


def _numbers(lines: Iterable[str]) -> frozenset[str]:
    return frozenset(line.partition("|")[0].strip() for line in lines)


def _found(step: Step, later: _Later) -> int:
    """What a search did not find, another step shows."""
    words = _WORD.findall(step.said.turn.input.strip().partition("\n")[0])
    if not words:
        return 0
    for other in reversed(later.shown):
        if all(word in other.seen.text for word in words):
            return other.number
    return 0
