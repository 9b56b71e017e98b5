"""The files that a run found to matter, and why they seem to."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from react_agent.loop.state import State
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.names import is_path, names_in
from react_agent.parsers.transcript.facts import write_numbers
from react_agent.tools.registry import Kind

_FEW = 5  # what a search found alone
_SIGNS: Mapping[str, str] = {Kind.READ: "read", Kind.SEARCH: "found", Kind.WRITE: "changed"}
_WORTH = {
    "changed": 8,
    "changed and taken back": 4,
    "read": 2,
    "found": 1,
    "named": 1,
    "in the issue": 3,
}
_SURE_SUFFIX = 3  # `.c` may be an attribute
# An attribute, as in `self.name`, has no such end.
_FILE = re.compile(
    r"\.(?:pyi?|pyx|ipynb|[cm]?js|[cm]?ts|[jt]sx|vue|json|ya?ml|toml|ini|cfg|xml|html?|s?css|md|rst"
    r"|txt|sh|go|rs|[ch]|cc|cpp|hpp|java|kt|scala|rb|php|lua|swift|sql|proto|csv|lock)$"
    r"|(?:^|/)(?:Dockerfile|Makefile|Pipfile|Gemfile|Rakefile)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Relevant:
    path: str
    why: str


def relevant(state: State) -> list[Relevant]:
    """What matters most first; from all steps, also from one that was cut off."""
    signs = defaultdict[str, dict[str, list[int]]](lambda: defaultdict(list))  # numbers of steps
    for step in state.steps:
        if step.kind != Kind.SEARCH or len(step.paths) <= _FEW:
            sign = _SIGNS.get(step.kind, "")
            if sign == "changed" and not step.stands:
                sign = "changed and taken back"
            for path in step.paths if sign else ():
                if path.strip("./") and not path.endswith("/"):
                    signs[path][sign].append(step.number)
    known = _by_name(signs)
    for number, thought in _thoughts(state):
        for path in _named_in(thought, known):
            signs[path]["named"].append(number)
    for path in _named_in(state.objective or "", known):
        signs[path]["in the issue"].append(0)
    worth = {
        path: sum(_WORTH[sign] * len(steps) for sign, steps in found.items())
        for path, found in signs.items()
    }
    ranked = sorted(signs, key=lambda path: (-worth[path], path))
    return [Relevant(path, "; ".join(_words(signs[path]))) for path in ranked]


def _words(signs: Mapping[str, list[int]]) -> Iterator[str]:
    for sign in _WORTH:
        if not (steps := signs.get(sign)):
            continue
        at = f"at step{'s' if len(steps) > 1 else ''} {write_numbers(steps)}"
        if sign == "named":
            yield f"named in {counted(len(steps), 'thought')}"
        elif sign == "in the issue":
            yield "named by the issue"
        elif sign == "read" and len(steps) > 1:
            yield f"read {len(steps)} times, {at}"
        elif sign != "found" or "read" not in signs:
            yield f"{sign} {at}"


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
