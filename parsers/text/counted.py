"""Format counts, sizes, durations and ages, and parse ages.

An age is written as `5 min` or `14 d`. People may type it as `30d`, `2w` or `12 h`.
"""

import re
from collections.abc import Sequence

_KILO = 1000
_MINUTE, _HOUR = 60, 3600


def counted(number: int, noun: str) -> str:
    """Return a count with its noun, such as `1 line`, `1,234 lines` or `2 matches`."""
    stem, end = (noun[:-1], "ies") if noun.endswith("ry") else (noun, "s")
    end = "es" if noun.endswith("ch") else end
    return f"{number:,} {noun if number == 1 else stem + end}"


def first_few(words: Sequence[str], most: int) -> str:
    """Return a list in words, such as `a`, `a, b` or `a, b and 3 more`."""
    left = len(words) - most
    return ", ".join(words[:most]) + (f" and {left:,} more" if left > 0 else "")


def short(number: float) -> str:
    """Format a number, as in `950`, `12.3k` or `1.2M`."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= 0.99995 * size:
            return f"{number / size:.3g}{unit}" if number < 999.5 * size else f"1000{unit}"
    return f"{number:.0f}" if number >= 10 or number == int(number) else f"{number:.1f}"


def sized(size: int) -> str:
    """Return a formatted size, such as `340 B`, `3.2 kB` or `1,234.5 kB`."""
    return f"{size} B" if size < _KILO else f"{size / _KILO:,.1f} kB"


def size_of(text: str) -> str:
    """Return the formatted size of a text, such as `41 lines, 3.2 kB`."""
    lines = counted(text.count("\n") + 1, "line")
    return f"{lines}, {sized(len(text.encode(errors='surrogatepass')))}"


def lasting(seconds: float) -> str:
    """Return a formatted duration, such as `42 s`, `7:05` or `1:02:03`."""
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    minutes, seconds = divmod(whole, _MINUTE)
    if whole < _HOUR:
        return f"{minutes}:{seconds:02}"
    return f"{minutes // _MINUTE}:{minutes % _MINUTE:02}:{seconds:02}"


_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
_ASKED = re.compile(r"([0-9]{1,5}) ?(min|[shdw])?", re.ASCII)


def read_age(text: str) -> int | None:
    """Return an age in seconds, or None if the text is not an age. A bare number means days."""
    found = _ASKED.fullmatch(text.strip())
    return int(found[1]) * _SECONDS[found[2] or "d"] if found else None


def write_age(seconds: float) -> str:
    """Return an age in the largest unit that gives at least 1. A negative age becomes `0 s`."""
    whole = max(int(seconds), 0)
    unit = next((unit for unit in ("d", "h", "min") if whole >= _SECONDS[unit]), "s")
    return f"{whole // _SECONDS[unit]} {unit}"
