"""How a run ended, what it left, and how to go on with it."""

from dataclasses import dataclass

from react_agent.issue_to_pr.change import Automatic
from react_agent.loop.findings import Point
from react_agent.loop.state import State
from react_agent.loop.stop import Ending, Stop
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.verification import Verdict, Verified

_MORE = {
    Stop.OUT_OF_STEPS: " --steps N",
    Stop.OUT_OF_TIME: " --seconds N",
    Stop.OUT_OF_TOKENS: " --tokens N",
    Stop.OUT_OF_MONEY: " --money N",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    stop: Stop
    folder: RunFolder
    state: State
    branch: str = ""  # in the user's repository; empty: none was made
    diff: str = ""  # git's own statistics of it
    wrote: tuple[str, ...] | None = None  # the same by files: `src/a.py:+3-1`
    commit: str = ""  # that the branch is
    left_out: tuple[str, ...] = ()  # new files that only commands made
    dropped: tuple[str, ...] = ()  # new files that do not belong into it, and why
    refused: tuple[str, ...] = ()  # why it must not be sent anywhere
    automatic: tuple[Automatic, ...] = ()  # files of the change that run without being asked
    subject: str = ""  # of its commit
    checks: tuple[str, ...] = ()  # how those came out that the repository declares
    tests: str = ""  # how the tests ended, in words
    verified: Verified | None = None  # by tests that were run at the end
    changed_tests: tuple[str, ...] = ()  # that were there before
    kept: bool = False  # whether the workspace is still there
    turns: tuple[str, ...] = ()  # of a procedure, a line each

    @property
    def open(self) -> tuple[Point, ...]:
        """What was not in order when its Conclusion was accepted."""
        return tuple(self.state.open)

    @property
    def ending(self) -> Stop | Ending:
        if self.stop is not Stop.CONCLUDED:
            return self.stop
        if self.verified and self.verified.verdict is Verdict.FAILED:
            return Ending.TESTS_FAILED
        return self.stop if self.diff or self.state.threads else Ending.NO_CHANGE

    @property
    def has_result(self) -> bool:
        """There is something to send. A review may have been answered in words alone."""
        return self.stop is Stop.CONCLUDED and bool(self.branch or self.state.threads)

    @property
    def is_success(self) -> bool:
        return self.has_result and self.ending is not Ending.TESTS_FAILED

    @property
    def resume_command(self) -> str:
        """Empty where the model itself has ended it."""
        if self.stop.is_final:
            return ""
        return f"react-agent resume {self.folder.path.name}{_MORE.get(self.stop, '')}"

    @property
    def fork_command(self) -> str:
        """From its last step, with a word of the person's; empty where there is no such step."""
        steps = self.state.standing
        if not steps or self.turns:
            return ""
        return f'react-agent fork {self.folder.path.name} --at {steps[-1].number} --say "..."'
