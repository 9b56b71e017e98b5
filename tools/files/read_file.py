"""Show a window of a file, numbered."""

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import BinaryIO, NamedTuple

from react_agent.parsers.transcript.facts import write_list
from react_agent.parsers.values.files import FileRequest, named_files, readings
from react_agent.parsers.values.unreadable import Unreadable
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context, Limits
from react_agent.tools.files.file_list import known_files
from react_agent.tools.files.paths import (
    Cause,
    Place,
    Refused,
    inside,
    open_inside,
    refused,
    settled,
)
from react_agent.tools.files.suggestions import near_it
from react_agent.tools.observation import (
    SHOWN,
    Observation,
    Status,
    failed,
    joined,
    room_for,
    shares,
)
from react_agent.tools.registry import Kind, Tool, named

_CHUNK = 1 << 20
_LONGEST = 1 << 16  # bytes kept of one line; more are counted
_LOOKED_AT = 8_000  # bytes in which git, too, looks for a NUL
_NARROWEST = 4


@dataclass(frozen=True, slots=True)
class Survey:
    size: int
    lines: int
    crlf: int  # lines that end in "\r\n"
    binary: bool
    ends_in_newline: bool


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    more: int  # bytes of it that are not in the text
    is_utf8: bool


def survey(file: BinaryIO) -> Survey:
    size = newlines = crlf = 0
    last, binary = b"", False
    while chunk := file.read(_CHUNK):
        binary = binary or (not size and b"\0" in chunk[:_LOOKED_AT])
        newlines += chunk.count(b"\n")
        crlf += chunk.count(b"\r\n") + (last == b"\r" and chunk[:1] == b"\n")
        size += len(chunk)
        last = chunk[-1:]
    ends_in_newline = last == b"\n"
    lines = newlines + (size > 0 and not ends_in_newline)
    return Survey(size, lines, crlf, binary, ends_in_newline)


def lines_from(file: BinaryIO, start: int) -> Iterator[Line]:
    """The lines from number `start` on, read as they are asked for."""
    file.seek(0)
    for _ in range(start - 1):
        _next_line(file)
    while True:
        kept, size = _next_line(file)
        if not size:
            return
        yield _decoded(kept, size)


def _next_line(file: BinaryIO) -> tuple[bytes, int]:
    kept = piece = file.readline(_LONGEST)
    size = len(kept)
    while len(piece) == _LONGEST and not piece.endswith(b"\n"):
        piece = file.readline(_LONGEST)
        size += len(piece)
    return kept, size


def _decoded(kept: bytes, size: int) -> Line:
    if size > len(kept):  # the cut may have split a character: that is not the file's fault
        return Line(kept.decode(errors="ignore"), size - len(kept), is_utf8=True)
    bare = kept.removesuffix(b"\n").removesuffix(b"\r")
    try:
        return Line(bare.decode(), 0, is_utf8=True)
    except UnicodeDecodeError:
        return Line(bare.decode(errors="replace"), 0, is_utf8=False)


def number(at: int, line: str, most: int, around: int = 0) -> str:
    """At most `most` characters; a longer line is clipped around the character `around`."""
    prefix = _prefix(at)
    return f"{prefix}{clip_line(line, most - len(prefix), around)}" if line else prefix.rstrip()


def is_clipped(at: int, line: str, most: int) -> bool:
    return len(_prefix(at)) + len(line) > most


def _prefix(at: int) -> str:
    return f"{at:>{_NARROWEST}}| "


def number_lines(lines: Sequence[str], first: int, most: int) -> list[str]:
    return [number(at, line, most) for at, line in enumerate(lines, first)]


@dataclass(frozen=True, slots=True)
class Wanted:
    place: Place
    request: FileRequest
    limits: Limits
    room: int  # characters


class View(NamedTuple):
    text: str
    lines: str  # that it shows: `12-40`


def view(file: BinaryIO, seen: Survey, wanted: Wanted) -> View:
    """As many of the lines that were asked for as there is room for."""
    span, limits = wanted.request.lines, wanted.limits
    asked = span.end - span.start + 1 if span.end else limits.window_lines
    most = min(asked, limits.window_lines)
    first = span.start if span.start <= seen.lines else max(1, seen.lines - most + 1)
    lines = list(islice(lines_from(file, first), most))
    too_many = min(asked, seen.lines - first + 1) > most
    rendered = partial(_rendered, seen, wanted, first)
    text = rendered(lines, counted(most, "line") if too_many else "")
    if len(text) > wanted.room:
        capped = f"{limits.output_chars:,} characters"
        fitting = bisect_right(
            range(1, len(lines)), wanted.room, key=lambda n: len(rendered(lines[:n], capped))
        )
        lines = lines[: max(fitting, 1)]
        text = rendered(lines, capped)
    return View(text, f"{first}-{first + len(lines) - 1}")


