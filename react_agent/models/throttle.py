"""How many requests may be under way at one endpoint, and from when on: shared by all its runs.

Refused for being too many, half as many are let through from then on, one more with every answer.
A limit that the endpoint announces in its headers closes the gate until it is over.
"""

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime

from react_agent.parsers.servers.http_answers import when_said
from react_agent.tools import clock

MOST = 256
_LONGEST_CLOSED = 300.0  # seconds, by a header
_PIECE = 0.5  # seconds, of waiting for others
_LIMITS = (
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"),
)
_SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class Throttle:
    def __init__(
        self,
        most: int,
        clock: Callable[[], float],
        now: Callable[[], datetime],
        sleep: Callable[[float], None] = clock.sleep,
    ) -> None:
        self.most = most
        self.allowed = float(most)
        self.under_way = 0
        self.opens = 0.0  # of the clock
        self._clock = clock
        self._now = now
        self._sleep = sleep
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, deadline: float) -> Iterator[bool]:
        """False: it did not come before the deadline."""
        entered = self._enter(deadline)
        try:
            yield entered
        finally:
            if entered:
                self._leave()

    def refused(self, seconds: float) -> None:
        """Too many: nobody asks for a while, and then fewer."""
        with self._changed:
            self.allowed = max(1.0, min(self.allowed, self.under_way + 1.0) / 2)
            self.opens = max(self.opens, self._clock() + seconds)

    def answered(self) -> None:
        with self._changed:
            self.allowed = min(self.allowed + 1.0, self.most)
            self._changed.notify()

    def announced(self, headers: Mapping[str, str]) -> None:
        """Nothing remains until a time that the headers tell."""
        for remaining, reset in _LIMITS:
            if headers.get(remaining, "").strip() == "0":
                now = when_said(headers, self._now().timestamp())
                seconds = min(_seconds(headers.get(reset, ""), now), _LONGEST_CLOSED)
                with self._changed:
                    self.opens = max(self.opens, self._clock() + seconds)

    def _enter(self, deadline: float) -> bool:
        while (closed_for := self._closed_for(deadline)) is not None:
            if closed_for > 0:
                self._sleep(closed_for)
                continue
            with self._changed:
                if self.under_way < max(int(self.allowed), 1):
                    self.under_way += 1
                    return True
                self._changed.wait(min(_PIECE, max(deadline - self._clock(), 0.0)))
        return False

    def _closed_for(self, deadline: float) -> float | None:
        """None: for too long."""
        now = self._clock()
        return None if max(now, self.opens) >= deadline else max(self.opens - now, 0.0)

    def _leave(self) -> None:
        with self._changed:
            self.under_way -= 1
            self._changed.notify()


def _seconds(reset: str, now: float) -> float:
    """`6m0s`, `20ms`, plain seconds, or a time of day."""
    if spans := _SPAN.findall(reset):
        return sum(float(number) * _UNITS[unit] for number, unit in spans)
    try:
        return float(reset)
    except ValueError:
        pass
    try:
        at = datetime.fromtimestamp(now, UTC)
        return max((datetime.fromisoformat(reset) - at).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return 0.0
