"""How long ago something was, `5 min` or `14 d`; and as a person asks for it, `30d` or `2w`."""

import re

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
