"""A window of a file of any size, numbered, as large as there is room for."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import BinaryIO, NamedTuple

from react_agent.parsers.values.files import FileRequest
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Limits
from react_agent.tools.files.paths import Place, settled

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
    request, limits = wanted.request, wanted.limits
    asked = request.end - request.start + 1 if request.end else limits.window_lines
    most = min(asked, limits.window_lines)
    first = request.start if request.start <= seen.lines else max(1, seen.lines - most + 1)
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
    start, most, real = wanted.request.start, wanted.limits.line_chars, settled(wanted.place)
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
