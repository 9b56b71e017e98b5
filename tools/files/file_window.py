"""Some lines of a file of any size, in little memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_CHUNK = 1 << 20
_LONGEST = 1 << 16  # bytes kept of one line; more are counted
_LOOKED_AT = 8_000  # bytes in which git, too, looks for a NUL


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
