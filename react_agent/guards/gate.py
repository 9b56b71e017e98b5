"""The gate at a Conclusion: a table of checks, each a function of what is known.

A check says in one line each what is open, with the place; it says nothing where all is well.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from react_agent.guards.gate_checks import Known, empty, left_out, scratch, syntax, tasks, threads
from react_agent.guards.gate_tests import failing, no_test, not_run, only_tests, tests_gone
from react_agent.guards.points import CHECKS, Fault, Point
from react_agent.loop.concluding import refused
from react_agent.loop.state import State, fold
from react_agent.models.contract import Model
from react_agent.models.replay import Replay
from react_agent.profiles.profile import Profile
from react_agent.tools.git.change import propose, proposed
from react_agent.tools.git.tree_diffs import differing_files
from react_agent.tools.git.workspace import Workspace

ROWS: Mapping[str, Callable[[Known], Iterable[Fault]]] = {
    "empty": empty,
    "threads": threads,
    "tasks": tasks,
    "left_out": left_out,
    "only_tests": only_tests,
    "syntax": syntax,
    "tests_gone": tests_gone,
    "failing": failing,
    "not_run": not_run,
    "no_test": no_test,
    "scratch": scratch,
}


def open_points(checks: Collection[str], known: Known) -> list[Point]:
    """In the order of the table, the gravest first, whatever the order they are named in."""
    return [Point(name, *fault) for name in CHECKS if name in checks for fault in ROWS[name](known)]


def gate_for(
    profile: Profile, workspace: Workspace, commands: Mapping[str, str], model: Model
) -> "Gate | None":
    """None in a run that is done again and was refused nothing: it ends as it did."""
    ended_at_once = isinstance(model, Replay) and refused(fold(model.entries)) is None
    if not profile.gate or not profile.checks or ended_at_once:
        return None
    return Gate(profile.checks, workspace, commands.get("test", "").strip())


@dataclass(frozen=True, slots=True)
class Gate:
    """Of a run in a workspace."""

    checks: tuple[str, ...]
    workspace: Workspace
    test_command: str = ""

    def __call__(self, state: State) -> list[Point]:
        return open_points(self.checks, self.known(state))

    def known(self, state: State) -> Known:
        place = self.workspace
        proposal = propose(place, state.wrote)
        seen = proposed(place, proposal.tree)
        return Known(
            state,
            seen.changes(),
            seen,
            proposal.left_out,
            partial(differing_files, place.store),
            self.test_command,
        )
