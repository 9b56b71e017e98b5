"""How many of something there are, how large it is and how long it takes, in words."""

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
