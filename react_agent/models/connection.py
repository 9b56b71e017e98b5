"""A run's connection to a model: the state kept between calls, and a limit on parallel calls."""

import contextlib
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from react_agent.models.contract import Usage, View
from react_agent.models.endpoint import Manner
from react_agent.models.wire import Fault, Wire
from react_agent.parsers.text.tokens import estimate_tokens

MOST = 256
_PIECE = 0.5  # seconds, of waiting for others


@dataclass(frozen=True, slots=True)
class Time:
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    random: Callable[[], float] = random.random


class Throttle:
    def __init__(self, most: int, time: Time) -> None:
        self.most = most
        self.allowed = float(most)
        self.under_way = 0
        self.opens = 0.0  # of the clock
        self._time = time
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, deadline: float) -> Iterator[bool]:
        """Wait until a request may be sent. Yields False if the deadline passes first."""
        has_entered = False
        while not has_entered and max(now := self._time.clock(), self.opens) < deadline:
            if self.opens > now:
                self._time.sleep(self.opens - now)
                continue
            with self._changed:
                has_entered = self.under_way < max(int(self.allowed), 1)
                if has_entered:
                    self.under_way += 1
                else:
                    self._changed.wait(min(_PIECE, max(deadline - self._time.clock(), 0.0)))
        try:
            yield has_entered
        finally:
            if has_entered:
                with self._changed:
                    self.under_way -= 1
                    self._changed.notify()

    def refused(self, seconds: float) -> None:
        """Pause all requests after "too many requests", and then allow fewer parallel ones."""
        with self._changed:
            self.allowed = max(1.0, min(self.allowed, self.under_way + 1.0) / 2)
            self.opens = max(self.opens, self._time.clock() + seconds)

    def answered(self) -> None:
        with self._changed:
            self.allowed = min(self.allowed + 1.0, self.most)
            self._changed.notify()


_ASKED = "asked for the window"
# The shares allow for scripts whose estimate is twice their real size.
_FEWEST = 2000  # tokens: a template weighs more in a small prompt
_LEAST_AT_FIRST = 0.4  # of the estimate
_LEAST_THAT_COUNTS = 0.1
_GROWTH = 200  # new tokens; with fewer there is no conclusion
_LEAST_OF_GROWTH = 0.3
_LEAST_OF_COUNTED = 0.7  # another provider may count in another way


@dataclass(slots=True)
class Gauge:
    """An estimate of a prompt's tokens, from the last count and the text added since then."""

    counted: int = 0  # by the endpoint, of the last prompt
    estimated: int = 0  # our estimate of the same prompt
    weights: dict[str, int] = field(default_factory=dict)  # of texts that stay between prompts

    def expected(self, view: View) -> int:
        estimate = self._estimate(view)
        if not self.counted or estimate < self.estimated:
            return estimate
        return self.counted + estimate - self.estimated

    def settled(self, view: View, usage: Usage | None, reply: str) -> Usage:
        """Return the usage that the endpoint reported, or else an estimate."""
        if usage is None or not self._counts(view, usage):
            return Usage(self.expected(view), estimate_tokens(reply), is_estimate=True)
        self.counted, self.estimated = usage.prompt, self._estimate(view)
        return usage if usage.reply > 1 else replace(usage, reply=estimate_tokens(reply))

    def lost(self, view: View, usage: Usage | None) -> int:
        """Return the approximate number of tokens that the endpoint silently dropped."""
        if usage is None or not self._counts(view, usage):
            return 0
        expected, grown = self.expected(view), self._estimate(view) - self.estimated
        if not self.counted or grown < 0:
            is_short = expected >= _FEWEST and usage.prompt < expected * _LEAST_AT_FIRST
        else:
            has_grown = usage.prompt - self.counted >= grown * _LEAST_OF_GROWTH
            has_shrunk = usage.prompt < self.counted * _LEAST_OF_COUNTED
            is_short = has_shrunk or (grown >= _GROWTH and not has_grown)
        return max(expected - usage.prompt, 1) if is_short else 0

    def _counts(self, view: View, usage: Usage) -> bool:
        """Return whether the count is usable. Some endpoints leave out cached tokens."""
        return usage.prompt >= self.expected(view) * _LEAST_THAT_COUNTS

    def _estimate(self, view: View) -> int:
        blocks = (view.system, view.task, *view.turns)
        for block in blocks:
            if block not in self.weights:
                self.weights[block] = estimate_tokens(block)
        return sum(self.weights[block] for block in blocks) + estimate_tokens(view.tail)


@dataclass(slots=True)
class Connection:
    """A run's connection to a model. Its client and throttle are shared by the whole process."""

    name: str  # as it was asked for
    wire: Wire
    base: Manner  # by hint and settings
    shared: dict[str, str]  # what this process has learned of the endpoint
    throttle: Throttle
    time: Time
    keep: Callable[[Mapping[str, str]], None]  # a lesson, for other runs
    price: Callable[[Usage], float | None]
    is_local: bool = False
    secret: str = field(default="", repr=False)
    gauge: Gauge = field(default_factory=Gauge)

    @property
    def manner(self) -> Manner:
        return self.base.changed(dict(self.shared))

    def learn(self, lesson: Mapping[str, str]) -> None:
        """Remember a fact that the endpoint reported, also for other runs."""
        self.learn_for_now(lesson)
        if lesson:
            self.keep(lesson)

    def learn_for_now(self, lesson: Mapping[str, str]) -> None:
        self.shared.update(lesson)

    def find_window(self) -> None:
        """Request the window once per process, if possible; it may change with a restart."""
        if _ASKED in self.shared:
            return
        self.shared[_ASKED] = "yes"
        if self.base.window is None:
            with contextlib.suppress(Fault):
                window = self.wire.window()
                self.shared.update({"window": str(window)} if window else {})
