"""Standard output and error: of any encoding, closed, full, or with nobody at the other end."""

import contextlib
import io
import os
import sys
from collections.abc import Iterable
from typing import TextIO

from react_agent.tools.errors import MachineError


def show_what_they_cannot_encode() -> None:
    """As `\\u2026` and `\\udcff`, where Python would give up."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def complain(text: str, code: int) -> int:
    """One line on standard error, whatever stands in the text; the exit code."""
    say([f"react-agent: {' '.join(text.split())}"])
    return code


def say(lines: Iterable[str]) -> None:
    """Lines on standard error, for people; where it is closed or full, nobody reads them."""
    if sys.stderr:
        try:
            sys.stderr.write("".join(f"{_escaped(line)}\n" for line in lines))
            sys.stderr.flush()
        except OSError:
            _silence(sys.stderr)  # it is full: the lines must not wait in a buffer


def give(data: bytes) -> None:
    """To standard output as they are; a terminal is shown control characters, it gets none."""
    if not sys.stdout:
        raise MachineError("standard output is closed: there is nowhere to write to")
    if sys.stdout.isatty():
        text = data.decode(errors="surrogateescape")
        data = "\n".join(map(_escaped, text.split("\n"))).encode()
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _escaped(line: str) -> str:
    from react_agent.parsers.transcript.quoting import escape  # where nothing is said, not needed

    return escape(line)


def flush() -> None:
    """Here, where it can be handled, and not when the interpreter ends."""
    for stream in _open():
        stream.flush()


def leave(code: int) -> int:
    """The exit code, once nothing is written any more: not even what is still in a buffer."""
    for stream in _open():
        _silence(stream)
    return code


def _silence(stream: TextIO) -> None:
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _open() -> list[TextIO]:
    return [stream for stream in (sys.stdout, sys.stderr) if stream]
