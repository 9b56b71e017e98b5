"""A run's line to a model: what lasts from one call to the next."""

import contextlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from react_agent.models.contract import Usage
from react_agent.models.gauge import Gauge
from react_agent.models.manner import Manner
from react_agent.models.throttle import Throttle
from react_agent.models.wire import Fault, Wire

_ASKED = "asked for the window"


@dataclass(frozen=True, slots=True)
class Time:
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    random: Callable[[], float] = random.random


@dataclass(slots=True)
class Connection:
    """The wire, its client and the throttle are those of all runs of the process."""

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
        return self.base.changed(dict(self.shared)) if self.shared else self.base

    def learn(self, lesson: Mapping[str, str]) -> None:
        """From the endpoint's own words: for other runs, too."""
        self.learn_for_now(lesson)
        if lesson:
            self.keep(lesson)

    def learn_for_now(self, lesson: Mapping[str, str]) -> None:
        self.shared.update(lesson)

    def find_window(self) -> None:
        """Where there is a way to ask: once a process, as a server may be started with another."""
        if _ASKED in self.shared:
            return
        self.shared[_ASKED] = "yes"
        if self.base.window is None:
            with contextlib.suppress(Fault):
                window = self.wire.window()
                self.shared.update({"window": str(window)} if window else {})
