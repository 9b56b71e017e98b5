"""The log of the last run of tests: whole, in the home folder of the commands."""

import contextlib
from pathlib import Path

from react_agent.parsers.tests_selection import LogPart
from react_agent.tools import disk
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.files.paths import Place, Refused, open_inside
from react_agent.tools.observation import Observation, failed

NAME = "last-tests.log"
MOST = 4_000_000  # bytes


def keep(text: str, context: Context) -> bool:
    """Whether it could be kept. A link that a command left there is not followed."""
    path = _path(context)
    if path is None:
        return False
    with contextlib.suppress(OSError):  # none, or a folder
        disk.unlink(path)
    try:
        disk.write_new(path, text.encode(errors="replace"))
    except OSError:
        return False
    return True


def show(part: LogPart, context: Context) -> Observation:
    """Some lines of it, numbered."""
    path = _path(context)
    opened = open_inside(Place(path.parent, NAME)) if path else None
    if opened is None or isinstance(opened, Refused):
        return failed("there is no log yet: run tests first")
    with opened as file:
        lines = file.read(MOST).decode(errors="replace").split("\n")
    first = min(part.first, len(lines))
    last = min(max(part.last or first + context.limits.window_lines - 1, first), len(lines))
    shown = _fitting(lines[first - 1 : last], first, context)
    end = first + len(shown) - 1
    head = f"lines {first}-{end} of {len(lines):,} of the last log of tests"
    rest = (
        f"\n[{counted(len(lines) - end, 'line')} below: log {end + 1}]" if end < len(lines) else ""
    )
    return Observation("\n".join((head, *shown)) + rest)


def _fitting(lines: list[str], first: int, context: Context) -> list[str]:
    room, shown = context.limits.output_chars - 200, list[str]()
    for number, line in enumerate(lines, first):
        shown.append(f"{number:>5}  {clip_line(line, context.limits.line_chars)}")
        room -= len(shown[-1]) + 1
        if room < 0 and len(shown) > 1:
            return shown[:-1]
    return shown


def _path(context: Context) -> Path | None:
    home = context.environment.get("HOME", "")
    is_place = Path(home).is_absolute() and Path(home) != Path("/") and Path(home).is_dir()
    return Path(home, NAME) if is_place else None
