"""The `read_file` tool: show part of a file, with line numbers."""

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import BinaryIO, NamedTuple

from react_agent.parsers.transcript.facts import write_list
from react_agent.parsers.values.arguments import Unreadable, alternatives
from react_agent.parsers.values.files import FileRequest, named_files, readings
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context, Limits
from react_agent.tools.files.file_list import listing, near_it
from react_agent.tools.files.paths import (
    Cause,
    Place,
    Refused,
    inside,
    open_settled,
    refused,
    settled,
)
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
_MOST_FILES = 8
_NOT_UTF8 = "it is not UTF-8: \ufffd stands for bytes that can't be decoded"


class Survey(NamedTuple):
    size: int
    lines: int
    crlf: int  # lines that end in "\r\n"
    is_binary: bool
    ends_in_newline: bool


class Line(NamedTuple):
    text: str
    more: int = 0  # bytes of it that are not in the text
    is_utf8: bool = True


def survey(file: BinaryIO) -> Survey:
    size = newlines = crlf = 0
    last, is_binary = b"", False
    while chunk := file.read(_CHUNK):
        is_binary = is_binary or (not size and b"\0" in chunk[:_LOOKED_AT])
        newlines += chunk.count(b"\n")
        crlf += chunk.count(b"\r\n") + (last == b"\r" and chunk[:1] == b"\n")
        size += len(chunk)
        last = chunk[-1:]
    lines = newlines + (last not in (b"\n", b""))
    return Survey(size, lines, crlf, is_binary, last == b"\n")


def lines_from(file: BinaryIO, start: int) -> Iterator[Line]:
    """Yield the lines from number `start` on. They are read on demand."""
    file.seek(0)
    for at in count(1):
        kept = piece = file.readline(_LONGEST)
        size = len(kept)
        while len(piece) == _LONGEST and not piece.endswith(b"\n"):
            piece = file.readline(_LONGEST)
            size += len(piece)
        if not size:
            return
        if at >= start:
            yield _decoded(kept, size)


def _decoded(kept: bytes, size: int) -> Line:
    if size > len(kept):  # the cut may have split a character: that is not the file's fault
        return Line(kept.decode(errors="ignore"), size - len(kept))
    bare = kept.removesuffix(b"\n").removesuffix(b"\r")
    try:
        return Line(bare.decode())
    except UnicodeDecodeError:
        return Line(bare.decode(errors="replace"), is_utf8=False)


def number(at: int, line: str, most: int, around: int = 0) -> str:
    """Return a numbered line of at most `most` characters, clipped around index `around`."""
    prefix = f"{at:>4}| "
    return f"{prefix}{clip_line(line, most - len(prefix), around)}" if line else prefix.rstrip()


def is_clipped(at: int, line: str, most: int) -> bool:
    return max(len(str(at)), 4) + 2 + len(line) > most


def number_lines(lines: Sequence[str], first: int, most: int) -> list[str]:
    return [number(at, line, most) for at, line in enumerate(lines, first)]


@dataclass(frozen=True, slots=True)
class _Window:
    name: str
    limits: Limits
    seen: Survey
    first: int
    lines: Sequence[Line]
    notes: Sequence[str]  # about the file

    def text(self, count: int, capped: str) -> str:
        """Return the window with `count` lines. `capped` names the limit that omitted the rest."""
        name, most, step = self.name, self.limits.line_chars, self.limits.window_lines
        last, total = self.first + count - 1, self.seen.lines
        lines = self.lines[:count]
        clipped = sum(
            is_clipped(at, line.text, most) or line.more > 0
            for at, line in enumerate(lines, self.first)
        )
        notes = (
            *([f"at most {capped} are shown at once"] if capped else []),
            *self.notes,
            *([_NOT_UTF8] if not all(line.is_utf8 for line in lines) else []),
            *([f"{counted(clipped, 'line')} over {most} characters clipped"] if clipped else []),
        )
        parts = [f"{name} lines {self.first}-{last} of {total}", *(f"[{one}]" for one in notes)]
        if above := self.first - 1:
            previous = f"{name}:{max(1, self.first - step)}-{above}"
            parts.append(f"[{counted(above, 'line')} above; previous: {previous}]")
        for at, line in enumerate(lines, self.first):
            left_out = f"(+{counted(line.more, 'byte')})" if line.more else ""
            most_here = most - len(left_out)
            numbered = self.limits.line_numbers
            text = number(at, line.text, most_here) if numbered else clip_line(line.text, most_here)
            parts.append(text + left_out)
        if below := total - last:
            following = f"{name}:{last + 1}-{min(total, last + step)}"
            parts.append(f"[{counted(below, 'line')} below; next: {following}]")
        return "\n".join(parts)


