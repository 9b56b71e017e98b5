"""Answers over HTTP: streams of server-sent events, and times by the clock of the server.

stream = ((field | comment)* empty line)*      what an empty line does not end is no event
field  = "data:" text | other ":" text         several lines of data are one text
"""

import email.utils
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC

LONGEST_LINE = 1 << 24
_DATA = "data:"


def read_lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Only a line feed ends one: `str.splitlines` also breaks where a text has U+2028."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r").decode(errors="replace")
        if len(rest) > LONGEST_LINE:
            raise ValueError(f"a line of over {LONGEST_LINE:,} bytes")
    if rest:
        yield rest.decode(errors="replace")


def read_events(lines: Iterable[str]) -> Iterator[str]:
    data = list[str]()
    for line in lines:
        if line.startswith(_DATA):
            data.append(line.removeprefix(_DATA).removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data.clear()


def seconds_until(date: str, headers: Mapping[str, str], now: float) -> float | None:
    """Nothing left of a time that is over; None where it is no date."""
    until = _instant(date)
    return None if until is None else max(until - when_said(headers, now), 0.0)


def when_said(headers: Mapping[str, str], now: float) -> float:
    """When the answer was made, in seconds since 1970; `now` where it does not say."""
    said = _instant(headers.get("date", ""))
    return now if said is None else said


def _instant(date: str) -> float | None:
    try:
        read = email.utils.parsedate_to_datetime(date)
        return read.replace(tzinfo=read.tzinfo or UTC).timestamp()
    except (ValueError, OverflowError):
        return None
