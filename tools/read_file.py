"""Show a window of a file, numbered."""

from dataclasses import dataclass
from itertools import accumulate, islice
from typing import BinaryIO

from react_agent.parsers.file_request import FileRequest, readings
from react_agent.tools.clip import counted
from react_agent.tools.context import Context, Limits
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.file_list import file_list
from react_agent.tools.file_window import Line, Survey, lines_from, survey
from react_agent.tools.naming import named
from react_agent.tools.near import near_names
from react_agent.tools.numbered import number
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.paths import Cause, Place, Refused, inside, open_inside, settled
from react_agent.tools.registry import Kind, Tool

_MOST_FILES = 8
_ROOM_FOR_NOTES = 700  # characters


@dataclass(frozen=True, slots=True)
class _Found:
    place: Place
    request: FileRequest
    file: BinaryIO


@dataclass(frozen=True, slots=True)
class _Window:
    first: int
    numbered: tuple[str, ...]
    clipped: int  # lines of it
    is_utf8: bool

    @property
    def last(self) -> int:
        return self.first + len(self.numbered) - 1


def _read_file(text: str, context: Context) -> Observation:
    asked = [line for line in text.split("\n") if line.strip()]
    if not asked:
        return failed("there is no path: write PATH or PATH:START-END, one a line")
    if len(asked) > _MOST_FILES:
        return failed(f"{len(asked)} files are too many at once: ask for {_MOST_FILES} or fewer")
    room = context.limits.output_chars // len(asked)
    return _joined([_show(line, context, room) for line in asked])


def _joined(shown: list[Observation]) -> Observation:
    """One file that can be shown makes the whole worth reading."""
    worst_first = (Status.FAILED, Status.EMPTY, Status.OK)
    best = max((one.status for one in shown), key=worst_first.index)
    paths = tuple(dict.fromkeys(path for one in shown for path in one.paths))
    return Observation("\n\n".join(one.text for one in shown), best, paths)


def _show(line: str, context: Context, room: int) -> Observation:
    found = _find(line, context)
    if isinstance(found, Observation):
        return found
    name = found.place.name
    with found.file as file:
        seen = survey(file)
        if seen.binary:
            return failed(f"{name} is binary ({counted(seen.size, 'byte')}): it can't be shown")
        if not seen.lines:
            return Observation(f"{name} is empty", Status.EMPTY, (name,))
        window = _window(file, seen, found.request, context.limits, room)
    return Observation(_rendered(found, seen, window, context.limits), paths=(name,))


def _find(line: str, context: Context) -> _Found | Observation:
    """The strictest reading that is a file; if none is, why the last one is not."""
    missing = failed("")
    for request in readings(line):
        place = inside(context.root, request.path)
        if isinstance(place, Refused):
            return failed(place.reason)
        opened = open_inside(place)
        if not isinstance(opened, Refused):
            return _Found(place, request, opened)
        missing = _refusal(place, opened, context)
        if opened.cause is not Cause.MISSING:
            break
    return missing


def _refusal(place: Place, refused: Refused, context: Context) -> Observation:
    if refused.cause is Cause.FOLDER:
        return failed(f"{refused.reason}, not a file: {named('list_files')} shows what is in it")
    if refused.cause is Cause.MISSING:
        return failed(f"{refused.reason}; {_suggestion(place.name, context)}")
    return failed(refused.reason)


def _suggestion(name: str, context: Context) -> str:
    try:
        near = near_names(name, file_list(context.root))
    except ReactAgentError as error:
        return str(error)
    if not near:
        return f"no file has a name like it; {named('list_files')} shows which there are"
    return f"near it: {', '.join(near)}"


def _window(
    file: BinaryIO, seen: Survey, request: FileRequest, limits: Limits, room: int
) -> _Window:
    asked = request.end - request.start + 1 if request.end else limits.window_lines
    most = min(asked, limits.window_lines)
    first = request.start if request.start <= seen.lines else max(1, seen.lines - most + 1)
    lines = list(islice(lines_from(file, first), most))
    numbered = [_numbered(at, line, limits.line_chars) for at, line in enumerate(lines, first)]
    shown = numbered[: _fitting(numbered, room - _ROOM_FOR_NOTES)]
    pairs = list(zip(lines, shown, strict=False))
    return _Window(
        first,
        tuple(shown),
        clipped=sum(not text.endswith(line.text) or line.more > 0 for line, text in pairs),
        is_utf8=all(line.is_utf8 for line, _ in pairs),
    )


def _numbered(at: int, line: Line, most: int) -> str:
    if not line.more:
        return number(at, line.text, most)
    left_out = f"(+{counted(line.more, 'byte')})"
    return number(at, line.text, most - len(left_out)) + left_out


def _fitting(numbered: list[str], room: int) -> int:
    """How many of the lines there is room for: one at least."""
    used = accumulate(len(line) + 1 for line in numbered)
    return max(1, sum(total <= room for total in used))


def _rendered(found: _Found, seen: Survey, window: _Window, limits: Limits) -> str:
    name, first, last, step = found.place.name, window.first, window.last, limits.window_lines
    above = _elsewhere("above", name, max(1, first - step), first - 1, first - 1)
    below = _elsewhere("below", name, last + 1, min(seen.lines, last + step), seen.lines - last)
    header = f"{name} lines {first}-{last} of {seen.lines}"
    notes = _notes(found, seen, window, limits)
    return "\n".join((header, *notes, *above, *window.numbered, *below))


def _elsewhere(side: str, name: str, start: int, end: int, lines: int) -> list[str]:
    return [f"[{counted(lines, 'line')} {side}: {name}:{start}-{end}]"] if lines else []


def _notes(found: _Found, seen: Survey, window: _Window, limits: Limits) -> list[str]:
    real = settled(found.place)
    target = real.name if isinstance(real, Place) else found.place.name
    crlf = "its lines" if seen.crlf >= seen.lines - 1 else f"{seen.crlf} of its lines"
    start, most = found.request.start, limits.line_chars
    notes = (
        (start > seen.lines, f"there is no line {start}: these are the last"),
        (target != found.place.name, f"it is a symbolic link to {target}: edit that"),
        (seen.crlf > 0, f"{crlf} end in CRLF, which is not shown"),
        (not window.is_utf8, "it is not UTF-8: \ufffd stands for what can't be read"),
        (window.clipped > 0, f"{counted(window.clipped, 'line')} over {most} characters clipped"),
        (not seen.ends_in_newline, "no newline at the end of the file"),
    )
    return [f"[{note}]" for holds, note in notes if holds]


READ_FILE = Tool(
    "read_file",
    "show a file with line numbers; input: PATH or PATH:START-END, several one a line",
    Kind.READ,
    _read_file,
)
