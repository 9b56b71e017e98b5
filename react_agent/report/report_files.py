"""The files that a run found to matter, and why they seem to."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from react_agent.loop.state import State
from react_agent.loop.steps import Step
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.names import is_path, names_in
from react_agent.parsers.transcript.facts import write_numbers
from react_agent.tools.registry import Kind

_FEW = 5  # what a search found alone
_WORTH = {"changed": 8, "taken_back": 4, "read": 2, "found": 1, "thoughts": 1}
_OF_ISSUE = 3
_SURE_SUFFIX = 3  # `.c` may be an attribute
# An attribute, as in `self.name`, has no such end.
_FILE = re.compile(
    r"\.(?:pyi?|pyx|ipynb|[cm]?js|[cm]?ts|[jt]sx|vue|json|ya?ml|toml|ini|cfg|xml|html?|s?css|md|rst"
    r"|txt|sh|go|rs|[ch]|cc|cpp|hpp|java|kt|scala|rb|php|lua|swift|sql|proto|csv|lock)$"
    r"|(?:^|/)(?:Dockerfile|Makefile|Pipfile|Gemfile|Rakefile)$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Signs:
    """Numbers of steps, by what was done with a file."""

    changed: list[int] = field(default_factory=list)
    taken_back: list[int] = field(default_factory=list)
    read: list[int] = field(default_factory=list)
    found: list[int] = field(default_factory=list)
    thoughts: list[int] = field(default_factory=list)
    is_in_issue: bool = False

    @property
    def worth(self) -> int:
        done = sum(worth * len(getattr(self, name)) for name, worth in _WORTH.items())
        return done + _OF_ISSUE * self.is_in_issue

    def words(self) -> Iterator[str]:
        if self.changed:
            yield f"changed {_at(self.changed)}"
        if self.taken_back:
            yield f"changed and taken back {_at(self.taken_back)}"
        if self.read:
            yield f"read {_times(self.read)}"
        if self.found and not self.read:
            yield f"found {_at(self.found)}"
        if self.thoughts:
            yield f"named in {counted(len(self.thoughts), 'thought')}"
        if self.is_in_issue:
            yield "named by the issue"


@dataclass(frozen=True, slots=True)
class Relevant:
    path: str
    why: str


def relevant(state: State) -> list[Relevant]:
    """What matters most first; from all steps, also from one that was cut off."""
    found = dict[str, _Signs]()
    for step in state.steps:
        _take(step, found)
    known = _by_name(found)
    for number, thought in _thoughts(state):
        for path in _named_in(thought, known):
            found.setdefault(path, _Signs()).thoughts.append(number)
    for path in _named_in(state.objective or "", known):
        found.setdefault(path, _Signs()).is_in_issue = True
    ranked = sorted(found.items(), key=lambda pair: (-pair[1].worth, pair[0]))
    return [Relevant(path, "; ".join(signs.words())) for path, signs in ranked]


def _take(step: Step, found: dict[str, _Signs]) -> None:
    for path in _files(step):
        signs = found.setdefault(path, _Signs())
        _WHERE[step.kind](step, signs).append(step.number)


def _files(step: Step) -> Iterator[str]:
    if step.kind not in _WHERE or (step.kind == Kind.SEARCH and len(step.paths) > _FEW):
        return
    yield from (path for path in step.paths if path.strip("./") and not path.endswith("/"))


def _written(step: Step, signs: _Signs) -> list[int]:
    return signs.changed if step.stands else signs.taken_back


_WHERE: dict[str, Callable[[Step, _Signs], list[int]]] = {
    Kind.READ: lambda step, signs: signs.read,
    Kind.SEARCH: lambda step, signs: signs.found,
    Kind.WRITE: _written,
}


def _by_name(paths: Collection[str]) -> dict[str, list[str]]:
    """By the last part of each."""
    found = dict[str, list[str]]()
    for path in paths:
        found.setdefault(PurePosixPath(path).name, []).append(path)
    return found


def _named_in(text: str, known: Mapping[str, list[str]]) -> list[str]:
    names = (name.removeprefix("./") for name in names_in(text) if is_path(name))
    return list(dict.fromkeys(path for name in names if (path := _meant(name, text, known))))


def _meant(name: str, text: str, known: Mapping[str, list[str]]) -> str:
    """The end of a path is enough, and more than a path is, as in a traceback."""
    like = known.get(PurePosixPath(name).name, [])
    fitting = [one for one in like if _ends(one, name) or _ends(name, one)]
    if len(fitting) == 1:
        return fitting[0]
    is_sure = "/" in name or len(PurePosixPath(name).suffix) >= _SURE_SUFFIX
    is_file = is_sure and _FILE.search(name) and not fitting
    is_whole = is_file and re.search(rf"(?<![\w/.@:-]){re.escape(name)}", text)
    return name if is_whole else ""


def _ends(whole: str, end: str) -> bool:
    return f"/{whole}".endswith(f"/{end}")


def _thoughts(state: State) -> Iterator[tuple[int, str]]:
    """With what the step that was cut off was about."""
    for step in state.steps:
        yield step.number, step.said.turn.thought
    if state.pending:
        turn = state.pending.turn
        yield len(state.steps) + 1, f"{turn.thought}\n{turn.input}\n{turn.conclusion}"


def _at(numbers: list[int]) -> str:
    word = "step" if len(numbers) == 1 else "steps"
    return f"at {word} {write_numbers(numbers)}"


def _times(numbers: list[int]) -> str:
    times = "" if len(numbers) == 1 else f"{len(numbers)} times, "
    return times + _at(numbers)
