"""Write to standard output and error, in any encoding, even if they are closed or full."""

import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TextIO

from react_agent.parsers.secrets.redaction import Redaction, named_keys, secrets_of
from react_agent.tools import variables
from react_agent.tools.errors import MachineError


def show_what_they_cannot_encode() -> None:
    r"""Print characters that can't be encoded as `\u2026` or `\udcff`, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def complain(text: str, code: int) -> int:
    """Print a message on one line of standard error, without line breaks. Return `code`."""
    say([f"react-agent: {' '.join(text.split())}"])
    return code


def say(lines: Iterable[str]) -> None:
    """Print messages on standard error. If it is closed or full, the lines are dropped."""
    if sys.stderr:
        try:
            sys.stderr.write("".join(f"{_escaped(line)}\n" for line in lines))
            sys.stderr.flush()
        except (MemoryError, ImportError, SystemError):
            _tell_of_memory()
        except OSError as error:
            if error.errno == errno.ENOMEM:
                _tell_of_memory()
            else:
                _silence(sys.stderr)  # it is full: the lines must not wait in a buffer


def give(data: bytes) -> None:
    """Write bytes to standard output. Control characters are only escaped on a terminal."""
    if not sys.stdout:
        raise MachineError("can't write: standard output is closed")
    if sys.stdout.isatty():
        text = data.decode(errors="surrogateescape")
        data = "\n".join(map(_escaped, text.split("\n"))).encode()
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def give_lines(lines: Iterable[str]) -> None:
    give("".join(f"{line}\n" for line in lines).encode(errors="surrogateescape"))


def _tell_of_memory() -> None:
    """Print that memory is used up, without redaction, which would need some."""
    with contextlib.suppress(OSError):
        os.write(2, b"react-agent: out of memory\n")


def _escaped(line: str) -> str:
    if line.isascii() and line.isprintable() and "<U+" not in line:
        return line
    from react_agent.parsers.transcript.quoting import escape  # it takes time, and memory

    return escape(line)


def flush() -> None:
    """Flush here, where an error can be handled, and not when the interpreter exits."""
    for stream in _open():
        stream.flush()


def leave(code: int) -> int:
    """Discard all output from now on, even output that is still buffered. Return `code`."""
    for stream in _open():
        _silence(stream)
    return code


def _silence(stream: TextIO) -> None:
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _open() -> list[TextIO]:
    return [stream for stream in (sys.stdout, sys.stderr) if stream]


_KEY = "--key"
_READ_BY_ALL = "CI"  # what a job prints


class _Redacted(io.TextIOWrapper):
    """A stream that redacts secrets. Each text passed to `write` is redacted as a whole."""

    redact: Callable[[str], str]

    def write(self, text: str, /) -> int:
        super().write(self.redact(text))
        return len(text)


@contextlib.contextmanager
def redacted_streams(words: Sequence[str]) -> Iterator[None]:
    """Redact both streams. `words` are arguments that may name a model's key variable."""
    by_count: dict[int, Callable[[str], str]] = {}

    def redact(text: str) -> str:
        count = variables.count()  # the settings may have added keys
        if count not in by_count:
            by_count[count] = redact_for(variables.all_of_them(), words)
        return by_count[count](text)

    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _redacted(sys.stdout, redact), _redacted(sys.stderr, redact)
    made = sys.stdout, sys.stderr
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for stream in made:
            if isinstance(stream, _Redacted):
                with contextlib.suppress(OSError, ValueError):  # closed, full: it was said before
                    stream.detach()


def redact_for(environment: Mapping[str, str], words: Sequence[str] = ()) -> Callable[[str], str]:
    """Return a function that redacts text before it is shown or stored for others."""
    redaction = Redaction(secrets_of(environment), named_keys(environment, _named_in(words)))
    return redaction.for_all if environment.get(_READ_BY_ALL) else redaction


def _named_in(words: Sequence[str]) -> Iterator[str]:
    yield from (name for word, name in pairwise(words) if word == _KEY)
    yield from (word.partition("=")[2] for word in words if word.startswith(f"{_KEY}="))
    yield from (word.rpartition(" key=")[2].partition(" ")[0] for word in words if " key=" in word)


def _redacted(stream: TextIO, redact: Callable[[str], str]) -> TextIO:
    """Return a redacted stream. Streams that are not files or already redacted are unchanged."""
    if not isinstance(stream, io.TextIOWrapper) or isinstance(stream, _Redacted):
        return stream
    stream.flush()
    made = _Redacted(
        stream.buffer,
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    made.redact = redact
    return made
