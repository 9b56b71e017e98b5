"""How many requests are let through, and when."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from check_rows import table_of

from react_agent.models.connection import Throttle, Time


class Clock:
    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def make(most: int = 4) -> tuple[Throttle, Clock]:
    clock = Clock()
    return Throttle(most, Time(lambda: clock.now, clock.sleep)), clock


def entered(throttle: Throttle, until: float) -> bool:
    with throttle.turn(until) as entered:
        return entered


def test_lets_so_many_through() -> None:
    throttle, within = Throttle(3, Time(time.monotonic, time.sleep)), threading.Barrier(3)
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
    throttle = Throttle(1, Time(time.monotonic, time.sleep))
    began = time.monotonic()
    with throttle.turn(began + 1):
        assert not entered(throttle, began + 0.05)
    assert 0.04 < time.monotonic() - began < 0.3


@table_of(
    ("waits", "time", "is_entered", "slept"),
    {
        "for a while": ((7,), 8, True, [7]),
        "for too long": ((7,), 7, False, []),
        "the longer of two counts": ((7, 2), 99, True, [7]),
    },
)
def test_closed(waits: tuple[int, ...], time: int, is_entered: bool, slept: list[int]) -> None:
    throttle, clock = make()
    for seconds in waits:
        throttle.refused(seconds)
    assert entered(throttle, clock.now + time) == is_entered
    assert clock.slept == slept


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
