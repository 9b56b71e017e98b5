"""Which of the changed files each check is about."""

from collections.abc import Callable, Mapping, Sequence

from react_agent.checks.planned import Choice, Not, Planned
from react_agent.parsers.settings.file_types import KNOWN, types_of
from react_agent.parsers.text.timed_pattern import PatternError, TimedPattern
from react_agent.tools.clock import monotonic

_EXECUTABLE = "100755"
_SHOWN = 60
_SECONDS = 0.5  # for one pattern and all paths
_SECONDS_IN_ALL = 1.5
_EVERY, _NONE = "", "^$"  # patterns that need no look


def chosen(
    plan: Sequence[Planned], files: Mapping[str, str], read: Callable[[str], bytes]
) -> list[tuple[str, ...] | Not]:
    """For each check; `files` are paths with their modes."""
    types = _Types(files, read)
    found = _found(plan, tuple(files))
    return [_files(check.choice, files, found, types) for check in plan]


class _Types:
    """Of each file, once, and only where somebody asks."""

    def __init__(self, files: Mapping[str, str], read: Callable[[str], bytes]) -> None:
        self.files = files
        self.read = read
        self.known = dict[str, frozenset[str]]()

    def of(self, path: str) -> frozenset[str]:
        if path not in self.known:
            is_executable = self.files[path] == _EXECUTABLE
            self.known[path] = types_of(path, self.read(path), is_executable=is_executable)
        return self.known[path]


def _found(plan: Sequence[Planned], paths: tuple[str, ...]) -> dict[str, frozenset[str] | str]:
    wanted = {
        pattern
        for check in plan
        for pattern in (*check.choice.found_in, *check.choice.not_in)
        if pattern not in (_EVERY, _NONE)
    }
    ends = monotonic() + _SECONDS_IN_ALL
    found = {pattern: _found_in(pattern, paths, ends) for pattern in sorted(wanted)}
    return {_EVERY: frozenset(paths), _NONE: frozenset(), **found}


def _found_in(pattern: str, paths: Sequence[str], ends: float) -> frozenset[str] | str:
    """The paths, or why that can't be told."""
    ends = min(ends, monotonic() + _SECONDS)
    try:
        timed = TimedPattern(pattern)
        matches = [path for path in paths if timed.find(path, ends - monotonic()) is not None]
    except PatternError as error:
        return str(error)
    return frozenset(matches)


def _files(
    choice: Choice,
    files: Mapping[str, str],
    found: Mapping[str, frozenset[str] | str],
    types: _Types,
) -> tuple[str, ...] | Not:
    unknown = sorted((choice.types | choice.types_or | choice.not_types) - KNOWN)
    if unknown:
        return Not(f"which files are of the type {unknown[0][:_SHOWN]!r} is not known here")
    paths = set(files)
    for pattern in choice.found_in:
        if isinstance(answer := found[pattern], str):
            return Not(answer)
        paths &= answer
    for pattern in choice.not_in:
        if isinstance(answer := found[pattern], str):
            return Not(answer)
        paths -= answer
    return tuple(path for path in sorted(paths) if _fits(choice, path, types))


def _fits(choice: Choice, path: str, types: _Types) -> bool:
    if not (choice.types or choice.types_or or choice.not_types):
        return True
    own = types.of(path)
    is_one = not choice.types_or or bool(own & choice.types_or)
    return is_one and choice.types <= own and not own & choice.not_types
