"""The lines around those that match, numbered: `  12| it matches`, `  13- it does not`."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from react_agent.tools.clip import clip_line
from react_agent.tools.files.file_window import lines_from
from react_agent.tools.files.git_grep import Match
from react_agent.tools.files.matches import numbered
from react_agent.tools.files.numbered import number
from react_agent.tools.files.paths import Place, Refused, open_inside

_BETWEEN = "   ..."


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
