"""Models of every kind at an endpoint of a test, with waits that cost no time."""

import importlib
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fake_endpoint import FakeEndpoint

from react_agent.models.connection import MOST, Throttle, Time
from react_agent.models.contract import Completion, Model, View
from react_agent.models.endpoint import find_endpoint
from react_agent.models.endpoints import Endpoints, Memory

LEARNED = ("stop", "stream", "ends", "note", "thinks", "tokens", "reply", "sampling", "thinking")
KEY = "sk-secret-of-the-tests"
VIEW = View(
    "You are told what to do.\n\n",
    "Objective: do it\n",
    ("Thought: a\nAction: b\nAction Input: c\nObservation: d\n",),
    "(a hint)\nThought:",
)


@dataclass
class Waits:
    """A clock that goes on by itself, and by what is slept."""

    slept: list[float] = field(default_factory=list)

    def clock(self) -> float:
        return time.monotonic() + sum(self.slept)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@dataclass
class Trial:
    folder: Path
    waits: Waits = field(default_factory=Waits)
    left_open: ExitStack = field(default_factory=ExitStack)
    shown: list[str] = field(default_factory=list)
    processes: list[Endpoints] = field(default_factory=list)

    @property
    def memory(self) -> Memory:
        return Memory(self.folder / "cache")

    def serve(self, *replies: Any, **rules: Any) -> FakeEndpoint:
        script = replies[0] if replies and callable(replies[0]) else replies
        return self.left_open.enter_context(FakeEndpoint(script, **rules))

    def model(self, kind: str, endpoint: FakeEndpoint | str, **section: str) -> Model:
        """As in a new run of another process: what it knows is what is in the file."""
        at = endpoint if isinstance(endpoint, str) else endpoint.url
        url = at if kind == "anthropic" else f"{at}/v1"
        ends = self.endpoints()
        ends.throttles[url] = Throttle(MOST, Time(self.waits.clock, self.waits.sleep))
        named: Mapping[str, Mapping[str, str]] = {"it": {"spec": f"{kind}/m", **section}}
        return ends.model(find_endpoint(f"it@{url} key=KEY", named, {"KEY": KEY}))

    def endpoints(self) -> Endpoints:
        waits = Time(self.waits.clock, self.waits.sleep, lambda: 0.5)
        ends = Endpoints(self.memory, waits, "session")
        self.left_open.callback(ends.close)
        self.processes.append(ends)
        return ends

    def known(self) -> dict[str, str]:
        """By the last process, for as long as it lives."""
        [learned] = self.processes[-1].learned.values()
        return {name: value for name, value in learned.items() if name in LEARNED}

    def ask(self, model: Model, view: View = VIEW, **other: Any) -> Completion:
        """`seconds` is how much time there is."""
        until = self.waits.clock() + other.pop("seconds", 100.0)
        given = {"stop": ("Observation:",), "max_output": 1000, "deadline": until, **other}
        return model.complete(view, **given, show=self.shown.append)


@pytest.fixture(scope="session", autouse=True)
def _sdks() -> None:
    """No single test pays for what takes a second."""
    for name in ("anthropic", "openai"):
        importlib.import_module(name)


@pytest.fixture
def trial(tmp_path: Path) -> Iterator[Trial]:
    trial = Trial(tmp_path)
    with trial.left_open:
        yield trial
