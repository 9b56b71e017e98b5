"""How a run ended, and what it left."""

from dataclasses import dataclass

from react_agent.run_folder import RunFolder
from react_agent.state import State
from react_agent.stop import Stop


@dataclass(frozen=True, slots=True)
class Outcome:
    stop: Stop
    folder: RunFolder
    state: State
    branch: str = ""  # in the user's repository; empty: none was made
    diff: str = ""  # git's own statistics of it
    left_out: tuple[str, ...] = ()  # new files that only commands made
    tests: str = ""  # how the tests ended, in words
    tests_said: str = ""  # their own words, where they were run at the end
    kept: bool = False  # whether the workspace is still there

    @property
    def is_success(self) -> bool:
        return self.stop is Stop.CONCLUDED and bool(self.branch)
