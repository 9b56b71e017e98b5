"""Whole numbers among the options: taken as texts, so that one line says what they may be."""

from react_agent.errors import UsageError


def whole(option: str, given: str, most: int) -> int:
    if not given.isascii() or not given.isdecimal() or not 0 < int(given[:9]) <= most:
        raise UsageError(f"{option} is a whole number from 1 to {most}, not {given!r}")
    return int(given)
