"""A run's line to a model: what lasts from one call to the next."""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from react_agent.models.contract import Usage, View
from react_agent.models.gauge import Gauge
from react_agent.models.manner import Manner
from react_agent.models.throttle import Throttle
from react_agent.models.wire import Fault, Wire

_LONGEST_ERROR = 300
_LIKE_A_KEY = re.compile(r"\b(?:sk|key|gsk|xai|hf|pk|Bearer)[-_ ][\w*.-]{6,}")
_NEARLY_FULL = 0.85  # of the window
_FOR_NOW = ("ends",)  # learned from what did not happen: not for other runs


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
    manner: Manner
    throttle: Throttle
    time: Time
    keep: Callable[[Mapping[str, str]], None]  # a lesson, for other runs
    price: Callable[[Usage], float | None]
    secret: str = ""
    gauge: Gauge = field(default_factory=Gauge)

    def learn(self, lesson: Mapping[str, str]) -> None:
        self.manner = self.manner.changed(lesson)
        lasting = {name: value for name, value in lesson.items() if name not in _FOR_NOW}
        if lasting:
            self.keep(lasting)

    def find_window(self) -> None:
        """Where there is a way to ask; what fails is not asked again by this run."""
        if self.manner.window is not None:
            return
        try:
            window = self.wire.window()
        except Fault:
            self.manner = self.manner.changed({"window": "0"})
            return
        self.learn({"window": str(window or 0)})

    def is_nearly_full(self, view: View) -> bool:
        window = self.manner.window
        return bool(window) and self.gauge.expected(view) > (window or 0) * _NEARLY_FULL

    def said(self, text: str) -> str:
        """What an endpoint wrote, on one line, short, and without a key."""
        line = " ".join(text.split())
        if self.secret:
            line = line.replace(self.secret, "(key)")
        line = _LIKE_A_KEY.sub("(key)", line)
        return line if len(line) <= _LONGEST_ERROR else f"{line[:_LONGEST_ERROR]}..."