def _rendered(seen: Survey, wanted: Wanted, first: int, lines: Sequence[Line], capped: str) -> str:
    """`capped` is what kept it from showing all that was asked for."""
    name, step, chars = wanted.place.name, wanted.limits.window_lines, wanted.limits.line_chars
    last = first + len(lines) - 1
    start, end = max(1, first - step), min(seen.lines, last + step)
    numbered = [_numbered(at, line, chars) for at, line in enumerate(lines, first)]
    parts = [f"{name} lines {first}-{last} of {seen.lines}"]
    shown = list(zip(lines, numbered, strict=True))
    parts += [f"[{note}]" for note in _notes(seen, wanted, shown, capped)]
    if first > 1:
        parts.append(f"[{counted(first - 1, 'line')} above; previous: {name}:{start}-{first - 1}]")
    parts += numbered
    if last < seen.lines:
        parts.append(f"[{counted(seen.lines - last, 'line')} below; next: {name}:{last + 1}-{end}]")
    return "\n".join(parts)


def _numbered(at: int, line: Line, most: int) -> str:
    if not line.more:
        return number(at, line.text, most)
    left_out = f"(+{counted(line.more, 'byte')})"
    return number(at, line.text, most - len(left_out)) + left_out


def _notes(
    seen: Survey, wanted: Wanted, shown: Sequence[tuple[Line, str]], capped: str
) -> list[str]:
    start, most, real = wanted.request.lines.start, wanted.limits.line_chars, settled(wanted.place)
    target = real.name if isinstance(real, Place) else wanted.place.name
    crlf = "its lines" if seen.crlf >= seen.lines - 1 else f"{seen.crlf} of its lines"
    is_utf8 = all(line.is_utf8 for line, _ in shown)
    clipped = sum(not text.endswith(line.text) or line.more > 0 for line, text in shown)
    notes = (
        (start > seen.lines, f"there is no line {start}: these are the last"),
        (bool(capped), f"at most {capped} are shown at once"),
        (target != wanted.place.name, f"it is a symbolic link to {target}: edit that"),
        (seen.crlf > 0, f"{crlf} end in CRLF, which is not shown"),
        (not is_utf8, "it is not UTF-8: \ufffd stands for what can't be read"),
        (clipped > 0, f"{counted(clipped, 'line')} over {most} characters clipped"),
        (not seen.ends_in_newline, "no newline at the end of the file"),
    )
    return [note for holds, note in notes if holds]


# --- the tool


_MOST_FILES = 8
_NO_PATH = "there is no path: write PATH or PATH:START-END, one a line"


def _read_file(text: str, context: Context) -> Observation:
    named = None if _exists(text, context) else named_files(text)
    if isinstance(named, Unreadable):
        return failed(named.reason)
    if named is None:
        return _answered(text.split("\n"), context, context.limits.output_chars)
    said = f"[{named.said}]\n"
    answer = _answered(named.lines, context, context.limits.output_chars - len(said))
    return replace(answer, text=said + answer.text)


def _answered(lines: Sequence[str], context: Context, room: int) -> Observation:
    asked = [line for line in lines if line.strip()]
    if not asked:
        return failed(_NO_PATH)
    if len(asked) > _MOST_FILES:
        return failed(f"{len(asked)} files are too many at once: ask for {_MOST_FILES} or fewer")
    return joined(_shown(asked, context, room_for(len(asked), room)))


def _exists(line: str, context: Context) -> bool:
    places = (inside(context.root, request.path) for request in readings(line))
    return any(isinstance(one, Place) and os.path.lexists(one.full) for one in places)


def _shown(asked: list[str], context: Context, room: int) -> list[Observation]:
    wholes = [_show(line, context, room) for line in asked]
    rooms = shares([len(whole.text) for whole in wholes], room)
    return [
        whole if len(whole.text) <= share else _show(line, context, share)
        for line, whole, share in zip(asked, wholes, rooms, strict=True)
    ]


def _show(line: str, context: Context, room: int) -> Observation:
    """The strictest reading that is a file; if none is, why the last one is not."""
    missing = partial(failed, "")
    for request in readings(line):
        place = inside(context.root, request.path)
        if isinstance(place, Refused):
            missing = partial(refused, place)
            continue
        opened = open_inside(place)
        if not isinstance(opened, Refused):
            with opened as file:
                return _window(file, Wanted(place, request, context.limits, room))
        missing = partial(_refusal, place, opened, context)
        if opened.cause is not Cause.MISSING:
            break
    return missing()


def _window(file: BinaryIO, wanted: Wanted) -> Observation:
    name, seen = wanted.place.name, survey(file)
    if seen.binary:
        return failed(f"{name} is binary ({counted(seen.size, 'byte')}): it can't be shown")
    if not seen.lines:
        return Observation(f"{name} is empty", Status.EMPTY, (name,))
    shown = view(file, seen, wanted)
    noted = {SHOWN: write_list([f"{name}:{shown.lines}"])}
    return Observation(shown.text, paths=(name,), noted=noted)


def _refusal(place: Place, why: Refused, context: Context) -> Observation:
    if why.cause is Cause.FOLDER:
        return failed(f"{why.reason}, not a file: {named('list_files')} shows what is in it")
    if why.cause is Cause.MISSING:
        nothing = f"; no file has a name like it; {named('list_files')} shows which there are"
        near = context.limits.widen and (near_it(place.name, known_files(context)) or nothing)
        return failed(f"{why.reason}{near or ''}")
    return refused(why)


READ_FILE = Tool(
    "read_file",
    "show a file with line numbers; input: PATH or PATH:START-END, several one a line",
    Kind.READ,
    _read_file,
)
