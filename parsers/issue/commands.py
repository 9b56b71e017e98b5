"""Commands that an issue shows: behind a prompt, in a fence of a shell, or in backticks."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from react_agent.parsers.issue.lines import Line
from react_agent.parsers.text.late_pattern import LatePattern

_MOST, _LONGEST = 50, 200
_SHELLS = ("sh", "bash", "zsh", "shell", "console", "terminal", "shell-session", "shellsession")
_PROMPT = LatePattern(r"\s*(?:\([\w.-]{1,40}\) ?)?(?:[\w.@~:/-]{0,80}[$%]|\$) +(?=[\w./~])(.*)")
_TICKED = LatePattern(r"`([^`]{4,200})`")
_PROGRAM = LatePattern(
    r"python3?|pytest|tox|nox|make|ctest|cargo|go|npm|npx|yarn|pnpm|node|deno|bun|java|mvn|gradle|ruby"
    r"|rake|rspec|bundle|php|composer|dotnet|perl|swift|\./\S+"
)
_SET_UP = LatePattern(
    r"(?:sudo )?(?:cd|export|source|mkdir|touch|echo|cat|ls"
    r"|(?:python3? -m )?(?:pip3?|uv|poetry|npm|yarn|pnpm|apt|apt-get|brew|conda)"
    r" (?:pip )?(?:install|add|i|update|upgrade|create|show|freeze|list)"
    r"|git (?:clone|checkout|pull|fetch)|(?:python3? -m )?(?:virtualenv|venv)"
    r"|\S{1,80} (?:--version|-V))\b.*"
)


def commands(lines: Iterable[Line]) -> tuple[str, ...]:
    """Each once; those that only set things up, if there are no others."""
    every = list(islice(dict.fromkeys(_read(tuple(lines))), _MOST))
    telling = [one for one in every if not _SET_UP.fullmatch(one)]
    return tuple(telling or every)


def _read(lines: Sequence[Line]) -> Iterator[str]:
    prompted = [found[1] for line in lines if (found := _prompted(line))]
    yield from _joined(chain(prompted, () if prompted else _bare(lines)))
    for line in lines:
        if not line.is_code and "`" in line.text:
            yield from (one for one in _TICKED.findall(line.text) if _is_command(one))


def _prompted(line: Line) -> re.Match[str] | None:
    return _PROMPT.fullmatch(line.text) if line.is_code else None


def _bare(lines: Iterable[Line]) -> Iterator[str]:
    """Where no line has a prompt, each in a fence of a shell is one."""
    for line in lines:
        if line.language in _SHELLS and line.text.strip() and not line.text.startswith("#"):
            yield line.text


def _joined(given: Iterable[str]) -> Iterator[str]:
    for one in given:
        bare = one.strip()
        if bare and len(bare) <= _LONGEST:
            yield bare


def _is_command(text: str) -> bool:
    first, blank, rest = text.strip().partition(" ")
    return bool(blank and rest.strip()) and _PROGRAM.fullmatch(first) is not None
