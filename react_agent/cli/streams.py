"""Standard output and error: of any encoding, closed, full, or with nobody at the other end."""

import contextlib
import io
import os
import sys
from typing import TextIO

from react_agent.parsers.quoting import escape


def show_what_they_cannot_encode() -> None:
    """As `\\u2026` and `\\udcff`, where Python would give up."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def complain(text: str, code: int) -> int:
    """One line on standard error, whatever stands in the text; the exit code."""
    if sys.stderr:
        try:
            print(f"react-agent: {escape(' '.join(text.split()))}", file=sys.stderr, flush=True)
        except OSError:
            _silence(sys.stderr)  # it is full: the line must not wait in a buffer
    return code


def reason(error: OSError) -> str:
    what = error.strerror or str(error)
    return f"{error.filename}: {what}" if error.filename else what


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
