"""Read HTTP responses: streams of server-sent events, retry times, and error messages.

stream = ((field | comment)* empty line)*      an event must end with an empty line
field  = "data:" text | other ":" text         several data lines form one text
"""

import email.utils
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC

LONGEST_LINE = 1 << 24
_DATA = "data:"
_LIKE_A_KEY = re.compile(r"\b(?:(?:sk|gsk|xai|hf|pk|key)[-_]|Bearer )[\w*.-]{6,}")
_LOGIN = re.compile(r"(?<=//)[^/\s]*@")


def read_lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines, split only at line feeds. `str.splitlines` would also split at U+2028."""
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


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds to wait from a Retry-After header (a number or a date), or None."""
    text = headers.get("retry-after", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        until = _instant(text)
        return None if until is None else max(until - when_said(headers, now), 0.0)
    return seconds if 0 <= seconds < float("inf") else None


def when_said(headers: Mapping[str, str], now: float) -> float:
    """Return the time of the response, in seconds since 1970, or `now` if it has no date."""
    said = _instant(headers.get("date", ""))
    return now if said is None else said


def backoff(first: float, times: int, longest: float = math.inf) -> float:
    """Return a delay that doubles with each attempt."""
    return min(float(first * 2 ** (times - 1)), longest)


def spread(seconds: float, chance: float) -> float:
    """Return a delay up to a quarter shorter or longer, so that clients don't retry all at once."""
    return seconds * (0.75 + chance / 2)


def one_line(text: str, secret: str, most: int) -> str:
    """Return a server's text on one line, shortened and without API keys."""
    line = without_login(" ".join(text.split()))
    if secret:
        line = line.replace(secret, "(key)")
    line = printable(_LIKE_A_KEY.sub("(key)", line))
    return line if len(line) <= most else f"{line[:most]}..."


def without_login(url: str) -> str:
    return _LOGIN.sub("", url)


def printable(line: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in line)


def _instant(date: str) -> float | None:
    try:
        read = email.utils.parsedate_to_datetime(date)
        return read.replace(tzinfo=read.tzinfo or UTC).timestamp()
    except (ValueError, OverflowError):
        return None
