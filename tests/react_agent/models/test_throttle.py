"""How many requests are let through, and when."""

import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from check_rows import table_of

from react_agent.models.connection import Throttle

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def make(most: int = 4) -> tuple[Throttle, Clock]:
    clock = Clock()
    return Throttle(most, lambda: clock.now, lambda: NOW, clock.sleep), clock


def entered(throttle: Throttle, until: float) -> bool:
    with throttle.turn(until) as entered:
        return entered


def test_lets_so_many_through() -> None:
    throttle, within = Throttle(3, time.monotonic, lambda: NOW), threading.Barrier(3)
    seen = []

    def call(_: int) -> None:
        with throttle.turn(time.monotonic() + 5):
            seen.append(throttle.under_way)
            within.wait(2)  # three at a time, or never

    with ThreadPoolExecutor(9) as pool:
        list(pool.map(call, range(9)))
    assert (max(seen), throttle.under_way) == (3, 0)


def test_is_left_after_a_failure() -> None:
    throttle, clock = make(1)
    with pytest.raises(ZeroDivisionError), throttle.turn(clock.now + 1):
        raise ZeroDivisionError
    assert entered(throttle, clock.now + 1)


def test_no_turn_before_the_deadline() -> None:
    throttle = Throttle(1, time.monotonic, lambda: NOW)
    began = time.monotonic()
    with throttle.turn(began + 1):
        assert not entered(throttle, began + 0.05)
    assert 0.04 < time.monotonic() - began < 0.3


def test_closed_for_a_while() -> None:
    throttle, clock = make()
    throttle.refused(7)
    assert entered(throttle, clock.now + 8)
    assert clock.slept == [7]


def test_closed_for_too_long() -> None:
    throttle, clock = make()
    throttle.refused(7)
    assert not entered(throttle, clock.now + 7)
    assert clock.slept == []


def test_the_longer_of_two_waits_counts() -> None:
    throttle, clock = make()
    throttle.refused(7)
    throttle.refused(2)
    assert entered(throttle, clock.now + 99)
    assert clock.slept == [7]


def test_fewer_after_a_refusal_and_more_with_each_answer() -> None:
    throttle, clock = make(16)
    with throttle.turn(clock.now + 1), throttle.turn(clock.now + 1), throttle.turn(clock.now + 1):
        throttle.refused(0)
    assert throttle.allowed == 2
    throttle.refused(0)
    throttle.refused(0)
    assert throttle.allowed == 1
    for _ in range(99):
        throttle.answered()
    assert throttle.allowed == 16


@table_of(
    ("headers", "seconds"),
    [
        pytest.param({}, 0, id="none"),
        pytest.param({"requests": "1", "reset": "9s"}, 0, id="one is left"),
        pytest.param({"requests": "0", "reset": "9s"}, 9, id="seconds"),
        pytest.param({"requests": "0", "reset": "1m0.5s"}, 60.5, id="minutes"),
        pytest.param({"requests": "0", "reset": "250ms"}, 0.25, id="ms"),
        pytest.param({"requests": "0", "reset": "7"}, 7, id="number"),
        pytest.param({"requests": "0", "reset": "2h"}, 300, id="too long to be believed"),
        pytest.param({"requests": "0", "reset": "soon"}, 0, id="no time"),
        pytest.param({"requests": "0", "reset": "nan"}, 0, id="no number"),
        pytest.param({"requests": "0", "reset": "-5"}, 0, id="below zero"),
        pytest.param({"requests": "0"}, 0, id="no reset"),
        pytest.param({"tokens": "0", "tokens-reset": "20s"}, 20, id="tokens"),
        pytest.param({"at": "2026-01-01T00:00:30Z"}, 30, id="time"),
        pytest.param({"at": "2025-01-01T00:00:30Z"}, 0, id="time gone by"),
        pytest.param({"at": "2026-01-01T00:00:30"}, 0, id="time of nowhere"),
    ],
)
def test_what_headers_announce(headers: Mapping[str, str], seconds: float) -> None:
    names = {
        "requests": "x-ratelimit-remaining-requests",
        "reset": "x-ratelimit-reset-requests",
        "tokens": "x-ratelimit-remaining-tokens",
        "tokens-reset": "x-ratelimit-reset-tokens",
        "at": "anthropic-ratelimit-requests-reset",
    }
    told = {names[name]: value for name, value in headers.items()}
    told |= {"anthropic-ratelimit-requests-remaining": "0"} if "at" in headers else {}
    throttle, clock = make()
    throttle.announced(told)
    assert entered(throttle, clock.now + 1000)
    assert sum(clock.slept) == seconds
