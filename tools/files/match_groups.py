"""Matches as a model sees them: grouped by file, every file with its share of the room."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import TypeAlias

from react_agent.tools.clip import clip_line, counted
from react_agent.tools.files.file_list import one_line
from react_agent.tools.files.file_view import is_clipped, lines_from, number
from react_agent.tools.files.git_grep import Match
from react_agent.tools.files.paths import Place, Refused, open_inside

_MOST_NAMED = 8
_BETWEEN = "   ..."

Show: TypeAlias = Callable[[str, Sequence[Match]], list[str]]


@dataclass(frozen=True, slots=True)
class Grouped:
    lines: tuple[str, ...]
    left_out: int  # matches


def grouped(
    matches: Sequence[Match], most_lines: int, line_chars: int, show: Show | None = None
) -> Grouped:
    """`show` makes the lines of one file, where they are not just those that match."""
    files = {path: list(group) for path, group in groupby(matches, key=lambda one: one.path)}
    share, shown = _share(files, most_lines)
    parts = {path: files[path][:share] for path in list(files)[:shown]}
    lines = [
        line
        for path, part in parts.items()
        for line in (
            _head(path, len(files[path]) - len(part)),
            *(show(path, part) if show else numbered(part, line_chars)),
        )
    ]
    others, clipped = _others(list(files)[shown:]), _clipped(parts.values(), line_chars)
    left_out = len(matches) - sum(map(len, parts.values()))
    return Grouped((*lines, *others, *clipped), left_out)


def _share(files: Mapping[str, Sequence[Match]], most_lines: int) -> tuple[int, int]:
    """How many matches of each file are shown, and of how many files."""
    sizes = [len(group) for group in files.values()]
    fair = 1
    while fair < max(sizes, default=0) and _lines(sizes, fair + 1) <= most_lines:
        fair += 1
    shown = len(sizes) if _lines(sizes, fair) <= most_lines else max(1, most_lines // 2)
    return fair, shown


def _lines(sizes: Sequence[int], share: int) -> int:
    return sum(1 + min(size, share) for size in sizes)


def _head(path: str, left: int) -> str:
    return one_line(path) + (f" [{left:,} more here]" if left else "")


def numbered(part: Sequence[Match], line_chars: int) -> list[str]:
    return [number(one.line, one.text, line_chars, one.at) for one in part]


def _others(paths: Sequence[str]) -> list[str]:
    if not paths:
        return []
    named = ", ".join(one_line(path) for path in paths[:_MOST_NAMED])
    more = " ..." if len(paths) > _MOST_NAMED else ""
    return [f"[{counted(len(paths), 'more file')} with matches: {named}{more}]"]


def _clipped(parts: Iterable[Sequence[Match]], line_chars: int) -> list[str]:
    clipped = sum(is_clipped(one.line, one.text, line_chars) for part in parts for one in part)
    note = f"[{counted(clipped, 'line')} over {line_chars} characters clipped around the match]"
    return [note] if clipped else []


def surroundings(
    root: Path, around: tuple[int, int], line_chars: int, path: str, part: Sequence[Match]
) -> list[str]:
    """Of one file, which git named; what can't be opened any more is shown by its matches."""
    opened = open_inside(Place(root, path))
    if isinstance(opened, Refused):
        return numbered(part, line_chars)
    before, after = around
    matches = {one.line: one for one in part}
    wanted = {at for line in matches for at in range(line - before, line + after + 1) if at > 0}
    first, last = min(wanted), max(wanted)
    shown, previous = list[str](), first - 1
    with opened as file:
        for at, line in enumerate(islice(lines_from(file, first), last - first + 1), first):
            if at not in wanted:
                continue
            shown += [_BETWEEN] if at > previous + 1 else []
            shown.append(_line(at, line.text, matches.get(at), line_chars))
            previous = at
    return shown


def _line(at: int, text: str, match: Match | None, line_chars: int) -> str:
    if match:
        return number(at, match.text, line_chars, match.at)
    return f"{at:>4}- {clip_line(text, line_chars - 6)}".rstrip()
