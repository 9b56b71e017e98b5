"""Standard output and error without secrets, whoever writes to them.

What is asked for byte by byte (`show --raw`, a patch) goes past them, as it is.
"""

import contextlib
import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TextIO

from react_agent.parsers.secrets.redaction import Redaction, named_keys, secrets_of

_KEY = "--key"
_READ_BY_ALL = "CI"  # what a job prints


class _Redacted(io.TextIOWrapper):
    """What is written at once is looked at as a whole."""

    redact: Callable[[str], str]

    def write(self, text: str, /) -> int:
        super().write(self.redact(text))
        return len(text)


@contextlib.contextmanager
def redacted_streams(environment: Mapping[str, str], words: Sequence[str]) -> Iterator[None]:
    """`words` may name a variable that holds the key of a model."""
    redact = redact_for(environment, words)
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
    """What is shown, or written for others to see."""
    redaction = Redaction(secrets_of(environment), named_keys(environment, _named_in(words)))
    return redaction.for_all if environment.get(_READ_BY_ALL) else redaction


def _named_in(words: Sequence[str]) -> Iterator[str]:
    yield from (name for word, name in pairwise(words) if word == _KEY)
    yield from (word.partition("=")[2] for word in words if word.startswith(f"{_KEY}="))
    yield from (word.rpartition(" key=")[2].partition(" ")[0] for word in words if " key=" in word)


def _redacted(stream: TextIO, redact: Callable[[str], str]) -> TextIO:
    """What is no file, or is done already, is left as it is."""
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
