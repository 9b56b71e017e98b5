"""How many of something there are, how large it is, how long it takes and how long ago it was.

An age is written as `5 min` or `14 d`, and read as a person asks for it: `30d`, `2w`, `12 h`.
"""

import re

_KILO = 1000
_MINUTE, _HOUR = 60, 3600


def counted(number: int, noun: str) -> str:
    """`1 line`, `1,234 lines`, `2 matches`, `2 entries`."""
    return f"{number:,} {noun if number == 1 else _plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith("ry"):
        return noun.removesuffix("y") + "ies"
    return noun + ("es" if noun.endswith("ch") else "s")


def sized(size: int) -> str:
    """`340 B`, `3.2 kB`, `1,234.5 kB`"""
    return f"{size} B" if size < _KILO else f"{size / _KILO:,.1f} kB"


def lasting(seconds: float) -> str:
    """`42 s`, `7:05`, `1:02:03`"""
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    minutes, seconds = divmod(whole, _MINUTE)
    if whole < _HOUR:
        return f"{minutes}:{seconds:02}"
    return f"{minutes // _MINUTE}:{minutes % _MINUTE:02}:{seconds:02}"


_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
_WRITTEN = ("d", "h", "min", "s")
_ASKED = re.compile(r"([0-9]{1,5}) ?(min|[shdw])?", re.ASCII)


def read_age(text: str) -> int | None:
    """In seconds; a number alone is one of days. None where it is no age."""
    found = _ASKED.fullmatch(text.strip())
    return int(found[1]) * _SECONDS[found[2] or "d"] if found else None


def write_age(seconds: float) -> str:
    """In the largest unit of which it is one at least; a file of tomorrow is of now."""
    whole = max(int(seconds), 0)
    unit = next((unit for unit in _WRITTEN if whole >= _SECONDS[unit]), "s")
    return f"{whole // _SECONDS[unit]} {unit}"