def _read_file(text: str, context: Context) -> Observation:
    places = (inside(context.root, request.path) for request in readings(text))
    is_there = any(isinstance(one, Place) and os.path.lexists(one.full) for one in places)
    named = None if is_there else named_files(text)
    if isinstance(named, Unreadable):
        return failed(named.reason)
    said = f"[{named.said}]\n" if named else ""
    lines = [line for line in (named.lines if named else text.split("\n")) if line.strip()]
    asked = lines if is_there else [one for line in lines for one in alternatives(line)]
    if not asked:
        return failed("there is no path: write PATH or PATH:START-END, one per line")
    if len(asked) > _MOST_FILES:
        return failed(f"too many files at once ({len(asked)}): ask for {_MOST_FILES} or fewer")
    room = room_for(len(asked), context.limits.read_chars - len(said))
    wholes = [_show(line, context, room) for line in asked]
    rooms = shares([len(whole.text) for whole in wholes], room)
    shown = [
        whole if len(whole.text) <= share else _show(line, context, share)
        for line, whole, share in zip(asked, wholes, rooms, strict=True)
    ]
    answer = joined(shown)
    return replace(answer, text=said + answer.text)


def _show(line: str, context: Context, room: int) -> Observation:
    """Show the file for the strictest reading that exists, or else why the last reading failed."""
    name, why = line, Refused(Cause.MISSING, "")
    for request in readings(line):
        place = inside(context.root, request.path)
        real = settled(place) if isinstance(place, Place) else place
        opened = open_settled(real, request.path) if isinstance(real, Place) else real
        if not isinstance(place, Place):
            why = place
        elif isinstance(opened, Refused):
            name, why = place.name, opened
            if why.cause is not Cause.MISSING:
                break
        else:
            assert isinstance(real, Place)
            with opened as file:
                return _window(file, place.name, real.name, request, context.limits, room)
    return not_shown(why, name, context)


def not_shown(why: Refused, name: str, context: Context) -> Observation:
    """Return the reason why a file can't be shown. If it is missing, add similar names."""
    if why.cause is Cause.FOLDER:
        return failed(f"{why.reason}, not a file: {named('list_files')} shows what is in it")
    if why.cause is Cause.MISSING and context.limits.widen:
        nothing = f"; no file has a name like it; {named('list_files')} lists the files"
        return failed(f"{why.reason}{near_it(name, listing(context).files) or nothing}")
    return refused(why)


def _window(
    file: BinaryIO, name: str, real: str, request: FileRequest, limits: Limits, room: int
) -> Observation:
    """Show as many of the requested lines as fit."""
    seen = survey(file)
    if seen.is_binary:
        return failed(f"{name} is binary ({counted(seen.size, 'byte')}): it can't be shown")
    if not seen.lines:
        return Observation(f"{name} is empty", Status.EMPTY, (name,))
    span = request.lines
    asked = span.end - span.start + 1 if span.end else limits.window_lines
    most = min(asked, limits.window_lines)
    first = span.start if span.start <= seen.lines else max(1, seen.lines - most + 1)
    crlf = "its lines" if seen.crlf >= seen.lines - 1 else f"{seen.crlf} of its lines"
    notes = (
        (span.start > seen.lines, f"there is no line {span.start}: these are the last"),
        (real != name, f"it is a symbolic link to {real}: edit that"),
        (seen.crlf > 0, f"{crlf} end in CRLF, which is not shown"),
        (not seen.ends_in_newline, "no newline at the end of the file"),
    )
    lines = list(islice(lines_from(file, first), most))
    said = [note for holds, note in notes if holds]
    window, shown = _Window(name, limits, seen, first, lines, said), len(lines)
    is_capped = min(asked, seen.lines - first + 1) > most
    text = window.text(shown, counted(most, "line") if is_capped else "")
    if len(text) > room:
        capped = f"{limits.read_chars:,} characters"
        fits = range(1, shown)
        shown = max(bisect_right(fits, room, key=lambda n: len(window.text(n, capped))), 1)
        text = window.text(shown, capped)
    lines_shown = f"{name}:{first}-{first + shown - 1}"
    return Observation(text, paths=(name,), noted={SHOWN: write_list([lines_shown])})


READ_FILE = Tool(
    "read_file",
    "show a file with line numbers, at most {window_lines} lines or {read_chars} characters at "
    "once; input: PATH or PATH:START-END, several one a line",
    Kind.READ,
    _read_file,
)
