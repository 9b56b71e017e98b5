"""Times in the headers of an answer, by the clock of whoever answered: ours may be a year off."""

import email.utils
from collections.abc import Mapping
from datetime import UTC


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
