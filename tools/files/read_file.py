"""The `read_file` tool: show part of a file, with line numbers."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

from react_agent.parsers.transcript.facts import write_list
from react_agent.parsers.values.arguments import Unreadable, alternatives
from react_agent.parsers.values.targets import FileRequest, named_files, readings
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context, Limits
from react_agent.tools.files.file_list import listing, near_it
from react_agent.tools.files.paths import (
    Cause,
    Place,
    Refused,
    existing,
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

LARGEST = 20_000_000  # bytes of a file that is shown
_LOOKED_AT = 8_000  # bytes in which git, too, looks for a NUL
_MOST_FILES = 8
_NOT_UTF8 = "it is not UTF-8: \ufffd stands for bytes that can't be decoded"


def lines_in(data: bytes) -> list[bytes]:
    return data.removesuffix(b"\n").split(b"\n")


def decoded(line: bytes) -> str:
    """Return the text of a line without the CR at its end."""
    return line.removesuffix(b"\r").decode(errors="replace")


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
    total: int  # lines of the file
    first: int
    lines: Sequence[str]
    notes: Sequence[str]  # about the file

    def text(self, count: int, capped: str) -> str:
        """Return the window with `count` lines. `capped` names the limit that omitted the rest."""
        name, most, step = self.name, self.limits.line_chars, self.limits.window_lines
        last, lines = self.first + count - 1, self.lines[:count]
        if self.limits.line_numbers:
            shown = number_lines(lines, self.first, most)
            clipped = sum(is_clipped(at, line, most) for at, line in enumerate(lines, self.first))
        else:
            shown = [clip_line(line, most) for line in lines]
            clipped = sum(len(line) > most for line in lines)
        notes = (
            *([f"at most {capped} are shown at once"] if capped else []),
            *self.notes,
            *([f"{counted(clipped, 'line')} over {most} characters clipped"] if clipped else []),
        )
        head = f"{name} lines {self.first}-{last} of {self.total}"
        parts = [head, *(f"[{one}]" for one in notes)]
        if above := self.first - 1:
            previous = f"{name}:{max(1, self.first - step)}-{above}"
            parts.append(f"[{counted(above, 'line')} above; previous: {previous}]")
        parts += shown
        if below := self.total - last:
            following = f"{name}:{last + 1}-{min(self.total, last + step)}"
            parts.append(f"[{counted(below, 'line')} below; next: {following}]")
        return "\n".join(parts)


def _read_file(text: str, context: Context) -> Observation:
    is_there = any(existing(context.root, request.path) for request in readings(text))
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
    data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        return failed(f"{name} is larger than {LARGEST:,} bytes: too large to be shown")
    if b"\0" in data[:_LOOKED_AT]:
        return failed(f"{name} is binary ({counted(len(data), 'byte')}): it can't be shown")
    if not data:
        return Observation(f"{name} is empty", Status.EMPTY, (name,))
    span, every, crlfs = request.lines, lines_in(data), data.count(b"\r\n")
    total = len(every)
    asked = span.end - span.start + 1 if span.end else limits.window_lines
    most = min(asked, limits.window_lines)
    first = span.start if span.start <= total else max(1, total - most + 1)
    crlf = "its lines" if crlfs >= total - 1 else f"{crlfs} of its lines"
    kept = every[first - 1 : first - 1 + most]
    notes = (
        (span.start > total, f"there is no line {span.start}: these are the last"),
        (real != name, f"it is a symbolic link to {real}: edit that"),
        (crlfs > 0, f"{crlf} end in CRLF, which is not shown"),
        (not data.endswith(b"\n"), "no newline at the end of the file"),
        (any(line.decode(errors="replace").encode() != line for line in kept), _NOT_UTF8),
    )
    said = [note for holds, note in notes if holds]
    window, shown = _Window(name, limits, total, first, [*map(decoded, kept)], said), len(kept)
    is_capped = min(asked, total - first + 1) > most
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
