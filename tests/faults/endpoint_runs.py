"""Runs whose model is behind a real SDK and an endpoint of a test, where something goes wrong."""

import os
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from around import surroundings, write_profile
from fake_endpoint import FakeEndpoint, Reply, Request
from machine_runs import ACTIONS, ENDED, Ended, how_it_ended

from react_agent.issue_to_pr.issue import Issue
from react_agent.models.connection import Time
from react_agent.models.endpoint import find_endpoint
from react_agent.models.endpoints import Endpoints, Memory
from react_agent.parsers.transcript.writer import turn_text
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome
from react_agent.runs.run_setup import Request as Wanted
from react_agent.runs.solve import Otherwise, resume, solve

WIRES = ("anthropic", "openai", "completions", "responses")
# Full soon, so that the model is asked for a summary; at the end it is asked for its words.
PROFILE = """\
[profile]
based on = issue
gate = off
words = always
[compress]
stages = condense memory
at = 2300
to = 0.2
enough = 0.2
"""
LONG = "This is what I think of it, and it is a little longer than it would have to be. " * 4
LOOKS = (("grep", "return"), ("read_file", "README.md"), ("grep", "def"), ("list_files", ""))
WORDS = "Subject: greet with a comma\nKind: fix\nProblem: it lacks.\nChange: it is there.\n"
NUMBERS = re.compile(r"^Steps? (\d+)(?:-(\d+))?:", re.MULTILINE)
TEXT = " I look at all that is there.\nAction: list_files\nAction Input: nowhere"
PASSING = {
    "the connection is closed before an answer": Reply(fault="refuse"),
    "the connection is cut in an answer": Reply(TEXT, fault="cut"),
    "the connection is reset in an answer": Reply(TEXT, fault="reset"),
    "an answer ends without its last word": Reply(TEXT, fault="eof"),
    "an answer is empty": Reply(fault="eof", after=0),
    "an error in the middle of an answer": Reply(TEXT, fault="error"),
    "an error with status 200": Reply(fault="error200"),
    "an answer that is no JSON": Reply(TEXT, fault="garbage"),
    "a page instead of an answer": Reply(fault="html"),
    "a page of a proxy": Reply(fault="html", status=502),
    "status 408": Reply(status=408),
    "status 429": Reply(status=429),
    "status 429 with a time": Reply(status=429, headers={"retry-after": "7"}),
    "status 500": Reply(status=500),
    "status 503": Reply(status=503),
    "status 529": Reply(status=529),
}
Fault = Callable[[str, int], Reply | None]  # at which place, for the how-manieth time


def turns() -> list[str]:
    said = [Turn(Kind.ACTION, LONG, *action) for action in (*LOOKS, *ACTIONS)]
    return [turn_text(turn).strip() for turn in (*said, ENDED)]


@dataclass
class Speaker:
    """Always says the same; before each answer there is the fault, as often as there is one."""

    fault: Fault
    step: int = 0
    asked: dict[str, int] = field(default_factory=dict)
    answered: list[str] = field(default_factory=list)  # places

    def __call__(self, request: Request) -> Reply:
        place = self._place(request)
        self.asked[place] = self.asked.get(place, 0) + 1
        if fault := self.fault(place, self.asked[place]):
            return fault
        self.answered.append(place)
        self.asked.pop(place)
        if place.startswith("step"):
            self.step += 1
            return Reply(turns()[self.step - 1])
        return Reply(WORDS if place == "words" else _summary(request.prompt))

    def _place(self, request: Request) -> str:
        if "You shorten the notes of a run" in request.prompt:
            return "summary"
        return "words" if "The five lines" in request.prompt else f"step {self.step + 1}"


def _summary(prompt: str) -> str:
    """Of all that is to be shortened."""
    found = NUMBERS.findall(prompt)
    return f"Steps {found[0][0]}-{found[-1][1] or found[-1][0]}: It looked at greeting.py."


@dataclass
class Waits:
    """A clock that goes on by itself, and by what is slept."""

    slept: float = 0.0

    def clock(self) -> float:
        return time.monotonic() + self.slept

    def sleep(self, seconds: float) -> None:
        self.slept += seconds


@dataclass
class Desk:
    folder: Path
    repository: Path

    @contextmanager
    def around(self, wire: str, url: str, waits: Waits) -> Iterator[tuple[Surroundings, str]]:
        time_ = Time(waits.clock, waits.sleep, random.Random(1).random)
        ends = Endpoints(Memory(self.folder / "cache"), time_, "session")
        write_profile(self.folder, "issue", PROFILE)
        spec = f"{wire}/m@{url if wire == 'anthropic' else url + '/v1'} key=KEY"
        around = surroundings(
            self.folder,
            None,
            environment={**os.environ, "KEY": "a key of a test"},
            now=lambda: datetime.now(UTC),
            clock=waits.clock,
            open_model=lambda named: ends.model(find_endpoint(named, {}, {"KEY": "a key"})),
            close=ends.close,
        )
        try:
            yield around, spec
        finally:
            ends.close()

    def solve(self, wire: str, url: str, waits: Waits | None = None, **budget: str) -> Outcome:
        issue = Issue("The greeting lacks a comma", "# The greeting lacks a comma")
        with self.around(wire, url, waits or Waits()) as (around, spec):
            return solve(Wanted(issue, self.repository, "HEAD", spec, budget), around)

    def resume(self, outcome: Outcome, wire: str, url: str, **budget: str) -> Outcome:
        with self.around(wire, url, Waits()) as (around, spec):
            return resume(outcome.folder, around, Otherwise(budget, spec), keep=False)

    def ended(self, outcome: Outcome) -> Ended:
        return how_it_ended(outcome.folder, self.repository)


@contextmanager
def speaking(fault: Fault) -> Iterator[tuple[FakeEndpoint, Speaker]]:
    speaker = Speaker(fault)
    with FakeEndpoint(speaker) as endpoint:
        yield endpoint, speaker


def never(place: str, time: int) -> None:
    """No fault at all."""
