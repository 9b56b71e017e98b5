"""What counts as being stuck: a row for each way, the surest first."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from react_agent.stuck import words
from react_agent.stuck.repetition import again, cycle, failing, noise, reworded, thoughts
from react_agent.stuck.trail import Found, Trail


@dataclass(frozen=True, slots=True)
class Pattern:
    find: Callable[[Trail], Found | None]
    hint: words.Hint
    goes_on: bool = False  # through new files: only tests that go otherwise get a run out of it


PATTERNS: Mapping[str, Pattern] = {
    "again": Pattern(again, words.again),
    "noise": Pattern(noise, words.noise),
    "reworded": Pattern(reworded, words.reworded),
    "cycle": Pattern(cycle, words.cycle),
    "failing": Pattern(failing, words.failing, goes_on=True),
    "thoughts": Pattern(thoughts, words.thoughts),
}
